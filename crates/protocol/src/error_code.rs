//! All error codes. Each is declared here and nowhere else: what it means, its HTTP status and how the command line exits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::process::ExitCode;

/// How a command of the command line exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// It was done.
    Done = 0,
    /// It failed.
    Failed = 1,
    /// It was typed wrong.
    Usage = 2,
    /// A person or a rule said no, or a person stopped it.
    DeniedOrStopped = 3,
    /// It waits for a person.
    WaitsForPerson = 4,
    /// It was submitted without a model, and takes one.
    NeedsModel = 5,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// What is declared of an error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCodeInfo {
    /// The code.
    pub code: ErrorCode,
    /// Its name in messages.
    pub name: &'static str,
    /// When it is sent, a sentence or more.
    pub about: &'static str,
    /// The status of an HTTP answer; none for what a client says about itself.
    pub http_status: Option<u16>,
    /// How the command line exits.
    pub exit_status: ExitStatus,
    /// Whether a connection that was refused with it will be refused again, so that trying again is in vain.
    pub is_final: bool,
}

/// Codes that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCodeGroup {
    /// What they have in common.
    pub about: &'static str,
    /// The codes.
    pub codes: &'static [ErrorCodeInfo],
}

/// Declares the codes, in groups: `name = Variant: HTTP status, exit status;`, with `final` at the end where a client that
/// is refused a connection need not try again. A code that only a client says of itself has `none` as its HTTP status.
macro_rules! error_codes {
    ($($(#[doc = $about:literal])+ {
        $($(#[doc = $doc:literal])+ $name:ident = $code:ident: $http:tt, $exit:ident $(, $final:ident)?;)+
    })+) => {
        /// Why something was refused or failed, for programs: they branch on this alone.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($($(#[doc = $doc])+ $code,)+)+
            /// A code of a newer version, which this one does not know. Its message and hints say what happened.
            #[serde(other)]
            Unknown,
        }

        impl ErrorCode {
            /// All codes, in groups. [`ErrorCode::Unknown`] is not among them: nobody sends it.
            pub const GROUPS: &[ErrorCodeGroup] = &[$(ErrorCodeGroup {
                about: concat!($($about),+).trim_ascii(),
                codes: &[$(Self::$code.info()),+],
            }),+];

            /// What is declared of it.
            pub const fn info(self) -> ErrorCodeInfo {
                match self {
                    $($(Self::$code => ErrorCodeInfo {
                        code: self,
                        name: stringify!($name),
                        about: concat!($($doc),+).trim_ascii(),
                        http_status: error_codes!(@http $http),
                        exit_status: ExitStatus::$exit,
                        is_final: error_codes!(@final $($final)?),
                    },)+)+
                    // What is not known counts as a failure, and never as something that was done.
                    Self::Unknown => ErrorCodeInfo {
                        code: self,
                        name: "unknown",
                        about: "A code of a newer version.",
                        http_status: None,
                        exit_status: ExitStatus::Failed,
                        is_final: false,
                    },
                }
            }
        }
    };
    (@http none) => { None };
    (@http $status:literal) => { Some($status) };
    (@final) => { false };
    (@final final) => { true };
}

impl ErrorCode {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Every code that somebody sends.
    pub fn all() -> impl Iterator<Item = &'static ErrorCodeInfo> {
        Self::GROUPS.iter().flat_map(|group| group.codes)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

error_codes! {
    /// What came is not part of this protocol.
    {
        /// No hello came, or another message came first.
        no_hello = NoHello: 400, Failed;
        /// The two sides use different versions of the protocol.
        protocol = Protocol: 400, Failed, final;
        /// A message cannot be read, or its id cannot be used.
        bad_message = BadMessage: 400, Failed;
        /// A command has a field that the host does not know. Nothing was done.
        bad_field = BadField: 400, Failed;
        /// A WebSocket frame cannot be read.
        bad_frame = BadFrame: 400, Failed;
        /// The body of a request cannot be used.
        bad_body = BadBody: 422, Failed;
        /// The body of a request came too slowly.
        slow_body = SlowBody: 408, Failed;
        /// A part of an address cannot be used.
        bad_path = BadPath: 400, Failed;
        /// A query cannot be used.
        bad_query = BadQuery: 400, Failed;
        /// The header `Last-Event-ID` is not the number of an event.
        bad_event_id = BadEventId: 400, Failed;
        /// There is nothing at this address.
        unknown_path = UnknownPath: 404, Failed;
        /// This address does not take this method.
        unknown_method = UnknownMethod: 405, Failed;
    }
    /// The caller is not let in, or not any more.
    {
        /// The request has no proof of its sender.
        no_proof = NoProof: 401, Failed, final;
        /// The session is not known.
        bad_session = BadSession: 401, Failed, final;
        /// The session has ended.
        session_over = SessionOver: 401, Failed, final;
        /// The link was used before, or is too old.
        bad_link = BadLink: 401, Failed;
        /// The challenge was used before, or is too old.
        bad_challenge = BadChallenge: 401, Failed;
        /// The signature is not this device's, or not over this.
        bad_signature = BadSignature: 401, Failed, final;
        /// The device is not paired.
        unknown_device = UnknownDevice: 404, Failed, final;
        /// The device was revoked.
        revoked = Revoked: 401, Failed, final;
        /// A device has to sign this, and did not.
        unsigned = Unsigned: 401, Failed;
        /// The caller is let in, but not allowed to do this.
        not_allowed = NotAllowed: 403, Failed;
        /// The request names another host.
        foreign_host = ForeignHost: 403, Failed;
        /// The request comes from a page that is not Deputy's.
        foreign_origin = ForeignOrigin: 403, Failed;
        /// The address holds a secret.
        secret_in_address = SecretInAddress: 403, Failed;
        /// Too many attempts from this address have failed.
        too_many_attempts = TooManyAttempts: 429, Failed;
        /// Messages arrived too fast.
        too_many_messages = TooManyMessages: 429, Failed;
        /// The client took events more slowly than they came.
        too_slow = TooSlow: 408, Failed;
    }
    /// An answer to a request does not count.
    {
        /// Nothing waits under this id.
        unknown_request = UnknownRequest: 404, Failed;
        /// Another answer came first.
        already_answered = AlreadyAnswered: 409, Failed;
        /// The request is not about what the answer names.
        changed = Changed: 409, Failed;
        /// The request does not offer this answer.
        not_offered = NotOffered: 400, Failed;
        /// The request cannot be allowed without what the answer leaves out.
        cannot_drop = CannotDrop: 400, Failed;
        /// The request waited too long, or its task has ended.
        expired = Expired: 409, Failed;
        /// The signed answer is too old, or its time is still to come.
        signature_over = SignatureOver: 400, Failed;
        /// The signature was used before.
        replayed = Replayed: 400, Failed;
    }
    /// Tasks and what belongs to them.
    {
        /// There is no such task.
        unknown_task = UnknownTask: 404, Failed;
        /// There is no such event.
        unknown_event = UnknownEvent: 404, Failed;
        /// There is no such grant.
        unknown_grant = UnknownGrant: 404, Failed;
        /// The task made no such call.
        unknown_call = UnknownCall: 404, Failed;
        /// No such background command is running.
        unknown_background = UnknownBackground: 404, Failed;
        /// No more is kept of the call than its result.
        unknown_output = UnknownOutput: 404, Failed;
        /// The task has ended.
        task_ended = TaskEnded: 409, Failed;
        /// The task is not in the queue.
        not_queued = NotQueued: 409, Failed;
        /// A task cannot start before itself.
        before_itself = BeforeItself: 400, Failed;
        /// The task is empty.
        empty_goal = EmptyGoal: 400, Usage;
        /// The task is longer than a task may be.
        goal_too_long = GoalTooLong: 400, Failed;
        /// There is no such profile, or it cannot be used.
        profile = Profile: 400, Usage;
        /// The folder to work in cannot be used.
        workspace = Workspace: 400, Usage;
        /// The task's scope cannot be used.
        scope = Scope: 400, Usage;
        /// It cannot be opened, or should not be.
        cannot_open = CannotOpen: 400, Failed;
        /// The task's browser cannot be opened in a window.
        cannot_take_browser = CannotTakeBrowser: 409, Failed;
        /// A rule of yours denies it.
        denied = Denied: 403, DeniedOrStopped;
    }
    /// Settings, keys and backends.
    {
        /// A setting cannot have this value, or cannot be changed from here.
        bad_setting = BadSetting: 400, Failed;
        /// The configuration cannot be read or written.
        config = Config: 400, Failed;
        /// There is no such backend.
        unknown_backend = UnknownBackend: 404, Usage;
        /// The backend lacks a setting.
        backend_settings = BackendSettings: 400, Failed;
        /// The backend lacks its key.
        missing_key = MissingKey: 400, Failed;
        /// The backend does not answer, or answers with an error.
        backend = Backend: 400, Failed;
        /// There is no such search provider, or its file cannot be read.
        unknown_search_provider = UnknownSearchProvider: 404, Usage;
        /// The search provider lacks something, does not answer, or answers with an error.
        web_search = WebSearch: 400, Failed;
        /// The desktop's keyring does not do it.
        keyring = Keyring: 400, Failed;
        /// This is not a key.
        bad_key = BadKey: 400, Failed;
    }
    /// Devices, pairing and links.
    {
        /// It does not belong to an open pairing.
        bad_pairing = BadPairing: 409, Failed;
        /// No pairing was begun.
        no_pairing = NoPairing: 409, Failed;
        /// The name of a device cannot be used.
        bad_name = BadName: 400, Failed;
        /// Devices cannot connect to this host.
        no_door = NoDoor: 400, Failed;
        /// This host serves no page.
        no_page = NoPage: 503, Failed;
        /// The system gives no random numbers.
        no_randomness = NoRandomness: 503, Failed;
    }
    /// Tidying up folders.
    {
        /// There is no such scan, or not any more.
        unknown_scan = UnknownScan: 404, Failed;
        /// A plan is about no folder, or about too many.
        folders = Folders: 400, Failed;
        /// This is not a convention for names.
        convention = Convention: 400, Failed;
        /// The folders could not be scanned.
        scan = Scan: 400, Failed;
        /// The plan cannot be carried out, or its draft cannot be kept.
        draft = Draft: 400, Failed;
        /// There is no such job.
        unknown_job = UnknownJob: 404, Failed;
        /// Another job works in the same folders.
        job_overlaps = JobOverlaps: 409, Failed;
        /// The job was undone before.
        job_undone = JobUndone: 409, Failed;
        /// The job failed, or its journal cannot be used.
        job = Job: 400, Failed;
    }
    /// Memories.
    {
        /// There is no such memory.
        unknown_memory = UnknownMemory: 404, Failed;
        /// The memory was forgotten.
        forgotten = Forgotten: 409, Failed;
        /// A memory cannot have this text.
        bad_text = BadText: 400, Failed;
    }
    /// The host itself.
    {
        /// The journal does not answer.
        store = Store: 503, Failed;
        /// What is kept of a task cannot be read.
        task = Task: 400, Failed;
        /// The host cannot be reached, its answer does not fit, or it failed at this.
        host = Host: 500, Failed;
    }
    /// Said by the command line or the desktop's page; no host sends them.
    {
        /// It was typed wrong.
        usage = Usage: none, Usage;
        /// What was typed, or given on standard input, cannot be read or answered.
        input = Input: none, Failed;
        /// Some of the output could not be written.
        output = Output: none, Failed;
        /// Your home folder is not known.
        no_home = NoHome: none, Failed;
        /// Deputy's folder cannot be used.
        home = Home: none, Failed;
        /// Other users can change Deputy's folder.
        unsafe_home = UnsafeHome: none, Failed;
        /// No host serves this home.
        no_host = NoHost: none, Failed;
        /// Another process serves this home.
        already_served = AlreadyServed: none, Failed;
        /// The socket of the host cannot be used.
        socket = Socket: none, Failed;
        /// The page cannot be served at this address.
        listen = Listen: none, Failed;
        /// The address of the page is not on loopback.
        not_loopback = NotLoopback: none, Failed;
        /// Another program listens at this port.
        port_in_use = PortInUse: none, Failed;
        /// The system gives no thread or no signal.
        runtime = Runtime: none, Failed;
        /// The setting is not set.
        not_set = NotSet: none, Failed;
        /// Your own rules cannot be used.
        rules = Rules: none, Failed;
        /// Files changed meanwhile, so the job was not undone.
        conflict = Conflict: none, Failed;
        /// The pairing ended without a device.
        pairing_over = PairingOver: none, Failed;
        /// Starting at login cannot be changed.
        login = Login: none, Failed;
        /// The page did not send it: the host is gone.
        not_sent = NotSent: none, Failed;
        /// Something failed in the page or its window.
        page = Page: none, Failed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_code_is_read_and_written_by_its_declared_name() {
        for info in ErrorCode::all() {
            let written = serde_json::to_string(&info.code).unwrap();
            assert_eq!(written, format!("{:?}", info.name));
            assert_eq!(serde_json::from_str::<ErrorCode>(&written).unwrap(), info.code);
        }
        let names: BTreeSet<_> = ErrorCode::all().map(|info| info.name).collect();
        assert_eq!(names.len(), ErrorCode::all().count());
    }

    #[test]
    fn a_code_of_a_newer_version_is_a_failure_that_can_be_read() {
        let newer = r#"{"code":"moon_is_full","message":"The moon is full.","hints":["Wait."]}"#;
        let error: crate::ErrorBody = serde_json::from_str(newer).unwrap();
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::Unknown, "The moon is full."));
        let info = error.code.info();
        assert_eq!((info.exit_status, info.http_status, info.is_final), (ExitStatus::Failed, None, false));
    }

    #[test]
    fn no_error_has_the_status_of_a_success() {
        for info in ErrorCode::all() {
            assert!(info.http_status.is_none_or(|status| (400..600).contains(&status)), "{}", info.name);
            let is_failure = !matches!(info.exit_status, ExitStatus::Done | ExitStatus::WaitsForPerson);
            assert!(is_failure && !info.about.is_empty(), "{}", info.name);
        }
    }
}
