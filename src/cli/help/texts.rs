//! The parts of the help that are more than the help of one argument: the first page, and the flags of `popeye`.

/// The help of the program itself: it fits a screen and leads to the other pages.
pub(crate) const SHORT_HELP: &str = include_str!("short.txt");

/// The flags of `popeye`.
pub(crate) const POPEYE_FLAGS: &str = include_str!("popeye.txt").trim_ascii_end();

#[cfg(test)]
mod tests {
    #[test]
    fn the_short_help_fits_a_screen() {
        assert!(super::SHORT_HELP.lines().count() <= 25);
        assert!(super::SHORT_HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
