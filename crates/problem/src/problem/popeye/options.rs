//! Reads the words after `Option`.
//!
//! An argument that cannot be read is skipped with a note.
//!
//! To add an option: its word in `language.rs`, its meaning here, a row in `docs/popeye.md`, and its effect: in
//! `twins/phases.rs` if it concerns each phase, else in `src/cli/popeye/mod.rs` or `crates/results/src/output/popeye/`.

use shakmaty::Square;

use super::language::{Found, Language, OPTIONS, OptionWord, Treatment, Word, look_up};
use super::reader::Reader;
use super::tokens::Token;
use crate::base::printable::excerpt;
use crate::chess::Stipulation;
use crate::problem::men::{only_squares, squares};
use crate::problem::twins::PhaseOptions;

/// The options of a problem.
// Each option of Popeye is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PopeyeOptions {
    /// `Variation`: threats and variations are shown.
    pub variations: bool,
    /// `Try` and `Defence N`: the greatest number of refutations of a try that is shown.
    pub tries: Option<u16>,
    /// `TrivialTriesAvoid`: tries that give check are not shown.
    pub no_trivial_tries: bool,
    /// `NoThreat`: threats are not looked for.
    pub no_threats: bool,
    /// `NoShortVariations`: only variations of full length are shown.
    pub no_short_variations: bool,
    /// `MaxSolutions N`: the solution ends after this number of keys.
    pub max_solutions: Option<u32>,
    /// `MaxTime N`: the time limit, in seconds.
    pub max_time: Option<u32>,
    /// `MoveNumbers`: all first moves are listed with their numbers.
    pub move_numbers: bool,
    /// `StartMoveNumber N`: the first moves before this number, from 1, are left out.
    pub start_move: Option<u32>,
    /// `UpToMoveNumber N`: the first moves after this number are left out.
    pub last_move: Option<u32>,
    /// `Threat N`: a limit of Popeye's search, in moves. It is shown with the stipulation and not applied; the verdict
    /// says so.
    pub max_threat: Option<u32>,
    /// `MaxFlightSquares N`, another limit of this kind.
    pub max_flights: Option<u32>,
    /// `NonTrivial M N`, another limit of this kind.
    pub non_trivial: Option<(u32, u32)>,
    /// `NoBoard`: the board is not shown.
    pub no_board: bool,
    /// The options that concern all phases.
    pub phase: PhaseOptions,
}

impl OptionWord {
    /// Returns whether squares follow this option.
    pub(in crate::problem) fn has_squares(self) -> bool {
        matches!(self, OptionWord::EnPassant | OptionWord::NoCastling | OptionWord::CastlingMutuallyExclusive)
    }
}

impl PhaseOptions {
    /// Sets an option, with the squares after it; `None` if it needs other squares, or is none of these.
    pub(in crate::problem) fn set(&mut self, option: OptionWord, squares: &[Square]) -> Option<()> {
        match (option, squares) {
            (OptionWord::SetPlay, []) => self.set_play = true,
            (OptionWord::Duplex, []) => self.duplex = true,
            (OptionWord::HalfDuplex, []) => self.black_mates = true,
            (OptionWord::PostKeyPlay, []) => self.post_key = true,
            (OptionWord::WhiteToPlay, []) => self.white_to_play = true,
            (OptionWord::StopOnShortSolutions, []) => self.stops_at_short = true,
            (OptionWord::NoCastling, [_, ..]) => self.no_castling.extend(squares),
            // Three squares (origin, square passed over, target), or only the square passed over.
            (OptionWord::EnPassant, &([passed] | [_, passed, _])) => self.en_passant = Some(passed),
            (
                OptionWord::CastlingMutuallyExclusive,
                &[white @ (Square::A1 | Square::H1), black @ (Square::A8 | Square::H8)],
            ) => self.exclusive.push((white, black)),
            _ => return None,
        }
        Some(())
    }
}

/// Returns what a word of a collection means, the name of the option, and what becomes of it; `None` if it is none.
/// Applied is what states a part of the problem, not what concerns the output. Collections write the English names in
/// full, in any case.
pub(in crate::problem) fn in_collection(word: &str) -> Option<(OptionWord, &'static str, Treatment)> {
    let of_word = |(_, name): &&(OptionWord, Word)| name.of(Language::English).eq_ignore_ascii_case(word);
    let &(option, name) = OPTIONS.iter().find(of_word)?;
    let is_stated = option.has_squares()
        || matches!(option, OptionWord::Defence | OptionWord::Try)
        || PhaseOptions::default().set(option, &[]).is_some();
    let treatment = match option {
        OptionWord::MaxSolutions | OptionWord::StartMoveNumber | OptionWord::UpToMoveNumber => {
            Treatment::Noted("it leaves solutions out of an output; here all are looked for")
        }
        option => match option.treatment() {
            Treatment::Applied if !is_stated => Treatment::Harmless("it concerns the output of Popeye"),
            treatment => treatment,
        },
    };
    Some((option, name.of(Language::English), treatment))
}

/// Returns whether an option can do anything under this stipulation.
fn has_effect(option: OptionWord, stipulation: Stipulation) -> bool {
    match option {
        OptionWord::Defence
        | OptionWord::Try
        | OptionWord::TrivialTriesAvoid
        | OptionWord::PostKeyPlay
        | OptionWord::NoThreat
        | OptionWord::NoShortVariations
        | OptionWord::MoveNumbers
        | OptionWord::StartMoveNumber
        | OptionWord::UpToMoveNumber => !stipulation.is_helped(),
        OptionWord::StopOnShortSolutions => stipulation.is_helped(),
        OptionWord::WhiteToPlay => stipulation.begun_by_the_other().is_some(),
        _ => true,
    }
}

impl<'t> Reader<'t> {
    /// Reads options until a word is not an option.
    pub(super) fn options(&mut self) {
        while let Some(token) = self.tokens.peek() {
            match look_up(token.text, OPTIONS, self.language) {
                Found::One(option) => {
                    self.tokens.next();
                    self.option(option, token);
                }
                Found::Several if self.is_no_command(token) => {
                    self.tokens.next();
                    self.ambiguous(token, OPTIONS);
                }
                _ => return,
            }
        }
    }

    fn option(&mut self, option: OptionWord, token: Token<'t>) {
        match option {
            OptionWord::Variation => self.problem.options.variations = true,
            OptionWord::Try => self.problem.options.tries = Some(1),
            OptionWord::TrivialTriesAvoid => self.problem.options.no_trivial_tries = true,
            OptionWord::NoThreat => self.problem.options.no_threats = true,
            OptionWord::NoShortVariations => self.problem.options.no_short_variations = true,
            OptionWord::NoBoard => self.problem.options.no_board = true,
            OptionWord::MoveNumbers => self.problem.options.move_numbers = true,
            OptionWord::LastCapture => {
                self.tokens.next();
                self.next_man();
            }
            OptionWord::Beep => drop(self.optional_number()),
            OptionWord::Intelligent => {
                if let Some(most) = self.optional_number() {
                    let why = format!(
                        "it is not limited to {} solutions for each final position: all are shown",
                        excerpt(most.text)
                    );
                    self.note(token, &why);
                }
            }
            OptionWord::Defence => {
                let number = self.number(token).map(|n| u16::try_from(n).unwrap_or(u16::MAX));
                self.problem.options.tries = number.filter(|n| *n > 0);
            }
            OptionWord::MaxSolutions => self.problem.options.max_solutions = self.number(token).filter(|n| *n > 0),
            OptionWord::MaxTime => self.problem.options.max_time = self.number(token).filter(|n| *n > 0),
            OptionWord::StartMoveNumber => {
                self.problem.options.start_move = self.number(token);
                self.problem.options.move_numbers |= self.problem.options.start_move.is_some();
            }
            OptionWord::UpToMoveNumber => self.problem.options.last_move = self.number(token),
            OptionWord::Threat => self.problem.options.max_threat = self.number(token),
            OptionWord::MaxFlightSquares => self.problem.options.max_flights = self.number(token),
            OptionWord::NonTrivial => self.problem.options.non_trivial = self.number(token).zip(self.number(token)),
            option if option.has_squares() => self.with_squares(option, token),
            option => drop(self.problem.options.phase.set(option, &[])),
        }
        // Popeye shows the play after the key even without `Variation`.
        self.problem.options.variations |= option == OptionWord::PostKeyPlay;
        match option.treatment() {
            Treatment::Applied => self.read.push((option, token)),
            Treatment::Harmless(_) => {}
            Treatment::Noted(why) => self.note(token, why),
            Treatment::Refused(why) => {
                let word = excerpt(token.text);
                self.refuse(token, format!("the option {word} is not solved here: {why}"));
            }
        }
    }

    /// Notes which of the options of a problem, whose stipulation is known now, do nothing under it.
    pub(super) fn note_options_without_effect(&mut self) {
        let read = std::mem::take(&mut self.read);
        let Some(stipulation) = self.problem.stipulation else { return };
        for (_, token) in read.into_iter().filter(|&(option, _)| !has_effect(option, stipulation)) {
            self.note(token, &format!("it is not applicable to {stipulation}"));
        }
    }

    /// Takes the number that may stand after an option.
    fn optional_number(&mut self) -> Option<Token<'t>> {
        let is_number = self.tokens.peek().is_some_and(|next| next.text.bytes().all(|c| c.is_ascii_digit()));
        if is_number { self.tokens.next() } else { None }
    }

    /// Takes the number after an option.
    fn number(&mut self, option: Token<'_>) -> Option<u32> {
        let token = self.argument(option, "a number")?;
        let digits = token.text.split(':').next().unwrap_or_default();
        let number = digits.parse().ok();
        if number.is_none() {
            self.skipped(token, option, "a number");
        }
        number
    }

    /// Takes the squares after an option: one word or several.
    fn squares(&mut self, option: Token<'_>) -> Option<Vec<Square>> {
        let token = self.argument(option, "squares such as a1h8")?;
        let (mut list, rest) = squares(token.text);
        if !rest.is_empty() || list.is_empty() {
            self.skipped(token, option, "squares such as a1h8");
            return None;
        }
        while let Some(more) = self.tokens.peek().and_then(|next| only_squares(next.text)) {
            self.tokens.next();
            list.extend(more);
        }
        Some(list)
    }

    /// Reads an option with its squares.
    fn with_squares(&mut self, option: OptionWord, token: Token<'_>) {
        let Some(list) = self.squares(token) else { return };
        let wanted = match option {
            OptionWord::EnPassant => "three squares are expected, such as g7g6g5; it is ignored",
            _ => "the squares of a white and of a black rook are expected, such as a1h8; it is ignored",
        };
        if self.problem.options.phase.set(option, &list).is_none() {
            self.note(token, wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PopeyeProblem, read};
    use super::*;

    fn problem(options: &str) -> PopeyeProblem {
        let text = format!("BeginProblem\nOption {options}\nStipulation #2\nEndProblem\n");
        read(&text).unwrap().remove(0)
    }

    #[test]
    fn options_are_read_with_their_arguments() {
        let options =
            problem("Vari Try SetPlay MaxSol 2 Intelligent 3 NoBoard EnPassant g7g6g5 NoCastling a1 e8").options;
        let expected = PopeyeOptions {
            variations: true,
            tries: Some(1),
            max_solutions: Some(2),
            no_board: true,
            phase: PhaseOptions {
                set_play: true,
                en_passant: Some(Square::G6),
                no_castling: vec![Square::A1, Square::E8],
                ..PhaseOptions::default()
            },
            ..PopeyeOptions::default()
        };
        assert_eq!(options, expected);
        let options =
            problem("Defence 3 CastlingMutuallyExclusive a1h8 Start 4:1 UpTo 9 NonTrivial 0 1 PostKey").options;
        assert_eq!((options.tries, options.start_move, options.last_move), (Some(3), Some(4), Some(9)));
        assert_eq!((options.non_trivial, options.phase.post_key, options.variations), (Some((0, 1)), true, true));
        assert_eq!(options.phase.exclusive, [(Square::A1, Square::H8)]);
    }

    /// Returns the problem of one option with its arguments under a stipulation.
    fn with(language: Language, option: &str, stipulation: &str) -> PopeyeProblem {
        let [begin, command, end] = match language {
            Language::English => ["BeginProblem", "Stipulation", "EndProblem"],
            Language::German => ["AnfangProblem", "Forderung", "EndeProblem"],
            Language::French => ["DebutProbleme", "Enonce", "FinProbleme"],
        };
        let text = format!("{begin} Option {option} {command} {stipulation} {end}");
        let problems = read(&text).unwrap();
        assert_eq!(problems.len(), 1, "{text}");
        problems.into_iter().next().unwrap()
    }

    #[test]
    fn no_option_of_popeyes_list_is_silent() {
        // The options of Popeye 4.87, with `LastCapture` of an older one and `TrivialTriesAvoid` of a newer one.
        assert_eq!(OPTIONS.len(), 38);
        for (option, name) in OPTIONS {
            let arguments = match option {
                OptionWord::NonTrivial => "2 1",
                OptionWord::Defence
                | OptionWord::MaxSolutions
                | OptionWord::MaxTime
                | OptionWord::StartMoveNumber
                | OptionWord::UpToMoveNumber
                | OptionWord::Threat
                | OptionWord::MaxFlightSquares => "2",
                OptionWord::EnPassant => "a7a6a5",
                OptionWord::NoCastling => "a1",
                OptionWord::CastlingMutuallyExclusive => "a1h8",
                _ => "",
            };
            for language in Language::ALL {
                let arguments = match (option, language) {
                    (OptionWord::LastCapture, Language::French) => "Blanc Cd4",
                    (OptionWord::LastCapture, _) => "White Sd4",
                    _ => arguments,
                };
                let word = name.of(language);
                let problem = with(language, &format!("{word} {arguments}"), "#2");
                let is_set = problem.options != PopeyeOptions::default();
                let notes: Vec<String> = problem.notes.iter().map(ToString::to_string).collect();
                let refused = problem.refused.as_ref().map(ToString::to_string);
                match option.treatment() {
                    Treatment::Applied => assert!(is_set && refused.is_none(), "{word}: {refused:?}"),
                    Treatment::Harmless(why) => {
                        assert!(
                            !is_set && notes.is_empty() && refused.is_none() && !why.is_empty(),
                            "{word}: {notes:?}"
                        );
                    }
                    Treatment::Noted(why) => {
                        assert!(
                            notes.iter().any(|note| note.ends_with(&format!("{word}: {why}"))),
                            "{word}: {notes:?}"
                        );
                        assert!(refused.is_none(), "{word}: {refused:?}");
                    }
                    Treatment::Refused(why) => {
                        let refused = refused.unwrap_or_default();
                        let expected = format!("the option {word} is not solved here: {why}");
                        assert!(refused.ends_with(&expected), "{word}: {refused}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_option_that_does_nothing_under_the_stipulation_is_noted() {
        for (option, stipulation) in [
            ("Try", "h#2"),
            ("Defence 2", "ser-#2"),
            ("TrivialTriesAvoid", "h#2"),
            ("PostKeyPlay", "h#2"),
            ("NoThreat", "h=2"),
            ("NoShortVariations", "ser-h#2"),
            ("MoveNumbers", "h#2"),
            ("StartMoveNumber 2", "h#2"),
            ("UpToMoveNumber 2", "h#2"),
            ("WhiteToPlay", "#2"),
            ("WhiteToPlay", "s#2"),
            ("WhiteToPlay", "h#2.5"),
            ("Intelligent 2", "h#2"),
        ] {
            let notes = with(Language::English, option, stipulation).notes;
            let [note] = &notes[..] else { panic!("{option} {stipulation}: {notes:?}") };
            assert!(note.message.starts_with(option.split(' ').next().unwrap()), "{note}");
        }
        for (option, stipulation) in [
            ("WhiteToPlay", "h#2"),
            ("SetPlay", "h#2"),
            ("MaxSolutions 2", "h#2"),
            ("Intelligent", "h#2"),
            ("Try", "s#2"),
        ] {
            assert!(with(Language::English, option, stipulation).notes.is_empty(), "{option} {stipulation}");
        }
    }

    #[test]
    fn a_wrong_argument_is_skipped() {
        let read = problem("NoCastling Variation SetPlay");
        assert!(!read.options.variations && read.options.phase.set_play && read.refused.is_none());
        let note = read.notes[0].to_string();
        assert!(note.starts_with("line 2, column 19: NoCastling needs squares"), "{note}");
        let read = problem("MaxTime x Variation");
        assert_eq!((read.options.max_time, read.options.variations), (None, true));
    }

    #[test]
    fn limits_of_popeyes_search_are_shown_and_not_applied() {
        let read = problem("Threat 1 MaxFlight 2");
        assert_eq!((read.options.max_threat, read.options.max_flights), (Some(1), Some(2)));
        assert_eq!(read.notes.len(), 2);
        assert!(read.notes[0].to_string().contains("searches all moves"), "{}", read.notes[0]);
    }
}
