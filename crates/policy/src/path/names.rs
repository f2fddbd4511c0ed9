//! The tables of names: what holds secrets and what makes other programs run code, read from data once.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// One tool's credentials.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretEntry {
    /// The kind of tool.
    #[serde(rename = "group")]
    _group: String,
    /// The tool, or several of a kind.
    #[serde(rename = "tool")]
    _tool: String,
    /// Where the tool says that it keeps them there.
    #[serde(rename = "source")]
    _source: String,
    /// Names of folders that are secret wherever they lie.
    #[serde(default)]
    folders: Vec<String>,
    /// Names of files wherever they lie; `*` is any text.
    #[serde(default)]
    files: Vec<String>,
    /// Places below the home; hidden ones count below every other folder too.
    #[serde(default)]
    home: Vec<String>,
    /// Several names in a row, wherever they lie.
    #[serde(default)]
    places: Vec<String>,
    /// Places of the machine.
    #[serde(default)]
    system: Vec<String>,
    /// Names of files that often hold credentials, and that a project's own tools read.
    #[serde(default)]
    likely: Vec<String>,
    /// Names that match a pattern and hold nothing.
    #[serde(default)]
    except: Vec<String>,
}

/// One group of places in which other programs find code to run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuardedEntry {
    /// The kind of program that runs it.
    #[serde(rename = "group")]
    _group: String,
    /// Where these programs say so.
    #[serde(rename = "source")]
    _source: String,
    /// Names of folders wherever they lie.
    #[serde(default)]
    folders: Vec<String>,
    /// Names of files wherever they lie.
    #[serde(default)]
    files: Vec<String>,
    /// Several names in a row, wherever they lie.
    #[serde(default)]
    places: Vec<String>,
    /// Places below the home.
    #[serde(default)]
    home: Vec<String>,
    /// Places inside of a git folder.
    #[serde(default)]
    git: Vec<String>,
    /// Several names in a row, wherever they lie, of what other machines run once it is pushed.
    #[serde(default)]
    pushed: Vec<String>,
}

/// The file of secrets.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretSource {
    /// The tools.
    secret: Vec<SecretEntry>,
}

/// The file of guarded places.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuardedSource {
    /// The groups.
    guarded: Vec<GuardedEntry>,
}

/// Names and places of secrets.
#[derive(Default)]
pub(super) struct SecretNames {
    pub(super) folders: HashSet<String>,
    pub(super) files: Patterns,
    /// Below the home.
    pub(super) home: Places,
    /// Those of the home that begin with a point, and places that are secret anywhere.
    pub(super) anywhere: Places,
    pub(super) system: Places,
    pub(super) likely: Patterns,
    pub(super) except: Patterns,
}

/// Names and places of code that other programs run.
#[derive(Default)]
pub(super) struct GuardedNames {
    pub(super) folders: HashSet<String>,
    pub(super) files: HashSet<String>,
    pub(super) anywhere: Places,
    pub(super) home: Places,
    pub(super) git: Places,
    pub(super) pushed: Places,
}

/// Endings of programs and of texts for people.
const SOURCES: &[&str] = &[
    "adoc", "c", "cc", "clj", "cpp", "cs", "css", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs", "html",
    "java", "jl", "js", "jsx", "kt", "less", "lua", "md", "mdx", "mjs", "ml", "nim", "php", "pl", "proto",
    "py", "pyi", "r", "rb", "rs", "rst", "scala", "scss", "sql", "svelte", "swift", "tex", "tf", "ts", "tsx",
    "vue", "zig",
];

pub(super) const SECRETS: &str = include_str!("../../data/secrets.toml");
pub(super) const GUARDED: &str = include_str!("../../data/guarded.toml");

/// The table of secrets. A test reads it, so that it is never the empty one.
pub(super) fn secrets() -> &'static SecretNames {
    static NAMES: LazyLock<SecretNames> = LazyLock::new(|| read_secrets().unwrap_or_default());
    &NAMES
}

/// The table of guarded places. A test reads it, so that it is never the empty one.
pub(super) fn guarded() -> &'static GuardedNames {
    static NAMES: LazyLock<GuardedNames> = LazyLock::new(|| read_guarded().unwrap_or_default());
    &NAMES
}

fn read_secrets() -> Result<SecretNames, toml::de::Error> {
    let mut names = SecretNames::default();
    for entry in toml::from_str::<SecretSource>(SECRETS)?.secret {
        names.folders.extend(entry.folders);
        for place in entry.home {
            if place.starts_with('.') {
                names.anywhere.add(&place);
            }
            names.home.add(&place);
        }
        entry.files.iter().for_each(|file| names.files.add(file));
        entry.places.iter().for_each(|place| names.anywhere.add(place));
        entry.system.iter().for_each(|place| names.system.add(place));
        entry.likely.iter().for_each(|file| names.likely.add(file));
        entry.except.iter().for_each(|file| names.except.add(file));
    }
    Ok(names)
}

fn read_guarded() -> Result<GuardedNames, toml::de::Error> {
    let mut names = GuardedNames::default();
    for entry in toml::from_str::<GuardedSource>(GUARDED)?.guarded {
        names.folders.extend(entry.folders);
        names.files.extend(entry.files);
        entry.places.iter().for_each(|place| names.anywhere.add(place));
        entry.home.iter().for_each(|place| names.home.add(place));
        entry.git.iter().for_each(|place| names.git.add(place));
        entry.pushed.iter().for_each(|place| names.pushed.add(place));
    }
    Ok(names)
}

/// Places, each a row of names, found by their first one.
#[derive(Default)]
pub(super) struct Places {
    by_first: HashMap<String, Vec<Vec<String>>>,
    written: Vec<String>,
}

impl Places {
    fn add(&mut self, place: &str) {
        let names: Vec<String> =
            place.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        if let Some(first) = names.first() {
            self.by_first.entry(first.clone()).or_default().push(names);
            self.written.push(place.to_owned());
        }
    }

    /// The place that `parts` is or lies below, where they begin.
    pub(super) fn at_start(&self, parts: &[String]) -> Option<&[String]> {
        let places = self.by_first.get(parts.first()?)?;
        places.iter().map(Vec::as_slice).find(|place| parts.starts_with(place))
    }

    /// The place that lies somewhere in `parts`.
    pub(super) fn inside(&self, parts: &[String]) -> Option<&[String]> {
        (0..parts.len()).find_map(|at| self.at_start(&parts[at..]))
    }

    /// Each place as it is written.
    pub(super) fn written(&self) -> impl Iterator<Item = &str> {
        self.written.iter().map(String::as_str)
    }
}

/// Names of files with `*` for any text.
#[derive(Default)]
pub(super) struct Patterns {
    exact: HashSet<String>,
    /// Patterns with a `*`, split at it, indexed by the first or last byte that a matching name must have. There are
    /// hundreds of them, and every file of a folder is checked.
    wild: HashMap<End, Vec<Vec<String>>>,
}

/// The byte of a name that a pattern determines: the first, otherwise the last, or neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum End {
    First(u8),
    Last(u8),
    Open,
}

impl Patterns {
    fn add(&mut self, pattern: &str) {
        if !pattern.contains('*') {
            self.exact.insert(pattern.to_owned());
            return;
        }
        let end = match (pattern.as_bytes().first(), pattern.as_bytes().last()) {
            (Some(first), _) if *first != b'*' => End::First(*first),
            (_, Some(last)) if *last != b'*' => End::Last(*last),
            _ => End::Open,
        };
        self.wild.entry(end).or_default().push(pattern.split('*').map(str::to_owned).collect());
    }

    /// The patterns with a `*` that match the name.
    fn wild(&self, name: &str) -> impl Iterator<Item = &Vec<String>> {
        let (first, last) = (name.as_bytes().first(), name.as_bytes().last());
        let ends = [first.copied().map(End::First), last.copied().map(End::Last), Some(End::Open)];
        let near = ends.into_iter().flatten().filter_map(|end| self.wild.get(&end)).flatten();
        near.filter(move |pieces| matches(pieces, name))
    }

    /// Whether the folded name is meant.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.exact.contains(name) || self.wild(name).next().is_some()
    }

    /// As [`Patterns::holds`], but a pattern that leaves the ending open means no program and no text about the matter.
    pub(super) fn holds_data(&self, name: &str) -> bool {
        let is_source = name.rsplit_once('.').is_some_and(|(_, ending)| SOURCES.contains(&ending));
        let is_meant =
            |pieces: &Vec<String>| !is_source || pieces.last().is_some_and(|last| !last.is_empty());
        self.exact.contains(name) || self.wild(name).any(is_meant)
    }

    /// The names without a `*`.
    pub(super) fn exact(&self) -> impl Iterator<Item = &str> {
        self.exact.iter().map(String::as_str)
    }
}

/// Whether a name is the pieces in order with any text between them; none of the texts at the ends may be all of it.
fn matches(pieces: &[String], name: &str) -> bool {
    let [first, middle @ .., last] = pieces else { return false };
    let Some(rest) = name.strip_prefix(first.as_str()) else { return false };
    let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
    for piece in middle {
        let Some(at) = rest.find(piece.as_str()) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_readable_and_folded() {
        let secrets: SecretSource = toml::from_str(SECRETS).unwrap();
        let guarded: GuardedSource = toml::from_str(GUARDED).unwrap();
        let entries = secrets.secret.iter().flat_map(|it| {
            [&it.folders, &it.files, &it.home, &it.places, &it.system, &it.likely, &it.except]
        });
        let entries = entries.chain(
            guarded.guarded.iter().flat_map(|it| [&it.folders, &it.files, &it.places, &it.home, &it.git]),
        );
        let mut count = 0;
        for name in entries.flatten() {
            count += 1;
            assert_eq!(*name, name.to_lowercase(), "names are compared folded");
            assert!(!name.is_empty() && !name.ends_with('/') && *name != "*", "{name:?} means everything");
        }
        assert!(count > 2000, "{count}");
        assert!(secrets.secret.iter().all(|it| !it._source.is_empty() && !it._tool.is_empty()));
    }

    #[test]
    fn a_star_stands_for_any_text() {
        let mut patterns = Patterns::default();
        ["*.key", "a*z", "x*y*z", "b", "*mid*", "pre*"].iter().for_each(|it| patterns.add(it));
        for name in ["server.key", ".key", "az", "abz", "xyz", "x1y2z", "b", "amidb", "mid", "pre", "prefix"]
        {
            assert!(patterns.holds(name), "{name}");
        }
        for name in ["server.key.md", "a", "xz", "bb", "yz", "", "apre", "mi"] {
            assert!(!patterns.holds(name), "{name}");
        }
    }
}
