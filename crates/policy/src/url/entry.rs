//! Entries of the allow-list. An invalid or overly broad entry matches nothing.

use super::address::is_private;
use super::strict;
use std::net::IpAddr;
use url::{Host, Url};

/// Suffixes of names that are valid only on the local network.
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

/// Suffixes below which anyone can get a name, in addition to the public suffix list.
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

/// Texts that some servers take for a slash or for dots, or decode twice.
const DOUBTFUL_IN_PATHS: &[&str] =
    &["%2f", "%5c", "%2e", "%00", "%252e", "%252f", "%255c", "%2525", "\\", "/.."];

/// A parsed entry: a scheme, hosts, a port and possibly a path.
pub(super) struct Entry {
    /// The address of the entry. For `*.host` it is the address of `host`.
    base: Url,
    hosts: Hosts,
    /// Whether the entry covers only paths below the base's path.
    has_path: bool,
}

#[derive(PartialEq, Eq)]
enum Hosts {
    /// The base's host.
    Exact,
    /// Hosts with one or more labels before the base's host.
    Below,
}

impl Entry {
    /// Parses an entry. `None` if it is invalid or too broad.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let entry = if text.contains("://") { Self::parse_address(text) } else { Self::parse_host(text) }?;
        (!entry.is_too_broad()).then_some(entry)
    }

    /// Parses `http://host:port` or `https://host/path/`, which cover exactly that origin and the paths below that
    /// path.
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

    /// Parses `host`, `*.host` or `host:port`, which cover https.
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
            // A star before an IP address is meaningless.
            return self.hosts == Hosts::Below;
        };
        let is_single_label = !name.contains('.');
        (self.hosts == Hosts::Below && is_single_label) || is_public_suffix(name)
    }

    /// Whether the entry covers the address.
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

    /// Whether a path is below the base's path. The parser has already resolved dots. A path with texts that a server
    /// might still take for a slash or for dots is refused, because it might not stay below.
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

    /// Whether the entry names a local host for which this non-public address is expected.
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

/// Whether a name is valid only on this machine or network.
pub(super) fn is_local_name(name: &str) -> bool {
    !name.contains('.') || LOCAL_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether anyone can get a name below this one.
pub(super) fn is_public_suffix(name: &str) -> bool {
    let (unicode, _) = idna::domain_to_unicode(name);
    let is_listed =
        |name: &str| psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known() && suffix == name);
    SHARED_SUFFIXES.contains(&name) || is_listed(name) || is_listed(&unicode)
}
