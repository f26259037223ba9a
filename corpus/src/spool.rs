//! The results of a batch in temporary files, so that its memory does not grow with the number of
//! inputs.
//!
//! Each thread writes the results of its inputs as lines of JSON to a separate file. It takes the inputs
//! in their order, so that each file is sorted, and reading is a merge. The files have no names, so they
//! vanish if the batch is killed. If the disk is full, further results stay in memory.
//!
//! Most results are as expected: the lines of the others are marked, so that a list of failures does not
//! need all results parsed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use crate::report::ShaderReport;

/// Bytes that a thread keeps before it writes them; small batches need no file.
const BUFFER: usize = 1 << 16;

/// Begins the line of an input with a notable result.
const MARK: char = '!';

/// The results of one thread.
#[derive(Debug)]
pub(crate) struct Part {
    /// Where the file is, the folder of the outputs; `None`: the system's folder for temporary files.
    folder: Option<PathBuf>,
    file: Option<File>,
    /// Bytes in the file.
    written: u64,
    /// Bytes that are not yet in the file.
    rest: Vec<u8>,
    /// True if no more can be written.
    full: bool,
    /// True if a line is marked.
    is_notable: bool,
}

impl Part {
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self {
            folder: folder.map(Path::to_owned),
            file: None,
            written: 0,
            rest: Vec::new(),
            full: false,
            is_notable: false,
        }
    }

    /// Adds the results of an input, which comes after those that were added before.
    pub(crate) fn push(&mut self, index: usize, reports: &[ShaderReport]) -> io::Result<()> {
        let length = self.rest.len();
        if reports.iter().any(is_notable) {
            self.is_notable = true;
            self.rest.push(MARK as u8);
        }
        if let Err(error) = serde_json::to_writer(&mut self.rest, &(index, reports)) {
            self.rest.truncate(length);
            return Err(error.into());
        }
        self.rest.push(b'\n');
        if self.rest.len() >= BUFFER && !self.full {
            match self.write() {
                Ok(()) => {
                    self.written += self.rest.len() as u64;
                    self.rest.clear();
                }
                // Bytes of the rest that were written are not read.
                Err(_) => self.full = true,
            }
        }
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(match &self.folder {
                Some(folder) => tempfile::tempfile_in(folder)?,
                None => tempfile::tempfile()?,
            }),
        };
        file.write_all(&self.rest)
    }

    fn lines(&mut self, notable: bool) -> io::Result<Lines<'_>> {
        let file: Box<dyn Read> = match &mut self.file {
            Some(file) => {
                file.seek(SeekFrom::Start(0))?;
                Box::new(file)
            }
            None => Box::new(io::empty()),
        };
        let all = file
            .take(self.written)
            .chain(Cursor::new(self.rest.as_slice()));
        let mut lines = Lines {
            from: BufReader::new(all),
            line: String::new(),
            notable,
            next: None,
        };
        lines.advance()?;
        Ok(lines)
    }
}

/// The results of a batch.
#[derive(Debug)]
pub struct Spool {
    parts: Vec<Part>,
}

impl Spool {
    pub(crate) fn new(parts: Vec<Part>) -> Self {
        Self { parts }
    }

    /// Returns the results in input order.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be read, as each element may.
    pub fn iter(&mut self) -> io::Result<Shaders<'_>> {
        Shaders::of(self.parts.iter_mut().map(|part| part.lines(false)))
    }

    /// Returns the results of inputs with a shader that failed, was not validated or was renamed, in
    /// input order. It costs little where there are none.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be read, as each element may.
    pub fn iter_notable(&mut self) -> io::Result<Shaders<'_>> {
        let parts = self.parts.iter_mut().filter(|part| part.is_notable);
        Shaders::of(parts.map(|part| part.lines(true)))
    }

    /// Returns the results in input order, in memory.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be read.
    pub fn collect(&mut self) -> io::Result<Vec<ShaderReport>> {
        self.iter()?.collect()
    }

    /// Returns the results in input order, in memory, and for each the index of its input.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be read.
    pub fn collect_with_inputs(&mut self) -> io::Result<(Vec<ShaderReport>, Vec<usize>)> {
        let mut results = self.iter()?;
        let (mut reports, mut inputs) = (Vec::new(), Vec::new());
        while let Some(report) = results.next() {
            reports.push(report?);
            inputs.push(results.input);
        }
        Ok((reports, inputs))
    }
}

/// Returns true for a result that lists of failures and others have.
fn is_notable(report: &ShaderReport) -> bool {
    report.error.is_some() || report.not_validated.is_some() || report.clashes_with.is_some()
}

/// The bytes of a part: those in the file, then the rest.
type Bytes<'a> = Chain<Take<Box<dyn Read + 'a>>, Cursor<&'a [u8]>>;

/// The lines of a part.
struct Lines<'a> {
    from: BufReader<Bytes<'a>>,
    line: String,
    /// True if only lines with a mark are read.
    notable: bool,
    /// The input that comes next and its results.
    next: Option<(usize, Vec<ShaderReport>)>,
}

impl Lines<'_> {
    /// Returns the input and the results that come next, and reads those after them.
    fn advance(&mut self) -> io::Result<(usize, Vec<ShaderReport>)> {
        let next = loop {
            self.line.clear();
            if self.from.read_line(&mut self.line)? == 0 {
                break None;
            }
            match self.line.strip_prefix(MARK) {
                Some(json) => break Some(serde_json::from_str(json)?),
                None if self.notable => {}
                None => break Some(serde_json::from_str(&self.line)?),
            }
        };
        let current = std::mem::replace(&mut self.next, next);
        Ok(current.unwrap_or_default())
    }
}

/// Reads the results of a batch in input order.
pub struct Shaders<'a> {
    parts: Vec<Lines<'a>>,
    /// The current input.
    input: usize,
    /// Its results that were not returned yet.
    current: std::vec::IntoIter<ShaderReport>,
}

impl<'a> Shaders<'a> {
    fn of(parts: impl Iterator<Item = io::Result<Lines<'a>>>) -> io::Result<Self> {
        Ok(Self {
            parts: parts.collect::<io::Result<_>>()?,
            input: 0,
            current: Vec::new().into_iter(),
        })
    }
}

impl Iterator for Shaders<'_> {
    type Item = io::Result<ShaderReport>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(report) = self.current.next() {
                return Some(Ok(report));
            }
            let with_next = self.parts.iter_mut().filter(|part| part.next.is_some());
            let first = with_next.min_by_key(|part| part.next.as_ref().map(|(index, _)| *index))?;
            match first.advance() {
                Ok((input, reports)) => {
                    self.input = input;
                    self.current = reports.into_iter();
                }
                Err(error) => {
                    // There is nothing to be read after it.
                    self.parts.clear();
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{BUFFER, Part, Spool, is_notable};
    use crate::report::ShaderReport;

    /// Returns a result of each status for an input.
    fn reports(index: usize) -> Vec<ShaderReport> {
        let mut reports = crate::sample::report().shaders;
        reports.truncate(index % 5);
        for report in &mut reports {
            report.words = index as u64;
            if index % 3 == 1 {
                report.clashes_with = None;
                report.not_validated = None;
                report.error = None;
            }
        }
        reports
    }

    /// Adds the results of some inputs to parts in another order than threads would.
    fn spool(inputs: usize, folder: Option<&Path>) -> (Spool, Vec<ShaderReport>) {
        let mut parts: Vec<Part> = (0..3).map(|_| Part::new(folder)).collect();
        for index in 0..inputs {
            parts[index * index % 3]
                .push(index, &reports(index))
                .unwrap();
        }
        (Spool::new(parts), (0..inputs).flat_map(reports).collect())
    }

    #[test]
    fn results_come_in_input_order_as_often_as_wanted() {
        let folder = tempfile::tempdir().unwrap();
        for inputs in [0, 1, 7, 2000] {
            let (mut spool, expected) = spool(inputs, Some(folder.path()));
            let has_file = spool.parts.iter().any(|part| part.written > 0);
            assert_eq!(has_file, inputs == 2000);
            assert!(spool.parts.iter().all(|part| part.rest.len() < BUFFER));
            assert!(spool.collect().unwrap() == expected, "{inputs}");
            assert!(spool.collect().unwrap() == expected, "{inputs}, again");
            let (read, of_input) = spool.collect_with_inputs().unwrap();
            assert!(read == expected, "{inputs}, with inputs");
            let of_reports = |index| reports(index).into_iter().map(move |_| index);
            assert!(of_input == (0..inputs).flat_map(of_reports).collect::<Vec<_>>());
            // Of the results of an input all or none.
            let notable = (0..inputs)
                .map(reports)
                .filter(|reports| reports.iter().any(is_notable));
            let notable: Vec<ShaderReport> = notable.flatten().collect();
            assert!(inputs < 7 || notable.len() < expected.len());
            let read = spool.iter_notable().unwrap().map(Result::unwrap);
            assert!(read.collect::<Vec<_>>() == notable, "{inputs}, notable");
            let names = std::fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(names, 0, "the files have no names");
        }
    }

    #[test]
    fn what_cannot_be_written_stays_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let none = folder.path().join("none");
        let (mut spool, expected) = spool(2000, Some(&none));
        assert!(spool.parts.iter().all(|part| part.written == 0));
        assert!(spool.collect().unwrap() == expected);
    }

    /// A full disk may accept only a part of a write.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_disk_that_becomes_full_loses_nothing() {
        let (mut spool, mut expected) = spool(2000, None);
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut files = Vec::new();
        for part in &mut spool.parts {
            files.push(part.file.replace(full.try_clone().unwrap()));
        }
        for index in 2000..4000 {
            spool.parts[index % 3].push(index, &reports(index)).unwrap();
            expected.extend(reports(index));
        }
        for (part, file) in spool.parts.iter_mut().zip(files) {
            assert!(part.full && part.rest.len() > BUFFER);
            part.file = file;
        }
        assert!(spool.collect().unwrap() == expected);
    }
}
