//! `deputy show --prompt`: prints what was sent to the model in a step and what it answered.

use super::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, printable};
use deputy_protocol::{ErrorCode, PromptQuery, Query, QueryAnswer};
use serde_json::Value;

/// Prints the data unchanged with `--json`, and message by message otherwise.
pub(crate) async fn show(cx: &Context, task: &str, step: u32) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let id = session.find_task(task).await?;
    let (mut text, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let query = PromptQuery { task: id.clone(), step, offset: from };
        let QueryAnswer::Prompt(piece) = session.query(Query::Prompt(query)).await? else {
            return Err(super::run::misfit());
        };
        text.push_str(&piece.text);
        offset = piece.next;
    }
    session.close().await;
    let prompt: Value = serde_json::from_str(&text).map_err(|error| {
        Failure::new(ErrorCode::Host, format!("The prompt is not readable: {error}."), "Try again.")
    })?;
    if cx.json {
        view::print_json(&prompt);
        return Ok(End::Done);
    }
    let screen = Screen::new();
    let sent = &prompt["sent"];
    let said = |value: &Value| printable(value.as_str().unwrap_or_default());
    let model = sent["model"].as_str().map(|model| format!(" · {}", printable(model))).unwrap_or_default();
    screen.line(&format!("sent to {}{model}", said(&sent["backend"])));
    section(&screen, "system", &said(&sent["system"]));
    let tools = sent["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<String> = tools.iter().map(|tool| said(&tool["name"])).collect();
    section(&screen, "tools (--json has their schemas)", &names.join(", "));
    if let Some(earlier) = sent["earlier"].as_array().filter(|earlier| !earlier.is_empty()) {
        section(&screen, "earlier tasks", &pretty(earlier));
    }
    for message in sent["messages"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let (role, text) = (said(&message["role"]), said(&message["text"]));
        match message["role"].as_str() {
            Some("tool") => {
                section(&screen, &format!("tool {}", said(&message["tool"])), &said(&message["content"]));
            }
            _ => section(&screen, &role, &text),
        }
        for call in message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default() {
            screen.line(&format!(
                "  calls {} {}",
                said(&call["tool"]),
                printable(&call["parameters"].to_string())
            ));
        }
    }
    for event in prompt["received"].as_array().map(Vec::as_slice).unwrap_or_default() {
        section(&screen, "received", &pretty(event));
    }
    Ok(End::Done)
}

fn pretty(value: &(impl serde::Serialize + ?Sized)) -> String {
    printable(&serde_json::to_string_pretty(value).unwrap_or_default())
}

fn section(screen: &Screen, title: &str, text: &str) {
    screen.line(&format!("\n── {title} ──"));
    screen.line(text.trim_end());
}
