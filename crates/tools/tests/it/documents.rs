//! The text of documents in `search` and `code`, the metadata of files, and the comparison of folders.

use crate::support::{Desk, photo};
use deputy_protocol::CallStatus;
use serde_json::json;
use std::io::Write;

fn word(paragraphs: &[&str]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let body: String =
        paragraphs.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect();
    writer.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(format!("<w:document>{body}</w:document>").as_bytes()).unwrap();
    writer.finish().unwrap().into_inner()
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("letter.docx", word(&["Dear Ada,", "the invoice &amp; the rest", "Yours"]));
    desk.put("notes.txt", "an invoice\nmore\n");
    desk.put("photo.jpg", photo(Some("2024:07:01 09:05:03")));
    desk
}

#[tokio::test]
async fn a_pdf_is_searched_by_its_text() {
    let desk = Desk::new();
    let text = "BT /F1 12 Tf 72 720 Td (Total due: 42 euros) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
          /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(pdf.len());
        pdf.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let start = pdf.len();
    pdf.push_str("xref\n0 6\n0000000000 65535 f \n");
    places.iter().for_each(|place| pdf.push_str(&format!("{place:010} 00000 n \n")));
    pdf.push_str(&format!("trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"));
    desk.put("bill.pdf", pdf);
    desk.put("notes.txt", "no total\n");
    let grep = desk.run("search", json!({"action": "grep", "pattern": "Total due"})).await;
    assert_eq!(grep.content, "bill.pdf:1:Total due: 42 euros\n1 match in 1 of 2 files");
}

#[tokio::test]
async fn a_damaged_document_is_named_and_never_taken_for_an_empty_one() {
    let desk = desk();
    desk.put("cut.pdf", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nend");
    desk.put("cut.docx", &word(&["Dear Ada"])[..60]);
    for name in ["cut.pdf", "cut.docx"] {
        let read = desk.run("code", json!({"action": "read", "path": name})).await;
        assert_eq!(read.status, CallStatus::Failed, "{}", read.content);
        assert!(read.content.contains("is damaged or cut off"), "{}", read.content);
    }
    let grep = desk.run("search", json!({"action": "grep", "pattern": "invoice"})).await;
    let unread = "could not read 2 files, among them cut.docx, cut.pdf";
    assert!(grep.content.contains(unread), "{}", grep.content);
    // A document without text is whole.
    desk.put("blank.docx", word(&[]));
    let read = desk.run("code", json!({"action": "read", "path": "blank.docx"})).await;
    assert!(read.content.contains("empty file"), "{}", read.content);
}

#[tokio::test]
async fn documents_are_searched_and_read_by_their_text() {
    let desk = desk();
    let grep = desk.run("search", json!({"action": "grep", "pattern": "invoice"})).await;
    assert_eq!(
        grep.content,
        "letter.docx:2:the invoice & the rest\nnotes.txt:1:an invoice\n2 matches in 2 of 3 files; 1 binary file passed by"
    );
    let find = desk.run("search", json!({"action": "find", "text": "INVOICE & THE"})).await;
    assert!(find.content.starts_with("letter.docx\n1 file"), "{}", find.content);
    let read =
        desk.run("code", json!({"action": "read", "path": "letter.docx", "start_line": 2, "lines": 1})).await;
    assert!(
        read.summary.starts_with("letter.docx: lines 2-2 of 3, ") && read.summary.ends_with(", its text")
    );
    assert!(read.content.contains("\nthe invoice & the rest\n[1 more line"), "{}", read.content);
    let tail = desk.run("search", json!({"action": "tail", "path": "letter.docx", "lines": 1})).await;
    assert!(tail.content.starts_with("Yours\n"), "{}", tail.content);
}

#[tokio::test]
async fn files_tell_about_themselves() {
    let desk = desk();
    let info = desk.run("search", json!({"action": "info", "where": {"kind": "file"}})).await;
    assert_eq!(info.status, CallStatus::Ok);
    let rows: Vec<Vec<&str>> = info.content.lines().map(|line| line.split('\t').collect()).collect();
    let has = |row: usize, value: &str| rows[row].contains(&value);
    assert!(
        has(0, "letter.docx") && has(0, "type=document") && has(0, "lines=3") && has(0, "words=8"),
        "{rows:?}"
    );
    assert!(has(1, "notes.txt") && has(1, "lines=2") && has(1, "words=3") && has(1, "bytes=16"), "{rows:?}");
    assert!(has(2, "photo.jpg") && has(2, "pixels=1x1") && has(2, "taken=2024-07-01T09:05:03"), "{rows:?}");
    assert!(info.summary.starts_with("3 files, "));
    // For a file whose content does not match its name, only the name counts.
    desk.put("broken.pdf", "%PDF-1.7 nothing");
    desk.put("broken.png", "\u{89}PNG");
    let one = desk.run("search", json!({"action": "info", "path": "broken.pdf"})).await;
    assert!(one.content.starts_with("broken.pdf\tkind=file\ttype=document\tbytes=16"), "{}", one.content);
}

#[tokio::test]
async fn folders_are_compared() {
    let desk = Desk::new();
    for (below, content) in [
        ("a/same.txt", "same"),
        ("b/same.txt", "same"),
        ("a/changed.txt", "one"),
        ("b/changed.txt", "two"),
        ("a/longer.txt", "1"),
        ("b/longer.txt", "12"),
        ("a/only/x.txt", "x"),
        ("a/only/y.txt", "y"),
        ("b/new.txt", "n"),
        ("a/kind", "a file"),
        ("b/kind/inner.txt", "a folder"),
    ] {
        desk.put(below, content);
    }
    let call = json!({"action": "compare", "path": "a", "other": "b"});
    let result = desk.run("search", call.clone()).await;
    assert_eq!(
        result.content,
        "only in a\tonly/\nonly in b\tkind/inner.txt\nonly in b\tnew.txt\ndifferent\tchanged.txt\ndifferent\tkind\n\
         different\tlonger.txt\n3 only in a, 2 only in b, 3 different, 1 the same"
    );
    let facts = serde_json::to_string(&desk.facts("search", call).unwrap().accesses).unwrap();
    assert_eq!((facts.matches("\"a\"").count(), facts.matches("\"b\"").count()), (2, 2), "{facts}");
}
