//! Recognizes project folders, which are moved only as a whole.

use std::ffi::OsStr;

/// Manifests and version control folders. A folder that contains one of them is a project.
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

/// Extensions of manifests whose names vary.
const MARKER_ENDINGS: [&str; 5] = [".sln", ".csproj", ".xcodeproj", ".cabal", ".uproject"];

/// Returns whether an entry with this name makes its folder a project.
pub fn is_marker(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    MARKERS.contains(&name) || MARKER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}
