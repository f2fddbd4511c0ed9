//! Commands for whole conversations: `again`, `rename`, `archive`, `fork`, `export` and `import`.

use super::control::done;
use super::{Context, run};
use crate::args::ConversationCommand;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{Markdown, Screen, print_json, write_all};
use deputy_protocol::{
    ArchiveCommand, Command, CommandOutcome, ErrorCode, EventRecord, EventsQuery, ForkCommand,
    ImportConversationCommand, ImportPart, ImportedOutcome, Query, QueryAnswer, RenameCommand, StartCommand,
    TaskEvent, TaskId, TaskQuery, TaskSpec, TaskSummary, TasksQuery,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The format name in the header of an exported file.
const FORMAT: &str = "deputy-conversation";
const VERSION: u32 = 1;
/// The maximum size in bytes of the events that are sent in one command.
const MOST_BYTES_AT_ONCE: usize = 200_000;
/// The number of events per query.
const PAGE: u32 = 500;
/// The number of tasks that are searched for those of a conversation.
const MOST_LOOKED_THROUGH: u32 = 10_000;

/// Runs the command.
pub(crate) async fn execute(cx: &Context, command: ConversationCommand) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    match command {
        ConversationCommand::Again { task, detach } => {
            let task = session.find_task(&task).await?;
            let spec = handed_over(&mut session, &task).await?;
            session.close().await;
            run::start_as(cx, Command::Start(same(spec)), detach).await
        }
        ConversationCommand::Rename { task, title } => {
            let task = session.find_task(&task).await?;
            done(cx, session, Command::Rename(RenameCommand { task, title }), "Renamed.").await
        }
        ConversationCommand::Archive { task, undo } => {
            let task = session.find_task(&task).await?;
            let said = if undo {
                "Back in `deputy tasks`."
            } else {
                "Archived. `deputy tasks --archived` lists archived conversations."
            };
            done(cx, session, Command::Archive(ArchiveCommand { task, archived: !undo }), said).await
        }
        ConversationCommand::Export { task } => {
            let task = session.find_task(&task).await?;
            let exported =
                if cx.json { lines(&mut session, &task).await } else { export(&mut session, &task).await };
            session.close().await;
            write_all(exported?.as_bytes());
            Ok(End::Done)
        }
        ConversationCommand::Fork { task, text, step, detach } => {
            let task = session.find_task(&task).await?;
            session.close().await;
            run::start_as(cx, Command::Fork(ForkCommand { task, step, text }), detach).await
        }
        ConversationCommand::Import { file, folder } => import(cx, session, &file, &folder).await,
    }
}

/// Returns the specification with which a task was submitted, from the journal.
async fn handed_over(session: &mut Session, task: &TaskId) -> Result<TaskSpec, Failure> {
    let first = events(session, task, 0, 1).await?;
    match first.into_iter().next().map(|record| record.event) {
        Some(TaskEvent::Created(created)) => Ok(created.spec),
        _ => Err(misfit()),
    }
}

/// Returns the same request as a new conversation. A standing consent only applies to one run, so it is not copied.
fn same(spec: TaskSpec) -> StartCommand {
    StartCommand {
        goal: spec.goal,
        workspace: spec.workspace,
        profile: Some(spec.profile),
        backend: Some(spec.backend),
        model: spec.model,
        session: None,
        after: None,
        scope: spec.scope,
        max_iterations: Some(spec.limits.max_iterations),
        max_wall_secs: Some(spec.limits.max_wall_secs),
        max_tokens: Some(spec.limits.max_tokens),
        max_cost_cents: Some(spec.limits.max_cost_cents),
        standing_consent: None,
        terminal: run::terminal(),
    }
}

/// Returns the tasks of a conversation, oldest first.
async fn tasks_of(session: &mut Session, task: &TaskId) -> Result<Vec<TaskSummary>, Failure> {
    let QueryAnswer::Task(found) = session.query(Query::Task(TaskQuery { task: task.clone() })).await? else {
        return Err(misfit());
    };
    let query = Query::Tasks(TasksQuery { limit: MOST_LOOKED_THROUGH, said: None });
    let QueryAnswer::Tasks(all) = session.query(query).await? else { return Err(misfit()) };
    let mut tasks: Vec<TaskSummary> =
        all.tasks.into_iter().filter(|task| task.session == found.task.session).collect();
    tasks.reverse();
    if tasks.is_empty() {
        tasks.push(found.task);
    }
    Ok(tasks)
}

/// Calls `show` with every event of some tasks.
async fn each_event(
    session: &mut Session,
    tasks: &[TaskSummary],
    mut show: impl FnMut(&EventRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for task in tasks {
        let mut after = 0;
        loop {
            let page = events(session, &task.id, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            page.iter().try_for_each(&mut show)?;
        }
    }
    Ok(())
}

async fn export(session: &mut Session, task: &TaskId) -> Result<String, Failure> {
    let tasks = tasks_of(session, task).await?;
    let Some(first) = tasks.first() else { return Err(misfit()) };
    let mut text = Markdown::new(first.title.as_deref().unwrap_or(&first.goal));
    each_event(session, &tasks, |record| {
        text.add(record);
        Ok(())
    })
    .await?;
    Ok(text.done())
}

/// The first line of an exported file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// Returns a header line and the events of a conversation, one per line.
async fn lines(session: &mut Session, task: &TaskId) -> Result<String, Failure> {
    let tasks = tasks_of(session, task).await?;
    let json = |line: serde_json::Result<String>| line.map_err(|_| misfit());
    let mut text = json(serde_json::to_string(&Header { format: FORMAT.to_owned(), version: VERSION }))?;
    text.push('\n');
    each_event(session, &tasks, |record| {
        text.push_str(&json(serde_json::to_string(record))?);
        text.push('\n');
        Ok(())
    })
    .await?;
    Ok(text)
}

async fn import(cx: &Context, mut session: Session, file: &Path, folder: &Path) -> Result<End, Failure> {
    let refused = |why: String| {
        let hint = "Export it with `deputy export TASK --json > FILE`.";
        Failure::new(ErrorCode::BadText, format!("{} cannot be imported: {why}.", file.display()), hint)
    };
    let text = std::fs::read_to_string(file).map_err(|error| refused(error.to_string()))?;
    let mut rows = text.lines();
    let header: Option<Header> = rows.next().and_then(|line| serde_json::from_str(line).ok());
    if !header.is_some_and(|header| header.format == FORMAT && header.version == VERSION) {
        return Err(refused("it is no conversation of this version".to_owned()));
    }
    let mut parts: Vec<(usize, Vec<EventRecord>)> = vec![(0, Vec::new())];
    for (number, line) in rows.enumerate() {
        let event =
            serde_json::from_str(line).map_err(|error| refused(format!("line {}: {error}", number + 2)))?;
        if parts.last().is_some_and(|(bytes, _)| bytes + line.len() > MOST_BYTES_AT_ONCE) {
            parts.push((0, Vec::new()));
        }
        if let Some((bytes, events)) = parts.last_mut() {
            *bytes += line.len();
            events.push(event);
        }
    }
    let workspace = run::absolute(folder)?;
    let (id, last) = (deputy_agent::new_command_id().0, parts.len() - 1);
    let mut imported = ImportedOutcome { imported: 0, present: 0, task: None };
    for (number, (_, events)) in parts.into_iter().enumerate() {
        let part = ImportPart {
            id: id.clone(),
            number: u32::try_from(number).unwrap_or(u32::MAX),
            is_last: number == last,
        };
        let command = ImportConversationCommand { workspace: workspace.clone(), events, part };
        match session.command(Command::ImportConversation(command)).await? {
            CommandOutcome::Imported(outcome) => imported = outcome,
            _ => return Err(misfit()),
        }
    }
    session.close().await;
    if cx.json {
        print_json(&imported);
    } else {
        let tasks = if imported.imported == 1 { "task" } else { "tasks" };
        let read =
            imported.task.map(|task| format!("; `deputy show {task}` shows the newest")).unwrap_or_default();
        Screen::new().hint(&format!("Imported {} {tasks}{read}.", imported.imported));
    }
    Ok(End::Done)
}

async fn events(
    session: &mut Session,
    task: &TaskId,
    after: u64,
    limit: u32,
) -> Result<Vec<EventRecord>, Failure> {
    let query = EventsQuery { task: task.clone(), after, limit, newest: false, brief: false };
    match session.query(Query::Events(query)).await? {
        QueryAnswer::Events(answer) => Ok(answer.events),
        _ => Err(misfit()),
    }
}

fn misfit() -> Failure {
    Failure::new(ErrorCode::Host, "The host's answer does not fit.", "Use the same version for both.")
}
