//! What Deputy says to people: a message of the catalogue with its arguments, and its words in English.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

/// The id of phrases one after the other; the one message that is in no catalogue.
const JOINED: &str = "joined";

/// Words for people. On the wire a [`CatalogueMessage`], which a screen says in its own language; or a bare text: a
/// person's or a model's own words, and all of an older journal.
///
/// It reads as its English words everywhere: for models, logs, and screens that do not know the message.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Phrase {
    text: String,
    message: Option<Box<Said>>,
}

/// Which message is said, and with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    id: Cow<'static, str>,
    #[serde(default)]
    args: Arguments,
}

type Arguments = BTreeMap<Cow<'static, str>, Argument>;

/// What fills a place of a message. It is data: nothing in it is ever interpreted.
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

/// A message of the catalogue with its arguments.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct CatalogueMessage {
    /// Which message; see `crates/messages`. Where it is `joined`, `items` are said one after the other, with `by` between them.
    id: String,
    /// By their names: a text, a number, a message without `text`, `text` alone for words without a message, or a list of
    /// these. They are data, never interpreted.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    args: Arguments,
    /// The same in English.
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
    /// A message of the catalogue. The catalogue's own functions call it; there is no other use.
    pub fn said<const N: usize>(
        id: &'static str,
        args: [(&'static str, PhraseArgument); N],
        text: String,
    ) -> Self {
        let args = args.into_iter().map(|(name, argument)| (Cow::Borrowed(name), argument.0)).collect();
        Self { text, message: Some(Box::new(Said { id: Cow::Borrowed(id), args })) }
    }

    /// Phrases one after the other, with `by` between them.
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

    /// The same with its English and the texts that fill its places as `change` makes of them: escaped, for instance.
    #[must_use]
    pub fn with_texts(mut self, change: impl Fn(&str) -> String + Copy) -> Self {
        self.text = change(&self.text);
        if let Some(said) = &mut self.message {
            said.args.values_mut().for_each(|argument| argument.with_texts(change));
        }
        self
    }

    /// The first line of it.
    #[must_use]
    pub fn first_line(&self) -> Self {
        match self.text.split_once('\n') {
            None => self.clone(),
            Some((first, _)) => Self::from(first),
        }
    }

    /// The words in English.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Which message it is; none for a bare text.
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
        // Its English stays in the text of the whole alone.
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
