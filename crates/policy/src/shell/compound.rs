//! Parses the compound parts of shell text: here-documents, functions, loops, and `case`.

use super::parse::{Place, Reader};
use super::script::{Loop, Simple, does_nothing, read_into, read_value};
use deputy_messages::policy as say;
use deputy_protocol::Risk;
use tree_sitter::Node;

fn changes_folder(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|word| word == "cd")
}

impl Reader<'_> {
    pub(super) fn here_document(&mut self, node: Node<'_>, place: Place) {
        if self.runs_commands(node) {
            self.construct(node, Risk::High, say::runs_command_whose_output());
        } else if !self.further {
            self.construct(node, Risk::Low, say::feeds_here_document_command());
        }
        if !self.enter() {
            self.depth -= 1;
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                // In `cat <<EOF | sh`, the grammar puts the rest of the pipeline inside the redirect.
                "pipeline" => {
                    let mut inner = child.walk();
                    for statement in child.named_children(&mut inner) {
                        self.statement(
                            statement,
                            Place { reads_pipe: true, nested: true, in_part: true, ..place },
                        );
                    }
                }
                "heredoc_start" | "heredoc_end" | "comment" | "file_descriptor" => {}
                "heredoc_body" => self.substitutions_below(child),
                "file_redirect" | "herestring_redirect" => self.simple_of(None, place, &[child]),
                "word" | "string" | "raw_string" | "concatenation" | "number" => {
                    self.construct(child, Risk::Medium, say::words_behind_here_document());
                }
                _ => self.statement(child, Place { nested: true, in_part: true, ..place }),
            }
        }
        self.depth -= 1;
    }

    /// Whether the shell would run something in a here-document. The grammar does not recognize backticks there. If
    /// the delimiter is quoted, the text is literal.
    fn runs_commands(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        let mark = parts.find(|part| part.kind() == "heredoc_start").map(|part| self.source(part));
        let quoted = mark.is_some_and(|mark| mark.contains(['\'', '"', '\\']));
        !quoted && ["`", "$(", "$["].iter().any(|sign| self.source(node).contains(sign))
    }

    pub(super) fn function(&mut self, node: Node<'_>, place: Place) {
        let name = node.child_by_field_name("name").map(|name| self.source(name)).unwrap_or_default();
        self.construct(node, Risk::High, say::defines_function_can_stand());
        let from = self.script.commands.len();
        self.inside(node, place);
        let calls_itself =
            self.script.commands[from..].iter().any(|command| command.words.iter().any(|word| word == name));
        self.script.functions.push((name.to_owned(), calls_itself));
    }

    /// Parses `for NAME in WORDS; do …; done`. Names in capitals are refused because they may have a meaning to the
    /// shell or to programs.
    pub(super) fn for_each(&mut self, node: Node<'_>, place: Place) {
        let mut cursor = node.walk();
        let (mut name, mut values, mut body, mut others) = ("", Vec::new(), None, false);
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_name" => name = self.source(child),
                "do_group" => body = Some(child),
                "for" | "in" | ";" | "\n" => {}
                _ if child.is_named() => values.push(self.source(child).to_owned()),
                _ => others = true,
            }
        }
        let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        // An inner loop over the same variable would change the value in the outer loop.
        let is_new = self.loops.iter().all(|at| self.script.loops[*at].name != name);
        let Some(body) = body.filter(|_| is_plain && is_new && !values.is_empty() && !others) else {
            self.construct(node, Risk::Low, say::uses_control_flow_shell());
            return self.inside(node, place);
        };
        self.script.is_grouped = true;
        self.substitutions_below_all(node, body);
        self.loops.push(self.script.loops.len());
        self.script.loops.push(Loop { name: name.to_owned(), values });
        self.rounds(body, place);
        self.loops.pop();
    }

    /// Parses `case WORD in PATTERNS) …;; esac` as its commands, preceded by a command that only evaluates the word.
    /// Only some of the commands run.
    pub(super) fn case(&mut self, node: Node<'_>, place: Place) {
        let Some(subject) = node.child_by_field_name("value") else {
            return self.construct(node, Risk::Low, say::uses_control_flow_shell());
        };
        let words = does_nothing(self.source(subject));
        let ends = vec![subject.end_byte(); words.len()];
        self.script.commands.push(Simple { words, ends, loops: self.loops.clone(), ..Simple::default() });
        self.script.is_grouped = true;
        let from = self.script.commands.len();
        self.inside(node, place);
        if self.script.commands[from..].iter().any(changes_folder) {
            self.construct(node, Risk::Low, say::uses_control_flow_shell());
        }
    }

    /// Parses `while read -r NAME; do …; done`. The values of its variables are unknown. `None` for any other loop.
    pub(super) fn while_read(&mut self, node: Node<'_>, place: Place) -> Option<()> {
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let [keyword, head, semicolon, body] = children.as_slice() else { return None };
        let shape = [keyword.kind(), head.kind(), semicolon.kind(), body.kind()];
        matches!(shape, ["while", "command", ";" | "\n", "do_group"]).then_some(())?;
        let words: Vec<&str> = self.source(*head).split(' ').filter(|word| !word.is_empty()).collect();
        let names = read_into(&words)?;
        let before = self.loops.len();
        // `read` into a single variable stores the line unchanged. With other separators it would split the line.
        let is_whole = names.len() == 1 && matches!(words[0], "read" | "IFS=" | "IFS=''");
        for name in names {
            if let Some(pipeline) = place.pipeline.filter(|_| place.reads_pipe && is_whole) {
                self.script.reads.push((self.script.loops.len(), pipeline));
            }
            self.loops.push(self.script.loops.len());
            self.script.loops.push(Loop { name, values: vec![read_value()] });
        }
        self.script.is_grouped = true;
        self.rounds(*body, Place { reads_pipe: false, pipeline: None, ..place });
        self.loops.truncate(before);
        Some(())
    }

    /// The body of a loop that is known.
    fn rounds(&mut self, body: Node<'_>, place: Place) {
        self.statements(body, Place { nested: true, in_part: false, ..place });
    }

    /// Commands hidden in the words of a loop, outside of its body.
    fn substitutions_below_all(&mut self, node: Node<'_>, body: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.id() != body.id() {
                self.statement(child, Place::default());
            }
        }
    }
}
