//! `deputy run`: submits a task and watches it.

use super::Context;
use crate::args::RunArgs;
use crate::failure::{End, Failure};
use crate::session::{MOST_HOSTS, OwnHost, Session, Tasks, connect_to_runner, has_ended};
use crate::view::{self, Screen, Watch, watch};
use deputy_protocol::{
    Command, CommandOutcome, ErrorCode, Query, QueryAnswer, Scope, SessionId, StartCommand, TaskSummary,
    TasksQuery, Terminal,
};
use deputy_server::Client;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// The number of tasks that are searched for a conversation.
const MOST_LOOKED_THROUGH: u32 = 1_000;

/// Submits the task. Watches it, or returns at once with `--detach`.
pub(crate) async fn execute(cx: &Context, args: RunArgs) -> Result<End, Failure> {
    let session = match &args.conversation {
        Some(named) => Some(conversation(cx, named, &absolute(&args.folder)?).await?),
        None => None,
    };
    let command = start_command(&args, session)?;
    start_as(cx, command, args.detach).await
}

/// Submits a task. Watches it, or returns at once.
pub(super) async fn start_as(cx: &Context, command: Command, is_detached: bool) -> Result<End, Failure> {
    if is_detached { detach(cx, command).await } else { hand_over(cx, command).await }
}

/// Submits a task and watches it to its end.
pub(super) async fn hand_over(cx: &Context, command: Command) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Resume, true).await?;
    let task = started(session.command(command).await?)?;
    let how = Watch { json: cx.json, leave_when_parked: true };
    let end = watch(&mut session, &task.id, how).await;
    if let Some(own) = &session.own {
        if matches!(&end, Ok(end) if *end != End::WaitsForPerson) {
            // The user has seen the end here, so the next `deputy serve` does not need to notify about it.
            let seen = std::iter::once(&task.id).chain(&session.handed_over);
            let seen = seen.map(ToString::to_string).collect();
            own.host.store().finish_notices(seen, Vec::new()).await?;
        }
        wait_for_others(cx, own).await?;
    }
    session.close().await;
    end
}

/// Returns the conversation with a session id, or that of a task with an id or a prefix of it. If nothing is named,
/// returns the newest one in the folder.
async fn conversation(cx: &Context, named: &str, folder: &str) -> Result<SessionId, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let found = conversation_in(&mut session, named, folder).await;
    session.close().await;
    found
}

async fn conversation_in(session: &mut Session, named: &str, folder: &str) -> Result<SessionId, Failure> {
    let answer = session.query(Query::Tasks(TasksQuery { limit: MOST_LOOKED_THROUGH, said: None })).await?;
    let QueryAnswer::Tasks(found) = answer else { return Err(misfit()) };
    // The host stores real paths.
    let folder = std::fs::canonicalize(folder).ok().and_then(|real| real.into_os_string().into_string().ok());
    let is_meant = |task: &TaskSummary| match named {
        "" => Some(&task.workspace) == folder.as_ref(),
        _ => task.session.as_str() == named,
    };
    match (found.tasks.into_iter().find(is_meant), named) {
        (Some(task), _) => Ok(task.session),
        (None, "") => Err(Failure::usage(
            "There is no conversation in this folder yet.".to_owned(),
            "Leave out --continue.",
        )),
        (None, _) => Ok(session.task(named).await?.session),
    }
}

fn start_command(args: &RunArgs, session: Option<SessionId>) -> Result<Command, Failure> {
    let all = |paths: &[PathBuf]| paths.iter().map(|path| absolute(path)).collect::<Result<Vec<_>, _>>();
    let scope = Scope {
        read: all(&args.read)?,
        write: all(&args.write)?,
        read_only: false,
        only_files: all(&args.only)?,
        only_tags: args.tag.clone(),
        names: args.names.clone(),
    };
    Ok(Command::Start(StartCommand {
        goal: args.task.clone(),
        workspace: absolute(&args.folder)?,
        profile: args.profile.clone(),
        backend: args.backend.clone(),
        model: args.model.clone(),
        session,
        after: None,
        scope,
        max_iterations: args.max_iterations,
        max_wall_secs: args.max_minutes.map(|minutes| minutes.saturating_mul(60)),
        max_tokens: args.max_tokens,
        max_cost_cents: args.max_cost,
        standing_consent: args.yes.map(Into::into),
        terminal: terminal(),
    }))
}

/// Returns what commands take over from this terminal. `None` if there is no `PATH`, or if it is not valid UTF-8.
pub(super) fn terminal() -> Option<Terminal> {
    let variable = |name| std::env::var(name).ok();
    Some(Terminal { path: variable("PATH")?, virtual_env: variable("VIRTUAL_ENV") })
}

/// Returns the absolute path, because the host has another working directory.
pub(super) fn absolute(path: &Path) -> Result<String, Failure> {
    let full = std::path::absolute(path).map_err(|error| {
        Failure::usage(format!("{} cannot be used: {error}.", path.display()), "Give a path that exists.")
    })?;
    full.into_os_string().into_string().map_err(|name| {
        Failure::usage(format!("The path {} is not valid UTF-8.", name.display()), "Rename it.")
    })
}

fn started(outcome: CommandOutcome) -> Result<TaskSummary, Failure> {
    match outcome {
        CommandOutcome::Started(started) => {
            view::ids::know([&started.task.id]);
            Ok(started.task)
        }
        _ => Err(misfit()),
    }
}

pub(super) fn misfit() -> Failure {
    Failure::new(ErrorCode::Host, "The host's answer does not fit.", "Use the same version for both.")
}

/// Waits for tasks that other screens submitted to this process in the meantime.
pub(super) async fn wait_for_others(cx: &Context, own: &OwnHost) -> Result<(), Failure> {
    if !cx.json && own.is_busy()? {
        let text = "Other tasks are still running here; this command ends with them. Ctrl-C pauses them.";
        Screen::new().line(text);
    }
    tokio::select! {
        idle = own.refuse_when_idle() => idle,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

/// Submits a task to a host in the background. Starts a host if there is none.
async fn detach(cx: &Context, command: Command) -> Result<End, Failure> {
    let id = deputy_agent::new_command_id();
    let mut tries = 0;
    let outcome = loop {
        let mut client = match connect_to_runner(&cx.homes).await? {
            Some(client) => client,
            None => start_host(cx).await?,
        };
        match client.command_as(id.clone(), command.clone()).await {
            Err(error) if has_ended(&error) && tries < MOST_HOSTS => tries += 1,
            outcome => break outcome?,
        }
    };
    let task = started(outcome)?;
    if cx.json {
        view::print_json(&task);
    } else {
        Screen::new().hint(&format!(
            "Task {} is running in the background; watch it with `deputy follow {}`.",
            task.id, task.id
        ));
    }
    Ok(End::Done)
}

async fn start_host(cx: &Context) -> Result<Client, Failure> {
    let failed =
        |message: String| Failure::new(ErrorCode::Host, message, "Start it yourself with `deputy serve`.");
    let exe =
        std::env::current_exe().map_err(|error| failed(format!("Deputy cannot find itself: {error}.")))?;
    let mut host = std::process::Command::new(exe);
    host.arg("--home").arg(&cx.homes.deputy).arg("serve");
    // In a separate process group, so that Ctrl-C in this terminal does not reach the host.
    host.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    host.spawn().map_err(|error| failed(format!("The host does not start: {error}.")))?;
    for _ in 0..200 {
        if let Some(client) = connect_to_runner(&cx.homes).await? {
            return Ok(client);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(failed("The host did not open its socket within 10 seconds.".to_owned()))
}
