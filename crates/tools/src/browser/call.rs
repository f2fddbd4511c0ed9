//! The parameters of `browser`.

use crate::parameters::actions;
use schemars::JsonSchema;
use serde::Deserialize;
use std::borrow::Cow;

actions! {
    /// Parameters of `browser`.
    pub(crate) enum BrowserCall {
        "navigate" => Navigate(NavigateCall),
        "snapshot" => Snapshot(PartCall),
        "click" => Click(ElementCall),
        "fill" => Fill(FillCall),
        "select" => Select(SelectCall),
        "press" => Press(PressCall),
        "hover" => Hover(ElementCall),
        "scroll" => Scroll(ScrollCall),
        "extract_text" => ExtractText(PartCall),
        "extract_html" => ExtractHtml(PartCall),
        "download" => Download(DownloadCall),
        "upload" => Upload(UploadCall),
        "screenshot" => Screenshot(ScreenshotCall),
        "back" => Back(NoParameters),
        "forward" => Forward(NoParameters),
        "tabs" => Tabs(TabsCall),
        "wait_for" => WaitFor(WaitCall),
        "evaluate" => Evaluate(EvaluateCall),
        "allow" => Allow(AllowCall),
    }
}

impl BrowserCall {
    /// Returns whether the call does not depend on what was typed or done on the page before.
    pub(super) fn only_looks(&self) -> bool {
        matches!(
            self,
            Self::Snapshot(_)
                | Self::ExtractText(_)
                | Self::ExtractHtml(_)
                | Self::Screenshot(ScreenshotCall { reference: None })
                | Self::WaitFor(_)
                | Self::Evaluate(EvaluateCall { only_reads: true, .. })
                | Self::Allow(_)
        )
    }

    /// Returns the text that the call types or puts into an address.
    pub(super) fn written(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Navigate(to) => Some(Cow::Borrowed(&to.url)),
            Self::Fill(fill) => Some(Cow::Borrowed(&fill.text)),
            // A sequence of keys is a text as well.
            Self::Press(press) => Some(press.keys.split_whitespace().filter_map(character).collect()),
            _ => None,
        }
    }
}

/// Returns the character that a key produces.
fn character(key: &str) -> Option<char> {
    let key = if key.len() > "Shift+".len() { key.strip_prefix("Shift+").unwrap_or(key) } else { key };
    let mut characters = key.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Some(character),
        _ => key.eq_ignore_ascii_case("space").then_some(' '),
    }
}

/// gives the page's outline
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NavigateCall {
    pub(crate) url: String,
    /// `load`, `domcontentloaded`, `networkidle`, or a CSS selector.
    #[serde(default)]
    pub(crate) until: Option<String>,
}

/// in parts
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartCall {
    #[serde(default)]
    pub(crate) part: Option<u32>,
}

/// by reference or CSS selector
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ElementCall {
    #[serde(rename = "ref")]
    pub(crate) reference: String,
}

/// replace a field's text
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FillCall {
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    pub(crate) text: String,
}

/// click and save the file
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DownloadCall {
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    /// A new file in the task's folder.
    pub(crate) to: String,
}

/// hand files over; the person is asked
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UploadCall {
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    pub(crate) paths: Vec<String>,
}

/// choose in a list
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectCall {
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    pub(crate) values: Vec<String>,
}

/// one after the other
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PressCall {
    /// E.g. `Enter`, `Control+A`, `ArrowDown ArrowDown`.
    pub(crate) keys: String,
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
}

/// the page, or around an element
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScrollCall {
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
    /// 1 by default; negative is up.
    #[serde(default)]
    pub(crate) pages: Option<f64>,
}

/// of what is in view, or an element
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenshotCall {
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
}

/// in the history
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoParameters {}

/// list, go to one, or close it
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TabsCall {
    #[serde(default)]
    pub(crate) tab: Option<u32>,
    #[serde(default)]
    pub(crate) close: bool,
}

/// until a text or CSS selector is seen
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitCall {
    #[serde(default)]
    pub(crate) text: Option<String>,
    #[serde(default)]
    pub(crate) selector: Option<String>,
    /// 10 by default.
    #[serde(default)]
    pub(crate) seconds: Option<u32>,
}

/// run JavaScript; the person is asked unless it only reads
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateCall {
    pub(crate) script: String,
    /// An expression that changes nothing; else it fails.
    #[serde(default)]
    pub(crate) only_reads: bool,
}

/// ask for hosts that were not loaded
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllowCall {
    /// E.g. `https://cdn.example.com`.
    pub(crate) origins: Vec<String>,
}
