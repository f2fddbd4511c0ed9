//! Where a task may work: the folders and files that a start command names, as real paths.

use deputy_protocol::{ErrorBody, ErrorCode, Scope};
use std::path::{Path, PathBuf};

/// The folder to work in.
pub(super) fn workspace(text: &str, home: &Path) -> Result<String, ErrorBody> {
    folder(text, home, ErrorCode::Workspace, "--in DIR")
}

/// A folder of documents.
pub(super) fn documents(text: &str, home: &Path) -> Result<String, ErrorBody> {
    folder(text, home, ErrorCode::Folders, "DIR")
}

/// What a person should know of a workspace that is the home or holds it; `None` for any other.
pub(super) fn notice(workspace: &Path, home: &Path) -> Option<String> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    let text = if workspace == home {
        "The workspace is your whole home: commands that you allow see everything in it but known secrets, and may change all of it but what starts by itself (shells, autostart, programs, git, package managers). A narrower folder keeps them to it."
    } else if home.starts_with(workspace) {
        "The workspace holds your whole home: commands that you allow see everything in it but known secrets, and may change all of it but what starts by itself (shells, autostart, programs, git, package managers). A narrower folder keeps them to it."
    } else {
        return None;
    };
    Some(text.to_owned())
}

/// What the task may touch. What does not exist is refused: nobody could say where it would lie.
pub(super) fn scope(scope: Scope, home: &Path) -> Result<Scope, ErrorBody> {
    let folders = |folders: Vec<String>, option: &str| -> Result<Vec<String>, ErrorBody> {
        folders.iter().map(|text| folder(text, home, ErrorCode::Scope, option)).collect()
    };
    let only_files = scope.only_files.iter().map(|text| file(text, home)).collect::<Result<_, _>>()?;
    if let Some(tag) =
        scope.only_tags.iter().find(|tag| tag.trim() != **tag || tag.is_empty() || tag.contains(','))
    {
        let message = format!("`{tag}` is no tag.");
        return Err(ErrorBody::new(
            ErrorCode::Scope,
            message,
            "A tag has a letter at each end, and no comma: `--tag TAG`.",
        ));
    }
    Ok(Scope {
        read: folders(scope.read, "--read DIR")?,
        write: folders(scope.write, "--write DIR")?,
        only_files,
        only_tags: scope.only_tags,
    })
}

fn folder(text: &str, home: &Path, code: ErrorCode, option: &str) -> Result<String, ErrorBody> {
    let hint = format!("Give a folder that exists with `{option}`.");
    let real = Path::new(text).canonicalize().map_err(|error| {
        ErrorBody::new(code, format!("The folder {text} cannot be opened: {error}."), hint.as_str())
    })?;
    if !real.is_dir() {
        return Err(ErrorBody::new(code, format!("{text} is not a folder."), hint.as_str()));
    }
    usable(text, real, home, code, &hint)
}

fn file(text: &str, home: &Path) -> Result<String, ErrorBody> {
    let hint = "Give a file that exists with `--only FILE`.";
    let real = Path::new(text).canonicalize().map_err(|error| {
        ErrorBody::new(ErrorCode::Scope, format!("The file {text} cannot be opened: {error}."), hint)
    })?;
    if !real.is_file() {
        return Err(ErrorBody::new(ErrorCode::Scope, format!("{text} is not a file."), hint));
    }
    usable(text, real, home, ErrorCode::Scope, hint)
}

fn usable(text: &str, real: PathBuf, home: &Path, code: ErrorCode, hint: &str) -> Result<String, ErrorBody> {
    if home.canonicalize().is_ok_and(|home| real.starts_with(home)) {
        return Err(ErrorBody::new(code, format!("{text} is Deputy's own; no task works there."), hint));
    }
    real.into_os_string().into_string().map_err(|name| {
        ErrorBody::new(code, format!("The path {} is not valid UTF-8.", name.display()), "Rename it.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_as_workspace_is_said_plainly() {
        let ground = tempfile::tempdir().unwrap();
        let home = ground.path().canonicalize().unwrap().join("home/ada");
        std::fs::create_dir_all(home.join("project")).unwrap();
        assert!(notice(&home, &home).unwrap().starts_with("The workspace is your whole home:"));
        for above in [Path::new("/"), home.parent().unwrap()] {
            assert!(notice(above, &home).unwrap().starts_with("The workspace holds your whole home:"));
        }
        assert_eq!(notice(&home.join("project"), &home), None);
    }
}
