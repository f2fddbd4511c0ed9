//! A home with its own scripted model, and the shapes that the tests look for in the events.

use deputy_protocol::*;
use deputy_testkit::{Background, Finished, Script, ScriptedModel, TempHome, Turn};
use serde_json::{Value, json};

/// One home, one workspace, one model.
pub(crate) struct World {
    pub(crate) home: TempHome,
    pub(crate) model: ScriptedModel,
}

impl World {
    /// A home whose default model gives these answers.
    pub(crate) fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self::of(Script::turns(turns))
    }

    /// A home whose default model plays this script.
    pub(crate) fn of(script: Script) -> Self {
        let model = ScriptedModel::start(script).unwrap();
        let mut home = TempHome::new().unwrap();
        home.use_model(&model).unwrap();
        Self { home, model }
    }

    /// Runs `deputy ARGS` to its end.
    pub(crate) fn say(&self, args: &[&str]) -> Finished {
        let mut command = self.home.deputy().unwrap();
        command.args(args);
        Finished::of(command).unwrap()
    }

    /// Runs `deputy --json ARGS` to its end.
    pub(crate) fn json(&self, args: &[&str]) -> Finished {
        self.say(&[&["--json"], args].concat())
    }

    /// Starts `deputy --json ARGS` in the background.
    pub(crate) fn start(&self, args: &[&str]) -> Background {
        let mut command = self.home.deputy().unwrap();
        command.arg("--json").args(args);
        Background::start(command).unwrap()
    }

    /// What the planner was told in its request number `n`, from 1, as one text.
    pub(crate) fn told(&self, n: usize) -> String {
        let requests = self.model.requests();
        let body = requests.get(n - 1).and_then(|request| request.body.clone());
        body.unwrap_or_else(|| panic!("there were {} requests", requests.len()))["messages"].to_string()
    }

    /// The state that every screen shows.
    pub(crate) fn state(&self) -> AgentState {
        let status = self.json(&["status"]);
        assert_eq!(status.code, Some(0), "{status:?}");
        serde_json::from_str(&status.stdout).unwrap()
    }

    /// The newest task.
    pub(crate) fn task(&self) -> TaskSummary {
        let tasks = self.json(&["tasks", "--limit", "1"]);
        serde_json::from_str(&tasks.stdout).unwrap_or_else(|error| panic!("{error}: {tasks:?}"))
    }
}

/// Lets the model make its calls, saying yes to each that asks; what was asked and what came of it.
pub(crate) fn agreed(say: impl Fn(&[&str]) -> Finished) -> (Vec<PermissionRequest>, Vec<ToolResult>) {
    let mut run = say(&["run", "do it", "--yes", "medium"]);
    let mut asked: Vec<PermissionRequest> = Vec::new();
    loop {
        let events = run.events().unwrap();
        let Some(request) = requests(&events).pop().filter(|_| run.code == Some(4)) else {
            assert_eq!(run.code, Some(0), "{run:?}");
            return (asked, results(&events));
        };
        asked.push(request.clone());
        assert_eq!(say(&["approve", request.id.as_str()]).code, Some(0));
        run = say(&["follow", "last"]);
    }
}

/// A call of `shell`.
pub(crate) fn shell(command: &str) -> Turn {
    Turn::call("shell", json!({"command": command}))
}

/// A call of `code` that writes a file.
pub(crate) fn write(path: &str, content: &str) -> Turn {
    Turn::call("code", json!({"action": "write", "path": path, "content": content}))
}

/// A turn that asks the user.
pub(crate) fn ask(question: &str) -> Turn {
    Turn::call("ask_user", json!({"question": question}))
}

/// How the task ended.
pub(crate) fn stopped(events: &[TaskEvent]) -> Stopped {
    match events.last() {
        Some(TaskEvent::Stopped(stopped)) => stopped.clone(),
        other => panic!("it did not end, the last event is {other:?}"),
    }
}

/// The results of all calls, in order.
pub(crate) fn results(events: &[TaskEvent]) -> Vec<ToolResult> {
    let result = |event: &TaskEvent| match event {
        TaskEvent::ToolFinished(finished) => Some(finished.result.clone()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

/// The permission requests, in order.
pub(crate) fn requests(events: &[TaskEvent]) -> Vec<PermissionRequest> {
    let request = |event: &TaskEvent| match event {
        TaskEvent::PermissionRequested(asked) => Some(asked.request.clone()),
        _ => None,
    };
    events.iter().filter_map(request).collect()
}

/// The questions, in order.
pub(crate) fn questions(events: &[TaskEvent]) -> Vec<Question> {
    let question = |event: &TaskEvent| match event {
        TaskEvent::QuestionAsked(asked) => Some(asked.question.clone()),
        _ => None,
    };
    events.iter().filter_map(question).collect()
}

/// The decisions of policy, in order.
pub(crate) fn verdicts(events: &[TaskEvent]) -> Vec<Verdict> {
    let verdict = |event: &TaskEvent| match event {
        TaskEvent::CallDecided(decided) => Some(decided.verdict.clone()),
        _ => None,
    };
    events.iter().filter_map(verdict).collect()
}

/// One line of JSON.
pub(crate) fn value(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:?}"))
}

/// Ends a host that runs in the background on its own, found by the home that it was started with.
pub(crate) fn end_host_of(world: &World) {
    let home = world.home.path();
    let host = processes_with(home.to_str().unwrap()).into_iter().next().expect("a host runs");
    rustix::process::kill_process(host, rustix::process::Signal::TERM).unwrap();
    while rustix::process::test_kill_process(host).is_ok() {
        std::thread::yield_now();
    }
}

/// Processes of this machine that have a text among their arguments.
pub(crate) fn processes_with(argument: &str) -> Vec<rustix::process::Pid> {
    let folders = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = folders.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let has = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).split('\0').any(|word| word == argument)
    };
    pids.filter(has).filter_map(rustix::process::Pid::from_raw).collect()
}

/// Children of a process that have a text on their command line.
pub(crate) fn processes_below(parent: u32, text: &str) -> Vec<rustix::process::Pid> {
    let children = std::fs::read_dir(format!("/proc/{parent}/task")).unwrap().flatten().flat_map(|thread| {
        let list = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        list.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok()).collect::<Vec<_>>()
    });
    let has = |pid: &i32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text)
    };
    children.filter(has).filter_map(rustix::process::Pid::from_raw).collect()
}
