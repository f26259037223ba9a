//! The interface of a node of a work graph: its push constants and specialization constants, and the
//! variables that its dispatcher sets.

use rspirv::spirv::{BuiltIn, Capability, Decoration, MemoryAccess, Op, StorageClass, Word};

use crate::module::OptionalId;
use crate::nodes::push;
use crate::values::FunctionBuilder;

/// Members of the push constants: offset, name; all but the last two are addresses.
const MEMBERS: [(u32, &str); 9] = [
    (push::RECORDS, "records"),
    (push::FIRST, "first"),
    (push::END, "end"),
    (push::STRIDE_OR_OFFSETS, "stride_or_offsets"),
    (push::OUTPUT_RECORDS, "output_records"),
    (push::COUNTERS, "counters"),
    (push::LOCAL_ROOT_ARGUMENTS, "local_root_arguments"),
    (push::ALLOCATIONS, "allocations"),
    (push::RECURSION_LEVELS, "recursion_levels"),
];

/// Returns true if the member at an offset is an address of 64 bits.
fn is_address(offset: u32) -> bool {
    offset < push::ALLOCATIONS
}

/// A variable that the dispatcher sets for the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeVariable {
    /// Address of the input record.
    Record,
    /// Number of the first input record of a group of a coalescing node.
    First,
    /// Number of the input records of such a group.
    Count,
    /// Group of a broadcasting node in its record's grid.
    Group,
    /// Thread of a broadcasting node in its record's grid.
    Thread,
}

impl NodeVariable {
    fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::First => "first_record",
            Self::Count => "record_count",
            Self::Group => "group_id",
            Self::Thread => "thread_id",
        }
    }
    fn ty(self, e: &mut FunctionBuilder<'_>) -> Word {
        let word = e.b.ty_u32();
        match self {
            Self::Record => e.b.ty_int(64),
            Self::First | Self::Count => word,
            Self::Group | Self::Thread => e.b.ty_vec(word, 3),
        }
    }
}

/// A function that operations on nodes call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeFunction {
    /// Address of an input record, from its number.
    RecordAddress,
    /// Adds an allocation to the list and to the counters.
    Allocate,
    /// Allocates for each thread of a wave, of one node.
    AllocateByWave,
    /// Allocates for a thread.
    AllocateByThread,
    /// Allocates for the group.
    AllocateByGroup,
    /// Counts empty records for the group.
    IncrementByGroup,
    /// Decides whether the group is the last one with its record.
    Finished,
    /// Decides whether an output of an array has a node.
    IsValid,
}

/// The variables that a node has declared.
#[derive(Default)]
pub(crate) struct Nodes {
    push: OptionalId,
    variables: Vec<(NodeVariable, Word)>,
    /// Specialization constants by number.
    constants: Vec<(u32, Word)>,
    /// Functions that are called, in the order of their first calls.
    functions: Vec<(NodeFunction, Word)>,
    /// The groupshared word that broadcasts a value of the first thread.
    pub(crate) shared: OptionalId,
}

impl Nodes {
    /// Returns the variable of the push constants.
    fn push(&mut self, e: &mut FunctionBuilder<'_>) -> Word {
        if let Some(known) = self.push.expand() {
            return known;
        }
        let (word, address) = (e.b.ty_u32(), e.b.ty_int(64));
        let types = MEMBERS.map(|(offset, _)| if is_address(offset) { address } else { word });
        let block = e.b.ty_fresh(Op::TypeStruct, &types);
        e.b.decorate(block, Decoration::Block, &[]);
        for (index, (offset, name)) in (0..).zip(MEMBERS) {
            e.b.decorate_member(block, index, Decoration::Offset, &[offset]);
            e.b.member_name(block, index, name);
        }
        let id = e.b.variable(StorageClass::PushConstant, block, None);
        e.b.name(id, "Node");
        self.push = id.into();
        id
    }

    /// Loads the push constant at an offset: an address of 64 bits, or a word.
    pub(crate) fn load_push(&mut self, e: &mut FunctionBuilder<'_>, offset: u32) -> Word {
        let variable = self.push(e);
        let ty = if is_address(offset) {
            e.b.ty_int(64)
        } else {
            e.b.ty_u32()
        };
        let member = MEMBERS.iter().position(|member| member.0 == offset);
        let member = e.b.const_u32(member.unwrap_or_default() as u32);
        let pointer =
            e.b.access(StorageClass::PushConstant, ty, variable, &[member]);
        e.load(ty, pointer)
    }

    fn variable(&mut self, e: &mut FunctionBuilder<'_>, which: NodeVariable) -> Word {
        if let Some(&(_, id)) = self.variables.iter().find(|known| known.0 == which) {
            return id;
        }
        let ty = which.ty(e);
        let id = e.b.variable(StorageClass::Private, ty, None);
        e.b.name(id, which.name());
        self.variables.push((which, id));
        id
    }

    /// Loads a variable that the dispatcher sets.
    pub(crate) fn load(&mut self, e: &mut FunctionBuilder<'_>, which: NodeVariable) -> Word {
        let (variable, ty) = (self.variable(e, which), which.ty(e));
        e.load(ty, variable)
    }

    /// Sets such a variable, if the node reads it.
    pub(crate) fn store(&mut self, e: &mut FunctionBuilder<'_>, which: NodeVariable, value: Word) {
        if self.reads(which) {
            let variable = self.variable(e, which);
            e.b.op_void(Op::Store, &[variable, value]);
        }
    }

    /// Returns true if the node reads such a variable.
    pub(crate) fn reads(&self, which: NodeVariable) -> bool {
        self.variables.iter().any(|known| known.0 == which)
    }

    /// Returns a specialization constant of 32 bits.
    pub(crate) fn spec_word(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        (number, name): (u32, &str),
        default: u32,
    ) -> Word {
        self.constant(e, (number, name), |e| e.b.spec_const_u32(number, default))
    }

    /// Returns a specialization constant that is a boolean.
    pub(crate) fn spec_bool(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        (number, name): (u32, &str),
        default: bool,
    ) -> Word {
        self.constant(e, (number, name), |e| e.b.spec_const_bool(number, default))
    }

    fn constant(
        &mut self,
        e: &mut FunctionBuilder<'_>,
        (number, name): (u32, &str),
        make: impl FnOnce(&mut FunctionBuilder<'_>) -> Word,
    ) -> Word {
        if let Some(&(_, id)) = self.constants.iter().find(|known| known.0 == number) {
            return id;
        }
        let id = make(e);
        e.b.name(id, name);
        self.constants.push((number, id));
        id
    }

    /// Returns the id of a function, which is emitted after the shader's.
    pub(crate) fn function(&mut self, e: &mut FunctionBuilder<'_>, which: NodeFunction) -> Word {
        if let Some(&(_, id)) = self.functions.iter().find(|known| known.0 == which) {
            return id;
        }
        let id = e.b.id();
        self.functions.push((which, id));
        id
    }

    /// Returns the function with a number, in the order of their first calls.
    pub(crate) fn function_at(&self, index: usize) -> Option<(NodeFunction, Word)> {
        self.functions.get(index).copied()
    }

    /// Returns the groupshared word.
    pub(crate) fn shared_word(&mut self, e: &mut FunctionBuilder<'_>) -> Word {
        if let Some(known) = self.shared.expand() {
            return known;
        }
        let word = e.b.ty_u32();
        let id = e.b.variable(StorageClass::Workgroup, word, None);
        e.b.name(id, "of_first_thread");
        self.shared = id.into();
        id
    }
}

/// Declares the threads of a group of a thread node, which the pipeline chooses.
pub(crate) fn declare_group_size(e: &mut FunctionBuilder<'_>, x: Word) {
    let one = e.b.const_u32(1);
    let triple = e.b.ty_words(3);
    let size = e.b.spec_const_composite(triple, &[x, one, one]);
    e.b.decorate(size, Decoration::BuiltIn, &[BuiltIn::WorkgroupSize as Word]);
}

/// Returns a 64-bit sum.
pub(crate) fn add_address(e: &mut FunctionBuilder<'_>, a: Word, b: Word) -> Word {
    let ty = e.b.ty_int(64);
    e.b.op(Op::IAdd, ty, &[a, b])
}

/// Returns an unsigned number as 64 bits.
pub(crate) fn widen(e: &mut FunctionBuilder<'_>, word: Word) -> Word {
    let ty = e.b.ty_int(64);
    e.b.op(Op::UConvert, ty, &[word])
}

/// Returns the pointer to a number of a type at a device address.
pub(crate) fn pointer_at(e: &mut FunctionBuilder<'_>, address: Word, ty: Word) -> Word {
    e.b.caps.add(Capability::PhysicalStorageBufferAddresses);
    let ptr = e.b.ty_ptr(StorageClass::PhysicalStorageBuffer, ty);
    e.b.op(Op::ConvertUToPtr, ptr, &[address])
}

/// Loads a number of `bytes` bytes at a device address.
pub(crate) fn load_at(e: &mut FunctionBuilder<'_>, address: Word, ty: Word, bytes: u32) -> Word {
    let pointer = pointer_at(e, address, ty);
    let aligned = MemoryAccess::ALIGNED.bits();
    e.b.op(Op::Load, ty, &[pointer, aligned, bytes])
}

/// Adds to a word at a device address; gives the old value. Other threads see it, in no order with
/// other accesses.
pub(crate) fn count_at(e: &mut FunctionBuilder<'_>, op: Op, address: Word, value: Word) -> Word {
    let word = e.b.ty_u32();
    let pointer = pointer_at(e, address, word);
    e.atomic(op, word, pointer, &[value])
}
