//! Tests the sentences that people read: every sentence that the cases produce is in `sentences.txt`, with which the
//! German translation of the page is checked. `APPROVE=1 cargo test -p deputy-policy --test commands sentences`
//! rewrites it.

use crate::cases::{more, published};
use crate::ground::{Ground, on_ground};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;

/// Patterns for texts that differ between cases and machines, with their replacements: quoted texts, paths and
/// numbers.
const MASKS: [(&str, &str); 4] = [
    (r"`[^`\s][^`]{3,}`", "`…`"),
    (r"(?:~|\$HOME)?/[^\s`,;:)]*[^\s`,;:).]", "/…"),
    (r"\d+", "0"),
    (r"\s+", " "),
];

#[test]
fn all_that_are_said_are_known() {
    let ordinary = Ground::ordinary();
    let mut said = BTreeSet::new();
    let masks = MASKS.map(|(mask, shown)| (Regex::new(mask).unwrap(), shown));
    let masked = |text: &String| {
        masks.iter().fold(text.clone(), |text, (mask, shown)| mask.replace_all(&text, *shown).into_owned())
    };
    for case in published().into_iter().chain(more()) {
        on_ground(&ordinary, &case, |ground| {
            let verdict = ground.decide(&case.command).verdict;
            let mut reasons: Vec<String> =
                verdict.parts.into_iter().map(|part| part.reason.to_string()).collect();
            reasons.extend(verdict.reasons.iter().map(ToString::to_string));
            // The operating system's messages about a path depend on the user who runs this.
            said.extend(reasons.iter().filter(|text| !text.contains("(os error")).map(masked));
        });
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/sentences.txt");
    if std::env::var_os("APPROVE").is_some() {
        std::fs::write(&path, said.iter().map(|text| format!("{text}\n")).collect::<String>()).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap();
    let known: BTreeSet<&str> = known.lines().collect();
    let new: Vec<&String> = said.iter().filter(|text| !known.contains(text.as_str())).collect();
    assert!(new.is_empty(), "approve these, by APPROVE=1:\n{new:#?}");
}
