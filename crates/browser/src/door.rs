//! Which requests of the browser leave: what the task's gate admits, and what pages that are open may request for themselves.

use crate::trackers::is_tracker;
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use deputy_web::Gate;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the browser requests by itself despite its flags. It is refused like everything else, and not reported.
const ITS_OWN: &[&str] = &[
    "update.googleapis.com",
    "clients2.google.com",
    "clients2.googleusercontent.com",
    // Whether a hotel's sign-in page is why a certificate is not trusted.
    "connectivitycheck.gstatic.com",
    "content-autofill.googleapis.com",
    "edgedl.me.gvt1.com",
    "mtalk.google.com",
    "optimizationguide-pa.googleapis.com",
    "redirector.gvt1.com",
];

/// Refused origins that are kept for the next answer.
const MOST_BLOCKED: usize = 50;

/// Stands in the browser's only way out. The gate is that of the call that runs, or ran last.
#[derive(Default)]
pub(crate) struct Door(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    gate: Option<Arc<dyn Gate>>,
    /// Addresses of the pages in each tab: the one that is open, and one that is about to be.
    pages: HashMap<String, Vec<String>>,
    /// Origins that were refused, and why.
    blocked: BTreeMap<String, Phrase>,
}

impl Door {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on this gate decides.
    pub(crate) fn decides(&self, gate: Arc<dyn Gate>) {
        self.inner().gate = Some(gate);
    }

    /// The gate that decides.
    pub(crate) fn gate(&self) -> Option<Arc<dyn Gate>> {
        self.inner().gate.clone()
    }

    /// Whether a tab may open an address, as a page of its own.
    pub(crate) fn opens(&self, tab: &str, url: &str) -> Result<(), Phrase> {
        let mut inner = self.inner();
        let admitted = match &inner.gate {
            Some(gate) => gate.admits(url),
            None => Err(say::not_in_use()),
        };
        match &admitted {
            Ok(()) => inner.pages.entry(tab.to_owned()).or_default().push(url.to_owned()),
            Err(why) => inner.block(url, why),
        }
        admitted
    }

    /// A tab shows this page now, and nothing else.
    pub(crate) fn shows(&self, tab: &str, url: &str) {
        self.inner().pages.insert(tab.to_owned(), vec![url.to_owned()]);
    }

    /// A tab is closed.
    pub(crate) fn closed(&self, tab: &str) {
        self.inner().pages.remove(tab);
    }

    /// The origins that were refused since this was last asked.
    pub(crate) fn take_blocked(&self) -> BTreeMap<String, Phrase> {
        std::mem::take(&mut self.inner().blocked)
    }
}

impl Inner {
    fn block(&mut self, url: &str, why: &Phrase) {
        let parsed = url::Url::parse(url).ok();
        let host = parsed.as_ref().and_then(url::Url::host_str);
        // Pages work without trackers, so the model is not offered to ask for them.
        if host.is_some_and(|host| ITS_OWN.contains(&host) || is_tracker(host)) {
            return;
        }
        let origin = parsed.map(|url| url.origin().ascii_serialization());
        let origin = origin.unwrap_or_else(|| url.chars().take(100).collect());
        if self.blocked.len() < MOST_BLOCKED {
            self.blocked.entry(origin).or_insert_with(|| why.clone());
        }
    }
}

impl Gate for Door {
    /// What comes through the proxy: a page, or what one requests for itself. Which it is, is not seen there; pages are
    /// held by [`Door::opens`] before that.
    fn admits(&self, url: &str) -> Result<(), Phrase> {
        let mut inner = self.inner();
        let Some(gate) = inner.gate.clone() else { return Err(say::not_in_use()) };
        let refused = match gate.admits(url) {
            Ok(()) => return Ok(()),
            Err(why) => why,
        };
        if inner.pages.values().flatten().any(|page| gate.admits_part(page, url).is_ok()) {
            return Ok(());
        }
        inner.block(url, &refused);
        Err(refused)
    }

    fn admits_part(&self, _: &str, url: &str) -> Result<(), Phrase> {
        self.admits(url)
    }

    fn connects(&self, url: &str, to: IpAddr) -> Result<(), Phrase> {
        let gate = self.inner().gate.clone();
        gate.map_or_else(|| Err(say::not_in_use()), |gate| gate.connects(url, to))
    }

    fn by_hand(&self) -> Arc<dyn Gate> {
        match &self.inner().gate {
            Some(gate) => gate.by_hand(),
            None => Arc::new(Self::default()),
        }
    }
}
