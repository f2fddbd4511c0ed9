//! Approved commands under a guard. They can neither read secrets nor change what starts programs, in any way, and
//! otherwise behave as without a sandbox.
#![allow(clippy::unwrap_used)]

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{Attempt, ChildSpec, Guard, Outcome, Walls, resolve_program};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use support::{MECHANISMS, Mechanism, Place, also_as_ordinary_user, block_on, run_in};

/// Guards files by name, wherever they are.
#[derive(Debug)]
struct Names;

impl Guard for Names {
    fn secret(&self, real: &Path) -> Option<deputy_messages::Phrase> {
        let is_secret =
            real.components().any(|part| part.as_os_str() == ".env" || part.as_os_str() == ".ssh");
        is_secret.then(|| "a secret".into())
    }

    fn starts_programs(&self, real: &Path, is_folder: bool) -> Option<deputy_messages::Phrase> {
        let text = real.to_string_lossy();
        let in_git = [".git/config", ".git/hooks", ".git/commondir"].iter().any(|place| text.contains(place));
        (in_git || text.contains("/.vscode") || text.ends_with("/.git") && !is_folder)
            .then(|| "starts programs".into())
    }
}

fn place() -> Place {
    let place = Place::new();
    let work = &place.workspace;
    fs::create_dir_all(work.join(".git/hooks")).unwrap();
    fs::create_dir_all(work.join("sub/.ssh")).unwrap();
    fs::create_dir_all(work.join("plain/inner")).unwrap();
    fs::write(work.join(".git/config"), "[core]\n").unwrap();
    fs::write(work.join(".env"), "KEY=the-secret-word\n").unwrap();
    fs::write(work.join("sub/.ssh/id"), "the-secret-word\n").unwrap();
    fs::hard_link(work.join(".env"), work.join("other-name")).unwrap();
    place
}

fn spec(place: &Place, argv: &[&str]) -> ChildSpec {
    let work = &place.workspace;
    ChildSpec {
        guard: Some(Arc::new(Names)),
        hidden: vec![work.join(".env"), work.join("other-name")],
        frozen: vec![work.join(".git/config"), work.join(".git/hooks"), work.join(".git/commondir")],
        ..place.spec(Confinement::Workspace, argv)
    }
}

fn run(mechanism: Mechanism, place: &Place, script: &str) -> Outcome {
    let walls = mechanism.walls();
    assert!(walls.notification);
    block_on(run_in(&walls, spec(place, &["python3", "-c", script]))).unwrap()
}

fn printed(outcome: &Outcome) -> String {
    outcome.stdout.text() + &outcome.stderr.text()
}

/// A pipe has no path to judge, and the kernel would let the warden access every process of the user.
#[test]
fn what_other_processes_hold_open_stays_theirs() {
    use std::os::fd::AsRawFd;
    also_as_ordinary_user("what_other_processes_hold_open_stays_theirs");
    for mechanism in MECHANISMS {
        let place = place();
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(b"the-secret-word").unwrap();
        let script = format!(
            r#"
import os
def tries(path, flags, of):
    try: found = os.open(path, flags | os.O_NONBLOCK); print("OPENED", path, os.read(found, 99) if of == "read" else os.write(found, b"evil"))
    except OSError as error: print("kept", error.errno)
os.symlink("/proc/{pid}/fd/{read}", "led")
for path in ("/proc/{pid}/fd/{read}", "/proc/self/../{pid}/fd/{read}", "/proc/{pid}/task/{pid}/fd/{read}", "led"):
    tries(path, os.O_RDONLY, "read")
tries("/proc/{pid}/fd/{write}", os.O_WRONLY, "write")
one, other = os.pipe(); os.write(other, b"own")
for of in ("self", "thread-self", os.getpid()): print("own", os.open(f"/proc/{{of}}/fd/{{one}}", os.O_RDONLY) > 0)
"#,
            pid = std::process::id(),
            read = reader.as_raw_fd(),
            write = writer.as_raw_fd(),
        );
        let said = printed(&run(mechanism, &place, &script));
        assert_eq!(said.matches("kept").count(), 5, "{mechanism:?}: {said}");
        assert_eq!(said.matches("own True").count(), 3, "{mechanism:?}: {said}");
    }
}

/// Regression test: mounting through a link is impossible, so such a command used to fail to start.
#[test]
fn what_a_request_names_in_the_systems_second_temporary_folder_is_open() {
    for mechanism in MECHANISMS {
        let place = place();
        let named = tempfile::Builder::new().prefix("deputy-test-").tempdir_in("/var/tmp").unwrap();
        fs::write(named.path().join("a"), "named").unwrap();
        let script = "import sys, tempfile; print(open(sys.argv[1] + '/a').read()); open(sys.argv[1] + '/b', 'w').write('1'); \
                      f = tempfile.TemporaryFile('w+'); f.write('2'); f.seek(0); print(f.read())";
        let folder = named.path().to_str().unwrap();
        let mut spec = spec(&place, &["python3", "-c", script, folder]);
        spec.writable.push(named.path().to_owned());
        let said = printed(&block_on(run_in(&mechanism.walls(), spec)).unwrap());
        assert_eq!(said, "named\n2\n", "{mechanism:?}");
        assert!(named.path().join("b").exists());
    }
}

#[test]
fn secrets_are_not_read() {
    also_as_ordinary_user("secrets_are_not_read");
    for how in [
        "print(open('.env').read())",
        "print(open('sub/.ssh/id').read())",
        "print(open('other-name').read())",
        "print(open('/proc/self/cwd/.env').read())",
        "print(open('/proc/self/root' + os.getcwd() + '/.env').read())",
        "d = os.open('.', os.O_PATH); print(open(f'/proc/self/fd/{d}/.env').read())",
        "d = os.open('.', os.O_RDONLY); print(os.read(os.open('.env', os.O_RDONLY, dir_fd=d), 99))",
        "f = os.open('.env', os.O_PATH); print(open(f'/proc/self/fd/{f}').read())",
        "f = os.open('.env', os.O_PATH); print(open(f'/dev/fd/{f}').read())",
        "os.symlink('.env', 'l'); print(open('l').read())",
        "os.symlink('../work', 'l'); print(open('l/l/l/.env').read())",
        "os.link('.env', 'l'); print(open('l').read())",
        "os.rename('.env', 'l'); print(open('l').read())",
        "os.rename('sub', 'l'); print(open('l/.ssh/id').read())",
        "os.rename('sub/.ssh', 'l'); print(open('l/id').read())",
        "import shutil; shutil.copy('.env', 'l'); print(open('l').read())",
        "os.chdir('sub/.ssh'); print(open('id').read())",
        "print(open('.env', 'r+').read())",
        "import subprocess; print(subprocess.run(['cat', '.env'], capture_output=True).stdout)",
        "f = os.open('.env', os.O_PATH); os.unlink('other-name'); os.unlink('.env'); print(open(f'/proc/self/fd/{f}').read())",
        "import ctypes; c = ctypes.CDLL(None); print(os.read(c.syscall(2, b'.env', 0, 0), 99)); print(os.read(c.syscall(437, -100, b'.env', bytes(24), 24), 99))",
    ] {
        for mechanism in MECHANISMS {
            let place = place();
            let outcome = run(mechanism, &place, &format!("import os\n{how}"));
            assert!(!printed(&outcome).contains("the-secret-word"), "{how}: {}", printed(&outcome));
            assert!(
                fs::read_to_string(place.workspace.join(".env")).unwrap().contains("the-secret-word"),
                "{how}"
            );
        }
    }
}

/// Regression test: git failed with "failed to read .git/commondir", because an empty file covered the path that must
/// not be created.
#[test]
fn git_adds_and_commits_where_what_leads_it_elsewhere_must_not_be_made() {
    for mechanism in MECHANISMS {
        let place = place();
        let work = &place.workspace;
        fs::remove_dir_all(work.join(".git")).unwrap();
        let git = |args: &[&str]| {
            let done = std::process::Command::new("git").current_dir(work).args(args).output().unwrap();
            assert!(done.status.success(), "{done:?}");
            String::from_utf8_lossy(&done.stdout).into_owned()
        };
        git(&["init", "-q", "."]);
        let script = "export GIT_CONFIG_GLOBAL=/dev/null; git add notes.txt && git -c user.name=a -c user.email=a@b -c maintenance.auto=false commit -qm first && git log --format=%s";
        let outcome = block_on(run_in(&mechanism.walls(), spec(&place, &["bash", "-c", script]))).unwrap();
        let said = printed(&outcome);
        assert_eq!(said.trim(), "first", "{mechanism:?}");
        assert_eq!(git(&["log", "--format=%s"]).trim(), "first", "{mechanism:?}");
        assert!(work.join(".git/commondir").symlink_metadata().is_err(), "{mechanism:?}");
    }
}

#[test]
fn what_starts_programs_is_not_changed() {
    also_as_ordinary_user("what_starts_programs_is_not_changed");
    for how in [
        "open('.git/config', 'a').write('evil')",
        "open('.git/commondir', 'w').write('evil')",
        "open('.git/hooks/pre-commit', 'w').write('evil')",
        "open('deep.git', 'w').write('evil'); os.rename('deep.git', '.git/config')",
        "open('x', 'w').write('evil'); os.link('x', '.git/commondir')",
        "os.symlink('/tmp/evil', '.git/commondir')",
        "os.rename('.git', 'x'); open('x/config', 'a').write('evil'); os.rename('x', '.git')",
        "os.rename('.git/hooks', 'x')",
        "os.rmdir('.git/hooks'); os.symlink('/tmp', '.git/hooks')",
        "os.makedirs('lib'); open('plain/config', 'w').write('evil'); os.rename('plain', 'lib/.git')",
        "os.makedirs('lib/.git'); open('lib/.git/config', 'w').write('evil')",
        "os.makedirs('lib'); open('lib/.git', 'w').write('gitdir: /tmp/evil')",
        "os.makedirs('a/.vscode'); open('a/.vscode/tasks.json', 'w').write('evil')",
        "os.makedirs('a/x'); open('a/x/tasks.json', 'w').write('evil'); os.rename('a/x', 'a/.vscode')",
        "os.truncate('.git/config', 0)",
        "os.chmod('.git/config', 0o777)",
        "os.fchmod(os.open('.git/config', os.O_RDONLY), 0o777)",
        "os.unlink('.git/config')",
        "os.mkfifo('.git/commondir')",
        "f = os.open('.git/config', os.O_RDONLY); open(f'/proc/self/fd/{f}', 'w').write('evil')",
        "f = os.open('.', os.O_TMPFILE | os.O_RDWR, 0o644); os.write(f, b'evil'); os.link(f'/proc/self/fd/{f}', '.git/commondir')",
        "os.symlink('.git', 'g'); open('g/config', 'a').write('evil')",
        "os.symlink('.git/commondir', 'g'); open('g', 'w').write('evil')",
        "import ctypes; c = ctypes.CDLL(None); open('x', 'w'); c.syscall(316, -100, b'x', -100, b'.git/config', 2)",
        // Tries until the name has changed in the middle of a call at least once.
        "import sys, threading, ctypes\nsys.setswitchinterval(1e-6)\nc = ctypes.CDLL(None, use_errno=True)\nb = ctypes.create_string_buffer(b'./notes.txt\\0')\nstop = []\n\
         def flip():\n  while not stop:\n    b.value = b'.git/config'; b.value = b'./notes.txt'\n\
         t = threading.Thread(target=flip); t.start()\n\
         tries = refused = 0\nwhile tries < 3000 or not refused:\n  f = c.open(b, 1)\n  tries += 1\n\
         \x20 if f >= 0: os.write(f, b'evil'); os.close(f)\n  else: refused += ctypes.get_errno() in (1, 13, 30)\nstop.append(1)",
    ] {
        for mechanism in MECHANISMS {
            let place = place();
            let outcome = run(mechanism, &place, &format!("import os\n{how}"));
            let work = &place.workspace;
            let told = printed(&outcome);
            assert_eq!(
                fs::read_to_string(work.join(".git/config")).unwrap_or_default(),
                "[core]\n",
                "{how}: {told}"
            );
            let mode = std::os::unix::fs::PermissionsExt::mode(
                &work.join(".git/config").metadata().unwrap().permissions(),
            );
            assert_ne!(mode & 0o777, 0o777, "{how}");
            for made in [
                ".git/commondir",
                ".git/hooks/pre-commit",
                "lib/.git/config",
                "lib/.git",
                "a/.vscode/tasks.json",
            ] {
                let path = work.join(made);
                assert!(path.symlink_metadata().is_err() || path.is_dir(), "{how} made {made}: {told}");
            }
            assert!(work.join(".git/hooks").symlink_metadata().unwrap().is_dir(), "{how}");
            assert!(
                mechanism == Mechanism::Landlock && how.contains("/proc")
                    || outcome.refused.iter().any(|refused| refused.operation == Attempt::Write),
                "{how}: not told: {told}"
            );
        }
    }
}

/// An editor that saves by rename removes a mount. A guard by path is unaffected.
#[test]
fn others_may_save_by_rename_meanwhile_and_see_nothing_of_the_guard() {
    also_as_ordinary_user("others_may_save_by_rename_meanwhile_and_see_nothing_of_the_guard");
    let place = place();
    let work = place.workspace.clone();
    let is_over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let editor = {
        let (work, is_over) = (work.clone(), Arc::clone(&is_over));
        std::thread::spawn(move || {
            let mut saved = 0;
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                for (name, text) in [(".env", "KEY=the-secret-word\n"), (".git/config", "[core]\n")] {
                    fs::write(work.join("saving"), text).unwrap();
                    fs::rename(work.join("saving"), work.join(name)).unwrap();
                }
                let mut names: Vec<_> =
                    fs::read_dir(work.join(".git")).unwrap().map(|e| e.unwrap().file_name()).collect();
                names.sort();
                assert_eq!(names, ["config", "hooks"], "another program sees a trace of the guard");
                saved += 1;
            }
            saved
        })
    };
    let script = "import os\nread = changed = 0\nfor _ in range(2000):\n  try:\n    read += 'word' in open('.env').read()\n  except OSError: pass\n  \
                  try:\n    open('.git/config', 'a').write('evil'); changed += 1\n  except OSError: pass\nprint(read, changed)";
    let outcome = run(Mechanism::Bubblewrap, &place, script);
    is_over.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(editor.join().unwrap() > 10);
    assert_eq!(printed(&outcome).trim(), "0 0");
    assert_eq!(fs::read_to_string(work.join(".git/config")).unwrap(), "[core]\n");
}

#[test]
fn everything_else_is_as_without_walls() {
    also_as_ordinary_user("everything_else_is_as_without_walls");
    for (script, expected) in [
        ("echo a > f && cat f && rm f && echo gone", "a\ngone"),
        ("mkdir -p a/b/c && mv a x && ls x/b && rmdir x/b/c x/b x && echo ok", "c\nok"),
        ("umask 077; touch f; mkdir d; stat -c %a f d", "600\n700"),
        ("umask 022; touch f; chmod 751 f; stat -c %a f", "751"),
        ("ln -s nowhere l; echo x > l; cat nowhere", "x"),
        ("ln notes.txt h && cat h && ln -s notes.txt s && cat s", "hello\nhello"),
        (
            "cat < /dev/null; echo hi > /dev/stdout; echo ho | cat /dev/stdin; cat <(echo pipe)",
            "hi\nho\npipe",
        ),
        ("mkfifo p; (echo through > p &) ; cat p", "through"),
        ("cat /proc/self/comm; readlink /proc/self/exe | xargs basename", "cat\nreadlink"),
        ("set -o noclobber; echo 1 > n; echo 2 > n; cat n", "1"),
        ("cd plain && cd ../plain/inner && echo y > ../../z && cat ../../z", "y"),
        ("mkdir d && cd d && rmdir ../d && echo x > f; echo $?", "1"),
        ("cat nothing; cat plain; echo x > plain; true", ""),
        (
            "mkdir new && echo mine > new/.env && cat new/.env && mv new/.env new/x && mv new/x new/.env && cat new/.env && rm new/.env",
            "mine\nmine",
        ),
        (
            "truncate -s 5 t && stat -c %s t && dd if=/dev/zero of=t bs=1 count=3 2>/dev/null && stat -c %s t",
            "5\n3",
        ),
        ("cp -a plain copied && touch -d 2001-01-01 copied && stat -c %y copied | cut -c1-4", "2001"),
        (
            "python3 -c 'import tempfile, os; f = tempfile.TemporaryFile(dir=\".\"); f.write(b\"x\"); print(os.fstat(f.fileno()).st_nlink)'",
            "0",
        ),
        (
            "tar cf t.tar plain notes.txt && tar tf t.tar | wc -l && tar xf t.tar -C plain && cat plain/notes.txt",
            "3\nhello",
        ),
        ("echo > /tmp/x && ls /tmp/x && stat -c %a /tmp", "/tmp/x\n700"),
        ("for i in $(seq 200); do (echo $i > c$i) & done; wait; ls c* | wc -l", "200"),
        (
            "python3 -c 'import concurrent.futures as f; e = f.ThreadPoolExecutor(16); print(sum(e.map(lambda i: len(open(\"notes.txt\").read()), range(2000))))'",
            "12000",
        ),
        (
            "python3 -c 'import sqlite3; c = sqlite3.connect(\"db\"); c.execute(\"pragma journal_mode=wal\"); c.execute(\"create table t(x)\"); c.execute(\"insert into t values (7)\"); c.commit(); print(c.execute(\"select x from t\").fetchone()[0])'",
            "7",
        ),
    ] {
        for mechanism in MECHANISMS {
            // Without a private `/proc` and `/tmp`.
            if mechanism == Mechanism::Landlock
                && (script.contains("/proc") || script.contains("/tmp") || script.contains("/dev/std"))
            {
                continue;
            }
            let place = place();
            let outcome =
                block_on(run_in(&mechanism.walls(), spec(&place, &["bash", "-c", script]))).unwrap();
            assert_eq!(
                outcome.stdout.text().trim(),
                expected,
                "{script} by {mechanism:?}: {}",
                printed(&outcome)
            );
            assert_eq!(outcome.refused, [], "{script}");
        }
    }
}

#[test]
fn git_does_its_work_and_changes_its_settings_only_where_that_was_agreed_to() {
    also_as_ordinary_user("git_does_its_work_and_changes_its_settings_only_where_that_was_agreed_to");
    let git = resolve_program("git").unwrap();
    let walls = Mechanism::Bubblewrap.walls();
    let place = Place::new();
    let setting = |script: &str, agreed: bool| {
        let mut spec = ChildSpec {
            guard: Some(Arc::new(Names)),
            env: vec![
                ("GIT_AUTHOR_NAME".into(), "n".into()),
                ("GIT_AUTHOR_EMAIL".into(), "e@e".into()),
                ("GIT_COMMITTER_NAME".into(), "n".into()),
                ("GIT_COMMITTER_EMAIL".into(), "e@e".into()),
            ],
            ..place.spec(Confinement::Workspace, &["bash", "-ec", script])
        };
        if agreed {
            spec.configuring = vec![git.canonicalize().unwrap()];
        }
        let outcome = block_on(run_in(&walls, spec)).unwrap();
        (outcome.stdout.text() + &outcome.stderr.text(), outcome.refused)
    };
    let (told, refused) = setting("git init -q . && git add -A && git commit -qm one && echo fine", true);
    assert!(told.trim().ends_with("fine"), "{told}");
    assert_eq!(refused, []);
    let work = "git checkout -q -b b && echo x > x && git add x && git commit -qm two && git checkout -q - && echo y > y && \
                git add y && git commit -qm three && git rebase -q b && git stash list && echo z >> y && git stash -q && \
                git stash pop -q && git tag t && git gc -q && git log --oneline | wc -l";
    let (told, refused) = setting(work, false);
    assert!(told.trim().ends_with('3'), "{told}");
    assert_eq!(refused, []);
    let (told, refused) = setting("git config core.hooksPath evil; echo $?", false);
    assert!(!refused.is_empty(), "{told}");
    let (told, refused) = setting("git remote add o /nowhere && git remote", true);
    assert_eq!((told.trim(), refused), ("o", vec![]));
}

/// Regression test: `bind` also creates a file and used to be unguarded.
#[test]
fn a_socket_gets_no_name_that_is_guarded() {
    also_as_ordinary_user("a_socket_gets_no_name_that_is_guarded");
    for mechanism in MECHANISMS {
        let place = place();
        let script = "import socket\n\
                      def bind(name):\n  try: socket.socket(socket.AF_UNIX).bind(name); print('bound', name)\n  except OSError: print('kept', name)\n\
                      [bind(name) for name in ('.git/commondir', '.git/hooks/post-commit', 'plain/../.git/config.worktree', 'plain/free', chr(0) + 'a')]";
        let outcome = run(mechanism, &place, script);
        let told = printed(&outcome);
        assert_eq!(told.matches("kept .git").count(), 2, "{mechanism:?}: {told}");
        assert!(told.contains("kept plain/../.git"), "{mechanism:?}: {told}");
        for name in [".git/commondir", ".git/hooks/post-commit", ".git/config.worktree"] {
            assert!(place.workspace.join(name).symlink_metadata().is_err(), "{mechanism:?}: {name}");
        }
        // With Landlock alone, no socket gets a name.
        let is_free = mechanism == Mechanism::Bubblewrap;
        assert_eq!(told.contains("bound plain/free"), is_free, "{mechanism:?}: {told}");
    }
}

#[test]
fn where_the_kernel_notifies_nobody_covers_take_the_guards_place() {
    also_as_ordinary_user("where_the_kernel_notifies_nobody_covers_take_the_guards_place");
    let walls = Walls { notification: false, ..Mechanism::Bubblewrap.walls() };
    let place = place();
    let script = "cat .env other-name; echo evil >> .git/config; ls -A .git";
    let outcome = block_on(run_in(&walls, spec(&place, &["bash", "-c", script]))).unwrap();
    let told = printed(&outcome);
    assert!(!told.contains("the-secret-word"), "{told}");
    assert_eq!(fs::read_to_string(place.workspace.join(".git/config")).unwrap(), "[core]\n");
    // git, including the user's own, treats an empty file there as a broken repository.
    assert!(!told.contains("commondir"), "{told}");
    // Landlock alone cannot exclude anything from a granted folder, so nothing runs.
    let walls = Walls { notification: false, ..Mechanism::Landlock.walls() };
    assert!(block_on(run_in(&walls, spec(&place, &["true"]))).is_err());
}
