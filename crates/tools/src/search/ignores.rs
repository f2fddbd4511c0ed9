//! Ignore files, as git and ripgrep read them: `.ignore` everywhere, `.gitignore` and `.git/info/exclude` in a
//! repository. They are opened by the handle of their folder like any other file.

use crate::files::open_entry;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::rc::Rc;

/// Larger ignore files are cut.
const LARGEST: u64 = 1_000_000;

/// The ignore rules that hold in a folder, those of the folders above included.
#[derive(Clone)]
pub(super) struct Ignores {
    /// The nearest first.
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

    /// The rules of the repository that `folder` is in, from its top down to the folder above.
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

    /// The rules inside of a folder with these names in it; none where nothing is added.
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
            // A line that is not a pattern leaves nothing out, as in git.
            let _ = builder.add_line(None, line);
        }
        let rules = builder.build().unwrap_or_else(|_| Gitignore::empty());
        Some(Self { rules: Some(Rc::new(Layer { rules, above: self.rules.clone() })), in_repository })
    }

    /// Whether an entry of the folder `real` is left out. The nearest rule that speaks of it decides.
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
