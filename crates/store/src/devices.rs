//! The tables `devices` and `answer_nonces`: the paired devices, and the signed answers that were used.

use crate::error::Fault;
use crate::rows;
use deputy_protocol::{Device, DeviceAnswerer, DeviceId, DeviceScope, RequestId};
use rusqlite::{Connection, Row, params};

/// A device with its public keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedDevice {
    /// The device in the form that clients get.
    pub device: Device,
    /// Its public key for signatures: P-256, uncompressed point.
    pub sign_key: Vec<u8>,
    /// Its public key for encryption, in the same format.
    pub seal_key: Option<Vec<u8>>,
    /// The address of its push server.
    pub endpoint: Option<String>,
}

impl PairedDevice {
    /// Returns whether it currently has a permission.
    pub fn may(&self, scope: DeviceScope) -> bool {
        self.device.revoked_at_ms.is_none() && self.device.scopes.contains(&scope)
    }
}

const COLUMNS: &str =
    "id, name, scopes, sign_key, seal_key, paired_at_ms, last_seen_ms, revoked_at_ms, endpoint";

pub(crate) fn insert(conn: &Connection, paired: &PairedDevice) -> Result<(), Fault> {
    let device = &paired.device;
    conn.prepare_cached(
        "INSERT INTO devices (id, name, scopes, sign_key, seal_key, paired_at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        device.id.as_str(),
        device.name,
        serde_json::to_string(&device.scopes)?,
        paired.sign_key,
        paired.seal_key,
        device.paired_at_ms
    ])?;
    Ok(())
}

pub(crate) fn all(conn: &Connection) -> Result<Vec<PairedDevice>, Fault> {
    rows::all(conn, &format!("SELECT {COLUMNS} FROM devices ORDER BY number"), [], read)
}

pub(crate) fn find(conn: &Connection, id: &DeviceId) -> Result<Option<PairedDevice>, Fault> {
    rows::first(conn, &format!("SELECT {COLUMNS} FROM devices WHERE id = ?1"), [id.as_str()], read)
}

fn read(row: &Row<'_>) -> Result<PairedDevice, Fault> {
    let device = Device {
        id: DeviceId(row.get(0)?),
        name: row.get(1)?,
        scopes: rows::json(row, 2)?,
        paired_at_ms: row.get(5)?,
        last_seen_ms: row.get(6)?,
        revoked_at_ms: row.get(7)?,
    };
    Ok(PairedDevice { device, sign_key: row.get(3)?, seal_key: row.get(4)?, endpoint: row.get(8)? })
}

/// Renames a device. Returns whether it exists.
pub(crate) fn rename(conn: &Connection, id: &DeviceId, name: &str) -> Result<bool, Fault> {
    let changed = conn
        .prepare_cached("UPDATE devices SET name = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), name])?;
    Ok(changed > 0)
}

/// Sets the address of a device's push server. Returns whether the device exists and is not revoked.
pub(crate) fn reach(conn: &Connection, id: &DeviceId, endpoint: Option<&str>) -> Result<bool, Fault> {
    let changed = conn
        .prepare_cached("UPDATE devices SET endpoint = ?2 WHERE id = ?1 AND revoked_at_ms IS NULL")?
        .execute(params![id.as_str(), endpoint])?;
    Ok(changed > 0)
}

/// Revokes a device. Returns whether it existed and was not revoked.
pub(crate) fn revoke(conn: &Connection, id: &DeviceId, now_ms: i64) -> Result<bool, Fault> {
    let changed = conn
        .prepare_cached("UPDATE devices SET revoked_at_ms = ?2 WHERE id = ?1 AND revoked_at_ms IS NULL")?
        .execute(params![id.as_str(), now_ms])?;
    Ok(changed > 0)
}

pub(crate) fn seen(conn: &Connection, id: &DeviceId, now_ms: i64) -> Result<(), Fault> {
    conn.prepare_cached("UPDATE devices SET last_seen_ms = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), now_ms])?;
    Ok(())
}

/// Returns whether a nonce was used.
pub(crate) fn is_used(conn: &Connection, nonce: &str) -> Result<bool, Fault> {
    let sql = "SELECT 1 FROM answer_nonces WHERE nonce = ?1";
    Ok(rows::first(conn, sql, [nonce], |_| Ok(()))?.is_some())
}

/// Marks a nonce as used.
pub(crate) fn use_up(
    conn: &Connection,
    by: &DeviceAnswerer,
    request: &RequestId,
    now_ms: i64,
) -> Result<(), Fault> {
    conn.prepare_cached("INSERT INTO answer_nonces (nonce, device, request, at_ms) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![by.nonce, by.device.as_str(), request.as_str(), now_ms])?;
    Ok(())
}
