//! Attempts of a confined command that must fail. Each attempt is also made without a sandbox, where it must succeed,
//! so that a test that cannot fail would be noticed.

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{ChildSpec, SandboxError, Walls, walls};
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use support::{MECHANISMS, Mechanism, Place, SECRET, also_as_ordinary_user, block_on, outcome};

const CONFINED: [Confinement; 3] = [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet];

/// Returns every mechanism with every confinement.
fn everywhere() -> Vec<(Mechanism, Confinement, Walls)> {
    let all = MECHANISMS.into_iter().flat_map(|mechanism| CONFINED.map(|level| (mechanism, level)));
    all.map(|(mechanism, level)| (mechanism, level, mechanism.walls())).collect()
}

/// Runs a Python script that prints `done` on success. It must succeed without a sandbox and fail inside. Every attempt
/// starts from a fresh place.
fn attempt(name: &str, prepare: impl Fn() -> (Place, String)) {
    attempt_and_look(name, prepare, |_, printed| printed.contains("done"));
}

/// Like [`attempt`], with another way to detect success.
fn attempt_and_look(
    name: &str,
    prepare: impl Fn() -> (Place, String),
    succeeded: impl Fn(&Place, &str) -> bool,
) {
    let (place, script) = prepare();
    let (_, printed, complaint) = block_on(outcome(walls(), place.python(Confinement::Open, &script)));
    assert!(
        succeeded(&place, &printed),
        "{name}: the attempt fails even without walls: {printed} {complaint}"
    );
    for (mechanism, level, walls) in everywhere() {
        let (place, script) = prepare();
        let (_, printed, complaint) = block_on(outcome(&walls, place.python(level, &script)));
        assert!(
            !succeeded(&place, &printed),
            "{name} succeeds as {level:?} by {mechanism:?}: {printed} {complaint}"
        );
    }
}

#[test]
fn write_outside() {
    also_as_ordinary_user("write_outside");
    for how in [
        "open('{root}/made', 'w').write('x')",
        "open('{root}/secret', 'a').write('x')",
        "os.truncate('{root}/secret', 0)",
        "os.unlink('{root}/secret')",
        "os.rename('{root}/secret', '{root}/moved')",
        "os.mkdir('{root}/made')",
        "os.symlink('x', '{root}/made')",
        "os.mkfifo('{root}/made')",
        "os.link('{root}/secret', '{root}/made')",
        "os.rename('{root}/work/notes.txt', '{root}/made')",
        "os.chdir('..'); open('made', 'w')",
        "os.symlink('{root}/secret', '{root}/work/l'); open('{root}/work/l', 'a').write('x')",
    ] {
        let prepare = || {
            let place = Place::new();
            let script = format!("import os\n{}", how.replace("{root}", &place.root().display().to_string()));
            (place, script)
        };
        // What the command sees does not count, because it may have a private `/tmp`.
        attempt_and_look(how, prepare, |place, _| {
            let there = fs::read_dir(place.root()).unwrap().count();
            there != 2 || fs::read(&place.secret).ok().as_deref() != Some(SECRET.as_bytes())
        });
    }
}

#[test]
fn change_modes_times_and_attributes_outside() {
    also_as_ordinary_user("change_modes_times_and_attributes_outside");
    for how in [
        "os.chmod('{root}/secret', 0o777)",
        "os.chmod('{root}/readable/file', 0o777)",
        "os.fchmod(os.open('{root}/readable/file', os.O_RDONLY), 0o777)",
        "os.chown('{root}/secret', os.getuid(), os.getgid())",
        "os.setxattr('{root}/secret', 'user.mark', b'x')",
        "os.setxattr('{root}/readable/file', 'user.mark', b'x')",
        "os.utime('{root}/secret', (1, 1))",
        "os.utime(os.open('{root}/readable/file', os.O_RDONLY), (1, 1))",
    ] {
        let prepare = || {
            let place = Place::new();
            let folder = place.root().join("readable");
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
            let script = format!(
                "import os\n{}\nprint('done')",
                how.replace("{root}", &place.root().display().to_string())
            );
            (place, folder, script)
        };
        let (place, folder, script) = prepare();
        let mut spec = place.python(Confinement::Open, &script);
        spec.readable.push(folder);
        assert!(block_on(outcome(walls(), spec)).1.contains("done"), "{how} fails even without walls");
        for (mechanism, level, walls) in everywhere() {
            let (place, folder, script) = prepare();
            let before =
                ["secret", "readable/file"].map(|name| fs::metadata(place.root().join(name)).unwrap());
            let mut spec = place.python(level, &script);
            spec.readable.push(folder);
            let (_, printed, _) = block_on(outcome(&walls, spec));
            let after =
                ["secret", "readable/file"].map(|name| fs::metadata(place.root().join(name)).unwrap());
            assert!(!printed.contains("done"), "{how} succeeds as {level:?} by {mechanism:?}");
            for (before, after) in before.iter().zip(&after) {
                assert_eq!(
                    (before.mode(), before.mtime(), before.ctime_nsec()),
                    (after.mode(), after.mtime(), after.ctime_nsec()),
                    "{how}"
                );
            }
        }
    }
}

#[test]
fn read_a_secret() {
    also_as_ordinary_user("read_a_secret");
    for how in [
        "open('{root}/secret').read()",
        "open('/proc/self/root{root}/secret').read()",
        "open('{root}/work/../secret').read()",
        "open('{root}/work/link').read()",
        "open(f'/proc/{os.getppid()}/root{root}/secret').read()",
        "os.listdir('{root}') and open('{root}/secret').read()",
        "os.execv('/bin/cat', ['cat', '{root}/secret'])",
    ] {
        let prepare = || {
            let place = Place::new();
            std::os::unix::fs::symlink(&place.secret, place.workspace.join("link")).unwrap();
            let read = how.replace("{root}", &place.root().display().to_string());
            (place, format!("import os, sys\nsys.stdout.write({read})"))
        };
        let has_secret = |(_, printed, _): (i32, String, String)| printed.contains(SECRET);
        let (place, script) = prepare();
        // A process that protects its memory cannot be accessed by its own user either.
        if !how.contains("getppid") {
            assert!(
                has_secret(block_on(outcome(walls(), place.python(Confinement::Open, &script)))),
                "{how} fails even without walls"
            );
        }
        for (mechanism, level, walls) in everywhere() {
            let (place, script) = prepare();
            assert!(
                !has_secret(block_on(outcome(&walls, place.python(level, &script)))),
                "{how} succeeds as {level:?} by {mechanism:?}"
            );
        }
    }
}

#[test]
fn read_what_is_hidden_inside_a_granted_folder() {
    also_as_ordinary_user("read_what_is_hidden_inside_a_granted_folder");
    let prepare = || {
        let place = Place::new();
        fs::write(place.workspace.join(".env"), SECRET).unwrap();
        fs::create_dir(place.workspace.join("sub")).unwrap();
        fs::write(place.workspace.join("sub/.env"), SECRET).unwrap();
        place
    };
    let script = "cat .env sub/.env; cp .env copy; ln .env hard; cat copy hard; mv sub other; cat other/.env; cat notes.txt; ls -a";
    for (mechanism, level, walls) in everywhere() {
        let place = prepare();
        let mut spec = place.bash(level, script);
        spec.hidden = vec![
            place.workspace.join(".env"),
            place.workspace.join("sub/.env"),
            place.workspace.join("not-there"),
        ];
        if mechanism == Mechanism::Landlock && level != Confinement::ReadOnly {
            let refused = block_on(support::run_in(&walls, spec)).unwrap_err();
            assert!(matches!(refused, SandboxError::NoWalls { .. }), "{refused}");
            continue;
        }
        let mut open = spec.clone();
        let (_, printed, complaint) = block_on(outcome(&walls, spec));
        assert!(!printed.contains(SECRET), "as {level:?} by {mechanism:?}: {printed}");
        assert!(
            printed.contains("hello") && printed.contains("notes.txt"),
            "the rest is readable: {printed} {complaint}"
        );
        assert!(place.workspace.join("sub/.env").exists(), "the folder above a hidden file was moved away");
        open.confinement = Confinement::Open;
        assert!(block_on(outcome(&walls, open)).1.contains(SECRET), "open hides nothing");
    }
}

#[test]
fn list_a_hidden_folder() {
    also_as_ordinary_user("list_a_hidden_folder");
    for level in CONFINED {
        let place = Place::new();
        fs::create_dir(place.workspace.join("keys")).unwrap();
        fs::write(place.workspace.join("keys/id"), SECRET).unwrap();
        let mut spec = place.bash(level, "ls -a keys; cat keys/id; touch keys/new; cat notes.txt");
        spec.hidden = vec![place.workspace.join("keys")];
        // Landlock cannot express this, so bubblewrap is used instead.
        let (_, printed, _) = block_on(outcome(walls(), spec.clone()));
        assert_eq!(printed, ".\n..\nhello\n", "as {level:?}");
        block_on(support::run_in(&Mechanism::Landlock.walls(), spec)).unwrap_err();
    }
}

#[test]
fn change_what_is_frozen() {
    also_as_ordinary_user("change_what_is_frozen");
    let walls = Mechanism::Bubblewrap.walls();
    let script = "echo x > .git/config; echo x > .git/hooks/pre-commit; mkdir -p .vscode; echo x > .vscode/tasks.json; \
        mv .git old; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; rm -rf .git; rmdir .vscode; ln -sf / .vscode; echo x > fine; echo x > .git/index";
    for level in [Confinement::Workspace, Confinement::WorkspaceNet] {
        let place = Place::new();
        fs::create_dir_all(place.workspace.join(".git")).unwrap();
        fs::write(place.workspace.join(".git/config"), "mine").unwrap();
        let mut spec = place.bash(level, script);
        spec.frozen =
            [".git/config", ".git/hooks", ".vscode/tasks.json"].map(|name| place.workspace.join(name)).into();
        let open = spec.clone();
        block_on(outcome(&walls, spec));
        let there = |name: &str| place.workspace.join(name).symlink_metadata().is_ok();
        assert_eq!(fs::read_to_string(place.workspace.join(".git/config")).unwrap(), "mine", "as {level:?}");
        assert!(!there(".git/hooks") && !there(".vscode") && !there("old"), "as {level:?}");
        assert!(there("fine") && there(".git/index"), "the rest is writable");
        let open = ChildSpec { confinement: Confinement::Open, ..open };
        block_on(outcome(&walls, open));
        assert!(there(".vscode"), "open freezes nothing");
    }
}

#[test]
fn reach_the_network() {
    also_as_ordinary_user("reach_the_network");
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    udp.set_nonblocking(true).unwrap();
    let (tcp_port, udp_port) = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
    let connect =
        format!("import socket\nsocket.create_connection(('127.0.0.1', {tcp_port}))\nprint('done')");
    let send = format!(
        "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp_port}))\nprint('done')"
    );
    for script in [&connect, &send] {
        let place = Place::new();
        let run =
            |walls: &Walls, level| block_on(outcome(walls, place.python(level, script))).1.contains("done");
        assert!(run(walls(), Confinement::Open));
        for mechanism in MECHANISMS {
            let walls = mechanism.walls();
            udp.recv(&mut [0; 8]).ok();
            for level in [Confinement::ReadOnly, Confinement::Workspace] {
                let said_done = run(&walls, level);
                let arrived = udp.recv(&mut [0; 8]).is_ok();
                // In a private network, a datagram can be sent but goes nowhere.
                let may_say_done =
                    mechanism == Mechanism::Bubblewrap && level == Confinement::Workspace && script == &send;
                assert!(!arrived && (may_say_done || !said_done), "{script} as {level:?} by {mechanism:?}");
            }
            assert!(run(&walls, Confinement::WorkspaceNet), "{script} by {mechanism:?}");
        }
    }
}

#[test]
fn talk_to_other_programs_over_unix_sockets() {
    also_as_ordinary_user("talk_to_other_programs_over_unix_sockets");
    let name = format!("deputy-test-{}", std::process::id());
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    attempt("an abstract socket", || {
        (
            Place::new(),
            format!("import socket\nsocket.socket(socket.AF_UNIX).connect('\\0{name}')\nprint('done')"),
        )
    });
    attempt("a socket in the workspace", || {
        let place = Place::new();
        // The file remains when the listener is dropped, so it is leaked to keep it for the whole test.
        std::mem::forget(UnixListener::bind(place.workspace.join("socket")).unwrap());
        (place, "import socket\nsocket.socket(socket.AF_UNIX).connect('socket')\nprint('done')".into())
    });
    attempt("a datagram of a pair", || {
        let place = Place::new();
        std::mem::forget(std::os::unix::net::UnixDatagram::bind(place.workspace.join("socket")).unwrap());
        (place, "import socket\nsocket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', 'socket')\nprint('done')".into())
    });
}

/// Attaches to a process by its id. Prints 0, or the error.
const ATTACHES: &str = "
import ctypes, os, signal, sys
libc = ctypes.CDLL(None, use_errno=True)
def attach(pid):
    ctypes.set_errno(0)
    if libc.ptrace(ctypes.c_long(16), ctypes.c_long(pid), None, None) == 0: return 0
    return ctypes.get_errno()
child = os.fork()
if child == 0: signal.pause()
print('own', attach(child))
print('first', attach(1), attach(1 + (1 << 32)))
os.kill(child, signal.SIGKILL)";

#[test]
fn an_approved_command_traces_its_own_processes_and_never_the_first() {
    also_as_ordinary_user("an_approved_command_traces_its_own_processes_and_never_the_first");
    for (_, level, walls) in everywhere() {
        let place = Place::new();
        let (_, printed, complaint) = block_on(outcome(&walls, place.python(level, ATTACHES)));
        let may_trace = walls.bubblewrap.is_some() && level >= Confinement::Workspace;
        let own = if may_trace { 0 } else { libc::EPERM };
        let expected = format!("own {own}\nfirst {0} {0}\n", libc::EPERM);
        assert_eq!(printed, expected, "as {level:?} by {walls:?}: {complaint}");
    }
}

#[test]
fn reach_other_processes() {
    also_as_ordinary_user("reach_other_processes");
    for how in [
        "os.kill({pid}, 0)",
        "os.kill({pid}, signal.SIGCONT)",
        "os.setpriority(os.PRIO_PROCESS, {pid}, 19)",
        "resource.prlimit({pid}, resource.RLIMIT_CORE, (0, 0))",
        "open('/proc/{pid}/cmdline').read()[0]",
        "open('/proc/{pid}/environ').read()[0]",
        "os.sched_setaffinity({pid}, os.sched_getaffinity(0))",
        "sys.exit('no') if ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) else 0",
    ] {
        let mut other = std::process::Command::new("/bin/sleep").arg("600").spawn().unwrap();
        attempt(how, || {
            (
                Place::new(),
                format!(
                    "import ctypes, os, resource, signal, sys\n{}\nprint('done')",
                    how.replace("{pid}", &other.id().to_string())
                ),
            )
        });
        other.kill().unwrap();
        other.wait().unwrap();
    }
}

#[test]
fn reach_for_the_machine() {
    also_as_ordinary_user("reach_for_the_machine");
    let library = "import ctypes, os, sys\nc = ctypes.CDLL(None, use_errno=True)\n";
    let expect_denied = |name: &str, call: &str| {
        for (mechanism, level, walls) in everywhere() {
            let script = format!("{library}r = {call}\nprint(r, ctypes.get_errno())");
            let (_, printed, complaint) = block_on(outcome(&walls, Place::new().python(level, &script)));
            assert!(
                printed.starts_with("-1 1\n"),
                "{name} as {level:?} by {mechanism:?} answers {printed} {complaint}"
            );
        }
    };
    expect_denied("mount", "c.mount(b'none', b'/tmp', b'tmpfs', 0, None)");
    expect_denied("unshare", "c.unshare(0x10000000)");
    expect_denied("chroot", "c.chroot(b'/')");
    expect_denied("setns", "c.setns(0, 0)");
    expect_denied("add_key", "c.syscall(248, b'user', b'x', b'y', 1, -3)");
    expect_denied("io_uring_setup", "c.syscall(425, 1, 0)");
    expect_denied("bpf", "c.syscall(321, 0, 0, 0)");
    expect_denied("perf_event_open", "c.syscall(298, 0, 0, 0, 0, 0)");
    expect_denied("userfaultfd", "c.syscall(323, 0)");
    expect_denied("reboot", "c.syscall(169, 0, 0, 0, 0)");
    expect_denied("sethostname", "c.sethostname(b'x', 1)");
    expect_denied("open_by_handle_at", "c.syscall(304, 0, 0, 0)");
    expect_denied("a set-user-id file", "c.open(b'/tmp/x', 0o101, 0o4755)");
    expect_denied("a set-user-id mode", "c.chmod(b'notes.txt', 0o4755)");
    expect_denied("a raw socket", "c.socket(2, 3, 1)");
    expect_denied("a packet socket", "c.socket(17, 2, 0)");
}

#[test]
fn gain_privileges() {
    also_as_ordinary_user("gain_privileges");
    let status = "grep -E 'NoNewPrivs|CapEff|CapPrm|CapBnd|Seccomp:' /proc/self/status";
    let read = |text: &str, name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default().to_owned()
    };
    // Here `/proc` shows the process itself.
    for level in [Confinement::Workspace, Confinement::WorkspaceNet, Confinement::ReadOnly, Confinement::Open]
    {
        let (_, printed, complaint) =
            block_on(outcome(&Mechanism::Bubblewrap.walls(), Place::new().bash(level, status)));
        assert_eq!(read(&printed, "NoNewPrivs:"), "1", "as {level:?}: {printed} {complaint}");
        if level != Confinement::Open {
            assert_eq!(read(&printed, "Seccomp:"), "2");
            let capabilities = u64::from_str_radix(&read(&printed, "CapEff:"), 16).unwrap();
            assert_eq!(capabilities & !0b10, 0, "as {level:?}");
        }
    }
    let ask = "import ctypes\nc = ctypes.CDLL(None)\nprint(c.prctl(39, 0, 0, 0, 0), [n for n in range(41) if n != 1 and c.prctl(23, n, 0, 0, 0) == 2])\n\
        class H(ctypes.Structure): _fields_ = [('v', ctypes.c_uint32), ('p', ctypes.c_int)]\n\
        d = (ctypes.c_uint32 * 6)()\nc.capget(ctypes.byref(H(0x20080522, 0)), d)\nprint(d[0] & ~2, d[3], d[1] & ~2, d[4])";
    for level in CONFINED {
        let (_, printed, complaint) =
            block_on(outcome(&Mechanism::Landlock.walls(), Place::new().python(level, ask)));
        assert_eq!(printed, "1 []\n0 0 0 0\n", "as {level:?}: {complaint}");
    }
}

#[test]
fn use_what_was_left_open() {
    also_as_ordinary_user("use_what_was_left_open");
    use std::os::fd::AsRawFd;
    let place = Place::new();
    // Without close-on-exec, as a careless library opens files.
    let open = fs::File::open(&place.secret).unwrap();
    rustix::io::fcntl_setfd(&open, rustix::io::FdFlags::empty()).unwrap();
    let control = std::process::Command::new("/bin/cat")
        .arg(format!("/proc/self/fd/{}", open.as_raw_fd()))
        .output()
        .unwrap();
    assert_eq!(control.stdout, SECRET.as_bytes());
    let script = "import os
def is_open(fd):
    try: return bool(os.fstat(fd))
    except OSError: return False
print([fd for fd in range(1024) if is_open(fd)])";
    for (mechanism, level, walls) in everywhere() {
        let (_, printed, _) = block_on(outcome(&walls, place.python(level, script)));
        assert_eq!(printed, "[0, 1, 2]\n", "as {level:?} by {mechanism:?}");
    }
}

#[test]
fn change_anything_as_read_only() {
    also_as_ordinary_user("change_anything_as_read_only");
    for mechanism in MECHANISMS {
        let place = Place::new();
        let scripts = "for f in notes.txt new /tmp/new /dev/shm/new /dev/new /var/tmp/new /etc/new /usr/new /new /proc/self/oom_score_adj \"$HOME/new\"; do echo x 2>/dev/null > \"$f\" && echo \"changed $f\"; done 2>/dev/null; \
            chmod 777 notes.txt && echo changed mode; touch -d @1 notes.txt && echo changed time; rm -f notes.txt && echo removed; echo x > /dev/null && echo null works";
        let (_, printed, _) =
            block_on(outcome(&mechanism.walls(), place.bash(Confinement::ReadOnly, scripts)));
        assert_eq!(printed, "null works\n", "by {mechanism:?}");
        assert_eq!(fs::read_to_string(place.workspace.join("notes.txt")).unwrap(), "hello\n");
        let (_, printed, _) = block_on(outcome(
            walls(),
            place.bash(
                Confinement::Open,
                "echo x > notes.txt && chmod 700 notes.txt && rm notes.txt && echo removed",
            ),
        ));
        assert_eq!(printed, "removed\n");
    }
}

#[test]
fn secrets_of_the_system_stay_out_of_sight() {
    for (mechanism, level, walls) in everywhere() {
        let script = "cat /etc/shadow /etc/gshadow; ls /root /home /run /boot; true";
        let (_, printed, _) = block_on(outcome(&walls, Place::new().bash(level, script)));
        assert_eq!(printed, "", "as {level:?} by {mechanism:?}");
    }
}

#[test]
fn a_granted_folder_inside_a_hidden_one_is_hidden() {
    let place = Place::new();
    let mut spec = place.bash(Confinement::ReadOnly, "cat secret");
    spec.hidden = vec![place.root().into()];
    let refused = block_on(support::run_in(walls(), spec)).unwrap_err();
    assert!(matches!(refused, SandboxError::WorkingDirectoryOutOfSight { .. }), "{refused}");
}
