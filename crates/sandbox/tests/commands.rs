//! What every command gets, how it ends, and the errors if it cannot run.

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{Ended, SandboxError, run_with, walls};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use support::{MECHANISMS, Mechanism, Place, also_as_ordinary_user, block_on, outcome, run_in};
use tokio_util::sync::CancellationToken;

const LEVELS: [Confinement; 4] =
    [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet, Confinement::Open];

#[test]
fn what_asks_through_a_socket_gets_no_answer_as_read_only() {
    // Therefore policy asks about them instead of allowing what could only fail.
    for mechanism in MECHANISMS {
        for command in ["ip addr", "ip route", "docker ps", "systemctl status", "journalctl -n 1"] {
            let program = command.split(' ').next().unwrap();
            let folders =
                ["/usr/bin", "/usr/sbin", "/usr/local/bin"].map(|folder| Path::new(folder).join(program));
            if !folders.iter().any(|path| path.is_file()) {
                println!("{program} is not installed here");
                continue;
            }
            let place = Place::new();
            let (code, printed, complaint) =
                block_on(outcome(&mechanism.walls(), place.bash(Confinement::ReadOnly, command)));
            let is_answer = code == 0 && !printed.is_empty() && !printed.contains("No entries");
            assert!(!is_answer, "{command} by {mechanism:?}: {printed}");
            println!("{command} by {mechanism:?}: {code}: {}", complaint.trim());
        }
    }
}

#[test]
fn harmless_reads_work_as_read_only() {
    also_as_ordinary_user("harmless_reads_work_as_read_only");
    for mechanism in MECHANISMS {
        let place = Place::new();
        let git = |args: &[&str]| {
            let mut command = std::process::Command::new("git");
            command
                .args(["-c", "user.name=x", "-c", "user.email=x@example.com"])
                .args(args)
                .current_dir(&place.workspace);
            assert!(command.output().unwrap().status.success(), "git {args:?}");
        };
        git(&["init", "--quiet"]);
        git(&["add", "notes.txt"]);
        git(&["commit", "--quiet", "--message", "first words"]);
        fs::write(place.workspace.join("new.txt"), "b\na\n").unwrap();
        for (script, expected) in [
            ("ls", "new.txt\nnotes.txt\n"),
            ("cat notes.txt", "hello\n"),
            ("grep -rn hello notes.txt", "1:hello\n"),
            ("find . -name '*.txt' | sort", "./new.txt\n./notes.txt\n"),
            ("git status --short", "?? new.txt\n"),
            ("git log --format=%s", "first words\n"),
            ("git diff --stat", ""),
            ("du -b notes.txt", "6\tnotes.txt\n"),
            ("sort new.txt", "a\nb\n"),
            ("cat <(echo substituted)", "substituted\n"),
            ("timeout 5 echo in time", "in time\n"),
            ("echo piped | cat /dev/stdin", "piped\n"),
            ("cat notes.txt > /dev/null && echo $?", "0\n"),
            ("wc -l < notes.txt", "1\n"),
            ("head -c 3 /dev/zero | od -An -tx1", " 00 00 00\n"),
            ("stat -c %s notes.txt", "6\n"),
            ("/usr/bin/python3 -V | cut -c 1-8", "Python 3\n"),
            ("/usr/bin/python3 -c 'print(open(\"notes.txt\").read(), end=\"\")'", "hello\n"),
            ("awk '{print $1}' notes.txt", "hello\n"),
            ("diff notes.txt notes.txt && echo same", "same\n"),
            ("sha256sum notes.txt | cut -c 1-8", "5891b5b5\n"),
            ("test -n \"$(nproc)\" && echo yes", "yes\n"),
            ("yes | head -n 1", "y\n"),
        ] {
            let (code, printed, complaint) =
                block_on(outcome(&mechanism.walls(), place.bash(Confinement::ReadOnly, script)));
            assert_eq!(
                (code, printed.as_str(), complaint.as_str()),
                (0, expected, ""),
                "{script} by {mechanism:?}"
            );
        }
    }
}

#[test]
fn work_in_the_workspace_works() {
    also_as_ordinary_user("work_in_the_workspace_works");
    for level in [Confinement::Workspace, Confinement::WorkspaceNet] {
        let place = Place::new();
        fs::set_permissions(&place.workspace, fs::Permissions::from_mode(0o777)).unwrap();
        for script in [
            "echo x > made && mkdir -p a/b && mv made a/b && cp -p a/b/made copy && ln copy hard && ln -s copy soft && rm hard",
            "echo 'echo ran' > run.sh && chmod +x run.sh && test -x run.sh && [ \"$(sh ./run.sh)\" = ran ]",
            "touch -d @1 copy && [ $(stat -c %Y copy) = 1 ]",
            "t=$(mktemp) && echo x > $t && [ \"$TMPDIR\" = /tmp ] && ls /tmp/$(basename $t) && rm $t",
            "printf 'int main(){return 0;}' > c.c && gcc c.c -o c.out && ./c.out",
            "git init --quiet r && cd r && echo x > x && git add x && git -c user.name=x -c user.email=x@example.com commit --quiet -m x && git log --oneline",
            "/usr/bin/python3 -c 'import multiprocessing as m; assert m.Pool(2).map(abs, [-1]) == [1]'",
            "/usr/bin/python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", 0)); socket.create_connection(s.getsockname())'",
            "setsid true && (sleep 5 & kill %1; wait; true)",
            "tar cf t.tar copy && tar xf t.tar",
        ] {
            let (code, printed, complaint) =
                block_on(outcome(&Mechanism::Bubblewrap.walls(), place.bash(level, script)));
            assert_eq!(code, 0, "{script} as {level:?}: {printed} {complaint}");
        }
        assert!(place.workspace.join("c.out").exists());
    }
}

#[test]
fn temporary_files_go_with_the_command() {
    for mechanism in MECHANISMS {
        let place = Place::new();
        let mut spec =
            place.bash(Confinement::Workspace, "echo x > $TMPDIR/file; mkdir $TMPDIR/folder; echo $TMPDIR");
        let (code, printed, _) = block_on(outcome(&mechanism.walls(), spec.clone()));
        let path = Path::new(printed.trim_end());
        assert!(code == 0 && (!path.starts_with("/tmp/deputy-scratch-") || !path.exists()), "{printed}");
        spec.argv[2] = "cat $TMPDIR/file".into();
        assert_ne!(block_on(outcome(&mechanism.walls(), spec)).0, 0, "each has its own");
    }
}

/// A rule set is reused by the next command, but what it granted in addition to the view must not be.
#[test]
fn the_temporary_folder_of_an_earlier_command_is_out_of_reach() {
    for mechanism in MECHANISMS {
        let place = Place::new();
        let mut earlier = PathBuf::new();
        for _ in 0..3 {
            let is_known = earlier.starts_with("/tmp/deputy-scratch-");
            if is_known {
                fs::create_dir(&earlier).unwrap();
                fs::write(earlier.join("file"), "of somebody else").unwrap();
            }
            let script = format!("cat {}/file >&2; echo > $TMPDIR/file; echo $TMPDIR", earlier.display());
            let spec = place.bash(Confinement::Workspace, &script);
            let (code, printed, complaint) = block_on(outcome(&mechanism.walls(), spec));
            assert!(code == 0 && !complaint.contains("of somebody else"), "{printed} {complaint}");
            if is_known {
                fs::remove_dir_all(&earlier).unwrap();
            }
            earlier = printed.trim_end().into();
        }
    }
}

#[test]
fn the_environment_is_clean() {
    for level in LEVELS {
        let mut spec = Place::new().spec(level, &["env"]);
        let place = Place::new();
        (spec.cwd, spec.readable, spec.writable) =
            (place.workspace.clone(), vec![place.workspace.clone()], vec![place.workspace.clone()]);
        spec.env = vec![("GIVEN".into(), "1".into()), ("TERM".into(), "vt100".into())];
        let (_, printed, _) = block_on(outcome(walls(), spec));
        let names: Vec<&str> = printed.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        let known =
            ["PATH", "HOME", "USER", "LANG", "TERM", "PAGER", "TMPDIR", "XDG_CONFIG_HOME", "PWD", "GIVEN"];
        assert!(names.iter().all(|name| known.contains(name) || name.starts_with("GIT_")), "{names:?}");
        assert!(
            printed.contains("GIVEN=1\n")
                && printed.contains("TERM=vt100\n")
                && !printed.contains("TERM=dumb")
        );
    }
}

#[test]
fn input_output_and_codes() {
    for level in LEVELS {
        let place = Place::new();
        let mut spec = place.bash(level, "cat; echo problem >&2; exit 3");
        let big = vec![b'x'; 300_000];
        spec.stdin = deputy_sandbox::Input::Bytes(big.clone());
        (spec.limits.head_bytes, spec.limits.tail_bytes) = (400_000, 0);
        let seen = Arc::new(Mutex::new(0));
        let sink: deputy_sandbox::OutputSink = {
            let seen = Arc::clone(&seen);
            Arc::new(move |chunk| *seen.lock().unwrap() += chunk.len())
        };
        let out = block_on(run_with(walls(), spec, CancellationToken::new(), Some(sink))).unwrap();
        assert_eq!(
            (out.ended, out.stdout.head == big, out.stderr.text().as_str()),
            (Ended::Exited(3), true, "problem\n"),
            "as {level:?}"
        );
        assert_eq!(*seen.lock().unwrap(), 300_008);

        let no_input = block_on(outcome(walls(), place.spec(level, &["cat"])));
        assert_eq!(no_input, (0, String::new(), String::new()));
        let no_text = block_on(outcome(walls(), place.spec(level, &["printf", "a\\377b"])));
        assert_eq!(no_text.1, "a\u{fffd}b");
        let spaced = block_on(outcome(walls(), place.spec(level, &["echo", "a  b", "$HOME", "*"])));
        assert_eq!(spaced.1, "a  b $HOME *\n");
    }
}

#[test]
fn signals() {
    let place = Place::new();
    for (walls, level, expected) in [
        (walls().clone(), Confinement::Open, Ended::Signalled(11)),
        (Mechanism::Landlock.walls(), Confinement::ReadOnly, Ended::Signalled(11)),
        (Mechanism::Bubblewrap.walls(), Confinement::Workspace, Ended::Exited(128 + 11)),
    ] {
        assert_eq!(block_on(run_in(&walls, place.bash(level, "kill -SEGV $$"))).unwrap().ended, expected);
    }
}

#[test]
fn a_command_cancelled_beforehand_does_not_run() {
    let place = Place::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let out = block_on(run_with(walls(), place.bash(Confinement::Open, "touch made"), cancel, None)).unwrap();
    assert_eq!((out.ended, place.workspace.join("made").exists()), (Ended::Cancelled, false));
}

#[test]
fn what_cannot_run_is_said() {
    let place = Place::new();
    let file = |name: &str, content: &str, mode| {
        let path = place.workspace.join(name);
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let (plain, odd) = (file("plain", "x", 0o644), file("odd", "\u{1}\u{2}\u{3}", 0o755));
    let no_interpreter = file("script", "#!/no/such/interpreter\n", 0o755);
    let long = "x".repeat(200_000);
    for level in LEVELS {
        let fails = |argv: &[&str]| block_on(run_in(walls(), place.spec(level, argv))).unwrap_err();
        assert!(matches!(fails(&[]), SandboxError::EmptyCommand));
        assert!(matches!(fails(&["no-such-program"]), SandboxError::ProgramNotFound { .. }));
        assert!(matches!(fails(&["/no/such/program"]), SandboxError::ProgramNotFound { .. }));
        assert!(matches!(fails(&["./plain"]), SandboxError::ProgramNotFound { .. }));
        assert!(matches!(fails(&[&plain]), SandboxError::NotExecutable { .. }));
        assert!(matches!(fails(&["/usr"]), SandboxError::NotExecutable { .. }));
        assert!(matches!(fails(&["echo", "a\0b"]), SandboxError::ZeroByte { .. }));

        let mut gone = place.spec(level, &["echo"]);
        gone.cwd = place.workspace.join("gone");
        assert!(matches!(
            block_on(run_in(walls(), gone.clone())).unwrap_err(),
            SandboxError::WorkingDirectory { .. }
        ));
        gone.cwd = place.workspace.join("plain");
        assert!(matches!(
            block_on(run_in(walls(), gone)).unwrap_err(),
            SandboxError::WorkingDirectory { .. }
        ));
        if level == Confinement::ReadOnly || level == Confinement::Open {
            assert!(matches!(fails(&[&odd]), SandboxError::NotExecutable { .. }));
            assert!(matches!(fails(&[&no_interpreter]), SandboxError::NotExecutable { .. }));
            assert!(matches!(fails(&["echo", &long]), SandboxError::ArgumentsTooLong { .. }));
        }
        if level != Confinement::Open {
            let mut outside = place.spec(level, &["echo"]);
            outside.cwd = place.root().into();
            assert!(matches!(
                block_on(run_in(walls(), outside)).unwrap_err(),
                SandboxError::WorkingDirectoryOutOfSight { .. }
            ));
            let mut outside = place.spec(level, &[&odd]);
            (outside.cwd, outside.readable, outside.writable) = ("/".into(), Vec::new(), Vec::new());
            assert!(matches!(
                block_on(run_in(walls(), outside)).unwrap_err(),
                SandboxError::ProgramOutOfSight { .. }
            ));
            let mut relative = place.spec(level, &["echo"]);
            relative.readable = vec!["work".into()];
            assert!(matches!(block_on(run_in(walls(), relative)).unwrap_err(), SandboxError::Grant { .. }));
        }
    }
}

#[test]
fn folders_may_be_named_by_links() {
    for mechanism in MECHANISMS {
        for level in [Confinement::ReadOnly, Confinement::Workspace] {
            let place = Place::new();
            let link = place.root().join("link");
            std::os::unix::fs::symlink(&place.workspace, &link).unwrap();
            let mut spec = place.spec(level, &["cat", &link.join("notes.txt").display().to_string()]);
            (spec.cwd, spec.readable, spec.writable) = (link.clone(), vec![link.clone()], vec![link]);
            assert_eq!(
                block_on(outcome(&mechanism.walls(), spec)).1,
                "hello\n",
                "as {level:?} by {mechanism:?}"
            );
        }
    }
}

#[test]
fn many_commands_at_once() {
    let place = Place::new();
    fs::write(place.workspace.join(".env"), "x").unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut running = tokio::task::JoinSet::new();
        for n in 0..60 {
            let mut spec = place.spec(LEVELS[n % 4], &["echo", &n.to_string()]);
            spec.hidden = vec![place.workspace.join(".env")];
            spec.frozen = vec![place.workspace.join(".git/hooks")];
            running.spawn(async move { (n, run_in(walls(), spec).await.unwrap()) });
        }
        while let Some(done) = running.join_next().await {
            let (n, out) = done.unwrap();
            assert_eq!((out.ended, out.stdout.text()), (Ended::Exited(0), format!("{n}\n")));
        }
    });
    assert!(!place.workspace.join(".git").exists(), "what kept the place of an absent folder is gone");
}

#[test]
fn the_machines_settings_are_read_only_for_root_too() {
    for mechanism in MECHANISMS {
        // They are opened, but nothing is written.
        let script = "for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches; do python3 -c \"open('$f', 'w')\" 2>/dev/null && echo opened $f; done; true";
        for level in [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet] {
            let (_, printed, _) = block_on(outcome(&mechanism.walls(), Place::new().bash(level, script)));
            assert_eq!(printed, "", "as {level:?} by {mechanism:?}");
        }
    }
}
