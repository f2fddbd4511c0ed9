//! The parts of the person's environment that an approved command gets: variables, tools, read access to the home, and
//! folders for downloads and temporary files. A command that runs without a person's approval only gets git settings
//! that start no programs.

use crate::core::Core;
use crate::driver::judge::{Judged, is_narrow};
use crate::loans::{self, LoanError};
use crate::tool_caches::{self, ToolCaches};
use crate::toolbox;
use crate::user_shell::Surroundings;
use deputy_policy::Situation;
use deputy_policy::path::{Operation, in_scope};
use deputy_protocol::{Confinement, TaskSpec};
use deputy_sandbox::{Environment, PersonEnvironment};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the results of searching the home and the caches are reused.
const LOOK_HOLDS: Duration = Duration::from_secs(30);

/// What a call gets in addition to the workspace.
#[derive(Default)]
pub(super) struct Equipment {
    pub(super) environment: Environment,
    pub(super) readable: Vec<PathBuf>,
    pub(super) hidden: Vec<PathBuf>,
    pub(super) caches: Vec<PathBuf>,
    pub(super) scratch: Option<PathBuf>,
    /// Secrets that it may read, in the form in which they are lent.
    pub(super) revealed: Vec<PathBuf>,
    /// What could not be lent, and why.
    pub(super) not_lent: Vec<LoanError>,
}

/// The equipment of a task's commands, with recent search results.
pub(super) struct Equip {
    core: Arc<Core>,
    look: Look,
}

/// The results of the last search of the home.
#[derive(Clone, Default)]
struct Look {
    at: Option<Instant>,
    tools: Vec<PathBuf>,
    caches: Option<ToolCaches>,
    secrets: Vec<PathBuf>,
}

impl Equip {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self { core, look: Look::default() }
    }

    /// Collects the equipment of a call.
    pub(super) async fn gather(&mut self, spec: &TaskSpec, judged: &Judged) -> Equipment {
        let (ruling, situation) = (&judged.ruling, &judged.situation);
        if ruling.execution.is_none() {
            return Equipment::default();
        }
        if !ruling.by_person {
            let git_settings = self.core.git_settings.file(&self.core.user_home);
            // The folder instead of the file, because the file is replaced when the person's settings change.
            let readable = git_settings.iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
            let environment = Environment::Hardened { git_settings };
            let scratch = situation.temporary.clone();
            return Equipment { environment, readable, scratch, ..Equipment::default() };
        }
        let surroundings = self.core.surroundings(spec).await;
        let mut person = PersonEnvironment {
            path: surroundings.path_variable(),
            variables: surroundings.variables.clone(),
            runs_hooks: ruling.runs_hooks,
            lent: None,
        };
        let confinement = ruling.verdict.confinement;
        if confinement == Confinement::Open {
            let environment = Environment::Person(person);
            return Equipment { environment, ..Equipment::default() };
        }
        let look = self.look(situation, &surroundings).await;
        let mut equipment = Equipment { readable: look.tools, ..Equipment::default() };
        if !ruling.in_folder && opens_home(situation, confinement) {
            equipment.readable.push(situation.home.clone());
            equipment.hidden = look.secrets;
        }
        equipment.scratch.clone_from(&situation.temporary);
        let may_write = confinement >= Confinement::Workspace;
        if may_write && !is_narrow(&situation.scope) {
            if let Some(caches) = look.caches {
                person.variables.extend(caches.variables);
                equipment.caches.push(caches.folder);
            }
            if let Some(scratch) = &equipment.scratch {
                person.variables.extend(runtime_folder(scratch));
            }
        }
        let loans = loans::prepare(&ruling.lends, &situation.home, &surroundings).await;
        equipment.readable.extend(loans.readable);
        equipment.revealed = loans.revealed;
        equipment.not_lent = loans.missing;
        person.lent = (!ruling.lends.is_empty()).then(|| Arc::new(loans.lent));
        equipment.environment = Environment::Person(person);
        equipment
    }

    /// Returns the recent contents of the home.
    async fn look(&mut self, situation: &Situation, surroundings: &Arc<Surroundings>) -> Look {
        if self.look.at.is_some_and(|at| at.elapsed() < LOOK_HOLDS) {
            return self.look.clone();
        }
        let (situation, surroundings) = (situation.clone(), surroundings.clone());
        let work = move || Look {
            at: Some(Instant::now()),
            tools: toolbox::folders(&situation.home, &surroundings),
            caches: tool_caches::prepare(&situation.home, &situation.workspace, &surroundings),
            secrets: deputy_policy::path::hidden_in_home(&situation),
        };
        self.look = tokio::task::spawn_blocking(work).await.unwrap_or_default();
        self.look.clone()
    }
}

/// Returns whether a command may read the home: if it cannot send the content elsewhere, and the task's scope allows
/// it.
fn opens_home(situation: &Situation, confinement: Confinement) -> bool {
    confinement <= Confinement::Workspace
        && in_scope(situation, Operation::Read, &situation.home).is_ok()
        && situation.home != Path::new("/")
}

/// Creates the folder in which programs create their sockets.
fn runtime_folder(scratch: &Path) -> Option<(OsString, OsString)> {
    use std::os::unix::fs::DirBuilderExt;
    const NAME: &str = ".runtime";
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(scratch.join(NAME));
    let seen = if deputy_sandbox::walls().bubblewrap.is_some() { Path::new("/tmp") } else { scratch };
    made.is_ok().then(|| ("XDG_RUNTIME_DIR".into(), seen.join(NAME).into()))
}
