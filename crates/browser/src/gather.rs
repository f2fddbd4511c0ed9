//! Collects the current state of a page: the accessibility trees of its documents, and what must be known before acting
//! on their elements.

use crate::element::{Info, Seen};
use crate::node::Node;
use crate::outline::{Document, Found, Writer};
use crate::report::Glance;
use crate::tab::Tab;
use crate::visit::{SETTLING, Until};
use crate::words::cut;
use crate::{Browser, BrowserError};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;

/// The maximum depth of nested frames, and the maximum number of frames in a document.
const DEEPEST: usize = 4;
const MOST_FRAMES: usize = 20;
/// The number of attempts to read a page that is being replaced.
const LOOKS: usize = 3;
/// The maximum number of nodes without text whose names in the page's source are looked up, and the maximum length of
/// such a name.
const MOST_HINTS: usize = 100;
const MOST_HINT: usize = 40;
/// The events that indicate something to click.
const CLICKS: &[&str] = &["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup"];

/// The script with which Deputy queries a page.
const SCRIPT: &str = include_str!("page.js");

/// The result of the script for an element.
#[derive(Debug, Deserialize)]
struct Probed {
    #[serde(default)]
    reacts: bool,
    #[serde(flatten)]
    info: Info,
}

type Infos = HashMap<(String, i64), Info>;

impl Browser {
    /// Returns the current page as an outline.
    pub(crate) async fn glance(&self) -> Result<Glance, BrowserError> {
        for _ in 1..LOOKS {
            match self.look().await {
                // The page was replaced while it was read.
                Err(BrowserError::Refused(_)) => self.ready(&Until::Loaded, SETTLING).await?,
                looked => return looked,
            };
        }
        self.look().await
    }

    async fn look(&self) -> Result<Glance, BrowserError> {
        let tab = self.tab()?;
        let mut infos = Infos::new();
        let document = self.document(tab.session.clone(), tab.frame.clone(), 0, &mut infos).await?;
        // The page may have changed in the meantime. The report then belongs to the newer document.
        let tab = self.tab()?;
        self.references.forget_before(tab.number, tab.document);
        let mut refer = |found: Found<'_>| self.refer(&tab, &infos, &found);
        let mut writer = Writer { refer: &mut refer, lines: Vec::new(), frames: Vec::new() };
        writer.document(&document, 0);
        let Writer { lines, frames, .. } = writer;
        let of_frame =
            |at: usize| frames.iter().find(|(_, its)| its.contains(&at)).map(|(origin, _)| origin.clone());
        let framed =
            lines.iter().enumerate().filter_map(|(at, line)| Some((of_frame(at)?, line.trim().to_owned())));
        let framed = framed.collect();
        let Tab { number, document: count, url, is_loading, .. } = tab;
        let title = cut(&document.title(), 200);
        self.world.titled(number, &title);
        let document = count;
        Ok(Glance { tab: number, document, url, title, is_loading, lines, framed })
    }

    fn refer(&self, tab: &Tab, infos: &Infos, found: &Found<'_>) -> u32 {
        let Document { session, frame, origin, .. } = found.document;
        let info = infos.get(&(session.clone(), found.backend)).cloned().unwrap_or_default();
        let (role, name, backend) = (found.role, found.name, found.backend);
        let (number, document, page) = (tab.number, tab.document, origin.as_deref().unwrap_or(&tab.url));
        self.references.give(Seen { tab: number, document, page, session, frame, backend, role, name, info })
    }

    /// Collects a document and those in its frames.
    fn document<'a>(
        &'a self,
        session: String,
        frame: String,
        depth: usize,
        infos: &'a mut Infos,
    ) -> Pin<Box<dyn Future<Output = Result<Document, BrowserError>> + Send + 'a>> {
        Box::pin(async move {
            let context = self.context(&session, &frame).await?;
            // Send all requests at once, so that the browser prepares the next answer while this one is read.
            let (reacting, listening, tree) = tokio::join!(
                self.probe(&session, &context, infos),
                self.listening(&session, &context),
                self.call(&session, "Accessibility.getFullAXTree", json!({"frameId": frame})),
            );
            let (reacting, listening, tree) = (reacting?, listening?, tree?);
            let nodes = Vec::<Node>::deserialize(&tree["nodes"]);
            let nodes = nodes.map_err(BrowserError::refused)?;
            let (frames, hints) = (HashMap::new(), HashMap::new());
            let origin = match depth {
                0 => None,
                _ => Some(self.origin(&session, &context).await?),
            };
            let mut document = Document { session, frame, origin, nodes, reacting, listening, hints, frames };
            document.hints = self.hints(&document).await;
            if depth == DEEPEST {
                return Ok(document);
            }
            let holders = document.nodes.iter().filter(|node| node.role() == "Iframe");
            let holders: Vec<i64> = holders.filter_map(|node| node.backend).take(MOST_FRAMES).collect();
            for holder in holders {
                let described =
                    self.call(&document.session, "DOM.describeNode", json!({"backendNodeId": holder})).await;
                let Ok(described) = described else { continue };
                let Some(frame) = described["node"]["frameId"].as_str().map(str::to_owned) else { continue };
                let session = self.world.frame_session(&frame).unwrap_or_else(|| document.session.clone());
                // Skip a frame that is being loaded or removed.
                if let Ok(inner) = self.document(session, frame, depth + 1, infos).await {
                    document.frames.insert(holder, inner);
                }
            }
            Ok(document)
        })
    }

    /// Returns the origin of a document. `null` if the document is opaque.
    async fn origin(&self, session: &str, context: &Value) -> Result<String, BrowserError> {
        let params = json!({"expression": "globalThis.origin", "contextId": context});
        let answer = self.call(session, "Runtime.evaluate", params).await?;
        Ok(answer["result"]["value"].as_str().unwrap_or("null").to_owned())
    }

    /// Returns Deputy's isolated script context in a frame, with its script loaded.
    pub(crate) async fn context(&self, session: &str, frame: &str) -> Result<Value, BrowserError> {
        let world = json!({"frameId": frame, "worldName": "deputy", "grantUniveralAccess": false});
        let mut made = self.call(session, "Page.createIsolatedWorld", world).await?;
        let context = made["executionContextId"].take();
        self.call(session, "Runtime.evaluate", json!({"expression": SCRIPT, "contextId": context})).await?;
        Ok(context)
    }

    /// Queries the elements about which more must be known. Returns those that react although their role does not say
    /// so.
    async fn probe(
        &self,
        session: &str,
        context: &Value,
        infos: &mut Infos,
    ) -> Result<HashSet<i64>, BrowserError> {
        let evaluate = |expression: &str, by_value: bool| {
            let group = "deputy";
            json!({"expression": expression, "contextId": context, "returnByValue": by_value, "objectGroup": group})
        };
        let probed = self.call(session, "Runtime.evaluate", evaluate("deputy.probe()", true)).await?;
        let probed = Vec::<Probed>::deserialize(&probed["result"]["value"]).unwrap_or_default();
        if probed.is_empty() {
            return Ok(HashSet::new());
        }
        let found = self.call(session, "Runtime.evaluate", evaluate("deputy.found", false)).await?;
        let list = json!({"objectId": found["result"]["objectId"], "ownProperties": true});
        let list = self.call(session, "Runtime.getProperties", list).await?;
        let mut reacting = HashSet::new();
        let listed = list["result"].as_array().into_iter().flatten().filter_map(|property| {
            let index = property["name"].as_str()?.parse::<usize>().ok()?;
            Some((probed.get(index)?, json!({"objectId": property["value"]["objectId"]})))
        });
        let (probed, objects): (Vec<_>, Vec<_>) = listed.unzip();
        let nodes = self.world.pipe.call_each(session, "DOM.describeNode", objects.into_iter()).await;
        for (probed, node) in probed.into_iter().zip(nodes) {
            let Ok(node) = node else { continue };
            let Some(backend) = node["node"]["backendNodeId"].as_i64() else { continue };
            if probed.reacts {
                reacting.insert(backend);
            } else {
                infos.insert((session.to_owned(), backend), probed.info.clone());
            }
        }
        self.world.pipe.tell(session, "Runtime.releaseObjectGroup", json!({"objectGroup": "deputy"}));
        Ok(reacting)
    }

    /// Returns the nodes that listen for clicks, as reported by the browser. Pages cannot detect this query.
    async fn listening(&self, session: &str, context: &Value) -> Result<HashSet<i64>, BrowserError> {
        let document = json!({"expression": "document", "contextId": context});
        let document = self.call(session, "Runtime.evaluate", document).await?;
        let document = json!({"objectId": document["result"]["objectId"]});
        let node = self.call(session, "DOM.describeNode", document.clone()).await?;
        self.world.pipe.tell(session, "Runtime.releaseObject", document);
        // Use the document object of the page's own world. With that of an isolated world, Chromium creates objects that
        // belong to neither world for nodes with listeners. Later actions then fail, or the page crashes.
        let node = json!({"backendNodeId": node["node"]["backendNodeId"]});
        let document = self.call(session, "DOM.resolveNode", node).await?;
        let object = &document["object"]["objectId"];
        let all = json!({"objectId": object, "depth": -1, "pierce": true});
        let listeners = self.call(session, "DOMDebugger.getEventListeners", all).await?;
        self.world.pipe.tell(session, "Runtime.releaseObject", json!({"objectId": object}));
        let listeners = listeners["listeners"].as_array().into_iter().flatten();
        let clicks = listeners.filter(|one| one["type"].as_str().is_some_and(|kind| CLICKS.contains(&kind)));
        Ok(clicks.filter_map(|one| one["backendNodeId"].as_i64()).collect())
    }

    /// Returns the names that the source of a page gives to nodes without text: a title, an id or a class.
    async fn hints(&self, document: &Document) -> HashMap<i64, String> {
        let mut hints = HashMap::new();
        let wordless: Vec<i64> = document.wordless().into_iter().take(MOST_HINTS).collect();
        let nodes = wordless.iter().map(|backend| json!({"backendNodeId": backend}));
        let described = self.world.pipe.call_each(&document.session, "DOM.describeNode", nodes).await;
        for (backend, described) in wordless.into_iter().zip(described) {
            // A node that no longer exists needs no hint.
            let Ok(described) = described else { continue };
            let attributes: Vec<&str> = described["node"]["attributes"]
                .as_array()
                .map(|all| all.iter().filter_map(Value::as_str).collect())
                .unwrap_or_default();
            let named = |name: &str| {
                let pair =
                    attributes.chunks_exact(2).find(|pair| pair[0] == name && !pair[1].trim().is_empty());
                pair.map(|pair| pair[1])
            };
            if let Some(hint) = ["title", "id", "name", "class"].into_iter().find_map(named) {
                let plain: String = hint.chars().filter(|c| !"()\"".contains(*c)).collect();
                hints.insert(backend, cut(plain.trim(), MOST_HINT));
            }
        }
        hints
    }
}
