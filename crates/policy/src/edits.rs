//! Edits of one plan that the user can be asked about together, and the offers that apply to all of them.

use crate::Situation;
use crate::offers::only;
use deputy_protocol::{Access, Decision, Facts, Offer, Part, PartKind, Risk, Verdict};
use std::path::Path;

/// Returns the path of the file that a call edits, as it is shown to the user, if the call can be asked about
/// together with others. Such a call is a single change of a single file, with a diff, that the user has to decide
/// on. `None` for all other calls; the user is asked about high-risk edits separately, except for those of files that
/// were only refused before.
pub fn edited<'a>(situation: &Situation, facts: &Facts, verdict: &'a Verdict) -> Option<&'a str> {
    let is_change = facts.diff.is_some() && facts.plan.is_none();
    let is_one_file = matches!(only(facts), Some(Access::Write(_)));
    if !is_change || !is_one_file || verdict.decision != Decision::Ask || facts.risk == Risk::High {
        return None;
    }
    let is_refused = |part: &Part| {
        let refusal = situation.refused.against(Path::new(&part.text));
        refusal.is_some_and(|refusal| part.reason == refusal.reason())
    };
    if verdict.parts.iter().any(|part| part.risk == Risk::High && !is_refused(part)) {
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
