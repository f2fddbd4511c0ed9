//! The answers that the user is offered in addition to "once": the narrowest useful grants, and none if a grant could
//! cover harm.

use crate::command::effects::normal;
use crate::command::judge;
use crate::command::wrappers::{self, SHELLS, interpreter};
use crate::path::real_folder;
use crate::shell::quote::quoted;
use crate::{Ruling, decide, folder, path, wider};
use crate::{SHELL_TOOL, Situation};
use deputy_messages::policy as say;
use deputy_protocol::{
    Access, AlwaysLifetime, ArgvRule, CallRule, Confinement, Decision, Digest, Facts, GrantRule, Lifetime,
    MinutesLifetime, NamesLifetime, Offer, OnceLifetime, OriginRule, PartKind, PathOperation, PathRule,
    Phrase, Risk, SessionLifetime, TaskLifetime, Verdict,
};

/// The number of minutes that "for a while" means.
const MINUTES: u32 = 30;

/// Returns the answers that the user can give besides "deny". `once` is always among them; broader answers are
/// included only if they are safe to remember.
pub fn offers(situation: &Situation, facts: &Facts, verdict: &Verdict, digest: &Digest) -> Vec<Offer> {
    if verdict.decision == Decision::Deny {
        return Vec::new();
    }
    let mut offers = vec![Offer {
        lifetime: Lifetime::Once(OnceLifetime {}),
        rule: None,
        wider: false,
        label: say::offer_once(),
    }];
    let ruling = decide(situation, facts);
    if reads_settings(facts, &ruling) {
        let lifetime = Lifetime::Names(NamesLifetime {});
        offers.push(Offer { lifetime, rule: None, wider: false, label: say::offer_names() });
    }
    if verdict.risk == Risk::High {
        return offers;
    }
    let of_folder =
        if ruling.fits_folder { folder::offered(situation, ruling.runs_hooks) } else { Vec::new() };
    offers.extend(of_folder.into_iter().map(|(lifetime, rule, label)| Offer {
        lifetime,
        rule: Some(rule),
        wider: true,
        label,
    }));
    if let Some((rule, what)) = rule(situation, facts, verdict, digest) {
        let place = real_folder(&situation.workspace);
        let place = crate::shell::characters::escaped(&place.to_string_lossy());
        let grown = wider::wider(situation, facts, &rule);
        let each = |rule: GrantRule, what: Phrase, wider: bool| {
            let offer = |(lifetime, when): (Lifetime, Label)| Offer {
                lifetime,
                rule: Some(rule.clone()),
                wider,
                label: when(&place, what.clone()),
            };
            lifetimes(situation).into_iter().map(offer).collect::<Vec<_>>()
        };
        offers.extend(each(rule, what, false));
        offers.extend(grown.map(|(rule, what)| each(rule, what, true)).unwrap_or_default());
    }
    offers
}

/// Whether a call reads secrets, all of which are settings files by name. A call of one of Deputy's own tools
/// sees what [`path::setting_names`] leaves of them; a program would see all.
fn reads_settings(facts: &Facts, ruling: &Ruling) -> bool {
    let is_read = |access: &Access| matches!(access, Access::Read(_) | Access::List(_));
    !ruling.revealed.is_empty()
        && facts.accesses.iter().all(is_read)
        && ruling.revealed.iter().all(|real| path::is_settings_file(real))
}

/// Formats the label of an offer from a place and a description.
type Label = fn(&str, Phrase) -> Phrase;

fn lifetimes(situation: &Situation) -> Vec<(Lifetime, Label)> {
    let mut lifetimes: Vec<(Lifetime, Label)> = Vec::new();
    if let Some(task) = &situation.task {
        lifetimes.push((Lifetime::Task(TaskLifetime { task: task.clone() }), |place: &str, what| {
            say::offer_task(place, what)
        }));
    }
    if let Some(session) = &situation.session {
        lifetimes
            .push((Lifetime::Session(SessionLifetime { session: session.clone() }), |place: &str, what| {
                say::offer_session(place, what)
            }));
    }
    lifetimes.push((Lifetime::Minutes(MinutesLifetime { minutes: MINUTES }), |place: &str, what| {
        say::offer_minutes(MINUTES, place, what)
    }));
    lifetimes.push((Lifetime::Always(AlwaysLifetime {}), |place: &str, what| say::offer_always(place, what)));
    lifetimes
}

/// Returns a rule for the only thing that the user is asked about, and its description. `None` for a call that
/// touches several things: the user is asked about those each time.
fn rule(
    situation: &Situation,
    facts: &Facts,
    verdict: &Verdict,
    digest: &Digest,
) -> Option<(GrantRule, Phrase)> {
    match only(facts)? {
        Access::Shell(shell) => shell_rule(situation, &shell.command, verdict.confinement, digest),
        Access::Url(address) => {
            let origin = crate::url::origin(&address.url)?;
            Some((GrantRule::Origin(OriginRule { origin: origin.clone() }), origin.into()))
        }
        Access::Read(_) | Access::List(_) => path_rule(verdict, PathOperation::Read, say::read_path),
        Access::Write(_) => path_rule(verdict, PathOperation::Write, say::write_path),
        Access::Delete(_)
        | Access::Move(_)
        | Access::Copy(_)
        | Access::Own(_)
        | Access::Memory(_)
        | Access::Page(_) => None,
    }
}

/// Returns the only access of a call. A patch reads the file that it writes; these two count as one access.
pub(crate) fn only(facts: &Facts) -> Option<&Access> {
    match facts.accesses.as_slice() {
        [access] => Some(access),
        [Access::Read(read), access @ Access::Write(write)] if read.path == write.path => Some(access),
        _ => None,
    }
}

fn path_rule(
    verdict: &Verdict,
    operation: PathOperation,
    does: fn(String) -> Phrase,
) -> Option<(GrantRule, Phrase)> {
    // Parts that are allowed anyway, such as reading the file that is patched, need no grant.
    let mut asked = verdict.parts.iter().filter(|part| part.decision != Decision::Allow);
    let (Some(part), None) = (asked.next(), asked.next()) else { return None };
    if (part.kind == PartKind::Read) != (operation == PathOperation::Read) {
        return None;
    }
    // The text of a part is for people. If it contains an escape, it is no longer the path.
    let path = part.text.clone();
    if !path.starts_with('/') || path.contains('\\') || part.kind == PartKind::Command {
        return None;
    }
    let what = does(path.clone());
    Some((GrantRule::Path(PathRule { operation, path, below: false, commits: false }), what))
}

/// Returns a rule for exactly these words or exactly this text, never for the beginning of a command: anything could
/// follow a beginning.
fn shell_rule(
    situation: &Situation,
    command: &str,
    confinement: Confinement,
    digest: &Digest,
) -> Option<(GrantRule, Phrase)> {
    // One answer for the folder covers what stays in it.
    if confinement <= Confinement::Workspace {
        return None;
    }
    let judgement = judge::judge(situation, command);
    // The user is asked each time about a command that opens a path outside the workspace, because the path can refer
    // to something else tomorrow.
    if !judgement.reached.reads.is_empty() || !judgement.reached.writes.is_empty() {
        return None;
    }
    let steady = judgement.is_steady && judgement.argvs.iter().all(|argv| may_be_remembered(argv));
    if !steady || is_risky(&judgement) || judgement.argvs.is_empty() {
        return None;
    }
    if let Some(argv) = judgement.argv {
        let what = say::offer_command(quoted(&argv));
        return Some((GrantRule::Argv(ArgvRule { argv, prefix: false }), what));
    }
    // A call is remembered by its digest, so it is remembered only if the text is the whole call.
    let same =
        crate::digest(SHELL_TOOL, &serde_json::json!({ "command": command }), &situation.cwd, confinement);
    let what = say::offer_command(crate::shell::characters::escaped(command));
    let rule =
        CallRule { tool: "shell".to_owned(), summary: what.to_string().into(), digest: digest.clone() };
    (same == *digest).then_some((GrantRule::Call(rule), what))
}

/// Whether something in a text is a high risk where no walls hold it. It is not remembered even if they hold it now.
fn is_risky(judgement: &judge::Judgement) -> bool {
    judgement.parts.iter().any(|part| part.risk == Risk::High)
}

/// Whether a repetition of the same words has the same meaning. False for programs that run other programs or code,
/// fetch code, destroy something or gain rights, and for programs whose name is a writable path.
#[expect(clippy::too_many_lines, reason = "a list of what may not be remembered")]
pub fn may_be_remembered(argv: &[String]) -> bool {
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
