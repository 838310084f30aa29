//! Replays the sections that show a solution, as their lines are read.
//!
//! The lines come parents first. So the positions from the diagram to the present line form a stack. Each has the
//! positions after its answers, which wait for their lines. A position is complete when all of these are; then its
//! length is known. Beside the stack, the positions of lines that later ones may refer to are kept, and the tree if it
//! is wanted.
//!
//! A line that refers to an earlier one must have its position. Every other line must meet the demands of
//! [`crate::rules`].

use matesolve_terms::{Goal, MateLength, MoveCode};
use shakmaty::{Chess, Color, Move, Position as _, Square};

use super::CertificateError;
use super::format::{number, order, parse_move};
use crate::fault::{LineText, NodeFault};
use crate::packed::PackedPosition;
use crate::rules::{self, legal_moves};
use crate::{NodeId, ProofError, ProofNode, ProofTree};

/// A proof that is being replayed.
pub(super) struct Replay {
    root: Chess,
    attacker: Color,
    goal: Goal,
    exclusive: Vec<(Square, Square)>,
    /// The number of the line in the file that is being checked.
    number: usize,
    /// The positions from the diagram to the last line, without those that are complete.
    stack: Vec<Frame>,
    /// The positions of the lines that may be referred to, by line.
    shared: Vec<Shared>,
    /// The diagram, as soon as it is complete.
    proved: Option<Complete>,
    /// The attacker's first move, if he begins.
    first: Option<MoveCode>,
    /// The number of positions in which all legal defences are answered, in all sections.
    pub positions: usize,
    /// Whether a position has answers of different lengths.
    is_uneven: bool,
    /// The tree, if it is wanted.
    tree: Option<ProofTree>,
}

/// A position whose proof is complete.
#[derive(Debug, Clone, Copy)]
struct Complete {
    /// The attacker's moves in the longest line.
    moves: u32,
    /// Its node in the tree, if one is built.
    node: NodeId,
}

/// A position of the stack.
struct Frame {
    parts: Vec<DefenceAnswer>,
    /// The number of parts that are complete.
    done: usize,
    /// The length of the longest of these.
    moves: u32,
    /// Its place in the list of positions that may be referred to.
    shared: Option<usize>,
}

impl Frame {
    /// Notes the length of the next part, which is complete. Returns whether it differs from those before it.
    fn note(&mut self, moves: u32) -> bool {
        let differs = self.done > 0 && moves != self.moves;
        self.moves = self.moves.max(moves);
        self.done += 1;
        differs
    }
}

struct DefenceAnswer {
    /// `None` if the attacker begins.
    defence: Option<MoveCode>,
    /// `None` if the defence itself reaches the goal.
    answer: Option<MoveCode>,
    /// The position after the answer, until it is complete.
    open: Option<Box<Chess>>,
    node: NodeId,
}

/// A position that later lines may refer to.
struct Shared {
    line: usize,
    position: PackedPosition,
    /// `None` while the position stands on the stack.
    complete: Option<Complete>,
}

impl Replay {
    pub(super) fn new(
        root: Chess,
        attacker: Color,
        goal: Goal,
        exclusive: Vec<(Square, Square)>,
        keeps_tree: bool,
    ) -> Replay {
        Replay {
            root,
            attacker,
            goal,
            exclusive,
            number: 0,
            stack: Vec::new(),
            shared: Vec::new(),
            proved: None,
            first: None,
            positions: 0,
            is_uneven: false,
            tree: keeps_tree.then(ProofTree::new),
        }
    }

    /// Begins a section. Later ones may refer to the positions of those before.
    pub(super) fn begin(&mut self) {
        (self.proved, self.first) = (None, None);
    }

    /// Ends a section. Returns the attacker's moves in its longest line, and his first move, if he begins.
    pub(super) fn end(&self) -> Result<(MateLength, Option<MoveCode>), CertificateError> {
        let Complete { moves, .. } = self.proved.ok_or(CertificateError::Unfinished)?;
        if self.is_uneven && self.goal.exact {
            return Err(ProofError::Uneven.into());
        }
        if moves > u32::from(MateLength::MAX.0) {
            return Err(ProofError::TooLong { moves }.into());
        }
        Ok((MateLength(moves as u16), self.first))
    }

    /// Returns the tree, if it was wanted.
    pub(super) fn into_tree(self) -> ProofTree {
        self.tree.unwrap_or_default()
    }

    /// Checks the line with this number in the file.
    pub(super) fn line(&mut self, number: usize, text: &str) -> Result<(), CertificateError> {
        self.number = number;
        let position = match self.stack.last_mut() {
            Some(frame) => frame.parts.get_mut(frame.done).and_then(|part| part.open.take()),
            None if self.proved.is_none() => Some(Box::new(self.root.clone())),
            None => None,
        };
        let position = position.ok_or_else(|| self.malformed(text, "stands after the end of the proof"))?;
        if let Some(earlier) = text.strip_prefix('=') {
            let known = self.same(earlier, &position).map_err(|why| self.malformed(text, why))?;
            // The diagram itself needs a line of its own.
            if !self.stack.is_empty() {
                self.complete(known);
            }
            self.advance();
            return Ok(());
        }
        if self.stack.len() > usize::from(MateLength::MAX.0) {
            return Err(ProofError::TooLong { moves: self.stack.len() as u32 }.into());
        }
        let (shared, tokens) = match text.strip_prefix("& ") {
            Some(tokens) => (Some(self.shared.len()), tokens),
            None => (None, text),
        };
        self.shared.extend(shared.map(|_| Shared {
            line: number,
            position: PackedPosition::of(&position),
            complete: None,
        }));
        let tokens = tokens.split(' ').map(|text| Token::read(text, number)).collect::<Result<Vec<_>, _>>()?;
        if self.stack.is_empty() && legal_moves(&position).is_empty() {
            return self.end_on_the_board(&position, &tokens);
        }
        let parts = if self.stack.is_empty() && position.turn() == self.attacker {
            self.first_move(&position, &tokens)?
        } else {
            self.positions += 1;
            self.defences(&position, &tokens)?
        };
        self.stack.push(Frame { parts, done: 0, moves: 0, shared });
        self.advance();
        Ok(())
    }

    /// Returns the length and the node of an earlier line, if its position is this one.
    fn same(&self, line: &str, position: &Chess) -> Result<Complete, &'static str> {
        let line: usize = number(line).ok_or("is not of the form =LINE")?;
        let found = self.shared.binary_search_by_key(&line, |shared| shared.line);
        let found = found.map_err(|_| "refers to a line above that does not begin with &")?;
        let Shared { position: earlier, complete, .. } = &self.shared[found];
        if *earlier != PackedPosition::of(position) {
            return Err("refers to the line of another position");
        }
        complete.ok_or("refers to a line that is not complete")
    }

    /// Checks the only line of a proof whose goal stands in the diagram.
    fn end_on_the_board(&mut self, position: &Chess, tokens: &[Token<'_>]) -> Result<(), CertificateError> {
        self.check_end(position, &[])?;
        if !matches!(tokens, [Token { answer: None, is_end: true, count: 1, .. }]) {
            let why = "stands where there is no move: the line must be #";
            return Err(self.malformed(tokens[0].text, why));
        }
        let node = self.push(ProofNode::End(self.goal.end));
        self.proved = Some(Complete { moves: 0, node });
        Ok(())
    }

    /// Checks the line of a diagram in which the attacker moves: his move alone.
    fn first_move(&mut self, position: &Chess, tokens: &[Token<'_>]) -> Result<Vec<DefenceAnswer>, CertificateError> {
        let [token] = tokens else {
            return Err(self.malformed(tokens[1].text, "stands where the attacker has only one move"));
        };
        if token.count > 1 || token.answer.is_none() {
            return Err(self.malformed(token.text, "is no single move of the attacker"));
        }
        self.first = token.answer;
        Ok(vec![self.answer(position.clone(), None, token)?])
    }

    /// Checks the line of a position with the defender to move: an answer to each of his moves.
    fn defences(&mut self, position: &Chess, tokens: &[Token<'_>]) -> Result<Vec<DefenceAnswer>, CertificateError> {
        let mut legal = rules::replies(position, self.goal);
        if legal.is_empty() {
            return Err(self.fault(NodeFault::NoDefences, &[]));
        }
        legal.sort_unstable_by_key(|&(code, _)| order(code));
        let mut parts = Vec::with_capacity(legal.len());
        let mut defences = legal.into_iter();
        for token in tokens {
            for _ in 0..token.count {
                let Some((code, m)) = defences.next() else {
                    return Err(self.malformed(token.text, "answers more moves than there are"));
                };
                let next = rules::play(position, m, &self.exclusive);
                parts.push(self.answer(next, Some(code), token)?);
            }
        }
        match defences.next() {
            Some((_, m)) => Err(self.fault(NodeFault::MissingDefence(rules::san(position, m)), &[])),
            None => Ok(parts),
        }
    }

    /// Checks the attacker's answer in the position after a defence, and what follows it.
    fn answer(
        &mut self,
        mut position: Chess,
        defence: Option<MoveCode>,
        token: &Token<'_>,
    ) -> Result<DefenceAnswer, CertificateError> {
        let answer = token.answer;
        if let Some(code) = answer {
            let m = rules::attack(&position, self.attacker, self.goal, code);
            let m = m.map_err(|fault| self.fault(fault, &[defence]))?;
            position = rules::play(&position, m, &self.exclusive);
        }
        if !token.is_end {
            return Ok(DefenceAnswer { defence, answer, open: Some(Box::new(position)), node: 0 });
        }
        self.check_end(&position, &[defence, answer])?;
        Ok(DefenceAnswer { defence, answer, open: None, node: self.push(ProofNode::End(self.goal.end)) })
    }

    fn check_end(&self, position: &Chess, after: &[Option<MoveCode>]) -> Result<(), CertificateError> {
        let end = rules::end(position, self.attacker, self.goal, self.goal.end);
        end.map_err(|fault| self.fault(fault, after))
    }

    /// Takes over the length and the node of a complete position into the one above it, or as those of the diagram.
    fn complete(&mut self, known: Complete) {
        match self.stack.last_mut() {
            None => self.proved = Some(known),
            Some(above) => {
                above.parts[above.done].node = known.node;
                self.is_uneven |= above.note(known.moves + 1);
            }
        }
    }

    /// Goes on to the next position that waits for its line. Positions that are complete leave the stack.
    fn advance(&mut self) {
        while let Some(mut frame) = self.stack.pop() {
            while let Some(part) = frame.parts.get(frame.done).filter(|part| part.open.is_none()) {
                let moves = u32::from(part.answer.is_some());
                self.is_uneven |= frame.note(moves);
            }
            if frame.done < frame.parts.len() {
                self.stack.push(frame);
                return;
            }
            let complete = Complete { moves: frame.moves, node: self.push_frame(&frame.parts) };
            if let Some(shared) = frame.shared {
                self.shared[shared].complete = Some(complete);
            }
            self.complete(complete);
        }
    }

    /// Adds a complete position to the tree.
    fn push_frame(&mut self, parts: &[DefenceAnswer]) -> NodeId {
        if self.tree.is_none() {
            return 0;
        }
        let mut replies = Vec::with_capacity(parts.len());
        for part in parts {
            let node = match part.answer {
                Some(code) => self.push(ProofNode::Attack(code, part.node)),
                None => part.node,
            };
            match part.defence {
                Some(defence) => replies.push((defence, node)),
                None => return node,
            }
        }
        self.push(ProofNode::Defend(replies))
    }

    fn push(&mut self, node: ProofNode) -> NodeId {
        self.tree.as_mut().map_or(0, |tree| tree.push(node))
    }

    /// Returns the error of a fault after the moves that lead to the line, and these.
    fn fault(&self, fault: NodeFault, after: &[Option<MoveCode>]) -> CertificateError {
        let path = self.stack.iter().filter_map(|frame| frame.parts.get(frame.done));
        let path = path.flat_map(|part| [part.defence, part.answer]).chain(after.iter().copied());
        let mut position = self.root.clone();
        let mut moves: Vec<Move> = Vec::new();
        for code in path.flatten() {
            let Some(&(_, m)) = legal_moves(&position).iter().find(|&&(legal, _)| legal == code) else { break };
            position = rules::play(&position, m, &self.exclusive);
            moves.push(m);
        }
        fault.after(LineText::of(&self.root, &moves)).into()
    }

    /// Returns the error of a part of this line that cannot be read.
    fn malformed(&self, part: &str, why: &'static str) -> CertificateError {
        CertificateError::node(self.number, part, why)
    }
}

/// A token of a line: an answer to `count` defences, one after the other.
struct Token<'a> {
    text: &'a str,
    answer: Option<MoveCode>,
    /// Whether the goal stands after it.
    is_end: bool,
    count: usize,
}

impl Token<'_> {
    /// Reads a token of the line with this number.
    fn read(text: &str, line: usize) -> Result<Token<'_>, CertificateError> {
        let malformed = |why| CertificateError::node(line, text, why);
        let (answer, count) = match text.split_once('*') {
            None => (text, 1),
            Some((answer, count)) => {
                let count = number(count).filter(|&count: &usize| count > 1);
                (answer, count.ok_or_else(|| malformed("does not end in a number of moves, from 2 on"))?)
            }
        };
        let code = answer.strip_suffix('#');
        let is_end = code.is_some();
        let code = code.unwrap_or(answer);
        let answer = if is_end && code.is_empty() {
            None
        } else {
            Some(parse_move(code).ok_or_else(|| malformed("is not a move such as e2e4 or e7e8q#"))?)
        };
        Ok(Token { text, answer, is_end, count })
    }
}
