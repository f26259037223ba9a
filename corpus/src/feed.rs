//! Hands the inputs of a batch out to its threads, in their order.
//!
//! Files are read by the thread that converts them, and handed out several of a folder at a time.
//! While two threads create files in one folder, each waits for the other, as the system locks the folder.
//! Members of an archive come in order, or by one thread at a time.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::{Failure, Kind};
use crate::files;
use crate::inputs::Input;
use crate::inputs::archive::{Format, TarReader, Zip, open_zip, read_zip};

/// The inputs that no thread has yet.
pub(crate) struct Feed<'a> {
    inputs: &'a [Input],
    /// How many parts the remaining inputs have at least, so that all threads are done at about the same time.
    parts: usize,
    next: Mutex<Next>,
}

struct Next {
    index: usize,
    /// The archive that the input before was in.
    open: Option<(PathBuf, Open)>,
}

/// The source of one thread's inputs.
pub(crate) struct ThreadFeed<'f, 'a> {
    feed: &'f Feed<'a>,
    /// The files that it has and did not take yet.
    files: Range<usize>,
}

#[derive(Clone)]
enum Open {
    Zip(Arc<Mutex<Zip>>),
    Tar(Arc<Mutex<TarReader>>),
    Failed(Failure),
}

/// Where the bytes of an input are.
enum Contents {
    /// Of this input and some that follow it.
    Files(usize),
    Bytes(Result<Vec<u8>, Failure>),
    Zip(Arc<Mutex<Zip>>, u64),
}

/// An input and its bytes.
pub(crate) struct FeedItem<'a> {
    pub(crate) index: usize,
    pub(crate) input: &'a Input,
    pub(crate) bytes: Result<Vec<u8>, Failure>,
}

impl<'a> Feed<'a> {
    /// Creates the feed of some threads; `None`: each takes one input after another.
    pub(crate) fn new(inputs: &'a [Input], threads: Option<usize>) -> Self {
        let next = Next {
            index: 0,
            open: None,
        };
        Self {
            inputs,
            parts: threads.map_or(usize::MAX, |threads| threads.saturating_mul(2)),
            next: Mutex::new(next),
        }
    }

    /// Returns the source of a thread's inputs.
    pub(crate) fn for_thread(&self) -> ThreadFeed<'_, 'a> {
        ThreadFeed {
            feed: self,
            files: 0..0,
        }
    }

    fn take_next(&self) -> Option<(usize, &'a Input, Contents)> {
        let mut next = lock(&self.next);
        let index = next.index;
        let rest = self.inputs.get(index..)?;
        let input = rest.first()?;
        let contents = match (&input.problem, input.place()) {
            (Some(problem), _) => Contents::Bytes(Err((**problem).clone())),
            (None, None) => Contents::Files(of_folder(rest, rest.len() / self.parts)),
            (None, Some(place)) => match next.archive(rest, &input.path) {
                Open::Zip(zip) => Contents::Zip(zip, place),
                // In order: while this is locked, no other thread takes the next one.
                Open::Tar(tar) => Contents::Bytes(lock(&tar).next()),
                Open::Failed(failure) => Contents::Bytes(Err(failure)),
            },
        };
        next.index += match contents {
            Contents::Files(count) => count,
            _ => 1,
        };
        Some((index, input, contents))
    }
}

impl<'a> ThreadFeed<'_, 'a> {
    /// Returns the next input, and its bytes or why it has none.
    pub(crate) fn take(&mut self) -> Option<FeedItem<'a>> {
        if let Some(index) = self.files.next() {
            return self.file(index);
        }
        let (index, input, contents) = self.feed.take_next()?;
        let bytes = match contents {
            Contents::Files(count) => {
                self.files = index + 1..index + count;
                return self.file(index);
            }
            Contents::Bytes(bytes) => bytes,
            Contents::Zip(zip, member) => read_zip(&mut lock(&zip), member),
        };
        Some(FeedItem {
            index,
            input,
            bytes,
        })
    }

    fn file(&self, index: usize) -> Option<FeedItem<'a>> {
        let input = self.feed.inputs.get(index)?;
        Some(FeedItem {
            index,
            input,
            bytes: files::read(&input.path),
        })
    }
}

/// Returns how many of the first inputs are files whose outputs are in one folder (the first input
/// is a file): at least one, and at most `limit`.
fn of_folder(inputs: &[Input], limit: usize) -> usize {
    let folder = |input: &Input| input.relative.bytes().rposition(|b| b == b'/').unwrap_or(0);
    let Some(first) = inputs.first() else {
        return 0;
    };
    let first = &first.relative[..folder(first)];
    let is_in = |input: &&Input| {
        let is_file = input.problem.is_none() && input.member.is_none();
        is_file && input.relative[..folder(input)] == *first
    };
    let limit = limit.max(1);
    inputs.iter().take(limit).take_while(is_in).count().max(1)
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
        Some(format) if format != Format::Zip => {
            let of_archive = rest.iter().take_while(|input| input.path == path);
            let readable = of_archive.filter(|input| input.problem.is_none());
            let members = readable.filter_map(Input::place).collect();
            let tar = TarReader::start(path.to_owned(), format, members)?;
            Ok(Open::Tar(Arc::new(Mutex::new(tar))))
        }
        _ => Ok(Open::Zip(Arc::new(Mutex::new(open_zip(path)?)))),
    }
}

/// Locks a value that stays usable if a thread panics: each change of it is atomic.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Feed, ThreadFeed, of_folder};
    use crate::failure::Kind;
    use crate::inputs::{ArchiveMember, Input};

    /// Creates inputs whose files do not exist.
    fn inputs(names: &[&str]) -> Vec<Input> {
        let path = |name: &&str| Input::file(format!("/none/{name}"), *name);
        names.iter().map(path).collect()
    }

    fn indices(source: &mut ThreadFeed<'_, '_>, count: usize) -> Vec<usize> {
        (0..count)
            .map_while(|_| source.take().map(|fed| fed.index))
            .collect()
    }

    #[test]
    fn threads_take_the_files_of_different_folders() {
        let names: Vec<String> = (0..40)
            .map(|index| format!("{}/{index:02}.dxil", index / 4))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let inputs = inputs(&names);
        let feed = Feed::new(&inputs, Some(2));
        let (mut a, mut b) = (feed.for_thread(), feed.for_thread());
        assert_eq!(indices(&mut a, 1), [0]);
        assert_eq!(indices(&mut b, 5), [4, 5, 6, 7, 8]);
        assert_eq!(indices(&mut a, 4), [1, 2, 3, 12]);
        // At the end each takes less: 24 inputs are more than four times four, 12 are three.
        assert_eq!(indices(&mut a, 15), (13..28).collect::<Vec<_>>());
        assert_eq!(indices(&mut a, 1), [28]);
        assert_eq!(indices(&mut b, 4), [9, 10, 11, 31]);
        let (rest, last) = (indices(&mut b, 40), indices(&mut a, 40));
        assert_eq!(rest, (32..40).collect::<Vec<_>>());
        assert_eq!(last, [29, 30]);
    }

    #[test]
    fn inputs_are_taken_one_by_one_where_their_order_counts() {
        let inputs = inputs(&["a", "b", "c", "d"]);
        let feed = Feed::new(&inputs, None);
        let (mut a, mut b) = (feed.for_thread(), feed.for_thread());
        assert_eq!(indices(&mut a, 1), [0]);
        assert_eq!(indices(&mut b, 2), [1, 2]);
        assert_eq!(indices(&mut a, 9), [3]);
    }

    #[test]
    fn what_is_taken_at_once_is_files_of_one_folder() {
        let mut inputs = inputs(&["a", "b", "c/a", "c/b", "c/d/a", "c/e", "c/f", "cc/a"]);
        inputs[6] = inputs[6].clone().with_problem(Kind::Io, "unreadable");
        let counts: Vec<usize> = (0..inputs.len())
            .map(|first| of_folder(&inputs[first..], 9))
            .collect();
        assert_eq!(counts, [2, 1, 2, 1, 1, 1, 1, 1]);
        assert_eq!(of_folder(&inputs, 0), 1);
        inputs[1].member = Some(ArchiveMember {
            place: 0,
            path: "x.dxil".to_owned(),
        });
        assert_eq!(of_folder(&inputs, 9), 1);
    }
}
