//! Possible effects of commands that are not known to be harmless, from a data file. The data only names risks; it
//! allows nothing.

use super::momentary::without_settings;
use crate::table::said;
use deputy_protocol::{Confinement, Phrase, Risk};
use schemars::JsonSchema;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

/// An effect that a command may have.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Effect {
    /// The first words of the commands that have the effect.
    commands: Vec<String>,
    /// The effect requires one of these flags, before a `--`.
    #[serde(default)]
    with: String,
    /// The flags of `with` only count before the sub-command.
    #[serde(default)]
    before: bool,
    /// The effect requires a word that contains one of these texts.
    #[serde(default)]
    having: Vec<String>,
    /// The effect does not apply if one of these is the word after those of `commands`. An empty string means that no
    /// word follows.
    #[serde(default)]
    unless: Vec<String>,
    /// The effect does not apply if one of these paths exists, relative to the folder in which the command runs. `{}`
    /// is the word after those of `commands`.
    #[serde(default)]
    unless_present: Vec<String>,
    /// The risk of the effect.
    pub(crate) risk: Risk,
    /// The reason in plain words: the id of a message.
    #[serde(deserialize_with = "said")]
    #[schemars(with = "String")]
    pub(crate) reason: Phrase,
    /// Whether the effect requires access to something outside the task. It does not occur on the task's own network.
    #[serde(default)]
    pub(crate) outward: bool,
    /// How wide the walls must be for the command to work.
    #[serde(default)]
    pub(crate) needs: Option<Confinement>,
    /// Whether the risk remains if the command can only change the folder, without a network.
    #[serde(default)]
    pub(crate) beyond: bool,
    /// Whether the command is meant to remove or overwrite files.
    #[serde(default)]
    pub(crate) removes: bool,
}

/// The data file of effects.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "What commands that are not known to be harmless may do")]
pub(crate) struct Source {
    /// The effects.
    effect: Vec<Effect>,
}

struct Effects {
    all: Vec<Effect>,
    by_program: HashMap<String, Vec<(usize, Vec<String>)>>,
}

fn read() -> Result<Effects, toml::de::Error> {
    let all = toml::from_str::<Source>(include_str!("../../data/effects.toml"))?.effect;
    let mut by_program: HashMap<String, Vec<(usize, Vec<String>)>> = HashMap::new();
    for (at, effect) in all.iter().enumerate() {
        for command in &effect.commands {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            by_program.entry(words[0].clone()).or_default().push((at, words));
        }
    }
    Ok(Effects { all, by_program })
}

static EFFECTS: LazyLock<Effects> =
    LazyLock::new(|| read().unwrap_or(Effects { all: Vec::new(), by_program: HashMap::new() }));

/// Whether the data has an entry for a command with at least `words` words: `python3 -m pytest`, but not every
/// module.
pub(crate) fn is_named(argv: &[String], words: usize) -> bool {
    let family = argv.first().map_or("", |program| program.split('.').next().unwrap_or(program));
    let known = EFFECTS.by_program.get(family).into_iter().flatten();
    known.map(|(_, named)| named).any(|named| {
        named.len() >= words && named.iter().skip(1).eq(argv.iter().skip(1).take(named.len() - 1))
    })
}

/// Returns all effects in the data of an argv in normal form that runs in the folder `cwd`. `written` is the argv as it
/// was written.
pub(crate) fn effects(argv: &[String], written: &[String], cwd: &Path) -> Vec<&'static Effect> {
    let known: &'static Effects = &EFFECTS;
    let Some(program) = argv.first() else { return Vec::new() };
    let family = program.split('.').next().unwrap_or(program);
    let mut found: Vec<&'static Effect> = Vec::new();
    for name in [program.as_str(), family] {
        for (at, words) in known.by_program.get(name).into_iter().flatten() {
            let effect = &known.all[*at];
            let begins = argv.iter().skip(1).take(words.len() - 1).eq(words.iter().skip(1));
            if begins
                && effect.fits(argv, written)
                && !effect.is_excepted(argv, words.len(), cwd)
                && !found.iter().any(|old| std::ptr::eq(*old, effect))
            {
                found.push(effect);
            }
        }
    }
    found
}

impl Effect {
    fn fits(&self, argv: &[String], written: &[String]) -> bool {
        let args = argv.get(1..).unwrap_or_default();
        let mut flags = args.split(|arg| arg == "--").next().unwrap_or_default();
        if self.before {
            flags = leading_options(written);
        }
        let with = self.with.is_empty()
            || self.with.split_whitespace().any(|flag| flags.iter().any(|arg| is_flag(arg, flag)));
        let having =
            self.having.is_empty() || args.iter().any(|arg| self.having.iter().any(|text| holds(arg, text)));
        with && having
    }

    /// Whether the words after the first ones exempt the command from the effect.
    fn is_excepted(&self, argv: &[String], words: usize, cwd: &Path) -> bool {
        let next = argv.iter().skip(words).find(|word| !word.starts_with('-') || self.unless.contains(word));
        let next = next.map_or("", String::as_str);
        let is_name = !next.is_empty() && !next.contains("..") && !next.starts_with('/');
        self.unless.iter().any(|word| word == next)
            || is_name && self.unless_present.iter().any(|place| cwd.join(place.replace("{}", next)).exists())
    }
}

/// Returns the words of an argv from its first option up to its sub-command. Their values are included only if
/// another option follows.
fn leading_options(argv: &[String]) -> &[String] {
    let args = argv.get(1..).unwrap_or_default();
    let is_option = |word: &String| word.starts_with('-');
    // An option may have a value: a word that another option follows belongs to the options.
    let mut end = 0;
    while let Some(at) = args.iter().skip(end).take(2).position(is_option) {
        end += at + 1;
    }
    if args.first().is_some_and(is_option) { &args[..end] } else { &[] }
}

/// Whether a word contains a text. A short flag must match as a flag: `list-units` does not contain `-u`.
fn holds(arg: &str, text: &str) -> bool {
    let is_short_flag = text.len() == 2 && text.starts_with('-');
    if is_short_flag { is_flag(arg, text) || arg.contains(&format!(" {text}")) } else { arg.contains(text) }
}

/// Whether a word is a flag, possibly abbreviated, with its value attached, or in a bundle.
fn is_flag(arg: &str, flag: &str) -> bool {
    if flag.starts_with("--") {
        let name = arg.split('=').next().unwrap_or(arg);
        return name == flag || (name.len() >= 5 && name.starts_with("--") && flag.starts_with(name));
    }
    if flag.len() > 2 {
        return arg.starts_with(flag);
    }
    let bundle = arg.len() <= 6 && arg.bytes().skip(1).all(|byte| byte.is_ascii_alphanumeric());
    arg.starts_with(flag)
        || (arg.starts_with('-') && !arg.starts_with("--") && bundle && arg.contains(&flag[1..]))
}

/// Returns the argv in normal form: without the program's folder, and with the options before a sub-command moved to
/// the end.
pub(crate) fn normal(argv: &[String]) -> Vec<String> {
    let Some(program) = argv.first() else { return Vec::new() };
    let name = program.rsplit('/').next().unwrap_or(program).to_owned();
    let argv = if name == "git" { Cow::Owned(without_settings(argv)) } else { Cow::Borrowed(argv) };
    let mut rest = argv[1..].iter().peekable();
    let with_value: &[&str] = match name.as_str() {
        "git" => &["-c", "-C", "--git-dir", "--work-tree", "--exec-path", "--config-env", "--namespace"],
        "docker" | "podman" => &["-H", "--host", "--context", "--config", "-l", "--log-level"],
        "npm" | "pnpm" | "yarn" => &["--prefix", "-C", "--dir", "--cwd"],
        "kubectl" | "helm" => &["-n", "--namespace", "--context", "--kubeconfig", "-s"],
        "systemctl" | "cargo" | "gh" | "pip" | "pip3" | "aws" | "go" | "terraform" => {
            &["-M", "-H", "--profile", "--region", "--config"]
        }
        _ => return std::iter::once(name).chain(rest.cloned()).collect(),
    };
    let mut options = Vec::new();
    while let Some(option) = rest.next_if(|word| word.starts_with('-')) {
        options.push(option.clone());
        if with_value.contains(&option.as_str()) {
            options.extend(rest.next().cloned());
        }
    }
    let mut words = vec![name];
    words.extend(rest.cloned());
    // The options are moved after the words that name the command, so that flags are still found.
    words.extend(options);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&'static Effect> {
        let written: Vec<String> = text.split(' ').map(str::to_owned).collect();
        effects(&normal(&written), &written, Path::new("/nonexistent"))
    }

    #[test]
    fn the_data_is_readable() {
        let effects = read().unwrap();
        assert!(effects.all.iter().all(|effect| effect.reason.ends_with('.')));
    }

    #[test]
    fn flags_count_however_they_are_written() {
        for text in [
            "git -c a=b push --force",
            "git -C x -c a=b status",
            "git --exec-path=x status",
            "curl -sd @x y",
            "mkfs.ext4 /dev/sdb1",
            "kill -9 -1",
            "pkill -u me",
            "pkill -9u me",
            "systemctl stop deputy",
        ] {
            assert!(found(text).iter().any(|effect| effect.risk == Risk::High), "{text}");
        }
        for text in [
            "git push",
            "git switch -c topic",
            "git commit -c HEAD",
            "cargo test -- --config x",
            "cargo clippy -- -D warnings",
            "rm -f build.log",
            "systemctl list-units",
        ] {
            assert!(found(text).iter().all(|effect| effect.risk < Risk::High), "{text}");
        }
    }
}
