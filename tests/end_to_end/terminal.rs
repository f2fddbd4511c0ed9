//! The terminal: what a person is asked, what a typed line means, and Ctrl-C, through a pseudo-terminal.

use crate::support::{World, ask, requests, shell, write};
use deputy_protocol::{AgentState, Choice, Lifetime, TaskEvent};
use deputy_testkit::{Script, Turn};
use rexpect::ReadUntil;
use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};
use serde_json::json;

/// How long an awaited text may take before the test fails instead of waiting for ever.
const PATIENCE_MS: u64 = 60_000;

/// Somebody at a terminal.
pub(crate) struct Person {
    pub(crate) session: PtySession,
}

impl Person {
    /// Starts `deputy ARGS` at a terminal.
    pub(crate) fn at(world: &World, args: &[&str]) -> Self {
        Self::with(world, args, "1")
    }

    /// Starts `deputy ARGS` at a terminal that has colors.
    pub(crate) fn in_color(world: &World, args: &[&str]) -> Self {
        Self::with(world, args, "")
    }

    /// Starts `deputy ARGS` at a terminal with this many columns.
    pub(crate) fn of_width(world: &World, args: &[&str], columns: u16) -> Self {
        let deputy = world.home.deputy().unwrap();
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "stty cols \"$0\" && exec \"$@\"", &columns.to_string()]);
        command.arg(deputy.get_program()).args(args).env("NO_COLOR", "1").env("TERM", "xterm");
        for (name, value) in deputy.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = deputy.get_current_dir() {
            command.current_dir(folder);
        }
        Self { session: spawn_command(command, Some(PATIENCE_MS)).unwrap() }
    }

    fn with(world: &World, args: &[&str], no_color: &str) -> Self {
        let mut command = world.home.deputy().unwrap();
        command.args(args).env("NO_COLOR", no_color).env("TERM", "xterm");
        Self { session: spawn_command(command, Some(PATIENCE_MS)).unwrap() }
    }

    /// Waits for a text and gives back what was before it.
    pub(crate) fn sees(&mut self, text: &str) -> String {
        self.session.exp_string(text).unwrap_or_else(|error| panic!("waiting for {text:?}: {error}"))
    }

    /// Waits for one of two texts and gives back what was before it, and which it was.
    pub(crate) fn sees_either(&mut self, one: &str, other: &str) -> (String, String) {
        let needles = vec![ReadUntil::String(one.to_owned()), ReadUntil::String(other.to_owned())];
        self.session
            .exp_any(needles)
            .unwrap_or_else(|error| panic!("waiting for {one:?} or {other:?}: {error}"))
    }

    /// Types a line.
    pub(crate) fn types(&mut self, line: &str) {
        self.session.send_line(line).unwrap();
        self.session.flush().unwrap();
    }

    /// Presses a key.
    pub(crate) fn presses(&mut self, key: &str) {
        self.session.send(key).unwrap();
        self.session.flush().unwrap();
    }

    /// Presses Ctrl-C.
    pub(crate) fn interrupts(&mut self) {
        self.session.send_control('c').unwrap();
        self.session.flush().unwrap();
    }

    /// Reads to the end, and gives back the rest of the output and the exit code.
    pub(crate) fn leaves(mut self) -> (String, i32) {
        let rest = self.session.exp_eof().unwrap();
        match self.session.process().wait().unwrap() {
            WaitStatus::Exited(_, code) => (rest, code),
            other => panic!("{other:?} after {rest}"),
        }
    }
}

/// The answers to permission requests that the journal has.
fn choices(world: &World) -> Vec<Choice> {
    let choice = |event: TaskEvent| match event {
        TaskEvent::PermissionAnswered(answered) => Some(answered.choice),
        _ => None,
    };
    world.json(&["show", "last"]).events().unwrap().into_iter().filter_map(choice).collect()
}

const PROMPT: &str = "[?] > ";

#[test]
fn a_command_is_shown_in_its_parts_and_runs_after_yes_alone() {
    let world = World::new([shell("echo line >> log.txt && touch b.txt"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "log it"]);
    let shown = person.sees(PROMPT);
    for part in [
        "$ echo line >> log.txt && touch b.txt",
        "reads your home, writes here, offline",
        world.home.workspace().to_str().unwrap(),
        "? touch b.txt  Creates, changes or removes files.",
        "? log.txt  creates something new in this folder",
        "[y]es, once",
    ] {
        assert!(shown.contains(part), "{part:?} is missing in {shown}");
    }

    for no_answer in ["\r", "x", "\u{1b}"] {
        person.presses(no_answer);
        person.sees("Press y, c, n or v");
        person.sees(PROMPT);
        assert!(world.home.read("log.txt").is_err(), "{no_answer:?} is no yes");
    }
    // An arrow is not a key that answers anything.
    person.presses("\u{1b}[A");
    person.presses("?");
    let help = person.sees(PROMPT);
    assert!(help.contains("allow it this time") && help.contains("pause the task"), "{help}");
    person.presses("y");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert!(rest.contains("Done after 2 steps"), "{rest}");
    assert_eq!(world.home.read("log.txt").unwrap(), "line\n");
    assert!(world.home.read("b.txt").is_ok());
}

#[test]
fn a_change_is_shown_as_a_diff() {
    let world = World::new([
        Turn::call("code", json!({"action": "patch", "path": "a.txt", "old": "two", "new": "2"})),
        Turn::text("Done."),
    ]);
    world.home.write("a.txt", "one\ntwo\nthree\n").unwrap();
    let mut person = Person::at(&world, &["run", "patch"]);
    let shown = person.sees(PROMPT);
    for part in ["Low risk", "Patch a.txt", "    2   -two", "      2 +2", "[y]es, once"] {
        assert!(shown.contains(part), "{part:?} is missing in {shown}");
    }
    person.presses("Y");
    assert_eq!(person.leaves().1, 0);
    assert_eq!(world.home.read("a.txt").unwrap(), "one\n2\nthree\n");
    assert!(world.say(&["policy", "grants"]).stdout.contains("No saved permissions"));
}

#[test]
fn a_long_diff_is_shown_whole_on_demand() {
    let long: String = (0..100).map(|n| format!("line number {n}\n")).collect();
    let world = World::new([write("long.txt", &long), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "write"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("line number 5") && !shown.contains("line number 50"), "{shown}");
    assert!(shown.contains("88 lines"), "{shown}");
    person.presses("v");
    let all = person.sees(PROMPT);
    assert!((0..100).all(|n| all.contains(&format!("+line number {n}"))), "{all}");
    person.presses("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3);
    assert!(world.home.read("long.txt").is_err());
}

#[test]
fn a_reason_for_no_reaches_the_planner() {
    let world = World::new([write("a.txt", "x"), Turn::text("Then not.")]);
    let mut person = Person::at(&world, &["run", "write"]);
    person.sees(PROMPT);
    person.presses("n");
    person.sees("Why not?");
    person.sees("the model sees it");
    person.types("not on a Sunday");
    let (rest, code) = person.leaves();
    assert_eq!(code, 3, "{rest}");
    assert!(world.told(2).contains("not on a Sunday"));
    assert!(matches!(&choices(&world)[..], [Choice::Deny(deny)] if deny.reason == "not on a Sunday"));
}

#[test]
fn the_to_do_list_is_shown_as_progress() {
    let list = |first: &str, second: &str| {
        let steps = json!([{"title": "Look", "state": first}, {"title": "Write", "state": second}]);
        Turn::call("todo", json!({"steps": steps}))
    };
    let world =
        World::new([list("active", "pending"), list("done", "active"), ask("Go on?"), Turn::text("Done.")]);
    let run = world.say(&["run", "write"]);
    assert!(run.stdout.contains("0 of 2 steps done; now: Look"), "{}", run.stdout);
    assert!(run.stdout.contains("1 of 2 steps done; now: Write"), "{}", run.stdout);
    let status = world.say(&["status"]).stdout;
    assert!(status.contains("1 of 2"), "{status}");
}

#[test]
fn what_is_to_be_changed_is_said_at_the_terminal_or_by_a_command() {
    let world = World::new([
        write("a.txt", "x"),
        write("b.txt", "x"),
        write("c.txt", "x"),
        Turn::text("In c.txt, then."),
    ]);
    let mut person = Person::at(&world, &["run", "write"]);
    person.sees(PROMPT);
    person.presses("c");
    person.sees("What to change?");
    person.types("");
    person.sees(PROMPT);
    person.presses("c");
    person.sees("What to change?");
    person.types("call it b.txt");
    person.sees("change wanted");
    person.sees(PROMPT);
    assert!(world.told(2).contains("Submit it again, changed like this: call it b.txt"), "{}", world.told(2));
    let asked = world.say(&["status"]).stdout;
    let id = asked.split("deputy change ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let sent_back = world.say(&["change", &id, "call it c.txt"]);
    assert!(sent_back.stdout.contains("Asked for a change of: "), "{sent_back:?}");
    person.sees(PROMPT);
    person.presses("y");
    assert_eq!(person.leaves().1, 0);
    assert!(world.told(3).contains("call it c.txt"));
    assert_eq!(world.home.read("c.txt").unwrap(), "x");
    assert!(world.home.read("a.txt").is_err() && world.home.read("b.txt").is_err());
}

#[test]
fn for_this_task_and_always_are_remembered_as_far_as_they_say() {
    let world = World::new([
        write("a.txt", "one\n"),
        write("a.txt", "two\n"),
        write("b.txt", "one\n"),
        Turn::text("Done."),
        write("a.txt", "three\n"),
        write("b.txt", "two\n"),
        Turn::text("Done."),
    ]);
    let mut person = Person::at(&world, &["run", "write"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("[a]lways"), "{shown}");
    let asked = &shown[shown.find("Approve?").unwrap()..];
    assert!(!asked.contains("Thinking"), "nothing continues while it is asked: {asked}");
    person.presses("a");
    let offers = person.sees("or Esc > ");
    for offer in ["1  Write", "2  Write", "for this task", "for 30 minutes", "always"] {
        assert!(offers.contains(offer), "{offer:?} is missing in {offers}");
    }
    person.presses("\u{1b}");
    person.sees(PROMPT);
    person.presses("a");
    person.sees("or Esc > ");
    person.presses("1");
    person.sees("In the last 30 days");
    person.sees("Save this answer?");
    person.presses("y");
    let shown = person.sees(PROMPT);
    assert!(shown.contains("b.txt"), "a.txt is asked about once in this task: {shown}");
    person.presses("a");
    let offers = person.sees("or Esc > ");
    let always = offers.lines().find(|line| line.ends_with("always\r") || line.ends_with("always"));
    person.presses(&always.unwrap().trim()[..1]);
    person.sees("In the last 30 days");
    person.sees("Save this answer?");
    person.presses("y");
    assert_eq!(person.leaves().1, 0);
    let lifetimes: Vec<Choice> = choices(&world);
    assert!(matches!(&lifetimes[..], [Choice::Allow(task), Choice::Allow(always)]
        if matches!(task.lifetime, Lifetime::Task(_)) && matches!(always.lifetime, Lifetime::Always(_))));

    let mut person = Person::at(&world, &["run", "write again"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("a.txt"), "the first task's grant ended with it: {shown}");
    person.presses("y");
    assert_eq!(person.leaves().1, 0);
    assert_eq!(world.home.read("b.txt").unwrap(), "two\n");
    assert_eq!(choices(&world).len(), 1, "b.txt is always allowed");
}

#[test]
fn a_high_risk_wants_the_whole_word() {
    let world = World::new([shell("rm .env"), Turn::text("Gone.")]);
    world.home.write(".env", "KEY=x").unwrap();
    let mut person = Person::at(&world, &["run", "clean up"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("High risk"), "{shown}");
    assert!(!shown.contains("[w]ork"), "a high risk asks each time: {shown}");
    assert!(!shown.contains("[a]lways"), "what is not offered is not shown: {shown}");
    assert!(shown.contains("Type yes, then Enter, to approve it once"), "{shown}");
    person.types("a");
    person.sees("only be allowed once");
    person.sees(PROMPT);
    for by_half in ["y", "", "ye", "yes please"] {
        person.types(by_half);
        person.sees("Not approved yet. Type yes, all three letters");
        person.sees(PROMPT);
        assert!(world.home.read(".env").is_ok(), "{by_half:?} is no yes");
    }
    person.types("?");
    person.sees("yes  allow it this time");
    person.sees(PROMPT);
    person.types("yes");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert!(!world.home.workspace().join(".env").exists());
}

/// The names of settings are no high risk: one letter shows them, and no value reaches the model or the screen.
#[test]
fn a_settings_file_is_opened_for_its_names_only() {
    let read = Turn::call("code", json!({"action": "read", "path": ".env"}));
    let grep = Turn::call("search", json!({"action": "grep", "pattern": "KEY|old", "path": ".env"}));
    let world = World::new([read, grep, Turn::text("Seen.")]);
    world.home.write(".env", "API_KEY=tr0ub4dor\n# old tr0ub4dor\n").unwrap();
    let mut person = Person::at(&world, &["run", "which settings are there?"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("na[m]es only"), "{shown}");
    assert_eq!(shown.matches("holds credentials").count(), 1, "a request tells things once: {shown}");
    person.types("?");
    person.sees("m  let it see the names of the settings, and no value");
    person.sees(PROMPT);
    person.types("m");
    let shown = person.sees(PROMPT);
    assert_eq!(shown.matches("holds credentials").count(), 1, "a request tells things once: {shown}");
    let AgentState::Active(active) = world.state() else { panic!("a request waits") };
    let approve = ["approve", active.requests[0].id.as_str(), "--for", "names"];
    let status = world.say(&["status"]).stdout;
    assert!(status.contains("--for names  shows the names of the settings, and no value"), "{status}");
    let mut other = Person::at(&world, &approve);
    other.sees("Allowed, names only");
    assert_eq!(other.leaves().1, 0, "it asks for no word");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert!(!rest.contains("tr0ub4dor"), "{rest}");
    for told in [world.told(2), world.told(3)] {
        assert!(told.contains("API_KEY=<hidden>") && !told.contains("tr0ub4dor"), "{told}");
    }
}

/// A word that was typed for one request must not approve the next, which asks for the same word.
#[test]
fn a_yes_that_was_typed_early_approves_no_high_risk() {
    let world = World::new([write("a.txt", "x\n"), shell("rm .env"), Turn::text("Kept.")]);
    world.home.write(".env", "KEY=x").unwrap();
    let mut person = Person::at(&world, &["run", "clean up"]);
    person.sees(PROMPT);
    person.presses("yyes\nyes\n");
    person.sees("High risk");
    person.sees(PROMPT);
    assert!(world.home.read(".env").is_ok());
    person.types("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3);
    assert!(matches!(&choices(&world)[..], [Choice::Allow(_), Choice::Deny(_)]));
    assert!(world.home.read(".env").is_ok());
}

#[test]
fn the_command_that_approves_asks_a_person_for_the_same_word() {
    let world = World::new([shell("rm .env"), Turn::text("Gone.")]);
    world.home.write(".env", "KEY=x").unwrap();
    let mut watching = Person::at(&world, &["run", "clean up"]);
    watching.sees(PROMPT);
    let AgentState::Active(active) = world.state() else { panic!("a request waits") };
    let approve = ["approve", active.requests[0].id.as_str()];
    for no_answer in ["y", ""] {
        let mut person = Person::at(&world, &approve);
        let shown = person.sees("Type yes, then Enter, to approve it once > ");
        assert!(shown.contains("Delete .env") || shown.contains("rm .env"), "{shown}");
        person.types(no_answer);
        person.sees("Not approved. The request still waits.");
        assert_eq!(person.leaves().1, 4, "{no_answer:?} is no yes");
        assert!(world.home.read(".env").is_ok());
    }
    let mut person = Person::at(&world, &approve);
    person.sees("to approve it once > ");
    person.types("yes");
    assert_eq!(person.leaves().1, 0);
    assert_eq!(watching.leaves().1, 0);
    assert!(!world.home.workspace().join(".env").exists());
}

/// One key lets the task work in its folder, and what needs more asks.
#[test]
fn one_key_lets_a_task_work_in_its_folder() {
    let world = World::new([
        write("a.txt", "one\n"),
        shell("for i in 1 2; do echo $i | tee -a b.txt; done && rm a.txt"),
        shell("rm .env"),
        Turn::text("Done."),
    ]);
    world.home.write(".env", "KEY=x").unwrap();
    let mut person = Person::at(&world, &["run", "write"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("[w]ork in this folder / [y]es, once"), "{shown}");
    assert!(unbroken(&shown).contains("commit here for this task, offline"), "{shown}");
    person.presses("w");
    let shown = person.sees(PROMPT);
    let says = "without asking, for this task; `deputy policy grants revoke g";
    assert!(unbroken(&shown).contains(says), "{shown}");
    assert!(shown.contains(".env") && !shown.contains("Approve? Medium"), "{shown}");
    assert_eq!(world.home.read("b.txt").unwrap(), "1\n2\n");
    person.types("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3, "it ended with a denial");
    let given = choices(&world);
    assert!(
        matches!(&given[0], Choice::Allow(yes)
        if yes.wider && matches!(yes.lifetime, Lifetime::Task(_))),
        "{given:?}"
    );
}

#[test]
fn an_answer_from_elsewhere_clears_the_prompt() {
    let world = World::new([write("a.txt", "x\n"), ask("And now?"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "write"]);
    person.sees(PROMPT);
    let AgentState::Active(active) = world.state() else { panic!("a request waits") };
    assert_eq!(world.say(&["approve", active.requests[0].id.as_str()]).code, Some(0));
    person.sees("allowed at the command line");
    person.sees("And now?");
    person.sees("> ");
    assert_eq!(world.home.read("a.txt").unwrap(), "x\n");
    let AgentState::Active(active) = world.state() else { panic!("a question waits") };
    assert_eq!(world.say(&["answer", active.questions[0].id.as_str(), "nothing more"]).code, Some(0));
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert!(rest.contains("nothing more"), "{rest}");
}

#[test]
fn what_is_typed_before_a_request_is_seen_is_no_answer_to_it() {
    let world = World::new([write("a.txt", "x\n"), write("b.txt", "x\n"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "write"]);
    person.sees(PROMPT);
    person.presses("yyy");
    person.sees("b.txt");
    person.sees(PROMPT);
    person.presses("n");
    person.sees("Why not?");
    person.types("");
    assert_eq!(person.leaves().1, 3);
    assert_eq!(world.home.read("a.txt").unwrap(), "x\n");
    assert!(world.home.read("b.txt").is_err());
    assert!(matches!(&choices(&world)[..], [Choice::Allow(_), Choice::Deny(_)]));
}

#[test]
fn a_question_is_answered_in_words_and_not_by_enter() {
    let world = World::new([ask("Which colour?"), Turn::text("Blue it is.")]);
    let mut person = Person::at(&world, &["run", "ask me"]);
    person.sees("Which colour?");
    person.sees("> ");
    person.types("");
    person.sees("Type an answer.");
    person.types("blue, like the sea");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    assert!(world.told(2).contains("blue, like the sea"));
}

const MENU: &str = "[l]eave it paused > ";

/// Somebody whose task hangs in its first plan.
fn waiting(turns: impl IntoIterator<Item = Turn>) -> (World, Person) {
    let world = World::new([Turn::Hang(Default::default())].into_iter().chain(turns));
    let mut person = Person::at(&world, &["run", "think"]);
    assert!(world.model.wait_for_requests(1));
    person.sees("Thinking");
    (world, person)
}

#[test]
fn ctrl_c_once_pauses_and_leave_keeps_the_task() {
    let (world, mut person) = waiting([Turn::text("Done.")]);
    person.interrupts();
    let menu = person.sees(MENU);
    for wish in ["[r]esume", "[s]ay", "[q] stop"] {
        assert!(menu.contains(wish), "{menu}");
    }
    person.presses("\r");
    person.sees("Press r, s, q or l.");
    person.sees(MENU);
    person.presses("l");
    assert_eq!(person.leaves().1, 4);
    assert_eq!(world.say(&["follow", "last"]).code, Some(4), "it stays paused");
    assert_eq!(world.say(&["resume", "last"]).code, Some(0));
    assert_eq!(world.say(&["follow", "last"]).code, Some(0), "and goes on when it is told");
}

#[test]
fn ctrl_c_twice_stops() {
    let (world, mut person) = waiting([]);
    person.interrupts();
    person.sees(MENU);
    person.interrupts();
    let (rest, code) = person.leaves();
    assert_eq!(code, 3, "{rest}");
    assert_eq!(world.state(), AgentState::Idle(Default::default()));
}

#[test]
fn stop_in_the_menu_stops() {
    let (_world, mut person) = waiting([]);
    person.interrupts();
    person.sees(MENU);
    person.presses("q");
    assert_eq!(person.leaves().1, 3);
}

#[test]
fn say_in_the_menu_is_told_with_the_next_plan() {
    let world = World::new([ask("One?"), shell("ls"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "ask me"]);
    person.sees("One?");
    person.sees("> ");
    // At a prompt it pauses, too; the question comes back with the task.
    person.interrupts();
    person.sees(MENU);
    person.presses("s");
    person.sees("Say >");
    person.types("mind the cat");
    person.sees("resumed");
    person.sees("> ");
    person.types("two");
    let (rest, code) = person.leaves();
    assert_eq!(code, 0, "{rest}");
    let told = world.told(2);
    assert!(told.contains("mind the cat") && told.contains("two"), "{told}");
}

#[test]
fn a_request_outlives_a_pause() {
    let world = World::new([write("a.txt", "x\n"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "write"]);
    person.sees(PROMPT);
    person.interrupts();
    person.sees(MENU);
    assert!(world.home.read("a.txt").is_err());
    person.presses("r");
    person.sees(PROMPT);
    person.presses("y");
    assert_eq!(person.leaves().1, 0);
    assert_eq!(world.home.read("a.txt").unwrap(), "x\n");
    assert_eq!(requests(&world.json(&["show", "last"]).events().unwrap()).len(), 1);
}

#[test]
fn what_a_model_writes_cannot_steer_the_terminal() {
    let world = World::new([shell("echo a\u{1b}[2J\u{202e}b"), Turn::text("bell\u{7}")]);
    let mut person = Person::at(&world, &["run", "play"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("\\u{1b}") && shown.contains("\\u{202e}"), "{shown}");
    assert!(!shown.contains("a\u{1b}[2J"), "{shown:?}");
    person.presses("n");
    person.sees("Why not?");
    person.types("");
    let (rest, _) = person.leaves();
    assert!(!rest.contains('\u{7}'), "{rest:?}");
}

/// Words as they were before the terminal broke their lines.
fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A failure was shown twice, and only whole words answered its question.
#[test]
fn a_model_that_fails_is_shown_once_with_commands_that_help_and_one_letter_answers() {
    let world = World::of(Script { repeat_last: true, ..Script::turns([Turn::status(401)]) });
    let mut person = Person::at(&world, &["run", "Say hello."]);
    let shown = unbroken(&person.sees("[c]ontinue / [s]top, or type an answer > "));
    assert_eq!(shown.matches("HTTP 401").count(), 1, "{shown}");
    assert!(shown.contains("`deputy backends key openai_compatible` stores a key"), "{shown}");
    person.types("s");
    let (rest, code) = person.leaves();
    assert_eq!(code, 1, "{rest}");
    assert!(rest.contains("Failed after 1 step"), "{rest}");
}

/// The news was on the line of the prompt, as "paused Paused by you.".
#[test]
fn what_happens_at_an_open_prompt_is_shown_below_it() {
    let world = World::new([shell("touch a.txt"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "Make a file."]);
    person.sees(PROMPT);
    person.interrupts();
    let between = person.sees("Paused by you");
    assert!(between.contains("\r\n"), "{between:?}");
    person.sees(MENU);
    person.presses("q");
    let (rest, code) = person.leaves();
    assert_eq!(code, 3, "{rest}");
    assert!(!rest.contains("Stopped by the user"), "{rest}");
}

#[test]
fn a_card_says_that_a_command_writes_here_and_has_the_network() {
    let world = World::new([shell("git fetch"), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "fetch it"]);
    let shown = person.sees(PROMPT);
    assert!(shown.contains("writes here, with network"), "{shown}");
    person.presses("n");
    person.sees("Why not?");
    person.presses("\r");
    person.leaves();
}

/// It said that the command reads the home, which is absent.
#[test]
fn what_was_agreed_to_beforehand_does_not_read_the_home() {
    let world = World::new([shell("echo line >> log.txt"), Turn::text("Done.")]);
    let run = world.say(&["run", "log it", "--yes", "medium"]);
    assert!(
        run.stdout.contains("reads and writes here, offline; the rest of your home is closed"),
        "{run:?}"
    );
    assert!(!run.stdout.contains("reads your home"), "{run:?}");
}

#[test]
fn a_long_command_shows_its_last_line_and_how_long_it_has_run() {
    let command = "printf 'half %s\\n' way; until [ -e enough ]; do sleep 0.1; done";
    let world = World::new([shell(command), Turn::text("Done.")]);
    let mut person = Person::at(&world, &["run", "wait", "--yes", "medium"]);
    let (_, seen) = person.sees_either("half way", PROMPT);
    if seen != "half way" {
        person.types("yes");
        person.sees("half way");
    }
    person.sees("2s");
    world.home.write("enough", "").unwrap();
    assert_eq!(person.leaves().1, 0);
}
