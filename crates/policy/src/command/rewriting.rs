//! Rewrites a text before it runs. Patterns are replaced by the names that were shown to the user, and commands that
//! run without asking get options that restrict them to what was judged.

use super::judge::Judge;
use super::simple::Hardening;
use super::words::{self, Argv};
use crate::shell::quote::quoted;
use crate::shell::script::{Script, Simple};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Risk};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The changes to a text, and how it runs if nobody is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewriting {
    /// The words to insert at each byte offset of the text. They are only used if nobody is asked.
    insertions: BTreeMap<usize, Vec<String>>,
    /// The expansion of each pattern, by its position. `None` if the expansion could change before the text runs.
    fixed: BTreeMap<usize, Option<Fixed>>,
    /// The words of the last command when it runs without asking.
    pub(crate) unasked_argv: Option<Vec<String>>,
    /// The texts of simple commands that run without asking, by the indices of their parts.
    pub(crate) unasked_texts: Vec<(usize, String)>,
    /// Other programs that the commands start to do what was judged.
    pub(crate) starts: BTreeSet<&'static str>,
}

/// A pattern and the names to which it expands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fixed {
    raw: String,
    names: Vec<String>,
}

impl Rewriting {
    /// Adds the changes to those of a larger text that contains this one at the byte offset `by`. The shell expands
    /// the patterns.
    pub(super) fn shifted_into(self, larger: &mut Rewriting, by: usize, parts_before: usize) {
        larger.insertions.extend(self.insertions.into_iter().map(|(at, words)| (at + by, words)));
        larger
            .unasked_texts
            .extend(self.unasked_texts.into_iter().map(|(at, text)| (at + parts_before, text)));
        larger.starts.extend(self.starts);
    }

    /// Removes the expansions of patterns, so that the shell looks them up.
    pub(super) fn without_expansions(&mut self) {
        self.fixed.clear();
        self.unasked_argv = None;
    }
    /// Returns the text that runs after the user has agreed: each pattern that was looked up is replaced by the names
    /// that were shown.
    pub(crate) fn agreed(&self, text: &str) -> String {
        self.rewritten(text, &BTreeMap::new())
    }

    /// Returns the text that runs if nobody is asked.
    pub(crate) fn unasked(&self, text: &str) -> String {
        self.rewritten(text, &self.insertions)
    }

    fn rewritten(&self, text: &str, insertions: &BTreeMap<usize, Vec<String>>) -> String {
        let fixed = self.fixed.iter().filter_map(|(at, fixed)| Some((*at, fixed.as_ref()?)));
        let fixed =
            fixed.filter(|(at, fixed)| text.get(*at..).is_some_and(|rest| rest.starts_with(&fixed.raw)));
        let fixed = fixed.map(|(at, fixed)| (at, at + fixed.raw.len(), quoted(&fixed.names)));
        let added = insertions.iter().map(|(at, words)| (*at, *at, format!(" {}", quoted(words))));
        let mut edits: Vec<(usize, usize, String)> = fixed.chain(added).collect();
        edits.sort();
        let (mut rewritten, mut from) = (String::with_capacity(text.len()), 0);
        for (begin, end, new) in edits {
            rewritten.push_str(text.get(from..begin).unwrap_or_default());
            rewritten.push_str(&new);
            from = end;
        }
        rewritten.push_str(text.get(from..).unwrap_or_default());
        rewritten
    }
}

impl Judge<'_> {
    /// Records the expansions of the patterns in a command, unless a preceding command can change them: as in every
    /// shell, a later command must see the files that an earlier command created.
    pub(super) fn fix(&mut self, simple: &Simple, folder: &Path, script: &Script) {
        if self.depth > 0 || script.is_grouped {
            return;
        }
        let is_first = self.judgement.is_known
            && self.judgement.parts.iter().all(|part| part.decision == Decision::Allow);
        let words = simple.words.iter().zip(&simple.ends).skip(1);
        for (raw, end) in words.filter(|(raw, _)| raw.contains(['*', '?', '['])) {
            let argv = words::single(self.situation, folder, raw);
            // A pattern that matches nothing stays literal. It is quoted, so that the shell does not look it up
            // again.
            let is_pattern = !(argv.literal && raw.contains(['\'', '"', '\\']));
            let Some(begin) = end.checked_sub(raw.len()).filter(|_| is_pattern) else { continue };
            let fixed = argv.doubts.is_empty().then(|| Fixed { raw: raw.clone(), names: argv.words });
            let first = self.judgement.rewriting.fixed.entry(begin);
            // The command may be judged for another folder too. It must expand to the same names there.
            let known = first.or_insert_with(|| fixed.clone().filter(|_| is_first));
            if *known != fixed {
                *known = None;
            }
        }
    }

    /// Records the text that is inserted for the command that is about to become the next part.
    pub(super) fn harden(&mut self, simple: &Simple, argv: &Argv, folder: &Path, hardening: &Hardening) {
        let rewriting = &mut self.judgement.rewriting;
        rewriting.starts.extend(&hardening.starts);
        rewriting.unasked_argv = Some(hardening.of(&argv.words));
        if hardening.adds.is_empty() || self.depth > 0 && self.unknown.is_none() {
            return;
        }
        rewriting.unasked_texts.push((self.judgement.parts.len(), quoted(&hardening.of(&argv.words))));
        // Each preceding raw word must be exactly one word of the argv. Otherwise the insertion would be in the wrong
        // position.
        let is_one =
            |raw: &String| words::single_with(self.situation, folder, raw, &self.values).words.len() == 1;
        let names = simple.words.get(..hardening.named_by);
        let at = simple.ends.get(hardening.named_by.saturating_sub(1)).copied();
        let at = at.filter(|_| names.is_some_and(|names| names.iter().all(is_one)));
        let is_settled = at.is_some_and(|at| {
            rewriting.insertions.entry(at).or_insert_with(|| hardening.adds.clone()) == &hardening.adds
        });
        if !is_settled {
            self.construct(&simple.words.join(" "), Risk::Medium, say::names_command_way_not());
        }
    }
}
