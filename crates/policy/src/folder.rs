//! The yes for a folder: the user lets a task work in its folder, with every tool and any command, because the walls and
//! undo hold what it does there.
//!
//! It does not depend on reading a command. Whatever the text is, the command sees the folder, the system, the toolchains
//! and what the user named, it changes the folder alone, and it has no network. What needs more than that is asked about.

use crate::path::{can_be_shown, real, real_folder};
use crate::{Ruling, Situation};
use crate::{refused, rules};
use deputy_messages::policy as say;
use deputy_protocol::{
    Access, Confinement, Decision, Facts, FolderRule, GrantId, GrantRule, Lifetime, Phrase, Risk,
    SessionLifetime, TaskLifetime,
};
use std::path::Path;

/// Returns whether the yes for the folder covers a call: all that it does stays in the folder, and nothing in it is a
/// high risk, lent to it, opened to it elsewhere, or named by a rule of the user's.
pub(crate) fn fits(situation: &Situation, facts: &Facts, ruling: &Ruling) -> bool {
    let Ruling { verdict, lends, revealed, reads, writes, replays, .. } = ruling;
    let is_opened = !reads.is_empty() || !writes.is_empty();
    let is_asked_each_time = |risk: Risk| risk == Risk::High;
    is_offered_here(situation)
        && verdict.confinement <= Confinement::Workspace
        && lends.is_empty()
        && revealed.is_empty()
        && !is_opened
        && !replays
        && !ruling.named_by_rule
        // A plan is made to be looked at.
        && facts.plan.is_none()
        && !is_asked_each_time(facts.risk)
        && !is_asked_each_time(verdict.risk)
        && !(ruling.removes && removes_repository(situation, facts))
        && facts.accesses.iter().all(|access| is_in_folder(situation, access))
}

/// Returns the yes for the folder that was given, if it holds.
pub(crate) fn given(situation: &Situation) -> Option<GrantId> {
    let folder = real_folder(&situation.workspace);
    let is_for_folder =
        |rule: &GrantRule| matches!(rule, GrantRule::Folder(rule) if Path::new(&rule.path) == folder);
    let mut grants = situation.grants.iter().filter(|grant| grant.decision == Decision::Allow);
    grants
        .find(|grant| is_for_folder(&grant.rule) && rules::holds(situation, grant))
        .map(|grant| grant.id.clone())
}

/// Returns the answers that let the task, or the conversation, work in its folder. Empty for a folder that contains more
/// than the task's files: the home directory or a folder above it.
pub(crate) fn offered(situation: &Situation, runs_hooks: bool) -> Vec<(Lifetime, GrantRule, Phrase)> {
    let folder = real_folder(&situation.workspace);
    let Some(path) = folder.to_str().filter(|path| can_be_shown(path)) else { return Vec::new() };
    let rule = GrantRule::Folder(FolderRule { path: path.to_owned() });
    let mut offered = Vec::new();
    if let Some(task) = &situation.task {
        let label =
            if runs_hooks { say::work_in_folder_task_hooks(path) } else { say::work_in_folder_task(path) };
        offered.push((Lifetime::Task(TaskLifetime { task: task.clone() }), rule.clone(), label));
    }
    if let Some(session) = &situation.session {
        let lifetime = Lifetime::Session(SessionLifetime { session: session.clone() });
        let label = if runs_hooks {
            say::work_in_folder_session_hooks(path)
        } else {
            say::work_in_folder_session(path)
        };
        offered.push((lifetime, rule, label));
    }
    offered
}

fn is_offered_here(situation: &Situation) -> bool {
    let folder = real_folder(&situation.workspace);
    situation.guarded && folder != Path::new("/") && !real_folder(&situation.home).starts_with(&folder)
}

/// Whether a command that is meant to remove something names a repository or something in git's folder. Under the yes for
/// the folder, git's objects stay.
fn removes_repository(situation: &Situation, facts: &Facts) -> bool {
    let is_gits = |path: &Path| path.join(".git").exists() || path.iter().any(|part| part == ".git");
    refused::touched(situation, facts).iter().any(|path| is_gits(path) || crate::is_repository(path))
}

fn is_in_folder(situation: &Situation, access: &Access) -> bool {
    let folder = real_folder(&situation.workspace);
    let is_in =
        |path: &str| real(situation, &situation.cwd, path).is_some_and(|real| real.starts_with(&folder));
    let is_below =
        |path: &str| is_in(path) && real(situation, &situation.cwd, path).as_ref() != Some(&folder);
    match access {
        Access::Shell(_) | Access::Own(_) => true,
        Access::Read(read) => is_in(&read.path),
        Access::List(list) => is_in(&list.path),
        Access::Write(write) => is_below(&write.path),
        Access::Delete(delete) => is_below(&delete.path),
        Access::Move(moved) => is_below(&moved.path) && is_below(&moved.dest),
        Access::Copy(copied) => is_below(&copied.path) && is_below(&copied.dest),
        Access::Memory(_) | Access::Page(_) | Access::Url(_) => false,
    }
}
