//! Temporary files, which get their final name when they are complete: `.NAME.PROCESS-TOKEN.tmp`, in the
//! folder of the final file.
//!
//! The token is random, so that no two files ever have one name: another container may have a process of
//! the same number that writes to the folder, and the file of a killed process can be removed without
//! a check for whether another process has made it again.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// Maximum length of a name that is part of its temporary file's name unchanged, in bytes. File
/// systems allow 255, encrypted ones as few as 143.
const LONGEST: usize = 100;

/// Bytes of a longer name that are kept.
const KEPT: usize = 60;

/// Digits of the hash that replaces the others.
const DIGITS: usize = 32;

/// Creates a temporary file that will become `path`, and its folder if it does not exist.
pub(crate) fn create(path: &Path) -> io::Result<(File, PathBuf)> {
    let temporary = path_for(path)?;
    let file = match File::create_new(&temporary) {
        // Nearly always the folder exists.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder).and_then(|()| File::create_new(&temporary))
        }
        result => result,
    };
    let file = file?;
    // The lock marks the file as in use for searches of leftovers. Without locks they go by the
    // file's age.
    let _ = file.try_lock();
    Ok((file, temporary))
}

/// Returns a unique path for a temporary file that will become `path`.
pub(crate) fn path_for(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name();
    let name = name.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let process = std::process::id();
    // The standard library's only random numbers are the keys of its hash maps.
    let token = RandomState::new().build_hasher().finish();
    let mut temporary = OsString::from(".");
    temporary.push(label(name));
    temporary.push(format!(".{process}-{token:016x}.tmp"));
    Ok(path.with_file_name(temporary))
}

/// Returns the part of temporary files' names that identifies the file `name`: the NAME in them.
pub(crate) fn label(name: &OsStr) -> Cow<'_, OsStr> {
    let bytes = name.as_encoded_bytes();
    if bytes.len() <= LONGEST {
        return Cow::Borrowed(name);
    }
    let text = name.to_string_lossy();
    let start = &text[..text.floor_char_boundary(KEPT)];
    let hash = blake3::hash(bytes).to_hex();
    Cow::Owned(format!("{start}~{}", &hash[..DIGITS]).into())
}

/// Returns the bytes of the [`label`] in the name of a temporary file, if it is one. Earlier versions wrote
/// no token.
pub(crate) fn label_in(temporary: &OsStr) -> Option<&[u8]> {
    let bytes = temporary.as_encoded_bytes();
    let bytes = bytes.strip_prefix(b".")?.strip_suffix(b".tmp")?;
    let dot = bytes.iter().rposition(|&byte| byte == b'.')?;
    let end = std::str::from_utf8(&bytes[dot + 1..]).ok()?;
    let (process, token) = end.split_once('-').unwrap_or((end, "0"));
    let is_made_here = process.parse::<u32>().is_ok() && u64::from_str_radix(token, 16).is_ok();
    is_made_here.then_some(&bytes[..dot])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsStr;

    use super::{create, label, label_in};

    #[test]
    fn temporary_files_of_one_path_have_different_names_and_the_same_label() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.spv", &"x".repeat(255), &"ä".repeat(127)] {
            let path = folder.path().join(name);
            let files = [(); 4].map(|()| create(&path).unwrap().1);
            assert_eq!(files.iter().collect::<BTreeSet<_>>().len(), 4);
            for file in files {
                let temporary = file.file_name().unwrap();
                assert!(temporary.len() <= 143, "{}", file.display());
                let expected = label(OsStr::new(name));
                assert_eq!(label_in(temporary), Some(expected.as_encoded_bytes()));
            }
        }
    }

    #[test]
    fn long_names_that_differ_at_the_end_have_different_labels() {
        let [a, b] = ["a", "b"].map(|end| "x".repeat(200) + end);
        assert_ne!(label(OsStr::new(&a)), label(OsStr::new(&b)));
    }

    #[test]
    fn other_names_have_no_label() {
        for name in [
            "a.spv",
            ".a.spv.tmp",
            ".a.spv.x.tmp",
            ".a.1-x.tmp",
            ".1.tmp",
            "a.1.tmp",
        ] {
            assert_eq!(label_in(OsStr::new(name)), None, "{name}");
        }
        assert_eq!(label_in(OsStr::new(".a.spv.17.tmp")), Some(&b"a.spv"[..]));
    }
}
