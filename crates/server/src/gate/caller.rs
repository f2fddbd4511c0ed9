//! A caller: its identity, its permissions, and when they end.

use super::Refusal;
use deputy_protocol::{DeviceId, DeviceScope, Needs};
use std::net::{IpAddr, Ipv4Addr};
use tokio_util::sync::CancellationToken;

/// An authenticated caller.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The identity of the caller.
    pub(crate) who: Who,
    /// The permissions of the caller.
    pub(crate) scopes: Vec<DeviceScope>,
    /// When its session ends. `None` if it has no session.
    pub(crate) until_ms: Option<i64>,
    /// Cancelled when the caller loses its access.
    pub(crate) cut: CancellationToken,
}

/// The identity of a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The host's own user, at a terminal or on the desktop page.
    Local(&'static str),
    /// A paired device.
    Device {
        /// The id of the device.
        id: DeviceId,
    },
}

/// Returns all permissions.
pub(super) fn everything() -> Vec<DeviceScope> {
    vec![DeviceScope::Monitor, DeviceScope::Approve, DeviceScope::Command]
}

impl Caller {
    /// Creates a caller for the host's own user.
    pub(crate) fn local(screen: &'static str, until_ms: Option<i64>) -> Self {
        Self { who: Who::Local(screen), scopes: everything(), until_ms, cut: CancellationToken::new() }
    }

    /// Checks that it has the permission for an operation.
    pub(crate) fn may(&self, needs: Needs) -> Result<(), Refusal> {
        if self.cut.is_cancelled() {
            return Err(Refusal::Revoked);
        }
        match needs.device_scope() {
            Some(scope) if self.scopes.contains(&scope) => Ok(()),
            Some(_) => Err(Refusal::Scope),
            None if self.is_local() => Ok(()),
            None => Err(Refusal::LocalOnly),
        }
    }

    /// Returns its name for the log.
    pub(crate) fn name(&self) -> &str {
        match &self.who {
            Who::Local(screen) => screen,
            Who::Device { id } => id.as_str(),
        }
    }

    /// Returns whether it is the host's own user.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.who, Who::Local(_))
    }
}

/// The channel of a connection.
#[derive(Clone, Debug)]
pub(crate) enum Channel {
    /// Unencrypted, from this machine.
    Loopback,
    /// TLS, from anywhere.
    Tls {
        /// The fingerprint of the server's key, which the device has pinned.
        fingerprint: String,
        /// The remote address.
        from: IpAddr,
    },
}

impl Channel {
    /// Returns the name of the channel that a device signs.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Loopback => "loopback",
            Self::Tls { fingerprint, .. } => fingerprint,
        }
    }

    /// Returns whether it is the channel for other machines.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self, Self::Tls { .. })
    }

    pub(super) fn from(&self) -> IpAddr {
        match self {
            Self::Loopback => IpAddr::V4(Ipv4Addr::LOCALHOST),
            Self::Tls { from, .. } => *from,
        }
    }
}
