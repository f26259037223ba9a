//! Random sequences of calls, from seeds: no call ends the process, whatever was called before, and what
//! succeeds has a module.
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

use std::ffi::c_void;
use std::ptr;

use common::{parts, shader};
use trellis::abi::*;
use trellis::api::*;

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

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Returns a number that is likely to matter.
    fn number(&mut self) -> u32 {
        match self.below(8) {
            0 => u32::MAX,
            1 => self.next() as u32,
            2..=4 => 0,
            _ => self.below(8) as u32,
        }
    }

    fn words<const N: usize>(&mut self) -> [u32; N] {
        [(); N].map(|()| self.number())
    }

    fn place(&mut self) -> Place {
        let [
            set,
            binding,
            offset,
            root_constant,
            words,
            record_offset,
            size_log2,
        ] = self.words();
        Place {
            kind: self.below(9) as u32,
            descriptor: if self.below(4) == 0 { self.number() } else { 0 },
            set,
            binding,
            offset,
            has_root_constant: (self.below(3) == 0).into(),
            root_constant,
            words,
            record_offset,
            size_log2,
            reserved: if self.below(32) == 0 {
                self.words()
            } else {
                [0; 6]
            },
        }
    }

    fn answer(&mut self) -> Answer {
        match self.below(16) {
            0 => self.number(),
            _ => TRELLIS_ANSWERED,
        }
    }
}

unsafe extern "C" fn bind(
    random: *mut c_void,
    query: *const ResourceQuery,
    binding: *mut Binding,
) -> Answer {
    let (random, query, binding) =
        unsafe { (&mut *random.cast::<Random>(), &*query, &mut *binding) };
    if random.below(4) == 0 {
        binding.place = random.place();
        binding.counter = random.place();
        binding.offsets.used = (random.below(2) == 0).into();
    } else {
        for (place, set) in [(&mut binding.place, 0), (&mut binding.counter, 1)] {
            place.kind = TRELLIS_PLACE_DESCRIPTOR;
            (place.set, place.binding) = (set, query.register_index);
        }
    }
    random.answer()
}

unsafe extern "C" fn heap(
    random: *mut c_void,
    _: *const HeapQuery,
    place: *mut HeapPlace,
) -> Answer {
    let (random, place) = unsafe { (&mut *random.cast::<Random>(), &mut *place) };
    [place.set, place.binding] = random.words();
    place.descriptor = if random.below(4) == 0 {
        random.number()
    } else {
        0
    };
    random.answer()
}

unsafe extern "C" fn element(
    random: *mut c_void,
    _: *const ElementQuery,
    place: *mut ElementPlace,
) -> Answer {
    let (random, place) = unsafe { (&mut *random.cast::<Random>(), &mut *place) };
    if random.below(4) == 0 {
        [place.location, place.component, place.per_primitive] = random.words();
    }
    random.answer()
}

unsafe extern "C" fn capture(
    random: *mut c_void,
    _: *const ElementQuery,
    captures: *mut Capture,
    capacity: usize,
    count: *mut usize,
) -> Answer {
    let random = unsafe { &mut *random.cast::<Random>() };
    let some = random.below(3);
    for at in 0..some.min(capacity) {
        let [buffer, stride, offset, components, component, row] = random.words();
        let value = Capture {
            buffer,
            stride,
            offset,
            components,
            component,
            row,
            reserved: [0; 2],
        };
        unsafe { captures.add(at).write(value) };
    }
    let wrong = random.below(16) == 0;
    let number = if wrong { random.next() as usize } else { some };
    unsafe { count.write(number) };
    random.answer()
}

/// Options, and values of which some are good.
const NAMES: &[&str] = &[
    "target",
    "entry",
    "interface.min_precision",
    "interface.root_descriptors",
    "interface.root_constants",
    "interface.root_uniform_block",
    "interface.sample_count",
    "interface.patch_location",
    "extensions.demote",
    "extensions.vulkan_memory_model",
    "workarounds.robust_local_arrays",
    "quirks.device_barriers",
    "debug.names",
    "bindings.shifts.uav",
    "bindings.strict",
    "stage_io.strict",
    "mesh",
    "structurizer.stages.loop-exits",
    "no.such",
];
const VALUES: &[&str] = &[
    "true",
    "false",
    "0",
    "4",
    "4294967295",
    "null",
    "vulkan1.1",
    "vulkan1.3",
    "native",
    "main",
    "{}",
    "[1",
    r#"{"set": 1, "binding": 0}"#,
];

/// What a sequence has, freed or not, by kind.
#[derive(Default)]
struct Handles([Vec<*mut c_void>; 5]);

const SHADER: usize = 0;
const OPTIONS: usize = 1;
const CONVERTER: usize = 2;
const MODULE: usize = 3;
const TEXT: usize = 4;

struct State<'a> {
    shaders: &'a [Vec<u8>],
    handles: Handles,
    random: Random,
    /// The state of the callbacks, which stays where it is.
    callbacks: Box<Random>,
    runs: u32,
}

impl State<'_> {
    /// Returns a handle: mostly of the kind, and mostly the newest.
    fn get<H>(&mut self, kind: usize) -> *mut H {
        let kind = match self.random.below(32) {
            0 => self.random.below(5),
            _ => kind,
        };
        let index = self.random.below(self.handles.0[kind].len());
        let list = &self.handles.0[kind];
        let handle = match self.random.below(4) {
            0 => list.get(index),
            _ => list.last(),
        };
        handle.map_or(ptr::null_mut(), |handle| handle.cast())
    }

    /// Makes an object.
    fn make<H>(
        &mut self,
        kind: usize,
        call: impl FnOnce(&mut Self, *mut *mut H, *mut *mut ErrorHandle) -> Status,
    ) -> Status {
        let mut handle = ptr::null_mut();
        let status = self.check(|state, error| call(state, &raw mut handle, error));
        assert_eq!(status == TRELLIS_OK, !handle.is_null());
        if !handle.is_null() {
            self.handles.0[kind].push(handle.cast());
        }
        status
    }

    /// Makes a call that may fail.
    fn check(&mut self, call: impl FnOnce(&mut Self, *mut *mut ErrorHandle) -> Status) -> Status {
        if self.random.below(4) == 0 {
            return call(self, ptr::null_mut());
        }
        let mut error = ptr::null_mut();
        let status = call(self, &raw mut error);
        unsafe {
            assert_eq!(status == TRELLIS_OK, error.is_null());
            let mut length = 0;
            let text = trellis_error_text(error, &raw mut length);
            let text = common::text(text, length);
            assert!(!text.contains("internal error"), "{text}");
            assert_eq!(trellis_error_free(error), TRELLIS_OK);
        }
        status
    }

    fn load(&mut self) {
        let index = self.random.below(self.shaders.len());
        let mut bytes = self.shaders[index].clone();
        if self.random.below(4) == 0 {
            let at = self.random.below(bytes.len());
            bytes[at] ^= 1 << self.random.below(8);
        }
        self.make(SHADER, |_, to, error| unsafe {
            trellis_shader_load(bytes.as_ptr().cast(), bytes.len(), to, error)
        });
    }

    fn set(&mut self) {
        let options = self.get(OPTIONS);
        let userdata: *mut Random = &raw mut *self.callbacks;
        let userdata = userdata.cast();
        match self.random.below(8) {
            0 => {
                let heap: HeapFunction = if self.random.below(4) == 0 {
                    None
                } else {
                    Some(heap)
                };
                self.check(|_, error| unsafe {
                    trellis_options_set_bindings(options, Some(bind), heap, userdata, error)
                });
            }
            1 => {
                let functions = StageIo {
                    vertex_input: Some(element),
                    input: Some(element),
                    output: Some(element),
                    capture: Some(capture),
                };
                let size = size_of::<usize>() * (1 + self.random.below(4));
                self.check(|_, error| unsafe {
                    trellis_options_set_stage_io(
                        options,
                        &raw const functions,
                        size,
                        userdata,
                        error,
                    )
                });
            }
            2 => {
                let index = self.random.below(self.shaders.len());
                let flags = self.random.below(3) as u32;
                self.check(|state, error| unsafe {
                    let bytes = &state.shaders[index];
                    let data = bytes.as_ptr().cast();
                    trellis_options_set_root_signature(options, data, bytes.len(), flags, error)
                });
            }
            3 => {
                let mesh: *mut ShaderHandle = self.get(SHADER);
                self.check(|_, error| unsafe {
                    trellis_options_set_mesh(options, mesh, ptr::null(), 0, error)
                });
            }
            4 => {
                self.check(|_, error| unsafe {
                    trellis_options_load(options, c"{}".as_ptr(), 2, error)
                });
            }
            _ => {
                let name = NAMES[self.random.below(NAMES.len())];
                let value = VALUES[self.random.below(VALUES.len())];
                let ((name, name_length), (value, length)) =
                    (parts(Some(name)), parts(Some(value)));
                self.check(|_, error| unsafe {
                    trellis_options_set(options, name, name_length, value, length, error)
                });
            }
        }
    }

    fn convert(&mut self) {
        let shader: *mut ShaderHandle = self.get(SHADER);
        let options: *mut OptionsHandle = self.get(OPTIONS);
        let converter: *mut ConverterHandle = self.get(CONVERTER);
        let by_converter = self.random.below(2) == 0;
        let name = (self.random.below(4) == 0).then_some("main");
        let (name, length) = parts(name);
        let status = self.make(MODULE, |_, to, error| unsafe {
            if by_converter {
                trellis_converter_convert(converter, shader, name, length, to, error)
            } else {
                trellis_convert(shader, options, name, length, to, error)
            }
        });
        if status == TRELLIS_OK {
            self.runs += 1;
            let module = *self.handles.0[MODULE].last().unwrap();
            let words = unsafe { trellis_module_words(module.cast(), ptr::null_mut()) };
            assert_eq!(unsafe { words.read() }, 0x0723_0203);
        }
    }

    fn query(&mut self) {
        let (shader, options, module): (*mut ShaderHandle, *mut OptionsHandle, *mut ModuleHandle) =
            (self.get(SHADER), self.get(OPTIONS), self.get(MODULE));
        self.make(TEXT, |_, to, error| unsafe {
            trellis_shader_reflect(shader, options, to, error)
        });
        self.make(TEXT, |_, to, error| unsafe {
            trellis_module_disassemble(module, to, error)
        });
        let index = self.random.below(3);
        self.check(|_, error| unsafe {
            let mut entry = std::mem::zeroed::<Entry>();
            trellis_shader_entry(shader, index, &raw mut entry, size_of::<Entry>(), error)
        });
    }

    fn free(&mut self, kind: usize) {
        let handle = self.get(kind);
        unsafe { free(kind, handle) };
    }

    fn step(&mut self) {
        match self.random.below(20) {
            0..=2 => self.load(),
            3 => {
                self.make(OPTIONS, |_, to, error| unsafe {
                    trellis_options_new(to, error)
                });
            }
            4 => {
                let options: *mut OptionsHandle = self.get(OPTIONS);
                self.make(CONVERTER, |_, to, error| unsafe {
                    trellis_converter_new(options, to, error)
                });
            }
            5 => {
                let (options, converter): (*mut OptionsHandle, *mut ConverterHandle) =
                    (self.get(OPTIONS), self.get(CONVERTER));
                self.check(|_, error| unsafe {
                    trellis_converter_set_options(converter, options, error)
                });
            }
            6..=10 => self.set(),
            11..=16 => self.convert(),
            17 => self.query(),
            18 => {
                let kind = self.random.below(5);
                self.free(kind);
            }
            _ => {
                let options: *mut OptionsHandle = self.get(OPTIONS);
                self.make(OPTIONS, |_, to, error| unsafe {
                    trellis_options_copy(options, to, error)
                });
            }
        }
    }
}

/// Frees a handle, as one of a kind.
unsafe fn free(kind: usize, handle: *mut c_void) -> Status {
    unsafe {
        match kind {
            SHADER => trellis_shader_free(handle.cast()),
            OPTIONS => trellis_options_free(handle.cast()),
            CONVERTER => trellis_converter_free(handle.cast()),
            MODULE => trellis_module_free(handle.cast()),
            _ => trellis_text_free(handle.cast()),
        }
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
fn no_sequence_of_calls_ends_the_process() {
    let shaders = [
        "buffers/counters.dxil",
        "buffers/structured.dxil",
        "cbuffers/array_of_buffers.dxil",
        "control_flow/discard_in_loop.dxil",
        "raytracing/shader_record.dxil",
        "resources/descriptor_heap.dxil",
        "root_signature/version_1_0.dxil",
        "tessellation/more_points.dxil",
        "vertex_io/packed.dxil",
    ]
    .map(shader);
    let first = number("TRELLIS_SEED", 1);
    let mut runs = 0;
    for seed in first..first + number("TRELLIS_SEQUENCES", 60) {
        let mut state = State {
            shaders: &shaders,
            handles: Handles::default(),
            random: Random(seed),
            callbacks: Box::new(Random(!seed)),
            runs: 0,
        };
        for _ in 0..100 {
            state.step();
        }
        runs += state.runs;
        for (kind, handles) in state.handles.0.into_iter().enumerate() {
            for handle in handles {
                let status = unsafe { free(kind, handle) };
                assert!([TRELLIS_OK, TRELLIS_INVALID_HANDLE].contains(&status));
            }
        }
    }
    assert!(runs > 20, "{runs} conversions");
}
