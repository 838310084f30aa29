//! What is proved about a position, and how it is reported to the GUI.
//!
//! | file | contents |
//! |---|---|
//! | `root_moves` | the table of first moves with their proved scores; the best move and the score of the position |
//! | `responder` | prints improvements during a search, and the one answer to a `go` |

pub(super) mod responder;
pub(super) mod root_moves;
