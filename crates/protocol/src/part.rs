//! The parts of a result beyond its text: what a screen shows, and what a model that takes it gets.

use crate::{CallId, Digest, Phrase, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a result. `content` of the result says the same in words, for models and screens that take only text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum ResultPart {
    /// A further text.
    Text(TextPart),
    /// A picture, kept as a blob.
    Picture(PicturePart),
    /// A file that the call left in the task's folder.
    File(FilePart),
    /// Structured data.
    Data(DataPart),
    /// What it did on the web.
    Web(WebPart),
}

/// A further text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextPart {
    /// The text; untrusted, as all of a result is.
    pub text: String,
    /// Where it comes from, e.g. an address; empty where that is the call itself.
    #[serde(default)]
    pub origin: String,
}

/// A picture, kept as a blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PicturePart {
    /// BLAKE3 of its bytes; the blob store's key.
    pub digest: Digest,
    /// Its format, by its own first bytes.
    pub media_type: PictureType,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Pixels across, as its header says.
    pub width: u32,
    /// Pixels down, as its header says.
    pub height: u32,
    /// What it is, in words.
    pub alt: Phrase,
}

/// The formats that browsers and models read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PictureType {
    /// PNG.
    #[serde(rename = "image/png")]
    Png,
    /// JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// GIF.
    #[serde(rename = "image/gif")]
    Gif,
    /// WebP.
    #[serde(rename = "image/webp")]
    Webp,
}

impl PictureType {
    /// The format by the first bytes of a file; a name or a header of a server proves nothing.
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// The format's name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        }
    }
}

/// A file that the call left in the task's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilePart {
    /// Absolute path.
    pub path: String,
    /// Its media type as far as it is known, e.g. `application/pdf`; empty otherwise.
    #[serde(default)]
    pub media_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
}

/// Structured data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataPart {
    /// The data.
    pub value: serde_json::Value,
}

/// What a call did on the web, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WebPart {
    /// Hosts that the task connected to for the first time since its host was started; with a port where it is not the usual one.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// The address of the page that the task's browser showed when the call ended; absent where the call did not use it.
    #[serde(default)]
    pub page: Option<String>,
    /// The page right before the call clicked on it.
    #[serde(default)]
    pub aimed: Option<AimedPicture>,
}

/// A picture of a page before a click, with the click's target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AimedPicture {
    /// The visible part of the page.
    pub picture: InnerPicture,
    /// Pixels of the picture from its left edge to the element.
    pub left: i32,
    /// Pixels from its top edge.
    pub top: i32,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// A picture inside another part, tagged like a part of its own, so that pictures have one form everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum InnerPicture {
    /// A picture.
    Picture(PicturePart),
}

/// A picture as a planner gets it with the result that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessagePicture {
    /// Its format.
    pub media_type: PictureType,
    /// What it is, in words.
    pub alt: String,
    /// Its bytes in base64; absent where the backend does not take pictures, the picture is too large to send, or newer
    /// ones took its place. The words of the result then have to do.
    #[serde(default)]
    pub base64: Option<String>,
    /// BLAKE3 of its bytes.
    pub digest: Digest,
}

/// A piece of a picture that a call of the task gave back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureQuery {
    /// The task.
    pub task: TaskId,
    /// The call.
    pub call: CallId,
    /// The picture, by its digest.
    pub digest: Digest,
    /// From which byte on.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureAnswer {
    /// The picture's format, by its own first bytes.
    pub media_type: PictureType,
    /// The piece in base64.
    pub base64: String,
    /// Where the next piece begins; absent at the end.
    #[serde(default)]
    pub next: Option<u64>,
    /// Bytes of the whole picture.
    pub size_bytes: u64,
}
