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

/// Parameters of `navigate`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NavigateCall {
    pub(crate) url: String,
    /// Wait for load, domcontentloaded, networkidle or a CSS selector. Default: load.
    #[serde(default)]
    pub(crate) until: Option<String>,
}

/// Parameters of `snapshot`, `extract_text` and `extract_html`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartCall {
    /// Part of a long page, from 1.
    #[serde(default)]
    pub(crate) part: Option<u32>,
}

/// Parameters of `click` and `hover`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ElementCall {
    /// Reference such as e12 from the page outline, or a CSS selector.
    #[serde(rename = "ref")]
    pub(crate) reference: String,
}

/// Parameters of `fill`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FillCall {
    /// Reference such as e12 from the page outline, or a CSS selector.
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    /// The new text of the field; replaces the old text.
    pub(crate) text: String,
}

/// Parameters of `download`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DownloadCall {
    /// Reference such as e12 from the page outline, or a CSS selector.
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    /// Path of the new file to save.
    pub(crate) to: String,
}

/// Parameters of `upload`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UploadCall {
    /// Reference such as e12 from the page outline, or a CSS selector.
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    /// The files to upload.
    pub(crate) paths: Vec<String>,
}

/// Parameters of `select`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectCall {
    /// Reference such as e12 from the page outline, or a CSS selector.
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    /// Options to select, by label or value.
    pub(crate) values: Vec<String>,
}

/// Parameters of `press`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PressCall {
    /// Keys in order, separated by spaces: Enter, Control+A, ArrowDown Tab.
    pub(crate) keys: String,
    /// Reference such as e12 from the page outline, or a CSS selector. Default: the focused element.
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
}

/// Parameters of `scroll`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScrollCall {
    /// Reference such as e12 from the page outline, or a CSS selector. Default: the page.
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
    /// Screens to scroll down; negative: up.
    #[serde(default)]
    pub(crate) pages: Option<f64>,
}

/// Parameters of `screenshot`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenshotCall {
    /// Reference such as e12 from the page outline, or a CSS selector. Default: the visible page.
    #[serde(default, rename = "ref")]
    pub(crate) reference: Option<String>,
}

/// Parameters of `back` and `forward`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoParameters {}

/// Parameters of `tabs`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TabsCall {
    /// Number of the tab to switch to or close. Default: list the tabs.
    #[serde(default)]
    pub(crate) tab: Option<u32>,
    /// Close the tab instead of switching to it.
    #[serde(default)]
    pub(crate) close: bool,
}

/// Parameters of `wait_for`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitCall {
    /// Text to wait for. Give either text or selector.
    #[serde(default)]
    pub(crate) text: Option<String>,
    /// CSS selector of a visible element to wait for.
    #[serde(default)]
    pub(crate) selector: Option<String>,
    /// Maximum seconds to wait, up to 60. Default: 10.
    #[serde(default)]
    pub(crate) seconds: Option<u32>,
}

/// Parameters of `evaluate`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateCall {
    /// JavaScript to run in the page; returns its last value.
    pub(crate) script: String,
    /// The script changes nothing, so the user is not asked; fails if it does.
    #[serde(default)]
    pub(crate) only_reads: bool,
}

/// Parameters of `allow`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllowCall {
    /// Origins to load from, such as `https://cdn.example.com`.
    pub(crate) origins: Vec<String>,
}
