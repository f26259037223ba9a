//! Bitcode: accepted modules have the properties that the reader guarantees.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../dxil-frontend/tests/it/fuzzing.rs"]
#[expect(dead_code, reason = "the body of the other target")]
mod fuzzing;

fuzz_target!(|bytes: &[u8]| {
    let _ = fuzzing::bitcode(bytes);
});
