//! Completions of a folder path that is being typed.

use super::{aside, organize_home, typed};
use crate::core::Core;
use crate::host::place;
use deputy_protocol::{Answers, ErrorBody, FoldersAnswer, FoldersQuery};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of folders offered at once.
const MOST_OFFERED: usize = 50;
/// The maximum number of names examined in one folder. In a larger folder, more of the name has to be typed.
const MOST_LOOKED_AT: usize = 20_000;

/// Completes paths.
pub(in crate::host) struct Folders {
    pub(in crate::host) core: Arc<Core>,
}

impl Answers<FoldersQuery> for Folders {
    /// A folder that cannot be read has no completions; this is not an error.
    async fn answer(&self, query: FoldersQuery) -> Result<FoldersAnswer, ErrorBody> {
        let (own, user_home) = (self.core.home.clone(), self.core.user_home.clone());
        let secrets = organize_home(&self.core).secrets(&user_home);
        let typed = typed(&self.core, &query.path);
        let is_whole = query.path.is_empty() || query.path.ends_with('/') || query.path == "~";
        aside(deputy_messages::agent::looking_for_folders_broke_off, move || {
            let (folder, begin) = if is_whole {
                (typed.clone(), String::new())
            } else {
                let name = typed.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
                (typed.parent().unwrap_or(Path::new("/")).to_owned(), name)
            };
            let is_offered = |path: &Path| !path.starts_with(&own) && !secrets.holds(path);
            let mut folders: Vec<String> = Vec::new();
            if folder.is_absolute() && is_offered(&folder) {
                let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
                for entry in entries.take(MOST_LOOKED_AT) {
                    let Ok(name) = entry.file_name().into_string() else { continue };
                    let is_meant = name.to_lowercase().starts_with(&begin)
                        && (begin.starts_with('.') || !name.starts_with('.'))
                        && entry.file_type().is_ok_and(|kind| kind.is_dir());
                    let path = folder.join(&name);
                    if is_meant && is_offered(&path) {
                        folders.push(path.to_string_lossy().into_owned());
                    }
                }
            }
            folders.sort_by_cached_key(|path| path.to_lowercase());
            folders.truncate(MOST_OFFERED);
            let named = typed.to_str().filter(|_| typed.is_absolute() && is_offered(&typed));
            let folder = named.and_then(|path| place::workspace(path, &own).ok());
            let usual = usual(&user_home).into_iter().filter(|path| is_offered(path));
            let usual = usual.filter_map(|path| path.into_os_string().into_string().ok()).collect();
            let home = user_home.to_string_lossy().into_owned();
            Ok(FoldersAnswer { folder, folders, usual, home })
        })
        .await
    }
}

/// Returns folders that often need tidying, by their keys in the desktop's `user-dirs.dirs`.
fn usual(user_home: &Path) -> Vec<PathBuf> {
    let kept = std::fs::read_to_string(user_home.join(".config/user-dirs.dirs")).unwrap_or_default();
    let folder = |(key, name): (&str, &str)| {
        let line = kept.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix('='));
        let value = line.map(|value| value.trim().trim_matches('"'));
        match value
            .map(|value| value.strip_prefix("$HOME").map_or(value, |rest| rest.trim_start_matches('/')))
        {
            // Desktops set a missing folder to the home itself.
            Some("") => None,
            Some(path) => Some(user_home.join(path)),
            None => Some(user_home.join(name)),
        }
    };
    let named = [
        ("XDG_DOWNLOAD_DIR", "Downloads"),
        ("XDG_DESKTOP_DIR", "Desktop"),
        ("XDG_DOCUMENTS_DIR", "Documents"),
        ("XDG_PICTURES_DIR", "Pictures"),
    ];
    named.into_iter().filter_map(folder).filter(|path| path != user_home && path.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use super::usual;

    #[test]
    fn usual_folders_have_the_names_that_the_desktop_gives_them() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        for name in [".config", "Downloads", "Schreibtisch", "Bilder", "Documents"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        assert_eq!(
            usual(home.path()),
            [at("Downloads"), at("Documents")],
            "without a file, the English ones"
        );
        let kept = "# made by the desktop\nXDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n\
                    XDG_DOCUMENTS_DIR=\"$HOME/\"\n";
        std::fs::write(at(".config/user-dirs.dirs"), kept).unwrap();
        assert_eq!(usual(home.path()), [at("Downloads"), at("Schreibtisch"), at("Bilder")]);
    }
}
