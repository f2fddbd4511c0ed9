//! Collects the words, assignments and redirects of a simple command as they are written in the text.

use super::parse::{Place, Reader};
use super::script::{Joint, Redirect, Simple, as_tests, expression};
use super::tokens::braced;
use deputy_messages::policy as say;
use deputy_protocol::Risk;
use tree_sitter::Node;

/// The maximum number of conditions in a `[[ … ]]`.
const MOST_CONDITIONS: usize = 16;

impl Reader<'_> {
    pub(super) fn words(&mut self, node: Node<'_>, simple: &mut Simple) {
        if node.kind() == "variable_assignment" {
            return self.assignment(node, simple);
        }
        if node.kind() == "test_command" {
            return self.test(node, simple);
        }
        let mut end_of_word = None;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let joined = end_of_word == Some(child.start_byte());
            match child.kind() {
                "variable_assignment" if node.kind() != "declaration_command" => {
                    self.assignment(child, simple)
                }
                "file_redirect" | "herestring_redirect" => {
                    if joined && self.source(child).starts_with(|c: char| c.is_ascii_digit()) {
                        self.refuse(self.source(node), Risk::High, say::word_shell_may_split());
                    }
                    self.redirect(child, simple);
                }
                "comment" => {}
                "subshell" => {
                    self.construct(child, Risk::High, say::part_not_understood());
                    self.inside(child, Place::default());
                }
                _ => {
                    if joined {
                        self.refuse(self.source(node), Risk::High, say::word_shell_may_split());
                    }
                    simple.words.push(self.source(child).to_owned());
                    simple.ends.push(child.end_byte());
                    end_of_word = Some(child.end_byte());
                }
            }
        }
    }

    fn assignment(&mut self, node: Node<'_>, simple: &mut Simple) {
        let source = self.source(node);
        let (name, value) = source.split_once('=').unwrap_or((source, ""));
        simple.assignments.push((name.trim_end_matches('+').to_owned(), value.to_owned()));
    }

    /// Reads `[ … ]` as an ordinary command. Its words are split at blanks, and everything except plain words is
    /// refused.
    fn test(&mut self, node: Node<'_>, simple: &mut Simple) {
        let source = self.source(node);
        if self.further
            && let Some(inner) = source.strip_prefix("[[ ").and_then(|rest| rest.strip_suffix(" ]]"))
            && let Some(words) = split_words(inner, true)
            && let Some(tests) = as_tests(words)
            && tests.len() <= MOST_CONDITIONS
        {
            let around = Simple { joint: Joint::Always, words: Vec::new(), ..simple.clone() };
            for (joint, words) in tests {
                if joint != Joint::Always {
                    let before = std::mem::replace(simple, Simple { joint, ..around.clone() });
                    self.script.commands.push(before);
                }
                simple.words = words;
                simple.ends = vec![node.end_byte(); simple.words.len()];
            }
            return;
        }
        if source.starts_with("[[") || !source.starts_with("[ ") || !source.ends_with(" ]") {
            self.construct(node, Risk::High, say::evaluates_expression_shell_can());
            simple.words.push("[[".to_owned());
            return;
        }
        match split_words(source, false) {
            Some(words) => simple.words = words,
            None => {
                self.construct(node, Risk::Medium, say::tests_expression_not_understood());
                simple.words.push("[[".to_owned());
            }
        }
    }

    /// Records the text that a command is fed with: the word of a here-string or the lines of a here-document.
    fn fed(&self, node: Node<'_>, simple: &mut Simple) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let text = self.source(child);
            match (node.kind(), child.kind()) {
                ("herestring_redirect", kind) if kind != "file_descriptor" => {
                    simple.fed.push(text.to_owned())
                }
                // The lines are stored as a single quoted word. The meaning of quotes inside them is irrelevant to
                // the caller.
                (_, "heredoc_body") => simple.fed.push(format!("'{}'", text.replace('\'', "`"))),
                _ => {}
            }
        }
    }

    pub(super) fn redirect(&mut self, node: Node<'_>, simple: &mut Simple) {
        if matches!(node.kind(), "heredoc_redirect" | "herestring_redirect") {
            simple.reads_inline = true;
            self.fed(node, simple);
            if node.kind() == "herestring_redirect" && !self.further {
                self.construct(node, Risk::Low, say::feeds_text_command());
            }
            return;
        }
        let mut operator = String::new();
        let mut targets = Vec::new();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if child.kind() == "file_descriptor" {
                continue;
            }
            if child.is_named() {
                targets.push(self.source(child).to_owned());
            } else {
                operator.push_str(child.kind());
            }
        }
        // The grammar takes words after a target for further targets. Bash takes them for arguments.
        let mut targets = targets.into_iter();
        simple.reads_inline |= operator == "<";
        simple.redirects.push(Redirect { operator, target: targets.next().unwrap_or_default() });
        simple.words.extend(targets);
    }
}

/// Whether a plain variable name can start with the character.
fn names_a_variable(c: &char) -> bool {
    c.is_ascii_alphabetic() || *c == '_'
}

/// Splits a text at unquoted blanks, with `&&` and `||` as words between conditions. `None` if the text ends inside a
/// quote, contains a line end, or contains expansions other than plain variables.
fn split_words(source: &str, joined: bool) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = source.chars().peekable();
    loop {
        if joined
            && word.is_empty()
            && words.last().is_some_and(|word| word == "=~")
            && let Some(text) = expression(&mut chars)
        {
            words.push(text);
            continue;
        }
        let Some(c) = chars.next() else { break };
        match c {
            ' ' | '\t' if word.is_empty() => {}
            ' ' | '\t' => words.push(std::mem::take(&mut word)),
            '$' if chars.peek().is_some_and(names_a_variable) => word.push(c),
            // The end of a regular expression.
            '$' if joined && chars.peek().is_none_or(|c| *c == ' ') => word.push(c),
            '$' if chars.peek() == Some(&'{') => braced(&mut chars, &mut word)?,
            '&' | '|' if joined && chars.next_if_eq(&c).is_some() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                words.push(format!("{c}{c}"));
            }
            '\n' | '`' | '$' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => return None,
            '\\' => {
                word.push(c);
                word.push(chars.next()?);
            }
            '\'' | '"' => {
                word.push(c);
                loop {
                    let inner = chars.next()?;
                    if c == '"' && inner == '$' && chars.peek() == Some(&'{') {
                        braced(&mut chars, &mut word)?;
                        continue;
                    }
                    word.push(inner);
                    let is_variable = inner == '$' && chars.peek().is_some_and(names_a_variable);
                    if c == '"' && matches!(inner, '\\' | '$' | '`') && !is_variable {
                        return None;
                    }
                    if inner == c {
                        break;
                    }
                }
            }
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    Some(words)
}
