//! The contents of output folders before outputs are written: temporary files of killed batches,
//! which are removed, and whether there is anything but files. Temporary files of reports are
//! removed, too.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::temporary::{label, label_in};

/// The age from which an unlocked temporary file is taken for a killed program's: a file is not
/// locked before its first byte and while it is renamed. The process id in its name proves nothing,
/// as another machine or container may write to the folder, too.
pub(crate) const ABANDONED: Duration = Duration::from_secs(2);

/// The contents of each folder. A folder is listed when its first output is written.
#[derive(Default)]
pub(crate) struct Leftovers {
    folders: Mutex<BTreeMap<PathBuf, Folder>>,
}

/// The former contents of a folder.
struct Folder {
    /// The temporary files of the outputs with each label.
    leftovers: BTreeMap<Vec<u8>, Vec<PathBuf>>,
    /// True if it has only files and folders.
    is_plain: bool,
}

impl Folder {
    /// Removes the temporary files of the file with this name.
    fn remove(&mut self, name: &OsStr) {
        let of_file = self.leftovers.remove(label(name).as_encoded_bytes());
        for leftover in of_file.into_iter().flatten() {
            let _ = fs::remove_file(leftover);
        }
    }
}

/// A thread's cached facts about the folder of its last output, which is usually the next one's,
/// too.
#[derive(Default)]
pub(crate) struct OutputFolder {
    /// A folder without temporary files.
    clean: Option<PathBuf>,
    is_plain: bool,
}

impl Leftovers {
    /// Removes the temporary files of an output. Errors do not matter: leftovers are harmless.
    /// Returns true if nothing but a file or a folder has the output's place.
    pub(crate) fn prepare(&self, output: &Path, known: &mut OutputFolder) -> bool {
        let (Some(path), Some(name)) = (output.parent(), output.file_name()) else {
            return false;
        };
        if known.clean.as_deref() == Some(path) {
            return known.is_plain;
        }
        // Each change is one step, so that it stays usable if a thread panics.
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if !folders.contains_key(path) {
            folders.insert(path.to_owned(), list(path, ABANDONED));
        }
        let Some(folder) = folders.get_mut(path) else {
            return false;
        };
        let files = folder.leftovers.remove(label(name).as_encoded_bytes());
        let is_plain = folder.is_plain;
        let is_clean = folder.leftovers.is_empty();
        drop(folders);
        *known = OutputFolder {
            clean: is_clean.then(|| path.to_owned()),
            is_plain,
        };
        for file in files.into_iter().flatten() {
            let _ = fs::remove_file(file);
        }
        is_plain
    }
}

/// Removes the temporary files of files that are as old as `age`. Each folder is listed once. Errors do not matter,
/// as in [`Leftovers::prepare`].
pub(crate) fn remove<'a>(files: impl Iterator<Item = &'a Path>, age: Duration) {
    let mut folders: BTreeMap<&Path, Folder> = BTreeMap::new();
    for file in files {
        let (Some(path), Some(name)) = (file.parent(), file.file_name()) else {
            continue;
        };
        let folder = folders.entry(path).or_insert_with(|| {
            let is_here = path.as_os_str().is_empty();
            list(if is_here { Path::new(".") } else { path }, age)
        });
        folder.remove(name);
    }
}

/// Lists a folder, with the temporary files that are as old as `age`.
fn list(path: &Path, age: Duration) -> Folder {
    let mut folder = Folder {
        leftovers: BTreeMap::new(),
        is_plain: true,
    };
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => {
            // A missing folder has no contents.
            folder.is_plain = error.kind() == io::ErrorKind::NotFound;
            return folder;
        }
    };
    for entry in entries {
        let kind = entry.as_ref().ok().and_then(|entry| entry.file_type().ok());
        folder.is_plain &= kind.is_some_and(|kind| kind.is_file() || kind.is_dir());
        let Ok(entry) = entry else {
            continue;
        };
        let name = entry.file_name();
        let Some(label) = label_in(&name) else {
            continue;
        };
        let Some(metadata) = entry.metadata().ok().filter(fs::Metadata::is_file) else {
            continue;
        };
        let modified = metadata.modified().ok();
        // A clock that was set back, or another machine's, gives no age.
        let has_age = |time| {
            SystemTime::now()
                .duration_since(time)
                .is_ok_and(|of| of > age)
        };
        let is_locked = || {
            let lock = fs::File::open(entry.path()).map(|file| file.try_lock());
            matches!(lock, Ok(Err(fs::TryLockError::WouldBlock)))
        };
        if age.is_zero() || (modified.is_some_and(has_age) && !is_locked()) {
            let files = folder.leftovers.entry(label.to_vec()).or_default();
            files.push(entry.path());
        }
    }
    folder
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    use super::{ABANDONED, Leftovers, OutputFolder};
    use crate::temporary::create;

    #[test]
    fn only_what_a_killed_batch_left_of_an_output_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = std::process::id();
        let long = format!("{}.spv", "x".repeat(245));
        let (file, of_long) = create(&folder.path().join(&long)).unwrap();
        drop(file);
        let old = [
            ".a.spv.4294967295.tmp".to_owned(),
            format!(".b.spv.{own}.tmp"),
            ".b.spv.1-0123456789abcdef.tmp".to_owned(),
            of_long.file_name().unwrap().to_str().unwrap().to_owned(),
        ];
        let (locked, path) = create(&folder.path().join("a.spv")).unwrap();
        locked.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let kept = [
            path.file_name().unwrap().to_str().unwrap().to_owned(),
            format!(".a.spv.{own}.tmp"),
            ".a.spv.1-fedcba9876543210.tmp".to_owned(),
            ".other.spv.4294967295.tmp".to_owned(),
            ".a.spv.tmp".to_owned(),
            ".a.spv.x.tmp".to_owned(),
            "a.spv".to_owned(),
        ];
        for name in old.iter().chain(&kept) {
            let mut open = File::options();
            let open = open.write(true).create(true).truncate(false);
            let file = open.open(folder.path().join(name)).unwrap();
            if old.contains(name) {
                file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            }
        }
        let leftovers = Leftovers::default();
        let mut known = OutputFolder::default();
        for name in ["other/c.spv", "b.spv", "c.spv", "a.spv", "d.spv", &long] {
            assert!(leftovers.prepare(&folder.path().join(name), &mut known));
        }
        for name in &old {
            assert!(!folder.path().join(name).exists(), "{name}");
        }
        for name in &kept {
            assert!(folder.path().join(name).exists(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), kept.len());
    }

    #[test]
    fn what_is_left_of_a_report_is_removed_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str, is_old: bool| {
            let file = File::create(folder.path().join(name)).unwrap();
            if is_old {
                file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            }
        };
        create(".t.parquet.7.tmp", true);
        create(".t.parquet.7-0123456789abcdef.tmp", true);
        create(".t.parquet.8-0123456789abcdef.tmp", false);
        create(".other.parquet.7.tmp", true);
        let table = folder.path().join("t.parquet");
        super::remove([&*table].into_iter(), ABANDONED);
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut left: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(
            left,
            [".other.parquet.7.tmp", ".t.parquet.8-0123456789abcdef.tmp"]
        );
    }

    #[test]
    fn all_that_is_left_of_outputs_is_removed_whatever_its_age() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/.x.spv.9.tmp")).unwrap();
        let old = [
            "a/.x.spv.7-0123456789abcdef.tmp",
            "a/.y.spv.7.tmp",
            ".x.spv.8-1.tmp",
        ];
        let kept = ["a/.z.spv.7.tmp", "a/x.spv"];
        for name in old.iter().chain(&kept) {
            File::create(folder.path().join(name)).unwrap();
        }
        let outputs = ["a/x.spv", "x.spv", "a/y.spv", "none/x.spv"].map(|o| folder.path().join(o));
        super::remove(outputs.iter().map(|output| &**output), Duration::ZERO);
        assert!(old.iter().all(|name| !folder.path().join(name).exists()));
        assert!(kept.iter().all(|name| folder.path().join(name).exists()));
        assert!(folder.path().join("a/.x.spv.9.tmp").is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_links_is_not_plain() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("below")).unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.path().join("b.spv")).unwrap();
        let (leftovers, mut known) = (Leftovers::default(), OutputFolder::default());
        for (name, is_plain) in [
            ("a.spv", false),
            ("b.spv", false),
            ("below/a.spv", true),
            ("below/b.spv", true),
            ("c.spv", false),
        ] {
            let output = folder.path().join(name);
            assert_eq!(leftovers.prepare(&output, &mut known), is_plain, "{name}");
        }
    }
}
