//! Parses the entries of the table, and looks them up.

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

/// A command or a sub-command, with the flags and operands that are known to be harmless.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The name, including the sub-command if there is one: `git log`.
    pub(crate) name: String,
    /// Other names of the same program.
    #[serde(default)]
    pub(crate) also: Vec<String>,
    /// What the command does, for people: the id of a message.
    #[serde(deserialize_with = "said")]
    #[schemars(with = "String")]
    pub(crate) about: Phrase,
    /// The syntax of its options.
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
    /// Whether values are never attached to a short option, so that the letters after it are options.
    #[serde(default)]
    pub(crate) separate: bool,
    /// Flags without a value, separated by blanks.
    #[serde(default)]
    pub(crate) flags: Words,
    /// Flags with values, by the kinds of the values. A `?` after the kind means that the value is attached or
    /// absent.
    #[serde(default)]
    #[schemars(schema_with = "super::schema::values")]
    pub(crate) values: BTreeMap<String, Words>,
    /// The kinds of the operands in order. `...` after the last kind allows any number of it, including none.
    #[serde(default)]
    pub(crate) operands: Operands,
    /// Flags whose value replaces the first operand.
    #[serde(default)]
    pub(crate) instead_of_first: Words,
    /// Operands are harmless only together with one of these flags.
    #[serde(default)]
    pub(crate) operands_with: Words,
    /// Flags whose values select files, including hidden ones, unless the value begins with `!`.
    #[serde(default)]
    pub(crate) selects: Words,
    /// Flags whose values are patterns of the only names that are read below a folder.
    #[serde(default)]
    pub(crate) narrows: Words,
    /// Flags that make the command also read names that match no pattern, if they precede a flag of `narrows`.
    #[serde(default)]
    pub(crate) widens: Words,
    /// Flags that make the command print names without reading files.
    #[serde(default)]
    pub(crate) lists: Words,
    /// Flags that make the command walk folders and read their files.
    #[serde(default)]
    pub(crate) recursive: Words,
    /// Whether the command reads the working directory if it is given no path.
    #[serde(default)]
    pub(crate) here_by_default: bool,
    /// Whether the command only prints, regardless of its options and operands.
    #[serde(default)]
    pub(crate) whatever: bool,
    /// The kind that a text from the command line must be if it is fed to the command, because the command runs it as
    /// a program.
    #[serde(default)]
    pub(crate) fed: Option<Kind>,
    /// The minimum number of operands. With fewer operands the command does something else.
    #[serde(default)]
    pub(crate) at_least: usize,
    /// Flags of which at least one is required for the command to be harmless.
    #[serde(default)]
    pub(crate) needs_one_of: Words,
    /// Flags that make the command run a program. They only name the risk; they are not allowed in any case.
    #[serde(default)]
    pub(crate) runs: Words,
    /// Flags that make the command follow links out of a folder. They only name the risk.
    #[serde(default)]
    pub(crate) follows: Words,
    /// Flags with which the operands are files of checksums. At least one operand is then required.
    #[serde(default)]
    pub(crate) sums: Words,
    /// Flags with which the operands are files instead of revisions.
    #[serde(default)]
    pub(crate) files_with: Words,
    /// Words that are added after the name if the command runs without asking, so that it can do no more than was
    /// judged.
    #[serde(default)]
    pub(crate) adds: Words,
    /// Words that are added if no flag of `recursive` is given.
    #[serde(default)]
    pub(crate) adds_unless_recursive: Words,
    /// Other programs that the command must start to do what was judged.
    #[serde(default)]
    pub(crate) starts: Words,
    /// Facts about the machine that the command is meant to report, in addition to those that every command can read:
    /// paths below `/proc`, `/sys`, `/run` and similar. A trailing `/*` means each entry of a folder.
    #[serde(default)]
    pub(crate) sees: Words,
    /// The names found by another command that the command may be given. Requires that none of its options and
    /// operands makes it write, run a program or access the network.
    #[serde(default)]
    pub(crate) given: Option<Given>,
    /// Whether the command loads code that is installed in the home directory. It is not allowed if the workspace
    /// contains the home directory.
    #[serde(default)]
    pub(crate) loads_from_home: bool,
    /// Files whose presence in a parent of the working directory changes which program runs.
    #[serde(default)]
    pub(crate) unless_present: Vec<String>,
    /// Whether the command is allowed only as the whole text, because injected text probes with such commands.
    #[serde(default)]
    pub(crate) alone: bool,
    /// Whether sub-commands follow. If so, `flags` are those before the sub-command.
    #[serde(default)]
    pub(crate) subcommands: bool,
    /// Whether the command does something else without a sub-command.
    #[serde(default)]
    pub(crate) only_subcommands: bool,
    /// Whether git's configuration must not name any programs.
    #[serde(default)]
    pub(crate) git: bool,
    /// Whether the command prints git's settings, as if it read the files that contain them.
    #[serde(default)]
    pub(crate) tells_settings: bool,
    /// Command lines that are allowed in an ordinary workspace.
    #[cfg_attr(not(test), expect(dead_code, reason = "the data's own tests"))]
    pub(crate) safe: Vec<String>,
    /// Command lines that are not allowed.
    #[cfg_attr(not(test), expect(dead_code, reason = "the data's own tests"))]
    #[serde(rename = "not_safe")]
    pub(crate) not_safe: Vec<String>,
}

/// The file names that a command may be given without checking each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Given {
    /// Any names: the command discloses no content, so that a link to a secret is harmless.
    Names,
    /// Names of files that may be read: the command prints their content.
    Files,
}

/// The syntax of options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    /// `-a`, `-ab`, `-n5`, `--long`, `--long=value`.
    #[default]
    Gnu,
    /// Every option is a whole word: `find`, `[`.
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
    /// Whether a word is in the list.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.0.iter().any(|known| known == word)
    }

    /// Whether the list is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the words.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The kind of an operand or of a flag's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Kind {
    /// Any text. The program only prints or compares it.
    Text,
    /// Digits with a sign, a point and a unit.
    Number,
    /// A file that is read.
    Read,
    /// A file that is read, whose name must not be taken for a file on another machine.
    Local,
    /// A file whose beginning is read to determine its type.
    Magic,
    /// A file or folder whose name or attributes are read, or that is listed.
    List,
    /// A folder that is walked and whose files are read.
    Content,
    /// A folder that is walked and whose files are read, except for hidden ones.
    Visible,
    /// A sed script that only prints.
    Sed,
    /// A jq filter that reads nothing but its input.
    Jq,
    /// A `+format` of `date`.
    Format,
    /// A date in words, without a time zone, because the zone would be read from a file with the given name.
    Date,
    /// A format of the shell's `printf` that sets no variable.
    Printf,
    /// A revision or path for git.
    Revision,
    /// A format for git that runs no verifier.
    Pretty,
    /// An awk program that only prints.
    Awk,
    /// An expression of `test`.
    Test,
    /// A file of checksums, whose lines name the files that are read.
    Sums,
    /// An archive, either with this name or with `.zip` appended.
    Zip,
    /// An archive of which only the file names are shown.
    Archive,
    /// A name inside an archive, which must not be that of a secret.
    Member,
    /// Lines of a file in git's syntax: `1,5:file`.
    Lines,
    /// A file type of ripgrep, which may select hidden files.
    FileType,
    /// A plain name: of a package, or of a kernel setting.
    Name,
    /// A database query that accesses nothing outside the database.
    Sql,
    /// A database file, as a path or as `file:path?mode=ro`.
    Database,
    /// Numbers and arithmetic on them.
    Arithmetic,
    /// `-` for the standard output, for a position in which any other word would be a file that is written.
    Stdout,
}

impl Kind {
    /// All kinds. A test parses each of them.
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

/// The kinds of operands in order.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Operands {
    /// The kinds.
    pub(crate) kinds: Vec<Kind>,
    /// Whether the last kind may repeat.
    pub(crate) repeats: bool,
}

impl TryFrom<String> for Operands {
    type Error = toml::de::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let repeats = text.ends_with("...");
        Ok(Self { kinds: kinds(text.trim_end_matches("..."))?, repeats })
    }
}

/// Parses kinds separated by blanks.
pub(crate) fn kinds(text: &str) -> Result<Vec<Kind>, toml::de::Error> {
    #[derive(Deserialize)]
    struct One {
        kind: Kind,
    }
    text.split_whitespace()
        .map(|word| Ok(toml::from_str::<One>(&format!("kind = \"{word}\""))?.kind))
        .collect()
}

/// The number and kinds of a flag's values.
#[derive(Debug)]
pub(crate) struct Values {
    /// The kinds of the values.
    pub(crate) kinds: Vec<Kind>,
    /// Whether the value is attached or absent.
    pub(crate) optional: bool,
}

/// The whole table.
pub(crate) struct Table {
    /// The entries in the order of the data.
    pub(crate) entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    values: Vec<HashMap<String, Values>>,
}

/// A data file of the table.
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

    /// Returns the values of a flag of an entry.
    pub(crate) fn values(&self, entry: &Entry, flag: &str) -> Option<&Values> {
        let at = self.by_name.get(&entry.name)?;
        self.values.get(*at)?.get(flag)
    }
}

/// Returns the table. If the data cannot be parsed, the table is empty, so that everything asks. A test also parses
/// the data.
pub(crate) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        Table::read().unwrap_or(Table { entries: Vec::new(), by_name: HashMap::new(), values: Vec::new() })
    });
    &TABLE
}

/// Returns the entry for an argv, and the number of words that name it. `None` if it is not in the table.
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
