//! The gate for requests of a running call: allows those that the policy allows, and those that the person approved.

use crate::driver::judge::Judged;
use deputy_messages::Phrase;
use deputy_messages::web as say;
use deputy_policy::{Situation, url};
use deputy_protocol::{Access, Decision, Effect, Facts, Risk, UrlAccess};
use deputy_sandbox::Network;
use deputy_web::Gate;
use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpSocket;

/// The maximum number of hosts recorded for one task; later ones are not listed.
const MOST_HOSTS: usize = 500;

/// The hosts that a task connected to.
#[derive(Default)]
pub(super) struct Reached(Mutex<Hosts>);

#[derive(Default)]
struct Hosts {
    all: BTreeSet<String>,
    /// Hosts that were not reported yet.
    new: Vec<String>,
}

impl Reached {
    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, address: &str) {
        let Some(origin) = url::origin(address) else { return };
        let host = origin.split_once("://").map_or(origin.as_str(), |(_, host)| host).to_owned();
        let mut hosts = self.hosts();
        if hosts.all.len() < MOST_HOSTS && hosts.all.insert(host.clone()) {
            hosts.new.push(host);
        }
    }

    /// Returns the hosts added since the last call.
    pub(super) fn take_new(&self) -> Vec<String> {
        std::mem::take(&mut self.hosts().new)
    }
}

/// The gate of one call.
#[derive(Clone)]
pub(super) struct CallGate {
    situation: Situation,
    /// Origins that a person approved with this call, or with an earlier one whose page is still open.
    agreed: Vec<String>,
    /// Whether a person enters the addresses. What a rule denies stays denied.
    by_hand: bool,
    reached: Arc<Reached>,
    /// The network in which the task's servers listen.
    own: Option<Network>,
}

/// The gate to the servers that a task started. It leads into the task's network and nowhere else.
struct OwnServers(Network);

impl Gate for OwnServers {
    fn admits(&self, text: &str) -> Result<(), Phrase> {
        let port = url::loopback_port(text).ok_or_else(say::own_servers_only)?;
        match self.0.listening() {
            Ok(ports) if ports.contains(&port) => Ok(()),
            Ok(_) => Err(say::no_own_server(port)),
            Err(error) => Err(say::own_network_failed(error)),
        }
    }

    fn admits_part(&self, _: &str, text: &str) -> Result<(), Phrase> {
        self.admits(text)
    }

    fn connects(&self, _: &str, to: IpAddr) -> Result<(), Phrase> {
        if to.is_loopback() { Ok(()) } else { Err(say::own_servers_only()) }
    }

    fn dials(&self, to: SocketAddr) -> Option<io::Result<TcpSocket>> {
        let socket = self.0.socket(to.is_ipv6());
        Some(socket.and_then(|socket| {
            socket.set_nonblocking(true)?;
            Ok(TcpSocket::from_std_stream(socket))
        }))
    }

    fn by_hand(&self) -> Arc<dyn Gate> {
        Arc::new(Self(self.0.clone()))
    }
}

/// Returns the origins that a person approved with a call.
pub(super) fn agreed(judged: &Judged) -> Vec<String> {
    let origins = judged.facts.accesses.iter().filter_map(|access| match access {
        Access::Url(access) => url::origin(&access.url),
        _ => None,
    });
    if judged.ruling.by_person { origins.collect() } else { Vec::new() }
}

impl CallGate {
    /// Creates the gate of a call. `own` is the network in which the task's servers listen.
    pub(super) fn new(
        situation: &Situation,
        agreed: Vec<String>,
        reached: Arc<Reached>,
        own: Option<Network>,
    ) -> Self {
        // What leads to the web never leads to the task's servers.
        let situation = Situation { own_ports: BTreeSet::new(), ..situation.clone() };
        Self { situation, agreed, by_hand: false, reached, own }
    }

    /// Checks an address against the policy. If the policy asks, `is_agreed` returns whether a person has already
    /// approved it.
    fn judge(&self, text: &str, subresource: bool, is_agreed: impl FnOnce() -> bool) -> Result<(), Phrase> {
        let facts = Facts {
            effect: Effect::ReadOnly,
            accesses: vec![Access::Url(UrlAccess { url: text.to_owned(), subresource })],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let verdict = deputy_policy::decide(&self.situation, &facts).verdict;
        match verdict.decision {
            Decision::Allow => Ok(()),
            Decision::Ask if self.by_hand || is_agreed() => Ok(()),
            Decision::Ask => Err(say::nobody_allowed()),
            Decision::Deny => Err(verdict.reasons.first().cloned().unwrap_or_default()),
        }
    }

    fn has_agreed(&self, text: &str) -> bool {
        url::origin(text).is_some_and(|origin| self.is_agreed(&origin))
    }

    /// Returns whether the person's approval covers an address: the same origin, or the same host with TLS if it was
    /// shown without.
    fn is_agreed(&self, origin: &str) -> bool {
        let plain = origin.strip_prefix("https://").map(|host| format!("http://{host}"));
        self.agreed
            .iter()
            .any(|agreed| agreed == origin || plain.as_ref() == Some(agreed) && !has_port(origin))
    }
}

fn has_port(origin: &str) -> bool {
    origin.rsplit(']').next().unwrap_or_default().matches(':').count() > usize::from(!origin.contains(']'))
}

impl Gate for CallGate {
    fn admits(&self, text: &str) -> Result<(), Phrase> {
        self.judge(text, false, || self.has_agreed(text))
    }

    fn admits_part(&self, page: &str, text: &str) -> Result<(), Phrase> {
        self.judge(text, true, || self.has_agreed(text) || url::is_same_site(page, text))
    }

    fn connects(&self, text: &str, to: IpAddr) -> Result<(), Phrase> {
        // The person was shown the origin, so the origin determines which addresses it may resolve to.
        let entry = url::entry_for(&self.situation, text).map(str::to_owned).or_else(|| url::origin(text));
        url::judge_address(&entry.unwrap_or_default(), to)?;
        self.reached.add(text);
        Ok(())
    }

    fn own_servers(&self) -> Option<Arc<dyn Gate>> {
        self.own.clone().map(|network| Arc::new(OwnServers(network)) as Arc<dyn Gate>)
    }

    fn by_hand(&self) -> Arc<dyn Gate> {
        Arc::new(Self { by_hand: true, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agreement_covers_its_origin_and_the_same_host_over_tls_on_the_usual_port() {
        let gate = CallGate {
            situation: Situation::new("/home/u", "/home/u/w", "/home/u/.deputy"),
            agreed: vec!["http://example.org".into(), "http://[::1]".into(), "http://a.test:8000".into()],
            by_hand: false,
            reached: Arc::default(),
            own: None,
        };
        for origin in ["http://example.org", "https://example.org", "https://[::1]", "http://a.test:8000"] {
            assert!(gate.is_agreed(origin), "{origin}");
        }
        for origin in [
            "https://example.org:8443",
            "https://a.test:8000",
            "http://www.example.org",
            "https://a.test",
            "https://[::1]:1",
        ] {
            assert!(!gate.is_agreed(origin), "{origin}");
        }
    }

    #[test]
    fn by_hand_what_would_be_asked_passes_and_each_host_is_told_once() {
        let gate = CallGate::new(
            &Situation::new("/home/u", "/home/u/w", "/home/u/.deputy"),
            Vec::new(),
            Arc::default(),
            None,
        );
        let public = "93.184.215.14".parse().unwrap();
        gate.admits("https://example.org/").unwrap_err();
        let by_hand = gate.by_hand();
        by_hand.admits("https://example.org/").unwrap();
        by_hand.admits("file:///etc/passwd").unwrap_err();
        by_hand.connects("https://example.org/a", public).unwrap();
        gate.connects("https://example.org/b", public).unwrap();
        gate.connects("https://example.org:8443/", public).unwrap();
        gate.connects("https://other.example/", "127.0.0.1".parse().unwrap()).unwrap_err();
        assert_eq!(gate.reached.take_new(), ["example.org", "example.org:8443"]);
        assert!(gate.reached.take_new().is_empty());
    }
}
