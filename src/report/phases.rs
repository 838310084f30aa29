//! Reports on problems with twins and on duplexes: one report for each phase, and the worst verdict for the whole.
//!
//! From bad to good: an internal failure; no solution; a short solution; a cook; a phase that cannot be solved here; an
//! undecided phase; sound phases. The limits are for the whole problem: each phase gets an equal share of the time and
//! nodes that are left. The plays of all phases share the memory; a phase for which none is left has keys and no play.

use crate::base::clock::Instant;
use crate::problem::Problem;
use crate::problem::twins::PhaseName;
use crate::results::report::{Report, Soundness};
use crate::results::solution::Status;

use super::{ReportRequest, invalid, plays};

/// Makes the report on a problem with several phases. `single` makes the report on one.
pub(super) fn report_phases(
    problem: &Problem,
    request: &ReportRequest,
    single: impl Fn(&Problem, &ReportRequest, usize) -> Report,
) -> Report {
    let start = Instant::now();
    let mut nodes = 0;
    // The report on the whole repeats the plays of the worst phase.
    let mut memory = request.limits.hash / 2;
    let mut reports = Vec::with_capacity(problem.phases.len());
    for (index, phase) in problem.phases.iter().enumerate() {
        let left = u32::try_from(problem.phases.len() - index).unwrap_or(u32::MAX);
        let mut request = request.clone();
        request.limits.time = request.limits.time.map(|time| time.saturating_sub(start.elapsed()) / left);
        request.limits.nodes = request.limits.nodes.map(|limit| limit.saturating_sub(nodes) / u64::from(left));
        let mut report = match &phase.problem {
            Ok(problem) => single(problem, &request, memory),
            Err(why) => invalid(why, request.options),
        };
        nodes += report.stats.nodes;
        memory = memory.saturating_sub(plays::bytes_of(&report));
        report.id.clone_from(&problem.id);
        report.phase = Some(phase.name.clone());
        reports.push(report);
    }
    let twin_diagram = problem.phases.first().map(|phase| phase.diagram.clone());
    Report { twin_diagram, ..whole(reports) }
}

/// Returns the report on the whole: that of the phase that decides the verdict, with all phases.
fn whole(phases: Vec<Report>) -> Report {
    // The first of several phases that are equally bad.
    let worst = phases.iter().rev().max_by_key(|report| badness(report)).cloned();
    let Some(mut whole) = worst else { return super::blank(super::ReportOptions::default()) };
    if let (Some(error), Some(name)) = (&mut whole.error, &whole.phase) {
        *error = format!("phase {}: {error}", name.short());
    }
    whole.warnings.clear();
    for phase in &phases {
        let name = phase.phase.as_ref().map_or_else(String::new, PhaseName::short);
        whole.warnings.extend(phase.warnings.iter().map(|warning| format!("phase {name}: {warning}")));
    }
    whole.verdict.complete = phases.iter().all(|phase| phase.verdict.complete);
    whole.verdict.with_tables = phases.iter().any(|phase| phase.verdict.with_tables);
    whole.stats.nodes = phases.iter().map(|phase| phase.stats.nodes).sum();
    whole.stats.time_ms = phases.iter().map(|phase| phase.stats.time_ms).sum();
    whole.stats.stopped_by = phases.iter().find_map(|phase| phase.stats.stopped_by);
    whole.phases = phases;
    whole
}

/// Returns how bad a report is for the whole problem.
fn badness(report: &Report) -> u8 {
    match (report.verdict.soundness, report.verdict.status) {
        _ if report.internal_failure => 6,
        (Soundness::NoSolution | Soundness::Incomplete, _) => 5,
        (Soundness::ShortSolution, _) => 4,
        (Soundness::Cooked, _) => 3,
        (_, Status::Invalid) => 2,
        (Soundness::Undecided, _) => 1,
        (Soundness::Sound, _) => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::problem::olv::OlvEntry;
    use crate::report::{ReportContext, report};

    fn solved(twins: &str, options: &str) -> Report {
        let men = "white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Ph7, Pg7]";
        let entry = format!("algebraic: {{{men}}}\nstipulation: '#2'\ntwins: {{{twins}}}\noptions: [{options}]\n");
        let entry = OlvEntry::read(&entry, 1).unwrap();
        report(&entry.problem, &ReportRequest::default(), ReportContext::new(&AtomicBool::new(false)))
    }

    fn verdicts(report: &Report) -> Vec<(String, Soundness)> {
        let name = |report: &Report| report.phase.as_ref().unwrap().short();
        report.phases.iter().map(|phase| (name(phase), phase.verdict.soundness)).collect()
    }

    #[test]
    fn the_worst_phase_decides_the_verdict() {
        let report = solved("b: '#1', c: 'Stipulation pser-#2', d: Remove g8", "");
        assert_eq!(
            verdicts(&report),
            [
                ("a".to_owned(), Soundness::Sound),
                ("b".to_owned(), Soundness::NoSolution),
                ("c".to_owned(), Soundness::Undecided),
                ("d".to_owned(), report.phases[3].verdict.soundness),
            ]
        );
        assert_eq!((report.verdict.soundness, &report.phase), (Soundness::NoSolution, &report.phases[1].phase));
        let unsolved = solved("b: 'pser-#2'", "");
        assert_eq!((unsolved.verdict.status, unsolved.phases.len()), (Status::Invalid, 2));
        assert!(unsolved.error.is_some_and(|error| error.starts_with("phase b: \"pser-#2\"")));
        let sound = solved("b: 'Mirror a1<-->h1'", "");
        assert_eq!(sound.phase.map(|name| name.letter), Some("a".to_owned()));
    }

    #[test]
    fn a_duplex_has_a_report_for_each_side() {
        let report = solved("", "Duplex");
        assert_eq!(verdicts(&report)[0], ("White".to_owned(), Soundness::Sound));
        assert_eq!(report.phases[1].stipulation.as_ref().unwrap().attacker, shakmaty::Color::Black);
        assert_eq!(report.stats.nodes, report.phases.iter().map(|phase| phase.stats.nodes).sum::<u64>());
    }
}
