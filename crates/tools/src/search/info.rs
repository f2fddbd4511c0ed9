//! `info`: metadata of files, such as the size and date of pictures or the page count and title of documents.

use super::content::counts;
use super::filter::Filter;
use super::order::{Order, Row, Shown};
use super::parameters::InfoParameters;
use super::usage::type_name;
use super::walk::{Passed, WalkOptions, path_of, walk};
use super::{SearchError, Totals, entry_name, finish};
use crate::budget::Budget;
use crate::files::{Files, kind_name};
use crate::text::{Lines, escaped, moment};
use crate::tool::CallContext;
use deputy_organize::scan::{FileKind, kind_by_name, picture_of};
use deputy_protocol::ToolResult;
use rustix::fs::FileType;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// The number of bytes to check for telling text from binary data.
const SNIFFED: u64 = 8 * 1024;

pub(super) fn info(
    call: &InfoParameters,
    files: &Files,
    cx: &CallContext,
    budget: &Budget,
) -> Result<ToolResult, SearchError> {
    let start = files.find(&call.path)?;
    let order = call.sort.or(Some(Order::Name));
    let mut list = Shown::new(order, call.offset, call.limit, cx.output_chars);
    let mut totals = Totals::default();
    let mut passed = Passed::default();
    if start.kind() == FileType::Directory {
        let here = Filter { depth: Some(1), ..Filter::default() };
        let filter = call.r#where.as_ref().unwrap_or(&here);
        let wanted = filter.conditions()?;
        passed = walk(files, &start, WalkOptions::of(filter), budget, &mut |entry| {
            if wanted.fits(entry, budget) {
                let row = Row::of(path_of(&call.path, entry.below), entry.kind, entry.stat().ok().as_ref());
                totals.add(entry.kind, row.bytes);
                list.push(row);
            }
        })?;
    } else {
        let row = Row::of(Path::new(&call.path).to_owned(), start.kind(), Some(start.stat()));
        totals.add(row.kind, row.bytes);
        list.push(row);
    }
    let (rows, window) = list.rows();
    let mut lines = Lines::new(cx.output_chars);
    let mut told = 0;
    for row in &rows {
        // Do not read files whose lines no longer fit.
        if budget.is_over() || lines.is_full() {
            break;
        }
        lines.push(&line(row, files, budget));
        told += 1;
    }
    window.count_rest(told, &mut lines);
    passed.is_cancelled |= budget.is_cancelled();
    let summary = totals.summary_with(window.note().into_iter(), &passed, budget);
    Ok(finish(lines, summary, &passed))
}

/// Formats the path of a file and its known metadata, separated by tabs.
fn line(row: &Row, files: &Files, budget: &Budget) -> String {
    let mut line = entry_name(row.path.as_os_str(), row.kind);
    let mut tell = |key: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            line.push_str(&format!("\t{key}={}", escaped(&value)));
        }
    };
    tell("kind", Some(kind_name(row.kind).to_owned()));
    let name = row.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_file = row.kind == FileType::RegularFile;
    if is_file {
        tell("type", Some(type_name(kind_by_name(&name))));
        tell("bytes", Some(row.bytes.to_string()));
    }
    tell("changed", Some(moment(row.changed.0)));
    let Ok(found) = files.find(&row.path.to_string_lossy()) else { return line };
    if let (true, Ok(file)) = (is_file, found.file()) {
        let picture = match kind_by_name(&name) {
            FileKind::Image => picture_of(&file, &name),
            _ => Default::default(),
        };
        tell("pixels", picture.pixels.map(|(width, height)| format!("{width}x{height}")));
        tell("taken", picture.taken.map(|at| at.strftime("%Y-%m-%dT%H:%M:%S").to_string()));
        tell("camera", picture.camera);
        let document = deputy_organize::particulars(&file, &name);
        tell("pages", document.pages.map(|pages| pages.to_string()));
        tell("title", document.title);
        tell("author", document.author);
        if let Some((lines, words)) = text_counts(file, &name, budget) {
            tell("lines", Some(lines.to_string()));
            tell("words", Some(words.to_string()));
        }
    }
    tell("tags", Some(deputy_policy::path::tags(found.real()).join(",")));
    line
}

/// Counts the lines and words of a file, or of the text of a document.
fn text_counts(mut file: File, name: &str, budget: &Budget) -> Option<(u64, u64)> {
    if let Some(text) = super::document::text_of(&file, name) {
        let counts = counts(text.as_bytes()).ok()?;
        return Some((counts.lines, counts.words));
    }
    let mut start = Vec::new();
    (&mut file).take(SNIFFED).read_to_end(&mut start).ok()?;
    if start.contains(&0) || start.starts_with(b"%PDF") || kind_by_name(name) == FileKind::Image {
        return None;
    }
    file.rewind().ok()?;
    let counts = counts(budget.read(file, name.as_ref())).ok()?;
    (!budget.is_over()).then_some((counts.lines, counts.words))
}
