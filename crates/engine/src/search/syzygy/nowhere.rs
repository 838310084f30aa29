//! No files: a build without the feature `syzygy` runs where there may be no disk.

use std::io;
use std::path::Path;

use crate::chess::Position;

/// No files.
#[derive(Default)]
pub(super) struct Files {
    max_men: usize,
}

#[allow(clippy::unused_self)]
impl Files {
    pub fn add_folder(&mut self, _: &Path) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this build of matesolve reads no files"))
    }

    pub fn max_men(&self) -> usize {
        self.max_men
    }

    pub fn is_won(&self, _: &Position) -> Option<bool> {
        None
    }
}
