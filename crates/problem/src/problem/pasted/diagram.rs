//! Positions that are shown to people: eight ranks drawn in characters, and lists of men.
//!
//! ```text
//! . . . . . K b k        8 | . . . . . K b k        White: Kf8 Rh1 g6
//! . . . . . . p p        7 | . . . . . . p p        Black: Kh8 Bg8 g7 h7
//! …                      …                          #2
//! ```
//!
//! A drawing has letters as in a FEN or figurines, and a sign such as `.`, `-` or `·` for an empty square; frames, the
//! numbers of the ranks and the letters of the files may stand around it. If the numbers go up, or the letters go from
//! h to a, Black looks at the board; numbers and letters that disagree are refused. Below the men may stand who moves
//! and `#2`; anything else is refused. White moves unless it is said, and castling is allowed where king and rook stand
//! on their original squares, as the Codex for Chess Composition has it; a warning tells it.

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

use super::Pasted;
use crate::problem::{ProblemError, men};

/// Reads a drawing or a list of men. Returns `None` if the text is neither.
pub(super) fn read(text: &str) -> Option<Result<Pasted, ProblemError>> {
    let found = drawing(text).or_else(|| list(text))?;
    Some(found.and_then(|(board, rest)| pasted(&board, &rest)))
}

/// A board, and the text below it.
type Shown = Result<(Board, String), ProblemError>;

/// Reads eight ranks; `None` if there are not eight.
fn drawing(text: &str) -> Option<Shown> {
    let is_shown = |line: &&str| !line.is_empty() && !is_frame(line) && files(line).is_none();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(is_shown).collect();
    let first = lines.iter().position(|line| rank(line).is_some())?;
    let ranks: Vec<DrawnRank> = lines[first..].iter().map_while(|line| rank(line)).collect();
    (ranks.len() == 8 && first == 0).then_some(())?;
    let goes = |up: bool| {
        let expected = |at: usize| if up { at + 1 } else { 8 - at };
        (0..8).all(|at| ranks[at].number == Some(expected(at)))
    };
    let numbers = if goes(true) { Some(true) } else { goes(false).then_some(false) };
    if numbers.is_none() && ranks.iter().any(|rank| rank.number.is_some()) {
        let why = "the numbers beside the drawing are not those of eight ranks in order; correct or remove them";
        return Some(Err(why.into()));
    }
    // Numbers and letters that show from which side the board is seen must agree.
    let mut turned = text.lines().filter_map(files).chain(numbers);
    let is_turned = turned.next().unwrap_or(false);
    if turned.any(|other| other != is_turned) {
        let why = "the letters and the numbers around the drawing show it from different sides; correct or remove them";
        return Some(Err(why.into()));
    }
    let mut board = Board::empty();
    for (row, rank) in ranks.iter().enumerate() {
        for (column, piece) in rank.cells.iter().enumerate().filter_map(|(column, cell)| Some((column, (*cell)?))) {
            let (file, rank) = if is_turned { (7 - column, row) } else { (column, 7 - row) };
            board.set_piece_at(Square::from_coords(File::new(file as u32), Rank::new(rank as u32)), piece);
        }
    }
    Some(Ok((board, lines[8..].join(" "))))
}

/// A line of a drawing.
struct DrawnRank {
    /// The number beside it.
    number: Option<usize>,
    cells: [Option<Piece>; 8],
}

/// Returns a line without its blanks.
fn bare(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns whether a line with the letters of the files, and perhaps strokes of the frame, goes from h to a; `None` if
/// it is no such line.
fn files(line: &str) -> Option<bool> {
    let letters = bare(line).to_lowercase().replace(['|', '│', '+'], "");
    ["abcdefgh", "hgfedcba"].iter().position(|known| *known == letters).map(|at| at == 1)
}

/// Returns whether a line belongs to the frame: dashes with corners.
fn is_frame(line: &str) -> bool {
    let bare = bare(line);
    let is_drawn = bare.chars().all(|c| "+-=|─┌┐└┘├┤┬┴┼━═".contains(c));
    // Eight dashes are eight empty squares, and `|-|-|` are squares too.
    is_drawn && bare != "--------" && (bare.contains("--") || bare.contains(|c| !"|-".contains(c)))
}

/// Reads a line with eight squares.
fn rank(line: &str) -> Option<DrawnRank> {
    let digit = |c: Option<char>| c.and_then(|c| c.to_digit(10)).filter(|n| (1..=8).contains(n)).map(|n| n as usize);
    let (before, after) = (digit(line.chars().next()), digit(line.chars().next_back()));
    // Different numbers on the two sides are those of no rank.
    let number = if before.is_some() && after.is_some() && before != after { Some(0) } else { before.or(after) };
    let inside = line.trim_start_matches(|c: char| before.is_some() && c.is_ascii_digit());
    let inside = inside.trim_end_matches(|c: char| after.is_some() && c.is_ascii_digit()).trim();
    let inside = inside.trim_start_matches(['|', '│']).trim_end_matches(['|', '│']);
    let cells: Vec<Option<Piece>> = if inside.contains(['|', '│']) {
        inside.split(['|', '│']).map(|cell| square_of(cell.trim())).collect::<Result<_, _>>().ok()?
    } else {
        inside
            .split_whitespace()
            .flat_map(str::chars)
            .map(|c| square_of(c.encode_utf8(&mut [0; 4])))
            .collect::<Result<_, _>>()
            .ok()?
    };
    Some(DrawnRank { number, cells: cells.try_into().ok()? })
}

/// Reads a square of a drawing; `None` if it is empty. An error: the text is not one square.
fn square_of(text: &str) -> Result<Option<Piece>, ()> {
    let figurines = "♙♘♗♖♕♔♟♞♝♜♛♚";
    let mut letters = text.chars();
    let (Some(c), None) = (letters.next(), letters.next()) else {
        return if text.is_empty() { Ok(None) } else { Err(()) };
    };
    if let Some(at) = figurines.chars().position(|figurine| figurine == c) {
        let color = if at < 6 { Color::White } else { Color::Black };
        return Role::ALL.get(at % 6).map(|role| Some(role.of(color))).ok_or(());
    }
    if ".-_*·⭘○".contains(c) { Ok(None) } else { Piece::from_char(c).map(Some).ok_or(()) }
}

/// Reads `White: … Black: …`; `None` if the text does not begin so.
fn list(text: &str) -> Option<Shown> {
    let color_of = |word: &str| match word.to_lowercase().as_str() {
        "white:" | "w:" | "weiß:" | "weiss:" => Some(Color::White),
        "black:" | "b:" | "schwarz:" => Some(Color::Black),
        _ => None,
    };
    let spaced = text.replace(':', ": ").replace([',', ';'], " ");
    let mut words = spaced.split_whitespace().peekable();
    let mut color = color_of(words.next()?)?;
    let german = text.to_lowercase().contains(['ß']) || text.to_lowercase().contains("schwarz");
    let mut board = Board::empty();
    while let Some(word) = words.peek() {
        if let Some(next) = color_of(word) {
            color = next;
        } else if let Some((role, square)) = listed_man(word, german) {
            if board.piece_at(square).is_some() {
                return Some(Err(format!("two men stand on {square}; correct one of them").into()));
            }
            board.set_piece_at(square, role.of(color));
        } else {
            break;
        }
        words.next();
    }
    Some(Ok((board, words.collect::<Vec<_>>().join(" "))))
}

/// Reads a man of a list. A knight is `N` or `S`.
fn listed_man(word: &str, german: bool) -> Option<(Role, Square)> {
    let letter = word.chars().next()?;
    let english = match letter {
        'N' => 'S',
        'D' if german => 'Q',
        'T' if german => 'R',
        'L' if german => 'B',
        'B' if german => 'P',
        _ => letter,
    };
    men::man(&word.replacen(letter, &english.to_string(), 1))
}

/// Makes the line of a board. `rest` says who moves, and the length.
fn pasted(board: &Board, rest: &str) -> Result<Pasted, ProblemError> {
    let (mut turn, mut operations) = (None, String::new());
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let bare = word.trim_end_matches(['.', ';', ',', ':']);
        match bare.to_lowercase().as_str() {
            "white" | "w" if turn.is_none() => turn = Some('w'),
            "black" | "b" if turn.is_none() => turn = Some('b'),
            "to" if words.next_if(|next| next.starts_with("move") || next.starts_with("play")).is_some() => {}
            length if length.strip_prefix('#').is_some_and(|n| n.parse::<u16>().is_ok()) && operations.is_empty() => {
                operations = format!(" bm {length};");
            }
            _ => {
                let shown = crate::base::printable::excerpt(word);
                let why = format!(
                    "\"{shown}\" beside the men is not understood; write \"White to move\", \"Black to move\" or \"#2\""
                );
                return Err(why.into());
            }
        }
    }
    let castling = men::castling(board, &[]);
    let mut warnings = Vec::new();
    if turn.is_none() {
        warnings.push("nothing says who moves: White moves".to_owned());
    }
    if castling != "-" {
        warnings.push(format!("nothing says who may castle: the rights {castling} are assumed"));
    }
    let board = board.board_fen();
    let line = format!("{board} {} {castling} -{operations}", turn.unwrap_or('w'));
    Ok(Pasted { line, warnings, ..Pasted::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R";

    fn line(text: &str) -> String {
        read(text).unwrap_or_else(|| panic!("{text} is nothing")).unwrap_or_else(|why| panic!("{text}: {why}")).line
    }

    #[test]
    fn eight_drawn_ranks_are_a_position() {
        let rows = [". . . . . K b k", ". . . . . . p p", ". . . . . . P ."];
        let empty = ". . . . . . . .";
        let all = || rows.into_iter().chain([empty; 4]).chain([". . . . . . . R"]);
        let plain: Vec<&str> = all().collect();
        assert_eq!(line(&plain.join("\n")), format!("{PRINZ} w - -"));
        assert_eq!(line(&plain.join("\n").replace('.', "-").replace(' ', "")), format!("{PRINZ} w - -"));
        let numbered: Vec<String> = all().enumerate().map(|(at, row)| format!("{} | {row} |", 8 - at)).collect();
        let framed = format!(
            "+-----------------+\n{}\n+-----------------+\n    a b c d e f g h\nBlack to move #2",
            numbered.join("\n")
        );
        assert_eq!(line(&framed), format!("{PRINZ} b - - bm #2;"));
        let turned: Vec<String> = all()
            .map(|row| row.chars().rev().collect::<String>())
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .enumerate()
            .map(|(at, row)| format!("{} {row}", at + 1))
            .collect();
        assert_eq!(line(&format!("{}\n  h g f e d c b a", turned.join("\n"))), format!("{PRINZ} w - -"));
        let cells: Vec<String> = all().map(|row| format!("|{}|", row.replace(' ', "|").replace('.', " "))).collect();
        assert_eq!(line(&cells.join("\n")), format!("{PRINZ} w - -"));
        let figurines = plain
            .join("\n")
            .replace('K', "♔")
            .replace('k', "♚")
            .replace('b', "♝")
            .replace('p', "♟")
            .replace('P', "♙")
            .replace('R', "♖");
        assert_eq!(line(&figurines), format!("{PRINZ} w - -"));
    }

    #[test]
    fn letters_and_numbers_say_from_which_side_the_board_is_seen() {
        let rows: Vec<String> = [". . . . . K b k", ". . . . . . p p", ". . . . . . P ."]
            .into_iter()
            .chain([". . . . . . . ."; 4])
            .chain([". . . . . . . R"])
            .map(str::to_owned)
            .collect();
        let turned: Vec<String> = rows.iter().rev().map(|row| row.chars().rev().collect()).collect();
        let (down, up) = ("h g f e d c b a", "a b c d e f g h");
        assert_eq!(line(&format!("{}\n{down}", turned.join("\n"))), format!("{PRINZ} w - -"));
        assert_eq!(
            line(&format!("HGFEDCBA\n{}\n | h | g | f | e | d | c | b | a |", turned.join("\n"))),
            format!("{PRINZ} w - -")
        );
        assert_eq!(line(&format!("{up}\n{}\n{up}\n#2", rows.join("\n"))), format!("{PRINZ} w - - bm #2;"));
        let numbered = |rows: &[String], first: usize, goes_up: bool| {
            let number = |at: usize| if goes_up { first + at } else { first - at };
            rows.iter().enumerate().map(|(at, row)| format!("{} {row}", number(at))).collect::<Vec<_>>().join("\n")
        };
        for text in [
            format!("{}\n{down}", numbered(&rows, 8, false)),
            format!("{}\n{up}", numbered(&turned, 1, true)),
            format!("{up}\n{}\n{down}", rows.join("\n")),
        ] {
            assert!(read(&text).unwrap().unwrap_err().to_string().contains("different sides"), "{text}");
        }
        let both: Vec<String> =
            rows.iter().enumerate().map(|(at, row)| format!("{} {row} {}", 8 - at, at + 1)).collect();
        assert!(read(&both.join("\n")).unwrap().is_err());
    }

    #[test]
    fn lists_of_men_are_a_position() {
        for text in [
            "White: Kf8 Rh1 Pg6 Black: Kh8 Bg8 Pg7 Ph7",
            "White: Kf8, Rh1, g6;\nBlack: Kh8, Bg8, g7, h7;",
            "w: Kf8 Rh1 g6 b: Kh8 Bg8 g7 h7",
            "Weiß: Kf8 Th1 Bg6 Schwarz: Kh8 Lg8 Bg7 h7",
        ] {
            assert_eq!(line(text), format!("{PRINZ} w - -"), "{text}");
        }
        assert_eq!(line("White: Ke1 Rh1 Nf3 Black: Ke8\nWhite to move, #3"), "4k3/8/8/8/8/5N2/8/4K2R w K - bm #3;");
    }

    #[test]
    fn what_is_not_understood_beside_the_men_is_refused() {
        let error = |text: &str| read(text).unwrap().unwrap_err().to_string();
        assert!(error("White: Kf8 Rh1 Xg6 Black: Kh8").contains("\"Xg6\" beside the men is not understood"));
        assert!(error("White: Kf8 Rf8 Black: Kh8").contains("two men stand on f8"));
        assert!(error("White: Kf8 Rh1 Black: Kh8 h#2").contains("\"h#2\" beside the men"));
        assert!(read("hello world").is_none() && read(". . .\n. . .").is_none());
    }
}
