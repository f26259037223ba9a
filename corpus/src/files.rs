//! Files: inputs are read up to a limit, outputs are written as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use trellis_dxil::error::ErrorKind;

use crate::failure::{Failure, Kind};
use crate::leftovers::{self, ABANDONED};
use crate::temporary;

/// Maximum size of an input in bytes; a larger one fails without being read. The DXIL reader
/// accepts programs of up to 256 MiB.
const LARGEST_INPUT: u64 = 512 << 20;

/// Reads an input; only a file, and not a larger one than [`LARGEST_INPUT`].
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_dated(path).map(|(bytes, _)| bytes)
}

/// Reads a file as [`read`] does, and returns when it was modified.
pub(crate) fn read_dated(path: &Path) -> Result<(Vec<u8>, SystemTime), Failure> {
    let cannot =
        |error: io::Error| Failure::new(Kind::Io, format!("cannot read the file: {error}"));
    // Before it is opened, which waits if it is a pipe.
    let metadata = fs::metadata(path).map_err(cannot)?;
    if !metadata.is_file() {
        return Err(Failure::new(Kind::Io, "not a file"));
    }
    if metadata.len() > LARGEST_INPUT {
        return Err(too_large(metadata.len()));
    }
    // Read, not mapped: a program that truncates a mapped file would end this process with a signal.
    // One more byte than there are: the end is found without another buffer.
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let file = File::open(path).map_err(cannot)?;
    // It may grow while it is read.
    file.take(LARGEST_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    match bytes.len() as u64 {
        size if size > LARGEST_INPUT => Err(too_large(size)),
        _ => {
            // A system without such times has no use for them.
            let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Ok((bytes, modified))
        }
    }
}

/// Reads a member of an archive, which has `size` bytes by its header.
pub(crate) fn read_member(member: &mut dyn Read, size: u64) -> Result<Vec<u8>, Failure> {
    if size > LARGEST_INPUT {
        return Err(too_large(size));
    }
    // The size may be wrong: memory is allocated as data arrives.
    let mut bytes = Vec::new();
    let read = member.take(LARGEST_INPUT + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        let message = format!("cannot read it from the archive: {error}");
        Failure::new(Kind::Archive, message)
    })?;
    match bytes.len() as u64 {
        got if got > LARGEST_INPUT => Err(too_large(got)),
        _ => Ok(bytes),
    }
}

fn too_large(size: u64) -> Failure {
    let message = format!("the file has at least {size} bytes; the limit is {LARGEST_INPUT}");
    Failure::new(ErrorKind::Read, message)
}

/// Returns the bytes of a SPIR-V module: its words in little-endian order.
pub fn bytes_of(words: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 4 * words.len()];
    let chunks = bytes.as_chunks_mut::<4>().0;
    for (chunk, word) in chunks.iter_mut().zip(words) {
        *chunk = word.to_le_bytes();
    }
    bytes
}

/// Writes a module to a temporary file in the same folder and renames it, so that a file with the
/// final name is always complete; with `sync` after a loss of power, too. `is_plain`: it is known that nothing
/// but a file or a folder has that name.
pub(crate) fn write(path: &Path, bytes: &[u8], is_plain: bool, sync: bool) -> Result<(), Failure> {
    let write = |mut file: &File| {
        file.write_all(bytes)?;
        if sync { file.sync_data() } else { Ok(()) }
    };
    let written = match is_plain {
        true => replace_by(path, path, write),
        false => write_whole_with(path, write),
    };
    written.map_err(|error| {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Kind::DiskFull,
            _ => Kind::Io,
        };
        Failure::new(kind, format!("cannot write {}: {error}", path.display()))
    })
}

/// Writes `bytes` to `path` atomically: on failure, `path` keeps its previous contents. Creates the
/// folder if it does not exist.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |mut file| file.write_all(bytes))
}

/// Writes the output of `write` to `path`, as [`write_whole`] does.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    // A device or a pipe cannot be replaced by a file and has no contents to preserve.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return write(&File::create(path)?);
    }
    replace_by(path, path, write)
}

/// Returns the path of a temporary file that will become `path`, for a writer that opens its file
/// by itself: the path is unique, and the file of a killed program is removed as a leftover.
///
/// # Errors
/// The path has no name, such as `..`.
pub fn temporary_path(path: &Path) -> io::Result<PathBuf> {
    temporary::path_for(path)
}

/// Removes the temporary files that killed programs left of a file such as a report, which
/// [`write_whole_with`] does not: it lists the folder. Files that another program is writing stay.
/// Errors do not matter: leftovers are harmless.
pub fn remove_leftovers(path: &Path) {
    leftovers::remove(std::iter::once(path), ABANDONED);
}

/// Removes the temporary files that killed programs left of outputs, whatever their age, for
/// callers that know that no program is writing them. Each folder is listed once. Errors do not
/// matter: leftovers are harmless.
pub fn remove_all_leftovers<'a>(outputs: impl IntoIterator<Item = &'a Path>) {
    leftovers::remove(outputs.into_iter(), Duration::ZERO);
}

/// Writes a temporary file named after `place`, and renames it to `path`.
pub(crate) fn replace_by(
    place: &Path,
    path: &Path,
    write: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let (file, temporary) = temporary::create(place)?;
    let written = write(&file);
    // Closed before it is renamed.
    drop(file);
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first error is reported.
        let _ = fs::remove_file(&temporary);
    }
    done
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write as _;
    use std::path::{Path, PathBuf};

    use super::{LARGEST_INPUT, read, write_whole, write_whole_with};

    #[test]
    fn a_file_is_replaced_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join("new/a.spv");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let folder = fs::read_dir(folder.path().join("new")).unwrap();
        assert_eq!(folder.count(), 1, "no temporary file is left");
    }

    #[test]
    fn two_writers_of_a_file_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.spv");
        // As in two containers, both have the same number of the process.
        write_whole_with(&path, |mut outer| {
            outer.write_all(b"out")?;
            write_whole(&path, b"inner")?;
            assert_eq!(fs::read(&path)?, b"inner");
            outer.write_all(b"er")
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"outer");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_may_be_as_long_as_the_file_system_allows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(255));
        write_whole(&path, b"one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let longer = folder.path().join("x".repeat(256));
        assert!(write_whole(&longer, b"one").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_a_file_of_a_shaders_size_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.dxil");
        File::create(&path)
            .unwrap()
            .set_len(LARGEST_INPUT + 1)
            .unwrap();
        let error = |path: &Path| read(path).unwrap_err().message;
        assert!(error(&path).contains("the limit is 536870912"));
        assert_eq!(error(folder.path()), "not a file");
        assert!(error(&folder.path().join("gone")).starts_with("cannot read the file"));
    }
}
