//! A person is asked during a command. What the person allows is open to the command, nothing else is, and walks cause
//! no questions.
#![allow(clippy::unwrap_used)]

mod support;

use deputy_protocol::Confinement;
use deputy_sandbox::{Attempt, ChildSpec, Ended, Guard, Outcome, Reply, Wanted};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::{MECHANISMS, Mechanism, Place, also_as_ordinary_user, block_on, run_in};

/// The answers of a person.
type Person = Box<dyn Fn(&Wanted) -> Said + Send + Sync>;

#[derive(Clone, Copy, PartialEq)]
enum Said {
    Yes,
    No,
    /// No answer until another question is asked.
    Later,
}

/// Guards `.env` files, keys and git's settings. Asks about all of them, and about everything outside.
struct Asking {
    person: Person,
    asked: Mutex<Vec<Wanted>>,
    later: Mutex<Vec<Reply>>,
}

impl std::fmt::Debug for Asking {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Asking")
    }
}

impl Guard for Asking {
    fn secret(&self, real: &Path) -> Option<deputy_messages::Phrase> {
        let name = real.file_name()?.to_string_lossy().into_owned();
        (name.starts_with(".env") || name.ends_with(".key")).then(|| "a secret".into())
    }

    fn starts_programs(&self, real: &Path, _is_folder: bool) -> Option<deputy_messages::Phrase> {
        real.to_string_lossy().contains(".git/config").then(|| "starts programs".into())
    }

    fn may_ask(&self, _operation: Attempt, real: &Path, _is_outside: bool) -> bool {
        !real.ends_with("never.key")
    }

    fn ask(&self, wanted: Wanted, reply: Reply) {
        let said = (self.person)(&wanted);
        self.asked.lock().unwrap().push(wanted);
        match said {
            Said::Yes => reply.allow(),
            Said::No => reply.refuse("not today"),
            Said::Later => return self.later.lock().unwrap().push(reply),
        }
        self.later.lock().unwrap().drain(..).for_each(Reply::allow);
    }
}

fn place() -> Place {
    let place = Place::new();
    let work = &place.workspace;
    fs::create_dir_all(work.join(".git")).unwrap();
    fs::create_dir_all(work.join("deep/er")).unwrap();
    fs::write(work.join(".git/config"), "[core]\n").unwrap();
    for name in [".env", ".env.other", "a.key", "never.key", "deep/.env", "deep/er/b.key"] {
        fs::write(work.join(name), format!("word-of-{name}\n")).unwrap();
    }
    place
}

struct Told {
    outcome: Outcome,
    asked: Vec<(Attempt, String)>,
}

impl Told {
    fn text(&self) -> String {
        self.outcome.stdout.text() + &self.outcome.stderr.text()
    }
}

fn run(
    mechanism: Mechanism,
    place: &Place,
    argv: &[&str],
    person: impl Fn(&Wanted) -> Said + Send + Sync + 'static,
) -> Told {
    let guard =
        Arc::new(Asking { person: Box::new(person), asked: Mutex::default(), later: Mutex::default() });
    let work = &place.workspace;
    let spec = ChildSpec {
        guard: Some(guard.clone()),
        hidden: vec![work.join(".env"), work.join("never.key")],
        ..place.spec(Confinement::Workspace, argv)
    };
    let outcome = block_on(run_in(&mechanism.walls(), spec)).unwrap();
    let below = |wanted: &Wanted| {
        let path = wanted.path.strip_prefix(work).unwrap_or(&wanted.path);
        (wanted.operation, path.to_str().unwrap().to_owned())
    };
    let asked = guard.asked.lock().unwrap().iter().map(below).collect();
    Told { outcome, asked }
}

fn python(
    mechanism: Mechanism,
    place: &Place,
    script: &str,
    person: impl Fn(&Wanted) -> Said + Send + Sync + 'static,
) -> Told {
    run(mechanism, place, &["/usr/bin/python3", "-c", script], person)
}

#[test]
fn the_time_of_a_command_does_not_include_asking_a_person() {
    const ASKED_FOR: Duration = Duration::from_millis(300);
    for mechanism in MECHANISMS {
        let (place, begun) = (place(), Instant::now());
        let told = python(mechanism, &place, "print(open('.env').read())", |_| {
            let asked = Instant::now();
            while asked.elapsed() < ASKED_FOR {
                std::thread::yield_now();
            }
            Said::Yes
        });
        assert!(told.text().contains("word-of-.env"), "{}", told.text());
        assert!(told.outcome.duration + ASKED_FOR <= begun.elapsed(), "{:?}", told.outcome.duration);
    }
}

/// Calls one file a secret, and asks about nothing.
#[derive(Debug)]
struct Closed(PathBuf);

impl Guard for Closed {
    fn secret(&self, real: &Path) -> Option<deputy_messages::Phrase> {
        (real == self.0).then(|| "a secret".into())
    }

    fn starts_programs(&self, _real: &Path, _is_folder: bool) -> Option<deputy_messages::Phrase> {
        None
    }
}

#[test]
fn a_secret_outside_is_named_although_the_command_does_not_see_it() {
    let Some(outside) = outside() else { return };
    let script = format!("open('{}')", outside.display());
    for mechanism in MECHANISMS {
        let place = place();
        for secret in [outside.to_owned(), place.root().join("other")] {
            let spec = ChildSpec {
                guard: Some(Arc::new(Closed(secret.clone()))),
                ..place.spec(Confinement::Workspace, &["/usr/bin/python3", "-c", &script])
            };
            let outcome = block_on(run_in(&mechanism.walls(), spec)).unwrap();
            let refused: Vec<PathBuf> = outcome.refused.into_iter().map(|refused| refused.path).collect();
            let expected = if secret == outside { vec![secret] } else { Vec::new() };
            assert_eq!(refused, expected, "{mechanism:?}");
            assert_eq!(outcome.ended, Ended::Exited(1));
        }
    }
}

#[test]
fn what_a_person_allows_is_read_and_nobody_is_asked_twice() {
    also_as_ordinary_user("what_a_person_allows_is_read_and_nobody_is_asked_twice");
    for mechanism in MECHANISMS {
        let place = place();
        let script = "for _ in range(3): print(open('.env').read())\nimport subprocess\n\
                      print(subprocess.run(['/bin/cat', '.env'], capture_output=True, text=True).stdout)";
        let told = python(mechanism, &place, script, |_| Said::Yes);
        assert_eq!(told.text().matches("word-of-.env").count(), 4, "{}", told.text());
        assert_eq!(told.asked, [(Attempt::Read, ".env".into())]);
        assert_eq!(told.outcome.refused, []);
        assert_eq!(told.outcome.ended, Ended::Exited(0));
    }
}

/// Regression test: the answer used to be bound only to the path, at which a command could put another folder.
#[test]
fn a_yes_is_for_the_file_that_was_shown_and_for_no_other_in_its_place() {
    also_as_ordinary_user("a_yes_is_for_the_file_that_was_shown_and_for_no_other_in_its_place");
    for mechanism in MECHANISMS {
        let place = place();
        fs::create_dir(place.workspace.join("other")).unwrap();
        fs::write(place.workspace.join("other/.env"), "word-of-other\n").unwrap();
        let script = "import os\nprint(open('deep/.env').read())\nos.rename('deep', 'away')\n\
                      os.rename('other', 'deep')\nprint(open('deep/.env').read())";
        let is_first = std::sync::atomic::AtomicBool::new(true);
        let told = python(mechanism, &place, script, move |_| {
            if is_first.swap(false, std::sync::atomic::Ordering::Relaxed) { Said::Yes } else { Said::No }
        });
        assert!(told.text().contains("word-of-deep"), "{}", told.text());
        assert!(!told.text().contains("word-of-other"), "{}", told.text());
        assert_eq!(told.asked, [(Attempt::Read, "deep/.env".into()), (Attempt::Read, "deep/.env".into())]);
    }
}

#[test]
fn a_no_gives_what_is_given_without_asking_and_holds_for_the_command() {
    also_as_ordinary_user("a_no_gives_what_is_given_without_asking_and_holds_for_the_command");
    for mechanism in MECHANISMS {
        let place = place();
        let script = "for path, how in [('.env', 'r'), ('.env', 'r'), ('.git/config', 'a')]:\n\
                      \x20 try: open(path, how)\n\
                      \x20 except PermissionError as e: print(e.errno)";
        let told = python(mechanism, &place, script, |_| Said::No);
        assert_eq!(told.text(), "13\n13\n13\n");
        assert_eq!(told.asked, [(Attempt::Read, ".env".into()), (Attempt::Write, ".git/config".into())]);
        let whys: Vec<&str> = told.outcome.refused.iter().map(|refused| refused.why.as_str()).collect();
        assert!(whys[0].ends_with("the user was asked and did not allow it: not today"), "{whys:?}");
        assert_eq!(whys.len(), 2, "{whys:?}");
    }
}

#[test]
fn a_change_that_a_person_allows_is_made() {
    also_as_ordinary_user("a_change_that_a_person_allows_is_made");
    for mechanism in MECHANISMS {
        let place = place();
        let script = "import os\nopen('.git/config.lock', 'w').write('[new]\\n')\n\
                      os.rename('.git/config.lock', '.git/config')\nprint(open('.git/config').read())";
        let told = python(mechanism, &place, script, |_| Said::Yes);
        assert_eq!(
            fs::read_to_string(place.workspace.join(".git/config")).unwrap(),
            "[new]\n",
            "{}",
            told.text()
        );
        // The lock file's name is guarded by these names, too.
        assert!(told.asked.contains(&(Attempt::Write, ".git/config".into())), "{:?}", told.asked);
    }
}

/// An allowed path opens exactly that file, with any spelling of the path.
#[test]
fn what_is_allowed_opens_nothing_else() {
    also_as_ordinary_user("what_is_allowed_opens_nothing_else");
    const FILES: [&str; 6] = [".env", ".env.other", "a.key", "never.key", "deep/.env", "deep/er/b.key"];
    let script = r"
import os, sys
files = sys.argv[1:]
for again in range(2):
    for name in files:
        for spelled in (name, './' + name, os.path.abspath(name), 'deep/../' + name, '/proc/self/cwd/' + name):
            try: sys.stdout.write(open(spelled).read())
            except OSError: pass
            try: open(spelled, 'a').close()
            except OSError: pass
for name in files:
    try: os.symlink(name, 'l'); sys.stdout.write(open('l').read()); os.unlink('l')
    except OSError: pass
    for act in (lambda: os.link(name, 'm'), lambda: os.rename(name, 'm')):
        try: act(); sys.stdout.write(open('m').read()); os.unlink('m')
        except OSError: pass
";
    for mechanism in MECHANISMS {
        for allowed in FILES {
            let place = place();
            let argv = ["/usr/bin/python3", "-c", script].into_iter().chain(FILES).collect::<Vec<_>>();
            let own = place.workspace.join(allowed);
            let told = run(mechanism, &place, &argv, move |wanted| {
                let is_it = wanted.path == own && wanted.operation == Attempt::Read;
                if is_it { Said::Yes } else { Said::No }
            });
            let is_allowed = told.asked.contains(&(Attempt::Read, allowed.into()));
            for file in FILES {
                let was_read = told.text().contains(&format!("word-of-{file}\n"));
                assert_eq!(was_read, file == allowed && is_allowed, "{file}, of {allowed} by {mechanism:?}");
                let now = fs::read_to_string(place.workspace.join(file)).unwrap();
                assert_eq!(now, format!("word-of-{file}\n"));
            }
            assert!(told.asked.len() <= 5, "{:?}", told.asked);
            assert!(!told.asked.iter().any(|(_, path)| path == "never.key"));
        }
    }
}

#[test]
fn walks_ask_nobody() {
    also_as_ordinary_user("walks_ask_nobody");
    for walk in [
        "grep -r word .",
        "find . -type f -exec cat {} +",
        "find . -type f -exec cat {} ';'",
        "find . -type f | xargs cat",
        "tar cf x.tar .",
        // Not all of `.`: cp stops when it reaches its own copy, which some folders list first.
        "cp -r deep copy",
        "for f in .e* deep/.e*; do cat \"$f\"; done",
        "python3 -c 'import os\nfor at, _, names in os.walk(\".\"):\n  for n in names: open(os.path.join(at, n)).read()'",
        "rm -rf .git; true",
    ] {
        for mechanism in MECHANISMS {
            let place = place();
            let told = run(mechanism, &place, &["bash", "-c", walk], |_| Said::Yes);
            assert_eq!(told.asked, [], "{walk} by {mechanism:?}: {}", told.text());
            assert!(!told.outcome.refused.is_empty(), "{walk}: {}", told.text());
        }
    }
}

#[test]
fn after_a_few_questions_nobody_is_asked_any_more() {
    let place = place();
    for n in 0..8 {
        fs::write(place.workspace.join(format!("{n}.key")), "word-of-one\n").unwrap();
    }
    let script = "for n in range(8):\n\
                  \x20 try: print(open(f'{n}.key').read())\n\
                  \x20 except PermissionError: pass";
    let told = python(Mechanism::Bubblewrap, &place, script, |_| Said::Yes);
    assert_eq!(told.asked.len(), 5);
    assert_eq!(told.text().matches("word-of-one").count(), 5);
    assert_eq!(told.outcome.refused.len(), 3);
}

#[test]
fn others_are_served_while_one_waits_and_two_may_wait_at_once() {
    for mechanism in MECHANISMS {
        let place = place();
        // The first question is only answered when the second is asked, which happens after a lot of work of the same
        // command.
        let script = "import subprocess\nfirst = subprocess.Popen(['/usr/bin/python3', '-c', 'print(open(\".env\").read())'])\n\
                      for n in range(200): open(f'f{n}', 'w').close()\n\
                      print(open('a.key').read())\nfirst.wait()";
        let told = python(mechanism, &place, script, |wanted| {
            if wanted.path.ends_with(".env") { Said::Later } else { Said::Yes }
        });
        // Both end well, whichever asks first.
        if told.asked.first().is_some_and(|(_, path)| path == ".env") {
            assert!(
                told.text().contains("word-of-.env") && told.text().contains("word-of-a.key"),
                "{}",
                told.text()
            );
        }
        assert_eq!(told.asked.len(), 2, "{:?}", told.asked);
    }
}

/// Returns a file outside of what a command sees. `None` if this user may read neither: a source file of this crate, or
/// a file of every Debian system if the sources are in a temporary folder, of which a command has a private version.
fn outside() -> Option<&'static Path> {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let places = [sources, "/var/lib/dpkg/status"].map(Path::new);
    places.into_iter().find(|path| !path.starts_with("/tmp") && fs::File::open(path).is_ok())
}

#[test]
fn a_file_outside_is_read_if_a_person_allows_it_and_is_not_there_otherwise() {
    also_as_ordinary_user("a_file_outside_is_read_if_a_person_allows_it_and_is_not_there_otherwise");
    let Some(outside) = outside() else { return };
    let content = fs::read_to_string(outside).unwrap();
    let word = content.lines().find(|line| line.len() > 10).unwrap().trim();
    let script = format!(
        "import sys\ntry: print(open('{}').read())\nexcept OSError as e: print(e.strerror)",
        outside.display()
    );
    for mechanism in MECHANISMS {
        for said in [Said::Yes, Said::No] {
            let place = place();
            let told = python(mechanism, &place, &script, move |_| said);
            assert_eq!(told.text().contains(word), said == Said::Yes, "{mechanism:?}: {}", told.text());
            assert_eq!(told.asked, [(Attempt::Read, outside.to_str().unwrap().to_owned())]);
        }
    }
}

/// Asks like [`Asking`], and also about a folder that was refused before.
#[derive(Debug)]
struct Keeping {
    asking: Asking,
    kept: PathBuf,
}

impl Guard for Keeping {
    fn secret(&self, real: &Path) -> Option<deputy_messages::Phrase> {
        self.asking.secret(real)
    }

    fn refused(&self, real: &Path, is_tree: bool) -> Option<(deputy_messages::Phrase, PathBuf)> {
        let is_meant = real.starts_with(&self.kept) || is_tree && self.kept.starts_with(real);
        is_meant.then(|| ("refused before".into(), self.kept.clone()))
    }

    fn starts_programs(&self, real: &Path, is_folder: bool) -> Option<deputy_messages::Phrase> {
        self.asking.starts_programs(real, is_folder)
    }

    fn may_ask(&self, operation: Attempt, real: &Path, is_outside: bool) -> bool {
        self.asking.may_ask(operation, real, is_outside)
    }

    fn ask(&self, wanted: Wanted, reply: Reply) {
        self.asking.ask(wanted, reply);
    }
}

/// Runs a script while the folder `top/kept` is refused. Returns what was asked and whether the folder is unchanged.
fn keeping(mechanism: Mechanism, script: &str, said: Said) -> (Told, bool) {
    let place = place();
    let work = &place.workspace;
    fs::create_dir_all(work.join("top/kept/.git")).unwrap();
    for (name, content) in [("a", "a"), ("b", "b"), (".git/config", "[core]\n")] {
        fs::write(work.join("top/kept").join(name), content).unwrap();
    }
    let person: Person = Box::new(move |_| said);
    let asking = Asking { person, asked: Mutex::default(), later: Mutex::default() };
    let guard = Arc::new(Keeping { asking, kept: work.join("top/kept") });
    let spec = ChildSpec {
        guard: Some(guard.clone()),
        frozen: vec![work.join("top/kept")],
        ..place.spec(Confinement::Workspace, &["/bin/bash", "-c", script])
    };
    let outcome = block_on(run_in(&mechanism.walls(), spec)).unwrap();
    let below = |wanted: &Wanted| {
        let path = wanted.path.strip_prefix(work).unwrap_or(&wanted.path);
        (wanted.operation, path.to_str().unwrap().to_owned())
    };
    let asked = guard.asking.asked.lock().unwrap().iter().map(below).collect();
    let is_whole = ["a", "b"].iter().all(|name| {
        fs::read_to_string(work.join("top/kept").join(name)).is_ok_and(|content| content == **name)
    });
    (Told { outcome, asked }, is_whole)
}

const CHANGES: &[&str] = &[
    "rm -rf top/kept",
    "rm top/kept/a; rm top/kept/b",
    "mv top/kept elsewhere",
    "mv top elsewhere",
    "mv top/kept/a .",
    "truncate -s 0 top/kept/a top/kept/b",
    "echo x > top/kept/a",
    "echo x >> top/kept/a",
    "echo x > new; cp new top/kept/a; mv new top/kept/b",
    "ln top/kept/a other && echo x > other",
    "ln -s top/kept link && rm link/a link/b",
    "cd top/kept && find . -type f -delete",
    "python3 -c \"import shutil; shutil.rmtree('top')\"",
    "python3 -c \"import os; os.rename('deep', 'top/kept/b')\"",
    "perl -e 'unlink glob \"top/kept/*\"'",
];

#[test]
fn a_refused_folder_is_asked_about_as_a_whole_and_stays_as_it_is() {
    also_as_ordinary_user("a_refused_folder_is_asked_about_as_a_whole_and_stays_as_it_is");
    for mechanism in MECHANISMS {
        for script in CHANGES {
            let (told, is_whole) = keeping(mechanism, script, Said::No);
            assert!(is_whole, "{script}: {}", told.text());
            let programs = told.asked.len();
            assert!(programs == 1, "{script}: {:?}", told.asked);
            assert_eq!(told.asked[0], (Attempt::Write, "top/kept".into()), "{script}");
            assert!(
                told.outcome.refused.iter().any(|refused| refused.why.contains("refused before")),
                "{script}"
            );
        }
    }
}

#[test]
fn a_refused_folder_can_be_read_without_a_question() {
    for mechanism in MECHANISMS {
        let (told, is_whole) =
            keeping(mechanism, "cat top/kept/a && ls top/kept && echo x > top/new", Said::No);
        assert!(is_whole && told.asked.is_empty(), "{:?} {}", told.asked, told.text());
        assert_eq!(told.outcome.ended, Ended::Exited(0), "{}", told.text());
    }
}

/// A yes opens the folder and nothing that is guarded in it.
#[test]
fn allowing_a_refused_folder_opens_it_for_the_command() {
    for mechanism in MECHANISMS {
        let (told, is_whole) = keeping(mechanism, "rm top/kept/a && echo x > top/kept/b", Said::Yes);
        assert!(!is_whole, "{}", told.text());
        assert_eq!(told.asked, [(Attempt::Write, "top/kept".into())]);
        assert_eq!(told.outcome.ended, Ended::Exited(0), "{}", told.text());

        let (told, _) = keeping(mechanism, "echo x > top/kept/.git/config", Said::Yes);
        let asked: Vec<&str> = told.asked.iter().map(|(_, path)| path.as_str()).collect();
        assert_eq!(asked, ["top/kept", "top/kept/.git/config"]);
    }
}
