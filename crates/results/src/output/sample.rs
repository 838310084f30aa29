//! A small report written by hand, for tests: set play, a try and a key.

use std::sync::Arc;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position as _};

use crate::chess::{End, MateLength, Stipulation, passed};
use crate::results::SidedStipulation;
use crate::results::report::{
    Continuation, Features, FirstMoveCounts, Key, MenCount, MenList, Next, Pass, Play, Ply, Report, ReportDiagram,
    ReportOptions, SetPlay, Soundness, Source, Tree, Try, Variation, Verdict,
};
use crate::results::solution::Status;

const PRINZ: &str = "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1";

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Chess960).unwrap()
}

/// Returns the move with this UCI notation in this position.
pub(crate) fn ply(fen: &str, uci: &str) -> Ply {
    after(&chess(fen), uci).0
}

/// Plays a move; returns it and the position after it.
fn after(chess: &Chess, uci: &str) -> (Ply, Chess) {
    let mv = uci.parse::<UciMove>().unwrap().to_move(chess).unwrap();
    let san = shakmaty::san::SanPlus::from_move(chess.clone(), mv).to_string();
    let next = chess.clone().play(mv).unwrap();
    let (check, mate) = (next.is_check(), next.is_checkmate());
    (Ply { mv, check, mate, san, uci: uci.to_owned() }, next)
}

/// Plays the moves (`pass` for a null move) from the position of Prinz and returns the last one.
fn last(moves: &str) -> Ply {
    let mut position = chess(PRINZ);
    let mut last = None;
    for uci in moves.split(' ') {
        if uci == "pass" {
            position = passed(&position).unwrap();
            continue;
        }
        let (ply, next) = after(&position, uci);
        (last, position) = (Some(ply), next);
    }
    last.unwrap()
}

fn mate(moves: &str) -> Continuation {
    Continuation { ply: last(moves), mate_in: 1, next: Next::End(End::Mate) }
}

fn variation(moves: &str, continuation: Continuation) -> Variation {
    Variation { defence: last(moves), mate_in: continuation.mate_in, continuations: vec![continuation], end: None }
}

fn play(left: u16, pass: Pass, variations: Vec<Variation>) -> Play {
    Play { left, mate_in: Some(left), pass, variations, unshown: 0, cut: false }
}

/// Returns a report on Prinz 1951. Its try is invented.
pub(crate) fn report() -> Report {
    let mut tree = Tree::default();
    let key = tree.push(play(
        1,
        Pass::Zugzwang,
        vec![variation("h1h6 g8a2", mate("h1h6 g8a2 h6h7")), variation("h1h6 g7h6", mate("h1h6 g7h6 g6g7"))],
    ));
    let set = tree.push(Play {
        mate_in: None,
        ..play(1, Pass::Impossible, vec![variation("h1h6 g7h6", mate("h1h6 g7h6 g6g7"))])
    });
    let after_check =
        tree.push(play(1, Pass::Impossible, vec![variation("h1g1 pass g6h7 h8h7", mate("h1g1 pass g6h7 h8h7 g1g7"))]));
    let threat = Continuation { ply: last("h1g1 pass g6h7"), mate_in: 2, next: Next::Play(after_check) };
    let attempt = tree.push(Play { mate_in: None, ..play(2, Pass::Threats(vec![threat]), vec![]) });
    Report {
        id: Some("Prinz, \"Research\" <1952>".to_owned()),
        position: Some(ReportDiagram {
            fen: PRINZ.to_owned(),
            turn: Color::White,
            castling: Source::Fen,
            en_passant: Source::Fen,
            algebraic: MenList {
                white: ["Kf8", "Rh1", "Pg6"].map(str::to_owned).to_vec(),
                black: ["Kh8", "Bg8", "Pg7", "Ph7"].map(str::to_owned).to_vec(),
            },
            men: MenCount::of(3, 4),
            promoted: Vec::new(),
        }),
        stipulation: Some(SidedStipulation::of(Stipulation::mate(Some(MateLength(2))), Color::White)),
        options: ReportOptions { tries: Some(1), set_play: true, ..ReportOptions::default() },
        verdict: Verdict {
            status: Status::Mate,
            soundness: Soundness::Sound,
            mate_in: Some(2),
            refuted_through: Some(1),
            verified: crate::results::testing::verified(),
            complete: true,
            ..Verdict::default()
        },
        keys: vec![Key {
            ply: last("h1h6"),
            mate_in: 2,
            exact: true,
            intended: None,
            features: Features { sacrifice: true, ..Features::default() },
            next: Next::Play(key),
        }],
        tries: Some(vec![Try {
            ply: last("h1g1"),
            refutations: vec![last("h1g1 h7g6")],
            trivial: false,
            next: Next::Play(attempt),
        }]),
        set_play: Some(SetPlay { complete: false, play: set }),
        first_moves: FirstMoveCounts { total: 18, refuted: 17, open: Vec::new() },
        tree: Arc::new(tree),
        ..Report::default()
    }
}
