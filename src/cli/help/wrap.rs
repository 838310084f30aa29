//! Breaks the lines of help texts at spaces, to fit the terminal or, if it is wider, 100 columns. A longer word stays
//! whole.

use std::fmt::Write as _;

use console::Term;

/// Returns the columns of a help text: those of the terminal, at most 100; 80 if standard output is none.
pub(crate) fn columns() -> usize {
    usize::from(Term::stdout().size().1).clamp(20, 100)
}

/// Returns a text whose lines have at most this number of columns. In a list, whose lines have two blanks before the
/// meaning of a word, a meaning goes on below its beginning.
pub(crate) fn wrapped(text: &str, columns: usize) -> String {
    let fit = |line: &str| {
        if line.chars().count() <= columns {
            return line.to_owned();
        }
        let indent = line.len() - line.trim_start().len();
        let gap = line[indent..].find("  ").map(|at| line.len() - line[indent + at..].trim_start().len());
        let start = gap.filter(|&start| start * 2 <= columns).unwrap_or(indent);
        filled(&line[..start], line[start..].split_whitespace(), start, columns, "")
    };
    text.lines().map(fit).collect::<Vec<_>>().join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

/// Returns a line of a script, indented by four blanks. If it is too long, a backslash says that it goes on.
pub(crate) fn script(line: &str, columns: usize) -> String {
    // Blanks in quotes do not divide words.
    let mut quote = None;
    let words = line.split(|c| {
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
        c == ' ' && quote.is_none()
    });
    filled("    ", words, 8, columns, " \\")
}

/// Writes words behind a beginning, and on further lines, which are indented. `mark` ends every line but the last.
fn filled<'a>(begin: &str, words: impl Iterator<Item = &'a str>, indent: usize, columns: usize, mark: &str) -> String {
    let (mut text, mut column, mut is_first) = (begin.to_owned(), begin.chars().count(), true);
    for word in words {
        let width = word.chars().count();
        if !is_first && column + 1 + width + mark.len() > columns {
            let _ = write!(text, "{mark}\n{:indent$}", "");
            column = indent;
        } else if !is_first {
            text.push(' ');
            column += 1;
        }
        text += word;
        (column, is_first) = (column + width, false);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_below_their_beginning() {
        assert_eq!(wrapped("one two three\n\n  a  b c d e\n", 10), "one two\nthree\n\n  a  b c d\n     e\n");
        assert_eq!(wrapped("  130  interrupted by\n", 14), "  130  interrupted\n       by\n");
        assert_eq!(script("matesolve \"7k w -\" -s '#2' -q", 24), "    matesolve \"7k w -\" \\\n        -s '#2' -q");
    }
}
