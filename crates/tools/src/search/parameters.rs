//! What may be asked of `search`.

use super::filter::Filter;
use super::order::Order;
use crate::parameters::{JsonObject, actions};
use schemars::JsonSchema;
use serde::Deserialize;

/// List a folder. A line each: name, kind, bytes, date. Ignore files do not count here.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LsParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Only entries that match this glob; one with a `/`, such as `src/**/*.rs`, is held against the path below the folder.
    #[serde(default)]
    pub(crate) glob: Option<String>,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
}

/// Find files and folders anywhere below a folder by conditions that all hold. One path a line.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    #[serde(flatten)]
    pub(crate) filter: Filter,
    /// The order.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// At most this many; the summary counts all.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Pass by this many first.
    #[serde(default)]
    pub(crate) offset: u64,
}

/// Show folders and files as an indented tree.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Levels below the folder, from 1; for `tree` 3 when absent, else all.
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

/// Search the text of a file, or of all files below a folder, PDF and Office files too. One match a line: `path:line:text`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepParameters {
    /// For `find` a glob on the name, whatever its case, e.g. `report*.pdf` or `{*.jpg,*.png}`, or on the path below the folder when it holds a `/`; for `grep` a regular expression.
    pub(crate) pattern: String,
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Whatever its case.
    #[serde(default)]
    pub(crate) ignore_case: bool,
    /// The pattern is plain text, not a regular expression.
    #[serde(default)]
    pub(crate) literal: bool,
    /// Whole words only.
    #[serde(default)]
    pub(crate) words: bool,
    /// Give only the paths of files with a match.
    #[serde(default)]
    pub(crate) files_only: bool,
    /// Only files whose name fits this glob, e.g. `*.rs`.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Lines before and after each match.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub(crate) context: Option<usize>,
    /// Only what fits these conditions of `find`, e.g. `{"types": ["image"]}`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
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
    /// Where to look; the workspace when absent.
    pub(crate) path: String,
    /// How many lines; 10 when absent.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Show the last lines of a text file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TailParameters {
    /// Where to look; the workspace when absent.
    pub(crate) path: String,
    /// How many lines; 10 when absent.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Count lines, words and bytes of a file, or of all files below a folder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WcParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Only files whose name fits this glob, e.g. `*.rs`.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Only what fits these conditions of `find`, e.g. `{"types": ["image"]}`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
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
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Only what fits these conditions of `find`, e.g. `{"types": ["image"]}`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Show what takes the room in a folder: bytes and files by entry or `by`, largest first, hidden and ignored files too.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// What is summed up; the entries of the folder when absent.
    #[serde(default)]
    pub(crate) by: UsageBy,
    /// Only what fits these conditions of `find`, e.g. `{"types": ["image"]}`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
}

/// Tell what files say of themselves: pixels, date and camera of pictures; pages, title, author of documents; lines, words, tags.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InfoParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Only what fits these conditions of `find`, e.g. `{"types": ["image"]}`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Option<Filter>,
    /// The order.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// At most this many; the summary counts all.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Pass by this many first.
    #[serde(default)]
    pub(crate) offset: u64,
}

/// Compare the folder with another one: what is only in one of them, and which files differ.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareParameters {
    /// Where to look; the workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// The other folder.
    pub(crate) other: String,
    /// Take names that begin with a dot, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Take what `.gitignore` and `.ignore` leave out, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// What is summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UsageBy {
    #[default]
    Folder,
    Type,
    Extension,
    Year,
    Month,
    Tag,
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
        "info" => Info(InfoParameters),
        "compare" => Compare(CompareParameters),
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
            Self::Info(call) => &call.path,
            Self::Compare(call) => &call.path,
        }
    }
}
