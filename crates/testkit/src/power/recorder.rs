//! Converts a log of system calls to changes of a disk, by applying each call to a disk in memory.

use super::disk::{Change, Content, Disk, Node, ROOT};
use super::strace::{self, Call, Line};
use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// An event of a recording.
#[derive(Debug)]
pub(super) enum Event {
    /// A change, which is not yet durable.
    Change(Change, (i64, i64)),
    /// All changes of this entry before event number `upto` became durable.
    Synced { node: Node, upto: usize },
    /// All changes before event number `upto` became durable.
    SyncedAll { upto: usize },
    /// The program wrote to its standard output.
    Said(Vec<u8>),
}

/// Applies the calls of a log.
pub(super) struct Recorder<'a> {
    root: &'a Path,
    /// The base of relative paths without a folder: initially, and for each thread that changed its working directory.
    cwd: &'a Path,
    went: HashMap<String, PathBuf>,
    thread: String,
    pub(super) disk: Disk,
    pub(super) events: Vec<Event>,
    /// The offset of the next write of an open file, by descriptor and path.
    places: HashMap<(String, String), usize>,
    /// The number of events when a thread's current call began.
    begun: HashMap<String, usize>,
}

/// The usual umask.
const UMASK: u32 = 0o022;

impl<'a> Recorder<'a> {
    pub(super) fn new(root: &'a Path, cwd: &'a Path, disk: Disk) -> Self {
        Self {
            root,
            cwd,
            went: HashMap::new(),
            thread: String::new(),
            disk,
            events: Vec::new(),
            places: HashMap::new(),
            begun: HashMap::new(),
        }
    }

    /// Applies a whole log.
    pub(super) fn follow(&mut self, log: &str) -> io::Result<()> {
        for line in &strace::lines(log)? {
            match strace::read(line) {
                Some(Line::Began(thread)) => {
                    self.begun.insert(thread.to_owned(), self.events.len());
                }
                Some(Line::Ended(thread, call)) => {
                    thread.clone_into(&mut self.thread);
                    let upto = self.begun.remove(thread).unwrap_or(self.events.len());
                    self.call(&call, upto)
                        .ok_or_else(|| io::Error::other(format!("cannot follow {call:?}")))??;
                }
                None => {
                    // A failed call made nothing durable.
                    self.begun.remove(&line.0);
                }
            }
        }
        Ok(())
    }

    /// Applies a call. `None` if it cannot be parsed.
    fn call(&mut self, call: &Call<'_>, upto: usize) -> Option<io::Result<()>> {
        let at = |index: usize| call.arguments.get(index).copied();
        let number = |index: usize| strace::number(at(index)?);
        match call.name {
            "openat" => self.open(call, at(0)?, at(1)?, at(2)?, at(3))?,
            "openat2" => {
                let mode = at(2)?.split("mode=").nth(1).and_then(|rest| rest.split([',', '}']).next());
                self.open(call, at(0)?, at(1)?, at(2)?, mode)?;
            }
            "open" => self.open(call, "", at(0)?, at(1)?, at(2))?,
            "creat" => self.open(call, "", at(0)?, "O_CREAT|O_TRUNC", at(1))?,
            "write" | "pwrite64" => {
                let data = strace::quoted(at(1)?).unwrap_or_default();
                let offset = if call.name == "pwrite64" { number(3) } else { None };
                self.write(at(0)?, data, offset, call)?;
            }
            "writev" | "pwritev" | "pwritev2" => {
                let data = at(1)?
                    .split("iov_base=")
                    .skip(1)
                    .filter_map(|part| strace::quoted(part.split(", iov_len").next()?));
                let offset = if call.name == "writev" { None } else { number(3) };
                self.write(at(0)?, data.flatten().collect(), offset, call)?;
            }
            "lseek" => {
                if let Some(key) = self.key(at(0)?) {
                    self.places.insert(key, usize::try_from(strace::number(call.result)?).ok()?);
                }
            }
            "ftruncate" => self.length(self.open_node(at(0)?), number(1)?, call),
            "truncate" => self.length(self.node("", at(0)?), number(1)?, call),
            "fallocate" => return Some(self.refuse(at(0)?, "fallocate")),
            "mkdir" => self.make("", at(0)?, Content::Folder(Default::default()), number(1)?, call)?,
            "mkdirat" => self.make(at(0)?, at(1)?, Content::Folder(Default::default()), number(2)?, call)?,
            "symlink" | "symlinkat" => {
                let target = PathBuf::from(String::from_utf8(strace::quoted(at(0)?)?).ok()?);
                let (folder, name) = if call.name == "symlink" { ("", at(1)?) } else { (at(1)?, at(2)?) };
                self.make(folder, name, Content::Link(target), 0o777, call)?;
            }
            "unlink" | "rmdir" => self.unlink("", at(0)?, call)?,
            "unlinkat" => self.unlink(at(0)?, at(1)?, call)?,
            "rename" => self.rename(("", at(0)?), ("", at(1)?), call)?,
            "renameat" => self.rename((at(0)?, at(1)?), (at(2)?, at(3)?), call)?,
            "renameat2" if at(4)?.contains("EXCHANGE") => {
                return Some(self.refuse(at(0)?, "an exchange of names"));
            }
            "renameat2" => self.rename((at(0)?, at(1)?), (at(2)?, at(3)?), call)?,
            "link" => self.link(("", at(0)?), ("", at(1)?), call)?,
            "linkat" => self.link((at(0)?, at(1)?), (at(2)?, at(3)?), call)?,
            "chdir" => {
                let to = self.here().join(String::from_utf8(strace::quoted(at(0)?)?).ok()?);
                self.went.insert(self.thread.clone(), to);
            }
            "fchdir" => {
                self.went.insert(self.thread.clone(), strace::path_of(at(0)?)?.into());
            }
            "fsync" | "fdatasync" => {
                if let Some(node) = self.open_node(at(0)?) {
                    self.events.push(Event::Synced { node, upto });
                }
            }
            "syncfs"
                if strace::path_of(at(0)?).is_some_and(|path| Path::new(&path).starts_with(self.root)) =>
            {
                self.events.push(Event::SyncedAll { upto });
            }
            "sync" => self.events.push(Event::SyncedAll { upto }),
            "fchmod" => self.mode(self.open_node(at(0)?), number(1)?, call),
            "chmod" => self.mode(self.node("", at(0)?), number(1)?, call),
            "fchmodat" | "fchmodat2" => self.mode(self.node(at(0)?, at(1)?), number(2)?, call),
            "utimensat" => self.time(at(0)?, at(1)?, at(2)?, call)?,
            "copy_file_range" => return Some(self.refuse(at(2)?, "copy_file_range")),
            "sendfile" => return Some(self.refuse(at(0)?, "sendfile")),
            "ioctl" if at(1)?.contains("FICLONE") => return Some(self.refuse(at(0)?, "FICLONE")),
            _ => {}
        }
        Some(Ok(()))
    }

    /// Fails for a call that is not supported, because the model of the disk would be wrong.
    fn refuse(&self, descriptor: &str, what: &str) -> io::Result<()> {
        let path = strace::path_of(descriptor).filter(|path| Path::new(path).starts_with(self.root));
        path.map_or(Ok(()), |path| Err(io::Error::other(format!("{what} of {path} is not followed"))))
    }

    /// Returns a path below the root without `.` and `..`.
    fn below(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let name = String::from_utf8(strace::quoted(name)?).ok()?;
        let base = strace::path_of(folder).map_or_else(|| self.here(), PathBuf::from);
        let mut clean = PathBuf::new();
        for part in base.join(name).components() {
            match part {
                Component::ParentDir => {
                    clean.pop();
                }
                Component::CurDir => {}
                part => clean.push(part),
            }
        }
        clean.strip_prefix(self.root).ok().map(Path::to_owned)
    }

    fn here(&self) -> PathBuf {
        self.went.get(&self.thread).map_or(self.cwd, PathBuf::as_path).to_owned()
    }

    fn node(&self, folder: &str, name: &str) -> Option<Node> {
        self.disk.find(&self.below(folder, name)?)
    }

    fn open_node(&self, descriptor: &str) -> Option<Node> {
        let path = strace::path_of(descriptor)?;
        self.disk.find(Path::new(&path).strip_prefix(self.root).ok()?)
    }

    /// Returns the parent folder and the name. `None` for a path outside of the root.
    fn place(&self, folder: &str, name: &str) -> Option<(Node, String)> {
        let path = self.below(folder, name)?;
        let parent = self.disk.find(path.parent()?)?;
        Some((parent, path.file_name()?.to_str()?.to_owned()))
    }

    fn key(&self, descriptor: &str) -> Option<(String, String)> {
        let (number, _) = descriptor.split_once('<')?;
        let path = strace::path_of(descriptor)?;
        Path::new(&path).starts_with(self.root).then(|| (number.to_owned(), path))
    }

    fn happen(&mut self, change: Change, call: &Call<'_>) {
        self.disk.apply(&change, call.time);
        self.events.push(Event::Change(change, call.time));
    }

    fn open(
        &mut self,
        call: &Call<'_>,
        folder: &str,
        name: &str,
        flags: &str,
        mode: Option<&str>,
    ) -> Option<()> {
        let Some(key) = self.key(call.result) else { return Some(()) };
        let is_appending = flags.contains("O_APPEND");
        if flags.contains("O_CREAT") {
            let mode = mode.and_then(strace::number).unwrap_or(0o600);
            match self.node(folder, name) {
                Some(node) if flags.contains("O_TRUNC") => self.length(Some(node), 0, call),
                Some(_) => {}
                None => self.make(folder, name, Content::File(Vec::new()), mode, call)?,
            }
        } else if flags.contains("O_TRUNC") {
            self.length(self.node(folder, name), 0, call);
        }
        if is_appending {
            self.places.remove(&key);
        } else {
            self.places.insert(key, 0);
        }
        Some(())
    }

    fn write(
        &mut self,
        descriptor: &str,
        mut data: Vec<u8>,
        offset: Option<i64>,
        call: &Call<'_>,
    ) -> Option<()> {
        let length = usize::try_from(strace::number(call.result)?).ok()?;
        let Some(key) = self.key(descriptor) else {
            if descriptor.starts_with("1<") && !descriptor.contains("(deleted)") {
                self.events.push(Event::Said(data));
            }
            return Some(());
        };
        let Some(node) = self.open_node(descriptor) else { return Some(()) };
        let end = self.disk.bytes(node)?.len();
        if data.len() < length {
            return None;
        }
        data.truncate(length);
        let offset = match offset {
            Some(offset) => usize::try_from(offset).ok()?,
            // Append mode or a duplicated descriptor: write at the end.
            None => self.places.get(&key).copied().unwrap_or(end),
        };
        if let Some(place) = self.places.get_mut(&key) {
            *place = offset + length;
        }
        self.happen(Change::Write { node, offset, data }, call);
        Some(())
    }

    fn length(&mut self, node: Option<Node>, length: i64, call: &Call<'_>) {
        if let (Some(node), Ok(length)) = (node, usize::try_from(length))
            && self.disk.bytes(node).is_some_and(|bytes| bytes.len() != length)
        {
            self.happen(Change::Length { node, length }, call);
        }
    }

    fn mode(&mut self, node: Option<Node>, mode: i64, call: &Call<'_>) {
        if let (Some(node), Ok(mode)) = (node, u32::try_from(mode)) {
            self.happen(Change::Mode { node, mode: mode & 0o7777 }, call);
        }
    }

    fn time(&mut self, folder: &str, name: &str, times: &str, call: &Call<'_>) -> Option<()> {
        let node = if name == "NULL" { self.open_node(folder) } else { self.node(folder, name) };
        let Some(node) = node else { return Some(()) };
        // The second of the two times is the modification time.
        let modified = strace::split(times.trim_start_matches('[').trim_end_matches(']')).last().copied()?;
        if modified.contains("UTIME_OMIT") {
            return Some(());
        }
        let modified = if modified.contains("tv_sec") && !modified.contains("UTIME_NOW") {
            let plain = modified.split(" /*").next()?.trim_matches(['{', '}']);
            let (secs, nanos) = plain.split_once(',')?;
            (strace::number(secs)?, strace::number(nanos.trim_end_matches('}'))?)
        } else {
            call.time
        };
        self.happen(Change::Time { node, modified }, call);
        Some(())
    }

    fn make(&mut self, folder: &str, name: &str, content: Content, mode: i64, call: &Call<'_>) -> Option<()> {
        if self.below(folder, name).is_none() {
            return Some(());
        }
        let (folder, name) = self.place(folder, name)?;
        let mode = u32::try_from(mode).ok()? & 0o7777 & !UMASK;
        let node = self.disk.create(content, mode, call.time);
        self.happen(Change::Link { folder, name, node }, call);
        Some(())
    }

    fn unlink(&mut self, folder: &str, name: &str, call: &Call<'_>) -> Option<()> {
        // Other kinds of entries, such as sockets, are not tracked.
        let Some(node) = self.node(folder, name).filter(|node| *node != ROOT) else { return Some(()) };
        let (folder, name) = self.place(folder, name)?;
        self.happen(Change::Unlink { folder, name, node }, call);
        Some(())
    }

    fn rename(&mut self, from: (&str, &str), to: (&str, &str), call: &Call<'_>) -> Option<()> {
        let Some(node) = self.node(from.0, from.1) else { return Some(()) };
        let change = Change::Rename { from: self.place(from.0, from.1)?, to: self.place(to.0, to.1)?, node };
        let moved = |path: &str| Some(PathBuf::from(path));
        if let (Some(old), Some(new)) = (self.below(from.0, from.1), self.below(to.0, to.1)) {
            // Open files keep their offsets under the new name.
            let (old, new) = (self.root.join(old), self.root.join(new));
            let keys: Vec<_> =
                self.places.keys().filter(|key| moved(&key.1).as_ref() == Some(&old)).cloned().collect();
            for key in keys {
                if let Some(place) = self.places.remove(&key) {
                    self.places.insert((key.0, new.to_string_lossy().into_owned()), place);
                }
            }
        }
        self.happen(change, call);
        Some(())
    }

    fn link(&mut self, from: (&str, &str), to: (&str, &str), call: &Call<'_>) -> Option<()> {
        let Some(node) = self.node(from.0, from.1) else { return Some(()) };
        let (folder, name) = self.place(to.0, to.1)?;
        self.happen(Change::Link { folder, name, node }, call);
        Some(())
    }
}
