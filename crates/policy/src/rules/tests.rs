//! Tests the order of precedence against a reference that is short enough to be obviously correct.

use super::*;
use deputy_protocol::{
    AlwaysLifetime, ArgvRule, Grant, GrantRule, Lifetime, MinutesLifetime, OnceLifetime, SessionId,
    SessionLifetime, TaskId, TaskLifetime,
};
use proptest::prelude::*;
use std::sync::Arc;

const NOW_MS: i64 = 1_000_000;
const WORKSPACE: &str = "/nonexistent/home/project";

fn situation(rules: Rules, grants: Vec<Grant>) -> Situation {
    Situation {
        rules: Arc::new(rules),
        grants,
        task: Some(TaskId::new("t1")),
        session: Some(SessionId::new("s1")),
        now_ms: NOW_MS,
        walls: true,
        ..Situation::new("/nonexistent/home", WORKSPACE, "/nonexistent/deputy")
    }
}

/// A rule or a grant, as data for the reference.
#[derive(Clone, Debug)]
struct Entry {
    is_grant: bool,
    effect: Decision,
    words: Vec<&'static str>,
    allows_more: bool,
    /// The place where the entry applies: 0 everywhere or here, 1 a parent folder, 2 elsewhere.
    place: u8,
    /// The expiry: 0 never, 1 in the future, 2 in the past.
    time: u8,
    /// The lifetime of a grant: 0 always, 1 this task, 2 another task, 3 this session, 4 another session, 5 minutes,
    /// 6 expired minutes, 7 once, 8 revoked.
    lifetime: u8,
}

fn entry() -> impl Strategy<Value = Entry> {
    let effect = prop_oneof![Just(Decision::Allow), Just(Decision::Ask), Just(Decision::Deny)];
    let words =
        proptest::collection::vec(prop_oneof![Just("git"), Just("push"), Just("-v"), Just("x")], 1..4);
    (any::<bool>(), effect, words, any::<bool>(), 0..3_u8, 0..3_u8, 0..9_u8).prop_map(
        |(is_grant, effect, words, allows_more, place, time, lifetime)| Entry {
            is_grant,
            effect,
            words,
            allows_more,
            place,
            time,
            lifetime,
        },
    )
}

fn to_toml(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries.iter().filter(|entry| !entry.is_grant) {
        let mut argv = entry.words.clone();
        if entry.allows_more {
            argv.push("*");
        }
        let effect = format!("{:?}", entry.effect).to_lowercase();
        text += &format!("[[rule]]\neffect = \"{effect}\"\nargv = {argv:?}\n");
        text += ["", "within = \"~/\"\n", "within = \"/elsewhere\"\n"][usize::from(entry.place)];
        text += ["", "expires = 1970-01-01T00:30:00Z\n", "expires = 1970-01-01T00:10:00Z\n"]
            [usize::from(entry.time)];
    }
    text
}

fn to_grants(entries: &[Entry]) -> Vec<Grant> {
    let grant = |entry: &Entry| Grant {
        id: GrantId::new("g"),
        decision: entry.effect,
        rule: GrantRule::Argv(ArgvRule {
            argv: entry.words.iter().map(|&word| word.to_owned()).collect(),
            prefix: entry.allows_more,
        }),
        lifetime: match entry.lifetime {
            1 | 2 => Lifetime::Task(TaskLifetime { task: TaskId::new(format!("t{}", entry.lifetime)) }),
            3 | 4 => Lifetime::Session(SessionLifetime {
                session: SessionId::new(format!("s{}", entry.lifetime - 2)),
            }),
            5 => Lifetime::Minutes(MinutesLifetime { minutes: 10 }),
            6 => Lifetime::Minutes(MinutesLifetime { minutes: 1 }),
            7 => Lifetime::Once(OnceLifetime {}),
            _ => Lifetime::Always(AlwaysLifetime {}),
        },
        workspace: if entry.place == 2 { "/elsewhere".into() } else { WORKSPACE.into() },
        request: None,
        created_at_ms: NOW_MS - 120_000,
        expires_at_ms: [None, Some(NOW_MS + 1), Some(NOW_MS)][usize::from(entry.time)],
        revoked_at_ms: (entry.lifetime == 8).then_some(NOW_MS - 1),
    };
    entries.iter().filter(|entry| entry.is_grant).map(grant).collect()
}

/// The reference: deny before ask before allow, over all entries that apply and match.
fn reference(entries: &[Entry], argv: &[&str]) -> Option<Decision> {
    let holds = |entry: &Entry| {
        let is_alive = !entry.is_grant || [0, 1, 3, 5].contains(&entry.lifetime);
        entry.place != 2 && entry.time != 2 && is_alive
    };
    let covers = |entry: &Entry| match entry.effect {
        // A remembered answer may be extended only by plain words, never by options.
        Decision::Allow if entry.allows_more => argv
            .strip_prefix(entry.words.as_slice())
            .is_some_and(|rest| !entry.is_grant || rest.iter().all(|word| !word.starts_with('-'))),
        Decision::Allow => argv == entry.words,
        Decision::Ask | Decision::Deny => is_loosely(&entry.words, argv),
    };
    let found = |effect| entries.iter().any(|entry| entry.effect == effect && holds(entry) && covers(entry));
    [Decision::Deny, Decision::Ask, Decision::Allow].into_iter().find(|&effect| found(effect))
}

/// Whether `rule` remains of `argv` after removing options before its words, with or without a value.
fn is_loosely(rule: &[&str], argv: &[&str]) -> bool {
    let (Some((program, rule)), Some((first, mut rest))) = (rule.split_first(), argv.split_first()) else {
        return false;
    };
    if program != first {
        return false;
    }
    for wanted in rule {
        // The first position of the wanted word that has only options and their values before it.
        let place = rest.iter().position(|word| word == wanted);
        let Some(place) = place else { return false };
        let skipped = &rest[..place];
        let is_clean = skipped.iter().enumerate().all(|(i, word)| {
            let before = argv[argv.len() - rest.len() + i - 1];
            word.starts_with('-') || i + argv.len() - rest.len() > 1 && before.starts_with('-')
        });
        if !is_clean {
            return false;
        }
        rest = &rest[place + 1..];
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_and_grants_come_to_what_the_reference_says(
        entries in proptest::collection::vec(entry(), 0..8),
        argv in proptest::collection::vec(prop_oneof![Just("git"), Just("push"), Just("-v"), Just("x")], 1..5),
    ) {
        let rules = Rules { rules: file::parse(&to_toml(&entries)).unwrap(), is_broken: false };
        let situation = situation(rules, to_grants(&entries));
        let subject = Subject::Command { argv: argv.iter().map(|&word| word.to_owned()).collect() };
        let found = standing(&situation, "shell", &subject).map(|standing| standing.decision);
        prop_assert_eq!(found, reference(&entries, &argv));
    }
}

#[test]
fn an_invalid_file_asks_about_everything_and_refusals_still_win() {
    let denied = Entry {
        is_grant: true,
        effect: Decision::Deny,
        words: vec!["git"],
        allows_more: true,
        place: 0,
        time: 0,
        lifetime: 0,
    };
    let situation = situation(Rules::broken(), to_grants(&[denied]));
    let decision = |argv: &[&str]| {
        let argv = argv.iter().map(|&word| word.to_owned()).collect();
        standing(&situation, "shell", &Subject::Command { argv }).map(|standing| standing.decision)
    };
    assert_eq!(decision(&["ls"]), Some(Decision::Ask));
    assert_eq!(decision(&["git", "log"]), Some(Decision::Deny));
}

#[test]
fn rules_speak_about_paths_and_origins_by_the_name_of_the_tool() {
    let text = r#"
        [[rule]]
        effect = "deny"
        tool = "write"
        pattern = ".*/docs/.*"
        [[rule]]
        effect = "allow"
        tool = "url"
        pattern = "https://[a-z]+\\.example\\.com"
        examples = { match = ["https://a.example.com/x"], not_match = ["https://example.com/", "https://a.example.com:81/"] }
    "#;
    let rules = Rules { rules: file::parse(text).unwrap(), is_broken: false };
    let situation = situation(rules, Vec::new());
    let path = |operation| Subject::Path { operation, real: "/w/docs/a".into() };
    use deputy_protocol::PathOperation::{Delete, Read, Write};
    let decision = |subject: &Subject| standing(&situation, "", subject).map(|standing| standing.decision);
    assert_eq!(decision(&path(Write)), Some(Decision::Deny));
    assert_eq!(decision(&path(Read)), None);
    assert_eq!(decision(&path(Delete)), None);
    assert_eq!(decision(&Subject::Origin { origin: "https://b.example.com".into() }), Some(Decision::Allow));
    assert_eq!(decision(&Subject::Origin { origin: "https://b.example.com.evil.example".into() }), None);
}

#[test]
fn a_file_that_is_not_there_holds_no_rules_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.toml");
    assert!(Rules::load(&path).unwrap().is_empty());
    std::fs::write(&path, "[[rule]]\neffect = \"deny\"\nargv = [\"git\"]\n[[rule]]\neffect = \"x\"\n")
        .unwrap();
    let message = Rules::load(&path).unwrap_err().to_string();
    assert!(message.contains("rules.toml:5:"), "{message}");
    assert!(Rules::broken().is_broken());
}

#[test]
fn the_example_of_the_documentation_holds() {
    let page = include_str!("../../../../docs/permissions.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let rules = Rules { rules: file::parse(example).unwrap(), is_broken: false };
    let described = rules.describe();
    assert_eq!(described.len(), 4, "{described:?}");
    assert!(described[0].ends_with("allow shell npm test …, within ~/projects"), "{described:?}");
    let situation =
        Situation { workspace: "/nonexistent/home/projects/a".into(), ..situation(rules, Vec::new()) };
    let decision = |subject: &Subject| standing(&situation, "", subject).map(|standing| standing.decision);
    let command = |text: &str| Subject::Command { argv: split(text).unwrap() };
    assert_eq!(decision(&command("npm test --watch")), Some(Decision::Allow));
    assert_eq!(decision(&command("git --no-pager push origin")), Some(Decision::Deny));
    let origin = |text: &str| Subject::Origin { origin: text.to_owned() };
    assert_eq!(decision(&origin("https://docs.example.com")), Some(Decision::Allow));
    assert_eq!(decision(&origin("https://docs.example.com.evil.example")), None);
    let contract =
        Subject::Path { operation: deputy_protocol::PathOperation::Write, real: "/w/contracts/a.txt".into() };
    assert_eq!(decision(&contract), Some(Decision::Ask));
}

#[test]
fn a_grant_holds_only_in_the_folder_it_was_given_for_also_when_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (given, other) = (root.join("given"), root.join("other"));
    std::fs::create_dir(&given).unwrap();
    std::fs::create_dir(&other).unwrap();
    let entry = Entry {
        is_grant: true,
        effect: Decision::Allow,
        words: vec!["git"],
        allows_more: false,
        place: 0,
        time: 0,
        lifetime: 0,
    };
    let mut grants = to_grants(&[entry]);
    grants[0].workspace = given.to_str().unwrap().to_owned();
    let decision = |workspace: &Path| {
        let situation =
            Situation { workspace: workspace.to_owned(), ..situation(Rules::empty(), grants.clone()) };
        let subject = Subject::Command { argv: vec!["git".to_owned()] };
        standing(&situation, "shell", &subject).map(|standing| standing.decision)
    };
    assert_eq!(decision(&given), Some(Decision::Allow));
    assert_eq!(decision(&other), None);
    std::fs::remove_dir(&given).unwrap();
    assert_eq!(decision(&other), None);
    // A different folder in the same place, through a link, is not the folder for which the grant was given.
    std::os::unix::fs::symlink(&other, &given).unwrap();
    assert_eq!(decision(&given), None);
}
