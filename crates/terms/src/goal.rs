//! Goals: what must stand on the board at the end, and what the sides must do on the way.
//!
//! When the play is over, and which replies a goal allows, is the business of two files: `rules` of the kernel, for the
//! searches, and `rules` of the proofs, for the checker, on shakmaty alone. Whether the lines of
//! `exact-#` are equally long is checked in `checker` and `certificate`.
//!
//! | goal | stands on the board at the end | on the way |
//! |---|---|---|
//! | `#` | the defender is mated | |
//! | `exact-#` | the defender is mated | not before the last move of the attacker: an earlier mate has failed |
//! | `=` | the defender is stalemated | |
//! | `s#`, `s=` | the attacker is mated, stalemated | |
//! | `semi-r#`, `semi-r=` | the attacker is mated, stalemated | the defender must mate, stalemate at once if he can |
//! | `r#`, `r=` | the same | the same; and where the attacker could, the play has failed, because he must |
//!
//! Any other end of the game fails: in a selfmate, for example, a stalemate of either side. Help play has the same
//! ends, and [`End::Any`], whatever stands.
//!
//! CITE: Codex for Chess Composition (World Federation for Chess Composition), chapter II; Popeye 4.104.

use shakmaty::{Chess, Position as _};

use crate::{MateLength, NodeKind, Side};

/// An end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is in check and has no legal move.
    Mate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Whatever stands, of a list of legal moves.
    Any,
}

impl End {
    /// Returns the noun for this end.
    pub fn noun(self) -> &'static str {
        match self {
            End::Mate => "mate",
            End::Stalemate => "stalemate",
            End::Any => "any",
        }
    }

    /// Returns the end that stands on the board; `None` if the side to move has a legal move.
    pub fn of_chess(position: &Chess) -> Option<End> {
        let end = if position.is_check() { End::Mate } else { End::Stalemate };
        position.legal_moves().is_empty().then_some(end)
    }

    /// Returns whether this end stands on the board. It asks for check first, because that is quick.
    pub fn is_on(self, position: &Chess) -> bool {
        position.is_check() == (self == End::Mate) && End::of_chess(position) == Some(self)
    }
}

/// The side that must bring the end about at once when it can: that must mate, or stalemate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Duty {
    /// Nobody.
    #[default]
    None,
    /// The defender: semi-reflex play.
    Defender,
    /// Both sides: reflex play.
    Both,
}

/// The end that must stand on the board, and what the sides must do on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The end that is wanted.
    pub end: End,
    /// The side to which it happens. It is to move at the end.
    pub of: Side,
    /// The side that must bring the end about at once when it can: that must mate, or stalemate.
    pub duty: Duty,
    /// Whether the end must stand after exactly the stated number of moves, in every line. Else it may stand earlier.
    pub exact: bool,
}

impl Goal {
    /// The goal of a direct mate: the defender is mated.
    pub const MATE: Goal = Goal { end: End::Mate, of: Side::Defender, duty: Duty::None, exact: false };
    /// The defender is mated with the last of a number of moves, not earlier.
    pub const EXACT: Goal = Goal { exact: true, ..Goal::MATE };
    /// The defender is stalemated.
    pub const STALEMATE: Goal = Goal { end: End::Stalemate, ..Goal::MATE };
    /// The goal of a selfmate: the attacker is mated.
    pub const SELFMATE: Goal = Goal { of: Side::Attacker, ..Goal::MATE };
    /// The attacker is stalemated.
    pub const SELF_STALEMATE: Goal = Goal { end: End::Stalemate, ..Goal::SELFMATE };
    /// The goal of a semi-reflex mate.
    pub const SEMI_REFLEX: Goal = Goal { duty: Duty::Defender, ..Goal::SELFMATE };
    /// The goal of a reflex mate.
    pub const REFLEX: Goal = Goal { duty: Duty::Both, ..Goal::SELFMATE };
    /// The goal of a semi-reflex stalemate.
    pub const SEMI_REFLEX_STALEMATE: Goal = Goal { end: End::Stalemate, ..Goal::SEMI_REFLEX };
    /// The goal of a reflex stalemate.
    pub const REFLEX_STALEMATE: Goal = Goal { end: End::Stalemate, ..Goal::REFLEX };

    /// All goals that one side can force.
    pub const ALL: [Goal; 9] = [
        Goal::MATE,
        Goal::EXACT,
        Goal::STALEMATE,
        Goal::SELFMATE,
        Goal::SELF_STALEMATE,
        Goal::SEMI_REFLEX,
        Goal::REFLEX,
        Goal::SEMI_REFLEX_STALEMATE,
        Goal::REFLEX_STALEMATE,
    ];

    /// Returns the goal of mating this side.
    #[inline]
    pub fn of(side: Side) -> Goal {
        Goal { of: side, ..Goal::MATE }
    }

    /// Returns whether the goal is that of a direct mate.
    #[inline]
    pub fn is_mate(self) -> bool {
        self == Goal::MATE
    }

    /// Returns whether the goal happens to the attacker, so that the defender makes the last move.
    #[inline]
    pub fn is_self(self) -> bool {
        self.of == Side::Attacker
    }

    /// Returns the number of plies of a line in which the attacker makes `moves` moves and the goal is reached. `kind`
    /// is that of the position where it begins.
    #[inline]
    pub fn plies(self, moves: MateLength, kind: NodeKind) -> usize {
        match kind {
            NodeKind::Or if self.is_self() => 2 * usize::from(moves.0),
            NodeKind::And if self.is_self() => 2 * usize::from(moves.0) + 1,
            kind => moves.plies(kind),
        }
    }

    /// Returns bits that differ for different goals; 0 for direct mates.
    #[inline]
    pub fn salt(self) -> u64 {
        u64::from(self.is_self())
            | u64::from(self.end == End::Stalemate) << 1
            | (self.duty as u64) << 2
            | u64::from(self.exact) << 4
    }
}
