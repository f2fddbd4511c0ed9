//! Simulates what is left on the disk after a power loss.

use super::disk::{Change, Content, Disk, Node, ROOT};
use super::{Event, Recording};
use crate::dice::Dice;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;

/// The number of bytes that a disk writes atomically.
const SECTOR: usize = 512;

/// What happens to changes that were not durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All are lost.
    Lost,
    /// All are kept, as if only the program were killed.
    Kept,
    /// The names are kept, but nothing that was written.
    Names,
    /// The written content is kept, but no names.
    Contents,
    /// The changes are kept up to one of them.
    InOrder,
    /// Each change is kept or lost at random, and writes may be kept in part.
    ByChance,
}

/// A moment of power loss, and what happens to changes that were not durable.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The index of the event before which the power is lost.
    pub moment: usize,
    /// What happens to the rest.
    pub fate: Fate,
    seed: u64,
}

impl Cut {
    /// Returns the same cut at another moment.
    pub fn at(self, moment: usize) -> Self {
        Self { moment, ..self }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}: cut before event {}, what was not durable: {:?}",
            self.seed, self.moment, self.fate
        )
    }
}

impl Recording {
    /// Returns the cut for a seed. Half of the moments are right after an event that made something durable or wrote to
    /// standard output.
    pub fn cut(&self, seed: u64) -> Cut {
        let mut dice = Dice::new(seed);
        let fates = [Fate::Lost, Fate::Kept, Fate::Names, Fate::Contents, Fate::InOrder, Fate::ByChance];
        // The random fate is the most frequent one.
        let fate = fates[dice.below(2 * fates.len()).min(fates.len() - 1)];
        let turns: Vec<usize> = (0..self.events.len())
            .filter(|index| !matches!(self.events[*index], Event::Change(..)))
            .map(|index| index + 1)
            .collect();
        let moment = if dice.hits(0.5) && !turns.is_empty() {
            turns[dice.below(turns.len())]
        } else {
            dice.below(self.events.len() + 1)
        };
        Cut { moment, fate, seed }
    }

    /// Restores the folder to its state after the cut. Returns a map from old to new inodes.
    ///
    /// # Errors
    ///
    /// Returns the I/O error if the folder cannot be written.
    pub fn restore(&self, cut: &Cut) -> io::Result<HashMap<u64, u64>> {
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?
            } else {
                fs::remove_file(entry.path())?
            }
        }
        self.left(cut).write(&self.root)
    }

    /// Returns which changes before the cut are durable.
    fn durable(&self, moment: usize) -> Vec<bool> {
        let mut all = 0;
        let mut synced: HashMap<Node, usize> = HashMap::new();
        for event in &self.events[..moment] {
            match event {
                Event::Synced { node, upto } => {
                    let seen = synced.entry(*node).or_default();
                    *seen = (*upto).max(*seen);
                }
                Event::SyncedAll { upto } => all = (*upto).max(all),
                Event::Change(..) | Event::Said(_) => {}
            }
        }
        let is_durable = |index: usize, change: &Change| {
            index < all || synced.get(&change.needs()).is_some_and(|upto| index < *upto)
        };
        let events = self.events[..moment].iter().enumerate();
        events
            .map(|(index, event)| matches!(event, Event::Change(change, _) if is_durable(index, change)))
            .collect()
    }

    fn left(&self, cut: &Cut) -> Disk {
        let mut dice = Dice::new(cut.seed ^ 0x5eed);
        let moment = cut.moment.min(self.events.len());
        let durable = self.durable(moment);
        let last = dice.below(moment + 1);
        let odds = [0.1, 0.5, 0.9][dice.below(3)];
        let mut disk = self.before.clone();
        for (node, thing) in &self.after.things {
            // An entry without a name is unreachable, so all later entries can be created empty at the beginning.
            disk.things.entry(*node).or_insert_with(|| {
                let mut thing = thing.clone();
                match &mut thing.content {
                    Content::File(bytes) => bytes.clear(),
                    Content::Folder(names) => names.clear(),
                    Content::Link(_) => {}
                }
                thing.mode = thing.first_mode;
                thing
            });
        }
        for (index, event) in self.events[..moment].iter().enumerate() {
            let Event::Change(change, time) = event else { continue };
            let is_name =
                matches!(change, Change::Link { .. } | Change::Unlink { .. } | Change::Rename { .. });
            let is_there = durable[index]
                || match cut.fate {
                    Fate::Lost => false,
                    Fate::Kept => true,
                    Fate::Names => is_name,
                    Fate::Contents => !is_name,
                    Fate::InOrder => index <= last,
                    Fate::ByChance => dice.hits(odds),
                };
            let is_torn = !durable[index]
                && match cut.fate {
                    Fate::InOrder => index == last,
                    Fate::ByChance => dice.hits(0.3),
                    _ => false,
                };
            match change {
                Change::Write { node, offset, data } if is_there && is_torn => {
                    for part in parts(*offset, data) {
                        if dice.hits(0.5) {
                            let (offset, data) = (part.0, part.1.to_vec());
                            disk.apply(&Change::Write { node: *node, offset, data }, *time);
                        }
                    }
                }
                change if is_there && disk.stays_whole(change) => disk.apply(change, *time),
                _ => {}
            }
        }
        disk.things.entry(ROOT).and_modify(|root| root.modified = self.before.things[&ROOT].modified);
        disk
    }
}

/// Splits data at sector boundaries.
fn parts(offset: usize, data: &[u8]) -> Vec<(usize, &[u8])> {
    let (mut found, mut start) = (Vec::new(), 0);
    while start < data.len() {
        let end = (((offset + start) / SECTOR + 1) * SECTOR - offset).min(data.len());
        found.push((offset + start, &data[start..end]));
        start = end;
    }
    found
}
