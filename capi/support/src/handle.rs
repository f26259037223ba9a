//! Opaque handles.
//!
//! A handle is a pointer for C, to a small record (the header) that the object belongs to. Headers are
//! never given back to the allocator but used again, so a handle that was freed can be examined: its
//! header is free, or has another generation. The generation is in the low bits of the pointer, which
//! the alignment of headers leaves over.
//!
//! * A null handle, a freed one, and one of another kind of object are errors.
//! * An object is used by one call at a time, or by several that only read ([`share`]); another call,
//!   such as from a callback of the first, is an error ([`HandleError::Busy`]) instead of a data race.
//! * Not detected: a pointer that never was a handle, and a handle that was freed at least 64 uses of
//!   its header ago.
//!
//! A thread keeps the headers that it frees, up to [`CACHE`]; there is no lock unless a thread frees
//! many more handles than it makes, or the reverse. The number of headers is the maximum number of
//! objects that existed at the same time, plus the caches.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A kind of object that handles are for. Objects are used by any thread.
pub trait Object: Send + Sync + Sized + 'static {
    /// A number that no other kind of object of the library has; not 0.
    const MAGIC: u32;
}

/// Why a handle cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HandleError {
    /// It is null.
    #[error("the handle is null")]
    Null,
    /// It was freed.
    #[error("the handle was freed")]
    Freed,
    /// It is of another kind of object.
    #[error("the handle is of another kind of object")]
    Kind,
    /// Another call is using the object: of another thread, or the call that made this one.
    #[error("the object is in use by another call")]
    Busy,
}

/// Alignment of headers, and so the number of generations.
const ALIGN: usize = 64;

/// The most headers that a thread keeps.
pub const CACHE: usize = 64;

/// The state of a header without an object.
const FREE: u32 = 0;
/// The state of an object that no call uses. Greater ones count the calls that read it.
const LIVE: u32 = 1;
/// The state of an object that a call may change.
const LOCKED: u32 = u32::MAX;

/// Header of an object, which its handle points into.
#[repr(align(64))]
struct Header {
    state: AtomicU32,
    magic: AtomicU32,
    generation: AtomicU32,
    body: AtomicPtr<()>,
}

impl Header {
    fn new() -> &'static Self {
        Box::leak(Box::new(Self {
            state: AtomicU32::new(FREE),
            magic: AtomicU32::new(0),
            generation: AtomicU32::new(0),
            body: AtomicPtr::new(ptr::null_mut()),
        }))
    }

    /// Returns the handle of the object that the header has now.
    fn handle(&'static self) -> *mut c_void {
        let generation = self.generation.load(Relaxed) as usize % ALIGN;
        let at: *const Self = self;
        at.cast::<c_void>().wrapping_byte_add(generation).cast_mut()
    }

    /// Checks that the header has the object of a handle.
    fn check<T: Object>(&self, handle: *const c_void) -> Result<(), HandleError> {
        if self.generation.load(Relaxed) as usize % ALIGN != handle.addr() % ALIGN {
            Err(HandleError::Freed)
        } else if self.magic.load(Relaxed) != T::MAGIC {
            Err(HandleError::Kind)
        } else {
            Ok(())
        }
    }

    /// Changes the state for a call that uses the object of a handle.
    fn acquire<T: Object>(&self, handle: *const c_void, lock: bool) -> Result<(), HandleError> {
        let mut state = self.state.load(Acquire);
        loop {
            if state == FREE {
                return Err(HandleError::Freed);
            }
            self.check::<T>(handle)?;
            if state >= LOCKED - 1 || lock && state != LIVE {
                return Err(HandleError::Busy);
            }
            let next = if lock { LOCKED } else { state + 1 };
            match self
                .state
                .compare_exchange_weak(state, next, Acquire, Acquire)
            {
                Ok(_) => break,
                Err(other) => state = other,
            }
        }
        // Between the check and the exchange the object may have been freed, and the header used
        // for another one.
        let same = self.check::<T>(handle);
        if same.is_err() {
            self.release(lock);
        }
        same
    }

    fn release(&self, lock: bool) {
        if lock {
            self.state.store(LIVE, Release);
        } else {
            self.state.fetch_sub(1, Release);
        }
    }
}

/// Headers that no thread keeps.
static SPARE: Mutex<Vec<&'static Header>> = Mutex::new(Vec::new());

fn spare() -> MutexGuard<'static, Vec<&'static Header>> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The headers that a thread keeps.
struct Cache(VecDeque<&'static Header>);

impl Drop for Cache {
    fn drop(&mut self) {
        spare().extend(self.0.drain(..));
    }
}

thread_local! {
    static CACHED: RefCell<Cache> = const { RefCell::new(Cache(VecDeque::new())) };
}

/// Returns a header that is free.
fn take() -> &'static Header {
    let cached = CACHED.try_with(|cache| {
        let cache = &mut cache.borrow_mut().0;
        if cache.is_empty()
            && let Ok(mut spare) = SPARE.try_lock()
        {
            let from = spare.len().saturating_sub(CACHE / 2);
            cache.extend(spare.drain(from..));
        }
        cache.pop_front()
    });
    cached.ok().flatten().unwrap_or_else(Header::new)
}

/// Keeps a header that became free.
fn keep(header: &'static Header) {
    let kept = CACHED.try_with(|cache| {
        let cache = &mut cache.borrow_mut().0;
        cache.push_back(header);
        if cache.len() > CACHE {
            spare().extend(cache.drain(..CACHE / 2));
        }
    });
    // The thread is ending.
    if kept.is_err() {
        spare().push(header);
    }
}

/// Makes a handle of an object.
pub fn create<T: Object>(object: T) -> *mut c_void {
    let header = take();
    header.magic.store(T::MAGIC, Relaxed);
    header
        .body
        .store(Box::into_raw(Box::new(object)).cast(), Relaxed);
    header.state.store(LIVE, Release);
    header.handle()
}

/// Returns the header of a handle.
///
/// # Safety
/// As [`share`].
unsafe fn header(handle: *const c_void) -> Result<&'static Header, HandleError> {
    let start = handle.map_addr(|at| at & !(ALIGN - 1)).cast::<Header>();
    if start.is_null() {
        return Err(HandleError::Null);
    }
    // SAFETY: the caller promises that `handle` came from `Header::handle`, so this is its header,
    // which is never deallocated and has only atomic fields.
    Ok(unsafe { &*start })
}

/// An object that a call uses: alone, if it may change it.
#[derive(Debug)]
pub struct Guard<T: Object, const ALONE: bool> {
    header: &'static Header,
    object: PhantomData<*mut T>,
}

/// An object that a call reads.
pub type Shared<T> = Guard<T, false>;

/// An object that a call may change.
pub type Locked<T> = Guard<T, true>;

impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Header").finish_non_exhaustive()
    }
}

/// Returns the object of a handle.
///
/// # Safety
/// As [`share`].
unsafe fn acquire<T: Object, const ALONE: bool>(
    handle: *const c_void,
) -> Result<Guard<T, ALONE>, HandleError> {
    // SAFETY: the caller's promise is the same.
    let header = unsafe { header(handle) }?;
    header.acquire::<T>(handle, ALONE)?;
    let object = PhantomData;
    Ok(Guard { header, object })
}

/// Returns the object of a handle, to read it.
///
/// # Errors
/// See [`HandleError`].
///
/// # Safety
/// `handle` is null, or was returned by [`create`] for an object of any kind, freed or not.
pub unsafe fn share<T: Object>(handle: *const c_void) -> Result<Shared<T>, HandleError> {
    // SAFETY: the caller's promise is the same.
    unsafe { acquire(handle) }
}

/// Returns the object of a handle, to change it.
///
/// # Errors
/// See [`HandleError`].
///
/// # Safety
/// As [`share`].
pub unsafe fn lock<T: Object>(handle: *const c_void) -> Result<Locked<T>, HandleError> {
    // SAFETY: the caller's promise is the same.
    unsafe { acquire(handle) }
}

/// Frees a handle, and returns the object that it was of.
///
/// # Errors
/// See [`HandleError`].
///
/// # Safety
/// As [`share`].
pub unsafe fn free<T: Object>(handle: *const c_void) -> Result<T, HandleError> {
    // SAFETY: the caller's promise is the same.
    let header = unsafe { header(handle) }?;
    header.acquire::<T>(handle, true)?;
    let body = header.body.swap(ptr::null_mut(), Relaxed).cast::<T>();
    header.generation.fetch_add(1, Relaxed);
    header.state.store(FREE, Release);
    keep(header);
    // SAFETY: `create` made it of a box of this kind, as the magic number shows, and nothing else
    // refers to it: the header was locked, and no longer has a body.
    Ok(*unsafe { Box::from_raw(body) })
}

impl<T: Object, const ALONE: bool> Deref for Guard<T, ALONE> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the body is a box of this kind, as the magic number shows, and the state keeps it
        // from being freed or changed by others until this is dropped.
        unsafe { &*self.header.body.load(Relaxed).cast::<T>() }
    }
}

impl<T: Object> DerefMut for Locked<T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as for `deref`; and the state lets no other call have the object.
        unsafe { &mut *self.header.body.load(Relaxed).cast::<T>() }
    }
}

impl<T: Object, const ALONE: bool> Drop for Guard<T, ALONE> {
    fn drop(&mut self) {
        self.header.release(ALONE);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ptr;
    use std::sync::Arc;

    use super::{HandleError, Object, create, free, lock, share};

    #[derive(Debug)]
    struct Text(String);
    impl Object for Text {
        const MAGIC: u32 = 1;
    }
    #[derive(Debug)]
    struct Other(#[expect(dead_code, reason = "it is dropped")] Arc<()>);
    impl Object for Other {
        const MAGIC: u32 = 2;
    }

    fn text(text: &str) -> *mut std::ffi::c_void {
        create(Text(text.to_owned()))
    }

    #[test]
    fn objects_are_shared_or_locked() {
        let handle = text("a");
        // SAFETY: `handle` is from `create`.
        unsafe {
            let one = share::<Text>(handle).unwrap();
            let two = share::<Text>(handle).unwrap();
            assert_eq!((&*one.0, &*two.0), ("a", "a"));
            assert_eq!(lock::<Text>(handle).unwrap_err(), HandleError::Busy);
            drop((one, two));
            let mut locked = lock::<Text>(handle).unwrap();
            locked.0.push('b');
            assert_eq!(share::<Text>(handle).unwrap_err(), HandleError::Busy);
            assert_eq!(free::<Text>(handle).unwrap_err(), HandleError::Busy);
            drop(locked);
            assert_eq!(free::<Text>(handle).unwrap().0, "ab");
        }
    }

    #[test]
    fn mistakes_are_errors() {
        let handle = text("a");
        // SAFETY: null is allowed, and `handle` is from `create`.
        unsafe {
            assert_eq!(share::<Text>(ptr::null()).unwrap_err(), HandleError::Null);
            assert_eq!(share::<Other>(handle).unwrap_err(), HandleError::Kind);
            free::<Text>(handle).unwrap();
            assert_eq!(share::<Text>(handle).unwrap_err(), HandleError::Freed);
            assert_eq!(free::<Text>(handle).unwrap_err(), HandleError::Freed);
            for _ in 0..63 {
                let next = text("b");
                assert_eq!(lock::<Text>(handle).unwrap_err(), HandleError::Freed);
                free::<Text>(next).unwrap();
            }
        }
    }

    #[test]
    fn objects_are_dropped() {
        let count = Arc::new(());
        let handles: Vec<_> = (0..200)
            .map(|_| create(Other(Arc::clone(&count))))
            .collect();
        assert_eq!(Arc::strong_count(&count), 201);
        let distinct: BTreeSet<_> = handles.iter().map(|h| h.addr()).collect();
        assert_eq!(distinct.len(), 200);
        for handle in handles {
            // SAFETY: it is from `create`.
            drop(unsafe { free::<Other>(handle) }.unwrap());
        }
        assert_eq!(Arc::strong_count(&count), 1);
    }

    #[test]
    fn threads_pass_handles_to_each_other() {
        struct Pass(*mut std::ffi::c_void);
        // SAFETY: handles may be used by any thread.
        unsafe impl Send for Pass {}
        for _ in 0..8 {
            let made: Vec<Vec<Pass>> = std::thread::scope(|scope| {
                let make = || (0..100).map(|_| Pass(text("a"))).collect();
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
                threads.into_iter().map(|t| t.join().unwrap()).collect()
            });
            std::thread::scope(|scope| {
                for handles in made {
                    scope.spawn(move || {
                        for handle in handles {
                            // SAFETY: it is from `create`.
                            assert_eq!(unsafe { free::<Text>(handle.0) }.unwrap().0, "a");
                        }
                    });
                }
            });
        }
    }
}
