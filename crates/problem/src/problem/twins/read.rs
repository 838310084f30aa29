//! Reads the text of a twin as commands.
//!
//! Popeye's grammar is a keyword and its arguments: `Move a1 b2`. People also write what Popeye prints (`wRa1-->b2`,
//! `-wPb3`), only the man that is new (`wSa3`), or only the side that mates (`Black`). A man may be named where Popeye
//! wants a square. A word that has no meaning here ends the reading, and the twin is refused: guessing would solve
//! another problem than the composer's.
//!
//! To accept another spelling of a twin: here, its keyword in `keywords.rs`, with a test, and a row in
//! `docs/formats.md`.

use shakmaty::{Color, Role, Square};

use super::command::{NamedMan, Rotation, Twin, TwinCommand};
use super::keywords::{self, Keyword, Language};
use super::mention::{Mention, Words, role_name};
use super::tokens::{Token, tokens};
use crate::problem::men::only_squares;

impl Twin {
    /// Reads the text of a twin, such as `Continued Move a1 b2`. What is not understood becomes
    /// [`TwinCommand::Refused`].
    ///
    /// ```
    /// use matesolve_problem::problem::twins::Twin;
    ///
    /// let twin = Twin::read(Some("b"), "Continued Move h7 g6");
    /// assert!(twin.continued);
    /// assert_eq!(twin.commands, Twin::read(None, "h7-->g6").commands);
    /// ```
    pub fn read(letter: Option<&str>, text: &str) -> Twin {
        Twin::read_in(letter, text, Language::English)
    }

    /// [`Twin::read`] with the keywords and the letters of another language.
    pub fn read_in(letter: Option<&str>, text: &str, language: Language) -> Twin {
        let (signed, body) = without_letter(text, letter);
        let words = Words::new(tokens(body), language);
        let mut reader = TwinReader { words, continued: signed, commands: Vec::new() };
        reader.base(letter);
        // A plus sign alone is the stipulation of a study, or a twin whose change was lost.
        if reader.read().is_none() || text.trim() == "+" {
            reader.commands.push(TwinCommand::Refused(text.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        Twin { letter: letter.map(str::to_owned), continued: reader.continued, commands: reader.commands }
    }
}

/// Removes the letter of the twin from its text: `+b) Move a1 b2`. Returns whether a plus sign stands before it.
fn without_letter<'a>(text: &'a str, letter: Option<&str>) -> (bool, &'a str) {
    let unsigned = text.trim_start().strip_prefix('+').unwrap_or(text.trim_start());
    let body = letter.and_then(|letter| unsigned.strip_prefix(letter)?.strip_prefix(')'));
    body.map_or((false, text), |body| (text.trim_start().starts_with('+'), body))
}

/// Words without a meaning of their own.
const FILLERS: &str = "and then also with the by diagram diagramm diagramme position half und et from on at set";

/// Words that may follow the name of the side that mates.
const AFTER_A_SIDE: &str =
    "to play plays move moves mate mates begins starts first in am an zug zieht beginnt setzt matt";

/// Returns the man on a square, of any kind.
fn on(square: Square) -> NamedMan {
    NamedMan { color: None, role: None, other: None, square }
}

/// Reads the tokens from left to right.
struct TwinReader {
    words: Words,
    continued: bool,
    commands: Vec<TwinCommand>,
}

impl TwinReader {
    /// Reads `=b)` at the start, which means that the twin continues twin b; that must be the twin before this one.
    fn base(&mut self, letter: Option<&str>) {
        if let [Token::To, Token::Word(base), ..] = &self.words.tokens[..]
            && let (&[base], Some(&[own])) = (base.as_bytes(), letter.map(str::as_bytes))
            && own == base + 1
        {
            self.continued = true;
            self.words.at = 2;
        }
    }

    /// Reads all commands; `None` if something is not understood.
    fn read(&mut self) -> Option<()> {
        while let Some(token) = self.words.peek().cloned() {
            match token {
                Token::Stipulation(_) => self.stipulation()?,
                Token::Minus | Token::Dash => {
                    self.words.at += 1;
                    self.commands.push(TwinCommand::Remove(self.words.mention()?.named()?));
                }
                Token::Plus if self.commands.is_empty() && self.words.at == 0 && !self.words.is_man_next(1) => {
                    self.words.at += 1;
                    self.continued = true;
                }
                Token::Plus => {
                    self.words.at += 1;
                    let man = self.words.mention()?;
                    self.commands.push(TwinCommand::Add(man.color?, man.certain_role()?, man.square?));
                }
                Token::To | Token::Both => return None,
                Token::Word(word) => self.command(&word)?,
            }
        }
        Some(())
    }

    /// Reads a command that begins with a word.
    fn command(&mut self, word: &str) -> Option<()> {
        if word.is_empty() || FILLERS.split(' ').any(|filler| word.eq_ignore_ascii_case(filler)) {
            self.words.at += 1;
            // `Half-duplex` has an arrow in it.
            let _ = word.eq_ignore_ascii_case("half") && self.words.skip(&[Token::To]);
            return Some(());
        }
        if self.words.skip_word(&["mate", "in"]) {
            let _ = self.words.skip_word(&["in"]);
            return self.stipulation();
        }
        if self.kinds() || self.side() {
            return Some(());
        }
        let start = self.words.at;
        if let Some(mention) = self.words.mention() {
            return self.free(mention);
        }
        self.words.at = start;
        if let Some(&[from, to]) = only_squares(word).as_deref() {
            self.words.at += 1;
            self.commands.push(TwinCommand::Move(on(from), to));
            return Some(());
        }
        if self.words.skip_word(&["duplex", "halfduplex"]) {
            self.commands.push(TwinCommand::OtherSide);
            return Some(());
        }
        let keyword = keywords::keyword(word, self.words.language)?;
        self.words.at += 1;
        self.arguments(keyword)
    }

    /// Reads `R ==> S` without a keyword.
    fn kinds(&mut self) -> bool {
        let start = self.words.at;
        let old = self.words.kind();
        let arrow = self.words.skip(&[Token::To]);
        match (old, arrow, self.words.kind()) {
            (Some(old), true, Some(new)) => self.commands.push(TwinCommand::Substitute(old, new)),
            _ => self.words.at = start,
        }
        self.words.at != start
    }

    /// Reads the name of the side that mates, unless a man follows.
    fn side(&mut self) -> bool {
        let Some(color) = self.words.side_name() else { return false };
        if self.words.is_man_next(1) || self.words.word_at(1).and_then(role_name).is_some() {
            return false;
        }
        self.words.at += 1;
        let after: Vec<&str> = AFTER_A_SIDE.split(' ').collect();
        while self.words.skip_word(&after) {}
        self.commands.push(TwinCommand::Attacker(color));
        true
    }

    /// Reads what follows a man without a keyword.
    fn free(&mut self, man: Mention) -> Option<()> {
        let command = if self.words.skip(&[Token::Both]) {
            TwinCommand::Exchange(man.named()?, self.words.mention()?.named()?)
        } else if self.words.skip_arrow() {
            self.destination(man)?
        } else if self.words.skip_word(&["instead", "statt"]) {
            // The old man may stand on another square.
            let _ = self.words.skip_word(&["of"]);
            let old = self.words.mention()?.named()?;
            self.commands.extend((Some(old.square) != man.square).then_some(TwinCommand::Remove(old)));
            TwinCommand::Place(man.color.or(old.color), man.certain_role()?, man.square?)
        } else if self.words.skip_word(&["removed", "omitted", "entfernt", "weg", "fehlt"]) {
            TwinCommand::Remove(man.named()?)
        } else {
            TwinCommand::Place(man.color, man.certain_role()?, man.square?)
        };
        self.commands.push(command);
        Some(())
    }

    /// Reads what follows the arrow after a man: its new square, or the man that replaces it (`Ra1 ==> Ba1`, `Ra1=B`).
    fn destination(&mut self, man: Mention) -> Option<TwinCommand> {
        if let (Some(square), Some(role)) = (man.square, self.words.kind()) {
            return Some(TwinCommand::Place(man.color, role, square));
        }
        let to = self.words.mention()?;
        if to.other.is_some() {
            return None;
        }
        Some(match (man, to.role) {
            (Mention { square: Some(square), .. }, Some(role)) if to.square.is_none_or(|to| to == square) => {
                TwinCommand::Place(to.color.or(man.color), role, square)
            }
            (_, Some(role)) if man.role.is_some_and(|old| old != role) => return None,
            (Mention { color: Some(color), role: Some(Role::King), square: None, .. }, _) => {
                TwinCommand::Place(Some(color), Role::King, to.square?)
            }
            _ => TwinCommand::Move(man.named()?, to.square?),
        })
    }

    fn arguments(&mut self, keyword: Keyword) -> Option<()> {
        let command = match keyword {
            Keyword::Exchange if self.words.skip_word(&["colors", "colours"]) => TwinCommand::PolishType,
            Keyword::Move => return self.pairs(|man, other| Some(TwinCommand::Move(man, other.square?))),
            Keyword::Exchange => return self.pairs(|man, other| Some(TwinCommand::Exchange(man, other.named()?))),
            Keyword::Remove => return self.removals(),
            Keyword::Add => return self.additions(),
            Keyword::Stipulation => return self.stipulation(),
            Keyword::Continued => {
                self.continued |= self.commands.is_empty();
                return Some(());
            }
            Keyword::PolishType => {
                let _ = self.words.skip(&[Token::To]) | self.words.skip_word(&["type"]);
                TwinCommand::PolishType
            }
            Keyword::Rotate => self.rotation()?,
            Keyword::Mirror => {
                let (first, second) = self.words.two_squares()?;
                TwinCommand::Mirror(keywords::mirror(first, second)?)
            }
            Keyword::Shift => {
                let (first, second) = self.words.two_squares()?;
                TwinCommand::Shift(first, second)
            }
            Keyword::Substitute => {
                let old = self.words.kind()?;
                let _ = self.words.skip_arrow() || self.words.skip_word(&["by", "with"]);
                TwinCommand::Substitute(old, self.words.kind()?)
            }
            Keyword::Unsolved => return None,
        };
        self.commands.push(command);
        Some(())
    }

    /// Reads pairs of men and squares: one, and further ones as long as men follow.
    fn pairs(&mut self, command: impl Fn(NamedMan, Mention) -> Option<TwinCommand>) -> Option<()> {
        loop {
            let man = self.words.mention()?.named()?;
            let _ =
                self.words.skip_arrow() || self.words.skip(&[Token::Both]) || self.words.skip_word(&["and", "with"]);
            self.commands.push(command(man, self.words.mention()?)?);
            if !self.words.is_man_next(0) {
                return Some(());
            }
        }
    }

    /// Reads the squares or men to remove: `e5`, `e5f6`, `wPe5 bPf6`.
    fn removals(&mut self) -> Option<()> {
        let start = self.commands.len();
        loop {
            if let Some(squares) = self.words.word().and_then(only_squares) {
                self.words.at += 1;
                self.commands.extend(squares.into_iter().map(|square| TwinCommand::Remove(on(square))));
            } else if self.words.is_man_next(0) || (self.words.is_man_next(1) && self.words.side_name().is_some()) {
                self.commands.push(TwinCommand::Remove(self.words.mention()?.named()?));
            } else if !(self.commands.len() > start && self.words.is_man_next(1) && self.words.skip_word(&["and"])) {
                return (self.commands.len() > start).then_some(());
            }
        }
    }

    /// Reads men to add: `white Qe8`, `black Pa7b7 Ra8 white Ka1`, `wQe8`.
    fn additions(&mut self) -> Option<()> {
        let start = self.commands.len();
        let mut color = None;
        while let Some(word) = self.words.word().map(str::to_owned) {
            if let Some(side) = self.words.side_name() {
                color = Some(side);
                self.words.at += 1;
                continue;
            }
            let Some((named, role, squares)) = self.men_to_add(&word) else { break };
            for square in squares {
                self.commands.push(TwinCommand::Add(named.or(color)?, role, square));
            }
        }
        (self.commands.len() > start).then_some(())
    }

    /// Reads a kind of man with its squares: `Qe8`, `Pa7b7`, `Q e8`; with the side before it: `wQe8`.
    fn men_to_add(&mut self, word: &str) -> Option<(Option<Color>, Role, Vec<Square>)> {
        let letter = word.chars().next()?;
        if let Some(role) = self.words.certain(letter)
            && let Some(list) = only_squares(&word[letter.len_utf8()..])
        {
            self.words.at += 1;
            return Some((None, role, list));
        }
        let next = self.words.word_at(1).and_then(only_squares);
        if let (Some((role, None)), Some(list)) = (self.words.role_word(word), next) {
            self.words.at += 2;
            return Some((None, role, list));
        }
        let man = self.words.compact(word)?;
        self.words.at += 1;
        Some((man.color, man.certain_role()?, vec![man.square?]))
    }

    fn rotation(&mut self) -> Option<TwinCommand> {
        while self.words.skip_word(&["board", "by", "the"]) {}
        let back = self.words.skip(&[Token::Minus]);
        let degrees: u16 = self.words.word()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
        self.words.at += 1;
        let _ = self.words.skip_word(&["degrees", "grad", "deg"]);
        let clockwise = self.words.skip_word(&["clockwise", "cw", "right"]);
        let _ = clockwise || self.words.skip_word(&["counterclockwise", "anticlockwise", "ccw", "left"]);
        Some(TwinCommand::Rotate(match (degrees, back != clockwise) {
            (90, false) | (270, true) => Rotation::By90,
            (180, _) => Rotation::By180,
            (270, false) | (90, true) => Rotation::By270,
            _ => return None,
        }))
    }

    /// Reads a stipulation, with or without its keyword: `#3`, `> #3`, `# 3`, `3`.
    fn stipulation(&mut self) -> Option<()> {
        self.words.skip(&[Token::To]);
        let mut text = match self.words.peek()? {
            Token::Stipulation(text) | Token::Word(text) => text.clone(),
            _ => return None,
        };
        self.words.at += 1;
        if let Some(number) = self.words.word().filter(|word| text.ends_with('#') && word.parse::<u16>().is_ok()) {
            text.push_str(number);
            self.words.at += 1;
        }
        if text.parse::<u16>().is_ok() {
            text.insert(0, '#');
        }
        self.commands.push(TwinCommand::Stipulation(text));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TwinCommand::{Add, Attacker, Exchange, Move, Place, Remove, Substitute};

    fn commands(text: &str) -> Vec<TwinCommand> {
        Twin::read(Some("c"), text).commands
    }

    fn man(text: &str) -> NamedMan {
        Words::new(Vec::new(), Language::English).compact(text).and_then(Mention::named).unwrap()
    }

    #[test]
    fn keywords_take_their_arguments() {
        assert_eq!(commands("Move a1 b2"), [Move(man("a1"), Square::B2)]);
        assert_eq!(commands("exch d5 d7"), [Exchange(man("d5"), man("d7"))]);
        assert_eq!(commands("Remove e5f6"), [Remove(man("e5")), Remove(man("f6"))]);
        let queen = Add(Color::Black, Role::Queen, Square::E8);
        assert_eq!(commands("Add black Qe8f7"), [queen.clone(), Add(Color::Black, Role::Queen, Square::F7)]);
        assert_eq!(commands("add bQe8"), std::slice::from_ref(&queen));
        assert_eq!(commands("remove c8 add black qe8"), [Remove(man("c8")), queen]);
        assert_eq!(commands("Substitute R B"), [Substitute(Role::Rook, Role::Bishop)]);
        assert_eq!(commands("Rotate 270"), [TwinCommand::Rotate(Rotation::By270)]);
        assert_eq!(commands("Mirror a1<-->h8"), [TwinCommand::Mirror(super::super::Mirror::A1H8)]);
        assert_eq!(commands("Shift: a1 -> b1"), [TwinCommand::Shift(Square::A1, Square::B1)]);
        assert_eq!(
            commands("Shift a1=b1 PolishType"),
            [TwinCommand::Shift(Square::A1, Square::B1), TwinCommand::PolishType]
        );
        assert_eq!(commands("Stipulation > #5"), [TwinCommand::Stipulation("#5".into())]);
    }

    #[test]
    fn what_popeye_prints_and_what_people_write_is_read() {
        assert_eq!(commands("wKa1-->b2, bPh7-->g6"), [Move(man("wKa1"), Square::B2), Move(man("bPh7"), Square::G6)]);
        assert_eq!(commands("Bg2-e6"), [Move(man("Bg2"), Square::E6)]);
        assert_eq!(commands("bKe5<-wSe4"), [Exchange(man("bKe5"), man("wSe4"))]);
        assert_eq!(commands("Exchange a1 <-> b1"), commands("a1<-->b1"));
        assert_eq!(commands("-wPb3  +bRf7"), [Remove(man("wPb3")), Add(Color::Black, Role::Rook, Square::F7)]);
        assert_eq!(commands("WSa3"), [Place(Some(Color::White), Role::Knight, Square::A3)]);
        assert_eq!(commands("wK->b2"), [Place(Some(Color::White), Role::King, Square::B2)]);
        assert_eq!(commands("White King a1 to b2"), [Move(man("wKa1"), Square::B2)]);
        assert_eq!(commands("R ==> S"), [Substitute(Role::Rook, Role::Knight)]);
        for text in ["Ra1=S", "Ra1 ==> Sa1", "Sa1 instead of Ra1"] {
            assert_eq!(commands(text), [Place(None, Role::Knight, Square::A1)], "{text}");
        }
        assert_eq!(
            commands("wPa3 instead of wPa2"),
            [Remove(man("wPa2")), Place(Some(Color::White), Role::Pawn, Square::A3)]
        );
        assert_eq!((commands("a1 - b2"), commands("- b2")), (commands("Move a1 b2"), commands("Remove b2")));
        assert_eq!(commands("wSa3 -wPb3"), [commands("wSa3"), commands("-wPb3")].concat());
        assert_eq!(commands("Rotate board by 90° clockwise"), [TwinCommand::Rotate(Rotation::By270)]);
        assert_eq!(commands("Exchange colours"), commands("Polish type"));
        assert_eq!(commands("bPh7=bS"), [Place(Some(Color::Black), Role::Knight, Square::H7)]);
        assert_eq!(commands("w Kf8 --> e8"), [Move(man("wKf8"), Square::E8)]);
        assert_eq!(commands("b Ph7 --> h6"), [Move(man("bPh7"), Square::H6)]);
        assert_eq!(commands("add bl Ba6 whi Ba7b8"), commands("Add black Ba6 white Ba7b8"));
        for text in ["S c3 - g3", "Sc3 on g3", "Knight c3 to g3", "Springer c3 nach g3", "Springer auf c3 nach g3"] {
            assert_eq!(commands(text), [Move(man("Sc3"), Square::G3)], "{text}");
        }
        assert_eq!((commands("mate in 3"), commands("half-duplex")), (commands("#3"), commands("Duplex")));
        assert_eq!(commands("Substitute S by B"), commands("S=>B"));
        assert_eq!(commands("Remove Pd2 and Pf3"), commands("-Pd2 -Pf3"));
        assert_eq!(commands("Remove d2 Black"), [Remove(man("d2")), Attacker(Color::Black)]);
        assert_eq!(commands("Stipulation s#2 Black"), [TwinCommand::Stipulation("s#2".into()), Attacker(Color::Black)]);
        for text in ["Black", "by Black", "Black mates", "Black to move"] {
            assert_eq!(commands(text), [Attacker(Color::Black)], "{text}");
        }
        assert_eq!((commands("diagram"), commands("...")), (vec![], vec![]));
        assert_eq!(commands("Duplex"), [TwinCommand::OtherSide]);
    }

    #[test]
    fn german_twins_are_read_where_their_letters_are_certain() {
        assert_eq!(commands("wTh1-->h2"), [Move(man("wRh1"), Square::H2)]);
        assert_eq!(commands("Lg8 nach e6"), [Move(man("Bg8"), Square::E6)]);
        assert_eq!(commands("sLg8-f7, sPh7 nach h6"), [Move(man("bBg8"), Square::F7), Move(man("bPh7"), Square::H6)]);
        assert_eq!(commands("wDh1 statt wTh1"), [Place(Some(Color::White), Role::Queen, Square::H1)]);
        assert_eq!(commands("hinzufuegen schwarz De8"), [Add(Color::Black, Role::Queen, Square::E8)]);
        assert_eq!(commands("ersetze T S"), [Substitute(Role::Rook, Role::Knight)]);
        assert_eq!(commands("ohne sTa1"), [Remove(man("bRa1"))]);
        assert_eq!(commands("Schwarz am Zug"), [Attacker(Color::Black)]);
        let bishop_or_pawn = NamedMan { other: Some(Role::Pawn), ..man("bBg7") };
        for text in ["sBg7-->g6", "sBg7 nach g6"] {
            assert_eq!(commands(text), [Move(bishop_or_pawn, Square::G6)], "{text}");
        }
        assert_eq!(commands("entferne sBg7"), [Remove(bishop_or_pawn)]);
        for text in
            ["sBg7", "sSa1 wBg3", "hinzufuegen schwarz Be8", "ersetze S B", "+sBg7", "bTh1", "sTa1 statt Ba1 und Ba2"]
        {
            assert_eq!(commands(text).last(), Some(&TwinCommand::Refused(text.to_owned())), "{text}");
        }
        assert_eq!(commands("wBg3"), [Place(Some(Color::White), Role::Bishop, Square::G3)]);
    }

    #[test]
    fn a_twin_may_continue_the_one_before() {
        for text in ["Continued Move a1 b2", "+c) a1-b2", "cont a1-b2", "=b) & Move a1 b2", "+ Move a1 b2"] {
            let twin = Twin::read(Some("c"), text);
            assert!(twin.continued && twin.commands == [Move(man("a1"), Square::B2)], "{text}: {twin:?}");
        }
        assert!(!Twin::read(Some("c"), "Move a1 b2").continued);
        assert_eq!(Twin::read(Some("b"), " + ").commands, [TwinCommand::Refused("+".to_owned())]);
        assert_eq!(commands("=a) & Move a1 b2"), [TwinCommand::Refused("=a) & Move a1 b2".into())]);
    }

    #[test]
    fn a_text_that_is_not_understood_is_refused_whole() {
        let texts = "Condition Circe|After Key|Move a1|Na1|Mirror horizontal|Add Qe8|Rotate 45|Ra1-->Sb3|é";
        for text in texts.split('|') {
            assert_eq!(commands(text).last(), Some(&TwinCommand::Refused(text.to_owned())));
        }
    }

    #[test]
    fn other_languages_have_their_own_letters() {
        let twin = Twin::read_in(None, "hinzufuegen schwarz Db3", Language::German);
        assert_eq!(twin.commands, [Add(Color::Black, Role::Queen, Square::B3)]);
        let twin = Twin::read_in(None, "ersetze T S", Language::German);
        assert_eq!(twin.commands, [Substitute(Role::Rook, Role::Knight)]);
    }
}
