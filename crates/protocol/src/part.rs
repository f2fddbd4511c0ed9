//! The parts of a result beyond its text, for screens and for models that support them.

use crate::{CallId, Digest, Phrase, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a result. The result's `content` contains the same information as text, for models and screens that only
/// support text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum ResultPart {
    /// An additional text.
    Text(TextPart),
    /// A picture, stored as a blob.
    Picture(PicturePart),
    /// A file that the call created in the task's folder.
    File(FilePart),
    /// Structured data.
    Data(DataPart),
    /// What the call did on the web.
    Web(WebPart),
}

/// An additional text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextPart {
    /// The text. It is untrusted, like the whole result.
    pub text: String,
    /// The source of the text, e.g. an address. Empty if it is the call itself.
    #[serde(default)]
    pub origin: String,
}

/// A picture, stored as a blob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PicturePart {
    /// The BLAKE3 digest of the picture, which is the key in the blob store.
    pub digest: Digest,
    /// The format, determined from the first bytes.
    pub media_type: PictureType,
    /// The size in bytes.
    pub size_bytes: u64,
    /// The width in pixels, according to the picture's header.
    pub width: u32,
    /// The height in pixels, according to the picture's header.
    pub height: u32,
    /// A description of the picture.
    pub alt: Phrase,
}

/// A picture format that browsers and models support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PictureType {
    /// The format PNG.
    #[serde(rename = "image/png")]
    Png,
    /// The format JPEG.
    #[serde(rename = "image/jpeg")]
    Jpeg,
    /// The format GIF.
    #[serde(rename = "image/gif")]
    Gif,
    /// The format WebP.
    #[serde(rename = "image/webp")]
    Webp,
}

impl PictureType {
    /// Returns the format, based on the first bytes of a file. A file name or a header from a server is not reliable.
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// Returns the name of the format for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        }
    }
}

/// A file that the call created in the task's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FilePart {
    /// The absolute path.
    pub path: String,
    /// The media type, e.g. `application/pdf`. Empty if it is unknown.
    #[serde(default)]
    pub media_type: String,
    /// The size in bytes.
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
    /// The hosts that the task connected to for the first time since Deputy's host was started. A port is included if
    /// it is not the default.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// The address of the page in the task's browser at the end of the call. Absent if the call did not use the
    /// browser.
    #[serde(default)]
    pub page: Option<String>,
    /// The page directly before the call clicked on it. Absent if the call did not click.
    #[serde(default)]
    pub aimed: Option<AimedPicture>,
}

/// A picture of a page before a click, with the target of the click.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AimedPicture {
    /// The visible part of the page.
    pub picture: InnerPicture,
    /// The distance from the left edge of the picture to the element, in pixels.
    pub left: i32,
    /// The distance from the top edge of the picture to the element, in pixels.
    pub top: i32,
    /// The width of the element in pixels.
    pub width: u32,
    /// The height of the element in pixels.
    pub height: u32,
}

/// A picture inside another part. It is tagged like a separate part, so that all pictures have the same format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum InnerPicture {
    /// A picture, stored as a blob.
    Picture(PicturePart),
}

/// A picture, as sent to a planner with its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessagePicture {
    /// The format.
    pub media_type: PictureType,
    /// A description of the picture.
    pub alt: String,
    /// The bytes in base64. Absent if the backend does not support pictures, the picture is too large to send, or
    /// newer pictures replaced it. The planner then only has the text of the result.
    #[serde(default)]
    pub base64: Option<String>,
    /// The BLAKE3 digest of the picture.
    pub digest: Digest,
}

/// Asks for a piece of a picture that a call of a task returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureQuery {
    /// The id of the task.
    pub task: TaskId,
    /// The id of the call.
    pub call: CallId,
    /// The digest of the picture.
    pub digest: Digest,
    /// The byte at which the piece starts.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureAnswer {
    /// The format of the picture, determined from its first bytes.
    pub media_type: PictureType,
    /// The bytes of the piece, in base64.
    pub base64: String,
    /// The byte at which the next piece starts. Absent at the end of the picture.
    #[serde(default)]
    pub next: Option<u64>,
    /// The size of the whole picture in bytes.
    pub size_bytes: u64,
}
