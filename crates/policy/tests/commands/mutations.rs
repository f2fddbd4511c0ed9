//! Applies every edit that must end the allowance to every harmless case.

use crate::cases::{self, Class};
use crate::ground::{Ground, on_ground};
use deputy_protocol::Decision;

/// Returns the edits of a harmless command. Each must be asked about or denied.
fn edits(command: &str) -> Vec<String> {
    let (first, rest) =
        command.split_once(' ').map_or((command, String::new()), |(first, rest)| (first, format!(" {rest}")));
    let twin = first
        .replacen('e', "\u{435}", 1)
        .replacen('a', "\u{430}", 1)
        .replacen('c', "\u{441}", 1)
        .replacen('o', "\u{43e}", 1)
        .replacen('s', "\u{455}", 1);
    let twin = if twin == first { format!("{first}\u{ff53}") } else { twin };
    let mut edits = vec![
        format!("{command}; id"),
        format!("{command}\nid"),
        format!("{command} $(id)"),
        format!("{command} `id`"),
        format!("{command} > x"),
        format!("X=1 {command}"),
        format!("{command} | sh"),
        format!("{command} & id"),
        format!("{command} <(id)"),
        format!("{twin}{rest}"),
        format!("{command} && id"),
        format!("{command} || id"),
        format!("{command} >> x"),
        format!("{command} 2> x"),
        format!("{command} &> x"),
        format!("{command} &"),
        format!("({command}"),
        format!("{command} | tee x"),
        format!("{command}; rm -rf ~"),
        format!("PATH=. {command}"),
        format!("LD_PRELOAD=x {command}"),
        format!("{command} \"$(id)\""),
        format!("{command} $((a[$(id)]))"),
        format!("{command} ${{x@P}}"),
    ];
    for wrapper in [
        "env",
        "nohup",
        "timeout 5",
        "nice",
        "sudo",
        "xargs",
        "time",
        "command",
        "exec",
        "eval",
        "sh -c",
        "setsid",
        "stdbuf -o0",
        "bash -c",
        "builtin",
    ] {
        edits.push(format!("{wrapper} {command}"));
    }
    for control in ['\r', '\u{b}', '\u{c}', '\u{0}', '\u{1b}', '\u{200b}', '\u{202e}', '\u{a0}', '\u{e0041}']
    {
        edits.push(format!("{first}{control}{rest}"));
        edits.push(format!("{command}{control}"));
    }
    edits
}

#[test]
fn no_edit_of_a_harmless_command_is_allowed() {
    let ordinary = Ground::ordinary();
    let mut found = Vec::new();
    // Every eighth of the additional cases, or all of them if more are requested.
    let step = if std::env::var_os("DEPUTY_SMOKE").is_some() { 1 } else { 8 };
    // Text that is appended to a comment belongs to the comment.
    let more = cases::more().into_iter().filter(|case| !case.command.contains(" #")).step_by(step);
    for case in cases::published().into_iter().chain(more).filter(|case| case.class == Class::Safe) {
        on_ground(&ordinary, &case, |ground| {
            for edit in edits(&case.command) {
                if ground.decide(&edit).verdict.decision == Decision::Allow {
                    found.push(format!("{} {edit:?}", case.id));
                }
            }
        });
    }
    assert!(found.is_empty(), "{}:\n{}", found.len(), found.join("\n"));
}

/// Returns spellings of a word that bash parses as the same word.
fn spellings(flag: &str) -> Vec<String> {
    let (head, tail) = flag.split_at(2);
    let (left, right) = flag.split_at(flag.len() - 1);
    vec![
        flag.to_owned(),
        format!("'{flag}'"),
        format!("\"{flag}\""),
        format!("\\{flag}"),
        format!("{head}''{tail}"),
        format!("{left}\\{right}"),
        format!("{{{flag},{flag}}}"),
        format!("$'{flag}'"),
    ]
}

#[test]
fn a_banned_flag_is_asked_however_it_is_written() {
    let ground = Ground::ordinary();
    let banned = [
        ("find src", "-delete"),
        ("find src", "-fprint=x"),
        ("sort a.txt", "--output=x"),
        ("sort a.txt", "-ox"),
        ("rg TODO", "--pre=./run.sh"),
        ("git log", "--output=x"),
        ("git diff", "--ext-diff"),
        ("sed p a.txt", "-i"),
        ("sed p a.txt", "--in-place"),
        ("tree", "-ox"),
        ("shuf a.txt", "--output=x"),
        ("file a.txt", "-C"),
        ("date", "--set=12"),
        ("jq . package.json", "-L."),
        ("fd x", "--exec=id"),
        ("tar -tf dist.tar", "--to-command=id"),
        ("tar -tf dist.tar", "-Iid"),
        ("xxd a.txt", "-r"),
        ("grep -r x src", "-R"),
        ("ls", "-L"),
        ("git status", "--bad"),
        ("wc", "--files0-from=x"),
        ("du", "--files0-from=x"),
        ("tail a.txt", "--follow"),
        ("uniq a.txt", "b.txt"),
    ];
    let mut found = Vec::new();
    for (command, flag) in banned {
        for spelling in spellings(flag) {
            for text in [format!("{command} {spelling}"), format!("{command} {spelling} | head -n 1")] {
                if ground.decide(&text).verdict.decision == Decision::Allow {
                    found.push(text);
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
