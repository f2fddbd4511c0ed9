//! Finds the documents of a folder for the document index, and splits their text into passages.
//!
//! A person chose the folder, so policy does not judge this. Secrets, Deputy's own folder, links, names that begin with
//! a dot, and files excluded by ignore files are still left out.

use crate::budget::Budget;
use crate::files::{FileError, Files};
use crate::search::{WalkOptions, walk};
use crate::text::reason;
use crate::tool::Place;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use rustix::fs::FileType;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The maximum number of documents in a folder. Further ones are not read.
const MOST_DOCUMENTS: usize = 50_000;
/// The maximum text of a document, and the maximum that a walk may read, in bytes.
const MOST_TEXT: usize = 4 * 1024 * 1024;
const MOST_READ: u64 = 1 << 40;
/// The time limit of a walk.
const LONGEST_WALK: Duration = Duration::from_secs(300);
/// The usual and the maximum length of a passage, in characters.
const USUAL_CHARS: usize = 450;
const MOST_CHARS: usize = 600;
/// Extensions of files that are read as plain text.
const PLAIN: [&str; 11] =
    ["md", "markdown", "mdx", "txt", "text", "rst", "org", "adoc", "asciidoc", "tex", "textile"];

/// Why the documents of a folder cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DocumentsError {
    /// The folder is a secret or contains only secrets.
    Secret(PathBuf),
    /// The folder cannot be opened.
    Folder(Phrase),
}

impl DocumentsError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Secret(path) => say::keeps_secrets(path.display()),
            Self::Folder(why) => why.clone(),
        }
    }
}

deputy_messages::said_by_phrase!(DocumentsError);

impl From<FileError> for DocumentsError {
    fn from(error: FileError) -> Self {
        Self::Folder(error.phrase())
    }
}

/// Why a document has no passages.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The path goes through a link.
    Link,
    /// The document contains no text.
    Empty,
    /// The content does not match the file name.
    Damaged,
    /// It cannot be opened.
    Closed(Phrase),
    /// It cannot be read.
    Io(#[from] std::io::Error),
}

impl Unread {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Link => say::is_link(),
            Self::Empty => say::holds_no_text(),
            Self::Damaged => say::not_what_it_says(),
            Self::Closed(why) => why.clone(),
            Self::Io(error) => reason(error),
        }
    }
}

deputy_messages::said_by_phrase!(Unread);

impl From<FileError> for Unread {
    fn from(error: FileError) -> Self {
        Self::Closed(error.phrase())
    }
}

/// A document on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFile {
    /// The path relative to the folder.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The modification time, in nanoseconds since the Unix epoch.
    pub changed_ns: i64,
}

/// A passage of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPassage {
    /// The line of the text at which the passage begins, from 1.
    pub line: u32,
    /// The text.
    pub text: String,
}

/// The documents below a folder.
pub struct Documents {
    files: Files,
    folder: PathBuf,
}

impl Documents {
    /// Opens the documents below `folder`, a path without links. Excludes everything in the `hidden` folders.
    ///
    /// # Errors
    ///
    /// [`DocumentsError`] if the folder cannot be opened or is a secret.
    pub fn below(folder: &Path, user_home: &Path, hidden: &[PathBuf]) -> Result<Self, DocumentsError> {
        let place =
            Place { workspace: folder.to_owned(), home: user_home.to_owned(), temporary: None, names: None };
        let files = Files::of_folder(&place, hidden)?;
        if files.is_hidden(folder) {
            return Err(DocumentsError::Secret(folder.to_owned()));
        }
        Ok(Self { files, folder: folder.to_owned() })
    }

    /// Lists the documents as they are now, and returns whether some were left out because of the limits.
    ///
    /// # Errors
    ///
    /// [`DocumentsError`] if the folder cannot be walked.
    pub fn list(&self) -> Result<(Vec<DocumentFile>, bool), DocumentsError> {
        let budget = Budget::new(CancellationToken::new(), LONGEST_WALK, MOST_READ);
        let start = self.files.find(".")?;
        let mut found = Vec::new();
        let mut is_full = false;
        let passed = walk(&self.files, &start, WalkOptions::default(), &budget, &mut |entry| {
            let Some(path) = entry.below.to_str().filter(|path| is_document(path)) else { return };
            if entry.kind != FileType::RegularFile {
                return;
            }
            if found.len() == MOST_DOCUMENTS {
                is_full = true;
                return;
            }
            let Ok(stat) = entry.stat() else { return };
            found.push(DocumentFile {
                path: path.to_owned(),
                size: u64::try_from(stat.st_size).unwrap_or(0),
                changed_ns: changed_ns(stat.st_mtime, stat.st_mtime_nsec as i64),
            });
        })?;
        Ok((found, is_full || passed.is_partial || budget.is_over()))
    }

    /// Returns the passages of a document after `redact` has been applied to its text.
    ///
    /// # Errors
    ///
    /// [`Unread`] if the document has no passages.
    pub fn passages(&self, path: &str, redact: impl Fn(&str) -> String) -> Result<Vec<TextPassage>, Unread> {
        let whole = self.folder.join(path);
        // Compare with the real path, so that links on the way are not followed.
        let found = self.files.find(path)?;
        if found.real() != whole {
            return Err(Unread::Link);
        }
        let text = redact(&text_of(&found.file()?, path)?);
        let passages = passages(&text, is_markdown(path));
        if passages.is_empty() { Err(Unread::Empty) } else { Ok(passages) }
    }
}

/// Converts a file time to nanoseconds.
fn changed_ns(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// Returns whether a document is unchanged since it was read and was not replaced by a link.
pub fn is_as_read(path: &Path, size: u64, changed: i64) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(path).is_ok_and(|meta| {
        meta.is_file() && meta.len() == size && changed_ns(meta.mtime(), meta.mtime_nsec()) == changed
    })
}

fn ending(path: &str) -> String {
    Path::new(path).extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase()
}

fn is_document(path: &str) -> bool {
    PLAIN.contains(&ending(path).as_str()) || deputy_organize::is_document(path)
}

fn is_markdown(path: &str) -> bool {
    matches!(ending(path).as_str(), "md" | "markdown" | "mdx")
}

fn text_of(file: &File, path: &str) -> Result<String, Unread> {
    if deputy_organize::is_document(path) {
        return deputy_organize::document_text(file, path, MOST_TEXT).ok_or(Unread::Damaged);
    }
    let mut bytes = Vec::new();
    file.take(MOST_TEXT as u64).read_to_end(&mut bytes)?;
    let wide = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => Some((rest, u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, rest @ ..] => Some((rest, u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => None,
    };
    if let Some((rest, read)) = wide {
        let (pairs, _) = rest.as_chunks();
        return Ok(String::from_utf16_lossy(&pairs.iter().copied().map(read).collect::<Vec<_>>()));
    }
    if bytes.contains(&0) {
        return Err(Unread::Empty);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// A paragraph and the line at which it begins.
struct Paragraph {
    line: u32,
    text: String,
    /// The titles of the enclosing sections.
    titles: String,
}

/// Splits a text into passages: as many whole paragraphs of one section as fit, preceded by the titles of the section.
/// Longer paragraphs are cut between sentences, or else between words.
fn passages(text: &str, is_markdown: bool) -> Vec<TextPassage> {
    let mut passages = Vec::new();
    let mut open: Option<Paragraph> = None;
    let mut close = |paragraph: Option<Paragraph>| {
        if let Some(Paragraph { line, text, titles }) = paragraph {
            let text = if titles.is_empty() { text } else { format!("{titles}: {text}") };
            passages.push(TextPassage { line, text });
        }
    };
    for paragraph in paragraphs(text, is_markdown) {
        let room = |titles: &str| MOST_CHARS.saturating_sub(titles.chars().count() + 2).max(MOST_CHARS / 3);
        match &mut open {
            Some(passage)
                if passage.titles == paragraph.titles
                    && passage.text.chars().count() + 1 + paragraph.text.chars().count()
                        <= USUAL_CHARS.min(room(&paragraph.titles)) =>
            {
                passage.text.push('\n');
                passage.text.push_str(&paragraph.text);
            }
            _ => {
                close(open.take());
                let Paragraph { line, text, titles } = paragraph;
                let mut pieces = cut(&text, room(&titles)).into_iter().peekable();
                while let Some(piece) = pieces.next() {
                    let piece = Paragraph { line, text: piece, titles: titles.clone() };
                    if pieces.peek().is_some() { close(Some(piece)) } else { open = Some(piece) }
                }
            }
        }
    }
    close(open);
    passages
}

/// Returns the paragraphs of a text. In Markdown, headings are titles instead of paragraphs.
fn paragraphs(text: &str, is_markdown: bool) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut titles: Vec<(usize, String)> = Vec::new();
    let (mut is_open, mut is_code) = (false, false);
    for (number, line) in text.lines().enumerate() {
        let line: String = line.chars().filter(|c| !c.is_control() || *c == '\t').collect();
        let line = line.trim_end();
        is_code ^=
            is_markdown && (line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~"));
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if is_markdown && !is_code && (1..=6).contains(&level) && line[level..].starts_with(' ') {
            titles.retain(|(other, _)| *other < level);
            let title: String = line[level..].trim().trim_end_matches('#').trim().chars().take(80).collect();
            titles.push((level, title));
            is_open = false;
        } else if line.trim().is_empty() {
            is_open = false;
        } else if is_open && let Some(last) = found.last_mut() {
            last.text.push('\n');
            last.text.push_str(line);
        } else {
            let line_number = u32::try_from(number + 1).unwrap_or(u32::MAX);
            let titles = titles.iter().map(|(_, title)| title.as_str()).collect::<Vec<_>>().join(", ");
            let titles = titles.chars().take(MOST_CHARS / 3).collect();
            found.push(Paragraph { line: line_number, text: line.trim_start().to_owned(), titles });
            is_open = true;
        }
    }
    found
}

/// Cuts a text into pieces of at most `most` characters, at the end of a sentence, line or word.
fn cut(text: &str, most: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(most) {
        let head = &rest[..end];
        // Do not cut in the first half, which would produce many short pieces.
        let half = head.char_indices().nth(most / 2).map_or(0, |(at, _)| at);
        let sentence = [". ", "! ", "? ", ".\n", "。", "\n"].iter().filter_map(|mark| {
            let at = head.rfind(mark)? + mark.len();
            (at > half).then_some(at)
        });
        let word = head.rfind(char::is_whitespace).map(|at| at + 1).filter(|at| *at > half);
        let at = sentence.max().or(word).filter(|at| head.is_char_boundary(*at)).unwrap_or(end);
        pieces.push(rest[..at].trim().to_owned());
        rest = rest[at..].trim_start();
    }
    pieces.push(rest.trim().to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn texts(text: &str, is_markdown: bool) -> Vec<(u32, String)> {
        passages(text, is_markdown).into_iter().map(|passage| (passage.line, passage.text)).collect()
    }

    #[test]
    fn passages_are_whole_paragraphs_with_the_titles_of_their_section() {
        let text = "# House\n\n## Boiler\n\nMs. Okafor services it.\nShe comes in May.\n\nIt is loud.\n\n## Roof #\nNew in 2019.\n";
        assert_eq!(
            texts(text, true),
            [
                (5, "House, Boiler: Ms. Okafor services it.\nShe comes in May.\nIt is loud.".to_owned()),
                (11, "House, Roof: New in 2019.".to_owned())
            ]
        );
        assert_eq!(texts("# a\n", false), [(1, "# a".to_owned())], "only Markdown has headings");
        assert!(texts("```\n# no heading\n```\n", true)[0].1.contains("# no heading"));
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_too_long_whatever_the_text() {
        let sentence = "The quick brown fox jumps over it. ";
        for text in [sentence.repeat(100), "x".repeat(5_000), "日本語".repeat(900), "🌙é ".repeat(2_000)]
        {
            let found = texts(&text, false);
            let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(solid(&found.iter().map(|(_, text)| text.as_str()).collect::<String>()), solid(&text));
            assert!(found.iter().all(|(_, text)| text.chars().count() <= MOST_CHARS), "{found:?}");
        }
        let titled = format!("# {}\n\n{}", "t".repeat(300), sentence.repeat(50));
        assert!(texts(&titled, true).iter().all(|(_, text)| text.chars().count() <= MOST_CHARS));
        for empty in ["", "\n \n", "\u{0}\u{1}"] {
            assert!(texts(empty, true).is_empty(), "{empty:?}");
        }
    }

    #[test]
    fn only_documents_that_are_no_secrets_and_no_links_are_listed_and_read() {
        let home = tempfile::tempdir().unwrap();
        let notes = fs::canonicalize(home.path()).unwrap().join("notes");
        for (path, text) in [
            ("a.md", "About the boiler."),
            ("deep/b.txt", "\u{feff}Under a folder."),
            (".hidden.md", "x"),
            ("program.rs", "fn main() {}"),
            (".ssh/key.txt", "x"),
            ("ignored/c.md", "x"),
            (".gitignore", "ignored/\n"),
            ("own/d.md", "x"),
            ("binary.txt", "a\0b"),
        ] {
            fs::create_dir_all(notes.join(path).parent().unwrap()).unwrap();
            fs::write(notes.join(path), text).unwrap();
        }
        // Git's ignore files only apply in a repository.
        fs::create_dir(notes.join(".git")).unwrap();
        fs::write(notes.join("wide.txt"), [0xff, 0xfe, b'h', 0, b'i', 0]).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", notes.join("link.txt")).unwrap();
        let documents = Documents::below(&notes, home.path(), &[notes.join("own")]).unwrap();
        let (listed, is_partial) = documents.list().unwrap();
        let paths: Vec<&str> = listed.iter().map(|file| file.path.as_str()).collect();
        assert_eq!((paths, is_partial), (vec!["a.md", "binary.txt", "deep/b.txt", "wide.txt"], false));
        assert_eq!(documents.passages("deep/b.txt", str::to_owned).unwrap()[0].text, "Under a folder.");
        assert_eq!(documents.passages("wide.txt", str::to_owned).unwrap()[0].text, "hi");
        for path in ["binary.txt", "link.txt", "own/d.md", "../a.md", "gone.md"] {
            documents.passages(path, str::to_owned).unwrap_err();
        }
        let file = &listed[0];
        assert!(is_as_read(&notes.join("a.md"), file.size, file.changed_ns));
        fs::write(notes.join("a.md"), "Another text.").unwrap();
        assert!(!is_as_read(&notes.join("a.md"), file.size, file.changed_ns));
        assert!(!is_as_read(&notes.join("gone.md"), 0, 0));
    }
}
