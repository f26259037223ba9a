//! Random sequences of calls, from seeds: no call ends the process, whatever was called before, and
//! a converter that reports success has a module.
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
#[expect(dead_code, reason = "the other tests use the rest")]
mod calls;
#[path = "it/common.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod common;

use std::ptr;

use c_testkit::{Random, sequences};
use calls::Arguments;
use common::{lines, listen};
use dxil_spirv_c_shared::abi::{CompiledSpirv, result};
use dxil_spirv_c_shared::api::*;

/// Runs a converter, and returns whether there is a module.
fn run(arguments: &mut Arguments) -> bool {
    let converter = arguments.converter();
    let (data, size) = (ptr::null(), 0);
    let mut compiled = CompiledSpirv { data, size };
    unsafe {
        let done = dxil_spv_converter_run(converter);
        let has = dxil_spv_converter_get_compiled_spirv(converter, &raw mut compiled);
        assert_eq!(done == result::SUCCESS, has == result::SUCCESS);
        if done == result::SUCCESS {
            assert_eq!(compiled.data.cast::<u32>().read(), 0x0723_0203);
        }
        done == result::SUCCESS
    }
}

fn sequence(shaders: &[Vec<u8>], random: Random) -> u32 {
    let seed = random.0;
    let mut arguments = Arguments::new(shaders, random);
    let mut runs = 0;
    for _ in 0..100 {
        let table = match arguments.random.below(20) {
            0 | 1 if arguments.random.one_in(4) => calls::PARSE_PART,
            0 | 1 => calls::PARSE,
            2 | 3 => calls::CREATE,
            4..=7 => calls::QUERIES,
            8..=11 => calls::SETTERS,
            12..=14 => calls::OPTION,
            15 => calls::FREE,
            _ => {
                runs += u32::from(run(&mut arguments));
                continue;
            }
        };
        let (name, call) = arguments.random.pick(table).unwrap();
        call(&mut arguments);
        if let Some(made) = arguments.made() {
            if name.starts_with("dxil_spv_parse") {
                arguments.blobs.push(made);
            } else {
                arguments.converters.push(made);
            }
        }
        let is_internal = |(_, line): &(_, String)| line.contains("internal error");
        assert!(!lines().iter().any(is_internal), "seed {seed}: {name}");
    }
    for converter in arguments.converters {
        unsafe { dxil_spv_converter_free(converter) };
    }
    for blob in arguments.blobs {
        unsafe { dxil_spv_parsed_blob_free(blob) };
    }
    runs
}

#[test]
fn no_sequence_of_calls_ends_the_process() {
    listen();
    sequences(sequence);
}
