//! The closed set: breadth first, all positions that can ever arise, until a mate is found, nothing is added, or the
//! memory is full.
//!
//! Positions are compared as a whole. Nothing is left out but what follows a position from which it is proved that no
//! mate ever comes ([`super::super::reach`]). So the first mate found is a shortest one, and where the set closes
//! without one, there is no mate of any length.

use std::hash::BuildHasher as _;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use shakmaty::{Color, Role};

use crate::chess::{End, Move, MoveCode, PackedPosition, Position, rules};
use crate::search::{Interrupted, Meter};

use super::super::reach::never_mates_within;
use super::line_to;

/// The memory for a position, with its place in the index, while both grow. Halved, the set may take more than its
/// memory; doubled, it is given up too early.
const BYTES: usize = 128;

/// The steps of a question whether a mate can still come. Doubled, more positions are left out and each question takes
/// longer; halved, the set grows.
const ASKED_STEPS: u32 = 300;

/// A position of the set, and how it arises first.
#[derive(Debug, Clone, Copy)]
struct Member {
    state: PackedPosition,
    parent: u32,
    code: u16,
}

/// The positions found so far.
pub(super) struct Closed {
    root: Position,
    /// The side that is to mate.
    color: Color,
    members: Vec<Member>,
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The members that have been looked at.
    done: usize,
    /// The half-moves to the member that is looked at next, and the first member with one more.
    depth: u16,
    next_depth: usize,
    most: usize,
    asked: Asked,
}

/// How often it was asked whether a mate can still come, and how often it was denied.
#[derive(Debug, Default)]
struct Asked {
    calls: u32,
    questions: u32,
    denied: u32,
}

/// The result of adding to the set.
pub(super) enum Found {
    /// A shortest mate.
    Mate(Vec<MoveCode>),
    /// There is no mate of any length.
    Never,
    /// There is no memory for more.
    Full,
}

impl Closed {
    /// Begins with a position of which it is not proved that no mate ever comes.
    pub(super) fn new(root: &Position, color: Color, memory: usize) -> Closed {
        let mut this = Closed {
            root: *root,
            color,
            members: Vec::new(),
            places: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            done: 0,
            depth: 0,
            next_depth: 1,
            most: (memory / BYTES).min(u32::MAX as usize - 1),
            asked: Asked::default(),
        };
        if let Some(state) = PackedPosition::of(root).filter(|_| this.most > 0) {
            this.add(Member { state, parent: u32::MAX, code: 0 });
        }
        this
    }

    /// Returns the half-moves within which there is no mate.
    pub(super) fn refuted(&self) -> u16 {
        self.depth
    }

    /// Looks at positions until a mate is found, the set is closed, or the slice of the meter ends.
    pub(super) fn grow(&mut self, meter: &mut Meter<'_>) -> Result<Found, Interrupted> {
        if self.members.is_empty() {
            return Ok(Found::Full);
        }
        while let Some(member) = self.members.get(self.done) {
            if self.done == self.next_depth {
                self.depth += 1;
                self.next_depth = self.members.len();
            }
            let position = member.state.unpack(&self.root);
            if position.turn() == self.color
                && let Some(m) = rules::ends(&position, End::Mate).first()
            {
                meter.node()?;
                return Ok(Found::Mate(self.line(self.done as u32, m.code())));
            }
            for &m in &position.legal_moves() {
                meter.node()?;
                if !self.follow(&position, m) {
                    return Ok(Found::Full);
                }
            }
            self.done += 1;
        }
        Ok(Found::Never)
    }

    /// Adds the position after a move, unless it is known or no mate ever comes from it. Returns `false` if there is no
    /// memory for it.
    fn follow(&mut self, position: &Position, m: Move) -> bool {
        let child = position.play(m);
        let is_lasting = m.capture().is_some() || m.role() == Role::Pawn;
        if is_lasting && (child.cannot_mate(self.color) || self.asked.pays() && self.is_denied(&child)) {
            return true;
        }
        let Some(state) = PackedPosition::of(&child) else { return false };
        if self.members.len() >= self.most {
            return false;
        }
        self.add(Member { state, parent: self.done as u32, code: MoveCode::pack(Some(m.code())) });
        true
    }

    fn is_denied(&mut self, child: &Position) -> bool {
        let is_denied = never_mates_within(child, self.color, ASKED_STEPS);
        self.asked.questions += 1;
        self.asked.denied += u32::from(is_denied);
        is_denied
    }

    fn add(&mut self, member: Member) {
        let Closed { members, places, hasher, .. } = self;
        let hash = |state: &PackedPosition| hasher.hash_one(state);
        let is_same = |&place: &u32| members[place as usize].state == member.state;
        let of = |&place: &u32| hash(&members[place as usize].state);
        if let Entry::Vacant(new) = places.entry(hash(&member.state), is_same, of) {
            new.insert(members.len() as u32);
            members.push(member);
        }
    }

    /// Returns the moves to a member, and a last one.
    fn line(&self, at: u32, last: MoveCode) -> Vec<MoveCode> {
        line_to(at, last, |at| (self.members[at as usize].parent, self.members[at as usize].code))
    }
}

impl Asked {
    /// Returns whether to ask now: every time, or every sixteenth time where it is rarely denied.
    fn pays(&mut self) -> bool {
        self.calls += 1;
        self.questions < 64 || self.denied * 20 >= self.questions || self.calls.is_multiple_of(16)
    }
}
