//! Parses shell text into simple commands with tree-sitter's grammar, and checks that the grammar split the words as
//! bash does.

use super::script::{Construct, Joint, Script, Simple};
use super::{characters, measure};
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Risk};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// The maximum length of a text, in bytes.
pub(crate) const MOST_BYTES: usize = 64 * 1024;
/// The maximum nesting that is examined.
const MOST_DEPTH: usize = 64;
/// The maximum number of simple commands that are examined.
const MOST_PARTS: usize = 256;
/// The maximum time for parsing. Only texts that are crafted to be slow come close to it: the limits of `measure`
/// keep other texts well below.
const MOST_TIME: Duration = Duration::from_millis(250);

/// Parses a text. It never fails: text that is not understood is recorded as the script's refusal.
pub(crate) fn parse(text: &str) -> Script {
    parse_within(text, MOST_TIME, false)
}

/// Like [`parse`], for a text that runs only if all of it is harmless regardless of its unknown parts. Texts that are
/// fed to a command, and loops over lines that are read, are then not separate constructs.
pub(crate) fn parse_further(text: &str) -> Script {
    parse_within(text, MOST_TIME, true)
}

fn parse_within(text: &str, most: Duration, further: bool) -> Script {
    let mut reader =
        Reader { text, script: Script::default(), pipelines: 0, depth: 0, loops: Vec::new(), further };
    if text.len() > MOST_BYTES {
        reader.refuse("", Risk::High, say::longer_kib_more_can());
        return reader.script;
    }
    if let Some(what) = characters::deceptive(text) {
        reader.refuse(text, Risk::High, what);
    }
    if measure::breaks_the_parser(text) {
        reader.refuse(text, Risk::High, say::holds_brace_before_letter());
        return reader.script;
    }
    if let Some(what) = measure::too_much(text) {
        reader.refuse(text, Risk::High, say::holds_more(what));
        return reader.script;
    }
    match tree(text, most) {
        Some(tree) => reader.program(&tree),
        None => reader.refuse(text, Risk::High, say::too_tangled_checked()),
    }
    reader.script
}

fn tree(text: &str, most: Duration) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let begun = Instant::now();
    let mut watch = |_: &tree_sitter::ParseState| {
        if begun.elapsed() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    parser.parse_with_options(
        &mut |at, _| bytes.get(at..).unwrap_or_default(),
        None,
        Some(ParseOptions::new().progress_callback(&mut watch)),
    )
}

/// Walks the tree and collects the commands and constructs.
pub(super) struct Reader<'a> {
    text: &'a str,
    pub(super) script: Script,
    pipelines: usize,
    pub(super) depth: usize,
    pub(super) loops: Vec<usize>,
    /// Whether texts that are fed to commands, and loops over input, are judged by the commands alone.
    pub(super) further: bool,
}

/// The context that a statement inherits from its surroundings.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) joint: Joint,
    pub(super) pipeline: Option<usize>,
    pub(super) reads_pipe: bool,
    pub(super) nested: bool,
    /// Whether it is in a group, a condition or a pipe of the innermost loop.
    pub(super) in_part: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn refuse(&mut self, text: &str, risk: Risk, reason: impl Into<Phrase>) {
        let refusal = Construct { text: beginning(text), risk, reason: say::text_is(reason) };
        if self.script.refusal.as_ref().is_none_or(|old| old.risk < risk) {
            self.script.refusal = Some(refusal);
        }
    }

    pub(super) fn construct(&mut self, node: Node<'_>, risk: Risk, reason: impl Into<Phrase>) {
        if self.script.constructs.len() < MOST_PARTS {
            let text = beginning(self.source(node));
            self.script.constructs.push(Construct { text, risk, reason: reason.into() });
        }
    }

    pub(super) fn source(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn program(&mut self, tree: &Tree) {
        let root = tree.root_node();
        if root.has_error() {
            self.refuse(self.text, Risk::Medium, say::not_complete_valid_shell());
        }
        self.account_for_every_byte(root);
        self.statements(root, Place::default());
        if self.script.commands.len() >= MOST_PARTS {
            self.refuse(self.text, Risk::High, say::holds_more_commands_can());
        }
    }

    /// Refuses bytes that the grammar skips: only blanks, line ends and continued lines are allowed between tokens.
    fn account_for_every_byte(&mut self, root: Node<'_>) {
        let mut at = 0_usize;
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let opaque = matches!(
                node.kind(),
                "string"
                    | "raw_string"
                    | "ansi_c_string"
                    | "heredoc_body"
                    | "expansion"
                    | "translated_string"
            );
            if !opaque && cursor.goto_first_child() {
                continue;
            }
            let gap = self.text.get(at..node.start_byte()).unwrap_or_default();
            if node.start_byte() > at && !only_blanks(gap) {
                self.refuse(self.text, Risk::High, say::parts_shell_check_may());
                return;
            }
            if node.kind() == "comment" && !self.begins_a_comment(node) {
                self.refuse(self.text, Risk::High, say::comment_shell_may_take());
                return;
            }
            at = at.max(node.end_byte());
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    if !only_blanks(self.text.get(at..).unwrap_or_default()) {
                        self.refuse(self.text, Risk::High, say::end_not_understood());
                    }
                    return;
                }
            }
        }
    }

    fn begins_a_comment(&self, node: Node<'_>) -> bool {
        let source = self.source(node);
        let before = self.text.as_bytes().get(..node.start_byte()).and_then(<[u8]>::last);
        source.starts_with('#')
            && !source.contains('\n')
            && before.is_none_or(|byte| b" \t\n;".contains(byte))
    }

    /// Enters another level. Returns `false` if there are too many levels or commands.
    pub(super) fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            self.refuse(self.text, Risk::High, say::nested_deeper_can_checked());
            return false;
        }
        self.script.commands.len() < MOST_PARTS
    }

    /// Every statement among the children of a node.
    pub(super) fn statements(&mut self, node: Node<'_>, mut place: Place) {
        if self.enter() {
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                if self.script.commands.len() >= MOST_PARTS {
                    break;
                }
                if child.is_named() {
                    self.statement(child, place);
                    // Only the first statement depends on what precedes the group.
                    place.joint = Joint::Always;
                } else if child.kind() == "&" {
                    self.construct(node, Risk::Medium, say::leaves_command_running_background());
                } else if node.kind() == "program" && !matches!(child.kind(), ";" | "\n") {
                    self.refuse(self.text, Risk::Medium, say::separator_not_valid_there());
                }
            }
        }
        self.depth -= 1;
    }

    pub(super) fn statement(&mut self, node: Node<'_>, place: Place) {
        match node.kind() {
            "comment" | "heredoc_start" | "heredoc_end" | "heredoc_content" | "variable_name" => {}
            "list" => self.list(node, place),
            "pipeline" => self.pipeline(node, place),
            "command"
            | "declaration_command"
            | "unset_command"
            | "test_command"
            | "variable_assignment"
            | "variable_assignments" => self.simple(node, place, &[]),
            "redirected_statement" => self.redirected(node, place),
            "function_definition" => self.function(node, place),
            "negated_command" | "subshell" | "compound_statement" | "if_statement" => {
                if self.source(node).starts_with("((") {
                    self.construct(node, Risk::High, say::evaluates_text_arithmetic_code());
                }
                self.script.is_grouped = true;
                self.inside(node, place);
            }
            "for_statement" => self.for_each(node, place),
            "while_statement" if self.further && self.while_read(node, place).is_some() => {}
            "case_statement" if self.further => self.case(node, place),
            "while_statement" | "c_style_for_statement" | "case_statement" => {
                self.construct(node, Risk::Low, say::uses_control_flow_shell());
                self.inside(node, place);
            }
            "else_clause" | "elif_clause" | "do_group" | "case_item" => self.inside(node, place),
            "command_substitution" | "process_substitution" => self.substitution(node),
            "heredoc_redirect" => self.here_document(node, place),
            "word"
            | "string"
            | "raw_string"
            | "concatenation"
            | "number"
            | "expansion"
            | "simple_expansion"
            | "arithmetic_expansion"
            | "binary_expression"
            | "unary_expression"
            | "postfix_expression"
            | "parenthesized_expression"
            | "ansi_c_string"
            | "brace_expression"
            | "extglob_pattern"
            | "regex"
            | "test_operator"
            | "file_redirect"
            | "herestring_redirect" => self.substitutions_below(node),
            "ERROR" => {
                self.construct(node, Risk::Medium, say::part_not_valid_shell());
                self.inside(node, place);
            }
            _ => {
                self.construct(node, Risk::High, say::part_not_understood());
                self.inside(node, place);
            }
        }
    }

    pub(super) fn inside(&mut self, node: Node<'_>, place: Place) {
        self.statements(node, Place { nested: true, in_part: true, ..place });
    }

    /// Lists nest to the left, with a level per joint, so they are unrolled without recursion.
    fn list(&mut self, node: Node<'_>, place: Place) {
        let mut chain = Vec::new();
        let mut first = node;
        while first.kind() == "list" && chain.len() <= MOST_PARTS {
            let (Some(left), Some(joint), Some(right)) = (first.child(0), first.child(1), first.child(2))
            else {
                break;
            };
            if first.child_count() > 3 {
                self.construct(first, Risk::High, say::part_not_understood());
            }
            chain.push((joint.kind(), right));
            first = left;
        }
        self.statement_one_deeper(first, place);
        for (joint, right) in chain.into_iter().rev() {
            let joint = if joint == "&&" { Joint::AfterSuccess } else { Joint::AfterFailure };
            self.statement_one_deeper(right, Place { joint, ..place });
        }
    }

    pub(super) fn statement_one_deeper(&mut self, node: Node<'_>, place: Place) {
        if self.enter() {
            self.statement(node, place);
        }
        self.depth -= 1;
    }

    fn pipeline(&mut self, node: Node<'_>, place: Place) {
        self.pipelines += 1;
        let pipeline = Some(place.pipeline.unwrap_or(self.pipelines));
        let mut reads_pipe = place.reads_pipe;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement_one_deeper(child, Place { pipeline, reads_pipe, in_part: true, ..place });
            reads_pipe = true;
        }
    }

    fn redirected(&mut self, node: Node<'_>, place: Place) {
        let mut redirects = Vec::new();
        let mut body = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "file_redirect" | "heredoc_redirect" | "herestring_redirect" => redirects.push(child),
                "comment" => {}
                _ => body = Some(child),
            }
        }
        match body {
            Some(body)
                if matches!(
                    body.kind(),
                    "command"
                        | "test_command"
                        | "variable_assignment"
                        | "variable_assignments"
                        | "declaration_command"
                        | "unset_command"
                ) =>
            {
                self.simple(body, place, &redirects);
            }
            // The grammar puts the redirect around the whole of `a | b > x`, but the shell opens the file only for
            // the last command.
            Some(body) if matches!(body.kind(), "pipeline" | "list") && ends_in_command(body) => {
                let constructs = self.script.constructs.len();
                self.statement_one_deeper(body, place);
                // If a word of the last command contains a hidden command, the last command in the list is a
                // different one.
                let is_last = self.script.constructs.len() == constructs;
                let mut last = match self.script.commands.pop() {
                    Some(last) if is_last => last,
                    other => {
                        self.script.commands.extend(other);
                        Simple::default()
                    }
                };
                redirects.iter().for_each(|redirect| self.redirect(*redirect, &mut last));
                self.script.commands.push(last);
                redirects.iter().for_each(|redirect| self.substitutions_below(*redirect));
            }
            Some(body) => {
                self.statement_one_deeper(body, place);
                self.simple_of(None, Place { joint: Joint::Always, ..place }, &redirects);
            }
            None => self.simple_of(None, place, &redirects),
        }
        for redirect in redirects {
            if redirect.kind() == "heredoc_redirect" {
                self.here_document(redirect, place);
            }
        }
    }

    fn substitution(&mut self, node: Node<'_>) {
        self.construct(node, Risk::High, say::runs_command_whose_output_becomes());
        self.statements(node, Place { nested: true, in_part: true, ..Place::default() });
    }

    /// Reads commands hidden in the words below a node.
    pub(super) fn substitutions_below(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut level = 0_usize;
        loop {
            let here = cursor.node();
            let found = matches!(here.kind(), "command_substitution" | "process_substitution");
            if found {
                self.statement_one_deeper(here, Place::default());
            }
            if !found && cursor.goto_first_child() {
                level += 1;
                continue;
            }
            loop {
                if level == 0 {
                    return;
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                cursor.goto_parent();
                level -= 1;
            }
        }
    }

    fn simple(&mut self, node: Node<'_>, place: Place, redirects: &[Node<'_>]) {
        self.simple_of(Some(node), place, redirects);
    }

    pub(super) fn simple_of(&mut self, node: Option<Node<'_>>, place: Place, redirects: &[Node<'_>]) {
        self.pipelines += 1;
        let mut simple = Simple {
            joint: place.joint,
            pipeline: place.pipeline.unwrap_or(self.pipelines),
            reads_pipe: place.reads_pipe,
            plain_place: !place.nested && place.pipeline.is_none(),
            each_round: !place.in_part && !self.loops.is_empty(),
            loops: self.loops.clone(),
            ..Simple::default()
        };
        if let Some(node) = node {
            self.words(node, &mut simple);
        }
        for redirect in redirects {
            self.redirect(*redirect, &mut simple);
        }
        self.script.commands.push(simple);
        if let Some(node) = node {
            self.substitutions_below(node);
        }
        for redirect in redirects {
            if redirect.kind() != "heredoc_redirect" {
                self.substitutions_below(*redirect);
            }
        }
    }
}

/// Whether the rightmost command of pipelines and lists is a simple command.
fn ends_in_command(body: Node<'_>) -> bool {
    let mut last = Some(body);
    while let Some(node) = last.filter(|node| matches!(node.kind(), "pipeline" | "list")) {
        last = u32::try_from(node.named_child_count())
            .ok()
            .and_then(|count| node.named_child(count.checked_sub(1)?));
    }
    last.is_some_and(|node| node.kind() == "command")
}

fn only_blanks(gap: &str) -> bool {
    gap.replace("\\\n", "").chars().all(|c| matches!(c, ' ' | '\t' | '\n'))
}

fn beginning(text: &str) -> String {
    const SHOWN: usize = 200;
    if text.chars().count() <= SHOWN {
        return characters::escaped(text);
    }
    format!("{}…", characters::escaped(&text.chars().take(SHOWN).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_that_is_out_of_time_is_a_refusal() {
        let text = "ls -l a b c d; ".repeat(200);
        let script = parse_within(&text, Duration::ZERO, false);
        let refusal = script.refusal.unwrap();
        assert_eq!(refusal.risk, Risk::High);
        assert!(refusal.reason.contains("too tangled") && script.commands.is_empty(), "{}", refusal.reason);
    }
}
