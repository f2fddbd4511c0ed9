//! What a command wrote, piece by piece, from what is kept of it.

use super::{Host, HostError};
use crate::driver::kept_output;
use deputy_protocol::{Answers, ErrorBody, ErrorCode, OutputAnswer, OutputQuery};
use std::io::{Read, Seek, SeekFrom};

/// Bytes of one piece.
const PIECE_BYTES: u64 = 256 * 1024;

impl Answers<OutputQuery> for Host {
    async fn answer(&self, query: OutputQuery) -> Result<OutputAnswer, ErrorBody> {
        let kept = kept_output(&self.core, &query.task, &query.call).map_err(HostError::from)?;
        let Some(kept) = kept else {
            let message = format!("Nothing more than its result is kept of call `{}`.", query.call);
            return Err(ErrorBody::new(ErrorCode::UnknownOutput, message, "Its result shows all of it."));
        };
        let mut file = self.core.store.blob_file(&kept.digest).map_err(HostError::from)?;
        let offset = query.offset.min(kept.size_bytes);
        let mut bytes = Vec::new();
        let read =
            file.seek(SeekFrom::Start(offset)).and_then(|_| file.take(PIECE_BYTES).read_to_end(&mut bytes));
        read.map_err(|error| HostError::Task(format!("the kept output could not be read: {error}")))?;
        let mut next = offset + bytes.len() as u64;
        // A character that the end halves belongs to the next piece.
        if let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
            && next < kept.size_bytes
        {
            bytes.truncate(error.valid_up_to());
            next = offset + bytes.len() as u64;
        }
        Ok(OutputAnswer {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            offset,
            next: (next < kept.size_bytes).then_some(next),
            size_bytes: kept.size_bytes,
        })
    }
}
