//! Reports as people see them: with texts that are safe to print, and the letters of a language.
//!
//! In the moves of a report the knight is `N`; in its lists of men and its headings of twins it is `S`, as problemists
//! write it. [`with_letters`] gives all of them the letters of one language, if one is named.

use std::borrow::Cow;

use shakmaty::{Role, Square};

use crate::base::printable::line;
use crate::results::help::HelpSolutions;
use crate::results::report::{MenList, Ply, Report, ReportDiagram};

pub use crate::chess::Letters;

/// The letters of White and Black in reports, whose words are English.
pub(crate) const SIDES: [char; 2] = ['w', 'b'];

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
    let role = man.get(..1).and_then(role);
    role.map_or_else(|| man.to_owned(), |role| format!("{}{}", letters.of(role), &man[1..]))
}

/// Rewrites the heading of a twin, such as `wRh1-->g1  -bPh7` or `R ==> B`: the letters of the men, and those of
/// White and Black as in `sides`. Its parts are divided by two spaces; other parts, such as a stipulation, stay.
pub(crate) fn heading(letters: Letters, heading: &str, sides: [char; 2]) -> String {
    let part = |text: &str| part(letters, text, sides).unwrap_or_else(|| text.to_owned());
    let heading = heading.split("  ").map(part).collect::<Vec<_>>().join("  ");
    if letters != Letters::Figurines {
        return heading;
    }
    [("<-->", "↔"), ("-->", "→"), (" ==> ", "→")].iter().fold(heading, |text, (old, new)| text.replace(old, new))
}

/// Rewrites a part of a heading; `None` if it names no men.
fn part(letters: Letters, part: &str, sides: [char; 2]) -> Option<String> {
    if let Some((old, new)) = part.split_once(" ==> ") {
        return Some(format!("{} ==> {}", letters.of(role(old)?), letters.of(role(new)?)));
    }
    if let Some((one, two)) = part.split_once("<-->") {
        return Some(format!("{}<-->{}", named(letters, one, sides)?, named(letters, two, sides)?));
    }
    let unsigned = part.trim_start_matches(['+', '-']);
    let sign = &part[..part.len() - unsigned.len()];
    let (man, arrow) = unsigned.split_at(unsigned.find("-->").unwrap_or(unsigned.len()));
    Some(format!("{sign}{}{arrow}", named(letters, man, sides)?))
}

/// Rewrites a man with its side, such as `wSc3`.
fn named(letters: Letters, man: &str, sides: [char; 2]) -> Option<String> {
    let (side, man) = man.split_at_checked(1)?;
    let (letter, square) = man.split_at_checked(1)?;
    let side = match side {
        "w" => sides[0],
        "b" => sides[1],
        _ => return None,
    };
    square.parse::<Square>().ok()?;
    if letters == Letters::Figurines {
        // The colour of the figurine is that of the man.
        let figurine = letters.of(role(letter)?).chars().next()?;
        let figurine = if side == sides[0] { Some(figurine) } else { char::from_u32(u32::from(figurine) + 6) };
        return figurine.map(|figurine| format!("{figurine}{square}"));
    }
    Some(format!("{side}{}{square}", letters.of(role(letter)?)))
}

/// Returns the kind of man that a letter of problemists stands for.
fn role(letter: &str) -> Option<Role> {
    let at = ["K", "Q", "R", "B", "S", "P"].iter().position(|known| *known == letter)?;
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn].get(at).copied()
}

/// Returns the report as people see it: its texts of the input are safe to print ([`crate::base::printable`]), and its
/// moves, lists of men and headings are in these letters, if any are given.
pub(crate) fn with_letters(report: Cow<'_, Report>, letters: Option<Letters>) -> Report {
    let mut report = report.into_owned();
    rewrite(&mut report, letters);
    report
}

fn rewrite(report: &mut Report, letters: Option<Letters>) {
    report.phases.iter_mut().for_each(|phase| rewrite(phase, letters));
    let name = report.phase.iter_mut().flat_map(|name| [&mut name.letter, &mut name.heading]);
    for text in report.id.iter_mut().chain(&mut report.error).chain(&mut report.warnings).chain(name) {
        *text = line(text).into_owned();
    }
    let Some(letters) = letters else { return };
    if let Some(ReportDiagram { algebraic: MenList { white, black }, promoted, .. }) = &mut report.position {
        let promoted = promoted.iter_mut().flat_map(|men| &mut men.of);
        for text in white.iter_mut().chain(black).chain(promoted) {
            *text = man(letters, text);
        }
    }
    if let Some(name) = &mut report.phase {
        name.heading = heading(letters, &name.heading, SIDES);
    }
    if letters != Letters::En {
        report.for_each_ply(|ply: &mut Ply| ply.san = san(letters, &ply.san));
        for line in report.help.iter_mut().flat_map(HelpSolutions::lines_mut) {
            line.san = san(letters, &line.san);
        }
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
    fn the_headings_of_twins_have_the_letters_too() {
        for (text, german) in [
            ("wRh1-->g1  -bPh7", "wTh1-->g1  -sBh7"),
            ("wKf8<-->bBg8  #3", "wKf8<-->sLg8  #3"),
            ("+bQe8  R ==> S  bSa1", "+sDe8  T ==> S  sSa1"),
            ("rotate 90  shift a2 ==> b2", "rotate 90  shift a2 ==> b2"),
            ("s#2  Black mates  Bg7 weg", "s#2  Black mates  Bg7 weg"),
            ("", ""),
        ] {
            assert_eq!(heading(Letters::De, text, ['w', 's']), german);
        }
        assert_eq!(heading(Letters::En, "wSc3-->g3", SIDES), "wNc3-->g3");
        assert_eq!(heading(Letters::Fr, "bKa1", ['b', 'n']), "nRa1");
        let figurines = heading(Letters::Figurines, "wBa1-->b2  -bSh7  wKa1<-->bQh8  R ==> B", SIDES);
        assert_eq!(figurines, "♗a1→b2  -♞h7  ♔a1↔♛h8  ♖→♗");
    }

    #[test]
    fn every_move_of_a_report_is_rewritten() {
        let german = with_letters(Cow::Owned(crate::output::sample::report()), Some(Letters::De));
        let text = super::super::text::full(&german);
        assert!(text.contains("White Kf8 Th1 Bg6; Black Kh8 Lg8 Bg7 Bh7"), "{text}");
        for word in ["1. Th6!", "1... La2", "2. Txh7#", "1. Tg1?", "3. Txg7+"] {
            assert!(text.contains(word), "{word}: {text}");
        }
    }
}
