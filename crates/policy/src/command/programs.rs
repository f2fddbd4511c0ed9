//! Finds the file that a program's name means: in the system's folders for commands that run without asking, and in
//! the user's `PATH` for the rest.

use crate::Situation;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The system's own folders of programs, in which no task can write.
const SYSTEM_FOLDERS: &[&str] =
    &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// A program that the user's `PATH` finds outside the system's folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnProgram {
    pub(crate) path: PathBuf,
    /// Whether the task may write to the program's folder.
    pub(crate) is_of_task: bool,
}

/// Returns the user's own program that a bare name means in an approved command. `None` if the name means a system
/// program or nothing.
pub(crate) fn own(situation: &Situation, name: &str) -> Option<OwnProgram> {
    let folder = situation.path.iter().find(|folder| is_executable(&folder.join(name)))?;
    if name.is_empty()
        || name.contains('/')
        || SYSTEM_FOLDERS.iter().any(|system| folder == Path::new(system))
    {
        return None;
    }
    let real = folder.canonicalize().ok()?;
    let writable = if situation.scope.write.is_empty() {
        vec![situation.workspace.clone()]
    } else {
        situation.scope.write.iter().map(|folder| situation.workspace.join(folder)).collect()
    };
    let is_of_task =
        writable.iter().any(|root| real.starts_with(root.canonicalize().unwrap_or_else(|_| root.clone())));
    Some(OwnProgram { path: folder.join(name), is_of_task })
}

/// Whether the words start, or look up, a program that exists only in the user's own folders and not in the system's.
pub(crate) fn are_only_own(situation: &Situation, words: &[String]) -> bool {
    const TELL_WHERE: &[&str] = &["which", "command", "type", "hash", "whereis"];
    let is_own = |name: &String| !is_of_system(name) && own(situation, name).is_some();
    let Some((program, args)) = words.split_first() else { return false };
    is_own(program) || TELL_WHERE.contains(&program.as_str()) && args.iter().any(is_own)
}

/// Whether the system's folders contain a program with that name.
fn is_of_system(name: &str) -> bool {
    of_system(name).is_some()
}

/// Returns the program with that name in the first of the system's folders that contains it.
pub(super) fn of_system(name: &str) -> Option<PathBuf> {
    let mut places = SYSTEM_FOLDERS.iter().map(|folder| Path::new(folder).join(name));
    places.find(|place| !name.contains('/') && is_executable(place))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tool(folder: &Path, name: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(name), "#!/bin/sh\n").unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_name_means_what_the_persons_path_finds_first() {
        let place = tempfile::tempdir().unwrap();
        let (home, work) = (place.path().join("home"), place.path().join("home/work"));
        tool(&home.join("bin"), "mine");
        tool(&home.join("bin"), "ls");
        tool(&work.join("bin"), "planted");
        let mut situation = Situation::new(&home, &work, place.path().join("deputy"));
        assert_eq!(own(&situation, "mine"), None, "the system's path alone");
        situation.path = vec![home.join("bin"), work.join("bin"), "/usr/bin".into(), "/bin".into()];
        let found = |name: &str| own(&situation, name).map(|own| (own.path, own.is_of_task));
        assert_eq!(found("mine"), Some((home.join("bin/mine"), false)));
        assert_eq!(found("ls"), Some((home.join("bin/ls"), false)), "it is what would run");
        assert_eq!(found("planted"), Some((work.join("bin/planted"), true)));
        assert_eq!(found("cat"), None);
        assert_eq!(found("./mine"), None);
        let only =
            |text: &str| are_only_own(&situation, &text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert!(only("mine --version") && only("which mine") && !only("ls") && !only("which ls nothing"));
    }
}
