//! First moves: those that mate in time, each with a checked proof, and those that fail by a little.

use shakmaty::{Chess, Color, Position as _};

use crate::chess::{MateLength, Move, NodeKind, Position};
use crate::proof::{ProofTree, Verified, VerifiedFlag, check_exclusive};
use crate::results::report::{Key, Ply, Try};
use crate::search::fullwidth::FullWidth;
use crate::search::{Interrupted, StopReason};

use super::features::features;
use super::notation::Scribe;
use super::unfold::Unfolder;

/// What is known of the first moves.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// Every first move that mates, with its exact length, shortest first; complete if nothing stopped the search.
    pub moves: Vec<(Move, u16)>,
    /// The shortest mate from the diagram, if there is one.
    pub shortest: Option<u16>,
    /// Whether the checker has replayed a proof of it.
    pub verified: VerifiedFlag,
    /// No mate within so many moves.
    pub refuted_through: u16,
    /// The limit that was reached before all first moves were judged.
    pub stopped: Option<StopReason>,
}

impl Keys {
    /// Takes over the length of a checked proof from the diagram, the shortest first.
    fn learn_length(&mut self, proof: &Verified) {
        if self.shortest.is_none() {
            self.shortest = Some(proof.length().0);
            self.verified = VerifiedFlag::by(proof);
        }
    }
}

/// Finds all first moves that mate within `moves`; if no length is given, all that mate in the shortest time.
pub(super) fn find(
    searcher: &mut FullWidth,
    chess: &Chess,
    root: &Position,
    moves: Option<u16>,
) -> Result<Keys, String> {
    let mut keys = Keys::default();
    let outcome = search(searcher, chess, root, moves, &mut keys);
    settle(keys, outcome)
}

/// How long the mate takes if the diagram stands after the key.
pub(super) fn post_key(searcher: &mut FullWidth, chess: &Chess, root: &Position, moves: u16) -> Result<Keys, String> {
    let mut keys = Keys::default();
    let outcome = (|| {
        for n in 1..=moves {
            if searcher.mated(root, n)? {
                let proof = searcher.prove(root, NodeKind::And, n)?;
                return Ok(verified(searcher, chess, !chess.turn(), proof, n).map(|proof| keys.learn_length(&proof)));
            }
            keys.refuted_through = n;
        }
        Ok(Ok(()))
    })();
    settle(keys, outcome)
}

/// A limit leaves what was found before it; a proof that does not hold leaves nothing.
fn settle(mut keys: Keys, outcome: Result<Result<(), String>, Interrupted>) -> Result<Keys, String> {
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(why)) => return Err(why),
        Err(reason) => keys.stopped = Some(reason),
    }
    Ok(keys)
}

fn search(
    searcher: &mut FullWidth,
    chess: &Chess,
    root: &Position,
    moves: Option<u16>,
    keys: &mut Keys,
) -> Result<Result<(), String>, Interrupted> {
    let mut open = root.legal_moves();
    for n in 1..=moves.unwrap_or(MateLength::MAX.0) {
        for m in std::mem::take(&mut open) {
            let child = searcher.play(root, m)?;
            if !searcher.mated(&child, n - 1)? {
                open.push(m);
                continue;
            }
            let proof = searcher.prove(&child, NodeKind::And, n - 1)?.map(|proof| proof.after(m.code()));
            match verified(searcher, chess, chess.turn(), proof, n) {
                Ok(proof) => {
                    keys.moves.push((m, proof.length().0));
                    keys.learn_length(&proof);
                }
                Err(why) => return Ok(Err(why)),
            }
        }
        if keys.shortest.is_none() {
            keys.refuted_through = n;
        } else if moves.is_none() {
            break;
        }
    }
    Ok(Ok(()))
}

/// Replays a proof.
fn verified(
    searcher: &FullWidth,
    chess: &Chess,
    attacker: Color,
    proof: Option<ProofTree>,
    length: u16,
) -> Result<Verified, String> {
    let proof = proof.ok_or("the search claims a mate and cannot show it")?;
    let pairs = searcher.exclusive().as_pairs();
    let checked =
        check_exclusive(chess, attacker, proof, pairs).map_err(|fault| format!("a proof does not hold ({fault})"))?;
    if checked.length() == MateLength(length) {
        return Ok(checked);
    }
    Err(format!("a proof of a mate in {length} takes {} moves", checked.length()))
}

/// The keys with what follows them.
pub(super) fn unfolded(
    keys: &Keys,
    unfolder: &mut Unfolder,
    root: &Position,
    scribe: Scribe,
    named: Option<&[Move]>,
) -> Vec<Key> {
    let mut result: Vec<Key> = Vec::with_capacity(keys.moves.len());
    for &(m, mate_in) in &keys.moves {
        let after = unfolder.searcher().after(root, m);
        result.push(Key {
            ply: scribe.ply(root, m),
            mate_in,
            intended: named.map(|named| named.contains(&m)),
            features: features(root, m),
            next: unfolder.solution(&after, mate_in - 1),
        });
    }
    result.sort_by(|a, b| (a.mate_in, &a.ply.uci).cmp(&(b.mate_in, &b.ply.uci)));
    result
}

/// The other first moves that at most `max` defences refute; `None` if a limit was reached.
pub(super) fn tries(
    keys: &Keys,
    unfolder: &mut Unfolder,
    root: &Position,
    scribe: Scribe,
    moves: u16,
    max: u16,
) -> Option<Vec<Try>> {
    let mut tries = Vec::new();
    for m in root.legal_moves() {
        if keys.moves.iter().any(|&(key, _)| key == m) {
            continue;
        }
        let after = unfolder.searcher().after(root, m);
        if moves < 2 || !after.has_move() {
            continue;
        }
        let refutations = unfolder.refutations(&after, moves - 1, usize::from(max)).ok()?;
        if let Some(refutations) = refutations {
            let next = unfolder.try_play(&after, moves - 1, &refutations);
            let ply = scribe.ply(root, m);
            let refutations: Vec<Ply> = scribe.plies(&after, &refutations).into_iter().map(|(_, ply)| ply).collect();
            tries.push(Try { trivial: ply.check, ply, refutations, next });
        }
    }
    tries.sort_by(|a, b| a.ply.uci.cmp(&b.ply.uci));
    Some(tries)
}
