//! An open browser: starting it, setting its gate, and inspecting it.

use crate::door::Door;
use crate::element::{PageElement, References};
use crate::profile::Profile;
use crate::report::Glance;
use crate::start::{Running, start};
use crate::tab::Tab;
use crate::world::World;
use crate::{BrowserError, Display};
use deputy_messages::browser as say;
use deputy_web::Gate;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long to wait for a closing browser to release its profile, and how often to check.
const CLOSING: Duration = Duration::from_secs(2);
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long to wait for the first tab.
const FIRST_TAB: Duration = Duration::from_secs(20);

/// An open browser. Dropping it ends the browser with all its processes, and removes a temporary profile.
pub struct Browser {
    pub(crate) world: Arc<World>,
    pub(crate) references: References,
    /// The last report about a page.
    last: Mutex<Option<Glance>>,
    /// The lines of frames with their origins, from the last two reports, because a difference contains lines of both.
    framed: Mutex<[Vec<(String, String)>; 2]>,
    following: JoinHandle<()>,
    pub(crate) running: Running,
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.following.abort();
        self.world.end();
    }
}

impl Browser {
    /// Starts the browser of this machine with a temporary profile.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] with the reason why it does not run.
    pub async fn open(gate: Arc<dyn Gate>) -> Result<Self, BrowserError> {
        Self::open_on(Profile::fresh()?, gate, None).await
    }

    /// Starts the browser with the profile in `folder`, or with a temporary one if another browser is using that
    /// folder.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] with the reason why it does not run.
    pub async fn open_kept(folder: &Path, gate: Arc<dyn Gate>) -> Result<Self, BrowserError> {
        let begun = tokio::time::Instant::now();
        loop {
            if let Some(profile) = Profile::kept(folder)? {
                return Self::open_on(profile, gate, None).await;
            }
            if begun.elapsed() > CLOSING {
                let browser = Self::open(gate).await?;
                browser.world.note(say::profile_in_use());
                return Ok(browser);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Returns whether the profile is permanent. If so, close the browser with [`Browser::leave`], which saves the
    /// profile.
    pub fn keeps_profile(&self) -> bool {
        matches!(*self.running.profile, Profile::Kept { .. })
    }

    /// Starts the browser with a profile. Opens a window if a display is given.
    pub(crate) async fn open_on(
        profile: Arc<Profile>,
        gate: Arc<dyn Gate>,
        window: Option<&Display>,
    ) -> Result<Self, BrowserError> {
        let door = Arc::new(Door::new()?);
        door.decides(gate);
        let (running, events) = start(Arc::clone(&door) as Arc<dyn Gate>, profile, window).await?;
        let world =
            Arc::new(World::new(running.pipe.clone(), door, window.is_some(), running.overgrown.clone()));
        let following = tokio::spawn(Arc::clone(&world).follow(events));
        let browser = Self {
            world,
            references: References::default(),
            last: Mutex::new(None),
            framed: Mutex::default(),
            following,
            running,
        };
        let pipe = &browser.running.pipe;
        pipe.call("", "Browser.setDownloadBehavior", json!({"behavior": "deny", "eventsEnabled": true}))
            .await?;
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        pipe.call("", "Target.setAutoAttach", attach).await?;
        let first = tokio::time::timeout(FIRST_TAB, browser.world.prepared_tab()).await;
        first.map_err(|_| BrowserError::NotStarted(say::no_page_came_up()))??;
        Ok(browser)
    }

    /// Returns the name of the browser, e.g. `Chromium`.
    pub fn name(&self) -> &'static str {
        self.running.name
    }

    /// Returns the profile folder, which is visible to the browser.
    pub(crate) fn profile(&self) -> &Path {
        self.running.profile.path()
    }

    /// Sets the gate that decides which requests may leave from now on.
    pub fn admit_by(&self, gate: Arc<dyn Gate>) {
        self.world.door.decides(gate);
    }

    /// Returns whether the browser has ended.
    pub fn is_gone(&self) -> bool {
        self.world.is_gone()
    }

    /// Returns the element of a reference as it was last seen.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the reference is unknown or outdated.
    pub fn element(&self, reference: &str) -> Result<PageElement, BrowserError> {
        self.references.get(reference)
    }

    /// Returns the address of the page that calls act on.
    pub fn url(&self) -> Option<String> {
        self.world.tab().ok().map(|tab| tab.url)
    }

    pub(crate) async fn call(
        &self,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<Value, BrowserError> {
        let called = self.world.pipe.call(session, method, params).await;
        match called {
            // The process of the page died during the call.
            Err(BrowserError::Refused(_) | BrowserError::Silent(_))
                if self.world.tab().is_ok_and(|tab| tab.is_crashed) =>
            {
                Err(self.world.why_crashed())
            }
            Err(error @ BrowserError::Silent(_)) => {
                self.world.hangs(session);
                Err(error)
            }
            called => called,
        }
    }

    /// Returns the current tab. Fails if it has crashed.
    pub(crate) fn tab(&self) -> Result<Tab, BrowserError> {
        let tab = self.world.tab()?;
        if tab.is_crashed { Err(self.world.why_crashed()) } else { Ok(tab) }
    }

    /// Returns the origin of the frame that a line of an outline or difference belongs to. `None` if it belongs to the
    /// page itself.
    pub fn frame_of(&self, line: &str) -> Option<String> {
        let framed = self.framed.lock().unwrap_or_else(PoisonError::into_inner);
        let line = line.trim();
        let bare = line.strip_prefix("+ ").or(line.strip_prefix("- ")).unwrap_or(line);
        let is_it = |(_, its): &&(String, String)| its == line || its == bare;
        framed.iter().flatten().find(is_it).map(|(origin, _)| origin.clone())
    }

    pub(crate) fn take_last(&self) -> Option<Glance> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn keep_last(&self, glance: &Glance) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(glance.clone());
        let mut framed = self.framed.lock().unwrap_or_else(PoisonError::into_inner);
        framed.rotate_right(1);
        framed[0].clone_from(&glance.framed);
    }
}
