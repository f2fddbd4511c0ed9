//! Closes a browser and reopens it with the same profile: in a window for a person, and afterwards for the task again.

use crate::profile::Profile;
use crate::visit::Until;
use crate::{Browser, BrowserError, Display};
use deputy_web::Gate;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How long a browser may take to save its profile and exit.
const ENDING: Duration = Duration::from_secs(10);

/// The state of a closed browser: its profile, cookies and page.
pub struct Left {
    profile: Arc<Profile>,
    /// Session cookies, which a browser forgets when it ends.
    cookies: Vec<Value>,
    /// The address of the page.
    pub url: Option<String>,
}

impl Browser {
    /// Closes the browser. The returned state can be reopened. If the browser crashed, only what it had saved is left.
    pub async fn leave(&self) -> Left {
        let url = self.world.last_url();
        let kept = self.call("", "Storage.getCookies", json!({})).await.unwrap_or_default();
        let kept = kept["cookies"].as_array().cloned().unwrap_or_default();
        let cookies = kept.iter().filter(|cookie| cookie["session"] == true).filter_map(again).collect();
        let profile = Arc::clone(&self.running.profile);
        // The browser may exit before it answers.
        let _ = self.call("", "Browser.close", json!({})).await;
        self.running.end(ENDING).await;
        Left { profile, cookies, url }
    }

    /// Reopens a closed browser on its last page, in a window if a display is given. If the page is not allowed, the
    /// next answer says so.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] with the reason why it does not run.
    pub async fn open_again(
        left: &Left,
        gate: Arc<dyn Gate>,
        window: Option<&Display>,
    ) -> Result<Self, BrowserError> {
        let browser = Self::open_on(Arc::clone(&left.profile), gate, window).await?;
        browser.call("", "Storage.setCookies", json!({"cookies": left.cookies})).await?;
        if let Some(url) = &left.url
            && let Err(error) = browser.navigate(url, Until::Parsed).await
        {
            browser.world.note(error.to_string());
        }
        Ok(browser)
    }

    /// Waits until the browser has no windows left or is gone.
    pub fn closed_by_person(&self) -> impl Future<Output = ()> + Send + 'static {
        let world = Arc::clone(&self.world);
        async move { world.until(|world| (world.is_gone() || world.tabs().is_empty()).then_some(())).await }
    }

    /// Returns the gate that decides which requests may leave.
    pub fn gate(&self) -> Option<Arc<dyn Gate>> {
        self.world.door.gate()
    }

    /// Adds a note to the next answer.
    pub fn note(&self, note: impl Into<deputy_messages::Phrase>) {
        self.world.note(note);
    }
}

/// Returns the parameters to restore a cookie. A host-only cookie is set by URL, because a domain would extend it to
/// all subdomains.
fn again(cookie: &Value) -> Option<Value> {
    let domain = cookie["domain"].as_str()?;
    let scheme = if cookie["secure"] == true { "https" } else { "http" };
    let host = domain.trim_start_matches('.');
    let path = cookie["path"].as_str().unwrap_or("/");
    let mut again = json!({
        "name": cookie["name"], "value": cookie["value"], "path": path, "url": format!("{scheme}://{host}{path}"),
        "secure": cookie["secure"], "httpOnly": cookie["httpOnly"],
    });
    if domain.starts_with('.') {
        again["domain"] = domain.into();
    }
    for same in ["sameSite", "partitionKey"] {
        if !cookie[same].is_null() {
            again[same] = cookie[same].clone();
        }
    }
    Some(again)
}
