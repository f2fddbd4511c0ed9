//! The texts of the tray, the menu and the notifications. The page has its own.

use std::collections::HashMap;
use std::sync::LazyLock;

const ENGLISH: &str = include_str!("../words/en.json");
const GERMAN: &str = include_str!("../words/de.json");

static WORDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let is_german = wished_language().is_some_and(|language| language.starts_with("de"));
    let of = |text| serde_json::from_str(text).unwrap_or_default();
    of(if is_german { GERMAN } else { ENGLISH })
});

/// Returns the language of the system's messages, from the usual environment variables in their order.
fn wished_language() -> Option<String> {
    let named = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(named)
}

/// Returns a message.
pub(crate) fn word(key: &str) -> String {
    WORDS.get(key).cloned().unwrap_or_else(|| key.to_owned())
}

/// Returns a counted message.
pub(crate) fn counted(key: &str, count: usize) -> String {
    let form = if count == 1 { "one" } else { "other" };
    word(&format!("{key}_{form}")).replace("{count}", &count.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_say_the_same_things() {
        let keys = |text| {
            let words: HashMap<String, String> = serde_json::from_str(text).unwrap();
            let mut keys: Vec<_> =
                words.into_iter().map(|(key, text)| (key, text.contains("{count}"))).collect();
            keys.sort();
            keys
        };
        assert_eq!(keys(ENGLISH), keys(GERMAN));
    }
}
