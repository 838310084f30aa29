//! What one man of the mating side can contribute to a mate picture, and what it costs him.
//!
//! In a picture with the king on `k`, a man stands somewhere and covers some of the neighbours of `k`. Of all squares
//! and kinds with the same moves, only those matter that no other beats: an **option** is a cover, the neighbour that
//! the man occupies himself (where the king could take him), and the number of moves. The lists are made when they are
//! first asked for, because a search needs few of them.

use shakmaty::Square;

use super::geometry::{CENTRE, Cover, FAR, Geometry, KIND_COUNT, KING, Kind};

/// One contribution of a man to a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    /// The neighbours, and the square in the middle, that the man attacks.
    pub cover: Cover,
    /// The neighbour on which the man stands; 0 if he stands elsewhere.
    pub own: Cover,
    /// The moves that it takes.
    pub cost: u8,
    /// All that this choice and those before it in the list cover.
    pub up_to: Cover,
}

impl Choice {
    /// A man that was captured.
    const GONE: Choice = Choice { cover: 0, own: 0, cost: 0, up_to: 0 };

    /// Returns whether the other choice is never better.
    fn beats(self, other: Choice) -> bool {
        self.cost <= other.cost && other.cover & !self.cover == 0 && self.own & !other.own == 0
    }
}

/// A square from which a man attacks the king, and as what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Check {
    /// The kind of the man when he gives check.
    pub kind: Kind,
    /// The square.
    pub from: Square,
    /// The moves that it takes to get there: 0 if he is there already.
    pub cost: u8,
    /// The other squares that he attacks from there.
    pub choice: Choice,
}

/// A part of a list of the cache.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    start: u32,
    /// One more than the number of choices; 0: not yet made.
    len: u16,
}

/// The choices and checks of all men for all pictures, as far as they were asked for. Each thread has its own.
pub(super) struct Options {
    geometry: &'static Geometry,
    choices: Vec<Choice>,
    choice_parts: Vec<Part>,
    checks: Vec<Check>,
    check_parts: Vec<Part>,
}

impl Options {
    pub(super) fn new() -> Options {
        let parts = vec![Part::default(); KIND_COUNT * 64 * 64];
        Options {
            geometry: Geometry::get(),
            choices: Vec::new(),
            choice_parts: parts.clone(),
            checks: Vec::new(),
            check_parts: parts,
        }
    }

    fn index(kind: Kind, from: Square, centre: Square) -> usize {
        (usize::from(kind) * 64 + from as usize) * 64 + centre as usize
    }

    /// Makes the lists of a man for a picture, unless they exist.
    pub(super) fn prepare(&mut self, kind: Kind, from: Square, centre: Square) {
        let at = Options::index(kind, from, centre);
        if self.choice_parts[at].len == 0 {
            let (start, list) = (self.choices.len() as u32, self.list(kind, from, centre));
            self.choice_parts[at] = Part { start, len: list.len() as u16 + 1 };
            self.choices.extend(list);
            let (start, before) = (self.checks.len() as u32, self.checks.len());
            self.list_checks(kind, from, centre);
            self.check_parts[at] = Part { start, len: (self.checks.len() - before) as u16 + 1 };
        }
    }

    /// Returns the choices of a man, cheapest first. [`Options::prepare`] has made the list.
    #[inline]
    pub(super) fn choices(&self, kind: Kind, from: Square, centre: Square) -> &[Choice] {
        let Part { start, len } = self.choice_parts[Options::index(kind, from, centre)];
        &self.choices[start as usize..start as usize + usize::from(len) - 1]
    }

    /// Returns the choices of a man that cost at most `moves` moves.
    #[inline]
    pub(super) fn within(&self, kind: Kind, from: Square, centre: Square, moves: u8) -> &[Choice] {
        let list = self.choices(kind, from, centre);
        &list[..list.partition_point(|choice| choice.cost <= moves)]
    }

    /// Returns the squares from which a man attacks `centre`, cheapest first. [`Options::prepare`] has made the list.
    #[inline]
    pub(super) fn checks(&self, kind: Kind, from: Square, centre: Square) -> &[Check] {
        let Part { start, len } = self.check_parts[Options::index(kind, from, centre)];
        &self.checks[start as usize..start as usize + usize::from(len) - 1]
    }

    /// Returns every place of a man that is not the square of the other king itself.
    fn places(&self, kind: Kind, from: Square, centre: Square) -> impl Iterator<Item = (Kind, Square, Choice)> {
        let geometry = self.geometry;
        let each = Geometry::becomes(kind).iter().flat_map(|&as_kind| Square::ALL.map(|to| (as_kind, to)));
        each.filter_map(move |(as_kind, to)| {
            let cost = geometry.moves_as(kind, from, as_kind, to);
            let own = geometry.bit(centre, to);
            // A king never stands beside the other king.
            let is_there = cost < FAR && to != centre && !(kind == KING && own != 0);
            is_there.then(|| (as_kind, to, Choice { cover: geometry.cover(as_kind, to, centre), own, cost, up_to: 0 }))
        })
    }

    fn list(&self, kind: Kind, from: Square, centre: Square) -> Vec<Choice> {
        let mut places: Vec<Choice> = self.places(kind, from, centre).map(|(_, _, choice)| choice).collect();
        places.sort_by_key(|choice| (choice.cost, std::cmp::Reverse(choice.cover.count_ones()), choice.own));
        let mut list: Vec<Choice> = Vec::new();
        for choice in places {
            if !list.iter().any(|better| better.beats(choice)) {
                list.push(choice);
            }
        }
        // A man that can be captured costs nothing and is in nobody's way. The king cannot.
        if kind != KING && !list.iter().any(|choice| choice.beats(Choice::GONE)) {
            list.retain(|&choice| !Choice::GONE.beats(choice));
            list.insert(0, Choice::GONE);
        }
        list.sort_by_key(|choice| choice.cost);
        let mut up_to = 0;
        for choice in &mut list {
            up_to |= choice.cover;
            choice.up_to = up_to;
        }
        list
    }

    fn list_checks(&mut self, kind: Kind, from: Square, centre: Square) {
        if kind == KING {
            return;
        }
        let mut list: Vec<Check> = self
            .places(kind, from, centre)
            .filter(|(_, _, choice)| choice.cover & CENTRE != 0)
            .map(|(kind, from, choice)| Check { kind, from, cost: choice.cost, choice })
            .collect();
        list.sort_by_key(|check| check.cost);
        self.checks.extend(list);
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{KNIGHT, QUEEN};
    use super::*;

    #[test]
    fn no_choice_is_beaten_by_another() {
        let mut options = Options::new();
        for kind in [KING, QUEEN, KNIGHT, 5, 6] {
            for from in [Square::A2, Square::E7, Square::D4] {
                options.prepare(kind, from, Square::E5);
                let list = options.choices(kind, from, Square::E5);
                for (at, one) in list.iter().enumerate() {
                    assert!(!list.iter().enumerate().any(|(other, it)| other != at && it.beats(*one)), "{kind} {from}");
                }
            }
        }
    }

    #[test]
    fn a_queen_checks_from_every_line() {
        let mut options = Options::new();
        options.prepare(QUEEN, Square::A1, Square::D4);
        let checks = options.checks(QUEEN, Square::A1, Square::D4);
        assert_eq!(checks.len(), 27);
        assert_eq!((checks[0].from, checks[0].cost), (Square::A1, 0));
    }
}
