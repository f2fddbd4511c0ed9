//! `deputy memory`: lists, searches, edits, forgets and restores memories.

mod documents;
mod upkeep;

use super::Context;
use crate::args::{MemoryCommand, Which};
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, goal_words, place, printable, when};
use deputy_agent::config::NO_EMBEDDER;
use deputy_protocol::{
    Command, CommandOutcome, EditMemoryCommand, ErrorCode, ForgetMemoryCommand, MemoriesQuery, Memory,
    MemoryFound, MemoryKind, MemoryOrigin, MemoryStatsAnswer, MemoryStatsQuery, PromoteMemoryCommand, Query,
    QueryAnswer, RebuildMemoryCommand, RememberCommand, RestoreMemoryCommand,
};

/// The maximum numbers of lines and characters of a memory that are shown. With `--json`, the whole text is printed.
const SHOWN_LINES: usize = 5;
const SHOWN_CHARS: usize = 400;
/// The number of memories per query.
const PAGE: usize = 100;

/// Runs the command.
pub(crate) async fn execute(cx: &Context, command: MemoryCommand) -> Result<End, Failure> {
    match command {
        MemoryCommand::List { which } => list(cx, None, false, which).await,
        MemoryCommand::Search { words, newest, which } => {
            list(cx, Some(words.join(" ")), !newest, which).await
        }
        MemoryCommand::Index { folder, everywhere, wait, drop } => {
            documents::index(cx, &folder, everywhere, wait, drop).await
        }
        MemoryCommand::Prune { rule, apply } => upkeep::prune(cx, rule, apply).await,
        MemoryCommand::Export { file } => upkeep::export(cx, &file).await,
        MemoryCommand::Import { file } => upkeep::import(cx, &file).await,
        MemoryCommand::Add { text, about } => {
            change(cx, Command::Remember(RememberCommand { text, about }), |memory| {
                format!("Remembered for later tasks, as memory {memory}.")
            })
            .await
        }
        MemoryCommand::Edit { memory, text } => {
            change(cx, Command::EditMemory(EditMemoryCommand { memory, text }), |_| {
                "Edited. Later tasks will use the new text.".to_owned()
            })
            .await
        }
        MemoryCommand::Forget { memory } => {
            change(cx, Command::ForgetMemory(ForgetMemoryCommand { memory }), |count| match count {
                0 => "Already forgotten.".to_owned(),
                _ => format!(
                    "Forgotten{}: no later task is given it. The story of its task keeps it; \
                     `deputy memory restore {memory}` brings it back.",
                    others(count)
                ),
            })
            .await
        }
        MemoryCommand::Promote { memory } => {
            change(cx, Command::PromoteMemory(PromoteMemoryCommand { memory }), |count| match count {
                0 => "Already available in every folder.".to_owned(),
                _ => "Promoted. It's now available in every folder.".to_owned(),
            })
            .await
        }
        MemoryCommand::Stats => stats(cx).await,
        MemoryCommand::Rebuild { wait: true } => documents::rebuild(cx).await,
        MemoryCommand::Rebuild { wait: false } => change(cx, Command::RebuildMemory(RebuildMemoryCommand {}), |_| {
            "Memories will be embedded again while no task works; `--wait` does it now, and `deputy memory stats` \
             shows how far it is."
                .to_owned()
        })
        .await,
        MemoryCommand::Restore { memory } => {
            change(cx, Command::RestoreMemory(RestoreMemoryCommand { memory }), |count| match count {
                0 => "It isn't forgotten.".to_owned(),
                _ => format!("Restored{}.", others(count)),
            })
            .await
        }
    }
}

/// Formats a number with its noun: `1 memory`, `2 memories`.
fn count(number: u64, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Formats the number of other memories with the same text.
fn others(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", with another that said the same".to_owned(),
        _ => format!(", with {} others that said the same", count - 1),
    }
}

async fn list(cx: &Context, search: Option<String>, best: bool, which: Which) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let found = find(&mut session, search, best, which).await;
    session.close().await;
    let found = found?;
    let screen = Screen::new();
    if found.is_empty() && !cx.json {
        screen.line("No matching memories.");
    }
    for memory in &found {
        if cx.json {
            view::print_json(memory);
        } else {
            print(&screen, memory);
        }
    }
    Ok(End::Done)
}

async fn find(
    session: &mut Session,
    search: Option<String>,
    best: bool,
    which: Which,
) -> Result<Vec<Memory>, Failure> {
    let task = match &which.task {
        Some(task) => Some(session.find_task(task).await?),
        None => None,
    };
    // Tasks store their folder with links resolved. A folder that no longer exists may still have memories.
    let folder =
        which.folder.map(|folder| std::fs::canonicalize(&folder).or_else(|_| std::path::absolute(&folder)));
    let workspace = folder.and_then(Result::ok).map(|folder| folder.to_string_lossy().into_owned());
    let mut found = Vec::new();
    let mut before = None;
    while found.len() < which.limit {
        let limit = (which.limit - found.len()).min(PAGE) as u32;
        let query = MemoriesQuery {
            search: search.clone(),
            task: task.clone(),
            workspace: workspace.clone(),
            only_kept: which.kept,
            best,
            before,
            limit,
        };
        let QueryAnswer::Memories(page) = session.query(Query::Memories(query)).await? else {
            return Err(does_not_fit());
        };
        found.extend(page.memories);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    Ok(found)
}

async fn stats(cx: &Context) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let answer = session.query(Query::MemoryStats(MemoryStatsQuery {})).await;
    let folders = documents::folders(&mut session).await;
    let files = upkeep::files(&mut session).await;
    session.close().await;
    let QueryAnswer::MemoryStats(stats) = answer? else { return Err(does_not_fit()) };
    let (folders, files) = (folders?, files?);
    if cx.json {
        view::print_json(&stats);
        return Ok(End::Done);
    }
    let screen = Screen::new();
    let MemoryStatsAnswer { memories, embedded, pending, outdated, failed, words_only, .. } = stats;
    if memories == 0 {
        screen.hint("No memories yet. Tasks leave some, and `deputy memory add` adds one.");
    } else {
        screen.line(&format!("{}. Search finds all of them by words.", count(memories, "memory")));
    }
    if let Some(model) = stats.model.as_deref().filter(|_| embedded > 0) {
        screen.line(&format!("Found by meaning too: {embedded}, with {}.", printable(model)));
    }
    for (count, what) in [
        (pending, "Waiting to be found by meaning, once no task works"),
        (outdated, "To be embedded again, and found as before until then"),
        (failed, "Could not be embedded (`deputy memory rebuild` tries again)"),
        (words_only, "From tools, found by words alone"),
    ] {
        if count > 0 {
            screen.hint(&format!("{what}: {count}."));
        }
    }
    if stats.embedder == NO_EMBEDDER {
        screen.line("`memory.embedder` is `none`, so nothing is embedded.");
    }
    if let Some(problem) = &stats.problem {
        screen.line(&printable(problem));
    }
    if stats.forgotten > 0 {
        screen.line(&format!("Forgotten or pruned, and can be restored: {}.", stats.forgotten));
    }
    if stats.passages_failed > 0 {
        screen.line(&format!("Passages that could not be embedded: {}.", stats.passages_failed));
    }
    for folder in &folders {
        documents::print(&screen, folder);
    }
    for file in &files {
        match &file.problem {
            Some(problem) => screen.line(&format!("{}.", printable(problem))),
            None => screen.line(&format!("You can read and edit {}.", place(&file.path))),
        }
    }
    Ok(End::Done)
}

fn print(screen: &Screen, memory: &Memory) {
    let score = memory.found.as_ref().map(|found| format!(", {}", why(found))).unwrap_or_default();
    if let Some(passage) = &memory.passage {
        screen.line(&format!("{}  {}, line {}{score}", memory.memory, place(&passage.path), passage.line));
        return print_text(screen, memory);
    }
    let who = match memory.origin {
        MemoryOrigin::Planner if memory.kind != MemoryKind::Said => "noted by the planner",
        MemoryOrigin::Person => "you",
        MemoryOrigin::Planner => "the planner",
        MemoryOrigin::Tool => "a tool",
        MemoryOrigin::Command => "a command",
        MemoryOrigin::File => "from files",
        MemoryOrigin::Page => "from a page",
    };
    let edited = if memory.edited_at_ms.is_some() { ", edited" } else { "" };
    let promoted = if memory.promoted_at_ms.is_some() { ", for all folders" } else { "" };
    let goal = goal_words(memory.goal.lines().next().unwrap_or_default());
    let about = memory.about.as_deref().map(|about| format!(", about {}", printable(about)));
    let about = about.unwrap_or_default();
    let replaced = if memory.is_replaced { ", replaced by a newer one" } else { "" };
    screen.line(&format!(
        "{}  {}  {who}{about}{edited}{promoted}{replaced}{score}",
        memory.memory,
        when(memory.at_ms)
    ));
    if !memory.task.is_notebook() {
        screen.line(&format!("    of {} in {}: {goal}", memory.task, place(&memory.workspace)));
    }
    print_text(screen, memory);
}

/// Formats how well a memory matches, and how it was found.
fn why(found: &MemoryFound) -> String {
    let words = found.by_words.then(|| "all words".to_owned());
    let meaning = found.similarity.map(|similarity| format!("meaning {similarity:.2}"));
    let why: Vec<String> = words.into_iter().chain(meaning).collect();
    format!("score {:.2} ({})", found.score, why.join(", "))
}

/// Prints the beginning of a memory's text.
fn print_text(screen: &Screen, memory: &Memory) {
    let shown: String = memory.text.chars().take(SHOWN_CHARS).collect();
    let lines: Vec<&str> = shown.lines().take(SHOWN_LINES).collect();
    let is_cut = shown.len() < memory.text.len() || shown.lines().nth(SHOWN_LINES).is_some();
    for line in &lines {
        screen.line(&format!("    | {}", goal_words(line)));
    }
    if is_cut {
        screen.line("    | …");
    }
}

async fn change(cx: &Context, command: Command, said: impl Fn(u64) -> String) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let outcome = session.command(command).await;
    session.close().await;
    let outcome = outcome?;
    if cx.json {
        view::print_json(&outcome);
        return Ok(End::Done);
    }
    let count = match &outcome {
        CommandOutcome::Memories(outcome) => outcome.memories,
        CommandOutcome::Remembered(outcome) => outcome.memory,
        _ => 1,
    };
    Screen::new().hint(&said(count));
    Ok(End::Done)
}

pub(super) fn does_not_fit() -> Failure {
    Failure::new(ErrorCode::Host, "The host's answer does not fit.", "Use the same version for both.")
}
