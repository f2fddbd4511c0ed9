//! Compares the simulator with the real file system, using random trees and plans.

use crate::plans::{Dice, copy, create, relocate, rename, trash};
use crate::world::{World, plan_of, quiet};
use deputy_organize::{Bounds, CheckError, ConflictChoice, OpenJob, preview};
use deputy_protocol::{OrganizeAction, OrganizePlan};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

const NAMES: [&str; 12] =
    ["a", "A", "b", "c.txt", "C.TXT", "é", "e\u{301}", "d", "con", "x y", "-rf", "new\nline 🌊"];

fn path(world: &World, dice: &mut Dice) -> PathBuf {
    let mut path = if dice.roll(8) == 0 { world.away.clone() } else { world.root.clone() };
    for _ in 0..=dice.roll(3) {
        path.push(dice.pick(&NAMES));
    }
    path
}

fn grow(world: &World, dice: &mut Dice) {
    for number in 0..20 + dice.roll(20) {
        let path = path(world, dice);
        // If a file has the name of a needed folder, skip this one.
        if std::fs::create_dir_all(path.parent().unwrap()).is_ok() && !path.exists() {
            std::fs::write(path, format!("content {number}")).unwrap();
        }
    }
}

fn actions(world: &World, dice: &mut Dice) -> Vec<OrganizeAction> {
    let mut actions = Vec::new();
    for _ in 0..30 {
        let (one, other) = (path(world, dice), path(world, dice));
        let is_near = one.starts_with(&world.root);
        actions.push(match dice.roll(10) {
            0 => create(one),
            1..=4 => relocate(one, other),
            5..=7 => rename(one, NAMES[dice.roll(NAMES.len())]),
            8 if other.starts_with(&world.root) => copy(one, other),
            // A file trashed on the other device would go to a trash outside of the test's folders.
            9 if is_near => trash(one),
            _ => rename(one, "plain"),
        });
    }
    actions
}

/// Drops invalid operations until the plan can be executed.
fn drop_wrong(world: &World, mut plan: OrganizePlan) -> OrganizePlan {
    loop {
        match world.check(&plan) {
            Ok(_) => return plan,
            Err(CheckError::Problems(problems)) => {
                let wrong: BTreeSet<_> = problems.iter().map(|problem| problem.operation.clone()).collect();
                let before = plan.operations.len();
                plan.operations.retain(|operation| !wrong.contains(operation.id.as_str()));
                assert!(plan.operations.len() < before, "{problems:?}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns `PROPTEST_CASES`, or a number of cases that takes a few seconds.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").map_or(64, |text| text.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn the_disk_becomes_what_the_model_says_and_undo_brings_all_of_it_back(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let world = World::new();
        grow(&world, &mut dice);
        let plan = plan_of(&[&world.root, &world.away], actions(&world, &mut dice));
        let plan = drop_wrong(&world, plan);
        let before = world.snapshot();
        let contents = world.contents();
        let trash = world.trash();
        let shown = preview(&plan, &Bounds { protected: &|_| None, trash: &trash }).unwrap();
        prop_assert_eq!(&before, &world.snapshot(), "a preview changed something");

        let job = shown.checked.job(&world.jobs().new_id());
        let id = job.id.clone();
        let report = world.run_job(job);
        prop_assert_eq!(&report.stopped, &None);
        prop_assert_eq!(&report.skipped, &Vec::new());
        let after: BTreeSet<PathBuf> = shown.after.iter().map(|entry| entry.path.clone()).collect();
        let mut real: BTreeSet<PathBuf> = world.snapshot().into_keys().collect();
        real.remove(&world.root);
        real.remove(&world.away);
        prop_assert_eq!(after, real);
        let now = world.contents();
        for (content, count) in &contents {
            prop_assert!(now.get(content).unwrap_or(&0) >= count, "a content is lost");
        }

        let (reversal, report) = world.undo(&id, ConflictChoice::Skip);
        prop_assert_eq!(reversal.conflicts, Vec::new());
        prop_assert_eq!(&report.skipped, &Vec::new());
        prop_assert_eq!(&before, &world.snapshot());
    }

    #[test]
    fn whatever_others_do_meanwhile_nothing_is_lost(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let world = World::new();
        grow(&world, &mut dice);
        let plan = plan_of(&[&world.root, &world.away], actions(&world, &mut dice));
        let plan = drop_wrong(&world, plan);
        let job = world.check(&plan).unwrap().job(&world.jobs().new_id());
        let id = job.id.clone();
        let choices = [ConflictChoice::Skip, ConflictChoice::KeepBoth];

        meddle(&world, &mut dice);
        let mut contents = world.contents();
        let mut open = world.jobs().start(job).unwrap();
        run_skipping(&mut open);
        drop(open);
        assert_still_there(&contents, &world);
        world.assert_trash_is_whole();

        // Undo the job, and undo that again, while others change files.
        let mut last = id;
        for _ in 0..3 {
            meddle(&world, &mut dice);
            contents = world.contents();
            let reversal = world.jobs().reverse(&last, choices[dice.roll(2)]).unwrap();
            meddle_gently(&world, &mut dice, &mut contents);
            last.clone_from(&reversal.job.id);
            let mut open = world.jobs().start(reversal.job).unwrap();
            run_skipping(&mut open);
            drop(open);
            assert_still_there(&contents, &world);
            world.assert_trash_is_whole();
        }
    }
}

/// Runs a job until it ends. Skips failed operations.
fn run_skipping(job: &mut OpenJob) {
    for skip_failed in [false].into_iter().chain(std::iter::repeat_n(true, 50)) {
        let mut tell = |_, _| {};
        let mut control = quiet(&mut tell);
        control.skip_failed = skip_failed;
        if job.run(&mut control).unwrap().stopped.is_none() {
            return;
        }
    }
    panic!("it never ends: {:?}", job.history());
}

/// Makes random changes like another program: changes, removes, moves, creates.
fn meddle(world: &World, dice: &mut Dice) {
    for _ in 0..dice.roll(6) {
        let found: Vec<PathBuf> = world.snapshot().into_keys().collect();
        let (one, other) = (dice.pick(&found).clone(), path(world, dice));
        let is_scope = one == world.root || one == world.away;
        // Each may fail if it makes no sense.
        match dice.roll(5) {
            0 if one.is_file() => drop(std::fs::write(&one, format!("changed {}", dice.roll(1000)))),
            1 if one.is_file() => drop(std::fs::remove_file(&one)),
            2 if !is_scope && !other.exists() => drop(std::fs::rename(&one, &other)),
            3 if !is_scope && one.is_dir() => drop(std::fs::remove_dir_all(&one)),
            _ if !other.exists() => drop(std::fs::write(&other, format!("made {}", dice.roll(1000)))),
            _ => {}
        }
    }
}

/// Like [`meddle`], but removes nothing.
fn meddle_gently(world: &World, dice: &mut Dice, contents: &mut BTreeMap<String, usize>) {
    for _ in 0..dice.roll(6) {
        let other = path(world, dice);
        if !other.exists() {
            let _ = std::fs::write(&other, format!("made {}", dice.roll(1000)));
        }
    }
    *contents = world.contents();
}

fn assert_still_there(contents: &BTreeMap<String, usize>, world: &World) {
    let now = world.contents();
    for (content, count) in contents {
        assert!(now.get(content).unwrap_or(&0) >= count, "a content is lost");
    }
}
