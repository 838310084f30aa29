//! The letters of the men in different languages, and reports written with them.
//!
//! A report comes with standard algebraic notation, in which the knight is `N`, and with lists of men, in which it is
//! `S`, as problemists write it, as in the headings of twins. [`in_letters`] makes all of them use the letters of one
//! language.
//!
//! CITE: Edwards 1994, "Portable Game Notation Specification and Implementation Guide", on the letters of most
//! languages. The Russian letters (Кр Ф Л С К П) are transliterated.

use shakmaty::{Role, Square};

use crate::results::report::{Ply, Report};

/// The letters of White and Black in reports, whose words are English.
pub(crate) const SIDES: [char; 2] = ['w', 'b'];

/// The letters of the men. (The comments of the variants are help texts of `--letters`.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
}

impl Letters {
    /// The letters with their names, as after `--letters`.
    pub const NAMES: [(Letters, &str); 11] = [
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
        }
    }

    /// Returns the letter of a role; in Russian the king has two.
    pub fn of(self, role: Role) -> &'static str {
        let [king, queen, rook, bishop, knight, pawn] = self.all();
        match role {
            Role::King => king,
            Role::Queen => queen,
            Role::Rook => rook,
            Role::Bishop => bishop,
            Role::Knight => knight,
            Role::Pawn => pawn,
        }
    }

    /// Rewrites standard algebraic notation, whose only capital letters are those of the men and the `O` of castling.
    fn san(self, san: &str) -> String {
        let mut text = String::with_capacity(san.len() + 1);
        for letter in san.chars() {
            match Role::from_char(letter).filter(|_| letter.is_ascii_uppercase()) {
                Some(role) => text.push_str(self.of(role)),
                None => text.push(letter),
            }
        }
        text
    }

    /// Rewrites a man in the notation of problemists, such as `Sb3`.
    fn man(self, man: &str) -> String {
        let role = match man.chars().next() {
            Some('S') => Some(Role::Knight),
            Some(letter) => Role::from_char(letter),
            None => None,
        };
        role.map_or_else(|| man.to_owned(), |role| format!("{}{}", self.of(role), &man[1..]))
    }
}

impl Letters {
    /// Rewrites the heading of a twin, such as `wRh1-->g1  -bPh7` or `R ==> B`: the letters of the men, and those of
    /// White and Black as in `sides`. Its parts are divided by two spaces; other parts, such as a stipulation, stay.
    pub(crate) fn heading(self, heading: &str, sides: [char; 2]) -> String {
        let part = |part: &str| {
            self.part(part, sides).unwrap_or_else(|| part.to_owned())
        };
        heading.split("  ").map(part).collect::<Vec<_>>().join("  ")
    }

    /// Rewrites a part of a heading; `None` if it names no men.
    fn part(self, part: &str, sides: [char; 2]) -> Option<String> {
        if let Some((old, new)) = part.split_once(" ==> ") {
            return Some(format!("{} ==> {}", self.of(role(old)?), self.of(role(new)?)));
        }
        if let Some((one, two)) = part.split_once("<-->") {
            return Some(format!("{}<-->{}", self.named(one, sides)?, self.named(two, sides)?));
        }
        let unsigned = part.trim_start_matches(['+', '-']);
        let sign = &part[..part.len() - unsigned.len()];
        let (man, arrow) = unsigned.split_at(unsigned.find("-->").unwrap_or(unsigned.len()));
        Some(format!("{sign}{}{arrow}", self.named(man, sides)?))
    }

    /// Rewrites a man with its side, such as `wSc3`.
    fn named(self, man: &str, sides: [char; 2]) -> Option<String> {
        let (side, man) = man.split_at_checked(1)?;
        let (letter, square) = man.split_at_checked(1)?;
        let side = match side {
            "w" => sides[0],
            "b" => sides[1],
            _ => return None,
        };
        square.parse::<Square>().ok()?;
        Some(format!("{side}{}{square}", self.of(role(letter)?)))
    }
}

/// Returns the kind of man that a letter of problemists stands for.
fn role(letter: &str) -> Option<Role> {
    let at = ["K", "Q", "R", "B", "S", "P"].iter().position(|known| *known == letter)?;
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn].get(at).copied()
}

/// Returns the report with its moves, its lists of men and its headings in these letters.
pub(crate) fn in_letters(report: &Report, letters: Letters) -> Report {
    let mut report =
        Report { phases: report.phases.iter().map(|phase| in_letters(phase, letters)).collect(), ..report.clone() };
    for man in report.position.iter_mut().flat_map(|position| position.white.iter_mut().chain(&mut position.black)) {
        *man = letters.man(man);
    }
    if let Some(name) = &mut report.phase {
        name.heading = letters.heading(&name.heading, SIDES);
    }
    if letters != Letters::En {
        report.for_each_ply(|ply: &mut Ply| ply.san = letters.san(&ply.san));
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_in_every_language() {
        for (letters, expected) in [
            (Letters::En, "Nbxd2+ bxa8=Q# O-O-O Kb1"),
            (Letters::EnS, "Sbxd2+ bxa8=Q# O-O-O Kb1"),
            (Letters::De, "Sbxd2+ bxa8=D# O-O-O Kb1"),
            (Letters::Fr, "Cbxd2+ bxa8=D# O-O-O Rb1"),
            (Letters::Nl, "Pbxd2+ bxa8=D# O-O-O Kb1"),
            (Letters::Pl, "Sbxd2+ bxa8=H# O-O-O Kb1"),
            (Letters::Ru, "Kbxd2+ bxa8=F# O-O-O Krb1"),
        ] {
            assert_eq!(letters.san("Nbxd2+ bxa8=Q# O-O-O Kb1"), expected);
        }
        assert_eq!(["Kf8", "Sb3", "Ph7"].map(|man| Letters::De.man(man)), ["Kf8", "Sb3", "Bh7"]);
        assert_eq!(["Kf8", "Sb3", "Ph7"].map(|man| Letters::En.man(man)), ["Kf8", "Nb3", "Ph7"]);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn the_names_are_those_of_the_command_line() {
        use clap::ValueEnum as _;
        let names: Vec<String> = Letters::value_variants()
            .iter()
            .map(|letters| letters.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()))
            .collect();
        assert_eq!(names, Letters::NAMES.map(|(_, name)| name));
        assert_eq!(Letters::value_variants(), Letters::NAMES.map(|(letters, _)| letters));
    }

    #[test]
    fn the_headings_of_twins_have_the_letters_too() {
        for (heading, german) in [
            ("wRh1-->g1  -bPh7", "wTh1-->g1  -sBh7"),
            ("wKf8<-->bBg8  #3", "wKf8<-->sLg8  #3"),
            ("+bQe8  R ==> S  bSa1", "+sDe8  T ==> S  sSa1"),
            ("rotate 90  shift a2 ==> b2", "rotate 90  shift a2 ==> b2"),
            ("s#2  Black mates  Bg7 weg", "s#2  Black mates  Bg7 weg"),
            ("", ""),
        ] {
            assert_eq!(Letters::De.heading(heading, ['w', 's']), german);
        }
        assert_eq!(Letters::En.heading("wSc3-->g3", SIDES), "wNc3-->g3");
        assert_eq!(Letters::Fr.heading("bKa1", ['b', 'n']), "nRa1");
    }

    #[test]
    fn the_letters_of_a_language_differ_from_one_another() {
        for (letters, _) in Letters::NAMES {
            let mut all = letters.all();
            all.sort_unstable();
            assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{letters:?}");
        }
    }

    #[test]
    fn every_move_of_a_report_is_rewritten() {
        let german = in_letters(&crate::output::sample::report(), Letters::De);
        let text = super::super::text::full(&german);
        assert!(text.contains("White Kf8 Th1 Bg6; Black Kh8 Lg8 Bg7 Bh7"), "{text}");
        for word in ["1. Th6!", "1... La2", "2. Txh7#", "1. Tg1?", "3. Txg7+"] {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}
