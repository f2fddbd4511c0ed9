//! What every connection shares: the host, the hub and the gate; and what a caller may ask of them.

use crate::ServeError;
use crate::gate::{Caller, Gate, Who};
use crate::hub::Hub;
use deputy_agent::Host;
use deputy_protocol::{
    Answerer, Command, CommandEnvelope, CommandOutcome, ErrorBody, LinkAnswer, LocalAnswerer, Query,
    QueryAnswer,
};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The live state of a host, as every screen sees it. Cheap to clone.
#[derive(Clone)]
pub struct Mirror {
    parts: Arc<Parts>,
}

struct Parts {
    host: Host,
    hub: Arc<Hub>,
    gate: Gate,
    /// Where the desktop's page is served, once it is.
    page: OnceLock<SocketAddr>,
}

impl Mirror {
    /// Begins to mirror a host. `home` keeps the secrets of the gate.
    pub fn of(host: Host, home: &Path) -> Result<Self, ServeError> {
        let gate = Gate::open(home)?;
        let hub = Hub::start(&host);
        Ok(Self { parts: Arc::new(Parts { host, hub, gate, page: OnceLock::new() }) })
    }

    pub(crate) fn host(&self) -> &Host {
        &self.parts.host
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.parts.hub
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.parts.gate
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.parts.host.now_ms()
    }

    /// Says where the desktop's page is.
    pub fn page_is_at(&self, address: SocketAddr) {
        // One host serves one page.
        let _ = self.parts.page.set(address);
    }

    /// Returns when a session ends; never where there is no end.
    pub(crate) async fn after(&self, until_ms: Option<i64>) {
        let Some(until_ms) = until_ms else { return std::future::pending().await };
        loop {
            let left = until_ms - self.now_ms();
            if left <= 0 {
                return;
            }
            // Looked at again now and then: clocks jump.
            tokio::time::sleep(Duration::from_millis(left.min(60_000).unsigned_abs())).await;
        }
    }

    /// Does a command for a caller.
    pub(crate) async fn command(
        &self,
        caller: &Caller,
        mut envelope: CommandEnvelope,
    ) -> Result<CommandOutcome, ErrorBody> {
        if let Command::AnswerPermission(answer) = &mut envelope.command {
            // Who answers is what the connection shows, never what the message claims.
            answer.answer.by = match &caller.who {
                Who::Local("terminal") => match &answer.answer.by {
                    // Several programs speak through the terminal's socket; which of them is theirs to say.
                    Answerer::Local(local) => Answerer::Local(local.clone()),
                    _ => local("terminal"),
                },
                Who::Local(screen) => local(screen),
            };
        }
        self.parts.host.command(envelope).await
    }

    /// Answers a caller's query.
    pub(crate) async fn query(&self, _caller: &Caller, query: Query) -> Result<QueryAnswer, ErrorBody> {
        match query {
            Query::Link(_) => Ok(QueryAnswer::Link(self.link()?)),
            Query::Console(query) => Ok(QueryAnswer::Console(self.parts.hub.console(&query.task))),
            query => self.parts.host.query(query).await,
        }
    }

    /// A link that opens the desktop's page, once.
    pub fn link(&self) -> Result<LinkAnswer, ErrorBody> {
        let Some(address) = self.parts.page.get() else {
            return Err(ErrorBody::new(
                "no_page",
                "This host serves no page: it was not started by `deputy serve`.",
                "End it, or wait until it ends, and start `deputy serve`.",
            ));
        };
        self.parts.gate.link(&address.to_string(), self.now_ms()).map_err(|refusal| refusal.body())
    }
}

fn local(screen: &str) -> Answerer {
    Answerer::Local(LocalAnswerer { screen: screen.to_owned() })
}
