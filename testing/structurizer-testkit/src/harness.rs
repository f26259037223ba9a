//! Shared parts of the tests of graphs: numbers from the environment, and files with expected
//! results.

use std::path::{Path, PathBuf};

/// The line between a graph and its results.
pub const SEPARATOR: &str = "---\n";

/// Returns a number from the environment.
pub fn setting(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Returns the seeds of random graphs: `TRELLIS_SEED` is the first, `TRELLIS_GRAPHS` the number.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let (first, count) = (
        setting("TRELLIS_SEED", 1),
        setting("TRELLIS_GRAPHS", default),
    );
    println!("TRELLIS_SEED={first} TRELLIS_GRAPHS={count}");
    first..first + count
}

/// Compares the results of the graphs in the `.cfg` files of a folder with the rest of the files,
/// after a line `---`. `result` gets the path, the graph, and the rest of the file. `TRELLIS_BLESS`
/// writes the results there.
///
/// # Panics
/// A result is another one, or there are fewer than `least` files.
pub fn filetests(
    folder: &Path,
    least: usize,
    result: impl Fn(&Path, &str, &str) -> Result<String, String>,
) {
    let entries = std::fs::read_dir(folder).expect("a folder of files");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cfg"));
    files.sort();
    assert!(files.len() >= least, "{} files", files.len());
    let bless = std::env::var_os("TRELLIS_BLESS").is_some();
    let run = |path: &PathBuf| -> Result<(), String> {
        // A checkout may have changed the line ends.
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let text = text.replace("\r\n", "\n");
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let found = result(path, input, expected)?;
        if bless {
            let written = format!("{}\n{SEPARATOR}{found}", input.trim_end());
            return std::fs::write(path, written).map_err(|error| error.to_string());
        }
        if found == expected {
            return Ok(());
        }
        Err(format!("expected\n{expected}\nfound\n{found}"))
    };
    let failed = files.iter().filter_map(|path| {
        let error = run(path).err()?;
        Some(format!("{}: {error}", path.display()))
    });
    let failed: Vec<String> = failed.collect();
    assert!(
        failed.is_empty(),
        "TRELLIS_BLESS=1 accepts these:\n{}",
        failed.join("\n")
    );
}
