//! Navigation: addresses, history, tabs, and waiting until a page is ready.

use crate::report::Changes;
use crate::tab::Tab;
use crate::{Browser, BrowserError};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde_json::{Value, json};
use std::time::Duration;

/// The condition that a call waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// The page has loaded completely.
    Loaded,
    /// The text of the page is available.
    Parsed,
    /// The page makes no more requests.
    Idle,
    /// An element that matches a CSS selector is visible.
    Selector(String),
    /// A text is visible.
    Text(String),
}

/// A step in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the previous page.
    Back,
    /// To the next page.
    Forward,
}

/// The time limit for loading a page.
pub(crate) const LOADING: Duration = Duration::from_secs(30);
/// How long to wait for the browser to report that an answer is a download.
const TELLING: Duration = Duration::from_millis(500);
/// The browser's error code for an answer that is not a page.
const NOTHING_CAME: &str = "net::ERR_ABORTED";
/// The polling interval for conditions without an event.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long to wait for the effects of an action before the page is read.
pub(crate) const SETTLING: Duration = Duration::from_secs(10);
/// How long to wait for the effects of an action to begin.
const REACTING: Duration = Duration::from_millis(60);

impl Browser {
    /// Opens an address in the current tab. If the page crashes meanwhile, tries once more in another tab.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the address was not opened.
    pub async fn navigate(&self, url: &str, until: Until) -> Result<Changes, BrowserError> {
        self.world.starts_over();
        match self.visit(url, &until).await {
            Err(BrowserError::Crashed) => self.visit(url, &until).await,
            visited => visited,
        }
    }

    async fn visit(&self, url: &str, until: &Until) -> Result<Changes, BrowserError> {
        let tab = self.fresh_tab().await?;
        let params = json!({"url": url, "transitionType": "typed"});
        let answer = self.world.pipe.call_within(LOADING, &tab.session, "Page.navigate", params).await;
        let answer = match answer {
            // A page whose scripts never end blocks its tab, so the tab is replaced.
            Err(BrowserError::Silent(_)) => {
                self.world.pipe.tell("", "Target.closeTarget", json!({"targetId": tab.frame}));
                return Err(BrowserError::NotOpened(say::not_open_in_time(LOADING.as_secs(), url)));
            }
            answer => answer?,
        };
        if let Some(error) = answer["errorText"].as_str() {
            return Err(self.not_opened(url, error).await);
        }
        // Going to another position on the same page loads nothing.
        if let Some(load) = answer["loaderId"].as_str() {
            let begun = self.world.until(|world| match world.tab() {
                Ok(tab) => (tab.has_shown(load) || tab.is_crashed).then_some(()),
                Err(_) => Some(()),
            });
            let _ = tokio::time::timeout(LOADING, begun).await;
        }
        // The browser shows an answer of the proxy in place of the page.
        if let Some(why) = self.world.tab().ok().and_then(|tab| self.world.door.why_failed(&tab.url)) {
            return Err(BrowserError::NotOpened(say::not_opened(url, why)));
        }
        let is_ready = self.ready(until, LOADING).await?;
        if let (false, Until::Selector(selector)) = (is_ready, until) {
            return Err(BrowserError::Unfit(say::selector_not_seen(LOADING.as_secs(), selector)));
        }
        self.changes().await
    }

    /// Returns why an address was not opened: the reason of the gate if it refused the request, otherwise the
    /// browser's.
    async fn not_opened(&self, url: &str, error: &str) -> BrowserError {
        let blocked = self.world.door.take_blocked();
        if let Some((origin, why)) = blocked.into_iter().next() {
            let is_itself = url.starts_with(&origin);
            return BrowserError::NotOpened(match is_itself {
                true => say::not_opened(origin, why),
                false => say::leads_elsewhere(origin, url, why),
            });
        }
        if error == NOTHING_CAME {
            // A download is reported a moment later.
            let told = self.world.until(|world| world.has_notes().then_some(()));
            let _ = tokio::time::timeout(TELLING, told).await;
        }
        let mut notes = self.world.take_notes();
        if let Some(note) = notes.pop() {
            return BrowserError::NotOpened(note);
        }
        BrowserError::NotOpened(say::not_opened(url, in_words(error)))
    }

    /// Returns the current tab, or a new one if no tab works.
    async fn fresh_tab(&self) -> Result<Tab, BrowserError> {
        match self.world.tab() {
            Ok(tab) if !tab.is_crashed && !tab.is_stuck && tab.is_prepared => return Ok(tab),
            Ok(tab) if !tab.is_crashed && !tab.is_stuck => {
                let prepared = tokio::time::timeout(LOADING, self.world.prepared_tab()).await;
                return prepared.map_err(|_| BrowserError::NoPage)?;
            }
            Ok(useless) => {
                self.world.pipe.tell("", "Target.closeTarget", json!({"targetId": useless.frame}));
            }
            Err(BrowserError::NoPage | BrowserError::Flooded) => {}
            Err(error) => return Err(error),
        }
        self.world.expect_tab();
        self.call("", "Target.createTarget", json!({"url": "about:blank"})).await?;
        let alive = self.world.until(|world| {
            world.tab().ok().filter(|tab| tab.is_prepared && !tab.is_crashed && !tab.is_stuck)
        });
        tokio::time::timeout(LOADING, alive).await.map_err(|_| BrowserError::NoPage)
    }

    /// Reloads the page. If the page is the answer to a form, opens its address instead of sending the form again.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the page does not load.
    pub async fn reload(&self) -> Result<Changes, BrowserError> {
        let tab = self.tab()?;
        if tab.is_posted {
            return self.navigate(&tab.url, Until::Loaded).await;
        }
        self.call(&tab.session, "Page.reload", json!({})).await?;
        let before = tab.document;
        let again = self.world.until(move |world| match world.tab() {
            Ok(tab) => (tab.document > before || tab.is_crashed).then_some(()),
            Err(_) => Some(()),
        });
        let _ = tokio::time::timeout(LOADING, again).await;
        self.ready(&Until::Loaded, LOADING).await?;
        self.changes().await
    }

    /// Makes a step in the history of the tab.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if there is no such page.
    pub async fn step(&self, step: Step) -> Result<Changes, BrowserError> {
        let tab = self.tab()?;
        let history = self.call(&tab.session, "Page.getNavigationHistory", json!({})).await?;
        let at =
            history["currentIndex"].as_i64().unwrap_or_default() + if step == Step::Back { -1 } else { 1 };
        let entry = usize::try_from(at).ok().and_then(|at| history["entries"].get(at));
        let entry = entry.filter(|entry| entry["url"] != "about:blank");
        let Some(entry) = entry else {
            let none = if step == Step::Back { say::no_page_before() } else { say::no_page_after() };
            return Err(BrowserError::Unfit(none));
        };
        self.call(&tab.session, "Page.navigateToHistoryEntry", json!({"entryId": entry["id"]})).await?;
        self.settle(&[&tab.session]).await?;
        self.changes().await
    }

    /// Returns a line for each tab, with the current one marked.
    pub fn tabs(&self) -> Vec<String> {
        let current = self.world.tab().map(|tab| tab.number).unwrap_or_default();
        let line = |tab: &Tab| {
            let mark = if tab.number == current { " (current)" } else { "" };
            format!("{}{mark}: {} {}", tab.number, tab.url, tab.title)
        };
        self.world.tabs().iter().map(line).collect()
    }

    /// Makes another tab the current one.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if there is no such tab.
    pub async fn switch(&self, number: u32) -> Result<Changes, BrowserError> {
        let tab = self.world.switch(number)?;
        self.call("", "Target.activateTarget", json!({"targetId": tab.frame})).await?;
        self.changes().await
    }

    /// Closes a tab.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if there is no such tab.
    pub async fn close(&self, number: u32) -> Result<(), BrowserError> {
        let tab = self.world.tabs().into_iter().find(|tab| tab.number == number);
        let tab = tab.ok_or_else(|| BrowserError::Unfit(say::no_tab(number)))?;
        self.call("", "Target.closeTarget", json!({"targetId": tab.frame})).await?;
        let closed = self.world.until(move |world| {
            (world.is_gone() || world.tabs().iter().all(|tab| tab.number != number)).then_some(())
        });
        let _ = tokio::time::timeout(LOADING, closed).await;
        Ok(())
    }

    /// Waits until a condition holds.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if it does not hold in time.
    pub async fn wait(&self, until: &Until, limit: Duration) -> Result<Changes, BrowserError> {
        let is_so = self.ready(until, limit).await?;
        if !is_so {
            let secs = limit.as_secs();
            return Err(BrowserError::Unfit(match until {
                Until::Selector(selector) => say::selector_not_seen(secs, selector),
                Until::Text(text) => say::text_not_seen(secs, text),
                _ => say::not_ready(secs),
            }));
        }
        self.changes().await
    }

    /// Waits until the page is ready. Returns whether it is.
    pub(crate) async fn ready(&self, until: &Until, limit: Duration) -> Result<bool, BrowserError> {
        let by_event = |is_so: fn(&Tab) -> bool| {
            self.world.until(move |world| match world.tab() {
                Ok(tab) => (tab.is_crashed || is_so(&tab)).then_some(()),
                Err(_) => Some(()),
            })
        };
        let waited = match until {
            Until::Loaded => {
                tokio::time::timeout(limit, by_event(|tab| !tab.is_loading && tab.is_parsed)).await.is_ok()
            }
            Until::Parsed => tokio::time::timeout(limit, by_event(|tab| tab.is_parsed)).await.is_ok(),
            Until::Idle => tokio::time::timeout(limit, by_event(|tab| tab.is_idle)).await.is_ok(),
            Until::Selector(selector) => self.seen("", selector, limit).await?,
            Until::Text(text) => self.seen(text, "", limit).await?,
        };
        self.tab()?;
        Ok(waited)
    }

    async fn seen(&self, text: &str, selector: &str, limit: Duration) -> Result<bool, BrowserError> {
        let seeing = async {
            loop {
                match self.has(text, selector).await {
                    Ok(true) => return Ok(true),
                    Err(error @ BrowserError::Unfit(_)) => return Err(error),
                    // If the page is being replaced, try again.
                    Ok(false) | Err(_) => tokio::time::sleep(LOOK_EVERY).await,
                }
            }
        };
        tokio::time::timeout(limit, seeing).await.unwrap_or(Ok(false))
    }

    async fn has(&self, text: &str, selector: &str) -> Result<bool, BrowserError> {
        let tab = self.tab()?;
        let context = self.context(&tab.session, &tab.frame).await?;
        let expression = format!("deputy.has({}, {})", Value::from(text), Value::from(selector));
        let params = json!({"expression": expression, "contextId": context, "returnByValue": true});
        let answer = self.call(&tab.session, "Runtime.evaluate", params).await?;
        if !selector.is_empty() && answer["exceptionDetails"]["exception"]["className"] == "DOMException" {
            return Err(BrowserError::Unfit(say::no_reference(format!("{selector:?}"))));
        }
        Ok(answer["result"]["value"].as_bool().unwrap_or(false))
    }

    /// Waits until the effects of an action in these sessions are complete, as far as the page reports them. If the page
    /// began to navigate, the report of the action includes what came of it.
    pub(crate) async fn settle(&self, sessions: &[&str]) -> Result<(), BrowserError> {
        tokio::time::sleep(REACTING).await;
        let begun = tokio::time::Instant::now();
        self.world.navigations_judged(sessions, SETTLING).await;
        self.ready(&Until::Loaded, SETTLING.saturating_sub(begun.elapsed())).await?;
        Ok(())
    }
}

/// Describes the browser's common error codes.
fn in_words(code: &str) -> Phrase {
    match code {
        "net::ERR_NAME_NOT_RESOLVED" => say::name_not_known(),
        "net::ERR_CONNECTION_REFUSED" => say::nothing_listens(),
        "net::ERR_TOO_MANY_REDIRECTS" => say::endless_redirects(),
        "net::ERR_TUNNEL_CONNECTION_FAILED" => say::cannot_be_reached(),
        NOTHING_CAME => say::is_no_page(),
        code if code.starts_with("net::ERR_CERT") => say::certificate(code),
        code => code.into(),
    }
}
