//! `deputy memory prune`, `export` and `import`.

use super::{count, does_not_fit};
use crate::args::{MemoryKindArg, PruneArgs};
use crate::commands::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable, when};
use deputy_protocol::{
    Command, CommandOutcome, ErrorCode, ImportMemoriesCommand, ImportPart, ImportedOutcome, MemoriesQuery,
    Memory, PortableMemory, PreviewPruneQuery, ProfileFile, ProfileFileKind, ProfileFilesQuery, PruneKind,
    PruneMemoriesCommand, PruneRule, Query, QueryAnswer,
};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The format name in the header of an exported file.
const FORMAT: &str = "deputy-memory";
const VERSION: u32 = 2;
/// The maximum numbers of memories and of bytes of text in one import command.
const MOST_AT_ONCE: usize = 200;
const MOST_BYTES_AT_ONCE: usize = 200_000;
/// The maximum length of a line in an exported file, in bytes.
const LONGEST_LINE: usize = 256 * 1024;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// The scratchpad of a profile's running tasks, for people. An import skips it because the tasks belong to another
/// home. Preferences and conversations are exported as memories.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scratchpad {
    profile: String,
    scratchpad: String,
}

fn kind(kind: MemoryKindArg) -> PruneKind {
    match kind {
        MemoryKindArg::Said => PruneKind::Said,
        MemoryKindArg::Plans => PruneKind::Plans,
        MemoryKindArg::Results => PruneKind::Results,
        MemoryKindArg::Facts => PruneKind::Facts,
        MemoryKindArg::Preferences => PruneKind::Preferences,
    }
}

fn words(kind: PruneKind) -> &'static str {
    match kind {
        PruneKind::Said => "said by you",
        PruneKind::Plans => "said by the planner",
        PruneKind::Results => "results of calls",
        PruneKind::Facts => "facts",
        PruneKind::Preferences => "preferences",
    }
}

fn rule(typed: PruneArgs) -> PruneRule {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let before = typed.older_than.map(|age| now.saturating_sub(age).as_millis());
    let kinds: Vec<PruneKind> = typed.kind.into_iter().map(kind).collect();
    let usual = || vec![PruneKind::Said, PruneKind::Plans, PruneKind::Results];
    PruneRule {
        kinds: if kinds.is_empty() { usual() } else { kinds },
        before_ms: before.map(|ms| i64::try_from(ms).unwrap_or(i64::MAX)),
        keep: typed.keep.unwrap_or(0),
    }
}

/// Shows what a rule would forget, and forgets it with `--apply`.
pub(super) async fn prune(cx: &Context, typed: PruneArgs, apply: bool) -> Result<End, Failure> {
    let rule = rule(typed);
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let preview = session.query(Query::PreviewPrune(PreviewPruneQuery { rule: rule.clone() })).await;
    let done = match apply && preview.is_ok() {
        true => Some(session.command(Command::PruneMemories(PruneMemoriesCommand { rule })).await),
        false => None,
    };
    session.close().await;
    let QueryAnswer::PrunePreview(preview) = preview? else { return Err(does_not_fit()) };
    let done = done.transpose()?;
    if cx.json {
        match &done {
            Some(done) => view::print_json(done),
            None => view::print_json(&preview),
        }
        return Ok(End::Done);
    }
    let screen = Screen::new();
    if let Some(CommandOutcome::Memories(done)) = done {
        screen.hint(&format!(
            "Pruned {}. Journals keep what was said; `deputy memory restore N` brings one back.",
            count(done.memories, "memory")
        ));
        return Ok(End::Done);
    }
    screen.line(&format!("This would prune {}.", count(preview.memories, "memory")));
    for pruned in &preview.kinds {
        screen.line(&format!("    {}: {}", words(pruned.kind), pruned.memories));
    }
    if let (Some(oldest), Some(newest)) = (preview.oldest_ms, preview.newest_ms) {
        screen.line(&format!("The oldest is from {}, the newest from {}:", when(oldest), when(newest)));
    }
    for example in &preview.examples {
        screen.line(&format!("    | {}", printable(example.lines().next().unwrap_or_default())));
    }
    if preview.memories > 0 {
        screen.line("Add `--apply` to do it. Journals keep what was said, so each can be restored.");
    }
    Ok(End::Done)
}

/// Writes all memories to a file, oldest first.
pub(super) async fn export(cx: &Context, file: &Path) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let lines = lines(&mut session).await;
    let scratchpads = scratchpads(&mut session).await;
    session.close().await;
    let (lines, scratchpads) = (lines?, scratchpads?);
    let header = Header { format: FORMAT.to_owned(), version: VERSION };
    let mut text = serde_json::to_string(&header).unwrap_or_default() + "\n";
    for line in lines.iter().rev().chain(&scratchpads) {
        text.push_str(line);
        text.push('\n');
    }
    let written = if file == Path::new("-") {
        std::io::stdout().write_all(text.as_bytes())
    } else {
        // Only the user may read the file, and an existing file is not overwritten.
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
        opened.and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
    };
    written.map_err(|error| {
        let message = match error.kind() {
            std::io::ErrorKind::AlreadyExists => format!("{} is there already.", file.display()),
            _ => format!("{} cannot be written: {error}.", file.display()),
        };
        Failure::new(ErrorCode::Output, message, "Name a file that is not there yet.")
    })?;
    if file != Path::new("-") && !cx.json {
        Screen::new().line(&format!(
            "Wrote {} to {}.",
            count(lines.len() as u64, "memory"),
            printable(&file.to_string_lossy())
        ));
    }
    Ok(End::Done)
}

/// Returns every memory as a line, newest first.
async fn lines(session: &mut Session) -> Result<Vec<String>, Failure> {
    let (mut lines, mut before) = (Vec::new(), None);
    loop {
        let query = MemoriesQuery {
            search: None,
            task: None,
            workspace: None,
            only_kept: false,
            best: false,
            before,
            limit: 100,
        };
        let QueryAnswer::Memories(page) = session.query(Query::Memories(query)).await? else {
            return Err(does_not_fit());
        };
        lines.extend(page.memories.into_iter().map(line));
        before = page.next;
        if before.is_none() {
            return Ok(lines);
        }
    }
}

/// Returns the scratchpads, one line per profile.
async fn scratchpads(session: &mut Session) -> Result<Vec<String>, Failure> {
    let files = files(session).await?.into_iter().filter(|file| file.kind == ProfileFileKind::Scratchpad);
    let line = |file: ProfileFile| Scratchpad { profile: file.profile, scratchpad: file.text };
    let lines = files.map(|file| serde_json::to_string(&line(file)).unwrap_or_default());
    Ok(lines.filter(|line| line.len() < LONGEST_LINE).collect())
}

/// Returns the files of all profiles.
pub(super) async fn files(session: &mut Session) -> Result<Vec<ProfileFile>, Failure> {
    match session.query(Query::ProfileFiles(ProfileFilesQuery {})).await? {
        QueryAnswer::ProfileFiles(answer) => Ok(answer.files),
        _ => Err(does_not_fit()),
    }
}

fn line(memory: Memory) -> String {
    let portable = PortableMemory {
        text: memory.text,
        at_ms: memory.at_ms,
        origin: memory.origin,
        kind: memory.kind,
        about: memory.about,
        workspace: memory.workspace,
        is_promoted: memory.promoted_at_ms.is_some(),
    };
    serde_json::to_string(&portable).unwrap_or_default()
}

/// Imports memories from a file. The whole file is read first, so that a file with an error changes nothing.
pub(super) async fn import(cx: &Context, file: &Path) -> Result<End, Failure> {
    let memories = read(file)?;
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let done = send(&mut session, memories).await;
    session.close().await;
    let done = done?;
    if cx.json {
        view::print_json(&CommandOutcome::Imported(done));
        return Ok(End::Done);
    }
    let ImportedOutcome { imported, present, .. } = done;
    Screen::new().line(&format!("Imported {}. Already here: {present}.", count(imported, "memory")));
    Ok(End::Done)
}

/// Sends memories in parts. The host imports all of them when the last part has arrived, and its answer covers the
/// whole import.
async fn send(session: &mut Session, memories: Vec<PortableMemory>) -> Result<ImportedOutcome, Failure> {
    let id = deputy_agent::new_command_id().0;
    let mut memories = memories.into_iter().peekable();
    let mut number = 0;
    loop {
        let (mut part, mut bytes) = (Vec::new(), 0);
        while part.len() < MOST_AT_ONCE
            && let Some(memory) = memories.next_if(|memory| bytes + memory.text.len() <= MOST_BYTES_AT_ONCE)
        {
            bytes += memory.text.len();
            part.push(memory);
        }
        let is_last = memories.peek().is_none();
        let of = ImportPart { id: id.clone(), number, is_last };
        let command = Command::ImportMemories(ImportMemoriesCommand { memories: part, part: Some(of) });
        let CommandOutcome::Imported(done) = session.command(command).await? else {
            return Err(does_not_fit());
        };
        if is_last {
            return Ok(done);
        }
        number += 1;
    }
}

fn read(file: &Path) -> Result<Vec<PortableMemory>, Failure> {
    const HINT: &str = "Name a file that `deputy memory export` wrote. Nothing was imported.";
    let opened = std::fs::File::open(file).map_err(|error| {
        Failure::new(ErrorCode::Input, format!("{} cannot be opened: {error}.", file.display()), HINT)
    })?;
    let mut lines = BufReader::new(opened);
    let (mut memories, mut number) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        number += 1;
        let wrong = |problem: &dyn std::fmt::Display| {
            Failure::new(ErrorCode::BadText, format!("Line {number} of {}: {problem}.", file.display()), HINT)
        };
        let bounded = std::io::Read::take(&mut lines, LONGEST_LINE as u64).read_line(&mut line);
        if bounded.map_err(|error| wrong(&error))? == 0 {
            return Ok(memories);
        }
        if line.len() == LONGEST_LINE {
            return Err(wrong(&"it is longer than a memory can be"));
        }
        if number == 1 {
            let Ok(header) = serde_json::from_str::<Header>(&line) else {
                return Err(wrong(&"this is not what an export begins with"));
            };
            if header.format != FORMAT || header.version > VERSION {
                return Err(wrong(&"it was not written by this version of Deputy, or an older one"));
            }
        } else if !line.trim().is_empty() && serde_json::from_str::<Scratchpad>(&line).is_err() {
            memories.push(serde_json::from_str(&line).map_err(|error| wrong(&error))?);
        }
    }
}
