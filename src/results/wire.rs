//! How fields of results are written in JSON, where their own types do not say it.

use std::fmt::Display;

use serde::{Serialize as _, Serializer};
use shakmaty::{Color, Role};

/// Writes a value as its text.
pub(super) fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes values as a list of their texts.
pub(super) fn texts<S: Serializer>(values: &[impl Display], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}

/// Writes a side as `white` or `black`.
pub(super) fn color<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(color.fold_wb("white", "black"))
}

/// Writes a kind of man as its English letter.
// The signature is that of a field.
#[allow(clippy::ref_option)]
pub(super) fn role<S: Serializer>(role: &Option<Role>, serializer: S) -> Result<S::Ok, S::Error> {
    role.map(Role::upper_char).serialize(serializer)
}
