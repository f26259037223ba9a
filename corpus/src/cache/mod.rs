//! The results of earlier batches in a folder, by the content of their inputs.
//!
//! A file of the cache has the results of one input: for each entry point the output or the failure.
//! Its name is the hash of all that the results depend on: the cache's format, the program, the
//! options, and the bytes of the input (BLAKE3). Nothing is ever out of date, and equal inputs share a
//! file. The first byte of the hash is the sub-folder.
//!
//! A file is written under another name, in the sub-folder `tmp`, and renamed. Several batches can
//! therefore share a folder at the same time, and one that is killed leaves no part of a file under a
//! name that is read. A file ends with a checksum; one that is damaged, truncated or of another format
//! is made again.
//!
//! Only repeatable results are kept: not the failure to read or write a file, and not a panic. The
//! folder can be deleted at any time. Programs that can write to it can change the outputs, as for
//! the output folder.
//!
//! Nothing is removed but the temporary files of killed batches, unless there is a limit of the
//! size: then a batch removes the least recently used files at its end (`cache/limit.rs`). The time
//! of a use is the file's time of modification, which a batch renews when it finds a file that is
//! an hour old.

mod limit;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use trellis_dxil::Entry;

use crate::converter::{Converted, Converter, Opened, Worker};
use crate::failure::Failure;
use crate::files;
use crate::guard::guarded;
use crate::record::{self, Key, Record};

/// The sub-folder of files that are not complete.
const TEMPORARY: &str = "tmp";

/// The age from which a temporary file is taken for a killed batch's: a file is written in far less
/// time.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// The age from which the time of a use is renewed: rarely, as it costs as much as reading a file.
const RENEWED: Duration = Duration::from_secs(60 * 60);

/// Where a batch keeps its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheSettings {
    /// The folder, created if it does not exist.
    pub folder: PathBuf,
    /// Identifies the program that converts, in addition to Trellis's version: results of another are
    /// not used. `trellis batch` has the hash of its executable here.
    pub program: String,
    /// Maximum number of bytes that the folder has after the batch; `None`: any. The least recently
    /// used results are removed.
    pub limit: Option<u64>,
}

/// Returns a name for something with these bytes, such as a program.
pub fn fingerprint(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_string()
}

/// The cache of one batch.
pub(crate) struct Cache {
    folder: PathBuf,
    /// [`CacheSettings::limit`].
    limit: Option<u64>,
    /// The hash state after the parts that all inputs share.
    common: blake3::Hasher,
    /// The first error.
    error: OnceLock<String>,
}

impl Cache {
    /// Opens the cache of a batch with this converter.
    ///
    /// # Errors
    /// Returns a message if nothing can be kept.
    pub(crate) fn open(
        settings: &CacheSettings,
        converter: &dyn Converter,
    ) -> Result<Self, String> {
        let identity = converter.identity().ok_or(
            "the outputs depend on a model of bindings, or of stage inputs and outputs, that has no name",
        )?;
        let folder = settings.folder.clone();
        let temporary = folder.join(TEMPORARY);
        fs::create_dir_all(&temporary).map_err(|error| cannot_write(&folder, &error))?;
        remove_abandoned(&temporary);
        let mut common = blake3::Hasher::new();
        for part in [
            "trellis batch cache 2",
            env!("CARGO_PKG_VERSION"),
            // The structurizer checks its results in debug builds, and spirv-val may be missing.
            if cfg!(debug_assertions) { "debug" } else { "" },
            if cfg!(feature = "validate") {
                "spirv-val"
            } else {
                ""
            },
            &settings.program,
            &identity,
        ] {
            // With the lengths no two lists of parts have the same bytes.
            common.update(&(part.len() as u64).to_le_bytes());
            common.update(part.as_bytes());
        }
        Ok(Self {
            folder,
            limit: settings.limit,
            common,
            error: OnceLock::new(),
        })
    }

    /// Removes files until the limit holds, and returns the first error of the batch, if there was
    /// one.
    pub(crate) fn finish(self) -> Option<String> {
        if let Some(limit) = self.limit
            && let Err(error) = limit::keep_within(&self.folder, limit)
        {
            let message = format!(
                "cannot remove from the cache {}: {error}",
                self.folder.display()
            );
            self.error.get_or_init(|| message);
        }
        self.error.into_inner()
    }

    /// Returns the input's results of an earlier batch and true, or opens it with `worker` and
    /// keeps the results.
    pub(crate) fn read<'a>(
        &'a self,
        bytes: &'a [u8],
        worker: &'a mut dyn Worker,
    ) -> (Result<Box<dyn Opened + 'a>, Failure>, bool) {
        let key = self.common.clone().update(bytes).finalize();
        if let Some(record) = self.get(&key) {
            return (record.map(|record| Box::new(record) as _), true);
        }
        let opened = guarded(|| {
            let inner = worker.open(bytes)?;
            let entries = inner.entries();
            Ok((inner, entries))
        });
        let result = opened.map(|(inner, entries)| {
            let record = Record::new(inner.is_library());
            // There is nothing to convert, so the record is never closed.
            if entries.is_empty() {
                self.put(&key, Ok(&record));
            }
            Box::new(Recording {
                cache: self,
                key,
                record,
                entries,
                inner,
            }) as _
        });
        if let Err(failure) = &result
            && record::is_repeatable(failure)
        {
            self.put(&key, Err(failure));
        }
        (result, false)
    }

    fn path(&self, key: &Key) -> PathBuf {
        let name = key.to_hex();
        let (first, rest) = name.split_at(2);
        self.folder.join(first).join(rest)
    }

    fn get(&self, key: &Key) -> Option<Result<Record, Failure>> {
        let path = self.path(key);
        let (bytes, modified) = files::read_dated(&path).ok()?;
        let record = decode(key, &bytes)?;
        renew(&path, modified);
        Some(record)
    }

    /// Keeps a record. A record that cannot be written is made again by the next batch.
    fn put(&self, key: &Key, record: Result<&Record, &Failure>) {
        let bytes = record::encode(key, record).map_err(io::Error::from);
        let written = bytes.and_then(|bytes| self.write(&self.path(key), &bytes));
        if let Err(error) = written {
            self.error
                .get_or_init(|| cannot_write(&self.folder, &error));
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let place = self.folder.join(TEMPORARY).join("record");
        files::replace_by(&place, path, |mut file| file.write_all(bytes))
    }
}

/// Returns the record of a file, if it is one of this cache: a panic is not kept.
fn decode(key: &Key, bytes: &[u8]) -> Option<Result<Record, Failure>> {
    record::decode(key, bytes).filter(record::can_be_kept)
}

fn cannot_write(folder: &Path, error: &io::Error) -> String {
    format!("cannot write to the cache {}: {error}", folder.display())
}

/// Makes now the time of a file's last use, if it was another hour. Errors do not matter: the file may be
/// removed too early, and is made again.
fn renew(path: &Path, modified: SystemTime) {
    let now = SystemTime::now();
    let age = now.duration_since(modified).unwrap_or_default();
    if age > RENEWED {
        let _ = File::open(path).and_then(|file| file.set_modified(now));
    }
}

/// Removes temporary files of killed batches. Errors do not matter: the next batch tries again.
fn remove_abandoned(folder: &Path) {
    let now = SystemTime::now();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.map(|modified| now.duration_since(modified).unwrap_or_default());
        if age.is_ok_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// An input whose results are kept when it is closed, if it has all of them.
struct Recording<'a> {
    cache: &'a Cache,
    key: Key,
    record: Record,
    entries: Vec<Entry>,
    inner: Box<dyn Opened + 'a>,
}

impl Opened for Recording<'_> {
    fn entries(&self) -> Vec<Entry> {
        self.entries.clone()
    }

    fn is_library(&self) -> bool {
        self.inner.is_library()
    }

    fn convert(&mut self, number: usize) -> Result<Converted, Failure> {
        // After a panic here or an unusual failure, the record never has all results.
        let result = self.inner.convert(number);
        let keep = result.as_ref().err().is_none_or(record::is_repeatable);
        if let Some(entry) = self.entries.get(number)
            && keep
            && self.record.len() == number
        {
            self.record.push(entry, &result);
        }
        result
    }

    fn close(self: Box<Self>) {
        if self.record.len() == self.entries.len() {
            self.cache.put(&self.key, Ok(&self.record));
        }
        self.inner.close();
    }
}

#[cfg(test)]
mod tests;
