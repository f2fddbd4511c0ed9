//! Checks whether a build would fetch dependencies: the lock file lists them and no cache contains them. In that case
//! the request says that the build uses the network. If everything is cached, the build runs without network access.

use crate::Situation;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The size of the largest lock file that is read, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Whether an argv in normal form builds something with dependencies that are missing on this machine.
pub(crate) fn fetches(situation: &Situation, normal: &[String], cwd: &Path) -> bool {
    let home = &situation.home;
    let [program, args @ ..] = normal else { return false };
    let has = |flags: &[&str]| args.iter().any(|arg| flags.contains(&arg.as_str()));
    match program.as_str() {
        "cargo" if !has(&["--offline", "--frozen"]) => {
            let verb = args.iter().find(|arg| !arg.starts_with(['-', '+']));
            const BUILDS: &[&str] = &[
                "build", "b", "check", "c", "test", "t", "run", "r", "clippy", "doc", "d", "bench", "rustc",
                "nextest", "fix", "tree", "metadata", "vendor", "package", "miri", "llvm-cov", "expand",
                "machete", "hack",
            ];
            verb.is_some_and(|verb| BUILDS.contains(&verb.as_str())) && crates_are_missing(situation, cwd)
        }
        "go" => {
            let verb = args.iter().find(|arg| !arg.starts_with('-'));
            const BUILDS: &[&str] = &["build", "run", "test", "vet", "list", "generate", "mod", "work"];
            verb.is_some_and(|verb| BUILDS.contains(&verb.as_str())) && modules_are_missing(cwd, home)
        }
        "mvn" | "mvnw" => !has(&["-o", "--offline", "--version", "-v", "--help", "-h"]),
        "gradle" | "gradlew" => !has(&["--offline", "--version", "-v", "--help", "-h"]),
        "dotnet" => has(&["build", "restore", "run", "test", "publish", "add"]) && !has(&["--no-restore"]),
        "sbt" | "lein" | "mix" | "cabal" | "stack" | "swift" => true,
        _ => false,
    }
}

fn nearest(cwd: &Path, name: &str) -> Option<PathBuf> {
    cwd.ancestors().map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn read(path: &Path) -> Option<String> {
    path.metadata().ok().filter(|meta| meta.len() <= MOST_BYTES)?;
    std::fs::read_to_string(path).ok()
}

/// Returns the folders in which tools keep their downloads: the user's own, and those that Deputy keeps for its
/// workspaces.
fn caches(home: &Path, own: &str, deputys: &str) -> Vec<PathBuf> {
    let mut found = vec![home.join(own)];
    let kept = home.join(".cache/deputy-tools").read_dir().into_iter().flatten().flatten();
    found.extend(kept.map(|entry| entry.path().join(deputys)));
    found
}

fn crates_are_missing(situation: &Situation, cwd: &Path) -> bool {
    let home = &situation.home;
    let Some(manifest) = nearest(cwd, "Cargo.toml") else { return false };
    let Some(lock) = nearest(cwd, "Cargo.lock").and_then(|lock| read(&lock)) else {
        return read(&manifest).is_some_and(|text| text.contains("dependencies"));
    };
    let mut kept = HashSet::new();
    let mut folders = caches(home, ".cargo/registry/cache", "cargo/registry/cache");
    folders.extend(situation.cargo_home.iter().map(|cargo| cargo.join("registry/cache")));
    for index in folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten() {
        let crates = index.path().read_dir().into_iter().flatten().flatten();
        kept.extend(crates.filter_map(|entry| entry.file_name().into_string().ok()));
    }
    let mut locked = HashSet::new();
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"'))
        };
        let (Some(name), Some(version)) = (field("name"), field("version")) else { continue };
        locked.insert(name);
        match field("source") {
            Some(source) if source.starts_with("git") => {
                let checkouts = home.join(".cargo/git/db");
                let repository = source.rsplit('/').next().unwrap_or(source);
                let repository =
                    repository.split(['?', '#']).next().unwrap_or(repository).trim_end_matches(".git");
                let is_kept = checkouts.read_dir().into_iter().flatten().flatten();
                let mut names = is_kept.filter_map(|entry| entry.file_name().into_string().ok());
                if !names.any(|name| name.starts_with(repository)) {
                    return true;
                }
            }
            Some(_) if !kept.contains(&format!("{name}-{version}.crate")) => return true,
            _ => {}
        }
    }
    read(&manifest).is_some_and(|text| declared(&text).any(|name| !locked.contains(name.as_str())))
}

/// Returns the names in the dependency tables of a manifest.
fn declared(manifest: &str) -> impl Iterator<Item = String> {
    let table: toml::Table = toml::from_str(manifest).unwrap_or_default();
    let mut names = Vec::new();
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        for (name, value) in table.get(kind).and_then(toml::Value::as_table).into_iter().flatten() {
            let renamed = value.get("package").and_then(toml::Value::as_str);
            let is_inherited = value.get("workspace").is_some();
            if !is_inherited {
                names.push(renamed.unwrap_or(name).to_owned());
            }
        }
    }
    names.into_iter()
}

fn modules_are_missing(cwd: &Path, home: &Path) -> bool {
    let Some(sums) = nearest(cwd, "go.mod").and_then(|file| read(&file)) else { return false };
    if nearest(cwd, "go.mod").is_some_and(|file| file.with_file_name("vendor").is_dir()) {
        return false;
    }
    let folders = caches(home, "go/pkg/mod/cache/download", "go/cache/download");
    let required = sums.lines().filter_map(|line| {
        let line = line.trim().trim_start_matches("require").trim();
        let (module, rest) = line.split_once(' ')?;
        let version = rest.split_whitespace().next().filter(|version| version.starts_with('v'))?;
        module.contains('.').then(|| (module.to_owned(), version.to_owned()))
    });
    let mut required = required.map(|(module, version)| {
        // Go encodes a capital letter as an exclamation mark and the small letter.
        let escaped: String = module
            .chars()
            .flat_map(|c| if c.is_uppercase() { vec!['!', c.to_ascii_lowercase()] } else { vec![c] })
            .collect();
        format!("{escaped}/@v/{version}.zip")
    });
    required.any(|zip| !folders.iter().any(|folder| folder.join(&zip).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn fetching(place: &Path, command: &str) -> bool {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let situation = Situation::new(place.join("home"), place.join("project"), place.join("deputy"));
        fetches(&situation, &words, &place.join("project"))
    }

    #[test]
    fn a_build_that_has_everything_needs_no_network() {
        let place = tempfile::tempdir().unwrap();
        let (project, home) = (place.path().join("project"), place.path().join("home"));
        let kept = home.join(".cargo/registry/cache/index");
        fs::create_dir_all(&kept).unwrap();
        fs::create_dir_all(&project).unwrap();
        fs::write(project.join("Cargo.toml"), "[package]\nname = \"p\"\n").unwrap();
        assert!(!fetching(place.path(), "cargo build"), "it has no dependencies");
        fs::write(project.join("Cargo.toml"), "[dependencies]\nsome-crate-of-nobody = \"1\"\n").unwrap();
        assert!(fetching(place.path(), "cargo build") && !fetching(place.path(), "cargo build --offline"));
        let lock = "[[package]]\nname = \"some-crate-of-nobody\"\nversion = \"1.0.0\"\nsource = \"registry+https://x\"\n";
        fs::write(project.join("Cargo.lock"), lock).unwrap();
        assert!(fetching(place.path(), "cargo test") && !fetching(place.path(), "cargo fmt"));
        fs::write(kept.join("some-crate-of-nobody-1.0.0.crate"), "").unwrap();
        assert!(!fetching(place.path(), "cargo test"));
        let more = "[dependencies]\nsome-crate-of-nobody = \"1\"\nanother = { version = \"2\" }\n";
        fs::write(project.join("Cargo.toml"), more).unwrap();
        assert!(fetching(place.path(), "cargo test"), "what is declared and not locked");
    }

    #[test]
    fn modules_are_looked_for_where_go_keeps_them() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path().join("project");
        fs::create_dir_all(&project).unwrap();
        fs::write(project.join("go.mod"), "module m\n\nrequire (\n\texample.com/Ab v1.2.3\n)\n").unwrap();
        assert!(fetching(place.path(), "go test ./..."));
        let kept = place.path().join("home/go/pkg/mod/cache/download/example.com/!ab/@v");
        fs::create_dir_all(&kept).unwrap();
        fs::write(kept.join("v1.2.3.zip"), "").unwrap();
        assert!(!fetching(place.path(), "go test ./...") && !fetching(place.path(), "go fmt"));
    }
}
