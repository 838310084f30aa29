//! The stamp at the end of a report, which editors print below a problem: what was tested, by which program, and with
//! which result.
//!
//! ```text
//! C+ matesolve 0.1 (#3, whole, 3.1 s)
//! matesolve 0.1 (#3, cooked, whole, 3.1 s)
//! matesolve 0.1 (#3, not decided: 12 of 30 first moves; time limit reached, 10.0 s)
//! ```
//!
//! `C+` is what problemists write for *tested by computer, and sound*. It stands only if everything that was asked is
//! decided and the problem is sound; else the stamp says what is wrong or not decided. Of a report on one first move it
//! says whether that is a key.

use std::fmt;

use super::report::{Extent, Report, Soundness};

/// What a stamp says. `Display` writes it. A report of any kind of play makes its stamp from one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The stipulation; of several phases, their stipulations and their number: `#2, 3 phases`.
    pub question: String,
    /// What is wrong with the problem: `cooked`; `None` if nothing is known to be.
    pub fault: Option<String>,
    /// The extent of the question: `whole`, `keys`.
    pub asked: String,
    /// The open questions; `None` if everything that was asked is decided.
    pub open: Option<String>,
    /// The time of the report, in milliseconds.
    pub time_ms: u64,
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tested = if self.fault.is_none() && self.open.is_none() { "C+ " } else { "" };
        let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
        write!(f, "{tested}matesolve {version} ({}, ", self.question)?;
        if let Some(fault) = &self.fault {
            write!(f, "{fault}, ")?;
        }
        match &self.open {
            Some(open) => write!(f, "not decided: {open}, ")?,
            None => write!(f, "{}, ", self.asked)?,
        }
        write!(f, "{})", seconds(self.time_ms))
    }
}

/// Writes a time in milliseconds or seconds.
pub(crate) fn seconds(ms: u64) -> String {
    if ms < 1000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1000, ms % 1000 / 100) }
}

impl Report {
    /// Returns the stamp of this report; `None` if there is no report (then [`Report::error`] says why).
    pub fn stamp(&self) -> Option<Stamp> {
        let is_whole = !self.phases.is_empty();
        if !is_whole && (self.error.is_some() || self.position.is_none()) {
            return None;
        }
        Some(Stamp {
            question: self.stamped_question(),
            fault: self.fault(),
            asked: self.question(),
            open: if is_whole { self.open_phases() } else { self.open() },
            time_ms: self.stats.time_ms,
        })
    }

    /// Returns the stipulation, with its length if that is not stated but known.
    fn stamped_question(&self) -> String {
        if !self.phases.is_empty() {
            let mut texts: Vec<String> = Vec::new();
            for text in self.phases.iter().filter(|phase| phase.error.is_none()).map(Report::stamped_question) {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts.push(format!("{} phases", self.phases.len()));
            return texts.join(", ");
        }
        let Some(question) = &self.stipulation else { return "?".to_owned() };
        if let Some(why) = &self.why {
            return format!("{} after 1. {}", question.text(), why.first.san);
        }
        let length = self.verdict.mate_in.filter(|_| question.moves().is_none());
        format!("{}{}", question.text(), length.map_or_else(String::new, |moves| moves.to_string()))
    }

    fn fault(&self) -> Option<String> {
        if self.why.is_some() && self.verdict.soundness != Soundness::Undecided {
            // A key alone does not make a problem sound.
            return Some(if self.verdict.mate_in.is_some() { "a key" } else { "no key" }.to_owned());
        }
        let word = match self.verdict.soundness {
            Soundness::Sound | Soundness::Undecided => return None,
            Soundness::Cooked => "cooked",
            Soundness::ShortSolution => "short solution",
            Soundness::Incomplete => "fewer solutions than intended",
            Soundness::NoSolution if self.keys.is_empty() => "no solution",
            Soundness::NoSolution => "fewer keys than intended",
        };
        let phase = self.phase.as_ref().filter(|_| !self.phases.is_empty());
        Some(phase.map_or_else(|| word.to_owned(), |name| format!("{word} in phase {}", name.short())))
    }

    /// Returns whether set play and tries were looked for: not every kind of help play has set play, and none has
    /// tries.
    fn made(&self) -> (bool, bool) {
        let of_phases = self.phases.iter().filter(|phase| phase.error.is_none()).map(Report::made);
        of_phases.reduce(|one, other| (one.0 || other.0, one.1 || other.1)).unwrap_or_else(|| match &self.help {
            Some(help) => (help.set_play.is_some(), false),
            None => (self.options.set_play, self.options.tries.is_some()),
        })
    }

    /// Returns what was asked.
    fn question(&self) -> String {
        let options = &self.options;
        let is_helped = self.help.is_some() || self.phases.iter().any(|phase| phase.help.is_some());
        let keys = if is_helped { "soundness" } else { "keys" };
        let mut asked = vec![if options.extent == Extent::WholeSolution { "whole" } else { keys }];
        let (set_play, tries) = self.made();
        if options.extent != Extent::Soundness {
            asked.extend(set_play.then_some("set play"));
            asked.extend(tries.then_some("tries"));
        }
        asked.extend(self.verdict.with_tables.then_some("with tables"));
        asked.join(", ")
    }

    /// Returns what is not decided in one phase.
    fn open(&self) -> Option<String> {
        let (verdict, first_moves) = (&self.verdict, &self.first_moves);
        let open = match (first_moves.open.len(), verdict.soundness) {
            (1.., _) => format!("{} of {} first moves", first_moves.open.len(), first_moves.total),
            (0, Soundness::Undecided) => "soundness".to_owned(),
            _ if self.help.is_some() && self.options.extent == Extent::Soundness => return None,
            _ if !verdict.complete && self.help.is_some() => "more solutions".to_owned(),
            _ if !verdict.complete => "play".to_owned(),
            _ if verdict.truncated => format!("play beyond {} positions", self.options.max_tree_nodes),
            _ => return None,
        };
        // The limit that ended the search.
        let stopped = self.stats.stopped_by.map_or_else(String::new, |limit| format!("; {}", limit.text()));
        Some(open + &stopped)
    }

    /// Returns what is not decided in all phases.
    fn open_phases(&self) -> Option<String> {
        let open = self.phases.iter().filter_map(|phase| {
            let open = if phase.error.is_some() { Some("not solved".to_owned()) } else { phase.open() };
            Some(format!("phase {}: {}", phase.phase.as_ref()?.short(), open?))
        });
        let open: Vec<String> = open.collect();
        (!open.is_empty()).then(|| open.join("; "))
    }
}
