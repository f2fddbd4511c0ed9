//! Input that is excessive, broken, or crafted to be slow: it asks, and denials still apply.

use crate::ground::{Ground, ruling};
use deputy_policy::Rules;
use deputy_protocol::{AlwaysLifetime, ArgvRule, Decision, Grant, GrantId, GrantRule, Lifetime};
use std::sync::Arc;

fn rules(ground: &Ground, text: &str) -> Arc<Rules> {
    let file = ground.home().join("rules.toml");
    std::fs::write(&file, text).unwrap();
    Arc::new(Rules::load(&file).unwrap())
}

#[test]
fn what_is_too_much_is_asked_and_a_refusal_still_wins() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    let ten_megabytes = format!("echo {}", "a".repeat(10 << 20));
    let texts = [
        ten_megabytes.clone(),
        "(".repeat(100_000),
        format!("{}ls{}", "(".repeat(100_000), ")".repeat(100_000)),
        "$(".repeat(50_000),
        "\0".repeat(1_000),
        "ls \0 -l".to_owned(),
        "\u{fffd}\u{fffd}".to_owned(),
    ];
    for text in &texts {
        let verdict = ruling(&situation, text).verdict;
        let shown: String = text.chars().take(20).collect();
        assert_eq!(verdict.decision, Decision::Ask, "{shown}: {:?}", verdict.reasons);
    }
    situation.rules = rules(&ground, "[[rule]]\neffect = \"deny\"\nargv = [\"git\", \"push\"]\n");
    for text in texts {
        let verdict = ruling(&situation, &format!("git push; {text}")).verdict;
        let shown: String = text.chars().take(20).collect();
        assert_eq!(verdict.decision, Decision::Deny, "{shown}");
    }
}

#[test]
fn a_pattern_that_others_would_choke_on_is_matched_in_steps_that_grow_with_the_text() {
    let ground = Ground::ordinary();
    let mut situation = ground.situation();
    let rule = "[[rule]]\neffect = \"deny\"\ntool = \"shell\"\npattern = \"echo (a+)+b\"\n";
    situation.rules = rules(&ground, rule);
    let long = "a".repeat(60_000);
    assert_eq!(ruling(&situation, &format!("echo {long}")).verdict.decision, Decision::Allow);
    assert_eq!(ruling(&situation, &format!("echo {long}b")).verdict.decision, Decision::Deny);
}

#[test]
fn a_grant_whose_folder_is_gone_covers_nothing() {
    let ground = Ground::ordinary();
    let gone = ground.home().join("gone");
    let mut situation = ground.situation();
    situation.grants = vec![Grant {
        id: GrantId::new("g"),
        decision: Decision::Allow,
        rule: GrantRule::Argv(ArgvRule { argv: ["touch", "x"].map(str::to_owned).into(), prefix: false }),
        lifetime: Lifetime::Always(AlwaysLifetime {}),
        workspace: gone.to_string_lossy().into_owned(),
        request: None,
        created_at_ms: 0,
        expires_at_ms: None,
        revoked_at_ms: None,
    }];
    assert_eq!(ruling(&situation, "touch x").verdict.decision, Decision::Ask);
    // A link that now leads from there to another folder is not the folder for which the grant was given.
    std::os::unix::fs::symlink(ground.workspace(), &gone).unwrap();
    assert_eq!(ruling(&situation, "touch x").verdict.decision, Decision::Ask);
    situation.workspace = gone;
    assert_eq!(ruling(&situation, "touch x").verdict.decision, Decision::Ask, "by its real path");
}
