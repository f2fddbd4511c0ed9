//! The parameters of `search`.

use super::filter::Filter;
use super::order::Order;
use crate::parameters::{JsonObject, actions};
use schemars::JsonSchema;
use serde::Deserialize;

/// Name, kind, bytes, date.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LsParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// E.g. `src/**/*.rs`.
    #[serde(default)]
    pub(crate) glob: Option<String>,
    /// Dot files, too.
    #[serde(default)]
    pub(crate) hidden: bool,
}

/// Paths that meet all conditions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    #[serde(flatten)]
    pub(crate) filter: Filter,
    /// The order.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// At most.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Skip first.
    #[serde(default)]
    pub(crate) offset: u64,
}

/// An indented tree.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TreeParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Levels; `tree`: 3 when absent.
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    /// Dot files, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Ignored files, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Matches as `path:line:text`, in PDF and Office files too.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepParameters {
    /// `find`: a glob, on the path where it has a `/`; `grep`: a regular expression.
    pub(crate) pattern: String,
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// In any case.
    #[serde(default)]
    pub(crate) ignore_case: bool,
    /// Plain text.
    #[serde(default)]
    pub(crate) literal: bool,
    /// Whole ones.
    #[serde(default)]
    pub(crate) words: bool,
    /// Only paths.
    #[serde(default)]
    pub(crate) files_only: bool,
    /// A glob for names.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Lines around.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub(crate) context: Option<usize>,
    /// Conditions of `find`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Dot files, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Ignored files, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Its first lines.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeadParameters {
    /// The workspace when absent.
    pub(crate) path: String,
    /// 10 when absent.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Its last lines.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TailParameters {
    /// The workspace when absent.
    pub(crate) path: String,
    /// 10 when absent.
    #[serde(default)]
    pub(crate) lines: Option<usize>,
}

/// Lines, words and bytes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WcParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// A glob for names.
    #[serde(default)]
    pub(crate) include: Option<String>,
    /// Conditions of `find`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Dot files, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Ignored files, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// Files with the same content.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DuplicatesParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Conditions of `find`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
    /// Dot files, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Ignored files, too.
    #[serde(default)]
    pub(crate) no_ignore: bool,
}

/// What takes the room.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// By entry when absent.
    #[serde(default)]
    pub(crate) by: UsageBy,
    /// Conditions of `find`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Filter,
}

/// Pixels, date, camera, pages, title, author, lines, words, tags.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InfoParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// Conditions of `find`.
    #[serde(default)]
    #[schemars(with = "JsonObject")]
    pub(crate) r#where: Option<Filter>,
    /// The order.
    #[serde(default)]
    pub(crate) sort: Option<Order>,
    /// At most.
    #[serde(default)]
    pub(crate) limit: Option<u64>,
    /// Skip first.
    #[serde(default)]
    pub(crate) offset: u64,
}

/// How two folders differ.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareParameters {
    /// The workspace when absent.
    #[serde(default = "here")]
    pub(crate) path: String,
    /// A folder.
    pub(crate) other: String,
    /// Dot files, too.
    #[serde(default)]
    pub(crate) hidden: bool,
    /// Ignored files, too.
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
