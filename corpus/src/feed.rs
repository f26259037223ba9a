//! Hands the inputs of a batch out to its threads, one after another.
//!
//! Files are read by the thread that converts them. What is in an archive comes in order, or by one
//! thread at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::{Failure, Kind};
use crate::files;
use crate::inputs::Input;
use crate::inputs::archive::{Format, TarReader, Zip, open_zip, read_zip};

/// The inputs that no thread has yet.
pub(crate) struct Feed<'a> {
    inputs: &'a [Input],
    next: Mutex<Next>,
}

struct Next {
    index: usize,
    /// The archive that the input before was in.
    open: Option<(PathBuf, Open)>,
}

#[derive(Clone)]
enum Open {
    Zip(Arc<Mutex<Zip>>),
    Tar(Arc<Mutex<TarReader>>),
    Failed(Failure),
}

/// Where the bytes of an input are.
enum Contents {
    File,
    Bytes(Result<Vec<u8>, Failure>),
    Zip(Arc<Mutex<Zip>>, u64),
}

/// An input and its bytes.
pub(crate) struct Fed<'a> {
    pub(crate) index: usize,
    pub(crate) input: &'a Input,
    pub(crate) bytes: Result<Vec<u8>, Failure>,
}

impl<'a> Feed<'a> {
    pub(crate) fn new(inputs: &'a [Input]) -> Self {
        let next = Next {
            index: 0,
            open: None,
        };
        Self {
            inputs,
            next: Mutex::new(next),
        }
    }

    /// Returns the next input, and its bytes or why it has none.
    pub(crate) fn take(&self) -> Option<Fed<'a>> {
        let (index, input, contents) = self.take_next()?;
        let bytes = match contents {
            Contents::File => files::read(&input.path),
            Contents::Bytes(bytes) => bytes,
            Contents::Zip(zip, member) => read_zip(&mut lock(&zip), member),
        };
        Some(Fed {
            index,
            input,
            bytes,
        })
    }

    fn take_next(&self) -> Option<(usize, &'a Input, Contents)> {
        let mut next = lock(&self.next);
        let index = next.index;
        let input = self.inputs.get(index)?;
        next.index += 1;
        let contents = match (&input.problem, input.member) {
            (Some(problem), _) => Contents::Bytes(Err((**problem).clone())),
            (None, None) => Contents::File,
            (None, Some(member)) => match next.archive(&self.inputs[index..], &input.path) {
                Open::Zip(zip) => Contents::Zip(zip, member),
                // In order: while this is locked, no other thread takes the next one.
                Open::Tar(tar) => Contents::Bytes(lock(&tar).next()),
                Open::Failed(failure) => Contents::Bytes(Err(failure)),
            },
        };
        Some((index, input, contents))
    }
}

impl Next {
    /// Returns the archive that the first of the remaining inputs is in.
    fn archive(&mut self, rest: &[Input], path: &Path) -> Open {
        match &self.open {
            Some((known, open)) if known == path => open.clone(),
            _ => {
                let open = open(rest, path).unwrap_or_else(|error| {
                    let message = format!("cannot read the archive: {error}");
                    Open::Failed(Failure::new(Kind::Archive, message))
                });
                self.open = Some((path.to_owned(), open.clone()));
                open
            }
        }
    }
}

/// Opens an archive for the inputs that are in it and come next.
fn open(rest: &[Input], path: &Path) -> io::Result<Open> {
    match Format::of_path(path) {
        Some(format @ (Format::Tar | Format::TarZst)) => {
            let of_archive = rest.iter().take_while(|input| input.path == path);
            let readable = of_archive.filter(|input| input.problem.is_none());
            let members = readable.filter_map(|input| input.member).collect();
            let tar = TarReader::start(path.to_owned(), format, members)?;
            Ok(Open::Tar(Arc::new(Mutex::new(tar))))
        }
        _ => Ok(Open::Zip(Arc::new(Mutex::new(open_zip(path)?)))),
    }
}

/// Locks what stays usable if a thread panics: each change of it is one step.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
