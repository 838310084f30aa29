//! Compares the keys of a report with the published ones and looks for the reason of a difference.
//!
//! The reason is the first of these that holds: the collection itself marks the problem; the board turned the other
//! way, or another convention about castling or en passant, gives exactly the published keys; no published key is a
//! legal move; the search has found the published solution wrong. On request, the engine `exhaustive` confirms the last
//! of these move by move.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use shakmaty::{Chess, EnPassantMode, Position as _, Square, fen::Fen};

use crate::chess::notation::code;
use crate::chess::{NodeKind, Stipulation, rules};
use crate::problem::fen;
use crate::published::uci;
use crate::results::audit::Keys;
use crate::results::report::Report;
use crate::search::exhaustive::Exhaustive;
use crate::search::{Control, Engine as _, Facts, Limits, Meter, Silent, Task};
use crate::solve::start;

/// Moves in UCI notation.
pub type Moves = BTreeSet<String>;

/// Returns the report's keys.
pub fn keys(report: &Report) -> Moves {
    report.keys.iter().map(|key| uci(key.ply.mv)).collect()
}

/// The keys of a report and of a publication.
pub struct KeyPair<'a> {
    /// The diagram that was solved.
    pub chess: &'a Chess,
    /// The castling rights that exclude each other, in pairs of rooks.
    pub exclusive: &'a [(Square, Square)],
    /// The stipulation, with its length.
    pub stipulation: Stipulation,
    /// The report's keys.
    pub ours: &'a Moves,
    /// Reads the published keys in a position.
    pub read: &'a dyn Fn(&Chess) -> Moves,
    /// Whether the collection says that the problem is not sound.
    pub marked: bool,
    /// Whether a quarter turn of the board leads to the diagram. Then the other direction is tried, too.
    pub turned: bool,
    /// The node limit of `exhaustive` for one move; `None`: differences are not confirmed by it.
    pub confirm: Option<u64>,
}

impl KeyPair<'_> {
    /// Compares the keys. `keys_of` returns the report's keys for the same diagram with other rights, given as FEN.
    /// Also returns that FEN if the rights explain the difference.
    pub fn compare(&self, keys_of: &mut dyn FnMut(&str) -> Option<Moves>) -> (Keys, Option<String>) {
        let printed = &(self.read)(self.chess);
        if self.ours == printed && !printed.is_empty() {
            return (Keys::Agree, None);
        }
        if self.marked {
            return (Keys::Marked, None);
        }
        let turned = self.turned.then(|| half_turn(self.chess)).flatten();
        for (fen, other, class) in turned.into_iter().chain(conventions(self.chess)) {
            if keys_of(&fen).is_some_and(|keys| !keys.is_empty() && keys == (self.read)(&other)) {
                return (class, Some(fen));
            }
        }
        if printed.is_empty() {
            return (Keys::Misprint, None);
        }
        (self.explain(printed), None)
    }

    fn explain(&self, printed: &Moves) -> Keys {
        let has = |solves: bool| {
            let confirm = self.confirm;
            move |m: &String| confirm.is_none_or(|nodes| self.is_solution(m, nodes) == Some(solves))
        };
        let extra_mate = self.ours.difference(printed).all(has(true));
        let missing_fail = printed.difference(self.ours).all(has(false));
        match (extra_mate, missing_fail) {
            (true, true) if self.ours.is_superset(printed) => Keys::Cooked,
            (true, true) => Keys::Fails,
            _ => Keys::Unexplained,
        }
    }

    /// Returns whether the move `first` solves the stipulation, or `None` if `exhaustive` reached its limit.
    fn is_solution(&self, first: &str, nodes: u64) -> Option<bool> {
        let (chess, stipulation) = (self.chess, self.stipulation);
        let position = start(chess, self.exclusive, stipulation);
        if rules::over(stipulation.goal(), &position, NodeKind::Or) == Some(false) {
            return Some(false);
        }
        let m = chess.legal_moves().into_iter().find(|&m| uci(m) == first)?;
        let position = position.play(position.find_move(code(m))?);
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits { nodes: Some(nodes), deadline: None }, &stop);
        let mut meter = Meter::new(&control);
        let task = Task { position, stipulation: stipulation.after_first()?, shortest: false, memory: 1 << 20 };
        let facts = Facts::with_bytes(1 << 16).about(task.stipulation, chess.turn());
        let answer = Exhaustive.solve(&task, &mut meter, &facts, &mut Silent);
        if answer.stopped.is_some() { None } else { Some(answer.proof.is_some()) }
    }
}

/// Returns the diagram with the board turned by 180 degrees: a quarter turn in one direction becomes one in the other.
fn half_turn(chess: &Chess) -> Option<(String, Chess, Keys)> {
    let mut board = chess.board().clone();
    board.rotate_180();
    let fen = format!("{} {} - - 0 1", board.board_fen(), chess.turn().char());
    Some((fen.clone(), position(&fen)?, Keys::Rotation))
}

/// Returns the same diagram with other rights: with other castling rights, and with each possible en passant capture.
fn conventions(chess: &Chess) -> Vec<(String, Chess, Keys)> {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, turn, castling, ..] = fields[..] else { return Vec::new() };
    let castlings = ["-", "KQkq", "KQ", "kq", "K", "Q", "k", "q"].into_iter().filter(|rights| *rights != castling);
    let castlings = castlings.map(|rights| (format!("{board} {turn} {rights} - 0 1"), Keys::Castling));
    let rank = if turn == "w" { '6' } else { '3' };
    let passing = ('a'..='h').map(|file| (format!("{board} {turn} {castling} {file}{rank} 0 1"), Keys::EnPassant));
    let all = castlings.chain(passing);
    let readable = all.filter_map(|(fen, class)| Some((position(&fen)?, fen, class)));
    readable.filter(|(other, ..)| other != chess).map(|(other, fen, class)| (fen, other, class)).collect()
}

/// Returns the position of a FEN, or `None` if one of its rights is impossible.
fn position(fen: &str) -> Option<Chess> {
    let diagram = fen::read(fen).ok()?;
    (!diagram.drops_rights).then_some(diagram.chess)
}
