//! Kernels and containers that forbid what walls are made of: each refusal really happens, by a filter around the whole test.
//! A command then runs behind what is left, or not at all, and what is missing is said; secrets and what starts programs
//! are kept in each.
#![allow(clippy::unwrap_used)]

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, Guard, SandboxError, walls};
use deputy_testkit::refused::{FEATURES, refuse};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use support::{Place, also_as_ordinary_user, block_on, run_in};

const REFUSED: &str = "DEPUTY_TEST_REFUSED";

/// Guards by names, wherever they stand.
#[derive(Debug)]
struct Names;

impl Guard for Names {
    fn secret(&self, real: &Path) -> Option<String> {
        real.ends_with(".env").then(|| "a secret".into())
    }

    fn starts_programs(&self, real: &Path, _is_folder: bool) -> Option<String> {
        real.ends_with(".git/config").then(|| "starts programs".into())
    }
}

fn guarded(place: &Place, level: Confinement, script: &str) -> ChildSpec {
    let work = &place.workspace;
    ChildSpec {
        guard: Some(Arc::new(Names)),
        hidden: vec![work.join(".env")],
        frozen: vec![work.join(".git/config")],
        ..place.bash(level, script)
    }
}

/// In a process of its own, which takes the refusals with it.
fn behind_what_is_left(refused: &str) {
    let (features, errno) = refused.split_once(' ').unwrap();
    let errno = errno.parse().unwrap();
    features.split('+').for_each(|feature| refuse(feature, errno).unwrap());
    let here = walls();
    let has = |feature: &str| features.split('+').any(|refused| refused == feature);
    if has("landlock") {
        assert_eq!(here.landlock_abi, None, "{refused}");
    }
    assert_eq!(here.notification, !has("notification"), "{refused}");
    if has("namespaces") || has("mounts") {
        assert_eq!(here.bubblewrap, None, "{refused}");
    }
    let said = here.describe().join("\n");
    for (feature, word) in
        [("landlock", "Landlock version"), ("notification", "notification"), ("namespaces", "bubblewrap")]
    {
        assert!(!has(feature) || said.contains(word), "{refused}: {said}");
    }
    let mut ran = Vec::new();
    for level in [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet] {
        let place = Place::new();
        let work = &place.workspace;
        fs::create_dir(work.join(".git")).unwrap();
        fs::write(work.join(".git/config"), "[core]\n").unwrap();
        fs::write(work.join(".env"), "KEY=the-secret-word\n").unwrap();
        let script = "cat notes.txt; cat .env ../secret; mv .env x; cat x; cp -l .env y; cat y; \
                      echo '[evil]' >> .git/config; mv .git/config z; touch made; true";
        match block_on(run_in(here, guarded(&place, level, script))) {
            Ok(outcome) => {
                let text = outcome.stdout.text() + &outcome.stderr.text();
                assert!(text.contains("hello"), "{refused} at {level:?}: it does not work: {text}");
                assert!(!text.contains("the-secret-word"), "{refused} at {level:?}: {text}");
                assert_eq!(
                    work.join("made").exists(),
                    level != Confinement::ReadOnly,
                    "{refused} at {level:?}: {text}"
                );
                ran.push(level);
            }
            Err(SandboxError::NoWalls { why, .. }) => {
                assert!(!why.is_empty() && !work.join("made").exists(), "{refused} at {level:?}");
            }
            Err(other) => panic!("{refused} at {level:?}: {other}"),
        }
        assert_eq!(
            fs::read_to_string(work.join(".git/config")).unwrap(),
            "[core]\n",
            "{refused} at {level:?}"
        );
        assert_eq!(
            fs::read_to_string(work.join(".env")).unwrap(),
            "KEY=the-secret-word\n",
            "{refused} at {level:?}"
        );
    }
    // One mechanism is enough for reading, and the supervisor or mounts for changing.
    let may_read = here.landlock_abi.is_some() || here.bubblewrap.is_some();
    let may_write = here.bubblewrap.is_some() || here.landlock_abi.is_some() && here.notification;
    assert_eq!(ran.contains(&Confinement::ReadOnly), may_read, "{refused}: {ran:?}");
    assert_eq!(ran.contains(&Confinement::Workspace), may_write, "{refused}: {ran:?}");
    assert_eq!(may_read, here.can_confine(Confinement::ReadOnly), "{refused}");
}

#[test]
fn what_a_kernel_forbids_is_missed_and_nothing_guarded_is_open() {
    const TEST: &str = "what_a_kernel_forbids_is_missed_and_nothing_guarded_is_open";
    if let Ok(refused) = std::env::var(REFUSED) {
        return behind_what_is_left(&refused);
    }
    also_as_ordinary_user(TEST);
    let all = FEATURES.join("+");
    let pairs = ["namespaces+notification", "landlock+notification", "namespaces+landlock", &all];
    for features in FEATURES.iter().copied().chain(pairs) {
        for errno in [libc::EPERM, libc::ENOSYS] {
            let mut again = std::process::Command::new(std::env::current_exe().unwrap());
            again.args(["--exact", TEST, "--nocapture"]).env(REFUSED, format!("{features} {errno}"));
            let output = again.output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && told.contains("1 passed"), "{told}");
        }
    }
}
