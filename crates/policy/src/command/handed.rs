//! Commands that pass the names that they find to another command: `find -exec`, `fd -x`, and `xargs` after a search.
//!
//! The other command is harmless if the table says so for any names, and if there is no secret below the folders that
//! are searched. A name that looks like something else (an option, a path elsewhere) is stopped by the walls.

use super::listings::{is_plain_name, only_takes_away, prints_names, prints_tracked_names};
use super::simple::{Hardening, Surroundings};
use crate::shell::script::{Script, Simple};
use crate::shell::unknown::{self, Unknown};
use crate::table::{self, Given, Kind, Touch};
use std::path::Path;
use std::ptr;

/// A command of which a part passes names to another command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Handing {
    /// The words without that part.
    pub(super) own: Vec<String>,
    /// The words of the other command, without the names.
    pub(super) other: Vec<String>,
    /// The source of the names.
    source: Source,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// The command itself finds the names.
    Itself(Found),
    /// The pipe before the command provides the names. `or_none` means that the other command also runs if there are
    /// no names.
    Pipe { or_none: bool },
    /// The pipe before the command provides lines. Each line replaces this text in the words of the other command.
    Within(String),
    /// The command itself finds the names, and each name replaces `{}` in the words of the other command.
    Amid,
}

/// The names that a search finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    /// Whether all of them are regular files.
    files_only: bool,
    /// The patterns of which a name matches at least one, if known.
    patterns: Vec<String>,
}

/// The known properties of the names that come through a pipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// The folders and files that contain the names, with the kind of access that reading all of the names would be.
    roots: Vec<Touch>,
    /// The one folder whose names `ls` prints: they are looked up from there.
    listed_of: Option<String>,
}

/// The placeholder for the names.
const HERE: &str = "{}";

impl Handing {
    /// A command that gets names after its own words, or no names.
    pub(super) fn of_names(other: &[String], or_none: bool) -> Self {
        Self { own: Vec::new(), other: other.to_vec(), source: Source::Pipe { or_none } }
    }

    /// Returns the part of a command that passes names on. `None` unless there is exactly one such part and it is
    /// understood.
    pub(super) fn of(argv: &[String]) -> Option<Self> {
        let args = argv.get(1..)?;
        match argv.first()?.as_str() {
            "find" => {
                let at = args.iter().position(|arg| arg == "-exec")?;
                let length = args[at + 1..].iter().position(|arg| arg == ";" || arg == "+")?;
                let other = args.get(at + 1..at + 1 + length)?;
                let own = [&argv[..=at], args.get(at + 2 + length..).unwrap_or_default()].concat();
                let is_amid =
                    other.last().is_some_and(|last| !last.contains(HERE)) && args[at + 1 + length] == ";";
                Some(match is_amid {
                    true => Self { own, other: other.to_vec(), source: Source::Amid },
                    false => Self {
                        own,
                        other: without_names(other)?,
                        source: Source::Itself(Found::by_find(&args[..at])),
                    },
                })
            }
            "fd" | "fdfind" => {
                const FLAGS: [&str; 4] = ["-x", "-X", "--exec", "--exec-batch"];
                let at = args.iter().position(|arg| FLAGS.contains(&arg.as_str()))?;
                let other = args.get(at + 1..)?;
                let other = other.strip_suffix(&[";".to_owned()]).unwrap_or(other);
                let other = match other.iter().any(|word| word.contains('{')) {
                    true => without_names(other)?,
                    false => other.to_vec(),
                };
                Some(Self {
                    own: argv[..=at].to_vec(),
                    other,
                    source: Source::Itself(Found::by_fd(&args[..at])),
                })
            }
            "xargs" => {
                if let Some((here, at)) = placeholder(args) {
                    let other = args.get(at..).filter(|other| !other.is_empty())?;
                    let (last, others) = other.split_last()?;
                    let is_behind = last == here && !others.iter().any(|word| word.contains(here));
                    let source = Source::Pipe { or_none: false };
                    return Some(match is_behind {
                        true => Self { own: Vec::new(), other: others.to_vec(), source },
                        false => Self {
                            own: Vec::new(),
                            other: other.to_vec(),
                            source: Source::Within(here.to_owned()),
                        },
                    });
                }
                let at = xargs_options(args)?;
                let other = args.get(at..)?;
                let or_none = !args[..at].iter().any(|arg| EMPTY_IS_NOTHING.contains(&arg.as_str()));
                // Without a command, `xargs` prints its arguments.
                let other = if other.is_empty() { vec!["echo".to_owned()] } else { other.to_vec() };
                Some(Self { own: Vec::new(), other, source: Source::Pipe { or_none } })
            }
            _ => None,
        }
    }

    /// Returns the paths below the folders that the other command touches, and the programs it starts, if known.
    pub(super) fn touches(
        &self,
        found: &[Touch],
        piped: Option<&Names>,
    ) -> Option<(Vec<Touch>, Vec<&'static str>)> {
        let (entry, used) = table::lookup(&self.other)?;
        let names = match (&self.source, piped) {
            (Source::Itself(search), _) => &Names::below(found, search),
            (Source::Pipe { .. }, piped) => piped?,
            (Source::Within(_) | Source::Amid, _) => return None,
        };
        let given = entry.given?;
        let roots = names.roots.iter().map(|root| root.text.clone());
        let args: Vec<String> = self.other.get(used..)?.iter().cloned().chain(roots).collect();
        let fit = table::check(entry, &args).ok().filter(|fit| fit.adds.is_empty())?;
        // More is known about the roots than that they are read.
        let mut touches = fit.touches;
        touches.retain(|touch| names.roots.iter().all(|root| root.text != touch.text));
        touches.extend(names.roots.iter().map(|root| match given {
            Given::Files => root.clone(),
            Given::Names => Touch { kind: Kind::List, ..root.clone() },
        }));
        if self.source == (Source::Pipe { or_none: true }) {
            // Without a name, the command may apply to the whole folder.
            touches.extend(table::check(entry, self.other.get(used..)?).ok()?.touches);
        }
        let names = std::iter::once(entry.name.as_str()).chain(entry.also.iter().map(String::as_str));
        let name = names.into_iter().find(|name| *name == self.other[0]);
        let starts = name.into_iter().chain(entry.starts.iter()).collect();
        Some((touches, starts))
    }
}

impl Handing {
    /// Returns the programs that the other command starts if it is harmless for any input.
    pub(super) fn whatever(&self) -> Option<Vec<&'static str>> {
        let any = unknown::mark(Unknown::Text, 0)?;
        let mut words = self.other.clone();
        match &self.source {
            Source::Itself(_) => return None,
            Source::Amid => {
                words.iter_mut().for_each(|word| *word = word.replace(HERE, &any.to_string()));
            }
            Source::Pipe { .. } => words.push(unknown::split(any).to_string()),
            Source::Within(here) => {
                words.iter_mut().for_each(|word| *word = word.replace(here.as_str(), &any.to_string()));
            }
        }
        let (entry, used) = table::lookup(&words)?;
        let fit = table::check(entry, words.get(used..)?).ok()?;
        let names = std::iter::once(entry.name.as_str()).chain(entry.also.iter().map(String::as_str));
        let name = names.into_iter().find(|name| *name == self.other[0])?;
        (fit.touches.is_empty() && fit.adds.is_empty() && !entry.alone)
            .then(|| std::iter::once(name).chain(entry.starts.iter()).collect())
    }
}

/// Returns the paths touched by a command that passes names to another command, if both are known to be harmless.
pub(super) fn harmlessly(
    handing: &Handing,
    around: Surroundings<'_>,
) -> Option<(Vec<Touch>, Option<Hardening>)> {
    let (mut touches, named_by) = match table::lookup(&handing.own) {
        Some((entry, used)) => {
            let fit = table::check(entry, handing.own.get(used..)?).ok().filter(|fit| fit.adds.is_empty())?;
            (fit.touches, used)
        }
        None => (Vec::new(), 1),
    };
    let has_names = around.reads_pipe || handing.source == Source::Amid;
    if let Some(starts) = handing.whatever().filter(|_| has_names) {
        return Some((touches, Some(Hardening { named_by, adds: Vec::new(), starts })));
    }
    let (others, starts) = handing.touches(&touches, around.names)?;
    touches.extend(others);
    Some((touches, Some(Hardening { named_by, adds: Vec::new(), starts })))
}

impl Found {
    fn by_find(args: &[String]) -> Self {
        // Only the last alternative leads to the following action.
        let last = args.rsplit(|arg| matches!(arg.as_str(), "-o" | "-or" | ",")).next().unwrap_or_default();
        if last.iter().any(|arg| matches!(arg.as_str(), "(" | ")") || unknown::holds(arg)) {
            return Self::default();
        }
        let values = |names: &'static [&'static str]| {
            let is_negated = |at: usize| at > 0 && matches!(last[at - 1].as_str(), "!" | "-not");
            let pairs = last.windows(2).enumerate();
            pairs
                .filter(move |(at, pair)| names.contains(&pair[0].as_str()) && !is_negated(*at))
                .map(|(_, pair)| pair[1].clone())
        };
        Self {
            files_only: values(&["-type"]).any(|kind| kind == "f"),
            patterns: values(&["-name", "-iname"]).collect(),
        }
    }

    fn by_fd(args: &[String]) -> Self {
        let is_file = |pair: &[String]| matches!(pair[0].as_str(), "-t" | "--type") && pair[1] == "f";
        Self { files_only: args.windows(2).any(is_file), patterns: Vec::new() }
    }
}

impl Names {
    /// Returns the names that a search finds below the folders that it searches.
    fn below(searched: &[Touch], found: &Found) -> Self {
        let here = Touch::new(Kind::List, ".");
        let searched = if searched.is_empty() { std::slice::from_ref(&here) } else { searched };
        let read = |touch: &Touch| {
            let (kind, selected) = match touch.kind {
                Kind::Content | Kind::Visible => (touch.kind, touch.selected.clone()),
                _ if found.patterns.is_empty() => (Kind::Content, Vec::new()),
                _ => (Kind::Visible, found.patterns.clone()),
            };
            Touch { kind, text: touch.text.clone(), selected, follows_links: !found.files_only }
        };
        Self { roots: searched.iter().map(read).collect(), listed_of: None }
    }

    /// The names that a pattern matches in a folder.
    pub(super) fn matching(folder: &str, pattern: &str) -> Self {
        let found = Found { files_only: false, patterns: vec![pattern.to_owned()] };
        Self::below(&[Touch::new(Kind::List, folder)], &found)
    }

    /// Whether the names are entries of a folder that is written before them.
    pub(super) fn are_of(&self, folder: &str) -> bool {
        folder.is_empty()
            || self.listed_of.as_deref().is_some_and(|listed| {
                folder.strip_suffix('/').is_some_and(|folder| folder == listed.trim_end_matches('/'))
            })
    }

    /// Returns the names that a pipeline is known to print: file names, some of which filters may remove.
    pub(super) fn of_pipeline(
        commands: &[&Simple],
        folder: &Path,
        words: impl Fn(&Simple) -> Option<Vec<String>>,
    ) -> Option<Self> {
        let (first, filters) = commands.split_first()?;
        let reads_no_file =
            |simple: &&&Simple| simple.redirects.iter().all(|each| !each.operator.starts_with('<'));
        let takes_away = |simple: &&Simple| words(simple).is_some_and(|argv| only_takes_away(&argv));
        (commands.iter().all(|simple| reads_no_file(&simple) && !simple.reads_inline)
            && filters.iter().all(takes_away))
        .then_some(())?;
        Self::printed(&words(first)?, folder)
    }

    /// Returns the file names that the preceding commands of a pipeline print; filters may remove some.
    pub(super) fn piped(
        script: &Script,
        simple: &Simple,
        folder: &Path,
        words: impl Fn(&Simple) -> Option<Vec<String>>,
    ) -> Option<Self> {
        let reads_pipe_alone = |command: &Simple| {
            command.redirects.iter().all(|each| !each.operator.starts_with('<')) && !command.reads_inline
        };
        if !reads_pipe_alone(simple) {
            // The command reads its input from there, and none from the pipe.
            return None;
        }
        let at = script.commands.iter().position(|other| ptr::eq(other, simple))?;
        let mut before =
            script.commands[..at].iter().rev().take_while(|other| other.pipeline == simple.pipeline);
        before.find_map(|other| {
            let argv = words(other).filter(|_| reads_pipe_alone(other));
            match argv {
                Some(argv) if other.reads_pipe && only_takes_away(&argv) => None,
                Some(argv) if !other.reads_pipe => Some(Self::printed(&argv, folder)),
                _ => Some(None),
            }
        })?
    }

    /// Returns the names that `ls` prints. It prints a line per name and quotes none, so the names that are listed
    /// now must be plain.
    fn listed(args: &[String], folder: &Path) -> Option<Self> {
        const FLAGS: [&str; 8] = ["-1", "-t", "-S", "-r", "-tr", "-1t", "-t1", "-d"];
        const MOST: usize = 2000;
        let (flags, operands): (Vec<&String>, Vec<&String>) =
            args.iter().partition(|arg| arg.starts_with('-'));
        flags.iter().all(|flag| FLAGS.contains(&flag.as_str())).then_some(())?;
        // The names that it prints for a folder are looked up relative to the current folder.
        let mut roots = vec![Touch::new(Kind::Visible, ".")];
        let here = ".".to_owned();
        let listed = if operands.is_empty() { vec![&here] } else { operands };
        let listed_of = match listed.as_slice() {
            [only] if !flags.iter().any(|flag| flag.contains('d')) => Some((*only).clone()),
            _ => None,
        };
        for operand in listed {
            is_plain_name(operand).then_some(())?;
            roots.push(Touch::new(Kind::Visible, operand));
            let Ok(entries) = folder.join(operand).read_dir() else { continue };
            let mut names = entries.take(MOST + 1).map(|entry| entry.ok()?.file_name().into_string().ok());
            let mut seen = 0;
            names
                .all(|name| {
                    seen += 1;
                    seen <= MOST && name.is_some_and(|name| name.starts_with('.') || is_plain_name(&name))
                })
                .then_some(())?;
        }
        Some(Self { roots, listed_of })
    }

    /// Returns the tracked names that git prints. A pattern among the operands matches in all folders, including
    /// hidden files and links, so only the part after its last wildcard counts.
    fn tracked(operands: &[Touch]) -> Option<Self> {
        const SIGNS: [char; 4] = ['*', '?', '[', ']'];
        // The magic and escapes of pathspecs are not parsed.
        let is_read = |touch: &Touch| !touch.text.starts_with(':') && !touch.text.contains('\\');
        operands.iter().all(is_read).then_some(())?;
        let (patterns, plain): (Vec<Touch>, Vec<Touch>) =
            operands.iter().cloned().partition(|touch| touch.text.contains(SIGNS));
        let name = |touch: &Touch| {
            let behind = touch.text.rsplit(SIGNS).next().unwrap_or_default();
            format!("*{}", behind.rsplit('/').next().unwrap_or_default())
        };
        let found = Found { files_only: false, patterns: patterns.iter().map(name).collect() };
        let mut roots = Vec::new();
        if patterns.is_empty() || !plain.is_empty() {
            roots.extend(Self::below(&plain, &Found::default()).roots);
        }
        if !patterns.is_empty() {
            roots.extend(Self::below(&[], &found).roots);
        }
        Some(Self { roots, listed_of: None })
    }

    /// Returns the names that a search prints.
    fn printed(argv: &[String], folder: &Path) -> Option<Self> {
        let (entry, used) = table::lookup(argv)?;
        let args = argv.get(used..)?;
        let found = match entry.name.as_str() {
            "find" => Found::by_find(args),
            "fd" => Found::by_fd(args),
            "rg" | "grep" if args.iter().any(|arg| prints_names(arg)) => {
                Found { files_only: true, patterns: Vec::new() }
            }
            _ if entry.git && entry.name.ends_with("ls-files") => {
                return Self::tracked(&table::check(entry, args).ok()?.touches);
            }
            _ if entry.git && prints_tracked_names(&entry.name, args) => {
                table::check(entry, args).ok()?;
                let paths = args.iter().skip_while(|arg| *arg != "--").skip(1);
                let paths: Vec<Touch> = paths.map(|path| Touch::new(Kind::List, path)).collect();
                return Self::tracked(&paths);
            }
            "ls" => return Self::listed(args, folder),
            _ => return None,
        };
        let fit = table::check(entry, args).ok()?;
        Some(Self::below(&fit.touches, &found))
    }
}

/// Returns the words without the placeholder of the names, which must be the last word.
fn without_names(words: &[String]) -> Option<Vec<String>> {
    let (last, others) = words.split_last()?;
    (last == HERE && !others.is_empty() && !others.iter().any(|word| word.contains('{')))
        .then(|| others.to_vec())
}

/// With these options, `xargs` starts nothing if there are no names.
const EMPTY_IS_NOTHING: [&str; 3] = ["-r", "--no-run-if-empty", "-0r"];

/// Returns the text that `xargs` replaces with each line, and the number of words that are options.
fn placeholder(args: &[String]) -> Option<(&str, usize)> {
    let known = |arg: &String| matches!(arg.as_str(), "-r" | "-0" | "-t");
    let skipped = args.iter().take_while(|arg| known(arg)).count();
    let (first, rest) = args.get(skipped..)?.split_first()?;
    let attached = first.strip_prefix("-I")?;
    let (here, at) = if attached.is_empty() { (rest.first()?.as_str(), 2) } else { (attached, 1) };
    let is_plain = !here.is_empty() && here.chars().all(|c| "{}%@_".contains(c));
    is_plain.then_some((here, skipped + at))
}

/// Returns the number of leading option words that only determine how `xargs` splits names and how many it passes.
fn xargs_options(args: &[String]) -> Option<usize> {
    const FLAGS: [&str; 6] = ["-0", "--null", "-r", "--no-run-if-empty", "-x", "-0r"];
    const VALUES: [&str; 8] = ["-n", "-P", "-L", "-d", "-s", "--max-args", "--max-procs", "--delimiter"];
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| arg.starts_with('-')) {
        let is_attached = || {
            let rest = arg.get(2..).unwrap_or_default();
            VALUES.iter().any(|flag| arg.starts_with(flag) && flag.len() == 2)
                && (arg.starts_with("-d") || rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        at += match arg.as_str() {
            flag if FLAGS.contains(&flag) => 1,
            flag if VALUES.contains(&flag) => 2,
            _ if is_attached() => 1,
            _ => return None,
        };
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handing(text: &str) -> Option<Handing> {
        Handing::of(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn the_other_command_is_found() {
        for (text, own, other) in [
            ("find src -type f -exec grep -l x {} +", "find src -type f", "grep -l x"),
            ("find . -exec wc -l {} ; -print", "find . -print", "wc -l"),
            ("fd -e rs . src -x wc -l {}", "fd -e rs . src", "wc -l"),
            ("fd -e rs -X wc -l", "fd -e rs", "wc -l"),
            ("xargs -0 -n1 -P 4 wc -l", "", "wc -l"),
        ] {
            let found = handing(text).unwrap();
            assert_eq!(
                (found.own.join(" ").as_str(), found.other.join(" ").as_str()),
                (own, other),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_not_understood_hands_nothing() {
        for text in [
            "find . -name x",
            "find . -exec {} ;",
            "find . -exec cat {}",
            "find . -exec cat {} {} ;",
            "find . -execdir cat {} ;",
            "fd -x cat {.}",
            "xargs -I x cat x",
            "xargs -a list cat",
            "xargs --process-slot-var=x cat",
            "xargs -p",
        ] {
            assert_eq!(handing(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_amid_other_words_is_handed_to_what_only_prints() {
        assert!(handing("find . -exec basename {} .rs ;").unwrap().whatever().is_some());
        for text in ["find . -exec mv {} x ;", "find . -exec cat {} x ;", "find . -exec grep {} x ;"] {
            assert_eq!(handing(text).unwrap().whatever(), None, "{text}");
        }
    }

    #[test]
    fn plain_files_are_told_from_links() {
        let found = |text: &str| Found::by_find(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let plain = found("src -type f -name *.rs");
        assert_eq!((plain.files_only, plain.patterns), (true, vec!["*.rs".to_owned()]));
        assert!(found("-path ./target -prune -o -type f").files_only);
        assert!(found("-type f -not -path ./target").files_only);
        for text in [
            "src",
            "-type l",
            "-type f -name x -o -type l",
            "! -type f",
            "-not -type f ! -name x",
            "-type f -name x ,",
        ] {
            assert_eq!(found(text), Found::default(), "{text}");
        }
    }
}
