//! Everything that a command starts ends with it, no matter how it detaches itself, how many processes there are, and
//! how Deputy ends.
#![allow(clippy::unwrap_used)] // also for the shared test helpers

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, Ended, Walls, run_with, walls};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{Mechanism, Place, also_as_ordinary_user, block_on, outcome, run_in};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// Returns every way to run a command: with each confinement and mechanism, and without a sandbox.
fn everywhere() -> Vec<(Confinement, Walls)> {
    let (landlock, bubblewrap) = (Mechanism::Landlock.walls(), Mechanism::Bubblewrap.walls());
    vec![
        (Confinement::Open, walls().clone()),
        (Confinement::ReadOnly, landlock.clone()),
        (Confinement::ReadOnly, bubblewrap.clone()),
        (Confinement::Workspace, landlock),
        (Confinement::WorkspaceNet, bubblewrap),
    ]
}

/// Returns a number that occurs only in the arguments of a command's processes.
fn mark(place: &Place) -> String {
    let name = place.root().file_name().unwrap().to_string_lossy().into_owned();
    let digits: String = name.bytes().map(|byte| char::from(b'0' + byte % 10)).collect();
    format!("600.{digits}{}", std::process::id())
}

/// Returns how many processes of the machine have the mark in their arguments.
fn alive(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).split('\0').any(|word| word == mark)).count()
}

/// Prints how long it took until the end after the command was asked to end. No test depends on it.
fn figure(what: &str, level: Confinement, walls: &Walls, took: Duration) {
    let by = match (level, &walls.bubblewrap) {
        (Confinement::Open, _) => "none",
        (_, Some(_)) => "bubblewrap",
        (_, None) => "Landlock",
    };
    let user = if rustix::process::geteuid().is_root() { "root" } else { "an ordinary user" };
    println!("figure: S-5: {what} as {level:?}, walls {by}, {user}: {} ms", took.as_millis());
}

/// Ways to leave a process running. `sleep` has the mark in its arguments.
const DETACHING: [&str; 5] = [
    "sleep MARK &",
    "setsid sleep MARK & sleep 0.1; true",
    "(setsid sh -c 'trap \"\" TERM HUP INT; (sleep MARK; true) & wait' > /dev/null 2>&1 < /dev/null &)",
    "nohup sleep MARK > /dev/null 2>&1 & disown",
    "/usr/bin/python3 -c 'import os\nif os.fork(): os._exit(0)\ntry: os.setsid()\nexcept OSError: pass\nif os.fork(): os._exit(0)\nos.execv(\"/bin/sleep\", [\"sleep\", \"MARK\"])'",
];

#[test]
fn nothing_outlives_the_command() {
    also_as_ordinary_user("nothing_outlives_the_command");
    for (level, walls) in everywhere() {
        for script in DETACHING {
            let place = Place::new();
            let mark = mark(&place);
            let spec = place.bash(level, &format!("{}\necho started", script.replace("MARK", &mark)));
            let outcome = block_on(run_with(&walls, spec, CancellationToken::new(), None)).unwrap();
            assert_eq!(outcome.stdout.text(), "started\n", "{script}: {}", outcome.stderr.text());
            assert_eq!(alive(&mark), 0, "{script} as {level:?} by {walls:?}");
            // The program `setsid` does not work under Landlock.
            let is_left = outcome.left_running.count == 1;
            assert!(is_left || script.contains("setsid s"), "{script} as {level:?} by {walls:?}");
        }
    }
}

#[test]
fn what_a_command_left_running_is_named() {
    also_as_ordinary_user("what_a_command_left_running_is_named");
    // Each says that it has its name before the command ends.
    let named = |name: &str| {
        format!(
            "exec 3< <(exec /usr/bin/python3 -c 'import ctypes, os, time
ctypes.CDLL(None).prctl(15, b\"{name}\")
os.write(1, b\"named\\n\")
time.sleep(600)'); read -u 3 line; echo $line\n"
        )
    };
    let left = named("a) b") + &named("worker");
    for (level, walls) in everywhere() {
        let place = Place::new();
        let run = |script: &str| {
            let spec = place.bash(level, script);
            block_on(run_with(&walls, spec, CancellationToken::new(), None)).unwrap()
        };
        let outcome = run(&left);
        let mut found = outcome.left_running.names.clone();
        found.sort();
        assert_eq!(found, ["a) b", "worker"], "as {level:?} by {walls:?}: {}", outcome.stderr.text());
        for script in ["sleep 0 & wait", "kill -9 $$", "for n in 1 2 3; do (true); done | cat"] {
            assert_eq!(run(script).left_running.count, 0, "{script} as {level:?} by {walls:?}");
        }
        let many = run("for n in 1 2 3 4 5 6 7; do sleep 600 & done").left_running;
        assert_eq!((many.count, many.names.len()), (7, 4), "as {level:?} by {walls:?}");
    }
}

#[test]
fn processes_that_detach_do_run_while_the_command_does() {
    // A control for the test above: each of its scripts does start a process with the mark.
    for script in DETACHING {
        let place = Place::new();
        let mark = mark(&place);
        // Look for the program itself, because the shells that start it have the mark in their text.
        let seen = format!(
            "{}\nuntil found=$(grep -lsPa '^sleep\\x00{mark}\\x00' /proc/[0-9]*/cmdline); do :; done; echo \"$found\"",
            script.replace("MARK", &mark)
        );
        let (code, printed, _) = block_on(outcome(walls(), place.bash(Confinement::Open, &seen)));
        assert!(code == 0 && printed.starts_with("/proc/"), "{script}: {printed}");
    }
}

/// Runs a spec and cancels it as soon as it has printed its first line.
fn cancel_after_first_line(walls: &Walls, spec: ChildSpec) -> deputy_sandbox::Outcome {
    let cancel = CancellationToken::new();
    let trigger = cancel.clone();
    block_on(run_with(walls, spec, cancel, Some(std::sync::Arc::new(move |_| trigger.cancel())))).unwrap()
}

#[test]
fn cancelled_commands_may_tidy_up_and_then_are_killed() {
    also_as_ordinary_user("cancelled_commands_may_tidy_up_and_then_are_killed");
    for (level, walls) in everywhere() {
        let place = Place::new();
        let mark = mark(&place);
        let polite = place.bash(
            level,
            &format!("trap 'echo tidied; exit 7' TERM; echo ready; while :; do sleep {mark} & wait; done"),
        );
        let outcome = cancel_after_first_line(&walls, polite);
        assert_eq!(
            (outcome.ended, outcome.stdout.text().as_str()),
            (Ended::Cancelled, "ready\ntidied\n"),
            "as {level:?}"
        );
        assert_eq!(alive(&mark), 0);

        let mut stubborn = place.bash(
            level,
            &format!("trap '' TERM INT HUP; echo ready; sleep {mark}; sleep {mark}; sleep {mark}"),
        );
        stubborn.limits.grace = Duration::from_millis(50);
        assert_eq!(cancel_after_first_line(&walls, stubborn).ended, Ended::Cancelled);
        assert_eq!(alive(&mark), 0, "as {level:?} by {walls:?}");
    }
}

#[test]
fn time_is_up() {
    for (level, walls) in everywhere() {
        let place = Place::new();
        let mark = mark(&place);
        let mut spec = place.spec(level, &["sleep", &mark]);
        spec.limits.timeout = Duration::from_millis(50);
        assert_eq!(block_on(run_in(&walls, spec)).unwrap().ended, Ended::TimedOut);
        assert_eq!(alive(&mark), 0);
    }
}

#[test]
fn a_fork_bomb_is_ended() {
    also_as_ordinary_user("a_fork_bomb_is_ended");
    for (level, walls) in everywhere() {
        let place = Place::new();
        let mark = mark(&place);
        let bomb = format!(
            "import os, time\nprint('ready', flush=True)\nwhile True:\n    try:\n        if os.fork() == 0: time.sleep(0)\n    except OSError: time.sleep(0.01)\n# {mark}"
        );
        let mut spec = place.python(level, &bomb);
        spec.limits.processes = 200;
        spec.limits.timeout = Duration::from_millis(400);
        spec.limits.grace = Duration::from_millis(1);
        let given = spec.limits.timeout;
        let begun = Instant::now();
        let outcome = block_on(run_in(&walls, spec)).unwrap();
        figure(
            "a fork bomb ended after its time was up",
            level,
            &walls,
            begun.elapsed().saturating_sub(given),
        );
        let root = rustix::process::geteuid().is_root();
        assert!(
            matches!(outcome.ended, Ended::TimedOut)
                || (root && matches!(outcome.ended, Ended::Signalled(_))),
            "{outcome:?}"
        );
        let left = std::fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            std::fs::read(entry.path().join("cmdline"))
                .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&mark))
        });
        assert_eq!(left.count(), 0, "as {level:?} by {walls:?}");
    }
}

/// Leaves a child in a separate session, if allowed. Its first thread has exited (so the kernel lists it as ended), and
/// its second one sleeps.
const HEADLESS: &str = "import ctypes, os, platform, threading, time
if os.fork() == 0:
    try: os.setsid()
    except OSError: pass
    os.close(1), os.close(2)
    threading.Thread(target=time.sleep, args=(600,)).start()
    ctypes.CDLL(None).syscall(60 if platform.machine() == 'x86_64' else 93, 0)
print('done')";

#[test]
fn a_process_that_lives_on_without_its_first_thread_is_ended_too() {
    for (level, walls) in everywhere() {
        let place = Place::new();
        let (code, printed, _) = block_on(outcome(&walls, place.python(level, HEADLESS)));
        assert_eq!((code, printed.as_str()), (0, "done\n"), "as {level:?} by {walls:?}");
    }
}

/// Forks as often as allowed, and prints the count.
const FORKS: &str = "import os, signal
count = 0
try:
    while count < 10_000:
        if os.fork() == 0: signal.pause()
        count += 1
except OSError: pass
print(count)";

#[test]
fn nobody_has_more_processes_than_allowed() {
    also_as_ordinary_user("nobody_has_more_processes_than_allowed");
    for (level, walls) in everywhere() {
        let place = Place::new();
        let mut spec = place.python(level, FORKS);
        spec.limits.processes = 20;
        let outcome = block_on(run_in(&walls, spec)).unwrap();
        let is_root = rustix::process::geteuid().is_root();
        if is_root && matches!(outcome.ended, Ended::Signalled(_)) {
            // If the kernel does not enforce root's limit, the processes are counted and killed.
            continue;
        }
        // For an ordinary user, the kernel counts all processes, so the limit is the number on the machine plus twenty.
        let most = if is_root { 22 } else { 9_999 };
        let count: u64 = String::from_utf8_lossy(&outcome.stdout.head).trim().parse().unwrap();
        assert!((1..=most).contains(&count), "{count} as {level:?} by {walls:?}");
    }
}

#[test]
fn ten_thousand_children_end_with_their_parent() {
    // Once per mechanism, because this takes long.
    for (level, walls) in everywhere().into_iter().take(3) {
        let place = Place::new();
        let mark = mark(&place);
        let mut spec = place.bash(level, &format!("sh -c 'i=0; while [ $i -lt 10000 ]; do (:) & i=$((i+1)); [ $((i % 100)) = 0 ] && wait; done'; sleep {mark} & echo done"));
        spec.limits.processes = 20_000;
        let begun = Instant::now();
        let (_, printed, _) = block_on(outcome(&walls, spec));
        figure("10,000 children begun and ended, one left behind ended too", level, &walls, begun.elapsed());
        assert_eq!((printed.as_str(), alive(&mark)), ("done\n", 0), "as {level:?}");
    }
}

#[test]
fn endless_output_is_counted_and_ended() {
    for (level, walls) in everywhere() {
        let place = Place::new();
        let spec = place.spec(level, &["yes"]);
        let (head, tail) = (spec.limits.head_bytes, spec.limits.tail_bytes);
        let cancel = CancellationToken::new();
        let (trigger, seen) = (cancel.clone(), std::sync::atomic::AtomicUsize::new(0));
        let told_at = std::sync::Arc::new(std::sync::OnceLock::new());
        let told = told_at.clone();
        let sink: deputy_sandbox::OutputSink = std::sync::Arc::new(move |chunk| {
            let before = seen.fetch_add(chunk.len(), std::sync::atomic::Ordering::Relaxed);
            if before > 4 * (head + tail) {
                told.get_or_init(Instant::now);
                trigger.cancel();
            }
        });
        let outcome = block_on(run_with(&walls, spec, cancel, Some(sink))).unwrap();
        let took = told_at.get().unwrap().elapsed();
        figure("endless output ended after it was told to", level, &walls, took);
        assert_eq!(outcome.ended, Ended::Cancelled);
        assert_eq!((outcome.stdout.head.len(), outcome.stdout.tail.len()), (head, tail));
        assert!(outcome.stdout.omitted_bytes >= (3 * (head + tail)) as u64);
    }
}

#[test]
fn files_stop_growing() {
    also_as_ordinary_user("files_stop_growing");
    for (level, walls) in everywhere() {
        let place = Place::new();
        std::fs::set_permissions(&place.workspace, std::os::unix::fs::PermissionsExt::from_mode(0o777))
            .unwrap();
        let mut spec = place.bash(level, "cat /dev/zero > filled");
        spec.limits.file_bytes = 1 << 20;
        let outcome = block_on(run_in(&walls, spec)).unwrap();
        assert_ne!(outcome.ended, Ended::TimedOut);
        let size = place.workspace.join("filled").metadata().map_or(0, |meta| meta.len());
        let expected = if level == Confinement::ReadOnly { 0 } else { 1 << 20 };
        assert_eq!(size, expected, "as {level:?} by {walls:?}");
    }
}

#[test]
fn memory_and_processor_time_are_bounded() {
    for (level, walls) in everywhere() {
        let place = Place::new();
        let mut spec = place.python(level, "x = bytearray(512 << 20); print('got it')");
        spec.limits.memory_bytes = 128 << 20;
        let (_, printed, complaint) = block_on(outcome(&walls, spec));
        assert!(printed.is_empty() && complaint.contains("MemoryError"), "as {level:?}: {complaint}");
        let mut spec = place.python(level, "while True: pass");
        spec.limits.cpu_secs = 1;
        let ended = block_on(run_in(&walls, spec)).unwrap().ended;
        let by_signal = [
            Ended::Signalled(libc_signal::XCPU),
            Ended::Signalled(libc_signal::KILL),
            Ended::Exited(128 + libc_signal::XCPU),
            Ended::Exited(128 + libc_signal::KILL),
        ];
        assert!(by_signal.contains(&ended), "{ended:?} as {level:?}");
    }
}

/// The numbers of signals on Linux.
mod libc_signal {
    pub(super) const KILL: i32 = 9;
    pub(super) const XCPU: i32 = 24;
}

/// The environment variable that makes this test program act as a Deputy that will be killed.
const PLAY_DEPUTY: &str = "DEPUTY_TEST_PLAY_DEPUTY";

#[test]
fn nothing_outlives_deputy() {
    if let Ok(level) = std::env::var(PLAY_DEPUTY) {
        return play_deputy(&level);
    }
    also_as_ordinary_user("nothing_outlives_deputy");
    for level in PLAYED_LEVELS {
        let (mut deputy, mark, _folder) = started_deputy("nothing_outlives_deputy", PLAY_DEPUTY, level);
        assert!(alive(&mark) > 0, "{level}: it runs");
        deputy.kill().unwrap();
        deputy.wait().unwrap();
        // The keeper continues in the memory that was Deputy's, and kills them.
        let pid = deputy.id();
        while alive(&mark) > 0 {
            std::thread::yield_now();
        }
        assert!(!Path::new(&format!("/proc/{pid}")).exists());
    }
}

/// Like the above, but it exits as soon as the command runs.
const PLAY_DEPUTY_THAT_EXITS: &str = "DEPUTY_TEST_PLAY_DEPUTY_THAT_EXITS";

#[test]
fn deputy_may_exit_while_a_command_runs() {
    // The thread that waits for the keeper is blocked in the kernel and must not delay the exit.
    if let Ok(level) = std::env::var(PLAY_DEPUTY_THAT_EXITS) {
        return play_deputy(&level);
    }
    for level in PLAYED_LEVELS {
        let (mut deputy, mark, _folder) =
            started_deputy("deputy_may_exit_while_a_command_runs", PLAY_DEPUTY_THAT_EXITS, level);
        assert_eq!(deputy.wait().unwrap().code(), Some(EXITED_BY_ITSELF), "{level}");
        while alive(&mark) > 0 {
            std::thread::yield_now();
        }
    }
}

const PLAYED_LEVELS: [&str; 4] = ["open", "read_only_landlock", "read_only_bubblewrap", "workspace"];
const EXITED_BY_ITSELF: i32 = 7;

/// Starts this test program as Deputy with a running command. Returns it with the mark of the command, and with a
/// folder for what Deputy can no longer remove.
fn started_deputy(test: &str, role: &str, level: &str) -> (Child, String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut deputy = Command::new(std::env::current_exe().unwrap())
        .env("TMPDIR", folder.path())
        .args(["--exact", test, "--nocapture"])
        .env(role, level)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(deputy.stdout.take().unwrap());
    let mark = printed
        .by_ref()
        .lines()
        .map(Result::unwrap)
        .find_map(|line| Some(line.strip_prefix("mark ")?.to_owned()))
        .unwrap();
    (deputy, mark, folder)
}

/// Starts a command with all kinds of descendants, which never ends on its own.
fn play_deputy(level: &str) {
    let (confinement, walls) = match level {
        "open" => (Confinement::Open, walls().clone()),
        "read_only_landlock" => (Confinement::ReadOnly, Mechanism::Landlock.walls()),
        "read_only_bubblewrap" => (Confinement::ReadOnly, Mechanism::Bubblewrap.walls()),
        _ => (Confinement::Workspace, walls().clone()),
    };
    let place = Place::new();
    let mark = mark(&place);
    let script = format!(
        "trap '' TERM HUP; sleep {mark} & (setsid sleep {mark} &) ; (sleep {mark} &) ; sleep 0.2; echo ready; sleep {mark}"
    );
    let said = mark.clone();
    let exits = std::env::var_os(PLAY_DEPUTY_THAT_EXITS).is_some();
    // Printed once, after everything runs. A reader may then close the pipe.
    let sink: deputy_sandbox::OutputSink = std::sync::Arc::new(move |bytes| {
        if !String::from_utf8_lossy(bytes).contains("ready") {
            return;
        }
        println!("mark {said}");
        if exits {
            std::process::exit(EXITED_BY_ITSELF);
        }
    });
    let _ =
        block_on(run_with(&walls, place.bash(confinement, &script), CancellationToken::new(), Some(sink)));
}

#[test]
fn dropping_the_future_ends_the_command() {
    for (level, walls) in everywhere() {
        let place = Place::new();
        let mark = mark(&place);
        let spec = place.bash(level, &format!("echo ready; sleep {mark}"));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (ready, is_ready) = tokio::sync::oneshot::channel();
            let ready = std::sync::Mutex::new(Some(ready));
            let sink: deputy_sandbox::OutputSink = std::sync::Arc::new(move |_| {
                if let Some(ready) = ready.lock().unwrap().take() {
                    ready.send(()).unwrap();
                }
            });
            tokio::select! {
                ended = run_with(&walls, spec, CancellationToken::new(), Some(sink)) => panic!("{ended:?}"),
                _ = is_ready => {}
            }
        });
        while alive(&mark) > 0 {
            std::thread::yield_now();
        }
    }
}

#[test]
fn many_commands_run_at_the_same_time() {
    // Each has a blocked thread, so there must be enough threads: none continues until all of them run.
    const AT_ONCE: usize = 50;
    also_as_ordinary_user("many_commands_run_at_the_same_time");
    for (level, walls) in [everywhere().swap_remove(0), everywhere().swap_remove(1)] {
        let place = Place::new();
        let go = place.workspace.join("go");
        let running = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let mut commands = tokio::task::JoinSet::new();
        for number in 0..AT_ONCE {
            let spec = place.bash(
                level,
                &format!("echo ready; until [ -e go ]; do sleep 0.2; done; echo {number}; exit {number}"),
            );
            let (walls, running, go) = (walls.clone(), running.clone(), go.clone());
            let said_ready = std::sync::atomic::AtomicBool::new(false);
            let sink: deputy_sandbox::OutputSink = std::sync::Arc::new(move |_| {
                use std::sync::atomic::Ordering::SeqCst;
                let is_first = !said_ready.swap(true, SeqCst);
                if is_first && running.fetch_add(1, SeqCst) + 1 == AT_ONCE {
                    std::fs::write(&go, "").unwrap();
                }
            });
            let command = async move {
                let outcome = run_with(&walls, spec, CancellationToken::new(), Some(sink)).await.unwrap();
                (number, outcome.ended, outcome.stdout.text())
            };
            commands.spawn_on(command, runtime.handle());
        }
        let ended = runtime.block_on(commands.join_all());
        assert_eq!(ended.len(), AT_ONCE);
        for (number, ended, printed) in ended {
            let expected = (Ended::Exited(number as i32), format!("ready\n{number}\n"));
            assert_eq!((ended, printed), expected, "as {level:?}");
        }
    }
}

#[test]
fn a_keeper_that_is_killed_takes_the_program_along() {
    // Only without a sandbox can a command reach its keeper. Deputy, whose memory the keeper shares, continues.
    let place = Place::new();
    let mark = mark(&place);
    for _ in 0..20 {
        let spec = place.bash(Confinement::Open, &format!("echo ready; kill -KILL $PPID; exec sleep {mark}"));
        let outcome = block_on(run_in(walls(), spec)).unwrap();
        assert_eq!(
            (outcome.ended, outcome.stdout.text().as_str()),
            (Ended::Signalled(libc_signal::KILL), "ready\n")
        );
        assert_eq!(alive(&mark), 0);
    }
}
