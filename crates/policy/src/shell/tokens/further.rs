//! Constructs that are parsed in addition to plain commands if the decision does not depend on the input of a
//! command: here-documents, `case`, `while read` and `[[ … ]]`.

use super::{Command, Group, Text, operator, word};
use crate::shell::script::{
    Joint, Loop, as_tests, does_nothing, expression, here_mark, read_into, read_value,
};
use crate::shell::word::braced_name;
use std::iter::Peekable;
use std::str::Chars;

impl Text {
    /// Reads `WORD in` and the first patterns. The word becomes that of a command that does nothing.
    pub(super) fn case(&mut self, rest: &mut Peekable<Chars<'_>>) -> Option<()> {
        while rest.next_if(|c| *c == ' ').is_some() {}
        let subject = word(rest)?;
        while rest.next_if(|c| *c == ' ').is_some() {}
        (word(rest)? == "in" && !subject.is_empty()).then_some(())?;
        self.commands.push(Command { words: does_nothing(&subject), ..Command::default() });
        self.open.push(Group::Case);
        patterns(rest)
    }

    /// Reads `<<MARK` or `<<< WORD`.
    pub(super) fn feed(&mut self, rest: &mut Peekable<Chars<'_>>) -> Option<()> {
        if rest.next_if_eq(&'<').is_some() {
            while rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
            return word(rest).filter(|word| !word.is_empty()).map(|_| ());
        }
        let strips_tabs = rest.next_if_eq(&'-').is_some();
        while rest.next_if_eq(&' ').is_some() {}
        let (mark, is_text) = here_mark(&word(rest)?)?;
        self.here.push((mark, is_text, strips_tabs));
        Some(())
    }

    /// Reads the here-documents that begin here. In a document that the shell expands, only plain variables are
    /// allowed.
    pub(super) fn bodies(&mut self, rest: &mut Peekable<Chars<'_>>) -> Option<()> {
        for (mark, is_text, strips_tabs) in std::mem::take(&mut self.here) {
            loop {
                rest.peek()?;
                let line: String = std::iter::from_fn(|| rest.next_if(|c| *c != '\n')).collect();
                rest.next();
                let bare = if strips_tabs { line.trim_start_matches('\t') } else { &line };
                if bare == mark {
                    break;
                }
                let is_tame = is_text
                    || !line.contains(['`', '\\'])
                        && line.match_indices('$').all(|(at, _)| {
                            let next = line[at + 1..].chars().next().unwrap_or(' ');
                            !matches!(next, '(' | '[' | '{' | '\'' | '"')
                                || braced_name(&line[at + 1..]).is_some()
                        });
                is_tame.then_some(())?;
            }
        }
        Some(())
    }

    /// Reads `read -r NAME` up to the end of the line or a semicolon.
    pub(super) fn while_read(&mut self, rest: &mut Peekable<Chars<'_>>) -> Option<()> {
        let mut words = Vec::new();
        loop {
            while rest.next_if(|c| *c == ' ').is_some() {}
            match rest.peek()? {
                ';' | '\n' => break,
                '&' | '|' | '<' | '>' | '(' | ')' | '#' => return None,
                _ => words.push(word(rest)?),
            }
        }
        rest.next();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let names = read_into(&words)?.into_iter();
        self.loops.extend(names.map(|name| Loop { name, values: vec![read_value()] }));
        self.open.push(Group::LoopHead);
        Some(())
    }
}

/// Reads the patterns of a `case` up to their bracket, or nothing if no more patterns follow.
pub(super) fn patterns(rest: &mut Peekable<Chars<'_>>) -> Option<()> {
    while rest.next_if(|c| matches!(c, ' ' | '\t' | '\n')).is_some() {}
    let ahead: String = rest.clone().take(5).collect();
    if ahead.starts_with("esac")
        && !ahead.ends_with(|c: char| c.is_ascii_alphanumeric() || "_.*|)".contains(c))
        || ahead == "esac"
    {
        return Some(());
    }
    loop {
        let c = rest.next()?;
        match c {
            ')' => return Some(()),
            c if c.is_ascii_alphanumeric() || "_./:=*?,@%+-|[]! ".contains(c) => {}
            '"' | '\'' => while rest.next()? != c {},
            _ => return None,
        }
    }
}

/// Reads the conditions of `[[ … ]]` up to its end.
pub(super) fn tests(rest: &mut Peekable<Chars<'_>>) -> Option<Vec<(Joint, Vec<String>)>> {
    let mut words = Vec::new();
    loop {
        while rest.next_if(|c| *c == ' ').is_some() {}
        if matches!(rest.peek(), Some('&' | '|')) {
            let joint = operator(rest);
            matches!(joint.as_str(), "&&" | "||").then_some(())?;
            words.push(joint);
            continue;
        }
        if words.last().is_some_and(|word| word == "=~")
            && let Some(text) = expression(rest)
        {
            words.push(text);
            continue;
        }
        match word(rest)?.as_str() {
            "" => return None,
            "]]" => return as_tests(words),
            other => words.push(other.to_owned()),
        }
    }
}
