//! The functions that the module exports, and those that it needs from its host. Texts are UTF-8.
//!
//! The host calls `input(length)` and writes a request to the address that it returns. Then it calls `call()`, which
//! returns the length of the answer, and reads it at the address `output()`.
//!
//! Exported and imported names must be unique in a program, which the compiler cannot check; that is why Rust calls
//! these attributes unsafe. There is no unsafe block: the module reads and writes only its own lists of bytes.

#![allow(unsafe_code)]

use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use matesolve::clock;

use crate::{call, watch};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns the time in milliseconds since a fixed moment.
    safe fn now() -> f64;
    /// Returns whether the running search is to stop.
    safe fn stopped() -> bool;
    /// Receives a progress event, as JSON.
    safe fn progress(text: *const u8, length: usize);
    /// Receives the message of a panic. The module cannot be used after it.
    safe fn panicked(text: *const u8, length: usize);
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Makes room for a request of `length` bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
    *input = vec![0; length];
    input.as_mut_ptr()
}

/// Carries out the request and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn call() -> usize {
    start();
    let request = std::mem::take(&mut *INPUT.lock().unwrap_or_else(PoisonError::into_inner));
    let answer = call::answer(&request, &send).into_bytes();
    let length = answer.len();
    *OUTPUT.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    length
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

fn send(event: &str) {
    progress(event.as_ptr(), event.len());
}

/// Names the host's clock, which also watches the running search, and sends the messages of panics to the host.
fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        clock::set_source(|| {
            let now = Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default();
            watch::look(now, stopped(), &send);
            now
        });
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            panicked(message.as_ptr(), message.len());
        }));
    });
}
