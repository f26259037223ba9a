//! The shaders of the corpus, and random numbers, for tests. Functions panic on errors.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]

use std::path::{Path, PathBuf};

mod programs;

pub use programs::{Program, containers, containers_in, programs};

/// Returns the folder of the corpus.
pub fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/shaders")
}

/// Returns the bytes of a shader of the corpus.
pub fn shader(name: &str) -> Vec<u8> {
    let path = corpus().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files below a folder that have an extension, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder);
        for entry in entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns all shaders of the corpus, in order: path below its folder, and contents.
pub fn shaders() -> Vec<(String, Vec<u8>)> {
    let read = |path: PathBuf| {
        let name = path.strip_prefix(corpus()).unwrap().to_str().unwrap();
        (name.replace('\\', "/"), std::fs::read(&path).unwrap())
    };
    let mut shaders: Vec<_> = files(&corpus(), "dxil").into_iter().map(read).collect();
    shaders.sort();
    assert!(shaders.len() > 150, "the corpus has many shaders");
    shaders
}

/// Returns the number in a variable of the environment, if that is set.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}={text} is not a number"))
    })
}

/// A generator of numbers (SplitMix64).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a number below a limit; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.any() % limit.max(1) as u64) as usize
    }

    /// Returns true one time in a number of times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns a number that is likely to matter.
    pub fn number(&mut self) -> u32 {
        match self.below(8) {
            0 => u32::MAX,
            1 => self.any() as u32,
            2..=4 => 0,
            _ => self.below(8) as u32,
        }
    }

    /// Returns numbers that are likely to matter.
    pub fn words<const N: usize>(&mut self) -> [u32; N] {
        [(); N].map(|()| self.number())
    }

    /// Returns an element of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        let index = self.below(list.len());
        list.get(index).copied()
    }

    /// Returns the bytes of one of several shaders, of which some are damaged by a bit.
    pub fn shader(&mut self, shaders: &[Vec<u8>]) -> Vec<u8> {
        let index = self.below(shaders.len());
        let mut bytes = shaders.get(index).cloned().unwrap_or_default();
        let (at, bit) = (self.below(bytes.len()), self.below(8));
        if let Some(byte) = bytes.get_mut(at).filter(|_| self.one_in(4)) {
            *byte ^= 1 << bit;
        }
        bytes
    }
}
