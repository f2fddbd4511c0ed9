//! `background`: commands that keep running during the following calls, and access to their output.

use crate::command;
use crate::parameters::actions;
use crate::text::{failed, said};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{
    Access, BackgroundId, CallStatus, Effect, Facts, FileChange, OwnAccess, RefusedAttempt, Risk, ToolResult,
};
use deputy_sandbox::{ChildSpec, OutputSink, SandboxError};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The name of the tool.
pub const BACKGROUND: &str = "background";

/// The key of the message at the start of an `output` result with new text.
pub const NEW_OUTPUT: &str = "tools-new-output";

/// The maximum time that `output` waits, in seconds.
const LONGEST_WAIT_SECS: u64 = 60;

/// Work that is ready to start in the background.
pub struct ToStart {
    /// The command as the model wrote it, or a description of the tool's work.
    pub command: String,
    /// The work.
    pub work: Work,
}

/// A process or a tool's task that keeps running.
pub enum Work {
    /// A command with its folder and limits.
    Command(Box<ChildSpec>),
    /// Work that a tool does in this process. It ends soon after its token is cancelled.
    Own(OwnWork),
}

/// Starts a tool's work.
pub type OwnWork = Box<dyn FnOnce(CancellationToken, OutputSink) -> OwnWorking + Send>;

/// The future of a tool's running work.
pub type OwnWorking = Pin<Box<dyn Future<Output = RanInBackground> + Send>>;

impl ToStart {
    /// Runs the work until it ends, like [`deputy_sandbox::run`].
    ///
    /// # Errors
    ///
    /// [`SandboxError`]; in that case nothing ran.
    pub async fn run(
        self,
        cancel: CancellationToken,
        live: OutputSink,
    ) -> Result<RanInBackground, SandboxError> {
        let spec = match self.work {
            Work::Command(spec) => *spec,
            Work::Own(work) => return Ok(work(cancel, live).await),
        };
        let timeout = spec.limits.timeout;
        let outcome = deputy_sandbox::run(spec, cancel, Some(live)).await?;
        let (_, exit_code, line) = crate::shell::ended(&outcome, timeout);
        let refused = crate::shell::refused(&outcome);
        Ok(RanInBackground { ended: outcome.ended, exit_code, line, refused, changes: Vec::new() })
    }
}

/// The result of background work.
pub struct RanInBackground {
    /// Why it ended.
    pub ended: deputy_sandbox::Ended,
    /// The exit code, if the command exited normally.
    pub exit_code: Option<i32>,
    /// How the work ended, as one line of text.
    pub line: Phrase,
    /// What the sandbox refused while the work ran.
    pub refused: Vec<RefusedAttempt>,
    /// Files that a tool's work changed.
    pub changes: Vec<FileChange>,
}

/// A piece of the output of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputPiece {
    /// The text.
    pub text: String,
    /// The offset of the first byte.
    pub from: u64,
    /// The offset after the last byte.
    pub to: u64,
    /// The number of bytes written so far.
    pub written: u64,
    /// The state of the command as text, e.g. `running for 12 s`.
    pub standing: Phrase,
}

/// What a call waits for until it returns output. It never waits for a command that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitFor {
    /// A text in the output. Any new output if `None`.
    pub text: Option<String>,
    /// The maximum time.
    pub at_most: Duration,
}

/// A background command in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The id of the command.
    pub background: BackgroundId,
    /// The command.
    pub command: String,
    /// The state of the command as text.
    pub standing: Phrase,
    /// The number of bytes written so far.
    pub written: u64,
}

/// The background commands of a task, for the tool. Errors are sentences for the model.
#[async_trait]
pub trait Commands: Send + Sync {
    /// Starts a background command.
    async fn start(&self, cx: &CallContext, start: ToStart) -> Result<BackgroundId, Phrase>;

    /// Returns the output of a command from a byte offset on, or since the last call, and waits for it.
    async fn output(
        &self,
        id: &str,
        offset: Option<u64>,
        most_bytes: usize,
        wait: &WaitFor,
    ) -> Result<OutputPiece, Phrase>;

    /// Stops a background command and returns how it ended.
    async fn stop(&self, id: &str) -> Result<Phrase, Phrase>;

    /// Lists all background commands of the task since the host started, oldest first.
    fn list(&self) -> Vec<Listed>;
}

/// The [`Commands`] of a tool that runs outside of a task: no command can be started.
pub struct NoCommands;

#[async_trait]
impl Commands for NoCommands {
    async fn start(&self, _: &CallContext, _: ToStart) -> Result<BackgroundId, Phrase> {
        Err(say::no_background_here())
    }

    async fn output(&self, _: &str, _: Option<u64>, _: usize, _: &WaitFor) -> Result<OutputPiece, Phrase> {
        Err(say::no_background_here())
    }

    async fn stop(&self, _: &str) -> Result<Phrase, Phrase> {
        Err(say::no_background_here())
    }

    fn list(&self) -> Vec<Listed> {
        Vec::new()
    }
}

/// The tool that runs commands in the background.
pub(crate) struct Background;

/// Parameters of `start`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartParameters {
    /// Bash command, without & or nohup.
    command: String,
    /// The folder to run it in. Default: the workspace.
    #[serde(default)]
    working_dir: Option<String>,
}

/// Parameters of `output`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputParameters {
    /// Id from background_start such as b1, or of a call with long output.
    id: String,
    /// Byte to read from. Default: what was not read yet.
    #[serde(default)]
    offset: Option<u64>,
    /// Seconds to wait for new output. Default: 0, or 60 with until.
    #[serde(default)]
    #[schemars(range(max = 60))]
    wait_secs: Option<u64>,
    /// Text to wait for, such as `listening on`.
    #[serde(default)]
    until: Option<String>,
}

/// Parameters of `stop`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopParameters {
    /// Id from background_start, such as b1.
    id: String,
}

/// Parameters of `list`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListParameters {}

actions! {
    /// A call of `background`.
    pub(crate) enum BackgroundCall {
        "start" => Start(StartParameters),
        "output" => Output(OutputParameters),
        "stop" => Stop(StopParameters),
        "list" => List(ListParameters),
    }
}

impl TypedTool for Background {
    const NAME: &'static str = BACKGROUND;
    type Parameters = BackgroundCall;

    fn facts(&self, call: &BackgroundCall, _place: &Place) -> Result<Facts, InvalidCall> {
        let own = |effect, what: String, summary: Phrase| Facts {
            effect,
            accesses: vec![Access::Own(OwnAccess { what })],
            summary,
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let shown = |id: &str| crate::text::one_line(id, 60);
        Ok(match call {
            BackgroundCall::Start(start) => {
                let start = command::check_text(Self::NAME, &start.command)?;
                command::facts(start, say::start_background)
            }
            BackgroundCall::Output(of) => {
                let id = shown(&of.id);
                own(Effect::ReadOnly, format!("the output of {id}"), say::read_output(id))
            }
            BackgroundCall::Stop(of) => {
                let id = shown(&of.id);
                own(Effect::Idempotent, id.clone(), say::stop_background(id))
            }
            BackgroundCall::List(_) => {
                own(Effect::ReadOnly, "the list of background commands".to_owned(), say::list_background())
            }
        })
    }

    fn working_dir(&self, call: &BackgroundCall, place: &Place) -> Result<Option<PathBuf>, InvalidCall> {
        match call {
            BackgroundCall::Start(start) => command::folder(Self::NAME, start.working_dir.as_deref(), place),
            _ => Ok(None),
        }
    }

    async fn run(&self, call: BackgroundCall, cx: &CallContext) -> ToolResult {
        match call {
            BackgroundCall::Start(start) => {
                let timeout = command::seconds_or_forever(cx.limits.background_secs);
                let Some(spec) = command::spec(cx, timeout) else {
                    return failed(say::not_started_undecided());
                };
                let to_start = ToStart { command: start.command, work: Work::Command(Box::new(spec)) };
                match cx.commands.clone().start(cx, to_start).await {
                    Ok(id) => {
                        let content = format!(
                            "started as {id}; it runs until you stop it or the task ends\n\
                             background_output with the id `{id}` returns what it writes, and with `until` waits for a text."
                        );
                        let summary = say::started_as(id);
                        ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
                    }
                    Err(error) => failed(say::not_started(error)),
                }
            }
            BackgroundCall::Output(of) => {
                let text = of.until.filter(|text| !text.is_empty());
                let usual_secs = if text.is_some() { LONGEST_WAIT_SECS } else { 0 };
                let at_most = Duration::from_secs(of.wait_secs.unwrap_or(usual_secs).min(LONGEST_WAIT_SECS));
                let wait = WaitFor { text, at_most };
                let most = cx.output_chars.saturating_sub(200).max(1000);
                let asked = cx.commands.output(of.id.trim(), of.offset, most, &wait);
                let piece = tokio::select! {
                    piece = asked => piece,
                    () = cx.cancel.cancelled() => return crate::text::cancelled(),
                };
                piece.map_or_else(failed, |piece| told(&of.id, &piece))
            }
            BackgroundCall::Stop(of) => match cx.commands.stop(of.id.trim()).await {
                Ok(line) => said(CallStatus::Ok, say::of_command(of.id.trim(), line)),
                Err(error) => failed(error),
            },
            BackgroundCall::List(_) => {
                let list = cx.commands.list();
                let lines = list.iter().map(|one| {
                    let (id, written) = (&one.background, crate::text::size(one.written));
                    let command = crate::text::one_line(&one.command, 200);
                    format!("{id}\t{}\t{written}\t{command}\n", one.standing)
                });
                let summary = say::background_commands(list.len());
                let content = format!("{}{summary}", lines.collect::<String>());
                ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
            }
        }
    }
}

/// Formats a piece of output for the model: the state of the command, the text, and the offset where it continues.
fn told(id: &str, piece: &OutputPiece) -> ToolResult {
    let summary = match piece.text.is_empty() {
        true => say::nothing_new(id, &piece.standing),
        false => say::new_output(piece.from, id, &piece.standing, piece.to, piece.written),
    };
    let mut content = format!("{summary}\n{}", piece.text);
    if piece.to < piece.written {
        let more = piece.written - piece.to;
        content.push_str(&format!("\n[{more} more bytes; read on with offset {}]", piece.to));
    }
    ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) }
}
