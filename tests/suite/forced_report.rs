//! Compares every statement of reports on selfmates, stalemates and reflex mates with the definition of the goal, on
//! generated positions. The definition uses shakmaty alone (`support/forced.rs`).

use std::collections::{BTreeSet, HashMap};

use matesolve::problem::Problem;
use matesolve::problem::olv::OlvEntry;
use matesolve::results::report::{Continuation, Next, Pass, PlayId, Ply, Report, ReportOptions, Soundness};
use matesolve::results::solution::Status;
use matesolve::{Solver, problem};
use matesolve_engine::chess::{Duty, Goal, MateLength, Side, Stipulation};
use matesolve_testkit::forced::{self, Forced};
use matesolve_testkit::helped::{passed, played};
use shakmaty::{Chess, Color, EnPassantMode, Move, Piece, Position as _, Square, fen::Fen};

/// The options for tries and set play.
fn all() -> ReportOptions {
    ReportOptions::default().with(|options| (options.tries, options.set_play) = (Some(1), true))
}

fn problem(chess: &Chess, stipulation: Stipulation) -> Problem {
    let fen = Fen::from_position(chess, EnPassantMode::Always);
    let problem = problem::Problem::read(&fen.to_string()).expect("generated positions can be read");
    problem.stipulated(stipulation)
}

fn reported(problem: &Problem, options: ReportOptions) -> Report {
    reported_by(&Solver::new(), problem, options)
}

fn reported_by(solver: &Solver, problem: &Problem, options: ReportOptions) -> Report {
    solver.report(problem, options)
}

/// The answers of the definition so far, by position and moves left.
type Known = HashMap<(Chess, u16), bool>;

/// Compares a report with the definition. Every method panics with the position if they differ.
struct Audit<'a> {
    report: &'a Report,
    question: Forced,
    known: &'a mut Known,
    place: String,
    /// The number of plays compared.
    plays: usize,
    /// The numbers of the plays with more than one continuation, each with its defence.
    duals: BTreeSet<(u32, String)>,
}

impl Audit<'_> {
    fn solves(&mut self, chess: &Chess, n: u16) -> bool {
        let question = self.question;
        *self.known.entry((chess.clone(), n)).or_insert_with(|| question.solves(chess, n))
    }

    fn shortest(&mut self, chess: &Chess, most: u16) -> Option<u16> {
        (self.question.least(most)..=most).find(|&n| self.solves(chess, n))
    }

    /// Compares two sets of moves; `name` is for messages.
    fn same(&self, name: &str, stated: &[&Ply], expected: &[Move]) {
        let code = |m: &Move| format!("{m:?}");
        let stated: BTreeSet<String> = stated.iter().map(|ply| code(&ply.mv)).collect();
        let expected: BTreeSet<String> = expected.iter().map(code).collect();
        assert_eq!(stated, expected, "{name} of the report on {}", self.place);
    }

    /// Returns the moves of the attacker that reach the goal within `n` moves.
    fn solving(&mut self, chess: &Chess, n: u16) -> Vec<Move> {
        chess.legal_moves().into_iter().filter(|&m| self.solves(&played(chess, m), n - 1)).collect()
    }

    /// Compares the stated moves of the attacker with all moves that reach the goal in `n`, and the play after them.
    fn continuations(&mut self, chess: &Chess, stated: &[Continuation], n: u16) {
        let expected = self.solving(chess, n);
        let plies: Vec<&Ply> = stated.iter().map(|continuation| &continuation.ply).collect();
        self.same("continuations", &plies, &expected);
        for continuation in stated {
            assert_eq!(continuation.mate_in, n);
            self.next(&played(chess, continuation.ply.mv), continuation.next, n - 1);
        }
    }

    /// Compares the play after a move of the attacker. `left` is the number of moves that the attacker has left.
    fn next(&mut self, chess: &Chess, next: Next, left: u16) {
        match next {
            Next::End(end) => {
                assert_eq!((end, left), (self.question.goal.end, 0), "{}", self.place);
                assert!(chess.legal_moves().is_empty() && self.solves(chess, 0), "{}", self.place);
            }
            Next::Play(id) => self.play(chess, id, left, &[]),
            Next::Cut => panic!("play is left out: {}", self.place),
        }
    }

    /// Returns the position after a pass of the defender, if he may pass.
    fn passed(&self, chess: &Chess, left: u16) -> Option<Chess> {
        let must_end = chess.legal_moves().iter().any(|&m| self.question.ends(chess, m));
        let may = !chess.is_check() && left > 0 && !(self.question.goal.duty != Duty::None && must_end);
        passed(chess).filter(|_| may)
    }

    /// Compares a play: threats, defences, continuations and last moves. `refutations` are those of a try.
    fn play(&mut self, chess: &Chess, id: PlayId, left: u16, refutations: &[Move]) {
        self.plays += 1;
        let report = self.report;
        let play = report.tree.play(id);
        assert_eq!((play.left, play.cut), (left, false), "{}", self.place);
        let passed = self.passed(chess, left);
        let threat = passed.as_ref().and_then(|passed| self.shortest(passed, left));
        match (&play.pass, &passed, threat) {
            (Pass::Impossible, None, _) | (Pass::Zugzwang, Some(_), None) => {}
            (Pass::Threats(threats), Some(passed), Some(n)) => self.continuations(passed, threats, n),
            (pass, ..) => panic!("{pass:?} after a pass in {}", self.place),
        }
        let replies = self.question.replies(chess);
        let answered: Vec<Move> = replies.into_iter().filter(|m| !refutations.contains(m)).collect();
        let lengths: Vec<u16> = answered
            .iter()
            .map(|&m| self.shortest(&played(chess, m), left).expect("every defence is answered"))
            .collect();
        let all_end = lengths.iter().all(|&n| n == 0);
        let (mut shown, mut unshown) = (Vec::new(), 0);
        for (&m, &n) in answered.iter().zip(&lengths) {
            let after = played(chess, m);
            let meets = match threat {
                _ if n == 0 => all_end,
                Some(t) => n > t || (n == t && self.a_threat_fails(play.threats(), &after, t)),
                None => true,
            };
            if meets { shown.push(m) } else { unshown += 1 }
        }
        let plies: Vec<&Ply> = play.variations.iter().map(|variation| &variation.defence).collect();
        self.same("defences", &plies, &shown);
        let longest = lengths.iter().max().copied().filter(|_| refutations.is_empty());
        assert_eq!((play.unshown, play.mate_in), (unshown, longest), "{}", self.place);
        for variation in &play.variations {
            let after = played(chess, variation.defence.mv);
            let n = self.shortest(&after, left);
            assert_eq!(n, Some(variation.mate_in), "{}", self.place);
            assert_eq!(variation.end, (n == Some(0)).then_some(self.question.goal.end), "{}", self.place);
            if n == Some(0) {
                assert!(variation.continuations.is_empty() && after.legal_moves().is_empty(), "{}", self.place);
                continue;
            }
            if variation.continuations.len() > 1 && refutations.is_empty() {
                self.duals.insert((id.0, variation.defence.uci.clone()));
            }
            self.continuations(&after, &variation.continuations, variation.mate_in);
        }
    }

    /// Returns whether a defence prevents one of the threats, which reach the goal in `n` moves.
    fn a_threat_fails(&mut self, threats: &[Continuation], after: &Chess, n: u16) -> bool {
        threats.iter().any(|threat| {
            // A threat that would now capture is still the same move.
            let same = |m: &&Move| (m.from(), m.to(), m.role(), m.promotion()) == parts(threat.ply.mv);
            let still = after.legal_moves().iter().find(same).copied();
            !still.is_some_and(|m| self.solves(&played(after, m), n - 1))
        })
    }
}

fn parts(m: Move) -> (Option<shakmaty::Square>, shakmaty::Square, shakmaty::Role, Option<shakmaty::Role>) {
    (m.from(), m.to(), m.role(), m.promotion())
}

/// Compares a whole report. Returns the number of plays compared.
fn audit(chess: &Chess, goal: Goal, moves: u16, report: &Report, known: &mut Known) -> usize {
    let question = Forced { goal, attacker: chess.turn() };
    let place = format!("{} {goal:?} in {moves}", Fen::from_position(chess, EnPassantMode::Always));
    let mut audit = Audit { report, question, known, place, plays: 0, duals: BTreeSet::new() };
    let ends: Vec<Move> = chess.legal_moves().into_iter().filter(|&m| question.ends(chess, m)).collect();
    let must_mate = if goal.duty == Duty::Both { ends } else { Vec::new() };
    audit.same("mates at once", &report.must_mate.iter().collect::<Vec<_>>(), &must_mate);
    let shortest = audit.shortest(chess, moves);
    assert_eq!(report.verdict.mate_in, shortest, "{}", audit.place);
    let status = match (goal.is_mate(), shortest.is_some()) {
        (true, true) => Status::Mate,
        (true, false) => Status::NoMate,
        (false, true) => Status::Solved,
        (false, false) => Status::NoSolution,
    };
    assert_eq!(report.verdict.status, status, "{}", audit.place);
    let keys = if must_mate.is_empty() { audit.solving(chess, moves) } else { Vec::new() };
    audit.same("keys", &report.keys.iter().map(|key| &key.ply).collect::<Vec<_>>(), &keys);
    for key in &report.keys {
        let after = played(chess, key.ply.mv);
        assert_eq!(audit.shortest(&after, moves - 1).map(|n| n + 1), Some(key.mate_in), "{}", audit.place);
        audit.next(&after, key.next, key.mate_in - 1);
    }
    assert_eq!(report.duals.len(), audit.duals.len(), "duals of the report on {}", audit.place);
    if must_mate.is_empty() {
        tries(&mut audit, chess, moves, &keys);
        set_play(&mut audit, chess, moves);
    }
    audit.plays
}

/// Compares the tries with one refutation.
fn tries(audit: &mut Audit<'_>, chess: &Chess, moves: u16, keys: &[Move]) {
    let report = audit.report;
    let has_moves = moves > 1 || audit.question.goal.is_self();
    let mut tries = 0;
    for m in chess.legal_moves().into_iter().filter(|m| !keys.contains(m)) {
        let after = played(chess, m);
        let replies = audit.question.replies(&after);
        let refuting: Vec<Move> =
            replies.into_iter().filter(|&reply| !audit.solves(&played(&after, reply), moves - 1)).collect();
        if !has_moves || refuting.len() != 1 {
            continue;
        }
        tries += 1;
        let stated = report.tries.iter().flatten().find(|attempt| attempt.ply.mv == m);
        let stated = stated.unwrap_or_else(|| panic!("the try {m:?} is missing: {}", audit.place));
        audit.same("refutations", &stated.refutations.iter().collect::<Vec<_>>(), &refuting);
        let Next::Play(id) = stated.next else { panic!("a try is followed by play: {}", audit.place) };
        audit.play(&after, id, moves - 1, &refuting);
    }
    assert_eq!(report.tries.as_ref().map(Vec::len), Some(tries), "{}", audit.place);
}

/// Compares the set play. In selfmates it is there only if it answers every move of the defender.
fn set_play(audit: &mut Audit<'_>, chess: &Chess, moves: u16) {
    let report = audit.report;
    let is_self = audit.question.goal.is_self();
    let passed = passed(chess);
    let passed = passed.filter(|passed| (moves > 1 || is_self) && !passed.legal_moves().is_empty());
    let Some(passed) = passed else { return assert!(report.set_play.is_none(), "{}", audit.place) };
    let replies = audit.question.replies(&passed);
    let lengths: Vec<Option<u16>> = replies.iter().map(|&m| audit.shortest(&played(&passed, m), moves - 1)).collect();
    let complete = lengths.iter().all(Option::is_some);
    assert_eq!(report.set_play.is_some(), complete || !is_self, "{}", audit.place);
    let Some(set) = report.set_play else { return };
    assert_eq!(set.complete, complete, "{}", audit.place);
    let all_end = lengths.iter().flatten().all(|&n| n == 0);
    let answered = replies.iter().zip(&lengths).filter(|(_, n)| n.is_some_and(|n| n > 0 || all_end));
    let answered: Vec<Move> = answered.map(|(&m, _)| m).collect();
    let play = report.tree.play(set.play);
    audit.same("set play", &play.variations.iter().map(|variation| &variation.defence).collect::<Vec<_>>(), &answered);
    for variation in &play.variations {
        let after = played(&passed, variation.defence.mv);
        if variation.mate_in > 0 {
            audit.continuations(&after, &variation.continuations, variation.mate_in);
        }
    }
}

/// The contents of a series of comparisons.
#[derive(Debug, Default)]
struct Counts {
    /// The positions of which all reports were compared.
    positions: usize,
    /// Those that have a solution.
    solved: usize,
    /// Those that have a try.
    tried: usize,
    /// The plays of these positions.
    plays: usize,
    /// The reports with a small memory that are complete, and were compared too.
    small: usize,
}

/// A memory of this size, in bytes, holds the proofs of most positions here, but few of the positions that are
/// searched.
const SMALL: usize = 24 << 10;

/// Compares reports on `count` positions of a goal: on one thread, on two, and of one in ten with a table that
/// overflows.
fn compare(goal: Goal, first_seed: u64, count: usize) -> Counts {
    let mut counts = Counts::default();
    for seed in first_seed.. {
        if counts.positions == count {
            break;
        }
        let Some(chess) = forced::position(seed, goal).filter(|chess| !chess.legal_moves().is_empty()) else {
            continue;
        };
        let moves = match (seed % 3, chess.board().occupied().count()) {
            (0, _) => 1,
            // The definition plays every line, which takes long with many men.
            (1, ..=5) => 3,
            _ => 2,
        };
        let problem = problem(&chess, Stipulation::forced(goal, Side::Attacker, Some(MateLength(moves))));
        let report = reported(&problem, all());
        let tries = report.tries.iter().flatten().count();
        // Positions with many keys take long to compare and show little; of those without a solution few are enough.
        if report.keys.len() > 4 || (report.keys.is_empty() && tries == 0 && seed % 8 != 0) {
            continue;
        }
        let mut known = Known::new();
        counts.plays += audit(&chess, goal, moves, &report, &mut known);
        audit(&chess, goal, moves, &reported_by(&Solver::new().threads(2), &problem, all()), &mut known);
        if counts.positions % 10 == 0 {
            let report = reported_by(&Solver::new().threads(2).hash(SMALL), &problem, all());
            if report.verdict.complete {
                audit(&chess, goal, moves, &report, &mut known);
                counts.small += 1;
            }
        }
        counts.positions += 1;
        counts.solved += usize::from(!report.keys.is_empty());
        counts.tried += usize::from(tries > 0);
    }
    println!("{goal:?}: {counts:?}");
    counts
}

/// Compares reports of a goal and checks that they show something.
fn every_statement_is_true(goal: Goal, first_seed: u64, count: usize) {
    let counts = compare(goal, first_seed, count);
    // Compelled stalemates are rare.
    let part = if goal == Goal::SELF_STALEMATE { 100 } else { 10 };
    assert!(
        counts.solved >= count / part && counts.tried >= count / part && counts.plays >= count / part,
        "{counts:?}"
    );
    assert!(counts.small >= count / 20, "too many reports with a small memory are incomplete: {counts:?}");
}

#[test]
fn every_statement_about_generated_positions_is_true() {
    for goal in Goal::ALL.into_iter().skip(1) {
        every_statement_is_true(goal, 40_000_000, 20);
    }
}

/// 2,000 positions of each goal, one goal on each thread of the tests:
/// `cargo test --release --test suite forced_report:: -- --ignored --nocapture`.
mod many {
    use super::{Goal, every_statement_is_true};

    #[test]
    #[ignore = "takes minutes"]
    fn exact_mates() {
        every_statement_is_true(Goal::EXACT, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn stalemates() {
        every_statement_is_true(Goal::STALEMATE, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn selfmates() {
        every_statement_is_true(Goal::SELFMATE, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn self_stalemates() {
        every_statement_is_true(Goal::SELF_STALEMATE, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn semi_reflex_mates() {
        every_statement_is_true(Goal::SEMI_REFLEX, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn reflex_mates() {
        every_statement_is_true(Goal::REFLEX, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn semi_reflex_stalemates() {
        every_statement_is_true(Goal::SEMI_REFLEX_STALEMATE, 50_000_000, 2_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn reflex_stalemates() {
        every_statement_is_true(Goal::REFLEX_STALEMATE, 50_000_000, 2_000);
    }
}

/// Returns the problem with both sides, or with the other side alone, in the ways in which collections state them.
fn duplexes(chess: &Chess, stipulation: Stipulation) -> [Problem; 2] {
    let fen = Fen::from_position(chess, EnPassantMode::Always);
    let both = format!("{{\"fen\":\"{fen}\",\"stipulation\":\"{stipulation}\",\"duplex\":true}}");
    let men = |color| {
        let on = |(square, piece): (Square, Piece)| format!("{}{square}", piece.role.upper_char()).replace('N', "S");
        let men: Vec<String> =
            chess.board().clone().into_iter().filter(|(_, piece)| piece.color == color).map(on).collect();
        men.join(", ")
    };
    let (white, black) = (men(Color::White), men(Color::Black));
    let half = format!(
        "algebraic: {{white: [{white}], black: [{black}]}}\nstipulation: '{stipulation}'\noptions: [HalfDuplex]\n"
    );
    [Problem::read(&both).unwrap(), OlvEntry::read(&half, 1).unwrap().problem]
}

#[test]
fn both_halves_of_a_duplex_are_solved_and_reported_as_the_definition_says() {
    for goal in Goal::ALL {
        let mut counts = [0, 0];
        for seed in 45_000_000.. {
            // Black solves the position that is made for him; White has the same men.
            let other = forced::position(seed, goal).filter(|other| other.turn().is_black() && !other.castles().any());
            let Some(other) = other.filter(|other| other.ep_square(EnPassantMode::Always).is_none()) else { continue };
            let Some(chess) = passed(&other).filter(|chess| !chess.legal_moves().is_empty()) else { continue };
            let moves = if seed % 3 == 0 { 2 } else { 1 };
            let stipulation = Stipulation::forced(goal, Side::Attacker, Some(MateLength(moves)));
            let question = Forced { goal, attacker: Color::Black };
            let shortest = question.shortest(&other, moves);
            if other.legal_moves().is_empty() || (shortest.is_none() && seed % 8 != 0) {
                continue;
            }
            let [both, half] = duplexes(&chess, stipulation);
            let solved = Solver::new().solve(&half);
            assert_eq!(solved.result.length(), shortest, "{goal:?} {}", half.fen);
            let report = reported(&both, all());
            assert_eq!(report.phases.len(), 2, "{}", both.fen);
            let single = reported(&half, all());
            for (report, chess) in [(&report.phases[0], &chess), (&report.phases[1], &other), (&single, &other)] {
                assert_eq!(report.stipulation.unwrap().attacker, chess.turn());
                audit(chess, goal, moves, report, &mut Known::new());
            }
            counts[usize::from(shortest.is_some())] += 1;
            // Compelled stalemates are rare.
            if counts[1] >= 6 || counts[0] >= 30 {
                break;
            }
        }
        println!("{goal:?}: {counts:?}");
        assert!(counts[1] > 0, "{goal:?}: {counts:?}");
    }
}

#[test]
fn a_diagram_in_which_the_attacker_must_mate_is_answered_by_that_mate() {
    let reflex = Stipulation::forced(Goal::REFLEX, Side::Attacker, Some(MateLength(2)));
    let problem = Problem::read("7k/8/5KQ1/8/8/8/8/8 w - -").unwrap().stipulated(reflex);
    let report = reported(&problem, all());
    let mates: Vec<&str> = report.must_mate.iter().map(|ply| ply.san.as_str()).collect();
    assert_eq!(mates, ["Qg7#"]);
    assert_eq!((report.verdict.soundness, report.verdict.status), (Soundness::NoSolution, Status::NoSolution));
    assert!(report.keys.is_empty() && report.verdict.complete);
}

#[test]
fn the_play_after_the_key_of_a_selfmate_is_the_same() {
    // A key: the queen forces the pawn to take it and mate.
    for seed in 60_000_000.. {
        let Some(chess) = forced::position(seed, Goal::SELFMATE) else { continue };
        let selfmate = |begins, n| Stipulation::forced(Goal::SELFMATE, begins, Some(MateLength(n)));
        let whole = reported(&problem(&chess, selfmate(Side::Attacker, 2)), ReportOptions::default());
        let Some(key) = whole.keys.first().filter(|key| key.mate_in == 2) else { continue };
        let after = played(&chess, key.ply.mv);
        let rest = reported(&problem(&after, selfmate(Side::Defender, 1)), ReportOptions::default());
        let Next::Play(id) = key.next else { panic!("play follows the key") };
        let (stated, again) = (whole.tree.play(id), rest.tree.play(rest.post_key.unwrap()));
        assert_eq!((&stated.pass, stated.variations.len()), (&again.pass, again.variations.len()));
        assert_eq!((rest.verdict.status, rest.verdict.soundness), (Status::Solved, Soundness::Sound));
        break;
    }
}
