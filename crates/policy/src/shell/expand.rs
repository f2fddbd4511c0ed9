//! Expands braces, tildes and globs as bash does, so that flags and paths are checked in the form that the program
//! receives.

use super::word::{Unit, Word};
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::path::{Path, PathBuf};

/// The maximum number of words to which a word may expand.
pub(crate) const MOST_WORDS: usize = 512;
/// The maximum number of folder entries that are read for a glob.
const MOST_ENTRIES: usize = 20_000;

/// The reason why a word was not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unexpanded {
    /// Braces that this parser and bash might interpret differently.
    Braces,
    /// The word has too many results.
    TooMany,
    /// An unsupported glob construct.
    Glob,
    /// `~user`, `~+` and similar.
    Tilde,
}

impl Unexpanded {
    /// The reason in plain words.
    pub(crate) fn reason(self) -> Phrase {
        match self {
            Self::Braces => say::braces_whose_meaning_not(),
            Self::TooMany => say::expands_more_words_checked(),
            Self::Glob => say::pattern_file_names_not(),
            Self::Tilde => say::names_another_home_folder(),
        }
    }
}

/// Returns the words to which a word expands in the folder `cwd`.
pub(crate) fn expand(word: &Word, cwd: &Path, home: &Path) -> Result<Vec<String>, Unexpanded> {
    let mut words = Vec::new();
    for units in braces(&word.units)? {
        let units = tilde(units, home)?;
        if units.is_empty() && !word.was_quoted {
            continue;
        }
        if is_glob(&units) {
            words.extend(glob(&units, cwd)?);
        } else {
            words.push(plain(&units));
        }
        if words.len() > MOST_WORDS {
            return Err(Unexpanded::TooMany);
        }
    }
    Ok(words)
}

/// Returns the characters without the quoting flags.
pub(crate) fn plain(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.c).collect()
}

fn is(unit: &Unit, c: char) -> bool {
    !unit.quoted && unit.c == c
}

/// Expands braces. Everything except properly nested lists, plain sequences, and braces around a single plain word is
/// refused.
fn braces(units: &[Unit]) -> Result<Vec<Vec<Unit>>, Unexpanded> {
    let mut done: Vec<Vec<Unit>> = Vec::new();
    let mut waiting: Vec<(Vec<Unit>, usize)> = vec![(units.to_vec(), 0)];
    let mut steps = 0_usize;
    while let Some((units, from)) = waiting.pop() {
        steps += 1;
        if steps > 4 * MOST_WORDS {
            return Err(Unexpanded::TooMany);
        }
        let Some(open) = units.iter().skip(from).position(|unit| is(unit, '{')).map(|at| at + from) else {
            if units.iter().skip(from).any(|unit| is(unit, '}')) {
                return Err(Unexpanded::Braces);
            }
            done.push(units);
            continue;
        };
        if units[from..open].iter().any(|unit| is(unit, '}')) {
            return Err(Unexpanded::Braces);
        }
        let close = closing(&units, open).ok_or(Unexpanded::Braces)?;
        let inner = &units[open + 1..close];
        // Without a list or a sequence, braces are literal: `HEAD@{1}`, `HEAD^{tree}`.
        let is_literal =
            !inner.iter().any(|unit| is(unit, ',') || is(unit, '{')) && !plain(inner).contains("..");
        if is_literal {
            waiting.push((units, close + 1));
            continue;
        }
        let choices = alternatives(inner)?;
        // The choices are pushed in reverse, so that the results are in bash's order.
        for choice in choices.into_iter().rev() {
            let mut next = units[..open].to_vec();
            next.extend(choice);
            next.extend_from_slice(&units[close + 1..]);
            waiting.push((next, open));
        }
        if waiting.len() + done.len() > MOST_WORDS {
            return Err(Unexpanded::TooMany);
        }
    }
    Ok(done)
}

fn closing(units: &[Unit], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, unit) in units.iter().enumerate().skip(open) {
        if is(unit, '{') {
            depth += 1;
        } else if is(unit, '}') {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn alternatives(inner: &[Unit]) -> Result<Vec<Vec<Unit>>, Unexpanded> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0_usize;
    for unit in inner {
        if is(unit, '{') {
            depth += 1;
        } else if is(unit, '}') {
            depth -= 1;
        }
        if depth == 0 && is(unit, ',') {
            parts.push(Vec::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(*unit);
        }
    }
    if parts.len() > 1 {
        return Ok(parts);
    }
    sequence(inner).ok_or(Unexpanded::Braces)
}

/// Expands `{1..9}` and `{a..e}`, without a step and without leading zeros.
fn sequence(inner: &[Unit]) -> Option<Vec<Vec<Unit>>> {
    if inner.iter().any(|unit| unit.quoted) {
        return None;
    }
    let text = plain(inner);
    let (first, last) = text.split_once("..")?;
    let unit = |c| Unit { c, quoted: true };
    let letter = |text: &str| match text.as_bytes() {
        [c] if c.is_ascii_lowercase() => Some(*c),
        _ => None,
    };
    if let (Some(first), Some(last)) = (letter(first), letter(last)) {
        return (first <= last).then(|| (first..=last).map(|c| vec![unit(char::from(c))]).collect());
    }
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| number.to_string() == text);
    let (first, last) = (number(first)?, number(last)?);
    let few = last.checked_sub(first)? < 256;
    few.then(|| (first..=last).map(|n| n.to_string().chars().map(unit).collect()).collect())
}

fn tilde(units: Vec<Unit>, home: &Path) -> Result<Vec<Unit>, Unexpanded> {
    // In words that look like assignments, bash expands further tildes: `a=~` and `a=b:~`.
    if units.windows(2).any(|pair| matches!(pair[0].c, '=' | ':') && is(&pair[1], '~')) {
        return Err(Unexpanded::Tilde);
    }
    if !units.first().is_some_and(|unit| is(unit, '~')) {
        return Ok(units);
    }
    let end = units.iter().position(|unit| unit.c == '/').unwrap_or(units.len());
    let name = plain(&units[1..end]);
    // A quoted character in the name disables the expansion in bash: the word is then a name that starts with a
    // tilde.
    if units[1..end].iter().any(|unit| unit.quoted) {
        return Ok(units);
    }
    let own = home.file_name().is_some_and(|own| own.to_string_lossy() == name);
    if !name.is_empty() && !own {
        return Err(Unexpanded::Tilde);
    }
    let mut expanded: Vec<Unit> = home.to_string_lossy().chars().map(|c| Unit { c, quoted: true }).collect();
    expanded.extend_from_slice(&units[end..]);
    Ok(expanded)
}

fn is_glob(units: &[Unit]) -> bool {
    // A bracket that is never closed is literal: `[ -f x ]`.
    let closed = |at: usize| units[at + 1..].iter().any(|unit| unit.c == ']');
    units
        .iter()
        .enumerate()
        .any(|(at, unit)| !unit.quoted && (matches!(unit.c, '*' | '?') || (unit.c == '[' && closed(at))))
}

/// Returns the matching file names, sorted, or the word itself if nothing matches.
fn glob(units: &[Unit], cwd: &Path) -> Result<Vec<String>, Unexpanded> {
    let parts: Vec<&[Unit]> = units.split(|unit| unit.c == '/').collect();
    let absolute = units.first().is_some_and(|unit| unit.c == '/');
    let mut found: Vec<String> = vec![String::new()];
    let mut budget = MOST_ENTRIES;
    for (at, part) in parts.iter().enumerate() {
        let last = at + 1 == parts.len();
        let mut next = Vec::new();
        for prefix in &found {
            if !is_glob(part) {
                let text = format!("{prefix}{}{}", plain(part), if last { "" } else { "/" });
                if text == "/" || on_disk(cwd, &text).symlink_metadata().is_ok() {
                    next.push(text);
                }
                continue;
            }
            let mut names = matching(&on_disk(cwd, prefix), part, &mut budget)?;
            names.sort();
            for name in names {
                next.push(format!("{prefix}{name}{}", if last { "" } else { "/" }));
                if next.len() > MOST_WORDS {
                    return Err(Unexpanded::TooMany);
                }
            }
        }
        found = next;
    }
    debug_assert!(!absolute || found.iter().all(|word| word.starts_with('/')));
    if found.is_empty() { Ok(vec![plain(units)]) } else { Ok(found) }
}

fn on_disk(cwd: &Path, text: &str) -> PathBuf {
    cwd.join(text)
}

fn matching(folder: &Path, pattern: &[Unit], budget: &mut usize) -> Result<Vec<String>, Unexpanded> {
    let Ok(entries) = folder.read_dir() else { return Ok(Vec::new()) };
    let dotted = pattern.first().is_some_and(|unit| unit.c == '.');
    let mut names = Vec::new();
    for entry in entries.flatten() {
        *budget = budget.checked_sub(1).ok_or(Unexpanded::TooMany)?;
        // A name that is not valid UTF-8 cannot be judged as text.
        let name = entry.file_name().into_string().map_err(|_| Unexpanded::Glob)?;
        if name.starts_with('.') && !dotted {
            continue;
        }
        if matches(pattern, &name.chars().collect::<Vec<_>>())? {
            names.push(name);
        }
    }
    // Bash before 5.2 also matches the folder itself and its parent.
    for name in [".", ".."] {
        if dotted && matches(pattern, &name.chars().collect::<Vec<_>>())? {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Whether a name matches. The time is bounded by the length of the pattern times that of the name, because only the
/// last star is remembered.
fn matches(pattern: &[Unit], name: &[char]) -> Result<bool, Unexpanded> {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if p == pattern.len() && n == name.len() {
            return Ok(true);
        }
        let step = match pattern.get(p) {
            Some(unit) if is(unit, '*') => {
                star = Some((p + 1, n));
                p += 1;
                continue;
            }
            Some(unit) if is(unit, '[') => match (bracket(&pattern[p..])?, name.get(n)) {
                ((length, set), Some(c)) => set.holds(*c).then_some(length),
                (_, None) => None,
            },
            Some(unit) => name.get(n).is_some_and(|c| is(unit, '?') || *c == unit.c).then_some(1),
            None => None,
        };
        match (step, star) {
            (Some(length), _) => {
                p += length;
                n += 1;
            }
            (None, Some((after, from))) if from < name.len() => {
                star = Some((after, from + 1));
                p = after;
                n = from + 1;
            }
            (None, _) => return Ok(false),
        }
    }
}

struct Set {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Set {
    fn holds(&self, c: char) -> bool {
        // In bash, ranges depend on the locale, so letters match regardless of case.
        let any = self.ranges.iter().any(|(low, high)| {
            (*low..=*high).contains(&c)
                || (low != high
                    && ((*low..=*high).contains(&c.to_ascii_lowercase())
                        || (*low..=*high).contains(&c.to_ascii_uppercase())))
        });
        any != self.negated
    }
}

fn bracket(pattern: &[Unit]) -> Result<(usize, Set), Unexpanded> {
    let mut at = 1;
    let negated = pattern.get(at).is_some_and(|unit| is(unit, '!') || is(unit, '^'));
    if negated {
        at += 1;
    }
    let mut ranges = Vec::new();
    let first = at;
    loop {
        let unit = pattern.get(at).ok_or(Unexpanded::Glob)?;
        if unit.c == ']' && at > first {
            return Ok((at + 1, Set { negated, ranges }));
        }
        // Classes such as [[:alpha:]] and quoted parts are left to the user.
        if unit.quoted || unit.c == '[' {
            return Err(Unexpanded::Glob);
        }
        match (pattern.get(at + 1), pattern.get(at + 2)) {
            (Some(dash), Some(high)) if dash.c == '-' && high.c != ']' => {
                // With a negation, the wider interpretation of letter ranges would be the milder one.
                if negated {
                    return Err(Unexpanded::Glob);
                }
                ranges.push((unit.c, high.c));
                at += 3;
            }
            _ => {
                ranges.push((unit.c, unit.c));
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::lex;
    use super::*;

    fn words(raw: &str, cwd: &Path) -> Result<Vec<String>, Unexpanded> {
        expand(&lex(raw, &|_| None).unwrap(), cwd, Path::new("/home/dev"))
    }

    #[test]
    fn braces_and_tildes_expand_as_in_bash() {
        let here = Path::new("/nonexistent");
        assert_eq!(words("src/{main,lib}.rs", here).unwrap(), ["src/main.rs", "src/lib.rs"]);
        assert_eq!(words("{a,b{c,d}}", here).unwrap(), ["a", "bc", "bd"]);
        assert_eq!(words("{~/.ssh/id_rsa,README.md}", here).unwrap(), ["/home/dev/.ssh/id_rsa", "README.md"]);
        assert_eq!(words("x{1..3}", here).unwrap(), ["x1", "x2", "x3"]);
        assert_eq!(words("'{a,b}'", here).unwrap(), ["{a,b}"]);
        assert_eq!(words("{}", here).unwrap(), ["{}"]);
        assert_eq!(words("HEAD@{1}", here).unwrap(), ["HEAD@{1}"]);
        assert_eq!(words("@{u}..{a,b}", here).unwrap(), ["@{u}..a", "@{u}..b"]);
        assert_eq!(words("{a..b..c}", here), Err(Unexpanded::Braces));
        assert_eq!(words("{x{a,b}}", here), Err(Unexpanded::Braces));
        assert_eq!(words("~dev/x", here).unwrap(), ["/home/dev/x"]);
        assert_eq!(words("{a", here), Err(Unexpanded::Braces));
        assert_eq!(words("{1..99999}", here), Err(Unexpanded::Braces));
        assert_eq!(words("~root/x", here), Err(Unexpanded::Tilde));
        assert_eq!(words("a=b:~/x", here), Err(Unexpanded::Tilde));
        assert_eq!(words("HEAD~1", here).unwrap(), ["HEAD~1"]);
    }

    #[test]
    fn globs_are_matched_in_the_real_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.rs", "b.rs", ".hidden.rs", "--pre=sh", "c.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(words("*.rs", folder.path()).unwrap(), ["a.rs", "b.rs"]);
        assert_eq!(words("[ab].rs", folder.path()).unwrap(), ["a.rs", "b.rs"]);
        assert_eq!(words("*", folder.path()).unwrap(), ["--pre=sh", "a.rs", "b.rs", "c.txt"]);
        assert_eq!(words("*.zip", folder.path()).unwrap(), ["*.zip"]);
        assert_eq!(words("'*'.rs", folder.path()).unwrap(), ["*.rs"]);
    }
}
