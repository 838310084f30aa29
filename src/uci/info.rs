//! What is written about a search. Pure functions.
//!
//! `score mate N` is written for what is proved and for nothing else, and its line goes on to the checkmate. UCI has
//! no word for "a shorter mate may exist", so that is said in a sentence with the answer. Where no mate is known the
//! score is `cp 0`, because UCI asks for some score; it is no evaluation, and a sentence says that too.

use std::time::Duration;

use super::standing::{Score, Standing};

/// The greatest depth that is claimed where no mate is known: some GUIs keep it in a byte.
const DEEPEST: u32 = 127;

/// What a search has cost so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub nodes: u64,
    pub time: Duration,
    /// Of the shared tables, in permille.
    pub hashfull: u64,
}

impl Cost {
    fn text(&self) -> String {
        let ms = self.time.as_millis();
        let nps = u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1);
        format!("nodes {} nps {nps} hashfull {} time {ms}", self.nodes, self.hashfull)
    }
}

/// One line of the analysis: the move with this index, shown as number so and so.
pub(super) fn line(standing: &Standing, index: usize, number: usize, cost: &Cost) -> String {
    let m = &standing.moves[index];
    let (depth, score, pv) = match &m.proved {
        Some(proved) => {
            let score = match proved.score {
                Score::Mates(n) => format!("mate {n}"),
                Score::Mated(n) => format!("mate -{n}"),
            };
            (proved.score.plies(), score, proved.pv.join(" "))
        }
        None => (decided_plies(standing), "cp 0".to_owned(), m.text.clone()),
    };
    format!("info depth {depth} multipv {number} score {score} {} pv {pv}", cost.text())
}

/// So many plies hold no mate of either side.
fn decided_plies(standing: &Standing) -> u32 {
    let moves = standing.no_mate().min(standing.not_mated());
    (2 * u32::from(moves.0)).clamp(1, DEEPEST)
}

/// The position in which nobody can move.
pub(super) fn over(in_check: bool) -> String {
    format!("info depth 0 score {}", if in_check { "mate 0" } else { "cp 0" })
}

/// A search that goes on without news.
pub(super) fn progress(cost: &Cost) -> String {
    format!("info {}", cost.text())
}

/// How certain the answer is, in the four words: mate in n (proved shortest), mate in <= n, no mate in n, undecided.
pub(super) fn certainty(standing: &Standing) -> Vec<String> {
    if standing.moves.is_empty() {
        return Vec::new();
    }
    let (no_mate, not_mated) = (standing.no_mate().0, standing.not_mated().0);
    let (word, n, refuted) = match standing.score() {
        Some(Score::Mates(n)) => ("mate", n, no_mate),
        Some(Score::Mated(n)) => ("mated", n, not_mated),
        None => {
            let known = format!("no mate in {no_mate}, not mated in {not_mated}");
            return vec![format!("no mate is known ({known}); cp 0 is no evaluation")];
        }
    };
    if standing.is_contradictory() {
        return vec![format!(
            "{word} in {n} is checked, but a search has refuted it through {refuted}: an internal failure; \
             please report it"
        )];
    }
    vec![match refuted {
        _ if standing.is_exact() => format!("{word} in {n} (proved shortest)"),
        0 => format!("{word} in <= {n}"),
        _ => format!("{word} in <= {n} (not in {refuted})"),
    }]
}

/// The answer.
pub(super) fn best_move(standing: &Standing) -> String {
    let Some(best) = standing.best() else { return "bestmove (none)".to_owned() };
    match best.proved.as_ref().and_then(|proved| proved.pv.get(1)) {
        Some(reply) => format!("bestmove {} ponder {reply}", best.text),
        None => format!("bestmove {}", best.text),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::chess::MateLength;
    use crate::problem::fen;
    use crate::uci::fallback;
    use crate::uci::standing::Proved;

    fn standing(score: Option<Score>, no_mate: u16) -> Standing {
        let chess = fen::read("k7/8/1K6/8/8/8/8/1R6 w - -").unwrap().chess;
        let moves = fallback::moves(&chess, shakmaty::CastlingMode::Standard, &[]);
        let mut standing = Standing { moves, no_mate: MateLength(no_mate), not_mated: MateLength(no_mate) };
        for i in 0..standing.moves.len() {
            let first = standing.moves[i].code;
            let pv = vec![standing.moves[i].text.clone(), "a8a7".to_owned()];
            let lost = matches!(score, Some(Score::Mated(_)));
            if let Some(score) = score.filter(|_| lost || i == 0) {
                standing.learn(Proved { first, score, pv, proof: Default::default() });
            }
        }
        standing
    }

    #[test]
    fn certainty_is_put_in_words_that_are_never_mixed() {
        let said = |score, no_mate| certainty(&standing(score, no_mate)).join("");
        assert_eq!(said(Some(Score::Mates(3)), 2), "mate in 3 (proved shortest)");
        assert_eq!(said(Some(Score::Mates(3)), 1), "mate in <= 3 (not in 1)");
        assert_eq!(said(Some(Score::Mates(3)), 0), "mate in <= 3");
        assert_eq!(said(Some(Score::Mated(3)), 2), "mated in 3 (proved shortest)");
        assert!(said(Some(Score::Mates(3)), 3).contains("internal failure"));
        assert!(said(None, 4).starts_with("no mate is known (no mate in 4, not mated in 4)"));
        assert!(certainty(&Standing::default()).is_empty());
    }

    #[test]
    fn lines_have_the_score_of_what_is_proved_and_of_nothing_else() {
        let cost = Cost { nodes: 1000, time: Duration::from_millis(10), hashfull: 3 };
        let text = |score| line(&standing(score, 1), 0, 1, &cost);
        let counts = "nodes 1000 nps 100000 hashfull 3 time 10 pv";
        assert!(text(Some(Score::Mates(2))).contains(&format!("info depth 3 multipv 1 score mate 2 {counts}")));
        assert!(text(Some(Score::Mated(2))).contains(&format!("info depth 4 multipv 1 score mate -2 {counts}")));
        assert!(text(None).contains(&format!("info depth 2 multipv 1 score cp 0 {counts}")));
        assert_eq!((over(true), over(false)), ("info depth 0 score mate 0".into(), "info depth 0 score cp 0".into()));
        assert_eq!(best_move(&Standing::default()), "bestmove (none)");
        assert!(best_move(&standing(Some(Score::Mates(2)), 1)).ends_with(" ponder a8a7"));
    }
}
