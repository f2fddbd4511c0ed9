//! A caller: who it is, what it may do, and until when.

use super::Refusal;
use deputy_protocol::{DeviceId, DeviceScope, Needs};
use std::net::{IpAddr, Ipv4Addr};
use tokio_util::sync::CancellationToken;

/// Who speaks, and until when.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// Who it is.
    pub(crate) who: Who,
    /// What it may do.
    pub(crate) scopes: Vec<DeviceScope>,
    /// When the session ends that it came with; `None` where it has none.
    pub(crate) until_ms: Option<i64>,
    /// Cancelled when it may not speak any more.
    pub(crate) cut: CancellationToken,
}

/// Who a caller is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The host's own user, at a terminal or at the desktop's page.
    Local(&'static str),
    /// A paired device.
    Device {
        /// Which.
        id: DeviceId,
    },
}

/// All that can be done.
pub(super) fn everything() -> Vec<DeviceScope> {
    vec![DeviceScope::Monitor, DeviceScope::Approve, DeviceScope::Command]
}

impl Caller {
    /// The host's own user.
    pub(crate) fn local(screen: &'static str, until_ms: Option<i64>) -> Self {
        Self { who: Who::Local(screen), scopes: everything(), until_ms, cut: CancellationToken::new() }
    }

    /// Whether it may do an operation that needs this.
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

    /// What the log calls it.
    pub(crate) fn name(&self) -> &str {
        match &self.who {
            Who::Local(screen) => screen,
            Who::Device { id } => id.as_str(),
        }
    }

    /// Whether it is the host's own user.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.who, Who::Local(_))
    }
}

/// The way that a connection came.
#[derive(Clone, Debug)]
pub(crate) enum Channel {
    /// From this machine, in the clear.
    Loopback,
    /// From anywhere, through TLS.
    Tls {
        /// What the device pinned.
        fingerprint: String,
        /// Where it comes from.
        from: IpAddr,
    },
}

impl Channel {
    /// What a device signs as the channel's name.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Loopback => "loopback",
            Self::Tls { fingerprint, .. } => fingerprint,
        }
    }

    /// Whether it is the one that other machines use.
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
