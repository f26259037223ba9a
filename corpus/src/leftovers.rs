//! Temporary files that a killed batch left next to its outputs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The age from which a temporary file is that of a killed program: it exists for milliseconds. The number
/// of the process in its name says nothing, as another machine or container may write to the folder, too.
const ABANDONED: Duration = Duration::from_secs(60);

/// The temporary files of each output, by folder. A folder is listed when its first output is written.
#[derive(Default)]
pub(crate) struct Leftovers {
    folders: Mutex<BTreeMap<PathBuf, BTreeMap<OsString, Vec<PathBuf>>>>,
}

impl Leftovers {
    /// Removes those of an output. Errors do not matter: a leftover is in nobody's way.
    pub(crate) fn remove(&self, output: &Path) {
        let (Some(folder), Some(name)) = (output.parent(), output.file_name()) else {
            return;
        };
        // Each change is one step, so that it stays usable if a thread panics.
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if !folders.contains_key(folder) {
            folders.insert(folder.to_owned(), list(folder));
        }
        let files = folders.get_mut(folder).and_then(|files| files.remove(name));
        drop(folders);
        for file in files.into_iter().flatten() {
            let _ = fs::remove_file(file);
        }
    }
}

/// Lists the leftovers in a folder by the names of their outputs.
fn list(folder: &Path) -> BTreeMap<OsString, Vec<PathBuf>> {
    let mut found: BTreeMap<OsString, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(output) = output_of(&name) else {
            continue;
        };
        let is_file = entry.metadata().ok().filter(fs::Metadata::is_file);
        let modified = is_file.and_then(|metadata| metadata.modified().ok());
        let age = modified.and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age > ABANDONED) {
            found.entry(output.into()).or_default().push(entry.path());
        }
    }
    found
}

/// Returns the output of `.OUTPUT.PROCESS.tmp`, as `files::write_whole` names it.
fn output_of(name: &OsStr) -> Option<&str> {
    let name = name.to_str()?.strip_prefix('.')?.strip_suffix(".tmp")?;
    let (output, process) = name.rsplit_once('.')?;
    process.parse::<u32>().ok().map(|_| output)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::time::SystemTime;

    use super::Leftovers;

    #[test]
    fn only_what_a_killed_batch_left_of_an_output_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = std::process::id();
        let old = [
            ".a.spv.4294967295.tmp".to_owned(),
            format!(".b.spv.{own}.tmp"),
        ];
        let kept = [
            format!(".a.spv.{own}.tmp"),
            ".other.spv.4294967295.tmp".to_owned(),
            ".a.spv.tmp".to_owned(),
            ".a.spv.x.tmp".to_owned(),
            "a.spv".to_owned(),
        ];
        for name in old.iter().chain(&kept) {
            let file = File::create(folder.path().join(name)).unwrap();
            if old.contains(name) {
                file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            }
        }
        let leftovers = Leftovers::default();
        leftovers.remove(&folder.path().join("a.spv"));
        leftovers.remove(&folder.path().join("b.spv"));
        leftovers.remove(&folder.path().join("none/c.spv"));
        for name in &old {
            assert!(!folder.path().join(name).exists(), "{name}");
        }
        for name in &kept {
            assert!(folder.path().join(name).exists(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), kept.len());
    }
}
