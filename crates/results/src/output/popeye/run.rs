//! Writes the solution of one phase as Popeye prints it: the set play, then tries and keys in the order of the moves.
//!
//! Under the options of a problem, play is left out (`NoShortVariations`, no `Variation`), the solution ends early
//! (`MaxSolutions`), or only a part of the first moves is shown (`StartMoveNumber`, `UpToMoveNumber`).

use std::fmt::Write as _;
use std::io;

use shakmaty::Chess;

use crate::problem::popeye::PopeyeOptions;
use crate::results::SidedStipulation;
use crate::results::help::HelpSolutions;
use crate::results::report::walk::{At, Walk};
use crate::results::report::{Next, Pass, PlayId, Ply, Report};

use super::words::{PopeyeWords, first_moves, order};
use super::{PopeyeWriter, defence_number, notation};

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
        ..PopeyeWriter::new(&report.tree, words.letters)
    };
    if let Some(help) = &report.help {
        return help_phase(writer, help, report.stipulation);
    }
    let mut phase = PhaseWriter { report, options, writer, whole: true };
    if options.phase.set_play && !options.phase.post_key {
        phase.writer.text.push('\n');
    }
    if let Some(set) = report.set_play {
        phase.writer.play(set.play, 1);
    }
    for mate in phase.writer.ordered(&report.must_mate, |mate| mate) {
        phase.writer.text.push('\n');
        phase.writer.must_mate(mate, report.goal().end);
    }
    if report.post_key.is_some() || !report.post_key_refutations.is_empty() {
        phase.post_key(report.post_key);
    } else if phase.first_moves(chess) {
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

/// A first move that is printed.
enum PrintedFirst {
    /// The index of a key.
    Key(usize),
    /// The index of a try.
    Try(usize),
}

/// Writes one phase.
struct PhaseWriter<'a> {
    report: &'a Report,
    options: &'a PopeyeOptions,
    writer: PopeyeWriter<'a>,
    /// Whether no first move was left out because of an option.
    whole: bool,
}

impl PhaseWriter<'_> {
    /// Writes the play after the key, which the diagram shows. Defences without an answer are marked.
    fn post_key(&mut self, id: Option<PlayId>) {
        self.writer.text.push('\n');
        let at = id.map(|id| At { id, play: self.report.tree.play(id), number: 1 });
        if at.is_none_or(|at| at.play.pass != Pass::Impossible) {
            self.writer.announce(id.map_or(Next::Cut, Next::Play), false);
        }
        if let Some(at) = &at {
            self.writer.follow_threats(at);
        }
        let groups = at.iter().flat_map(|at| self.writer.groups(at).into_iter().map(move |group| (at, group)));
        let mut defences: Vec<_> = groups.map(|(at, group)| (&group[0].defence, Some((at, group)))).collect();
        defences.extend(self.report.post_key_refutations.iter().map(|refutation| (refutation, None)));
        defences.sort_by_key(|(defence, _)| order(defence));
        for (defence, answered) in defences {
            if let Some((at, group)) = answered {
                self.writer.follow_group(at, &group);
            } else {
                let line = format!("{}{}", defence_number(1), notation(defence, self.writer.letters));
                self.writer.line(&line);
                let refutes = format!("        {}", self.writer.words.refutes);
                self.writer.line(&refutes);
            }
        }
    }

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
            match self.attempt(ply) {
                Some(PrintedFirst::Key(at)) => {
                    self.write_key(at);
                    left -= 1;
                    self.whole &= left > 0;
                }
                Some(PrintedFirst::Try(at)) => self.write_try(at),
                None => {}
            }
        }
        left > 0
    }

    /// Finds the key or the try that is this first move.
    fn attempt(&self, ply: &Ply) -> Option<PrintedFirst> {
        let key = self.report.keys.iter().position(|key| key.ply.mv == ply.mv);
        let attempt = || self.report.tries.iter().flatten().position(|attempt| attempt.ply.mv == ply.mv);
        key.map(PrintedFirst::Key).or_else(|| attempt().map(PrintedFirst::Try))
    }

    fn write_key(&mut self, at: usize) {
        let key = &self.report.keys[at];
        self.writer.text.push('\n');
        self.writer.first_move(&key.ply, '!', key.next);
    }

    fn write_try(&mut self, at: usize) {
        let Some(attempt) = self.report.tries.iter().flatten().nth(at) else { return };
        if attempt.trivial && self.options.no_trivial_tries {
            return;
        }
        self.writer.text.push('\n');
        self.writer.first_move(&attempt.ply, '?', attempt.next);
        self.writer.refutations(&attempt.refutations);
    }
}
