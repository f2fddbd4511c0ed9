//! What an approved command gets: the person's programs, private sockets, and temporary files that are kept.

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{
    ChildLimits, ChildSpec, Ended, Environment, Lent, PersonEnvironment, ScratchFolder, walls,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use support::{MECHANISMS, Place, also_as_ordinary_user, block_on, outcome, run_in};

fn person(path: &str) -> Environment {
    Environment::Person(PersonEnvironment { path: path.into(), ..PersonEnvironment::default() })
}

#[test]
fn a_program_of_the_persons_own_is_found_where_they_agreed_and_nowhere_else() {
    also_as_ordinary_user("a_program_of_the_persons_own_is_found_where_they_agreed_and_nowhere_else");
    for mechanism in MECHANISMS {
        let place = Place::new();
        let folder = place.root().join("bin");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("mine"), "#!/bin/sh\necho mine\n").unwrap();
        fs::set_permissions(folder.join("mine"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.display());
        let spec = place.spec(Confinement::Workspace, &["mine"]);
        assert!(block_on(support::run_in(&mechanism.walls(), spec.clone())).is_err(), "{mechanism:?}");
        let mut readable = spec.readable.clone();
        readable.push(folder);
        let agreed = ChildSpec { environment: person(&path), readable, ..spec };
        let (code, printed, complaint) = block_on(outcome(&mechanism.walls(), agreed));
        assert_eq!((code, printed.as_str()), (0, "mine\n"), "{mechanism:?}: {complaint}");
    }
}

#[test]
fn temporary_files_last_as_long_as_their_folder_and_are_nobody_elses() {
    also_as_ordinary_user("temporary_files_last_as_long_as_their_folder_and_are_nobody_elses");
    for mechanism in MECHANISMS {
        let place = Place::new();
        let scratch = ScratchFolder::new().unwrap();
        assert_eq!(scratch.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let run = |script: &str| {
            let scratch = Some(scratch.path().to_owned());
            let spec = ChildSpec { scratch, ..place.bash(Confinement::Workspace, script) };
            block_on(outcome(&mechanism.walls(), spec))
        };
        let (code, _, complaint) = run("echo kept > $(mktemp -p $TMPDIR lasting-XXXX)");
        assert_eq!(code, 0, "{mechanism:?}: {complaint}");
        let (code, printed, complaint) = run("cat $TMPDIR/lasting-*");
        assert_eq!((code, printed.as_str()), (0, "kept\n"), "{mechanism:?}: {complaint}");
        let (_, printed, _) =
            block_on(outcome(&mechanism.walls(), place.bash(Confinement::Workspace, "ls $TMPDIR")));
        assert_eq!(printed, "", "another command's folder is its own: {mechanism:?}");
    }
}

#[test]
fn a_command_that_only_reads_has_the_folder_for_temporary_files_and_writes_nowhere_else() {
    also_as_ordinary_user(
        "a_command_that_only_reads_has_the_folder_for_temporary_files_and_writes_nowhere_else",
    );
    for mechanism in MECHANISMS {
        let place = Place::new();
        std::fs::write(place.workspace.join("words"), "b\na\n".repeat(200_000)).unwrap();
        let scratch = ScratchFolder::new().unwrap();
        for environment in [Environment::default(), person("/usr/bin:/bin")] {
            let run = |script: &str| {
                let scratch = Some(scratch.path().to_owned());
                let environment = environment.clone();
                let spec = place.bash(Confinement::ReadOnly, script);
                block_on(outcome(&mechanism.walls(), ChildSpec { scratch, environment, ..spec }))
            };
            let (code, printed, complaint) = run("sort -S 100K words | uniq -c | tr -d ' '");
            assert_eq!((code, printed.as_str()), (0, "200000a\n200000b\n"), "{mechanism:?}: {complaint}");
            let (code, printed, complaint) = run("echo x > $TMPDIR/kept && cat $TMPDIR/kept");
            assert_eq!((code, printed.as_str()), (0, "x\n"), "{mechanism:?}: {complaint}");
            let (_, printed, _) = run("echo x > new; test -e new || echo none");
            assert_eq!(printed, "none\n", "{mechanism:?}");
        }
    }
}

#[test]
fn what_was_lent_from_the_real_folder_is_not_found_empty_by_the_next_command() {
    let place = Place::new();
    let lent = tempfile::Builder::new().prefix("lent-").tempdir_in("/tmp").unwrap();
    let file = lent.path().join("deep/truth.txt");
    std::fs::create_dir(lent.path().join("deep")).unwrap();
    std::fs::write(&file, "true\n").unwrap();
    let scratch = ScratchFolder::new().unwrap();
    let look = format!("cat {0}; test -e {0} || echo gone", file.display());
    for (readable, expected) in [(vec![], "gone\n"), (vec![file.clone()], "true\n"), (vec![], "gone\n")] {
        let spec = place.bash(Confinement::Workspace, &look);
        let readable = spec.readable.iter().cloned().chain(readable).collect();
        let spec = ChildSpec { scratch: Some(scratch.path().to_owned()), readable, ..spec };
        let (_, printed, complaint) = block_on(outcome(&support::Mechanism::Bubblewrap.walls(), spec));
        assert_eq!(printed, expected, "{complaint}");
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "no mount point is left");
}

#[test]
fn a_command_that_only_reads_and_names_tmp_has_its_own() {
    also_as_ordinary_user("a_command_that_only_reads_and_names_tmp_has_its_own");
    if walls().bubblewrap.is_none() {
        println!("bubblewrap does not work here");
        return;
    }
    let place = Place::new();
    let scratch = ScratchFolder::new().unwrap();
    let run = |script: &str| {
        let spec = place.bash(Confinement::ReadOnly, script);
        block_on(outcome(walls(), ChildSpec { scratch: Some(scratch.path().to_owned()), ..spec }))
    };
    let (code, printed, complaint) =
        run("echo one > /tmp/note && test -w /var/tmp && cat /var/tmp/note && ! touch made");
    assert_eq!((code, printed.as_str()), (0, "one\n"), "{complaint}");
    assert_eq!(std::fs::read_to_string(scratch.path().join("note")).unwrap(), "one\n");
    assert_eq!(run("cat \"$TMPDIR/note\"").1, "one\n", "the next call finds it");
    assert!(!Path::new("/tmp/note").exists());
}

#[test]
fn temporary_files_that_use_too_much_space_end_their_command() {
    let place = Place::new();
    let scratch = ScratchFolder::new().unwrap();
    let limits = ChildLimits { temporary_bytes: 32 << 20, ..ChildLimits::default() };
    let run = |script: &str| {
        let spec = place.bash(Confinement::Workspace, script);
        let spec = ChildSpec { scratch: Some(scratch.path().to_owned()), limits: limits.clone(), ..spec };
        block_on(run_in(walls(), spec)).unwrap().ended
    };
    let fill = "for n in $(seq 8); do head -c 16777216 /dev/zero > $TMPDIR/$n; done; sleep 600";
    assert_eq!(run(fill), Ended::TemporaryFilesFull);
    assert_eq!(run("rm $TMPDIR/*"), Ended::Exited(0), "a command that makes room is not ended");
}

#[test]
fn a_commands_own_unix_sockets_work_and_leave_those_of_others_alone() {
    also_as_ordinary_user("a_commands_own_unix_sockets_work_and_leave_those_of_others_alone");
    const TALK: &str = "\
import socket, threading
def talk(name):
    s = socket.socket(socket.AF_UNIX); s.bind(name); s.listen()
    threading.Thread(target=lambda: s.accept()[0].sendall(b'x')).start()
    c = socket.socket(socket.AF_UNIX); c.connect(name); assert c.recv(1) == b'x'
talk('own'); talk('\\0own'); talk('/tmp/own')
try: socket.socket(socket.AF_UNIX).connect('others'); print('reached')
except OSError: print('own only')
";
    if walls().bubblewrap.is_none() {
        println!("bubblewrap does not work here");
        return;
    }
    for level in [Confinement::Workspace, Confinement::WorkspaceNet] {
        let place = Place::new();
        let _others = std::os::unix::net::UnixListener::bind(place.workspace.join("others")).unwrap();
        let (code, printed, complaint) = block_on(outcome(walls(), place.python(level, TALK)));
        assert_eq!((code, printed.as_str()), (0, "own only\n"), "{level:?}: {complaint}");
        assert!(place.workspace.join("others").exists());
    }
}

#[test]
fn a_socket_that_is_lent_is_reached_and_the_one_next_to_it_is_not() {
    const TRY: &str = "\
import os, socket
for name in 'lent', 'other':
    try: socket.socket(socket.AF_UNIX).connect(os.environ['FOLDER'] + '/' + name); print(name, 'reached')
    except OSError: print(name, 'out of reach')
";
    for mechanism in MECHANISMS {
        let place = Place::new();
        let folder = place.root().canonicalize().unwrap().join("loan");
        fs::create_dir(&folder).unwrap();
        let bind = |name: &str| std::os::unix::net::UnixListener::bind(folder.join(name)).unwrap();
        let _listening = [bind("lent"), bind("other")];
        let lent = Lent {
            variables: vec![("FOLDER".into(), folder.clone().into())],
            sockets: vec![folder.join("lent")],
            ..Lent::default()
        };
        let person = PersonEnvironment {
            path: "/usr/bin:/bin".into(),
            lent: Some(Arc::new(lent)),
            ..PersonEnvironment::default()
        };
        let mut spec = place.python(Confinement::Workspace, TRY);
        spec.environment = Environment::Person(person);
        spec.readable.push(folder);
        if mechanism.walls().bubblewrap.is_none() {
            // Landlock cannot distinguish between sockets, so nothing runs.
            let error = block_on(support::run_in(&mechanism.walls(), spec)).unwrap_err().to_string();
            assert!(error.contains("cannot lend a single socket"), "{error}");
            continue;
        }
        let (code, printed, complaint) = block_on(outcome(&mechanism.walls(), spec));
        assert_eq!((code, printed.as_str()), (0, "lent reached\nother out of reach\n"), "{complaint}");
    }
}

#[test]
fn what_is_mapped_and_not_used_is_free_where_only_use_counts() {
    // Like a sanitizer: maps terabytes of writable memory but uses only a few pages.
    let maps = "import mmap; m = mmap.mmap(-1, 1 << 44, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000); m[0] = 1; print('got it')";
    let uses = "x = bytearray(b'x') * (512 << 20); print('got it')\nwhile True: pass";
    for mechanism in MECHANISMS {
        let place = Place::new();
        let bounded = |text: &str| {
            let mut spec = place.python(Confinement::Workspace, text);
            spec.limits.memory_bytes = 128 << 20;
            spec.limits.counts_memory_in_use = true;
            spec
        };
        let (_, printed, complaint) = block_on(outcome(&mechanism.walls(), bounded(maps)));
        assert_eq!(printed, "got it\n", "{complaint}");
        let ended = block_on(run_in(&mechanism.walls(), bounded(uses))).unwrap().ended;
        assert_eq!(ended, Ended::OutOfMemory);
    }
}
