//! Opens files and folders of a task on the desktop when a person clicks on them. The files of a task may be malicious:
//! only folders and documents that cannot start programs are opened, and only within the folders of the task.

use super::{HostError, existing};
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_protocol::{
    CommandId, DoneOutcome, ErrorBody, ErrorCode, OpenCommand, OpenWhat, Performs, Phrase, TaskEvent,
};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The desktop's program that opens a path with the user's preferred application.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// The environment variables that the opener gets: the location of programs and of the desktop.
const ENVIRONMENT: [&str; 14] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_RUNTIME_DIR",
    "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_DATA_DIRS",
];

/// Types of files that applications display and do not run.
const DOCUMENTS: &[&str] = &[
    "txt", "md", "csv", "tsv", "json", "jsonl", "yaml", "yml", "toml", "xml", "log", "ini", "diff", "patch",
    "rst", "tex", "bib", "srt", "pdf", "epub", "odt", "ods", "odp", "docx", "xlsx", "pptx", "rtf", "png",
    "jpg", "jpeg", "gif", "webp", "bmp", "tif", "tiff", "heic", "mp3", "ogg", "opus", "flac", "wav", "m4a",
    "mp4", "mkv", "webm", "mov", "avi", "zip", "tar", "gz", "xz", "zst", "7z", "rs", "ts", "tsx", "css",
    "scss", "c", "h", "cpp", "hpp", "java", "go", "kt", "swift", "sql", "ics", "vcf", "eml",
];

/// Opens the files and folders of tasks.
pub(super) struct Opening {
    pub(super) core: Arc<Core>,
}

impl Performs<OpenCommand> for Opening {
    async fn perform(&self, _: &CommandId, open: OpenCommand) -> Result<DoneOutcome, ErrorBody> {
        let real = self.place(&open)?;
        let shown = match open.what {
            OpenWhat::File => document(real)?,
            OpenWhat::Folder if real.is_dir() => real,
            OpenWhat::Folder => real.parent().map(Path::to_owned).unwrap_or(real),
        };
        start(&shown).map(|()| DoneOutcome {})
    }
}

impl Opening {
    /// Returns the canonical path, if it is within the folders of the task.
    fn place(&self, open: &OpenCommand) -> Result<PathBuf, ErrorBody> {
        let task = existing(&self.core, &open.task)?;
        let first = self.core.store.task_events(&open.task, 0, 1).map_err(HostError::from)?;
        let mut folders = vec![PathBuf::from(task.workspace)];
        if let Some(TaskEvent::Created(created)) = first.into_iter().next().map(|record| record.event) {
            let scope = created.spec.scope;
            folders
                .extend(scope.read.into_iter().chain(scope.write).chain(scope.only_files).map(PathBuf::from));
        }
        let real = Path::new(&open.path)
            .canonicalize()
            .map_err(|error| refused(say::cannot_be_opened(error, &open.path), say::may_have_been_moved()))?;
        let own = self.core.home.canonicalize().unwrap_or_else(|_| self.core.home.clone());
        if real.starts_with(own) || !folders.iter().any(|folder| real.starts_with(folder)) {
            return Err(refused(say::outside_task_folder(&open.path), say::copy_path_instead()));
        }
        Ok(real)
    }
}

/// Returns the path of a file that can be opened without starting a program.
fn document(real: PathBuf) -> Result<PathBuf, ErrorBody> {
    let metadata = real
        .metadata()
        .map_err(|error| refused(say::cannot_be_opened(error, real.display()), say::may_have_been_moved()))?;
    let kind = real.extension().and_then(|kind| kind.to_str()).map(str::to_ascii_lowercase);
    let is_document = kind.is_some_and(|kind| DOCUMENTS.contains(&kind.as_str()));
    if !metadata.is_file() || !is_document || metadata.permissions().mode() & 0o111 != 0 {
        return Err(refused(say::might_be_run(real.display()), say::show_in_folder_instead()));
    }
    Ok(real)
}

/// Passes a path to the desktop's opener. The application outlives this host.
fn start(path: &Path) -> Result<(), ErrorBody> {
    let env = ENVIRONMENT.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    let mut opener = Command::new(OPENER);
    opener.arg(path).env_clear().envs(env).current_dir("/").process_group(0);
    opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child =
        opener.spawn().map_err(|error| refused(say::no_opener(error, OPENER), say::copy_path_instead()))?;
    // On some desktops the opener only exits with the application.
    std::thread::spawn(move || child.wait());
    Ok(())
}

fn refused(message: Phrase, hint: Phrase) -> ErrorBody {
    ErrorBody::new(ErrorCode::CannotOpen, message, hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_could_be_run_by_opening_it_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, mode: u32| {
            let path = folder.path().join(name);
            fs::write(&path, "x").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            document(path)
        };
        for name in ["report.md", "Photo.JPG", "table.csv"] {
            file(name, 0o644).unwrap();
        }
        for (name, mode) in
            [("a.desktop", 0o644), ("a.sh", 0o644), ("a", 0o644), ("report.txt", 0o755), ("a.html", 0o644)]
        {
            assert_eq!(file(name, mode).unwrap_err().code, ErrorCode::CannotOpen, "{name}");
        }
        document(folder.path().to_owned()).unwrap_err();
    }
}
