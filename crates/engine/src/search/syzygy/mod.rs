//! Syzygy files: which positions of few men are won.
//!
//! The files are made elsewhere and cover up to seven men. They know no mate lengths. So a search for mates uses them
//! for one thing: a position with the attacker to move that he does not win has no mate of any length. A win that the
//! fifty-move rule turns into a draw counts as won, because mate lengths do not depend on that rule.
//!
//! Nobody replays the files. A mate found with their help is proved like any other, but refuted lengths may rest on
//! them. So a search that asks them remembers whether they have refuted a position (`SyzygyRefuter::has_refuted`), and
//! its answer says so ([`super::Answer::with_tables`]).

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use shakmaty::Color;

use crate::chess::Position;

// The two files offer the same functions.
#[cfg_attr(feature = "syzygy", path = "on_disk.rs")]
#[cfg_attr(not(feature = "syzygy"), path = "nowhere.rs")]
mod files;

use files::Files;

/// The Syzygy files of some folders. They are opened when they are needed first.
pub struct SyzygyFiles {
    files: Files,
}

impl SyzygyFiles {
    /// Finds the files in these folders. They stay open as long as the program runs, so that every search can use them.
    ///
    /// # Errors
    /// If a folder cannot be read, or has no Syzygy file.
    pub fn open(folders: &[PathBuf]) -> Result<&'static SyzygyFiles, SyzygyError> {
        let mut files = Files::default();
        for folder in folders {
            let found = files.add_folder(folder).map_err(|error| SyzygyError::Unreadable(folder.clone(), error))?;
            if found == 0 {
                return Err(SyzygyError::NoFile(folder.clone()));
            }
        }
        Ok(Box::leak(Box::new(SyzygyFiles { files })))
    }

    /// Finds the files in a list of folders, written as in the variable `PATH`: divided by `:`, on Windows by `;`.
    ///
    /// # Errors
    /// As for [`SyzygyFiles::open`].
    pub fn open_list(list: impl AsRef<OsStr>) -> Result<&'static SyzygyFiles, SyzygyError> {
        let folders: Vec<PathBuf> =
            std::env::split_paths(&list).filter(|folder| folder.as_path() != Path::new("")).collect();
        SyzygyFiles::open(&folders)
    }

    /// Returns whether the side to move wins, if the fifty-move rule does not count. `None` if the files do not tell:
    /// the file of these men is missing or damaged, or a side may still castle.
    pub fn is_won(&self, position: &Position) -> Option<bool> {
        if position.occupied().count() > self.files.max_men() || position.castling_rights().any() {
            return None;
        }
        self.files.is_won(position)
    }
}

/// Why Syzygy files could not be opened. Its text is a sentence that names the folder.
#[derive(Debug)]
#[non_exhaustive]
pub enum SyzygyError {
    /// There is no Syzygy file in this folder.
    NoFile(PathBuf),
    /// This folder cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl fmt::Display for SyzygyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyzygyError::NoFile(folder) => {
                let name = folder.display();
                write!(f, "there is no Syzygy file, such as KQvK.rtbw, in {name}; name the folder that has them")
            }
            SyzygyError::Unreadable(folder, error) => {
                write!(f, "cannot read the Syzygy files in {}: {error}", folder.display())
            }
        }
    }
}

impl std::error::Error for SyzygyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SyzygyError::NoFile(_) => None,
            SyzygyError::Unreadable(_, error) => Some(error),
        }
    }
}

impl fmt::Debug for SyzygyFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SyzygyFiles of up to {} men", self.files.max_men())
    }
}

/// Two sets of files are equal if they are the same object.
impl PartialEq for SyzygyFiles {
    fn eq(&self, other: &SyzygyFiles) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for SyzygyFiles {}

/// Refutes positions by Syzygy files, for one search. Its copies for other threads remember together.
#[derive(Debug, Clone)]
pub(crate) struct SyzygyRefuter {
    files: &'static SyzygyFiles,
    has_refuted: Arc<AtomicBool>,
}

impl SyzygyRefuter {
    /// Returns a refuter that has refuted nothing yet.
    pub fn new(files: &'static SyzygyFiles) -> SyzygyRefuter {
        SyzygyRefuter { files, has_refuted: Arc::default() }
    }

    /// Returns whether the files refute a mate by `attacker`, who must be to move, at any length.
    pub(crate) fn refutes(&self, position: &Position, attacker: Color) -> bool {
        let refuted = position.turn() == attacker && self.files.is_won(position) == Some(false);
        if refuted {
            self.has_refuted.store(true, Relaxed);
        }
        refuted
    }

    /// Returns whether a position has been refuted, so that answers may rest on the files.
    pub fn has_refuted(&self) -> bool {
        self.has_refuted.load(Relaxed)
    }
}
