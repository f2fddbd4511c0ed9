//! `browser`: opens web pages in the task's own browser, reads them as outlines, and acts on elements by reference.

mod by_hand;
mod call;
mod facts;
mod session;
mod told;
mod transfer;

use crate::carried::Carried;
use crate::per_task::PerTask;
use crate::picture;
use crate::text::{cancelled, failed};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
pub use by_hand::{Browsers, ByHand, KeptProfile, Noting, TakeError};
use call::BrowserCall;
use deputy_browser::{Aimed, Browser as Open, BrowserError, Info, Step, Until};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use deputy_protocol::{
    AimedPicture, CallId, CallStatus, Facts, InnerPicture, ResultPart, TaskId, ToolResult, WebPart,
};
use deputy_web::Gate;
pub(crate) use facts::{carried_in_address, carried_over};
use session::{Reaches, Session};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The default and the maximum time to wait for a page, in seconds.
const WAIT: u32 = 10;
const LONGEST_WAIT: u32 = 60;
/// The time limit of any action.
const LONGEST_ACTION: Duration = Duration::from_secs(120);

/// The progress message while a call waits for a person.
const WAITS: &str = "Waits until you give the browser back.\n";
/// The note for the task if its browser had ended.
const OPENED_AGAIN: &str = "The browser had been closed, because Deputy was restarted or the browser crashed. Its last page was loaded again; \
    what had been typed into it is gone";

/// The `browser` tool, with the browsers of all tasks.
pub(crate) struct Browser {
    browsers: Browsers,
    /// What tasks read and wrote. Other tools check it as well.
    carried: PerTask<Carried>,
}

impl Browser {
    pub(crate) fn new(browsers: Browsers, carried: PerTask<Carried>) -> Self {
        Self { browsers, carried }
    }
}

impl TypedTool for Browser {
    const NAME: &'static str = "browser";
    type Parameters = BrowserCall;

    fn facts(&self, call: &BrowserCall, place: &Place) -> Result<Facts, InvalidCall> {
        facts::facts(call, place, None, None).map(|(facts, _)| facts)
    }

    fn facts_of(&self, id: &CallId, call: &BrowserCall, place: &Place) -> Result<Facts, InvalidCall> {
        let task = id.task();
        let session = task.as_ref().and_then(|task: &TaskId| self.browsers.sessions.known(task));
        let carried = task.as_ref().and_then(|task| self.carried.known(task));
        let browser = session.as_ref().and_then(|session| session.open());
        let (facts, info) = facts::facts(call, place, browser.as_deref(), carried.as_deref())?;
        if let Some(session) = session {
            session.judged(id, info);
        }
        Ok(facts)
    }

    async fn run(&self, call: BrowserCall, cx: &CallContext) -> ToolResult {
        let session = self.browsers.sessions.of(&cx.task, &cx.ended);
        let carried = self.carried.of(&cx.task, &cx.ended);
        let turn = async {
            let turn = session.turn.clone();
            if session.is_taken() {
                (cx.progress)(WAITS);
            }
            turn.lock_owned().await
        };
        // A person may take a long time.
        let _turn = tokio::select! {
            () = cx.cancel.cancelled() => return cancelled(),
            () = cx.ended.cancelled() => return cancelled(),
            turn = turn => turn,
        };
        let acting = async {
            if let Some(text) = call.written() {
                if let BrowserCall::Press(press) = &call {
                    carried.pressed(&session.types_on(press.reference.as_deref()), &text);
                }
                carried.wrote(&text);
            }
            let mut result = act(&session, call, self.browsers.kept(), cx).await?;
            let browser = session.open();
            let url = browser.as_ref().and_then(|browser| browser.url());
            if let Some(origin) = url.as_deref().and_then(deputy_policy::url::origin) {
                read(&carried, &origin, browser.as_deref(), &result.content);
            }
            match result
                .parts
                .iter_mut()
                .find_map(|part| if let ResultPart::Web(web) = part { Some(web) } else { None })
            {
                Some(web) => web.page = url,
                None => result.parts.push(ResultPart::Web(WebPart { page: url, ..WebPart::default() })),
            }
            Ok::<_, BrowserError>(result)
        };
        tokio::select! {
            () = cx.cancel.cancelled() => cancelled(),
            () = cx.ended.cancelled() => cancelled(),
            done = tokio::time::timeout(LONGEST_ACTION, acting) => match done {
                Ok(Ok(result)) => result,
                Ok(Err(error)) => failed(error),
                Err(_) => failed(BrowserError::Silent(LONGEST_ACTION)),
            }
        }
    }
}

/// Records the text that was read under the origin of the page, or of the frame that contains it.
fn read(carried: &Carried, page: &str, browser: Option<&Open>, text: &str) {
    let mut by_origin = BTreeMap::<String, String>::new();
    for line in text.lines() {
        let frame = browser.and_then(|browser| browser.frame_of(line));
        let of = by_origin.entry(frame.unwrap_or_else(|| page.to_owned())).or_default();
        of.push_str(line);
        of.push('\n');
    }
    for (origin, text) in by_origin {
        carried.read(&origin, &text);
    }
}

/// Returns the name and program of the browser that tasks use. `None` if no supported browser is installed.
pub fn installed_browser() -> Option<(&'static str, PathBuf)> {
    deputy_browser::installed().map(|browser| (browser.name, browser.program))
}

/// Returns the open browser with this call's gate. If none is open, starts a new one with the last page of the task,
/// and returns a result for calls that act on the previous state of the page.
async fn open(
    session: &Session,
    call: &BrowserCall,
    profile: Option<PathBuf>,
    cx: &CallContext,
) -> Result<(Arc<Open>, Option<ToolResult>), BrowserError> {
    if let Some(browser) = session.open() {
        match session.reaches() {
            Reaches::Web => browser.admit_by(cx.gate.clone()),
            // Without a server, the browser keeps the gate with which it reaches none.
            Reaches::OwnServers => cx.gate.own_servers().into_iter().for_each(|gate| browser.admit_by(gate)),
        }
        return Ok((browser, None));
    }
    let last = cx.last_page.as_deref().ok_or(BrowserError::NoPage)?;
    let (reaches, gate) = leads_to(last, cx);
    let browser = session.opened(reaches, gate, profile).await?;
    let changes = browser
        .navigate(last, Until::Loaded)
        .await
        .map_err(|error| BrowserError::NotOpened(say::not_opened_again(error)))?;
    if call.only_looks() {
        browser.note(OPENED_AGAIN);
        return Ok((browser, None));
    }
    let mut result = told::changes(say::not_done, &changes, cx);
    result.content = format!("{OPENED_AGAIN}.\n{}", result.content);
    result.status = CallStatus::Failed;
    Ok((browser, Some(result)))
}

/// Returns which browser reaches an address, and its gate.
fn leads_to(url: &str, cx: &CallContext) -> (Reaches, Arc<dyn Gate>) {
    match cx.gate.own_servers().filter(|gate| gate.admits(url).is_ok()) {
        Some(gate) => (Reaches::OwnServers, gate),
        None => (Reaches::Web, cx.gate.clone()),
    }
}

#[expect(clippy::too_many_lines, reason = "an arm for each action")]
async fn act(
    session: &Session,
    call: BrowserCall,
    profile: Option<PathBuf>,
    cx: &CallContext,
) -> Result<ToolResult, BrowserError> {
    let expected = session.take_judged(&cx.call);
    if let BrowserCall::Navigate(to) = &call {
        let (reaches, gate) = leads_to(&to.url, cx);
        let browser = session.opened(reaches, gate.clone(), profile).await?;
        browser.admit_by(gate);
        let until = match to.until.as_deref().map(str::trim) {
            None | Some("" | "load") => Until::Loaded,
            Some("domcontentloaded") => Until::Parsed,
            Some("networkidle") => Until::Idle,
            Some(selector) => Until::Selector(selector.to_owned()),
        };
        let changes = browser.navigate(&to.url, until).await?;
        return Ok(told::changes(say::opened, &changes, cx));
    }
    let (browser, instead) = open(session, &call, profile, cx).await?;
    if let Some(instead) = instead {
        return Ok(instead);
    }
    /// Formats what was done. The argument is the address of the page.
    type Did = Box<dyn FnOnce(String) -> Phrase + Send>;
    let (did, changes): (Did, _) = match call {
        BrowserCall::Click(click) => {
            no_file(&expected)?;
            let changes = browser.click(&click.reference, &expected).await?;
            (Box::new(|url| say::clicked(click.reference, url)), changes)
        }
        BrowserCall::Fill(fill) => {
            no_file(&expected)?;
            let changes = browser.fill(&fill.reference, &fill.text, &expected).await?;
            (Box::new(|url| say::filled(fill.reference, url)), changes)
        }
        BrowserCall::Select(select) => {
            let changes = browser.select(&select.reference, &select.values).await?;
            (Box::new(|url| say::chose(select.reference, url)), changes)
        }
        BrowserCall::Press(press) => {
            no_file(&expected)?;
            let changes = browser.press(press.reference.as_deref(), &press.keys, &expected).await?;
            (Box::new(|url| say::pressed(press.keys, url)), changes)
        }
        BrowserCall::Hover(hover) => {
            let changes = browser.hover(&hover.reference).await?;
            (Box::new(|url| say::pointed(hover.reference, url)), changes)
        }
        BrowserCall::Scroll(scroll) => {
            let pages = scroll.pages.unwrap_or(1.0).clamp(-100.0, 100.0);
            (Box::new(say::scrolled), browser.scroll(scroll.reference.as_deref(), pages).await?)
        }
        BrowserCall::Back(_) => (Box::new(say::back), browser.step(Step::Back).await?),
        BrowserCall::Forward(_) => (Box::new(say::forward), browser.step(Step::Forward).await?),
        BrowserCall::WaitFor(wait) => {
            let limit = Duration::from_secs(wait.seconds.unwrap_or(WAIT).clamp(1, LONGEST_WAIT).into());
            let until = match (wait.text, wait.selector) {
                (Some(text), None) => Until::Text(text),
                (None, Some(selector)) => Until::Selector(selector),
                (None, None) => Until::Idle,
                (Some(_), Some(_)) => {
                    return Err(BrowserError::Unfit(say::one_to_wait_for()));
                }
            };
            (Box::new(say::is_there), browser.wait(&until, limit).await?)
        }
        BrowserCall::Allow(_) => (Box::new(say::loaded_again), browser.reload().await?),
        BrowserCall::Evaluate(evaluate) => {
            let (value, changes) = browser.evaluate(&evaluate.script, evaluate.only_reads).await?;
            let mut result = told::changes(say::ran_script, &changes, cx);
            let room = cx.output_chars.saturating_sub(result.content.chars().count()).max(1000);
            let value = crate::text::one_line(&value, room);
            result.content = format!("It came to: {value}\n{}", result.content);
            return Ok(result);
        }
        BrowserCall::Tabs(tabs) => return self::tabs(&browser, tabs, cx).await,
        BrowserCall::Snapshot(of) => {
            let glance = browser.snapshot().await?;
            let (notes, blocked) = browser.told();
            let before = told::by_itself(&notes, &blocked, told::is_own(&glance.url, cx));
            return Ok(told::outline(&glance, &before, of.part.unwrap_or(1), cx));
        }
        BrowserCall::Download(download) => {
            no_file(&expected)?;
            return transfer::download(&browser, download, &expected, cx).await;
        }
        BrowserCall::Upload(upload) => return transfer::upload(&browser, upload, &expected, cx).await,
        BrowserCall::ExtractHtml(of) => {
            let (url, html) = browser.html().await?;
            return Ok(told::part(say::html_of, &url, &html, "", of.part.unwrap_or(1), cx));
        }
        BrowserCall::ExtractText(of) => {
            let (url, html) = browser.html().await?;
            // Parsing a large page takes time and stack.
            let text = tokio::task::spawn_blocking(move || deputy_web::markdown(&html)).await;
            let text = text.map_err(BrowserError::refused)?;
            return Ok(told::part(say::text_of, &url, &text, "", of.part.unwrap_or(1), cx));
        }
        BrowserCall::Screenshot(of) => return screenshot(&browser, of.reference.as_deref(), cx).await,
        BrowserCall::Navigate(_) => return Err(BrowserError::NoPage),
    };
    let mut result = told::changes(did, &changes, cx);
    if let Some(aimed) = changes.aimed.as_ref().and_then(|aimed| kept(aimed, &changes.now.url, cx)) {
        result.parts.push(ResultPart::Web(WebPart { aimed: Some(aimed), ..WebPart::default() }));
    }
    Ok(result)
}

/// Stores the picture of a page before an action, for people. If it cannot be stored, the action still continues.
fn kept(aimed: &Aimed, url: &str, cx: &CallContext) -> Option<AimedPicture> {
    let url = crate::text::one_line(url, 300);
    let picture = picture::keep(cx.keeper.as_ref(), &aimed.jpeg, |_, _| say::before_action(url)).ok()??;
    let Aimed { left, top, width, height, .. } = *aimed;
    Some(AimedPicture { picture: InnerPicture::Picture(picture), left, top, width, height })
}

fn no_file(info: &Info) -> Result<(), BrowserError> {
    if info.secret == "file" {
        return Err(BrowserError::Unfit(say::takes_files()));
    }
    Ok(())
}

async fn tabs(browser: &Open, call: call::TabsCall, cx: &CallContext) -> Result<ToolResult, BrowserError> {
    match (call.tab, call.close) {
        (Some(tab), false) => {
            let changes = browser.switch(tab).await?;
            return Ok(told::changes(|url| say::in_tab(tab, url), &changes, cx));
        }
        (Some(tab), true) => browser.close(tab).await?,
        (None, true) => return Err(BrowserError::Unfit(say::name_tab())),
        (None, false) => {}
    }
    let tabs = browser.tabs();
    let summary = say::tabs(tabs.len());
    let content = format!("{summary}\n{}", tabs.join("\n"));
    Ok(ToolResult { summary, ..ToolResult::new(CallStatus::Ok, content) })
}

async fn screenshot(
    browser: &Open,
    reference: Option<&str>,
    cx: &CallContext,
) -> Result<ToolResult, BrowserError> {
    let shot = browser.screenshot(reference).await?;
    let url = crate::text::one_line(&shot.url, 300);
    let alt = |_, (width, height)| say::shot(height, url, width);
    let kept = picture::keep(cx.keeper.as_ref(), &shot.png, alt);
    let kept = kept.map_err(|error| BrowserError::Refused(error.into()))?;
    let Some(picture) = kept else { return Err(BrowserError::Refused(say::no_picture())) };
    let summary = say::picture_of(&picture.alt);
    let content = summary.to_string();
    let parts = vec![ResultPart::Picture(picture)];
    Ok(ToolResult { summary, parts, ..ToolResult::new(CallStatus::Ok, content) })
}
