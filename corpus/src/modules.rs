//! SPIR-V files at given paths, read one by one on a pool of threads.
//!
//! At most one file per thread is in memory; results are in the order of the list.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use thiserror::Error;
use trellis_dxil::frontend::container::kind_of_file;
use trellis_dxil::frontend::is_dxil;
use walkdir::WalkDir;

use crate::batch::pool;
use crate::failure::{Failure, Kind};
use crate::files;
use crate::guard::guarded;

/// First bytes of a SPIR-V file: the magic number in either byte order.
const MAGIC: [[u8; 4]; 2] = [[0x03, 0x02, 0x23, 0x07], [0x07, 0x23, 0x02, 0x03]];

/// A file that should have a SPIR-V module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleFile {
    /// Its path.
    pub path: PathBuf,
    /// The path as it is printed, with `/` between the parts.
    pub name: String,
    /// It was found in a folder.
    pub is_of_folder: bool,
}

/// Why paths cannot be listed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ListError {
    /// A path does not exist, or a folder cannot be read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A folder has no SPIR-V files, which is probably a wrong path.
    #[error("no SPIR-V files in {}", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
}

/// Returns true if the bytes begin with SPIR-V's magic number.
pub fn is_spirv(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

/// Returns the words of a SPIR-V file, in the byte order of its magic number.
///
/// # Errors
/// It is another kind of file, or the size is not a multiple of 4.
pub fn words_of(bytes: &[u8]) -> Result<Vec<u32>, Failure> {
    let is_dxil = is_dxil(bytes).then_some("a compiled shader of Direct3D");
    let other = is_dxil.or_else(|| kind_of_file(bytes));
    if let Some(kind) = other.filter(|_| !is_spirv(bytes)) {
        let message = format!("the input is {kind}, expected SPIR-V");
        return Err(Failure::new(Kind::SpirV, message));
    }
    let word = if bytes.starts_with(&MAGIC[1]) {
        u32::from_be_bytes
    } else {
        u32::from_le_bytes
    };
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Failure::new(
            Kind::SpirV,
            format!("the size of {} bytes is not a multiple of 4", bytes.len()),
        ));
    }
    Ok(words.iter().map(|bytes| word(*bytes)).collect())
}

/// Lists the files that paths name: a file is taken as it is; of a folder all files below it, sorted by
/// path, that are named `*.spv` or begin with SPIR-V's magic number. Links to folders are not followed.
///
/// # Errors
/// A path does not exist, a folder cannot be read, or it has no SPIR-V files.
pub fn list(paths: &[PathBuf]) -> Result<Vec<ModuleFile>, ListError> {
    let mut found = Vec::new();
    for path in paths {
        let io = |source| ListError::Io {
            path: path.clone(),
            source,
        };
        if !std::fs::metadata(path).map_err(io)?.is_dir() {
            found.push(file(path.clone(), false));
            continue;
        }
        let before = found.len();
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry.map_err(|error| io(error.into()))?;
            if entry.file_type().is_file() && is_module(entry.path()) {
                found.push(file(entry.into_path(), true));
            }
        }
        if found.len() == before {
            return Err(ListError::Empty { path: path.clone() });
        }
    }
    Ok(found)
}

fn file(path: PathBuf, is_of_folder: bool) -> ModuleFile {
    let name = path.to_string_lossy().replace('\\', "/");
    ModuleFile {
        path,
        name,
        is_of_folder,
    }
}

fn is_module(path: &Path) -> bool {
    let extension = path.extension();
    if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("spv")) {
        return true;
    }
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && is_spirv(&start)
}

/// Reads all files and calls `work` with each one's bytes, on a pool of threads: `jobs`, or one per core.
/// Results are in the order of the list. A panic in `work` is a failure of that file.
///
/// # Errors
/// The threads cannot be started.
pub fn for_each<T: Send>(
    list: &[ModuleFile],
    jobs: Option<usize>,
    work: impl Fn(&ModuleFile, &[u8]) -> Result<T, Failure> + Sync,
) -> io::Result<Vec<Result<T, Failure>>> {
    let pool = pool(jobs)?;
    let one = |file: &ModuleFile| {
        let bytes = files::read(&file.path)?;
        guarded(|| work(file, &bytes))
    };
    Ok(pool.install(|| list.par_iter().map(one).collect()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{ListError, for_each, list, words_of};

    #[test]
    fn a_folder_gives_its_modules_sorted() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
        write("b.spv", b"");
        write("a.bin", &[3, 2, 0x23, 7]);
        write("c.txt", b"text");
        let found = list(&[folder.path().to_owned()]).unwrap();
        let names = found.iter().map(|file| file.path.file_name().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["a.bin", "b.spv"]);
        let sizes = for_each(&found, Some(2), |_, bytes| Ok(bytes.len())).unwrap();
        assert_eq!(sizes, [Ok(4), Ok(0)]);
        fs::remove_file(folder.path().join("a.bin")).unwrap();
        fs::remove_file(folder.path().join("b.spv")).unwrap();
        let empty = list(&[folder.path().to_owned()]).unwrap_err();
        assert!(matches!(empty, ListError::Empty { .. }));
    }

    #[test]
    fn words_have_the_order_of_the_magic_number() {
        assert_eq!(words_of(&[3, 2, 0x23, 7]), Ok(vec![0x0723_0203]));
        assert_eq!(words_of(&[7, 0x23, 2, 3]), Ok(vec![0x0723_0203]));
        assert!(words_of(&[3, 2, 0x23, 7, 0]).is_err());
    }

    #[test]
    fn other_files_are_named() {
        let message = |bytes: &[u8]| words_of(bytes).unwrap_err().message;
        assert_eq!(message(b""), "the input is empty, expected SPIR-V");
        let shader = "the input is a compiled shader of Direct3D, expected SPIR-V";
        assert_eq!(message(b"DXBC\0\0\0\0"), shader);
    }
}
