//! `--format olv` for collections: writes them again, one file after the other, with what stands before and between
//! their entries.

use std::io::{self, Write};

use crate::problem::olv::documents;

/// The state of writing collections again: how much of them is written.
#[derive(Debug, Default)]
pub(crate) struct Rewriting {
    /// The index of the file whose bytes were written last.
    file: Option<usize>,
    /// Whether the last byte ends a line.
    ends_line: bool,
}

impl Rewriting {
    /// Writes the bytes before an entry of a file, and its text. If another file was written before, a line break and
    /// a separator are added where the files have none.
    pub(crate) fn write(&mut self, out: &mut dyn Write, file: usize, before: &[u8], text: &[u8]) -> io::Result<()> {
        let is_joint = self.file.is_some_and(|last| last != file);
        if before.is_empty() && text.is_empty() {
            return Ok(());
        }
        if is_joint && !self.ends_line {
            out.write_all(b"\n")?;
        }
        if is_joint {
            out.write_all(documents::joint(before))?;
        }
        out.write_all(before)?;
        out.write_all(text)?;
        self.file = Some(file);
        self.ends_line = text.last().or(before.last()) == Some(&b'\n');
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn files_are_divided_by_separators_and_nothing_else_is_added() {
        let mut written = Vec::new();
        let mut rewriting = Rewriting::default();
        for (file, before, text) in [
            (0, "# start\n---\n", "a: 1\n"),
            (0, "--- # b\n", "b: 2"),
            (0, "", ""),
            (1, "", "c: 3\n"),
            (2, "%YAML 1.2\n---", " {d: 4}\n"),
            (3, "# e\n---\n", "e: 5\n"),
        ] {
            rewriting.write(&mut written, file, before.as_bytes(), text.as_bytes()).unwrap();
        }
        let expected = "# start\n---\na: 1\n--- # b\nb: 2\n---\nc: 3\n...\n%YAML 1.2\n--- {d: 4}\n# e\n---\ne: 5\n";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
