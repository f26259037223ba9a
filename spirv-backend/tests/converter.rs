//! A converter that keeps memory between shaders: the same results, less to allocate, and nothing that
//! threads share. A separate program, since its allocator counts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    unsafe_code,
    reason = "the allocator of this program counts, and passes everything on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;

use shader_testkit::{corpus, files};
use trellis_spirv_backend::{Converter, Options, convert, read};

/// Counts the allocations of the current thread.
struct Counting;

thread_local! {
    static COUNTED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    let (number, all) = COUNTED.get();
    COUNTED.set((number + 1, all + bytes));
}

// SAFETY: each function calls the system's allocator with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the rules of this function, which are the same.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn shaders() -> Vec<Vec<u8>> {
    let folders = ["compute", "control_flow", "pixel_io", "tessellation"];
    let folders = folders.iter().map(|folder| corpus().join(folder));
    let paths = folders.flat_map(|folder| files(&folder, "dxil"));
    let found: Vec<_> = paths.map(|path| std::fs::read(path).unwrap()).collect();
    assert!(found.len() > 100);
    found
}

/// Returns the number and the bytes of the allocations of a conversion of all shaders.
fn allocations(shaders: &[Vec<u8>], mut convert: impl FnMut(&[u8])) -> (usize, usize) {
    COUNTED.set((0, 0));
    for shader in shaders {
        convert(shader);
    }
    COUNTED.get()
}

/// Most allocations of a shader, except for its output, and their bytes, in the mean.
const MOST: (usize, usize) = (200, 72_000);

#[test]
fn a_converter_gives_the_same_and_allocates_little() {
    let (shaders, options) = (shaders(), Options::default());
    let mut converter = Converter::new();
    let mut output = (0, 0);
    for shader in &shaders {
        let one = convert(shader, &options);
        assert_eq!(converter.convert(shader, &options).is_ok(), one.is_ok());
        if let (Ok(one), Ok(other)) = (one, converter.convert(shader, &options)) {
            assert!(one == other);
            let bytes = one.words.capacity() * size_of::<u32>() + one.entry.capacity();
            output = (output.0 + 2, output.1 + bytes);
        }
    }
    let each = allocations(&shaders, |shader| {
        let _ = convert(shader, &options);
    });
    let one = allocations(&shaders, |shader| {
        let _ = converter.convert(shader, &options);
    });
    let by = |(number, bytes): (usize, usize)| (number / shaders.len(), bytes / shaders.len());
    let (output, each, one) = (by(output), by(each), by(one));
    println!("{each:?} without, {one:?} with a converter, of them {output:?} for the output");
    assert!(
        one.0 <= output.0 + MOST.0 && one.1 <= output.1 + MOST.1,
        "{one:?}, of them {output:?} for the output"
    );
}

#[test]
fn threads_share_nothing() {
    let (shaders, options) = (shaders(), Options::default());
    let library = include_bytes!("../../corpus/shaders/raytracing/shadow_rays.dxil");
    let all = |converter: &mut Converter| {
        let mut outputs: Vec<_> = shaders
            .iter()
            .map(|shader| converter.convert(shader, &options).ok())
            .collect();
        let input = read(library, &options).unwrap();
        for entry in input.shader.shaders() {
            outputs.push(converter.convert_entry(&input, entry, &options).ok());
        }
        outputs
    };
    let work = || {
        let mut converter = Converter::new();
        let outputs = all(&mut converter);
        COUNTED.set((0, 0));
        all(&mut converter);
        (outputs, COUNTED.get())
    };
    let expected = work();
    assert!(expected.0.iter().flatten().count() > 100);
    let threads: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..16).map(|_| scope.spawn(work)).collect();
        started.into_iter().map(|t| t.join().unwrap()).collect()
    });
    for result in threads {
        assert!(result == expected);
    }
}

/// Statics that can change, and why they may.
const SHARED: [(&str, &str); 1] = [
    // The grammar of SPIR-V by opcode: made once, then read without a lock.
    ("spirv-backend/src/verify/layout.rs", "TABLE"),
];

#[test]
fn the_crates_have_no_state() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let changes = [
        "Mutex", "RwLock", "Once", "Lazy", "Atomic", "Cell", "Condvar",
    ];
    let mut found = Vec::new();
    for name in [
        "entity",
        "dxil-frontend",
        "dxbc-frontend",
        "structurizer",
        "spirv-backend",
    ] {
        for path in files(&root.join(name).join("src"), "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let short = path.strip_prefix(&root).unwrap();
            let short = short.to_str().unwrap().replace('\\', "/");
            for line in text.lines().map(str::trim_start) {
                assert!(!line.starts_with("thread_local!"), "{short}: {line}");
                let visible = line.strip_prefix("pub").map_or(line, |rest| {
                    rest.trim_start_matches(|c| c != 's').trim_start()
                });
                let Some(rest) = visible.strip_prefix("static ") else {
                    continue;
                };
                let Some((name, ty)) = rest.split_once(':') else {
                    continue;
                };
                assert!(!name.starts_with("mut "), "{short}: {line}");
                if changes.iter().any(|change| ty.contains(change)) {
                    found.push((short.clone(), name.to_owned()));
                }
            }
        }
    }
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(file, name)| (&**file, &**name))
        .collect();
    assert_eq!(found, SHARED);
}

#[test]
fn errors_leave_a_converter_as_it_was() {
    let (shaders, options) = (shaders(), Options::default());
    let mut converter = Converter::new();
    for shader in shaders.iter().take(20) {
        let expected = convert(shader, &options).unwrap();
        assert!(
            converter
                .convert(&shader[..shader.len() / 2], &options)
                .is_err()
        );
        assert!(converter.convert(shader, &options).unwrap() == expected);
    }
}
