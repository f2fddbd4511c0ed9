//! `table`: queries CSV and TSV files: rows, conditions, order, and sums by group.
//!
//! A table is read row by row, with a limit on the memory that is used. The delimiter and the decimal separator are
//! detected from the file.

mod cells;

use crate::budget::Budget;
use crate::files::{FileError, Files};
use crate::parameters::{Parameters, Shape, parse_object};
use crate::text::{Lines, escaped, failed, reason, shown};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use cells::{LONGEST_ROW, LongLines, compare, day, delimiter, has_comma, number};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{Access, Effect, Facts, ReadAccess, Risk, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{Read, Seek};

/// The default number of rows shown.
const USUAL_ROWS: u64 = 20;
/// The maximum size of rows and groups in memory, in bytes.
const MOST_HELD: usize = 64 * 1024 * 1024;
/// The number of bytes read to detect the delimiter.
const SNIFFED: u64 = 64 * 1024;

/// The tool that queries tables.
pub(crate) struct Table;

// A query of a table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableParameters {
    /// The CSV or TSV file.
    path: String,
    /// Names of the columns to return. Default: all.
    #[serde(default)]
    columns: Vec<String>,
    /// Conditions on rows; all must hold.
    #[serde(default)]
    r#where: Vec<Condition>,
    /// Column to sort by, or a computed one such as `sum Amount`.
    #[serde(default)]
    sort: Option<String>,
    /// Sort from largest to smallest.
    #[serde(default)]
    descending: bool,
    /// Maximum number of rows. Default: 20, or all groups.
    #[serde(default)]
    limit: Option<u64>,
    /// Number of rows to skip.
    #[serde(default)]
    offset: u64,
    /// Columns to group by: one result row for each group.
    #[serde(default)]
    group: Vec<String>,
    /// What to compute for each group, or for all rows without group.
    #[serde(default)]
    compute: Vec<Compute>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Condition {
    column: String,
    is: Is,
    /// Text, number or date, always as a string: "100", "2026-01-31".
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
enum Is {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    Other,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = ">")]
    More,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = "contains")]
    Contains,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Compute {
    of: Of,
    /// The column. Optional for count.
    #[serde(default)]
    column: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Of {
    Sum,
    Average,
    Min,
    Max,
    Count,
}

impl Parameters for TableParameters {
    fn shapes() -> Vec<Shape> {
        vec![Shape::of::<Self>(None)]
    }

    fn parse(tool: &str, parameters: &Value) -> Result<Self, InvalidCall> {
        parse_object(tool, parameters.clone())
    }
}

/// Why a query failed. The text is for the model.
#[derive(Debug, thiserror::Error)]
enum TableError {
    File(#[from] FileError),
    Unreadable { path: String, reason: Phrase },
    NoColumn { path: String, column: String, known: String },
    Columnless { of: String },
    TooMuch { path: String },
}

impl TableError {
    /// Returns the message for people.
    fn phrase(&self) -> Phrase {
        match self {
            Self::File(error) => error.phrase(),
            Self::Unreadable { path, reason } => say::unreadable_table(path, reason),
            Self::NoColumn { path, column, known } => say::no_column(column, known, path),
            Self::Columnless { of } => say::needs_column(of),
            Self::TooMuch { path } => say::too_many_rows(path),
        }
    }
}

deputy_messages::said_by_phrase!(TableError);

impl TypedTool for Table {
    const NAME: &'static str = "table";
    type Parameters = TableParameters;

    fn facts(&self, call: &TableParameters, place: &Place) -> Result<Facts, InvalidCall> {
        if call.path.is_empty() || call.path.contains('\0') {
            return Err(InvalidCall::parameter(Self::NAME, "path", say::expected_path()));
        }
        Ok(Facts {
            effect: Effect::ReadOnly,
            accesses: vec![Access::Read(ReadAccess { path: place.named(&call.path) })],
            summary: say::read(shown(call.path.as_ref())),
            diff: None,
            plan: None,
            risk: Risk::Low,
        })
    }

    async fn run(&self, call: TableParameters, cx: &CallContext) -> ToolResult {
        let own = cx.clone();
        let work = move || asked(&call, &own);
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => failed(error),
            Err(error) => failed(say::table_broke_off(error)),
        }
    }
}

/// A table that is being read.
struct Source<'a, R> {
    path: &'a str,
    rows: csv::Reader<R>,
    names: Vec<String>,
    has_comma: bool,
}

fn asked(call: &TableParameters, cx: &CallContext) -> Result<ToolResult, TableError> {
    let budget = Budget::of(cx);
    let unreadable = |reason: Phrase| TableError::Unreadable { path: shown(call.path.as_ref()), reason };
    let mut file = Files::of(cx)?.find(&call.path)?.file()?;
    let mut head = Vec::new();
    (&mut file).take(SNIFFED).read_to_end(&mut head).map_err(|error| unreadable(reason(&error)))?;
    if head.contains(&0) {
        return Err(unreadable(say::is_no_text()));
    }
    let skipped = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    file.seek(std::io::SeekFrom::Start(skipped)).map_err(|error| unreadable(reason(&error)))?;
    let head = String::from_utf8_lossy(&head);
    let delimiter = delimiter(&head);
    let lines = LongLines::of(budget.read(file, OsStr::new(&call.path)));
    let rows = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(lines);
    let mut source =
        Source { path: &call.path, rows, names: Vec::new(), has_comma: has_comma(&head, delimiter) };
    let names = source.rows.byte_headers().map_err(|error| unreadable(csv_reason(&error)))?;
    source.names = names.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
    let result = match call.compute.is_empty() && call.group.is_empty() {
        true => source.select(call, &budget, cx),
        false => source.compute(call, &budget, cx),
    };
    if budget.is_cancelled() {
        return Ok(crate::text::cancelled());
    }
    result
}

impl Condition {
    /// Returns whether the condition holds for a cell. Its value may be a number with a decimal point or as written in
    /// the table.
    fn holds(&self, cell: &str, has_comma: bool) -> bool {
        if self.is == Is::Contains {
            return deputy_organize::fold(cell).contains(&deputy_organize::fold(&self.value));
        }
        let value = match self.value.parse::<f64>() {
            Ok(_) if has_comma => self.value.replace('.', ","),
            _ => self.value.clone(),
        };
        let is_equal = compare(cell, &value, has_comma);
        // A cell that is empty or not a number is neither less nor greater than a number.
        let is_ordered =
            number(&value, has_comma).is_none() || number(cell, has_comma).is_some() || day(cell).is_some();
        match self.is {
            Is::Equal => is_equal == Ordering::Equal,
            Is::Other => is_equal != Ordering::Equal,
            Is::Less => is_ordered && is_equal == Ordering::Less,
            Is::AtMost => is_ordered && is_equal != Ordering::Greater,
            Is::More => is_ordered && is_equal == Ordering::Greater,
            Is::AtLeast => is_ordered && is_equal != Ordering::Less,
            Is::Contains => false,
        }
    }
}

impl<R: Read> Source<'_, R> {
    fn column(&self, name: &str) -> Result<usize, TableError> {
        let wanted = deputy_organize::fold(name.trim());
        let found = self.names.iter().position(|known| known == name);
        let found =
            found.or_else(|| self.names.iter().position(|known| deputy_organize::fold(known) == wanted));
        found.ok_or_else(|| TableError::NoColumn {
            path: shown(self.path.as_ref()),
            column: name.to_owned(),
            known: crate::text::one_line(&self.names.join(", "), 400),
        })
    }

    /// Calls `take` for each matching row, and returns the total number of rows.
    fn each(
        &mut self,
        call: &TableParameters,
        budget: &Budget,
        mut take: impl FnMut(Vec<String>) -> Result<(), TableError>,
    ) -> Result<u64, TableError> {
        let conditions: Result<Vec<(usize, &Condition)>, TableError> =
            call.r#where.iter().map(|condition| Ok((self.column(&condition.column)?, condition))).collect();
        let conditions = conditions?;
        let mut row = csv::ByteRecord::new();
        let mut all = 0;
        loop {
            match self.rows.read_byte_record(&mut row) {
                Ok(true) if !budget.is_over() => {}
                Ok(_) => return Ok(all),
                Err(error) => {
                    let reason = csv_reason(&error);
                    return Err(TableError::Unreadable { path: shown(self.path.as_ref()), reason });
                }
            }
            all += 1;
            if row.as_slice().len() > LONGEST_ROW {
                let reason = say::row_too_long(all);
                return Err(TableError::Unreadable { path: shown(self.path.as_ref()), reason });
            }
            let cells: Vec<String> =
                row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect();
            let cell = |at: usize| cells.get(at).map(String::as_str).unwrap_or_default();
            if conditions.iter().all(|(at, condition)| condition.holds(cell(*at), self.has_comma)) {
                take(cells)?;
            }
        }
    }

    fn select(
        mut self,
        call: &TableParameters,
        budget: &Budget,
        cx: &CallContext,
    ) -> Result<ToolResult, TableError> {
        let columns: Result<Vec<usize>, TableError> = match call.columns.is_empty() {
            true => Ok((0..self.names.len()).collect()),
            false => call.columns.iter().map(|name| self.column(name)).collect(),
        };
        let columns = columns?;
        let sort = call.sort.as_ref().map(|name| self.column(name)).transpose()?;
        let path = self.path;
        let limit = call.limit.unwrap_or(USUAL_ROWS);
        let (from, to) = (call.offset, call.offset.saturating_add(limit));
        let mut rows: Vec<Vec<String>> = Vec::new();
        let (mut fitting, mut held) = (0_u64, 0_usize);
        let all = self.each(call, budget, |cells| {
            fitting += 1;
            if sort.is_none() && (fitting <= from || fitting > to) {
                return Ok(());
            }
            held += cells.iter().map(|cell| cell.len() + 24).sum::<usize>();
            if held > MOST_HELD {
                return Err(TableError::TooMuch { path: shown(path.as_ref()) });
            }
            rows.push(cells);
            Ok(())
        })?;
        if let Some(at) = sort {
            self.order(&mut rows, at, call.descending);
            let first = usize::try_from(from).unwrap_or(usize::MAX).min(rows.len());
            rows.drain(..first);
            rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        let mut lines = Lines::new(cx.output_chars);
        lines.push_for(&line(columns.iter().map(|at| self.names[*at].as_str())), 0);
        for row in &rows {
            lines.push(&line(columns.iter().map(|at| row.get(*at).map(String::as_str).unwrap_or_default())));
        }
        let (rows, columns) = (rows.len(), columns.len());
        let summary = match fitting == all {
            true => say::selected(all, columns, rows),
            false => say::selected_of_fitting(all, columns, fitting, rows),
        };
        Ok(lines.finish(noted([Some(summary), None], budget)))
    }

    fn order(&self, rows: &mut [Vec<String>], at: usize, is_descending: bool) {
        let cell = |row: &[String]| row.get(at).cloned().unwrap_or_default();
        rows.sort_by(|one, other| {
            let order = compare(&cell(one), &cell(other), self.has_comma);
            if is_descending { order.reverse() } else { order }
        });
    }

    fn compute(
        mut self,
        call: &TableParameters,
        budget: &Budget,
        cx: &CallContext,
    ) -> Result<ToolResult, TableError> {
        let groups: Result<Vec<usize>, TableError> =
            call.group.iter().map(|name| self.column(name)).collect();
        let groups = groups?;
        let count_alone = [Compute { of: Of::Count, column: None }];
        let wanted = if call.compute.is_empty() { count_alone.as_slice() } else { &call.compute };
        let mut columns = Vec::new();
        for one in wanted {
            columns.push(match (&one.column, one.of) {
                (Some(name), _) => Some(self.column(name)?),
                (None, Of::Count) => None,
                (None, of) => return Err(TableError::Columnless { of: of.name().to_owned() }),
            });
        }
        let (path, has_comma) = (self.path, self.has_comma);
        let mut figures: BTreeMap<Vec<String>, Vec<Figure>> = BTreeMap::new();
        let mut held = 0;
        let mut passed_by = 0_u64;
        let all = self.each(call, budget, |cells| {
            let cell = |at: usize| cells.get(at).cloned().unwrap_or_default();
            let group: Vec<String> = groups.iter().map(|at| cell(*at)).collect();
            let of_group = figures.entry(group).or_insert_with_key(|group| {
                held += group.iter().map(|part| part.len() + 64).sum::<usize>() + 64 * wanted.len();
                vec![Figure::default(); wanted.len()]
            });
            if held > MOST_HELD {
                return Err(TableError::TooMuch { path: shown(path.as_ref()) });
            }
            for ((figure, one), at) in of_group.iter_mut().zip(wanted).zip(&columns) {
                match at.map(&cell) {
                    None => figure.rows += 1,
                    Some(text) if one.of == Of::Count => figure.rows += u64::from(!text.is_empty()),
                    Some(text) => match number(&text, has_comma) {
                        Some(value) => figure.add(value),
                        // An empty cell is not a number and is not worth reporting.
                        None => passed_by += u64::from(!text.is_empty()),
                    },
                }
            }
            Ok(())
        })?;
        if figures.is_empty() && groups.is_empty() {
            figures.insert(Vec::new(), vec![Figure::default(); wanted.len()]);
        }
        let name = |one: &Compute| match &one.column {
            Some(column) => format!("{} {column}", one.of.name()),
            None => one.of.name().to_owned(),
        };
        let header: Vec<String> =
            groups.iter().map(|at| self.names[*at].clone()).chain(wanted.iter().map(name)).collect();
        let mut rows: Vec<Vec<String>> = figures
            .into_iter()
            .map(|(group, figures)| {
                let values = figures.iter().zip(wanted).map(|(figure, one)| figure.told(one.of, has_comma));
                group.into_iter().chain(values).collect()
            })
            .collect();
        if let Some(sort) = &call.sort {
            self.names = header.clone();
            let at = self.column(sort)?;
            self.order(&mut rows, at, call.descending);
        }
        let number_of_rows = rows.len() as u64;
        let first = usize::try_from(call.offset).unwrap_or(usize::MAX).min(rows.len());
        rows.drain(..first);
        rows.truncate(call.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX));
        let mut lines = Lines::new(cx.output_chars);
        lines.push_for(&line(header.iter().map(String::as_str)), 0);
        rows.iter().for_each(|row| lines.push(&line(row.iter().map(String::as_str))));
        let summary = say::grouped(number_of_rows, all);
        let passed_by = (passed_by > 0).then(|| say::no_numbers(passed_by));
        Ok(lines.finish(noted([Some(summary), passed_by], budget)))
    }
}

fn noted(figures: [Option<Phrase>; 2], budget: &Budget) -> Phrase {
    deputy_messages::series(figures.into_iter().chain([budget.note()]).flatten())
}

/// Returns the message of a CSV error, or our own message if it carries one.
fn csv_reason(error: &csv::Error) -> Phrase {
    match error.kind() {
        csv::ErrorKind::Io(error) => reason(error),
        _ => error.to_string().into(),
    }
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    cells.map(|cell| escaped(cell).into_owned()).collect::<Vec<_>>().join("\t")
}

#[derive(Clone, Debug, Default)]
struct Figure {
    rows: u64,
    sum: f64,
    /// The rounding error so far, so that many small numbers add up correctly (Kahan summation).
    lost: f64,
    least: Option<f64>,
    most: Option<f64>,
}

impl Figure {
    fn add(&mut self, value: f64) {
        self.rows += 1;
        let next = value - self.lost;
        let sum = self.sum + next;
        self.lost = (sum - self.sum) - next;
        self.sum = sum;
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
        self.most = Some(self.most.map_or(value, |most| most.max(value)));
    }

    fn told(&self, of: Of, has_comma: bool) -> String {
        let value = match of {
            Of::Count => return self.rows.to_string(),
            Of::Sum => Some(self.sum),
            Of::Average => (self.rows > 0).then(|| self.sum / self.rows as f64),
            Of::Min => self.least,
            Of::Max => self.most,
        };
        let Some(value) = value else { return String::new() };
        // Six digits are more than amounts of money need, and fewer than rounding errors affect.
        let text = format!("{value:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if has_comma { text.replace('.', ",") } else { text.to_owned() }
    }
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Average => "average",
            Self::Min => "min",
            Self::Max => "max",
            Self::Count => "count",
        }
    }
}
