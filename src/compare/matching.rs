//! Finds the lines of two runs that answer the same problem.
//!
//! Lines with the same name belong together if the name stands once in each run and neither the positions nor the kinds
//! of the question differ ([`Record::kind`]). Of the others, lines with the same position and kind belong together, the
//! first with the first, the second with the second; a line without a question asks for a direct mate.

use std::collections::{HashMap, VecDeque};

use super::record::Record;

/// The pairs of two runs, and the lines without a partner. All lists are in the order of the lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Matching {
    /// The indices of lines that answer the same problem.
    pub pairs: Vec<(usize, usize)>,
    /// The number of pairs found by their names.
    pub by_id: usize,
    /// The indices of the lines that only the first or only the second run has.
    pub only: [Vec<usize>; 2],
    /// The number of names that stand for different positions or kinds of questions.
    pub other_position: usize,
}

/// Finds the pairs of two runs.
pub(crate) fn pairs(runs: [&[Record]; 2]) -> Matching {
    let mut matching = Matching::default();
    let names = runs.map(unique_names);
    let mut partners: Vec<Option<usize>> = vec![None; runs[0].len()];
    let mut is_taken = vec![false; runs[1].len()];
    for (index, record) in runs[0].iter().enumerate() {
        let Some(name) = record.id_key.filter(|name| names[0].get(name) == Some(&Some(index))) else { continue };
        let Some(&Some(other)) = names[1].get(&name) else { continue };
        let partner = &runs[1][other];
        if differs(record.position_key, partner.position_key) || differs(record.kind(), partner.kind()) {
            matching.other_position += 1;
            continue;
        }
        partners[index] = Some(other);
        is_taken[other] = true;
        matching.by_id += 1;
    }
    let problem = |record: &Record| record.position_key.map(|position| (position, record.kind().unwrap_or_default()));
    let mut waiting: HashMap<_, VecDeque<usize>> = HashMap::new();
    for (index, record) in runs[1].iter().enumerate().filter(|(index, _)| !is_taken[*index]) {
        if let Some(problem) = problem(record) {
            waiting.entry(problem).or_default().push_back(index);
        }
    }
    for (record, partner) in runs[0].iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
        let same = problem(record).and_then(|problem| waiting.get_mut(&problem));
        *partner = same.and_then(VecDeque::pop_front);
        if let Some(other) = *partner {
            is_taken[other] = true;
        }
    }
    for (index, partner) in partners.into_iter().enumerate() {
        match partner {
            Some(other) => matching.pairs.push((index, other)),
            None => matching.only[0].push(index),
        }
    }
    matching.only[1] = (0..runs[1].len()).filter(|&index| !is_taken[index]).collect();
    matching
}

/// Returns the index of each name; `None` if it stands more than once.
fn unique_names(run: &[Record]) -> HashMap<u64, Option<usize>> {
    let mut names = HashMap::new();
    for (index, record) in run.iter().enumerate() {
        if let Some(name) = record.id_key {
            names.entry(name).and_modify(|it| *it = None).or_insert(Some(index));
        }
    }
    names
}

fn differs<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;

    fn run(lines: &[(Option<u64>, Option<u64>)]) -> Vec<Record> {
        lines.iter().map(|&(id_key, position_key)| Record { id_key, position_key, ..Record::default() }).collect()
    }

    #[test]
    fn unique_names_come_before_positions() {
        let a =
            run(&[(Some(1), Some(70)), (Some(2), Some(71)), (Some(2), Some(72)), (None, Some(72)), (Some(5), None)]);
        let b = run(&[(None, Some(72)), (Some(1), Some(70)), (Some(2), Some(71)), (Some(5), Some(9)), (None, None)]);
        let matching = pairs([&a, &b]);
        assert_eq!(matching.pairs, [(0, 1), (1, 2), (2, 0), (4, 3)]);
        assert_eq!((matching.by_id, matching.only), (2, [vec![3], vec![4]]));
    }

    #[test]
    fn another_goal_is_another_problem() {
        let run = |lines: &[(u64, Option<&str>)]| -> Vec<Record> {
            let asked = |text: &str| Stipulation::parse_stated(text).unwrap();
            let record = |&(key, text): &(u64, Option<&str>)| Record {
                id_key: (key < 10).then_some(key),
                position_key: (key >= 10).then_some(key),
                asked: text.map(asked),
                ..Record::default()
            };
            lines.iter().map(record).collect()
        };
        let a = run(&[(70, Some("#3")), (70, Some("s#3")), (71, Some("h#2")), (72, None), (1, Some("r#2"))]);
        let b = run(&[(70, Some("s#4")), (70, Some("#-3")), (71, Some("h#3")), (72, Some("#")), (1, None)]);
        assert_eq!(pairs([&a, &b]).pairs, [(0, 1), (1, 0), (3, 3), (4, 4)]);
        let (a, b) = (run(&[(1, Some("r#2"))]), run(&[(1, Some("s#2"))]));
        assert_eq!(pairs([&a, &b]).other_position, 1);
    }

    #[test]
    fn a_name_of_two_positions_does_not_match_them() {
        let a = run(&[(Some(1), Some(70)), (Some(3), Some(8))]);
        let b = run(&[(Some(1), Some(71)), (Some(4), Some(70))]);
        let matching = pairs([&a, &b]);
        assert_eq!((matching.pairs, matching.other_position), (vec![(0, 1)], 1));
        assert_eq!(matching.only, [vec![1], vec![0]]);
    }
}
