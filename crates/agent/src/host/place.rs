//! Validates the folders and files that a start command names, and returns their canonical paths.

use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_organize::suggest::Convention;
use deputy_protocol::{ErrorBody, ErrorCode, Scope};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Returns the canonical path of a workspace.
pub(super) fn workspace(text: &str, home: &Path) -> Result<String, ErrorBody> {
    folder(text, home, ErrorCode::Workspace, "--in DIR")
}

/// Returns the canonical path of a folder of documents.
pub(super) fn documents(text: &str, home: &Path) -> Result<String, ErrorBody> {
    folder(text, home, ErrorCode::Folders, "DIR")
}

/// Returns a warning for a workspace that is the home or contains it. `None` for any other.
pub(super) fn notice(workspace: &Path, home: &Path) -> Option<String> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    let text = if workspace == home {
        say::workspace_is_home()
    } else if home.starts_with(workspace) {
        say::workspace_holds_home()
    } else {
        return None;
    };
    Some(text.into())
}

/// Returns the scope of a task with canonical paths. Paths that do not exist are refused, because it is unknown where
/// they would be.
pub(super) fn scope(scope: Scope, home: &Path) -> Result<Scope, ErrorBody> {
    let folders = |folders: Vec<String>, option: &str| -> Result<Vec<String>, ErrorBody> {
        folders.iter().map(|text| folder(text, home, ErrorCode::Scope, option)).collect()
    };
    let only_files = scope.only_files.iter().map(|text| file(text, home)).collect::<Result<_, _>>()?;
    if let Some(tag) =
        scope.only_tags.iter().find(|tag| tag.trim() != **tag || tag.is_empty() || tag.contains(','))
    {
        let message = say::not_a_tag(tag);
        return Err(ErrorBody::new(ErrorCode::Scope, message, say::tag_has_letter_at_each()));
    }
    if let Some(names) = &scope.names {
        Convention::parse(names).map_err(|error| {
            ErrorBody::new(ErrorCode::Convention, error.phrase(), say::choose_suggested())
        })?;
    }
    Ok(Scope {
        read: folders(scope.read, "--read DIR")?,
        write: folders(scope.write, "--write DIR")?,
        read_only: scope.read_only,
        only_files,
        only_tags: scope.only_tags,
        names: scope.names,
    })
}

fn folder(text: &str, home: &Path, code: ErrorCode, option: &str) -> Result<String, ErrorBody> {
    let hint = say::give_folder_that_exists(option);
    let real = Path::new(text).canonicalize().map_err(|error| {
        let message = match error.kind() {
            ErrorKind::NotFound => say::folder_does_not_exist(text),
            _ => say::folder_cannot_be_opened(error, text),
        };
        ErrorBody::new(code, message, &hint)
    })?;
    if !real.is_dir() {
        return Err(ErrorBody::new(code, say::not_a_folder(text), &hint));
    }
    usable(text, real, home, code, &hint)
}

fn file(text: &str, home: &Path) -> Result<String, ErrorBody> {
    let hint = say::give_file_that_exists();
    let real = Path::new(text)
        .canonicalize()
        .map_err(|error| ErrorBody::new(ErrorCode::Scope, say::file_cannot_be_opened(error, text), &hint))?;
    if !real.is_file() {
        return Err(ErrorBody::new(ErrorCode::Scope, say::not_a_file(text), &hint));
    }
    usable(text, real, home, ErrorCode::Scope, &hint)
}

fn usable(
    text: &str,
    real: PathBuf,
    home: &Path,
    code: ErrorCode,
    hint: &Phrase,
) -> Result<String, ErrorBody> {
    if home.canonicalize().is_ok_and(|home| real.starts_with(home)) {
        return Err(ErrorBody::new(code, say::folder_is_deputys(text), hint));
    }
    real.into_os_string()
        .into_string()
        .map_err(|name| ErrorBody::new(code, say::path_not_utf_8(name.display()), say::rename_it()))
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
            assert!(notice(above, &home).unwrap().starts_with("The workspace contains your whole home:"));
        }
        assert_eq!(notice(&home.join("project"), &home), None);
    }
}
