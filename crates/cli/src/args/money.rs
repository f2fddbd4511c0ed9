//! Amounts of money, and the grouping of usage.

use clap::ValueEnum;

/// Parses an amount of money. Returns it in hundredths.
pub(crate) fn hundredths(text: &str) -> Result<u64, String> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let cents = format!("{rest:0<2}");
    let is_amount = cents.len() == 2 && !text.is_empty() && cents.bytes().all(|byte| byte.is_ascii_digit());
    let whole = if whole.is_empty() { "0" } else { whole };
    let amount = whole.parse::<u64>().ok().zip(cents.parse::<u64>().ok()).filter(|_| is_amount);
    amount
        .and_then(|(whole, cents)| whole.checked_mul(100)?.checked_add(cents))
        .ok_or_else(|| "give an amount with at most two places, e.g. 0.50".to_owned())
}

/// What usage is added up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UsageBy {
    Day,
    Task,
    Model,
    Backend,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_two_places_at_most() {
        let read = |text: &str| hundredths(text).ok();
        assert_eq!(
            [read("0.50"), read("2"), read(".5"), read("12.3")],
            [Some(50), Some(200), Some(50), Some(1_230)]
        );
        for wrong in ["", "0.505", "-1", "1,5", "x", "1.x", "99999999999999999999"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
