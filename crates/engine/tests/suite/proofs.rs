//! Mutation tests of the checker and the certificates: correct proofs are altered, and the altered proofs must be
//! rejected.
//!
//! A second, simple recursion ([`replayed`]) decides whether a mutant still proves a mate. The checker must agree with
//! it on every mutant, and nearly all mutants must be rejected.

use std::collections::BTreeMap;

use matesolve_engine::chess::{End, Goal, MateLength, MoveCode, Position};
use matesolve_engine::search::exhaustive::Exhaustive;
use matesolve_engine::search::{Facts, Task};
use matesolve_proof::{
    Certificate, CertificateError, CheckedCertificate, Claims, NodeFault, NodeId, ProofError, ProofNode, ProofTree,
    check,
};
use matesolve_testkit::chess;
use proptest::prelude::*;
use shakmaty::{Chess, Color};

/// Small problems with different special rules and features: attacker, position, length in moves.
const PROBLEMS: [(Color, &str, u16); 16] = [
    (Color::White, "k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2),
    (Color::White, "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", 1),
    (Color::White, "5Kbk/6pp/6P1/8/8/8/8/7R w - - 0 1", 2),
    (Color::White, "8/8/8/8/8/2K5/3Q4/k7 w - - 0 1", 1),
    (Color::White, "8/8/8/8/8/1K6/3Q4/k7 b - - 0 1", 1),
    (Color::Black, "8/8/8/8/8/1k6/3q4/K7 w - - 0 1", 1),
    (Color::White, "7k/P4K2/8/8/8/8/8/8 w - - 0 1", 2),
    (Color::White, "7k/8/6K1/8/8/8/8/Q7 b - - 0 1", 1),
    (Color::White, "r3k3/8/4K3/8/8/8/8/7R w q - 0 1", 1),
    (Color::White, "7R/7p/5P1k/4PKpP/8/8/8/8 w - g6 0 1", 2),
    (Color::White, "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1", 3),
    (Color::White, "6k1/4PR2/6K1/8/8/8/8/8 w - - 0 1", 1),
    (Color::Black, "8/8/8/8/1p6/1k6/1P6/K2r4 w - - 0 1", 0),
    (Color::Black, "7r/8/8/8/8/6p1/6PP/5kBK b - - 0 1", 2),
    (Color::White, "8/8/8/8/8/k1K5/8/1Q6 b - - 0 1", 1),
    (Color::White, "5N1k/5Ppp/8/8/2Q3p1/8/8/b6K w - - 0 1", 3),
];

/// Returns the length of a proof, replayed by the checker.
fn checked_length(root: &Chess, attacker: Color, tree: &ProofTree) -> Result<MateLength, ProofError> {
    check(root, attacker, Goal::MATE, tree.clone()).map(|proof| proof.length())
}

/// Solves a problem with `exhaustive` and returns the proof.
fn prove(fen: &str, attacker: Color, bound: u16) -> ProofTree {
    let task = Task { memory: 1 << 20, ..Task::mate(Position::from_chess(&chess(fen)), attacker, MateLength(bound)) };
    let answer = matesolve_testkit::solve(&mut Exhaustive, &task, Some(20_000_000), &Facts::with_bytes(1 << 10));
    answer.proof.unwrap_or_else(|| panic!("no mate in {bound}: {fen} ({:?})", answer.stopped))
}

/// Returns every problem with its compacted proof.
fn proofs() -> impl Iterator<Item = (&'static str, Chess, Color, ProofTree)> {
    PROBLEMS.iter().map(|&(attacker, fen, length)| {
        let (root, tree) = (chess(fen), prove(fen, attacker, length));
        assert_eq!(checked_length(&root, attacker, &tree), Ok(MateLength(length)), "{fen}");
        let compact = tree.compact(&root, attacker, Goal::MATE, &[]).unwrap();
        assert_eq!(checked_length(&root, attacker, &compact), Ok(MateLength(length)), "{fen}");
        assert!(compact.nodes().len() <= tree.nodes().len(), "{fen}");
        (fen, root, attacker, compact)
    })
}

/// Returns the length of the mate that a proof really proves from a node, or `None` if it proves none. This is the
/// definition of a proof as a recursion over `chess::Position`.
fn replayed(position: &Position, attacker: Color, tree: &ProofTree, id: NodeId) -> Option<u16> {
    let legal = position.legal_moves();
    match &tree.nodes()[id as usize] {
        ProofNode::Attack(code, child) => {
            let m = legal.into_iter().find(|m| m.code() == *code)?;
            let rest = replayed(&position.play(m), attacker, tree, *child)?;
            (position.turn() == attacker).then_some(rest + 1)
        }
        ProofNode::Defend(replies) => {
            let sound = position.turn() != attacker && replies.len() == legal.len();
            let mut longest = (sound && !legal.is_empty()).then_some(0)?;
            for m in legal {
                let &(_, child) = replies.iter().find(|(code, _)| *code == m.code())?;
                longest = longest.max(replayed(&position.play(m), attacker, tree, child)?);
            }
            Some(longest)
        }
        ProofNode::End(end) => {
            let mated = position.turn() != attacker && position.is_check() && legal.is_empty();
            (mated && *end == End::Mate).then_some(0)
        }
    }
}

/// Returns the tree with one node replaced.
fn with_node(tree: &ProofTree, id: usize, node: &ProofNode) -> ProofTree {
    let mut mutant = ProofTree::new();
    for (i, original) in tree.nodes().iter().enumerate() {
        mutant.push(if i == id { node.clone() } else { original.clone() });
    }
    mutant
}

/// Returns a code that differs in one bit.
fn with_bit_flipped(code: MoveCode, bit: usize) -> MoveCode {
    MoveCode::unpack(MoveCode::pack(Some(code)) ^ 1 << bit).expect("a code has at least two bits set")
}

/// Returns the mutants of a node, each with the name of the mutation.
fn mutations(tree: &ProofTree, id: usize) -> Vec<(&'static str, ProofNode)> {
    let node = &tree.nodes()[id];
    let mut mutants = Vec::new();
    match node {
        ProofNode::Attack(code, child) => {
            for bit in 0..16 {
                mutants.push(("move altered", ProofNode::Attack(with_bit_flipped(*code, bit), *child)));
            }
            mutants.push(("attack turned into a defence", ProofNode::Defend(vec![(*code, *child)])));
            for other in (0..id as NodeId).filter(|other| other != child) {
                mutants.push(("index replaced", ProofNode::Attack(*code, other)));
            }
        }
        ProofNode::Defend(replies) => {
            for i in 0..replies.len() {
                let mut fewer = replies.clone();
                fewer.remove(i);
                mutants.push(("defence removed", ProofNode::Defend(fewer)));
                let mut more = replies.clone();
                more.insert(i, replies[i]);
                mutants.push(("defence repeated", ProofNode::Defend(more)));
                let mut other = replies.clone();
                other[i].0 = with_bit_flipped(other[i].0, i % 15);
                mutants.push(("defence altered", ProofNode::Defend(other)));
                let mut swapped = replies.clone();
                let j = (i + 1) % replies.len();
                (swapped[i].1, swapped[j].1) = (replies[j].1, replies[i].1);
                if swapped != *replies {
                    mutants.push(("index replaced", ProofNode::Defend(swapped)));
                }
            }
            if let Some(&(code, child)) = replies.first() {
                mutants.push(("all defences removed", ProofNode::Defend(Vec::new())));
                mutants.push(("defences turned into an end", ProofNode::MATE));
                mutants.push(("defence turned into an attack", ProofNode::Attack(code, child)));
            }
        }
        ProofNode::End(_) => {
            mutants.push(("end turned into defences", ProofNode::Defend(Vec::new())));
            mutants.push(("another end", ProofNode::End(End::Stalemate)));
        }
    }
    mutants
}

#[test]
fn every_mutant_that_proves_no_mate_is_rejected() {
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    let mut still_true = 0;
    for (fen, root, attacker, tree) in proofs() {
        let position = Position::from_chess(&root);
        // Every node of a small proof is altered, and every k-th node of a large one.
        let step = tree.nodes().len().div_ceil(60);
        for id in (0..tree.nodes().len()).rev().step_by(step) {
            let mutants = mutations(&tree, id);
            let stride = mutants.len().div_ceil(40).max(1);
            for (mutation, node) in mutants.into_iter().step_by(stride) {
                let mutant = with_node(&tree, id, &node);
                let replayed_length = mutant.root().and_then(|root| replayed(&position, attacker, &mutant, root));
                match checked_length(&root, attacker, &mutant) {
                    Ok(length) => {
                        assert_eq!(
                            Some(length.0),
                            replayed_length,
                            "{fen}: {mutation} in node {id} is accepted: {node:?}"
                        );
                        still_true += 1;
                    }
                    // A node that is used for two positions may be correct for both. The checker may reject it.
                    Err(ProofError::TwoPositions { .. }) => *rejected.entry(mutation).or_default() += 1,
                    Err(error) => {
                        assert_eq!(replayed_length, None, "{fen}: {mutation} in node {id} is a proof, but: {error}");
                        *rejected.entry(mutation).or_default() += 1;
                    }
                }
            }
        }
    }
    let total: usize = rejected.values().sum();
    println!("rejected: {rejected:?}, {total} in all; {still_true} mutants were correct proofs");
    assert_eq!(rejected.len(), 11, "{rejected:?}");
    assert!(rejected.values().all(|&count| count >= 10), "{rejected:?}");
    assert!(still_true * 5 < total, "{still_true} of {total}");
}

/// Finds every position of a proof with the attacker to move, with its node.
fn attacks(position: &Position, tree: &ProofTree, id: NodeId, found: &mut Vec<(NodeId, Position)>) {
    match &tree.nodes()[id as usize] {
        ProofNode::Attack(code, child) => {
            found.push((id, *position));
            let m = position.find_move(*code).unwrap();
            attacks(&position.play(m), tree, *child, found);
        }
        ProofNode::Defend(replies) => {
            for &(code, child) in replies {
                let m = position.find_move(code).unwrap();
                attacks(&position.play(m), tree, child, found);
            }
        }
        ProofNode::End(_) => (),
    }
}

/// Returns the proof with the attack in node `id` replaced by `code`, after which it claims mate. The leaf for the mate
/// is a new first node, so that all ids increase by one.
fn with_leaf_first(tree: &ProofTree, id: NodeId, code: MoveCode) -> ProofTree {
    let mut mutant = ProofTree::new();
    mutant.push(ProofNode::MATE);
    for (i, node) in (0..).zip(tree.nodes()) {
        mutant.push(match node {
            _ if i == id => ProofNode::Attack(code, 0),
            ProofNode::Attack(code, child) => ProofNode::Attack(*code, child + 1),
            ProofNode::Defend(replies) => ProofNode::Defend(replies.iter().map(|&(m, c)| (m, c + 1)).collect()),
            ProofNode::End(end) => ProofNode::End(*end),
        });
    }
    mutant
}

#[test]
fn a_stalemate_is_never_accepted_as_a_mate() {
    let mut stalemates = 0;
    for (fen, root, attacker, tree) in proofs() {
        let mut found = Vec::new();
        attacks(&Position::from_chess(&root), &tree, tree.root().unwrap(), &mut found);
        for (id, position) in found {
            for m in position.legal_moves() {
                let next = position.play(m);
                if !next.has_move() && !next.is_check() {
                    let mutant = with_leaf_first(&tree, id, m.code());
                    let fault = checked_length(&root, attacker, &mutant).unwrap_err();
                    assert!(
                        matches!(fault, ProofError::Node { fault: NodeFault::Stalemate, .. }),
                        "{fen}: {m:?}: {fault}"
                    );
                    stalemates += 1;
                }
            }
        }
    }
    println!("{stalemates} stalemates tried");
    assert!(stalemates >= 10, "only {stalemates} stalemates tried");
}

/// Writes a certificate.
fn certificate(fen: &str, attacker: Color, tree: &ProofTree) -> String {
    let mut written = Vec::new();
    let proof = check(&chess(fen), attacker, Goal::MATE, tree.clone()).unwrap();
    Certificate::new(fen, &proof).unwrap().write(&mut written).unwrap();
    String::from_utf8(written).unwrap()
}

#[test]
fn a_certificate_stays_the_same_when_read_and_written_again() {
    for (fen, _, attacker, tree) in proofs() {
        let text = certificate(fen, attacker, &tree);
        verify(text.as_bytes()).expect("the certificate is correct");
        let read = Certificate::read(text.as_bytes()).unwrap();
        assert_eq!(read.verify().unwrap().length(), tree.length(), "{fen}");
        assert_eq!((read.fen(), read.attacker(), read.length()), (fen, attacker, tree.length()));
        let mut again = Vec::new();
        read.write(&mut again).unwrap();
        assert_eq!(String::from_utf8(again).unwrap(), text);
        assert_eq!(certificate(fen, attacker, read.tree()), text, "compacting the tree again changes it");
    }
}

#[test]
fn altered_and_truncated_certificates_are_rejected() {
    let (attacker, fen, length) = PROBLEMS[2];
    let good = certificate(fen, attacker, &prove(fen, attacker, length)).into_bytes();
    let mut by_checksum = 0;
    for at in 0..good.len() {
        for flip in 1..=255 {
            let mut bad = good.clone();
            bad[at] ^= flip;
            let error = Certificate::read(&bad).expect_err("an altered byte is accepted");
            by_checksum += usize::from(matches!(error, CertificateError::Checksum { .. }));
        }
        assert!(verify(&good[..at]).is_err(), "the first {at} bytes are accepted");
    }
    println!("{} alterations, {by_checksum} found by the checksum", 255 * good.len());
    assert!(by_checksum > 50 * good.len());
}

/// Makes the last line fit an altered content, as a forger would.
fn reseal(text: &str) -> String {
    let content = text.rfind("end ").map_or(text, |at| &text[..at]);
    let mut crc = u32::MAX;
    for byte in content.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    format!("{content}end {} {:08x}\n", content.matches('\n').count(), !crc)
}

/// Reads and verifies a certificate in both ways: as a tree, and without one. If it is accepted, asserts that its proof
/// is correct.
fn verify(text: &[u8]) -> Result<(), String> {
    let read = Certificate::read(text).and_then(|certificate| Ok((certificate.verify()?.length(), certificate)));
    let checked = CheckedCertificate::read(text);
    let (length, certificate) = match read {
        Ok(read) => read,
        Err(error) => {
            assert!(checked.is_err(), "{error}, but it is accepted without a tree");
            return Err(error.to_string());
        }
    };
    let checked = checked.expect("what is accepted as a tree is accepted without one");
    let header = checked.header();
    assert_eq!((&*header.fen, &header.claims), (certificate.fen(), &Claims::Solved(length)));
    let position = Position::from_chess(&chess(certificate.fen()));
    let tree = certificate.tree();
    assert_eq!(replayed(&position, certificate.attacker(), tree, tree.root().unwrap()), Some(length.0));
    Ok(())
}

#[test]
fn an_altered_certificate_with_a_correct_checksum_is_rejected_by_the_checker() {
    let (attacker, fen, length) = PROBLEMS[10];
    let good = certificate(fen, attacker, &prove(fen, attacker, length));
    assert_eq!(reseal(&good), good);
    let error_after = |from: &str, to: &str| {
        let bad = reseal(&good.replace(from, to));
        assert_ne!(bad, good, "{from} is not in the certificate");
        verify(bad.as_bytes()).unwrap_err()
    };
    assert_eq!(
        error_after("solved in 3", "solved in 2"),
        "the certificate claims mate in 2, but its proof is of mate in 3"
    );
    assert!(error_after("claim solved in 3", "claim solved in 2").starts_with("line 5 of the certificate must be"));
    assert!(error_after("stipulation #3", "stipulation #-3").starts_with("the proof is wrong: "));
    assert!(error_after("stipulation #3", "stipulation =3").starts_with("the proof is wrong: "));
    assert!(error_after("stipulation #3", "stipulation s#3").starts_with("the proof is wrong: "));
    assert!(error_after(" w - - 0 1", " b - - 0 1").contains("the proof is wrong: in the diagram"));
    assert!(error_after("5K1k", "5K2").contains("cannot be played"));
    assert!(error_after("5K1k", "5k1K").contains("the proof is wrong"));
    let lines: Vec<&str> = good.lines().collect();
    let (mut removed, mut named) = (0, 0);
    for (at, line) in lines.iter().enumerate().take(lines.len() - 1).skip(5) {
        let tokens: Vec<&str> = line.split(' ').collect();
        for (index, token) in tokens.iter().enumerate() {
            // A defence loses its answer: the whole token, or one of the defences that it stands for.
            let (answer, count) = token.split_once('*').unwrap_or((token, "1"));
            let fewer = match count.parse::<usize>().unwrap() {
                1 => Vec::new(),
                2 => vec![vec![answer.to_owned()]],
                count => vec![vec![format!("{answer}*{}", count - 1)]],
            };
            for kept in [vec![Vec::new()], fewer].concat() {
                let mut changed: Vec<String> = tokens.iter().map(|&token| token.to_owned()).collect();
                changed.splice(index..=index, kept);
                let shorter = changed.join(" ");
                let mut lines = lines.clone();
                lines[at] = &shorter;
                let error = verify(reseal(&(lines.join("\n") + "\n")).as_bytes()).unwrap_err();
                removed += 1;
                named += usize::from(error.contains("no answer to the defence"));
            }
        }
    }
    println!("{removed} tokens removed, {named} times the missing defence is named");
    assert!(removed >= 10 && named > 0, "{removed} {named}");
}

/// Generates texts that look like a line of a proof.
fn body_line() -> impl Strategy<Value = String> {
    let token = "[a-h][1-8][a-h][1-8][nbrq]?#?(\\*[0-9]{1,2})?";
    prop_oneof![
        "=?(& )?[a-h1-8nbrq#* ]{0,30}",
        proptest::collection::vec(token, 1..5).prop_map(|tokens| tokens.join(" ")),
        "(& )?[a-h][1-8][a-h][1-8]#?|#|=[1-9]",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn reading_arbitrary_bytes_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = verify(&bytes);
        let _ = verify(&[b"matesolve certificate 2\n", &bytes[..]].concat());
    }

    #[test]
    fn accepted_certificates_are_correct(
        fen in proptest::sample::select(vec![PROBLEMS[0].1, PROBLEMS[1].1, PROBLEMS[4].1, PROBLEMS[9].1, "8/8 w", "é"]),
        mate in 0..4_u32,
        lines in proptest::collection::vec(body_line(), 0..6),
    ) {
        let claim = format!("stipulation #{mate}\nclaim solved in {mate}\nproof solved in {mate}\n");
        let head = format!("matesolve certificate 2\nposition {fen}\n{claim}");
        let _ = verify(reseal(&(head + &lines.join("\n") + "\n")).as_bytes());
    }

    #[test]
    fn altered_certificates_are_accepted_only_if_correct(
        index in 0..PROBLEMS.len(),
        at in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        byte in 0_u8..128,
    ) {
        let (attacker, fen, length) = PROBLEMS[index];
        prop_assume!(length < 3);
        let good = certificate(fen, attacker, &prove(fen, attacker, length));
        let body = good.match_indices('\n').nth(4).map_or(0, |(i, _)| i + 1);
        let size = good.rfind("end ").unwrap_or_default() - body;
        let mut bad = good.clone().into_bytes();
        let (i, j) = (body + at.index(size), body + to.index(size));
        if byte % 4 == 0 { bad.swap(i, j) } else { bad[i] = byte }
        let _ = verify(reseal(&String::from_utf8(bad).unwrap()).as_bytes());
    }
}
