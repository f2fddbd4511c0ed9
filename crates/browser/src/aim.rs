//! Pictures of the page right before an action on an element, with the element outlined.

use crate::Browser;
use base64::Engine;
use serde_json::json;
use std::time::Duration;

/// The longest an action waits for its picture.
const PATIENCE: Duration = Duration::from_secs(1);
/// JPEG quality: good enough to recognize the place, at about 10 KB. The picture has the page's own size, because a
/// scaled one makes the browser lay out the page again, and the click would miss.
const QUALITY: u8 = 30;

/// The position of an element in the tab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    /// The point at which the mouse reaches it.
    pub(crate) at: (f64, f64),
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A picture of the visible part of the page, and the position of the element in it, in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aimed {
    /// The picture as JPEG.
    pub jpeg: Vec<u8>,
    /// The distance from the left edge.
    pub left: i32,
    /// The distance from the top edge.
    pub top: i32,
    /// The width of the element.
    pub width: u32,
    /// The height of the element.
    pub height: u32,
}

impl Browser {
    /// Takes a picture of the visible part of the page with the target. `None` if the page does not render in time.
    pub(crate) async fn aimed(&self, spot: Spot) -> Option<Aimed> {
        let session = self.tab().ok()?.session;
        let pipe = &self.world.pipe;
        let params = json!({"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": true});
        let shot = pipe.call_within(PATIENCE, &session, "Page.captureScreenshot", params).await.ok()?;
        let jpeg = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str()?).ok()?;
        Some(Aimed {
            jpeg,
            left: spot.left.round() as i32,
            top: spot.top.round() as i32,
            width: spot.width.round().max(1.0) as u32,
            height: spot.height.round().max(1.0) as u32,
        })
    }
}
