//! Settings for a single git command that start no program and refer to nothing else: the committer and the date, the
//! format of the output, and an editor that changes nothing, as used in scripts.

/// Programs that exit immediately and leave their arguments unchanged.
const NO_EDITORS: &[&str] = &["true", ":", "/bin/true", "/usr/bin/true"];

/// Whether a variable in a leading assignment of git is one of these settings.
pub(crate) fn is_variable(name: &str, value: &str) -> bool {
    match name {
        "GIT_AUTHOR_NAME"
        | "GIT_AUTHOR_EMAIL"
        | "GIT_AUTHOR_DATE"
        | "GIT_COMMITTER_NAME"
        | "GIT_COMMITTER_EMAIL"
        | "GIT_COMMITTER_DATE"
        | "GIT_MERGE_AUTOEDIT"
        | "GIT_TERMINAL_PROMPT"
        | "GIT_OPTIONAL_LOCKS" => true,
        "GIT_EDITOR" | "GIT_SEQUENCE_EDITOR" | "EDITOR" | "VISUAL" => NO_EDITORS.contains(&value),
        "GIT_PAGER" | "PAGER" => value == "cat" || value.is_empty(),
        _ => false,
    }
}

/// Whether the setting after git's `-c` is one of these settings. Setting names are case-insensitive.
pub(crate) fn is_setting(setting: &str) -> bool {
    let Some((name, value)) = setting.split_once('=') else { return false };
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "user.name"
        | "user.email"
        | "author.name"
        | "author.email"
        | "committer.name"
        | "committer.email"
        | "init.defaultbranch"
        | "core.quotepath"
        | "merge.conflictstyle"
        | "pull.rebase"
        | "pull.ff" => true,
        "commit.gpgsign" | "tag.gpgsign" => matches!(value, "false" | "no" | "off" | "0" | ""),
        "core.editor" | "sequence.editor" => NO_EDITORS.contains(&value),
        "core.pager" => value == "cat" || value.is_empty(),
        _ => name.starts_with("advice.") || name.starts_with("color."),
    }
}

/// Whether a setting lets git take a submodule from a folder on this machine, as people write it in front of
/// `submodule add`. It decides only where the command may get its content, which the request shows.
pub(crate) fn lets_in(setting: &str) -> bool {
    setting.split_once('=').is_some_and(|(name, value)| {
        name.eq_ignore_ascii_case("protocol.file.allow") && matches!(value, "always" | "user")
    })
}

/// The words of git without such settings in front of its command.
pub(crate) fn without_settings(argv: &[String]) -> Vec<String> {
    let [git, rest @ ..] = argv else { return Vec::new() };
    let mut words = vec![git.clone()];
    let mut rest = rest;
    while let [option, value, more @ ..] = rest {
        match option.as_str() {
            "-c" if is_setting(value) => {}
            "-c" | "-C" => words.extend([option.clone(), value.clone()]),
            _ => break,
        }
        rest = more;
    }
    words.extend_from_slice(rest);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_starts_nothing_is_told_from_what_does() {
        for (name, value) in
            [("GIT_EDITOR", "true"), ("GIT_AUTHOR_DATE", "2026-01-01"), ("GIT_PAGER", "cat"), ("EDITOR", ":")]
        {
            assert!(is_variable(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("GIT_EDITOR", "vi"),
            ("GIT_EDITOR", "true; ./evil"),
            ("GIT_SSH_COMMAND", "true"),
            ("GIT_DIR", "x"),
            ("GIT_PAGER", "./cat"),
        ] {
            assert!(!is_variable(name, value), "{name}={value}");
        }
        for setting in
            ["user.name=A B", "Core.Editor=true", "commit.gpgSign=false", "color.ui=never", "advice.x=0"]
        {
            assert!(is_setting(setting), "{setting}");
        }
        for setting in [
            "core.editor",
            "core.editor=vim",
            "commit.gpgsign",
            "core.hooksPath=x",
            "alias.x=!sh",
            "user.signingkey=x",
        ] {
            assert!(!is_setting(setting), "{setting}");
        }
    }

    #[test]
    fn only_these_settings_are_left_out() {
        let of = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            without_settings(&words).join(" ")
        };
        assert_eq!(of("git -c core.editor=true -C sub -c user.name=A rebase -c x"), "git -C sub rebase -c x");
        assert_eq!(of("git -c alias.x=!sh -c color.ui=0 x"), "git -c alias.x=!sh x");
        assert_eq!(of("git -c"), "git -c");
    }
}
