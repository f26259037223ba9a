//! The container in a PDB of `dxc -Fd`: stream 5 of a multi-stream file (MSF 7.00).
//!
//! Block 0 has, after the magic number, the block size, and at 44 and 52 the size of the directory and
//! the block with the list of its blocks. The directory has the number of streams, their sizes, and their
//! blocks. DXC writes all blocks of the directory, and of each stream, one after another.

use super::reader::Reader;
use super::{FourCC, Result};

/// First bytes of the file.
pub(crate) const MAGIC: &[u8] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";

/// Number of the stream with the container.
const STREAM: u32 = 5;

/// Returns the container.
///
/// # Errors
/// Malformed, or the blocks of the container are not one after another.
pub(super) fn container(bytes: &[u8]) -> Result<&[u8]> {
    let file = Reader::new(FourCC::PDB, 0, bytes);
    let mut header = file.at(MAGIC.len() as u32, "header")?;
    let block_size = header.u32("block size")?;
    if block_size == 0 {
        return Err(file.bad_field(MAGIC.len(), "block size", 0, "more than 0"));
    }
    let start = |block: u32| block.saturating_mul(block_size);
    let list = file.at(52, "header")?.u32("directory's block list")?;
    let first = { file.at(start(list), "directory's block list")? }.u32("directory's block")?;
    let mut directory = file.at(start(first), "directory")?;
    let streams = directory.u32("stream count")?;
    if streams <= STREAM {
        return Err(file.bad_field(
            directory.pos() - 4,
            "stream count",
            streams.into(),
            "6 or more",
        ));
    }
    let (mut blocks_before, mut size) = (0_u32, 0);
    for _ in 0..=STREAM {
        blocks_before = blocks_before.saturating_add(u32::div_ceil(size, block_size));
        size = match directory.u32("stream size")? {
            // Of a stream that is deleted.
            u32::MAX => 0,
            size => size,
        };
    }
    let skipped = (streams - STREAM - 1).saturating_add(blocks_before);
    directory.items(skipped, 4, "stream directory")?;
    let at = directory.pos();
    let blocks = { directory }.items(size.div_ceil(block_size), 4, "stream's blocks")?;
    let mut blocks = blocks.chunks_exact(4).map(|block| super::u32_at(block, 0));
    let first = blocks.next().unwrap_or(0);
    let mut next = u64::from(first) + 1..;
    if let Some(other) = blocks.find(|&block| next.next() != Some(block.into())) {
        return Err(file.bad_field(at, "stream's block", other.into(), "the next block"));
    }
    { file.at(start(first), "stream")? }.bytes(size as usize, "stream")
}
