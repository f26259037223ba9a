//! Listings of the shaders, and of their translations to DXIL. Listings of shaders equal
//! D3DDisassemble's, except for the comments that the crate does not print; a shader that is not
//! translated has its message.
//!
//! `TRELLIS_BLESS=1 cargo test -p trellis-dxbc-frontend --test it listing::` rewrites the files.

use trellis_dxbc_frontend::{disassemble, read};
use trellis_dxil_frontend::disasm;

#[test]
fn listings_are_as_committed() {
    crate::compare("asm", |bytes| disassemble(bytes).unwrap());
}

#[test]
fn translations_are_as_committed() {
    crate::compare("ll", |bytes| match read(bytes) {
        Ok(input) => disasm::disassemble(&input.module, Some(&input.shader), None).unwrap(),
        Err(error) => format!("{error}\n"),
    });
}
