//! A shader made ready to run: one graph of blocks in the order that convergence needs, calls
//! inlined, values taken apart into scalars in numbered slots.

use trellis_dxil_frontend::dxop::SignatureOp;
use trellis_dxil_frontend::module::{BinaryOp, CastOp, FunctionId, InstId, Predicate, RmwOp};
use trellis_dxil_frontend::shader::{
    ComponentType, ResourceClass, ResourceKind, ShaderKind, WaveSize,
};
use trellis_entity::{EntityRange, PackedOption, PrimaryMap, entity_impl};

use crate::action::Action;
use crate::dispatch::{Class, Place};
use crate::scalar::Scalar;
use crate::signature::Signature;

/// A block in [`Program::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Label(u32);
entity_impl!(Label, "block");

/// A scalar that each lane has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot(u32);
entity_impl!(Slot, "slot");

impl Slot {
    /// Returns the slot `index` slots after this one.
    pub(crate) fn after(self, index: usize) -> Self {
        Self(self.0 + index as u32)
    }
}

/// An instruction in [`Program::code`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct InstrId(u32);
entity_impl!(InstrId, "instr");

/// A copy in [`Program::copies`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CopyId(u32);
entity_impl!(CopyId, "copy");

/// An operand in [`Program::operands`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct OperandId(u32);
entity_impl!(OperandId, "operand");

/// A term in [`Program::terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TermId(u32);
entity_impl!(TermId, "term");

/// A case in [`Program::cases`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CaseId(u32);
entity_impl!(CaseId, "case");

/// A view in [`Program::views`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ViewId(u32);
entity_impl!(ViewId, "view");

/// A loop in [`Order::loops`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// Source of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// A slot of the lane.
    Slot(Slot),
    /// A constant.
    Const(u64),
}

/// An edge: the block it leads to and the copies (range of [`Program::copies`]) that happen on it,
/// all at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) block: Label,
    pub(crate) copies: EntityRange<CopyId>,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub(crate) enum Terminator {
    Goto(Target),
    If {
        cond: Operand,
        then: Target,
        other: Target,
    },
    /// `cases`: range of [`Program::cases`].
    Switch {
        value: Operand,
        default: Target,
        cases: EntityRange<CaseId>,
    },
    /// Waits until all threads of the group are here.
    Barrier(Target),
    Return,
    Unreachable,
}

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Range of [`Program::code`].
    pub(crate) code: EntityRange<InstrId>,
    pub(crate) end: Terminator,
    /// The instructions of the module that it has, if they are traced.
    pub(crate) lines: Vec<Line>,
}

/// An instruction of the module, with the scalars of its result.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) function: FunctionId,
    pub(crate) inst: InstId,
    pub(crate) values: Vec<(Scalar, Operand)>,
}

/// An instruction, with the slot of its result. If there are several results, they are in
/// consecutive slots from this one on.
#[derive(Clone, Debug)]
pub(crate) enum Instr {
    /// A scalar that depends on the operands alone.
    Compute(Slot, Compute),
    /// An access to memory or the bound resources.
    Access(Slot, Access),
    Store {
        ty: Scalar,
        value: Operand,
        ptr: Operand,
        offset: u32,
    },
    /// Any other `dx.op`. `args` is a range of [`Program::operands`], `out` a range of slots.
    Dx {
        action: Action,
        ty: Scalar,
        out: EntityRange<Slot>,
        args: EntityRange<OperandId>,
    },
}

impl Instr {
    /// Returns whether lanes run it one after the other on memory or resources.
    pub(crate) fn accesses_memory(&self) -> bool {
        match self {
            Self::Compute(..) => false,
            Self::Access(..) | Self::Store { .. } => true,
            Self::Dx { action, .. } => matches!(action, Action::Resource(_)),
        }
    }
}

/// A computation.
#[derive(Clone, Debug)]
pub(crate) enum Compute {
    Binary {
        op: BinaryOp,
        ty: Scalar,
        a: Operand,
        b: Operand,
    },
    Compare {
        by: Predicate,
        ty: Scalar,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: Scalar,
        to: Scalar,
        a: Operand,
    },
    Select {
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    Copy(Operand),
    /// One of `parts` by `index`; 0 if it has no part with that index.
    Element {
        index: Operand,
        parts: EntityRange<OperandId>,
    },
    /// `a`, or `value` if `index` is `number`.
    Replace {
        a: Operand,
        value: Operand,
        index: Operand,
        number: u32,
    },
    /// `base + bytes + sum of index * stride`; `terms` is a range of [`Program::terms`].
    Address {
        base: Operand,
        bytes: u64,
        terms: EntityRange<TermId>,
    },
    /// The handle with another view.
    Annotate {
        handle: Operand,
        view: ViewId,
    },
}

/// An access.
#[derive(Clone, Debug)]
pub(crate) enum Access {
    Load {
        ty: Scalar,
        ptr: Operand,
        offset: u32,
    },
    AtomicRmw {
        op: RmwOp,
        ty: Scalar,
        ptr: Operand,
        value: Operand,
    },
    /// The value in memory; with `has_flag` the second result is whether it was `old`, which `new`
    /// replaces.
    CompareExchange {
        has_flag: bool,
        ty: Scalar,
        ptr: Operand,
        old: Operand,
        new: Operand,
    },
    /// A handle of a declared range, or of a heap.
    Handle {
        source: HandleSource,
        index: Operand,
    },
    /// A handle from the pointer to a library's resource variable.
    LibraryHandle(Operand),
}

/// Source of a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandleSource {
    /// A class and space with the register as index.
    Register {
        class: ResourceClass,
        space: u32,
        view: ViewId,
    },
    /// `ResourceDescriptorHeap`.
    ResourceHeap,
    /// `SamplerDescriptorHeap`.
    SamplerHeap,
}

/// An index of an address: its value is extended by its sign from `ty`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) index: Operand,
    pub(crate) ty: Scalar,
    pub(crate) stride: u64,
}

/// Properties of the resource that a use of a handle gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Class.
    pub class: ResourceClass,
    /// Shape.
    pub kind: ResourceKind,
    /// Type of a component.
    pub component: ComponentType,
    /// Components of a texel of a heap's resource; 0 for others.
    pub components: u32,
    /// Of a structured buffer; 0 for others.
    pub stride: u32,
    /// A comparison sampler, or a UAV with a counter.
    pub compares_or_counts: bool,
}

/// A resource variable of a library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) class: ResourceClass,
    pub(crate) space: u32,
    pub(crate) lower_bound: u32,
    pub(crate) view: ViewId,
    /// Bytes of an element where the variable is an array.
    pub(crate) element: u32,
}

/// A piece of memory that pointers point to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// Offset in the memory of its space.
    pub(crate) start: usize,
    pub(crate) size: usize,
    /// First bytes; zeros follow.
    pub(crate) init: Vec<u8>,
}

impl Object {
    /// Returns the bytes of a space with these objects.
    pub(crate) fn total(objects: &[Self]) -> usize {
        objects.last().map_or(0, |last| last.start + last.size)
    }
}

/// A shader made ready to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) blocks: PrimaryMap<Label, Block>,
    pub(crate) code: PrimaryMap<InstrId, Instr>,
    pub(crate) copies: PrimaryMap<CopyId, (Slot, Operand)>,
    pub(crate) operands: PrimaryMap<OperandId, Operand>,
    pub(crate) terms: PrimaryMap<TermId, Term>,
    pub(crate) cases: PrimaryMap<CaseId, (u64, Target)>,
    /// Number of slots of a lane.
    pub(crate) slots: u32,
    pub(crate) locals: Vec<Object>,
    pub(crate) shared: Vec<Object>,
    pub(crate) tables: Vec<Object>,
    pub(crate) views: PrimaryMap<ViewId, View>,
    pub(crate) variables: Vec<Variable>,
    /// Rank of each block, and of the latch of each loop, in the order that lanes run in; see
    /// `decode::order`.
    pub(crate) order: Order,
    /// Ray flags of each allocation of a ray query.
    pub(crate) queries: Vec<u32>,
    pub(crate) signatures: Signatures,
    /// The stage; `None` for a program that does nothing.
    pub(crate) kind: Option<ShaderKind>,
    /// A pixel shader that runs for each sample.
    pub(crate) per_sample: bool,
    /// Wave operations include helper lanes.
    pub(crate) waves_have_helpers: bool,
    /// Number of operations that a group of a node runs once.
    pub(crate) sites: u64,
    pub(crate) threads: [u32; 3],
    /// Four lanes in a row are two by two threads; see [`Program::thread`].
    pub(crate) square_quads: bool,
    pub(crate) wave_size: Option<WaveSize>,
    /// Denormal `f32` are flushed to zero.
    pub(crate) flush: bool,
    /// 16-bit numbers take 16 bits in buffers; minimum-precision ones take 32.
    pub(crate) native16: bool,
}

impl Program {
    /// Returns the number of threads of a group.
    pub(crate) fn group_size(&self) -> u32 {
        self.threads.iter().product()
    }

    /// Returns whether the group can be divided into quads.
    pub(crate) fn has_quads(&self) -> bool {
        let [x, y, z] = self.threads;
        self.square_quads || x.wrapping_mul(y).wrapping_mul(z).is_multiple_of(4)
    }

    /// Returns the flattened thread index of a lane, with lanes numbered through the group. The
    /// same number, unless the shader has derivatives or quad operations, and the group an even
    /// width and height: shader model 6.6 then takes quads of two by two threads.
    pub(crate) fn thread(&self, lane: u32) -> u32 {
        if !self.square_quads {
            return lane;
        }
        let [width, height, _] = self.threads;
        let (slice, in_slice) = (lane / (width * height), lane % (width * height));
        let (quad, corner) = (in_slice / 4, in_slice % 4);
        let (x, y) = (
            quad % (width / 2) * 2 + corner % 2,
            quad / (width / 2) * 2 + corner / 2,
        );
        slice * width * height + y * width + x
    }
}

/// Signatures of the stages of the graphics pipeline, empty for others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signatures {
    pub(crate) inputs: Signature,
    pub(crate) outputs: Signature,
    /// Patch constants, or outputs of a mesh shader for primitives.
    pub(crate) patch: Signature,
}

impl Signatures {
    /// Returns the signature that an operation's element is in.
    pub(crate) fn of(&self, op: SignatureOp) -> &Signature {
        match op {
            SignatureOp::LoadInput
            | SignatureOp::EvalSnapped
            | SignatureOp::EvalSampleIndex
            | SignatureOp::EvalCentroid
            | SignatureOp::AttributeAtVertex => &self.inputs,
            SignatureOp::StoreOutput | SignatureOp::LoadOutputControlPoint => &self.outputs,
            SignatureOp::LoadPatchConstant | SignatureOp::StorePatchConstant => &self.patch,
        }
    }
}

/// See `decode::order`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Rank of each block.
    pub(crate) rank: PrimaryMap<Label, u32>,
    /// The loop that a block is a header of.
    pub(crate) header_of: PrimaryMap<Label, PackedOption<LoopId>>,
    /// First rank, and rank of the latch (the last), of each loop.
    pub(crate) loops: PrimaryMap<LoopId, (u32, u32)>,
}

impl Order {
    /// Returns the rank at which a lane waits after a branch from one block to another: the
    /// target's, or the latch's on a back edge.
    pub(crate) fn arrival(&self, from: Label, to: Label) -> u32 {
        let (source, target) = (self.rank[from], self.rank[to]);
        match self.header_of[to].expand().map(|number| self.loops[number]) {
            Some((first, latch)) if (first..latch).contains(&source) => latch,
            _ => target,
        }
    }
}

/// Returns the class of a dispatch file that a class of DXIL is.
pub(crate) fn class_of(class: ResourceClass) -> Class {
    match class {
        ResourceClass::Srv => Class::Srv,
        ResourceClass::Uav => Class::Uav,
        ResourceClass::CBuffer => Class::Cbv,
        ResourceClass::Sampler => Class::Sampler,
    }
}

/// Returns a register's place.
pub(crate) fn place(class: ResourceClass, space: u32, register: u32) -> Place {
    Place::at(class_of(class), space, register)
}
