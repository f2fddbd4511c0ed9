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
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Spot {
    /// Returns the bounding box of a quadrilateral, moved by an offset.
    pub(crate) fn around(quad: &[f64], by: (f64, f64)) -> Self {
        let least = |axis: usize| quad.iter().skip(axis).step_by(2).copied().fold(f64::INFINITY, f64::min);
        let most = |axis: usize| quad.iter().skip(axis).step_by(2).copied().fold(f64::NEG_INFINITY, f64::max);
        Self {
            left: least(0) + by.0,
            top: least(1) + by.1,
            width: most(0) - least(0),
            height: most(1) - least(1),
        }
    }

    pub(crate) fn middle(&self) -> (f64, f64) {
        (self.left + self.width / 2.0, self.top + self.height / 2.0)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spot_is_around_all_corners() {
        let spot = Spot::around(&[10.0, 20.0, 30.0, 22.0, 28.0, 42.0, 8.0, 40.0], (100.0, 200.0));
        assert_eq!(spot, Spot { left: 108.0, top: 220.0, width: 22.0, height: 22.0 });
        assert_eq!(spot.middle(), (119.0, 231.0));
    }
}
