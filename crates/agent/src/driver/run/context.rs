//! The context of a running call: the folders, files, programs and network that it may use according to its judgement,
//! and what stays hidden.

use super::equip::Equipment;
use super::gate::{CallGate, Reached, agreed};
use super::guard::CallGuard;
use super::keeper::JournalKeeper;
use crate::core::Core;
use crate::driver::ask::Door;
use crate::driver::background::Background;
use crate::driver::folder_walls::FolderWalls;
use crate::driver::guiding::TaskSkills;
use crate::driver::judge::Judged;
use crate::driver::remembering::TaskMemories;
use deputy_policy::{Ruling, Situation};
use deputy_protocol::{CallId, Confinement, Skill, TaskSpec};
use deputy_tools::{CallContext, Delegates, OpensGroups};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long a list of secret files is cached.
const SECRETS_HOLD: Duration = Duration::from_secs(10);
/// The timeout of a read-only call.
const LOOK_TIMEOUT: Duration = Duration::from_secs(30);

/// Builds the contexts of a task's calls.
pub(super) struct Contexts {
    core: Arc<Core>,
    /// Secret files that commands must not see.
    secrets: Found,
    /// Files that are likely secret.
    likely_secrets: Found,
    /// Origins that a person approved for the task's browser, which keeps what it loads until it is closed.
    browsed: Vec<String>,
    /// The hosts that the task connected to.
    pub(super) reached: Arc<Reached>,
    /// Signals the end of the task to everything that its calls keep open.
    ended: DropGuard,
}

/// A cached list of files. Finding them walks the workspace, so the list is reused for a while, unless this task
/// changes something. Judging a path never relies on it.
#[derive(Default)]
struct Found(Option<(Instant, Vec<PathBuf>)>);

impl Found {
    fn get(&mut self, find: impl FnOnce() -> Vec<PathBuf>) -> Vec<PathBuf> {
        if let Some((at, files)) = &self.0
            && at.elapsed() < SECRETS_HOLD
        {
            return files.clone();
        }
        let files = find();
        self.0 = Some((Instant::now(), files.clone()));
        files
    }
}

/// The input of a call besides its judgement.
pub(super) struct Given {
    pub(super) equipment: Equipment,
    /// Whether it uses the task's browser.
    pub(super) browses: bool,
    /// The last page that the browser showed.
    pub(super) last_page: Option<String>,
    /// The additional walls of a call that runs under the yes for its folder.
    pub(super) walls: Option<Arc<FolderWalls>>,
    /// The channel on which the call requests further access while it runs.
    pub(super) door: Option<Door>,
    /// The skills that it may read.
    pub(super) skills: Vec<Skill>,
    /// The groups of functions that it may open.
    pub(super) groups: Arc<dyn OpensGroups>,
    /// Delegates parts of the task.
    pub(super) delegates: Arc<dyn Delegates>,
    /// Whether it sees no more of secrets than the names of their settings.
    pub(super) names_only: bool,
    pub(super) cancel: CancellationToken,
}

impl Contexts {
    pub(super) fn new(core: Arc<Core>) -> Self {
        let ended = CancellationToken::new().drop_guard();
        let (secrets, likely_secrets) = (Found::default(), Found::default());
        Self { core, secrets, likely_secrets, browsed: Vec::new(), reached: Arc::default(), ended }
    }

    /// Clears the caches because new secret files may exist.
    pub(super) fn forget_secrets(&mut self) {
        (self.secrets, self.likely_secrets) = (Found::default(), Found::default());
    }

    /// Builds the context of one call. `given` is its input besides the judgement.
    #[expect(clippy::too_many_lines, reason = "a field of the context a line")]
    pub(super) fn of(
        &mut self,
        spec: &TaskSpec,
        background: &Background,
        id: &CallId,
        judged: &Judged,
        given: Given,
    ) -> CallContext {
        let Given {
            equipment,
            browses,
            last_page,
            walls,
            door,
            skills,
            groups,
            delegates,
            names_only,
            cancel,
        } = given;
        let situation = &judged.situation;
        let mut origins = agreed(judged);
        if browses {
            self.browsed.append(&mut origins);
            self.browsed.sort();
            self.browsed.dedup();
            origins.clone_from(&self.browsed);
        }
        let mut hidden = self.secrets.get(|| deputy_policy::path::secrets(situation));
        let opened = [judged.ruling.reads.as_slice(), &judged.ruling.writes].concat();
        if !opened.is_empty() {
            // Secrets below what is opened to this one call stay hidden, as those in the workspace do.
            let roots = situation.roots.iter().cloned().chain(opened).collect();
            hidden.extend(deputy_policy::path::secrets(&Situation { roots, ..situation.clone() }));
            hidden.sort();
            hidden.dedup();
        }
        // What a person approved to be written or removed is visible to this one call only.
        let revealed = [judged.ruling.revealed.as_slice(), &equipment.revealed].concat();
        if shows_no_likely_secrets(&judged.ruling) {
            hidden.extend(self.likely_secrets.get(|| deputy_policy::path::likely_secrets(situation)));
        }
        let masked = if names_only { judged.ruling.revealed.clone() } else { Vec::new() };
        let (core, task, call) = (self.core.clone(), spec.id.clone(), id.clone());
        let confinement = judged.ruling.verdict.confinement;
        let mut reach = judged.reach.clone();
        reach.readable.extend(judged.ruling.reads.iter().cloned());
        reach.writable.extend(judged.ruling.writes.iter().cloned());
        let is_command = judged.ruling.execution.is_some();
        if is_command {
            hidden.extend(reach.hidden);
            hidden.extend(equipment.hidden);
            reach.readable.extend(equipment.readable);
            reach.readable.extend(judged.ruling.facts.iter().cloned());
        }
        let hidden = crate::loans::but_for(hidden, &revealed);
        CallContext {
            call: id.clone(),
            task: spec.id.clone(),
            ended: self.ended.token().clone(),
            place: core.place_of(spec),
            execution: judged.ruling.execution.clone(),
            programs: judged.ruling.programs.clone(),
            confinement,
            readable: match is_command {
                true => reach.readable,
                false => situation.roots.iter().chain(&situation.temporary).cloned().collect(),
            },
            guard: Some(Arc::new(CallGuard::new(
                situation,
                revealed.clone(),
                &judged.ruling,
                equipment.caches.clone(),
                walls,
                door,
            ))),
            gate: Arc::new(CallGate::new(situation, origins, self.reached.clone(), background.network())),
            last_page,
            configuring: judged.ruling.configuring.clone(),
            caches: equipment.caches,
            scratch: equipment.scratch,
            environment: equipment.environment,
            situation: Arc::new(Situation { revealed, ..situation.clone() }),
            hidden,
            masked,
            frozen: match confinement {
                Confinement::ReadOnly | Confinement::Open => Vec::new(),
                Confinement::Workspace | Confinement::WorkspaceNet => {
                    let refused =
                        situation.refused.iter().filter(|_| is_command).map(|refusal| refusal.path.clone());
                    let frozen = reach.writable.iter().flat_map(|folder| deputy_policy::path::frozen(folder));
                    frozen.chain(refused).collect()
                }
            },
            writable: reach.writable,
            output_chars: spec.limits.tool_output_chars as usize,
            cwd: situation.cwd.clone(),
            limits: spec.limits.clone(),
            look_timeout: LOOK_TIMEOUT,
            network: background.network(),
            commands: background.commands(),
            skills: Arc::new(TaskSkills(skills)),
            memories: Arc::new(TaskMemories { core: self.core.clone(), spec: spec.clone() }),
            groups,
            delegates,
            cancel,
            job: core.job_sink(Some(id.clone())),
            progress: Arc::new(move |text: &str| core.show(&task, Some(&call), &crate::redact::text(text))),
            keeper: Arc::new(JournalKeeper {
                core: self.core.clone(),
                task: spec.id.clone(),
                call: id.clone(),
                temporary: situation.temporary.clone(),
            }),
        }
    }
}

/// Returns whether a command runs without a person's approval and therefore sees no likely secrets. Naming such a file
/// would have required approval, so the command only finds it by accident, as a search does. git is an exception: it
/// reads the files that it tracks, and fails completely if it cannot; its forms were judged.
fn shows_no_likely_secrets(ruling: &Ruling) -> bool {
    let programs = ruling.programs.as_deref();
    !ruling.by_person
        && ruling.execution.is_some()
        && programs.is_some_and(|programs| programs.iter().all(|program| !program.ends_with("git")))
}
