//! Cases about paths: single paths, both ends of a move, plans, archives and patches.

use super::Outcome;
use super::case::{Case, Malformed, with_writable_roots};
use crate::Situation;
use crate::path::{Found, Operation, Refused, Transfer, examine, examine_transfer, real, windows_meaning};
use deputy_protocol::{Decision, Risk};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(super) fn outcome(case: &Case, tool: &str) -> Result<Outcome, Malformed> {
    let situation = with_writable_roots(case.situation()?);
    let input = case.text("input")?;
    let path = |operation| existing(operation, examine(&situation, &situation.cwd, operation, input));
    let judged = match tool {
        "read" => path(Operation::Read),
        "list" => path(Operation::List),
        "write" => path(Operation::Write),
        "delete" => path(Operation::Delete),
        "move" => transfer(&situation, Transfer::Move, input, case.text("dest")?),
        "copy" => transfer(&situation, Transfer::Copy, input, case.text("dest")?),
        "plan" => plan(&situation, case.list("plan")?),
        "extract" => extract(&situation, input, case.text("dest")?, case.list("members")?),
        "patch" => patch(&situation, input, case.list("targets")?),
        _ => return Err(Malformed::Unknown { what: "tool", value: tool.to_owned() }),
    };
    let texts = [Some(input), case.get("dest").and_then(Value::as_str)];
    Ok(Outcome::strictest(
        [judged].into_iter().chain(texts.into_iter().flatten().filter_map(|it| caveat(case, &situation, it))),
    ))
}

/// Returns a circumstance of a case, besides the path, that prevents a proof.
fn caveat(case: &Case, situation: &Situation, text: &str) -> Option<Outcome> {
    if case.get("no_mkdir") == Some(&Value::Bool(true)) && !has_folder(situation, text) {
        return Some(Outcome::new(Decision::Ask, Risk::Low, "the folder it would stand in does not exist"));
    }
    if case.get("race").is_some() {
        let reason = "the path changes while it is used; only the use itself can tell where it leads";
        return Some(Outcome::new(Decision::Ask, Risk::Medium, reason));
    }
    if case.get("platform").and_then(Value::as_str) == Some("windows") {
        let reason = windows_meaning(text)
            .or(text.contains(':').then(|| "a colon names a stream on Windows".into()))?;
        return Some(Outcome::new(Decision::Ask, Risk::Medium, reason));
    }
    None
}

fn has_folder(situation: &Situation, text: &str) -> bool {
    let real = real(situation, &situation.cwd, text);
    real.and_then(|real| real.parent().map(Path::is_dir)).unwrap_or(false)
}

fn bounds(judged: Result<Found, Refused>) -> Outcome {
    match judged {
        Ok(found) => {
            Outcome::new(Decision::Allow, Risk::Low, format!("{} is within bounds", found.real.display()))
        }
        Err(refused) => Outcome::new(refused.decision, refused.risk, refused.reason),
    }
}

/// Like [`bounds`], but a missing path cannot be read, listed or removed.
fn existing(operation: Operation, judged: Result<Found, Refused>) -> Outcome {
    match judged {
        Ok(found) if !found.is_present && operation != Operation::Write => {
            Outcome::new(Decision::Deny, Risk::Low, format!("nothing is at {}", found.real.display()))
        }
        judged => bounds(judged),
    }
}

fn transfer(situation: &Situation, kind: Transfer, from: &str, to: &str) -> Outcome {
    let (source, target) = examine_transfer(situation, &situation.cwd, kind, from, to);
    Outcome::strictest([bounds(source), bounds(target)])
}

/// A step of an organize plan.
enum Step<'a> {
    Transfer(Transfer, &'a str, &'a str),
    CreateFolder(&'a str),
    Trash(&'a str),
}

impl<'a> Step<'a> {
    /// Parses a step. A pair of texts is a move; an object names its operation.
    fn of(value: &'a Value) -> Option<Self> {
        if let Value::Array(pair) = value {
            let [from, to] = pair.as_slice() else { return None };
            return Some(Self::Transfer(Transfer::Move, from.as_str()?, to.as_str()?));
        }
        let field = |names: &[&str]| names.iter().find_map(|name| value.get(name)?.as_str());
        let from = field(&["from", "source", "path", "input"])?;
        let to = || field(&["to", "dest", "target"]);
        match field(&["op", "operation", "action"])? {
            "move" | "rename" => Some(Self::Transfer(Transfer::Move, from, to()?)),
            "copy" => Some(Self::Transfer(Transfer::Copy, from, to()?)),
            "create_folder" | "mkdir" => Some(Self::CreateFolder(from)),
            "trash" | "delete" => Some(Self::Trash(from)),
            _ => None,
        }
    }
}

/// Judges every step against the current files. A step that depends on the result of an earlier step cannot be
/// proven, except for filling a folder that was created.
fn plan(situation: &Situation, steps: &[Value]) -> Outcome {
    let mut outcomes = Vec::new();
    let mut touched: Vec<PathBuf> = Vec::new();
    let mut made: Vec<PathBuf> = Vec::new();
    for value in steps {
        let judged = match Step::of(value) {
            Some(Step::Transfer(kind, from, to)) => {
                let (source, target) = examine_transfer(situation, &situation.cwd, kind, from, to);
                vec![source, target]
            }
            Some(Step::CreateFolder(path)) => {
                vec![examine(situation, &situation.cwd, Operation::Create, path)]
            }
            Some(Step::Trash(path)) => vec![examine(situation, &situation.cwd, Operation::Delete, path)],
            None => {
                outcomes.push(Outcome::new(
                    Decision::Ask,
                    Risk::Medium,
                    format!("a step is not understood: {value}"),
                ));
                continue;
            }
        };
        let reals: Vec<PathBuf> = judged.iter().flatten().map(|found| found.real.clone()).collect();
        let overlaps = |real: &PathBuf| {
            touched.iter().any(|earlier| real.starts_with(earlier) || earlier.starts_with(real))
                || made.iter().any(|folder| folder.starts_with(real))
        };
        if reals.iter().any(overlaps) {
            let reason = "a step touches what an earlier one moves or makes";
            outcomes.push(Outcome::new(Decision::Ask, Risk::Medium, reason));
        }
        match Step::of(value) {
            Some(Step::CreateFolder(_)) => made.extend(reals),
            _ => touched.extend(reals),
        }
        outcomes.extend(judged.into_iter().map(bounds));
    }
    Outcome::strictest(outcomes)
}

/// Judges every member of an archive at the path to which it would be unpacked.
fn extract(situation: &Situation, archive: &str, dest: &str, members: &[Value]) -> Outcome {
    let mut outcomes = vec![bounds(examine(situation, &situation.cwd, Operation::Read, archive))];
    let mut seen = Vec::new();
    for member in members {
        let Some(name) = member.as_str().filter(|name| is_plain_member(name)) else {
            let reason = format!("a member is not a plain file below the folder: {member}");
            outcomes.push(Outcome::new(Decision::Deny, Risk::High, reason));
            continue;
        };
        let folded = name.to_lowercase();
        if seen.contains(&folded) {
            outcomes.push(Outcome::new(Decision::Ask, Risk::Medium, format!("two members are named {name}")));
        }
        seen.push(folded);
        let at = Path::new(dest).join(name);
        let at = at.to_string_lossy();
        outcomes.push(bounds(examine(situation, &situation.cwd, Operation::Create, &at)));
    }
    Outcome::strictest(outcomes)
}

/// Whether a member's name stays below the folder by its text alone, on every system.
fn is_plain_member(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('/')
        && !name.contains("->")
        && windows_meaning(name).is_none()
        && !name.split('/').any(|part| part == "..")
}

/// Judges every file that a patch changes: `path`, or `path => new path` for a rename.
fn patch(situation: &Situation, file: &str, targets: &[Value]) -> Outcome {
    let mut outcomes = vec![bounds(examine(situation, &situation.cwd, Operation::Read, file))];
    for target in targets {
        outcomes.push(match target.as_str() {
            Some(target) if !target.contains("->") => match target.split_once(" => ") {
                Some((from, to)) => transfer(situation, Transfer::Move, from, to),
                None => bounds(examine(situation, &situation.cwd, Operation::Write, target)),
            },
            _ => Outcome::new(Decision::Ask, Risk::Medium, format!("a target is not a plain file: {target}")),
        });
    }
    Outcome::strictest(outcomes)
}
