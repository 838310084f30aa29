//! The composer: prints problems for `problems/`, found by chance and sifted by the reference.
//!
//! ```text
//! cargo test --release --test generate -- --ignored --nocapture --test-threads 1
//! ```
//!
//! Each test makes one suite: positions thrown at random, played at random or stepped back from mates are kept when
//! they show what the suite is for, then relieved of every man that is not needed to show it. Seeds are fixed, so the
//! output is the same everywhere; it went into `problems/` as it is printed.

mod generator;
mod reference;
mod study;

use generator::{Random, Theme};
use matesolve::chess::{NodeKind, Position};
use reference::Reference;
use shakmaty::{Chess, EnPassantMode, Position as _, Role};
use study::{Study, castling, en_passant, fields, long_checks, quiet_key, stalemate_trap, underpromotion, zugzwang};

/// Takes men away as long as the position goes on showing what it is to show.
fn relieved(random: &mut Random, study: Study, budget: u64, shows: &dyn Fn(&Study) -> bool) -> Study {
    let mut best = study;
    let mut squares: Vec<shakmaty::Square> = best.position.occupied().into_iter().collect();
    while !squares.is_empty() {
        let square = squares.swap_remove(random.below(squares.len()));
        let mut setup = best.chess.to_setup(EnPassantMode::Legal);
        if setup.board.role_at(square) == Some(Role::King) || setup.castling_rights.contains(square) {
            continue;
        }
        setup.board.discard_piece_at(square);
        let lighter = generator::playable(setup).and_then(|chess| Study::of(&chess, best.n, budget));
        if let Some(lighter) = lighter.filter(|lighter| lighter.n == best.n && shows(lighter)) {
            best = lighter;
        }
    }
    best
}

/// Where a suite's positions come from.
struct Recipe {
    name: &'static str,
    themes: &'static [Theme],
    /// Problems wanted by length: `[#1, #2, …]`.
    wanted: Vec<usize>,
    men: std::ops::Range<usize>,
    budget: u64,
    /// Of so many positions one keeps all its men; the others lose those that are not needed.
    crowded: usize,
}

impl Recipe {
    fn throw(&self, random: &mut Random) -> Option<Chess> {
        let men = self.men.start + random.below(self.men.len());
        let theme = random.pick(self.themes);
        match random.below(6) {
            0 if theme == Theme::Any => {
                let plies = 1 + random.below(5);
                generator::before_mate(random, men, plies).filter(|found| found.legal_moves().len() > 1)
            }
            1 if theme == Theme::Any && self.men.end > 12 => {
                let plies = 20 + random.below(40);
                generator::random_game(random, plies)
            }
            _ => generator::placement(random, men, theme),
        }
    }

    /// Prints problems until all that are wanted are found.
    fn compose(&self, first_seed: u64, shows: &dyn Fn(&Study) -> bool, comment: &dyn Fn(&Study) -> String) {
        let mut wanted = self.wanted.clone();
        let bound = wanted.len() as u16;
        let mut number = 0;
        for seed in first_seed.. {
            let mut random = Random(seed);
            let Some(chess) = self.throw(&mut random) else { continue };
            let Some(study) = Study::of(&chess, bound, self.budget) else { continue };
            if wanted[usize::from(study.n) - 1] == 0 || !shows(&study) {
                continue;
            }
            let study =
                if random.one_in(self.crowded) { study } else { relieved(&mut random, study, self.budget, shows) };
            let study = if random.one_in(4) { flipped(&study) } else { study };
            number += 1;
            let name = self.name;
            println!("{}id \"{name}-{number:03}\"; {}c0 \"generated, seed {seed}\";", stem(&study), comment(&study));
            wanted[usize::from(study.n) - 1] -= 1;
            if wanted.iter().all(|&left| left == 0) {
                return;
            }
        }
    }
}

/// FEN, length and keys (if they are few).
fn stem(study: &Study) -> String {
    let keys = if study.keys.len() <= 3 { format!("bm {}; ", study.sans()) } else { String::new() };
    format!("{} dm {}; {keys}", fields(&study.chess), study.n)
}

fn flipped(study: &Study) -> Study {
    let chess = generator::colors_flipped(&study.chess);
    Study::of(&chess, study.n, 4_000_000).expect("colours make no difference")
}

fn nothing(_: &Study) -> String {
    String::new()
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn smoke() {
    let recipe = Recipe {
        name: "smoke",
        themes: &[Theme::Any],
        wanted: vec![8, 10, 8],
        men: 3..20,
        budget: 200_000,
        crowded: 1,
    };
    recipe.compose(1_000_000, &|study| study.keys.len() <= 3, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn quiet_keys() {
    let recipe = Recipe {
        name: "quiet",
        themes: &[Theme::Any, Theme::Any, Theme::Blocked],
        wanted: vec![0, 16, 16, 6],
        men: 5..20,
        budget: 600_000,
        crowded: 3,
    };
    recipe.compose(2_000_000, &quiet_key, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn zugzwangs() {
    let recipe = Recipe {
        name: "zugzwang",
        themes: &[Theme::Any, Theme::Blocked],
        wanted: vec![0, 16, 14, 5],
        men: 5..14,
        budget: 600_000,
        crowded: 3,
    };
    recipe.compose(3_000_000, &zugzwang, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn castlings() {
    let recipe = Recipe {
        name: "castling",
        themes: &[Theme::Castling],
        wanted: vec![0, 11, 7],
        men: 6..18,
        budget: 300_000,
        crowded: 3,
    };
    recipe.compose(4_000_000, &castling, &nothing);
    let recipe = Recipe { name: "castling960", themes: &[Theme::Castling960], wanted: vec![0, 4, 3], ..recipe };
    recipe.compose(4_500_000, &castling, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn en_passants() {
    let recipe = Recipe {
        name: "en-passant",
        themes: &[Theme::EnPassant, Theme::EnPassant, Theme::Blocked],
        wanted: vec![0, 13, 9],
        men: 6..18,
        budget: 300_000,
        crowded: 3,
    };
    recipe.compose(5_000_000, &en_passant, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn underpromotions() {
    let recipe = Recipe {
        name: "underpromotion",
        themes: &[Theme::Promotion],
        wanted: vec![2, 14, 8],
        men: 4..12,
        budget: 300_000,
        crowded: 3,
    };
    recipe.compose(6_000_000, &underpromotion, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn stalemate_traps() {
    let recipe = Recipe {
        name: "stalemate",
        themes: &[Theme::Any, Theme::Promotion],
        wanted: vec![0, 12, 12, 6],
        men: 4..10,
        budget: 400_000,
        crowded: 3,
    };
    recipe.compose(7_000_000, &stalemate_trap, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn longs() {
    let recipe = Recipe {
        name: "checks",
        themes: &[Theme::Any],
        wanted: vec![0, 0, 0, 0, 12, 6, 2],
        men: 4..9,
        budget: 4_000_000,
        crowded: 1,
    };
    recipe.compose(8_000_000, &long_checks, &nothing);
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn mateds() {
    let mut wanted = [2, 8, 10, 6, 2];
    let mut number = 0;
    for seed in 9_000_000.. {
        let mut random = Random(seed);
        let men = 3 + random.below(8);
        let Some(chess) = generator::placement(&mut random, men, Theme::Any) else { continue };
        let Some(passed) = Position::from_chess(&chess).pass() else { continue };
        let mut reference = Reference::new(400_000);
        let Ok(Some(n)) = reference.shortest(&passed, NodeKind::And, 4) else { continue };
        if wanted[usize::from(n)] == 0 || (n > 0 && passed.count_moves() < 2) {
            continue;
        }
        let chess = if random.one_in(3) { generator::colors_flipped(&passed.to_chess()) } else { passed.to_chess() };
        number += 1;
        println!("{} bm #-{n}; id \"mated-{number:03}\"; c0 \"generated, seed {seed}\";", fields(&chess));
        wanted[usize::from(n)] -= 1;
        if wanted.iter().all(|&left| left == 0) {
            return;
        }
    }
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn unsolvables() {
    let recipe = Recipe {
        name: "unsolvable",
        themes: &[Theme::Any, Theme::Promotion],
        wanted: vec![0, 10, 8, 4],
        men: 4..14,
        budget: 400_000,
        crowded: 1,
    };
    // Printed with the length of the mate; what is asked is one move less.
    recipe.compose(10_000_000, &|study| study.key().is_some(), &|study| format!("c1 \"no mate in {}\"; ", study.n - 1));
}

#[test]
#[ignore = "composes a suite; see the top of the file"]
fn unsounds() {
    let recipe = Recipe {
        name: "unsound",
        themes: &[Theme::Any, Theme::Blocked],
        wanted: vec![0, 10, 6],
        men: 4..14,
        budget: 400_000,
        crowded: 1,
    };
    recipe.compose(
        11_000_000,
        &|study| matches!(study.keys.len(), 2 | 3) && study.keys.iter().any(|&key| study.is_quiet(key)),
        &|study| format!("c1 \"cooked: {}\"; ", study.sans()),
    );
}

#[test]
fn idle_men_are_taken_away_and_needed_ones_stay() {
    // The first problem a computer solved (Prinz 1951), with a white pawn too many.
    let fen: shakmaty::fen::Fen = "5Kbk/6pp/6P1/8/8/8/P7/7R w - - 0 1".parse().unwrap();
    let chess: Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
    let study = Study::of(&chess, 2, 100_000).unwrap();
    assert!(quiet_key(&study) && zugzwang(&study) && !underpromotion(&study) && !en_passant(&study));
    let light = relieved(&mut Random(1), study, 100_000, &quiet_key);
    assert_eq!(stem(&light), "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; bm Rh6; ");
}
