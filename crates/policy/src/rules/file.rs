//! The rules file: read, checked against its own examples, and refused as a whole when anything is wrong.

use super::argv::{ArgvPattern, More};
use super::{Matcher, Rule, split, time};
use crate::subject::Subject;
use deputy_protocol::{Confinement, Decision, PathOperation};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::value::Datetime;

/// The largest rules file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The most memory that one compiled pattern may take, in bytes, so that no rule makes every decision slow.
const MAX_PATTERN_BYTES: usize = 1 << 18;
/// The deepest nesting of a pattern.
const MAX_PATTERN_DEPTH: u32 = 50;

/// Why a rules file is not used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// It cannot be read.
    #[error("cannot read the rules in {}: {source}; until it can be read everything asks", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is larger than a rules file can be.
    #[error("the rules in {} are larger than {MAX_FILE_BYTES} bytes; until they are shorter everything asks", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// Something in it is wrong.
    #[error("{}:{line}: {reason}; until it is fixed, everything asks", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    rule: Vec<Spanned<RawRule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    effect: Decision,
    tool: Option<String>,
    argv: Option<Vec<String>>,
    pattern: Option<String>,
    within: Option<String>,
    expires: Option<Datetime>,
    confinement: Option<Confinement>,
    #[serde(default)]
    examples: RawExamples,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExamples {
    #[serde(default, rename = "match")]
    matching: Vec<String>,
    #[serde(default)]
    not_match: Vec<String>,
}

pub(super) fn load(path: &Path) -> Result<Vec<Rule>, RulesError> {
    let unreadable = |source| RulesError::Unreadable { path: path.to_owned(), source };
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > MAX_FILE_BYTES => {
            return Err(RulesError::TooLarge { path: path.to_owned() });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Ok(_) | Err(_) => {}
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    parse(&text).map_err(|(line, reason)| RulesError::Invalid { path: path.to_owned(), line, reason })
}

/// The rules of a text; the error is a line and what is wrong there.
pub(super) fn parse(text: &str) -> Result<Vec<Rule>, (usize, String)> {
    let line_of = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
    let file: RawFile = toml::from_str(text).map_err(|error| {
        (line_of(error.span().map_or(0, |span| span.start)), error.message().trim().to_owned())
    })?;
    file.rule
        .into_iter()
        .map(|raw| {
            let line = line_of(raw.span().start);
            check(raw.into_inner(), line).map_err(|reason| (line, reason))
        })
        .collect()
}

fn check(raw: RawRule, line: usize) -> Result<Rule, String> {
    let what = matcher(&raw)?;
    let tool = match (&what, raw.tool) {
        (Some(Matcher::Argv(_)), None) => "shell".to_owned(),
        (Some(Matcher::Argv(_)), Some(tool)) if tool != "shell" => {
            return Err(format!("`argv` speaks about commands, but the tool is `{tool}`"));
        }
        (_, Some(tool)) => tool,
        (_, None) => return Err("the rule names no `tool`".to_owned()),
    };
    if what.is_none() && raw.effect == Decision::Allow {
        return Err("a rule that allows needs `argv` or `pattern`".to_owned());
    }
    let rule = Rule {
        effect: raw.effect,
        tool,
        what,
        within: raw.within.as_deref().map(folder).transpose()?,
        expires_at_ms: match raw.expires {
            Some(moment) => Some(time::to_ms(&moment).ok_or("`expires` needs a date")?),
            None => None,
        },
        confinement: raw.confinement,
        line,
    };
    check_examples(&rule, &raw.examples)?;
    Ok(rule)
}

fn matcher(raw: &RawRule) -> Result<Option<Matcher>, String> {
    match (&raw.argv, &raw.pattern) {
        (Some(_), Some(_)) => Err("a rule has `argv` or `pattern`, not both".to_owned()),
        (Some(argv), None) => {
            let allows_more = argv.last().is_some_and(|word| word == "*");
            let words = argv[..argv.len() - usize::from(allows_more)].to_vec();
            if words.is_empty() {
                return Err("`argv` names no program".to_owned());
            }
            let more = if allows_more { More::Anything } else { More::Nothing };
            Ok(Some(Matcher::Argv(ArgvPattern { words, more })))
        }
        (None, Some(pattern)) => compile(pattern, raw.effect).map(|pattern| Some(Matcher::Pattern(pattern))),
        (None, None) => Ok(None),
    }
}

fn compile(pattern: &str, effect: Decision) -> Result<Regex, String> {
    RegexBuilder::new(&format!("^(?:{pattern})$"))
        .size_limit(MAX_PATTERN_BYTES)
        .dfa_size_limit(MAX_PATTERN_BYTES)
        .nest_limit(MAX_PATTERN_DEPTH)
        // A line feed in a word must not slip past a rule that denies, nor into one that allows.
        .dot_matches_new_line(effect != Decision::Allow)
        .build()
        .map_err(|error| format!("`pattern` is not a regular expression that can be used: {error}"))
}

fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_absolute() || path.starts_with("~") {
        Ok(path)
    } else {
        Err(format!("`within` is `{text}`, but must begin with `/` or `~/`"))
    }
}

fn check_examples(rule: &Rule, examples: &RawExamples) -> Result<(), String> {
    let Some(what) = &rule.what else {
        return if examples.matching.is_empty() && examples.not_match.is_empty() {
            Ok(())
        } else {
            Err("a rule without `argv` and `pattern` matches everything; it needs no examples".to_owned())
        };
    };
    for example in &examples.matching {
        if !what.covers(rule.effect, &subject(&rule.tool, example)?) {
            return Err(format!("the rule should match `{example}`, but does not"));
        }
    }
    for example in &examples.not_match {
        if what.covers(rule.effect, &subject(&rule.tool, example)?) {
            return Err(format!("the rule should not match `{example}`, but does"));
        }
    }
    Ok(())
}

/// What an example of a rule about `tool` stands for.
fn subject(tool: &str, example: &str) -> Result<Subject, String> {
    match tool {
        "shell" => split(example)
            .map(|argv| Subject::Command { argv })
            .ok_or_else(|| format!("the example `{example}` is not one simple command")),
        "url" => crate::url::origin(example)
            .map(|origin| Subject::Origin { origin })
            .ok_or_else(|| format!("the example `{example}` is not an address")),
        _ => Ok(Subject::Path { operation: PathOperation::Read, real: PathBuf::from(example) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::canonical;

    const GOOD: &str = r#"
[[rule]]
effect = "deny"
argv = ["git", "push"]
examples = { match = ["git push origin", "git -c a.b=c push"], not_match = ["git pull"] }

[[rule]]
effect = "allow"
tool = "shell"
pattern = "npm (test|run lint)"
within = "~/projects"
expires = 2027-01-01
confinement = "workspace"
examples = { match = ["npm  test"], not_match = ["npm test x", "npm run lint2"] }

[[rule]]
effect = "ask"
tool = "url"
pattern = "https://.*"
"#;

    #[test]
    fn a_good_file_is_read_with_the_lines_of_its_rules() {
        let rules = parse(GOOD).unwrap();
        assert_eq!(rules.iter().map(|rule| rule.line).collect::<Vec<_>>(), [2, 7, 16]);
        assert_eq!(rules[1].confinement, Some(Confinement::Workspace));
        let described: Vec<String> = rules.iter().map(Rule::describe).collect();
        assert_eq!(
            described,
            [
                "deny shell git push",
                "allow shell ^(?:npm (test|run lint))$, within ~/projects",
                "ask url ^(?:https://.*)$",
            ]
        );
    }

    #[test]
    fn a_wrong_file_names_the_line_and_the_reason() {
        let cases = [
            ("[[rule]]\neffect = \"allow\"\nargv = [\"ls\"]\ntypo = 1", 4, "unknown field `typo`"),
            ("\n[[rule]]\neffect = \"perhaps\"", 3, "unknown variant `perhaps`"),
            ("[[rule]\n", 1, ""),
            ("[[rule]]\neffect = \"deny\"", 1, "names no `tool`"),
            ("[[rule]]\neffect = \"allow\"\ntool = \"read\"", 1, "needs `argv` or `pattern`"),
            ("[[rule]]\neffect = \"allow\"\nargv = []", 1, "names no program"),
            ("[[rule]]\neffect = \"allow\"\nargv = [\"*\"]", 1, "names no program"),
            ("[[rule]]\neffect = \"allow\"\nargv = [\"a\"]\npattern = \"a\"", 1, "not both"),
            ("[[rule]]\neffect = \"deny\"\ntool = \"url\"\nargv = [\"a\"]", 1, "the tool is `url`"),
            ("[[rule]]\neffect = \"deny\"\ntool = \"read\"\npattern = \"(\"", 1, "regular expression"),
            (
                "[[rule]]\neffect = \"deny\"\ntool = \"read\"\npattern = \"(a{1000}){1000}\"",
                1,
                "regular expression",
            ),
            ("[[rule]]\neffect = \"deny\"\nargv = [\"a\"]\nwithin = \"x\"", 1, "must begin with"),
            ("[[rule]]\neffect = \"deny\"\nargv = [\"a\"]\nexpires = 12:00:00", 1, "needs a date"),
            (
                "\n\n[[rule]]\neffect = \"allow\"\nargv = [\"ls\"]\nexamples = { match = [\"ls -l\"] }",
                3,
                "should match",
            ),
            (
                "[[rule]]\neffect = \"deny\"\nargv = [\"ls\"]\nexamples = { not_match = [\"ls -l\"] }",
                1,
                "should not",
            ),
            (
                "[[rule]]\neffect = \"deny\"\nargv = [\"ls\"]\nexamples = { match = [\"ls; id\"] }",
                1,
                "simple command",
            ),
        ];
        for (text, line, reason) in cases {
            let (found_line, found) = parse(text).unwrap_err();
            assert!(found.contains(reason), "{text}: {found}");
            assert_eq!(found_line, line, "{text}: {found}");
        }
    }

    #[test]
    fn the_canonical_text_of_a_command_is_what_patterns_see() {
        let rules = parse("[[rule]]\neffect=\"deny\"\ntool=\"shell\"\npattern=\"echo 'a b'\"").unwrap();
        let argv: Vec<String> = ["echo", "a b"].map(str::to_owned).into();
        assert_eq!(canonical(&argv), "echo 'a b'");
        assert!(rules[0].what.as_ref().unwrap().covers(Decision::Deny, &Subject::Command { argv }));
    }
}
