//! Reads the commands of a problem, and says what is wrong and where.
//!
//! A word that is no keyword where one is expected refuses the problem: it may be a condition of a newer Popeye that
//! changes the rules. The reader then goes on to the next problem. A sign without letters and digits is skipped, as in
//! Popeye.

use super::Language;
use super::language::{COLOURS, COMMANDS, CommandWord, Found, OPTIONS, OptionWord, TWINNINGS, Word, look_up, nearest};
use super::tokens::{Token, Tokens};
use super::{Fault, PopeyeProblem};
use crate::base::printable::excerpt;
use crate::chess::Stipulation;
use crate::chess::text::unsolved;
use crate::problem::twins::Twin;

/// The longest word, in letters, that is taken for a man or a square and not for an abbreviated command.
const ARGUMENT: usize = 2;

/// The greatest number of notes on one problem.
const MOST_NOTES: usize = 20;

/// The reader of an input, and the problem that it works on.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub tokens: Tokens<'t>,
    pub language: Language,
    pub problem: PopeyeProblem,
    /// The options of the problem that are applied, if its stipulation lets them.
    pub read: Vec<(OptionWord, Token<'t>)>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(tokens: Tokens<'t>, language: Language) -> Reader<'t> {
        Reader { tokens, language, problem: PopeyeProblem::new(language), read: Vec::new() }
    }

    /// Reads all problems.
    pub(super) fn all(mut self) -> Vec<PopeyeProblem> {
        let mut problems = Vec::new();
        loop {
            self.problem.line = self.tokens.place().0;
            let more = self.one();
            self.note_options_without_effect();
            problems.push(std::mem::replace(&mut self.problem, PopeyeProblem::new(self.language)));
            if !more {
                return problems;
            }
        }
    }

    /// Reads one problem. Returns whether another one follows.
    fn one(&mut self) -> bool {
        let mut after = None;
        while let Some(token) = self.tokens.next() {
            match self.command_of(token) {
                Found::One(CommandWord::End) => return false,
                Found::One(CommandWord::Next) => return true,
                Found::One(command) => {
                    self.command(command, token);
                    after = Some(command);
                }
                Found::Several => self.ambiguous(token, COMMANDS[0]),
                Found::Nothing => self.unknown(token, after),
            }
        }
        let message = "the input ends here without EndProblem".to_owned();
        let (line, column) = self.tokens.place();
        self.add_note(Fault { line, column, message });
        false
    }

    fn command_of(&self, token: Token<'_>) -> Found<CommandWord> {
        let found = COMMANDS.iter().map(|table| look_up(token.text, table, self.language));
        found.into_iter().find(|found| *found != Found::Nothing).unwrap_or(Found::Nothing)
    }

    /// Returns whether a word begins no command.
    pub(super) fn is_no_command(&self, token: Token<'_>) -> bool {
        self.command_of(token) == Found::Nothing
    }

    fn command(&mut self, command: CommandWord, token: Token<'_>) {
        let rest = |tokens: &mut Tokens<'_>| Some(tokens.rest_of_line().to_owned()).filter(|line| !line.is_empty());
        match command {
            CommandWord::Remark => drop(rest(&mut self.tokens)),
            CommandWord::Author => self.problem.authors.extend(rest(&mut self.tokens)),
            CommandWord::Origin => self.problem.origins.extend(rest(&mut self.tokens)),
            CommandWord::Title => self.problem.titles.extend(rest(&mut self.tokens)),
            CommandWord::Award => self.problem.awards.extend(rest(&mut self.tokens)),
            CommandWord::Protocol | CommandWord::Latex | CommandWord::LatexPieces => {
                drop(rest(&mut self.tokens));
                self.note(token, "it asks for another file, which is not written");
            }
            CommandWord::Pieces => self.pieces(token),
            CommandWord::Forsyth => self.forsyth(token),
            CommandWord::Option => self.options(),
            CommandWord::Stipulation => self.stipulation(token),
            CommandWord::StructuredStipulation => {
                let line = excerpt(self.tokens.rest_of_line());
                let why = format!("the structured stipulation \"{line}\" is not solved here; write Stipulation #2");
                self.refuse(token, why);
            }
            CommandWord::Condition => self.condition(token),
            CommandWord::GameArray => {
                self.refuse(token, "proof games are not solved here".to_owned());
                drop(rest(&mut self.tokens));
            }
            CommandWord::Twin => self.twin(false),
            CommandWord::ZeroPosition => self.twin(true),
            CommandWord::End | CommandWord::Next => {}
        }
    }

    fn stipulation(&mut self, keyword: Token<'_>) {
        let Some(token) = self.argument(keyword, "a stipulation such as #2") else { return };
        // A number alone, or a negative one, is no stipulation of Popeye's.
        let has_sign = token.text.contains(['#', '=', '~']) && !token.text.contains("#-") && !token.text.contains("=-");
        if let Some(stipulation) = Stipulation::parse_any(token.text).ok().filter(|_| has_sign) {
            self.problem.stipulation = Some(stipulation);
            return;
        }
        let what = unsolved(token.text).map_or(String::new(), |what| format!(": it is {what}"));
        let text = excerpt(token.text);
        let why = format!("the stipulation {text} is not solved here{what}");
        self.refuse(token, why);
    }

    /// Reads the names of fairy conditions, which are refused.
    fn condition(&mut self, keyword: Token<'_>) {
        let mut names: Vec<String> = Vec::new();
        while let Some(token) = self.tokens.peek()
            && self.is_no_command(token)
        {
            names.push(token.text.to_owned());
            self.tokens.next();
        }
        if names.is_empty() {
            self.note(keyword, "no condition follows");
            return;
        }
        let names = excerpt(&names.join(" "));
        self.refuse(keyword, format!("the condition {names} is not solved here; matesolve solves orthodox chess only"));
    }

    /// Takes the argument of a keyword. A keyword without argument is noted; the end of the problem is no argument.
    pub(super) fn argument(&mut self, keyword: Token<'_>, wanted: &str) -> Option<Token<'t>> {
        let is_end = |token: &Token<'_>| {
            let found = self.command_of(*token);
            token.text.len() > ARGUMENT && matches!(found, Found::One(CommandWord::End | CommandWord::Next))
        };
        if self.tokens.peek().is_none_or(|token| is_end(&token)) {
            self.note(keyword, &format!("{wanted} must follow"));
            return None;
        }
        self.tokens.next()
    }

    /// Notes that an argument was skipped.
    pub(super) fn skipped(&mut self, token: Token<'_>, keyword: Token<'_>, wanted: &str) {
        let message = format!(
            "{} needs {wanted}; \"{}\" is skipped, and the option is not set",
            excerpt(keyword.text),
            excerpt(token.text)
        );
        self.add_note(token.fault(message));
    }

    /// Notes something about a keyword.
    pub(super) fn note(&mut self, token: Token<'_>, why: &str) {
        self.add_note(token.fault(format!("{}: {why}", excerpt(token.text))));
    }

    fn add_note(&mut self, fault: Fault) {
        if self.problem.notes.len() < MOST_NOTES {
            self.problem.notes.push(fault);
        }
    }

    /// Refuses the problem, unless it is refused already.
    pub(super) fn refuse(&mut self, token: Token<'_>, message: String) {
        self.problem.refused.get_or_insert(token.fault(message));
    }

    /// Refuses an abbreviation of several keywords.
    pub(super) fn ambiguous<T>(&mut self, token: Token<'_>, table: &[(T, Word)]) {
        if self.problem.refused.is_some() {
            return;
        }
        let keywords = nearest(token.text, &[table], self.language).join(", ");
        let why = format!("\"{}\" can be several keywords ({keywords}); write more letters", excerpt(token.text));
        self.refuse(token, why);
    }

    /// Refuses an unknown word, and names the keywords that are most like it. `after` is the command before it.
    fn unknown(&mut self, token: Token<'_>, after: Option<CommandWord>) {
        if !token.text.contains(char::is_alphanumeric) {
            self.note(token, "it is no keyword and is skipped");
            return;
        }
        if self.problem.refused.is_some() {
            return;
        }
        let what = match after {
            Some(CommandWord::Option) => "no option and no command of Popeye",
            Some(CommandWord::Pieces) => "neither a man with its squares, such as Kf8, nor a colour nor a command",
            Some(CommandWord::Forsyth) => {
                "no command of Popeye, whose Forsyth has no side to move and no castling rights"
            }
            _ => "no command of Popeye",
        };
        let commands = nearest(token.text, &COMMANDS, self.language).join(", ");
        let nearest = if after == Some(CommandWord::Option) {
            let options = nearest(token.text, &[OPTIONS], self.language).join(", ");
            format!("the options most like it are {options}, the commands {commands}")
        } else {
            format!("the commands most like it are {commands}")
        };
        let why = format!("\"{}\" is {what}; {nearest}", excerpt(token.text));
        self.refuse(token, why);
    }

    /// Reads the commands of a twin. `zero`: it is the first phase, and the diagram is not a phase itself.
    fn twin(&mut self, zero: bool) {
        let mut words: Vec<&str> = Vec::new();
        while let Some(token) = self.tokens.peek() {
            let ends = !self.is_no_command(token);
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
