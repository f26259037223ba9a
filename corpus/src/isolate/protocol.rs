//! What a batch and a worker process say to each other, on the worker's standard input and output.
//!
//! ```text
//! kind       8 bits
//! length     of the content in bytes: 64 bits, little-endian
//! content
//! ```
//!
//! The batch says [`SET_UP`] once, which the worker answers by [`READY`], and then [`CONVERT`] for each
//! input. The answer to that is [`OPENED`], and a [`RESULT`] for each entry point from the one asked for
//! on. What does not follow these rules ends the worker.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use trellis_dxil::Entry;
use trellis_dxil::frontend::shader::ShaderKind;

use crate::failure::Failure;
use crate::record::{Key, stage_name};

/// The limit on memory in bytes or 0: 64 bits; then what makes the converter.
pub(super) const SET_UP: u8 = b'S';
/// Nothing if the worker can convert, or the reason why it cannot.
pub(super) const READY: u8 = b'R';
/// A [`Request`], and the bytes of the input.
pub(super) const CONVERT: u8 = b'C';
/// An [`Opening`], as JSON.
pub(super) const OPENED: u8 = b'O';
/// A [record](crate::record) of one entry point for [`Request::key`].
pub(super) const RESULT: u8 = b'E';

/// Maximum length of a content, in bytes: more than the largest input.
const LARGEST: u64 = 1 << 30;

/// Writes a message whose content is in parts.
pub(super) fn send(to: &mut dyn Write, kind: u8, parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut head = [kind; 9];
    head[1..].copy_from_slice(&(length as u64).to_le_bytes());
    to.write_all(&head)?;
    for part in parts {
        to.write_all(part)?;
    }
    to.flush()
}

/// Reads a message; `None` if there is no more.
pub(super) fn receive(from: &mut dyn Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut kind = [0];
    if from.read(&mut kind)? == 0 {
        return Ok(None);
    }
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > LARGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // The length may be wrong: memory is allocated for what comes.
    let mut content = Vec::with_capacity(length.min(1 << 20) as usize);
    from.take(length).read_to_end(&mut content)?;
    match content.len() as u64 == length {
        true => Ok(Some((kind[0], content))),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// What is asked for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Number of the request to this worker.
    pub(super) number: u64,
    /// The entry point to convert first.
    pub(super) first: u64,
}

impl Request {
    pub(super) fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..].copy_from_slice(&self.first.to_le_bytes());
        bytes
    }

    /// Returns the request that a content begins with, and the rest.
    pub(super) fn split(content: &[u8]) -> Option<(Self, &[u8])> {
        let (number, rest) = content.split_first_chunk::<8>()?;
        let (first, rest) = rest.split_first_chunk::<8>()?;
        let request = Self {
            number: u64::from_le_bytes(*number),
            first: u64::from_le_bytes(*first),
        };
        Some((request, rest))
    }

    /// Returns the key of an entry point's record: no answer is taken for that to another question.
    pub(super) fn key(self, entry: u64) -> Key {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.number.to_le_bytes());
        bytes[8..].copy_from_slice(&entry.to_le_bytes());
        blake3::hash(&bytes)
    }
}

/// The input as it was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Opening {
    /// True for a library.
    pub(super) library: bool,
    /// Why it could not be opened; it has no entry points then.
    pub(super) failure: Option<Failure>,
    /// The entry points.
    pub(super) entries: Vec<NamedEntry>,
}

/// An [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamedEntry {
    name: String,
    #[serde(with = "stage_name")]
    stage: ShaderKind,
}

impl From<&Entry> for NamedEntry {
    fn from(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            stage: entry.stage,
        }
    }
}

impl From<&NamedEntry> for Entry {
    fn from(entry: &NamedEntry) -> Self {
        Self {
            name: entry.name.clone(),
            stage: entry.stage,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::{CONVERT, Request, receive, send};

    #[test]
    fn messages_are_received_as_sent() {
        let mut bytes = Vec::new();
        send(&mut bytes, CONVERT, &[b"one", b"", b"two"]).unwrap();
        send(&mut bytes, b'x', &[]).unwrap();
        let mut from = bytes.as_slice();
        let mut next = || receive(&mut from).unwrap();
        assert_eq!(next(), Some((CONVERT, b"onetwo".to_vec())));
        assert_eq!(next(), Some((b'x', Vec::new())));
        assert_eq!(next(), None);
        for cut in [1, 8, 9, 14] {
            let error = receive(&mut &bytes[..cut]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{cut}");
        }
        // Text, such as what a library prints.
        let error = receive(&mut b"an error of the driver".as_slice()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }

    #[test]
    fn requests_round_trip() {
        let request = Request {
            number: 1 << 40,
            first: 3,
        };
        let mut bytes = request.to_bytes().to_vec();
        bytes.extend(b"rest");
        assert_eq!(Request::split(&bytes), Some((request, b"rest".as_slice())));
        assert_eq!(Request::split(&bytes[..15]), None);
        assert_ne!(request.key(0), request.key(1));
    }
}
