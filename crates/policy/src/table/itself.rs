//! Programs that are asked about themselves, with `--version` or `--help` as the only word.

use super::entry::Words;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Itself {
    version: Words,
    /// Programs that also accept `-version`.
    one_dash: Words,
    help: Words,
}

/// Whether an argv only asks a program of the list about itself. If the data cannot be parsed, the list is empty.
pub(crate) fn is_about_itself(argv: &[String]) -> bool {
    static ITSELF: LazyLock<Itself> =
        LazyLock::new(|| toml::from_str(include_str!("../../data/itself.toml")).unwrap_or_default());
    match argv {
        [name, option] if option == "--version" => ITSELF.version.has(name),
        [name, option] if option == "-version" => ITSELF.one_dash.has(name),
        [name, option] if option == "--help" => ITSELF.help.has(name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_about_itself;

    #[test]
    fn only_the_one_word_counts() {
        let asks = |text: &str| is_about_itself(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for text in ["ls --help", "rm --help", "sort --version", "ps --version", "sqlite3 -version"] {
            assert!(asks(text), "{text}");
        }
        for text in [
            "rm --help x",
            "rm x --help",
            "git --help",
            "./ls --help",
            "sudo --version",
            "sed -version",
            "yarn --version",
            "ls",
        ] {
            assert!(!asks(text), "{text}");
        }
    }
}
