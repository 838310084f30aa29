//! The board and the lines around it, as Popeye prints them before a solution.

use std::fmt::Write as _;

use shakmaty::{Board, Color, File, Rank, Square};

use crate::base::printable;
use crate::problem::popeye::PopeyeProblem;

use super::words::PopeyeWords;

/// The width of the board, in characters.
const WIDTH: usize = 37;

const BORDER: &str = "+---a---b---c---d---e---f---g---h---+\n";
const BLANK: &str = "|                                   |\n";

/// Writes the names, the board, and the stipulation with the number of men. Empty under the option `NoBoard`.
pub fn diagram(problem: &PopeyeProblem) -> String {
    if problem.options.no_board {
        return String::new();
    }
    let words = PopeyeWords::of(problem.language);
    let mut text = "\n".to_owned();
    for line in [&problem.authors, &problem.origins, &problem.awards, &problem.titles].into_iter().flatten() {
        text.push_str(&centred(&printable::line(line)));
    }
    text.push('\n');
    text.push_str(&board(&problem.board, words));
    text.push_str(&caption(problem));
    text.push('\n');
    if !problem.options.phase.exclusive.is_empty() {
        text.push_str(words.exclusive);
        for (white, black) in &problem.options.phase.exclusive {
            let _ = write!(text, " {white}{black}");
        }
        text.push('\n');
    }
    if problem.options.phase.black_mates {
        text.push_str(&centred(words.half_duplex));
    } else if problem.options.phase.duplex {
        text.push_str(&centred(words.duplex));
    }
    text
}

/// Writes a line in the middle of the board's width.
fn centred(line: &str) -> String {
    let indent = WIDTH.saturating_sub(line.chars().count()) / 2;
    format!("{}{line}\n", " ".repeat(indent))
}

fn board(board: &Board, words: PopeyeWords) -> String {
    let mut text = format!("{BORDER}{BLANK}");
    for rank in Rank::ALL.into_iter().rev() {
        let digit = rank.char();
        let _ = write!(text, "{digit} ");
        for file in File::ALL {
            let man = board.piece_at(Square::from_coords(file, rank));
            let letter = man.map_or(".", |man| words.letters.of(man.role));
            let sign = if man.is_some_and(|man| man.color == Color::Black) { '-' } else { ' ' };
            let _ = write!(text, " {sign}{letter} ");
        }
        let _ = write!(text, "  {digit}\n{BLANK}");
    }
    text + BORDER
}

/// Writes the stipulation, the limits of Popeye's search behind it, and the number of men at the right.
fn caption(problem: &PopeyeProblem) -> String {
    let options = &problem.options;
    let stipulation = problem.stipulation.map_or(String::new(), |stipulation| stipulation.to_string());
    let mut left = format!("  {stipulation}");
    let _ = match (options.max_threat, options.max_flights) {
        (Some(threat), Some(flights)) => write!(left, "/{threat}/{flights}"),
        (Some(threat), None) => write!(left, "/{threat}"),
        (None, Some(flights)) => write!(left, "//{flights}"),
        (None, None) => Ok(()),
    };
    if let Some((most, least)) = options.non_trivial {
        let _ = write!(left, ";{most},{least}");
    }
    let men = |color| problem.board.by_color(color).count();
    let right = format!("{} + {}", men(Color::White), men(Color::Black));
    let width = (WIDTH - 2).saturating_sub(left.chars().count());
    format!("{left}{right:>width$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::popeye::read;

    fn diagram_of(text: &str) -> String {
        diagram(&read(text).expect("it begins as Popeye's input").remove(0))
    }

    #[test]
    fn a_diagram_has_names_board_and_stipulation() {
        let text = "BeginProblem Forsyth 5Kbk/6pp/6P1/8/8/8/8/7R Option HalfDuplex Threat 1 Stip #2 Author\tD. Prinz\n";
        let written = diagram_of(text);
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!(lines[1], "              D. Prinz");
        assert_eq!(lines[3], "+---a---b---c---d---e---f---g---h---+");
        assert_eq!(lines[5], "8   .   .   .   .   .   K  -B  -K   8");
        assert_eq!(lines[lines.len() - 2], "  #2/1                        3 + 4");
        assert_eq!(lines[lines.len() - 1], "             HalfDuplex");
        assert!(lines[3..lines.len() - 2].iter().all(|line| line.len() == WIDTH), "{written}");
    }

    #[test]
    fn the_letters_are_those_of_the_language() {
        let written = diagram_of("anfa stei weiss Ke1 Da1 schw Kh8 Sg8 forder #2 ende");
        assert!(written.contains("1   D   .   .   .   K   .   .   .   1"), "{written}");
        assert!(written.contains("8   .   .   .   .   .   .  -S  -K   8"), "{written}");
        assert_eq!(diagram_of("BeginProblem Option NoBoard Stip #2 EndProblem"), "");
    }
}
