//! Descriptors: the variables of D3D's resources, and the translation of a handle to a pointer or a
//! loaded image.
//!
//! A variable is declared at the first use of its resource, in the order of the code, so that the
//! output is deterministic and has only used variables. One resource may need several variables at
//! the same binding (a raw buffer seen as words and as 16-bit elements; the many views of a
//! descriptor heap); then the writable ones are decorated `Aliased`.

mod address;
mod binding;
mod checks;
mod format;
mod handle;
mod limit;
mod nodes;
mod record;
mod root;
mod scan;
mod types;
mod variable;
mod window;

use rspirv::spirv::{
    Capability, Decoration, ExecutionMode, ImageFormat, MemoryAccess, Op, StorageClass, Word,
};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::module::FunctionId;
use trellis_dxil_frontend::shader::{ResourceClass, ShaderKind};
use trellis_entity::PrimaryMap;

use crate::bindings::{BindingError, HeapBinding};
use crate::error::{Error, InvalidKind};
use crate::handles::RangeId;
use crate::module::OptionalId;
use crate::values::FunctionBuilder;
use binding::TableBase;
use variable::{Variable, VariableId};

pub(crate) use crate::handles::{Handle, ImageShape, Origin, ResourceDesc, Texel};
pub(crate) use address::scaled;
pub(crate) use handle::{arg_handle, declared_range, handle, struct_words};
pub(crate) use nodes::{
    NodeFunction, NodeVariable, add_address, count_at, declare_group_size, load_at, pointer_at,
    widen,
};
pub(crate) use record::{BlockWords, WordIndex, block_word, word_of_row};
pub(crate) use scan::atomic_views;
pub(crate) use types::texel_type;
pub(crate) use variable::Access;
pub(crate) use window::Window;

/// Key of a device address: range or heap, whether it is of counters, id of the index.
type AddressKey = (Origin, bool, Option<Word>);
/// Key of an offset and size: the buffer of the pairs, whether the resource is typed, index of its
/// descriptor.
type WindowKey = (HeapBinding, bool, Word);

/// Where the emission is relative to the critical section of rasterizer-ordered views.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Section {
    /// The body has none.
    #[default]
    None,
    /// In the first block, before it.
    Before,
    /// In it.
    Inside,
}

/// Variables of the resources in use.
#[derive(Default)]
pub(crate) struct Resources {
    /// Where the binding model puts the declared ranges.
    answers: binding::Answers,
    /// All variables, in the order of their first use.
    variables: PrimaryMap<VariableId, Variable>,
    /// Variables of each declared range.
    by_range: PrimaryMap<RangeId, SmallVec<[VariableId; 2]>>,
    /// Variables of the heaps.
    by_heap: Vec<VariableId>,
    /// Resources that atomic operations are used on: such images need a format.
    atomics: scan::Images,
    /// Images that atomic operations on halves are used on.
    halves: scan::Images,
    /// Writable images that are read, where these need a format.
    reads: scan::Images,
    /// Barriers that wait for the group are promoted by a quirk, and UAVs are coherent.
    promotes_barriers: bool,
    /// It is a pixel shader with rasterizer-ordered views.
    interlock: bool,
    /// The critical section of the current body.
    section: Section,
    /// The shader record, if constant buffers are in it.
    record: Option<record::Record>,
    /// Layout-decorated types.
    types: types::LayoutTypes,
    /// The block of root constants and root descriptors.
    root: Option<root::RootBlock>,
    /// The interface of a node of a work graph.
    pub(crate) nodes: nodes::Nodes,
    /// Images and samplers that are loaded in the current block: (variable and range or heap, id of
    /// the index in an array, loaded object).
    loaded: Vec<((Word, Origin), Option<Word>, Word)>,
    /// Device addresses in the current block.
    addresses: Vec<(AddressKey, Word)>,
    /// Offsets and sizes of buffers in the current block.
    windows: Vec<(WindowKey, Word)>,
    /// Indices of the descriptors of such buffers: (range or heap, id of the register), index.
    window_indices: Vec<((Origin, Word), Word)>,
    /// The size of the heap of resources, in the current block.
    heap_size: OptionalId,
    /// The uniform block with that size.
    heap_size_block: OptionalId,
    /// The function that checks descriptors, if it is called, and the number of calls.
    check_function: OptionalId,
    checks: u32,
    /// The block of `loaded` and of the fields after it: functions finished, blocks finished.
    block: (usize, usize),
    /// Ids that are decorated `NonUniform`.
    non_uniform: FxHashSet<Word>,
}

/// Whether an index in an array of descriptors is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Computed {
    /// It is a constant.
    No,
    /// Only where the table begins is not known, which is the same for all invocations of a draw or
    /// dispatch.
    ByTable,
    /// The shader computes it.
    ByShader,
}

/// An index in an array of descriptors.
enum Index {
    /// A number.
    Constant(u32),
    /// An id.
    Computed(Word),
}

/// One descriptor of a variable, or a block at a device address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    /// The variable, or the pointer to the block.
    base: Word,
    /// Storage class.
    class: StorageClass,
    /// Type of the descriptor or block.
    pub(crate) pointee: Word,
    /// Index in the array; `None` if the variable is not an array.
    pub(crate) index: Option<Word>,
    /// The index may differ between invocations.
    pub(crate) non_uniform: bool,
}

impl Descriptor {
    /// Returns true if the block is at a device address, whose size is not known.
    pub(crate) fn is_at_address(&self) -> bool {
        self.class == StorageClass::PhysicalStorageBuffer
    }

    /// Loads a part of a block through a pointer to it, of a type with the given size in bytes.
    pub(crate) fn load(
        &self,
        e: &mut FunctionBuilder<'_>,
        ty: Word,
        pointer: Word,
        bytes: u32,
    ) -> Word {
        if self.is_at_address() {
            let aligned = MemoryAccess::ALIGNED.bits();
            e.b.op(Op::Load, ty, &[pointer, aligned, bytes])
        } else if self.class == StorageClass::Uniform {
            // Nothing writes a uniform block.
            e.once(Op::Load, ty, &[pointer])
        } else {
            e.load(ty, pointer)
        }
    }

    /// Stores a part of a block through a pointer to it, of a type with the given size in bytes.
    pub(crate) fn store(
        &self,
        e: &mut FunctionBuilder<'_>,
        pointer: Word,
        value: Word,
        bytes: u32,
    ) {
        if self.is_at_address() {
            let aligned = MemoryAccess::ALIGNED.bits();
            e.b.op_void(Op::Store, &[pointer, value, aligned, bytes]);
        } else {
            e.b.op_void(Op::Store, &[pointer, value]);
        }
    }
}

impl Resources {
    /// Collects the facts that must be known before the first use; called once per module, before
    /// the bodies.
    pub(crate) fn declare(&mut self, e: &FunctionBuilder<'_>) {
        self.answers.ask(e);
        self.by_range = e.shader.resources.iter().map(|_| SmallVec::new()).collect();
        self.variables.reserve(e.shader.resources.len());
        self.atomics = scan::atomics(e);
        if e.options.vendor.nvapi.is_some() {
            self.halves = scan::halves(e);
        }
        if !e.options.extensions.read_without_format {
            self.reads = scan::reads(e);
        }
        self.interlock = e.entry.kind == ShaderKind::Pixel && scan::interlock(e.source, e.shader);
        self.promotes_barriers = scan::promotes_barriers(e.source, &e.options.quirks);
    }

    /// Returns true if barriers that wait for the group order accesses to UAVs for the device by a quirk.
    pub(crate) fn promotes_barriers(&self) -> bool {
        self.promotes_barriers
    }

    /// Begins a function's body. In the entry point of a pixel shader rasterizer-ordered views have a
    /// critical section (in other stages they have no order). It begins at the first access to a UAV
    /// or call in the first block, at the latest at the end of that block, and lasts to the end of the
    /// body, so that each invocation enters it once and in uniform control flow, whatever the shader's
    /// own control flow is.
    pub(crate) fn begin_body(&mut self, e: &mut FunctionBuilder<'_>, id: FunctionId) {
        self.section = Section::None;
        if self.interlock && e.entry.function == Some(id) {
            e.b.caps.add(Capability::FragmentShaderPixelInterlockEXT);
            e.b.execution_mode(ExecutionMode::PixelInterlockOrderedEXT, &[]);
            self.section = Section::Before;
        }
    }

    /// Begins the critical section if there is one that has not begun.
    pub(crate) fn enter_section(&mut self, e: &mut FunctionBuilder<'_>) {
        if self.section == Section::Before {
            self.section = Section::Inside;
            e.b.op_void(Op::BeginInvocationInterlockEXT, &[]);
        }
    }

    /// Begins the critical section before an access to a UAV.
    pub(super) fn enter_section_for(&mut self, e: &mut FunctionBuilder<'_>, handle: &Handle) {
        if handle.desc.class == ResourceClass::Uav {
            self.enter_section(e);
        }
    }

    /// Ends a body; called before each `OpReturn`.
    pub(crate) fn end_body(&mut self, e: &mut FunctionBuilder<'_>) {
        if self.section == Section::Inside {
            e.b.op_void(Op::EndInvocationInterlockEXT, &[]);
        }
    }
}

impl Resources {
    /// Returns the descriptor that a handle names, for the given access.
    pub(crate) fn descriptor(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Descriptor, Error> {
        self.enter_section_for(e, handle);
        if let Some(block) = self.block_at_address(e, handle, access)? {
            return Ok(block);
        }
        let variable = self.resource_variable(e, handle, access)?;
        self.descriptor_in(e, variable, handle, access)
    }

    /// Returns the descriptor of a variable that a handle names.
    fn descriptor_in(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        variable: Variable,
        handle: &Handle,
        access: Access,
    ) -> Result<Descriptor, Error> {
        if !variable.arrayed {
            return Ok(Descriptor {
                base: variable.id,
                class: variable.class,
                pointee: variable.pointee,
                index: None,
                non_uniform: false,
            });
        }
        let (index, computed) = self.full_index(e, handle, access)?;
        if computed != Computed::No
            && let Some(capability) = variable.dynamic_indexing()
        {
            e.b.caps.add(capability);
        }
        let non_uniform = computed == Computed::ByShader && handle.non_uniform
            || self.is_by_record(e, handle, access);
        Ok(self.element(e, variable, index, non_uniform))
    }

    /// Returns true if invocations that run together may have different tables: shaders that rays
    /// or calls choose have separate shader records.
    fn is_by_record(&self, e: &FunctionBuilder<'_>, handle: &Handle, access: Access) -> bool {
        let range = handle.origin.range();
        let place = range.and_then(|at| self.answers.in_heap(at, access.is_counter()));
        place.is_some_and(|place| matches!(place.base, TableBase::Record { .. }))
            && e.entry.kind != ShaderKind::RayGeneration
    }

    /// Returns the index of a handle's descriptor in its variable.
    fn full_index(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<(Word, Computed), Error> {
        let (mut index, mut computed) = match self.index(e, handle, access)? {
            Index::Constant(index) => (e.b.const_u32(index), Computed::No),
            Index::Computed(index) => (index, Computed::ByShader),
        };
        if let Some(base) = self.heap_base(e, handle, access)? {
            index = e.b.word(Op::IAdd, &[base, index]);
            if computed == Computed::No {
                computed = Computed::ByTable;
            }
        }
        if self.needs_check(e, handle, access) {
            index = self.checked(e, handle, access, index)?;
            computed = Computed::ByShader;
        } else if self.needs_limit(e, handle, access, computed) {
            index = self.limited(e, handle, index)?;
            computed = Computed::ByShader;
        }
        Ok((index, computed))
    }

    /// Returns the index of a handle's descriptor in its variable, but for the root constant that may
    /// be added.
    fn index(
        &self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Index, Error> {
        let (lower, len, offset) = match handle.origin {
            Origin::Range(at) => {
                let r = handle::range(e.shader, at);
                let in_heap = self.answers.in_heap(at, access.is_counter());
                let offset = in_heap.map_or(0, |place| place.offset);
                if self.answers.registers(at) == 1 && r.range_size != 1 {
                    // One descriptor takes the place of the array.
                    return Ok(Index::Constant(offset));
                }
                (r.lower_bound, r.range_size, offset)
            }
            Origin::ResourceHeap | Origin::SamplerHeap => (0, u32::MAX, 0),
        };
        if let Some(register) = e.const_int(handle.index) {
            // A range without a register begins at the last one: registers wrap.
            let (wraps, register) = (lower == u32::MAX, register as u32);
            let index = register.wrapping_sub(lower);
            if !(wraps || register >= lower) || index >= len {
                return Err(e.invalid(
                    InvalidKind::Resource,
                    format!("register {register} of a range of {len} from {lower}"),
                ));
            }
            let register = index;
            let index = register.checked_add(offset);
            return match (index, handle.origin) {
                (Some(index), _) => Ok(Index::Constant(index)),
                (None, Origin::Range(at)) => {
                    let reason = BindingError::HeapOverflow { register, offset };
                    Err(binding::binding_error(e, at, access.is_counter(), reason))
                }
                (None, _) => Ok(Index::Constant(register)),
            };
        }
        let index = e.id(handle.index)?;
        let shift = offset.wrapping_sub(lower);
        if shift == 0 {
            return Ok(Index::Computed(index));
        }
        Ok(Index::Computed(if offset == 0 {
            e.b.word_with(Op::ISub, index, lower)
        } else {
            e.b.word_with(Op::IAdd, index, shift)
        }))
    }

    /// Loads the index of the first descriptor of a handle's table, if that is not known.
    fn heap_base(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Option<Word>, Error> {
        let Some(range) = handle.origin.range() else {
            return Ok(None);
        };
        let counter = access.is_counter();
        let in_heap = self.answers.in_heap(range, counter);
        match in_heap.map_or(TableBase::Zero, |place| place.base) {
            TableBase::Zero => Ok(None),
            TableBase::RootConstant(constant) => {
                let error = |reason| binding::binding_error(e, range, counter, reason);
                root::check(e.options, constant).map_err(error)?;
                let at = e.b.const_u32(constant);
                Ok(Some(self.root_word(e, at)))
            }
            TableBase::Record { size_log2, .. } => {
                let pair = self.record_pair(e, handle, counter)?;
                let word = e.b.ty_u32();
                let low = e.b.extract(word, pair, 0);
                let shift = e.b.const_u32(size_log2);
                Ok(Some(e.b.op(Op::ShiftRightLogical, word, &[low, shift])))
            }
        }
    }

    /// Returns a descriptor of an array.
    fn element(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        variable: Variable,
        index: Word,
        non_uniform: bool,
    ) -> Descriptor {
        if non_uniform {
            e.b.caps.add(Capability::ShaderNonUniform);
            if let Some(capability) = variable.non_uniform_indexing() {
                e.b.caps.add(capability);
            }
            self.mark_non_uniform(e, index);
        }
        Descriptor {
            base: variable.id,
            class: variable.class,
            pointee: variable.pointee,
            index: Some(index),
            non_uniform,
        }
    }

    /// Decorates an id `NonUniform`, once.
    pub(crate) fn mark_non_uniform(&mut self, e: &mut FunctionBuilder<'_>, id: Word) {
        if self.non_uniform.insert(id) {
            e.b.decorate(id, Decoration::NonUniform, &[]);
        }
    }

    /// Returns a pointer to a part of a descriptor: `path` leads from the descriptor's type to
    /// `pointee`.
    pub(crate) fn descriptor_pointer(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        d: &Descriptor,
        path: &[Word],
        pointee: Word,
    ) -> Word {
        if d.index.is_none() && path.is_empty() {
            return d.base;
        }
        let mut operands: SmallVec<[Word; 5]> = smallvec![d.base];
        operands.extend(d.index);
        operands.extend_from_slice(path);
        let ty = e.b.ty_ptr(d.class, pointee);
        if !d.non_uniform {
            return e.once(Op::AccessChain, ty, &operands);
        }
        let id = e.b.op(Op::AccessChain, ty, &operands);
        self.mark_non_uniform(e, id);
        id
    }

    /// Loads an image, a sampler or an acceleration structure; again the same id within a block.
    pub(crate) fn load_descriptor(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        handle: &Handle,
        access: Access,
    ) -> Result<Loaded, Error> {
        if access == Access::AccelerationStructure
            && let Some(id) = self.structure_at_address(e, handle)?
        {
            return Ok(Loaded {
                id,
                ty: types::structure_type(e),
                format: ImageFormat::Unknown,
                non_uniform: false,
            });
        }
        self.enter_block(e);
        self.enter_section_for(e, handle);
        let variable = self.resource_variable(e, handle, access)?;
        let key = match variable.arrayed {
            true => Some(e.id(handle.index)?),
            false => None,
        };
        let by_shader = handle.non_uniform && e.const_int(handle.index).is_none();
        let non_uniform = variable.arrayed && (by_shader || self.is_by_record(e, handle, access));
        let found = self
            .loaded
            .iter()
            .find(|l| l.0 == (variable.id, handle.origin) && l.1 == key);
        // Uniform and non-uniform uses must not share an object.
        if let Some(&(_, _, id)) = found
            && self.non_uniform.contains(&id) == non_uniform
        {
            return Ok(Loaded {
                id,
                ty: variable.pointee,
                format: variable.format,
                non_uniform,
            });
        }
        let d = self.descriptor_in(e, variable, handle, access)?;
        let pointer = self.descriptor_pointer(e, &d, &[], variable.pointee);
        let id = e.load(variable.pointee, pointer);
        if d.non_uniform {
            self.mark_non_uniform(e, id);
        }
        self.loaded.push(((variable.id, handle.origin), key, id));
        Ok(Loaded {
            id,
            ty: variable.pointee,
            format: variable.format,
            non_uniform,
        })
    }

    /// Drops the values that were loaded in blocks before the current one.
    fn enter_block(&mut self, e: &FunctionBuilder<'_>) {
        let block = e.b.block_number();
        if self.block != block {
            self.block = block;
            self.loaded.clear();
            self.addresses.clear();
            self.windows.clear();
            self.window_indices.clear();
            self.heap_size = OptionalId::default();
        }
    }
}

/// A loaded image, sampler or acceleration structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// The object.
    pub(crate) id: Word,
    /// Its type.
    pub(crate) ty: Word,
    /// Format of an image; `Unknown` if it is not a storage image.
    pub(crate) format: ImageFormat,
    /// Chosen by a non-uniform index.
    pub(crate) non_uniform: bool,
}
