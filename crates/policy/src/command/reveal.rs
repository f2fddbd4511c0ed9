//! Decides whether the walls leave a file of credentials open for a call that the user is asked about.
//!
//! A call that names such a file to read it gets it if the user agrees, because the request says so. A call that names
//! it only to write it, remove it or determine its type does not disclose the content: then the file stays hidden unless
//! every command of the text is known to open only what its words name.

use super::judge::Judgement;
use super::paths;
use super::words::Argv;
use crate::Situation;
use crate::path;
use crate::shell::script::Simple;
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, Part, PartKind, Risk};
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Programs that only write or remove what their last words name, with the options that do not change this. They do
/// not walk folders, keep a copy of the old content, or read further names from a file.
const WRITERS: &[(&str, &[&str])] = &[
    ("cp", &["-f", "-n", "-p", "-u", "-v", "--force", "--no-clobber", "--update", "--verbose"]),
    ("mv", &["-f", "-n", "-u", "-v", "--force", "--no-clobber", "--update", "--verbose"]),
    ("rm", &["-f", "-v", "--force", "--verbose"]),
    ("touch", &["-a", "-c", "-m", "--no-create"]),
    ("unlink", &[]),
];

/// Whether a command is one of those programs with plain words, and no word is a folder, because that could include
/// the folder's files.
pub(super) fn only_writes(simple: &Simple, argv: &Argv, cwd: &Path) -> bool {
    let Some((name, args)) = argv.words.split_first() else { return false };
    let Some((_, options)) = WRITERS.iter().find(|(writer, _)| writer == name) else { return false };
    let is_tame = |arg: &String| match arg.starts_with('-') {
        true => options.contains(&arg.as_str()),
        false => !cwd.join(arg).is_dir(),
    };
    argv.literal && argv.doubts.is_empty() && simple.assignments.is_empty() && args.iter().all(is_tame)
}

/// Adds the consequence for each such file to the request. Returns the files that are unhidden if the user agrees.
pub(super) fn reveal(situation: &Situation, judgement: &mut Judgement) -> Vec<PathBuf> {
    if judgement.needs.max(judgement.ruled) == Some(Confinement::Open) {
        return Vec::new();
    }
    let (is_steady, is_known) = (judgement.is_steady, judgement.is_known);
    // The words are part of what the user agrees to.
    let is_looked_up = !judgement.looked_up.is_empty();
    // A walk through a folder reads more than it names.
    let is_named = |real: &Path| {
        let name = real.file_name().and_then(OsStr::to_str).unwrap_or_default();
        judgement.argvs.iter().flatten().any(|word| word.ends_with(name))
    };
    let mut revealed = Vec::new();
    for part in &mut judgement.parts {
        let Some(real) = secret_of(situation, part) else { continue };
        let is_read = part.kind == PartKind::Read && is_named(&real);
        let fate = if is_read && (is_steady || is_looked_up) || is_steady && is_known {
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

/// Returns the file of a part if it is a secret that exists under a single name. One that is not only read must be the
/// project's own.
fn secret_of(situation: &Situation, part: &Part) -> Option<PathBuf> {
    // The text of a part is for people. If it contains an escape, it is no longer the path.
    let is_asked =
        (part.decision, part.risk) == (Decision::Ask, Risk::High) && part.kind != PartKind::Command;
    let real = Path::new(&part.text);
    let is_secret = match part.kind {
        PartKind::Read => path::is_secret(situation, real),
        _ => paths::is_own_secret(situation, real),
    };
    if !is_asked || part.text.contains('\\') || !is_secret {
        return None;
    }
    let metadata = real.symlink_metadata().ok()?;
    (metadata.is_file() && metadata.nlink() == 1).then(|| real.to_owned())
}
