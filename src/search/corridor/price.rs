//! The cost of a move: what its replies cost in a family, without those that lose at once.
//!
//! The replies are counted in two steps. First each reply counts by its kind. If the sum is too high, captures and
//! officers' moves are tried: a reply after which the attacker mates by a few checks costs nothing. Counting stops as
//! soon as the cost exceeds the limit, and the replies that made an earlier move too expensive are tried first, so that
//! most rejected moves cost one or two positions.

use hashbrown::HashMap;
use shakmaty::{Bitboard, Role};

use crate::chess::{MateLength, Move, MoveCode, Position};
use crate::search::{Interrupted, Meter};

use super::family::{Family, Prices};
use super::quick;

/// The result of trying a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// Nothing.
    Untried,
    /// The small search finds no mate after it.
    Open,
    /// The small search mates after it within this length.
    Mated(MateLength),
}

/// A reply of the defender.
#[derive(Debug, Clone)]
pub(super) struct Defence {
    pub m: Move,
    pub reply: Reply,
    /// The position after it, once it is made.
    pub position: Option<Position>,
    price: u16,
}

/// The cost of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// It is at most the limit.
    Within(u16),
    /// It is above the limit, and at least this.
    Above(u16),
}

/// Counts the cost of moves.
#[derive(Debug, Default)]
pub(super) struct Pricer {
    /// The replies to the last move that was priced.
    pub defences: Vec<Defence>,
    /// The replies that made the last two rejected moves too expensive.
    refuters: [Option<MoveCode>; 2],
    /// By key of the position after it: a cost that a rejected move has at least.
    rejected: HashMap<u64, u16>,
}

/// The most rejected moves that are remembered.
const MOST_REJECTED: usize = 1 << 18;

impl Pricer {
    /// Forgets all costs: another family begins.
    pub fn clear(&mut self) {
        self.rejected.clear();
    }

    /// Returns a cost that the move to the position with this key has at least; 0 if nothing is known.
    pub fn least_cost(&self, key: u64) -> u16 {
        self.rejected.get(&key).copied().unwrap_or(0)
    }

    /// Returns the cost of the move to `after`, where the defender is to move. The small search has `moves` moves.
    pub fn price(
        &mut self,
        family: Family,
        after: &Position,
        limit: u16,
        moves: u16,
        meter: &mut Meter<'_>,
    ) -> Result<Cost, Interrupted> {
        let prices = family.prices(after.is_check());
        let (mut cost, mut open) = self.list(after, prices);
        if cost > limit {
            return Ok(self.reject(after, cost, None));
        }
        self.refuters_first();
        let mut counted = Bitboard::EMPTY;
        for at in 0..self.defences.len() {
            if cost + open <= limit {
                break;
            }
            let Defence { m, price, .. } = self.defences[at];
            if price == 0 {
                continue;
            }
            open -= price;
            if prices.once && m.capture().is_none() && counted.contains(m.from()) {
                continue;
            }
            if self.try_reply(after, at, moves, meter)? == Reply::Open {
                cost += price;
                if m.capture().is_none() {
                    counted.add(m.from());
                }
                if cost > limit {
                    return Ok(self.reject(after, cost, Some(m.code())));
                }
            }
        }
        Ok(Cost::Within(cost + open))
    }

    /// Lists the replies with their prices. Returns the cost of the replies that are not tried, and that of the others
    /// together.
    fn list(&mut self, after: &Position, prices: Prices) -> (u16, u16) {
        let (mut king_moves, mut fixed, mut open) = (0, prices.own, 0);
        self.defences.clear();
        for m in after.legal_moves() {
            let price = match m.role() {
                _ if m.capture().is_some() => prices.capture,
                Role::King => {
                    king_moves += 1;
                    0
                }
                Role::Pawn if m.promotion().is_none() => {
                    fixed += prices.pawn;
                    0
                }
                role if Some(role) == prices.free => 0,
                _ => prices.officer,
            };
            open += price;
            self.defences.push(Defence { m, reply: Reply::Untried, position: None, price });
        }
        (fixed + king_moves * prices.king_moves / 2, open)
    }

    /// Puts the replies that rejected the last moves first.
    fn refuters_first(&mut self) {
        for refuter in self.refuters.iter().rev() {
            if let Some(at) = self.defences.iter().position(|defence| Some(defence.m.code()) == *refuter) {
                self.defences[..=at].rotate_right(1);
            }
        }
    }

    /// Looks for a mate after a reply, and remembers the result.
    pub fn try_reply(
        &mut self,
        after: &Position,
        at: usize,
        moves: u16,
        meter: &mut Meter<'_>,
    ) -> Result<Reply, Interrupted> {
        let defence = &mut self.defences[at];
        if defence.reply == Reply::Untried {
            meter.node()?;
            let position = after.play(defence.m);
            defence.position = Some(position);
            let found = quick::mate(&position, moves, meter)?;
            defence.reply = found.map_or(Reply::Open, |(_, length)| Reply::Mated(length));
        }
        Ok(defence.reply)
    }

    /// Remembers that a move costs at least this, and the reply that showed it.
    fn reject(&mut self, after: &Position, cost: u16, refuter: Option<MoveCode>) -> Cost {
        if self.rejected.len() >= MOST_REJECTED {
            self.rejected.clear();
        }
        self.rejected.insert(after.key(), cost);
        if refuter.is_some() && self.refuters[0] != refuter {
            self.refuters = [refuter, self.refuters[0]];
        }
        Cost::Above(cost)
    }
}
