//! The `go` command: what to search for, and how long.
//!
//! | word | meaning |
//! |---|---|
//! | `mate N` | find any mate in at most N moves, by either side, and end with the first one found |
//! | `mate` | find any mate, by either side; without other limits, answer only with the first one or after `stop` |
//! | `depth D` | find the shortest mate of at most D plies |
//! | `nodes N`, `movetime MS` | end after N nodes, or MS milliseconds, or earlier if everything is decided |
//! | `wtime`, `btime`, `winc`, `binc`, `movestogo` | use a share of the clock |
//! | `infinite`, `ponder` | answer only after `stop` or `ponderhit` |
//! | `searchmoves …` | consider only these first moves |
//!
//! A `go` without any limit is infinite.

use std::time::Duration;

use shakmaty::Color;

use crate::base::printable;
use crate::chess::MateLength;

/// The part of every time limit that is kept in reserve, in milliseconds, because messages to the GUI take time.
const OVERHEAD: u64 = 30;

/// The number of moves the remaining time must last for, if `movestogo` does not say fewer.
const MOVES_TO_GO: u64 = 40;

/// The words after `go`. All times are in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Go {
    /// The moves after `searchmoves`, as the GUI wrote them; they may be illegal.
    pub search_moves: Vec<String>,
    /// Whether to search on the opponent's time and to answer only after `ponderhit` or `stop`.
    pub ponder: bool,
    /// Whether to answer only after `stop`.
    pub infinite: bool,
    /// The longest mate to look for, in moves.
    pub mate: Option<u64>,
    /// Whether the first mate ends the search: `mate` with or without a number.
    pub any_mate: bool,
    /// The longest mate to look for, in plies.
    pub depth: Option<u64>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// The search time for this move.
    pub movetime: Option<u64>,
    /// White's remaining time.
    pub wtime: Option<u64>,
    /// Black's remaining time.
    pub btime: Option<u64>,
    /// White's increment per move.
    pub winc: Option<u64>,
    /// Black's increment per move.
    pub binc: Option<u64>,
    /// The number of moves to the next time control.
    pub movestogo: Option<u64>,
}

/// The longest mates to look for, in moves; each at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LengthLimits {
    /// The longest mate by the side to move.
    pub mating: MateLength,
    /// The longest mate against the side to move.
    pub mated: MateLength,
}

/// What ends a search, beside `stop`: the time at which it may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// When it has finished.
    ByItself,
    /// When it has finished with a mate.
    WithMate,
    /// Only `stop`.
    OnStop,
}

impl Go {
    /// Parses the words after `go`.
    pub(crate) fn read(words: &[&str]) -> Result<Go, String> {
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
                "mate" => {
                    let is_number = |word: &&str| !is_word_of_go(word);
                    let length = words.next_if(is_number).map(|text| number(word, Some(text)));
                    (go.mate, go.any_mate) = (length.transpose()?, true);
                }
                _ => {
                    let field = go.field(word).ok_or_else(|| {
                        format!("go does not know the word \"{}\"; the command is ignored", printable::excerpt(word))
                    })?;
                    *field = Some(number(word, words.next())?);
                }
            }
        }
        Ok(go)
    }

    /// Returns the field that a word like `nodes` sets.
    fn field(&mut self, word: &str) -> Option<&mut Option<u64>> {
        Some(match word {
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

    /// Returns the longest mates that `mate` and `depth` allow.
    pub(crate) fn length_limits(&self) -> LengthLimits {
        let moves = |n: u64| MateLength(n.clamp(1, u64::from(MateLength::MAX.0)) as u16);
        let mate = self.mate.map_or(MateLength::MAX, moves);
        let (mating, mated) = self.depth.map_or((mate, mate), |plies| (moves(plies.div_ceil(2)), moves(plies / 2)));
        LengthLimits { mating: mating.min(mate), mated: mated.min(mate) }
    }

    /// Returns what ends the search, beside `stop`.
    pub(crate) fn ends(&self, turn: Color) -> Ends {
        let limited = self.mate.or(self.depth).or(self.nodes).is_some() || self.time(turn).is_some();
        match (self.infinite, limited) {
            (false, true) => Ends::ByItself,
            (false, false) if self.any_mate => Ends::WithMate,
            _ => Ends::OnStop,
        }
    }

    /// Returns the remaining time of the side to move, in milliseconds.
    pub(crate) fn clock(&self, turn: Color) -> Option<u64> {
        turn.fold_wb(self.wtime, self.btime)
    }

    /// Returns the time for this move; `None` if the search has no time limit.
    pub(crate) fn time(&self, turn: Color) -> Option<Duration> {
        if let Some(ms) = self.movetime {
            return Some(Duration::from_millis(ms - OVERHEAD.min(ms / 2)));
        }
        let left = self.clock(turn)?.saturating_sub(OVERHEAD);
        let increment = turn.fold_wb(self.winc, self.binc).unwrap_or(0);
        let share = left / self.movestogo.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO) + increment / 4 * 3;
        let max = left.saturating_sub(left / 4);
        Some(Duration::from_millis(share.min(max)))
    }
}

/// Returns whether a word is one that `go` knows, or a move.
fn is_word_of_go(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves" | "mate")
        || Go::default().field(word).is_some()
        || looks_like_a_move(word)
}

/// Returns whether a word begins with two squares, such as `e2e4` or `a7a8q`.
fn looks_like_a_move(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..])
}

/// Parses the number after `name`. GUIs may send a negative time when the clock has run out; it is read as 0.
fn number(name: &str, text: Option<&str>) -> Result<u64, String> {
    let text = text.ok_or_else(|| format!("go {name} needs a number; the command is ignored"))?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let value: u64 = digits.parse().map_err(|_| {
        let text = printable::excerpt(text);
        format!("go {name} needs a whole number, not \"{text}\"; the command is ignored")
    })?;
    let is_time = name.ends_with("time") || name.ends_with("inc");
    Ok(if digits != text && is_time { 0 } else { value })
}

#[cfg(test)]
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
    fn mate_without_a_number_ends_with_a_mate_only() {
        let ends = |line: &str| go(line).ends(Color::White);
        assert_eq!(
            (ends("mate"), ends("mate searchmoves e2e4"), ends("")),
            (Ends::WithMate, Ends::WithMate, Ends::OnStop)
        );
        assert_eq!(
            (ends("mate 3"), ends("mate movetime 5"), ends("nodes 7 mate")),
            (Ends::ByItself, Ends::ByItself, Ends::ByItself)
        );
        assert_eq!((ends("mate infinite"), ends("infinite mate 3")), (Ends::OnStop, Ends::OnStop));
        let any = go("mate nodes 7");
        assert_eq!((any.mate, any.nodes, any.any_mate, go("nodes 7").any_mate), (None, Some(7), true, false));
        assert!(Go::read(&["mate", "soon"]).is_err());
    }

    #[test]
    fn lengths_are_in_moves_and_depths_in_plies() {
        let limits = |line| {
            let LengthLimits { mating, mated } = go(line).length_limits();
            (mating.0, mated.0)
        };
        assert_eq!((limits("mate 3"), limits("mate -3"), limits("mate 0")), ((3, 3), (3, 3), (1, 1)));
        assert_eq!((limits("depth 5"), limits("depth 6"), limits("depth 1")), ((3, 2), (3, 3), (1, 1)));
        assert_eq!((limits("infinite"), limits("mate 100000")), ((1000, 1000), (1000, 1000)));
    }

    #[test]
    fn a_move_never_takes_more_than_three_quarters_of_the_clock() {
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
