//! The limit on the size of a cache.
//!
//! All files are listed twice: once for how many bytes were used last in each second, which gives the second
//! up to which files are removed, and once to remove them. Memory grows with the seconds, not with the files.
//!
//! Several batches may do this at once, and while others read and write: a missing file is not an
//! error, one that is being read stays readable or is made again, and one that was used between the
//! two lists is kept.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file of the cache.
struct Entry {
    path: PathBuf,
    bytes: u64,
    /// The second of its last use.
    used: u64,
}

/// Removes the files that were used least recently, until the others have at most `limit` bytes.
///
/// # Errors
/// Returns the first error of removing a file, after all were tried.
pub(super) fn keep_within(folder: &Path, limit: u64) -> io::Result<()> {
    let mut by_second: BTreeMap<u64, u64> = BTreeMap::new();
    for entry in entries(folder) {
        let bytes = by_second.entry(entry.used).or_default();
        *bytes = bytes.saturating_add(entry.bytes);
    }
    let all = by_second.values().copied().fold(0, u64::saturating_add);
    let mut excess = all.saturating_sub(limit);
    if excess == 0 {
        return Ok(());
    }
    // The last second whose files are removed, and the number of bytes of that second to remove.
    let mut last = 0;
    for (second, bytes) in by_second {
        last = second;
        if bytes >= excess {
            break;
        }
        excess -= bytes;
    }
    let mut first_error = Ok(());
    for entry in entries(folder) {
        let is_removed = entry.used < last || (entry.used == last && excess > 0);
        if !is_removed {
            continue;
        }
        if entry.used == last {
            excess = excess.saturating_sub(entry.bytes);
        }
        match fs::remove_file(&entry.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                first_error = first_error.and(Err(error));
            }
            _ => {}
        }
    }
    first_error
}

/// Lists the files of a cache, by sub-folder; files with other names are not touched.
fn entries(folder: &Path) -> impl Iterator<Item = Entry> {
    let folders = list(folder).filter(|(name, _)| is_hexadecimal(name, 2));
    let files = folders.flat_map(|(_, folder)| list(&folder));
    files
        .filter(|(name, _)| is_hexadecimal(name, 62))
        .filter_map(|(_, path)| entry(path))
}

fn entry(path: PathBuf) -> Option<Entry> {
    let metadata = fs::symlink_metadata(&path).ok()?;
    let used = metadata
        .modified()
        .ok()?
        .duration_since(SystemTime::UNIX_EPOCH);
    metadata.is_file().then(|| Entry {
        path,
        bytes: metadata.len(),
        used: used.map_or(0, |used| used.as_secs()),
    })
}

/// Lists a folder, sorted, so that all processes remove the same of several files of one second.
fn list(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let named =
        entries.filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())));
    let mut named: Vec<_> = named.collect();
    named.sort();
    named.into_iter()
}

fn is_hexadecimal(name: &str, length: usize) -> bool {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.len() == length && name.bytes().all(digit)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::{Path, PathBuf};
    use std::time::{Duration, SystemTime};

    use super::keep_within;

    /// Creates a file of the cache with a time of its last use.
    fn file(folder: &Path, name: &str, bytes: usize, second: u64) -> PathBuf {
        let name = name.repeat(64);
        let path = folder.join(&name[..2]).join(&name[2..64]);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, vec![0; bytes]).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        path
    }

    #[test]
    fn what_was_used_least_recently_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let files = [
            file(root, "c", 10, 1),
            file(root, "a", 10, 2),
            file(root, "b", 10, 2),
            file(root, "0", 10, 3),
        ];
        let other = root.join("aa/readme");
        fs::write(&other, [0; 100]).unwrap();
        let left = || files.clone().map(|path| path.exists());
        keep_within(root, 40).unwrap();
        assert_eq!(left(), [true; 4]);
        keep_within(root, 35).unwrap();
        assert_eq!(left(), [false, true, true, true]);
        // Of the files of one second, only the needed number is removed.
        keep_within(root, 20).unwrap();
        assert_eq!(left(), [false, false, true, true]);
        keep_within(root, 19).unwrap();
        assert_eq!(left(), [false, false, false, true]);
        keep_within(root, 0).unwrap();
        assert_eq!(left(), [false; 4]);
        assert!(other.exists());
        keep_within(root, 0).unwrap();
        keep_within(&root.join("none"), 0).unwrap();
    }

    #[test]
    fn two_batches_may_remove_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..200u64 {
            let name = format!("{number:02x}");
            file(folder.path(), &name, 10, number);
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| keep_within(folder.path(), 500).unwrap());
            }
        });
        let left = super::entries(folder.path());
        let oldest = left.map(|entry| entry.used).min();
        // A second list may begin when the first batch has removed files, and removes no more then.
        assert_eq!(oldest, Some(150));
    }
}
