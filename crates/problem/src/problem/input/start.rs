//! The beginning of an input, without the byte order mark that some editors write.

/// Returns the byte order mark with which an input begins; nothing if it has none.
pub(super) fn mark(start: &[u8]) -> &[u8] {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if start.starts_with(MARK) { MARK } else { &[] }
}

/// Returns the beginning of an input without a byte order mark and white space.
pub(super) fn text(start: &[u8]) -> &[u8] {
    start[mark(start).len()..].trim_ascii_start()
}
