//! The last step of `cargo xtask pgo --bolt`: LLVM's BOLT lays the linked program out anew by how often
//! each of its blocks runs, with what never ran apart from the rest.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::same_output::{Error, problem, succeed};

/// What the linker has to leave in the program, or functions cannot be moved.
pub(super) const LINK_FLAG: &str = "-Clink-arg=-Wl,--emit-relocs";

/// How to get `llvm-bolt`.
const NO_BOLT: &str = "llvm-bolt is not installed; LLVM's packages of a distribution have it \
    (Debian: bolt-19), or LLVM_BOLT names one";

/// Versions of LLVM whose programs have them in their names, as Debian's, the newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 16..=30;

/// What BOLT may do: as it is documented for programs with a profile, and nothing that needs the
/// counters of a processor.
const OPTIMIZATIONS: [&str; 7] = [
    "-reorder-blocks=ext-tsp",
    "-reorder-functions=cdsort",
    "-split-functions",
    "-split-all-cold",
    "-split-eh",
    "-icf=1",
    "-use-gnu-stack",
];

/// LLVM's `llvm-bolt`.
pub(super) struct Bolt {
    program: PathBuf,
}

impl Bolt {
    /// Finds it.
    ///
    /// # Errors
    /// What to install, or that BOLT does not know the kind of program.
    pub(super) fn find() -> Result<Self, Error> {
        if !cfg!(target_os = "linux") {
            let command = Command::new("llvm-bolt");
            return Err(problem(&command, "BOLT reads ELF only: leave --bolt out"));
        }
        let named = std::env::var_os("LLVM_BOLT").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        match named.or_else(|| find_in(&path)) {
            Some(program) => Ok(Self {
                program: resolved(program),
            }),
            None => Err(problem(&Command::new("llvm-bolt"), NO_BOLT)),
        }
    }

    /// Writes a form of a program that counts, and that writes its counts when it ends.
    pub(super) fn counting(&self, program: &Path, to: &Path, counts: &Path) -> Result<(), Error> {
        let mut command = Command::new(&self.program);
        command.arg(program).arg("-instrument").arg("-o").arg(to);
        command.arg(with_path("-instrumentation-file=", counts));
        succeed(&mut command).map(drop)
    }

    /// Writes a program that is laid out by counts.
    pub(super) fn with_counts(
        &self,
        program: &Path,
        counts: &Path,
        to: &Path,
    ) -> Result<(), Error> {
        let mut command = Command::new(&self.program);
        command.arg(program).arg("-o").arg(to);
        command.arg(with_path("-data=", counts)).args(OPTIMIZATIONS);
        succeed(&mut command).map(drop)
    }
}

fn with_path(option: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(option);
    argument.push(path);
    argument
}

/// Returns the program that a link names: BOLT finds its library beside the path by which it is called.
fn resolved(program: PathBuf) -> PathBuf {
    program.canonicalize().unwrap_or(program)
}

/// Returns the first program in the folders of a search path, without a version in its name if there
/// is such one.
fn find_in(path: &OsStr) -> Option<PathBuf> {
    let versions = VERSIONS.rev().map(|version| format!("llvm-bolt-{version}"));
    std::iter::once("llvm-bolt".to_owned())
        .chain(versions)
        .flat_map(|name| std::env::split_paths(path).map(move |folder| folder.join(&name)))
        .find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_is_found() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let path = std::env::join_paths(folders.iter().map(tempfile::TempDir::path)).unwrap();
        assert_eq!(find_in(&path), None);
        let file = |folder: usize, name: &str| {
            let file = folders[folder].path().join(name);
            std::fs::write(&file, "").unwrap();
            file
        };
        file(0, "llvm-bolt-16");
        let newer = file(1, "llvm-bolt-19");
        assert_eq!(find_in(&path), Some(newer));
        let plain = file(1, "llvm-bolt");
        assert_eq!(find_in(&path), Some(plain));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let (program, link) = (folder.join("llvm-bolt"), folder.join("llvm-bolt-19"));
        std::fs::write(&program, "").unwrap();
        std::os::unix::fs::symlink(&program, &link).unwrap();
        assert_eq!(resolved(link), program);
        let missing = folder.join("missing");
        assert_eq!(resolved(missing.clone()), missing);
    }
}
