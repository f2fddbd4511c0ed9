//! Git commands that may change what git runs: its settings, the hooks of a new repository, and the pending steps of
//! a rebase. The walls permit this to git in a call that contains nothing else.

use super::effects::normal;
use super::momentary::{is_setting, lets_in};
use crate::table;
use deputy_protocol::{Part, PartKind};

/// Commands that do not run a program named by their words or their input.
const COMMANDS: &[&str] = &[
    "add",
    "am",
    "apply",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "fetch",
    "format-patch",
    "gc",
    "init",
    "log",
    "maintenance",
    "merge",
    "mv",
    "notes",
    "pack-refs",
    "prune",
    "pull",
    "push",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "reset",
    "restore",
    "revert",
    "rm",
    "show",
    "sparse-checkout",
    "stash",
    "status",
    "submodule",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "worktree",
];

/// Words that make git run a program, or use settings or hooks from elsewhere.
const PROGRAMS: &[&str] = &["-x", "-c", "foreach", "ext::"];
const PROGRAM_OPTIONS: &[&str] =
    &["--config", "--exec", "--receive-pack", "--template", "--upload-pack", "--config-env", "--extcmd"];

/// Commands that may run together with git although they are not in the table, because they start nothing.
const TAME: &[&str] = &["cd", "echo", "mkdir", "printf", "touch", "true"];

/// Whether git may change what starts programs in a call: each command is a git command or starts nothing, and
/// nothing in the call is unparsed.
pub(crate) fn configures(argvs: &[Vec<String>], parts: &[Part]) -> bool {
    let is_git = |argv: &Vec<String>| argv.first().is_some_and(|name| name == "git");
    let is_tame = |argv: &Vec<String>| {
        argv.first().is_some_and(|name| TAME.contains(&name.as_str())) || is_harmless(argv)
    };
    parts.iter().all(|part| part.kind != PartKind::Construct)
        && argvs.iter().any(is_git)
        && argvs.iter().all(|argv| if is_git(argv) { is_plain(&argv[1..]) } else { is_tame(argv) })
}

/// Git commands that replay commits step by step, and store the pending steps in a place from which git reads them
/// again.
const REPLAYS: &[&str] = &["am", "cherry-pick", "pull", "rebase", "revert"];

/// Variables that name the program with which the user edits what git shows them.
const EDITORS: &[&str] = &["GIT_SEQUENCE_EDITOR", "GIT_EDITOR", "VISUAL", "EDITOR"];

/// Whether a call replays commits, and everything that runs in it was shown: git, the commands that its words name
/// (`rebase --exec`), and the editor in a leading assignment. Git's pending steps are then written only by git and by
/// that editor, whose purpose this is.
pub(crate) fn replays(argvs: &[Vec<String>], parts: &[Part]) -> bool {
    let is_git = |argv: &Vec<String>| argv.first().is_some_and(|name| name == "git");
    let is_tame = |argv: &Vec<String>| {
        argv.first().is_some_and(|name| TAME.contains(&name.as_str())) || is_harmless(argv)
    };
    let is_editor = |part: &Part| part.text.split_once('=').is_some_and(|(name, _)| EDITORS.contains(&name));
    let replays = |argv: &Vec<String>| {
        let words = normal(argv);
        is_git(argv) && words.get(1).is_some_and(|verb| REPLAYS.contains(&verb.as_str()))
    };
    parts.iter().all(|part| part.kind != PartKind::Construct || is_editor(part))
        && argvs.iter().any(replays)
        && argvs.iter().all(|argv| is_git(argv) || is_tame(argv))
}

/// Whether the table lists exactly these words as harmless.
fn is_harmless(argv: &[String]) -> bool {
    let entry = table::lookup(argv);
    entry.is_some_and(|(entry, used)| table::check(entry, argv.get(used..).unwrap_or_default()).is_ok())
}

fn is_plain(args: &[String]) -> bool {
    let mut rest = args;
    loop {
        match rest {
            [option, _, more @ ..] if option == "-C" => rest = more,
            [option, setting, more @ ..] if option == "-c" && is_setting(setting) || lets_in(setting) => {
                rest = more
            }
            [option, more @ ..] if option == "--no-pager" => rest = more,
            [command, operands @ ..] => {
                return COMMANDS.contains(&command.as_str()) && !operands.iter().any(|word| runs(word));
            }
            [] => return false,
        }
    }
}

fn runs(word: &str) -> bool {
    // Options may be abbreviated.
    let is_option = |option: &str| {
        let name = word.split('=').next().unwrap_or(word);
        word.starts_with("--") && name.len() > 3 && option.starts_with(name)
    };
    PROGRAMS.iter().any(|program| word.starts_with(program))
        || PROGRAM_OPTIONS.iter().any(|option| is_option(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> bool {
        let argvs: Vec<Vec<String>> =
            texts.iter().map(|text| text.split(' ').map(str::to_owned).collect()).collect();
        configures(&argvs, &[])
    }

    #[test]
    fn what_is_replayed_is_written_by_git_and_the_editor_that_was_shown() {
        let construct = |text: &str| Part {
            kind: PartKind::Construct,
            text: text.into(),
            decision: deputy_protocol::Decision::Ask,
            risk: deputy_protocol::Risk::High,
            reason: "".into(),
        };
        let of = |constructs: &[&str], texts: &[&str]| {
            let argvs: Vec<Vec<String>> =
                texts.iter().map(|text| text.split(' ').map(str::to_owned).collect()).collect();
            let parts: Vec<Part> = constructs.iter().map(|text| construct(text)).collect();
            replays(&argvs, &parts)
        };
        for (constructs, texts) in [
            (&["GIT_SEQUENCE_EDITOR=./edit"] as &[&str], &["git rebase -i HEAD~2"] as &[&str]),
            (&[], &["git rebase -x ./check main"]),
            (&[], &["git -c sequence.editor=./edit rebase -i main", "git log"]),
            (&[], &["git am all.mbox"]),
        ] {
            assert!(of(constructs, texts), "{texts:?}");
        }
        for (constructs, texts) in [
            (&["GIT_SSH_COMMAND=./x"] as &[&str], &["git rebase -i main"] as &[&str]),
            (&["GIT_EDITOR=./edit"], &["git commit"]),
            (&[], &["git rebase -i main", "python3 x.py"]),
            (&["$(cat x)"], &["git rebase main"]),
        ] {
            assert!(!of(constructs, texts), "{texts:?}");
        }
    }

    #[test]
    fn gits_own_work_and_nothing_next_to_it() {
        for texts in [
            &["git remote add origin https://example.org/x"] as &[&str],
            &["git init"],
            &["mkdir new", "cd new", "git init", "git add .", "git commit -m x"],
            &["git -C sub branch -d topic"],
            &["git push -u origin main"],
            &["git status", "ls -l"],
            &["git -c core.editor=true rebase --continue"],
        ] {
            assert!(of(texts), "{texts:?}");
        }
        for texts in [
            &["ls"] as &[&str],
            &["git rebase -x ./evil main"],
            &["git rebase --exe=./evil main"],
            &["git -c alias.x=!sh x"],
            &["git submodule foreach ./evil"],
            &["git clone --template=/evil u"],
            &["git clone ext::sh"],
            &["git bisect run ./evil"],
            &["git init", "python3 x.py"],
            &["git"],
        ] {
            assert!(!of(texts), "{texts:?}");
        }
    }
}
