//! Pictures in results: stored as blobs, recognized by their header.

use crate::keeper::{KeepError, Keeper};
use deputy_messages::Phrase;
use deputy_protocol::{PicturePart, PictureType};

/// The size limit of a picture for screens and models, in bytes.
pub(crate) const LARGEST_PICTURE: u64 = 20 * 1000 * 1000;

/// Stores a picture. `None` if the first bytes are not those of a picture or the header does not give its size. `alt`
/// returns the description.
pub(crate) fn keep(
    keeper: &dyn Keeper,
    bytes: &[u8],
    alt: impl FnOnce(PictureType, (u32, u32)) -> Phrase,
) -> Result<Option<PicturePart>, KeepError> {
    let Some(media_type) = PictureType::of(bytes) else { return Ok(None) };
    let Ok(size) = imagesize::blob_size(bytes) else { return Ok(None) };
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    let (width, height) = (side(size.width), side(size.height));
    let kept = keeper.keep_blob(bytes)?;
    let alt = alt(media_type, (width, height));
    let (digest, size_bytes) = (kept.digest, kept.size_bytes);
    Ok(Some(PicturePart { digest, media_type, size_bytes, width, height, alt }))
}
