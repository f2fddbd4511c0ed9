//! Watching one task to its end: events in, the story out, prompts where a person is there to answer.

mod folder_yes;
mod hand_over;
mod parts;

use self::folder_yes::{FolderYes, is_remembered};
use self::parts::Parts;
use super::asked::{self, Extent};
use super::keyboard::{Keyboard, Typed, typed};
use super::organized::Organized;
use super::preview;
use super::prompt::{Prompt, Wish};
use super::screen::Screen;
use super::story::Story;
use super::text::{choices, printable};
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use deputy_protocol::{
    AllowChoice, AnswerPermissionCommand, AnswerQuestionCommand, Answerer, CallId, Choice, Command,
    DenyChoice, ErrorCode, EventMessage, EventRecord, LocalAnswerer, PauseCommand, PauseReason,
    PermissionAnswer, PermissionRequest, PreviewGrantQuery, Query, QueryAnswer, Question, Responder,
    ResumeCommand, Risk, ServerMessage, SteerCommand, StopCommand, TaskEvent, TaskId, TaskSpec, TaskStatus,
    Waiting,
};
use deputy_server::ClientError;
use std::io::IsTerminal;
use std::time::Instant;
use tokio::sync::mpsc;

/// How a task is watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Lines of JSON instead of the story.
    pub(crate) json: bool,
    /// Whether to return once the task waits and nobody here can answer.
    pub(crate) leave_when_parked: bool,
}

/// Watches a task until it ends, or waits for somebody who is not here.
pub(crate) async fn watch(session: &mut Session, task: &TaskId, how: Watch) -> Result<End, Failure> {
    let is_interactive = !how.json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut watcher = Watcher {
        session,
        task: task.clone(),
        how,
        is_interactive,
        screen: Screen::new(),
        story: Story::default(),
        organized: Organized::default(),
        seen: 0,
        consent: None,
        doubted: None,
        spec: None,
        folder_yes: FolderYes::new(),
        asked: None,
        parts: Parts::default(),
        in_vain: None,
        status: TaskStatus::default(),
        is_pausing: false,
        prompt: None,
        keyboard: is_interactive.then(Keyboard::new),
        opened: Instant::now(),
    };
    let end = watcher.run().await;
    watcher.screen.rest();
    end
}

struct Watcher<'a> {
    session: &'a mut Session,
    task: TaskId,
    how: Watch,
    is_interactive: bool,
    screen: Screen,
    story: Story,
    organized: Organized,
    /// The last event that was shown.
    seen: u64,
    consent: Option<Risk>,
    /// The call that a review wants a person for, whatever was consented to.
    doubted: Option<CallId>,
    /// What was submitted.
    spec: Option<Box<TaskSpec>>,
    /// Whether the task works in its folder without asking.
    folder_yes: FolderYes,
    /// The request or question that waits for its answer.
    asked: Option<Prompt>,
    /// Its sub-tasks, which are asked about here as well.
    parts: Parts,
    /// A request that nobody will answer.
    in_vain: Option<Box<PermissionRequest>>,
    status: TaskStatus,
    /// Ctrl-C was pressed and the task is not continuing since.
    is_pausing: bool,
    /// What the next key or typed line is for.
    prompt: Option<Prompt>,
    keyboard: Option<Keyboard>,
    /// Since when it is there: what was typed before is not an answer to it.
    opened: Instant,
}

impl Watcher<'_> {
    async fn run(&mut self) -> Result<End, Failure> {
        let mut lines = self.is_interactive.then(typed);
        loop {
            let end = match self.watch_to_end(&mut lines).await {
                Err(failure) if failure.error.code == ErrorCode::Host && self.session.own.is_none() => {
                    // The host may have ended because all of its tasks have.
                    self.session.open_again(Tasks::Leave).await?;
                    self.tell_past().await?.ok_or(failure)?
                }
                end => end?,
            };
            if end != End::NeedsModel || !self.hand_over(&mut lines).await? {
                return Ok(end);
            }
        }
    }

    async fn watch_to_end(
        &mut self,
        lines: &mut Option<mpsc::UnboundedReceiver<Typed>>,
    ) -> Result<End, Failure> {
        if let Some(end) = self.tell_past().await? {
            return Ok(end);
        }
        if let Some(end) = self.take_up_parts().await? {
            return Ok(end);
        }
        if self.is_interactive && self.status.is_paused_for(PauseReason::Expired) {
            // A person is here now.
            self.send(Command::Resume(ResumeCommand { task: self.task.clone() })).await?;
        }
        self.refuse_where_nobody_is().await?;
        loop {
            tokio::select! {
                message = self.session.client.next() => match message {
                    Ok(message) => {
                        let end = self.message(message)?;
                        if end.is_none() && self.tell_folder_yes().await? {
                            self.show_prompt();
                        }
                        self.refuse_where_nobody_is().await?;
                        if let Some(end) = end { return Ok(end) }
                    }
                    Err(ClientError::Gone) => return Err(ClientError::Gone.into()),
                    Err(error) => return Err(error.into()),
                },
                Some(line) = next_line(lines) => if line.at >= self.opened
                    && let Some(end) = self.typed(&line).await? { return Ok(end) },
                _ = tokio::signal::ctrl_c() => self.interrupted().await?,
            }
        }
    }

    /// What happened before we came.
    async fn tell_past(&mut self) -> Result<Option<End>, Failure> {
        const PAGE: u32 = 500;
        loop {
            let query = deputy_protocol::EventsQuery {
                task: self.task.clone(),
                after: self.seen,
                limit: PAGE,
                newest: false,
                brief: false,
            };
            let QueryAnswer::Events(page) = self.session.query(Query::Events(query)).await? else {
                return Err(ClientError::Gone.into());
            };
            let count = page.events.len();
            for record in page.events {
                if let Some(end) = self.event(record) {
                    return Ok(Some(end));
                }
            }
            if count < PAGE as usize {
                self.tell_folder_yes().await?;
                return Ok(self.parked());
            }
        }
    }

    fn message(&mut self, message: ServerMessage) -> Result<Option<End>, Failure> {
        match message {
            ServerMessage::Event(event) if event.record.task == self.task && event.record.seq > self.seen => {
                let end = self.event(event.record);
                Ok(end.or_else(|| self.parked()))
            }
            ServerMessage::Event(event) if event.record.task != self.task => {
                Ok(self.part_event(&event.record))
            }
            ServerMessage::Progress(progress) if progress.task == self.task && !self.how.json => {
                if self.prompt.is_none() {
                    self.story.hear(&self.screen, progress.call.is_some(), &progress.text);
                }
                Ok(None)
            }
            ServerMessage::Error(error) => Err(error.error.into()),
            _ => Ok(None),
        }
    }

    /// Whether the call that asks runs in this process, so that it cannot wait for an answer later.
    fn is_in_vain(&self) -> bool {
        self.how.leave_when_parked && !self.is_interactive && self.session.own.is_some()
    }

    /// Tells an event, and says whether the task ended with it.
    fn event(&mut self, record: EventRecord) -> Option<End> {
        self.seen = record.seq;
        self.organized.note(&record.event);
        let before = self.status.waiting();
        self.status.apply(&record.event);
        if self.how.json {
            print_record(&record);
        } else {
            self.story.tell(&self.screen, &record.event);
        }
        match record.event {
            TaskEvent::Created(created) => {
                self.consent = created.spec.standing_consent;
                self.spec = Some(Box::new(created.spec));
            }
            TaskEvent::Reviewed(reviewed) if reviewed.asks => self.doubted = Some(reviewed.call),
            TaskEvent::PermissionRequested(asked) => {
                let is_doubted = self.doubted.as_ref() == Some(&asked.request.call);
                let is_answered = !is_doubted
                    && asked.request.details.wanted.is_none()
                    && self.consent.is_some_and(|up_to| asked.request.risk <= up_to);
                let request = (!is_answered).then_some(Box::new(asked.request));
                let is_in_vain = self.is_in_vain();
                let is_lost = |request: &PermissionRequest| is_in_vain && request.details.wanted.is_some();
                (self.in_vain, self.asked) = match request {
                    Some(request) if is_lost(&request) => (Some(request), None),
                    request => (None, request.map(Prompt::Permission)),
                };
                self.turn_to_person();
            }
            TaskEvent::QuestionAsked(asked) => {
                self.asked = Some(Prompt::Question(asked.question));
                self.turn_to_person();
            }
            TaskEvent::PermissionAnswered(answered) => {
                self.folder_yes.is_stale |= is_remembered(&answered.choice);
                (self.asked, self.in_vain) = (None, None);
                self.turn_to_person();
            }
            TaskEvent::QuestionAnswered(_) => {
                (self.asked, self.in_vain) = (None, None);
                self.turn_to_person();
            }
            // The host withdraws what a call asks that has not begun. Until its event comes, nobody needs to answer.
            TaskEvent::Steered(_) if self.asked.as_ref().is_some_and(Prompt::asks_before_a_call) => {
                self.asked = None;
                self.turn_to_person();
            }
            TaskEvent::Resumed(_) => self.is_pausing = false,
            TaskEvent::Stopped(stopped) => {
                self.prompt = None;
                let has_changes = stopped.report.as_ref().is_some_and(|report| report.changed_something());
                if has_changes && !self.how.json {
                    self.screen.line("");
                    self.screen.hint(&format!("  `deputy undo {}` undoes these changes.", self.task));
                }
                return Some(self.organized.end_of(stopped.reason));
            }
            _ => {}
        }
        if self.status.waiting() != before {
            self.turn_to_person();
        }
        None
    }

    /// What the person has to say next. A pause comes before the request that waits in it.
    fn turn_to_person(&mut self) {
        self.ask(match self.status.waiting() {
            Some(Waiting::Resume(PauseReason::Expired)) => Some(Prompt::Expired),
            Some(Waiting::Resume(_) | Waiting::Inbox(_)) => Some(Prompt::Paused),
            Some(Waiting::Provider(_)) => Some(Prompt::AwaitsProvider),
            _ => self.asked.clone().or_else(|| self.parts.next()),
        });
    }

    /// Whether the task is held until a person resumes it, or until there is room in the inbox.
    fn is_paused(&self) -> bool {
        matches!(self.status.waiting(), Some(Waiting::Resume(_) | Waiting::Inbox(_)))
    }

    /// Where the task waits for a person: asks the one at the terminal, or says how to answer and leaves.
    fn parked(&mut self) -> Option<End> {
        if self.is_interactive {
            self.show_prompt();
            return None;
        }
        // While one sub-task waits the others continue: leaving before them would cut them off.
        let is_stuck = self.asked.is_some() || self.is_paused() || self.parts.all_wait();
        (self.prompt.is_some() && is_stuck && self.how.leave_when_parked).then(|| {
            self.say_how_to_answer();
            End::WaitsForPerson
        })
    }

    /// For anyone who reads the output later.
    fn say_how_to_answer(&self) {
        if self.how.json {
            return;
        }
        match &self.prompt {
            Some(Prompt::Permission(request)) => self.screen.hint(&format!(
                "  needs your approval: `deputy approve {0}` or `deputy deny {0}`, then `deputy follow {1}`",
                request.id, self.task
            )),
            Some(Prompt::Question(question)) => self.screen.hint(&format!(
                "  needs your answer{}: `deputy answer {} \"...\"`, then `deputy follow {}`",
                choices(question),
                question.id,
                self.task
            )),
            Some(Prompt::Expired) => self
                .screen
                .hint(&format!("  nobody answered in time: `deputy resume {}` asks again", self.task)),
            _ if matches!(self.status.waiting(), Some(Waiting::Inbox(_))) => self.screen.hint(&format!(
                "  waits for room in your inbox: `deputy status` lists what waits, then `deputy follow {}`",
                self.task
            )),
            _ => self.screen.hint(&format!("  paused: `deputy resume {}`", self.task)),
        }
    }

    /// Asks something else from here on, and drops what was typed before that could be seen: the begun line that
    /// the terminal holds, and by its time the whole one that was read already.
    fn ask(&mut self, prompt: Option<Prompt>) {
        if let (Some(keyboard), Some(prompt)) = (&self.keyboard, &prompt) {
            if prompt.takes_key() {
                keyboard.keys();
            } else {
                keyboard.lines();
            }
        }
        self.opened = Instant::now();
        self.prompt = prompt;
    }

    /// Shows what is asked, also again, below what was shown meanwhile. A line typed meanwhile is an answer.
    fn show_prompt(&self) {
        if let (true, Some(prompt)) = (self.is_interactive, &self.prompt) {
            prompt.show(&self.screen);
        }
    }

    fn open(&mut self, prompt: Prompt) {
        self.ask(Some(prompt));
        self.show_prompt();
    }

    /// Something was typed. Without an open prompt it is nobody's answer.
    async fn typed(&mut self, typed: &Typed) -> Result<Option<End>, Failure> {
        let Some(prompt) = self.prompt.clone() else { return Ok(None) };
        let wish = if prompt.takes_key() {
            let wish = typed.key().and_then(|key| prompt.key(key));
            if wish.is_some() {
                // A key is not shown by itself; what comes of it is below the prompt.
                self.screen.prompt("\n");
            }
            wish
        } else {
            self.screen.typed();
            prompt.line(&typed.text)
        };
        let Some(wish) = wish else { return Ok(None) };
        if let Some(next) = prompt.next(&wish) {
            self.open(next);
            return Ok(None);
        }
        let task = self.task.clone();
        match (wish, &prompt) {
            (
                Wish::Allow(choice),
                Prompt::Permission(request) | Prompt::LeaveOut(request) | Prompt::ConfirmBroader(request, _),
            ) => {
                self.answer(request, Choice::Allow(choice)).await?;
            }
            (Wish::Deny(deny), Prompt::DenyReason(request) | Prompt::Change(request)) => {
                self.answer(request, Choice::Deny(deny)).await?;
            }
            (Wish::Preview(choice), Prompt::HowLong(request)) => self.preview(request, choice).await?,
            (Wish::ShowAll, Prompt::Permission(request)) => {
                asked::whole(&self.screen, request);
                self.show_prompt();
            }
            (Wish::Answer(text), Prompt::Question(question)) => {
                if question.task == self.task {
                    self.story.typed_here();
                }
                self.send(answered(question, text)).await?;
            }
            (Wish::Resume, _) => self.send(Command::Resume(ResumeCommand { task })).await?,
            (Wish::Stop, _) => self.send(Command::Stop(StopCommand { task })).await?,
            (Wish::Steer(text), _) => {
                self.story.typed_here();
                self.send(Command::Steer(SteerCommand { task: task.clone(), text })).await?;
                self.send(Command::Resume(ResumeCommand { task })).await?;
            }
            (Wish::Leave, _) => {
                self.screen.hint(&format!("  stays paused; `deputy resume {task}` continues it"));
                return Ok(Some(End::WaitsForPerson));
            }
            (Wish::Help(text), Prompt::ConfirmBroader(request, _) | Prompt::LeaveOut(request)) => {
                self.screen.line(&format!("  {text}"));
                self.open(Prompt::Permission(request.clone()));
            }
            (Wish::Help(text), _) => {
                self.screen.line(&format!("  {text}"));
                self.show_prompt();
            }
            _ => self.show_prompt(),
        }
        Ok(None)
    }

    /// Says no to what a running call wants, where nobody is here to be asked: it gets what it gets without asking.
    async fn refuse_where_nobody_is(&mut self) -> Result<(), Failure> {
        let Some(request) = self.in_vain.take() else { return Ok(()) };
        let reason = "nobody was here to answer".to_owned();
        self.answer(&request, Choice::Deny(DenyChoice { reason: reason.into(), ..DenyChoice::default() }))
            .await
    }

    async fn answer(&mut self, request: &PermissionRequest, choice: Choice) -> Result<(), Failure> {
        let by = Answerer::Local(terminal());
        let answer =
            PermissionAnswer { request: request.id.clone(), digest: request.digest.clone(), choice, by };
        self.send(Command::AnswerPermission(AnswerPermissionCommand { answer })).await
    }

    /// Shows what a broader answer would have let through, then asks whether it is meant.
    async fn preview(&mut self, request: &PermissionRequest, choice: AllowChoice) -> Result<(), Failure> {
        let AllowChoice { lifetime, wider, .. } = choice.clone();
        let query = PreviewGrantQuery { request: request.id.clone(), lifetime, wider };
        match self.session.client.query(Query::PreviewGrant(query)).await {
            Ok(QueryAnswer::GrantPreview(preview)) => {
                preview::show(&self.screen, &preview);
                self.open(Prompt::ConfirmBroader(Box::new(request.clone()), choice));
            }
            Ok(_) => return Err(ClientError::Gone.into()),
            Err(ClientError::Refused(error)) => {
                self.screen.line(&format!("  {}", printable(&error.message)));
                self.show_prompt();
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Sends a command; a refusal (answered elsewhere, ended meanwhile) is shown and changes nothing.
    async fn send(&mut self, command: Command) -> Result<(), Failure> {
        self.prompt = None;
        match self.session.client.command(command).await {
            Ok(_) => Ok(()),
            Err(ClientError::Refused(error)) => {
                self.screen.line(&format!("  {}", printable(&error.message)));
                // Where it was answered elsewhere, that event is on its way and clears this again.
                self.turn_to_person();
                self.show_prompt();
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Ctrl-C: once pauses and asks what to do, twice stops. Without a person at the terminal once stops.
    async fn interrupted(&mut self) -> Result<(), Failure> {
        let task = self.task.clone();
        if self.is_interactive && !self.is_pausing && !self.is_paused() {
            self.is_pausing = true;
            return self.send(Command::Pause(PauseCommand { task })).await;
        }
        match self.session.client.command(Command::Stop(StopCommand { task: task.clone() })).await {
            Ok(_) => {
                self.prompt = None;
                Ok(())
            }
            // Its end is on its way.
            Err(ClientError::Refused(error)) if error.code == ErrorCode::TaskEnded => Ok(()),
            // Anyone who presses again wants to leave, also where that cannot be noted down, as on a full disk.
            Err(ClientError::Refused(mut error)) => {
                error.hints.push(format!("The task is saved; `deputy follow {task}` continues it.").into());
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn print_record(record: &EventRecord) {
    let message = EventMessage { record: record.clone(), update: None, shortened: false };
    super::print_json(&ServerMessage::Event(Box::new(message)));
}

async fn next_line(lines: &mut Option<mpsc::UnboundedReceiver<Typed>>) -> Option<Typed> {
    match lines {
        Some(lines) => lines.recv().await,
        None => std::future::pending().await,
    }
}

/// How a request is shown outside a story.
pub(crate) fn show_request(screen: &Screen, request: &PermissionRequest, extent: Extent) {
    asked::request(screen, request, None, extent);
}

/// Returns the command that answers a question.
fn answered(question: &Question, text: String) -> Command {
    let by = Some(Responder::Local(terminal()));
    Command::AnswerQuestion(AnswerQuestionCommand { request: question.id.clone(), text, by })
}

/// Returns this program as the one that answers.
fn terminal() -> LocalAnswerer {
    LocalAnswerer { screen: "terminal".to_owned() }
}
