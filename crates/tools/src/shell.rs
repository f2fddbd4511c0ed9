//! `shell`: runs a command in the sandbox, as policy said it is to run.

use crate::parameters::{Parameters, object_schema, parse_object};
use crate::text::{cut_middle, failed, one_line, size};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_policy::Execution;
use deputy_protocol::{Access, CallStatus, Confinement, Effect, Facts, Risk, ShellAccess, ToolResult};
use deputy_sandbox::{ChildLimits, ChildSpec, Ended, Outcome, OutputSink};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Runs commands.
pub(crate) struct Shell;

/// How long a command may take when the call does not say.
const USUAL_TIMEOUT: Duration = Duration::from_secs(120);
/// The least that is captured of each end of the output, in bytes.
const LEAST_CAPTURE: usize = 4096;

/// Parameters of `shell`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShellParameters {
    /// The text for bash. It starts in the workspace; nothing is kept between calls. One plain command is decided faster than a script.
    command: String,
    /// Seconds after which it is ended; 120 when absent.
    #[serde(default)]
    #[schemars(range(min = 1))]
    timeout_secs: Option<u64>,
}

impl Parameters for ShellParameters {
    fn schema() -> Value {
        let mut schema = object_schema::<Self>();
        schema.remove("description");
        Value::Object(schema)
    }

    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall> {
        let parsed: Self = parse_object(tool, parameters.clone())?;
        if parsed.command.trim().is_empty() {
            return Err(InvalidCall::parameter(tool, "command", "expected a command, it is empty"));
        }
        if parsed.command.contains('\0') {
            return Err(InvalidCall::parameter(tool, "command", "a NUL character cannot be passed to bash"));
        }
        if parsed.timeout_secs == Some(0) {
            return Err(InvalidCall::parameter(tool, "timeout_secs", "expected at least 1"));
        }
        Ok(parsed)
    }
}

impl TypedTool for Shell {
    const NAME: &'static str = "shell";
    const DESCRIPTION: &'static str = "Runs a command with bash in the workspace, confined by the operating system. \
        Commands that only read run at once; a person is asked about the others. \
        Gives the exit code and the output, long output with its middle left out. \
        To look at files use `search` and `code`, which need no process.";
    type Parameters = ShellParameters;

    fn facts(&self, parameters: &ShellParameters, _place: &Place) -> Result<Facts, InvalidCall> {
        Ok(Facts {
            effect: Effect::Mutating,
            accesses: vec![Access::Shell(ShellAccess { command: parameters.command.clone() })],
            summary: format!("Run {}", one_line(&parameters.command, 240)),
            diff: None,
            risk: Risk::Low,
        })
    }

    async fn run(&self, parameters: ShellParameters, cx: &CallContext) -> ToolResult {
        let argv = match &cx.execution {
            Some(Execution::Argv(argv)) => argv.iter().map(Into::into).collect(),
            Some(Execution::Bash(text)) => {
                ["bash", "--noprofile", "--norc", "-c", text].iter().map(Into::into).collect()
            }
            None => return failed("the command was not run: no decision says how it is to run"),
        };
        let wanted = parameters.timeout_secs.map_or(USUAL_TIMEOUT, Duration::from_secs);
        let timeout = wanted.min(cx.timeout);
        let capture = cx.output_chars.max(LEAST_CAPTURE);
        let mut readable = vec![cx.place.workspace.clone()];
        readable.extend(cx.readable.iter().cloned());
        let writable = match cx.confinement {
            Confinement::ReadOnly => Vec::new(),
            _ => cx.writable.clone(),
        };
        let spec = ChildSpec {
            argv,
            cwd: cx.place.workspace.clone(),
            stdin: None,
            confinement: cx.confinement,
            readable,
            writable,
            hidden: cx.hidden.clone(),
            frozen: cx.frozen.clone(),
            // What policy took `~` for is what bash takes it for.
            env: vec![("HOME".into(), cx.place.home.clone().into())],
            limits: ChildLimits {
                timeout,
                head_bytes: capture,
                tail_bytes: capture,
                ..ChildLimits::default()
            },
        };
        let progress = cx.progress.clone();
        let live: OutputSink = Arc::new(move |bytes| progress(&String::from_utf8_lossy(bytes)));
        match deputy_sandbox::run(spec, cx.cancel.clone(), Some(live)).await {
            Ok(outcome) => result(&outcome, timeout, cx.output_chars),
            Err(error) => failed(format!("the command was not run: {error}")),
        }
    }
}

/// The first line says how it ended, then comes the output, what went to stderr under its own mark.
fn result(outcome: &Outcome, timeout: Duration, output_chars: usize) -> ToolResult {
    let took = seconds(outcome.duration);
    let (status, exit_code, ended) = match outcome.ended {
        Ended::Exited(0) => (CallStatus::Ok, Some(0), format!("exit code 0 after {took}")),
        Ended::Exited(code) => (CallStatus::Failed, Some(code), format!("exit code {code} after {took}")),
        Ended::Signalled(signal) => {
            (CallStatus::Failed, None, format!("ended by signal {signal} after {took}"))
        }
        Ended::TimedOut => {
            (CallStatus::Failed, None, format!("ended after the time limit of {} s", timeout.as_secs()))
        }
        Ended::Cancelled => (CallStatus::Cancelled, None, format!("stopped after {took}")),
    };
    let (stdout, stderr) = (outcome.stdout.text(), outcome.stderr.text());
    let mut output = String::new();
    if stdout.is_empty() && stderr.is_empty() {
        output.push_str("(no output)");
    }
    output.push_str(stdout.trim_end_matches('\n'));
    if !stderr.is_empty() {
        if !output.is_empty() {
            output.push('\n');
        }
        output.push_str("[stderr]\n");
        output.push_str(stderr.trim_end_matches('\n'));
    }
    let room = output_chars.saturating_sub(ended.chars().count() + 1);
    let (output, cut) = cut_middle(output, room);
    let omitted_bytes = outcome.stdout.omitted_bytes + outcome.stderr.omitted_bytes + cut;
    let summary = match omitted_bytes {
        0 => ended.clone(),
        omitted => format!("{ended}, {} of output left out", size(omitted)),
    };
    let content = format!("{ended}\n{output}");
    ToolResult { summary, exit_code, omitted_bytes, ..ToolResult::new(status, content) }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
