//! Recognizes awk programs that only print fields and sums. The program is read token by token, and everything
//! unknown is refused.

/// Names that may be called.
const FUNCTIONS: &[&str] = &[
    "length", "substr", "index", "split", "tolower", "toupper", "sprintf", "sub", "gsub", "gensub", "match",
    "int", "sqrt", "log", "exp", "sin", "cos", "atan2", "rand", "srand", "systime", "strftime", "mktime",
    "asort", "asorti", "print", "printf", "if", "for", "while", "in", "return", "exit",
];

/// Names that read other files, run programs, show the environment or load code.
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
];

/// Texts that are refused in any position, including strings and patterns, so that the parsing of their ends does not
/// matter.
const NOWHERE: &[&str] = &["getline", "ENVIRON", "PROCINFO", "SYMTAB", "FUNCTAB", "@load", "@include"];

/// The kind of the previous token. It determines whether a slash begins a pattern or divides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An operator, a comma or a brace. A value comes next.
    Operator,
    /// A value. An operator comes next.
    Value,
    /// A token after which a slash may be either.
    Unsure,
}

/// Whether a program only computes and prints.
pub(super) fn only_prints(program: &str) -> bool {
    if NOWHERE.iter().any(|word| program.contains(word)) || calls_system(program) {
        return false;
    }
    let mut reader =
        Reader { rest: program, before: Before::Operator, printing: None, conditions: Vec::new() };
    while let Some(c) = reader.rest.chars().next() {
        if reader.token(c).is_none() {
            return false;
        }
    }
    true
}

struct Reader<'a> {
    rest: &'a str,
    before: Before,
    /// The number of open parentheses since the current `print`. Outside of a `print`, `>` compares.
    printing: Option<usize>,
    /// For each open parenthesis, whether it contains the condition of a statement.
    conditions: Vec<bool>,
}

impl Reader<'_> {
    fn token(&mut self, c: char) -> Option<()> {
        match c {
            ' ' | '\t' => self.take(1, self.before),
            '"' => self.take(text(self.rest)?, Before::Value),
            // After two adjacent patterns it is uncertain how awk interprets a third slash.
            '/' if self.before == Before::Operator => self.take(pattern(self.rest)?, Before::Unsure),
            '/' if self.before == Before::Unsure => return None,
            'a'..='z' | 'A'..='Z' | '_' => self.word()?,
            '0'..='9' | '.' => self.take(number(self.rest)?, Before::Value),
            _ => self.operator()?,
        }
        Some(())
    }

    fn take(&mut self, length: usize, before: Before) {
        self.rest = &self.rest[length..];
        self.before = before;
    }

    fn word(&mut self) -> Option<()> {
        const KEYWORDS: &[&str] = &[
            "if", "else", "while", "for", "do", "in", "return", "delete", "exit", "next", "break", "continue",
        ];
        let word = &self.rest[..end_of(self.rest, |c| c.is_ascii_alphanumeric() || c == '_')];
        let called = self.rest[word.len()..].trim_start().starts_with('(');
        if NEVER.contains(&word) || (called && !FUNCTIONS.contains(&word)) {
            return None;
        }
        let is_print = matches!(word, "print" | "printf");
        if is_print {
            self.printing = Some(0);
        }
        let is_condition = called && matches!(word, "if" | "while" | "for");
        let is_keyword = KEYWORDS.contains(&word);
        self.take(
            word.len(),
            if is_print {
                Before::Operator
            } else if is_keyword {
                Before::Unsure
            } else {
                Before::Value
            },
        );
        if is_condition {
            let blanks = end_of(self.rest, char::is_whitespace);
            self.take(blanks + 1, Before::Operator);
            self.conditions.push(true);
        }
        Some(())
    }

    /// Reads an operator. `>` in a print statement and every single `|` write outside the program, so they are
    /// refused.
    fn operator(&mut self) -> Option<()> {
        let long = ["++", "--", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "%=", "^=", "!~"];
        let token = long.into_iter().find(|long| self.rest.starts_with(long)).or(self.rest.get(..1))?;
        let mut before = Before::Operator;
        match token {
            "(" => {
                self.printing = self.printing.map(|depth| depth + 1);
                self.conditions.push(false);
            }
            ")" => {
                self.printing = self.printing.map(|depth| depth.saturating_sub(1));
                before = if self.conditions.pop()? { Before::Unsure } else { Before::Value };
            }
            "]" => before = Before::Value,
            "++" | "--" => before = Before::Unsure,
            // The end of a line may not end the statement.
            ";" | "}" => self.printing = None,
            ">" | ">=" if self.printing == Some(0) => return None,
            _ if token.len() == 2 || "{[,+-*/%^!<>?:~$=\n".contains(token) => {}
            _ => return None,
        }
        self.take(token.len(), before);
        Some(())
    }
}

/// Whether `system` is followed by a parenthesis anywhere.
fn calls_system(program: &str) -> bool {
    let mut pieces = program.split("system");
    pieces.next();
    pieces.any(|after| after.trim_start_matches([' ', '\t', '\n', '\\', '\r']).starts_with('('))
}

/// Returns the length of a number that begins here. Implementations differ on the end of a number that is followed by
/// a letter, such as `1e` or `0x1f`; these are refused.
fn number(rest: &str) -> Option<usize> {
    let length = end_of(rest, |c| c.is_ascii_digit() || c == '.');
    let (number, next) = rest.split_at(length);
    let is_plain = number.len() > 1 || number != ".";
    let ends = !next.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (is_plain && ends && number.matches('.').count() <= 1).then_some(length)
}

fn end_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

/// Returns the length of a string that begins here.
fn text(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next().filter(|(_, c)| *c != '\n')?;
            }
            '\n' => return None,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns the length of a pattern that begins here. `None` if implementations differ on its end, such as for a slash
/// in brackets.
fn pattern(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    let mut in_brackets = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars
                    .next()
                    .filter(|(_, c)| !in_brackets || c.is_ascii_alphanumeric())
                    .filter(|(_, c)| *c != '\n')?;
            }
            '\n' => return None,
            '/' if in_brackets => return None,
            '/' => return Some(at + 1),
            '[' if !in_brackets => {
                let inner = rest[at + 1..].trim_start_matches('^');
                if inner.starts_with(']') {
                    return None;
                }
                in_brackets = true;
            }
            '[' => {
                // A class such as `[:space:]`, whose closing bracket does not end the expression.
                let class = rest[at..].strip_prefix("[:")?;
                let length =
                    class.find(":]").filter(|end| class[..*end].bytes().all(|b| b.is_ascii_lowercase()))?;
                chars.nth(length + 2)?;
            }
            ']' => in_brackets = false,
            _ => {}
        }
    }
    None
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
            "{print ($1 + $2) / 2, a[1] / 2}",
            "{if ($1 > 3) print; else print \"x\"}",
            "{for (i = 1; i <= NF; i++) print $i}",
            "/^[[:space:]]*[a-z0-9_]+/ {print}",
            "{gsub(/[^0-9]/, \"\"); print}",
            "{print FILENAME, FNR}",
            "/filesystem/ {print \"system ok\"}",
            "BEGIN {srand(1); print rand()}",
            "{print .5 * $1, 1.5}",
            "{exit(1)}",
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
            "{if (1) /\"/ ; print > \"x\" ; if (1) /\"/;}",
            "{if (0) a; else /\"/ ; print > \"x\" ; if (1) /\"/;}",
            "{do /\"/; while (0); print > \"x\"; a /\"/ }",
            "/[]/\"]/ {print > \"x\"} /[]/\"]/",
            "/a/ /\"/ {print > \"x\"} /\"/",
            "{print a /(/ b/) > \"f\"}",
            "{x++ /\"/; print > \"x\"; y++ /\"/}",
            "{print (a)(b) > \"f\"}",
            "{print) > \"f\"}",
            "BEGIN{print 1system(\"id -un\")}",
            "BEGIN{while((1getline < \"/etc/passwd\")>0) print}",
            "{print 2ENVIRON[\"HOME\"]}",
            "{$1system(\"x\")}",
            "{3close(\"x\")}",
            "{print 1e5system(\"x\")}",
            "{print 0x1fsystem(\"x\")}",
            "{print 1.2.3}",
            "{print . }",
            "{print 1_a}",
            "/system (/ {print}",
        ] {
            assert!(!only_prints(program), "{program}");
        }
    }
}
