//! Zstandard: the contents of all frames of a file, one after the other.
//!
//! A program that compresses in parallel writes several frames, and frames to be skipped between them. The
//! checksum of a frame is at its end, and so is an error about it: who needs to be sure reads to the end.
//!
//! Memory is allocated for what is decoded; a frame may refer to at most 128 MiB of it, the decoder's limit.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// What is in the frames of a file.
pub(super) struct Frames {
    file: BufReader<File>,
    decoder: FrameDecoder,
    /// How many bytes of the frame were read.
    read: u64,
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
        let mut frames = Self {
            file,
            decoder: FrameDecoder::new(),
            read: 0,
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

    /// Compares what was read of a frame with what the frame says about it, as far as it does.
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
