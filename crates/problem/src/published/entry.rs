//! A problem with what was published about it, and what keywords of a collection claim about its soundness.

use crate::chess::Soundness;
use crate::problem::fields::{Node, TEXTS, texts, wrong};
use crate::problem::input::Entry;
use crate::problem::olv::OlvEntry;
use crate::problem::{Problem, ProblemError};

/// A problem with what was published about it.
#[derive(Debug, Clone)]
pub struct Published {
    /// The problem. Its name is that of the collection: an `id`, or authors, source and year.
    pub problem: Problem,
    /// The authors.
    pub authors: Vec<String>,
    /// The source in which it was published.
    pub source: Option<String>,
    /// The year of publication.
    pub year: Option<u16>,
    /// The remarks of the collection, such as `Cooked`.
    pub keywords: Vec<String>,
    /// The keys, if the collection names them besides the solution: those of the only phase, or a text for each phase.
    pub keys: Vec<String>,
    /// The entry of a collection, if the problem comes from one.
    pub entry: Option<Box<OlvEntry>>,
}

impl Published {
    /// Takes what an entry of an input says about its problem.
    ///
    /// # Errors
    /// The entry holds no problem that matesolve solves, a field about the solution cannot be read, or its line cannot
    /// be played.
    pub fn of(entry: &Entry) -> Result<Published, ProblemError> {
        let problem = entry.problem.clone()?;
        if let Some(why) = &problem.faulty_solution {
            return Err(why.clone().into());
        }
        let fields = entry.olv.as_ref().map_or_else(|| Node::from(&problem.given.fields), |olv| olv.fields());
        if entry.olv.is_none() {
            check_forms(&fields)?;
        }
        let bm = problem.operations.iter().filter(|operation| operation.code == "bm");
        let bm = bm.flat_map(|operation| &operation.operands).map(|operand| operand.text.clone());
        let keys = fields.words_of("keys").into_iter().chain(bm.filter(|text| !text.starts_with('#'))).collect();
        // The number of an entry in its database says more than its author.
        let id = fields.words_of("id").into_iter().next().or_else(|| problem.id.clone());
        Ok(Published {
            authors: fields.words_of("authors"),
            source: fields.source(),
            year: fields.year(),
            keywords: fields.words_of("keywords"),
            keys,
            entry: entry.olv.clone(),
            problem: Problem { id, ..problem },
        })
    }

    /// Reads a JSON object: with a `fen`, or with the lists of men of the YACPDB (`algebraic`).
    ///
    /// # Errors
    /// As [`Published::of`].
    pub fn of_json(text: &str, line: usize) -> Result<Published, ProblemError> {
        Published::of(&Entry::of_text(text, line))
    }

    /// Returns whether the collection says that the problem is not sound, or doubts it.
    pub fn is_marked(&self) -> bool {
        self.keywords.iter().any(|keyword| Claim::of(keyword).is_some())
    }
}

/// Refuses a field about the published solution in a form that cannot be read: without it, the entry would be compared
/// with another solution than its own.
fn check_forms(fields: &Node) -> Result<(), ProblemError> {
    for name in ["solution", "keywords", "keys"] {
        texts(name, fields.get(name).filter(|node| **node != Node::Null), TEXTS)?;
    }
    let is_count =
        |node: &Node| node.words().first().is_some_and(|text| text.parse().is_ok_and(|count: u16| count > 0));
    match fields.get("intended").filter(|node| !(is_count(node) || **node == Node::Null)) {
        Some(node) => Err(wrong("intended", node, "a number from 1")),
        None => Ok(()),
    }
}

/// The claim of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// There are more keys than intended.
    Cooked,
    /// The goal is reached in fewer moves than stipulated.
    ShortMate,
    /// The goal is not reached within the stipulated length.
    NoSolution,
    /// The problem is not sound, for whatever reason.
    Unsound,
    /// The diagram or the stipulation is in doubt.
    Doubtful,
}

impl Claim {
    /// Returns the claim of a keyword; `None` if it says nothing about soundness.
    pub fn of(keyword: &str) -> Option<Claim> {
        let letters: String = keyword.chars().filter(|c| c.is_alphanumeric() || *c == '?').collect();
        Some(match letters.to_lowercase().as_str() {
            "cooked" | "cook" | "cooks" => Claim::Cooked,
            "shortmate" | "shortsolution" => Claim::ShortMate,
            "nosolution" | "insoluble" | "unsolvable" => Claim::NoSolution,
            "unsound" | "incorrect" => Claim::Unsound,
            "stipulation?" | "position?" => Claim::Doubtful,
            _ => return None,
        })
    }

    /// Returns whether the claim is wrong. A short solution is also a cook, as many use the word.
    pub fn is_wrong(self, truth: Soundness) -> bool {
        match self {
            _ if truth == Soundness::Undecided => false,
            Claim::Cooked => !matches!(truth, Soundness::Cooked | Soundness::ShortSolution),
            Claim::ShortMate => truth != Soundness::ShortSolution,
            Claim::NoSolution => !matches!(truth, Soundness::NoSolution | Soundness::Incomplete),
            Claim::Unsound => truth == Soundness::Sound,
            Claim::Doubtful => false,
        }
    }
}

/// The keyword of the YACPDB that says this; `None` if there is nothing to say.
pub fn keyword_for(truth: Soundness) -> Option<&'static str> {
    match truth {
        Soundness::Sound | Soundness::Undecided => None,
        Soundness::Cooked => Some("Cooked"),
        Soundness::ShortSolution => Some("Shortmate"),
        Soundness::NoSolution | Soundness::Incomplete => Some("Unsound"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEN: &str = r#""algebraic":{"white":["Kf8","Rh1","Pg6"],"black":["Kh8","Bg8","Ph7","Pg7"]}"#;

    #[test]
    fn json_is_read_with_a_fen_or_with_lists_of_men() {
        let both = [
            format!(
                r##"{{"id":7,{MEN},"stipulation":"#2","authors":["A"],"date":{{"year":1952}},"source":"R\u00e9s\/x",
                "keywords":["Cooked"],"solution":"1.Rh6!\n\t1...g\u00d7h6","intended-solutions":"2.1"}}"##
            ),
            r##"{"id":7,"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -","stipulation":"#2","authors":"A","date":"1952-01",
                "source":"Rés/x","keywords":["Cooked"],"solution":"1.Rh6!\n\t1...g×h6","intended":2}"##
                .to_owned(),
        ];
        for text in both {
            let read = Published::of_json(&text, 3).unwrap();
            assert_eq!(read.problem.fen, "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1");
            assert_eq!((read.problem.id.as_deref(), read.problem.line, read.year), (Some("7"), Some(3), Some(1952)));
            assert_eq!((read.authors, read.source.as_deref()), (vec!["A".to_owned()], Some("Rés/x")));
            assert_eq!(
                (read.problem.solution.as_deref(), read.problem.question.intended),
                (Some("1.Rh6!\n\t1...g×h6"), 2)
            );
            assert_eq!(read.keywords, ["Cooked"]);
        }
    }

    #[test]
    fn fields_of_a_solution_are_read_whole_or_refused() {
        let read =
            |field: &str| Published::of_json(&format!(r#"{{"fen":"5Kbk/6pp/6P1/8/8/8/8/7R w - -",{field}}}"#), 1);
        let lines = read(r#""solution":["1.Rh6!","1...gxh6 2.g7#"]"#).unwrap();
        assert_eq!(lines.problem.solution.as_deref(), Some("1.Rh6!\n1...gxh6 2.g7#"));
        for (field, expected) in [
            (
                r#""solution":{"key":"Rh6"}"#,
                "the field \"solution\" is an object; write it as a text or a list of texts",
            ),
            (r#""keywords":[["Cooked"]]"#, "the field \"keywords, item 1\" is a list; write"),
            (r#""keys":true"#, "the field \"keys\" is true or false; write"),
            (r#""intended":"two""#, "the field \"intended\" is a text; write it as a number from 1"),
        ] {
            let message = read(field).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        let entry = Published::of_json(&format!(r##"{{{MEN},"stipulation":"#2","solution":["1.Rh6!"]}}"##), 1);
        let message = entry.unwrap_err().to_string();
        assert_eq!(message, "the field \"solution\" is a list; write it as one text");
    }

    #[test]
    fn keys_come_from_bm_and_other_genres_are_told_from_mistakes() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - bm #2; bm Rh6 Rh5;").unwrap();
        let entry = Entry { problem: Ok(problem), ..Entry::of_text("", 1) };
        assert_eq!(Published::of(&entry).unwrap().keys, ["Rh6", "Rh5"]);
        let other = Published::of_json(&format!(r#"{{{MEN},"stipulation":"pser-#2"}}"#), 1).unwrap_err();
        assert!(other.is_other_genre());
        let broken = Published::of_json(r##"{"stipulation":"#2"}"##, 1).unwrap_err();
        assert!(!broken.is_other_genre());
    }

    #[test]
    fn every_claim_is_compared_with_the_truth() {
        let all = [Soundness::Sound, Soundness::Cooked, Soundness::ShortSolution, Soundness::NoSolution];
        for (keyword, wrong) in [
            ("Cooked", [true, false, false, true]),
            ("Short mate", [true, true, false, true]),
            ("No solution", [true, true, true, false]),
            ("unsound", [true, false, false, false]),
            ("Position?", [false; 4]),
        ] {
            let claim = Claim::of(keyword);
            assert_eq!(all.map(|truth| claim.is_some_and(|claim| claim.is_wrong(truth))), wrong, "{keyword}");
            assert!(claim.is_some_and(|claim| !claim.is_wrong(Soundness::Undecided)));
        }
        assert_eq!((Claim::of("Retro"), Claim::of("Cook-Turton"), Claim::of("")), (None, None, None));
        for truth in all {
            let claim = keyword_for(truth).and_then(Claim::of);
            assert!(claim.is_none_or(|claim| !claim.is_wrong(truth)));
        }
    }
}
