//! Runs a test as a user that owns nothing on this machine, where the tests run as root.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Tells the second process that it is the one.
const MARK: &str = "DEPUTY_TEST_AS_ORDINARY_USER";

/// Whether the calling test is to continue here. As root it runs again in a process of an ordinary user instead, what it
/// prints is passed on, and a failure there is a failure here.
pub(crate) fn is_here(test: &str) -> bool {
    if !rustix::process::geteuid().is_root() {
        return true;
    }
    assert!(std::env::var_os(MARK).is_none(), "the process that was to drop its privileges has not");
    // The test program may lie where others cannot reach; a temporary folder of mode 755 is open to all.
    let copy = tempfile::tempdir().unwrap();
    fs::set_permissions(copy.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = copy.path().join("security");
    // By another process: a file that this one has open for writing, in a fork of another test's, cannot be executed.
    let copied =
        Command::new("/bin/cp").arg(std::env::current_exe().unwrap()).arg(&program).status().unwrap();
    assert!(copied.success());
    // A user of its own, so that the bound on processes counts those of this test alone.
    let user = 61_000 + std::process::id() % 4_000;
    let output = Command::new(&program)
        .args(["--exact", test, "--nocapture"])
        .env(MARK, "1")
        .env("HOME", "/nonexistent")
        .env_remove("USER")
        .current_dir("/")
        .uid(user)
        .gid(user)
        .output()
        .unwrap();
    let text =
        format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "as an ordinary user:\n{text}");
    for line in text.lines().filter(|line| line.starts_with("figure:")) {
        println!("{line}");
    }
    false
}
