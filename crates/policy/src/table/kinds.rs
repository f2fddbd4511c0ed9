//! Operands that are small languages of their own: which of their texts do nothing but read and print.

use super::awk;
use super::check::Touch;
use super::entry::Kind;
use deputy_protocol::Risk;
use regex::Regex;
use std::sync::LazyLock;

/// What is wrong with a text as an operand of a kind; `None` when it is harmless.
pub(crate) fn problem(kind: Kind, text: &str) -> Option<&'static str> {
    let bad = match kind {
        // Some programs read their arguments from such a file.
        Kind::Read | Kind::Magic => text.starts_with('@'),
        Kind::Text | Kind::List | Kind::Content | Kind::Visible | Kind::Revision | Kind::Sums => false,
        Kind::Number => !number(text),
        Kind::Sed => !sed(text),
        Kind::Jq => !jq(text),
        Kind::Format => !text.starts_with('+'),
        Kind::Printf => !printf(text),
        Kind::Pretty => text.contains("%G") || text.contains("signature") || text.contains("describe"),
        Kind::Local => text.contains(':') || text.starts_with('@'),
        Kind::Awk => !awk::only_prints(text),
        Kind::Test => false,
    };
    bad.then_some(match kind {
        Kind::Local => "may be a file on another machine",
        Kind::Awk => "is more than a print of fields",
        Kind::Read | Kind::Magic => "may be a list of arguments",
        Kind::Number => "is not a plain number",
        Kind::Sed => "is more than a print of lines",
        Kind::Jq => "may read more than its input",
        Kind::Format => "would set the clock",
        Kind::Printf => "holds more than known conversions, one of which sets a variable",
        _ => "may run a verifier",
    })
}

/// How bad an operand of a kind may be when it is not harmless.
pub(crate) fn risk(kind: Kind, text: &str) -> Risk {
    // `e` of sed, alone or behind a substitution, runs a program; so do pipes and calls by name in awk.
    static RUNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?:^|[;{}\d$!/\s])e(?:[\s;}]|$)|[/|,#][gpiIm\d]*e[gpiIm\d]*\s*(?:[;}\n]|$)").ok()
    });
    match kind {
        Kind::Jq | Kind::Pretty | Kind::Local => Risk::High,
        Kind::Sed if RUNS.as_ref().is_none_or(|runs| runs.is_match(text)) => Risk::High,
        Kind::Awk if text.contains(['|', '@']) => Risk::High,
        _ => Risk::Medium,
    }
}

fn number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-', '<', '>', '@']);
    let unit = digits.trim_start_matches(|c: char| c.is_ascii_digit() || ".,:/".contains(c));
    digits.starts_with(|c: char| c.is_ascii_digit())
        && unit.len() <= 3
        && unit.chars().all(|c| c.is_ascii_alphabetic() || c == '%')
}

/// Conversions that only print: `%n` sets a variable of the shell.
fn printf(text: &str) -> bool {
    static FORMAT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let field = r"[-+ 0#']*(?:\d+|\*)?(?:\.(?:-?\d+|\*)?)?";
        let letter = r"[hlLjzt]*[diouxXeEfFgGaAcsbqQ]|\([^()]*\)T";
        Regex::new(&format!(r"^(?s:[^%]|%%|%{field}(?:{letter}))*$")).ok()
    });
    FORMAT.as_ref().is_some_and(|format| format.is_match(text))
}

/// Print ranges, plain substitutions without `e` and `w`, deletions and quitting.
fn sed(text: &str) -> bool {
    static SCRIPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let address = r"(?:\d+|\$|/(?:[^/\\\n]|\\[^\n])*/I?)";
        let range = format!(r"(?:{address}(?:~\d+)?(?:\s*,\s*(?:{address}|\+\d+|~\d+))?\s*!?)?");
        let replace = r"s(?:/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/|\|(?:[^|\\\n]|\\[^\n])*\|(?:[^|\\\n]|\\[^\n])*\||,(?:[^,\\\n]|\\[^\n])*,(?:[^,\\\n]|\\[^\n])*,|#(?:[^#\\\n]|\\[^\n])*#(?:[^#\\\n]|\\[^\n])*#)[gpiI\d]*";
        let translate = r"y/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/";
        let single = format!(r"\s*{range}\s*(?:[pdqQ=lGHhxNnDP]|{replace}|{translate})\s*");
        let group = format!(r"\s*{range}\s*\{{{single}(?:;{single})*;?\s*\}}\s*");
        let command = format!("(?:{single}|{group})");
        Regex::new(&format!(r"^{command}(?:;{command})*;?\s*$")).ok()
    });
    SCRIPT.as_ref().is_some_and(|script| script.is_match(text))
}

/// Words of jq that load code, read other files, or show the environment.
fn jq(text: &str) -> bool {
    const LOADING: &[&str] = &[
        "import",
        "include",
        "env",
        "input_filename",
        "modulemeta",
        "get_search_list",
        "input_line_number",
        "halt_error",
    ];
    // `.env` is a field; `..` is not the beginning of one.
    let is_field = |at: usize| text[..at].ends_with('.') && !text[..at].ends_with("..");
    let is_harmless = |word: &str| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        !LOADING.contains(&word) || is_field(at)
    };
    !text.contains("$ENV")
        && !text.contains("$__prog")
        && text.split(|c: char| !c.is_alphanumeric() && c != '_').all(is_harmless)
}

/// The paths an expression of `test` looks at. Only expressions without arithmetic and without variables' names.
pub(crate) fn test(words: &[&str]) -> Result<Vec<Touch>, String> {
    // No harmless test speaks of these; refused wherever they stand, so that no reading of the operators matters.
    if words.iter().any(|word| matches!(*word, "-v" | "-R") || word.contains("$(") || word.contains('`')) {
        return Err("A test of variables can run code hidden in text.".to_owned());
    }
    let mut touches = Vec::new();
    let mut look =
        |text: &str| touches.push(Touch { kind: Kind::List, text: text.to_owned(), selected: Vec::new() });
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "!" | "-a" | "-o" | "]" => {}
            "-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" | "-L" | "-h" | "-b" | "-c" | "-p" | "-S"
            | "-g" | "-u" | "-k" | "-O" | "-G" => {
                look(words.next().ok_or_else(|| format!("{word} tests nothing"))?);
            }
            "-z" | "-n" => {
                words.next().ok_or_else(|| format!("{word} tests nothing"))?;
            }
            left => match words.next() {
                Some("=" | "==" | "!=") => {
                    words.next().ok_or("compares with nothing")?;
                }
                Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") => {
                    let right = words.next().ok_or("compares with nothing")?;
                    let plain =
                        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                    if !plain(left) || !plain(right) {
                        return Err("A comparison of numbers evaluates what it is given.".to_owned());
                    }
                }
                Some("-nt" | "-ot" | "-ef") => {
                    look(left);
                    look(words.next().ok_or("compares with nothing")?);
                }
                _ => return Err(format!("`{left}` is not a known harmless test.")),
            },
        }
    }
    Ok(touches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sed_only_prints() {
        for script in [
            "1,20p",
            "$p",
            "/fn main/,/^}/p",
            "p",
            "s/a/b/",
            "s/a/b/g;s|x|y|p",
            "/^$/d",
            "5q",
            "$!d",
            "=",
            "1~2p",
            "/x/{p;q}",
            "$!{h;d;};x",
        ] {
            assert_eq!(problem(Kind::Sed, script), None, "{script}");
        }
        for script in [
            "1,3p;w out.txt",
            "s/a/b/w x",
            "s/x/id/e",
            "1e id",
            "w x",
            "r /etc/passwd",
            "s/a/b/;e",
            "s\u{1}a\u{1}id\u{1}e",
            "p\nw x",
            "W x",
            "s/a/b/gw x",
            "R x",
            "F",
            "1!{w x\n}",
            "/x/{p;e id}",
            "/x/{s/a/b/e}",
            "{p;{w x}}",
            "a text",
        ] {
            assert!(problem(Kind::Sed, script).is_some(), "{script}");
        }
    }

    #[test]
    fn jq_reads_only_its_input() {
        for filter in [
            ".",
            ".name",
            ".dependencies | to_entries[] | \"\\(.key)\"",
            ".environment",
            ".env",
            ".a.env | keys",
        ] {
            assert_eq!(problem(Kind::Jq, filter), None, "{filter}");
        }
        for filter in [
            "import \"evil\" as e; e::x",
            "env",
            "$ENV.PATH",
            "env.HOME",
            ". | env",
            "..env",
            "\"\\(env)\"",
            "{env}",
            ".[env]",
            "include \"x\"; .",
        ] {
            assert!(problem(Kind::Jq, filter).is_some(), "{filter}");
        }
    }

    #[test]
    fn numbers_hide_no_letters() {
        for text in ["5", "+3", "-7", "10k", "1,1", "+1M", "0.5", "50%"] {
            assert_eq!(problem(Kind::Number, text), None, "{text}");
        }
        for text in ["o", "ols", "", "x5", "5abcd", "-delete"] {
            assert!(problem(Kind::Number, text).is_some(), "{text}");
        }
    }

    #[test]
    fn formats_that_only_print_are_told_from_those_that_set_variables() {
        for text in ["%s\\n", "100%%", "%-5.1f|%*d", "%(%F %T)T", "%q %b %x", "\n", "%lu"] {
            assert!(printf(text), "{text:?}");
        }
        for text in ["%n", "a%5nb", "%.0n", "%ln", "%", "%%%", "%k", "%-n", "%(%F)n", "%$(x)s"] {
            assert!(!printf(text), "{text:?}");
        }
    }

    #[test]
    fn tests_look_at_paths_and_compare_plain_numbers() {
        assert_eq!(test(&["-d", "src", "]"]).unwrap()[0].text, "src");
        assert!(test(&["-v", "a[$(id)]"]).is_err());
        assert!(test(&["a[$(id)]", "-eq", "0"]).is_err());
        assert!(test(&["1", "-lt", "2"]).unwrap().is_empty());
    }
}
