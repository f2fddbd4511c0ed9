//! The tools of a task, and the registry that checks every call.
//!
//! Each tool is in a file or folder named after it. A tool says what a call would touch (`facts`) and does it (`run`).
//! Policy decides whether the call is allowed; this crate does not. Tools reach files through handles below the folders
//! that a call was given (`files`), and processes through the sandbox. Before a file changes, the [`Keeper`] stores it,
//! so that [`undo`] can restore it and [`settle`] can tell after a crash whether the change happened.

mod archive;
mod background;
mod browser;
mod budget;
mod carried;
mod code;
mod command;
mod command_notes;
mod delegate;
pub mod documents;
mod fetch;
mod files;
mod functions;
mod inference;
mod keeper;
mod memory;
pub mod organize;
mod parameters;
mod per_task;
mod picture;
mod pipeline;
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
    ToStart, WaitFor, Work,
};
pub use browser::{Browsers, ByHand, KeptProfile, Noting, TakeError, installed_browser};
pub use code::{Compared, LARGEST_COMPARED};
pub use delegate::{DELEGATE, Delegates, EndedPart, NoDelegates, Part};
pub use functions::{Group, NoGroups, OPEN_TOOLS, OpensGroups};
pub use inference::{Accepts, Asking, Does, Models, PYTHON_INFERENCE, Unanswered, Whom};
pub use keeper::{KeepError, Keeper};
pub use memory::{KnownMemory, Memories, MemoryError, NewMemory, NoMemories};
pub use organize::OrganizeHome;
pub use parameters::Shape;
pub use registry::Registry;
pub use search::{TopLevel, top_level};
pub use settle::{Settled, settle};
pub use shell::unusual_time_limit_secs;
pub use skill::{NoSkills, Skills};
pub use text::without_escapes;
pub use todo::{TODO, todo_steps};
pub use tool::{CallContext, InvalidCall, JobSink, Left, Place, ProgressSink, Tool};
pub use undo::{Blobs, UndoMode, can_undo_all, has_earlier_state, redo, state_of, undo};
pub use web_search::{ResultsForm, SearchForm, SearchKey, SearchProvider, Searching};
