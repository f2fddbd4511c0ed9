//! What an operation is: something that a screen asks the host for, or asks it to do.
//!
//! [`crate::operations`] declares all of them. Who may, what is done once, what takes a while, the routes over HTTP and the
//! reference in the documentation follow from there.

use crate::{CommandId, DeviceScope, ErrorBody};

/// The input of an operation, which names what comes back and all that is known of the operation beforehand.
pub trait Operation: Sized + Send {
    /// What comes back.
    type Output: Send;
    /// What was declared.
    const INFO: OperationInfo;
}

/// What is declared of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationInfo {
    /// Its name in messages.
    pub name: &'static str,
    /// What it is for, a sentence or more.
    pub about: &'static str,
    /// The name of its input's type.
    pub input: &'static str,
    /// Whether it changes something. What does is a command, and is done once for each id.
    pub effect: OperationEffect,
    /// Who may.
    pub needs: Needs,
    /// Whether other messages of a client wait for it.
    pub pace: Pace,
    /// Its address over HTTP, where it has one of its own. Every command can be sent to `/commands` as well.
    pub route: Option<Route>,
}

/// Whether an operation changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationEffect {
    /// Nothing changes, so it may be asked again at will.
    Reads,
    /// Something changes. What came of it is remembered in the journal.
    Changes,
    /// Something changes, and what came of it is a secret: it is remembered until the host ends, and is never written down.
    ChangesInSecret,
}

/// Who may do an operation. The host's own user, at the terminal or at the desktop's page, may do everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A device with [`DeviceScope::Monitor`].
    Monitor,
    /// A device with [`DeviceScope::Approve`].
    Approve,
    /// A device with [`DeviceScope::Command`].
    Command,
    /// No device at all.
    LocalUser,
}

impl Needs {
    /// The scope that a device needs; none is enough for what is the host's own user's.
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
    /// A client's messages are answered in their order.
    Quick,
    /// It works on files, or waits for a provider, a keyring, a disk: other messages are answered meanwhile.
    Slow,
}

/// The address of an operation over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path below `/api/v1`; what is in braces is a field of the input.
    pub path: &'static str,
}

/// A method of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The fields that are not in the path are behind the `?`.
    Get,
    /// The fields that are not in the path are in the body.
    Post,
    /// As [`Method::Post`].
    Patch,
    /// All fields are in the path.
    Delete,
}

impl Method {
    /// As HTTP writes it.
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
    /// Answers it. Nothing changes by that.
    fn answer(&self, query: Q) -> impl Future<Output = Result<Q::Output, ErrorBody>> + Send;
}

/// Does a command.
pub trait Performs<C: Operation> {
    /// Does it. The id is its client's; the caller sees to it that nothing is done twice.
    fn perform(
        &self,
        id: &CommandId,
        command: C,
    ) -> impl Future<Output = Result<C::Output, ErrorBody>> + Send;
}

/// Declares operations: `name = Variant(Input) -> Output: Effect, Needs, Pace, Method "/route";`, those that the host does and
/// those that only the server can do, since they are about who is connected.
///
/// It makes of them the union that is in messages, and for each side a union of its own operations with the trait that
/// this side has to implement: an operation that nobody does is not compiled.
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
            /// All of this kind, in the order of declaration.
            pub const ALL: &[OperationInfo] = &[
                $(<$h_input as Operation>::INFO,)+
                $(<$s_input as Operation>::INFO,)+
            ];

            /// What is declared of it.
            pub fn info(&self) -> OperationInfo {
                match self {
                    $(Self::$h_variant(_) => <$h_input as Operation>::INFO,)+
                    $(Self::$s_variant(_) => <$s_input as Operation>::INFO,)+
                }
            }

            /// Whose it is to do.
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
            /// What is declared of it.
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
            /// Has it answered.
            pub async fn answered_by(self, by: &impl $side_does) -> Result<$outcome, ErrorBody> {
                Ok(match self {
                    $(Self::$variant(query) => by.answer(query).await?.into(),)+
                })
            }
        }
    };
    (@dispatch Performs, $side:ident, $side_does:ident, $outcome:ident, ($($variant:ident)+)) => {
        impl $side {
            /// Has it done.
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

/// Whose it is to do something.
#[derive(Clone, Debug)]
pub enum Side<H, S> {
    /// The host's: tasks, files, settings, what is in the journal.
    Host(H),
    /// The server's: who is connected, and what is not journalled.
    Server(S),
}

/// Declares a union of what comes back, each variant of which is made from what it holds.
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
