//! Stipulations in words: `mate in 2`, `selfmate in three moves`, `Hilfsmatt in 2½`, `mat aidé en 2 coups`.
//!
//! A stipulation in words is a kind of play, a small word such as `in`, and a number of moves; or, for a direct mate, a
//! number and `mover`. The lists below have words of English, German, French, Spanish and Italian.
//! [`Stipulation::parse_any`] reads it like its sign, so options and most files that take `#2` take `mate in 2`, too. A
//! text with any other word is none: a word that is not understood may ask for something else.

use crate::Stipulation;

/// The kinds of play and goal: the sign, and its words in small letters without blanks and signs.
const KINDS: [(&str, &str); 14] = [
    ("#", "mate mates checkmate checkmates directmate matt schachmatt mat échecetmat jaquemate matto scaccomatto"),
    ("s#", "selfmate selbstmatt matinverse autosmat mateinverso automate automatto"),
    ("h#", "helpmate hilfsmatt mataidé mataide mateayudado aiutomatto mattoaiutato"),
    ("r#", "reflexmate reflexmatt matréflexe"),
    ("semi-r#", "semireflexmate"),
    ("=", "stalemate patt pat ahogado stallo"),
    ("s=", "selfstalemate selbstpatt"),
    ("h=", "helpstalemate hilfspatt pataidé"),
    ("hs#", "helpselfmate hilfsselbstmatt"),
    ("ser-#", "seriesmate"),
    ("ser-h#", "serieshelpmate serienhilfsmatt"),
    ("ser-s#", "seriesselfmate"),
    ("ser-=", "seriesstalemate"),
    ("ser-h=", "serieshelpstalemate"),
];

/// The words for a number of moves, from 1.
const NUMBERS: &str = "one einem un uno una|two zwei deux dos due|three drei trois tres tre|four vier quatre cuatro quattro|\
     five fünf cinq cinco cinque|six sechs seis sei|seven sieben sept siete sette|\
     eight acht huit ocho otto|nine neun neuf nueve nove|ten zehn dix diez dieci";

/// The words between the kind and the number, and those after the number.
const BEFORE: [&str; 3] = ["in", "en", "im"];
const AFTER: [&str; 11] =
    ["move", "moves", "zug", "zügen", "züge", "coup", "coups", "jugada", "jugadas", "mossa", "mosse"];

/// Returns the sign of a kind: `s#` for `selfmate`, `Self-mate`; `None` if the text is no kind.
pub fn sign(text: &str) -> Option<&'static str> {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let is_it = |words: &str| words.split(' ').any(|known| known == letters);
    KINDS.iter().find(|(_, words)| is_it(words)).map(|(sign, _)| *sign)
}

/// Reads a stipulation in words; `None` if the text is none.
pub fn read(text: &str) -> Option<Stipulation> {
    let text = text.to_lowercase();
    let mut words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '-').filter(|it| !it.is_empty()).collect();
    let is_mover = words.len() == 2 && matches!(words[1], "mover" | "züger");
    if is_mover {
        return Stipulation::parse(&number(words[0])?).ok();
    }
    words.pop_if(|word| AFTER.contains(word));
    let half = words.pop_if(|word| *word == "½").unwrap_or_default();
    let number = number(words.pop()?)? + half;
    BEFORE.contains(&words.pop()?).then_some(())?;
    let sign = sign(&words.concat())?;
    Stipulation::parse_any(&format!("{sign}{number}")).ok()
}

/// Returns the number of a word in digits: `3` for `three`, and `2½` for itself.
fn number(word: &str) -> Option<String> {
    let of_word =
        NUMBERS.split('|').position(|words| words.split(' ').any(|known| known == word)).map(|at| (at + 1).to_string());
    of_word.or_else(|| word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stipulations_are_read_in_words() {
        for (text, expected) in [
            ("mate in 2", "#2"),
            ("Mate in Two", "#2"),
            ("mate-in-3", "#3"),
            ("Checkmate in 4 moves", "#4"),
            ("selfmate in three moves", "s#3"),
            ("Self-mate in 3", "s#3"),
            ("helpmate in 2½", "h#2.5"),
            ("helpmate in 2 ½", "h#2.5"),
            ("Hilfsmatt in 2,5", "h#2.5"),
            ("Matt in drei Zügen", "#3"),
            ("mat en 3 coups", "#3"),
            ("mat aidé en deux coups", "h#2"),
            ("mate inverso en 2 jugadas", "s#2"),
            ("matto in 2 mosse", "#2"),
            ("stalemate in 2", "=2"),
            ("series-helpmate in 5", "ser-h#5"),
            ("two-mover", "#2"),
        ] {
            assert_eq!(read(text).map(|it| it.to_string()).as_deref(), Some(expected), "{text}");
            assert!(Stipulation::parse_any(text).is_ok(), "{text}");
        }
        for text in ["mate", "mate 2", "in 2", "mate in", "mate in Berlin", "Circe mate in 2", "mate in 2 men", "", "½"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
