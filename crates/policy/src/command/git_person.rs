//! The user's own git settings that start no program and refer to nothing else. Git receives them in commands that
//! the user did not approve, so that `git config user.name` answers, and `git status` respects the user's global
//! ignore list.

use super::git_config::Setting;
use super::loans::settings_of_person;
use std::path::{Path, PathBuf};

/// The part of the user's settings that git receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitSettings {
    /// The settings in the format of git's configuration files. Conditional settings (`includeIf`) and those that are
    /// not plain are left out.
    pub text: String,
    /// The user's global ignore file, which may not exist.
    pub ignored: PathBuf,
}

/// Reads the settings from the files in a home directory.
pub fn git_settings(home: &Path) -> GitSettings {
    let mut settings = GitSettings { text: String::new(), ignored: home.join(".config/git/ignore") };
    for Setting { key, value } in settings_of_person(home) {
        let Some(value) = value else { continue };
        if key == "core.excludesfile" {
            settings.ignored =
                value.strip_prefix("~/").map_or_else(|| PathBuf::from(&value), |rest| home.join(rest));
        } else if is_harmless(&key) && !value.contains(['\n', '\0']) {
            settings.text += &line(&key, &value);
        }
    }
    settings
}

/// Whether a setting only identifies the user or formats git's output.
fn is_harmless(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "init.defaultbranch",
        "core.quotepath",
        "core.autocrlf",
        "core.eol",
        "core.ignorecase",
        "core.precomposeunicode",
        "core.abbrev",
        "log.date",
        "log.abbrevcommit",
        "log.decorate",
        "log.follow",
        "diff.algorithm",
        "diff.renames",
        "diff.noprefix",
        "diff.mnemonicprefix",
        "diff.context",
        "status.short",
        "status.branch",
        "status.relativepaths",
        "status.showuntrackedfiles",
        "merge.conflictstyle",
        "push.default",
        "push.autosetupremote",
        "pull.rebase",
        "pull.ff",
        "fetch.prune",
        "rebase.autosquash",
        "rebase.autostash",
        "commit.gpgsign",
        "tag.gpgsign",
        "gpg.format",
    ];
    const PEOPLE: [&str; 3] = ["user", "author", "committer"];
    let is_about_people = || {
        key.split_once('.').is_some_and(|(section, name)| {
            PEOPLE.contains(&section) && matches!(name, "name" | "email" | "signingkey")
        })
    };
    KEYS.contains(&key) || is_about_people()
}

fn line(key: &str, value: &str) -> String {
    let Some((section, name)) = key.split_once('.') else { return String::new() };
    let value = value.replace('\\', r"\\").replace('"', "\\\"").replace('\t', r"\t");
    format!("[{section}]\n\t{name} = \"{value}\"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_the_person_is_stays_and_what_starts_programs_goes() {
        let home = tempfile::tempdir().unwrap();
        let written = "[user]\n\tname = Ann \"A.\" O'Neil # me\n\temail = a@b.c\n[core]\n\teditor = vim\n\tpager = less\n\tsshCommand = ssh -i x\n\texcludesFile = ~/ignored\n\tfsmonitor = ./x\n\
            [alias]\n\tx = !rm -rf /\n[credential]\n\thelper = store\n[include]\n\tpath = more\n[includeIf \"gitdir:~/work/\"]\n\tpath = work\n[log]\n\tdate = iso\n\tshowSignature = true\n[diff]\n\texternal = x\n[url \"x\"]\n\tinsteadOf = y\n";
        std::fs::write(home.path().join(".gitconfig"), written.replace("Ann \"A.\"", "Ann")).unwrap();
        std::fs::write(home.path().join("more"), "[init]\n\tdefaultBranch = trunk\n").unwrap();
        std::fs::write(home.path().join("work"), "[user]\n\temail = work@b.c\n").unwrap();
        let settings = git_settings(home.path());
        let expected = "[user]\n\tname = \"Ann O'Neil\"\n[user]\n\temail = \"a@b.c\"\n[init]\n\tdefaultbranch = \"trunk\"\n[log]\n\tdate = \"iso\"\n";
        assert_eq!(settings.text, expected);
        assert_eq!(settings.ignored, home.path().join("ignored"));
        assert_eq!(git_settings(Path::new("/nonexistent")).text, "");
    }
}
