//! The unit of a repository that undo changes together, as git reads it: HEAD and the index of working trees, the stash
//! and references.

use crate::git::{Git, GitCall, in_repository};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that git has for one question.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// The reference of the stash. The list of what is stashed is its log.
pub(crate) const STASH: &str = "refs/stash";

/// A state of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    /// HEAD and index by working tree: the path of its data relative to the folder of the repository, empty for the main
    /// one.
    pub(crate) trees: BTreeMap<PathBuf, Tree>,
    /// The newest first.
    pub(crate) stash: Vec<Stashed>,
    /// The target of each reference by name, without the stash and those of single working trees.
    pub(crate) refs: BTreeMap<String, Target>,
    /// The references that are checked out, with the folder of the working tree.
    pub(crate) checked_out: BTreeMap<String, PathBuf>,
}

/// HEAD and index of a working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) head: Target,
    pub(crate) index: Index,
}

/// Where HEAD or a reference points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// An object.
    Object(String),
    /// Another reference, which need not exist.
    Reference(String),
}

/// An entry of the stash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stashed {
    pub(crate) object: String,
    pub(crate) message: String,
}

/// The entries of an index by path.
pub(crate) type Index = BTreeMap<Vec<u8>, Entry>;

/// An entry of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The mode in octal, as git writes it.
    pub(crate) mode: String,
    pub(crate) object: String,
    /// Whether the assume-unchanged bit is set.
    pub(crate) is_assumed: bool,
    /// Whether the file is left out of the working tree.
    pub(crate) is_skipped: bool,
}

/// Why a state is not that of a unit.
pub(crate) enum Unread {
    /// The index has entries of an unfinished merge.
    Unmerged,
    /// The index has entries that only intend to add a file (`git add -N`).
    IntentToAdd,
    /// Git gave no answer.
    Git(Phrase),
}

/// What is read where.
pub(crate) struct Reading<'a> {
    pub(crate) git: &'a Git<'a>,
    /// An empty folder, for git to run in.
    pub(crate) cwd: &'a Path,
    /// The folder of the repository, or of a copy of its state.
    pub(crate) folder: &'a Path,
    /// The folder of the real repository, which has the objects.
    pub(crate) real: &'a Path,
    /// The working trees.
    pub(crate) trees: &'a BTreeSet<PathBuf>,
}

impl Reading<'_> {
    /// Reads a state. Changes nothing.
    pub(crate) async fn unit(&self) -> Result<Unit, Unread> {
        let (mut unit, has_stash) = self.references().await?;
        if has_stash {
            let log = ["log", "--walk-reflogs", "--format=%H%x00%gs", STASH, "--"];
            for line in text(&self.ask(self.folder, &log).await?)?.lines() {
                let (object, message) = line.split_once('\0').ok_or_else(unreadable)?;
                object_of(object)?;
                unit.stash.push(Stashed { object: object.to_owned(), message: message.to_owned() });
            }
        }
        for tree in self.trees {
            let folder = self.folder.join(tree);
            let (head, index) = (self.head(&folder).await?, self.index(&folder).await?);
            unit.trees.insert(tree.clone(), Tree { head, index });
        }
        Ok(unit)
    }

    /// Reads the references alone. The second value is whether there is a stash.
    pub(crate) async fn references(&self) -> Result<(Unit, bool), Unread> {
        let mut unit = Unit::default();
        let format = "--format=%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)";
        let found = self.ask(self.folder, &["for-each-ref", format]).await?;
        let mut has_stash = false;
        for line in text(&found)?.lines() {
            let mut parts = line.split('\0');
            let (Some(name), Some(object), Some(reference), Some(tree)) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                return Err(unreadable());
            };
            let of_one_tree = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"];
            reference_of(name)?;
            if name == STASH {
                has_stash = true;
                continue;
            }
            if of_one_tree.iter().any(|prefix| name.starts_with(prefix)) {
                continue;
            }
            if !tree.is_empty() {
                unit.checked_out.insert(name.to_owned(), PathBuf::from(tree));
            }
            let target = match reference {
                "" => object_of(object)?,
                reference => reference_of(reference)?,
            };
            unit.refs.insert(name.to_owned(), target);
        }
        Ok((unit, has_stash))
    }

    async fn head(&self, folder: &Path) -> Result<Target, Unread> {
        let call = self.call(folder, &["symbolic-ref", "--quiet", "HEAD"]);
        let answer = self.git.run(call).await.map_err(Unread::Git)?;
        // It points to no reference.
        if answer.exit_code == 1 {
            let object = self.ask(folder, &["rev-parse", "--verify", "--quiet", "HEAD"]).await?;
            return object_of(text(&object)?.trim_end());
        }
        let reference = answer.success().map_err(Unread::Git)?;
        reference_of(text(&reference)?.trim_end())
    }

    async fn index(&self, folder: &Path) -> Result<Index, Unread> {
        let listed = self.ask(folder, &["ls-files", "--stage", "-v", "-z"]).await?;
        let mut index = Index::new();
        let mut might_intend = false;
        for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let (path, entry) = entry(line)?;
            might_intend |= is_empty_blob(&entry.object);
            index.insert(path, entry);
        }
        if might_intend {
            // An entry that only intends to add a file has the object of an empty one. This option shows the flag.
            let options = ["ls-files", "--stage", "-z", "--debug"];
            let listed = self.ask(folder, &options).await?;
            if has_intent_to_add(&listed) {
                return Err(Unread::IntentToAdd);
            }
        }
        Ok(index)
    }

    async fn ask(&self, folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Unread> {
        let answer = self.git.run(self.call(folder, arguments)).await.map_err(Unread::Git)?;
        answer.success().map_err(Unread::Git)
    }

    fn call(&self, folder: &Path, arguments: &[&str]) -> GitCall {
        GitCall {
            arguments: in_repository(folder, self.cwd, arguments),
            cwd: self.cwd.to_owned(),
            readable: vec![self.cwd.to_owned(), self.folder.to_owned(), self.real.to_owned()],
            patience: PATIENCE,
            ..GitCall::default()
        }
    }
}

/// The objects of an empty file, with both kinds of digests that git has.
const EMPTY_BLOBS: [&str; 2] = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

fn is_empty_blob(object: &str) -> bool {
    EMPTY_BLOBS.contains(&object)
}

/// The flag of an entry that only intends to add a file, in what git lists for debugging.
const INTENT_TO_ADD: u32 = 1 << 29;

/// Reads the output of `git ls-files --stage -z --debug`: after each path and its NUL come five lines, and the last one
/// ends with the flags in hexadecimal. Returns whether an entry only intends to add a file;
/// one whose flags cannot be read counts.
fn has_intent_to_add(listed: &[u8]) -> bool {
    let listed = String::from_utf8_lossy(listed);
    let has_intent = |details: &str| {
        let flags = details.lines().nth(4).and_then(|line| line.split_whitespace().last());
        flags
            .and_then(|flags| u32::from_str_radix(flags, 16).ok())
            .is_none_or(|flags| flags & INTENT_TO_ADD != 0)
    };
    listed.split('\0').skip(1).any(has_intent)
}

/// Reads a line of `git ls-files --stage -v -z`: a letter, the mode, the object and the stage, a tab and the path.
fn entry(line: &[u8]) -> Result<(Vec<u8>, Entry), Unread> {
    let tab = line.iter().position(|byte| *byte == b'\t').ok_or_else(unreadable)?;
    let mut parts = text(&line[..tab])?.split(' ');
    let (Some(letter), Some(mode), Some(object), Some(stage)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(unreadable());
    };
    if stage != "0" {
        return Err(Unread::Unmerged);
    }
    object_of(object)?;
    let entry = Entry {
        mode: mode.to_owned(),
        object: object.to_owned(),
        is_assumed: letter.chars().all(|letter| letter.is_ascii_lowercase()),
        is_skipped: letter.eq_ignore_ascii_case("S"),
    };
    Ok((line[tab + 1..].to_vec(), entry))
}

/// Reads the name of an object. It becomes an argument of git, so anything else is refused.
fn object_of(name: &str) -> Result<Target, Unread> {
    let is_name = name.len() >= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_name { Ok(Target::Object(name.to_owned())) } else { Err(unreadable()) }
}

/// Reads the name of a reference. It becomes an argument of git and a word in a line of its input.
fn reference_of(name: &str) -> Result<Target, Unread> {
    let is_name = name.starts_with("refs/") && !name.bytes().any(|byte| byte.is_ascii_whitespace());
    if is_name { Ok(Target::Reference(name.to_owned())) } else { Err(unreadable()) }
}

fn text(bytes: &[u8]) -> Result<&str, Unread> {
    std::str::from_utf8(bytes).map_err(|_| unreadable())
}

fn unreadable() -> Unread {
    Unread::Git(say::git_no_answer())
}

/// How two states differ in what an undo compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    Head,
    Index,
    Stash,
    /// A reference by name.
    Ref(String),
}

impl Unit {
    /// Returns the references that differ, by name.
    pub(crate) fn moved(&self, other: &Self) -> BTreeSet<String> {
        let names = self.refs.keys().chain(other.refs.keys());
        names.filter(|name| self.refs.get(*name) != other.refs.get(*name)).cloned().collect()
    }

    /// Returns the first difference in HEAD, index, stash and some references.
    pub(crate) fn difference(&self, other: &Self, moved: &BTreeSet<String>) -> Option<Difference> {
        let moved = moved.iter().find(|name| self.refs.get(*name) != other.refs.get(*name));
        if let Some(name) = moved {
            return Some(Difference::Ref(name.clone()));
        }
        for (name, tree) in &self.trees {
            let other = other.trees.get(name);
            if other.map(|other| &other.head) != Some(&tree.head) {
                return Some(Difference::Head);
            }
            if other.map(|other| &other.index) != Some(&tree.index) {
                return Some(Difference::Index);
            }
        }
        (self.stash != other.stash).then_some(Difference::Stash)
    }

    /// Returns where a reference is, or if it does not exist, the branch that is checked out.
    pub(crate) fn base(&self, name: &str) -> Option<&str> {
        let head = self.trees.values().next().map(|tree| &tree.head);
        match (self.refs.get(name), head) {
            (Some(Target::Object(object)), _) | (None, Some(Target::Object(object))) => Some(object),
            (None, Some(Target::Reference(name))) => match self.refs.get(name) {
                Some(Target::Object(object)) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the objects that this state needs for HEAD, the stash and some references.
    pub(crate) fn tips(&self, moved: &BTreeSet<String>) -> BTreeSet<&str> {
        let heads = self.trees.values().map(|tree| &tree.head);
        let targets = heads.chain(moved.iter().filter_map(|name| self.refs.get(name)));
        let objects = targets.filter_map(|target| match target {
            Target::Object(object) => Some(object.as_str()),
            Target::Reference(_) => None,
        });
        objects.chain(self.stash.iter().map(|stashed| stashed.object.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_the_index_is_read_with_its_flags() {
        let read = |line: &[u8]| entry(line).ok().unwrap();
        let line = |letter: &str, mode: &str, stage: u32, path: &str| {
            format!("{letter} {mode} {} {stage}\t{path}", "0a".repeat(20)).into_bytes()
        };
        let (path, plain) = read(&line("H", "100644", 0, "a b\tc.txt"));
        assert_eq!((path.as_slice(), plain.is_assumed, plain.is_skipped), (&b"a b\tc.txt"[..], false, false));
        let (_, both) = read(&line("s", "100755", 0, "x"));
        assert_eq!((both.mode.as_str(), both.is_assumed, both.is_skipped), ("100755", true, true));
        assert!(matches!(entry(&line("M", "100644", 2, "x")), Err(Unread::Unmerged)));
        assert!(matches!(entry(b"H 100644"), Err(Unread::Git(_))));
    }

    #[test]
    fn what_would_be_an_option_of_git_is_no_name() {
        assert!(reference_of("refs/heads/a-b").is_ok() && object_of(&"0a".repeat(32)).is_ok());
        for name in ["--delete", "-d", "HEAD", "refs/heads/a b", "refs/heads/a\nstart"] {
            assert!(reference_of(name).is_err() && object_of(name).is_err(), "{name}");
        }
    }

    #[test]
    fn an_intent_to_add_is_recognized_by_its_flag() {
        let listed = |flags: &str| {
            let details =
                "  ctime: 1:2\n  mtime: 1:2\n  dev: 1\tino: 2\n  uid: 0\tgid: 0\n  size: 0\tflags: ";
            format!("100644 e69d 0\tx\0{details}{flags}\n")
        };
        assert!(!has_intent_to_add(listed("0").as_bytes()));
        assert!(!has_intent_to_add(listed("40000000").as_bytes()));
        assert!(has_intent_to_add(format!("{}{}", listed("0"), listed("20000000")).as_bytes()));
        assert!(
            has_intent_to_add(listed("?").as_bytes()),
            "what cannot be read is not taken for a plain entry"
        );
    }
}
