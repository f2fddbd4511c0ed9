//! Parses the plain subset of git's configuration: the keys that are set, and whether they run a program or read
//! elsewhere.
//!
//! The result only decides between allowing and asking. A repository's configuration must be in the plain subset on
//! which every parser agrees: a section, a comment, or a key on a separate line, without backslashes. The user's own
//! files may contain more: a line there that is not plain sets its key to an unknown value.

use std::path::Path;

/// A setting. Keys are in lower case, except for the part between the dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// `section.key` or `section.name.key`.
    pub(super) key: String,
    /// The value, or `None` if it is not plain.
    pub(super) value: Option<String>,
}

/// Parses the settings of a configuration file. `None` if a repository's configuration is not in the plain subset.
pub(super) fn settings(text: &str, of_person: bool) -> Option<Vec<Setting>> {
    let mut found = Vec::new();
    let mut section = None;
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).split('\n') {
        let line = line.trim_matches([' ', '\t']);
        if let Some(setting) = plain(line, &mut section) {
            found.extend(setting);
        } else if of_person {
            found.extend(unclear(line, &mut section));
        } else {
            return None;
        }
    }
    Some(found)
}

/// Returns the last value of a setting in a file, without its includes. An inner `None` is a value that is not plain.
pub(super) fn setting(file: &Path, key: &str) -> Option<Option<String>> {
    let found = settings(&std::fs::read_to_string(file).ok()?, true)?;
    found.into_iter().rev().find(|setting| setting.key == key).map(|setting| setting.value)
}

/// Parses a line of the plain subset. Returns the setting in the line, if any.
fn plain(line: &str, section: &mut Option<String>) -> Option<Option<Setting>> {
    if line.ends_with('\\') || line.chars().any(|c| c.is_control() && c != '\t') {
        return None;
    }
    if line.is_empty() || line.starts_with(['#', ';']) {
        return Some(None);
    }
    if let Some(rest) = line.strip_prefix('[') {
        *section = Some(section_name(rest.strip_suffix(']')?)?);
        return Some(None);
    }
    let section = section.as_ref()?;
    let (key, value) = match line.split_once('=') {
        Some((key, value)) => (key.trim_end_matches([' ', '\t']), plain_value(value)?),
        None => (line, "true".to_owned()),
    };
    is_key(key).then(|| {
        let key = format!("{section}.{}", key.to_ascii_lowercase());
        Some(Setting { key, value: Some(value) })
    })
}

fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Parses `name` or `name "other"`.
fn section_name(inner: &str) -> Option<String> {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let Some((name, rest)) = inner.split_once([' ', '\t']) else {
        return is_name(inner).then(|| inner.to_ascii_lowercase());
    };
    let other = rest.trim_start_matches([' ', '\t']).strip_prefix('"')?.strip_suffix('"')?;
    let is_plain = is_name(name) && !other.contains(['"', '\\']);
    is_plain.then(|| format!("{}.{other}", name.to_ascii_lowercase()))
}

/// Parses a value without backslashes: either bare, up to a comment, or entirely quoted.
fn plain_value(value: &str) -> Option<String> {
    let value = value.trim_start_matches([' ', '\t']);
    if value.contains('\\') {
        return None;
    }
    let Some(quoted) = value.strip_prefix('"') else {
        let bare = value.split(['#', ';']).next().unwrap_or(value).trim_end_matches([' ', '\t']);
        return (!bare.contains('"')).then(|| bare.to_owned());
    };
    let (inside, behind) = quoted.split_once('"')?;
    let behind = behind.trim_start_matches([' ', '\t']);
    (behind.is_empty() || behind.starts_with(['#', ';'])).then(|| inside.to_owned())
}

/// Returns the setting that a line may contain that is not plain: its key, in the section that the line names or in
/// the current section.
fn unclear(line: &str, section: &mut Option<String>) -> Option<Setting> {
    let line = match line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
        Some((inner, rest)) => {
            let name = inner.split([' ', '\t', '"', '.']).next().unwrap_or(inner);
            *section = Some(format!("{}.{inner}", name.to_ascii_lowercase()));
            rest.trim_start_matches([' ', '\t'])
        }
        None => line,
    };
    let key = line.split(['=', '#', ';']).next()?.trim_end_matches([' ', '\t']);
    let key = is_key(key).then(|| key.to_ascii_lowercase())?;
    Some(Setting { key: format!("{}.{key}", section.as_ref()?), value: None })
}

impl Setting {
    /// Returns the file that the setting includes, as written. `Some(None)` if the path is not plain.
    pub(super) fn included(&self) -> Option<Option<&str>> {
        let includes =
            self.key == "include.path" || (self.key.starts_with("includeif.") && self.key.ends_with(".path"));
        let is_plain = |path: &&str| {
            !path.is_empty()
                && path.trim() == *path
                && !path.starts_with('%')
                && (!path.starts_with('~') || path.starts_with("~/"))
        };
        includes.then(|| self.value.as_deref().filter(is_plain))
    }

    /// Whether the setting is off: it has a false value or an empty value.
    fn is_off(&self) -> bool {
        let off = |value: &str| {
            matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0" | "never" | "")
        };
        self.value.as_deref().is_some_and(off)
    }

    fn may_hold(&self, text: &str) -> bool {
        self.value.as_deref().is_none_or(|value| value.contains(text))
    }

    /// Whether the setting is an alias that runs a program.
    pub(super) fn is_command(&self) -> bool {
        self.value.as_deref().is_none_or(|value| value.trim_start().starts_with('!'))
    }

    /// Whether the setting makes a read-only sub-command run a program or read elsewhere. `of_person` means that the
    /// setting is from the user's own files, in which a pager, an editor or a list of ignored files is ordinary.
    pub(super) fn leads_elsewhere(&self, of_person: bool) -> bool {
        let (first, last) =
            (self.key.split('.').next().unwrap_or_default(), self.key.rsplit('.').next().unwrap_or_default());
        let falsy = self.is_off();
        match (first, last) {
            ("core", "fsmonitor") | ("log", "showsignature") => !falsy,
            (
                "core",
                "hookspath" | "worktree" | "gitproxy" | "alternaterefscommand" | "virtualfilesystem",
            ) => true,
            ("extensions", "partialclone") => true,
            ("extensions", "refstorage") => !matches!(self.value.as_deref(), Some("files" | "reftable")),
            ("filter", "clean" | "smudge" | "process") => true,
            ("diff", "external" | "command" | "textconv") => true,
            ("gpg", "program" | "defaultkeycommand" | "allowedsignersfile" | "revocationfile") => {
                !of_person || last == "program"
            }
            ("merge", "driver") => true,
            ("remote", "promisor" | "partialclonefilter" | "uploadpack" | "receivepack" | "vcs") => true,
            ("blame", "ignorerevsfile") => true,
            // Hooks defined in settings. An empty hooks folder does not disable them.
            ("hook", _) | ("uploadpack", "packobjectshook") => !of_person,
            ("trailer", "command" | "cmd") | ("interactive", "difffilter") => true,
            ("tag" | "branch", "sort") => self.may_hold("signature"),
            ("format", "pretty") | ("pretty", _) => self.may_hold("%G"),
            ("core", "pager" | "editor" | "askpass" | "sshcommand")
            | ("pager", _)
            | ("sequence", _)
            | ("credential", "helper") => !of_person && !falsy && self.value.as_deref() != Some("true"),
            ("alias", _) => !of_person && self.is_command(),
            // If the repository itself sets them, they may name any file.
            ("core", "attributesfile" | "excludesfile" | "alternaterefsprefixes")
            | ("diff", "orderfile")
            | ("mailmap", _)
            | ("commit", "template")
            | ("fsck" | "receive", "skiplist")
            | ("trace2", _) => !of_person,
            ("submodule", "recurse") => !falsy,
            ("submodule", _) => self.key.matches('.').count() > 1,
            ("status" | "diff", "submodulesummary" | "submodule") => !falsy,
            _ => false,
        }
    }
}

/// HTTP settings that affect neither which server git talks to nor how it verifies that server.
const OF_PACE: &[&str] = &[
    "lowspeedlimit",
    "lowspeedtime",
    "maxrequests",
    "maxretries",
    "maxretrytime",
    "minsessions",
    "noepsv",
    "postbuffer",
    "retryafter",
    "useragent",
    "version",
];

impl Setting {
    /// Whether the setting may redirect git's HTTP connections through another server, or make git trust the wrong
    /// server: others could then read what git sends. `include` may contain any such setting.
    pub(super) fn leads_connections(&self) -> bool {
        let (first, last) =
            (self.key.split('.').next().unwrap_or_default(), self.key.rsplit('.').next().unwrap_or_default());
        match (first, last) {
            ("http", "sslverify") => {
                !self.value.as_deref().is_some_and(|value| value.eq_ignore_ascii_case("true"))
            }
            ("http", last) => !OF_PACE.contains(&last),
            ("remote", "proxy" | "proxyauthmethod") | ("core", "gitproxy") => true,
            ("include" | "includeif", "path") => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_repository(text: &str) -> Option<Vec<(String, String)>> {
        let settings = settings(text, false)?;
        Some(settings.into_iter().map(|setting| (setting.key, setting.value.unwrap())).collect())
    }

    #[test]
    fn plain_lines_are_read_as_they_stand() {
        let text = "# comment\n\n[core]\n\tbare = false ; ours\n; other\n[branch \"x/y\"]\n  remote=origin\n\tRebase\n[user]\nname = \"Dev; One\" # comment\n";
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            of_repository(text).unwrap(),
            [
                pair("core.bare", "false"),
                pair("branch.x/y.remote", "origin"),
                pair("branch.x/y.rebase", "true"),
                pair("user.name", "Dev; One"),
            ]
        );
    }

    #[test]
    fn what_is_not_plain_in_a_repository_is_not_read_at_all() {
        for text in [
            "# \\\n[filter \"f\"]\nclean = x\n",
            "[core]\nfsmon\\\nitor = x\n",
            "[core]\nx = a\\tb\n",
            "[core]\nx = \"a\\\"b\"\n",
            "[core]\nx = a\"b\"\n",
            "[core]\nx = \"a\n",
            "[core]\nx = \"a\" b\n",
            "[filter.x]\nclean = x\n",
            "[core] bare = false\n",
            "[core\nx = 1\n",
            "[diff \"a\\\"b\"]\nx = 1\n",
            "[diff \"a]b\"] textconv = x\n",
            "[core]\r\nbare = false\r\n",
            "[core]\n1x = 2\n",
            "[core]\nx y = 2\n",
            "x = 1\n",
            "[]\nx = 1\n",
        ] {
            assert_eq!(of_repository(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_persons_own_lines_count_by_their_keys() {
        let text = "[alias]\n\tlg = log --format=\\\"%h\\\"\n\tco = checkout\n[filter \"lfs\"]\n\tclean = git-lfs \\\n clean -- %f\n";
        let keys: Vec<String> =
            settings(text, true).unwrap().into_iter().map(|setting| setting.key).collect();
        assert_eq!(keys, ["alias.lg", "alias.co", "filter.lfs.clean"]);
    }
}
