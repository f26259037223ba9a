//! Listings of the shaders, and of their translations to DXIL. Listings of shaders equal
//! D3DDisassemble's, except for the comments that the crate does not print; a shader that is not
//! translated has its message.
//!
//! `TRELLIS_BLESS=1 cargo test -p trellis-dxbc-frontend --test it listing::` rewrites the files.

use trellis_dxbc_frontend::disasm::disassemble;
use trellis_dxbc_frontend::tokens::Program;
use trellis_dxbc_frontend::translate;
use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::disasm;

#[test]
fn listings_are_as_committed() {
    crate::compare("asm", |bytes| {
        let container = Container::open(bytes).unwrap();
        let program = Program::read(&container).unwrap();
        disassemble(&program, Some(&container)).unwrap()
    });
}

#[test]
fn translations_are_as_committed() {
    crate::compare("ll", |bytes| {
        match translate(&Container::open(bytes).unwrap()) {
            Ok((module, shader)) => disasm::disassemble(&module, Some(&shader), None).unwrap(),
            Err(error) => format!("{error}\n"),
        }
    });
}
