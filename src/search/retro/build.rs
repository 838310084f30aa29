//! Builds the table of one class: retrograde analysis, length by length.
//!
//! CITE: Thompson 1986, "Retrograde analysis of certain endgames".
//!
//! Every length n takes two sweeps. They start from the positions decided in the sweep before, so each position is
//! visited a few times only, and they treat the 64 positions of a word at once ([`super::layout`]):
//!
//! ```text
//! mated in n:     candidates are positions from which a move leads to a mate in n;
//!                 those where every reply leads to a mate in at most n are mated in n
//! mate in n + 1:  all positions from which a move leads to a position mated in n
//! ```
//!
//! Captures and promotions lead to tables that are finished. Their best value is stored in a position's byte before the
//! sweeps begin, and the [`Agenda`] brings the position up at that length.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use shakmaty::{Bitboard, Role, Square, attacks};

use crate::chess::NodeKind;
use crate::search::{Control, Interrupted};

use super::conversions::{Conversions, ahead};
use super::en_passant::{self, DoubleStep, double_step, may_be_captured};
use super::frame::Frame;
use super::layout::Layout;
use super::material::{Material, Side};
use super::sets::{Agenda, PositionSet, WordSet, in_parallel};
use super::symmetry::Symmetry;
use super::table::{ILLEGAL, LONGEST, NO_MATE, Table};
use super::tables::Tables;

/// Builds the table of a class. `tables` holds the tables of all classes into which it can turn.
///
/// # Errors
/// A limit was reached.
pub(super) fn build(
    material: Material,
    tables: &Tables,
    threads: usize,
    control: &Control<'_>,
) -> Result<Arc<Table>, Interrupted> {
    let table = Table::new(material);
    let words = table.layout.words();
    let build = Build {
        conversions: Conversions::new(&table.layout, |class| tables.table(class)),
        won: PositionSet::empty(words),
        lost: PositionSet::empty(words),
        candidates: PositionSet::empty(words),
        hopeless: material.is_bare(Side::Attacker),
        table,
        tables,
        threads,
        control,
    };
    build.run()?;
    Ok(Arc::new(build.table))
}

/// A table under construction.
struct Build<'t> {
    table: Table,
    conversions: Conversions,
    /// Positions with the attacker to move whose mate is known, and all that are no positions.
    won: PositionSet,
    /// Positions with the defender to move whose mate is known, and all that are no positions.
    lost: PositionSet,
    /// The positions to look at in the next sweep.
    candidates: PositionSet,
    /// Whether the attacker has only a king.
    hopeless: bool,
    tables: &'t Tables,
    threads: usize,
    control: &'t Control<'t>,
}

/// What is known before the first sweep.
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
    fn run(&self) -> Result<(), Interrupted> {
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
            if lost.is_empty() && won.is_empty() && attacks.is_done_from(n + 1) && defences.is_done_from(n + 1) {
                break;
            }
        }
        self.finish();
        self.control.check()
    }

    /// Runs `work` on the items, divided among the threads.
    fn divide<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T, &mut R) + Sync) -> Vec<R>
    where
        R: Default,
    {
        in_parallel(self.threads, items, |items| {
            let mut result = R::default();
            items.iter().for_each(|item| work(item, &mut result));
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

    fn start_word(&self, word: usize, start: &mut Start) {
        let frame = Frame::new(self.layout(), word);
        let possible = if frame.is_possible() { !frame.occupied } else { Bitboard::EMPTY };
        let check = frame.king_attacked_by(Side::Attacker);
        let attacker = possible & !check;
        let defender = possible & !frame.king_attacked_by(Side::Defender);
        self.won.set(word, !attacker);
        self.lost.set(word, !defender);
        let mut mates = [NO_MATE; 64];
        let mut mated = [if self.hopeless { NO_MATE } else { 0 }; 64];
        if !self.hopeless && possible.any() {
            self.conversions.each(&frame, Side::Attacker, attacker, |last, byte| {
                if byte < LONGEST {
                    mates[last as usize] = mates[last as usize].min(byte + 1);
                }
            });
            self.conversions.each(&frame, Side::Defender, defender, |last, byte| {
                if byte != ILLEGAL {
                    mated[last as usize] = mated[last as usize].max(byte);
                }
            });
            self.start_en_passant(&frame, [attacker, defender], &mut mates, &mut start.defences);
            list_values(&mates, attacker, word, &mut start.attacks);
            list_values(&mated, defender, word, &mut start.defences);
            let checkmates = (defender & check).into_iter().filter(|&last| mated[last as usize] == 0);
            if self.candidates.add(word, checkmates.collect()) {
                start.checks.push(word as u32);
            }
        }
        for (to_move, positions, values) in [(NodeKind::Or, attacker, mates), (NodeKind::And, defender, mated)] {
            let bytes = self.table.word(to_move, word);
            for (square, (byte, value)) in Square::ALL.into_iter().zip(bytes.iter().zip(values)) {
                byte.store(if positions.contains(square) { value } else { ILLEGAL }, Relaxed);
            }
        }
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
        for (_, step) in self.capturable_steps(frame, Side::Attacker) {
            for last in self.steps_legal(frame, step, Side::Attacker) & attacker {
                if let Some(defence) = en_passant::defence(frame, last, step, self.tables)
                    && defence.only
                    && defence.byte < LONGEST
                {
                    mates[last as usize] = mates[last as usize].min(defence.byte + 1);
                }
            }
        }
        for (_, step) in self.capturable_steps(frame, Side::Defender) {
            for last in self.steps_legal(frame, step, Side::Defender) & defender {
                let byte = en_passant::attack(frame, last, step, self.tables);
                if byte <= LONGEST {
                    let set = WordSet { word: frame.word as u32, set: Bitboard::from(last) };
                    defences.add_set(byte, set);
                }
            }
        }
    }

    /// Returns the double steps of a side that an enemy pawn could capture, with the pawn's index.
    fn capturable_steps<'f>(&self, frame: &'f Frame<'_>, side: Side) -> impl Iterator<Item = (usize, DoubleStep)> + 'f {
        let pawns = frame.men_of(side).filter(|&(_, role)| role == Role::Pawn);
        pawns.filter_map(move |(man, _)| {
            let step = double_step(frame, side, frame.squares[man])?;
            may_be_captured(frame, side, step).then_some((man, step))
        })
    }

    /// Returns the squares of the last man for which a double step is legal: it does not stand in the way, and the
    /// position after the step is legal.
    fn steps_legal(&self, frame: &Frame<'_>, step: DoubleStep, side: Side) -> Bitboard {
        let Some((pawn, _)) =
            frame.men_of(side).find(|&(man, role)| role == Role::Pawn && frame.squares[man] == step.from)
        else {
            return Bitboard::EMPTY;
        };
        let mut squares = frame.squares;
        squares[pawn] = step.to;
        let after = Frame::new(frame.layout, frame.layout.word(&squares));
        let exposed = after.king_attacked_by(if side == Side::Attacker { Side::Defender } else { Side::Attacker });
        !(exposed | after.occupied).with(step.over)
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
    fn touch(&self, word: usize, set: Bitboard, touched: &mut Vec<u32>) {
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

    /// Records that the defender is mated in `n` moves in those candidates where every reply is answered by a mate in at
    /// most `n` moves.
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

    /// Adds to the candidates all positions from which a move of the attacker leads to one of these positions, which are
    /// mated in `n`.
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
            late.into_iter().for_each(|(level, set)| agenda.add_set(level, set));
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

    /// Takes back the moves of a man that is neither a pawn nor the anchor king.
    #[inline]
    fn push_piece(&self, frame: &Frame<'_>, man: usize, set: Bitboard, decided: &PositionSet, touched: &mut Vec<u32>) {
        let word = frame.word;
        if man == frame.layout.last() {
            let mut origins = Bitboard::EMPTY;
            for square in set {
                origins |= frame.attacks_from(man, square);
            }
            self.touch(word, origins & !decided.get(word), touched);
            return;
        }
        let to = frame.squares[man];
        for from in frame.attacks_from(man, to) & !frame.occupied {
            let word = frame.layout.word_after(word, man, to, from);
            self.touch(word, set & !attacks::between(from, to) & !decided.get(word), touched);
        }
    }

    /// Takes back the moves of the defender's king where it is the anchor.
    fn push_anchor_king(&self, frame: &Frame<'_>, set: Bitboard, touched: &mut Vec<u32>) {
        let to = frame.squares[0];
        for from in attacks::king_attacks(to) & !frame.occupied {
            let symmetry = frame.layout.normaliser(from);
            let mut squares = frame.squares;
            squares[0] = from;
            let push = |symmetry: Symmetry, squares: &mut [Square], set: Bitboard| -> Bitboard {
                squares.iter_mut().for_each(|square| *square = symmetry.square(*square));
                symmetry.set(set)
            };
            let mut image = push(symmetry, &mut squares, set);
            for on_diagonal in [false, true] {
                if on_diagonal {
                    if squares[0].flip_diagonal() != squares[0] {
                        break;
                    }
                    // The mirror image of a position with the king on the diagonal has a number of its own.
                    image = push(Symmetry::DIAGONAL, &mut squares, image);
                }
                let word = frame.layout.word(&squares);
                self.touch(word, image & !self.lost.get(word), touched);
            }
        }
    }

    /// Takes back the moves of a pawn. For a pawn of the attacker `late` is the length of the mate after the move, and
    /// the list of positions whose mate takes longer because of a capture en passant.
    fn push_pawn(
        &self,
        frame: &Frame<'_>,
        man: usize,
        set: Bitboard,
        side: Side,
        late: Option<(u8, &mut Vec<(u8, WordSet)>)>,
        touched: &mut Vec<u32>,
    ) {
        let to = frame.squares[man];
        let from = ahead(side, to, -1);
        let decided = if side == Side::Attacker { &self.won } else { &self.lost };
        if frame.occupied.contains(from) || !is_pawn_square(from) {
            return;
        }
        let word = frame.layout.word_after(frame.word, man, to, from);
        self.touch(word, set & !decided.get(word), touched);
        let fourth = if side == Side::Attacker { 3 } else { 4 };
        if to as u32 / 8 != fourth || frame.occupied.contains(ahead(side, to, -2)) {
            return;
        }
        let start = ahead(side, to, -2);
        let word = frame.layout.word_after(frame.word, man, to, start);
        let mut origins = set.without(from) & !decided.get(word);
        if let Some((n, late)) = late
            && origins.any()
        {
            let before = Frame::new(frame.layout, word);
            let step = DoubleStep { from: start, over: from, to };
            if may_be_captured(&before, side, step) {
                origins = self.not_captured(&before, origins, step, n, late);
            }
        }
        self.touch(word, origins, touched);
    }

    /// Returns those positions where the attacker mates in n + 1 moves by a double step that could be captured en
    /// passant. Where a capture en passant delays the mate, the position is added to `late`.
    #[cold]
    fn not_captured(
        &self,
        before: &Frame<'_>,
        origins: Bitboard,
        step: DoubleStep,
        n: u8,
        late: &mut Vec<(u8, WordSet)>,
    ) -> Bitboard {
        let mut now = Bitboard::EMPTY;
        for last in origins {
            match en_passant::defence(before, last, step, self.tables) {
                None => now.add(last),
                // `start_en_passant` has stored the value.
                Some(defence) if defence.only => {}
                Some(defence) if defence.byte <= n => now.add(last),
                Some(defence) if defence.byte < LONGEST => {
                    late.push((defence.byte + 1, WordSet { word: before.word as u32, set: Bitboard::from(last) }));
                }
                Some(_) => {}
            }
        }
        now
    }

    /// Returns those of the positions in which every reply of the defender is answered by a mate in at most `n` moves.
    fn without_escape(&self, frame: &Frame<'_>, mut set: Bitboard, n: u8) -> Bitboard {
        let bytes = self.table.word(NodeKind::And, frame.word);
        for last in set {
            if bytes[last as usize].load(Relaxed) > n {
                set.discard(last);
            }
        }
        for (man, role) in frame.men_of(Side::Defender) {
            if set.is_empty() {
                break;
            }
            set = match role {
                Role::Pawn => self.without_pawn_escape(frame, man, set, n),
                Role::King if frame.layout.is_pawnless() => self.without_anchor_escape(frame, set),
                _ => self.without_piece_escape(frame, man, set),
            };
        }
        set
    }

    #[inline]
    fn without_piece_escape(&self, frame: &Frame<'_>, man: usize, mut set: Bitboard) -> Bitboard {
        if man == frame.layout.last() {
            let open = !self.won.get(frame.word) & !frame.occupied;
            for last in set {
                if (frame.attacks_from(man, last) & open).any() {
                    set.discard(last);
                }
            }
            return set;
        }
        let from = frame.squares[man];
        for to in frame.attacks_from(man, from) & !frame.occupied {
            set &= self.won.get(frame.layout.word_after(frame.word, man, from, to)) | attacks::between(from, to);
        }
        set
    }

    fn without_anchor_escape(&self, frame: &Frame<'_>, mut set: Bitboard) -> Bitboard {
        for to in attacks::king_attacks(frame.squares[0]) & !frame.occupied {
            let symmetry = frame.layout.normaliser(to);
            let mut squares = frame.squares;
            squares[0] = to;
            squares.iter_mut().for_each(|square| *square = symmetry.square(*square));
            set &= symmetry.set_with_image(self.won.get(frame.layout.word(&squares)));
        }
        set
    }

    fn without_pawn_escape(&self, frame: &Frame<'_>, man: usize, mut set: Bitboard, n: u8) -> Bitboard {
        let from = frame.squares[man];
        let to = ahead(Side::Defender, from, 1);
        if frame.occupied.contains(to) || !is_pawn_square(to) {
            return set;
        }
        set &= self.won.get(frame.layout.word_after(frame.word, man, from, to));
        if let Some(step) = double_step(frame, Side::Defender, from) {
            let won = self.won.get(frame.layout.word_after(frame.word, man, from, step.to)).with(step.over);
            let captured = set & !won;
            set &= won;
            if captured.any() && may_be_captured(frame, Side::Defender, step) {
                let mates = |last: &Square| en_passant::attack(frame, *last, step, self.tables) <= n;
                set |= captured.into_iter().filter(mates).collect::<Bitboard>();
            }
        }
        set
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

/// Returns whether a pawn may stand on the square.
fn is_pawn_square(square: Square) -> bool {
    !matches!(square as u32 / 8, 0 | 7)
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
