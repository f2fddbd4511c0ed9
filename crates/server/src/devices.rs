//! The operations on access that only the desktop may do: links to its page, devices, and the desktop's side of
//! pairing.

use crate::mirror::{Door, MAX_ID_BYTES, Mirror};
use crate::notify;
use deputy_agent::HostError;
use deputy_messages::server as say;
use deputy_protocol::{
    Answers, CommandId, ConfirmPairingCommand, DeviceId, DevicesAnswer, DevicesQuery, DoneOutcome, ErrorBody,
    ErrorCode, LinkCommand, LinkOutcome, PairingAnswer, PairingQuery, Performs, ReachDeviceCommand,
    RenameDeviceCommand, RevokeDeviceCommand, StartPairingCommand,
};
use std::time::Duration;

/// How long the listener for devices may take to start when a pairing begins.
const DOOR_TIMEOUT: Duration = Duration::from_secs(5);

impl Mirror {
    /// Returns a one-time link that opens the desktop page.
    pub fn link(&self) -> Result<LinkOutcome, ErrorBody> {
        let Some(address) = self.page() else {
            return Err(ErrorBody::new(
                ErrorCode::NoPage,
                say::this_host_serves_no_page(),
                say::end_or_wait_until_ends(),
            ));
        };
        Ok(self.gate().link(&address.to_string(), self.now_ms())?)
    }
}

impl Performs<LinkCommand> for Mirror {
    async fn perform(&self, _: &CommandId, _: LinkCommand) -> Result<LinkOutcome, ErrorBody> {
        self.link()
    }
}

impl Answers<DevicesQuery> for Mirror {
    async fn answer(&self, _: DevicesQuery) -> Result<DevicesAnswer, ErrorBody> {
        Ok(DevicesAnswer { devices: self.gate().devices().map_err(HostError::from)? })
    }
}

impl Performs<RenameDeviceCommand> for Mirror {
    async fn perform(&self, _: &CommandId, rename: RenameDeviceCommand) -> Result<DoneOutcome, ErrorBody> {
        let name = rename.name.trim();
        if name.is_empty() || name.len() > MAX_ID_BYTES || name.chars().any(char::is_control) {
            let message = say::device_name_is_one_line(MAX_ID_BYTES);
            return Err(ErrorBody::new(ErrorCode::BadName, message, say::give_another_name()));
        }
        let renamed = self.host().store().rename_device(&rename.device, name).await;
        known(&rename.device, renamed.map_err(HostError::from)?)
    }
}

impl Performs<ReachDeviceCommand> for Mirror {
    async fn perform(&self, _: &CommandId, reach: ReachDeviceCommand) -> Result<DoneOutcome, ErrorBody> {
        if reach.endpoint.as_deref().is_some_and(|endpoint| !notify::takes_pushes(endpoint)) {
            let message = say::push_address_is_https(notify::MAX_ENDPOINT_BYTES);
            return Err(ErrorBody::new(ErrorCode::BadSetting, message, say::turn_push_off_and_on()));
        }
        let reached = self.host().store().reach_device(&reach.device, reach.endpoint.as_deref()).await;
        known(&reach.device, reached.map_err(HostError::from)?)
    }
}

impl Performs<RevokeDeviceCommand> for Mirror {
    async fn perform(&self, _: &CommandId, revoke: RevokeDeviceCommand) -> Result<DoneOutcome, ErrorBody> {
        let revoked = self.gate().revoke(&revoke.device, self.now_ms()).await;
        known(&revoke.device, revoked.map_err(HostError::from)?)
    }
}

fn known(device: &DeviceId, was_known: bool) -> Result<DoneOutcome, ErrorBody> {
    if was_known {
        return Ok(DoneOutcome {});
    }
    let message = say::there_is_no_device(device);
    Err(ErrorBody::new(ErrorCode::UnknownDevice, message, say::deputy_devices_list_lists_them()))
}

impl Answers<PairingQuery> for Mirror {
    async fn answer(&self, _: PairingQuery) -> Result<PairingAnswer, ErrorBody> {
        Ok(self.gate().pairing(self.now_ms())?)
    }
}

impl Performs<StartPairingCommand> for Mirror {
    async fn perform(&self, _: &CommandId, start: StartPairingCommand) -> Result<DoneOutcome, ErrorBody> {
        let mut door = self.door().subscribe();
        self.door().send_if_modified(|door| {
            let is_closed = matches!(door, Door::Shut | Door::Stuck(_));
            if is_closed {
                *door = Door::Wanted;
            }
            is_closed
        });
        let opened = door.wait_for(|door| matches!(door, Door::Open(_) | Door::Stuck(_)));
        let opened = tokio::time::timeout(DOOR_TIMEOUT, opened).await;
        let why = match opened.map(|door| door.map(|door| door.clone())) {
            Ok(Ok(Door::Open(address))) => {
                self.gate().start_pairing(&address, start.scopes, self.now_ms())?;
                return Ok(DoneOutcome {});
            }
            Ok(Ok(Door::Stuck(why))) => why,
            _ => say::this_host_was_not_started(),
        };
        Err(ErrorBody::new(
            ErrorCode::NoDoor,
            say::devices_cannot_connect(why),
            say::start_deputy_serve_deputy_config(),
        ))
    }
}

impl Performs<ConfirmPairingCommand> for Mirror {
    async fn perform(&self, _: &CommandId, confirm: ConfirmPairingCommand) -> Result<DoneOutcome, ErrorBody> {
        self.gate().confirm_pairing(&confirm.number, confirm.accept, self.now_ms())?;
        Ok(DoneOutcome {})
    }
}
