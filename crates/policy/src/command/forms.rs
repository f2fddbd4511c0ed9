//! Forms of git's read-only sub-commands that are known to print no file content: only names, counts, dates and
//! subjects.
//!
//! In a repository that tracks a secret, only these forms run without asking. Any other form may print content, or
//! answer a question about it: a search, a hash with which a guess can be compared, or an object that is named by its
//! hash.

use std::path::{Path, PathBuf};

/// A sub-command with the words that determine what it prints.
pub(super) struct Form<'a> {
    /// The sub-command's name, such as `log` or `stash-show`.
    pub(super) name: &'a str,
    /// The arguments of the sub-command.
    pub(super) arguments: &'a [String],
    /// The operands before `--` that are not flags.
    pub(super) operands: Vec<&'a str>,
    /// The words after `--`.
    pub(super) paths: &'a [String],
    /// The words before `--`.
    before: &'a [String],
}

/// Flags of the `git log` family that select or format commits, or print names and counts of files. A trailing `=`
/// means that the value is attached to the flag.
const PLAIN: &[&str] = &[
    "--abbrev-commit",
    "--abbrev=",
    "--after=",
    "--all",
    "--all-match",
    "--ancestry-path",
    "--author-date-order",
    "--author=",
    "--before=",
    "--boundary",
    "--branches",
    "--branches=",
    "--cached",
    "--children",
    "--color",
    "--color=",
    "--committer=",
    "--compact-summary",
    "--count",
    "--date-order",
    "--date=",
    "--decorate",
    "--decorate=",
    "--diff-filter=",
    "--dirstat",
    "--exclude=",
    "--exit-code",
    "--extended-regexp",
    "--first-parent",
    "--fixed-strings",
    "--follow",
    "--format=",
    "--full-history",
    "--glob=",
    "--graph",
    "--grep=",
    "--invert-grep",
    "--left-right",
    "--max-count=",
    "--max-parents=",
    "--merge-base",
    "--merges",
    "--min-parents=",
    "--name-only",
    "--name-status",
    "--no-abbrev-commit",
    "--no-color",
    "--no-commit-id",
    "--no-decorate",
    "--no-ext-diff",
    "--no-mailmap",
    "--no-merges",
    "--no-notes",
    "--no-patch",
    "--no-renames",
    "--no-show-signature",
    "--no-textconv",
    "--no-walk",
    "--numstat",
    "--oneline",
    "--parents",
    "--pretty=",
    "--pretty",
    "--quiet",
    "--regexp-ignore-case",
    "--relative-date",
    "--remotes",
    "--remotes=",
    "--reverse",
    "--root",
    "--shortstat",
    "--show-pulls",
    "--simplify-by-decoration",
    "--since=",
    "--skip=",
    "--source",
    "--staged",
    "--stat",
    "--stat=",
    "--summary",
    "--tags",
    "--tags=",
    "--timestamp",
    "--topo-order",
    "--until=",
    "--walk-reflogs",
    "-E",
    "-F",
    "-P",
    "-g",
    "-i",
    "-q",
    "-r",
    "-s",
    "-z",
];

/// Flags of that family whose value may be the next word.
const WITH_VALUES: &[&str] = &[
    "--after",
    "--author",
    "--before",
    "--committer",
    "--date",
    "--grep",
    "--max-count",
    "--since",
    "--skip",
    "--until",
    "-n",
];

/// Flags that list differences without their lines.
const WITHOUT_LINES: &[&str] = &[
    "--stat",
    "--shortstat",
    "--numstat",
    "--name-only",
    "--name-status",
    "--summary",
    "--compact-summary",
    "--dirstat",
    "--no-patch",
    "--quiet",
    "-s",
    "-q",
];

impl<'a> Form<'a> {
    /// Parses the words of a git command. `None` if there is no sub-command among them.
    pub(super) fn of(words: &'a [String]) -> Option<Self> {
        let at = words.iter().skip(1).position(|word| !word.starts_with('-'))? + 1;
        let (mut name, mut arguments) = (words[at].as_str(), &words[at + 1..]);
        if let ("stash", Some(next)) = (name, arguments.first()) {
            name = if next == "show" { "stash-show" } else { name };
            arguments = &arguments[1..];
        }
        let end = arguments.iter().enumerate().position(|(at, word)| {
            word == "--" && at.checked_sub(1).is_none_or(|before| is_certain(&arguments[before]))
        });
        let before = &arguments[..end.unwrap_or(arguments.len())];
        let operands = operands(name, before);
        let paths = end.map(|end| &arguments[end + 1..]).unwrap_or_default();
        Some(Self { name, arguments, operands, paths, before })
    }

    /// Whether the form is known not to print the content of files.
    pub(super) fn prints_no_content(&self, repositories: &[PathBuf]) -> bool {
        let has = |flag: &str| self.before.iter().any(|word| word == flag);
        let commits_only = || self.operands.iter().all(|operand| names_commits(operand, repositories));
        match self.name {
            "check-attr" | "check-ignore" | "cherry" | "config" | "count-objects" | "describe"
            | "merge-base" | "name-rev" | "notes" | "remote" | "rev-parse" | "shortlog" | "show-branch"
            | "show-ref" | "stash" | "symbolic-ref" | "version" | "worktree" => true,
            "branch" | "for-each-ref" | "tag" => self.before.iter().all(|word| tells_of_commits(word)),
            "status" => self.has_only(
                &[
                    "--short",
                    "--branch",
                    "--show-stash",
                    "--long",
                    "--no-renames",
                    "--ahead-behind",
                    "--no-ahead-behind",
                ],
                &["--porcelain", "--ignored", "--untracked-files", "--column"],
                "sbuzno",
            ),
            "ls-files" => self.has_only(
                &[
                    "--cached",
                    "--deleted",
                    "--modified",
                    "--others",
                    "--ignored",
                    "--killed",
                    "--exclude-standard",
                    "--full-name",
                    "--error-unmatch",
                    "--directory",
                    "--no-empty-directory",
                    "--deduplicate",
                ],
                &["--exclude"],
                "cdmoikzt",
            ),
            "ls-tree" => {
                (has("--name-only") || has("--name-status"))
                    && self.has_only(
                        &["--name-only", "--name-status", "--full-name", "--full-tree"],
                        &[],
                        "drtz",
                    )
            }
            "cat-file" => ["-t", "-s", "-e", "-p"].iter().any(|flag| has(flag)) && commits_only(),
            "log" | "reflog" | "rev-list" => self.is_plain(),
            "diff" | "diff-files" | "diff-index" | "diff-tree" | "stash-show" | "whatchanged" => {
                self.is_plain() && WITHOUT_LINES.iter().any(|flag| has(flag))
            }
            "show" => self.is_plain() && WITHOUT_LINES.iter().any(|flag| has(flag)) && commits_only(),
            _ => false,
        }
    }

    /// Whether the form may print the content of older trees, and not only that of the index and the folder.
    pub(super) fn reads_history(&self, cwd: &Path, repositories: &[PathBuf]) -> bool {
        let has = |flag: &str| self.before.iter().any(|word| word == flag);
        let names_files = || self.operands.iter().all(|operand| names_a_file(operand, cwd, repositories));
        match self.name {
            "ls-files" | "diff-files" => false,
            "diff" => has("--cached") || has("--staged") || has("--merge-base") || !names_files(),
            "grep" => {
                let is_known = self.has_only(
                    &[
                        "--break",
                        "--cached",
                        "--color",
                        "--count",
                        "--extended-regexp",
                        "--files-with-matches",
                        "--fixed-strings",
                        "--heading",
                        "--ignore-case",
                        "--line-number",
                        "--name-only",
                        "--perl-regexp",
                        "--show-function",
                        "--word-regexp",
                    ],
                    &[],
                    "nilLcwFEPIhHoqvpWz",
                );
                !is_known || !names_files()
            }
            _ => true,
        }
    }

    /// Whether every flag is in `flags`, has a name in `with_values` before a `=`, or is a bundle of `letters`.
    fn has_only(&self, flags: &[&str], with_values: &[&str], letters: &str) -> bool {
        self.before.iter().filter(|word| word.starts_with('-')).all(|word| match word.strip_prefix("--") {
            Some(_) => {
                let name = word.split('=').next().unwrap_or(word);
                flags.contains(&word.as_str()) || with_values.contains(&name)
            }
            None => word[1..].chars().all(|letter| letters.contains(letter)),
        })
    }

    /// Whether every flag is known to select commits or to report files by name.
    fn is_plain(&self) -> bool {
        let mut words = self.before.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                continue;
            }
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let name = word.split_inclusive('=').next().unwrap_or(word);
            let is_known = PLAIN.contains(&name)
                || word.strip_prefix("-n").or(word.strip_prefix('-')).is_some_and(is_number);
            let takes_next = WITH_VALUES.contains(&word);
            if !is_known && !takes_next
                || takes_next && words.next().is_none_or(|value| value.starts_with('-'))
            {
                return false;
            }
        }
        true
    }
}

/// Returns the words that are not flags, values of flags, or the pattern of a search.
fn operands<'a>(name: &str, before: &'a [String]) -> Vec<&'a str> {
    let is_of_log = matches!(name, "log" | "show" | "reflog" | "rev-list" | "whatchanged");
    let mut found = Vec::new();
    let mut words = before.iter().map(String::as_str);
    let mut is_pattern = name == "grep" && !before.iter().any(|word| word.starts_with("-e"));
    while let Some(word) = words.next() {
        if is_of_log && WITH_VALUES.contains(&word) {
            words.next();
        } else if !word.starts_with('-') && !std::mem::take(&mut is_pattern) {
            found.push(word);
        }
    }
    found
}

/// Whether a following word that looks like a flag is certainly a flag, and not the value of this word.
fn is_certain(word: &str) -> bool {
    const ALONE: &[&str] = &["-p", "--patch", "-u", "--color", "--follow"];
    let is_alone = PLAIN.contains(&word) && !WITH_VALUES.contains(&word);
    !word.starts_with('-')
        || ALONE.contains(&word)
        || is_alone
        || (word.starts_with("--") && word.contains('='))
}

/// Whether a word, if it is a format or a sort key, asks only for names, dates and subjects.
fn tells_of_commits(word: &str) -> bool {
    const ATOMS: &[&str] = &[
        "refname",
        "objectname",
        "objecttype",
        "HEAD",
        "upstream",
        "push",
        "symref",
        "authorname",
        "authoremail",
        "authordate",
        "committername",
        "committeremail",
        "committerdate",
        "taggername",
        "taggerdate",
        "creator",
        "creatordate",
        "subject",
        "contents:subject",
        "align",
        "end",
        "if",
        "then",
        "else",
        "color",
        "worktreepath",
        "version",
        "v",
    ];
    let is_atom = |atom: &str| {
        let atom = atom.trim_start_matches(['-', '*']);
        ATOMS.contains(&atom) || ATOMS.contains(&atom.split(':').next().unwrap_or(atom))
    };
    match word.split_once('=') {
        Some(("--format", format)) => {
            format.split("%(").skip(1).all(|rest| rest.split_once(')').is_some_and(|(atom, _)| is_atom(atom)))
        }
        Some(("--sort", key)) => is_atom(key),
        _ => !matches!(word, "--format" | "--sort") && !word.starts_with("-n"),
    }
}

/// Whether an operand certainly names a commit: `HEAD`, a branch, or an ancestor of these.
pub(super) fn names_commits(operand: &str, repositories: &[PathBuf]) -> bool {
    operand.split("..").map(|end| end.trim_start_matches('.')).all(|end| names_commit(end, repositories))
}

fn names_commit(name: &str, repositories: &[PathBuf]) -> bool {
    let name = name.trim_start_matches('^');
    let (base, further) = name.split_at(name.find(['~', '^']).unwrap_or(name.len()));
    if !further.chars().all(|c| c.is_ascii_digit() || matches!(c, '~' | '^')) {
        return false;
    }
    if matches!(base, "" | "HEAD" | "@") {
        return true;
    }
    let is_plain = base.starts_with(|c: char| c.is_ascii_alphanumeric())
        && base.chars().all(|c| c.is_ascii_alphanumeric() || "._/-".contains(c))
        && !base.bytes().all(|byte| byte.is_ascii_hexdigit());
    let [folder] = repositories else { return false };
    is_plain && is_branch(folder, base)
}

/// Whether an operand is an existing file or folder, and certainly not a revision.
fn names_a_file(operand: &str, cwd: &Path, repositories: &[PathBuf]) -> bool {
    let [folder] = repositories else { return false };
    let is_plain = operand.chars().all(|c| c.is_ascii_alphanumeric() || "._/-".contains(c))
        && !operand.contains("..")
        && !operand.contains("-g")
        && !operand.bytes().all(|byte| byte.is_ascii_hexdigit());
    let refs = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
    is_plain
        && cwd.join(operand).symlink_metadata().is_ok()
        && folder.join("reftable").symlink_metadata().is_err()
        && References::of(folder).is_some_and(|references| {
            !refs.iter().any(|above| references.has(&format!("{above}{operand}")))
                && !references.has(&format!("refs/remotes/{operand}/HEAD"))
        })
}

/// Whether a name is that of a branch, and not of another reference that git would prefer. A branch is always a
/// commit.
fn is_branch(folder: &Path, name: &str) -> bool {
    References::of(folder).is_some_and(|references| {
        let is_other = [name.to_owned(), format!("refs/{name}"), format!("refs/tags/{name}")]
            .iter()
            .any(|name| references.has(name));
        !is_other && references.has(&format!("refs/heads/{name}"))
    })
}

/// Whether no branch or tag of the repository in a folder has a name that git would take for an option. Git does not
/// create such names, but it reads them from files.
pub(super) fn no_reference_is_an_option(folder: &Path) -> bool {
    let git = folder.join(".git");
    let heads_and_tags = ["heads", "tags"].map(|kind| git.join("refs").join(kind));
    let is_fine = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with('-'))
    };
    let packed = References::of(&git).map(|references| references.packed);
    let is_named = |line: &str| ["refs/heads/-", "refs/tags/-"].iter().any(|name| line.contains(name));
    git.is_dir()
        && heads_and_tags.iter().all(|folder| folder.read_dir().map_or(true, |mut all| all.all(is_fine)))
        && packed.is_some_and(|packed| !packed.lines().any(is_named))
        && std::fs::read_to_string(git.join("HEAD")).is_ok_and(|head| !is_named(&head))
}

/// A repository's references: files, and the list of packed references.
struct References<'a> {
    folder: &'a Path,
    packed: String,
}

impl<'a> References<'a> {
    /// Reads the references. `None` if the list is too large.
    fn of(folder: &'a Path) -> Option<Self> {
        const MOST_BYTES: u64 = 4 * 1024 * 1024;
        let packed = folder.join("packed-refs");
        let is_small = packed.metadata().map_or(true, |meta| meta.len() <= MOST_BYTES);
        is_small.then(|| Self { folder, packed: std::fs::read_to_string(packed).unwrap_or_default() })
    }

    fn has(&self, name: &str) -> bool {
        let is_it = |line: &str| line.split_once(' ').is_some_and(|(_, known)| known == name);
        self.folder.join(name).symlink_metadata().is_ok() || self.packed.lines().any(is_it)
    }
}
