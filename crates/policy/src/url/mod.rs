//! Web addresses: which ones the allow-list names, and which are refused whatever it says.
//!
//! The text is checked before it is parsed, because parsers repair what people would read differently. Redirects and a
//! page's own requests are judged like fresh addresses, and the network address of a name is judged too.

mod address;
mod entry;
mod strict;

use crate::Situation;
use crate::unseen::escape;
use address::is_public;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk, UrlAccess};
use entry::Entry;
use std::net::IpAddr;
use url::{Host, Url};

/// The most redirects that are followed.
pub const MAX_REDIRECTS: usize = 20;
/// The most characters of an address that are shown.
const MAX_SHOWN_CHARS: usize = 200;
/// The page of a fresh tab: it requests nothing.
const BLANK_PAGE: &str = "about:blank";

/// Judges an address: allowed where an entry of the allow-list names it, refused where its text cannot be trusted.
pub fn judge(situation: &Situation, access: &UrlAccess) -> Part {
    let part = |text: String, decision, risk, reason: Phrase| Part {
        kind: PartKind::Host,
        text: escape(&text),
        decision,
        risk,
        reason,
    };
    if access.url.eq_ignore_ascii_case(BLANK_PAGE) {
        return part(BLANK_PAGE.to_owned(), Decision::Allow, Risk::Low, say::empty_page_requests_nothing());
    }
    let url = match strict::parse(&access.url) {
        Ok(url) => url,
        Err(reason) => return part(shown(&access.url), Decision::Deny, Risk::High, reason),
    };
    let origin = url.origin().ascii_serialization();
    if let Some(entry) = admitting(situation, &url) {
        return part(origin, Decision::Allow, Risk::Low, say::allow_list_names(escape(entry)));
    }
    let is_local = is_local(&url);
    let risk = if is_local { Risk::High } else { Risk::Medium };
    let reason = match (access.subresource, is_local) {
        (true, true) => say::requests_unnamed_service(),
        (true, false) => say::requests_unnamed_host(),
        (false, true) => say::opens_unnamed_service(),
        (false, false) => say::opens_unnamed_host(),
    };
    part(origin, Decision::Ask, risk, reason)
}

/// The origin of an address in canonical form, `scheme://host[:port]`; `None` where the address would be refused.
pub fn origin(text: &str) -> Option<String> {
    strict::parse(text).ok().map(|url| url.origin().ascii_serialization())
}

/// The address as it is requested, in ASCII and without the fragment; `None` where it would be refused.
pub fn canonical(text: &str) -> Option<String> {
    let mut url = strict::parse(text).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

/// The name that the host of an address was registered under, as `example.co.uk` for `www.example.co.uk`; `None` for numbers,
/// names of this machine or network, and addresses that would be refused.
pub fn site(text: &str) -> Option<String> {
    let url = strict::parse(text).ok()?;
    let Some(Host::Domain(name)) = url.host() else { return None };
    if entry::is_local_name(name) {
        return None;
    }
    psl::domain_str(name).map(str::to_owned)
}

/// Whether two addresses belong to one site: the same registered name, by the same scheme, on its usual port. Names that
/// anybody can get below a shared one are sites of their own, and so is every name and number of this machine and network.
pub fn is_same_site(one: &str, other: &str) -> bool {
    let (Ok(one), Ok(other)) = (strict::parse(one), strict::parse(other)) else { return false };
    let site = |url: &Url| match url.host() {
        Some(Host::Domain(name)) if !entry::is_local_name(name) => {
            psl::domain_str(name).filter(|site| !entry::is_public_suffix(site)).map(str::to_owned)
        }
        _ => None,
    };
    let is_usual = |url: &Url| url.port().is_none();
    one.scheme() == other.scheme()
        && is_usual(&one)
        && is_usual(&other)
        && site(&one).is_some_and(|site_of_one| site(&other) == Some(site_of_one))
}

/// The entry of the allow-list that names the address, if one does.
pub fn entry_for<'a>(situation: &'a Situation, text: &str) -> Option<&'a str> {
    admitting(situation, &strict::parse(text).ok()?)
}

/// Whether a connection may go to `address`, which the host of an address admitted by `entry` resolved to.
///
/// Only public addresses may, unless the entry itself names a local host. The caller connects to the very address
/// that was judged.
pub fn judge_address(entry: &str, address: IpAddr) -> Result<(), Phrase> {
    if is_public(address) || Entry::parse(entry).is_some_and(|entry| entry.names_local(address)) {
        return Ok(());
    }
    Err(say::not_public_address_allow(address, escape(entry)))
}

/// The address that a redirect or a page's navigation leads to, as text to be judged afresh.
pub fn follow(base: &str, location: &str) -> Result<String, Phrase> {
    let base = strict::parse(base)?;
    if location.chars().any(char::is_control) || location.trim() != location {
        return Err(say::redirect_holds_control_characters());
    }
    if location.bytes().take(2).any(|byte| byte == b'\\') {
        return Err(say::redirect_uses_backslash_programs());
    }
    if let Some(rest) = location.strip_prefix("//") {
        return Ok(format!("{}://{rest}", base.scheme()));
    }
    if has_scheme(location) {
        return Ok(location.to_owned());
    }
    base.join(location).map(String::from).map_err(say::redirect_no_address)
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

fn admitting<'a>(situation: &'a Situation, url: &Url) -> Option<&'a str> {
    situation
        .allow_hosts
        .iter()
        .map(String::as_str)
        .find(|entry| Entry::parse(entry).is_some_and(|entry| entry.admits(url)))
}

/// Whether the host is one of this machine or network by its name or number.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => !is_public(address.into()),
        Some(Host::Ipv6(address)) => !is_public(address.into()),
        Some(Host::Domain(name)) => entry::is_local_name(name),
        None => true,
    }
}

/// A refused address for people: without a password, and not longer than a screen bears.
fn shown(text: &str) -> String {
    let hidden = match text.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            match rest[..end].rfind('@') {
                Some(at) => format!("{scheme}://…{}", &rest[at..]),
                None => text.to_owned(),
            }
        }
        None => text.to_owned(),
    };
    let mut characters = hidden.chars();
    let start: String = characters.by_ref().take(MAX_SHOWN_CHARS).collect();
    if characters.next().is_some() { start + "…" } else { start }
}
