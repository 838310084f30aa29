//! Writes a result as a JSON object. Contains the JSON Schema of that object.

use std::io::{self, Write};

use crate::results::Solution;

use super::stream::{self, JsonForm};

/// The JSON Schema (draft 2020-12) of the result object. `matesolve schema` prints it.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes a result as a JSON object, piece by piece. If its name was a number in the input, it is one again.
pub(super) fn write(solution: &Solution, form: JsonForm, out: &mut dyn Write) -> io::Result<()> {
    match solution.id.as_deref().filter(|_| solution.given.id_is_number) {
        Some(id) => stream::json(solution, form, &mut NumberAsId { out, head: Some((Vec::new(), id)) }),
        None => stream::json(solution, form, out),
    }
}

/// Passes JSON on, the first `id` without its quotes. What precedes it is held back; before it are only numbers.
struct NumberAsId<'a> {
    out: &'a mut dyn Write,
    head: Option<(Vec<u8>, &'a str)>,
}

impl Write for NumberAsId<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some((head, id)) = &mut self.head else { return self.out.write(bytes) };
        head.extend(bytes);
        let before = head.strip_suffix(format!("\"{id}\"").as_bytes());
        if let Some(before) = before.filter(|before| before.trim_ascii_end().ends_with(b"\"id\":")) {
            self.out.write_all(before)?;
            self.out.write_all(id.as_bytes())?;
            self.head = None;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
