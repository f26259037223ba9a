//! Random sequences of calls, from seeds: no call ends the process, whatever was called before, and a
//! conversion that succeeds has a module.
//!
//! `TRELLIS_SEQUENCES` is the number of sequences, `TRELLIS_SEED` the first seed.
//!
//! A separate program: a handle that was freed long ago may by now be another thread's object, which a
//! sequence would free; and `xtask/scripts/check-c-memory.sh` runs nothing else.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the interface is one for C: each block passes what a client may pass by mistake"
)]

#[path = "it/calls.rs"]
mod calls;
#[path = "it/common.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod common;

use std::ptr;

use c_testkit::{Random, sequences};
use calls::{Arguments, Handle};
use trellis::abi::{ModuleHandle, TRELLIS_INVALID_HANDLE, TRELLIS_OK};
use trellis::api::trellis_module_words;

fn sequence(shaders: &[Vec<u8>], random: Random) -> u32 {
    let mut arguments = Arguments::new(shaders, random);
    let mut runs = 0;
    for _ in 0..100 {
        let table = match arguments.random.below(20) {
            0..=2 => calls::LOAD,
            3 => calls::NEW,
            4 => calls::WITH_OPTIONS,
            5 => calls::CHANGE,
            6..=7 => calls::SETTERS,
            8..=10 => calls::SET,
            11..=16 => calls::CONVERT,
            17 => calls::QUERIES,
            18 => calls::FREE,
            _ => calls::COPY,
        };
        let (name, call) = arguments.random.pick(table).unwrap();
        let status = call(&mut arguments);
        arguments.check(status);
        if status == TRELLIS_OK && calls::CONVERT.iter().any(|(other, _)| *other == name) {
            runs += 1;
            let module = *arguments.handles[ModuleHandle::KIND].last().unwrap();
            let words = unsafe { trellis_module_words(module.cast(), ptr::null_mut()) };
            assert_eq!(unsafe { words.read() }, 0x0723_0203);
        }
    }
    for (handles, (name, free)) in arguments.handles.into_iter().zip(calls::FREE) {
        for handle in handles {
            let status = free(&mut Arguments::of_handle(&[], handle));
            assert!(
                [TRELLIS_OK, TRELLIS_INVALID_HANDLE].contains(&status),
                "{name}"
            );
        }
    }
    runs
}

#[test]
fn no_sequence_of_calls_ends_the_process() {
    sequences(sequence);
}
