//! Writes a result as plain text for people.
//!
//! Most texts contain ANSI styles, which the caller must remove when writing to a file or a pipe.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;

use crate::chess::{End, Goal, MateLength};
use crate::output::Format;
use crate::output::styles::{FAINT, FOUND, OPEN, PROVED, WRONG};
use crate::results::help::HelpSolutions;
use crate::results::solution::{MoveOutcome, Outcome, Stats, Status, StoppedBy};
use crate::results::stamp::seconds;
use crate::results::{SidedStipulation, Solution};

/// Writes the result of one problem: the verdict, the main line, nodes and time; of help play, all solutions first.
pub(crate) fn full(solution: &Solution, out: &mut dyn Write) -> io::Result<()> {
    if let Some(help) = &solution.help {
        help_lines(help, out)?;
    }
    out.write_all(styled_verdict(solution).as_bytes())?;
    if let Some(line) = main_line(any_mate(&solution.result)).filter(|_| solution.help.is_none()) {
        write!(out, "\n{}", numbered_as_in(solution, line))?;
    }
    if let Some(fen) = solution.fen.as_ref().filter(|_| solution.is_game) {
        write!(out, "\n{FAINT}position: {fen}{FAINT:#}")?;
    }
    if let Some(sentence) = other_side(solution) {
        write!(out, "\n{sentence}")?;
    }
    if let (Some(other), Some(question)) = (&solution.other_to_move, solution.stipulation) {
        let turned = SidedStipulation { attacker: !question.attacker, ..question };
        write!(out, "\n{}", if_to_move(other, turned))?;
    }
    if let Some(cost) = cost(solution) {
        write!(out, "\n{cost}")?;
    }
    // The user who gave an option knows the question.
    if let Some((question, by)) =
        solution.stipulation.and_then(|it| Some((it, it.from?))).filter(|(_, by)| !by.starts_with('-'))
    {
        write!(out, "\n{FAINT}question: {} ({by}){FAINT:#}", question.text())?;
    }
    Ok(())
}

/// Writes all solutions of help play, one on a line, with a heading where there are several parts.
fn help_lines(help: &HelpSolutions, out: &mut dyn Write) -> io::Result<()> {
    let several = help.set_play.is_some() || help.short_solutions.is_some();
    for (heading, lines) in help.parts() {
        if several {
            writeln!(out, "{FAINT}{heading}:{FAINT:#}")?;
        }
        if several && lines.is_empty() {
            writeln!(out, "none")?;
        }
        lines.iter().try_for_each(|line| writeln!(out, "{}", line.san))?;
    }
    Ok(())
}

/// Returns the number of solutions of help play in words, and whether these are all.
pub(super) fn help_words(count: usize, complete: bool, stats: &Stats, internal_failure: bool) -> String {
    if stats.stopped_by == Some(StoppedBy::ShortSolutions) {
        return "not looked for beside shorter ones (StopOnShortSolutions)".to_owned();
    }
    let reason = reason(internal_failure, stats.stopped_by);
    let solutions = if count == 1 { "1 solution".to_owned() } else { format!("{} solutions", grouped(count as u64)) };
    match (complete, count) {
        (true, 0) => "no solution".to_owned(),
        (true, 1) => format!("{solutions}, this is all"),
        (true, _) => format!("{solutions}, these are all"),
        (false, 0) => format!("no solution found; not everything was searched{reason}"),
        (false, _) => format!("{solutions} found, there may be more{reason}"),
    }
}

/// Returns the words for the length of a list of legal moves.
pub(super) fn moves_words(count: usize) -> String {
    match count {
        0 => "no legal move".to_owned(),
        1 => "1 legal move".to_owned(),
        _ => format!("{count} legal moves"),
    }
}

/// Writes the engine, nodes and time of a solve; `None` if no search was needed.
pub fn cost(solution: &Solution) -> Option<String> {
    let engine = solution.stats.engine.as_ref()?;
    let (nodes, time) = (grouped(solution.stats.nodes), seconds(solution.stats.time_ms));
    Some(format!("{FAINT}{engine}: {nodes} nodes, {time}{FAINT:#}"))
}

/// Writes the answers for all first moves, or for the `best` that mate fastest, and the cost.
pub fn first_moves(solution: &Solution, best: Option<usize>) -> String {
    let moves = solution.moves.as_deref().unwrap_or_default();
    if moves.is_empty() {
        return Format::Text.single(solution);
    }
    let goal = goal(solution);
    let listed = match best {
        None => grouped_moves(moves, goal),
        Some(count) => {
            let mates = moves.iter().filter(|m| m.outcome.length().is_some()).count();
            let (best, others) = moves.split_at(count.min(mates));
            let best = best.iter().map(|first| first_move(first, goal));
            best.chain(other_moves(others, goal)).collect()
        }
    };
    let end = [stopped(solution), cost(solution)].into_iter().flatten();
    listed.into_iter().chain(end).collect::<Vec<_>>().join("\n")
}

/// Writes a first move and its answer on one line, with the main line.
fn first_move(first: &MoveOutcome, goal: Goal) -> String {
    let (style, words) = (style(&first.outcome), outcome_words(&first.outcome, goal.noun(), ""));
    let mut text = format!("{:<7} {style}{words}{style:#}", first.san);
    if let Some(line) = main_line(&first.outcome) {
        let _ = write!(text, "  {line}");
    }
    text
}

/// Writes all first moves, those of one answer on one line: `none in 3: Ke7 Ke8 Ra1`.
fn grouped_moves(moves: &[MoveOutcome], goal: Goal) -> Vec<String> {
    let mut groups: Vec<(String, String)> = Vec::new();
    for MoveOutcome { san, outcome, .. } in moves {
        let tables = if outcome.with_tables { " (proved with tables)" } else { "" };
        let words = match outcome.refuted_through.filter(|&n| n > 0) {
            _ if outcome.length().is_some() || outcome.no_mate_at_all => outcome_words(outcome, goal.noun(), ""),
            Some(n) => format!("none in {n}{tables}"),
            None => "not decided".to_owned(),
        };
        let style = style(outcome);
        if let Some((_, line)) = groups.iter_mut().find(|(known, _)| *known == words) {
            line.extend([" ", san]);
        } else {
            groups.push((words.clone(), format!("{style}{words}{style:#}: {san}")));
        }
    }
    groups.into_iter().map(|(_, line)| line).collect()
}

/// Says which limit ended the search; `None` if it ended with an answer.
fn stopped(solution: &Solution) -> Option<String> {
    let reason = solution.stats.stopped_by.map(|stopped_by| reason(false, Some(stopped_by)))?;
    Some(format!("{FAINT}not all lengths are exact{reason}{FAINT:#}"))
}

/// Writes one line about the first moves that are not listed; `None` if there are none.
fn other_moves(others: &[MoveOutcome], goal: Goal) -> Option<String> {
    let least = others.iter().map(|other| other.outcome.refuted_through.unwrap_or_default()).min()?;
    let count = if others.len() == 1 { "1 other move".to_owned() } else { format!("{} other moves", others.len()) };
    let slower = others.iter().any(|other| other.outcome.length().is_some());
    let what = goal.noun();
    let later = if goal.is_mate() { "some mate later" } else { "some reach it later" };
    Some(match least {
        _ if others.iter().all(|other| other.outcome.no_mate_at_all) => format!("{count}: no {what} at all"),
        0 => format!("{count}: no {what} found"),
        n if slower => format!("{count}: no {what} in {n}, {later}"),
        n => format!("{count}: no {what} in {n}"),
    })
}

/// Returns the answer or, if it has none, the mate that is longer than the one asked for.
fn any_mate(outcome: &Outcome) -> &Outcome {
    outcome.longer_mate.as_deref().unwrap_or(outcome)
}

fn main_line(outcome: &Outcome) -> Option<&str> {
    outcome.pv_san.as_deref().filter(|line| !line.is_empty())
}

/// Returns a line with the move numbers of the game from which the position comes: `2... Qh4#` for `1... Qh4#`.
fn numbered_as_in(solution: &Solution, line: &str) -> String {
    let number = |fen: &String| fen.split(' ').nth(5)?.parse::<u32>().ok();
    let played = solution.fen.as_ref().filter(|_| solution.is_game).and_then(number).map_or(0, |n| n.saturating_sub(1));
    let renumbered = line.split(' ').map(|word| {
        let number = word.trim_end_matches('.');
        let later = number.parse::<u32>().ok().filter(|_| number.len() < word.len());
        later.map_or(word.to_owned(), |n| format!("{}{}", n + played, &word[number.len()..]))
    });
    renumbered.collect::<Vec<_>>().join(" ")
}

/// Says whether the side to move is mated, if it has no mate itself; or how to ask. Of another goal than a mate,
/// nothing.
fn other_side(solution: &Solution) -> Option<String> {
    let is_asked = |goal: &&SidedStipulation| {
        let asked = goal.stipulation;
        !asked.is_helped() && !asked.defender_begins() && asked.goal().is_mate()
    };
    let goal = solution.stipulation.as_ref().filter(is_asked)?;
    let asks = matches!(solution.result.status, Status::NoMate | Status::Undecided)
        && !solution.internal_failure
        && solution.result.longer_mate.is_none();
    let side = goal.attacker.fold_wb("White", "Black");
    let unknown = || format!("{FAINT}to ask whether {side} is mated, add --defend{FAINT:#}");
    let Some(other) = &solution.other_side else { return asks.then(unknown) };
    let style = style(other);
    let refuted = other.refuted_through.filter(|&n| n > 0);
    Some(match (other.status, refuted) {
        (Status::Mated, _) => {
            let line = main_line(other).map_or(String::new(), |line| format!("\n{}", numbered_as_in(solution, line)));
            format!("{style}{side} is {}{style:#}{line}", outcome_words(other, Goal::MATE.noun(), ""))
        }
        _ if other.no_mate_at_all && other.with_tables => format!("{side} is not mated either (proved with tables)"),
        _ if other.no_mate_at_all => format!("{side} is not mated either"),
        (_, Some(n)) => {
            format!("{side} is not mated in {}; {FAINT}--defend searches further{FAINT:#}", moves_or_fewer(n))
        }
        _ => unknown(),
    })
}

/// Writes the solution that the attacker of this question would have if it were to move: `If White were to move: mate
/// in 1, 1. Qxf7#`.
pub fn if_to_move(solution: &Outcome, question: SidedStipulation) -> String {
    let (style, what) = (style(solution), question.stipulation.goal().noun());
    let side = question.attacker.fold_wb("White", "Black");
    let sign = if solution.proved_shortest { "" } else { "≤ " };
    let (length, line) = (solution.length().unwrap_or_default(), main_line(solution).unwrap_or_default());
    format!("{style}If {side} were to move: {what} in {sign}{length}{style:#}, {line}")
}

/// Writes `4 moves or fewer`.
fn moves_or_fewer(n: u16) -> String {
    if n == 1 { "1 move".to_owned() } else { format!("{n} moves or fewer") }
}

/// Writes the result of one problem of a batch on one line: line number, name, verdict, main line.
pub(crate) fn row(solution: &Solution) -> String {
    let mut text = String::new();
    if let Some(line) = solution.line {
        let _ = write!(text, "{FAINT}{line}{FAINT:#} ");
    }
    if let Some(id) = &solution.id {
        let _ = write!(text, "{id} ");
    }
    text.push_str(&styled_verdict(solution));
    if let Some(check) = solution.check {
        let style = if check.disagrees() { WRONG } else { FAINT };
        let _ = write!(text, " {style}[check: {}]{style:#}", check.words());
    }
    if let Some(line) = main_line(any_mate(&solution.result)) {
        let _ = write!(text, "  {}", numbered_as_in(solution, line));
    }
    if let Some(moves) = &solution.moves {
        let _ = write!(text, "  {FAINT}[{}]{FAINT:#}", names_of(moves));
    }
    text
}

/// Writes the first moves that solve, and how many others are not decided.
fn names_of(moves: &[MoveOutcome]) -> String {
    let open = moves.iter().filter(|m| m.outcome.status == Status::Undecided).count();
    let mates = moves.iter().filter(|m| m.outcome.length().is_some());
    let mut names: Vec<&str> = mates.map(|m| m.san.trim_end_matches(['+', '#'])).collect();
    names.sort_unstable();
    let undecided = if open == 0 { String::new() } else { format!("; not decided: {open}") };
    format!("first moves: {}{undecided}", names.join(", "))
}

fn styled_verdict(solution: &Solution) -> String {
    let style = if solution.internal_failure { WRONG } else { style(&solution.result) };
    format!("{style}{}{style:#}", verdict(solution))
}

fn style(outcome: &Outcome) -> Style {
    match outcome.status {
        Status::Mate | Status::Mated | Status::Solved if outcome.proved_shortest => PROVED,
        // All solutions of help play.
        Status::Solved if outcome.soundness.is_some() => PROVED,
        Status::Mate | Status::Mated | Status::Solved => FOUND,
        Status::NoMate | Status::Stalemate | Status::Undecided | Status::NoSolution => OPEN,
        Status::Invalid => WRONG,
    }
}

/// Returns the goal of the question that a solution answers.
fn goal(solution: &Solution) -> Goal {
    solution.stipulation.as_ref().map_or(Goal::MATE, |question| question.stipulation.goal())
}

/// Returns the verdict in words. The main answers are: mate in n (proved shortest), mate in ≤ n, no mate in n, no mate
/// at all, no mate found; of another goal the same with its noun, such as "selfmate".
pub(crate) fn verdict(solution: &Solution) -> String {
    if solution.internal_failure {
        return "undecided (internal failure)".to_owned();
    }
    if let Some(help) = &solution.help {
        if goal(solution).end == End::Any {
            return moves_words(help.solutions.len());
        }
        let count = help_words(help.solutions.len(), help.complete, &solution.stats, false);
        let is_stopped = solution.stats.stopped_by == Some(StoppedBy::ShortSolutions);
        return if is_stopped { format!("solutions of the stipulated length: {count}") } else { count };
    }
    let reason = reason(false, solution.stats.stopped_by);
    if solution.stipulation.is_some_and(|question| question.stipulation.is_helped_at_any_length()) {
        return helpmate_words(&solution.result, &reason);
    }
    let asked = solution.stipulation.as_ref().and_then(SidedStipulation::moves);
    let what = goal(solution).noun();
    match (&solution.result, asked) {
        (Outcome { longer_mate: Some(mate), status: Status::NoMate | Status::NoSolution, .. }, Some(asked)) => {
            format!("no {what} in {asked}; {}", outcome_words(mate, what, ""))
        }
        (Outcome { longer_mate: Some(mate), .. }, Some(asked)) => longer_words(mate, what, asked, &reason),
        (outcome, _) => outcome_words(outcome, what, &reason),
    }
}

/// Writes a mate that is longer than the one asked for: `mate in ≤ 41, longer than the 35 asked; not in 15`.
fn longer_words(mate: &Outcome, what: &str, asked: u16, reason: &str) -> String {
    let word = if mate.status == Status::Mated { "mated" } else { what };
    let refuted = mate.refuted_through.filter(|&n| n > 0).map_or(String::new(), |n| format!("; not in {n}"));
    format!("{word} in ≤ {}, longer than the {asked} asked{refuted}{reason}", mate.length().unwrap_or_default())
}

/// Returns the answer to `h#` in words.
fn helpmate_words(outcome: &Outcome, reason: &str) -> String {
    let refuted = outcome.refuted_through.filter(|&n| n > 0);
    match (&outcome.solved_in, outcome.status, refuted) {
        (Some(n), ..) if n.as_u64() == Some(0) => "helpmate in 0: the side to move is checkmated".to_owned(),
        (Some(n), ..) if outcome.proved_shortest => format!("helpmate in {n} (proved shortest)"),
        (Some(n), _, Some(refuted)) => format!("helpmate in ≤ {n} (not in {refuted})"),
        (Some(n), _, None) => format!("helpmate in ≤ {n}"),
        (None, Status::NoSolution, _) => "no helpmate of any length".to_owned(),
        (None, Status::Invalid, _) => "invalid".to_owned(),
        (None, ..) => {
            let known = refuted.map_or(String::new(), |n| format!("; none in {}", moves_or_fewer(n)));
            format!("undecided: no helpmate found{known}{reason}")
        }
    }
}

/// Returns an answer in words. `what` is the noun for a solution; `reason` says why the answer is undecided, if it is.
fn outcome_words(outcome: &Outcome, what: &str, reason: &str) -> String {
    let refuted = outcome.refuted_through.filter(|&n| n > 0);
    let (tables, proved) = if outcome.with_tables { (", with tables", " (proved with tables)") } else { ("", "") };
    match (outcome.status, outcome.length()) {
        (Status::Mated, Some(0)) => "mated in 0: the side to move is checkmated".to_owned(),
        (Status::Solved, Some(0)) if outcome.pv.as_ref().is_some_and(|pv| !pv.is_empty()) => {
            format!("{what} in 0: every move leads to it")
        }
        (Status::Solved, Some(0)) => format!("{what} in 0: it stands on the board"),
        (Status::Mate | Status::Mated | Status::Solved, Some(n)) => {
            let word = if outcome.status == Status::Mated { "mated" } else { what };
            match refuted {
                // There is no other length.
                _ if what == Goal::EXACT.noun() => format!("{word} in {n}"),
                _ if outcome.proved_shortest => format!("{word} in {n} (proved shortest{tables})"),
                Some(refuted) => format!("{word} in ≤ {n} (not in {refuted}{tables})"),
                None => format!("{word} in ≤ {n}"),
            }
        }
        (Status::NoMate | Status::NoSolution, _) if outcome.no_mate_at_all => format!("no {what} at all{proved}"),
        (Status::NoMate | Status::NoSolution, _) => {
            let refuted = outcome.refuted_through.unwrap_or_default();
            let longest = if refuted >= MateLength::MAX.0 {
                ", the longest that is looked for; whether there is a longer one is not known"
            } else {
                ""
            };
            format!("no {what} in {refuted}{proved}{longest}")
        }
        (Status::Stalemate, _) => "stalemate: the side to move has no move and is not in check".to_owned(),
        (Status::Invalid, _) => "invalid".to_owned(),
        _ => {
            let known = refuted.map_or(String::new(), |n| format!("; none in {}{tables}", moves_or_fewer(n)));
            format!("no {what} found{known}{reason}")
        }
    }
}

/// Returns the reason why a search ended without an answer, to be written after the verdict.
pub(super) fn reason(internal_failure: bool, stopped_by: Option<StoppedBy>) -> String {
    match stopped_by {
        _ if internal_failure => " (internal failure)".to_owned(),
        Some(limit) => format!(" ({})", limit.text()),
        None => String::new(),
    }
}

/// Writes a number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;
    use crate::problem::{Problem, ProblemError};

    fn solution(result: Outcome) -> Solution {
        Solution { result, ..Solution::of(&Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - -").unwrap()) }
    }

    #[test]
    fn every_kind_of_result_has_its_own_verdict() {
        let mate = Outcome { mate_in: Some(5), refuted_through: Some(4), ..Outcome::bare(Status::Mate) };
        let proved = Outcome { proved_shortest: true, ..mate.clone() };
        assert_eq!(verdict(&solution(proved.clone())), "mate in 5 (proved shortest)");
        let tables = Outcome { with_tables: true, ..proved };
        assert_eq!(verdict(&solution(tables)), "mate in 5 (proved shortest, with tables)");
        let loose = Outcome { refuted_through: Some(3), ..mate.clone() };
        assert_eq!(verdict(&solution(loose)), "mate in ≤ 5 (not in 3)");
        let mated = Outcome { status: Status::Mated, refuted_through: Some(0), ..mate };
        assert_eq!(verdict(&solution(mated)), "mated in ≤ 5");
        let none = Outcome { refuted_through: Some(3), ..Outcome::bare(Status::NoMate) };
        assert_eq!(verdict(&solution(none)), "no mate in 3");
        let at_all = Outcome { refuted_through: Some(1000), no_mate_at_all: true, ..Outcome::bare(Status::NoMate) };
        assert_eq!(verdict(&solution(at_all)), "no mate at all");
        let tables = Outcome { refuted_through: Some(3), with_tables: true, ..Outcome::bare(Status::NoMate) };
        assert_eq!(verdict(&solution(tables)), "no mate in 3 (proved with tables)");
        let open = Outcome { refuted_through: Some(2), ..Outcome::bare(Status::Undecided) };
        let mut open = solution(open);
        open.stats.stopped_by = Some(StoppedBy::Time);
        assert_eq!(verdict(&open), "no mate found; none in 2 moves or fewer (time limit reached)");
        let longer = Outcome { mate_in: Some(41), refuted_through: Some(15), ..Outcome::bare(Status::Mate) };
        let asked = |status, refuted| {
            let longer_mate = Some(Box::new(Outcome { refuted_through: Some(refuted), ..longer.clone() }));
            let goal = SidedStipulation::of(
                Stipulation::default().within(Some(crate::chess::MateLength(35))),
                shakmaty::Color::White,
            );
            let outcome = Outcome { refuted_through: Some(refuted), longer_mate, ..Outcome::bare(status) };
            verdict(&Solution { stipulation: Some(goal), ..solution(outcome) })
        };
        assert_eq!(asked(Status::Undecided, 15), "mate in ≤ 41, longer than the 35 asked; not in 15");
        assert_eq!(asked(Status::NoMate, 35), "no mate in 35; mate in ≤ 41 (not in 35)");
        let invalid = Solution::invalid(Some(3), &ProblemError::Text("x".to_owned()));
        assert_eq!(verdict(&invalid), "invalid");
    }

    #[test]
    fn every_goal_has_its_own_words() {
        let words = |text: &str, result: Outcome| {
            let question = SidedStipulation::of(Stipulation::parse_stated(text).unwrap(), shakmaty::Color::White);
            verdict(&Solution { stipulation: Some(question), ..solution(result) })
        };
        let solved = Outcome { solved_in: Some(3.into()), refuted_through: Some(2), ..Outcome::bare(Status::Solved) };
        let proved = Outcome { proved_shortest: true, ..solved.clone() };
        assert_eq!(words("s#3", proved.clone()), "selfmate in 3 (proved shortest)");
        assert_eq!(words("r#3", proved.clone()), "reflex mate in 3 (proved shortest)");
        assert_eq!(words("semi-r#", proved.clone()), "semi-reflex mate in 3 (proved shortest)");
        assert_eq!(words("=3", proved), "stalemate in 3 (proved shortest)");
        assert_eq!(words("s=9", solved), "self-stalemate in ≤ 3 (not in 2)");
        let none = Outcome { refuted_through: Some(3), ..Outcome::bare(Status::NoSolution) };
        assert_eq!(words("s#3", none.clone()), "no selfmate in 3");
        assert_eq!(words("=3", Outcome { no_mate_at_all: true, ..none }), "no stalemate at all");
        let open = Outcome { refuted_through: Some(2), ..Outcome::bare(Status::Undecided) };
        assert_eq!(words("r#3", open.clone()), "no reflex mate found; none in 2 moves or fewer");
        let question = SidedStipulation::of(Stipulation::parse_any("s#3").unwrap(), shakmaty::Color::White);
        let silent = Solution { stipulation: Some(question), ..solution(open) };
        assert_eq!(other_side(&silent), None, "--defend asks about mates");
    }

    #[test]
    fn without_a_mate_the_other_side_is_named() {
        let goal = SidedStipulation::of(Stipulation::default(), shakmaty::Color::Black);
        let of = |other_side: Option<Outcome>| {
            let none = solution(Outcome::bare(Status::Undecided));
            super::other_side(&Solution { other_side, stipulation: Some(goal), ..none })
                .map(|text| anstream::adapter::strip_str(&text).to_string())
        };
        assert_eq!(of(None).as_deref(), Some("to ask whether Black is mated, add --defend"));
        let open = Outcome { refuted_through: Some(1), ..Outcome::bare(Status::Undecided) };
        let expected = "Black is not mated in 1 move; --defend searches further";
        assert_eq!(of(Some(open)).as_deref(), Some(expected));
        let never = Outcome { no_mate_at_all: true, ..Outcome::bare(Status::NoMate) };
        assert_eq!(of(Some(never)).as_deref(), Some("Black is not mated either"));
        let line = Some("1... Ka8 2. Qa7#".to_owned());
        let mated = Outcome { mate_in: Some(1), proved_shortest: true, pv_san: line, ..Outcome::bare(Status::Mated) };
        let expected = "Black is mated in 1 (proved shortest)\n1... Ka8 2. Qa7#";
        assert_eq!(of(Some(mated)).as_deref(), Some(expected));
    }

    #[test]
    fn numbers_and_times_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([7, 999, 1000, 61_250].map(seconds), ["7 ms", "999 ms", "1.0 s", "61.2 s"]);
    }
}
