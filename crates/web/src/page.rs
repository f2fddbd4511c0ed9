//! Converts pages to text: HTML to Markdown with the main content first, and bytes to characters.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use htmd::element_handler::Handlers;
use htmd::{Element, HtmlToMarkdown};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Elements without text for a reader.
const UNREAD: [&str; 9] =
    ["script", "style", "noscript", "template", "svg", "iframe", "object", "canvas", "head"];
/// Elements around the main content.
const AROUND: [&str; 3] = ["nav", "aside", "footer"];
/// The maximum nesting depth of a page that is converted to Markdown, which takes stack space for each level. Deeper
/// pages are converted to plain text.
const DEEPEST: usize = 400;
/// The time limit for parsing a page, and the number of bytes to parse at a time.
const PARSE_TIME: Duration = Duration::from_secs(5);
const PIECE_BYTES: usize = 8 * 1024;
const NOT_WHOLE: &str = "\n[the rest of the page takes too long to read]";

/// Converts a page to Markdown: its title, then the main content, then what surrounds it.
pub fn markdown(html: &str) -> String {
    let (dom, is_whole) = parsed(html);
    let seen = Seen::of(&dom.document);
    let is_plain = seen.depth > DEEPEST || !is_whole;
    let mut text = if is_plain { seen.text } else { converted(html).unwrap_or(seen.text) };
    if !is_whole {
        text.push_str(NOT_WHOLE);
    }
    let title = seen.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim();
    let has_heading =
        text.lines().any(|line| line.strip_prefix("# ").is_some_and(|heading| heading == title));
    if title.is_empty() || has_heading { text.to_owned() } else { format!("# {title}\n\n{text}") }
}

/// Parses a page. Also returns whether it was parsed completely: a hostile page can make parsing slow.
fn parsed(html: &str) -> (RcDom, bool) {
    let mut parser = parse_document(RcDom::default(), ParseOpts::default());
    let since = Instant::now();
    let mut rest = html;
    while !rest.is_empty() && since.elapsed() < PARSE_TIME {
        let mut end = rest.len().min(PIECE_BYTES);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        parser.process(StrTendril::from(&rest[..end]));
        rest = &rest[end..];
    }
    (parser.finish(), rest.is_empty())
}

fn converted(html: &str) -> Option<String> {
    let around: Arc<Mutex<Vec<String>>> = Arc::default();
    let apart = around.clone();
    let converter = HtmlToMarkdown::builder()
        .skip_tags(UNREAD.to_vec())
        .add_handler(AROUND.to_vec(), move |handlers: &dyn Handlers, element: Element| {
            let text = handlers.walk_children(element.node).content;
            apart.lock().unwrap_or_else(PoisonError::into_inner).push(text.trim().to_owned());
            Some("".into())
        })
        .build();
    let main = converter.convert(html).ok()?;
    let around = around.lock().unwrap_or_else(PoisonError::into_inner);
    let around: Vec<&str> = around.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    Some(match around.as_slice() {
        [] => main,
        around => format!("{}\n\n---\n\n{}", main.trim(), around.join("\n\n")),
    })
}

/// The result of walking a page of any depth.
#[derive(Default)]
struct Seen {
    depth: usize,
    title: String,
    text: String,
}

impl Seen {
    fn of(document: &Handle) -> Self {
        let mut seen = Self::default();
        let mut open: Vec<(Handle, usize, bool)> = vec![(document.clone(), 0, false)];
        while let Some((node, depth, in_title)) = open.pop() {
            seen.depth = seen.depth.max(depth);
            let mut is_title = in_title;
            match &node.data {
                NodeData::Element { name, .. } => {
                    let tag = &*name.local;
                    // The title is in the head. Nothing else in the head is read.
                    if UNREAD.contains(&tag) && tag != "head" {
                        continue;
                    }
                    is_title |= tag == "title" && seen.title.is_empty();
                }
                NodeData::Text { contents } if in_title => seen.title.push_str(&contents.borrow()),
                NodeData::Text { contents } => {
                    let words = contents.borrow();
                    if !words.trim().is_empty() {
                        seen.text.push_str(words.trim());
                        seen.text.push('\n');
                    }
                }
                _ => {}
            }
            open.extend(
                node.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1, is_title)),
            );
        }
        seen
    }
}

/// Decodes an answer by its byte order mark, by the charset that its server declares, or by the most likely encoding.
pub fn decoded(body: &[u8], media_type: &str) -> String {
    let said = media_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        (name.trim().eq_ignore_ascii_case("charset")).then(|| value.trim().trim_matches('"'))
    });
    let encoding = said.and_then(|label| Encoding::for_label(label.as_bytes()));
    let likely = if std::str::from_utf8(body).is_ok() { UTF_8 } else { WINDOWS_1252 };
    // A byte order mark takes precedence over both.
    encoding.unwrap_or(likely).decode(body).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_page_is_about_comes_first_and_tables_stay() {
        let html = "<html><head><title> Prices  2026 </title><script>evil()</script></head><body><nav><a href='/'>Home</a></nav>\
            <main><h1>Prices</h1><table><tr><th>Fruit</th><th>Euro</th></tr><tr><td>Pear</td><td>2</td></tr></table>\
            <p>See <a href='https://example.org/x'>more</a>.</p></main><footer>Imprint</footer></body></html>";
        let text = markdown(html);
        let places: Vec<usize> = [
            "# Prices 2026",
            "# Prices\n",
            "Fruit",
            "| Pear",
            "[more](https://example.org/x)",
            "Home",
            "Imprint",
        ]
        .iter()
        .map(|piece| text.find(piece).unwrap_or_else(|| panic!("{piece} is missing:\n{text}")))
        .collect();
        assert!(places.is_sorted(), "{places:?}\n{text}");
        assert!(!text.contains("evil"));
    }

    #[test]
    fn a_page_of_thousands_of_levels_is_read_all_the_same() {
        let html = format!("<title>Deep</title>{}the end", "<div>".repeat(3_000));
        assert_eq!(markdown(&html), "# Deep\n\nthe end");
    }

    #[test]
    fn characters_are_what_the_server_says_or_most_likely_are() {
        assert_eq!(decoded("é".as_bytes(), "text/html; charset=utf-8"), "é");
        assert_eq!(decoded(b"\xe9", "text/html; charset=iso-8859-1"), "é");
        assert_eq!(decoded(b"\xe9", ""), "é");
        assert_eq!(decoded("é".as_bytes(), "text/plain; charset=nonsense"), "é");
        assert_eq!(decoded(b"\xef\xbb\xbfa", "text/plain; charset=iso-8859-1"), "a");
    }
}
