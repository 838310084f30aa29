//! The play of a report in rows, for code that shows the play or looks at it move by move. A row is a move, or the
//! beginning of a part.
//!
//! ```text
//! number  depth  kind        row                 below it
//! 1       0      Key         1.Rh6!              the play after the key
//! 1       1      Defence       1...gxh6          the answers
//! 2       2      Answer          2.g7#           nothing
//! ```
//!
//! [`Report::rows`] returns the rows that begin a part: mates that must be given, set play, play after the key, tries
//! and keys. [`Row::below`] returns those that follow a row directly. Rows are made when they are asked for, because
//! several can share a play. The reader decides which play to enter and in which order.

use crate::chess::End;

use super::{Continuation, Key, Next, Pass, Play, PlayId, Ply, Report, Tree, Try, Variation};

/// The meaning of a row.
#[derive(Debug, Clone, Copy)]
pub enum Kind<'r> {
    /// A mate that the attacker would have to give at once in the diagram (reflex play).
    MustMate,
    /// The beginning of the set play, without a move. Whether it is complete.
    SetPlay(bool),
    /// The beginning of the play in a diagram after the key, without a move.
    AfterKey,
    /// A try.
    Try(&'r Try),
    /// A key.
    Key(&'r Key),
    /// A move that the attacker threatens.
    Threat,
    /// A move of the defender, with its answers.
    Defence(&'r Variation),
    /// The attacker's answer to a defence.
    Answer,
    /// A defence that refutes the first move.
    Refutation,
}

/// A row of the play: a move, or the beginning of a part.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    /// The tree that the play is in.
    pub tree: &'r Tree,
    /// The meaning of the row.
    pub kind: Kind<'r>,
    /// The number of its move, in moves of the attacker; the key is move 1.
    pub number: u16,
    /// The move; `None` where a part begins without one.
    pub ply: Option<&'r Ply>,
    /// The play after it; `None` after a move of the defender.
    pub next: Option<Next>,
    /// The defences that refute it, if it is a first move.
    pub refutations: &'r [Ply],
}

impl Report {
    /// Returns the rows that begin a part, in the order of a printed solution (see the head of the module). Help
    /// play has lines instead.
    pub fn rows(&self) -> Vec<Row<'_>> {
        let first = |kind, ply, next, refutations| Row { tree: &self.tree, kind, number: 1, ply, next, refutations };
        let end = Some(Next::End(self.goal().end));
        let must = self.must_mate.iter().map(|mate| first(Kind::MustMate, Some(mate), end, &[]));
        let set = self.set_play.map(|set| first(Kind::SetPlay(set.complete), None, Some(Next::Play(set.play)), &[]));
        let refutations = &self.post_key_refutations[..];
        let next = Some(self.post_key.map_or(Next::Cut, Next::Play));
        let stands_after = self.post_key.is_some() || !refutations.is_empty();
        let after = stands_after.then(|| first(Kind::AfterKey, None, next, refutations));
        let tries = self.tries.iter().flatten();
        let tries = tries.map(|it| first(Kind::Try(it), Some(&it.ply), Some(it.next), &it.refutations));
        let keys = self.keys.iter().map(|key| Row::of_key(&self.tree, key));
        must.chain(set).chain(after).chain(tries).chain(keys).collect()
    }
}

impl<'r> Row<'r> {
    /// Returns the row of a key.
    pub fn of_key(tree: &'r Tree, key: &'r Key) -> Row<'r> {
        let (ply, next) = (Some(&key.ply), Some(key.next));
        Row { tree, kind: Kind::Key(key), number: 1, ply, next, refutations: &[] }
    }

    /// Returns a row without a move before a play.
    pub fn before(tree: &'r Tree, play: PlayId) -> Row<'r> {
        Row { tree, kind: Kind::AfterKey, number: 1, ply: None, next: Some(Next::Play(play)), refutations: &[] }
    }

    /// Returns the play after the row with its number in the tree; `None` if there is none.
    pub fn play(&self) -> Option<(PlayId, &'r Play)> {
        match self.next {
            Some(Next::Play(id)) => Some((id, self.tree.play(id))),
            _ => None,
        }
    }

    /// Returns the rows that follow: threats, defences and refutations, or the answers to a defence.
    pub fn below(&self) -> Vec<Row<'r>> {
        let row =
            |kind, number, ply, next| Row { tree: self.tree, kind, number, ply: Some(ply), next, refutations: &[] };
        let answered = self.number + 1;
        let attack = |kind| move |moved: &'r Continuation| row(kind, answered, &moved.ply, Some(moved.next));
        if let Kind::Defence(variation) = self.kind {
            return variation.continuations.iter().map(attack(Kind::Answer)).collect();
        }
        let play = self.play().map(|(_, play)| play);
        let threats = play.into_iter().flat_map(Play::threats).map(attack(Kind::Threat));
        let defences = play.into_iter().flat_map(|play| &play.variations);
        let defences = defences.map(|it| row(Kind::Defence(it), self.number, &it.defence, None));
        let refutations = self.refutations.iter().map(|ply| row(Kind::Refutation, self.number, ply, None));
        threats.chain(defences).chain(refutations).collect()
    }

    /// Returns the rows that follow, the threats behind the defences.
    pub fn below_by_defence(&self) -> Vec<Row<'r>> {
        let mut rows = self.below();
        rows.sort_by_key(|row| matches!(row.kind, Kind::Threat));
        rows
    }

    /// Returns whether the move is one of the defender.
    pub fn is_defence(&self) -> bool {
        matches!(self.kind, Kind::Defence(_) | Kind::Refutation)
    }

    /// Returns the number of half-moves before the move; a pass of the defender, before a threat, counts.
    pub fn depth(&self) -> usize {
        2 * usize::from(self.number) - if self.is_defence() { 1 } else { 2 }
    }

    /// Returns the sign behind the move: that of a key, of a try or of a refutation.
    pub fn mark(&self) -> &'static str {
        match self.kind {
            Kind::MustMate => "?!?",
            Kind::Try(_) => "?",
            Kind::Key(_) | Kind::Refutation => "!",
            _ => "",
        }
    }

    /// Returns what stands on the board after the move, if it reaches the goal.
    pub fn end(&self) -> Option<End> {
        match (self.kind, self.next) {
            (Kind::Defence(variation), _) => variation.end,
            (_, Some(Next::End(end))) => Some(end),
            _ => None,
        }
    }

    /// Returns the short notation, with `=` if the move stalemates and that is the goal.
    pub fn san(&self) -> String {
        let sign = if self.end() == Some(End::Stalemate) { "=" } else { "" };
        self.ply.map_or_else(String::new, |ply| format!("{}{sign}", ply.san))
    }

    /// Returns whether play is left out right after this move.
    pub fn is_cut(&self) -> bool {
        self.next == Some(Next::Cut)
    }

    /// Returns whether the defender loses by having to move: he is not in check, and nothing is threatened.
    pub fn is_zugzwang(&self) -> bool {
        self.play().is_some_and(|(_, play)| play.pass == Pass::Zugzwang)
    }

    /// Returns the defences that end the line, if nothing else follows the move ([`Tree::closing`]).
    pub fn closing(&self) -> Option<Vec<Row<'r>>> {
        self.tree.closing(self.next?).map(|_| self.below())
    }
}

#[cfg(test)]
mod tests {
    use crate::output::sample::report;

    #[test]
    fn rows_have_the_moves_in_their_places() {
        let report = report();
        let parts = report.rows();
        let text = |row: &super::Row<'_>| format!("{} {} {}{}", row.depth(), row.number, row.san(), row.mark());
        assert_eq!(parts.iter().map(text).collect::<Vec<_>>(), ["0 1 ", "0 1 Rg1?", "0 1 Rh6!"]);
        let defences = parts[2].below();
        assert_eq!(defences.iter().map(text).collect::<Vec<_>>(), ["1 1 Ba2", "1 1 gxh6"]);
        assert_eq!(text(&defences[1].below()[0]), "2 2 g7#");
        assert!(parts[2].is_zugzwang() && defences[1].below()[0].closing().is_some_and(|rows| rows.is_empty()));
        let tried = parts[1].below();
        assert_eq!(tried.iter().map(text).collect::<Vec<_>>(), ["2 2 gxh7", "1 1 hxg6!"]);
        assert_eq!(tried[0].below()[0].below().len(), 1);
    }
}
