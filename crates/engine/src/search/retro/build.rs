//! Builds the table of one class: retrograde analysis, length by length.
//!
//! CITE: Thompson 1986, "Retrograde analysis of certain endgames".
//!
//! Every length n takes two sweeps. They start from the positions decided in the sweep before, so they do not go over
//! the whole table, and they treat the 64 positions of a word at once ([`super::layout`]):
//!
//! ```text
//! mated in n:     candidates are positions from which a move leads to a mate in n;
//!                 those where every reply leads to a mate in at most n are mated in n
//! mate in n + 1:  all positions from which a move leads to a position mated in n
//! ```
//!
//! Captures and promotions lead to tables that are finished. Their best value is stored in a position's byte before the
//! sweeps begin, and the [`Agenda`] brings the position up at that length. Captures en passant are looked at one by one
//! ([`en_passant`]).

use std::sync::atomic::Ordering::Relaxed;

use shakmaty::{Bitboard, Role, Square};

use crate::base::parallel::Pool;
use crate::chess::{MateLength, NodeKind, Side};
use crate::search::{Control, Interrupted};

use super::conversions::Conversions;
use super::en_passant;
use super::frame::Frame;
use super::layout::Layout;
use super::material::Material;
use super::sets::{Agenda, PARALLEL_ITEMS, PositionSet, WordSet, in_parallel};
use super::table::{ClassTable, ILLEGAL, LONGEST, NO_MATE};
use super::tables::Tables;

/// A table with this many words is large: it takes seconds. Doubled, slow tables are built in silence; halved, the
/// progress of quick ones is reported too.
const LARGE_WORDS: usize = 1 << 17;
/// The progress of a large table is reported when it knows all mates of 4 moves, of 8, of 12, and so on.
const REPORTED_MOVES: u16 = 4;

impl Tables {
    /// Builds the tables of a class and of all that it can turn into, except those that exist. The class must have at
    /// most [`super::MAX_MEN`] men.
    ///
    /// # Errors
    /// A limit was reached. The tables finished by then are kept.
    pub fn build(&mut self, material: Material, threads: usize, control: &Control<'_>) -> Result<(), Interrupted> {
        self.build_observed(material, threads, control, &mut |_, _| ())
    }

    /// Builds tables like [`Tables::build`], and reports the progress of the large ones: the class, and the longest
    /// mate that is known so far.
    ///
    /// # Errors
    /// A limit was reached. The tables finished by then are kept.
    pub(super) fn build_observed(
        &mut self,
        material: Material,
        threads: usize,
        control: &Control<'_>,
        report: &mut dyn FnMut(Material, MateLength),
    ) -> Result<(), Interrupted> {
        for class in material.closure() {
            if !self.has(class) {
                let is_large = Layout::new(class).words() >= LARGE_WORDS;
                let table = build(class, self, threads, control, &mut |known| {
                    if is_large && known.0 % REPORTED_MOVES == 0 {
                        report(class, known);
                    }
                })?;
                self.insert(class, table);
            }
        }
        Ok(())
    }
}

/// Builds the table of a class. `tables` holds the tables of all classes into which it can turn. `report` receives the
/// length of the longest mate that is known so far.
///
/// # Errors
/// A limit was reached.
fn build(
    material: Material,
    tables: &Tables,
    threads: usize,
    control: &Control<'_>,
    report: &mut dyn FnMut(MateLength),
) -> Result<ClassTable, Interrupted> {
    let table = ClassTable::new(material);
    let words = table.layout.words();
    let build = Build {
        conversions: Conversions::new(&table.layout, |class| tables.table(class)),
        won: PositionSet::empty(words),
        lost: PositionSet::empty(words),
        candidates: PositionSet::empty(words),
        hopeless: material.is_bare(Side::Attacker),
        table,
        tables,
        // The sweeps of a small table are too short for threads.
        pool: if words < PARALLEL_ITEMS { None } else { Pool::of(threads) },
        control,
    };
    build.run(report)?;
    Ok(build.table)
}

/// A table under construction.
pub(super) struct Build<'t> {
    pub table: ClassTable,
    conversions: Conversions,
    /// Positions with the attacker to move whose mate is known, and all that are no positions.
    pub won: PositionSet,
    /// Positions with the defender to move whose mate is known, and all that are no positions.
    pub lost: PositionSet,
    /// The positions to look at in the next sweep.
    candidates: PositionSet,
    /// Whether the attacker has only a king.
    hopeless: bool,
    pub tables: &'t Tables,
    /// The threads that share the sweeps; `None` if the calling thread does them alone.
    pool: Option<Pool>,
    control: &'t Control<'t>,
}

/// The knowledge before the first sweep.
#[derive(Default)]
struct Start {
    /// Words with positions that may be checkmate.
    checks: Vec<u32>,
    /// Positions with the attacker to move and a conversion that mates.
    attacks: Agenda,
    /// Positions with the defender to move and a conversion that is mated.
    defences: Agenda,
}

impl Build<'_> {
    fn layout(&self) -> &Layout {
        &self.table.layout
    }

    /// Runs all sweeps.
    fn run(&self, report: &mut dyn FnMut(MateLength)) -> Result<(), Interrupted> {
        report(MateLength(0));
        let Start { checks, mut attacks, mut defences } = self.start()?;
        let mut lost = self.sweep_lost(&checks, 0);
        for n in 0..LONGEST {
            self.control.check()?;
            let mut touched = self.push_attacks(&lost, n, &mut attacks);
            self.touch_agenda(&mut attacks, n + 1, NodeKind::Or, &mut touched);
            let won = self.sweep_won(&touched, n + 1);
            touched = self.push_defences(&won);
            self.touch_agenda(&mut defences, n + 1, NodeKind::And, &mut touched);
            lost = self.sweep_lost(&touched, n + 1);
            report(MateLength(u16::from(n) + 1));
            if lost.is_empty() && won.is_empty() && attacks.is_done_from(n + 1) && defences.is_done_from(n + 1) {
                break;
            }
        }
        self.finish();
        self.control.check()
    }

    /// Runs `work` on the items, divided among the threads.
    fn divide<T: Sync, R: Send + Default>(&self, items: &[T], work: impl Fn(&T, &mut R) + Sync) -> Vec<R> {
        in_parallel(self.pool.as_ref(), items, |items| {
            let mut result = R::default();
            for item in items {
                work(item, &mut result);
            }
            result
        })
    }

    /// Marks what is no position, and stores the values of all conversions.
    fn start(&self) -> Result<Start, Interrupted> {
        let words: Vec<u32> = (0..self.layout().words() as u32).collect();
        let mut start = Start::default();
        // Parts of this size take well below a second, so limits are noticed in time.
        for part in words.chunks(1 << 16) {
            self.control.check()?;
            for more in self.divide(part, |&word, start: &mut Start| self.start_word(word as usize, start)) {
                start.checks.extend(more.checks);
                start.attacks.merge(more.attacks);
                start.defences.merge(more.defences);
            }
        }
        Ok(start)
    }

    #[inline]
    fn start_word(&self, word: usize, start: &mut Start) {
        let frame = Frame::new(self.layout(), word);
        let possible = if frame.is_possible() { !frame.occupied } else { Bitboard::EMPTY };
        let check = frame.king_attacked_by(Side::Attacker);
        let attacker = possible & !check;
        let defender = possible & !frame.king_attacked_by(Side::Defender);
        self.won.set(word, !attacker);
        self.lost.set(word, !defender);
        let [mut mates, mut longest] = [[NO_MATE; 64]; 2];
        if !self.hopeless && possible.any() {
            [mates, longest] = self.start_values(&frame, [attacker, defender], &mut start.defences);
            list_values(&mates, attacker, word, &mut start.attacks);
            list_values(&longest, defender, word, &mut start.defences);
            let checkmates = (defender & check).into_iter().filter(|&last| longest[last as usize] == 0);
            if self.candidates.add(word, checkmates.collect()) {
                start.checks.push(word as u32);
            }
        }
        for (to_move, positions, values) in [(NodeKind::Or, attacker, mates), (NodeKind::And, defender, longest)] {
            let bytes = self.table.word(to_move, word);
            for (square, (byte, value)) in Square::ALL.into_iter().zip(bytes.iter().zip(values)) {
                byte.store(if positions.contains(square) { value } else { ILLEGAL }, Relaxed);
            }
        }
    }

    /// Returns the values of the best conversions, by square of the last man: of the attacker to move, and of the
    /// defender. A right to capture en passant that a double step gives is looked through.
    #[inline]
    fn start_values(
        &self,
        frame: &Frame<'_>,
        [attacker, defender]: [Bitboard; 2],
        defences: &mut Agenda,
    ) -> [[u8; 64]; 2] {
        let (mut mates, mut longest) = ([NO_MATE; 64], [0; 64]);
        self.conversions.values(frame, Side::Attacker, attacker, &mut mates);
        self.conversions.values(frame, Side::Defender, defender, &mut longest);
        self.start_en_passant(frame, [attacker, defender], &mut mates, defences);
        [mates, longest]
    }

    /// Stores the values of captures en passant that decide a position alone: the defender's only reply to a double
    /// step, or the attacker's mate after one.
    fn start_en_passant(
        &self,
        frame: &Frame<'_>,
        [attacker, defender]: [Bitboard; 2],
        mates: &mut [u8; 64],
        defences: &mut Agenda,
    ) {
        for step in en_passant::capturable_steps(frame, Side::Attacker) {
            for last in en_passant::legal(frame, step, Side::Attacker) & attacker {
                if let Some(defence) = en_passant::defence(frame, last, step, self.tables)
                    && defence.only
                    && defence.byte < LONGEST
                {
                    mates[last as usize] = mates[last as usize].min(defence.byte + 1);
                }
            }
        }
        for step in en_passant::capturable_steps(frame, Side::Defender) {
            for last in en_passant::legal(frame, step, Side::Defender) & defender {
                let byte = en_passant::attack(frame, last, step, self.tables);
                if byte <= LONGEST {
                    let set = WordSet { word: frame.word as u32, set: Bitboard::from(last) };
                    defences.add_set(byte, set);
                }
            }
        }
    }

    /// Adds to the candidates what the agenda lists for a length.
    fn touch_agenda(&self, agenda: &mut Agenda, level: u8, to_move: NodeKind, touched: &mut Vec<u32>) {
        let decided = if to_move == NodeKind::Or { &self.won } else { &self.lost };
        let (words, sets) = agenda.take(level);
        for part in self.divide(&words, |&word, touched: &mut Vec<u32>| {
            let bytes = self.table.word(to_move, word as usize);
            let mut set = Bitboard::EMPTY;
            for square in !decided.get(word as usize) {
                if bytes[square as usize].load(Relaxed) == level {
                    set.add(square);
                }
            }
            self.touch(word as usize, set, touched);
        }) {
            touched.extend(part);
        }
        for WordSet { word, set } in sets {
            self.touch(word as usize, set & !decided.get(word as usize), touched);
        }
    }

    #[inline]
    pub fn touch(&self, word: usize, set: Bitboard, touched: &mut Vec<u32>) {
        if set.any() && self.candidates.add(word, set) {
            touched.push(word as u32);
        }
    }

    /// Records that the attacker mates in `n` moves from all candidates.
    fn sweep_won(&self, touched: &[u32], n: u8) -> Vec<WordSet> {
        let parts = self.divide(touched, |&word, new: &mut Vec<WordSet>| {
            let set = self.candidates.take(word as usize) & !self.won.get(word as usize);
            if set.any() {
                self.record(NodeKind::Or, word as usize, set, n);
                new.push(WordSet { word, set });
            }
        });
        parts.concat()
    }

    /// Records that the defender is mated in `n` moves in those candidates where every reply is answered by a mate in
    /// at most `n` moves.
    fn sweep_lost(&self, touched: &[u32], n: u8) -> Vec<WordSet> {
        let parts = self.divide(touched, |&word, new: &mut Vec<WordSet>| {
            let set = self.candidates.take(word as usize) & !self.lost.get(word as usize);
            let set = self.without_escape(&Frame::new(self.layout(), word as usize), set, n);
            if set.any() {
                self.record(NodeKind::And, word as usize, set, n);
                new.push(WordSet { word, set });
            }
        });
        parts.concat()
    }

    fn record(&self, to_move: NodeKind, word: usize, set: Bitboard, n: u8) {
        let decided = if to_move == NodeKind::Or { &self.won } else { &self.lost };
        decided.set(word, decided.get(word) | set);
        let bytes = self.table.word(to_move, word);
        for square in set {
            bytes[square as usize].store(n, Relaxed);
        }
    }

    /// Adds to the candidates all positions from which a move of the attacker leads to one of these positions, which
    /// are mated in `n`.
    fn push_attacks(&self, lost: &[WordSet], n: u8, agenda: &mut Agenda) -> Vec<u32> {
        let mut touched = Vec::new();
        for (part, late) in self.divide(lost, |&WordSet { word, set }, (touched, late): &mut (Vec<u32>, Vec<_>)| {
            let frame = Frame::new(self.layout(), word as usize);
            for (man, role) in frame.men_of(Side::Attacker) {
                if role == Role::Pawn {
                    self.push_pawn(&frame, man, set, Side::Attacker, Some((n, late)), touched);
                } else {
                    self.push_piece(&frame, man, set, &self.won, touched);
                }
            }
        }) {
            touched.extend(part);
            for (level, set) in late {
                agenda.add_set(level, set);
            }
        }
        touched
    }

    /// Adds to the candidates all positions from which a move of the defender leads to one of these positions.
    fn push_defences(&self, won: &[WordSet]) -> Vec<u32> {
        let parts = self.divide(won, |&WordSet { word, set }, touched: &mut Vec<u32>| {
            let frame = Frame::new(self.layout(), word as usize);
            for (man, role) in frame.men_of(Side::Defender) {
                match role {
                    Role::Pawn => self.push_pawn(&frame, man, set, Side::Defender, None, touched),
                    Role::King if self.layout().is_pawnless() => self.push_anchor_king(&frame, set, touched),
                    _ => self.push_piece(&frame, man, set, &self.lost, touched),
                }
            }
        });
        parts.concat()
    }

    /// Records that all positions without a known mate are no mates.
    fn finish(&self) {
        let words: Vec<u32> = (0..self.layout().words() as u32).collect();
        self.divide(&words, |&word, (): &mut ()| {
            for square in !self.lost.get(word as usize) {
                self.table.word(NodeKind::And, word as usize)[square as usize].store(NO_MATE, Relaxed);
            }
        });
    }
}

/// Lists the word on the agenda for every mate length that occurs among the bytes of these positions.
fn list_values(values: &[u8; 64], positions: Bitboard, word: usize, agenda: &mut Agenda) {
    let mut listed = [false; LONGEST as usize + 1];
    for square in positions {
        let value = values[square as usize];
        if (1..=LONGEST).contains(&value) && !std::mem::replace(&mut listed[usize::from(value)], true) {
            agenda.add_word(value, word);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use shakmaty::Color;

    use super::*;
    use crate::chess::Position;
    use crate::chess::testing::position;
    use crate::search::Limits;

    /// Returns whether the side to move mates in at most `moves` moves, by definition.
    fn mates(position: &Position, moves: u8) -> bool {
        moves > 0 && position.legal_moves().iter().any(|&m| is_mated(&position.play(m), moves - 1))
    }

    /// Returns whether the side to move is mated in at most `moves` moves, by definition.
    fn is_mated(position: &Position, moves: u8) -> bool {
        let replies = position.legal_moves();
        if replies.is_empty() { position.is_check() } else { replies.iter().all(|&m| mates(&position.play(m), moves)) }
    }

    /// Returns the value with which a position starts if the attacker is to move, and the lengths for which it is on
    /// the agenda if the defender is. Of the tables, which take 12 GB for five men with pawns of both sides, one value
    /// is known: after the capture en passant, the mate takes one more move.
    fn start(before: &str, after: &str) -> (u8, Vec<u8>) {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        let [before, after] = [before, after].map(position);
        let known = ClassTable::new(Material::of(&after, Color::White));
        let number = known.layout.number(known.layout.squares(&after, Color::White));
        known.word(NodeKind::of(after.turn(), Color::White), number / 64)[number % 64].store(1, Relaxed);
        let mut tables = Tables::default();
        tables.insert(Material::of(&after, Color::White), known);
        let layout = Layout::new(Material::of(&before, Color::White));
        let build = Build {
            conversions: Conversions::new(&layout, |class| tables.table(class)),
            won: PositionSet::empty(0),
            lost: PositionSet::empty(0),
            candidates: PositionSet::empty(0),
            hopeless: false,
            table: ClassTable::new(Material::KINGS),
            tables: &tables,
            pool: None,
            control: &control,
        };
        let squares = layout.squares(&before, Color::White);
        let (frame, last) = (Frame::new(&layout, layout.word(squares)), squares[layout.last()]);
        let mut defences = Agenda::default();
        let [values, _] = build.start_values(&frame, [Bitboard::from(last); 2], &mut defences);
        let lengths = (0..=LONGEST).filter(|&length| !defences.take(length).1.is_empty());
        (values[last as usize], lengths.collect())
    }

    #[test]
    fn a_capture_en_passant_that_is_the_only_reply_is_a_start() {
        let (before, after) = ("7k/8/7K/8/1p6/1Q6/P7/8 w - -", "7k/8/7K/8/8/pQ6/8/8 w - -");
        // 1.a4 bxa3, and the queen mates. Without the capture it would be stalemate.
        let step = position("7k/8/7K/8/Pp6/1Q6/8/8 b - a3");
        assert_eq!((step.count_moves(), is_mated(&step, 1), mates(&position(after), 1)), (1, true, true));
        assert_eq!(start(before, after), (2, Vec::new()));
    }

    #[test]
    fn a_capture_en_passant_that_mates_is_a_start() {
        let (before, after) = ("8/3p4/8/2P5/k1K5/8/8/4Q3 b - -", "8/8/3P4/8/k1K5/8/8/4Q3 b - -");
        // 1...d5 2.cxd6 and a mate in the next move. Nothing else mates so soon, and no other move holds out longer.
        let [before_it, after_it, without] = [before, after, "8/8/8/2Pp4/k1K5/8/8/4Q3 w - -"].map(position);
        assert!(is_mated(&before_it, 2) && !is_mated(&before_it, 1));
        assert!(is_mated(&after_it, 1) && !is_mated(&after_it, 0) && !mates(&without, 2));
        assert_eq!(start(before, after), (NO_MATE, vec![2]));
    }
}
