//! Formats the lines about a search: `info`, `info string` and `bestmove`. Pure functions.
//!
//! `score mate N` is only written for a proved mate, and its line goes on to the checkmate. UCI cannot express "a
//! shorter mate may exist", so a sentence before `bestmove` says it. Without a proved mate the score is `cp 0`,
//! because UCI requires a score; the sentence then says that it is not an evaluation.

use std::time::Duration;

use super::root_moves::{RootMoves, Score};

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
pub(crate) fn line(root_moves: &RootMoves, index: usize, number: usize, cost: &Cost) -> String {
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
pub(crate) fn game_over(in_check: bool) -> String {
    format!("info depth 0 score {}", if in_check { "mate 0" } else { "cp 0" })
}

/// Formats an `info` line with the cost only.
pub(crate) fn progress(cost: &Cost) -> String {
    format!("info {}", cost.text())
}

/// Formats the sentence that says how much of the answer is proved; `None` if there is no legal move.
pub(crate) fn certainty(root_moves: &RootMoves) -> Option<String> {
    if root_moves.moves.is_empty() {
        return None;
    }
    let tables = if root_moves.with_tables { ", with tables" } else { "" };
    let (no_mate, not_mated) = (root_moves.no_mate().0, root_moves.not_mated().0);
    let (word, n, refuted) = match root_moves.score() {
        Some(Score::Mates(n)) => ("mate", n, no_mate),
        Some(Score::Mated(n)) => ("mated", n, not_mated),
        None => {
            let refuted = format!("no mate in {no_mate}, not mated in {not_mated}{tables}");
            return Some(format!("no mate is known ({refuted}); cp 0 is not an evaluation"));
        }
    };
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
pub(crate) fn best_move(root_moves: &RootMoves) -> String {
    let Some(best) = root_moves.best() else { return "bestmove (none)".to_owned() };
    match best.proved.as_ref().and_then(|proved| proved.pv.get(1)) {
        Some(reply) => format!("bestmove {} ponder {reply}", best.text),
        None => format!("bestmove {}", best.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::problem::fen;
    use crate::uci::analysis::fallback;
    use crate::uci::answer::root_moves::ProvedMove;
    use std::sync::Arc;

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
                root_moves.record(ProvedMove {
                    first,
                    score,
                    pv,
                    proof: Arc::new(crate::results::testing::of_a_checkmate()),
                    node: 0,
                });
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
        let text = |score| line(&analysed(score, 1), 0, 1, &cost);
        let counts = "nodes 1000 nps 100000 hashfull 3 time 10 pv";
        assert!(text(Some(Score::Mates(2))).contains(&format!("info depth 3 multipv 1 score mate 2 {counts}")));
        assert!(text(Some(Score::Mated(2))).contains(&format!("info depth 4 multipv 1 score mate -2 {counts}")));
        assert!(text(None).contains(&format!("info depth 2 multipv 1 score cp 0 {counts}")));
        assert_eq!(
            (game_over(true), game_over(false)),
            ("info depth 0 score mate 0".into(), "info depth 0 score cp 0".into())
        );
        assert_eq!(best_move(&RootMoves::new(Vec::new())), "bestmove (none)");
        assert!(best_move(&analysed(Some(Score::Mates(2)), 1)).ends_with(" ponder a8a7"));
    }
}
