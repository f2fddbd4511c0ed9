//! Organizes files without ever losing one. A plan is checked on a model of the tree and executed as a job with a
//! write-ahead entry for each operation. After a crash, the job resumes from the state of the disk, and it can be
//! undone.

mod archive;
mod batch;
mod boot;
mod check;
mod disk;
mod document;
mod edit;
mod execute;
mod guard;
mod index;
mod job;
mod jobs;
mod journal;
mod ledger;
mod model;
mod names;
mod naming;
mod parallel;
mod perform;
pub mod plan;
mod preview;
mod problem;
mod projects;
mod recover;
mod room;
pub mod scan;
mod scope;
mod settle;
mod standing;
pub mod suggest;
mod together;
mod transfer;
mod trash;
mod undo;

pub use archive::open as open_archive;
pub use check::{Bounds, CheckedPlan, MOST_OPERATIONS, check};
pub use disk::{DiskAction, DiskError, make_private_folder, standing};
pub use document::{Particulars, document_text, is_damaged, is_document, particulars};
pub use edit::{NoSuchOperation, with, without};
pub use execute::{Control, Report, RunError, Stop, report, run};
pub use job::{Act, FolderAct, FolderTime, IfTaken, Job, RestoredTime, Step, TwoPaths};
pub use jobs::{JobState, JobSummary, Jobs, JobsError, OpenJob, PlanSummary, Turn};
pub use journal::{JournalError, JournalFile};
pub use ledger::{
    Began, Copied, DoneStep, Ended, FailedStep, Finished, History, Ledger, LedgerError, Outcome, Record,
    Resumed, SkippedStep, Started, StepState, Trace,
};
pub use names::{fold, legal, numbered, split};
pub use naming::{Misnamed, misnamed};
pub use preview::{Preview, PreviewEntry, preview, table, tree};
pub use problem::{CheckError, Problem, Wrong};
pub use projects::is_marker;
pub use standing::{Fingerprint, Kind, Moment, Standing};
pub use trash::TrashPlaces;
pub use undo::{Conflict, ConflictChoice, ConflictReason, Reversal, reverse};
