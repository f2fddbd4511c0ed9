//! Entries of the allow-list. An entry that is invalid or too broad matches nothing.

use super::address::is_private;
use super::strict;
use std::net::IpAddr;
use url::{Host, Url};

/// Endings of names that only mean something on the local network.
const LOCAL_ENDINGS: &[&str] = &[
    ".localhost",
    ".local",
    ".internal",
    ".lan",
    ".home",
    ".home.arpa",
    ".corp",
    ".intranet",
    ".localdomain",
];

/// Suffixes below which anybody gets a name, besides those of the public suffix list.
const SHARED_SUFFIXES: &[&str] = &[
    "amazonaws.com",
    "azurewebsites.net",
    "blogspot.com",
    "cloudfront.net",
    "duckdns.org",
    "firebaseapp.com",
    "fly.dev",
    "github.io",
    "githubusercontent.com",
    "gitlab.io",
    "glitch.me",
    "googleapis.com",
    "googleusercontent.com",
    "herokuapp.com",
    "localtest.me",
    "lvh.me",
    "netlify.app",
    "ngrok-free.app",
    "ngrok.app",
    "ngrok.io",
    "nip.io",
    "onrender.com",
    "pages.dev",
    "readthedocs.io",
    "replit.app",
    "replit.dev",
    "sslip.io",
    "surge.sh",
    "trycloudflare.com",
    "vercel.app",
    "web.app",
    "windows.net",
    "wordpress.com",
    "workers.dev",
    "xip.io",
];

/// What some servers take for a slash, for dots, or decode twice.
const DOUBTFUL_IN_PATHS: &[&str] =
    &["%2f", "%5c", "%2e", "%00", "%252e", "%252f", "%255c", "%2525", "\\", "/.."];

/// What an entry names: a scheme, hosts, a port and perhaps a path.
pub(super) struct Entry {
    /// The address of the entry; for `*.host` that of the base.
    base: Url,
    hosts: Hosts,
    /// Whether only what lies below the base's path is meant.
    has_path: bool,
}

#[derive(PartialEq, Eq)]
enum Hosts {
    /// The base's host.
    Exact,
    /// One or more labels in front of the base's host.
    Below,
}

impl Entry {
    /// Reads an entry; `None` where it is invalid or too broad.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let entry = if text.contains("://") { Self::parse_address(text) } else { Self::parse_host(text) }?;
        (!entry.is_too_broad()).then_some(entry)
    }

    /// `http://host:port`, `https://host/path/`: exactly that origin, and below that path.
    fn parse_address(text: &str) -> Option<Self> {
        if text.contains(['?', '#', '%', '\\', '*'])
            || text.contains("/.")
            || text.contains(char::is_whitespace)
        {
            return None;
        }
        let base = strict::parse(text).ok()?;
        let has_path = base.path() != "/";
        Some(Self { base, hosts: Hosts::Exact, has_path })
    }

    /// `host`, `*.host`, `host:port`: over https.
    fn parse_host(text: &str) -> Option<Self> {
        if text.contains(['/', '?', '#', '\\']) {
            return None;
        }
        let (hosts, host) = match text.strip_prefix("*.") {
            Some(host) => (Hosts::Below, host),
            None => (Hosts::Exact, text),
        };
        let base = strict::parse(&format!("https://{host}/")).ok()?;
        Some(Self { base, hosts, has_path: false })
    }

    fn is_too_broad(&self) -> bool {
        let Some(Host::Domain(name)) = self.base.host() else {
            // A star in front of a number means nothing.
            return self.hosts == Hosts::Below;
        };
        let is_single_label = !name.contains('.');
        (self.hosts == Hosts::Below && is_single_label) || is_public_suffix(name)
    }

    /// Whether the entry names the address.
    pub(super) fn admits(&self, url: &Url) -> bool {
        self.base.scheme() == url.scheme()
            && self.base.port_or_known_default() == url.port_or_known_default()
            && self.admits_host(url)
            && (!self.has_path || self.admits_path(url.path()))
    }

    fn admits_host(&self, url: &Url) -> bool {
        match (&self.hosts, self.base.host(), url.host()) {
            (Hosts::Exact, base, host) => base == host,
            (Hosts::Below, Some(Host::Domain(base)), Some(Host::Domain(name))) => {
                name.strip_suffix(base).is_some_and(|front| front.len() > 1 && front.ends_with('.'))
            }
            (Hosts::Below, _, _) => false,
        }
    }

    /// Whether a path lies below the base's. The parser has already taken dots out; what a server may take for a
    /// slash or for dots all the same is not proven to stay below.
    fn admits_path(&self, path: &str) -> bool {
        let lower = path.to_ascii_lowercase();
        let is_doubtful = DOUBTFUL_IN_PATHS.iter().any(|it| lower.contains(it));
        let base = self.base.path();
        let is_below = if base.ends_with('/') {
            path.starts_with(base)
        } else {
            path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_below && !is_doubtful
    }

    /// Whether the entry names a local host for which this address, which is not public, is the expected one.
    pub(super) fn names_local(&self, address: IpAddr) -> bool {
        if self.hosts == Hosts::Below {
            return false;
        }
        match self.base.host() {
            Some(Host::Ipv4(named)) => address == IpAddr::from(named),
            Some(Host::Ipv6(named)) => address == IpAddr::from(named),
            Some(Host::Domain(name)) if name == "localhost" || name.ends_with(".localhost") => {
                address.is_loopback()
            }
            Some(Host::Domain(name)) => is_local_name(name) && is_private(address),
            None => false,
        }
    }
}

/// Whether a name means something on this machine or network only.
pub(super) fn is_local_name(name: &str) -> bool {
    !name.contains('.') || LOCAL_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether anybody can get a name below this one.
pub(super) fn is_public_suffix(name: &str) -> bool {
    let (unicode, _) = idna::domain_to_unicode(name);
    let is_listed =
        |name: &str| psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known() && suffix == name);
    SHARED_SUFFIXES.contains(&name) || is_listed(name) || is_listed(&unicode)
}
