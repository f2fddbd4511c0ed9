//! The answers of models to the calls of a task: a file of lines, each appended when its answer arrives, so that a
//! crash or a limit loses none. An answered prompt is not sent again in the same task.

use deputy_protocol::{CallId, Inferred, TaskId, Usage};
use deputy_tools::Whom;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Records that have not changed for this long are removed.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// One answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// The hash of the prompt and the model.
    pub(super) key: String,
    /// The call that asked.
    pub(super) call: CallId,
    pub(super) backend: String,
    pub(super) model: Option<String>,
    /// The answer, if it could be used.
    pub(super) text: Option<String>,
    /// The usage as reported by the provider.
    pub(super) usage: Usage,
    /// The number of tokens that count toward the call's limit.
    pub(super) tokens: u64,
    pub(super) cost_micros: Option<u64>,
}

/// The answers of a task, for one of its calls.
pub(super) struct Record {
    call: CallId,
    kept: Mutex<Kept>,
}

struct Kept {
    file: File,
    answers: HashMap<String, String>,
    tokens: u64,
    cost_micros: u64,
}

impl Record {
    pub(super) fn open(home: &Path, task: &TaskId, call: &CallId) -> io::Result<Self> {
        let folder = folder(home);
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        remove_old(&folder);
        let path = path(home, task);
        let mut kept = Kept {
            file: OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(&path)?,
            answers: HashMap::new(),
            tokens: 0,
            cost_micros: 0,
        };
        let mut is_torn = false;
        lines(&path, |line, is_whole| {
            is_torn = !is_whole;
            if let Some(line) = line {
                kept.take(line, call);
            }
        })?;
        if is_torn {
            kept.file.write_all(b"\n")?;
        }
        Ok(Self { call: call.clone(), kept: Mutex::new(kept) })
    }

    /// Returns an earlier answer that was accepted.
    pub(super) fn answer(&self, key: &str) -> Option<String> {
        self.lock().answers.get(key).cloned()
    }

    /// Returns the tokens and the cost of the call so far, including before a crash.
    pub(super) fn spent(&self) -> (u64, u64) {
        let kept = self.lock();
        (kept.tokens, kept.cost_micros)
    }

    pub(super) fn add(&self, line: Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        let mut kept = self.lock();
        kept.file.write_all(&text)?;
        kept.take(line, &self.call);
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn take(&mut self, line: Line, call: &CallId) {
        if line.call == *call {
            self.tokens = self.tokens.saturating_add(line.tokens);
            self.cost_micros = self.cost_micros.saturating_add(line.cost_micros.unwrap_or(0));
        }
        if let Some(text) = line.text {
            self.answers.insert(line.key, text);
        }
    }
}

/// Returns the hash of a prompt and its model.
pub(super) fn key(whom: &Whom, system: &str, prompt: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [&whom.to_string(), system, prompt] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().as_str()[..32].to_owned()
}

/// Returns the usage of a call's answers. `None` if it asked nothing.
pub(crate) fn took(home: &Path, task: &TaskId, call: &CallId) -> io::Result<Option<Inferred>> {
    let mut took: Option<Inferred> = None;
    let mut is_unpriced = false;
    let add = |line: Option<Line>, _| {
        let Some(line) = line.filter(|line| line.call == *call) else { return };
        let took = took.get_or_insert_with(|| Inferred {
            call: call.clone(),
            backend: line.backend.clone(),
            model: line.model.clone(),
            answers: 0,
            usage: Usage::default(),
            cost_micros: Some(0),
        });
        took.answers += u64::from(line.text.is_some());
        let (sum, one) = (&mut took.usage, &line.usage);
        sum.input_tokens = sum.input_tokens.saturating_add(one.input_tokens);
        sum.output_tokens = sum.output_tokens.saturating_add(one.output_tokens);
        sum.cached_tokens = sum.cached_tokens.saturating_add(one.cached_tokens);
        sum.reasoning_tokens = sum.reasoning_tokens.saturating_add(one.reasoning_tokens);
        is_unpriced |= line.cost_micros.is_none();
        took.cost_micros = took.cost_micros.map(|sum| sum.saturating_add(line.cost_micros.unwrap_or(0)));
    };
    lines(&path(home, task), add)?;
    Ok(took.map(|took| Inferred { cost_micros: took.cost_micros.filter(|_| !is_unpriced), ..took }))
}

fn folder(home: &Path) -> PathBuf {
    home.join("inference")
}

fn path(home: &Path, task: &TaskId) -> PathBuf {
    folder(home).join(format!("{task}.jsonl"))
}

/// Passes each line to `take`, with whether it ends in a line feed. The line is `None` if a crash cut it short.
fn lines(path: &Path, mut take: impl FnMut(Option<Line>, bool)) -> io::Result<()> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        take(serde_json::from_slice(&line).ok(), line.ends_with(b"\n"));
        line.clear();
    }
    Ok(())
}

fn remove_old(folder: &Path) {
    let now = SystemTime::now();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|about| about.modified()).ok();
        let age = modified.and_then(|modified| now.duration_since(modified).ok());
        if age.is_some_and(|age| age > KEPT) {
            // The next call tries again.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(call: &str, key: &str, text: Option<&str>, cost: Option<u64>) -> Line {
        Line {
            key: key.into(),
            call: CallId::new(call),
            backend: "ollama".into(),
            model: None,
            text: text.map(str::to_owned),
            usage: Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() },
            tokens: 11,
            cost_micros: cost,
        }
    }

    #[test]
    fn answers_and_what_they_took_outlive_a_crash_and_a_torn_line() {
        let home = tempfile::tempdir().unwrap();
        let (task, call) = (TaskId::new("t1"), CallId::new("t1-1-1"));
        let record = Record::open(home.path(), &task, &call).unwrap();
        record.add(line("t1-1-1", "a", Some("yes"), Some(5))).unwrap();
        record.add(line("t1-1-1", "b", None, Some(5))).unwrap();
        drop(record);
        let path = path(home.path(), &task);
        let mut torn = std::fs::read(&path).unwrap();
        torn.extend(b"{\"key\": \"c");
        std::fs::write(&path, torn).unwrap();

        let record = Record::open(home.path(), &task, &call).unwrap();
        assert_eq!(
            (record.answer("a").as_deref(), record.answer("b"), record.answer("c")),
            (Some("yes"), None, None)
        );
        assert_eq!(record.spent(), (22, 10));
        record.add(line("t1-1-1", "c", Some("no"), Some(5))).unwrap();
        let later = Record::open(home.path(), &task, &CallId::new("t1-2-1")).unwrap();
        assert_eq!((later.answer("c").as_deref(), later.spent()), (Some("no"), (0, 0)));

        let all = took(home.path(), &task, &call).unwrap().unwrap();
        assert_eq!((all.answers, all.usage.input_tokens, all.cost_micros), (2, 30, Some(15)));
        later.add(line("t1-2-1", "d", Some("x"), None)).unwrap();
        let unpriced = took(home.path(), &task, &CallId::new("t1-2-1")).unwrap().unwrap();
        assert_eq!((unpriced.answers, unpriced.cost_micros), (1, None));
        assert_eq!(took(home.path(), &task, &CallId::new("t1-3-1")).unwrap(), None);
    }
}
