//! Compares the keywords that name themes with the themes of the report.

use crate::results::audit::ThemeKeywords;
use crate::results::report::{Report, Soundness};
use crate::themes;

/// Returns the comparison; `None` if the report has no themes, or if the problem is not sound.
pub(super) fn compare(keywords: &[String], report: &Report) -> Option<ThemeKeywords> {
    let found = report.themes.as_ref().filter(|_| report.verdict.soundness == Soundness::Sound)?;
    let mut compared = ThemeKeywords::default();
    let mut printed = Vec::new();
    for keyword in keywords {
        let Some(name) = themes::named(keyword) else { continue };
        printed.push(name);
        let list = if found.iter().any(|theme| theme.name == name) {
            &mut compared.confirmed
        } else {
            &mut compared.not_found
        };
        list.push(keyword.clone());
    }
    let others = found.iter().filter(|theme| theme.is_keyword() && !printed.contains(&theme.name));
    for name in others.map(|theme| theme.name) {
        if !compared.not_printed.iter().any(|other| other == name) {
            compared.not_printed.push(name.to_owned());
        }
    }
    Some(compared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::ReportOptions;
    use crate::{Problem, Solver};

    #[test]
    fn keywords_are_confirmed_not_found_or_not_printed() {
        // S. Loyd, 1879: a Novotny.
        let problem = Problem::read("8/7p/b1NNpk2/r7/7p/2n2B2/8/5QRK w - - dm 2;").unwrap();
        let report = |themes| {
            let options = ReportOptions::default().with(|options| options.themes = themes);
            Solver::new().report(&problem, options)
        };
        let keywords = ["Novotny", "grimshaw", "Mutate", "Letters"].map(str::to_owned);
        let compared = compare(&keywords, &report(true)).unwrap();
        assert_eq!(compared.confirmed, ["Novotny", "grimshaw"]);
        assert_eq!(compared.not_found, ["Mutate"]);
        assert!(compared.not_printed.contains(&"Fleck".to_owned()), "{compared:?}");
        // What two-movers are made of is no keyword that a collection leaves out.
        let found = report(true).themes.unwrap();
        assert!(found.iter().any(|theme| !theme.is_keyword()));
        assert!(
            found.iter().all(|theme| theme.is_keyword() || !compared.not_printed.iter().any(|it| it == theme.name))
        );
        assert_eq!(compare(&keywords, &report(false)), None);
    }
}
