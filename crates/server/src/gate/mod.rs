//! Who may come in, and what they may do: one-time links, sessions, and what each caller is allowed.

mod key;
mod links;
mod refusal;
mod session;

pub(crate) use refusal::Refusal;

use crate::ServeError;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use deputy_protocol::{LinkAnswer, Proof};
use key::Key;
use links::Links;
use session::Sessions;
use std::path::Path;

/// A session of the desktop's own page lasts so long.
const PAGE_SESSION_MS: i64 = 12 * 60 * 60 * 1000;

/// Who speaks, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// Who it is.
    pub(crate) who: Who,
    /// When the session ends that it came with; `None` where it has none.
    pub(crate) until_ms: Option<i64>,
}

/// Who a caller is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The host's own user, at a terminal or at the desktop's page.
    Local(&'static str),
}

impl Caller {
    /// A client of the Unix socket, which only its owner can open.
    pub(crate) fn at_the_socket() -> Self {
        Self { who: Who::Local("terminal"), until_ms: None }
    }
}

/// A session that was opened.
pub(crate) struct Opened {
    /// Its secret.
    pub(crate) session: String,
    /// When it ends.
    pub(crate) expires_at_ms: i64,
}

/// The gate of a host.
pub(crate) struct Gate {
    links: Links,
    sessions: Sessions,
}

impl Gate {
    /// The gate of a home; its key is made where there is none.
    pub(crate) fn open(home: &Path) -> Result<Self, ServeError> {
        Ok(Self { links: Links::default(), sessions: Sessions::new(Key::load(home)?) })
    }

    /// What a connection has to be proved with: random, for this connection only.
    pub(crate) fn challenge(&self) -> Result<String, Refusal> {
        Ok(URL_SAFE_NO_PAD.encode(key::secret().map_err(|_| Refusal::NoRandomness)?))
    }

    /// A link to the page at `address`, good for one use.
    pub(crate) fn link(&self, address: &str, now_ms: i64) -> Result<LinkAnswer, Refusal> {
        let (token, expires_at_ms) = self.links.make(now_ms)?;
        Ok(LinkAnswer { url: format!("http://{address}/#token={token}"), expires_at_ms })
    }

    /// Takes a link's token for a session.
    pub(crate) fn open_session(&self, token: &str, now_ms: i64) -> Result<Opened, Refusal> {
        if !self.links.take(token, now_ms) {
            return Err(Refusal::Link);
        }
        let expires_at_ms = now_ms + PAGE_SESSION_MS;
        Ok(Opened { session: self.sessions.sign("page", expires_at_ms), expires_at_ms })
    }

    /// Who a session's secret belongs to.
    pub(crate) fn of_session(&self, session: &str, now_ms: i64) -> Result<Caller, Refusal> {
        let (subject, until_ms) = self.sessions.read(session).ok_or(Refusal::Session)?;
        if until_ms <= now_ms {
            return Err(Refusal::SessionOver);
        }
        match subject {
            "page" => Ok(Caller { who: Who::Local("desktop"), until_ms: Some(until_ms) }),
            _ => Err(Refusal::Session),
        }
    }

    /// Who a hello's proof shows.
    pub(crate) fn prove(&self, proof: Option<&Proof>, now_ms: i64) -> Result<Caller, Refusal> {
        match proof {
            None => Err(Refusal::NoProof),
            Some(Proof::Session(proof)) => self.of_session(&proof.session, now_ms),
        }
    }
}
