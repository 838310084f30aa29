//! All lines of play of a solution in Popeye's layout, to compare whole trees.

use std::collections::BTreeSet;

use super::words::{numbered, without_comments};

/// Returns the lines of play after the keys of a solution in Popeye's layout, at all depths: each move with all moves
/// before it, as printed. A missing move of the defender is written as "threat".
pub fn paths(text: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let mut path: Vec<String> = Vec::new();
    let mut key = false;
    for line in without_comments(text).lines() {
        let mut words = line.trim_matches(|c: char| c == '"' || c.is_whitespace()).split_whitespace();
        let Some((number, defence, rest)) = words.next().and_then(numbered) else { continue };
        let ply = 2 * (number as usize).saturating_sub(1) + usize::from(defence);
        if ply > DEEPEST {
            continue;
        }
        if ply == 0 {
            key = line.contains('!') && !line.contains('?');
        } else if ply == 1 && path.is_empty() {
            key = false;
        }
        path.truncate(ply);
        path.resize(ply, "threat".to_owned());
        path.push(rest.trim_end_matches(['!', '?', '#', '+']).to_owned());
        if key && !(ply == 1 && line.trim_end().ends_with('!')) {
            paths.insert(path.join(" "));
        }
    }
    paths
}

/// The deepest half-move that is read. A number beyond it is no number of a move.
const DEEPEST: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_to_any_depth() {
        let text = "      1...g7*h6\n          2.g6-g7 #\n\n   1.Rh1-g1 ? threat:\n          2.g6*h7\n\n   1.Rh1-h6 ! \
                    threat:\n          2.Rh6*h7 + {so}\n              2...Kh8*h7\n                  3.g6 #\n      \
                    1...g7*h6\n  99999999.x\n";
        let expected = [
            "Rh1-h6",
            "Rh1-h6 g7*h6",
            "Rh1-h6 threat Rh6*h7",
            "Rh1-h6 threat Rh6*h7 Kh8*h7",
            "Rh1-h6 threat Rh6*h7 Kh8*h7 g6",
        ];
        assert_eq!(paths(text).iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }
}
