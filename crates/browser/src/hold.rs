//! Restricts input to the element that was judged. A page can put something else under the mouse or move the focus at
//! any time. During an action, listeners in every frame of the tab therefore block input to anything but the element.

use crate::element::PageElement;
use crate::tab::Tab;
use crate::world::World;
use crate::{Browser, BrowserError};
use deputy_messages::browser as say;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The kind of input that is restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Mouse,
    Keys,
    Text,
}

impl Input {
    fn name(self) -> &'static str {
        match self {
            Self::Mouse => "mouse",
            Self::Keys => "keys",
            Self::Text => "text",
        }
    }
}

/// A frame of a tab.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The session of its process.
    pub(crate) session: String,
    /// The frame that contains it. `None` for the page itself.
    pub(crate) parent: Option<String>,
}

/// The frames in which input is restricted. Dropping this lifts the restriction, also if the action fails or is
/// cancelled, because a person may use the page next.
struct Held<'a> {
    world: &'a World,
    /// A session and a script context for each.
    contexts: Vec<(String, Value)>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        for (session, context) in &self.contexts {
            let free = json!({"expression": "deputy.free()", "contextId": context});
            self.world.pipe.tell(session, "Runtime.evaluate", free);
        }
    }
}

impl Browser {
    /// Returns the frames of a tab by id.
    pub(crate) async fn frames(&self, tab: &Tab) -> HashMap<String, Frame> {
        let mut frames = HashMap::new();
        let sessions = std::iter::once(tab.session.clone()).chain(self.world.frame_sessions(&tab.session));
        for session in sessions {
            // A process that has ended has no frames.
            let Ok(tree) = self.call(&session, "Page.getFrameTree", json!({})).await else { continue };
            let mut trees = vec![&tree["frameTree"]];
            while let Some(tree) = trees.pop() {
                trees.extend(tree["childFrames"].as_array().into_iter().flatten());
                let text = |name: &str| tree["frame"][name].as_str().map(str::to_owned);
                if let Some(id) = text("id") {
                    frames.insert(id, Frame { session: session.clone(), parent: text("parentId") });
                }
            }
        }
        frames
    }

    /// Performs input that can reach only one element.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the input would have reached something else. It was blocked.
    pub(crate) async fn held_to(
        &self,
        reference: &str,
        element: &PageElement,
        input: Input,
        acting: impl Future<Output = Result<(), BrowserError>>,
    ) -> Result<(), BrowserError> {
        let tab = self.tab()?;
        let frames = self.frames(&tab).await;
        let mut held = Held { world: &self.world, contexts: Vec::new() };
        for (id, frame) in &frames {
            // A frame that is being replaced receives no input yet.
            if let Ok(context) = self.context(&frame.session, id).await {
                held.contexts.push((frame.session.clone(), context));
            }
        }
        let hold = format!("deputy.hold({:?})", input.name());
        self.in_each(&held.contexts, &hold).await;
        self.on::<Value>(element, "holdTo", &[json!(input.name())]).await?;
        acting.await?;
        let missed = self.in_each(&std::mem::take(&mut held.contexts), "deputy.free()").await;
        match missed.into_iter().find(|missed| !missed.is_empty()) {
            Some(missed) => {
                let missed = crate::words::cut(&missed, 100);
                Err(BrowserError::Unfit(say::not_reached(reference, say::came_between(missed))))
            }
            None => Ok(()),
        }
    }

    /// Evaluates an expression in several frames. Returns the resulting texts, without those of frames that are gone.
    async fn in_each(&self, contexts: &[(String, Value)], expression: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for (session, context) in contexts {
            let params = json!({"expression": expression, "contextId": context, "returnByValue": true});
            if let Ok(answer) = self.call(session, "Runtime.evaluate", params).await {
                texts.push(answer["result"]["value"].as_str().unwrap_or_default().to_owned());
            }
        }
        texts
    }
}
