//! Counts heap allocations, thread by thread.
//!
//! A program that needs the counts makes [`Counting`] its global allocator; in all others the
//! counts stay zero.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The allocations of a thread so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    /// Calls that got memory: allocations, and reallocations, each of which may copy.
    pub count: u64,
    /// Bytes that they requested.
    pub bytes: u64,
}

thread_local! {
    static SO_FAR: Cell<Allocations> = const { Cell::new(Allocations { count: 0, bytes: 0 }) };
}

/// Returns the allocations of this thread so far.
pub fn so_far() -> Allocations {
    SO_FAR.get()
}

/// Returns the allocations of this thread in `work`.
pub fn during(work: impl FnOnce()) -> Allocations {
    let before = so_far();
    work();
    let after = so_far();
    Allocations {
        count: after.count - before.count,
        bytes: after.bytes - before.bytes,
    }
}

/// The system's allocator, counted.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

impl Counting {
    fn note(size: usize) {
        // A thread that ends has no counter any more.
        let _ = SO_FAR.try_with(|so_far| {
            let Allocations { count, bytes } = so_far.get();
            so_far.set(Allocations {
                count: count + 1,
                bytes: bytes + size as u64,
            });
        });
    }
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written without unsafe code; every call is passed to the system's allocator unchanged"
)]
// SAFETY: the system's allocator keeps the contract, and counting neither allocates nor unwinds:
// the counter is a constant-initialized thread local without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::note(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::note(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::note(size);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
