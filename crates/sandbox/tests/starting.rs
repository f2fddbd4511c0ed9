//! Commands that run without asking only start the approved programs, no matter what these are made to do. Each attempt
//! is also made where any program may start, where it must succeed.
#![allow(clippy::unwrap_used)]

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{Attempt, ChildSpec, Walls, resolve_program, walls};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{Mechanism, Place, also_as_ordinary_user, block_on, run_in};

/// Landlock with the supervisor, each of them alone, and bubblewrap with the supervisor.
fn everywhere() -> [(&'static str, Walls); 3] {
    let landlock = Mechanism::Landlock.walls();
    assert!(landlock.notification, "these tests need Linux 5.19 or newer, found {landlock:?}");
    [
        ("Landlock without the supervisor", Walls { notification: false, ..landlock.clone() }),
        ("Landlock", landlock),
        ("bubblewrap", Mechanism::Bubblewrap.walls()),
    ]
}

fn found(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| resolve_program(name).unwrap()).collect()
}

fn spec(place: &Place, argv: &[&str], programs: Option<&[&str]>) -> ChildSpec {
    ChildSpec { programs: programs.map(found), ..place.spec(Confinement::ReadOnly, argv) }
}

/// Returns what a command printed.
fn printed(walls: &Walls, spec: ChildSpec) -> String {
    let outcome = block_on(run_in(walls, spec)).unwrap();
    outcome.stdout.text() + &outcome.stderr.text()
}

/// Runs a command that prints `STARTED` if it manages to start an unapproved program.
fn attempt(argv: &[&str], programs: &[&str], prepare: impl Fn(&Place)) {
    let place = Place::new();
    prepare(&place);
    let open = ChildSpec { confinement: Confinement::Open, ..spec(&place, argv, None) };
    let free = printed(walls(), open);
    assert!(
        free.lines().any(|line| line.trim() == "STARTED"),
        "{argv:?} starts nothing even where it may: {free}"
    );
    // Some are stopped by another mechanism first, and git occasionally by a lock that it cannot create.
    let gets_there = printed(walls(), spec(&place, argv, None)).lines().any(|line| line.trim() == "STARTED");
    for (name, walls) in everywhere() {
        let place = Place::new();
        prepare(&place);
        let outcome = block_on(run_in(&walls, spec(&place, argv, Some(programs)))).unwrap();
        let text = outcome.stdout.text() + &outcome.stderr.text();
        assert!(
            !text.lines().any(|line| line.trim() == "STARTED"),
            "{argv:?} started something by {name}: {text}"
        );
        if walls.notification && gets_there && !argv.contains(&"cat-file") {
            let told = outcome.refused.iter().any(|refused| refused.operation == Attempt::Execute);
            assert!(told, "{argv:?} by {name}: the refusal is not told: {text}");
        }
    }
}

fn script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn evil(place: &Place) {
    script(&place.workspace.join("evil"), "#!/bin/sh\necho STARTED >&2\nexit 1\n");
}

#[test]
fn small_languages_start_nothing() {
    also_as_ordinary_user("small_languages_start_nothing");
    for (argv, programs) in [
        (&["sed", "1e echo STARTED", "notes.txt"] as &[&str], &["sed"] as &[&str]),
        (&["sed", "s/hello/echo STARTED/e", "notes.txt"], &["sed"]),
        (&["awk", "BEGIN{system(\"echo STARTED\")}"], &["awk"]),
        (&["awk", "BEGIN{\"echo STARTED\"|getline x; print x}"], &["awk"]),
        (&["awk", "BEGIN{print \"STARTED\"|\"cat 1>&2\"; close(\"cat 1>&2\")}"], &["awk"]),
        (&["find", ".", "-maxdepth", "0", "-exec", "echo", "STARTED", ";"], &["find"]),
        (&["sort", "--compress-program=./evil", "-S", "1k", "long"], &["sort"]),
        (&["bash", "-c", "cat notes.txt | /usr/bin/env echo STARTED"], &["cat"]),
        (&["bash", "-c", "exec ./evil < notes.txt"], &["cat"]),
        (&["xargs", "-a", "notes.txt", "-I{}", "echo", "STARTED"], &["xargs"]),
        (
            &["tar", "--checkpoint=1", "--checkpoint-action=exec=echo STARTED", "-cf", "/dev/null", "long"],
            &["tar"],
        ),
        (&["python3", "-c", "import os; os.system('echo STARTED')"], &["python3"]),
        (&["python3", "-c", "import os; os.execv('./evil', ['evil'])"], &["python3"]),
        (&["perl", "-e", "print `echo STARTED`"], &["perl"]),
    ] {
        attempt(argv, programs, |place| {
            evil(place);
            let long: String = (0..20_000).map(|n| format!("{}\n", n * 7919 % 20_011)).collect();
            fs::write(place.workspace.join("long"), long).unwrap();
        });
    }
}

/// The loader accepts any readable ELF file as a program, and is itself opened for every program.
#[test]
fn the_loader_launches_nothing() {
    also_as_ordinary_user("the_loader_launches_nothing");
    let loader = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
    let loader = loader.into_iter().find(|path| Path::new(path).exists()).unwrap();
    let place = Place::new();
    let text = format!("import os; os.execv('{loader}', ['ld', '/bin/echo', 'STARTED'])");
    let argv = ["python3", "-c", &text];
    assert!(printed(walls(), spec(&place, &argv, None)).lines().any(|line| line.trim() == "STARTED"));
    for (name, walls) in everywhere().into_iter().filter(|(_, walls)| walls.notification) {
        let text = printed(&walls, spec(&place, &argv, Some(&["python3"])));
        assert!(!text.lines().any(|line| line.trim() == "STARTED"), "by {name}: {text}");
    }
}

#[test]
fn a_planted_repository_starts_nothing() {
    also_as_ordinary_user("a_planted_repository_starts_nothing");
    let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";
    for (argv, more, attributes) in [
        (&["git", "status"] as &[&str], "[filter \"f\"]\n\tclean = ./evil\n", "*.txt filter=f\n"),
        (&["git", "diff"], "[filter \"f\"]\n\tclean = ./evil\n", "*.txt filter=f\n"),
        (&["git", "log", "-p"], "[diff \"d\"]\n\ttextconv = ./evil\n", "*.txt diff=d\n"),
        (&["git", "-c", "core.fsmonitor=./evil", "status"], "", ""),
        (&["git", "evil"], "[alias]\n\tevil = !./evil\n", ""),
        (
            &["git", "cat-file", "-p", "1111111111111111111111111111111111111111"],
            "[remote \"o\"]\n\tpromisor = true\n\turl = ext::./evil\n[protocol]\n\tallow = always\n[extensions]\n\tpartialClone = o\n",
            "",
        ),
    ] {
        attempt(argv, &["git"], |place| {
            evil(place);
            let git = |args: &[&str]| {
                let mut git = std::process::Command::new(resolve_program("git").unwrap());
                let identity = ["-c", "user.name=n", "-c", "user.email=e@e"];
                git.args(identity).args(args).current_dir(&place.workspace).env("HOME", "/nonexistent");
                assert!(git.output().unwrap().status.success(), "git {args:?}");
            };
            git(&["init", "-q"]);
            git(&["add", "notes.txt"]);
            git(&["commit", "-q", "-m", "m"]);
            fs::write(place.workspace.join(".gitattributes"), attributes).unwrap();
            fs::write(place.workspace.join("notes.txt"), "other\n").unwrap();
            let format =
                if more.contains("[extensions]") { config.replace("= 0", "= 1") } else { config.into() };
            fs::write(place.workspace.join(".git/config"), format + more).unwrap();
        });
    }
}

#[test]
fn what_was_judged_starts_with_what_it_needs() {
    also_as_ordinary_user("what_was_judged_starts_with_what_it_needs");
    for (argv, programs, expected) in [
        (&["cat", "notes.txt"] as &[&str], &["cat"] as &[&str], "hello"),
        (&["bash", "-c", "cat notes.txt | tr a-z A-Z && printf '%s\\n' done"], &["cat", "tr"], "HELLO\ndone"),
        (&["bash", "-c", "for f in *.txt; do wc -c < $f; done"], &["wc"], "6"),
        (&["egrep", "h.llo", "notes.txt"], &["egrep", "grep"], "hello"),
        (&["bash", "-c", "echo hi | gzip | zcat"], &["gzip", "zcat"], "hi"),
        (&["tar", "-tzf", "a.tgz"], &["tar", "gzip"], "notes.txt"),
        (&["git", "status", "--short"], &["git"], "?? notes.txt"),
        (&["which", "ls"], &["which"], "/ls"),
        (&["python3", "-c", "print('hi')"], &["python3"], "hi"),
    ] {
        for (name, walls) in everywhere() {
            let place = Place::new();
            let run = |program: &str, args: &[&str]| {
                let mut command = std::process::Command::new(resolve_program(program).unwrap());
                assert!(command.args(args).current_dir(&place.workspace).status().unwrap().success());
            };
            run("tar", &["-czf", "a.tgz", "notes.txt"]);
            run("git", &["init", "-q"]);
            let text = printed(&walls, spec(&place, argv, Some(programs)));
            assert!(text.contains(expected), "{argv:?} by {name}: {text}");
        }
    }
}
