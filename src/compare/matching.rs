//! Finds the lines of two runs that answer the same problem.
//!
//! Lines with the same name belong together if the name stands once in each run and the positions do not differ. Of the
//! others, lines with the same position belong together, the first with the first, the second with the second.

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
    /// The number of names that stand for different positions.
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
        if differs(record.position_key, runs[1][other].position_key) {
            matching.other_position += 1;
            continue;
        }
        partners[index] = Some(other);
        is_taken[other] = true;
        matching.by_id += 1;
    }
    let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (index, record) in runs[1].iter().enumerate().filter(|(index, _)| !is_taken[*index]) {
        if let Some(position) = record.position_key {
            waiting.entry(position).or_default().push_back(index);
        }
    }
    for (record, partner) in runs[0].iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
        let same = record.position_key.and_then(|position| waiting.get_mut(&position));
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

fn differs(a: Option<u64>, b: Option<u64>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_name_of_two_positions_does_not_match_them() {
        let a = run(&[(Some(1), Some(70)), (Some(3), Some(8))]);
        let b = run(&[(Some(1), Some(71)), (Some(4), Some(70))]);
        let matching = pairs([&a, &b]);
        assert_eq!((matching.pairs, matching.other_position), (vec![(0, 1)], 1));
        assert_eq!(matching.only, [vec![1], vec![0]]);
    }
}
