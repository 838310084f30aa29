//! The question about a position, and who asked what.
//!
//! A question has parts, such as the stipulation, the length and the sides. Each source states some of them: the
//! command line, the fields of a line, the solution or the themes beside it. What one source states is an [`Asked`];
//! each part has the name of the field or option that states it. Parts of one source that differ are refused by name
//! ([`Asked::and`]); of two sources the first counts ([`Asked::over`]).
//!
//! ```text
//! Asked (command line) ─ over ─ Asked (line) ─ over ─ Asked (solution or themes beside it) ──> Question
//! ```
//!
//! [`Question`] is the result.

use shakmaty::Color;

use super::ProblemError;
use crate::chess::{End, MateLength, Side, Stipulation};

/// A value, and the field or option that states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<T> {
    /// The value.
    pub value: T,
    /// The name of the field or option, such as `stip` or `--mate`.
    pub by: &'static str,
}

/// The colours of a question: two ways to state the same, because the stipulation says which side begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colors {
    /// The side that strives for the goal.
    Attacker(Color),
    /// The side that makes the first half-move.
    First(Color),
}

/// Defines the parts of a question, so that a new part takes part in every merging.
macro_rules! parts {
    ($($(#[$about:meta])* $part:ident: $kind:ty, $noun:literal;)*) => {
        /// The parts of a question that one source states.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct Asked {
            $($(#[$about])* pub $part: Option<Said<$kind>>,)*
        }

        impl Asked {
            /// Returns the parts of two sources; where both state a part, that of the first.
            #[must_use]
            pub fn over(self, below: Asked) -> Asked {
                Asked { $($part: self.$part.or(below.$part)),* }
            }

            /// Returns the parts of one source that states them in two places.
            ///
            /// # Errors
            /// The places state a part differently. The sentence names both.
            pub fn and(self, other: Asked) -> Result<Asked, ProblemError> {
                Ok(Asked { $($part: agreed($noun, self.$part, other.$part)?),* })
            }

            $(#[doc = concat!("Adds `", stringify!($part), "`, stated by a field or option of the name `by`.")]
            ///
            /// # Errors
            /// The source has stated it differently.
            pub fn $part(self, value: $kind, by: &'static str) -> Result<Asked, ProblemError> {
                self.and(Asked { $part: Some(Said { value, by }), ..Asked::default() })
            })*
        }
    };
}

parts! {
    /// The stipulation, with its length if it has one.
    stipulation: Stipulation, "problems";
    /// The longest length that counts, in moves, instead of that of the stipulation; `None` inside: any length.
    length: Option<MateLength>, "lengths";
    /// Whether the first solution found will do, which need not be the shortest.
    first: bool, "kinds of answer";
    /// Whether the side to move is the one that is mated, whatever the stipulation says.
    defend: bool, "sides";
    /// The sides.
    colors: Colors, "sides";
    /// The number of solutions that are intended, from 1.
    intended: u16, "numbers of solutions";
    /// Whether the set play is asked for, too.
    set_play: bool, "demands of set play";
    /// The number of solutions after which to stop, from 1.
    most: usize, "limits of solutions";
    /// Whether help play that has short solutions ends with them: Popeye's option `StopOnShortSolutions`.
    stops_at_short: bool, "demands of short solutions";
}

/// Returns what two places say of one part.
fn agreed<T: PartialEq>(noun: &str, a: Option<Said<T>>, b: Option<Said<T>>) -> Result<Option<Said<T>>, ProblemError> {
    match (a, b) {
        (Some(a), Some(b)) if a.value != b.value => Err(match (a.by, b.by) {
            (a, b) if a == b => format!("\"{a}\" stands twice and states different {noun}; remove one").into(),
            (a, b) => format!("\"{a}\" and \"{b}\" state different {noun}; remove one").into(),
        }),
        (a, b) => Ok(a.or(b)),
    }
}

/// Returns the value of a part.
fn value<T>(part: Option<Said<T>>) -> Option<T> {
    part.map(|said| said.value)
}

/// A question about a position, with all its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "each is a part of its own")]
pub struct Question {
    /// The stipulation. Its length is the longest that counts, and its first side is the one that is to move.
    pub stipulation: Stipulation,
    /// The side that strives for the goal.
    pub attacker: Color,
    /// Whether the length is that of the problem, and not another one that a request asks for.
    pub is_as_stated: bool,
    /// Whether the first solution found will do, which need not be the shortest.
    pub first: bool,
    /// The number of solutions that are intended, from 1.
    pub intended: u16,
    /// Whether the set play is asked for, too.
    pub set_play: bool,
    /// The number of solutions after which to stop; `None`: all are wanted.
    pub most: Option<usize>,
    /// Whether help play that has short solutions ends with them.
    pub stops_at_short: bool,
}

impl Default for Question {
    /// The shortest mate by the side to move, White.
    fn default() -> Question {
        Question::of(Stipulation::default(), Color::White)
    }
}

impl Question {
    /// Returns the question of a stipulation alone, about a position in which `turn` is to move.
    pub fn of(stipulation: Stipulation, turn: Color) -> Question {
        Question {
            stipulation,
            attacker: stipulation.attacker(turn),
            is_as_stated: true,
            first: false,
            intended: 1,
            set_play: false,
            most: None,
            stops_at_short: false,
        }
    }

    /// Returns the question that these parts ask about a diagram that names `turn` as the side to move, and the side
    /// that is to move for it.
    ///
    /// # Errors
    /// The parts do not fit together: a sentence.
    pub(super) fn asked(asked: &Asked, turn: Color) -> Result<(Question, Color), ProblemError> {
        let stated = value(asked.stipulation).unwrap_or_default();
        let stipulation = match () {
            () if stated.is_helped_at_any_length() => helpmate(asked, turn)?,
            () if stated.is_helped() => helped(asked, stated)?,
            () => forced(asked, stated)?,
        };
        let begins = match value(asked.colors) {
            Some(Colors::Attacker(_)) | None if stated.is_helped_at_any_length() => turn,
            // A list of moves is one of the side to move.
            _ if stated.goal().end == End::Any => turn,
            Some(Colors::First(color)) if stated.is_helped() => color,
            Some(Colors::Attacker(color)) if stated.is_helped() => stipulation.begins().color(color),
            None if stated.is_helped() => stipulation.begins().color(Color::White),
            _ => turn,
        };
        if let (Some(colors), false) = (asked.colors, stated.is_helped()) {
            check_colors(colors, stipulation, turn)?;
        }
        let question = Question {
            is_as_stated: asked.length.is_none(),
            first: value(asked.first).unwrap_or_default(),
            intended: value(asked.intended).unwrap_or(1),
            set_play: value(asked.set_play).unwrap_or_default(),
            most: value(asked.most),
            stops_at_short: value(asked.stops_at_short).unwrap_or_default(),
            ..Question::of(stipulation, begins)
        };
        Ok((question, begins))
    }
}

impl Asked {
    /// Returns the name of the field or option that states the stipulation, or its length where that is stated apart.
    pub fn stated_by(&self) -> Option<&'static str> {
        self.length.map(|length| length.by).or(self.stipulation.map(|stipulation| stipulation.by))
    }

    /// Returns these parts as those of a request: a length in its stipulation is the longest that counts, as is one
    /// that stands apart, and not the published length of a problem.
    ///
    /// # Errors
    /// A length stands in both places. The sentence names both, and what to write.
    pub fn of_request(self) -> Result<Asked, ProblemError> {
        let Some(Said { value: stipulation, by }) = self.stipulation.filter(|it| it.value.moves().is_some()) else {
            return Ok(self);
        };
        let is_fixed = stipulation.is_helped() || stipulation.goal().exact;
        match self.length {
            Some(Said { by: other, .. }) => {
                let without = stipulation.within(None);
                let advice = if is_fixed { String::new() } else { format!("; with {other}, write {by} '{without}'") };
                Err(format!("{by} '{stipulation}' states the length, and {other} another one{advice}").into())
            }
            None if is_fixed => Ok(self),
            None => Ok(Asked { length: Some(Said { value: stipulation.moves(), by }), ..self }),
        }
    }
}

/// Returns the stipulation of help play.
fn helped(asked: &Asked, stated: Stipulation) -> Result<Stipulation, ProblemError> {
    let other = [asked.length.map(|it| it.by), asked.first.map(|it| it.by), asked.defend.map(|it| it.by)];
    match other.into_iter().flatten().next() {
        None => Ok(stated),
        Some(by) => Err(ProblemError::Asked(format!(
            "{stated} is help play, which has one length and lists all solutions; leave out {by}, which asks for another \
             length or for the other side"
        ))),
    }
}

/// Returns the stipulation `h#` for a diagram that names `turn` as the side to move. That side begins and White mates,
/// unless another is asked for.
fn helpmate(asked: &Asked, turn: Color) -> Result<Stipulation, ProblemError> {
    let length = asked.length.filter(|length| length.value.is_some()).map(|length| length.by);
    let demands =
        [asked.defend, asked.set_play, asked.stops_at_short].map(|it| it.filter(|it| it.value).map(|it| it.by));
    if let Some(by) = length.into_iter().chain(demands.into_iter().flatten()).next() {
        return Err(ProblemError::Asked(format!(
            "h# asks for the shortest helpmate of any length; leave out {by}, or state the length, as in h#3"
        )));
    }
    let (begins, mates) = match value(asked.colors) {
        Some(Colors::First(color)) => (color, Color::White),
        Some(Colors::Attacker(color)) => (turn, color),
        None => (turn, Color::White),
    };
    Ok(Stipulation::helpmate(if begins == mates { Side::Attacker } else { Side::Defender }))
}

/// Returns the stipulation of play in which one side resists, with the length and the first side that are asked for.
fn forced(asked: &Asked, stated: Stipulation) -> Result<Stipulation, ProblemError> {
    let goal = stated.goal();
    if let Some(length) = asked.length.filter(|_| goal.exact) {
        let by = length.by;
        return Err(ProblemError::Asked(format!("{stated} has one length; leave out {by}, which asks for another")));
    }
    let defend = asked.defend.filter(|defend| defend.value);
    if let Some(defend) = defend.filter(|_| !goal.is_mate()) {
        let by = defend.by;
        let why = format!("{by} asks whether the side to move is mated, which is no question about {stated}");
        return Err(ProblemError::Asked(why));
    }
    let moves = value(asked.length).unwrap_or(stated.moves()).filter(|&moves| moves < MateLength::MAX);
    let begins = if defend.is_some() { Side::Defender } else { stated.begins() };
    Ok(stated.within(moves).begun_by(begins))
}

/// Refuses sides that are not those of a position in which `turn` is to move.
fn check_colors(colors: Said<Colors>, stipulation: Stipulation, turn: Color) -> Result<(), ProblemError> {
    let (stated, real) = match colors.value {
        Colors::Attacker(color) => (color, stipulation.attacker(turn)),
        Colors::First(color) => (color, turn),
    };
    if stated == real {
        return Ok(());
    }
    let [stated, real, turn] = [stated, real, turn].map(|color| color.fold_wb("White", "Black"));
    let does = if let Colors::Attacker(_) = colors.value { "strives for the goal" } else { "begins" };
    let by = colors.by;
    let fact = format!("with {turn} to move, {real} does in {stipulation}");
    Err(format!("{by} says that {stated} {does}, but {fact}; correct it or leave it out").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stipulation(text: &str, by: &'static str) -> Asked {
        Asked::default().stipulation(Stipulation::parse_stated(text).unwrap(), by).unwrap()
    }

    fn question(asked: Asked) -> Result<Question, String> {
        Question::asked(&asked, Color::White).map(|(question, _)| question).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_source_counts_and_one_source_may_not_contradict_itself() {
        let line = stipulation("#3", "dm").intended(2, "intended").unwrap();
        let told = stipulation("s#2", "-s");
        let both = question(told.over(line)).unwrap();
        assert_eq!((both.stipulation.to_string().as_str(), both.intended), ("s#2", 2));
        assert_eq!((told.over(line).stated_by(), line.stated_by()), (Some("-s"), Some("dm")));
        assert_eq!(line.and(stipulation("#3", "stip")), Ok(line));
        let why = line.and(stipulation("s#3", "stip")).unwrap_err().to_string();
        assert_eq!(why, "\"dm\" and \"stip\" state different problems; remove one");
        let why = line.and(stipulation("#1", "dm")).unwrap_err().to_string();
        assert_eq!(why, "\"dm\" stands twice and states different problems; remove one");
    }

    #[test]
    fn a_length_apart_replaces_that_of_the_stipulation() {
        let line = stipulation("#3", "dm");
        for (length, text, is_as_stated) in [(Some(MateLength(5)), "#5", false), (None, "#", false)] {
            let asked = Asked::default().length(length, "--mate").unwrap().over(line);
            let asked = question(asked).unwrap();
            assert_eq!((asked.stipulation.to_string().as_str(), asked.is_as_stated), (text, is_as_stated));
        }
        let defended = question(Asked::default().defend(true, "--defend").unwrap().over(line)).unwrap();
        assert_eq!((defended.stipulation.to_string().as_str(), defended.attacker), ("#-3", Color::Black));
        let why = line.length(None, "--any-length").unwrap().of_request().unwrap_err().to_string();
        assert!(why.contains("'#3' states the length, and --any-length another one; with"), "{why}");
    }

    #[test]
    fn in_a_helpmate_without_a_length_the_named_side_begins_and_white_mates() {
        let of = |colors: Option<Colors>, turn| {
            let asked = stipulation("h#", "stip");
            let asked = colors.map_or(asked, |colors| asked.colors(colors, "x").unwrap());
            let (question, begins) = Question::asked(&asked, turn).unwrap();
            assert_eq!(question.stipulation.to_string(), "h#");
            (begins, question.attacker)
        };
        let (white, black) = (Color::White, Color::Black);
        assert_eq!((of(None, white), of(None, black)), ((white, white), (black, white)));
        assert_eq!(of(Some(Colors::Attacker(black)), white), (white, black));
        assert_eq!(of(Some(Colors::First(black)), white), (black, white));
        let first = stipulation("h#", "stip").first(true, "--first").unwrap();
        assert!(question(first).unwrap().first);
        assert!(question(stipulation("h#", "stip").length(None, "--any-length").unwrap()).is_ok());
        let five = stipulation("h#", "stip").length(Some(MateLength(5)), "--mate").unwrap();
        assert!(question(five).unwrap_err().contains("leave out --mate"));
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let any = Asked::default().length(None, "--any-length").unwrap();
        let defend = Asked::default().defend(true, "--defend").unwrap();
        for (asked, why) in [
            (any.over(stipulation("h#2", "stip")), "leave out --any-length"),
            (any.over(stipulation("exact-#2", "stip")), "has one length"),
            (defend.over(stipulation("s#2", "stip")), "no question about s#2"),
            (
                stipulation("#2", "stip").colors(Colors::Attacker(Color::Black), "attacker").unwrap(),
                "attacker says that Black",
            ),
            (
                stipulation("#2", "stip").colors(Colors::First(Color::Black), "begins").unwrap(),
                "begins says that Black begins, but",
            ),
        ] {
            let found = question(asked).unwrap_err();
            assert!(found.contains(why), "{found}");
        }
    }
}
