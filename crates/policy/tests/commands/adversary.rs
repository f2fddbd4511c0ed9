//! Findings of an adversarial review, each with the mechanism against it: texts that ran without asking or only
//! asked, and ordinary texts that asked needlessly.

use crate::ground::{Ground, ruling};
use deputy_protocol::{Decision, Risk};

fn run_unasked(ground: &Ground, texts: &[&str]) {
    for text in texts {
        let verdict = ground.decide(text).verdict;
        assert_eq!(verdict.decision, Decision::Allow, "{text}: {:?}", verdict.reasons);
    }
}

fn never_run_unasked(ground: &Ground, texts: &[&str]) {
    for text in texts {
        assert!(ground.decide(text).verdict.decision > Decision::Allow, "{text}");
    }
}

/// Regression test: a `cd` after `||` was assumed to run, so a path was judged in the wrong folder.
#[test]
fn a_change_of_folder_that_may_not_happen_is_judged_both_ways() {
    let ground = Ground::ordinary();
    never_run_unasked(
        &ground,
        &[
            "true || cd src && cat ../notes.txt",
            "ls || cd src && head ../data/people.csv",
            "cd src | cat ../a.txt",
            "(cd src); cat ../a.txt",
            "if cd src; then ls; fi; cat ../a.txt",
            "! cd src && cat ../a.txt",
            "cd src; cd ..; cat ../a.txt",
            "(cd src; cd docs); cat ../a.txt",
            "for d in src docs; do cd $d; ls; done",
            "for d in src docs; do cd ..; done; ls",
            "{ cd ..; cat a.txt; }",
            "(cd ~ && cat .netrc)",
            "cd - && ls",
            "CDPATH=.. cd src && ls",
        ],
    );
    run_unasked(
        &ground,
        &[
            "(cd src && ls)",
            "(cd src && cat main.rs) | wc -l",
            "(cd src; ls) && ls",
            "{ cd src; ls; }",
            "if cd src; then ls; fi",
            "cd src && cat ../notes.txt",
            "ls && cd src && cat ../notes.txt",
            "cd src && cd ../docs && cat ../notes.txt",
        ],
    );
}

/// `%n` sets a shell variable: `printf '%n' PATH; ls`.
#[test]
fn a_format_that_sets_a_variable_asks() {
    let ground = Ground::ordinary();
    for text in ["printf '%n' PATH", "printf '%-.0n' x", "printf \"a%ln\" x", "printf %n x"] {
        assert_eq!(ground.decide(text).verdict.decision, Decision::Ask, "{text}");
    }
}

/// `-u` of `git stash show` does not mean a patch: it shows files that were never tracked.
#[test]
fn what_was_put_away_untracked_is_not_shown_unasked() {
    let ground = Ground::ordinary();
    never_run_unasked(
        &ground,
        &["git stash show -p -u", "git stash show -pu", "git stash show --only-untracked -p"],
    );
}

#[test]
fn tests_of_known_variables_run_unasked_and_others_ask() {
    let ground = Ground::ordinary();
    run_unasked(
        &ground,
        &[
            "[ \"$HOME\" = /x ] && ls",
            "[ -d \"$PWD/src\" ] || echo no",
            // Digits and operators evaluate to nothing but a number.
            "[ $((1 + 1)) = 2 ]",
            // Braces around a name do not change its value.
            "[ \"${HOME}\" = 1 ]",
            "for f in a.txt b.txt; do [ -f \"$f\" ] && wc -l \"$f\"; done",
            "for f in a.txt b.txt; do [ $f = a.txt ] || head -1 $f; done",
        ],
    );
    never_run_unasked(
        &ground,
        &[
            "[ -f \"$x\" ]",
            "[ $x = 1 ]",
            "[ \"${x}\" = 1 ]",
            "[ \"$(id)\" = x ]",
            "[ \"`id`\" = x ]",
            "[ $((x)) = 1 ]",
            "[ $((a[0])) = 1 ]",
            "[ \"$HOME\" -eq 0 ]",
            "[ -v \"$HOME\" ]",
            "[ \"$@\" ]",
        ],
    );
}

/// The status of the last command may be printed. If the number could be a name, a flag's value or code, the command
/// asks.
#[test]
fn an_exit_status_is_printed_unasked() {
    let ground = Ground::ordinary();
    run_unasked(
        &ground,
        &["echo $?", "ls; echo \"exit: $?\"", "grep -q x a.txt || echo none $?", "echo \"[$?]\" && ls"],
    );
    never_run_unasked(
        &ground,
        &[
            "cat $?",
            "cat \"a$?\"",
            "$?",
            "ls $?",
            "echo ${?}",
            "echo $?*",
            "echo {a,$?}",
            "echo $#",
            "echo $$",
            "echo $?$x",
            "echo x > $?",
            "cat < $?",
            "X=$?",
            "sleep $?",
            "[ $? = 0 ]",
            "for f in $?; do cat $f; done",
            "'echo' $?",
            "builtin echo $?",
            "printf \"$?\"",
        ],
    );
}

/// A folder that contains a secret may be listed, but its content may not be read without asking.
#[test]
fn telling_names_is_not_reading() {
    let ground = Ground::ordinary();
    std::fs::write(ground.workspace().join("server.key"), "k").unwrap();
    run_unasked(&ground, &["rg --files", "rg --files -g '*.toml'", "rg --files --hidden src"]);
    never_run_unasked(&ground, &["rg x", "rg --files --pre ./run.sh", "rg --files ~", "rg --fil x"]);
}

/// Regression test: the grammar cannot parse a compound command with a here-string, so the floor was not applied to
/// the commands in it.
#[test]
fn what_the_grammar_cannot_read_is_still_held_against_the_floor() {
    let ground = Ground::ordinary();
    for text in [
        "(rm -rf ~) <<< x",
        "{ rm -rf \"$HOME\"; } <<< ''",
        "while rm -rf /; do :; done <<< x",
        "if true; then sudo rm x; fi <<<x",
        "ls; (sudo id) <<<x",
        "case x in x) rm -rf ~ ;; esac <<< x",
        "coproc X { rm -rf ~; } <<< x",
        "bash -c '(rm -rf ~) <<< x'",
        "(eval 'rm -rf ~') <<< x",
        "(:(){ :|:& };:) <<< x",
        "(cd / && rm -rf *) <<< x",
        "(echo x > /dev/sda) <<< y",
        "rm -rf ~/*",
        "rm -rf \"$HOME\"/*",
        "cd ~ && rm -rf *",
    ] {
        let verdict = ground.decide(text).verdict;
        assert_eq!((verdict.decision, verdict.risk), (Decision::Deny, Risk::High), "{text}");
    }
    // The texts of here-documents and patterns are not commands.
    for text in [
        "(cat <<E\nsudo apt install x\nE\n) <<< y",
        "case $1 in sudo) ls;; esac <<< x",
        "([[ $x =~ (sudo|su) ]]) <<< x",
        "(echo 'rm -rf ~') <<< x",
        "(ls) <<< 'rm -rf /'",
    ] {
        assert_eq!(ruling(&ground.situation(), text).verdict.decision, Decision::Ask, "{text}");
    }
}

/// Regression test: `git ls-files '*.txt' | xargs cat` was checked for a file with that name, and a tracked link led
/// to a secret.
#[test]
fn a_pattern_of_tracked_files_goes_through_links_and_hidden_files() {
    let ground = Ground::ordinary();
    std::os::unix::fs::symlink(".env", ground.workspace().join("link.txt")).unwrap();
    never_run_unasked(
        &ground,
        &[
            "git ls-files '*.txt' | xargs cat",
            "git ls-files 'l*' | xargs head -1",
            "head -n1 $(git ls-files '*.txt')",
            "git ls-files '*env' | xargs cat",
            "git ls-files '[.]env' | xargs cat",
            "git ls-files '.e?v' | xargs cat",
            "git ls-files src '*.txt' | xargs cat",
            "git ls-files ':(icase)*.TXT' | xargs cat",
            "git ls-files '\\*.txt' | xargs cat",
            "git ls-files link.txt | xargs cat",
        ],
    );
    let plain = Ground::ordinary();
    run_unasked(
        &plain,
        &[
            "git ls-files '*.rs' | xargs wc -l",
            "git ls-files '*.rs' | xargs grep -n main",
            "grep -c '' $(git ls-files '*.rs')",
            "git ls-files 'src/*.rs' | xargs head -1",
            "git ls-files src | xargs cat",
        ],
    );
}

/// The C library reads a time zone from the file that a date names, in any location.
#[test]
fn a_date_reads_no_file() {
    let ground = Ground::ordinary();
    never_run_unasked(
        &ground,
        &[
            "date -d 'TZ=\"/home/dev/.netrc\" now'",
            "date --date='TZ=\":../.netrc\" now'",
            "date -d \"$(cat notes.txt)\"",
            "date -d \"TZ=$(date +%F) now\"",
            "date -d \"$(date +%YTZ)='/home/dev/.netrc' now\"",
        ],
    );
    run_unasked(
        &ground,
        &["date -d 'next friday' +%F", "date -d \"$(date +%Y-%m-01) -1 day\" +%F", "date -d @1700000000"],
    );
}

/// Regression test: `git remote -v` printed the token that `cat .git/config` asked about.
#[test]
fn settings_of_git_that_hold_a_token_are_not_told_unasked() {
    let tells = [
        "git remote -v",
        "git remote",
        "git remote get-url origin",
        "git config --get remote.origin.url",
        "git config user.name",
    ];
    let ground = Ground::ordinary();
    run_unasked(&ground, &tells);
    let config = ground.workspace().join(".git/config");
    let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let text = std::fs::read_to_string(&config).unwrap();
    let remote = format!("[remote \"origin\"]\n\turl = https://me:{token}@github.com/a/b\n");
    std::fs::write(&config, text + &remote).unwrap();
    never_run_unasked(&ground, &tells);
    run_unasked(&ground, &["git log --oneline", "git status --short"]);
}

/// Regression test: a device without content was taken for a kernel file.
#[test]
fn devices_that_hold_nothing_are_read_and_no_others() {
    let ground = Ground::ordinary();
    run_unasked(
        &ground,
        &["tr -dc a-z < /dev/urandom | head -c 8", "head -c 4 /dev/zero | xxd", "cat /dev/null"],
    );
    never_run_unasked(
        &ground,
        &[
            "cat /dev/sda",
            "head -c 4 /dev/mem",
            "cat /dev/tty",
            "cat /dev/../home/dev/.netrc",
            "cat /dev/stdin < .env",
        ],
    );
}
