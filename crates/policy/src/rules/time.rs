//! Converts dates of the rules file to milliseconds since the Unix epoch.

use toml::value::Datetime;

const DAY_MS: i64 = 86_400_000;

/// Returns the time of a date or a date with time. A date alone is its first moment, and a time without an offset is
/// in UTC. `None` for a time of day alone.
pub(super) fn to_ms(moment: &Datetime) -> Option<i64> {
    let date = moment.date?;
    let days = days_since_epoch(i64::from(date.year), i64::from(date.month), i64::from(date.day));
    let time_ms = moment.time.map_or(0, |time| {
        let seconds = time.second.map_or(0, i64::from);
        (i64::from(time.hour) * 3600 + i64::from(time.minute) * 60 + seconds) * 1000
    });
    let offset_ms = match moment.offset {
        Some(toml::value::Offset::Custom { minutes }) => i64::from(minutes) * 60_000,
        Some(toml::value::Offset::Z) | None => 0,
    };
    Some(days * DAY_MS + time_ms - offset_ms)
}

/// Returns the number of days from 1970-01-01 to a date of the Gregorian calendar (Howard Hinnant's
/// `days_from_civil`).
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_become_milliseconds() {
        let ms = |text: &str| to_ms(&text.parse().unwrap());
        assert_eq!(ms("1970-01-01"), Some(0));
        assert_eq!(ms("2000-03-01"), Some(951_868_800_000));
        assert_eq!(ms("2026-12-31T12:00:00Z"), Some(1_798_718_400_000));
        assert_eq!(ms("2026-12-31T14:00:00+02:00"), Some(1_798_718_400_000));
        assert_eq!(ms("12:00:00"), None);
    }
}
