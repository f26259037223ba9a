//! Counts heap allocations, and the memory that is in use, thread by thread.
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
    /// The bytes in use, and the most so far. Memory of another thread may be freed here.
    static IN_USE: Cell<(i64, i64)> = const { Cell::new((0, 0)) };
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

/// Returns the most bytes that were in use at once in `work`, on this thread, above those before.
pub fn peak_during(work: impl FnOnce()) -> u64 {
    let (before, _) = IN_USE.get();
    IN_USE.set((before, before));
    work();
    let (_, peak) = IN_USE.get();
    (peak - before).unsigned_abs()
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
        Self::change(size as i64);
    }

    fn change(bytes: i64) {
        let _ = IN_USE.try_with(|in_use| {
            let (now, peak) = in_use.get();
            in_use.set((now + bytes, peak.max(now + bytes)));
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
        Self::change(-(layout.size() as i64));
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::change(-(layout.size() as i64));
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
