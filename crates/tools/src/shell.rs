//! `shell`: runs a command in the sandbox as policy decided.

use crate::command::{self, Whole};
use crate::command_notes::{after_output, before_output};
use crate::parameters::{Parameters, Shape, parse_object};
use crate::pipeline::{FailedPart, LastPipeline};
use crate::text::{Gapped, failed, size, without_escapes};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_policy::Execution;
use deputy_protocol::{
    CallId, CallStatus, CommandOutput, Facts, KeptOutput, Limits, RefusedAttempt, ToolCall, ToolResult,
};
use deputy_sandbox::{Ended, Outcome, OutputSink, Refused};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The tool that runs commands.
pub(crate) struct Shell;

/// The space reserved for the line that says where the whole of a long output is, in characters.
const REFERENCE_CHARS: usize = 200;

/// Parameters of `shell`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShellParameters {
    /// Bash command. Each call is a new shell: variables and cd do not carry over.
    command: String,
    /// The folder to run it in. Default: the workspace.
    #[serde(default)]
    working_dir: Option<String>,
    /// Seconds after which the command is stopped.
    #[serde(default)]
    #[schemars(range(min = 1))]
    timeout_secs: Option<u64>,
}

impl Parameters for ShellParameters {
    fn shapes() -> Vec<Shape> {
        vec![Shape::of::<Self>(None)]
    }

    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall> {
        let parsed: Self = parse_object(tool, parameters.clone())?;
        if parsed.timeout_secs == Some(0) {
            return Err(InvalidCall::parameter(tool, "timeout_secs", say::expected_at_least_one()));
        }
        command::check_text(tool, &parsed.command)?;
        Ok(parsed)
    }
}

impl TypedTool for Shell {
    const NAME: &'static str = "shell";
    type Parameters = ShellParameters;

    fn facts(&self, parameters: &ShellParameters, _place: &Place) -> Result<Facts, InvalidCall> {
        Ok(command::facts(&parameters.command, say::run))
    }

    fn working_dir(
        &self,
        parameters: &ShellParameters,
        place: &Place,
    ) -> Result<Option<PathBuf>, InvalidCall> {
        command::folder(Self::NAME, parameters.working_dir.as_deref(), place)
    }

    /// Adds the actual maximum and default of the time limit, so that a model knows what it can ask for.
    fn bound(&self, schema: &mut Value, limits: &Limits) {
        let Some(timeout) = schema.pointer_mut("/properties/timeout_secs") else { return };
        if limits.command_secs > 0 {
            timeout["maximum"] = limits.command_secs.into();
        }
        let usual = usual_timeout(limits);
        let said = match usual {
            0 => "Seconds until the command is stopped. Default: never".to_owned(),
            usual => format!("Seconds until the command is stopped. Default: {usual}"),
        };
        timeout["description"] = said.into();
    }

    async fn run(&self, parameters: ShellParameters, cx: &CallContext) -> ToolResult {
        let ceiling = command::seconds_or_forever(cx.limits.command_secs);
        let wanted = match parameters.timeout_secs {
            Some(secs) => Duration::from_secs(secs),
            None => command::seconds_or_forever(usual_timeout(&cx.limits)),
        };
        let timeout = wanted.min(ceiling);
        let Some(mut spec) = command::spec(cx, timeout) else {
            return failed(say::not_run_undecided());
        };
        let pipeline = match &cx.execution {
            Some(Execution::Bash(_)) => LastPipeline::watch(&mut spec, &cx.call),
            _ => None,
        };
        let (progress, whole, most) =
            (cx.progress.clone(), Whole::default(), command::most_output(&cx.limits));
        let gathered = whole.clone();
        let live: OutputSink = Arc::new(move |bytes| {
            gathered.push(bytes, most);
            progress(&without_escapes(&String::from_utf8_lossy(bytes)));
        });
        match deputy_sandbox::run(spec, cx.cancel.clone(), Some(live)).await {
            Ok(mut outcome) => {
                if let Some(pipeline) = &pipeline {
                    pipeline.hide_prefix(&mut outcome.stdout.head);
                }
                let failed = pipeline.and_then(LastPipeline::failed);
                let mut result = result(&outcome, failed, timeout, cx);
                if result.omitted_bytes > 0
                    && let Some(kept) = whole.keep(cx).await
                {
                    // Goes into the first line, so that the output keeps its end.
                    let where_it_is = where_it_is(&kept, &cx.call);
                    let at = result.content.find('\n').unwrap_or(result.content.len());
                    result.content.insert_str(at, &where_it_is);
                    if let Some(output) = &mut result.output {
                        output.kept = Some(kept);
                    }
                }
                result
            }
            Err(error) => failed(say::not_run(error)),
        }
    }
}

/// Says how much of a long output is kept, and how to search and read it.
fn where_it_is(kept: &KeptOutput, call: &CallId) -> String {
    let all = size(kept.size_bytes + kept.omitted_bytes);
    let how = format!("grep with output_id `{call}`, or background_output with id `{call}` and offset 0");
    match kept.omitted_bytes {
        0 => format!("; all of its output, {all}, is kept for {how}"),
        _ => format!("; of its output, {all}, the first {} are kept for {how}", size(kept.size_bytes)),
    }
}

/// Returns the time limit of a call's command in seconds. `None` if it is the usual one.
pub fn unusual_time_limit_secs(call: &ToolCall, limits: &Limits) -> Option<u64> {
    let named = call.parameters.get("timeout_secs")?.as_u64().filter(|_| call.tool == Shell::NAME)?;
    let ceiling = if limits.command_secs == 0 { u64::MAX } else { limits.command_secs };
    Some(named.min(ceiling)).filter(|secs| *secs != usual_timeout(limits))
}

/// The time limit in seconds if a call names none. Never more than the maximum.
fn usual_timeout(limits: &Limits) -> u64 {
    match (limits.command_default_secs, limits.command_secs) {
        (usual, 0) => usual,
        (0, ceiling) => ceiling,
        (usual, ceiling) => usual.min(ceiling),
    }
}

/// Returns how a command ended: its status, its exit code, and a line for people.
pub(crate) fn ended(outcome: &Outcome, timeout: Duration) -> (CallStatus, Option<i32>, Phrase) {
    let took = seconds(outcome.duration);
    match outcome.ended {
        Ended::Exited(0) => (CallStatus::Ok, Some(0), say::exited(0, took)),
        Ended::Exited(code) => (CallStatus::Failed, Some(code), say::exited(code, took)),
        Ended::Signalled(signal) => (CallStatus::Failed, None, say::signalled(signal, took)),
        Ended::TimedOut => (CallStatus::Failed, None, say::timed_out(timeout.as_secs())),
        Ended::OutOfMemory => (CallStatus::Failed, None, say::out_of_memory(took)),
        Ended::TemporaryFilesFull => (CallStatus::Failed, None, say::temporary_files_full(took)),
        Ended::Cancelled => (CallStatus::Cancelled, None, say::stopped_command(took)),
    }
}

/// Builds the result. The first line says how the command ended; the output follows.
fn result(outcome: &Outcome, failed: Option<FailedPart>, timeout: Duration, cx: &CallContext) -> ToolResult {
    let (status, exit_code, ended) = ended(outcome, timeout);
    let mut output = Gapped::default();
    output.push_captured(&outcome.stdout);
    let is_empty = output.is_empty();
    if is_empty {
        output.push_str("(no output)");
    }
    let (before, after) = (before_output(outcome, failed), after_output(outcome, cx));
    let around = [ended.as_str(), &before, &after].map(|text| text.chars().count()).iter().sum::<usize>();
    let around = around + 1 + REFERENCE_CHARS;
    let room = cx.output_chars.saturating_sub(around);
    let (output, omitted_bytes) = output.shown(room);
    let summary = match omitted_bytes {
        0 => ended.clone(),
        omitted => say::output_left_out(&ended, size(omitted)),
    };
    let output = if after.is_empty() { output } else { output.trim_end().to_owned() };
    let content = format!("{ended}\n{before}{output}{after}");
    let refused = refused(outcome);
    ToolResult {
        summary,
        exit_code,
        omitted_bytes,
        refused,
        output: Some(Box::new(CommandOutput { is_empty, kept: None })),
        ..ToolResult::new(status, content)
    }
}

/// Returns what the sandbox refused while a command ran.
pub(crate) fn refused(outcome: &Outcome) -> Vec<RefusedAttempt> {
    let attempt = |refused: &Refused| RefusedAttempt {
        operation: refused.operation,
        path: refused.path.display().to_string(),
        why: refused.why.clone(),
    };
    outcome.refused.iter().map(attempt).collect()
}

fn seconds(duration: Duration) -> Phrase {
    let tenths = (duration.as_secs_f64() * 10.0).round() as u64;
    say::secs(tenths % 10, tenths / 10)
}
