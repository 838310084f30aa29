//! Reports written with the letters of another language.
//!
//! A report comes with standard algebraic notation, in which the knight is `N`, and with lists of men, in which it is
//! `S`, as problemists write it. [`in_letters`] makes both use the letters of one language.

use std::borrow::Cow;

use shakmaty::Role;

pub use crate::chess::Letters;
use crate::results::report::{Ply, Report};

/// Rewrites standard algebraic notation, whose only capital letters are those of the men and the `O` of castling.
fn san(letters: Letters, san: &str) -> String {
    let mut text = String::with_capacity(san.len() + 1);
    for letter in san.chars() {
        match Role::from_char(letter).filter(|_| letter.is_ascii_uppercase()) {
            Some(role) => text.push_str(letters.of(role)),
            None => text.push(letter),
        }
    }
    text
}

/// Rewrites a man in the notation of problemists, such as `Sb3`.
fn man(letters: Letters, man: &str) -> String {
    let role = match man.chars().next() {
        Some('S') => Some(Role::Knight),
        Some(letter) => Role::from_char(letter),
        None => None,
    };
    role.map_or_else(|| man.to_owned(), |role| format!("{}{}", letters.of(role), &man[1..]))
}

/// Returns the report with its moves and its lists of men in these letters.
pub(crate) fn in_letters(report: Cow<'_, Report>, letters: Letters) -> Report {
    let mut report = report.into_owned();
    rewrite(&mut report, letters);
    report
}

fn rewrite(report: &mut Report, letters: Letters) {
    report.phases.iter_mut().for_each(|phase| rewrite(phase, letters));
    for text in report.position.iter_mut().flat_map(|position| position.white.iter_mut().chain(&mut position.black)) {
        *text = man(letters, text);
    }
    if letters != Letters::En {
        report.for_each_ply(|ply: &mut Ply| ply.san = san(letters, &ply.san));
    }
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
            assert_eq!(san(letters, "Nbxd2+ bxa8=Q# O-O-O Kb1"), expected);
        }
        assert_eq!(["Kf8", "Sb3", "Ph7"].map(|text| man(Letters::De, text)), ["Kf8", "Sb3", "Bh7"]);
        assert_eq!(["Kf8", "Sb3", "Ph7"].map(|text| man(Letters::En, text)), ["Kf8", "Nb3", "Ph7"]);
    }

    #[test]
    fn every_move_of_a_report_is_rewritten() {
        let german = in_letters(Cow::Owned(crate::output::sample::report()), Letters::De);
        let text = super::super::text::full(&german);
        assert!(text.contains("White Kf8 Th1 Bg6; Black Kh8 Lg8 Bg7 Bh7"), "{text}");
        for word in ["1. Th6!", "1... La2", "2. Txh7#", "1. Tg1?", "3. Txg7+"] {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}
