//! `draft`: builds plans from selections, so that a model does not have to list paths.
//!
//! A draft is made by a call that only reads and submitted by another call. What policy decides about a plan must not
//! depend on the content of files, but the conditions and dates of a draft may.

use super::parameters::{Change, ChangeType, Dates, DraftParameters};
use super::template::{Subject, Template};
use super::{Organize, OrganizeError, folders, words};
use crate::budget::Budget;
use crate::files::{Files, kind_name};
use crate::search::{Filter, Order, Row, WalkOptions, WantedKind, walk};
use crate::text::{Lines, date, shown, size};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_messages::tools::could_not_be_read;
use deputy_organize::scan::{DateSource, date_of, kind_by_name, taken_at};
use deputy_organize::{CheckError, CheckedPlan, MOST_OPERATIONS, split};
use deputy_policy::path::Secrets;
use deputy_protocol::{
    CopyFileAction, CreateFolderAction, MoveFileAction, OperationId, OrganizeAction, OrganizeOperation,
    OrganizePlan, RenameAction, ToolResult, TrashAction,
};
use regex::Regex;
use rustix::fs::FileType;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The number of rounds of removing impossible operations before the draft fails.
const MOST_ROUNDS: usize = 5;
/// The maximum size of a compiled pattern, in bytes.
const LARGEST_PATTERN: usize = 1024 * 1024;

/// A change whose parameters were checked.
pub(super) struct Checked<'a> {
    change: &'a Change,
    to: Option<Template>,
    name: Option<Template>,
    old: Option<Regex>,
}

/// Checks the parameters of the changes.
pub(super) fn checked(call: &DraftParameters) -> Result<Vec<Checked<'_>>, InvalidCall> {
    if call.changes.is_empty() {
        return Err(InvalidCall::parameter(Organize::NAME, "changes", say::expected_change()));
    }
    call.changes.iter().enumerate().map(|(index, change)| one_checked(index, change)).collect()
}

fn one_checked(index: usize, change: &Change) -> Result<Checked<'_>, InvalidCall> {
    let wrong = |field: &str, problem: Phrase| {
        InvalidCall::parameter(Organize::NAME, &format!("changes[{index}].{field}"), problem)
    };
    let template = |field: &str, text: &Option<String>| -> Result<Option<Template>, InvalidCall> {
        text.as_deref().map(|text| Template::parse(text).map_err(|problem| wrong(field, problem))).transpose()
    };
    let (to, name) = (template("to", &change.to)?, template("name", &change.name)?);
    let holds_folder = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains('/'));
    if holds_folder(&change.name) {
        return Err(wrong("name", say::name_holds_folder()));
    }
    if holds_folder(&change.new) {
        return Err(wrong("new", say::no_folder_in_name()));
    }
    let needs_to = matches!(change.r#do, ChangeType::Move | ChangeType::Copy | ChangeType::CreateFolder);
    if needs_to && to.is_none() {
        return Err(wrong("to", say::folder_missing()));
    }
    let is_folder = change.r#do == ChangeType::CreateFolder;
    if is_folder && to.as_ref().is_some_and(|to| !to.is_plain()) {
        return Err(wrong("to", say::plain_folder()));
    }
    if change.r#do == ChangeType::Rename && name.is_none() && change.old.is_none() {
        return Err(wrong("name", say::template_missing()));
    }
    let has_source = change.r#where.is_some() || !change.from.is_empty();
    if !is_folder && !has_source {
        return Err(wrong("where", say::files_missing()));
    }
    if let Some(filter) = &change.r#where {
        filter.conditions().map_err(|error| wrong("where", error.phrase()))?;
    }
    let old = change.old.as_deref().map(|old| {
        let pattern = if change.regex { old.to_owned() } else { regex::escape(old) };
        let built = regex::RegexBuilder::new(&pattern).size_limit(LARGEST_PATTERN).build();
        built.map_err(|error| wrong("old", say::expected_regex(error)))
    });
    Ok(Checked { change, to, name, old: old.transpose()? })
}

/// A file or folder that a change applies to.
struct Item {
    row: Row,
    real: PathBuf,
    /// The folder that was searched.
    root: PathBuf,
    file: Option<File>,
}

/// A draft under construction.
struct Draft<'a> {
    place: &'a Place,
    /// Secrets, which no plan may name; policy would deny the whole plan.
    secrets: Secrets,
    base: PathBuf,
    operations: Vec<OrganizeOperation>,
    /// The row of each operation, in the same order.
    rows: Vec<Row>,
    /// Paths that earlier operations remove.
    taken: HashSet<PathBuf>,
    left_alone: Vec<(PathBuf, Phrase)>,
    unreadable: u64,
}

pub(super) fn draft(
    organize: &Organize,
    call: &DraftParameters,
    cx: &CallContext,
) -> Result<ToolResult, OrganizeError> {
    let changes = checked(call)?;
    let scope = folders(&call.paths, &cx.place)?;
    let files = Files::of(cx)?;
    let budget = Budget::of(cx);
    let mut draft = Draft {
        place: &cx.place,
        secrets: organize.home.secrets(&cx.place.workspace),
        base: scope.first().cloned().unwrap_or_default(),
        operations: Vec::new(),
        rows: Vec::new(),
        taken: HashSet::new(),
        left_alone: Vec::new(),
        unreadable: 0,
    };
    for change in &changes {
        draft.add(change, call, &files, &budget)?;
    }
    if budget.is_cancelled() {
        return Ok(crate::text::cancelled());
    }
    if let Some(note) = budget.note() {
        return Err(OrganizeError::Unfinished(note));
    }
    let scope = scope.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    let plan = OrganizePlan { scope, reasoning: call.reasoning.clone().into(), operations: Vec::new() };
    let checked = draft.check(organize, plan)?;
    let id = checked.as_ref().map(|checked| organize.home.keep_checked(checked)).transpose()?;
    Ok(draft.told(id.zip(checked.as_ref()), cx.output_chars))
}

impl Draft<'_> {
    fn add(
        &mut self,
        checked: &Checked<'_>,
        call: &DraftParameters,
        files: &Files,
        budget: &Budget,
    ) -> Result<(), OrganizeError> {
        let change = checked.change;
        if change.r#do == ChangeType::CreateFolder {
            let path = self.absolute(change.to.as_deref().unwrap_or_default());
            let action = OrganizeAction::CreateFolder(CreateFolderAction { path: text(&path) });
            self.push(action, Row { path, kind: FileType::Directory, bytes: 0, changed: (0, 0) });
            return Ok(());
        }
        let mut items = self.items(change, call, files, budget)?;
        let order = change.sort.unwrap_or(Order::Name);
        items.sort_by(|one, other| order.compare(&one.row, &other.row));
        items.truncate(change.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX));
        let mut number = 0;
        for mut item in items {
            if item.real.ancestors().any(|path| self.taken.contains(path)) {
                let reason = say::in_another_change();
                self.left_alone.push((item.row.path, reason));
                continue;
            }
            number += 1;
            if needs_file(checked) && item.row.kind == FileType::RegularFile {
                item.file = files.find(&text(&item.real)).and_then(|found| found.file()).ok();
            }
            match self.action(checked, &item, number) {
                Ok(Some(action)) => {
                    if change.r#do != ChangeType::Copy {
                        self.taken.insert(item.real.clone());
                    }
                    self.push(action, item.row);
                }
                Ok(None) => number -= 1,
                Err(reason) => self.left_alone.push((item.row.path, reason)),
            }
        }
        Ok(())
    }

    /// Finds the items that a change applies to.
    fn items(
        &mut self,
        change: &Change,
        call: &DraftParameters,
        files: &Files,
        budget: &Budget,
    ) -> Result<Vec<Item>, OrganizeError> {
        let from = if change.from.is_empty() { &call.paths } else { &change.from };
        let mut items: Vec<Item> = Vec::new();
        for given in from {
            let start = files.find(given)?;
            let root = start.real().to_owned();
            let Some(filter) = &change.r#where else {
                let row = Row::of(shorter(&self.base, &root), start.kind(), Some(start.stat()));
                let folder = root.parent().unwrap_or(&root).to_owned();
                items.push(Item { row, real: root, root: folder, file: None });
                continue;
            };
            let wanted = Filter { kind: filter.kind.or(Some(WantedKind::File)), ..filter.clone() };
            let conditions = wanted.conditions()?;
            let passed = walk(files, &start, WalkOptions::of(&wanted), budget, &mut |entry| {
                if items.len() > MOST_OPERATIONS || !conditions.fits(entry, budget) {
                    return;
                }
                let real = root.join(entry.below);
                if self.secrets.holds(&real) {
                    return;
                }
                let row = Row::of(shorter(&self.base, &real), entry.kind, entry.stat().ok().as_ref());
                items.push(Item { row, real, root: root.clone(), file: None });
            })?;
            self.unreadable += passed.unreadable;
            if passed.is_partial {
                return Err(OrganizeError::Unfinished(say::too_much_below()));
            }
        }
        Ok(items)
    }

    /// Returns the action for one item. `None` if nothing has to change.
    fn action(
        &self,
        checked: &Checked<'_>,
        item: &Item,
        number: usize,
    ) -> Result<Option<OrganizeAction>, Phrase> {
        let Some(name) = item.real.file_name().and_then(|name| name.to_str()) else {
            return Err(say::name_no_text());
        };
        let path = text(&item.real);
        if checked.change.r#do == ChangeType::Trash {
            return Ok(Some(OrganizeAction::Trash(TrashAction { path })));
        }
        let is_folder = item.row.kind == FileType::Directory;
        let (stem, ending) = if is_folder { (name, "") } else { split(name) };
        let new = checked.change.new.as_deref().unwrap_or_default();
        let stem = match &checked.old {
            Some(old) if checked.change.regex => old.replace_all(stem, new).into_owned(),
            Some(old) => old.replace_all(stem, regex::NoExpand(new)).into_owned(),
            None => stem.to_owned(),
        };
        let (date, time) =
            if needs_date(checked) { when(checked.change.dates, item, name)? } else { (None, None) };
        let folder = item.real.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let subject = Subject {
            stem: &stem,
            ending: ending.trim_start_matches('.'),
            folder: &folder,
            kind: kind_by_name(name).folder().unwrap_or("Other"),
            number,
            date,
            time,
        };
        let new_name = match &checked.name {
            None => format!("{stem}{ending}"),
            Some(template) => {
                let filled = template.fill(&subject)?;
                let whole = if template.has_ending() { filled } else { format!("{filled}{ending}") };
                whole.trim_end_matches('.').to_owned()
            }
        };
        if new_name.is_empty() || new_name.contains('/') {
            return Err(say::no_name_left());
        }
        let Some(to) = &checked.to else {
            let rename = RenameAction { path, name: new_name.clone() };
            return Ok((new_name != name).then_some(OrganizeAction::Rename(rename)));
        };
        // Leave items that are already sorted: a folder that is being filled is not emptied into itself.
        let beginning = self.absolute(to.beginning());
        let beginning =
            if to.is_plain() { beginning.as_path() } else { beginning.parent().unwrap_or(&beginning) };
        let is_filled = to.is_plain() || to.beginning().contains('/');
        if is_filled && item.real.starts_with(beginning) && !item.root.starts_with(beginning) {
            return Ok(None);
        }
        let destination = self.absolute(&to.fill(&subject)?).join(&new_name);
        if destination == item.real || destination.starts_with(&item.real) {
            return Ok(None);
        }
        let destination = text(&destination);
        Ok(Some(match checked.change.r#do {
            ChangeType::Copy => OrganizeAction::Copy(CopyFileAction { path, destination }),
            _ => OrganizeAction::Move(MoveFileAction { path, destination }),
        }))
    }

    fn absolute(&self, given: &str) -> PathBuf {
        let joined = self.base.join(self.place.named(given));
        // Normalizes `.` and the like, so that the path can be compared with real paths.
        joined.components().collect()
    }

    fn push(&mut self, action: OrganizeAction, row: Row) {
        let id = format!("o{}", self.operations.len() + 1);
        self.operations.push(OrganizeOperation::new(id, action, ""));
        self.rows.push(row);
    }

    /// Checks the plan. Removes and reports the operations that are impossible.
    fn check(
        &mut self,
        organize: &Organize,
        plan: OrganizePlan,
    ) -> Result<Option<CheckedPlan>, OrganizeError> {
        for _ in 0..MOST_ROUNDS {
            if self.operations.is_empty() {
                return Ok(None);
            }
            let plan = OrganizePlan { operations: self.operations.clone(), ..plan.clone() };
            let problems = match organize.home.check(&plan) {
                Ok(checked) => return Ok(Some(checked)),
                Err(CheckError::Problems(problems)) => problems,
                Err(error) => return Err(error.into()),
            };
            for problem in problems {
                let Some(at) = self.operations.iter().position(|one| one.id.as_str() == problem.operation)
                else {
                    continue;
                };
                self.operations.remove(at);
                let row = self.rows.remove(at);
                self.left_alone.push((row.path, problem.wrong.phrase()));
            }
        }
        Err(OrganizeError::Unfinished(say::in_each_others_way()))
    }

    fn told(&self, kept: Option<(String, &CheckedPlan)>, output_chars: usize) -> ToolResult {
        let mut lines = Lines::new(output_chars);
        match &kept {
            Some((id, checked)) => {
                lines.push_for(&format!("draft: {id}"), 0);
                lines.push_for(&format!("draft does: {}", words::plan_summary(&checked.plan)), 0);
            }
            None => lines.push_for("draft: none, as there is nothing to do", 0),
        }
        for (path, reason) in &self.left_alone {
            lines.push(&format!("left alone: {}, {}", shown(path.as_os_str()), crate::text::escaped(reason)));
        }
        let rows: HashMap<&OperationId, &Row> =
            self.operations.iter().map(|operation| &operation.id).zip(&self.rows).collect();
        // The check adds what belongs to the files of the plan.
        let operations = kept.as_ref().map_or(&self.operations, |(_, checked)| &checked.plan.operations);
        for operation in operations {
            let row = rows.get(&operation.id);
            let to = |to: &str| shown(shorter(&self.base, Path::new(to)).as_os_str());
            let path = row.map_or_else(|| to(operation.action.path()), |row| shown(row.path.as_os_str()));
            let told = match &operation.action {
                OrganizeAction::CreateFolder(action) => format!("create {}", to(&action.path)),
                OrganizeAction::Trash(_) => format!("trash {path}"),
                OrganizeAction::Rename(action) => format!("rename {path} => {}", shown(action.name.as_ref())),
                OrganizeAction::Copy(action) => format!("copy {path} -> {}", to(&action.destination)),
                OrganizeAction::Move(action) => format!("move {path} -> {}", to(&action.destination)),
            };
            let figures = match row {
                Some(row) if row.kind == FileType::RegularFile => {
                    format!("\t{}\t{}", row.bytes, date(row.changed.0))
                }
                Some(row) => format!("\t{}", kind_name(row.kind)),
                None => format!("\t{}", crate::text::escaped(&operation.reason)),
            };
            lines.push(&format!("{} {told}{figures}", operation.id));
        }
        for (operation, note) in kept.iter().flat_map(|(_, checked)| &checked.notes) {
            lines.push(&format!("note on {operation}: {}", crate::text::escaped(note)));
        }
        let bytes: u64 = self.rows.iter().map(|row| row.bytes).sum();
        let of = |count: u64, words: fn(u64) -> Phrase| (count > 0).then(|| words(count));
        let figures = [
            Some(say::operations(self.operations.len(), size(bytes))),
            of(self.left_alone.len() as u64, say::left_alone),
            of(self.unreadable, could_not_be_read),
        ];
        lines.finish(deputy_messages::series(figures.into_iter().flatten()))
    }
}

fn needs_date(checked: &Checked<'_>) -> bool {
    [&checked.to, &checked.name].into_iter().flatten().any(Template::has_date)
}

fn needs_file(checked: &Checked<'_>) -> bool {
    needs_date(checked) && checked.change.dates != Dates::Changed
}

type When = (Option<jiff::civil::Date>, Option<jiff::civil::Time>);

/// Returns the date of an item, and the time if known.
fn when(dates: Dates, item: &Item, name: &str) -> Result<When, Phrase> {
    let changed = || {
        let stamp = jiff::Timestamp::from_second(item.row.changed.0).ok()?;
        Some(stamp.to_zoned(jiff::tz::TimeZone::system()).datetime())
    };
    let both = |at: jiff::civil::DateTime| (Some(at.date()), Some(at.time()));
    let taken = item.file.as_ref().filter(|_| dates != Dates::Changed).and_then(|file| taken_at(file, name));
    if let Some(taken) = taken {
        return Ok(both(taken));
    }
    let changed = || changed().map_or((None, None), both);
    match (dates, &item.file) {
        (Dates::Taken, _) => Err(say::no_camera()),
        (Dates::Best, Some(file)) => match date_of(file, name) {
            Some(dated) if dated.source != DateSource::File => Ok((Some(dated.date), None)),
            _ => Ok(changed()),
        },
        _ => Ok(changed()),
    }
}

/// Returns the path relative to the folder if it is below it, otherwise the whole path.
fn shorter(base: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(base).unwrap_or(path).to_owned()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
