//! The facts of a `browser` call for policy and for people, based on the last known state of the page.

use super::call::BrowserCall;
use super::transfer::MOST_FILES;
use crate::carried::Carried;
use crate::text::{one_line, shown};
use crate::tool::{InvalidCall, Place};
use deputy_browser::{Browser, Info, PageElement};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use deputy_protocol::{
    Access, Effect, Facts, PageAccess, PageDeed, ReadAccess, Risk, UrlAccess, WriteAccess,
};

/// The maximum lengths of an address or script, and of values, in a permission request, in characters.
const MOST_SHOWN: usize = 300;
const MOST_VALUES: usize = 4000;
/// The maximum number of origins in a request.
const MOST_ORIGINS: usize = 20;

/// Returns the facts, and the last known information about the element that the call acts on.
#[expect(clippy::too_many_lines, reason = "an arm for each action")]
pub(super) fn facts(
    call: &BrowserCall,
    place: &Place,
    browser: Option<&Browser>,
    carried: Option<&Carried>,
) -> Result<(Facts, Info), InvalidCall> {
    let element = |reference: &str| browser.and_then(|browser| browser.element(reference).ok());
    let page = || {
        let url = browser.and_then(Browser::url).unwrap_or_default();
        deputy_policy::url::origin(&url).unwrap_or_else(|| "the page".to_owned())
    };
    // Returns the origin where a text was read that is about to be typed into an element or the page.
    let source = |text: &str, element: Option<&PageElement>| {
        let url = element.map(|element| element.page.clone()).or_else(|| browser.and_then(Browser::url));
        let to = deputy_policy::url::origin(&url.unwrap_or_default()).unwrap_or_default();
        carried.and_then(|carried| carried.source(text, &to))
    };
    let on = |element: Option<&PageElement>, reference: &str| match element {
        Some(element) => {
            let origin = deputy_policy::url::origin(&element.page).unwrap_or_else(|| element.page.clone());
            format!("{} \"{}\" on {origin}", element.role, one_line(&element.name, MOST_SHOWN))
        }
        None => format!("{reference} on {}", page()),
    };
    let acting = |deed: PageDeed, text: String, summary: Phrase, effect: Effect| Facts {
        effect,
        accesses: vec![Access::Page(PageAccess { does: deed, text })],
        summary,
        diff: None,
        plan: None,
        risk: Risk::Low,
    };
    let looking = |say: fn(String) -> Phrase, effect| acting(PageDeed::Look, page(), say(page()), effect);
    let facts = match call {
        BrowserCall::Navigate(to) => {
            return navigating(&to.url, carried).map(|facts| (facts, Info::default()));
        }
        BrowserCall::Allow(allow) => return allowing(&allow.origins).map(|facts| (facts, Info::default())),
        BrowserCall::Click(click) => {
            let seen = element(&click.reference);
            let what = on(seen.as_ref(), &click.reference);
            let info = seen.map(|seen| seen.info).unwrap_or_default();
            let sends = info.elsewhere.as_ref().filter(|elsewhere| elsewhere.submits);
            let (deed, text) = match sends {
                Some(elsewhere) => (PageDeed::SendElsewhere, sent(&what, elsewhere)),
                None => (PageDeed::Act, what.clone()),
            };
            let summary = match sends {
                Some(elsewhere) => say::click_sends(&elsewhere.to, what),
                None => say::click(what),
            };
            return Ok((acting(deed, text, summary, Effect::Mutating), info));
        }
        BrowserCall::Download(download) => {
            let seen = element(&download.reference);
            let what = on(seen.as_ref(), &download.reference);
            let info = seen.map(|seen| seen.info).unwrap_or_default();
            let (deed, text) = match info.elsewhere.as_ref().filter(|elsewhere| elsewhere.submits) {
                Some(elsewhere) => (PageDeed::SendElsewhere, sent(&what, elsewhere)),
                None => (PageDeed::Act, what.clone()),
            };
            let path = place.named(&download.to);
            let summary = say::download(shown(download.to.as_ref()), what);
            let mut facts = acting(deed, text, summary, Effect::Mutating);
            facts.accesses.push(Access::Write(WriteAccess { path }));
            return Ok((facts, info));
        }
        BrowserCall::Upload(upload) => {
            if upload.paths.is_empty() || upload.paths.len() > MOST_FILES {
                let problem = say::expected_files(MOST_FILES);
                return Err(InvalidCall::parameter("browser", "paths", problem));
            }
            let seen = element(&upload.reference);
            let what = on(seen.as_ref(), &upload.reference);
            let info = seen.map(|seen| seen.info).unwrap_or_default();
            let names = upload.paths.iter().map(|path| shown(path.as_ref())).collect::<Vec<_>>().join(", ");
            let text = one_line(&format!("{what}: {names}"), MOST_VALUES);
            let names = one_line(&names, MOST_SHOWN);
            let mut facts = acting(PageDeed::Upload, text, say::upload(names, what), Effect::Mutating);
            let reads = upload.paths.iter().map(|path| Access::Read(ReadAccess { path: place.named(path) }));
            facts.accesses.extend(reads);
            return Ok((facts, info));
        }
        BrowserCall::Fill(fill) => {
            let seen = element(&fill.reference);
            let what = on(seen.as_ref(), &fill.reference);
            let source = source(&fill.text, seen.as_ref());
            let info = seen.map(|seen| seen.info).unwrap_or_default();
            let text = format!("{what}: {}", one_line(&fill.text, MOST_VALUES));
            let (deed, text) = match source {
                _ if !info.secret.is_empty() => (PageDeed::FillSecret, text),
                Some(source) => (PageDeed::CarryOver, carrying(&source, &text)),
                None => (PageDeed::Act, text),
            };
            return Ok((acting(deed, text, say::fill(what), Effect::Mutating), info));
        }
        BrowserCall::Press(press) => {
            let seen = press.reference.as_deref().and_then(element);
            let keys = one_line(&press.keys, MOST_SHOWN);
            let (text, summary) = match &press.reference {
                Some(reference) => {
                    let what = on(seen.as_ref(), reference);
                    (format!("{keys} in {what}"), say::press_in(&keys, what))
                }
                None => (format!("{keys} on {}", page()), say::press_on(&keys, page())),
            };
            let origin =
                seen.as_ref().map(|seen| seen.page.clone()).or_else(|| browser.and_then(Browser::url));
            let origin = deputy_policy::url::origin(&origin.unwrap_or_default()).unwrap_or_default();
            let typed = |text: &str| {
                carried.map_or_else(String::new, |carried| carried.pressed_before(&origin)) + text
            };
            let source = call.written().and_then(|text| source(&typed(&text), seen.as_ref()));
            let info = seen.map(|seen| seen.info).unwrap_or_default();
            let (deed, text) = match &info.elsewhere {
                Some(elsewhere) => (PageDeed::SendElsewhere, sent(&text, elsewhere)),
                None if !info.secret.is_empty() => (PageDeed::FillSecret, text),
                None => match source {
                    Some(source) => (PageDeed::CarryOver, carrying(&source, &text)),
                    None => (PageDeed::Act, text),
                },
            };
            return Ok((acting(deed, text, summary, Effect::Mutating), info));
        }
        BrowserCall::Select(select) => {
            let what = on(element(&select.reference).as_ref(), &select.reference);
            let values = one_line(&select.values.join(", "), MOST_SHOWN);
            acting(PageDeed::Act, format!("{what}: {values}"), say::choose(values, what), Effect::Mutating)
        }
        BrowserCall::Evaluate(evaluate) => {
            let script = one_line(&evaluate.script, MOST_VALUES);
            let summary = say::run_script(page(), one_line(&script, MOST_SHOWN));
            // The browser engine aborts the script if it has side effects.
            if evaluate.only_reads {
                return Ok((acting(PageDeed::Look, page(), summary, Effect::ReadOnly), Info::default()));
            }
            acting(PageDeed::Script, format!("{}: {script}", page()), summary, Effect::Mutating)
        }
        BrowserCall::Snapshot(_) => looking(say::look, Effect::ReadOnly),
        BrowserCall::ExtractText(_) => looking(say::read, Effect::ReadOnly),
        BrowserCall::ExtractHtml(_) => looking(say::read, Effect::ReadOnly),
        BrowserCall::Screenshot(_) => looking(say::picture, Effect::ReadOnly),
        BrowserCall::Hover(hover) => {
            let what = on(element(&hover.reference).as_ref(), &hover.reference);
            acting(PageDeed::Look, page(), say::point_at(page(), what), Effect::Idempotent)
        }
        BrowserCall::Scroll(_) => looking(say::scroll, Effect::Idempotent),
        BrowserCall::Back(_) => looking(say::go_back, Effect::Idempotent),
        BrowserCall::Forward(_) => looking(say::go_forward, Effect::Idempotent),
        BrowserCall::Tabs(_) => looking(say::look_at_tabs, Effect::Idempotent),
        BrowserCall::WaitFor(_) => looking(say::wait, Effect::ReadOnly),
    };
    Ok((facts, Info::default()))
}

/// Describes a form that goes to another origin, with all the data that it sends.
fn sent(what: &str, elsewhere: &deputy_browser::Elsewhere) -> String {
    let fields = elsewhere.fields.iter().map(|(name, value)| format!("{name}={value}"));
    let fields = fields.collect::<Vec<_>>().join(", ");
    one_line(&format!("{what} → {}: {fields}", elsewhere.to), MOST_VALUES)
}

/// Returns access to an origin. The browser stays open and later requests of the page go to the same origin, so policy
/// judges the origin instead of the address.
fn origin_access(url: &str, subresource: bool) -> Access {
    let url = deputy_policy::url::origin(url).map_or_else(|| url.to_owned(), |origin| format!("{origin}/"));
    Access::Url(UrlAccess { url, subresource })
}

fn navigating(url: &str, carried: Option<&Carried>) -> Result<Facts, InvalidCall> {
    let address = one_line(&deputy_policy::url::canonical(url).unwrap_or_else(|| url.to_owned()), MOST_SHOWN);
    let summary = match deputy_policy::url::site(url) {
        Some(site) => say::open_site(site, address),
        None => say::open(address),
    };
    let mut accesses = vec![origin_access(url, false)];
    accesses.extend(carried.and_then(|carried| carried_in_address(carried, url)));
    Ok(Facts { effect: Effect::Idempotent, accesses, summary, diff: None, plan: None, risk: Risk::Low })
}

/// Returns the access of carrying data from one origin to another in an address, which a person has to approve.
pub(crate) fn carried_in_address(carried: &Carried, url: &str) -> Option<Access> {
    let source = carried.source_of_address(url)?;
    let address = deputy_policy::url::canonical(url).unwrap_or_else(|| url.to_owned());
    Some(Access::Page(PageAccess { does: PageDeed::CarryOver, text: carrying(&source, &address) }))
}

/// Returns the access of carrying a text from one origin to another, which a person has to approve.
pub(crate) fn carried_over(carried: &Carried, text: &str, to: &str) -> Option<Access> {
    let origin = deputy_policy::url::origin(to).unwrap_or_default();
    let source = carried.source(text, &origin)?;
    let text = carrying(&source, &format!("{origin}: {text}"));
    Some(Access::Page(PageAccess { does: PageDeed::CarryOver, text }))
}

/// Formats the carried data and the origin where it was read.
fn carrying(source: &str, what: &str) -> String {
    one_line(&format!("{source} → {what}"), MOST_VALUES)
}

fn allowing(origins: &[String]) -> Result<Facts, InvalidCall> {
    if origins.is_empty() || origins.len() > MOST_ORIGINS {
        let problem = say::expected_addresses(MOST_ORIGINS);
        return Err(InvalidCall::parameter("browser", "origins", problem));
    }
    let host = |origin: &String| url::Url::parse(origin).ok()?.host_str().map(str::to_owned);
    if let Some(tracker) = origins.iter().filter_map(host).find(|host| deputy_browser::is_tracker(host)) {
        return Err(InvalidCall::parameter("browser", "origins", say::is_tracker(tracker)));
    }
    let accesses: Vec<Access> = origins.iter().map(|origin| origin_access(origin, true)).collect();
    let names = accesses.iter().filter_map(|access| match access {
        Access::Url(access) => Some(access.url.trim_end_matches('/').to_owned()),
        _ => None,
    });
    let names = one_line(&names.collect::<Vec<_>>().join(", "), MOST_SHOWN);
    let summary = say::load_from(names);
    Ok(Facts { effect: Effect::Idempotent, accesses, summary, diff: None, plan: None, risk: Risk::Low })
}
