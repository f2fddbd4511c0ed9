//! A project's own file of credentials that a call wants to write, remove or tell the kind of: whether the
//! walls may leave it open for that one call.
//!
//! The request is never about what the file holds. So it stays hidden unless every command of the text is known to open
//! nothing but what its words name.

use super::judge::Judgement;
use super::paths;
use super::words::Argv;
use crate::Situation;
use crate::shell::script::Simple;
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, Part, PartKind, Risk};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Programs that only write or remove what their last words name, and options that change nothing about that. None
/// that walks folders, keeps a copy of what was there, or reads further names from somewhere.
const WRITERS: &[(&str, &[&str])] = &[
    ("cp", &["-f", "-n", "-p", "-u", "-v", "--force", "--no-clobber", "--update", "--verbose"]),
    ("mv", &["-f", "-n", "-u", "-v", "--force", "--no-clobber", "--update", "--verbose"]),
    ("rm", &["-f", "-v", "--force", "--verbose"]),
    ("touch", &["-a", "-c", "-m", "--no-create"]),
    ("unlink", &[]),
];

/// Whether a command is one of those, with plain words, and none of them is a folder, whose files could go along.
pub(super) fn only_writes(simple: &Simple, argv: &Argv, cwd: &Path) -> bool {
    let Some((name, args)) = argv.words.split_first() else { return false };
    let Some((_, options)) = WRITERS.iter().find(|(writer, _)| writer == name) else { return false };
    let is_tame = |arg: &String| match arg.starts_with('-') {
        true => options.contains(&arg.as_str()),
        false => !cwd.join(arg).is_dir(),
    };
    argv.literal && argv.doubts.is_empty() && simple.assignments.is_empty() && args.iter().all(is_tame)
}

/// Says of each such file in the request what becomes of it, and gives those that come out of hiding if a person agrees.
pub(super) fn reveal(situation: &Situation, judgement: &mut Judgement) -> Vec<PathBuf> {
    if judgement.needs.max(judgement.ruled) == Some(Confinement::Open) {
        return Vec::new();
    }
    let is_known = judgement.is_steady && judgement.is_known;
    let mut revealed = Vec::new();
    for part in &mut judgement.parts {
        let Some(real) = own_secret(situation, part) else { continue };
        let fate = if is_known {
            revealed.push(real);
            say::open_to_call
        } else {
            say::stays_hidden
        };
        part.reason = fate(std::mem::take(&mut part.reason));
    }
    if judgement.parts.iter().any(|part| part.decision == Decision::Deny) {
        revealed.clear();
    }
    revealed
}

/// The file that a part speaks of, where it is a project's own secret that is there under one name.
fn own_secret(situation: &Situation, part: &Part) -> Option<PathBuf> {
    // The text of a part is for people: with an escape in it, it is no longer the path.
    let is_asked =
        (part.decision, part.risk) == (Decision::Ask, Risk::High) && part.kind != PartKind::Command;
    let real = Path::new(&part.text);
    if !is_asked || part.text.contains('\\') || !paths::is_own_secret(situation, real) {
        return None;
    }
    let metadata = real.symlink_metadata().ok()?;
    (metadata.is_file() && metadata.nlink() == 1).then(|| real.to_owned())
}
