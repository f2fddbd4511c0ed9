//! What a task can do: one file or folder a tool, and the registry that checks every call.
//!
//! A tool says what a call would touch (`facts`), and does it (`run`); whether it may is not decided here. Files
//! are reached through handles below the folders a call was given (`files`), processes through the sandbox,
//! and every change of a file goes through the [`Keeper`] first, so that [`undo`] can take it back and [`settle`] can tell
//! after a crash whether it happened.

mod archive;
mod background;
mod browser;
mod budget;
mod carried;
mod code;
mod command;
mod delegate;
pub mod documents;
mod fetch;
mod files;
mod inference;
mod keeper;
mod memory;
pub mod organize;
mod parameters;
mod per_task;
mod picture;
mod registry;
mod search;
mod settle;
mod shell;
mod skill;
mod table;
mod tags;
mod text;
mod todo;
mod tool;
pub mod tree;
mod undo;
mod web_search;

pub use background::{
    BACKGROUND, Commands, Listed, NEW_OUTPUT, NoCommands, OutputPiece, OwnWork, OwnWorking, RanInBackground,
    ToStart, Work,
};
pub use browser::{Browsers, ByHand, KeptProfile, Noting, TakeError, installed_browser};
pub use delegate::{DELEGATE, Delegates, EndedPart, NoDelegates, Part};
pub use inference::{Accepts, Asking, Does, Models, PYTHON_INFERENCE, Unanswered, Whom};
pub use keeper::{KeepError, Keeper};
pub use memory::{KnownMemory, Memories, MemoryError, NewMemory, NoMemories};
pub use organize::OrganizeHome;
pub use registry::Registry;
pub use settle::{Settled, settle};
pub use shell::unusual_time_limit_secs;
pub use skill::{NoSkills, Skills};
pub use todo::{TODO, todo_steps};
pub use tool::{CallContext, InvalidCall, JobSink, Left, Place, ProgressSink, Tool};
pub use undo::{Blobs, UndoMode, can_undo_all, redo, undo};
pub use web_search::{ResultsForm, SearchForm, SearchKey, SearchProvider, Searching};
