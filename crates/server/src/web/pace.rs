//! Limits on the speed of a request's body: a body that arrives too slowly is an error for its reader.

use axum::BoxError;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// The time before the rate is checked, which allows for a slow start on a poor network.
const GRACE: Duration = Duration::from_secs(5);
/// The minimum average rate, in bytes per second.
const BYTES_A_SECOND: u64 = 4 * 1024;
/// The time in which the whole body must arrive.
const DEADLINE: Duration = Duration::from_secs(60);

/// A body arrived too slowly.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the body comes too slowly")]
pub(super) struct TooSlow;

/// Limits how long the body of a request may take.
pub(super) fn paced(request: Request) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    request.map(|body| Body::new(Paced::new(body)))
}

struct Paced {
    body: Body,
    began: Instant,
    read: u64,
    due: Pin<Box<Sleep>>,
}

impl Paced {
    fn new(body: Body) -> Self {
        let began = Instant::now();
        Self { body, began, read: 0, due: Box::pin(sleep_until(began + GRACE)) }
    }
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(data) = frame.data_ref() {
                    self.read += data.len() as u64;
                    let earned = Duration::from_millis(self.read * 1000 / BYTES_A_SECOND);
                    let due = self.began + (GRACE + earned).min(DEADLINE);
                    if due < Instant::now() {
                        return Poll::Ready(Some(Err(TooSlow.into())));
                    }
                    self.due.as_mut().reset(due);
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(end) => Poll::Ready(end.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => match self.due.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err(TooSlow.into()))),
                Poll::Pending => Poll::Pending,
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Reads a body in pieces, with a delay before each. Returns the result, and how long the reader waited.
    async fn listened(piece: usize, wait: Duration, count: usize) -> (Result<usize, axum::Error>, Duration) {
        let pieces = futures_util::stream::unfold(0, move |sent| async move {
            tokio::time::sleep(wait).await;
            (sent < count).then(|| (Ok::<_, Infallible>(Bytes::from(vec![b'x'; piece])), sent + 1))
        });
        let began = Instant::now();
        let request = paced(Request::new(Body::from_stream(pieces)));
        let read = axum::body::to_bytes(request.into_body(), usize::MAX).await;
        (read.map(|bytes| bytes.len()), began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_drips_ends_soon() {
        for wait in [Duration::from_millis(500), Duration::from_secs(2), Duration::from_secs(3_600)] {
            let (read, took) = listened(1, wait, 100_000).await;
            assert!(read.is_err() && took < 2 * GRACE, "{wait:?}: {took:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_over_a_poor_network_comes_through() {
        // 256 KiB at 5 KiB per second.
        let (read, took) = listened(5 * 1024, Duration::from_secs(1), 51).await;
        assert_eq!(read.unwrap(), 51 * 5 * 1024);
        assert!(took > Duration::from_secs(50));
    }

    #[tokio::test(start_paused = true)]
    async fn no_rate_stretches_the_deadline() {
        let (read, took) = listened(1024 * 1024, Duration::from_secs(1), 10_000).await;
        assert!(read.is_err() && took <= DEADLINE + Duration::from_secs(1), "{took:?}");
    }
}
