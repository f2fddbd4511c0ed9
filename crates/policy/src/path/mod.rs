//! Paths: where a path leads, whether it is within bounds, and whether it is a secret or makes other programs run
//! code.
//!
//! A path is taken literally, without expansion or decoding. It is resolved the way the kernel does it at this
//! moment, and is then checked against the floor, the task's scope and the roots. Judging reads the file system and
//! changes nothing.

mod alike;
mod bounds;
mod certificates;
mod content;
pub(crate) mod fold;
mod git_history;
mod guarded;
mod home;
mod links;
mod listed;
mod named_by_git;
mod names;
mod object;
mod openable;
mod packed;
mod places;
mod protected;
mod resolve;
mod roots;
mod scope;
mod setting_names;
mod temporary;
mod text;
mod transfer;
mod walk;
mod walled;

pub use alike::twin;
pub use bounds::Bounds;
pub use git_history::{forged_reference, is_git_history};
pub use guarded::{Guards, guarded, protected_write, runs_later};
pub use home::{hidden_in_home, is_of_tools};
pub use listed::{PatternError, SecretPattern};
pub use named_by_git::without_dots;
pub use openable::{Openable, openable};
pub use protected::{HEAVY_FOLDERS, Secrets, frozen, is_secret, likely_secrets, secrets, system_place};
pub use scope::{OutOfScope, TAGS_ATTRIBUTE, in_scope, tags};
pub use setting_names::setting_names;
pub use temporary::{shown_as_temporary, temporary};
pub(crate) use text::can_be_shown;
pub use transfer::{Transfer, judge_transfer};
pub use walled::{Walled, is_yet_to_replay};

pub(crate) use content::{holds_credentials, is_worth_a_look};
pub(crate) use guarded::runs_elsewhere;
pub(crate) use names::{GuardedSource, SecretSource};
pub(crate) use packed::begin as begin_unpacking;
pub(crate) use protected::is_secret_by_name_only;
pub(crate) use resolve::real_folder;
pub(crate) use setting_names::is_settings_file;
pub(crate) use text::windows_meaning;
pub(crate) use transfer::examine_transfer;

use crate::Situation;
use crate::rules::{Objections, Standing};
use crate::unseen::escape;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk};
use resolve::{Last, Resolved, Unresolved, resolve};
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// An operation on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Reads a file.
    Read,
    /// Lists a folder, or walks the tree below it.
    List,
    /// Creates a file, or changes its content.
    Write,
    /// Removes a file, or a folder with all of its content.
    Delete,
    /// Creates something at a path that does not exist yet.
    Create,
}

impl Operation {
    /// Whether the operation changes anything.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Write | Self::Delete | Self::Create)
    }

    fn last(self) -> Last {
        if self == Self::Delete { Last::Keep } else { Last::Follow }
    }
}

/// A path that is within bounds: nothing about it needs a separate decision.
#[derive(Debug)]
pub(crate) struct Found {
    /// The real path.
    pub(crate) real: PathBuf,
    /// Whether the path exists.
    pub(crate) is_present: bool,
}

/// A path that is not within bounds, or that must not be touched.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) decision: Decision,
    pub(crate) risk: Risk,
    pub(crate) reason: Phrase,
    /// The real path, if it is known.
    pub(crate) real: Option<PathBuf>,
    /// Whether it is refused because it is a secret.
    is_secret: bool,
}

impl Refused {
    fn deny(risk: Risk, reason: impl Into<Phrase>) -> Self {
        Self { decision: Decision::Deny, risk, reason: reason.into(), real: None, is_secret: false }
    }

    fn ask(risk: Risk, reason: impl Into<Phrase>) -> Self {
        Self { decision: Decision::Ask, risk, reason: reason.into(), real: None, is_secret: false }
    }

    fn secret(reason: Phrase) -> Self {
        Self { is_secret: true, ..Self::deny(Risk::High, reason) }
    }

    /// Returns the refusal for a rule or remembered answer that denies or asks.
    fn of(standing: Standing) -> Self {
        match standing.decision {
            Decision::Deny => Self::deny(Risk::Medium, standing.reason),
            _ => Self::ask(Risk::Low, standing.reason),
        }
    }

    fn is_denied(&self) -> bool {
        self.decision == Decision::Deny
    }

    fn at(self, real: &Path) -> Self {
        Self { real: Some(real.to_owned()), ..self }
    }
}

/// Judges a path relative to the situation's working directory.
pub fn judge(situation: &Situation, operation: Operation, text: &str) -> Part {
    judge_from(situation, &situation.cwd, operation, text)
}

/// Judges a path relative to `cwd`. Reading inside the roots is allowed; a change there asks with low risk. A rule or
/// a grant must not lift a part that asks with high risk.
pub fn judge_from(situation: &Situation, cwd: &Path, operation: Operation, text: &str) -> Part {
    let outcome = examine(situation, cwd, operation, text);
    part(situation, operation, text, outcome.map_err(|refused| disclosed(situation, operation, refused)))
}

/// Returns the real path, with links followed. `None` if the path leads nowhere, leads to a kernel folder, or cannot
/// be resolved.
pub fn real(situation: &Situation, cwd: &Path, text: &str) -> Option<PathBuf> {
    if text::impossible(text).is_some() {
        return None;
    }
    resolve(cwd, Path::new(text), Last::Follow, situation.temporary.as_deref())
        .ok()
        .map(|resolved| resolved.path)
}

/// Returns the real paths of a name that would be changed: of the name itself and, if it is a link, of its target. Left
/// out are the folders of the task, the home directory, what contains them, Deputy's own data, and system places.
pub(crate) fn real_paths(situation: &Situation, cwd: &Path, text: &str) -> Vec<PathBuf> {
    if text::impossible(text).is_some() {
        return Vec::new();
    }
    let roots = roots::Roots::of(situation);
    let temporary = situation.temporary.as_deref();
    let found = [Last::Keep, Last::Follow].map(|last| resolve(cwd, Path::new(text), last, temporary));
    let mut paths: Vec<PathBuf> = found.into_iter().flatten().map(|resolved| resolved.path).collect();
    paths.dedup();
    paths.retain(|real| {
        !roots.holds_root(real)
            && protected::is_the_users(&roots, real)
            && protected::system(&roots, real).is_none()
    });
    paths
}

/// Whether the real path is in a folder that the task may read.
pub(crate) fn may_read(situation: &Situation, real: &Path) -> bool {
    roots::Roots::of(situation).outside(Operation::Read, real).is_none()
}

/// Whether the real path is in a folder that the task may change.
pub(crate) fn may_write(situation: &Situation, real: &Path) -> bool {
    roots::Roots::of(situation).outside(Operation::Write, real).is_none()
}

fn part(situation: &Situation, operation: Operation, text: &str, outcome: Result<Found, Refused>) -> Part {
    let kind = if operation.is_change() { PartKind::Write } else { PartKind::Read };
    let temporary = |real: &Path| shown_as_temporary(situation.temporary.as_deref()?, real);
    let (real, decision, risk, reason) = match outcome {
        Ok(found) if temporary(&found.real).is_some() => {
            (Some(found.real), Decision::Allow, Risk::Low, say::temporary_file())
        }
        Ok(found) if operation.is_change() => {
            let reason = match operation {
                Operation::Delete => say::removes_something_workspace(),
                _ if found.is_present => say::changes_file_workspace(),
                _ => say::makes_something_new_workspace(),
            };
            let runs_elsewhere = runs_elsewhere(situation, &found.real);
            let (risk, reason) = if runs_elsewhere {
                (Risk::Medium, say::other_machines_run(reason))
            } else {
                (Risk::Low, reason)
            };
            (Some(found.real), Decision::Ask, risk, reason)
        }
        Ok(found) => (Some(found.real), Decision::Allow, Risk::Low, say::reads_inside_workspace()),
        Err(refused) => (refused.real, refused.decision, refused.risk, refused.reason),
    };
    let real = real.map(|real| temporary(&real).unwrap_or(real));
    let text = real.map_or_else(|| text.to_owned(), |real| real.to_string_lossy().into_owned());
    Part { kind, text: escape(&text), decision, risk, reason: reason.with_texts(escape) }
}

/// Checks a path against all objections, the strictest first.
pub(crate) fn examine(
    situation: &Situation,
    cwd: &Path,
    operation: Operation,
    text: &str,
) -> Result<Found, Refused> {
    examine_in(situation, cwd, operation, text, |real| scope::in_scope(situation, operation, real))
        .and_then(|found| unlike_others(operation, found, None))
}

/// Asks before a call reads one of the user's secrets by name, the same question as for a running command. It stays
/// denied if the task's scope or a rule excludes it, or if it belongs to Deputy or the system.
fn disclosed(situation: &Situation, operation: Operation, refused: Refused) -> Refused {
    let may_be_asked = |real: &Path| {
        let standing = Objections::of(situation).against(Operation::Read, real);
        protected::may_be_disclosed(&roots::Roots::of(situation), real)
            && scope::in_scope(situation, Operation::Read, real).is_ok()
            && standing.is_none_or(|standing| standing.decision < Decision::Deny)
    };
    match refused.real.as_deref() {
        Some(real) if refused.is_secret && operation == Operation::Read && may_be_asked(real) => {
            Refused { decision: Decision::Ask, ..refused }
        }
        _ => refused,
    }
}

/// Asks before something is created whose name equals an existing one except for case or composition: on many systems,
/// one of the two would replace the other. `moved` is the source if an existing file gets the name.
fn unlike_others(operation: Operation, found: Found, moved: Option<&Path>) -> Result<Found, Refused> {
    let makes = !found.is_present && matches!(operation, Operation::Write | Operation::Create);
    match makes.then(|| twin(&found.real)).flatten().filter(|twin| Some(twin.as_path()) != moved) {
        Some(twin) => Err(Refused::ask(Risk::High, say::same_name_there(twin.display())).at(&found.real)),
        None => Ok(found),
    }
}

/// Like [`examine`], with a different check of the task's scope.
fn examine_in(
    situation: &Situation,
    cwd: &Path,
    operation: Operation,
    text: &str,
    in_scope: impl FnOnce(&Path) -> Result<(), OutOfScope>,
) -> Result<Found, Refused> {
    if let Some(refused) = text::impossible(text) {
        return Err(refused);
    }
    let resolve = || resolve(cwd, Path::new(text), operation.last(), situation.temporary.as_deref());
    let real = || resolve().ok().map(|resolved: Resolved| resolved.path);
    if let Some(reason) = protected::secret_text(text, real) {
        return Err(Refused { real: real(), ..Refused::secret(reason) });
    }
    let resolved = resolve().map_err(unresolved)?;
    let bounds = roots::Roots::of(situation);
    let refusal = floor(&bounds, operation, &resolved)
        .or_else(|| {
            in_scope(&resolved.path).err().map(|outside| Refused::deny(Risk::Medium, outside.reason()))
        })
        .or_else(|| ruled_out(situation, operation, &resolved).filter(Refused::is_denied))
        .or_else(|| text::unseen(text))
        .or_else(|| protected_part(situation, &bounds, operation, &resolved, text))
        .or_else(|| refused_before(situation, operation, &resolved))
        .or_else(|| bounds.outside(operation, &resolved.path))
        .or_else(|| system_part(&bounds, operation, &resolved))
        .or_else(|| object::unfit(&bounds, operation, &resolved))
        .or_else(|| windows_part(operation, text))
        .or_else(|| content::credentials(operation, &resolved))
        .or_else(|| ruled_out(situation, operation, &resolved));
    match refusal {
        Some(refused) => Err(refused.at(&resolved.path)),
        None => Ok(Found { real: resolved.path, is_present: resolved.metadata.is_some() }),
    }
}

fn unresolved(error: Unresolved) -> Refused {
    let reason = error.reason();
    match error {
        Unresolved::Kernel { path } => Refused::deny(Risk::High, reason).at(&path),
        Unresolved::Loop
        | Unresolved::NotFolder { .. }
        | Unresolved::UpFromNothing { .. }
        | Unresolved::TooLong => Refused::ask(Risk::Low, reason),
        Unresolved::Unreadable { path, .. } => Refused::ask(Risk::Medium, reason).at(&path),
    }
}

/// Returns the refusals that no setting lifts: for secrets, Deputy's own data, whole roots, and special files.
fn floor(bounds: &roots::Roots, operation: Operation, resolved: &Resolved) -> Option<Refused> {
    if let Some(reason) = protected::secret(bounds, &resolved.path) {
        return Some(Refused::secret(reason));
    }
    let is_root = bounds.holds_root(&resolved.path) || bounds.is_temporary_root(&resolved.path);
    if operation == Operation::Delete && is_root {
        return Some(Refused::deny(Risk::High, say::would_remove_whole_workspace()));
    }
    object::not_a_file(operation, resolved)
}

/// Finds the first matching path below a folder, within the maximum number of entries that are checked.
pub(crate) fn find_below<T>(top: &Path, most: usize, find: impl Fn(&Path) -> Option<T>) -> Option<T> {
    let mut found = None;
    walk::walk(top, most, |path, _, _| {
        found = find(path);
        if found.is_some() { walk::Visit::Stop } else { walk::Visit::Enter }
    });
    found
}

/// Visits what is below a folder, up to a number of entries. `visit` returns whether to visit the content of a folder.
pub(crate) fn visit_below(top: &Path, most: usize, mut visit: impl FnMut(&Path) -> bool) {
    walk::walk(top, most, |path, _, _| if visit(path) { walk::Visit::Enter } else { walk::Visit::Skip });
}

/// Returns the restriction that the user's rules and remembered answers place on a path, for any tool or command.
fn ruled_out(situation: &Situation, operation: Operation, resolved: &Resolved) -> Option<Refused> {
    let objections = Objections::of(situation);
    let standing = objections.against(operation, &resolved.path);
    // A folder is removed or moved with everything in it.
    let is_tree = operation == Operation::Delete && resolved.metadata.as_ref().is_some_and(Metadata::is_dir);
    let below = if is_tree { ruled_below(&objections, operation, &resolved.path) } else { None };
    let standing = standing.into_iter().chain(below).max_by_key(|standing| standing.decision)?;
    Some(Refused::of(standing))
}

/// Returns the strictest rule or remembered answer that restricts `operation` on something below `top`. Searches a
/// limited number of entries; [`protected::in_tree`] asks about a larger tree.
fn ruled_below(objections: &Objections, operation: Operation, top: &Path) -> Option<Standing> {
    if objections.is_empty() {
        return None;
    }
    let mut strictest: Option<Standing> = None;
    walk::walk(top, protected::MAX_JUDGED, |path, _, _| {
        if let Some(standing) = objections.against(operation, path)
            && strictest.as_ref().is_none_or(|known| known.decision < standing.decision)
        {
            let reason = say::contains(path.display(), standing.reason);
            strictest = Some(Standing { reason, ..standing });
        }
        let is_denied = strictest.as_ref().is_some_and(|known| known.decision == Decision::Deny);
        if is_denied { walk::Visit::Stop } else { walk::Visit::Enter }
    });
    strictest
}

/// Asks before a change of what a person refused in this task, or of a folder that contains it.
fn refused_before(situation: &Situation, operation: Operation, resolved: &Resolved) -> Option<Refused> {
    let refusal = match operation {
        Operation::Read | Operation::List => None,
        Operation::Write | Operation::Create => situation.refused.against(&resolved.path),
        Operation::Delete => situation.refused.against_tree(&resolved.path),
    };
    refusal.map(|refusal| Refused::ask(Risk::High, refusal.reason()))
}

fn protected_part(
    situation: &Situation,
    bounds: &roots::Roots,
    operation: Operation,
    resolved: &Resolved,
    text: &str,
) -> Option<Refused> {
    if !operation.is_change() {
        return None;
    }
    guarded::protected_at(bounds, &resolved.path)
        .or_else(|| guarded::protected_text(situation, bounds, text))
        .map(|reason| Refused::ask(Risk::High, reason))
}

/// A system folder remains a system folder even if it is the workspace.
fn system_part(bounds: &roots::Roots, operation: Operation, resolved: &Resolved) -> Option<Refused> {
    let reason = operation.is_change().then(|| protected::system(bounds, &resolved.path)).flatten()?;
    Some(Refused::ask(Risk::High, reason))
}

fn windows_part(operation: Operation, text: &str) -> Option<Refused> {
    if !operation.is_change() {
        return None;
    }
    windows_meaning(text).map(|reason| Refused::ask(Risk::Medium, say::name_not_safe_make(reason)))
}
