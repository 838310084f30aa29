//! Reads the commands of a twin and writes them in English, in the form in which `.olv` entries have them.

use shakmaty::Role;

use super::language::{COLOURS, COMMANDS, ColourWord, Found, TWINNINGS, TwinWord, look_up, nearest};
use super::men::man;
use super::reader::Reader;
use crate::printable::excerpt;

/// A twin of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopeyeTwin {
    /// Whether it is the zero position: the diagram itself is no phase.
    pub zero: bool,
    /// Its commands in English, such as `Continued Move a1 b2 Stipulation #3`.
    pub commands: String,
}

/// Returns the English letter of a man.
fn letter(role: Role) -> char {
    if role == Role::Knight { 'S' } else { role.upper_char() }
}

impl Reader<'_> {
    /// Reads the commands of a twin, until a word is none.
    pub(super) fn twin(&mut self, zero: bool) {
        let mut words: Vec<String> = Vec::new();
        while let Some(token) = self.tokens.peek() {
            match look_up(token.text, TWINNINGS, self.language) {
                Found::One(command) => {
                    self.tokens.next();
                    self.twinning(command, &mut words);
                }
                found => {
                    let ends = COMMANDS.iter().any(|table| look_up(token.text, table, self.language) != Found::Nothing);
                    if ends && found == Found::Nothing {
                        break;
                    }
                    self.tokens.next();
                    if token.text.contains(char::is_alphanumeric) {
                        let keywords = nearest(token.text, &[TWINNINGS], self.language).join(", ");
                        let word = excerpt(token.text);
                        let why = format!("\"{word}\" is no command of a twin; those most like it are {keywords}");
                        self.refuse(token, why);
                    } else {
                        self.note(token, "it is no command of a twin and is skipped".to_owned());
                    }
                }
            }
        }
        self.problem.twins.push(PopeyeTwin { zero, commands: words.join(" ") });
    }

    /// Reads the arguments of a command of a twin.
    fn twinning(&mut self, command: TwinWord, words: &mut Vec<String>) {
        let keyword = TWINNINGS.iter().find(|(known, _)| *known == command);
        words.extend(keyword.map(|(_, word)| word.of(super::Language::English).to_owned()));
        match command {
            TwinWord::Continued | TwinWord::PolishType => {}
            TwinWord::Move | TwinWord::Exchange | TwinWord::Shift => {
                self.raw(words);
                // Both squares may be one word: a1=b1.
                if words.last().is_some_and(|word| word.len() == 2) {
                    self.raw(words);
                }
            }
            TwinWord::Rotate | TwinWord::Mirror | TwinWord::Remove | TwinWord::Stipulation | TwinWord::Forsyth => {
                self.raw(words);
            }
            TwinWord::Substitute => {
                for _ in 0..2 {
                    let Some(token) = self.tokens.next() else { return };
                    words.push(self.in_english(token.text));
                }
            }
            TwinWord::Add => self.added(words),
            TwinWord::Condition | TwinWord::StructuredStipulation => {
                while let Some(token) = self.tokens.peek()
                    && self.is_no_command(token)
                    && look_up(token.text, TWINNINGS, self.language) == Found::Nothing
                {
                    self.raw(words);
                }
            }
        }
    }

    /// Takes a word as it is.
    fn raw(&mut self, words: &mut Vec<String>) {
        words.extend(self.tokens.next().map(|token| token.text.to_owned()));
    }

    /// Reads a colour and the men that are added.
    fn added(&mut self, words: &mut Vec<String>) {
        if let Some(token) = self.tokens.next() {
            words.push(match look_up(token.text, COLOURS, self.language) {
                Found::One(ColourWord::White) => "white".to_owned(),
                Found::One(ColourWord::Black) => "black".to_owned(),
                _ => token.text.to_owned(),
            });
        }
        while let Some((_, walk, squares)) = self.next_man() {
            let squares: String = squares.iter().map(ToString::to_string).collect();
            words.push(format!("{}{squares}", self.in_english(&walk)));
        }
    }

    /// Returns the word of a man with English letters, if it is an orthodox one.
    fn in_english(&self, text: &str) -> String {
        let known = man(&format!("{text}a1")).and_then(|(walk, _)| {
            let mut letters = walk.chars();
            letters.next().filter(|_| letters.next().is_none())
        });
        known
            .and_then(|known| self.language.role(known))
            .map_or_else(|| text.to_owned(), |role| letter(role).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    fn twins(text: &str) -> Vec<(bool, String)> {
        let problem = read(text).expect("it begins as Popeye's input").remove(0);
        assert!(problem.refused.is_none(), "{:?}", problem.refused);
        problem.twins.into_iter().map(|twin| (twin.zero, twin.commands)).collect()
    }

    #[test]
    fn twins_are_written_in_english() {
        let text = "BeginProblem Stip #2 Twin move h7 g6 Twin Cont Exchange a1 b1 Stip #3 Twin Add white Qe8f7 Sa1 \
                    Remove a2 Twin Rotate 90 Mirror a1<-->h1 Twin Substitute P S Twin Shift a1=b1 EndProblem";
        let expected = [
            "Move h7 g6",
            "Continued Exchange a1 b1 Stipulation #3",
            "Add white Qe8f7 Sa1 Remove a2",
            "Rotate 90 Mirror a1<-->h1",
            "Substitute P S",
            "Shift a1=b1",
        ];
        assert_eq!(twins(text), expected.map(|commands| (false, commands.to_owned())));
        let german = "anfa ford #2 null hinzu weiss Dc8 La1 entf b2 zwil ferner versetze a1 a2 zwil ersetze T B ende";
        assert_eq!(
            twins(german),
            [
                (true, "Add white Qc8 Ba1 Remove b2".to_owned()),
                (false, "Continued Move a1 a2".to_owned()),
                (false, "Substitute R P".to_owned())
            ]
        );
    }

    #[test]
    fn signs_are_skipped_and_unknown_words_refused() {
        assert_eq!(twins("BeginProblem Twin Continued ... EndProblem"), [(false, "Continued".to_owned())]);
        let problem = read("BeginProblem\nTwin Mve a1 a2\nEndProblem").expect("it can be read").remove(0);
        let why = problem.refused.expect("it is refused").to_string();
        assert!(why.starts_with("line 2, column 6: \"Mve\" is no command of a twin") && why.contains("Move"), "{why}");
    }
}
