//! Helpers that the tests share.

use deputy_protocol::*;
use deputy_store::{RecallQuery, Store};
use tempfile::TempDir;

pub(crate) fn home() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::new(name)
}

pub(crate) fn spec(name: &str, session: &str, goal: &str) -> TaskSpec {
    TaskSpec {
        id: task(name),
        session: SessionId::new(session),
        goal: goal.to_owned(),
        profile: "general".to_owned(),
        backend: "offline".to_owned(),
        model: None,
        workspace: "/home/me/project".to_owned(),
        scope: Scope::default(),
        limits: Limits::default(),
        standing_consent: None,
        parent: None,
        terminal: None,
    }
}

pub(crate) fn created(name: &str, session: &str, goal: &str) -> TaskEvent {
    TaskEvent::Created(Created { spec: spec(name, session, goal), notice: None, named: Vec::new() })
}

/// Creates a task in the session `s`.
pub(crate) async fn start(store: &Store, name: &str) -> TaskId {
    let id = task(name);
    store.append(&id, 1, vec![created(name, "s", &format!("goal of {name}"))]).await.unwrap();
    id
}

pub(crate) fn iteration(iteration: u32) -> TaskEvent {
    TaskEvent::IterationStarted(IterationStarted { iteration })
}

pub(crate) fn steered(text: &str) -> TaskEvent {
    TaskEvent::Steered(Steered { text: text.to_owned(), named: Vec::new() })
}

pub(crate) fn stopped() -> TaskEvent {
    TaskEvent::Stopped(Stopped {
        reason: StopReason::Completed,
        summary: "done".to_owned().into(),
        report: None,
    })
}

pub(crate) fn digest(letter: char) -> Digest {
    Digest::new(letter.to_string().repeat(64))
}

pub(crate) fn once() -> Lifetime {
    Lifetime::Once(OnceLifetime {})
}

pub(crate) fn minutes(minutes: u32) -> Lifetime {
    Lifetime::Minutes(MinutesLifetime { minutes })
}

pub(crate) fn always() -> Lifetime {
    Lifetime::Always(AlwaysLifetime {})
}

pub(crate) fn until_end_of(task: &TaskId) -> Lifetime {
    Lifetime::Task(TaskLifetime { task: task.clone() })
}

pub(crate) fn rule() -> GrantRule {
    GrantRule::Argv(ArgvRule { argv: vec!["cargo".to_owned(), "test".to_owned()], prefix: true })
}

/// Returns a request of medium risk that expires at 1,000 and offers once, thirty minutes, the task and always.
pub(crate) fn request(id: &str, task: &TaskId) -> PermissionRequest {
    let offer = |lifetime: Lifetime| Offer {
        rule: (lifetime != once()).then(rule),
        wider: false,
        label: "cargo test".into(),
        lifetime,
    };
    PermissionRequest {
        id: RequestId::new(id),
        task: task.clone(),
        session: SessionId::new("s"),
        call: CallId::of(task, 1, 1),
        tool: "shell".to_owned(),
        summary: "Run the tests".to_owned().into(),
        details: RequestDetails {
            cwd: "/home/me/project".to_owned(),
            command: Some("cargo test".to_owned()),
            parts: Vec::new(),
            background: false,
            diff: None,
            steps: Vec::new(),
            plan: None,
            confinement: Confinement::Workspace,
            not_kept: None,
            refused_at_ms: None,
            away_from: None,
            time_limit_secs: None,
            wanted: None,
        },
        risk: Risk::Medium,
        reasons: vec!["it runs code".into()],
        digest: digest('a'),
        offered: vec![offer(once()), offer(minutes(30)), offer(until_end_of(task)), offer(always())],
        created_at_ms: 10,
        expires_at_ms: 1_000,
    }
}

/// Brings a database back to a format before refusals.
pub(crate) const WITHOUT_REFUSALS: &str = "
    DROP INDEX tasks_ended_in;
    DROP INDEX events_shared_refusals;
    DROP INDEX permission_requests_touching;
    ALTER TABLE permission_requests DROP COLUMN touches;
    ALTER TABLE permission_requests DROP COLUMN answered_seq;";

pub(crate) fn asked(request: PermissionRequest) -> TaskEvent {
    TaskEvent::PermissionRequested(PermissionRequested { request, touches: Vec::new() })
}

pub(crate) fn terminal() -> Answerer {
    Answerer::Local(LocalAnswerer { screen: "terminal".to_owned() })
}

pub(crate) fn allow(lifetime: Lifetime) -> Choice {
    Choice::Allow(AllowChoice { lifetime, wider: false, dropped: Vec::new() })
}

pub(crate) fn deny(reason: &str) -> Choice {
    Choice::Deny(DenyChoice { reason: reason.into(), ..DenyChoice::default() })
}

/// Returns an answer by the person at the terminal.
pub(crate) fn answer(request: &str, choice: Choice) -> PermissionAnswer {
    PermissionAnswer { request: RequestId::new(request), digest: digest('a'), choice, by: terminal() }
}

/// Returns an answer to a question.
pub(crate) fn reply(question: &str, text: &str) -> QuestionAnswered {
    QuestionAnswered { request: RequestId::new(question), text: text.to_owned(), by: None, named: Vec::new() }
}

pub(crate) fn finished(call: &CallId, content: &str) -> TaskEvent {
    let result = ToolResult::new(CallStatus::Ok, content);
    TaskEvent::ToolFinished(ToolFinished { call: call.clone(), result, duration_ms: 3 })
}

/// Returns a query by words only, without a length limit.
pub(crate) fn query<'a>(
    session: &'a SessionId,
    workspace: &'a str,
    text: &'a str,
    limit: usize,
) -> RecallQuery<'a> {
    RecallQuery {
        session,
        workspace,
        text,
        vector: None,
        documents_in: &[],
        now_ms: 1,
        limit,
        budget_chars: usize::MAX,
        most_chars_each: usize::MAX,
    }
}
