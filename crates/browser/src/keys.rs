//! Parses keys by name: `Enter`, `Control+A`, `ArrowDown`, or a single character.

use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde_json::{Value, json};

/// A key press with its modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stroke {
    key: String,
    code: u32,
    text: String,
    modifiers: u8,
}

/// Keys that are not characters: the name, the key code, and the text that the key produces.
const NAMED: &[(&str, u32, &str)] = &[
    ("Enter", 13, "\r"),
    ("Tab", 9, ""),
    ("Escape", 27, ""),
    ("Backspace", 8, ""),
    ("Delete", 46, ""),
    ("Space", 32, " "),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("Home", 36, ""),
    ("End", 35, ""),
    ("PageUp", 33, ""),
    ("PageDown", 34, ""),
    ("Insert", 45, ""),
    ("F1", 112, ""),
    ("F2", 113, ""),
    ("F5", 116, ""),
];
const MODIFIERS: &[(&str, u8)] =
    &[("Alt", 1), ("Control", 2), ("Ctrl", 2), ("Meta", 4), ("Command", 4), ("Shift", 8)];
const SHIFT: u8 = 8;

/// Parses key presses such as `Control+A` or `ArrowDown ArrowDown Enter`.
pub(crate) fn strokes(keys: &str) -> Result<Vec<Stroke>, Phrase> {
    let strokes: Result<Vec<Stroke>, Phrase> = keys.split_whitespace().map(stroke).collect();
    match strokes {
        Ok(strokes) if strokes.is_empty() => Err(say::name_a_key()),
        strokes => strokes,
    }
}

fn stroke(text: &str) -> Result<Stroke, Phrase> {
    let mut modifiers = 0;
    let mut rest = text;
    while let Some((name, after)) =
        rest.split_once('+').filter(|(name, after)| !name.is_empty() && !after.is_empty())
    {
        let modifier = MODIFIERS.iter().find(|(modifier, _)| modifier.eq_ignore_ascii_case(name));
        modifiers |= modifier.ok_or_else(|| unknown(text))?.1;
        rest = after;
    }
    if let Some((key, code, writes)) = NAMED.iter().find(|(key, ..)| key.eq_ignore_ascii_case(rest)) {
        let key = if *key == "Space" { " " } else { key };
        return Ok(Stroke { key: key.to_owned(), code: *code, text: (*writes).to_owned(), modifiers });
    }
    let mut characters = rest.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) => {
            let code = if c.is_ascii_alphanumeric() { u32::from(c.to_ascii_uppercase()) } else { 0 };
            let writes = if modifiers & !SHIFT == 0 { c.to_string() } else { String::new() };
            Ok(Stroke { key: c.to_string(), code, text: writes, modifiers })
        }
        _ => Err(unknown(text)),
    }
}

fn unknown(text: &str) -> Phrase {
    let names: Vec<&str> = NAMED.iter().map(|(name, ..)| *name).collect();
    say::no_key(names.join(", "), format!("{text:?}"))
}

impl Stroke {
    pub(crate) fn named(key: &str) -> Self {
        let code = NAMED.iter().find(|(name, ..)| *name == key).map_or(0, |(_, code, _)| *code);
        Self { key: key.to_owned(), code, text: String::new(), modifiers: 0 }
    }

    /// Returns whether the key can submit a form.
    pub(crate) fn submits(&self) -> bool {
        matches!(self.key.as_str(), "Enter" | " ")
    }

    /// Returns whether the key produces text or may paste it.
    pub(crate) fn types(&self) -> bool {
        !self.text.is_empty() && self.key != "Enter" || self.modifiers & !SHIFT != 0
    }

    /// Returns the events to send to the browser: down and up.
    pub(crate) fn events(&self) -> [Value; 2] {
        let event = |kind: &str, text: &str| {
            let mut event = json!({
                "type": kind, "key": self.key, "windowsVirtualKeyCode": self.code, "modifiers": self.modifiers,
            });
            if !text.is_empty() {
                event["text"] = text.into();
            }
            if self.modifiers & 6 != 0 && self.key.eq_ignore_ascii_case("a") {
                event["commands"] = json!(["selectAll"]);
            }
            event
        };
        let down = if self.text.is_empty() { "rawKeyDown" } else { "keyDown" };
        [event(down, &self.text), event("keyUp", "")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_by_their_names() {
        let all = strokes("control+shift+A ArrowDown + Enter é").unwrap();
        let told: Vec<_> = all.iter().map(|s| (s.key.as_str(), s.modifiers, s.text.as_str())).collect();
        assert_eq!(
            told,
            [("A", 10, ""), ("ArrowDown", 0, ""), ("+", 0, "+"), ("Enter", 0, "\r"), ("é", 0, "é")]
        );
        for wrong in ["", "Hyper+A", "Entr", "Control+"] {
            assert!(strokes(wrong).is_err(), "{wrong}");
        }
    }
}
