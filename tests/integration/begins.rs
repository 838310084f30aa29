//! Help play with its set play, and with `WhiteToPlay`: every line that `matesolve popeye` prints, against all lines
//! played by shakmaty alone and written by the rules of Popeye's layout.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position as _, Role, fen::Fen};

use crate::util::run_with_input;

/// Positions of few men in which either side may be to move.
const POSITIONS: [&str; 7] = [
    "8/8/8/8/8/1K6/7R/k7",
    "8/8/8/8/8/R5K1/8/7k",
    "8/8/8/8/1p6/k7/2Q5/KB6",
    "8/8/8/8/pr6/2PR4/8/k2K1b2",
    "5k1K/4n3/8/8/1N6/3R4/8/3r4",
    "k7/2p5/K7/8/8/8/8/2R5",
    "7k/8/6K1/8/8/8/p7/1R6",
];

/// A question of help play, played out by its definition.
#[derive(Clone, Copy)]
struct Asked {
    /// The word before the length, such as `ser-h#`.
    kind: &'static str,
    /// The length in half-moves, as a list of sides: `b` and `w`.
    sides: &'static str,
    /// The length as it is written.
    length: &'static str,
}

const fn asked(kind: &'static str, length: &'static str, sides: &'static str) -> Asked {
    Asked { kind, sides, length }
}

const QUESTIONS: [Asked; 14] = [
    asked("h#", "1", "bw"),
    asked("h#", "1.5", "wbw"),
    asked("h#", "2", "bwbw"),
    asked("h=", "2", "bwbw"),
    asked("h=", "1.5", "wbw"),
    asked("hs#", "1", "wb"),
    asked("hs#", "1.5", "bwb"),
    asked("hs#", "2", "wbwb"),
    asked("ser-h#", "1", "bw"),
    asked("ser-h#", "3", "bbbw"),
    asked("ser-h=", "2", "bbw"),
    asked("ser-#", "3", "www"),
    asked("ser-s#", "1", "wb"),
    asked("reci-h#", "2", "bwbw"),
];

/// The part of the solution: how many half-moves are left out, and the sides of the others.
struct Part {
    missing: usize,
    sides: String,
}

impl Asked {
    fn is_series(self) -> bool {
        self.kind.starts_with("ser")
    }

    /// Returns all lengths of these sides: shorter ones have fewer moves at the beginning.
    fn shorter(self, sides: &str, least: usize) -> impl Iterator<Item = String> {
        let step = if self.is_series() { 1 } else { 2 };
        let lengths = (0..sides.len()).step_by(step).filter(move |from| sides.len() - from >= least);
        lengths.map(|from| sides[from..].to_owned()).collect::<Vec<_>>().into_iter()
    }

    /// Returns what is printed: the solution and all shorter ones, or those of the other side.
    fn parts(self, option: &str) -> Vec<Part> {
        let (sides, is_half) = (self.sides, self.length.ends_with(".5"));
        let missing = usize::from(is_half);
        let part = |missing: usize| move |sides: String| Part { missing, sides };
        let ends_alone = self.is_series() && self.kind != "ser-#";
        let least = if self.kind.starts_with("reci") || ends_alone { 2 } else { 1 };
        let mut parts = Vec::new();
        if option == "WhiteToPlay" && !is_half {
            let least = if self.kind.starts_with("reci") { 2 } else { 1 };
            return self.shorter(&sides[1..], least).map(part(1)).collect();
        }
        if option == "SetPlay" {
            let is_long = sides.len()
                > match self.kind {
                    "hs#" => 2,
                    "reci-h#" => 3,
                    _ => 1,
                };
            match self.kind {
                "ser-#" => {}
                _ if ends_alone => parts.push(Part { missing: 1, sides: sides[sides.len() - 1..].to_owned() }),
                _ if is_long => parts.extend(self.shorter(&sides[1..], least).map(part(missing + 1))),
                _ => {}
            }
        }
        parts.extend(self.shorter(sides, least).map(part(missing)));
        parts
    }
}

fn turned(chess: &Chess, turn: char) -> Option<Chess> {
    let turn = if turn == 'w' { Color::White } else { Color::Black };
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    (fields[1], fields[3]) =
        (if turn.is_white() { "w" } else { "b" }, if turn == chess.turn() { fields[3] } else { "-" });
    fields.join(" ").parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}

fn played(chess: &Chess, m: Move) -> Chess {
    chess.clone().play(m).expect("a legal move")
}

fn is_goal(chess: &Chess, kind: &str) -> bool {
    if kind.ends_with('=') { chess.is_stalemate() } else { chess.is_checkmate() }
}

/// Writes a move in Popeye's notation.
fn written(chess: &Chess, m: Move, kind: &str) -> String {
    let man = match m.role() {
        Role::Pawn => "",
        Role::Knight => "S",
        Role::Bishop => "B",
        Role::Rook => "R",
        Role::Queen => "Q",
        Role::King => "K",
    };
    let mut text = format!("{man}{}{}{}", m.from().unwrap(), if m.is_capture() { '*' } else { '-' }, m.to());
    if let Some(role) = m.promotion() {
        let _ = write!(text, "={}", role.upper_char().to_string().replace('N', "S"));
    }
    let after = played(chess, m);
    text.push_str(match () {
        () if after.is_checkmate() => " #",
        () if is_goal(&after, kind) => " =",
        () if after.is_check() => " +",
        () => "",
    });
    text
}

/// Plays all lines of a part and adds them as Popeye writes them. Of compelled moves the first is written, so all but
/// the last move are compared.
fn play(chess: &Chess, asked: Asked, part: &Part, line: &mut Vec<(char, String)>, all: &mut BTreeSet<String>) {
    let at = line.len();
    let side = part.sides.as_bytes()[at] as char;
    let Some(chess) = turned(chess, side) else { return };
    let (moves, kind) = (chess.legal_moves(), asked.kind);
    let goals: Vec<Move> = moves.iter().copied().filter(|&m| is_goal(&played(&chess, m), kind)).collect();
    let left = part.sides.len() - at;
    let is_self = matches!(kind, "hs#" | "ser-s#");
    let mut add = |line: &mut Vec<(char, String)>, m: Move| {
        line.push((side, if is_self { "forced".to_owned() } else { written(&chess, m, kind) }));
        all.insert(popeye_line(line, part.missing));
        line.pop();
    };
    match left {
        1 if is_self => goals.iter().take(usize::from(goals.len() == moves.len())).for_each(|&m| add(line, m)),
        1 => goals.iter().for_each(|&m| add(line, m)),
        _ => {
            if kind == "reci-h#" && left == 2 && goals.is_empty() {
                return;
            }
            let known = all.len();
            let goes_on = part.sides.as_bytes()[at + 1] as char == side;
            for &m in &moves {
                let after = played(&chess, m);
                if goes_on && after.is_check() {
                    continue;
                }
                line.push((side, written(&chess, m, kind)));
                play(&after, asked, part, line, all);
                line.pop();
            }
            // Both ends have whole lines.
            if kind == "reci-h#" && left == 2 && all.len() > known {
                for &m in &goals {
                    line.push((side, written(&chess, m, kind)));
                    all.insert(popeye_line(line, part.missing));
                    line.pop();
                }
            }
        }
    }
}

/// Writes a line with its numbers.
fn popeye_line(line: &[(char, String)], missing: usize) -> String {
    let first = line[0].0;
    let other = if first == 'w' { 'b' } else { 'w' };
    let (start, mut number, numbered) = match missing {
        0 => ("", 1, first),
        1 => ("1...", 2, other),
        _ => ("1...  ...", 2, first),
    };
    let mut text = start.to_owned();
    for (side, m) in line {
        if *side == numbered {
            let _ = write!(text, "  {number}.");
            number += 1;
        }
        let _ = write!(text, "{m} ");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the lines of a printed solution; of compelled moves without the last.
fn printed(text: &str, asked: Asked) -> BTreeSet<String> {
    let is_self = matches!(asked.kind, "hs#" | "ser-s#");
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines = lines.filter(|line| line.starts_with("1."));
    lines
        .map(|line| match line.strip_suffix(" #").and_then(|line| line.rfind([' ', '.'])).filter(|_| is_self) {
            Some(at) => format!("{}forced", &line[..=at]),
            None => line,
        })
        .collect()
}

#[test]
fn all_lines_are_those_of_the_definition_in_popeyes_layout() {
    let mut questions = Vec::new();
    let mut input = String::new();
    for board in POSITIONS {
        for asked in QUESTIONS {
            for option in ["", "SetPlay", "WhiteToPlay"] {
                input.push_str(if questions.is_empty() { "BeginProblem\n" } else { "NextProblem\n" });
                let Asked { kind, length, .. } = asked;
                // In Popeye's Forsyth the knight is S.
                let forsyth = board.replace('n', "s").replace('N', "S");
                let _ = writeln!(input, "Forsyth {forsyth}\nStipulation {kind}{length}\nOption NoBoard {option}");
                questions.push((board, asked, option));
            }
        }
    }
    input.push_str("EndProblem\n");
    let out = run_with_input(&["popeye", "-regression"], &input).out;
    let solutions: Vec<&str> = out.split("solution finished.").collect();
    assert_eq!(solutions.len(), questions.len() + 1, "{out}");
    let mut counts = [0, 0, 0];
    for (&(board, asked, option), text) in questions.iter().zip(solutions) {
        let fen: Fen = format!("{board} {} - - 0 1", &asked.sides[..1]).parse().unwrap();
        let chess: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let mut expected = BTreeSet::new();
        for part in asked.parts(option) {
            play(&chess, asked, &part, &mut Vec::new(), &mut expected);
        }
        let found = printed(text, asked);
        assert_eq!(found, expected, "{board} {}{} {option}", asked.kind, asked.length);
        let at = ["", "SetPlay", "WhiteToPlay"].iter().position(|it| *it == option).unwrap();
        counts[at] += usize::from(!found.is_empty());
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}
