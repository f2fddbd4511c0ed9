//! The tools in a person's home: the folders from which an approved command may read and run programs.

use crate::user_shell::Surroundings;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The locations of toolchains and their programs below a home. The locations of their downloads are in `tool_caches`.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    ".local/bin", ".local/lib", ".local/opt", ".local/pipx", "bin",
    ".local/share/pipx", ".local/share/uv", ".local/share/mise", ".local/share/fnm", ".local/share/pnpm", ".local/share/nvm",
    ".local/share/pypoetry", ".local/share/hatch", ".local/share/virtualenv", ".local/share/gem", ".local/share/rustup", ".local/share/cargo",
    ".local/share/ghcup", ".local/share/man", ".local/share/fonts", ".fonts", ".local/share/virtualenvs",
    ".cargo", ".rustup", ".nvm", ".volta", ".fnm", ".n", ".npm-global", ".npm-packages", ".yarn", ".config/yarn/global", ".bun", ".deno",
    ".pyenv", ".rye", ".conda", "miniconda3", "miniforge3", "mambaforge", "anaconda3", ".virtualenvs",
    ".rbenv", ".rvm", ".gem", ".asdf", ".sdkman", ".jenv", ".jdks", ".m2/repository", ".m2/wrapper", ".gradle/wrapper", ".gradle/caches", ".gradle/jdks",
    "go/bin", "go/pkg", "sdk", ".ghcup", ".cabal", ".stack", ".opam", ".elan", ".juliaup", ".julia", ".dotnet", ".nuget/packages", ".swiftly",
    ".nix-profile", ".local/state/nix", ".linuxbrew", ".config/fontconfig",
    ".cache/ms-playwright", ".cache/puppeteer", ".cache/selenium", ".cache/Cypress", ".cache/node/corepack",
];
/// The person's files that git reads. Passwords in them are hidden as everywhere.
const OF_GIT: &[&str] =
    &[".gitconfig", ".config/git", ".gitignore", ".gitignore_global", ".gitattributes", ".gitmessage"];
/// Variables whose value is the folder of a toolchain.
#[rustfmt::skip]
const OF_VARIABLES: &[&str] = &[
    "CARGO_HOME", "RUSTUP_HOME", "GOROOT", "GOBIN", "NVM_DIR", "NVM_BIN", "VOLTA_HOME", "FNM_DIR", "FNM_MULTISHELL_PATH", "N_PREFIX", "PNPM_HOME",
    "BUN_INSTALL", "DENO_INSTALL", "DENO_INSTALL_ROOT", "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "PIPX_HOME", "PIPX_BIN_DIR", "POETRY_HOME",
    "JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME", "SDKMAN_DIR", "JENV_ROOT", "ANDROID_HOME", "ANDROID_SDK_ROOT", "ANDROID_NDK_HOME",
    "FLUTTER_ROOT", "RBENV_ROOT", "GEM_HOME", "OPAMROOT", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "DOTNET_ROOT", "ELAN_HOME", "STACK_ROOT", "CABAL_DIR",
    "HOMEBREW_PREFIX", "CUDA_HOME", "CUDA_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
    "PIP_CERT", "PIP_FIND_LINKS", "PLAYWRIGHT_BROWSERS_PATH",
];
/// The maximum number of links that are followed in a folder of programs.
const MOST_LINKS: usize = 200;

/// Returns the existing folders of a person's tools outside of the system's folders, unordered.
pub(crate) fn folders(home: &Path, surroundings: &Surroundings) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = PLACES.iter().chain(OF_GIT).map(|place| home.join(place)).collect();
    let values = OF_VARIABLES.iter().filter_map(|name| surroundings.get(name));
    found.extend(values.map(PathBuf::from).filter(|path| path.is_absolute()));
    for gopath in surroundings.get("GOPATH").iter().flat_map(std::env::split_paths) {
        found.extend(["bin", "pkg"].map(|part| gopath.join(part)));
    }
    found.extend(named_by_git(home));
    for folder in &surroundings.path {
        found.extend(toolchain_of(folder, home));
        found.extend(targets(folder, home));
        found.push(folder.clone());
    }
    found.retain(|path| is_narrow(path, home));
    found.sort();
    found.dedup();
    found
}

/// Returns whether a path exists and is neither the home nor a folder above it.
fn is_narrow(path: &Path, home: &Path) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    !home.starts_with(&real) && real.parent().is_some_and(|parent| parent != Path::new("/"))
}

/// Returns the folder above a toolchain's `bin` in the home, which also contains the libraries of its programs.
fn toolchain_of(folder: &Path, home: &Path) -> Option<PathBuf> {
    const SHARED: &[&str] = &[".local", ".config", ".cache", ".var"];
    let parent = folder.parent()?;
    let first = parent.strip_prefix(home).ok()?.components().next()?;
    let first = first.as_os_str().to_str()?;
    let is_programs =
        ["bin", "sbin", "shims"].iter().any(|name| folder.file_name() == Some(OsStr::new(name)));
    (is_programs && first.starts_with('.') && !SHARED.contains(&first)).then(|| parent.to_owned())
}

/// Returns the folders that the links in a folder of programs in the home point to.
fn targets(folder: &Path, home: &Path) -> Vec<PathBuf> {
    if !folder.starts_with(home) {
        return Vec::new();
    }
    let links = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let links = links.filter(|path| path.is_symlink()).take(MOST_LINKS);
    links.filter_map(|link| Some(link.canonicalize().ok()?.parent()?.to_owned())).collect()
}

/// Returns the files below the home that the person's git configuration refers to: templates, ignore files and included
/// files.
fn named_by_git(home: &Path) -> Vec<PathBuf> {
    const MOST_BYTES: u64 = 256 * 1024;
    let mut found = Vec::new();
    for file in [".gitconfig", ".config/git/config"].map(|file| home.join(file)) {
        if file.metadata().is_ok_and(|meta| meta.len() > MOST_BYTES) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let values = text
            .lines()
            .filter_map(|line| line.split_once('='))
            .map(|(_, value)| value.trim().trim_matches('"'));
        for value in values {
            let path = match value.strip_prefix("~/") {
                Some(rest) => home.join(rest),
                None => file.parent().unwrap_or(home).join(value),
            };
            if !value.is_empty() && path.starts_with(home) {
                found.push(path);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn tools_are_found_by_place_by_path_and_by_link_and_never_the_whole_home() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        for folder in [".local/bin", ".cargo/bin", ".odd/bin", "Documents/bin", "apps/tool/bin", "git"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        fs::write(home.join("apps/tool/bin/tool"), "").unwrap();
        std::os::unix::fs::symlink(home.join("apps/tool/bin/tool"), home.join(".local/bin/tool")).unwrap();
        fs::write(home.join("git/more"), "").unwrap();
        fs::write(home.join(".gitconfig"), "[include]\n\tpath = ~/git/more\n[core]\n\tpager = less\n")
            .unwrap();
        let path = [".local/bin", ".odd/bin", "Documents/bin"].map(|folder| home.join(folder)).into();
        let variables = vec![("JAVA_HOME".into(), home.clone().into()), ("GOROOT".into(), "/".into())];
        let found = folders(&home, &Surroundings { path, variables });
        let below: Vec<&str> =
            found.iter().map(|path| path.strip_prefix(&home).unwrap().to_str().unwrap()).collect();
        assert_eq!(
            below,
            [
                ".cargo",
                ".gitconfig",
                ".local/bin",
                ".odd",
                ".odd/bin",
                "Documents/bin",
                "apps/tool/bin",
                "git/more"
            ]
        );
    }
}
