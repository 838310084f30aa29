//! A stand-in for a chess program, for the sessions in `uci`. It checks what the engine says about a position: every
//! mate score must fit its line, and every best move must be legal.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};

use crate::util::{mates, matesolve};

/// The longest wait for a line. A test that waits longer fails.
const TIMEOUT: Duration = Duration::from_mins(5);

/// A running engine and the pipes to it.
pub struct Gui {
    child: Child,
    to: ChildStdin,
    from: Receiver<String>,
}

impl Gui {
    /// Starts the engine.
    pub fn new() -> Gui {
        let mut child = matesolve().arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, from) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Gui { child, to, from }
    }

    /// Sends lines to the engine.
    pub fn send(&mut self, lines: &str) {
        writeln!(self.to, "{lines}").unwrap();
        self.to.flush().unwrap();
    }

    /// Reads lines up to the first one that begins with `start`; returns them all.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.from.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("no {start} after {lines:?}"));
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Sends lines and returns the engine's lines up to its answer to `isready`.
    pub fn replies_to(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.send("isready");
        let mut answer = self.until("readyok");
        answer.pop();
        answer
    }

    /// Analyses a position.
    pub fn go(&mut self, fen: &str, limits: &str) -> Analysis {
        self.send(&format!("position fen {fen}\ngo {limits}"));
        Analysis::of(fen, &self.until("bestmove"))
    }

    /// Ends the session; returns the exit code.
    pub fn end(mut self, last: &str) -> i32 {
        if !last.is_empty() {
            self.send(last);
        }
        drop(self.to);
        self.child.wait().unwrap().code().unwrap()
    }
}

/// The lines of the engine about one position, checked.
#[derive(Debug)]
pub struct Analysis {
    /// The last score and main line of each `multipv` number.
    pub lines: Vec<(String, Vec<String>)>,
    /// The best move.
    pub best: String,
    /// The texts of all `info string` lines.
    pub sentences: String,
}

impl Analysis {
    /// Parses and checks the engine's lines, the last of which is `bestmove`.
    pub fn of(fen: &str, said: &[String]) -> Analysis {
        let mut lines: Vec<(String, Vec<String>)> = Vec::new();
        let mut sentences = String::new();
        for line in said {
            if let Some(sentence) = line.strip_prefix("info string ") {
                sentences.push_str(sentence);
                sentences.push('\n');
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            let after = |name: &str| words.iter().position(|&word| word == name).map(|at| &words[at + 1..]);
            let Some(score) = after("score") else { continue };
            let pv: Vec<String> = after("pv").unwrap_or_default().iter().map(|&word| word.to_owned()).collect();
            if score[0] == "mate" {
                let n: i32 = score[1].parse().unwrap();
                let plies = if n > 0 { 2 * n - 1 } else { -2 * n };
                assert!(i32::try_from(pv.len()) == Ok(plies) && mates(fen, &pv), "{fen}: {line}");
            }
            let number: usize = after("multipv").map_or(1, |words| words[0].parse().unwrap());
            lines.resize(lines.len().max(number), (String::new(), Vec::new()));
            lines[number - 1] = (score[..2].join(" "), pv);
        }
        let best = said.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        let chess: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        match best.parse::<UciMove>() {
            Ok(m) => assert!(m.to_move(&chess).is_ok(), "{fen}: {best}"),
            Err(_) => assert!(best == "(none)" && chess.legal_moves().is_empty(), "{fen}: {best}"),
        }
        Analysis { lines, best, sentences }
    }

    /// Returns the score of the first line.
    pub fn score(&self) -> &str {
        &self.lines[0].0
    }

    /// Returns the scores of all lines.
    pub fn scores(&self) -> Vec<&str> {
        self.lines.iter().map(|(score, _)| score.as_str()).collect()
    }
}
