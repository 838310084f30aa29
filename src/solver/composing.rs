//! The composer's workbench.

use crate::problem::Problem;
use crate::results::workbench::{Economy, Proposals};
use crate::workbench::{self, Refused, WorkbenchObserver, WorkbenchRequest};

use super::Solver;

impl Solver {
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
        workbench::mend(problem, &self.at_the_workbench(request), self.stop.flag(), observer)
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
        workbench::twins(problem, &self.at_the_workbench(request), self.stop.flag(), observer)
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
        workbench::economy(problem, &self.at_the_workbench(request), self.stop.flag(), observer)
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
        workbench::retract(problem, &self.at_the_workbench(request), self.stop.flag(), observer)
    }

    /// Adds the limits of this solver to a request.
    fn at_the_workbench(&self, request: &WorkbenchRequest) -> WorkbenchRequest {
        WorkbenchRequest { limits: self.request.limits, ..request.clone() }
    }
}
