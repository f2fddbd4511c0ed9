//! `shell`: real commands in the real sandbox.

use crate::support::Desk;
use deputy_policy::Execution;
use deputy_protocol::{CallStatus, Confinement, ToolResult};
use serde_json::json;
use std::fs;
use std::sync::{Arc, Mutex};

async fn bash(desk: &mut Desk, command: &str) -> ToolResult {
    desk.cx.execution = Some(Execution::Bash(command.to_owned()));
    desk.run("shell", json!({"command": command})).await
}

/// Returns the content without its first line, which contains the duration.
fn output(result: &ToolResult) -> &str {
    result.content.split_once('\n').unwrap().1
}

#[tokio::test]
async fn what_comes_back() {
    let mut desk = Desk::new();
    desk.cx.confinement = Confinement::ReadOnly;
    // (command, exit code, output)
    let cases = [
        ("echo hello", Some(0), "hello"),
        ("echo 1; echo 2 >&2; echo 3; echo 4 >&2", Some(0), "1\n2\n3\n4"),
        ("echo err >&2; exit 3", Some(3), "err\n(Deputy ran it without network access.)"),
        ("true", Some(0), "(no output)"),
        ("false", Some(1), "(no output)"),
        ("printf 'caf\\xe9'", Some(0), "caf\u{fffd}"),
        ("cd /; pwd; echo ~ | wc -l", Some(0), "/\n1"),
    ];
    for (command, exit_code, expected) in cases {
        let result = bash(&mut desk, command).await;
        assert_eq!(
            (result.exit_code, output(&result)),
            (exit_code, expected),
            "{command}: {}",
            result.content
        );
        let status = if exit_code == Some(0) { CallStatus::Ok } else { CallStatus::Failed };
        assert_eq!(result.status, status, "{command}");
        let first = format!("exit code {} after ", exit_code.unwrap());
        assert!(
            result.content.starts_with(&first) && result.summary.starts_with(&first),
            "{}",
            result.content
        );
    }
}

/// Regression test: `npm start &` succeeded, and the next command found no server.
#[tokio::test]
async fn what_is_left_in_the_background_ends_and_the_result_says_so() {
    let mut desk = Desk::new();
    let script = "sleep 86411 & until [ \"$(cat /proc/$!/comm)\" = sleep ]; do :; done; echo started";
    let left = bash(&mut desk, script).await;
    let said = "What it left running in the background ended with it: sleep. ";
    assert!(output(&left).starts_with(said) && output(&left).ends_with("started"), "{}", left.content);
    let waited = bash(&mut desk, "sleep 0 & wait; echo done").await;
    assert_eq!(output(&waited), "done");
}

#[tokio::test]
async fn it_stands_in_the_workspace_and_knows_the_home() {
    let mut desk = Desk::new();
    let result = bash(&mut desk, "pwd; echo ~").await;
    let expected = format!("{}\n{}", desk.place.workspace.display(), desk.place.home.display());
    assert_eq!(output(&result), expected);
}

#[tokio::test]
async fn words_run_without_a_shell() {
    let mut desk = Desk::new();
    desk.cx.execution =
        Some(Execution::Argv(["printf", "%s.", "$HOME", "a; b", "*"].map(str::to_owned).to_vec()));
    // What policy decided runs, not what the parameters contain.
    let result = desk.run("shell", json!({"command": "rm -rf ."})).await;
    assert_eq!(output(&result), "$HOME.a; b.*.");
}

#[tokio::test]
async fn nothing_runs_without_a_decision() {
    let desk = Desk::new();
    let result = desk.run("shell", json!({"command": "touch x"})).await;
    assert_eq!(result.content, "the command was not run: no decision says how it is to run");
    let mut desk = Desk::new();
    desk.cx.execution = Some(Execution::Argv(vec!["no-such-program".to_owned()]));
    let result = desk.run("shell", json!({"command": "x"})).await;
    assert!(result.content.starts_with("the command was not run: "), "{}", result.content);
    assert_eq!(result.status, CallStatus::Failed);
}

#[tokio::test]
async fn the_confinement_holds() {
    let mut desk = Desk::new();
    desk.put("secret", "hush");
    desk.put(".git/config", "[core]\n");
    let beside = desk.place.home.join("beside");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("b"), "b").unwrap();
    desk.cx.hidden = vec![desk.path("secret")];
    desk.cx.frozen = vec![desk.path(".git/config")];
    let command =
        format!("touch new; cat secret; echo x >> .git/config; cat {0}/b; touch {0}/new", beside.display());
    for confinement in [Confinement::ReadOnly, Confinement::Workspace] {
        desk.cx.confinement = confinement;
        let result = bash(&mut desk, &command).await;
        assert!(!result.content.contains("hush"), "{confinement:?}: {}", result.content);
        assert_eq!(desk.path("new").exists(), confinement == Confinement::Workspace, "{}", result.content);
        assert_eq!(desk.text(".git/config"), "[core]\n");
        assert!(!beside.join("new").exists());
    }
    desk.cx.confinement = Confinement::ReadOnly;
    desk.cx.readable = vec![beside.clone()];
    let result = bash(&mut desk, &format!("cat {}/b", beside.display())).await;
    assert_eq!(output(&result), "b");
}

#[tokio::test]
async fn long_output_keeps_its_ends() {
    let mut desk = Desk::new();
    desk.cx.output_chars = 2000;
    let result = bash(&mut desk, "seq 1 1000000; echo the end >&2").await;
    let content = &result.content;
    assert!(content.chars().count() <= 2000, "{}", content.len());
    assert!(output(&result).starts_with("1\n2\n3\n") && content.ends_with("1000000\nthe end"), "{content}");
    assert!(content.contains("bytes omitted"), "{content}");
    let all: u64 = (1..=1_000_000_u64).map(|n| n.to_string().len() as u64 + 1).sum();
    let kept = all - result.omitted_bytes;
    assert!(kept > 1000 && kept < 2000, "{kept} kept, {} omitted", result.omitted_bytes);
    assert!(result.summary.ends_with(" of output left out"), "{}", result.summary);
}

#[tokio::test]
async fn what_is_said_about_a_long_output_is_true() {
    let mut desk = Desk::new();
    desk.cx.output_chars = 2000;
    desk.cx.limits.command_output_mib = 1;
    for (command, all) in [
        ("yes 0123456789 | head -c 3000000", 3_000_000),
        ("yes 0123456789 | head -c 500000; echo end >&2", 500_004),
        ("yes 0123456789 | head -c 400000; yes 0123456789 | head -c 400000 >&2", 800_000),
    ] {
        let result = bash(&mut desk, command).await;
        let content = &result.content;
        assert!(content.chars().count() <= 2000, "{content}");
        let first = content.lines().next().unwrap();
        let marks = output(&result).matches(" bytes omitted").count() as u64;
        let shown = output(&result).len() as u64;
        assert!(
            result.omitted_bytes <= all && result.omitted_bytes + shown + 10 >= all,
            "{command}: {content}"
        );
        assert!(
            marks >= 1 && content.contains(&format!("[... {} bytes omitted", result.omitted_bytes)),
            "{content}"
        );
        let said = match all > 1024 * 1024 {
            true => {
                "; of its output, 3.0 MB, the first 1.0 MB are kept for grep with output_id `t-1-1`, or background_output"
            }
            false => "; all of its output, ",
        };
        assert!(first.contains(said), "{first}");
    }
}

#[tokio::test]
async fn output_is_seen_as_it_comes_and_a_stop_ends_it() {
    let mut desk = Desk::new();
    let (seen, cancel) = (Arc::new(Mutex::new(String::new())), desk.cx.cancel.clone());
    let own = seen.clone();
    desk.cx.progress = Arc::new(move |text| {
        let mut seen = own.lock().unwrap();
        seen.push_str(text);
        if seen.contains("ready") {
            cancel.cancel();
        }
    });
    let result = bash(&mut desk, "echo ready; sleep 600").await;
    assert_eq!((result.status, output(&result)), (CallStatus::Cancelled, "ready"));
    assert!(result.summary.starts_with("stopped after "), "{}", result.summary);
    assert_eq!(*seen.lock().unwrap(), "ready\n");
}

#[tokio::test]
async fn the_time_limit_is_the_smaller_one() {
    let mut desk = Desk::new();
    desk.cx.limits.command_secs = 1;
    desk.cx.execution = Some(Execution::Bash("sleep 600".to_owned()));
    let result = desk.run("shell", json!({"command": "sleep 600", "timeout_secs": 500})).await;
    assert_eq!(
        (result.status, result.summary.as_str()),
        (CallStatus::Failed, "ended after the time limit of 1 s")
    );
}

#[tokio::test]
async fn a_command_may_take_longer_than_usual_if_the_call_says_so() {
    let mut desk = Desk::new();
    desk.cx.limits.command_default_secs = 1;
    desk.cx.execution = Some(Execution::Bash("sleep 2; echo done".to_owned()));
    let result = desk.run("shell", json!({"command": "sleep 2; echo done", "timeout_secs": 600})).await;
    assert_eq!((result.status, output(&result)), (CallStatus::Ok, "done"));
    let most = deputy_protocol::Limits::default().command_secs;
    assert!(most == 0 || most >= 600, "{most} s");
}
