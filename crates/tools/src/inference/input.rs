//! The texts of a call. They are given directly or read from files when needed.

use super::{InferenceCall, MOST_TEXTS};
use crate::budget::Budget;
use crate::files::Files;
use crate::search::{self, matching};
use crate::text::{reason, shown};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::inference as say;
use std::io::Read;
use std::path::Path;

/// The maximum length of a text for the model, in characters.
const MOST_CHARS: usize = 40_000;
/// The maximum number of bytes to read from a file.
const MOST_BYTES: u64 = 4 * MOST_CHARS as u64;
/// The number of bytes to check for telling text from binary data.
const SNIFFED: usize = 8 * 1024;

/// A text to ask about.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// The path of the file, or the number of the text.
    pub(super) name: String,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Text(String),
    /// A path for [`Files::find`].
    File(String),
}

/// A text as sent to a model.
pub(super) struct Text {
    pub(super) text: String,
    /// Whether the end was cut off.
    pub(super) is_cut: bool,
}

impl Given {
    /// Returns the name of the file, or the text itself.
    pub(super) fn shown(&self) -> &str {
        match &self.source {
            Source::Text(text) => text,
            Source::File(_) => &self.name,
        }
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self.source, Source::File(_))
    }
}

/// Splits a path or glob into the folder or file that it begins with and the glob below it.
pub(super) fn split(given: &str) -> (String, Option<String>) {
    let is_glob = |part: &str| part.contains(['*', '?', '[', '{']);
    let parts: Vec<&str> = given.split('/').collect();
    match parts.iter().position(|part| is_glob(part)) {
        None => (given.to_owned(), None),
        Some(0) => (".".to_owned(), Some(given.to_owned())),
        Some(at) => {
            let start = parts[..at].join("/");
            (if start.is_empty() { "/".to_owned() } else { start }, Some(parts[at..].join("/")))
        }
    }
}

/// Collects all texts of a call in the order in which they were given.
pub(super) async fn given(call: &InferenceCall, cx: &CallContext) -> Result<Vec<Given>, Phrase> {
    let texts = call.texts.iter().enumerate();
    let texts =
        texts.map(|(at, text)| Given { name: (at + 1).to_string(), source: Source::Text(text.clone()) });
    let mut all: Vec<Given> = texts.collect();
    let (named, own) = (call.files.clone(), cx.clone());
    let files = tokio::task::spawn_blocking(move || -> Result<Vec<String>, Phrase> {
        let files = Files::of(&own)?;
        let budget = Budget::of(&own);
        let mut found = Vec::new();
        for file in &named {
            let (start, pattern) = split(file);
            let before = found.len();
            matching(&files, &start, pattern.as_deref(), MOST_TEXTS + 1, &budget, &mut found)?;
            if found.len() == before {
                return Err(say::no_such_files(shown(file.as_ref())));
            }
        }
        Ok(found)
    });
    let files = files.await.map_err(say::broke_off)??;
    for file in files {
        if !all.iter().any(|one| matches!(&one.source, Source::File(path) if *path == file)) {
            all.push(Given { name: shown(file.as_ref()), source: Source::File(file) });
        }
    }
    if all.len() > MOST_TEXTS {
        return Err(say::too_many_texts(MOST_TEXTS as u64));
    }
    Ok(all)
}

/// Reads one text.
pub(super) async fn text(one: &Given, cx: &CallContext) -> Result<Text, Phrase> {
    let (source, cx) = (one.source.clone(), cx.clone());
    let read = move || match source {
        Source::Text(text) => Ok(cut(text, false)),
        Source::File(path) => read(&path, &cx),
    };
    tokio::task::spawn_blocking(read).await.map_err(say::broke_off)?
}

fn read(path: &str, cx: &CallContext) -> Result<Text, Phrase> {
    let found = Files::of(cx)?.find(path)?;
    let file = found.file()?;
    if let Some(text) = search::text_of(&file, path) {
        return Ok(cut(text, false));
    }
    let budget = Budget::of(cx);
    let mut bytes = Vec::new();
    let whole = found.size();
    let mut reader = budget.read(file, Path::new(path).as_os_str()).take(MOST_BYTES);
    reader
        .read_to_end(&mut bytes)
        .map_err(|error| deputy_messages::tools::cannot_read(shown(path.as_ref()), reason(&error)))?;
    if bytes[..bytes.len().min(SNIFFED)].contains(&0) {
        return Err(say::no_text());
    }
    let is_cut = (bytes.len() as u64) < whole;
    Ok(cut(String::from_utf8_lossy(&bytes).into_owned(), is_cut))
}

fn cut(text: String, is_cut: bool) -> Text {
    match text.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => Text { text: text[..at].to_owned(), is_cut: true },
        None => Text { text, is_cut },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_begins_where_the_first_sign_of_one_is() {
        let split = |given: &str| {
            let (start, pattern) = split(given);
            (start, pattern.unwrap_or_default())
        };
        for (given, start, pattern) in [
            ("a.txt", "a.txt", ""),
            ("letters", "letters", ""),
            ("*.txt", ".", "*.txt"),
            ("letters/2024/*.txt", "letters/2024", "*.txt"),
            ("letters/**/a?.md", "letters", "**/a?.md"),
            ("/*.txt", "/", "*.txt"),
            ("~/mail/{a,b}.eml", "~/mail", "{a,b}.eml"),
        ] {
            assert_eq!(split(given), (start.to_owned(), pattern.to_owned()), "{given}");
        }
    }
}
