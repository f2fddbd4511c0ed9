//! What Deputy says to people: the catalogue of messages, with a function for each.
//!
//! The English words are in `en/`, a file for each area, in the Fluent format; translations in `de/`. The build turns
//! the English into the functions here, so that a message that is not there or an argument that is missing does not
//! compile, and no catalogue is read when the program runs. A screen in another language says the message by its id and
//! arguments.

pub use deputy_protocol::Phrase;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// A message without arguments, by its id: what data such as policy's tables name. Nothing where there is no such message.
pub fn fixed(id: &str) -> Option<Phrase> {
    let at = FIXED.binary_search_by_key(&id, |(id, _)| id).ok()?;
    let (id, text) = FIXED.get(at)?;
    Some(Phrase::said(id, [], (*text).to_owned()))
}

/// Phrases as a list in one sentence: `, ` between them.
pub fn list(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined(", ", phrases)
}

/// Phrases that hold lists or commas of their own: `; ` between them.
pub fn series(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined("; ", phrases)
}

/// Sentences one after the other.
pub fn sentences(phrases: impl IntoIterator<Item = Phrase>) -> Phrase {
    Phrase::joined(" ", phrases)
}

/// A clause as a sentence of its own: with a full stop.
pub fn sentence(clause: impl Into<Phrase>) -> Phrase {
    Phrase::joined("", [clause.into(), ".".into()])
}

/// Lets types that have a method `phrase` be shown by its words, and be given wherever a phrase is taken.
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
