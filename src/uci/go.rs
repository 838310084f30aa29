//! `go`: what is asked, and how long it may take.
//!
//! | word | means |
//! |---|---|
//! | `mate N` | a mate in at most N moves, for either side; any will do, and the search ends with it |
//! | `depth D` | the shortest mate of at most D plies |
//! | `nodes N`, `movetime MS` | spend so much, unless everything is decided before |
//! | `wtime`, `btime`, `winc`, `binc`, `movestogo` | a share of the clock |
//! | `infinite`, `ponder` | answer only after `stop` or `ponderhit` |
//! | `searchmoves …` | only these first moves |
//!
//! A `go` without any limit is an infinite one.

use std::time::Duration;

use shakmaty::Color;

use crate::chess::MateLength;

/// Kept back from every time limit for what lies between the GUI's clock and this one, in milliseconds.
const OVERHEAD: u64 = 30;

/// For so many more moves the time is meant to last if nobody says otherwise.
const MOVES_TO_GO: u64 = 40;

/// What follows the word `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub search_moves: Vec<String>,
    pub ponder: bool,
    pub infinite: bool,
    /// In moves.
    pub mate: Option<u64>,
    /// In plies.
    pub depth: Option<u64>,
    pub nodes: Option<u64>,
    /// In milliseconds, as all times.
    pub movetime: Option<u64>,
    pub wtime: Option<u64>,
    pub btime: Option<u64>,
    pub winc: Option<u64>,
    pub binc: Option<u64>,
    pub movestogo: Option<u64>,
}

impl Go {
    pub(super) fn read(words: &[&str]) -> Result<Go, String> {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|word| looks_like_a_move(word)) {
                        go.search_moves.push(m.to_owned());
                    }
                }
                _ => {
                    let field = go.number(word).ok_or_else(|| {
                        format!("go {} is not understood; the command is ignored", crate::problem::fen::excerpt(word))
                    })?;
                    *field = Some(number(word, words.next())?);
                }
            }
        }
        Ok(go)
    }

    fn number(&mut self, word: &str) -> Option<&mut Option<u64>> {
        Some(match word {
            "mate" => &mut self.mate,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "movetime" => &mut self.movetime,
            "wtime" => &mut self.wtime,
            "btime" => &mut self.btime,
            "winc" => &mut self.winc,
            "binc" => &mut self.binc,
            "movestogo" => &mut self.movestogo,
            _ => return None,
        })
    }

    /// The longest mate asked for: of the side to move, and of the side against it. In moves; at least 1.
    pub(super) fn bounds(&self) -> (MateLength, MateLength) {
        let moves = |n: u64| MateLength(n.clamp(1, u64::from(MateLength::MAX.0)) as u16);
        let mate = self.mate.map_or(MateLength::MAX, moves);
        let (mating, mated) = self.depth.map_or((mate, mate), |plies| (moves(plies.div_ceil(2)), moves(plies / 2)));
        (mating.min(mate), mated.min(mate))
    }

    /// Whether only the GUI ends the search. Without any limit it does so as well.
    pub(super) fn is_endless(&self, turn: Color) -> bool {
        let limited = self.mate.or(self.depth).or(self.nodes).is_some() || self.time(turn).is_some();
        self.infinite || !limited
    }

    /// The time left to the player who is on the clock.
    pub(super) fn clock(&self, turn: Color) -> Option<u64> {
        turn.fold_wb(self.wtime, self.btime)
    }

    /// The time for this move, `None` if only the search itself or the GUI ends it.
    pub(super) fn time(&self, turn: Color) -> Option<Duration> {
        if let Some(ms) = self.movetime {
            return Some(Duration::from_millis(ms - OVERHEAD.min(ms / 2)));
        }
        let left = self.clock(turn)?.saturating_sub(OVERHEAD);
        let increment = turn.fold_wb(self.winc, self.binc).unwrap_or(0);
        let share = left / self.movestogo.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO) + increment / 4 * 3;
        let most = left.saturating_sub(left / 4);
        Some(Duration::from_millis(share.min(most)))
    }
}

fn looks_like_a_move(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..])
}

/// A whole number. GUIs send a negative one for a clock that has run out.
fn number(name: &str, text: Option<&str>) -> Result<u64, String> {
    let text = text.ok_or_else(|| format!("go {name} needs a number; the command is ignored"))?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let value: u64 = digits.parse().map_err(|_| {
        let text = crate::problem::fen::excerpt(text);
        format!("go {name} needs a whole number, not \"{text}\"; the command is ignored")
    })?;
    let of_a_clock = name.ends_with("time") || name.ends_with("inc");
    Ok(if digits != text && of_a_clock { 0 } else { value })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        Go::read(&line.split_whitespace().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let all = go("searchmoves e2e4 a7a8q ponder wtime 1000 btime -5 winc 10 movestogo 3 nodes 7");
        assert_eq!((all.search_moves.len(), all.ponder, all.infinite), (2, true, false));
        assert_eq!((all.wtime, all.btime, all.winc, all.nodes), (Some(1000), Some(0), Some(10), Some(7)));
        for wrong in ["nodes", "nodes x", "depth 1.5", "e2e4", "mate 99999999999999999999999", "searchmoves e2"] {
            assert!(Go::read(&wrong.split(' ').collect::<Vec<_>>()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lengths_are_in_moves_and_depths_in_plies() {
        let bounds = |line| {
            let (mating, mated) = go(line).bounds();
            (mating.0, mated.0)
        };
        assert_eq!((bounds("mate 3"), bounds("mate -3"), bounds("mate 0")), ((3, 3), (3, 3), (1, 1)));
        assert_eq!((bounds("depth 5"), bounds("depth 6"), bounds("depth 1")), ((3, 2), (3, 3), (1, 1)));
        assert_eq!((bounds("infinite"), bounds("mate 100000")), ((1000, 1000), (1000, 1000)));
    }

    #[test]
    fn no_more_time_is_taken_than_there_is() {
        let ms = |line: &str| go(line).time(Color::White).map(|time| time.as_millis());
        assert_eq!((ms("infinite"), ms("btime 1000"), ms("movetime 1000")), (None, None, Some(970)));
        assert_eq!((ms("movetime 10"), ms("movetime 0"), ms("wtime 0")), (Some(5), Some(0), Some(0)));
        assert_eq!((ms("wtime 60000"), ms("wtime 60000 winc 1000")), (Some(1499), Some(2249)));
        for line in ["wtime 100 winc 60000", "wtime 1000 movestogo 1", "wtime 5", "wtime 30000 winc 60000"] {
            let (time, left) = (go(line).time(Color::White).unwrap(), go(line).wtime.unwrap());
            assert!(time <= Duration::from_millis(left - left / 4), "{line}: {time:?}");
        }
    }
}
