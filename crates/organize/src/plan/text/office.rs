//! The text of documents that are ZIP archives: Word, Excel, PowerPoint, OpenDocument, EPUB.

use super::{MOST_TEXT, without_tags};
use std::fs::File;
use std::io::Read;

/// The maximum unpacked size of a part, in bytes. Markup takes more space than the text in it.
const MOST_MARKUP: u64 = 1024 * 1024;

/// The maximum number of parts to read.
const MOST_PARTS: usize = 8;

/// Returns the text of the parts that contain text.
pub(super) fn text(file: &File, ending: &str) -> String {
    let Some(mut archive) = crate::archive::open(file) else { return String::new() };
    let is_text = |name: &str| match ending {
        "docx" => name == "word/document.xml",
        "xlsx" => name == "xl/sharedStrings.xml",
        "pptx" => name.starts_with("ppt/slides/slide"),
        "epub" => name.ends_with(".xhtml") || name.ends_with(".html"),
        _ => name == "content.xml",
    };
    let names: Vec<String> = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect();
    let mut text = String::new();
    for name in names.iter().filter(|name| is_text(name)).take(MOST_PARTS) {
        let mut markup = Vec::new();
        if let Ok(part) = archive.by_name(name) {
            // On an error, use what was unpacked before it.
            let _ = part.take(MOST_MARKUP).read_to_end(&mut markup);
        }
        text.push_str(&without_tags(&String::from_utf8_lossy(&markup)));
        if text.len() >= MOST_TEXT {
            break;
        }
    }
    text
}
