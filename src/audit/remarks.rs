//! Compares the keywords of a collection with the truth: those about soundness with the verdict, and those that name
//! themes with the themes of the report.

use crate::published::{Claim, Published, keyword_for};
use crate::results::audit::{Audit, AuditVerdict, FindingKind, PhaseAudit, ThemeKeywords};
use crate::results::report::{Report, Soundness};
use crate::themes;

use super::phase::finding;

/// Words by which the text of a solution says that the problem is not sound.
const ADMISSIONS: [&str; 8] =
    ["cook", "unsound", "no solution", "short mate", "short solution", "incorrect", "nebenlös", "unlösbar"];

/// Returns whether the collection, or the text of the solution, says itself that the problem is not sound.
pub(super) fn is_marked(published: &Published) -> bool {
    published.is_marked() || published.problem.solution.as_deref().is_some_and(admits_fault)
}

fn admits_fault(text: &str) -> bool {
    let text = text.to_lowercase();
    ADMISSIONS.iter().any(|word| text.contains(word))
}

/// Returns the keyword that says that the problem is not on an orthodox board.
pub(super) fn other_board(published: &Published) -> Option<&str> {
    let is_other = |keyword: &&String| ["fairy", "cylind"].iter().any(|word| keyword.to_lowercase().contains(word));
    published.keywords.iter().find(is_other).map(String::as_str)
}

/// Returns whether the collection says that the rights in the diagram depend on the history of the game.
pub(super) fn is_retro(published: &Published) -> bool {
    let is_retro = |keyword: &String| {
        let keyword = keyword.to_lowercase();
        keyword.contains("retro") || ["cantcastler", "pra", "a posteriori"].contains(&keyword.as_str())
    };
    published.keywords.iter().any(is_retro)
}

/// Returns whether the collection or the text speaks of duals.
pub(super) fn mentions_duals(published: &Published) -> bool {
    let is_dual = |text: &str| text.to_lowercase().replace("dual avoidance", "").contains("dual");
    published.keywords.iter().any(|keyword| is_dual(keyword))
        || published.problem.solution.as_deref().is_some_and(is_dual)
}

/// Adds the keywords that are wrong, and one that is missing, to an audit.
pub(super) fn compare(audit: &mut Audit, published: &Published) {
    let truths: Vec<Soundness> = audit.phases.iter().map(truth).collect();
    let is_whole = !audit.phases.iter().any(|phase| phase.findings.iter().any(|it| it.kind == FindingKind::Unsolved));
    let claims = published.keywords.iter().filter_map(|keyword| Some((keyword, Claim::of(keyword)?)));
    let is_wrong = |claim: Claim| is_whole && !truths.is_empty() && truths.iter().all(|&truth| claim.is_wrong(truth));
    let (wrong, right): (Vec<_>, Vec<_>) = claims.partition(|(_, claim)| is_wrong(*claim));
    audit.wrong_keywords = wrong.into_iter().map(|(keyword, _)| keyword.clone()).collect();
    let is_said = right.iter().any(|(_, claim)| *claim != Claim::Doubtful);
    let mut unsound = audit.phases.iter().filter(|phase| phase.verdict.disagrees()).map(truth);
    let missing = unsound.find_map(keyword_for).filter(|_| !is_said);
    audit.missing_keywords = missing.map(str::to_owned).into_iter().collect();
    let Some(first) = audit.phases.first_mut() else { return };
    for (kind, keywords, what) in [
        (FindingKind::WrongKeyword, &audit.wrong_keywords, "wrong"),
        (FindingKind::MissingKeyword, &audit.missing_keywords, "missing"),
    ] {
        let text = |keyword: &String| finding(kind, format!("the keyword \"{keyword}\" is {what}"), Vec::new());
        first.findings.extend(keywords.iter().map(text));
    }
}

/// Returns whether a phase is sound, as far as keywords can be judged by it. If the rights are in doubt, or the
/// publication gives several keys, it is left open.
fn truth(phase: &PhaseAudit) -> Soundness {
    let is_open = phase.verdict == AuditVerdict::OtherRights
        || phase.findings.iter().any(|finding| finding.kind == FindingKind::SeveralKeys);
    phase.soundness.filter(|_| !is_open).unwrap_or(Soundness::Undecided)
}

/// Returns the comparison; `None` if the report has no themes, or if the problem is not sound.
pub(super) fn compare_themes(keywords: &[String], report: &Report) -> Option<ThemeKeywords> {
    let found = report.themes.as_ref().filter(|_| report.verdict.soundness == Soundness::Sound)?;
    let mut compared = ThemeKeywords::default();
    let mut printed = Vec::new();
    for keyword in keywords {
        let Some(name) = themes::named(keyword) else { continue };
        printed.push(name);
        let is_found = found.iter().any(|theme| theme.name == name);
        let list = if is_found { &mut compared.confirmed } else { &mut compared.not_found };
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
    fn admissions_are_found_in_comments_too() {
        assert!(admits_fault("1.Bc4-f1 ! {(Cook)} threat:") && admits_fault("Nebenlösung: 1.Da1"));
        assert!(!admits_fault("1.Bc4-f1 ! threat:"));
    }

    #[test]
    fn keywords_are_confirmed_not_found_or_not_printed() {
        // S. Loyd, 1879: a Novotny.
        let problem = Problem::read("8/7p/b1NNpk2/r7/7p/2n2B2/8/5QRK w - - dm 2;").unwrap();
        let report = |themes| {
            let options = ReportOptions::default().with(|options| options.themes = themes);
            Solver::new().report(&problem, options)
        };
        let keywords = ["Novotny", "grimshaw", "Mutate", "Letters"].map(str::to_owned);
        let compared = compare_themes(&keywords, &report(true)).unwrap();
        assert_eq!(compared.confirmed, ["Novotny", "grimshaw"]);
        assert_eq!(compared.not_found, ["Mutate"]);
        assert!(compared.not_printed.contains(&"Fleck".to_owned()), "{compared:?}");
        // What two-movers are made of is no keyword that a collection leaves out.
        let found = report(true).themes.unwrap();
        assert!(found.iter().any(|theme| !theme.is_keyword()));
        assert!(
            found.iter().all(|theme| theme.is_keyword() || !compared.not_printed.iter().any(|it| it == theme.name))
        );
        assert_eq!(compare_themes(&keywords, &report(false)), None);
    }
}
