//! The lines of a certificate after its header, packed into about half of the size of their text.
//!
//! Each part `defence:answer-k` takes two bytes for the defence, two for the answer, and one to five for the distance
//! `k`. Lines can be read in both directions.

use crate::chess::MoveCode;

/// The lines of a proof, the last one being the diagram.
#[derive(Debug, Default)]
pub(super) struct Body {
    bytes: Vec<u8>,
    /// By line: the number of its bytes.
    sizes: Vec<u32>,
    /// Whether the last line is the attacker's first move alone. It is one part, whose defence has no meaning.
    pub begins_with_attack: bool,
}

/// A defence with the attacker's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub defence: MoveCode,
    pub answer: MoveCode,
    /// The number of lines to go up to the position after the answer; 0 if the answer is checkmate.
    pub distance: u32,
}

/// A line of the proof.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// Its index, from 0.
    pub index: usize,
    bytes: &'a [u8],
    /// The place of the next line.
    end: usize,
}

impl Body {
    /// Returns the number of lines.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Adds a line. Without parts, it is the checkmate on the board.
    pub(super) fn push(&mut self, parts: &[Part]) {
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend(MoveCode::pack(Some(part.defence)).to_le_bytes());
            self.bytes.extend(MoveCode::pack(Some(part.answer)).to_le_bytes());
            let mut rest = part.distance;
            while rest >= 0x80 {
                self.bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            self.bytes.push(rest as u8);
        }
        self.sizes.push((self.bytes.len() - start) as u32);
    }

    /// Returns the lines from the first to the last.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.lines_from(0, 0)
    }

    /// Returns a line and those after it.
    pub(super) fn lines_after<'a>(&'a self, first: Line<'a>) -> impl Iterator<Item = Line<'a>> {
        std::iter::once(first).chain(self.lines_from(first.index + 1, first.end))
    }

    fn lines_from(&self, index: usize, start: usize) -> impl Iterator<Item = Line<'_>> {
        let mut end = start;
        (index..self.len()).map(move |index| {
            let start = end;
            end += self.sizes[index] as usize;
            Line { index, bytes: &self.bytes[start..end], end }
        })
    }

    /// Returns the lines from the last to the first.
    pub(super) fn lines_upwards(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = self.bytes.len();
        (0..self.len()).rev().map(move |index| {
            let end = start;
            start -= self.sizes[index] as usize;
            Line { index, bytes: &self.bytes[start..end], end }
        })
    }
}

impl<'a> Line<'a> {
    /// Returns the parts of the line.
    pub(super) fn parts(self) -> impl Iterator<Item = Part> + Clone + use<'a> {
        let mut rest = self.bytes;
        std::iter::from_fn(move || {
            let (codes, distance) = rest.split_first_chunk::<4>()?;
            let code = |low, high| MoveCode::unpack(u16::from_le_bytes([low, high]));
            let [a, b, c, d] = *codes;
            let mut part = Part { defence: code(a, b)?, answer: code(c, d)?, distance: 0 };
            let size = distance.iter().position(|byte| byte & 0x80 == 0)? + 1;
            let (distance, next) = distance.split_at(size);
            part.distance = distance.iter().rev().fold(0, |sum, byte| sum << 7 | u32::from(byte & 0x7f));
            rest = next;
            Some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_the_same_in_both_directions(
            lines in prop::collection::vec(prop::collection::vec((1_u16.., 1_u16.., any::<u32>()), 0..5), 0..9)
        ) {
            let part = |&(defence, answer, distance): &(u16, u16, u32)| {
                let code = |bits| MoveCode::unpack(bits).unwrap();
                Part { defence: code(defence), answer: code(answer), distance }
            };
            let lines: Vec<Vec<Part>> = lines.iter().map(|line| line.iter().map(part).collect()).collect();
            let mut body = Body::default();
            for line in &lines {
                body.push(line);
            }
            let read = |line: Line<'_>| line.parts().collect::<Vec<_>>();
            prop_assert_eq!(&body.lines().map(read).collect::<Vec<_>>(), &lines);
            let upwards: Vec<Line<'_>> = body.lines_upwards().collect();
            prop_assert_eq!(upwards.iter().rev().map(|&line| read(line)).collect::<Vec<_>>(), lines.clone());
            for line in upwards {
                let after: Vec<_> = body.lines_after(line).map(read).collect();
                prop_assert_eq!(&after, &lines[line.index..]);
            }
        }
    }
}
