//! Notices for connected clients, which show them themselves.

use super::Channel;
use crate::mirror::Mirror;
use async_trait::async_trait;
use deputy_protocol::{Notice, ServerMessage};

/// All clients that follow events.
pub(super) struct Clients(pub(super) Mirror);

#[async_trait]
impl Channel for Clients {
    fn name(&self) -> &'static str {
        "the connected screens"
    }

    async fn show(&self, notice: &Notice) -> Result<(), String> {
        self.0.hub().tell(&notice.task, &ServerMessage::Notice(notice.clone()));
        Ok(())
    }
}
