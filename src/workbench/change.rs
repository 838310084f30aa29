//! A change of a diagram, and the diagram after it.
//!
//! The men change by the commands of twins ([`TwinCommand`]); a castling right may change, too. When men change, a
//! castling right stays if its king and its rook stand where they stood, and the right to an en passant capture stays
//! if the position allows it.
//!
//! The single changes that the workbench tries stand here too, each with its cost. A removal costs least; a moved man
//! costs less than an added one.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position as _, PositionError, Role,
    Setup, Square,
};

use crate::chess::construction::promoted;
use crate::chess::{Move, MoveCode};
use crate::problem::twins::{Mirror, NamedMan, Rotation, TwinCommand, board};
use crate::results::Report;
use crate::results::workbench::{Kept, Proposal};

/// One change of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// Men change.
    Men(TwinCommand),
    /// The rook on this square may castle, or may not.
    Castling(Square, bool),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Men(command) => command.fmt(f),
            Change::Castling(rook, true) => write!(f, "Castling {rook}"),
            Change::Castling(rook, false) => write!(f, "No castling {rook}"),
        }
    }
}

/// Men and rights, which need not be a position that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagram {
    pub board: Board,
    pub turn: Color,
    pub castling: Bitboard,
    en_passant: Option<Square>,
    mode: CastlingMode,
}

impl Diagram {
    pub(super) fn of(chess: &Chess) -> Diagram {
        let setup = chess.to_setup(EnPassantMode::Legal);
        Diagram {
            board: setup.board,
            turn: setup.turn,
            castling: setup.castling_rights,
            en_passant: setup.ep_square,
            mode: chess.castles().mode(),
        }
    }

    /// Returns the diagram with these men before the last move, with the other side to move and the same castling
    /// rights.
    pub(super) fn before(&self, board: Board, en_passant: Option<Square>) -> Diagram {
        Diagram { board, turn: !self.turn, en_passant, ..self.clone() }
    }

    /// Returns the diagram after a change; `None` if the change cannot be made.
    pub(super) fn after(&self, change: &Change) -> Option<Diagram> {
        let mut next = self.clone();
        match change {
            Change::Men(command) => {
                next.board = board::after(&self.board, command).ok()?;
                next.castling = kept_rights(self, &next.board);
            }
            Change::Castling(rook, true) => next.castling.add(*rook),
            Change::Castling(rook, false) => next.castling.discard(*rook),
        }
        Some(next)
    }

    /// Returns the diagram after changes, one after the other; `None` if one of them cannot be made.
    pub(super) fn after_all(&self, changes: &[Change]) -> Option<Diagram> {
        changes.iter().try_fold(self.clone(), |diagram, change| diagram.after(change))
    }

    /// Returns the position; `None` if it cannot be played, or if no game can lead to its check or its number of men.
    pub(super) fn chess(&self) -> Option<Chess> {
        self.built(|setup, mode| Chess::from_setup(setup, mode).ok())
    }

    /// Returns the position, also if no game can lead to it; `None` if it cannot be played. A given diagram may be
    /// like this.
    pub(super) fn playable(&self) -> Option<Chess> {
        self.built(|setup, mode| {
            Chess::from_setup(setup, mode)
                .or_else(PositionError::ignore_too_much_material)
                .or_else(PositionError::ignore_impossible_check)
                .ok()
        })
    }

    /// Returns the position that `build` makes, with the right to an en passant capture if it can have it.
    fn built(&self, build: fn(Setup, CastlingMode) -> Option<Chess>) -> Option<Chess> {
        let Diagram { board, turn, castling, en_passant, mode } = self.clone();
        let setup = Setup { board, turn, castling_rights: castling, ep_square: en_passant, ..Setup::empty() };
        let without = Setup { ep_square: None, ..setup.clone() };
        build(setup, mode).or_else(|| build(without, mode))
    }

    /// Returns whether a side has more promoted men than in another diagram.
    pub(super) fn promotes_more_than(&self, other: &Diagram) -> bool {
        Color::ALL.into_iter().any(|color| promoted(&self.board, color) > promoted(&other.board, color))
    }

    /// Returns the heading of these changes, as Popeye writes it for a twin.
    pub(super) fn heading(&self, changes: &[Change]) -> String {
        let men = changes.iter().filter_map(|change| match change {
            Change::Men(command) => Some(command),
            Change::Castling(..) => None,
        });
        let mut parts = vec![board::heading(&self.board, men).unwrap_or_default()];
        let rights = changes.iter().filter(|change| matches!(change, Change::Castling(..)));
        parts.extend(rights.map(ToString::to_string));
        parts.retain(|part| !part.is_empty());
        parts.join("  ")
    }
}

/// Returns a diagram that a report has examined, as a proposal.
pub(super) fn proposal(given: &Diagram, changes: &[Change], chess: &Chess, report: Report, kept: Kept) -> Proposal {
    Proposal {
        fen: Fen::from_position(chess, EnPassantMode::Legal).to_string(),
        changes: changes.iter().map(ToString::to_string).collect(),
        heading: given.heading(changes),
        keys: report.keys.into_iter().map(|key| key.ply).collect(),
        tries: report.tries.into_iter().flatten().map(|found| found.ply).collect(),
        kept,
        men: chess.board().occupied().count(),
    }
}

/// Returns the castling rights whose king and rook stand where they stood.
fn kept_rights(before: &Diagram, board: &Board) -> Bitboard {
    let stands = |square| board.piece_at(square) == before.board.piece_at(square);
    let has_king = |rook: Square| {
        let color = before.board.color_at(rook);
        color.and_then(|color| before.board.king_of(color)).is_some_and(stands)
    };
    before.castling.into_iter().filter(|&rook| stands(rook) && has_king(rook)).collect()
}

/// Where the squares of the given diagram are after changes, for comparing moves.
#[derive(Debug, Clone)]
pub(super) struct SquareMap {
    /// For each square, where the man on it stands now.
    origins: [Square; 64],
    /// For each square, where a move to it leads now.
    targets: [Square; 64],
}

impl SquareMap {
    pub(super) fn of(changes: &[Change]) -> SquareMap {
        let mut map = SquareMap { origins: Square::ALL, targets: Square::ALL };
        for change in changes {
            let Change::Men(command) = change else { continue };
            match command {
                TwinCommand::Move(man, to) => map.origins[usize::from(man.square)] = *to,
                TwinCommand::Exchange(one, two) => {
                    map.origins[usize::from(one.square)] = two.square;
                    map.origins[usize::from(two.square)] = one.square;
                }
                command => {
                    let moved = |square: &mut Square| *square = command.target(*square).unwrap_or(*square);
                    map.origins.iter_mut().for_each(moved);
                    map.targets.iter_mut().for_each(moved);
                }
            }
        }
        map
    }

    /// Returns a move of the given diagram as it is called after the changes.
    pub(super) fn code(&self, m: Move) -> MoveCode {
        let code = m.code();
        let targets = if m.is_castle() { &self.origins } else { &self.targets };
        MoveCode::new(self.origins[usize::from(code.from())], targets[usize::from(code.to())], code.promotion())
    }
}

/// A change and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Priced {
    pub change: Change,
    pub cost: u32,
}

/// The men but the king, the weakest first, each with the cost of an added one.
const ADDED: [(Role, u32); 5] =
    [(Role::Pawn, 100), (Role::Knight, 150), (Role::Bishop, 160), (Role::Rook, 170), (Role::Queen, 180)];

/// Returns every single change of a diagram, the cheapest first. `exchanges`: also those in which two men change
/// places.
pub(super) fn singles(diagram: &Diagram, exchanges: bool) -> Vec<Priced> {
    let mut all = Vec::new();
    all.extend(removals(diagram));
    all.extend(castling(diagram));
    all.extend(moves(diagram));
    all.extend(replacements(diagram));
    all.extend(additions(diagram));
    all.extend(whole_board());
    if exchanges {
        all.extend(exchanged(diagram));
    }
    all.sort_by_key(|priced| priced.cost);
    all
}

/// Returns the removal of every man but the kings.
pub(super) fn removals(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    men(diagram).map(|(square, piece)| priced(TwinCommand::Remove(named(piece, square)), 40))
}

/// Returns every man but the kings as a weaker one.
pub(super) fn weaker(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    men(diagram).flat_map(|(square, piece)| {
        let weaker: &[Role] = match piece.role {
            Role::Queen => &[Role::Rook, Role::Bishop],
            Role::Rook | Role::Bishop | Role::Knight => &[Role::Pawn],
            Role::Pawn | Role::King => &[],
        };
        weaker.iter().filter_map(move |&role| replaced(square, Piece { role, ..piece }, 60))
    })
}

/// Returns every pawn further back on its file.
pub(super) fn pawns_back(diagram: &Diagram) -> Vec<Priced> {
    let mut all = Vec::new();
    for (square, piece) in men(diagram).filter(|(_, piece)| piece.role == Role::Pawn) {
        let back = piece.color.fold_wb(-8, 8);
        let mut at = square.offset(back);
        while let Some(to) = at.filter(|to| is_free(diagram, *to) && !Bitboard::BACKRANKS.contains(*to)) {
            all.push(priced(TwinCommand::Move(named(piece, square), to), 80));
            at = to.offset(back);
        }
    }
    all
}

fn priced(command: TwinCommand, cost: u32) -> Priced {
    Priced { change: Change::Men(command), cost }
}

/// Returns the men but the kings.
fn men(diagram: &Diagram) -> impl Iterator<Item = (Square, Piece)> {
    diagram.board.clone().into_iter().filter(|(_, piece)| piece.role != Role::King)
}

pub(super) fn named(piece: Piece, square: Square) -> NamedMan {
    NamedMan { color: Some(piece.color), role: Some(piece.role), other: None, square }
}

fn is_free(diagram: &Diagram, square: Square) -> bool {
    !diagram.board.occupied().contains(square)
}

/// Returns whether a man of this role may stand on a square.
fn may_stand(role: Role, square: Square) -> bool {
    role != Role::Pawn || !Bitboard::BACKRANKS.contains(square)
}

fn replaced(square: Square, by: Piece, cost: u32) -> Option<Priced> {
    may_stand(by.role, square).then(|| priced(TwinCommand::Add(by.color, by.role, square), cost))
}

fn additions(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    let free = !diagram.board.occupied();
    Color::ALL.into_iter().flat_map(move |color| {
        ADDED.into_iter().flat_map(move |(role, cost)| {
            free.into_iter().filter_map(move |square| replaced(square, Piece { color, role }, cost))
        })
    })
}

fn replacements(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    men(diagram).flat_map(|(square, piece)| {
        let others = ADDED.into_iter().filter(move |(role, _)| *role != piece.role);
        others.filter_map(move |(role, _)| {
            let cost = if role < piece.role { 60 } else { 90 };
            replaced(square, Piece { role, ..piece }, cost)
        })
    })
}

fn moves(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    let free = !diagram.board.occupied();
    diagram.board.clone().into_iter().flat_map(move |(square, piece)| {
        let targets = free.into_iter().filter(move |&to| may_stand(piece.role, to));
        targets.map(move |to| priced(TwinCommand::Move(named(piece, square), to), 80))
    })
}

/// Returns the changes that move all men.
fn whole_board() -> impl Iterator<Item = Priced> {
    let files = (-7..=7).flat_map(|files: i32| (-7..=7).map(move |ranks: i32| (files, ranks)));
    let shifts = files.filter(|&shift| shift != (0, 0)).filter_map(|(files, ranks)| {
        let corner = |by: i32| u32::try_from(if by < 0 { -by } else { 0 }).unwrap_or(0);
        let from = Square::from_coords(shakmaty::File::new(corner(files)), shakmaty::Rank::new(corner(ranks)));
        let file = shakmaty::File::try_from(i32::from(from.file()) + files).ok()?;
        let rank = shakmaty::Rank::try_from(i32::from(from.rank()) + ranks).ok()?;
        Some(TwinCommand::Shift(from, Square::from_coords(file, rank)))
    });
    let turns = [Rotation::By90, Rotation::By180, Rotation::By270].map(TwinCommand::Rotate);
    let mirrors = [Mirror::A1H1, Mirror::A1A8, Mirror::A1H8, Mirror::A8H1].map(TwinCommand::Mirror);
    shifts.chain(turns).chain(mirrors).map(|command| priced(command, 120))
}

fn castling(diagram: &Diagram) -> Vec<Priced> {
    crate::problem::men::rooks_at_home(&diagram.board)
        .map(|rook| Priced { change: Change::Castling(rook, !diagram.castling.contains(rook)), cost: 60 })
        .collect()
}

fn exchanged(diagram: &Diagram) -> Vec<Priced> {
    let men: Vec<(Square, Piece)> = diagram.board.clone().into_iter().collect();
    let mut all = Vec::new();
    for (at, &(one, first)) in men.iter().enumerate() {
        for &(two, second) in men[at + 1..].iter().filter(|(_, second)| *second != first) {
            if may_stand(first.role, two) && may_stand(second.role, one) {
                all.push(priced(TwinCommand::Exchange(named(first, one), named(second, two)), 110));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::twins::Twin;

    fn diagram(fen: &str) -> Diagram {
        Diagram::of(&crate::Problem::read(fen).unwrap().chess)
    }

    fn change(text: &str) -> Change {
        Change::Men(Twin::read(None, text).commands.remove(0))
    }

    #[test]
    fn rights_stay_with_their_men() {
        let given = diagram("r3k3/8/8/8/8/8/8/R3K2R w KQq -");
        let after = |text| given.after(&change(text)).unwrap().castling;
        assert_eq!(after("Add white Pa2"), given.castling);
        assert_eq!(after("Move h1 h2"), Bitboard::from(Square::A1).with(Square::A8));
        assert_eq!(after("Move e1 e2"), Bitboard::from(Square::A8));
        let without = given.after(&Change::Castling(Square::H1, false)).unwrap();
        assert_eq!(without.castling, Bitboard::from(Square::A1).with(Square::A8));
        assert_eq!(
            given.heading(&[change("Move h1 h2"), Change::Castling(Square::A8, false)]),
            "wRh1-->h2  No castling a8"
        );
    }

    #[test]
    fn positions_that_cannot_be_played_are_none() {
        let given = diagram("4k3/8/8/8/8/8/8/4K2R w - -");
        assert!(given.after(&change("Add white Re7")).unwrap().chess().is_none());
        assert!(given.after(&change("Move e1 a8")).unwrap().chess().is_some());
        assert!(given.after(&change("Remove a5")).is_none());
        let crowded = diagram("4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - -").after(&change("Add white Qa3")).unwrap();
        assert!(crowded.chess().is_none() && crowded.playable().is_some());
        assert!(given.after(&change("Shift a1 a2")).is_none());
    }

    #[test]
    fn moves_are_compared_after_a_shift() {
        let given = diagram("8/3k4/8/8/8/8/4R3/4K3 w - -");
        let position = crate::chess::Position::from_chess(&given.chess().unwrap());
        let m = position.legal_moves().into_iter().find(|m| m.to() == Square::E7).unwrap();
        let code = |text| SquareMap::of(&[change(text)]).code(m);
        assert_eq!(code("Shift a1 b1"), MoveCode::new(Square::F2, Square::F7, None));
        assert_eq!(code("Move e2 e3"), MoveCode::new(Square::E3, Square::E7, None));
        assert_eq!(code("Mirror a1<-->h1"), MoveCode::new(Square::D2, Square::D7, None));
    }

    #[test]
    fn every_kind_of_change_is_there() {
        let given = diagram("4k3/8/8/8/8/8/4P3/4K2R w - -");
        let all = singles(&given, true);
        let count = |of: fn(&TwinCommand) -> bool| {
            all.iter().filter(|priced| matches!(&priced.change, Change::Men(command) if of(command))).count()
        };
        assert_eq!(count(|command| matches!(command, TwinCommand::Remove(_))), 2);
        // Two kings and a rook to 60 squares, a pawn to the 45 or so that are no back rank.
        let pawn_squares = 48 - 1;
        assert_eq!(count(|command| matches!(command, TwinCommand::Move(..))), 3 * 60 + pawn_squares);
        // Added are four kinds of pieces on 60 squares, pawns, and the replacements: four for the pawn, three for the
        // rook, which stands on a back rank.
        let added = count(|command| matches!(command, TwinCommand::Add(..)));
        assert_eq!(added, 2 * (4 * 60 + pawn_squares) + 4 + 3);
        assert_eq!(count(|command| matches!(command, TwinCommand::Shift(..))), 15 * 15 - 1);
        assert!(all.iter().any(|priced| priced.change == Change::Castling(Square::H1, true)));
        assert!(all.is_sorted_by_key(|priced| priced.cost));
    }

    #[test]
    fn pawns_go_back_until_a_man_stands_in_the_way() {
        let written =
            |fen| -> Vec<String> { pawns_back(&diagram(fen)).iter().map(|priced| priced.change.to_string()).collect() };
        assert_eq!(written("4k3/8/8/4P3/8/8/8/4K3 w - -"), ["Move e5 e4", "Move e5 e3", "Move e5 e2"]);
        assert!(written("4k3/8/4n3/4p3/3P4/3p4/8/4K3 w - -").is_empty());
    }
}
