//! Reads printed solutions: Popeye's plain layout, and the shorthand of columns and databases.
//!
//! ```text
//! 1.c2-c4 ! threat:                1.c4! (2.Rf1#)
//!        2.Rf2-f1 #                   1...fxe2/Nxe2 2.Qd2#
//!    1...f3*e2                     1.e3? zz
//!        2.Qa5-d2 #                but 1...Nb3!
//! ```
//!
//! Both are sequences of numbered moves. The meaning of a move follows from its number, its dots and the marks after
//! it. A move is looked up among the legal moves, in whichever notation it is written, so a misprint is noticed. Only
//! the first two moves of either side are kept: all of a two-mover, and the beginning of a longer problem.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Chess, File, Move, Position as _, Rank, Role, Square};

/// The part of a solution that belongs to one first move, or the set play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// The first move in UCI notation; `None` for the set play.
    pub first: Option<String>,
    /// Whether `!` follows the first move.
    pub key: bool,
    /// The threats, in UCI notation.
    pub threats: BTreeSet<String>,
    /// The attacker's second moves after each defence, in UCI notation.
    pub variations: BTreeMap<String, BTreeSet<String>>,
    /// The defences that refute, after `but`.
    pub refutations: BTreeSet<String>,
}

/// A printed solution.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    /// Set play, tries and keys, as printed.
    pub parts: Vec<Printed>,
    /// The first and second moves that are not legal.
    pub misprints: Vec<String>,
}

/// The place of a group in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a line of play.
    Line,
    /// In brackets after a first move: a threat.
    Brackets,
    /// After "but".
    AfterBut,
}

/// One numbered group of moves: `1...Ke4/Kd4`, `2.Qd2#`.
#[derive(Debug)]
struct Group {
    number: u32,
    defence: bool,
    place: Place,
    /// Whether an empty line stands before the group.
    after_blank: bool,
    moves: Vec<String>,
    marks: String,
}

impl Solution {
    /// Reads the printed solution of the problem in this position.
    pub fn read(text: &str, start: &Chess) -> Solution {
        let mut reader =
            Reader { start, solution: Solution::default(), current: None, defences: Vec::new(), threats: false };
        for group in groups(text) {
            reader.read(&group);
        }
        reader.finish();
        reader.solution
    }

    /// Returns the printed keys, in UCI notation.
    pub fn keys(&self) -> BTreeSet<String> {
        self.parts.iter().filter(|part| part.key).filter_map(|part| part.first.clone()).collect()
    }
}

/// The state while a solution is read.
struct Reader<'a> {
    start: &'a Chess,
    solution: Solution,
    /// The part being read and the position after its first move.
    current: Option<(Printed, Option<Chess>)>,
    /// The defences to which the next answers belong, and the positions after them.
    defences: Vec<(String, Chess)>,
    /// Whether the next answers are threats, because no defence has been read since the first move.
    threats: bool,
}

impl Reader<'_> {
    fn read(&mut self, group: &Group) {
        match (group.number, group.defence) {
            (1, false) => self.first_move(group),
            (1, true) => self.defence(group),
            (2, false) => self.answer(group),
            _ => {}
        }
    }

    fn finish(&mut self) {
        self.solution.parts.extend(self.current.take().map(|(printed, _)| printed));
        self.defences.clear();
    }

    fn first_move(&mut self, group: &Group) {
        self.finish();
        let Some(text) = group.moves.first() else { return };
        let found = find(self.start, text);
        if found.is_none() {
            self.solution.misprints.push(format!("1.{text}"));
        }
        let key = group.marks.contains('!') && !group.marks.contains('?');
        let after = found.and_then(|m| self.start.clone().play(m).ok());
        let printed = Printed { first: found.map(uci), key, ..Printed::default() };
        self.current = Some((printed, after));
        self.threats = true;
    }

    fn defence(&mut self, group: &Group) {
        if group.after_blank && self.current.as_ref().is_some_and(|(printed, _)| printed.first.is_some()) {
            // A defence after an empty line does not belong to the first move before it.
            self.finish();
        }
        let passed = || self.start.clone().swap_turn().ok();
        let (printed, after) = self.current.get_or_insert_with(|| (Printed::default(), passed()));
        self.threats = false;
        self.defences.clear();
        let Some(after) = after else { return };
        for text in &group.moves {
            match find(after, text) {
                Some(m) if group.place == Place::AfterBut || group.marks.contains('!') => {
                    printed.refutations.insert(uci(m));
                }
                Some(m) => {
                    printed.variations.entry(uci(m)).or_default();
                    self.defences.extend(after.clone().play(m).ok().map(|next| (uci(m), next)));
                }
                None => self.solution.misprints.push(format!("1...{text}")),
            }
        }
    }

    fn answer(&mut self, group: &Group) {
        let Some((printed, after)) = &mut self.current else { return };
        if group.place == Place::Brackets || self.threats {
            let passed = after.as_ref().and_then(|after| after.clone().swap_turn().ok());
            for text in &group.moves {
                match passed.as_ref().and_then(|passed| find(passed, text)) {
                    Some(m) => drop(printed.threats.insert(uci(m))),
                    None => self.solution.misprints.push(format!("2.{text} (threat)")),
                }
            }
            return;
        }
        for (defence, after) in &self.defences {
            for text in &group.moves {
                match find(after, text) {
                    Some(m) => drop(printed.variations.entry(defence.clone()).or_default().insert(uci(m))),
                    None => self.solution.misprints.push(format!("1...{defence} 2.{text}")),
                }
            }
        }
    }
}

/// Writes a move in UCI notation. Castling is the king's move by two squares.
pub fn uci(m: Move) -> String {
    m.to_uci(shakmaty::CastlingMode::Standard).to_string()
}

/// Returns the numbered groups of a text without its comments.
fn groups(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut after_but = false;
    for paragraph in without_comments(text).split("\n\n") {
        let mut after_blank = true;
        for word in paragraph.split_whitespace() {
            let word = word.trim_matches(|c| c == '"' || c == ',');
            if word.eq_ignore_ascii_case("but") {
                after_but = true;
                continue;
            }
            let rest = match numbered(word) {
                Some((number, defence, rest)) => {
                    after_but &= defence;
                    let place = match (word.starts_with('('), after_but) {
                        (true, _) => Place::Brackets,
                        (false, true) => Place::AfterBut,
                        (false, false) => Place::Line,
                    };
                    groups.push(Group { number, defence, place, after_blank, moves: vec![], marks: String::new() });
                    after_blank = false;
                    rest
                }
                None => word,
            };
            if let Some(group) = groups.last_mut().filter(|_| !rest.is_empty()) {
                add_word(group, rest);
            }
        }
        after_but = false;
    }
    groups
}

/// Splits `1...Ke4` or `(2.Qd2#)` into the number, whether the defender moves, and the text after the dots.
fn numbered(word: &str) -> Option<(u32, bool, &str)> {
    let word = word.trim_start_matches('(');
    let digits = word.find(|c: char| !c.is_ascii_digit()).filter(|&end| end > 0)?;
    let number = word[..digits].parse().ok()?;
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    (dots > 0).then(|| (number, dots > 1, &rest[dots..]))
}

/// Adds the moves and marks of a word to a group.
fn add_word(group: &mut Group, word: &str) {
    // "Kb5-c4" is one move and "Kb5/Kc4" are two, but "f8/S" is a promotion. A label such as [a] belongs to the move
    // before it.
    let word = ["Q", "R", "B", "S", "N"].iter().fold(word.to_owned(), |word, man| {
        match word.split_once(&format!("8/{man}")) {
            Some((before, after)) if !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '*') => {
                format!("{before}8{man}{after}")
            }
            _ => word,
        }
    });
    for text in word.split('/') {
        let bare = text.split('[').next().unwrap_or_default();
        let bare = bare.trim_end_matches(['!', '?', ')', '+', '#', ',', ';', '.', '"']);
        let bare = bare.trim_start_matches('(');
        let squares =
            bare.bytes().any(|b| (b'1'..=b'8').contains(&b)) && bare.bytes().any(|b| (b'a'..=b'h').contains(&b));
        let castles = bare.starts_with("0-0") || bare.starts_with("O-O");
        if (squares || castles) && bare.len() <= 9 {
            group.moves.push(bare.to_owned());
        }
        group.marks.extend(text.chars().filter(|c| matches!(c, '!' | '?')));
    }
}

fn without_comments(text: &str) -> String {
    let mut depth = 0_usize;
    let keep = |c: &char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    text.chars().filter(keep).collect()
}

/// Returns the lines of play after the keys of a solution in Popeye's layout, at all depths: each move with all moves
/// before it, as printed. A missing move of the defender is written as "threat".
pub fn paths(text: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let mut path: Vec<String> = Vec::new();
    let mut key = false;
    for line in without_comments(text).lines() {
        let mut words = line.trim_matches(|c: char| c == '"' || c.is_whitespace()).split_whitespace();
        let Some((number, defence, rest)) = words.next().and_then(numbered) else { continue };
        let ply = 2 * (number as usize).saturating_sub(1) + usize::from(defence);
        if ply == 0 {
            key = line.contains('!') && !line.contains('?');
        } else if ply == 1 && path.is_empty() {
            key = false;
        }
        path.truncate(ply);
        path.resize(ply, "threat".to_owned());
        path.push(rest.trim_end_matches(['!', '?', '#', '+']).to_owned());
        if key && !(ply == 1 && line.trim_end().ends_with('!')) {
            paths.insert(path.join(" "));
        }
    }
    paths
}

/// Returns the legal move that this text means, if it is the only one: `Sg1-f3`, `Nf3`, `exd6`, `b7-b8=S`, `b8S`,
/// `0-0`.
pub fn find(chess: &Chess, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(|c: char| "!?+# ".contains(c)).trim_end_matches("ep.").trim_end_matches("ep");
    let text = text.trim_end_matches(|c: char| "!?+# ".contains(c));
    let mut found = chess.legal_moves().into_iter().filter(|&m| means(text, m));
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

fn means(text: &str, m: Move) -> bool {
    if let Move::Castle { king, rook } = m {
        let short = rook.file() > king.file();
        return text.replace('O', "0") == if short { "0-0" } else { "0-0-0" };
    }
    let Some(wanted) = Wanted::read(text) else { return false };
    let from = m.from();
    wanted.role == m.role()
        && wanted.to == m.to()
        && wanted.promotion == m.promotion()
        && wanted.file.is_none_or(|file| from.is_some_and(|from| from.file() == file))
        && wanted.rank.is_none_or(|rank| from.is_some_and(|from| from.rank() == rank))
}

/// The parts of a move's text.
struct Wanted {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

impl Wanted {
    fn read(text: &str) -> Option<Wanted> {
        let (promotion, text) = match text.chars().last().and_then(piece) {
            Some(role) => (Some(role), text[..text.len() - 1].trim_end_matches('=')),
            None => (None, text),
        };
        let (from, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        // The man usually comes first, but if two men can make the move, some write "dRb4" or "5Sf6".
        let role = from.chars().find_map(piece).unwrap_or(Role::Pawn);
        let (mut file, mut rank) = (None, None);
        for c in from.chars().filter(|&c| piece(c).is_none()) {
            match (File::from_char(c), Rank::from_char(c)) {
                (Some(found), _) => file = Some(found),
                (_, Some(found)) => rank = Some(found),
                _ if matches!(c, '-' | '*' | 'x' | ':') => {}
                _ => return None,
            }
        }
        Some(Wanted { role, file, rank, to: to.parse().ok()?, promotion })
    }
}

fn piece(c: char) -> Option<Role> {
    match c {
        'K' => Some(Role::King),
        // D, T and L are German: Dame, Turm, Läufer.
        'Q' | 'D' => Some(Role::Queen),
        'R' | 'T' => Some(Role::Rook),
        'B' | 'L' => Some(Role::Bishop),
        'S' | 'N' => Some(Role::Knight),
        _ => None,
    }
}
