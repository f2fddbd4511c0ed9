//! Calls of one plan that the user can be asked about together, and the offers that apply to all of them.

use crate::Situation;
use crate::offers::only;
use deputy_protocol::{Access, Decision, Facts, Offer, Part, PartKind, Risk, Verdict};
use std::path::Path;

/// Whether the user can be asked about a call together with others: it asks, and it is a command or works with files.
/// High risks are asked about alone, except for files that were only refused before. So are plans of many files, and
/// credentials that are lent.
pub fn can_join(situation: &Situation, facts: &Facts, verdict: &Verdict) -> bool {
    let is_refused = |part: &Part| {
        let refusal = situation.refused.against(Path::new(&part.text));
        refusal.is_some_and(|refusal| part.reason == refusal.reason())
    };
    let is_alone = |part: &Part| part.kind == PartKind::Loan || part.risk == Risk::High && !is_refused(part);
    let is_local = |access: &Access| match access {
        Access::Shell(_)
        | Access::Read(_)
        | Access::List(_)
        | Access::Write(_)
        | Access::Delete(_)
        | Access::Move(_)
        | Access::Copy(_) => true,
        Access::Url(_) | Access::Page(_) | Access::Memory(_) | Access::Own(_) => false,
    };
    verdict.decision == Decision::Ask
        && facts.plan.is_none()
        && facts.risk < Risk::High
        && facts.accesses.iter().all(is_local)
        && !verdict.parts.iter().any(is_alone)
}

/// Returns the path of the file that a call edits, as it is shown to the user: its only access is a change of one file,
/// with a diff.
pub fn edited<'a>(facts: &Facts, verdict: &'a Verdict) -> Option<&'a str> {
    if facts.diff.is_none() || !matches!(only(facts), Some(Access::Write(_))) {
        return None;
    }
    let mut written = verdict.parts.iter().filter(|part| part.kind == PartKind::Write);
    match (written.next(), written.next()) {
        (Some(part), None) => Some(&part.text),
        _ => None,
    }
}

/// Whether the two paths are independent: neither is the other or contains it. Ignores case, because names that
/// differ only in case can be the same file.
pub fn are_apart(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(str::to_lowercase);
    let [one, other] = [Path::new(&one), Path::new(&other)];
    !one.starts_with(other) && !other.starts_with(one)
}

/// Returns the offers for several calls at once: those that are offered for each call with the same rule.
pub fn offers_for_all(offers: impl IntoIterator<Item = Vec<Offer>>) -> Vec<Offer> {
    let mut each = offers.into_iter();
    let first = each.next().unwrap_or_default();
    each.fold(first, |mut all, offers| {
        all.retain(|offer| offers.contains(offer));
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{AlwaysLifetime, GrantRule, Lifetime, OnceLifetime, PathOperation, PathRule};

    #[test]
    fn a_file_a_folder_above_it_and_another_case_are_not_apart() {
        for other in ["/w/a.txt", "/w", "/w/a.txt/b", "/W/A.TXT"] {
            assert!(!are_apart("/w/a.txt", other), "{other}");
        }
        for other in ["/w/b.txt", "/w/a.txt2", "/w/a", "/v/a.txt"] {
            assert!(are_apart("/w/a.txt", other), "{other}");
        }
    }

    #[test]
    fn only_what_holds_for_each_is_offered_for_all() {
        let once = Offer {
            lifetime: Lifetime::Once(OnceLifetime {}),
            rule: None,
            wider: false,
            label: "Once".into(),
        };
        let always = |path: &str, below| Offer {
            lifetime: Lifetime::Always(AlwaysLifetime {}),
            rule: Some(GrantRule::Path(PathRule {
                operation: PathOperation::Write,
                path: path.to_owned(),
                below,
                commits: false,
            })),
            wider: below,
            label: format!("Write {path}").into(),
        };
        let of = |file: &str| vec![once.clone(), always(file, false), always("/w/src", true)];
        assert_eq!(offers_for_all([of("/w/src/a"), of("/w/src/b")]), [once.clone(), always("/w/src", true)]);
        assert_eq!(offers_for_all([of("/w/src/a"), vec![once.clone()]]), vec![once.clone()]);
        assert_eq!(offers_for_all([of("/w/src/a")]), of("/w/src/a"));
    }
}
