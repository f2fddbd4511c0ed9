//! Decides calls. The decision on a call is that of its strictest part. This file defines the order of precedence:
//!
//! 1. The floor: a `Deny` that nothing overrides (`floor`, and the denials of `path::judge`).
//! 2. The task's scope: anything outside it is a `Deny` (`path::judge`).
//! 3. The user's `deny`, `ask` and `allow` rules, and unexpired grants (`rules::standing`).
//! 4. The table of harmless commands, reads inside the workspace, and hosts on the allow-list: `Allow`.
//! 5. Everything else: `Ask`.

use crate::command::Reached;
use crate::command::configures::{configures, replays};
use crate::command::judge::{self, Judgement};
use crate::command::loans::Loan;
use crate::path::{self, Operation, Transfer};
use crate::refused::named;
use crate::shell::quote::quoted;
use crate::subject::Subject;
use crate::{SHELL_TOOL, Situation, digest, folder, rules, table, url};
use deputy_messages::policy as say;
use deputy_protocol::{
    Access, Confinement, Decision, Facts, GrantId, MemoryAccess, MemoryDeed, PageAccess, PageDeed, Part,
    PartKind, Phrase, Risk, ShellAccess, Verdict,
};
use std::path::{Path, PathBuf};

/// The decision on a call, and how to run the call if it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// The decision with its reasons, parts and confinement.
    pub verdict: Verdict,
    /// The grant that allowed the call, if any.
    pub grant: Option<GrantId>,
    /// How to run a shell access. `None` for other accesses.
    pub execution: Option<Execution>,
    /// The only programs that the command may start if it runs without the user's consent. `None` if the user agreed:
    /// the command may then start any program that it needs.
    pub programs: Option<Vec<PathBuf>>,
    /// Paths with facts about the machine that the command is meant to report, in addition to those that every
    /// command can read.
    pub facts: Vec<PathBuf>,
    /// Programs that may change the configuration that makes other programs run code, because agreeing to the call
    /// includes agreeing to that. This is git, and only if the call consists of git's own work.
    pub configuring: Vec<PathBuf>,
    /// Whether everything that runs in the call may change git's pending steps, such as those of a rebase. True if a
    /// call that replays commits runs only git, the editor that the call names, and harmless commands.
    pub replays: bool,
    /// Whether the user agreed to the call, by an answer, a rule or a grant, or will have agreed by the time it runs.
    pub by_person: bool,
    /// Whether a rule or an answer of the user's names something in the call and asks about it or denies it, or might
    /// name something in a text that was not fully read.
    pub named_by_rule: bool,
    /// Whether the call asks, and the yes for the folder covers it or would cover it.
    pub fits_folder: bool,
    /// Whether the call gets the walls of a yes for the folder: the rest of the home is absent, and what undo cannot restore
    /// is read-only.
    pub in_folder: bool,
    /// Whether git runs the repository's hooks. If so, the hooks are among the parts.
    pub runs_hooks: bool,
    /// The project's secrets, as real paths, that the walls leave open to this one call after the user has agreed to
    /// it: those that the call writes or removes. Empty if the user is not asked.
    pub revealed: Vec<PathBuf>,
    /// Paths outside the workspace, as real paths, that are opened to this one call for reading. Empty unless the
    /// user agreed to the call by an answer or a rule.
    pub reads: Vec<PathBuf>,
    /// Like `reads`, but for changes: an existing file or folder, or the folder in which a new one would be created.
    pub writes: Vec<PathBuf>,
    /// The words of each command that had some of its words looked up, as they were shown to the user.
    pub looked_up: Vec<Vec<String>>,
    /// Whether a command of the call is meant to remove or overwrite files.
    pub removes: bool,
    /// The user's own credentials and other resources that are lent to this one call after the user has agreed to
    /// exactly this call. Empty if the user is not asked.
    pub lends: Vec<Loan>,
}

/// How to run an approved or allowed shell access. No shell is started if the command uses no shell features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// Runs these words without a shell. The first word is the program's name.
    Argv(Vec<String>),
    /// Runs this text with `bash -c` and without start-up files.
    Bash(String),
}

/// Decides a call by its facts.
pub fn decide(situation: &Situation, facts: &Facts) -> Ruling {
    path::begin_unpacking();
    let mut gathered = Gathered {
        parts: Vec::new(),
        needs: Confinement::ReadOnly,
        grant: None,
        by_person: false,
        named_by_rule: false,
        execution: None,
        programs: Vec::new(),
        facts: Vec::new(),
        unasked: None,
        configuring: Vec::new(),
        replays: false,
        runs_hooks: false,
        revealed: Vec::new(),
        reached: Reached::default(),
        looked_up: Vec::new(),
        removes: false,
        lends: Vec::new(),
    };
    for access in &facts.accesses {
        gathered.access(situation, access);
    }
    let mut ruling = gathered.ruling();
    let verdict = &mut ruling.verdict;
    verdict.risk = verdict.risk.max(facts.risk);
    if facts.risk == Risk::High && verdict.decision == Decision::Allow {
        verdict.decision = Decision::Ask;
        verdict.reasons.insert(0, say::asked_each_time());
    }
    ruling.fits_folder = ruling.verdict.decision == Decision::Ask && folder::fits(situation, facts, &ruling);
    ruling.in_folder = ruling.fits_folder && situation.has_consent;
    if let Some(grant) = folder::given(situation).filter(|_| ruling.fits_folder) {
        ruling.allow_in_folder(grant);
    }
    ruling
}

impl Ruling {
    /// Allows a call by the yes for the folder.
    fn allow_in_folder(&mut self, grant: GrantId) {
        let verdict = &mut self.verdict;
        verdict.decision = Decision::Allow;
        verdict.reasons = vec![say::you_let_it_work_in_folder()];
        verdict.parts.iter_mut().for_each(|part| part.decision = Decision::Allow);
        verdict.confinement = verdict.confinement.max(Confinement::Workspace);
        self.grant = Some(grant);
        // Git settings are asked about, also where git changes nothing else.
        self.configuring.clear();
        self.in_folder = true;
    }
}

/// Judges an access to memory. Memories influence later tasks, so the user is asked each time about a memory that
/// applies beyond the folder and about a removal; no rule or grant can allow these in advance.
fn remembering(memory: &MemoryAccess) -> Part {
    let (decision, risk, reason) = match memory.does {
        MemoryDeed::Look => (Decision::Allow, Risk::Low, say::memory_look()),
        MemoryDeed::KeepHere => (Decision::Allow, Risk::Low, say::memory_keep_here()),
        MemoryDeed::KeepEverywhere => (Decision::Ask, Risk::High, say::memory_keep_everywhere()),
        MemoryDeed::Forget => (Decision::Ask, Risk::High, say::memory_forget()),
        MemoryDeed::Scratchpad => (Decision::Allow, Risk::Low, say::memory_scratchpad()),
    };
    let text = crate::shell::characters::escaped(&memory.text);
    Part { kind: PartKind::Construct, text, decision, risk, reason }
}

/// Judges an access to an open page. Pages are opened by addresses that were judged, and they reach no other
/// addresses. The user is asked each time about an action that fills in a secret, sends something to another origin,
/// or can do anything at all.
fn browsing(page: &PageAccess) -> Part {
    let (decision, risk, reason) = match page.does {
        PageDeed::Look => (Decision::Allow, Risk::Low, say::page_look()),
        PageDeed::Act => (Decision::Allow, Risk::Low, say::page_act()),
        PageDeed::FillSecret => (Decision::Ask, Risk::High, say::page_fill_secret()),
        PageDeed::SendElsewhere => (Decision::Ask, Risk::High, say::page_send_elsewhere()),
        PageDeed::Upload => (Decision::Ask, Risk::High, say::page_upload()),
        PageDeed::CarryOver => (Decision::Ask, Risk::High, say::page_carry_over()),
        PageDeed::Script => (Decision::Ask, Risk::High, say::page_script()),
    };
    let text = crate::shell::characters::escaped(&page.text);
    Part { kind: PartKind::Construct, text, decision, risk, reason }
}

struct Gathered {
    parts: Vec<Part>,
    needs: Confinement,
    grant: Option<GrantId>,
    by_person: bool,
    named_by_rule: bool,
    execution: Option<Execution>,
    programs: Vec<PathBuf>,
    facts: Vec<PathBuf>,
    /// How to run the call if nobody is asked, and the texts of the parts that differ in that case, with their
    /// indices.
    unasked: Option<(Execution, Vec<(usize, String)>)>,
    configuring: Vec<PathBuf>,
    replays: bool,
    runs_hooks: bool,
    revealed: Vec<PathBuf>,
    reached: Reached,
    looked_up: Vec<Vec<String>>,
    removes: bool,
    lends: Vec<Loan>,
}

impl Gathered {
    fn access(&mut self, situation: &Situation, access: &Access) {
        match access {
            Access::Shell(shell) => self.shell(situation, shell),
            Access::Read(read) => self.path(situation, Operation::Read, &read.path),
            Access::List(list) => self.list(situation, &list.path),
            Access::Write(write) => self.path(situation, Operation::Write, &write.path),
            Access::Delete(delete) => self.path(situation, Operation::Delete, &delete.path),
            Access::Move(moved) => self.transfer(situation, Transfer::Move, &moved.path, &moved.dest),
            Access::Copy(copied) => self.transfer(situation, Transfer::Copy, &copied.path, &copied.dest),
            // The user was already asked when the task started this.
            Access::Own(own) => self.parts.push(Part {
                kind: PartKind::Construct,
                text: own.what.clone(),
                decision: Decision::Allow,
                risk: Risk::Low,
                reason: say::part_of_the_task(),
            }),
            Access::Memory(memory) => self.parts.push(remembering(memory)),
            Access::Page(page) => self.parts.push(browsing(page)),
            Access::Url(address) => {
                self.needs = self.needs.max(Confinement::WorkspaceNet);
                let subject = url::origin(&address.url).map(|origin| Subject::Origin { origin });
                self.part(situation, "url", subject, url::judge(situation, address));
            }
        }
    }

    fn path(&mut self, situation: &Situation, operation: Operation, text: &str) {
        let part = path::judge(situation, operation, text);
        self.path_part(situation, operation, text, part);
    }

    /// A search can name a file in place of a folder. For a secret, the question is the same as for reading it.
    fn list(&mut self, situation: &Situation, text: &str) {
        let is_secret = |real: &PathBuf| real.is_file() && path::is_secret(situation, real);
        let real = path::real(situation, &situation.cwd, text);
        let operation = if real.as_ref().is_some_and(is_secret) { Operation::Read } else { Operation::List };
        self.path(situation, operation, text);
    }

    fn transfer(&mut self, situation: &Situation, kind: Transfer, from: &str, to: &str) {
        let operation = if kind == Transfer::Move { Operation::Delete } else { Operation::Read };
        let ends = [(operation, from), (Operation::Create, to)];
        for ((operation, text), part) in ends.into_iter().zip(path::judge_transfer(situation, kind, from, to))
        {
            self.path_part(situation, operation, text, part);
        }
    }

    fn path_part(&mut self, situation: &Situation, operation: Operation, text: &str, part: Part) {
        if part.kind == PartKind::Write {
            self.needs = self.needs.max(Confinement::Workspace);
        }
        let (tool, operation) = rules::named(operation);
        let real = path::real(situation, &situation.cwd, text);
        let is_disclosed = part.decision == Decision::Ask && tool == "read";
        self.revealed
            .extend(real.iter().filter(|real| is_disclosed && path::is_secret(situation, real)).cloned());
        self.part(situation, tool, real.map(|real| Subject::Path { operation, real }), part);
    }

    /// Adds a part, after applying the user's rules and grants to it. They never override the floor or the scope, and
    /// a high-risk part is asked about each time: a rule or grant can make such a part stricter, but never milder.
    fn part(&mut self, situation: &Situation, tool: &str, subject: Option<Subject>, mut part: Part) {
        let standing = subject.and_then(|subject| rules::standing(situation, tool, &subject));
        self.named_by_rule |= standing.as_ref().is_some_and(|standing| standing.decision > Decision::Allow);
        if let Some(standing) = standing
            && part.decision < Decision::Deny
            && (standing.decision > part.decision || part.risk < Risk::High)
        {
            part.decision = standing.decision;
            part.reason = standing.reason;
            self.by_person |= standing.decision == Decision::Allow;
            self.grant = standing.grant.or(self.grant.take());
        }
        self.parts.push(part);
    }

    fn shell(&mut self, situation: &Situation, shell: &ShellAccess) {
        let judgement = judge::judge(situation, &shell.command);
        if configures(&judgement.argvs, &judgement.parts) {
            self.configuring.extend(program(&["git".to_owned()]));
        }
        self.replays = replays(&judgement.argvs, &judgement.parts);
        let needs = judgement.ruled.or(judgement.needs).unwrap_or(Confinement::ReadOnly);
        let mut parts = held_by_walls(&judgement, needs);
        let strictest = parts.iter().map(|part| part.decision).max().unwrap_or(Decision::Ask);
        let mut grant = judgement.grant;
        // A grant for exactly this call covers everything that was shown with it, except for the floor and parts that
        // have become high-risk since.
        let lifted = parts.iter().all(|part| part.decision == Decision::Allow || part.risk < Risk::High);
        // Nothing was opened to the call when it was shown. If it now reaches other paths through a link or a new
        // file, the user is asked.
        let reached = &judgement.reached;
        let is_as_shown = reached.count() == 0 && judgement.revealed.is_empty();
        if strictest == Decision::Ask
            && lifted
            && is_as_shown
            && let Some(of_call) = whole_call(situation, &shell.command)
        {
            for part in &mut parts {
                part.decision = Decision::Allow;
            }
            grant = Some(of_call);
        }
        if !situation.walls
            && parts.iter().all(|part| part.decision == Decision::Allow)
            && !judgement.by_person
            && grant.is_none()
        {
            parts.push(Part {
                kind: PartKind::Construct,
                text: String::new(),
                decision: Decision::Ask,
                risk: Risk::Low,
                reason: say::no_walls(),
            });
        }
        // What a person refused in this task is asked about whatever was granted. Without consent, the command only
        // reads.
        let is_agreed = judgement.by_person || grant.is_some();
        if !situation.refused.is_empty()
            && (is_agreed || parts.iter().any(|part| part.decision == Decision::Ask))
        {
            let mut refused = situation.refused.parts(&named(situation, &shell.command));
            // A path that the command was judged by is already shown with this reason.
            refused.retain(|new| !parts.iter().any(|part| part.reason.contains(new.reason.as_str())));
            parts.extend(refused);
        }
        let texts = judgement.rewriting.unasked_texts.iter();
        let texts = texts.map(|(at, text)| (self.parts.len() + at, text.clone())).collect();
        self.parts.extend(parts);
        self.by_person |= judgement.by_person || grant.is_some();
        self.grant = grant.or(self.grant.take());
        self.needs = self.needs.max(needs);
        self.revealed.extend(judgement.revealed);
        self.programs.extend(judgement.argvs.iter().filter_map(|argv| program(argv)));
        self.facts.extend(judgement.argvs.iter().flat_map(|argv| table::facts(argv)));
        self.reached.extend(judgement.reached);
        self.looked_up.extend(judgement.looked_up);
        self.lends.extend(judgement.lends);
        self.named_by_rule |=
            judgement.named_by_rule || !judgement.is_steady && rules::restrict_commands(situation);
        self.runs_hooks |= judgement.runs_hooks;
        self.removes |= judgement.removes;
        let rewriting = judgement.rewriting;
        self.programs.extend(rewriting.starts.iter().filter_map(|name| program(&[(*name).to_owned()])));
        let (execution, unasked) = match judgement.argv {
            Some(argv) if runs_without_a_shell(&argv) => {
                let unasked = rewriting.unasked_argv.unwrap_or_else(|| argv.clone());
                (Execution::Argv(argv), Execution::Argv(unasked))
            }
            // The words that were looked up run as they were shown: the shell does not look them up again.
            Some(argv) if !self.looked_up.is_empty() => {
                let unasked = rewriting.unasked_argv.unwrap_or_else(|| argv.clone());
                (Execution::Bash(quoted(&argv)), Execution::Bash(quoted(&unasked)))
            }
            _ => {
                let unasked = Execution::Bash(rewriting.unasked(&shell.command));
                (Execution::Bash(rewriting.agreed(&shell.command)), unasked)
            }
        };
        self.execution = Some(execution);
        self.unasked = Some((unasked, texts));
    }

    fn ruling(mut self) -> Ruling {
        let decision = self.parts.iter().map(|part| part.decision).max().unwrap_or(Decision::Ask);
        let risk = self.parts.iter().map(|part| part.risk).max().unwrap_or(Risk::Low);
        // What would only have been asked about is no reason for a denial.
        let is_reason =
            |part: &&Part| part.decision == decision || decision != Decision::Deny && part.risk == risk;
        let mut ordered: Vec<&Part> = self.parts.iter().filter(is_reason).collect();
        ordered.sort_by_key(|part| std::cmp::Reverse((part.decision, part.risk)));
        let mut reasons: Vec<Phrase> = Vec::new();
        for part in ordered {
            if !reasons.contains(&part.reason) {
                reasons.push(part.reason.clone());
            }
        }
        if reasons.is_empty() {
            reasons.push(say::says_nothing());
        }
        let without_a_person = decision == Decision::Allow && !self.by_person;
        // The parts show the text that runs.
        if let Some((execution, texts)) = self.unasked.filter(|_| without_a_person) {
            self.execution = Some(execution);
            for (at, text) in texts {
                if let Some(part) = self.parts.get_mut(at) {
                    part.text = text;
                }
            }
        }
        let parts = merged(self.parts);
        let confinement =
            if without_a_person && self.execution.is_some() { Confinement::ReadOnly } else { self.needs };
        let programs = (without_a_person && self.execution.is_some()).then_some(self.programs);
        // Without any walls, the user is asked each time, and no standing consent applies.
        let is_open = self.execution.is_some() && confinement == Confinement::Open;
        let risk = if is_open && decision == Decision::Ask { Risk::High } else { risk };
        Ruling {
            verdict: Verdict { decision, risk, reasons, confinement, parts },
            grant: self.grant,
            programs,
            facts: self.facts,
            configuring: self.configuring,
            replays: self.replays,
            execution: self.execution,
            by_person: !without_a_person,
            named_by_rule: self.named_by_rule,
            fits_folder: false,
            in_folder: false,
            runs_hooks: self.runs_hooks,
            revealed: if decision == Decision::Ask { self.revealed } else { Vec::new() },
            reads: if without_a_person { Vec::new() } else { self.reached.reads.clone() },
            writes: if without_a_person { Vec::new() } else { self.reached.changed() },
            looked_up: self.looked_up,
            removes: self.removes,
            lends: if decision == Decision::Ask { self.lends } else { Vec::new() },
        }
    }
}

/// Returns the parts of a command with the risk that remains behind its walls. In the folder without a network, they hold
/// whatever the text is, and undo restores the folder. Paths and loans keep their risk.
fn held_by_walls(judgement: &Judgement, needs: Confinement) -> Vec<Part> {
    let mut parts = judgement.parts.clone();
    let stays = judgement.lends.is_empty() && judgement.reached.writes.is_empty();
    if needs > Confinement::Workspace || !stays {
        return parts;
    }
    let is_of_text = |part: &&mut Part| matches!(part.kind, PartKind::Command | PartKind::Construct);
    for part in parts.iter_mut().filter(is_of_text) {
        if part.decision == Decision::Ask && !judgement.beyond.contains(&part.reason) {
            part.risk = part.risk.min(Risk::Medium);
        }
    }
    parts
}

/// The maximum number of parts that are shown individually. Above it, similar parts are merged.
const MOST_PARTS: usize = 200;

/// Merges similar parts if a call has more than [`MOST_PARTS`], such as a plan that covers thousands of files, so
/// that people can read the list.
fn merged(parts: Vec<Part>) -> Vec<Part> {
    if parts.len() <= MOST_PARTS {
        return parts;
    }
    let mut alike: Vec<(Part, usize)> = Vec::new();
    for part in parts {
        let is_alike = |(other, _): &&mut (Part, usize)| {
            (other.kind, other.decision, other.risk) == (part.kind, part.decision, part.risk)
                && other.reason == part.reason
        };
        match alike.iter_mut().find(is_alike) {
            Some((_, others)) => *others += 1,
            None => alike.push((part, 0)),
        }
    }
    let told = alike.into_iter().map(|(part, others)| match others {
        0 => part,
        others => Part { text: format!("{} and {others} others", part.text), ..part },
    });
    told.collect()
}

/// Returns the grant that was given for exactly this text in exactly this folder.
fn whole_call(situation: &Situation, command: &str) -> Option<GrantId> {
    let parameters = serde_json::json!({ "command": command });
    [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet, Confinement::Open]
        .iter()
        .find_map(|confinement| {
            let digest = digest(SHELL_TOOL, &parameters, &situation.cwd, *confinement);
            rules::standing(situation, SHELL_TOOL, &Subject::Call { digest })
                .filter(|standing| standing.decision == Decision::Allow)?
                .grant
        })
}

/// The folders of the fixed PATH of every command, in order.
const PROGRAM_FOLDERS: &[&str] =
    &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Finds the file that the words start. `None` for shell builtins and for programs that are not installed.
fn program(argv: &[String]) -> Option<PathBuf> {
    let name = argv.first()?;
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_absolute());
    }
    PROGRAM_FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
}

/// Whether the name is a program on the fixed PATH and not something that only the shell can run.
fn runs_without_a_shell(argv: &[String]) -> bool {
    // Commands that only the shell can run, and commands whose program interprets its arguments differently: `printf
    // '%(%F)T'` works only in the shell, and `kill` accepts names only on some systems. `echo` and `pwd` are the same
    // in both. So are `test` and `[`, except that the shell evaluates hidden code in them, which the programs cannot
    // do.
    const OF_THE_SHELL: &[&str] = &[
        "cd", "command", "type", "time", "exec", "export", "read", "set", "ulimit", "umask", "wait", ":",
        "printf", "kill",
    ];
    argv.first().is_some_and(|name| {
        !OF_THE_SHELL.contains(&name.as_str()) && !name.contains('/') && program(argv).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, decision: Decision, reason: &str) -> Part {
        let (text, reason) = (text.to_owned(), reason.into());
        Part { kind: PartKind::Write, text, decision, risk: Risk::Low, reason }
    }

    #[test]
    fn many_parts_are_told_by_kind_and_no_denial_is_hidden_among_them() {
        let mut parts: Vec<Part> =
            (0..MOST_PARTS).map(|n| part(&format!("/w/{n}"), Decision::Ask, "new")).collect();
        assert_eq!(merged(parts.clone()), parts, "few parts stay as they are");
        parts.insert(100, part("/w/secret", Decision::Deny, "a secret"));
        let told = merged(parts);
        assert_eq!(told.len(), 2);
        assert_eq!(told[0].text, format!("/w/0 and {} others", MOST_PARTS - 1));
        assert_eq!((told[1].text.as_str(), told[1].decision), ("/w/secret", Decision::Deny));
    }
}
