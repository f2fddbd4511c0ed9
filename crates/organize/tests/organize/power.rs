//! Power loss: the journal contains more than reached the disk.

use crate::crash::{grow, paths};
use crate::plans::Dice;
use crate::world::{World, quiet};
use deputy_organize::{
    Began, ConflictChoice, Control, Copied, DoneStep, Ended, History, JournalFile, Ledger, Outcome, Started,
    StepState,
};
use std::cell::Cell;

/// Records that a step happened as it did in this history.
fn claim(journal: &mut JournalFile, history: &History, step: usize) {
    let StepState::Done(trace) = &history.steps[step] else { panic!("it has not happened") };
    journal.begin(&[Began { step, to: trace.to.clone() }]).unwrap();
    if let Some(copy) = trace.copy {
        journal.copied(&Copied { step, copy }).unwrap();
    }
    journal.end(&[Ended { step, outcome: Outcome::Done(DoneStep {}) }]).unwrap();
}

#[test]
fn what_the_journal_calls_done_and_the_disk_does_not_is_done_again() {
    for seed in 0..12 {
        eprintln!("seed {seed}");
        let mut dice = Dice(seed);
        let world = World::new();
        let actions = grow(&world, 24, &mut dice);
        let before = world.snapshot();
        let (whole, report) = world.run(actions.clone());
        assert_eq!(report.stopped, None);
        let after = paths(&world.snapshot());
        let done = world.jobs().history(&whole).unwrap().unwrap();
        world.undo(&whole, ConflictChoice::Skip);
        assert_eq!(world.snapshot(), before);

        // `real` steps really happen, and `claimed` steps are recorded.
        let job = world.job(actions);
        let (id, steps) = (job.id.clone(), job.steps.len());
        let real = dice.roll(steps);
        let claimed = real + dice.roll(steps - real + 1);
        let mut open = world.jobs().start(job).unwrap();
        let asked = Cell::new(0);
        let is_cancelled = || asked.replace(asked.get() + 1) == real;
        open.run(&mut Control { is_cancelled: &is_cancelled, progress: &mut |_, _| {}, skip_failed: false })
            .unwrap();
        let half = open.history().clone();
        assert_eq!(half.done(), real);
        drop(open);
        let path = world.base.join("jobs").join(format!("{id}.journal"));
        std::fs::remove_file(&path).unwrap();
        let (job, folders) = (half.job.clone(), half.folders_before.clone());
        let boot = "the one before".to_owned();
        let (mut journal, _) = JournalFile::create(&path, Started { job, folders, boot }).unwrap();
        (0..real).for_each(|step| claim(&mut journal, &half, step));
        (real..claimed).for_each(|step| claim(&mut journal, &done, step));
        drop(journal);
        // Of the notes in the trash, one is lost and one is empty.
        let notes: Vec<_> =
            std::fs::read_dir(world.base.join("Trash/info")).unwrap().map(Result::unwrap).collect();
        let ours = |entry: &&std::fs::DirEntry| !entry.file_name().to_str().unwrap().contains("copy");
        for (index, note) in notes.iter().filter(ours).enumerate() {
            match index {
                0 => std::fs::remove_file(note.path()).unwrap(),
                1 => std::fs::write(note.path(), "").unwrap(),
                _ => {}
            }
        }

        let report = world.jobs().resume(&id).unwrap().run(&mut quiet(&mut |_, _| {})).unwrap();
        assert_eq!(
            (report.done, &report.stopped, &report.skipped),
            (steps, &None, &Vec::new()),
            "{real} {claimed}"
        );
        assert_eq!(paths(&world.snapshot()), after);
        world.assert_trash_is_whole();
        let (reversal, _) = world.undo(&id, ConflictChoice::Skip);
        assert_eq!(reversal.conflicts, Vec::new());
        assert_eq!(world.snapshot(), before);
    }
}
