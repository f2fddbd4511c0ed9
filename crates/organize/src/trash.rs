//! The trash: the freedesktop.org trash specification 1.0, and a quarantine folder with the same layout.

use crate::disk::{DiskAction, DiskError, Place, make_private_folder};
use crate::names;
use crate::standing::{Kind, Standing};
use deputy_messages::organize as say;
use rustix::fs::{self, Access, CWD};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The extension of the notes in `info`.
const INFO_ENDING: &str = ".trashinfo";

/// The folders for trashed files.
#[derive(Clone, Debug)]
pub struct TrashPlaces {
    /// The user's own trash.
    pub home: PathBuf,
    /// Deputy's folder for files that no trash can take.
    pub quarantine: PathBuf,
}

impl TrashPlaces {
    /// Returns the folders according to the specification, from `XDG_DATA_HOME` and the home folder.
    pub fn of(data_home: Option<&Path>, home: &Path, quarantine: &Path) -> Self {
        let data = data_home.filter(|path| path.is_absolute());
        let data = data.map_or_else(|| home.join(".local/share"), Path::to_path_buf);
        Self { home: data.join("Trash"), quarantine: quarantine.to_owned() }
    }

    /// Returns the trash for `path` on `device`: the home trash if it is on the same device, or else the trash at the
    /// top of the device, or else the quarantine. Changes nothing.
    pub fn for_path(&self, path: &Path, device: u64) -> PathBuf {
        // The user may have moved the trash with a link. Later operations do not follow links.
        let home = real(&self.home);
        if device_above(&home) == Some(device) {
            return home;
        }
        top_trash(path, device).unwrap_or_else(|| real(&self.quarantine))
    }
}

/// Resolves the existing folders of a path.
fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(found), Ok(rest)) = (above.canonicalize(), path.strip_prefix(above)) {
            // Joining an empty path would append a separator.
            return if rest.as_os_str().is_empty() { found } else { found.join(rest) };
        }
    }
    path.to_owned()
}

/// Returns the device of the nearest existing parent folder.
pub(crate) fn device_above(path: &Path) -> Option<u64> {
    path.ancestors().find_map(|above| std::fs::metadata(above).ok()).map(|found| found.dev())
}

fn top_trash(path: &Path, device: u64) -> Option<PathBuf> {
    let is_on = |above: &&Path| std::fs::symlink_metadata(above).is_ok_and(|found| found.dev() == device);
    let top = path.ancestors().skip(1).take_while(is_on).last()?;
    let user = rustix::process::getuid().as_raw();
    let shared = top.join(".Trash");
    let is_sticky =
        std::fs::symlink_metadata(&shared).is_ok_and(|found| found.is_dir() && found.mode() & 0o1000 != 0);
    let may_be = |trash: &Path| match std::fs::symlink_metadata(trash) {
        Ok(found) => found.is_dir() && found.uid() == user,
        Err(_) => {
            let above = trash.parent().unwrap_or(trash);
            fs::accessat(CWD, above, Access::WRITE_OK, fs::AtFlags::EACCESS).is_ok()
        }
    };
    let in_shared = is_sticky.then(|| shared.join(user.to_string()));
    let own = top.join(format!(".Trash-{user}"));
    in_shared.into_iter().chain([own]).find(|trash| may_be(trash))
}

/// Returns the path of an entry in a trash folder under `name`.
pub(crate) fn file_in(trash: &Path, name: &str) -> PathBuf {
    trash.join("files").join(name)
}

/// Returns the path of the note for an entry in the trash.
fn info_of(trashed: &Path) -> Option<PathBuf> {
    let name = trashed.file_name()?.to_str()?;
    Some(trashed.parent()?.parent()?.join("info").join(format!("{name}{INFO_ENDING}")))
}

/// Returns a free name in a trash folder. Adds `mark` if the plain name is taken.
pub(crate) fn free_name(trash: &Path, path: &Path, mark: &str, is_taken: impl Fn(&Path) -> bool) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, ending) = names::split(&name);
    let short = |middle: &str| {
        let reserved = "x".repeat(INFO_ENDING.len());
        let fitted = names::fit(stem, &format!("{middle}{reserved}"), ending);
        fitted.replacen(&format!("{middle}{reserved}"), middle, 1)
    };
    let is_free = |name: &str| {
        let file = file_in(trash, name);
        !is_taken(&file)
            && file.symlink_metadata().is_err()
            && info_of(&file).is_some_and(|info| info.symlink_metadata().is_err())
    };
    let plain = short("");
    if is_free(&plain) { plain } else { short(&format!(" {mark}")) }
}

/// Creates the folders of a trash and writes the note for moving `path` to `trashed`. Returns `false` if that name is
/// taken.
pub(crate) fn announce(path: &Path, trashed: &Path) -> Result<bool, DiskError> {
    let info = info_of(trashed)
        .ok_or_else(|| DiskError::new(DiskAction::Name, trashed, rustix::io::Errno::INVAL))?;
    for folder in [trashed.parent(), info.parent()].into_iter().flatten() {
        make_private(folder)?;
    }
    if standing(trashed)?.is_some() {
        return Ok(false);
    }
    // The note becomes durable together with the move. If it is lost before that, it is written again.
    write_note(path, trashed, &Place::at(&info)?)
}

fn write_note(path: &Path, trashed: &Path, info: &Place) -> Result<bool, DiskError> {
    let Some(mut file) = info.create()? else { return Ok(false) };
    let text = format!("[Trash Info]\n{}\nDeletionDate={}\n", path_line(path, trashed), now());
    let written =
        file.write_all(text.as_bytes()).map_err(|e| DiskError::new(DiskAction::Write, &info.path, e));
    if written.is_err() {
        // An incomplete note would be mistaken for somebody else's.
        info.remove_file()?;
    }
    written.map(|()| true)
}

/// Writes the note for an entry in the trash again, in case a crash lost it.
pub(crate) fn mend(path: &Path, trashed: &Path) -> Result<(), DiskError> {
    let Some(info) = info_of(trashed) else { return Ok(()) };
    let place = Place::at(&info)?;
    if place.standing()?.is_some_and(|found| found.fingerprint.size_bytes > 0) {
        return Ok(());
    }
    place.remove_file()?;
    write_note(path, trashed, &place).map(|_| ())
}

/// Removes the note if nothing is in the trash under its name. A failure is harmless: the note contains nothing wrong
/// about any file, and trash implementations clean up such notes.
pub(crate) fn forget(trashed: &Path) {
    let Some(info) = info_of(trashed) else { return };
    if let (Ok(None), Ok(Some(place))) = (standing(trashed), Place::find(&info)) {
        let _ = place.remove_file();
    }
}

/// Removes the note of a move to the trash that did not happen, if it is about `path`.
pub(crate) fn retract(path: &Path, trashed: &Path) {
    let Some(info) = info_of(trashed) else { return };
    let ours = path_line(path, trashed);
    let Ok(text) = std::fs::read_to_string(&info) else { return };
    // A crash may have happened before the text was written, so an empty note is ours.
    if text.is_empty() || text.lines().any(|line| line == ours) {
        forget(trashed);
    }
}

/// Returns the line of the note with the original path.
fn path_line(path: &Path, trashed: &Path) -> String {
    format!("Path={}", encoded(&told_path(path, trashed)))
}

fn standing(path: &Path) -> Result<Option<Standing>, DiskError> {
    crate::disk::standing(path)
}

/// Returns the path to write in the note: absolute for the home trash and the quarantine, relative to the top folder
/// for the trash of a device.
fn told_path(path: &Path, trashed: &Path) -> PathBuf {
    let trash = trashed.parent().and_then(Path::parent);
    let top = trash.and_then(|trash| {
        let name = trash.file_name()?.to_str()?;
        let above = trash.parent()?;
        if name.starts_with(".Trash-") {
            Some(above)
        } else if above.file_name()? == ".Trash" {
            above.parent()
        } else {
            None
        }
    });
    top.and_then(|top| path.strip_prefix(top).ok()).unwrap_or(path).to_owned()
}

/// Percent-encodes a path like a URL. Preserves `/`.
fn encoded(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut text = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(*byte));
            }
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Creates a folder and its parents for the owner only, as the specification requires. Rejects a link.
fn make_private(folder: &Path) -> Result<(), DiskError> {
    make_private_folder(folder).map_err(|e| DiskError::new(DiskAction::Create, folder, e))?;
    match standing(folder)? {
        Some(found) if found.fingerprint.kind == Kind::Folder => Ok(()),
        _ => Err(DiskError::refused(DiskAction::Use, folder, say::is_not_a_folder())),
    }
}

/// Returns the current time in the format of the note: local time without a zone.
fn now() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S").to_string()
}
