//! Secrets: recognized by name and by place, present or not; and the lists of what the walls hide and keep as it is.

use super::Operation;
use super::alike::Alike;
use super::certificates;
use super::content::{holds_credentials, is_worth_a_look};
use super::fold;
use super::guarded::{is_protected_file, is_protected_folder, protected};
use super::links;
use super::names;
use super::packed;
use super::places::{FROZEN, KEY_KINDS, OWN_HOME_PLACES, SYSTEM_PLACES, TRUST_STORES, USER_PLACES};
use super::resolve::real_folder;
use super::roots::Roots;
use super::walk::{Visit, walk};
use crate::Situation;
use crate::command::git::is_repository;
use crate::rules::Objections;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Phrase};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The most entries of a tree that are looked at to judge it as a whole.
const MAX_JUDGED: usize = 5_000;
/// The most entries of a root that are looked at for what a command must not see or change; seen from the top down.
pub(super) const MAX_WALKED: usize = 20_000;
/// Folders of dependencies and build results: large, and made by tools.
pub const HEAVY_FOLDERS: [&str; 5] = ["node_modules", "target", ".venv", "__pycache__", ".cache"];

/// Tells secrets from other files; made once where many paths are looked at.
pub struct Secrets {
    roots: Roots,
    /// Whether the user's rules may restrict reading further.
    ruled: Objections,
}

impl Secrets {
    /// For the folders of a situation.
    pub fn of(situation: &Situation) -> Self {
        Self { roots: Roots::of(situation), ruled: Objections::of(situation) }
    }

    /// The rule or remembered answer that restricts reading a file at a real path.
    pub(crate) fn ruled_out(&self, real: &Path) -> Option<(Decision, Phrase)> {
        let standing = self.ruled.against(Operation::Read, real)?;
        Some((standing.decision, standing.reason))
    }

    /// Whether what is at the real path, or would be, is a credential, private, or Deputy's own.
    pub fn holds(&self, real: &Path) -> bool {
        secret(&self.roots, real).is_some()
    }

    /// Whether a name below a folder is that of a secret, wherever the folder lies and whatever is there now.
    pub(crate) fn holds_inside(&self, folder: &Path, name: &str) -> bool {
        let name = Path::new(name);
        let listed = self.roots.listed();
        secret_name(&fold::path(name)).is_some()
            || (!listed.is_empty() && listed.holds(&fold::path(&folder.join(name))))
            || self.ruled_out(&folder.join(name)).is_some()
    }
}

/// Whether what is at the real path, or would be, is a credential, private, or Deputy's own.
pub fn is_secret(situation: &Situation, real: &Path) -> bool {
    Secrets::of(situation).holds(real)
}

/// As [`is_secret`], with the reason.
pub(super) fn secret(roots: &Roots, real: &Path) -> Option<Phrase> {
    let parts = fold::path(real);
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
    let below = roots.below_root(real).components().filter(is_name).count();
    let below = &parts[parts.len().saturating_sub(below)..];
    secret_place(roots, &parts)
        .or_else(|| if is_trust_store(&parts) { None } else { by_name(below, || Some(real.to_owned())) })
}

/// The verdict of the name patterns, unless the file contains only certificates.
fn by_name(parts: &[String], real: impl FnOnce() -> Option<PathBuf>) -> Option<Phrase> {
    let is_public = |name: &String| {
        certificates::may_be_named(name) && real().is_some_and(|real| certificates::is_certificate(&real))
    };
    secret_folder(parts).or_else(|| {
        let name = parts.last().filter(|name| is_secret_file(name))?;
        (!is_public(name)).then(|| say::file_named_holds_credentials(name))
    })
}

/// Whether it is one of the certificates of authorities that a system trusts, which programs read to reach any server.
fn is_trust_store(parts: &[String]) -> bool {
    let is_certificate =
        parts.last().is_some_and(|name| !name.ends_with(".key") && !name.contains("privkey"));
    is_certificate && TRUST_STORES.iter().any(|place| fold::is_at_or_below(parts, place))
}

/// Whether it is a credential by its name alone, as a project's own `.env` is, and not by the place it lies in.
pub(crate) fn is_secret_by_name_only(situation: &Situation, real: &Path) -> bool {
    let roots = Roots::of(situation);
    secret_place(&roots, &fold::path(real)).is_none()
        && is_secret_file(
            &real.file_name().map(|name| fold::name(&name.to_string_lossy())).unwrap_or_default(),
        )
        && real.parent().is_some_and(|folder| secret_name(&fold::path(roots.below_root(folder))).is_none())
}

pub(super) fn secret_place(roots: &Roots, parts: &[String]) -> Option<Phrase> {
    let is_at_home = |places: &[&str]| {
        roots.below_home(parts).any(|below| places.iter().any(|place| fold::is_at_or_below(below, place)))
    };
    if roots.is_own(parts) || is_at_home(OWN_HOME_PLACES) {
        return Some(say::deputy_own_data());
    }
    let names = names::secrets();
    if names.system.at_start(parts).is_some() {
        return Some(say::holds_credentials_system());
    }
    if roots.below_home(parts).any(|below| names.home.at_start(below).is_some()) {
        return Some(say::holds_credentials_private_data());
    }
    if roots.listed().holds(parts) {
        return Some(say::your_own_list_secrets());
    }
    None
}

/// Whether what is at the real path is the user's own to show, secret or not: not Deputy's, not the system's, and not
/// in the list of what the user keeps from everybody.
pub(super) fn is_the_users(roots: &Roots, real: &Path) -> bool {
    let parts = fold::path(real);
    let is_deputys = roots.is_own(&parts)
        || roots
            .below_home(&parts)
            .any(|below| OWN_HOME_PLACES.iter().any(|place| fold::is_at_or_below(below, place)));
    !is_deputys && names::secrets().system.at_start(&parts).is_none() && !roots.listed().holds(&parts)
}

/// Whether the path text itself names a secret, wherever it leads; certificates excepted.
pub(super) fn secret_text(text: &str, real: impl FnOnce() -> Option<PathBuf>) -> Option<Phrase> {
    by_name(&fold::path(Path::new(text)), real)
}

/// Whether the folded names below a root, or in a repository, lead to credentials.
fn secret_name(parts: &[String]) -> Option<Phrase> {
    by_name(parts, || None)
}

/// Whether they lie in a folder that is secret in any location.
fn secret_folder(parts: &[String]) -> Option<Phrase> {
    let names = names::secrets();
    if let Some(folder) = parts.iter().find(|part| names.folders.contains(part.as_str())) {
        return Some(say::holds_credentials(folder));
    }
    let place = names.anywhere.inside(parts)?;
    Some(say::holds_credentials_private_data_2(place.join("/")))
}

pub(super) fn is_secret_file(name: &str) -> bool {
    if name.starts_with(".env") {
        return name != ".env.example";
    }
    let names = names::secrets();
    let is_one =
        |name: &str| (names.files.holds_data(name) || is_private_key_name(name)) && !names.except.holds(name);
    is_one(name) || without_copy_mark(name).is_some_and(is_secret_file)
}

/// The original name of a compressed or backup copy.
fn without_copy_mark(name: &str) -> Option<&str> {
    const MARKS: [&str; 14] = [
        ".bak", ".backup", ".bz2", ".copy", ".gz", ".lz4", ".old", ".orig", ".save", ".swp", ".xz", ".zip",
        ".zst", "~",
    ];
    MARKS.iter().find_map(|mark| name.strip_suffix(mark)).filter(|rest| !rest.is_empty())
}

/// Why a file of that name may hold credentials, where a project's own tools read it and so it is not kept from them.
pub(super) fn likely_secret(name: &str) -> Option<Phrase> {
    let name = fold::name(name);
    let names = names::secrets();
    (names.likely.holds(&name) && !names.except.holds(&name)).then(|| say::file_named_often_holds(name))
}

/// `id_rsa`, `id_anything`, `id_ed25519.bak`, but not `id_rsa.pub`, `id_rsa-howto.md` or `id_list.py`.
fn is_private_key_name(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("id_") else { return false };
    match rest.split_once('.') {
        None => true,
        Some((stem, ending)) => {
            KEY_KINDS.contains(&stem) && !matches!(ending, "pub" | "md" | "rst" | "adoc" | "html")
        }
    }
}

/// Why the real path is no user's to tidy, if it belongs to the operating system.
pub fn system_place(real: &Path) -> Option<Phrase> {
    let parts = fold::path(real);
    let is_at = |places: &[&str]| places.iter().any(|place| fold::is_at_or_below(&parts, place));
    (is_at(SYSTEM_PLACES) && !is_at(USER_PLACES)).then(say::belongs_system)
}

/// As [`system_place`], except for the user's home, which that of a service's user may lie in.
pub(super) fn system(roots: &Roots, real: &Path) -> Option<Phrase> {
    let parts = fold::path(real);
    if roots.below_home(&parts).next().is_some() { None } else { system_place(real) }
}

/// What keeps the tree below `top` from being moved, copied or removed as a whole; being too large to look through does.
pub(super) fn in_tree(roots: &Roots, top: &Path) -> Option<Phrase> {
    let mut reason = None;
    let is_complete = walk(top, MAX_JUDGED, |path, kind, _| {
        reason = protected(roots, path)
            .or_else(|| secret(roots, path))
            .or_else(|| kind.is_symlink().then(say::is_link))
            .or_else(|| (!kind.is_file() && !kind.is_dir()).then(say::not_file))
            .map(|reason| say::contains(path.display(), reason));
        if reason.is_some() { Visit::Stop } else { Visit::Enter }
    });
    reason.or_else(|| (!is_complete).then(say::folder_too_large_look))
}

/// Secret files and folders that exist now, by their absolute real paths, for the sandbox to hide.
pub fn secrets(situation: &Situation) -> Vec<PathBuf> {
    let home = real_folder(&situation.home);
    let roots = Roots::of(situation);
    let mut alike = Alike::default();
    let mut places: Vec<PathBuf> = [real_folder(&situation.deputy_home)].into();
    let names = names::secrets();
    let in_home = names.home.written().chain(OWN_HOME_PLACES.iter().copied()).chain(names.files.exact());
    for place in in_home {
        places.extend(alike.of(&home, Path::new(place)));
    }
    places.extend(names.system.written().map(PathBuf::from));
    for (base, below) in roots.listed().named() {
        places.extend(alike.of(base, below));
    }
    let mut searched = Vec::new();
    for (base, below) in roots.listed().searched() {
        searched.extend(alike.of(base, below));
    }
    searched.sort();
    searched.dedup();
    for root in roots.readable().iter().cloned().chain(searched) {
        walk(&root, MAX_WALKED, |path, kind, _| {
            let name = path.file_name().map(|name| fold::name(&name.to_string_lossy())).unwrap_or_default();
            // As a path is judged, by its whole way below the root: `.docker/config.json` is a secret, `config.json` is not.
            if secret(&roots, path).is_some() {
                places.push(path.to_owned());
                return Visit::Skip;
            }
            let is_heavy = kind.is_dir() && HEAVY_FOLDERS.contains(&name.as_str());
            if is_heavy || name == ".git" { Visit::Skip } else { Visit::Enter }
        });
    }
    let mut found: Vec<PathBuf> =
        places.into_iter().filter_map(|place| fs::canonicalize(place).ok()).collect();
    // A link named like a secret that leads to a folder above would hide the whole workspace.
    found.retain(|place| !roots.holds_root(place));
    found.extend(links::of_hidden(roots.readable(), &found));
    found.sort();
    // What lies below a hidden folder is hidden with it.
    found.dedup_by(|later, earlier| later.starts_with(&*earlier));
    found
}

/// Files that likely hold secrets, by name or by what they hold, in the folders of a situation: what asks before it is read by
/// name. For the sandbox to hide from what runs without a person, which may come upon them in a folder.
pub fn likely_secrets(situation: &Situation) -> Vec<PathBuf> {
    const MOST_LOOKS: usize = 64;
    packed::begin();
    let roots = Roots::of(situation);
    let (mut found, mut looks) = (Vec::new(), 0);
    for root in roots.readable() {
        walk(root, MAX_WALKED, |path, kind, _| {
            // What certainly is one is hidden from every command, and is not looked into.
            if secret(&roots, path).is_some() {
                return Visit::Skip;
            }
            let name = path.file_name().map(|name| fold::name(&name.to_string_lossy())).unwrap_or_default();
            if kind.is_file() {
                let is_looked_at = looks < MOST_LOOKS && is_worth_a_look(path);
                looks += usize::from(is_looked_at);
                if likely_secret(&name).is_some() || is_looked_at && holds_credentials(path) {
                    found.extend(fs::canonicalize(path));
                }
            }
            let is_heavy = kind.is_dir() && HEAVY_FOLDERS.contains(&name.as_str());
            if is_heavy || name == ".git" { Visit::Skip } else { Visit::Enter }
        });
    }
    found.extend(links::of_hidden(roots.readable(), &found));
    found.sort();
    found.dedup();
    found
}

/// What stays read-only for commands inside a writable workspace, present or not: configuration and hooks of git,
/// editors' task files, Deputy's folder, also those of repositories below it.
pub fn frozen(workspace: &Path) -> Vec<PathBuf> {
    let is_git_file = workspace.join(".git").is_file();
    let mut frozen: Vec<PathBuf> = FROZEN
        .iter()
        // In a linked work tree `.git` is a file that names the repository: it is frozen itself.
        .map(|place| if is_git_file && place.starts_with(".git/") { ".git" } else { place })
        .map(|place| workspace.join(place))
        .collect();
    if is_repository(workspace) {
        // A bare repository, opened to one call.
        let decides = ["config", "config.worktree", "hooks", "info/attributes", "objects/info/alternates"];
        frozen.extend(decides.map(|place| workspace.join(place)));
    }
    walk(workspace, MAX_WALKED, |path, kind, _| {
        let name = path.components().next_back().and_then(|component| match component {
            Component::Normal(name) => Some(fold::name(&name.to_string_lossy())),
            _ => None,
        });
        let name = name.unwrap_or_default();
        if name == ".git" && path.parent() != Some(workspace) {
            if kind.is_dir() {
                frozen.extend(["config", "config.worktree", "hooks"].map(|place| path.join(place)));
            } else {
                frozen.push(path.to_owned());
            }
        } else if is_protected_folder(&name) && name != ".git" || is_protected_file(&name) {
            frozen.push(path.to_owned());
            return Visit::Skip;
        }
        let is_heavy = kind.is_dir() && HEAVY_FOLDERS.contains(&name.as_str());
        if is_heavy || name == ".git" { Visit::Skip } else { Visit::Enter }
    });
    frozen.sort();
    frozen.dedup();
    frozen
}
