//! Secrets: what a key file holds reaches neither the planner nor the journal nor a screen, whatever the model asks.

use crate::support::{World, requests, results, shell, stopped, verdicts};
use deputy_protocol::{CallStatus, Decision, Risk, StopReason};
use deputy_testkit::{Finished, Script, ScriptedModel, TempHome, Turn, deputy_binary};
use serde_json::json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the key holds; found nowhere afterwards.
const CONTENT: &str = "MARK-OF-A-PRIVATE-KEY";

/// A world whose user keeps a key, and whose model makes one call, knowing the path of the key, and gives up.
fn world(call: impl FnOnce(&str) -> Turn) -> World {
    let mut home = TempHome::new().unwrap();
    let ssh = home.user().join(".ssh");
    std::fs::create_dir(&ssh).unwrap();
    let key = ssh.join("id_rsa");
    std::fs::write(&key, format!("{CONTENT}\n")).unwrap();
    std::os::unix::fs::symlink(&key, home.workspace().join("notes.txt")).unwrap();
    let turns = [call(key.to_str().unwrap()), Turn::text("I cannot read it.")];
    let model = ScriptedModel::start(Script::turns(turns)).unwrap();
    home.use_model(&model).unwrap();
    World { home, model }
}

/// Every file below a folder that holds the text.
fn holding(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.extend(holding(&path, text));
        } else if kind.is_file()
            && let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(text.len()).any(|window| window == text.as_bytes())
        {
            found.push(path);
        }
    }
    found
}

/// Nothing that was said, shown or kept holds the key.
fn never_leaked(world: &World, shown: &str) {
    assert!(!shown.contains(CONTENT), "{shown}");
    for (n, request) in world.model.requests().into_iter().enumerate() {
        let body = request.body.map(|body| body.to_string()).unwrap_or_default();
        assert!(!body.contains(CONTENT), "the planner was told in request {}", n + 1);
    }
    assert_eq!(holding(&world.home.path(), CONTENT), Vec::<PathBuf>::new());
    assert_eq!(holding(&world.home.workspace(), CONTENT), Vec::<PathBuf>::new());
}

#[test]
fn a_key_is_read_by_no_tool_even_with_consent() {
    let code = |path: &str| Turn::call("code", json!({"action": "read", "path": path}));
    let grep = |path: &str| Turn::call("search", json!({"action": "grep", "pattern": "MARK", "path": path}));
    let calls: [fn(&str) -> String; 4] = [
        |_| "cat ~/.ssh/id_rsa".to_owned(),
        |key| format!("cp {key} copy.txt"),
        |key| format!("cat {}", key.replace("/.ssh/", "/./.ssh/../.ssh/")),
        |_| "cat notes.txt".to_owned(),
    ];
    let shells = calls.map(|command| world(|key| shell(&command(key))));
    let others = [world(code), world(|_| code("notes.txt")), world(grep), world(|_| grep("notes.txt"))];
    for world in shells.into_iter().chain(others) {
        let run = world.json(&["run", "read the key", "--yes", "medium"]);
        let events = run.events().unwrap();
        let verdict = verdicts(&events)[0].clone();
        assert_eq!(verdict.risk, Risk::High, "{run:?}");
        // A search does not say that it would read the key, so it is denied. The rest waits for a person.
        match verdict.decision {
            Decision::Allow => panic!("{run:?}"),
            Decision::Ask => assert_eq!((run.code, requests(&events).len()), (Some(4), 1), "{run:?}"),
            Decision::Deny => {
                assert_eq!(results(&events)[0].status, CallStatus::Denied, "{run:?}");
                assert_eq!((run.code, stopped(&events).reason), (Some(3), StopReason::Denied), "{run:?}");
            }
        }
        never_leaked(&world, &format!("{}{}", run.stdout, run.stderr));
    }
}

#[test]
fn a_command_that_was_approved_still_finds_no_key() {
    // What the text does not show, policy cannot know: here the walls alone keep the key.
    let command =
        "python3 -c 'import os; print(open(os.environ[\"HOME\"] + \"/.s\" + \"sh/id_\" + \"rsa\").read())'";
    let world = world(|_| shell(command));
    let run = world.json(&["run", "read the key"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0);
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    let result = results(&follow.events().unwrap()).remove(0);
    assert_eq!(result.status, CallStatus::Failed, "{result:?}");
    assert!(result.content.contains("Error"), "{result:?}");
    never_leaked(&world, &format!("{}{}", follow.stdout, follow.stderr));
}

#[test]
fn a_secret_of_the_project_is_changed_by_the_call_a_person_agreed_to_and_open_to_no_other() {
    let agreed = |command: &str| {
        let world = World::new([shell(command), Turn::text("Done.")]);
        std::fs::write(world.home.workspace().join(".env"), format!("KEY={CONTENT}\n")).unwrap();
        std::fs::write(world.home.workspace().join(".env.example"), "KEY=\n").unwrap();
        let run = world.json(&["run", "change it", "--yes", "medium"]);
        assert_eq!(run.code, Some(4), "asked, whatever is consented to beforehand: {run:?}");
        let request = requests(&run.events().unwrap()).remove(0);
        assert_eq!(request.risk, Risk::High, "{request:?}");
        let offered: Vec<_> = request.offered.iter().filter(|offer| offer.rule.is_some()).collect();
        assert!(offered.is_empty(), "remembered for later calls: {offered:?}");
        assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
        let follow = world.json(&["follow", "last"]);
        assert!(!follow.stdout.contains(CONTENT), "{follow:?}");
        let result = results(&follow.events().unwrap()).remove(0);
        let env = std::fs::read_to_string(world.home.workspace().join(".env"));
        (request, result, env.ok())
    };
    let same = || Some(format!("KEY={CONTENT}\n"));
    let (request, result, env) = agreed("rm .env");
    assert_eq!((result.status, env), (CallStatus::Ok, None), "{result:?}");
    assert!(request.reasons.iter().any(|reason| reason.contains("open to this one call")), "{request:?}");
    assert!(result.summary.contains("undo does not cover"), "{result:?}");
    let (_, result, env) = agreed("cp .env.example .env");
    assert_eq!((result.status, env), (CallStatus::Ok, Some("KEY=\n".to_owned())), "{result:?}");
    let (_, result, env) = agreed("echo MORE=1 >> .env");
    assert_eq!((result.status, env), (CallStatus::Ok, same().map(|text| text + "MORE=1\n")), "{result:?}");

    // A program that may read whatever it likes does not get to see it, and the request says so.
    let (request, result, env) =
        agreed("python3 -c 'print(open(\".e\" + \"nv\").read())'; echo MORE=1 >> .env");
    assert!(request.reasons.iter().any(|reason| reason.contains("stays hidden")), "{request:?}");
    assert_eq!((result.status, env), (CallStatus::Failed, same()), "{result:?}");
}

#[test]
fn what_the_user_lists_as_secret_is_denied_hidden_and_explained() {
    let listed = |turn: Turn| {
        let world = World::new([turn, Turn::text("I cannot read it.")]);
        let config = world.home.path().join("config.toml");
        let text = std::fs::read_to_string(&config).unwrap();
        std::fs::write(&config, format!("secrets = [\"~/notes/private\", \"**/*.letter\"]\n{text}")).unwrap();
        let notes = world.home.user().join("notes/private");
        std::fs::create_dir_all(&notes).unwrap();
        std::fs::write(notes.join("diary.txt"), format!("{CONTENT}\n")).unwrap();
        world
    };
    let world = listed(shell("cat ~/notes/private/diary.txt"));
    let run = world.json(&["run", "read the diary", "--yes", "medium"]);
    assert_eq!(verdicts(&run.events().unwrap())[0].decision, Decision::Deny, "{run:?}");
    let explained = world.say(&["policy", "explain", "cat post/a.letter"]);
    assert!(explained.stdout.contains("your own list of secrets"), "{explained:?}");

    // Here the walls alone keep it: policy cannot know what the program opens.
    let world = listed(shell(
        "python3 -c 'import os; print(open(os.environ[\"HOME\"] + \"/notes/pri\" + \"vate/diary.txt\").read())'",
    ));
    let run = world.json(&["run", "read the diary"]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let request = requests(&run.events().unwrap()).remove(0);
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    let follow = world.json(&["follow", "last"]);
    let result = results(&follow.events().unwrap()).remove(0);
    assert_eq!(result.status, CallStatus::Failed, "{result:?}");
    assert!(!follow.stdout.contains(CONTENT), "{follow:?}");
}

#[test]
fn a_command_does_not_see_the_keys_of_the_models() {
    let mut world = World::new([shell("env"), Turn::text("Done.")]);
    world.home.set("backends.openai_compatible.api_key_env", "TEST_MODEL_KEY").unwrap();
    let say = |args: &[&str]| {
        let mut command = world.home.deputy().unwrap();
        command.arg("--json").args(args).env("TEST_MODEL_KEY", CONTENT).env("OTHER_TOKEN", CONTENT);
        Finished::of(command).unwrap()
    };
    let mut run = say(&["run", "look around"]);
    if let Some(request) = requests(&run.events().unwrap()).pop() {
        assert_eq!(say(&["approve", request.id.as_str()]).code, Some(0));
        run = say(&["follow", "last"]);
    }
    let result = results(&run.events().unwrap()).remove(0);
    assert!(result.status == CallStatus::Ok && result.content.contains("PATH="), "{result:?}");
    never_leaked(&world, &format!("{}{}", run.stdout, run.stderr));
}

/// Runs a script with a session bus and an unlocked keyring of its own; `$0` is Deputy.
fn with_keyring(world: &World, script: &str) -> Finished {
    let unlocked = format!(
        r#"mkdir -m 700 "$HOME/runtime"
        export XDG_RUNTIME_DIR="$HOME/runtime"
        printf pass | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
        {script}"#
    );
    let mut command = Command::new("dbus-run-session");
    command.args(["--", "sh", "-euc", &unlocked]).arg(deputy_binary().unwrap());
    let deputy = world.home.deputy().unwrap();
    command.env_clear();
    command.envs(deputy.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(world.home.workspace());
    Finished::of(command).unwrap()
}

#[test]
fn a_key_in_the_keyring_reaches_the_provider_and_no_file() {
    let script = Script::turns([Turn::text("one")]);
    let world = World::of(Script { api_key: Some("key-in-the-keyring".to_owned()), ..script });
    let script = r#"
        echo "key-in-the-keyring" | "$0" backends key openai_compatible
        "$0" run first
        grep -rl "key-in-the-keyring" "$DEPUTY_HOME" || echo "in no file"
        "$0" backends key openai_compatible --remove
        "$0" config set backends.openai_compatible.api_key_in_keyring true
        code=0; "$0" run second || code=$?
        echo "code $code""#;
    let tried = with_keyring(&world, script);
    assert_eq!(tried.code, Some(0), "{tried:?}");
    assert_eq!(world.model.requests().len(), 1, "asked with its key, and not without: {tried:?}");
    assert!(tried.stdout.contains("one"), "{tried:?}");
    assert!(tried.stdout.contains("in no file") && tried.stdout.ends_with("code 1\n"), "{tried:?}");
    assert!(tried.stderr.contains("the desktop's keyring has no entry"), "{tried:?}");
}

/// Answers one search after the other on loopback, with a result for those that bring the key; gives its address.
fn search_server(key: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                head.extend(byte);
            }
            let has_key = String::from_utf8_lossy(&head).contains(&format!("x-key: {key}\r\n"));
            let (status, body) = match has_key {
                true => ("200 OK", r#"{"list": [{"title": "Pears", "url": "https://fruit.example/"}]}"#),
                false => ("401 Unauthorized", "{}"),
            };
            let length = body.len();
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

#[test]
fn a_search_key_in_the_keyring_reaches_its_provider_and_no_file() {
    let world = World::of(Script::turns([]));
    let form = format!(
        "label = \"Mine\"\naddress = \"{}\"\npath = \"/s\"\nquery = {{ q = \"{{query}}\" }}\n\
         headers = {{ x-key = \"{{key}}\" }}\nkey_variable = \"unused\"\n\
         [results]\nlist = \"/list\"\ntitle = \"/title\"\nurl = \"/url\"\ntext = \"/text\"\n",
        search_server("search-key-in-the-keyring")
    );
    let folder = world.home.path().join("search");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mine.toml"), form).unwrap();
    let script = r#"
        "$0" web-search use mine
        echo "search-key-in-the-keyring" | "$0" web-search key
        "$0" web-search check
        "$0" web-search list
        grep -rl "search-key-in-the-keyring" "$DEPUTY_HOME" || echo "in no file"
        "$0" web-search key mine --remove
        code=0; "$0" web-search check || code=$?
        echo "code $code""#;
    let tried = with_keyring(&world, script);
    assert_eq!(tried.code, Some(0), "{tried:?}");
    assert!(tried.stdout.contains("Mine answers and found 1 page."), "{tried:?}");
    assert!(tried.stdout.contains("* mine") && tried.stdout.contains("key in the keyring"), "{tried:?}");
    assert!(tried.stdout.contains("in no file") && tried.stdout.ends_with("code 1\n"), "{tried:?}");
    assert!(tried.stderr.contains("Mine needs a key"), "{tried:?}");
}
