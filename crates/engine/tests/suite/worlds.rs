//! Helpmates and help stalemates against whole worlds: all positions with at most four men.
//!
//! Every line of exactly a given number of half-moves is a solution, and a short mate does not make a longer one. So
//! the shortest length is found as it is defined: every length is asked, from the shortest on, until one has a
//! solution.

use matesolve_engine::chess::{End, Play};
use matesolve_testkit::four_fields;
use matesolve_testkit::helped::Question;
use matesolve_testkit::random::Random;
use matesolve_testkit::world::World;
use matesolve_testkit::world::distances::{Counts, Distances};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError, Square};

/// The positions of a world that are compared, for each set of men and each goal.
struct Sample {
    /// The longest distance of most positions, in half-moves.
    longest: u8,
    /// The positions within it, each asked for its shortest length. All, if there are fewer.
    lengths: usize,
    /// The positions beyond it or without any mate or stalemate, which have no solution within it.
    none: usize,
    /// The positions at each distance beyond it, as far as `very_longest`.
    far: usize,
    very_longest: u8,
    /// The positions within it whose solutions are counted.
    counts: usize,
}

/// The numbers of comparisons.
#[derive(Debug, Default)]
struct Sums {
    lengths: usize,
    none: usize,
    far: usize,
    counts: usize,
    /// Counts of solutions two half-moves longer than the shortest.
    longer_counts: usize,
    differences: usize,
}

impl Sums {
    /// Notes a comparison, and prints a difference.
    fn compare<T: Copy + PartialEq + std::fmt::Debug>(&mut self, found: T, expected: T, asked: &str, chess: &Chess) {
        if found != expected {
            println!("{asked}: {found:?} instead of {expected:?}: {}", four_fields(chess));
            self.differences += 1;
        }
    }
}

fn question(end: End, length: u8) -> Question {
    Question::new(Play::Help, end, length.into())
}

/// Returns the position after a random choice of two reflections: of the files, and of the ranks with the colours.
fn reflected(chess: &Chess, random: &mut Random) -> Chess {
    let mut setup = chess.to_setup(EnPassantMode::Legal);
    if random.one_in(2) {
        setup.board.flip_horizontal();
        setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    }
    if random.one_in(2) {
        setup.mirror();
    }
    let chess = setup.position(CastlingMode::Standard);
    chess.or_else(PositionError::ignore_impossible_check).expect("a position")
}

/// Returns the shortest length with a solution, at most `longest`. Black is to be mated, so that he begins with an even
/// number of half-moves.
fn shortest(chess: &Chess, end: End, is_even: bool, longest: u8) -> Option<u8> {
    let mut lengths = (if is_even { 2 } else { 1 }..=longest).step_by(2);
    lengths.find(|&length| question(end, length).count(chess, 1) > 0)
}

/// A set of men of a world, with a goal.
struct Compared<'a> {
    distances: &'a Distances<'a>,
    end: End,
    set: usize,
    random: Random,
    sums: &'a mut Sums,
}

impl Compared<'_> {
    /// Compares the shortest length of a position with its distance. A longer one than `longest` is not found.
    fn length(&mut self, original: &Chess, longest: u8) {
        let distance = self.distances.of(original);
        let chess = reflected(original, &mut self.random);
        let found = shortest(&chess, self.end, original.turn().is_black(), longest);
        let asked = format!("the shortest {:?} within {longest} half-moves", self.end);
        self.sums.compare(found, distance.filter(|&distance| distance <= longest), &asked, &chess);
    }

    /// Compares the number of solutions of this length, if there are at most 10,000.
    fn count(&mut self, original: &Chess, length: u8) -> bool {
        const MOST: usize = 10_000;
        let expected = self.distances.lines(original, length, &mut Counts::new()) as usize;
        if expected > MOST {
            return false;
        }
        let chess = reflected(original, &mut self.random);
        let found = question(self.end, length).count(&chess, MOST + 1);
        self.sums.compare(
            found,
            expected,
            &format!("solutions of {}", question(self.end, length).stipulation()),
            &chess,
        );
        true
    }

    /// Compares the sample of the set.
    fn sample(&mut self, sample: &Sample) {
        let is_near = |distance: Option<u8>| distance.is_some_and(|distance| (1..=sample.longest).contains(&distance));
        let is_far = |distance: Option<u8>| distance.is_none_or(|distance| distance > sample.longest);
        for chess in self.distances.draw(self.set, sample.lengths, &mut self.random, is_near) {
            self.length(&chess, sample.longest);
            self.sums.lengths += 1;
        }
        for chess in self.distances.draw(self.set, sample.none, &mut self.random, is_far) {
            self.length(&chess, sample.longest);
            self.sums.none += 1;
        }
        for distance in sample.longest + 1..=sample.very_longest {
            for chess in self.distances.draw(self.set, sample.far, &mut self.random, |it| it == Some(distance)) {
                self.length(&chess, distance);
                self.sums.far += 1;
            }
        }
        for chess in self.distances.draw(self.set, sample.counts, &mut self.random, is_near) {
            let length = self.distances.of(&chess).expect("a distance");
            if self.count(&chess, length) {
                self.sums.counts += 1;
                self.sums.longer_counts += usize::from(self.count(&chess, length + 2));
            }
        }
    }
}

/// Compares a sample of a world. Every `step`th distance is compared with the moves of shakmaty first.
fn compare(names: &[&str], step: usize, [mates, stalemates]: [&Sample; 2]) -> Sums {
    let world = World::new(names);
    println!("{} sets of men, {} positions", world.names().len(), world.positions());
    let mut sums = Sums::default();
    for (end, sample) in [(End::Mate, mates), (End::Stalemate, stalemates)] {
        let distances = world.distances(end);
        println!("{end:?}: {} distances are those of shakmaty", distances.check(end, step));
        let (mut near, mut far) = (0, 0);
        for (set, name) in world.names().iter().enumerate() {
            let counts = distances.histogram(set);
            println!("{name}: {counts:?}");
            let longest = usize::from(sample.longest);
            let with = counts.iter().enumerate().take(counts.len() - 1).skip(1);
            near += with.clone().filter(|&(distance, _)| distance <= longest).map(|(_, count)| count).sum::<usize>();
            far += with.filter(|&(distance, _)| distance > longest).map(|(_, count)| count).sum::<usize>();
            let random = Random(0x776f_726c ^ (set as u64) << 32 ^ u64::from(end == End::Mate) << 48);
            Compared { distances: &distances, end, set, random, sums: &mut sums }.sample(sample);
        }
        println!("{end:?}: {near} positions are within {} half-moves, {far} beyond", sample.longest);
    }
    println!("{sums:?}");
    assert_eq!(sums.differences, 0);
    sums
}

#[test]
fn distances_of_three_men_are_found() {
    let sample = Sample { longest: 5, lengths: 60, none: 10, far: 2, very_longest: 8, counts: 10 };
    let sums = compare(&["KPk"], 8, [&sample, &sample]);
    assert!(sums.lengths >= 300 && sums.none >= 80 && sums.far >= 10, "{sums:?}");
    assert!(sums.counts >= 50 && sums.longer_counts >= 20, "{sums:?}");
}

/// Mates and stalemates of Black by White are compared, with colours exchanged half of the time. So the sets of four
/// men are all that there are, each with its colours exchanged too: 55.
///
/// Of the positions with a helpmate, 48 % have it within 8 half-moves. Of those with a help stalemate, 33 % have it
/// within 6; the search takes long for longer ones with a rook. Beyond that, some positions of each distance are drawn.
#[test]
#[ignore = "half an hour and 1.5 GB: cargo test --release --test suite worlds:: -- --ignored --nocapture"]
fn distances_of_four_men_are_found() {
    let three = Sample { longest: 10, lengths: 2000, none: 500, far: 10, very_longest: 13, counts: 500 };
    compare(&["KPk", "Kkp"], 1, [&three, &three]);
    let mates = Sample { longest: 8, lengths: 12_000, none: 1000, far: 10, very_longest: 11, counts: 300 };
    let stalemates = Sample { longest: 6, very_longest: 9, ..mates };
    let sums = compare(&["KPkp", "KPPk", "Kkpp"], 16, [&mates, &stalemates]);
    assert!(sums.lengths >= 1_000_000 && sums.counts >= 20_000, "{sums:?}");
}
