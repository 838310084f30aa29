//! The board in text: printed with `--board`, and beside the warnings about a position, because it shows an error in a
//! FEN at once.

use std::io::{IsTerminal, stderr};

use crate::output::board;
use crate::output::svg::Caption;
use crate::problem::Problem;

use crate::cli::terminal::messages::{print_lines, print_warnings};

/// Returns whether this output can show figurines: a terminal whose locale has UTF-8.
pub(crate) fn shows_figurines(output: &impl IsTerminal) -> bool {
    output.is_terminal() && is_utf8(|name| std::env::var(name).ok())
}

/// Returns whether the locale, which these variables of the environment name, has UTF-8.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|name| !name.is_empty());
    locale.is_some_and(|name| name.to_ascii_lowercase().replace('-', "").ends_with("utf8"))
}

/// Prints the warnings about a problem to standard error, unless `quiet`, and its board as [`print_board`] does.
pub(crate) fn print_warnings_and_board(problem: &Problem, quiet: bool, is_asked: bool) {
    print_warnings(&problem.every_warning(), quiet);
    print_board(problem, quiet, is_asked);
}

/// Prints the board of a problem to standard error, if it is asked for or if there are warnings that are printed.
pub(crate) fn print_board(problem: &Problem, quiet: bool, is_asked: bool) {
    if is_asked || !(quiet || problem.every_warning().is_empty()) {
        print_lines(&board::diagram(problem, &Caption::default(), shows_figurines(&stderr())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        let of = |set: &[(&str, &str)]| {
            is_utf8(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(of(&[("LANG", "de_DE.UTF-8")]) && of(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!of(&[]) && !of(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
    }
}
