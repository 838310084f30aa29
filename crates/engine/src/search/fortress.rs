//! Proves that no direct mate of any length exists, by a set of positions that the attacker cannot leave.
//!
//! A search within a horizon refutes lengths, and says nothing about longer ones. But if there is a set of positions
//! with the attacker to move such that after each of his moves the defender has a reply that leads into the set, or the
//! play ends without a mate, or the attacker is left without the men to mate, then the defender is never mated, however
//! long they play. Repetitions are no exception: they stay in the set.
//!
//! ```text
//!  attacker to move      every move        one reply each
//!     ● ───────────────────> ○ ───────────────> ●   all ● are in the set
//!     in the set             ○ ───────────────> ●
//! ```
//!
//! The set is built from the root; if the defender begins, from the position after each of his moves, until one set
//! closes. Where a reply is needed, one that leads to a position of the set is taken before one that adds a position,
//! so the set closes soon if it can. A position from which the defender has no reply to some move is *lost*, and all
//! positions that relied on it are looked at again. Positions are compared as a whole, not by a key. If nothing is left
//! to look at and the first position is not lost, every move of the attacker has its reply. A set that grows too large
//! proves nothing.

use hashbrown::HashMap;

use shakmaty::{Role, Square};

use super::{Interrupted, Meter, Task};
use crate::chess::{Goal, MoveList, NodeKind, PackedPosition, Position, rules};

/// The most positions of a set. A fortress of kings and blocked pawns has some thousands; more cost seconds. Halved,
/// wide fortresses are missed; doubled, a failure takes twice as long.
const MOST_POSITIONS: usize = 1 << 16;

/// The memory for a position, with its place in the index and those who rely on it. Halved, the set may take more than
/// its memory; doubled, it is given up too early.
const BYTES_PER_POSITION: usize = 256;

/// Returns whether it is proved that the attacker of the task never mates. False says nothing.
pub fn holds(task: &Task, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
    if task.stipulation.goal() != Goal::MATE {
        return Ok(false);
    }
    let most = MOST_POSITIONS.min(task.memory / BYTES_PER_POSITION);
    let starts = match task.root_kind() {
        NodeKind::Or => vec![task.position],
        NodeKind::And => children(&task.position, &replies(&task.position), meter)?,
    };
    for start in starts {
        // A set that became too large has positions that nobody has looked at, so each start has its own.
        let mut set = Set { root: &task.position, most, places: HashMap::new(), members: Vec::new(), open: Vec::new() };
        if is_safe(&start, task) || set.closes(&start, task, meter)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A position of the set, with the attacker to move.
struct Member {
    state: PackedPosition,
    /// Whether the attacker has a move after which no reply leads into the set.
    lost: bool,
    /// Whether it waits to be looked at.
    waits: bool,
    /// The positions in which a chosen reply leads here.
    relied_on_by: Vec<u32>,
}

/// The positions found so far.
struct Set<'a> {
    root: &'a Position,
    most: usize,
    places: HashMap<PackedPosition, u32>,
    members: Vec<Member>,
    open: Vec<u32>,
}

impl Set<'_> {
    /// Returns whether a set around this position closes.
    fn closes(&mut self, start: &Position, task: &Task, meter: &mut Meter<'_>) -> Result<bool, Interrupted> {
        let Some(first) = self.place(start) else { return Ok(false) };
        while let Some(at) = self.open.pop() {
            let member = &mut self.members[at as usize];
            member.waits = false;
            if member.lost {
                continue;
            }
            let position = member.state.unpack(self.root);
            for child in children(&position, &position.legal_moves(), meter)? {
                match self.answer(&child, at, task, meter)? {
                    Reply::Found => {}
                    Reply::Full => return Ok(false),
                    Reply::None => {
                        self.lose(at);
                        break;
                    }
                }
            }
            if self.members[first as usize].lost {
                return Ok(false);
            }
        }
        Ok(!self.members[first as usize].lost)
    }

    /// Chooses the reply to a move of the attacker that was made in the member `at`.
    fn answer(&mut self, child: &Position, at: u32, task: &Task, meter: &mut Meter<'_>) -> Result<Reply, Interrupted> {
        if let Some(is_mate) = rules::over(Goal::MATE, child, NodeKind::And) {
            return Ok(if is_mate { Reply::None } else { Reply::Found });
        }
        let mut unknown = None;
        let mut known = None;
        for after in children(child, &replies(child), meter)? {
            if is_safe(&after, task) {
                return Ok(Reply::Found);
            }
            let Some(state) = PackedPosition::of(&after) else { return Ok(Reply::Full) };
            match self.places.get(&state) {
                Some(&place) if self.members[place as usize].lost => {}
                Some(&place) => known = known.or(Some(place)),
                None => unknown = unknown.or(Some(after)),
            }
        }
        let place = match (known, unknown) {
            (Some(place), _) => place,
            (None, None) => return Ok(Reply::None),
            (None, Some(after)) => match self.place(&after) {
                Some(place) => place,
                None => return Ok(Reply::Full),
            },
        };
        let list = &mut self.members[place as usize].relied_on_by;
        if list.last() != Some(&at) {
            list.push(at);
        }
        Ok(Reply::Found)
    }

    /// Marks a member as lost, and all that rely on it as open.
    fn lose(&mut self, at: u32) {
        let member = &mut self.members[at as usize];
        member.lost = true;
        for relying in std::mem::take(&mut member.relied_on_by) {
            let member = &mut self.members[relying as usize];
            if !member.lost && !member.waits {
                member.waits = true;
                self.open.push(relying);
            }
        }
    }

    /// Returns the place of a position, which is added if it is new. `None` if the set is full.
    fn place(&mut self, position: &Position) -> Option<u32> {
        let state = PackedPosition::of(position)?;
        if let Some(&place) = self.places.get(&state) {
            return Some(place);
        }
        let place = u32::try_from(self.members.len()).ok().filter(|&place| (place as usize) < self.most)?;
        self.members.push(Member { state, lost: false, waits: true, relied_on_by: Vec::new() });
        self.places.insert(state, place);
        self.open.push(place);
        Some(place)
    }
}

/// The result of looking for a reply to a move of the attacker.
enum Reply {
    Found,
    None,
    Full,
}

/// Returns whether no mate can follow in a position with the attacker to move.
fn is_safe(position: &Position, task: &Task) -> bool {
    !position.has_move() || position.cannot_mate(task.attacker())
}

/// Returns the replies in the order in which they are tried: first captures, then moves of the king that bring him
/// close to a man whom he may take.
fn replies(position: &Position) -> MoveList {
    let theirs = position.by_color(!position.turn()).without(position.king(!position.turn()));
    let away = |king: Square| theirs.into_iter().map(|man| man.distance(king)).min();
    let mut list = position.legal_moves();
    list.sort_by_key(|m| {
        let king = if m.role() == Role::King && !m.is_castle() { m.to() } else { position.king(position.turn()) };
        (m.capture().is_none(), away(king))
    });
    list
}

/// Returns the positions after these moves.
fn children(position: &Position, moves: &MoveList, meter: &mut Meter<'_>) -> Result<Vec<Position>, Interrupted> {
    let child = |&m| meter.node().map(|()| position.play(m));
    moves.iter().map(child).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Color};

    use super::*;
    use crate::chess::MateLength;
    use crate::chess::testing::position;
    use crate::search::retro::{Distance, Material, Tables};
    use crate::search::{Control, Limits};

    fn task(position: Position, attacker: Color) -> Task {
        Task { memory: 1 << 28, ..Task::mate(position, attacker, MateLength::MAX) }
    }

    fn proved(task: &Task) -> bool {
        let stop = AtomicBool::new(false);
        holds(task, &mut Meter::new(&Control::new(Limits::default(), &stop))) == Ok(true)
    }

    #[test]
    fn walls_of_pawns_are_a_fortress() {
        let walls = task(position("4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3 w - -"), Color::White);
        assert!(proved(&walls) && proved(&task(walls.position, Color::Black)));
        assert!(!proved(&Task { memory: 4 * BYTES_PER_POSITION, ..walls }), "a set that does not fit proves nothing");
    }

    #[test]
    fn a_lost_position_is_no_reply() {
        // The king goes to g4 or h4, White has only Kg1, and the pawn mates on b1.
        let root = position("8/8/8/8/8/6pk/1p4P1/7K b - -");
        for &m in &root.legal_moves() {
            let child = root.play(m);
            let replies = child.legal_moves();
            assert!(replies.len() == 1 && child.play(replies[0]).mate_in_one().is_some());
        }
        assert!(!proved(&task(root, Color::Black)));
    }

    /// Tables know which positions have no mate at all, and a set proves nothing else.
    #[test]
    fn tables_of_few_men_agree() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let (mut none, mut found, mut tried, mut seed) = (0, 0, 0, 20_u64);
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut tables = Tables::default();
        while tried < 24 {
            let mut board = ['1'; 64];
            for man in ["KPk", "Kpk"][tried % 2].chars() {
                board[random(64) as usize] = man;
            }
            let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
            let text = format!("{} {} - - 0 1", rows.join("/"), ["w", "b"][random(2) as usize]);
            let chess = text.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
            let Some(position) = chess.map(|chess| Position::from_chess(&chess)).filter(Position::has_move) else {
                continue;
            };
            tried += 1;
            let attacker = if position.men(Color::White, Role::Pawn).any() { Color::White } else { Color::Black };
            let task = Task { memory: 20_000 * BYTES_PER_POSITION, ..task(position, attacker) };
            tables.build(Material::of(&position, attacker), 1, &control).unwrap();
            let is_none = tables.distance(&position, attacker) == Some(Distance::NoMate);
            let is_proved = proved(&task);
            assert!(!is_proved || is_none, "{attacker} mates in {text}");
            none += usize::from(is_none);
            found += usize::from(is_proved);
        }
        assert!(found > 2 && none < tried, "{found} of {none} of {tried} positions");
    }
}
