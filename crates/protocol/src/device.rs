//! Devices: phones and browsers that were paired, and how they are.

use crate::{DeviceId, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A paired phone or browser, known by its public key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Device {
    /// Its id.
    pub id: DeviceId,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<DeviceScope>,
    /// When it was paired.
    pub paired_at_ms: i64,
    /// When it last proved itself.
    #[serde(default)]
    pub last_seen_ms: Option<i64>,
    /// When it was revoked; it then may do nothing.
    #[serde(default)]
    pub revoked_at_ms: Option<i64>,
}

/// What a device may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceScope {
    /// See everything.
    Monitor,
    /// Answer requests and questions.
    Approve,
    /// Start, steer, pause and stop tasks, and undo.
    Command,
}

/// All devices; for local clients only, as all that concerns devices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DevicesQuery {}

/// Give a device another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RenameDeviceCommand {
    /// Which.
    pub device: DeviceId,
    /// The name.
    pub name: String,
}

/// Say where a push server takes notices for a device, which a UnifiedPush app on it was given. They are sealed to its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReachDeviceCommand {
    /// Which.
    pub device: DeviceId,
    /// An https address; without one, notices take the relay of the host's settings again.
    pub endpoint: Option<String>,
}

/// End a device: its connections are cut at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevokeDeviceCommand {
    /// Which.
    pub device: DeviceId,
}

/// Begin to pair a device; what was begun before is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartPairingCommand {
    /// What it should be allowed.
    pub scopes: Vec<DeviceScope>,
}

/// The pairing that was begun last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingQuery {}

/// The person's word on the number that both sides show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConfirmPairingCommand {
    /// The six digits that the device shows.
    pub number: String,
    /// Whether they are those that the desktop shows.
    pub accept: bool,
}

/// All devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DevicesAnswer {
    /// In the order of pairing.
    pub devices: Vec<Device>,
}

/// A pairing that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingAnswer {
    /// What the device scans: an address, with the one-time code and the certificate's fingerprint behind the `#`.
    pub link: String,
    /// SHA-256 of the server's public key, which the device holds every connection against.
    pub fingerprint: String,
    /// Until when it can be finished.
    pub expires_at_ms: i64,
    /// Its state.
    pub stage: PairingStage,
}

/// The state of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stage", rename_all = "snake_case")]
pub enum PairingStage {
    /// Nobody has come with the code.
    Waiting(PairingWaiting),
    /// A device came; both sides show the number.
    Claimed(PairingClaimed),
    /// Done.
    Paired(PairingDone),
    /// Ended without a device.
    Over(PairingOver),
}

/// Nobody has come with the code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingWaiting {}

/// A device came with the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingClaimed {
    /// What it calls itself.
    pub name: String,
    /// Six digits, worked out by each side from what it saw itself.
    pub number: String,
    /// Whether the person has confirmed it on the desktop.
    pub confirmed: bool,
}

/// A device was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingDone {
    /// The device.
    pub device: Device,
}

/// A pairing ended without a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingOver {
    /// Why.
    pub reason: Phrase,
}

/// What a device sends first when it is paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingClaim {
    /// The one-time code.
    pub code: String,
    /// What it calls itself.
    pub name: String,
    /// Its P-256 key for signatures: the uncompressed point in base64url.
    pub sign_key: String,
    /// Its P-256 key for what is sealed to it, as above.
    #[serde(default)]
    pub seal_key: Option<String>,
}

/// What a device sends once its owner has compared the numbers; again until the desktop has confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingFinish {
    /// The one-time code.
    pub code: String,
    /// Its signature over `deputy-pair-1`, the fingerprint, the code and the number, a line each.
    pub signature: String,
}
