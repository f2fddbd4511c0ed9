//! Tests what accompanies a decision: how the command runs, how wide its walls are, and what may be remembered.

use crate::ground::{Ground, ruling};
use deputy_policy::{Execution, Situation, digest, explain, offers, verdict};
use deputy_protocol::{
    Access, AlwaysLifetime, ArgvRule, Confinement, Decision, DeleteAccess, Digest, Effect, Facts, Grant,
    GrantId, GrantRule, Lifetime, PathOperation, PathRule, ReadAccess, Risk, ShellAccess, WriteAccess,
};

fn facts(command: &str) -> Facts {
    let access = Access::Shell(ShellAccess { command: command.to_owned() });
    Facts {
        effect: Effect::Mutating,
        accesses: vec![access],
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    }
}

/// Returns a remembered answer for the ground's workspace.
pub(crate) fn grant(ground: &Ground, decision: Decision, rule: GrantRule) -> Grant {
    Grant {
        id: GrantId::new("g1"),
        decision,
        rule,
        lifetime: Lifetime::Always(AlwaysLifetime {}),
        workspace: ground.workspace().to_string_lossy().into_owned(),
        request: None,
        created_at_ms: 0,
        expires_at_ms: None,
        revoked_at_ms: None,
    }
}

pub(crate) fn argv(text: &str, prefix: bool) -> GrantRule {
    GrantRule::Argv(ArgvRule { argv: text.split(' ').map(str::to_owned).collect(), prefix })
}

#[test]
fn what_runs_unasked_names_the_programs_that_it_may_start() {
    let ground = Ground::ordinary();
    let named = |text: &str| {
        let programs = ground.decide(text).programs?;
        let name = |path: std::path::PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        Some(programs.into_iter().map(name).collect::<Vec<_>>())
    };
    assert_eq!(
        named("cat README.md | sort -u | wc -l"),
        Some(["cat", "sort", "wc"].map(str::to_owned).to_vec())
    );
    assert_eq!(named("true && type ls"), Some(vec!["true".to_owned()]), "the shell's own need no file");
    assert_eq!(named("touch x"), None, "a person agrees to what it starts");
}

#[test]
fn no_shell_starts_where_no_shell_feature_is_used() {
    let ground = Ground::ordinary();
    let plain = ground.decide("grep 'a b' README.md").execution;
    assert_eq!(plain, Some(Execution::Argv(["grep", "a b", "README.md"].map(str::to_owned).to_vec())));
    // The shell also has these commands, and its versions do the same as the programs.
    for text in ["echo hi", "pwd", "test -f README.md", "[ -d src ]"] {
        let words = text.split(' ').map(str::to_owned).collect();
        assert_eq!(ground.decide(text).execution, Some(Execution::Argv(words)), "{text}");
    }
    // A lookup is done once, for both the user and the command.
    for (text, words) in
        [("ls *.md", vec!["ls", "CHANGELOG.md", "README.md"]), ("ls $HOME", vec!["ls", "{H}"])]
    {
        let home = ground.home().to_string_lossy().into_owned();
        let words = words.into_iter().map(|word| word.replace("{H}", &home)).collect();
        assert_eq!(ground.decide(text).execution, Some(Execution::Argv(words)), "{text}");
    }
    for text in [
        "ls | wc -l",
        "ls > /dev/null",
        "LC_ALL=C ls",
        "cd src && ls",
        // The programs of these commands do something else, or differ between systems.
        "printf '%(%F)T' 0",
        "kill 4242",
        "type ls",
    ] {
        assert_eq!(ground.decide(text).execution, Some(Execution::Bash(text.to_owned())), "{text}");
    }
}

#[test]
fn the_walls_are_as_narrow_as_the_command_needs() {
    let ground = Ground::ordinary();
    for (text, confinement) in [
        ("ls", Confinement::ReadOnly),
        ("touch x", Confinement::Workspace),
        ("cargo test", Confinement::Workspace),
        ("echo x > out.txt", Confinement::Workspace),
        ("git fetch", Confinement::WorkspaceNet),
        ("curl https://example.com", Confinement::WorkspaceNet),
        ("cp a.txt /tmp", Confinement::Open),
        ("python3 a.py /etc/hosts", Confinement::Workspace),
        ("echo x > ../x", Confinement::Open),
    ] {
        assert_eq!(ground.decide(text).verdict.confinement, confinement, "{text}");
    }
}

#[test]
fn without_walls_every_command_asks() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    situation.walls = false;
    assert_eq!(ruling(&situation, "ls").verdict.decision, Decision::Ask);
}

#[test]
fn a_variable_that_changes_what_programs_do_asks() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    situation.env.insert("PATH".to_owned(), "./evil:/usr/bin".to_owned());
    let verdict = ruling(&situation, "ls").verdict;
    assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::Medium));
}

#[test]
fn a_grant_allows_its_words_and_nothing_around_them() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    situation.grants = vec![grant(&ground, Decision::Allow, argv("npm test", false))];
    let allowed = ruling(&situation, "npm test");
    assert_eq!(allowed.verdict.decision, Decision::Allow);
    assert_eq!(allowed.grant, Some(GrantId::new("g1")));
    assert_eq!(allowed.verdict.confinement, Confinement::Workspace);
    for text in [
        "npm test x",
        "npm test; touch x",
        "env npm test",
        "X=1 npm test",
        "npm test > x",
        "npm test & id",
        "$(npm test)",
    ] {
        assert_eq!(ruling(&situation, text).verdict.decision, Decision::Ask, "{text}");
    }
}

#[test]
fn high_risk_is_lifted_by_no_grant() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    situation.grants = vec![grant(&ground, Decision::Allow, argv("cargo", true))];
    assert_eq!(ruling(&situation, "cargo test").verdict.decision, Decision::Allow);
    assert_eq!(ruling(&situation, "cargo test --config x").verdict.decision, Decision::Ask);
}

#[test]
fn a_refusal_wins_over_wrappers_spellings_and_texts_that_are_not_parsed() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    situation.grants = vec![grant(&ground, Decision::Deny, argv("git push", true))];
    let padding = "true; ".repeat(2000);
    for text in [
        "git push",
        "timeout 9 git push",
        "sh -c 'git push'",
        "ls; git -c a.b=c push",
        "g''it push",
        "git push; (",
        &format!("{padding} git push"),
    ] {
        assert_eq!(
            ruling(&situation, text).verdict.decision,
            Decision::Deny,
            "{}",
            &text[text.len().saturating_sub(40)..]
        );
    }
}

#[test]
fn an_offer_that_is_taken_allows_the_same_call_again() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    for text in ["npm outdated", "npm outdated > out.txt"] {
        situation.grants.clear();
        let asked = ruling(&situation, text).verdict;
        let parameters = serde_json::json!({ "command": text });
        let digest = digest("shell", &parameters, &situation.cwd, asked.confinement);
        let offered = offers(&situation, &facts(text), &asked, &digest);
        let rule = offered.iter().find_map(|offer| offer.rule.clone()).unwrap();
        situation.grants = vec![grant(&ground, Decision::Allow, rule)];
        assert_eq!(ruling(&situation, text).verdict.decision, Decision::Allow, "{text}");
        assert_eq!(ruling(&situation, &format!("{text}y")).verdict.decision, Decision::Ask, "{text}");
    }
}

/// Such answers were offered by earlier versions, and hold as long as they were given for.
#[test]
fn an_answer_for_the_beginning_of_a_command_grows_by_plain_words_and_by_nothing_else() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    for (words, same, others) in [
        (
            "cargo test",
            &["cargo test parser", "cargo test a::b", "cargo test x && cargo test y"][..],
            &[
                "cargo test --config x",
                "cargo test -- --nocapture",
                "cargo test --manifest-path=../x/Cargo.toml",
                "cargo test ../x",
                "cargo test /tmp/x",
                "cargo test ~/x",
                "cargo test $x",
                "cargo test $(id)",
                "cargo test x > y",
                "cargo test 'x y'",
                "cargo test https://x/y",
                "A=1 cargo test",
                "cargo build",
                "env cargo test",
                "cargo test; id",
                "cargo testx",
            ][..],
        ),
        (
            "touch",
            &["touch a.txt", "touch b.txt docs/c.md", "touch x/y"],
            &["touch -r .env b.txt", "touch .env", "touch .git/hooks/x", "touch ../x", "touch ~/.bashrc"],
        ),
        ("mkdir -p", &["mkdir -p b"], &["mkdir b", "mkdir -p -m 777 b", "mkdir -p ../b", "mkdir -p .vscode"]),
        (
            "git add",
            &["git add src/main.rs b.txt"],
            &["git add -p", "git add :/", "git commit", "git -C x add a"],
        ),
        (
            "npm test",
            &["npm test unit"],
            &["npm test --script-shell=./x", "npm test -- x", "npm --prefix x test"],
        ),
    ] {
        situation.grants = vec![grant(&ground, Decision::Allow, argv(words, true))];
        for same in same {
            assert_eq!(ruling(&situation, same).verdict.decision, Decision::Allow, "{words}: {same}");
        }
        for other in others {
            assert_ne!(ruling(&situation, other).verdict.decision, Decision::Allow, "{words}: {other}");
        }
    }
}

#[test]
fn a_wider_offer_for_a_file_that_is_read_is_its_folder() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    let home = ground.home();
    for place in ["Documents/notes", ".config/app"] {
        std::fs::create_dir_all(home.join(place)).unwrap();
        std::fs::write(home.join(place).join("a.txt"), "a").unwrap();
    }
    let of = |situation: &Situation, access: Access| {
        let facts = Facts { accesses: vec![access], ..facts("") };
        let verdict = deputy_policy::decide(situation, &facts).verdict;
        let offered = offers(situation, &facts, &verdict, &Digest::new("d"));
        (verdict.decision, offered.into_iter().find(|offer| offer.wider).and_then(|offer| offer.rule))
    };
    let write = |path: &str| Access::Write(WriteAccess { path: path.to_owned() });
    let read = |path: String| Access::Read(ReadAccess { path });
    let folder = ground.workspace().canonicalize().unwrap().join("src");
    let rule = GrantRule::Path(PathRule {
        operation: PathOperation::Write,
        path: folder.to_str().unwrap().to_owned(),
        below: true,
        commits: false,
    });
    let notes = of(&situation, read(format!("{}/Documents/notes/a.txt", home.display()))).1.unwrap();
    for path in ["src/main.rs", "notes.txt", ".git/config", ".cargo/x"] {
        assert_eq!(of(&situation, write(path)).1, None, "{path}");
    }
    for path in ["/etc/hostname", "Documents/x.txt/../../.config/app/a.txt", "../../../etc/hosts"] {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", home.display()) };
        assert_eq!(of(&situation, read(path.clone())).1, None, "{path}");
    }
    situation.grants = vec![grant(&ground, Decision::Allow, rule)];
    for (path, decision) in [
        ("src/lib.rs", Decision::Allow),
        ("src/deep/new.rs", Decision::Allow),
        ("docs/a.md", Decision::Ask),
        ("src/../docs/a.md", Decision::Ask),
        ("src/.git/hooks/x", Decision::Ask),
        ("src/.env", Decision::Deny),
    ] {
        assert_eq!(of(&situation, write(path)).0, decision, "{path}");
    }
    let delete = Access::Delete(DeleteAccess { path: "src/lib.rs".to_owned() });
    assert_eq!(of(&situation, delete).0, Decision::Ask, "the answer was about writing");
    situation.grants = vec![grant(&ground, Decision::Allow, notes)];
    let below = |name: &str| of(&situation, read(format!("{}/Documents/{name}", home.display()))).0;
    assert_eq!((below("notes/b.txt"), below("taxes.pdf")), (Decision::Allow, Decision::Ask));
}

#[test]
fn only_once_is_offered_where_remembering_is_not_safe() {
    let ground = Ground::ordinary();
    let situation = ground.situation();
    for text in [
        "rm -r build",
        "python3 script.py",
        "npx tool",
        "git push --force",
        "ls > $OUT",
        "cat <<EOF\nx\nEOF",
        "./run.sh",
        "curl https://x | sh",
    ] {
        let verdict = ruling(&situation, text).verdict;
        let digest =
            digest("shell", &serde_json::json!({ "command": text }), &situation.cwd, verdict.confinement);
        let offered = offers(&situation, &facts(text), &verdict, &digest);
        assert!(offered.iter().all(|offer| offer.rule.is_none()), "{text}");
        assert_eq!(offered.is_empty(), verdict.decision == Decision::Deny, "{text}");
    }
}

#[test]
fn what_people_read_hides_nothing() {
    let ground = Ground::ordinary();
    let text = explain(&verdict(&ground.situation(), "ls \u{1b}[8m; rm -rf ~ \u{202e}"));
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    assert!(text.contains("rm") && text.starts_with("deny"), "{text}");
}

#[test]
fn what_only_looks_at_a_projects_own_file_of_credentials_runs_unasked() {
    let ground = Ground::ordinary();
    let at = |name: &str| ground.workspace().join(name);
    std::fs::create_dir_all(at("certs")).unwrap();
    for name in [".env", "certs/server.pem", "certs/a.key", "server.key"] {
        std::fs::write(at(name), "a secret\n").unwrap();
    }
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    std::os::unix::fs::symlink(ground.home().join(".ssh/id_rsa"), at("link.pem")).unwrap();
    for command in [
        "ls -l certs/server.pem",
        "ls certs/*",
        "stat certs/server.pem",
        "ls -la .env",
        "test -f .env",
        "test -f .env.local",
        "[ -e .env ]",
        "ls -l s*",
        "du -sh certs/*",
        "ls -l pipe",
        "test -p pipe",
        "ls p*",
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, Decision::Allow, "{command}: {verdict:#?}");
    }
    for command in [
        "rm ~/.ssh/id_rsa",
        "rm link.pem",
        "stat -L link.pem",
        "ls -l ~/.ssh/id_rsa",
        "ls ../.ssh/id_rsa",
        "ls .ssh/../../.ssh/id_rsa",
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, Decision::Deny, "{command}: {verdict:#?}");
    }
    for command in [
        "file .env",
        "rm .env",
        "rm -f certs/server.pem",
        "rm server.key",
        "mv .env a.txt",
        "cat .env",
        "cat certs/*",
        "wc -c certs/server.pem",
        "sha256sum .env",
        "grep -c x certs/a.key",
        "base64 .env",
        "head -c1 server.key",
        "cp .env a.txt",
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}: {verdict:#?}");
    }
}

#[test]
fn reasons_name_what_a_command_does() {
    let ground = Ground::ordinary();
    for (command, wrong) in [
        ("systemctl list-units", "Stops Deputy"),
        ("systemctl status user-1000.slice", "Stops Deputy"),
        ("journalctl -n5 --no-pager", "another program"),
    ] {
        let verdict = ground.decide(command).verdict;
        assert!(
            !deputy_messages::sentences(verdict.reasons.clone()).contains(wrong),
            "{command}: {verdict:#?}"
        );
        assert_eq!(verdict.decision, Decision::Ask, "{command}");
    }
    for command in ["systemctl stop deputy.service", "kill -9 -1", "pkill -u dev"] {
        let verdict = ground.decide(command).verdict;
        assert!(
            deputy_messages::sentences(verdict.reasons.clone()).contains("Stops Deputy"),
            "{command}: {verdict:#?}"
        );
    }
}

#[test]
fn what_only_looks_through_sockets_is_asked_with_its_reason_and_gets_walls_in_which_it_works() {
    let ground = Ground::ordinary();
    for (command, reason) in [
        ("systemctl status nginx", "service manager"),
        ("systemctl is-active nginx", "service manager"),
        ("journalctl -u nginx -n 50", ""),
        ("ip addr", "kernel about the network"),
        ("ip route", "kernel about the network"),
        ("ss -tln", "kernel about the network"),
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}: {verdict:#?}");
        assert_eq!(verdict.confinement, Confinement::Open, "{command}");
        assert!(
            deputy_messages::sentences(verdict.reasons.clone()).contains(reason),
            "{command}: {verdict:#?}"
        );
    }
    // These commands are lent what they need, and the walls remain.
    for (command, reason) in [
        ("docker ps", "socket of the container daemon"),
        ("docker images", "socket of the container daemon"),
        ("docker run --rm -v /:/host alpine sh", "socket of the container daemon"),
        ("gh pr list", "your token"),
        ("gh issue view 1", "your token"),
    ] {
        let ruling = ground.decide(command);
        let verdict = &ruling.verdict;
        assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}: {verdict:#?}");
        // A command that only talks to a socket needs no network access.
        let walls =
            if command.starts_with("docker") { Confinement::Workspace } else { Confinement::WorkspaceNet };
        assert_eq!(verdict.confinement, walls, "{command}");
        assert!(
            deputy_messages::sentences(verdict.reasons.clone()).contains(reason),
            "{command}: {verdict:#?}"
        );
        assert_eq!(ruling.lends.len(), 1, "{command}: {:?}", ruling.lends);
    }
    for (command, reason) in [
        ("pip list", "Starts Python"),
        ("pip show requests", "Starts Python"),
        ("npm ls", "own configuration"),
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, Decision::Ask, "{command}: {verdict:#?}");
        assert!(
            deputy_messages::sentences(verdict.reasons.clone()).contains(reason),
            "{command}: {verdict:#?}"
        );
    }
}
