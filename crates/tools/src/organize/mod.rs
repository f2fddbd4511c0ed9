//! `organize`: scans folders, and executes plans over their files as jobs that can be resumed and undone.
//!
//! Policy judges every step of a plan as it would be executed, by the same rules as any other path. The permission
//! request shows the tree afterwards, the operations and the tree before; its digest covers the plan. Each job has its
//! own journal, so after a crash it continues where it was interrupted.

mod by_hand;
mod draft;
mod facts;
mod home;
mod parameters;
mod progress;
mod sealed;
mod template;
mod words;

pub use by_hand::{ByHand, ByHandError, Judge};
pub use home::{DraftError, OrganizeHome};

use crate::text::failed;
use crate::tool::{CallContext, InvalidCall, Left, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_organize::plan::{Wishes, propose};
use deputy_organize::scan::{Scan, ScanError, Watch, scan};
use deputy_organize::suggest::{Convention, suggest};
use deputy_organize::{CheckError, CheckedPlan, Control, Job, JobsError, Kind, RunError};
use deputy_policy::path::{Bounds, Operation};
use deputy_protocol::{
    Access, CallId, Confinement, Digest, DraftTrees, Effect, Facts, ListAccess, OperationId, OrganizePlan,
    PlanFacts, ReadAccess, RequestedPlan, Risk, ToolCall, ToolResult,
};
use parameters::{OrganizeCall, ScanParameters, SubmitParameters, UndoParameters};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use sealed::tree_lines;
pub use words::{is_in_full, job_line, left_out, preview_text};

/// Returns whether a call submits a plan.
pub fn is_submit(call: &ToolCall) -> bool {
    call.tool == Organize::NAME
        && call.parameters.get("action").and_then(|action| action.as_str()) == Some("submit_plan")
}

/// The tool that organizes folders.
pub(crate) struct Organize {
    home: Arc<OrganizeHome>,
}

/// Why a call of `organize` failed. The text is for the model.
#[derive(Debug, thiserror::Error)]
enum OrganizeError {
    Scan(#[from] ScanError),
    Draft(#[from] DraftError),
    Jobs(#[from] JobsError),
    Run(#[from] RunError),
    Check(#[from] CheckError),
    Call(#[from] InvalidCall),
    File(#[from] crate::files::FileError),
    Unfinished(Phrase),
}

impl OrganizeError {
    /// Returns the message for people.
    fn phrase(&self) -> Phrase {
        match self {
            Self::Scan(error) => error.phrase(),
            Self::Draft(error) => error.phrase(),
            Self::Jobs(error) => error.phrase(),
            Self::Run(error) => error.phrase(),
            Self::Check(error) => words::check_error(error),
            Self::Call(error) => error.phrase(),
            Self::File(error) => error.phrase(),
            Self::Unfinished(reason) => say::unfinished(reason),
        }
    }
}

deputy_messages::said_by_phrase!(OrganizeError);

impl Organize {
    pub(crate) fn new(home: OrganizeHome) -> Self {
        Self { home: Arc::new(home) }
    }

    /// Returns the plan that a call submits, with the scope as real paths.
    fn plan(&self, call: &SubmitParameters, place: &Place) -> Result<OrganizePlan, InvalidCall> {
        let wrong = |path: &str, problem: Phrase| InvalidCall::parameter(Self::NAME, path, problem);
        if let Some(draft) = &call.draft {
            if !call.operations.is_empty() {
                return Err(wrong("operations", say::draft_or_operations()));
            }
            let plan = self.home.draft(draft).map_err(|error| wrong("draft", error.phrase()))?;
            let dropped: Vec<OperationId> = call.without.iter().map(OperationId::new).collect();
            return deputy_organize::without(&plan, &dropped)
                .map_err(|error| wrong("without", error.phrase()));
        }
        let numbered = (1..).zip(&call.operations);
        let operations: Result<Vec<_>, Phrase> =
            numbered.map(|(number, planned)| planned.operation(number)).collect();
        let operations = operations.map_err(|problem| wrong("operations", problem))?;
        let scope = folders(&call.paths, place)?;
        let scope = scope.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
        Ok(OrganizePlan { scope, reasoning: call.reasoning.clone().into(), operations })
    }

    fn checked(&self, call: &SubmitParameters, place: &Place) -> Result<CheckedPlan, InvalidCall> {
        let plan = self.plan(call, place)?;
        if plan.operations.is_empty() {
            return Err(InvalidCall::parameter(Self::NAME, "operations", say::no_operations()));
        }
        if let Some(convention) = &place.names {
            let found = deputy_organize::misnamed(&plan, convention);
            if !found.is_empty() {
                let problem = words::misnamed(convention, &found);
                return Err(InvalidCall::parameter(Self::NAME, "operations", problem));
            }
        }
        let checked = self.home.check(&plan);
        checked.map_err(|error| InvalidCall::parameter(Self::NAME, "operations", words::check_error(&error)))
    }

    fn submit_facts(&self, checked: &CheckedPlan, shown: String, trees: Option<DraftTrees>) -> Facts {
        let risks = checked.plan.operations.iter().map(|operation| operation.risk);
        Facts {
            effect: Effect::Mutating,
            accesses: facts::accesses(&checked.job, |_| true),
            summary: words::plan_summary(&checked.plan),
            diff: Some(shown),
            plan: Some(Box::new(PlanFacts {
                digest: Digest::new(checked.digest()),
                shown: RequestedPlan { plan: checked.plan.clone(), trees },
            })),
            risk: risks.max().unwrap_or(Risk::Medium),
        }
    }

    fn undo_facts(&self, call: &UndoParameters) -> Result<Facts, InvalidCall> {
        let wrong = |error: JobsError| InvalidCall::parameter(Self::NAME, "job", error.phrase());
        let jobs = self.home.jobs().map_err(wrong)?;
        let reversal = jobs.reverse(&call.job, deputy_organize::ConflictChoice::Skip).map_err(wrong)?;
        Ok(facts::reversal(&call.job, &reversal))
    }
}

/// Returns the real paths of folders that a call names.
fn folders(paths: &[String], place: &Place) -> Result<Vec<PathBuf>, InvalidCall> {
    let real = |(index, path): (usize, &String)| {
        let wrong =
            |problem: Phrase| InvalidCall::parameter(Organize::NAME, &format!("paths[{index}]"), problem);
        if path.is_empty() || path.contains('\0') {
            return Err(wrong(deputy_messages::tools::expected_path()));
        }
        let given = place.absolute(path);
        given.canonicalize().map_err(|error| wrong(say::cannot_open(error, given.display())))
    };
    if paths.is_empty() {
        return Err(InvalidCall::parameter(Organize::NAME, "paths", say::expected_folder()));
    }
    paths.iter().enumerate().map(real).collect()
}

fn looking(paths: &[String], place: &Place, here: fn() -> Phrase, there: fn(String) -> Phrase) -> Facts {
    let named: Vec<String> = paths.iter().map(|path| place.named(path)).collect();
    let access = |path: &String| {
        let path = path.clone();
        [Access::List(ListAccess { path: path.clone() }), Access::Read(ReadAccess { path })]
    };
    let shown: Vec<String> = paths.iter().map(|path| crate::text::shown(path.as_ref())).collect();
    let summary = if shown == ["."] { here() } else { there(crate::text::one_line(&shown.join(", "), 200)) };
    Facts {
        effect: Effect::ReadOnly,
        accesses: named.iter().flat_map(access).collect(),
        summary,
        diff: None,
        plan: None,
        risk: Risk::Low,
    }
}

impl TypedTool for Organize {
    const NAME: &'static str = "organize";
    type Parameters = OrganizeCall;

    fn facts(&self, call: &OrganizeCall, place: &Place) -> Result<Facts, InvalidCall> {
        match call {
            OrganizeCall::Scan(call) => {
                wishes(call, place)?;
                Ok(looking(&call.paths, place, say::look_through_here, say::look_through))
            }
            OrganizeCall::Suggest(call) => {
                Ok(looking(&call.paths, place, say::find_names_here, say::find_names))
            }
            OrganizeCall::Draft(call) => {
                draft::checked(call)?;
                let from = call.changes.iter().flat_map(|change| &change.from);
                let all: Vec<String> = call.paths.iter().chain(from).cloned().collect();
                Ok(looking(&all, place, say::draft_here, say::draft))
            }
            OrganizeCall::Submit(call) => {
                let checked = self.checked(call, place)?;
                let found = words::trees(&self.home, &checked);
                let shown = words::plan_text(&checked, found.as_ref());
                Ok(self.submit_facts(&checked, shown, found.as_ref().map(tree_lines)))
            }
            // The status comes only from the journals of the jobs; no other file is read.
            OrganizeCall::Status(_) => Ok(Facts {
                summary: say::see_jobs(),
                accesses: vec![Access::List(ListAccess { path: ".".to_owned() })],
                ..looking(&[], place, say::look_through_here, say::look_through)
            }),
            OrganizeCall::Undo(call) => self.undo_facts(call),
        }
    }

    fn facts_of(&self, id: &CallId, call: &OrganizeCall, place: &Place) -> Result<Facts, InvalidCall> {
        let OrganizeCall::Submit(call) = call else { return self.facts(call, place) };
        // The approval refers to what the person was shown, even if the files have changed since.
        let sealed = match self.home.sealed(id) {
            Some(sealed) => sealed,
            None => self.home.seal(id, self.checked(call, place)?),
        };
        Ok(self.submit_facts(&sealed.checked, sealed.shown, sealed.trees))
    }

    fn left(&self, call: &CallId, parameters: &OrganizeCall) -> Left {
        if !matches!(parameters, OrganizeCall::Submit(_) | OrganizeCall::Undo(_)) {
            return Left::Untold;
        }
        let found = self.home.jobs().and_then(|jobs| jobs.history(&OrganizeHome::job_of(call)));
        match found {
            Ok(Some(found)) => Left::Begun(Box::new(facts::left_of(&found))),
            Ok(None) => Left::NotBegun,
            Err(_) => Left::Untold,
        }
    }

    async fn run(&self, call: OrganizeCall, cx: &CallContext) -> ToolResult {
        let (home, own) = (self.home.clone(), cx.clone());
        let work = move || {
            let organize = Self { home };
            match call {
                OrganizeCall::Scan(call) => organize.scan(&call, &own),
                OrganizeCall::Draft(call) => draft::draft(&organize, &call, &own),
                OrganizeCall::Suggest(call) => {
                    let scan = look(&folders(&call.paths, &own.place)?, &own)?;
                    Ok(words::suggestions(&suggest(&scan)))
                }
                OrganizeCall::Status(call) => {
                    words::status(&organize.home, call.job.as_deref(), own.output_chars)
                }
                OrganizeCall::Submit(call) => {
                    let sealed = organize.home.sealed(&own.call).map(|sealed| sealed.checked);
                    let job = || match sealed {
                        Some(checked) => Ok(checked.job),
                        None => Ok(organize.checked(&call, &own.place)?.job),
                    };
                    let result = organize.execute(&own, job);
                    organize.home.unseal(&own.call);
                    result
                }
                OrganizeCall::Undo(call) => organize.execute(&own, || {
                    let jobs = organize.home.jobs()?;
                    Ok(jobs.reverse(&call.job, deputy_organize::ConflictChoice::Skip)?.job)
                }),
            }
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(result)) => result,
            Ok(Err(OrganizeError::Scan(ScanError::Cancelled))) => crate::text::cancelled(),
            Ok(Err(error)) => failed(error),
            Err(error) => failed(say::broke_off(error)),
        }
    }
}

impl Organize {
    fn scan(&self, call: &ScanParameters, cx: &CallContext) -> Result<ToolResult, OrganizeError> {
        let scope = &cx.situation.scope;
        if !(scope.only_files.is_empty() && scope.only_tags.is_empty()) {
            return Ok(ToolResult::denied(say::single_files()));
        }
        let wishes = wishes(call, &cx.place)?;
        let found = look(&folders(&call.paths, &cx.place)?, cx)?;
        let proposal = propose(&found, &wishes);
        let draft = if proposal.plan.operations.is_empty() {
            None
        } else {
            Some(self.home.keep_draft(&proposal.plan)?)
        };
        Ok(words::scanned(&found, &proposal, draft.as_deref(), cx.output_chars))
    }

    /// Runs the job of this call. Resumes the job if a crash interrupted it, otherwise starts a new one.
    fn execute(
        &self,
        cx: &CallContext,
        make: impl FnOnce() -> Result<Job, OrganizeError>,
    ) -> Result<ToolResult, OrganizeError> {
        if cx.confinement == Confinement::ReadOnly {
            return Ok(ToolResult::denied(say::may_change_nothing()));
        }
        let jobs = self.home.jobs()?;
        let id = OrganizeHome::job_of(&cx.call);
        let mut job = match jobs.history(&id)? {
            Some(_) => jobs.resume(&id)?,
            None => {
                let job = Job { id: id.clone(), call: Some(cx.call.to_string()), ..make()? };
                // A job that cannot begin would only block other jobs.
                if let Some(folder) = job.scope.iter().find(|folder| !stands(folder)) {
                    return Err(RunError::ScopeGone(folder.clone()).into());
                }
                jobs.start(job)?
            }
        };
        let before = job.history().done();
        let is_cancelled = || cx.cancel.is_cancelled();
        let (mut tell, mut text) = (progress::of(job.history(), &cx.job), told(cx));
        let mut progress = |done, of| {
            tell(done, of);
            text(done, of);
        };
        let mut control =
            Control { is_cancelled: &is_cancelled, progress: &mut progress, skip_failed: false };
        let report = job.run(&mut control)?;
        Ok(words::executed(&id, job.history(), &report, before))
    }
}

/// Returns whether a folder of a scope exists and is not a link.
fn stands(folder: &Path) -> bool {
    let found = deputy_organize::standing(folder);
    found.is_ok_and(|found| found.is_some_and(|found| found.fingerprint.kind == Kind::Folder))
}

fn wishes(call: &ScanParameters, place: &Place) -> Result<Wishes, InvalidCall> {
    let wrong = |error: deputy_organize::suggest::NoConvention| {
        InvalidCall::parameter(Organize::NAME, "convention", error.phrase())
    };
    let asked = call.convention.as_deref().map(Convention::parse).transpose().map_err(wrong)?;
    // The user's choice takes precedence over the planner's.
    let convention = place.names.or(asked);
    Ok(Wishes { by: call.by.map(Into::into).unwrap_or_default(), convention })
}

/// The time limit of a scan by a task. A person who starts a scan can cancel it.
const LONGEST_SCAN: Duration = Duration::from_secs(10 * 60);

/// Scans folders and reports progress. Skips secrets and paths that the user's rules exclude.
fn look(folders: &[PathBuf], cx: &CallContext) -> Result<Scan, ScanError> {
    /// The number of files between two progress reports.
    const STEP: usize = 10_000;
    let steps = std::sync::atomic::AtomicUsize::new(0);
    let progress = |progress: deputy_organize::scan::ScanProgress| {
        let step = progress.done / STEP;
        if step > steps.fetch_max(step, std::sync::atomic::Ordering::Relaxed) {
            (cx.progress)(&words::scanning(&progress));
        }
    };
    let bounds = Bounds::of(&cx.situation);
    let closed = std::sync::atomic::AtomicUsize::new(0);
    let passes_by = |path: &Path| {
        let is_closed = bounds.ruled_out(Operation::Read, path).is_some();
        closed.fetch_add(usize::from(is_closed), std::sync::atomic::Ordering::Relaxed);
        is_closed || bounds.is_secret(path)
    };
    let until = Instant::now() + LONGEST_SCAN;
    let is_over = || cx.cancel.is_cancelled() || Instant::now() >= until;
    let watch = Watch { passes_by: &passes_by, is_cancelled: &is_over, progress: &progress };
    let mut found = scan(folders, &watch).map_err(|error| match error {
        ScanError::Cancelled if !cx.cancel.is_cancelled() => {
            ScanError::TooLong { minutes: LONGEST_SCAN.as_secs() / 60 }
        }
        error => error,
    })?;
    found.left_out.closed = closed.into_inner();
    found.left_out.hidden -= found.left_out.closed;
    Ok(found)
}

/// Returns a function that reports the progress of a job in steps of 5%.
fn told(cx: &CallContext) -> impl FnMut(usize, usize) {
    let progress = cx.progress.clone();
    let mut last = 0;
    move |done: usize, of: usize| {
        let part = done * 20 / of.max(1);
        if of >= 100 && part > last {
            last = part;
            progress(&format!("{done} of {of} steps are done\n"));
        }
    }
}
