//! Quantities with units: times, counts and sizes as people type them.

use std::time::Duration;

/// The number and its unit; fractions are allowed.
fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, &text[end..]))
}

/// `500ms`, `30s`, `1.5m`, `2h`; a bare number is in seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
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

/// `1000000`, `500k`, `1M`, `2.5G`.
pub(super) fn count(text: &str) -> Result<u64, String> {
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

/// `64M`, `2G`, in powers of 1024; a bare number is in MiB. From 1 MiB to 1 TiB.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
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

/// The whole number next to this one, unless it is out of all proportion.
fn whole(number: f64) -> Option<u64> {
    // Beyond 2^53 whole numbers are no longer told apart.
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
