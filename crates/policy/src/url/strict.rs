//! Addresses parsed only where every parser reads the same host out of them.

use crate::unseen::is_unseen;
use url::{Host, Url};

/// The longest host name, in characters of its ASCII form.
const MAX_HOST_CHARS: usize = 253;
/// The longest label of a host name.
const MAX_LABEL_CHARS: usize = 63;

/// The address, if its text is plain; else why it is refused.
pub(super) fn parse(text: &str) -> Result<Url, String> {
    if text.trim() != text || text.chars().any(char::is_control) {
        return Err("the address holds control characters or blanks at its ends".to_owned());
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return Err("the address does not begin with http:// or https://".to_owned());
    };
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return Err("only http and https addresses are opened".to_owned());
    }
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    check_authority(authority)?;
    let host_text = host_of(authority);
    check_host(host_text)?;
    let url = Url::parse(text).map_err(|error| format!("the address cannot be read: {error}"))?;
    match url.host() {
        Some(Host::Ipv4(address)) if address.to_string() != host_text => {
            Err(format!("the host is an unusual spelling of {address}"))
        }
        Some(Host::Domain(name)) => check_length(name).map(|()| url),
        Some(_) => Ok(url),
        None => Err("the address names no host".to_owned()),
    }
}

fn check_authority(authority: &str) -> Result<(), String> {
    let reason = if authority.is_empty() {
        "the address names no host"
    } else if authority.contains('@') {
        "the address holds a user name or a password"
    } else if authority.contains('\\') {
        "the host holds a backslash, which programs read differently"
    } else if authority.contains('%') {
        "the host holds a percent sign, which programs read differently"
    } else if authority.chars().any(|c| c.is_whitespace() || is_unseen(c)) {
        "the host holds blanks or characters that do not show"
    } else {
        return Ok(());
    };
    Err(reason.to_owned())
}

/// The host part of an authority without a user part.
fn host_of(authority: &str) -> &str {
    if authority.starts_with('[') {
        return authority.find(']').map_or(authority, |end| &authority[..=end]);
    }
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

fn check_host(host: &str) -> Result<(), String> {
    if host.starts_with('[') {
        return Ok(());
    }
    if host.contains('*') {
        return Err("the host holds a star".to_owned());
    }
    for label in host.split('.') {
        if label.is_empty() {
            return Err("the host has an empty label or a dot at its end".to_owned());
        }
        if !label.is_ascii() && !is_plain_international(label) {
            return Err("the host holds letters that turn into other ones".to_owned());
        }
    }
    Ok(())
}

/// Whether a label with letters beyond ASCII is in the form that it comes back as: no look-alike that folds away.
fn is_plain_international(label: &str) -> bool {
    let Ok(ascii) = idna::domain_to_ascii(label) else { return false };
    let (unicode, back) = idna::domain_to_unicode(&ascii);
    ascii.starts_with("xn--") && !ascii.contains('.') && back.is_ok() && unicode == label.to_lowercase()
}

fn check_length(name: &str) -> Result<(), String> {
    if name.len() > MAX_HOST_CHARS || name.split('.').any(|label| label.len() > MAX_LABEL_CHARS) {
        return Err("the host name is longer than names can be".to_owned());
    }
    Ok(())
}
