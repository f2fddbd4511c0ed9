//! Conversations as a whole: `again`, `rename`, `archive`, `export`.

use super::control::done;
use super::{Context, run};
use crate::args::ConversationCommand;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{Markdown, in_use, write_all};
use deputy_protocol::{
    ArchiveCommand, Command, ErrorCode, EventRecord, EventsQuery, Query, QueryAnswer, RenameCommand,
    StartCommand, TaskEvent, TaskId, TaskQuery, TaskSpec, TaskSummary, TasksQuery,
};

/// Events that are asked for at a time.
const PAGE: u32 = 500;
/// Tasks that are looked through for those of a conversation.
const MOST_LOOKED_THROUGH: u32 = 10_000;

/// Does what was typed.
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
                "Archived. `deputy tasks --archived` lists what is."
            };
            done(cx, session, Command::Archive(ArchiveCommand { task, archived: !undo }), &in_use(said)).await
        }
        ConversationCommand::Export { task } => {
            let task = session.find_task(&task).await?;
            let text = export(&mut session, &task).await?;
            session.close().await;
            write_all(text.as_bytes());
            Ok(End::Done)
        }
    }
}

/// What was handed over, as the journal has it.
async fn handed_over(session: &mut Session, task: &TaskId) -> Result<TaskSpec, Failure> {
    let first = events(session, task, 0, 1).await?;
    match first.into_iter().next().map(|record| record.event) {
        Some(TaskEvent::Created(created)) => Ok(created.spec),
        _ => Err(misfit()),
    }
}

/// The same request in a conversation of its own. A standing consent was given for one run, and is not given again.
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
    }
}

async fn export(session: &mut Session, task: &TaskId) -> Result<String, Failure> {
    let QueryAnswer::Task(found) =
        session.client.query(Query::Task(TaskQuery { task: task.clone() })).await?
    else {
        return Err(misfit());
    };
    let query = Query::Tasks(TasksQuery { limit: MOST_LOOKED_THROUGH });
    let QueryAnswer::Tasks(all) = session.client.query(query).await? else { return Err(misfit()) };
    let mut tasks: Vec<TaskSummary> =
        all.tasks.into_iter().filter(|task| task.session == found.task.session).collect();
    tasks.reverse();
    let first = tasks.first().unwrap_or(&found.task);
    let mut text = Markdown::new(first.title.as_deref().unwrap_or(&first.goal));
    for task in &tasks {
        let mut after = 0;
        loop {
            let page = events(session, &task.id, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.seq;
            page.iter().for_each(|record| text.add(record));
        }
    }
    Ok(text.done())
}

async fn events(
    session: &mut Session,
    task: &TaskId,
    after: u64,
    limit: u32,
) -> Result<Vec<EventRecord>, Failure> {
    let query = EventsQuery { task: task.clone(), after, limit, newest: false, brief: false };
    match session.client.query(Query::Events(query)).await? {
        QueryAnswer::Events(answer) => Ok(answer.events),
        _ => Err(misfit()),
    }
}

fn misfit() -> Failure {
    Failure::new(ErrorCode::Host, "The host's answer does not fit.", "Use the same version for both.")
}
