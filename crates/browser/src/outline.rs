//! Formats a page as a short outline of its text and its interactive elements, line by line, from the browser's
//! accessibility tree. Interactive elements have references.

use crate::node::{Node, short};
use crate::words::{cut, cut_line, push_word, quoted};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The maximum length of a name and of a text in a line, in characters.
const MOST_NAME: usize = 120;
const MOST_TEXT: usize = 400;
/// The maximum indentation depth. Pages nest deeper than readers follow.
const DEEPEST: usize = 12;
/// The maximum number of text pieces in a clickable element.
const MOST_TEXTS: usize = 4;
/// The maximum number of entries shown of a list.
const MOST_CHOICES: usize = 25;

/// A document of the page, and the documents in its frames by the element that contains each.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// The session that knows its nodes.
    pub(crate) session: String,
    /// The id of its frame.
    pub(crate) frame: String,
    /// The origin, if the document is in a frame.
    pub(crate) origin: Option<String>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) frames: HashMap<i64, Document>,
    /// Nodes that look clickable although their role does not say so.
    pub(crate) reacting: HashSet<i64>,
    /// Nodes that listen for clicks. Some do so on behalf of their content.
    pub(crate) listening: HashSet<i64>,
    /// Names from the page's source for nodes without text.
    pub(crate) hints: HashMap<i64, String>,
}

impl Document {
    /// Returns the title.
    pub(crate) fn title(&self) -> String {
        self.nodes.iter().find(|node| node.parent_id.is_none()).map(Node::name).unwrap_or_default()
    }

    /// Returns interactive nodes without text, such as buttons that are images.
    pub(crate) fn wordless(&self) -> Vec<i64> {
        let walk = Walk::new(self);
        let is_one = |node: &&Node| {
            let backend = node.backend.unwrap_or_default();
            let is_for_acting = node.is_for_acting() && !node.is_written();
            let is_clicked = self.reacting.contains(&backend) || self.listening.contains(&backend);
            is_for_acting && node.name().is_empty() || is_clicked && walk.text(node).is_empty()
        };
        self.nodes.iter().filter(is_one).filter_map(|node| node.backend).collect()
    }
}

/// An interactive element that was found.
pub(crate) struct Found<'a> {
    pub(crate) document: &'a Document,
    pub(crate) backend: i64,
    pub(crate) role: &'a str,
    pub(crate) name: &'a str,
}

/// Writes outlines. `refer` assigns references.
pub(crate) struct Writer<'a> {
    pub(crate) refer: &'a mut dyn FnMut(Found<'_>) -> u32,
    pub(crate) lines: Vec<String>,
    /// The origins of frames, each with its range of lines. Inner frames come before the frames that contain them.
    pub(crate) frames: Vec<(String, Range<usize>)>,
}

struct Walk<'d> {
    document: &'d Document,
    by_id: HashMap<&'d str, &'d Node>,
    /// The names of interactive elements. A label next to an element with the same text is redundant.
    names: HashSet<String>,
}

impl Writer<'_> {
    pub(crate) fn document(&mut self, document: &Document, depth: usize) {
        let walk = Walk::new(document);
        for root in document.nodes.iter().filter(|node| node.parent_id.is_none()) {
            self.children(&walk, root, depth, "");
        }
    }

    fn children(&mut self, walk: &Walk<'_>, node: &Node, depth: usize, said: &str) {
        for child in node.child_ids.iter().filter_map(|id| walk.by_id.get(id.as_str())) {
            self.node(walk, child, depth, said);
        }
    }

    fn line(&mut self, depth: usize, text: String) {
        let text = text.trim_end();
        if !text.is_empty() {
            self.lines.push(format!("{}{text}", " ".repeat(depth.min(DEEPEST))));
        }
    }

    /// Writes a node. `said` is the text that the line above already contains.
    #[expect(clippy::too_many_lines, reason = "a case for each kind of node")]
    fn node(&mut self, walk: &Walk<'_>, node: &Node, depth: usize, said: &str) {
        let role = node.role();
        if node.is_plain() {
            if let Some(reference) = self.reaction(walk, node) {
                let text = walk.text(node);
                if !text.is_empty() || node.child_ids.is_empty() {
                    let line = walk.clickable(node, &text, reference);
                    self.line(depth, line);
                    return self.acting_below(walk, node, depth + 1);
                }
            }
            return self.children(walk, node, depth, said);
        }
        let name = node.name();
        match role {
            "LabelText" => {
                let text = walk.text(node);
                if !walk.names.contains(&text) && !text.is_empty() && !said.contains(&text) {
                    return self.block(walk, node, depth, "");
                }
                self.acting_below(walk, node, depth);
            }
            "InlineTextBox" | "LineBreak" | "ListMarker" => {}
            "StaticText" => {
                if !name.is_empty() && !said.contains(&name) {
                    self.line(depth, cut(&name, MOST_TEXT));
                }
            }
            "heading" => {
                let level = node.property("level").and_then(Value::as_u64).unwrap_or(2).clamp(1, 6);
                self.line(depth, format!("{} {}", "#".repeat(level as usize), cut(&name, MOST_NAME)));
                self.acting_below(walk, node, depth + 1);
            }
            "paragraph"
            | "listitem"
            | "DescriptionListTerm"
            | "blockquote"
            | "code"
            | "caption"
            | "Legend"
            | "Figcaption" => {
                let mark = if role == "listitem" { "- " } else { "" };
                if let Some(reference) = self.reaction(walk, node) {
                    let line = walk.clickable(node, &walk.text(node), reference);
                    self.line(depth, format!("{mark}{line}"));
                    return self.acting_below(walk, node, depth + 1);
                }
                self.block(walk, node, depth, mark);
            }
            "row" => self.row(walk, node, depth),
            "Iframe" => {
                self.line(depth, format!("frame {}", quoted(&name)));
                if let Some(inner) = node.backend.and_then(|backend| walk.document.frames.get(&backend)) {
                    let begins = self.lines.len();
                    self.document(inner, depth + 1);
                    let origin = inner.origin.clone().unwrap_or_default();
                    self.frames.push((origin, begins..self.lines.len()));
                }
            }
            "img" | "image" | "SvgRoot" | "Video" | "Audio" | "Canvas" => {
                if !name.is_empty() && !said.contains(&name) || role == "Canvas" {
                    let kind = if role == "img" { "image" } else { role };
                    self.line(depth, format!("{} {}", kind.to_lowercase(), quoted(&cut(&name, MOST_NAME))));
                }
                self.acting_below(walk, node, depth + 1);
            }
            _ if node.is_for_acting() => {
                let line = self.piece(walk, node);
                self.line(depth, line);
                if !matches!(short(role), "combobox" | "textbox" | "searchbox") {
                    self.acting_below(walk, node, depth + 1);
                }
            }
            "dialog" | "alertdialog" | "alert" | "form" | "navigation" | "table" | "grid" | "tablist"
            | "menu" | "tree" | "toolbar" | "status" | "search" | "group" | "radiogroup" | "list"
                if !name.is_empty() || matches!(role, "dialog" | "alertdialog" | "alert" | "navigation") =>
            {
                self.line(depth, format!("{role} {}", quoted(&cut(&name, MOST_NAME))));
                self.children(walk, node, depth + 1, "");
            }
            _ => self.children(walk, node, depth, said),
        }
    }

    /// Writes a paragraph or a list entry: a single line with its content, if that is short.
    fn block(&mut self, walk: &Walk<'_>, node: &Node, depth: usize, mark: &str) {
        let mut inline = String::new();
        let mut rest = Vec::new();
        self.inline(walk, node, &mut inline, &mut rest);
        let has_line = !inline.trim().is_empty();
        self.line(depth, format!("{mark}{}", cut_line(inline.trim(), MOST_TEXT)));
        for child in rest {
            self.node(walk, child, depth + usize::from(has_line), "");
        }
    }

    /// Collects what fits on a line. The rest gets separate lines.
    fn inline<'d>(&mut self, walk: &Walk<'d>, node: &Node, line: &mut String, rest: &mut Vec<&'d Node>) {
        for child in node.child_ids.iter().filter_map(|id| walk.by_id.get(id.as_str())) {
            let role = child.role();
            let is_plain = child.ignored
                || matches!(
                    role,
                    "generic"
                        | "none"
                        | "strong"
                        | "emphasis"
                        | "code"
                        | "LabelText"
                        | "paragraph"
                        | "Abbr"
                        | "time"
                        | "mark"
                        | "superscript"
                        | "subscript"
                        | "insertion"
                        | "deletion"
                );
            if !rest.is_empty() {
                rest.push(child);
            } else if role == "StaticText" {
                push_word(line, &child.name());
            } else if is_plain && self.reaction(walk, child).is_none() {
                self.inline(walk, child, line, rest);
            } else if child.is_for_acting() {
                let piece = self.piece(walk, child);
                push_word(line, &piece);
            } else if !matches!(role, "InlineTextBox" | "LineBreak" | "ListMarker") {
                rest.push(child);
            }
        }
    }

    fn row(&mut self, walk: &Walk<'_>, node: &Node, depth: usize) {
        let cells: Vec<String> = walk.below(node).map(|cell| cut(&walk.text(cell), MOST_NAME)).collect();
        self.line(depth, format!("| {}", cells.join(" | ")));
        self.acting_below(walk, node, depth + 1);
    }

    /// Writes the interactive elements inside a node whose text is already on its line.
    fn acting_below(&mut self, walk: &Walk<'_>, node: &Node, depth: usize) {
        for child in node.child_ids.iter().filter_map(|id| walk.by_id.get(id.as_str())) {
            let reaction = self.reaction(walk, child);
            if child.is_for_acting() {
                let line = self.piece(walk, child);
                self.line(depth, line);
            } else if let Some(reference) = reaction {
                let line = walk.clickable(child, &walk.text(child), reference);
                self.line(depth, line);
                self.acting_below(walk, child, depth + 1);
            } else if child.role() == "Iframe" {
                self.node(walk, child, depth, "");
            } else {
                self.acting_below(walk, child, depth);
            }
        }
    }

    fn reaction(&mut self, walk: &Walk<'_>, node: &Node) -> Option<u32> {
        let backend = node.backend.filter(|backend| {
            let document = walk.document;
            document.reacting.contains(backend)
                || document.listening.contains(backend) && !node.is_for_acting() && walk.is_small(node)
        })?;
        let name = cut(&walk.text(node), MOST_NAME);
        Some((self.refer)(Found { document: walk.document, backend, role: "clickable", name: &name }))
    }

    /// Formats an interactive element: role, name, reference, state.
    fn piece(&mut self, walk: &Walk<'_>, node: &Node) -> String {
        let (role, name) = (short(node.role()), cut(&node.name(), MOST_NAME));
        let hint = if name.is_empty() { walk.hint(node) } else { quoted(&name) };
        let mut piece = format!("{role} {hint}").trim_end().to_owned();
        if let Some(backend) = node.backend {
            let found = Found { document: walk.document, backend, role, name: &name };
            piece.push_str(&format!(" e{}", (self.refer)(found)));
        }
        if let Some(value) = node.value().filter(|value| !value.is_empty() && *value != name) {
            piece.push_str(&format!(" = {}", quoted(&cut(&value, MOST_TEXT))));
        }
        for (property, word) in [
            ("checked", "checked"),
            ("pressed", "pressed"),
            ("selected", "selected"),
            ("disabled", "disabled"),
            ("readonly", "read-only"),
            ("required", "required"),
            ("invalid", "invalid"),
        ] {
            if node.is(property) {
                piece.push_str(&format!(" {word}"));
            }
        }
        match node.property("expanded").and_then(Value::as_bool) {
            Some(true) => piece.push_str(" expanded"),
            Some(false) if role != "combobox" => piece.push_str(" collapsed"),
            _ => {}
        }
        if role == "combobox" || role == "listbox" {
            let choices: Vec<String> = walk.choices(node);
            if !choices.is_empty() {
                let shown = choices.iter().take(MOST_CHOICES).cloned().collect::<Vec<_>>().join(" | ");
                let more = choices.len().saturating_sub(MOST_CHOICES);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                piece.push_str(&format!(" ({shown}{more})"));
            }
        }
        piece
    }
}

impl<'d> Walk<'d> {
    fn new(document: &'d Document) -> Self {
        let by_id = document.nodes.iter().map(|node| (node.node_id.as_str(), node)).collect();
        let acted_on = document.nodes.iter().filter(|node| node.is_for_acting());
        Self { document, by_id, names: acted_on.map(Node::name).collect() }
    }

    /// Formats the line of an element that is clickable although its role does not say so.
    fn clickable(&self, node: &Node, text: &str, reference: u32) -> String {
        let hint = if text.is_empty() { self.hint(node) } else { String::new() };
        let name = quoted(&cut(text, MOST_NAME));
        ["clickable", &name, &hint, &format!("e{reference}")]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns a hint for a node without text.
    fn hint(&self, node: &Node) -> String {
        let hint = node.backend.and_then(|backend| self.document.hints.get(&backend));
        hint.map(|hint| format!("({hint})")).unwrap_or_default()
    }

    /// Returns whether the node is a single clickable element. A listener high up in the page serves many elements.
    fn is_small(&self, node: &Node) -> bool {
        let mut open: Vec<&Node> = self.below(node).collect();
        let mut texts = 0;
        while let Some(node) = open.pop() {
            let listens = node.backend.is_some_and(|backend| {
                self.document.listening.contains(&backend) || self.document.reacting.contains(&backend)
            });
            texts += usize::from(node.role() == "StaticText");
            if listens || node.is_for_acting() || texts > MOST_TEXTS || node.is_block() {
                return false;
            }
            open.extend(self.below(node));
        }
        true
    }
    fn below(&self, node: &'d Node) -> impl Iterator<Item = &'d Node> {
        node.child_ids.iter().filter_map(|id| self.by_id.get(id.as_str()).copied())
    }

    /// Returns the whole text of a node.
    fn text(&self, node: &Node) -> String {
        let mut text = String::new();
        let mut open: Vec<&Node> = vec![node];
        while let Some(node) = open.pop() {
            if matches!(node.role(), "StaticText" | "img" | "image")
                || node.is_for_acting() && !node.is_written()
            {
                push_word(&mut text, &node.name());
            } else if !node.is_written() {
                open.extend(
                    node.child_ids.iter().rev().filter_map(|id| self.by_id.get(id.as_str()).copied()),
                );
            }
        }
        text
    }

    fn choices(&self, node: &Node) -> Vec<String> {
        let mut choices = Vec::new();
        let mut open: Vec<&Node> = vec![node];
        while let Some(node) = open.pop() {
            if matches!(node.role(), "option" | "MenuListOption") {
                choices.push(cut(&node.name(), 60));
            }
            open.extend(node.child_ids.iter().rev().filter_map(|id| self.by_id.get(id.as_str()).copied()));
        }
        choices
    }
}
