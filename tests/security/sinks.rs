//! L: secrets of forty shapes, met by a tool in a place where nobody expects them, reach nothing that is written.

use crate::confined::block_on;
use crate::ground::Ground;
use crate::ordinary_user;
use crate::world::{Person, play};
use deputy_testkit::secrets::shapes;
use deputy_testkit::{calls, done};
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

/// What the program logs.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Every byte below a folder, but for the files that undo keeps: whole, or they could not be brought back.
fn everything_below(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name == "blobs") {
            continue;
        }
        if path.is_dir() {
            bytes.extend(everything_below(&path));
        } else {
            bytes.extend(fs::read(&path).unwrap_or_default());
        }
    }
    bytes
}

/// Every secret that a sink holds raw.
pub(crate) fn hits(shapes: &[(String, String)], sinks: &[(&str, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (sink, text) in sinks {
        for (shown, secret) in shapes {
            // As it is, and as JSON writes it; of a secret of several lines, its first long line.
            let line = secret.lines().max_by_key(|line| line.len()).unwrap();
            let escaped = serde_json::to_string(line).unwrap();
            if text.contains(line) || text.contains(escaped.trim_matches('"')) {
                found.push(format!("{sink}: {shown:?}"));
            }
        }
    }
    found
}

#[test]
fn secrets_in_what_tools_return_are_in_no_journal_no_database_no_log_and_not_told_to_the_model() {
    const NAME: &str =
        "sinks::secrets_in_what_tools_return_are_in_no_journal_no_database_no_log_and_not_told_to_the_model";
    if !ordinary_user::is_here(NAME) {
        return;
    }
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(log.clone())
        .finish();
    tracing_subscriber::util::SubscriberInitExt::try_init(subscriber).unwrap();
    let shapes = shapes();
    let ground = Ground::ordinary();
    let lines: Vec<&str> = shapes.iter().map(|(shown, _)| shown.as_str()).collect();
    // Behind what is looked at before a file is read unasked: a log that begins with a key is asked about.
    let ordinary = "an ordinary line\n".repeat(280);
    let text = format!("harmless beginning\n{ordinary}{}\nharmless end\n", lines.join("\n\n"));
    fs::write(ground.workspace().join("logs/app.log"), &text).unwrap();
    let plans = vec![
        calls([("shell", json!({"command": "cat logs/app.log"}))]),
        calls([("code", json!({"action": "read", "path": "logs/app.log"}))]),
        calls([("search", json!({"action": "grep", "pattern": ".", "path": "logs"}))]),
        calls([("search", json!({"action": "tail", "path": "logs/app.log"}))]),
        // A change alongside them; its request shows the difference that would be made.
        calls([(
            "code",
            json!({"action": "patch", "path": "logs/app.log", "old": "harmless end", "new": "another end"}),
        )]),
        done("done"),
    ];
    let told = block_on(play(&ground, plans, Person::Away));
    assert_eq!(told.ran().len(), 5);
    assert!(told.exported().contains("+another end"), "the request shows what would be written");
    assert!(told.results().contains("harmless beginning") && told.to_model.contains("harmless end"));
    let log = log.0.lock().unwrap().clone();
    assert!(!log.is_empty(), "nothing was logged, so nothing was looked at");
    let sinks = [
        ("journal", told.exported()),
        ("model", told.to_model.clone()),
        ("results", told.results()),
        ("progress", told.progress.clone()),
        ("log", String::from_utf8_lossy(&log).into_owned()),
        ("database", String::from_utf8_lossy(&everything_below(&ground.deputy_home())).into_owned()),
    ];
    let found = hits(&shapes, &sinks);
    println!("figure: L: {} secrets in {} sinks, {} raw hits", shapes.len(), sinks.len(), found.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_file_that_was_read_without_its_secrets_is_not_written_back_so() {
    if !ordinary_user::is_here("sinks::a_file_that_was_read_without_its_secrets_is_not_written_back_so") {
        return;
    }
    let ground = Ground::ordinary();
    let path = ground.workspace().join("settings.toml");
    let text = "colour = \"red\"\napi_key = \"Zq8rT2vXw9LmN4pK\"\nsize = 1\n";
    fs::write(&path, text).unwrap();
    let read = json!({"action": "read", "path": "settings.toml"});
    let shown = "colour = \"blue\"\napi_key = \"[redacted by Deputy]\"\nsize = 1\n";
    let write = json!({"action": "write", "path": "settings.toml", "content": shown});
    let command = format!("cat > settings.toml <<'END'\n{shown}END");
    let around = json!({"action": "patch", "path": "settings.toml", "old": "\"red\"", "new": "\"blue\""});
    let plans = vec![
        calls([("code", read)]),
        calls([("code", write)]),
        calls([("shell", json!({"command": command}))]),
        calls([("code", around)]),
        done("done"),
    ];
    let told = block_on(play(&ground, plans, Person::Allows));
    assert!(told.results().contains("api_key = \"[redacted by Deputy]\""), "{}", told.results());
    assert_eq!(told.results().matches("would destroy the secret").count(), 2, "{}", told.results());
    assert_eq!(fs::read_to_string(&path).unwrap(), text.replace("red", "blue"));
}
