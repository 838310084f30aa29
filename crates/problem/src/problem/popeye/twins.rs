//! Finds the end of a twin: the text until the next command that does not belong to a twin. `problem::twins` reads the
//! text.

use super::language::{COLOURS, COMMANDS, Found, TWINNINGS, look_up};
use super::reader::Reader;
use crate::problem::twins::Twin;

/// The longest word, in letters, that is taken for a man or a square and not for an abbreviated command.
const ARGUMENT: usize = 2;

impl Reader<'_> {
    /// Reads the commands of a twin. `zero`: it is the first phase, and the diagram is not a phase itself.
    pub(super) fn twin(&mut self, zero: bool) {
        let mut words: Vec<&str> = Vec::new();
        while let Some(token) = self.tokens.peek() {
            let ends = COMMANDS.iter().any(|table| look_up(token.text, table, self.language) != Found::Nothing);
            let belongs = look_up(token.text, TWINNINGS, self.language) != Found::Nothing;
            // "wei" is White after the keyword of a twin, and the next problem elsewhere.
            let after_keyword =
                words.last().is_some_and(|word| look_up(word, TWINNINGS, self.language) != Found::Nothing);
            let is_colour = after_keyword && look_up(token.text, COLOURS, self.language) != Found::Nothing;
            if ends && !belongs && !is_colour && token.text.len() > ARGUMENT {
                break;
            }
            self.tokens.next();
            if token.text.contains(char::is_alphanumeric) {
                words.push(token.text);
            } else {
                self.note(token, "it is no command of a twin and is skipped");
            }
        }
        self.problem.twins.zero_position |= zero && self.problem.twins.twins.is_empty();
        self.problem.twins.twins.push(Twin::read_in(None, &words.join(" "), self.language));
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    fn names(text: &str) -> Vec<String> {
        let problem = read(text).unwrap().remove(0);
        problem.phases().into_iter().map(|phase| phase.name.to_string()).collect()
    }

    #[test]
    fn twins_become_phases() {
        let text = "BeginProblem Forsyth 5Kbk/6pp/6P1/8/8/8/8/7R Stip #2 Twin move h7 h6 Twin Cont Exchange f8 g8 Stip \
                    #3 Twin Add white Qe8f7 Remove h1 Twin Substitute P S Twin Continued ... EndProblem";
        let expected = ["a)", "b) bPh7-->h6", "+c) wKf8<-->bBg8  #3", "d) +wQe8  +wQf7  -wRh1", "e) P ==> S", "+f)"];
        assert_eq!(names(text), expected);
        let german = "anfa fors 5Klk/6bb/6B1/8/8/8/8/7T ford #2 null versetze h1 g1 zwil ferner entf g6 ende";
        assert_eq!(names(german), ["a) wRh1-->g1", "+b) -wPg6"]);
        let colours = "anfa fors 5Klk/6bb/6B1/8/8/8/8/7T ford #2 zwil hinzu schw Lb5 zwil hinzu wei Lb5 Ta1 ende";
        assert_eq!(names(colours)[1..], ["b) +bBb5", "c) +wBb5  +wRa1"]);
        let english = "BeginProblem Forsyth 5Kbk/6pp/6P1/8/8/8/8/7R Stip #2 Twin add bl Ba6 Twin add wh Ba6 EndProblem";
        assert_eq!(names(english)[1..], ["b) +bBa6", "c) +wBa6"]);
    }
}
