//! Recognizes commands that print only file names, and filters that leave names unchanged.

/// Whether a name is taken as a name in any position of a list.
pub(super) fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_./-+=,@".contains(c);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain)
}

/// Whether an option makes a search print file names only.
pub(super) fn prints_names(arg: &str) -> bool {
    // A letter that takes a value would use the rest of the bundle as its value.
    const LETTERS: &str = "rRnilLwxFEGPsaHI0Zzvc";
    match arg.strip_prefix("--") {
        Some(long) => matches!(long, "files" | "files-with-matches" | "files-without-match"),
        None => arg.strip_prefix('-').is_some_and(|letters| {
            letters.contains(['l', 'L']) && letters.chars().all(|letter| LETTERS.contains(letter))
        }),
    }
}

/// Whether a sub-command of git prints only names of tracked files.
pub(super) fn prints_tracked_names(name: &str, args: &[String]) -> bool {
    let options = || args.iter().take_while(|arg| *arg != "--").map(String::as_str);
    match name {
        "git grep" => options().any(prints_names),
        "git diff" => options().any(|arg| arg == "--name-only") && options().all(|arg| arg != "--no-index"),
        _ => false,
    }
}

/// Whether a filter prints only complete lines of its input.
pub(super) fn only_takes_away(argv: &[String]) -> bool {
    let (name, args) = argv.split_first().map_or(("", &[][..]), |(name, args)| (name.as_str(), args));
    match name {
        "sort" | "uniq" | "head" | "tail" => args.iter().enumerate().all(|(at, arg)| {
            // A separate number would be a file name.
            arg.starts_with('-') || at.checked_sub(1).is_some_and(|before| args[before] == "-n")
        }),
        "grep" => {
            let operands = args.iter().filter(|arg| !arg.starts_with('-')).count();
            operands == 1
                && args.iter().all(|arg| {
                    !arg.starts_with('-')
                        || matches!(arg.as_str(), "-v" | "-i" | "-E" | "-F" | "-vE" | "-iE" | "-z")
                })
        }
        _ => false,
    }
}
