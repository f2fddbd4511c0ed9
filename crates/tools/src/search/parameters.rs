//! The parameters of `search`.

use super::filter::Filter;
use super::order::Order;
use crate::parameters::{JsonObject, actions};
use schemars::JsonSchema;
use serde::Deserialize;

/// Parameters of `ls`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LsParameters {
    /// The folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Glob for the entries: `*.rs`, or `src/**/*.rs` to include subfolders.
    #[serde(default)]
    pub(crate) glob: Option<String>,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
}

/// Parameters of `find`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindParameters {
    /// The folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    #[serde(flatten)]
    pub(crate) filter: Filter,
    /// Sort order; also adds kind, size and date to each line.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// Maximum number of results. Default: as many as fit.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Number of results to skip.
    #[serde(default)]
    pub(crate) offset: u64,
}

/// Parameters of `tree`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeParameters {
    /// The folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Number of folder levels to show. Default: 3.
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Include what .gitignore leaves out.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Parameters of `grep`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepParameters {
    /// Regular expression to search for, line by line.
    pub(crate) pattern: String,
    /// The file or folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Search the output of this background command or earlier call, not files.
    #[serde(default)]
    pub(crate) output_id: Option<String>,
    /// Match upper and lower case alike.
    #[serde(default)]
    pub(crate) ignore_case: bool,
    /// Take pattern as plain text, not as a regular expression.
    #[serde(default)]
    pub(crate) literal: bool,
    /// Match whole words only.
    #[serde(default)]
    pub(crate) words: bool,
    /// Return only the paths of matching files.
    #[serde(default)]
    pub(crate) files_only: bool,
    /// Search only files that match this glob: `*.rs`, `src/**/*.rs`.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Lines to show before and after each match.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub(crate) context: Option<usize>,
    /// Conditions, as in select_files.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Include what .gitignore leaves out.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Parameters of `head`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeadParameters {
    pub(crate) path: String,
    /// Number of lines from the start. Default: 10.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Parameters of `tail`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TailParameters {
    pub(crate) path: String,
    /// Number of lines from the end. Default: 10.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Parameters of `wc`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WcParameters {
    /// The file or folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Count only files that match this glob: `*.rs`, `src/**/*.rs`.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Conditions, as in select_files.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Include what .gitignore leaves out.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Parameters of `duplicates`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DuplicatesParameters {
    /// The folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Conditions, as in select_files.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Include what .gitignore leaves out.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Parameters of `usage`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageParameters {
    /// The folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// How to group the sizes. Default: folder, each direct entry.
    #[serde(default)]
    pub(crate) by: UsageBy,
    /// Conditions, as in select_files.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
}

/// Parameters of `info`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InfoParameters {
    /// The file or folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Conditions, as in select_files. Default: the folder's direct entries.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Option<Filter>,
    /// Sort order. Default: name.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// Maximum number of results. Default: as many as fit.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Number of results to skip.
    #[serde(default)]
    pub(crate) offset: u64,
}

/// Parameters of `compare`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareParameters {
    /// The first folder. Default: the workspace.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// The second folder.
    pub(crate) other: String,
    /// Include names that begin with a dot.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Include what .gitignore leaves out.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// How sizes are grouped.
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
