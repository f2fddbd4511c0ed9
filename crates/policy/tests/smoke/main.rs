//! Runs random texts, built from typical pieces: nothing panics, and nothing forbidden is allowed.
//!
//! The default is 100,000 texts. `DEPUTY_SMOKE` sets another number, and `SEED` repeats a run.

#[cfg(test)]
mod subjects;

#[cfg(test)]
mod tests {
    use super::subjects::Place;

    const SHELL: &[&str] = &[
        "ls",
        " ",
        " ",
        " ",
        "$(",
        ")",
        "`",
        "'",
        "\"",
        "\\",
        "{",
        "}",
        ",",
        "..",
        "~",
        "*",
        "[",
        "]",
        "<<EOF\n",
        "EOF\n",
        ">",
        "<",
        "|",
        "&",
        ";",
        "\n",
        "$x",
        "${x",
        "((",
        "))",
        "if",
        "then",
        "fi",
        "for",
        "do",
        "done",
        "case",
        "esac",
        "f()",
        "#",
        "=",
        "!",
        "$'",
        "-n",
        "/",
        "cd ",
        "git ",
        "find . ",
        "2>&1",
        "cat README.md",
        "rm -rf ~",
        "echo hi",
        "wc -l",
        "env ",
        "sh -c ",
        "README.md",
        "a.txt",
        "src",
        ".env",
        "-exec",
        "\u{202e}",
        "\u{200b}",
        "\0",
        "\r",
        "\u{1b}[8m",
        "é",
    ];
    const PATH: &[&str] = &[
        "/",
        "//",
        "..",
        ".",
        "README.md",
        "src",
        "main.rs",
        "up",
        ".env",
        ".ssh",
        "~",
        "project",
        "etc",
        "passwd",
        "proc/self",
        "\\",
        "%2e",
        "\0",
        "\n",
        "C:",
        "é",
        "e\u{301}",
        " ",
    ];
    const URL: &[&str] = &[
        "https",
        "http",
        "file",
        "javascript",
        "://",
        ":",
        "//",
        "/",
        "\\",
        "example.com",
        "example.org",
        "www.",
        "localhost",
        "@",
        "user",
        ":8443",
        ":3000",
        "127.0.0.1",
        "[::1]",
        "0x7f.1",
        "?",
        "#",
        "%2f",
        "%00",
        "\t",
        "\n",
        "\u{ff0e}",
        "\u{fb01}",
        "xn--",
        "about:blank",
        "data:",
        ".",
        "..",
    ];
    const RULES: &[&str] = &[
        "[[rule]]\n",
        "effect = \"allow\"\n",
        "effect = \"deny\"\n",
        "effect = 1\n",
        "tool = \"shell\"\n",
        "tool = \"read\"\n",
        "argv = [\"git\", \"status\"]\n",
        "argv = [\"git\", \"…\"]\n",
        "argv = []\n",
        "pattern = \"git .*\"\n",
        "pattern = \"(\"\n",
        "within = \"~\"\n",
        "within = \"/\"\n",
        "expires = \"2030-01-01\"\n",
        "expires = 2030-01-01T00:00:00Z\n",
        "confinement = \"workspace\"\n",
        "examples = { match = [\"git status\"], not_match = [\"git push\"] }\n",
        "#",
        "\"",
        "=",
        "{",
        "[",
        "\n",
        "é",
        "\0",
    ];

    /// A random number generator (splitmix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = self.0;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) % bound as u64) as usize
        }

        fn text(&mut self, pieces: &[&str]) -> String {
            let mut text = String::new();
            for _ in 0..self.below(16) {
                match self.below(12) {
                    0 => text.extend(char::from_u32(self.below(0x11_0000) as u32)),
                    1 => text.push(self.below(128) as u8 as char),
                    _ => text.push_str(pieces[self.below(pieces.len())]),
                }
            }
            text
        }
    }

    fn number(variable: &str) -> Option<u64> {
        std::env::var(variable).ok()?.parse().ok()
    }

    /// Checks a quarter of the texts with the given function.
    fn smoke(name: &str, pieces: &[&str], hold: impl Fn(&Place, &str)) {
        let count = number("DEPUTY_SMOKE").unwrap_or(100_000) / 4;
        println!("{name}: {count} texts");
        let seed = deputy_testkit::seed();
        let (place, mut random) = (Place::new(), Random(seed));
        for _ in 0..count {
            let text = random.text(pieces);
            let held = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hold(&place, &text)));
            assert!(held.is_ok(), "{name} does not hold for {text:?}");
        }
    }

    #[test]
    fn shell_texts() {
        smoke("shell", SHELL, Place::shell);
    }

    #[test]
    fn paths() {
        smoke("paths", PATH, Place::path);
    }

    #[test]
    fn urls() {
        smoke("urls", URL, Place::url);
    }

    #[test]
    fn rules_files() {
        smoke("rules", RULES, Place::rules);
    }
}
