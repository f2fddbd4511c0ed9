//! Caches for the tools of approved commands: a folder of Deputy's for each workspace, for downloads and build results.
//!
//! The person's own caches contain code that the person's builds run, so commands can read but never write them. What a
//! command adds goes to Deputy's folder, which only later approved commands in the same workspace use; a command could
//! influence those through the workspace anyway. See `docs/decisions/0023`.

use crate::user_shell::Surroundings;
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat, mkdirat, openat, renameat, statat, symlinkat, unlinkat,
};
use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The maximum number of entries of a person's cache that are linked or copied individually.
const MOST_ENTRIES: usize = 20_000;
/// The maximum size of a file that is copied. The index files of the largest crates have about 1 MB.
const MOST_COPIED_BYTES: u64 = 4 * 1024 * 1024;

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
    let is_of_rust = ["Cargo.toml", "Cargo.lock"].iter().any(|name| has_near_the_top(workspace, name));
    let seeds = [
        Seed { only: &["config.toml", "config", "bin", "env"], ..Seed::of(cargo.clone(), "cargo", 0) },
        // Cargo replaces the files of its index: with links, what it downloaded would be missing without the network.
        Seed { is_copied: is_of_rust, ..Seed::of(cargo.join("registry/index"), "cargo/registry/index", 4) },
        Seed::of(cargo.join("registry/cache"), "cargo/registry/cache", 1),
        Seed::of(cargo.join("registry/src"), "cargo/registry/src", 1),
        Seed::of(cargo.join("git/db"), "cargo/git/db", 0),
        Seed::of(cargo.join("git/checkouts"), "cargo/git/checkouts", 1),
        Seed::of(home.join(".gradle/wrapper/dists"), "gradle/wrapper/dists", 1),
        Seed::of(home.join(".gradle/init.d"), "gradle/init.d", 0),
        Seed::of(home.join(".cache/ms-playwright"), "xdg/ms-playwright", 0),
        Seed::of(home.join(".cache/puppeteer"), "xdg/puppeteer", 1),
        Seed::of(home.join(".cache/selenium"), "xdg/selenium", 0),
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

/// Returns whether a path below the folder of the caches, which need not exist, decides what later commands run: a
/// setting or a program instead of a download or a result.
pub(crate) fn decides(below: &Path) -> bool {
    const PLACES: &[&str] = &[
        "cargo/config",
        "cargo/config.toml",
        "cargo/env",
        "cargo/bin",
        "gradle/init.gradle",
        "gradle/init.gradle.kts",
        "gradle/init.d",
        "gradle/gradle.properties",
        "gradle/wrapper",
        "bundle/config",
        "bundle/plugin",
        "dotnet/tools",
        "dotnet/.dotnet/tools",
        "pnpm/.npmrc",
        "yarn/.yarnrc.yml",
    ];
    PLACES.iter().any(|place| below.starts_with(place))
}

/// A folder of the person whose entries are linked from Deputy's folder.
struct Seed {
    from: PathBuf,
    into: &'static str,
    /// The depth to which real folders are created; their entries are linked.
    deep: usize,
    /// Links only these entries; all if empty.
    only: &'static [&'static str],
    /// Copies files instead of linking them, and copies them again when the person's own file is newer.
    is_copied: bool,
}

impl Seed {
    fn of(from: PathBuf, into: &'static str, deep: usize) -> Self {
        Self { from, into, deep, only: &[], is_copied: false }
    }

    /// Creates the links and copies. Commands can write below `root`, so no link on the way is followed, and no existing
    /// file is replaced by a link.
    fn sow(&self, root: &OwnedFd, left: &mut usize) -> io::Result<()> {
        if !self.from.is_dir() {
            return Ok(());
        }
        let mut folder = root.try_clone()?;
        for part in Path::new(self.into) {
            folder = enter(&folder, part)?;
        }
        self.link_entries(&self.from, &folder, self.deep, left)
    }

    fn link_entries(&self, from: &Path, into: &OwnedFd, deep: usize, left: &mut usize) -> io::Result<()> {
        for entry in from.read_dir()?.flatten() {
            let name = entry.file_name();
            if deep == self.deep && !self.only.is_empty() && !self.only.iter().any(|known| name == *known) {
                continue;
            }
            let Some(fewer) = left.checked_sub(1) else { return Ok(()) };
            *left = fewer;
            let kind = entry.file_type()?;
            if kind.is_dir() && deep > 0 {
                self.link_entries(&entry.path(), &enter(into, &name)?, deep - 1, left)?;
            } else if self.is_copied && kind.is_file() && entry.metadata()?.len() <= MOST_COPIED_BYTES {
                copy_newer(&entry, into)?;
            } else if statat(into, name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW).is_err() {
                symlinkat(entry.path(), into, name.as_os_str())?;
            }
        }
        Ok(())
    }
}

/// Copies a file, unless the copy is at least as new. A link in its place is replaced.
fn copy_newer(entry: &DirEntry, into: &OwnedFd) -> io::Result<()> {
    let (name, meta) = (entry.file_name(), entry.metadata()?);
    let there = statat(into, name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW).ok();
    let is_file = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    if there.is_some_and(|stat| is_file(&stat) && stat.st_mtime >= meta.mtime()) {
        return Ok(());
    }
    // Written under another name first, because cargo reads at the same time.
    let unfinished = OsString::from(crate::ids::fresh('.'));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let made = openat(into, unfinished.as_os_str(), flags, Mode::RUSR | Mode::WUSR)?;
    let copied = File::open(entry.path())
        .and_then(|mut from| io::copy(&mut from, &mut File::from(made)))
        .and_then(|_| Ok(renameat(into, unfinished.as_os_str(), into, name.as_os_str())?));
    if copied.is_err() {
        let _ = unlinkat(into, unfinished.as_os_str(), AtFlags::empty());
    }
    copied
}

/// Returns whether a file with this name is in a folder or in one of its subfolders.
fn has_near_the_top(folder: &Path, name: &str) -> bool {
    let below = || folder.read_dir().into_iter().flatten().flatten().take(MOST_ENTRIES);
    folder.join(name).is_file() || below().any(|entry| entry.path().join(name).is_file())
}

/// Opens a subfolder, and creates it if necessary. A link in its place is removed.
fn enter(folder: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    let is_link = |stat: Stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
    if statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(is_link) {
        unlinkat(folder, name, AtFlags::empty())?;
    }
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
    fn the_index_of_a_rust_project_can_be_updated_and_takes_over_what_the_person_updates() {
        use std::time::{Duration, SystemTime};
        let (_place, home) = home_with_crates();
        let index = |home: &Path| home.join("registry/index/index-1/.cache/co/ns");
        let persons = index(&home.join(".cargo"));
        fs::create_dir_all(&persons).unwrap();
        fs::write(persons.join("const_format"), "1").unwrap();
        let workspace = home.join("project");
        fs::create_dir_all(workspace.join("tool")).unwrap();
        let prepare = || prepare(&home, &workspace, &Surroundings::default()).unwrap();
        // Earlier versions linked the last folder.
        let ours = index(&prepare().folder.join("cargo"));
        fs::remove_dir_all(&ours).unwrap();
        std::os::unix::fs::symlink(&persons, &ours).unwrap();

        fs::write(workspace.join("tool/Cargo.toml"), "").unwrap();
        prepare();
        assert_eq!(fs::read_to_string(ours.join("const_format")).unwrap(), "1");
        fs::write(ours.join("const_format"), "2").unwrap();
        fs::write(ours.join("constant"), "new").unwrap();
        prepare();
        assert_eq!(fs::read_to_string(ours.join("const_format")).unwrap(), "2");
        assert_eq!(fs::read_to_string(persons.join("const_format")).unwrap(), "1");
        assert!(!persons.join("constant").exists());

        fs::write(persons.join("const_format"), "3").unwrap();
        let later = SystemTime::now() + Duration::from_secs(10);
        File::options().write(true).open(persons.join("const_format")).unwrap().set_modified(later).unwrap();
        prepare();
        assert_eq!(fs::read_to_string(ours.join("const_format")).unwrap(), "3");
        assert_eq!(fs::read_dir(&ours).unwrap().count(), 2);
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
