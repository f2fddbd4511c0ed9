//! The tool traits: the object-safe trait that the loop sees, and the typed trait that tools implement.

use crate::background::Commands;
use crate::delegate::Delegates;
use crate::functions::OpensGroups;
use crate::keeper::Keeper;
use crate::memory::Memories;
use crate::parameters::{Parameters, Shape};
use crate::skill::Skills;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_organize::suggest::Convention;
use deputy_policy::{Execution, Situation};
use deputy_protocol::{CallId, Confinement, Facts, JobProgress, Limits, TaskId, ToolResult};
use deputy_sandbox::{Environment, Guard, Network};
use deputy_web::Gate;
use serde_json::Value;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Receives live output as it arrives. The output is shown, not stored.
pub type ProgressSink = Arc<dyn Fn(&str) + Send + Sync>;

/// Receives the progress of a job over files. The progress is shown, not stored.
pub type JobSink = Arc<dyn Fn(JobProgress) + Send + Sync>;

/// A tool that a task can call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// The name of the tool in plans.
    fn name(&self) -> &str;

    /// What the tool does, for the model, if it does not come with Deputy. The words for the others are in the table of
    /// functions.
    fn description(&self) -> &str {
        ""
    }

    /// The parameters of each action.
    fn shapes(&self) -> Vec<Shape>;

    /// Returns what the call would touch. It may read the files that the call names in order to show the change, but it
    /// changes nothing.
    ///
    /// The fields that policy decides on (`accesses`, `effect`) never depend on the content of a file, because a
    /// decision must not reveal to a model what it may not read. `summary` and `diff` do depend on it and are only for
    /// people.
    ///
    /// # Errors
    ///
    /// [`InvalidCall`] if the parameters are wrong.
    fn facts(&self, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall>;

    /// Like [`Tool::facts`], for a call that a person may already have seen. A tool that binds its answer to what was
    /// shown returns the same facts again.
    fn facts_of(&self, call: &CallId, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall> {
        let _ = call;
        self.facts(parameters, place)
    }

    /// Returns why the call would fail at the moment, so that no person is asked about a call that cannot succeed.
    /// `None` if no reason is known.
    ///
    /// The text is for the planner and may depend on what the call reads. Call this only if every `Read` part of the
    /// verdict is allowed.
    fn would_fail(&self, parameters: &Value, place: &Place) -> Option<Phrase> {
        let _ = (parameters, place);
        None
    }

    /// Returns the real path of the folder in which the call runs. `None` if the call names no folder; it then runs in
    /// the workspace.
    fn working_dir(&self, parameters: &Value, place: &Place) -> Result<Option<PathBuf>, InvalidCall> {
        let _ = (parameters, place);
        Ok(None)
    }

    /// Writes the limits of a task into the JSON Schema of the parameters, for the model.
    fn bound(&self, schema: &mut Value, limits: &Limits) {
        let _ = (schema, limits);
    }

    /// Returns how far a call got before a crash, if the tool keeps a journal. Running such a call again continues it.
    fn left(&self, call: &CallId, parameters: &Value) -> Left {
        let _ = (call, parameters);
        Left::Untold
    }

    /// Runs the call. Errors are reported in the result, for the planner to read.
    async fn run(&self, parameters: &Value, cx: &CallContext) -> ToolResult;
}

/// How far a call got before a crash, according to the tool's journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Left {
    /// The tool keeps no journal of such calls.
    Untold,
    /// The call did nothing.
    NotBegun,
    /// The call had begun. Holds what remains to be done, which can be nothing.
    Begun(Box<Facts>),
}

/// The folder of a call. Relative paths are relative to the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The real path of the workspace.
    pub workspace: PathBuf,
    /// The user's home folder, `~` in paths.
    pub home: PathBuf,
    /// The task's folder for temporary files, `/tmp` in paths.
    pub temporary: Option<PathBuf>,
    /// The naming convention that the user chose for file names in plans.
    pub names: Option<Convention>,
}

impl Place {
    /// Returns the path as it appears in facts and as it is opened: the given path with `~` expanded. Policy therefore
    /// judges the same path that is used.
    pub(crate) fn named(&self, given: &str) -> String {
        let below_home = given.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (below_home, self.home.to_str()) {
            (Some(rest), Some(home)) => format!("{home}{rest}"),
            _ => given.to_owned(),
        }
    }

    /// Returns the absolute path of `given`, as policy resolves it. `..` and links are not resolved, because only the file
    /// system knows their targets.
    pub(crate) fn absolute(&self, given: &str) -> PathBuf {
        let path = self.workspace.join(self.named(given));
        self.temporary
            .as_ref()
            .and_then(|folder| deputy_policy::path::temporary(folder, &path))
            .unwrap_or(path)
    }
}

/// Everything that a running call may use.
#[derive(Clone)]
pub struct CallContext {
    /// The id of the call.
    pub call: CallId,
    /// The task that the call belongs to.
    pub task: TaskId,
    /// Cancelled when the task or its host ends. Everything that calls of the task keep open ends with it.
    pub ended: CancellationToken,
    /// The workspace and home of the call.
    pub place: Place,
    /// How a command runs, as decided by policy. `None` for tools that run no command.
    pub execution: Option<Execution>,
    /// The only programs that a command may start. `None` if a person agreed to the command.
    pub programs: Option<Vec<PathBuf>>,
    /// What the call may do at most. With `read_only`, no tool changes a file.
    pub confinement: Confinement,
    /// Folders that may be read in addition to the workspace.
    pub readable: Vec<PathBuf>,
    /// Files and folders that a command may change, if its confinement allows any changes.
    pub writable: Vec<PathBuf>,
    /// Decides by path what an approved command may neither read nor change.
    pub guard: Option<Arc<dyn Guard>>,
    /// The address of the last page that the task's browser showed, in this process or an earlier one.
    pub last_page: Option<String>,
    /// Decides which web requests may be sent.
    pub gate: Arc<dyn Gate>,
    /// Programs that a person allowed to change files which start other programs.
    pub configuring: Vec<PathBuf>,
    /// Deputy's cache folders, in which a command keeps what its tools download. Undo does not cover them.
    pub caches: Vec<PathBuf>,
    /// The folder for temporary files of the task's commands.
    pub scratch: Option<PathBuf>,
    /// The environment in which a command starts.
    pub environment: Environment,
    /// The situation that the call was judged in. Tools check every path that they find in a folder against its scope,
    /// rules and secrets.
    pub situation: Arc<Situation>,
    /// Secrets, which are never read or listed, wherever they are.
    pub hidden: Vec<PathBuf>,
    /// Secrets that are read with all values masked, as real paths.
    pub masked: Vec<PathBuf>,
    /// Paths inside writable folders that must not be changed.
    pub frozen: Vec<PathBuf>,
    /// The maximum length of the result that the planner receives, in characters.
    pub output_chars: usize,
    /// The real path of the folder in which a command runs.
    pub cwd: PathBuf,
    /// The limits of the task, which also apply to its commands.
    pub limits: Limits,
    /// The maximum duration of a call that only reads.
    pub look_timeout: std::time::Duration,
    /// The task's private network, which its commands share while something runs in the background.
    pub network: Option<Network>,
    /// The task's background commands.
    pub commands: Arc<dyn Commands>,
    /// The memories that the task may use.
    pub memories: Arc<dyn Memories>,
    /// Skills that the task may ask for.
    pub skills: Arc<dyn Skills>,
    /// Groups of functions that the task may open.
    pub groups: Arc<dyn OpensGroups>,
    /// Runs parts of the task as sub-tasks.
    pub delegates: Arc<dyn Delegates>,
    /// Cancels the call.
    pub cancel: CancellationToken,
    /// Receives live output.
    pub progress: ProgressSink,
    /// Receives the progress of a job.
    pub job: JobSink,
    /// Stores files before they change.
    pub keeper: Arc<dyn Keeper>,
}

/// Why a call cannot be checked against policy at all. The text is for the model and says what to send instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCall {
    /// The task has no function with this name.
    UnknownFunction {
        /// The requested name.
        name: String,
        /// The right call of the function with the most similar name.
        nearest: Option<String>,
        /// The names of the task's functions.
        known: Vec<String>,
    },
    /// An argument of a function is missing, unknown, or of the wrong type.
    WrongArgument {
        /// The function.
        function: String,
        /// The path to the argument, e.g. `tags[2]`. Empty for the object as a whole.
        path: String,
        /// The problem and the expected value.
        problem: Phrase,
        /// The right form of the call.
        right: String,
    },
    /// A parameter is missing, unknown, or of the wrong type.
    WrongParameter {
        /// The tool.
        tool: String,
        /// The path to the parameter, e.g. `tags[2]`. Empty for the object as a whole.
        path: String,
        /// The problem and the expected value.
        problem: Phrase,
    },
}

impl InvalidCall {
    pub(crate) fn parameter(tool: &str, path: &str, problem: impl Into<Phrase>) -> Self {
        Self::WrongParameter { tool: tool.to_owned(), path: path.to_owned(), problem: problem.into() }
    }

    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::UnknownFunction { name, nearest: None, known } => {
                say::unknown_function(known.join(", "), name)
            }
            Self::UnknownFunction { name, nearest: Some(nearest), .. } => {
                say::unknown_function_nearest(name, nearest)
            }
            Self::WrongArgument { function, path, problem, right } if path.is_empty() => {
                say::wrong_arguments(function, problem, right)
            }
            Self::WrongArgument { function, path, problem, right } => {
                say::wrong_argument(function, path, problem, right)
            }
            Self::WrongParameter { tool, path, problem } if path.is_empty() => {
                say::wrong_parameters(problem, tool)
            }
            Self::WrongParameter { tool, path, problem } => say::wrong_parameter(path, problem, tool),
        }
    }
}

deputy_messages::said_by_phrase!(InvalidCall);

/// A tool whose parameters are a Rust type.
pub(crate) trait TypedTool: Send + Sync {
    const NAME: &'static str;
    type Parameters: Parameters;

    fn facts(&self, parameters: &Self::Parameters, place: &Place) -> Result<Facts, InvalidCall>;

    fn facts_of(
        &self,
        call: &CallId,
        parameters: &Self::Parameters,
        place: &Place,
    ) -> Result<Facts, InvalidCall> {
        let _ = call;
        self.facts(parameters, place)
    }

    fn would_fail(&self, parameters: &Self::Parameters, place: &Place) -> Option<Phrase> {
        let _ = (parameters, place);
        None
    }

    fn working_dir(
        &self,
        parameters: &Self::Parameters,
        place: &Place,
    ) -> Result<Option<PathBuf>, InvalidCall> {
        let _ = (parameters, place);
        Ok(None)
    }

    fn bound(&self, schema: &mut Value, limits: &Limits) {
        let _ = (schema, limits);
    }

    fn left(&self, call: &CallId, parameters: &Self::Parameters) -> Left {
        let _ = (call, parameters);
        Left::Untold
    }

    fn run(&self, parameters: Self::Parameters, cx: &CallContext) -> impl Future<Output = ToolResult> + Send;
}

/// Makes a [`Tool`] of a [`TypedTool`] by parsing the parameters before each call.
pub(crate) struct Typed<T>(pub(crate) T);

#[async_trait]
impl<T: TypedTool> Tool for Typed<T> {
    fn name(&self) -> &str {
        T::NAME
    }

    fn shapes(&self) -> Vec<Shape> {
        T::Parameters::shapes()
    }

    fn facts(&self, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall> {
        self.0.facts(&T::Parameters::parse(T::NAME, parameters)?, place)
    }

    fn facts_of(&self, call: &CallId, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall> {
        self.0.facts_of(call, &T::Parameters::parse(T::NAME, parameters)?, place)
    }

    fn would_fail(&self, parameters: &Value, place: &Place) -> Option<Phrase> {
        self.0.would_fail(&T::Parameters::parse(T::NAME, parameters).ok()?, place)
    }

    fn working_dir(&self, parameters: &Value, place: &Place) -> Result<Option<PathBuf>, InvalidCall> {
        self.0.working_dir(&T::Parameters::parse(T::NAME, parameters)?, place)
    }

    fn bound(&self, schema: &mut Value, limits: &Limits) {
        self.0.bound(schema, limits);
    }

    fn left(&self, call: &CallId, parameters: &Value) -> Left {
        match T::Parameters::parse(T::NAME, parameters) {
            Ok(typed) => self.0.left(call, &typed),
            Err(_) => Left::Untold,
        }
    }

    async fn run(&self, parameters: &Value, cx: &CallContext) -> ToolResult {
        match T::Parameters::parse(T::NAME, parameters) {
            Ok(typed) => self.0.run(typed, cx).await,
            Err(error) => crate::text::failed(error),
        }
    }
}
