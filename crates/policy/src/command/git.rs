//! Whether git, in this folder, would obey a configuration that names programs.

use std::path::{Path, PathBuf};

/// Why git is not known to be harmless in a folder; `None` when its configuration holds nothing that runs.
pub(crate) fn danger(cwd: &Path, home: &Path) -> Option<String> {
    let mut check = Check { home, files: 0, found: None, alias: None };
    for file in [
        PathBuf::from("/etc/gitconfig"),
        PathBuf::from("/usr/local/etc/gitconfig"),
        home.join(".config/git/config"),
        home.join(".gitconfig"),
    ] {
        check.file(&file, true, 0);
    }
    match discover(cwd) {
        Discovery::Suspicious(why) => return Some(why),
        Discovery::None => {}
        Discovery::Repository(folder) => check.repository(&folder),
    }
    check.found
}

/// Why a sub-command that does more than read would run a program that the repository names, in its own configuration
/// or as the alias that the sub-command is; `None` for other programs.
pub(crate) fn planted(normal: &[String], cwd: &Path, home: &Path) -> Option<String> {
    let [name, arguments @ ..] = normal else { return None };
    if name != "git" {
        return None;
    }
    let Discovery::Repository(folder) = discover(cwd) else { return None };
    let alias = arguments.iter().find(|word| !word.starts_with('-')).map(|word| format!("alias.{word}"));
    let mut check = Check { home, files: 0, found: None, alias };
    check.file(&folder.join("config"), false, 0);
    check.file(&folder.join("config.worktree"), false, 0);
    check.found
}

/// The folder `.git` of the repository that a folder lies in.
pub(crate) fn repository(cwd: &Path) -> Option<PathBuf> {
    match discover(cwd) {
        Discovery::Repository(folder) => Some(folder),
        Discovery::None | Discovery::Suspicious(_) => None,
    }
}

enum Discovery {
    None,
    Repository(PathBuf),
    Suspicious(String),
}

fn discover(cwd: &Path) -> Discovery {
    for folder in cwd.ancestors() {
        let dot_git = folder.join(".git");
        match dot_git.symlink_metadata() {
            Ok(meta) if meta.is_dir() => return Discovery::Repository(dot_git),
            Ok(_) => {
                return Discovery::Suspicious(format!(
                    "{} leads to a repository somewhere else.",
                    dot_git.display()
                ));
            }
            Err(_) => {}
        }
        let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
        if has("HEAD") && (has("objects") || has("refs") || has("commondir") || has("config")) {
            return Discovery::Suspicious(format!(
                "{} looks like a repository of its own.",
                folder.display()
            ));
        }
    }
    Discovery::None
}

struct Check<'a> {
    home: &'a Path,
    files: usize,
    found: Option<String>,
    /// The key that the sub-command would be an alias of.
    alias: Option<String>,
}

impl Check<'_> {
    fn repository(&mut self, folder: &Path) {
        if folder.join("commondir").exists() {
            self.found = Some(format!("{} borrows another repository.", folder.display()));
        }
        self.file(&folder.join("config"), false, 0);
        self.file(&folder.join("config.worktree"), false, 0);
        if folder.join("modules").exists() || holds_submodules(&folder.join("index")) {
            self.found =
                Some("The repository has submodules, whose own configuration git would obey.".to_owned());
        }
    }

    fn file(&mut self, path: &Path, of_person: bool, depth: usize) {
        const MOST_FILES: usize = 32;
        const MOST_BYTES: u64 = 256 * 1024;
        if self.found.is_some() {
            return;
        }
        let Ok(meta) = path.metadata() else { return };
        self.files += 1;
        if self.files > MOST_FILES || depth > 10 || meta.len() > MOST_BYTES || !meta.is_file() {
            self.found = Some("git's configuration is too large to be checked.".to_owned());
            return;
        }
        let Some(settings) = std::fs::read_to_string(path).ok().as_deref().and_then(settings) else {
            self.found = Some(format!("git's configuration in {} is not understood.", path.display()));
            return;
        };
        for (key, value) in settings {
            if key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path")) {
                let target = match value.strip_prefix("~/") {
                    Some(rest) => self.home.join(rest),
                    None => path.parent().unwrap_or(Path::new("/")).join(&value),
                };
                self.file(&target, of_person, depth + 1);
            } else if names_a_program(&key, &value, of_person)
                || (self.alias.as_ref() == Some(&key) && value.starts_with('!'))
            {
                self.found = Some(format!(
                    "git's configuration ({}) sets `{key}`, which can run a program.",
                    path.display()
                ));
            }
        }
    }
}

/// Whether a setting makes a reading sub-command run a program or read elsewhere. `of_person`: from the person's own
/// files, where a pager or an editor is ordinary and, for a reading sub-command, not used.
fn names_a_program(key: &str, value: &str, of_person: bool) -> bool {
    let falsy = matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0" | "");
    let (first, last) = (key.split('.').next().unwrap_or(key), key.rsplit('.').next().unwrap_or(key));
    match (first, last) {
        ("core", "fsmonitor") | ("log", "showsignature") => !falsy,
        ("core", "hookspath" | "worktree" | "gitproxy" | "alternaterefscommand")
        | ("extensions", "partialclone") => true,
        ("filter", "clean" | "smudge" | "process") => true,
        ("diff", "external" | "command" | "textconv" | "trustexitcode") => key != "diff.trustexitcode",
        ("gpg", "program" | "defaultkeycommand") | ("merge", "driver") => true,
        ("remote", "promisor" | "uploadpack" | "receivepack" | "vcs") => true,
        ("blame", "ignorerevsfile") => true,
        ("trailer", "command" | "cmd") | ("interactive", "difffilter") => true,
        ("format", "pretty") | ("pretty", _) => value.contains("%G"),
        ("core", "pager" | "editor" | "askpass" | "sshcommand")
        | ("pager", _)
        | ("sequence", _)
        | ("credential", "helper") => !of_person && !falsy && value != "true",
        ("alias", _) => !of_person && value.starts_with('!'),
        ("submodule", "recurse") => !falsy,
        ("status" | "diff", "submodulesummary" | "submodule") => !falsy,
        _ => false,
    }
}

/// Whether an index has an entry of the kind `160000`, another repository inside of this one. A chance hit only asks.
fn holds_submodules(index: &Path) -> bool {
    const MOST_BYTES: u64 = 64 * 1024 * 1024;
    match index.metadata() {
        Ok(meta) if meta.len() > MOST_BYTES => true,
        Ok(_) => {
            std::fs::read(index).is_ok_and(|bytes| bytes.windows(4).any(|window| window == [0, 0, 0xe0, 0]))
        }
        Err(_) => false,
    }
}

/// The settings of a configuration file, keys in lower case but for the part between the dots. `None`: not understood.
fn settings(text: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut section = String::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    for line in joined.lines() {
        let mut line = line.trim();
        while let Some(rest) = line.strip_prefix('[') {
            let end = section_end(rest)?;
            section = section_name(&rest[..end])?;
            line = rest[end + 1..].trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (key, value) =
            line.split_once('=').map_or((line, "true"), |(key, value)| (key.trim(), value.trim()));
        if section.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return None;
        }
        found.push((format!("{section}.{}", key.to_ascii_lowercase()), unquoted(value)));
    }
    Some(found)
}

fn section_end(rest: &str) -> Option<usize> {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn section_name(inner: &str) -> Option<String> {
    match inner.split_once('"') {
        Some((name, sub)) => Some(format!("{}.{}", name.trim().to_ascii_lowercase(), sub.strip_suffix('"')?)),
        None => Some(inner.trim().to_ascii_lowercase()),
    }
}

fn unquoted(value: &str) -> String {
    let mut text = String::new();
    let mut quoted = false;
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' => text.extend(chars.next()),
            '#' | ';' if !quoted => break,
            c => text.push(c),
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(config: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("project/.git")).unwrap();
        std::fs::write(folder.path().join("project/.git/config"), config).unwrap();
        folder
    }

    fn found(config: &str) -> Option<String> {
        let folder = repository(config);
        danger(&folder.path().join("project"), folder.path())
    }

    #[test]
    fn an_ordinary_configuration_is_harmless() {
        let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[user]\n\tname = \"Dev; One\" ; comment\n";
        assert_eq!(found(config), None);
    }

    #[test]
    fn programs_are_found_however_they_are_written() {
        for config in [
            "[core]\n\tfsmonitor = ./run.sh\n",
            "[CORE]\nFsMonitor=./run.sh",
            "[filter \"x\"]\n\tclean = ./run.sh\n",
            "[filter.x]\nclean = ./run.sh\n",
            "[diff \"a]b\"] textconv = ./run.sh\n",
            "[diff]\nexternal = ./run.sh\n",
            "[gpg]\nprogram = ./run.sh\n",
            "[gpg \"ssh\"]\nprogram = ./run.sh\n",
            "[log]\nshowSignature = true\n",
            "[core]\nfsmon\\\nitor = ./run.sh\n",
            "[core\nfsmonitor = x\n",
        ] {
            assert!(found(config).is_some(), "{config}");
        }
    }

    #[test]
    fn included_files_count() {
        let folder = repository("[include]\n\tpath = ../extra\n");
        std::fs::write(folder.path().join("project/extra"), "[diff]\nexternal = ./run.sh\n").unwrap();
        assert!(danger(&folder.path().join("project"), folder.path()).is_some());
    }

    #[test]
    fn a_planted_bare_repository_is_seen() {
        let folder = repository("");
        let bare = folder.path().join("project/docs");
        std::fs::create_dir_all(bare.join("objects")).unwrap();
        std::fs::create_dir_all(bare.join("refs")).unwrap();
        std::fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        assert!(danger(&bare, folder.path()).is_some());
    }
}
