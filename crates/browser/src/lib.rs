//! The browser of a task: a Chromium in Deputy's sandbox whose only network access is Deputy's proxy.
//!
//! A page is read as an outline with references, and actions use these references. A reference is valid only for the
//! page that it was given for, and its element is checked again before anything is done to it.

mod act;
mod aim;
mod browser;
mod display;
mod door;
mod element;
mod error;
mod files;
mod find;
mod gather;
mod hold;
mod keys;
mod left;
mod navigations;
mod node;
mod outline;
mod pipe;
mod profile;
mod read;
mod report;
mod sending;
mod start;
mod tab;
mod trackers;
mod visit;
mod words;
mod world;

pub use aim::Aimed;
pub use browser::Browser;
pub use display::Display;
pub use element::{Elsewhere, Info, PageElement};
pub use error::BrowserError;
pub use files::{Downloaded, MOST_FILE_BYTES, Upload};
pub use find::{Installed, installed};
pub use left::Left;
pub use read::Shot;
pub use report::{Changes, Glance};
pub use trackers::is_tracker;
pub use visit::{Step, Until};
