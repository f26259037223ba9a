//! Conversion in worker processes: no shader can stop the batch, whatever it does to its worker.
//!
//! A thread cannot be stopped, and a stack overflow or a failed allocation ends the process that it
//! is in. [`Isolated`] therefore has a process for each thread of the batch, which converts one
//! input after another with the same converter as without isolation, and keeps its memory between
//! them. A process that takes too long is killed. If a process ends, the entry point that it was
//! converting fails, with the known details; the other entry points of the input, and the next
//! inputs, are converted by a new one.
//!
//! The result of a shader must not depend on the shaders that its process converted before. An
//! entry point that a used process did not survive is therefore tried again in a new one, except
//! after the time that it may take, which is the same in both.
//!
//! The worker is any program that calls [`serve`], such as a hidden command of the batch's own executable.

mod limit;
mod process;
mod protocol;
mod serve;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use trellis_dxil::Entry;

use crate::converter::{Converted, Converter, Opened, Worker, elapsed_time};
use crate::failure::{Failure, Kind};
use process::Process;
use protocol::{Answer, Opening, Request};

pub use serve::{MakeConverter, serve};

/// Limits for one entry point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time of the conversion; the time of an input's first entry point includes parsing.
    pub time: Option<Duration>,
    /// Memory in bytes that the worker may map in addition to its mappings before the first input.
    /// Only Linux can limit it.
    pub memory: Option<u64>,
}

/// The program of the worker processes.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The data that it makes its converter from.
    pub setup: Vec<u8>,
}

/// Has inputs converted by worker processes.
pub struct Isolated {
    program: Program,
    limits: Limits,
    identity: Option<String>,
}

impl Isolated {
    /// Returns the converter after a worker has shown that there can be some. `identity` is
    /// [that](Converter::identity) of its converter.
    ///
    /// # Errors
    /// Returns the reason if there can be no worker, or if this system cannot keep the limits.
    pub fn start(
        program: Program,
        limits: Limits,
        identity: Option<String>,
    ) -> Result<Self, String> {
        // It is not kept: a worker ends with the thread that started it.
        drop(Process::start(&program, limits)?);
        Ok(Self {
            program,
            limits,
            identity,
        })
    }
}

impl Converter for Isolated {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Thread {
            isolated: self,
            process: None,
        })
    }

    fn identity(&self) -> Option<String> {
        self.identity.clone()
    }

    fn clock(&self) -> fn() -> Duration {
        // The thread waits for its process.
        elapsed_time
    }
}

/// The process of a thread.
struct Thread<'a> {
    isolated: &'a Isolated,
    /// `None`: there is none until it is needed.
    process: Option<Process>,
}

impl Thread<'_> {
    /// Asks for the entry points of an input from `first` on, and returns the request and the
    /// worker's description of the input.
    fn ask(&mut self, bytes: &[u8], first: usize) -> Result<(Request, Opening), Failure> {
        self.retry(|thread| {
            let process = thread.process()?;
            let number = process.number;
            process.number += 1;
            let request = Request { number, first };
            let opened = match process.ask(request, bytes) {
                true => process.next(|answer| match answer {
                    Answer::Opened(opened) => Some(opened),
                    _ => None,
                }),
                false => None,
            };
            let opening = opened.ok_or_else(|| thread.ended())??;
            Ok((request, opening))
        })
    }

    /// Runs a request; if it fails in a used process, retries it once in a new one.
    fn retry<T>(
        &mut self,
        mut ask: impl FnMut(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let used = self.is_used();
        match ask(self) {
            Err(failure) if used && is_of_process(&failure) => ask(self),
            result => result,
        }
    }

    fn is_used(&self) -> bool {
        self.process.as_ref().is_some_and(|used| used.number > 0)
    }

    fn process(&mut self) -> Result<&mut Process, Failure> {
        let process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.isolated.program, self.isolated.limits)
                .map_err(|reason| Failure::new(Kind::Crashed, reason))?,
        };
        Ok(self.process.insert(process))
    }

    /// Returns the failure of the work that the process was doing when it ended.
    fn ended(&mut self) -> Failure {
        let none = || Failure::new(Kind::Crashed, "there is no worker process");
        self.process.take().map_or_else(none, Process::failure)
    }
}

impl Worker for Thread<'_> {
    fn open<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        let (request, opening) = self.ask(bytes, 0)?;
        Ok(Box::new(Remote {
            used: request.number > 0,
            request: Some(request),
            next: 0,
            thread: self,
            bytes,
            opening,
        }))
    }
}

/// Returns true for a failure that the process may be the reason of rather than the shader.
fn is_of_process(failure: &Failure) -> bool {
    matches!(failure.kind, Kind::MemoryLimit | Kind::Crashed)
}

/// An input that a worker process has opened.
struct Remote<'a, 'b> {
    thread: &'a mut Thread<'b>,
    bytes: &'a [u8],
    opening: Opening,
    /// The request whose results come; `None` if the process has ended.
    request: Option<Request>,
    /// The entry point whose result comes next.
    next: usize,
    /// True if the process has converted something before that entry point.
    used: bool,
}

impl Remote<'_, '_> {
    /// Asks a new process for the rest.
    fn ask_again(&mut self, entry: usize) -> Result<Request, Failure> {
        // Late answers of the old process are not read.
        self.thread.process = None;
        self.request = None;
        let (request, opening) = self.thread.ask(self.bytes, entry)?;
        if opening != self.opening {
            self.thread.process = None;
            return Err(Failure::new(
                Kind::Crashed,
                "a worker process reads the input otherwise than the one before",
            ));
        }
        self.request = Some(request);
        self.used = false;
        self.next = entry;
        Ok(request)
    }

    fn receive(&mut self, entry: usize) -> Result<Converted, Failure> {
        let request = match self.request {
            Some(request) if self.next == entry => request,
            _ => self.ask_again(entry)?,
        };
        let result = self.thread.process.as_mut().and_then(|process| {
            process.next(|answer| match answer {
                Answer::Result {
                    number,
                    entry: of,
                    result,
                } if (number, of) == (request.number, entry) => Some(result),
                _ => None,
            })
        });
        let Some(result) = result else {
            self.request = None;
            return Err(self.thread.ended());
        };
        self.next += 1;
        self.used = true;
        result.map(|kept| Converted::from(&kept))
    }
}

impl Opened for Remote<'_, '_> {
    fn entries(&self) -> Vec<Entry> {
        self.opening.entries.iter().map(Entry::from).collect()
    }

    fn is_library(&self) -> bool {
        self.opening.library
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        if self.request.is_some() && entry > 0 && self.next == entry {
            // The time of the first one began when the input was sent.
            if let Some(process) = &mut self.thread.process {
                process.begin();
            }
        }
        let used = self.used && self.request.is_some();
        match self.receive(entry) {
            Err(failure) if used && self.request.is_none() && is_of_process(&failure) => {
                self.receive(entry)
            }
            result => result,
        }
    }
}

impl Drop for Remote<'_, '_> {
    fn drop(&mut self) {
        // Results that were not taken would be used for the next input.
        if self.next < self.opening.entries.len() {
            self.thread.process = None;
        }
    }
}
