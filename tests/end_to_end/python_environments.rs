//! Commands use the Python environment that is active in the terminal in which their task was started.

use crate::hosts::serve;
use crate::support::{World, agreed, requests, results, shell, stopped};
use deputy_protocol::{Part, PartKind, StopReason};
use deputy_testkit::{Finished, Turn};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes an environment with a module `greeting` in a folder of the person's home.
fn environment(world: &World, place: &str) -> PathBuf {
    let folder = world.home.user().join(place);
    let made = Command::new("/usr/bin/python3").args(["-m", "venv", "--without-pip"]).arg(&folder).status();
    assert!(made.unwrap().success());
    let packages = std::fs::read_dir(folder.join("lib")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(packages.join("site-packages/greeting.py"), "print('hello from one')\n").unwrap();
    folder
}

/// Runs `deputy` in a terminal in which an environment is active.
fn say(world: &World, environment: &Path, args: &[&str]) -> Finished {
    let mut command = world.home.deputy().unwrap();
    let path = format!("{}/bin:/usr/local/bin:/usr/bin:/bin", environment.display());
    command.env("PATH", path).env("VIRTUAL_ENV", environment).arg("--json").args(args);
    Finished::of(command).unwrap()
}

fn python() -> [Turn; 2] {
    [shell("python3 use.py; echo \"in $VIRTUAL_ENV\""), Turn::text("Done.")]
}

#[test]
fn a_task_that_is_given_to_a_running_host_has_the_python_of_its_terminal() {
    let world = World::new([python(), python()].concat());
    let environment = environment(&world, ".virtualenvs/one");
    world.home.write("use.py", "import greeting\n").unwrap();
    let _host = serve(&world);
    let run = say(&world, &environment, &["run", "greet", "--yes", "medium", "--detach"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let greeted = world.json(&["follow", "last"]).events().unwrap();
    assert_eq!(stopped(&greeted).reason, StopReason::Completed);
    let expected = format!("hello from one\nin {}", environment.display());
    assert!(results(&greeted)[0].content.contains(&expected), "{greeted:?}");

    let run = world.json(&["run", "greet", "--yes", "medium", "--detach"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let other = world.json(&["follow", "last"]).events().unwrap();
    assert!(results(&other)[0].content.contains("No module named 'greeting'"), "{other:?}");
}

#[test]
fn pip_changes_the_active_environment_as_its_request_says_and_undo_takes_it_back() {
    // The second place is closed to changes, because programs are found there.
    let places = [
        (".virtualenvs/one", "is read-only for this command in Deputy's sandbox"),
        (".local/share/virtualenvs/one", "was not changed, because Deputy's sandbox closed it"),
    ];
    for (place, closed) in places {
        let world = World::new([
            shell("pip install thing"),
            shell("echo x > /tmp/x; sh -c 'echo x > \"$VIRTUAL_ENV/by-another\"'"),
            Turn::text("Done."),
        ]);
        let environment = environment(&world, place);
        std::fs::create_dir_all(environment.join(".git/hooks")).unwrap();
        let pip = environment.join("bin/pip");
        let script = "#!/bin/sh\ncd \"$VIRTUAL_ENV\" && echo x > .git/hooks/post-commit\n\
                      echo new > lib/thing && echo installed\n";
        std::fs::write(&pip, script).unwrap();
        std::fs::set_permissions(&pip, std::fs::Permissions::from_mode(0o755)).unwrap();
        let (_, results) = agreed(|args| say(&world, &environment, args));
        let asked = requests(&world.json(&["show", "last"]).events().unwrap()).remove(0);
        let named = |part: &Part| part.kind == PartKind::Write && part.text == environment.to_str().unwrap();
        assert!(asked.details.parts.iter().any(named), "{asked:#?}");
        assert!(asked.offered.iter().all(|offer| offer.rule.is_none()), "it is asked each time: {asked:#?}");
        assert!(results[0].content.contains("installed"), "{results:#?}");
        assert!(environment.join("lib/thing").exists());
        assert!(!environment.join(".git/hooks/post-commit").exists(), "a project's hooks stay closed");
        assert!(results[1].content.contains(&format!("by-another {closed}")), "{results:#?}");
        assert_eq!(say(&world, &environment, &["undo", "last"]).code, Some(0));
        assert!(!environment.join("lib/thing").exists());
    }
}
