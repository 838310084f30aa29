//! Composes problems for `problems/`: generates positions and prints those that the reference finds suitable.
//!
//! ```text
//! cargo run --release -p matesolve-testkit --example compose_suites -- zugzwang
//! ```
//!
//! Each word composes one suite; without one, the program prints the words. It keeps generated positions that show the
//! theme of the suite, and removes the men that are not needed for it. Seeds are fixed, so the output is the same on
//! every machine; the suites contain it without changes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test or a measurement stops where something is wrong")]

use matesolve_engine::chess::{MoveList, Moves, NodeKind, Position};
use matesolve_testkit::four_fields;
use matesolve_testkit::generator::{self, Theme};
use matesolve_testkit::random::Random;
use matesolve_testkit::reference::Reference;
use matesolve_testkit::study::{
    Study, castling, checks_mate, en_passant, long_checks, quiet_key, sound, stalemate_trap, underpromotion,
    without_idle_men, zugzwang,
};
use shakmaty::{Chess, Position as _};

/// The suites by the word that chooses one: the name of the file in `problems/`.
const SUITES: [(&str, fn()); 11] = [
    ("smoke", smoke),
    ("quiet_keys", quiet_keys),
    ("zugzwang", zugzwangs),
    ("castling", castlings),
    ("en_passant", en_passants),
    ("underpromotion", underpromotions),
    ("stalemate_traps", stalemate_traps),
    ("long_checks", long_checks_problems),
    ("mated", mated_problems),
    ("unsolvable", unsolvable_problems),
    ("unsound", unsound_problems),
];

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    let Some((_, compose)) = SUITES.iter().find(|(name, _)| *name == word) else {
        eprintln!("choose a suite: {}", SUITES.map(|(name, _)| name).join(", "));
        std::process::exit(2);
    };
    compose();
}

/// The way in which a suite is composed.
struct Recipe {
    /// The first part of the ids.
    name: &'static str,
    themes: &'static [Theme],
    /// The number of problems wanted of each length: `[#1, #2, …]`.
    wanted: Vec<usize>,
    /// The number of men.
    men: std::ops::Range<usize>,
    /// The node budget of the reference.
    budget: u64,
    /// One in `crowded` positions keeps all its men; the others lose those that are not needed.
    crowded: usize,
}

impl Recipe {
    /// Generates a position.
    fn position(&self, random: &mut Random) -> Option<Chess> {
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

    /// Prints problems until all wanted ones are found. `shows` tests the theme, `claim` writes the operations.
    fn compose(&self, first_seed: u64, shows: &dyn Fn(&Study) -> bool, claim: &dyn Fn(&Study) -> String) {
        let mut wanted = self.wanted.clone();
        let bound = wanted.len() as u16;
        let mut number = 0;
        for seed in first_seed.. {
            let mut random = Random(seed);
            let Some(chess) = self.position(&mut random) else { continue };
            let Some(study) = Study::of(&chess, bound, self.budget) else { continue };
            if wanted[usize::from(study.n) - 1] == 0 || !shows(&study) {
                continue;
            }
            let study = if random.one_in(self.crowded) {
                study
            } else {
                without_idle_men(&mut random, study, self.budget, shows)
            };
            let study = if random.one_in(4) { flipped(&study) } else { study };
            number += 1;
            let (fields, claim, name) = (four_fields(&study.chess), claim(&study), self.name);
            println!("{fields} {claim}; id \"{name}-{number:03}\"; c0 \"generated, seed {seed}\";");
            wanted[usize::from(study.n) - 1] -= 1;
            if wanted.iter().all(|&left| left == 0) {
                return;
            }
        }
    }
}

/// Exchanges the colours.
fn flipped(study: &Study) -> Study {
    let chess = generator::colors_flipped(&study.chess);
    Study::of(&chess, study.n, 4_000_000).expect("exchanged colours make no difference")
}

fn smoke() {
    let recipe = Recipe {
        name: "smoke",
        themes: &[Theme::Any],
        wanted: vec![8, 10, 8],
        men: 3..20,
        budget: 200_000,
        crowded: 1,
    };
    recipe.compose(1_000_000, &|study| study.keys.len() <= 3, &sound);
}

fn quiet_keys() {
    let recipe = Recipe {
        name: "quiet",
        themes: &[Theme::Any, Theme::Any, Theme::Blocked],
        wanted: vec![0, 16, 16, 6],
        men: 5..20,
        budget: 600_000,
        crowded: 3,
    };
    recipe.compose(2_000_000, &quiet_key, &sound);
}

fn zugzwangs() {
    let recipe = Recipe {
        name: "zugzwang",
        themes: &[Theme::Any, Theme::Blocked],
        wanted: vec![0, 1, 12, 4],
        men: 5..14,
        budget: 600_000,
        crowded: 3,
    };
    recipe.compose(3_000_000, &zugzwang, &sound);
}

fn castlings() {
    let recipe = Recipe {
        name: "castling",
        themes: &[Theme::Castling],
        wanted: vec![0, 11, 7],
        men: 6..18,
        budget: 300_000,
        crowded: 3,
    };
    recipe.compose(4_000_000, &castling, &sound);
    let recipe = Recipe { name: "castling960", themes: &[Theme::Castling960], wanted: vec![0, 4, 3], ..recipe };
    recipe.compose(4_500_000, &castling, &sound);
}

fn en_passants() {
    let recipe = Recipe {
        name: "en-passant",
        themes: &[Theme::EnPassant, Theme::EnPassant, Theme::Blocked],
        wanted: vec![0, 13, 9],
        men: 6..18,
        budget: 300_000,
        crowded: 3,
    };
    recipe.compose(5_000_000, &en_passant, &sound);
}

fn underpromotions() {
    let recipe = Recipe {
        name: "underpromotion",
        themes: &[Theme::Promotion],
        wanted: vec![2, 14, 8],
        men: 4..12,
        budget: 300_000,
        crowded: 3,
    };
    recipe.compose(6_000_000, &underpromotion, &sound);
}

fn stalemate_traps() {
    let recipe = Recipe {
        name: "stalemate",
        themes: &[Theme::Any, Theme::Promotion],
        wanted: vec![0, 12, 12, 6],
        men: 4..10,
        budget: 400_000,
        crowded: 3,
    };
    recipe.compose(7_000_000, &stalemate_trap, &sound);
}

/// Returns a position two plies earlier in which checks alone mate in one move more, and no move mates faster.
fn check_earlier(random: &mut Random, mate: &Study) -> Option<Study> {
    let defended = generator::take_back(random, &mate.chess).filter(Chess::is_check)?;
    let attacked = generator::take_back(random, &defended)?;
    if !checks_mate(&Position::from_chess(&attacked), mate.n + 1, &mut 20_000) {
        return None;
    }
    Study::of(&attacked, mate.n + 1, 600_000).filter(|study| study.n == mate.n + 1)
}

fn long_checks_problems() {
    let mut wanted = [0, 0, 0, 0, 0, 16, 2];
    let mut number = 0;
    for seed in 8_000_000.. {
        let mut random = Random(seed);
        let men = 4 + random.below(6);
        let Some(chess) = generator::before_mate(&mut random, men, 1) else { continue };
        let Some(mut study) = Study::of(&chess, 1, 10_000) else { continue };
        while let Some(longer) = (0..600).find_map(|_| check_earlier(&mut random, &study)) {
            study = longer;
            if study.n == 6 {
                break;
            }
        }
        let n = usize::from(study.n);
        if wanted[n] == 0 || !long_checks(&study) {
            continue;
        }
        number += 1;
        let study = if random.one_in(4) { flipped(&study) } else { study };
        println!(
            "{} {}; id \"checks-{number:03}\"; c0 \"generated, seed {seed}\";",
            four_fields(&study.chess),
            sound(&study)
        );
        wanted[n] -= 1;
        if wanted.iter().all(|&left| left == 0) {
            return;
        }
    }
}

fn mated_problems() {
    let mut wanted = [2, 8, 10, 6, 2];
    let mut number = 0;
    for seed in 9_000_000.. {
        let mut random = Random(seed);
        let men = 3 + random.below(8);
        let Some(chess) = generator::placement(&mut random, men, Theme::Any) else { continue };
        let position = Position::from_chess(&chess);
        let mut checks = MoveList::new();
        position.generate(Moves::Checks, &mut checks);
        let checked = if checks.is_empty() { None } else { Some(position.play(checks[random.below(checks.len())])) };
        let Some(root) = checked.filter(|_| random.one_in(2)).or_else(|| position.pass()) else { continue };
        let mut reference = Reference::new(400_000);
        let Ok(Some(n)) = reference.shortest(&root, NodeKind::And, 4) else { continue };
        if wanted[usize::from(n)] == 0 || (n > 0 && root.count_moves() < 2) {
            continue;
        }
        let chess = if random.one_in(3) { generator::colors_flipped(&root.to_chess()) } else { root.to_chess() };
        number += 1;
        println!("{} bm #-{n}; id \"mated-{number:03}\"; c0 \"generated, seed {seed}\";", four_fields(&chess));
        wanted[usize::from(n)] -= 1;
        if wanted.iter().all(|&left| left == 0) {
            return;
        }
    }
}

fn unsolvable_problems() {
    let recipe = Recipe {
        name: "unsolvable",
        themes: &[Theme::Any, Theme::Promotion],
        wanted: vec![0, 10, 8, 4],
        men: 4..14,
        budget: 400_000,
        crowded: 1,
    };
    recipe.compose(10_000_000, &|study| study.key().is_some(), &|study| format!("c1 \"no mate in {}\"", study.n - 1));
}

fn unsound_problems() {
    let recipe = Recipe {
        name: "cooked",
        themes: &[Theme::Any, Theme::Blocked],
        wanted: vec![0, 9, 5],
        men: 4..14,
        budget: 400_000,
        crowded: 1,
    };
    let several =
        |study: &Study| matches!(study.keys.len(), 2 | 3) && study.keys.iter().any(|&key| study.is_quiet(key));
    recipe.compose(11_000_000, &several, &|study| format!("dm {}; c1 \"cooked: {}\"", study.n, study.sans()));
    let recipe = Recipe { name: "short", wanted: vec![0, 3, 3], ..recipe };
    let short = |study: &Study| format!("dm {}; c1 \"short: mate in {}\"", study.n + 1, study.n);
    recipe.compose(11_200_000, &|study| study.key().is_some(), &short);
    let recipe = Recipe { name: "insoluble", wanted: vec![0, 0, 3, 3], ..recipe };
    let insoluble = |study: &Study| format!("dm {}; c1 \"no solution\"", study.n - 1);
    recipe.compose(11_400_000, &quiet_key, &insoluble);
}
