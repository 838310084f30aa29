//! Writes the solution of one phase as Popeye prints it: the set play, then tries and keys in the order of the moves,
//! or the play after the key.
//!
//! Options of a problem can leave out play (such as `NoShortVariations`), end the solution early (`MaxSolutions`), or
//! show only a part of the first moves (such as `StartMoveNumber`).

use std::fmt::Write as _;
use std::io;

use shakmaty::Chess;

use crate::problem::popeye::PopeyeOptions;
use crate::results::SidedStipulation;
use crate::results::help::HelpSolutions;
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{Ply, Report};

use super::words::{PopeyeWords, first_moves, order};
use super::{PopeyeWriter, notation};

/// The number of lines after which further play is left out.
const LONGEST: usize = 5_000_000;

/// Writes the solution of a phase. `chess` is its diagram. Returns whether it is the whole solution.
///
/// # Errors
/// Those of the writer.
pub fn phase(
    report: &Report,
    chess: &Chess,
    options: &PopeyeOptions,
    words: PopeyeWords,
    out: &mut dyn io::Write,
) -> io::Result<bool> {
    let writer = PopeyeWriter {
        words,
        in_order: true,
        shows_play: options.variations,
        only_full: options.no_short_variations,
        longest: LONGEST,
        out: Some(out),
        ..PopeyeWriter::new(words.letters)
    };
    if let Some(help) = &report.help {
        return help_phase(writer, help, report.stipulation);
    }
    let mut phase = PhaseWriter { rows: report.rows(), options, writer, whole: true };
    if options.phase.set_play && !options.phase.post_key {
        phase.writer.text.push('\n');
    }
    phase.rows.sort_by_key(|row| matches!(row.kind, Kind::MustMate).then(|| row.ply.map(order)));
    for row in phase.rows.clone() {
        match row.kind {
            Kind::SetPlay(_) => phase.writer.row(&row),
            Kind::MustMate => {
                phase.writer.text.push('\n');
                phase.writer.row(&row);
                phase.writer.end_of_part();
            }
            Kind::AfterKey => {
                phase.writer.text.push('\n');
                phase.writer.row(&row);
            }
            _ => {}
        }
    }
    let stands_after = phase.rows.iter().any(|row| matches!(row.kind, Kind::AfterKey));
    if !stands_after && phase.first_moves(chess) {
        phase.writer.text.push('\n');
    }
    let complete = phase.whole && !phase.writer.cut && report.verdict.complete && !report.verdict.truncated;
    phase.writer.pass_on(0);
    phase.writer.result?;
    Ok(complete)
}

/// Writes a phase of help play: a blank line before each part, as Popeye does.
fn help_phase(
    mut writer: PopeyeWriter<'_>,
    help: &HelpSolutions,
    question: Option<SidedStipulation>,
) -> io::Result<bool> {
    writer.text.push('\n');
    writer.help(help, question);
    writer.pass_on(0);
    writer.result?;
    Ok(!writer.cut && help.complete)
}

/// Returns the sentence about restrictions of Popeye's search that a problem asks for; `None` if it asks for none.
///
/// Popeye leaves out moves under a restriction, so its solution may lack keys and play. The solution here lacks
/// nothing, which is not what a reader of the diagram (`#3/1/2`) expects.
pub fn not_applied(options: &PopeyeOptions) -> Option<String> {
    let asked = [
        options.max_threat.map(|moves| format!("Threat {moves}")),
        options.max_flights.map(|flights| format!("MaxFlightSquares {flights}")),
        options.non_trivial.map(|(most, length)| format!("NonTrivial {most} {length}")),
    ];
    let asked: Vec<String> = asked.into_iter().flatten().collect();
    let are = if asked.len() == 1 { "is" } else { "are" };
    let names = asked.join(" and ");
    (!asked.is_empty()).then(|| format!("{names} {are} not applied: this is the solution with all moves of both sides"))
}

/// Writes one phase.
struct PhaseWriter<'a> {
    rows: Vec<Row<'a>>,
    options: &'a PopeyeOptions,
    writer: PopeyeWriter<'a>,
    /// Whether no first move was left out because of an option.
    whole: bool,
}

impl PhaseWriter<'_> {
    /// Writes tries and keys in the order of the first moves. Returns whether `MaxSolutions` did not end the solution.
    fn first_moves(&mut self, chess: &Chess) -> bool {
        let moves = first_moves(chess);
        let first = self.options.start_move.unwrap_or(1).max(1);
        let last = self.options.last_move.unwrap_or(u32::MAX);
        let mut left = self.options.max_solutions.unwrap_or(u32::MAX);
        for (number, ply) in (1..).zip(&moves) {
            if number < first || number > last || left == 0 {
                self.whole = false;
                continue;
            }
            if self.options.move_numbers {
                let check = if ply.check { " +" } else { "" };
                let quiet = Ply { check: false, mate: false, ..ply.clone() };
                let written = notation(&quiet, self.writer.letters);
                let _ = write!(self.writer.text, "\n{number:>3}  ({written}{check} )");
            }
            let is_shown = |row: &&Row<'_>| match row.kind {
                Kind::Key(_) => true,
                Kind::Try(attempt) => !attempt.trivial || !self.options.no_trivial_tries,
                _ => false,
            };
            let is_played = |row: &&Row<'_>| row.ply.is_some_and(|first| first.mv == ply.mv);
            let Some(row) = self.rows.iter().filter(is_shown).find(is_played).copied() else { continue };
            self.writer.text.push('\n');
            self.writer.row(&row);
            if let Kind::Key(_) = row.kind {
                left -= 1;
                self.whole &= left > 0;
            }
        }
        left > 0
    }
}
