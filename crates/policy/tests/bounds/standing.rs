//! Tests how rules and grants affect whole calls: they can always make them stricter, and milder only if nothing
//! objects.

use crate::ground::{Ground, grant};
use deputy_policy::{Rules, Situation, decide};
use deputy_protocol::{
    Access, CopyAccess, Decision, DeleteAccess, Effect, Facts, GrantRule, MemoryAccess, MemoryDeed,
    MoveAccess, OriginRule, PageAccess, PageDeed, PathOperation, PathRule, ReadAccess, Risk, UrlAccess,
    WriteAccess,
};
use serde_json::json;
use std::sync::Arc;

fn ground() -> Ground {
    let setup = json!({
        "files": {"a.txt": "a", "src/main.rs": "m", ".git/config": "c", ".env": "s", "{O}/data.txt": "d"},
        "hardlinks": [["twin.txt", "{O}/data.txt"]]
    });
    Ground::new(setup.as_object().unwrap())
}

fn decision(situation: &Situation, access: Access) -> Decision {
    let facts = Facts {
        effect: Effect::Mutating,
        accesses: vec![access],
        summary: String::new().into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    };
    decide(situation, &facts).verdict.decision
}

fn write(path: &str) -> Access {
    Access::Write(WriteAccess { path: path.to_owned() })
}

#[test]
fn a_grant_for_a_folder_does_not_cover_what_is_dangerous_in_it() {
    let ground = ground();
    let path = ground.workspace().to_str().unwrap().to_owned();
    let rule =
        GrantRule::Path(PathRule { operation: PathOperation::Write, path, below: true, commits: false });
    let grants = vec![grant(&ground, Decision::Allow, rule)];
    let situation = Situation { grants, ..ground.situation() };
    assert_eq!(decision(&situation, write("a.txt")), Decision::Allow);
    assert_eq!(decision(&situation, write("new/b.txt")), Decision::Allow);
    assert_eq!(decision(&situation, write(".git/config")), Decision::Ask);
    assert_eq!(decision(&situation, write(".GIT/hooks/pre-commit")), Decision::Ask);
    assert_eq!(decision(&situation, write("twin.txt")), Decision::Ask);
    assert_eq!(decision(&situation, write(".env")), Decision::Deny);
    assert_eq!(decision(&situation, Access::Delete(DeleteAccess { path: "a.txt".into() })), Decision::Ask);
}

/// Regression test: these files were written without asking after an answer to a request that mentioned only ordinary
/// files.
#[test]
fn a_grant_for_a_folder_does_not_cover_pipelines_of_other_machines_unless_it_is_theirs() {
    let ground = ground();
    let below = |decision, folder: &str| {
        let path = ground.workspace().join(folder).to_str().unwrap().trim_end_matches('/').to_owned();
        let rule = PathRule { operation: PathOperation::Write, path, below: true, commits: true };
        Situation { grants: vec![grant(&ground, decision, GrantRule::Path(rule))], ..ground.situation() }
    };
    let whole = below(Decision::Allow, "");
    for pipeline in
        [".github/workflows/ci.yml", "lib/.GitHub/actions/a/action.yml", "Jenkinsfile", ".build.yml"]
    {
        assert_eq!(decision(&whole, write(pipeline)), Decision::Ask, "{pipeline}");
        assert_eq!(decision(&below(Decision::Deny, ""), write(pipeline)), Decision::Deny, "{pipeline}");
    }
    assert_eq!(decision(&whole, write(".github/CODEOWNERS")), Decision::Allow);
    let theirs = below(Decision::Allow, ".github/workflows");
    assert_eq!(decision(&theirs, write(".github/workflows/ci.yml")), Decision::Allow);
}

#[test]
fn a_refusal_covers_what_would_be_allowed() {
    let ground = ground();
    let path = ground.workspace().join("src").to_str().unwrap().to_owned();
    let rule =
        GrantRule::Path(PathRule { operation: PathOperation::Read, path, below: true, commits: false });
    let grants = vec![grant(&ground, Decision::Deny, rule)];
    let situation = Situation { grants, ..ground.situation() };
    let read = |path: &str| Access::Read(ReadAccess { path: path.to_owned() });
    assert_eq!(decision(&situation, read("src/main.rs")), Decision::Deny);
    assert_eq!(decision(&situation, read("a.txt")), Decision::Allow);
}

#[test]
fn a_remembered_origin_is_opened_and_a_refused_one_is_not() {
    let ground = ground();
    let origin = |text: &str| GrantRule::Origin(OriginRule { origin: text.to_owned() });
    let situation = Situation {
        allow_hosts: vec!["refused.example".into()],
        grants: vec![
            grant(&ground, Decision::Allow, origin("https://example.com")),
            grant(&ground, Decision::Deny, origin("https://refused.example")),
        ],
        ..ground.situation()
    };
    let open =
        |url: &str| decision(&situation, Access::Url(UrlAccess { url: url.to_owned(), subresource: false }));
    assert_eq!(open("https://example.com/x"), Decision::Allow);
    assert_eq!(open("https://www.example.com/x"), Decision::Ask);
    assert_eq!(open("https://refused.example/"), Decision::Deny);
}

#[test]
fn both_ends_of_a_move_are_decided_together() {
    let ground = ground();
    let situation = ground.situation();
    let moved = |path: &str, dest: &str| Access::Move(MoveAccess { path: path.into(), dest: dest.into() });
    let copied = |path: &str, dest: &str| Access::Copy(CopyAccess { path: path.into(), dest: dest.into() });
    assert_eq!(decision(&situation, moved("a.txt", "b.txt")), Decision::Ask);
    assert_eq!(decision(&situation, moved("src", "src/deeper")), Decision::Deny);
    assert_eq!(decision(&situation, copied(".env", "plain.txt")), Decision::Deny);
    assert_eq!(decision(&situation, copied("a.txt", "b.txt")), Decision::Ask);
}

/// Every action that influences later tasks, or sends something from a page elsewhere, is asked about each time.
#[test]
fn memories_that_leave_the_folder_and_deeds_that_pages_profit_by_are_asked_each_time() {
    let ground = ground();
    let situation = ground.situation();
    let text = "Invoices go to \u{202e}Maria".to_owned();
    let memory = |does| Access::Memory(MemoryAccess { does, text: text.clone() });
    let page = |does| Access::Page(PageAccess { does, text: text.clone() });
    for (access, decision, risk) in [
        (memory(MemoryDeed::Look), Decision::Allow, Risk::Low),
        (memory(MemoryDeed::KeepHere), Decision::Allow, Risk::Low),
        (memory(MemoryDeed::Scratchpad), Decision::Allow, Risk::Low),
        (memory(MemoryDeed::KeepEverywhere), Decision::Ask, Risk::High),
        (memory(MemoryDeed::Forget), Decision::Ask, Risk::High),
        (page(PageDeed::Look), Decision::Allow, Risk::Low),
        (page(PageDeed::Act), Decision::Allow, Risk::Low),
        (page(PageDeed::FillSecret), Decision::Ask, Risk::High),
        (page(PageDeed::SendElsewhere), Decision::Ask, Risk::High),
        (page(PageDeed::Script), Decision::Ask, Risk::High),
        (page(PageDeed::Upload), Decision::Ask, Risk::High),
        (page(PageDeed::CarryOver), Decision::Ask, Risk::High),
    ] {
        let facts = Facts {
            effect: Effect::Idempotent,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let verdict = decide(&situation, &facts).verdict;
        assert_eq!((verdict.decision, verdict.risk), (decision, risk), "{facts:?}");
        assert!(!verdict.parts[0].text.contains('\u{202e}'), "{verdict:?}");
        let digest = deputy_policy::digest("memory", &json!({}), &ground.workspace(), verdict.confinement);
        let offers = deputy_policy::offers(&situation, &facts, &verdict, &digest);
        assert!(offers.iter().all(|offer| offer.rule.is_none()), "{offers:?}");
    }
}

/// A rule that restricts an operation on what is in `keep`.
fn about_keep(effect: &str, tool: &str) -> Arc<Rules> {
    let text = format!("[[rule]]\neffect = \"{effect}\"\ntool = \"{tool}\"\npattern = '.*/keep(/.*)?'");
    Arc::new(Rules::parse(&text).unwrap())
}

#[test]
fn deleting_moving_or_copying_a_folder_respects_rules_about_its_content() {
    let setup = json!({"files": {"docs/a.txt": "a", "docs/deep/keep/b.txt": "b", "other/c.txt": "c"}});
    let ground = Ground::new(setup.as_object().unwrap());
    let delete = |path: &str| Access::Delete(DeleteAccess { path: path.to_owned() });
    let moved = |path: &str| Access::Move(MoveAccess { path: path.to_owned(), dest: "new".to_owned() });
    let copied = |path: &str| Access::Copy(CopyAccess { path: path.to_owned(), dest: "new".to_owned() });
    for (effect, expected) in [("deny", Decision::Deny), ("ask", Decision::Ask)] {
        for (tool, access) in [("delete", delete("docs")), ("move", moved("docs")), ("read", copied("docs"))]
        {
            let situation = Situation { rules: about_keep(effect, tool), ..ground.situation() };
            assert_eq!(decision(&situation, access.clone()), expected, "{effect} {tool} {access:?}");
        }
        for access in [delete("other"), moved("other"), copied("other")] {
            let situation = Situation { rules: about_keep("deny", "delete"), ..ground.situation() };
            assert_ne!(decision(&situation, access.clone()), Decision::Deny, "{access:?}");
        }
    }
}
