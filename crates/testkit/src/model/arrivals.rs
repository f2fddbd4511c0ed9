//! Records when requests arrived.

use hyper::body::Bytes;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a test waits for a request before it concludes that none will arrive.
const PATIENCE: Duration = Duration::from_secs(60);

/// A completion request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// The number of the request, from 1.
    pub n: u64,
    /// When its head was read, in nanoseconds of `CLOCK_MONOTONIC`.
    pub at_ns: u64,
    /// When its head was read, in nanoseconds of `CLOCK_REALTIME`.
    pub at_unix_ns: u64,
    /// The length of the body, in bytes.
    pub bytes: u64,
    /// The body, if bodies are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// The raw body. It is not logged.
    #[serde(skip)]
    pub raw: Bytes,
}

/// The values of the two clocks at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    monotonic_ns: u64,
    unix_ns: u64,
}

impl Moment {
    pub(crate) fn now() -> Self {
        Self { monotonic_ns: read(ClockId::Monotonic), unix_ns: read(ClockId::Realtime) }
    }
}

fn read(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// All arrivals, in memory and in a log file.
pub(crate) struct Arrivals {
    inner: Mutex<Inner>,
    arrived: Condvar,
}

struct Inner {
    arrivals: Vec<Arrival>,
    log: Option<Log>,
}

struct Log {
    file: File,
    with_bodies: bool,
}

impl Arrivals {
    pub(crate) fn new(log: Option<&Path>, with_bodies: bool) -> io::Result<Self> {
        let log = log.map(File::create).transpose()?.map(|file| Log { file, with_bodies });
        Ok(Self { inner: Mutex::new(Inner { arrivals: Vec::new(), log }), arrived: Condvar::new() })
    }

    /// Returns whether bodies must be parsed even if nothing else needs them.
    pub(crate) fn wants_bodies(&self) -> bool {
        self.lock().log.as_ref().is_some_and(|log| log.with_bodies)
    }

    /// Records a request and returns its number.
    pub(crate) fn add(&self, at: Moment, raw: &Bytes, body: Option<Value>) -> io::Result<u64> {
        let mut inner = self.lock();
        let n = inner.arrivals.len() as u64 + 1;
        let bytes = raw.len() as u64;
        let raw = if body.is_some() { raw.clone() } else { Bytes::new() };
        let mut arrival = Arrival { n, at_ns: at.monotonic_ns, at_unix_ns: at.unix_ns, bytes, body, raw };
        if let Some(log) = &mut inner.log {
            let body = if log.with_bodies { None } else { arrival.body.take() };
            let mut line = serde_json::to_vec(&arrival)?;
            line.push(b'\n');
            // Write each line with a single call, so that readers of the file see whole lines.
            log.file.write_all(&line)?;
            arrival.body = arrival.body.or(body);
        }
        inner.arrivals.push(arrival);
        self.arrived.notify_all();
        Ok(n)
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().arrivals.len()
    }

    pub(crate) fn all(&self) -> Vec<Arrival> {
        self.lock().arrivals.clone()
    }

    /// Blocks until `count` requests have arrived. Returns `false` if they do not.
    pub(crate) fn wait_for(&self, count: usize) -> bool {
        let (inner, _) = self
            .arrived
            .wait_timeout_while(self.lock(), PATIENCE, |inner| inner.arrivals.len() < count)
            .unwrap_or_else(PoisonError::into_inner);
        inner.arrivals.len() >= count
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
