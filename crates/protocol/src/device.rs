//! Devices: phones and browsers that were paired, and how they are paired.

use crate::{DeviceId, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A paired phone or browser, identified by its public key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Device {
    /// The id of the device.
    pub id: DeviceId,
    /// The name that its owner gave it.
    pub name: String,
    /// What the device may do.
    pub scopes: Vec<DeviceScope>,
    /// When the device was paired.
    pub paired_at_ms: i64,
    /// When the device last authenticated. Absent if it never did.
    #[serde(default)]
    pub last_seen_ms: Option<i64>,
    /// When the device was revoked. A revoked device may not do anything. Absent if it was not revoked.
    #[serde(default)]
    pub revoked_at_ms: Option<i64>,
}

/// What a device may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceScope {
    /// See everything.
    Monitor,
    /// Answer permission requests and questions.
    Approve,
    /// Start, steer, pause and stop tasks, and undo.
    Command,
}

/// Asks for all devices. For local clients only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DevicesQuery {}

/// Renames a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RenameDeviceCommand {
    /// The id of the device.
    pub device: DeviceId,
    /// The new name.
    pub name: String,
}

/// Sets the push server address at which a device receives notices. A UnifiedPush app on the device obtains it.
/// Notices are encrypted with the device's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReachDeviceCommand {
    /// The id of the device.
    pub device: DeviceId,
    /// An https address. If absent, notices go through the relay in the host's settings again.
    pub endpoint: Option<String>,
}

/// Revokes a device. Its connections are closed at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevokeDeviceCommand {
    /// The id of the device.
    pub device: DeviceId,
}

/// Starts to pair a device. Any earlier pairing ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartPairingCommand {
    /// What the new device may do.
    pub scopes: Vec<DeviceScope>,
}

/// Asks for the latest pairing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingQuery {}

/// The person's confirmation of the number that both sides show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConfirmPairingCommand {
    /// The six digits that the device shows.
    pub number: String,
    /// Whether they are equal to the digits that the desktop shows.
    pub accept: bool,
}

/// A list of devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DevicesAnswer {
    /// The devices, in the order of pairing.
    pub devices: Vec<Device>,
}

/// A pairing that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingAnswer {
    /// The link that the device scans: an address, with the one-time code and the certificate's fingerprint after the
    /// `#`.
    pub link: String,
    /// The SHA-256 digest of the server's public key, which the device checks on every connection.
    pub fingerprint: String,
    /// When the pairing expires.
    pub expires_at_ms: i64,
    /// The state of the pairing.
    pub stage: PairingStage,
}

/// The state of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stage", rename_all = "snake_case")]
pub enum PairingStage {
    /// No device has sent the code yet.
    Waiting(PairingWaiting),
    /// A device sent the code. Both sides show the number.
    Claimed(PairingClaimed),
    /// The device is paired.
    Paired(PairingDone),
    /// The pairing ended without a device.
    Over(PairingOver),
}

/// No device has sent the code yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingWaiting {}

/// A device sent the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingClaimed {
    /// The device's own name for itself.
    pub name: String,
    /// Six digits, which each side derives from what it received.
    pub number: String,
    /// Whether the person confirmed the number on the desktop.
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
    /// Why the pairing ended.
    pub reason: Phrase,
}

/// The first message of a device during pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingClaim {
    /// The one-time code.
    pub code: String,
    /// The device's own name for itself.
    pub name: String,
    /// The device's P-256 public key for signatures: the uncompressed point in base64url.
    pub sign_key: String,
    /// The device's P-256 public key for messages that are encrypted to it: the uncompressed point in base64url.
    /// Absent if it has none.
    #[serde(default)]
    pub seal_key: Option<String>,
}

/// The message that a device sends after its owner compared the numbers. It is repeated until the desktop has
/// confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairingFinish {
    /// The one-time code.
    pub code: String,
    /// The device's signature of `deputy-pair-1`, the fingerprint, the code and the number, each on its own line.
    pub signature: String,
}
