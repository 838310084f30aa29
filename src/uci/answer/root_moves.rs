//! The table of first moves: what is proved about each, and which is the best.
//!
//! The side to move mates if it mates after one of its first moves. It is mated if it is mated after each of them. So
//! every proof is stored with its first move. The score of the position, the order of the lines and the move to play
//! all follow from this table. The lines have this order:
//!
//! 1. moves that mate, the fastest first;
//! 2. moves without a proved score, the most sensible first;
//! 3. moves after which the side to move is mated, the slowest first.
//!
//! This file also formats the lines about a search: `info`, `info string` and `bestmove`.
//!
//! `score mate N` is only written for a proved mate, and its line goes on to the checkmate; `mate 0` is a
//! checkmate on the board. UCI cannot express "a shorter mate may exist", so a sentence before `bestmove` says it.
//! Without a proved mate the score is `cp 0`, because UCI requires a score; the sentence then says that it is not an
//! evaluation.

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Chess;

use crate::chess::{MateLength, MoveCode};
use crate::proof::{NodeId, Verified};

/// A proved score from the view of the side to move. Lengths are in moves of the side that mates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Score {
    /// The side to move mates in at most this number of moves.
    Mates(u16),
    /// The side to move is mated in at most this number of moves.
    Mated(u16),
}

impl Score {
    /// Returns the plies to the checkmate.
    pub(crate) fn plies(self) -> u32 {
        match self {
            Score::Mates(n) => (2 * u32::from(n)).saturating_sub(1),
            Score::Mated(n) => 2 * u32::from(n),
        }
    }

    /// Returns the length of the mate, in moves.
    pub(crate) fn moves(self) -> u16 {
        match self {
            Score::Mates(n) | Score::Mated(n) => n,
        }
    }
}

/// A proved score of a first move.
#[derive(Debug, Clone)]
pub(crate) struct ProvedMove {
    /// The first move.
    pub first: MoveCode,
    /// The score if this move is played.
    pub score: Score,
    /// The main line in UCI notation, from the first move to checkmate.
    pub pv: Vec<String>,
    /// The checked proof.
    pub proof: Arc<Verified>,
    /// The node of the proof for the position after the first move.
    pub node: NodeId,
}

/// A first move with its proved score and its refuted lengths.
#[derive(Debug, Clone)]
pub(crate) struct RootMove {
    /// The move.
    pub code: MoveCode,
    /// The move in UCI notation.
    pub text: String,
    /// The position after the move.
    pub after: Chess,
    /// How sensible the move looks without search: higher is better. See `fallback`.
    pub rank: i32,
    /// The best proved score, if any.
    pub proved: Option<ProvedMove>,
    /// The move does not mate within this number of moves. 0 is always true, as a move is made.
    pub no_mate: MateLength,
    /// After the move, the side that played it is not mated within this number of moves. 0 is always
    /// true, as the other side is to move.
    pub not_mated: MateLength,
}

impl RootMove {
    /// Returns the proved score.
    pub(crate) fn score(&self) -> Option<Score> {
        self.proved.as_ref().map(|proved| proved.score)
    }

    /// Returns a key for sorting: greater is better.
    fn sort_key(&self) -> (i32, i32, i32) {
        match self.score() {
            Some(Score::Mates(n)) => (2, -i32::from(n), self.rank),
            None => (1, 0, self.rank),
            Some(Score::Mated(n)) => (0, i32::from(n), self.rank),
        }
    }
}

/// All first moves that may be played, and what is refuted for the position as a whole.
#[derive(Debug, Clone)]
pub(crate) struct RootMoves {
    /// The first moves, in the order of move generation.
    pub moves: Vec<RootMove>,
    /// The side to move does not mate within this number of moves, by searches of the whole position. 0 is always true.
    pub no_mate: MateLength,
    /// The side to move is not mated within this number of moves, by searches of the whole position. 0 is true while it
    /// has a legal move.
    pub not_mated: MateLength,
    /// Whether refuted lengths may rest on Syzygy files.
    pub with_tables: bool,
}

impl RootMoves {
    /// Returns a table of these moves. Of the position as a whole nothing is refuted but what needs no search.
    pub(crate) fn new(moves: Vec<RootMove>) -> RootMoves {
        RootMoves { moves, no_mate: MateLength(0), not_mated: MateLength(0), with_tables: false }
    }

    /// Returns the indices of the moves, best first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.moves[i].sort_key()));
        order
    }

    /// Returns the best move; `None` if there is no move.
    pub(crate) fn best(&self) -> Option<&RootMove> {
        self.order().first().map(|&i| &self.moves[i])
    }

    /// Returns the score of the position, if it is proved.
    pub(crate) fn score(&self) -> Option<Score> {
        self.best().and_then(RootMove::score)
    }

    /// Returns the length of the `k`-th fastest mate; `None` if fewer than `k` moves mate. `k` begins at 1.
    pub(crate) fn kth_mate_length(&self, k: usize) -> Option<u16> {
        let &kth = self.order().get(k - 1)?;
        match self.moves[kth].score() {
            Some(Score::Mates(n)) => Some(n),
            _ => None,
        }
    }

    /// Stores a proved score unless the move has one that is at least as short.
    pub(crate) fn record(&mut self, proved: ProvedMove) {
        if let Some(m) = self.moves.iter_mut().find(|m| m.code == proved.first)
            && m.score().is_none_or(|known| proved.score.moves() < known.moves())
        {
            m.proved = Some(proved);
        }
    }

    /// Returns the greatest length, in moves, within which the side to move is proved not to mate.
    pub(crate) fn no_mate(&self) -> MateLength {
        // A move that is proved to lose does not mate at any length.
        let of_move =
            |m: &RootMove| if matches!(m.score(), Some(Score::Mated(_))) { MateLength::MAX } else { m.no_mate };
        let of_moves = self.moves.iter().map(of_move).min();
        self.no_mate.max(of_moves.unwrap_or(MateLength(0)))
    }

    /// Returns the greatest length, in moves, within which the side to move is proved able to avoid mate.
    pub(crate) fn not_mated(&self) -> MateLength {
        let of_moves = self.moves.iter().map(|m| m.not_mated).max();
        self.not_mated.max(of_moves.unwrap_or(MateLength(0)))
    }

    /// Returns the length of the proved mate, and the greatest length within which a search has excluded it.
    pub(crate) fn lengths(&self) -> Option<(u16, u16)> {
        self.score().map(|score| match score {
            Score::Mates(n) => (n, self.no_mate().0),
            Score::Mated(n) => (n, self.not_mated().0),
        })
    }

    /// Returns whether the score is a mate and every shorter length is refuted.
    pub(crate) fn is_exact(&self) -> bool {
        self.lengths().is_some_and(|(proved, refuted)| refuted + 1 == proved)
    }

    /// Returns whether a proved length was also refuted. The proof was checked, so the refutation must be wrong.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.lengths().is_some_and(|(proved, refuted)| refuted >= proved)
    }
}

/// The greatest depth that is written without a proved mate: some GUIs store the depth in a byte.
const MAX_DEPTH: u32 = 127;

/// The nodes, time and memory that a search has used so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    /// The nodes searched.
    pub nodes: u64,
    /// The time since the start of the search.
    pub time: Duration,
    /// The fill level of the tables of facts, in permille.
    pub hashfull: u64,
}

impl Cost {
    /// Formats the cost as fields of an `info` line.
    fn text(&self) -> String {
        let ms = self.time.as_millis();
        let nps = u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1);
        format!("nodes {} nps {nps} hashfull {} time {ms}", self.nodes, self.hashfull)
    }
}

/// Formats the `info` line of the move `root_moves.moves[index]`, as line `number` of `multipv`.
pub(crate) fn info_line(root_moves: &RootMoves, index: usize, number: usize, cost: &Cost) -> String {
    let m = &root_moves.moves[index];
    let (depth, score, pv) = match &m.proved {
        Some(proved) => {
            let score = match proved.score {
                Score::Mates(n) => format!("mate {n}"),
                Score::Mated(n) => format!("mate -{n}"),
            };
            (proved.score.plies(), score, proved.pv.join(" "))
        }
        None => (refuted_plies(root_moves), "cp 0".to_owned(), m.text.clone()),
    };
    format!("info depth {depth} multipv {number} score {score} {} pv {pv}", cost.text())
}

/// Returns the depth to write without a proved mate: the plies within which no side mates, from 1 to [`MAX_DEPTH`].
fn refuted_plies(root_moves: &RootMoves) -> u32 {
    let moves = root_moves.no_mate().min(root_moves.not_mated());
    (2 * u32::from(moves.0)).clamp(1, MAX_DEPTH)
}

/// Formats the `info` line of a position without legal moves: checkmate or stalemate.
pub(crate) fn game_over_line(in_check: bool) -> String {
    format!("info depth 0 score {}", if in_check { "mate 0" } else { "cp 0" })
}

/// Formats an `info` line with the cost only.
pub(crate) fn progress_line(cost: &Cost) -> String {
    format!("info {}", cost.text())
}

/// Formats the sentence that says how much of the answer is proved; `None` if there is no legal move.
pub(crate) fn certainty(root_moves: &RootMoves) -> Option<String> {
    if root_moves.moves.is_empty() {
        return None;
    }
    let tables = if root_moves.with_tables { ", with tables" } else { "" };
    let Some((n, refuted)) = root_moves.lengths() else {
        let (no_mate, not_mated) = (root_moves.no_mate(), root_moves.not_mated());
        let refuted = format!("no mate in {no_mate}, not mated in {not_mated}{tables}");
        return Some(format!("no mate is known ({refuted}); cp 0 is not an evaluation"));
    };
    let word = if matches!(root_moves.score(), Some(Score::Mates(_))) { "mate" } else { "mated" };
    if root_moves.is_contradictory() {
        return Some(format!(
            "internal failure: {word} in {n} has a checked proof, but a search excluded every {word} in {refuted}; \
             please report it"
        ));
    }
    Some(match refuted {
        _ if root_moves.is_exact() => format!("{word} in {n} (proved shortest{tables})"),
        0 => format!("{word} in <= {n}"),
        _ => format!("{word} in <= {n} (not in {refuted}{tables})"),
    })
}

/// Formats the `bestmove` line.
pub(crate) fn best_move_line(root_moves: &RootMoves) -> String {
    let Some(best) = root_moves.best() else { return "bestmove (none)".to_owned() };
    match best.proved.as_ref().and_then(|proved| proved.pv.get(1)) {
        Some(reply) => format!("bestmove {} ponder {reply}", best.text),
        None => format!("bestmove {}", best.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Goal, MateLength};
    use crate::problem::fen;
    use crate::proof::{ProofNode, ProofTree, check, parse_position};
    use crate::uci::analysis::fallback;
    use crate::uci::answer::root_moves::ProvedMove;
    use shakmaty::{Color, Square};
    use std::sync::Arc;

    /// Returns the code of a move from a1 to another square.
    fn code(to: u16) -> MoveCode {
        MoveCode::new(Square::A1, Square::new(u32::from(to)), None)
    }

    /// Returns the proof of a checkmate on the board, because every proved move has some proof.
    fn of_a_checkmate() -> Verified {
        let mut tree = ProofTree::new();
        tree.push(ProofNode::MATE);
        let root = parse_position("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").expect("a legal position");
        check(&root, Color::White, Goal::MATE, tree).expect("checkmate")
    }

    fn proved(first: MoveCode, score: Score) -> ProvedMove {
        ProvedMove { first, score, pv: Vec::new(), proof: Arc::new(of_a_checkmate()), node: 0 }
    }

    fn table(scores: &[Option<Score>]) -> RootMoves {
        let mut table = RootMoves::new(Vec::new());
        for (i, &score) in (1..).zip(scores) {
            let code = code(i);
            table.moves.push(RootMove {
                code,
                text: String::new(),
                after: Chess::default(),
                rank: i32::from(i),
                proved: None,
                no_mate: MateLength(0),
                not_mated: MateLength(0),
            });
            if let Some(score) = score {
                table.record(proved(code, score));
            }
        }
        table
    }

    #[test]
    fn fast_mates_come_first_and_fast_losses_last() {
        use Score::{Mated, Mates};
        let root_moves = table(&[Some(Mated(1)), None, Some(Mates(4)), Some(Mated(3)), None, Some(Mates(2))]);
        assert_eq!(root_moves.order(), [5, 2, 4, 1, 3, 0]);
        assert_eq!(
            (root_moves.score(), root_moves.kth_mate_length(2), root_moves.kth_mate_length(3)),
            (Some(Mates(2)), Some(4), None)
        );
        assert_eq!(table(&[Some(Mated(1)), None]).score(), None);
        assert_eq!(table(&[Some(Mated(1)), Some(Mated(7))]).score(), Some(Mated(7)));
        assert_eq!(RootMoves::new(Vec::new()).score(), None);
    }

    #[test]
    fn only_a_shorter_proof_replaces_a_proof() {
        let mut root_moves = table(&[Some(Score::Mates(4))]);
        let mut record = |n| {
            root_moves.record(proved(code(1), Score::Mates(n)));
            root_moves.score()
        };
        assert_eq!((record(5), record(3)), (Some(Score::Mates(4)), Some(Score::Mates(3))));
    }

    #[test]
    fn a_score_is_exact_if_a_mate_one_move_shorter_is_refuted() {
        let mut root_moves = table(&[Some(Score::Mates(4)), None]);
        root_moves.moves[0].no_mate = MateLength(3);
        assert!(!root_moves.is_exact(), "the other move may mate in 3");
        root_moves.moves[1].no_mate = MateLength(3);
        assert!(root_moves.is_exact() && !root_moves.is_contradictory());
        root_moves.no_mate = MateLength(4);
        assert!(root_moves.is_contradictory());
        let mut rest = table(&[Some(Score::Mates(4)), Some(Score::Mated(1))]);
        rest.moves[0].no_mate = MateLength(3);
        assert!(rest.is_exact(), "a move that loses does not mate in 3");
        let mut lost = table(&[Some(Score::Mated(4)), Some(Score::Mated(2))]);
        lost.moves[0].not_mated = MateLength(3);
        assert!(lost.is_exact());
    }

    fn analysed(score: Option<Score>, no_mate: u16) -> RootMoves {
        let chess = fen::read("k7/8/1K6/8/8/8/8/1R6 w - -").unwrap().chess;
        let moves = fallback::root_moves(&chess, shakmaty::CastlingMode::Standard, &[]);
        let (no_mate, not_mated) = (MateLength(no_mate), MateLength(no_mate));
        let mut root_moves = RootMoves { moves, no_mate, not_mated, with_tables: false };
        for i in 0..root_moves.moves.len() {
            let first = root_moves.moves[i].code;
            let pv = vec![root_moves.moves[i].text.clone(), "a8a7".to_owned()];
            let lost = matches!(score, Some(Score::Mated(_)));
            if let Some(score) = score.filter(|_| lost || i == 0) {
                root_moves.record(ProvedMove { first, score, pv, proof: Arc::new(of_a_checkmate()), node: 0 });
            }
        }
        root_moves
    }

    #[test]
    fn each_degree_of_certainty_has_its_own_sentence() {
        let sentence = |score, no_mate| certainty(&analysed(score, no_mate)).unwrap();
        assert_eq!(sentence(Some(Score::Mates(3)), 2), "mate in 3 (proved shortest)");
        assert_eq!(sentence(Some(Score::Mates(3)), 1), "mate in <= 3 (not in 1)");
        assert_eq!(sentence(Some(Score::Mates(3)), 0), "mate in <= 3");
        assert_eq!(sentence(Some(Score::Mated(3)), 2), "mated in 3 (proved shortest)");
        assert!(sentence(Some(Score::Mates(3)), 3).contains("internal failure"));
        assert!(sentence(None, 4).starts_with("no mate is known (no mate in 4, not mated in 4)"));
        let with_tables = RootMoves { with_tables: true, ..analysed(Some(Score::Mates(3)), 2) };
        assert_eq!(certainty(&with_tables).unwrap(), "mate in 3 (proved shortest, with tables)");
        assert!(certainty(&RootMoves::new(Vec::new())).is_none());
    }

    #[test]
    fn a_line_shows_a_mate_score_only_if_it_is_proved() {
        let cost = Cost { nodes: 1000, time: Duration::from_millis(10), hashfull: 3 };
        let text = |score| info_line(&analysed(score, 1), 0, 1, &cost);
        let counts = "nodes 1000 nps 100000 hashfull 3 time 10 pv";
        assert!(text(Some(Score::Mates(2))).contains(&format!("info depth 3 multipv 1 score mate 2 {counts}")));
        assert!(text(Some(Score::Mated(2))).contains(&format!("info depth 4 multipv 1 score mate -2 {counts}")));
        assert!(text(None).contains(&format!("info depth 2 multipv 1 score cp 0 {counts}")));
        assert_eq!(
            (game_over_line(true), game_over_line(false)),
            ("info depth 0 score mate 0".into(), "info depth 0 score cp 0".into())
        );
        assert_eq!(best_move_line(&RootMoves::new(Vec::new())), "bestmove (none)");
        assert!(best_move_line(&analysed(Some(Score::Mates(2)), 1)).ends_with(" ponder a8a7"));
    }
}
