//! Judges the parts of a command other than its words: leading assignments, and files that the shell opens for the
//! command.

use super::environment::{is_hijack, names_code};
use super::judge::Judge;
use super::momentary::is_variable;
use super::outside::Reached;
use super::{paths, words};
use crate::floor;
use crate::path::{self, Operation};
use crate::shell::characters::escaped;
use crate::shell::script::Simple;
use crate::shell::unknown::{self, Unknown};
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, PartKind, Risk};

impl Judge<'_> {
    pub(super) fn assignments(&mut self, simple: &Simple, folder: &std::path::Path) {
        for (name, raw) in &simple.assignments {
            // The variable's value is known, or known to be unknown, at each use.
            if simple.words.is_empty() && self.unknown.as_ref().is_some_and(|unknown| unknown.defines(name)) {
                continue;
            }
            let value = words::single_with(self.situation, folder, raw, &self.values);
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.,".contains(c);
            let tame = raw.is_empty()
                || (value.doubts.is_empty() && value.words.iter().all(|word| word.chars().all(plain)));
            let is_zone = |text: &String| {
                text.chars().all(|c| c.is_ascii_alphanumeric() || "_+-/".contains(c))
                    && !text.starts_with('/')
            };
            let zone = name == "TZ"
                && value.literal
                && value.doubts.is_empty()
                && value.words.len() < 2
                && value.words.iter().all(is_zone);
            let locale = zone
                || (name == "LANG" || name == "LC_ALL" || name.starts_with("LC_")) && tame && value.literal;
            if locale && !simple.words.is_empty() {
                continue;
            }
            let of_git = simple.words.first().is_some_and(|word| word == "git") && value.literal;
            if of_git && value.doubts.is_empty() && is_variable(name, &value.words.join(" ")) {
                continue;
            }
            let shown = format!("{name}={raw}");
            if is_hijack(name) || names_code(name, raw) {
                self.construct(&shown, Risk::High, say::sets_changes_what_programs(name));
            } else if let Some((risk, reason)) = value.doubts.iter().max_by_key(|(risk, _)| *risk) {
                self.construct(&shown, *risk, reason.clone());
            } else {
                let risk = if tame { Risk::Medium } else { Risk::High };
                self.construct(&shown, risk, say::sets_may_change_what(name));
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "an arm for each kind of redirect")]
    pub(super) fn redirects(&mut self, simple: &Simple, folder: &std::path::Path) {
        for redirect in &simple.redirects {
            let argv = words::single_with(self.situation, folder, &redirect.target, &self.values);
            let operator = redirect.operator.as_str();
            let [target] = argv.words.as_slice() else {
                self.construct(&redirect.target, Risk::Medium, say::redirects_something_not_one());
                continue;
            };
            self.judgement.is_steady &= argv.literal;
            let duplicates = matches!(operator, ">&" | "<&")
                && target.bytes().all(|byte| byte.is_ascii_digit())
                && !target.is_empty();
            let writes = operator.contains('>');
            if let Some((risk, reason)) = argv.doubts.iter().max_by_key(|(risk, _)| *risk) {
                self.construct(&format!("{operator} {}", redirect.target), *risk, reason.clone());
                if target.is_empty() {
                    // The target is unknown, as the construct says, so there is no path to judge.
                    self.judgement.needs = self.judgement.needs.max(writes.then_some(Confinement::Workspace));
                    continue;
                }
            } else if target == "/dev/null"
                || (writes && (duplicates || paths::is_output(target)))
                || operator == "<" && (paths::is_public(target) || paths::is_input(target))
            {
                continue;
            }
            if operator == "<"
                && let Some(touches) =
                    self.unknown.as_ref().and_then(|unknown| unknown.read(&simple.words, target))
            {
                // The target is a name that a search finds.
                let parts = touches.iter().filter_map(|touch| paths::touched(self.situation, folder, touch));
                self.judgement.parts.extend(parts);
                continue;
            }
            if unknown::marks(target).any(|mark| mark.unknown != Unknown::Pipe || operator != "<") {
                self.construct(&redirect.target, Risk::Medium, say::word_known_only_when_runs());
                continue;
            }
            if target.starts_with("/dev/tcp") || target.starts_with("/dev/udp") {
                self.construct(target, Risk::High, say::opens_connection_another_machine());
            } else if floor::is_raw_disk(target) && writes {
                self.part(
                    PartKind::Write,
                    escaped(target),
                    Decision::Deny,
                    Risk::High,
                    deputy_messages::policy::writes_raw_disk(target),
                );
            } else {
                let operation = if writes { Operation::Write } else { Operation::Read };
                let mut part = path::judge_from(self.situation, folder, operation, target);
                // `<>` also opens the file for reading.
                let real = path::real(self.situation, folder, target).filter(|_| operator != "<>");
                if let Some(real) = real {
                    part = paths::written(self.situation, operation, &real, part);
                }
                // A rule covers the command, but never a file that the shell writes for it.
                if writes && part.decision != Decision::Allow {
                    if let Some(reason) = paths::raised(self.situation, &part) {
                        part.risk = Risk::High;
                        part.reason = reason;
                    }
                    part.decision = part.decision.max(Decision::Ask);
                    let mut needs = Confinement::Workspace;
                    if let Some(real) =
                        path::real(self.situation, folder, target).filter(|_| argv.doubts.is_empty())
                    {
                        let mut reached = Reached::default();
                        reached.write(self.situation, &real, false);
                        if reached.needs_open {
                            needs = Confinement::Open;
                            part.risk = Risk::High;
                        }
                        self.judgement.reached.extend(reached);
                    }
                    self.judgement.needs = self.judgement.needs.max(Some(needs));
                } else if part.decision == Decision::Ask
                    && let Some(real) =
                        path::real(self.situation, folder, target).filter(|_| argv.doubts.is_empty())
                {
                    self.judgement.reached.read(self.situation, real);
                }
                self.judgement.parts.push(part);
            }
        }
    }
}
