//! The terminal: lines that stay, and under them one live line with a spinner.

use super::ids::shortened;
use super::output::{in_use, write_all};
use super::rich::{Block, blocks};
use super::wrap::wrapped;
use indicatif::{ProgressBar, ProgressStyle};
use rustix::termios::tcgetwinsize;
use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, stdout};
use std::time::Duration;

/// The assumed width of a terminal that does not report it, in columns.
const USUAL_COLUMNS: usize = 80;

/// Standard output as lines, with a spinner on standard error where both are terminals.
pub(crate) struct Screen {
    is_live: bool,
    /// The live line while something continues; a bar that was finished would draw itself again under the next line.
    spinner: RefCell<Option<ProgressBar>>,
    /// Whether the cursor is behind a prompt.
    is_mid_line: Cell<bool>,
    pub(super) colour: bool,
}

/// Meanings that have a color.
#[derive(Clone, Copy)]
pub(super) enum Tone {
    Quiet,
    Good,
    Warn,
    Bad,
    Strong,
    /// The characters that were added to a line, or removed from it.
    GoodPart,
    BadPart,
}

impl Screen {
    /// A screen for this process's standard output.
    pub(crate) fn new() -> Self {
        let is_live = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        let colour = std::io::stdout().is_terminal() && !is_plain;
        Self { is_live, spinner: RefCell::new(None), is_mid_line: Cell::new(false), colour }
    }

    /// A screen with color, or without it.
    #[cfg(test)]
    pub(super) fn colored(colour: bool) -> Self {
        Self { colour, ..Self::new() }
    }

    /// A line that stays.
    pub(crate) fn line(&self, text: &str) {
        let text = shortened(text);
        // What happens while a prompt is open is shown below it.
        let begin = if self.is_mid_line.take() { "\n" } else { "" };
        let print = || write_all(format!("{begin}{text}\n").as_bytes());
        match &*self.spinner.borrow() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// A line of words, broken between them where the terminal ends.
    pub(crate) fn prose(&self, text: &str) {
        self.line(&fitted(&shortened(text)));
    }

    /// A dimmed line.
    pub(crate) fn quiet(&self, text: &str) {
        self.line(&self.paint(Tone::Quiet, text));
    }

    /// Prints one of Deputy's lines, with the commands between backticks as the user types them for this home.
    pub(crate) fn hint(&self, text: &str) {
        self.prose(&in_use(text));
    }

    /// Text without a line's end, for a prompt; the spinner rests.
    pub(crate) fn prompt(&self, text: &str) {
        self.rest();
        write_all(fitted(text).as_bytes());
        self.is_mid_line.set(!text.ends_with('\n'));
    }

    /// A line was typed at the prompt, so the cursor is at the start of the next line.
    pub(crate) fn typed(&self) {
        self.is_mid_line.set(false);
    }

    /// Whether there is a live line under those that stay.
    pub(super) fn is_live(&self) -> bool {
        self.is_live
    }

    /// What is being done from now on; its time is counted.
    pub(super) fn busy(&self, text: &str) {
        self.say(text);
        if let Some(bar) = &*self.spinner.borrow() {
            bar.reset_elapsed();
        }
    }

    /// How far what is being done has come.
    pub(super) fn say(&self, text: &str) {
        if self.is_live {
            let mut spinner = self.spinner.borrow_mut();
            spinner.get_or_insert_with(new_spinner).set_message(text.to_owned());
        }
    }

    /// Nothing continues.
    pub(super) fn rest(&self) {
        if let Some(bar) = self.spinner.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }

    /// Prints a model's words with a prefix on each line: as Markdown if colors are on, otherwise unchanged.
    pub(super) fn words(&self, text: &str, indent: &str) {
        if !self.colour {
            self.prose(&super::text::indent(text, indent));
            return;
        }
        for (place, block) in blocks(text, self.columns().saturating_sub(indent.len())).iter().enumerate() {
            self.block(block, place > 0 && block.is_apart, indent);
        }
    }

    /// Prints a block of a model's words, after an empty line if it is apart.
    pub(super) fn block(&self, block: &Block, is_apart: bool, indent: &str) {
        if is_apart {
            self.line("");
        }
        for line in &block.lines {
            self.line(format!("{indent}{line}").trim_end());
        }
    }

    /// Returns the width of the terminal, in columns.
    pub(super) fn columns(&self) -> usize {
        columns().unwrap_or(USUAL_COLUMNS)
    }

    /// Text in a tone, plain where there is no color.
    pub(super) fn paint(&self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Quiet => "2",
            Tone::Good => "32",
            Tone::Warn => "33",
            Tone::Bad => "31",
            Tone::Strong => "1",
            Tone::GoodPart => "32;7",
            Tone::BadPart => "31;7",
        };
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Text that fits into the terminal, if standard output is one.
fn fitted(text: &str) -> String {
    columns().map_or_else(|| text.to_owned(), |columns| wrapped(text, columns))
}

/// Returns the width of standard output, if it is a terminal that reports it.
fn columns() -> Option<usize> {
    tcgetwinsize(stdout()).ok().map(|size| size.ws_col.into()).filter(|columns| *columns > 0)
}

fn new_spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("  {spinner} {wide_msg} {elapsed:.dim}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
