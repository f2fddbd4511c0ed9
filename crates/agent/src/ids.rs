//! Generates ids that are short enough to type and random enough not to collide.

/// Letters and digits that cannot be confused with one another (Crockford's base 32, in lower case).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Returns a prefix and ten random characters, 50 bits.
pub(crate) fn fresh(prefix: char) -> String {
    let mut bytes = [0u8; 10];
    // Without system randomness, the clock is used: an id only has to be new, not secret.
    if getrandom::fill(&mut bytes).is_err() {
        let nanos = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        bytes.copy_from_slice(&nanos.to_le_bytes()[..10]);
    }
    written(prefix, &bytes)
}

/// Returns a prefix and ten characters that are derived from a text.
pub(crate) fn derived(prefix: char, text: &str) -> String {
    written(prefix, &blake3::hash(text.as_bytes()).as_bytes()[..10])
}

fn written(prefix: char, bytes: &[u8]) -> String {
    let mut id = String::from(prefix);
    id.extend(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])));
    id
}
