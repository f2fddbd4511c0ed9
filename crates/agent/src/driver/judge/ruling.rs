//! The policy's ruling on one call. It depends on its arguments only, not on the task, the store or the clock.

use super::reach::{Reach, reach};
use crate::machine::{Machine, Ruled};
use crate::profile::ProfileError;
use deputy_messages::agent as say;
use deputy_policy::path::Operation;
use deputy_policy::{Ruling, Situation};
use deputy_protocol::{
    Access, CallDecided, CallId, Confinement, Decision, Digest, Effect, Facts, Part, PartKind, Phrase,
    TaskEvent, ToolCall,
};
use deputy_store::StoreError;
use deputy_tools::InvalidCall;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The reason why a call cannot be judged. The text becomes the result of the call, for the planner.
#[derive(Debug, thiserror::Error)]
pub(in crate::driver) enum JudgeError {
    Arguments(String),
    NoWorkspace(PathBuf),
    ScopeMoved(String),
    Outside { folder: PathBuf, workspace: PathBuf },
    WouldWriteMark(String),
    Invalid(#[from] InvalidCall),
    Profile(#[from] ProfileError),
    Store(#[from] StoreError),
}

impl JudgeError {
    /// Returns the message for this error.
    pub(in crate::driver) fn phrase(&self) -> Phrase {
        match self {
            Self::Arguments(problem) => say::arguments_unreadable(problem),
            Self::NoWorkspace(folder) => say::workspace_is_gone(folder.display()),
            Self::ScopeMoved(path) => say::scope_moved(deputy_policy::visible(path)),
            Self::Outside { folder, workspace } => {
                let folder = deputy_policy::visible(&folder.to_string_lossy());
                say::working_dir_outside(folder, workspace.display())
            }
            Self::WouldWriteMark(problem) => problem.as_str().into(),
            Self::Invalid(invalid) => deputy_messages::sentence(invalid),
            Self::Profile(error) => error.phrase(),
            Self::Store(error) => error.phrase(),
        }
    }
}

deputy_messages::said_by_phrase!(JudgeError);

/// A call with its judgement.
pub(in crate::driver) struct Judged {
    pub(in crate::driver) facts: Facts,
    pub(in crate::driver) ruling: Ruling,
    pub(in crate::driver) effect: Effect,
    /// The digest that a decision binds to.
    pub(in crate::driver) digest: Digest,
    pub(in crate::driver) situation: Situation,
    /// The paths that its confinement leaves accessible.
    pub(in crate::driver) reach: Reach,
    /// The real paths that the call touches, once they were asked for.
    pub(in crate::driver) touched: OnceLock<Vec<PathBuf>>,
}

impl Judged {
    /// Returns the real paths that the call touches.
    pub(in crate::driver) fn touches(&self) -> &[PathBuf] {
        self.touched.get_or_init(|| deputy_policy::touched(&self.situation, &self.facts))
    }

    /// Requires a person's approval if a reviewer asked for it. A review only makes a ruling stricter.
    pub(in crate::driver) fn heed_review(&mut self, machine: &Machine, id: &CallId) {
        let review = machine.call(id).and_then(|progress| progress.review.as_ref());
        let Some(review) = review.filter(|review| review.asks) else { return };
        let verdict = &mut self.ruling.verdict;
        if verdict.decision == Decision::Deny || verdict.reasons.contains(&review.reason) {
            return;
        }
        verdict.decision = Decision::Ask;
        verdict.reasons.push(review.reason.clone());
        self.ruling.grant = None;
    }

    /// Returns the event of the decision.
    pub(in crate::driver) fn event(&self, call: &CallId) -> TaskEvent {
        TaskEvent::CallDecided(self.decided(call))
    }

    /// Returns the event of the decision. `None` if the journal already has the same decision.
    pub(in crate::driver) fn news(&self, call: &CallId, journalled: Option<&Ruled>) -> Option<TaskEvent> {
        let decided = self.decided(call);
        (journalled != Some(&Ruled::from(&decided))).then_some(TaskEvent::CallDecided(decided))
    }

    fn decided(&self, call: &CallId) -> CallDecided {
        CallDecided {
            call: call.clone(),
            verdict: self.ruling.verdict.clone(),
            effect: self.effect,
            summary: self.facts.summary.clone(),
            digest: self.digest.clone(),
            grant: self.ruling.grant.clone(),
        }
    }
}

/// Rules on a call that runs in the workspace, or in a folder that it names. `shown` contains the words that it looked
/// up before, as a person saw them.
pub(super) fn rule(
    call: &ToolCall,
    facts: Facts,
    mut situation: Situation,
    folder: Option<PathBuf>,
    shown: Option<Vec<String>>,
) -> Result<Judged, JudgeError> {
    if let Some(folder) = folder {
        situation.cwd = inside(&situation, folder)?;
    }
    let mut ruling = deputy_policy::decide(&situation, &facts);
    ruling.looked_up.extend(shown);
    let reach = hold_to_scope(&situation, &mut ruling);
    let digest = digest(call, &facts, &ruling, &situation);
    let effect = effect(&facts, &ruling);
    if let Some(problem) = crate::redact::would_write_mark(&call.parameters, effect) {
        return Err(JudgeError::WouldWriteMark(problem));
    }
    Ok(Judged { facts, ruling, effect, digest, situation, reach, touched: OnceLock::new() })
}

/// Returns the folder that a call names to run in, if it is within the open folders of the task.
fn inside(situation: &Situation, folder: PathBuf) -> Result<PathBuf, JudgeError> {
    let open = std::iter::once(&situation.workspace).chain(&situation.roots);
    let is_open = open.filter_map(|open| open.canonicalize().ok()).any(|open| folder.starts_with(open));
    let is_hidden = deputy_policy::path::in_scope(situation, Operation::List, &folder).is_err();
    if !is_open || is_hidden {
        return Err(JudgeError::Outside { folder, workspace: situation.workspace.clone() });
    }
    Ok(folder)
}

/// Returns the paths that stay accessible to a call. A command is denied if no confinement can limit it to the task's
/// scope. Tools that run no command check each path against the scope themselves.
fn hold_to_scope(situation: &Situation, ruling: &mut Ruling) -> Reach {
    let verdict = &mut ruling.verdict;
    if verdict.decision == Decision::Deny {
        return Reach::default();
    }
    let error = match reach(situation, verdict.confinement) {
        Ok(reach) => return reach,
        Err(error) => error,
    };
    if ruling.execution.is_some() {
        let reason = Phrase::from(error.to_string());
        verdict.decision = Decision::Deny;
        verdict.reasons = vec![reason.clone()];
        verdict.parts.push(Part {
            kind: PartKind::Construct,
            text: String::new(),
            decision: Decision::Deny,
            risk: verdict.risk,
            reason,
        });
    }
    Reach::default()
}

/// Returns the digest that a decision binds to. The change itself is part of what is approved, so the digest changes if
/// the file changes in the meantime. The revealed secrets are also part of it: if a different file would be revealed,
/// the user is asked again.
fn digest(call: &ToolCall, facts: &Facts, ruling: &Ruling, situation: &Situation) -> Digest {
    // A plan has the same digest wherever it is shown, and an approval binds to that digest. It covers the plan, its
    // folders and every resulting step.
    if let Some(plan) = &facts.plan
        && ruling.revealed.is_empty()
    {
        return plan.digest.clone();
    }
    let mut bound = call.parameters.clone();
    if let Some(diff) = &facts.diff {
        bound = serde_json::json!({"parameters": bound, "diff": diff});
    }
    if !ruling.revealed.is_empty() {
        bound = serde_json::json!({"parameters": bound, "revealed": ruling.revealed});
    }
    if !ruling.reads.is_empty() || !ruling.writes.is_empty() {
        bound = serde_json::json!({"parameters": bound, "reads": ruling.reads, "writes": ruling.writes});
    }
    if !ruling.looked_up.is_empty() {
        bound = serde_json::json!({"parameters": bound, "looked_up": ruling.looked_up});
    }
    if !ruling.lends.is_empty() {
        bound = serde_json::json!({"parameters": bound, "lends": ruling.lends});
    }
    // Input to a page is shown with its values, which come from the page and not from the call.
    let given: Vec<_> = facts.accesses.iter().filter(|access| matches!(access, Access::Page(_))).collect();
    if ruling.verdict.decision == Decision::Ask && !given.is_empty() {
        bound = serde_json::json!({"parameters": bound, "page": given});
    }
    deputy_policy::digest(&call.tool, &bound, &situation.cwd, ruling.verdict.confinement)
}

/// Returns the effect of a call. A command that the operating system confines to reading may be repeated, and may run
/// in parallel with others.
fn effect(facts: &Facts, ruling: &Ruling) -> Effect {
    let verdict = &ruling.verdict;
    let is_held = verdict.decision == Decision::Allow && verdict.confinement == Confinement::ReadOnly;
    let is_command = facts.accesses.iter().all(|access| matches!(access, Access::Shell(_)));
    if is_held && is_command { Effect::ReadOnly } else { facts.effect }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{Risk, Scope, ShellAccess, WriteAccess};
    use std::path::Path;

    fn call(tool: &str, parameters: serde_json::Value) -> ToolCall {
        ToolCall { id: CallId::new("c1"), tool: tool.into(), parameters, problem: None, written: None }
    }

    fn facts(access: Access, diff: Option<&str>) -> Facts {
        Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: "It does something".into(),
            diff: diff.map(str::to_owned),
            plan: None,
            risk: Risk::Low,
        }
    }

    fn command(text: &str) -> Facts {
        facts(Access::Shell(ShellAccess { command: text.into() }), None)
    }

    fn situation(ground: &Path) -> Situation {
        let folder = |name: &str| {
            let folder = ground.join(name);
            std::fs::create_dir_all(&folder).unwrap();
            folder.canonicalize().unwrap()
        };
        Situation { walls: true, ..Situation::new(folder("home"), folder("work"), folder("deputy")) }
    }

    #[test]
    fn an_approval_binds_to_the_change_that_was_shown() {
        let ground = tempfile::tempdir().unwrap();
        let situation = situation(ground.path());
        let path = situation.workspace.join("a.txt").to_str().unwrap().to_owned();
        let write = call("code", serde_json::json!({"action": "write", "path": path}));
        let digest = |diff: &str| {
            let facts = facts(Access::Write(WriteAccess { path: path.clone() }), Some(diff));
            rule(&write, facts, situation.clone(), None, None).unwrap().digest
        };
        assert_eq!(digest("+a"), digest("+a"));
        assert_ne!(digest("+a"), digest("+b"));
    }

    #[test]
    fn a_call_runs_only_in_folders_of_its_task() {
        let ground = tempfile::tempdir().unwrap();
        let situation = situation(ground.path());
        let (inside, home) = (situation.workspace.join("sub"), situation.home.clone());
        std::fs::create_dir(&inside).unwrap();
        let ls = call("shell", serde_json::json!({"command": "ls"}));
        let in_folder =
            |folder: &Path| rule(&ls, command("ls"), situation.clone(), Some(folder.to_owned()), None);
        assert_eq!(in_folder(&inside).unwrap().situation.cwd, inside);
        assert!(matches!(in_folder(&home), Err(JudgeError::Outside { folder, .. }) if folder == home));
    }

    /// Tools that run no command check every path themselves, so a scope that the confinement cannot enforce does not
    /// deny them anything.
    #[test]
    fn a_scope_that_walls_cannot_draw_denies_commands_and_nothing_else() {
        let ground = tempfile::tempdir().unwrap();
        let mut situation = situation(ground.path());
        for n in 0..600 {
            std::fs::write(situation.workspace.join(format!("{n}.txt")), "").unwrap();
        }
        let only = situation.workspace.join("1.txt").to_str().unwrap().to_owned();
        situation.scope = Scope { only_files: vec![only.clone()], ..Scope::default() };
        let ls = call("shell", serde_json::json!({"command": "ls"}));
        let judged = rule(&ls, command("ls"), situation.clone(), None, None).unwrap();
        assert_eq!(judged.ruling.verdict.decision, Decision::Deny);
        assert_eq!(judged.reach, Reach::default(), "nothing is open to it");
        assert!(
            judged.ruling.verdict.reasons[0].starts_with("there are too many files"),
            "{:?}",
            judged.ruling
        );

        let write = call("code", serde_json::json!({"action": "write", "path": only}));
        let facts = facts(Access::Write(WriteAccess { path: only }), None);
        let judged = rule(&write, facts, situation, None, None).unwrap();
        assert_ne!(judged.ruling.verdict.decision, Decision::Deny, "{:?}", judged.ruling);
    }

    #[test]
    fn what_stays_open_is_worked_out_with_the_ruling() {
        let ground = tempfile::tempdir().unwrap();
        let mut situation = situation(ground.path());
        for name in ["a.txt", "b.txt"] {
            std::fs::write(situation.workspace.join(name), "").unwrap();
        }
        let [a, b] = ["a.txt", "b.txt"].map(|name| situation.workspace.join(name));
        situation.scope = Scope { only_files: vec![a.to_str().unwrap().into()], ..Scope::default() };
        let ls = call("shell", serde_json::json!({"command": "ls"}));
        let judged = rule(&ls, command("ls"), situation, None, None).unwrap();
        assert_eq!((judged.reach.writable, judged.reach.hidden), (vec![a], vec![b]));
    }

    /// A command can change the files and folders of the scope that exist, and sees of the rest what the scope includes.
    #[test]
    fn walls_follow_the_scope() {
        let ground = tempfile::tempdir().unwrap();
        let situation = situation(ground.path());
        let outside = ground.path().canonicalize().unwrap().join("outside");
        for folder in [situation.workspace.join("src"), situation.workspace.join("docs"), outside.clone()] {
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("x.txt"), "").unwrap();
        }
        std::fs::write(situation.workspace.join("a.txt"), "").unwrap();
        let at = |name: &str| situation.workspace.join(name);
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let list = |names: &[&str]| names.iter().map(|name| text(at(name))).collect::<Vec<_>>();
        let reach = |scope: Scope, roots: Vec<PathBuf>| {
            let situation = Situation { scope, roots, ..situation.clone() };
            reach(&situation, deputy_protocol::Confinement::Workspace).unwrap()
        };

        let write = list(&["a.txt", "new.txt"]);
        let of_files = reach(Scope { write: write.clone(), ..Scope::default() }, Vec::new());
        assert_eq!((of_files.writable, of_files.hidden), (vec![at("a.txt")], vec![]));

        let of_nothing = reach(Scope { read_only: true, ..Scope::default() }, Vec::new());
        assert_eq!((of_nothing.writable, of_nothing.hidden), (vec![], vec![]));

        let only_files = [list(&["src"]), write.clone()].concat();
        let narrow = reach(Scope { write, only_files, ..Scope::default() }, vec![outside.clone()]);
        assert_eq!((narrow.writable, narrow.hidden), (vec![at("a.txt")], vec![at("docs")]));
        assert!(
            narrow.readable.contains(&at("src")) && !narrow.readable.contains(&outside),
            "it is not listed"
        );

        // A folder to read outside of the workspace does not become one to change.
        let scope = Scope {
            write: vec![text(situation.workspace.clone())],
            only_files: vec![text(at("src")), text(outside.clone())],
            ..Scope::default()
        };
        let read = reach(scope, vec![outside.clone()]);
        assert_eq!(read.writable, [at("src")]);
        assert!(read.readable.contains(&outside) && read.hidden.contains(&at("docs")));

        // Regression test: with nothing listed in the workspace, nothing of it was hidden.
        let scope = Scope { only_files: vec![text(outside.clone())], ..Scope::default() };
        let mut hidden = reach(scope, vec![outside]).hidden;
        hidden.sort();
        assert_eq!(hidden, [at("a.txt"), at("docs"), at("src")]);
    }
}
