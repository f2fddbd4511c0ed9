//! What a shell text consists of: simple commands in order, and the constructs around them.

use deputy_protocol::{Phrase, Risk};

/// A shell text taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// Every simple command, in order, those inside of substitutions and functions too.
    pub(crate) commands: Vec<Simple>,
    /// Every construct that is not judged by the simple commands in it alone.
    pub(crate) constructs: Vec<Construct>,
    /// Every `for` over words in the text, in order.
    pub(crate) loops: Vec<Loop>,
    /// Whether commands stand in groups, conditions or loops that are judged by the commands in them.
    pub(crate) is_grouped: bool,
    /// Why the text as a whole is not understood; then nothing in it is allowed.
    pub(crate) refusal: Option<Construct>,
    /// Names of the functions that the text defines, each with whether it calls itself.
    pub(crate) functions: Vec<(String, bool)>,
}

/// A construct that needs a person whatever is in it.
#[derive(Clone, Debug)]
pub(crate) struct Construct {
    /// The text of the construct, or its beginning.
    pub(crate) text: String,
    /// How much it can hide.
    pub(crate) risk: Risk,
    /// In plain words.
    pub(crate) reason: Phrase,
}

/// A `for` over words that stand in the text: its commands are judged once for each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// The variable that it sets.
    pub(crate) name: String,
    /// The raw words.
    pub(crate) values: Vec<String>,
}

/// One simple command as it stands in the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simple {
    /// Raw words, the command's name first.
    pub(crate) words: Vec<String>,
    /// Where each of them ends in the text; empty for those that are not read word by word.
    pub(crate) ends: Vec<usize>,
    /// Assignments in front: name and raw value.
    pub(crate) assignments: Vec<(String, String)>,
    /// Redirects.
    pub(crate) redirects: Vec<Redirect>,
    /// The loops it stands in, the outermost first, by their places in the script.
    pub(crate) loops: Vec<usize>,
    /// How the previous command of the same list leads here.
    pub(crate) joint: Joint,
    /// Which pipeline it belongs to; commands that stand alone have their own.
    pub(crate) pipeline: usize,
    /// Whether its standard input is another command's output.
    pub(crate) reads_pipe: bool,
    /// Whether its standard input is text from the command line itself.
    pub(crate) reads_inline: bool,
    /// Whether it stands directly in a list of the text: not in a group, a condition, a pipe or a substitution.
    pub(crate) plain_place: bool,
}

/// How a command follows the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Joint {
    /// It runs whatever came of the one before.
    #[default]
    Always,
    /// It runs only when the one before succeeded.
    AfterSuccess,
    /// It runs only when what came before failed.
    AfterFailure,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Redirect {
    /// `<`, `>`, `>>`, `&>`, `>&`, `<&`, `>|`, ...
    pub(crate) operator: String,
    /// The raw word behind it.
    pub(crate) target: String,
}
