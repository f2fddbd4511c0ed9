//! Decodes Zstandard the way its tools do: all frames in order, skipping empty ones.

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

/// The content of all frames, in order.
pub(super) struct Frames<'a>(State<'a>);

enum State<'a> {
    Between(Ahead<'a>),
    Within(Box<StreamingDecoder<Ahead<'a>, FrameDecoder>>),
    Ended,
}

/// The packed source, with a few bytes that were read ahead.
struct Ahead<'a> {
    bytes: Vec<u8>,
    rest: Box<dyn Read + 'a>,
}

impl<'a> Frames<'a> {
    pub(super) fn new(packed: Box<dyn Read + 'a>) -> Self {
        Self(State::Between(Ahead { bytes: Vec::new(), rest: packed }))
    }

    /// Advances to the next frame with content.
    fn enter(mut packed: Ahead<'a>) -> io::Result<State<'a>> {
        loop {
            let mut magic = Vec::new();
            (&mut packed).take(4).read_to_end(&mut magic)?;
            match magic.as_slice() {
                [] => return Ok(State::Ended),
                [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
                    let mut size = [0; 4];
                    packed.read_exact(&mut size)?;
                    io::copy(&mut (&mut packed).take(u32::from_le_bytes(size).into()), &mut io::sink())?;
                }
                _ => {
                    packed.bytes = magic;
                    let decoder = StreamingDecoder::new(packed).map_err(io::Error::other)?;
                    return Ok(State::Within(Box::new(decoder)));
                }
            }
        }
    }
}

impl Read for Frames<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.0 = match std::mem::replace(&mut self.0, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(packed) => Self::enter(packed)?,
                State::Within(mut frame) => {
                    let read = frame.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        self.0 = State::Within(frame);
                        return Ok(read);
                    }
                    State::Between(frame.into_inner())
                }
            };
        }
    }
}

impl Read for Ahead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            return self.rest.read(buffer);
        }
        let count = buffer.len().min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes.drain(..count);
        Ok(count)
    }
}
