//! Compares every statement of reports on generated positions with the reference.

use std::collections::BTreeSet;

use matesolve::Solver;
use matesolve::problem::Problem;
use matesolve::report::{NoObserver, ReportRequest};
use matesolve::results::report::{
    Continuation, Dual, DualKind, Extent, Next, Pass, PlayId, Ply, Report, ReportOptions, Severity, Soundness,
};
use matesolve::results::solution::{Status, StoppedBy};
use matesolve_engine::chess::{Move, NodeKind, Position};
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::random::Random;
use matesolve_testkit::reference::Reference;
use matesolve_testkit::suites::{Claim, problems};
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

/// The options for tries and set play.
fn all() -> ReportOptions {
    ReportOptions::default().with(|options| (options.tries, options.set_play) = (Some(1), true))
}

fn problem(chess: &Chess, moves: u16) -> Problem {
    let fen = Fen::from_position(chess, EnPassantMode::Always);
    Problem::read(&format!("{fen} dm {moves};")).expect("generated positions can be read")
}

fn reported(problem: &Problem, options: ReportOptions) -> Report {
    Solver::new().report(problem, options)
}

/// Compares a report with the reference. Every method panics with the position if they differ.
struct Audit<'a> {
    report: &'a Report,
    reference: Reference,
    fen: String,
    /// The number of plays compared.
    plays: usize,
}

impl Audit<'_> {
    fn mated(&mut self, position: &Position, n: u16) -> bool {
        self.reference.mated(position, n).expect("the budget is large")
    }

    fn shortest(&mut self, position: &Position, max: u16) -> Option<u16> {
        self.reference.shortest(position, NodeKind::Or, max).expect("the budget is large")
    }

    /// Compares two sets of moves; `name` is for messages.
    fn same(&self, name: &str, position: &Position, stated: &[&Ply], expected: &[Move]) {
        let code = |m: Move| format!("{:?}", m.code());
        let stated: BTreeSet<String> = stated.iter().map(|ply| code(legal_move(position, ply))).collect();
        let expected: BTreeSet<String> = expected.iter().map(|&m| code(m)).collect();
        assert_eq!(stated, expected, "{name} in {} of the report on {}", position.fen(), self.fen);
    }

    /// Returns the moves that mate within `n` moves.
    fn mating(&mut self, position: &Position, n: u16) -> Vec<Move> {
        position.legal_moves().into_iter().filter(|&m| self.mated(&position.play(m), n - 1)).collect()
    }

    /// Compares the stated moves of the attacker with all moves that mate in `n`, and the play after them.
    fn continuations(&mut self, position: &Position, stated: &[Continuation], n: u16) {
        let expected = self.mating(position, n);
        let plies: Vec<&Ply> = stated.iter().map(|continuation| &continuation.ply).collect();
        self.same("continuations", position, &plies, &expected);
        for continuation in stated {
            assert_eq!(continuation.mate_in, n);
            let after = position.play(legal_move(position, &continuation.ply));
            self.next(&after, continuation.next, n - 1);
        }
    }

    /// Compares the play after a move of the attacker. `left` is the number of moves that the attacker has left.
    fn next(&mut self, position: &Position, next: Next, left: u16) {
        match next {
            Next::End(_) => assert!(position.is_checkmate() && left == 0, "{}", self.fen),
            Next::Play(id) => self.play(position, id, left, &[]),
            Next::Cut => panic!("play is left out: {}", self.fen),
        }
    }

    /// Compares a play: threats, defences and continuations. `refutations` are the refutations of a try.
    fn play(&mut self, position: &Position, id: PlayId, left: u16, refutations: &[Move]) {
        self.plays += 1;
        let play = self.report.tree.play(id).clone();
        assert_eq!((play.left, play.cut), (left, false));
        let passed = position.pass();
        let threat = passed.and_then(|passed| self.shortest(&passed, left));
        match (&play.pass, passed, threat) {
            (Pass::Impossible, None, _) | (Pass::Zugzwang, Some(_), None) => {}
            (Pass::Threats(threats), Some(passed), Some(n)) => self.continuations(&passed, threats, n),
            (pass, ..) => panic!("{pass:?} after a pass in {}: {}", position.fen(), self.fen),
        }
        let (mut shown, mut unshown, mut longest) = (Vec::new(), 0, 0);
        for m in position.legal_moves().into_iter().filter(|m| !refutations.contains(m)) {
            let after = position.play(m);
            let n = self.shortest(&after, left).expect("every defence is answered");
            longest = longest.max(n);
            let meets = threat
                .is_none_or(|t| n > t || (n == t && self.a_threat_fails(play.threats(), passed.as_ref(), &after, t)));
            if meets { shown.push(m) } else { unshown += 1 }
        }
        let plies: Vec<&Ply> = play.variations.iter().map(|variation| &variation.defence).collect();
        self.same("defences", position, &plies, &shown);
        assert_eq!((play.unshown, play.mate_in), (unshown, refutations.is_empty().then_some(longest)), "{}", self.fen);
        for variation in &play.variations {
            let after = position.play(legal_move(position, &variation.defence));
            assert_eq!(self.shortest(&after, left), Some(variation.mate_in));
            self.continuations(&after, &variation.continuations, variation.mate_in);
        }
    }

    /// Returns whether a defence prevents one of the threats, which mate in `n` moves.
    fn a_threat_fails(
        &mut self,
        threats: &[Continuation],
        passed: Option<&Position>,
        after: &Position,
        n: u16,
    ) -> bool {
        let Some(passed) = passed else { return false };
        threats.iter().any(|threat| {
            let threatened = legal_move(passed, &threat.ply);
            let still = after
                .legal_moves()
                .into_iter()
                .find(|m| m.code() == threatened.code() && m.role() == threatened.role());
            !still.is_some_and(|m| self.mated(&after.play(m), n - 1))
        })
    }
}

/// Returns the legal move that a report states; panics if it is not legal.
fn legal_move(position: &Position, ply: &Ply) -> Move {
    let chess = position.to_chess();
    let mode = CastlingMode::Chess960;
    let uci = ply.mv.to_uci(mode);
    assert_eq!(uci.to_move(&chess).ok(), Some(ply.mv), "{} in {}", ply.uci, position.fen());
    position
        .legal_moves()
        .into_iter()
        .find(|m| {
            let from_to = (Some(m.from()), m.promotion()) == (ply.mv.from(), ply.mv.promotion());
            let target = match ply.mv {
                shakmaty::Move::Castle { rook, .. } => rook,
                other => other.to(),
            };
            from_to && m.to() == target
        })
        .expect("stated moves are legal")
}

/// Compares a whole report. Returns the number of plays compared.
fn audit(chess: &Chess, moves: u16, report: &Report, budget: u64) -> usize {
    let root = Position::from_chess(chess);
    let mut audit = Audit { report, reference: Reference::new(budget), fen: root.fen(), plays: 0 };
    let shortest = audit.shortest(&root, moves);
    assert_eq!(report.verdict.mate_in, shortest, "{}", audit.fen);
    let keys = audit.mating(&root, moves);
    let plies: Vec<&Ply> = report.keys.iter().map(|key| &key.ply).collect();
    audit.same("keys", &root, &plies, &keys);
    for key in &report.keys {
        let after = root.play(legal_move(&root, &key.ply));
        assert!(audit.mated(&after, key.mate_in - 1));
        assert!(key.mate_in == 1 || !audit.mated(&after, key.mate_in - 2));
        audit.next(&after, key.next, key.mate_in - 1);
    }
    let mut tries = Vec::new();
    for m in root.legal_moves().into_iter().filter(|m| !keys.contains(m)) {
        let after = root.play(m);
        let all = after.legal_moves();
        let refuting: Vec<Move> =
            all.iter().copied().filter(|&reply| audit.shortest(&after.play(reply), moves - 1).is_none()).collect();
        if moves > 1 && refuting.len() == 1 {
            tries.push(m);
            let stated = report.tries.iter().flatten().find(|attempt| legal_move(&root, &attempt.ply) == m);
            let stated = stated.unwrap_or_else(|| panic!("the try {m:?} is missing: {}", audit.fen));
            let plies: Vec<&Ply> = stated.refutations.iter().collect();
            audit.same("refutations", &after, &plies, &refuting);
            let Next::Play(id) = stated.next else { panic!("a try is followed by play: {}", audit.fen) };
            audit.play(&after, id, moves - 1, &refuting);
        }
    }
    assert_eq!(report.tries.as_ref().map(Vec::len), Some(tries.len()), "{}", audit.fen);
    set_play(&mut audit, &root, moves);
    audit.plays
}

/// Compares the set play.
fn set_play(audit: &mut Audit, root: &Position, moves: u16) {
    let expected = root.pass().filter(|passed| moves > 1 && passed.has_move());
    assert_eq!(audit.report.set_play.is_some(), expected.is_some(), "{}", audit.fen);
    let (Some(set), Some(passed)) = (audit.report.set_play, expected) else { return };
    let play = audit.report.tree.play(set.play).clone();
    let replied: Vec<Move> =
        passed.legal_moves().into_iter().filter(|&m| audit.shortest(&passed.play(m), moves - 1).is_some()).collect();
    let plies: Vec<&Ply> = play.variations.iter().map(|variation| &variation.defence).collect();
    audit.same("set play", &passed, &plies, &replied);
    assert_eq!(set.complete, replied.len() == passed.legal_moves().len());
    for variation in &play.variations {
        let after = passed.play(legal_move(&passed, &variation.defence));
        audit.continuations(&after, &variation.continuations, variation.mate_in);
    }
}

#[test]
fn every_statement_about_generated_positions_is_true() {
    let (mut audited, mut plays, mut sound, mut tries) = (0, 0, 0, 0);
    let themes = [Theme::Any, Theme::Castling, Theme::Castling960, Theme::EnPassant, Theme::Promotion, Theme::Blocked];
    for seed in 0..4000 {
        let mut random = Random(91_000_000 + seed);
        let (men, theme) = (5 + random.below(7), random.pick(&themes));
        let Some(chess) = generator::placement(&mut random, men, theme) else { continue };
        let chess = if random.one_in(2) { generator::colors_flipped(&chess) } else { chess };
        let moves = if random.one_in(4) { 3 } else { 2 };
        let report = reported(&problem(&chess, moves), all());
        // Positions with many keys take long to compare and show little.
        if report.keys.is_empty() || report.keys.len() > 4 {
            continue;
        }
        audited += 1;
        sound += usize::from(report.verdict.soundness == Soundness::Sound);
        tries += report.tries.iter().flatten().count();
        plays += audit(&chess, moves, &report, 3_000_000);
    }
    println!("{audited} reports, {sound} sound, {tries} tries, {plays} plays");
    assert!(audited > 100 && sound > 20 && tries > 50 && plays > 400, "{audited} {sound} {tries} {plays}");
}

#[test]
fn the_verdicts_on_the_suites_are_as_their_lines_claim() {
    let mut reports = 0;
    for problem in problems() {
        let (moves, soundness, mates) = match problem.claim {
            Claim::Mate(n) => (n, None, Some(n)),
            Claim::Cooked(n) => (n, Some(Soundness::Cooked), Some(n)),
            Claim::Short { stipulated, mates } => (stipulated, Some(Soundness::ShortSolution), Some(mates)),
            Claim::NoSolution(n) | Claim::NoMate(n) => (n, Some(Soundness::NoSolution), None),
            Claim::Mated(_) => continue,
        };
        if moves > 4 {
            continue;
        }
        let line = format!("{} dm {moves};", problem.fen);
        let report = reported(&Problem::read(&line).unwrap(), ReportOptions::default());
        let soundness = soundness.unwrap_or(if report.keys.len() == 1 { Soundness::Sound } else { Soundness::Cooked });
        assert_eq!((report.verdict.soundness, report.verdict.mate_in), (soundness, mates), "{}", problem.place);
        if let Some(keys) = &problem.keys {
            let mut found: Vec<&str> = report.keys.iter().map(|key| key.ply.san.as_str()).collect();
            found.sort_unstable();
            assert_eq!(&found, keys, "{}", problem.place);
        }
        reports += 1;
    }
    println!("{reports} problems");
    assert!(reports > 150, "{reports}");
}

#[test]
fn the_report_after_the_key_contains_the_same_play() {
    // Prinz 1951: the position after 1. Rh6.
    let after = Problem::read("5Kbk/6pp/6PR/8/8/8/8/8 b - - dm 2;").unwrap();
    let whole = reported(&Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap(), ReportOptions::default());
    let rest = reported(&after, ReportOptions::default().with(|options| options.post_key = true));
    let Next::Play(played) = whole.keys[0].next else { panic!("the key is followed by play") };
    assert_eq!(whole.tree.play(played), rest.tree.play(rest.post_key.unwrap()));
    assert_eq!((rest.verdict.status, rest.verdict.soundness), (Status::Mated, Soundness::Sound));
    // `#-1` means the same as `#2` after the key.
    let negative = reported(&Problem::read("5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-1;").unwrap(), ReportOptions::default());
    assert_eq!(negative.tree, rest.tree);
    let short = reported(&Problem::read("5Kbk/6pp/6PR/8/8/8/8/8 b - - bm #-2;").unwrap(), ReportOptions::default());
    assert_eq!(short.verdict.soundness, Soundness::ShortSolution);
}

#[test]
fn intended_keys_and_numbers_of_solutions_change_the_verdict() {
    let report_on = |operations: &str, intended| {
        let line = format!("8/8/7k/8/6K1/8/8/5QR1 w - - dm 2; intended {intended}; {operations}");
        reported(&Problem::read(&line).unwrap(), ReportOptions::default())
    };
    let plain = report_on("", 1);
    let sans: Vec<&str> = plain.keys.iter().map(|key| key.ply.san.as_str()).collect();
    assert!(sans.len() > 1, "{sans:?}");
    assert_eq!((plain.verdict.soundness, plain.verdict.cooks.len()), (Soundness::Cooked, sans.len()));
    assert_eq!(report_on("", sans.len() as u16).verdict.soundness, Soundness::Sound);
    assert_eq!(report_on("", sans.len() as u16 + 1).verdict.soundness, Soundness::NoSolution);
    let named = report_on(&format!("bm {};", sans[0]), 1);
    let cooks: Vec<&str> = named.verdict.cooks.iter().map(|ply| ply.san.as_str()).collect();
    assert_eq!((named.verdict.soundness, cooks), (Soundness::Cooked, sans[1..].to_vec()));
    assert_eq!(named.keys[0].intended, Some(true));
}

#[test]
fn a_node_limit_gives_an_incomplete_but_correct_report() {
    let love_chase = Problem::read("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - dm 3;").unwrap();
    let whole = reported(&love_chase, all());
    let mut statuses = BTreeSet::new();
    for nodes in (0..whole.stats.nodes).step_by(97) {
        let limited = Solver::new().nodes(nodes).report(&love_chase, all());
        assert_eq!(limited.stats.stopped_by, Some(StoppedBy::Nodes), "{nodes}");
        assert!(!limited.verdict.complete && limited.stats.nodes <= nodes);
        // All statements are the same as without a limit. The verdict is "sound" only if all first moves were examined.
        assert!(limited.verdict.mate_in.is_none_or(|n| n == 3));
        assert!(limited.keys.iter().all(|key| key.ply == whole.keys[0].ply));
        statuses.insert(format!("{:?} {:?}", limited.verdict.status, limited.verdict.soundness));
    }
    let expected = ["Mate Sound", "Mate Undecided", "Undecided Undecided"];
    assert_eq!(statuses.into_iter().collect::<Vec<_>>(), expected);
}

/// Nearly every first move of this position is a key. All first moves are decided in one round; then the proofs of the
/// keys take nodes of their own.
#[test]
fn a_limit_during_the_proof_of_a_key_loses_no_refutation() {
    let problem = Problem::read("6k1/8/5K2/8/8/8/1Q6/R7 w - - dm 3;").unwrap();
    let limited = |nodes| Solver::new().nodes(nodes).report(&problem, ReportOptions::default());
    let reports: Vec<Report> = (300..1_000).step_by(3).map(limited).collect();
    // The first key comes from the search of the diagram, the second one after the round.
    let after_round = reports.iter().filter(|report| report.keys.len() > 1);
    assert!(after_round.clone().any(|report| report.first_moves.open.len() > 10));
    for report in after_round {
        assert_eq!(report.first_moves.refuted, 2, "{} nodes", report.stats.nodes);
    }
    assert!(reports.is_sorted_by(|a, b| a.first_moves.open.len() >= b.first_moves.open.len()));
}

#[test]
fn a_tree_of_limited_size_is_cut_and_marked() {
    let love_chase = Problem::read("5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - dm 3;").unwrap();
    let whole = reported(&love_chase, ReportOptions::default());
    assert!(!whole.verdict.truncated && whole.tree.plays().iter().all(|play| !play.cut));
    for max_tree_nodes in 1..whole.tree.plays().len() {
        let cut =
            reported(&love_chase, ReportOptions::default().with(|options| options.max_tree_nodes = max_tree_nodes));
        assert!(cut.verdict.truncated && cut.tree.plays().len() == max_tree_nodes);
        assert_eq!(cut.verdict.soundness, Soundness::Sound);
        let Next::Play(root) = cut.keys[0].next else { panic!("the first play is missing") };
        assert!(cut.tree.play(root).cut);
    }
}

/// Writes a dual: `Rxd3 Kc1: Rd4 Rd5`.
fn written(dual: &Dual) -> String {
    let sans = |plies: &[Ply]| plies.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>().join(" ");
    format!("{}: {}", sans(&dual.line), sans(&dual.moves))
}

#[test]
fn duals_are_found_with_kind_and_severity() {
    let duals = |line: &str| -> Vec<(String, DualKind, Severity)> {
        let duals = reported(&Problem::read(line).unwrap(), ReportOptions::default()).duals;
        duals.iter().map(|dual| (written(dual), dual.kind, dual.severity)).collect()
    };
    assert_eq!(
        duals("5R2/1P1kP3/8/1P6/p2K4/8/8/8 w - - dm 2;"),
        [
            ("e8=Q+ Kc7: b8=Q# Qc6#".to_owned(), DualKind::MatingMove, Severity::Major),
            ("e8=Q+ Kd6: b8=B# b8=Q#".to_owned(), DualKind::Promotion, Severity::Minor)
        ]
    );
    assert_eq!(
        duals("8/8/8/3NN3/1n3Q2/k7/6K1/8 w - - dm 3;"),
        [
            ("Qxb4+ Ka2: Nc3+ Nc4 Nd3".to_owned(), DualKind::Continuation, Severity::Major),
            ("Qxb4+ Ka2 Nc3+ Ka1: Qa3# Qb1#".to_owned(), DualKind::MatingMove, Severity::Minor)
        ]
    );
}

#[test]
fn the_duals_of_the_suites_are_found() {
    let mut dualed = 0;
    for problem in problems() {
        let Some(expected) = problem.comment.strip_prefix("dualed: ") else { continue };
        let Claim::Mate(moves) = problem.claim else { panic!("{}: no dm", problem.place) };
        let report =
            reported(&Problem::read(&format!("{} dm {moves};", problem.fen)).unwrap(), ReportOptions::default());
        let majors = report.duals.iter().filter(|dual| dual.severity == Severity::Major);
        assert_eq!(majors.map(written).collect::<Vec<_>>().join(", "), expected, "{}", problem.place);
        assert_eq!(report.verdict.soundness, Soundness::Sound, "{}", problem.place);
        dualed += 1;
    }
    assert!(dualed >= 4, "{dualed}");
}

#[test]
fn parts_of_a_report_can_be_left_out() {
    let prinz = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 3;").unwrap();
    let play_of = |report: &Report| match report.keys.iter().find(|key| key.ply.san == "Rh6").unwrap().next {
        Next::Play(play) => Some(report.tree.play(play).clone()),
        _ => None,
    };
    let first_moves = all().with(|options| options.extent = Extent::FirstMoves);
    let report = reported(&prinz, first_moves);
    assert!(play_of(&report).is_none() && report.verdict.complete && report.set_play.is_some());
    let tries = |report: &Report| report.tries.iter().flatten().map(|it| it.ply.san.clone()).collect::<Vec<_>>();
    assert_eq!(tries(&report), tries(&reported(&prinz, all())));
    // The key mates in two moves of three.
    let play = play_of(&reported(&prinz, all())).unwrap();
    assert_eq!((play.left, play.pass), (1, Pass::Zugzwang));
    let full = play_of(&reported(&prinz, all().with(|options| options.full_length = true))).unwrap();
    assert_eq!((full.left, full.mate_in), (2, Some(1)));
    let silent =
        play_of(&reported(&prinz, all().with(|options| (options.full_length, options.threats) = (true, false))))
            .unwrap();
    assert_eq!((silent.pass, silent.variations.len()), (Pass::Impossible, 7));
    let amelung = Problem::read("7R/7p/5P1k/4PKpP/8/8/8/8 w - - dm 2;").unwrap();
    let request = ReportRequest::default().with(|request| request.proves_en_passant = false);
    assert!(report_of(&amelung, &request).keys.is_empty());
    assert_eq!(report_of(&amelung, &ReportRequest::default()).keys[0].ply.san, "hxg6");
}

fn report_of(problem: &Problem, request: &ReportRequest) -> Report {
    Solver::new().report_observed(problem, request.clone(), &NoObserver)
}

#[test]
fn rights_follow_the_chosen_convention() {
    use matesolve::report::Castling;
    use matesolve::results::report::Source;
    let with = |line: &str, castling, exclusive: &[(&str, &str)]| {
        let exclusive = exclusive.iter().map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap())).collect();
        let request =
            ReportRequest::default().with(|request| (request.castling, request.exclusive) = (castling, exclusive));
        let report = report_of(&Problem::read(line).unwrap(), &request);
        let sans = report.keys.iter().map(|key| key.ply.san.clone()).collect::<Vec<_>>().join(" ");
        (sans, report.position.unwrap().castling)
    };
    // Remling 1983: White castles and thereby proves that Black cannot castle.
    let remling = "n3k2r/1pp1pN1p/1P2BppP/b7/1P6/2P5/1PP3P1/R3K3 w Qk - dm 2;";
    assert_eq!(with(remling, Castling::Fen, &[]), (String::new(), Source::Fen));
    assert_eq!(with(remling, Castling::Fen, &[("a1", "h8")]), ("O-O-O".to_owned(), Source::Fen));
    // Dawson 1913: the key is a rook move; castling would be a cook.
    let dawson = "nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w - - dm 2;";
    assert_eq!(with(dawson, Castling::Fen, &[]).0, "Rf1");
    assert_eq!(with(dawson, Castling::Assume, &[]), ("O-O Rf1".to_owned(), Source::Assumed));
    // Amelung: the position itself proves that Black's last move was g7-g5.
    let amelung = |en_passant: &str| {
        let line = format!("7R/7p/5P1k/4PKpP/8/8/8/8 w - {en_passant} dm 2;");
        let report = report_of(&Problem::read(&line).unwrap(), &ReportRequest::default());
        let position = report.position.unwrap();
        (report.keys[0].ply.san.clone(), position.en_passant, position.fen)
    };
    let fen = "7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 0 1".to_owned();
    assert_eq!(amelung("g6"), ("hxg6".to_owned(), Source::Fen, fen.clone()));
    assert_eq!(amelung("-"), ("hxg6".to_owned(), Source::Proved, fen));
    let stated = "nk6/brpp2p1/brp4p/1p6/8/8/8/4K2R w K - dm 2;";
    assert_eq!(with(stated, Castling::None, &[]), ("Rf1".to_owned(), Source::None));
}
