//! Parses one line of the GUI into a command.
//!
//! A line that cannot be parsed becomes an error sentence for the GUI and is ignored.
//!
//! The words of `go`:
//!
//! | word | meaning |
//! |---|---|
//! | `mate N` | find any mate in at most N moves, by either side, and end with the first one found |
//! | `mate` | find any mate, by either side; without other limits, answer only with the first one or after `stop` |
//! | `depth D` | find the shortest mate of at most D plies |
//! | `nodes N`, `movetime MS` | end after N nodes, or shortly before MS milliseconds, or earlier if everything is decided |
//! | `wtime`, `btime`, `winc`, `binc`, `movestogo` | use a share of the clock |
//! | `infinite`, `ponder` | answer only after `stop`; with `ponder`, also after `ponderhit` |
//! | `searchmoves …` | consider only these first moves |
//!
//! A `go` without any limit and without `mate` is infinite. The lines are read on a thread of their own, so that `stop`
//! arrives while a search is running.
//!
//! Lines to the GUI are written whole and flushed one by one, from any thread. When the GUI has closed the pipe, the
//! next line cannot be written. The output then reports failure, and the session ends.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use shakmaty::Color;

use crate::base::lines::Lines;
use crate::base::printable;
use crate::chess::MateLength;

/// A command of the GUI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UciCommand {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `debug on|off`
    Debug(bool),
    /// `position …`: the words after `position`.
    Position(Vec<String>),
    /// `setoption name … value …`: the name, and the value if there is one.
    SetOption(String, Option<String>),
    /// `go …`: the limits of a search.
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// A blank line, or `register`: nothing to do.
    Nothing,
}

/// Parses one line.
pub(crate) fn read(line: &str) -> Result<UciCommand, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(match words[..] {
        // Only copy-protected engines need `register`; this one never asks for it.
        [] | ["register", ..] => UciCommand::Nothing,
        ["uci"] => UciCommand::Uci,
        ["isready"] => UciCommand::IsReady,
        ["ucinewgame"] => UciCommand::NewGame,
        ["debug", "on"] => UciCommand::Debug(true),
        ["debug", "off"] => UciCommand::Debug(false),
        ["debug", ..] => return Err("debug needs on or off".to_owned()),
        ["position", ref rest @ ..] => UciCommand::Position(rest.iter().map(|&word| word.to_owned()).collect()),
        ["setoption", ref rest @ ..] => set_option(rest)?,
        ["go", ref rest @ ..] => UciCommand::Go(Go::read(rest)?),
        ["stop"] => UciCommand::Stop,
        ["ponderhit"] => UciCommand::PonderHit,
        ["quit"] => UciCommand::Quit,
        [first, ..] => {
            let word = printable::excerpt(first);
            return Err(format!(
                "this line is not a UCI command: it begins with \"{word}\"; the command uci lists the options"
            ));
        }
    })
}

/// Parses the words after `setoption`: `name <words> value <words>`. An option of type button has no value.
fn set_option(words: &[&str]) -> Result<UciCommand, String> {
    let ["name", rest @ ..] = words else {
        return Err("setoption needs a name: setoption name NAME value VALUE".to_owned());
    };
    let split = rest.iter().position(|&word| word == "value");
    let name = rest[..split.unwrap_or(rest.len())].join(" ");
    let value = split.map(|at| rest[at + 1..].join(" "));
    Ok(UciCommand::SetOption(name, value))
}

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

/// When a search may answer. After `stop` it always may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MayAnswer {
    /// When it has finished.
    Finished,
    /// When it has finished with a mate.
    WithMate,
    /// Only after `stop`.
    Stopped,
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

    /// Returns when the search may answer.
    pub(crate) fn may_answer(&self, turn: Color) -> MayAnswer {
        let limited = self.mate.or(self.depth).or(self.nodes).is_some() || self.time(turn).is_some();
        match (self.infinite, limited) {
            (false, true) => MayAnswer::Finished,
            (false, false) if self.any_mate => MayAnswer::WithMate,
            _ => MayAnswer::Stopped,
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

/// Parses the number after `name`. GUIs may send a negative time when the clock has run out; it is read as 0. `mate -3`
/// is `mate 3`: either side may mate.
fn number(name: &str, text: Option<&str>) -> Result<u64, String> {
    let text = text.ok_or_else(|| format!("go {name} needs a number; the command is ignored"))?;
    let is_time = name.ends_with("time") || name.ends_with("inc");
    let digits = text.strip_prefix('-').filter(|_| is_time || name == "mate").unwrap_or(text);
    let value: u64 = digits.parse().map_err(|_| {
        let text = printable::excerpt(text);
        format!("go {name} needs a whole number, not \"{text}\"; the command is ignored")
    })?;
    Ok(if is_time && digits != text { 0 } else { value })
}

/// The longest line that is read, in bytes. A game of ten thousand half-moves fits.
pub(crate) const MAX_LINE: usize = 1 << 16;

/// An event that the session's command loop waits for.
pub(crate) enum SessionEvent {
    /// A line from the GUI.
    Line(String),
    /// The GUI will send no more lines.
    InputEnded,
    /// A search has finished.
    SearchFinished,
}

/// Sends every line of `input` as an event, then [`SessionEvent::InputEnded`]. Returns early if the receiver is gone.
///
/// A line that is too long is sent in part: its first [`MAX_LINE`] bytes. The session reports and ignores it.
pub(crate) fn read_lines(input: impl BufRead, events: &Sender<SessionEvent>) {
    let mut lines = Lines::new(input, MAX_LINE);
    while let Ok(Some(line)) = lines.next_line() {
        if events.send(SessionEvent::Line(String::from_utf8_lossy(line.bytes).into_owned())).is_err() {
            return;
        }
    }
    let _ = events.send(SessionEvent::InputEnded);
}

/// The stream to the GUI, shared by all threads.
pub(crate) struct GuiOutput {
    writer: Mutex<Box<dyn Write + Send>>,
    /// The error of the last line that could not be written.
    failure: Mutex<Option<io::Error>>,
}

impl GuiOutput {
    /// Makes an output that writes to `writer`.
    pub(crate) fn new(writer: Box<dyn Write + Send>) -> GuiOutput {
        GuiOutput { writer: Mutex::new(writer), failure: Mutex::new(None) }
    }

    /// Writes one line and flushes it. Control characters of the input that it quotes are replaced.
    pub(crate) fn line(&self, text: &str) {
        let text = printable::line(text);
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
        if let Err(error) = written {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }

    /// Writes a sentence for the user, as `info string`.
    pub(crate) fn say(&self, sentence: &str) {
        self.line(&format!("info string {sentence}"));
    }

    /// Returns whether a line could not be written: the GUI is gone.
    pub(crate) fn failed(&self) -> bool {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Takes the error of the last failed line.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn lines_become_commands() {
        for (line, command) in [
            ("uci", UciCommand::Uci),
            ("  \t ", UciCommand::Nothing),
            ("debug\ton", UciCommand::Debug(true)),
            ("setoption name Clear Hash", UciCommand::SetOption("Clear Hash".to_owned(), None)),
            ("setoption name Hash value 64\r", UciCommand::SetOption("Hash".to_owned(), Some("64".to_owned()))),
            ("position startpos", UciCommand::Position(vec!["startpos".to_owned()])),
            ("go", UciCommand::Go(Go::default())),
        ] {
            assert_eq!(read(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn a_line_that_is_no_command_gives_an_error_sentence() {
        for line in [
            "hello",
            "uci now",
            "debug maybe",
            "setoption Hash 3",
            "go nodes many",
            "go nodes -5",
            "go depth -4",
            "\u{1b}[31m",
            "go nodes",
        ] {
            let why = read(line).unwrap_err();
            assert!(why.len() > 20 && !why.contains('\u{1b}'), "{line}: {why}");
        }
    }

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
        let ends = |line: &str| go(line).may_answer(Color::White);
        assert_eq!(
            (ends("mate"), ends("mate searchmoves e2e4"), ends("")),
            (MayAnswer::WithMate, MayAnswer::WithMate, MayAnswer::Stopped)
        );
        assert_eq!(
            (ends("mate 3"), ends("mate movetime 5"), ends("nodes 7 mate")),
            (MayAnswer::Finished, MayAnswer::Finished, MayAnswer::Finished)
        );
        assert_eq!((ends("mate infinite"), ends("infinite mate 3")), (MayAnswer::Stopped, MayAnswer::Stopped));
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

    #[test]
    fn lines_of_any_length_and_any_bytes_are_read() {
        let mut text = b"uci\n\xff\xfe\n".to_vec();
        text.extend(vec![b'x'; 3 * MAX_LINE]);
        text.extend(b"\nquit");
        let (sender, events) = mpsc::channel();
        read_lines(&text[..], &sender);
        drop(sender);
        let lines: Vec<usize> = events
            .iter()
            .map(|event| if let SessionEvent::Line(line) = event { line.trim_end().len() } else { 0 })
            .collect();
        // Two bytes that are not UTF-8 become two replacement characters of three bytes each; the last 0 is the end.
        assert_eq!(lines, [3, 6, MAX_LINE, 4, 0]);
    }
}
