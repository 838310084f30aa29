//! The letters of the men in different languages.
//!
//! CITE: Edwards 1994, "Portable Game Notation Specification and Implementation Guide", on the letters of most
//! languages. The Russian letters (Кр Ф Л С К П) are transliterated.
//!
//! To add the letters of a language: `Letters` and its `NAMES`, the help text in `src/cli/options/words.rs`, a row in
//! `docs/report.md`.

use shakmaty::Role;

/// The letters of the men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Letters {
    /// English: K Q R B N P
    #[default]
    En,
    /// English, with S for the knight, as problemists write: K Q R B S P
    EnS,
    /// Czech: K D V S J P
    Cs,
    /// German: K D T L S B
    De,
    /// Spanish: R D T A C P
    Es,
    /// French: R D T F C P
    Fr,
    /// Italian: R D T A C P
    It,
    /// Dutch: K D T L P O
    Nl,
    /// Polish: K H W G S P
    Pl,
    /// Portuguese: R D T B C P
    Pt,
    /// Russian in Latin letters: Kr F L S K P
    Ru,
    /// Figurines, the same in every language: ♔ ♕ ♖ ♗ ♘ ♙
    Figurines,
}

impl Letters {
    /// The letters with their names, as after `--letters`.
    pub const NAMES: [(Letters, &str); 12] = [
        (Letters::En, "en"),
        (Letters::EnS, "en-s"),
        (Letters::Cs, "cs"),
        (Letters::De, "de"),
        (Letters::Es, "es"),
        (Letters::Fr, "fr"),
        (Letters::It, "it"),
        (Letters::Nl, "nl"),
        (Letters::Pl, "pl"),
        (Letters::Pt, "pt"),
        (Letters::Ru, "ru"),
        (Letters::Figurines, "figurines"),
    ];

    /// Returns the letters of king, queen, rook, bishop, knight and pawn.
    fn all(self) -> [&'static str; 6] {
        match self {
            Letters::En => ["K", "Q", "R", "B", "N", "P"],
            Letters::EnS => ["K", "Q", "R", "B", "S", "P"],
            Letters::Cs => ["K", "D", "V", "S", "J", "P"],
            Letters::De => ["K", "D", "T", "L", "S", "B"],
            Letters::Es | Letters::It => ["R", "D", "T", "A", "C", "P"],
            Letters::Fr => ["R", "D", "T", "F", "C", "P"],
            Letters::Nl => ["K", "D", "T", "L", "P", "O"],
            Letters::Pl => ["K", "H", "W", "G", "S", "P"],
            Letters::Pt => ["R", "D", "T", "B", "C", "P"],
            Letters::Ru => ["Kr", "F", "L", "S", "K", "P"],
            Letters::Figurines => ["♔", "♕", "♖", "♗", "♘", "♙"],
        }
    }

    /// Returns the letter of a role; in Russian the king has two.
    pub fn of(self, role: Role) -> &'static str {
        // Roles are numbered from the pawn, 1, to the king, 6.
        self.all()[6 - role as usize]
    }

    /// Replaces the letters of the men in a move by the English ones: at its beginning, and after a promotion. The
    /// letter of a pawn is left out. A move without a letter stays as it is.
    pub fn to_english(self, text: &str) -> String {
        if text.starts_with("O-O") {
            return text.to_owned();
        }
        let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
        let of_role = |role: Role| if role == Role::Pawn { String::new() } else { role.upper_char().to_string() };
        let man = roles.iter().find(|&&role| text.starts_with(self.of(role)));
        let (first, rest) = man.map_or((String::new(), text), |&role| (of_role(role), &text[self.of(role).len()..]));
        let bare = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let promoted = roles[1..5].iter().find(|&&role| bare.ends_with(self.of(role)));
        let (rest, last) =
            promoted.map_or((rest, String::new()), |&role| (&bare[..bare.len() - self.of(role).len()], of_role(role)));
        format!("{first}{rest}{last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_every_language_become_english() {
        for (letters, text, english) in [
            (Letters::De, "Sg8-f6", "Ng8-f6"),
            (Letters::De, "exd8=D#", "exd8=Q"),
            (Letters::Fr, "Cf3", "Nf3"),
            (Letters::Es, "Rd2+", "Kd2+"),
            (Letters::Ru, "Kre2", "Ke2"),
            (Letters::Ru, "Kf3", "Nf3"),
            (Letters::Nl, "O-O", "O-O"),
            (Letters::En, "e4", "e4"),
        ] {
            assert_eq!(letters.to_english(text), english, "{text}");
        }
    }

    #[test]
    fn the_letters_of_a_language_differ_from_one_another() {
        for (letters, _) in Letters::NAMES {
            let mut all = letters.all();
            all.sort_unstable();
            assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{letters:?}");
        }
    }
}
