//! Tests of what stays closed to a command under the yes for its folder, with real git and real commands. A request in
//! the middle of a command is denied.

use crate::report::git;
use crate::world::{World, deny};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;
use std::fs;
use std::path::PathBuf;

/// A task in a repository with one commit that works under the yes for its folder.
struct Yes {
    world: World,
    folder: PathBuf,
}

/// What a task did.
struct Did {
    /// The output of its commands, one for each.
    outputs: Vec<String>,
    /// The paths that its commands asked for in the middle, and the commands that the yes does not cover.
    asked: Vec<String>,
    report: Report,
}

impl Yes {
    async fn new(commands: &[&str]) -> Self {
        let plan = |command: &&str| calls([("shell", json!({"command": command}))]);
        let plans = commands.iter().map(plan).chain([done("ok")]).collect::<Vec<_>>();
        let world = World::new(ScriptedPlanner::new(plans)).await;
        let folder = PathBuf::from(world.start_command().workspace);
        git(&folder, &["init", "--quiet"]);
        fs::write(folder.join("a.txt"), "a\n").unwrap();
        git(&folder, &["add", "a.txt"]);
        git(&folder, &["commit", "--quiet", "--message", "one"]);
        Self { world, folder }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    async fn run(&mut self) -> Did {
        let task = self.world.start(self.world.start_command()).await;
        let mut asked = Vec::new();
        let report = loop {
            let next = |event: &TaskEvent| match event {
                TaskEvent::PermissionRequested(asked) => Some(Ok(asked.request.clone())),
                TaskEvent::Stopped(stopped) => Some(Err(stopped.report.clone())),
                _ => None,
            };
            let request = match self.world.wait(next).await {
                Ok(request) => request,
                Err(report) => break report.unwrap(),
            };
            let yes = request.offered.iter().find(|offer| matches!(offer.rule, Some(GrantRule::Folder(_))));
            let choice = match (&request.details.wanted, yes) {
                (None, Some(yes)) => {
                    let lifetime = yes.lifetime.clone();
                    Choice::Allow(AllowChoice { lifetime, wider: true, dropped: Vec::new() })
                }
                (Some(wanted), _) => {
                    asked.push(wanted.path.clone());
                    deny("no")
                }
                // The yes does not cover it.
                (None, None) => {
                    asked.push(request.details.command.clone().unwrap_or_default());
                    deny("no")
                }
            };
            self.world.decide(&request, choice).await.unwrap();
        };
        let result = |event: TaskEvent| match event {
            TaskEvent::ToolFinished(finished) => Some(finished.result.content),
            _ => None,
        };
        let outputs = self.world.events_of(&task).into_iter().filter_map(result).collect();
        Did { outputs, asked, report: *report }
    }

    fn names(&self, path: &str) -> String {
        self.folder.canonicalize().unwrap().join(path).to_string_lossy().into_owned()
    }
}

/// Tries everything that could take an object away.
const TAKE: &str = r#"
import glob, os
def tries(act):
    try:
        act()
    except OSError:
        pass
for path in glob.glob('.git/objects/??/*'):
    tries(lambda: os.remove(path))
    tries(lambda: os.rename(path, 'moved'))
    tries(lambda: open(path, 'r+'))
    tries(lambda: os.chmod(path, 0))
    tries(lambda: os.truncate(path, 0))
    tries(lambda: os.link(path, 'linked'))
for folder in glob.glob('.git/objects/*') + ['.git/objects', '.git']:
    tries(lambda: os.rename(folder, 'gone'))
"#;

#[tokio::test]
async fn objects_of_git_are_added_and_never_taken_away() {
    let mut yes = Yes::new(&[
        "python3 take.py",
        "echo b > b.txt && git add b.txt && git -c user.name=A -c user.email=a@b commit -qm two && git log --oneline | wc -l",
        "sh own.sh && echo removed",
        "rm -rf inner",
    ])
    .await;
    yes.write("take.py", TAKE);
    git(&yes.folder, &["clone", "--quiet", ".", "inner"]);
    yes.write(
        "own.sh",
        "hash=$(echo own | git hash-object -w --stdin) && rm -f .git/objects/$(echo $hash | sed 's|^..|&/|')\n",
    );
    let before = git(&yes.folder, &["rev-list", "--objects", "--all"]);
    let did = yes.run().await;
    assert!(did.outputs[1].contains('2'), "{:?}", did.outputs);
    assert!(did.outputs[2].contains("removed"), "what the task made itself may go: {:?}", did.outputs);
    assert_eq!(did.asked, ["rm -rf inner"]);
    git(&yes.folder, &["fsck", "--strict"]);
    let after = git(&yes.folder, &["rev-list", "--objects", "--all"]);
    assert!(before.lines().all(|line| after.contains(line)), "{before}\n{after}");
}

#[tokio::test]
async fn nothing_is_planted_that_git_runs_by_hand() {
    let mut yes = Yes::new(&["sh plant.sh", "sh bare.sh", "sh forge.sh"]).await;
    yes.write(
        "plant.sh",
        "echo x > tools/clean.sh; echo x > .gitsettings; mkdir -p checks; echo x > checks/pre-commit\n",
    );
    yes.write("bare.sh", "mkdir bare && cd bare && echo x > config && mkdir objects refs && echo 'ref: refs/heads/main' > HEAD\n");
    yes.write("forge.sh", "cd .git; mkdir -p refs/replace refs/remotes/origin; cp refs/heads/* refs/replace/x; git update-ref refs/remotes/origin/main HEAD\n");
    yes.write("tools/clean.sh", "cat\n");
    yes.write(".gitsettings", "[core]\n\thooksPath = checks\n");
    git(&yes.folder, &["config", "filter.a.clean", "sh tools/clean.sh"]);
    git(&yes.folder, &["config", "include.path", "../.gitsettings"]);
    let did = yes.run().await;
    for (path, text) in [("tools/clean.sh", "cat\n"), (".gitsettings", "[core]\n\thooksPath = checks\n")] {
        assert_eq!(fs::read_to_string(yes.folder.join(path)).unwrap(), text, "{:?}", did.outputs);
    }
    for path in ["checks/pre-commit", "bare/HEAD", ".git/refs/replace/x", ".git/refs/remotes/origin/main"] {
        assert!(!yes.folder.join(path).exists(), "{path}: {:?}", did.outputs);
    }
    for path in ["tools/clean.sh", ".gitsettings", "checks", "bare/HEAD"] {
        assert!(did.asked.contains(&yes.names(path)), "{path}: {:?}", did.asked);
    }
}

#[tokio::test]
async fn the_report_names_what_may_matter_after_the_task() {
    let mut yes = Yes::new(&["sh change.sh"]).await;
    git(&yes.folder, &["tag", "v1"]);
    yes.write("change.sh", "echo 'fn main() {}' > build.rs; echo x > tool; chmod +x tool; echo y > notes.md\nln -s /etc out; ln -s notes.md in; git tag -d v1; git branch new\n");
    let lasting = yes.run().await.report.lasting.unwrap();
    assert_eq!(lasting.references, ["refs/tags/v1"]);
    assert_eq!(lasting.run_later, ["build.rs", "tool"].map(|name| yes.names(name)));
    assert_eq!(lasting.links_out, [OutwardLink { path: yes.names("out"), target: "/etc".into() }]);
}
