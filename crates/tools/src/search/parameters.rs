//! What may be asked of `search`.

use super::when::Moment;
use crate::parameters::actions;
use schemars::JsonSchema;
use serde::Deserialize;

/// List a folder. One entry a line: name, kind, bytes, date of change, separated by tabs. Ignore files do not count here.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LsParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Only entries that match this glob, whatever its case, e.g. `*.rs`; one with a `/`, such as `src/**/*.rs`, is held against the path below the folder, at any depth.
    #[serde(default)]
    pub(crate) glob: Option<String>,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
}

/// Find files and folders by name, kind, size or age, anywhere below a folder. One path a line.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// For `find` a glob on the name, whatever its case, e.g. `report*.pdf`, or on the path below the folder when it holds a `/`; for `grep` a regular expression.
    #[serde(default)]
    pub(crate) pattern: Option<String>,
    /// Only this kind.
    #[serde(default)]
    pub(crate) kind: Option<WantedKind>,
    /// Only files with this extension, whatever its case, e.g. `pdf`.
    #[serde(default)]
    pub(crate) extension: Option<String>,
    /// Only files of at least so many bytes.
    #[serde(default)]
    pub(crate) min_bytes: Option<u64>,
    /// Only files of at most so many bytes.
    #[serde(default)]
    pub(crate) max_bytes: Option<u64>,
    /// Only what changed on or after this date (`2026-01-31`), or within this time (`12h`, `7d`, `2w`).
    #[serde(default)]
    pub(crate) newer_than: Option<Moment>,
    /// Only what changed before this date (`2026-01-31`), or longer ago than this time (`12h`, `7d`, `2w`).
    #[serde(default)]
    pub(crate) older_than: Option<Moment>,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Kinds of entries that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WantedKind {
    File,
    Folder,
    Link,
}

/// Show folders and files as an indented tree.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Levels below the folder; 3 when absent.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub(crate) depth: Option<u32>,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Search the text of a file, or of all text files below a folder. One match a line: `path:line:text`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepParameters {
    /// For `find` a glob on the name, whatever its case, e.g. `report*.pdf`, or on the path below the folder when it holds a `/`; for `grep` a regular expression.
    pub(crate) pattern: String,
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Upper and lower case are the same.
    #[serde(default)]
    pub(crate) ignore_case: bool,
    /// The pattern is plain text, not a regular expression.
    #[serde(default)]
    pub(crate) literal: bool,
    /// Only files whose name fits this glob, e.g. `*.rs`.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Lines to show before and after each match.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub(crate) context: Option<usize>,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Show the first lines of a text file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeadParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    pub(crate) path: String,
    /// How many lines; 10 when absent.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Show the last lines of a text file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TailParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    pub(crate) path: String,
    /// How many lines; 10 when absent.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Count lines, words and bytes of a file, or of all files below a folder. One file a line, separated by tabs.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WcParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Only files whose name fits this glob, e.g. `*.rs`.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Find files with the same content below a folder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DuplicatesParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Show what takes the room in a folder: bytes and files of each entry, largest first. Everything counts, hidden and ignored files, too.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageParameters {
    /// Where to look, relative to the workspace or absolute; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
}

actions! {
    /// A call of `search`.
    pub(crate) enum SearchCall {
        "ls" => Ls(LsParameters),
        "find" => Find(FindParameters),
        "tree" => Tree(TreeParameters),
        "grep" => Grep(GrepParameters),
        "head" => Head(HeadParameters),
        "tail" => Tail(TailParameters),
        "wc" => Wc(WcParameters),
        "duplicates" => Duplicates(DuplicatesParameters),
        "usage" => Usage(UsageParameters),
    }
}

fn here() -> String {
    ".".to_owned()
}

impl SearchCall {
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Ls(call) => &call.path,
            Self::Find(call) => &call.path,
            Self::Tree(call) => &call.path,
            Self::Grep(call) => &call.path,
            Self::Head(call) => &call.path,
            Self::Tail(call) => &call.path,
            Self::Wc(call) => &call.path,
            Self::Duplicates(call) => &call.path,
            Self::Usage(call) => &call.path,
        }
    }
}
