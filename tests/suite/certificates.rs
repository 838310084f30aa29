//! Certificates of verdicts and of refutations, against the definition of the goals, and forgeries of them.
//!
//! A forgery has a right last line, so only the proof can show what is wrong with it. Where it is accepted
//! nevertheless, because a change did no harm, its claims must be true by the definition (`support/forced.rs`).

use matesolve::Solver;
use matesolve::certify::CertifyRequest;
use matesolve::problem::Problem;
use matesolve::proof::{CheckedCertificate, Claims};
use matesolve::results::report::{Extent, ReportOptions};
use matesolve_engine::chess::{Duty, Goal, MateLength, Side, Stipulation};
use matesolve_testkit::forced::{self, Forced};
use matesolve_testkit::helped::played;
use matesolve_testkit::random::Random;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position as _, fen::Fen};
use std::sync::atomic::AtomicBool;

/// The signs of the goals.
const SIGNS: [(&str, Goal); 9] = [
    ("semi-r#", Goal::SEMI_REFLEX),
    ("r#", Goal::REFLEX),
    ("semi-r=", Goal::SEMI_REFLEX_STALEMATE),
    ("r=", Goal::REFLEX_STALEMATE),
    ("s#", Goal::SELFMATE),
    ("s=", Goal::SELF_STALEMATE),
    ("exact-#", Goal::EXACT),
    ("#", Goal::MATE),
    ("=", Goal::STALEMATE),
];

/// Returns a request for a certificate of the verdict on a problem of `moves` moves.
fn asked(chess: &Chess, goal: Goal, begins: Side, moves: u16) -> CertifyRequest {
    let fen = Fen::from_position(chess, EnPassantMode::Always);
    let problem = Problem::read(&fen.to_string()).expect("generated positions can be read");
    let problem = problem.stipulated(Stipulation::forced(goal, begins, Some(MateLength(moves))));
    let options = ReportOptions::default().with(|options| options.extent = Extent::Soundness);
    let report = Solver::new().report(&problem, options);
    CertifyRequest::of_report(&report, &[], 1 << 20).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Makes the certificate.
fn certificate(request: &CertifyRequest) -> String {
    let made = request.write(None, Vec::new(), &AtomicBool::new(false), &mut |_| ());
    String::from_utf8(made.unwrap_or_else(|error| panic!("{}: {error}", request.fen))).expect("a certificate is text")
}

/// What a certificate says in its first lines, by a reader of its own.
struct Said<'a> {
    chess: Chess,
    question: Forced,
    moves: u16,
    intended: usize,
    claims: Vec<&'a str>,
}

fn said(text: &str) -> Said<'_> {
    let (mut chess, mut stipulation, mut intended, mut claims) = (None, "", 1, Vec::new());
    for line in text.lines().skip(1).take_while(|line| !line.starts_with("proof ")) {
        match line.split_once(' ').expect("each of these lines has two words") {
            ("position", fen) => {
                let fen: Fen = fen.parse().expect("an accepted position");
                chess = fen
                    .into_position(CastlingMode::Chess960)
                    .or_else(shakmaty::PositionError::ignore_too_much_material)
                    .or_else(shakmaty::PositionError::ignore_impossible_check)
                    .ok();
            }
            ("stipulation", text) => stipulation = text,
            ("intended", number) => intended = number.parse().expect("an accepted number"),
            ("claim", claim) => claims.push(claim),
            _ => panic!("{line} in an accepted certificate"),
        }
    }
    let &(sign, goal) = SIGNS.iter().find(|(sign, _)| stipulation.starts_with(sign)).expect("a known goal");
    let number = &stipulation[sign.len()..];
    let chess: Chess = chess.expect("an accepted position");
    let turn = chess.turn();
    let attacker = if number.starts_with('-') { !turn } else { turn };
    let moves = number.trim_start_matches('-').parse().expect("an accepted number");
    Said { chess, question: Forced { goal, attacker }, moves, intended, claims }
}

impl Said<'_> {
    /// Returns whether all claims are true, by the definition.
    fn is_true(&self) -> bool {
        let Said { chess, question, moves, .. } = self;
        self.claims.iter().all(|claim| {
            if let Some(n) = claim.strip_prefix("solved in ") {
                return question.solves(chess, n.parse().unwrap());
            }
            if let Some(n) = claim.strip_prefix("no solution in ") {
                return !question.solves(chess, n.parse().unwrap());
            }
            let mut words = claim.strip_prefix("verdict ").expect("a known claim").split(' ');
            let word = words.next().unwrap();
            let stated: Vec<&str> = words.collect();
            let keys = self.keys(*moves);
            let sooner = if question.goal.exact { Vec::new() } else { self.keys(moves - 1) };
            let right = match word {
                "none" => keys.is_empty(),
                "sound" => keys.len() == self.intended && sooner.is_empty(),
                "cooked" => keys.len() > self.intended && sooner.is_empty(),
                _ => !sooner.is_empty(),
            };
            right && keys == stated
        })
    }

    /// Returns the first moves that solve within `moves` moves, in the order of moves.
    fn keys(&self, moves: u16) -> Vec<String> {
        let Said { chess, question, .. } = self;
        let duty = question.goal.duty == Duty::Both;
        let ends = |&m: &Move| question.ends(chess, m);
        let mut legal = chess.legal_moves().to_vec();
        if moves == 0 || (duty && legal.iter().any(ends)) {
            return Vec::new();
        }
        legal.retain(|&m| question.solves(&played(chess, m), moves - 1));
        let target = |m: &Move| if let Move::Castle { rook, .. } = m { *rook } else { m.to() };
        legal.sort_by_key(|m| (m.from(), target(m), m.promotion()));
        let promotion = |m: &Move| m.promotion().map_or(String::new(), |role| role.char().to_string());
        legal.iter().map(|m| format!("{}{}{}", m.from().unwrap(), target(m), promotion(m))).collect()
    }
}

/// A generated position of each goal, with its certificate.
fn generated(seeds: std::ops::Range<u64>) -> impl Iterator<Item = String> {
    seeds.filter_map(|seed| {
        let goal = Goal::ALL[(seed % 9) as usize];
        let chess = forced::position(seed, goal).filter(|chess| !chess.legal_moves().is_empty())?;
        let moves = [1, 2, 2, 3][(seed / 9 % 4) as usize];
        let men = chess.board().occupied().count();
        let moves = if men > 9 { moves.min(2) } else { moves };
        let request = if seed % 5 == 0 {
            let (chess, left) = after_a_key(&chess, goal, moves);
            asked(&chess, goal, Side::Defender, left)
        } else {
            asked(&chess, goal, Side::Attacker, moves)
        };
        // Many keys take long and show little.
        let keys = if let Claims::Verdict { keys, .. } = &request.claims { keys.len() } else { 0 };
        (keys < 5).then(|| certificate(&request))
    })
}

/// Returns the position after a first move, a key if there is one, and the moves left.
fn after_a_key(chess: &Chess, goal: Goal, moves: u16) -> (Chess, u16) {
    let question = Forced { goal, attacker: chess.turn() };
    let after: Vec<Chess> = chess.legal_moves().iter().map(|&m| played(chess, m)).collect();
    let may_go_on = |after: &&Chess| !after.legal_moves().is_empty();
    let key = after.iter().filter(may_go_on).find(|after| question.solves(after, moves - 1));
    match key.or(after.iter().find(may_go_on)) {
        Some(after) => (after.clone(), moves - 1),
        None => (chess.clone(), moves),
    }
}

/// Checks certificates of generated positions. Returns how many of each claim there were.
fn compare(seeds: std::ops::Range<u64>) -> std::collections::BTreeMap<String, usize> {
    let mut counts = std::collections::BTreeMap::new();
    for text in generated(seeds) {
        let checked = CheckedCertificate::read(text.as_bytes());
        checked.unwrap_or_else(|error| panic!("{error}:\n{text}"));
        let said = said(&text);
        assert!(said.is_true(), "{text}");
        let words: Vec<&str> = said.claims[0].split(' ').take(2).collect();
        *counts.entry(words.join(" ")).or_default() += 1;
    }
    counts
}

#[test]
fn certificates_of_generated_verdicts_hold_and_are_true() {
    let counts = compare(70_000_000..70_000_500);
    println!("{counts:?}");
    for claim in ["verdict sound", "verdict short", "verdict none", "no solution", "solved in"] {
        assert!(counts.get(claim).is_some_and(|&count| count > 3), "{counts:?}");
    }
}

#[test]
#[ignore = "takes minutes; run it with cargo test --release --test suite certificates:: -- --ignored --nocapture"]
fn many_certificates_of_generated_verdicts_hold_and_are_true() {
    println!("{:?}", compare(80_000_000..80_020_000));
}

/// Returns a changed certificate with a right last line.
fn forged(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.pop();
    for _ in 0..=random.below(2) {
        change(&mut lines, random);
    }
    let body = lines.join("\n") + "\n";
    let mut crc = flate2::Crc::new();
    crc.update(body.as_bytes());
    format!("{body}end {} {:08x}\n", lines.len(), crc.sum())
}

/// Changes a line, or the order of the lines.
fn change(lines: &mut Vec<String>, random: &mut Random) {
    let at = 1 + random.below(lines.len() - 1);
    let words: Vec<String> = lines.iter().skip(2).flat_map(|line| line.split(' ').map(str::to_owned)).collect();
    let word = words[random.below(words.len())].clone();
    let mut own: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    let of_line = random.below(own.len());
    match random.below(9) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = 1 + random.below(lines.len() - 1);
            lines.swap(at, other);
        }
        3 => {
            own.remove(of_line);
            lines[at] = own.join(" ");
        }
        4 => {
            own[of_line] = word;
            lines[at] = own.join(" ");
        }
        5 => {
            own.insert(of_line, word);
            lines[at] = own.join(" ");
        }
        6 => lines[at] = format!("={}", 5 + random.below(lines.len())),
        7 => {
            let signs = ["#", "=", "s#", "s=", "semi-r#", "r#", "#-", "s#-"];
            lines[2] = format!("stipulation {}{}", random.pick(&signs), random.below(4));
        }
        _ => {
            let bytes = lines[at].clone().into_bytes();
            let (place, letter) = (random.below(bytes.len()), random.pick(b"abcdefgh12345678#*=&-:, qKQRkp/"));
            let changed = bytes.iter().enumerate().map(|(i, &b)| if i == place { letter } else { b } as char);
            lines[at] = changed.collect();
        }
    }
}

/// Forges certificates and checks that those that are accepted are true. Returns how many were refused and accepted.
fn forge(seeds: std::ops::Range<u64>, each: usize) -> [usize; 2] {
    let mut counts = [0; 2];
    let mut random = Random(seeds.start);
    for text in generated(seeds) {
        for _ in 0..each {
            let forgery = forged(&text, &mut random);
            let accepted = CheckedCertificate::read(forgery.as_bytes()).is_ok();
            assert!(!accepted || said(&forgery).is_true(), "accepted, but not true:\n{forgery}\nmade from\n{text}");
            counts[usize::from(accepted)] += 1;
        }
    }
    counts
}

#[test]
fn resealed_forgeries_are_refused_or_true() {
    let [refused, accepted] = forge(90_000_000..90_000_300, 20);
    println!("refused {refused}, accepted and true {accepted}");
    assert!(refused > 3_000 && accepted < refused, "{refused} {accepted}");
}

#[test]
#[ignore = "writes 4,000 files for other checkers: FORGERIES=FOLDER cargo test --release --test suite certificates::forgeries -- --ignored"]
fn forgeries_for_other_checkers() {
    let folder = std::path::PathBuf::from(std::env::var("FORGERIES").expect("FORGERIES names a folder"));
    let mut random = Random(17);
    let mut number = 0;
    for text in generated(92_000_000..92_000_400) {
        for forgery in (0..12).map(|_| forged(&text, &mut random)).chain([text.clone()]) {
            let verdict = if CheckedCertificate::read(forgery.as_bytes()).is_ok() { "accepted" } else { "refused" };
            number += 1;
            std::fs::write(folder.join(format!("{number}-{verdict}.cert")), forgery).expect("a file is written");
        }
    }
}

#[test]
fn changed_certificates_without_a_new_seal_are_refused() {
    let mut random = Random(5);
    let mut changed = 0;
    for text in generated(91_000_000..91_000_220) {
        for kind in 0..30 {
            let mut bytes = text.clone().into_bytes();
            let at = random.below(bytes.len());
            match kind % 3 {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = bytes[at].wrapping_add(1 + random.below(255) as u8),
                _ => bytes.truncate(at),
            }
            assert!(CheckedCertificate::read(&bytes[..]).is_err(), "{text}");
            changed += 1;
        }
    }
    assert!(changed > 3_000, "{changed}");
}
