//! The simulator held against the real file system, with random trees and plans.

use crate::plans::{Dice, copy, create, relocate, rename, trash};
use crate::world::{World, plan_of};
use deputy_organize::{Bounds, CheckError, ConflictChoice, preview};
use deputy_protocol::{OrganizeAction, OrganizePlan};
use proptest::prelude::*;
use std::collections::BTreeSet;
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
        // A name may be taken by a file where a folder is wanted: then this one is left out.
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
            // What is thrown away on the other device would land in a trash beside the world.
            9 if is_near => trash(one),
            _ => rename(one, "plain"),
        });
    }
    actions
}

/// Drops what is wrong until the plan can be executed.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

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
}
