//! Conversations as a whole at the command line: their titles, the archive, a Markdown text of them, and running a task again.

use crate::support::{World, shell, write};
use deputy_testkit::Turn;

/// A conversation of two tasks, and another task.
fn world() -> World {
    let world = World::new([
        shell("ls"),
        Turn::text("There are `no` files."),
        Turn::text("Still none."),
        Turn::text("Something else."),
        Turn::text("Nothing new."),
    ]);
    assert_eq!(world.say(&["run", "look around"]).code, Some(0));
    assert_eq!(world.say(&["run", "look again", "--continue"]).code, Some(0));
    assert_eq!(world.say(&["run", "another thing"]).code, Some(0));
    world
}

#[test]
fn continue_accepts_a_session_id_or_the_short_id_of_a_task() {
    let world = World::new(std::iter::repeat_n(Turn::text("Yes."), 5));
    assert_eq!(world.say(&["run", "begin"]).code, Some(0));
    let first = ids(&world).remove(0);
    let session = world.task().session.to_string();
    for named in [&first[..SHOWN], &first[..SHOWN - 1], &first, &session] {
        let run = world.say(&["run", "and then", &format!("--continue={named}")]);
        assert_eq!(run.code, Some(0), "{named}: {run:?}");
        assert_eq!(world.task().session.as_str(), session, "{named}");
    }
    let run = world.say(&["run", "and then", "--continue=nothing"]);
    assert_ne!(run.code, Some(0));
    assert!(run.stderr.contains("There is no task `nothing`"), "{run:?}");
}

/// The least that a list shows of an id.
const SHOWN: usize = 5;

fn ids(world: &World) -> Vec<String> {
    let listed = world.json(&["tasks"]).stdout;
    let id = |line: &str| {
        serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
    };
    listed.lines().map(id).collect()
}

#[test]
fn a_title_stands_for_the_whole_conversation_until_it_is_taken_away() {
    let world = world();
    let [_, second, first] = &ids(&world)[..] else { panic!("three tasks") };
    assert_eq!(world.say(&["rename", second, "  Files of the folder "]).code, Some(0));
    let listed = world.say(&["tasks"]).stdout;
    assert!(listed.contains("Files of the folder") && !listed.contains("look around"), "{listed}");
    let told = world.say(&["show", first]).stdout;
    assert!(told.contains("renamed to Files of the folder"), "{told}");
    for wrong in [" ", "two\nlines", &"x".repeat(201)] {
        assert_eq!(world.say(&["rename", first, wrong]).code, Some(1), "{wrong:?}");
    }
    assert_eq!(world.say(&["rename", first]).code, Some(0));
    assert!(world.say(&["tasks"]).stdout.contains("look around"));
}

#[test]
fn what_is_archived_is_left_out_and_a_follow_up_brings_it_back() {
    let world = world();
    let [other, second, first] = &ids(&world)[..] else { panic!("three tasks") };
    // Any task of it names the conversation.
    assert_eq!(world.say(&["archive", first]).code, Some(0));
    assert_eq!(ids(&world), [other.as_str()]);
    let archived = world.say(&["tasks", "--archived"]).stdout;
    assert!(archived.contains(&first[..SHOWN]) && archived.contains(&second[..SHOWN]), "{archived}");
    assert_eq!(world.say(&["archive", second, "--undo"]).code, Some(0));
    assert_eq!(ids(&world).len(), 3);
    assert_eq!(world.say(&["archive", second]).code, Some(0));
    assert_eq!(world.say(&["run", "and now?", &format!("--continue={first}")]).code, Some(0));
    assert_eq!(ids(&world).len(), 4, "a follow-up brings it back");
    assert!(world.say(&["tasks", "--archived"]).stdout.contains("Nothing is archived."));
}

#[test]
fn conversations_are_found_by_the_words_of_any_of_their_tasks_archived_or_not() {
    let world = world();
    let [other, second, first] = &ids(&world)[..] else { panic!("three tasks") };
    let found = |words: &[&str]| {
        let mut all = vec!["tasks"];
        all.extend(words);
        world.say(&all).stdout
    };
    let both = |listed: &str| listed.contains(&first[..SHOWN]) && listed.contains(&second[..SHOWN]);
    assert!(both(&found(&["LOOK"])) && !found(&["look"]).contains(&other[..SHOWN]));
    assert!(both(&found(&["again", "look"])), "by the words of one of them");
    assert!(found(&["look", "thing"]).contains("Nothing found."));
    let archived = world.say(&["archive", first]);
    assert!(
        !archived.stderr.contains("isn't running") && !archived.stdout.contains("isn't running"),
        "{archived:?}"
    );
    assert!(both(&found(&["again"])), "what was put away is found by its words");
    assert_eq!(world.say(&["rename", other, "Tax return"]).code, Some(0));
    assert!(found(&["tax"]).contains(&other[..SHOWN]));
}

#[test]
fn a_conversation_is_exported_whole_and_a_task_is_run_again() {
    let world = world();
    let [_, second, first] = &ids(&world)[..] else { panic!("three tasks") };
    let text = world.say(&["export", second]).stdout;
    for part in
        ["# look around\n", "## You · ", "look again", "**Done**", "There are `no` files.", "Still none."]
    {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
    let again = world.say(&["again", first]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let newest = world.task();
    assert_eq!(newest.goal, "look around");
    assert!(newest.id.as_str() != first && newest.session.as_str() != first, "{newest:?}");
}

#[test]
fn a_fork_continues_from_a_step_with_other_words_and_leaves_the_first_as_it_was() {
    let world = World::new([
        write("a.txt", "first"),
        write("b.txt", "second"),
        Turn::text("Wrote both."),
        Turn::text("Forked."),
        Turn::text("Forked at the end."),
    ]);
    let low = ["--yes", "medium"];
    assert_eq!(world.say(&[&["run", "write them"], &low[..]].concat()).code, Some(0));
    let first = world.task();
    let fork = world.say(&["fork", first.id.as_str(), "only a.txt, please", "--step", "1"]);
    assert_eq!(fork.code, Some(0), "{fork:?}");
    let told = world.told(4);
    let order =
        ["write them", "a.txt", "only a.txt, please"].map(|words| told.find(words).unwrap_or_default());
    assert!(order.is_sorted() && order[2] > 0, "{told}");
    assert!(!told.contains("second"), "the second step is not part of it: {told}");
    let task = world.task();
    assert!(task.id != first.id && task.session != first.session && task.goal == "write them", "{task:?}");
    // Nothing of the first can be undone by the fork.
    let undone = world.say(&["undo", task.id.as_str()]);
    assert_eq!(world.home.read("a.txt").unwrap(), "first", "{undone:?}");

    assert_eq!(world.say(&["fork", first.id.as_str(), "and a title"]).code, Some(0));
    assert!(
        world.told(5).contains("Wrote both.") && world.told(5).contains("and a title"),
        "{}",
        world.told(5)
    );
    assert_eq!(world.say(&["fork", first.id.as_str(), "x", "--step", "9"]).code, Some(1));
    assert_eq!(world.say(&["undo", first.id.as_str()]).code, Some(0));
    assert!(world.home.read("a.txt").is_err(), "the first can be undone as before");
}

#[test]
fn an_exported_conversation_is_read_and_continued_in_another_home() {
    let from = world();
    let [_, second, _] = &ids(&from)[..] else { panic!("three tasks") };
    let exported = from.json(&["export", second]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let to = World::new([Turn::text("There were none.")]);
    let file = to.home.write("conversation.jsonl", &exported.stdout).unwrap();
    let imported = to.say(&["import", file.to_str().unwrap()]);
    assert!(imported.code == Some(0) && imported.stdout.contains("Imported 2 tasks"), "{imported:?}");
    let all = ids(&to);
    assert_eq!(all.len(), 2);
    let text = to.say(&["export", &all[0]]).stdout;
    for part in ["# look around\n", "look again", "**Done**", "There are `no` files.", "Still none."] {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
    assert_eq!(to.say(&["run", "and what was there?", "--continue"]).code, Some(0));
    let told = to.told(1);
    assert!(told.contains("look around") && told.contains("Still none."), "{told}");
    for wrong in ["", "{}", &exported.stdout.lines().skip(1).collect::<String>()] {
        let file = to.home.write("wrong.jsonl", wrong).unwrap();
        assert_eq!(to.say(&["import", file.to_str().unwrap()]).code, Some(1), "{wrong:?}");
    }
    // A file grants nothing and names nothing that undo would touch.
    let cut: String = exported.stdout.lines().take(2).map(|line| format!("{line}\n")).collect();
    let file = to.home.write("cut.jsonl", cut).unwrap();
    assert_eq!(to.say(&["import", file.to_str().unwrap()]).code, Some(0));
    assert!(to.say(&["policy", "grants"]).stdout.lines().all(|line| !line.contains("allow")));
}

/// A file may claim that the user named any path. A fork of what it has reads none of them without asking.
#[test]
fn an_imported_conversation_opens_no_path_that_it_claims_the_user_named() {
    let from = World::new([Turn::text("Nothing."), Turn::text("Still nothing.")]);
    assert_eq!(from.say(&["run", "look around"]).code, Some(0));
    assert_eq!(from.say(&["fork", from.task().id.as_str(), "and again"]).code, Some(0));
    let exported = from.json(&["export", from.task().id.as_str()]).stdout;

    let to = World::new([shell("cat ~/note.txt"), Turn::text("Done.")]);
    let note = to.home.user().join("note.txt");
    std::fs::write(&note, "nobody is shown this\n").unwrap();
    let claimed = exported.replace(r#""named":[]"#, &format!(r#""named":["{}"]"#, note.display()));
    assert_ne!(claimed, exported);
    let file = to.home.write("conversation.jsonl", claimed).unwrap();
    assert_eq!(to.say(&["import", file.to_str().unwrap()]).code, Some(0));
    let forked = to.say(&["fork", to.task().id.as_str(), "go on"]);
    assert!(forked.code == Some(4) && forked.stdout.contains("? ~/note.txt"), "it asks: {forked:?}");
    assert!(!forked.stdout.contains("nobody is shown this"), "{forked:?}");
}

/// What was suggested named another home than the one in use.
#[test]
fn suggestions_name_the_home_that_was_named() {
    let world = World::new([]);
    let home = world.home.path().join("another home");
    let home = home.to_str().unwrap();
    let told = world.say(&["--home", home]).stdout;
    assert!(told.contains(&format!("deputy --home '{home}' run \"...\"")), "{told}");
    for empty in ["jobs", "devices", "config"] {
        let told = world.say(&["--home", home, empty]).stdout;
        assert!(told.contains(&format!("`deputy --home '{home}' ")), "{empty}: {told}");
    }
    let refused = world.say(&["--home", home, "show", "nothing"]).stderr;
    assert!(refused.contains(&format!("`deputy --home '{home}' tasks`")), "{refused}");
    assert!(!world.say(&["show", "nothing"]).stderr.contains("--home"), "the environment names that one");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let world = World::new([]);
    let page = world.say(&["man"]).stdout;
    assert!(page.contains(".TH deputy 1") && page.contains("organize"), "{page}");
    let folder = world.home.workspace();
    assert_eq!(world.say(&["man", folder.to_str().unwrap()]).code, Some(0));
    for name in ["deputy.1", "deputy-run.1", "deputy-policy-check.1", "deputy-archive.1"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
}
