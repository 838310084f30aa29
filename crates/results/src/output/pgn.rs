//! Writes reports and results as games in PGN (Portable Game Notation), for chess programs.
//!
//! ```text
//! [FEN "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1"]
//!
//! {#2 sound} 1. Rh6! {zugzwang} (1. Rg1? hxg6!) 1... Ba2 (1... gxh6 2. g7#) 2. Rxh7# 1-0
//! ```
//!
//! The intended key, or else the first one, is the main line; other keys and tries are variations of it, and so are
//! defences, answers and solutions of help play of one another. A game has no null moves: the set play is a game of its
//! own with the other side to move, and threats are comments. Where only threats follow a move, a line carries one out
//! after some legal defence, if one is found that ends in mate. Without a key no first move is written, only the
//! verdict; lines that no game can have, as in series play, stand in the comment.
//!
//! Every move is played on a board before it is written.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position as _};

use crate::base::printable;
use crate::chess::{End, notation::of_uci, passed};
use crate::problem::fen;
use crate::results::help::{HelpLine, HelpSolutions};
use crate::results::report::rows::{Kind, Row};
use crate::results::report::{Ply, Report};
use crate::results::{SidedStipulation, Solution};

use super::report::words;
use super::text;

/// The most moves of a game; play behind them is left out.
const LONGEST: usize = 50_000;

/// The most moves that are tried for a line with a threat.
const TRIED: usize = 1000;

/// The most bytes of a line of moves: the standard wants fewer than 80 columns.
const WIDTH: usize = 79;

/// A move of a game, and the moves that may follow it, the main one first.
struct Node {
    /// The move with its mark.
    san: String,
    comment: String,
    is_mate: bool,
    below: Vec<Node>,
}

/// Returns the games of a report with a blank line between two; empty if no position can be read.
pub(super) fn games(report: &Report) -> String {
    let phases = if report.phases.is_empty() { std::slice::from_ref(report) } else { &report.phases };
    let mut games = Vec::new();
    for phase in phases {
        let Some(begins) = phase.position.as_ref().and_then(|position| fen::read(&position.fen).ok()) else { continue };
        let (chess, other) = (begins.chess.clone(), passed(&begins.chess));
        let heading = phase.phase.as_ref().map(ToString::to_string).filter(|_| !report.phases.is_empty());
        let name = [report.id.clone(), heading].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let mut growth = Growth { left: LONGEST };
        let set_play;
        let mut comment = words::verdict(phase);
        let nodes = if let Some(help) = &phase.help {
            set_play = help.set_play.as_ref().zip(other).map(|(lines, other)| (growth.lines(lines, &other), other));
            help_nodes(help, &chess, &mut growth, &mut comment)
        } else {
            let rows = phase.rows();
            let set = rows.iter().find(|row| matches!(row.kind, Kind::SetPlay(_)));
            set_play = set.zip(other).map(|(row, other)| (growth.below(row, &other), other));
            match rows.iter().find(|row| matches!(row.kind, Kind::AfterKey)) {
                Some(row) => {
                    let words = remark(row);
                    comment.extend((!words.is_empty()).then(|| format!("; {words}")));
                    growth.below(row, &chess)
                }
                None => growth.nodes(&first_moves(rows), &chess),
            }
        };
        games.push(Game { name: &name, comment: &comment, chess: &chess, nodes, goal: phase.goal().end }.text());
        if let Some((nodes, other)) = set_play {
            let name = format!("{name} (set play)").trim_start().to_owned();
            games.push(Game { name: &name, comment: "set play", chess: &other, nodes, goal: phase.goal().end }.text());
        }
    }
    games.join("\n")
}

/// Returns the game of a result: its main line, or the first line of help play.
pub(super) fn of_solution(solution: &Solution) -> String {
    let Some(begins) = solution.fen.as_deref().and_then(|fen| fen::read(fen).ok()) else { return String::new() };
    let question = solution.stipulation.filter(|question| question.moves().is_some());
    let question = question.as_ref().map_or_else(String::new, SidedStipulation::text);
    let mut comment = format!("{question} {}", text::verdict(solution)).trim().to_owned();
    let (mut plies, mut here) = (Vec::new(), begins.chess.clone());
    for uci in solution.result.pv.iter().flatten() {
        let Some(mv) = of_uci(&here, uci) else {
            comment = format!("{comment}: {}", solution.result.pv_san.as_deref().unwrap_or_default());
            plies.clear();
            break;
        };
        plies.push(Ply::of(&here, mv, here.castles().mode()));
        here.play_unchecked(mv);
    }
    let nodes = Growth { left: LONGEST }.merged(&[plies.iter().collect()], &begins.chess);
    let goal = solution.stipulation.map_or(End::Mate, |question| question.stipulation.goal().end);
    let name = solution.id.as_deref().unwrap_or_default();
    Game { name, comment: &comment, chess: &begins.chess, nodes, goal }.text()
}

/// Returns the first moves of a solution: the intended key, other keys and tries; none of a problem without a key.
fn first_moves(mut rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    rows.retain(|row| matches!(row.kind, Kind::Key(_) | Kind::Try(_)));
    rows.sort_by_key(|row| match row.kind {
        Kind::Key(key) => u8::from(key.intended == Some(false)),
        _ => 2,
    });
    let has_key = rows.first().is_some_and(|row| matches!(row.kind, Kind::Key(_)));
    if has_key { rows } else { Vec::new() }
}

/// Returns the solutions of help play as moves. Those that no game can have stand in the comment.
fn help_nodes(help: &HelpSolutions, chess: &Chess, growth: &mut Growth, comment: &mut String) -> Vec<Node> {
    let lines: Vec<&HelpLine> = help.short_solutions.iter().flatten().chain(&help.solutions).collect();
    let can_be_played = |line: &&HelpLine| {
        let mut here = chess.clone();
        line.plies.iter().all(|ply| after(&here, ply).map(|next| here = next).is_some())
    };
    if lines.iter().all(can_be_played) {
        return growth.lines(lines, chess);
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.san.as_str()).collect();
    *comment = format!("{comment}: {}", lines.join("; "));
    Vec::new()
}

/// Returns the words behind a move: zugzwang, the threats, or that play is left out.
fn remark(row: &Row<'_>) -> String {
    let threats = row.below().into_iter().filter(|row| matches!(row.kind, Kind::Threat)).map(|row| row.san());
    let threats = threats.collect::<Vec<_>>().join(" or ");
    match row.kind {
        Kind::Key(key) if key.intended == Some(false) => "cook".to_owned(),
        _ if row.is_cut() => "play is left out".to_owned(),
        _ if row.is_zugzwang() => "zugzwang".to_owned(),
        _ if !threats.is_empty() => format!("threat {}. {threats}", row.number + 1),
        _ => String::new(),
    }
}

/// Returns the position after a move; `None` if the move is not legal there.
fn after(chess: &Chess, ply: &Ply) -> Option<Chess> {
    chess.clone().play(ply.mv).ok()
}

/// Grows the moves of a game.
struct Growth {
    /// The number of moves that may still be added.
    left: usize,
}

impl Growth {
    /// Returns the moves after a row: the refutations first.
    fn below(&mut self, above: &Row<'_>, chess: &Chess) -> Vec<Node> {
        let (threats, mut rows): (Vec<_>, Vec<_>) =
            above.below().into_iter().partition(|row| matches!(row.kind, Kind::Threat));
        rows.sort_by_key(|row| !matches!(row.kind, Kind::Refutation));
        if rows.is_empty() {
            threatened(&threats, chess, &mut { TRIED }).into_iter().collect()
        } else {
            self.nodes(&rows, chess)
        }
    }

    fn nodes(&mut self, rows: &[Row<'_>], chess: &Chess) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (row, ply) in rows.iter().filter_map(|row| Some((row, row.ply?))) {
            let (Some(left), Some(next)) = (self.left.checked_sub(1), after(chess, ply)) else { continue };
            self.left = left;
            let (san, comment) = (format!("{}{}", ply.san, row.mark()), remark(row));
            nodes.push(Node { san, comment, is_mate: ply.mate, below: self.below(row, &next) });
        }
        nodes
    }

    /// Returns the moves of lines of help play, with the other ends of reciprocal play.
    fn lines<'l>(&mut self, lines: impl IntoIterator<Item = &'l HelpLine>, chess: &Chess) -> Vec<Node> {
        let mut plies: Vec<Vec<&Ply>> = Vec::new();
        for line in lines {
            plies.push(line.plies.iter().collect());
            let before = &line.plies[..line.plies.len().saturating_sub(2)];
            plies.extend(line.reciprocal_plies.iter().map(|ply| before.iter().chain([ply]).collect()));
        }
        self.merged(&plies, chess)
    }

    /// Returns the moves of lines: those that begin alike share their moves.
    fn merged(&mut self, lines: &[Vec<&Ply>], chess: &Chess) -> Vec<Node> {
        let mut groups: Vec<(&Ply, Vec<Vec<&Ply>>)> = Vec::new();
        for (first, rest) in lines.iter().filter_map(|line| line.split_first()) {
            match groups.iter_mut().find(|(known, _)| known.mv == first.mv) {
                Some((_, group)) => group.push(rest.to_vec()),
                None => groups.push((first, vec![rest.to_vec()])),
            }
        }
        let mut nodes = Vec::new();
        for (ply, rest) in groups {
            let (Some(left), Some(next)) = (self.left.checked_sub(1), after(chess, ply)) else { continue };
            self.left = left;
            let below = self.merged(&rest, &next);
            nodes.push(Node { san: ply.san.clone(), comment: String::new(), is_mate: ply.mate, below });
        }
        nodes
    }
}

/// Returns a line in which a threat is carried out after some legal defence, up to mate; `None` if none is found. Its
/// moves follow the play after the threat as far as they are legal.
fn threatened(threats: &[Row<'_>], chess: &Chess, left: &mut usize) -> Option<Node> {
    let mut defences = chess.legal_moves().into_iter();
    defences.find_map(|mv| {
        let defence = Ply::of(chess, mv, chess.castles().mode());
        let below = line_to_mate(threats, &after(chess, &defence)?, left)?;
        Some(Node { san: defence.san, comment: "the threat".to_owned(), is_mate: false, below: vec![below] })
    })
}

/// Returns the first line of these rows that can be played here and ends in mate.
fn line_to_mate(rows: &[Row<'_>], chess: &Chess, left: &mut usize) -> Option<Node> {
    rows.iter().filter_map(|row| row.ply.map(|ply| (row, ply))).filter(|(_, ply)| chess.is_legal(ply.mv)).find_map(
        |(row, ply)| {
            *left = left.checked_sub(1)?;
            let ply = Ply::of(chess, ply.mv, chess.castles().mode());
            let next = after(chess, &ply)?;
            let (threats, rows): (Vec<_>, Vec<_>) =
                row.below().into_iter().partition(|row| matches!(row.kind, Kind::Threat));
            let below = line_to_mate(&rows, &next, left).or_else(|| {
                let are_left = rows.is_empty() && !threats.is_empty();
                are_left.then(|| threatened(&threats, &next, left)).flatten()
            });
            let below: Vec<Node> = below.into_iter().collect();
            let is_found = ply.mate || !below.is_empty();
            is_found.then_some(Node { san: ply.san, comment: String::new(), is_mate: ply.mate, below })
        },
    )
}

/// A game with its tags.
struct Game<'a> {
    name: &'a str,
    comment: &'a str,
    chess: &'a Chess,
    nodes: Vec<Node>,
    goal: End,
}

impl Game<'_> {
    fn text(&self) -> String {
        let escaped = |text: &str| printable::line(text).replace('\\', "\\\\").replace('"', "\\\"");
        let name = if self.name.is_empty() { "?".to_owned() } else { escaped(self.name) };
        let fen = Fen::from_position(self.chess, EnPassantMode::Legal);
        let result = self.result();
        let variant = if self.chess.castles().mode() == CastlingMode::Chess960 && fen.as_setup().castling_rights.any() {
            "[Variant \"Chess960\"]\n"
        } else {
            ""
        };
        let mut moves = format!("{{{}}}", uncommented(self.comment));
        write_moves(&mut moves, &self.nodes, (self.chess.turn(), self.chess.fullmoves().get()), true);
        moves.push(' ');
        moves.push_str(result);
        format!(
            "[Event \"{name}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
             [Result \"{result}\"]\n[Annotator \"matesolve {}\"]\n{variant}[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{}\n",
            env!("CARGO_PKG_VERSION"),
            wrapped(&moves)
        )
    }

    /// Returns the result of the main line.
    fn result(&self) -> &'static str {
        let (mut mover, mut last) = (self.chess.turn(), self.nodes.first());
        while let Some(next) = last.and_then(|node| node.below.first()) {
            (mover, last) = (!mover, Some(next));
        }
        match last {
            Some(node) if node.is_mate => mover.fold_wb("1-0", "0-1"),
            Some(_) if self.goal == End::Stalemate => "1/2-1/2",
            _ => "*",
        }
    }
}

/// Writes moves with their variations. `at` is the side to move with the number of the move; `numbered`: Black's move
/// gets its number, too.
fn write_moves(out: &mut String, nodes: &[Node], at: (Color, u32), numbered: bool) {
    let Some((main, others)) = nodes.split_first() else { return };
    let next = (!at.0, at.1 + u32::from(at.0.is_black()));
    out.push(' ');
    write_move(out, main, at, numbered);
    for other in others {
        out.push_str(" (");
        write_move(out, other, at, true);
        write_moves(out, &other.below, next, !other.comment.is_empty());
        out.push(')');
    }
    write_moves(out, &main.below, next, !others.is_empty() || !main.comment.is_empty());
}

fn write_move(out: &mut String, node: &Node, at: (Color, u32), numbered: bool) {
    let number = match at {
        (Color::White, number) => format!("{number}. "),
        (Color::Black, number) if numbered => format!("{number}... "),
        _ => String::new(),
    };
    let comment = if node.comment.is_empty() { String::new() } else { format!(" {{{}}}", uncommented(&node.comment)) };
    out.extend([number, node.san.clone(), comment]);
}

/// Returns a text that can stand in a comment.
fn uncommented(text: &str) -> String {
    printable::line(text).replace('{', "(").replace('}', ")")
}

/// Breaks a text into lines between words. A word that begins with a sign that has a meaning at the beginning of a line
/// stays with the word before it.
fn wrapped(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    let (mut column, mut from) = (0, 0);
    while from < text.len() {
        let is_end = |&(at, _): &(usize, &str)| !text[at + 1..].starts_with(['%', '[', ';']);
        let end = text[from..].match_indices(' ').map(|(at, blank)| (from + at, blank)).find(is_end);
        let end = end.map_or(text.len(), |(at, _)| at);
        let is_first = column == 0;
        column += end - from + 1;
        if !is_first {
            let is_full = column > WIDTH + 1;
            lines.push(if is_full { '\n' } else { ' ' });
            column = if is_full { end - from + 1 } else { column };
        }
        lines.push_str(&text[from..end]);
        from = end + 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::report;

    #[test]
    fn keys_tries_and_defences_are_variations() {
        let text = games(&report());
        let (first, second) = text.split_once("\n\n[Event").unwrap();
        assert!(first.contains("[Event \"Prinz, \\\"Research\\\" <1952>\"]\n"), "{text}");
        let names: Vec<&str> = first.lines().filter_map(|line| line.strip_prefix('[')?.split(' ').next()).collect();
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        assert_eq!(names, [&roster[..], &["Annotator", "SetUp", "FEN"]].concat());
        assert!(first.contains("\n[Result \"1-0\"]\n") && first.contains("\n[White \"?\"]\n"), "{first}");
        assert!(first.contains("\n[SetUp \"1\"]\n[FEN \"5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1\"]\n\n"));
        let moves = "{#2 sound} 1. Rh6! {zugzwang} (1. Rg1? {threat 2. gxh7} 1... hxg6!) 1... Ba2 (1... gxh6 2. g7#) \
                     2. Rxh7# 1-0";
        assert_eq!(first.split_once("\n\n").unwrap().1.replace('\n', " "), moves);
        // The set play of the sample is not legal in the diagram, so it is not written.
        assert!(second.contains("7R b - - 0 1") && second.contains("{set play} *"), "{second}");
    }

    #[test]
    fn what_is_not_solved_has_no_moves() {
        let mut open = report();
        (open.keys, open.set_play) = (Vec::new(), None);
        assert!(games(&open).ends_with("sound} *\n"), "{}", games(&open));
        open.position = None;
        assert_eq!(games(&open), "");
        assert_eq!(uncommented("{a}\nb"), "(a) b");
        assert_eq!(wrapped(&"[x ".repeat(99)).lines().count(), 1, "each begins with a sign");
        for word in ["x", "abc", "Kxa1 [b", "Ra1 %c ;d"] {
            let text = vec![word; 99].join(" ");
            let lines = wrapped(&text);
            let widths: Vec<usize> = lines.lines().map(str::len).collect();
            let (last, full) = widths.split_last().unwrap();
            assert!(*last < 80 && full.iter().all(|&width| (79 - word.len()..80).contains(&width)), "{lines}");
            assert!(lines.replace('\n', " ") == text && !lines.contains("\n[") && !lines.contains("\n%"));
        }
    }
}
