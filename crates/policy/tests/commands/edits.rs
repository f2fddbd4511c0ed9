//! Tests what the user can allow about edits for the duration of a task, and what this never covers.

use crate::ground::Ground;
use deputy_policy::{Situation, offers};
use deputy_protocol::{
    Access, Decision, Digest, Effect, Facts, Grant, GrantId, GrantRule, Lifetime, Offer, ReadAccess, Risk,
    ShellAccess, TaskId, TaskLifetime, WriteAccess,
};

const TASK: &str = "t1";

fn in_task(ground: &Ground) -> Situation {
    Situation { task: Some(TaskId::new(TASK)), ..ground.situation() }
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
    assert_eq!(remembered(&situation, &other), [], "two files are two things");
}

#[test]
fn commits_of_allowed_edits_need_no_further_question() {
    let ground = Ground::ordinary();
    let mut situation = in_task(&ground);
    let write = facts(vec![Access::Write(WriteAccess { path: "notes.txt".to_owned() })]);
    let wide = remembered(&situation, &write).into_iter().find(|offer| offer.wider).unwrap();
    situation.grants = vec![granted(&ground, wide.rule.unwrap())];
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

#[test]
fn what_runs_the_project_is_remembered_for_the_task_alone() {
    let ground = Ground::ordinary();
    let mut situation = in_task(&ground);
    for text in [
        "python3 check.py",
        "node --test",
        "make test",
        "./run.sh",
        "bash run.sh",
        "python3 -m unittest -q",
        "cd src && make | tail -5",
    ] {
        situation.grants.clear();
        let offered = remembered(&situation, &shell(text));
        let [offer] = offered.as_slice() else { panic!("{text}: {offered:?}") };
        assert_eq!(offer.lifetime, Lifetime::Task(TaskLifetime { task: TaskId::new(TASK) }), "{text}");
        assert!(offer.label.contains(text) && !offer.wider, "{}", offer.label);
        situation.grants = vec![granted(&ground, offer.rule.clone().unwrap())];
        assert_eq!(decision(&situation, &shell(text)), Decision::Allow, "{text}");
        for other in [format!("{text} x"), format!("{text}; rm notes.txt"), format!("X=1 {text}")] {
            assert_ne!(decision(&situation, &shell(&other)), Decision::Allow, "{other}");
        }
        let elsewhere = Situation { cwd: ground.workspace().join("docs"), ..situation.clone() };
        assert_ne!(decision(&elsewhere, &shell(text)), Decision::Allow, "{text} in another folder");
    }
    // Paths that are reached only since the answer was given are not covered by it.
    let text = "python3 ../outside.py";
    situation.grants.clear();
    let rule = remembered(&situation, &shell(text)).remove(0).rule.unwrap();
    situation.grants = vec![granted(&ground, rule)];
    assert_eq!(decision(&situation, &shell(text)), Decision::Allow, "there is no such file");
    std::fs::write(ground.workspace().parent().unwrap().join("outside.py"), "").unwrap();
    assert_eq!(decision(&situation, &shell(text)), Decision::Ask, "a file outside would be opened");
    situation.grants.clear();
    for text in [
        "python3 -c 'import shutil; shutil.rmtree(\"src\")'",
        "bash -c 'make test'",
        // These are high-risk and asked about each time.
        "bash README.md",
        "python3 -m timeit x",
        "python3 ../outside.py",
        "pip install x && python3 a.py",
        "python3 $SCRIPT",
        "python3 a.py > ../out.txt",
        "rm -r build && make",
        "sudo make install",
        "timeout 9 python3 a.py",
        "../other/run.sh",
    ] {
        assert_eq!(remembered(&situation, &shell(text)), [], "{text}");
    }
    let no_task = Situation { task: None, ..situation };
    assert_eq!(remembered(&no_task, &shell("node --test")), []);
}

#[test]
fn edits_in_the_folder_of_a_task_are_offered_for_that_task_from_the_first_one() {
    let ground = Ground::ordinary();
    let task = TaskId::new("t1");
    let mut situation = Situation { task: Some(task.clone()), ..ground.situation() };
    let of = |situation: &Situation, path: &str| {
        let access = Access::Write(WriteAccess { path: path.to_owned() });
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let verdict = deputy_policy::decide(situation, &facts).verdict;
        let offered = offers(situation, &facts, &verdict, &Digest::new("d"));
        (verdict.decision, offered.into_iter().filter(|offer| offer.wider).collect::<Vec<_>>())
    };
    // For a file in the folder itself, the rule is only for the task. For a file below it, its folder is also offered
    // for longer.
    let workspace = ground.workspace().canonicalize().unwrap();
    for path in ["notes.txt", "src/main.rs"] {
        let (_, offered) = of(&situation, path);
        let lifetime = Lifetime::Task(TaskLifetime { task: task.clone() });
        assert_eq!(offered[0].lifetime, lifetime, "{path}");
        let label = format!("Edits in {} and commits of them, for this task", workspace.display());
        assert_eq!(offered[0].label, label);
        assert_eq!(offered.iter().filter(|offer| offer.lifetime == lifetime).count(), 1, "{path}");
    }
    for path in [".git/config", ".cargo/x", "/etc/hosts"] {
        assert_eq!(of(&situation, path).1, [], "{path}");
    }
    let rule = of(&situation, "notes.txt").1.swap_remove(0).rule.unwrap();
    situation.grants = vec![Grant {
        id: GrantId::new("g1"),
        decision: Decision::Allow,
        rule,
        lifetime: Lifetime::Task(TaskLifetime { task: task.clone() }),
        workspace: ground.workspace().to_string_lossy().into_owned(),
        request: None,
        created_at_ms: 0,
        expires_at_ms: None,
        revoked_at_ms: None,
    }];
    for (path, decision) in [
        ("other.txt", Decision::Allow),
        ("src/deep/new.rs", Decision::Allow),
        (".git/hooks/x", Decision::Ask),
        ("src/.git/config", Decision::Ask),
        (".env", Decision::Deny),
        ("../beside.txt", Decision::Ask),
    ] {
        assert_eq!(of(&situation, path).0, decision, "{path}");
    }
    // A task on the whole home directory is asked about each time.
    let home = Situation {
        task: Some(task),
        ..Situation::new(ground.home(), ground.home(), ground.home().join(".d"))
    };
    assert_eq!(of(&home, "x.txt").1, []);
}
