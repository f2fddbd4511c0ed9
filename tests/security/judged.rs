//! C8, judged = executed: what is allowed without a person runs as it was judged, and does nothing but read and print.

use crate::canary;
use crate::confined::{block_on, run, run_unasked};
use crate::ground::Ground;
use crate::ordinary_user;
use crate::size;
use crate::trace::{self, Judged, Traced};
use crate::variations::{Random, Variations};
use deputy_policy::Execution;
use deputy_protocol::{Confinement, Decision, PartKind};
use deputy_sandbox::ChildLimits;
use std::path::Path;

/// Commands that policy allows without a person, with how they are to run.
fn allowed(ground: &Ground, random: Random, count: usize) -> (usize, Vec<Judged>) {
    let mut found = Vec::new();
    for (tried, text) in Variations::new(random).enumerate() {
        assert!(tried < 20 * count + 1000, "only {} of {tried} variations are allowed", found.len());
        let ruling = ground.decide(&text);
        if ruling.verdict.decision == Decision::Allow {
            assert_eq!(ruling.verdict.confinement, Confinement::ReadOnly, "{text:?}");
            let of_commands = ruling.verdict.parts.into_iter().filter(|part| part.kind == PartKind::Command);
            let commands = of_commands.map(|part| part.text).collect();
            found.push(Judged { text, execution: ruling.execution.unwrap(), commands });
        }
        if found.len() == count {
            return (tried + 1, found);
        }
    }
    unreachable!("the variations never end")
}

#[test]
fn what_is_allowed_changes_nothing_and_shows_no_secret() {
    if !ordinary_user::is_here("judged::what_is_allowed_changes_nothing_and_shows_no_secret") {
        return;
    }
    block_on(async {
        canary::prove().await;
        let ground = Ground::ordinary();
        let count = size::of(100, 5_000);
        let (tried, commands) = allowed(&ground, Random::new("judged"), count);
        let (mut harms, mut without_shell, mut answered) = (Vec::new(), 0, 0);
        for Judged { text, execution, .. } in &commands {
            let done = run(&ground, execution, Confinement::ReadOnly, ChildLimits::default()).await.unwrap();
            without_shell += usize::from(matches!(execution, Execution::Argv(_)));
            answered += usize::from(!done.printed.trim().is_empty());
            if !done.harm.is_none() || done.planted_ran {
                harms.push(format!("{text:?} as {execution:?}: {done:?}"));
            }
        }
        println!(
            "figure: C8: {count} allowed commands run of {tried} variations, {without_shell} without a shell, {answered} printed something, {} harms",
            harms.len()
        );
        assert!(answered * 2 > count, "most harmless commands have something to say: {answered} of {count}");
        assert!(harms.is_empty(), "{}", harms.join("\n"));
    });
}

/// Texts with all that a shell offers: what they name is judged, so it starts, and what they look at is there.
#[test]
fn what_runs_unasked_does_what_it_does_in_a_terminal() {
    if !ordinary_user::is_here("judged::what_runs_unasked_does_what_it_does_in_a_terminal") {
        return;
    }
    block_on(async {
        let ground = Ground::ordinary();
        let lists = [
            include_str!("../../crates/policy/tests/corpus/fresh.harmless.jsonl"),
            include_str!("../../crates/policy/tests/corpus/third.harmless.jsonl"),
        ];
        let command = |line: &str| {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            case["command"].as_str().unwrap().to_owned()
        };
        let told = ABOUT_THE_MACHINE.lines().map(str::to_owned);
        let texts = lists.iter().flat_map(|list| list.lines().map(command)).chain(told);
        let (mut ran, mut wrong, mut differ) = (0, Vec::new(), Vec::new());
        for text in texts.filter(|text| !text.contains("sleep")) {
            let ruling = ground.decide(&text);
            if ruling.verdict.decision != Decision::Allow {
                continue;
            }
            let (code, printed) = bare(&ground, &text);
            let done = run_unasked(&ground, &ruling).await.unwrap();
            ran += 1;
            let is_stopped = ["ermission denied", "not permitted", "syntax error"]
                .iter()
                .any(|sign| done.printed.contains(sign) && !printed.contains(sign));
            if done.printed.trim() != printed.trim() {
                differ.push(text.clone());
            }
            let says_nothing = done.printed.trim().is_empty() && !printed.trim().is_empty();
            if !done.harm.is_none() || done.planted_ran || is_stopped || says_nothing || done.code != code {
                wrong.push(format!("{text:?} ends with {code:?} in a terminal: {done:?}"));
            }
        }
        println!(
            "figure: {ran} texts run unasked, {} otherwise than in a terminal; {} print something else, as times and sizes do: {differ:#?}",
            wrong.len(),
            differ.len()
        );
        assert!(ran >= 300, "{ran}");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// What is known to be harmless because it tells about the machine alone.
const ABOUT_THE_MACHINE: &str = "\
dpkg -l
dpkg -s bash
dpkg -L bash
dpkg -S /bin/bash
whatis grep
apropos -s 1 rename
df
df -h
df -hT /
df -i .
df -h | tail -n +2 | sort -k5 -r
lscpu
lscpu -J
lsblk
lsblk -o NAME,SIZE,TYPE,MOUNTPOINTS
findmnt
findmnt -t ext4
findmnt /
lsmem
free -h
uptime
uptime -p
vmstat
vmstat -s
vmstat -d
swapon --show
nproc
id
id -un
groups
whoami
uname -a
arch
hostname
date
cal
locale
locale -a
getconf -a
who
who -b
users
tty
ldconfig -p
sysctl -n kernel.hostname
sysctl vm.swappiness
cat /proc/cpuinfo
cat /proc/meminfo
cat /proc/swaps
cat /proc/vmstat
cat /proc/version
cat /proc/uptime
cat /proc/stat
cat /proc/filesystems
cat /proc/sys/kernel/osrelease
cat /etc/os-release
cat /etc/hosts
cat /etc/resolv.conf
cat /etc/nsswitch.conf
cat /etc/timezone
for d in / /usr; do df -h $d; done";

/// How a text ends without walls, and what it says.
fn bare(ground: &Ground, text: &str) -> (Option<i32>, String) {
    let done = std::process::Command::new("/bin/bash")
        .args(["--noprofile", "--norc", "-c", text])
        .current_dir(ground.workspace())
        .env_clear()
        .envs([
            ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            ("LANG", "C.UTF-8"),
            ("TERM", "dumb"),
        ])
        .env("HOME", ground.home())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    (done.status.code(), printed.into_owned())
}

/// Says in a trace that command `index` comes next.
fn mark(index: usize) {
    assert!(!Path::new(&trace::marker(index)).exists());
}

/// Where the traced process finds its seed.
const SEED: &str = "DEPUTY_TEST_TRACED_SEED";

#[test]
fn what_is_allowed_starts_the_programs_it_names_with_the_words_that_were_judged() {
    const NAME: &str = "judged::what_is_allowed_starts_the_programs_it_names_with_the_words_that_were_judged";
    if !ordinary_user::is_here(NAME) {
        return;
    }
    let count = size::of(40, 5_000);
    if let Some(seed) = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok()) {
        return run_traced(seed, count);
    }
    let seed = Random::new("traced").next();
    let Traced { calls, commands } = trace::run_this_test(NAME, SEED, seed);
    assert_eq!(commands.len(), count);
    let (mut programs, mut harms) = (0, Vec::new());
    for (index, judged) in commands.iter().enumerate() {
        let calls = calls.of(index);
        programs += calls.started.len();
        harms.extend(calls.harms(judged).into_iter().map(|harm| format!("{:?}: {harm}", judged.text)));
    }
    println!(
        "figure: C8 traced: {count} allowed commands, {programs} programs started, {} other programs or words, writes, sockets or secret files",
        harms.len()
    );
    assert!(programs > count / 2, "the trace saw {programs} programs only");
    assert!(harms.is_empty(), "{}", harms.join("\n"));
}

/// The traced process: runs the commands one after the other, a marker before each, and prints what they are.
fn run_traced(seed: u64, count: usize) {
    block_on(async {
        // To find out what walls there are, programs are tried: that is no part of any command.
        deputy_sandbox::walls();
        let ground = Ground::ordinary();
        let (_, commands) = allowed(&ground, Random::of(seed), count);
        for (index, judged) in commands.iter().enumerate() {
            trace::print_command(&ground, judged);
            mark(index);
            trace::run_only(&ground, &judged.execution).await;
        }
        mark(count);
    });
}
