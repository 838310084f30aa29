//! Writes the solution of one phase as Popeye prints it: the set play, then tries and keys in the order of the moves,
//! or the play after the key.
//!
//! Options of a problem can leave out play (such as `NoShortVariations`), end the solution early (`MaxSolutions`), or
//! show only a part of the first moves (such as `StartMoveNumber`).

use std::fmt::Write as _;
use std::io;

use shakmaty::Chess;

use crate::problem::popeye::PopeyeOptions;
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
    let mut writer = PopeyeWriter {
        words,
        in_order: true,
        shows_play: options.variations,
        only_full: options.no_short_variations,
        longest: LONGEST,
        out: Some(out),
        ..PopeyeWriter::new(words.letters)
    };
    if let Some(help) = &report.help {
        // A blank line stands before each part.
        writer.text.push('\n');
        writer.help(help, report.stipulation);
        writer.pass_on(0);
        writer.result?;
        return Ok(!writer.cut && help.complete);
    }
    if options.phase.set_play && !options.phase.post_key {
        writer.text.push('\n');
    }
    let mut rows = report.rows();
    rows.sort_by_key(|row| matches!(row.kind, Kind::MustMate).then(|| row.ply.map(order)));
    for row in &rows {
        match row.kind {
            Kind::SetPlay(_) => {}
            Kind::MustMate | Kind::AfterKey => writer.text.push('\n'),
            _ => continue,
        }
        writer.row(row);
        if matches!(row.kind, Kind::MustMate) {
            writer.end_of_part();
        }
    }
    let stands_after = rows.iter().any(|row| matches!(row.kind, Kind::AfterKey));
    if !stands_after && write_first_moves(&mut writer, &rows, options, chess) {
        writer.text.push('\n');
    }
    writer.pass_on(0);
    writer.result?;
    Ok(!writer.cut && report.verdict.complete && !report.verdict.truncated)
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

/// Writes tries and keys in the order of the first moves. Returns whether `MaxSolutions` did not end the solution.
fn write_first_moves(writer: &mut PopeyeWriter<'_>, rows: &[Row<'_>], options: &PopeyeOptions, chess: &Chess) -> bool {
    let first = options.start_move.unwrap_or(1).max(1);
    let last = options.last_move.unwrap_or(u32::MAX);
    let mut left = options.max_solutions.unwrap_or(u32::MAX);
    for (number, ply) in (1..).zip(&first_moves(chess)) {
        if number < first || number > last || left == 0 {
            writer.cut = true;
            continue;
        }
        if options.move_numbers {
            let check = if ply.check { " +" } else { "" };
            let quiet = Ply { check: false, mate: false, ..ply.clone() };
            let written = notation(&quiet, writer.letters);
            let _ = write!(writer.text, "\n{number:>3}  ({written}{check} )");
        }
        let is_shown = |row: &&Row<'_>| match row.kind {
            Kind::Key(_) => true,
            Kind::Try(attempt) => !attempt.trivial || !options.no_trivial_tries,
            _ => false,
        };
        let is_played = |row: &&Row<'_>| row.ply.is_some_and(|first| first.mv == ply.mv);
        let Some(row) = rows.iter().filter(is_shown).find(is_played) else { continue };
        writer.text.push('\n');
        writer.row(row);
        if let Kind::Key(_) = row.kind {
            left -= 1;
            writer.cut |= left == 0;
        }
    }
    left > 0
}
