//! `fetch`: reads one web address as text, without a browser.

use crate::browser::carried_in_address;
use crate::carried::Carried;
use crate::parameters::one_action;
use crate::per_task::PerTask;
use crate::picture;
use crate::text::{failed, one_line, parts_of, size};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::web as say;
use deputy_messages::{Phrase, tools};
use deputy_protocol::{
    Access, CallId, CallStatus, Effect, Facts, PictureType, ResultPart, Risk, ToolResult, UrlAccess,
};
use deputy_web::{Bounds, Client, Fetched};
use schemars::JsonSchema;
use serde::Deserialize;
use std::io::Write;

/// The maximum size of an answer, in bytes.
const MOST_BYTES: usize = 10 * 1000 * 1000;
/// The maximum length of a document's text, in bytes.
const MOST_TEXT: usize = 4 * 1000 * 1000;
/// The maximum length of an address in a permission request, in characters.
const MOST_SHOWN: usize = 300;

/// The `fetch` tool. Its client caches what servers allow it to cache.
pub(crate) struct Fetch {
    client: Client,
    /// What tasks have read in their browsers, which an address could leak elsewhere.
    carried: PerTask<Carried>,
}

impl Fetch {
    pub(crate) fn new(carried: PerTask<Carried>) -> Self {
        Self { client: Client::default(), carried }
    }
}

/// Parameters of `fetch`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FetchCall {
    url: String,
    /// Part of a long page, from 1.
    #[serde(default)]
    part: Option<u32>,
}

one_action!(FetchCall);

impl TypedTool for Fetch {
    const NAME: &'static str = "fetch";
    type Parameters = FetchCall;

    fn facts(&self, call: &FetchCall, _: &Place) -> Result<Facts, InvalidCall> {
        if call.part == Some(0) {
            return Err(InvalidCall::parameter(Self::NAME, "part", say::expected_part()));
        }
        let url = call.url.clone();
        let shown = one_line(&deputy_policy::url::canonical(&url).unwrap_or_else(|| url.clone()), MOST_SHOWN);
        let summary = match deputy_policy::url::site(&url) {
            Some(site) => say::fetch_site(site, shown),
            None => say::fetch(shown),
        };
        Ok(Facts {
            effect: Effect::ReadOnly,
            accesses: vec![Access::Url(UrlAccess { url, subresource: false })],
            summary,
            diff: None,
            plan: None,
            risk: Risk::Low,
        })
    }

    fn facts_of(&self, id: &CallId, call: &FetchCall, place: &Place) -> Result<Facts, InvalidCall> {
        let mut facts = self.facts(call, place)?;
        let carried = id.task().and_then(|task| self.carried.known(&task));
        facts.accesses.extend(carried.and_then(|carried| carried_in_address(&carried, &call.url)));
        Ok(facts)
    }

    async fn run(&self, call: FetchCall, cx: &CallContext) -> ToolResult {
        let bounds = Bounds { body_bytes: MOST_BYTES, timeout: cx.look_timeout };
        // A server that the task started is reached by a way of its own, and its answers belong to this task alone.
        let own_servers = cx.gate.own_servers().filter(|gate| gate.admits(&call.url).is_ok());
        let own_client = own_servers.is_some().then(Client::default);
        let gate = own_servers.unwrap_or_else(|| cx.gate.clone());
        let client = own_client.as_ref().unwrap_or(&self.client);
        let got = tokio::select! {
            () = cx.cancel.cancelled() => return crate::text::cancelled(),
            got = client.get(gate.as_ref(), &call.url, bounds) => got,
        };
        let fetched = match got {
            Ok(fetched) => fetched,
            Err(error) => return failed(error),
        };
        let (cx, part) = (cx.clone(), call.part.unwrap_or(1));
        // Parsing a large page takes time and stack.
        match tokio::task::spawn_blocking(move || told(&fetched, part, &cx)).await {
            Ok(result) => result,
            Err(error) => failed(error.to_string()),
        }
    }
}

/// The kind of an answer.
enum Content {
    Text(String),
    Picture(Box<ResultPart>),
    Other(Phrase),
}

fn told(fetched: &Fetched, part: u32, cx: &CallContext) -> ToolResult {
    let kind = fetched.media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let url = one_line(&fetched.url, MOST_SHOWN);
    let mut summary = named(&kind, &url, size(fetched.body.len() as u64));
    if fetched.is_cut {
        summary = say::longer_than_read(summary);
    }
    let is_ok = (200..300).contains(&fetched.status);
    if !is_ok {
        summary = say::with_status(summary, fetched.status);
    }
    let status = if is_ok { CallStatus::Ok } else { CallStatus::Failed };
    let text = match content(fetched, &kind, cx) {
        Ok(Content::Text(text)) => text,
        Ok(Content::Picture(picture)) => {
            let content = summary.to_string();
            return ToolResult { summary, parts: vec![*picture], ..ToolResult::new(status, content) };
        }
        Ok(Content::Other(why)) => {
            let content = say::not_shown(&summary, why);
            return ToolResult { summary, ..ToolResult::new(status, content) };
        }
        Err(error) => return failed(error),
    };
    let room = cx.output_chars.saturating_sub(summary.chars().count() + 200).max(500);
    let parts = parts_of(&text, room);
    let index = part as usize - 1;
    let Some(piece) = parts.get(index) else {
        return failed(say::has_only(parts.len(), url));
    };
    if parts.len() > 1 {
        summary = say::part_of(summary, part, parts.len());
    }
    let mut content = format!("{summary}\n{piece}");
    if part as usize != parts.len() {
        content.push_str(&format!("\n[read on with part={}]", part + 1));
    }
    ToolResult { summary, ..ToolResult::new(status, content) }
}

/// Describes an answer with its media type in everyday terms.
fn named(kind: &str, url: &str, size: Phrase) -> Phrase {
    match kind {
        "text/html" | "application/xhtml+xml" => say::fetched("HTML", size, url),
        "application/json" => say::fetched("JSON", size, url),
        "application/pdf" => say::fetched("PDF", size, url),
        "text/plain" => say::fetched_text(size, url),
        "" => say::fetched_no_type(size, url),
        other => say::fetched(other, size, url),
    }
}

fn content(fetched: &Fetched, kind: &str, cx: &CallContext) -> Result<Content, crate::KeepError> {
    let body = &fetched.body;
    let text = || deputy_web::decoded(body, &fetched.media_type);
    if PictureType::of(body).is_some() && !fetched.is_cut {
        let url = one_line(&fetched.url, MOST_SHOWN);
        let alt = |kind: PictureType, (width, height)| tools::picture(height, kind.name(), url, width);
        if let Some(part) = picture::keep(cx.keeper.as_ref(), body, alt)? {
            return Ok(Content::Picture(Box::new(ResultPart::Picture(part))));
        }
    }
    if body.starts_with(b"%PDF") {
        return Ok(match pdf_text(body) {
            Some(text) => Content::Text(text),
            None => Content::Other(say::no_text_in_pdf()),
        });
    }
    let is_text = kind.starts_with("text/")
        || kind.is_empty()
        || ["json", "xml", "javascript", "yaml"].iter().any(|part| kind.contains(part));
    Ok(match kind {
        "text/html" | "application/xhtml+xml" => Content::Text(deputy_web::markdown(&text())),
        _ if is_text && !body.contains(&0) => Content::Text(text()),
        _ => Content::Other(say::is_no_text()),
    })
}

/// Extracts the text of a PDF. The document reader needs a file.
fn pdf_text(body: &[u8]) -> Option<String> {
    let mut file = tempfile::tempfile().ok()?;
    file.write_all(body).ok()?;
    deputy_organize::document_text(&file, "page.pdf", MOST_TEXT).filter(|text| !text.trim().is_empty())
}
