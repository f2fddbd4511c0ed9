//! Requests that wait to be judged: documents at all times, and everything while an origin is open for one form alone.

use super::World;
use crate::sending::{Request, Sent};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde_json::{Value, json};

/// Statuses that lead to another address.
const LEADING_ON: &[u64] = &[301, 302, 303, 307, 308];

/// Which requests wait. While it matters who requests something, all of them do, and documents once more when they are
/// answered.
pub(super) fn pauses(is_narrow: bool) -> Value {
    let patterns = match is_narrow {
        true => json!([{"urlPattern": "*"}, {"resourceType": "Document", "requestStage": "Response"}]),
        false => json!([{"resourceType": "Document"}]),
    };
    json!({"patterns": patterns, "handleAuthRequests": true})
}

impl World {
    /// Has all requests wait, and not documents alone, as long as that matters; gives the sessions that have to know, and what.
    fn narrowed(&self) -> Option<(Vec<String>, Value)> {
        let is_narrow = self.door.is_narrow();
        let mut inner = self.inner();
        if inner.is_narrow == is_narrow {
            return None;
        }
        inner.is_narrow = is_narrow;
        Some((inner.attached.keys().cloned().collect(), pauses(is_narrow)))
    }

    /// Has requests wait as it is now needed.
    pub(crate) fn narrows(&self) {
        if let Some((sessions, pauses)) = self.narrowed() {
            sessions.iter().for_each(|session| self.pipe.tell(session, "Fetch.enable", pauses.clone()));
        }
    }

    /// The same, once the browser does so.
    pub(crate) async fn is_narrowed(&self) {
        if let Some((sessions, pauses)) = self.narrowed() {
            for session in sessions {
                // A worker that is gone, or that makes no requests of its own.
                let _ = self.pipe.call(&session, "Fetch.enable", pauses.clone()).await;
            }
        }
    }

    /// A request waits: before it is made, or where it has been answered.
    pub(super) fn judge(&self, session: &str, params: &Value) {
        let frame = params["frameId"].as_str().unwrap_or_default();
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let tab = self.inner().tabs.iter().any(|tab| tab.frame == frame).then_some(frame);
        let status = params["responseStatusCode"].as_u64();
        if status.is_some() || params["responseErrorReason"].is_string() {
            let leads_on = status.is_some_and(|status| LEADING_ON.contains(&status));
            self.door.answers(params["requestId"].as_str().unwrap_or_default(), leads_on, tab, url);
            self.narrows();
            return self.continues(session, params);
        }
        let admitted = match params["resourceType"] == "Document" {
            true => self.admits_document(session, tab, url, params),
            // What never leaves the browser.
            false if !url.starts_with("http") => Ok(()),
            false => self.admits_part(session, url),
        };
        if admitted.is_ok() {
            self.change(tab.unwrap_or_default(), |tab| tab.is_loading = true);
            return self.continues(session, params);
        }
        // The page that is there stays.
        let reason = if tab.is_some() { "Aborted" } else { "BlockedByClient" };
        let refusal = json!({"requestId": params["requestId"], "errorReason": reason});
        self.pipe.tell(session, "Fetch.failRequest", refusal);
    }

    fn continues(&self, session: &str, params: &Value) {
        self.pipe.tell(session, "Fetch.continueRequest", json!({"requestId": params["requestId"]}));
    }

    /// A document is about to be requested, by a tab or a frame in it.
    fn admits_document(
        &self,
        session: &str,
        tab: Option<&str>,
        url: &str,
        params: &Value,
    ) -> Result<(), Phrase> {
        let sent = Request::of(params).map_or(Sent::Usual, |request| {
            let acted_on = self.door.acted_on();
            let still = self.inner().tabs.iter().any(|tab| acted_on == Some((tab.number, tab.document)));
            self.door.sent(&request, still, tab.is_some())
        });
        match (sent, tab) {
            (Sent::Agreed, _) => Ok(()),
            (Sent::Otherwise, _) => {
                let origin = url::Url::parse(url).map(|url| url.origin().ascii_serialization());
                let why = say::sends_otherwise(origin.unwrap_or_default());
                self.note(why.clone());
                Err(why)
            }
            (Sent::Usual, Some(tab)) => self.door.opens(tab, url),
            (Sent::Usual, None) => self.admits_part(session, url),
        }
    }

    /// A page, or a worker, is about to request something for itself.
    fn admits_part(&self, session: &str, url: &str) -> Result<(), Phrase> {
        let (tab, worker) = self.belongs(session);
        match (tab, worker) {
            (Some(tab), _) => self.door.part(Some(&tab), url),
            (None, Some(worker)) => self.door.part_of_worker(&worker, url),
            (None, None) => self.door.part(None, url),
        }
    }

    /// The tab that a session belongs to; else the address of the worker that it is.
    fn belongs(&self, session: &str) -> (Option<String>, Option<String>) {
        let inner = self.inner();
        let mut at = session;
        let mut worker = None;
        loop {
            if let Some(tab) = inner.tabs.iter().find(|tab| tab.session == at) {
                return (Some(tab.frame.clone()), None);
            }
            let Some(attached) = inner.attached.get(at) else { return (None, worker) };
            worker = Some(attached.url.clone());
            at = &attached.parent;
        }
    }
}
