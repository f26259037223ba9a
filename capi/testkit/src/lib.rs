//! Tests that the C libraries of Trellis have in common: of tables of functions, in random sequences, on
//! threads, and of programs in C. Each function panics where a library is wrong.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Declares tables of functions: the name of each, and a function that calls it. An argument is the name of
/// the method that makes it, of an object that the call gets; the result is converted by a function.
///
/// ```
/// unsafe extern "C" fn add(a: u32, b: u32) -> u32 {
///     a + b
/// }
/// struct Numbers(u32);
/// impl Numbers {
///     fn number(&mut self) -> u32 {
///         self.0 += 1;
///         self.0
///     }
/// }
/// c_testkit::calls! { Numbers => u64: from;
///     /// Functions of two numbers.
///     TABLE = add(number, number);
/// }
/// for (name, call) in TABLE {
///     assert_eq!((*name, call(&mut Numbers(0))), ("add", 3));
/// }
/// ```
#[macro_export]
macro_rules! calls {
    ($arguments:ty => $result:ty: $convert:ident;
        $($(#[$meta:meta])* $table:ident = $($name:ident($($argument:ident),*)),+ $(,)?;)+
    ) => { $(
        $(#[$meta])*
        pub(crate) const $table: &[(&str, fn(&mut $arguments) -> $result)] = &[$((
            stringify!($name),
            |arguments| {
                // SAFETY: the object's methods return what a client may pass, also by mistake.
                let result = unsafe { $name($(arguments.$argument()),*) };
                <$result>::$convert(result)
            },
        )),+];
    )+ };
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

/// Runs sequences of calls, from seeds, and checks that some of them convert shaders: `sequence` returns how
/// many. `TRELLIS_SEQUENCES` is the number of sequences, `TRELLIS_SEED` the first seed.
pub fn sequences(sequence: impl Fn(&[Vec<u8>], Random) -> u32) {
    let number = |variable: &str, otherwise: u64| {
        env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let shaders = [
        "buffers/counters.dxil",
        "buffers/structured.dxil",
        "cbuffers/array_of_buffers.dxil",
        "control_flow/discard_in_loop.dxil",
        "raytracing/shader_record.dxil",
        "resources/descriptor_heap.dxil",
        "root_signature/version_1_0.dxil",
        "tessellation/more_points.dxil",
        "vertex_io/packed.dxil",
    ]
    .map(shader);
    let first = number("TRELLIS_SEED", 1);
    let seeds = first..first + number("TRELLIS_SEQUENCES", 60);
    let runs: u32 = seeds.map(|seed| sequence(&shaders, Random(seed))).sum();
    assert!(runs > 20, "{runs} conversions");
}

/// Converts shaders on sixteen threads at once, and compares the words: `convert` gets the bytes and the
/// number of the round.
pub fn threads_get_the_same_words(convert: impl Fn(&[u8], usize) -> Vec<u32> + Sync) {
    let shaders = [
        "buffers/counters.dxil",
        "control_flow/discard_in_loop.dxil",
        "cbuffers/dynamic_index.dxil",
        "tessellation/more_points.dxil",
    ]
    .map(shader);
    let expected = shaders.each_ref().map(|bytes| convert(bytes, 0));
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (shaders, expected, convert) = (&shaders, &expected, &convert);
            scope.spawn(move || {
                for round in 0..8 {
                    let i = (thread + round) % shaders.len();
                    assert!(convert(&shaders[i], round) == expected[i]);
                }
            });
        }
    });
}

/// Returns the folder of the corpus.
pub fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/shaders")
}

/// Returns the bytes of a shader of the corpus.
pub fn shader(name: &str) -> Vec<u8> {
    let path = corpus().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns all shaders of the corpus, in order.
pub fn shaders() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![corpus()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "dxil") {
                let name = path.strip_prefix(corpus()).unwrap().display().to_string();
                files.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "the corpus has many shaders");
    files
}

/// Returns the path of a library that Cargo built with the test.
pub fn library(name: &str) -> PathBuf {
    env::current_exe().unwrap().with_file_name(name)
}

/// Runs a program to its end, with a folder for shared libraries.
pub fn output(program: &mut Command, libraries: &Path) -> Output {
    let output = program.env("LD_LIBRARY_PATH", libraries).output();
    output.unwrap_or_else(|error| panic!("{program:?}: {error}"))
}

/// Runs a program that succeeds, such as a compiler, and returns what it prints.
pub fn run(program: &mut Command, libraries: &Path) -> String {
    let output = output(program, libraries);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program:?}: {message}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a compiler of C, or of C++ for a source of that language, with the strictest warnings.
pub fn compiler(source: &Path) -> Command {
    let is_c = source.extension().is_some_and(|e| e == "c");
    let mut compiler = Command::new(if is_c { "cc" } else { "c++" });
    compiler.arg(if is_c { "-std=c11" } else { "-std=c++17" });
    compiler.args(["-Wall", "-Wextra", "-Werror"]).arg(source);
    compiler
}

/// Checks that a shared library exports functions, and nothing else.
pub fn check_exports(library: &Path, mut expected: Vec<&str>) {
    let mut nm = Command::new("nm");
    let Ok(output) = nm.args(["-D", "--defined-only"]).arg(library).output() else {
        eprintln!("skipped: there is no nm");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.split(' ').nth(2));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert!(expected.len() > 25);
    assert_eq!(names, expected);
}
