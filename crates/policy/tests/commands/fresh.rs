//! Commands that people type in a terminal, with all features of a shell, and similar commands that read or do more.
//! The lists were written before any of the commands was tried.

use crate::ground::Ground;
use crate::tracked::tracking;
use deputy_protocol::Decision;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    command: String,
    /// The reason why the command asks although it is harmless, if the documentation says that it does.
    #[serde(default)]
    asks: Option<String>,
    /// Whether the command shows the content of a repository that tracks a secret.
    #[serde(default)]
    tracked: bool,
}

fn cases(lines: &str) -> Vec<Case> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQx\n-----END CERTIFICATE-----\n";

/// Adds the files that the commands mention to a workspace.
fn with_files(ground: Ground) -> Ground {
    for (name, content) in [
        ("dist.tar.gz", ""),
        ("release.zip", ""),
        ("data/people.json", "[]"),
        ("data/events.jsonl", "{}\n"),
        ("data/ages.csv", "a,b\n"),
        ("data/app.db", ""),
        ("logs/access.log", "x\n"),
        ("files.txt", ".env\n"),
        ("files0.txt", ".env\0"),
        ("run.bc", "1\n"),
        ("src/app.py", "def main(): pass\n"),
        ("packages/core/package.json", "{}\n"),
        ("photos/a.jpg", ""),
        ("chapters/01.md", "# One\n"),
        ("certs/server.pem", CERTIFICATE),
    ] {
        std::fs::create_dir_all(ground.workspace().join(name).parent().unwrap()).unwrap();
        std::fs::write(ground.workspace().join(name), content).unwrap();
    }
    ground
}

#[test]
fn nearly_all_that_is_harmless_runs_unasked() {
    nearly_all_run_unasked(include_str!("../corpus/fresh.harmless.jsonl"), 290);
    nearly_all_run_unasked(include_str!("../corpus/third.harmless.jsonl"), 140);
    nearly_all_run_unasked(include_str!("../corpus/fourth.harmless.jsonl"), 210);
    nearly_all_run_unasked(include_str!("../corpus/fifth.harmless.jsonl"), 200);
    nearly_all_run_unasked(include_str!("../corpus/sixth.harmless.jsonl"), 150);
    nearly_all_run_unasked(include_str!("../corpus/seventh.harmless.jsonl"), 200);
    nearly_all_run_unasked(include_str!("../corpus/eighth.harmless.jsonl"), 200);
    nearly_all_run_unasked(include_str!("../corpus/ninth.harmless.jsonl"), 250);
    nearly_all_run_unasked(include_str!("../corpus/tenth.harmless.jsonl"), 200);
    nearly_all_run_unasked(include_str!("../corpus/eleventh.harmless.jsonl"), 190);
}

fn nearly_all_run_unasked(lines: &str, at_least: usize) {
    let ground = with_files(Ground::ordinary());
    let cases = cases(lines);
    let (by_reason, free): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|case| case.asks.is_some());
    let asked: Vec<String> = free
        .iter()
        .filter_map(|case| {
            let verdict = ground.decide(&case.command).verdict;
            (verdict.decision != Decision::Allow).then(|| format!("{}: {:?}", case.command, verdict.reasons))
        })
        .collect();
    println!(
        "figure: {} of {} ask, {} more with a reason:\n{}",
        asked.len(),
        free.len(),
        by_reason.len(),
        asked.join("\n")
    );
    assert!(free.len() >= at_least && asked.len() * 100 <= free.len() * 3);
    for case in by_reason {
        assert_ne!(ground.decide(&case.command).verdict.decision, Decision::Allow, "{}", case.command);
    }
}

/// Each kind of unknown part in positions in which its value matters.
#[test]
fn what_is_unknown_is_no_file_option_pattern_or_program() {
    let ground = with_files(Ground::ordinary());
    for command in [
        "read -r x < files.txt; cat < \"$x\"",
        "read -r x < files.txt; cat \"$x\"",
        "read -r x < files.txt; wc -l < $x",
        "while read -r x; do cat < \"$x\"; done < files.txt",
        "rg -g \"$(cat files.txt)\" KEY",
        "grep -r KEY . --include=\"$(cat files.txt)\"",
        "find . -name \"$(cat files.txt)\" -exec cat {} +",
        "find . -name \"$(cat files.txt)\" | xargs cat",
        "find . -name \"$(cat files.txt)\" | while read -r f; do cat \"$f\"; done",
        "echo x > \"$(cat files.txt)\"",
        "ls \"$(cat files.txt)\"",
        "cat $(find . -name '.e*')",
        "for f in $(find . -maxdepth 1 -type f); do cat \"$f\"; done",
        "f=.env.example; cat \"${f%.example}\"",
        "f=a.txt; cat \"${f/a.txt/.env}\"",
        "f=x.env; cat ${f#x}",
        "f=.env; wc -l < \"${f}\"",
        "case x in x) cat .env;; esac",
        "case .env in *) cat \"$_\";; esac",
        "[[ $(cat notes.txt) -eq 1 ]] && ls",
        "[[ -v $(cat notes.txt) ]] && ls",
        "[[ a[$(id)] -eq 1 ]] && ls",
        "x='a[$(id)]'; echo $((x))",
        "x=$(cat notes.txt); echo $((x + 1))",
        "read -r x < notes.txt; echo $((x))",
        "n=0; read -r n < notes.txt; echo $((n))",
        "n=0; n=$(cat notes.txt); echo $((n + 1))",
        "for n in a.txt; do echo $((n)); done",
        "n=1; for i in 1 2; do n=$(cat notes.txt); done; echo $((n))",
        "sed -n \"$(cat notes.txt)p\" a.txt",
        "x=$(wc -l < a.txt); sed -n \"${x}e id\" a.txt",
        "x=$(wc -l < a.txt); sed -n \"${x}w out\" a.txt",
        "x=$(wc -l < a.txt); grep -r $x KEY",
        "x=$(wc -l < a.txt); cat \"$x\"",
        "git ls-files | while IFS=, read -r a b; do cat \"$b\"; done",
        "xargs echo hello",
        "xargs -n 1 echo < a.txt",
        "echo x | xargs -I{} cat {}",
        "echo x | xargs -I{} grep {} a.txt",
        "echo x | xargs -I{} sh -c {}",
        "echo x | xargs -I% %",
        "echo x | xargs printf",
        "cat notes.txt | xargs awk",
        "while :; do ls; done",
        "until false; do ls; done",
        "x=1",
        "cd src",
        "x=1; cd src",
        "x=$(date)",
    ] {
        assert_ne!(ground.decide(command).verdict.decision, Decision::Allow, "{command}");
    }
}

/// The value of a number does not change what `sed` does. The check includes the case that the number is missing.
#[test]
fn what_cannot_matter_runs_unasked() {
    let ground = with_files(Ground::ordinary());
    for command in [
        "x=$(wc -l < a.txt); sed -n \"$((x - 1)),$((x + 1))p\" a.txt; sed -n \"${x}p\" a.txt",
        "n=$(grep -c a a.txt); head -n \"$n\" b.txt",
        "for f in a.txt b.txt; do echo \"${f%.txt}: $(wc -l < \"$f\")\"; done",
        "x=$(date +%s); echo \"$(( x / 60 )) minutes\"",
        "read -r first rest < notes.txt; echo \"$first\"",
        "[[ -d src ]] || [[ -f src/main.rs ]] && echo yes",
        "find src -name '*.rs' | while read -r f; do echo \"$f $(wc -l < \"$f\")\"; done",
        "cat notes.txt | xargs -n 1 echo item:",
        "cat notes.txt | xargs -I{} echo \"<{}>\"",
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, Decision::Allow, "{command}: {:?}", verdict.reasons);
    }
}

/// Conditions in `[[ … ]]` joined by `&&` and `||`, a regular expression, and names that git prints.
#[test]
fn joined_conditions_are_conditions() {
    let ground = with_files(Ground::ordinary());
    for command in [
        "[[ -f Cargo.toml && -d src ]] && echo yes",
        "if [[ -d src || -f a.txt && ! -f b ]]; then echo y; fi",
        "x=$(hostname); [[ \"$x\" =~ ^[0-9]+$ ]] && echo number",
        "x=$(hostname); [[ $x == [yY]* || $x = a ]] && echo yes",
        "[[ -f a.txt||-f b.txt ]]",
        "[[ -f .env ]] && echo there",
        "[[ -s .env && -f a.txt ]] || echo no",
        "git grep -l main -- src | xargs wc -l",
        "git diff --name-only HEAD~1 | xargs ls -l",
        "echo a b | xargs",
        "ls | xargs -n 3",
        "find src -type f | xargs",
        "TZ='Europe/Berlin' date",
        "find docs -name '*.md' -print0 | while IFS= read -r -d '' f; do wc -l \"$f\"; done",
        "test \"$(date +%u)\" -lt 6 && echo weekday",
        "cat <<END\nhello $USER in $PWD\nEND",
        "[[ \"v1.2.3\" =~ ^v([0-9]+)\\.([0-9]+) ]] && echo version",
        "[[ a =~ ^(a|b)$ && -f a.txt ]] && echo yes",
        "echo $((16#ff + 1))",
        "n=$(wc -l < a.txt); echo $((10#$n + 1))",
        "echo \"${USER:-nobody}\"",
        "git check-ignore -v .env",
        "git ls-files .env",
        "git status .env",
        "git log --oneline -- .env",
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, Decision::Allow, "{command}: {:?}", verdict.reasons);
    }
    for command in [
        "[[ -f a.txt && a[$(id)] -eq 1 ]]",
        "[[ -f a.txt && $(cat .env) == x ]]",
        "[[ -f a.txt && -v a[0] ]]",
        "[[ -f a.txt || a[1] -eq 0 ]]",
        "[[ a[1] == b && a[1] -eq 0 ]]",
        "[[ -f a.txt && ]]",
        "[[ && -f a.txt ]]",
        "[[ -f a.txt & -f b.txt ]]",
        "[[ -f a.txt &&& -f b.txt ]]",
        "[ -f a.txt && -f b.txt ]",
        "[ -f a.txt && cat .env ]",
        "[[ -f a.txt && -f b.txt ]] && cat .env",
        "[[ -f a.txt && -f b.txt ]] > x",
        "[[ -f a.txt && -f b.txt ]] < .env",
        "git grep -l main | xargs cat",
        "git grep -l main -- '*env' | xargs cat",
        "git diff --name-only --no-index . ../other | xargs cat",
        "xargs",
        "cat .env | xargs",
        "echo a | xargs -a .env",
        "echo a | xargs -p",
        "TZ='../../x' date",
        "TZ=':.env' date",
        "find . -maxdepth 1 -type f -print0 | while IFS= read -r -d '' f; do cat \"$f\"; done",
        "while IFS= read -r -d '' f; do cat \"$f\"; done < files0.txt",
        "find docs -print0 | while read -r -d \"$(id)\" f; do echo \"$f\"; done",
        "cat <<END\n$GITHUB_TOKEN\nEND",
        "[[ a =~ $(id) ]] && echo yes",
        "[[ a =~ (a b) ]] && echo yes",
        "[[ a =~ (a ]]; id; [[ b ) ]]",
        "[[ a =~ `id` ]]",
        "[[ a =~ a\\ b && -f a.txt ]] && cat .env",
        "x='a[$(id)]'; echo $((10#$x))",
        "echo $((10#$x))",
        "echo $((x#1))",
        "echo \"${GITHUB_TOKEN:-none}\"",
        "echo \"${USER:-$(id)}\"",
        "git log -p -- .env",
        "git show HEAD:.env",
        "git rev-parse HEAD:.env",
        "git ls-files -s .env",
        "git blame .env",
        "git diff --quiet .env a.txt",
        "git diff --stat --no-index .env a.txt",
    ] {
        assert_ne!(ground.decide(command).verdict.decision, Decision::Allow, "{command}");
    }
}

/// Regression test: `*` between numbers is not a pattern, but was denied if there was a secret file in the folder.
#[test]
fn arithmetic_names_no_file() {
    let ground = with_files(Ground::ordinary());
    std::fs::write(ground.workspace().join("server.key"), "").unwrap();
    for (command, decision) in [
        ("echo $((60 * 60 * 24))", Decision::Allow),
        ("echo \"$(( (1 + 2) * 3 )) seconds\"", Decision::Allow),
        ("n=$((6 * 7)); echo $n", Decision::Allow),
        ("make -j $((2 * 4))", Decision::Ask),
        ("echo $((2 * 3)) *", Decision::Allow),
        ("echo $((ls) | (cat *))", Decision::Ask),
        ("echo $((1 * 2)); (rm -rf ~)", Decision::Deny),
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, decision, "{command}: {:?}", verdict.reasons);
    }
}

/// Regression test: these were denied, so that not even the user could allow such a command.
#[test]
fn a_commands_own_input_and_output_have_names() {
    let ground = with_files(Ground::ordinary());
    for command in [
        "echo oops > /dev/stderr",
        "echo x >> /dev/stdout",
        "ls nothing 2> /dev/stdout | head",
        "echo a | cat /dev/stdin",
        "cat data/people.json | jq . /dev/stdin",
        "diff /dev/stdin a.txt < b.txt",
        "cat /dev/fd/0 < a.txt",
        "git log --oneline > /dev/fd/1",
    ] {
        let verdict = ground.decide(command).verdict;
        assert_eq!(verdict.decision, Decision::Allow, "{command}: {:?}", verdict.reasons);
    }
    for command in [
        "cat /dev/tty",
        "cat /dev/fd/3",
        "echo x > /dev/fd/3",
        "sha256sum -c /dev/stdin < files.txt",
        "echo 1+1 > /dev/stdout | sh /dev/stdin",
        "echo 'BEGIN{system(\"id\")}' | awk -f /dev/stdin",
        "cat .env > /dev/stderr",
        "cat /dev/stdin < .env",
    ] {
        assert_ne!(ground.decide(command).verdict.decision, Decision::Allow, "{command}");
    }
    assert_eq!(ground.decide("make 2> /dev/stdout | tail").verdict.decision, Decision::Ask);
}

#[test]
fn none_that_reads_or_does_more_runs_unasked() {
    let ground = with_files(Ground::ordinary());
    std::fs::hard_link(ground.workspace().join(".env"), ground.workspace().join("hard.txt")).unwrap();
    std::os::unix::fs::symlink(".env", ground.workspace().join("link.txt")).unwrap();
    let tracking = with_files(tracking(&[".env"], &[]));
    let lists = [
        include_str!("../corpus/fresh.hostile.jsonl"),
        include_str!("../corpus/third.hostile.jsonl"),
        include_str!("../corpus/fourth.hostile.jsonl"),
        include_str!("../corpus/fifth.hostile.jsonl"),
        include_str!("../corpus/sixth.hostile.jsonl"),
        include_str!("../corpus/seventh.hostile.jsonl"),
        include_str!("../corpus/eighth.hostile.jsonl"),
        include_str!("../corpus/tenth.hostile.jsonl"),
        include_str!("../corpus/eleventh.hostile.jsonl"),
    ];
    let cases: Vec<Case> = lists.iter().flat_map(|lines| cases(lines)).collect();
    let is_allowed = |case: &&Case| {
        let ground = if case.tracked { &tracking } else { &ground };
        ground.decide(&case.command).verdict.decision == Decision::Allow
    };
    let allowed: Vec<&str> = cases.iter().filter(is_allowed).map(|case| case.command.as_str()).collect();
    assert!(cases.len() >= 2_590 && allowed.is_empty(), "{} of {}: {allowed:#?}", allowed.len(), cases.len());
}
