//! Reads printed solutions: Popeye's plain layout, and the shorthand of columns and databases.
//!
//! ```text
//! 1.c2-c4 ! threat:                1.c4! (2.Rf1#)
//!        2.Rf2-f1 #                   1...fxe2/Nxe2 2.Qd2#
//!    1...f3*e2                     1.e3? zz
//!        2.Qa5-d2 #                but 1...Nb3!
//! ```
//!
//! Both are sequences of numbered moves. The meaning of a move follows from its number, its dots, and the signs and
//! words around it. First and second moves are looked up among the legal moves, so most misprints are noticed. Kept are
//! the first moves of both sides and the attacker's second moves: all of a two-mover, and the beginning of a longer
//! problem.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Chess, Move, Position as _, Role, san::San, san::SanPlus};

use super::words::{Group, Setting, Word, groups};
use crate::chess::passed;
use crate::problem::moves::{find, find_all, is_move, uci};

/// The part of a solution that belongs to one first move, or the set play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// The first move in UCI notation; `None` for the set play.
    pub first: Option<String>,
    /// Whether `!` follows the first move.
    pub key: bool,
    /// The threats, in UCI notation.
    pub threats: BTreeSet<String>,
    /// The attacker's second moves after each defence, in UCI notation.
    pub variations: BTreeMap<String, BTreeSet<String>>,
    /// The defences that refute, after `but`.
    pub refutations: BTreeSet<String>,
}

/// A move of a printed solution that is not legal where it stands, or fits several legal moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Misprint {
    /// The move as printed, with its number and the moves before it: `1...Kd5 2.Qe9`.
    pub line: String,
    /// The move itself, as printed.
    pub word: String,
    /// The byte of the text where the word starts.
    pub at: usize,
    /// The legal moves that the word fits, in standard algebraic notation: none, or several.
    pub fits: Vec<String>,
}

/// A printed solution.
#[derive(Debug, Clone, Default)]
pub struct PrintedSolution {
    /// Set play, tries and keys, as printed.
    pub parts: Vec<Printed>,
    /// The first and second moves that cannot be read.
    pub misprints: Vec<Misprint>,
    /// The keys that a field of their own names, in UCI notation. They stand for those of the text.
    named: BTreeSet<String>,
    /// The words of that field that are no legal moves; with `true`, those with the sign of a mate that is none.
    pub faulty_keys: Vec<(String, bool)>,
}

impl PrintedSolution {
    /// Reads the printed solution of the problem in this position.
    ///
    /// ```
    /// use matesolve_problem::problem::Problem;
    /// use matesolve_problem::published::PrintedSolution;
    ///
    /// let prinz = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -")?;
    /// let solution = PrintedSolution::read("1.Th6! Zz. 1...Ba2 2.Txh7#, 1...gxh6 2.g8#", &prinz.chess);
    /// assert!(solution.keys().contains("h1h6"));
    /// assert_eq!(solution.misprints[0].line, "1...gxh6 2.g8");
    /// # Ok::<(), matesolve_problem::problem::ProblemError>(())
    /// ```
    pub fn read(text: &str, start: &Chess) -> PrintedSolution {
        PrintedSolution::read_for(text, start, None, false)
    }

    /// Reads a printed solution, also of one half of a duplex: what follows a first move that only the other half can
    /// play, in the position `other`, is left out. `defender_ends`: variations end with a move of the defender, as in
    /// selfmates, so his second moves are read too: `1...Ke4 2.Qd4+ Sxd4#`, `[2.Kc4 ... cxd5#]`.
    pub fn read_for(text: &str, start: &Chess, other: Option<&Chess>, defender_ends: bool) -> PrintedSolution {
        let mut reader = SolutionReader { other, defender_ends, ..SolutionReader::new(start) };
        let groups = groups(text);
        for (at, group) in groups.iter().enumerate() {
            if group.begins_defences() {
                reader.choose_part(&groups[at..]);
            }
            reader.read(group);
        }
        reader.finish();
        reader.find_unmarked_key();
        // A text without numbers names the key if it begins with a move.
        let first = text.split_whitespace().take(1).filter(|word| groups.is_empty() && is_move(word));
        reader.solution.with_keys(&first.map(str::to_owned).collect::<Vec<_>>(), start)
    }

    /// Takes the keys that a field of their own names.
    #[must_use]
    pub fn with_keys(mut self, texts: &[String], start: &Chess) -> PrintedSolution {
        let words = texts.iter().flat_map(|text| text.split(|c: char| c.is_whitespace() || ",;".contains(c)));
        for word in words.filter(|word| !word.is_empty()) {
            let found = find(start, word);
            let ends = |m: Move| start.clone().play(m).is_ok_and(|after| after.is_checkmate());
            if found.is_none_or(|m| word.ends_with('#') && !ends(m)) {
                self.faulty_keys.push((word.to_owned(), found.is_some()));
            }
            self.named.extend(found.map(uci));
        }
        self
    }

    /// Returns the printed keys, in UCI notation.
    pub fn keys(&self) -> BTreeSet<String> {
        let marked = self.parts.iter().filter(|part| part.key).filter_map(|part| part.first.clone()).collect();
        if self.named.is_empty() { marked } else { self.named.clone() }
    }

    /// Returns whether a key is named or marked, legal or not.
    pub fn names_key(&self) -> bool {
        !self.named.is_empty() || self.has_faulty_key() || self.parts.iter().any(|part| part.key)
    }

    /// Returns whether a key is no legal move, or no mate although it has its sign.
    pub fn has_faulty_key(&self) -> bool {
        !self.faulty_keys.is_empty() || self.parts.iter().any(|part| part.key && part.first.is_none())
    }

    /// Returns the moves that a word means, each with the position after it. A word that means none is a misprint
    /// after the moves of `before`.
    fn moves(&mut self, before: &str, word: &Word, chess: &Chess) -> Vec<(Move, Chess)> {
        let found = find_words(chess, word);
        if found.is_empty() {
            self.misprints.extend(Misprint::of(format!("{before}{}", word.text), word, chess));
        }
        found.into_iter().filter_map(|m| Some((m, chess.clone().play(m).ok()?))).collect()
    }
}

impl Misprint {
    /// Makes the misprint of a word that means no move of this position, or several; `None` if it stands for any move.
    pub(super) fn of(line: String, word: &Word, chess: &Chess) -> Option<Misprint> {
        let fits = || find_all(chess, &word.text).into_iter().map(|m| full_san(chess, m)).collect();
        (!word.is_any()).then(|| Misprint { line, word: word.text.clone(), at: word.at, fits: fits() })
    }
}

/// Writes a move with the squares of its origin and its arrival, so that it differs from every other: `Nb3-c5`.
fn full_san(chess: &Chess, m: Move) -> String {
    let from = m.from().map_or(String::new(), |from| from.to_string());
    let San::Normal { role, capture, to, promotion, .. } = San::from_move(chess, m) else { return uci(m) };
    let letter = if role == Role::Pawn { String::new() } else { role.upper_char().to_string() };
    let promoted = promotion.map_or(String::new(), |role| format!("={}", role.upper_char()));
    format!("{letter}{from}{}{to}{promoted}", if capture { 'x' } else { '-' })
}

/// Returns the move that a word means: as it stands, or else of the man that the word before names.
pub(super) fn find_word(chess: &Chess, word: &Word) -> Option<Move> {
    find(chess, &word.text).or_else(|| find(chess, word.of_same_man.as_ref()?))
}

/// Returns the moves that a word means: the one of [`find_word`], or else two that stand without a sign between them,
/// if both are legal.
fn find_words(chess: &Chess, word: &Word) -> Vec<Move> {
    let pair = || {
        let (first, second) = word.text.split_at_checked(word.second?)?;
        Some(vec![find(chess, first)?, find(chess, second)?])
    };
    find_word(chess, word).map(|m| vec![m]).or_else(pair).unwrap_or_default()
}

/// A defence that has been read.
struct Defence {
    uci: String,
    san: String,
    after: Chess,
}

/// The state while a solution is read.
struct SolutionReader<'a> {
    start: &'a Chess,
    /// The position of the other half of a duplex.
    other: Option<&'a Chess>,
    /// Whether the play of the other half is being passed over.
    passes_over: bool,
    solution: PrintedSolution,
    /// The part being read and the position after its first move.
    current: Option<(Printed, Option<Chess>)>,
    /// The defences to which the next answers belong, and the positions after them.
    defences: Vec<Defence>,
    /// Whether the next answers are threats, because no defence has been read since the first move.
    threats: bool,
    /// Whether the defender's second moves are read.
    defender_ends: bool,
    /// The positions after the attacker's last second moves that were read, with the lines that lead there.
    answers: Vec<(String, Chess)>,
    /// For each part, whether it begins with a first move that has no mark.
    unmarked: Vec<bool>,
}

impl<'a> SolutionReader<'a> {
    fn new(start: &'a Chess) -> SolutionReader<'a> {
        SolutionReader {
            start,
            other: None,
            passes_over: false,
            solution: PrintedSolution::default(),
            current: None,
            defences: Vec::new(),
            threats: false,
            defender_ends: false,
            answers: Vec::new(),
            unmarked: Vec::new(),
        }
    }

    fn read(&mut self, group: &Group) {
        if (group.number, group.defence) == (1, false) {
            self.passes_over = self.is_of_other_half(group);
        }
        if self.passes_over {
            self.finish();
            return;
        }
        match (group.number, group.defence) {
            (1, false) => self.first_move(group),
            (1, true) => {
                self.defences(&group.moves, group.setting == Setting::AfterBut || group.marks.contains('!'));
            }
            (2, false) => {
                self.answer(group);
                self.replies(group.split().1);
            }
            (2, true) => self.replies(&group.moves),
            _ => {}
        }
    }

    /// Returns whether only the other half of a duplex can play this first move.
    fn is_of_other_half(&self, group: &Group) -> bool {
        let Some((other, word)) = self.other.zip(group.split().0.first()) else { return false };
        find_word(self.start, word).is_none() && find_word(other, word).is_some()
    }

    fn finish(&mut self) {
        self.solution.parts.extend(self.current.take().map(|(printed, _)| printed));
        self.defences.clear();
        self.answers.clear();
    }

    /// If no first move is marked as the key, and only one has no mark at all, it is the key.
    fn find_unmarked_key(&mut self) {
        if self.solution.names_key() {
            return;
        }
        let parts = self.solution.parts.iter_mut().zip(&self.unmarked);
        let mut unmarked = parts.filter(|(part, unmarked)| **unmarked && part.refutations.is_empty());
        if let (Some((part, _)), None) = (unmarked.next(), unmarked.next()) {
            part.key = true;
        }
    }

    fn first_move(&mut self, group: &Group) {
        self.finish();
        let (own, replies) = group.split();
        let Some(word) = own.first() else { return };
        let found = find_word(self.start, word);
        if found.is_none() {
            self.solution.misprints.extend(Misprint::of(format!("1.{}", word.text), word, self.start));
        }
        let key = group.marks.contains('!') && !group.marks.contains('?');
        let after = found.and_then(|m| self.start.clone().play(m).ok());
        let printed = Printed { first: found.map(uci), key, ..Printed::default() };
        self.current = Some((printed, after));
        self.unmarked.push(group.marks.is_empty() && group.setting != Setting::Brackets);
        self.threats = true;
        if !replies.is_empty() {
            // After "1.Ka1? Bb2!" the reply refutes; after "1.Ka1! Bb2!" it is only good.
            self.defences(replies, group.marks.contains('?') && group.marks.contains('!'));
        }
    }

    /// Decides whether defences after an empty line, the first of these groups, belong to the first move before them or
    /// to the set play.
    ///
    /// Both readings are tried, and the one with fewer misprints is right. Of equally good ones it is the first move's:
    /// set play usually stands before all first moves. Only after the refutations of a try it is the set play.
    fn choose_part(&mut self, groups: &[Group]) {
        let Some((printed, after)) = &self.current else { return };
        if printed.first.is_none() {
            return;
        }
        let ends = |group: &&Group| group.number == 1 && (!group.defence || group.begins_defences());
        let end = groups.iter().skip(1).position(|group| ends(&group)).map_or(groups.len(), |at| at + 1);
        let misprints = |current: Option<(Printed, Option<Chess>)>| {
            let defender_ends = self.defender_ends;
            let mut trial = SolutionReader { current, defender_ends, ..SolutionReader::new(self.start) };
            groups[..end].iter().for_each(|group| trial.read(group));
            trial.solution.misprints.len()
        };
        let continued =
            misprints(Some((Printed { first: printed.first.clone(), ..Printed::default() }, after.clone())));
        let set_play = misprints(None);
        if set_play < continued || (set_play == continued && !printed.refutations.is_empty()) {
            self.finish();
        }
    }

    /// Reads moves of the defender after the first move, or in the diagram.
    fn defences(&mut self, words: &[Word], refute: bool) {
        if self.current.is_none() {
            self.unmarked.push(false);
        }
        let (printed, after) = self.current.get_or_insert_with(|| (Printed::default(), passed(self.start)));
        self.threats = false;
        self.defences.clear();
        self.answers.clear();
        let Some(after) = after else { return };
        for (m, next) in words.iter().flat_map(|word| self.solution.moves("1...", word, after)) {
            if refute {
                printed.refutations.insert(uci(m));
            } else {
                printed.variations.entry(uci(m)).or_default();
                let san = SanPlus::from_move(after.clone(), m).to_string();
                self.defences.push(Defence { uci: uci(m), san, after: next });
            }
        }
    }

    /// Reads the defender's second moves. A move that fits after none of the answers before it is a misprint. In a
    /// threat, `[2.f4 ... Bd6 ... Rb5#]` leaves out every defence but the last, so a word that fits nowhere is no
    /// misprint there.
    fn replies(&mut self, words: &[Word]) {
        for word in words.iter().filter(|_| self.defender_ends) {
            let fits = self.answers.iter().any(|(_, after)| find_word(after, word).is_some());
            if let Some((line, after)) = self.answers.first().filter(|_| !fits && !self.threats) {
                self.solution.misprints.extend(Misprint::of(format!("{line} {}", word.text), word, after));
            }
        }
    }

    fn answer(&mut self, group: &Group) {
        self.answers.clear();
        let words = group.split().0;
        let Some((printed, after)) = &mut self.current else { return };
        // Brackets after a defence hold its answers: "1...Ba2 2.Rxh7# (2.g7#)".
        let answers = |word: &Word| self.defences.iter().any(|it| find_word(&it.after, word).is_some());
        if self.threats || group.setting == Setting::Brackets && !words.iter().any(answers) {
            let passed = after.as_ref().and_then(passed);
            for word in words {
                let Some(passed) = &passed else {
                    self.solution.misprints.extend(Misprint::of(format!("2.{}", word.text), word, self.start));
                    continue;
                };
                for (threat, next) in self.solution.moves("2.", word, passed) {
                    printed.threats.insert(uci(threat));
                    self.answers.push((format!("2.{}", word.text), next));
                }
            }
            return;
        }
        for Defence { uci: defence, san, after } in &self.defences {
            for word in words {
                for (answer, next) in self.solution.moves(&format!("1...{san} 2."), word, after) {
                    printed.variations.entry(defence.clone()).or_default().insert(uci(answer));
                    self.answers.push((format!("1...{san} 2.{}", word.text), next));
                }
            }
        }
    }
}
