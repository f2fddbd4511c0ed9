//! Reads the rules file and checks it against its own examples. The file is refused as a whole if anything in it is
//! wrong.

use super::argv::{ArgvPattern, More};
use super::pattern::Pattern;
use super::{Matcher, Rule, split, time};
use crate::subject::Subject;
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, PathOperation, Phrase};
use serde::Deserialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::value::Datetime;

/// The size of the largest rules file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The reason why a rules file is not used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file exceeds the maximum size of a rules file.
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The content of the file is invalid.
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, starting from 1.
        line: usize,
        /// The problem.
        reason: Phrase,
    },
}

impl RulesError {
    /// The message about the error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unreadable { path, source } => say::rules_unreadable(path.display(), source),
            Self::TooLarge { path } => say::rules_too_large(MAX_FILE_BYTES, path.display()),
            Self::Invalid { path, line, reason } => say::rules_invalid(line, path.display(), reason.clone()),
        }
    }
}

deputy_messages::said_by_phrase!(RulesError);

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

/// Parses the rules of a text. The error is a line and the problem in it.
pub(super) fn parse(text: &str) -> Result<Vec<Rule>, (usize, Phrase)> {
    let line_of = |offset: usize| 1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count();
    let file: RawFile = toml::from_str(text).map_err(|error| {
        (line_of(error.span().map_or(0, |span| span.start)), error.message().trim().into())
    })?;
    file.rule
        .into_iter()
        .map(|raw| {
            let line = line_of(raw.span().start);
            check(raw.into_inner(), line).map_err(|reason| (line, reason))
        })
        .collect()
}

fn check(raw: RawRule, line: usize) -> Result<Rule, Phrase> {
    let what = matcher(&raw)?;
    let tool = match (&what, raw.tool) {
        (Some(Matcher::Argv(_)), None) => "shell".to_owned(),
        (Some(Matcher::Argv(_)), Some(tool)) if tool != "shell" => {
            return Err(say::rule_argv_for_tool(tool));
        }
        (_, Some(tool)) => tool,
        (_, None) => return Err(say::rule_names_no_tool()),
    };
    if what.is_none() && raw.effect == Decision::Allow {
        return Err(say::rule_allows_everything());
    }
    let rule = Rule {
        effect: raw.effect,
        tool,
        what,
        within: raw.within.as_deref().map(folder).transpose()?,
        expires_at_ms: match raw.expires {
            Some(moment) => Some(time::to_ms(&moment).ok_or_else(say::rule_expires_without_date)?),
            None => None,
        },
        confinement: raw.confinement,
        line,
    };
    check_examples(&rule, &raw.examples)?;
    Ok(rule)
}

fn matcher(raw: &RawRule) -> Result<Option<Matcher>, Phrase> {
    match (&raw.argv, &raw.pattern) {
        (Some(_), Some(_)) => Err(say::rule_argv_and_pattern()),
        (Some(argv), None) => {
            let allows_more = argv.last().is_some_and(|word| word == "*");
            let words = argv[..argv.len() - usize::from(allows_more)].to_vec();
            if words.is_empty() {
                return Err(say::rule_names_no_program());
            }
            let more = if allows_more { More::Anything } else { More::Nothing };
            Ok(Some(Matcher::Argv(ArgvPattern { words, more })))
        }
        (None, Some(pattern)) => {
            let names = !matches!(raw.tool.as_deref(), Some("shell" | "url"));
            Pattern::compile(pattern, raw.effect, names).map(|pattern| Some(Matcher::Pattern(pattern)))
        }
        (None, None) => Ok(None),
    }
}

fn folder(text: &str) -> Result<PathBuf, Phrase> {
    let path = PathBuf::from(text);
    if path.is_absolute() || path.starts_with("~") { Ok(path) } else { Err(say::rule_within(text)) }
}

fn check_examples(rule: &Rule, examples: &RawExamples) -> Result<(), Phrase> {
    let Some(what) = &rule.what else {
        return if examples.matching.is_empty() && examples.not_match.is_empty() {
            Ok(())
        } else {
            Err(say::rule_needs_no_examples())
        };
    };
    for example in &examples.matching {
        if !what.covers(rule.effect, &subject(&rule.tool, example)?) {
            return Err(say::rule_example_matches_not(example));
        }
    }
    for example in &examples.not_match {
        if what.covers(rule.effect, &subject(&rule.tool, example)?) {
            return Err(say::rule_example_matches(example));
        }
    }
    Ok(())
}

/// Parses an example of a rule about `tool`.
fn subject(tool: &str, example: &str) -> Result<Subject, Phrase> {
    match tool {
        "shell" => split(example)
            .map(|argv| Subject::Command { argv })
            .ok_or_else(|| say::rule_example_not_simple(example)),
        "url" => crate::url::origin(example)
            .map(|origin| Subject::Origin { origin })
            .ok_or_else(|| say::rule_example_no_address(example)),
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
            ("[[rule]]\neffect = \"deny\"", 1, "has no `tool`"),
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
