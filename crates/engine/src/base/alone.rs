//! Parallel work where there are no pools of threads: the calling thread does it.
//!
//! This file stands in for `parallel.rs` in a build without rayon, which is how the crate is built for WebAssembly. Its
//! [`Pool`] is a type without values: code that uses a pool is compiled and never reached.

/// The threads that divide the work on one problem: none.
#[derive(Debug)]
pub(crate) enum Pool {}

impl Pool {
    /// Returns `None`, whatever the number of threads: the calling thread does the work.
    pub(crate) fn of(_threads: usize) -> Option<Pool> {
        None
    }

    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        match *self {}
    }

    /// Calls `work`.
    pub(crate) fn run<R>(&self, _work: impl FnOnce() -> R) -> R {
        match *self {}
    }
}

/// The parallel iterators, by the names that they have in rayon: iterators of the standard library.
pub(crate) mod prelude {
    /// A slice, whose chunks are visited in their order.
    pub(crate) trait ParallelSlice<T> {
        /// Returns the chunks of at most `size` items.
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_chunks(&self, size: usize) -> std::slice::Chunks<'_, T> {
            self.chunks(size)
        }
    }

    /// An iterator, whose items are visited in their order.
    pub(crate) trait ParallelBridge: Iterator + Sized {
        /// Returns the same iterator.
        fn par_bridge(self) -> Self {
            self
        }
    }

    impl<I: Iterator> ParallelBridge for I {}
}
