//! Tests what a command reaches outside the workspace, and that exactly what was shown runs.

use crate::ground::Ground;
use crate::outcome::{argv, grant};
use deputy_policy::{Execution, Situation, digest, offers};
use deputy_protocol::{Access, Confinement, Decision, Effect, Facts, Risk, ShellAccess};
use std::fs;
use std::os::unix::fs::symlink;

fn facts(command: &str) -> Facts {
    Facts {
        effect: Effect::Mutating,
        accesses: vec![Access::Shell(ShellAccess { command: command.to_owned() })],
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    }
}

#[test]
fn a_path_outside_opens_that_path_and_nothing_else() {
    let ground = Ground::ordinary();
    for name in ["other/x", "other/data.csv", "other/keep/a.txt"] {
        let path = ground.home().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    let home = ground.home();
    let reads = |command: &str, expected: &[&str]| {
        let ruling = ground.decide(command);
        let expected: Vec<_> = expected.iter().map(|name| home.join(name)).collect();
        assert!(ruling.verdict.confinement < Confinement::Open, "{command}");
        assert_eq!(ruling.verdict.decision, Decision::Ask, "{command}");
        assert_eq!(ruling.reads, expected, "{command}");
        assert_eq!(ruling.writes, Vec::<std::path::PathBuf>::new(), "{command}");
        for path in &expected {
            let is_shown = ruling.verdict.parts.iter().any(|part| part.text == path.to_string_lossy());
            assert!(is_shown, "{command}: {path:?} is not in the request");
        }
        let situation = ground.situation();
        let facts = facts(&ground.here(command));
        let digest = digest("shell", &serde_json::json!({}), &situation.cwd, ruling.verdict.confinement);
        let offered = offers(&situation, &facts, &ruling.verdict, &digest);
        assert!(offered.iter().all(|offer| offer.rule.is_none()), "{command}: {offered:?}");
    };
    reads("python3 steal.py ../../dev/other/x", &["other/x"]);
    reads("python3 steal.py ../other/x", &["other/x"]);
    reads("node a.js ~/other/x", &["other/x"]);
    reads("cargo run ../other/x", &["other/x"]);
    reads("npm run x ../other/data.csv", &["other/data.csv"]);
    reads("pytest ../other", &["other"]);
    reads("go test ../other/...", &["other"]);
    reads("python3 x.py --data=../other/data.csv", &["other/data.csv"]);
    // A path that does not exist opens nothing.
    reads("python3 x.py ../nothing/here", &[]);
    // A secret that is not there is asked about as such, and not opened.
    let ruling = ground.decide("python3 x.py ~/.ssh/id_rsa ../other/x");
    assert_eq!((ruling.verdict.decision, ruling.verdict.risk), (Decision::Ask, Risk::High));
}

#[test]
fn a_known_write_outside_opens_that_file_or_the_folder_it_is_made_in() {
    let ground = Ground::ordinary();
    fs::create_dir_all(ground.home().join("other")).unwrap();
    fs::write(ground.home().join("other/old.txt"), "x").unwrap();
    for (command, opened) in [
        ("cp a.txt ../other/old.txt", "other/old.txt"),
        ("cp a.txt ../other/new.txt", "other"),
        ("mkdir ../other/new", "other"),
        ("echo x > ../other/new.txt", "other"),
        ("echo x >> ../other/old.txt", "other/old.txt"),
        ("tar -xf dist.tar -C ../other", "other"),
        ("gcc a.c -o ../other/a.out", "other"),
        ("git worktree add ../other/wt", "other"),
        ("git clone . ../other/copy", "other"),
    ] {
        let ruling = ground.decide(command);
        assert_eq!(
            ruling.verdict.confinement.max(Confinement::Workspace),
            ruling.verdict.confinement,
            "{command}"
        );
        assert_ne!(ruling.verdict.confinement, Confinement::Open, "{command}");
        assert_eq!(ruling.writes, [ground.home().join(opened)], "{command}");
    }
    // The parent folder would be the whole home directory: no walls remain, and the request says so.
    for command in ["cp a.txt ../new.txt", "echo x > ../new.txt", "git worktree add ../wt"] {
        let verdict = ground.decide(command).verdict;
        assert_eq!((verdict.confinement, verdict.risk), (Confinement::Open, Risk::High), "{command}");
    }
}

#[test]
fn what_was_looked_up_for_the_person_is_what_runs() {
    let ground = Ground::ordinary();
    let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let ruling = ground.decide("rm *.txt");
    let shown = words(&["rm", "a.txt", "b.txt", "notes.txt"]);
    assert_eq!(ruling.execution, Some(Execution::Argv(shown.clone())));
    assert_eq!(ruling.looked_up, [shown], "the answer binds to it");
    assert_eq!(ruling.verdict.parts[0].text, "rm a.txt b.txt notes.txt");
    assert_eq!(
        deputy_policy::words(&ruling.verdict.parts[0].text),
        Some(words(&["rm", "a.txt", "b.txt", "notes.txt"]))
    );
    // A program that is only in the user's PATH runs through the shell, which has nothing left to look up.
    let ruling = ground.decide("not-a-program-here *.txt");
    assert_eq!(
        ruling.execution,
        Some(Execution::Bash("not-a-program-here a.txt b.txt notes.txt".to_owned()))
    );
    // In a longer text the pattern is replaced by the names, unless an earlier command can change them.
    let runs = |command: &str| match ground.decide(command).execution {
        Some(Execution::Bash(text)) => text,
        other => panic!("{command}: {other:?}"),
    };
    for (command, text) in [
        ("rm *.txt && ls", "rm a.txt b.txt notes.txt && ls"),
        ("rm  'x y' [ab].txt>/dev/null;ls *.rs", "rm  'x y' a.txt b.txt>/dev/null;ls *.rs"),
        ("cat *.txt | tee all", "cat a.txt b.txt notes.txt | tee all"),
        ("cat *.txt > all", "cat a.txt b.txt notes.txt > all"),
        ("ls; rm -- *.txt; ls", "ls; rm -- a.txt b.txt notes.txt; ls"),
        ("rm *.none; ls", "rm '*.none'; ls"),
        // A later command sees what an earlier one created.
        ("touch new.txt && ls *.txt", "touch new.txt && ls *.txt"),
        ("true > new.txt; rm *.txt", "true > new.txt; rm *.txt"),
        ("unzip a.zip && rm *.txt", "unzip a.zip && rm *.txt"),
        // The same applies to each round of a loop, and to everything that runs later or not at all.
        ("while rm *.txt; do ls; done", "while rm *.txt; do ls; done"),
        ("for f in a b; do rm *.txt; done", "for f in a b; do rm *.txt; done"),
        ("f() { rm *.txt; }; f", "f() { rm *.txt; }; f"),
        ("( rm *.txt ); ls", "( rm *.txt ); ls"),
        ("echo $(ls *.txt)", "echo $(ls *.txt)"),
        // The command may run in either of two folders, in which the pattern matches different names.
        ("cd src; rm *.txt; ls", "cd src; rm *.txt; ls"),
        ("rm '*.txt' && ls", "rm '*.txt' && ls"),
        ("rm $X*.txt && ls", "rm $X*.txt && ls"),
    ] {
        assert_eq!(runs(command), text);
    }
    fs::write(ground.workspace().join("with blank.csv"), "").unwrap();
    fs::write(ground.workspace().join("-rf"), "").unwrap();
    assert_eq!(runs("rm -- *.csv; ls"), "rm -- 'with blank.csv'; ls");
    assert_eq!(runs("rm -*; ls"), "rm -rf; ls");
    // The answer is also bound to the words, so the user is asked again if they change.
    let before = ground.decide("rm *.txt && ls");
    fs::write(ground.workspace().join("new.txt"), "").unwrap();
    let after = ground.decide("rm *.txt && ls");
    assert_ne!(before.looked_up, after.looked_up);
    assert_eq!(ground.decide("rm a.txt").looked_up, Vec::<Vec<String>>::new());
    // Values that only the shell knows are left to the shell.
    assert_eq!(ground.decide("echo $?").execution, Some(Execution::Bash("echo $?".to_owned())));
}

#[test]
fn a_wider_answer_does_not_follow_a_link_out_of_the_folder() {
    let ground = Ground::ordinary();
    symlink(ground.home(), ground.workspace().join("lnk")).unwrap();
    symlink(ground.workspace().join("src"), ground.workspace().join("inside")).unwrap();
    let remembered = |program: &str| grant(&ground, Decision::Allow, argv(program, true));
    let situation =
        Situation { grants: vec![remembered("touch"), remembered("mkdir")], ..ground.situation() };
    let decide = |command: &str| deputy_policy::decide(&situation, &facts(command)).verdict.decision;
    for command in ["touch new.txt", "touch src/x", "touch inside/x", "mkdir out/deep"] {
        assert_eq!(decide(command), Decision::Allow, "{command}");
    }
    for command in
        ["touch lnk/x", "touch a.txt lnk/x", "mkdir lnk/new", "touch lnk", "cd src && touch ../lnk/x"]
    {
        assert_eq!(decide(command), Decision::Ask, "{command}");
    }
}

#[test]
fn what_was_remembered_opens_nothing_that_its_words_do_not_name() {
    let ground = Ground::ordinary();
    let remembered = |text: &str| grant(&ground, Decision::Allow, argv(text, false));
    let granted = ["tool src latest", "git fetch", "tool ../other/named"];
    let situation = Situation { grants: granted.map(remembered).into(), ..ground.situation() };
    let decide = |command: &str| deputy_policy::decide(&situation, &facts(command));
    fs::create_dir_all(ground.home().join("other/hub.git/objects")).unwrap();
    fs::create_dir_all(ground.home().join("other/hub.git/refs")).unwrap();
    fs::write(ground.home().join("other/hub.git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(ground.home().join("other/named"), "x").unwrap();
    for command in granted {
        assert_eq!(decide(command).verdict.decision, Decision::Allow, "{command}");
    }
    // In the meantime a link of the project, and the remote, lead elsewhere.
    symlink(ground.home().join("other/named"), ground.workspace().join("latest")).unwrap();
    let config = ground.workspace().join(".git/config");
    let settings = fs::read_to_string(&config).unwrap_or_default();
    fs::write(&config, format!("{settings}[remote \"origin\"]\n\turl = ../other/hub.git\n")).unwrap();
    for command in ["tool src latest", "git fetch"] {
        let ruling = decide(command);
        assert_eq!(ruling.verdict.decision, Decision::Ask, "{command}");
        assert_eq!(ruling.reads.len(), 1, "{command}");
    }
    assert_eq!(decide("tool ../other/named").verdict.decision, Decision::Allow, "its words name the file");
}
