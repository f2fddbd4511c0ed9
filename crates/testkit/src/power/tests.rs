//! Checks that the simulation loses what a real power loss may lose, and nothing that was made durable.

use super::*;

fn recorded(script: &str) -> (tempfile::TempDir, Recording) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::write(root.join("old"), "old").unwrap();
    let mut command = Command::new("/bin/sh");
    command.args(["-euc", script]).env("PATH", "/usr/bin:/bin").current_dir(&root);
    let recording = Recording::of(&root, &command).unwrap();
    assert!(recording.output.status.success(), "{:?}", recording.output);
    (folder, recording)
}

/// Returns the possible contents of a name after cuts at the end of the script.
fn left(recording: &Recording, name: &str) -> std::collections::BTreeSet<String> {
    let ends = (0..200).map(|seed| recording.cut(seed).at(recording.moments()));
    ends.map(|cut| {
        recording.restore(&cut).unwrap();
        match fs::read_to_string(recording.root.join(name)) {
            Ok(text) => text.replace('\0', "0"),
            Err(_) => "none".to_owned(),
        }
    })
    .collect()
}

fn set<const N: usize>(words: [&str; N]) -> std::collections::BTreeSet<String> {
    words.map(str::to_owned).into()
}

#[test]
fn what_was_not_made_durable_can_be_lost_whole_and_in_part() {
    let (_folder, recording) = recorded("printf new > file");
    assert_eq!(left(&recording, "file"), set(["", "new", "none"]), "the name without the content, too");
    let (_folder, recording) = recorded("printf new > file; sync file");
    assert_eq!(left(&recording, "file"), set(["new", "none"]), "a file's `fsync` is not its name's");
    let (_folder, recording) = recorded("printf new > file; sync file; sync .");
    assert_eq!(left(&recording, "file"), set(["new"]));
    let (_folder, recording) = recorded("printf new > file; sync -f file");
    assert_eq!(left(&recording, "file"), set(["new"]));
}

#[test]
fn a_file_that_is_replaced_without_being_durable_can_be_torn() {
    let (_folder, recording) = recorded("printf new > part; mv part old");
    assert_eq!(left(&recording, "old"), set(["", "new", "old"]));
    let (_folder, recording) = recorded("printf new > part; sync part; mv part old");
    assert_eq!(left(&recording, "old"), set(["new", "old"]));
    let (_folder, recording) = recorded("printf new > part; sync part; mv part old; sync .");
    assert_eq!(left(&recording, "old"), set(["new"]));
}

#[test]
fn a_move_is_there_or_not_and_a_folder_that_was_not_made_durable_takes_all_in_it() {
    let (_folder, recording) = recorded("mkdir there; mv old there/new; sync there");
    assert_eq!(left(&recording, "there/new"), set(["none", "old"]));
    let (_folder, recording) = recorded("mkdir there; mv old there/new; sync there .");
    assert_eq!(left(&recording, "there/new"), set(["old"]));
    assert_eq!(left(&recording, "old"), set(["none"]));
}

#[test]
fn large_writes_are_torn_at_sectors_and_what_was_said_is_known() {
    let (_folder, recording) = recorded("head -c 4096 /dev/zero | tr '\\0' x > file; sync .; echo said");
    let found = left(&recording, "file");
    assert!(found.len() > 10, "{} ways", found.len());
    assert!(found.iter().all(|text| text.split_inclusive("x").count() <= 4096 && text.len() <= 4096));
    let end = recording.cut(1).at(recording.moments());
    assert!(recording.said(&end).ends_with("said\n"), "what went through pipes was said, too");
    assert_eq!(recording.said(&end.at(0)), "");
}
