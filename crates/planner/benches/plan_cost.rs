//! Measures the cost of requesting a plan as a conversation grows, with the whole conversation and with only the new
//! part.
//!
//! Usage: `scripts/run_bench.sh plan_cost PYTHON SIDECAR`, with the interpreter of the sidecar and the folder of its
//! package. The backend answers immediately, so only the communication is measured.

use deputy_planner::{Planner, Sidecar, SidecarConfig};
use deputy_protocol::{
    AssistantMessage, BackendRef, CallId, Message, Messages, PlanRequest, ToolCall, ToolMessage, ToolSpec,
    UserMessage,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

const INSTANT: &str = "
from deputy_sidecar.backend import AgentPlan

class Instant:
    name = 'instant'

    def configure(self, settings):
        pass

    async def plan(self, request):
        yield AgentPlan(is_complete=True, summary='Done.')
";
const START: &str = "import sys; sys.path.insert(0, sys.argv.pop(1)); from deputy_sidecar.__main__ import main; sys.exit(main())";
/// The numbers of steps that are measured, and the number of plans for each.
const STEPS: [usize; 3] = [10, 300, 1_000];
const SAMPLES: usize = 101;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let python = arguments.next().ok_or("name the sidecar's python")?;
    let package = arguments.next().ok_or("name the folder of deputy_sidecar")?;
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("instant.py"), INSTANT)?;
    let package = std::path::absolute(PathBuf::from(package))?;
    let argv: Vec<OsString> = vec![python, "-I".into(), "-c".into(), START.into(), package.into()];
    println!("median ms of a plan        whole   what is new");
    for steps in STEPS {
        let mut medians = Vec::new();
        for conversation in [None, Some("t1".to_owned())] {
            let sidecar = Sidecar::new(SidecarConfig {
                argv: argv.clone(),
                backends_dir: folder.path().to_owned(),
                keys: BTreeMap::new(),
                marks: String::new(),
                request_timeout: Duration::from_secs(60),
                log: None,
                redact: |text| text.into(),
            });
            medians.push(median(&sidecar, steps, conversation).await?);
            sidecar.shutdown().await;
        }
        println!("after {steps:5} steps        {:8.2}      {:8.2}", medians[0], medians[1]);
    }
    Ok(())
}

/// Returns the median duration of plans from a step on, in milliseconds.
async fn median(sidecar: &Sidecar, from: usize, conversation: Option<String>) -> Result<f64, Box<dyn Error>> {
    let backend = BackendRef { name: "instant".to_owned(), settings: BTreeMap::new() };
    let mut messages = Messages::default();
    messages.push(Message::User(UserMessage { text: "Count.".to_owned() }));
    (1..=from).for_each(|step| add(&mut messages, step));
    let request = |messages: &Messages| PlanRequest {
        backend: backend.clone(),
        system: "You are a careful deputy. ".repeat(40),
        messages: messages.clone(),
        tools: tools(),
        earlier: Default::default(),
        conversation: conversation.clone(),
    };
    let tools = request(&messages).tools;
    let mut took = Vec::new();
    for step in 0..SAMPLES {
        let request = PlanRequest { tools: tools.clone(), ..request(&messages) };
        let began = Instant::now();
        sidecar.plan(request, Arc::new(|_: &str| ()), CancellationToken::new()).await?;
        took.push(began.elapsed().as_secs_f64() * 1000.0);
        add(&mut messages, from + step + 1);
    }
    // The first one starts the process.
    took.remove(0);
    took.sort_by(f64::total_cmp);
    Ok(took[took.len() / 2])
}

/// Adds the call of a step and its result.
fn add(messages: &mut Messages, step: usize) {
    let id = CallId::new(format!("t1-{step}-1"));
    let call = ToolCall {
        id: id.clone(),
        tool: "shell".to_owned(),
        parameters: json!({"command": format!("echo step {step}")}),
        problem: None,
        written: None,
    };
    let text = format!("Step {step}: I count on.");
    messages.push(Message::Assistant(AssistantMessage {
        text,
        tool_calls: vec![call],
        provider_state: None,
    }));
    messages.push(Message::Tool(ToolMessage {
        call: id,
        tool: "shell".to_owned(),
        content: format!("exit code 0\nstep {step}\n"),
        ok: true,
        pictures: Vec::new(),
    }));
}

/// Returns about as many and as long tools as those of a task.
fn tools() -> Arc<Vec<ToolSpec>> {
    let tool = |n: usize| ToolSpec {
        name: format!("tool_{n}"),
        description: "Does one thing and says what came of it. ".repeat(6),
        parameters: json!({"type": "object", "properties": (0..12).map(|p| (format!("p{p}"), json!({"type": "string",
            "description": "A parameter that says what is meant."}))).collect::<serde_json::Map<_, _>>()}),
    };
    Arc::new((0..14).map(tool).collect())
}
