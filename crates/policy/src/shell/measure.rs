//! Measures a text before it is parsed, so that no text can keep the parser busy. Uses a single pass and a few
//! counters.

/// The maximum number of each element in a text. Real commands contain a tenth of it.
const MOST_SEPARATORS: usize = 512;
const MOST_OPENERS: usize = 512;
const MOST_REDIRECTS: usize = 256;
const MOST_HERE_DOCUMENTS: usize = 8;
const MOST_FUNCTIONS: usize = 16;
const MOST_WORDS: usize = 2048;
const MOST_QUOTES: usize = 1024;
const MOST_DOLLARS: usize = 512;

#[derive(Default)]
struct Counts {
    separators: usize,
    openers: usize,
    redirects: usize,
    here_documents: usize,
    functions: usize,
    words: usize,
    quotes: usize,
    dollars: usize,
}

/// Whether a non-ASCII letter is in a position where the grammar's scanner expects the digits of `{1..9}`. The
/// scanner passes it to C's `isdigit`, which reads beyond its table for such letters and can crash the process.
pub(crate) fn breaks_the_parser(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| {
        let is_digit = |c: char| c.is_ascii_digit();
        let rest = text[at + 1..].trim_start_matches(is_digit);
        let rest = rest.strip_prefix("..").map_or(rest, |rest| rest.trim_start_matches(is_digit));
        rest.chars().next().is_some_and(|c| !c.is_ascii())
    })
}

/// Returns the kind of element that exceeds its limit in the text, in plain words. `None` if the text can be parsed.
pub(crate) fn too_much(text: &str) -> Option<&'static str> {
    let counts = count(text);
    let limits = [
        (counts.separators, MOST_SEPARATORS, "commands"),
        (counts.openers, MOST_OPENERS, "brackets"),
        (counts.redirects, MOST_REDIRECTS, "redirects"),
        (counts.here_documents, MOST_HERE_DOCUMENTS, "here-documents"),
        (counts.functions, MOST_FUNCTIONS, "functions"),
        (counts.words, MOST_WORDS, "words"),
        (counts.quotes, MOST_QUOTES, "quotes"),
        (counts.dollars, MOST_DOLLARS, "variables"),
    ];
    limits.into_iter().find(|(count, most, _)| count > most).map(|(_, _, what)| what)
}

/// Counts the elements outside quotes and here-documents. After the first substitution inside quotes, everything is
/// counted, because code may occur anywhere from that point.
fn count(text: &str) -> Counts {
    let mut counts = Counts::default();
    let mut quote: Option<u8> = None;
    let mut everywhere = false;
    let mut here: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut last = b' ';
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let literal = quote == Some(b'\'');
        if byte == b'\\' && !literal {
            at += 2;
            counts.words += usize::from(last.is_ascii_whitespace());
            last = b'\\';
            continue;
        }
        match byte {
            b'\'' | b'"' if quote == Some(byte) => quote = None,
            b'\'' | b'"' if quote.is_none() => {
                quote = Some(byte);
                counts.quotes += 1;
            }
            b'$' | b'`' if !literal => {
                counts.dollars += 1;
                everywhere |= quote.is_some() && (byte == b'`' || matches!(next, b'(' | b'{' | b'['));
            }
            _ => {}
        }
        if quote.is_none() || everywhere {
            tally(&mut counts, last, byte, next);
            if byte == b'<' && next == b'<' && last != b'<' && quote.is_none() {
                here.extend(delimiter(&text[at + 2..]));
            }
            if byte == b'\n' && quote.is_none() && !here.is_empty() && !everywhere {
                let (skipped, code) = bodies(&text[at + 1..], &mut here);
                at += skipped;
                everywhere |= code;
            }
        }
        last = byte;
        at += 1;
    }
    counts
}

fn tally(counts: &mut Counts, last: u8, byte: u8, next: u8) {
    match byte {
        b'\n' if last == b'\n' => {}
        b'|' | b'&' | b';' | b'\n' => counts.separators += 1,
        b'(' | b'{' | b'[' | b'`' | b'!' => {
            counts.openers += 1;
            counts.functions += usize::from(byte == b'(' && next == b')');
        }
        b'<' | b'>' => {
            counts.redirects += 1;
            counts.here_documents += usize::from(byte == b'<' && next == b'<');
        }
        byte if !byte.is_ascii_whitespace() && last.is_ascii_whitespace() => counts.words += 1,
        _ => {}
    }
}

/// Returns the delimiter of a here-document if it is plain.
fn delimiter(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches(['-', ' ', '\t']);
    let word = rest.split(|c: char| c.is_whitespace() || ";|&<>()".contains(c)).next()?;
    let word = word.trim_matches(['\'', '"']);
    (!word.is_empty()).then_some(word)
}

/// Returns the length of the here-documents that begin here, and whether they may contain code.
fn bodies(rest: &str, here: &mut Vec<&str>) -> (usize, bool) {
    let mut skipped = 0;
    let mut code = false;
    let mut waiting = here.drain(..);
    let Some(mut end) = waiting.next() else { return (0, false) };
    for line in rest.split_inclusive('\n') {
        skipped += line.len();
        code |= line.contains("$(") || line.contains('`') || line.contains("${");
        if line.trim_matches(['\t', '\n']) == end {
            match waiting.next() {
                Some(next) => end = next,
                None => return (skipped, code),
            }
        }
    }
    // The parser may read an unterminated document as code, so it is counted.
    (0, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_texts_pass_and_repeated_ones_do_not() {
        let document = format!("cat > x.py <<'EOF'\n{}EOF\n", "print('a|b;c')\n".repeat(2000));
        for text in [
            "ls -la | head",
            "git log --format='%h %s'",
            document.as_str(),
            &format!("ls{}", "\n".repeat(5000)),
        ] {
            assert_eq!(too_much(text), None, "{}", &text[..20.min(text.len())]);
        }
        for piece in ["a|", "a;", "(", "$(", "<<A\n", "f() ", "a b ", "> x ", "\"", "`", "[", "${x}"] {
            assert!(too_much(&piece.repeat(4000)).is_some(), "{piece}");
        }
        let hidden = format!("echo \"$({})\"", "a|".repeat(4000));
        assert!(too_much(&hidden).is_some());
    }

    #[test]
    fn letters_that_end_the_parser_are_found_before_it_runs() {
        for text in ["echo {\u{493e0}", "{1\u{10ffff}", "echo {1..\u{dbba0}}", "{{é", "'{1..22é'"] {
            assert!(breaks_the_parser(text), "{text:?}");
        }
        for text in ["echo {a,é}", "é{1..2}", "awk '{ print \"é\" }'", "{", "{1..", "${é}"] {
            assert_eq!(breaks_the_parser(text), text == "${é}", "{text:?}");
        }
    }
}
