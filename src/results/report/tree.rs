//! The solution tree: what a printed solution consists of, each position once.
//!
//! A **play** is a position with the defender to move, in the printed solution: what follows a key, a try, a
//! continuation, or the diagram itself (set play). It says what a pass of the defender would allow (the **threats**,
//! or *zugzwang* if nothing) and lists the **variations**: the defences worth showing, each with all its
//! **continuations**.
//!
//! ```text
//!   1.Rh6!            Key      ──next──> Play { pass: Zugzwang, variations }
//!       1...gxh6      Variation              │
//!           2.g7#     Continuation, next: Mate
//! ```
//!
//! Which defences are worth showing is Popeye's rule, which the published solutions follow. After a check or with no
//! threat: all. Otherwise those after which the mate takes longer than the threats, or as long if at least one threat
//! fails. All others leave the threat standing, or are mated faster than by it; they are only counted. Likewise a
//! variation's continuations are all that mate in the *shortest* possible time after that defence, no others.
//!
//! Plays are kept in an arena and named by [`PlayId`]: a position (with the moves left and the side whose play it is)
//! that occurs twice is one play, so the tree of a long solution stays finite. A play refers only to plays made before
//! it: there are no cycles.

use shakmaty::Move;

/// A move, with its notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ply {
    /// The move, for those who write another notation: who moves, from where to where, what is taken, castling, en
    /// passant, promotion.
    pub mv: Move,
    /// It gives check (mate included).
    pub check: bool,
    /// It mates.
    pub mate: bool,
    /// Standard algebraic notation, with `+` or `#`.
    pub san: String,
    /// UCI notation.
    pub uci: String,
}

/// Names a play in its [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayId(pub u32);

/// What stands after a move of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Checkmate.
    Mate,
    /// More play.
    Play(PlayId),
    /// More play, left out: the tree was full, or a limit was reached.
    Cut,
}

/// What the defender faces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play {
    /// The moves the attacker has left.
    pub left: u16,
    /// The attacker mates in exactly so many moves against the best defence; `None` where some defence refutes (after
    /// a try) or has no reply (set play).
    pub mate_in: Option<u16>,
    /// What a pass would allow.
    pub pass: Pass,
    /// The defences shown, in the order of [`Ply::uci`].
    pub variations: Vec<Variation>,
    /// How many legal defences are not shown: the threat still works, or they are mated faster. Refutations of a try
    /// are not counted here.
    pub unshown: u16,
    /// Something below is left out: the tree was full, or a limit was reached.
    pub cut: bool,
}

/// What would happen if the defender could pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pass {
    /// He is in check, and cannot; or it is set play, where the question does not arise.
    Impossible,
    /// Nothing within the moves left: he is in zugzwang.
    Zugzwang,
    /// These are threatened: all that mate in the shortest possible time. Never empty.
    Threats(Vec<Continuation>),
}

/// A defence and what the attacker has against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// The defender's move.
    pub defence: Ply,
    /// The attacker mates in exactly so many moves.
    pub mate_in: u16,
    /// All moves that mate in that time, in the order of [`Ply::uci`]; more than one is a dual. Never empty.
    pub continuations: Vec<Continuation>,
}

/// A move of the attacker within the solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continuation {
    /// The move.
    pub ply: Ply,
    /// It mates in exactly so many moves, itself counted.
    pub mate_in: u16,
    /// What follows.
    pub next: Next,
}

/// The arena of plays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    plays: Vec<Play>,
}

impl Tree {
    /// Adds a play whose own plays are already in the tree.
    ///
    /// # Panics
    /// If it refers to itself or to a play not yet added.
    pub fn push(&mut self, play: Play) -> PlayId {
        let id = PlayId(self.plays.len() as u32);
        let earlier = |next: Next| !matches!(next, Next::Play(child) if child >= id);
        assert!(play.continuations().all(|continuation| earlier(continuation.next)), "children are added first");
        self.plays.push(play);
        id
    }

    /// The play of this name.
    ///
    /// # Panics
    /// If the name is another tree's.
    pub fn play(&self, id: PlayId) -> &Play {
        &self.plays[id.0 as usize]
    }

    /// All plays; a [`PlayId`] is an index here.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }
}

impl Play {
    /// A play with so many moves left for the attacker and no variations yet.
    pub fn empty(left: u16, pass: Pass) -> Play {
        Play { left, mate_in: None, pass, variations: Vec::new(), unshown: 0, cut: false }
    }

    /// The threats; empty in zugzwang and after a check.
    pub fn threats(&self) -> &[Continuation] {
        match &self.pass {
            Pass::Threats(threats) => threats,
            Pass::Impossible | Pass::Zugzwang => &[],
        }
    }

    /// The attacker's moves in threats and variations, in this order.
    pub fn continuations(&self) -> impl Iterator<Item = &Continuation> {
        self.threats().iter().chain(self.variations.iter().flat_map(|variation| &variation.continuations))
    }
}
