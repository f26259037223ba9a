//! Containers: each part and each program, with its listing.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = trellis_dxil_frontend::fuzzing::container(bytes);
});
