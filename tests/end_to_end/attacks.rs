//! Attackers' reproductions through the built binary: `docs/attacks.md` names the test of each. Here are those that nothing
//! smaller can hold.

use crate::support::{World, requests, results, shell, stopped, verdicts};
use deputy_protocol::{CallStatus, Confinement, Decision, Risk, StopReason, TaskEvent};
use deputy_testkit::{Finished, Turn};
use std::fs::{Permissions, create_dir_all, set_permissions, write};
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

const SECRET: &str = "the-secret-word";

/// What a script of the project's would take if it could.
const STEAL: &str = "\
#!/usr/bin/python3
for path in ['USER/.ssh/id_rsa', 'DEPUTY/session.key', 'DEPUTY/config.toml']:
    try:
        print(open(path).read())
    except OSError as error:
        print('kept out', error.errno)
try:
    open('USER/planted', 'w')
except OSError as error:
    print('kept out', error.errno)
";

/// Anyone who says `--yes medium` agrees to walls, not to none: a call that needs to be without them waits for a person.
#[test]
fn no_consent_beforehand_takes_all_walls_away() {
    for command in [
        "xdg-open page.html",
        "notify-send done",
        "gsettings set org.gnome.desktop.interface clock-show-date true",
        "systemctl --user daemon-reload",
    ] {
        let world = World::new([shell(command), Turn::text("Done.")]);
        let run = world.json(&["run", "do it", "--yes", "medium"]);
        let events = run.events().unwrap();
        assert_eq!(run.code, Some(4), "{command}: {run:?}");
        let request = requests(&events).remove(0);
        assert_eq!(request.details.confinement, Confinement::Open, "{command}: {request:?}");
        assert_eq!(request.risk, Risk::High, "{command}");
        assert!(results(&events).is_empty(), "{command}");
    }
}

/// A path elsewhere in the words of a command once took all walls away, at medium risk.
#[test]
fn a_path_elsewhere_opens_that_path_to_a_consented_command_and_nothing_else() {
    for command in
        ["python3 steal.py ../x", "python3 steal.py ~/x", "./steal.py ../x", "PYTHONPATH=.. python3 steal.py"]
    {
        let world = World::new([shell(command), Turn::text("Done.")]);
        let user = world.home.user();
        create_dir_all(user.join(".ssh")).unwrap();
        write(user.join(".ssh/id_rsa"), SECRET).unwrap();
        write(user.join("x"), "shown\n").unwrap();
        write(world.home.root().join("x"), "shown\n").unwrap();
        let steal = STEAL
            .replace("USER", &user.display().to_string())
            .replace("DEPUTY", &world.home.path().display().to_string());
        set_permissions(world.home.write("steal.py", steal).unwrap(), Permissions::from_mode(0o755)).unwrap();
        let run = world.json(&["run", "do it", "--yes", "medium"]);
        let events = run.events().unwrap();
        let verdict = verdicts(&events).remove(0);
        assert_ne!(verdict.confinement, Confinement::Open, "{command}: {verdict:?}");
        assert!(!run.stdout.contains(SECRET) && !user.join("planted").exists(), "{command}: {run:?}");
        for result in results(&events) {
            let kept_out = result.content.lines().filter(|line| line.starts_with("kept out")).count();
            // This home is below /tmp, of which the task has its own: the new file may be in that one.
            assert!(kept_out >= 3, "{command}: {result:?}");
        }
        assert!(results(&events).len() == 1 || run.code == Some(4), "{command}: {run:?}");
    }
}

/// A home that everybody may write was taken without a word, with another user's rules in it.
#[test]
fn a_home_that_others_may_write_is_refused_with_what_to_do_about_it() {
    let world = World::new([shell("touch made.txt"), Turn::text("Done.")]);
    let rule = "[[rule]]\neffect = \"allow\"\nargv = [\"touch\", \"*\"]\nconfinement = \"open\"\n\
        examples = { match = [\"touch x\"], not_match = [\"rm x\"] }\n";
    write(world.home.path().join("rules.toml"), rule).unwrap();
    set_permissions(world.home.path(), Permissions::from_mode(0o777)).unwrap();
    for args in [&["run", "do it", "--yes", "medium"] as &[&str], &["serve"], &["tasks"], &["doctor"]] {
        let said = world.say(args);
        let told = format!("{}{}", said.stdout, said.stderr);
        assert_ne!(said.code, Some(0), "{args:?}: {told}");
        assert!(told.contains("other users can write to") && told.contains("chmod go-w"), "{args:?}: {told}");
    }
    assert!(world.home.read("made.txt").is_err() && world.model.requests().is_empty());
    set_permissions(world.home.path(), Permissions::from_mode(0o700)).unwrap();
    let run = world.json(&["run", "do it", "--yes", "low"]);
    assert_eq!(stopped(&run.events().unwrap()).reason, StopReason::Completed, "{run:?}");
}

/// What is mounted was out of sight of what runs unasked, so `df` failed.
#[test]
fn facts_about_the_machine_are_told_unasked() {
    let commands = ["df -h", "lscpu", "lsblk", "findmnt", "cat /proc/swaps", "df -h / | tail -1"];
    let turns = commands.iter().map(|command| shell(command)).chain([Turn::text("Done.")]);
    let world = World::new(turns);
    let run = world.json(&["run", "look"]);
    let events = run.events().unwrap();
    assert!(verdicts(&events).iter().all(|verdict| verdict.decision == Decision::Allow), "{run:?}");
    let results = results(&events);
    assert_eq!(results.len(), commands.len(), "{run:?}");
    for (command, result) in commands.iter().zip(&results) {
        assert_eq!(result.status, CallStatus::Ok, "{command}: {result:?}");
        assert!(!result.content.contains("denied"), "{command}: {result:?}");
    }
    assert!(
        results[0].content.contains("Mounted on") && results[3].content.contains("TARGET"),
        "{results:?}"
    );
}

/// A link that opens the page as the user was in the output of `deputy serve`, and so in journals and logs.
#[test]
fn a_link_that_opens_the_page_is_not_written_where_no_screen_is() {
    let world = World::new([]);
    let mut command = world.home.deputy().unwrap();
    command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut host = command.spawn().unwrap();
    let mut lines = BufReader::new(host.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first: Vec<String> = lines.by_ref().take(2).collect();
    assert!(first[0].starts_with("Serving ") && first[1].contains("`deputy open`"), "{first:?}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&host), rustix::process::Signal::TERM)
        .unwrap();
    let rest: Vec<String> = lines.collect();
    let told =
        format!("{first:?} {rest:?} {}", String::from_utf8_lossy(&host.wait_with_output().unwrap().stderr));
    assert!(!told.contains("http"), "{told}");
}

/// Nothing said that the folder of a task was the home, where everything starts that starts by itself.
#[test]
fn a_task_in_the_home_begins_with_what_follows_from_that() {
    for (folder, is_told) in [("..", true), (".", false)] {
        let world = World::new([shell("ls"), Turn::text("Done.")]);
        let folder = world.home.workspace().join(folder);
        let mut command = world.home.deputy().unwrap();
        command.env("HOME", world.home.root()).args(["run", "look", "--in"]).arg(&folder);
        let run = Finished::of(command).unwrap();
        let told = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(told.contains("your whole home"), is_told, "{told}");
    }
}

/// `rm *.txt` was shown as `rm one.txt` and looked up once more after the answer.
#[test]
fn what_was_shown_is_what_runs() {
    for command in ["rm *.txt", "rm *.txt && ls"] {
        let world = World::new([shell(command), Turn::text("Done.")]);
        world.home.write("one.txt", "1\n").unwrap();
        let asked = world.json(&["run", "tidy up"]);
        let request = requests(&asked.events().unwrap()).remove(0);
        let shown: Vec<&str> = request.details.parts.iter().map(|part| part.text.as_str()).collect();
        assert!(shown.contains(&"rm one.txt"), "{command}: {shown:?}");
        world.home.write("two.txt", "2\n").unwrap();
        world.json(&["approve", request.id.as_str()]);
        let end = world.json(&["follow", "last"]);
        // Where the words changed meanwhile it may ask anew; it never removes what was not shown.
        assert_eq!(world.home.read("two.txt").unwrap(), "2\n", "{command}: {end:?}");
    }
}

/// A command reached every service of the loopback, and listened where everybody could reach it.
#[test]
fn without_the_network_a_command_reaches_nobody_and_nobody_reaches_it() {
    let service = TcpListener::bind("127.0.0.1:0").unwrap();
    service.set_nonblocking(true).unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let script = format!(
        "import os, socket, time\ntry:\n\tsocket.create_connection(('127.0.0.1', {}))\n\tprint('REACHED')\n\
         except OSError:\n\tprint('nobody there')\nown = socket.create_server(('0.0.0.0', {free}))\n\
         open('ready', 'w').close()\nwhile not os.path.exists('seen'):\n\ttime.sleep(0.01)\n",
        service.local_addr().unwrap().port(),
    );
    let world = World::new([shell("python3 reach.py"), Turn::text("Done.")]);
    world.home.write("reach.py", script).unwrap();
    let mut run = world.start(&["run", "reach", "--yes", "medium"]);
    while !world.home.workspace().join("ready").exists() {
        std::thread::yield_now();
    }
    assert!(TcpStream::connect(("127.0.0.1", free)).is_err(), "somebody reached it");
    world.home.write("seen", "").unwrap();
    let finished = run.wait_for_event(|event| matches!(event, TaskEvent::ToolFinished(_))).unwrap();
    let result = results(&[finished]).remove(0);
    assert!(result.content.contains("nobody there") && !result.content.contains("REACHED"), "{result:?}");
    assert!(service.accept().is_err(), "it reached the service");
    assert_eq!(run.wait().unwrap(), Some(0));
}

/// A table of tests that has lost one of them proves nothing.
#[test]
fn every_line_names_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut sources = String::new();
    for folder in ["crates", "tests"] {
        gather(&root.join(folder), &mut sources);
    }
    let table = std::fs::read_to_string(root.join("docs/attacks.md")).unwrap();
    let is_head = |line: &&str| line.ends_with("| test |");
    let lines: Vec<&str> = table.lines().filter(|line| line.starts_with("| ") && !is_head(line)).collect();
    assert!(lines.len() >= 60, "{}", lines.len());
    for line in lines {
        let tests = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let words = tests.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let names: Vec<&str> = words.filter(|word| word.matches('_').count() > 2).collect();
        // Tests of the page have sentences for names.
        let titles: Vec<&str> = tests.split('"').skip(1).step_by(2).collect();
        let is_named = !names.is_empty() || !titles.is_empty();
        assert!(is_named || tests.contains(" -k ") || tests.contains("parity"), "{line}");
        for title in titles {
            assert!(sources.contains(&format!("test(\"{title}\"")), "no test is called {title}: {line}");
        }
        for name in names {
            assert!(sources.contains(&format!("fn {name}()")), "no test is called {name}: {line}");
        }
    }
}

fn gather(folder: &Path, sources: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            gather(&path, sources);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "ts") {
            sources.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}
