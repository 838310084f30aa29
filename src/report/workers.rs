//! The threads of one report, and the observer of their work.
//!
//! All answers are exact, so the report does not depend on the number of threads.

use std::ops::{Deref, DerefMut};

use crate::search::pool::Pool;

use super::progress::{ReportEvent, ReportObserver};

/// The pool of a report, with the observer of the report.
pub(super) struct Workers<'a, 'c> {
    pool: Pool<'a, 'c>,
    observer: &'a dyn ReportObserver,
}

impl<'a, 'c> Workers<'a, 'c> {
    /// Puts a pool and an observer together.
    pub(super) fn new(pool: Pool<'a, 'c>, observer: &'a dyn ReportObserver) -> Workers<'a, 'c> {
        Workers { pool, observer }
    }

    /// Returns the observer of the report.
    pub(super) fn observer(&self) -> &'a dyn ReportObserver {
        self.observer
    }

    /// Sends an event to the observer, with the number of nodes so far.
    pub(super) fn send(&self, event: ReportEvent) {
        self.observer.event(event, self.nodes());
    }
}

impl<'a, 'c> Deref for Workers<'a, 'c> {
    type Target = Pool<'a, 'c>;

    fn deref(&self) -> &Pool<'a, 'c> {
        &self.pool
    }
}

impl DerefMut for Workers<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pool
    }
}
