//! `organize draft`: plans built from selections, submitted by id, executed and undone.

use crate::support::{Desk, photo, set_date};
use deputy_protocol::{CallId, CallStatus, Effect, ToolResult};
use deputy_tools::{OrganizeHome, Registry};
use serde_json::{Value, json};

fn registry(desk: &Desk) -> Registry {
    let deputy = desk.place.home.join("deputy");
    Registry::standard().organizing(OrganizeHome::of(&deputy, &desk.place.home))
}

async fn run(desk: &Desk, call: &str, parameters: Value) -> ToolResult {
    let cx = deputy_tools::CallContext { call: CallId::new(call), ..desk.cx.clone() };
    registry(desk).get("organize").unwrap().run(&parameters, &cx).await
}

/// Creates and submits a draft. Returns the text of the draft.
async fn carried_out(desk: &Desk, changes: Value) -> String {
    let drafted = run(desk, "draft", json!({"action": "draft", "changes": changes})).await;
    assert_eq!(drafted.status, CallStatus::Ok, "{}", drafted.content);
    let Some(id) = drafted.content.lines().find_map(|line| line.strip_prefix("draft: ")) else {
        panic!("{}", drafted.content)
    };
    let submitted = run(desk, "submit", json!({"action": "submit_plan", "draft": id})).await;
    assert_eq!(submitted.status, CallStatus::Ok, "{}\n{}", drafted.content, submitted.content);
    drafted.content
}

async fn taken_back(desk: &Desk) {
    let job = OrganizeHome::job_of(&CallId::new("submit"));
    let undone = run(desk, "undo", json!({"action": "undo", "job": job})).await;
    assert_eq!(undone.status, CallStatus::Ok, "{}", undone.content);
}

fn all(desk: &Desk) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![desk.place.workspace.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => waiting.push(path),
                false => found.push(path.strip_prefix(&desk.place.workspace).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

fn pictures() -> Desk {
    let desk = Desk::new();
    for (name, taken) in [
        ("IMG_2.JPG", Some("2024:07:01 09:05:03")),
        ("IMG_10.JPG", Some("2023:12:24 18:00:00")),
        ("scan.jpg", None),
    ] {
        set_date(&desk.put(name, photo(taken)), "2025-05-05");
    }
    set_date(&desk.put("notes.txt", "the secret word"), "2025-05-06");
    set_date(&desk.put("deep/list.txt", "milk"), "2025-05-07");
    desk
}

#[tokio::test]
async fn files_go_where_their_dates_say_and_come_back() {
    let desk = pictures();
    let before = all(&desk);
    let told = carried_out(
        &desk,
        json!([
            {"do": "move", "where": {"types": ["image"]}, "to": "Pictures/{year}", "dates": "taken", "name": "{date}_{time}.{ext:lower}"},
            {"do": "copy", "where": {"text": "SECRET WORD"}, "to": "Found"},
            {"do": "trash", "where": {"pattern": "list*"}},
            {"do": "create_folder", "to": "New/Inner"},
        ]),
    )
    .await;
    assert!(told.contains("left alone: scan.jpg, no camera says when it was taken"), "{told}");
    assert!(told.lines().last().unwrap().starts_with("5 operations, "), "{told}");
    assert_eq!(
        all(&desk),
        [
            "Found/notes.txt",
            "Pictures/2023/2023-12-24_18-00-00.jpg",
            "Pictures/2024/2024-07-01_09-05-03.jpg",
            "notes.txt",
            "scan.jpg"
        ]
    );
    assert!(desk.path("New/Inner").is_dir());
    taken_back(&desk).await;
    assert_eq!(all(&desk), before);
}

#[tokio::test]
async fn names_change_by_pattern() {
    for (change, wanted) in [
        (json!({"name": "{name:lower}.{ext:lower}"}), ["img_10.jpg", "img_2.jpg", "scan.jpg"]),
        (json!({"name": "Sea {name}"}), ["Sea IMG_10.JPG", "Sea IMG_2.JPG", "Sea scan.jpg"]),
        (json!({"name": "{name}-old"}), ["IMG_10-old.JPG", "IMG_2-old.JPG", "scan-old.jpg"]),
        (json!({"old": "IMG_", "new": ""}), ["10.JPG", "2.JPG", "scan.jpg"]),
        (
            json!({"old": "([A-Z]+)_(\\d+)", "new": "$2 $1", "regex": true}),
            ["10 IMG.JPG", "2 IMG.JPG", "scan.jpg"],
        ),
        (json!({"old": "_", "new": "$1"}), ["IMG$110.JPG", "IMG$12.JPG", "scan.jpg"]),
        (json!({"sort": "smallest", "name": "p{n:2}"}), ["p01.jpg", "p02.JPG", "p03.JPG"]),
    ] {
        let desk = pictures();
        let mut rename = json!({"do": "rename", "where": {"extension": "jpg"}});
        rename.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        carried_out(&desk, json!([rename])).await;
        let found: Vec<String> = all(&desk).into_iter().filter(|name| !name.ends_with("txt")).collect();
        assert_eq!(found, wanted, "{change}");
        taken_back(&desk).await;
    }
}

#[tokio::test]
async fn a_draft_reads_and_the_plan_is_asked_about() {
    let desk = pictures();
    let call = json!({"action": "draft", "changes": [{"do": "trash", "from": ["notes.txt"]}]});
    let facts = registry(&desk).get("organize").unwrap().facts(&call, &desk.place).unwrap();
    assert_eq!(facts.effect, Effect::ReadOnly);
    let accesses = serde_json::to_string(&facts.accesses).unwrap();
    assert!(!accesses.contains("delete") && accesses.contains("notes.txt"), "{accesses}");
    let drafted = run(&desk, "d", call).await;
    assert!(desk.path("notes.txt").exists());
    let id = drafted.content.lines().next().unwrap().strip_prefix("draft: ").unwrap().to_owned();
    let submit = json!({"action": "submit_plan", "draft": id});
    let facts = registry(&desk).get("organize").unwrap().facts(&submit, &desk.place).unwrap();
    assert_eq!((facts.effect, facts.plan.unwrap().digest.as_str()), (Effect::Mutating, id.as_str()));
    assert!(serde_json::to_string(&facts.accesses).unwrap().contains("delete"));
}

#[tokio::test]
async fn secrets_projects_and_what_lies_outside_are_left_alone() {
    let desk = pictures();
    desk.put(".env", "KEY=1");
    desk.put("server.key", "key");
    desk.put("project/.git/HEAD", "ref: refs/heads/main");
    desk.put("project/main.txt", "x");
    std::os::unix::fs::symlink(desk.place.home.clone(), desk.path("home")).unwrap();
    std::fs::write(desk.place.home.join("private.txt"), "x").unwrap();
    let changes = json!([{"do": "trash", "where": {"pattern": "*", "hidden": true}}]);
    let told = run(&desk, "d", json!({"action": "draft", "changes": changes})).await.content;
    assert!(told.contains("left alone: project/main.txt, ") && told.contains("never taken apart"), "{told}");
    assert!(!told.contains(".env") && !told.contains("server.key") && !told.contains("private"), "{told}");
    for to in ["../outside", "/etc", "~/elsewhere"] {
        let changes = json!([{"do": "move", "where": {"pattern": "notes.txt"}, "to": to}]);
        let result = run(&desk, "d", json!({"action": "draft", "changes": changes})).await;
        assert!(result.content.contains("draft: none"), "{to}: {}", result.content);
        assert!(result.content.contains("left alone: notes.txt"), "{to}: {}", result.content);
    }
}

#[tokio::test]
async fn what_stands_in_the_folder_already_is_not_moved_into_it_again() {
    let desk = pictures();
    desk.put("Pictures/Trip/a.jpg", "x");
    let told =
        carried_out(&desk, json!([{"do": "move", "where": {"extension": "jpg"}, "to": "Pictures"}])).await;
    assert!(told.contains("3 operations"), "{told}");
    assert!(desk.path("Pictures/Trip/a.jpg").exists() && desk.path("Pictures/scan.jpg").exists());
    // The second change of the same file is left out and reported.
    let changes = json!([
        {"do": "rename", "where": {"pattern": "notes*"}, "name": "other"},
        {"do": "trash", "where": {"extension": "txt"}, "sort": "newest", "limit": 5},
    ]);
    let told = run(&desk, "d", json!({"action": "draft", "changes": changes})).await.content;
    assert!(
        told.contains("left alone: notes.txt, another change") && told.contains("trash deep/list.txt"),
        "{told}"
    );
}

#[tokio::test]
async fn changes_that_do_not_fit_are_named() {
    let desk = pictures();
    for (change, named) in [
        (json!({"do": "move", "where": {}}), "changes[0].to"),
        (json!({"do": "trash"}), "changes[0].where"),
        (json!({"do": "rename", "where": {}}), "changes[0].name"),
        (json!({"do": "rename", "where": {}, "name": "{nam}"}), "{nam}"),
        (json!({"do": "rename", "where": {}, "name": "a/b"}), "changes[0].name"),
        (json!({"do": "rename", "where": {}, "old": "(", "new": "", "regex": true}), "changes[0].old"),
        (json!({"do": "trash", "where": {"size": 3}}), "size"),
    ] {
        let call = json!({"action": "draft", "changes": [change]});
        let error =
            registry(&desk).get("organize").unwrap().facts(&call, &desk.place).unwrap_err().to_string();
        assert!(error.contains(named), "{change}: {error}");
    }
}
