//! Tests that the C libraries of Trellis have in common: of tables of functions, in random sequences, on
//! threads, and of programs in C. Each function panics where a library is wrong.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use shader_testkit::number;
pub use shader_testkit::{Random, corpus, shader, shaders};

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
                // SAFETY: the object's methods return arguments that a client may pass, also by
                // mistake.
                let result = unsafe { $name($(arguments.$argument()),*) };
                <$result>::$convert(result)
            },
        )),+];
    )+ };
}

/// Runs sequences of calls, from seeds, and checks that some of them convert shaders: `sequence` returns how
/// many. `TRELLIS_SEQUENCES` is the number of sequences, `TRELLIS_SEED` the first seed.
pub fn sequences(sequence: impl Fn(&[Vec<u8>], Random) -> u32) {
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

/// Returns the path of a library that Cargo built with the test.
pub fn library(name: &str) -> PathBuf {
    env::current_exe().unwrap().with_file_name(name)
}

/// Runs a program to its end, with a folder for shared libraries.
pub fn output(program: &mut Command, libraries: &Path) -> Output {
    let output = program.env("LD_LIBRARY_PATH", libraries).output();
    output.unwrap_or_else(|error| panic!("{program:?}: {error}"))
}

/// Runs a program that succeeds, such as a compiler, and returns its output.
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
