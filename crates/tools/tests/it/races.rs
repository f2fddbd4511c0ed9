//! A link is swapped in at any moment. Its target is never read, and nothing is written through it.

use crate::support::Desk;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const SECRET: &str = "the-secret-content";

/// Swaps `place` between a plain file or folder and a link to `secret`, until it is stopped.
fn swap(place: &Path, plain: &Path, secret: &Path, stop: &AtomicBool, swaps: &AtomicU64) {
    let link = place.with_extension("link");
    symlink(secret, &link).unwrap();
    fs::rename(plain, place).unwrap();
    while !stop.load(Ordering::Relaxed) {
        let flags = rustix::fs::RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(rustix::fs::CWD, &link, rustix::fs::CWD, place, flags).unwrap();
        swaps.fetch_add(1, Ordering::Relaxed);
        // Limits the swaps to about fifteen per millisecond, which is many per call. Without a pause, this thread holds
        // the folder's lock most of the time and calls take ten times as long. No test waits for this.
        std::thread::sleep(std::time::Duration::from_micros(10));
    }
}

struct Race {
    desk: Desk,
    stop: Arc<AtomicBool>,
    swaps: Arc<AtomicU64>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Race {
    /// `target` in the workspace is a folder with a file `f`, and occasionally a link to a folder with a secret `f`.
    fn new() -> Self {
        let desk = Desk::new();
        let secrets = desk.place.home.join("secrets");
        fs::create_dir(&secrets).unwrap();
        fs::write(secrets.join("f"), SECRET).unwrap();
        fs::write(secrets.join("only-there"), SECRET).unwrap();
        let plain = desk.put("plain/f", "harmless").parent().unwrap().to_owned();
        let (stop, swaps) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (place, own_stop, own_swaps) = (desk.path("target"), stop.clone(), swaps.clone());
        let thread = std::thread::spawn(move || swap(&place, &plain, &secrets, &own_stop, &own_swaps));
        while swaps.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        Self { desk, stop, swaps, thread: Some(thread) }
    }

    async fn repeat(&self, tool: &str, call: Value, times: usize) -> (usize, usize) {
        let (mut plain, mut refused) = (0, 0);
        for _ in 0..times {
            let result = self.desk.run(tool, call.clone()).await;
            assert!(!result.content.contains(SECRET), "{call}: {}", result.content);
            assert!(!result.content.contains("only-there"), "{call}: {}", result.content);
            match result.content.contains("harmless") {
                true => plain += 1,
                false => refused += 1,
            }
        }
        (plain, refused)
    }
}

impl Drop for Race {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

/// How often a call of the kind is made.
fn times(full: usize) -> usize {
    if deputy_testkit::is_full() { full } else { full / 10 }
}

#[tokio::test]
async fn reading_never_shows_the_secret() {
    let race = Race::new();
    let (plain, refused) =
        race.repeat("code", json!({"action": "read", "path": "target/f"}), times(10_000)).await;
    assert!(plain > 0 && refused > 0, "there was no race: {plain} plain, {refused} refused");
    assert!(race.swaps.load(Ordering::Relaxed) > 100);
}

#[tokio::test]
async fn walking_never_shows_the_secret() {
    let race = Race::new();
    for call in [
        json!({"action": "grep", "pattern": "harmless|secret"}),
        json!({"action": "find"}),
        json!({"action": "ls", "path": "target"}),
        json!({"action": "head", "path": "target/f"}),
    ] {
        race.repeat("search", call, times(2_500)).await;
    }
}

#[tokio::test]
async fn writing_never_goes_through_the_link() {
    let race = Race::new();
    let secrets = race.desk.place.home.join("secrets");
    for n in 0..300 {
        let call = json!({"action": "write", "path": "target/new", "content": format!("{n}")});
        race.desk.run("code", call).await;
        let mut names: Vec<_> =
            fs::read_dir(&secrets).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["f", "only-there"]);
    }
}
