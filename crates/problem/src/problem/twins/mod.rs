//! Twins: several problems in one, each a change of the diagram or of the stipulation.
//!
//! ```text
//! diagram + twins ──read──> [Twin: letter, continued?, commands] ──phases──> [Phase: a), b), +c) …]
//! ```
//!
//! Popeye's twin commands for orthodox chess are read, with its abbreviations and keywords, and the spellings that
//! people use instead (`Bg2-e6`, `wKc3<-->bKe2`, `-wPb3`, `Black`). A twin changes the diagram; a *continued* twin
//! (`+c)`) changes the position of the phase before it. Each of these positions, with its stipulation, is a [`Phase`].
//! The diagram itself is the phase `a)`, unless the twins say otherwise ([`Twins::zero_position`]). Under the option
//! `Duplex` each phase stands for two: one in which White strives for the goal, and one in which Black does.
//!
//! Only the finished phase must be a position that can be played. If it is not, or if the twin is not understood or
//! demands what matesolve does not solve, the phase says why, and so do the twins that continue one that was not
//! understood. The other phases are solved.
//!
//! | file | idea |
//! |---|---|
//! | `command` | the commands of a twin, as data and as text |
//! | `tokens` | cuts the text of a twin into words, arrows and stipulations |
//! | `keywords` | the keywords of twins in Popeye's three languages, and how abbreviations are looked up |
//! | `mention` | the men that a twin names |
//! | `read` | the text of a twin as commands |
//! | `board` | applies commands to the men, and writes Popeye's heading |
//! | `phases` | the phases of a problem |

pub mod board;
mod command;
mod keywords;
mod mention;
mod phases;
mod read;
mod tokens;

pub use command::{Mirror, NamedMan, Rotation, Twin, TwinCommand};
pub use keywords::Language;
pub(super) use keywords::ROLES;
pub(super) use keywords::{Found, TWINNINGS, Word, abbreviates, look_up};
pub(super) use mention::side_name;
pub(super) use phases::first;
pub use phases::{Phase, PhaseName, PhaseOptions, TwinDiagram, Twins, phases};
