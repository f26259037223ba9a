//! The context that operations are emitted in.

use std::ops::{Deref, DerefMut};

use rspirv::spirv::{BuiltIn, Word};

use super::state::{FunctionState, WaveFunction};
use crate::error::Error;
use crate::interface::{self, Interface};
use crate::memory::Memory;
use crate::resources::{Access, Descriptor, Handle, Loaded, Resources};
use crate::values::{FunctionBuilder, Shape};

/// The function under construction and the declarations so far, by the module that owns them. It
/// reads as its [`FunctionBuilder`] (`Deref`).
pub(crate) struct Emitter<'a> {
    /// The function under construction.
    pub(crate) f: FunctionBuilder<'a>,
    /// Stage inputs and outputs.
    pub(crate) interface: Interface,
    /// Descriptors.
    pub(crate) resources: Resources,
    /// Local arrays, groupshared memory, constant tables, ray data.
    pub(crate) memory: Memory,
    /// State that operations record for the current function.
    pub(super) state: FunctionState,
    /// Functions of the module whose body is emitted: SPIR-V id, 0 for the others.
    pub(crate) function_ids: Vec<Word>,
    /// SPIR-V id of the function that changes a counter whose address may be 0; 0 if nothing calls it.
    pub(super) counter_function: Word,
    /// SPIR-V id of the function that checks floats, 0 if nothing calls it, and the number of calls.
    pub(super) value_function: Word,
    pub(super) checked_values: u32,
    /// The functions of wave operations that are called, with their ids.
    pub(super) wave_functions: Vec<(WaveFunction, Word)>,
    /// The groupshared memory for conversions of matrices; 0 if it is not declared.
    pub(super) matrix_scratch: Word,
    /// The last instruction was the end of its block.
    pub(crate) block_ended: bool,
}

impl<'a> Deref for Emitter<'a> {
    type Target = FunctionBuilder<'a>;

    #[inline]
    fn deref(&self) -> &FunctionBuilder<'a> {
        &self.f
    }
}

impl<'a> DerefMut for Emitter<'a> {
    #[inline]
    fn deref_mut(&mut self) -> &mut FunctionBuilder<'a> {
        &mut self.f
    }
}

impl<'a> Emitter<'a> {
    /// Begins the functions of a module; those whose body is emitted have an id in `function_ids`.
    pub(crate) fn new(f: FunctionBuilder<'a>, function_ids: Vec<Word>) -> Self {
        Self {
            f,
            interface: Interface::default(),
            resources: Resources::default(),
            memory: Memory::default(),
            state: FunctionState::default(),
            function_ids,
            counter_function: 0,
            value_function: 0,
            checked_values: 0,
            wave_functions: Vec::new(),
            matrix_scratch: 0,
            block_ended: false,
        }
    }

    /// Begins a function: operations have noted nothing of it.
    pub(crate) fn begin_body(&mut self) {
        self.state = FunctionState::default();
    }

    /// Returns the value of a built-in input.
    pub(crate) fn builtin(&mut self, builtin: BuiltIn, shape: Shape) -> Word {
        interface::load_builtin(&mut self.f, &mut self.interface, builtin, shape)
    }

    /// Returns the descriptor that a handle names, for the given access.
    pub(super) fn descriptor(
        &mut self,
        handle: &Handle,
        access: Access,
    ) -> Result<Descriptor, Error> {
        self.resources.descriptor(&mut self.f, handle, access)
    }

    /// Loads an image, a sampler or an acceleration structure; again the same id within a block.
    pub(super) fn load_descriptor(
        &mut self,
        handle: &Handle,
        access: Access,
    ) -> Result<Loaded, Error> {
        self.resources.load_descriptor(&mut self.f, handle, access)
    }

    /// Returns a pointer to a part of a descriptor: `path` leads from the descriptor's type to
    /// `pointee`.
    pub(super) fn descriptor_pointer(
        &mut self,
        d: &Descriptor,
        path: &[Word],
        pointee: Word,
    ) -> Word {
        self.resources
            .descriptor_pointer(&mut self.f, d, path, pointee)
    }
}
