//! Tasks of very many steps through the built binary and the real sidecar: what is sent fits the window and keeps what
//! matters, memory stays flat, and a provider's bad days make no call twice.

use crate::support::{World, ask, processes_below, questions, shell, stopped};
use deputy_protocol::{StopReason, TaskEvent};
use deputy_testkit::model::{Arrival, CutTurn, GarbageTurn, ScriptedCall, StatusTurn, ToolCallsTurn};
use deputy_testkit::{Dice, Turn, seed};
use serde::Deserialize;
use serde_json::{json, value::RawValue};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

/// How many steps; `DEPUTY_TEST_STEPS=1000` for as many as a task is to carry.
const STEPS: &str = "DEPUTY_TEST_STEPS";
const WINDOW_TOKENS: usize = 32_000;
/// The rule of thumb that the core counts by too.
const BYTES_PER_TOKEN: usize = 4;
/// What the host and its sidecar may have taken more at the end of a task than at its first question.
const MOST_GROWN_KIB: u64 = 60 * 1024;
const FILES: usize = 50;
const TODO: [&str; 4] =
    ["Look at what is there", "Write the chapters", "Check the numbers", "Tell what was done"];

const GOAL: &str = "Write the chapters of the handbook and keep the folder Taxes as it is.";
const CONSTRAINT: &str = "Never use the word synergy and leave every date alone.";

/// A host that runs for as long as the test needs it.
struct Host(Child);

impl Host {
    fn start(world: &World) -> Self {
        let mut command = world.home.deputy().unwrap();
        let mut child = command.args(["--json", "serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut welcome = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut welcome).unwrap();
        assert!(welcome.contains("welcome"), "{welcome}");
        Self(child)
    }

    /// The memory of the host and of the sidecar that plans, each page shared by the number of those that have it.
    fn memory_kib(&self) -> u64 {
        let host = i32::try_from(self.0.id()).unwrap();
        let sidecars = processes_below(self.0.id(), "deputy_sidecar");
        let all = std::iter::once(host).chain(sidecars.iter().map(|pid| pid.as_raw_nonzero().get()));
        all.map(memory_kib_of).sum()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn memory_kib_of(pid: i32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap();
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap();
    pss.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// What the model does in a step: mostly it writes a file, now and then it reads much, or moves on in its list.
fn step(n: usize) -> Turn {
    let path = format!("chapter-{}.txt", n % FILES);
    let mut calls = match n % 7 {
        0 => vec![("code", json!({"action": "read", "path": "sources.txt", "start_line": n}))],
        3 => vec![
            ("search", json!({"action": "find", "pattern": format!("{n}*")})),
            ("search", json!({"action": "grep", "pattern": format!("source {n} ")})),
        ],
        _ => {
            let content = format!("Step {n} wrote this line.\n").repeat(20);
            vec![("code", json!({"action": "write", "path": path, "content": content}))]
        }
    };
    if n % 40 == 1 {
        let active = (n / 40).min(TODO.len() - 2);
        let state = |at: usize| match at.cmp(&active) {
            std::cmp::Ordering::Less => "done",
            std::cmp::Ordering::Equal => "active",
            std::cmp::Ordering::Greater => "pending",
        };
        let list: Vec<_> =
            TODO.iter().enumerate().map(|(at, title)| json!({"title": title, "state": state(at)})).collect();
        calls.push(("todo", json!({"steps": list})));
    }
    let call = |(name, arguments): (&str, _)| ScriptedCall { name: name.to_owned(), arguments };
    let text = Some(format!("Step {n} of the handbook."));
    Turn::ToolCalls(ToolCallsTurn { text, calls: calls.into_iter().map(call).collect(), fragment: false })
}

/// A request, its parts as they were sent.
#[derive(Deserialize)]
struct Sent<'a> {
    #[serde(borrow)]
    tools: &'a RawValue,
    #[serde(borrow)]
    messages: Vec<&'a RawValue>,
}

impl<'a> Sent<'a> {
    fn of(arrival: &'a Arrival) -> Self {
        serde_json::from_slice(&arrival.raw).unwrap()
    }

    /// Whether it begins, byte for byte, as another one does that came before it.
    fn begins_as(&self, before: &Self) -> bool {
        let mut pairs = self.messages.iter().zip(&before.messages);
        self.messages.len() >= before.messages.len() && pairs.all(|(one, other)| one.get() == other.get())
    }
}

/// Checks what holds for each request, and gives the number of summaries.
fn check(requests: &[Arrival]) -> usize {
    let mut summaries = 0;
    let mut before = Sent::of(&requests[0]);
    for arrival in &requests[1..] {
        let sent = Sent::of(arrival);
        let n = arrival.n;
        let text = std::str::from_utf8(&arrival.raw).unwrap();
        let tokens = text.len() / BYTES_PER_TOKEN;
        assert!(tokens <= WINDOW_TOKENS, "request {n} has {tokens} tokens");
        assert!(text.contains(GOAL), "the goal is not in request {n}");
        assert!(text.contains(CONSTRAINT), "what the user said is not in request {n}");
        assert_eq!(sent.tools.get(), before.tools.get(), "request {n}");
        let head =
            |sent: &Sent<'_>| sent.messages[..2].iter().map(|part| part.get().to_owned()).collect::<Vec<_>>();
        assert_eq!(head(&sent), head(&before), "the rules and the goal of request {n}");
        summaries += usize::from(!sent.begins_as(&before));
        before = sent;
    }
    summaries
}

#[test]
fn a_task_of_very_many_steps_fits_its_window_forgets_nothing_and_stays_small() {
    let steps = std::env::var(STEPS).map_or(300, |text| text.parse().unwrap());
    let turns = std::iter::once(ask("What must I keep to?"))
        .chain((1..=steps).map(step))
        .chain([ask("Is that all?"), Turn::text("The handbook is written.")]);
    let mut world = World::new(turns);
    world.home.set("limits.max_iterations", 0).unwrap();
    world.home.set("limits.context_tokens", WINDOW_TOKENS as i64).unwrap();
    world.home.set("memory.embedder", "none").unwrap();
    let sources: String =
        (0..2_000).map(|n| format!("source {n} says what chapter {n} is about\n")).collect();
    world.home.write("sources.txt", sources).unwrap();

    let host = Host::start(&world);
    assert_eq!(world.say(&["run", GOAL, "--yes", "medium", "--detach"]).code, Some(0));
    let answer_next = |text: &str, nth: usize| {
        let mut follow = world.start(&["follow", "last"]);
        let mut seen = 0;
        let asked = follow.wait_for_event(|event| {
            seen += usize::from(matches!(event, TaskEvent::QuestionAsked(_)));
            seen == nth
        });
        let question = questions(&[asked.unwrap()]).remove(0);
        let memory_kib = host.memory_kib();
        assert_eq!(world.say(&["answer", question.id.as_str(), text]).code, Some(0));
        (follow, memory_kib)
    };
    let (_, at_start) = answer_next(CONSTRAINT, 1);
    for arrived in (50..steps + 2).step_by(50).chain([steps + 2]) {
        assert!(world.model.wait_for_requests(arrived), "request {arrived} of {}", steps + 2);
    }
    let (mut follow, at_end) = answer_next("Yes.", 2);
    let end = stopped(&[follow.wait_for_event(|event| matches!(event, TaskEvent::Stopped(_))).unwrap()]);
    assert_eq!((end.reason, end.summary.as_str()), (StopReason::Completed, "The handbook is written."));

    let requests = world.model.requests();
    assert_eq!(requests.len(), steps + 3, "none was sent twice");
    let summaries = check(&requests[1..]);
    println!(
        "{steps} steps, {summaries} summaries, memory {at_start} KiB at the start and {at_end} at the end"
    );
    assert!(summaries >= 3, "{summaries} summaries");
    assert!(summaries <= steps / 10, "rarely and much: {summaries} summaries in {steps} steps");
    assert!(at_end <= at_start + MOST_GROWN_KIB, "{at_start} KiB at the start, {at_end} at the end");

    // The last request still has every file that was changed and every step that is open.
    let last = std::str::from_utf8(&requests[steps + 1].raw).unwrap();
    for n in 0..FILES.min(steps) {
        assert!(last.contains(&format!("chapter-{n}.txt")), "chapter-{n}.txt is forgotten");
    }
    TODO.iter().for_each(|title| assert!(last.contains(title), "{title} is forgotten"));
    let written = world.home.read(format!("chapter-{}.txt", 1)).unwrap();
    assert!(written.starts_with("Step ") && written.lines().count() == 20, "{written}");
}

#[test]
fn a_huge_file_costs_no_memory() {
    const BYTES: u64 = 300_000_000;
    let file = |call: serde_json::Value| Turn::call("search", call);
    let world = World::new([
        ask("Ready?"),
        shell("cat big.log"),
        file(json!({"action": "grep", "pattern": "ERROR", "path": "big.log"})),
        file(json!({"action": "wc", "path": "big.log"})),
        Turn::call("code", json!({"action": "read", "path": "big.log"})),
        ask("Enough?"),
        Turn::text("Done."),
    ]);
    let lines = "2026-11-28 12:00:00 ERROR request from 10.0.0.1 was refused\n".repeat(1_000);
    let mut written = std::fs::File::create(world.home.workspace().join("big.log")).unwrap();
    for _ in 0..=BYTES / lines.len() as u64 {
        written.write_all(lines.as_bytes()).unwrap();
    }
    let host = Host::start(&world);
    assert_eq!(world.say(&["run", "look", "--yes", "medium", "--detach"]).code, Some(0));
    let mut follow = world.start(&["follow", "last"]);
    let mut at_question = || {
        let asked = follow.wait_for_event(|event| matches!(event, TaskEvent::QuestionAsked(_))).unwrap();
        let memory_kib = host.memory_kib();
        let question = questions(&[asked]).remove(0);
        assert_eq!(world.say(&["answer", question.id.as_str(), "Yes."]).code, Some(0));
        memory_kib
    };
    let (before, after) = (at_question(), at_question());
    assert!(after <= before + MOST_GROWN_KIB, "{before} KiB before, {after} after");
    assert_eq!(follow.wait().unwrap(), Some(0));
    assert!(world.told(3).contains("ERROR"), "the file was printed");
}

/// Bad days in a row of threads, as each run waits for the most part: for its process to start, and to ask again.
const THREADS: u64 = 10;
const RUNS: u64 = 20;
const CALLS: usize = 6;

/// An answer as providers give it on a bad day.
fn bad(dice: &mut Dice, n: usize) -> Turn {
    let status = |code, retry_after| Turn::Status(StatusTurn { code, body: None, retry_after });
    let cut = |calls, after_bytes| {
        Turn::Cut(CutTurn { after_bytes, text: "I add the next line. ".to_owned(), calls })
    };
    match dice.below(10) {
        0 => status(500, None),
        1 => status(503, Some(0.05)),
        2 => status(429, Some(0.05)),
        3 => status(529, None),
        4 => cut(Vec::new(), dice.below(300)),
        5 => {
            let arguments = json!({"command": format!("echo {n} >> done.txt")});
            cut(vec![ScriptedCall { name: "shell".to_owned(), arguments }], 300 + dice.below(500))
        }
        6 => Turn::Close(Default::default()),
        7 => Turn::Garbage(GarbageTurn { bytes: 100 + dice.below(1_000) }),
        8 => Turn::call("no_such_tool", json!({"n": n})),
        _ => Turn::call("shell", json!(format!("{{\"command\": \"echo {n} >> done.txt"))),
    }
}

/// A task of some calls, each of which adds a line to a file; one of every three requests goes wrong.
fn run(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut good =
        (1..=CALLS).map(|n| shell(&format!("echo {n} >> done.txt"))).chain([Turn::text("All added.")]);
    let mut turns = Vec::new();
    'script: loop {
        let wrong = dice.below(3);
        for at in 0..3 {
            if at == wrong {
                turns.push(bad(&mut dice, turns.len() + 100));
            } else {
                match good.next() {
                    Some(turn) => turns.push(turn),
                    None => break 'script,
                }
            }
        }
    }
    let world = World::new(turns);
    let run = world.json(&["run", "add the lines", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "SEED={seed}: {run:?}");
    let events = run.events().unwrap();
    assert_eq!(stopped(&events).summary, "All added.", "SEED={seed}");
    let added: String = (1..=CALLS).map(|n| format!("{n}\n")).collect();
    assert_eq!(world.home.read("done.txt").unwrap(), added, "SEED={seed}");
    let mut started = HashSet::new();
    for event in events {
        if let TaskEvent::ToolStarted(event) = event {
            assert!(started.insert(event.call.clone()), "{} ran twice, SEED={seed}", event.call);
        }
    }
}

#[test]
fn runs_with_a_provider_that_fails_every_third_request_all_end_and_no_call_is_made_twice() {
    let seed = seed();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                (thread..RUNS).step_by(THREADS as usize).for_each(|run| self::run(seed.wrapping_add(run)));
            });
        }
    });
}
