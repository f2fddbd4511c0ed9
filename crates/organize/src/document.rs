//! Extracts text lines and metadata from documents: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB.
//!
//! Documents are untrusted. Whatever a file claims, only a limited part of it is read and unpacked, and the returned
//! text is limited.

use crate::plan::pdf_strings;
use crate::scan::ending;
use lopdf::{Document, LoadOptions, Object};
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum size of a PDF, in bytes.
const LARGEST_PDF: u64 = 64 * 1024 * 1024;
/// The maximum unpacked size of all streams of a PDF together while it is opened, in bytes.
const MOST_UNPACKED: usize = 256 * 1024 * 1024;
/// The maximum unpacked size of a page, in bytes.
const MOST_OF_PAGE: usize = 8 * 1024 * 1024;
/// The maximum number of pages whose text is extracted.
const MOST_PAGES: usize = 2_000;
/// The maximum unpacked size of a part of an Office document in bytes, and the maximum number of parts.
const MOST_MARKUP: u64 = 32 * 1024 * 1024;
const MOST_PARTS: usize = 200;
/// The maximum length of a metadata value. Longer values are cut.
const LONGEST_PARTICULAR: usize = 300;

/// The metadata of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Particulars {
    /// The number of pages.
    pub pages: Option<u64>,
    /// The title.
    pub title: Option<String>,
    /// The author.
    pub author: Option<String>,
}

/// Returns whether files of this name are documents that [`document_text`] supports.
pub fn is_document(name: &str) -> bool {
    matches!(ending(name).as_str(), "pdf" | "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "epub")
}

/// Returns the text of a document as lines, at most `most` bytes. `None` if it is not a document or cannot be read.
pub fn document_text(file: &File, name: &str, most: usize) -> Option<String> {
    if !is_document(name) {
        return None;
    }
    let mut text = match ending(name).as_str() {
        "pdf" => pdf_text(file, most)?,
        ending => office_text(file, ending, most)?,
    };
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    Some(text)
}

/// Returns whether a file is a document that cannot be opened, because it is damaged or cut off. One without text is not.
pub fn is_damaged(file: &File, name: &str) -> bool {
    is_document(name)
        && match ending(name).as_str() {
            "pdf" => whole_pdf(file).is_some_and(|bytes| with_pdf(&bytes, |_| Some(())).is_none()),
            _ => crate::archive::open(file).is_none(),
        }
}

/// Returns the metadata of a document. All fields are `None` for other files.
pub fn particulars(file: &File, name: &str) -> Particulars {
    match ending(name).as_str() {
        "pdf" => pdf_particulars(file).unwrap_or_default(),
        "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" => office_particulars(file).unwrap_or_default(),
        _ => Particulars::default(),
    }
}

fn whole_pdf(file: &File) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let size = file.metadata().ok()?.len();
    if size > LARGEST_PDF {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(size).ok()?];
    file.read_exact_at(&mut bytes, 0).ok()?;
    bytes.starts_with(b"%PDF").then_some(bytes)
}

/// Opens a PDF and runs `work` on it. `None` if the library cannot handle the file, including when it panics.
fn with_pdf<T>(bytes: &[u8], work: impl FnOnce(&Document) -> Option<T>) -> Option<T> {
    // Streams are unpacked one by one, each up to a limit, so their number limits the total.
    let streams = bytes.windows(9).filter(|window| *window == b"endstream").count().max(1);
    let each = (MOST_UNPACKED / streams).clamp(4 * 1024, MOST_UNPACKED / 8);
    let options = LoadOptions { max_decompressed_size: Some(each), ..LoadOptions::default() };
    let work = AssertUnwindSafe(|| {
        let document = Document::load_mem_with_options(bytes, options).ok()?;
        work(&document)
    });
    catch_unwind(work).ok().flatten()
}

fn pdf_text(file: &File, most: usize) -> Option<String> {
    let bytes = whole_pdf(file)?;
    let text = with_pdf(&bytes, |document| {
        let mut text = String::new();
        for page in document.get_pages().keys().take(MOST_PAGES) {
            if let Ok(page) = document.extract_text_with_limit(&[*page], MOST_OF_PAGE) {
                text.push_str(page.trim_end());
                text.push('\n');
            }
            if text.len() >= most {
                break;
            }
        }
        Some(text)
    });
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => Some(text),
        None => Some(pdf_strings(&bytes)),
    }
}

fn pdf_particulars(file: &File) -> Option<Particulars> {
    let bytes = whole_pdf(file)?;
    with_pdf(&bytes, |document| {
        let info = document.trailer.get(b"Info").ok().and_then(|info| match info {
            Object::Reference(id) => document.get_dictionary(*id).ok(),
            Object::Dictionary(info) => Some(info),
            _ => None,
        });
        let particular = |key: &[u8]| {
            let value = info?.get(key).ok()?;
            let value = lopdf::decode_text_string(value).ok()?;
            cut(&value)
        };
        let pages = u64::try_from(document.get_pages().len()).ok();
        Some(Particulars { pages, title: particular(b"Title"), author: particular(b"Author") })
    })
}

fn cut(value: &str) -> Option<String> {
    let value: String = value.trim().chars().take(LONGEST_PARTICULAR).collect();
    (!value.is_empty()).then_some(value)
}

/// Returns a part of an Office document as text. If unpacking fails, returns what was unpacked before the error.
fn part<R: Read + std::io::Seek>(archive: &mut zip::ZipArchive<R>, name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let _ = archive.by_name(name).ok()?.take(MOST_MARKUP).read_to_end(&mut bytes);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn office_text(file: &File, ending: &str, most: usize) -> Option<String> {
    let mut archive = crate::archive::open(file)?;
    let is_text = |name: &str| match ending {
        "docx" => {
            matches!(name, "word/document.xml" | "word/footnotes.xml" | "word/endnotes.xml")
                || name.starts_with("word/header")
                || name.starts_with("word/footer")
        }
        "xlsx" => name.starts_with("xl/worksheets/sheet"),
        "pptx" => name.starts_with("ppt/slides/slide"),
        "epub" => name.ends_with(".xhtml") || name.ends_with(".html"),
        _ => name == "content.xml",
    };
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .filter(|name| is_text(name))
        .collect();
    // `slide10.xml` sorts after `slide9.xml`.
    names.sort_by_key(|name| (name.len(), name.clone()));
    let shared = match ending {
        "xlsx" => shared_strings(&part(&mut archive, "xl/sharedStrings.xml").unwrap_or_default()),
        _ => Vec::new(),
    };
    let mut text = String::new();
    for name in names.iter().take(MOST_PARTS) {
        let markup = part(&mut archive, name).unwrap_or_default();
        match ending {
            "xlsx" => sheet_text(&markup, &shared, most, &mut text),
            _ => markup_text(&markup, most, &mut text),
        }
        if text.len() >= most {
            break;
        }
    }
    Some(text)
}

fn office_particulars(file: &File) -> Option<Particulars> {
    let mut archive = crate::archive::open(file)?;
    let core = part(&mut archive, "docProps/core.xml")
        .or_else(|| part(&mut archive, "meta.xml"))
        .unwrap_or_default();
    let app = part(&mut archive, "docProps/app.xml").unwrap_or_default();
    let within = |markup: &str, tag: &str| {
        let (_, rest) = markup.split_once(&format!("<{tag}"))?;
        let (_, rest) = rest.split_once('>')?;
        let (value, _) = rest.split_once('<')?;
        let mut text = String::new();
        decode(value, &mut text);
        cut(&text)
    };
    let counted = |markup: &str, mark: &str| -> Option<u64> {
        let (_, rest) = markup.split_once(mark)?;
        rest.split('"').next()?.parse().ok()
    };
    let pages = ["Pages", "Slides"].iter().find_map(|tag| within(&app, tag)?.parse().ok());
    Some(Particulars {
        pages: pages.or_else(|| counted(&core, "meta:page-count=\"")),
        title: within(&core, "dc:title"),
        author: within(&core, "dc:creator").or_else(|| within(&core, "meta:initial-creator")),
    })
}

/// Iterates over markup: the text before each tag, and the tag without its brackets.
fn tags<'a>(markup: &'a str, mut each: impl FnMut(&'a str, &'a str) -> bool) {
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        let Some(end) = rest[start..].find('>') else { return };
        if !each(text, &rest[start + 1..start + end]) {
            return;
        }
        rest = &rest[start + end + 1..];
    }
}

fn name_of(tag: &str) -> &str {
    tag.split([' ', '\n', '\r', '\t']).next().unwrap_or_default().trim_end_matches('/')
}

/// Converts markup to text, with paragraphs and rows as lines and cells separated by tabs.
fn markup_text(markup: &str, most: usize, text: &mut String) {
    let mut in_row = false;
    tags(markup, |before, tag| {
        decode(before, text);
        match name_of(tag) {
            "/w:p" | "/a:p" | "/text:h" | "/p" | "/div" | "/li" | "/tr" | "/h1" | "/h2" | "/h3"
            | "/title" | "w:br" | "br" | "text:line-break" => end_line(text),
            "/text:p" if in_row => text.push(' '),
            "/text:p" => end_line(text),
            "table:table-row" => in_row = true,
            "/table:table-row" => {
                in_row = false;
                end_line(text);
            }
            "/table:table-cell" | "w:tab" | "text:tab" => text.push('\t'),
            "text:s" => text.push(' '),
            _ => {}
        }
        text.len() < most
    });
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Returns the shared strings of a workbook.
fn shared_strings(markup: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut one = String::new();
    tags(markup, |before, tag| {
        decode(before, &mut one);
        match name_of(tag) {
            "si" => one.clear(),
            "/si" => strings.push(std::mem::take(&mut one)),
            _ => {}
        }
        true
    });
    strings
}

fn sheet_text(markup: &str, shared: &[String], most: usize, text: &mut String) {
    let (mut is_shared, mut value) = (false, String::new());
    tags(markup, |before, tag| {
        decode(before, &mut value);
        match name_of(tag) {
            "c" => {
                is_shared = tag.contains("t=\"s\"");
                value.clear();
            }
            "/c" => {
                let shown = match is_shared {
                    true => value.trim().parse::<usize>().ok().and_then(|at| shared.get(at)),
                    false => Some(&value),
                };
                text.push_str(&shown.map(String::as_str).unwrap_or_default().replace(['\n', '\t'], " "));
                text.push('\t');
                value.clear();
            }
            "/row" => {
                while text.ends_with('\t') {
                    text.pop();
                }
                end_line(text);
            }
            "f" => value.clear(),
            // The cell shows a value, not the formula.
            "/f" => value.clear(),
            _ => {}
        }
        text.len() < most
    });
}

/// Decodes the entities in the text of markup.
fn decode(markup: &str, text: &mut String) {
    let mut rest = markup;
    while let Some(start) = rest.find('&') {
        text.push_str(&rest[..start]);
        let end = rest[start..].find(';').filter(|end| *end <= 10);
        let decoded = end.and_then(|end| entity(&rest[start + 1..start + end]));
        match (end, decoded) {
            (Some(end), Some(letter)) => {
                text.push(letter);
                rest = &rest[start + end + 1..];
            }
            _ => {
                text.push('&');
                rest = &rest[start + 1..];
            }
        }
    }
    text.push_str(rest);
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|letter| !letter.is_control())?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    fn archive(parts: &[(&str, &str)]) -> File {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in parts {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        file(&writer.finish().unwrap().into_inner())
    }

    /// Creates a PDF whose font uses its own character codes.
    fn pdf(pages: usize, text: &str) -> Vec<u8> {
        use lopdf::{Stream, dictionary};
        let mut document = Document::with_version("1.5");
        let map = "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /X def\n/CMapType 2 def\n\
                   1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n1 beginbfrange\n<0000> <00ff> <0021>\nendbfrange\n\
                   endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend";
        let to_unicode = document.add_object(Stream::new(dictionary! {}, map.as_bytes().to_vec()));
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "F", "Encoding" => "Identity-H", "ToUnicode" => to_unicode,
        });
        let codes: String = text.bytes().map(|byte| format!("{:04x}", byte - 0x21)).collect();
        let content = format!("BT /F1 12 Tf <{codes}> Tj ET");
        let tree = document.new_object_id();
        let kids: Vec<Object> = (0..pages)
            .map(|_| {
                let content = document.add_object(Stream::new(dictionary! {}, content.clone().into_bytes()));
                let page = dictionary! {
                    "Type" => "Page", "Parent" => tree, "Contents" => content,
                    "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
                };
                document.add_object(page).into()
            })
            .collect();
        let count = i64::try_from(pages).unwrap();
        document
            .objects
            .insert(tree, dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count }.into());
        let root = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        let info = document.add_object(dictionary! { "Title" => Object::string_literal("The Title"), "Author" => Object::string_literal("Ada") });
        document.trailer.set("Root", root);
        document.trailer.set("Info", info);
        document.compress();
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_pdf_gives_the_text_of_fonts_with_numbers_of_their_own() {
        let file = file(&pdf(3, "Rechnung42"));
        let text = document_text(&file, "a.PDF", 1_000).unwrap();
        assert_eq!(text.matches("Rechnung42").count(), 3, "{text}");
        let wanted = Particulars {
            pages: Some(3),
            title: Some("The Title".to_owned()),
            author: Some("Ada".to_owned()),
        };
        assert_eq!(particulars(&file, "a.pdf"), wanted);
        assert_eq!(document_text(&file, "a.pdf", 15).unwrap().len(), 15);
    }

    #[test]
    fn office_documents_give_their_lines() {
        let word = "<w:document><w:p><w:r><w:t>Hel</w:t></w:r><w:r><w:t>lo &amp; good</w:t></w:r></w:p><w:p><w:t>M&#252;ll</w:t></w:p></w:document>";
        let core = "<dc:title>Plan &lt;1&gt;</dc:title><dc:creator>Ada</dc:creator>";
        let file = archive(&[
            ("word/document.xml", word),
            ("docProps/core.xml", core),
            ("docProps/app.xml", "<Pages>7</Pages>"),
        ]);
        assert_eq!(document_text(&file, "a.docx", 1_000).unwrap(), "Hello & good\nMüll\n");
        let told = particulars(&file, "a.docx");
        assert_eq!(
            (told.pages, told.title.as_deref(), told.author.as_deref()),
            (Some(7), Some("Plan <1>"), Some("Ada"))
        );

        let sheet = "<row><c t=\"s\"><v>1</v></c><c><f>SUM(A1)</f><v>42.5</v></c></row><row><c t=\"s\"><v>0</v></c></row>";
        let file = archive(&[
            ("xl/sharedStrings.xml", "<sst><si><t>one</t></si><si><t>t</t><t>wo</t></si></sst>"),
            ("xl/worksheets/sheet1.xml", sheet),
        ]);
        assert_eq!(document_text(&file, "a.xlsx", 1_000).unwrap(), "two\t42.5\none\n");

        let table = "<text:h>Head</text:h><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>";
        let file = archive(&[("content.xml", table)]);
        assert_eq!(document_text(&file, "a.ods", 1_000).unwrap(), "Head\na \tb \t\n");
    }

    #[test]
    fn documents_that_unpack_to_very_much_or_are_none_cost_little() {
        let bomb = archive(&[("word/document.xml", &"<w:p>x</w:p>".repeat(20_000_000))]);
        assert!(document_text(&bomb, "a.docx", 10_000).unwrap().len() <= 10_000);
        // Each stream of this file unpacks to a thousand times its size.
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&vec![b' '; 300 * 1024 * 1024]).unwrap();
        let packed = packed.finish().unwrap();
        let head = format!(
            "%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length {}>>\nstream\n",
            packed.len()
        );
        let document =
            [head.as_bytes(), &packed, b"\nendstream\nendobj\ntrailer <</Root 2 0 R>>\n%%EOF"].concat();
        assert!(document_text(&file(&document), "a.pdf", 1_000).is_some_and(|text| text.len() <= 1_000));
        for bytes in [
            &b"%PDF-1.7"[..],
            b"",
            b"PK\x03\x04",
            b"%PDF-1.4\n1 0 obj <</Kids [1 0 R]>> endobj trailer <</Root 1 0 R>>",
        ] {
            for name in ["a.pdf", "a.docx", "a.xlsx", "a.odt", "a.epub"] {
                document_text(&file(bytes), name, 1_000);
                particulars(&file(bytes), name);
            }
        }
        assert_eq!(document_text(&file(b"text"), "a.txt", 10), None);
    }
}
