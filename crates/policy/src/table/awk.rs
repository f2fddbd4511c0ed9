//! Programs of awk that only print fields and sums: read token by token, and everything that is not known is refused.

/// What is called by its name.
const FUNCTIONS: &[&str] = &[
    "length", "substr", "index", "split", "tolower", "toupper", "sprintf", "sub", "gsub", "match", "int",
    "sqrt", "log", "exp", "sin", "cos", "print", "printf", "if", "for", "while", "in",
];

/// What reads other files, runs programs, shows the environment or loads code.
const NEVER: &[&str] = &[
    "getline",
    "system",
    "close",
    "fflush",
    "ENVIRON",
    "ARGV",
    "ARGC",
    "PROCINFO",
    "SYMTAB",
    "FUNCTAB",
    "function",
    "func",
    "include",
    "load",
    "namespace",
    "FILENAME",
    "nextfile",
    "srand",
    "rand",
    "systime",
    "strftime",
];

/// What stood before: whether a slash begins a pattern or divides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An operator, a comma, a brace: a value comes next.
    Operator,
    /// A value: an operator comes next.
    Value,
    /// `++` and `--`, behind or in front of a value.
    Step,
}

/// Whether a program does nothing but compute and print.
pub(super) fn only_prints(program: &str) -> bool {
    let mut rest = program;
    let mut before = Before::Operator;
    // Parentheses since the `print` that is being read began; outside of one, `>` compares.
    let mut printing: Option<usize> = None;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            ' ' | '\t' => {
                rest = &rest[1..];
                continue;
            }
            '"' => literal(rest, '"'),
            '/' if before == Before::Operator => literal(rest, '/'),
            '/' if before == Before::Step => None,
            'a'..='z' | 'A'..='Z' | '_' => {
                let word = &rest[..end_of(rest, |c| c.is_ascii_alphanumeric() || c == '_')];
                let called = rest[word.len()..].trim_start().starts_with('(');
                if NEVER.contains(&word) || (called && !FUNCTIONS.contains(&word)) {
                    return false;
                }
                let is_print = matches!(word, "print" | "printf");
                if is_print {
                    printing = Some(0);
                }
                before = if is_print || word == "in" { Before::Operator } else { Before::Value };
                rest = &rest[word.len()..];
                continue;
            }
            '0'..='9' | '.' => Some(end_of(rest, |c| c.is_ascii_alphanumeric() || c == '.')),
            _ => operator(rest, &mut printing),
        };
        let Some(length) = length else { return false };
        before = match &rest[..length] {
            "++" | "--" => Before::Step,
            token if token.ends_with([')', ']', '"']) || token.len() > 1 && token.ends_with('/') => {
                Before::Value
            }
            token if token.starts_with(|c: char| c.is_ascii_digit() || c == '.') => Before::Value,
            _ => Before::Operator,
        };
        rest = &rest[length..];
    }
    true
}

fn end_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// The length of a text or a pattern that begins here. A slash in brackets may end a pattern or not: refused.
fn literal(text: &str, mark: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next().filter(|(_, c)| *c != '\n')?;
            }
            '\n' => return None,
            '[' if mark == '/' && text[at..].split(']').next().is_some_and(|set| set.contains('/')) => {
                return None;
            }
            c if c == mark => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The length of an operator. `>` where something is printed, and every single `|`, lead out of the program.
fn operator(text: &str, printing: &mut Option<usize>) -> Option<usize> {
    let long = ["++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "%=", "^=", "!~"];
    let token = long.into_iter().find(|long| text.starts_with(long)).unwrap_or(text.get(..1)?);
    match token {
        "(" => *printing = printing.map(|depth| depth + 1),
        ")" => *printing = printing.map(|depth| depth.saturating_sub(1)),
        // The end of a line may not end the statement.
        ";" | "}" => *printing = None,
        ">" | ">=" if *printing == Some(0) => return None,
        _ => {}
    }
    let is_known = token.len() == 2 || "{}()[];,+-*/%^!<>?:~$=&\n".contains(token);
    // A single `&` is none of awk's.
    (is_known && token != "&").then_some(token.len())
}

#[cfg(test)]
mod tests {
    use super::only_prints;

    #[test]
    fn comparisons_and_sums_only_print() {
        for program in [
            "{print $1}",
            "NR==1",
            "/x/ {print $2, NF}",
            "{s+=$1} END {print s}",
            "BEGIN{FS=\",\"} {print length($0)}",
            "NR<3 || /y/",
            "{printf \"%s\\n\", $1}",
            "length > 80",
            "length($0) > 80",
            "$3>5 {print $1, $3}",
            "NR>1 && NR<5",
            "!seen[$0]++",
            "/a|b/",
            "/a\\/b/ {print \"a > b | c\"}",
            "{print ($1 > 3)}",
            "{a[$1]++} END {for (k in a) print k, a[k]}",
            "END {print s/NR}",
            "{x = $2 / 2; y = $3 / 4; print x, y}",
            "$2 ~ /^x/ {gsub(/a/, \"b\"); print}",
            "$1 > max {max = $1}\nEND {print max}",
            "{print NR\": \"$0}",
        ] {
            assert!(only_prints(program), "{program}");
        }
    }

    #[test]
    fn what_leads_out_of_the_program_is_refused() {
        for program in [
            "BEGIN{system(\"id\")}",
            "{print > \"x\"}",
            "{print $3>5}",
            "{print $1 >> \"x\"}",
            "{print(1) > \"x\"}",
            "{printf \"a\" > \"x\"}",
            "{print /a/ > \"x\"}",
            "{if (1) print > \"x\"}",
            "{print | \"sh\"}",
            "{print $1 |& \"sh\"}",
            "BEGIN{\"id\"|getline x}",
            "BEGIN{\"id\" | getline}",
            "{getline < \"x\"}",
            "BEGIN{ARGV[1]=\"x\"}",
            "{print ENVIRON[\"A\"]}",
            "@load \"x\"",
            "BEGIN{f=\"x\"; @f()}",
            "function f(){} {f()}",
            "{\"id\" |& getline}",
            "{x = i++ /2; system(\"id\") /1}",
            "{a /b; system(\"id\"); c/}",
            "/[/]/ {system(\"id\")} /]/",
            "/a",
            "{print \"a}",
            "{print \"a\\\n\"}",
            "{print} # \" ",
            "{print `id`}",
            "{print 'a'}",
            "{print \\\n> \"x\"}",
            "{print é}",
            "{print a,\n b > \"x\"}",
        ] {
            assert!(!only_prints(program), "{program}");
        }
    }
}
