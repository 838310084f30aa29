//! `matesolve help goals` and `help themes`: the tables of the manual, for a terminal.

use std::fmt::Write as _;

/// A topic, and what writes its page.
type Page = (&'static str, fn() -> String);

/// The pages, by their topics.
pub(crate) const PAGES: [Page; 2] = [("goals", goals), ("themes", themes)];

/// The widest line, in characters.
const WIDTH: usize = 100;

/// Lists the stipulations that are solved besides direct mates, from `docs/goals.md`.
fn goals() -> String {
    let mut text = "Stipulations, for -s and in files. n is a number of moves, 1 to 1000.\n\n".to_owned();
    let direct = [
        ("#n", "White mates with his n-th move or earlier, against every defence; # alone: the shortest mate"),
        ("#-n", "the same after the key: the side to move is mated"),
    ];
    for (stipulation, meaning) in direct {
        entry(&mut text, stipulation, meaning);
    }
    for line in include_str!("../../../docs/goals.md").lines() {
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        match &cells[..] {
            [_, stipulation, _, _, _] if !stipulation.contains(['#', '=', '~']) => {}
            [_, stipulation, who, what, _] => {
                let parts: Vec<&str> =
                    [who, what].into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
                entry(&mut text, stipulation, &parts.join("; "));
            }
            _ => {}
        }
    }
    text + "\ndocs/goals.md says more, with an example of each.\n"
}

/// Lists the themes that reports name, each with what it means, from `docs/themes.md`.
fn themes() -> String {
    let mut text = "Themes, for `matesolve report --themes`.\n\n".to_owned();
    let page = include_str!("../../../docs/themes.md");
    for section in page.split("\n### ").skip(1) {
        let (name, rest) = section.split_once('\n').unwrap_or((section, ""));
        let meaning = rest.trim_start().split("\n\n").next().unwrap_or_default();
        entry(&mut text, name, &meaning.split_whitespace().collect::<Vec<_>>().join(" ").replace(['*', '`'], ""));
    }
    text + "\ndocs/themes.md has the rule of each, and a problem that shows it.\n"
}

/// Writes a word and its meaning, wrapped and indented.
fn entry(text: &mut String, word: &str, meaning: &str) {
    let _ = write!(text, "  {word}\n     ");
    let mut column = 5;
    for part in meaning.split_whitespace() {
        let width = part.chars().count() + 1;
        if column + width > WIDTH {
            text.push_str("\n     ");
            column = 5;
        }
        let _ = write!(text, " {part}");
        column += width;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;

    #[test]
    fn every_stipulation_of_the_list_is_read_and_every_line_fits() {
        let page = goals();
        let words = page.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        let words: Vec<&str> = words.flat_map(|line| line.trim().split(", ")).collect();
        assert!(words.len() > 15, "{page}");
        for word in words {
            assert!(Stipulation::parse_stated(&word.replace('n', "2")).is_ok(), "{word}");
        }
        for page in [page, themes()] {
            assert!(page.lines().all(|line| line.chars().count() <= WIDTH), "{page}");
        }
        assert!(themes().contains("  Grimshaw\n      "), "{}", themes());
    }
}
