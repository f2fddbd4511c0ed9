//! A browser that is closed and opened again on the same profile: for a person in a window, and for the task again.

use crate::profile::Profile;
use crate::visit::Until;
use crate::{Browser, BrowserError, Display};
use deputy_web::Gate;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How long a browser may take to write its profile down and to end.
const ENDING: Duration = Duration::from_secs(10);

/// What a browser left when it was closed: who is signed in where, and the page.
pub struct Left {
    profile: Arc<Profile>,
    /// Cookies that a browser forgets when it ends.
    cookies: Vec<Value>,
    /// The address of its page.
    pub url: Option<String>,
}

impl Browser {
    /// Closes it. What it leaves can be opened again; one that crashed leaves what it had written down.
    pub async fn leave(&self) -> Left {
        let url = self.world.last_url();
        let kept = self.call("", "Storage.getCookies", json!({})).await.unwrap_or_default();
        let kept = kept["cookies"].as_array().cloned().unwrap_or_default();
        let cookies = kept.iter().filter(|cookie| cookie["session"] == true).filter_map(again).collect();
        let profile = Arc::clone(&self.running.profile);
        // It may be gone before it answers.
        let _ = self.call("", "Browser.close", json!({})).await;
        self.running.end(ENDING).await;
        Left { profile, cookies, url }
    }

    /// Opens what was left, in a window where a display is given, on the page that it was left at. Where that is not
    /// admitted, the next answer says so.
    ///
    /// # Errors
    /// [`BrowserError`] that says why it does not run.
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

    /// Waits until it has no window left, or is gone.
    pub fn closed_by_person(&self) -> impl Future<Output = ()> + Send + 'static {
        let world = Arc::clone(&self.world);
        async move { world.until(|world| (world.is_gone() || world.tabs().is_empty()).then_some(())).await }
    }

    /// The gate that decides which requests leave.
    pub fn gate(&self) -> Option<Arc<dyn Gate>> {
        self.world.door.gate()
    }

    /// Has the next answer say something.
    pub fn note(&self, note: impl Into<deputy_messages::Phrase>) {
        self.world.note(note);
    }
}

/// The parameters that set a cookie again. A host-only cookie is set by its URL, because a domain would widen it to all
/// subdomains.
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
