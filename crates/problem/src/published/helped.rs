//! Reads printed solutions of help play: lines in Popeye's layout or in shorthand.
//!
//! ```text
//! 1...Sa7 2.d6 Sc6#                set play
//!
//! 1.Qg6 Re4+ 2.Kf5 Sd6#            1.Qf5-g6 Rd4-e4 +   2.Ke5-f5 Sb5-d6 #
//! ```
//!
//! The number of a move says which half-move of the stipulation it is; the words after it are the half-moves that
//! follow. A move for a half-move that the line already has begins a new line, or a branch. Of `h#2.5`, both
//! `1...Ra8 2.Kg7` and `1.Ra8 Kg7` are in use; the set play is `1... ... 2.Kg7 Kf5`, and without the dots it is read as
//! play. The set play of a series is one move of the other side, `1...Ra1#`, alone in its group and before the next
//! first move.
//!
//! What an audit says about these lines is in `src/audit/helped.rs`.

use shakmaty::{Chess, Position as _};

use super::solution::{Misprint, find_word};
use super::words::{Group, Word, groups};
use crate::chess::{Stipulation, passed};
use crate::problem::moves::uci;

/// A whole line of a printed solution. Its moves are legal; whether it ends in the goal is not asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedLine {
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// The moves as printed, without numbers.
    pub words: String,
    /// The byte of the text where its last word starts.
    pub at: usize,
    /// Whether it is set play: the first half-move is left out.
    pub is_set: bool,
}

/// The lines of a printed solution of help play.
#[derive(Debug, Clone, Default)]
pub struct PrintedLines {
    /// The lines whose moves are all legal.
    pub lines: Vec<PrintedLine>,
    /// The moves that cannot be read, at most one in a line. The rest of the line is left out.
    pub misprints: Vec<Misprint>,
}

impl PrintedLines {
    /// Reads the printed solution of a problem of help play. The side that begins is to move in `start`.
    ///
    /// ```
    /// use matesolve_terms::Stipulation;
    /// use matesolve_problem::problem::Problem;
    /// use matesolve_problem::published::PrintedLines;
    ///
    /// let diagram = Problem::read("8/8/8/8/8/1K6/7R/k7 b - -")?.chess;
    /// let printed = PrintedLines::read("*1...Th1#  1.Kb1 Th1#", &diagram, Stipulation::parse_any("h#1")?);
    /// assert_eq!(printed.lines[1].moves, ["a1b1", "h2h1"]);
    /// assert!(printed.lines[0].is_set && printed.misprints.is_empty());
    /// # Ok::<(), matesolve_problem::problem::ProblemError>(())
    /// ```
    pub fn read(text: &str, start: &Chess, stipulation: Stipulation) -> PrintedLines {
        let groups = groups(text);
        let half_moves = usize::from(stipulation.half_moves().unwrap_or_default());
        let left_out = usize::from(stipulation.left_out());
        let is_dotted =
            groups.iter().any(|group| (group.number, group.defence, group.moves.is_empty()) == (1, true, false));
        let (missing, is_rest) =
            if stipulation.is_series() { (0, left_out > 0 && is_dotted) } else { (left_out, false) };
        let mut reader = Reader {
            start,
            set: passed(start).filter(|_| stipulation.set_play().is_some() && !is_rest),
            stipulation,
            missing,
            last: half_moves + missing,
            shift: if is_dotted { 0 } else { missing },
            is_rest,
            is_set: false,
            path: Vec::new(),
            position: None,
            read: PrintedLines::default(),
        };
        for at in 0..groups.len() {
            reader.group(&groups[at..]);
        }
        reader.read
    }
}

/// A half-move of a line: the move, the word, and the position before it.
#[derive(Clone)]
struct Step {
    uci: String,
    word: String,
    before: Chess,
}

/// The state while lines are read. Half-moves are counted as if the side began that usually does: in `h#n.5` and in set
/// play the first one is number 1, in the set play of `h#n.5` number 2.
struct Reader<'a> {
    start: &'a Chess,
    /// The diagram with the other side to move, if there can be set play.
    set: Option<Chess>,
    stipulation: Stipulation,
    /// The number of the first half-move of the solution.
    missing: usize,
    /// The number of the half-move after the last one.
    last: usize,
    /// The number of half-moves by which the printed numbers are too small.
    shift: usize,
    /// Whether the lines are those of a series that the other side begins: `1...Kg1 Kh1 2.Ra1#`.
    is_rest: bool,
    is_set: bool,
    path: Vec<Step>,
    /// The position after the path; `None` if the line cannot be read any further.
    position: Option<Chess>,
    read: PrintedLines,
}

impl Reader<'_> {
    /// Returns the number of the first half-move.
    fn first(&self) -> usize {
        match self.is_set {
            true if self.stipulation.is_series() => self.last - 1,
            is_set => self.missing + usize::from(is_set),
        }
    }

    /// Returns whether the other side's move at the end of a series is next.
    fn series_is_made(&self) -> bool {
        self.stipulation.is_series() && self.path.len() + 1 == self.last
    }

    /// Reads the first of these groups.
    fn group(&mut self, groups: &[Group]) {
        let group = &groups[0];
        if (group.number, group.defence) == (1, true) && self.begins_set_play(groups) {
            self.begin(true);
        } else if self.is_set && group.number <= 1 && (self.missing > 0 || !group.defence) {
            self.begin(false);
        }
        self.words(self.slot(group), group);
    }

    /// Returns the half-move of the first word of a group.
    fn slot(&self, group: &Group) -> usize {
        let number = (group.number as usize).max(1) - 1;
        match self.stipulation.is_series() {
            false if self.is_set => 2 * number + usize::from(group.defence),
            false => 2 * number + usize::from(group.defence) + self.shift,
            true if self.is_rest => number.min(1) * (self.last - 1),
            true if group.defence && (self.is_set || self.series_is_made()) => self.last - 1,
            true => number,
        }
    }

    fn words(&mut self, slot: usize, group: &Group) {
        for (slot, word) in (slot..).zip(&group.moves) {
            self.word(slot, word);
        }
    }

    /// Returns whether the first of these groups, a move of the side that does not begin, is set play, and not a reply
    /// to the last first move. After a whole line both are tried, and the reading with fewer misprints is right; of
    /// equally good ones it is a reply.
    fn begins_set_play(&self, groups: &[Group]) -> bool {
        let (set, reply) = (|| self.misprints_of(groups, true), || self.misprints_of(groups, false));
        let is_alone = groups[0].moves.len() == 1 && groups.get(1).is_none_or(|next| next.number == 1);
        match self.path.len() {
            _ if self.set.is_none() => false,
            // "1... ... 2.Kb1 Rh1#"
            _ if self.missing > 0 => groups[0].moves.is_empty() && groups.get(1).is_some_and(|next| next.number == 2),
            _ if self.stipulation.is_series() => {
                is_alone && (set() < reply() || (set() == reply() && !self.series_is_made()))
            }
            _ if self.is_set || groups[0].after_blank => true,
            0 => true,
            1 => false,
            _ => set() < reply(),
        }
    }

    /// Returns the number of misprints if these groups, to the next first move, are read as set play or as a reply.
    fn misprints_of(&self, groups: &[Group], as_set: bool) -> usize {
        let (set, path) = (self.set.clone(), self.path.clone());
        let position = self.position.clone();
        let mut trial = Reader { set, path, position, read: PrintedLines::default(), ..*self };
        if as_set {
            trial.begin(true);
        }
        let end = groups.iter().skip(1).position(|group| group.number == 1).map_or(groups.len(), |at| at + 1);
        for group in &groups[..end] {
            trial.words(trial.slot(group), group);
        }
        trial.read.misprints.len()
    }

    fn begin(&mut self, is_set: bool) {
        self.is_set = is_set;
        self.path.clear();
        self.position = None;
    }

    /// Reads a word that is printed as this half-move.
    fn word(&mut self, slot: usize, word: &Word) {
        let Some(at) = slot.checked_sub(self.first()).filter(|_| slot < self.last) else { return };
        if at == 0 {
            self.path.clear();
            self.position = if self.is_set { self.set.clone() } else { Some(self.start.clone()) };
        } else if at < self.path.len() {
            self.position = self.path.get(at).map(|step| step.before.clone());
            self.path.truncate(at);
        } else if at > self.path.len() {
            self.position = None;
        }
        let Some(before) = self.position.take().and_then(|position| self.turned(position, slot)) else { return };
        let Some(mv) = find_word(&before, word) else {
            // Of a series that the other side begins, that side's move alone is a short line.
            let ends_early = self.is_rest && passed(&before).is_some_and(|other| find_word(&other, word).is_some());
            if !ends_early {
                self.misprint(&before, word);
            }
            return;
        };
        let mut after = before.clone();
        after.play_unchecked(mv);
        self.path.push(Step { uci: uci(mv), word: word.text.clone(), before });
        self.position = Some(after);
        if slot + 1 == self.last {
            let words: Vec<&str> = self.path.iter().map(|step| step.word.as_str()).collect();
            let moves = self.path.iter().map(|step| step.uci.clone()).collect();
            let line = PrintedLine { moves, words: words.join(" "), at: word.at, is_set: self.is_set };
            if !self.read.lines.iter().any(|known| (&known.moves, known.is_set) == (&line.moves, line.is_set)) {
                self.read.lines.push(line);
            }
        }
    }

    /// Gives the move to the side whose half-move it is: in a series the other side does not move.
    fn turned(&self, position: Chess, slot: usize) -> Option<Chess> {
        if !self.stipulation.is_series() {
            return Some(position);
        }
        let attacker = self.stipulation.attacker(self.start.turn());
        let side = self.stipulation.half_move(u16::try_from(slot).ok()?).side.color(attacker);
        if position.turn() == side { Some(position) } else { passed(&position) }
    }

    fn misprint(&mut self, before: &Chess, word: &Word) {
        let words = self.path.iter().map(|step| step.word.as_str()).chain([word.text.as_str()]);
        let line = words.collect::<Vec<_>>().join(" ");
        self.read.misprints.extend(Misprint::of(line, word, before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;

    fn read(fen: &str, stipulation: &str, text: &str) -> PrintedLines {
        let chess = Problem::read(fen).unwrap().chess;
        PrintedLines::read(text, &chess, Stipulation::parse_any(stipulation).unwrap())
    }

    const BENKO: &str = "4k2r/5N2/4B3/8/6K1/8/8/B7 b k -";

    #[test]
    fn lines_are_read_in_all_layouts_and_letters() {
        for text in [
            "1.0-0 Kg4-h5   2.Kg8-h7 Sf7-g5 #",
            "1.O-O Kh5 2.Kh7 Ng5#",
            "1. 0-0  Kh5   2. Kh7  Sg5 matt",
            "1.0-0 1...Kh5 2.Kh7 2...Sg5#",
            "\"1.0-0 Kh5 2.Kh7 Sg5#\"",
            "I) 1.0-0 Kh5 2.Kh7 Sg5# {a {nested} remark}",
        ] {
            let printed = read(BENKO, "h#2", text);
            let moves: Vec<_> = printed.lines.iter().map(|line| line.moves.join(" ")).collect();
            assert_eq!(
                (moves.as_slice(), printed.misprints.len()),
                (&["e8g8 g4h5 g8h7 f7g5".to_owned()][..], 0),
                "{text}"
            );
        }
    }

    #[test]
    fn set_play_stands_before_or_after_the_solution() {
        for text in [
            "1...Bf6 2.Rf8 Sd6#\n\n1.0-0 Kh5 2.Kh7 Sg5#",
            "* 1...Bf6 2.Rf8 Sd6#\n1.0-0 Kh5 2.Kh7 Sg5#",
            "1.0-0 Kh5 2.Kh7 Sg5#\n\n*1...Bf6 2.Rf8 Sd6#",
            "1.0-0 Kh5 2.Kh7 Sg5#\n1...Bf6 2.Rf8 Sd6#",
        ] {
            let printed = read(BENKO, "h#2", text);
            let mut found: Vec<_> = printed.lines.iter().map(|line| (line.is_set, line.moves.len())).collect();
            found.sort_unstable();
            assert_eq!((found, printed.misprints.len()), (vec![(false, 4), (true, 3)], 0), "{text}");
        }
    }

    #[test]
    fn branches_repeat_only_what_differs() {
        let text = "1.Kb1 Kc3 2.Ka1 Ra2#\n  1...Rg2 2.Ka1 Rg1#\n      2.Kc1 Rg1#";
        let printed = read("8/8/8/8/8/1K6/7R/k7 b - -", "h#2", text);
        let lines: Vec<&str> = printed.lines.iter().map(|line| line.words.as_str()).collect();
        assert_eq!(lines, ["Kb1 Kc3 Ka1 Ra2", "Kb1 Rg2 Ka1 Rg1", "Kb1 Rg2 Kc1 Rg1"], "{:?}", printed.misprints);
    }

    #[test]
    fn white_begins_with_and_without_dots() {
        for text in ["1...Rd2 2.Kb1 Rd1#", "1.Rd2 Kb1 2.Rd1#", "1. ... Rd2  2.Kb1 Rd1#"] {
            let printed = read("8/8/8/8/8/1K6/7R/k7 w - -", "h#1.5", text);
            assert_eq!(printed.lines.first().map(|line| line.moves.len()), Some(3), "{text} {:?}", printed.misprints);
        }
    }

    #[test]
    fn the_set_play_of_halves_has_dots_for_two_half_moves() {
        let found = |fen: &str, stipulation: &str, text: &str| {
            let printed = read(fen, stipulation, text);
            let lines = printed.lines.iter().map(|line| (line.is_set, line.words.clone()));
            (lines.collect::<Vec<_>>(), printed.misprints.len())
        };
        let set = (true, "Ka1-b1 Rh2-h1".to_owned());
        let actual = (false, "Rh2-d2 Ka1-b1 Rd2-d1".to_owned());
        let popeye = "  1...  ...  2.Ka1-b1 Rh2-h1 #\n\n  1...Rh2-d2   2.Ka1-b1 Rd2-d1 #\n";
        let both = (vec![set.clone(), actual.clone()], 0);
        assert_eq!(found("8/8/8/8/8/1K6/7R/k7 w - -", "h#1.5", popeye), both);
        let after = "1...Rh2-d2 2.Ka1-b1 Rd2-d1#\n1... ... 2.Ka1-b1 Rh2-h1#";
        assert_eq!(found("8/8/8/8/8/1K6/7R/k7 w - -", "h#1.5", after), (vec![actual.clone(), set.clone()], 0));
        let bare = "1... ... 2.Ka1-b1 Rh2-h1#\n1.Rh2-d2 Ka1-b1 2.Rd2-d1#";
        assert_eq!(found("8/8/8/8/8/1K6/7R/k7 w - -", "h#1.5", bare), both);
        // In a help selfmate the other side begins the halves.
        let self_mate = "8/8/8/8/1p6/k7/2Q5/KB6 b - -";
        let line = (false, "b4-b3 Qc2-b2 Ka3-b4".to_owned());
        assert_eq!(found(self_mate, "hs#1.5", "1...b4-b3 2.Qc2-b2 + Ka3-b4 #"), (vec![line], 0));
    }

    #[test]
    fn a_series_of_the_side_that_is_not_to_move_has_two_numbers() {
        let series = Stipulation::parse_any("ser-h#3").unwrap().begun_by_the_other().unwrap();
        let start = Problem::read("8/8/8/8/8/6K1/R7/7k b - -").unwrap().chess;
        for text in ["  1...Kh1-g1 Kg1-h1   2.Ra2-a1 #", "1.Kg1 2.Kh1 Ra1#"] {
            let printed = PrintedLines::read(text, &start, series);
            assert_eq!(printed.lines.len(), 1, "{text} {:?}", printed.misprints);
            assert_eq!(printed.lines[0].moves, ["h1g1", "g1h1", "a2a1"]);
        }
    }

    #[test]
    fn series_have_a_number_for_each_move() {
        let series = read("k7/8/2K5/8/8/8/7R/8 w - -", "ser-#2", "1.Kb6 2.Th8#");
        assert_eq!(series.lines[0].moves, ["c6b6", "h2h8"]);
        let helped = read("8/8/8/8/8/1K6/7R/1k6 b - -", "ser-h#2", "1.Ka1 2.Kb1 Rh1#");
        assert_eq!(helped.lines[0].moves, ["b1a1", "a1b1", "h2h1"]);
    }

    #[test]
    fn the_set_play_of_a_series_is_one_move_before_or_after_it() {
        let series = "8/8/8/8/8/1K6/7R/1k6 b - -";
        for (text, sets) in [
            ("1...Rb2#\n\n1.Ka1 2.Kb1 Rh1#", 1),
            ("1.Ka1 2.Kb1 Rh1#\n\n*1...Rh1#", 1),
            ("1.Ka1 2.Kb1 Rh1# 1...Rh1#", 1),
            ("*1...Rh1# 1.Ka1 2.Kb1 2...Rh1#", 1),
            ("1.Ka1 2.Kb1 Rh1#", 0),
        ] {
            let printed = read(series, "ser-h#2", text);
            let mut found: Vec<_> = printed.lines.iter().map(|line| (line.is_set, line.moves.len())).collect();
            found.sort_unstable();
            let expected = [vec![(false, 3)], vec![(true, 1); sets]].concat();
            assert_eq!((found, printed.misprints.len()), (expected, 0), "{text}");
        }
        // A reply at the end of the series may have dots.
        let reply = read("8/8/8/8/8/1K6/7R/k7 b - -", "ser-h#1", "1.Kb1 1...Rh1#");
        assert_eq!((reply.lines.len(), reply.lines[0].moves.len(), reply.misprints.len()), (1, 2, 0));
        let compelled = read("8/8/8/1p6/bPp5/kpP5/Np6/bK6 w - -", "ser-s#2", "1...bxa2# 1.Sc1 2.Sa2 bxa2#");
        let found: Vec<_> = compelled.lines.iter().map(|line| (line.is_set, line.words.as_str())).collect();
        assert_eq!(found, [(true, "bxa2"), (false, "Sc1 Sa2 bxa2")]);
    }

    #[test]
    fn a_misprint_has_its_place_and_the_next_line_is_read() {
        let text = "1.0-0 Kh5 2.Kh7 Sg6#\n1.0-0 Kh5 2.Kh7 Sg5#";
        let printed = read(BENKO, "h#2", text);
        let Misprint { line, word, at, .. } = &printed.misprints[0];
        assert_eq!((line.as_str(), word.as_str(), *at, printed.lines.len()), ("0-0 Kh5 Kh7 Sg6", "Sg6", 16, 1));
    }
}
