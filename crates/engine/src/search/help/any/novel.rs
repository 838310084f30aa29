//! A search for some mate with the help of both sides, which looks for what is new.
//!
//! Where pawns are locked, both sides must bring a few officers to certain squares, and all the rest is idle. The
//! number of positions grows with the product of the squares of all officers, the number of pairs of officers on their
//! squares far more slowly. So a position is kept only if an officer (or king), or a pair of them, stands as none has
//! stood before in the same **structure**: the same pawns, the same number of each officer, the same side to move. So
//! each structure takes a bounded number of nodes. (In planning this is known as width-based search: Lipovetzky and
//! Geffner, 2012.)
//!
//! Of the positions that are kept, those in which an officer stands anew come first. Among them, captures by the side
//! that is to be mated make a position wait, and captures and pawn moves of both sides bring it forward. Now and then
//! the oldest one is taken, so that old structures get a turn.
//!
//! It finds mates, and proves nothing: a mate may follow what is not new.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use arrayvec::ArrayVec;
use hashbrown::HashSet;
use shakmaty::{Color, Role};

use crate::chess::{End, MoveCode, PackedPosition, Position, rules};
use crate::search::{Interrupted, Meter};

use super::line_to;

/// The memory for a position, and for a pair of officers, while all tables grow, in bytes.
const BYTES: usize = 256;
const PAIR_BYTES: usize = 64;

/// The captures and pawn moves that weigh as much as a capture by the side that is to be mated. Doubled, captures by
/// that side wait longer; halved, less long.
const LOSS: u32 = 8;

/// After this number of positions, the oldest one is taken. Doubled, old structures wait longer; halved, new positions
/// do.
const OLDEST: u32 = 16;

/// The officers and the king, by number. With a colour and a square they make a place.
const OFFICERS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// The number of places.
const PLACES: u32 = 2 * OFFICERS.len() as u32 * 64;

/// A position of the search, and how it arises.
struct Member {
    state: PackedPosition,
    parent: u32,
    code: u16,
    is_done: bool,
    /// What the captures and pawn moves on the way are worth; less is better.
    weight: u32,
}

/// A search under way.
pub(super) struct Novel {
    root: Position,
    /// The side that is to mate.
    color: Color,
    members: Vec<Member>,
    /// The members that have not been looked at, by what is new in them and their weight, and by age.
    best: BinaryHeap<Reverse<(u8, u32, u32)>>,
    oldest: [VecDeque<u32>; 2],
    /// The pairs of places that have been taken in each structure, by a key of the structure.
    pairs: HashSet<(u64, u32)>,
    memory: usize,
    looked_at: u32,
}

impl Novel {
    pub(super) fn new(root: &Position, color: Color, memory: usize) -> Novel {
        let mut this = Novel {
            root: *root,
            color,
            members: Vec::new(),
            best: BinaryHeap::new(),
            oldest: [VecDeque::new(), VecDeque::new()],
            pairs: HashSet::new(),
            memory,
            looked_at: 0,
        };
        if let Some(state) = PackedPosition::of(root) {
            this.add(Member { state, parent: u32::MAX, code: 0, is_done: false, weight: u32::from(u16::MAX) }, 1);
        }
        this
    }

    /// Looks at positions until a mate is found, nothing is new, or the slice of the meter ends.
    pub(super) fn search(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<MoveCode>>, Interrupted> {
        while let Some(at) = self.next() {
            let Member { state, weight, .. } = self.members[at as usize];
            let position = state.unpack(&self.root);
            if position.turn() == self.color
                && let Some(m) = rules::ends(&position, End::Mate).first()
            {
                meter.node()?;
                return Ok(Some(self.line(at, m.code())));
            }
            for &m in &position.legal_moves() {
                meter.node()?;
                let child = position.play(m);
                let Some(state) = PackedPosition::of(&child).filter(|_| !child.cannot_mate(self.color)) else {
                    continue;
                };
                let Some(novelty) = self.novelty(&child).filter(|_| self.has_room()) else { continue };
                let is_loss = m.capture().is_some() && position.turn() != self.color;
                let is_lasting = m.capture().is_some() || m.role() == Role::Pawn;
                let weight = (weight + u32::from(is_loss) * LOSS).saturating_sub(u32::from(is_lasting));
                let code = MoveCode::pack(Some(m.code()));
                self.add(Member { state, parent: at, code, is_done: false, weight }, novelty);
            }
        }
        Ok(None)
    }

    fn has_room(&self) -> bool {
        self.members.len() * BYTES + self.pairs.len() * PAIR_BYTES < self.memory
    }

    fn add(&mut self, member: Member, novelty: u8) {
        let at = self.members.len() as u32;
        self.best.push(Reverse((novelty, member.weight, at)));
        self.oldest[usize::from(novelty) - 1].push_back(at);
        self.members.push(member);
    }

    /// Returns the member to look at next.
    fn next(&mut self) -> Option<u32> {
        self.looked_at += 1;
        loop {
            let oldest = self.looked_at.is_multiple_of(OLDEST);
            let of_age = if oldest { self.oldest.iter_mut().find_map(VecDeque::pop_front) } else { None };
            let at = of_age.or_else(|| self.best.pop().map(|Reverse((.., at))| at))?;
            if !std::mem::replace(&mut self.members[at as usize].is_done, true) {
                return Some(at);
            }
        }
    }

    /// Notes the places of the officers. Returns 1 if one of them is new in this structure, 2 if only a pair is; `None`
    /// if nothing is.
    fn novelty(&mut self, position: &Position) -> Option<u8> {
        let pawns = Color::ALL.map(|color| position.men(color, Role::Pawn).0);
        let mut structure = mixed(mixed(pawns[0], pawns[1]), u64::from(position.turn().is_white()));
        let mut places = ArrayVec::<u32, 64>::new();
        let kinds = Color::ALL.into_iter().flat_map(|color| OFFICERS.map(|role| (color, role)));
        for (kind, (color, role)) in (0..).zip(kinds) {
            let men = position.men(color, role);
            structure = mixed(structure, men.count() as u64);
            places.extend(men.into_iter().map(|square| kind * 64 + square as u32));
        }
        let mut novelty = None;
        for (at, &one) in places.iter().enumerate() {
            for &other in &places[..at] {
                if self.pairs.insert((structure, one * PLACES + other)) {
                    novelty = novelty.or(Some(2));
                }
            }
            if self.pairs.insert((structure, one * PLACES + one)) {
                novelty = Some(1);
            }
        }
        novelty
    }

    /// Returns the moves to a member, and a last one.
    fn line(&self, at: u32, last: MoveCode) -> Vec<MoveCode> {
        line_to(at, last, |at| (self.members[at as usize].parent, self.members[at as usize].code))
    }
}

/// Returns a key made of two. Structures with the same key by chance are taken for the same one.
fn mixed(one: u64, other: u64) -> u64 {
    (one ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
