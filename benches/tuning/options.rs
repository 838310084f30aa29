//! `options`: measures the engine `dfpn` with other options.

use matesolve::search::dfpn::{Dfpn, DfpnOptions};

use super::bands::cell;
use super::race::finds;
use super::run::grouped;
use super::sample::Sample;

const QUIET: [u32; 5] = [4, 6, 8, 10, 12];

pub fn measure(sample: &Sample, nodes: u64) -> Result<(), String> {
    let default = DfpnOptions::default();
    let variants = QUIET.map(|quiet| {
        let mark = if quiet == default.quiet { " (default)" } else { "" };
        (format!("dfpn, quiet moves count {quiet}{mark}"), DfpnOptions { quiet, ..default })
    });
    let without_threats =
        ("dfpn, threats count like other moves".to_owned(), DfpnOptions { threats: false, ..default });
    println!("{:<40}{}", "", ["found", "best", "proved", "nodes"].map(cell).concat());
    for (name, options) in variants.into_iter().chain([without_threats]) {
        let finds = finds(sample, nodes, || Dfpn::new(options))?;
        let counts = [finds.found.total(), finds.best.total(), finds.proved.total(), finds.nodes];
        println!("{name:<40}{}", counts.map(|count| cell(&grouped(count))).concat());
    }
    Ok(())
}
