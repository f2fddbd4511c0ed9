//! Splits an unencrypted WebSocket stream into frames, as far as needed.

/// Splits what a client sends into pieces: the head of the request, then frames.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    buffer: Vec<u8>,
    is_upgraded: bool,
}

/// A piece of what a client sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A whole text message. It may be duplicated or overtaken.
    Message(Vec<u8>),
    /// Anything else, which stays in order.
    Other(Vec<u8>),
}

impl Splitter {
    /// Adds bytes, and returns the pieces that are now complete.
    pub(super) fn take_in(&mut self, bytes: &[u8]) -> Vec<Piece> {
        self.buffer.extend_from_slice(bytes);
        let mut pieces = Vec::new();
        if !self.is_upgraded {
            let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") else {
                return pieces;
            };
            pieces.push(Piece::Other(self.buffer.drain(..end + 4).collect()));
            self.is_upgraded = true;
        }
        while let Some(length) = frame_length(&self.buffer) {
            let frame: Vec<u8> = self.buffer.drain(..length).collect();
            // A final text frame is a whole message.
            pieces.push(if frame[0] == 0x81 { Piece::Message(frame) } else { Piece::Other(frame) });
        }
        pieces
    }
}

/// Returns the length of the first frame in the buffer, once it is complete.
fn frame_length(buffer: &[u8]) -> Option<usize> {
    let second = *buffer.get(1)?;
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    let (head, payload) = match second & 0x7f {
        126 => (4, usize::from(u16::from_be_bytes(buffer.get(2..4)?.try_into().ok()?))),
        127 => (10, usize::try_from(u64::from_be_bytes(buffer.get(2..10)?.try_into().ok()?)).ok()?),
        short => (2, usize::from(short)),
    };
    let length = head + mask + payload;
    (buffer.len() >= length).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_told_apart_however_they_come() {
        let head = b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n";
        let text = [&[0x81, 0x82, 1, 2, 3, 4][..], b"ab"].concat();
        let long = [&[0x81, 0xfe, 1, 0, 1, 2, 3, 4][..], &[7; 256]].concat();
        let pong = vec![0x8a, 0x80, 1, 2, 3, 4];
        let all = [&head[..], &text, &pong, &long].concat();
        let wanted =
            [Piece::Other(head.to_vec()), Piece::Message(text), Piece::Other(pong), Piece::Message(long)];
        for size in [1, 3, 7, all.len()] {
            let mut splitter = Splitter::default();
            let pieces: Vec<_> = all.chunks(size).flat_map(|chunk| splitter.take_in(chunk)).collect();
            assert_eq!(pieces, wanted, "in pieces of {size}");
        }
    }
}
