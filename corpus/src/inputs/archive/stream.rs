//! The bytes of a tar, and its members one after the other.
//!
//! The library that reads a tar has all that describes a member in memory: a long name, and further
//! attributes. Their size is in the file, so that they are limited here, by the number of bytes that are
//! read until the next member begins.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use super::Format;
use super::frames::Frames;

/// How many bytes may describe a member.
const LARGEST_DESCRIPTION: u64 = 1 << 20;

/// A member of a tar.
pub(super) type Entry<'a> = tar::Entry<'a, Stream>;

/// Calls `each` with the members of a tar and their places, until it breaks. If it does not, the whole
/// stream is read, so that the checksums of all frames are compared.
pub(super) fn for_members(
    path: &Path,
    format: Format,
    mut each: impl FnMut(u64, &mut Entry<'_>) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let stream = Stream::open(path, format)?;
    let bound = Rc::clone(&stream.bound);
    let mut archive = tar::Archive::new(stream);
    for (place, entry) in (0..).zip(archive.entries()?) {
        let mut entry = entry?;
        // The `size` of a sparse file includes holes, which are not in the archive.
        let size = match entry.header().entry_type().is_gnu_sparse() {
            true => entry.header().entry_size()?,
            false => entry.size(),
        };
        let Bound { read, .. } = bound.get();
        let end = read
            .saturating_add(size)
            .saturating_add(LARGEST_DESCRIPTION);
        bound.set(Bound { read, end });
        if each(place, &mut entry)?.is_break() {
            return Ok(());
        }
    }
    archive.into_inner().finish()
}

/// The bytes of a tar, decompressed.
pub(super) struct Stream {
    bytes: Box<dyn Read>,
    bound: Rc<Cell<Bound>>,
}

/// How far a stream was read, and may be read.
#[derive(Clone, Copy)]
struct Bound {
    read: u64,
    end: u64,
}

impl Stream {
    fn open(path: &Path, format: Format) -> io::Result<Self> {
        let file = BufReader::new(File::open(path)?);
        let bytes: Box<dyn Read> = match format {
            Format::TarZst => Box::new(Frames::new(file)?),
            // It unpacks to a thousand times its size at most.
            Format::TarGz => Box::new(MultiGzDecoder::new(file)),
            Format::Tar | Format::Zip => Box::new(file),
        };
        let bound = Bound {
            read: 0,
            end: LARGEST_DESCRIPTION,
        };
        Ok(Self {
            bytes,
            bound: Rc::new(Cell::new(bound)),
        })
    }

    /// Reads the rest after the tar, so that the last checksum is compared, too.
    fn finish(mut self) -> io::Result<()> {
        io::copy(&mut self.bytes, &mut io::sink()).map(drop)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Bound { read, end } = self.bound.get();
        let left = usize::try_from(end.saturating_sub(read)).unwrap_or(usize::MAX);
        if left == 0 && !buffer.is_empty() {
            let why = format!("a member's description has more than {LARGEST_DESCRIPTION} bytes");
            return Err(io::Error::other(why));
        }
        let length = buffer.len().min(left);
        let buffer = &mut buffer[..length];
        let count = self.bytes.read(buffer)?;
        let read = read.saturating_add(count as u64);
        self.bound.set(Bound { read, end });
        Ok(count)
    }
}
