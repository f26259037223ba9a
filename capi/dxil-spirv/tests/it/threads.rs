//! Sixteen threads convert at once, and get the same bytes.

use crate::common::{Blob, shader};

#[test]
fn threads_get_the_same_words() {
    let names = [
        "buffers/counters.dxil",
        "control_flow/discard_in_loop.dxil",
        "cbuffers/dynamic_index.dxil",
        "tessellation/more_points.dxil",
    ];
    let shaders = names.map(shader);
    let expected = shaders
        .each_ref()
        .map(|bytes| Blob::parse(bytes).unwrap().converter().run().unwrap());
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (shaders, expected) = (&shaders, &expected);
            scope.spawn(move || {
                for round in 0..8 {
                    let i = (thread + round) % shaders.len();
                    let converter = Blob::parse(&shaders[i]).unwrap().converter();
                    assert!(converter.run().unwrap() == expected[i]);
                }
            });
        }
    });
}

#[test]
fn threads_share_a_blob() {
    struct Shared(Blob);
    #[allow(unsafe_code, reason = "handles may be used by any thread")]
    // SAFETY: a blob may be read by several threads.
    unsafe impl Sync for Shared {}

    let shared = Shared(Blob::parse(&shader("buffers/counters.dxil")).unwrap());
    let expected = shared.0.converter().run().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            let (shared, expected) = (&shared, &expected);
            scope.spawn(move || {
                for _ in 0..4 {
                    assert!(shared.0.converter().run().unwrap() == *expected);
                }
            });
        }
    });
}
