//! Tests the yes for a folder: one answer lets a task work in its folder, whatever the text, and never beyond.

use crate::ground::Ground;
use deputy_policy::{Rules, Situation, offers};
use deputy_protocol::{
    Access, Confinement, Decision, Digest, Effect, Facts, Grant, GrantId, GrantRule, Lifetime, Offer,
    PathOperation, PathRule, ReadAccess, Risk, ShellAccess, TaskId, TaskLifetime, WriteAccess,
};
use std::sync::Arc;

const TASK: &str = "t1";

fn in_task(ground: &Ground) -> Situation {
    Situation { task: Some(TaskId::new(TASK)), guarded: true, ..ground.situation() }
}

fn facts(accesses: Vec<Access>) -> Facts {
    Facts {
        effect: Effect::Mutating,
        accesses,
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    }
}

fn shell(command: &str) -> Facts {
    facts(vec![Access::Shell(ShellAccess { command: command.to_owned() })])
}

fn granted(ground: &Ground, rule: GrantRule) -> Grant {
    Grant {
        id: GrantId::new("g1"),
        decision: Decision::Allow,
        rule,
        lifetime: Lifetime::Task(TaskLifetime { task: TaskId::new(TASK) }),
        workspace: ground.workspace().to_string_lossy().into_owned(),
        request: None,
        created_at_ms: 0,
        expires_at_ms: None,
        revoked_at_ms: None,
    }
}

/// Returns the offers beyond "once".
fn remembered(situation: &Situation, facts: &Facts) -> Vec<Offer> {
    let verdict = deputy_policy::decide(situation, facts).verdict;
    let offered = offers(situation, facts, &verdict, &Digest::new("d"));
    offered.into_iter().filter(|offer| offer.rule.is_some()).collect()
}

fn decision(situation: &Situation, facts: &Facts) -> Decision {
    deputy_policy::decide(situation, facts).verdict.decision
}

/// Regression test: a patch reads the file that it writes, and was taken for two accesses, which are asked about each
/// time.
#[test]
fn a_patch_is_offered_what_a_write_is() {
    let ground = Ground::ordinary();
    let situation = in_task(&ground);
    let path = || "notes.txt".to_owned();
    let write = facts(vec![Access::Write(WriteAccess { path: path() })]);
    let read = Access::Read(ReadAccess { path: path() });
    let patch = facts(vec![read.clone(), Access::Write(WriteAccess { path: path() })]);
    assert!(!remembered(&situation, &write).is_empty());
    assert_eq!(remembered(&situation, &patch), remembered(&situation, &write));
    let other = facts(vec![read, Access::Write(WriteAccess { path: "src/main.rs".to_owned() })]);
    let is_for_folder = |offer: &Offer| matches!(offer.rule, Some(GrantRule::Folder(_)));
    assert!(remembered(&situation, &other).iter().all(is_for_folder), "two files are two things");
}

/// Such answers were offered by earlier versions, and hold until the task ends.
#[test]
fn commits_of_allowed_edits_need_no_further_question() {
    let ground = Ground::ordinary();
    let mut situation = in_task(&ground);
    let rule = PathRule {
        operation: PathOperation::Write,
        path: ground.workspace().canonicalize().unwrap().to_str().unwrap().to_owned(),
        below: true,
        commits: true,
    };
    situation.grants = vec![granted(&ground, GrantRule::Path(rule))];
    for text in [
        "git add -A",
        "git add notes.txt src",
        "git commit -m 'Say it well'",
        "git add . && git commit -qam 'Both'",
        "git add -A && git commit -m x && git log --oneline -1",
        "cd src && git commit -m here",
    ] {
        assert_eq!(decision(&situation, &shell(text)), Decision::Allow, "{text}");
    }
    for text in [
        "git commit --amend -m x",
        "git commit --no-verify -m x",
        "git commit -F ../message",
        "git -c user.name=x commit -m x",
        "git add ../outside.txt",
        "git add -f .env",
        "git push",
        "git reset --hard",
        "git commit -m x && rm notes.txt",
        "git commit -m \"$(id)\"",
        "cd .. && git commit -m x",
    ] {
        assert_ne!(decision(&situation, &shell(text)), Decision::Allow, "{text}");
    }
    let hook = ground.workspace().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let text = "git commit -m 'Say it well'";
    assert_eq!(decision(&situation, &shell(text)), Decision::Ask, "a hook would run");
}

/// Returns the yes for the folder that is offered for the task, if any.
fn yes(situation: &Situation, facts: &Facts) -> Option<GrantRule> {
    let is_for_task = |offer: &Offer| matches!(offer.lifetime, Lifetime::Task(_));
    let offered = remembered(situation, facts);
    let first = offered.into_iter().find(is_for_task)?;
    first.rule.filter(|rule| matches!(rule, GrantRule::Folder(_)))
}

fn write(path: &str) -> Facts {
    facts(vec![Access::Write(WriteAccess { path: path.to_owned() })])
}

#[test]
fn one_yes_lets_a_task_work_in_its_folder_whatever_the_text() {
    let ground = Ground::ordinary();
    let mut situation = in_task(&ground);
    let texts = [
        "cargo test 2>&1 | tail -20",
        "python3 - <<'EOF'\nprint(1)\nEOF",
        "python3 -c 'import shutil; shutil.rmtree(\"src\")'",
        "for i in $(seq 1 3); do ./run.sh $i; done",
        "sed -i 's/sh/a/' notes.txt && make -j2",
        "git switch -c topic",
        "git commit --amend -q -F - <<'EOF'\nUse `read` here\nEOF",
        "git commit -m \"$(cat message)\"",
        "rm -rf src && git checkout -- .",
        "CI=1 npm test -- --grep x > out.txt",
        "cat > new.txt <<EOF\n$HOME\nEOF",
        "./run.sh & wait",
    ];
    let files = ["notes.txt", "src/main.rs", "deep/er/new.rs"];
    let all = || texts.iter().map(|text| shell(text)).chain(files.iter().map(|path| write(path)));
    let rule = yes(&situation, &shell(texts[0])).unwrap();
    for facts in all() {
        assert_eq!(yes(&situation, &facts), Some(rule.clone()), "{facts:?}");
    }
    situation.grants = vec![granted(&ground, rule)];
    for facts in all() {
        let ruling = deputy_policy::decide(&situation, &facts);
        assert_eq!(ruling.verdict.decision, Decision::Allow, "{facts:?}: {:?}", ruling.verdict);
        assert_eq!(ruling.verdict.confinement, Confinement::Workspace, "{facts:?}");
        assert!(ruling.in_folder && ruling.by_person && ruling.configuring.is_empty(), "{facts:?}");
        assert_eq!(ruling.grant, Some(GrantId::new("g1")), "{facts:?}");
    }
    let other = Situation { task: Some(TaskId::new("t2")), ..situation.clone() };
    assert_eq!(decision(&other, &shell(texts[0])), Decision::Ask, "another task");
    let gone = Grant { revoked_at_ms: Some(1), ..situation.grants[0].clone() };
    assert_eq!(decision(&Situation { grants: vec![gone], ..situation }, &shell(texts[0])), Decision::Ask);
}

#[test]
fn what_needs_more_than_the_folder_asks_under_its_yes() {
    let ground = Ground::ordinary();
    let mut situation = in_task(&ground);
    std::fs::write(ground.home().join("beside.txt"), "x").unwrap();
    std::fs::create_dir_all(ground.home().join("Documents")).unwrap();
    situation.grants = vec![granted(&ground, yes(&situation, &shell("make")).unwrap())];
    assert_eq!(decision(&situation, &shell("make")), Decision::Allow);
    for text in [
        "npm ci",
        "curl https://example.com/a",
        "make && git push",
        "pip install x && python3 a.py",
        "cp notes.txt ~/Documents/",
        "python3 ../beside.txt",
        "echo x >> ~/.bashrc",
        "git config core.pager ./x",
        "git gc --prune=now",
        "git reflog expire --all",
        "git rebase --continue",
        "touch .git/hooks/pre-commit",
        "rm .env",
        "docker ps",
        "sudo make install",
        "python3 -c 'open(\".env\")'",
    ] {
        assert_ne!(decision(&situation, &shell(text)), Decision::Allow, "{text}");
    }
    for path in [".git/config", ".git/hooks/x", ".vscode/tasks.json", ".envrc", "../beside.txt", "/etc/hosts"]
    {
        assert_ne!(decision(&situation, &write(path)), Decision::Allow, "{path}");
    }
    let high = Facts { risk: Risk::High, ..write("notes.txt") };
    assert_eq!(decision(&situation, &high), Decision::Ask);
}

/// A rule about commands can name something in a text that is not fully read, so such a text asks.
#[test]
fn the_rules_of_the_user_hold_under_the_yes() {
    let ground = Ground::ordinary();
    let mut situation = in_task(&ground);
    situation.grants = vec![granted(&ground, yes(&situation, &shell("make")).unwrap())];
    let rules = |text: &str| Arc::new(Rules::parse(text).unwrap());
    situation.rules = rules("[[rule]]\neffect = \"deny\"\nargv = [\"make\", \"deploy\"]\n");
    for (text, expected) in [
        ("make test", Decision::Allow),
        ("make deploy", Decision::Deny),
        ("for i in 1 2; do $(echo make) deploy; done", Decision::Ask),
        ("python3 - <<EOF\nx\nEOF", Decision::Ask),
    ] {
        assert_eq!(decision(&situation, &shell(text)), expected, "{text}");
    }
    situation.rules = rules("[[rule]]\neffect = \"ask\"\ntool = \"write\"\npattern = \".*/notes.txt\"\n");
    assert_eq!(decision(&situation, &write("notes.txt")), Decision::Ask);
    assert_eq!(decision(&situation, &write("other.txt")), Decision::Allow);
    assert_eq!(decision(&situation, &shell("sed -i s/a/b/ notes.txt")), Decision::Ask);
}

#[test]
fn no_yes_is_offered_for_the_home_nor_without_a_guard() {
    let ground = Ground::ordinary();
    let situation = in_task(&ground);
    let home = Situation { cwd: ground.home(), workspace: ground.home(), ..situation.clone() };
    let root = Situation { cwd: "/".into(), workspace: "/".into(), ..situation.clone() };
    let unguarded = Situation { guarded: false, ..situation.clone() };
    let no_task = Situation { task: None, ..situation };
    for (situation, why) in
        [(home, "home"), (root, "root"), (unguarded, "without a guard"), (no_task, "without a task")]
    {
        assert_eq!(yes(&situation, &shell("make")), None, "{why}");
    }
}
