//! Files on a disk, for programs with an operating system.

use std::io;
use std::path::Path;

use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;

use crate::chess::Position;

/// The files that have been found.
#[derive(Default)]
pub(super) struct Files(Tablebase<Chess>);

impl Files {
    /// Adds the files in a folder. Returns their number.
    pub fn add_folder(&mut self, folder: &Path) -> io::Result<usize> {
        self.0.add_directory(folder)
    }

    /// Returns the largest number of men of a file.
    pub fn max_men(&self) -> usize {
        self.0.max_pieces()
    }

    /// Returns whether the side to move wins; `None` if no file tells.
    pub fn is_won(&self, position: &Position) -> Option<bool> {
        let value = self.0.probe_wdl_after_zeroing(&position.to_chess()).ok()?;
        Some(value.signum() > 0)
    }
}

#[cfg(test)]
mod tests {
    use crate::search::syzygy::SyzygyFiles;

    #[test]
    fn a_folder_without_files_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let why = SyzygyFiles::open(&[folder.path().to_path_buf()]).unwrap_err().to_string();
        assert!(why.contains("no Syzygy file") && why.contains(&folder.path().display().to_string()), "{why}");
        let missing = folder.path().join("missing");
        let why = SyzygyFiles::open_list(missing.as_os_str()).unwrap_err().to_string();
        assert!(why.starts_with("cannot read the Syzygy files in") && why.contains("missing"), "{why}");
    }
}
