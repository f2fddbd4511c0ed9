//! Parses addresses strictly: only if every parser finds the same host in them.

use crate::unseen::is_unseen;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use url::{Host, Url};

/// The maximum length of a host name, in characters of its ASCII form.
const MAX_HOST_CHARS: usize = 253;
/// The maximum length of a label of a host name.
const MAX_LABEL_CHARS: usize = 63;

/// Parses an address if its text is plain. The error is the reason for the refusal.
pub(super) fn parse(text: &str) -> Result<Url, Phrase> {
    if text.trim() != text || text.chars().any(char::is_control) {
        return Err(say::address_holds_control_characters());
    }
    let Some((scheme, rest)) = text.split_once("://") else {
        return Err(say::address_does_not_begin());
    };
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return Err(say::only_http_https_addresses());
    }
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    check_authority(authority)?;
    let host_text = host_of(authority);
    check_host(host_text)?;
    let url = Url::parse(text).map_err(say::address_cannot_read)?;
    match url.host() {
        Some(Host::Ipv4(address)) if address.to_string() != host_text => {
            Err(say::host_unusual_spelling(address))
        }
        Some(Host::Domain(name)) => check_length(name).map(|()| url),
        Some(_) => Ok(url),
        None => Err(say::address_names_no_host()),
    }
}

fn check_authority(authority: &str) -> Result<(), Phrase> {
    let reason = if authority.is_empty() {
        say::address_names_no_host()
    } else if authority.contains('@') {
        say::address_holds_user_name()
    } else if authority.contains('\\') {
        say::host_holds_backslash_programs()
    } else if authority.contains('%') {
        say::host_holds_percent_sign()
    } else if authority.chars().any(|c| c.is_whitespace() || is_unseen(c)) {
        say::host_holds_blanks_characters()
    } else {
        return Ok(());
    };
    Err(reason.to_owned())
}

/// Returns the host part of an authority without a user part.
fn host_of(authority: &str) -> &str {
    if authority.starts_with('[') {
        return authority.find(']').map_or(authority, |end| &authority[..=end]);
    }
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

fn check_host(host: &str) -> Result<(), Phrase> {
    if host.starts_with('[') {
        return Ok(());
    }
    if host.contains('*') {
        return Err(say::host_holds_star());
    }
    for label in host.split('.') {
        if label.is_empty() {
            return Err(say::host_empty_label_dot());
        }
        if !label.is_ascii() && !is_plain_international(label) {
            return Err(say::host_holds_letters_turn());
        }
    }
    Ok(())
}

/// Whether a label with non-ASCII letters survives the conversion to ASCII and back, and so contains no look-alikes
/// that are folded away.
fn is_plain_international(label: &str) -> bool {
    let Ok(ascii) = idna::domain_to_ascii(label) else { return false };
    let (unicode, back) = idna::domain_to_unicode(&ascii);
    ascii.starts_with("xn--") && !ascii.contains('.') && back.is_ok() && unicode == label.to_lowercase()
}

fn check_length(name: &str) -> Result<(), Phrase> {
    if name.len() > MAX_HOST_CHARS || name.split('.').any(|label| label.len() > MAX_LABEL_CHARS) {
        return Err(say::host_name_longer_names());
    }
    Ok(())
}
