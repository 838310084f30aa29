//! Judges a puzzle: decides what its line claims, with exact answers only.
//!
//! Most puzzles are small questions, so a first attempt has a table that fits into the processor's cache. If its nodes
//! or its memory do not suffice, a second attempt gets all the memory. The limits of nodes and time hold for both
//! together. What a limit leaves open is not claimed.
//!
//! A line is judged only if every word of it is a legal move. How it ends decides what it is: a mate by the solver, a
//! mate by the opponent, or something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position as _};

use crate::base::clock::Instant;
use crate::base::guard::guarded;
use crate::chess::{Goal, MateLength, NodeKind, Position, Stipulation, notation};
use crate::problem::fen;
use crate::problem::moves::{in_line, uci};
use crate::proof::{ProofTree, check};
use crate::puzzles::record::{Puzzle, PuzzleRecord};
use crate::results::puzzles::{Alternatives, Certified, PuzzleVerdict};
use crate::search::decider::Decider;
use crate::search::dfpn::Prover;
use crate::search::{Control, Facts, Interrupted, Meter, StopReason};
use crate::solve::Limits;

/// The memory of the first attempt, in bytes: table and facts. The allocator keeps blocks of this size for reuse.
const SMALL: usize = 96 << 10;
/// The nodes of the first attempt.
const SMALL_NODES: u64 = 20_000;
/// How many moves longer than the line a mate is looked for if there is none in the moves of the line, and the nodes
/// for it.
const LONGER: u16 = 5;
const LONGER_NODES: u64 = 100_000;
/// The bytes of memory for each node of a proof that is rebuilt.
const BYTES_PER_NODE: usize = 64;

/// Judges puzzles within these limits, until `stop` becomes true.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    pub limits: Limits,
    pub stop: &'a AtomicBool,
    /// Counts the nodes of all puzzles.
    pub nodes: Arc<AtomicU64>,
}

/// Why there is no answer.
enum Open {
    Limit(StopReason),
    /// A proof did not pass its check.
    Fault(String),
}

impl From<Interrupted> for Open {
    fn from(reason: Interrupted) -> Open {
        Open::Limit(reason)
    }
}

/// The facts about a position and a line.
#[derive(Debug, Default)]
struct PuzzleFacts {
    /// The shortest mate in the position of the solver that was found.
    mate_in: Option<u16>,
    /// The half-moves at which other moves mate in time, with these moves.
    alternatives: Vec<Alternatives>,
    /// The first half-move at which there is a faster mate, and its length.
    faster: Option<(usize, u16)>,
    /// The first half-move whose published move does not mate in time.
    wrong_move: Option<usize>,
}

impl Judge<'_> {
    /// Judges a record. A panic costs this record only.
    pub(crate) fn certify(&self, record: &PuzzleRecord) -> Certified {
        let (file, line) = (record.file, record.line);
        let invalid = |id, fen, why| {
            let (verdict, reason) = (Some(PuzzleVerdict::Invalid), Some(why));
            Certified { file, line, id, fen, verdict, reason, ..Certified::default() }
        };
        let puzzle = match &record.puzzle {
            Ok(puzzle) => puzzle,
            Err((id, why)) => return invalid(id.clone(), None, why.clone()),
        };
        let played = match Line::play(puzzle) {
            Ok(line) => line,
            Err((fen, why)) => return invalid(puzzle.id.clone(), fen, why),
        };
        let (id, fen, length_of_line) = (puzzle.id.clone(), Some(fen_of(&played.root)), Some(played.length()));
        let base = Certified { file, line, id, fen, length_of_line, ..Certified::default() };
        guarded(|| self.judge(puzzle, &played, &base)).unwrap_or_else(|broken| {
            let reason = Some(broken.sentence("matesolve", "this position"));
            Certified { failed: true, reason, ..base }
        })
    }

    fn judge(&self, puzzle: &Puzzle, line: &Line, base: &Certified) -> Certified {
        let themes = Themes::of(&puzzle.themes);
        let mates = line.mated.is_some_and(|mated| mated != line.root.turn());
        if line.mated.is_none() && !themes.mate {
            return Certified { verdict: Some(PuzzleVerdict::NotMatePuzzle), ..base.clone() };
        }
        let found = self.search(line, mates, themes.longest());
        let length = line.length();
        let mut answer = base.clone();
        answer.interrupted = matches!(found, Err(Open::Limit(StopReason::Stopped)));
        answer.theme_right = if mates {
            themes.right(length, found.as_ref().ok())
        } else {
            (!themes.lengths.is_empty()).then_some(false)
        };
        if let Ok(found) = &found {
            (answer.mate_in, answer.proved) = (found.mate_in, true);
            answer.alternatives.clone_from(&found.alternatives);
        }
        match found {
            Err(Open::Fault(why)) => Certified { failed: true, reason: Some(why), ..answer },
            _ if !mates => {
                let end = if line.mated.is_some() { "checkmates the solver" } else { "does not end in checkmate" };
                Certified { verdict: Some(PuzzleVerdict::NoMate), reason: Some(format!("the line {end}")), ..answer }
            }
            Err(Open::Limit(reason)) => Certified { reason: Some(format!("undecided: {}", limit(reason))), ..answer },
            Ok(found) => {
                let (verdict, reason) = verdict(&found, line);
                let wrong_theme = answer.theme_right == Some(false);
                let theme = wrong_theme.then(|| themes.fault(length, found.mate_in));
                let reasons: Vec<String> = reason.into_iter().chain(theme).collect();
                answer.verdict = Some(verdict);
                answer.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
                answer
            }
        }
    }

    /// Answers the questions about a line, first with little memory. `mates` says whether the line ends in a mate by
    /// the solver; `least` is the length of a mate that is looked for at least.
    fn search(&self, line: &Line, mates: bool, least: u16) -> Result<PuzzleFacts, Open> {
        let control = Control::new(self.limits.of_search(Instant::now()), self.stop).watched(Some(self.nodes.clone()));
        control.check()?;
        let small = self.limits.hash.min(SMALL);
        let attempt = |hash: usize, slice| {
            let (attacker, stipulation) = (line.root.turn(), Stipulation::mate(None));
            let facts = Facts::with_bytes(hash / 8).about(stipulation, attacker);
            let prover = Prover::new(hash - hash / 8);
            let mut decider = Decider::new(prover, &facts, Meter::new(&control));
            decider.set_slice(slice);
            Questions { decider, line, max_nodes: (hash / BYTES_PER_NODE).max(1000) }.answer(mates, least, slice)
        };
        match attempt(small, Some(SMALL_NODES)) {
            Err(Open::Limit(StopReason::Slice | StopReason::Memory)) => attempt(self.limits.hash, None),
            answer => answer,
        }
    }
}

/// The questions about one line.
struct Questions<'l, 'a, 'c> {
    decider: Decider<'a, 'c>,
    line: &'l Line,
    /// The largest number of nodes of a proof.
    max_nodes: usize,
}

impl Questions<'_, '_, '_> {
    fn answer(&mut self, mates: bool, least: u16, slice: Option<u64>) -> Result<PuzzleFacts, Open> {
        let length = self.line.length();
        let bound = if mates { length } else { length.max(least) };
        let root = Position::from_chess(&self.line.root);
        let mate_in = self.decider.shortest_mate(&root, MateLength(bound))?.map(|n| n.0);
        let mut found = PuzzleFacts { mate_in, ..PuzzleFacts::default() };
        match found.mate_in {
            Some(n) => self.prove(&self.line.root, NodeKind::Or, n)?,
            None => found.mate_in = self.longer_mate(&root, bound, slice)?,
        }
        if mates && found.mate_in.is_some_and(|n| n <= length) {
            for ply in (0..self.line.moves.len()).step_by(2) {
                let left = length - u16::try_from(ply / 2).unwrap_or(u16::MAX);
                if left > 1 {
                    self.at(ply, left, &mut found)?;
                }
            }
        }
        Ok(found)
    }

    /// Looks for a mate that is somewhat longer than the line.
    fn longer_mate(&mut self, root: &Position, bound: u16, slice: Option<u64>) -> Result<Option<u16>, Open> {
        self.decider.set_slice(slice.or(Some(LONGER_NODES)));
        for n in bound + 1..=bound + LONGER {
            match self.decider.mates(root, MateLength(n)) {
                Ok(Some(_)) => {
                    self.decider.set_slice(slice);
                    self.prove(&self.line.root, NodeKind::Or, n)?;
                    return Ok(Some(n));
                }
                Ok(None) => {}
                // That there is none in the moves of the line is proved all the same.
                Err(reason) if slice.is_none() && reason != StopReason::Stopped => break,
                Err(reason) => return Err(reason.into()),
            }
        }
        Ok(None)
    }

    /// Finds the other moves at a half-move of the solver, from 0, with `left` moves left.
    fn at(&mut self, ply: usize, left: u16, found: &mut PuzzleFacts) -> Result<(), Open> {
        let (chess, published) = &self.line.moves[ply];
        let position = Position::from_chess(chess);
        let fastest = self.decider.shortest_mate(&position, MateLength(left - 1))?;
        if let (Some(n), None) = (fastest, found.faster) {
            self.prove(chess, NodeKind::Or, n.0)?;
            found.faster = Some((ply + 1, n.0));
        }
        let mating = self.decider.mating_moves(&position, MateLength(left))?;
        let published = notation::code(*published);
        if found.wrong_move.is_none() && !mating.iter().any(|m| m.code() == published) {
            found.wrong_move = Some(ply + 1);
        }
        let mut moves = Vec::new();
        for m in mating.into_iter().filter(|m| m.code() != published) {
            let fault = || Open::Fault("a move of the search is not legal; please report it".to_owned());
            let m = notation::legal_move(chess, m.code()).ok_or_else(fault)?;
            self.prove(&notation::after(chess, m), NodeKind::And, left - 1)?;
            moves.push(uci(m));
        }
        moves.sort_unstable();
        if !moves.is_empty() {
            found.alternatives.push(Alternatives { ply: ply + 1, moves });
        }
        Ok(())
    }

    /// Lets the checker replay a proof of a mate within `n` moves.
    fn prove(&mut self, chess: &Chess, kind: NodeKind, n: u16) -> Result<(), Open> {
        let attacker = self.line.root.turn();
        let fault = |why: String| Open::Fault(format!("a proof of a mate does not hold ({why}); please report it"));
        let position = Position::from_chess(chess);
        let tree: Option<ProofTree> = self.decider.prove(&position, kind, MateLength(n), self.max_nodes)?;
        let tree = tree.ok_or_else(|| fault("it cannot be found again".to_owned()))?;
        let proof = check(chess, attacker, Goal::MATE, tree).map_err(|error| fault(error.to_string()))?;
        if proof.length() <= MateLength(n) { Ok(()) } else { Err(fault("it is too long".to_owned())) }
    }
}

/// Returns the verdict on a line that ends in a mate by the solver, and what is wrong with it.
fn verdict(found: &PuzzleFacts, line: &Line) -> (PuzzleVerdict, Option<String>) {
    let length = line.length();
    match (found.mate_in, found.faster, found.wrong_move) {
        (Some(n), ..) if n > length => {
            let why =
                format!("there is no mate in {length}, as the line has it, but one in {n}: it needs a poor defence");
            (PuzzleVerdict::NoMate, Some(why))
        }
        (None, ..) => {
            let why = format!("there is no mate in {length}: the line needs a poor defence");
            (PuzzleVerdict::NoMate, Some(why))
        }
        (_, Some((ply, n)), _) => {
            let left = usize::from(length) - ply / 2;
            let why = format!("at half-move {ply} of the line there is a mate in {n}, and the line takes {left} moves");
            (PuzzleVerdict::NotShortest, Some(why))
        }
        (_, None, wrong) if wrong.is_some() || !found.alternatives.is_empty() => {
            (PuzzleVerdict::AnotherMove, Some(other_moves(found, line)))
        }
        _ => (PuzzleVerdict::Right, None),
    }
}

/// Says which other moves mate, and whether the published one does not.
fn other_moves(found: &PuzzleFacts, line: &Line) -> String {
    let wrong = found.wrong_move.and_then(|ply| {
        let m = uci(line.moves.get(ply - 1)?.1);
        let left = usize::from(line.length()) - ply / 2;
        Some(format!("half-move {ply}, {m}, does not mate in {left} moves against every defence"))
    });
    let others = found.alternatives.iter().map(|Alternatives { ply, moves }| {
        let left = usize::from(line.length()) - ply / 2;
        format!("at half-move {ply}, {} mates in {left} moves", moves.join(" or "))
    });
    wrong.into_iter().chain(others).collect::<Vec<_>>().join("; ")
}

/// Says which limit was reached.
fn limit(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Nodes | StopReason::Slice => "the node limit was reached",
        StopReason::Time => "the time limit was reached",
        StopReason::Memory => "the memory was used up",
        StopReason::Stopped => "the search was interrupted",
    }
}

/// The claims of the themes of a puzzle about a mate.
#[derive(Debug, Default)]
struct Themes {
    /// Whether one of them says that it is a mate.
    mate: bool,
    /// The numbers of the themes `mateInN`.
    lengths: Vec<u16>,
}

impl Themes {
    fn of(text: &str) -> Themes {
        let words = || text.split(|c: char| c.is_whitespace() || c == ',');
        let mate = words().any(|word| word == "mate" || word.starts_with("mateIn"));
        let lengths = words().filter_map(|word| word.strip_prefix("mateIn")?.parse().ok()).collect();
        Themes { mate, lengths }
    }

    /// Returns the largest number, at most [`MateLength::MAX`]; 0 without one.
    fn longest(&self) -> u16 {
        self.lengths.iter().copied().filter(|&n| n < MateLength::MAX.0).max().unwrap_or(0)
    }

    /// Returns whether the themes are right for a line of this length and for its position, as far as that is found
    /// out; `None` if there are none, or if that is not decided.
    fn right(&self, length: u16, found: Option<&PuzzleFacts>) -> Option<bool> {
        let all = |moves: u16| self.lengths.iter().all(|&n| Themes::fits(n, moves));
        match found {
            _ if self.lengths.is_empty() => None,
            _ if !all(length) => Some(false),
            found => found.map(|found| found.mate_in.is_some_and(all)),
        }
    }

    /// Returns whether the theme of `n` moves fits a mate in `moves` moves. `mateIn5` stands for five moves or more.
    fn fits(n: u16, moves: u16) -> bool {
        n == moves || n == 5 && moves > 5
    }

    /// Says what is wrong with the themes.
    fn fault(&self, length: u16, mate_in: Option<u16>) -> String {
        let wrong = |moves| self.lengths.iter().find(|&&n| !Themes::fits(n, moves));
        match (wrong(length), mate_in) {
            (Some(n), _) => format!("the theme mateIn{n} is wrong: the line has {length} moves"),
            (None, Some(moves)) => {
                let n = wrong(moves).copied().unwrap_or(length);
                format!("the theme mateIn{n} is wrong: the position has a mate in {moves}")
            }
            (None, None) => format!("the theme mateIn{length} is wrong"),
        }
    }
}

/// The line of a puzzle from the solver's first move on.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The position in which the solver is to move.
    pub root: Chess,
    /// Each move with the position before it. The solver's are the first, the third and so on.
    pub moves: Vec<(Chess, Move)>,
    /// The side that is checkmated at the end.
    pub mated: Option<Color>,
}

impl Line {
    /// Plays the line.
    ///
    /// # Errors
    /// The position cannot be read, or a move is not legal. The sentence says which; beside it is the position of the
    /// solver if it is known.
    pub(super) fn play(puzzle: &Puzzle) -> Result<Line, (Option<String>, String)> {
        let diagram = fen::read(&puzzle.fen).map_err(|error| (None, error.to_string()))?;
        if diagram.drops_rights {
            return Err((None, diagram.warnings.join(" ")));
        }
        let mut chess = diagram.chess;
        let mut words = puzzle.moves.split_whitespace().enumerate();
        if !puzzle.starts_with_solver {
            let first = words.next().ok_or((None, "the puzzle has no moves; add its line".to_owned()))?;
            let m = in_line(&chess, first).map_err(|why| (None, why))?;
            chess.play_unchecked(m);
        }
        let root = chess.clone();
        let mut moves = Vec::new();
        for word in words {
            let m = in_line(&chess, word).map_err(|why| (Some(fen_of(&root)), why))?;
            let before = chess.clone();
            chess.play_unchecked(m);
            moves.push((before, m));
        }
        if moves.is_empty() {
            return Err((Some(fen_of(&root)), "the line has no move of the solver; add its solution".to_owned()));
        }
        let mated = chess.is_checkmate().then_some(chess.turn());
        Ok(Line { root, moves, mated })
    }

    /// Returns the number of the solver's moves.
    pub(super) fn length(&self) -> u16 {
        u16::try_from(self.moves.len().div_ceil(2)).unwrap_or(u16::MAX)
    }
}

fn fen_of(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}
