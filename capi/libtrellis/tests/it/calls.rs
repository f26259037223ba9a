//! The functions of objects in tables, with arguments that are random, or wrong by their handle.

use std::ffi::{c_char, c_void};
use std::ptr;

use c_testkit::{Random, calls};
use trellis::abi::*;
use trellis::api::*;

fn place(random: &mut Random) -> Place {
    let [
        set,
        binding,
        offset,
        root_constant,
        words,
        record_offset,
        size_log2,
    ] = random.words();
    Place {
        kind: random.below(9) as u32,
        descriptor: if random.one_in(4) { random.number() } else { 0 },
        set,
        binding,
        offset,
        has_root_constant: random.one_in(3).into(),
        root_constant,
        words,
        record_offset,
        size_log2,
        reserved: if random.one_in(32) {
            random.words()
        } else {
            [0; 6]
        },
    }
}

fn answer(random: &mut Random) -> Answer {
    if random.one_in(16) {
        random.number()
    } else {
        TRELLIS_ANSWERED
    }
}

unsafe extern "C" fn bind(
    random: *mut c_void,
    query: *const ResourceQuery,
    binding: *mut Binding,
) -> Answer {
    let (random, query, binding) =
        unsafe { (&mut *random.cast::<Random>(), &*query, &mut *binding) };
    if random.one_in(4) {
        binding.place = place(random);
        binding.counter = place(random);
        binding.offsets.used = random.one_in(2).into();
    } else {
        for (place, set) in [(&mut binding.place, 0), (&mut binding.counter, 1)] {
            place.kind = TRELLIS_PLACE_DESCRIPTOR;
            (place.set, place.binding) = (set, query.register_index);
        }
    }
    answer(random)
}

unsafe extern "C" fn heap(
    random: *mut c_void,
    _: *const HeapQuery,
    place: *mut HeapPlace,
) -> Answer {
    let (random, place) = unsafe { (&mut *random.cast::<Random>(), &mut *place) };
    [place.set, place.binding] = random.words();
    place.descriptor = if random.one_in(4) { random.number() } else { 0 };
    answer(random)
}

unsafe extern "C" fn element(
    random: *mut c_void,
    _: *const ElementQuery,
    place: *mut ElementPlace,
) -> Answer {
    let (random, place) = unsafe { (&mut *random.cast::<Random>(), &mut *place) };
    if random.one_in(4) {
        [place.location, place.component, place.per_primitive] = random.words();
    }
    answer(random)
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
    let number = if random.one_in(16) {
        random.any() as usize
    } else {
        some
    };
    unsafe { count.write(number) };
    answer(random)
}

/// Options, and values (some of them valid), separated by spaces.
const NAMES: &str = "target entry interface.min_precision interface.root_descriptors \
    interface.root_constants interface.root_uniform_block interface.sample_count \
    interface.patch_location extensions.demote extensions.vulkan_memory_model \
    workarounds.robust_local_arrays quirks.device_barriers debug.names bindings.shifts.uav \
    bindings.strict stage_io.strict mesh structurizer.stages.loop-exits no.such";
const VALUES: &str = "true false 0 4 4294967295 null vulkan1.1 vulkan1.3 native main {} [1 \
    {\"set\":1,\"binding\":0}";

/// The objects of handles.
pub(crate) trait Handle {
    const KIND: usize;
}

macro_rules! kinds {
    ($($handle:ident = $number:literal),+) => { $(
        impl Handle for $handle {
            const KIND: usize = $number;
        }
    )+ };
}

kinds! { ShaderHandle = 0, OptionsHandle = 1, ConverterHandle = 2, ModuleHandle = 3, TextHandle = 4 }

/// Makes the arguments of calls.
pub(crate) struct Arguments {
    pub(crate) random: Random,
    shaders: Vec<Vec<u8>>,
    /// Handles, freed or not, by kind.
    pub(crate) handles: [Vec<*mut c_void>; 5],
    /// The only handle; all other arguments are good.
    handle: Option<*mut c_void>,
    /// Kind and handle of the object that a function makes.
    made: Box<(Option<usize>, *mut c_void)>,
    error: Box<*mut ErrorHandle>,
    /// Whether the function has a place for an error.
    has_error: bool,
    /// A place for a struct of any type.
    place: Box<[u64; 16]>,
    size: usize,
    bytes: Vec<u8>,
    functions: Box<StageIo>,
    /// The state of the callbacks, which stays where it is.
    callbacks: Box<Random>,
}

impl Arguments {
    pub(crate) fn new(shaders: &[Vec<u8>], random: Random) -> Self {
        let functions = StageIo {
            vertex_input: Some(element),
            input: Some(element),
            output: Some(element),
            capture: Some(capture),
        };
        Self {
            callbacks: Box::new(Random(!random.0)),
            random,
            shaders: shaders.to_vec(),
            handles: Default::default(),
            handle: None,
            made: Box::new((None, ptr::null_mut())),
            error: Box::new(ptr::null_mut()),
            has_error: false,
            place: Box::new([0; 16]),
            size: 0,
            bytes: Vec::new(),
            functions: Box::new(functions),
        }
    }

    /// Returns arguments that are good, but for the handle.
    pub(crate) fn of_handle(shader: &[u8], handle: *mut c_void) -> Self {
        let mut arguments = Self::new(&[shader.to_vec()], Random(1));
        arguments.handle = Some(handle);
        arguments
    }

    /// Returns a handle: mostly of the kind, and mostly the newest.
    pub(crate) fn handle<H: Handle>(&mut self) -> *mut H {
        if let Some(handle) = self.handle {
            return handle.cast();
        }
        let other = self.random.below(self.handles.len());
        let kind = if self.random.one_in(32) {
            other
        } else {
            H::KIND
        };
        let any = self.random.pick(&self.handles[kind]);
        let newest = self.handles[kind].last().copied();
        let handle = if self.random.one_in(4) { any } else { newest };
        handle.map_or(ptr::null_mut(), <*mut c_void>::cast)
    }

    /// Returns a place for a handle.
    fn to<H: Handle>(&mut self) -> *mut *mut H {
        *self.made = (Some(H::KIND), ptr::dangling_mut::<u64>().cast());
        (&raw mut self.made.1).cast()
    }

    fn error(&mut self) -> *mut *mut ErrorHandle {
        self.has_error = !self.random.one_in(4);
        if self.has_error {
            &raw mut *self.error
        } else {
            ptr::null_mut()
        }
    }

    /// Checks the results of a function, and keeps the handle that it made.
    pub(crate) fn check(&mut self, status: Status) {
        if let (Some(kind), handle) = std::mem::replace(&mut *self.made, (None, ptr::null_mut())) {
            assert_eq!(status == TRELLIS_OK, !handle.is_null());
            if !handle.is_null() {
                self.handles[kind].push(handle);
            }
        }
        if std::mem::take(&mut self.has_error) {
            let error = std::mem::replace(&mut *self.error, ptr::null_mut());
            assert_eq!(status == TRELLIS_OK, error.is_null());
            let mut length = 0;
            unsafe {
                let text = trellis_error_text(error, &raw mut length);
                let text = crate::common::text(text, length);
                assert!(!text.contains("internal error"), "{text}");
                assert_eq!(trellis_error_free(error), TRELLIS_OK);
            }
        }
    }

    fn data(&mut self) -> *const c_void {
        self.bytes = self.random.shader(&self.shaders);
        self.size = self.bytes.len();
        self.bytes.as_ptr().cast()
    }

    fn text(&mut self, text: &'static str) -> *const c_char {
        self.size = text.len();
        text.as_ptr().cast()
    }

    /// Returns one of the words of a text.
    fn word(&mut self, words: &'static str) -> *const c_char {
        let index = self.random.below(words.split(' ').count());
        self.text(words.split(' ').nth(index).unwrap())
    }

    fn name(&mut self) -> *const c_char {
        self.word(NAMES)
    }

    fn value(&mut self) -> *const c_char {
        self.word(VALUES)
    }

    fn json(&mut self) -> *const c_char {
        self.text("{}")
    }

    /// Returns the name of an entry point.
    fn entry(&mut self) -> *const c_char {
        if self.random.one_in(4) {
            return self.text("main");
        }
        self.size = 0;
        ptr::null()
    }

    /// Returns a place for a struct.
    fn result<T>(&mut self) -> *mut T {
        assert!(size_of::<T>() <= size_of_val(&*self.place));
        self.size = size_of::<T>();
        self.place.as_mut_ptr().cast()
    }

    /// Returns the size of the argument before.
    fn size(&mut self) -> usize {
        self.size
    }

    fn index(&mut self) -> usize {
        self.random.below(3)
    }

    fn flags(&mut self) -> u32 {
        self.random.below(3) as u32
    }

    #[expect(clippy::unused_self, reason = "arguments are methods")]
    fn bind(&mut self) -> BindFunction {
        Some(bind)
    }

    fn heap(&mut self) -> HeapFunction {
        Some(heap as unsafe extern "C" fn(_, _, _) -> _).filter(|_| !self.random.one_in(4))
    }

    fn functions(&mut self) -> *const StageIo {
        self.size = size_of::<usize>() * (1 + self.random.below(4));
        &raw const *self.functions
    }

    fn userdata(&mut self) -> *mut c_void {
        (&raw mut *self.callbacks).cast()
    }
}

calls! { Arguments => Status: from;
    LOAD = trellis_shader_load(data, size, to, error);
    CONVERT =
        trellis_convert(handle, handle, entry, size, to, error),
        trellis_converter_convert(handle, handle, entry, size, to, error);
    SETTERS =
        trellis_options_set_bindings(handle, bind, heap, userdata, error),
        trellis_options_set_stage_io(handle, functions, size, userdata, error),
        trellis_options_set_root_signature(handle, data, size, flags, error),
        trellis_options_set_mesh(handle, handle, entry, size, error),
        trellis_options_load(handle, json, size, error);
    SET = trellis_options_set(handle, name, size, value, size, error);
    QUERIES =
        trellis_shader_reflect(handle, handle, to, error),
        trellis_shader_entry(handle, index, result, size, error),
        trellis_module_get_info(handle, result, size, error),
        trellis_module_disassemble(handle, to, error);
    /// Functions that require no object.
    NEW =
        trellis_options_new(to, error),
        trellis_options_list(to, error);
    /// Functions that take null options for the defaults.
    WITH_OPTIONS = trellis_converter_new(handle, to, error);
    CHANGE = trellis_converter_set_options(handle, handle, error);
    COPY = trellis_options_copy(handle, to, error);
    /// In the order of the kinds.
    FREE =
        trellis_shader_free(handle),
        trellis_options_free(handle),
        trellis_converter_free(handle),
        trellis_module_free(handle),
        trellis_text_free(handle);
}
