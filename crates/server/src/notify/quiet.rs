//! Quiet hours, in local time.

use deputy_messages::Phrase;
use deputy_messages::server as say;
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use std::str::FromStr;

/// Hours without notifications. They may span midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quiet {
    from: Time,
    until: Time,
}

/// The hours cannot be parsed.
#[derive(Debug, thiserror::Error)]
pub struct QuietError(String);

impl QuietError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        say::notify_quiet_names_no_hours(&self.0)
    }
}

deputy_messages::said_by_phrase!(QuietError);

impl FromStr for Quiet {
    type Err = QuietError;

    fn from_str(text: &str) -> Result<Self, QuietError> {
        let parts = text.split_once('-').map(|(from, until)| (from.trim().parse(), until.trim().parse()));
        match parts {
            Some((Ok(from), Ok(until))) if from != until => Ok(Self { from, until }),
            _ => Err(QuietError(text.to_owned())),
        }
    }
}

impl Quiet {
    /// Returns whether a time is within the quiet hours.
    pub fn covers(self, at_ms: i64) -> bool {
        let Ok(at) = Timestamp::from_millisecond(at_ms) else { return false };
        self.covers_time(at.to_zoned(TimeZone::system()).time())
    }

    fn covers_time(self, time: Time) -> bool {
        if self.from < self.until {
            self.from <= time && time < self.until
        } else {
            time >= self.from || time < self.until
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_go_over_midnight() {
        let night: Quiet = "22:00-07:00".parse().unwrap();
        let noon: Quiet = "12:00 - 13:30".parse().unwrap();
        let at = |text: &str| text.parse::<Time>().unwrap();
        for (time, is_night, is_noon) in [
            ("22:00", true, false),
            ("23:59", true, false),
            ("00:00", true, false),
            ("06:59", true, false),
            ("07:00", false, false),
            ("12:00", false, true),
            ("13:30", false, false),
            ("21:59", false, false),
        ] {
            assert_eq!(night.covers_time(at(time)), is_night, "{time}");
            assert_eq!(noon.covers_time(at(time)), is_noon, "{time}");
        }
        for text in ["", "22:00", "22-", "22:00-22:00", "25:00-07:00", "ten to six"] {
            assert!(text.parse::<Quiet>().is_err(), "{text}");
        }
    }
}
