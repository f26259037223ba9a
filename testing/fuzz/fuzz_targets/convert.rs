//! The whole conversion, which verifies its output itself.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = trellis_spirv_backend::convert(bytes, &trellis_spirv_backend::Options::default());
});
