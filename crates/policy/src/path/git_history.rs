//! The contents and references of git that a command changes only if it destroys or forges a past: objects, and
//! references that say what another repository has.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Whether the path is an object of git or a pack, or a folder that holds some. Git names each by its content, and gives
/// new ones another name while it writes them.
pub fn is_git_history(real: &Path, is_folder: bool) -> bool {
    let is_objects = |folder: &Path| folder.file_name() == Some(OsStr::new("objects"));
    let is_hex = |name: &str, lengths: &[usize]| {
        lengths.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let name = |path: &Path| path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_owned();
    let (Some(above), name) = (real.parent(), name(real)) else { return false };
    let is_part = |folder: &Path, name: &str| is_objects(folder) && (is_hex(name, &[2]) || name == "pack");
    if is_folder {
        let is_git = || real.iter().any(|part| part == ".git") || above.join("HEAD").exists();
        return is_part(above, &name) || is_objects(real) && is_git();
    }
    let Some((folder, objects)) = above.file_name().and_then(OsStr::to_str).zip(above.parent()) else {
        return false;
    };
    let hash = match folder {
        "pack" => name.strip_prefix("pack-").and_then(|rest| rest.split('.').next()),
        _ => Some(name.as_str()),
    };
    let lengths = if folder == "pack" { [40, 64] } else { [38, 62] };
    is_part(objects, folder) && hash.is_some_and(|hash| is_hex(hash, &lengths))
}

/// Returns git's folder if the path is a reference to what another repository has, or one that replaces an object by
/// another. Only git's transfers write the former.
pub fn forged_reference(real: &Path) -> Option<PathBuf> {
    real.ancestors()
        .find(|folder| {
            let is_kind = folder.ends_with("refs/remotes") || folder.ends_with("refs/replace");
            is_kind && *folder != real && folder.iter().any(|part| part == ".git")
        })
        .and_then(|folder| Some(folder.parent()?.parent()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_packs_are_known_by_their_names() {
        let hash = "0123456789012345678901234567890123456789";
        let objects = Path::new("/p/.git/objects");
        let object = objects.join("ab").join(&hash[2..]);
        for path in [object.clone(), objects.join(format!("pack/pack-{hash}.idx"))] {
            assert!(is_git_history(&path, false), "{}", path.display());
        }
        for path in ["ab", "pack"].map(|name| objects.join(name)).iter().chain([&objects.to_owned()]) {
            assert!(is_git_history(path, true), "{}", path.display());
        }
        for path in ["ab/tmp_obj_x1y2z3", "pack/tmp_pack_abc", "info/commit-graph"] {
            assert!(!is_git_history(&objects.join(path), false), "{path}");
        }
        assert!(!is_git_history(Path::new("/p/src/objects"), true));
        assert!(!is_git_history(Path::new("/p/src/objects/door.rs"), false));
    }

    #[test]
    fn references_to_what_is_elsewhere_are_told_from_branches() {
        let git = Some(PathBuf::from("/p/.git"));
        assert_eq!(forged_reference(Path::new("/p/.git/refs/remotes/origin/main")), git);
        assert_eq!(forged_reference(Path::new("/p/.git/refs/replace/abc")), git);
        for path in ["/p/.git/refs/heads/remotes/x", "/p/.git/refs/remotes", "/p/refs/remotes/x"] {
            assert_eq!(forged_reference(Path::new(path)), None, "{path}");
        }
    }
}
