//! Decides which requests of the browser may leave: those that the task's gate allows, and the subresource requests of
//! open pages.

use crate::BrowserError;
use crate::sending::{InFlight, Request, Sending, Sent};
use crate::trackers::is_tracker;
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use deputy_web::Gate;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpSocket;

/// Hosts that the browser contacts on its own despite its flags. These requests are refused like all others, but not
/// reported.
const ITS_OWN: &[&str] = &[
    "update.googleapis.com",
    "clients2.google.com",
    "clients2.googleusercontent.com",
    // Checks whether a captive portal is the reason for an untrusted certificate.
    "connectivitycheck.gstatic.com",
    "content-autofill.googleapis.com",
    "edgedl.me.gvt1.com",
    "mtalk.google.com",
    "optimizationguide-pa.googleapis.com",
    // Checks whether a password is known to have leaked.
    "passwordsleakcheck-pa.googleapis.com",
    "redirector.gvt1.com",
];

/// The maximum number of refused origins to report in the next answer.
const MOST_BLOCKED: usize = 50;

/// Controls the browser's only way to the network. The gate is that of the current or last call.
#[derive(Default)]
pub(crate) struct Door(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    gate: Option<Arc<dyn Gate>>,
    /// The addresses of the pages in each tab: the open page, and one that is about to open.
    pages: HashMap<String, Vec<String>>,
    /// The form that the current action may send.
    sending: Option<Sending>,
    /// The form that was sent, until it is answered.
    in_flight: Option<InFlight>,
    /// A tab and the address of the answer to its form, until the tab shows it.
    answer: Option<(String, String)>,
    /// Whether the browser asks about every request and names the page that makes it.
    is_held: bool,
    /// The mark of judged requests. Pages do not know it.
    mark: String,
    /// The last origin that the proxy refused, and when.
    refused: Option<(Option<String>, Instant)>,
    /// The addresses that gave no answer since the last navigation, with the reasons.
    failed: BTreeMap<String, String>,
    /// The refused origins, with the reasons.
    blocked: BTreeMap<String, Phrase>,
}

/// The pages on whose behalf a request may be allowed.
#[derive(Clone, Copy)]
enum Of<'a> {
    /// The page in this tab.
    Tab(&'a str),
    /// Any page, because the browser does not say which one makes the request.
    Any,
    /// Any page, except those that answered a form.
    Unmarked,
}

impl Door {
    /// Creates a door that allows nothing yet.
    pub(crate) fn new() -> Result<Self, BrowserError> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(BrowserError::refused)?;
        let mark = random.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(Mutex::new(Inner { mark, ..Inner::default() })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the gate that decides from now on.
    pub(crate) fn decides(&self, gate: Arc<dyn Gate>) {
        self.inner().gate = Some(gate);
    }

    /// Returns the gate that decides.
    pub(crate) fn gate(&self) -> Option<Arc<dyn Gate>> {
        self.inner().gate.clone()
    }

    /// Decides whether a tab may open an address as a page.
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

    /// Records that a tab now shows only this page.
    pub(crate) fn shows(&self, tab: &str, url: &str) {
        let mut inner = self.inner();
        inner.pages.insert(tab.to_owned(), vec![url.to_owned()]);
        if inner.answer.as_ref().is_some_and(|(its, answer)| its == tab && answer == url) {
            inner.answer = None;
        }
    }

    /// Records that a tab was closed.
    pub(crate) fn closed(&self, tab: &str) {
        let mut inner = self.inner();
        inner.pages.remove(tab);
        inner.answer.take_if(|(its, _)| its == tab);
    }

    /// Forgets the addresses that gave no answer.
    pub(crate) fn starts_over(&self) {
        self.inner().failed.clear();
    }

    /// Returns why a page gave no answer. `None` if it gave one.
    pub(crate) fn why_failed(&self, page: &str) -> Option<String> {
        let page = page.split('#').next().unwrap_or_default();
        self.inner().failed.get(page).cloned()
    }

    /// Sets whether the browser asks about every request.
    pub(crate) fn is_held(&self, is_held: bool) {
        self.inner().is_held = is_held;
    }

    /// Records the start of an action that may send this form.
    pub(crate) fn begins(&self, sending: Sending) {
        let mut inner = self.inner();
        inner.answer = None;
        inner.sending = Some(sending);
    }

    /// Records the end of the action. A form that was not sent may no longer be sent. The page is still not trusted with
    /// others: [`Self::sent`] judges what it sends from now on.
    pub(crate) fn ends(&self) {
        self.inner().sending = None;
    }

    /// Returns the document that the current action acts on, if an action is running.
    pub(crate) fn acted_on(&self) -> Option<(u32, u64)> {
        self.inner().sending.as_ref().map(|sending| sending.document)
    }

    /// Returns whether the action has yet to send its form.
    pub(crate) fn awaits_form(&self) -> bool {
        self.inner().sending.as_ref().is_some_and(|sending| sending.form.is_some())
    }

    /// Returns whether an origin is open only for a form or its answer, so that requests must be judged by their page.
    pub(crate) fn is_narrow(&self) -> bool {
        let inner = self.inner();
        let awaits = inner.sending.as_ref().is_some_and(|sending| sending.form.is_some());
        awaits || inner.in_flight.is_some() || inner.has_answers()
    }

    /// Judges a document request. `senders` are the origins of the open pages that a call acted on and that may have
    /// sent it, however long ago the call ended. `still` is whether the page of the current action is still open,
    /// `replaces` whether the request replaces a page.
    pub(crate) fn sent(&self, request: &Request, senders: &[String], still: bool, replaces: bool) -> Sent {
        let mut inner = self.inner();
        let origin = request.origin();
        if let Some(way) = inner.in_flight.as_mut()
            && request.redirected.as_ref() == Some(&way.request)
        {
            if way.origin == origin {
                way.request.clone_from(&request.id);
                return Sent::Agreed;
            }
            inner.in_flight = None;
        }
        if request.redirected.is_some() {
            return Sent::Usual;
        }
        let gate = inner.gate.clone();
        if let Some(sending) = inner.sending.as_mut().filter(|_| still)
            && let Some(form) = &sending.form
        {
            // Whatever a rule denies stays denied.
            let passes = || gate.is_some_and(|gate| gate.by_hand().admits(request.url.as_str()).is_ok());
            if request.sends(form) && passes() {
                sending.form = None;
                inner.in_flight = Some(InFlight { request: request.id.clone(), origin });
                return Sent::Agreed;
            }
            if request.is_posted_elsewhere(&sending.page) || replaces && request.is_elsewhere(&sending.page) {
                return Sent::Otherwise;
            }
        }
        let is_other = senders.iter().any(|page| request.is_posted_elsewhere(page));
        if is_other { Sent::Otherwise } else { Sent::Usual }
    }

    /// Records that a document request was answered or failed. Unless it was redirected, `tab` shows the document from
    /// now on.
    pub(crate) fn answers(&self, request: &str, redirects: bool, tab: Option<&str>, url: &str) {
        let mut inner = self.inner();
        if redirects || inner.in_flight.as_ref().is_none_or(|way| way.request != request) {
            return;
        }
        inner.in_flight = None;
        if let Some(tab) = tab {
            inner.answer = Some((tab.to_owned(), url.to_owned()));
        }
    }

    /// Decides whether a page may request an address: the page in this tab, or any open page if the tab is unknown.
    pub(crate) fn part(&self, tab: Option<&str>, url: &str) -> Result<(), Phrase> {
        self.part_of(tab.map_or(Of::Any, Of::Tab), url)
    }

    fn part_of(&self, of: Of<'_>, url: &str) -> Result<(), Phrase> {
        let mut inner = self.inner();
        let Some(gate) = inner.gate.clone() else { return Err(say::not_in_use()) };
        let Err(refused) = gate.admits(url) else { return Ok(()) };
        // Only the page that answers a form may use its origin, so wait until requests name their page.
        let counts = |tab: &str, page: &str| match of {
            Of::Tab(its) => its == tab,
            Of::Any => inner.is_held || !is_answer(gate.as_ref(), page),
            Of::Unmarked => !is_answer(gate.as_ref(), page),
        };
        // The gate already allows the origin of an allowed page. A page that answers a form may load from its own
        // origin.
        let is_own = |page: &str| {
            is_answer(gate.as_ref(), page)
                && origin(page) == origin(url)
                && gate.by_hand().admits(url).is_ok()
        };
        let admits = |page: &str| gate.admits_part(page, url).is_ok() || is_own(page);
        if inner.open().any(|(tab, page)| counts(tab, page) && admits(page)) {
            return Ok(());
        }
        inner.block(url, &refused);
        Err(refused)
    }

    /// Returns the mark for a judged request to an origin that is open only for a form or its answer.
    pub(crate) fn mark_for(&self, url: &str) -> Option<String> {
        let inner = self.inner();
        let gate = inner.gate.as_ref()?;
        let is_answers =
            |(_, page): (&str, &str)| is_answer(gate.as_ref(), page) && origin(page) == origin(url);
        let is_needed = url.starts_with("http:") && (inner.is_in_flight(url) || inner.open().any(is_answers));
        is_needed.then(|| inner.mark.clone())
    }

    /// Returns the time since the last request to an origin was refused without asking.
    pub(crate) fn since_refused(&self, to: &str) -> Option<Duration> {
        let inner = self.inner();
        let (_, at) = inner.refused.as_ref().filter(|(refused, _)| refused.as_deref() == Some(to))?;
        Some(at.elapsed())
    }

    /// Decides whether a worker that belongs to no tab may request an address.
    pub(crate) fn part_of_worker(&self, worker: &str, url: &str) -> Result<(), Phrase> {
        let gate = self.inner().gate.clone().ok_or_else(say::not_in_use)?;
        gate.admits(url).or_else(|_| gate.admits_part(worker, url))
    }

    /// Takes the origins that were refused since the last call.
    pub(crate) fn take_blocked(&self) -> BTreeMap<String, Phrase> {
        std::mem::take(&mut self.inner().blocked)
    }
}

impl Inner {
    /// Returns whether the form being sent goes to this address.
    fn is_in_flight(&self, url: &str) -> bool {
        self.in_flight.as_ref().is_some_and(|way| Some(&way.origin) == origin(url).as_ref())
    }

    /// Iterates over the tabs and the pages that are open or about to open in them.
    fn open(&self) -> impl Iterator<Item = (&str, &str)> {
        let answer = self.answer.iter().map(|(tab, page)| (tab.as_str(), page.as_str()));
        let pages = self.pages.iter();
        answer.chain(pages.flat_map(|(tab, pages)| pages.iter().map(|page| (tab.as_str(), page.as_str()))))
    }

    /// Returns whether a page is open that answered a form.
    fn has_answers(&self) -> bool {
        let Some(gate) = &self.gate else { return false };
        self.open().any(|(_, page)| is_answer(gate.as_ref(), page))
    }

    fn block(&mut self, url: &str, why: &Phrase) {
        let parsed = url::Url::parse(url).ok();
        let host = parsed.as_ref().and_then(url::Url::host_str);
        // Pages work without trackers, so they are not reported as something that the model could ask for.
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
    /// Judges a request in the proxy: a page or a subresource. The proxy cannot distinguish them; [`Door::opens`] has
    /// already judged pages.
    fn admits(&self, url: &str) -> Result<(), Phrase> {
        if self.inner().is_in_flight(url) {
            return Ok(());
        }
        let admitted = self.part(None, url);
        if admitted.is_err() {
            self.inner().refused = Some((origin(url), Instant::now()));
        }
        admitted
    }

    /// In plain HTTP, requests to an origin that is open for a form carry a mark if they were judged by their page.
    fn admits_marked(&self, url: &str, mark: Option<&str>) -> Result<(), Phrase> {
        let is_marked = mark.is_some_and(|mark| mark == self.inner().mark);
        if is_marked { self.admits(url) } else { self.part_of(Of::Unmarked, url) }
    }

    fn admits_part(&self, _: &str, url: &str) -> Result<(), Phrase> {
        self.admits(url)
    }

    fn connects(&self, url: &str, to: IpAddr) -> Result<(), Phrase> {
        let gate = self.inner().gate.clone();
        gate.map_or_else(|| Err(say::not_in_use()), |gate| gate.connects(url, to))
    }

    fn failed(&self, url: &str, why: &str) {
        let failed = &mut self.inner().failed;
        if failed.len() < MOST_BLOCKED {
            failed.insert(url.to_owned(), why.to_owned());
        }
    }

    fn dials(&self, to: SocketAddr) -> Option<io::Result<TcpSocket>> {
        self.inner().gate.clone()?.dials(to)
    }

    fn by_hand(&self) -> Arc<dyn Gate> {
        match &self.inner().gate {
            Some(gate) => gate.by_hand(),
            None => Arc::new(Self::default()),
        }
    }
}

/// Returns whether a page is open only because it answered a form: its address is not allowed otherwise.
fn is_answer(gate: &dyn Gate, page: &str) -> bool {
    page.starts_with("http") && gate.admits(page).is_err()
}

fn origin(url: &str) -> Option<String> {
    url::Url::parse(url).ok().map(|url| url.origin().ascii_serialization())
}
