//! The solution tree: the play of a printed solution.
//!
//! A **play** is a position of the solution with the defender to move: after a move of the attacker, or the diagram
//! itself (set play, a diagram after the key). It has the **threats**, the attacker's shortest mates if the defender
//! could pass (*zugzwang* if he has none), and the **variations**: the defences that are shown, each with all its
//! **continuations**. After a check and in set play there is no threat.
//!
//! ```text
//!   1.Rh6!            Key      ──next──> Play { pass: Zugzwang, variations }
//!       1...gxh6      Variation              │
//!           2.g7#     Continuation, next: End(Mate)
//! ```
//!
//! Popeye's rule decides which of the answered defences are shown. If there is no threat, all are shown. Otherwise one
//! is shown if the mate takes longer than the threats, or equally long if at least one threat fails after it; if short
//! variations are asked for, also one that is mated faster. The others are only counted. The continuations of a
//! variation are all moves that mate in the *shortest* possible time after its defence. In a diagram after a key that
//! fails, all are shown (unless the play has its full length).
//!
//! Where the goal is another than mate, "mates" stands for "reaches the goal". In a selfmate the defender makes the
//! last move: after the attacker's last move stands a play with no move left, whose variations are all the moves that
//! mate, without continuations. Where a move is left, a defence that reaches the goal itself is counted only, unless
//! short variations are asked for or there are no other defences. A defender who must mate at once (reflex play) has no
//! other variations, and no threat.
//!
//! The plays stand in an arena, in which a [`PlayId`] is an index. A position that occurs twice after keys or
//! continuations, with the same number of moves left, is one play, so the tree of a long solution stays small. A play
//! refers only to plays that were added before it, so there are no cycles.

use serde::Serialize;

use crate::chess::End;
pub use crate::results::ply::Ply;

/// The index of a play in its [`Tree`], from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayId(pub u32);

/// The play after a move of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The move reaches the goal: this stands on the board.
    End(End),
    /// The defender moves.
    Play(PlayId),
    /// The defender moves, but this play is left out: the tree was full, or a limit was reached.
    Cut,
}

/// A position of the solution with the defender to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play {
    /// The number of moves that the attacker has left.
    pub left: u16,
    /// The exact length of the mate against the best defence, in moves. `None` where a defence refutes (after a try) or
    /// may have no reply (set play).
    pub mate_in: Option<u16>,
    /// The threats, or the reason why there are none.
    pub pass: Pass,
    /// The defences that are shown, in the order of [`Ply::uci`].
    pub variations: Vec<Variation>,
    /// The number of legal defences that are not shown: they allow the threats, are mated faster, or have no reply (set
    /// play). Refutations of a try are not counted.
    pub unshown: u16,
    /// Whether something below this play is left out: the tree was full, or a limit was reached.
    pub cut: bool,
}

/// The result if the defender could pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pass {
    /// The defender is in check and cannot pass, or he must mate; or the attacker has no move left; or the play is set
    /// play, which has no threats; or threats were not asked for.
    Impossible,
    /// The attacker does not mate within the moves left: the defender is in zugzwang.
    Zugzwang,
    /// The attacker mates: these are all moves that mate in the shortest possible time. Never empty.
    Threats(Vec<Continuation>),
}

/// A defence and the attacker's replies to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// The defender's move.
    pub defence: Ply,
    /// The exact length of the mate after the defence, in moves; 0 if the defence itself reaches the goal.
    pub mate_in: u16,
    /// All moves that mate in `mate_in`, in the order of [`Ply::uci`]. More than one is a dual. Empty only if `mate_in`
    /// is 0.
    pub continuations: Vec<Continuation>,
    /// What stands on the board after the defence, if it reaches the goal.
    pub end: Option<End>,
}

/// A move of the attacker within the solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Continuation {
    /// The move.
    #[serde(flatten)]
    pub ply: Ply,
    /// The exact length of the mate, in moves, including this move.
    pub mate_in: u16,
    /// The play after the move.
    #[serde(skip)]
    pub next: Next,
}

/// The arena of plays. See [`Report`](super::Report) for an example.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    plays: Vec<Play>,
}

impl Tree {
    /// Adds a play. The plays it refers to must be in the tree already.
    ///
    /// # Panics
    /// If the play refers to one that is not in the tree.
    pub fn push(&mut self, play: Play) -> PlayId {
        let id = PlayId(self.plays.len() as u32);
        let earlier = |next: Next| !matches!(next, Next::Play(child) if child >= id);
        assert!(play.continuations().all(|continuation| earlier(continuation.next)), "children are added first");
        self.plays.push(play);
        id
    }

    /// Returns the play with this index.
    ///
    /// # Panics
    /// If the tree has no such play, because the index belongs to another tree.
    pub fn play(&self, id: PlayId) -> &Play {
        &self.plays[id.0 as usize]
    }

    /// Returns whether something is left out here or below.
    pub fn is_cut(&self, next: Next) -> bool {
        match next {
            Next::End(_) => false,
            Next::Play(id) => self.play(id).cut,
            Next::Cut => true,
        }
    }

    /// Returns the defences that end the line, if nothing else follows a move of the attacker: none after a move that
    /// reaches the goal, those that reach it after the last move before.
    pub fn closing(&self, next: Next) -> Option<&[Variation]> {
        match next {
            Next::End(_) => Some(&[]),
            Next::Play(id) => {
                let play = self.play(id);
                let closes = play.left == 0 && !play.cut;
                closes.then_some(&play.variations)
            }
            Next::Cut => None,
        }
    }

    /// Calls `change` with every move of the tree.
    pub(crate) fn for_each_ply(&mut self, change: &mut impl FnMut(&mut Ply)) {
        for play in &mut self.plays {
            if let Pass::Threats(threats) = &mut play.pass {
                threats.iter_mut().map(|threat| &mut threat.ply).for_each(&mut *change);
            }
            for variation in &mut play.variations {
                change(&mut variation.defence);
                variation.continuations.iter_mut().map(|answer| &mut answer.ply).for_each(&mut *change);
            }
        }
    }

    /// All plays; a [`PlayId`] is an index here.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }
}

impl Play {
    /// Makes a play without variations. The attacker has `left` moves left.
    pub fn empty(left: u16, pass: Pass) -> Play {
        Play { left, mate_in: None, pass, variations: Vec::new(), unshown: 0, cut: false }
    }

    /// The threats. Empty in zugzwang, after a check and in set play.
    pub fn threats(&self) -> &[Continuation] {
        match &self.pass {
            Pass::Threats(threats) => threats,
            Pass::Impossible | Pass::Zugzwang => &[],
        }
    }

    /// The attacker's moves in this play: first the threats, then the continuations of the variations.
    pub fn continuations(&self) -> impl Iterator<Item = &Continuation> {
        self.threats().iter().chain(self.variations.iter().flat_map(|variation| &variation.continuations))
    }
}
