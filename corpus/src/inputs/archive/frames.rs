//! Zstandard: the contents of all frames of a file, one after the other.
//!
//! A program that compresses in parallel writes several frames, and frames to be skipped between them. The
//! checksum of a frame is at its end, and so is an error about it: who needs to be sure reads to the end.
//!
//! Memory is allocated for decoded data; a frame may refer to at most 128 MiB of it, the decoder's
//! limit. The decoded size is limited, too: four bytes can encode 128 KiB, so that a file of some
//! megabytes could take hours.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How many times its own size a file may unpack to, beyond [`ALLOWANCE`]. Shaders take a third to a
/// twentieth of their size when they are compressed.
const LARGEST_RATIO: u64 = 1000;

/// Bytes that any file may unpack to.
const ALLOWANCE: u64 = 1 << 30;

/// The contents of the frames of a file.
pub(super) struct Frames {
    file: BufReader<File>,
    decoder: FrameDecoder,
    /// How many bytes of the frame were read.
    read: u64,
    /// How many bytes of all frames may still be read.
    left: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In a frame.
    Frame,
    /// After the last one.
    End,
    /// After an error, which is not read past.
    Failed,
}

impl Frames {
    /// Reads the head of the first frame.
    pub(super) fn new(file: BufReader<File>) -> io::Result<Self> {
        let size = file.get_ref().metadata()?.len();
        let limit = size.saturating_mul(LARGEST_RATIO).saturating_add(ALLOWANCE);
        Self::with_limit(file, limit)
    }

    fn with_limit(file: BufReader<File>, limit: u64) -> io::Result<Self> {
        let mut frames = Self {
            file,
            decoder: FrameDecoder::new(),
            read: 0,
            left: limit,
            state: State::Frame,
        };
        frames.start()?;
        Ok(frames)
    }

    /// Starts the next frame that has contents.
    fn start(&mut self) -> io::Result<()> {
        loop {
            self.decoder = FrameDecoder::new();
            self.read = 0;
            match self.decoder.init(&mut self.file) {
                Ok(()) => {
                    self.state = State::Frame;
                    return Ok(());
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(length.into())?,
                Err(error) => return Err(io::Error::other(error)),
            }
            if self.is_at_end()? {
                self.state = State::End;
                return Ok(());
            }
        }
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.file).take(length), &mut io::sink())?;
        match skipped == length {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.file.fill_buf()?.is_empty())
    }

    /// Compares the data of a frame with the size and checksum that it states, if any.
    fn check(&self) -> io::Result<()> {
        let size = self.decoder.content_size();
        if size != 0 && size != self.read {
            return Err(io::Error::other("a frame has not the size that it states"));
        }
        match self.decoder.get_checksum_from_data() {
            Some(stated) if self.decoder.get_calculated_checksum() != Some(stated) => {
                Err(io::Error::other("the checksum of a frame is wrong"))
            }
            _ => Ok(()),
        }
    }

    fn read_on(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.state == State::Frame {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.file, one);
                decoded.map_err(io::Error::other)?;
            }
            let count = self.decoder.read(buffer)?;
            self.read += count as u64;
            self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
                let why = format!("it unpacks to more than {LARGEST_RATIO} times its size");
                io::Error::other(why)
            })?;
            if count > 0 {
                return Ok(count);
            }
            self.check()?;
            match self.is_at_end()? {
                true => self.state = State::End,
                false => self.start()?,
            }
        }
        Ok(0)
    }
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.state == State::Failed {
            return Err(io::Error::other("a frame before is damaged"));
        }
        let read = self.read_on(buffer);
        if read.is_err() {
            self.state = State::Failed;
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read as _, Seek as _, Write as _};

    use super::Frames;

    /// A frame whose blocks each encode 128 KiB of one byte.
    fn repeated(blocks: usize) -> Vec<u8> {
        // The magic number, a frame that states no size, and a window of 128 KiB.
        let mut bytes = vec![0x28, 0xB5, 0x2F, 0xFD, 0, 7 << 3];
        for block in 0..blocks {
            let is_last = u32::from(block + 1 == blocks);
            let head: u32 = is_last | 1 << 1 | (128 << 10) << 3;
            bytes.extend(&head.to_le_bytes()[..3]);
            bytes.push(b'x');
        }
        bytes
    }

    fn frames(bytes: &[u8], limit: u64) -> Frames {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        Frames::with_limit(BufReader::new(file), limit).unwrap()
    }

    #[test]
    fn what_unpacks_to_more_than_the_limit_is_refused() {
        let size = 12 * (128 << 10);
        // Over several frames, too.
        for bytes in [repeated(12), [repeated(5), repeated(7)].concat()] {
            let mut unpacked = Vec::new();
            frames(&bytes, size).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, vec![b'x'; size as usize]);
            let mut frames = frames(&bytes, size - 1);
            let error = frames.read_to_end(&mut unpacked).unwrap_err();
            assert_eq!(
                error.to_string(),
                "it unpacks to more than 1000 times its size"
            );
            assert!(frames.read(&mut [0]).is_err());
        }
    }
}
