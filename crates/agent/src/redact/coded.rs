//! Secrets that are encoded: in base64, in hexadecimal, or reversed. The decoded text is searched for the same shapes,
//! and if a secret is found, the whole block is redacted.

use super::REDACTED;
use super::plain::{compiled, plain};
use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use regex::Regex;
use std::sync::LazyLock;

/// Blocks that may be base64 or hexadecimal, including blocks of several lines as the usual programs wrap them.
static BLOCK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/_-]{20,}={0,2}(?:\r?\n[A-Za-z0-9+/_-]{4,}={0,2})*").ok());
/// Names of secret assignments and prefixes of tokens, reversed.
static BACKWARDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "drowssap|dwssap|esarhpssap|terces|nekot|yek[_-]?ipa|yek[_-]?ssecca|yek[_-]?etavirp";
    compiled(&format!(r"(?i:{names})|_[phousr]hg\b|-talpg\b|_tap_buhtig\b|AIKA\b|-bxox\b|-ks\b|evil_ks\b"))
});

fn engine(alphabet: &base64::alphabet::Alphabet) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config.with_decode_allow_trailing_bits(true))
}

/// Redacts encoded secrets. `None` if there are none.
pub(super) fn without(text: &str) -> Option<String> {
    let blocks = BLOCK.as_ref()?.find_iter(text).filter(|block| holds_secret(block.as_str()));
    let blocks: Vec<_> = blocks.map(|block| block.range()).collect();
    let mut told = None;
    if !blocks.is_empty() {
        let mut kept = String::with_capacity(text.len());
        let mut from = 0;
        for block in blocks {
            kept.push_str(&text[from..block.start]);
            kept.push_str(REDACTED);
            from = block.end;
        }
        kept.push_str(&text[from..]);
        told = Some(kept);
    }
    let backwards = BACKWARDS.as_ref()?;
    let text = told.as_deref().unwrap_or(text);
    if !backwards.is_match(text) {
        return told;
    }
    let lines = text.split('\n').map(|line| match backwards.is_match(line) {
        true if is_hidden(&line.chars().rev().collect::<String>()) => REDACTED,
        _ => line,
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// Returns whether a block contains a secret when it is decoded as a whole or line by line.
fn holds_secret(block: &str) -> bool {
    let joined: String = block.split_whitespace().collect();
    says_secret(&joined)
        || (joined.len() != block.len() && block.lines().any(|line| says_secret(line.trim())))
}

fn says_secret(block: &str) -> bool {
    let digits = block.len().is_multiple_of(2) && block.bytes().all(|byte| byte.is_ascii_hexdigit());
    let decoded = match digits {
        true => unhex(block),
        false => unbase64(block),
    };
    decoded.is_some_and(|text| is_hidden(&text))
}

fn is_hidden(text: &str) -> bool {
    plain(text) != text
}

/// Decodes base64. `None` if the result is not text.
fn unbase64(block: &str) -> Option<String> {
    let alphabet = if block.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    readable(engine(alphabet).decode(block).ok()?)
}

fn unhex(block: &str) -> Option<String> {
    let bytes = (0..block.len()).step_by(2).map(|at| u8::from_str_radix(block.get(at..at + 2)?, 16).ok());
    readable(bytes.collect::<Option<Vec<u8>>>()?)
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = text.chars().all(|c| !c.is_control() || c.is_whitespace());
    is_text.then_some(text)
}

/// Returns whether a value is a name and a password in base64.
pub(super) fn is_login(value: &str) -> bool {
    let login = unbase64(value);
    login.is_some_and(|login| {
        login.split_once(':').is_some_and(|(name, word)| !name.is_empty() && word.len() >= 3)
    })
}
