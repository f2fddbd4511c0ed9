//! Tests of content that is stored for undo.

use crate::support::*;
use deputy_protocol::Digest;
use deputy_store::{Store, StoreError};
use std::fs::{self, File, Permissions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn the_same_content_is_kept_once_under_its_digest() {
    let (folder, store) = home();
    let file = folder.path().join("letter");
    fs::write(&file, "dear").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o750)).unwrap();
    let kept = store.keep_blob(b"dear").unwrap();
    assert_eq!(store.keep_blob(b"dear").unwrap(), kept);
    let from_file = store.keep_file(&file).unwrap();
    assert_eq!((&from_file.digest, from_file.mode), (&kept.digest, 0o750));
    let digest = kept.digest.as_str();
    assert_eq!(
        files(&folder.path().join("blobs")),
        [folder.path().join("blobs").join(&digest[..2]).join(digest)]
    );
    assert_eq!(store.blob(&kept.digest).unwrap(), b"dear");
}

#[test]
fn nothing_at_all_can_be_kept() {
    let (folder, store) = home();
    let file = folder.path().join("empty");
    File::create(&file).unwrap();
    let kept = store.keep_file(&file).unwrap();
    assert_eq!((kept.size_bytes, store.blob(&kept.digest).unwrap().len()), (0, 0));
    assert_eq!(store.keep_blob(b"").unwrap().digest, kept.digest);
}

#[test]
fn a_large_file_is_streamed() {
    let (folder, store) = home();
    let path = folder.path().join("film");
    let mut file = File::create(&path).unwrap();
    // Sparse except for its ends: large to read, cheap to create.
    file.write_all(b"begin").unwrap();
    file.seek(SeekFrom::Start(64 << 20)).unwrap();
    file.write_all(b"end").unwrap();
    let kept = store.keep_file(&path).unwrap();
    assert_eq!(kept.size_bytes, (64 << 20) + 3);
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(store.blob_file(&kept.digest).unwrap()).unwrap();
    assert_eq!(hasher.finalize().to_hex().as_str(), kept.digest.as_str());
}

#[test]
fn only_regular_files_are_kept() {
    let (folder, store) = home();
    let link = folder.path().join("link");
    symlink("/etc/hostname", &link).unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    for path in [link, pipe, folder.path().to_path_buf()] {
        let refused = store.keep_file(&path);
        assert!(matches!(refused, Err(StoreError::CannotKeep { .. })), "{refused:?}");
    }
    // Its size is reported as 0, but it has content.
    let refused = store.keep_file(Path::new("/proc/self/status"));
    assert!(matches!(refused, Err(StoreError::CannotKeep { .. })), "{refused:?}");
    assert!(matches!(store.keep_file(&folder.path().join("absent")), Err(StoreError::Io { .. })));
}

#[test]
fn a_damaged_or_unknown_blob_is_never_handed_out() {
    let (folder, store) = home();
    let kept = store.keep_blob(b"truth").unwrap();
    let path = files(&folder.path().join("blobs")).remove(0);
    fs::write(&path, "lies!").unwrap();
    assert!(matches!(store.blob(&kept.digest), Err(StoreError::DamagedBlob { .. })));
    let mut as_it_is = String::new();
    File::open(&path).unwrap().read_to_string(&mut as_it_is).unwrap();
    assert_eq!(as_it_is, "lies!");
    for digest in [digest('f'), Digest::new("../../../../etc/hostname"), Digest::new(""), digest('F')] {
        assert!(matches!(store.blob(&digest), Err(StoreError::UnknownBlob { .. })), "{digest}");
    }
}

#[test]
fn what_a_crash_left_half_written_is_removed() {
    let (folder, store) = home();
    let kept = store.keep_blob(b"whole").unwrap();
    drop(store);
    fs::write(folder.path().join("blobs/unfinished/half"), "ha").unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert!(files(&folder.path().join("blobs/unfinished")).is_empty());
    assert_eq!(store.blob(&kept.digest).unwrap(), b"whole");
}

#[test]
fn content_gets_its_name_only_once_it_is_durable() {
    // Regression test: it was renamed immediately, and after a power failure an incomplete file was taken for complete
    // content.
    let (folder, store) = home();
    let path = folder.path().join("letter");
    fs::write(&path, "dear").unwrap();
    let open = File::open(&path).unwrap();
    let kept = store.keep_open(&open).unwrap();
    assert!(store.holds_blob(&kept) && store.blob(&kept.digest).is_err());
    assert_eq!(store.keep_open(&File::open(&path).unwrap()).unwrap(), kept, "once is enough");
    let named = folder.path().join("blobs").join(&kept.digest.as_str()[..2]).join(kept.digest.as_str());
    assert!(!named.exists());
    store.sync_blobs().unwrap();
    assert!(named.exists() && files(&folder.path().join("blobs/unfinished")).is_empty());
    assert_eq!(store.blob(&kept.digest).unwrap(), b"dear");
    store.sync_blobs().unwrap();

    let other = File::open("/proc/self/exe").unwrap();
    let lost = store.keep_open(&other).unwrap();
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert!(!store.holds_blob(&lost), "what was not made durable is kept again");
}

/// A copy that something else emptied, cut or lengthened must not be taken for the content.
#[test]
fn a_copy_of_another_size_is_stored_again() {
    let (folder, store) = home();
    let file = folder.path().join("file");
    fs::write(&file, "content").unwrap();
    let kept = store.keep_file(&file).unwrap();
    let path = files(&folder.path().join("blobs")).remove(0);
    let keep: [(&str, &dyn Fn()); 3] = [
        ("bytes", &|| drop(store.keep_blob(b"content").unwrap())),
        ("a file", &|| drop(store.keep_file(&file).unwrap())),
        ("an open file", &|| {
            store.keep_open(&File::open(&file).unwrap()).unwrap();
            store.sync_blobs().unwrap();
        }),
    ];
    for damage in ["", "cont", "content and more"] {
        for (way, keep) in &keep {
            fs::write(&path, damage).unwrap();
            assert!(!store.holds_blob(&kept), "{damage:?}");
            keep();
            assert!(store.holds_blob(&kept), "{damage:?}, {way}");
            assert_eq!(store.blob(&kept.digest).unwrap(), b"content", "{damage:?}, {way}");
        }
    }
}
