//! The check of one result: each of its main lines is legal, as long as the claimed solution, and ends with the goal;
//! the claim fits the question and its own bounds. `lines` checks results of help play of a stated length.

use shakmaty::{Chess, Position as _};

use crate::chess::{End, MateLength, MoveCode, Play, Side, Stipulation, passed};
use crate::proof::helped::Replayer;
use crate::proof::parse_position;
use crate::results::solution::{Outcome, Status};
use crate::results::{SidedStipulation, Solution};

use super::{LineCheck, LineFault, lines};

/// Checks a result. One without a question is a direct mate.
pub(crate) fn check(solution: &Solution) -> Result<LineCheck, LineFault> {
    let Some(fen) = &solution.fen else {
        let claims = solution.result.length().is_some() || solution.result.pv.is_some();
        return if claims { Err(LineFault::Missing("fen")) } else { Ok(LineCheck::NoMateClaimed) };
    };
    let start = parse_position(fen).map_err(LineFault::Position)?;
    let question = solution.stipulation.map(|question| question.in_diagram(start.turn()));
    let asked = question.map(|question| question.stipulation).unwrap_or_default();
    if let Some(question) = question {
        if asked.attacker(start.turn()) != question.attacker {
            return Err(LineFault::OtherClaim("attacker"));
        }
        if asked.is_helped_at_any_length() {
            return helpmate(&solution.result, question, &start);
        }
        if asked.is_helped() {
            return lines::check(solution, question, &start);
        }
    }
    let mut mates = outcome(&solution.result, &start, asked)?;
    if let Some(other) = &solution.other_side {
        mates |= outcome(other, &start, asked.begun_by(asked.begins().other()).within(None))?;
    }
    if let Some(other) = &solution.other_to_move {
        mates |= outcome(other, &passed(&start).ok_or(LineFault::OtherQuestion)?, asked)?;
    }
    for first in solution.moves.iter().flatten() {
        if first.outcome.pv.as_ref().is_some_and(|pv| pv.first() != Some(&first.uci)) {
            return Err(LineFault::OtherClaim("uci"));
        }
        mates |= outcome(&first.outcome, &start, asked)?;
    }
    Ok(if mates { LineCheck::Mates } else { LineCheck::NoMateClaimed })
}

/// Checks an answer to this question. Returns whether it has a main line.
fn outcome(outcome: &Outcome, start: &Chess, asked: Stipulation) -> Result<bool, LineFault> {
    let longer = outcome.longer_mate.as_ref();
    let longer = longer.map_or(Ok(false), |longer| self::outcome(longer, start, asked.within(None)))?;
    let (field, goal_is_mate, begins) = match outcome.status {
        Status::Mate => ("mate_in", true, Side::Attacker),
        Status::Mated => ("mate_in", true, Side::Defender),
        Status::Solved => ("solved_in", false, asked.begins()),
        _ if outcome.pv.is_some() || outcome.length().is_some() => return Err(LineFault::OtherClaim("status")),
        _ => return Ok(longer),
    };
    let moves = outcome.length().map(MateLength).ok_or(LineFault::Missing(field))?;
    let question = if goal_is_mate { Stipulation::default().begun_by(begins) } else { asked }.within(Some(moves));
    main_line(start, outcome.pv.as_ref().ok_or(LineFault::Missing("pv"))?, question)?;
    // Of a direct mate, two fields have the length.
    if outcome.solved_in.as_ref().is_some_and(|n| n.as_u64() != Some(moves.0.into())) {
        return Err(LineFault::OtherClaim("solved_in"));
    }
    let proved = outcome.refuted_through.filter(|_| outcome.proved_shortest).map(|refuted| refuted.saturating_add(1));
    let fits = if asked.goal().exact { Some(moves) == asked.moves() } else { moves <= asked.bound() };
    // The side to move may be mated already.
    let fits = fits && (begins == asked.begins() || (begins == Side::Defender && moves.0 == 0));
    if !fits || asked.goal().is_mate() != goal_is_mate {
        return Err(LineFault::OtherQuestion);
    }
    if outcome.refuted_through.is_some_and(|refuted| refuted >= moves.0) || proved.is_some_and(|n| n != moves.0) {
        return Err(LineFault::OtherClaim("refuted_through"));
    }
    Ok(true)
}

/// Checks an answer to `h#`: its line is a helpmate of its own length, and no shorter one that is refuted.
fn helpmate(outcome: &Outcome, question: SidedStipulation, start: &Chess) -> Result<LineCheck, LineFault> {
    let is_solved = outcome.status == Status::Solved;
    let Some(line) = outcome.pv.as_ref().filter(|_| is_solved) else {
        let claims = is_solved || outcome.solved_in.is_some() || outcome.pv.is_some();
        let missing = if is_solved { LineFault::Missing("pv") } else { LineFault::OtherClaim("status") };
        return if claims { Err(missing) } else { Ok(LineCheck::NoMateClaimed) };
    };
    let half_moves = u16::try_from(line.len()).map_err(|_| LineFault::OtherQuestion)?;
    let length = if half_moves == 0 {
        let is_mated = start.is_checkmate() && start.turn() != question.attacker;
        is_mated.then_some(0.into()).ok_or(LineFault::NotCheckmate { stalemate: start.is_stalemate() })?
    } else {
        let stipulation = Stipulation::helped(Play::Help, End::Mate, half_moves);
        main_line(start, line, stipulation)?;
        let sided = SidedStipulation::of(stipulation, start.turn());
        if sided.attacker != question.attacker {
            return Err(LineFault::OtherQuestion);
        }
        sided.length().ok_or(LineFault::OtherQuestion)?
    };
    // The longest length that is shorter, in whole moves.
    let (refuted, shorter) = (outcome.refuted_through.unwrap_or_default(), half_moves.saturating_sub(1) / 2);
    match () {
        () if outcome.solved_in.as_ref() != Some(&length) => Err(LineFault::OtherClaim("solved_in")),
        () if refuted > shorter => Err(LineFault::OtherClaim("refuted_through")),
        () if outcome.proved_shortest && refuted < shorter => Err(LineFault::OtherClaim("proved_shortest")),
        () => Ok(LineCheck::Mates),
    }
}

/// Replays a main line. Castling may also be written as king takes rook.
fn main_line(start: &Chess, line: &[String], question: Stipulation) -> Result<(), LineFault> {
    let claimed = question.half_moves().map_or(0, usize::from);
    if line.len() != claimed {
        return Err(LineFault::Length { claimed, found: line.len() });
    }
    let (mut rules, mut moves) = (Replayer::new(start, question, &[]), Vec::new());
    let mut last = start.clone();
    for (ply, text) in (1..).zip(line) {
        let illegal = || LineFault::Illegal { ply, played: text.chars().take(20).collect() };
        moves.push(MoveCode::of_uci(text).ok_or_else(illegal)?);
        last = rules.follow(&moves).ok_or_else(illegal)?.clone();
    }
    match rules.holds(&moves) {
        true => Ok(()),
        false if question.goal().is_mate() => Err(LineFault::NotCheckmate { stalemate: last.is_stalemate() }),
        false => Err(LineFault::NotTheGoal),
    }
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
            ("0", "[]", "does not end in checkmate"),
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
    fn every_main_line_answers_its_own_question() {
        let of = |asked: &str, result: &str| {
            checked(&format!(
                r#"{{"fen":"k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
                "stipulation":{{"text":"{asked}","moves":{},"attacker":"white"}},{result}}}"#,
                length(asked)
            ))
        };
        let mate = |moves: u16, pv: &str| format!(r#"{{"status":"mate","mate_in":{moves},"pv":{pv}}}"#);
        let (good, bad) = (r#"["c6c7","a8a7","b1a1"]"#, r#"["c6c7","a8a7","b1b7"]"#);
        let none = |more: &str| format!(r#""result":{{"status":"no_mate","mate_in":null,"pv":null{more}}}"#);
        let not_mate = Err(LineFault::NotCheckmate { stalemate: false });
        let twice =
            |moves: &str| format!(r#""result":{{"status":"mate","mate_in":2,"solved_in":{moves},"pv":{good}}}"#);
        let exact = |moves: u16| format!(r#""result":{{"status":"solved","solved_in":{moves},"pv":{good}}}"#);
        let bounds = |more: &str| format!(r#""result":{{"status":"mate","mate_in":2,"pv":{good},{more}}}"#);
        let moves = |uci: &str, pv: &str| {
            format!(r#"{},"moves":[{{"san":"Kc7","uci":"{uci}",{}]"#, none(""), &mate(2, pv)[1..])
        };
        for (asked, result, expected) in [
            ("#3", format!("\"result\":{}", mate(2, good)), Ok(LineCheck::Mates)),
            ("#3", twice("2"), Ok(LineCheck::Mates)),
            ("#3", twice("3"), Err(LineFault::OtherClaim("solved_in"))),
            ("#3", twice("1.5"), Err(LineFault::OtherClaim("solved_in"))),
            ("#1", format!("\"result\":{}", mate(2, good)), Err(LineFault::OtherQuestion)),
            ("s#2", format!("\"result\":{}", mate(2, good)), Err(LineFault::OtherQuestion)),
            ("exact-#2", exact(2), Ok(LineCheck::Mates)),
            ("exact-#3", exact(2), Err(LineFault::OtherQuestion)),
            ("#2", none(r#","longer_mate":null"#), Ok(LineCheck::NoMateClaimed)),
            ("#1", none(&format!(r#","longer_mate":{}"#, mate(2, good))), Ok(LineCheck::Mates)),
            ("#1", none(&format!(r#","longer_mate":{}"#, mate(2, bad))), not_mate.clone()),
            ("#1", none("").replace("\"pv\":null", "\"pv\":[\"c6c7\"]"), Err(LineFault::OtherClaim("status"))),
            ("#1", format!("{},\"other_side\":{}", none(""), mate(2, good)), Err(LineFault::OtherQuestion)),
            ("#2", moves("c6c7", good), Ok(LineCheck::Mates)),
            ("#2", moves("c6c5", good), Err(LineFault::OtherClaim("uci"))),
            ("#2", moves("c6c7", bad), not_mate),
            ("#-2", none(""), Err(LineFault::OtherClaim("attacker"))),
            ("#2", bounds(r#""refuted_through":1,"proved_shortest":true"#), Ok(LineCheck::Mates)),
            ("#2", bounds(r#""refuted_through":2"#), Err(LineFault::OtherClaim("refuted_through"))),
            (
                "#2",
                bounds(r#""refuted_through":0,"proved_shortest":true"#),
                Err(LineFault::OtherClaim("refuted_through")),
            ),
        ] {
            assert_eq!(of(asked, &result), expected, "{asked} {result}");
        }
    }

    #[test]
    fn every_line_of_help_play_is_replayed() {
        let outcome = |asked: &str, status: &str, lists: &str| {
            let fen = "7k/8/8/8/8/8/5K2/6Q1 b - - 0 1";
            let complete = status != "undecided";
            checked(&format!(
                r#"{{"fen":"{fen}","stipulation":{{"text":"{asked}","moves":{},"attacker":"white"}},
                "result":{{"status":"{status}","mate_in":null,"pv":null}},"complete":{complete},{lists}}}"#,
                length(asked)
            ))
        };
        let other = |field| Err(LineFault::OtherClaim(field));
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
        assert_eq!(outcome("h=2", "no_solution", &format!("\"solutions\":[{two}]")), other("status"));
        assert_eq!(outcome("h=2", "solved", "\"solutions\":[]"), other("status"));
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
        // The other fields must agree with the lines.
        let says = |more: &str, intended: u16| {
            let lists = format!("\"solutions\":[{stalemate},{two}],\"intended\":{intended}");
            let text = format!(
                r#"{{"fen":"7k/8/8/8/8/8/5K2/6Q1 b - - 0 1","stipulation":{{"text":"h=2","moves":2,"attacker":"white"}},
                "result":{{"status":"solved",{more}}},"complete":true,{lists}}}"#
            );
            checked(&text)
        };
        let first = r#""pv":["h8h7","f2f3","h7h8","g1g6"]"#;
        for (more, intended, expected) in [
            (r#""soundness":"sound","solved_in":2"#, 2, Ok(LineCheck::HelpLines(2))),
            (r#""soundness":"sound""#, 1, other("soundness")),
            (r#""soundness":"cooked","solved_in":1"#, 1, other("solved_in")),
            (first, 1, Ok(LineCheck::HelpLines(2))),
            (r#""pv":["h8h7","f2f3"]"#, 1, other("pv")),
        ] {
            assert_eq!(says(more, intended), expected, "{more}");
        }
        let named = |san: &str| two.replace('{', &format!("{{\"san\":\"{san}\","));
        let of = |san: &str| outcome("h=2", "solved", &format!("\"solutions\":[{}]", named(san)));
        assert_eq!(of("1.Kh7 Kf1 2.Kh8 Qg6="), Ok(LineCheck::HelpLines(1)));
        assert_eq!(of("1.Kh7 Ke1 2.Kh8 Qg6="), fault("solutions", 1, false));
        // Other results have a field of the same name.
        assert_eq!(outcome("=-2", "no_solution", r#""set_play":{"play":1}"#), Ok(LineCheck::NoMateClaimed));
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
