//! Operations: the queries and commands that a screen sends to the host.
//!
//! [`crate::operations`] declares all of them. The permissions, the handling of repeated commands and slow
//! operations, the HTTP routes and the reference in the documentation are derived from these declarations.

use crate::{CommandId, DeviceScope, ErrorBody};

/// The input of an operation. It determines the type of the result and the static information about the operation.
pub trait Operation: Sized + Send {
    /// The type of the result.
    type Output: Send;
    /// The declared information about the operation.
    const INFO: OperationInfo;
}

/// The declared information about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationInfo {
    /// The name in messages.
    pub name: &'static str,
    /// The purpose, in one or more sentences.
    pub about: &'static str,
    /// The name of the input type.
    pub input: &'static str,
    /// Whether the operation changes something. If so, it is a command and is performed once per id.
    pub effect: OperationEffect,
    /// Who may use the operation.
    pub needs: Needs,
    /// Whether a client's other messages wait for the operation.
    pub pace: Pace,
    /// The HTTP route. `None` if the operation has no route of its own; every command can also be sent to
    /// `/commands`.
    pub route: Option<Route>,
}

/// Whether an operation changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationEffect {
    /// Nothing changes, so the operation may be repeated at will.
    Reads,
    /// Something changes. The result is recorded in the journal.
    Changes,
    /// Something changes, and the result is a secret: it is remembered until the host exits and never written to
    /// disk.
    ChangesInSecret,
}

/// Who may use an operation. The host's own user, at the terminal or on the desktop's page, may use all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A device with [`DeviceScope::Monitor`].
    Monitor,
    /// A device with [`DeviceScope::Approve`].
    Approve,
    /// A device with [`DeviceScope::Command`].
    Command,
    /// The host's own user only, no device.
    LocalUser,
}

impl Needs {
    /// Returns the scope that a device needs. `None` if only the host's own user may use the operation.
    pub fn device_scope(self) -> Option<DeviceScope> {
        match self {
            Self::Monitor => Some(DeviceScope::Monitor),
            Self::Approve => Some(DeviceScope::Approve),
            Self::Command => Some(DeviceScope::Command),
            Self::LocalUser => None,
        }
    }
}

/// Whether an operation may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The operation is fast. A client's messages are answered in order.
    Quick,
    /// The operation works on files, or waits for a provider, a keyring or a disk. Other messages are answered
    /// meanwhile.
    Slow,
}

/// The HTTP route of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// The path below `/api/v1`. A name in braces is a field of the input.
    pub path: &'static str,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Fields that are not in the path are in the query string.
    Get,
    /// Fields that are not in the path are in the body.
    Post,
    /// Like [`Method::Post`].
    Patch,
    /// All fields are in the path.
    Delete,
}

impl Method {
    /// Returns the name of the method in HTTP.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// Answers a query.
pub trait Answers<Q: Operation> {
    /// Answers the query without changing anything.
    fn answer(&self, query: Q) -> impl Future<Output = Result<Q::Output, ErrorBody>> + Send;
}

/// Performs a command.
pub trait Performs<C: Operation> {
    /// Performs the command. The client created the id; the caller ensures that no command is performed twice.
    fn perform(
        &self,
        id: &CommandId,
        command: C,
    ) -> impl Future<Output = Result<C::Output, ErrorBody>> + Send;
}

/// Declares operations in the form `name = Variant(Input) -> Output: Effect, Needs, Pace, Method "/route";`. They are
/// divided into those that the host performs and those that only the server can perform, since they concern
/// connections.
///
/// The macro generates the union for messages. For each side it generates a union of that side's operations and a
/// trait that the side has to implement, so that an operation without an implementation does not compile.
macro_rules! operations {
    (
        $(#[$meta:meta])*
        $kind:ident -> $outcome:ident, by $does:ident;
        host $host:ident: $host_does:ident { $($(#[doc = $h_doc:literal])+ $h_name:ident = $h_variant:ident($h_input:ident) ->
            $h_output:ident: $h_effect:ident, $h_needs:ident, $h_pace:ident $(, $h_method:ident $h_path:literal)?;)+ }
        server $server:ident: $server_does:ident { $($(#[doc = $s_doc:literal])+ $s_name:ident = $s_variant:ident($s_input:ident) ->
            $s_output:ident: $s_effect:ident, $s_needs:ident, $s_pace:ident $(, $s_method:ident $s_path:literal)?;)+ }
    ) => {
        $(#[$meta])*
        pub enum $kind {
            $($(#[doc = $h_doc])+ $h_variant($h_input),)+
            $($(#[doc = $s_doc])+ $s_variant($s_input),)+
        }

        impl $kind {
            /// All operations of this kind, in the order of declaration.
            pub const ALL: &[OperationInfo] = &[
                $(<$h_input as Operation>::INFO,)+
                $(<$s_input as Operation>::INFO,)+
            ];

            /// Returns the declared information about the operation.
            pub fn info(&self) -> OperationInfo {
                match self {
                    $(Self::$h_variant(_) => <$h_input as Operation>::INFO,)+
                    $(Self::$s_variant(_) => <$s_input as Operation>::INFO,)+
                }
            }

            /// Returns the operation for the side that performs it.
            pub fn side(self) -> Side<$host, $server> {
                match self {
                    $(Self::$h_variant(input) => Side::Host($host::$h_variant(input)),)+
                    $(Self::$s_variant(input) => Side::Server($server::$s_variant(input)),)+
                }
            }
        }

        operations!(@side $kind -> $outcome, $does, $host, $host_does, ($($h_variant($h_input) -> $h_output)+));
        operations!(@side $kind -> $outcome, $does, $server, $server_does, ($($s_variant($s_input) -> $s_output)+));
        operations!(@dispatch $does, $host, $host_does, $outcome, ($($h_variant)+));
        operations!(@dispatch $does, $server, $server_does, $outcome, ($($s_variant)+));

        $(impl Operation for $h_input {
            type Output = $h_output;
            const INFO: OperationInfo = operations!(@info $h_name, $h_input, ($($h_doc)+), $h_effect, $h_needs, $h_pace
                $(, $h_method $h_path)?);
        })+
        $(impl Operation for $s_input {
            type Output = $s_output;
            const INFO: OperationInfo = operations!(@info $s_name, $s_input, ($($s_doc)+), $s_effect, $s_needs, $s_pace
                $(, $s_method $s_path)?);
        })+
    };
    (@side $kind:ident -> $outcome:ident, $does:ident, $side:ident, $side_does:ident,
        ($($variant:ident($input:ident) -> $output:ident)+)) => {
        #[doc = concat!("Each [`", stringify!($kind), "`] that this side does.")]
        #[derive(Clone, Debug)]
        pub enum $side {
            $(#[doc = concat!("[`", stringify!($input), "`].")] $variant($input),)+
        }

        impl $side {
            /// Returns the declared information about the operation.
            pub fn info(&self) -> OperationInfo {
                match self {
                    $(Self::$variant(_) => <$input as Operation>::INFO,)+
                }
            }
        }

        #[doc = concat!("What does every [`", stringify!($side), "`].")]
        pub trait $side_does: Sync $(+ $does<$input>)+ {}

        impl<T: Sync $(+ $does<$input>)+> $side_does for T {}
    };
    (@dispatch Answers, $side:ident, $side_does:ident, $outcome:ident, ($($variant:ident)+)) => {
        impl $side {
            /// Answers the query with `by`.
            pub async fn answered_by(self, by: &impl $side_does) -> Result<$outcome, ErrorBody> {
                Ok(match self {
                    $(Self::$variant(query) => by.answer(query).await?.into(),)+
                })
            }
        }
    };
    (@dispatch Performs, $side:ident, $side_does:ident, $outcome:ident, ($($variant:ident)+)) => {
        impl $side {
            /// Performs the command with `by`.
            pub async fn performed_by(self, id: &CommandId, by: &impl $side_does) -> Result<$outcome, ErrorBody> {
                Ok(match self {
                    $(Self::$variant(command) => by.perform(id, command).await?.into(),)+
                })
            }
        }
    };
    (@info $name:ident, $input:ident, ($($doc:literal)+), $effect:ident, $needs:ident, $pace:ident
        $(, $method:ident $path:literal)?) => {
        OperationInfo {
            name: stringify!($name),
            about: concat!($($doc),+).trim_ascii(),
            input: stringify!($input),
            effect: OperationEffect::$effect,
            needs: Needs::$needs,
            pace: Pace::$pace,
            route: operations!(@route $($method $path)?),
        }
    };
    (@route) => { None };
    (@route $method:ident $path:literal) => { Some(Route { method: Method::$method, path: $path }) };
}
pub(crate) use operations;

/// The side that performs an operation.
#[derive(Clone, Debug)]
pub enum Side<H, S> {
    /// The host: tasks, files, settings, and everything in the journal.
    Host(H),
    /// The server: connections, and what is not journaled.
    Server(S),
}

/// Declares a union of results. Each variant can be created from the type that it wraps.
macro_rules! outcomes {
    ($(#[$meta:meta])* $union:ident { $($(#[doc = $doc:literal])+ $variant:ident($inner:ident),)+ }) => {
        $(#[$meta])*
        pub enum $union {
            $($(#[doc = $doc])+ $variant($inner),)+
        }

        $(impl From<$inner> for $union {
            fn from(inner: $inner) -> Self {
                Self::$variant(inner)
            }
        })+
    };
}
pub(crate) use outcomes;
