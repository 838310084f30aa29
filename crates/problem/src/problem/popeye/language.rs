//! The keywords of Popeye's input in English, German and French. Those of twins, the letters of the men, and the way in
//! which keywords are looked up are in `twins::keywords`.
//!
//! The language of a file is that of its first keyword: `BeginProblem`, `AnfangProblem` or `DebutProbleme`, abbreviated
//! to at least three letters. Other keywords may be abbreviated as long as no other one of the same table begins in
//! this way, in capitals or small letters: `opt`, `VARI`.

use shakmaty::Color;

pub(super) use crate::problem::twins::{Found, Language, TWINNINGS, Word, abbreviates, look_up};

/// The shortest abbreviation of the first keyword. (Popeye takes a single letter, and many other texts begin with it.)
const SHORTEST_BEGIN: usize = 3;

/// Returns the language whose `BeginProblem` this word abbreviates.
pub(super) fn language_of(word: &str) -> Option<Language> {
    let begins = |language: &Language| word.len() >= SHORTEST_BEGIN && abbreviates(word, BEGIN.of(*language));
    Language::ALL.into_iter().find(begins)
}

const BEGIN: Word = Word(["BeginProblem", "AnfangProblem", "DebutProbleme"]);

/// Returns the keywords of a table that are most like a word, the most similar first.
pub(super) fn nearest<T>(word: &str, tables: &[&[(T, Word)]], language: Language) -> Vec<&'static str> {
    const SHOWN: usize = 3;
    let lower: String = word.chars().take(40).collect::<String>().to_ascii_lowercase();
    let keywords = tables.iter().flat_map(|table| table.iter().map(|(_, keyword)| keyword.of(language)));
    let mut ranked: Vec<(usize, &str)> = keywords
        .map(|keyword| {
            // An abbreviation with a mistake is compared with as many letters of the keyword.
            let start: String = keyword.chars().take(lower.len()).collect::<String>().to_ascii_lowercase();
            let whole = strsim::osa_distance(&lower, &keyword.to_ascii_lowercase());
            (whole.min(strsim::osa_distance(&lower, &start) + 1), keyword)
        })
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    ranked.truncate(SHOWN);
    ranked.into_iter().map(|(_, keyword)| keyword).collect()
}

/// The commands of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandWord {
    Remark,
    StructuredStipulation,
    Author,
    Origin,
    Pieces,
    Condition,
    Option,
    Stipulation,
    Protocol,
    Title,
    Latex,
    LatexPieces,
    Award,
    GameArray,
    Forsyth,
    Twin,
    ZeroPosition,
    End,
    Next,
}

/// The commands. Popeye has three tables and looks a word up in one after the other.
pub(super) const COMMANDS: [&[(CommandWord, Word)]; 3] = [
    &[
        (CommandWord::Remark, Word(["Remark", "Bemerkung", "remarque"])),
        (CommandWord::StructuredStipulation, Word(["SStipulation", "sForderung", "senonce"])),
        (CommandWord::Author, Word(["Author", "Autor", "auteur"])),
        (CommandWord::Origin, Word(["Origin", "Quelle", "source"])),
        (CommandWord::Pieces, Word(["Pieces", "Steine", "pieces"])),
        (CommandWord::Condition, Word(["Condition", "Bedingung", "condition"])),
        (CommandWord::Option, Word(["Option", "Option", "option"])),
        (CommandWord::Stipulation, Word(["Stipulation", "Forderung", "enonce"])),
        (CommandWord::Protocol, Word(["Protocol", "Protokoll", "protocol"])),
        (CommandWord::Title, Word(["Title", "Titel", "titre"])),
        (CommandWord::Latex, Word(["LaTeX", "LaTeX", "LaTeX"])),
        (CommandWord::LatexPieces, Word(["LaTeXPieces", "LaTeXSteine", "PiecesLaTeX"])),
        (CommandWord::Award, Word(["Award", "Auszeichnung", "prix"])),
        (CommandWord::GameArray, Word(["InitialGameArray", "PartieAnfangsStellung", "PositionInitialePartie"])),
        (CommandWord::Forsyth, Word(["Forsyth", "Forsyth", "Forsyth"])),
    ],
    &[
        (CommandWord::Twin, Word(["Twin", "Zwilling", "jumeau"])),
        (CommandWord::ZeroPosition, Word(["ZeroPosition", "NullStellung", "zeroposition"])),
    ],
    &[
        (CommandWord::End, Word(["EndProblem", "EndeProblem", "FinProbleme"])),
        (CommandWord::Next, Word(["NextProblem", "WeiteresProblem", "asuivre"])),
    ],
];

/// The colours of groups of men. `None`: neutral men, or the number of invisible men, which are not orthodox chess.
pub(super) const COLOURS: &[(Option<Color>, Word)] = &[
    (Some(Color::White), Word(["White", "Weiss", "Blanc"])),
    (Some(Color::Black), Word(["Black", "Schwarz", "Noir"])),
    (None, Word(["Neutral", "Neutral", "Neutre"])),
    (None, Word(["TotalInvisible", "TotalUnsichtbar", "TotalInvisible"])),
];

/// Attributes that can stand after a colour. All make the men that follow fairy men.
pub(super) const ATTRIBUTES: &[((), Word)] = &[
    ((), Word(["Royal", "Koeniglich", "Royale"])),
    ((), Word(["Kamikaze", "Kamikaze", "Kamikaze"])),
    ((), Word(["Paralysing", "Paralysierend", "Paralysante"])),
    ((), Word(["Chameleon", "Chamaeleon", "Cameleon"])),
    ((), Word(["Jigger", "Jigger", "Jigger"])),
    ((), Word(["Volage", "Volage", "Volage"])),
    ((), Word(["Functionary", "Beamtet", "Fonctionnaire"])),
    ((), Word(["HalfNeutral", "HalbNeutral", "DemiNeutre"])),
    ((), Word(["HurdleColourChanging", "SprungbockFarbeWechselnd", "CouleurEchangeantSautoir"])),
    ((), Word(["Protean", "Proteisch", "Protee"])),
    ((), Word(["Magic", "Magisch", "Magique"])),
    ((), Word(["Uncapturable", "Unschlagbar", "Imprenable"])),
    ((), Word(["Patrol", "Patrouille", "Patrouille"])),
    ((), Word(["Frischauf", "Frischauf", "Frischauf"])),
    ((), Word(["Bul", "Bul", "Bul"])),
    ((), Word(["Dob", "Dob", "Dob"])),
];

/// The options of a problem. [`OptionWord::treatment`] says what becomes of each.
///
/// CITE: the list in `py-engl.txt` and `options/options.h` of Popeye (Schlosser, Maeder and others).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::problem) enum OptionWord {
    Defence,
    SetPlay,
    WhiteToPlay,
    Variation,
    MoveNumbers,
    StartMoveNumber,
    UpToMoveNumber,
    Duplex,
    HalfDuplex,
    Threat,
    NoThreat,
    Try,
    MaxSolutions,
    MaxFlightSquares,
    NonTrivial,
    EnPassant,
    NoBoard,
    NoShortVariations,
    PostKeyPlay,
    MaxTime,
    NoCastling,
    StopOnShortSolutions,
    CastlingMutuallyExclusive,
    TrivialTriesAvoid,
    Intelligent,
    Beep,
    /// It takes a colour and a man: the last capture.
    LastCapture,
    /// An option that is not applied.
    Other(Treatment),
}

/// The treatment of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::problem) enum Treatment {
    /// It is applied.
    Applied,
    /// It says nothing about the solution of an orthodox problem. Contains the reason.
    Harmless(&'static str),
    /// It is not applied, and a note says why. Contains the sentence.
    Noted(&'static str),
    /// It asks another question, which is not solved: the problem is refused. Contains the reason.
    Refused(&'static str),
}

/// The treatment of an option that makes Popeye look at fewer moves.
const SHORTENS: Treatment =
    Treatment::Noted("it only shortens Popeye's search and can hide solutions; matesolve searches all moves");
/// The treatment of options without a meaning of their own.
const NO_KING: Treatment =
    Treatment::Harmless("it allows a diagram without this king, which is refused; with a king it does nothing");
const DATABASES: Treatment = Treatment::Harmless("Popeye reads it for the sake of databases and does nothing with it");
const GRID: Treatment = Treatment::Harmless("it concerns the picture of a grid, which only grid chess has");
const BOTH_MATE: Treatment = Treatment::Refused("under it a mate of the other side solves, too");
const ENDS: Treatment = Treatment::Refused("under it the play ends where the wrong side reaches the goal");
const PASSES: Treatment = Treatment::Refused("under it a side may pass");

impl OptionWord {
    /// Returns what becomes of this option.
    pub(super) fn treatment(self) -> Treatment {
        match self {
            OptionWord::Other(treatment) => treatment,
            OptionWord::Intelligent => {
                Treatment::Harmless("it chooses a method of Popeye's for help play; a number after it is noted")
            }
            OptionWord::Beep => Treatment::Harmless("it is a sound"),
            OptionWord::Threat | OptionWord::MaxFlightSquares | OptionWord::NonTrivial => SHORTENS,
            OptionWord::LastCapture => Treatment::Noted("it has no effect in orthodox chess"),
            _ => Treatment::Applied,
        }
    }
}

pub(in crate::problem) const OPTIONS: &[(OptionWord, Word)] = &[
    (OptionWord::Defence, Word(["Defence", "Widerlegung", "Defense"])),
    (OptionWord::SetPlay, Word(["SetPlay", "Satzspiel", "Apparent"])),
    (OptionWord::WhiteToPlay, Word(["WhiteToPlay", "WeissBeginnt", "ApparentSeul"])),
    (OptionWord::Variation, Word(["Variations", "Varianten", "Variantes"])),
    (OptionWord::MoveNumbers, Word(["MoveNumbers", "Zugnummern", "Trace"])),
    (OptionWord::StartMoveNumber, Word(["StartMoveNumber", "StartZugnummer", "Enroute"])),
    (OptionWord::UpToMoveNumber, Word(["UpToMoveNumber", "BisZugnummer", "JusquAuCoup"])),
    (OptionWord::Other(NO_KING), Word(["NoWk", "OhneWk", "SansRB"])),
    (OptionWord::Other(NO_KING), Word(["NoBk", "OhneSk", "SansRN"])),
    (OptionWord::Duplex, Word(["Duplex", "Duplex", "Duplex"])),
    (OptionWord::HalfDuplex, Word(["HalfDuplex", "HalbDuplex", "DemiDuplex"])),
    (OptionWord::Threat, Word(["Threat", "Drohung", "Menace"])),
    (OptionWord::NoThreat, Word(["NoThreat", "OhneDrohung", "SansMenace"])),
    (OptionWord::Try, Word(["Try", "Verfuehrung", "Essais"])),
    (OptionWord::MaxSolutions, Word(["MaxSolutions", "MaxLoesungen", "MaxSolutions"])),
    (OptionWord::MaxFlightSquares, Word(["MaxFlightSquares", "MaxFluchtFelder", "MaxCasesFuites"])),
    (OptionWord::Other(DATABASES), Word(["Search", "Suchen", "Search"])),
    (OptionWord::Other(DATABASES), Word(["MultiSolutions", "MehrereLoesungen", "MultiSolutions"])),
    (OptionWord::Other(DATABASES), Word(["NoSymmetry", "KeineSymmetrie", "NonSymetrique"])),
    (OptionWord::NonTrivial, Word(["NonTrivial", "NichtTrivial", "NonTrivial"])),
    (OptionWord::Other(SHORTENS), Word(["KeepMatingPiece", "HalteMattsetzendenStein", "RetiensPieceMatante"])),
    (OptionWord::EnPassant, Word(["EnPassant", "EnPassant", "EnPassant"])),
    (OptionWord::NoBoard, Word(["NoBoard", "OhneBrett", "SansEchiquier"])),
    (OptionWord::NoShortVariations, Word(["NoShortVariations", "OhneKurzVarianten", "SansVariantesCourtes"])),
    (OptionWord::PostKeyPlay, Word(["PostKeyPlay", "NachSchluessel", "ApresCle"])),
    (OptionWord::Intelligent, Word(["Intelligent", "Intelligent", "Intelligent"])),
    (OptionWord::MaxTime, Word(["MaxTime", "MaxZeit", "MaxTemps"])),
    (OptionWord::NoCastling, Word(["NoCastling", "KeineRochade", "SansRoquer"])),
    (OptionWord::Other(BOTH_MATE), Word(["Quodlibet", "Quodlibet", "Quodlibet"])),
    (
        OptionWord::StopOnShortSolutions,
        Word(["StopOnShortSolutions", "StopNachKurzloesungen", "FinApresSolutionsCourtes"]),
    ),
    (OptionWord::Beep, Word(["Beep", "Pieps", "Bip"])),
    (OptionWord::Other(GRID), Word(["SuppressGrid", "OhneGitter", "SansGrille"])),
    (OptionWord::Other(GRID), Word(["WriteGrid", "ZeichneGitter", "AjouteGrille"])),
    (
        OptionWord::CastlingMutuallyExclusive,
        Word(["CastlingMutuallyExclusive", "RochadenGegenseitigAusschliessend", "RoquesMutuellementExclusifs"]),
    ),
    (OptionWord::Other(ENDS), Word(["GoalIsEnd", "ZielIstEnde", "ButEstFin"])),
    (OptionWord::LastCapture, Word(["LastCapture", "LetzterSchlag", "DernierePrise"])),
    (OptionWord::Other(PASSES), Word(["NullMoves", "NullZuege", "CoupsVides"])),
    (
        OptionWord::TrivialTriesAvoid,
        Word(["TrivialTriesAvoid", "TrivialeFehlversucheUnterdruecken", "TrivialEssaiSupprimer"]),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_may_be_abbreviated_in_any_case() {
        let option = |word, language| look_up(word, OPTIONS, language);
        assert_eq!(option("vari", Language::English), Found::One(OptionWord::Variation));
        assert_eq!(option("NOTHREAT", Language::English), Found::One(OptionWord::NoThreat));
        assert_eq!(option("no", Language::English), Found::Several);
        assert_eq!(option("Duplex", Language::English), Found::One(OptionWord::Duplex));
        assert_eq!(option("Circe", Language::English), Found::Nothing);
        assert_eq!(option("", Language::English), Found::Nothing);
        assert_eq!(option("verf", Language::German), Found::One(OptionWord::Try));
        // "Apparent" is a whole keyword, although "ApparentSeul" begins with it.
        assert_eq!(option("apparent", Language::French), Found::One(OptionWord::SetPlay));
    }

    #[test]
    fn the_first_keyword_decides_the_language() {
        for (word, language) in [
            ("BeginProblem", Some(Language::English)),
            ("anfa", Some(Language::German)),
            ("DEBUT", Some(Language::French)),
            ("be", None),
            ("Beginnen", None),
        ] {
            assert_eq!(language_of(word), language, "{word}");
        }
    }

    #[test]
    fn the_nearest_keywords_are_found() {
        assert_eq!(nearest("Variaton", &[OPTIONS], Language::English)[0], "Variations");
        assert_eq!(nearest("Stpulation", &COMMANDS, Language::English)[0], "Stipulation");
        assert_eq!(nearest("Opiton", &COMMANDS, Language::English)[0], "Option");
    }
}
