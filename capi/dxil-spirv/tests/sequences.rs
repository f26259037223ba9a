//! Random sequences of calls, from seeds: no call ends the process, whatever was called before, and a
//! converter that says it succeeded has a module.
//!
//! `TRELLIS_SEQUENCES` is the number of sequences, `TRELLIS_SEED` the first seed.
//!
//! A program of its own: a handle that was freed long ago may by now be one of another thread's objects,
//! which a sequence would free; and `xtask/scripts/check-c-memory.sh` runs nothing else.

#![allow(
    clippy::unwrap_used,
    reason = "tests state what they expect by unwrapping it"
)]
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    reason = "the interface is one for C: each block passes what a client may pass by mistake"
)]

#[path = "it/common.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod common;

use std::ffi::{c_char, c_void};
use std::ptr;

use common::{lines, listen, shader};
use dxil_spirv_c_shared::abi::*;
use dxil_spirv_c_shared::api::*;

/// A generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Returns a number that is likely to matter.
    fn number(&mut self) -> u32 {
        match self.below(4) {
            0 => u32::MAX,
            1 => self.next() as u32,
            _ => self.below(8) as u32,
        }
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        let index = self.below(list.len().max(1) as u64) as usize;
        list.get(index).copied()
    }
}

unsafe extern "C" fn any_srv(
    random: *mut c_void,
    _: *const D3dBinding,
    vulkan: *mut SrvVulkanBinding,
) -> Bool {
    let random = unsafe { &mut *random.cast::<Random>() };
    unsafe {
        (*vulkan).buffer_binding = any_binding(random);
        (*vulkan).offset_binding = any_binding(random);
    }
    (random.below(8) != 0).into()
}

unsafe extern "C" fn any_uav(
    random: *mut c_void,
    _: *const UavD3dBinding,
    vulkan: *mut UavVulkanBinding,
) -> Bool {
    let random = unsafe { &mut *random.cast::<Random>() };
    unsafe {
        (*vulkan).buffer_binding = any_binding(random);
        (*vulkan).counter_binding = any_binding(random);
        (*vulkan).offset_binding = any_binding(random);
    }
    (random.below(8) != 0).into()
}

unsafe extern "C" fn any_cbv(
    random: *mut c_void,
    _: *const D3dBinding,
    vulkan: *mut CbvVulkanBinding,
) -> Bool {
    let random = unsafe { &mut *random.cast::<Random>() };
    unsafe {
        (*vulkan).vulkan.uniform_binding = any_binding(random);
        (*vulkan).push_constant = (random.below(3) == 0).into();
    }
    (random.below(8) != 0).into()
}

unsafe extern "C" fn any_sampler(
    random: *mut c_void,
    _: *const D3dBinding,
    vulkan: *mut VulkanBinding,
) -> Bool {
    let random = unsafe { &mut *random.cast::<Random>() };
    unsafe { *vulkan = any_binding(random) };
    (random.below(8) != 0).into()
}

fn any_binding(random: &mut Random) -> VulkanBinding {
    let likely = random.below(4) != 0;
    VulkanBinding {
        set: random.number(),
        binding: random.number(),
        root_constant_index: random.number(),
        bindless: Bindless {
            heap_root_offset: random.number(),
            use_heap: (random.below(2) == 0).into(),
        },
        descriptor_type: if likely {
            random.below(4) as u32
        } else {
            random.number()
        },
    }
}

/// The bytes of an option of any number: long enough for all of them.
#[repr(C, align(8))]
struct AnyOption {
    ty: OptionType,
    words: [u32; 15],
}

/// What a sequence has, freed or not.
struct State<'a> {
    shaders: &'a [Vec<u8>],
    blobs: Vec<*mut c_void>,
    converters: Vec<*mut c_void>,
    random: Random,
    runs: u32,
}

impl State<'_> {
    fn blob(&mut self) -> *mut c_void {
        self.handle(false)
    }

    fn converter(&mut self) -> *mut c_void {
        self.handle(true)
    }

    /// Returns a handle: mostly of the kind, and mostly the newest.
    fn handle(&mut self, converter: bool) -> *mut c_void {
        let swapped = self.random.below(32) == 0;
        let list = if converter != swapped {
            &self.converters
        } else {
            &self.blobs
        };
        let newest = list.last().copied();
        let any = self.random.pick(list);
        let handle = if self.random.below(4) == 0 {
            any
        } else {
            newest
        };
        handle.unwrap_or(ptr::null_mut())
    }

    fn parse(&mut self) {
        let index = self.random.below(self.shaders.len() as u64) as usize;
        let mut bytes = self.shaders[index].clone();
        if self.random.below(4) == 0 {
            let at = self.random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << self.random.below(8);
        }
        let mut blob = ptr::null_mut();
        let (data, size) = (bytes.as_ptr().cast(), bytes.len());
        unsafe {
            match self.random.below(8) {
                0 => dxil_spv_parse_reflection_dxil_blob(data, size, &raw mut blob),
                1 => dxil_spv_parse_dxil(data, size, &raw mut blob),
                _ => dxil_spv_parse_dxil_blob(data, size, &raw mut blob),
            };
        }
        if !blob.is_null() {
            self.blobs.push(blob);
        }
    }

    fn query_blob(&mut self) {
        let blob = self.blob();
        let index = self.random.number();
        let mut name: *const c_char = ptr::null();
        let (mut data, mut size, mut count) = (ptr::null(), 0, 0);
        unsafe {
            dxil_spv_parsed_blob_get_entry_point_name(blob, index, &raw mut name);
            dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, name);
            dxil_spv_parsed_blob_get_entry_index_by_name(blob, name, &raw mut count);
            dxil_spv_parsed_blob_get_num_entry_points(blob, &raw mut count);
            dxil_spv_parsed_blob_get_raw_ir(blob, &raw mut data, &raw mut size);
            dxil_spv_parsed_blob_get_disassembled_ir(blob, &raw mut name);
            dxil_spv_parsed_blob_get_shader_stage(blob);
            dxil_spv_parsed_blob_get_num_rdat_subobjects(blob);
            let data: *mut Random = &raw mut self.random;
            dxil_spv_parsed_blob_scan_resources(
                blob,
                Some(any_srv),
                Some(any_sampler),
                Some(any_cbv),
                Some(any_uav),
                data.cast(),
            );
        }
    }

    fn set(&mut self) {
        let converter = self.converter();
        let [a, b, c, d] = [(); 4].map(|()| self.random.number());
        let data: *mut Random = &raw mut self.random;
        let data = data.cast();
        unsafe {
            match self.random.below(14) {
                0 => dxil_spv_converter_set_srv_remapper(converter, Some(any_srv), data),
                1 => dxil_spv_converter_set_uav_remapper(converter, Some(any_uav), data),
                2 => dxil_spv_converter_set_cbv_remapper(converter, Some(any_cbv), data),
                3 => dxil_spv_converter_set_sampler_remapper(converter, Some(any_sampler), data),
                4 => dxil_spv_converter_set_uav_remapper(converter, None, data),
                5 => dxil_spv_converter_set_root_constant_word_count(converter, a),
                6 => dxil_spv_converter_set_root_descriptor_count(converter, a),
                7 => dxil_spv_converter_add_local_root_constants(converter, a, b, c),
                8 => dxil_spv_converter_add_local_root_descriptor(converter, a, b, c),
                9 => dxil_spv_converter_add_local_root_descriptor_table(converter, a, b, c, d, a),
                10 => {
                    dxil_spv_converter_begin_local_root_descriptor_table(converter);
                }
                11 => {
                    dxil_spv_converter_end_local_root_descriptor_table(converter);
                }
                12 => dxil_spv_converter_set_patch_location_offset(converter, a),
                _ => dxil_spv_converter_set_entry_point(converter, c"main".as_ptr()),
            }
        }
    }

    fn option(&mut self) {
        let converter = self.converter();
        let mut option = AnyOption {
            ty: self.random.below(54) as u32,
            words: [(); 15].map(|()| self.random.number()),
        };
        // These have pointers.
        if matches!(
            option.ty,
            option::OUTPUT_SWIZZLE | option::SHADER_SOURCE_FILE
        ) {
            option.words = [0; 15];
        }
        let at: *const AnyOption = &raw const option;
        unsafe { dxil_spv_converter_add_option(converter, at.cast()) };
    }

    fn run(&mut self) {
        let converter = self.converter();
        let mut compiled = CompiledSpirv {
            data: ptr::null(),
            size: 0,
        };
        let (mut x, mut y, mut z) = (0, 0, 0);
        unsafe {
            let done = dxil_spv_converter_run(converter);
            let has = dxil_spv_converter_get_compiled_spirv(converter, &raw mut compiled);
            assert_eq!(done == result::SUCCESS, has == result::SUCCESS);
            if done == result::SUCCESS {
                self.runs += 1;
                assert_eq!(compiled.data.cast::<u32>().read(), 0x0723_0203);
            }
            dxil_spv_converter_get_compute_wave_size_range(
                converter, &raw mut x, &raw mut y, &raw mut z,
            );
            dxil_spv_converter_uses_shader_feature(converter, x);
        }
    }

    fn step(&mut self) {
        match self.random.below(16) {
            0 | 1 => self.parse(),
            2 | 3 => {
                let blob = self.blob();
                let names = if self.random.below(4) == 0 {
                    self.blob()
                } else {
                    ptr::null_mut()
                };
                let mut converter = ptr::null_mut();
                unsafe {
                    dxil_spv_create_converter_with_reflection(blob, names, &raw mut converter);
                }
                if !converter.is_null() {
                    self.converters.push(converter);
                }
            }
            4 => self.query_blob(),
            5..=8 => self.set(),
            9..=11 => self.option(),
            12..=14 => self.run(),
            _ => {
                let converter = self.random.below(2) == 0;
                let handle = self.handle(converter);
                unsafe {
                    if converter {
                        dxil_spv_converter_free(handle);
                    } else {
                        dxil_spv_parsed_blob_free(handle);
                    }
                }
            }
        }
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn no_sequence_of_calls_ends_the_process() {
    listen();
    let shaders = [
        "buffers/counters.dxil",
        "buffers/structured.dxil",
        "cbuffers/array_of_buffers.dxil",
        "control_flow/discard_in_loop.dxil",
        "raytracing/shader_record.dxil",
        "resources/descriptor_heap.dxil",
        "tessellation/more_points.dxil",
        "vertex_io/packed_outputs.dxil",
    ]
    .map(|name| {
        std::fs::read(common::corpus().join(name)).unwrap_or_else(|_| shader("buffers/typed.dxil"))
    });
    let first = number("TRELLIS_SEED", 1);
    let mut runs = 0;
    for seed in first..first + number("TRELLIS_SEQUENCES", 60) {
        let mut state = State {
            shaders: &shaders,
            blobs: Vec::new(),
            converters: Vec::new(),
            random: Random(seed),
            runs: 0,
        };
        for _ in 0..80 {
            state.step();
            assert!(
                !lines()
                    .iter()
                    .any(|(_, line)| line.contains("internal error")),
                "seed {seed}"
            );
        }
        for converter in state.converters {
            unsafe { dxil_spv_converter_free(converter) };
        }
        for blob in state.blobs {
            unsafe { dxil_spv_parsed_blob_free(blob) };
        }
        runs += state.runs;
    }
    assert!(runs > 20, "{runs} conversions");
}
