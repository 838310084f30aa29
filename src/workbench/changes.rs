//! The single changes of a diagram, each with its cost.
//!
//! A cost is in hundredths of a pawn that is added. It is small where a composer loses little: a man less is a gain, a
//! man moved costs less than a man added, and a stronger man costs more than a pawn.
//!
//! To add a change: here; the diagram after it in `change.rs`; its cost in `docs/workbench.md`.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::change::{Change, Diagram};
use crate::problem::twins::{Mirror, NamedMan, Rotation, TwinCommand};

/// A change and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Priced {
    pub change: Change,
    pub cost: u32,
}

/// Men in the order of their strength.
const WEAKEST_FIRST: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

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

fn named(piece: Piece, square: Square) -> NamedMan {
    NamedMan { color: Some(piece.color), role: Some(piece.role), other: None, square }
}

fn is_free(diagram: &Diagram, square: Square) -> bool {
    !diagram.board.occupied().contains(square)
}

/// Returns whether a man of this role may stand on a square.
fn may_stand(role: Role, square: Square) -> bool {
    role != Role::Pawn || !Bitboard::BACKRANKS.contains(square)
}

fn strength(role: Role) -> usize {
    WEAKEST_FIRST.iter().position(|&other| other == role).unwrap_or(WEAKEST_FIRST.len())
}

fn replaced(square: Square, by: Piece, cost: u32) -> Option<Priced> {
    may_stand(by.role, square).then(|| priced(TwinCommand::Add(by.color, by.role, square), cost))
}

fn additions(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    let free = !diagram.board.occupied();
    Color::ALL.into_iter().flat_map(move |color| {
        WEAKEST_FIRST.into_iter().flat_map(move |role| {
            let squares = free.into_iter().filter(move |&square| may_stand(role, square));
            squares.map(move |square| {
                let cost = if role == Role::Pawn { 100 } else { 140 + 10 * u32::try_from(strength(role)).unwrap_or(0) };
                priced(TwinCommand::Add(color, role, square), cost)
            })
        })
    })
}

fn replacements(diagram: &Diagram) -> impl Iterator<Item = Priced> {
    men(diagram).flat_map(|(square, piece)| {
        let others = WEAKEST_FIRST.into_iter().filter(move |&role| role != piece.role);
        others.filter_map(move |role| {
            let cost = if strength(role) < strength(piece.role) { 60 } else { 90 };
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

    fn diagram(fen: &str) -> Diagram {
        Diagram::of(&crate::Problem::read(fen).unwrap().chess)
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
