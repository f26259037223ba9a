//! The worker process.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use super::limit;
use super::protocol::{Answer, Message, Opening, Request, receive, send};
use crate::batch::STACK;
use crate::converter::{Converter, Opened, Worker};
use crate::failure::Failure;
use crate::guard::guarded;
use crate::record::Kept;

/// Makes a converter from [`Program::setup`](super::Program::setup), or returns the reason why it
/// cannot.
pub type MakeConverter<'a> = dyn Fn(&[u8]) -> Result<Box<dyn Converter>, String> + Sync + 'a;

/// Converts the inputs that a batch sends until there are no more: the whole life of a worker
/// process. `from` and `to` are its standard input and output, which nothing else may use.
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

fn talk(
    from: &mut dyn BufRead,
    to: &mut dyn Write,
    converter: &MakeConverter<'_>,
) -> io::Result<()> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let (memory, setup) = match receive(from)? {
        None => return Ok(()),
        Some(Message::SetUp { memory, setup }) => (memory, setup),
        Some(Message::Convert { .. }) => return Err(wrong()),
    };
    let made = converter(&setup).and_then(|made| match memory {
        None => Ok(made),
        Some(memory) => limit::memory(memory).map(|()| made),
    });
    let converter = match made {
        Ok(made) => made,
        Err(reason) => return send(to, &Answer::Ready(Err(reason))),
    };
    send(to, &Answer::Ready(Ok(())))?;
    let mut worker = converter.worker();
    while let Some(message) = receive(from)? {
        let Message::Convert { request, bytes } = message else {
            return Err(wrong());
        };
        answer(to, request, &bytes, &mut *worker)?;
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
        let opening = Opening {
            library: opened.is_library(),
            entries: opened.entries().iter().map(Into::into).collect(),
        };
        Ok((opened, opening))
    });
    let (mut opened, opening) = match opened {
        Ok(opened) => opened,
        Err(failure) => return send(to, &Answer::Opened(Err(failure))),
    };
    let entries = request.first..opening.entries.len();
    send(to, &Answer::Opened(Ok(opening)))?;
    for entry in entries {
        let result = guarded(|| opened.convert(entry));
        let answer = Answer::Result {
            number: request.number,
            entry,
            result: result.as_ref().map(Kept::from).map_err(Failure::clone),
        };
        send(to, &answer)?;
    }
    close(opened)
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
