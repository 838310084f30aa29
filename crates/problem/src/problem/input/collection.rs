//! Reads the entries of `.olv` collections, one document at a time.

use super::{Entries, Entry, Input, Reading, Rejected, until_error};
use crate::base::encoding::encoded;
use crate::problem::olv::{Document, Documents, LONGEST_DOCUMENT};

/// Returns the entries of a collection, and its end if its bytes are kept.
pub(super) fn entries(input: Input<'_>, reading: Reading) -> Entries<'_> {
    let mut documents = Documents::new(input);
    let keeps = reading.keeps_bytes;
    let mut has_end = keeps;
    until_error(std::iter::from_fn(move || match documents.next() {
        Some(document) => Some(document.map(|document| entry(document, keeps))),
        None => std::mem::take(&mut has_end).then(|| Ok(Entry::end(documents.rest().to_vec()))),
    }))
}

fn entry(document: Document, keeps_bytes: bool) -> Entry {
    let Document { line, text, before, is_latin1 } = document;
    let entry = match &text {
        Some(text) => Entry::of_olv(text, line, || Rejected::text(text)),
        None => Entry::too_long(line, "entry", LONGEST_DOCUMENT),
    };
    let entry = Entry { is_latin1, ..entry };
    if !keeps_bytes {
        return entry;
    }
    let source = encoded(text.as_deref().unwrap_or_default(), is_latin1).into_owned();
    Entry { before, source: Some(source), ..entry }
}
