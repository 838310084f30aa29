//! The tables that have been built, by class, and the values of positions from them.

use std::sync::Arc;

use hashbrown::HashMap;
use shakmaty::Color;

use crate::chess::{MateLength, MoveCode, NodeKind, Position};

use super::layout::{Layout, MAX_MEN};
use super::material::Material;
use super::table::{ClassTable, Distance};

/// Distance-to-mate tables in memory.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    tables: HashMap<Material, Arc<ClassTable>>,
}

/// The bytes that a finished table takes for each word: a byte for each of 64 positions and two sides to move.
const TABLE_BYTES: usize = 2 * 64;
/// The bytes that building takes in addition for each word: three sets, the lists of a sweep and the agenda.
const BUILDING_BYTES: usize = 3 * 8 + 72;

impl Tables {
    /// Returns the memory that the tables of a class and of all that it can turn into take while they are built, in
    /// bytes. `None` if the class has too many men for a table.
    pub fn bytes_needed(material: Material) -> Option<usize> {
        Tables::default().bytes_to_build(material)
    }

    /// Returns whether there is a table of a class.
    #[inline]
    pub(super) fn has(&self, material: Material) -> bool {
        self.tables.contains_key(&material)
    }

    /// Returns the memory that these tables and those that a class still needs take while they are built, in bytes.
    /// `None` if the class has too many men for a table.
    pub(super) fn bytes_to_build(&self, material: Material) -> Option<usize> {
        if material.men() > MAX_MEN {
            return None;
        }
        let missing = material.closure().into_iter().filter(|&class| !self.has(class));
        let words: Vec<usize> = missing.map(|class| Layout::new(class).words()).collect();
        let largest = words.iter().max().copied().unwrap_or(0);
        Some(self.bytes() + TABLE_BYTES * words.iter().sum::<usize>() + BUILDING_BYTES * largest)
    }

    /// Returns the memory that the tables take, in bytes.
    pub fn bytes(&self) -> usize {
        self.tables.values().map(|table| TABLE_BYTES * table.layout.words()).sum()
    }

    /// Adds the table of a class.
    pub(super) fn insert(&mut self, material: Material, table: ClassTable) {
        self.tables.insert(material, Arc::new(table));
    }

    pub(super) fn table(&self, material: Material) -> Option<Arc<ClassTable>> {
        self.tables.get(&material).cloned()
    }

    /// Returns the length of the longest mate of a class with this side to move; `None` if its table does not exist.
    pub fn longest(&self, material: Material, to_move: NodeKind) -> Option<MateLength> {
        self.tables.get(&material).map(|table| MateLength(u16::from(table.longest(to_move))))
    }

    /// Returns the length of the shortest mate by `attacker`; `None` if the tables do not tell: there is no table of
    /// these men, or a side may still castle.
    pub fn distance(&self, position: &Position, attacker: Color) -> Option<Distance> {
        if position.en_passant().is_none() {
            return self.look_up(position, attacker);
        }
        match NodeKind::of(position.turn(), attacker) {
            NodeKind::Or => self.distance_with_capture(position, attacker),
            NodeKind::And => self.distance_by_replies(position, attacker),
        }
    }

    /// Returns a move that leads to the shortest mate, and the length of that mate, with `attacker` to move. Of several
    /// such moves it is the one with the fewest replies. `None` if there is no mate or the tables do not tell.
    pub(crate) fn best_move(&self, position: &Position, attacker: Color) -> Option<(MoveCode, MateLength)> {
        let Distance::Mate(length) = self.distance(position, attacker)? else { return None };
        let rest = length.shorter().map(Distance::Mate);
        let after = position.legal_moves().into_iter().map(|m| (m, position.play(m)));
        let best = after.filter(|(_, after)| self.distance(after, attacker) == rest);
        best.min_by_key(|(_, after)| after.count_moves()).map(|(m, _)| (m.code(), length))
    }

    /// Looks a position up, without regard to a right to capture en passant.
    #[inline]
    pub(super) fn look_up(&self, position: &Position, attacker: Color) -> Option<Distance> {
        if position.occupied().count() > MAX_MEN || position.castling_rights().any() {
            return None;
        }
        let table = self.tables.get(&Material::of(position, attacker))?;
        let kind = NodeKind::of(position.turn(), attacker);
        Some(table.distance(kind, table.layout.squares(position, attacker)))
    }

    /// Returns the value of a position with the attacker to move, where a capture en passant may be legal.
    fn distance_with_capture(&self, position: &Position, attacker: Color) -> Option<Distance> {
        let mut shortest = self.look_up(position, attacker)?;
        for m in position.legal_moves().iter().filter(|m| m.is_en_passant()) {
            if let Distance::Mate(after) = self.distance(&position.play(*m), attacker)? {
                shortest = match shortest {
                    Distance::Mate(known) if known <= after => Distance::Mate(known),
                    _ => Distance::Mate(after.longer()),
                };
            }
        }
        Some(shortest)
    }

    /// Returns the value of a position with the defender to move, from the positions after all replies.
    fn distance_by_replies(&self, position: &Position, attacker: Color) -> Option<Distance> {
        let moves = position.legal_moves();
        if moves.is_empty() && !position.is_check() {
            return Some(Distance::NoMate);
        }
        let mut longest = MateLength(0);
        for &m in &moves {
            match self.distance(&position.play(m), attacker)? {
                Distance::Mate(length) => longest = longest.max(length),
                Distance::NoMate => return Some(Distance::NoMate),
            }
        }
        Some(Distance::Mate(longest))
    }
}
