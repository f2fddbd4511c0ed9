//! Files that belong together: a film and its subtitles, a photograph and its edits, a web page and its folder, a file and
//! its signature. They stay in one folder and share their name. Which endings belong to which is data
//! (`data/together.toml`).
//!
//! Also knows the names of unfinished downloads, which stay where they are.

use crate::names::{fold, split};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The number of steps from a file to the one that it belongs to in the end: a checksum of a subtitle of a film.
const MOST_STEPS: usize = 4;

static ENDINGS: LazyLock<Endings> = LazyLock::new(|| {
    // The file is part of the program, and tests read it.
    toml::from_str(include_str!("../data/together.toml")).unwrap_or_default()
});

#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Endings {
    unfinished: Vec<String>,
    together: Vec<Together>,
}

#[derive(Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Together {
    of: Vec<String>,
    same_name: Vec<String>,
    whole_name: Vec<String>,
    folders: Vec<String>,
}

impl Together {
    /// Returns whether files with this folded name can have others that belong to them.
    fn is_of(&self, folded: &str) -> bool {
        self.of.iter().any(|ending| ending == "*" || without_ending(folded, ending).is_some())
    }
}

/// The names in a folder, and how they belong together.
pub(crate) struct Names<'a> {
    /// The names by their folded form. Names that are equal on some system belong to none and have none.
    by_fold: HashMap<String, Option<&'a str>>,
    /// The folded names of files, by their folded stem.
    stems: HashMap<String, Vec<String>>,
    folders: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    /// `names` has each name, and whether it is a folder.
    pub(crate) fn new(names: impl IntoIterator<Item = (&'a str, bool)>) -> Self {
        let mut known = Self { by_fold: HashMap::new(), stems: HashMap::new(), folders: HashSet::new() };
        for (name, is_folder) in names {
            let folded = fold(name);
            if is_folder {
                known.folders.insert(name);
            } else {
                known.stems.entry(split(&folded).0.to_owned()).or_default().push(folded.clone());
            }
            known.by_fold.entry(folded).and_modify(|name| *name = None).or_insert(Some(name));
        }
        known.stems.values_mut().for_each(|names| names.sort());
        known
    }

    /// Returns the name of the file that a file or folder belongs to in the end. `None` if it belongs to none.
    pub(crate) fn main_of(&self, name: &str) -> Option<&'a str> {
        let mut main = None;
        for _ in 0..MOST_STEPS {
            match self.next(main.unwrap_or(name)) {
                Some(next) if next != name => main = Some(next),
                _ => break,
            }
        }
        main
    }

    /// Returns whether a download is not finished, as far as names say so.
    pub(crate) fn is_unfinished(&self, name: &str) -> bool {
        let folded = fold(name);
        let is_part =
            |folded: &str| ENDINGS.unfinished.iter().any(|ending| without_ending(folded, ending).is_some());
        let has_part = || {
            ENDINGS.unfinished.iter().any(|ending| self.by_fold.contains_key(&format!("{folded}.{ending}")))
        };
        is_part(&folded) || has_part()
    }

    /// Returns the name that this one belongs to directly.
    fn next(&self, name: &str) -> Option<&'a str> {
        let folded = fold(name);
        if self.folders.contains(name) {
            let all = ENDINGS.together.iter();
            let mut all = all.flat_map(|kind| kind.folders.iter().map(move |ending| (kind, ending)));
            return all
                .find_map(|(kind, ending)| self.with_stem(kind, folded.strip_suffix(ending.as_str())?));
        }
        let whole = ENDINGS.together.iter().find_map(|kind| {
            let mut rests = kind.whole_name.iter().filter_map(|ending| without_ending(&folded, ending));
            rests.find_map(|rest| self.file(rest).filter(|_| kind.is_of(rest)))
        });
        whole.or_else(|| {
            ENDINGS.together.iter().find_map(|kind| {
                let mut rests = kind.same_name.iter().filter_map(|ending| without_ending(&folded, ending));
                rests.find_map(|rest| self.beginning(kind, rest))
            })
        })
    }

    /// Returns a file of a kind whose whole name or stem is this text, or this text without what follows one of its dots:
    /// `film.en` belongs to `film.mkv`.
    fn beginning(&self, kind: &Together, text: &str) -> Option<&'a str> {
        if let Some(file) = self.file(text).filter(|_| kind.is_of(text)) {
            return Some(file);
        }
        let shorter = text.rmatch_indices('.').map(|(dot, _)| &text[..dot]).filter(|stem| !stem.is_empty());
        std::iter::once(text).chain(shorter).find_map(|stem| self.with_stem(kind, stem))
    }

    fn with_stem(&self, kind: &Together, stem: &str) -> Option<&'a str> {
        self.stems.get(stem)?.iter().filter(|folded| kind.is_of(folded)).find_map(|folded| self.file(folded))
    }

    fn file(&self, folded: &str) -> Option<&'a str> {
        let name = self.by_fold.get(folded).copied().flatten()?;
        (!self.folders.contains(name)).then_some(name)
    }
}

/// Returns the name of something that belongs to a file after that file was renamed. A folder keeps its name, because the
/// page that it belongs to refers to it.
pub(crate) fn renamed(name: &str, is_folder: bool, main: &str, new_main: &str) -> String {
    if is_folder || main == new_main {
        return name.to_owned();
    }
    let whole = after(name, main).map(|rest| format!("{new_main}{rest}"));
    let same = || after(name, split(main).0).map(|rest| format!("{}{rest}", split(new_main).0));
    whole.or_else(same).unwrap_or_else(|| name.to_owned())
}

/// Returns what follows in a name after a beginning that is equal on some system.
fn after<'a>(name: &'a str, beginning: &str) -> Option<&'a str> {
    let beginning = fold(beginning);
    let mut ends = name.char_indices().map(|(at, letter)| at + letter.len_utf8());
    ends.find(|end| fold(&name[..*end]) == beginning).map(|end| &name[end..])
}

/// Returns a folded name without a dot and an ending. `None` if it does not end so, or if nothing is left.
fn without_ending<'a>(folded: &'a str, ending: &str) -> Option<&'a str> {
    let rest = folded.strip_suffix(ending)?.strip_suffix('.')?;
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endings_are_written_as_they_are_compared() {
        let endings: Endings = toml::from_str(include_str!("../data/together.toml")).unwrap();
        let all = endings.together.iter().flat_map(|kind| [&kind.of, &kind.same_name, &kind.whole_name]);
        for ending in all.flatten().chain(&endings.unfinished) {
            assert!(*ending == fold(ending) && !ending.starts_with('.'), "{ending}");
        }
    }

    #[test]
    fn files_belong_to_the_one_that_they_are_about() {
        let files = [
            "film.mkv",
            "film.srt",
            "Film.en.forced.srt",
            "film.part2.mkv",
            "film.part2.srt",
            "other.srt",
            "IMG_1.CR2",
            "IMG_1.xmp",
            "IMG_1.CR2.xmp",
            "IMG_1.jpg",
            "IMG_1.jpg.xmp",
            "IMG_2.HEIC",
            "IMG_2.MOV",
            "setup.zip",
            "setup.zip.asc",
            "setup.zip.asc.sha256",
            "setup.tar.gz",
            "setup.tar.gz.sig",
            "song.flac",
            "song.lrc",
            "Page.html",
            "notes.txt",
            "readme.asc",
            "roads.shp",
            "roads.dbf",
            "list.dbf",
        ];
        let folders = ["Page_files", "notes_files", "film.srt.d"];
        let all = files.iter().map(|name| (*name, false)).chain(folders.iter().map(|name| (*name, true)));
        let names = Names::new(all);
        let mains = [
            ("film.srt", "film.mkv"),
            ("Film.en.forced.srt", "film.mkv"),
            ("film.part2.srt", "film.part2.mkv"),
            ("IMG_1.xmp", "IMG_1.CR2"),
            ("IMG_1.CR2.xmp", "IMG_1.CR2"),
            ("IMG_1.jpg", "IMG_1.CR2"),
            ("IMG_1.jpg.xmp", "IMG_1.CR2"),
            ("IMG_2.MOV", "IMG_2.HEIC"),
            ("setup.zip.asc", "setup.zip"),
            ("setup.zip.asc.sha256", "setup.zip"),
            ("setup.tar.gz.sig", "setup.tar.gz"),
            ("song.lrc", "song.flac"),
            ("Page_files", "Page.html"),
            ("roads.dbf", "roads.shp"),
        ];
        for name in files.into_iter().chain(folders) {
            let expected = mains.iter().find(|(one, _)| *one == name).map(|(_, main)| *main);
            assert_eq!(names.main_of(name), expected, "{name}");
        }
    }

    #[test]
    fn downloads_are_unfinished_with_what_is_beside_them() {
        let files = [
            "a.iso.part",
            "a.iso",
            "b.zip.crdownload",
            "c.mkv",
            "c.mkv.aria2",
            "d.part1.rar",
            "part",
            ".part",
        ];
        let names = Names::new(files.map(|name| (name, false)));
        let unfinished = files.into_iter().filter(|name| names.is_unfinished(name));
        assert_eq!(
            unfinished.collect::<Vec<_>>(),
            ["a.iso.part", "a.iso", "b.zip.crdownload", "c.mkv", "c.mkv.aria2"]
        );
    }

    #[test]
    fn what_belongs_to_a_file_takes_its_new_name() {
        for (name, main, new, expected) in [
            ("film.en.srt", "film.mkv", "My film.mkv", "My film.en.srt"),
            ("FILM.srt", "film.mkv", "My film.mkv", "My film.srt"),
            ("film.mkv.asc", "film.mkv", "b.mkv", "b.mkv.asc"),
            ("u\u{308}ber.lrc", "\u{fc}ber.mp3", "\u{fc}ber (2).mp3", "\u{fc}ber (2).lrc"),
            ("film.srt", "film.mkv", "film.mkv", "film.srt"),
            ("film.srt", "film.mkv", "Cat", "Cat.srt"),
        ] {
            assert_eq!(renamed(name, false, main, new), expected);
        }
        assert_eq!(renamed("Page_files", true, "Page.html", "page.html"), "Page_files");
    }

    #[test]
    fn names_that_are_equal_on_some_system_have_nobody() {
        let names = Names::new([("film.mkv", false), ("Film.mkv", false), ("film.srt", false)]);
        assert_eq!(names.main_of("film.srt"), None);
    }
}
