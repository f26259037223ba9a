//! The bitcode programs of the corpus, for tests of readers.

use std::path::{Path, PathBuf};

/// A bitcode program of a corpus file.
#[derive(Debug)]
pub struct Program {
    /// File and part, for messages.
    pub name: String,
    /// Offset of the bitcode in the file.
    pub offset: usize,
    /// The bitcode.
    pub bytes: Vec<u8>,
}

/// Returns all `.dxil` files of the corpus, in order of their names. The folder `TRELLIS_DXIL`
/// replaces the corpus if it is set.
pub fn containers() -> Vec<(String, Vec<u8>)> {
    containers_in(&std::env::var_os("TRELLIS_DXIL").map_or_else(crate::corpus, PathBuf::from))
}

/// Returns all `.dxil` and then all `.dxbc` files below a folder, of which there are some, each in order of
/// their names.
pub fn containers_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = crate::files(folder, "dxil");
    files.extend(crate::files(folder, "dxbc"));
    assert!(!files.is_empty(), "no shader in {}", folder.display());
    let read = |path: PathBuf| {
        (
            path.strip_prefix(folder)
                .unwrap_or(&path)
                .display()
                .to_string(),
            std::fs::read(&path).expect("a readable file"),
        )
    };
    files.into_iter().map(read).collect()
}

/// Returns the bitcode programs (`DXIL`, `ILDB`, `STAT`) of a container, without the reader of containers.
pub fn programs(name: &str, file: &[u8]) -> Vec<Program> {
    let word =
        |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("4 bytes")) as usize;
    let mut programs = Vec::new();
    for part in 0..word(28) {
        let at = word(32 + part * 4);
        let fourcc = String::from_utf8_lossy(&file[at..at + 4]).into_owned();
        if !matches!(fourcc.as_str(), "DXIL" | "ILDB" | "STAT") {
            continue;
        }
        // Part header of 8 bytes, program header of 8, then `DXIL`, version, offset from `DXIL`,
        // size.
        let header = at + 16;
        let (offset, size) = (header + word(header + 8), word(header + 12));
        programs.push(Program {
            name: format!("{name} {fourcc}"),
            offset,
            bytes: file[offset..offset + size].to_vec(),
        });
    }
    assert!(!programs.is_empty(), "{name}: no program");
    programs
}
