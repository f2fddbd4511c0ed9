//! Tests of organizing for clients: folders are completed, scanned and drafted; a draft is changed; a job is listed and
//! undone.

use crate::world::World;
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;

async fn ask(world: &World, query: HostQuery) -> QueryAnswer {
    world.host.query(query).await.unwrap()
}

async fn refusal(world: &World, query: HostQuery) -> ErrorCode {
    world.host.query(query).await.unwrap_err().code
}

fn start_scan(world: &World, convention: Option<&str>) -> HostCommand {
    HostCommand::StartScan(StartScanCommand {
        folders: vec![world.home.workspace().to_str().unwrap().to_owned()],
        by: OrganizeBy::Everything,
        convention: convention.map(str::to_owned),
    })
}

/// Runs a scan from start to end.
async fn scanned(world: &World, command: HostCommand) -> ScanStage {
    let CommandOutcome::ScanStarted(begun) = world.command(command).await.unwrap() else { panic!() };
    loop {
        let scan = HostQuery::Scan(ScanQuery { scan: begun.scan.clone() });
        let QueryAnswer::Scan(answer) = ask(world, scan).await else { panic!() };
        if !matches!(answer.stage, ScanStage::Looking(_) | ScanStage::Comparing(_)) {
            return answer.stage;
        }
        tokio::task::yield_now().await;
    }
}

async fn drafted(world: &World) -> ScanDrafted {
    match scanned(world, start_scan(world, None)).await {
        ScanStage::Drafted(drafted) => drafted,
        other => panic!("{other:?}"),
    }
}

async fn tried(world: &World, query: DraftQuery) -> DraftAnswer {
    let QueryAnswer::Draft(draft) = ask(world, HostQuery::Draft(query)).await else { panic!() };
    draft
}

async fn jobs(world: &World, call: Option<CallId>) -> Vec<JobInfo> {
    let QueryAnswer::Jobs(found) = ask(world, HostQuery::Jobs(JobsQuery { call })).await else { panic!() };
    found.jobs
}

/// Creates files with an older modification time, because recently changed files are ignored.
fn furnish(world: &World) {
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    for (name, content) in [("a.pdf", "%PDF-1.4 a"), ("b.pdf", "%PDF-1.4 b"), ("c.mp3", "ID3 c")] {
        let path = world.home.write(name, content).unwrap();
        std::fs::File::options().write(true).open(path).unwrap().set_modified(before).unwrap();
    }
}

#[tokio::test]
async fn a_typed_path_is_completed_and_deputys_own_is_not_offered() {
    let world = World::new(ScriptedPlanner::new(Vec::<AgentPlan>::new())).await;
    let workspace = world.home.workspace();
    for name in ["Letters", "lists", ".hidden", ".ssh"] {
        std::fs::create_dir_all(workspace.join(name)).unwrap();
    }
    let typed = |path: String| {
        let world = &world;
        async move {
            let query = HostQuery::Folders(FoldersQuery { path });
            let QueryAnswer::Folders(found) = ask(world, query).await else { panic!() };
            found
        }
    };
    let at = workspace.to_str().unwrap().to_owned();
    let all = typed(format!("{at}/")).await;
    assert_eq!(all.folders, [format!("{at}/Letters"), format!("{at}/lists")]);
    assert!(all.folder.is_some());
    assert_eq!(typed(format!("{at}/LET")).await.folders, [format!("{at}/Letters")]);
    assert_eq!(typed(format!("{at}/.s")).await.folders, Vec::<String>::new());
    assert_eq!(typed(format!("{at}/nothing/here")).await.folder, None);
    assert_eq!(typed("relative".to_owned()).await.folders, Vec::<String>::new());
    let own = typed(world.home.path().to_str().unwrap().to_owned()).await;
    assert_eq!((own.folder, own.folders), (None, vec![]));
}

#[tokio::test]
async fn a_draft_is_changed_tried_and_kept() {
    let world = World::new(ScriptedPlanner::new(Vec::<AgentPlan>::new())).await;
    furnish(&world);
    let found = drafted(&world).await;
    assert_eq!((found.files, found.conventions.len()), (3, 3));
    let draft = found.draft.unwrap();
    let query = |draft: &str| DraftQuery { draft: draft.to_owned(), without: Vec::new(), edited: Vec::new() };
    let whole = tried(&world, query(&draft)).await;
    assert_eq!(whole.problems.len(), 0);
    let trees = whole.trees.unwrap();
    assert_eq!(trees.before.len(), 3);
    assert!(trees.after.len() > 3, "{:?}", trees.after);
    let [first, second, ..] = &whole.plan.operations[..] else { panic!() };

    let keep =
        |without, edited| HostCommand::KeepDraft(KeepDraftCommand { draft: draft.clone(), without, edited });
    let kept = world.command(keep(vec![first.id.clone()], Vec::new())).await.unwrap();
    let CommandOutcome::DraftKept(kept) = kept else { panic!("{kept:?}") };
    assert_ne!(kept.draft, draft);
    let fewer = tried(&world, query(&kept.draft)).await;
    assert_eq!(fewer.plan.operations.len(), whole.plan.operations.len() - 1);

    // An edit that leaves the folder is reported for its operation, and nothing is stored.
    let action = OrganizeAction::Move(MoveFileAction {
        path: second.action.path().into(),
        destination: "/elsewhere/x".into(),
    });
    let edited = vec![OrganizeOperation::new(second.id.as_str(), action, "")];
    let error = world.command(keep(Vec::new(), edited.clone())).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Draft);
    let wrong = tried(&world, DraftQuery { edited, ..query(&draft) }).await;
    assert_eq!(wrong.problems[0].operation, second.id.to_string());

    assert_eq!(refusal(&world, HostQuery::Draft(query("nothing"))).await, ErrorCode::Draft);
    assert_eq!(
        refusal(&world, HostQuery::Scan(ScanQuery { scan: "c0".into() })).await,
        ErrorCode::UnknownScan
    );
    let wild = start_scan(&world, Some("no convention at all"));
    assert_eq!(world.command(wild).await.unwrap_err().code, ErrorCode::Convention);
}

#[tokio::test]
async fn deputys_own_folder_is_not_scanned_and_a_stopped_scan_says_so() {
    let world = World::new(ScriptedPlanner::new(Vec::<AgentPlan>::new())).await;
    let own = HostCommand::StartScan(StartScanCommand {
        folders: vec![world.home.path().to_str().unwrap().to_owned()],
        by: OrganizeBy::Everything,
        convention: None,
    });
    assert_eq!(world.command(own).await.unwrap_err().code, ErrorCode::Workspace);
    let begun = world.command(start_scan(&world, None)).await.unwrap();
    let CommandOutcome::ScanStarted(begun) = begun else { panic!("{begun:?}") };
    world.command(HostCommand::StopScan(StopScanCommand { scan: begun.scan })).await.unwrap();
}

/// Runs a task that tidies the workspace, and returns the task, its call and the executed plan.
async fn tidied() -> (World, TaskId, JobInfo) {
    let world = World::new(ScriptedPlanner::new(Vec::<AgentPlan>::new())).await;
    furnish(&world);
    let draft = drafted(&world).await.draft.unwrap();
    let planner = ScriptedPlanner::new([
        calls([("organize", json!({"action": "submit_plan", "draft": draft}))]),
        done("tidied"),
    ]);
    let home = world.end().await;
    let mut world = World::open(home, std::sync::Arc::new(planner)).await;
    let start = StartCommand { profile: Some("organizer".into()), ..world.start_command() };
    let task = world.start(start).await;
    let request = world.requested().await;
    let once = Choice::Allow(AllowChoice::once());
    world.decide(&request, once).await.unwrap();
    let report = world.ended().await.report.unwrap();
    let [job] = &jobs(&world, Some(request.call)).await[..] else { panic!("the call has one plan") };
    let job = job.clone();
    assert!(report.moved > 1 && report.changed.is_empty(), "{report:?}");
    (world, task, job)
}

#[tokio::test]
async fn what_a_plan_moved_is_in_the_record_until_it_is_undone() {
    let (world, task, _) = tidied().await;
    let moved = async || {
        let query = HostQuery::Difference(DifferenceQuery { task: task.clone() });
        let Ok(QueryAnswer::Difference(found)) = world.host.query(query).await else { panic!() };
        found.files.iter().filter(|one| one.file.deed == FileDeed::Moved).count()
    };
    let all = moved().await;
    assert!(all > 1);
    world.command(HostCommand::Undo(UndoCommand::all(task.clone()))).await.unwrap();
    assert_eq!(moved().await, 0);
    world.command(HostCommand::Redo(RedoCommand::all(task.clone()))).await.unwrap();
    assert_eq!(moved().await, all);
}

#[tokio::test]
async fn a_job_is_found_by_its_call_and_taken_back() {
    let (world, _, found) = tidied().await;
    let workspace = world.home.workspace();
    assert!(!workspace.join("a.pdf").exists());
    let [execution] = &found.turns[..] else { panic!("{:?}", found.turns) };
    assert_eq!((found.state, execution.done), (JobStanding::Done, execution.steps));
    assert!(jobs(&world, Some(CallId::new("t0-0-0"))).await.is_empty());

    // A file of the job has changed since, which prevents the job from being undone.
    let moved = walk(&workspace).into_iter().find(|path| path.ends_with("a.pdf")).unwrap();
    std::fs::write(&moved, "mine now").unwrap();
    let undo = |on_conflict, dry_run| {
        HostCommand::UndoJob(UndoJobCommand { job: found.job.clone(), on_conflict, dry_run })
    };
    let told = |outcome| match outcome {
        Ok(CommandOutcome::Job(told)) => told,
        other => panic!("{other:?}"),
    };
    let dry = told(world.command(undo(OnConflict::Skip, true)).await).report;
    assert_eq!((dry.undoes, dry.conflicts.len()), (None, 1));
    let off = told(world.command(undo(OnConflict::Abort, false)).await).report;
    assert_eq!((off.undoes, off.done, off.conflicts.len()), (None, 0, 1));
    let done = told(world.command(undo(OnConflict::Skip, false)).await).report;
    assert_eq!(done.undoes.as_ref(), Some(&found.job));
    let [plan] = &jobs(&world, None).await[..] else { panic!("a plan has one line") };
    assert_eq!((plan.state, plan.undone_by.as_ref()), (JobStanding::PartlyUndone, Some(&done.job)));
    assert_eq!(plan.turns.last().map(|turn| (&turn.job, turn.turn)), Some((&done.job, TurnKind::Undo)));
    assert!(workspace.join("b.pdf").exists() && moved.exists());
    let unknown = HostCommand::ResumeJob(ResumeJobCommand { job: JobId::new("j0"), skip: false });
    assert_eq!(world.command(unknown).await.unwrap_err().code, ErrorCode::UnknownJob);
}

/// Regression test: what was undone in the list of plans was still offered for undo in its task, and the other way
/// round.
#[tokio::test]
async fn a_plan_and_its_task_have_one_state_wherever_it_is_undone_and_redone() {
    let (world, task, plan) = tidied().await;
    let is_undone = || match world.host.store().task(&task).unwrap().unwrap().state {
        TaskState::Stopped(stopped) => stopped.undone,
        state => panic!("{state:?}"),
    };
    let by_plan = async |job: &JobId| {
        let undo = UndoJobCommand { job: job.clone(), dry_run: false, on_conflict: OnConflict::Skip };
        match world.command(HostCommand::UndoJob(undo)).await.unwrap() {
            CommandOutcome::Job(outcome) => assert!(outcome.report.is_whole, "{:?}", outcome.report),
            other => panic!("{other:?}"),
        }
    };
    let by_task = async |command: HostCommand| match world.command(command).await.unwrap() {
        CommandOutcome::Undone(outcome) => outcome.jobs.len(),
        other => panic!("{other:?}"),
    };
    let undo = || HostCommand::Undo(UndoCommand::all(task.clone()));
    let redo = || HostCommand::Redo(RedoCommand::all(task.clone()));
    let listed = async || {
        let [plan] = &jobs(&world, None).await[..] else { panic!("a plan has one line") };
        plan.clone()
    };
    let here = world.home.workspace().join("a.pdf");

    by_plan(&plan.job).await;
    assert!(here.exists() && is_undone());
    assert_eq!(by_task(undo()).await, 0, "it is undone already");
    assert_eq!(by_task(redo()).await, 1);
    assert!(!here.exists() && !is_undone());
    assert_eq!(by_task(redo()).await, 0, "it is redone already");
    assert_eq!((listed().await.state, listed().await.undone_by), (JobStanding::Done, None));

    assert_eq!(by_task(undo()).await, 1);
    assert!(here.exists() && is_undone());
    let undone = listed().await;
    assert_eq!(undone.state, JobStanding::Undone);
    by_plan(&undone.undone_by.unwrap()).await;
    assert!(!here.exists() && !is_undone());
    assert_eq!(by_task(redo()).await, 0, "it is redone already");
    let turns: Vec<TurnKind> = listed().await.turns.iter().map(|turn| turn.turn).collect();
    use TurnKind::{Execute, Redo, Undo};
    assert_eq!(turns, [Execute, Undo, Redo, Undo, Redo]);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
