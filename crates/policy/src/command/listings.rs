//! Which commands print names of files and nothing else, and which filters leave names as they are.

/// Whether a name is read as that name wherever it is among others.
pub(super) fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_./-+=,@".contains(c);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain)
}

/// Whether an option has a search print the names of files and nothing else.
pub(super) fn prints_names(arg: &str) -> bool {
    // Letters that take a value would make the rest of the bundle one.
    const LETTERS: &str = "rRnilLwxFEGPsaHI0Zzvc";
    match arg.strip_prefix("--") {
        Some(long) => matches!(long, "files" | "files-with-matches" | "files-without-match"),
        None => arg.strip_prefix('-').is_some_and(|letters| {
            letters.contains(['l', 'L']) && letters.chars().all(|letter| LETTERS.contains(letter))
        }),
    }
}

/// Whether a sub-command of git prints names of tracked files and nothing else.
pub(super) fn prints_tracked_names(name: &str, args: &[String]) -> bool {
    let options = || args.iter().take_while(|arg| *arg != "--").map(String::as_str);
    match name {
        "git grep" => options().any(prints_names),
        "git diff" => options().any(|arg| arg == "--name-only") && options().all(|arg| arg != "--no-index"),
        _ => false,
    }
}

/// Whether a filter prints only whole lines of what it reads.
pub(super) fn only_takes_away(argv: &[String]) -> bool {
    let (name, args) = argv.split_first().map_or(("", &[][..]), |(name, args)| (name.as_str(), args));
    match name {
        "sort" | "uniq" | "head" | "tail" => args.iter().enumerate().all(|(at, arg)| {
            // A number of its own would be the name of a file.
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
