//! Caches for the tools of approved commands: a folder of Deputy's for each workspace, for downloads and build results.
//!
//! The person's own caches contain code that the person's builds run, so commands can read but never write them. What a
//! command adds goes to Deputy's folder, which only later approved commands in the same workspace use; a command could
//! influence those through the workspace anyway. See `docs/decisions/0023`.

use crate::user_shell::Surroundings;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, statat, symlinkat};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The maximum number of entries of a person's cache that are linked individually.
const MOST_ENTRIES: usize = 20_000;

/// The caches of one workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolCaches {
    /// The folder that commands may write to.
    pub(crate) folder: PathBuf,
    /// Environment variables that direct tools to it.
    pub(crate) variables: Vec<(OsString, OsString)>,
}

/// Prepares the caches of a workspace. `None` if the folder cannot be created.
pub(crate) fn prepare(home: &Path, workspace: &Path, surroundings: &Surroundings) -> Option<ToolCaches> {
    let digest = blake3::hash(workspace.as_os_str().as_bytes()).to_hex();
    let above = home.canonicalize().ok()?.join(".cache/deputy-tools");
    make_private(&above).ok()?;
    let folder = above.join(&digest[..16]);
    make_private(&folder).ok()?;
    let own = |name: &str, below: &str| {
        surroundings.get(name).map(PathBuf::from).unwrap_or_else(|| home.join(below))
    };
    let cargo = own("CARGO_HOME", ".cargo");
    let seeds = [
        Seed { from: cargo.clone(), into: "cargo", deep: 0, only: &["config.toml", "config", "bin", "env"] },
        Seed { from: cargo.join("registry/index"), into: "cargo/registry/index", deep: 3, only: &[] },
        Seed { from: cargo.join("registry/cache"), into: "cargo/registry/cache", deep: 1, only: &[] },
        Seed { from: cargo.join("registry/src"), into: "cargo/registry/src", deep: 1, only: &[] },
        Seed { from: cargo.join("git/db"), into: "cargo/git/db", deep: 0, only: &[] },
        Seed { from: cargo.join("git/checkouts"), into: "cargo/git/checkouts", deep: 1, only: &[] },
        Seed { from: home.join(".gradle/wrapper/dists"), into: "gradle/wrapper/dists", deep: 1, only: &[] },
        Seed { from: home.join(".gradle/init.d"), into: "gradle/init.d", deep: 0, only: &[] },
        Seed { from: home.join(".cache/ms-playwright"), into: "xdg/ms-playwright", deep: 0, only: &[] },
        Seed { from: home.join(".cache/puppeteer"), into: "xdg/puppeteer", deep: 1, only: &[] },
        Seed { from: home.join(".cache/selenium"), into: "xdg/selenium", deep: 0, only: &[] },
    ];
    let opened = open(CWD, folder.as_os_str()).ok()?;
    let mut left = MOST_ENTRIES;
    for seed in &seeds {
        // A cache that cannot be seeded is filled from scratch.
        let _ = seed.sow(&opened, &mut left);
    }
    let variables = variables(&folder, home, surroundings);
    Some(ToolCaches { folder, variables })
}

/// Returns the variables that direct tools to a folder and, if possible, to the person's own cache for reading.
fn variables(folder: &Path, home: &Path, surroundings: &Surroundings) -> Vec<(OsString, OsString)> {
    let at = |below: &str| folder.join(below).into_os_string();
    let mut found: Vec<(&str, OsString)> = vec![
        ("XDG_CACHE_HOME", at("xdg")),
        ("XDG_STATE_HOME", at("state")),
        ("CARGO_HOME", at("cargo")),
        ("npm_config_cache", at("npm")),
        // Its store is inside. npm warns about a setting of pnpm that it does not know itself.
        ("PNPM_HOME", at("pnpm")),
        ("YARN_GLOBAL_FOLDER", at("yarn")),
        ("BUN_INSTALL_CACHE_DIR", at("bun")),
        ("DENO_DIR", at("deno")),
        ("GRADLE_USER_HOME", at("gradle")),
        ("NUGET_PACKAGES", at("nuget")),
        ("DOTNET_CLI_HOME", at("dotnet")),
        ("BUNDLE_USER_HOME", at("bundle")),
        ("GOMODCACHE", at("go")),
        // Chromium keeps its profiles, with passwords, in the default folder.
        ("CHROME_CONFIG_HOME", at("chrome")),
    ];
    let gopath = surroundings.get("GOPATH").and_then(|paths| std::env::split_paths(paths).next());
    let downloads = gopath.unwrap_or_else(|| home.join("go")).join("pkg/mod/cache/download");
    if downloads.is_dir() {
        let further = surroundings
            .get("GOPROXY")
            .map_or("https://proxy.golang.org,direct".into(), OsStr::to_string_lossy);
        found.push(("GOPROXY", format!("file://{},{further}", downloads.display()).into()));
    }
    let dependencies = home.join(".gradle/caches");
    if dependencies.is_dir() {
        found.push(("GRADLE_RO_DEP_CACHE", dependencies.into()));
    }
    let mut maven = surroundings.get("MAVEN_OPTS").map(OsStr::to_os_string).unwrap_or_default();
    maven.push(" -Dmaven.repo.local=");
    maven.push(at("maven"));
    let repository = home.join(".m2/repository");
    if repository.is_dir() {
        maven.push(" -Dmaven.repo.local.tail=");
        maven.push(repository);
    }
    found.push(("MAVEN_OPTS", maven));
    found.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// A folder of the person whose entries are linked from Deputy's folder.
struct Seed {
    from: PathBuf,
    into: &'static str,
    /// The depth to which real folders are created; their entries are linked.
    deep: usize,
    /// Links only these entries; all if empty.
    only: &'static [&'static str],
}

impl Seed {
    /// Creates the links. Commands can write below `root`, so no link on the way is followed, and no existing entry is
    /// replaced.
    fn sow(&self, root: &OwnedFd, left: &mut usize) -> io::Result<()> {
        if !self.from.is_dir() {
            return Ok(());
        }
        let mut folder = root.try_clone()?;
        for part in Path::new(self.into) {
            folder = enter(&folder, part)?;
        }
        link_entries(&self.from, &folder, self.deep, self.only, left)
    }
}

fn link_entries(from: &Path, into: &OwnedFd, deep: usize, only: &[&str], left: &mut usize) -> io::Result<()> {
    for entry in from.read_dir()?.flatten() {
        let name = entry.file_name();
        if !only.is_empty() && !only.iter().any(|known| name == *known) {
            continue;
        }
        let Some(fewer) = left.checked_sub(1) else { return Ok(()) };
        *left = fewer;
        let is_folder = entry.file_type()?.is_dir();
        if is_folder && deep > 0 {
            link_entries(&entry.path(), &enter(into, &name)?, deep - 1, &[], left)?;
        } else if statat(into, name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW).is_err() {
            symlinkat(entry.path(), into, name.as_os_str())?;
        }
    }
    Ok(())
}

/// Opens a subfolder, and creates it if necessary. A link in its place is an error.
fn enter(folder: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    match mkdirat(folder, name, Mode::RWXU) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => open(folder, name),
        Err(error) => Err(error.into()),
    }
}

fn open(folder: impl std::os::fd::AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::empty())?)
}

/// Creates a folder, and its parents, that only its owner can access.
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn home_with_crates() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().canonicalize().unwrap();
        fs::create_dir_all(home.join(".cargo/registry/cache/index-1")).unwrap();
        fs::write(home.join(".cargo/registry/cache/index-1/a-1.0.0.crate"), "a").unwrap();
        fs::write(home.join(".cargo/credentials.toml"), "secret").unwrap();
        fs::write(home.join(".cargo/config.toml"), "").unwrap();
        (place, home)
    }

    #[test]
    fn what_the_person_has_is_there_to_read_and_what_is_added_is_not_theirs() {
        let (_place, home) = home_with_crates();
        let caches = prepare(&home, Path::new("/w"), &Surroundings::default()).unwrap();
        let crates = caches.folder.join("cargo/registry/cache/index-1");
        assert_eq!(fs::read_to_string(crates.join("a-1.0.0.crate")).unwrap(), "a");
        assert!(caches.folder.join("cargo/config.toml").is_symlink());
        assert!(!caches.folder.join("cargo/credentials.toml").exists());
        fs::write(crates.join("b-1.0.0.crate"), "b").unwrap();
        assert!(!home.join(".cargo/registry/cache/index-1/b-1.0.0.crate").exists());
        assert_ne!(prepare(&home, Path::new("/v"), &Surroundings::default()).unwrap().folder, caches.folder);
        assert_eq!(prepare(&home, Path::new("/w"), &Surroundings::default()).unwrap(), caches);
    }

    #[test]
    fn npm_knows_every_setting_that_it_is_given() {
        let (_place, home) = home_with_crates();
        let caches = prepare(&home, Path::new("/w"), &Surroundings::default()).unwrap();
        let names = caches.variables.iter().map(|(name, _)| name.to_str().unwrap());
        let of_npm: Vec<&str> = names.filter(|name| name.starts_with("npm_config_")).collect();
        assert_eq!(of_npm, ["npm_config_cache"]);
    }

    #[test]
    fn a_link_that_a_command_left_leads_nowhere() {
        let (_place, home) = home_with_crates();
        let caches = prepare(&home, Path::new("/w"), &Surroundings::default()).unwrap();
        let elsewhere = home.join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::remove_dir_all(caches.folder.join("cargo/registry/cache")).unwrap();
        std::os::unix::fs::symlink(&elsewhere, caches.folder.join("cargo/registry/cache")).unwrap();
        prepare(&home, Path::new("/w"), &Surroundings::default()).unwrap();
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
}
