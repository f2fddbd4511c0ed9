//! What a person refused in a task, and what a call touches. A refusal is about files and folders, not about the words
//! of the call: for the rest of the task, every other call that would change them asks again.

mod named;

pub(crate) use named::named;
pub use named::touched;

use crate::path::fold;
use deputy_messages::Phrase;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Risk};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a person refused and what a person allowed later. The newest answer about a path covers everything below it.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    /// The newest answers by folded path. There is no older answer below a newer one.
    answers: BTreeMap<Vec<String>, Answer>,
}

#[derive(Clone, Debug)]
enum Answer {
    Refused(Refusal),
    /// Allowed after it, or a folder around it, was refused. Names are compared exactly.
    Allowed(PathBuf),
}

impl Answer {
    fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Allowed(_) => None,
        }
    }
}

/// A refusal of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The real path. The refusal covers everything below it.
    pub path: PathBuf,
    /// When it was refused, in milliseconds since the epoch.
    pub at_ms: i64,
    /// The same time, as people read it.
    pub time: String,
    /// The person's reason. May be empty.
    pub because: Phrase,
}

impl Refusal {
    /// Returns what was refused and when.
    pub fn told(&self) -> Phrase {
        let path = crate::visible(&self.path.to_string_lossy());
        match self.because.is_empty() {
            true => say::refused_before(path, &self.time),
            false => say::refused_before_because(&self.because, path, &self.time),
        }
    }

    /// Returns the reason for asking again.
    pub fn reason(&self) -> Phrase {
        deputy_messages::series([self.told(), say::allowing_lifts_refusal()])
    }
}

impl Refusals {
    /// Whether nothing is refused.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Adds a refusal, which is newer than all answers before.
    pub fn refuse(&mut self, refusal: Refusal) {
        let parts = fold::path(&refusal.path);
        self.forget_below(&parts);
        self.answers.insert(parts, Answer::Refused(refusal));
    }

    /// Adds a permission for a real path, which is newer than all answers before.
    pub fn allow(&mut self, real: &Path) {
        let parts = fold::path(real);
        self.forget_below(&parts);
        if self.against(real).is_some() {
            self.answers.insert(parts, Answer::Allowed(real.to_owned()));
        }
    }

    /// Returns the refusal of the real path, or of a folder that contains it.
    pub fn against(&self, real: &Path) -> Option<&Refusal> {
        if self.answers.is_empty() {
            return None;
        }
        let parts = fold::path(real);
        let answers = (1..=parts.len()).rev().filter_map(|length| self.answers.get(&parts[..length]));
        let newest = answers.into_iter().find(|answer| match answer {
            Answer::Refused(_) => true,
            Answer::Allowed(path) => real.starts_with(path),
        });
        newest.and_then(Answer::refusal)
    }

    /// Like [`Self::against`], for a change of a folder with all of its content.
    pub fn against_tree(&self, real: &Path) -> Option<&Refusal> {
        self.against(real).or_else(|| {
            let parts = fold::path(real);
            self.below(&parts).find_map(|(_, answer)| answer.refusal())
        })
    }

    /// Returns the refusals. What was allowed inside them later is not left out.
    pub fn iter(&self) -> impl Iterator<Item = &Refusal> {
        self.answers.values().filter_map(Answer::refusal)
    }

    /// Returns a part for each refused path among those that a command names.
    pub(crate) fn parts(&self, named: &[PathBuf]) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for refusal in named.iter().filter_map(|path| self.against_tree(path)) {
            let part = Part {
                kind: PartKind::Write,
                text: crate::visible(&refusal.path.to_string_lossy()),
                decision: Decision::Ask,
                risk: Risk::High,
                reason: refusal.reason(),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts
    }

    fn below<'a, 'p>(
        &'a self,
        parts: &'p [String],
    ) -> impl Iterator<Item = (&'a Vec<String>, &'a Answer)> + use<'a, 'p> {
        self.answers.range(parts.to_vec()..).take_while(move |(path, _)| path.starts_with(parts))
    }

    fn forget_below(&mut self, parts: &[String]) {
        let below: Vec<Vec<String>> = self.below(parts).map(|(path, _)| path.clone()).collect();
        for path in below {
            self.answers.remove(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &str, at_ms: i64) -> Refusal {
        Refusal { path: path.into(), at_ms, time: "14:03".into(), because: Phrase::default() }
    }

    fn of(refusals: &Refusals, path: &str) -> Option<i64> {
        refusals.against(Path::new(path)).map(|refusal| refusal.at_ms)
    }

    #[test]
    fn a_refusal_covers_what_is_below_it_in_any_spelling() {
        let mut refusals = Refusals::default();
        refusals.refuse(refused("/w/build", 1));
        for path in ["/w/build", "/w/build/a/b", "/w/Build/a", "/w/BUILD"] {
            assert_eq!(of(&refusals, path), Some(1), "{path}");
        }
        for path in ["/w", "/w/builder", "/w/src/build"] {
            assert_eq!(of(&refusals, path), None, "{path}");
        }
        assert!(refusals.against_tree(Path::new("/w")).is_some());
        assert!(refusals.against_tree(Path::new("/w/src")).is_none());
    }

    #[test]
    fn the_newest_answer_decides() {
        let mut refusals = Refusals::default();
        refusals.refuse(refused("/w/build", 1));
        refusals.allow(Path::new("/w/build/logs"));
        assert_eq!(of(&refusals, "/w/build/logs/a"), None);
        assert_eq!(of(&refusals, "/w/build/LOGS/a"), Some(1), "an allowed path is compared exactly");
        assert_eq!(of(&refusals, "/w/build/o1"), Some(1));
        refusals.refuse(refused("/w/build/logs/keep", 2));
        assert_eq!(of(&refusals, "/w/build/logs/keep"), Some(2));
        assert_eq!(of(&refusals, "/w/build/logs/a"), None);
        refusals.allow(Path::new("/w"));
        assert!(refusals.is_empty());
        refusals.refuse(refused("/w/build", 3));
        assert_eq!(of(&refusals, "/w/build/logs/a"), Some(3), "the whole folder again");
    }

    #[test]
    fn the_reason_names_the_path_the_time_and_the_words() {
        let refusal = Refusal { because: "keep it".into(), ..refused("/w/build", 1) };
        let reason = refusal.reason().to_string();
        assert!(["/w/build", "14:03", "keep it"].iter().all(|part| reason.contains(part)), "{reason}");
    }
}
