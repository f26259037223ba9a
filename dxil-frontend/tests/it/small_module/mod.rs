//! The small modules on which the rules of the bitcode reader are tested.

mod writer;

use trellis_dxil_frontend::Error;
use trellis_dxil_frontend::bitcode::read_module;
use trellis_dxil_frontend::error::BitcodeErrorKind as Kind;
use trellis_dxil_frontend::module::Module;
pub(crate) use writer::Writer;

pub(crate) const MODULE: u64 = 8;
pub(crate) const ATTRIBUTES: u64 = 9;
pub(crate) const CONSTANTS: u64 = 11;
pub(crate) const FUNCTION: u64 = 12;
pub(crate) const TYPE: u64 = 17;

/// Types of the modules below by number: `void`, `i32`, `void (i32)`, `i32*`, `i1`, `float`,
/// `{i32, i1}`, `[4 x i32]`, `[4 x i32]*`, metadata, `<4 x i32>`, `i128`.
pub(crate) const TYPES: [(u64, &[u64]); 12] = [
    (2, &[]),
    (7, &[32]),
    (21, &[0, 0, 1]),
    (8, &[1, 0]),
    (7, &[1]),
    (3, &[]),
    (18, &[0, 1, 4]),
    (11, &[4, 1]),
    (8, &[7, 0]),
    (16, &[]),
    (12, &[4, 1]),
    (7, &[128]),
];
pub(crate) const I32: u64 = 1;

/// Records: codes and fields.
pub(crate) type Records<'a> = &'a [(u64, &'a [u64])];

pub(crate) fn write(w: &mut Writer, records: Records<'_>) {
    for (code, fields) in records {
        w.record(*code, fields);
    }
}

pub(crate) fn types(w: &mut Writer, types: &[(u64, &[u64])]) {
    w.begin(TYPE, 4).record(1, &[types.len() as u64]);
    write(w, types);
    w.end();
}

pub(crate) fn parse(w: &Writer) -> Result<Module, Error> {
    let module = read_module(&w.bytes(), 0)?;
    crate::fuzzing::check_module(&module);
    Ok(module)
}

pub(crate) fn error(result: Result<Module, Error>) -> Kind {
    match result {
        Err(Error::Bitcode(error)) => error.kind,
        other => panic!("expected an error of the bitcode reader, found {other:?}"),
    }
}

/// Checks that the reader refuses a module, with an error whose form or text has a part.
pub(crate) fn refused(result: Result<Module, Error>, expected: &str) {
    let kind = error(result);
    let text = format!("{kind:?}: {kind}");
    assert!(text.contains(expected), "{text}, expected {expected}");
}

/// Returns a module with [`TYPES`], the constants that `constants` writes, and the function `void
/// f(i32)` with the body that `body` writes.
///
/// Values: 0 is the function, constants follow, then the argument.
pub(crate) fn with_body(
    constants: impl Fn(&mut Writer),
    body: impl Fn(&mut Writer),
) -> Result<Module, Error> {
    let mut w = Writer::new();
    w.begin(MODULE, 3).record(1, &[1]);
    types(&mut w, &TYPES);
    w.record(8, &[2, 0, 0, 0, 0, 0, 0, 0]);
    w.begin(CONSTANTS, 4);
    constants(&mut w);
    w.end();
    w.begin(FUNCTION, 4);
    body(&mut w);
    w.end().end();
    parse(&w)
}

/// LLVM's signed fields have the sign in the lowest bit.
pub(crate) fn signed(value: i64) -> u64 {
    if value < 0 {
        (value.unsigned_abs() << 1) | 1
    } else {
        (value as u64) << 1
    }
}
