//! Writes a diagram as text, with White below: a letter or a figurine for each man, a dot for an empty square, and the
//! caption around them.

use shakmaty::{File, Piece, Position as _, Rank, Square};

use super::svg::{Caption, board_of, counts};
use crate::problem::Problem;

/// The men as letters, and as figurines in the same order.
const MEN: [&str; 2] = ["KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"];

/// Writes the board of a problem, the title above it, and below it the side to move, the stipulation, the count of men
/// and the twins.
pub fn diagram(problem: &Problem, caption: &Caption, figurines: bool) -> String {
    let board = board_of(problem);
    let mut lines: Vec<String> = caption.title.iter().map(|title| format!("{title}\n")).collect();
    for rank in Rank::ALL.into_iter().rev() {
        let man = |file| board.piece_at(Square::from_coords(file, rank)).map_or('.', |piece| man(piece, figurines));
        let men = File::ALL.map(|file| format!(" {}", man(file))).concat();
        lines.push(format!("{} {men}", rank.char()));
    }
    lines.push("   a b c d e f g h".to_owned());
    let side = format!("{} to move", problem.chess.turn().fold_wb("White", "Black"));
    let counts = caption.counts.then(|| counts(board));
    let names_side = caption.stipulation.as_ref().is_some_and(|below| below.ends_with(&side));
    let below = [Some(side).filter(|_| !names_side), caption.stipulation.clone(), counts];
    lines.push(below.into_iter().flatten().collect::<Vec<_>>().join(", "));
    lines.extend(caption.twins.iter().cloned());
    lines.join("\n") + "\n"
}

fn man(piece: Piece, figurines: bool) -> char {
    let [letters, shapes] = MEN;
    let figurine = letters.find(piece.char()).and_then(|at| shapes.chars().nth(at));
    figurine.filter(|_| figurines).unwrap_or_else(|| piece.char())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_its_men_and_the_side_to_move() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/q6R b - - dm 2; id \"Prinz\";").unwrap();
        let letters = diagram(&problem, &Caption::of(&problem), false);
        let expected = "Prinz\n\n8  . . . . . K b k\n7  . . . . . . p p\n6  . . . . . . P .\n5  . . . . . . . .\n\
                        4  . . . . . . . .\n3  . . . . . . . .\n2  . . . . . . . .\n1  q . . . . . . R\n   \
                        a b c d e f g h\n#2 Black to move, 3+5\n";
        assert_eq!(letters, expected);
        let figurines = diagram(&problem, &Caption::default(), true);
        assert!(figurines.starts_with("8  . . . . . ♔ ♝ ♚\n7  . . . . . . ♟ ♟\n6  . . . . . . ♙ .\n"), "{figurines}");
        assert!(figurines.ends_with("1  ♛ . . . . . . ♖\n   a b c d e f g h\nBlack to move\n"), "{figurines}");
    }
}
