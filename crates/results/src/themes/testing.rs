//! Phases written with letters, for the unit tests of patterns.
//!
//! `"set: aA bB"`, `"X? (A) aB !c"`, `"Y! (B) aA bCD"`: small letters are defences, capitals are moves of the attacker,
//! in brackets threats, `!c` a refutation, `bCD` two answers. The letter of a first move may also be a mate in another
//! phase. A first move with `+` gives check.

use std::sync::LazyLock;

use shakmaty::{Chess, Color, Move, Role, Square};

use crate::results::report::{Ply, Tree};
use crate::results::themes::{PhaseKind, Theme};

use super::phases::{AttackersMove, Line, Phase, PlayMove, Scene};

static TREE: LazyLock<Tree> = LazyLock::new(Tree::default);

/// The move of each letter, without and with check.
static PLIES: LazyLock<Vec<[Ply; 2]>> =
    LazyLock::new(|| ('A'..='z').map(|letter| [false, true].map(|check| ply(letter, check))).collect());

fn ply(letter: char, check: bool) -> Ply {
    let number = letter as u32 - 'A' as u32;
    let role = if letter.is_ascii_uppercase() { Role::Queen } else { Role::Rook };
    let [from, to] = [Square::new(number % 64), Square::new((number + 9) % 64)];
    let mv = Move::Normal { role, from, capture: None, to, promotion: None };
    Ply { mv, check, mate: false, san: letter.to_string(), uci: letter.to_string() }
}

fn of(letter: char, check: bool) -> (&'static Ply, PlayMove) {
    let ply = &PLIES[letter as usize - 'A' as usize][usize::from(check)];
    let home = ply.mv.from().unwrap_or(Square::A1);
    (ply, PlayMove { role: ply.mv.role(), home, to: ply.mv.to(), promotion: None })
}

fn answer(letter: char) -> AttackersMove<'static> {
    let (ply, id) = of(letter, false);
    AttackersMove { ply, id }
}

fn phase(text: &str) -> Phase<'static> {
    let mut words = text.split(' ');
    let head = words.next().unwrap();
    let kind = match head {
        "set:" => PhaseKind::SetPlay,
        _ if head.contains('?') => PhaseKind::Try,
        _ => PhaseKind::Solution,
    };
    let letter = head.chars().next().filter(char::is_ascii_uppercase);
    let mut phase = Phase {
        kind,
        first: letter.map(|letter| of(letter, head.contains('+')).0),
        position: Chess::default(),
        threats: Vec::new(),
        zugzwang: false,
        complete: true,
        cut: false,
        lines: Vec::new(),
        refutations: Vec::new(),
        play: None,
    };
    for word in words {
        let letters: Vec<char> = word.chars().filter(char::is_ascii_alphabetic).collect();
        match word.chars().next() {
            Some('(') => phase.threats.extend(letters.into_iter().map(answer)),
            Some('!') => phase.refutations.extend(letters.into_iter().map(|letter| of(letter, false))),
            _ => {
                let (ply, id) = of(letters[0], false);
                phase.lines.push(Line { ply, id, answers: letters[1..].iter().copied().map(answer).collect() });
            }
        }
    }
    phase
}

/// Returns the names that a detector claims for the phases of a two-mover. A phase ends at `/`.
pub(super) fn names(find: fn(&Scene<'_>) -> Vec<Theme>, phases: &str) -> Vec<&'static str> {
    let phases = phases.split(" / ").map(phase).collect();
    let scene = Scene { tree: &TREE, diagram: Chess::default(), attacker: Color::White, length: 2, phases };
    find(&scene).iter().map(|theme| theme.name).collect()
}
