//! The limits of a search, from Python's arguments.
//!
//! | Python | unit | range |
//! |---|---|---|
//! | `time` | seconds | more than 0 |
//! | `nodes` | positions made by the search | 0 or more |
//! | `threads` | | 1 to 1024 |
//! | `hash` | MiB of memory for tables and proofs | 1 or more |

use std::time::Duration;

use matesolve::Solver;
use matesolve::solve::Request;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The limits of one search.
#[derive(Debug, Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Limits {
    time: Option<f64>,
    nodes: Option<u64>,
    threads: u32,
    hash: u64,
}

impl Limits {
    /// Returns a solver for this request within these limits.
    pub fn solver(&self, request: Request) -> PyResult<Solver> {
        let (time, hash, threads) = (self.time()?, self.hash()?, self.threads()?);
        let request = request.with(|request| {
            (request.limits.time, request.limits.nodes, request.limits.threads) = (time, self.nodes, threads);
        });
        Ok(Solver::with_request(request).hash(hash))
    }

    /// Returns the time limit.
    fn time(&self) -> PyResult<Option<Duration>> {
        let Some(seconds) = self.time else { return Ok(None) };
        match Duration::try_from_secs_f64(seconds) {
            Ok(time) if !time.is_zero() => Ok(Some(time)),
            _ => Err(out_of_range("time", &seconds, "a number of seconds greater than 0")),
        }
    }

    /// Returns the number of threads.
    fn threads(&self) -> PyResult<usize> {
        match self.threads {
            threads @ 1..=1024 => Ok(threads as usize),
            threads => Err(out_of_range("threads", &threads, "a number from 1 to 1024")),
        }
    }

    /// Returns the memory in bytes.
    fn hash(&self) -> PyResult<usize> {
        if self.hash == 0 {
            return Err(out_of_range("hash", &self.hash, "a number of MiB, at least 1"));
        }
        Ok(usize::try_from(self.hash).unwrap_or(usize::MAX).saturating_mul(1 << 20))
    }
}

/// Returns the error for an argument that is out of its range.
pub fn out_of_range(name: &str, value: &dyn std::fmt::Display, expected: &str) -> PyErr {
    PyValueError::new_err(format!("{name}={value} is not allowed; give {expected}"))
}
