//! Removes the commands inside the words of a text: `$(…)`, backticks and `<(…)`. Each is replaced with a plain
//! variable of the same length. The removed text must then be parsed as a complete text; otherwise the position at
//! which it ends is uncertain.

use std::fmt::Write;

/// The maximum nesting that is examined.
const MOST_DEPTH: usize = 8;
/// The maximum number of commands that are removed from a text.
const MOST_CAPTURES: usize = 32;

/// A command that was removed from a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    /// The text of the command.
    pub(crate) inner: String,
    /// The byte offset of the command's text in the whole text.
    pub(crate) at: usize,
    /// The variable that replaces the command.
    pub(crate) name: String,
    /// The kind of the removed part.
    pub(crate) form: Form,
}

/// The kinds of parts that are removed from words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `$(…)` or backticks: the output of a command.
    Output,
    /// `<(…)`: a pipe that is passed as a file name.
    Pipe,
    /// `$((…))` with numbers, operators and plain variable names.
    Arithmetic,
    /// `${name%pattern}` and similar, and `${#name}`: a variable's value with a part removed, or its length.
    Expansion,
}

/// A text without the commands in its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reduced {
    pub(crate) text: String,
    pub(crate) captures: Vec<Capture>,
}

/// Removes the commands from the words of a text. `None` if it is not certain how the shell parses the text.
pub(crate) fn reduce(text: &str) -> Option<Reduced> {
    let mut reader = Reader { text, at: 0, nesting: 0, found: Vec::new(), here: Vec::new() };
    reader.code(0)?;
    reader.here.is_empty().then_some(())?;
    let mut reduced = Reduced { text: String::with_capacity(text.len()), captures: Vec::new() };
    let mut from = 0;
    for found in reader.found {
        let length = (found.end - found.begin).checked_sub("${}".len())?;
        let name = variable(reduced.captures.len(), length)?;
        // The text itself must not mention the variable.
        (!text.contains(&name)).then_some(())?;
        reduced.text.push_str(text.get(from..found.begin)?);
        write!(reduced.text, "${{{name}}}").ok()?;
        from = found.end;
        let inner = text.get(found.inner.clone())?.to_owned();
        reduced.captures.push(Capture { inner, at: found.inner.start, name, form: found.form });
    }
    reduced.text.push_str(text.get(from..)?);
    debug_assert_eq!(reduced.text.len(), text.len());
    Some(reduced)
}

/// Returns a variable name of exactly the given length to replace a command.
fn variable(index: usize, length: usize) -> Option<String> {
    let digit = char::from_digit(u32::try_from(index).ok()?, 36)?;
    let name = format!("q{digit}{}", "_".repeat(length.checked_sub(2)?));
    Some(name)
}

/// Returns the variable of an expansion that only removes a part of the value, inserts plain text, or returns the
/// value's length.
pub(crate) fn expanded(inner: &str) -> Option<&str> {
    let is_name = super::word::is_name;
    if let Some(name) = inner.strip_prefix('#') {
        return is_name(name).then_some(name);
    }
    let at = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = inner.split_at(at);
    let operators = ["##", "#", "%%", "%", "//", "/", ":-", ":", ",,", "^^", ",", "^"];
    let operator = operators.iter().find(|operator| rest.starts_with(**operator))?;
    let text = &rest[operator.len()..];
    let is_known = match *operator {
        ":" => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':'),
        "," | "^" | ",," | "^^" => text.is_empty(),
        _ => {
            // The replacement may be a line end or a tab.
            let text = text.strip_suffix("/$'\\n'").or(text.strip_suffix("/$'\\t'")).unwrap_or(text);
            text.chars().all(|c| c.is_ascii_alphanumeric() || "_./*?,=@+- :".contains(c))
        }
    };
    (is_name(name) && is_known).then_some(name)
}

struct Found {
    begin: usize,
    end: usize,
    inner: std::ops::Range<usize>,
    form: Form,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The number of open commands inside words.
    nesting: usize,
    found: Vec<Found>,
    /// The here-documents that begin at the next line end: the delimiter, whether the text is literal, and whether
    /// leading tabs are stripped.
    here: Vec<(String, bool, bool)>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, what: &str) -> bool {
        let is_it = self.rest().starts_with(what);
        self.at += if is_it { what.len() } else { 0 };
        is_it
    }

    /// Reads commands up to the closing bracket, or to the end of the text.
    fn code(&mut self, depth: usize) -> Option<()> {
        (depth <= MOST_DEPTH).then_some(())?;
        let mut begins_word = true;
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { return (depth == 0).then_some(()) };
            match c {
                '\\' => {
                    self.next();
                    self.next()?;
                }
                '\'' => self.single()?,
                '"' => self.double(depth)?,
                '$' => self.dollar(depth)?,
                '`' => self.backticks(false)?,
                '#' if begins_word => {
                    // A bracket in a comment would not close anything.
                    (depth == 0).then_some(())?;
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                '<' if rest.starts_with("<(") => {
                    begins_word.then_some(())?;
                    self.capture(depth, "<(", Form::Pipe)?;
                    let ends = |c: char| matches!(c, ' ' | '\t' | '\n' | ';' | '|' | '&' | ')');
                    self.rest().chars().next().is_none_or(ends).then_some(())?;
                }
                '<' if rest.starts_with("<<<") => self.at += 3,
                '<' if rest.starts_with("<<") => self.here_document(depth)?,
                '>' if rest.starts_with(">(") => return None,
                '(' => {
                    self.next();
                    (!self.rest().starts_with('(')).then_some(())?;
                    self.code(depth + 1)?;
                }
                // The end of a pattern in a `case`, or something that the other parsers refuse.
                ')' if depth == 0 => {
                    self.next();
                }
                ')' => {
                    self.next();
                    return Some(());
                }
                '\n' => {
                    self.next();
                    self.bodies(depth)?;
                }
                _ => {
                    self.next();
                }
            }
            begins_word = matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(');
        }
    }

    fn single(&mut self) -> Option<()> {
        self.next();
        self.at += self.rest().find('\'')? + 1;
        Some(())
    }

    fn double(&mut self, depth: usize) -> Option<()> {
        self.next();
        loop {
            match self.rest().chars().next()? {
                '"' => {
                    self.next();
                    return Some(());
                }
                '\\' => {
                    self.next();
                    self.next()?;
                }
                '$' if self.rest().starts_with("$(") || self.rest().starts_with("${") => {
                    self.dollar(depth)?
                }
                '`' => self.backticks(true)?,
                _ => {
                    self.next();
                }
            }
        }
    }

    fn dollar(&mut self, depth: usize) -> Option<()> {
        let rest = self.rest();
        if let Some(rest) = rest.strip_prefix("$((") {
            let length = arithmetic(rest)?;
            let (begin, inner) = (self.at, self.at + "$((".len());
            self.at = inner + length + "))".len();
            return self.note(Found {
                begin,
                end: self.at,
                inner: inner..inner + length,
                form: Form::Arithmetic,
            });
        }
        if rest.starts_with("$[") {
            return None;
        }
        if rest.starts_with("$(") {
            return self.capture(depth, "$(", Form::Output);
        }
        self.next();
        if self.eat("'") {
            loop {
                match self.next()? {
                    '\'' => return Some(()),
                    '\\' => {
                        self.next()?;
                    }
                    _ => {}
                }
            }
        }
        if self.eat("{") {
            let length = self.rest().find('}')?;
            let inner = self.rest().get(..length)?;
            let begin = self.at - "${".len();
            self.at += length + 1;
            if !super::word::is_name(inner) {
                expanded(inner)?;
                let inner = begin + "${".len()..self.at - 1;
                self.note(Found { begin, end: self.at, inner, form: Form::Expansion })?;
            }
        }
        Some(())
    }

    fn capture(&mut self, depth: usize, opens: &str, form: Form) -> Option<()> {
        let begin = self.at;
        self.at += opens.len();
        let inner = self.at;
        self.nesting += 1;
        self.code(depth.max(self.nesting) + 1)?;
        self.nesting -= 1;
        self.note(Found { begin, end: self.at, inner: inner..self.at - 1, form })
    }

    /// Reads backticks. Refuses backslashes and quotes that have a special meaning there.
    fn backticks(&mut self, in_double: bool) -> Option<()> {
        let begin = self.at;
        self.next();
        let inner = self.at..self.at + self.rest().find('`')?;
        let text = self.text.get(inner.clone())?;
        (!(text.contains('\\') || in_double && text.contains('"'))).then_some(())?;
        self.at = inner.end + 1;
        self.note(Found { begin, end: self.at, inner, form: Form::Output })
    }

    fn note(&mut self, found: Found) -> Option<()> {
        if self.nesting == 0 {
            (self.found.len() < MOST_CAPTURES).then_some(())?;
            self.found.push(found);
        }
        Some(())
    }

    fn here_document(&mut self, depth: usize) -> Option<()> {
        (depth == 0).then_some(())?;
        self.at += 2;
        let strips_tabs = self.eat("-");
        while self.eat(" ") {}
        let ends = |c: char| c.is_whitespace() || ";|&<>()".contains(c);
        let raw = self.rest().split(ends).next()?;
        self.at += raw.len();
        let (mark, is_text) = super::script::here_mark(raw)?;
        self.here.push((mark, is_text, strips_tabs));
        Some(())
    }

    /// Reads the here-documents that begin here.
    fn bodies(&mut self, depth: usize) -> Option<()> {
        for (mark, is_text, strips_tabs) in std::mem::take(&mut self.here) {
            (depth == 0).then_some(())?;
            loop {
                let rest = self.rest();
                let line = rest.split('\n').next().filter(|_| !rest.is_empty())?;
                let bare = if strips_tabs { line.trim_start_matches('\t') } else { line };
                if bare == mark {
                    self.at += line.len();
                    self.eat("\n");
                    break;
                }
                if is_text {
                    self.at += line.len();
                    self.eat("\n");
                    continue;
                }
                self.line_of_here(line.len())?;
            }
        }
        Some(())
    }

    /// Reads a line of a here-document in which the shell expands commands.
    fn line_of_here(&mut self, length: usize) -> Option<()> {
        let end = self.at + length;
        while self.at < end {
            match self.rest().chars().next()? {
                '$' => self.dollar(0)?,
                '\\' | '`' => return None,
                _ => {
                    self.next();
                }
            }
        }
        // An expansion must end within its line.
        (self.at == end).then_some(())?;
        self.eat("\n");
        Some(())
    }
}

/// Returns the length of plain arithmetic after `$((`: names, numbers and operators up to `))`. The caller checks the
/// names, because the shell evaluates the text in a variable. Parentheses that close before they open are refused,
/// because bash then parses the text as groups of commands.
pub(super) fn arithmetic(rest: &str) -> Option<usize> {
    let length = rest.find("))")?;
    let text = rest.get(..length)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _$+-*/%()<>=!&|?:,#".contains(c);
    // A `#` is only allowed between a number's base and its digits.
    let is_base = |(at, _): (usize, &str)| {
        let base = text[..at].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        !base.is_empty()
            && base.bytes().all(|byte| byte.is_ascii_digit())
            && text[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '$')
    };
    let mut open = 0_usize;
    for c in text.chars() {
        match c {
            '(' => open += 1,
            ')' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    let are_bases = text.match_indices('#').all(is_base);
    (open == 0 && are_bases && !text.contains("$(") && text.chars().all(is_plain)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inner(text: &str) -> Option<Vec<String>> {
        let reduced = reduce(text)?;
        assert_eq!(reduced.text.len(), text.len());
        Some(reduced.captures.into_iter().map(|capture| capture.inner).collect())
    }

    #[test]
    fn commands_are_found_where_bash_finds_them() {
        for (text, found) in [
            ("echo hi", vec![]),
            ("echo \"a $(date +%F) b\" `pwd`", vec!["date +%F", "pwd"]),
            ("echo '$(id)' \\$", vec![]),
            ("echo $((1024 * 1024))", vec!["1024 * 1024"]),
            ("diff <(sort a) <(sort b)", vec!["sort a", "sort b"]),
            ("echo $(echo \"$(ls ')')\" \\))", vec!["echo \"$(ls ')')\" \\)"]),
            ("cat <<'E'\n$(id) '\nE\nls $(pwd)", vec!["pwd"]),
            ("cat <<E\nit's $(date)\nE", vec!["date"]),
            ("(echo $(ls)) # $(id", vec!["ls"]),
            ("echo a#$(ls)", vec!["ls"]),
            ("echo \"${f##*/} ${#f}\" ${f} ${f%.rs}", vec!["f##*/", "#f", "f%.rs"]),
            ("echo $((x + 1))", vec!["x + 1"]),
            ("echo $((16#ff + 10#$x))", vec!["16#ff + 10#$x"]),
            ("echo ${USER:-nobody}", vec!["USER:-nobody"]),
        ] {
            let expected: Vec<String> = found.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(inner(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_certain_is_left_alone() {
        for text in [
            "echo $(ls # )\n)",
            "echo $((x[0]))",
            "echo $((x#1))",
            "echo $((x1#2))",
            "echo $((16#))",
            "echo ${x@P}",
            "echo ${!x}",
            "echo ${x:=y}",
            "echo ${x%$(id)}",
            "echo ${x[0]}",
            "echo $((1 + $(id)))",
            "echo $[1]",
            "echo ${x:-$(id)}",
            "echo `a \\`b\\``",
            "echo \"`echo \"a\"`\"",
            "ls > >(cat)",
            "echo $(cat <<E\nx\nE\n)",
            "cat <<E\n`id`\nE",
            "cat <<E\n$(ls\n)\nE",
            "cat <<E\nx",
            "echo $(ls",
            "a<(ls)",
            "echo <(ls)x",
            "echo q0__ $(echo)",
            "echo $()",
        ] {
            assert_eq!(inner(text), None, "{text}");
        }
    }
}
