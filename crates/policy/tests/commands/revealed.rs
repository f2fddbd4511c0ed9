//! A project's own secret whose change the user is asked about: it is open to that call, and to no other.

use crate::ground::{Ground, ruling};
use deputy_policy::Rules;
use deputy_protocol::{Decision, Risk, Scope};
use std::path::PathBuf;
use std::sync::Arc;

fn ground() -> Ground {
    let ground = Ground::ordinary();
    std::fs::write(ground.workspace().join("server.pem"), "key").unwrap();
    std::fs::create_dir(ground.workspace().join("conf")).unwrap();
    std::fs::write(ground.workspace().join("conf/.env"), "KEY=2\n").unwrap();
    ground
}

fn revealed(ground: &Ground, command: &str) -> Vec<PathBuf> {
    let ruling = ground.decide(command);
    let (verdict, revealed) = (ruling.verdict, ruling.revealed);
    let says = verdict.reasons.iter().any(|reason| reason.contains("open to this one call"));
    assert_eq!(says, !revealed.is_empty(), "{command}: {verdict:?}");
    if !revealed.is_empty() {
        assert_eq!((verdict.decision, verdict.risk), (Decision::Ask, Risk::High), "{command}");
    }
    revealed.into_iter().map(|path| path.strip_prefix(ground.workspace()).unwrap().to_owned()).collect()
}

#[test]
fn what_is_named_to_be_written_or_removed_is_open_to_the_call_that_names_it() {
    let ground = ground();
    let one = |command: &str, file: &str| {
        assert_eq!(revealed(&ground, command), [PathBuf::from(file)], "{command}")
    };
    one("rm .env", ".env");
    one("rm -f ./conf/../.env", ".env");
    one("unlink conf/.env", "conf/.env");
    one("touch .env", ".env");
    one("cp .env.example .env", ".env");
    one("cp -v a.txt server.pem", "server.pem");
    one("mv a.txt .env", ".env");
    one("echo KEY=3 >> .env", ".env");
    one("echo KEY=3 > .env", ".env");
    one("cat a.txt > .env && rm b.txt", ".env");
    one("head -n 1 a.txt | sort > .env", ".env");
    one("file .env", ".env");
    one("file -b --mime-type server.pem a.txt", "server.pem");
    assert_eq!(revealed(&ground, "rm .env server.pem"), [".env", "server.pem"].map(PathBuf::from));
}

#[test]
fn what_is_named_to_be_read_is_open_to_the_call_that_names_it() {
    let ground = ground();
    for command in [
        "cat .env",
        "cp -t . .env",
        "file .env; python3 run.py",
        "cut -d= -f1 .env | sort",
        "cp .env x.txt",
        "python3 deploy.py .env",
    ] {
        assert_eq!(revealed(&ground, command), [PathBuf::from(".env")], "{command}");
    }
    std::fs::create_dir_all(ground.home().join(".ssh")).unwrap();
    std::fs::write(ground.home().join(".ssh/id_rsa"), "key").unwrap();
    let ruling = ground.decide("cat ~/.ssh/id_rsa");
    assert_eq!(ruling.revealed, ruling.reads);
    assert_eq!(ruling.revealed.len(), 1);
}

#[test]
fn nothing_is_open_to_what_could_read_it_without_naming_it() {
    let ground = ground();
    std::os::unix::fs::symlink(".env", ground.workspace().join("link")).unwrap();
    std::fs::hard_link(ground.workspace().join("server.pem"), ground.workspace().join("twin.txt")).unwrap();
    for command in [
        // Another program runs as well.
        "python3 run.py >> .env",
        "./run.sh > .env",
        "rm .env; make",
        "rm .env && python3 -c 1",
        "cp .env.example .env; git commit -a",
        // The file is opened for reading as well.
        "cat <> .env",
        "sort <> .env",
        "echo x 1<> .env",
        // The command keeps a copy, walks folders, or takes names from elsewhere.
        "cp -b .env.example .env",
        "cp --backup=numbered .env.example .env",
        "mv --suffix=.txt -b a.txt server.pem",
        "cp -r docs conf; rm .env",
        "rm -r conf",
        "rm -rf .env",
        "cp a.txt docs && rm .env",
        "install a.txt .env",
        // The words are not literal, or not only.
        "rm .en*",
        "for f in .env; do rm $f; done",
        "F=1 rm .env",
        "sh -c 'rm .env'",
        "env rm .env",
        "( rm .env )",
        "rm $(echo .env)",
        // The command reads the file without naming it.
        "grep -r KEY conf",
        // The file has more names than the one that was shown.
        "cp a.txt server.pem",
        "rm twin.txt",
        // The file is not a secret of the project, or does not exist.
        "touch conf2/.env",
        "rm ~/.ssh/id_rsa",
        "cp a.txt ~/.netrc",
        "rm notes.txt",
    ] {
        assert_eq!(revealed(&ground, command), [] as [PathBuf; 0], "{command}");
    }
    // A link is treated as its target.
    assert_eq!(revealed(&ground, "cp a.txt link"), [PathBuf::from(".env")]);
}

#[test]
fn no_rule_lets_it_through_unasked_and_the_scope_still_stands() {
    let ground = ground();
    let file = ground.home().join("rules.toml");
    std::fs::write(&file, "[[rule]]\neffect = \"allow\"\nargv = [\"rm\", \"*\"]\n").unwrap();
    let mut situation = ground.situation();
    situation.rules = Arc::new(Rules::load(&file).unwrap());
    let ruled = ruling(&situation, "rm .env");
    assert_eq!((ruled.verdict.decision, ruled.verdict.risk), (Decision::Ask, Risk::High));
    // A command that a rule allows may do anything.
    assert_eq!(ruling(&situation, "rm a.txt; rm .env").verdict.decision, Decision::Ask);

    situation.scope =
        Scope { write: vec![ground.workspace().join("docs").to_string_lossy().into()], ..Scope::default() };
    let outside = ruling(&situation, "rm .env");
    assert_eq!((outside.verdict.decision, outside.revealed), (Decision::Deny, Vec::new()));
}
