//! The men on the board: which class of endings a position belongs to, and which classes it can turn into.

use std::fmt;

use shakmaty::{Color, Role};

use crate::chess::Position;

/// The roles other than the king, weakest first.
pub(super) const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The roles to which a pawn promotes.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The side of a man: the attacker mates, the defender is mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    Attacker,
    Defender,
}

/// The men of both sides, without their squares. Each side has one king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// The number of men of each role of [`ROLES`], the attacker's first.
    counts: [[u8; ROLES.len()]; 2],
}

impl Material {
    /// Two kings.
    pub(super) const KINGS: Material = Material { counts: [[0; ROLES.len()]; 2] };

    /// Returns the men of a position.
    pub fn of(position: &Position, attacker: Color) -> Material {
        let count = |color| ROLES.map(|role| position.men(color, role).count() as u8);
        Material { counts: [count(attacker), count(!attacker)] }
    }

    /// Returns the number of men, with both kings.
    pub fn men(self) -> usize {
        2 + self.counts.iter().flatten().map(|&count| usize::from(count)).sum::<usize>()
    }

    /// Returns whether there is a pawn.
    pub(super) fn has_pawns(self) -> bool {
        self.counts.iter().any(|side| side[0] > 0)
    }

    /// Returns whether this side has only its king.
    pub(super) fn is_bare(self, side: Side) -> bool {
        self.counts[side as usize] == [0; ROLES.len()]
    }

    /// Returns the number of men of a role, which is not the king, of one side.
    #[inline]
    pub(super) fn count(self, side: Side, role: Role) -> usize {
        usize::from(self.counts[side as usize][role as usize - 1])
    }

    /// Returns the same men with one more.
    #[must_use]
    pub(super) fn with(mut self, side: Side, role: Role) -> Material {
        self.counts[side as usize][role as usize - 1] += 1;
        self
    }

    /// Returns the same men with one less, or `None` if there is none of this kind.
    pub(super) fn without(mut self, side: Side, role: Role) -> Option<Material> {
        let count = &mut self.counts[side as usize][role as usize - 1];
        *count = count.checked_sub(1)?;
        Some(self)
    }

    /// Returns the classes into which one capture or one promotion turns this one, without repetitions.
    pub(super) fn after_conversion(self) -> Vec<Material> {
        let mut classes = Vec::new();
        for side in [Side::Attacker, Side::Defender] {
            for role in ROLES {
                classes.extend(self.without(side, role));
            }
            if let Some(rest) = self.without(side, Role::Pawn) {
                classes.extend(PROMOTIONS.map(|role| rest.with(side, role)));
            }
        }
        classes
    }

    /// Returns this class and all classes into which captures and promotions can turn it; each after all those that it
    /// can turn into.
    pub(super) fn closure(self) -> Vec<Material> {
        let mut classes = Vec::new();
        self.add_closure(&mut classes);
        classes
    }

    fn add_closure(self, classes: &mut Vec<Material>) {
        if classes.contains(&self) {
            return;
        }
        for class in self.after_conversion() {
            class.add_closure(classes);
        }
        classes.push(self);
    }
}

/// Writes the men as usual for endings, the attacker's first: `KBNK`, `KQKR`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in [Side::Attacker, Side::Defender] {
            f.write_str("K")?;
            for role in ROLES.into_iter().rev() {
                for _ in 0..self.count(side, role) {
                    write!(f, "{}", role.upper_char())?;
                }
            }
        }
        Ok(())
    }
}

/// Reads a class as [`Material`] writes it. For tests.
#[cfg(test)]
impl std::str::FromStr for Material {
    type Err = String;

    fn from_str(text: &str) -> Result<Material, String> {
        let mut material = Material::KINGS;
        let mut side = Side::Attacker;
        for letter in text.chars().skip(1) {
            match Role::from_char(letter) {
                Some(Role::King) => side = Side::Defender,
                Some(role) => material = material.with(side, role),
                None => return Err(format!("{letter} is not a man")),
            }
        }
        Ok(material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_written_as_it_is_read() {
        for text in ["KK", "KBNK", "KQKR", "KNNKP", "KPKP"] {
            assert_eq!(text.parse::<Material>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_closure_ends_with_the_class_and_lists_each_class_after_those_it_turns_into() {
        let class: Material = "KPKP".parse().unwrap();
        let closure = class.closure();
        assert_eq!(closure.last(), Some(&class));
        for (i, class) in closure.iter().enumerate() {
            assert!(class.after_conversion().iter().all(|next| closure[..i].contains(next)), "{class}");
        }
        // Each pawn may be a pawn, one of four pieces, or gone.
        assert_eq!(closure.len(), 36);
    }
}
