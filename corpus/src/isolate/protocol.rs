//! The protocol between a batch and a worker process, on the worker's standard input and output:
//! lines of JSON.
//!
//! The batch sends [`Message::SetUp`] once, which the worker answers by [`Answer::Ready`], and then
//! [`Message::Convert`] for each input. The answer to that is [`Answer::Opened`], and an
//! [`Answer::Result`] for each entry point from the requested one on. A violation of these rules
//! ends the worker.

use std::io::{self, BufRead, Read as _, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::record::{self, Kept, NamedEntry};

/// Maximum length of a line, in bytes: more than the largest input.
const LARGEST: u64 = 1 << 30;

/// Messages of the batch.
#[derive(Serialize, Deserialize)]
pub(super) enum Message {
    SetUp {
        /// The limit on memory in bytes.
        memory: Option<u64>,
        /// The data that the converter is made from.
        #[serde(with = "record::bytes")]
        setup: Vec<u8>,
    },
    Convert {
        request: Request,
        /// The input.
        #[serde(with = "record::bytes")]
        bytes: Vec<u8>,
    },
}

/// Messages of the worker.
#[derive(Serialize, Deserialize)]
pub(super) enum Answer {
    /// It can convert, or the reason why it cannot.
    Ready(Result<(), String>),
    Opened(Result<Opening, Failure>),
    Result {
        /// The request's number: no answer is taken for that to another one.
        number: u64,
        entry: usize,
        result: Result<Kept, Failure>,
    },
}

/// The requested entry points of an input.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Request {
    /// Number of the request to this worker.
    pub(super) number: u64,
    /// The entry point to convert first.
    pub(super) first: usize,
}

/// The input as it was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Opening {
    /// True for a library.
    pub(super) library: bool,
    /// The entry points.
    pub(super) entries: Vec<NamedEntry>,
}

/// Writes a message.
pub(super) fn send(to: &mut dyn Write, message: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *to, message)?;
    to.write_all(b"\n")?;
    to.flush()
}

/// Reads a message; `None` if there is no more.
pub(super) fn receive<T: DeserializeOwned>(from: &mut dyn BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    from.take(LARGEST).read_until(b'\n', &mut line)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => {
            let message = serde_json::from_slice(&line);
            message
                .map(Some)
                .map_err(|_| io::ErrorKind::InvalidData.into())
        }
        Some(_) if line.len() as u64 == LARGEST => Err(io::ErrorKind::InvalidData.into()),
        Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::{Message, Request, receive, send};

    #[test]
    fn messages_are_received_as_sent() {
        let request = Request {
            number: 1 << 40,
            first: 3,
        };
        let bytes = b"one\n\0two".to_vec();
        let mut sent = Vec::new();
        send(&mut sent, &Message::Convert { request, bytes }).unwrap();
        let mut from = sent.as_slice();
        let Some(Message::Convert { request, bytes }) = receive(&mut from).unwrap() else {
            panic!("{sent:?}");
        };
        assert_eq!((request.number, request.first), (1 << 40, 3));
        assert_eq!(bytes, b"one\n\0two");
        assert!(receive::<Message>(&mut from).unwrap().is_none());
        let kind = |mut bytes: &[u8]| receive::<Message>(&mut bytes).err().unwrap().kind();
        for cut in [1, 8, sent.len() - 1] {
            assert_eq!(kind(&sent[..cut]), ErrorKind::UnexpectedEof, "{cut}");
        }
        // Text, such as the output of a library.
        assert_eq!(kind(b"an error of the driver\n"), ErrorKind::InvalidData);
    }
}
