//! Commands that show tasks: `status`, `tasks`, `show` and `follow`.

use super::{Context, jobs, run};
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{
    self, Extent, Screen, Story, Watch, goal_words, is_cut, is_grant_of, printable, show_request,
    state_words, until, watch, when,
};
use deputy_protocol::{
    AgentState, AwaitingSubtasksTask, EventMessage, EventRecord, EventsQuery, Grant, GrantsQuery, IdleAgent,
    MemoryRole, PauseReason, Query, QueryAnswer, ResultPart, RunningTask, SaidInTask, ServerMessage,
    SessionId, TaskEvent, TaskId, TaskState, TaskSummary, TasksQuery,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The number of tasks that are searched for those to list.
const MOST_LOOKED_THROUGH: u32 = 10_000;

/// `deputy` without a command: prints what is waiting and running, and the available commands. Does not create a home
/// that does not exist yet.
pub(crate) async fn overview(cx: &Context) -> Result<End, Failure> {
    if cx.homes.deputy.is_dir() {
        status(cx).await?;
        if !cx.json {
            Screen::new().line("");
        }
    } else if cx.json {
        view::print_json(&AgentState::Idle(IdleAgent {}));
    }
    if !cx.json {
        let screen = Screen::new();
        let program = view::program();
        for (command, does) in [
            ("run \"...\"", "start a task in this folder"),
            ("organize DIR", "tidy a folder with a plan you approve and can undo"),
            ("serve", "keep tasks running, and show the page"),
            ("--help", "everything else"),
        ] {
            screen.line(&format!("  {program} {command:<12}  {does}"));
        }
    }
    Ok(End::Done)
}

/// Prints what is running and what is waiting.
pub(crate) async fn status(cx: &Context) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let is_served = session.own.is_none();
    let state = session.state().await?;
    let grants = match session.query(Query::Grants(GrantsQuery {})).await? {
        QueryAnswer::Grants(answer) => answer.grants,
        _ => Vec::new(),
    };
    session.close().await;
    let cut_off = jobs::interrupted(cx)?;
    if cx.json {
        let mut value = serde_json::to_value(&state).unwrap_or_default();
        if !cut_off.is_empty() {
            value["interrupted_jobs"] = cut_off.iter().map(jobs::summary).collect();
        }
        view::print_json(&value);
        return Ok(End::Done);
    }
    let screen = Screen::new();
    jobs::interrupted_lines(&cut_off).iter().for_each(|line| screen.line(line));
    let AgentState::Active(active) = state else {
        screen.line(if is_served {
            "Nothing running, nothing waiting for you."
        } else {
            "Nothing running, nothing waiting for you. Deputy isn't running in the background."
        });
        return Ok(End::Done);
    };
    if !is_served {
        let text = "Deputy isn't running; `deputy serve` or `deputy follow TASK` continues these.";
        screen.hint(text);
    }
    let tree = tree(&active.tasks, tops(&active.tasks));
    tree.iter().for_each(|row| {
        print_task(&screen, row, is_served);
        print_folder_yes(&screen, row, &grants);
    });
    let program = view::program();
    for task in &active.tasks {
        let does = match &task.state {
            TaskState::AwaitingProvider(waits) => {
                format!("continues it now instead of at {}", until(waits.until_ms))
            }
            TaskState::Paused(paused) if paused.reason == PauseReason::Expired => "asks again".to_owned(),
            _ => continue,
        };
        screen.line(&format!("\n  {program} resume {}  {does}", task.id));
    }
    let about = |task: &TaskId| {
        // With one task it is clear which one waits.
        let goal = active.tasks.iter().filter(|_| active.tasks.len() > 1).find(|listed| listed.id == *task);
        if let Some(listed) = goal {
            screen.quiet(&format!("\n↳ {}", goal_words(listed.goal.lines().next().unwrap_or_default())));
        }
    };
    for request in &active.requests {
        about(&request.task);
        show_request(&screen, request, Extent::Short);
        screen.line("");
        if let Some((lifetime, does)) = view::first_answer(request) {
            screen.line(&format!("  {program} approve {} --for {lifetime}  {does}", request.id));
        }
        screen.line(&format!(
            "  {program} approve {0}\n  {program} change {0} \"...\"\n  {program} deny {0}",
            request.id
        ));
        if is_cut(request) {
            screen.line(&format!("  {program} follow {}  shows all of it", request.task));
        }
    }
    for question in &active.questions {
        about(&question.task);
        let choices = view::choices(question);
        view::show_question(&screen, question);
        screen.line(&format!("\n  {program} answer {} \"...\"{choices}", question.id));
    }
    Ok(End::Done)
}

/// A task in a list, indented below its parent tasks.
struct Row<'a> {
    task: &'a TaskSummary,
    depth: usize,
}

/// Returns the tasks whose parent is not in the list.
fn tops(all: &[TaskSummary]) -> impl Iterator<Item = &TaskSummary> {
    let ids: HashSet<&TaskId> = all.iter().map(|task| &task.id).collect();
    all.iter().filter(move |task| task.parent.as_ref().is_none_or(|parent| !ids.contains(&parent.task)))
}

/// Returns tasks with their sub-tasks. Each task comes before its sub-tasks, which are in the order of their
/// creation.
fn tree<'a>(all: &'a [TaskSummary], tops: impl IntoIterator<Item = &'a TaskSummary>) -> Vec<Row<'a>> {
    let mut below: HashMap<&TaskId, Vec<&TaskSummary>> = HashMap::new();
    for task in all {
        if let Some(parent) = &task.parent {
            below.entry(&parent.task).or_default().push(task);
        }
    }
    for parts in below.values_mut() {
        parts.sort_by_key(|part| part.created_at_ms);
    }
    fn add<'a>(
        rows: &mut Vec<Row<'a>>,
        below: &HashMap<&TaskId, Vec<&'a TaskSummary>>,
        task: &'a TaskSummary,
        depth: usize,
    ) {
        let parts = below.get(&task.id).map(Vec::as_slice).unwrap_or_default();
        rows.push(Row { task, depth });
        parts.iter().for_each(|part| add(rows, below, part, depth + 1));
    }
    let mut rows = Vec::new();
    tops.into_iter().for_each(|task| add(&mut rows, &below, task, 0));
    rows
}

/// The maximum number of matches that are shown per conversation.
const MOST_PLACES: usize = 3;

fn is_open(task: &&TaskSummary) -> bool {
    !matches!(task.state, TaskState::Stopped(_))
}

/// Returns the conversations with a match: a task with all words in its request, title, folder or id, or a text that
/// was found.
fn found<'a>(
    all: &'a [TaskSummary],
    words: &[String],
    said: &HashMap<&TaskId, &SaidInTask>,
) -> HashSet<&'a SessionId> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let has_all = |task: &&TaskSummary| {
        let title = task.title.as_deref().unwrap_or_default();
        let text = format!("{title}\n{}\n{}\n{}", task.goal, task.workspace, task.id).to_lowercase();
        said.contains_key(&task.id) || words.iter().all(|word| text.contains(word))
    };
    all.iter().filter(has_all).map(|task| &task.session).collect()
}

/// Lists all tasks, or those that match a search, newest first, with the sub-tasks of each below it.
pub(crate) async fn tasks(
    cx: &Context,
    words: &[String],
    limit: u32,
    archived: bool,
) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let said = (!words.is_empty()).then(|| words.join(" "));
    let query = Query::Tasks(TasksQuery { limit: MOST_LOOKED_THROUGH, said });
    let answer = session.query(query).await?;
    let is_served = session.own.is_none();
    session.close().await;
    let QueryAnswer::Tasks(answer) = answer else { return Ok(End::Failed) };
    let screen = Screen::new();
    // The archive state of a conversation is that of its newest task.
    let mut sessions = HashMap::new();
    for task in &answer.tasks {
        sessions.entry(&task.session).or_insert(task.archived);
    }
    let said: HashMap<&TaskId, &SaidInTask> = answer.said.iter().map(|said| (&said.task, said)).collect();
    let found = found(&answer.tasks, words, &said);
    let is_listed = |task: &&TaskSummary| {
        let is_away = sessions.get(&task.session) == Some(&true) && !is_open(task);
        // A search also finds archived conversations.
        found.contains(&task.session) && (is_away == archived || (is_away && !words.is_empty()))
    };
    let listed = tree(&answer.tasks, tops(&answer.tasks).filter(is_listed).take(limit as usize));
    if listed.is_empty() && !cx.json {
        screen.hint(match (archived, answer.tasks.is_empty()) {
            _ if !words.is_empty() => "Nothing found.",
            (true, _) => "Nothing is archived.",
            (false, true) => "No tasks yet. Start one with `deputy run \"...\"`.",
            (false, false) => "All conversations are archived; `deputy tasks --archived` lists them.",
        });
    }
    for row in &listed {
        if cx.json {
            view::print_json(row.task);
        } else {
            print_task(&screen, row, is_served);
            // The conversation is represented by one of its tasks, but the text may be in any of them.
            let of = answer.said.iter().filter(|said| is_said_in(said, row.task, &answer.tasks));
            of.take(MOST_PLACES).for_each(|said| print_said(&screen, said, row.depth));
        }
    }
    Ok(End::Done)
}

/// Returns whether a text is in a task, or in another task of its conversation that is not a sub-task.
fn is_said_in(said: &SaidInTask, task: &TaskSummary, all: &[TaskSummary]) -> bool {
    let of = || all.iter().find(|other| other.id == said.task);
    said.task == task.id
        || task.parent.is_none()
            && of().is_some_and(|other| other.parent.is_none() && other.session == task.session)
}

/// Prints a match of a search, with its author and time.
fn print_said(screen: &Screen, said: &SaidInTask, depth: usize) {
    let who = match said.role {
        MemoryRole::User => "You",
        MemoryRole::Assistant => "Deputy",
        MemoryRole::Tool => "A result",
    };
    let words = printable(&said.text.split_whitespace().collect::<Vec<_>>().join(" "));
    screen.line(&format!("{}    {who}, {}: \"{words}\"", "    ".repeat(depth), when(said.at_ms)));
}

fn print_task(screen: &Screen, row: &Row<'_>, is_served: bool) {
    let Row { task, depth } = row;
    let indent = "    ".repeat(*depth);
    let state = match &task.state {
        // The task's process died. Nothing runs until a host resumes the task.
        TaskState::Running(RunningTask { iteration })
        | TaskState::AwaitingSubtasks(AwaitingSubtasksTask { iteration })
            if !is_served =>
        {
            format!("interrupted at step {iteration}")
        }
        state => state_words(state),
    };
    screen.line(&format!("{indent}{}  {}  {state}", task.id, when(task.updated_at_ms)));
    let called = task.title.as_deref().unwrap_or(&task.goal);
    screen.line(&format!("{indent}    {}", goal_words(called.lines().next().unwrap_or_default())));
    if let Some(todo) = &task.todo {
        let current =
            todo.current.as_ref().map(|current| format!(": {}", printable(current))).unwrap_or_default();
        screen.line(&format!("{indent}    {} of {} steps done{current}", todo.done, todo.total));
    }
    if task.tokens > 0 {
        screen.line(&format!("{indent}    {}", view::spent(task.tokens, task.cost_micros, None)));
    }
}

/// Prints that a task works in its folder without asking, and the command that takes this back.
fn print_folder_yes(screen: &Screen, row: &Row<'_>, grants: &[Grant]) {
    let indent = "    ".repeat(row.depth + 1);
    for (says, command) in
        grants.iter().filter(|grant| is_grant_of(grant, row.task)).filter_map(view::folder_yes)
    {
        screen.line(&format!("{indent}{says}\n{indent}{} {command}  takes it back", view::program()));
    }
}

/// Prints everything that happened in a task and its sub-tasks.
pub(crate) async fn show(cx: &Context, task: &str) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let id = session.find_task(task).await?;
    let screen = Screen::new();
    let mut story = Story::default();
    let mut after = 0;
    let mut hosts = BTreeSet::new();
    loop {
        let page = events(&mut session, &id, after).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        for record in page {
            hosts.extend(reached(&record.event).cloned());
            if cx.json {
                view::print_json(&ServerMessage::Event(Box::new(EventMessage {
                    record,
                    update: None,
                    shortened: false,
                })));
            } else {
                story.tell(&screen, &record.event);
            }
        }
    }
    let is_served = session.own.is_none();
    let query = Query::Tasks(TasksQuery { limit: MOST_LOOKED_THROUGH, said: None });
    let all = match session.query(query).await? {
        QueryAnswer::Tasks(answer) if !cx.json => answer.tasks,
        _ => Vec::new(),
    };
    session.close().await;
    if !cx.json && !hosts.is_empty() {
        let hosts: Vec<String> = hosts.iter().map(|host| printable(host)).collect();
        screen.line(&format!("\n  Connected to {}", hosts.join(", ")));
    }
    let rows = tree(&all, all.iter().filter(|task| task.id == id));
    if rows.len() > 1 {
        screen.line("\n  Sub-tasks");
        rows.iter().skip(1).for_each(|row| print_task(&screen, row, is_served));
    }
    Ok(End::Done)
}

/// Returns the hosts that the task connected to in an event.
fn reached(event: &TaskEvent) -> impl Iterator<Item = &String> {
    let parts = match event {
        TaskEvent::ToolFinished(finished) => finished.result.parts.as_slice(),
        _ => &[],
    };
    parts.iter().flat_map(|part| match part {
        ResultPart::Web(web) => web.hosts.as_slice(),
        _ => &[],
    })
}

pub(super) async fn events(
    session: &mut Session,
    task: &TaskId,
    after: u64,
) -> Result<Vec<EventRecord>, Failure> {
    let query = EventsQuery { task: task.clone(), after, limit: 500, newest: false, brief: false };
    match session.query(Query::Events(query)).await? {
        QueryAnswer::Events(answer) => Ok(answer.events),
        _ => Ok(Vec::new()),
    }
}

/// Watches a task and asks the user for its answers. Resumes the task if no host runs it.
pub(crate) async fn follow(cx: &Context, task: &str) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Resume, true).await?;
    let id = session.find_task(task).await?;
    // If this process is the host, another screen is unlikely to answer; otherwise another screen may.
    let how = Watch { json: cx.json, leave_when_parked: session.own.is_some() };
    let end = watch(&mut session, &id, how).await;
    if let Some(own) = &session.own {
        run::wait_for_others(cx, own).await?;
    }
    session.close().await;
    end
}
