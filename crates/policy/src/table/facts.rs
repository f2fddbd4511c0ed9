//! The facts about the machine that a command must read to report them: for `df`, the mounts.

use super::lookup;
use std::path::PathBuf;

/// Returns the paths of the facts that a command is meant to report.
pub(crate) fn facts(argv: &[String]) -> Vec<PathBuf> {
    let Some((entry, _)) = lookup(argv) else { return Vec::new() };
    entry.sees.iter().flat_map(paths).collect()
}

fn paths(text: &str) -> Vec<PathBuf> {
    let Some(folder) = text.strip_suffix("/*") else { return vec![text.into()] };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::entry::table;

    #[test]
    fn only_the_machines_own_places_are_seen() {
        const PLACES: [&str; 10] = [
            "/var/cache/man",
            "/var/cache/apt",
            "/var/lib/apt",
            "/var/lib/dpkg",
            "/proc/modules",
            "/proc/diskstats",
            "/proc/self/mountinfo",
            "/proc/sys/",
            "/sys/",
            "/run/utmp",
        ];
        for entry in &table().entries {
            for path in entry.sees.iter() {
                assert!(PLACES.iter().any(|place| path.starts_with(place)), "{}: {path}", entry.name);
            }
        }
    }

    #[test]
    fn a_command_sees_what_it_is_for() {
        let of = |text: &str| facts(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(of("df -h"), [PathBuf::from("/proc/self/mountinfo")]);
        assert!(of("ls -l").is_empty() && of("nothing").is_empty());
        let folders = of("lsblk").len();
        assert!(folders >= 3, "{folders}");
    }
}
