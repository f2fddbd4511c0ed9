//! Parses the output of `strace -f -ttt -y -xx`, call by call in the order in which they ended.

use std::collections::HashMap;
use std::io;

/// System calls that change a disk, make a change durable, or determine where the next write goes.
pub(super) const WATCHED: &str = "openat,?openat2,open,creat,write,pwrite64,writev,pwritev,pwritev2,lseek,ftruncate,truncate,\
    fallocate,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,fsync,fdatasync,\
    syncfs,sync,chmod,fchmod,fchmodat,?fchmodat2,utimensat,copy_file_range,sendfile,ioctl,chdir,fchdir";

/// A successful call.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: Vec<&'a str>,
    /// The result, with the path if it is an open file.
    pub(super) result: &'a str,
    /// When it began: seconds and nanoseconds.
    pub(super) time: (i64, i64),
}

/// A parsed line.
pub(super) enum Line<'a> {
    /// A call of this thread began and has not ended.
    Began(&'a str),
    /// A call of this thread ended successfully.
    Ended(&'a str, Call<'a>),
}

/// Joins calls that are split into two lines because other output came in between. Reports the beginning and end of
/// each call.
pub(super) fn lines(log: &str) -> io::Result<Vec<(String, String, bool)>> {
    let mut open: HashMap<String, String> = HashMap::new();
    let mut found = Vec::new();
    for line in log.lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        let (thread, rest) = (thread.to_owned(), rest.trim_start());
        if let Some(begun) = rest.strip_suffix(" <unfinished ...>") {
            open.insert(thread.clone(), begun.to_owned());
            found.push((thread, begun.to_owned(), false));
        } else if let Some((_, resumed)) = rest.split_once(" resumed>") {
            if let Some(begun) = open.remove(&thread) {
                found.push((thread, begun + resumed, true));
            }
        } else {
            found.push((thread, rest.to_owned(), true));
        }
    }
    Ok(found)
}

/// Parses a whole call. `None` for a failed call and for other lines.
pub(super) fn read((thread, text, is_whole): &(String, String, bool)) -> Option<Line<'_>> {
    if !is_whole {
        return Some(Line::Began(thread));
    }
    let (time, rest) = text.split_once(' ')?;
    let (secs, fraction) = time.split_once('.')?;
    let (name, rest) = rest.split_once('(')?;
    let (arguments, result) = rest.rsplit_once(" = ")?;
    let arguments = arguments.trim_end().strip_suffix(')')?;
    if result.starts_with('-') || result.starts_with('?') {
        return None;
    }
    let time = (secs.parse().ok()?, format!("{fraction:0<9}").parse().ok()?);
    Some(Line::Ended(thread, Call { name, arguments: split(arguments), result, time }))
}

/// Splits at the commas of the outermost level.
pub(super) fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut quoted, mut start) = (Vec::new(), 0_i32, false, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' | b'(' | b'<' => depth += 1,
            b']' | b'}' | b')' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Decodes `\x41\x42`. Other characters are literal.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map_or(0, |digit| digit as u8);
    let (text, mut found, mut at) = (text.as_bytes(), Vec::with_capacity(text.len() / 4), 0);
    while at < text.len() {
        match &text[at..] {
            [b'\\', b'x', high, low, ..] => {
                found.push(digit(*high) << 4 | digit(*low));
                at += 4;
            }
            [byte, ..] => {
                found.push(*byte);
                at += 1;
            }
            [] => {}
        }
    }
    found
}

/// Decodes the text between the first and the last quotation mark.
pub(super) fn quoted(text: &str) -> Option<Vec<u8>> {
    let (first, last) = (text.find('"')?, text.rfind('"')?);
    (first < last).then(|| bytes(&text[first + 1..last]))
}

/// Returns the path of an open file. `None` if it has been deleted.
pub(super) fn path_of(descriptor: &str) -> Option<String> {
    let (_, rest) = descriptor.split_once('<')?;
    let (path, end) = rest.rsplit_once('>')?;
    (!end.contains("deleted")).then(|| String::from_utf8_lossy(&bytes(path)).into_owned())
}

/// Parses the number in `tv_sec=1`, or a plain argument.
pub(super) fn number(text: &str) -> Option<i64> {
    let text = text.rsplit('=').next()?.trim();
    match text.strip_prefix('0') {
        Some("") => Some(0),
        Some(octal) => i64::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_in_two_parts_are_joined_and_failed_ones_left_out() {
        let log = "7  1.5 write(1<\\x2f\\x61>, \"\\x68\\x0a\", 2 <unfinished ...>\n\
                   8  1.6 unlink(\"\\x62\") = -1 ENOENT (No such file)\n7  1.7 <... write resumed>) = 2\n\
                   8  1.8 fsync(3</a>(deleted)) = 0\n";
        let lines = lines(log).unwrap();
        let read: Vec<_> = lines.iter().filter_map(read).collect();
        let [Line::Began("7"), Line::Ended("7", write), Line::Ended("8", fsync)] = &read[..] else {
            panic!("{} lines", read.len())
        };
        assert_eq!((write.name, write.time, write.result), ("write", (1, 500_000_000), "2"));
        assert_eq!(path_of(write.arguments[0]).as_deref(), Some("/a"));
        assert_eq!(quoted(write.arguments[1]).unwrap(), b"h\n");
        assert_eq!(path_of(fsync.arguments[0]), None);
        assert_eq!(split("a, [b, {c, d}], <e,f>"), ["a", "[b, {c, d}]", "<e,f>"]);
        assert_eq!((number("0644"), number("{tv_sec=12"), number("0")), (Some(420), Some(12), Some(0)));
    }
}
