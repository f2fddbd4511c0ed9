//! A cache of answers by address. An answer is reused only if its server confirms that it is still valid.

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED,
};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The maximum number of cached answers, and their maximum total size in bytes.
const MOST_ANSWERS: usize = 32;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A cached answer.
#[derive(Clone)]
pub(crate) struct Kept {
    address: String,
    asked_again: (HeaderName, HeaderValue),
    pub(crate) media_type: String,
    pub(crate) body: Bytes,
}

impl Kept {
    /// Creates a cache entry. `None` if the answer has no validator or must not be stored.
    pub(crate) fn of(address: &str, headers: &HeaderMap, body: &Bytes) -> Option<Self> {
        let says =
            |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if says(&CACHE_CONTROL).to_ascii_lowercase().contains("no-store") {
            return None;
        }
        let asked_again = [(&ETAG, IF_NONE_MATCH), (&LAST_MODIFIED, IF_MODIFIED_SINCE)]
            .into_iter()
            .find_map(|(said, asked)| Some((asked, headers.get(said)?.clone())))?;
        let media_type = says(&CONTENT_TYPE).to_owned();
        Some(Self { address: address.to_owned(), asked_again, media_type, body: body.clone() })
    }

    /// Returns the header that asks whether the answer is still valid.
    pub(crate) fn question(&self) -> (HeaderName, HeaderValue) {
        self.asked_again.clone()
    }
}

/// The cached answers, the newest last.
#[derive(Default)]
pub(crate) struct Cache(Mutex<VecDeque<Kept>>);

impl Cache {
    pub(crate) fn get(&self, address: &str) -> Option<Kept> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|each| each.address == address).cloned()
    }

    pub(crate) fn put(&self, new: Kept) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|each| each.address != new.address);
        kept.push_back(new);
        let bytes = |kept: &VecDeque<Kept>| kept.iter().map(|each| each.body.len()).sum::<usize>();
        while kept.len() > MOST_ANSWERS || bytes(&kept) > MOST_BYTES {
            kept.pop_front();
        }
    }
}
