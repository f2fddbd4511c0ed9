//! Ignore files as read by git and ripgrep: `.ignore` everywhere, `.gitignore` and `.git/info/exclude` in a repository.
//! They are opened by the handle of their folder like any other file.

use crate::files::open_entry;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::rc::Rc;

/// The maximum size of an ignore file, in bytes. The rest of a larger file is not read.
const LARGEST: u64 = 1_000_000;

/// The ignore rules that apply in a folder, including those of its parents.
#[derive(Clone)]
pub(super) struct Ignores {
    /// The rules of the nearest folder first.
    rules: Option<Rc<Layer>>,
    in_repository: bool,
}

struct Layer {
    rules: Gitignore,
    above: Option<Rc<Layer>>,
}

impl Ignores {
    pub(super) fn none() -> Self {
        Self { rules: None, in_repository: false }
    }

    /// Returns the rules of the repository that contains `folder`, from its top level to the parent of `folder`.
    pub(super) fn above(folder: &Path) -> Self {
        let mut ignores = Self::none();
        let Some(top) = folder.ancestors().skip(1).find(|above| above.join(".git").exists()) else {
            return ignores;
        };
        ignores.in_repository = true;
        let mut between: Vec<&Path> =
            folder.ancestors().skip(1).take_while(|above| above.starts_with(top)).collect();
        between.reverse();
        for above in between {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            if let Ok(handle) = openat(CWD, above, flags, Mode::empty()) {
                let names = [".gitignore", ".ignore", ".git"].map(OsStr::new);
                if let Some(inner) = ignores.entering(&handle, above, names.into_iter()) {
                    ignores = inner;
                }
            }
        }
        ignores
    }

    /// Returns the rules inside a folder that contains entries with these names. `None` if the folder adds no rules.
    pub(super) fn entering<'a>(
        &self,
        folder: &OwnedFd,
        real: &Path,
        names: impl Iterator<Item = &'a OsStr>,
    ) -> Option<Self> {
        let (mut git, mut gitignore, mut plain) = (false, false, false);
        for name in names {
            git |= name == ".git";
            gitignore |= name == ".gitignore";
            plain |= name == ".ignore";
        }
        let in_repository = self.in_repository || git;
        let mut lines = Vec::new();
        if git {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let info = openat(folder, ".git", flags, Mode::empty())
                .and_then(|git| openat(git, "info", flags, Mode::empty()));
            lines.extend(info.ok().and_then(|info| read(info, "exclude")));
        }
        if gitignore && in_repository {
            lines.extend(read(folder, ".gitignore"));
        }
        if plain {
            lines.extend(read(folder, ".ignore"));
        }
        if lines.is_empty() && in_repository == self.in_repository {
            return None;
        }
        let mut builder = GitignoreBuilder::new(real);
        for line in lines.iter().flat_map(|text| text.lines()) {
            // Skip lines that are not valid patterns, like git.
            let _ = builder.add_line(None, line);
        }
        let rules = builder.build().unwrap_or_else(|_| Gitignore::empty());
        Some(Self { rules: Some(Rc::new(Layer { rules, above: self.rules.clone() })), in_repository })
    }

    /// Returns whether an entry of the folder `real` is ignored. The nearest matching rule decides.
    pub(super) fn leaves_out(&self, real: &Path, name: &OsStr, is_folder: bool) -> bool {
        let mut layer = self.rules.as_deref();
        if layer.is_none() {
            return false;
        }
        let path = real.join(name);
        while let Some(Layer { rules, above }) = layer {
            match rules.matched(&path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => layer = above.as_deref(),
            }
        }
        false
    }
}

fn read(folder: impl AsFd, name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    open_entry(folder, OsStr::new(name)).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
