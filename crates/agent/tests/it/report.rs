//! Tests of the report at the end of a task, and of everything that it changed, with real git and real commands.

use crate::world::World;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done, question};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    git.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]).args(args);
    let output = git.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn shell(command: &str) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn code(parameters: Value) -> AgentPlan {
    calls([("code", parameters)])
}

fn consenting(world: &World) -> StartCommand {
    StartCommand { standing_consent: Some(Risk::High), ..world.start_command() }
}

/// A workspace that is a repository with these files in its first commit.
fn repository(world: &World, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = world.home.workspace();
    git(&folder, &["init", "--quiet", "--initial-branch", "main"]);
    for (name, text) in files {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
    git(&folder, &["add", "--force", "."]);
    git(&folder, &["commit", "--quiet", "--message", "first"]);
    folder
}

/// The changed files by name: what was done, and the lines that were added and removed.
fn files(report: &Report, folder: &Path) -> Vec<String> {
    let told = |file: &ChangedFile| {
        let path = Path::new(&file.path);
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let lines =
            file.lines.map_or_else(String::new, |lines| format!(" +{} -{}", lines.added, lines.removed));
        format!("{:?} {name}{lines}", file.deed)
    };
    report.changed.iter().map(told).collect()
}

async fn difference(world: &World, task: &TaskId) -> TaskDifference {
    let query = HostQuery::Difference(DifferenceQuery { task: task.clone() });
    match world.host.query(query).await.unwrap() {
        QueryAnswer::Difference(difference) => difference,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn files_come_first_and_what_programs_made_is_counted() {
    let planner = ScriptedPlanner::new([
        shell("cat app.py | grep -c X; ls gen; head -n 1 keep/tracked.o"),
        shell(
            "mkdir -p gen sub/__pycache__; for i in $(seq 200); do echo $i > gen/$i.o; done; echo c > sub/__pycache__/a.pyc; echo t > keep/tracked.o",
        ),
        code(json!({"action": "write", "path": "gen/mine.txt", "content": "by name\n"})),
        code(json!({"action": "patch", "path": "app.py", "old": "X = 1", "new": "X = 2\nY = 3"})),
        shell("rm old.txt; mv a.txt renamed.txt; echo passing > t; rm t; echo last > last.txt"),
        done("Built."),
    ]);
    let mut world = World::new(planner).await;
    let folder = repository(
        &world,
        &[
            (".gitignore", "gen/\nkeep/\n"),
            ("app.py", "X = 1\n"),
            ("keep/tracked.o", "1\n"),
            ("old.txt", "1\n2\n"),
            ("a.txt", "same\n"),
        ],
    );
    let task = world.start(consenting(&world)).await;
    let report = world.ended().await.report.unwrap();
    let expected = [
        "Changed app.py +2 -1",
        "Created gen/mine.txt +1 -0",
        "Changed keep/tracked.o +1 -1",
        "Created last.txt +1 -0",
        "Removed old.txt +0 -2",
    ];
    assert_eq!(files(&report, &folder), expected);
    assert_eq!((report.moved, report.more_files), (1, 0));
    let built = |name: &str, files| BuiltFolder { folder: folder.join(name).display().to_string(), files };
    assert_eq!(report.built, [built("gen", 200), built("sub/__pycache__", 1)]);
    assert_eq!(report.calls.len(), 4, "reading changed nothing: {:?}", report.calls);
    assert!(report.commits.is_empty() && report.branches.is_empty());

    let all = difference(&world, &task).await;
    let moved = all.files.iter().find(|one| one.file.deed == FileDeed::Moved).unwrap();
    assert_eq!(moved.file.moved_from.as_deref(), folder.join("a.txt").to_str());
    let app = all.files.iter().find(|one| one.file.path.ends_with("app.py")).unwrap();
    assert!(app.diff.as_deref().unwrap().contains("-X = 1\n+X = 2\n+Y = 3\n"), "{app:?}");
    assert_eq!(all.built, report.built);

    // A link that another program leaves at the path is not followed.
    assert!(all.files.iter().any(|one| one.file.path.ends_with("last.txt") && one.diff.is_some()));
    let secret = world.home.user().join("secret.txt");
    fs::write(&secret, "for nobody\n").unwrap();
    fs::rename(folder.join("last.txt"), folder.join("kept.txt")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.join("last.txt")).unwrap();
    let changed = difference(&world, &task).await;
    let last = changed.files.iter().find(|one| one.file.path.ends_with("last.txt")).unwrap();
    assert_eq!((&last.diff, &last.file.lines), (&None, &None), "{last:?}");
    fs::rename(folder.join("kept.txt"), folder.join("last.txt")).unwrap();

    // What was undone does not count.
    let undo = UndoCommand { files_only: true, ..UndoCommand::all(task.clone()) };
    world.command(HostCommand::Undo(undo)).await.unwrap();
    assert_eq!(difference(&world, &task).await, TaskDifference::default());
}

#[tokio::test]
async fn new_commits_and_branches_are_named() {
    for format in ["files", "packed"] {
        let planner = ScriptedPlanner::new([
            shell("git -c user.name=B -c user.email=b@example.org commit --quiet --allow-empty -m 'On main'"),
            shell("git switch --quiet -c feature"),
            shell(
                "echo 2 > a.txt && git -c user.name=B -c user.email=b@example.org commit --quiet -am 'Say 2

With a body.'",
            ),
            done("Committed."),
        ]);
        let mut world = World::new(planner).await;
        let folder = repository(&world, &[("a.txt", "1\n")]);
        git(&folder, &["branch", "other"]);
        if format == "packed" {
            git(&folder, &["pack-refs", "--all"]);
        }
        let task = world.start(consenting(&world)).await;
        let report = world.ended().await.report.unwrap();
        let subjects: Vec<&str> = report.commits.iter().map(|commit| commit.subject.as_str()).collect();
        assert_eq!(subjects, ["Say 2", "On main"], "{format}");
        let newest = git(&folder, &["rev-parse", "--short", "HEAD"]);
        assert_eq!(report.commits[0].id, newest.trim());
        assert_eq!(report.branches, ["feature"]);
        assert_eq!(files(&report, &folder), ["Changed a.txt +1 -1"], "git's own files are no changes");
        world.command(HostCommand::Undo(UndoCommand::all(task.clone()))).await.unwrap();
        assert_eq!(difference(&world, &task).await, TaskDifference::default(), "{format}");
    }
}

#[tokio::test]
async fn outside_of_repositories_the_names_of_caches_count_alone() {
    let planner = ScriptedPlanner::new([
        shell(
            "mkdir -p node_modules/x build; echo 1 > node_modules/x/i.js; echo 1 > build/letter.txt; printf 'a\\0b' > data.bin",
        ),
        done("Done."),
    ]);
    let mut world = World::new(planner).await;
    let folder = world.home.workspace();
    world.start(consenting(&world)).await;
    let report = world.ended().await.report.unwrap();
    assert_eq!(files(&report, &folder), ["Created build/letter.txt +1 -0", "Created data.bin"]);
    assert_eq!((report.built.len(), report.built[0].files), (1, 1));
}

#[tokio::test]
async fn a_file_that_was_written_outside_of_the_folder_is_named() {
    let world = World::new(ScriptedPlanner::new(Vec::<AgentPlan>::new())).await;
    let outside = world.home.user().join("elsewhere");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("list.txt"), "1\n").unwrap();
    let planner = ScriptedPlanner::new([
        shell(&format!("echo 2 >> {}/list.txt", outside.display())),
        code(json!({"action": "write", "path": outside.join("new.txt"), "content": "n\n"})),
        done("Done."),
    ]);
    let home = world.end().await;
    let mut world = World::open(home, std::sync::Arc::new(planner)).await;
    world.start(consenting(&world)).await;
    let report = world.ended().await.report.unwrap();
    let expected = ["Changed list.txt +1 -0", "Created new.txt +1 -0"];
    assert_eq!(files(&report, &outside.canonicalize().unwrap()), expected, "{report:?}");
}

#[tokio::test]
async fn answers_are_whole_and_come_before_their_questions() {
    let long = format!("{} and nothing else", "1: when I paid it counts. ".repeat(20));
    let planner = ScriptedPlanner::new([question("How do I count?"), done("So be it.")]);
    let mut world = World::new(planner).await;
    world.start(consenting(&world)).await;
    let asked = world.asked().await;
    world.answer(&asked, &long).await.unwrap();
    let report = world.ended().await.report.unwrap();
    assert_eq!(report.answers, [format!("{} (asked: How do I count?)", long.trim())]);
    assert!(report.calls.is_empty() && report.changed.is_empty());
}
