//! The solution tree, unfolded from exact answers.
//!
//! At every play the searcher is asked how long the mate takes after each defence, and which moves mate in that time.
//! What is shown follows the rule told in [`crate::results::report`]: after a pass the *threats*; then the defences
//! after which the mate takes longer than the threats, or as long if one of them fails.
//!
//! A limit reached on the way does not take back what is done: from then on every "what follows" is answered with
//! [`Next::Cut`], and every play above it says that it is cut.

use hashbrown::HashMap;

use crate::chess::{Move, MoveList, Position};
use crate::results::report::{Continuation, Next, Pass, Play, PlayId, ReportOptions, Tree, Variation};
use crate::search::fullwidth::FullWidth;
use crate::search::{Interrupted, StopReason};

use super::notation::Scribe;

/// Unfolds solutions into one tree.
#[derive(Debug)]
pub(super) struct Unfolder<'s, 'a, 'c> {
    searcher: &'s mut FullWidth<'a, 'c>,
    scribe: Scribe,
    options: ReportOptions,
    tree: Tree,
    /// Plays by position and moves left.
    done: HashMap<(u64, u16), PlayId>,
    /// Plays begun.
    entered: usize,
    /// The limit that was reached.
    stopped: Option<StopReason>,
    /// Something was left out because the tree was full.
    truncated: bool,
}

/// What is known of one defence before it is shown.
struct Defence {
    m: Move,
    after: Position,
    mate_in: u16,
}

impl<'s, 'a, 'c> Unfolder<'s, 'a, 'c> {
    /// Nothing unfolded yet.
    pub(super) fn new(
        searcher: &'s mut FullWidth<'a, 'c>,
        scribe: Scribe,
        options: ReportOptions,
    ) -> Unfolder<'s, 'a, 'c> {
        let (tree, done) = (Tree::default(), HashMap::new());
        Unfolder { searcher, scribe, options, tree, done, entered: 0, stopped: None, truncated: false }
    }

    /// The searcher, for questions between the plays.
    pub(super) fn searcher(&mut self) -> &mut FullWidth<'a, 'c> {
        self.searcher
    }

    /// The limit that was reached, if one was.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// The tree, and whether something was left out because it was full.
    pub(super) fn finish(self) -> (Tree, bool) {
        (self.tree, self.truncated)
    }

    /// What follows after a move that mates within `left` more moves.
    pub(super) fn solution(&mut self, position: &Position, left: u16) -> Next {
        if !position.has_move() {
            return Next::Mate;
        }
        if let Some(&id) = self.done.get(&(position.key(), left)) {
            return Next::Play(id);
        }
        let next = self.enter(position, left, &[]);
        if let Next::Play(id) = next {
            self.done.insert((position.key(), left), id);
        }
        next
    }

    /// What follows after a try that these moves refute.
    pub(super) fn try_play(&mut self, position: &Position, left: u16, refutations: &[Move]) -> Next {
        self.enter(position, left, refutations)
    }

    /// The replies after which there is no mate within `left`; `None` when there are more than `max`.
    pub(super) fn refutations(
        &mut self,
        position: &Position,
        left: u16,
        max: usize,
    ) -> Result<Option<Vec<Move>>, Interrupted> {
        let outcome = self.searcher.refutations(position, left, max);
        self.stopped = outcome.as_ref().err().copied();
        outcome
    }

    /// The replies that are ready if the defender moves here; those without are only counted.
    pub(super) fn set_play(&mut self, position: &Position, left: u16) -> Option<PlayId> {
        let mut play = Play::empty(left, Pass::Impossible);
        for m in position.legal_moves() {
            let answer = self.defence(position, m, left);
            let Some(defence) = self.note(answer)? else {
                play.unshown += 1;
                continue;
            };
            let shown = self.show(&mut play, position, &defence);
            self.note(shown)?;
        }
        Some(self.add(play))
    }

    /// Whether every defence is shown.
    pub(super) fn is_complete(&self, id: PlayId) -> bool {
        self.tree.play(id).unshown == 0
    }

    /// Unfolds a play, unless a limit was reached or the tree is full.
    fn enter(&mut self, position: &Position, left: u16, refutations: &[Move]) -> Next {
        if self.entered >= self.options.max_tree_nodes {
            self.truncated = true;
            return Next::Cut;
        }
        if self.stopped.is_some() {
            return Next::Cut;
        }
        self.entered += 1;
        let pass = self.pass(position, left);
        let Some((pass, threat)) = self.note(pass) else { return Next::Cut };
        let mut play = Play::empty(left, pass);
        let complete = self.variations(&mut play, position, threat.as_ref(), refutations);
        play.cut = self.note(complete).is_none();
        Next::Play(self.add(play))
    }

    /// Remembers which limit was reached.
    fn note<R>(&mut self, outcome: Result<R, Interrupted>) -> Option<R> {
        outcome.map_err(|reason| self.stopped = Some(reason)).ok()
    }

    /// Adds the defences, all but the refutations, each answered within the moves left.
    fn variations(
        &mut self,
        play: &mut Play,
        position: &Position,
        threat: Option<&Threat>,
        refutations: &[Move],
    ) -> Result<(), Interrupted> {
        let mut longest = 0;
        for m in position.legal_moves() {
            if refutations.contains(&m) {
                continue;
            }
            let defence = self.defence(position, m, play.left)?.expect("only refutations have no answer");
            longest = longest.max(defence.mate_in);
            if self.is_shown(&defence, threat)? {
                self.show(play, position, &defence)?;
            } else {
                play.unshown += 1;
            }
        }
        play.mate_in = refutations.is_empty().then_some(longest);
        Ok(())
    }

    /// What is to be known of a defence; `None` if it is not answered within the moves left.
    fn defence(&mut self, position: &Position, m: Move, left: u16) -> Result<Option<Defence>, Interrupted> {
        let after = self.searcher.play(position, m)?;
        Ok(self.searcher.shortest(&after, left)?.map(|mate_in| Defence { m, after, mate_in }))
    }

    /// What a pass would allow: the shortest mates, for the reader and as moves.
    fn pass(&mut self, position: &Position, left: u16) -> Result<(Pass, Option<Threat>), Interrupted> {
        let Some(passed) = position.pass() else { return Ok((Pass::Impossible, None)) };
        let Some(mate_in) = self.searcher.shortest(&passed, left)? else { return Ok((Pass::Zugzwang, None)) };
        let moves = self.searcher.mating_moves(&passed, mate_in)?;
        let threats = self.continuations(&passed, &moves, mate_in)?;
        Ok((Pass::Threats(threats), Some(Threat { mate_in, moves })))
    }

    fn is_shown(&mut self, defence: &Defence, threat: Option<&Threat>) -> Result<bool, Interrupted> {
        let Some(threat) = threat else { return Ok(true) };
        if defence.mate_in != threat.mate_in {
            return Ok(defence.mate_in > threat.mate_in || self.options.short_variations);
        }
        let legal: MoveList = defence.after.legal_moves();
        for wanted in &threat.moves {
            let works = match legal.iter().find(|m| m.code() == wanted.code() && m.role() == wanted.role()) {
                Some(&m) => {
                    let child = self.searcher.play(&defence.after, m)?;
                    self.searcher.mated(&child, threat.mate_in - 1)?
                }
                None => false,
            };
            if !works {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn show(&mut self, play: &mut Play, position: &Position, defence: &Defence) -> Result<(), Interrupted> {
        let moves = self.searcher.mating_moves(&defence.after, defence.mate_in)?;
        let continuations = self.continuations(&defence.after, &moves, defence.mate_in)?;
        let (mate_in, defence) = (defence.mate_in, self.scribe.ply(position, defence.m));
        play.variations.push(Variation { defence, mate_in, continuations });
        Ok(())
    }

    /// The moves, each with what follows.
    fn continuations(
        &mut self,
        position: &Position,
        moves: &[Move],
        mate_in: u16,
    ) -> Result<Vec<Continuation>, Interrupted> {
        let mut continuations = Vec::with_capacity(moves.len());
        for (m, ply) in self.scribe.plies(position, moves) {
            let after = self.searcher.play(position, m)?;
            let next = self.solution(&after, mate_in - 1);
            continuations.push(Continuation { ply, mate_in, next });
        }
        Ok(continuations)
    }

    /// Puts a play into the tree, its variations in order, with the mark that something below is cut.
    fn add(&mut self, mut play: Play) -> PlayId {
        play.variations.sort_by(|a, b| a.defence.uci.cmp(&b.defence.uci));
        let cut = play.continuations().any(|continuation| match continuation.next {
            Next::Mate => false,
            Next::Play(id) => self.tree.play(id).cut,
            Next::Cut => true,
        });
        play.cut |= cut;
        self.tree.push(play)
    }
}

/// The threats as moves.
struct Threat {
    mate_in: u16,
    moves: Vec<Move>,
}
