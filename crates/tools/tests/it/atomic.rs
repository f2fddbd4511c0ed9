//! A process that is killed while it writes leaves the old file or the new one.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const SIZE: usize = 300_000;
const FOLDER: &str = "DEPUTY_TEST_WRITE_IN";

fn content(n: usize) -> String {
    char::from(b'a' + (n % 26) as u8).to_string().repeat(SIZE)
}

/// Plays both roles: with a folder in its environment, it is the child, which writes until it is killed.
#[test]
fn a_killed_write_is_old_or_new() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        write_for_ever(folder.into());
    }
    let seed = deputy_testkit::seed();
    let mut random = seed;
    for round in 0..25 {
        let desk = Desk::new();
        desk.put("file", content(0));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "atomic::a_killed_write_is_old_or_new", "--nocapture"])
            .env(FOLDER, &desk.place.workspace)
            // Files that the killed child leaves in its temporary folder are removed with this round.
            .env("TMPDIR", &desk.place.home)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let writes = 1 + (random >> 33) % 5;
        let mut seen = 0;
        while seen < writes {
            seen += u64::from(lines.next().unwrap().unwrap().starts_with("wrote"));
        }
        // Spin for a random time, so that the kill happens at any point of a write.
        for _ in 0..(random >> 40) % 300_000 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let left = desk.text("file");
        let first = left.chars().next().unwrap_or('?');
        let is_whole = left.len() == SIZE && left.chars().all(|c| c == first);
        assert!(is_whole, "SEED={seed}, round {round}: {} bytes beginning with {first}", left.len());
        let strays: Vec<String> = desk.names("").into_iter().filter(|name| name != "file").collect();
        assert!(strays.len() <= 1 && strays.iter().all(|name| name.starts_with(".deputy-")), "{strays:?}");
    }
}

fn write_for_ever(folder: std::path::PathBuf) -> ! {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut desk = Desk::new();
    desk.cx.place.workspace = folder;
    for n in 1.. {
        let call = json!({"action": "write", "path": "file", "content": content(n)});
        let result = runtime.block_on(desk.run("code", call));
        assert_eq!(result.status, CallStatus::Ok, "{}", result.content);
        println!("wrote {n}");
    }
    unreachable!("the parent ends this process")
}
