//! A second, independent parser of plain shell text. The grammar must agree with it word for word.
//!
//! In places, the grammar interprets a continued line, a line end, or a digit before a redirect differently from
//! bash. This parser supports only words, separators and redirects, and simple groups and loops. It gives up on
//! anything else, and the text is then not plain.

mod further;

use super::script::{Joint, Loop, Redirect, Script};
use super::word::{PLAIN_ESCAPES, braced_name};
use further::{patterns, tests};
use std::iter::Peekable;
use std::str::Chars;

/// A simple command as parsed here.
#[derive(Debug, Default, PartialEq, Eq)]
struct Command {
    /// The raw words, including assignments.
    words: Vec<String>,
    /// The operators and raw targets.
    redirects: Vec<(String, String)>,
    /// The separator before the command.
    separator: String,
}

/// The commands and loops of a text.
#[derive(Debug, Default)]
struct Text {
    commands: Vec<Command>,
    loops: Vec<Loop>,
    /// The groups that are open.
    open: Vec<Group>,
    /// Whether a group has just ended. In that case only redirects, separators and further ends may follow.
    has_closed: bool,
    /// Whether texts that are fed to commands, and loops over input, are supported.
    further: bool,
    /// The here-documents that begin at the next line end: the delimiter, whether the text is literal, and whether
    /// leading tabs are stripped.
    here: Vec<(String, bool, bool)>,
}

/// The type of a group and the part that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Parenthesis,
    Brace,
    Condition,
    Then,
    Else,
    LoopHead,
    Body,
    Case,
}

/// Whether this parser finds the same commands, words, redirects and loops as the grammar.
pub(crate) fn agrees(text: &str, script: &Script) -> bool {
    agree(read(text, false), script)
}

/// Like [`agrees`], for texts parsed with [`super::parse::parse_further`].
pub(crate) fn agrees_further(text: &str, script: &Script) -> bool {
    agree(read(text, true), script)
}

fn agree(read: Option<Text>, script: &Script) -> bool {
    let Some(Text { commands, loops, .. }) = read else { return false };
    let same_command = |(read, parsed): (&Command, &super::script::Simple)| {
        let assignments = parsed.assignments.iter().map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = assignments.chain(parsed.words.iter().cloned()).collect();
        let redirects =
            parsed.redirects.iter().map(|Redirect { operator, target }| (operator.clone(), target.clone()));
        let joint = match read.separator.as_str() {
            "&&" => parsed.joint == Joint::AfterSuccess,
            "||" => parsed.joint == Joint::AfterFailure,
            "|" | "|&" => true,
            _ => parsed.joint == Joint::Always,
        };
        joint && read.words == words && redirects.eq(read.redirects.iter().cloned())
    };
    commands.len() == script.commands.len()
        && commands.iter().zip(&script.commands).all(same_command)
        && loops == script.loops
}

#[expect(clippy::too_many_lines, reason = "an arm for each character of the grammar")]
fn read(text: &str, further: bool) -> Option<Text> {
    let mut rest = text.chars().peekable();
    let mut text = Text { further, ..Text::default() };
    let mut command = Command::default();
    while let Some(&c) = rest.peek() {
        match c {
            ' ' | '\t' => {
                rest.next();
            }
            '#' => while rest.next_if(|c| *c != '\n').is_some() {},
            '\n' | ';' | '&' | '|' => {
                let operator = operator(&mut rest);
                match operator.as_str() {
                    "\n" | ";" | "&&" | "||" | "|" | "|&" => {
                        // After a group, the separator joins the next command to the group.
                        if text.has_closed && command.is_empty() {
                            command.separator.clear();
                        }
                        let ends_line = operator == "\n";
                        end(&mut command, operator, &mut text.commands);
                        text.has_closed = false;
                        if ends_line {
                            text.bodies(&mut rest)?;
                        }
                    }
                    "&>" | "&>>" => redirect(operator, &mut rest, &mut command)?,
                    ";;" if text.open.last() == Some(&Group::Case) => {
                        end(&mut command, String::new(), &mut text.commands);
                        text.has_closed = false;
                        patterns(&mut rest)?;
                    }
                    _ => return None,
                }
            }
            '<' | '>' => {
                let operator = operator(&mut rest);
                if operator == "<<" && text.further {
                    text.feed(&mut rest)?;
                } else {
                    redirect(operator, &mut rest, &mut command)?;
                }
            }
            '(' if command.is_empty() && !text.has_closed => {
                rest.next();
                if rest.peek() == Some(&'(') {
                    return None;
                }
                text.open.push(Group::Parenthesis);
            }
            ')' => {
                rest.next();
                end(&mut command, String::new(), &mut text.commands);
                text.close(Group::Parenthesis)?;
            }
            '(' | '`' => return None,
            _ => {
                let word = word(&mut rest)?;
                let describes = rest.peek().is_some_and(|c| matches!(c, '<' | '>'));
                if describes && word.bytes().all(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                if describes && word.ends_with('}') {
                    return None;
                }
                if word == "[[" && command.is_empty() && text.further && !text.has_closed {
                    for (joint, words) in tests(&mut rest)? {
                        match joint {
                            Joint::Always => {}
                            Joint::AfterSuccess => end(&mut command, "&&".to_owned(), &mut text.commands),
                            Joint::AfterFailure => end(&mut command, "||".to_owned(), &mut text.commands),
                        }
                        command.words = words;
                    }
                    continue;
                }
                // The rest of a continued line outside words.
                if word.is_empty() || (command.is_empty() && text.reserved(&word, &mut rest)?) {
                    continue;
                }
                if text.has_closed {
                    return None;
                }
                command.words.push(word);
            }
        }
    }
    end(&mut command, String::new(), &mut text.commands);
    (text.open.is_empty() && text.here.is_empty()).then_some(text)
}

impl Text {
    /// Handles a word at the start of a command if the shell reserves it. `None` if the word is misplaced or not
    /// supported.
    fn reserved(&mut self, word: &str, rest: &mut Peekable<Chars<'_>>) -> Option<bool> {
        match word {
            "!" if !self.has_closed => {}
            "{" if !self.has_closed => self.open.push(Group::Brace),
            "if" if !self.has_closed => self.open.push(Group::Condition),
            "for" if !self.has_closed => self.for_each(rest)?,
            "while" if !self.has_closed && self.further => self.while_read(rest)?,
            "}" => self.close(Group::Brace)?,
            "then" => self.turn(Group::Condition, Group::Then)?,
            "elif" => self.turn(Group::Then, Group::Condition)?,
            "else" => self.turn(Group::Then, Group::Else)?,
            "do" => self.turn(Group::LoopHead, Group::Body)?,
            "done" => self.close(Group::Body)?,
            "fi" => {
                let last = *self.open.last()?;
                self.close(if last == Group::Then { Group::Then } else { Group::Else })?;
            }
            "case" if !self.has_closed && self.further => {
                self.case(rest)?;
            }
            "esac" => self.close(Group::Case)?,
            "!" | "{" | "if" | "for" | "while" | "until" | "case" | "select" | "function" | "coproc"
            | "[[" | "in" => return None,
            _ => return Some(false),
        }
        Some(true)
    }

    fn close(&mut self, group: Group) -> Option<()> {
        self.has_closed = true;
        (self.open.pop()? == group).then_some(())
    }

    fn turn(&mut self, from: Group, to: Group) -> Option<()> {
        self.has_closed = false;
        let last = self.open.last_mut().filter(|last| **last == from)?;
        *last = to;
        Some(())
    }

    /// Reads `NAME in WORDS` up to the end of the line or a semicolon.
    fn for_each(&mut self, rest: &mut Peekable<Chars<'_>>) -> Option<()> {
        let mut words = Vec::new();
        loop {
            while rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
            match rest.peek()? {
                ';' | '\n' => break,
                '&' | '|' | '<' | '>' | '(' | ')' | '#' => return None,
                _ => words.push(word(rest)?),
            }
        }
        rest.next();
        if words.iter().any(String::is_empty) || words.get(1).map(String::as_str) != Some("in") {
            return None;
        }
        let values = words.split_off(2);
        self.loops.push(Loop { name: words.swap_remove(0), values });
        self.open.push(Group::LoopHead);
        Some(())
    }
}

impl Command {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.redirects.is_empty()
    }
}

fn end(command: &mut Command, separator: String, commands: &mut Vec<Command>) {
    if command.is_empty() {
        // An empty line does not change how the next command is joined.
        if command.separator.is_empty() {
            command.separator = separator;
        }
        return;
    }
    commands.push(std::mem::replace(command, Command { separator, ..Command::default() }));
}

/// Reads the longest operator of bash that begins here.
fn operator(rest: &mut Peekable<Chars<'_>>) -> String {
    const OPERATORS: &[&str] = &[
        "\n", ";", ";;", "&", "&&", "&>", "&>>", "|", "||", "|&", "<", "<<", "<&", "<>", "<(", ">", ">>",
        ">&", ">|", ">(",
    ];
    let mut operator = String::new();
    while let Some(&c) = rest.peek() {
        let longer = format!("{operator}{c}");
        if !OPERATORS.contains(&longer.as_str()) {
            break;
        }
        operator = longer;
        rest.next();
    }
    operator
}

fn redirect(operator: String, rest: &mut Peekable<Chars<'_>>, command: &mut Command) -> Option<()> {
    if !matches!(operator.as_str(), "<" | ">" | ">>" | "&>" | "&>>" | ">&" | "<&" | ">|") {
        return None;
    }
    while rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    if rest.peek().is_none_or(|c| "\n;&|<>()#`".contains(*c)) {
        return None;
    }
    let target = word(rest)?;
    // A number before the next redirect belongs to that redirect.
    if rest.peek().is_some_and(|c| matches!(c, '<' | '>')) && target.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    command.redirects.push((operator, target));
    Some(())
}

/// Reads a raw word. `None` if it may contain code, or if a line continues in the middle of it.
fn word(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(&c) = rest.peek() {
        if matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')') {
            break;
        }
        rest.next();
        match c {
            '\\' => match rest.next()? {
                // A line may continue between words. Within a word, the parsers differ.
                '\n' if word.is_empty() || rest.peek().is_some_and(|c| matches!(c, ' ' | '\t')) => {
                    return Some(word);
                }
                '\n' => return None,
                escaped => word.extend(['\\', escaped]),
            },
            '\'' => {
                word.push(c);
                loop {
                    let quoted = rest.next()?;
                    word.push(quoted);
                    if quoted == '\'' {
                        break;
                    }
                }
            }
            '"' => {
                word.push(c);
                double(rest, &mut word)?;
            }
            '`' => return None,
            '$' if rest.peek() == Some(&'\'') => {
                word.push(c);
                ansi(rest, &mut word)?;
            }
            '$' if rest.peek() == Some(&'{') => braced(rest, &mut word)?,
            '$' if rest.peek().is_some_and(|c| matches!(c, '(' | '[' | '"')) => return None,
            c => word.push(c),
        }
    }
    Some(word)
}

/// Reads `$'…'` without escapes that hide its text.
fn ansi(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    word.extend(rest.next());
    loop {
        let c = rest.next()?;
        word.push(c);
        match c {
            '\'' => return Some(()),
            '\\' => word.push(rest.next_if(|c| PLAIN_ESCAPES.contains(c))?),
            _ => {}
        }
    }
}

/// Reads `{name}` after a `$`. `None` for everything else in braces.
pub(super) fn braced(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    let ahead: String = rest.clone().take_while(|c| *c != '}').chain(['}']).collect();
    let length = braced_name(&ahead)?;
    word.push('$');
    word.extend(rest.by_ref().take(length));
    Some(())
}

fn double(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        let c = rest.next()?;
        word.push(c);
        match c {
            '"' => return Some(()),
            '\\' => word.push(rest.next()?),
            '`' => return None,
            '$' if rest.peek() == Some(&'{') => {
                word.pop();
                braced(rest, word)?;
            }
            '$' if rest.peek().is_some_and(|c| matches!(c, '(' | '[')) => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn agree(text: &str) -> bool {
        agrees(text, &parse(text))
    }

    #[test]
    fn plain_texts_are_read_alike() {
        for text in [
            "ls",
            "ls -la | head -n 3",
            "cd src && ls",
            "a; b\nc || d",
            "grep -rn 'a b' src 2>&1 | head",
            "x > /dev/null 2>&1",
            "ls # list",
            "cat \"a b\" c\\ d",
            "ls \\\n  -la",
            "ls\\\n -la",
            "[ -d src ] && echo a || echo b",
            "LC_ALL=C ls",
            "cat < a.txt",
            "\n\nls\n\n",
            "ls {a,b} *.txt",
            "! ls",
            "{ ls; pwd; } | wc -l",
            "( ls; pwd ) 2>&1",
            "if test -f a; then ls; elif ! grep x y; then pwd; else { ls; }; fi && ls",
            "for f in a.txt 'b c'; do cat \"$f\"; done; ls",
            "for f in a b\ndo\n  for g in c d; do echo $f $g; done\ndone",
            "ls && { echo if; echo }; }",
            "column -s $'\\t' a.txt | cut -d$'\\'' -f1",
        ] {
            assert!(agree(text), "{text:?} {:?} {:?}", read(text, false), parse(text).commands);
        }
    }

    #[test]
    fn what_the_grammar_reads_otherwise_is_seen() {
        for text in [
            "cat a.txt\\\nb",
            "ls\n\\\nx",
            "ls -laecho2>/dev/null",
            "cat a<\nb",
            "cat a\"\"\\\n#b",
            "head <a''  \\$\"a\"$*.txt",
            "ls <(x)",
            "ls &",
            "ls ;; x",
            "echo {x}>y",
            "{ ls; } ls",
            "if (ls) then ls; fi",
            "((x))",
            "while true; do ls; done",
            "for f; do ls; done",
            "select f in a; do ls; done",
            "{ ls }",
            "if ls; then ls; }; fi",
            "x() { ls; }",
            "case x in x) ls;; esac",
            "ls $'\\x61'",
        ] {
            assert!(!agree(text), "{text:?} {:?} {:?}", read(text, false), parse(text).commands);
        }
    }
}
