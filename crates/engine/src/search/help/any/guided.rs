//! A search for some mate with the help of both sides: depth first, guided by a plan.
//!
//! The plan: the mating side captures, advances its pawns in the other half, and brings its king and knights up. The
//! other king goes into a corner, and its knights come there too; its pawns promote to bishop or knight if the mating
//! side has no queen, rook or pawn. A move of the plan costs no depth, a capture by the side that is to be mated costs
//! three, other moves one. The depths of `DEPTHS` are tried in turn, each with the same number of nodes and an empty
//! table. A position that was searched with at least the same depth left is not searched again, unless the table was
//! full and was emptied.
//!
//! It finds mates, and proves nothing: its table holds positions whose search was cut.

use hashbrown::HashMap;
use shakmaty::{Bitboard, Color, Role, Square};

use crate::chess::{End, Move, MoveCode, PackedPosition, Position, rules};
use crate::search::{Interrupted, Meter, StopReason};

/// The longest line before the mating half-move, in half-moves. Halved, longer ways to a mate are missed; doubled,
/// dives take longer.
const LONGEST: usize = 300;

/// The depths that share the nodes: deep ones first, which dive to a mate where there are many. Shallow ones
/// look for a short way where few moves lead to one.
const DEPTHS: [u16; 8] = [60, 30, 15, 8, 4, 2, 1, 120];

/// The memory for a position of the table while it grows. Halved, the table may take more than its memory; doubled, it
/// is smaller than it could be.
const BYTES: usize = 96;

/// A search under way.
pub(super) struct Guided {
    root: Position,
    /// The side that is to mate.
    color: Color,
    table: HashMap<PackedPosition, u16>,
    most: usize,
    line: Vec<MoveCode>,
}

impl Guided {
    pub(super) fn new(root: &Position, color: Color, memory: usize) -> Guided {
        let most = memory / BYTES;
        Guided { root: *root, color, table: HashMap::new(), most, line: Vec::new() }
    }

    /// Searches with at most `nodes` nodes. Returns the moves to a mate, if one is found.
    pub(super) fn search(&mut self, nodes: u64, meter: &mut Meter<'_>) -> Result<Option<Vec<MoveCode>>, Interrupted> {
        for depth in DEPTHS {
            meter.set_slice(Some(nodes / DEPTHS.len() as u64));
            self.line.clear();
            self.table.clear();
            match self.visit(&self.root.clone(), depth, meter) {
                Ok(true) => return Ok(Some(self.line.clone())),
                Ok(false) | Err(StopReason::Slice) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }

    /// Looks for a mate with `depth` left.
    fn visit(&mut self, position: &Position, left: u16, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
        if position.turn() == self.color
            && let Some(m) = rules::ends(position, End::Mate).first()
        {
            meter.node()?;
            self.line.push(m.code());
            return Ok(true);
        }
        if self.line.len() >= LONGEST {
            return Ok(false);
        }
        let plan = Plan::of(position, self.color);
        let mut moves: Vec<(u16, Move)> = position.legal_moves().iter().map(|&m| (plan.cost(m), m)).collect();
        moves.sort_by_key(|&(cost, m)| (cost, m.promotion().is_none(), m.capture().is_none(), m.role()));
        for (cost, m) in moves.into_iter().take_while(|&(cost, _)| cost <= left) {
            meter.node()?;
            let child = position.play(m);
            if child.cannot_mate(self.color) || self.is_known(&child, left - cost) {
                continue;
            }
            self.line.push(m.code());
            if self.visit(&child, left - cost, meter)? {
                return Ok(true);
            }
            self.line.pop();
        }
        Ok(false)
    }

    /// Returns whether a position was searched with this depth; notes that it is now.
    fn is_known(&mut self, position: &Position, left: u16) -> bool {
        let Some(state) = PackedPosition::of(position) else { return true };
        if self.table.len() >= self.most {
            self.table.clear();
        }
        let known = self.table.entry(state).or_insert(0);
        let is_known = *known > left;
        *known = (*known).max(left + 1);
        is_known
    }
}

/// The plan of the side to move.
struct Plan {
    is_mating: bool,
    turn: Color,
    /// The corners into which the king is to go.
    corners: Bitboard,
    /// The square to which the men of the mating side come.
    goal: Square,
    /// Whether the mating side needs blocks that a queen or rook would not give.
    needs_minor: bool,
}

fn distance(squares: Bitboard, from: Square) -> u32 {
    squares.into_iter().map(|square| square.distance(from)).min().unwrap_or(0)
}

impl Plan {
    fn of(position: &Position, color: Color) -> Plan {
        let king = position.king(!color);
        let ours = position.by_color(color);
        let strong = position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
        let (bishops, knights) = (position.men(color, Role::Bishop), position.men(color, Role::Knight));
        let is_weak = (ours & strong).is_empty();
        let dark = bishops & Bitboard::DARK_SQUARES;
        let corners = match () {
            () if !is_weak || knights.any() || dark.any() && dark != bishops => Bitboard::CORNERS,
            () if dark.any() => Bitboard::CORNERS & Bitboard::DARK_SQUARES,
            () => Bitboard::CORNERS & Bitboard::LIGHT_SQUARES,
        };
        let nearest = corners.into_iter().min_by_key(|corner| corner.distance(king));
        let turn = position.turn();
        let goal = nearest.unwrap_or(king);
        Plan { is_mating: turn == color, turn, corners, goal, needs_minor: is_weak }
    }

    fn cost(&self, m: Move) -> u16 {
        let comes_nearer = |squares| distance(squares, m.to()) < distance(squares, m.from());
        let goal = Bitboard::from(self.goal);
        let is_planned = if self.is_mating {
            let rank = self.turn.fold_wb(m.to().rank() as u32, 7 - m.to().rank() as u32);
            m.capture().is_some()
                || m.role() == Role::Pawn && rank >= 4
                || matches!(m.role(), Role::King | Role::Knight) && comes_nearer(goal)
        } else if m.capture().is_some() {
            return 3;
        } else {
            match m.role() {
                Role::King => comes_nearer(self.corners),
                Role::Knight => comes_nearer(goal),
                _ => self.needs_minor && matches!(m.promotion(), Some(Role::Knight | Role::Bishop)),
            }
        };
        u16::from(!is_planned)
    }
}
