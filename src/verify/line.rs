//! The check of one result: its main line is legal, as long as the claimed mate, and ends in checkmate. `lines` checks
//! results of help play.

use serde::Deserialize;
use shakmaty::{Chess, Position as _, uci::UciMove};

use crate::base::printable::excerpt;
use crate::chess::{End, Goal, MateLength, Stipulation};
use crate::proof::parse_position;

use super::fault::{LineCheck, LineFault};
use super::lines::ClaimedLists;

/// The fields of a result object that the check reads.
#[derive(Deserialize)]
pub(super) struct ClaimedObject {
    pub(super) id: Option<JsonId>,
    fen: Option<String>,
    stipulation: Option<ClaimedQuestion>,
    result: ClaimedResult,
    #[serde(flatten)]
    lists: ClaimedLists,
}

/// The question of a result. Without one, it is a direct mate.
#[derive(Deserialize)]
struct ClaimedQuestion {
    text: String,
}

/// The name of a problem, or its number.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum JsonId {
    Text(String),
    Number(serde_json::Number),
}

impl JsonId {
    pub(super) fn text(self) -> String {
        match self {
            JsonId::Text(text) => text,
            JsonId::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct ClaimedResult {
    status: String,
    mate_in: Option<u16>,
    /// Of help play it may have half a move.
    solved_in: Option<serde_json::Number>,
    pv: Option<Vec<String>>,
}

impl ClaimedObject {
    pub(super) fn check(&self) -> Result<LineCheck, LineFault> {
        let ClaimedResult { status, mate_in, pv, .. } = &self.result;
        if let Some(asked) = self.asked()?.filter(|asked| asked.is_helped()) {
            let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
            return self.lists.check(&parse_position(fen).map_err(LineFault::Position)?, asked, status);
        }
        let to_move_mates = match status.as_str() {
            "mate" => true,
            "mated" => false,
            "solved" => return self.check_other_goal(),
            "no_mate" | "no_solution" | "undecided" | "stalemate" | "invalid" => return Ok(LineCheck::NoMateClaimed),
            other => return Err(LineFault::Unreadable(format!("\"{}\" is not a status", excerpt(other)))),
        };
        let moves = usize::from(mate_in.ok_or(LineFault::Missing("mate_in"))?);
        let pv = pv.as_ref().ok_or(LineFault::Missing("pv"))?;
        let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
        let plies = if to_move_mates { (2 * moves).checked_sub(1).ok_or(LineFault::NoMoves)? } else { 2 * moves };
        let last = play_line(parse_position(fen).map_err(LineFault::Position)?, pv, plies)?;
        if last.is_checkmate() {
            return Ok(LineCheck::Mates);
        }
        Err(LineFault::NotCheckmate { stalemate: last.is_stalemate() })
    }

    /// Returns the question of the result, if it states one.
    fn asked(&self) -> Result<Option<Stipulation>, LineFault> {
        let asked = self.stipulation.as_ref().map(|question| Stipulation::parse_stated(&question.text));
        asked.transpose().map_err(|error| LineFault::Unreadable(error.to_string()))
    }

    /// Checks the main line of another goal that one side forces.
    fn check_other_goal(&self) -> Result<LineCheck, LineFault> {
        let ClaimedResult { solved_in, pv, .. } = &self.result;
        let asked = self.asked()?.ok_or(LineFault::Missing("stipulation"))?;
        let moves = solved_in.as_ref().and_then(serde_json::Number::as_u64);
        let moves = moves.and_then(|moves| u16::try_from(moves).ok()).ok_or(LineFault::Missing("solved_in"))?;
        let plies = asked.within(Some(MateLength(moves))).half_moves().unwrap_or_default();
        let pv = pv.as_ref().ok_or(LineFault::Missing("pv"))?;
        let fen = self.fen.as_ref().ok_or(LineFault::Missing("fen"))?;
        let start = parse_position(fen).map_err(LineFault::Position)?;
        let attacker = asked.attacker(start.turn());
        let last = play_line(start, pv, usize::from(plies))?;
        let Goal { end, of, .. } = asked.goal();
        let is_reached = match end {
            End::Mate => last.is_checkmate(),
            End::Stalemate => last.is_stalemate(),
            End::Any => true,
        };
        if is_reached && last.turn() == of.color(attacker) { Ok(LineCheck::Mates) } else { Err(LineFault::NotTheGoal) }
    }
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

    fn checked(text: &str) -> Result<LineCheck, LineFault> {
        serde_json::from_str::<ClaimedObject>(text).unwrap().check()
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
        assert!(fault("won", "1", "[]").contains("\"won\" is not a status"));
    }

    #[test]
    fn the_main_line_of_another_goal_ends_with_that_goal() {
        let outcome = |stipulation: &str, moves: &str, pv: &str| {
            let fen = "7k/8/8/8/8/8/5K2/6Q1 w - - 0 1";
            let text = format!(
                r#"{{"fen":"{fen}","stipulation":{{"text":"{stipulation}","moves":null,"attacker":"white"}},
                "result":{{"status":"solved","mate_in":null,"solved_in":{moves},"pv":{pv}}}}}"#
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
        assert!(matches!(outcome("x#3", "3", stalemate), Err(LineFault::Unreadable(_))));
    }

    #[test]
    fn every_line_of_help_play_is_replayed() {
        let outcome = |asked: &str, status: &str, lists: &str| {
            let fen = "7k/8/8/8/8/8/5K2/6Q1 b - - 0 1";
            checked(&format!(
                r#"{{"fen":"{fen}","stipulation":{{"text":"{asked}","moves":null,"attacker":"white"}},
                "result":{{"status":"{status}","mate_in":null,"solved_in":null,"pv":null}},{lists}}}"#
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
