//! The files and folders that a person names in what they type: the goal of a task, an instruction, or an answer. The
//! task may read them with every tool.
//!
//! They are resolved when they are typed, so that a link that is changed later opens nothing else. Only what exists
//! counts, so no sentence has to be understood.

use std::path::{Path, PathBuf};

/// The maximum number of paths in a text.
const MOST_PATHS: usize = 50;
/// The maximum number of places in a text that are tried, and of ends that are tried at each.
const MOST_PLACES: usize = 500;
const MOST_ENDS: usize = 24;

/// Returns the real paths of the files and folders that a text names by an absolute path, or by one that starts with `~/`
/// or, if a folder is given, with `../`. Leaves out the home directory and the folders above it.
pub(crate) fn named(text: &str, home: &Path, folder: Option<&Path>) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    for start in starts(text).take(MOST_PLACES) {
        let line = text[start..].lines().next().unwrap_or_default();
        // A path may contain blanks, so the longest beginning that exists is the path.
        let found = ends(line).into_iter().find_map(|end| real(&line[..end], home, folder));
        if let Some(path) = found.filter(|path| !named.contains(path)) {
            named.push(path);
        }
        if named.len() == MOST_PATHS {
            break;
        }
    }
    named
}

/// Returns where a path could start: after a blank or an opening sign.
fn starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let is_start = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|before| before.is_whitespace() || "\"'`([{<=:,;“‘„«".contains(before))
    };
    let is_path = |at: usize| ["/", "~/", "../"].iter().any(|prefix| text[at..].starts_with(prefix));
    text.char_indices().map(|(at, _)| at).filter(move |at| is_path(*at) && is_start(*at))
}

/// Returns where a path at the start of a line could end, the longest first.
fn ends(line: &str) -> Vec<usize> {
    let is_end = |c: char| c.is_whitespace() || "\"'`)]}>,;:!?.”’“»".contains(c);
    let mut ends: Vec<usize> = line.char_indices().filter(|(_, c)| is_end(*c)).map(|(at, _)| at).collect();
    ends.push(line.len());
    ends.truncate(MOST_ENDS);
    ends.reverse();
    ends
}

fn real(path: &str, home: &Path, folder: Option<&Path>) -> Option<String> {
    let path = match path.strip_prefix("~/") {
        Some(rest) => home.join(rest),
        None if path.starts_with('/') => PathBuf::from(path),
        None => folder?.join(path),
    };
    let real = path.canonicalize().ok()?;
    let metadata = real.metadata().ok()?;
    let holds_home = || home.canonicalize().map_or(true, |home| home.starts_with(&real));
    let is_narrow = metadata.is_file() || metadata.is_dir() && !holds_home();
    is_narrow.then(|| real.to_str().map(str::to_owned)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_exists_is_named_and_nothing_wider_than_the_home() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        let [home, work] = ["home/ada", "work"].map(|name| top.join(name));
        for folder in [home.join("My Logs"), work.clone()] {
            fs::create_dir_all(folder).unwrap();
        }
        for file in [home.join("app.log"), home.join("My Logs/a b.txt"), top.join("beside.txt")] {
            fs::write(file, "").unwrap();
        }
        let at = |name: &str| top.join(name).to_str().unwrap().to_owned();
        let found = |text: &str| named(&text.replace("TOP", top.to_str().unwrap()), &home, Some(&work));
        for (text, expected) in [
            ("Count the lines of ~/app.log.", vec![at("home/ada/app.log")]),
            ("zähle `TOP/beside.txt`, bitte", vec![at("beside.txt")]),
            (
                "read ~/My Logs/a b.txt and ../beside.txt",
                vec![at("home/ada/My Logs/a b.txt"), at("beside.txt")],
            ),
            ("tidy \"~/My Logs\" (~/app.log)", vec![at("home/ada/My Logs"), at("home/ada/app.log")]),
            ("not ~/ or TOP/home or / or https://x.org/TOP/beside.txt or ~/gone", Vec::new()),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
        assert_eq!(named("../beside.txt", &home, None), Vec::<String>::new());
    }
}
