//! Commands that control a task: `pause`, `resume`, `stop`, `switch`, `browser`, `steer`, `answer`, `approve` and
//! `deny`.

use super::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Extent, Screen, offered_choice, show_request, typed_yes};
use deputy_protocol::{
    AgentState, AnswerPermissionCommand, AnswerQuestionCommand, Answerer, BackgroundId, Choice, Command,
    DenyChoice, ErrorCode, EventRecord, EventsQuery, Lifetime, LocalAnswerer, PauseCommand, PauseReason,
    PermissionAnswer, PermissionRequest, PreviewGrantQuery, Query, QueryAnswer, RequestId, Responder,
    ResumeCommand, ReturnBrowserCommand, Risk, SteerCommand, StopBackgroundCommand, StopCommand,
    SwitchModelCommand, TakeBrowserCommand, TaskEvent, TaskId, TaskState,
};
use std::io::IsTerminal;

/// Pauses a task.
pub(crate) async fn pause(cx: &Context, task: &str) -> Result<End, Failure> {
    tell(cx, task, "Pausing after the current call.", |task| Command::Pause(PauseCommand { task })).await
}

/// Resumes a task.
pub(crate) async fn resume(cx: &Context, task: &str) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let id = session.find_task(task).await?;
    // Resuming does not answer open questions and requests, so the task may still be waiting.
    let waits = match session.state().await? {
        AgentState::Active(active) => {
            let asked = active.requests.iter().map(|request| (&request.task, &request.id));
            let asked = asked.chain(active.questions.iter().map(|question| (&question.task, &question.id)));
            asked.filter(|(of, _)| **of == id).map(|(_, request)| request.clone()).next()
        }
        AgentState::Idle(_) => None,
    };
    let said = match waits {
        Some(request) => format!("It needs your answer to {request}; `deputy status` shows it."),
        None => "Resumed.".to_owned(),
    };
    done(cx, session, Command::Resume(ResumeCommand { task: id }), &said).await
}

/// Stops a task.
pub(crate) async fn stop(cx: &Context, task: &str) -> Result<End, Failure> {
    tell(cx, task, "Stopping; the current call may finish first.", |task| Command::Stop(StopCommand { task }))
        .await
}

/// Stops one background command of a task.
pub(crate) async fn stop_background(cx: &Context, task: &str, background: &str) -> Result<End, Failure> {
    let background = BackgroundId::new(background);
    let said = format!("{background} is being stopped.");
    tell(cx, task, &said, |task| Command::StopBackground(StopBackgroundCommand { task, background })).await
}

/// Opens a task's browser in a window.
pub(crate) async fn take_browser(cx: &Context, task: &str) -> Result<End, Failure> {
    let said = format!("Its browser is open in a window. `deputy browser return {task}` gives it back.");
    tell(cx, task, &said, |task| Command::TakeBrowser(TakeBrowserCommand { task })).await
}

/// Returns the browser to its task.
pub(crate) async fn return_browser(cx: &Context, task: &str) -> Result<End, Failure> {
    let command = |task| Command::ReturnBrowser(ReturnBrowserCommand { task });
    tell(cx, task, "The task has its browser back.", command).await
}

/// Adds an instruction to a task.
pub(crate) async fn steer(cx: &Context, task: &str, text: String) -> Result<End, Failure> {
    tell(cx, task, "Instruction added.", |task| Command::Steer(SteerCommand { task, text })).await
}

/// Switches a task to another backend or model.
pub(crate) async fn switch(
    cx: &Context,
    task: &str,
    backend: Option<String>,
    model: Option<String>,
) -> Result<End, Failure> {
    let command = |task| Command::SwitchModel(SwitchModelCommand { task, backend, model });
    tell(cx, task, "Switched from the next step on.", command).await
}

async fn tell(
    cx: &Context,
    task: &str,
    said: &str,
    command: impl FnOnce(TaskId) -> Command,
) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let id = session.find_task(task).await?;
    done(cx, session, command(id), said).await
}

/// Answers a question.
pub(crate) async fn answer(cx: &Context, request: &str, text: String) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let open = match session.state().await? {
        AgentState::Active(active) => active.questions,
        AgentState::Idle(_) => Vec::new(),
    };
    // If no open question matches, the host reports why.
    let found = named(open, request, |question| question.id.as_str())?;
    let request = found.map_or_else(|| RequestId::new(request), |question| question.id);
    let command = Command::AnswerQuestion(AnswerQuestionCommand {
        request,
        text,
        by: Some(Responder::Local(command_line())),
    });
    done(cx, session, command, "Answered.").await
}

/// Approves a permission request.
pub(crate) async fn approve(
    cx: &Context,
    request: &str,
    lifetime: &str,
    wider: bool,
    drop: &[String],
) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let request = find_request(&mut session, request).await?;
    let mut choice = offered_choice(&request, lifetime, wider)?;
    choice.dropped = view::dropped(&request, drop).map_err(|error| {
        Failure::usage(error.to_string(), "`deputy status` shows each edit with its number and its file.")
    })?;
    if !cx.json && !choice.lifetime.is_one_call() {
        let query = PreviewGrantQuery {
            request: request.id.clone(),
            lifetime: choice.lifetime.clone(),
            wider: choice.wider,
        };
        if let QueryAnswer::GrantPreview(preview) = session.query(Query::PreviewGrant(query)).await? {
            view::show_preview(&Screen::new(), &preview);
        }
    }
    // Names without values are not the high risk.
    let is_high = request.risk == Risk::High && !matches!(choice.lifetime, Lifetime::Names(_));
    if !cx.json && is_high && is_person() {
        let screen = Screen::new();
        show_request(&screen, &request, Extent::Whole);
        if !typed_yes(&screen).await {
            screen.hint("Not approved. The request still waits.");
            session.close().await;
            return Ok(End::WaitsForPerson);
        }
    }
    let said = view::allowed(&request, &choice);
    done(cx, session, decision(request, Choice::Allow(choice)), &said).await
}

/// Whether a person is at the terminal. Where none is, the command itself is the answer.
fn is_person() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Denies a permission request.
pub(crate) async fn deny(cx: &Context, request: &str, reason: String) -> Result<End, Failure> {
    refuse(cx, request, DenyChoice { reason: reason.into(), change: false }, "Denied").await
}

/// Asks for a change of what a permission request wants.
pub(crate) async fn change(cx: &Context, request: &str, words: String) -> Result<End, Failure> {
    refuse(cx, request, DenyChoice { reason: words.into(), change: true }, "Asked for a change of").await
}

async fn refuse(cx: &Context, request: &str, deny: DenyChoice, deed: &str) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let request = find_request(&mut session, request).await?;
    let said = format!("{deed}: {}", view::printable(&request.summary));
    done(cx, session, decision(request, Choice::Deny(deny)), &said).await
}

fn decision(request: PermissionRequest, choice: Choice) -> Command {
    let by = Answerer::Local(command_line());
    let answer = PermissionAnswer { request: request.id, digest: request.digest, choice, by };
    Command::AnswerPermission(AnswerPermissionCommand { answer })
}

/// Finds the open permission request with an id or a prefix of it. The answer then uses the digest of that request.
async fn find_request(session: &mut Session, id: &str) -> Result<PermissionRequest, Failure> {
    let (open, tasks) = match session.state().await? {
        AgentState::Active(active) => (active.requests, active.tasks),
        AgentState::Idle(_) => Default::default(),
    };
    if let Some(request) = named(open, id, |request| request.id.as_str())? {
        return Ok(request);
    }
    // The host says that it expired, and lets the task ask again.
    for task in tasks {
        if matches!(task.state, TaskState::Paused(paused) if paused.reason == PauseReason::Expired)
            && let Some(request) = named(requests_of(session, task.id).await?, id, |one| one.id.as_str())?
        {
            return Ok(request);
        }
    }
    let message = format!("No open permission request has the ID `{id}`.");
    let hint = "`deputy status` lists what waits; it may have been answered elsewhere.";
    Err(Failure::new(ErrorCode::UnknownRequest, message, hint))
}

/// Returns the newest permission requests of a task.
async fn requests_of(session: &mut Session, task: TaskId) -> Result<Vec<PermissionRequest>, Failure> {
    let query = EventsQuery { task, after: 0, limit: 500, newest: true, brief: false };
    let QueryAnswer::Events(page) = session.query(Query::Events(query)).await? else { return Ok(Vec::new()) };
    let request = |record: EventRecord| match record.event {
        TaskEvent::PermissionRequested(asked) => Some(asked.request),
        _ => None,
    };
    Ok(page.events.into_iter().filter_map(request).collect())
}

/// Finds the open item with an id or a prefix of it. `None` if there is none; an error if several match.
fn named<T>(open: Vec<T>, id: &str, id_of: impl Fn(&T) -> &str) -> Result<Option<T>, Failure> {
    let is_meant = |one: &&T| !id.is_empty() && id_of(one).starts_with(id);
    let exact = open.iter().position(|one| id_of(one) == id);
    let mut found = open.iter().filter(is_meant);
    if exact.is_none()
        && let (Some(one), Some(other)) = (found.next(), found.next())
    {
        let message = format!("`{id}` could mean {} or {}.", id_of(one), id_of(other));
        return Err(Failure::usage(message, "Give more of the ID."));
    }
    let at = exact.or_else(|| open.iter().position(|one| is_meant(&one)));
    Ok(at.and_then(|at| open.into_iter().nth(at)))
}

/// Sends a command and prints its result.
pub(super) async fn done(
    cx: &Context,
    mut session: Session,
    command: Command,
    said: &str,
) -> Result<End, Failure> {
    // Renaming and archiving a conversation need no running host.
    let is_done = matches!(command, Command::Rename(_) | Command::Archive(_));
    let outcome = session.command(command).await?;
    let is_served = session.own.is_none();
    session.close().await;
    if cx.json {
        view::print_json(&outcome);
    } else {
        let screen = Screen::new();
        screen.hint(said);
        if !is_served && !is_done {
            let text = "Deputy isn't running: this is saved and takes effect with `deputy serve` or `deputy follow TASK`.";
            screen.hint(text);
        }
    }
    Ok(End::Done)
}

/// Returns this program as the one that answers.
fn command_line() -> LocalAnswerer {
    LocalAnswerer { screen: "command line".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_an_id_names_what_waits_where_it_is_one() {
        let of = |id: &str| named(vec!["rab", "rac", "rabc"], id, |one| one);
        assert_eq!(of("rac").unwrap(), Some("rac"));
        assert_eq!(of("rab").unwrap(), Some("rab"), "an exact ID comes before longer ones");
        assert_eq!(of("rabc").unwrap(), Some("rabc"));
        assert_eq!((of("").unwrap(), of("x").unwrap()), (None, None));
        assert!(of("ra").unwrap_err().error.message.contains("could mean rab or rac"));
    }
}
