//! What an entry of the table says, and how it is found.

use super::said::said;
use deputy_protocol::Phrase;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

pub(super) const SOURCES: &[&str] = &[
    include_str!("../../data/files.toml"),
    include_str!("../../data/text.toml"),
    include_str!("../../data/search.toml"),
    include_str!("../../data/system.toml"),
    include_str!("../../data/tools.toml"),
    include_str!("../../data/git.toml"),
    include_str!("../../data/binary.toml"),
];

/// One command, or one sub-command, with the flags and operands that are known to be harmless.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The name, with its sub-command where it has any: `git log`.
    pub(crate) name: String,
    /// Other names of the same program.
    #[serde(default)]
    pub(crate) also: Vec<String>,
    /// What it does, for people: the id of a message.
    #[serde(deserialize_with = "said")]
    #[schemars(with = "String")]
    pub(crate) about: Phrase,
    /// How its options are written.
    #[serde(default)]
    pub(crate) style: Style,
    /// Whether options end at the first operand.
    #[serde(default)]
    pub(crate) stop: bool,
    /// Whether `-5` is a number.
    #[serde(default)]
    pub(crate) digits: bool,
    /// Whether the first word may be a bundle of options without its dash: `tar tf`.
    #[serde(default)]
    pub(crate) dashless: bool,
    /// Whether values never stand attached to a short option, and so letters behind it are options.
    #[serde(default)]
    pub(crate) separate: bool,
    /// Flags without a value, separated by blanks.
    #[serde(default)]
    pub(crate) flags: Words,
    /// Flags with values: what the values are, then the flags. A `?` after the kind: only attached, and may be missing.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::values")]
    pub(crate) values: BTreeMap<String, Words>,
    /// Kinds of the operands in order; `...` after the last: any number, also none.
    #[serde(default)]
    pub(crate) operands: Operands,
    /// Flags whose value takes the place of the first operand.
    #[serde(default)]
    pub(crate) instead_of_first: Words,
    /// Operands are harmless only besides one of these flags.
    #[serde(default)]
    pub(crate) operands_with: Words,
    /// Flags whose values select files also among the hidden ones, unless the value begins with `!`.
    #[serde(default)]
    pub(crate) selects: Words,
    /// Flags whose values are patterns of the only names that are read below a folder.
    #[serde(default)]
    pub(crate) narrows: Words,
    /// Flags with which, where one comes before those, names that fit no pattern are read too.
    #[serde(default)]
    pub(crate) widens: Words,
    /// Flags that make it tell names and read no file.
    #[serde(default)]
    pub(crate) lists: Words,
    /// Flags that make it walk folders and read what is in them.
    #[serde(default)]
    pub(crate) recursive: Words,
    /// Whether it reads the working directory when it is given no path.
    #[serde(default)]
    pub(crate) here_by_default: bool,
    /// Whether none of its options and operands, whatever they are, makes it do more than print.
    #[serde(default)]
    pub(crate) whatever: bool,
    /// What a text from the command line must be that it is fed with, where it runs that as a program.
    #[serde(default)]
    pub(crate) fed: Option<Kind>,
    /// At least this many operands, else it does something else.
    #[serde(default)]
    pub(crate) at_least: usize,
    /// Does nothing harmful only with one of these flags.
    #[serde(default)]
    pub(crate) needs_one_of: Words,
    /// Flags that make it run a program; only for naming the risk, they are not allowed either way.
    #[serde(default)]
    pub(crate) runs: Words,
    /// Flags that make it follow links out of a folder; only for naming the risk.
    #[serde(default)]
    pub(crate) follows: Words,
    /// Flags with which operands are files of check sums, of which at least one must be given.
    #[serde(default)]
    pub(crate) sums: Words,
    /// Flags with which operands are files rather than revisions.
    #[serde(default)]
    pub(crate) files_with: Words,
    /// What is put behind the name when it runs unasked, and takes away its power to do more than was judged.
    #[serde(default)]
    pub(crate) adds: Words,
    /// The same, where no flag of `recursive` is given.
    #[serde(default)]
    pub(crate) adds_unless_recursive: Words,
    /// Other programs that it must start to do what was judged.
    #[serde(default)]
    pub(crate) starts: Words,
    /// Facts about the machine that it is for telling, beyond those that every command sees: paths below `/proc`, `/sys`,
    /// `/run` and the like, with `/*` at the end for each entry of a folder.
    #[serde(default)]
    pub(crate) sees: Words,
    /// Which names that another command finds it may be given: where none of its options and operands makes it write, run a
    /// program or reach the network.
    #[serde(default)]
    pub(crate) given: Option<Given>,
    /// Whether it runs what the home installs for it: allowed only where no task may write there.
    #[serde(default)]
    pub(crate) loads_from_home: bool,
    /// Files whose presence above the working directory changes which program runs.
    #[serde(default)]
    pub(crate) unless_present: Vec<String>,
    /// Allowed only as the whole text: its like is what injected text probes with.
    #[serde(default)]
    pub(crate) alone: bool,
    /// Whether sub-commands follow; then the flags are those in front of the sub-command.
    #[serde(default)]
    pub(crate) subcommands: bool,
    /// Whether it does something else when no sub-command follows.
    #[serde(default)]
    pub(crate) only_subcommands: bool,
    /// Whether git's configuration must be free of programs.
    #[serde(default)]
    pub(crate) git: bool,
    /// Whether it prints settings of git, as if it read the files that hold them.
    #[serde(default)]
    pub(crate) tells_settings: bool,
    /// Command lines that are allowed in an ordinary workspace.
    #[cfg_attr(not(test), expect(dead_code, reason = "the data's own tests"))]
    pub(crate) safe: Vec<String>,
    /// Command lines that are not.
    #[cfg_attr(not(test), expect(dead_code, reason = "the data's own tests"))]
    #[serde(rename = "not_safe")]
    pub(crate) not_safe: Vec<String>,
}

/// Which names of files a command may be given without a look at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Given {
    /// Any: it tells nothing of what is in them, so that a link to a secret gives nothing away.
    Names,
    /// Those of files that may be read: it prints what is in them.
    Files,
}

/// How options are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    /// `-a`, `-ab`, `-n5`, `--long`, `--long=value`.
    #[default]
    Gnu,
    /// Every option is one whole word: `find`, `[`.
    Words,
    /// No options: every word is an operand.
    Plain,
}

/// Words separated by blanks.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "String")]
pub(crate) struct Words(Vec<String>);

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self(text.split_whitespace().map(str::to_owned).collect())
    }
}

impl Words {
    /// Whether a word is among them.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.0.iter().any(|known| known == word)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// What an operand or a flag's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Kind {
    /// Any text; the program only prints or compares it.
    Text,
    /// Digits with sign, point and unit.
    Number,
    /// A file that is read.
    Read,
    /// A file that is read, whose name must not be taken for one on another machine.
    Local,
    /// A file whose beginning is read to tell its kind.
    Magic,
    /// A file or folder whose name or attributes are read, or that is listed.
    List,
    /// A folder that is walked and whose files are read.
    Content,
    /// A folder that is walked and whose files are read, but for those whose names begin with a point.
    Visible,
    /// A script of sed that only prints.
    Sed,
    /// A filter of jq that reads nothing but its input.
    Jq,
    /// A `+format` of date.
    Format,
    /// A date in words, without a time zone that would be read from a file of the name given.
    Date,
    /// A format of the shell's `printf` that sets no variable.
    Printf,
    /// A revision or path of git's.
    Revision,
    /// A format of git's that runs no verifier.
    Pretty,
    /// A program of awk that only prints.
    Awk,
    /// An expression of `test`.
    Test,
    /// A file of check sums, whose lines name the files that are read.
    Sums,
    /// An archive, which may lie under this name or under it with `.zip` behind.
    Zip,
    /// An archive of which only the names of its files are shown.
    Archive,
    /// A name inside of an archive, which must not be a secret's.
    Member,
    /// Lines of a file as git names them: `1,5:file`.
    Lines,
    /// A kind of files as ripgrep names it, which may select hidden ones.
    FileType,
    /// A plain name: of a package, or of a setting of the kernel.
    Name,
    /// A question to a database that leads to nothing outside of it.
    Sql,
    /// A file of a database, by its path or as `file:path?mode=ro`.
    Database,
    /// Numbers and what is computed of them.
    Arithmetic,
    /// `-` for the standard output, where any other word would be a file that is written.
    Stdout,
}

impl Kind {
    /// All of them; a test reads each back.
    pub(super) const ALL: [Self; 28] = [
        Self::Text,
        Self::Number,
        Self::Read,
        Self::Local,
        Self::Magic,
        Self::List,
        Self::Content,
        Self::Visible,
        Self::Sed,
        Self::Jq,
        Self::Format,
        Self::Date,
        Self::Printf,
        Self::Revision,
        Self::Pretty,
        Self::Awk,
        Self::Test,
        Self::Sums,
        Self::Zip,
        Self::Archive,
        Self::Member,
        Self::Lines,
        Self::FileType,
        Self::Name,
        Self::Sql,
        Self::Database,
        Self::Arithmetic,
        Self::Stdout,
    ];
}

/// Kinds of operands in order.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Operands {
    /// The kinds.
    pub(crate) kinds: Vec<Kind>,
    /// Whether the last may repeat.
    pub(crate) repeats: bool,
}

impl TryFrom<String> for Operands {
    type Error = toml::de::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let repeats = text.ends_with("...");
        Ok(Self { kinds: kinds(text.trim_end_matches("..."))?, repeats })
    }
}

/// Reads kinds separated by blanks.
pub(crate) fn kinds(text: &str) -> Result<Vec<Kind>, toml::de::Error> {
    #[derive(Deserialize)]
    struct One {
        kind: Kind,
    }
    text.split_whitespace()
        .map(|word| Ok(toml::from_str::<One>(&format!("kind = \"{word}\""))?.kind))
        .collect()
}

/// How many values a flag takes, and what they are.
#[derive(Debug)]
pub(crate) struct Values {
    /// What they are.
    pub(crate) kinds: Vec<Kind>,
    /// Whether the value is attached or missing.
    pub(crate) optional: bool,
}

/// The whole table.
pub(crate) struct Table {
    /// The entries in the order of the data.
    pub(crate) entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    values: Vec<HashMap<String, Values>>,
}

/// One file of the table.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Commands that are known to be harmless")]
pub(super) struct Source {
    /// The commands.
    pub(super) command: Vec<Entry>,
}

impl Table {
    fn read() -> Result<Self, toml::de::Error> {
        let mut table = Self { entries: Vec::new(), by_name: HashMap::new(), values: Vec::new() };
        for source in SOURCES {
            for entry in toml::from_str::<Source>(source)?.command {
                let at = table.entries.len();
                for name in std::iter::once(&entry.name).chain(&entry.also) {
                    table.by_name.insert(name.clone(), at);
                }
                let mut values = HashMap::new();
                for (spelling, flags) in &entry.values {
                    for flag in flags.iter() {
                        let optional = spelling.ends_with('?');
                        let kinds = kinds(spelling.trim_end_matches('?'))?;
                        values.insert(flag.to_owned(), Values { kinds, optional });
                    }
                }
                table.values.push(values);
                table.entries.push(entry);
            }
        }
        Ok(table)
    }

    /// The values of a flag of an entry.
    pub(crate) fn values(&self, entry: &Entry, flag: &str) -> Option<&Values> {
        let at = self.by_name.get(&entry.name)?;
        self.values.get(*at)?.get(flag)
    }
}

/// The table. Data that cannot be read leaves it empty, so that everything asks; a test reads it too.
pub(crate) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        Table::read().unwrap_or(Table { entries: Vec::new(), by_name: HashMap::new(), values: Vec::new() })
    });
    &TABLE
}

/// The entry for an argv and the number of its words that name it. `None`: not in the table.
pub(crate) fn lookup(argv: &[String]) -> Option<(&'static Entry, usize)> {
    let table = table();
    let find = |name: &str| table.by_name.get(name).map(|at| &table.entries[*at]);
    let mut entry = find(argv.first()?)?;
    let mut name = argv.first()?.clone();
    let mut used = 1;
    while entry.subcommands {
        let flags = argv[used..].iter().take_while(|word| entry.flags.has(word)).count();
        let Some(word) = argv.get(used + flags) else {
            return (!entry.only_subcommands).then_some((entry, used));
        };
        if word.starts_with('-') {
            return (!entry.only_subcommands && argv.len() == used + flags + 1).then_some((entry, used));
        }
        name = format!("{name} {word}");
        entry = find(&name)?;
        used += flags + 1;
    }
    Some((entry, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_is_readable_and_rich_enough() {
        let table = Table::read().unwrap();
        assert!(table.entries.len() >= 120, "{}", table.entries.len());
        let names: usize = table.entries.iter().map(|entry| 1 + entry.also.len()).sum();
        assert_eq!(names, table.by_name.len(), "a name stands twice");
    }

    #[test]
    fn every_kind_is_named_and_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kinds(&format!("{kind:?}").to_uppercase()).unwrap(), [kind]);
        }
    }

    #[test]
    fn subcommands_are_found_behind_harmless_flags_only() {
        let argv = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lookup(&argv("git --no-pager log -1")).unwrap().0.name, "git log");
        assert_eq!(lookup(&argv("git --version")).unwrap().0.name, "git");
        assert!(lookup(&argv("git -c a=b log")).is_none());
        assert!(lookup(&argv("frobnicate")).is_none());
    }
}
