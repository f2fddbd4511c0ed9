//! A second, independent reading of plain shell text: what the grammar found must agree with it word for word.
//!
//! The grammar takes a continued line, a line end or a digit before a redirect differently from bash in places. This
//! reading knows words, separators and redirects only; for anything else it gives up, and the text is not plain.

use super::script::{Joint, Redirect, Script};
use std::iter::Peekable;
use std::str::Chars;

/// One simple command as this reading sees it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Command {
    /// Raw words, assignments among them.
    words: Vec<String>,
    /// Operators and raw targets.
    redirects: Vec<(String, String)>,
    /// The separator in front.
    separator: String,
}

/// Whether this reading of the text finds the same commands, words and redirects as the grammar.
pub(crate) fn agrees(text: &str, script: &Script) -> bool {
    let Some(read) = read(text) else { return false };
    let same_command = |(read, parsed): (&Command, &super::script::Simple)| {
        let assignments = parsed.assignments.iter().map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = assignments.chain(parsed.words.iter().cloned()).collect();
        let redirects =
            parsed.redirects.iter().map(|Redirect { operator, target }| (operator.clone(), target.clone()));
        let joint = match read.separator.as_str() {
            "&&" => parsed.joint == Joint::AfterSuccess,
            "|" | "|&" => true,
            _ => parsed.joint == Joint::Always,
        };
        joint && read.words == words && redirects.eq(read.redirects.iter().cloned())
    };
    read.len() == script.commands.len() && read.iter().zip(&script.commands).all(same_command)
}

fn read(text: &str) -> Option<Vec<Command>> {
    let mut rest = text.chars().peekable();
    let mut commands = Vec::new();
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
                    "\n" | ";" | "&&" | "||" | "|" | "|&" => end(&mut command, operator, &mut commands),
                    "&>" | "&>>" => redirect(operator, &mut rest, &mut command)?,
                    _ => return None,
                }
            }
            '<' | '>' => {
                let operator = operator(&mut rest);
                redirect(operator, &mut rest, &mut command)?;
            }
            '(' | ')' | '`' => return None,
            _ => {
                let word = word(&mut rest)?;
                let describes = rest.peek().is_some_and(|c| matches!(c, '<' | '>'));
                if describes && word.bytes().all(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                if describes && word.ends_with('}') {
                    return None;
                }
                // What is left of a continued line outside of words.
                if !word.is_empty() {
                    command.words.push(word);
                }
            }
        }
    }
    end(&mut command, String::new(), &mut commands);
    Some(commands)
}

fn end(command: &mut Command, separator: String, commands: &mut Vec<Command>) {
    let is_empty = command.words.is_empty() && command.redirects.is_empty();
    if is_empty {
        // An empty line changes nothing about how the next command is joined.
        if command.separator.is_empty() {
            command.separator = separator;
        }
        return;
    }
    commands.push(std::mem::replace(command, Command { separator, ..Command::default() }));
}

/// The longest operator of bash that begins here.
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
    // A number before the next redirect belongs to that one.
    if rest.peek().is_some_and(|c| matches!(c, '<' | '>')) && target.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    command.redirects.push((operator, target));
    Some(())
}

/// One raw word. `None` where code may stand in it, or a line goes on in its middle.
fn word(rest: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(&c) = rest.peek() {
        if matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')') {
            break;
        }
        rest.next();
        match c {
            '\\' => match rest.next()? {
                // A line may go on between words; within one, the readings differ.
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
            '$' if rest.peek().is_some_and(|c| matches!(c, '(' | '[' | '{' | '\'' | '"')) => return None,
            c => word.push(c),
        }
    }
    Some(word)
}

fn double(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        let c = rest.next()?;
        word.push(c);
        match c {
            '"' => return Some(()),
            '\\' => word.push(rest.next()?),
            '`' => return None,
            '$' if rest.peek().is_some_and(|c| matches!(c, '(' | '[' | '{')) => return None,
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
        ] {
            assert!(agree(text), "{text:?} {:?} {:?}", read(text), parse(text).commands);
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
        ] {
            assert!(!agree(text), "{text:?} {:?} {:?}", read(text), parse(text).commands);
        }
    }
}
