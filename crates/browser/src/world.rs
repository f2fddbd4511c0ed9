//! The browser's open tabs, frames, dialogs and downloads, and the pages that are about to open. The browser's events
//! keep this state current.

use crate::BrowserError;
use crate::door::Door;
use crate::navigations::Navigations;
use crate::pipe::{Event, Pipe};
use crate::tab::{EMPTY, Tab};
use crate::words::cut;
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, timeout};

/// The maximum number of tabs. Further tabs that a page opens are closed.
const MOST_TABS: usize = 8;
/// Tabs over the limit that pages may open between two navigations before all tabs are closed.
const MOST_SURPLUS: u32 = 32;
/// The maximum number of frames with separate processes in all tabs.
const MOST_FRAMES: usize = 64;
/// The maximum number of notes in an answer.
const MOST_NOTES: usize = 12;

/// The state of the browser.
pub(crate) struct World {
    pub(crate) pipe: Pipe,
    pub(crate) door: Arc<Door>,
    /// Whether a person watches it and answers the dialogs of its pages.
    is_seen: bool,
    /// The number of processes that were killed because of the memory limit.
    overgrown: Arc<AtomicU64>,
    inner: Mutex<Inner>,
    /// The number of events that were processed.
    processed: AtomicU64,
    /// Notified when something has changed.
    pub(crate) changed: Notify,
}

#[derive(Default)]
struct Inner {
    tabs: Vec<Tab>,
    /// The number of the tab that calls act on.
    current: u32,
    last: u32,
    /// The sessions of frames with separate processes, by frame.
    frames: HashMap<String, String>,
    /// The sources of events, by session.
    attached: HashMap<String, Attached>,
    /// The navigations that pages have announced.
    navigations: Navigations,
    /// Whether every request is judged by the page that makes it, instead of only documents.
    is_narrow: bool,
    notes: Vec<Phrase>,
    /// The address of the tab that was closed last.
    closed_at: Option<String>,
    /// The download that a call waits for. The outer `None` means that no call waits, the inner one that no download
    /// has begun.
    download: Option<Option<Download>>,
    is_gone: bool,
    /// The number of tabs over the limit since the last navigation.
    surplus: u32,
    /// Whether pages kept opening tabs. No more may open until the next navigation.
    is_flooded: bool,
    /// Whether the next tab is one that Deputy opens.
    expects_tab: bool,
    /// The number of kills for memory when a page last crashed.
    overgrown: u64,
    /// Whether the last crash was such a kill.
    is_overgrown: bool,
}

/// A page, frame or worker that sends events.
struct Attached {
    /// The session of the page that it belongs to. Empty if it belongs to none.
    parent: String,
    url: String,
    /// The target id of a shared worker. The browser does not ask about the requests of shared workers.
    shared: Option<String>,
}

/// A download that a call requested.
#[derive(Clone, Debug)]
pub(crate) struct Download {
    pub(crate) guid: String,
    /// The name suggested by the site.
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) received: u64,
    pub(crate) progress: Progress,
}

/// The progress of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Running,
    Done,
    Failed,
}

impl Inner {
    fn add_tab(&mut self, session: &str, target: &str, info: &Value) {
        self.last += 1;
        let number = self.last;
        self.tabs.push(Tab::new(number, session, target, info));
        self.current = number;
        if number > 1 && self.notes.len() < MOST_NOTES {
            self.notes.push(say::tab_opened(number));
        }
    }

    /// Returns the tab that a session belongs to: that of the page itself, or of a frame or worker of the page.
    fn tab_of(&self, session: &str) -> Option<&Tab> {
        let mut at = session;
        loop {
            let tab = self.tabs.iter().find(|tab| tab.session == at);
            if tab.is_some() {
                return tab;
            }
            at = &self.attached.get(at)?.parent;
        }
    }

    /// Returns the tab whose page, or a frame in it, opened a new tab.
    fn opener(&self, info: &Value) -> Option<&Tab> {
        let opener = info["openerId"].as_str()?;
        let tab = self.tabs.iter().find(|tab| tab.frame == opener);
        tab.or_else(|| self.tab_of(self.frames.get(opener)?))
    }
}

impl World {
    pub(crate) fn new(pipe: Pipe, door: Arc<Door>, is_seen: bool, overgrown: Arc<AtomicU64>) -> Self {
        Self {
            pipe,
            door,
            is_seen,
            overgrown,
            inner: Mutex::default(),
            processed: AtomicU64::new(0),
            changed: Notify::new(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tab that calls act on.
    pub(crate) fn tab(&self) -> Result<Tab, BrowserError> {
        let inner = self.inner();
        if inner.is_gone {
            return Err(BrowserError::Gone);
        }
        let current = inner.tabs.iter().find(|tab| tab.number == inner.current).or(inner.tabs.last());
        let none = if inner.is_flooded { BrowserError::Flooded } else { BrowserError::NoPage };
        current.cloned().ok_or(none)
    }

    /// Records the beginning of a navigation: resets the count of surplus tabs.
    pub(crate) fn starts_over(&self) {
        self.inner().surplus = 0;
        self.door.starts_over();
    }

    /// Records that Deputy itself opens the next tab.
    pub(crate) fn expect_tab(&self) {
        self.inner().expects_tab = true;
    }

    /// Returns why the current page crashed.
    pub(crate) fn why_crashed(&self) -> BrowserError {
        match self.inner().is_overgrown {
            true => BrowserError::Overgrown(crate::start::most_memory()),
            false => BrowserError::Crashed,
        }
    }

    /// Records that the process of a page has died.
    fn crashed(&self, session: &str) {
        let mut inner = self.inner();
        let ended = self.overgrown.load(Ordering::SeqCst);
        inner.is_overgrown = ended > std::mem::replace(&mut inner.overgrown, ended);
        if let Some(tab) = inner.tabs.iter_mut().find(|tab| tab.session == session) {
            tab.is_crashed = true;
        }
        inner.navigations.ended(session);
    }

    /// Handles a tab over the limit: closes it, or all tabs if pages keep opening them.
    fn close_surplus(&self, mut inner: MutexGuard<'_, Inner>, target: &str) {
        let close = |target: &str| self.pipe.tell("", "Target.closeTarget", json!({"targetId": target}));
        close(target);
        inner.surplus += 1;
        if inner.surplus > MOST_SURPLUS && !std::mem::replace(&mut inner.is_flooded, true) {
            let last = inner.navigations.last();
            inner.navigations.forget(last);
            for tab in inner.tabs.drain(..) {
                close(&tab.frame);
                self.door.closed(&tab.frame);
            }
        }
        if inner.surplus == 1 && inner.notes.len() < MOST_NOTES {
            inner.notes.push(say::too_many_tabs(MOST_TABS));
        }
    }

    /// Returns the address of the current tab, or of the last closed tab if none is left.
    pub(crate) fn last_url(&self) -> Option<String> {
        let inner = self.inner();
        let current = inner.tabs.iter().find(|tab| tab.number == inner.current).or(inner.tabs.last());
        let url = current.map(|tab| tab.url.clone()).or_else(|| inner.closed_at.clone());
        url.filter(|url| url != EMPTY)
    }

    pub(crate) fn tabs(&self) -> Vec<Tab> {
        self.inner().tabs.clone()
    }

    /// Records that a call acts on the page of a tab. From now on until it is replaced, the page may not send a form to
    /// another origin, unless a person approved it.
    pub(crate) fn acts_on(&self, number: u32) {
        let mut inner = self.inner();
        if let Some(tab) = inner.tabs.iter_mut().find(|tab| tab.number == number) {
            tab.is_acted_on();
        }
    }

    /// Makes another tab the current one.
    pub(crate) fn switch(&self, number: u32) -> Result<Tab, BrowserError> {
        let mut inner = self.inner();
        let tab = inner.tabs.iter().find(|tab| tab.number == number).cloned();
        let tab = tab.ok_or_else(|| BrowserError::Unfit(say::no_tab(number)))?;
        inner.current = number;
        Ok(tab)
    }

    /// Sets the title of a tab.
    pub(crate) fn titled(&self, number: u32, title: &str) {
        let mut inner = self.inner();
        if let Some(tab) = inner.tabs.iter_mut().find(|tab| tab.number == number) {
            title.clone_into(&mut tab.title);
        }
    }

    /// Returns whether there are notes to report.
    pub(crate) fn has_notes(&self) -> bool {
        !self.inner().notes.is_empty()
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.inner().is_gone
    }

    /// Records that a page does not answer. The next page opens in another tab.
    pub(crate) fn hangs(&self, session: &str) {
        self.change_by_session(session, |tab| tab.is_stuck = true);
    }

    /// Returns the sessions of the frames that have separate processes, for the tab with the given session.
    pub(crate) fn frame_sessions(&self, tab: &str) -> Vec<String> {
        let inner = self.inner();
        let is_in = |session: &&String| inner.tab_of(session).is_some_and(|of| of.session == tab);
        inner.frames.values().filter(is_in).cloned().collect()
    }

    /// Returns the session of a frame with a separate process.
    pub(crate) fn frame_session(&self, frame: &str) -> Option<String> {
        self.inner().frames.get(frame).cloned()
    }

    pub(crate) fn note(&self, note: impl Into<Phrase>) {
        let mut inner = self.inner();
        if inner.notes.len() < MOST_NOTES {
            inner.notes.push(note.into());
        }
    }

    pub(crate) fn take_notes(&self) -> Vec<Phrase> {
        std::mem::take(&mut self.inner().notes)
    }

    /// Waits until `is_so` returns a value. It is called after each event.
    pub(crate) async fn until<T>(&self, mut is_so: impl FnMut(&Self) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(what) = is_so(self) {
                return what;
            }
            changed.await;
        }
    }

    /// Processes the events until the browser is gone.
    pub(crate) async fn follow(self: Arc<Self>, mut events: mpsc::UnboundedReceiver<Event>) {
        while let Some(event) = events.recv().await {
            self.take(&event);
            self.processed.fetch_add(1, Ordering::SeqCst);
            self.changed.notify_waiters();
        }
        self.end();
    }

    /// Records that the browser is gone.
    pub(crate) fn end(&self) {
        self.inner().is_gone = true;
        self.changed.notify_waiters();
    }

    /// Waits until the requests of all navigations are judged that the pages of these sessions have begun so far, at most
    /// for `limit`.
    pub(crate) async fn navigations_judged(&self, sessions: &[&str], limit: Duration) {
        let begun = Instant::now();
        let Ok(last) = timeout(limit, self.announced(sessions)).await else { return };
        let judged = self.until(|world| {
            let is_open = !world.is_gone() && world.inner().navigations.is_open(last);
            (!is_open).then_some(())
        });
        if timeout(limit.saturating_sub(begun.elapsed()), judged).await.is_err() {
            self.inner().navigations.forget(last);
        }
    }

    /// Returns the number of the last navigation that the pages of these sessions have begun.
    async fn announced(&self, sessions: &[&str]) -> u64 {
        // A page announces its navigations in the order of its other messages, so the answer follows them.
        let asked = sessions
            .iter()
            .map(|session| self.pipe.send(session, "Runtime.evaluate", json!({"expression": "0"})));
        for answer in asked.collect::<Vec<_>>().into_iter().flatten() {
            // A page that was replaced or has crashed does not answer.
            let _ = answer.await;
        }
        let received = self.pipe.received();
        let processed = |world: &Self| world.processed.load(Ordering::SeqCst) >= received || world.is_gone();
        self.until(|world| processed(world).then_some(())).await;
        self.inner().navigations.last()
    }

    fn take(self: &Arc<Self>, event: &Event) {
        let (session, params) = (event.session.as_str(), &event.params);
        self.inner().navigations.take(event);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(session, params),
            "Target.detachedFromTarget" => self.detached(&text(&params["sessionId"])),
            "Inspector.targetCrashed" => self.crashed(session),
            // This is also sent if a page aborts its own load. No further events follow in that case.
            "Page.frameStoppedLoading" => {
                self.change(&text(&params["frameId"]), |tab| {
                    if tab.stops_loading() {
                        self.door.shows(&tab.frame, &tab.url);
                    }
                });
                self.narrows();
            }
            "Page.lifecycleEvent" => self.change(&text(&params["frameId"]), |tab| {
                // Ignore late events of the previous document.
                if !tab.is_of(&params["loaderId"]) {
                    return;
                }
                match params["name"].as_str() {
                    Some("DOMContentLoaded") => tab.is_parsed = true,
                    Some("load") => tab.is_loading = false,
                    Some("networkIdle") => tab.is_idle = true,
                    _ => {}
                }
            }),
            "Page.frameNavigated" => {
                let frame = &params["frame"];
                let (id, url) = (text(&frame["id"]), text(&frame["url"]));
                self.change(&id, |tab| {
                    if tab.shows(&url, text(&frame["loaderId"])) {
                        self.door.shows(&id, &url);
                    }
                });
                self.narrows();
            }
            "Page.navigatedWithinDocument" => {
                self.change(&text(&params["frameId"]), |tab| tab.url = text(&params["url"]));
            }
            "Page.javascriptDialogOpening" => self.dialog(session, params),
            "Browser.downloadWillBegin" => self.downloads(params),
            "Browser.downloadProgress" => self.downloaded(params),
            "Fetch.requestPaused" => self.judge(session, params),
            "Fetch.authRequired" => {
                let response = if self.is_seen { "Default" } else { "CancelAuth" };
                let answer = json!({"requestId": params["requestId"], "authChallengeResponse": {"response": response}});
                self.pipe.tell(session, "Fetch.continueWithAuth", answer);
                self.note(say::wants_password());
            }
            _ => {}
        }
    }

    /// Sets whether a call waits for a download.
    pub(crate) fn expect_download(&self, is_expected: bool) {
        self.inner().download = is_expected.then_some(None);
    }

    /// Returns the download that a call waits for, once it has begun.
    pub(crate) fn download(&self) -> Option<Download> {
        self.inner().download.clone().flatten()
    }

    fn downloads(&self, params: &Value) {
        let text = |name: &str| params[name].as_str().unwrap_or_default().to_owned();
        let (guid, name, url) = (text("guid"), text("suggestedFilename"), text("url"));
        // Its page stays, and the browser does not report that nothing loads any more.
        self.change(&text("frameId"), |tab| tab.is_loading = false);
        let mut inner = self.inner();
        match &mut inner.download {
            Some(expected @ None) => {
                *expected = Some(Download { guid, name, url, received: 0, progress: Progress::Running });
            }
            // A call requests a single file.
            Some(Some(_)) => self.pipe.tell("", "Browser.cancelDownload", json!({"guid": guid})),
            None => {
                drop(inner);
                let name = cut(&name, 100);
                self.note(say::download_not_started(name));
            }
        }
    }

    fn downloaded(&self, params: &Value) {
        let mut inner = self.inner();
        let Some(Some(download)) = &mut inner.download else { return };
        if params["guid"].as_str() != Some(&download.guid) {
            return;
        }
        download.received = params["receivedBytes"].as_f64().unwrap_or_default() as u64;
        download.progress = match params["state"].as_str() {
            Some("completed") => Progress::Done,
            Some("canceled") => Progress::Failed,
            _ => Progress::Running,
        };
    }

    fn change(&self, frame: &str, change: impl FnOnce(&mut Tab)) {
        let mut inner = self.inner();
        if let Some(tab) = inner.tabs.iter_mut().find(|tab| tab.frame == frame) {
            change(tab);
        }
    }

    fn change_by_session(&self, session: &str, change: impl FnOnce(&mut Tab)) {
        let mut inner = self.inner();
        if let Some(tab) = inner.tabs.iter_mut().find(|tab| tab.session == session) {
            change(tab);
        }
    }

    /// Handles a new page, frame or worker, which waits until it is set up.
    fn attached(self: &Arc<Self>, parent: &str, params: &Value) {
        let info = &params["targetInfo"];
        let (session, target) = (&params["sessionId"], &info["targetId"]);
        let (Some(session), Some(target)) = (session.as_str(), target.as_str()) else { return };
        let kind = info["type"].as_str().unwrap_or_default();
        let mut inner = self.inner();
        let url = info["url"].as_str().unwrap_or_default().to_owned();
        let shared = (kind == "shared_worker").then(|| target.to_owned());
        if shared.is_some() && inner.is_narrow {
            return self.pipe.tell("", "Target.closeTarget", json!({"targetId": target}));
        }
        inner.attached.insert(session.to_owned(), Attached { parent: parent.to_owned(), url, shared });
        match kind {
            "page" if info["openerId"].is_null() && std::mem::take(&mut inner.expects_tab) => {
                (inner.is_flooded, inner.surplus) = (false, 0);
                inner.add_tab(session, target, info);
            }
            "page" if !self.is_seen && (inner.is_flooded || inner.tabs.len() >= MOST_TABS) => {
                return self.close_surplus(inner, target);
            }
            "page" => {
                let opener = inner.opener(info).and_then(|opener| opener.acted_on.clone());
                if info["openerId"].is_string() {
                    inner.navigations.opened(session, target);
                }
                inner.add_tab(session, target, info);
                if let Some(tab) = inner.tabs.last_mut() {
                    tab.acted_on = opener;
                }
            }
            "iframe" if inner.frames.len() < MOST_FRAMES => {
                inner.frames.insert(target.to_owned(), session.to_owned());
            }
            // A frame over the limit is never set up and stays empty.
            "iframe" => return,
            _ => {}
        }
        let is_narrow = inner.is_narrow;
        drop(inner);
        let is_page = matches!(kind, "page" | "iframe");
        if is_narrow && !is_page {
            self.pipe.tell(session, "Fetch.enable", judging::pauses(true));
        }
        if is_page {
            self.pipe.tell(session, "Page.enable", json!({}));
            self.pipe.tell(session, "Page.setLifecycleEventsEnabled", json!({"enabled": true}));
            self.pipe.tell(session, "Fetch.enable", judging::pauses(is_narrow));
            self.pipe.tell(session, "Accessibility.enable", json!({}));
            self.pipe.tell(session, "Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
        }
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        self.pipe.tell(session, "Target.setAutoAttach", attach);
        self.pipe.tell(session, "Runtime.runIfWaitingForDebugger", json!({}));
        if kind == "page" {
            let (world, session) = (Arc::clone(self), session.to_owned());
            tokio::spawn(async move {
                // The process handles commands in order, so this answer means that all of the above is done.
                let asked = world.pipe.call(&session, "Runtime.evaluate", json!({"expression": "0"})).await;
                world.change_by_session(&session, |tab| {
                    tab.is_prepared = true;
                    tab.is_crashed |= asked.is_err();
                });
                world.changed.notify_waiters();
            });
        }
    }

    /// Returns the current tab once it is ready for use.
    pub(crate) async fn prepared_tab(&self) -> Result<Tab, BrowserError> {
        self.until(|world| match world.tab() {
            Ok(tab) => (tab.is_prepared || tab.is_crashed).then_some(Ok(tab)),
            Err(BrowserError::Gone) => Some(Err(BrowserError::Gone)),
            Err(_) => None,
        })
        .await
    }

    fn detached(&self, session: &str) {
        let mut inner = self.inner();
        inner.frames.retain(|_, its| its != session);
        inner.attached.remove(session);
        inner.navigations.ended(session);
        if let Some(at) = inner.tabs.iter().position(|tab| tab.session == session) {
            let tab = inner.tabs.remove(at);
            self.door.closed(&tab.frame);
            inner.navigations.judged(&tab.frame);
            inner.closed_at = Some(tab.url);
            if inner.current == tab.number {
                inner.current = inner.tabs.last().map_or(0, |last| last.number);
            }
        }
    }

    /// Answers a page's dialog if no person can: accepts it if there is nothing to decide, and dismisses it otherwise.
    fn dialog(&self, session: &str, params: &Value) {
        if self.is_seen {
            return;
        }
        let kind = params["type"].as_str().unwrap_or_default();
        let accept = matches!(kind, "alert" | "beforeunload");
        self.pipe.tell(session, "Page.handleJavaScriptDialog", json!({"accept": accept}));
        let said = cut(params["message"].as_str().unwrap_or_default(), 300);
        self.note(match kind {
            "alert" => say::alert(said),
            "beforeunload" => say::asked_to_stay(),
            other => say::dismissed(other, said),
        });
    }
}

mod judging;
#[cfg(test)]
mod tests;
