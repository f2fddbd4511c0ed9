//! Helpers to write operations, and random trees and plans.

use deputy_protocol::{
    CopyFileAction, CreateFolderAction, MoveFileAction, OrganizeAction as Action, RenameAction, TrashAction,
};
use std::path::Path;

fn text(path: impl AsRef<Path>) -> String {
    path.as_ref().to_str().unwrap().to_owned()
}

pub(crate) fn create(path: impl AsRef<Path>) -> Action {
    Action::CreateFolder(CreateFolderAction { path: text(path) })
}

pub(crate) fn relocate(path: impl AsRef<Path>, destination: impl AsRef<Path>) -> Action {
    Action::Move(MoveFileAction { path: text(path), destination: text(destination) })
}

pub(crate) fn rename(path: impl AsRef<Path>, name: &str) -> Action {
    Action::Rename(RenameAction { path: text(path), name: name.to_owned() })
}

pub(crate) fn copy(path: impl AsRef<Path>, destination: impl AsRef<Path>) -> Action {
    Action::Copy(CopyFileAction { path: text(path), destination: text(destination) })
}

pub(crate) fn trash(path: impl AsRef<Path>) -> Action {
    Action::Trash(TrashAction { path: text(path) })
}

/// Random numbers from a seed, which a failed test prints.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, below: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % below as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len())]
    }
}
