//! The safety net for commands: whatever happens to a tree, undo restores it byte for byte.

use crate::support::MemoryKeeper;
use deputy_protocol::{CallId, FileChange, FileState, KeptFile};
use deputy_tools::tree::{
    BuildOutput, Contents, Differences, Ground, KnownFiles, Manifest, Survey, TreeLimits, differences, keep,
};
use deputy_tools::{KeepError, Keeper, UndoMode, undo};
use rustix::fs::FileType;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Stores in memory, and counts the files that it reads.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) keeper: MemoryKeeper,
    reads: AtomicUsize,
}

impl Contents for Memory {
    fn keep(&self, file: &File) -> Result<KeptFile, KeepError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let mut content = Vec::new();
        let mut file = file;
        file.read_to_end(&mut content).unwrap();
        self.keeper.keep_blob(&content)
    }

    fn holds(&self, file: &deputy_protocol::KeptFile) -> bool {
        self.keeper.blobs.lock().unwrap().contains_key(file.digest.as_str())
    }

    fn sync(&self) -> Result<(), KeepError> {
        Ok(())
    }
}

pub(crate) struct Tree {
    _folder: TempDir,
    pub(crate) root: PathBuf,
    pub(crate) memory: Memory,
    known: KnownFiles,
    pub(crate) limits: TreeLimits,
    /// What is kept before everything else.
    pub(crate) first: Vec<PathBuf>,
    pub(crate) output: BuildOutput,
    /// Whether the command can change nothing else.
    pub(crate) is_walled: bool,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("ws");
        fs::create_dir(&root).unwrap();
        let (memory, known) = (Memory::default(), KnownFiles::default());
        Self {
            _folder: folder,
            root,
            memory,
            known,
            limits: TreeLimits::default(),
            first: Vec::new(),
            output: BuildOutput::default(),
            is_walled: true,
        }
    }

    pub(crate) fn put(&self, below: &str, content: &str) {
        let path = self.root.join(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn survey<T>(&self, secret: &str, work: impl FnOnce(&Ground<'_>, Survey) -> T) -> T {
        let is_secret = |path: &Path| !secret.is_empty() && path.ends_with(secret);
        let ground = Ground {
            roots: vec![self.root.clone()],
            is_secret: &is_secret,
            is_open: &|_| false,
            output: &self.output,
            is_walled: self.is_walled,
        };
        work(&ground, Survey::of(&ground, self.limits, &self.first))
    }

    pub(crate) fn keep(&self) -> Manifest {
        self.keep_but("")
    }

    fn keep_but(&self, secret: &str) -> Manifest {
        let manifest = self.survey(secret, |ground, survey| {
            keep(&CallId::new("t-1-1"), ground, survey, &self.memory, &self.known).unwrap()
        });
        // As after a crash: everything that is known comes from the blob.
        Manifest::from_bytes(&manifest.to_bytes().unwrap()).unwrap()
    }

    pub(crate) fn differences(&self, manifest: &Manifest) -> Differences {
        differences(manifest, self.limits)
    }

    /// Undoes the changes, newest first, and returns what could not be undone.
    pub(crate) fn undo(&self, calls: &[Differences]) -> Vec<String> {
        let mut changes: Vec<(CallId, FileChange)> = Vec::new();
        for (number, call) in calls.iter().enumerate() {
            let id = CallId::new(format!("t-{number}-1"));
            changes.extend(call.changes.iter().map(|change| (id.clone(), change.clone())));
        }
        changes.reverse();
        let files = undo(&changes, &self.memory.keeper, UndoMode::Apply);
        let failed = files.iter().filter(|file| !file.restored);
        failed.map(|file| format!("{}: {}", file.change.path, file.message)).collect()
    }

    pub(crate) fn look(&self) -> BTreeMap<PathBuf, String> {
        let mut seen = BTreeMap::new();
        look(&self.root, &mut seen);
        seen
    }

    fn below(&self, path: &str) -> String {
        Path::new(path).strip_prefix(&self.root).unwrap().to_str().unwrap().to_owned()
    }
}

/// Returns everything below a folder: type, mode, and content or target.
fn look(folder: &Path, seen: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stat = fs::symlink_metadata(&path).unwrap();
        let mode = stat.permissions().mode() & 0o777;
        if stat.is_dir() {
            seen.insert(path.clone(), format!("folder {mode:o}"));
            look(&path, seen);
        } else if stat.is_symlink() {
            seen.insert(path.clone(), format!("link {:?}", fs::read_link(&path).unwrap()));
        } else if !stat.is_file() {
            seen.insert(path.clone(), format!("{:?}", stat.file_type()));
        } else {
            seen.insert(path.clone(), format!("file {mode:o} {:?}", fs::read(&path).unwrap()));
        }
    }
}

pub(crate) fn told(tree: &Tree, found: &Differences) -> Vec<String> {
    let kind = |state: &FileState| match state {
        FileState::Absent(_) => "nothing".to_owned(),
        FileState::File(file) => format!("file {:o}", file.mode & 0o777),
        FileState::Folder(folder) => format!("folder {:o}", folder.mode.unwrap() & 0o777),
        FileState::Link(link) => format!("link to {}", link.target),
        FileState::Special(special) => special.what.clone(),
        FileState::Unkept(_) => "something".to_owned(),
    };
    let line = |change: &FileChange| {
        format!("{}: {} -> {}", tree.below(&change.path), kind(&change.before), kind(&change.after))
    };
    found.changes.iter().map(line).collect()
}

pub(crate) fn make_special(path: &Path, kind: FileType) -> rustix::io::Result<()> {
    rustix::fs::mknodat(rustix::fs::CWD, path, kind, 0o600.into(), 0)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn every_kind_of_change_is_found_and_taken_back() {
    let tree = Tree::new();
    for (path, content) in [
        ("changed", "1"),
        ("same_size", "abc"),
        ("deleted", "2"),
        ("moved", "3"),
        ("becomes_folder", "4"),
        ("becomes_link", "5"),
        ("mode", "6"),
        ("gone/deep/er", "7"),
        ("folder_becomes_link/inner", "8"),
        ("folder_becomes_file/inner", "9"),
        ("empty", ""),
    ] {
        tree.put(path, content);
        set_mode(&tree.root.join(path), 0o640);
    }
    fs::create_dir(tree.root.join("empty_folder")).unwrap();
    fs::create_dir(tree.root.join("closed_folder")).unwrap();
    set_mode(&tree.root.join("closed_folder"), 0o555);
    symlink("changed", tree.root.join("link")).unwrap();
    let before = tree.look();
    let manifest = tree.keep();

    let at = |below: &str| tree.root.join(below);
    fs::write(at("changed"), "longer than before").unwrap();
    fs::write(at("same_size"), "xyz").unwrap();
    fs::remove_file(at("deleted")).unwrap();
    fs::rename(at("moved"), at("moved_here")).unwrap();
    fs::remove_file(at("becomes_folder")).unwrap();
    fs::create_dir(at("becomes_folder")).unwrap();
    tree.put("becomes_folder/new/file", "new");
    fs::remove_file(at("becomes_link")).unwrap();
    symlink("/etc/hostname", at("becomes_link")).unwrap();
    set_mode(&at("mode"), 0o755);
    fs::remove_dir_all(at("gone")).unwrap();
    fs::remove_dir_all(at("folder_becomes_link")).unwrap();
    symlink("becomes_folder", at("folder_becomes_link")).unwrap();
    fs::remove_dir_all(at("folder_becomes_file")).unwrap();
    fs::write(at("folder_becomes_file"), "file").unwrap();
    fs::write(at("empty"), "no more").unwrap();
    set_mode(&at("empty_folder"), 0o500);
    set_mode(&at("closed_folder"), 0o755);
    tree.put("closed_folder/new", "n");
    fs::remove_file(at("link")).unwrap();
    symlink("deleted", at("link")).unwrap();
    tree.put("new_empty", "");
    fs::create_dir_all(at("new/folders")).unwrap();
    set_mode(&at("new"), 0o500);

    let found = tree.differences(&manifest);
    assert_eq!(found.uncovered, Vec::<String>::new());
    insta::assert_debug_snapshot!(told(&tree, &found));
    assert_eq!(tree.undo(&[found]), Vec::<String>::new());
    assert_eq!(tree.look(), before);
    assert_eq!(tree.differences(&manifest), Differences::default(), "nothing is left to find");
}

#[test]
fn what_was_changed_since_is_left_alone_and_said() {
    let tree = Tree::new();
    tree.put("a", "1");
    tree.put("b", "1");
    let manifest = tree.keep();
    tree.put("a", "2");
    tree.put("b", "2");
    tree.put("made/by/command", "x");
    let found = tree.differences(&manifest);
    tree.put("a", "the user's");
    tree.put("made/users", "y");
    let failed = tree.undo(&[found]);
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert!(
        failed.iter().any(|line| line.ends_with("/a: changed since: the file has different content now")),
        "{failed:?}"
    );
    assert!(
        failed.iter().any(|line| line.contains("/made: changed since: the folder holds users")),
        "{failed:?}"
    );
    assert_eq!(fs::read_to_string(tree.root.join("b")).unwrap(), "1");
    assert_eq!(fs::read_to_string(tree.root.join("a")).unwrap(), "the user's");
    assert_eq!(fs::read_to_string(tree.root.join("made/users")).unwrap(), "y");
}

/// A command that removes a folder lost its undo to files that it did not name.
#[test]
fn what_a_command_names_is_kept_before_everything_else() {
    for (max_files, named, kept) in [
        (4, vec![], vec!["data/0", "data/1", "data/2", "data/3"]),
        (4, vec!["notes"], vec!["data/0", "data/1", "notes/1.md", "notes/2.md"]),
        (4, vec!["zoo/a", "notes/2.md"], vec!["data/0", "data/1", "notes/2.md", "zoo/a"]),
        (4, vec!["node_modules/x"], vec!["data/0", "data/1", "data/2", "node_modules/x/index.js"]),
        // So few that not every folder is listed.
        (2, vec!["notes"], vec!["notes/1.md", "notes/2.md"]),
        (2, vec!["zoo"], vec!["zoo/a", "zoo/ab"]),
    ] {
        let mut tree = Tree::new();
        tree.limits = TreeLimits { max_files, ..TreeLimits::default() };
        for number in 0..4 {
            tree.put(&format!("data/{number}"), "data");
        }
        for path in ["notes/1.md", "notes/2.md", "zoo/a", "zoo/ab", "node_modules/x/index.js"] {
            tree.put(path, path);
        }
        tree.first = named.iter().map(|name| tree.root.join(name)).collect();
        let manifest = tree.keep();
        for top in ["data", "node_modules", "notes", "zoo"] {
            fs::remove_dir_all(tree.root.join(top)).unwrap();
        }
        let found = tree.differences(&manifest);
        assert_eq!(tree.undo(&[found]), Vec::<String>::new());
        let mut back = Vec::new();
        for path in [
            "data/0",
            "data/1",
            "data/2",
            "data/3",
            "node_modules/x/index.js",
            "notes/1.md",
            "notes/2.md",
            "zoo/a",
            "zoo/ab",
        ] {
            back.extend(tree.root.join(path).exists().then_some(path));
        }
        assert_eq!(back, kept, "{named:?}");
    }
}

#[test]
fn what_does_not_fit_is_named_before_and_after() {
    let mut tree = Tree::new();
    tree.limits = TreeLimits { max_files: 4, max_bytes: 100 };
    tree.put("own.txt", "small");
    tree.put("large.bin", &"x".repeat(101));
    // Generated files come last, so they are what does not fit.
    for number in 0..6 {
        tree.put(&format!("node_modules/{number}.js"), "js");
    }
    let odd = tree.root.join(OsStr::from_bytes(b"odd-\xff\n"));
    fs::write(&odd, "odd").unwrap();
    let pipe = tree.root.join("pipe");
    make_special(&pipe, FileType::Fifo).unwrap();
    let not_kept = tree.survey("", |_, survey| survey.not_kept()).unwrap();
    assert_eq!((not_kept.files, not_kept.and_more), (6, false), "{not_kept:?}");
    assert_eq!(not_kept.bytes, 101 + 3 + 3 * 2);
    insta::assert_debug_snapshot!(not_kept.examples);

    let manifest = tree.keep();
    assert_eq!(manifest.size(), (4, 5 + 3 * 2));
    fs::write(&odd, "changed").unwrap();
    fs::remove_file(tree.root.join("large.bin")).unwrap();
    fs::write(tree.root.join("own.txt"), "changed").unwrap();
    fs::write(tree.root.join("huge"), "y".repeat(200)).unwrap();
    fs::write(tree.root.join(OsStr::from_bytes(b"new-\xfe")), "odd").unwrap();
    let found = tree.differences(&manifest);
    assert_eq!(told(&tree, &found), ["own.txt: file 644 -> file 644"]);
    let uncovered: Vec<&str> = found.uncovered.iter().map(|path| path.rsplit('/').next().unwrap()).collect();
    insta::assert_debug_snapshot!(uncovered);
    assert_eq!(tree.undo(&[found]), Vec::<String>::new());
    assert_eq!(fs::read_to_string(tree.root.join("own.txt")).unwrap(), "small");
}

#[test]
fn folders_beyond_the_bound_are_left_out_as_a_whole() {
    let mut tree = Tree::new();
    tree.limits.max_files = 2;
    for folder in ["a", "b", "c"] {
        for number in 0..9 {
            tree.put(&format!("{folder}/{number}"), "x");
        }
    }
    let not_kept = tree.survey("", |_, survey| survey.not_kept()).unwrap();
    assert!(not_kept.and_more, "{not_kept:?}");
    let manifest = tree.keep();
    // Entries that were not listed before do not count as new.
    assert_eq!(tree.differences(&manifest), Differences::default());
}

#[test]
fn no_copy_of_a_secret_is_made_and_none_is_taken_for_new() {
    let tree = Tree::new();
    tree.put("keys/id", "the key");
    tree.put(".env", "TOKEN=1");
    tree.put("a", "1");
    assert_eq!(tree.survey("keys", |_, survey| survey.not_kept()), None, "the walls hide it");
    let manifest = tree.keep_but("keys");
    let kept: Vec<Vec<u8>> = tree.memory.keeper.blobs.lock().unwrap().values().cloned().collect();
    assert!(!kept.contains(&b"the key".to_vec()), "a copy of a secret");
    assert_eq!(tree.differences(&manifest), Differences::default());
}

#[test]
fn an_unchanged_file_is_read_once() {
    let tree = Tree::new();
    for number in 0..20 {
        tree.put(&format!("{number}"), &format!("{number}"));
    }
    tree.keep();
    assert_eq!(tree.memory.reads.load(Ordering::SeqCst), 20);
    // The kernel sets the change time, so the files only become settled by waiting. Until then, every check reads them.
    loop {
        let before = tree.memory.reads.load(Ordering::SeqCst);
        tree.keep();
        if tree.memory.reads.load(Ordering::SeqCst) == before {
            break;
        }
    }
    tree.put("3", "another");
    let before = tree.memory.reads.load(Ordering::SeqCst);
    tree.keep();
    assert_eq!(tree.memory.reads.load(Ordering::SeqCst), before + 1, "only what changed is read");
}

/// A small random generator. The same seed yields the same script.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn path(&mut self, root: &Path) -> PathBuf {
        const NAMES: [&str; 5] = ["a", "b", "c d", "ü", "target"];
        let mut path = root.to_owned();
        for _ in 0..=self.roll(3) {
            path.push(NAMES[self.roll(5) as usize]);
        }
        path
    }
}

/// Does something that a command may do. Does nothing if it is impossible, e.g. on a missing path.
fn act(dice: &mut Dice, root: &Path) {
    let (path, other) = (dice.path(root), dice.path(root));
    let mode = [0o644, 0o600, 0o755, 0o444, 0o711][dice.roll(5) as usize];
    let _ = match dice.roll(9) {
        0 | 1 => fs::write(&path, dice.roll(3).to_string()),
        2 => fs::create_dir_all(&path),
        3 => fs::remove_file(&path),
        4 => fs::remove_dir_all(&path),
        5 | 6 => fs::rename(&path, &other),
        7 => symlink(["a", "../b", "/nowhere"][dice.roll(3) as usize], &path),
        // The mode of a link's target does not belong to the link.
        _ if path.is_symlink() => Ok(()),
        _ => fs::set_permissions(&path, Permissions::from_mode(mode | if path.is_dir() { 0o700 } else { 0 })),
    };
}

#[test]
fn random_scripts_are_taken_back_to_the_last_byte() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let tree = Tree::new();
        for _ in 0..40 {
            act(&mut dice, &tree.root);
        }
        let before = tree.look();
        let mut calls = Vec::new();
        for _ in 0..3 {
            let manifest = tree.keep();
            for _ in 0..dice.roll(25) {
                act(&mut dice, &tree.root);
            }
            // The last call puts pipes and sockets in place of files and folders, and at new paths.
            for _ in 0..if calls.len() == 2 { dice.roll(4) } else { 0 } {
                let path = dice.path(&tree.root);
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
                let _ = make_special(&path, [FileType::Fifo, FileType::Socket][dice.roll(2) as usize]);
            }
            let found = tree.differences(&manifest);
            assert_eq!(found.uncovered, Vec::<String>::new(), "seed {seed}");
            calls.push(found);
        }
        assert_eq!(tree.undo(&calls), Vec::<String>::new(), "seed {seed}");
        assert_eq!(tree.look(), before, "seed {seed}");
    }
}
