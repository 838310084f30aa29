//! What the host sees of a running search: the number of its nodes, once in a while; and how it stops it.
//!
//! A module cannot be called while it computes. But every search with a time limit reads the clock at every 1024 nodes,
//! and the clock is that of the host. So each search here has a time limit, at least a far one, and each reading of the
//! clock calls [`look`].

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use matesolve::StopHandle;
use serde_json::json;

/// Sends a progress event to the host.
pub(crate) type Send<'a> = &'a (dyn Fn(&str) + Sync);

/// A time limit that no search reaches: a hundred years.
pub(crate) const FOREVER: Duration = Duration::from_hours(100 * 365 * 24);

/// The time between two events with the number of nodes.
const INTERVAL: Duration = Duration::from_millis(500);

/// The search that runs.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

struct Running {
    watch: Watch,
    /// The time of the last event with a number of nodes.
    shown: Option<Duration>,
}

/// The node counter of a search, and the handle that stops it.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    pub nodes: Arc<AtomicU64>,
    pub stop: StopHandle,
}

impl Watch {
    /// Makes a watch for a search that begins, instead of that of the last one.
    pub fn start() -> Watch {
        let watch = Watch::default();
        *running() = Some(Running { watch: watch.clone(), shown: None });
        watch
    }
}

/// Sends the number of nodes if it is time to, and stops the search if the host wants it.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) fn look(now: Duration, wants_stop: bool, send: Send<'_>) {
    let mut running = running();
    let Some(Running { watch, shown }) = running.as_mut() else { return };
    if wants_stop {
        watch.stop.stop();
    }
    let last = *shown.get_or_insert(now);
    if now.saturating_sub(last) >= INTERVAL {
        *shown = Some(now);
        let nodes = watch.nodes.load(Relaxed);
        send(&json!({ "kind": "nodes", "nodes": nodes, "text": "searching" }).to_string());
    }
}

fn running() -> std::sync::MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
