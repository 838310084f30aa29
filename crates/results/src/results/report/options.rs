//! The parts and the size of a report.
//!
//! [`ReportOptions::add_full`] switches on set play, the phases side by side, themes, and tries if none are asked for.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The parts and the size of a report.
// Each part of a report is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReportOptions {
    /// The greatest number of refutations of a try, at least 1; `None`: tries are not reported.
    pub tries: Option<u16>,
    /// Whether tries are left out on which no defence loses. Default: no.
    #[serde(skip)]
    pub tries_with_play: bool,
    /// Whether the set play is reported.
    pub set_play: bool,
    /// Whether the phases that the report has are set side by side. Default: no.
    #[serde(skip)]
    pub phases_table: bool,
    /// Whether themes are looked for, in the phases that the report has. Default: no.
    #[serde(skip)]
    pub themes: bool,
    /// Whether the diagram stands after the key: the defender is to move, and the key counts as the first move.
    pub post_key: bool,
    /// Whether variations are shown that mate faster than the threat.
    pub short_variations: bool,
    /// The parts of the report. The JSON says whether they are the soundness only.
    #[serde(rename = "soundness_only", serialize_with = "soundness_only")]
    pub extent: Extent,
    /// Whether threats are looked for. Without them every defence is shown, as after a check. Default: yes.
    #[serde(skip)]
    pub threats: bool,
    /// Whether the play after a key that mates sooner than stipulated has all stipulated moves, so that a threat may be
    /// as long as these allow. Default: no, the play has the moves that the key needs.
    #[serde(skip)]
    pub full_length: bool,
    /// The greatest number of plays in the tree. Default: 20,000.
    pub max_tree_nodes: usize,
    /// The number of solutions that the composer intends, at least 1. Default: 1.
    pub intended_solutions: u16,
    /// The last move of the attacker to which the play is written, the key being move 1; `None`: all play. Only the
    /// output formats limit the depth.
    pub depth: Option<u16>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature is that of a field
fn soundness_only<S: Serializer>(extent: &Extent, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*extent == Extent::Soundness)
}

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            tries: None,
            tries_with_play: false,
            set_play: false,
            phases_table: false,
            themes: false,
            extent: Extent::WholeSolution,
            post_key: false,
            short_variations: false,
            threats: true,
            full_length: false,
            max_tree_nodes: 20_000,
            intended_solutions: 1,
            depth: None,
        }
    }
}

impl ReportOptions {
    /// Adds everything that a composer may want to see: set play, tries if these options say nothing about them, the
    /// phases side by side, the themes.
    pub fn add_full(&mut self) {
        self.add_asked(true, Some(1));
        (self.phases_table, self.themes) = (true, true);
    }

    /// Sets which tries are reported.
    pub fn show(&mut self, tries: Option<Tries>) {
        self.tries = tries.map(|tries| tries.refutations);
        self.tries_with_play = tries.is_some_and(|tries| tries.with_play);
    }

    /// Returns these options after a change of its fields. Other crates use this instead of writing all fields.
    ///
    /// ```
    /// use matesolve::results::report::ReportOptions;
    ///
    /// let options = ReportOptions::default().with(|options| options.tries = Some(1));
    /// assert_eq!((options.tries, options.set_play), (Some(1), false));
    /// ```
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut ReportOptions)) -> ReportOptions {
        change(&mut self);
        self
    }

    /// Adds the parts that the text of a problem asks for itself: set play, and tries if these options say nothing
    /// about them.
    ///
    /// ```
    /// use matesolve::results::report::ReportOptions;
    ///
    /// let mut options = ReportOptions::default().with(|options| options.tries = Some(1));
    /// options.add_asked(true, Some(3));
    /// assert_eq!((options.tries, options.set_play), (Some(1), true));
    /// ```
    pub fn add_asked(&mut self, set_play: bool, tries: Option<u16>) {
        self.set_play |= set_play;
        self.tries = self.tries.or(tries);
    }
}

/// The tries to report, as people write them: `2` (at most two refutations), `play` (some defence loses), `2,play`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    /// The greatest number of refutations, from 1 to 100.
    pub refutations: u16,
    /// Whether tries are left out on which no defence loses.
    pub with_play: bool,
}

impl FromStr for Tries {
    type Err = String;

    fn from_str(text: &str) -> Result<Tries, String> {
        let (number, with_play) = match text {
            "play" => ("1", true),
            text => text.strip_suffix(",play").map_or((text, false), |number| (number, true)),
        };
        let refutations = number.parse().ok().filter(|number| (1..=100).contains(number));
        let wrong =
            || format!("\"{text}\" says of no tries; write a number of refutations from 1 to 100, play, or 2,play");
        refutations.map(|refutations| Tries { refutations, with_play }).ok_or_else(wrong)
    }
}

/// The extent of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// The verdict, the keys, and the solution tree with all that is asked for.
    #[default]
    WholeSolution,
    /// The verdict, the keys, and with their refutations the tries that are asked for; also the set play, but no play
    /// after keys and tries.
    FirstMoves,
    /// The verdict and the keys only. The search ends when all first moves are decided.
    Soundness,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_read() {
        for (text, refutations, with_play) in
            [("1", 1, false), ("100", 100, false), ("play", 1, true), ("2,play", 2, true)]
        {
            assert_eq!(text.parse(), Ok(Tries { refutations, with_play }), "{text}");
        }
        for text in ["", "0", "101", "-1", "2,", ",play", "play,2", "2, play", "all"] {
            assert!(text.parse::<Tries>().is_err(), "{text}");
        }
    }

    #[test]
    fn full_adds_to_what_is_asked_and_the_parts_switch_on_nothing_else() {
        let full = ReportOptions::default().with(ReportOptions::add_full);
        assert_eq!((full.tries, full.set_play, full.phases_table, full.themes), (Some(1), true, true, true));
        let mut asked = ReportOptions { tries: Some(3), ..ReportOptions::default() };
        asked.add_full();
        assert_eq!(asked, ReportOptions { tries: Some(3), ..full });
    }
}
