//! Recognizes sed scripts that only print: a plain subset of the language, in which no implementation of sed finds
//! more commands.
//!
//! Scripts that run without asking run with `sed --sandbox`, which refuses to start programs and open files. This
//! check therefore only decides between allowing and asking. It refuses everything that two implementations may parse
//! differently.

/// Characters that may delimit a pattern. Excludes letters, blanks, brackets and characters that patterns use.
const DELIMITERS: &str = "/|,#@!:%_~=;-";

/// Whether a script only selects, changes and prints lines.
pub(super) fn only_prints(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';']);
        rest = match rest.chars().next() {
            None => return true,
            Some('#') => rest.split_once('\n').map_or("", |(_, next)| next),
            Some(_) => match command(rest) {
                Some(next) => next,
                None => return false,
            },
        };
    }
}

/// Returns the text after a command that begins here.
fn command(rest: &str) -> Option<&str> {
    let rest = blanks(addresses(rest)?);
    let rest = rest.strip_prefix('!').map_or(rest, blanks);
    let name = rest.chars().next()?;
    let rest = rest.get(name.len_utf8()..)?;
    match name {
        '{' => Some(rest),
        '}' | 'p' | 'd' | '=' | 'G' | 'H' | 'g' | 'h' | 'x' | 'n' | 'N' | 'D' | 'P' | 'F' | 'z' => end(rest),
        'q' | 'Q' | 'l' => end(digits(blanks(rest))),
        // An implementation that takes more for the label finds fewer commands after it.
        ':' => end(label(blanks(rest)).filter(|next| next.len() < blanks(rest).len())?),
        'b' | 't' | 'T' => end(label(blanks(rest))?),
        's' => {
            let (delimiter, rest) = delimiter(rest)?;
            let rest = replacement(pattern(rest, delimiter)?, delimiter)?;
            end(rest.trim_start_matches(|c: char| "gpiImM".contains(c) || c.is_ascii_digit()))
        }
        'y' => {
            let (delimiter, rest) = delimiter(rest)?;
            end(replacement(replacement(rest, delimiter)?, delimiter)?)
        }
        'a' | 'i' | 'c' => text(rest),
        _ => None,
    }
}

/// Returns the text from the end of a command: a semicolon, a line end, or a brace or comment that begins there.
fn end(rest: &str) -> Option<&str> {
    let rest = blanks(rest);
    match rest.chars().next() {
        None | Some(';' | '\n' | '}' | '#') => Some(rest),
        Some(_) => None,
    }
}

fn blanks(rest: &str) -> &str {
    rest.trim_start_matches([' ', '\t'])
}

fn digits(rest: &str) -> &str {
    rest.trim_start_matches(|c: char| c.is_ascii_digit())
}

fn label(rest: &str) -> Option<&str> {
    Some(rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// Skips up to two addresses.
fn addresses(rest: &str) -> Option<&str> {
    let Some(first) = address(rest)? else { return Some(rest) };
    let Some(second) = blanks(first).strip_prefix(',') else { return Some(first) };
    let second = blanks(second);
    let relative =
        second.strip_prefix(['+', '~']).filter(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    match relative {
        Some(next) => Some(digits(next)),
        None => address(second)?,
    }
}

/// Returns the text after an address that begins here. `Some(None)` if there is no address, `None` if it is not
/// understood.
fn address(rest: &str) -> Option<Option<&str>> {
    let flags = |rest: &'_ str| -> usize { rest.len() - rest.trim_start_matches(['I', 'M']).len() };
    let first = rest.chars().next()?;
    Some(match first {
        '0'..='9' => {
            let rest = digits(rest);
            Some(rest.strip_prefix('~').map_or(rest, digits))
        }
        '$' => rest.get(1..),
        '/' => {
            let rest = pattern(rest.get(1..)?, '/')?;
            rest.get(flags(rest)..)
        }
        '\\' => {
            let (delimiter, rest) = delimiter(rest.get(1..)?)?;
            let rest = pattern(rest, delimiter)?;
            rest.get(flags(rest)..)
        }
        _ => None,
    })
}

fn delimiter(rest: &str) -> Option<(char, &str)> {
    let delimiter = rest.chars().next().filter(|c| DELIMITERS.contains(*c))?;
    Some((delimiter, rest.get(1..)?))
}

/// Returns the text after the closing delimiter of a pattern.
fn pattern(rest: &str, delimiter: char) -> Option<&str> {
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => {
                chars.next().filter(|(_, next)| *next != '\n')?;
            }
            '[' => {
                let inside = rest.get(at + 1..)?;
                let length = brackets(inside, delimiter)?;
                chars = rest.get(..)?.char_indices();
                let behind = at + 1 + length;
                while chars.offset() < behind {
                    chars.next()?;
                }
            }
            c if c == delimiter => return rest.get(at + 1..),
            _ => {}
        }
    }
    None
}

/// Returns the length of a bracket expression, including its closing bracket. Implementations of sed disagree about
/// brackets and backslashes inside, so only a bracket at its beginning is accepted, where all of them agree in the end.
/// A delimiter is accepted without either: if sed ends the pattern there, the bracket is never closed and sed fails.
fn brackets(inside: &str, delimiter: char) -> Option<usize> {
    let begun = inside.strip_prefix('^').unwrap_or(inside);
    let mut at = inside.len() - begun.len();
    if let Some(length) = begun.find(']')
        && length > 0
        && !begun[..length].contains(['[', '\\', '\n'])
    {
        return Some(at + length + 1);
    }
    if let Some(rest) = begun.strip_prefix(']') {
        let length = rest.find(']')?;
        let is_alike = |c: char| c != delimiter && !matches!(c, '\\' | '[' | '\n');
        return rest.get(..length)?.chars().all(is_alike).then_some(at + 1 + length + 1);
    }
    while let Some(c) = inside.get(at..)?.chars().next() {
        let rest = inside.get(at..)?;
        match c {
            ']' => return Some(at + 1),
            '\n' => return None,
            c if c == delimiter => return None,
            '\\' => {
                let next = rest.get(1..)?.chars().next()?;
                if !(next.is_ascii_alphanumeric() || ".-*+$".contains(next)) || next == delimiter {
                    return None;
                }
                at += 2;
            }
            '[' => {
                let class = rest.strip_prefix("[:")?;
                let length = class.find(":]")?;
                if delimiter == ':' || !class.get(..length)?.bytes().all(|byte| byte.is_ascii_lowercase()) {
                    return None;
                }
                at += length + 4;
            }
            c => at += c.len_utf8(),
        }
    }
    None
}

/// Returns the text after the closing delimiter of a replacement.
fn replacement(rest: &str, delimiter: char) -> Option<&str> {
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return None,
            '\\' => {
                chars.next().filter(|(_, next)| *next != '\n')?;
            }
            c if c == delimiter => return rest.get(at + 1..),
            _ => {}
        }
    }
    None
}

/// Returns the text after the single line of text of `a`, `i` or `c`. A backslash in it is refused, because it may
/// join the line with the next one.
fn text(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix('\\').map_or(rest, |rest| rest.strip_prefix('\n').unwrap_or(rest));
    let (line, next) = rest.split_once('\n').unwrap_or((rest, ""));
    (!line.trim().is_empty() && !line.contains('\\')).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    #[test]
    fn lines_are_selected_changed_and_printed() {
        for script in [
            "1,20p",
            "$p",
            "/fn main/,/^}/p",
            "p",
            "s/a/b/",
            "s/a/b/g;s|x|y|p",
            "s@a@b@",
            "s:/usr:/opt:g",
            "s!a!b!",
            "/^$/d",
            "5q",
            "$!d",
            "=",
            "1~2p",
            "/x/{p;q}",
            "$!{h;d;};x",
            "1i header",
            "1i\\header",
            "$a\\\nlast line",
            ":a;N;$!ba;s/\\n/ /g",
            "\\,^/usr,d",
            "s/[^,]*,//2",
            "s/[[:space:]]*$//",
            "s/^[ \\t]*//;# blanks",
            "0,/x/s//y/",
            "/a/,+3p",
            "/BEGIN/,/END/{/x/d}",
            "y/abc/xyz/",
            "n;d",
            "s/a/b/;ta;s/c/d/;:a",
            "s/\\[([^]]+)\\]\\([^)]+\\)/\\1/g",
            "s/[]x]//;p",
            "/[^/]/p",
            "s/[^/]*$//",
            "s/[^/]*\\//  /g",
            "s/[a-z/]*;//p",
            "",
        ] {
            assert!(only_prints(script), "{script}");
        }
    }

    #[test]
    fn whatever_may_do_more_or_may_be_read_otherwise_is_refused() {
        for script in [
            "1,3p;w out.txt",
            "s/a/b/w x",
            "s/x/id/e",
            "1e id",
            "e",
            "w x",
            "r /etc/passwd",
            "s/a/b/;e",
            "s\u{1}a\u{1}id\u{1}e",
            "p\nw x",
            "W x",
            "s/a/b/gw x",
            "R x",
            "1!{w x\n}",
            "/x/{p;e id}",
            "/x/{s/a/b/e}",
            "{p;{w x}}",
            "/[/p;s/]/e id -un;/",
            "s/[/]/p;s/e;/a/p",
            "/[/p;s/]/w stolen;/",
            "s/[/]/x/e",
            "s/[/]/x/w out",
            "/[/]/e id",
            "s/x[/]e/id/e",
            "s/[/p;e id",
            "s|[|]|p;s|e;|a|p",
            "s/[]/]/x/",
            "/[]/p;s/]/e id/",
            "/[]\\]/p;s/]/e id/",
            "/[^][/]/p",
            "/[[:alpha:]/]/p",
            "s/[\\]/]/x/;e",
            "s/[\\/]/x/;e",
            "s/a\\\n/b/",
            "s/a/b\n/",
            "a\\",
            "a x\\\nw y",
            "a",
            "i\\\n",
            "s a b e",
            "sxaxbxe",
            "y/a/b/e",
            "{p}p",
            "v",
            "L",
        ] {
            assert!(!only_prints(script), "{script}");
        }
    }
}
