//! Bitcode: accepted modules have the properties that the reader guarantees.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = trellis_dxil_frontend::fuzzing::bitcode(bytes);
});
