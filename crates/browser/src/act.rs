//! Actions on a page by reference. Each element is checked again before anything is done to it.

use crate::aim::{Aimed, Spot};
use crate::element::{Elsewhere, Info, PageElement, Seen, number};
use crate::hold::Input;
use crate::keys::{Stroke, strokes};
use crate::report::Changes;
use crate::sending::Sending;
use crate::tab::Tab;
use crate::world::World;
use crate::{Browser, BrowserError};
use deputy_messages::Phrase;
use deputy_messages::browser as say;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for the page to submit the approved form.
const SENDING: Duration = Duration::from_secs(3);

/// How long no request to an origin may have been refused before a form is sent there.
const QUIET: Duration = Duration::from_millis(200);

/// Withdraws an action's right to send a form, also if the action is cancelled.
struct Ends<'a>(&'a Arc<World>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.door.ends();
        self.0.narrows();
    }
}

/// The page's report about an element before a click.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Reached {
    gone: bool,
    hidden: bool,
    covered: String,
    disabled: bool,
    /// The point of a click in the frame, and its distance from the edges of the element.
    x: f64,
    y: f64,
    dx: f64,
    dy: f64,
    width: f64,
    height: f64,
    #[serde(flatten)]
    info: Info,
}

/// The page's report about an element to be changed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Taken {
    gone: bool,
    unfit: Option<Unfit>,
    /// Whether the element accepts typed text.
    #[serde(rename = "type")]
    types: bool,
}

/// Why an element does not accept its input.
#[derive(Debug, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
enum Unfit {
    Fixed,
    NotForText,
    Takes { format: String },
    NoList,
    NoSuchChoice { missing: String, choices: String },
    OneChoice,
}

impl Unfit {
    fn phrase(&self) -> Phrase {
        match self {
            Self::Fixed => say::is_fixed(),
            Self::NotForText => say::not_for_text(),
            Self::Takes { format } => say::takes_format(format),
            Self::NoList => say::no_list(),
            Self::NoSuchChoice { missing, choices } => say::no_such_choice(choices, missing),
            Self::OneChoice => say::takes_one_choice(),
        }
    }
}

impl Browser {
    /// Clicks an element. `expected` is the information that was approved.
    ///
    /// # Errors
    ///
    /// [`BrowserError`]; in that case nothing was clicked.
    pub async fn click(&self, reference: &str, expected: &Info) -> Result<Changes, BrowserError> {
        let element = self.find(reference).await?;
        let spot = self.reach(reference, &element, Some(expected)).await?;
        let aimed = self.aimed(spot).await;
        // The page may have changed while the picture was taken.
        let (x, y) = self.reach(reference, &element, Some(expected)).await?.at;
        let session = self.tab()?.session;
        let mouse = |kind: &str, buttons: u8| {
            json!({"type": kind, "x": x, "y": y, "button": if kind == "mouseMoved" { "none" } else { "left" },
                   "buttons": buttons, "clickCount": u8::from(kind != "mouseMoved")})
        };
        let clicking = async {
            for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
                self.call(&session, "Input.dispatchMouseEvent", mouse(kind, buttons)).await?;
            }
            Ok(())
        };
        let clicking = self.held_to(reference, &element, Input::Mouse, clicking);
        let form = expected.elsewhere.as_ref().filter(|form| form.submits);
        self.sending(form, &element.session, clicking).await?;
        Ok(Changes { aimed, ..self.changes_of_action().await? })
    }

    /// Moves the mouse over an element.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the element cannot be reached.
    pub async fn hover(&self, reference: &str) -> Result<Changes, BrowserError> {
        let element = self.find(reference).await?;
        let spot = self.reach(reference, &element, None).await?;
        let aimed = self.aimed(spot).await;
        let (x, y) = self.reach(reference, &element, None).await?.at;
        let session = self.tab()?.session;
        self.call(&session, "Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}))
            .await?;
        self.settle(&[&session, &element.session]).await?;
        Ok(Changes { aimed, ..self.changes_of_action().await? })
    }

    /// Replaces the text of a field.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the element does not accept the text.
    pub async fn fill(&self, reference: &str, text: &str, expected: &Info) -> Result<Changes, BrowserError> {
        let element = self.find(reference).await?;
        self.is_as_expected(reference, &element, expected).await?;
        let aimed = self.aimed_at(reference, &element).await;
        let filling = async {
            let taken: Taken = self.on(&element, "fill", &[json!(text)]).await?;
            check(reference, &taken)?;
            if taken.types {
                match text.is_empty() {
                    true => self.stroke(&element.session, &Stroke::named("Delete")).await?,
                    false => {
                        drop(self.call(&element.session, "Input.insertText", json!({"text": text})).await?)
                    }
                }
                self.on::<Value>(&element, "filled", &[]).await?;
            }
            Ok(())
        };
        let filling = self.held_to(reference, &element, Input::Text, filling);
        self.sending(None, &element.session, filling).await?;
        Ok(Changes { aimed, ..self.changes_of_action().await? })
    }

    /// Selects entries of a list, by label or by value.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the element is not a list with these entries.
    pub async fn select(&self, reference: &str, values: &[String]) -> Result<Changes, BrowserError> {
        let element = self.find(reference).await?;
        let aimed = self.aimed_at(reference, &element).await;
        let choosing = async {
            let taken: Taken = self.on(&element, "select", &[json!(values)]).await?;
            check(reference, &taken)
        };
        self.sending(None, &element.session, choosing).await?;
        Ok(Changes { aimed, ..self.changes_of_action().await? })
    }

    /// Presses keys, in an element or in the focused element.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if a key is unknown or the element is not as expected.
    pub async fn press(
        &self,
        reference: Option<&str>,
        keys: &str,
        expected: &Info,
    ) -> Result<Changes, BrowserError> {
        let strokes = strokes(keys).map_err(BrowserError::Unfit)?;
        let (element, is_known) = match reference {
            Some(reference) => {
                let element = self.find(reference).await?;
                self.is_as_expected(reference, &element, expected).await?;
                self.call(&element.session, "DOM.focus", json!({"backendNodeId": element.backend})).await?;
                (element, true)
            }
            None => {
                let (element, active, is_seen) = self.active().await?;
                let sends = strokes.iter().any(Stroke::submits);
                let types = strokes.iter().any(Stroke::types);
                let is_asked = active.elsewhere.is_some() && sends || !active.secret.is_empty() && types;
                if is_asked || !is_seen && (sends || types) {
                    return Err(BrowserError::Unfit(say::give_reference()));
                }
                (element, is_seen)
            }
        };
        let session = element.session.clone();
        let pressing = async {
            for stroke in &strokes {
                self.stroke(&session, stroke).await?;
            }
            Ok(())
        };
        let form = expected.elsewhere.as_ref();
        match is_known {
            true => {
                let pressing = self.held_to(&element.name, &element, Input::Keys, pressing);
                self.sending(form, &session, pressing).await?;
            }
            // The focus is somewhere in a frame or a component. Only keys that neither type nor submit get here.
            false => self.sending(form, &session, pressing).await?,
        }
        self.changes_of_action().await
    }

    /// Scrolls the container of an element, or the page, by a number of pages. Negative is up.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the element no longer exists.
    pub async fn scroll(&self, reference: Option<&str>, pages: f64) -> Result<Changes, BrowserError> {
        let session = match reference {
            Some(reference) => {
                let element = self.find(reference).await?;
                self.on::<Value>(&element, "scroll", &[json!(pages)]).await?;
                element.session
            }
            None => {
                let tab = self.tab()?;
                let context = self.context(&tab.session, &tab.frame).await?;
                let expression = format!("deputy.scroll(null, {pages})");
                self.call(
                    &tab.session,
                    "Runtime.evaluate",
                    json!({"expression": expression, "contextId": context}),
                )
                .await?;
                tab.session
            }
        };
        self.settle(&[&session]).await?;
        self.changes_of_action().await
    }

    /// Performs an action in a session of the current tab and waits until the page settles. The action may send the form
    /// that a person approved, once and exactly as shown. The page may send no other form to another origin, however
    /// long after the action.
    pub(crate) async fn sending(
        &self,
        form: Option<&Elsewhere>,
        session: &str,
        acting: impl Future<Output = Result<(), BrowserError>>,
    ) -> Result<(), BrowserError> {
        let tab = self.tab()?;
        let page = url::Url::parse(&tab.url).map(|url| url.origin().ascii_serialization());
        let (document, page) = ((tab.number, tab.document), page.unwrap_or_default());
        self.world.acts_on(tab.number);
        self.world.door.begins(Sending { document, page, form: form.cloned() });
        let _ends = Ends(&self.world);
        if let Some(form) = form {
            self.world.is_narrowed().await;
            // Earlier requests must be refused first, because over TLS they could use the form's connection.
            let begun = tokio::time::Instant::now();
            while self.world.door.since_refused(&form.to).is_some_and(|ago| ago < QUIET)
                && begun.elapsed() < SENDING
            {
                tokio::time::sleep(QUIET / 4).await;
            }
        }
        acting.await?;
        if form.is_some() {
            let sent = self.world.until(|world| (!world.door.awaits_form() || world.is_gone()).then_some(()));
            // A page may not submit an incomplete form.
            let _ = tokio::time::timeout(SENDING, sent).await;
        }
        self.settle(&[&tab.session, session]).await
    }

    async fn stroke(&self, session: &str, stroke: &Stroke) -> Result<(), BrowserError> {
        for event in stroke.events() {
            self.call(session, "Input.dispatchKeyEvent", event).await?;
        }
        Ok(())
    }

    /// Returns the element of a reference or CSS selector.
    pub(crate) async fn find(&self, reference: &str) -> Result<PageElement, BrowserError> {
        if number(reference).is_some() {
            return self.element(reference);
        }
        let tab = self.tab()?;
        let context = self.context(&tab.session, &tab.frame).await?;
        let expression = format!("deputy.find({})", Value::from(reference));
        let params = json!({"expression": expression, "contextId": context});
        let answer = self.call(&tab.session, "Runtime.evaluate", params).await?;
        let unfit = |why: Phrase| BrowserError::Unfit(why);
        if !answer["exceptionDetails"].is_null() {
            return Err(unfit(say::no_reference(format!("{reference:?}"))));
        }
        let object = answer["result"]["objectId"].as_str();
        let object = object.ok_or_else(|| unfit(say::selector_names_nothing(reference)))?;
        let node = self.call(&tab.session, "DOM.describeNode", json!({"objectId": object})).await?;
        self.described(&tab, &node["node"], reference)
    }

    /// Returns the element of a described node of a tab's document. `name` is used if it has no reference yet.
    fn described(&self, tab: &Tab, node: &Value, name: &str) -> Result<PageElement, BrowserError> {
        let backend = node["backendNodeId"].as_i64().unwrap_or_default();
        if let Some(known) = self.references.known(&tab.session, backend) {
            return Ok(known);
        }
        let number = self.references.give(Seen {
            tab: tab.number,
            document: tab.document,
            page: &tab.url,
            session: &tab.session,
            frame: &tab.frame,
            backend,
            role: node["localName"].as_str().unwrap_or("element"),
            name,
            info: Info::default(),
        });
        self.element(&format!("e{number}"))
    }

    /// Returns the focused element, and whether it is final. A frame or a component may contain the actual one.
    async fn active(&self) -> Result<(PageElement, Info, bool), BrowserError> {
        let tab = self.tab()?;
        let context = self.context(&tab.session, &tab.frame).await?;
        let expression = "document.activeElement ?? document.body ?? document.documentElement";
        let params = json!({"expression": expression, "contextId": context});
        let active = self.call(&tab.session, "Runtime.evaluate", params).await?;
        let object = &active["result"]["objectId"];
        let node =
            self.call(&tab.session, "DOM.describeNode", json!({"objectId": object, "pierce": true})).await?;
        let node = &node["node"];
        let name = node["localName"].as_str().unwrap_or_default();
        let shadows = node["shadowRoots"].as_array().into_iter().flatten();
        let is_own = shadows.map(|root| &root["shadowRootType"]).all(|kind| kind == "user-agent");
        let is_seen = is_own && !matches!(name, "iframe" | "frame" | "object" | "embed" | "fencedframe");
        let about = json!({"functionDeclaration": "function() { return deputy.about(this) }", "objectId": object,
                           "returnByValue": true});
        let about = self.call(&tab.session, "Runtime.callFunctionOn", about).await?;
        let element = self.described(&tab, node, name)?;
        Ok((element, Info::deserialize(&about["result"]["value"]).unwrap_or_default(), is_seen))
    }

    /// Scrolls an element into view and returns its position in the tab. Checks that the mouse reaches it there, in its
    /// own frame and in every frame around it.
    async fn reach(
        &self,
        reference: &str,
        element: &PageElement,
        expected: Option<&Info>,
    ) -> Result<Spot, BrowserError> {
        let reached: Reached = self.on(element, "reach", &[]).await?;
        is_reached(reference, &reached)?;
        if expected.is_some_and(|expected| *expected != reached.info) {
            return Err(changed(reference));
        }
        let at = self.in_tab(reference, element, (reached.x, reached.y)).await?;
        Ok(reached.spot(at))
    }

    /// Converts a point in an element's frame to a point in the tab. Checks each frame on the way.
    async fn in_tab(
        &self,
        reference: &str,
        element: &PageElement,
        mut at: (f64, f64),
    ) -> Result<(f64, f64), BrowserError> {
        let tab = self.tab()?;
        if element.frame == tab.frame {
            return Ok(at);
        }
        let frames = self.frames(&tab).await;
        let stale = || BrowserError::Stale(reference.to_owned());
        let mut frame = element.frame.clone();
        while frame != tab.frame {
            let outer = frames.get(&frame).and_then(|frame| frame.parent.clone()).ok_or_else(stale)?;
            let session = &frames.get(&outer).ok_or_else(stale)?.session;
            let owner = self.call(session, "DOM.getFrameOwner", json!({"frameId": frame})).await?;
            let owner = owner["backendNodeId"].as_i64().ok_or_else(stale)?;
            let point = [json!(at.0), json!(at.1)];
            let above: Reached = self.on_node((session, &outer), owner, "frame", "above", &point).await?;
            is_reached(reference, &above)?;
            (at, frame) = ((above.x, above.y), outer);
        }
        Ok(at)
    }

    /// Takes a picture of the page before an action on an element, if the element is visible.
    async fn aimed_at(&self, reference: &str, element: &PageElement) -> Option<Aimed> {
        let reached: Reached = self.on(element, "reach", &[]).await.ok()?;
        if reached.gone || reached.hidden {
            return None;
        }
        let at = self.in_tab(reference, element, (reached.x, reached.y)).await.ok()?;
        self.aimed(reached.spot(at)).await
    }

    pub(crate) async fn is_as_expected(
        &self,
        reference: &str,
        element: &PageElement,
        expected: &Info,
    ) -> Result<(), BrowserError> {
        let now: Info = self.on(element, "about", &[]).await?;
        if now == *expected { Ok(()) } else { Err(changed(reference)) }
    }

    /// Calls a function of Deputy's script on an element.
    pub(crate) async fn on<T: for<'de> Deserialize<'de>>(
        &self,
        element: &PageElement,
        function: &str,
        arguments: &[Value],
    ) -> Result<T, BrowserError> {
        let frame = (element.session.as_str(), element.frame.as_str());
        self.on_node(frame, element.backend, &element.role, function, arguments).await
    }

    /// Calls a function of Deputy's script on a node in a frame of a session.
    async fn on_node<T: for<'de> Deserialize<'de>>(
        &self,
        (session, frame): (&str, &str),
        backend: i64,
        role: &str,
        function: &str,
        arguments: &[Value],
    ) -> Result<T, BrowserError> {
        let stale = |error| match error {
            BrowserError::Refused(_) => BrowserError::Unfit(say::stale_role(role)),
            error => error,
        };
        let context = self.context(session, frame).await.map_err(stale)?;
        let node = json!({"backendNodeId": backend, "executionContextId": context});
        let object = self.call(session, "DOM.resolveNode", node).await.map_err(stale)?;
        let arguments: Vec<Value> = arguments.iter().map(|argument| json!({"value": argument})).collect();
        let params = json!({
            "functionDeclaration": format!("function(...given) {{ return deputy.{function}(this, ...given) }}"),
            "objectId": object["object"]["objectId"],
            "arguments": arguments,
            "returnByValue": true,
            "awaitPromise": true,
        });
        let answer = self.call(session, "Runtime.callFunctionOn", params).await?;
        if let Some(thrown) = answer["exceptionDetails"]["exception"]["description"].as_str() {
            return Err(BrowserError::refused(crate::words::cut(thrown, 200)));
        }
        T::deserialize(&answer["result"]["value"]).map_err(BrowserError::refused)
    }
}

impl Reached {
    /// Returns the position of the element in a tab, given the point of the click in the tab.
    fn spot(&self, at: (f64, f64)) -> Spot {
        let (width, height) = (self.width, self.height);
        Spot { at, left: at.0 - self.dx, top: at.1 - self.dy, width, height }
    }
}

/// Checks that the mouse reaches something.
fn is_reached(reference: &str, reached: &Reached) -> Result<(), BrowserError> {
    let unfit = |why: Phrase| Err(BrowserError::Unfit(say::not_reached(reference, why)));
    match reached {
        Reached { gone: true, .. } => Err(BrowserError::Stale(reference.to_owned())),
        Reached { hidden: true, .. } => unfit(say::is_hidden()),
        Reached { disabled: true, .. } => unfit(say::is_disabled()),
        Reached { covered, .. } if !covered.is_empty() => {
            unfit(say::is_covered(crate::words::cut(covered, 100)))
        }
        _ => Ok(()),
    }
}

fn check(reference: &str, taken: &Taken) -> Result<(), BrowserError> {
    match taken {
        Taken { gone: true, .. } => Err(BrowserError::Stale(reference.to_owned())),
        Taken { unfit: Some(unfit), .. } => {
            Err(BrowserError::Unfit(say::not_changed(reference, unfit.phrase())))
        }
        _ => Ok(()),
    }
}

/// Returns the error for an element that differs from the approved one. An element named by a selector was not
/// approved, so it must be harmless.
fn changed(reference: &str) -> BrowserError {
    BrowserError::Unfit(match number(reference) {
        Some(_) => say::is_another(reference),
        None => say::give_reference(),
    })
}
