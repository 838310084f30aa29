//! Reads the text of a twin as commands.
//!
//! Popeye's grammar is a keyword and its arguments: `Move a1 b2`. People also write what Popeye prints (`wRa1-->b2`,
//! `-wPb3`), only the man that is new (`wSa3`), or only the side that mates (`Black`). A man may be named where Popeye
//! wants a square. A word that has no meaning here ends the reading: guessing would solve another problem than the
//! composer's.

use shakmaty::{Color, Role, Square};

use super::command::{NamedMan, Rotation, Twin, TwinCommand};
use super::keywords::{self, Keyword, Language};
use super::tokens::{Token, tokens};

impl Twin {
    /// Reads the text of a twin, such as `Continued Move a1 b2`. What is not understood becomes
    /// [`TwinCommand::Refused`].
    ///
    /// ```
    /// use matesolve::problem::twins::Twin;
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
        let mut reader = Reader { tokens: tokens(text), at: 0, language, continued: false, commands: Vec::new() };
        reader.base(letter);
        if reader.read().is_none() {
            reader.commands.push(TwinCommand::Refused(text.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        Twin { letter: letter.map(str::to_owned), continued: reader.continued, commands: reader.commands }
    }
}

/// Words without a meaning of their own.
const FILLERS: [&str; 17] = [
    "and",
    "then",
    "also",
    "with",
    "the",
    "by",
    "diagram",
    "diagramm",
    "diagramme",
    "position",
    "half",
    "und",
    "et",
    "from",
    "on",
    "at",
    "set",
];

/// Words that may follow the name of the side that mates.
const AFTER_A_SIDE: [&str; 11] =
    ["to", "play", "plays", "move", "moves", "mate", "mates", "begins", "starts", "first", "in"];

/// Reads the tokens from left to right.
struct Reader {
    tokens: Vec<Token>,
    at: usize,
    language: Language,
    continued: bool,
    commands: Vec<TwinCommand>,
}

/// A man as it is named: each part may be missing.
#[derive(Debug, Clone, Copy, Default)]
struct Mention {
    color: Option<Color>,
    role: Option<Role>,
    square: Option<Square>,
}

impl Mention {
    fn named(self) -> Option<NamedMan> {
        Some(NamedMan { color: self.color, role: self.role, square: self.square? })
    }
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn word(&self) -> Option<&str> {
        if let Some(Token::Word(word)) = self.peek() { Some(word) } else { None }
    }

    /// Skips the next token if it is one of these.
    fn skip(&mut self, tokens: &[Token]) -> bool {
        let is_one = self.peek().is_some_and(|token| tokens.contains(token));
        self.at += usize::from(is_one);
        is_one
    }

    /// Skips the next word if it is one of these.
    fn skip_word(&mut self, words: &[&str]) -> bool {
        let is_one = self.word().is_some_and(|found| words.iter().any(|word| found.eq_ignore_ascii_case(word)));
        self.at += usize::from(is_one);
        is_one
    }

    /// Reads `=b)` at the start, which means that the twin continues twin b; that must be the twin before this one.
    fn base(&mut self, letter: Option<&str>) {
        if let [Token::To, Token::Word(base), ..] = &self.tokens[..]
            && let (&[base], Some(&[own])) = (base.as_bytes(), letter.map(str::as_bytes))
            && own == base + 1
        {
            self.continued = true;
            self.at = 2;
        }
    }

    /// Reads all commands; `None` if something is not understood.
    fn read(&mut self) -> Option<()> {
        while let Some(token) = self.peek().cloned() {
            match token {
                Token::Stipulation(_) => self.stipulation()?,
                Token::Minus => {
                    self.at += 1;
                    let man = self.mention()?.named()?;
                    self.commands.push(TwinCommand::Remove(man));
                }
                Token::Plus if self.commands.is_empty() && self.at == 0 && !self.is_man_next(1) => {
                    self.at += 1;
                    self.continued = true;
                }
                Token::Plus => {
                    self.at += 1;
                    let Mention { color, role, square } = self.mention()?;
                    self.commands.push(TwinCommand::Add(color?, role?, square?));
                }
                Token::To | Token::Both => return None,
                Token::Word(word) => self.command(&word)?,
            }
        }
        Some(())
    }

    /// Returns whether a man stands `ahead` tokens from here.
    fn is_man_next(&self, ahead: usize) -> bool {
        matches!(self.tokens.get(self.at + ahead), Some(Token::Word(word)) if self.compact(word).is_some())
    }

    /// Reads a command that begins with a word.
    fn command(&mut self, word: &str) -> Option<()> {
        if word.is_empty() || self.skip_word(&FILLERS) {
            self.at += usize::from(word.is_empty());
            return Some(());
        }
        if self.kinds() || self.side() {
            return Some(());
        }
        let start = self.at;
        if let Some(mention) = self.mention() {
            return self.free(mention);
        }
        self.at = start;
        if let Some(&[from, to]) = squares(word).as_deref() {
            self.at += 1;
            self.commands.push(TwinCommand::Move(NamedMan { color: None, role: None, square: from }, to));
            return Some(());
        }
        if self.skip_word(&["duplex", "halfduplex"]) {
            self.commands.push(TwinCommand::OtherSide);
            return Some(());
        }
        let keyword = keywords::keyword(word, self.language)?;
        self.at += 1;
        self.arguments(keyword)
    }

    /// Reads `R ==> S` without a keyword.
    fn kinds(&mut self) -> bool {
        let start = self.at;
        let old = self.kind();
        let arrow = self.skip(&[Token::To]);
        match (old, arrow, self.kind()) {
            (Some(old), true, Some(new)) => self.commands.push(TwinCommand::Substitute(old, new)),
            _ => self.at = start,
        }
        self.at != start
    }

    /// Reads the name of the side that mates, unless a man follows.
    fn side(&mut self) -> bool {
        let Some(color) = self.word().and_then(side_name) else { return false };
        if self.is_man_next(1)
            || matches!(self.tokens.get(self.at + 1), Some(Token::Word(word)) if role_name(word).is_some())
        {
            return false;
        }
        self.at += 1;
        while self.skip_word(&AFTER_A_SIDE) {}
        self.commands.push(TwinCommand::Attacker(color));
        true
    }

    /// Reads what follows a man without a keyword.
    fn free(&mut self, man: Mention) -> Option<()> {
        if self.skip(&[Token::Both]) {
            let other = self.mention()?.named()?;
            self.commands.push(TwinCommand::Exchange(man.named()?, other));
        } else if self.skip(&[Token::To]) || self.skip_word(&["to", "nach", "auf"]) {
            let to = self.mention()?.square?;
            self.commands.push(match man {
                Mention { color: Some(color), role: Some(Role::King), square: None } => {
                    TwinCommand::Place(Some(color), Role::King, to)
                }
                _ => TwinCommand::Move(man.named()?, to),
            });
        } else if self.skip_word(&["removed", "omitted", "entfernt"]) {
            self.commands.push(TwinCommand::Remove(man.named()?));
        } else {
            self.commands.push(TwinCommand::Place(man.color, man.role?, man.square?));
        }
        Some(())
    }

    fn arguments(&mut self, keyword: Keyword) -> Option<()> {
        match keyword {
            Keyword::Move => self.pairs(|reader, man| Some(TwinCommand::Move(man, reader.mention()?.square?)))?,
            Keyword::Exchange => {
                self.pairs(|reader, man| Some(TwinCommand::Exchange(man, reader.mention()?.named()?)))?;
            }
            Keyword::Remove => self.removals()?,
            Keyword::Add => self.additions()?,
            Keyword::Continued => self.continued |= self.commands.is_empty(),
            Keyword::Stipulation => self.stipulation()?,
            Keyword::PolishType => self.commands.push(TwinCommand::PolishType),
            Keyword::Rotate => self.rotation()?,
            Keyword::Mirror => {
                let (first, second) = self.two_squares()?;
                self.commands.push(TwinCommand::Mirror(keywords::mirror(first, second)?));
            }
            Keyword::Shift => {
                let (first, second) = self.two_squares()?;
                self.commands.push(TwinCommand::Shift(first, second));
            }
            Keyword::Substitute => {
                let old = self.kind()?;
                self.skip(&[Token::To]);
                let new = self.kind()?;
                self.commands.push(TwinCommand::Substitute(old, new));
            }
            Keyword::Condition | Keyword::StructuredStipulation => return None,
        }
        Some(())
    }

    /// Reads pairs of men and squares: one, and further ones as long as men follow.
    fn pairs(&mut self, read: impl Fn(&mut Reader, NamedMan) -> Option<TwinCommand>) -> Option<()> {
        loop {
            let man = self.mention()?.named()?;
            let _ = self.skip(&[Token::To, Token::Both]) || self.skip_word(&["to", "and", "with"]);
            let command = read(self, man)?;
            self.commands.push(command);
            if !self.is_man_next(0) {
                return Some(());
            }
        }
    }

    fn two_squares(&mut self) -> Option<(Square, Square)> {
        let first = self.mention()?.square?;
        let _ = self.skip(&[Token::To, Token::Both]) || self.skip_word(&["to"]);
        Some((first, self.mention()?.square?))
    }

    /// Reads the squares or men to remove: `e5`, `e5f6`, `wPe5 bPf6`.
    fn removals(&mut self) -> Option<()> {
        let start = self.commands.len();
        loop {
            if let Some(squares) = self.word().and_then(squares) {
                self.at += 1;
                let man = |square| TwinCommand::Remove(NamedMan { color: None, role: None, square });
                self.commands.extend(squares.into_iter().map(man));
            } else if self.is_man_next(0) || self.word().and_then(side_name).is_some() {
                let man = self.mention()?.named()?;
                self.commands.push(TwinCommand::Remove(man));
            } else {
                return (self.commands.len() > start).then_some(());
            }
        }
    }

    /// Reads men to add: `white Qe8`, `black Pa7b7 Ra8 white Ka1`, `wQe8`.
    fn additions(&mut self) -> Option<()> {
        let start = self.commands.len();
        let mut color = None;
        while let Some(word) = self.word().map(str::to_owned) {
            if let Some(side) = side_name(&word) {
                color = Some(side);
                self.at += 1;
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
        if let Some(role) = self.language.role(letter)
            && let Some(list) = squares(&word[letter.len_utf8()..])
        {
            self.at += 1;
            return Some((None, role, list));
        }
        if let (Some(role), Some(Token::Word(next))) = (self.role_word(word), self.tokens.get(self.at + 1))
            && let Some(list) = squares(next)
        {
            self.at += 2;
            return Some((None, role, list));
        }
        let Mention { color, role, square } = self.compact(word)?;
        self.at += 1;
        Some((color, role?, vec![square?]))
    }

    fn rotation(&mut self) -> Option<()> {
        let back = self.skip(&[Token::Minus, Token::To]);
        let degrees: u16 = self.word()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
        self.at += 1;
        let _ = self.skip_word(&["degrees", "grad", "deg"]);
        let clockwise = self.skip_word(&["clockwise", "cw", "right"]);
        let _ = clockwise || self.skip_word(&["counterclockwise", "anticlockwise", "ccw", "left"]);
        self.commands.push(TwinCommand::Rotate(match (degrees, back != clockwise) {
            (90, false) | (270, true) => Rotation::By90,
            (180, _) => Rotation::By180,
            (270, false) | (90, true) => Rotation::By270,
            _ => return None,
        }));
        Some(())
    }

    /// Reads a stipulation, with or without its keyword: `#3`, `> #3`, `# 3`, `3`.
    fn stipulation(&mut self) -> Option<()> {
        self.skip(&[Token::To]);
        let mut text = match self.peek()? {
            Token::Stipulation(text) | Token::Word(text) => text.clone(),
            _ => return None,
        };
        self.at += 1;
        if let Some(number) = self.word().filter(|word| text.ends_with('#') && word.parse::<u16>().is_ok()) {
            text.push_str(number);
            self.at += 1;
        }
        if text.parse::<u16>().is_ok() {
            text.insert(0, '#');
        }
        self.commands.push(TwinCommand::Stipulation(text));
        Some(())
    }

    /// Reads a man: `Kh1`, `wKh1`, `h1`, `white Kh1`, `White King h1`, `wK h1`, `wK`.
    fn mention(&mut self) -> Option<Mention> {
        let color = self.word().and_then(side_name);
        self.at += usize::from(color.is_some());
        let word = self.word()?.to_owned();
        if let Some(mention) = self.compact(&word) {
            self.at += 1;
            return Some(Mention { color: mention.color.or(color), ..mention });
        }
        let (own, role) = match word.split_at_checked(1) {
            Some((side, role)) if side_letter(side).is_some() && role.len() == 1 => {
                (side_letter(side), self.role_word(role)?)
            }
            _ => (color, self.role_word(&word).filter(|_| color.is_some() || word.len() > 1)?),
        };
        self.at += 1;
        let _ = self.skip_word(&["from", "on", "at"]);
        let square = self.word().and_then(|word| word.parse().ok());
        self.at += usize::from(square.is_some());
        Some(Mention { color: own.or(color), role: Some(role), square })
    }

    /// Reads a man in one word: `Kh1`, `wKh1`, `h1`.
    fn compact(&self, word: &str) -> Option<Mention> {
        let (before, square) = word.split_at_checked(word.len().checked_sub(2)?)?;
        let square = Some(square.to_ascii_lowercase().parse().ok()?);
        let mut letters = before.chars();
        Some(match (letters.next(), letters.next(), letters.next()) {
            (None, ..) => Mention { square, ..Mention::default() },
            // `bd5` is a black pawn or a bishop: only the square is certain.
            (Some('b'), None, _) => Mention { square, ..Mention::default() },
            (Some('w' | 'W'), None, _) => Mention { color: Some(Color::White), role: None, square },
            (Some(letter), None, _) => Mention { color: None, role: self.letter(letter)?, square },
            (Some(side), Some(letter), None) => {
                Mention { color: Some(side_letter(side.encode_utf8(&mut [0; 4]))?), role: self.letter(letter)?, square }
            }
            _ => return None,
        })
    }

    /// Reads the letter of a kind of man. `N`, with which some mean the knight, may name a man but not add one.
    fn letter(&self, letter: char) -> Option<Option<Role>> {
        if letter.eq_ignore_ascii_case(&'n') { Some(None) } else { self.language.role(letter).map(Some) }
    }

    fn kind(&mut self) -> Option<Role> {
        let role = self.word().and_then(|word| self.role_word(word))?;
        self.at += 1;
        Some(role)
    }

    fn role_word(&self, word: &str) -> Option<Role> {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => self.language.role(letter),
            _ => role_name(word),
        }
    }
}

/// Reads the name of a side.
fn side_name(word: &str) -> Option<Color> {
    let is = |names: &[&str]| names.contains(&word.to_lowercase().as_str());
    match () {
        () if is(&["white", "weiss", "weiß", "weisser", "blanc", "blancs"]) => Some(Color::White),
        () if is(&["black", "schwarz", "schwarzer", "noir", "noirs"]) => Some(Color::Black),
        () => None,
    }
}

/// Reads the letter of a side: `w`, and `b` or the German `s`.
fn side_letter(text: &str) -> Option<Color> {
    match text {
        "w" | "W" => Some(Color::White),
        "b" | "B" | "s" => Some(Color::Black),
        _ => None,
    }
}

fn role_name(word: &str) -> Option<Role> {
    Some(match word.to_ascii_lowercase().as_str() {
        "king" => Role::King,
        "queen" => Role::Queen,
        "rook" => Role::Rook,
        "bishop" => Role::Bishop,
        "knight" => Role::Knight,
        "pawn" => Role::Pawn,
        _ => return None,
    })
}

/// Reads one or more squares without spaces, such as `e5f6`.
fn squares(text: &str) -> Option<Vec<Square>> {
    let text = text.to_ascii_lowercase();
    let list: Option<Vec<Square>> = text.as_bytes().chunks(2).map(|square| Square::from_ascii(square).ok()).collect();
    list.filter(|list| !list.is_empty())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use TwinCommand::{Add, Attacker, Exchange, Move, Place, Remove, Substitute};

    fn commands(text: &str) -> Vec<TwinCommand> {
        Twin::read(Some("c"), text).commands
    }

    fn man(text: &str) -> NamedMan {
        let reader =
            Reader { tokens: Vec::new(), at: 0, language: Language::English, continued: false, commands: Vec::new() };
        reader.compact(text).and_then(Mention::named).unwrap()
    }

    #[test]
    fn keywords_take_their_arguments() {
        assert_eq!(commands("Move a1 b2"), [Move(man("a1"), Square::B2)]);
        assert_eq!(commands("exch d5 d7"), [Exchange(man("d5"), man("d7"))]);
        assert_eq!(commands("Remove e5f6"), [Remove(man("e5")), Remove(man("f6"))]);
        let queen = Add(Color::Black, Role::Queen, Square::E8);
        assert_eq!(commands("Add black Qe8f7"), [queen.clone(), Add(Color::Black, Role::Queen, Square::F7)]);
        assert_eq!(commands("add bQe8"), [queen.clone()]);
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
        assert_eq!(commands("Stipulation s#2 Black"), [TwinCommand::Stipulation("s#2".into()), Attacker(Color::Black)]);
        for text in ["Black", "by Black", "Black mates", "Black to move"] {
            assert_eq!(commands(text), [Attacker(Color::Black)], "{text}");
        }
        assert_eq!((commands("diagram"), commands("...")), (vec![], vec![]));
        assert_eq!(commands("Duplex"), [TwinCommand::OtherSide]);
    }

    #[test]
    fn a_twin_may_continue_the_one_before() {
        for text in ["Continued Move a1 b2", "cont a1-b2", "=b) & Move a1 b2", "+ Move a1 b2"] {
            let twin = Twin::read(Some("c"), text);
            assert!(twin.continued && twin.commands == [Move(man("a1"), Square::B2)], "{text}: {twin:?}");
        }
        assert!(!Twin::read(Some("c"), "Move a1 b2").continued);
        assert_eq!(commands("=a) & Move a1 b2"), [TwinCommand::Refused("=a) & Move a1 b2".into())]);
    }

    #[test]
    fn a_text_that_is_not_understood_is_refused_whole() {
        for text in ["Condition Circe", "After Key", "Move a1", "Na1", "Mirror horizontal", "Add Qe8", "Rotate 45", "é"]
        {
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
