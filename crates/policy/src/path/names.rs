//! The tables of names of secrets, and of files that make other programs run code. They are read from data files
//! once.

use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The credentials of a tool.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretEntry {
    /// The kind of tool.
    #[serde(rename = "group")]
    _group: String,
    /// The tool, or several tools of the same kind.
    #[serde(rename = "tool")]
    _tool: String,
    /// The documentation in which the tool describes these places.
    #[serde(rename = "source")]
    _source: String,
    /// Names of folders that are secret in any location.
    #[serde(default)]
    folders: Vec<String>,
    /// Names of files that are secret in any location. `*` matches any text.
    #[serde(default)]
    files: Vec<String>,
    /// Places below the home directory. Hidden ones also count below every other folder.
    #[serde(default)]
    home: Vec<String>,
    /// Several consecutive names, in any location.
    #[serde(default)]
    places: Vec<String>,
    /// System-wide places, as absolute paths.
    #[serde(default)]
    system: Vec<String>,
    /// Names of files that often contain credentials and that a project's own tools read.
    #[serde(default)]
    likely: Vec<String>,
    /// Names that match a pattern but contain no credentials.
    #[serde(default)]
    except: Vec<String>,
}

/// A group of places in which other programs find code to run.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuardedEntry {
    /// The kind of program that runs the code.
    #[serde(rename = "group")]
    _group: String,
    /// The documentation in which these programs describe the places.
    #[serde(rename = "source")]
    _source: String,
    /// Names of folders, in any location.
    #[serde(default)]
    folders: Vec<String>,
    /// Names of files, in any location.
    #[serde(default)]
    files: Vec<String>,
    /// Several consecutive names, in any location.
    #[serde(default)]
    places: Vec<String>,
    /// Places below the home directory.
    #[serde(default)]
    home: Vec<String>,
    /// Places inside a git folder.
    #[serde(default)]
    git: Vec<String>,
    /// Several consecutive names, in any location, of files that other machines run after they are pushed.
    #[serde(default)]
    pushed: Vec<String>,
    /// Names of files of a project that its tools run, in which `*` matches any text.
    #[serde(default)]
    later: Vec<String>,
}

/// The data file of secrets.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SecretSource {
    /// The tools.
    secret: Vec<SecretEntry>,
}

/// The data file of guarded places.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GuardedSource {
    /// The groups.
    guarded: Vec<GuardedEntry>,
}

/// The names and places of secrets.
#[derive(Default)]
pub(super) struct SecretNames {
    pub(super) folders: HashSet<String>,
    pub(super) files: Patterns,
    /// Places below the home directory.
    pub(super) home: Places,
    /// Places below the home directory that start with a dot, and places that are secret in any location.
    pub(super) anywhere: Places,
    pub(super) system: Places,
    pub(super) likely: Patterns,
    pub(super) except: Patterns,
}

/// The names and places of code that other programs run.
#[derive(Default)]
pub(super) struct GuardedNames {
    pub(super) folders: HashSet<String>,
    pub(super) files: HashSet<String>,
    pub(super) anywhere: Places,
    pub(super) home: Places,
    pub(super) git: Places,
    pub(super) pushed: Places,
    pub(super) later: Patterns,
}

/// Extensions of source code and documents.
const SOURCES: &[&str] = &[
    "adoc", "c", "cc", "clj", "cpp", "cs", "css", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs", "html",
    "java", "jl", "js", "jsx", "kt", "less", "lua", "md", "mdx", "mjs", "ml", "nim", "php", "pl", "proto",
    "py", "pyi", "r", "rb", "rs", "rst", "scala", "scss", "sql", "svelte", "swift", "tex", "tf", "ts", "tsx",
    "vue", "zig",
];

pub(super) const SECRETS: &str = include_str!("../../data/secrets.toml");
pub(super) const GUARDED: &str = include_str!("../../data/guarded.toml");

/// Returns the table of secrets. A test parses the data, so that the table is never the empty default.
pub(super) fn secrets() -> &'static SecretNames {
    static NAMES: LazyLock<SecretNames> = LazyLock::new(|| read_secrets().unwrap_or_default());
    &NAMES
}

/// Returns the table of guarded places. A test parses the data, so that the table is never the empty default.
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
        entry.later.iter().for_each(|file| names.later.add(file));
    }
    Ok(names)
}

/// A set of places, each a sequence of names, indexed by their first name.
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

    /// Returns the place that `parts` starts with.
    pub(super) fn at_start(&self, parts: &[String]) -> Option<&[String]> {
        let places = self.by_first.get(parts.first()?)?;
        places.iter().map(Vec::as_slice).find(|place| parts.starts_with(place))
    }

    /// Returns a place that occurs anywhere in `parts`.
    pub(super) fn inside(&self, parts: &[String]) -> Option<&[String]> {
        (0..parts.len()).find_map(|at| self.at_start(&parts[at..]))
    }

    /// Returns each place as written in the data.
    pub(super) fn written(&self) -> impl Iterator<Item = &str> {
        self.written.iter().map(String::as_str)
    }
}

/// A set of file names, in which `*` matches any text.
#[derive(Default)]
pub(super) struct Patterns {
    exact: HashSet<String>,
    /// The patterns with a `*`, split at it, indexed by the first or last byte that a matching name must have. There
    /// are hundreds of patterns, and every file of a folder is checked.
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

    /// Returns the patterns with a `*` that match the name.
    fn wild(&self, name: &str) -> impl Iterator<Item = &Vec<String>> {
        let (first, last) = (name.as_bytes().first(), name.as_bytes().last());
        let ends = [first.copied().map(End::First), last.copied().map(End::Last), Some(End::Open)];
        let near = ends.into_iter().flatten().filter_map(|end| self.wild.get(&end)).flatten();
        near.filter(move |pieces| matches(pieces, name))
    }

    /// Whether the folded name matches.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.exact.contains(name) || self.wild(name).next().is_some()
    }

    /// Like [`Patterns::holds`], but a pattern with an open ending does not match source code or documents.
    pub(super) fn holds_data(&self, name: &str) -> bool {
        let is_source = name.rsplit_once('.').is_some_and(|(_, ending)| SOURCES.contains(&ending));
        let is_meant =
            |pieces: &Vec<String>| !is_source || pieces.last().is_some_and(|last| !last.is_empty());
        self.exact.contains(name) || self.wild(name).any(is_meant)
    }

    /// Returns the names without a `*`.
    pub(super) fn exact(&self) -> impl Iterator<Item = &str> {
        self.exact.iter().map(String::as_str)
    }
}

/// Whether a name consists of the pieces in order, with any text between them. The first and last pieces may not
/// overlap.
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
