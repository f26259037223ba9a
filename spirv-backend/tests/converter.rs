//! A converter that keeps its memory between shaders: the same results, and less to allocate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    unsafe_code,
    reason = "the allocator of this program counts, and passes everything on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::path::Path;

use trellis_spirv_backend::{Converter, Options, convert};

/// Counts what the current thread allocates.
struct Counting;

thread_local! {
    static COUNTED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    let (number, all) = COUNTED.get();
    COUNTED.set((number + 1, all + bytes));
}

// SAFETY: each function does what the system's allocator does, with the same arguments.
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
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders");
    let mut found = Vec::new();
    for folder in ["compute", "control_flow", "pixel_io", "tessellation"] {
        let entries = std::fs::read_dir(corpus.join(folder)).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|e| e == "dxil"));
        found.extend(paths.iter().map(|path| std::fs::read(path).unwrap()));
    }
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

#[test]
fn a_converter_gives_the_same_and_allocates_less() {
    let (shaders, options) = (shaders(), Options::default());
    let mut converter = Converter::new();
    for shader in &shaders {
        let one = convert(shader, &options);
        assert_eq!(converter.convert(shader, &options).is_ok(), one.is_ok());
        if let (Ok(one), Ok(other)) = (one, converter.convert(shader, &options)) {
            assert!(one.words == other.words);
        }
    }
    let kept = converter.kept_bytes();
    let each = allocations(&shaders, |shader| {
        let _ = convert(shader, &options);
    });
    let one = allocations(&shaders, |shader| {
        let _ = converter.convert(shader, &options);
    });
    let by = |(number, bytes): (usize, usize)| (number / shaders.len(), bytes / shaders.len());
    println!("{:?} without, {:?} with a converter", by(each), by(one));
    assert!(
        one.0 < each.0 && 10 * one.1 < 9 * each.1,
        "{each:?} {one:?}"
    );
    assert_eq!(converter.kept_bytes(), kept, "it does not grow");
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
