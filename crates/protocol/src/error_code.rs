//! All error codes. Each code is declared only here, with its meaning, its HTTP status and the exit status of the
//! command line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::process::ExitCode;

/// The exit status of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// The command succeeded.
    Done = 0,
    /// The command failed.
    Failed = 1,
    /// The command line could not be parsed.
    Usage = 2,
    /// A person or a rule denied the operation, or a person stopped it.
    DeniedOrStopped = 3,
    /// The task is waiting for a person.
    WaitsForPerson = 4,
    /// The task was submitted without a model, but it needs one.
    NeedsModel = 5,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}

/// The declared information about an error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCodeInfo {
    /// The error code.
    pub code: ErrorCode,
    /// The name in messages.
    pub name: &'static str,
    /// When the error occurs, in one or more sentences.
    pub about: &'static str,
    /// The HTTP status. `None` for an error that a client reports about itself.
    pub http_status: Option<u16>,
    /// The exit status of the command line.
    pub exit_status: ExitStatus,
    /// Whether a connection that is refused with this code will be refused again, so that reconnecting is pointless.
    pub is_final: bool,
}

/// A group of related error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCodeGroup {
    /// What the codes have in common.
    pub about: &'static str,
    /// The codes.
    pub codes: &'static [ErrorCodeInfo],
}

/// Declares the codes in groups, in the form `name = Variant: HTTP status, exit status;`. `final` at the end means
/// that a client whose connection is refused need not try again. A code that only clients use about themselves has
/// the HTTP status `none`.
macro_rules! error_codes {
    ($($(#[doc = $about:literal])+ {
        $($(#[doc = $doc:literal])+ $name:ident = $code:ident: $http:tt, $exit:ident $(, $final:ident)?;)+
    })+) => {
        /// The reason why something was refused or failed. Programs should branch on this code alone.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($($(#[doc = $doc])+ $code,)+)+
            /// A code from a newer version that this version does not know. The message and hints say what happened.
            #[serde(other)]
            Unknown,
        }

        impl ErrorCode {
            /// All codes, in groups. [`ErrorCode::Unknown`] is not included because it is never sent.
            pub const GROUPS: &[ErrorCodeGroup] = &[$(ErrorCodeGroup {
                about: concat!($($about),+).trim_ascii(),
                codes: &[$(Self::$code.info()),+],
            }),+];

            /// Returns the declared information about the code.
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
                    // An unknown code counts as a failure, never as a success.
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
    /// Returns the name in messages.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns every code that can be sent.
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
    /// The message is not valid in this protocol.
    {
        /// The client did not send a hello, or sent another message first.
        no_hello = NoHello: 400, Failed;
        /// The two sides use different versions of the protocol.
        protocol = Protocol: 400, Failed, final;
        /// A message cannot be parsed, or its id is not valid.
        bad_message = BadMessage: 400, Failed;
        /// A command has a field that the host does not know. Nothing was done.
        bad_field = BadField: 400, Failed;
        /// A WebSocket frame cannot be parsed.
        bad_frame = BadFrame: 400, Failed;
        /// The body of a request is not valid.
        bad_body = BadBody: 422, Failed;
        /// The body of a request came too slowly.
        slow_body = SlowBody: 408, Failed;
        /// A part of the request path is not valid.
        bad_path = BadPath: 400, Failed;
        /// A query is not valid.
        bad_query = BadQuery: 400, Failed;
        /// The header `Last-Event-ID` is not the number of an event.
        bad_event_id = BadEventId: 400, Failed;
        /// Nothing exists at this address.
        unknown_path = UnknownPath: 404, Failed;
        /// This address does not support this method.
        unknown_method = UnknownMethod: 405, Failed;
    }
    /// The caller may not connect, or is no longer allowed to.
    {
        /// The request does not prove who sent it.
        no_proof = NoProof: 401, Failed, final;
        /// The session does not exist.
        bad_session = BadSession: 401, Failed, final;
        /// The session has ended.
        session_over = SessionOver: 401, Failed, final;
        /// The link was already used or has expired.
        bad_link = BadLink: 401, Failed;
        /// The challenge was already used or has expired.
        bad_challenge = BadChallenge: 401, Failed;
        /// The signature was not made by this device or does not match the message.
        bad_signature = BadSignature: 401, Failed, final;
        /// The device is not paired.
        unknown_device = UnknownDevice: 404, Failed, final;
        /// The device was revoked.
        revoked = Revoked: 401, Failed, final;
        /// A device has to sign this message, but it is not signed.
        unsigned = Unsigned: 401, Failed;
        /// The caller is connected but not allowed to do this.
        not_allowed = NotAllowed: 403, Failed;
        /// The `Host` header of the request names another host.
        foreign_host = ForeignHost: 403, Failed;
        /// The request comes from a page that is not Deputy's.
        foreign_origin = ForeignOrigin: 403, Failed;
        /// The address contains a secret.
        secret_in_address = SecretInAddress: 403, Failed;
        /// Too many attempts from this address failed.
        too_many_attempts = TooManyAttempts: 429, Failed;
        /// The client sent messages too fast.
        too_many_messages = TooManyMessages: 429, Failed;
        /// The client received events more slowly than they occurred.
        too_slow = TooSlow: 408, Failed;
    }
    /// The answer to a request is not accepted.
    {
        /// No request or question with this id is open.
        unknown_request = UnknownRequest: 404, Failed;
        /// The request or question was already answered.
        already_answered = AlreadyAnswered: 409, Failed;
        /// The answer does not match the current content of the request.
        changed = Changed: 409, Failed;
        /// The request does not offer this answer.
        not_offered = NotOffered: 400, Failed;
        /// The request cannot be allowed without the calls that the answer leaves out.
        cannot_drop = CannotDrop: 400, Failed;
        /// The request expired, or its task has ended.
        expired = Expired: 409, Failed;
        /// The signed answer has expired, or its expiry is too far in the future.
        signature_over = SignatureOver: 400, Failed;
        /// The signature was already used.
        replayed = Replayed: 400, Failed;
    }
    /// Errors about tasks, and what belongs to them.
    {
        /// The task does not exist.
        unknown_task = UnknownTask: 404, Failed;
        /// The event does not exist.
        unknown_event = UnknownEvent: 404, Failed;
        /// The grant does not exist.
        unknown_grant = UnknownGrant: 404, Failed;
        /// The task did not make this call.
        unknown_call = UnknownCall: 404, Failed;
        /// The background command is not running.
        unknown_background = UnknownBackground: 404, Failed;
        /// The call has no such picture, or no output was kept beyond its result.
        unknown_output = UnknownOutput: 404, Failed;
        /// The task has ended.
        task_ended = TaskEnded: 409, Failed;
        /// The task is not in the queue.
        not_queued = NotQueued: 409, Failed;
        /// A task cannot be moved before itself in the queue.
        before_itself = BeforeItself: 400, Failed;
        /// The text of the task is empty.
        empty_goal = EmptyGoal: 400, Usage;
        /// The text of the task is too long.
        goal_too_long = GoalTooLong: 400, Failed;
        /// The profile does not exist or is not valid.
        profile = Profile: 400, Usage;
        /// The folder cannot be used as a workspace.
        workspace = Workspace: 400, Usage;
        /// The task's scope is not valid.
        scope = Scope: 400, Usage;
        /// The file or folder cannot be opened, or must not be.
        cannot_open = CannotOpen: 400, Failed;
        /// The task's browser cannot be opened in a window.
        cannot_take_browser = CannotTakeBrowser: 409, Failed;
        /// One of your rules denies the operation.
        denied = Denied: 403, DeniedOrStopped;
    }
    /// Errors about settings, keys and backends.
    {
        /// The value is not valid for the setting, or the setting cannot be changed from here.
        bad_setting = BadSetting: 400, Failed;
        /// The configuration cannot be read or written.
        config = Config: 400, Failed;
        /// The backend does not exist.
        unknown_backend = UnknownBackend: 404, Usage;
        /// A required setting of the backend is missing.
        backend_settings = BackendSettings: 400, Failed;
        /// The backend's key is missing.
        missing_key = MissingKey: 400, Failed;
        /// The backend does not answer, or returns an error.
        backend = Backend: 400, Failed;
        /// The search provider does not exist, or its file cannot be read.
        unknown_search_provider = UnknownSearchProvider: 404, Usage;
        /// The search provider lacks a setting or key, does not answer, or returns an error.
        web_search = WebSearch: 400, Failed;
        /// The desktop's keyring failed.
        keyring = Keyring: 400, Failed;
        /// The text is not a valid key.
        bad_key = BadKey: 400, Failed;
    }
    /// Errors about devices, pairing and links.
    {
        /// The message does not belong to an open pairing.
        bad_pairing = BadPairing: 409, Failed;
        /// No pairing was started.
        no_pairing = NoPairing: 409, Failed;
        /// The name is not valid for a device.
        bad_name = BadName: 400, Failed;
        /// Devices cannot connect to this host.
        no_door = NoDoor: 400, Failed;
        /// This host serves no page.
        no_page = NoPage: 503, Failed;
        /// The operating system does not provide random numbers.
        no_randomness = NoRandomness: 503, Failed;
    }
    /// Errors about tidying up folders.
    {
        /// The scan does not exist, or no longer does.
        unknown_scan = UnknownScan: 404, Failed;
        /// The folders to organize or to index cannot be used, or there are none or too many.
        folders = Folders: 400, Failed;
        /// The text is not a valid naming convention.
        convention = Convention: 400, Failed;
        /// The folders could not be scanned.
        scan = Scan: 400, Failed;
        /// The plan cannot be executed, or its draft cannot be saved.
        draft = Draft: 400, Failed;
        /// The job does not exist.
        unknown_job = UnknownJob: 404, Failed;
        /// Another job is working in the same folders.
        job_overlaps = JobOverlaps: 409, Failed;
        /// The job was already undone.
        job_undone = JobUndone: 409, Failed;
        /// The job failed, or its journal is damaged.
        job = Job: 400, Failed;
    }
    /// Errors about memories.
    {
        /// The memory does not exist.
        unknown_memory = UnknownMemory: 404, Failed;
        /// The memory was forgotten.
        forgotten = Forgotten: 409, Failed;
        /// The text is not valid for a memory.
        bad_text = BadText: 400, Failed;
    }
    /// Errors of the host itself.
    {
        /// The journal is not available.
        store = Store: 503, Failed;
        /// The stored data of a task cannot be read.
        task = Task: 400, Failed;
        /// The host cannot be reached, sent an unexpected answer, or failed.
        host = Host: 500, Failed;
        /// The host is ending and executes no further command. The command can be sent to the next host.
        host_ending = HostEnding: 503, Failed;
    }
    /// Errors that the command line or the desktop's page report. No host sends them.
    {
        /// The command line could not be parsed.
        usage = Usage: none, Usage;
        /// The input, typed or from standard input, cannot be read or answered.
        input = Input: none, Failed;
        /// Some of the output could not be written.
        output = Output: none, Failed;
        /// Your home folder cannot be determined.
        no_home = NoHome: none, Failed;
        /// Deputy's folder cannot be used.
        home = Home: none, Failed;
        /// Other users can change Deputy's folder.
        unsafe_home = UnsafeHome: none, Failed;
        /// No host is running for this home.
        no_host = NoHost: none, Failed;
        /// Another process already serves this home.
        already_served = AlreadyServed: none, Failed;
        /// The socket of the host cannot be used.
        socket = Socket: none, Failed;
        /// The page cannot be served at this address.
        listen = Listen: none, Failed;
        /// The address of the page is not a loopback address.
        not_loopback = NotLoopback: none, Failed;
        /// Another program is using this port.
        port_in_use = PortInUse: none, Failed;
        /// The operating system did not provide a thread or a signal handler.
        runtime = Runtime: none, Failed;
        /// The setting is not set.
        not_set = NotSet: none, Failed;
        /// Your `rules.toml` cannot be used.
        rules = Rules: none, Failed;
        /// Files changed since the job, so it was not undone.
        conflict = Conflict: none, Failed;
        /// The pairing ended without a device.
        pairing_over = PairingOver: none, Failed;
        /// Starting at login cannot be enabled or disabled.
        login = Login: none, Failed;
        /// The page could not send the message because the host is gone.
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
