//! Secrets whose value Deputy knows: keys of backends, and secret environment variables. They are redacted regardless
//! of their shape, and also if they are reversed. In base64 or hexadecimal they are found when such blocks are decoded.
//!
//! The values stay in memory as long as the host runs, as they do where they are used.

use regex::Regex;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Arc, PoisonError, RwLock};

/// The minimum length. Shorter values are words that occur in ordinary text.
const SHORTEST: usize = 12;

static KNOWN: RwLock<Known> = RwLock::new(Known { values: BTreeSet::new(), search: None });

struct Known {
    values: BTreeSet<String>,
    search: Option<Arc<Regex>>,
}

/// Redacts a value in every text from now on. Values that are short, plain words or paths are ignored.
pub(crate) fn learn(value: &str) {
    let value = value.trim();
    let has = |is: fn(char) -> bool| value.chars().any(is);
    let is_made = has(|c| c.is_ascii_digit()) && has(char::is_alphabetic);
    if value.len() < SHORTEST || !is_made || has(char::is_whitespace) || value.starts_with(['/', '~', '.']) {
        return;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if !known.values.insert(value.to_owned()) {
        return;
    }
    let reversed = |value: &String| value.chars().rev().collect();
    let mut forms: Vec<String> =
        known.values.iter().flat_map(|value| [value.clone(), reversed(value)]).collect();
    // If two values have the same prefix, the longer one must match first.
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    let forms: Vec<String> = forms.iter().map(|form| regex::escape(form)).collect();
    known.search = Regex::new(&forms.join("|")).ok().map(Arc::new);
}

/// Redacts the values of variables whose names indicate a secret.
pub(crate) fn learn_environment(variables: impl Iterator<Item = (OsString, OsString)>) {
    const NAMES: [&str; 7] = ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY"];
    for (name, value) in variables {
        let name = name.to_string_lossy().to_ascii_uppercase();
        if NAMES.iter().any(|word| name.contains(word)) {
            learn(&value.to_string_lossy());
        }
    }
}

/// Returns the expression that finds the known values, if any.
pub(super) fn search() -> Option<Arc<Regex>> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).search.clone()
}
