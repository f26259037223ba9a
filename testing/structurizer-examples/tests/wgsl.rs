//! The programs of `goto_to_wgsl.rs` are valid WGSL: naga reads and validates them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "nothing is run here")]
mod common;
#[path = "../../../structurizer-client/examples/goto_to_wgsl.rs"]
#[expect(dead_code, reason = "the example has its own `main`")]
mod example;

use common::random;
use example::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use structurizer_testkit::generate::Rng;

const PROGRAMS: usize = 400;

#[test]
fn naga_accepts_each_program() {
    let mut rng = Rng::new(1);
    for _ in 0..PROGRAMS {
        let text = wgsl(&random(&mut rng)).unwrap();
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{}\n{text}", error.emit_to_string(&text)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        if let Err(error) = validator.validate(&module) {
            panic!("{}\n{text}", error.emit_to_string(&text));
        }
    }
}
