//! Kernels and containers that forbid sandbox mechanisms. Each refusal really happens, through a filter around the
//! whole test. A command then runs with the remaining mechanisms or not at all, and the missing ones are reported.
//! Secrets and what starts programs are protected in every case.
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

/// Guards files by name, wherever they are.
#[derive(Debug)]
struct Names;

impl Guard for Names {
    fn secret(&self, real: &Path) -> Option<deputy_messages::Phrase> {
        real.ends_with(".env").then(|| "a secret".into())
    }

    fn starts_programs(&self, real: &Path, _is_folder: bool) -> Option<deputy_messages::Phrase> {
        ["config", "commondir"]
            .iter()
            .any(|name| real.ends_with(format!(".git/{name}")))
            .then(|| "starts programs".into())
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

/// Runs in a separate process, which applies the refusals to itself.
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
    let said = here.describe().iter().map(|missing| missing.as_str()).collect::<Vec<_>>().join("\n");
    for (feature, word) in
        [("landlock", "Landlock version"), ("notification", "notification"), ("namespaces", "bubblewrap")]
    {
        assert!(!has(feature) || said.contains(word), "{refused}: {said}");
    }
    // The report and the note for the person name what is weaker.
    let is_covered = here.bubblewrap.is_some() && !here.notification;
    assert_eq!(said.contains(".git/commondir"), !here.notification, "{refused}: {said}");
    assert_eq!(here.weaker(Confinement::Workspace).is_some(), is_covered, "{refused}");
    let mut ran = Vec::new();
    for level in [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet] {
        let place = Place::new();
        let work = &place.workspace;
        fs::create_dir(work.join(".git")).unwrap();
        fs::write(work.join(".git/config"), "[core]\n").unwrap();
        fs::write(work.join(".env"), "KEY=the-secret-word\n").unwrap();
        let script = "cat notes.txt; cat .env ../secret; mv .env x; cat x; cp -l .env y; cat y; \
                      echo '[evil]' >> .git/config; mv .git/config z; touch made; echo ../../x > .git/commondir; true";
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
                let is_led_away = work.join(".git/commondir").exists();
                assert_eq!(is_led_away, here.weaker(level).is_some(), "{refused} at {level:?}: {text}");
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
    // One mechanism is sufficient for reading. Changing files requires the supervisor or mounts.
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

/// Connects to itself with both kinds of addresses, and then tries to reach others.
const SERVES_ITSELF: &str = r#"
import multiprocessing, socket, sys, threading
from multiprocessing import shared_memory
other = int(sys.argv[1])
for family, own, to in ((socket.AF_INET, "", "127.0.0.1"), (socket.AF_INET6, "::", "::1"), (socket.AF_INET6, "::", "127.0.0.1")):
    listening = socket.socket(family); listening.bind((own, 0)); listening.listen()
    port = listening.getsockname()[1]
    threading.Thread(target=lambda: listening.accept()[0].sendall(b"own"), daemon=True).start()
    print("reached", socket.create_connection((to, port)).recv(3).decode(), listening.getsockname()[0])
unbound = socket.socket(); unbound.listen(); print("listens at", unbound.getsockname()[0])
for to in (("127.0.0.1", other), ("::1", other), ("::ffff:127.0.0.1", other), ("0.0.0.0", other), ("192.0.2.1", 80), ("2001:db8::1", 80)):
    try: socket.create_connection(to, 5); print("LEAK", to)
    except OSError as error: print(to[0], error.errno)
quick = socket.socket()
try: quick.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", other)); print("LEAK by the first packet")
except OSError as error: print("fast", error.errno)
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
        try: socket.socket(family, kind); print("LEAK", family, kind)
        except OSError: pass
shared = shared_memory.SharedMemory(create=True, size=16); shared.buf[0] = 7
again = shared_memory.SharedMemory(name=shared.name); print("shared", again.buf[0]); again.close(); shared.close(); shared.unlink()
print("locked", multiprocessing.Lock().acquire())
"#;

#[test]
fn without_namespaces_a_command_reaches_itself_and_nobody_else() {
    const TEST: &str = "without_namespaces_a_command_reaches_itself_and_nobody_else";
    if std::env::var(REFUSED).is_err() {
        also_as_ordinary_user(TEST);
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        let output = again.args(["--exact", TEST, "--nocapture"]).env(REFUSED, "1").output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    for feature in ["namespaces", "mounts"] {
        refuse(feature, libc::EPERM).unwrap();
    }
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    let place = Place::new();
    let mut spec = place.python(Confinement::Workspace, SERVES_ITSELF);
    spec.argv.push(other.local_addr().unwrap().port().to_string().into());
    spec.guard = Some(Arc::new(Names));
    let outcome = block_on(run_in(walls(), spec)).unwrap();
    let text = outcome.stdout.text() + &outcome.stderr.text();
    let refused = [libc::ECONNREFUSED, libc::ENETUNREACH, libc::EPERM].map(|errno| errno.to_string());
    let expected = format!(
        "reached own 127.0.0.1\nreached own ::ffff:127.0.0.1\nreached own ::ffff:127.0.0.1\nlistens at 127.0.0.1\n\
         127.0.0.1 {0}\n::1 {0}\n::ffff:127.0.0.1 {0}\n0.0.0.0 {0}\n192.0.2.1 {1}\n2001:db8::1 {1}\nfast {2}\n\
         shared 7\nlocked True\n",
        refused[0], refused[1], refused[2]
    );
    assert_eq!(text, expected);
    assert!(other.accept().is_err(), "somebody was reached who is not of the command");
}
