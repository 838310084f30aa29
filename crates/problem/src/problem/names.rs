//! The table of names: what a field of JSON or YAML, a column of a table and an operation of EPD state.
//!
//! Case, blanks and signs in a name do not count: `mateIn`, `mate_in` and `Mate In` are one name. Most readers let some
//! names count only where their value reads as that part, because other programs use them for other things:
//! `{"type":"puzzle"}` is a remark, `{"type":"s#","n":2}` is a selfmate in two.
//!
//! A name of at least four letters is refused if it is almost one that always counts, or contains a stem (`Stem`):
//! the part that it states would be lost. Other names are remarks; common ones stand in a list, so that they are not
//! taken for misspelt.

use strsim::damerau_levenshtein;

use super::ProblemError;
use crate::base::printable::excerpt;

/// A part of a problem that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The position, as a FEN.
    Position,
    /// The stipulation, with or without its length.
    Stipulation,
    /// The kind of play and the goal, in a word or a sign.
    Kind,
    /// The number of moves of a kind.
    Number,
    /// The length of a direct mate.
    Mate,
    /// The first moves that solve.
    Keys,
    /// The printed solution.
    Solution,
    /// The moves of a puzzle.
    Moves,
    /// A game in PGN that begins with the position.
    Game,
    /// The themes of a puzzle.
    Themes,
    /// The twins.
    Twins,
    /// Whether both sides are to be asked.
    Duplex,
    /// Options, in Popeye's words.
    Options,
    /// Fairy conditions, or other words that change the rules.
    Conditions,
    /// The number of intended solutions.
    Intended,
    /// The side that strives for the goal.
    Attacker,
    /// The side that makes the first half-move.
    Begins,
    /// The name of the problem.
    Id,
    /// A limit of time, in seconds or with a unit.
    Time,
    /// A limit of time, in milliseconds.
    Milliseconds,
    /// A limit of nodes.
    Nodes,
}

/// The certainty that a name has its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Force {
    /// The name means its part, and so does a longer name that contains it.
    Stem,
    /// The name means its part.
    Name,
    /// The name means its part where the value reads as that part.
    IfRead,
}

use Force::{IfRead, Name, Stem};

/// The names of each part, in small letters without signs. The first that a misspelt name may mean is proposed.
const NAMES: [(Part, Force, &str); 30] = [
    (Part::Position, Name, "fen"),
    (Part::Position, IfRead, "position board"),
    (Part::Stipulation, Stem, "stipulation"),
    (Part::Stipulation, Name, "stip"),
    (Part::Kind, IfRead, "goal kind type"),
    (Part::Number, IfRead, "n"),
    (Part::Mate, Name, "dm mate matein"),
    (Part::Keys, Name, "bm bestmove"),
    (Part::Keys, IfRead, "key"),
    (Part::Solution, Name, "solution"),
    (Part::Moves, Name, "moves"),
    (Part::Game, Name, "pgn"),
    (Part::Themes, Name, "themes"),
    (Part::Twins, Stem, "twins"),
    (Part::Twins, Name, "twin twinning"),
    (Part::Duplex, Stem, "duplex"),
    (Part::Options, Stem, "options"),
    (Part::Options, Name, "option setplay halfduplex"),
    (Part::Conditions, Stem, "conditions condition"),
    (Part::Conditions, Name, "fairyconditions fairycondition legend nonstandardstipulation"),
    (Part::Intended, Stem, "intended"),
    (Part::Intended, Name, "intendedsolutions"),
    (Part::Attacker, Stem, "attacker"),
    (Part::Begins, Name, "begins"),
    (Part::Id, Name, "id puzzleid problemid"),
    (Part::Id, IfRead, "name"),
    (Part::Time, IfRead, "time"),
    (Part::Milliseconds, IfRead, "timems"),
    (Part::Nodes, IfRead, "nodes"),
    (Part::Begins, IfRead, "side sidetomove first"),
];

/// Common names of remarks, in small letters without signs. They are never taken for a misspelt part.
const REMARKS: &str = "no nr number date year site game gameid gameurl line ply timecontrol keywords keys author authors \
     rating ratingdeviation rated rate url white black source event round result note notes step comment comments \
     popularity nbplays openingtags eco tags title award dtm";

/// Returns all names of parts, in the order of the table.
fn names() -> impl Iterator<Item = (&'static str, Part, Force)> {
    NAMES.iter().flat_map(|&(part, force, names)| names.split(' ').map(move |name| (name, part, force)))
}

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A part, and its name in the table.
    Part(Part, &'static str),
    /// A part where the value reads as that part.
    PartIfRead(Part, &'static str),
    /// A remark.
    Remark,
    /// Almost the name of a part.
    Misspelt(&'static str),
}

/// Returns a name in small letters without blanks and signs.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns what a name means.
pub fn meaning(name: &str) -> Meaning {
    let plain = plain(name);
    if let Some((name, part, force)) = names().find(|(known, ..)| *known == plain) {
        return if force == IfRead { Meaning::PartIfRead(part, name) } else { Meaning::Part(part, name) };
    }
    if is_remark(&plain) {
        return Meaning::Remark;
    }
    let length = plain.chars().count();
    let is_almost = |known: &str| match length {
        // The distance is at least the difference of the lengths, which costs nothing.
        0..4 => false,
        _ if known.len().abs_diff(length) > 2 => false,
        4..8 => damerau_levenshtein(known, &plain) == 1,
        _ => damerau_levenshtein(known, &plain) <= 2,
    };
    let is_meant = |&(known, _, force): &(&'static str, Part, Force)| match force {
        Stem => is_almost(known) || plain.contains(known),
        Name => is_almost(known),
        IfRead => false,
    };
    names().find(is_meant).map_or(Meaning::Remark, |(known, ..)| Meaning::Misspelt(known))
}

/// Returns the part that a name states, or may state.
pub(super) fn part(name: &str) -> Option<Part> {
    match meaning(name) {
        Meaning::Part(part, _) | Meaning::PartIfRead(part, _) => Some(part),
        Meaning::Remark | Meaning::Misspelt(_) => None,
    }
}

/// Returns whether a name is a common one of a remark.
pub(super) fn is_remark(name: &str) -> bool {
    let plain = plain(name);
    REMARKS.split(' ').any(|known| known == plain)
}

/// Returns whether a name is that of a part of the question, or almost.
pub(super) fn is_asked(name: &str) -> bool {
    let beside = [Part::Id, Part::Solution, Part::Moves, Part::Game, Part::Themes, Part::Keys];
    match meaning(name) {
        Meaning::Part(part, _) => !beside.contains(&part),
        Meaning::Misspelt(known) => is_asked(known),
        _ => false,
    }
}

/// Returns the name of a field, operation or option that can state a question, as results write it; `None` if it is
/// none. Results name what states their question; programs may read them again.
pub fn source(name: &str) -> Option<&'static str> {
    const OPTIONS: [&str; 6] = ["-s", "--mate", "--any-length", "any_length", "anyLength", "at_most"];
    names().map(|(known, ..)| known).chain(OPTIONS).find(|known| *known == name)
}

/// Returns the error of a name that is almost that of a part.
pub(super) fn misspelt(name: &str, known: &str) -> ProblemError {
    format!(
        "the field \"{}\" is not understood; if it is meant to be {known}, write {known}, else give it another name",
        excerpt(name)
    )
    .into()
}

/// Parts of the names of fairy conditions and fairy men.
const OF_RULES: &str = "circe|madrasi|maximum|minimum|patrol|köko|koeko|grasshopper|nightrider|alice|cylind|isardam|\
     andernach|einstein|sentinel|chrom|masand|lortap|atomic|antichess|neutral|fairy";

/// Returns whether a text in small letters has the name of a fairy condition or of a fairy man.
pub(super) fn is_of_rules(lower: &str) -> bool {
    OF_RULES.split('|').any(|part| lower.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_part_a_remark_or_almost_a_part() {
        for (name, part) in [
            ("FEN", Part::Position),
            ("mateIn", Part::Mate),
            ("mate_in", Part::Mate),
            ("best move", Part::Keys),
            ("Intended-Solutions", Part::Intended),
            ("Twin", Part::Twins),
        ] {
            assert!(matches!(meaning(name), Meaning::Part(found, _) if found == part), "{name}");
        }
        for name in
            ["stipulatoin", "stipulation_text", "half_duplexes", "Solutoin", "begin", "mates", "fairy_condition_2"]
        {
            assert!(matches!(meaning(name), Meaning::Misspelt(_)), "{name}: {:?}", meaning(name));
        }
        for name in ["date", "notes", "rating", "keywords", "x", "white", "moves_played", "time_control", "é"] {
            assert_eq!(meaning(name), Meaning::Remark, "{name}");
        }
        for name in REMARKS.split(' ') {
            assert_eq!(meaning(name), Meaning::Remark, "{name}");
        }
    }
}
