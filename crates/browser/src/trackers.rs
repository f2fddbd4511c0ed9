//! Known trackers: pages never load them, and the person is never asked about them.

/// One domain per line; its subdomains are included.
const TRACKERS: &str = include_str!("trackers.txt");

/// Returns whether a host is a known tracker.
pub fn is_tracker(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_it = |tracker: &str| {
        host.strip_suffix(tracker).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    TRACKERS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).any(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_below_a_tracker_are_trackers_and_others_are_not() {
        for host in ["doubleclick.net", "stats.g.doubleclick.net", "WWW.Google-Analytics.com."] {
            assert!(is_tracker(host), "{host}");
        }
        for host in ["example.com", "notdoubleclick.net", "doubleclick.net.example.com", "google.com", ""] {
            assert!(!is_tracker(host), "{host}");
        }
    }
}
