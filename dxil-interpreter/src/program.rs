//! A shader made ready to run: one graph of blocks in the order that convergence needs, calls
//! inlined, values taken apart into scalars in numbered slots.

use std::ops::Range;

use trellis_dxil_frontend::module::{BinaryOp, CastOp, Predicate, RmwOp};
use trellis_dxil_frontend::shader::{ComponentType, ResourceClass, ResourceKind, WaveSize};

use crate::action::Action;
use crate::dispatch::{Class, Place};
use crate::scalar::Scalar;

/// Source of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// A slot of the lane.
    Slot(u32),
    /// A constant.
    Const(u64),
}

/// An edge: the block it leads to and the copies (range of [`Program::copies`]) that happen on it,
/// all at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    pub(crate) block: u32,
    pub(crate) copies: Range<u32>,
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
        cases: Range<u32>,
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
    pub(crate) code: Range<u32>,
    pub(crate) end: Terminator,
}

/// An instruction. `out` is a slot; where there are several results, the first of as many slots in
/// a row.
#[derive(Clone, Debug)]
pub(crate) enum Instr {
    Binary {
        op: BinaryOp,
        ty: Scalar,
        out: u32,
        a: Operand,
        b: Operand,
    },
    Compare {
        predicate: Predicate,
        ty: Scalar,
        out: u32,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: Scalar,
        to: Scalar,
        out: u32,
        a: Operand,
    },
    Select {
        out: u32,
        cond: Operand,
        then: Operand,
        other: Operand,
    },
    Copy {
        out: u32,
        a: Operand,
    },
    /// One of `parts` by `index`; 0 if it has no part with that index.
    Element {
        out: u32,
        index: Operand,
        parts: Range<u32>,
    },
    /// `a`, or `value` if `index` is `number`.
    Replace {
        out: u32,
        a: Operand,
        value: Operand,
        index: Operand,
        number: u32,
    },
    /// `base + bytes + sum of index * stride`; `terms` is a range of [`Program::terms`].
    Address {
        out: u32,
        base: Operand,
        bytes: u64,
        terms: Range<u32>,
    },
    Load {
        ty: Scalar,
        out: u32,
        pointer: Operand,
        offset: u32,
    },
    Store {
        ty: Scalar,
        value: Operand,
        pointer: Operand,
        offset: u32,
    },
    AtomicRmw {
        op: RmwOp,
        ty: Scalar,
        out: u32,
        pointer: Operand,
        value: Operand,
    },
    /// Two results: the old value, and whether it was the compared one.
    CompareExchange {
        ty: Scalar,
        out: u32,
        pointer: Operand,
        compare: Operand,
        new: Operand,
    },
    /// A handle of a declared range, or of a heap.
    Handle {
        out: u32,
        source: HandleSource,
        index: Operand,
    },
    /// The handle with another view.
    Annotate {
        out: u32,
        handle: Operand,
        view: u32,
    },
    /// A handle from the pointer to a library's resource variable.
    LibraryHandle {
        out: u32,
        pointer: Operand,
    },
    /// Any other `dx.op`. `args` is a range of [`Program::operands`], `out` a range of slots.
    Dx {
        action: Action,
        ty: Scalar,
        out: Range<u32>,
        args: Range<u32>,
    },
}

/// Source of a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandleSource {
    /// A class and space with the register as index.
    Register {
        class: ResourceClass,
        space: u32,
        view: u32,
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
pub(crate) struct View {
    pub(crate) class: ResourceClass,
    pub(crate) kind: ResourceKind,
    pub(crate) component: ComponentType,
    /// Of a structured buffer; 0 for others.
    pub(crate) stride: u32,
}

/// A resource variable of a library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) class: ResourceClass,
    pub(crate) space: u32,
    pub(crate) lower_bound: u32,
    pub(crate) view: u32,
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

/// A shader made ready to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) blocks: Vec<Block>,
    pub(crate) code: Vec<Instr>,
    pub(crate) copies: Vec<(u32, Operand)>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) terms: Vec<Term>,
    pub(crate) cases: Vec<(u64, Target)>,
    /// Slots of a lane.
    pub(crate) slots: u32,
    pub(crate) locals: Vec<Object>,
    pub(crate) shared: Vec<Object>,
    pub(crate) tables: Vec<Object>,
    pub(crate) views: Vec<View>,
    pub(crate) variables: Vec<Variable>,
    /// Rank of each block, and of the latch of each loop, in the order that lanes run in; see
    /// `decode::order`.
    pub(crate) order: Order,
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
    /// Returns the flattened thread index of a lane, with lanes numbered through the group. The
    /// same number, unless the shader has derivatives and the group an even width and height:
    /// shader model 6.6 then takes quads of two by two threads.
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

/// See `decode::order`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Rank of each block.
    pub(crate) rank: Vec<u32>,
    /// The loop that a block is a header of, else `u32::MAX`.
    pub(crate) header_of: Vec<u32>,
    /// First rank, and rank of the latch (the last), of each loop.
    pub(crate) loops: Vec<(u32, u32)>,
}

impl Order {
    /// Returns the rank at which a lane waits after a branch from one block to another: the
    /// target's, or the latch's on a back edge.
    pub(crate) fn arrival(&self, from: u32, to: u32) -> u32 {
        let (source, target) = (self.rank[from as usize], self.rank[to as usize]);
        match self.loops.get(self.header_of[to as usize] as usize) {
            Some(&(first, latch)) if (first..latch).contains(&source) => latch,
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
    Place {
        class: class_of(class),
        space,
        register,
        heap: None,
    }
}
