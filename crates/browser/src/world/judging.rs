//! Judges paused requests: documents always, and all requests while an origin is open only for a form.

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

/// The HTTP status codes of redirects.
const REDIRECTS: &[u64] = &[301, 302, 303, 307, 308];

/// Returns the patterns of the requests to pause. While requests are judged by their page, all of them pause, and
/// documents pause again when they are answered.
pub(super) fn pauses(is_narrow: bool) -> Value {
    let patterns = match is_narrow {
        true => json!([{"urlPattern": "*"}, {"resourceType": "Document", "requestStage": "Response"}]),
        false => json!([{"resourceType": "Document"}]),
    };
    json!({"patterns": patterns, "handleAuthRequests": true})
}

impl World {
    /// Returns the sessions in which the patterns must change, and whether all requests pause from now on. `None` if
    /// nothing changes.
    fn narrowed(&self) -> Option<(Vec<String>, bool)> {
        let is_narrow = self.door.is_narrow();
        let mut inner = self.inner();
        if inner.is_narrow == is_narrow {
            return None;
        }
        inner.is_narrow = is_narrow;
        // The browser does not report the requests of shared workers, so close them.
        for shared in
            inner.attached.values().filter_map(|attached| attached.shared.as_ref()).filter(|_| is_narrow)
        {
            self.pipe.tell("", "Target.closeTarget", json!({"targetId": shared}));
        }
        Some((inner.attached.keys().cloned().collect(), is_narrow))
    }

    /// Pauses all requests while they are judged by their page, and only documents otherwise.
    pub(crate) fn narrows(self: &Arc<Self>) {
        if let Some((sessions, is_narrow)) = self.narrowed() {
            let (world, pending) = (Arc::clone(self), self.sets(&sessions, is_narrow));
            tokio::spawn(async move { world.are_set(pending).await });
        }
    }

    /// Like [`Self::narrows`], but waits until the browser has applied the change.
    pub(crate) async fn is_narrowed(&self) {
        if let Some((sessions, is_narrow)) = self.narrowed() {
            self.are_set(self.sets(&sessions, is_narrow)).await;
        }
    }

    /// Sends the patterns of the requests to pause to the browser in these sessions.
    fn sets(&self, sessions: &[String], is_narrow: bool) -> Vec<Pending> {
        self.door.is_held(false);
        sessions.iter().map(|session| self.pipe.send(session, "Fetch.enable", pauses(is_narrow))).collect()
    }

    /// Waits until the browser has confirmed the patterns.
    async fn are_set(&self, pending: Vec<Pending>) {
        for answer in pending.into_iter().flatten() {
            // A session without its own requests rejects the command.
            let _ = answer.await;
        }
        self.door.is_held(self.inner().is_narrow);
    }

    /// Judges a paused request, before it is sent or when it has been answered.
    pub(super) fn judge(self: &Arc<Self>, session: &str, params: &Value) {
        let frame = params["frameId"].as_str().unwrap_or_default();
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let tab = self.inner().tabs.iter().any(|tab| tab.frame == frame).then_some(frame);
        let status = params["responseStatusCode"].as_u64();
        // An aborted answer has an error reason instead of a status.
        if status.is_some() || params["responseErrorReason"].is_string() {
            let redirects = status.is_some_and(|status| REDIRECTS.contains(&status));
            self.door.answers(params["requestId"].as_str().unwrap_or_default(), redirects, tab, url);
            self.narrows();
            return self.continues(session, params);
        }
        let is_document = params["resourceType"] == "Document";
        let admitted = match is_document {
            true => self.admits_document(session, tab, url, params),
            // These requests never leave the browser.
            false if !url.starts_with("http") => Ok(()),
            false => self.admits_part(session, url),
        };
        if is_document {
            self.inner().navigations.judged(frame);
        }
        if admitted.is_ok() {
            let is_posted = params["request"]["method"] == "POST";
            if is_document {
                self.change(tab.unwrap_or_default(), |tab| {
                    (tab.is_loading, tab.is_posted) = (true, is_posted)
                });
            }
            return self.continues(session, params);
        }
        // The current page stays open.
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

    /// Judges a document request of a tab or a frame in it.
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
            self.door.sent(&request, &self.senders(session, &request), still, tab.is_some())
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

    /// Returns the origins of the open pages that a call acted on and that may have sent a document request: the page
    /// of the tab in which it is made, including its frames, or else those in other tabs, because a form may name
    /// another tab as its target.
    fn senders(&self, session: &str, request: &Request) -> Vec<String> {
        let inner = self.inner();
        if let Some(page) = inner.tab_of(session).and_then(|tab| tab.acted_on.clone()) {
            return vec![page];
        }
        let pages = inner.tabs.iter().filter_map(|tab| tab.acted_on.clone());
        pages.filter(|page| request.may_be_from(page)).collect()
    }

    /// Judges a subresource request of a page or worker.
    fn admits_part(&self, session: &str, url: &str) -> Result<(), Phrase> {
        let (tab, worker) = self.belongs(session);
        match (tab, worker) {
            (Some(tab), _) => self.door.part(Some(&tab), url),
            (None, Some(worker)) => self.door.part_of_worker(&worker, url),
            (None, None) => self.door.part(None, url),
        }
    }

    /// Returns the tab that a session belongs to, or else the address of the worker.
    fn belongs(&self, session: &str) -> (Option<String>, Option<String>) {
        let inner = self.inner();
        if let Some(tab) = inner.tab_of(session) {
            return (Some(tab.frame.clone()), None);
        }
        let mut at = session;
        let mut worker = None;
        while let Some(attached) = inner.attached.get(at) {
            worker = Some(attached.url.clone());
            at = &attached.parent;
        }
        (None, worker)
    }
}
