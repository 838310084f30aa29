//! Reports and audits of one problem and of the entries of a file, and the composer's workbench.

use crate::audit::{self, AuditRequest, Audited};
use crate::problem::Problem;
use crate::problem::input::Entry;
use crate::published::Published;
use crate::report::report_entry;
use crate::report::{NoObserver, ReportContext, ReportObserver, ReportRequest, invalid, report};
use crate::results::Report;
use crate::results::report::ReportOptions;
use crate::results::workbench::{Economy, Proposals};
use crate::solver::Solver;
use crate::workbench::{Bench, Refused, WorkbenchObserver, WorkbenchRequest};

impl Solver {
    /// Makes the composer's report: the whole solution within the length that the problem states, and whether the
    /// problem is sound. The limits, the length and [`Solver::defend`] apply; a report has an engine of its own.
    ///
    /// ```
    /// use matesolve::{Problem, Solver, results::report::ReportOptions};
    ///
    /// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap();
    /// let options = ReportOptions::default().with(|options| options.tries = Some(1));
    /// let report = Solver::new().report(&problem, options);
    /// let tries: Vec<&str> = report.tries.iter().flatten().map(|t| t.ply.san.as_str()).collect();
    /// assert_eq!((report.keys[0].ply.san.as_str(), tries), ("Rh6", vec!["Rh5", "Rxh7+"]));
    /// ```
    pub fn report(&self, problem: &Problem, options: ReportOptions) -> Report {
        self.report_observed(problem, ReportRequest { options, ..ReportRequest::default() }, &NoObserver)
    }

    /// Makes a report like [`Solver::report`], with the conventions of a request and events for a person who waits.
    ///
    /// ```
    /// use matesolve::report::{ReportEvent, ReportObserver, ReportRequest};
    /// use matesolve::{Problem, Solver};
    ///
    /// struct Printer;
    ///
    /// impl ReportObserver for Printer {
    ///     fn event(&self, event: ReportEvent, nodes: u64) {
    ///         println!("{event}, {nodes} nodes");
    ///     }
    /// }
    ///
    /// let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;").unwrap();
    /// let report = Solver::new().report_observed(&problem, ReportRequest::default(), &Printer);
    /// assert_eq!(report.keys[0].ply.san, "Rh6");
    /// ```
    pub fn report_observed(&self, problem: &Problem, request: ReportRequest, observer: &dyn ReportObserver) -> Report {
        let request = self.limited(request);
        match self.ask(problem) {
            Ok(problem) => report(&problem, &request, self.context().observed(observer)),
            Err(why) => invalid(&why, request.options),
        }
    }

    /// Reports on an entry of a file, as `matesolve report FILE` does: its own options count too, and an entry that is
    /// no problem gives a report whose [`Report::error`] says why.
    ///
    /// ```
    /// use matesolve::{Solver, problem::input::{Reading, entries}, report::ReportRequest};
    ///
    /// let file = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2;\nnonsense\n";
    /// let reports = entries(file.as_bytes(), 0, Reading::default())
    ///     .map(|entry| Solver::new().report_entry(&entry, ReportRequest::default()))
    ///     .collect::<Vec<_>>();
    /// assert_eq!((reports[0].line, reports[0].keys[0].ply.san.as_str()), (Some(1), "Rh6"));
    /// assert!(reports[1].error.is_some());
    /// ```
    pub fn report_entry(&self, entry: &Entry, request: ReportRequest) -> Report {
        report_entry(&entry.clone().asked(&self.told), &self.limited(request), self.context())
    }

    fn context(&self) -> ReportContext<'_> {
        ReportContext::new(self.stop.flag())
    }

    /// Adds the limits of this solver to a request for a report.
    fn limited(&self, request: ReportRequest) -> ReportRequest {
        ReportRequest { limits: self.request.limits, ..request }
    }

    /// Audits a published problem: compares the published solution with a report. With `confirm`, the engine
    /// `exhaustive` searches each differing key again for that number of nodes. An audit has an engine of its own and
    /// reads no Syzygy files.
    ///
    /// ```
    /// use matesolve::{Solver, published::Published, results::audit::AuditVerdict};
    ///
    /// let json = r##"{"fen": "7k/8/5K2/6Q1/8/8/8/8 w - -", "stipulation": "#1", "solution": "1.Qg7#!"}"##;
    /// let audited = Solver::new().audit(&Published::of_json(json, 1)?, None);
    /// assert_eq!(audited.audit.verdict, AuditVerdict::Sound);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn audit(&self, published: &Published, confirm: Option<u64>) -> Audited {
        let request = self.of_audit(ReportOptions::default(), confirm);
        audit::audit(published, &request, self.context())
    }

    /// Audits an entry of a file, as `matesolve audit` does. An entry that is no published problem gives an audit whose
    /// [`error`](crate::results::audit::Audit::error) says why. With the option `themes` the keywords that name themes
    /// are compared too.
    ///
    /// ```
    /// use matesolve::problem::input::{Reading, entries};
    /// use matesolve::{Solver, results::audit::AuditVerdict, results::report::ReportOptions};
    ///
    /// let file = "5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 2; bm Rh5;";
    /// let entry = entries(file.as_bytes(), 0, Reading::default()).next().unwrap();
    /// let audited = Solver::new().audit_entry(&entry, ReportOptions::default(), None);
    /// assert_eq!(audited.audit.verdict, AuditVerdict::AnotherKey);
    /// ```
    pub fn audit_entry(&self, entry: &Entry, options: ReportOptions, confirm: Option<u64>) -> Audited {
        let published = Published::of(entry);
        let request = self.of_audit(options, confirm);
        audit::audit_entry(entry, published.as_ref(), &request, self.context())
    }

    fn of_audit(&self, options: ReportOptions, confirm: Option<u64>) -> AuditRequest {
        let mut report = self.limited(ReportRequest { options, ..ReportRequest::default() });
        // An audit cannot say that its verdict rests on Syzygy files.
        report.limits.syzygy = None;
        AuditRequest { report, confirm }
    }

    /// Looks for sound versions of an unsound problem by one or two small changes. Time, nodes, memory and threads of
    /// this solver apply.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the diagram is sound.
    ///
    /// ```
    /// use matesolve::workbench::{SilentWorkbench, WorkbenchRequest};
    /// use matesolve::{Problem, Solver};
    ///
    /// // Without the pawn on g6 the diagram has no solution.
    /// let problem = Problem::read("5Kbk/6pp/8/8/8/8/8/7R w - - dm 2;").unwrap();
    /// let request = WorkbenchRequest::default().with(|request| request.key = Some("Rh6".to_owned()));
    /// let found = Solver::new().mend(&problem, &request, &SilentWorkbench)?;
    /// assert!(found.proposals.iter().any(|it| it.fen.starts_with("5Kbk/6pp/6P1/8/8/8/8/7R")));
    /// # Ok::<(), matesolve::workbench::Refused>(())
    /// ```
    pub fn mend(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Proposals, Refused> {
        self.at_the_workbench(problem, request, observer, |bench| bench.mend())
    }

    /// Looks for twins of a sound problem: sound problems with another key, one change away.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the diagram is not sound.
    pub fn twins(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Proposals, Refused> {
        self.at_the_workbench(problem, request, observer, |bench| bench.twins())
    }

    /// Says what each man of a sound problem is for, and looks for versions with fewer or weaker men.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the diagram is not sound.
    pub fn economy(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Economy, Refused> {
        self.at_the_workbench(problem, request, observer, |bench| bench.economy())
    }

    /// Finds the diagrams from which a position after the key can have come, with the keys and tries of each.
    ///
    /// # Errors
    /// If the question is not one for the workbench, or the position is not lost for the side to move.
    pub fn retract(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
    ) -> Result<Proposals, Refused> {
        self.at_the_workbench(problem, request, observer, |bench| bench.retract())
    }

    /// Puts a question to the workbench, with the limits of this solver.
    fn at_the_workbench<T>(
        &self,
        problem: &Problem,
        request: &WorkbenchRequest,
        observer: &dyn WorkbenchObserver,
        tool: impl FnOnce(Bench<'_>) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        let problem = &self.ask(problem).map_err(|why| Refused::Invalid(why.to_string()))?;
        let request = WorkbenchRequest { limits: self.request.limits, ..request.clone() };
        tool(Bench { problem, request, stop: self.stop.flag(), observer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::{Extent, Soundness};
    use crate::solver::tests::with_small_stack;

    #[test]
    fn a_report_follows_the_question_and_the_limits_of_its_solver() {
        let problem = Problem::read("5Kbk/6pp/6P1/8/8/8/8/7R w - - dm 3;").unwrap();
        let report = |solver: Solver| solver.report(&problem, ReportOptions::default());
        let two = report(Solver::new().at_most(2).threads(2));
        assert_eq!((two.stats.threads, two.stipulation.unwrap().stipulation.to_string()), (2, "#2".to_owned()));
        assert_eq!(two.keys.iter().map(|key| key.ply.san.as_str()).collect::<Vec<_>>(), ["Rh6"]);
        let defended = Problem::read("5Kbk/6pp/6PR/8/8/8/8/8 b - - dm 3;").unwrap();
        let mated = Solver::new().at_most(1).defend().report(&defended, ReportOptions::default());
        assert_eq!(mated.stipulation.unwrap().stipulation.to_string(), "#-1");
        assert_eq!(mated.verdict.soundness, Soundness::Sound, "{mated:?}");
    }

    #[test]
    fn a_report_uses_tables_of_few_men() {
        // King, bishop and knight: a search for the mate in 31 takes hours.
        let problem = Problem::read("8/8/8/8/4k3/8/8/K2N1B2 w - - dm 31;").unwrap();
        let options = ReportOptions { extent: Extent::Soundness, ..ReportOptions::default() };
        let report = Solver::new().nodes(10_000_000).report(&problem, options);
        assert_eq!(report.verdict.soundness, Soundness::Sound, "{report:?}");
        assert_eq!(report.keys.iter().map(|key| key.ply.san.as_str()).collect::<Vec<_>>(), ["Kb2"]);
        assert!(report.verdict.verified.is_set() && !report.verdict.with_tables);
    }

    #[test]
    fn a_long_report_is_made_from_a_thread_with_a_small_stack() {
        let problem = Problem::read("7k/8/8/4p3/4P3/8/8/1QK5 w - - dm 1000;").unwrap();
        let report = with_small_stack(|| Solver::new().nodes(300_000).report(&problem, ReportOptions::default()));
        assert!(report.error.is_none(), "{:?}", report.error);
    }
}
