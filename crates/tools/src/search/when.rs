//! Points in time as people write them: a date, or how long ago.

use deputy_messages::search as say;
use jiff::{Timestamp, civil, tz::TimeZone};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use std::borrow::Cow;

/// A point in time, parsed when the call is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The beginning of a local day, or a local time.
    At(civil::DateTime),
    /// A number of seconds before now.
    Ago(i64),
}

impl Moment {
    /// Returns the seconds since the Unix epoch.
    pub(crate) fn seconds(&self, now: Timestamp) -> i64 {
        match self {
            // A local time that does not exist, such as one skipped by daylight saving time, is moved to one that
            // exists.
            Self::At(at) => {
                TimeZone::system().to_ambiguous_timestamp(*at).compatible().unwrap_or(now).as_second()
            }
            Self::Ago(seconds) => now.as_second().saturating_sub(*seconds),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(unit) = text.chars().last().filter(|c| c.is_ascii_alphabetic())
            && let Ok(number) = text[..text.len() - 1].trim().parse::<u32>()
        {
            let hours = match unit {
                'h' => 1,
                'd' => 24,
                'w' => 7 * 24,
                _ => return None,
            };
            return Some(Self::Ago(i64::from(number) * hours * 3600));
        }
        // A date without a time means midnight.
        text.parse::<civil::DateTime>().ok().map(Self::At)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(say::no_moment(&text)))
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write() {
        let day = civil::date(2026, 1, 31);
        let cases = [
            ("2026-01-31", Some(Moment::At(day.at(0, 0, 0, 0)))),
            ("2026-01-31T12:30", Some(Moment::At(day.at(12, 30, 0, 0)))),
            ("7d", Some(Moment::Ago(7 * 86_400))),
            ("2w", Some(Moment::Ago(14 * 86_400))),
            ("12h", Some(Moment::Ago(12 * 3600))),
            ("yesterday", None),
            ("7", None),
            ("-7d", None),
            ("2026-02-30", None),
            ("", None),
            ("é", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Moment::parse(text), expected, "{text}");
        }
    }
}
