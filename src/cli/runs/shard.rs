//! `--shard K/N`: a fixed share of the problems of an input, for several machines.

use std::fmt;
use std::str::FromStr;

/// The K-th of N shares: every N-th problem of the input, beginning with the K-th. It depends on the input alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// From 1 to `of`.
    number: usize,
    of: usize,
}

impl Shard {
    /// Returns whether the share has the problem with this index, from 0.
    pub(crate) fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("write K/N, such as 1/4 to 4/4 for four shares".to_owned()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_in_one_share() {
        let shares: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for index in 0..10 {
            assert_eq!(shares.iter().filter(|share| share.has(index)).count(), 1);
        }
        assert!(shares[0].has(0) && shares[2].has(5) && shares[1].to_string() == "2/3");
        for text in ["0/3", "4/3", "3", "a/b", "1/0", "-1/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
