//! The clock that time limits and measured times use.
//!
//! Where there is an operating system, [`Instant`] is that of the standard library. `wasm32-unknown-unknown` has no
//! clock of its own, and the standard library's would panic there. Its host has one, which the host's bindings set once
//! with `set_source`. Until then the time stands still: searches run, but time limits do not work.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set_source};

/// The clock of a host that passes the time since some moment of its choice.
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
#[cfg_attr(test, allow(dead_code))]
mod host {
    use std::sync::OnceLock;
    use std::time::Duration;

    static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the function that reads the host's clock: the time since a fixed moment. Only the first call counts.
    pub fn set_source(read: fn() -> Duration) {
        let _ = SOURCE.set(read);
    }

    /// A moment in time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the present moment.
        pub fn now() -> Instant {
            Instant(SOURCE.get().map_or(Duration::ZERO, |read| read()))
        }

        /// Returns the time that has passed since this moment; zero if the host's clock was set back.
        pub fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        /// Returns the moment after this time; `None` if it is too far away.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

        static MILLIS: AtomicU64 = AtomicU64::new(5);

        #[test]
        fn the_hosts_clock_is_read_and_may_be_set_back() {
            let before = Instant::now();
            assert_eq!(before.elapsed(), Duration::ZERO, "without a source the time stands still");
            set_source(|| Duration::from_millis(MILLIS.load(SeqCst)));
            let start = Instant::now();
            let late = start.checked_add(Duration::from_millis(10)).unwrap();
            MILLIS.store(15, SeqCst);
            assert!(start.elapsed() == Duration::from_millis(10) && Instant::now() >= late);
            MILLIS.store(1, SeqCst);
            assert!(start.elapsed() == Duration::ZERO && Instant::now() < late);
            assert_eq!(start.checked_add(Duration::MAX), None);
        }
    }
}
