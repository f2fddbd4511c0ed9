//! Reads a page: as text, as a picture, and with a script.

use crate::report::{Changes, Glance};
use crate::{Browser, BrowserError};
use base64::Engine;
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde_json::{Value, json};
use std::time::Duration;

/// The time limit of a script.
const SCRIPT_TIME: Duration = Duration::from_secs(15);

/// The error that the browser engine throws when a read-only script has side effects.
const SIDE_EFFECT: &str = "EvalError";

/// A picture of a page.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The picture as PNG.
    pub png: Vec<u8>,
    /// The address of the page.
    pub url: String,
}

impl Browser {
    /// Returns the page as an outline.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if no page can be read.
    pub async fn snapshot(&self) -> Result<Glance, BrowserError> {
        let glance = self.glance().await?;
        self.keep_last(&glance);
        Ok(glance)
    }

    /// Takes what happened without being requested since the last report: notes, and refused origins with the reasons.
    pub fn told(&self) -> (Vec<Phrase>, std::collections::BTreeMap<String, Phrase>) {
        (self.world.take_notes(), self.world.door.take_blocked())
    }

    /// Returns the visible content of the page as HTML, and its address.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if no page can be read.
    pub async fn html(&self) -> Result<(String, String), BrowserError> {
        let tab = self.tab()?;
        let context = self.context(&tab.session, &tab.frame).await?;
        let params = json!({"expression": "deputy.html()", "contextId": context, "returnByValue": true});
        let mut answer = self.call(&tab.session, "Runtime.evaluate", params).await?;
        match answer["result"]["value"].take() {
            Value::String(html) => Ok((tab.url, html)),
            _ => Err(BrowserError::Refused(say::no_text())),
        }
    }

    /// Takes a picture of the visible part of the page, or of an element.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the element is in a frame or no picture can be taken.
    pub async fn screenshot(&self, reference: Option<&str>) -> Result<Shot, BrowserError> {
        let tab = self.tab()?;
        let mut params = json!({"format": "png"});
        if let Some(reference) = reference {
            let element = self.find(reference).await?;
            if element.session != tab.session {
                return Err(BrowserError::Unfit(say::in_a_frame(reference)));
            }
            let node = json!({"backendNodeId": element.backend});
            self.call(&tab.session, "DOM.scrollIntoViewIfNeeded", node.clone()).await?;
            let model = self.call(&tab.session, "DOM.getBoxModel", node).await?;
            let metrics = self.call(&tab.session, "Page.getLayoutMetrics", json!({})).await?;
            let view = &metrics["cssVisualViewport"];
            let corner = |index: usize| model["model"]["border"][index].as_f64().unwrap_or_default();
            let scrolled = |side: &str| view[side].as_f64().unwrap_or_default();
            params["clip"] = json!({
                "x": corner(0) + scrolled("pageX"), "y": corner(1) + scrolled("pageY"),
                "width": (corner(4) - corner(0)).max(1.0), "height": (corner(5) - corner(1)).max(1.0), "scale": 1,
            });
        }
        let shot = self.call(&tab.session, "Page.captureScreenshot", params).await?;
        let png = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap_or_default());
        let png = png.map_err(BrowserError::refused)?;
        Ok(Shot { png, url: tab.url })
    }

    /// Runs a script in the page and returns its value as JSON. The browser engine aborts a script declared as
    /// read-only before it changes anything, sends a request, or calls a function that is not known to be free of side
    /// effects.
    ///
    /// # Errors
    ///
    /// [`BrowserError`], including when the script throws.
    pub async fn evaluate(&self, script: &str, only_reads: bool) -> Result<(String, Changes), BrowserError> {
        let tab = self.tab()?;
        let params = json!({
            "expression": script, "returnByValue": true, "awaitPromise": true, "userGesture": false,
            "replMode": !only_reads, "throwOnSideEffect": only_reads, "timeout": SCRIPT_TIME.as_millis() as u64,
        });
        let answer =
            self.world.pipe.call_within(SCRIPT_TIME, &tab.session, "Runtime.evaluate", params).await?;
        let thrown = &answer["exceptionDetails"];
        if !thrown.is_null() {
            let said =
                thrown["exception"]["description"].as_str().or(thrown["text"].as_str()).unwrap_or_default();
            if only_reads && thrown["exception"]["className"] == SIDE_EFFECT {
                return Err(BrowserError::Unfit(say::only_reads()));
            }
            return Err(BrowserError::Unfit(say::script_failed(crate::words::cut(said, 500))));
        }
        let result = &answer["result"];
        let value = match &result["value"] {
            Value::Null => {
                result["description"].as_str().or(result["type"].as_str()).unwrap_or("null").to_owned()
            }
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        self.settle(&[&tab.session]).await?;
        Ok((value, self.changes().await?))
    }
}
