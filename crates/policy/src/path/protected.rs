//! Secrets, and files that make other programs run code: recognised by name and by place, present or not.

use super::alike::Alike;
use super::fold;
use super::links;
use super::places::{
    FROZEN, KEY_KINDS, OWN_HOME_PLACES, PROTECTED_FILES, PROTECTED_FOLDERS, PROTECTED_HOME_PLACES,
    SECRET_ENDINGS, SECRET_FILES, SECRET_FOLDERS, SECRET_FRAMES, SECRET_HOME_PLACES, SECRET_SYSTEM_PLACES,
    SYSTEM_PLACES, USER_PLACES,
};
use super::resolve::real_folder;
use super::roots::Roots;
use super::walk::{Visit, walk};
use crate::Situation;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The most entries of a tree that are looked at to judge it as a whole.
const MAX_JUDGED: usize = 5_000;
/// The most entries of a root that are looked at for what a command must not see or change; seen from the top down.
pub(super) const MAX_WALKED: usize = 20_000;
/// Folders of dependencies and build results: large, and made by tools.
const HEAVY_FOLDERS: [&str; 5] = ["node_modules", "target", ".venv", "__pycache__", ".cache"];

/// Tells secrets from other files; made once where many paths are looked at.
pub struct Secrets {
    roots: Roots,
}

impl Secrets {
    /// For the folders of a situation.
    pub fn of(situation: &Situation) -> Self {
        Self { roots: Roots::of(situation) }
    }

    /// Whether what stands at the real path, or would, is a credential, private, or Deputy's own.
    pub fn holds(&self, real: &Path) -> bool {
        secret(&self.roots, real).is_some()
    }

    /// Whether a name below a folder is that of a secret, wherever the folder lies and whatever stands there now.
    pub(crate) fn holds_inside(&self, folder: &Path, name: &str) -> bool {
        let name = Path::new(name);
        let listed = self.roots.listed();
        secret_name(&fold::path(name)).is_some()
            || (!listed.is_empty() && listed.holds(&fold::path(&folder.join(name))))
    }
}

/// Whether what stands at the real path, or would, is a credential, private, or Deputy's own.
pub fn is_secret(situation: &Situation, real: &Path) -> bool {
    Secrets::of(situation).holds(real)
}

/// As [`is_secret`], with the reason.
pub(super) fn secret(roots: &Roots, real: &Path) -> Option<String> {
    let parts = fold::path(real);
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
    let below = roots.below_root(real).components().filter(is_name).count();
    secret_place(roots, &parts).or_else(|| secret_name(&parts[parts.len().saturating_sub(below)..]))
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

fn secret_place(roots: &Roots, parts: &[String]) -> Option<String> {
    let is_at_home = |places: &[&str]| {
        roots.below_home(parts).any(|below| places.iter().any(|place| fold::is_at_or_below(below, place)))
    };
    if roots.is_own(parts) || is_at_home(OWN_HOME_PLACES) {
        return Some("it is Deputy's own data".to_owned());
    }
    if SECRET_SYSTEM_PLACES.iter().any(|place| fold::is_at_or_below(parts, place)) {
        return Some("it holds credentials of the system".to_owned());
    }
    if is_at_home(SECRET_HOME_PLACES) {
        return Some("it holds credentials or private data of the user".to_owned());
    }
    if roots.listed().holds(parts) {
        return Some("it is in your own list of secrets".to_owned());
    }
    None
}

/// Whether the text itself names a secret, whatever it leads to.
pub(super) fn secret_text(text: &str) -> Option<String> {
    secret_name(&fold::path(Path::new(text)))
}

/// Whether the folded names below a root, or in a repository, lead to credentials.
fn secret_name(parts: &[String]) -> Option<String> {
    if let Some(folder) = parts.iter().find(|part| SECRET_FOLDERS.contains(&part.as_str())) {
        return Some(format!("`{folder}` holds credentials"));
    }
    let is_copied_home = |place: &&&str| {
        place.starts_with('.')
            && (0..parts.len())
                .any(|at| parts[at].starts_with('.') && fold::is_at_or_below(&parts[at..], place))
    };
    if let Some(place) = SECRET_HOME_PLACES.iter().find(is_copied_home) {
        return Some(format!("`{place}` holds credentials or private data"));
    }
    let name = parts.last()?;
    is_secret_file(name).then(|| format!("a file named `{name}` holds credentials"))
}

fn is_secret_file(name: &str) -> bool {
    if name.starts_with(".env") {
        return name != ".env.example";
    }
    SECRET_FILES.contains(&name)
        || SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || SECRET_FRAMES.iter().any(|(start, end)| name.starts_with(start) && name.ends_with(end))
        || is_private_key_name(name)
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

/// Why writing to the real path would make another program run code, if it would.
pub fn protected_write(situation: &Situation, real: &Path) -> Option<String> {
    protected(&Roots::of(situation), real)
}

/// As [`protected_write`].
pub(super) fn protected(roots: &Roots, real: &Path) -> Option<String> {
    let parts = fold::path(real);
    let is_at_home =
        |below: &[String]| PROTECTED_HOME_PLACES.iter().any(|place| fold::is_at_or_below(below, place));
    if roots.below_home(&parts).any(is_at_home) {
        return Some("programs are started or found from there".to_owned());
    }
    protected_name(&fold::path(roots.below_root(real)))
}

/// Why the real path is no user's to tidy, if it belongs to the operating system.
pub fn system_place(real: &Path) -> Option<String> {
    let parts = fold::path(real);
    let is_at = |places: &[&str]| places.iter().any(|place| fold::is_at_or_below(&parts, place));
    (is_at(SYSTEM_PLACES) && !is_at(USER_PLACES)).then(|| "it belongs to the system".to_owned())
}

/// As [`system_place`], except for the user's home, which that of a service's user may lie in.
pub(super) fn system(roots: &Roots, real: &Path) -> Option<String> {
    let parts = fold::path(real);
    if roots.below_home(&parts).next().is_some() { None } else { system_place(real) }
}

/// Whether the text itself names something protected, whatever it leads to.
pub(super) fn protected_text(situation: &Situation, roots: &Roots, text: &str) -> Option<String> {
    let path = Path::new(text);
    let rest = path.strip_prefix(&situation.workspace).unwrap_or_else(|_| roots.below_root(path));
    protected_name(&fold::path(rest))
}

fn protected_name(parts: &[String]) -> Option<String> {
    if let Some(folder) = parts.iter().find(|part| PROTECTED_FOLDERS.contains(&part.as_str())) {
        return Some(format!("what lies in `{folder}` makes other programs run code"));
    }
    let name = parts.last()?;
    PROTECTED_FILES.contains(&name.as_str()).then(|| format!("`{name}` makes other programs run code"))
}

/// What keeps the tree below `top` from being moved, copied or removed as a whole; being too large to look through does.
pub(super) fn in_tree(roots: &Roots, top: &Path) -> Option<String> {
    let mut reason = None;
    let is_complete = walk(top, MAX_JUDGED, |path, kind, _| {
        reason = protected(roots, path)
            .or_else(|| secret(roots, path))
            .or_else(|| kind.is_symlink().then(|| "it is a link".to_owned()))
            .or_else(|| (!kind.is_file() && !kind.is_dir()).then(|| "it is not a file".to_owned()))
            .map(|reason| format!("it contains {}: {reason}", path.display()));
        if reason.is_some() { Visit::Stop } else { Visit::Enter }
    });
    reason.or_else(|| (!is_complete).then(|| "the folder is too large to look through".to_owned()))
}

/// Secret files and folders that exist now, by their absolute real paths, for the sandbox to hide.
pub fn secrets(situation: &Situation) -> Vec<PathBuf> {
    let home = real_folder(&situation.home);
    let roots = Roots::of(situation);
    let mut alike = Alike::default();
    let mut places: Vec<PathBuf> = [real_folder(&situation.deputy_home)].into();
    for place in SECRET_HOME_PLACES.iter().chain(OWN_HOME_PLACES).chain(SECRET_FILES) {
        places.extend(alike.of(&home, Path::new(place)));
    }
    places.extend(SECRET_SYSTEM_PLACES.iter().map(PathBuf::from));
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
        } else if PROTECTED_FOLDERS.contains(&name.as_str()) && name != ".git"
            || PROTECTED_FILES.contains(&name.as_str())
        {
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
