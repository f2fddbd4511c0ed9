//! Checks an argv against an entry: every word must be known, or the command asks.

use super::entry::{Entry, Kind, Style, table};
use super::kinds;
use crate::shell::unknown::{self, Unknown};
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Risk};

/// A path that an allowed command touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    /// The kind of access.
    pub(crate) kind: Kind,
    /// The path as given.
    pub(crate) text: String,
    /// Patterns of hidden files that are read nevertheless.
    pub(crate) selected: Vec<String>,
    /// Whether links in a folder are followed while it is read.
    pub(crate) follows_links: bool,
}

impl Touch {
    pub(crate) fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), selected: Vec::new(), follows_links: false }
    }
}

/// What an argv that matches its entry touches, and how to run it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fit {
    /// The paths.
    pub(crate) touches: Vec<Touch>,
    /// The words to add after those that name the command.
    pub(crate) adds: Vec<String>,
}

/// The reason why an argv is not known to be harmless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// The reason in plain words.
    pub(crate) reason: Phrase,
    /// The risk of what it may do.
    pub(crate) risk: Risk,
}

/// Returns what the words after the name touch, or the reason why they are not known to be harmless.
pub(crate) fn check(entry: &Entry, args: &[String]) -> Result<Fit, Mismatch> {
    let mut matcher = Matcher {
        entry,
        touches: Vec::new(),
        operands: Vec::new(),
        recursive: false,
        checks_sums: false,
        lists: false,
        does_more: false,
        first_given: false,
        need_met: entry.needs_one_of.is_empty(),
        operands_fit: entry.operands_with.is_empty(),
        takes_files: false,
        selected: Vec::new(),
        only: Vec::new(),
        reads_others: false,
    };
    if let Some(mismatch) = args.iter().find_map(|arg| matcher.dangerous(arg)) {
        return Err(mismatch);
    }
    let dashed: Vec<String>;
    let mut args = args;
    if let ([first, rest @ ..], true) = (args, entry.dashless)
        && !first.starts_with('-')
    {
        dashed = std::iter::once(format!("-{first}")).chain(rest.iter().cloned()).collect();
        if let Some(mismatch) = matcher.dangerous(&dashed[0]) {
            return Err(mismatch);
        }
        args = &dashed;
    }
    matcher.words(args)?;
    let further = entry.adds_unless_recursive.iter().filter(|_| !matcher.recursive);
    let adds = entry.adds.iter().chain(further).map(str::to_owned).collect();
    Ok(Fit { touches: matcher.finish()?, adds })
}

struct Matcher<'a> {
    entry: &'a Entry,
    touches: Vec<Touch>,
    operands: Vec<&'a str>,
    recursive: bool,
    checks_sums: bool,
    lists: bool,
    /// Whether there is a flag other than those that show only names.
    does_more: bool,
    first_given: bool,
    need_met: bool,
    operands_fit: bool,
    takes_files: bool,
    selected: Vec<String>,
    /// Patterns of the only names that are read.
    only: Vec<String>,
    /// Whether names that match none of the patterns are read too.
    reads_others: bool,
}

impl<'a> Matcher<'a> {
    fn unknown(&self, word: &str) -> Mismatch {
        let reason = say::not_known_harmless_option(&self.entry.name, word);
        Mismatch { reason, risk: Risk::Medium }
    }

    /// Finds flags that run programs or follow links, including abbreviated, attached and bundled ones.
    fn dangerous(&self, arg: &str) -> Option<Mismatch> {
        let hits = |flags: &super::entry::Words| {
            let name = arg.split('=').next().unwrap_or(arg);
            flags.iter().any(|flag| {
                if self.entry.style == Style::Words || flag.starts_with("--") {
                    return name == flag
                        || (name.len() > 4 && flag.starts_with(name) && flag.starts_with("--"));
                }
                let letter = flag.trim_start_matches('-');
                arg.starts_with('-') && !arg.starts_with("--") && self.bundled(arg).contains(letter)
            })
        };
        // A word that the entry lists is that flag, regardless of the letters in it.
        if self.entry.flags.has(arg) {
            return None;
        }
        if hits(&self.entry.runs) {
            let reason = say::run_another_program_2(arg, &self.entry.name);
            return Some(Mismatch { reason, risk: Risk::High });
        }
        if hits(&self.entry.follows) {
            let reason = say::follows_links_out_folder(arg);
            return Some(Mismatch { reason, risk: Risk::High });
        }
        None
    }

    /// The letters of a bundle up to the one whose value is the rest of it.
    fn bundled<'b>(&self, arg: &'b str) -> &'b str {
        let takes_rest = |letter: char| table().values(self.entry, &format!("-{letter}")).is_some();
        match arg.char_indices().skip(1).find(|(_, letter)| takes_rest(*letter)) {
            Some((at, letter)) => &arg[..at + letter.len_utf8()],
            None => arg,
        }
    }

    fn words(&mut self, args: &'a [String]) -> Result<(), Mismatch> {
        let mut args = args.iter().map(String::as_str);
        while let Some(arg) = args.next() {
            let only_operands =
                self.entry.style == Style::Plain || self.entry.stop && !self.operands.is_empty();
            let is_option =
                unknown::may_be_options(arg) || self.entry.digits && unknown::may_be_negative(arg);
            if is_option && !only_operands && !self.entry.whatever {
                return Err(unknown_word());
            }
            if !arg.starts_with('-') && self.entry.needs_one_of.has(arg) {
                self.note(arg);
                continue;
            }
            let is_operand = arg == "-" || !arg.starts_with('-') || self.entry.style == Style::Plain;
            if self.entry.style == Style::Words
                && (self.entry.flags.has(arg) || table().values(self.entry, arg).is_some())
            {
                self.whole_word(arg, &mut args)?;
            } else if is_operand {
                self.operands.push(arg);
                if self.entry.stop {
                    self.operands.extend(args.by_ref());
                }
            } else if self.entry.style == Style::Words {
                return Err(self.unknown(arg));
            } else if arg == "--" {
                self.operands.extend(args.by_ref());
            } else if arg.starts_with("--") {
                self.long(arg, &mut args)?;
            } else {
                self.bundle(arg, &mut args)?;
            }
        }
        Ok(())
    }

    fn whole_word(&mut self, arg: &'a str, args: &mut dyn Iterator<Item = &'a str>) -> Result<(), Mismatch> {
        self.note(arg);
        if self.entry.flags.has(arg) {
            return Ok(());
        }
        self.take_values(arg, None, args)
    }

    fn note(&mut self, flag: &str) {
        self.recursive |= self.entry.recursive.has(flag);
        self.checks_sums |= self.entry.sums.has(flag);
        let lists = self.entry.lists.has(flag);
        self.lists |= lists;
        self.does_more |= !lists;
        self.first_given |= self.entry.instead_of_first.has(flag);
        self.need_met |= self.entry.needs_one_of.has(flag);
        self.operands_fit |= self.entry.operands_with.has(flag);
        self.takes_files |= self.entry.files_with.has(flag);
        self.reads_others |= self.entry.widens.has(flag) && self.only.is_empty();
    }

    fn long(&mut self, arg: &'a str, args: &mut dyn Iterator<Item = &'a str>) -> Result<(), Mismatch> {
        let (name, attached) = arg.split_once('=').map_or((arg, None), |(name, value)| (name, Some(value)));
        self.note(name);
        if self.entry.flags.has(name) && attached.is_none() {
            return Ok(());
        }
        if table().values(self.entry, name).is_none() {
            return Err(self.unknown(arg));
        }
        self.take_values(name, attached, args)
    }

    fn bundle(&mut self, arg: &'a str, args: &mut dyn Iterator<Item = &'a str>) -> Result<(), Mismatch> {
        // Some programs have long options with a single dash, such as `gcc -dumpversion`.
        if self.entry.flags.has(arg) {
            self.note(arg);
            return Ok(());
        }
        let letters = &arg[1..];
        if self.entry.digits && letters.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(());
        }
        for (at, letter) in letters.char_indices() {
            let flag = format!("-{letter}");
            self.note(&flag);
            if self.entry.flags.has(&flag) {
                continue;
            }
            if table().values(self.entry, &flag).is_none() {
                return Err(self.unknown(arg));
            }
            let rest = &letters[at + letter.len_utf8()..];
            if self.entry.separate && !rest.is_empty() {
                return Err(self.unknown(arg));
            }
            return self.take_values(&flag, (!rest.is_empty()).then_some(rest), args);
        }
        Ok(())
    }

    fn take_values(
        &mut self,
        flag: &str,
        attached: Option<&'a str>,
        args: &mut dyn Iterator<Item = &'a str>,
    ) -> Result<(), Mismatch> {
        let Some(values) = table().values(self.entry, flag) else { return Err(self.unknown(flag)) };
        if values.optional {
            let Some(value) = attached else { return Ok(()) };
            return values.kinds.iter().try_for_each(|kind| self.touch(*kind, value));
        }
        let mut attached = attached;
        for kind in &values.kinds {
            let value = attached.take().or_else(|| args.next()).ok_or_else(|| self.unknown(flag))?;
            let is_split = unknown::marks(value).any(|mark| mark.is_any() && mark.is_split);
            // A value that selects hidden files must be known.
            let selects = self.entry.selects.has(flag) && unknown::holds(value);
            if is_split && !self.entry.whatever || selects {
                return Err(unknown_word());
            }
            if self.entry.selects.has(flag) && !value.starts_with('!') {
                self.selected.push(value.to_owned());
            }
            if self.entry.narrows.has(flag) {
                // Patterns that are compared with more than a name are not supported here.
                self.reads_others |= unknown::holds(value) || value.contains('/');
                self.only.push(value.to_owned());
            }
            self.touch(*kind, value)?;
        }
        Ok(())
    }

    fn touch(&mut self, kind: Kind, text: &str) -> Result<(), Mismatch> {
        if unknown::holds(text) {
            let is_whole = text.chars().count() == 1;
            let is = |what| is_whole && unknown::marks(text).all(|mark| mark.unknown == what);
            let fits = match kind {
                Kind::Text => !unknown::marks(text).any(|mark| mark.unknown == Unknown::Pipe),
                Kind::Date => {
                    let tell_of_time = [Unknown::Number, Unknown::Stamp, Unknown::Computed];
                    let marks = unknown::marks(text).all(|mark| tell_of_time.contains(&mark.unknown));
                    marks && kinds::problem(kind, text).is_none()
                }
                Kind::Read | Kind::Local => is(Unknown::Pipe),
                Kind::Sed => return self.script_of_numbers(text),
                // If the value may be empty, the next word would be taken for it.
                Kind::Number => {
                    let stays = unknown::marks(text).all(|mark| !mark.is_split);
                    is(Unknown::Computed) || is(Unknown::Number) && stays
                }
                _ => false,
            };
            return if fits { Ok(()) } else { Err(unknown_word()) };
        }
        if let Some(problem) = kinds::problem(kind, text) {
            return Err(Mismatch {
                reason: say::operand_of(&self.entry.name, problem, text),
                risk: kinds::risk(kind, text),
            });
        }
        let mut touch = |kind: Kind, text: String| self.touches.push(Touch::new(kind, text));
        match kind {
            Kind::Read
            | Kind::Number
            | Kind::Magic
            | Kind::Local
            | Kind::Archive
            | Kind::List
            | Kind::Content
            | Kind::Visible
            | Kind::Revision
            | Kind::Member
            | Kind::Sums => touch(kind, text.to_owned()),
            Kind::Database => touch(Kind::Read, kinds::database(text).unwrap_or(text).to_owned()),
            Kind::Zip => {
                for suffix in ["", ".zip", ".ZIP"] {
                    touch(Kind::Zip, format!("{text}{suffix}"));
                }
            }
            Kind::Lines => {
                let file = text.rsplit(':').next().unwrap_or(text);
                touch(Kind::Read, file.to_owned());
            }
            Kind::FileType => self.selected.extend(file_type(text)),
            _ => {}
        }
        Ok(())
    }

    /// Checks a script that contains unknown numbers. It must be harmless both with a number and without it.
    fn script_of_numbers(&mut self, text: &str) -> Result<(), Mismatch> {
        let are_numbers =
            unknown::marks(text).all(|mark| matches!(mark.unknown, Unknown::Number | Unknown::Computed));
        are_numbers.then_some(()).ok_or_else(unknown_word)?;
        // The output of a command is empty if the command fails.
        let may_be_none = unknown::marks(text).any(|mark| mark.unknown == Unknown::Number);
        ["1", "20", ""].iter().take(2 + usize::from(may_be_none)).try_for_each(|number| {
            let known = text.split(|c| unknown::of(c).is_some()).collect::<Vec<_>>().join(number);
            self.touch(Kind::Sed, &known)
        })
    }

    fn finish(mut self) -> Result<Vec<Touch>, Mismatch> {
        if !self.need_met {
            return Err(Mismatch {
                reason: say::does_more_show_something(&self.entry.name),
                risk: Risk::Medium,
            });
        }
        if self.entry.operands.kinds.first() == Some(&Kind::Test) {
            self.touches.extend(
                kinds::test(&self.operands).map_err(|reason| Mismatch { reason, risk: Risk::Medium })?,
            );
            return Ok(self.touches);
        }
        let skip = usize::from(self.first_given);
        let kinds = self.entry.operands.kinds.get(skip..).unwrap_or_default();
        let operands = std::mem::take(&mut self.operands);
        if !operands.is_empty() && !self.operands_fit {
            return Err(Mismatch {
                reason: say::changes_something_when_given(&self.entry.name),
                risk: Risk::Medium,
            });
        }
        let at_least = self.entry.at_least.max(usize::from(self.checks_sums));
        if operands.len() < at_least.saturating_sub(skip) {
            return Err(Mismatch {
                reason: say::needs_more_operands_given(&self.entry.name),
                risk: Risk::Medium,
            });
        }
        for (at, operand) in operands.iter().enumerate() {
            let kind = kinds.get(at).or_else(|| {
                self.entry.operands.kinds.last().filter(|_| self.entry.operands.repeats && !kinds.is_empty())
            });
            let Some(kind) = kind else {
                return Err(Mismatch {
                    reason: say::one_operand_too_many(&self.entry.name, operand),
                    risk: Risk::Medium,
                });
            };
            let kind = match *kind {
                Kind::Read if self.checks_sums => Kind::Sums,
                Kind::Revision if self.takes_files => Kind::Read,
                Kind::Read | Kind::Visible if self.recursive => Kind::Content,
                kind => kind,
            };
            self.touch(kind, operand)?;
        }
        let no_path = !self
            .touches
            .iter()
            .any(|touch| matches!(touch.kind, Kind::Read | Kind::List | Kind::Content | Kind::Visible));
        if no_path && (self.entry.here_by_default || self.recursive) {
            let last = self.entry.operands.kinds.last().copied().unwrap_or(Kind::List);
            let kind = match last {
                _ if self.recursive => Kind::Content,
                Kind::Visible => Kind::Visible,
                _ => Kind::List,
            };
            self.touches.push(Touch::new(kind, "."));
        }
        for touch in &mut self.touches {
            touch.selected.clone_from(&self.selected);
            if touch.kind == Kind::Content && !self.only.is_empty() && !self.reads_others {
                touch.kind = Kind::Visible;
                touch.selected.extend(self.only.iter().cloned());
            }
            touch.kind = match touch.kind {
                Kind::Content | Kind::Visible if self.lists => Kind::List,
                Kind::Local if self.lists => Kind::Archive,
                Kind::Zip if self.lists && !self.does_more => Kind::Archive,
                Kind::Zip => Kind::Read,
                kind => kind,
            };
        }
        Ok(self.touches)
    }
}

/// Returns the mismatch for a word that is known only at run time, in a position where not every word is harmless.
fn unknown_word() -> Mismatch {
    Mismatch { reason: say::word_known_only_when_runs(), risk: Risk::High }
}

/// Returns the name patterns of a file type of ripgrep. Returns a pattern for every name if the type is not in the
/// list.
fn file_type(name: &str) -> Vec<String> {
    const ENDINGS: &[(&str, &[&str])] = &[
        ("c", &["c", "h", "H"]),
        ("cpp", &["C", "cc", "cpp", "cxx", "h", "H", "hh", "hpp", "hxx", "inl"]),
        ("css", &["css", "scss"]),
        ("go", &["go"]),
        ("html", &["htm", "html", "ejs"]),
        ("java", &["java", "jsp", "properties"]),
        ("js", &["js", "jsx", "vue", "cjs", "mjs"]),
        ("json", &["json", "sarif"]),
        ("lua", &["lua"]),
        ("markdown", &["md", "markdown", "mdown", "mdwn", "mdx", "mkd", "mkdn"]),
        ("md", &["md", "markdown", "mdown", "mdwn", "mdx", "mkd", "mkdn"]),
        ("php", &["php", "phtml"]),
        ("py", &["py", "pyi"]),
        ("rust", &["rs"]),
        ("sql", &["sql", "psql"]),
        ("toml", &["toml", "lock"]),
        ("ts", &["ts", "tsx", "cts", "mts"]),
        ("txt", &["txt"]),
        ("xml", &["xml", "dtd", "rng", "sch", "xhtml", "xjb", "xsd", "xsl"]),
        ("yaml", &["yaml", "yml"]),
    ];
    match ENDINGS.iter().find(|(known, _)| *known == name) {
        Some((_, endings)) => endings.iter().map(|ending| format!("*.{ending}*")).collect(),
        None => vec!["*".to_owned()],
    }
}
