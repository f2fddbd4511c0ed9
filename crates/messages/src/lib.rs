//! The catalog of messages: the texts that Deputy shows to people, with a function for each.
//!
//! The English texts are in `en/`, one file per area, in the Fluent format. Translations are in `de/`. The build
//! generates the functions in this crate from the English files, so that a missing message or argument is a compile
//! error, and no catalog is read at run time. A screen in another language formats a message from its id and
//! arguments.

#![allow(clippy::too_many_lines, reason = "a generated function is as long as its message has variants")]

pub use deputy_protocol::Phrase;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// Returns the message without arguments with this id. Used for ids in data, such as policy's tables. `None` if there
/// is no such message.
pub fn fixed(id: &str) -> Option<Phrase> {
    let at = FIXED.binary_search_by_key(&id, |(id, _)| id).ok()?;
    let (id, text) = FIXED.get(at)?;
    Some(Phrase::said(id, [], (*text).to_owned()))
}

/// Joins phrases to a list in a sentence, separated by `, `.
pub fn list(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined(", ", phrases)
}

/// Joins phrases that contain lists or commas, separated by `; `.
pub fn series(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined("; ", phrases)
}

/// Joins sentences, separated by a space.
pub fn sentences(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined(" ", phrases)
}

/// Turns a clause into a sentence by appending a period, unless it ends with a question.
pub fn sentence(clause: impl Into<Phrase>) -> Phrase {
    let clause = clause.into();
    let has_end = clause.to_string().ends_with(['.', '?', '!']);
    if has_end { clause } else { Phrase::joined("", [clause, ".".into()]) }
}

/// Implements `Display` and conversion to `Phrase` for types that have a method `phrase`.
#[macro_export]
macro_rules! said_by_phrase {
    ($($said:ty),+ $(,)?) => {$(
        impl std::fmt::Display for $said {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.phrase(), formatter)
            }
        }

        impl From<$said> for $crate::Phrase {
            fn from(said: $said) -> Self {
                said.phrase()
            }
        }

        impl From<&$said> for $crate::Phrase {
            fn from(said: &$said) -> Self {
                said.phrase()
            }
        }
    )+};
}
