//! What a tool is: the object-safe trait the loop sees, and the typed trait the tools are written against.

use crate::background::Commands;
use crate::delegate::Delegates;
use crate::keeper::Keeper;
use crate::memory::Memories;
use crate::parameters::Parameters;
use crate::skill::Skills;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_organize::suggest::Convention;
use deputy_policy::Execution;
use deputy_protocol::{CallId, Confinement, Facts, JobProgress, Limits, Scope, TaskId, ToolResult};
use deputy_sandbox::{Environment, Guard, Network};
use deputy_web::Gate;
use serde_json::Value;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Takes live output as it comes; it is shown, not kept.
pub type ProgressSink = Arc<dyn Fn(&str) + Send + Sync>;

/// Takes how far a job over files got; it is shown, not kept.
pub type JobSink = Arc<dyn Fn(JobProgress) + Send + Sync>;

/// Something a task can do.
#[async_trait]
pub trait Tool: Send + Sync {
    /// Its name, as plans use it.
    fn name(&self) -> &str;

    /// What it does and when to use it, for the model.
    fn description(&self) -> &str;

    /// JSON Schema of its parameters: one object, without unions at the top, which every provider takes.
    fn parameters(&self) -> Value;

    /// What the call would touch. May look at the files it names to show the change, and touches nothing. What policy
    /// decides on (`accesses`, `effect`) never depends on the content of a file: a decision must not tell a model what
    /// it may not read. `summary` and `diff` do depend on it, and are for people alone.
    fn facts(&self, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall>;

    /// As [`Tool::facts`], of a call that may have been shown to a person before: a tool that binds its answer to what was
    /// shown then gives the same again.
    fn facts_of(&self, call: &CallId, parameters: &Value, place: &Place) -> Result<Facts, InvalidCall> {
        let _ = call;
        self.facts(parameters, place)
    }

    /// Why the call would fail as things stand, so that nobody is asked about it in vain. The text is for the planner
    /// and may depend on what the call reads: to be called only where every `Read` part of the verdict is allowed.
    fn would_fail(&self, parameters: &Value, place: &Place) -> Option<Phrase> {
        let _ = (parameters, place);
        None
    }

    /// The real path of the folder that the call is to run in, where it names one; the workspace when it names none.
    fn working_dir(&self, parameters: &Value, place: &Place) -> Result<Option<PathBuf>, InvalidCall> {
        let _ = (parameters, place);
        Ok(None)
    }

    /// Puts the bounds of a task into the schema of its parameters, for the model.
    fn bound(&self, schema: &mut Value, limits: &Limits) {
        let _ = (schema, limits);
    }

    /// What a crash left of a call, where the tool keeps a journal of its own. To run such a call again continues with it.
    fn left(&self, call: &CallId, parameters: &Value) -> Left {
        let _ = (call, parameters);
        Left::Untold
    }

    /// Does it. What goes wrong is in the result, for the planner to read.
    async fn run(&self, parameters: &Value, cx: &CallContext) -> ToolResult;
}

/// What a crash left of a call, by the tool's own journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Left {
    /// The tool keeps no journal of such a call.
    Untold,
    /// Nothing of it was done.
    NotBegun,
    /// It was begun; this is what is still to be done, which may be nothing.
    Begun(Box<Facts>),
}

/// The folder of a call; relative paths are relative to the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Real path of the workspace.
    pub workspace: PathBuf,
    /// The user's home, `~` in paths.
    pub home: PathBuf,
    /// The convention that the user chose for names of files in plans.
    pub names: Option<Convention>,
}

impl Place {
    /// The path as facts name it and as it is opened: as given, with `~` written out, so that policy judges the
    /// very path that is used.
    pub(crate) fn named(&self, given: &str) -> String {
        let below_home = given.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (below_home, self.home.to_str()) {
            (Some(rest), Some(home)) => format!("{home}{rest}"),
            _ => given.to_owned(),
        }
    }

    /// The absolute path that `given` means. `..` and links are left as they are: only the file system can tell
    /// where they lead.
    pub(crate) fn absolute(&self, given: &str) -> PathBuf {
        self.workspace.join(self.named(given))
    }
}

/// All that a running call may use.
#[derive(Clone)]
pub struct CallContext {
    /// The call.
    pub call: CallId,
    /// Its task.
    pub task: TaskId,
    /// Cancelled when the task ends, or its host: what calls of the task keep open ends with it.
    pub ended: CancellationToken,
    /// Where it stands.
    pub place: Place,
    /// How a command is to run, as policy worked it out; absent for tools that run none.
    pub execution: Option<Execution>,
    /// The only programs that a command may start; `None` where a person agreed to what it starts.
    pub programs: Option<Vec<PathBuf>>,
    /// What the call may do at most. `read_only` lets no tool change a file.
    pub confinement: Confinement,
    /// Folders that may be read besides the workspace.
    pub readable: Vec<PathBuf>,
    /// Files and folders that a command may change where its confinement lets it change anything.
    pub writable: Vec<PathBuf>,
    /// Says by path what an approved command neither reads nor changes.
    pub guard: Option<Arc<dyn Guard>>,
    /// The address of the page that the task's browser showed last, in this process or an earlier one.
    pub last_page: Option<String>,
    /// Says which requests to the web may leave.
    pub gate: Arc<dyn Gate>,
    /// Programs whose changes to what starts other programs were agreed to.
    pub configuring: Vec<PathBuf>,
    /// Folders of Deputy's where a command keeps what tools download; no part of what undo covers.
    pub caches: Vec<PathBuf>,
    /// Where temporary files of the task's commands go.
    pub scratch: Option<PathBuf>,
    /// Whose surroundings a command starts in.
    pub environment: Environment,
    /// The task's scope: files outside of it are neither read nor listed with their content.
    pub scope: Scope,
    /// Secrets: neither read nor listed, wherever they stand.
    pub hidden: Vec<PathBuf>,
    /// Inside writable folders, but not to be changed.
    pub frozen: Vec<PathBuf>,
    /// Characters of the result that the planner gets.
    pub output_chars: usize,
    /// The real path of the folder that a command runs in.
    pub cwd: PathBuf,
    /// The task's limits, which bound its commands.
    pub limits: Limits,
    /// The longest that a call which only looks may take.
    pub look_timeout: std::time::Duration,
    /// The network of the task's own that its commands share while something runs in the background.
    pub network: Option<Network>,
    /// The task's background commands.
    pub commands: Arc<dyn Commands>,
    /// What the task may use of what is remembered.
    pub memories: Arc<dyn Memories>,
    /// Skills that the task may ask for.
    pub skills: Arc<dyn Skills>,
    /// Takes parts of the task over.
    pub delegates: Arc<dyn Delegates>,
    /// Ends the call.
    pub cancel: CancellationToken,
    /// Takes live output.
    pub progress: ProgressSink,
    /// Takes how far a job of the call got.
    pub job: JobSink,
    /// Keeps files before they change.
    pub keeper: Arc<dyn Keeper>,
}

/// Why a call cannot even be judged. The text is for the model: it says what to send instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCall {
    /// No tool has this name.
    UnknownTool {
        /// The name that was asked for.
        name: String,
        /// The most alike of the tools there are.
        nearest: Option<String>,
        /// The tools there are.
        known: Vec<String>,
    },
    /// A parameter is missing, unknown, or not of its type.
    WrongParameter {
        /// The tool.
        tool: String,
        /// Path to the parameter, e.g. `tags[2]`; empty for the object itself.
        path: String,
        /// What is wrong and what is expected.
        problem: Phrase,
    },
}

impl InvalidCall {
    pub(crate) fn parameter(tool: &str, path: &str, problem: impl Into<Phrase>) -> Self {
        Self::WrongParameter { tool: tool.to_owned(), path: path.to_owned(), problem: problem.into() }
    }

    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::UnknownTool { name, nearest: None, known } => say::unknown_tool(known.join(", "), name),
            Self::UnknownTool { name, nearest: Some(nearest), known } => {
                say::unknown_tool_nearest(known.join(", "), name, nearest)
            }
            Self::WrongParameter { tool, path, problem } if path.is_empty() => {
                say::wrong_parameters(problem, tool)
            }
            Self::WrongParameter { tool, path, problem } => say::wrong_parameter(path, problem, tool),
        }
    }
}

deputy_messages::said_by_phrase!(InvalidCall);

/// A tool with its parameters as a type.
pub(crate) trait TypedTool: Send + Sync {
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
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

/// Makes a [`Tool`] of a [`TypedTool`]: checks the parameters, then hands them on.
pub(crate) struct Typed<T>(pub(crate) T);

#[async_trait]
impl<T: TypedTool> Tool for Typed<T> {
    fn name(&self) -> &str {
        T::NAME
    }

    fn description(&self) -> &str {
        T::DESCRIPTION
    }

    fn parameters(&self) -> Value {
        T::Parameters::schema()
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
