//! The start block: one message after the goal with the date, the system, the git branch and top level of the folder,
//! toolchains, and what commands can reach. Without it, every task begins with calls that find this out.
//!
//! A sub-task gets a shorter one, with its role, its scope and its steps. Names from the folder are data, between marks.
//! The text is journaled and never changes.

use super::journal::TaskJournal;
use super::notes::{marked, one_line};
use crate::backends::WITHOUT_MODEL;
use crate::core::Core;
use crate::git::{self, Git, GitCall};
use deputy_policy::Situation;
use deputy_protocol::{Decision, Grant, GrantRule, Lifetime, Oriented, Risk, Scope, TaskEvent, TaskSpec};
use deputy_tools::{TopLevel, top_level};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time that git has.
const PATIENCE: Duration = Duration::from_secs(1);
/// The maximum number of entries of the folder that are named, and of paths of a scope.
const MOST_NAMES: usize = 40;
/// The maximum number of rules that are named.
const MOST_GRANTS: usize = 10;
/// The maximum length of a name, and of a path, in characters.
const NAME_CHARS: usize = 80;
const PATH_CHARS: usize = 400;

/// What commands reach.
const WALLS: &str = "Commands: `/tmp` is this task's own and is kept between calls. There is no network unless the user \
    allows it; a command that needs it, such as `npm ci`, asks. Secrets such as `.env` and files that start programs, \
    such as git hooks, stay closed; what lies outside the workspace is asked about.";
const WALLS_IN_SHORT: &str = "Commands: no network unless the user allows it. Secrets such as `.env` and files that start \
    programs, such as git hooks, stay closed.";

/// Adds the start block to the conversation, unless it has one.
pub(super) async fn add(core: &Arc<Core>, journal: &mut TaskJournal) {
    let machine = journal.machine();
    if machine.is_oriented() || machine.iteration() > 1 || machine.route().0 == WITHOUT_MODEL {
        return;
    }
    let spec = machine.spec().clone();
    let text = text(core, &spec).await;
    journal.emit(TaskEvent::Oriented(Oriented { text }));
}

async fn text(core: &Arc<Core>, spec: &TaskSpec) -> String {
    let workspace = Path::new(&spec.workspace);
    let mut lines = vec![
        "Note from Deputy, not from the user: where this task begins.".to_owned(),
        format!("Date: {}. System: {}. Shell: bash.", date(core.now_ms()), system()),
    ];
    let mut data = Vec::new();
    if let Some(repository) = git::repository_of(workspace) {
        let branch = branch(core, workspace, repository).await;
        data.push(branch.unwrap_or_else(|| "The workspace is in a git repository.".to_owned()));
    }
    if let Some(parent) = &spec.parent {
        let parent = core.store.task(&parent.task).ok().flatten();
        lines.push(role(parent.as_ref().map_or(&spec.profile, |parent| &parent.profile)));
        lines.extend(limits(spec));
        lines.push(WALLS_IN_SHORT.to_owned());
        data.extend(paths(spec));
        if !data.is_empty() {
            lines.push(marked("the workspace", &data.join("\n")));
        }
        return lines.join("\n");
    }
    lines.push(WALLS.to_owned());
    let given = given(core, spec);
    let in_folder = given.iter().any(|grant| matches!(grant.rule, GrantRule::Folder(_)));
    lines.push(allowed(spec, in_folder).to_owned());
    data.extend(granted(&given));
    let top = names(core, spec).await;
    let versions = core.versions.of(core, spec, &top.names).await;
    if !versions.is_empty() {
        data.push(format!("Toolchains: {}.", versions.join("; ")));
    }
    data.push(listed(&top));
    lines.push(marked("the workspace", &data.join("\n")));
    lines.join("\n")
}

/// Says what a sub-task is. Not what the task that delegated it is about: its goal has all that it needs.
fn role(profile: &str) -> String {
    let profile = one_line(profile, NAME_CHARS);
    format!(
        "You are a sub-task. A task with the profile `{profile}` delegated this part of its work; other parts may be worked \
         on at the same time."
    )
}

/// Says what a sub-task may change and read, and the maximum number of its steps.
fn limits(spec: &TaskSpec) -> Vec<String> {
    let Scope { read, read_only, only_files, only_tags, .. } = &spec.scope;
    let everything = "everything in the workspace";
    let listed = "only what is listed below";
    let mut lines = vec![
        match (read_only, changes(spec).is_empty(), only_files.is_empty()) {
            (true, ..) => "May change: nothing.".to_owned(),
            (_, false, _) => format!(
                "May change: {listed}. A path that does not exist yet can be created with write_file."
            ),
            (_, true, true) => format!("May change: {everything}."),
            (_, true, false) => "May change: only what it may read.".to_owned(),
        },
        match (only_files.is_empty(), read.is_empty()) {
            (true, true) => format!("May read: {everything}."),
            (true, false) => format!("May read: {everything}, and what is listed below."),
            (false, _) => format!("May read: {listed}."),
        },
    ];
    if !only_tags.is_empty() {
        lines.push(format!("Only files tagged {}.", one_line(&only_tags.join(" or "), NAME_CHARS)));
    }
    if spec.limits.max_iterations > 0 {
        lines.push(format!("Steps: at most {}.", spec.limits.max_iterations));
    }
    lines
}

/// Returns the paths that a task may change. Empty if that is the workspace, or nothing.
fn changes(spec: &TaskSpec) -> &[String] {
    let write = &spec.scope.write;
    if *write == [spec.workspace.as_str()] { &[] } else { write }
}

/// Lists the paths that a sub-task may change and read.
fn paths(spec: &TaskSpec) -> Vec<String> {
    let Scope { read, only_files, .. } = &spec.scope;
    let changes = changes(spec);
    let read = if only_files.is_empty() { read } else { only_files };
    let read: Vec<String> = read.iter().filter(|path| !changes.contains(path)).cloned().collect();
    let shown = |path: &String| {
        let below = Path::new(path).strip_prefix(&spec.workspace).ok().and_then(Path::to_str);
        let path = below.filter(|below| !below.is_empty()).unwrap_or(path);
        one_line(&deputy_policy::visible(path), PATH_CHARS)
    };
    let list = |title: &str, paths: &[String]| {
        let lines = paths.iter().take(MOST_NAMES).map(shown).collect::<Vec<_>>().join("\n");
        let more = match paths.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!("\nand {more} more"),
        };
        (!paths.is_empty()).then(|| format!("{title}:\n{lines}{more}"))
    };
    [list("May change", changes), list("May read", &read)].into_iter().flatten().collect()
}

/// Formats the day in the host's time zone.
fn date(now_ms: i64) -> String {
    let stamp = jiff::Timestamp::from_millisecond(now_ms).unwrap_or_default();
    stamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%A, %Y-%m-%d").to_string()
}

/// Returns the name of the system, such as `Debian GNU/Linux 12 (bookworm)`.
fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches(['"', '\'']));
    one_line(name, NAME_CHARS)
}

/// Says what runs without a question.
fn allowed(spec: &TaskSpec, in_folder: bool) -> &'static str {
    if in_folder || spec.standing_consent.is_some_and(|consent| consent >= Risk::Medium) {
        "Allowed already: to read, edit, run, build, test and commit in the workspace."
    } else {
        "Allowed already: to read in the workspace. The user is asked about changes and may allow all of them at once."
    }
}

/// Returns what the user allowed in this folder before, for this conversation or for all.
fn given(core: &Core, spec: &TaskSpec) -> Vec<Grant> {
    let mut grants = core.store.grants(Some(&spec.workspace), core.now_ms()).unwrap_or_default();
    grants.retain(|grant| {
        let is_lasting = match &grant.lifetime {
            Lifetime::Always(_) => true,
            Lifetime::Session(session) => session.session == spec.session,
            Lifetime::Once(_) | Lifetime::Names(_) | Lifetime::Task(_) | Lifetime::Minutes(_) => false,
        };
        grant.decision == Decision::Allow && is_lasting
    });
    grants
}

/// Lists rules that the user allowed. Their words are those of commands and addresses that a model wrote.
fn granted(grants: &[Grant]) -> Option<String> {
    let is_listed =
        |rule: &GrantRule| matches!(rule, GrantRule::Argv(_) | GrantRule::Path(_) | GrantRule::Origin(_));
    let rules = grants.iter().map(|grant| &grant.rule).filter(|rule| is_listed(rule));
    let named: Vec<String> = rules
        .take(MOST_GRANTS)
        .map(|rule| one_line(&deputy_policy::visible(&rule.to_string()), NAME_CHARS))
        .collect();
    (!named.is_empty()).then(|| format!("Allowed before, too: {}.", named.join("; ")))
}

/// Returns the branch and the number of changed files. `None` if git gives no answer in time.
async fn branch(core: &Core, workspace: &Path, repository: &Path) -> Option<String> {
    let arguments = ["status", "--porcelain=v1", "--branch", "--untracked-files=normal"];
    let call = GitCall {
        arguments: arguments.map(Into::into).into(),
        cwd: workspace.to_owned(),
        readable: vec![repository.to_owned()],
        patience: PATIENCE,
        ..GitCall::default()
    };
    let output = Git::find(core)?.run(call).await.ok()?.success().ok()?;
    let output = String::from_utf8_lossy(&output);
    let mut lines = output.lines();
    let head = lines.next()?.strip_prefix("## ")?;
    let (untracked, changed): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("??"));
    let head = one_line(&deputy_policy::visible(head), NAME_CHARS);
    Some(match (changed.len(), untracked.len()) {
        (0, 0) => format!("Git: {head}; nothing is changed."),
        (changed, untracked) => format!("Git: {head}; {changed} changed, {untracked} untracked."),
    })
}

async fn names(core: &Arc<Core>, spec: &TaskSpec) -> TopLevel {
    let place = core.place_of(spec);
    let situation =
        Situation { scope: spec.scope.clone(), ..core.situation(place.workspace.clone(), Vec::new()) };
    let listed = tokio::task::spawn_blocking(move || top_level(&place, &situation, MOST_NAMES));
    listed.await.unwrap_or_default()
}

fn listed(top: &TopLevel) -> String {
    if top.names.is_empty() {
        return "The workspace is empty.".to_owned();
    }
    let names = top.names.iter().map(|name| one_line(name, NAME_CHARS));
    let mut text = format!("Top level of the workspace:\n{}", names.collect::<Vec<_>>().join("\n"));
    if top.more > 0 {
        text.push_str(&format!("\nand {} more", top.more));
    }
    text
}
