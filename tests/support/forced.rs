//! Goals that one side forces, by their definition, on shakmaty alone: it shares nothing with the searches.

use matesolve_engine::chess::{Duty, End, Goal, Side};
use shakmaty::{Chess, Color, Move, MoveList, Piece, Position as _, Role, Setup, Square};

use super::generator::{self, Theme};
use super::helped::played;
use super::random::Random;

/// A question with one side that resists.
#[derive(Debug, Clone, Copy)]
pub struct Forced {
    /// What the attacker forces.
    pub goal: Goal,
    /// The side that forces it.
    pub attacker: Color,
}

impl Forced {
    /// Returns whether the attacker forces the goal within `n` of his moves; in exactly so many if that is the goal.
    pub fn solves(self, chess: &Chess, n: u16) -> bool {
        let attacks = chess.turn() == self.attacker;
        let is_ended_for = attacks == (self.goal.of == Side::Attacker);
        if n == 0 && is_ended_for {
            return self.goal.end.is_on(chess);
        }
        let moves = chess.legal_moves();
        if moves.is_empty() {
            return is_ended_for && !self.goal.exact && self.goal.end.is_on(chess);
        }
        if !attacks {
            let may_end = n > 0 || self.goal.of == Side::Attacker;
            return may_end && self.allowed(chess, moves).iter().all(|&m| self.solves(&played(chess, m), n));
        }
        let must_end = self.goal.duty == Duty::Both && moves.iter().any(|&m| self.ends(chess, m));
        n > 0 && !must_end && moves.iter().any(|&m| self.solves(&played(chess, m), n - 1))
    }

    /// Returns the shortest length within `most`, in moves of the attacker.
    pub fn shortest(self, chess: &Chess, most: u16) -> Option<u16> {
        (self.least(most)..=most).find(|&n| self.solves(chess, n))
    }

    /// Returns the shortest length that counts where `most` moves are asked for.
    pub fn least(self, most: u16) -> u16 {
        if self.goal.exact { most } else { 0 }
    }

    /// Returns the moves that the rules allow the defender.
    pub fn replies(self, chess: &Chess) -> MoveList {
        self.allowed(chess, chess.legal_moves())
    }

    /// Returns those of all legal moves that the rules allow the defender.
    fn allowed(self, chess: &Chess, all: MoveList) -> MoveList {
        if self.goal.duty == Duty::None {
            return all;
        }
        let ending: MoveList = all.iter().copied().filter(|&m| self.ends(chess, m)).collect();
        if ending.is_empty() { all } else { ending }
    }

    /// Returns whether a move mates, or stalemates if that is the goal.
    pub fn ends(self, chess: &Chess, m: Move) -> bool {
        self.goal.end.is_on(&played(chess, m))
    }
}

/// Returns a position for this goal from a seed: the side to move, of either colour, is to force it.
pub fn position(seed: u64, goal: Goal) -> Option<Chess> {
    let mut random = Random(seed);
    let men = 4 + random.below(8);
    let theme = random.pick(&Theme::ALL);
    let is_self = goal.of == Side::Attacker;
    let chess = match random.below(4) {
        0 => generator::placement(&mut random, men, theme)?,
        1 | 2 if is_self => before_compelled(&mut random, goal)?,
        1 => generator::before_mate(&mut random, men, 1)?,
        _ => generator::before_mate(&mut random, men, 3 + usize::from(is_self))?,
    };
    Some(if random.one_in(2) { generator::colors_flipped(&chess) } else { chess })
}

/// Returns a position one to three half-moves before one in which every move of the side to move reaches the goal.
fn before_compelled(random: &mut Random, goal: Goal) -> Option<Chess> {
    let mut chess = (0..60).find_map(|_| compelled(random, goal))?;
    for _ in 0..random.pick(&[1, 3]) {
        chess = (0..40).find_map(|_| generator::take_back(random, &chess))?;
    }
    Some(chess)
}

/// Returns a position in which every move of the side to move reaches the goal: there is a move that does, and a man of
/// the other side is added that takes away all others.
fn compelled(random: &mut Random, goal: Goal) -> Option<Chess> {
    let question = Forced { goal, attacker: Color::Black };
    let men = 4 + random.below(6);
    let chess = match goal.end {
        End::Mate => generator::before_mate(random, men, 1)?,
        _ => generator::few_men(random)?.0,
    };
    let attacker = !chess.turn();
    (0..60).find_map(|_| {
        let mut board = chess.board().clone();
        let role = random.pick(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight]);
        let square = Square::new(random.below(64) as u32);
        if board.piece_at(square).is_some() {
            return None;
        }
        board.set_piece_at(square, Piece { color: attacker, role });
        let added = generator::playable(Setup { board, turn: !attacker, ..Setup::empty() })?;
        Forced { attacker, ..question }.solves(&added, 0).then_some(added)
    })
}
