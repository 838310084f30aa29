//! The men on the board: which class of endings a position belongs to, and which classes it can turn into.

use std::fmt;

use shakmaty::{Color, Role};

use crate::chess::{Position, Side};

/// The roles other than the king, weakest first.
pub(super) const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The roles to which a pawn promotes, strongest first.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Both sides.
pub(super) const SIDES: [Side; 2] = [Side::Attacker, Side::Defender];

/// The men of both sides, without their squares. Each side has one king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// The number of men of each role of [`ROLES`], the attacker's first, in [`COUNT_BITS`] bits each.
    counts: u64,
}

/// The bits of a number of men. No side has more than 63 men of a role.
const COUNT_BITS: usize = 6;

/// Returns the place of a number of men in [`Material::counts`].
#[inline]
fn shift(side: Side, role: Role) -> usize {
    COUNT_BITS * (ROLES.len() * side as usize + role as usize - 1)
}

impl Material {
    /// Two kings.
    pub(super) const KINGS: Material = Material { counts: 0 };

    /// Returns the men of a position.
    #[inline]
    pub fn of(position: &Position, attacker: Color) -> Material {
        let mut counts = 0;
        for (side, color) in SIDES.into_iter().zip([attacker, !attacker]) {
            for role in ROLES {
                counts |= (position.men(color, role).count() as u64) << shift(side, role);
            }
        }
        Material { counts }
    }

    /// Returns the number of men, with both kings.
    pub fn men(self) -> usize {
        2 + SIDES.into_iter().flat_map(|side| ROLES.map(|role| self.count(side, role))).sum::<usize>()
    }

    pub(super) fn has_pawns(self) -> bool {
        SIDES.into_iter().any(|side| self.count(side, Role::Pawn) > 0)
    }

    /// Returns whether this side has only its king.
    pub(super) fn is_bare(self, side: Side) -> bool {
        ROLES.into_iter().all(|role| self.count(side, role) == 0)
    }

    /// Returns the number of men of a role, which is not the king, of one side.
    #[inline]
    pub(super) fn count(self, side: Side, role: Role) -> usize {
        (self.counts >> shift(side, role)) as usize & ((1 << COUNT_BITS) - 1)
    }

    /// Returns the same men with one more.
    #[must_use]
    pub(super) fn with(self, side: Side, role: Role) -> Material {
        Material { counts: self.counts + (1 << shift(side, role)) }
    }

    /// Returns the same men with one less, or `None` if there is none of this kind.
    pub(super) fn without(self, side: Side, role: Role) -> Option<Material> {
        (self.count(side, role) > 0).then(|| Material { counts: self.counts - (1 << shift(side, role)) })
    }

    /// Returns the classes into which one capture or one promotion turns this one, without repetitions.
    pub(super) fn after_conversion(self) -> Vec<Material> {
        let mut classes = Vec::new();
        for side in SIDES {
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
        for side in SIDES {
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
