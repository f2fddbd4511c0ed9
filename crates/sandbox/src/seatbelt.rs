//! Seatbelt, the sandbox of macOS: creates the profile text for `sandbox-exec -p`.
//!
//! The text is only created and tested here. This crate does not start commands on macOS yet.

use deputy_protocol::Confinement;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The input of a profile. All paths are real paths, because Seatbelt compares those.
#[derive(Clone, Debug)]
pub struct SeatbeltGrants {
    /// The confinement. [`Confinement::Open`] has no profile.
    pub confinement: Confinement,
    /// Folders that the command may read in addition to the system folders.
    pub readable: Vec<PathBuf>,
    /// Folders that the command may change, with [`Confinement::Workspace`] or more.
    pub writable: Vec<PathBuf>,
    /// Paths that are never readable.
    pub hidden: Vec<PathBuf>,
    /// Paths that are never writable.
    pub frozen: Vec<PathBuf>,
}

/// System folders of macOS that every command may read.
const SYSTEM: [&str; 9] = [
    "/Library",
    "/System",
    "/bin",
    "/opt/homebrew",
    "/private/etc",
    "/private/var/db/timezone",
    "/sbin",
    "/usr",
    "/dev",
];

/// Returns the profile for a confinement. `None` if nothing is confined. If several rules match, Seatbelt uses the last
/// one, so exceptions come at the end.
pub fn seatbelt_profile(grants: &SeatbeltGrants) -> Option<String> {
    if grants.confinement == Confinement::Open {
        return None;
    }
    let mut text = String::from("(version 1)\n(deny default)\n");
    let mut line = |rule: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{rule}");
    };
    line("(allow process-fork)");
    line("(allow process-exec)");
    line("(allow signal (target same-sandbox))");
    line("(allow sysctl-read)");
    line("(allow file-read-metadata)");
    for folder in SYSTEM.map(Path::new).into_iter().chain(grants.readable.iter().map(PathBuf::as_path)) {
        line(&format!("(allow file-read* {})", below(folder)));
    }
    line("(allow file-write-data (literal \"/dev/null\"))");
    if grants.confinement >= Confinement::Workspace {
        for folder in &grants.writable {
            line(&format!("(allow file-read* file-write* {})", below(folder)));
        }
        // Setuid programs must not be created.
        line("(deny file-write-setugid)");
    }
    if grants.confinement == Confinement::WorkspaceNet {
        line("(allow network-outbound (remote ip))");
        line("(allow network-inbound (local ip))");
        line("(allow mach-lookup (global-name \"com.apple.dnssd.service\"))");
    }
    for path in &grants.frozen {
        line(&format!("(deny file-write* {})", below(path)));
        // The path must not be moved together with a parent folder either.
        for above in path
            .ancestors()
            .skip(1)
            .take_while(|above| grants.writable.iter().any(|root| above.starts_with(root)))
        {
            line(&format!("(deny file-write-unlink (literal {}))", quoted(above)));
        }
    }
    for path in &grants.hidden {
        line(&format!("(deny file-read* file-write* {})", below(path)));
    }
    Some(text)
}

/// Returns a filter for the path and everything below it.
fn below(path: &Path) -> String {
    format!("(subpath {})", quoted(path))
}

/// Quotes a path as a string of the profile language.
fn quoted(path: &Path) -> String {
    let escaped = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grants(confinement: Confinement) -> SeatbeltGrants {
        SeatbeltGrants {
            confinement,
            readable: vec!["/Users/me/read".into()],
            writable: vec!["/Users/me/work".into()],
            hidden: vec!["/Users/me/work/.env".into()],
            frozen: vec!["/Users/me/work/.git/hooks".into()],
        }
    }

    #[test]
    fn open_has_no_profile_and_all_others_deny_by_default() {
        assert_eq!(seatbelt_profile(&grants(Confinement::Open)), None);
        for level in [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet] {
            let profile = seatbelt_profile(&grants(level)).unwrap();
            assert!(profile.starts_with("(version 1)\n(deny default)\n"));
            assert!(profile.contains("(allow file-read* (subpath \"/Users/me/read\"))"));
            assert!(
                profile
                    .trim_end()
                    .ends_with("(deny file-read* file-write* (subpath \"/Users/me/work/.env\"))"),
                "the last rule wins"
            );
            let brackets = |bracket| profile.matches(bracket).count();
            assert_eq!(brackets('('), brackets(')'));
        }
    }

    #[test]
    fn each_level_allows_what_the_one_before_does_not() {
        let [read_only, workspace, net] =
            [Confinement::ReadOnly, Confinement::Workspace, Confinement::WorkspaceNet]
                .map(|level| seatbelt_profile(&grants(level)).unwrap());
        let writes = "(allow file-read* file-write* (subpath \"/Users/me/work\"))";
        assert!(!read_only.contains(writes) && workspace.contains(writes) && net.contains(writes));
        assert!(
            !read_only.contains("network")
                && !workspace.contains("network")
                && net.contains("(allow network-outbound (remote ip))")
        );
        assert!(workspace.contains("(deny file-write* (subpath \"/Users/me/work/.git/hooks\"))"));
        assert!(workspace.contains("(deny file-write-unlink (literal \"/Users/me/work/.git\"))"));
    }

    #[test]
    fn names_cannot_break_out_of_their_quotes() {
        let mut odd = grants(Confinement::ReadOnly);
        odd.readable = vec!["/a\"))(allow default)\\".into()];
        assert!(seatbelt_profile(&odd).unwrap().contains(r#"(subpath "/a\"))(allow default)\\")"#));
    }
}
