//! How a task looks: as a story for people, as lines of JSON for programs.

mod asked;
mod asking;
mod diff;
mod folder_yes;
pub(crate) mod ids;
mod keyboard;
mod markdown;
mod organized;
mod output;
mod preview;
mod progress;
mod prompt;
mod report;
mod rich;
mod screen;
pub(crate) mod secret;
mod steps;
mod story;
mod stream;
mod text;
mod watch;
mod wrap;

pub(crate) use asked::{Extent, is_cut, question as show_question};
pub(crate) use folder_yes::{is_of as is_grant_of, words as folder_yes};
pub(crate) use markdown::Markdown;
pub(crate) use output::{complain, in_use, lost as lost_output, program, use_home, write_all};
pub(crate) use preview::show as show_preview;
pub(crate) use progress::spent;
pub(crate) use prompt::{first_answer, offered_choice, typed_yes};
pub(crate) use report::show_difference;
pub(crate) use screen::Screen;
pub(crate) use steps::{allowed, dropped};
pub(crate) use story::Story;
pub(crate) use text::{choices, goal_words, money, number, place, printable, state_words, until, when};
pub(crate) use watch::{Watch, show_request, watch};

/// One line of JSON on standard output.
pub(crate) fn print_json<T: serde::Serialize>(value: &T) {
    // Every value printed is a plain tree.
    if let Ok(line) = serde_json::to_string(value) {
        write_all(format!("{line}\n").as_bytes());
    }
}
