//! H9, the yes for the folder: with it given, every dangerous command is sent, and changes nothing outside of the folder.
//! Afterwards a person uses git by hand, and one undo restores what was there.

use crate::canary;
use crate::confined::block_on;
use crate::corpus::Case;
use crate::ground::{Ground, RAN};
use crate::image::Image;
use crate::ordinary_user;
use crate::size;
use crate::world::{Person, Told, play_and};
use deputy_policy::path::frozen;
use deputy_protocol::TaskEvent;
use deputy_testkit::{calls, done};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The files of a tree by path, with their modes and contents, but for git's own.
type Files = BTreeMap<PathBuf, (u32, Vec<u8>)>;

fn files(folder: &Path, found: &mut Files) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let path = entry.path();
        if metadata.is_dir() && entry.file_name() != ".git" {
            files(&path, found);
        } else if metadata.is_file() {
            found.insert(path.clone(), (metadata.permissions().mode(), fs::read(&path).unwrap_or_default()));
        }
    }
}

fn git(ground: &Ground, arguments: &[&str]) -> Output {
    let mut git = Command::new("/usr/bin/git");
    git.args(arguments).current_dir(ground.workspace()).env_clear();
    git.env("PATH", "/usr/bin:/bin").env("HOME", ground.home()).env("GIT_PAGER", "cat").output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// What one case did that it must not, a line for each harm, and whether its command ran.
async fn sent(case: &Case) -> (bool, Vec<String>) {
    let ground = Ground::of(&case.setup);
    fs::create_dir_all(ground.deputy_home()).unwrap();
    let caches = ground.home().join(".cache");
    fs::create_dir_all(&caches).unwrap();
    let workspace = ground.workspace();
    let free = [ground.deputy_home(), caches, workspace.clone()];
    let closed = frozen(&workspace);
    let closed_before: Vec<Image> = closed.iter().map(|path| Image::of(path, &[])).collect();
    let mut were = Files::new();
    files(&workspace, &mut were);
    let (mut objects, mut objects_now) = (Files::new(), Files::new());
    files(&workspace.join(".git/objects"), &mut objects);
    let before = ground.image(&free);
    ground.listeners.arrivals();
    let plans = vec![
        calls([("code", json!({"action": "write", "path": "begun.txt", "content": "begun\n"}))]),
        calls([("shell", json!({"command": ground.here(&case.command)}))]),
        done("done"),
    ];
    let mut found = Vec::new();
    let told = play_and(&ground, plans, Person::LetsWork, || {
        found.extend(ground.readers.seen().iter().map(|path| format!("{} was read", path.display())));
        found.extend(before.changes_to(&ground.image(&free)));
        for (path, before) in closed.iter().zip(&closed_before) {
            found.extend(before.changes_to(&Image::of(path, &[])));
        }
        files(&workspace.join(".git/objects"), &mut objects_now);
        let is_lost = |(path, file): &(&PathBuf, &(u32, Vec<u8>))| objects_now.get(*path) != Some(*file);
        found.extend(objects.iter().filter(is_lost).map(|(path, _)| format!("{} is gone", path.display())));
        // What the case itself planted before the task is not the task's.
        if case.setup.is_plain() {
            for arguments in [["status", "--short"].as_slice(), &["diff"], &["log", "-p", "-1"]] {
                if printed(&git(&ground, arguments)).contains(RAN) {
                    found.push(format!("git {arguments:?} ran a planted program"));
                }
            }
        }
        ground.readers.seen();
    })
    .await;
    let told_to = format!("{}\n{}", told.exported(), told.to_model);
    found.extend(ground.shown_in(&told_to).into_iter().map(|name| format!("{name} was shown")));
    if ground.listeners.arrivals() > 0 {
        found.push("somebody came".into());
    }
    let mut are = Files::new();
    files(&workspace, &mut are);
    let is_lost = |(path, file): &(&PathBuf, &(u32, Vec<u8>))| are.get(*path) != Some(*file);
    found.extend(were.iter().filter(is_lost).map(|(path, _)| format!("undo left {}", path.display())));
    (
        has_run(&told),
        found.into_iter().map(|harm| format!("{} {:?}: {harm}", case.id, case.command)).collect(),
    )
}

/// Whether the second call of a task started.
fn has_run(told: &Told) -> bool {
    told.events.iter().filter(|event| matches!(event, TaskEvent::ToolStarted(_))).count() > 1
}

#[test]
fn no_dangerous_command_harms_anything_under_the_yes_for_the_folder() {
    // Where the tests run as root: first in a process of an ordinary user, then as root.
    ordinary_user::is_here("folder_yes::no_dangerous_command_harms_anything_under_the_yes_for_the_folder");
    block_on(async {
        canary::prove().await;
        let mut cases = size::dangerous("folder yes", 60);
        // What floods a machine with processes is the sandbox's own test, with bounds made for it.
        cases.retain(|case| !case.command.contains(":|:&"));
        let (mut ran, mut harms) = (0, Vec::new());
        for case in &cases {
            let (has_run, found) = sent(case).await;
            ran += usize::from(has_run);
            harms.extend(found);
        }
        println!(
            "figure: H9: {} dangerous commands sent, {ran} ran under the yes, {} harms",
            cases.len(),
            harms.len()
        );
        assert!(harms.is_empty(), "{}:\n{}", harms.len(), harms.join("\n"));
        assert!(ran > 0, "none ran");
    });
}
