//! The phases of a problem: each a position with a stipulation, or the reason why it cannot be solved.

use std::fmt;

use shakmaty::{Board, Color, Position as _, Square};

use super::board::TwinBoard;
use super::command::{Twin, TwinCommand};
use crate::base::printable::excerpt;
use crate::chess::Stipulation;
use crate::problem::question::Said;
use crate::problem::{Asked, Colors, Draft, Problem, ProblemError, men};

/// The twins of a problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Twins {
    /// The twins, in order.
    pub twins: Vec<Twin>,
    /// Whether the first twin is phase a) and the diagram itself is not solved (Popeye's `ZeroPosition`).
    pub zero_position: bool,
}

impl Twins {
    /// Reads twins from letters and texts, in the order of the letters. A twin `a` that changes something replaces the
    /// diagram.
    pub(crate) fn from_texts(mut texts: Vec<(String, String)>) -> Twins {
        texts.sort_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
        let mut twins: Vec<Twin> = texts.iter().map(|(letter, text)| Twin::read(Some(letter), text)).collect();
        let first = twins.first().is_some_and(|twin| twin.letter.as_deref() == Some("a"));
        let zero_position = first && !twins[0].commands.is_empty();
        if first && !zero_position {
            twins.remove(0);
        }
        Twins { twins, zero_position }
    }
}

/// The start of all phases of a problem.
#[derive(Debug, Clone, Default)]
pub struct TwinDiagram {
    /// The men of the diagram.
    pub board: Board,
    /// The stipulation as written, such as `#3`; empty: the shortest mate.
    pub stipulation: String,
    /// The options of the problem.
    pub options: PhaseOptions,
}

/// The options of a problem that concern all its phases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct PhaseOptions {
    /// `Duplex`: each phase is solved twice, with White and with Black as the side that strives for the goal.
    pub duplex: bool,
    /// `HalfDuplex`: Black strives for the goal.
    pub black_mates: bool,
    /// `SetPlay`: the set play is asked for, too.
    pub set_play: bool,
    /// `PostKeyPlay`: the positions stand after the key.
    pub post_key: bool,
    /// `NoCastling`: the squares of kings and rooks that have moved.
    pub no_castling: Vec<Square>,
    /// `WhiteToPlay`: in help play the side is to move that usually moves second.
    pub white_to_play: bool,
    /// `StopOnShortSolutions`: help play that has short solutions ends with them.
    pub stops_at_short: bool,
    /// `EnPassant`: the square that a pawn has just passed over.
    pub en_passant: Option<Square>,
    /// `CastlingMutuallyExclusive`: pairs of rooks whose castling rights exclude each other.
    pub exclusive: Vec<(Square, Square)>,
}

impl PhaseOptions {
    /// Returns the options that a diagram needs to be the position of a problem, and the stipulation with the key: it
    /// counts as a move even if the diagram shows the position after it.
    pub(in crate::problem) fn of(problem: &Problem) -> (PhaseOptions, Stipulation) {
        let rights = problem.chess.castles().castling_rights();
        let stipulation = problem.question.stipulation;
        let post_key = stipulation.defender_begins() && !stipulation.is_helped();
        let options = PhaseOptions {
            black_mates: problem.attacker().is_black(),
            post_key,
            stops_at_short: problem.question.stops_at_short,
            no_castling: men::rooks_at_home(problem.chess.board()).filter(|&rook| !rights.contains(rook)).collect(),
            en_passant: problem.chess.maybe_ep_square(),
            exclusive: problem.exclusive.clone(),
            ..PhaseOptions::default()
        };
        (options, if post_key { stipulation.before_first() } else { stipulation })
    }
}

/// The name of a phase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PhaseName {
    /// The letter, such as `b`; empty if the problem has no twins.
    pub letter: String,
    /// Whether the twin changes the position of the phase before.
    pub continued: bool,
    /// What changes, in Popeye's words, such as `bRc7-->f8`; empty for the diagram.
    pub heading: String,
    /// The side that strives for the goal, under the option `Duplex`.
    pub attacker: Option<Color>,
}

impl PhaseName {
    /// Returns the name without the heading: `b`, `+c`, `White`, `b, Black`.
    pub fn short(&self) -> String {
        let sign = if self.continued { "+" } else { "" };
        let letter = format!("{sign}{}", self.letter);
        match self.attacker.map(|color| color.fold_wb("White", "Black")) {
            Some(side) if self.letter.is_empty() => side.to_owned(),
            Some(side) => format!("{letter}, {side}"),
            None => letter,
        }
    }
}

impl fmt::Display for PhaseName {
    /// Writes the name as a heading: `a)`, `+c) bRc7-->f8`, `b) wKa1-->b2, Black mates`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.letter.is_empty() {
            parts.push(format!("{}{})", if self.continued { "+" } else { "" }, self.letter));
        }
        parts.extend(Some(self.heading.clone()).filter(|heading| !heading.is_empty()));
        parts.extend(self.attacker.map(|color| format!("{} mates", color.fold_wb("White", "Black"))));
        f.write_str(&parts.join(" "))
    }
}

/// One phase of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Its name.
    pub name: PhaseName,
    /// The men of the diagram from which the phase is made; a zero position is the diagram of no phase.
    pub diagram: Board,
    /// The men of the phase, also if it cannot be solved.
    pub board: Board,
    /// The stipulation as written.
    pub stipulation: String,
    /// The position and the stipulation, or the reason why they cannot be solved.
    pub problem: Result<Problem, ProblemError>,
    /// Whether a quarter turn of the board is the last change. Publications turn it in either direction.
    pub turned: bool,
}

impl Phase {
    /// Adds what the input states about this phase besides.
    pub(in crate::problem) fn state(&mut self, more: &Asked) {
        self.change(|read| read.and_then(|problem| problem.also_stating(*more)));
    }

    /// Asks what `told` says before what the input states.
    pub(in crate::problem) fn ask(&mut self, told: &Asked) {
        self.change(|read| told.of(read));
    }

    fn change(&mut self, change: impl FnOnce(Result<Problem, ProblemError>) -> Result<Problem, ProblemError>) {
        self.problem = change(std::mem::replace(&mut self.problem, Err(ProblemError::Text(String::new()))));
    }
}

/// Returns the phases of a problem, at least one.
///
/// ```
/// use matesolve_problem::problem::twins::{Twin, TwinDiagram, Twins, phases};
///
/// let board = shakmaty::Board::from_ascii_board_fen(b"7k/8/5K2/8/8/8/8/7R").unwrap();
/// let diagram = TwinDiagram { board, stipulation: "#2".to_owned(), ..TwinDiagram::default() };
/// let twins = Twins { twins: vec![Twin::read(None, "Move h1 g1")], zero_position: false };
/// let found = phases(&diagram, &twins);
/// assert_eq!(found[1].name.to_string(), "b) wRh1-->g1");
/// assert!(found[0].problem.is_err() && found[1].problem.is_ok());
/// ```
pub fn phases(diagram: &TwinDiagram, twins: &Twins) -> Vec<Phase> {
    let start = PhaseState {
        board: TwinBoard::new(diagram.board.clone()),
        stipulation: diagram.stipulation.clone(),
        attacker: Color::from_white(!diagram.options.black_mates),
        broken: None,
    };
    let mut found = Vec::new();
    let mut state = start.clone();
    if !twins.zero_position || twins.twins.is_empty() {
        let letter = if twins.twins.is_empty() { String::new() } else { letter(0) };
        state.add_to(&mut found, &PhaseName { letter, ..PhaseName::default() }, false, diagram);
    }
    let first = usize::from(!twins.zero_position);
    for (index, twin) in twins.twins.iter().enumerate() {
        if !twin.continued {
            state = start.clone();
        }
        for command in &twin.commands {
            state.apply(command);
        }
        let letter = twin.letter.clone().unwrap_or_else(|| letter(first + index));
        let heading = state.board.take_heading();
        let name = PhaseName { letter, continued: twin.continued, heading, attacker: None };
        let turned = matches!(
            twin.commands.last(),
            Some(TwinCommand::Rotate(rotation)) if rotation.degrees() % 180 != 0
        );
        state.add_to(&mut found, &name, turned, diagram);
    }
    found
}

/// Returns the first phase that can be solved.
///
/// # Errors
/// None can. Says why the first cannot.
pub(in crate::problem) fn first(phases: &[Phase]) -> Result<Problem, ProblemError> {
    let mut read = phases.iter().map(|phase| &phase.problem);
    let first = read.clone().next().cloned().unwrap_or(Err("there is no position".into()));
    read.find(|problem| problem.is_ok()).map_or(first, Clone::clone)
}

/// Returns the letter of the phase with this index, from 0: `a` to `z`, then `z1`, `z2` and so on, as Popeye counts.
fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index @ 0..26) => char::from(b'a' + index).to_string(),
        _ => format!("z{}", index - 25),
    }
}

/// The start of a continued twin: the phase before it.
#[derive(Debug, Clone)]
struct PhaseState {
    board: TwinBoard,
    stipulation: String,
    attacker: Color,
    /// Why the position is not known: a command was not understood, or does not fit the men.
    broken: Option<String>,
}

impl PhaseState {
    fn apply(&mut self, command: &TwinCommand) {
        match command {
            TwinCommand::Stipulation(text) => {
                self.stipulation.clone_from(text);
                self.board.note(text.clone());
            }
            TwinCommand::Attacker(color) => self.attacked_by(*color),
            TwinCommand::OtherSide => self.attacked_by(!self.attacker),
            TwinCommand::Refused(text) => {
                self.board.note(text.clone());
                self.broken = Some(format!(
                    "the twin \"{}\" is not understood or not solved here; matesolve knows Popeye's commands for \
                     orthodox chess, such as Move a1 b2",
                    excerpt(text)
                ));
            }
            change => {
                let applied = self.board.apply(change);
                self.broken = self.broken.take().or(applied.err());
            }
        }
    }

    fn attacked_by(&mut self, color: Color) {
        self.attacker = color;
        self.board.note(format!("{} mates", color.fold_wb("White", "Black")));
    }

    /// Adds the phase, or its two halves under the option `Duplex`.
    fn add_to(&self, found: &mut Vec<Phase>, name: &PhaseName, turned: bool, diagram: &TwinDiagram) {
        let options = &diagram.options;
        let halves = if options.duplex { vec![self.attacker, !self.attacker] } else { vec![self.attacker] };
        found.extend(halves.into_iter().map(|attacker| Phase {
            name: PhaseName { attacker: options.duplex.then_some(attacker), ..name.clone() },
            diagram: diagram.board.clone(),
            board: self.board.board.clone(),
            stipulation: self.stipulation.clone(),
            problem: self.problem(attacker, options),
            turned,
        }));
    }

    fn problem(&self, attacker: Color, options: &PhaseOptions) -> Result<Problem, ProblemError> {
        if let Some(why) = &self.broken {
            return Err(ProblemError::Text(why.clone()));
        }
        // Without a stipulation, the shortest mate is wanted.
        let stipulation = match self.stipulation.as_str() {
            "" if options.post_key => Stipulation::mated(None),
            "" => Stipulation::default(),
            text => Stipulation::parse_stated(text)?,
        };
        let by_the_other = stipulation.begun_by_the_other().filter(|_| options.white_to_play);
        let first = stipulation.begins().color(attacker);
        let stipulation = by_the_other.unwrap_or(stipulation);
        let is_helped = stipulation.is_helped();
        let board = &self.board.board;
        let turn = match (is_helped, options.post_key) {
            (true, _) => stipulation.begins().color(attacker),
            (false, true) => !attacker,
            (false, false) => attacker,
        };
        let castling = men::castling(board, &options.no_castling);
        let en_passant = options.en_passant.map_or("-".to_owned(), |square| square.to_string());
        let fen = |turn: Color| format!("{} {} {castling} {en_passant} 0 1", board.board_fen(), turn.char());
        if by_the_other.is_some() {
            // In a series the other side passes.
            Draft::new(&fen(!first))?.with_named_side()?;
        }
        let is_said = !self.stipulation.is_empty() || options.post_key;
        let stipulation = after_key(stipulation, options.post_key && !is_helped);
        let stated = Asked {
            stipulation: is_said.then_some(Said { value: stipulation, by: "stipulation" }),
            colors: is_helped.then_some(Said { value: Colors::Attacker(attacker), by: "options" }),
            stops_at_short: options.stops_at_short.then_some(Said { value: true, by: "StopOnShortSolutions" }),
            set_play: options.set_play.then_some(Said { value: true, by: "SetPlay" }),
            ..Asked::default()
        };
        let exclusive = options.exclusive.clone();
        Draft::new(&fen(turn))?.stating(Problem { stated, exclusive, ..Problem::default() }).finished()
    }
}

/// Adapts the stipulation to a diagram after the key: the defender is to move, and one half-move less is left. After
/// the key of a mate in one nothing is left.
fn after_key(stipulation: Stipulation, post_key: bool) -> Stipulation {
    let after = stipulation.after_first().filter(|after| post_key && after.half_moves() != Some(0));
    after.unwrap_or(stipulation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(board: &str, stipulation: &str, twins: &[&str], options: PhaseOptions) -> Vec<Phase> {
        let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap();
        let diagram = TwinDiagram { board, stipulation: stipulation.to_owned(), options };
        let twins = twins.iter().map(|text| Twin::read(None, text)).collect();
        phases(&diagram, &Twins { twins, zero_position: false })
    }

    fn fens(phases: &[Phase]) -> Vec<String> {
        phases
            .iter()
            .map(|phase| phase.problem.as_ref().map_or_else(ToString::to_string, |it| it.fen.clone()))
            .collect()
    }

    #[test]
    fn twins_start_from_the_diagram_or_continue() {
        let twins = ["Remove g7", "Continued Move h1 a1", "Move f8 f7 Stipulation #3"];
        let found = found("5Kbk/6pp/6P1/8/8/8/8/7R", "#2", &twins, PhaseOptions::default());
        let names: Vec<String> = found.iter().map(|phase| phase.name.to_string()).collect();
        assert_eq!(names, ["a)", "b) -bPg7", "+c) wRh1-->a1", "d) wKf8-->f7  #3"]);
        assert_eq!(fens(&found[1..3]), ["5Kbk/7p/6P1/8/8/8/8/7R w - - 0 1", "5Kbk/7p/6P1/8/8/8/8/R7 w - - 0 1"]);
        assert_eq!(found[3].problem.as_ref().unwrap().question.stipulation.to_string(), "#3");
    }

    #[test]
    fn in_help_play_the_other_side_can_be_to_move() {
        let options = || PhaseOptions { white_to_play: true, ..PhaseOptions::default() };
        for (stipulation, asked, turn) in [
            ("h#2", "h#1.5", Color::White),
            ("hs#2", "hs#1.5", Color::Black),
            // White passes.
            ("ser-h#2", "ser-h#1", Color::Black),
            ("ser-h#1", "ser-h#0", Color::White),
            ("h#1.5", "h#1.5", Color::White),
        ] {
            let found = found("8/8/8/8/8/R5K1/8/7k", stipulation, &[], options());
            let problem = found[0].problem.as_ref().unwrap();
            let found = (problem.question.stipulation.to_string(), problem.chess.turn());
            assert_eq!(found, (asked.to_owned(), turn), "{stipulation}");
        }
        // White could take the king, so he cannot be to move.
        for stipulation in ["h#2", "ser-h#2"] {
            assert!(found("8/8/8/8/8/6K1/8/R6k", stipulation, &[], options())[0].problem.is_err(), "{stipulation}");
        }
    }

    #[test]
    fn a_duplex_has_two_halves_and_rights_follow_the_men() {
        let options = PhaseOptions { duplex: true, ..PhaseOptions::default() };
        let found = found("4k2r/8/8/8/8/8/8/R3K3", "#2", &["Move h8 g8"], options);
        assert_eq!(
            fens(&found),
            [
                "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
                "4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1",
                "4k1r1/8/8/8/8/8/8/R3K3 w Q - 0 1",
                "4k1r1/8/8/8/8/8/8/R3K3 b Q - 0 1"
            ]
        );
        let names: Vec<String> = found.iter().map(|phase| phase.name.short()).collect();
        assert_eq!(names, ["a, White", "a, Black", "b, White", "b, Black"]);
    }

    #[test]
    fn what_is_not_solved_is_said_phase_by_phase() {
        let twins = ["Stipulation pser-#2", "Condition Circe", "cont Move f8 e8", "Shift a1 b1", "Rotate 180", "Black"];
        let found = found("5Kbk/6pp/6P1/8/8/8/8/7R", "#2", &twins, PhaseOptions::default());
        let errors = fens(&found);
        assert!(errors[1].starts_with("\"pser-#2\" is a series in which the other side may"), "{errors:?}");
        assert!(errors[2].contains("\"Condition Circe\" is not understood") && errors[3] == errors[2]);
        assert!(errors[4].contains("off the board") && found[5].problem.is_ok());
        assert_eq!(found[6].problem.as_ref().unwrap().chess.board(), &found[0].board);
        assert_eq!(found[6].name.to_string(), "g) Black mates");
        let pawns = super::tests::found("5Kbk/6pp/6P1/8/8/8/8/7R", "#2", &["Move g7 g1"], PhaseOptions::default());
        assert!(fens(&pawns)[1].contains("a pawn on g1"), "{:?}", fens(&pawns));
    }

    #[test]
    fn after_the_key_of_every_goal_one_half_move_less_is_left() {
        let options = PhaseOptions { post_key: true, ..PhaseOptions::default() };
        let twins = ["Stipulation s#2", "Stipulation =3", "Stipulation #1"];
        let found = found("5Kbk/6pp/6P1/8/8/8/8/7R", "#3", &twins, options);
        let read = |phase: &Phase| {
            let problem = phase.problem.as_ref().unwrap();
            (problem.question.stipulation.to_string(), problem.question.stipulation.half_moves(), problem.chess.turn())
        };
        let expected = [("#-2", 4), ("s#-1", 3), ("=-2", 4), ("#1", 1)];
        let expected = expected.map(|(text, half_moves)| (text.to_owned(), Some(half_moves), Color::Black));
        assert_eq!(found.iter().map(read).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn letters_are_counted_as_popeye_does() {
        assert_eq!([0, 25, 26, 40].map(letter), ["a", "z", "z1", "z15"]);
    }
}
