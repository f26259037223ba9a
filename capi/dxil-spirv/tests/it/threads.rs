//! Sixteen threads convert at once, and get the same bytes.

use c_testkit::{shader, threads_get_the_same_words};

use crate::common::Blob;

#[test]
fn threads_convert_at_once() {
    threads_get_the_same_words(|bytes, _| Blob::parse(bytes).unwrap().converter().run().unwrap());
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
