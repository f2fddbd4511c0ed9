//! Decides whether the walls may leave a project's own file of credentials open for a call that writes it, removes
//! it, or determines its type.
//!
//! The request never discloses the content of the file. The file therefore stays hidden unless every command of the
//! text is known to open only what its words name.

use super::judge::Judgement;
use super::paths;
use super::words::Argv;
use crate::Situation;
use crate::shell::script::Simple;
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, Part, PartKind, Risk};
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

/// Returns the file of a part if it is a project's own secret that exists under a single name.
fn own_secret(situation: &Situation, part: &Part) -> Option<PathBuf> {
    // The text of a part is for people. If it contains an escape, it is no longer the path.
    let is_asked =
        (part.decision, part.risk) == (Decision::Ask, Risk::High) && part.kind != PartKind::Command;
    let real = Path::new(&part.text);
    if !is_asked || part.text.contains('\\') || !paths::is_own_secret(situation, real) {
        return None;
    }
    let metadata = real.symlink_metadata().ok()?;
    (metadata.is_file() && metadata.nlink() == 1).then(|| real.to_owned())
}
