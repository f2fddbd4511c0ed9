//! The trash as desktops share it: the freedesktop.org trash specification 1.0, and a quarantine of the same shape.

use crate::disk::{DiskAction, DiskError, Place, make_private_folder};
use crate::names;
use crate::standing::{Kind, Standing};
use deputy_messages::organize as say;
use rustix::fs::{self, Access, CWD};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What the notes in `info` end in.
const INFO_ENDING: &str = ".trashinfo";

/// Where things go that are thrown away.
#[derive(Clone, Debug)]
pub struct TrashPlaces {
    /// The user's own trash.
    pub home: PathBuf,
    /// A folder of ours, for what no trash can take.
    pub quarantine: PathBuf,
}

impl TrashPlaces {
    /// As the specification says, from `XDG_DATA_HOME` and the home folder.
    pub fn of(data_home: Option<&Path>, home: &Path, quarantine: &Path) -> Self {
        let data = data_home.filter(|path| path.is_absolute());
        let data = data.map_or_else(|| home.join(".local/share"), Path::to_path_buf);
        Self { home: data.join("Trash"), quarantine: quarantine.to_owned() }
    }

    /// The trash for something at `path` on `device`: the home trash on its device, else the one at the top of the
    /// device, else the quarantine. Touches nothing.
    pub fn for_path(&self, path: &Path, device: u64) -> PathBuf {
        // The user may have put it elsewhere by a link; what is done there follows none any more.
        let home = real(&self.home);
        if device_above(&home) == Some(device) {
            return home;
        }
        top_trash(path, device).unwrap_or_else(|| real(&self.quarantine))
    }
}

/// A path whose folders that exist are named by their real path.
fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(found), Ok(rest)) = (above.canonicalize(), path.strip_prefix(above)) {
            // Nothing is joined to a path that is whole, or it would end in a separator.
            return if rest.as_os_str().is_empty() { found } else { found.join(rest) };
        }
    }
    path.to_owned()
}

/// The device of the nearest folder above that exists.
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

/// Where a thing is in a trash folder under `name`.
pub(crate) fn file_in(trash: &Path, name: &str) -> PathBuf {
    trash.join("files").join(name)
}

/// The note that belongs to a thing in the trash.
fn info_of(trashed: &Path) -> Option<PathBuf> {
    let name = trashed.file_name()?.to_str()?;
    Some(trashed.parent()?.parent()?.join("info").join(format!("{name}{INFO_ENDING}")))
}

/// A name that is free in a trash folder; `mark` makes it one of its own where the plain name is taken.
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

/// Makes the folders of a trash and writes the note about `path` that goes there as `trashed`. False when that name
/// is taken.
pub(crate) fn announce(path: &Path, trashed: &Path) -> Result<bool, DiskError> {
    let info = info_of(trashed)
        .ok_or_else(|| DiskError::new(DiskAction::Name, trashed, rustix::io::Errno::INVAL))?;
    for folder in [trashed.parent(), info.parent()].into_iter().flatten() {
        make_private(folder)?;
    }
    if standing(trashed)?.is_some() {
        return Ok(false);
    }
    // Durable together with the move itself: should it get lost without that, it is written again.
    write_note(path, trashed, &Place::at(&info)?)
}

fn write_note(path: &Path, trashed: &Path, info: &Place) -> Result<bool, DiskError> {
    let Some(mut file) = info.create()? else { return Ok(false) };
    let text = format!("[Trash Info]\n{}\nDeletionDate={}\n", path_line(path, trashed), now());
    let written =
        file.write_all(text.as_bytes()).map_err(|e| DiskError::new(DiskAction::Write, &info.path, e));
    if written.is_err() {
        // Half a note would be taken for somebody else's.
        info.remove_file()?;
    }
    written.map(|()| true)
}

/// Writes the note about something in the trash again, should a crash have taken it.
pub(crate) fn mend(path: &Path, trashed: &Path) -> Result<(), DiskError> {
    let Some(info) = info_of(trashed) else { return Ok(()) };
    let place = Place::at(&info)?;
    if place.standing()?.is_some_and(|found| found.fingerprint.size_bytes > 0) {
        return Ok(());
    }
    place.remove_file()?;
    write_note(path, trashed, &place).map(|_| ())
}

/// Takes the note away, once nothing is in the trash under its name. One that stays says nothing wrong about any file,
/// and trashes clean up after such, so that this fails matters to nobody.
pub(crate) fn forget(trashed: &Path) {
    let Some(info) = info_of(trashed) else { return };
    if let (Ok(None), Ok(Some(place))) = (standing(trashed), Place::find(&info)) {
        let _ = place.remove_file();
    }
}

/// Undoes the note of a move into the trash that did not happen, if it is about `path`.
pub(crate) fn retract(path: &Path, trashed: &Path) {
    let Some(info) = info_of(trashed) else { return };
    let ours = path_line(path, trashed);
    let Ok(text) = std::fs::read_to_string(&info) else { return };
    // A crash may have come before the text was written: an empty note is nobody's but ours.
    if text.is_empty() || text.lines().any(|line| line == ours) {
        forget(trashed);
    }
}

/// Where it was, as the note says it.
fn path_line(path: &Path, trashed: &Path) -> String {
    format!("Path={}", encoded(&told_path(path, trashed)))
}

fn standing(path: &Path) -> Result<Option<Standing>, DiskError> {
    crate::disk::standing(path)
}

/// The home trash and the quarantine hold absolute paths, the trash of a device paths from its top.
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

/// Percent-encoded as in a URL, `/` kept.
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

/// Makes a folder and those above it, for its owner alone, as the specification wants; a link is refused.
fn make_private(folder: &Path) -> Result<(), DiskError> {
    make_private_folder(folder).map_err(|e| DiskError::new(DiskAction::Create, folder, e))?;
    match standing(folder)? {
        Some(found) if found.fingerprint.kind == Kind::Folder => Ok(()),
        _ => Err(DiskError::refused(DiskAction::Use, folder, say::is_not_a_folder())),
    }
}

/// This moment as the note wants it: local time without a zone.
fn now() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S").to_string()
}
