//! Requests that wait to be judged: documents at all times, and everything while an origin is open for one form alone.

use super::World;
use crate::BrowserError;
use crate::pipe::Answer;
use crate::sending::{Request, Sent};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::oneshot;

/// The browser's pending answer to a command.
type Pending = Result<oneshot::Receiver<Answer>, BrowserError>;

/// Statuses of redirects.
const REDIRECTS: &[u64] = &[301, 302, 303, 307, 308];

/// Patterns of the requests that wait to be judged. While requests are judged by their page, all of them wait, and
/// documents wait again when they are answered.
pub(super) fn pauses(is_narrow: bool) -> Value {
    let patterns = match is_narrow {
        true => json!([{"urlPattern": "*"}, {"resourceType": "Document", "requestStage": "Response"}]),
        false => json!([{"resourceType": "Document"}]),
    };
    json!({"patterns": patterns, "handleAuthRequests": true})
}

impl World {
    /// The sessions in which the waiting of requests must change, and whether all requests wait from now on.
    fn narrowed(&self) -> Option<(Vec<String>, bool)> {
        let is_narrow = self.door.is_narrow();
        let mut inner = self.inner();
        if inner.is_narrow == is_narrow {
            return None;
        }
        inner.is_narrow = is_narrow;
        // The browser does not report the requests of shared workers, so they end.
        for shared in
            inner.attached.values().filter_map(|attached| attached.shared.as_ref()).filter(|_| is_narrow)
        {
            self.pipe.tell("", "Target.closeTarget", json!({"targetId": shared}));
        }
        Some((inner.attached.keys().cloned().collect(), is_narrow))
    }

    /// Makes all requests wait while they are judged by their page, and documents alone otherwise.
    pub(crate) fn narrows(self: &Arc<Self>) {
        if let Some((sessions, is_narrow)) = self.narrowed() {
            let (world, pending) = (Arc::clone(self), self.sets(&sessions, is_narrow));
            tokio::spawn(async move { world.are_set(pending).await });
        }
    }

    /// The same, once the browser does so.
    pub(crate) async fn is_narrowed(&self) {
        if let Some((sessions, is_narrow)) = self.narrowed() {
            self.are_set(self.sets(&sessions, is_narrow)).await;
        }
    }

    /// Tells the browser in these sessions which requests wait.
    fn sets(&self, sessions: &[String], is_narrow: bool) -> Vec<Pending> {
        self.door.is_held(false);
        sessions.iter().map(|session| self.pipe.send(session, "Fetch.enable", pauses(is_narrow))).collect()
    }

    /// Waits until the browser has confirmed what was set.
    async fn are_set(&self, pending: Vec<Pending>) {
        for answer in pending.into_iter().flatten() {
            // A session without requests of its own refuses this.
            let _ = answer.await;
        }
        self.door.is_held(self.inner().is_narrow);
    }

    /// A request waits: before it is made, or where it has been answered.
    pub(super) fn judge(self: &Arc<Self>, session: &str, params: &Value) {
        let frame = params["frameId"].as_str().unwrap_or_default();
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let tab = self.inner().tabs.iter().any(|tab| tab.frame == frame).then_some(frame);
        let status = params["responseStatusCode"].as_u64();
        // An answer that broke off has no status; its reason says why.
        if status.is_some() || params["responseErrorReason"].is_string() {
            let redirects = status.is_some_and(|status| REDIRECTS.contains(&status));
            self.door.answers(params["requestId"].as_str().unwrap_or_default(), redirects, tab, url);
            self.narrows();
            return self.continues(session, params);
        }
        let admitted = match params["resourceType"] == "Document" {
            true => self.admits_document(session, tab, url, params),
            // These never leave the browser.
            false if !url.starts_with("http") => Ok(()),
            false => self.admits_part(session, url),
        };
        if admitted.is_ok() {
            let is_posted = params["request"]["method"] == "POST";
            if params["resourceType"] == "Document" {
                self.change(tab.unwrap_or_default(), |tab| {
                    (tab.is_loading, tab.is_posted) = (true, is_posted)
                });
            }
            return self.continues(session, params);
        }
        // The current page stays.
        let reason = if tab.is_some() { "Aborted" } else { "BlockedByClient" };
        let refusal = json!({"requestId": params["requestId"], "errorReason": reason});
        self.pipe.tell(session, "Fetch.failRequest", refusal);
    }

    fn continues(&self, session: &str, params: &Value) {
        let mut on = json!({"requestId": params["requestId"]});
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let is_asked = params["responseStatusCode"].is_null() && params["responseErrorReason"].is_null();
        if let Some(mark) = self.door.mark_for(url).filter(|_| is_asked) {
            let headers = params["request"]["headers"].as_object().into_iter().flatten();
            let headers = headers.map(|(name, value)| json!({"name": name, "value": value}));
            let mark = json!({"name": deputy_web::MARK, "value": mark});
            on["headers"] = headers.chain([mark]).collect();
        }
        self.pipe.tell(session, "Fetch.continueRequest", on);
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
