//! Checks remembered answers against later attempts, in addition to the published cases.

use crate::ground::Ground;
use deputy_policy::check::{CheckDecision, case};
use serde_json::{Value, json};
use std::fs;

struct Memory {
    ground: Ground,
    kind: &'static str,
    decision: &'static str,
    value: &'static str,
}

impl Memory {
    fn new(kind: &'static str, decision: &'static str, value: &'static str) -> Self {
        let setup = json!({
            "files": {"src/main.rs": "m", "src/other.rs": "o", "docs/a.md": "a", "docs/.env": "s", "{O}/data.txt": "d"},
            "symlinks": [["docs/out", "{O}"], ["src/link.rs", "main.rs"], ["moved", "{O}/data.txt"]],
            "hardlinks": [["twin.txt", "{O}/data.txt"]],
            "dirs": ["{O}/src"]
        });
        Self { ground: Ground::new(setup.as_object().unwrap()), kind, decision, value }
    }

    fn holds_against(&self, attempt: &str) -> CheckDecision {
        self.holds_against_in(attempt, json!({}))
    }

    fn holds_against_in(&self, attempt: &str, setup: Value) -> CheckDecision {
        let line = json!({
            "id": 1, "tool": "grant", "kind": self.kind, "input": self.ground.fill(attempt),
            "remembered": {"decision": self.decision, "value": self.value, "scope": "workspace"},
            "home": self.ground.home, "workspace": self.ground.workspace(), "cwd": self.ground.workspace(),
            "setup": self.ground.fill_all(&setup)
        });
        case(&line.to_string()).decision
    }
}

#[test]
fn a_refused_command_stays_refused_in_any_clothes() {
    let memory = Memory::new("command", "always_deny", "git push");
    for attempt in [
        "git push",
        "git  push",
        "git\tpush",
        "git push --force",
        "sudo git push",
        "sh -c 'git push'",
        "bash -c \"git push\"",
        "git push | cat",
        "ls; git push",
        "true && git push",
        "(git push)",
        "{ git push; }",
        "echo $(git push)",
        "X=1 git push",
        "! git push",
        "nohup git push &",
        "\"git\" push",
        "\\git push",
        "exec git push",
        "eval git push",
        "find . -exec git push \\;",
        "xargs git push",
        "git -C . push",
        "git --no-pager push",
        "time git push",
        "env A=b git push",
        "nice -n 5 git push",
        "command git push",
        "if true; then git push; fi",
        "f() { git push; }; f",
        "git p''ush",
        "/usr/bin/git push",
    ] {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Deny, "{attempt}");
    }
    for attempt in ["$(echo git) push", "git $(echo push)", "g=git; $g push", "git {push,}"] {
        assert_ne!(memory.holds_against(attempt), CheckDecision::Allow, "{attempt}");
    }
    for attempt in
        ["git pull", "git log --grep push", "echo git push", "git pushx", "git stash push", "npm test"]
    {
        assert_ne!(memory.holds_against(attempt), CheckDecision::Deny, "{attempt}");
    }
}

#[test]
fn an_allowed_command_is_that_command_in_that_place() {
    let memory = Memory::new("command", "always_allow", "npm test");
    for attempt in ["npm test", "npm  test", "npm 'test'"] {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Allow, "{attempt}");
    }
    for attempt in [
        "npm test\n",
        "npm test --x",
        "npm\u{a0}test",
        "npm test #x",
        "sudo npm test",
        "npm test;id",
        "npm test > x",
        "cd /tmp && npm test",
        "npm run test",
        "npm test\r",
        "(npm test)",
        "npm test | cat",
        "time npm test",
        "npm test $X",
        "A=b npm test",
    ] {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Ask, "{attempt}");
    }
    let same = |setup| memory.holds_against_in("npm test", setup);
    assert_eq!(same(json!({"files": {"a": "b"}})), CheckDecision::Allow);
    for other in
        [json!({"cwd": "/"}), json!({"cwd": "{O}"}), json!({"env": {"A": "b"}}), json!({"session": "next"})]
    {
        assert_eq!(same(other.clone()), CheckDecision::Ask, "{other}");
    }
}

#[test]
fn the_run_counts_as_the_world_has_it_and_nothing_is_passed_over() {
    let memory = Memory::new("command", "always_allow", "npm test");
    // The answer was given in a terminal, so it does not cover runs in the background.
    for other in [json!({"run": "background"}), json!({"session": "next"}), json!({"task": "t2"})] {
        assert_eq!(memory.holds_against_in("npm test", other.clone()), CheckDecision::Ask, "{other}");
    }
    // The files on disk count, whatever the case says about them.
    for same in [json!({"files": {"a": "b"}}), json!({"dirs": ["x"]}), json!({})] {
        assert_eq!(memory.holds_against_in("npm test", same.clone()), CheckDecision::Allow, "{same}");
    }
    let line = |run: &str| {
        json!({
            "id": 1, "tool": "grant", "kind": "command", "input": "npm test",
            "remembered": {"decision": "always_allow", "value": "npm test", "run": "background"},
            "home": memory.ground.home, "workspace": memory.ground.workspace(), "setup": {"run": run}
        })
    };
    assert_eq!(case(&line("background").to_string()).decision, CheckDecision::Allow);
    assert_eq!(case(&line("terminal").to_string()).decision, CheckDecision::Ask);
    let unknown = json!({
        "id": 1, "tool": "grant", "kind": "command", "input": "npm test",
        "remembered": {"decision": "always_allow", "value": "npm test"},
        "home": memory.ground.home, "workspace": memory.ground.workspace(), "setup": {"moon": "full"}
    });
    let answer = case(&unknown.to_string());
    assert_eq!(answer.decision, CheckDecision::Ask);
    assert!(answer.reasons[0].contains("unknown field of the setup: moon"), "{:?}", answer.reasons);
}

#[test]
fn a_remembered_file_is_where_it_was() {
    let memory = Memory::new("file", "always_allow", "write src/main.rs");
    for attempt in ["write src/main.rs", "write ./src//main.rs", "write {W}/src/main.rs", "write src/link.rs"]
    {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Allow, "{attempt}");
    }
    for attempt in
        ["read src/main.rs", "write src/other.rs", "write src/main.rs/", "write SRC/MAIN.RS", "write ~/x"]
    {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Ask, "{attempt}");
    }
    // The path has since become a link, or another name of a file outside.
    for value in ["write moved", "write twin.txt"] {
        assert_eq!(
            Memory::new("file", "always_allow", value).holds_against(value),
            CheckDecision::Ask,
            "{value}"
        );
    }
    let memory = Memory::new("file", "always_allow", "read docs/**");
    assert_eq!(memory.holds_against("read docs/new/b.md"), CheckDecision::Allow);
    for attempt in ["read docs/out/data.txt", "read docs/.env", "read docs/../src/main.rs", "write docs/a.md"]
    {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Ask, "{attempt}");
    }
    let memory = Memory::new("file", "always_deny", "read docs/**");
    assert_eq!(memory.holds_against("read src/../docs/a.md"), CheckDecision::Deny);
    assert!(fs::exists(memory.ground.workspace().join("docs/a.md")).unwrap());
}

#[test]
fn a_remembered_origin_is_one_origin() {
    let memory = Memory::new("domain", "always_allow", "https://example.com");
    for attempt in ["https://example.com/", "https://EXAMPLE.com:443/x", "https://example.com?x"] {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Allow, "{attempt}");
    }
    for attempt in [
        "https://example.com:8443/",
        "https://example.com./",
        "https://me@example.com/",
        "https://example.com\\@x/",
        "//example.com/",
        "example.com",
        "https://example.org/",
    ] {
        assert_eq!(memory.holds_against(attempt), CheckDecision::Ask, "{attempt}");
    }
    let within =
        memory.holds_against_in("https://example.com/", json!({"redirects": ["https://example.com/b"]}));
    assert_eq!(within, CheckDecision::Allow, "every hop is covered, so nothing else happens");
    let redirected =
        memory.holds_against_in("https://example.com/", json!({"redirects": ["https://evil.example/"]}));
    assert_eq!(redirected, CheckDecision::Ask);
    let memory = Memory::new("domain", "always_deny", "https://example.com");
    assert_eq!(memory.holds_against("https://example.com/x"), CheckDecision::Deny);
}
