//! The cost of a move: what its replies cost in a family. `levels` adds the price of the move itself.
//!
//! The replies are counted in two steps. First each reply counts by its kind. If the sum is too high, captures,
//! promotions and officers' moves are tried: a reply costs nothing if the small search mates after it, or a mate after
//! it is known. Counting stops as soon as the cost exceeds the limit, and the replies that made an earlier move too
//! expensive are tried first. Nothing is tried whose result is known or expected (`memory`).
//!
//! Most moves are rejected, so in every second round, the first among them, replies are only tried for a mate in one.
//! Longer mates are then looked for when a move is listed, and only after replies that cost something.

use std::num::NonZeroU16;

use hashbrown::HashMap;
use shakmaty::Role;

use crate::chess::{MateLength, Move, MoveCode, MoveList, Moves, Position};
use crate::search::{Interrupted, Meter};

use super::context::Context;
use super::family::{Family, Prices};
use super::list::NodeIndex;
use super::memory::{Memory, Reply};
use super::quick;

/// A reply of the defender.
#[derive(Debug, Clone)]
pub(super) struct Defence {
    pub m: Move,
    pub reply: Reply,
    /// The place of the position after it, once it is made.
    made: Option<NonZeroU16>,
    /// The number of that position in the list, if it is known.
    pub node: Option<NodeIndex>,
    /// The key of that position; 0 before it is computed.
    pub key: u64,
    /// A mate that another search has proved there.
    pub known: Option<MateLength>,
    price: u16,
    /// The moves of the small search that found nothing.
    tried: u16,
}

impl Defence {
    /// Returns whether the position after it belongs to the list: the small search finds no mate, or another search has
    /// proved one, which the list may shorten.
    pub fn is_listed(&self) -> bool {
        self.known.is_some() || self.reply == Reply::Open
    }

    /// Returns whether the reply costs nothing: a move of a pawn, of the king, or of an officer that is free.
    pub fn is_free(&self) -> bool {
        self.price == 0
    }
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
    /// The moves of the small search while a cost is counted.
    moves: u16,
    /// The replies to the last move that was priced.
    pub defences: Vec<Defence>,
    /// The positions after those that have been made.
    made: Vec<Position>,
    /// The replies that made the last two rejected moves too expensive.
    refuters: [Option<MoveCode>; 2],
    /// The longest mate of another search that answers a reply, in moves.
    pub longest: u16,
    /// By key of the position after it: a cost that a rejected move has at least.
    rejected: HashMap<u64, u16>,
    /// The results of replies.
    pub memory: Memory,
}

impl Pricer {
    /// Returns a pricer beside a list of this many bytes.
    pub fn beside(bytes: usize) -> Pricer {
        Pricer { memory: Memory::beside(bytes), ..Pricer::default() }
    }

    /// Forgets all costs: another family begins. A reply is free if a small search of `moves` moves mates after it.
    pub fn begin(&mut self, moves: u16) {
        self.rejected.clear();
        self.memory.begin(moves == self.moves);
        self.moves = moves;
    }

    /// Returns a cost that the move to the position with this key has at least; 0 if nothing is known.
    pub fn least_cost(&self, key: u64) -> u16 {
        self.rejected.get(&key).copied().unwrap_or(0)
    }

    /// Returns the cost of the replies at `after`, where the defender is to move. A cost within the limit may be less
    /// than what is returned. Without the move `by`, nothing is expected of the replies.
    pub fn price(
        &mut self,
        family: Family,
        by: Option<MoveCode>,
        after: &Position,
        limit: u16,
        context: &mut Context<'_, '_>,
    ) -> Result<Cost, Interrupted> {
        let prices = family.prices(after.is_check());
        // The king's moves alone reject most moves, so they are counted before the replies are listed.
        if prices.pawn == 0 && after.castling_rights().is_empty() {
            let flights = (after.flights() & !after.occupied()).count() as u16;
            let cost = flights * prices.king_moves / 2;
            if cost > limit {
                return Ok(self.reject(after, cost, None));
            }
        }
        let (mut cost, mut open) = self.list(after, prices);
        if cost > limit {
            return Ok(self.reject(after, cost, None));
        }
        self.refuters_first();
        for at in 0..self.defences.len() {
            if cost + open <= limit {
                break;
            }
            let Defence { m, price, .. } = self.defences[at];
            if price == 0 {
                continue;
            }
            open -= price;
            if self.is_open(by, after, at, context)? {
                cost += price;
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
        let (mut king_moves, mut fixed, mut open) = (0, 0, 0);
        self.defences.clear();
        self.made.clear();
        let mut legal = MoveList::new();
        after.generate(Moves::All, &mut legal);
        for &m in &legal {
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
            self.defences.push(Defence {
                m,
                reply: Reply::Untried,
                made: None,
                node: None,
                key: 0,
                known: None,
                price,
                tried: 0,
            });
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

    /// Returns whether a reply stays open, or is expected to.
    fn is_open(
        &mut self,
        by: Option<MoveCode>,
        after: &Position,
        at: usize,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, Interrupted> {
        if self.recall(after, at, context) {
            return Ok(false);
        }
        let to = self.defences[at].m.to();
        if by.is_some_and(|by| self.memory.is_expected_open(by, to)) {
            return Ok(true);
        }
        let reply = self.try_reply(after, at, self.moves, context.meter)?;
        if let Some(by) = by {
            self.memory.learn(by, to, reply);
        }
        Ok(reply == Reply::Open)
    }

    /// Returns whether another search has proved a mate after a reply.
    pub fn recall(&mut self, after: &Position, at: usize, context: &Context<'_, '_>) -> bool {
        let defence = &mut self.defences[at];
        if defence.key == 0 {
            defence.key = after.key_after(defence.m);
        }
        defence.known = context.known_mate(defence.key, self.longest);
        defence.known.is_some()
    }

    /// Returns the position after a reply, once it is made.
    pub fn position_after(&self, defence: &Defence) -> Option<&Position> {
        defence.made.map(|place| &self.made[usize::from(place.get()) - 1])
    }

    /// Makes the position after a reply, which is a node, unless it is made.
    pub fn make(&mut self, after: &Position, at: usize, meter: &mut Meter<'_>) -> Result<(), Interrupted> {
        let defence = &mut self.defences[at];
        if defence.made.is_none() {
            meter.node()?;
            self.made.push(after.play(defence.m));
            defence.made = NonZeroU16::new(self.made.len() as u16);
        }
        Ok(())
    }

    /// Looks for a mate after a reply by a small search of `moves` moves, and remembers the result. The reply must have
    /// been looked up by [`Pricer::recall`].
    pub fn try_reply(
        &mut self,
        after: &Position,
        at: usize,
        moves: u16,
        meter: &mut Meter<'_>,
    ) -> Result<Reply, Interrupted> {
        let defence = &mut self.defences[at];
        let is_new = defence.reply == Reply::Untried || (defence.reply == Reply::Open && defence.tried < moves);
        if !is_new {
            return Ok(defence.reply);
        }
        if let Some(known) = self.memory.known(defence.key, moves) {
            (defence.reply, defence.tried, defence.node) = (known.reply, known.moves, known.node);
            return Ok(known.reply);
        }
        self.make(after, at, meter)?;
        self.defences[at].tried = moves;
        let Some(position) = self.position_after(&self.defences[at]) else { return Ok(Reply::Untried) };
        let found = quick::mate(position, moves, meter)?;
        let defence = &mut self.defences[at];
        defence.reply = found.map_or(Reply::Open, |(_, length)| Reply::Mated(length));
        self.memory.store(defence.key, defence.reply, moves);
        Ok(defence.reply)
    }

    /// Remembers that a move costs at least this, and the reply that showed it.
    fn reject(&mut self, after: &Position, cost: u16, refuter: Option<MoveCode>) -> Cost {
        if self.rejected.len() >= self.memory.most {
            self.rejected.clear();
        }
        self.rejected.insert(after.key(), cost);
        if refuter.is_some() && self.refuters[0] != refuter {
            self.refuters = [refuter, self.refuters[0]];
        }
        Cost::Above(cost)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::chess::testing::position;
    use crate::search::{Control, Facts, Limits};

    /// Counts the cost of the replies by the table of the families.
    fn plain(family: Family, after: &Position) -> u16 {
        let halves = after.legal_moves().into_iter().map(|m| {
            let is_mated = after.play(m).mate_in_one().is_some();
            let is_quiet_pawn = m.role() == Role::Pawn && m.promotion().is_none();
            match (family, m.role()) {
                _ if m.capture().is_some() && is_mated => 0,
                (Family::Checks, _) if m.capture().is_some() => 2,
                _ if m.capture().is_some() => 6,
                (Family::Caged, Role::King) => u16::from(!after.is_check()),
                (_, Role::King) => 2,
                (Family::Checks, _) if is_quiet_pawn => 2 * u16::from(!after.is_check()),
                _ if is_quiet_pawn || is_mated => 0,
                (Family::Rook, Role::Rook) | (Family::Bishop | Family::Trek, Role::Bishop) => 0,
                (Family::Caged | Family::Checks, _) => 2,
                _ => 4,
            }
        });
        halves.sum::<u16>() / 2
    }

    #[test]
    fn the_cost_of_every_family_is_that_of_a_plain_count() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let facts = Facts::with_bytes(1 << 10);
        let (mut meter, mut pricer) = (Meter::new(&control), Pricer::beside(1 << 20));
        let (mut within, mut above, mut nonzero) = (0, 0, 0);
        for text in [
            "r1bqk2r/pppp1ppp/2n2n2/2b1p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4",
            "3r2k1/1p3ppp/p1n1b3/8/8/P1N2Q2/1P3PPP/3R2K1 w - - 0 1",
            "8/8/8/2p5/1pp5/bppp4/1prrp2P/qnkbK3 w - -",
            "k1q5/1R6/2N5/8/8/8/2r3n1/K2b3Q w - -",
            "8/1P4k1/8/8/1pB5/1Pp1r3/2Pq4/K4R2 w - -",
            "6k1/4Q3/8/3N4/6p1/1b4P1/p7/K2n3R w - -",
        ] {
            let root = position(text);
            for (m, family) in root.legal_moves().into_iter().flat_map(|m| Family::ALL.map(|family| (m, family))) {
                let after = root.play(m);
                let cost = plain(family, &after);
                nonzero += u32::from(cost > 0);
                for limit in [0, 1, 2, 3, 5, 8, 20] {
                    pricer.begin(1);
                    let found = pricer
                        .price(
                            family,
                            None,
                            &after,
                            limit,
                            &mut Context { meter: &mut meter, facts: &facts, hints: None },
                        )
                        .unwrap();
                    let place = format!("{family:?} {limit} {}: {found:?}, {cost}", after.fen());
                    match found {
                        Cost::Within(found) => assert!(cost <= found && found <= limit, "{place}"),
                        Cost::Above(found) => assert!(limit < found && found <= cost, "{place}"),
                    }
                    (within, above) = if cost <= limit { (within + 1, above) } else { (within, above + 1) };
                }
            }
        }
        assert!(within > 1_000 && above > 1_000 && nonzero > 500, "{within} {above} {nonzero}");
    }
}
