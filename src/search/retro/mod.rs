//! `retro`: distance-to-mate tables.

mod build;
mod conversions;
mod en_passant;
mod engine;
mod frame;
mod layout;
mod leaves;
mod material;
mod sets;
mod symmetry;
mod table;
mod tables;

pub use engine::Retro;
pub(crate) use engine::{refusal, solve};
pub use layout::MAX_MEN;
pub use leaves::{Leaves, MAX_LEAF_MEN};
pub use material::Material;
pub use table::Distance;
pub use tables::Tables;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::NodeKind;
    use crate::search::{Control, Limits};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn longest() {
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), &stop);
        for class in std::env::var("CLASSES").unwrap_or("KQK KRK KPK".into()).split_whitespace() {
            let mut tables = Tables::default();
            let start = std::time::Instant::now();
            let material: Material = class.parse().unwrap();
            let threads = std::env::var("T").map_or(1, |t| t.parse().unwrap());
            tables.build(material, threads, &control).unwrap();
            println!(
                "{class} {:?} {:?} {:?} need {:?} MB",
                tables.longest(material, NodeKind::Or),
                tables.longest(material, NodeKind::And),
                start.elapsed(),
                Tables::bytes_needed(material).unwrap() >> 20
            );
        }
    }
}
