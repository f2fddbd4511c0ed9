//! Rules and secrets that protect a path ignore case and how letters are composed; what permits a path is exact.

use crate::ground::{Ground, grant};
use deputy_policy::path::{Bounds, Operation, SecretPattern, Transfer, judge, judge_transfer, twin};
use deputy_policy::{Rules, Situation};
use deputy_protocol::{Decision, GrantRule, PathOperation, PathRule, Risk, Scope};
use serde_json::json;
use std::fs;
use std::sync::Arc;

/// `Müller` with a combining accent, as macOS writes names.
const APART: &str = "Mu\u{308}ller";
/// `Müller` with a precomposed letter, as keyboards type it.
const TOGETHER: &str = "M\u{fc}ller";

fn ground(files: &[&str]) -> Ground {
    let files: serde_json::Map<_, _> = files.iter().map(|&name| (name.to_owned(), json!("x"))).collect();
    Ground::new(json!({ "files": files }).as_object().unwrap())
}

fn ruled(ground: &Ground, effect: &str, pattern: &str) -> Situation {
    let text = format!("[[rule]]\neffect = \"{effect}\"\ntool = \"read\"\npattern = '{pattern}'");
    Situation { rules: Arc::new(Rules::parse(&text).unwrap()), ..ground.situation() }
}

fn read(situation: &Situation, path: &str) -> Decision {
    judge(situation, Operation::Read, path).decision
}

#[test]
fn a_denial_covers_every_spelling_of_a_name() {
    for (written, found) in [
        (TOGETHER, APART),
        (APART, TOGETHER),
        ("Private", "PRIVATE"),
        ("straße", "STRASSE"),
        ("file", "\u{fb01}le"),
        ("notes", "\u{ff4e}\u{ff4f}\u{ff54}\u{ff45}\u{ff53}"),
        ("Σίσυφος", "σίσυφοσ"),
    ] {
        let ground = ground(&[&format!("{found}/a.txt")]);
        let situation = ruled(&ground, "deny", &format!(".*/{written}(/.*)?"));
        assert_eq!(read(&situation, &format!("{found}/a.txt")), Decision::Deny, "{written} {found}");
        let bounds = Bounds::of(&situation);
        assert!(bounds.ruled_out(Operation::List, &ground.at(found)).is_some(), "{written} {found}");
    }
}

#[test]
fn different_letters_stay_different() {
    // Latin a and Cyrillic а look alike but are different letters.
    let ground = ground(&["p\u{430}per.txt"]);
    let situation = ruled(&ground, "deny", ".*/paper\\.txt");
    assert_eq!(read(&situation, "p\u{430}per.txt"), Decision::Allow);
}

#[test]
fn a_rule_that_allows_is_exact() {
    let ground = ground(&[".git/x"]);
    let text = "[[rule]]\neffect = \"allow\"\ntool = \"write\"\npattern = '.*/Notes/.*'";
    let situation = Situation { rules: Arc::new(Rules::parse(text).unwrap()), ..ground.situation() };
    let facts = |path: &str| deputy_protocol::Facts {
        effect: deputy_protocol::Effect::Mutating,
        accesses: vec![deputy_protocol::Access::Write(deputy_protocol::WriteAccess {
            path: path.to_owned(),
        })],
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    };
    let decision = |path: &str| deputy_policy::decide(&situation, &facts(path)).verdict.decision;
    assert_eq!(decision("Notes/a.txt"), Decision::Allow);
    assert_eq!(decision("notes/a.txt"), Decision::Ask);
}

#[test]
fn a_denial_covers_names_that_are_not_valid_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let ground = ground(&["private/a.txt"]);
    let odd = ground.at("private").join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt"));
    fs::write(&odd, "x").unwrap();
    let bounds = Bounds::of(&ruled(&ground, "deny", ".*/private/.*"));
    assert!(bounds.ruled_out(Operation::Read, &odd).is_some());
}

#[test]
fn a_remembered_denial_covers_every_spelling() {
    let ground = ground(&[&format!("{APART}/a.txt"), &format!("{TOGETHER}2/a.txt")]);
    let path = ground.at(TOGETHER).to_str().unwrap().to_owned();
    let rule =
        GrantRule::Path(PathRule { operation: PathOperation::Read, path, below: true, commits: false });
    let grants = vec![grant(&ground, Decision::Deny, rule)];
    let situation = Situation { grants, ..ground.situation() };
    assert_eq!(read(&situation, &format!("{APART}/a.txt")), Decision::Deny);
    assert_eq!(read(&situation, &format!("{TOGETHER}2/a.txt")), Decision::Allow);
}

#[test]
fn secrets_are_secret_in_every_spelling() {
    let ground = ground(&["\u{ff0e}env", "ID_RSA", &format!("{APART}/konto.txt")]);
    let secrets = vec![SecretPattern::parse(&format!("**/{TOGETHER}")).unwrap()];
    let situation = Situation { secrets, ..ground.situation() };
    for path in ["\u{ff0e}env", "ID_RSA"] {
        assert_eq!(read(&situation, path), Decision::Ask, "{path}");
    }
    // The user's own list is not asked about.
    assert_eq!(read(&situation, &format!("{APART}/konto.txt")), Decision::Deny);
}

#[test]
fn the_scope_is_exact_and_the_reason_names_the_similar_path() {
    let ground = ground(&[&format!("{APART}.txt"), &format!("{TOGETHER}.txt")]);
    let scope = Scope { only_files: vec![format!("{TOGETHER}.txt")], ..Scope::default() };
    let situation = Situation { scope, ..ground.situation() };
    assert_eq!(read(&situation, &format!("{TOGETHER}.txt")), Decision::Allow);
    let part = judge(&situation, Operation::Read, &format!("{APART}.txt"));
    assert_eq!(part.decision, Decision::Deny);
    assert!(part.reason.to_string().contains("only in letter case"), "{}", part.reason);
}

#[test]
fn creating_a_name_that_differs_only_in_case_or_composition_asks() {
    let ground = ground(&["Report.txt", "docs/a.txt", &format!("{APART}.txt"), "plain.txt"]);
    let situation = ground.situation();
    for (operation, path) in [
        (Operation::Write, "report.TXT"),
        (Operation::Create, "REPORT.txt"),
        (Operation::Write, &*format!("{TOGETHER}.txt")),
        (Operation::Write, "Docs/new.txt"),
        (Operation::Create, "\u{ff50}lain.txt"),
    ] {
        let part = judge(&situation, operation, path);
        assert_eq!((part.decision, part.risk), (Decision::Ask, Risk::High), "{path}: {}", part.reason);
        assert!(part.reason.to_string().contains("already exists"), "{path}: {}", part.reason);
    }
    for path in ["Report.txt", "reports.txt", "docs/A2.txt", "new/Docs/a.txt", "10:30.txt", "10:45.txt"] {
        let part = judge(&situation, Operation::Write, path);
        assert_eq!((part.decision, part.risk), (Decision::Ask, Risk::Low), "{path}: {}", part.reason);
    }
}

#[test]
fn a_similar_name_is_found_as_soon_as_it_exists() {
    let ground = ground(&["a.txt"]);
    let missing = ground.at("B.txt");
    assert_eq!(twin(&missing), None);
    fs::write(ground.at("b.txt"), "x").unwrap();
    assert_eq!(twin(&missing), Some(ground.at("b.txt")));
    assert_eq!(twin(&missing), Some(ground.at("b.txt")));
    fs::remove_file(ground.at("b.txt")).unwrap();
    assert_eq!(twin(&missing), None);
    assert_eq!(twin(&ground.at("a.txt")), None, "it is there itself");
}

#[test]
fn a_rename_may_change_only_the_case() {
    let ground = ground(&["readme.md", "other.md"]);
    let situation = ground.situation();
    let risk = |from: &str, kind: Transfer| {
        let parts = judge_transfer(&situation, kind, from, "README.md");
        parts.iter().map(|part| part.risk).max().unwrap()
    };
    assert_eq!(risk("readme.md", Transfer::Move), Risk::Low);
    assert_eq!(risk("other.md", Transfer::Move), Risk::High);
    assert_eq!(risk("readme.md", Transfer::Copy), Risk::High);
}
