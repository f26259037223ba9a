//! The worker process.

use std::io::{self, BufReader, BufWriter, Read, Write};

use super::limit;
use super::protocol::{CONVERT, OPENED, Opening, READY, RESULT, Request, SET_UP, receive, send};
use crate::batch::STACK;
use crate::converter::{Converter, Opened, Worker};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::record::Record;

/// Makes a converter of what [`Program::setup`](super::Program::setup) says, or says why it cannot.
pub type MakeConverter<'a> = dyn Fn(&[u8]) -> Result<Box<dyn Converter>, String> + Sync + 'a;

/// Converts what a batch sends until there is no more: the whole life of a worker process. `from` and
/// `to` are its standard input and output, which nothing else may use.
///
/// # Errors
/// Returns an error if the batch cannot be understood, or is gone.
pub fn serve(
    from: impl Read + Send,
    to: impl Write + Send,
    converter: &MakeConverter<'_>,
) -> io::Result<()> {
    limit::end_with_parent();
    // The main thread's stack has another size on each system.
    std::thread::scope(|scope| {
        let work = move || {
            talk(
                &mut BufReader::new(from),
                &mut BufWriter::new(to),
                converter,
            )
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.name("trellis-worker".to_owned());
        let result = thread.spawn_scoped(scope, work)?.join();
        result.unwrap_or_else(|_| Err(io::Error::other("the worker panicked")))
    })
}

fn talk(from: &mut dyn Read, to: &mut dyn Write, converter: &MakeConverter<'_>) -> io::Result<()> {
    let Some(set_up) = next(from, SET_UP)? else {
        return Ok(());
    };
    let (memory, set_up) = set_up.split_first_chunk::<8>().ok_or_else(wrong)?;
    let memory = u64::from_le_bytes(*memory);
    let made = converter(set_up).and_then(|made| match memory {
        0 => Ok(made),
        memory => limit::memory(memory).map(|()| made),
    });
    let converter = match made {
        Ok(made) => made,
        Err(reason) => return send(to, READY, &[reason.as_bytes()]),
    };
    send(to, READY, &[])?;
    let mut worker = converter.worker();
    while let Some(content) = next(from, CONVERT)? {
        let (request, bytes) = Request::split(&content).ok_or_else(wrong)?;
        answer(to, request, bytes, &mut *worker)?;
    }
    Ok(())
}

/// Converts an input.
fn answer(
    to: &mut dyn Write,
    request: Request,
    bytes: &[u8],
    worker: &mut dyn Worker,
) -> io::Result<()> {
    let opened = guarded(|| {
        let opened = worker.open(bytes)?;
        let (entries, library) = (opened.entries(), opened.is_library());
        Ok((opened, entries, library))
    });
    let (mut opened, entries, library) = match opened {
        Ok(opened) => opened,
        Err(failure) => {
            return send_opening(
                to,
                &Opening {
                    library: false,
                    failure: Some(failure),
                    entries: Vec::new(),
                },
            );
        }
    };
    let opening = Opening {
        library,
        failure: None,
        entries: entries.iter().map(Into::into).collect(),
    };
    send_opening(to, &opening)?;
    for (number, entry) in (0..).zip(&entries).skip(request.first as usize) {
        let result = guarded(|| opened.convert(number));
        let mut record = Record::new(library);
        record.push(entry, &result);
        let record = record.encode(&request.key(number as u64))?;
        send(to, RESULT, &[&record])?;
    }
    close(opened)
}

fn send_opening(to: &mut dyn Write, opening: &Opening) -> io::Result<()> {
    send(to, OPENED, &[&serde_json::to_vec(opening)?])
}

/// Ends the work on a file. A panic here would leave the converter in an unknown state: the process
/// ends.
fn close(opened: Box<dyn Opened + '_>) -> io::Result<()> {
    let closed = guarded(|| {
        opened.close();
        Ok(())
    });
    closed.map_err(|failure: Failure| io::Error::other(failure.message))
}

/// Returns the content of the next message, which must be of this kind.
fn next(from: &mut dyn Read, wanted: u8) -> io::Result<Option<Vec<u8>>> {
    match receive(from)? {
        None => Ok(None),
        Some((kind, content)) if kind == wanted => Ok(Some(content)),
        Some(_) => Err(wrong()),
    }
}

fn wrong() -> io::Error {
    io::ErrorKind::InvalidData.into()
}
