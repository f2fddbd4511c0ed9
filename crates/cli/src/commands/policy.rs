//! `deputy policy`: explains what may run, and manages grants.

use super::Context;
use super::jobs::ambiguous;
use super::run::misfit;
use crate::args::{GrantsCommand, PolicyCommand, RulesCommand};
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable, when};
use deputy_agent::config::Config;
use deputy_policy::{Rules, Situation};
use deputy_protocol::{
    Command, Confinement, Decision, ErrorCode, Grant, GrantId, GrantsQuery, Lifetime, Query, QueryAnswer,
    RevokeGrantCommand,
};
use deputy_server::Client;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;

/// Returns whether a command needs no host.
pub(crate) fn is_offline(command: &PolicyCommand) -> bool {
    !matches!(command, PolicyCommand::Grants { .. })
}

/// Runs `check`, `explain` and `rules`, which run and write nothing.
pub(crate) fn execute_offline(cx: &Context, command: PolicyCommand) -> Result<End, Failure> {
    match command {
        PolicyCommand::Check { .. } => check(),
        PolicyCommand::Explain { command, folder } => {
            let verdict = deputy_policy::verdict(&situation(cx, &folder)?, &command);
            if cx.json {
                view::print_json(&verdict);
            } else {
                Screen::new().line(deputy_policy::explain(&verdict).trim_end());
            }
            Ok(End::Done)
        }
        PolicyCommand::Rules { command: None } => {
            let path = cx.homes.deputy.join("rules.toml");
            if path.exists() {
                return rules(cx, &path);
            }
            if !cx.json {
                let text = format!("No rules yet. Add them to {}.", path.display());
                Screen::new().line(&text);
            }
            Ok(End::Done)
        }
        PolicyCommand::Rules { command: Some(RulesCommand::Test { file }) } if !file.exists() => {
            Err(Failure::usage(format!("There is no file {}.", file.display()), "Name the file to check."))
        }
        PolicyCommand::Rules { command: Some(RulesCommand::Test { file }) } => rules(cx, &file),
        PolicyCommand::Grants { .. } => Ok(End::Done),
    }
}

/// Reads one case per line and prints one answer per line, in the same order.
fn check() -> Result<End, Failure> {
    let io = |error: std::io::Error| {
        Failure::new(ErrorCode::Input, format!("The cases cannot be read or answered: {error}."), "")
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).map_err(io)? > 0 {
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            let answer = deputy_policy::check::case(text.trim_end_matches(['\n', '\r']));
            let answer = serde_json::to_string(&answer).map_err(|error| io(error.into()))?;
            writeln!(out, "{answer}").map_err(io)?;
        }
        line.clear();
    }
    out.flush().map_err(io)?;
    Ok(End::Done)
}

/// Lists the rules of a file, one per line, if all of them and their examples are valid.
fn rules(cx: &Context, path: &Path) -> Result<End, Failure> {
    let rules = Rules::load(path).map_err(|error| {
        Failure::new(
            ErrorCode::Rules,
            format!("{error}."),
            "`deputy policy rules test FILE` checks it again.",
        )
    })?;
    if cx.json {
        rules.summaries().iter().for_each(view::print_json);
        return Ok(End::Done);
    }
    let screen = Screen::new();
    for (rule, words) in rules.summaries().iter().zip(rules.describe()) {
        screen.line(&printable(&format!("line {}: {words}", rule.line)));
    }
    screen.line(&format!("{} rules; all examples hold.", rules.len()));
    Ok(End::Done)
}

fn situation(cx: &Context, folder: &Path) -> Result<Situation, Failure> {
    let workspace = folder.canonicalize().map_err(|error| {
        Failure::usage(
            format!("The folder {} cannot be opened: {error}.", folder.display()),
            "Give another with --in DIR.",
        )
    })?;
    let config = Config::load(&cx.homes.deputy)?;
    let path = cx.homes.deputy.join("rules.toml");
    let rules =
        if path.exists() { Rules::load(&path).unwrap_or_else(|_| Rules::broken()) } else { Rules::empty() };
    Ok(Situation {
        secrets: config.secrets,
        allow_hosts: config.allow_hosts,
        rules: Arc::new(rules),
        now_ms: deputy_agent::system_clock()(),
        walls: deputy_sandbox::walls().can_confine(Confinement::ReadOnly),
        guarded: deputy_sandbox::walls().has_guard(),
        ..Situation::new(cx.homes.user.clone(), workspace, cx.homes.deputy.clone())
    })
}

/// Runs `grants`: lists or revokes grants.
pub(crate) async fn execute(cx: &Context, command: PolicyCommand) -> Result<End, Failure> {
    let PolicyCommand::Grants { command } = command else { return Ok(End::Done) };
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let answer = listed(&mut session.client, command).await;
    session.close().await;
    let QueryAnswer::Grants(answer) = answer? else { return Ok(End::Failed) };
    view::ids::know(answer.grants.iter().map(|grant| &grant.id));
    let screen = Screen::new();
    if answer.grants.is_empty() && !cx.json {
        screen.line("No saved permissions.");
    }
    for grant in &answer.grants {
        if cx.json {
            view::print_json(grant);
        } else {
            print_grant(&screen, grant);
        }
    }
    Ok(End::Done)
}

/// Performs a command, if any, and then queries the grants that are in effect.
async fn listed(client: &mut Client, command: Option<GrantsCommand>) -> Result<QueryAnswer, Failure> {
    let list = Query::Grants(GrantsQuery {});
    if let Some(GrantsCommand::Revoke { id }) = command {
        let QueryAnswer::Grants(known) = client.query(list.clone()).await? else { return Err(misfit()) };
        let ids: Vec<String> = known.grants.iter().map(|grant| grant.id.to_string()).collect();
        let grant = view::ids::named(&ids, &id).map(GrantId).map_err(ambiguous(&id))?;
        client.command(Command::RevokeGrant(RevokeGrantCommand { grant })).await?;
    }
    Ok(client.query(list).await?)
}

fn print_grant(screen: &Screen, grant: &Grant) {
    let verb = if grant.decision == Decision::Allow { "allow" } else { "deny" };
    let what = grant.rule.to_string();
    let until = match &grant.lifetime {
        Lifetime::Once(_) | Lifetime::Names(_) => "once".to_owned(),
        Lifetime::Task(task) => format!("task {}", task.task),
        Lifetime::Session(session) => format!("session {}", session.session),
        Lifetime::Minutes(_) => {
            grant.expires_at_ms.map_or_else(String::new, |at| format!("until {}", when(at)))
        }
        Lifetime::Always(_) => "always".to_owned(),
    };
    screen.line(&format!(
        "{}  {verb} {} in {} ({until})",
        grant.id,
        printable(&what),
        printable(&grant.workspace)
    ));
}
