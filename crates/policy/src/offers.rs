//! What a person may be offered beside "once": the narrowest useful grants, and none where a grant could cover harm.

use crate::command::effects::normal;
use crate::command::judge;
use crate::command::wrappers::{self, SHELLS, interpreter};
use crate::path::real_folder;
use crate::shell::quote::quoted;
use crate::wider;
use crate::{SHELL_TOOL, Situation};
use deputy_protocol::{
    Access, AlwaysLifetime, ArgvRule, CallRule, Confinement, Decision, Digest, Facts, GrantRule, Lifetime,
    MinutesLifetime, Offer, OnceLifetime, OriginRule, PartKind, PathOperation, PathRule, Risk,
    SessionLifetime, TaskLifetime, Verdict,
};

/// How long "for a while" is.
const MINUTES: u32 = 30;

/// The answers that are open to a person beside "deny": `once` always, broader ones only where they are safe to remember.
pub fn offers(situation: &Situation, facts: &Facts, verdict: &Verdict, digest: &Digest) -> Vec<Offer> {
    if verdict.decision == Decision::Deny {
        return Vec::new();
    }
    let mut offers = vec![Offer {
        lifetime: Lifetime::Once(OnceLifetime {}),
        rule: None,
        wider: false,
        label: "Once".to_owned(),
    }];
    if verdict.risk == Risk::High {
        return offers;
    }
    if let Some((rule, what)) = rule(situation, facts, verdict, digest) {
        let place = real_folder(&situation.workspace);
        let place = crate::shell::characters::escaped(&place.to_string_lossy());
        let grown = wider::wider(situation, facts, &rule);
        for (rule, what, wider) in
            std::iter::once((rule, what, false)).chain(grown.map(|(rule, what)| (rule, what, true)))
        {
            offers.extend(lifetimes(situation).into_iter().map(|(lifetime, when)| Offer {
                lifetime,
                rule: Some(rule.clone()),
                wider,
                label: format!("{what} in {place}, {when}"),
            }));
        }
    }
    offers
}

fn lifetimes(situation: &Situation) -> Vec<(Lifetime, String)> {
    let mut lifetimes = Vec::new();
    if let Some(task) = &situation.task {
        lifetimes.push((Lifetime::Task(TaskLifetime { task: task.clone() }), "for this task".to_owned()));
    }
    if let Some(session) = &situation.session {
        lifetimes.push((
            Lifetime::Session(SessionLifetime { session: session.clone() }),
            "for this conversation".to_owned(),
        ));
    }
    lifetimes
        .push((Lifetime::Minutes(MinutesLifetime { minutes: MINUTES }), format!("for {MINUTES} minutes")));
    lifetimes.push((Lifetime::Always(AlwaysLifetime {}), "always".to_owned()));
    lifetimes
}

/// The one thing that is asked about, as a rule and in words. Calls that touch several things are asked each time.
fn rule(
    situation: &Situation,
    facts: &Facts,
    verdict: &Verdict,
    digest: &Digest,
) -> Option<(GrantRule, String)> {
    let [access] = facts.accesses.as_slice() else { return None };
    match access {
        Access::Shell(shell) => shell_rule(situation, &shell.command, verdict.confinement, digest),
        Access::Url(address) => {
            let origin = crate::url::origin(&address.url)?;
            Some((GrantRule::Origin(OriginRule { origin: origin.clone() }), origin))
        }
        Access::Read(_) | Access::List(_) => path_rule(verdict, PathOperation::Read, "Read"),
        Access::Write(_) => path_rule(verdict, PathOperation::Write, "Write"),
        Access::Delete(_) | Access::Move(_) | Access::Copy(_) => None,
    }
}

fn path_rule(verdict: &Verdict, operation: PathOperation, verb: &str) -> Option<(GrantRule, String)> {
    let [part] = verdict.parts.as_slice() else { return None };
    // The text of a part is for people: with an escape in it, it is no longer the path.
    let path = part.text.clone();
    if !path.starts_with('/') || path.contains('\\') || part.kind == PartKind::Command {
        return None;
    }
    let what = format!("{verb} {path}");
    Some((GrantRule::Path(PathRule { operation, path, below: false }), what))
}

/// Exactly these words, or exactly this text; never the beginning of a command, after which anything could follow.
fn shell_rule(
    situation: &Situation,
    command: &str,
    confinement: Confinement,
    digest: &Digest,
) -> Option<(GrantRule, String)> {
    let judgement = judge::judge(situation, command);
    let steady = judgement.is_steady && judgement.argvs.iter().all(|argv| may_be_remembered(argv));
    if !steady || judgement.argvs.is_empty() {
        return None;
    }
    if let Some(argv) = judgement.argv {
        let what = format!("`{}`", quoted(&argv));
        return Some((GrantRule::Argv(ArgvRule { argv, prefix: false }), what));
    }
    // A call is remembered by its digest, so only where the text is all there is to it.
    let same =
        crate::digest(SHELL_TOOL, &serde_json::json!({ "command": command }), &situation.cwd, confinement);
    let what = format!("`{}`", crate::shell::characters::escaped(command));
    let rule = CallRule { tool: "shell".to_owned(), summary: what.clone(), digest: digest.clone() };
    (same == *digest).then_some((GrantRule::Call(rule), what))
}

/// Whether "the same words again" means the same again: not for programs that run other programs or code, that fetch
/// code, that destroy, that gain rights, or whose name is a path that can be written.
fn may_be_remembered(argv: &[String]) -> bool {
    const NEVER: &[&str] = &[
        "rm",
        "rmdir",
        "unlink",
        "shred",
        "dd",
        "truncate",
        "kill",
        "pkill",
        "killall",
        "tmux",
        "screen",
        "npx",
        "pnpx",
        "bunx",
        "uvx",
        "pipx",
        "eval",
        "source",
        ".",
        "exec",
        "trap",
        "set",
        "export",
        "unset",
        "declare",
        "typeset",
        "alias",
        "ssh",
        "scp",
        "sftp",
        "rsync",
        "docker",
        "podman",
        "kubectl",
        "env",
        "sudo",
        "su",
        "doas",
        "find",
        "fd",
        "fdfind",
        "xargs",
        "parallel",
        "apt",
        "apt-get",
        "dpkg",
        "dnf",
        "yum",
        "pacman",
        "snap",
        "flatpak",
        "brew",
        "gem",
        "crontab",
        "at",
        "systemctl",
        "chmod",
        "chown",
        "make",
        "printenv",
        "gpg",
        "pass",
        "cd",
        "vim",
        "vi",
        "nano",
        "emacs",
        "less",
        "more",
        "man",
        "tee",
        "mkfs",
        "mount",
        "umount",
        "nc",
        "ncat",
        "socat",
        "telnet",
        "ansible",
        "terraform",
        "helm",
        "psql",
        "mysql",
        "sqlite3",
    ];
    const NEVER_WITH: &[(&str, &[&str])] = &[
        (
            "git",
            &[
                "clean",
                "reset",
                "filter-branch",
                "checkout",
                "restore",
                "config",
                "submodule",
                "clone",
                "rebase",
                "bisect",
                "branch",
                "stash",
                "rm",
            ],
        ),
        (
            "npm",
            &[
                "install",
                "i",
                "ci",
                "exec",
                "x",
                "config",
                "update",
                "uninstall",
                "publish",
                "add",
                "init",
                "create",
            ],
        ),
        ("pnpm", &["install", "add", "dlx", "exec", "config", "update"]),
        ("yarn", &["add", "dlx", "exec", "config", "install"]),
        ("pip", &["install", "uninstall", "config", "download"]),
        ("pip3", &["install", "uninstall", "config", "download"]),
        ("cargo", &["install", "publish", "login", "uninstall"]),
        ("go", &["run", "install", "get", "generate", "env"]),
        ("uv", &["run", "tool", "pip", "add"]),
    ];
    let words = normal(argv);
    let Some(name) = words.first().map(String::as_str) else { return false };
    let wraps = wrappers::inner(&words).is_some() || SHELLS.contains(&name) || interpreter(name).is_some();
    let subcommand = words.get(1).map_or("", String::as_str);
    let banned = NEVER_WITH.iter().any(|(program, subcommands)| {
        *program == name && (subcommands.contains(&subcommand) || subcommand.is_empty())
    });
    !wraps && !banned && !NEVER.contains(&name) && !argv.first().is_some_and(|first| first.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_mean_something_else_tomorrow_is_not_remembered() {
        let argv = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for text in [
            "npm test",
            "cargo test",
            "git push origin main",
            "curl https://example.com/a",
            "touch a.txt",
            "mkdir out",
        ] {
            assert!(may_be_remembered(&argv(text)), "{text}");
        }
        for text in [
            "env A=1 ls",
            "ssh host uptime",
            "bash x.sh",
            "python3 x.py",
            "python3.11 x.py",
            "npx tool",
            "rm a",
            "./run.sh",
            "sudo ls",
            "timeout 5 ls",
            "git clean",
            "git -c a=b clean",
            "node -e 1",
            "git",
        ] {
            assert!(!may_be_remembered(&argv(text)), "{text}");
        }
    }
}
