//! Judges a text with parts that are known only at run time: `$(…)`, `<(…)`, and lines that are read. It is harmless
//! if the commands that produce these parts are harmless, and if the parts are used in positions that are harmless
//! for any value.
//!
//! This is tried on a text that would otherwise ask, and counts only if every part of the text is allowed: the
//! decision then does not depend on the values of the parts. In all other cases the text is judged as written.

use super::environment::is_hijack;
use super::judge::{Judge, Judgement, is_cd};
use super::parts::UnknownParts;
use super::printed::{Printed, printed};
use crate::Situation;
use crate::shell::captures::{self, Capture, Form};
use crate::shell::parse::parse_further;
use crate::shell::script::Script;
use crate::shell::tokens;
use crate::shell::unknown;
use deputy_protocol::Decision;

/// The maximum nesting of commands within words.
const MOST_DEPTH: usize = 4;

/// A text that is harmless regardless of its unknown parts.
struct Proven {
    judgement: Judgement,
    script: Script,
}

/// Returns the judgment of a text in which every part is allowed. `None` if the text has to be judged as written.
pub(super) fn harmless(situation: &Situation, text: &str) -> Option<Judgement> {
    let is_hijacked = situation.env.iter().any(|(name, _)| is_hijack(name));
    (situation.walls && !is_hijacked && !unknown::holds(text)).then_some(())?;
    let Proven { judgement, script } = prove(situation, text, 0, &mut UnknownParts::default())?;
    // Without another command, a setting or a change of folder is lost when the shell exits, so the text must be
    // meant differently.
    let does_something = script.commands.iter().any(|simple| !simple.words.is_empty() && !is_cd(simple));
    (does_something && !judgement.parts.is_empty()).then_some(judgement)
}

fn prove(situation: &Situation, text: &str, depth: usize, parts: &mut UnknownParts) -> Option<Proven> {
    (depth < MOST_DEPTH && parts.may_look_further()).then_some(())?;
    let reduced = captures::reduce(text)?;
    let script = parse_further(&reduced.text);
    let is_read = script.refusal.is_none()
        && script.constructs.is_empty()
        && script.functions.is_empty()
        && !script.commands.is_empty()
        && tokens::agrees_further(&reduced.text, &script);
    // If commands change the folder, those inside words may run in a different folder.
    let stays = reduced.captures.is_empty() || !script.commands.iter().any(is_cd);
    (is_read && stays).then_some(())?;

    let inner =
        Captured { situation, script: &script, depth, left: reduced.captures.iter().collect() }.all(parts)?;
    (!reduced.text.contains("<<") || parts.knows_all_variables(&reduced.text, &script)).then_some(())?;

    parts.enter(&[]);
    let values = parts.values();
    // The text is never a single command, and no rule covers unknown words.
    let mut judge = Judge { depth: 1, values, unknown: Some(parts.clone()), ..Judge::new(situation) };
    judge.commands(&script, std::slice::from_ref(&situation.cwd));
    judge.together(&script, text);
    let mut judgement = judge.judgement;
    let is_allowed = judgement.parts.iter().all(|part| part.decision == Decision::Allow);
    (is_allowed && !judgement.by_person && judgement.grant.is_none()).then_some(())?;

    judgement.is_steady = false;
    judgement.argv = None;
    judgement.looked_up.clear();
    judgement.rewriting.without_expansions();
    for part in &mut judgement.parts {
        part.text = parts.shown(&part.text);
    }
    for (_, text) in &mut judgement.rewriting.unasked_texts {
        *text = parts.shown(text);
    }
    for (at, inner) in inner {
        let before = judgement.parts.len();
        judgement.parts.extend(inner.parts);
        judgement.argvs.extend(inner.argvs);
        inner.rewriting.shifted_into(&mut judgement.rewriting, at, before);
    }
    Some(Proven { judgement, script })
}

/// The commands in the words of a text. They are checked in the order in which they run: each has access to the
/// variables that were set before it, and to those of the surrounding loops.
struct Captured<'a> {
    situation: &'a Situation,
    script: &'a Script,
    depth: usize,
    left: Vec<&'a Capture>,
}

impl Captured<'_> {
    /// Returns the judgments of all of them, each with its position.
    fn all(mut self, parts: &mut UnknownParts) -> Option<Vec<(usize, Judgement)>> {
        let mut found = Vec::new();
        for (at, simple) in self.script.commands.iter().enumerate() {
            for (depth, index) in simple.loops.iter().enumerate() {
                let values = &self.script.loops.get(*index)?.values;
                parts.enter(&simple.loops[..depth]);
                self.within(values.iter(), &simple.loops[..depth], parts, &mut found)?;
                parts.read_from_pipe(self.situation, self.script, *index, at);
                parts.match_many(self.situation, self.script, *index);
            }
            parts.enter(&simple.loops);
            let redirects = simple.redirects.iter().map(|redirect| &redirect.target);
            let settings = simple.assignments.iter().map(|(_, raw)| raw);
            let words = simple.words.iter().chain(redirects).chain(settings).chain(&simple.fed);
            self.within(words, &simple.loops, parts, &mut found)?;
            parts.define(self.situation, self.script, at)?;
        }
        self.left.is_empty().then_some(found)
    }

    /// Judges those that are in the given raw words.
    fn within<'b>(
        &mut self,
        words: impl Iterator<Item = &'b String> + Clone,
        loops: &[usize],
        parts: &mut UnknownParts,
        found: &mut Vec<(usize, Judgement)>,
    ) -> Option<()> {
        let stands = |capture: &Capture| {
            let variable = format!("${{{}}}", capture.name);
            words.clone().any(|raw| raw.contains(&variable))
        };
        let (here, left) = std::mem::take(&mut self.left).into_iter().partition(|capture| stands(capture));
        self.left = left;
        let here: Vec<&Capture> = here;
        for capture in here {
            let rounds = parts.rounds(self.situation, self.script, loops, &capture.inner)?;
            match capture.form {
                Form::Arithmetic => parts.number(capture, &rounds)?,
                Form::Expansion => parts.expanded(capture, &rounds)?,
                Form::Output | Form::Pipe => {
                    let mut prints: Option<Printed> = None;
                    for round in rounds {
                        let mut inside = parts.inside(&round);
                        let proven = prove(self.situation, &capture.inner, self.depth + 1, &mut inside)?;
                        parts.take_back(inside);
                        let printed = printed(self.situation, &proven.script);
                        prints = Some(match prints {
                            Some(before) => before.or(printed),
                            None => printed,
                        });
                        found.push((capture.at, proven.judgement));
                    }
                    parts.add(self.situation, capture, prints?)?;
                }
            }
        }
        Some(())
    }
}
