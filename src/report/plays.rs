//! Collects the facts about each play: the threats, the length of the mate (or other goal) after each defence, and
//! every continuation after the defences that are shown.
//!
//! A play is a position with the defender to move ([`crate::results::report::Tree`]). Plays are explored level by
//! level, from the keys, tries and set play down, so that a tree that must be cut is complete near the root. The
//! questions of a level are worked off on all threads, in parts. The tree itself is built afterwards from the facts
//! (`unfold`).

use hashbrown::{HashMap, HashSet};

use crate::chess::{End, Goal, MateLength, Move, NodeKind, Position, rules};
use crate::results::report::{Continuation, Dual, Play, PlayId, Ply, Report, ReportOptions, Variation};
use crate::search::decider::Decider;
use crate::search::{Interrupted, StopReason};

use super::progress::{ReportEvent, Workers};

/// Identifies a play: its position, the moves left to the attacker, and its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PlayKey {
    position: u64,
    left: u16,
    kind: PlayKind,
}

/// The kinds of plays. They differ in the defences that may be without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PlayKind {
    /// After a key or a continuation: every defence is answered.
    Solution,
    /// After a try: the refutations are left out.
    Try,
    /// The diagram after a key that fails: the refutations are left out, and every answered defence is shown.
    FailedKey,
    /// The diagram with the defender to move: the answered moves are shown, and there is no threat.
    SetPlay,
}

/// A play to explore.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayRoot {
    pub position: Position,
    /// The moves left to the attacker.
    pub left: MateLength,
    pub kind: PlayKind,
}

impl PlayRoot {
    pub(super) fn key(&self) -> PlayKey {
        PlayKey { position: self.position.key(), left: self.left.0, kind: self.kind }
    }
}

/// The attacker's answer to a pass or to a defence.
#[derive(Debug, Clone)]
pub(super) struct AttackerMoves {
    /// The length of the shortest mate, in moves.
    pub mate_in: MateLength,
    /// All moves that mate in that time; empty for a defence that is not shown, or that itself reaches the goal.
    pub moves: Vec<Move>,
}

/// The result of a pass by the defender.
#[derive(Debug, Clone)]
pub(super) enum PassFacts {
    /// He is in check, or must mate; no move is left; the play is set play; or threats are not asked for.
    Impossible,
    /// No mate within the moves left.
    Zugzwang,
    /// The threats.
    Threats(AttackerMoves),
}

/// A defence that has an answer within the moves left.
#[derive(Debug, Clone)]
pub(super) struct DefenceFacts {
    pub m: Move,
    pub answer: AttackerMoves,
    pub shown: bool,
}

/// The facts about a play.
#[derive(Debug, Clone)]
pub(super) struct PlayFacts {
    pub position: Position,
    pub left: MateLength,
    pub pass: PassFacts,
    /// The answered defences.
    pub defences: Vec<DefenceFacts>,
    /// The number of defences without an answer within the moves left.
    pub unanswered: u16,
    /// Whether every defence was examined; `false` if a limit was reached first.
    pub complete: bool,
}

/// The most plays that are explored before the memory is looked at again.
const AT_ONCE: usize = 512;

/// The explored plays.
#[derive(Debug)]
pub(super) struct Plays {
    /// The goal of the attacker.
    pub goal: Goal,
    facts: HashMap<PlayKey, PlayFacts>,
    /// The plays that are explored, or that wait for it.
    admitted: HashSet<PlayKey>,
    /// The memory that the plays take, here and in the report, in bytes.
    bytes: usize,
    /// Whether plays were left out because there were too many.
    pub truncated: bool,
}

impl Plays {
    /// Starts without a play.
    pub(super) fn new(goal: Goal) -> Plays {
        Plays { goal, facts: HashMap::new(), admitted: HashSet::new(), bytes: 0, truncated: false }
    }

    /// Returns what stands on the board if the move before this play reached the goal.
    pub(super) fn end(&self, root: &PlayRoot) -> Option<End> {
        (rules::over(self.goal, &root.position, NodeKind::And) == Some(true)).then_some(self.goal.end)
    }

    /// Returns the facts about a play; `None` if it was not explored.
    pub(super) fn get(&self, root: &PlayRoot) -> Option<&PlayFacts> {
        self.facts.get(&root.key())
    }

    /// Explores the plays below these roots, until there are `max_tree_nodes` plays, until the plays fill `memory`
    /// bytes here and in the report, or until a limit is reached.
    pub(super) fn explore(
        &mut self,
        roots: impl IntoIterator<Item = PlayRoot>,
        options: ReportOptions,
        memory: usize,
        workers: &mut Workers<'_, '_>,
    ) {
        let mut level: Vec<PlayRoot> = Vec::new();
        level.extend(roots.into_iter().filter(|root| self.admits(root, options.max_tree_nodes)));
        let longest = level.iter().map(|root| root.left.0).max().unwrap_or_default();
        while !level.is_empty() && workers.stopped().is_none() {
            let mut next = Vec::new();
            for part in level.chunks(AT_ONCE) {
                if self.bytes >= memory {
                    workers.stop(StopReason::Memory);
                }
                if workers.stopped().is_some() {
                    break;
                }
                workers.send(ReportEvent::Tree { plays: self.facts.len() });
                for (root, facts) in explore_level(part, options, workers).into_iter().flatten() {
                    next.extend(children(&facts).filter(|child| self.admits(child, options.max_tree_nodes)));
                    self.bytes += bytes(&facts, longest);
                    self.facts.insert(root.key(), facts);
                }
            }
            level = next;
        }
    }

    /// Admits a play for exploring, unless it is over, already admitted, or one too many. Returns whether it was
    /// admitted.
    fn admits(&mut self, root: &PlayRoot, max: usize) -> bool {
        if rules::over(self.goal, &root.position, NodeKind::And).is_some() || self.admitted.contains(&root.key()) {
            return false;
        }
        if self.admitted.len() >= max {
            self.truncated = true;
            return false;
        }
        self.bytes += BYTES_WHILE_WAITING;
        self.admitted.insert(root.key())
    }
}

/// The memory of a play that waits, in bytes: in the list of its level, and in the set of all.
const BYTES_WHILE_WAITING: usize = size_of::<PlayRoot>() + 2 * size_of::<PlayKey>();

/// The memory of a block on the heap that holds the notation of a move, in bytes.
const NOTATION: usize = 32;

/// Estimates the memory of an explored play in bytes: its facts, its part of the tree, and its duals, each of which has
/// the whole line of moves to it. `longest` is the number of moves that the attacker has left in the longest play.
fn bytes(facts: &PlayFacts, longest: u16) -> usize {
    const WRITTEN: usize = 2 * NOTATION;
    let continuations = |answer: &AttackerMoves| {
        answer.moves.len() * (size_of::<Move>() + size_of::<Continuation>() + WRITTEN) + 2 * NOTATION
    };
    let plies = 2 * usize::from(longest.saturating_sub(facts.left.0)) + 2;
    let dual =
        |moves: usize| if moves > 1 { size_of::<Dual>() + (plies + moves) * (size_of::<Ply>() + WRITTEN) } else { 0 };
    let threats = match &facts.pass {
        PassFacts::Threats(threats) => continuations(threats),
        PassFacts::Impossible | PassFacts::Zugzwang => 0,
    };
    let defences = facts.defences.iter().map(|defence| {
        let shown =
            size_of::<Variation>() + WRITTEN + continuations(&defence.answer) + dual(defence.answer.moves.len());
        size_of::<DefenceFacts>() + if defence.shown { shown } else { 0 }
    });
    // The maps are at most half empty.
    let entries = 2 * (size_of::<(PlayKey, PlayFacts)>() + size_of::<(PlayKey, PlayId)>());
    entries + size_of::<Play>() + threats + defences.sum::<usize>()
}

/// Returns the plays that follow directly: after each threat, and after each continuation of each shown defence.
fn children(facts: &PlayFacts) -> impl Iterator<Item = PlayRoot> + use<> {
    let mut children = Vec::new();
    let mut add = |position: &Position, answer: &AttackerMoves| {
        let left = MateLength(answer.mate_in.0.saturating_sub(1));
        let child = |&m: &Move| PlayRoot { position: position.play(m), left, kind: PlayKind::Solution };
        children.extend(answer.moves.iter().map(child));
    };
    if let (PassFacts::Threats(threats), Some(passed)) = (&facts.pass, facts.position.pass()) {
        add(&passed, threats);
    }
    for defence in facts.defences.iter().filter(|defence| defence.shown) {
        add(&facts.position.play(defence.m), &defence.answer);
    }
    children.into_iter()
}

enum LevelItem<'l> {
    /// Find the threats.
    Pass(&'l PlayRoot),
    /// Find the length of the mate after this defence.
    Defence(&'l PlayRoot, Move),
}

/// The answer to a [`LevelItem`].
enum LevelAnswer {
    Pass(PassFacts),
    Defence(Option<MateLength>),
}

/// Explores the plays of a level. Returns `None` for a play if a limit was reached before its threats were found.
fn explore_level(
    level: &[PlayRoot],
    options: ReportOptions,
    workers: &mut Workers<'_, '_>,
) -> Vec<Option<(PlayRoot, PlayFacts)>> {
    let goal = workers.first().goal();
    let mut items = Vec::new();
    for root in level {
        items.push(LevelItem::Pass(root));
        items.extend(rules::replies(goal, &root.position).into_iter().map(|m| LevelItem::Defence(root, m)));
    }
    let found = workers.map(&items, |decider, item| match *item {
        LevelItem::Pass(root) if options.threats => Ok(LevelAnswer::Pass(pass(decider, root)?)),
        LevelItem::Pass(_) => Ok(LevelAnswer::Pass(PassFacts::Impossible)),
        LevelItem::Defence(root, m) => {
            let after = decider.play(&root.position, m)?;
            Ok(LevelAnswer::Defence(decider.shortest_mate(&after, root.left)?))
        }
    });
    let mut plays: Vec<(PlayRoot, Option<PlayFacts>)> = Vec::with_capacity(level.len());
    for (item, found) in items.iter().zip(found) {
        match (item, found) {
            (LevelItem::Pass(root), found) => {
                let facts = |found| PlayFacts {
                    position: root.position,
                    left: root.left,
                    pass: found,
                    defences: Vec::new(),
                    unanswered: 0,
                    complete: true,
                };
                let pass = found.and_then(|found| if let LevelAnswer::Pass(pass) = found { Some(pass) } else { None });
                plays.push((**root, pass.map(facts)));
            }
            (LevelItem::Defence(_, m), found) => {
                let Some((_, Some(facts))) = plays.last_mut() else { continue };
                match found {
                    Some(LevelAnswer::Defence(Some(mate_in))) => {
                        let answer = AttackerMoves { mate_in, moves: Vec::new() };
                        facts.defences.push(DefenceFacts { m: *m, answer, shown: false });
                    }
                    Some(_) => facts.unanswered += 1,
                    None => facts.complete = false,
                }
            }
        }
    }
    add_continuations(&mut plays, options, workers);
    plays.iter_mut().filter_map(|(_, facts)| facts.as_mut()).for_each(|facts| facts.defences.shrink_to_fit());
    plays.into_iter().map(|(root, facts)| facts.map(|facts| (root, facts))).collect()
}

/// Decides which defences are shown, and finds all continuations after those.
fn add_continuations(
    plays: &mut [(PlayRoot, Option<PlayFacts>)],
    options: ReportOptions,
    workers: &mut Workers<'_, '_>,
) {
    let mut items: Vec<(usize, usize)> = Vec::new();
    for (at, (_, facts)) in plays.iter().enumerate() {
        items.extend((0..facts.as_ref().map_or(0, |facts| facts.defences.len())).map(|defence| (at, defence)));
    }
    let explored = &*plays;
    let found = workers.map(&items, |decider, &(at, defence)| {
        let (root, Some(facts)) = &explored[at] else { return Ok(None) };
        let defence = &facts.defences[defence];
        if defence.answer.mate_in == MateLength(0) && !shows_ends(facts, options) {
            return Ok(None);
        }
        let after = decider.play(&facts.position, defence.m)?;
        let shows_all = root.kind == PlayKind::FailedKey || defence.answer.mate_in == MateLength(0);
        if !shows_all && !is_shown(decider, &facts.pass, &after, defence.answer.mate_in, options)? {
            return Ok(None);
        }
        Ok(Some(decider.mating_moves(&after, defence.answer.mate_in)?))
    });
    for (&(at, defence), found) in items.iter().zip(found) {
        let Some(facts) = &mut plays[at].1 else { continue };
        match found {
            Some(Some(moves)) => {
                facts.defences[defence].answer.moves = moves;
                facts.defences[defence].shown = true;
            }
            Some(None) => {}
            None => facts.complete = false,
        }
    }
}

/// Returns whether the defences are shown that reach the goal themselves: before the attacker's last move Popeye, like
/// most published solutions, leaves them out as short, unless there are no others.
fn shows_ends(facts: &PlayFacts, options: ReportOptions) -> bool {
    options.short_variations || facts.defences.iter().all(|defence| defence.answer.mate_in == MateLength(0))
}

/// Estimates the memory of the plays and duals of a finished report, in bytes.
pub(super) fn bytes_of(report: &Report) -> usize {
    const PLY: usize = size_of::<Ply>() + 2 * NOTATION;
    let play = |play: &Play| {
        let continuations = play.continuations().count() * (size_of::<Continuation>() + 2 * NOTATION);
        size_of::<Play>() + play.variations.len() * (size_of::<Variation>() + 4 * NOTATION) + continuations
    };
    let dual = |dual: &Dual| size_of::<Dual>() + (dual.line.len() + dual.moves.len()) * PLY;
    report.tree.plays().iter().map(play).sum::<usize>() + report.duals.iter().map(dual).sum::<usize>()
}

/// Finds the threats of a play.
fn pass(decider: &mut Decider<'_, '_>, root: &PlayRoot) -> Result<PassFacts, Interrupted> {
    let may_pass = root.kind != PlayKind::SetPlay
        && root.left > MateLength(0)
        && !rules::must_end(decider.goal(), &root.position, NodeKind::And);
    let passed = root.position.pass().filter(|_| may_pass);
    let Some(passed) = passed else { return Ok(PassFacts::Impossible) };
    let Some(mate_in) = decider.shortest_mate(&passed, root.left)? else { return Ok(PassFacts::Zugzwang) };
    let moves = decider.mating_moves(&passed, mate_in)?;
    Ok(PassFacts::Threats(AttackerMoves { mate_in, moves }))
}

/// Returns whether a defence is shown, by the rule in the docs of [`crate::results::report::Tree`]. After the defence
/// the attacker mates in exactly `mate_in` moves.
fn is_shown(
    decider: &mut Decider<'_, '_>,
    pass: &PassFacts,
    after: &Position,
    mate_in: MateLength,
    options: ReportOptions,
) -> Result<bool, Interrupted> {
    let PassFacts::Threats(threats) = pass else { return Ok(true) };
    if mate_in != threats.mate_in {
        return Ok(mate_in > threats.mate_in || options.short_variations);
    }
    let legal = after.legal_moves();
    let rest = MateLength(mate_in.0.saturating_sub(1));
    for threat in &threats.moves {
        let Some(&m) = legal.iter().find(|m| m.code() == threat.code() && m.role() == threat.role()) else {
            return Ok(true);
        };
        let child = decider.play(after, m)?;
        if decider.mated(&child, rest)?.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}
