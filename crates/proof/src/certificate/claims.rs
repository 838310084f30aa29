//! The claims of a certificate, and the sections that they ask for.

use matesolve_terms::{MateLength, MoveCode};

use super::format::moves_text;

/// What a certificate says about its diagram. `docs/certificates.md` has the meaning of each claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claims {
    /// The goal is reached within this number of moves.
    Solved(MateLength),
    /// The goal is not reached within this number of moves.
    Nothing(MateLength),
    /// The goal is reached within `moves`, and not within `nothing`, which is less.
    Shortest {
        /// The length of the solution, in moves.
        moves: MateLength,
        /// The refuted length, in moves.
        nothing: MateLength,
    },
    /// The verdict of a report on a problem.
    Verdict {
        /// The word for it.
        word: VerdictWord,
        /// All first moves that reach the goal within the moves of the stipulation, in the order of moves.
        keys: Vec<MoveCode>,
    },
}

/// The word of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictWord {
    /// As many keys as intended, and none of them reaches the goal sooner.
    Sound,
    /// More keys than intended, and none of them reaches the goal sooner.
    Cooked,
    /// A key reaches the goal in fewer moves than stipulated.
    Short,
    /// No key.
    None,
}

impl VerdictWord {
    /// All words, as they are written.
    pub(super) const ALL: [(VerdictWord, &str); 4] = [
        (VerdictWord::Sound, "sound"),
        (VerdictWord::Cooked, "cooked"),
        (VerdictWord::Short, "short"),
        (VerdictWord::None, "none"),
    ];

    /// Returns the word.
    pub fn text(self) -> &'static str {
        VerdictWord::ALL.iter().find(|&&(word, _)| word == self).map_or("none", |&(_, text)| text)
    }

    /// Returns the word for this number of keys, of which none reaches the goal too soon.
    pub fn of(keys: usize, intended: u16) -> Option<VerdictWord> {
        match keys.cmp(&usize::from(intended)) {
            _ if keys == 0 => Some(VerdictWord::None),
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some(VerdictWord::Sound),
            std::cmp::Ordering::Greater => Some(VerdictWord::Cooked),
        }
    }
}

/// The first moves that a refutation leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LeftOut {
    /// None.
    #[default]
    Nothing,
    /// These.
    Moves(Vec<MoveCode>),
    /// All but these.
    AllBut(Vec<MoveCode>),
}

impl LeftOut {
    /// Returns whether this first move is left out.
    pub fn has(&self, code: MoveCode) -> bool {
        match self {
            LeftOut::Nothing => false,
            LeftOut::Moves(moves) => moves.contains(&code),
            LeftOut::AllBut(moves) => !moves.contains(&code),
        }
    }

    /// Returns the moves that are named.
    pub fn named(&self) -> &[MoveCode] {
        match self {
            LeftOut::Nothing => &[],
            LeftOut::Moves(moves) | LeftOut::AllBut(moves) => moves,
        }
    }
}

/// A section of the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// The goal is reached within `moves`; if `first` is given, by this first move.
    Solved {
        /// The number of moves.
        moves: MateLength,
        /// The section may state fewer moves.
        or_fewer: bool,
        /// The first move that is asked for.
        first: Option<MoveCode>,
    },
    /// The goal is not reached within `moves`.
    Nothing {
        /// The number of moves.
        moves: MateLength,
        /// The first moves that the refutation says nothing about.
        left_out: LeftOut,
    },
}

impl Section {
    /// Returns the line that begins the section, without its line feed.
    pub(super) fn title(&self) -> String {
        match self {
            Section::Solved { moves, .. } => format!("proof solved in {moves}"),
            Section::Nothing { moves, left_out } => {
                let word = match left_out {
                    LeftOut::Nothing => "",
                    LeftOut::Moves(_) => " except ",
                    LeftOut::AllBut(_) => " after ",
                };
                format!("proof no solution in {moves}{word}{}", moves_text(left_out.named()))
            }
        }
    }
}

impl Claims {
    /// Returns the sections that the claims ask for, in their order. `moves` is the number of the stipulation; `exact`:
    /// a shorter solution is none.
    pub fn sections(&self, moves: MateLength, exact: bool) -> Vec<Section> {
        let solved = |moves, or_fewer, first| Section::Solved { moves, or_fewer, first };
        let nothing = |moves, left_out| Section::Nothing { moves, left_out };
        match self {
            &Claims::Solved(n) => vec![solved(n, false, None)],
            &Claims::Nothing(n) => vec![nothing(n, LeftOut::Nothing)],
            &Claims::Shortest { moves, nothing: n } => {
                vec![solved(moves, false, None), nothing(n, LeftOut::Nothing)]
            }
            Claims::Verdict { keys, .. } if keys.is_empty() => vec![nothing(moves, LeftOut::Nothing)],
            Claims::Verdict { word, keys } => {
                let short = *word == VerdictWord::Short;
                let mut sections: Vec<Section> = keys.iter().map(|&key| solved(moves, short, Some(key))).collect();
                sections.push(nothing(moves, LeftOut::Moves(keys.clone())));
                let shorter = moves.shorter().filter(|shorter| shorter.0 > 0 && !short && !exact);
                sections.extend(shorter.map(|shorter| nothing(shorter, LeftOut::AllBut(keys.clone()))));
                sections
            }
        }
    }

    /// Returns the longest length that is claimed, if one is stated.
    pub(super) fn most(&self) -> Option<MateLength> {
        match *self {
            Claims::Solved(n) | Claims::Nothing(n) | Claims::Shortest { moves: n, .. } => Some(n),
            Claims::Verdict { .. } => None,
        }
    }

    /// Returns the lines of the claims, without the last line feed.
    pub(super) fn text(&self) -> String {
        match self {
            Claims::Solved(n) => format!("claim solved in {n}"),
            Claims::Nothing(n) => format!("claim no solution in {n}"),
            Claims::Shortest { moves, nothing } => {
                format!("claim solved in {moves}\nclaim no solution in {nothing}")
            }
            Claims::Verdict { word, keys } => {
                let keys = keys.iter().map(|key| format!(" {key}"));
                format!("claim verdict {}{}", word.text(), keys.collect::<String>())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::parse_move;
    use super::*;

    #[test]
    fn a_verdict_asks_for_every_key_and_the_refutation_of_all_else() {
        let key = parse_move("h1h6").unwrap();
        let titles = |word, keys: &[MoveCode], moves| -> Vec<String> {
            let sections = Claims::Verdict { word, keys: keys.to_vec() }.sections(MateLength(moves), false);
            sections.iter().map(Section::title).collect()
        };
        let sound = ["proof solved in 2", "proof no solution in 2 except h1h6", "proof no solution in 1 after h1h6"];
        assert_eq!(titles(VerdictWord::Sound, &[key], 2), sound);
        assert_eq!(titles(VerdictWord::Short, &[key], 2), sound[..2]);
        assert_eq!(titles(VerdictWord::None, &[], 2), ["proof no solution in 2"]);
        assert_eq!(titles(VerdictWord::Sound, &[key], 1).len(), 2, "there is no mate in 0 moves to refute");
    }

    #[test]
    fn the_number_of_keys_chooses_the_word() {
        let of = |keys, intended| VerdictWord::of(keys, intended).map(VerdictWord::text);
        assert_eq!([of(0, 1), of(1, 1), of(2, 1)], [Some("none"), Some("sound"), Some("cooked")]);
        assert_eq!([of(1, 2), of(2, 2)], [None, Some("sound")]);
    }
}
