//! Parses a word of shell text: removes the quoting, and marks every character that was quoted.

/// A character, and whether quoting removed its special meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The character.
    pub(crate) c: char,
    /// Whether the character is literal.
    pub(crate) quoted: bool,
}

/// The parts of a word that are known only at run time. Ordered by how much they can hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dynamic {
    /// `$'\x72…'` or `$"…"`: the value is known, but it is written to be unreadable.
    Encoded,
    /// A plain variable.
    Variable,
    /// A variable with an operator, an array or an indirection.
    Operator,
    /// Arithmetic, which runs code hidden in array indices.
    Arithmetic,
    /// A command whose output becomes part of the word.
    Substitution,
}

/// A word without its quoting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    /// The characters. For a dynamic word this is only a best guess, to be used only for naming risks.
    pub(crate) units: Vec<Unit>,
    /// Whether any part was quoted. An empty quoted word is still a word.
    pub(crate) was_quoted: bool,
    /// The worst of the parts that are known only at run time.
    pub(crate) dynamic: Option<Dynamic>,
    /// The names of the variables that the word reads.
    pub(crate) variables: Vec<String>,
}

/// Whether a text is a plain variable name.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the length of `{name}` if the text begins with it.
pub(super) fn braced_name(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('{')?;
    let length = inner.find('}')?;
    is_name(inner.get(..length)?).then_some(length + 2)
}

/// Removes the quoting of a raw word. `None` if the text is not exactly one word.
pub(crate) fn lex(raw: &str, known: &dyn Fn(&str) -> Option<String>) -> Option<Word> {
    let mut lexer = Lexer { rest: raw.chars().peekable(), word: Word::default(), known };
    lexer.unquoted()?;
    (!raw.is_empty()).then_some(lexer.word)
}

/// Escapes in `$'…'` that are easy to read: a tab, a line end, and quoted characters.
pub(super) const PLAIN_ESCAPES: [char; 5] = ['t', 'n', '\\', '\'', '"'];

struct Lexer<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    word: Word,
    known: &'a dyn Fn(&str) -> Option<String>,
}

impl Lexer<'_> {
    fn push(&mut self, c: char, quoted: bool) {
        self.word.units.push(Unit { c, quoted });
    }

    fn mark(&mut self, dynamic: Dynamic) {
        self.word.dynamic = self.word.dynamic.max(Some(dynamic));
    }

    fn unquoted(&mut self) -> Option<()> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    c => {
                        self.word.was_quoted = true;
                        self.push(c, true);
                    }
                },
                '\'' => self.single()?,
                '"' => self.double()?,
                '$' => self.dollar(false)?,
                '`' => self.backtick()?,
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => return None,
                c => self.push(c, false),
            }
        }
        Some(())
    }

    fn single(&mut self) -> Option<()> {
        self.word.was_quoted = true;
        loop {
            match self.rest.next()? {
                '\'' => return Some(()),
                c => self.push(c, true),
            }
        }
    }

    fn double(&mut self) -> Option<()> {
        self.word.was_quoted = true;
        loop {
            match self.rest.next()? {
                '"' => return Some(()),
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    c @ ('$' | '`' | '"' | '\\') => self.push(c, true),
                    c => {
                        self.push('\\', true);
                        self.push(c, true);
                    }
                },
                '$' => self.dollar(true)?,
                '`' => self.backtick()?,
                c => self.push(c, true),
            }
        }
    }

    fn backtick(&mut self) -> Option<()> {
        self.mark(Dynamic::Substitution);
        loop {
            match self.rest.next()? {
                '`' => return Some(()),
                '\\' => {
                    self.rest.next()?;
                }
                _ => {}
            }
        }
    }

    fn dollar(&mut self, in_double: bool) -> Option<()> {
        match self.rest.peek().copied() {
            Some('\'') if !in_double => {
                self.rest.next();
                self.ansi()
            }
            Some('"') if !in_double => {
                self.rest.next();
                self.mark(Dynamic::Encoded);
                self.double()
            }
            Some('(') => {
                self.rest.next();
                let arithmetic = self.rest.peek() == Some(&'(');
                self.mark(if arithmetic { Dynamic::Arithmetic } else { Dynamic::Substitution });
                self.skip_to_closing('(', ')')
            }
            Some('[') if !in_double => {
                self.rest.next();
                self.mark(Dynamic::Arithmetic);
                self.skip_to_closing('[', ']')
            }
            // Inside double quotes, bash still supports the old arithmetic form.
            Some('[') => {
                self.mark(Dynamic::Arithmetic);
                Some(())
            }
            Some('{') => {
                self.rest.next();
                self.braced(in_double)
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                self.variable(name, in_double);
                Some(())
            }
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.rest.next();
                self.variable(c.to_string(), in_double);
                Some(())
            }
            _ => {
                self.push('$', true);
                Some(())
            }
        }
    }

    fn variable(&mut self, name: String, quoted: bool) {
        self.mark(Dynamic::Variable);
        for c in (self.known)(&name).unwrap_or_default().chars() {
            self.push(c, quoted);
        }
        self.word.variables.push(name);
    }

    fn braced(&mut self, quoted: bool) -> Option<()> {
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        if self.rest.next_if_eq(&'}').is_some() && !name.is_empty() {
            self.variable(name, quoted);
            return Some(());
        }
        // Indirection, transformation and array indices evaluate text as code.
        let evaluates = name.is_empty() || self.rest.peek().is_some_and(|c| matches!(c, '@' | '['));
        self.mark(if evaluates { Dynamic::Arithmetic } else { Dynamic::Operator });
        for c in (self.known)(&name).unwrap_or_default().chars() {
            self.push(c, quoted);
        }
        self.word.variables.push(name);
        self.skip_to_closing('{', '}')
    }

    /// Skips a nested construct. Only the best guess of a dynamic word depends on where it ends.
    fn skip_to_closing(&mut self, open: char, close: char) -> Option<()> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.rest.next()? {
                '\\' => {
                    self.rest.next()?;
                }
                '\'' => while self.rest.next()? != '\'' {},
                c if c == open => depth += 1,
                c if c == close => depth -= 1,
                _ => {}
            }
        }
        Some(())
    }

    fn ansi(&mut self) -> Option<()> {
        self.word.was_quoted = true;
        loop {
            match self.rest.next()? {
                '\'' => return Some(()),
                '\\' => {
                    if !self.rest.peek().is_some_and(|c| PLAIN_ESCAPES.contains(c)) {
                        self.mark(Dynamic::Encoded);
                    }
                    let c = self.ansi_escape()?;
                    self.push(c, true);
                }
                c => self.push(c, true),
            }
        }
    }

    fn ansi_escape(&mut self) -> Option<char> {
        Some(match self.rest.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'x' => self.code(16, 2, 0),
            'u' => self.code(16, 4, 0),
            'U' => self.code(16, 8, 0),
            'c' => char::from_u32(u32::from(self.rest.next()?) & 0x1f)?,
            c @ '0'..='7' => {
                let first = c.to_digit(8)?;
                self.code(8, 2, first)
            }
            c => c,
        })
    }

    fn code(&mut self, radix: u32, digits: usize, first: u32) -> char {
        let mut value = first;
        for _ in 0..digits {
            let Some(c) = self.rest.next_if(|c| c.is_digit(radix)) else { break };
            value = value.wrapping_mul(radix).wrapping_add(c.to_digit(radix).unwrap_or(0));
        }
        char::from_u32(value).unwrap_or('\u{fffd}')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(raw: &str) -> Option<(String, Option<Dynamic>)> {
        lex(raw, &|name| (name == "HOME").then(|| "/home/dev".to_owned()))
            .map(|word| (word.units.iter().map(|unit| unit.c).collect(), word.dynamic))
    }

    #[test]
    fn quoting_is_undone_as_bash_does_it() {
        for (raw, plain) in [
            ("r''m", "rm"),
            ("-'ex'ec", "-exec"),
            ("\\-delete", "-delete"),
            ("\"a\\$b\\n\"", "a$b\\n"),
            ("a\\ b", "a b"),
            ("'a\"b'", "a\"b"),
            ("a$", "a$"),
            ("\"$\"", "$"),
            ("l\\\ns", "ls"),
            ("$'\\t'", "\t"),
            ("-d$'a\\'b\\n'", "-da'b\n"),
        ] {
            assert_eq!(text(raw), Some((plain.to_owned(), None)), "{raw}");
        }
    }

    #[test]
    fn what_runs_later_is_marked() {
        for (raw, plain, dynamic) in [
            ("$HOME/x", "/home/dev/x", Dynamic::Variable),
            ("${HOME%/}/x", "/home/dev/x", Dynamic::Operator),
            ("$(id)", "", Dynamic::Substitution),
            ("\"a`id`\"", "a", Dynamic::Substitution),
            ("$((1+1))", "", Dynamic::Arithmetic),
            ("$'\\x72\\155'", "rm", Dynamic::Encoded),
            ("r$@m", "rm", Dynamic::Variable),
        ] {
            assert_eq!(text(raw), Some((plain.to_owned(), Some(dynamic))), "{raw}");
        }
    }

    #[test]
    fn what_is_not_one_word_is_refused() {
        for raw in ["a b", "a;b", "'a", "\"a", "a\\", "", "a>b", "a(b)"] {
            assert_eq!(text(raw), None, "{raw}");
        }
    }
}
