//! Web addresses: those that the allow-list covers, and those that are always refused.
//!
//! The text is checked before it is parsed, because parsers silently fix what people would read differently.
//! Redirects and a page's own requests are judged like new addresses, and the network address to which a name
//! resolves is judged too.

mod address;
mod entry;
mod strict;

use crate::Situation;
use crate::unseen::escape;
use address::is_public;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk, UrlAccess};
use entry::Entry;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// The maximum number of redirects that are followed.
pub const MAX_REDIRECTS: usize = 20;
/// The maximum number of characters of an address that are shown.
const MAX_SHOWN_CHARS: usize = 200;
/// The page of a new tab. It requests nothing.
const BLANK_PAGE: &str = "about:blank";

/// Judges an address: allows it if an entry of the allow-list covers it, and refuses it if its text cannot be
/// trusted.
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
    if own_port(&url).is_some_and(|port| situation.own_ports.contains(&port)) {
        return part(origin, Decision::Allow, Risk::Low, say::opens_own_server());
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

/// Returns the origin of an address in canonical form, `scheme://host[:port]`. `None` if the address would be
/// refused.
pub fn origin(text: &str) -> Option<String> {
    strict::parse(text).ok().map(|url| url.origin().ascii_serialization())
}

/// Returns the port of an address that may be that of a server which the task started: its host is literally this
/// machine. `None` for other addresses, also for names that lead to this machine.
pub fn loopback_port(text: &str) -> Option<u16> {
    own_port(&strict::parse(text).ok()?)
}

fn own_port(url: &Url) -> Option<u16> {
    let is_literal = match url.host()? {
        Host::Ipv4(address) => address == Ipv4Addr::LOCALHOST,
        Host::Ipv6(address) => address == Ipv6Addr::LOCALHOST,
        Host::Domain(name) => name == "localhost",
    };
    url.port_or_known_default().filter(|_| is_literal)
}

/// Returns the address as it is requested, in ASCII and without the fragment. `None` if it would be refused.
pub fn canonical(text: &str) -> Option<String> {
    let mut url = strict::parse(text).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

/// Returns the registered domain of an address's host, such as `example.co.uk` for `www.example.co.uk`. `None` for IP
/// addresses, names of this machine or network, and addresses that would be refused.
pub fn site(text: &str) -> Option<String> {
    let url = strict::parse(text).ok()?;
    let Some(Host::Domain(name)) = url.host() else { return None };
    if entry::is_local_name(name) {
        return None;
    }
    psl::domain_str(name).map(str::to_owned)
}

/// Whether two addresses belong to the same site: the same registered domain and scheme, on the default port. Names
/// that anyone can get below a shared suffix are separate sites, and names and IP addresses of this machine and
/// network never belong to the same site.
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

/// Returns the entry of the allow-list that covers the address, if any.
pub fn entry_for<'a>(situation: &'a Situation, text: &str) -> Option<&'a str> {
    admitting(situation, &strict::parse(text).ok()?)
}

/// Checks whether a connection to `address` is allowed, to which the host of an address admitted by `entry` resolved.
///
/// Only public addresses are allowed, unless the entry itself names a local host. The caller must connect to exactly
/// the address that was judged.
pub fn judge_address(entry: &str, address: IpAddr) -> Result<(), Phrase> {
    if is_public(address) || Entry::parse(entry).is_some_and(|entry| entry.names_local(address)) {
        return Ok(());
    }
    Err(say::not_public_address_allow(address, escape(entry)))
}

/// Returns the address to which a redirect or a page's navigation leads, as text to be judged again.
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

/// Whether the host is on this machine or network, according to its name or IP address.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => !is_public(address.into()),
        Some(Host::Ipv6(address)) => !is_public(address.into()),
        Some(Host::Domain(name)) => entry::is_local_name(name),
        None => true,
    }
}

/// Formats a refused address for people, without its password and truncated.
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
