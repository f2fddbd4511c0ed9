//! The user's own list of secrets: patterns from the settings, and the places that they match.

use super::fold;
use super::resolve::real_folder;
use crate::Situation;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A pattern of files and folders that the user protects from being read. Matching ignores case, and a folder that
/// matches includes everything below it.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct SecretPattern {
    /// The pattern as the user wrote it.
    text: String,
    anchor: Anchor,
    /// The part before the first wildcard, relative to the anchor, as written.
    literal: PathBuf,
    /// The part from the first wildcard, folded.
    rest: Option<GlobMatcher>,
}

/// The starting point of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Home,
    Root,
    Anywhere,
}

/// The reason why a text is not a valid pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PatternError {
    text: String,
    why: Phrase,
}

impl PatternError {
    /// The message about the error.
    pub fn phrase(&self) -> Phrase {
        say::names_no_secrets(&self.text, self.why.clone())
    }
}

deputy_messages::said_by_phrase!(PatternError);

impl SecretPattern {
    /// Parses a pattern such as `~/notes/private`, `/srv/keys` or `**/*.kdbx`.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let error = |why: Phrase| PatternError { text: text.to_owned(), why };
        let (anchor, below) = if let Some(below) = text.strip_prefix("~/") {
            (Anchor::Home, below)
        } else if text.starts_with("**/") {
            (Anchor::Anywhere, text)
        } else if let Some(below) = text.strip_prefix('/') {
            (Anchor::Root, below)
        } else {
            return Err(error(say::secrets_begin()));
        };
        let names: Vec<&str> = below.split('/').filter(|name| !name.is_empty()).collect();
        if names.iter().all(|name| *name == "**") {
            return Err(error(say::secrets_everything()));
        }
        if names.iter().any(|name| matches!(*name, "." | "..")) {
            return Err(error(say::secrets_lead_elsewhere()));
        }
        let is_wild = |name: &&str| name.contains(['*', '?', '[', ']', '{', '}', '\\']);
        let literal = names.iter().take_while(|name| !is_wild(name)).collect::<PathBuf>();
        let wild: Vec<String> =
            names.iter().skip_while(|name| !is_wild(name)).map(|name| fold::text(name)).collect();
        let rest = match wild.is_empty() {
            true => None,
            false => Some(
                GlobBuilder::new(&wild.join("/"))
                    .literal_separator(true)
                    .build()
                    .map_err(|why| error(why.kind().to_string().into()))?
                    .compile_matcher(),
            ),
        };
        Ok(Self { text: text.to_owned(), anchor, literal, rest })
    }

    /// Returns the pattern as the user wrote it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl TryFrom<String> for SecretPattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        Self::parse(&text)
    }
}

/// The list, resolved for the folders of a situation.
pub(super) struct Listed(Vec<Place>);

/// The place in which a pattern applies.
struct Place {
    /// The home directory or the root, and the path below it before the first wildcard. `None` if the pattern applies
    /// everywhere.
    at: Option<(PathBuf, PathBuf)>,
    /// The folded names of `at`, both with the path as given and with its real path.
    bases: Vec<Vec<String>>,
    rest: Option<GlobMatcher>,
}

impl Listed {
    pub(super) fn of(situation: &Situation) -> Self {
        let place = |pattern: &SecretPattern| {
            let at = match pattern.anchor {
                Anchor::Home => Some((situation.home.clone(), pattern.literal.clone())),
                Anchor::Root => Some((PathBuf::from("/"), pattern.literal.clone())),
                Anchor::Anywhere => None,
            };
            let whole = at.as_ref().map(|(base, below)| base.join(below));
            // A link on the way leads to the same files, which are judged by their real location.
            let mut bases = vec![whole.as_deref().map(fold::path).unwrap_or_default()];
            bases.extend(whole.as_deref().map(|at| fold::path(&real_folder(at))));
            bases.dedup();
            Place { at, bases, rest: pattern.rest.clone() }
        };
        Self(situation.secrets.iter().map(place).collect())
    }

    /// Whether the list is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a folded real path matches a pattern, or is below a match.
    pub(super) fn holds(&self, parts: &[String]) -> bool {
        self.0.iter().any(|place| {
            place.bases.iter().filter_map(|base| parts.strip_prefix(base.as_slice())).any(
                |below| match &place.rest {
                    None => true,
                    Some(rest) => (1..=below.len()).any(|end| rest.is_match(below[..end].join("/"))),
                },
            )
        })
    }

    /// Returns the places without a wildcard: the anchor folder, and the path below it.
    pub(super) fn named(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.0.iter().filter(|place| place.rest.is_none()).filter_map(Place::at)
    }

    /// Returns the folders in which a wildcard matches names, besides the task's own folders.
    pub(super) fn searched(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.0.iter().filter(|place| place.rest.is_some()).filter_map(Place::at)
    }
}

impl Place {
    fn at(&self) -> Option<(&Path, &Path)> {
        self.at.as_ref().map(|(base, below)| (base.as_path(), below.as_path()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_mean_nothing_or_everything_are_refused_with_the_reason() {
        for (text, reason) in [
            ("notes/private", "begin it with `~/`"),
            ("", "begin it with `~/`"),
            ("~", "begin it with `~/`"),
            ("~/", "it matches everything"),
            ("/", "it matches everything"),
            ("**/**", "it matches everything"),
            ("~/../other", "lead elsewhere"),
            ("~/[a", "unclosed character class"),
        ] {
            let error = SecretPattern::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains(&format!("`{text}`")), "{error}");
        }
    }
}
