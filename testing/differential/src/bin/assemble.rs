//! `assemble LIBRARY LISTING…`: assembles listings of DXIL with DXC's library, as `dxc -assemble` does. Writes a
//! container next to each, `LISTING.dxil`, or the error, `LISTING.error`. It is a program of its own since the
//! assembler crashes for some listings.
#![expect(unsafe_code, reason = "the interface of DXC's library is C++")]

use std::ffi::{OsString, c_void};
use std::path::Path;
use std::{fs, io, mem, ptr, slice};

/// An identifier of COM.
#[repr(C)]
struct Guid(u32, u16, u16, [u8; 8]);

type Create = unsafe extern "C" fn(*const Guid, *const Guid, *mut Object) -> i32;

const LIBRARY: [Guid; 2] = [
    Guid(
        0x6245_d6af,
        0x66e0,
        0x48fd,
        [0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c],
    ),
    Guid(
        0xe520_4dc7,
        0xd18c,
        0x4c3c,
        [0xbd, 0xfb, 0x85, 0x16, 0x73, 0x98, 0x0f, 0xe7],
    ),
];
const ASSEMBLER: [Guid; 2] = [
    Guid(
        0xd728_db68,
        0xf903,
        0x4f80,
        [0x94, 0xcd, 0xdc, 0xcf, 0x76, 0xec, 0x71, 0x51],
    ),
    Guid(
        0x091f_7a26,
        0x1c1f,
        0x4948,
        [0x90, 0x4b, 0xe6, 0xe3, 0xa8, 0xa7, 0x71, 0xd5],
    ),
];

/// A pointer to an object of COM, whose first word leads to the table of its functions. It is never released: the
/// program ends soon.
#[repr(transparent)]
#[derive(Clone, Copy)]
struct Object(*mut *const *const c_void);

impl Object {
    const NONE: Self = Self(ptr::null_mut());

    /// Returns a function of the table, the object's at `index`.
    ///
    /// # Safety
    /// The object exists, and `F` is the type of that function.
    unsafe fn function<F: Copy>(self, index: usize) -> F {
        // SAFETY: the caller's promise; a pointer to a function has the size of a pointer.
        unsafe { mem::transmute_copy(&*(*self.0).add(index)) }
    }

    /// Returns the bytes of a blob.
    ///
    /// # Safety
    /// It is an `IDxcBlob`.
    unsafe fn bytes<'b>(self) -> &'b [u8] {
        // SAFETY: `GetBufferPointer` and `GetBufferSize`; the memory is never released.
        unsafe {
            let start = self.function::<unsafe extern "C" fn(Self) -> *const u8>(3)(self);
            let size = self.function::<unsafe extern "C" fn(Self) -> usize>(4)(self);
            slice::from_raw_parts(start, size)
        }
    }
}

/// Returns an error for a result of COM that is one.
fn check(result: i32) -> Result<(), String> {
    match result {
        0.. => Ok(()),
        _ => Err(format!("result {result:#x}")),
    }
}

/// Returns the container of a listing.
fn assemble(create: Create, listing: &[u8]) -> Result<Vec<u8>, String> {
    let new = |[class, interface]: &[Guid; 2]| {
        let mut object = Object::NONE;
        // SAFETY: as `DxcCreateInstance` is declared.
        check(unsafe { create(class, interface, &raw mut object) }).map(|()| object)
    };
    let (library, assembler) = (new(&LIBRARY)?, new(&ASSEMBLER)?);
    let size = u32::try_from(listing.len()).map_err(|error| error.to_string())?;
    let (mut source, mut result, mut output) = (Object::NONE, Object::NONE, Object::NONE);
    let mut status = 0;
    // SAFETY: `CreateBlobWithEncodingOnHeapCopy` of `IDxcLibrary`, `AssembleToContainer` of `IDxcAssembler`, `GetStatus`,
    // `GetResult` and `GetErrorBuffer` of `IDxcOperationResult`, with the parameters that dxcapi.h declares.
    unsafe {
        type Copy = unsafe extern "C" fn(Object, *const u8, u32, u32, *mut Object) -> i32;
        type Assemble = unsafe extern "C" fn(Object, Object, *mut Object) -> i32;
        type Status = unsafe extern "C" fn(Object, *mut i32) -> i32;
        type Get = unsafe extern "C" fn(Object, *mut Object) -> i32;
        const UTF8: u32 = 65001;
        check(library.function::<Copy>(7)(
            library,
            listing.as_ptr(),
            size,
            UTF8,
            &raw mut source,
        ))?;
        check(assembler.function::<Assemble>(3)(
            assembler,
            source,
            &raw mut result,
        ))?;
        check(result.function::<Status>(3)(result, &raw mut status))?;
        let is_done = status >= 0;
        check(result.function::<Get>(if is_done { 4 } else { 5 })(
            result,
            &raw mut output,
        ))?;
        match is_done {
            true => Ok(output.bytes().to_vec()),
            false => Err(String::from_utf8_lossy(output.bytes()).into_owned()),
        }
    }
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let library = arguments.next().unwrap_or_default();
    // SAFETY: DXC's library does nothing when it is loaded, and is never unloaded.
    let create = unsafe {
        let library = libloading::Library::new(library).map_err(io::Error::other)?;
        let library = Box::leak(Box::new(library));
        *library
            .get::<Create>(b"DxcCreateInstance")
            .map_err(io::Error::other)?
    };
    for listing in arguments {
        let next = |extension| {
            let mut name = OsString::from(&listing);
            name.push(extension);
            name
        };
        match assemble(create, &fs::read(Path::new(&listing))?) {
            Ok(container) => fs::write(next(".dxil"), container)?,
            Err(error) => fs::write(next(".error"), error)?,
        }
    }
    Ok(())
}
