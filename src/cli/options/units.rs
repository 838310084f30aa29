//! Parses times, counts and sizes with units, such as `30s`, `500k` and `2G`.

use std::time::Duration;

/// Splits a quantity into number and unit. The number may be a decimal fraction.
fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, &text[end..]))
}

/// Parses a time such as `500ms`, `30s`, `1.5m` or `2h`. A number without unit is in seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number with ms, s, m or h, such as 30s".to_owned();
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" | "" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Parses a count such as `1000000`, `500k`, `1M` or `2.5G`. Units are powers of 1000.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let wrong = || "write a whole number, or one with k, M or G, such as 500k".to_owned();
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let factor = match unit {
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return Err(wrong()),
    };
    whole(number * factor).ok_or_else(wrong)
}

/// Parses a size such as `64M` or `2G` and returns it in bytes, from 1 MiB to 1 TiB. Units are powers of 1024; a number
/// without unit is in MiB.
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || "write a size from 1M to 1024G, such as 256M or 2G".to_owned();
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let shift = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "k" => 10,
        "m" | "" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    let bytes = whole(number * f64::from(1 << 10) * 2f64.powi(shift - 10)).ok_or_else(wrong)?;
    usize::try_from(bytes).ok().filter(|bytes| (1 << 20..=1 << 40).contains(bytes)).ok_or_else(wrong)
}

/// Rounds to a whole number. Returns `None` for numbers below 0 and from 9e15 on.
fn whole(number: f64) -> Option<u64> {
    // An `f64` cannot represent every whole number above 2^53, which is about 9.007e15.
    #[allow(clippy::cast_sign_loss)]
    (0.0..9e15).contains(&number).then(|| number.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, ms) in [("500ms", 500), ("30s", 30_000), ("2m", 120_000), ("1h", 3_600_000), ("1.5", 1500)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1s", "3 days", "1e9999s", "10x", "999999999999999999999999h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts() {
        for (text, n) in
            [("0", 0), ("1000000", 1_000_000), ("500k", 500_000), ("1M", 1_000_000), ("2.5G", 2_500_000_000)]
        {
            assert_eq!(count(text), Ok(n), "{text}");
        }
        for text in ["", "M", "-1", "1.5", "1x", "99999999999999G"] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, n) in
            [("256M", 256 << 20), ("2G", 2 << 30), ("64", 64 << 20), ("1.5g", 3 << 29), ("2048KiB", 2 << 20)]
        {
            assert_eq!(bytes(text), Ok(n), "{text}");
        }
        for text in ["", "0", "1k", "-1G", "2048G", "1P"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
