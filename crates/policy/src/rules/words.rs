//! Converts between the words of a simple command and their text. This is not a shell: everything that a shell would
//! interpret is refused.

/// Splits the text of a simple command into its literal words. `None` if a shell would do more than that.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        c => quoted.push(c),
                    }
                }
            }
            '"' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            c @ ('"' | '\\' | '$' | '`') => quoted.push(c),
                            _ => return None,
                        },
                        '$' | '`' | '!' => return None,
                        c => quoted.push(c),
                    }
                }
            }
            '\\' => match characters.next()? {
                '\n' => return None,
                c => word.get_or_insert_default().push(c),
            },
            '#' if word.is_none() => return None,
            '~' if word.is_none() => return None,
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '*' | '?' | '[' | ']' | '{' | '}' | '!' => {
                return None;
            }
            c if crate::unseen::is_unseen(c) => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let has_program =
        words.first().is_some_and(|program: &String| !program.is_empty() && !program.contains('='));
    has_program.then_some(words)
}

/// Formats the words as a text that `split` and a shell parse into the same words.
pub fn canonical(argv: &[String]) -> String {
    let quoted: Vec<String> = argv.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quoting_is_undone_and_shell_features_are_refused() {
        let words = |text| split(text).map(|words| words.join("|"));
        assert_eq!(words("git  push"), Some("git|push".into()));
        assert_eq!(words(r#"echo 'a b' "c d" e\ f"#), Some("echo|a b|c d|e f".into()));
        assert_eq!(words("g''it push"), Some("git|push".into()));
        for text in [
            "a; b", "a > b", "a $x", "a `b`", "a \"$b\"", "X=1 a", "ls ~", "ls *", "a 'b", "a\nb", "a & b",
            "",
        ] {
            assert_eq!(words(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn canonical_text_splits_into_the_same_words(argv in proptest::collection::vec("[a-z '\"$*;]{0,6}", 0..5)) {
            let mut words = vec!["x".to_owned()];
            words.extend(argv);
            prop_assert_eq!(split(&canonical(&words)), Some(words));
        }
    }
}
