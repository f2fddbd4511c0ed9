//! The part of the store's public API for devices.

use super::Store;
use crate::devices::{self, PairedDevice};
use crate::error::StoreError;
use crate::writer::Batch;
use deputy_messages::store as say;
use deputy_protocol::DeviceId;

impl Store {
    /// Stores a paired device.
    ///
    /// # Errors
    /// If the journal cannot be written, or the id is taken.
    pub async fn insert_device(&self, paired: PairedDevice) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| devices::insert(batch.conn, &paired);
        self.parts.writer.write(say::remember_device, run).await
    }

    /// Returns all devices, including revoked ones, in the order of pairing.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn devices(&self) -> Result<Vec<PairedDevice>, StoreError> {
        self.parts.readers.read(say::list_devices, devices::all)
    }

    /// Returns a device, revoked or not.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn device(&self, id: &DeviceId) -> Result<Option<PairedDevice>, StoreError> {
        self.parts.readers.read(say::read_device, |conn| devices::find(conn, id))
    }

    /// Renames a device. Returns `false` if it does not exist.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn rename_device(&self, id: &DeviceId, name: &str) -> Result<bool, StoreError> {
        let (id, name) = (id.clone(), name.to_owned());
        let run = move |batch: &mut Batch<'_>| devices::rename(batch.conn, &id, &name);
        self.parts.writer.write(say::rename_device, run).await
    }

    /// Sets the address of a device's push server. Returns `false` if the device does not exist or is revoked.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn reach_device(&self, id: &DeviceId, endpoint: Option<&str>) -> Result<bool, StoreError> {
        let (id, endpoint) = (id.clone(), endpoint.map(str::to_owned));
        let run = move |batch: &mut Batch<'_>| devices::reach(batch.conn, &id, endpoint.as_deref());
        self.parts.writer.write(say::note_where_device_is_reached, run).await
    }

    /// Revokes a device. Returns `false` if it does not exist or was revoked before.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn revoke_device(&self, id: &DeviceId, now_ms: i64) -> Result<bool, StoreError> {
        let id = id.clone();
        let run = move |batch: &mut Batch<'_>| devices::revoke(batch.conn, &id, now_ms);
        self.parts.writer.write(say::revoke_device, run).await
    }

    /// Records that a device has authenticated itself.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn device_seen(&self, id: &DeviceId, now_ms: i64) -> Result<(), StoreError> {
        let id = id.clone();
        let run = move |batch: &mut Batch<'_>| devices::seen(batch.conn, &id, now_ms);
        self.parts.writer.write(say::note_that_device_was_seen, run).await
    }
}
