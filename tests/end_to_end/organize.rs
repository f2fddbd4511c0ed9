//! Organizing: planned with and without a model, approved once as a whole, executed, killed in between, undone.

use crate::support::{World, questions, requests, results, stopped, value};
use deputy_protocol::{CallStatus, Decision, ErrorCode, PermissionRequest, Risk, StopReason, TaskEvent};
use deputy_testkit::{CrashPoint, Fate, Finished, Script, Turn, crash_at_some_commits, run_to};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Sets the time of everything in the workspace back, so that nothing counts as just changed.
pub(crate) fn age(world: &World) {
    let mut waiting = vec![world.home.workspace()];
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_715_000_000);
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
            }
        }
        File::open(&folder).unwrap().set_modified(time).unwrap();
    }
}

/// An untidy folder: a copy, a project, loose files of several kinds, and one that is sorted.
fn untidy(world: &World) {
    for (path, content) in [
        ("Report.pdf", "%PDF-1.4 report"),
        ("Report (1).pdf", "%PDF-1.4 report"),
        ("song.mp3", "la la"),
        ("table.csv", "a,b\n1,2\n"),
        ("app/Cargo.toml", "[package]\n"),
        ("app/src/main.rs", "fn main() {}\n"),
        ("letters/old.txt", "Dear you\n"),
    ] {
        world.home.write(path, content).unwrap();
    }
    age(world);
}

/// Mode, time and content.
type Stands = (u32, i64, i64, Option<Vec<u8>>);

/// What is at each path of the workspace.
fn snapshot(world: &World) -> BTreeMap<PathBuf, Stands> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![world.home.workspace()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            let stat = fs::symlink_metadata(&path).unwrap();
            let content = stat.is_file().then(|| fs::read(&path).unwrap());
            if stat.is_dir() {
                waiting.push(path.clone());
            }
            found.insert(path, (stat.permissions().mode(), stat.mtime(), stat.mtime_nsec(), content));
        }
    }
    found
}

pub(crate) fn exists(world: &World, path: &str) -> bool {
    world.home.workspace().join(path).exists()
}

fn one_request(run: &Finished) -> PermissionRequest {
    assert_eq!(run.code, Some(4), "{run:?}");
    let mut asked = requests(&run.events().unwrap());
    assert_eq!(asked.len(), 1, "{asked:?}");
    asked.remove(0)
}

fn approve(world: &World, request: &PermissionRequest) -> Finished {
    let approve = world.json(&["approve", request.id.as_str()]);
    assert_eq!(approve.code, Some(0), "{approve:?}");
    world.json(&["follow", "last"])
}

/// The newest job.
pub(crate) fn job(world: &World) -> Value {
    let jobs = world.json(&["jobs"]);
    let first = jobs.stdout.lines().next().unwrap_or_else(|| panic!("{jobs:?}"));
    serde_json::from_str(first).unwrap()
}

#[test]
fn a_folder_is_tidied_by_one_approval_and_comes_back_to_the_byte() {
    let world = World::new([]);
    untidy(&world);
    let before = snapshot(&world);
    let run = world.json(&["organize", ".", "--backend", "offline"]);
    let request = one_request(&run);
    assert_eq!(
        (request.risk, request.tool.as_str()),
        (Risk::High, "organize"),
        "it holds something for the trash"
    );
    assert!(request.offered.iter().all(|offer| offer.rule.is_none()), "only once: {:?}", request.offered);
    let shown = request.details.diff.as_deref().unwrap();
    for expected in
        ["After:", "└── ", "Operations:", "trash  Report (1).pdf", "Before:", "app -> Projects/app"]
    {
        assert!(shown.contains(expected), "{expected} is missing in {shown}");
    }
    assert_eq!(snapshot(&world), before, "nothing happens before the answer");

    let end = approve(&world, &request);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert_eq!(requests(&end.events().unwrap()).len(), 1, "one approval is enough");
    for path in [
        "Documents/Report.pdf",
        "Audio/song.mp3",
        "Spreadsheets/table.csv",
        "Projects/app/src/main.rs",
        "letters/old.txt",
    ] {
        assert!(exists(&world, path), "{path}");
    }
    assert!(!exists(&world, "Report (1).pdf"));
    let trashed = world.home.user().join(".local/share/Trash");
    assert!(
        trashed.join("files/Report (1).pdf").exists()
            && trashed.join("info/Report (1).pdf.trashinfo").exists()
    );

    let job = job(&world);
    assert_eq!((job["state"].as_str(), &job["done"]), (Some("done"), &job["steps"]));
    let id = job["job"].as_str().unwrap();
    let dry = world.json(&["undo", id, "--dry-run"]);
    assert_eq!((dry.code, value(&dry)["conflicts"].as_u64()), (Some(0), Some(0)));
    let undo = world.json(&["undo", id]);
    assert_eq!(undo.code, Some(0), "{undo:?}");
    assert_eq!(snapshot(&world), before);
    let again = world.say(&["undo", id]);
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("undone by"), "{}", again.stderr);
}

#[test]
fn a_plan_has_one_digest_wherever_it_is_shown_or_answered() {
    // The task named one, the request was bound to another, and the answer to a third.
    let world = World::new([]);
    untidy(&world);
    let run = world.json(&["organize", ".", "--backend", "offline"]);
    let request = one_request(&run);
    let digest = request.digest.as_str();
    let shown = request.details.plan.as_ref().unwrap();
    assert!(
        !shown.plan.operations.is_empty() && shown.trees.is_some(),
        "what the digest covers is shown: {shown:?}"
    );
    let goal = run.events().unwrap().into_iter().find_map(|event| match event {
        TaskEvent::Created(created) => Some(created.spec.goal),
        _ => None,
    });
    assert!(goal.as_ref().is_some_and(|goal| goal.contains(&format!("the plan {digest}"))), "{goal:?}");
    let answered = approve(&world, &request).events().unwrap().into_iter().find_map(|event| {
        let TaskEvent::PermissionAnswered(answered) = event else { return None };
        Some(answered.digest)
    });
    assert_eq!(answered, Some(request.digest));
}

#[test]
fn asked_in_words_without_a_model_it_leads_to_the_same() {
    let world = World::new([]);
    untidy(&world);
    let request = one_request(&world.json(&["run", "tidy up this folder by kind", "--backend", "offline"]));
    assert_eq!(request.tool, "organize");
    assert_eq!(approve(&world, &request).code, Some(0));
    assert!(exists(&world, "Documents/Report.pdf") && exists(&world, "Documents/Report (1).pdf"));
    assert!(exists(&world, "app/Cargo.toml"), "by kind alone, projects stay where they are");
}

#[test]
fn taking_back_the_task_takes_back_its_job() {
    let world = World::new([]);
    untidy(&world);
    let before = snapshot(&world);
    let request = one_request(&world.json(&["organize", ".", "--backend", "offline"]));
    assert_eq!(approve(&world, &request).code, Some(0));
    assert_eq!(world.say(&["undo", "last", "--dry-run"]).code, Some(0));
    assert!(exists(&world, "Documents/Report.pdf"));
    let undo = world.say(&["undo", "last"]);
    assert_eq!(undo.code, Some(0), "{undo:?}");
    assert_eq!(snapshot(&world), before);
    let again = world.say(&["undo", "last"]);
    assert!(again.stdout.contains("Nothing to undo."), "{again:?}");
}

#[test]
fn a_refused_plan_changes_nothing() {
    let world = World::new([]);
    untidy(&world);
    let before = snapshot(&world);
    let request = one_request(&world.json(&["organize", ".", "--backend", "offline"]));
    assert_eq!(world.json(&["deny", request.id.as_str()]).code, Some(0));
    let end = world.json(&["follow", "last"]);
    assert_eq!(end.code, Some(3), "{end:?}");
    assert!(stopped(&end.events().unwrap()).summary.contains("Nothing was changed"), "{end:?}");
    assert_eq!(snapshot(&world), before);
    assert_eq!(world.json(&["jobs"]).stdout, "");
}

#[test]
fn a_shown_plan_is_edited_and_applied() {
    let world = World::new([]);
    untidy(&world);
    let shown = world.json(&["organize", ".", "--plan-only", "--convention", "lower-case"]);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let mut plan = value(&shown);
    assert_eq!(plan["suggestions"].as_array().unwrap().len(), 3);
    let operations = plan["plan"]["operations"].as_array_mut().unwrap();
    operations.retain(|operation| operation["action"]["kind"] != "trash");
    let file = world.home.user().join("plan.json");
    fs::write(&file, plan.to_string()).unwrap();
    // Without the trash the risk is medium, which can be consented to beforehand.
    let run = world.json(&["organize", "--apply", file.to_str().unwrap(), "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(exists(&world, "Documents/report.pdf") && exists(&world, "Report (1).pdf"));

    fs::write(&file, r#"{"scope": ["/etc"], "operations": [{"id": "o1"}]}"#).unwrap();
    let wrong = world.say(&["organize", "--apply", file.to_str().unwrap()]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("action"), "{}", wrong.stderr);
    let wrong = world.say(&["organize", ".", "--plan-only", "--convention", "camelCase"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("camelCase") && wrong.stderr.contains("lower-case"), "{}", wrong.stderr);
}

fn submit(operations: Value) -> Turn {
    Turn::call(
        "organize",
        json!({"action": "submit_plan", "operations": operations, "reasoning": "as asked"}),
    )
}

#[test]
fn a_models_plan_is_held_to_the_same_checks() {
    let outside = json!([
        {"type": "move", "path": "song.mp3", "to": "/etc/song.mp3"},
        {"type": "trash", "path": "../user"},
        {"type": "move", "path": "nothing.txt", "to": "a.txt"},
        {"type": "move", "path": "app/src", "to": "src"},
    ]);
    let cyclic = json!([{"type": "move", "path": "letters", "to": "letters/in/letters"}]);
    let unknown = json!([{"type": "explode", "path": "song.mp3"}]);
    let good = json!([{"type": "move", "path": "song.mp3", "to": "Music/song.mp3", "reason": "a song"}]);
    let world = World::new([
        Turn::call("organize", json!({"action": "scan"})),
        submit(outside),
        submit(cyclic),
        Turn::call("organize", json!({"action": "scan", "paths": ["letters"]})),
        submit(unknown),
        submit(good),
        Turn::call("organize", json!({"action": "status"})),
        Turn::text("Moved the song."),
    ]);
    untidy(&world);
    let run = world.json(&["organize", ".", "--yes", "medium"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let results = results(&run.events().unwrap());
    let status: Vec<CallStatus> = results.iter().map(|result| result.status).collect();
    use CallStatus::{Failed, Ok};
    assert_eq!(status, [Ok, Failed, Failed, Ok, Failed, Ok, Ok]);
    assert!(
        results[0].content.contains("draft: ") && results[0].content.contains("project: "),
        "{}",
        results[0].content
    );
    for (result, words) in [
        (1, &["o1", "/etc/song.mp3", "outside", "o2", ".."][..]),
        (2, &["o1", "into itself"]),
        (4, &["operations[0]", "explode"]),
    ] {
        let told = &results[result].content;
        assert!(words.iter().all(|word| told.contains(word)), "{words:?} are missing in {told}");
    }
    assert!(results[5].content.contains("`deputy undo j"), "{}", results[5].content);
    assert!(results[6].content.contains("done  organized"), "{}", results[6].content);
    assert!(exists(&world, "Music/song.mp3") && exists(&world, "app/src/main.rs"));
    assert!(world.told(1).contains("tidying folders"), "the organizer's prompt is used");
}

#[test]
fn policy_judges_each_path_of_a_plan_as_any_other() {
    let world = World::new([
        submit(json!([
            {"type": "move", "path": "song.mp3", "to": "Music/song.mp3"},
            {"type": "move", "path": "id_rsa", "to": "Keys/id_rsa"},
        ])),
        Turn::text("It was denied."),
    ]);
    untidy(&world);
    world.home.write("id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----\n").unwrap();
    age(&world);
    let before = snapshot(&world);
    let run = world.json(&["organize", ".", "--yes", "medium"]);
    let events = run.events().unwrap();
    assert_eq!(results(&events)[0].status, CallStatus::Denied, "{run:?}");
    let denied = |event: &TaskEvent| matches!(event, TaskEvent::CallDecided(decided) if decided.verdict.decision == Decision::Deny);
    assert!(events.iter().any(denied));
    assert_eq!(snapshot(&world), before);

    // Made without a model, a plan leaves secrets alone instead of being denied for them.
    let plan = world.json(&["organize", ".", "--plan-only", "--backend", "offline"]);
    assert!(!plan.stdout.contains("id_rsa"), "{}", plan.stdout);
}

#[test]
fn what_changes_while_a_plan_waits_is_left_out_and_the_rest_is_done() {
    let world = World::new([]);
    untidy(&world);
    let request = one_request(&world.json(&["organize", ".", "--backend", "offline"]));
    // One file is changed, one goes, one comes that nobody saw, and one takes the place of another.
    world.home.write("song.mp3", "another song").unwrap();
    fs::remove_file(world.home.workspace().join("table.csv")).unwrap();
    world.home.write("new.csv", "1,2").unwrap();
    world.home.write("Documents/Report.pdf", "mine").unwrap();
    let end = approve(&world, &request);
    assert_eq!(end.code, Some(1), "not all of it was done: {end:?}");
    let events = end.events().unwrap();
    assert_eq!(requests(&events).len(), 1, "what was approved is not asked about again");
    let told = &results(&events)[0].content;
    for words in ["/song.mp3: it has changed since it was checked", "/table.csv: it is gone"] {
        assert!(told.contains(words), "{words} is missing in {told}");
    }
    assert_eq!(world.home.read("song.mp3").unwrap(), "another song");
    assert_eq!(world.home.read("new.csv").unwrap(), "1,2");
    assert_eq!(world.home.read("Documents/Report.pdf").unwrap(), "mine");
    assert_eq!(world.home.read("Documents/Report (2).pdf").unwrap(), "%PDF-1.4 report");
    assert!(exists(&world, "Projects/app/Cargo.toml"));
    let waiting = world.home.path().join("organize/waiting");
    assert_eq!(fs::read_dir(waiting).unwrap().count(), 0, "what is journalled is not kept twice");
}

#[test]
fn a_surplus_copy_that_is_written_to_while_its_plan_waits_is_not_thrown_away() {
    let world = World::new([]);
    untidy(&world);
    let request = one_request(&world.json(&["organize", ".", "--by", "duplicates", "--backend", "offline"]));
    world.home.write("Report (1).pdf", "%PDF-1.4 report, and more").unwrap();
    assert_eq!(approve(&world, &request).code, Some(1));
    assert_eq!(world.home.read("Report (1).pdf").unwrap(), "%PDF-1.4 report, and more");
}

#[test]
fn a_folder_that_is_moved_away_while_its_plan_waits_is_left_as_it_is() {
    let world = World::new([]);
    for path in ["one/a.mp3", "two/b.mp3"] {
        world.home.write(path, path).unwrap();
    }
    age(&world);
    let request = one_request(&world.json(&["organize", "one", "two", "--backend", "offline"]));
    let root = world.home.workspace();
    fs::rename(root.join("two"), root.join("moved")).unwrap();
    let end = approve(&world, &request);
    assert_eq!(end.code, Some(1), "{end:?}");
    assert!(end.stdout.contains("two is gone; nothing was changed"), "{end:?}");
    assert!(exists(&world, "one/a.mp3") && exists(&world, "moved/b.mp3"));
    assert_eq!(world.json(&["jobs"]).stdout, "", "it never began, and blocks nothing");

    // With a link in its place it was begun, stopped at once, and stayed in the way of others.
    let request = one_request(&world.json(&["organize", "one", "--backend", "offline"]));
    fs::rename(root.join("one"), root.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(root.join("elsewhere"), root.join("one")).unwrap();
    let end = approve(&world, &request);
    assert_eq!(end.code, Some(1), "{end:?}");
    assert!(exists(&world, "elsewhere/a.mp3") && !exists(&world, "elsewhere/Audio"), "{end:?}");
    assert_eq!(world.json(&["jobs"]).stdout, "", "it never began, and blocks nothing");
}

#[test]
fn conflicts_are_told_before_a_job_is_taken_back() {
    let world = World::new([]);
    untidy(&world);
    let request = one_request(&world.json(&["organize", ".", "--by", "kind", "--backend", "offline"]));
    assert_eq!(approve(&world, &request).code, Some(0));
    world.home.write("Audio/song.mp3", "mine now").unwrap();
    let id = job(&world)["job"].as_str().unwrap().to_owned();
    let abort = world.say(&["undo", &id, "--on-conflict", "abort"]);
    assert_eq!(abort.code, Some(1), "{abort:?}");
    assert!(
        exists(&world, "Audio/song.mp3") && exists(&world, "Spreadsheets/table.csv"),
        "nothing was changed"
    );
    let skip = world.say(&["undo", &id]);
    assert_eq!(skip.code, Some(1), "{skip:?}");
    assert!(skip.stdout.contains("song.mp3: it has changed since the job"), "{}", skip.stdout);
    assert_eq!(world.home.read("Audio/song.mp3").unwrap(), "mine now");
    assert!(exists(&world, "table.csv"));
}

#[test]
fn several_folders_are_tidied_by_one_plan() {
    let world = World::new([]);
    for path in ["one/a.mp3", "two/b.mp3", "two/c.csv"] {
        world.home.write(path, path).unwrap();
    }
    age(&world);
    let request = one_request(&world.json(&["organize", "one", "two", "--backend", "offline"]));
    assert_eq!(approve(&world, &request).code, Some(0));
    for path in ["one/Audio/a.mp3", "two/Audio/b.mp3", "two/Spreadsheets/c.csv"] {
        assert!(exists(&world, path), "{path}");
    }
}

#[test]
fn nothing_to_do_and_folders_that_cannot_be_tidied_are_said() {
    let world = World::new([]);
    world.home.write("sorted/a.txt", "a").unwrap();
    age(&world);
    let nothing = world.say(&["organize", ".", "--backend", "offline"]);
    assert_eq!(nothing.code, Some(0), "{nothing:?}");
    assert!(nothing.stdout.contains("Nothing to tidy among 1 files"), "{}", nothing.stdout);
    let missing = world.say(&["organize", "not-there", "--backend", "offline"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("not-there"), "{}", missing.stderr);
    world.home.write(".git/HEAD", "ref").unwrap();
    let project = world.say(&["organize", ".", "--backend", "offline"]);
    assert_eq!(project.code, Some(1));
    assert!(project.stderr.contains("version control"), "{}", project.stderr);
    assert!(world.say(&["jobs"]).stdout.contains("No jobs yet"));
}

/// Kills a task that organizes at a commit of its journal, and lets others finish it.
fn play(point: CrashPoint) -> std::io::Result<Fate> {
    let good = json!([
        {"type": "move", "path": "song.mp3", "to": "Music/song.mp3"},
        {"type": "rename", "path": "table.csv", "to": "numbers.csv"},
        {"type": "copy", "path": "letters/old.txt", "to": "Copies/old.txt"},
    ]);
    let turns = [submit(good), Turn::text("All done.")];
    let world = World::of(Script { by_conversation: true, ..Script::turns(turns) });
    untidy(&world);
    let before = snapshot(&world);
    let args = ["organize", ".", "--yes", "medium"];
    let mut first = world.home.deputy()?;
    first.arg("--json").args(args);
    let fate = run_to(point, first)?;
    let mut end = world.json(&["follow", "last"]);
    if end.code == Some(1) && end.error().is_ok_and(|error| error.code == ErrorCode::UnknownTask) {
        end = world.json(&args);
    }
    assert_eq!(end.code, Some(0), "{point}: {end:?}");
    let events = end.events().unwrap();
    assert_eq!(stopped(&events).reason, StopReason::Completed, "{point}");
    assert!(questions(&events).is_empty(), "{point}: the journal of the job tells how far it got");
    assert_eq!(results(&events).len(), 1, "{point}");
    for path in ["Music/song.mp3", "numbers.csv", "Copies/old.txt", "letters/old.txt"] {
        assert!(exists(&world, path), "{point}: {path}");
    }
    assert_eq!(world.json(&["jobs"]).stdout.lines().count(), 1, "{point}: it is done once");
    let id = job(&world)["job"].as_str().unwrap().to_owned();
    assert_eq!(world.json(&["undo", &id]).code, Some(0), "{point}");
    assert_eq!(snapshot(&world), before, "{point}");
    Ok(fate)
}

#[test]
fn killed_at_any_commit_a_plan_is_carried_out_once() {
    let points = crash_at_some_commits(play).unwrap();
    // Unless tests run at full length, up to six points after the last one that was tried are not counted.
    let uncounted = if deputy_testkit::is_full() { 0 } else { 6 };
    assert!(points + uncounted >= 16, "{points}");
}

#[test]
fn killed_in_the_middle_of_a_job_it_goes_on_where_it_was() {
    let world = World::new([]);
    for index in 0..600 {
        world.home.write(&format!("song {index}.mp3"), index.to_string()).unwrap();
    }
    age(&world);
    let before = snapshot(&world);
    let mut command = world.home.deputy().unwrap();
    command.args(["organize", ".", "--by", "kind", "--backend", "offline", "--yes", "medium"]);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let moved = world.home.workspace().join("Audio");
    let count = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    while count(&moved) < 50 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let end = world.json(&["follow", "last"]);
    assert_eq!(end.code, Some(0), "{end:?}");
    assert_eq!(count(&moved), 600);
    for index in 0..600 {
        assert_eq!(world.home.read(format!("Audio/song {index}.mp3")).unwrap(), index.to_string());
    }
    let id = job(&world)["job"].as_str().unwrap().to_owned();
    assert_eq!(world.json(&["undo", &id]).code, Some(0));
    assert_eq!(snapshot(&world), before);
}
