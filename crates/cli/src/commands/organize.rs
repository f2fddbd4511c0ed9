//! `deputy organize`: shows a plan for folders, or sends it to the host for approval and execution.

use super::run::{absolute, hand_over};
use super::{Context, convention};
use crate::args::OrganizeArgs;
use crate::failure::{End, Failure};
use crate::view::{self, Screen, place, printable};
use deputy_agent::config::Config;
use deputy_organize::plan::{Proposal, Wishes, propose};
use deputy_organize::scan::{LeftOut, Scan, ScanPhase, Watch, scan};
use deputy_organize::suggest::{Suggestion, suggest};
use deputy_protocol::{Command, ErrorCode, OrganizeOperation, OrganizePlan, Scope, StartCommand};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::{left_out, preview_text};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The backend that plans with rules instead of a model.
const OFFLINE: &str = "offline";

/// The number of files left in place that are listed individually. The rest is only counted.
const MOST_LEFT_ALONE: usize = 10;

/// Makes a plan, and shows it or has it executed.
pub(crate) async fn execute(cx: &Context, args: OrganizeArgs) -> Result<End, Failure> {
    let config = Config::load(&cx.homes.deputy)?;
    let home = OrganizeHome::of(&cx.homes.deputy, &cx.homes.user).keeping(config.secrets);
    if let Some(file) = &args.apply {
        let plan = read_plan(file)?;
        return apply(cx, &home, &args, &plan).await;
    }
    let folders: Vec<PathBuf> = args.folders.iter().map(|folder| real(folder)).collect::<Result<_, _>>()?;
    let backend = match &args.backend {
        Some(backend) => backend.clone(),
        None => config.backend,
    };
    let is_number = args.convention.as_deref().is_some_and(|text| text.parse::<usize>().is_ok());
    if backend != OFFLINE && !args.plan_only && !is_number {
        return ask_model(cx, &args, &folders).await;
    }
    let found = look(&home, &folders, cx.json)?;
    let suggestions = suggest(&found);
    let convention = match &args.convention {
        Some(text) => convention::named(text, &suggestions)?,
        None if args.plan_only || cx.json => None,
        None => convention::picked(&suggestions)?,
    };
    let proposal = propose(&found, &Wishes { by: args.by.into(), convention });
    if args.plan_only {
        return show(cx, &home, &found, &proposal, &suggestions);
    }
    if proposal.plan.operations.is_empty() {
        return Ok(nothing_to_do(cx, &found, &proposal));
    }
    apply(cx, &home, &args, &proposal.plan).await
}

fn real(folder: &Path) -> Result<PathBuf, Failure> {
    let real = folder.canonicalize().map_err(|error| {
        Failure::usage(
            format!("The folder {} cannot be opened: {error}.", folder.display()),
            "Give a folder that exists.",
        )
    })?;
    absolute(&real).map(PathBuf::from)
}

/// Scans the folders, with a progress bar on a terminal.
fn look(home: &OrganizeHome, folders: &[PathBuf], json: bool) -> Result<Scan, Failure> {
    let bar = if json { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    bar.enable_steady_tick(Duration::from_millis(120));
    let counted = ProgressStyle::with_template("{bar:24} {pos} of {len} files compared");
    let progress = |progress: deputy_organize::scan::ScanProgress| match (progress.phase, progress.total) {
        (ScanPhase::Comparing, Some(total)) => {
            if bar.length().is_none() {
                bar.set_length(total as u64);
                if let Ok(style) = &counted {
                    bar.set_style(style.clone());
                }
            }
            bar.set_position(progress.done as u64);
        }
        _ => bar.set_message(format!("{} files looked at", progress.done)),
    };
    let secrets = home.secrets(folders.first().map_or(Path::new("/"), PathBuf::as_path));
    let passes_by = |path: &Path| secrets.holds(path);
    let found = scan(folders, &Watch { passes_by: &passes_by, is_cancelled: &|| false, progress: &progress });
    bar.finish_and_clear();
    found.map_err(|error| Failure::new(ErrorCode::Scan, format!("{error}."), "Nothing was changed."))
}

fn show(
    cx: &Context,
    home: &OrganizeHome,
    found: &Scan,
    proposal: &Proposal,
    suggestions: &[Suggestion],
) -> Result<End, Failure> {
    if cx.json {
        let left_alone: Vec<_> = proposal
            .left_alone
            .iter()
            .map(|(path, reason)| (path.display().to_string(), reason.as_str()))
            .collect();
        view::print_json(&serde_json::json!({
            "plan": proposal.plan,
            "suggestions": suggestions,
            "left_alone": left_alone,
            "more_left_alone": proposal.more_left_alone,
            "left_out": left_out_json(&found.left_out),
            "too_many": proposal.too_many,
        }));
        return Ok(End::Done);
    }
    let screen = Screen::new();
    if proposal.plan.operations.is_empty() {
        screen.line("Nothing to do.");
    } else {
        let checked = home.check(&proposal.plan).map_err(|error| {
            Failure::new(
                ErrorCode::Draft,
                format!("The plan won't work: {error}."),
                "Scan again; something changed meanwhile.",
            )
        })?;
        preview_text(home, &checked).lines().for_each(|line| screen.line(&printable(line)));
    }
    tell_left_alone(&screen, proposal);
    tell_left_out(&screen, &found.left_out);
    if !suggestions.is_empty() {
        screen.line("\nNames could follow a convention (--convention NUMBER):");
        convention::list(&screen, suggestions);
    }
    Ok(End::Done)
}

fn nothing_to_do(cx: &Context, found: &Scan, proposal: &Proposal) -> End {
    if cx.json {
        view::print_json(&serde_json::json!({
            "plan": proposal.plan,
            "left_alone": proposal.left_alone.len() + proposal.more_left_alone,
            "left_out": left_out_json(&found.left_out),
        }));
    } else {
        let screen = Screen::new();
        screen.line(&format!("Nothing to tidy among {} files.", found.files.len()));
        tell_left_alone(&screen, proposal);
        tell_left_out(&screen, &found.left_out);
    }
    End::Done
}

/// Returns what the scan skipped, as JSON.
fn left_out_json(left: &LeftOut) -> serde_json::Value {
    let reasons: Vec<_> =
        left.reasons.iter().map(|(path, reason)| (path.display().to_string(), reason)).collect();
    serde_json::json!({
        "hidden": left.hidden,
        "special": left.special,
        "unnameable": left.unnameable,
        "unreadable": left.unreadable,
        "reasons": reasons,
    })
}

fn tell_left_out(screen: &Screen, left: &LeftOut) {
    for (path, reason) in left.reasons.iter().take(MOST_LEFT_ALONE) {
        screen.line(&format!(
            "could not be read: {}",
            printable(&format!("{}: {reason}", place(&path.to_string_lossy())))
        ));
    }
    let told = left_out(left);
    if !told.is_empty() {
        screen.line(&format!(
            "left out: {}",
            told.iter().map(|words| words.as_str()).collect::<Vec<_>>().join(", ")
        ));
    }
}

fn tell_left_alone(screen: &Screen, proposal: &Proposal) {
    for (path, reason) in proposal.left_alone.iter().take(MOST_LEFT_ALONE) {
        screen.line(&format!("left alone: {}, {reason}", place(&path.to_string_lossy())));
    }
    let more = proposal.left_alone.len().saturating_sub(MOST_LEFT_ALONE) + proposal.more_left_alone;
    if more > 0 {
        screen.line(&format!("left alone: {more} more"));
    }
    if proposal.too_many > 0 {
        screen.line(&format!(
            "{} more changes didn't fit in this plan; run it again afterwards.",
            proposal.too_many
        ));
    }
}

/// Reads a plan from a file: the output of `--plan-only --json`, or only the plan.
fn read_plan(file: &Path) -> Result<OrganizePlan, Failure> {
    let wrong = |why: String| {
        Failure::usage(
            format!("The plan {} cannot be used: {why}.", file.display()),
            "`deputy organize DIR --plan-only --json` writes one.",
        )
    };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let mut value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if let Some(plan) = value.get_mut("plan") {
        value = plan.take();
    }
    // Parse each operation first, so that an error is reported with the operation's id.
    for operation in value["operations"].as_array().into_iter().flatten() {
        if let Err(error) = OrganizeOperation::deserialize(operation) {
            let id = operation["id"].as_str().map_or_else(|| "without an id".to_owned(), str::to_owned);
            return Err(wrong(format!("operation {id}: {error}")));
        }
    }
    serde_json::from_value(value).map_err(|error| wrong(error.to_string()))
}

/// Has exactly this plan executed. The host checks it, asks for one approval, and executes it.
async fn apply(
    cx: &Context,
    home: &OrganizeHome,
    args: &OrganizeArgs,
    plan: &OrganizePlan,
) -> Result<End, Failure> {
    home.check(plan).map_err(|error| {
        Failure::new(
            ErrorCode::Draft,
            format!("The plan cannot be carried out: {error}."),
            "Nothing was changed; fix the plan.",
        )
    })?;
    let draft = home.keep_draft(plan).map_err(|error| {
        let hint = "Check that there is room and that the folder is yours. Nothing was changed.";
        Failure::new(ErrorCode::Draft, format!("{error}."), hint)
    })?;
    let names: Vec<String> = plan.scope.iter().map(|folder| printable(&short(folder))).collect();
    let goal = format!("Tidy up {}: apply the plan {draft}", names.join(", "));
    hand_over(cx, start(args, goal, Some(OFFLINE.to_owned()), &plan.scope)?).await
}

/// Has a model examine the folders, make a plan and submit it.
async fn ask_model(cx: &Context, args: &OrganizeArgs, folders: &[PathBuf]) -> Result<End, Failure> {
    let folders: Vec<String> = folders.iter().map(|folder| absolute(folder)).collect::<Result<_, _>>()?;
    let mut goal = format!("Tidy up {}.", folders.join(", "));
    if args.by != crate::args::By::Everything {
        goal.push_str(&format!(" Sort by {:?} only.", args.by).to_lowercase());
    }
    let named = args.convention.as_deref().map(|text| convention::named(text, &[])).transpose()?;
    let names = named.flatten().map(|convention| convention.pattern());
    if let Some(names) = &names {
        goal.push_str(&format!(" Name files like \"{names}\"."));
    }
    let mut command = start(args, goal, args.backend.clone(), &folders)?;
    if let Command::Start(start) = &mut command {
        start.scope.names = names;
    }
    hand_over(cx, command).await
}

fn start(
    args: &OrganizeArgs,
    goal: String,
    backend: Option<String>,
    folders: &[String],
) -> Result<Command, Failure> {
    let Some((first, others)) = folders.split_first() else {
        return Err(Failure::usage("The plan names no folder.", "List its folders in `scope`."));
    };
    // With a single folder, the workspace is sufficient.
    let write = if others.is_empty() { Vec::new() } else { folders.to_vec() };
    Ok(Command::Start(StartCommand {
        goal,
        workspace: first.clone(),
        profile: Some("organizer".to_owned()),
        backend,
        model: None,
        session: None,
        after: None,
        scope: Scope { read: others.to_vec(), write, ..Scope::default() },
        max_iterations: None,
        max_wall_secs: None,
        max_tokens: None,
        max_cost_cents: None,
        standing_consent: args.yes.map(Into::into),
        terminal: None,
    }))
}

fn short(folder: &str) -> String {
    Path::new(folder)
        .file_name()
        .map_or_else(|| folder.to_owned(), |name| name.to_string_lossy().into_owned())
}
