//! L, the sinks outside of the database: what a client of the socket gets, what notifies, what a sidecar writes to its
//! standard error, and what is told when it crashes. The built program, its own sidecar, and a backend that leaks.

use crate::sinks::hits;
use deputy_protocol::ServerMessage;
use deputy_testkit::secrets::shapes;
use deputy_testkit::{Background, Finished, TempHome};
use std::fs;
use std::path::Path;

/// Has a file read, and then writes all that is in it to standard error, line by line and in few long ones, and dies.
const LEAKY: &str = r#"
"""Leaks whatever it gets hold of, and dies of it."""
import os
import sys

from deputy_sidecar.backend import AgentPlan, ToolCall, ToolMessage

TEXT = open("@FILE@").read()


class Leaky:
    name = "leaky"

    def configure(self, settings):
        pass

    async def plan(self, request):
        if not any(isinstance(message, ToolMessage) for message in request.messages):
            read = ToolCall(id="1", tool="code", parameters={"action": "read", "path": "logs/app.log"})
            show = ToolCall(id="2", tool="shell", parameters={"command": "cat logs/app.log"})
            yield AgentPlan(reasoning="I look.", tool_calls=[read, show])
            return
        print("leaking", TEXT, file=sys.stderr)
        pieces = [piece for piece in TEXT.split("\n\n") if "\n" not in piece]
        for at in range(0, len(pieces), 15):
            print(" | ".join(pieces[at : at + 15]), file=sys.stderr)
        sys.stderr.flush()
        os._exit(9)
        yield
"#;

fn everything_below(folder: &Path, left_out: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if left_out.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        match path.is_dir() {
            true => bytes.extend(everything_below(&path, left_out)),
            false => bytes.extend(fs::read(&path).unwrap_or_default()),
        }
    }
    bytes
}

#[test]
fn secrets_are_in_no_socket_no_notification_no_crash_report_and_not_in_what_a_sidecar_writes() {
    let shapes = shapes();
    let mut home = TempHome::new().unwrap();
    let lines: Vec<&str> = shapes.iter().map(|(shown, _)| shown.as_str()).collect();
    // Behind what is looked at before a file is read unasked: a log that begins with a key is asked about.
    let ordinary = "an ordinary line\n".repeat(280);
    let file = home.write("logs/app.log", ordinary + &lines.join("\n\n")).unwrap();
    // A pipe: anyone who reads it waits for the notice.
    let told = home.user().join("told");
    rustix::fs::mkfifoat(rustix::fs::CWD, &told, rustix::fs::Mode::RWXU).unwrap();
    fs::create_dir_all(home.path().join("backends")).unwrap();
    let leaky = LEAKY.replace("@FILE@", file.to_str().unwrap());
    fs::write(home.path().join("backends/leaky.py"), leaky).unwrap();
    let tell = format!("echo \"$0\" > {}", told.display());
    home.set("backend", "leaky").unwrap();
    home.set("notify.command", vec!["/bin/sh".to_owned(), "-c".to_owned(), tell]).unwrap();
    let command = |args: &[&str]| {
        let mut command = home.deputy().unwrap();
        command.env("DEPUTY_LOG", "trace").arg("--json").args(args);
        command
    };
    let log = home.user().join("log");
    let mut serve = command(&["serve"]);
    serve.stderr(fs::File::create(&log).unwrap());
    let mut host = Background::start(serve).unwrap();
    let welcome: ServerMessage = host.lines.read().unwrap().unwrap();
    assert!(matches!(welcome, ServerMessage::Welcome(_)), "{welcome:?}");
    let run = Finished::of(command(&["run", "look at the log"])).unwrap();
    let notified = fs::read_to_string(&told).unwrap();
    let shown = Finished::of(command(&["show", "last"])).unwrap();
    drop(host);
    let log = fs::read_to_string(&log).unwrap() + &run.stderr;
    let of_sidecar: Vec<&str> = log.lines().filter(|line| line.contains("sidecar")).collect();
    let crashes: Vec<&str> = run.stdout.lines().filter(|line| line.contains("last output")).collect();
    let database = everything_below(&home.path(), &["blobs", "backends"]);
    let sinks = [
        ("socket", run.stdout.clone()),
        ("log", log.clone()),
        ("sidecar's stderr", of_sidecar.join("\n")),
        ("crash report", crashes.join("\n")),
        ("notification", notified),
        ("export", shown.stdout.clone()),
        ("database", String::from_utf8_lossy(&database).into_owned()),
    ];
    for (sink, text) in &sinks {
        assert!(!text.is_empty(), "nothing reached the {sink}, so nothing was looked at: {run:?}");
    }
    for sink in ["socket", "sidecar's stderr", "crash report"] {
        let text = &sinks.iter().find(|(name, _)| *name == sink).unwrap().1;
        assert!(text.contains("redacted"), "no secret came near the {sink}: {text}");
    }
    let found = hits(&shapes, &sinks);
    println!(
        "figure: L: {} secrets in {} sinks of the built program, {} raw hits",
        shapes.len(),
        sinks.len(),
        found.len()
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
}
