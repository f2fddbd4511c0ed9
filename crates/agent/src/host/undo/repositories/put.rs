//! Changes a repository from one state to another. Git makes every change itself: it locks what it writes, checks that a
//! reference is where it is expected, and writes the log of references. If a step fails, the earlier ones are reversed.

use crate::git::{Git, GitAnswer, GitCall, in_repository};
use crate::repositories::unit::{Entry, Index, PATIENCE, STASH, Target, Unit};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The entry of the log of references for each change.
const REASON: &str = "deputy: undo or redo";

/// A repository to change.
pub(super) struct Putting<'a> {
    pub(super) git: &'a Git<'a>,
    /// An empty folder, for git to run in.
    pub(super) cwd: &'a Path,
    /// The folder of the repository.
    pub(super) folder: &'a Path,
    /// The references to change.
    pub(super) moved: &'a BTreeSet<String>,
}

/// The steps in their order: HEAD before references, so that git logs both in HEAD's log; the stash last, because its log
/// is changed entry by entry.
const STEPS: [Step; 4] = [Step::Index, Step::Head, Step::Refs, Step::Stash];

#[derive(Clone, Copy)]
enum Step {
    Index,
    Head,
    Refs,
    Stash,
}

impl Putting<'_> {
    /// Changes the repository. If this fails, it is as before.
    pub(super) async fn change(&self, from: &Unit, to: &Unit) -> Result<(), Phrase> {
        for (done, step) in STEPS.into_iter().enumerate() {
            if let Err(error) = self.step(step, from, to).await {
                // The failed step can have been done in part.
                for earlier in STEPS[..=done].iter().rev() {
                    if let Err(error) = self.step(*earlier, to, from).await {
                        tracing::warn!("undo of a step in {}: {error}", self.folder.display());
                    }
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Checks that git has everything that a state needs. What is reachable from the references of today is taken to be
    /// whole.
    pub(super) async fn check_objects(&self, from: &Unit, to: &Unit) -> Result<(), Phrase> {
        let tips = to.tips(self.moved);
        if !tips.is_empty() {
            let input = tips.iter().map(|tip| format!("{tip}\n")).collect::<String>();
            let arguments = ["rev-list", "--objects", "--stdin", "--not", "--all", "--quiet"];
            let answer = self.git.run(self.read(&arguments, input.into_bytes())).await?;
            if answer.exit_code != 0 {
                return Err(say::git_objects_gone());
            }
        }
        let mut needed: BTreeSet<&str> = BTreeSet::new();
        for (name, tree) in &to.trees {
            let before = from.trees.get(name).map(|tree| &tree.index);
            let is_new =
                |path: &Vec<u8>, entry: &Entry| before.and_then(|index| index.get(path)) != Some(entry);
            let new = tree.index.iter().filter(|(path, entry)| is_new(path, entry));
            // The commit of a submodule is not an object of this repository.
            needed.extend(
                new.filter(|(_, entry)| entry.mode != "160000").map(|(_, entry)| entry.object.as_str()),
            );
        }
        if needed.is_empty() {
            return Ok(());
        }
        let input = needed.iter().map(|object| format!("{object}\n")).collect::<String>();
        let answer = self.git.run(self.read(&["cat-file", "--batch-check"], input.into_bytes())).await?;
        let found = answer.success()?;
        let found = String::from_utf8_lossy(&found);
        let is_whole =
            found.lines().count() == needed.len() && found.lines().all(|line| line.contains(" blob "));
        if is_whole { Ok(()) } else { Err(say::git_objects_gone()) }
    }

    async fn step(&self, step: Step, from: &Unit, to: &Unit) -> Result<(), Phrase> {
        match step {
            Step::Index => {
                for (name, tree) in &to.trees {
                    let now = from.trees.get(name).map(|tree| &tree.index);
                    self.index(name, now.unwrap_or(&Index::new()), &tree.index).await?;
                }
                Ok(())
            }
            Step::Head => {
                for (name, tree) in &to.trees {
                    if from.trees.get(name).map(|tree| &tree.head) != Some(&tree.head) {
                        self.head(name, &tree.head).await?;
                    }
                }
                Ok(())
            }
            Step::Refs => self.refs(from, to).await,
            Step::Stash => self.stash(from, to).await,
        }
    }

    /// Changes the entries of an index that differ. Git keeps what it knows about the others.
    async fn index(&self, tree: &Path, from: &Index, to: &Index) -> Result<(), Phrase> {
        let folder = self.folder.join(tree);
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for (path, entry) in from {
            if !to.contains_key(path) {
                let zeros = "0".repeat(entry.object.len());
                removed.extend_from_slice(format!("0 {zeros}\t").as_bytes());
                removed.extend_from_slice(path);
                removed.push(0);
            }
        }
        let differs = |path: &Vec<u8>, entry: &Entry| from.get(path) != Some(entry);
        let changed: Vec<_> = to.iter().filter(|(path, entry)| differs(path, entry)).collect();
        for (path, entry) in &changed {
            added.extend_from_slice(format!("{} {}\t", entry.mode, entry.object).as_bytes());
            added.extend_from_slice(path);
            added.push(0);
        }
        // A file can make room for a folder of its name, so what goes comes first.
        removed.append(&mut added);
        if removed.is_empty() {
            return Ok(());
        }
        self.write(&folder, &["update-index", "-z", "--index-info"], removed).await?;
        for option in ["--assume-unchanged", "--skip-worktree"] {
            let mut paths = Vec::new();
            for (path, entry) in &changed {
                let has = if option == "--skip-worktree" { entry.is_skipped } else { entry.is_assumed };
                if has {
                    paths.extend_from_slice(path);
                    paths.push(0);
                }
            }
            if !paths.is_empty() {
                self.write(&folder, &["update-index", "-z", option, "--stdin"], paths).await?;
            }
        }
        Ok(())
    }

    async fn head(&self, tree: &Path, to: &Target) -> Result<(), Phrase> {
        let folder = self.folder.join(tree);
        match to {
            Target::Reference(name) => {
                self.write(&folder, &["symbolic-ref", "-m", REASON, "HEAD", name], Vec::new()).await
            }
            Target::Object(object) => {
                let arguments = ["update-ref", "--no-deref", "-m", REASON, "HEAD", object];
                self.write(&folder, &arguments, Vec::new()).await
            }
        }
    }

    /// Changes all references in one transaction, each only if it is where it is expected.
    async fn refs(&self, from: &Unit, to: &Unit) -> Result<(), Phrase> {
        if self.moved.is_empty() {
            return Ok(());
        }
        let mut input = "start\n".to_owned();
        for name in self.moved {
            let line = match (from.refs.get(name), to.refs.get(name)) {
                (Some(Target::Object(old)), Some(Target::Object(new))) => {
                    format!("update {name} {new} {old}\n")
                }
                (None, Some(Target::Object(new))) => format!("create {name} {new}\n"),
                (Some(Target::Object(old)), None) => format!("delete {name} {old}\n"),
                // References to references are not changed.
                _ => continue,
            };
            input += "option no-deref\n";
            input += &line;
        }
        input += "prepare\ncommit\n";
        self.write(self.folder, &["update-ref", "-m", REASON, "--stdin"], input.into_bytes()).await
    }

    async fn stash(&self, from: &Unit, to: &Unit) -> Result<(), Phrase> {
        let same = from.stash.iter().rev().zip(to.stash.iter().rev()).take_while(|(a, b)| a == b).count();
        let (gone, new) = (from.stash.len() - same, to.stash.len() - same);
        if gone > 0 && same == 0 {
            let old = from.stash.first().map_or("", |newest| &newest.object);
            self.write(self.folder, &["update-ref", "-d", STASH, old], Vec::new()).await?;
        } else {
            for _ in 0..gone {
                let arguments = ["reflog", "delete", "--updateref", "--rewrite", "refs/stash@{0}"];
                self.write(self.folder, &arguments, Vec::new()).await?;
            }
        }
        for stashed in to.stash[..new].iter().rev() {
            let arguments = ["stash", "store", "-q", "-m", &stashed.message, &stashed.object];
            self.write(self.folder, &arguments, Vec::new()).await?;
        }
        Ok(())
    }

    fn read(&self, arguments: &[&str], input: Vec<u8>) -> GitCall {
        GitCall {
            arguments: in_repository(self.folder, self.cwd, arguments),
            cwd: self.cwd.to_owned(),
            readable: vec![self.cwd.to_owned(), self.folder.to_owned()],
            input,
            patience: PATIENCE,
            ..GitCall::default()
        }
    }

    async fn write(&self, folder: &Path, arguments: &[&str], input: Vec<u8>) -> Result<(), Phrase> {
        let frozen = ["config", "hooks"].iter().map(|name| self.folder.join(name));
        let call = GitCall {
            arguments: in_repository(folder, self.cwd, arguments),
            writable: vec![self.folder.to_owned()],
            frozen: frozen.filter(|path| path.exists()).collect::<Vec<PathBuf>>(),
            ..self.read(arguments, input)
        };
        self.git.run(call).await.and_then(GitAnswer::success).map(drop)
    }
}
