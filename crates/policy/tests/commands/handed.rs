//! Commands that pass the names that they find to another command: those that only read run without asking, all
//! others ask.

use crate::ground::Ground;
use deputy_protocol::Decision;
use std::os::unix::fs::symlink;

fn asked<'a>(ground: &Ground, commands: &[&'a str]) -> Vec<&'a str> {
    let asks = |command: &&&str| ground.decide(command).verdict.decision != Decision::Allow;
    commands.iter().filter(asks).copied().collect()
}

const READING: &[&str] = &[
    "find src -name '*.rs' -exec wc -l {} +",
    "find src -type f -exec grep -l main {} +",
    "find . -name '*.md' -exec head -3 {} \\;",
    "find src -type f -print0 | xargs -0 wc -l | sort -n",
    "find src -name '*.rs' | grep -v test | xargs grep -n TODO",
    "grep -rl main src | xargs wc -l",
    "rg -l main src | xargs head -5",
    "git ls-files | xargs wc -l",
    "git ls-files 'src/*' | sort | head -20 | xargs ls -la",
    "ls *.txt | xargs wc -l",
    "ls | xargs cat",
    "cat \"$(ls -t | head -1)\"",
];

#[test]
fn what_only_reads_the_names_it_is_handed_runs_unasked() {
    assert_eq!(asked(&Ground::ordinary(), READING), Vec::<&str>::new());
}

#[test]
fn what_does_more_or_takes_other_names_asks() {
    let commands = [
        "find src -type f -exec sed -i s/a/b/ {} +",
        "find src -type f -exec sort -o {} {} \\;",
        "find src -type f -exec ./run.sh {} \\;",
        "find src -type f -exec sh -c 'cat \"$1\"' _ {} \\;",
        "find src -type f -execdir cat {} \\;",
        "find src -type f -exec cat {} + -exec rm {} +",
        "find src -type f -exec cat {} + -delete",
        "find src -exec xxd {} +",
        "find ~ -type f -exec cat {} +",
        "find / -name '*.conf' -exec cat {} +",
        "find -L src -type f -exec cat {} +",
        "find . -name '.env*' -exec cat {} +",
        "find . -type f -exec cat {} +",
        "find . -name '*.rs' -o -type f -exec cat {} +",
        "find . ! -name '*.rs' -exec cat {} +",
        "find . \\( -name '*.rs' -o -name '.e*' \\) -exec cat {} +",
        "find src -type f -exec id {} +",
        "fd -x id",
        "fd -x rm {}",
        "fd . ~ -x cat {}",
        "ls -A | xargs cat",
        "ls -a | xargs cat",
        "ls ~ | xargs cat",
        "echo /etc/passwd | xargs cat",
        "cat names.txt | xargs cat",
        "xargs cat < names.txt",
        "find src -type f | xargs cat < names.txt",
        "find src -type f | xargs -n 1 cat 0< names.txt",
        "find src -type f | xargs cat <<< /etc/passwd",
        "find src -type f | head -n 3 | xargs cat <> names.txt",
        "xargs -a names.txt cat",
        "find src -type f | sed 's,^,/etc/,' | xargs cat",
        "find src -type f | xargs -I{} cat /etc/{}",
        "find src -type f | xargs rm",
        "find src -type f | xargs sh",
        "find ~ -type f | xargs wc -l",
        "grep -r main src | xargs cat",
        "grep -rol main src | xargs cat",
        "git log --format=%s | xargs cat",
        "find src -type f | xargs sort -o x",
        "find . -type f | xargs cat",
        "find src -name nothing | xargs grep -r TOKEN",
        "find src -type f | tail 5 | xargs cat",
        "find src -type f | sort 5 | xargs cat",
    ];
    let ground = Ground::ordinary();
    let allowed: Vec<&str> = commands
        .iter()
        .filter(|command| ground.decide(command).verdict.decision == Decision::Allow)
        .copied()
        .collect();
    assert_eq!(allowed, Vec::<&str>::new());
}

/// `ls` prints names unquoted, so a name with a blank or a line end would be read as two names.
#[test]
fn names_that_may_be_read_as_others_are_not_handed_on() {
    for name in ["a .env", "a\n.env", "'.env'", "-rf"] {
        let ground = Ground::ordinary();
        std::fs::write(ground.workspace().join(name), "").unwrap();
        for command in ["ls | xargs cat", "cat \"$(ls -t | tail -1)\"", "ls . | head -3 | xargs wc -l"] {
            assert_eq!(ground.decide(command).verdict.decision, Decision::Ask, "{command} with {name:?}");
        }
    }
}

#[test]
fn a_link_out_of_the_workspace_is_not_read_through() {
    let ground = Ground::ordinary();
    symlink("/etc/hostname", ground.workspace().join("src/name.rs")).unwrap();
    let reads = ["find src -name '*.rs' -exec cat {} +", "git ls-files src | xargs cat"];
    assert_eq!(asked(&ground, &reads), reads);
    // These commands do not follow links, or do not print the content of files.
    let other = [
        "find src -type f -exec cat {} +",
        "rg -l main src | xargs cat",
        "find src -name '*.rs' -exec wc -l {} +",
    ];
    assert_eq!(asked(&ground, &other), Vec::<&str>::new());
}
