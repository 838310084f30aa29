//! Splits the text of a solution at the headings of phases: `a)`, `b) bRc7-->f8`, `+c) -bBc8`.
//!
//! A heading begins a line: a letter (after `+`, if the twin continues the one before) and `)`, `.)` or, after a small
//! letter, `:`. It counts only if it is the next letter of the alphabet. Text before `a)` belongs to no phase, text
//! before a first `b)` to a. Fewer than two phases are one part.

/// The part of a solution that belongs to one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseText<'a> {
    /// The letter of the phase; `None` if the text has no headings.
    pub letter: Option<char>,
    /// The byte of the whole text where the part starts, after the heading.
    pub start: usize,
    /// The text after the line of the heading. A solution on the same line belongs to it, too.
    pub text: &'a str,
}

/// Splits a solution at its headings. A text without headings is one part.
pub fn phase_texts(text: &str) -> Vec<PhaseText<'_>> {
    let mut found: Vec<(char, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let expected = found.last().map_or('a', |&(letter, ..)| (letter as u8 + 1) as char);
        if let Some((letter, width)) = heading(line)
            && (letter == expected || found.is_empty() && letter == 'b')
        {
            found.push((letter, at, at + width));
        }
        at += line.len();
    }
    if let Some(&('b', start, _)) = found.first() {
        // Some print the solution of the diagram without a heading.
        found.insert(0, ('a', 0, 0));
        debug_assert!(found[1].1 == start);
    }
    if found.len() < 2 {
        return vec![PhaseText { letter: None, start: 0, text }];
    }
    let ends = found.iter().skip(1).map(|&(_, line, _)| line).chain([text.len()]);
    let parts = found.iter().zip(ends);
    parts.map(|(&(letter, _, start), end)| PhaseText { letter: Some(letter), start, text: &text[start..end] }).collect()
}

/// Returns the letter of a heading, and the number of bytes to the solution: the whole line, or the words before the
/// first numbered move.
fn heading(line: &str) -> Option<(char, usize)> {
    let bare = line.trim_start_matches(|c: char| c.is_whitespace() || c == '"' || c == '+' || c == '(');
    let letter = bare.chars().next().filter(char::is_ascii_alphabetic)?;
    // "B:d4" is a move.
    let colon = bare[1..].strip_prefix(':').filter(|_| letter.is_ascii_lowercase());
    bare[1..].strip_prefix(')').or(colon).or_else(|| bare[1..].strip_prefix(".)"))?;
    let letter = letter.to_ascii_lowercase();
    let before = line.len() - bare.len();
    let moves = bare.find("1.").filter(|&at| bare[..at].ends_with(char::is_whitespace));
    Some((letter, before + moves.unwrap_or(bare.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_split_a_solution() {
        let text = "\"a)\n\n   1.Sg4 ! zugzwang.\n\n+b) wSc3--g3 -bBc8\n\n   1.0-0-0 !\nc) 1.Ra1! zz\"";
        let parts = phase_texts(text);
        let letters: Vec<_> = parts.iter().map(|part| (part.letter, part.text.trim())).collect();
        let expected = [(Some('a'), "1.Sg4 ! zugzwang."), (Some('b'), "1.0-0-0 !"), (Some('c'), "1.Ra1! zz\"")];
        assert_eq!(letters, expected);
        assert!(parts.iter().all(|part| text[part.start..].starts_with(part.text)));
    }

    #[test]
    fn the_halves_of_a_duplex_have_capital_letters() {
        let parts = phase_texts("A) #5 by White\n1.a3+ Kc4\n\nB) #5 by Black\n1.Bxd2+ Kb1");
        let letters: Vec<_> = parts.iter().map(|part| (part.letter, part.text.trim())).collect();
        assert_eq!(letters, [(Some('a'), "1.a3+ Kc4"), (Some('b'), "1.Bxd2+ Kb1")]);
        assert_eq!(phase_texts("1.Ka1!\nB:d4").len(), 1);
    }

    #[test]
    fn a_text_without_headings_is_one_part() {
        for text in ["1.Ra1! zz\n a) x", "", "1.a4 b5\nd) x"] {
            let parts = phase_texts(text);
            assert_eq!((parts.len(), parts[0].letter, parts[0].text), (1, None, text));
        }
        let parts = phase_texts("1.Ra1!\nb) Rb1\n1.Rc1!");
        assert_eq!(parts.iter().map(|part| part.text.trim()).collect::<Vec<_>>(), ["1.Ra1!", "1.Rc1!"]);
    }
}
