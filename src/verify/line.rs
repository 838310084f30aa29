//! The check of one result: its main line is legal, as long as the claimed mate, and ends in checkmate. `lines` checks
//! results of help play.

use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::chess::{End, Goal, MateLength, Stipulation};
use crate::proof::parse_position;
use crate::results::Solution;
use crate::results::solution::Status;

use super::{LineCheck, LineFault, lines};

/// Checks a result. One without a question is a direct mate.
pub(super) fn check(solution: &Solution) -> Result<LineCheck, LineFault> {
    let asked = solution.stipulation.map(|question| question.stipulation);
    let status = solution.result.status;
    if let Some(asked) = asked.filter(|asked| asked.is_helped()) {
        return lines::check(solution.help.as_ref(), &start(solution)?, asked, status);
    }
    let to_move_mates = match status {
        Status::Mate => true,
        Status::Mated => false,
        Status::Solved => return check_other_goal(solution, asked),
        Status::NoMate | Status::NoSolution | Status::Undecided | Status::Stalemate | Status::Invalid => {
            return Ok(LineCheck::NoMateClaimed);
        }
    };
    let moves = usize::from(solution.result.mate_in.ok_or(LineFault::Missing("mate_in"))?);
    let plies = if to_move_mates { (2 * moves).checked_sub(1) } else { Some(2 * moves) };
    let last = last_position(solution, plies)?;
    if last.is_checkmate() {
        return Ok(LineCheck::Mates);
    }
    Err(LineFault::NotCheckmate { stalemate: last.is_stalemate() })
}

/// Checks the main line of another goal that one side forces.
fn check_other_goal(solution: &Solution, asked: Option<Stipulation>) -> Result<LineCheck, LineFault> {
    let asked = asked.ok_or(LineFault::Missing("stipulation"))?;
    let moves = solution.result.length().ok_or(LineFault::Missing("solved_in"))?;
    let plies = asked.within(Some(MateLength(moves))).half_moves().unwrap_or_default();
    let last = last_position(solution, Some(usize::from(plies)))?;
    let attacker = asked.attacker(start(solution)?.turn());
    let Goal { end, of, .. } = asked.goal();
    let is_reached = match end {
        End::Mate => last.is_checkmate(),
        End::Stalemate => last.is_stalemate(),
        End::Any => true,
    };
    if is_reached && last.turn() == of.color(attacker) { Ok(LineCheck::Mates) } else { Err(LineFault::NotTheGoal) }
}

/// Returns the position that the result is about.
fn start(solution: &Solution) -> Result<Chess, LineFault> {
    parse_position(solution.fen.as_ref().ok_or(LineFault::Missing("fen"))?).map_err(LineFault::Position)
}

/// Returns the position after the main line, which has `plies` half-moves; `None`: no line can.
fn last_position(solution: &Solution, plies: Option<usize>) -> Result<Chess, LineFault> {
    let pv = solution.result.pv.as_ref().ok_or(LineFault::Missing("pv"))?;
    solution.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
    let plies = plies.ok_or(LineFault::NoMoves)?;
    play_line(start(solution)?, pv, plies)
}

/// Plays a line in UCI notation and checks that it has `plies` half-moves. Returns the last position. Castling may also
/// be written as king takes rook.
fn play_line(mut position: Chess, line: &[String], plies: usize) -> Result<Chess, LineFault> {
    if line.len() != plies {
        return Err(LineFault::Length { claimed: plies, found: line.len() });
    }
    for (ply, text) in (1..).zip(line) {
        let illegal = || LineFault::Illegal { ply, played: text.chars().take(20).collect() };
        let m = text.parse::<UciMove>().map_err(|_| illegal())?.to_move(&position).map_err(|_| illegal())?;
        position.play_unchecked(m);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the length in a stipulation such as `s#2`.
    fn length(stipulation: &str) -> &str {
        stipulation.trim_start_matches(|letter: char| !letter.is_ascii_digit())
    }

    fn checked(text: &str) -> Result<LineCheck, LineFault> {
        check(&serde_json::from_str(text).unwrap())
    }

    fn fault(status: &str, mate_in: &str, pv: &str) -> String {
        let fen = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
        let text = format!(r#"{{"fen":"{fen}","result":{{"status":"{status}","mate_in":{mate_in},"pv":{pv},"x":1}}}}"#);
        checked(&text).map_or_else(|fault| fault.to_string(), |check| format!("{check:?}"))
    }

    #[test]
    fn every_fault_of_a_main_line_is_reported() {
        assert_eq!(fault("mate", "2", r#"["c6c7","a8a7","b1a1"]"#), "Mates");
        assert_eq!(fault("undecided", "null", "null"), "NoMateClaimed");
        for (mate_in, pv, expected) in [
            ("1", r#"["c6c7","a8a7","b1a1"]"#, "takes 1 half-moves, and the main line has 3"),
            ("2", r#"["c6c7"]"#, "takes 3 half-moves, and the main line has 1"),
            ("2", r#"["c6c7","a8b8","b1a1"]"#, "half-move 2 of the main line, \"a8b8\", is not legal"),
            ("2", r#"["c6c7","a8a7","rook"]"#, "half-move 3 of the main line, \"rook\", is not legal"),
            ("2", r#"["c6c7","a8a7","b1b7"]"#, "does not end in checkmate"),
            ("0", "[]", "cannot mate in 0 moves"),
            ("null", "[]", "\"mate_in\" is missing"),
            ("2", "null", "\"pv\" is missing"),
        ] {
            let found = fault("mate", mate_in, pv);
            assert!(found.contains(expected), "{found}");
        }
        assert!(fault("mated", "0", "[]").contains("does not end in checkmate"));
        assert!(serde_json::from_str::<Solution>(r#"{"result":{"status":"won"}}"#).is_err(), "no status");
    }

    #[test]
    fn the_main_line_of_another_goal_ends_with_that_goal() {
        let outcome = |stipulation: &str, moves: &str, pv: &str| {
            let fen = "7k/8/8/8/8/8/5K2/6Q1 w - - 0 1";
            let text = format!(
                r#"{{"fen":"{fen}","stipulation":{{"text":"{stipulation}","moves":{},"attacker":"white"}},
                "result":{{"status":"solved","mate_in":null,"solved_in":{moves},"pv":{pv}}}}}"#,
                length(stipulation)
            );
            checked(&text)
        };
        let two = r#"["g1g5","h8h7","f2f1","h7h8"]"#;
        assert_eq!(outcome("s#2", "2", two), Err(LineFault::NotTheGoal));
        assert_eq!(outcome("s#2", "3", two), Err(LineFault::Length { claimed: 6, found: 4 }));
        assert_eq!(outcome("=2", "2", two), Err(LineFault::Length { claimed: 3, found: 4 }));
        assert_eq!(outcome("s#2", "null", two), Err(LineFault::Missing("solved_in")));
        let stalemate = r#"["g1g5","h8h7","f2f1","h7h8","g5g6"]"#;
        assert_eq!(outcome("=3", "3", stalemate), Ok(LineCheck::Mates));
        assert_eq!(outcome("s=3", "3", stalemate), Err(LineFault::Length { claimed: 6, found: 5 }));
    }

    #[test]
    fn every_line_of_help_play_is_replayed() {
        let outcome = |asked: &str, status: &str, lists: &str| {
            let fen = "7k/8/8/8/8/8/5K2/6Q1 b - - 0 1";
            checked(&format!(
                r#"{{"fen":"{fen}","stipulation":{{"text":"{asked}","moves":{},"attacker":"white"}},
                "result":{{"status":"{status}","mate_in":null,"solved_in":null,"pv":null}},{lists}}}"#,
                length(asked)
            ))
        };
        let line = r#"{"moves":["h8h7","f2f3","h7h8","f3g4"]}"#;
        let stalemate = r#"{"moves":["h8h7","f2f3","h7h8","g1g6"]}"#;
        let two = r#"{"moves":["h8h7","f2f1","h7h8","g1g6"]}"#;
        assert_eq!(
            outcome("h=2", "solved", &format!("\"solutions\":[{stalemate},{two}]")),
            Ok(LineCheck::HelpLines(2))
        );
        let short = r#""set_play":[{"moves":["g1g6"]}]"#;
        assert_eq!(outcome("h=1", "no_solution", &format!("\"solutions\":[],{short}")), Ok(LineCheck::HelpLines(1)));
        assert_eq!(outcome("h=2", "no_solution", "\"solutions\":[]"), Ok(LineCheck::NoMateClaimed));
        assert_eq!(outcome("h=2", "no_solution", &format!("\"solutions\":[{two}]")), Err(LineFault::NotNone));
        assert_eq!(outcome("h=2", "solved", "\"solutions\":[]"), Err(LineFault::Missing("solutions")));
        let fault = |list, number, twice| Err(LineFault::HelpLine { list, number, twice });
        for (asked, lists, expected) in [
            ("h=2", format!("\"solutions\":[{two},{line}]"), fault("solutions", 2, false)),
            ("h=2", format!("\"solutions\":[{two},{stalemate},{two}]"), fault("solutions", 3, true)),
            ("h#2", format!("\"solutions\":[{two}]"), fault("solutions", 1, false)),
            ("h=3", format!("\"solutions\":[{two}]"), fault("solutions", 1, false)),
            (
                "h=2",
                r#""solutions":[{"moves":["h8h6","f2f1","h7h8","g1g6"]}]"#.to_owned(),
                fault("solutions", 1, false),
            ),
        ] {
            assert_eq!(outcome(asked, "solved", &lists), expected, "{lists}");
        }
        let both = format!("\"solutions\":[],\"short_solutions\":[{two}]");
        assert_eq!(outcome("h=3", "undecided", &both), Ok(LineCheck::HelpLines(1)));
        assert_eq!(outcome("h=2", "undecided", &both), fault("short_solutions", 1, false));
        // Other results have a field of the same name.
        assert_eq!(outcome("=2", "no_solution", r#""set_play":{"play":1}"#), Ok(LineCheck::NoMateClaimed));
    }

    #[test]
    fn castling_may_be_written_in_both_ways() {
        let outcome = |fen: &str, castling: &str| {
            let text = format!(r#"{{"fen":"{fen}","result":{{"status":"mate","mate_in":1,"pv":["{castling}"]}}}}"#);
            checked(&text)
        };
        let standard = "5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1";
        assert_eq!(outcome(standard, "e1g1"), Ok(LineCheck::Mates));
        assert_eq!(outcome(standard, "e1h1"), Ok(LineCheck::Mates));
        assert_eq!(outcome("5k2/8/8/8/8/8/4R1R1/5KR1 w K - 0 1", "f1g1"), Ok(LineCheck::Mates));
    }
}
