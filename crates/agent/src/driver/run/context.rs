//! What a running call may use: folders, files, programs and the network, as they were judged, and what stays hidden.

use super::equip::Equipment;
use super::gate::{CallGate, Reached, agreed};
use super::guard::CallGuard;
use super::keeper::JournalKeeper;
use crate::core::Core;
use crate::driver::ask::Door;
use crate::driver::background::Background;
use crate::driver::guiding::TaskSkills;
use crate::driver::judge::Judged;
use crate::driver::remembering::TaskMemories;
use deputy_policy::{Ruling, Situation};
use deputy_protocol::{CallId, Confinement, Skill, TaskSpec};
use deputy_tools::{CallContext, Delegates};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long a list of secret files holds.
const SECRETS_HOLD: Duration = Duration::from_secs(10);
/// The longest that a call which only looks may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(30);

/// Makes the contexts of a task's calls.
pub(super) struct Contexts {
    core: Arc<Core>,
    /// Secret files that commands must not see.
    secrets: Found,
    /// The same for files that only likely are.
    likely_secrets: Found,
    /// Origins that a person agreed to have open in the task's browser, which keeps what it loads until it is closed.
    browsed: Vec<String>,
    /// Hosts that the task connected to.
    pub(super) reached: Arc<Reached>,
    /// Tells what the task's calls keep open that the task has ended.
    ended: DropGuard,
}

/// Files as they were lately found. Looking for them walks the workspace, so they hold for a while, unless this task
/// changes something; judging a path never relies on them.
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

/// What a call is given besides what it was judged by.
pub(super) struct Given {
    pub(super) equipment: Equipment,
    /// Whether it goes through the task's browser.
    pub(super) browses: bool,
    /// What that showed last.
    pub(super) last_page: Option<String>,
    /// Where it asks for more while it runs.
    pub(super) door: Option<Door>,
    /// Skills that it may ask for.
    pub(super) skills: Vec<Skill>,
    /// Takes parts of the task over.
    pub(super) delegates: Arc<dyn Delegates>,
    pub(super) cancel: CancellationToken,
}

impl Contexts {
    pub(super) fn new(core: Arc<Core>) -> Self {
        let ended = CancellationToken::new().drop_guard();
        let (secrets, likely_secrets) = (Found::default(), Found::default());
        Self { core, secrets, likely_secrets, browsed: Vec::new(), reached: Arc::default(), ended }
    }

    /// There may be new secret files.
    pub(super) fn forget_secrets(&mut self) {
        (self.secrets, self.likely_secrets) = (Found::default(), Found::default());
    }

    /// What one call may use; `given` is what it is given besides what it was judged by.
    pub(super) fn of(
        &mut self,
        spec: &TaskSpec,
        background: &Background,
        id: &CallId,
        judged: &Judged,
        given: Given,
    ) -> CallContext {
        let Given { equipment, browses, last_page, door, skills, delegates, cancel } = given;
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
            // Secrets below what is opened to this one call stay hidden as those of the workspace do.
            let roots = situation.roots.iter().cloned().chain(opened).collect();
            hidden.extend(deputy_policy::path::secrets(&Situation { roots, ..situation.clone() }));
            hidden.sort();
            hidden.dedup();
        }
        // What a person agreed to have written or removed is open to this one call; no other call sees it.
        let revealed = [judged.ruling.revealed.as_slice(), &equipment.revealed].concat();
        if shows_no_likely_secrets(&judged.ruling) {
            hidden.extend(self.likely_secrets.get(|| deputy_policy::path::likely_secrets(situation)));
        }
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
            readable: if is_command { reach.readable } else { situation.roots.clone() },
            guard: Some(Arc::new(CallGuard::new(
                situation,
                revealed,
                &judged.ruling,
                equipment.caches.clone(),
                door,
            ))),
            gate: Arc::new(CallGate::new(situation, origins, self.reached.clone())),
            last_page,
            configuring: judged.ruling.configuring.clone(),
            caches: equipment.caches,
            scratch: equipment.scratch,
            environment: equipment.environment,
            scope: spec.scope.clone(),
            hidden,
            frozen: match confinement {
                Confinement::ReadOnly | Confinement::Open => Vec::new(),
                Confinement::Workspace | Confinement::WorkspaceNet => {
                    reach.writable.iter().flat_map(|folder| deputy_policy::path::frozen(folder)).collect()
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
            delegates,
            cancel,
            job: core.job_sink(Some(id.clone())),
            progress: Arc::new(move |text: &str| core.show(&task, Some(&call), &crate::redact::text(text))),
            keeper: Arc::new(JournalKeeper {
                core: self.core.clone(),
                task: spec.id.clone(),
                call: id.clone(),
            }),
        }
    }
}

/// Whether a command runs without a person: naming a file that likely holds secrets would have asked, so it only comes upon
/// them, as a search does. git reads what it tracks, and fails as a whole where it cannot; its forms were judged.
fn shows_no_likely_secrets(ruling: &Ruling) -> bool {
    let programs = ruling.programs.as_deref();
    !ruling.by_person
        && ruling.execution.is_some()
        && programs.is_some_and(|programs| programs.iter().all(|program| !program.ends_with("git")))
}
