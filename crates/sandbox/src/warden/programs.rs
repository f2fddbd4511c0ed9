//! The programs that a command may start, and the files that are needed to load them.

use crate::environment::resolve_program;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The programs that a command may start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Programs {
    /// Device and inode of each program that a call may name.
    startable: BTreeSet<(u64, u64)>,
    /// For multi-call binaries, the names by which they may be called. Other files may be called by any name.
    called: BTreeMap<(u64, u64), BTreeSet<OsString>>,
    /// The files that the kernel opens in order to execute: programs, interpreters of scripts, and loaders.
    executable: BTreeSet<PathBuf>,
}

/// Names of multi-call binaries, which behave according to the name by which they are called.
const MANY_IN_ONE: &[&str] = &["busybox", "toybox", "coreutils", "uutils"];

/// The maximum depth of interpreters. The interpreter of a script may be a script; the kernel follows a few.
const MOST_DEEP: usize = 4;

impl Programs {
    /// Returns the programs at these paths. Missing ones are ignored.
    pub(crate) fn of(paths: &[PathBuf]) -> Self {
        let mut programs = Self::default();
        for path in paths {
            programs.add(path, MOST_DEEP);
        }
        programs
    }

    /// Returns whether a file may be started.
    pub(crate) fn holds(&self, device: u64, inode: u64) -> bool {
        self.startable.contains(&(device, inode))
    }

    /// Returns whether a file may be started with this argument zero.
    pub(crate) fn may_be_called(
        &self,
        device: u64,
        inode: u64,
        word: impl FnOnce() -> Option<PathBuf>,
    ) -> bool {
        let Some(names) = self.called.get(&(device, inode)) else { return true };
        let word = word();
        let name = word.as_ref().and_then(|word| word.file_name());
        name.is_some_and(|name| names.contains(name))
    }

    /// Returns the real paths of files that need the right to be executed.
    pub(crate) fn executable(&self) -> impl Iterator<Item = &Path> {
        self.executable.iter().map(PathBuf::as_path)
    }

    fn add(&mut self, path: &Path, depth: usize) {
        let (Ok(real), Some(depth)) = (path.canonicalize(), depth.checked_sub(1)) else { return };
        let Ok(meta) = real.metadata() else { return };
        let file = (meta.dev(), meta.ino());
        if is_many_in_one(&real) {
            // Under its own name, it may be started with any argument zero.
            let called = path.file_name().filter(|name| Some(*name) != real.file_name());
            self.called.entry(file).or_default().extend(called.map(OsStr::to_owned));
        }
        if !self.startable.insert(file) {
            return;
        }
        self.load(&real, depth);
        if [path, &real].iter().any(|path| path.file_name().is_some_and(|name| name == "git")) {
            self.add_git_itself(&real, depth);
        }
    }

    /// Adds git's own copy of itself, which it starts for submodules and the like. It has no part that uses the
    /// network.
    fn add_git_itself(&mut self, real: &Path, depth: usize) {
        let prefix = real.parent().and_then(Path::parent);
        for folder in ["libexec/git-core", "lib/git-core"] {
            if let Some(prefix) = prefix {
                self.add(&prefix.join(folder).join("git"), depth);
            }
        }
    }

    /// Adds the files that the kernel opens to execute a file: the file itself, and its loader or interpreter.
    fn load(&mut self, real: &Path, depth: usize) {
        self.executable.insert(real.to_owned());
        match opened_by(real) {
            Some(OpenedBy::Loader(loader)) => {
                self.executable.extend(loader.canonicalize());
            }
            Some(OpenedBy::Interpreter(interpreter, argument)) => {
                let Ok(its) = interpreter.canonicalize() else { return };
                if let Some(depth) = depth.checked_sub(1).filter(|_| !self.executable.contains(&its)) {
                    self.load(&its, depth);
                }
                // `env` starts the interpreter with another call.
                if interpreter.file_name().is_some_and(|name| name == "env")
                    && let Some(program) = argument.and_then(|argument| resolve_program(&argument))
                {
                    self.add(&program, depth);
                }
            }
            None => {}
        }
    }
}

fn is_many_in_one(real: &Path) -> bool {
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    MANY_IN_ONE.iter().any(|many| name.starts_with(many))
}

enum OpenedBy {
    Loader(PathBuf),
    /// With the first argument that is not an option.
    Interpreter(PathBuf, Option<String>),
}

/// Returns how a file is executed.
fn opened_by(path: &Path) -> Option<OpenedBy> {
    const MOST: usize = 4096;
    let mut file = File::open(path).ok()?;
    let mut head = Vec::new();
    file.by_ref().take(MOST as u64).read_to_end(&mut head).ok()?;
    if let Some(line) = head.strip_prefix(b"#!") {
        let line = line.split(|byte| *byte == b'\n').next()?;
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_whitespace();
        let interpreter = words.next()?.into();
        let argument = words.find(|word| !word.starts_with('-') && !word.contains('=')).map(str::to_owned);
        return Some(OpenedBy::Interpreter(interpreter, argument));
    }
    loader(&file, &head).map(OpenedBy::Loader)
}

/// Returns the loader of a program for this architecture, from its `PT_INTERP` segment.
fn loader(file: &File, head: &[u8]) -> Option<PathBuf> {
    const WIDE: &[u8] = b"\x7fELF\x02\x01";
    const ITS_INTERPRETER: u32 = 3;
    const MOST_SEGMENTS: u64 = 64;
    let number = |bytes: &[u8], at: usize, width: usize| -> Option<u64> {
        let mut wide = [0; 8];
        wide[..width].copy_from_slice(bytes.get(at..at + width)?);
        Some(u64::from_le_bytes(wide))
    };
    if !head.starts_with(WIDE) {
        return None;
    }
    let (table, size, count) = (number(head, 32, 8)?, number(head, 54, 2)?, number(head, 56, 2)?);
    let mut segment = [0; 56];
    for at in 0..count.min(MOST_SEGMENTS) {
        file.read_exact_at(&mut segment, table.checked_add(at * size)?).ok()?;
        if number(&segment, 0, 4)? == u64::from(ITS_INTERPRETER) {
            let length = usize::try_from(number(&segment, 32, 8)?).ok().filter(|length| *length < 4096)?;
            let mut name = vec![0; length];
            file.read_exact_at(&mut name, number(&segment, 8, 8)?).ok()?;
            let end = name.iter().position(|byte| *byte == 0)?;
            return Some(PathBuf::from(String::from_utf8_lossy(&name[..end]).into_owned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(programs: &Programs) -> Vec<String> {
        programs.executable().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn a_program_brings_its_loader_and_nothing_else() {
        let programs = Programs::of(&[resolve_program("cat").unwrap()]);
        let names = names(&programs);
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.iter().any(|name| name.contains("/ld-")), "{names:?}");
        let loader = names.iter().find(|name| name.contains("/ld-")).unwrap();
        let meta = Path::new(loader).metadata().unwrap();
        assert!(!programs.holds(meta.dev(), meta.ino()), "the loader may not be named");
    }

    #[test]
    fn a_script_brings_its_interpreter_which_may_not_be_named() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        std::fs::write(&script, "#!/usr/bin/env -S FOO=1 cat -n\n").unwrap();
        let programs = Programs::of(&[script]);
        let meta = |name| resolve_program(name).unwrap().canonicalize().unwrap().metadata().unwrap();
        let [env, cat] = ["env", "cat"].map(meta);
        assert!(!programs.holds(env.dev(), env.ino()));
        assert!(programs.holds(cat.dev(), cat.ino()));
        assert!(names(&programs).iter().any(|name| name.ends_with("/env")));
    }

    /// Regression test: a busybox that was approved as `ls` could also be called as `sh`.
    #[test]
    fn a_file_that_is_many_programs_is_only_those_that_were_judged() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::copy(resolve_program("cat").unwrap(), path("busybox-1.36")).unwrap();
        for name in ["ls", "wc", "sh"] {
            std::os::unix::fs::symlink(path("busybox-1.36"), path(name)).unwrap();
        }
        let programs = Programs::of(&[path("ls"), path("wc")]);
        let meta = path("sh").metadata().unwrap();
        assert!(programs.holds(meta.dev(), meta.ino()), "it is one file");
        let may =
            |word: Option<&str>| programs.may_be_called(meta.dev(), meta.ino(), || word.map(PathBuf::from));
        assert!(may(Some("ls")) && may(Some("/bin/wc")));
        for other in [Some("sh"), Some("/bin/sh"), Some("busybox-1.36"), Some("-sh"), Some(""), None] {
            assert!(!may(other), "{other:?}");
        }
        let cat = Programs::of(&[resolve_program("cat").unwrap()]);
        assert!(cat.may_be_called(meta.dev(), meta.ino(), || None), "others may be called anything");
    }

    #[test]
    fn what_is_not_there_starts_nothing() {
        assert_eq!(Programs::of(&["/no/such/program".into()]).executable().count(), 0);
    }
}
