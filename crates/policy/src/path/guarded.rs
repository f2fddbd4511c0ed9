//! What makes other programs run code: recognized by name and by place, present or not, in every repository and folder.
//!
//! A change that a task asks for by path is held against [`protected_write`], which covers a whole `.git`. A command that a
//! person approved works inside of git's folder, so the walls hold it to [`guarded`], which leaves git what git changes.

use super::fold;
use super::hooks::Hooks;
use super::names;
use super::roots::Roots;
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::Path;

/// Names by which a git folder is known.
const GIT_FOLDERS: [&str; 2] = [".git", "git~1"];

/// Tells places that other programs run code from; made once where many paths are looked at.
pub struct Guards {
    roots: Roots,
    hooks: Hooks,
}

impl Guards {
    /// For the folders of a situation.
    pub fn of(situation: &Situation) -> Self {
        Self { roots: Roots::of(situation), hooks: Hooks::default() }
    }

    /// Why a command inside of the walls may not change what is at the real path, or would be.
    pub fn stop(&self, real: &Path) -> Option<Phrase> {
        let below = fold::path(self.roots.below_root(real));
        at_home(&self.roots, real)
            .or_else(|| in_git(&below))
            .or_else(|| by_name(&below, |folder| !GIT_FOLDERS.contains(&folder)))
            .or_else(|| self.hooks.hold(&self.roots, real))
    }
}

/// Why a command inside of the walls may not change what is at the real path, or would be: another program would run
/// it as code later. Git's own work (objects, references, the index, logs) is not among it.
pub fn guarded(situation: &Situation, real: &Path) -> Option<Phrase> {
    Guards::of(situation).stop(real)
}

/// Why writing to the real path would make another program run code, if it would.
pub fn protected_write(situation: &Situation, real: &Path) -> Option<Phrase> {
    protected_and_hooks(&Roots::of(situation), real)
}

/// Whether other machines run what is at the real path once it is pushed.
pub(crate) fn runs_elsewhere(situation: &Situation, real: &Path) -> bool {
    let roots = Roots::of(situation);
    names::guarded().pushed.inside(&fold::path(roots.below_root(real))).is_some()
}

/// As [`protected_write`].
pub(super) fn protected_and_hooks(roots: &Roots, real: &Path) -> Option<Phrase> {
    protected(roots, real).or_else(|| Hooks::default().hold(roots, real))
}

/// As [`protected_write`], by name and place alone.
pub(super) fn protected(roots: &Roots, real: &Path) -> Option<Phrase> {
    at_home(roots, real).or_else(|| protected_name(&fold::path(roots.below_root(real))))
}

/// Whether the text itself names something protected, whatever it leads to.
pub(super) fn protected_text(situation: &Situation, roots: &Roots, text: &str) -> Option<Phrase> {
    let path = Path::new(text);
    let rest = path.strip_prefix(&situation.workspace).unwrap_or_else(|_| roots.below_root(path));
    protected_name(&fold::path(rest))
}

fn protected_name(parts: &[String]) -> Option<Phrase> {
    by_name(parts, |_| true)
}

/// Whether a name of a folder is protected as a whole, `.git` but for what git changes itself.
pub(super) fn is_protected_folder(name: &str) -> bool {
    names::guarded().folders.contains(name)
}

/// Whether a name of a file is protected.
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

/// What of a git folder decides which programs git runs, or which repository it takes for its own.
fn in_git(parts: &[String]) -> Option<Phrase> {
    let git = &names::guarded().git;
    let is_git = |part: &String| GIT_FOLDERS.contains(&part.as_str());
    parts.iter().enumerate().filter(|(_, part)| is_git(part)).find_map(|(at, part)| {
        let inside = &parts[at + 1..];
        // The name itself: a file there names another repository, and a folder moved there is one.
        let what =
            if inside.is_empty() { Some(part.clone()) } else { git.at_start(inside).map(|it| it.join("/")) };
        what.map(say::repository_makes_git_run)
    })
}
