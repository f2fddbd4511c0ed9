//! Places that make other programs run code. They are recognized by name and location in every repository and folder,
//! whether they exist or not.
//!
//! A change that a task requests by path is checked with [`protected_write`], which covers the whole of `.git`. A
//! command that the user approved may work inside git's folder, so the walls check it with [`guarded`], which permits
//! git's own changes.

use super::fold;
use super::named_by_git::NamedByGit;
use super::names;
use super::roots::Roots;
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::Path;

/// The names of a git folder.
const GIT_FOLDERS: [&str; 2] = [".git", "git~1"];

/// Recognizes places from which other programs run code. Create it once to check many paths.
pub struct Guards {
    roots: Roots,
    named: NamedByGit,
}

impl Guards {
    /// Creates the guards for the folders of a situation.
    pub fn of(situation: &Situation) -> Self {
        Self { roots: Roots::of(situation), named: NamedByGit::default() }
    }

    /// Returns the reason why a command inside the walls may not change the real path, which may or may not exist.
    /// `is_folder` is whether it is or becomes a folder.
    pub fn stop(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        let below = fold::path(self.roots.below_root(real));
        at_home(&self.roots, real)
            .or_else(|| in_git(&below))
            .or_else(|| by_name(&below, |folder| !GIT_FOLDERS.contains(&folder)))
            .or_else(|| in_bare(real))
            .or_else(|| self.named.hold(&self.roots, real, is_folder))
    }
}

/// Returns the reason why a command inside the walls may not change the real path, which may or may not exist:
/// another program would later run its content as code. Git's own work (objects, references, the index, logs) is not
/// guarded.
pub fn guarded(situation: &Situation, real: &Path) -> Option<Phrase> {
    Guards::of(situation).stop(real, real.is_dir())
}

/// Returns the reason if writing to the real path would make another program run code.
pub fn protected_write(situation: &Situation, real: &Path) -> Option<Phrase> {
    protected_at(&Roots::of(situation), real)
}

/// Whether other machines run the content of the real path after it is pushed.
pub(crate) fn runs_elsewhere(situation: &Situation, real: &Path) -> bool {
    let roots = Roots::of(situation);
    names::guarded().pushed.inside(&fold::path(roots.below_root(real))).is_some()
}

/// Whether the tools of a project run a file with this name, by a person's hand or on other machines.
pub fn runs_later(real: &Path) -> bool {
    let parts = fold::path(real);
    let names = names::guarded();
    parts.last().is_some_and(|name| names.later.holds(name)) || names.pushed.inside(&parts).is_some()
}

/// Like [`protected_write`].
pub(super) fn protected_at(roots: &Roots, real: &Path) -> Option<Phrase> {
    let is_folder = real.is_dir();
    protected(roots, real)
        .or_else(|| in_bare(real))
        .or_else(|| NamedByGit::default().hold(roots, real, is_folder))
}

/// Like [`protected_write`], but checks only the name and the location.
pub(super) fn protected(roots: &Roots, real: &Path) -> Option<Phrase> {
    at_home(roots, real).or_else(|| protected_name(&fold::path(roots.below_root(real))))
}

/// Returns the reason if the text itself names something protected, regardless of where the path leads.
pub(super) fn protected_text(situation: &Situation, roots: &Roots, text: &str) -> Option<Phrase> {
    let path = Path::new(text);
    let rest = path.strip_prefix(&situation.workspace).unwrap_or_else(|_| roots.below_root(path));
    protected_name(&fold::path(rest))
}

fn protected_name(parts: &[String]) -> Option<Phrase> {
    by_name(parts, |_| true)
}

/// Whether a folder with this name is protected as a whole. `.git` is, except for the files that git changes itself.
pub(super) fn is_protected_folder(name: &str) -> bool {
    names::guarded().folders.contains(name)
}

/// Whether a file with this name is protected.
pub(super) fn is_protected_file(name: &str) -> bool {
    names::guarded().files.contains(name)
}

pub(super) fn at_home(roots: &Roots, real: &Path) -> Option<Phrase> {
    let parts = fold::path(real);
    let home = &names::guarded().home;
    roots
        .below_home(&parts)
        .any(|below| home.at_start(below).is_some())
        .then(say::programs_started_found_there)
}

fn by_name(parts: &[String], counts: impl Fn(&str) -> bool) -> Option<Phrase> {
    let names = names::guarded();
    let is_folder = |part: &&String| names.folders.contains(part.as_str()) && counts(part);
    if let Some(folder) = parts.iter().find(is_folder) {
        return Some(say::what_lies_makes_other(folder));
    }
    if let Some(place) = names.anywhere.inside(parts) {
        return Some(say::makes_other_programs_run(place.join("/")));
    }
    let name = parts.last()?;
    names.files.contains(name.as_str()).then(|| say::makes_other_programs_run(name))
}

/// Returns the reason if the path is a part of a git folder that determines which programs git runs, or which
/// repository git uses.
fn in_git(parts: &[String]) -> Option<Phrase> {
    let git = &names::guarded().git;
    let is_git = |part: &String| GIT_FOLDERS.contains(&part.as_str());
    parts.iter().enumerate().filter(|(_, part)| is_git(part)).find_map(|(at, part)| {
        let inside = &parts[at + 1..];
        // The `.git` entry itself: a file with this name refers to another repository, and a folder that is moved
        // there becomes one.
        let what =
            if inside.is_empty() { Some(part.clone()) } else { git.at_start(inside).map(|it| it.join("/")) };
        what.map(say::repository_makes_git_run)
    })
}

/// Returns the reason if git would take the folder of the path for a repository, by whatever name, and the path
/// determines which programs git runs there, or would complete such a repository.
fn in_bare(real: &Path) -> Option<Phrase> {
    let git = &names::guarded().git;
    let parts = fold::path(real);
    if parts.iter().any(|part| GIT_FOLDERS.contains(&part.as_str())) {
        return None;
    }
    let is_decided = real.ancestors().skip(1).zip(1..).any(|(folder, depth)| {
        let inside = &parts[parts.len().saturating_sub(depth)..];
        let has = |name: &str| {
            folder.join(name).symlink_metadata().is_ok() || inside == [name.to_ascii_lowercase()]
        };
        // A folder with `commondir` has its objects and its settings elsewhere.
        let is_repository = || has("HEAD") && (has("commondir") || has("objects") && has("refs"));
        if git.at_start(inside).is_some() {
            return is_repository();
        }
        let completes = matches!(inside, [name] if ["head", "objects", "refs"].contains(&name.as_str()));
        let decides = || ["config", "config.worktree", "hooks", "commondir"].into_iter().any(has);
        completes && real.symlink_metadata().is_err() && is_repository() && decides()
    });
    is_decided.then(say::bare_repository_makes_git_run)
}
