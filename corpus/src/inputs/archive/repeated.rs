//! Names that a zip's list has more than once.
//!
//! The library keeps one member per name. The list is read again, header by header, for the names
//! only, until the first entry that is not a header.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Seek, SeekFrom};

/// Size of a header of the list, without the name and the fields after it.
const HEADER: usize = 46;

/// Returns the names that are in the list at `start` more than once, and how often more.
pub(super) fn names(
    mut file: impl BufRead + Seek,
    start: u64,
) -> io::Result<BTreeMap<Vec<u8>, u64>> {
    file.seek(SeekFrom::Start(start))?;
    let mut more = BTreeMap::new();
    let mut header = Vec::with_capacity(HEADER);
    loop {
        header.clear();
        (&mut file).take(HEADER as u64).read_to_end(&mut header)?;
        if header.len() < HEADER || !header.starts_with(b"PK\x01\x02") {
            break;
        }
        let length = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let mut name = vec![0; length(28).into()];
        file.read_exact(&mut name)?;
        more.entry(name)
            .and_modify(|count| *count += 1)
            .or_insert(0);
        // Extra fields and a comment.
        file.seek_relative(i64::from(length(30)) + i64::from(length(32)))?;
    }
    more.retain(|_, count| *count > 0);
    Ok(more)
}
