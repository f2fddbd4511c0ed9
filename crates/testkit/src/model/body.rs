//! A response body that is sent in pieces with pauses, and that may be cut.

use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// The remaining pieces.
#[derive(Default)]
pub(crate) struct Pieces {
    pieces: VecDeque<Bytes>,
    /// The pause between two pieces.
    pause: Option<Duration>,
    sleep: Option<Pin<Box<Sleep>>>,
    ending: Ending,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Ending {
    #[default]
    Whole,
    Cut,
    /// The connection breaks at the next poll. Everything before has been sent by then.
    Breaking,
}

impl Pieces {
    pub(crate) fn new(pieces: impl IntoIterator<Item = Bytes>) -> Self {
        Self { pieces: pieces.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = Some(pause);
        self
    }

    /// Keeps only the first `bytes` bytes, after which the connection breaks.
    pub(crate) fn cut_after(mut self, bytes: usize) -> Self {
        let mut left = bytes;
        for piece in &mut self.pieces {
            piece.truncate(left);
            left -= piece.len();
        }
        self.pieces.retain(|piece| !piece.is_empty());
        self.ending = Ending::Cut;
        self
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(sleep) = &mut self.sleep {
            ready!(sleep.as_mut().poll(cx));
            self.sleep = None;
        }
        if let Some(piece) = self.pieces.pop_front() {
            self.sleep = self.pause.filter(|_| !self.pieces.is_empty()).map(|pause| Box::pin(sleep(pause)));
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        match self.ending {
            Ending::Whole => Poll::Ready(None),
            Ending::Cut => {
                self.ending = Ending::Breaking;
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Ending::Breaking => Poll::Ready(Some(Err(io::Error::other("cut by the script")))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty() && self.ending == Ending::Whole
    }

    fn size_hint(&self) -> SizeHint {
        match self.ending {
            Ending::Whole => SizeHint::with_exact(self.pieces.iter().map(|piece| piece.len() as u64).sum()),
            Ending::Cut | Ending::Breaking => SizeHint::default(),
        }
    }
}
