//! The parts of the certificate format that its reader and its writer share: title, size of the header, checksum.

/// The first line of every certificate. The number is the version of the format.
pub(super) const TITLE: &str = "matesolve certificate 1";

/// The number of lines in the header, which stands before the first line of the proof.
pub(super) const HEADER_LINES: usize = 6;

/// Returns the checksum of these lines, each followed by a line feed: FNV-1a (Fowler, Noll, Vo), 64 bits, in
/// hexadecimal.
///
/// It changes whenever a single byte changes, because every step of the hash is a bijection of its state.
pub(super) fn checksum<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for line in lines {
        for &byte in line.as_bytes().iter().chain(b"\n") {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_fnv_1a() {
        // The second value is the offset basis that the authors of the algorithm publish.
        assert_eq!(checksum(["a"].into_iter()), "089bdc07b544e7b2");
        assert_eq!(checksum([].into_iter()), "cbf29ce484222325");
    }

    #[test]
    fn one_altered_byte_alters_the_checksum() {
        assert_ne!(checksum(["a8a7:b1a1"].into_iter()), checksum(["a8a7:b1a2"].into_iter()));
    }
}
