//! Writes the solution of a report in Popeye's plain text layout, which many sites and programs read.
//!
//! ```text
//!    1.e2-e3 ? threat:
//!           2.Rb2-b1 #
//!       1...Sd4-e2
//!           2.Rf2-f1 #
//!     but
//!       1...Sd4-b3 !
//! ```
//!
//! Moves are written in full with `-` or `*`, `S` for the knight (unless other letters are wanted), `0-0`, `ep.`, `=Q`,
//! then ` +` or ` #`. `!` marks a key or a refutation, `?` a try; `but` stands before the refutations; set play has no
//! first move. Each move is indented one step more than the move before it. The set play comes first, then tries, then
//! keys (`run` has its own order).
//!
//! Help play has a line for each solution: `  1.Rc8-c5 Bg2-h1   2.Kd6-d5 Rg2-g6 #`; in reciprocal play each mate by the
//! other side has a whole line, too. ` =` marks a stalemate that is the goal. In selfmates all moves that mate follow
//! the last move before. A mate by which reflex play fails in the diagram stands alone: `   1.Bf8-a3 # ?!?`.
//!
//! A problem with twins has a part for each phase, with a heading such as `a) `, `b) wSc3-->g3  ` or `+c) -bPh7  `.
//! Under the option Duplex the part of the second side follows that of the first without a heading.
//!
//! The layout cannot refer to an earlier line: play that occurs twice is written twice. So there is a limit on the
//! number of lines. Where the play after a move is left out, here or in the report itself, stands `{cut}`, which
//! programs that read the layout treat as a comment.
//!
//! | file | content |
//! |---|---|
//! | `run` | a phase under the options of Popeye's input, as `matesolve popeye` prints it |
//! | `diagram` | the board above a solution |
//! | `words` | the words of Popeye's languages, its numbers of first moves and its order of moves |

pub mod diagram;
pub mod run;
pub mod words;

use std::fmt::Write as _;
use std::io;

use shakmaty::{Move, Role};

use crate::chess::End;
use crate::results::SidedStipulation;
use crate::results::help::{HelpLine, HelpSolutions};
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{Pass, Ply, Report};

use super::report::letters::{Letters, SIDES, heading};
use words::PopeyeWords;

/// The mark for play that is left out.
pub(crate) const CUT: &str = "{cut}";

/// The number of lines after which further play is left out.
const LONGEST: usize = 50_000;

/// The longest text that is held before it is written, in bytes.
const HELD: usize = 64 << 10;

/// Writes a whole report in Popeye's layout: set play, tries and keys, and a last line that says whether the solution
/// is complete.
pub fn full(report: &Report) -> String {
    full_in(report, Letters::EnS)
}

/// [`full`] with the letters of another language.
pub(crate) fn full_in(report: &Report, letters: Letters) -> String {
    let (mut text, complete) = solution_in(report, letters);
    text.push_str(if complete { "solution finished.\n" } else { "Partial solution\n" });
    text
}

/// Writes set play, tries and keys, as they are stored in an `.olv` entry. Returns the text and whether it is complete.
pub fn solution(report: &Report) -> (String, bool) {
    solution_in(report, Letters::EnS)
}

fn solution_in(report: &Report, letters: Letters) -> (String, bool) {
    if report.phases.is_empty() {
        return phase_in(report, letters);
    }
    let (mut text, mut complete) = (String::new(), true);
    let mut last_letter = String::new();
    for (index, phase) in report.phases.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        if let Some(name) = phase.phase.as_ref().filter(|name| name.letter != last_letter) {
            let sign = if name.continued { "+" } else { "" };
            let gap = if name.heading.is_empty() { "" } else { "  " };
            let heading = heading(letters, &name.heading, SIDES);
            let _ = write!(text, "{sign}{}) {heading}{gap}\n\n", name.letter);
            last_letter.clone_from(&name.letter);
        }
        let (solution, is_complete) = phase_in(phase, letters);
        text.push_str(&solution);
        if let Some(error) = &phase.error {
            let _ = write!(text, "   {{not solved: {}}}\n\n", error.replace(['{', '}'], ""));
        }
        complete &= is_complete && phase.error.is_none();
    }
    (text, complete)
}

/// Writes the solution of one phase.
fn phase_in(report: &Report, letters: Letters) -> (String, bool) {
    let mut writer = PopeyeWriter::new(letters);
    if let Some(help) = &report.help {
        writer.help(help, report.stipulation);
        return (writer.text, !writer.cut && help.complete);
    }
    for row in report.rows() {
        writer.row(&row);
        writer.end_of_part();
    }
    (writer.text, !writer.cut && report.verdict.complete && !report.verdict.truncated)
}

/// Writes a move in Popeye's notation: `Sg1-f3`, `e5*d6 ep.`, `b7-b8=Q +`, `0-0-0 #`.
pub(crate) fn notation(ply: &Ply, letters: Letters) -> String {
    let mut text = match ply.mv {
        Move::Normal { role, from, capture, to, promotion } => {
            let man = if role == Role::Pawn { "" } else { letters.of(role) };
            let dash = if capture.is_some() { '*' } else { '-' };
            let becomes = promotion.map_or(String::new(), |role| format!("={}", letters.of(role)));
            format!("{man}{from}{dash}{to}{becomes}")
        }
        Move::EnPassant { from, to } => format!("{from}*{to} ep."),
        Move::Castle { king, rook } => if rook.file() > king.file() { "0-0" } else { "0-0-0" }.to_owned(),
        Move::Put { role, to } => format!("{}{to}", letters.of(role)),
    };
    match ply {
        Ply { mate: true, .. } => text.push_str(" #"),
        Ply { check: true, .. } => text.push_str(" +"),
        _ => {}
    }
    text
}

/// Writes a line of help play: `  1.Rc8-c5 Bg2-h1   2.Kd6-d5 Rg2-g6 #`. The numbers are those of its short notation.
fn help_line(line: &HelpLine, letters: Letters) -> String {
    let mut text = String::new();
    for (number, ply) in line.numbers().zip(&line.plies) {
        let gap = match number {
            _ if text.is_empty() => "  ",
            "" => " ",
            _ => "   ",
        };
        let _ = write!(text, "{gap}{}{}", number.replace(' ', "  "), notation(ply, letters));
    }
    text
}

/// Returns the mark of a stalemate. That of a mate belongs to the move's notation.
fn end_mark(end: End) -> &'static str {
    if end == End::Stalemate { " =" } else { "" }
}

/// Returns the number of an attacker's move with its indentation. The key is move 1.
fn attack_number(number: usize) -> String {
    if number == 1 { format!("{number:>4}.") } else { format!("{}{number:>3}.", " ".repeat(8 * (number - 1))) }
}

/// Returns the number of a defender's move with its indentation.
fn defence_number(number: usize) -> String {
    format!("{}{number:>3}...", " ".repeat(8 * (number - 1) + 4))
}

/// Writes the solution line by line. The play after a position is written each time that
/// the position comes, until a number of lines is reached.
// The bools choose what is shown; each has a meaning of its own.
#[allow(clippy::struct_excessive_bools)]
struct PopeyeWriter<'a> {
    letters: Letters,
    words: PopeyeWords,
    /// Whether this is Popeye's own output: moves are in its order, and it marks refutations of the key of a diagram
    /// after the key in its way. Else moves are in the order of the report.
    in_order: bool,
    /// Whether play after keys and tries is shown, and play after the continuations of the set play.
    shows_play: bool,
    /// Whether variations are left out that are shorter than the play allows.
    only_full: bool,
    text: String,
    /// The writer that receives the text whenever it is long; `None`: the text stays in `text`.
    out: Option<&'a mut dyn io::Write>,
    /// The first error of `out`.
    result: io::Result<()>,
    /// The number of lines after which further play is left out.
    longest: usize,
    /// The number of lines written.
    lines: usize,
    /// Whether first moves or play were left out.
    cut: bool,
}

impl<'a> PopeyeWriter<'a> {
    /// Starts a text with the whole play.
    fn new(letters: Letters) -> PopeyeWriter<'a> {
        PopeyeWriter {
            letters,
            words: words::ENGLISH,
            in_order: false,
            shows_play: true,
            only_full: false,
            text: String::new(),
            out: None,
            result: Ok(()),
            longest: LONGEST,
            lines: 0,
            cut: false,
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
        if self.text.len() > HELD {
            self.pass_on(2);
        }
    }

    /// Writes the text to `out`, except its last `kept` bytes, by which the end of a part is known.
    fn pass_on(&mut self, kept: usize) {
        let end = self.text.len().saturating_sub(kept);
        if let (Some(out), Some(text)) = (&mut self.out, self.text.get(..end)) {
            if self.result.is_ok() {
                self.result = out.write_all(text.as_bytes());
            }
            self.text.drain(..end);
        }
    }

    /// Writes an empty line after a part, unless the part is empty.
    fn end_of_part(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Writes a row and the play after it.
    fn row(&mut self, row: &Row<'_>) {
        let number = usize::from(row.number);
        let number = if row.is_defence() { defence_number(number) } else { attack_number(number) };
        if let Some(ply) = row.ply {
            let mark = if row.mark().is_empty() { String::new() } else { format!(" {}", row.mark()) };
            let written = notation(ply, self.letters);
            let _ = write!(self.text, "{number}{written}{}{mark}", row.end().map_or("", end_mark));
        }
        match row.kind {
            Kind::Defence(_) | Kind::Refutation | Kind::MustMate => self.line(""),
            Kind::SetPlay(_) => {}
            Kind::AfterKey if self.in_order => {
                if row.play().is_none_or(|(_, play)| play.pass != Pass::Impossible) {
                    self.announce(row);
                }
            }
            _ => {
                self.text.push_str(if row.ply.is_some() { "" } else { "  " });
                self.announce(row);
            }
        }
        self.below(row);
    }

    /// Writes the rows below a row. Play is left out behind the longest text, and where it is not shown.
    fn below(&mut self, above: &Row<'_>) {
        let is_open = above.ply.is_none() || above.is_defence() || self.is_open();
        let least = above.play().map_or(0, |(_, play)| if self.only_full { play.left } else { 0 });
        let is_after = self.in_order && above.ply.is_none();
        let mut rows = above.below();
        if self.in_order {
            let place = |row: &Row<'_>| match row.kind {
                Kind::Threat => 0,
                Kind::Refutation if !is_after => 2,
                _ => 1,
            };
            rows.sort_by_key(|row| (place(row), row.ply.map(words::order)));
        }
        let mut refuted = false;
        for row in rows {
            let is_refutation = matches!(row.kind, Kind::Refutation);
            if let (true, true, Some(ply)) = (is_after, is_refutation, row.ply) {
                let word = self.words.refutes;
                self.line(&format!("{}{}", defence_number(1), notation(ply, self.letters)));
                self.line(&format!("        {word}"));
                continue;
            }
            if is_refutation && !std::mem::replace(&mut refuted, true) {
                let but = self.words.but;
                self.line(&format!("    {but}"));
            }
            let is_short = matches!(row.kind, Kind::Defence(variation) if variation.mate_in < least);
            if is_refutation || (is_open && !is_short) {
                self.row(&row);
            }
        }
    }

    /// Ends the line of an attacker's move: writes `zugzwang.`, `threat:` or [`CUT`] if that follows.
    fn announce(&mut self, row: &Row<'_>) {
        let word = match row.play().map(|(_, play)| &play.pass) {
            _ if !self.shows_play => "",
            None if row.is_cut() => CUT,
            Some(_) if self.lines >= self.longest => CUT,
            Some(Pass::Zugzwang) if row.ply.is_none_or(|ply| !ply.check) => self.words.zugzwang,
            Some(Pass::Threats(_)) => self.words.threat,
            _ => "",
        };
        self.cut |= word == CUT;
        if !word.is_empty() {
            self.text.push(' ');
            self.text.push_str(word);
        }
        self.line("");
    }

    /// Returns whether play is written here.
    fn is_open(&self) -> bool {
        self.shows_play && self.lines < self.longest
    }

    /// Writes the lines of help play, with an empty line after each part.
    fn help(&mut self, help: &HelpSolutions, question: Option<SidedStipulation>) {
        let end = question.map_or("", |question| end_mark(question.stipulation.goal().end));
        let is_list = question.is_some_and(|question| question.stipulation.goal().end == End::Any);
        for (_, lines) in help.parts() {
            let mut lines: Vec<&HelpLine> = lines.iter().collect();
            if self.in_order {
                lines.sort_by_cached_key(|line| line.plies.iter().map(words::order).collect::<Vec<_>>());
            }
            // The last ones of very many have no moves.
            let shown = self.longest.saturating_sub(self.lines);
            let written: Vec<&HelpLine> =
                lines.iter().copied().filter(|line| !line.plies.is_empty()).take(shown).collect();
            for (at, line) in written.iter().enumerate() {
                if is_list {
                    // A list does not say which of the moves mate.
                    let ply = Ply { mate: false, ..line.plies[0].clone() };
                    self.line(&format!("{}{} !\n", attack_number(1), notation(&ply, self.letters)));
                    continue;
                }
                self.line(&(help_line(line, self.letters) + end));
                // The other ends belong to all lines that differ in the last two half-moves only.
                let before = |line: &HelpLine| line.moves[..line.moves.len().saturating_sub(2)].to_vec();
                if written.get(at + 1).is_none_or(|next| before(next) != before(line)) {
                    self.other_ends(line, end);
                }
            }
            if lines.iter().filter(|line| !line.plies.is_empty()).count() < lines.len() || lines.len() > shown {
                self.line(CUT);
                self.cut = true;
            }
            self.end_of_part();
        }
    }

    /// Writes the lines of reciprocal play in which the mated side ends the play itself.
    fn other_ends(&mut self, line: &HelpLine, end: &str) {
        for (word, ply) in line.other_ends().zip(&line.reciprocal_plies) {
            let before = &line.plies[..line.plies.len().saturating_sub(2)];
            let plies = before.iter().chain([ply]).cloned().collect();
            let words: Vec<&str> = line.words().take(before.len()).chain([word]).collect();
            let line = HelpLine { san: words.join(" "), plies, ..line.clone() };
            self.line(&(help_line(&line, self.letters) + end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::{ply, report};
    use crate::problem::twins::PhaseName;
    use crate::results::report::Next;

    #[test]
    fn a_solution_is_written_in_popeyes_layout() {
        assert_eq!(
            full(&report()),
            "      1...g7*h6
          2.g6-g7 #

   1.Rh1-g1 ? threat:
          2.g6*h7
              2...Kh8*h7
                  3.Rg1*g7 +
    but
      1...h7*g6 !

   1.Rh1-h6 ! zugzwang.
      1...Bg8-a2
          2.Rh6*h7 #
      1...g7*h6
          2.g6-g7 #

solution finished.
"
        );
    }

    #[test]
    fn each_phase_has_its_heading() {
        let phase = |letter: &str, heading: &str, attacker| {
            let (letter, heading) = (letter.to_owned(), heading.to_owned());
            let name = PhaseName { letter, heading, continued: attacker, attacker: None };
            Report { phase: Some(name), tries: None, set_play: None, ..report() }
        };
        let empty = Report { keys: Vec::new(), ..phase("b", "bRc7-->f8", false) };
        let phases = vec![phase("a", "", false), empty, phase("c", "-wPb3  +wQe8", true)];
        let (text, complete) = solution(&Report { phases, ..report() });
        let play = solution(&phase("", "", false)).0;
        assert_eq!(text, format!("a) \n\n{play}\nb) bRc7-->f8  \n\n\n+c) -wPb3  +wQe8  \n\n{play}"));
        assert!(complete);
        let unsolved =
            Report { error: Some("\"s#2\" is {no} mate".to_owned()), keys: Vec::new(), ..phase("b", "s#2", false) };
        let (text, complete) = solution(&Report { phases: vec![phase("a", "", false), unsolved], ..report() });
        assert!(text.ends_with("b) s#2  \n\n   {not solved: \"s#2\" is no mate}\n\n") && !complete, "{text}");
    }

    #[test]
    fn incomplete_solutions_are_marked() {
        let mut cut = report();
        cut.keys[0].next = Next::Cut;
        assert!(full(&cut).ends_with("   1.Rh1-h6 ! {cut}\n\nPartial solution\n"), "{}", full(&cut));
        let mut undecided = report();
        undecided.verdict.complete = false;
        assert!(full(&undecided).ends_with("Partial solution\n"));
    }

    #[test]
    fn every_kind_of_move_is_written_in_popeyes_notation() {
        for (fen, uci, expected) in [
            ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1h1", "0-0"),
            ("3k4/8/8/8/8/8/8/R3K3 w Q -", "e1a1", "0-0-0 +"),
            ("4k3/8/8/Pp6/8/8/8/4K3 w - b6", "a5b6", "a5*b6 ep."),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - -", "a7b8n", "a7*b8=S"),
            ("4k3/8/8/8/8/5p2/8/4K1N1 w - -", "g1f3", "Sg1*f3"),
            ("7k/5Q2/6K1/8/8/8/8/8 w - -", "f7g7", "Qf7-g7 #"),
        ] {
            assert_eq!(notation(&ply(fen, uci), Letters::EnS), expected, "{fen}");
        }
        let knight = ply("4k3/8/8/8/8/5p2/8/4K1N1 w - -", "g1f3");
        assert_eq!(notation(&knight, Letters::Fr), "Cg1*f3");
        assert_eq!((attack_number(1), defence_number(2)), ("   1.".to_owned(), "              2...".to_owned()));
        assert_eq!((attack_number(2), attack_number(10)), ("          2.".to_owned(), format!("{:73}10.", "")));
    }
}
