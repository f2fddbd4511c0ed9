//! Tests of undo and redo in git repositories, with real git, real commands, and a person who uses git in between.
//!
//! Whatever the person did, undo and redo either put HEAD, the index, the stash and the moved references back in full, or
//! change nothing at all. The repository is always whole, and nothing of the person's is lost.

use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{Dice, ScriptedPlanner, TempHome, calls, done, is_full, question, seed_or};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

/// The seed of the fixed runs.
const SEED: u64 = 37;

/// A repository as the person sees it.
struct Repository {
    folder: PathBuf,
    home: PathBuf,
}

impl Repository {
    fn run(&self, args: &[&str]) -> Output {
        let mut git = Command::new("git");
        git.current_dir(&self.folder)
            .env_clear()
            .env("PATH", deputy_sandbox::SYSTEM_PATH)
            .env("HOME", &self.home);
        git.env("GIT_EDITOR", "true").env("GIT_CONFIG_NOSYSTEM", "1");
        git.args([
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "-c",
            "protocol.file.allow=always",
        ]);
        git.args(args).output().unwrap()
    }

    fn git(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns what `git` prints, also if it fails.
    fn tries(&self, args: &[&str]) -> String {
        String::from_utf8_lossy(&self.run(args).stdout).into_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.folder.join(name).parent().unwrap()).unwrap();
        fs::write(self.folder.join(name), text).unwrap();
    }

    fn commit(&self, name: &str, text: &str) {
        self.write(name, text);
        self.git(&["add", "--sparse", name]);
        self.git(&["commit", "--quiet", "--message", text.trim()]);
    }

    fn look(&self) -> State {
        let listed = self.git(&["for-each-ref", "--format=%(refname) %(objectname) %(symref)"]);
        let mut refs: BTreeMap<String, String> = BTreeMap::new();
        for (name, target) in listed.lines().filter_map(|line| line.split_once(' ')) {
            refs.insert(name.to_owned(), target.to_owned());
        }
        let stash = match refs.remove("refs/stash") {
            Some(_) => self.git(&["log", "--walk-reflogs", "--format=%H %gs", "refs/stash", "--"]),
            None => String::new(),
        };
        let branch = self.tries(&["symbolic-ref", "-q", "HEAD"]);
        let head = if branch.is_empty() { self.git(&["rev-parse", "HEAD"]) } else { branch };
        State { refs, head, index: self.git(&["ls-files", "--stage", "-v"]), stash }
    }

    /// Checks that git finds nothing wrong, and that it can be worked with.
    fn check(&self, what: &str) {
        let check = self.run(&["fsck", "--full", "--strict", "--no-dangling"]);
        let said = String::from_utf8_lossy(&check.stdout) + String::from_utf8_lossy(&check.stderr);
        assert!(check.status.success(), "{what}: {said}");
        for wrong in ["broken", "missing", "error", "invalid"] {
            assert!(!said.contains(wrong), "{what}: {said}");
        }
        // What is staged can be read.
        for args in [["status", "--porcelain"], ["diff", "--cached"]] {
            self.git(&args);
        }
    }
}

/// The state of a repository, as git tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    refs: BTreeMap<String, String>,
    /// The branch that is checked out, or the commit if none is.
    head: String,
    index: String,
    stash: String,
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.file_name().is_some_and(|name| name == ".git") || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path))
        } else {
            drop(found.insert(path.clone(), fs::read(&path).unwrap()))
        }
    }
    found
}

/// Runs a task of one command after the other in a host of its own, and returns the repository and the task.
async fn task(
    prepare: impl FnOnce(&Repository),
    folder: &str,
    commands: &[&str],
) -> (World, TaskId, Repository) {
    let mut world = World::new(ScriptedPlanner::new(plans(folder, commands))).await;
    let workspace = world.home.workspace();
    let (task, repository) = run(&mut world, &workspace, prepare, folder).await;
    (world, task, repository)
}

/// Returns the plans that run commands in a folder, one after the other.
fn plans(folder: &str, commands: &[&str]) -> Vec<AgentPlan> {
    let call = |command: &&str| match folder {
        "" => calls([("shell", json!({"command": command}))]),
        _ => calls([("shell", json!({"command": command, "working_dir": folder}))]),
    };
    commands.iter().map(call).chain([done("ok")]).collect()
}

/// Runs a task, whose plans are the next, in a workspace.
async fn run(
    world: &mut World,
    workspace: &Path,
    prepare: impl FnOnce(&Repository),
    folder: &str,
) -> (TaskId, Repository) {
    let repository = Repository { folder: workspace.join(folder), home: world.home.user().to_owned() };
    fs::create_dir_all(&repository.folder).unwrap();
    prepare(&repository);
    let task = world.start(StartCommand {
        standing_consent: Some(Risk::High),
        workspace: workspace.to_str().unwrap().to_owned(),
        ..world.start_command()
    });
    let task = task.await;
    world.ended().await;
    for event in world.events_of(&task) {
        if let TaskEvent::ToolFinished(end) = event {
            assert_eq!(end.result.exit_code, Some(0), "{}", end.result.content);
        }
    }
    (task, repository)
}

/// A repository with two branches, a tag, and a stash of the person's.
fn usual(repository: &Repository) {
    init(repository, &[]);
}

fn init(repository: &Repository, options: &[&str]) {
    let mut args = vec!["init", "--quiet", "--initial-branch=main"];
    args.extend(options);
    repository.git(&args);
    // Nothing here has to survive a power failure.
    repository.git(&["config", "core.fsync", "none"]);
    repository.git(&["config", "user.name", "Ada"]);
    repository.git(&["config", "user.email", "ada@example.org"]);
    repository.commit("a.txt", "one\n");
    repository.commit("deep/b.txt", "two\n");
    repository.git(&["branch", "other", "HEAD~1"]);
    repository.git(&["tag", "v1"]);
    repository.write("a.txt", "stashed\n");
    repository.git(&["stash", "--quiet"]);
    repository.write("notes.txt", "the person's own\n");
}

async fn outcome(world: &World, command: HostCommand) -> UndoneOutcome {
    match world.command(command).await.unwrap() {
        CommandOutcome::Undone(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

async fn undo(world: &World, task: &TaskId) -> UndoneOutcome {
    outcome(world, HostCommand::Undo(UndoCommand::all(task.clone()))).await
}

async fn redo(world: &World, task: &TaskId) -> UndoneOutcome {
    outcome(world, HostCommand::Redo(RedoCommand::all(task.clone()))).await
}

fn refusal(outcome: &UndoneOutcome) -> Option<&str> {
    outcome.repositories.iter().find(|one| one.is_refused()).map(|one| one.message.as_str())
}

const COMMITS: [&str; 2] = [
    "git switch -q -c fix && echo x >> a.txt && git commit -qam fix && git tag fixed",
    "echo y >> a.txt && git stash -q && git branch -D -q other",
];

/// Undoes and redoes the same task several times, with every way in which git keeps its data.
async fn back_and_forth(prepare: impl FnOnce(&Repository), folder: &str, commands: &[&str]) {
    let mut before = None;
    let (world, task, repository) = task(
        |repository| {
            prepare(repository);
            before = Some((repository.look(), files(&repository.folder)));
        },
        folder,
        commands,
    )
    .await;
    let before = before.unwrap();
    let after = (repository.look(), files(&repository.folder));
    assert_ne!(before, after);
    for _ in 0..2 {
        // Looking refreshes the index, as every editor does.
        repository.git(&["status"]);
        let undone = undo(&world, &task).await;
        assert!(undone.applied && refusal(&undone).is_none(), "{undone:?}");
        assert_eq!((repository.look(), files(&repository.folder)), before, "{undone:?}");
        repository.check("after undo");
        repository.git(&["status"]);
        let redone = redo(&world, &task).await;
        assert!(redone.applied && refusal(&redone).is_none(), "{redone:?}");
        assert_eq!((repository.look(), files(&repository.folder)), after, "{redone:?}");
        repository.check("after redo");
    }
}

#[tokio::test]
async fn commits_branches_tags_and_the_stash_are_undone_and_redone_after_a_look() {
    back_and_forth(usual, "", &COMMITS).await;
}

#[tokio::test]
async fn a_task_of_many_files_edits_a_commit_and_a_removal_is_undone_and_redone_as_a_whole() {
    let folders = if is_full() { 30 } else { 10 };
    let files = format!(
        "for d in $(seq {folders}); do mkdir -p lib/$d; for f in $(seq 100); do echo $d-$f > lib/$d/$f.txt; done; done"
    );
    let commands =
        [files.as_str(), "echo more >> a.txt; git commit -qam edited", "rm -r lib/7; mv lib/8 lib/eight"];
    back_and_forth(usual, "", &commands).await;
}

#[tokio::test]
async fn packed_references_are_undone() {
    let prepare = |repository: &Repository| {
        usual(repository);
        repository.git(&["pack-refs", "--all"]);
        repository.git(&["gc", "--quiet"]);
    };
    back_and_forth(prepare, "sub", &COMMITS).await;
}

#[tokio::test]
async fn a_repository_with_reftable_is_undone() {
    let probe = tempfile::tempdir().unwrap();
    let probe = Repository { folder: probe.path().to_owned(), home: probe.path().to_owned() };
    if !probe.run(&["init", "--quiet", "--ref-format=reftable"]).status.success() {
        return;
    }
    back_and_forth(|repository| init(repository, &["--ref-format=reftable"]), "", &COMMITS).await;
}

#[tokio::test]
async fn a_split_index_and_a_sparse_index_are_undone() {
    let split = |repository: &Repository| {
        usual(repository);
        repository.git(&["config", "core.splitIndex", "true"]);
        repository.git(&["update-index", "--split-index"]);
    };
    back_and_forth(split, "", &COMMITS).await;
    let sparse = |repository: &Repository| {
        usual(repository);
        repository.commit("far/deep/c.txt", "far\n");
        repository.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "deep"]);
    };
    back_and_forth(sparse, "", &COMMITS).await;
}

#[tokio::test]
async fn a_linked_working_tree_is_undone_and_the_main_one_is_left_alone() {
    let prepare = |repository: &Repository| {
        usual(repository);
        repository.git(&["worktree", "add", "--quiet", "../linked", "-b", "linked"]);
    };
    let commands =
        ["cd ../linked && echo x >> a.txt && git commit -qam fix", "cd ../linked && git switch -qc more"];
    let mut before = None;
    let (world, task, main) = task(prepare, "main", &commands).await;
    let linked = Repository { folder: main.folder.with_file_name("linked"), home: main.home.clone() };
    let was = "refs/heads/linked";
    before.get_or_insert(main.git(&["rev-parse", "main"]));
    // The person commits in the main working tree meanwhile: that is none of the task's business.
    main.commit("mine.txt", "mine\n");
    let kept = main.look();
    let undone = undo(&world, &task).await;
    assert_eq!(refusal(&undone), None, "{undone:?}");
    assert_eq!(linked.look().head.trim(), was);
    assert_eq!(linked.git(&["status", "--porcelain"]), "");
    assert_eq!(main.look().refs["refs/heads/main"], kept.refs["refs/heads/main"]);
    assert_eq!(fs::read_to_string(linked.folder.join("a.txt")).unwrap(), "one\n");
    main.check("after undo");
    assert_eq!(refusal(&redo(&world, &task).await), None);
    assert_eq!(linked.look().head.trim(), "refs/heads/more");
    assert_eq!(linked.git(&["status", "--porcelain"]), "");
}

#[tokio::test]
async fn a_working_tree_and_a_submodule_that_the_task_made_are_undone_and_redone() {
    back_and_forth(usual, "main", &["git worktree add -q ../linked -b linked"]).await;
    let with_library = |repository: &Repository| {
        let library =
            Repository { folder: repository.folder.join("../library"), home: repository.home.clone() };
        fs::create_dir_all(&library.folder).unwrap();
        usual(&library);
        usual(repository);
        repository.git(&["submodule", "--quiet", "add", "../library", "library"]);
        repository.git(&["commit", "--quiet", "--message", "library"]);
    };
    let commands = [
        "cd library && git config user.name n && git config user.email n@example.org",
        "cd library && echo x >> a.txt && git commit -qam fix && cd .. && git commit -qam 'library: fix'",
    ];
    back_and_forth(with_library, "main", &commands).await;
}

#[tokio::test]
async fn a_repository_that_the_task_created_or_removed_is_undone_as_a_whole() {
    let new = "git init -q && git config user.name n && git config user.email n@example.org && echo x > x.txt && \
        git add x.txt && git commit -qm first";
    let (world, task, repository) = task(|_| {}, "", &[new]).await;
    repository.git(&["status"]);
    let undone = undo(&world, &task).await;
    assert_eq!(refusal(&undone), None, "{undone:?}");
    assert!(!repository.folder.join(".git").exists() && !repository.folder.join("x.txt").exists());
    assert_eq!(refusal(&redo(&world, &task).await), None);
    repository.check("after redo");
    repository.commit("mine.txt", "mine\n");
    assert_eq!(refusal(&undo(&world, &task).await), Some("It was used since the task created it."));
    assert!(repository.folder.join("x.txt").exists(), "nothing at all is undone");
    repository.check("after a refused undo");
    back_and_forth_of_removal().await;
}

async fn back_and_forth_of_removal() {
    let mut before = None;
    let (world, task, repository) = task(
        |repository| {
            usual(repository);
            before = Some(repository.look());
        },
        "",
        // The sandbox keeps settings and hooks.
        &["rm -rf .git; test ! -e .git/HEAD"],
    )
    .await;
    let undone = undo(&world, &task).await;
    assert_eq!(refusal(&undone), None, "{undone:?}");
    assert_eq!(Some(repository.look()), before);
    repository.check("after undo");
    assert_eq!(refusal(&redo(&world, &task).await), None);
    assert!(!repository.folder.join(".git/HEAD").exists());
    repository.git(&["init", "--quiet"]);
    assert!(refusal(&undo(&world, &task).await).is_some(), "another repository is there");
}

#[tokio::test]
async fn what_the_task_cleaned_up_comes_back() {
    let prepare = |repository: &Repository| {
        usual(repository);
        repository.commit("lost.txt", "lost\n");
        repository.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    };
    let commands = ["git stash clear && git reflog expire --expire=now --all && git gc -q --prune=now"];
    let mut before = None;
    let (world, task, repository) = task(
        |repository| {
            prepare(repository);
            before = Some((repository.look(), repository.git(&["stash", "list", "--format=%H"])));
        },
        "",
        &commands,
    )
    .await;
    let (before, stashed) = before.unwrap();
    assert!(!repository.run(&["cat-file", "-e", stashed.trim()]).status.success(), "it is gone");
    let undone = undo(&world, &task).await;
    assert_eq!(refusal(&undone), None, "{undone:?}");
    assert_eq!(repository.look(), before);
    repository.check("after undo");
}

/// A command that only removes or changes objects moves no reference, and git cannot read a repository without its
/// references or with a broken HEAD. All of it comes back.
#[tokio::test]
async fn a_repository_that_a_command_broke_comes_back() {
    for command in [
        "rm -rf .git/obj*/??",
        "rm -rf .git/objects",
        "rm -rf .git/refs",
        "rm .git/HEAD",
        "echo x > .git/HEAD",
        "for each in .git/objects/*/*; do chmod +w $each && echo x > $each; done",
    ] {
        let mut before = None;
        let (world, task, repository) = task(
            |repository| {
                usual(repository);
                before = Some(repository.look());
            },
            "",
            &[command],
        )
        .await;
        assert!(!repository.run(&["log", "-1", "HEAD"]).status.success(), "{command}: it is broken");
        let undone = undo(&world, &task).await;
        assert!(undone.applied && refusal(&undone).is_none(), "{command}: {undone:?}");
        assert_eq!(Some(repository.look()), before, "{command}");
        repository.check("after undo");
    }
}

#[tokio::test]
async fn an_undo_that_git_prevents_says_why_and_changes_nothing() {
    type Act = fn(&Repository);
    let commit = &["echo x >> a.txt && git commit -qam fix", "echo y >> a.txt && git commit -qam more"][..];
    let cases: [(&[&str], Act, &str); 9] = [
        (
            commit,
            |repository| repository.commit("mine.txt", "mine\n"),
            "You committed on top of main. 2 commits of the task stay; `git revert` takes them back.",
        ),
        (
            commit,
            |repository| drop(repository.git(&["commit", "--quiet", "--amend", "--message", "other words"])),
            "main has moved since.",
        ),
        (
            commit,
            |repository| {
                repository.write("mine.txt", "mine\n");
                repository.git(&["add", "mine.txt"]);
            },
            "The index has changed since: other files are staged.",
        ),
        (
            commit,
            |repository| drop(repository.git(&["switch", "--quiet", "other"])),
            "Something else is checked out now.",
        ),
        (
            commit,
            |repository| {
                repository.write("a.txt", "mine\n");
                repository.git(&["stash", "--quiet"]);
            },
            "The stash has changed since.",
        ),
        (
            commit,
            |repository| fs::write(repository.folder.join(".git/MERGE_HEAD"), "x").unwrap(),
            "A merge, rebase, cherry-pick, revert or bisect is not finished.",
        ),
        (
            &["git branch new"],
            |repository| drop(repository.git(&["worktree", "add", "--quiet", "../linked", "new"])),
            "new is checked out in another working tree.",
        ),
        (
            &["git branch new"],
            |repository| drop(repository.git(&["branch", "--force", "new", "other"])),
            "new has moved since.",
        ),
        (
            &["git init -q --bare bare.git && git push -q bare.git main", "git push -q bare.git main:second"],
            |repository| drop(repository.git(&["push", "--quiet", "bare.git", "main:third"])),
            "It was used since the task created it.",
        ),
    ];
    for (commands, act, expected) in cases {
        let (world, task, repository) = task(usual, "main", commands).await;
        act(&repository);
        let (state, disk) = (repository.look(), files(&repository.folder));
        let preview = outcome(&world, HostCommand::Undo(UndoCommand::all(task.clone()).dry())).await;
        let undone = undo(&world, &task).await;
        for refused in [&preview, &undone] {
            assert_eq!(refusal(refused), Some(expected), "{refused:?}");
            assert!(!refused.applied);
        }
        assert_eq!((repository.look(), files(&repository.folder)), (state.clone(), disk), "{expected}");
        let only = UndoCommand { files_only: true, ..UndoCommand::all(task.clone()) };
        let only = outcome(&world, HostCommand::Undo(only)).await;
        assert!(only.applied && refusal(&only).is_none(), "{only:?}");
        assert_eq!(repository.look(), state, "git stays as it is");
        repository.folder.join(".git/MERGE_HEAD").exists().then(|| {
            fs::remove_file(repository.folder.join(".git/MERGE_HEAD")).unwrap();
        });
        repository.check(expected);
    }
}

#[tokio::test]
async fn git_that_a_person_used_between_two_commands_is_not_undone() {
    let plans = [
        calls([("shell", json!({"command": "echo x >> a.txt && git commit -qam fix"}))]),
        question("Go on?"),
        calls([("shell", json!({"command": "echo y >> a.txt && git commit -qam more"}))]),
        done("ok"),
    ];
    for has_committed in [true, false] {
        let mut world = World::new(ScriptedPlanner::new(plans.clone())).await;
        let repository = Repository { folder: world.home.workspace(), home: world.home.user().to_owned() };
        usual(&repository);
        let before = repository.look();
        let start = StartCommand { standing_consent: Some(Risk::High), ..world.start_command() };
        let task = world.start(start).await;
        let asked = world.asked().await;
        if has_committed {
            repository.commit("mine.txt", "mine\n");
        } else {
            repository.git(&["status"]);
        }
        world.answer(&asked, "yes").await.unwrap();
        world.ended().await;
        let undone = undo(&world, &task).await;
        if has_committed {
            let said = "Git was also used while the task ran, between its commands.";
            assert_eq!(refusal(&undone), Some(said), "{undone:?}");
        } else {
            assert_eq!((refusal(&undone), repository.look()), (None, before), "{undone:?}");
        }
        repository.check("after undo");
    }
}

#[tokio::test]
async fn a_fetch_by_somebody_else_does_not_prevent_an_undo() {
    let mut before = None;
    let prepare = |repository: &Repository| {
        usual(repository);
        repository.git(&["clone", "--quiet", "--bare", ".", "../remote.git"]);
        repository.git(&["remote", "add", "origin", "../remote.git"]);
        repository.git(&["fetch", "--quiet", "origin"]);
        before = Some(repository.look());
    };
    let (world, task, repository) = task(prepare, "main", &["echo x >> a.txt && git commit -qam fix"]).await;
    let before = before.unwrap();
    repository.git(&["push", "--quiet", "origin", "v1^0:refs/heads/new"]);
    repository.git(&["fetch", "--quiet", "origin"]);
    let undone = undo(&world, &task).await;
    assert_eq!(refusal(&undone), None, "{undone:?}");
    let now = repository.look();
    assert_eq!(now.refs["refs/heads/main"], before.refs["refs/heads/main"]);
    assert!(now.refs.contains_key("refs/remotes/origin/new"), "{now:?}");
    repository.check("after undo");
}

/// What a task does.
const WORK: [&str; 12] = [
    "echo $RANDOM >> a.txt; git commit -qam work; true",
    "echo $RANDOM > new.txt; git add new.txt; git commit -qm new; true",
    "git switch -q -c fix$RANDOM && mkdir -p deep && echo x >> deep/b.txt && git commit -qam fix; true",
    "echo staged >> a.txt; git add a.txt; true",
    "echo y >> a.txt; git stash -q; true",
    "git stash pop -q; true",
    "git commit -q --amend -m amended; true",
    "git tag t$RANDOM; git branch -f other HEAD; true",
    "git reset -q --hard HEAD~1; true",
    "git gc -q --prune=now; true",
    "git merge -q --no-edit other; true",
    "git checkout -q --detach; true",
];

/// What a person does with git in between. The files of the person's are called `mine`.
fn act(repository: &Repository, dice: &mut Dice) -> &'static str {
    let number = dice.below(1_000_000).to_string();
    let mine = format!("mine{number}.txt");
    let acts = [
        "nothing", "status", "commit", "amend", "add", "stash", "branch", "merge", "rebase", "gc",
        "worktree", "fetch",
    ];
    let act = acts[dice.below(acts.len())];
    let branch = format!("mine{number}");
    match act {
        "status" => drop(repository.tries(&["status"])),
        "commit" => {
            repository.write(&mine, "mine\n");
            repository.tries(&["add", &mine]);
            repository.tries(&["commit", "--quiet", "--message", "mine", "--", &mine]);
        }
        "amend" => drop(repository.tries(&["commit", "--quiet", "--amend", "--message", "mine"])),
        "add" => {
            repository.write(&mine, "mine\n");
            repository.tries(&["add", &mine]);
        }
        "stash" => {
            repository.write("deep/b.txt", "mine\n");
            repository.tries(&["stash", "--quiet"]);
        }
        "branch" => drop(repository.tries(&["branch", &branch])),
        "merge" => drop(repository.tries(&["merge", "--quiet", "--no-edit", "--no-ff", "other"])),
        "rebase" => drop(repository.tries(&["rebase", "--quiet", "--force-rebase", "HEAD~1"])),
        "gc" => drop(repository.tries(&["gc", "--quiet", "--prune=now"])),
        "worktree" => {
            drop(repository.tries(&["worktree", "add", "--quiet", &format!("../{branch}"), "-b", &branch]))
        }
        "fetch" => {
            repository.tries(&["push", "--quiet", "origin", &format!("v1^0:refs/heads/{branch}")]);
            repository.tries(&["fetch", "--quiet", "origin"]);
        }
        _ => {}
    }
    act
}

/// Checks an undo or a redo: `from` is what the task left (or undo), `to` what is to come back.
fn settled(
    repository: &Repository,
    outcome: &UndoneOutcome,
    (from, to): (&State, &State),
    pre: &State,
    what: &str,
) -> bool {
    repository.check(what);
    let now = repository.look();
    if refusal(outcome).is_some() {
        assert!(!outcome.applied, "{what}");
        assert_eq!(&now, pre, "{what}: {outcome:?}");
        return false;
    }
    let only_objects = |message: &Phrase| message.id() == Some("agent-git-objects-restored");
    let moves_nothing = |message: &Phrase| message.is_empty() || only_objects(message);
    if outcome.repositories.iter().all(|repository| moves_nothing(&repository.message)) {
        // Git reads the same before and after the task, so there is nothing to put back, but for objects that a command
        // removed.
        assert_eq!((&now, &from.head, &from.index), (pre, &to.head, &to.index), "{what}: {outcome:?}");
        return true;
    }
    assert_eq!((&now.head, &now.index, &now.stash), (&to.head, &to.index, &to.stash), "{what}: {outcome:?}");
    let names = now.refs.keys().chain(to.refs.keys()).chain(pre.refs.keys());
    for name in names {
        let expected = match from.refs.get(name) == to.refs.get(name) {
            true => pre.refs.get(name),
            false => to.refs.get(name),
        };
        assert_eq!(now.refs.get(name), expected, "{what}: {name}: {outcome:?}");
    }
    true
}

/// A task of a run, and what the person does around it.
struct Run {
    seed: u64,
    dice: Dice,
    /// How the repository keeps its references and its index.
    format: usize,
    work: Vec<&'static str>,
}

impl Run {
    fn of(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let format = dice.below(3);
        let work = (0..=dice.below(3)).map(|_| WORK[dice.below(WORK.len())]).collect();
        Self { seed, dice, format, work }
    }

    /// Copies a repository in this run's format, which is made once, next to the workspace of the world.
    fn prepare(&self, world: &Path, repository: &Repository) {
        let template = world.with_file_name(format!("template{}", self.format));
        let made = Repository { folder: template.join("main"), home: repository.home.clone() };
        if !template.exists() {
            fs::create_dir_all(&made.folder).unwrap();
            usual(&made);
            made.git(&["clone", "--quiet", "--bare", ".", "../remote.git"]);
            made.git(&["remote", "add", "origin", "../remote.git"]);
            made.git(&["fetch", "--quiet", "origin"]);
            match self.format {
                0 => drop(made.git(&["pack-refs", "--all"])),
                1 => drop(made.git(&["update-index", "--split-index"])),
                _ => {}
            }
        }
        let workspace = repository.folder.parent().unwrap();
        let copy = Command::new("cp").arg("-a").arg(template.join(".")).arg(workspace).status().unwrap();
        assert!(copy.success());
    }

    /// Runs the task, undoes and redoes it. Returns how many of both put everything back.
    async fn play(mut self, world: &mut World) -> Vec<bool> {
        let world_folder = world.home.workspace();
        let workspace = world_folder.join(self.seed.to_string());
        let mut before = None;
        let prepare = |repository: &Repository| {
            self.prepare(&world_folder, repository);
            before = Some(repository.look());
        };
        let (task, repository) = run(world, &workspace, prepare, "main").await;
        let (before, after) = (before.unwrap(), repository.look());
        repository.check("after the task");
        let mut what = format!("SEED={} {:?}", self.seed, self.work);
        let mut ended = Vec::new();
        for is_undo in [true, false] {
            for _ in 0..self.dice.below(3) {
                what = format!("{what} {}", act(&repository, &mut self.dice));
            }
            let pre = repository.look();
            let mine = || {
                let is_mine = |(path, _): &(PathBuf, Vec<u8>)| path.to_string_lossy().contains("/mine");
                files(&repository.folder).into_iter().filter(is_mine).collect::<BTreeMap<_, _>>()
            };
            let own = mine();
            what += if is_undo { " undo" } else { " redo" };
            let (outcome, ends) = match is_undo {
                true => (undo(world, &task).await, (&after, &before)),
                false => (redo(world, &task).await, (&before, &after)),
            };
            let is_back = settled(&repository, &outcome, ends, &pre, &what);
            assert_eq!(mine(), own, "{what}: files of the person's");
            ended.push(is_back);
            if !is_back {
                break;
            }
        }
        fs::remove_dir_all(workspace).unwrap();
        ended
    }
}

#[tokio::test]
async fn whatever_a_person_does_with_git_all_comes_back_or_nothing_moves() {
    let seed = seed_or(SEED);
    let runs = (0..if is_full() { 500 } else { 20 }).map(|run| Run::of(seed.wrapping_add(run)));
    let runs: Vec<Run> = runs.collect();
    let plans = runs.iter().flat_map(|run| plans("main", &run.work)).collect::<Vec<_>>();
    let mut home = TempHome::new().unwrap();
    // A run may draw the same command three times in a row, which is asked about otherwise.
    home.set("limits.brake_after", 0).unwrap();
    let mut world = World::open(home, Arc::new(ScriptedPlanner::new(plans))).await;
    let mut ended = Vec::new();
    for run in runs {
        ended.extend(run.play(&mut world).await);
    }
    assert!(ended.contains(&true) && ended.contains(&false), "both happen: {ended:?}");
}

#[tokio::test]
async fn a_file_marked_as_to_be_added_prevents_an_undo_and_an_empty_one_does_not() {
    for has_intent in [true, false] {
        let prepare = |repository: &Repository| {
            usual(repository);
            repository.write("empty.txt", "");
            repository.git(&["add", "empty.txt"]);
            if has_intent {
                repository.git(&["add", "--intent-to-add", "notes.txt"]);
            }
        };
        let (world, task, repository) =
            task(prepare, "", &["git add notes.txt && git commit -qm notes"]).await;
        let pre = repository.look();
        let said = refusal(&undo(&world, &task).await).map(str::to_owned);
        let against = "Files are marked with `git add -N` (intent to add), which undo cannot restore.";
        assert_eq!(said.as_deref(), has_intent.then_some(against));
        assert_eq!(repository.look() == pre, has_intent);
        repository.check("after undo");
    }
}
