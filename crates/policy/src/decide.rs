//! The decision: the strictest of a call's parts, with the order of precedence kept in one place.
//!
//! 1. The floor: `Deny` that nothing lifts (`floor`, and what `path::judge` denies).
//! 2. The task's scope: outside it is `Deny` (`path::judge`).
//! 3. The user's `deny`, `ask`, `allow` rules and unexpired grants (`rules::standing`).
//! 4. The table of harmless commands, reading inside the workspace, hosts of the allow-list: `Allow`.
//! 5. Everything else: `Ask`.

use crate::command::Reached;
use crate::command::configures::{configures, replays};
use crate::command::judge;
use crate::command::loans::Loan;
use crate::path::{self, Operation, Transfer};
use crate::shell::quote::quoted;
use crate::subject::Subject;
use crate::{SHELL_TOOL, Situation, digest, rules, table, url};
use deputy_messages::policy as say;
use deputy_protocol::{
    Access, Confinement, Decision, Facts, GrantId, MemoryAccess, MemoryDeed, PageAccess, PageDeed, Part,
    PartKind, Phrase, Risk, ShellAccess, Verdict,
};
use std::path::{Path, PathBuf};

/// What is decided about a call, and how it is to run if it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// The decision with its reasons, parts and confinement.
    pub verdict: Verdict,
    /// The grant that allowed it, if one did.
    pub grant: Option<GrantId>,
    /// How a shell access is to run; absent for other accesses.
    pub execution: Option<Execution>,
    /// The only programs that the command may start, where it runs without a person's consent. `None` where a person
    /// agreed: then what they agreed to may start what it needs.
    pub programs: Option<Vec<PathBuf>>,
    /// Facts about the machine that its commands are for telling, beyond those that every command sees.
    pub facts: Vec<PathBuf>,
    /// Programs that may change what makes other programs run code, as agreeing to the call agrees to that: git, where
    /// the call is git's own work and nothing else.
    pub configuring: Vec<PathBuf>,
    /// Whether what git is yet to do of a rebase and the like may be changed by all that runs in the call, as it is git
    /// and the editor that the call names.
    pub replays: bool,
    /// Whether a person agreed to it, or will have when it runs, by an answer, a rule or a grant.
    pub by_person: bool,
    /// Whether git runs the repository's hooks, which are among the parts then.
    pub runs_hooks: bool,
    /// Secrets of the project, by their real paths, that the walls leave open to this one call once a person has agreed
    /// to it: those it is asked to write or remove. Never any where nobody is asked.
    pub revealed: Vec<PathBuf>,
    /// Paths outside of the workspace that are opened to this one call for reading, by their real paths. Never any where
    /// nobody agreed to it, by an answer or a rule.
    pub reads: Vec<PathBuf>,
    /// As `reads`, for changes: a file or folder that is there, or the folder in which one would be made.
    pub writes: Vec<PathBuf>,
    /// The words of each command of which some were looked up, as a person was shown them.
    pub looked_up: Vec<Vec<String>>,
    /// What of the person's own is lent to this one call, once they have agreed to that very call. Never any where nobody
    /// is asked.
    pub lends: Vec<Loan>,
}

/// How an approved or allowed shell access is to run: where no shell feature is used, no shell starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// These words, the program's name first, without a shell.
    Argv(Vec<String>),
    /// This text, with `bash -c` and no start-up files.
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
    ruling
}

/// What is remembered steers later tasks, so whatever leaves the folder, or takes something away, needs a person each time: no rule
/// and no grant says so beforehand.
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

/// Pages come to be open by addresses that were judged, and reach no others. What hands them a secret, carries something to
/// another origin, or can do anything at all needs a person each time.
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
    execution: Option<Execution>,
    programs: Vec<PathBuf>,
    facts: Vec<PathBuf>,
    /// How it is to run where nobody is asked, with the texts of parts, by their places, that differ then.
    unasked: Option<(Execution, Vec<(usize, String)>)>,
    configuring: Vec<PathBuf>,
    replays: bool,
    runs_hooks: bool,
    revealed: Vec<PathBuf>,
    reached: Reached,
    looked_up: Vec<Vec<String>>,
    lends: Vec<Loan>,
}

impl Gathered {
    fn access(&mut self, situation: &Situation, access: &Access) {
        match access {
            Access::Shell(shell) => self.shell(situation, shell),
            Access::Read(read) => self.path(situation, Operation::Read, &read.path),
            Access::List(list) => self.path(situation, Operation::List, &list.path),
            Access::Write(write) => self.path(situation, Operation::Write, &write.path),
            Access::Delete(delete) => self.path(situation, Operation::Delete, &delete.path),
            Access::Move(moved) => self.transfer(situation, Transfer::Move, &moved.path, &moved.dest),
            Access::Copy(copied) => self.transfer(situation, Transfer::Copy, &copied.path, &copied.dest),
            // What the task itself has started was asked about when it started.
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
        self.part(situation, tool, real.map(|real| Subject::Path { operation, real }), part);
    }

    /// Adds a part with what the user has decided about it beforehand. The floor and the scope stand, and what is of
    /// high risk is asked each time: a rule or a grant can make such a part stricter, never milder.
    fn part(&mut self, situation: &Situation, tool: &str, subject: Option<Subject>, mut part: Part) {
        let standing = subject.and_then(|subject| rules::standing(situation, tool, &subject));
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
        let mut parts = judgement.parts;
        let strictest = parts.iter().map(|part| part.decision).max().unwrap_or(Decision::Ask);
        let mut grant = judgement.grant;
        // A grant for exactly this call covers everything that was shown with it, but for the floor and what has become
        // a high risk since.
        let lifted = parts.iter().all(|part| part.decision == Decision::Allow || part.risk < Risk::High);
        // Nothing was opened to it when it was shown: what it reaches since, by a link or a new file, is asked.
        let reached = &judgement.reached;
        let is_as_shown =
            reached.reads.is_empty() && reached.writes.is_empty() && judgement.revealed.is_empty();
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
        let texts = judgement.rewriting.unasked_texts.iter();
        let texts = texts.map(|(at, text)| (self.parts.len() + at, text.clone())).collect();
        self.parts.extend(parts);
        self.by_person |= judgement.by_person || grant.is_some();
        self.grant = grant.or(self.grant.take());
        let needs = judgement.ruled.or(judgement.needs).unwrap_or(Confinement::ReadOnly);
        self.needs = self.needs.max(needs);
        self.revealed.extend(judgement.revealed);
        self.programs.extend(judgement.argvs.iter().filter_map(|argv| program(argv)));
        self.facts.extend(judgement.argvs.iter().flat_map(|argv| table::facts(argv)));
        self.reached.extend(judgement.reached);
        self.looked_up.extend(judgement.looked_up);
        self.lends.extend(judgement.lends);
        self.runs_hooks |= judgement.runs_hooks;
        let rewriting = judgement.rewriting;
        self.programs.extend(rewriting.starts.iter().filter_map(|name| program(&[(*name).to_owned()])));
        let (execution, unasked) = match judgement.argv {
            Some(argv) if runs_without_a_shell(&argv) => {
                let unasked = rewriting.unasked_argv.unwrap_or_else(|| argv.clone());
                (Execution::Argv(argv), Execution::Argv(unasked))
            }
            // What was looked up runs as it was shown: the shell does not look again.
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
        let mut ordered: Vec<&Part> =
            self.parts.iter().filter(|part| part.decision == decision || part.risk == risk).collect();
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
        // What is shown of it is what runs.
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
        // No walls at all: asked each time, and by nobody's standing consent.
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
            runs_hooks: self.runs_hooks,
            revealed: if decision == Decision::Ask { self.revealed } else { Vec::new() },
            reads: if without_a_person { Vec::new() } else { self.reached.reads },
            writes: if without_a_person { Vec::new() } else { self.reached.writes },
            looked_up: self.looked_up,
            lends: if decision == Decision::Ask { self.lends } else { Vec::new() },
        }
    }
}

/// How many parts are shown one by one; of more, similar ones are shown as one.
const MOST_PARTS: usize = 200;

/// A call of many parts, such as a plan over thousands of files, in as many parts as people can read.
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

/// The grant that was given for exactly this text in exactly this folder.
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

/// The folders of the fixed PATH of every command, in its order.
const PROGRAM_FOLDERS: &[&str] =
    &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// The file that words start. Absent for what only the shell knows, and for what is not installed.
fn program(argv: &[String]) -> Option<PathBuf> {
    let name = argv.first()?;
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_absolute());
    }
    PROGRAM_FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
}

/// Whether the name is a program of the fixed PATH rather than something only the shell knows.
fn runs_without_a_shell(argv: &[String]) -> bool {
    // Those that only the shell can do, and those whose program takes words otherwise: `printf '%(%F)T'` is the
    // shell's, and `kill` by name is some systems' program's. `echo` and `pwd` are the same in both; `test` and `[`
    // but for what evaluates hidden code in the shell, which their programs cannot.
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
