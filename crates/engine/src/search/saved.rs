//! A search that goes on in the next call where a limit has stopped it, if that call has the same position and
//! attacker.

use shakmaty::Color;

use super::Task;

/// The state of a search that is kept from one call to the next.
#[derive(Debug)]
pub(crate) struct SavedSearch<S> {
    key: u64,
    attacker: Color,
    /// The tables and the iterations.
    pub state: S,
}

impl<S> SavedSearch<S> {
    /// Returns the saved search if it belongs to the task's position and attacker, otherwise a new one. `new` gets the
    /// old one, whose memory it may use.
    pub fn resume(saved: Option<SavedSearch<S>>, task: &Task, new: impl FnOnce(Option<S>) -> S) -> SavedSearch<S> {
        let (key, attacker) = (task.position.key(), task.attacker());
        match saved {
            Some(saved) if (saved.key, saved.attacker) == (key, attacker) => saved,
            old => SavedSearch { key, attacker, state: new(old.map(|old| old.state)) },
        }
    }
}
