//! Phrases: texts for people, as messages of the catalog with their arguments and an English translation.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

/// The id of a message that joins several phrases. It is the only message that is not in a catalog.
const JOINED: &str = "joined";

/// A text for people. In messages it is either a [`CatalogueMessage`], which a screen shows in its own language, or a
/// plain string. A plain string is a text by a person or a model, or comes from an older journal.
///
/// Everywhere else a phrase is its English text: for models, for logs, and for screens that do not know the message.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    message: Option<Box<Said>>,
}

/// The id of a message with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    id: Cow<'static, str>,
    #[serde(default)]
    args: Arguments,
}

type Arguments = BTreeMap<Cow<'static, str>, Argument>;

/// An argument of a message. It is data and is never interpreted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Argument {
    Text(String),
    Number(Number),
    Said(Said),
    /// A phrase without a message.
    Bare {
        text: String,
    },
    List(Vec<Argument>),
}

/// A message of the catalog with its arguments.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct CatalogueMessage {
    /// The id of the message; see `crates/messages`. The id `joined` means the phrases in `items`, joined with
    /// `by`.
    id: String,
    /// The arguments by name. Each is a string, a number, a message without `text`, an object with only `text` for a
    /// phrase without a message, or a list of these. They are data and are never interpreted.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    args: Arguments,
    /// The English text of the message.
    text: String,
}

impl Argument {
    fn with_texts(&mut self, change: impl Fn(&str) -> String + Copy) {
        match self {
            Self::Text(text) | Self::Bare { text } => *text = change(text),
            Self::Number(_) => {}
            Self::Said(said) => said.args.values_mut().for_each(|argument| argument.with_texts(change)),
            Self::List(items) => items.iter_mut().for_each(|argument| argument.with_texts(change)),
        }
    }
}

impl Phrase {
    /// Creates a message of the catalog. Only the generated functions of the catalog call this.
    pub fn said<const N: usize>(
        id: &'static str,
        args: [(&'static str, PhraseArgument); N],
        text: String,
    ) -> Self {
        let args = args.into_iter().map(|(name, argument)| (Cow::Borrowed(name), argument.0)).collect();
        Self { text, message: Some(Box::new(Said { id: Cow::Borrowed(id), args })) }
    }

    /// Joins phrases, with `by` between them.
    pub fn joined(by: &str, phrases: impl IntoIterator<Item = Self>) -> Self {
        let mut phrases: Vec<Self> = phrases.into_iter().collect();
        if phrases.len() < 2 {
            return phrases.pop().unwrap_or_default();
        }
        let text = phrases.iter().map(Self::as_str).collect::<Vec<_>>().join(by);
        if phrases.iter().all(|phrase| phrase.message.is_none()) {
            return Self::from(text);
        }
        let items = phrases.into_iter().map(|phrase| PhraseArgument::from(phrase).0).collect();
        let by = PhraseArgument::from(by);
        Self::said(JOINED, [("by", by), ("items", PhraseArgument(Argument::List(items)))], text)
    }

    /// Applies `change`, for example escaping, to the English text and to all texts in the arguments.
    #[must_use]
    pub fn with_texts(mut self, change: impl Fn(&str) -> String + Copy) -> Self {
        self.text = change(&self.text);
        if let Some(said) = &mut self.message {
            said.args.values_mut().for_each(|argument| argument.with_texts(change));
        }
        self
    }

    /// Returns the first line.
    #[must_use]
    pub fn first_line(&self) -> Self {
        match self.text.split_once('\n') {
            None => self.clone(),
            Some((first, _)) => Self::from(first),
        }
    }

    /// Returns the English text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the id of the message. `None` for a plain string.
    pub fn id(&self) -> Option<&str> {
        self.message.as_ref().map(|said| said.id.as_ref())
    }
}

/// An argument of a message: a text, a number or a phrase.
#[derive(Clone, Debug)]
pub struct PhraseArgument(Argument);

impl From<&str> for PhraseArgument {
    fn from(text: &str) -> Self {
        Self(Argument::Text(text.to_owned()))
    }
}

impl From<Number> for PhraseArgument {
    fn from(number: Number) -> Self {
        Self(Argument::Number(number))
    }
}

impl From<Phrase> for PhraseArgument {
    fn from(phrase: Phrase) -> Self {
        // The argument's English text is already part of the whole phrase's text.
        Self(phrase.message.map_or(Argument::Bare { text: phrase.text }, |said| Argument::Said(*said)))
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self { text, message: None }
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<&Phrase> for Phrase {
    fn from(phrase: &Phrase) -> Self {
        phrase.clone()
    }
}

impl From<Phrase> for String {
    fn from(phrase: Phrase) -> Self {
        phrase.text
    }
}

impl Deref for Phrase {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for Phrase {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(formatter)
    }
}

impl fmt::Debug for Phrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(formatter)
    }
}

impl PartialEq<str> for Phrase {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for Phrase {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialEq<String> for Phrase {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Borrowed<'a> {
            id: &'a str,
            args: &'a Arguments,
            text: &'a str,
        }
        match &self.message {
            None => serializer.serialize_str(&self.text),
            Some(said) => Borrowed { id: &said.id, args: &said.args, text: &self.text }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Phrase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Text(String),
            Message(CatalogueMessage),
        }
        Ok(match Either::deserialize(deserializer)? {
            Either::Text(text) => Self::from(text),
            Either::Message(CatalogueMessage { id, args, text }) => {
                Self { text, message: Some(Box::new(Said { id: Cow::Owned(id), args })) }
            }
        })
    }
}

impl JsonSchema for Phrase {
    fn schema_name() -> Cow<'static, str> {
        "Phrase".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let message = generator.subschema_for::<CatalogueMessage>();
        schemars::json_schema!({
            "description": "Words for people: a message that a screen says in its own language, or a bare text, which is \
                            a person's or a model's own words, or from an older journal.",
            "anyOf": [{ "type": "string" }, message],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said() -> Phrase {
        let why = Phrase::said("a-why", [], "because".to_owned());
        let args = [("n", Number::from(2).into()), ("path", "{ $x }".into()), ("why", why.into())];
        Phrase::said("a-said", args, "2 in { $x } because".to_owned())
    }

    #[test]
    fn a_message_and_a_bare_text_come_back_as_they_were_written() {
        let wire = json!({
            "id": "a-said",
            "args": {"n": 2, "path": "{ $x }", "why": {"id": "a-why", "args": {}}},
            "text": "2 in { $x } because",
        });
        assert_eq!(serde_json::to_value(said()).unwrap(), wire);
        assert_eq!(serde_json::from_value::<Phrase>(wire).unwrap(), said());
        let bare = serde_json::from_value::<Phrase>(json!("as before")).unwrap();
        assert_eq!(bare, "as before");
        assert_eq!(serde_json::to_value(bare).unwrap(), json!("as before"));
    }

    #[test]
    fn phrases_are_joined_with_their_messages() {
        let joined = Phrase::joined("; ", [said(), Phrase::from("own words")]);
        assert_eq!(joined, "2 in { $x } because; own words");
        let wire = serde_json::to_value(joined).unwrap();
        assert_eq!(wire["args"]["items"][1], json!({"text": "own words"}));
        assert_eq!(wire["args"]["items"][0]["id"], "a-said");
        assert_eq!(Phrase::joined(", ", [said()]), said());
        assert_eq!(Phrase::joined(", ", []), "");
    }
}
