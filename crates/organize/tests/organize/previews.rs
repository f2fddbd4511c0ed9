//! What people see before they approve a plan, and what their approval binds to.

use crate::plans::{copy, create, relocate, rename, trash};
use crate::world::World;
use deputy_organize::{Bounds, CheckError, Preview, preview, table, tree, with, without};
use deputy_protocol::{OperationId, OrganizeOperation, OrganizePlan};

fn show(world: &World, plan: &OrganizePlan) -> Preview {
    preview(plan, &Bounds { protected: &|_| None, trash: &world.trash() }).unwrap()
}

/// Replaces the paths of the test's folders.
fn text(world: &World, text: &str) -> String {
    text.replace(world.root.to_str().unwrap(), "ROOT").replace(world.away.to_str().unwrap(), "AWAY")
}

fn plan(world: &World) -> OrganizePlan {
    for name in ["IMG_1.jpg", "IMG_2.jpg", "notes/todo.txt", "b.pdf", "a.pdf", "evil\u{1b}[2Jname"] {
        world.file(name, name);
    }
    world.plan(vec![
        create(world.root.join("Papers")),
        relocate(world.root.join("a.pdf"), world.root.join("papers/2024/paper.pdf")),
        relocate(world.root.join("b.pdf"), world.root.join("papers/2024/Paper.pdf")),
        rename(world.root.join("IMG_1.jpg"), "IMG_2.jpg"),
        rename(world.root.join("IMG_2.jpg"), "what: ever?.jpg"),
        copy(world.root.join("notes/todo.txt"), world.away.join("todo.txt")),
        trash(world.root.join("evil\u{1b}[2Jname")),
    ])
}

#[test]
fn the_tree_before_and_after() {
    let world = World::new();
    let shown = show(&world, &plan(&world));
    insta::assert_snapshot!(text(&world, &tree(&world.root, &shown.before, 4)));
    insta::assert_snapshot!(text(&world, &tree(&world.root, &shown.after, 10)));
}

#[test]
fn the_table_says_what_becomes_of_each_operation_and_escapes_what_steers_a_terminal() {
    let world = World::new();
    let shown = show(&world, &plan(&world));
    insta::assert_snapshot!(text(&world, &table(&shown.checked)));
}

#[test]
fn json_holds_everything() {
    let world = World::new();
    let file = world.file("a.txt", "a");
    let shown = show(&world, &world.plan(vec![rename(file, "b.txt")]));
    let mut json = serde_json::to_value(&shown).unwrap();
    // Remove what differs between runs.
    json["checked"]["job"]["steps"][0]["expects"] = serde_json::Value::Null;
    insta::assert_snapshot!(text(&world, &serde_json::to_string_pretty(&json).unwrap()));
}

#[test]
fn operations_are_dropped_and_edited_before_approval() {
    let world = World::new();
    let plan = plan(&world);
    let id = |text: &str| OperationId::new(text);
    let fewer = without(&plan, &[id("o3"), id("o6")]).unwrap();
    assert_eq!(show(&world, &fewer).checked.plan.operations.len(), 5);
    let edited = OrganizeOperation::new("o4", rename(world.root.join("IMG_2.jpg"), "sea.jpg"), "by the user");
    let edited = with(&fewer, &[edited]).unwrap();
    let after = show(&world, &edited).after;
    assert!(after.iter().any(|entry| entry.path == world.root.join("sea.jpg")));
    assert_eq!(
        without(&plan, &[id("none")]).unwrap_err().to_string(),
        "the plan has no operation none; its preview lists them"
    );
    // An operation that depends on a dropped one fails when the plan is checked.
    let chained = world
        .plan(vec![rename(world.root.join("a.pdf"), "c.pdf"), rename(world.root.join("c.pdf"), "d.pdf")]);
    let broken = world.check(&without(&chained, &[id("o0")]).unwrap()).unwrap_err();
    assert!(matches!(broken, CheckError::Problems(problems) if problems[0].operation == "o1"));
}

#[test]
fn the_digest_is_that_of_everything_that_is_done() {
    let world = World::new();
    let plan = plan(&world);
    let digest = |plan: &OrganizePlan| world.check(plan).unwrap().digest();
    let whole = digest(&plan);
    assert_eq!((whole.len(), digest(&plan)), (64, whole.clone()));
    for index in 0..plan.operations.len() {
        let mut other = plan.clone();
        other.operations[index].reason = "another".to_owned().into();
        assert_ne!(digest(&other), whole);
        let dropped = without(&plan, &[plan.operations[index].id.clone()]).unwrap();
        assert!(world.check(&dropped).is_ok_and(|checked| checked.digest() != whole));
    }
    // The same plan has another meaning once a name is taken.
    world.file("Papers/2024/paper.pdf", "in the way");
    assert_ne!(digest(&plan), whole);
}
