//! Makes new ids: short enough to type, random enough never to meet.

/// Letters and digits that cannot be mistaken for one another (Crockford's base 32, in lower case).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A prefix and ten random characters, 50 bits.
pub(crate) fn fresh(prefix: char) -> String {
    let mut bytes = [0u8; 10];
    // Without randomness from the system the clock must do: an id only has to be new, not secret.
    if getrandom::fill(&mut bytes).is_err() {
        let nanos = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        bytes.copy_from_slice(&nanos.to_le_bytes()[..10]);
    }
    written(prefix, &bytes)
}

/// A prefix and ten characters that follow from a text.
pub(crate) fn derived(prefix: char, text: &str) -> String {
    written(prefix, &blake3::hash(text.as_bytes()).as_bytes()[..10])
}

fn written(prefix: char, bytes: &[u8]) -> String {
    let mut id = String::from(prefix);
    id.extend(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])));
    id
}
