//! Which folders are projects: one thing each, never taken apart.

use std::ffi::OsStr;

/// Manifests and version control: a folder that holds one of these is a project.
const MARKERS: [&str; 30] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".idea",
    ".vscode",
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Gemfile",
    "composer.json",
    "mix.exs",
    "deno.json",
    "pubspec.yaml",
    "stack.yaml",
    "CMakeLists.txt",
    "Makefile",
    "meson.build",
    "Package.swift",
    "flake.nix",
    "Pipfile",
    "project.godot",
    "dune-project",
    "rebar.config",
];

/// Endings of the manifests that have a name of their own.
const MARKER_ENDINGS: [&str; 5] = [".sln", ".csproj", ".xcodeproj", ".cabal", ".uproject"];

/// Whether a folder that holds this name is a project.
pub fn is_marker(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    MARKERS.contains(&name) || MARKER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}
