//! Token streams: their listing, the module that they become, and the types of resources.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = trellis_dxbc_frontend::disassemble(bytes);
    if let Ok(input) = trellis_dxbc_frontend::read(bytes)
        && let Some(container) = &input.container
    {
        let _ = trellis_dxbc_frontend::definitions(container, &input.shader.resources);
    }
});
