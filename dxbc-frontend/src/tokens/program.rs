//! The decoded form of a token stream.

use trellis_dxil_frontend::shader::ShaderKind;
use trellis_entity::{EntityRange, PackedOption, PrimaryMap, entity_impl};

use super::codes::{
    CustomDataClass, InputPrimitive, Interpolation, MinPrecision, OutputTopology, RegisterFile,
    ResinfoType, ResourceDimension, ReturnType, SamplerMode, SystemValue, TessDomain,
    TessOutputPrimitive, TessPartitioning,
};
use super::op::Op;

/// An operand of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperandId(u32);
entity_impl!(OperandId, "operand");

/// A decoded token stream.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// Stage.
    pub kind: ShaderKind,
    /// Shader model: major and minor version.
    pub shader_model: (u8, u8),
    /// Instructions and declarations in the order of the stream. A hull shader has all its phases
    /// here, each after its [`Op::HsForkPhase`] or a sibling.
    pub items: Vec<Item>,
    /// All operands. The operands of an instruction are consecutive; operands that index others
    /// are elsewhere.
    pub operands: PrimaryMap<OperandId, Operand>,
    /// All tables and custom data: see [`Program::words`].
    pub words: Vec<u32>,
}

impl Program {
    /// Returns whether the model is 5.1: resources are ranges in spaces, and operands name a range
    /// and an index into it.
    pub fn has_ranges(&self) -> bool {
        self.shader_model >= (5, 1)
    }

    /// Returns the operands of an instruction, in order.
    pub fn operands(&self, inst: &Instruction) -> &[Operand] {
        self.operands.get_range(inst.operands).unwrap_or_default()
    }

    /// Returns a table or custom data.
    pub fn words(&self, words: Words) -> &[u32] {
        self.words
            .get(words.start as usize..words.end as usize)
            .unwrap_or_default()
    }
}

/// A part of the pool of words; see [`Program::words`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// An instruction or a declaration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Item {
    /// Opcode.
    pub op: Op,
    /// Absolute byte offset in the file.
    pub offset: usize,
    /// The rest.
    pub kind: ItemKind,
}

/// Whether an [`Item`] is an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ItemKind {
    /// An instruction.
    Instruction(Instruction),
    /// A declaration.
    Declaration(Declaration),
}

/// An instruction: all but its opcode.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Instruction {
    /// Operands, with the roles of [`OpInfo::operands`](super::OpInfo::operands).
    pub operands: EntityRange<OperandId>,
    /// Whether the results are clamped to 0..1.
    pub saturate: bool,
    /// Components whose result must not be refactored, a bit each.
    pub precise: u8,
    /// `if`, `breakc`, `continuec`, `retc`, `callc`, `discard`: whether the condition holds if the
    /// operand is not 0 (`_nz`), instead of if it is 0 (`_z`).
    pub nonzero: bool,
    /// Result format of `resinfo`; of `sampleinfo`, whose code is 0 or 1 for `Float` and `Uint`.
    pub resinfo: ResinfoType,
    /// `sync`: memory and threads.
    pub sync: SyncFlags,
    /// Immediate offset of a texture access in texels: u, v, w, each from -8 to 7.
    pub offset: [i8; 3],
    /// The resource that an `_indexable` instruction of models 5.0 and later repeats.
    pub resource: Option<SampledResource>,
    /// `fcall`: index of the method in the interface's tables.
    pub function_index: u32,
}

/// Dimension and return type of a resource, repeated at its use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SampledResource {
    /// Dimension.
    pub dimension: ResourceDimension,
    /// Stride of a structured buffer in bytes; else 0.
    pub stride: u32,
    /// Types of the four components; `None` for raw and structured buffers.
    pub return_type: Option<[ReturnType; 4]>,
}

/// Flags of `sync`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SyncFlags {
    /// `_t`: waits for all threads of the group.
    pub threads_in_group: bool,
    /// `_g`: orders groupshared memory.
    pub groupshared: bool,
    /// `_ugroup`: orders UAVs within the group.
    pub uav_group: bool,
    /// `_uglobal`: orders UAVs within the device.
    pub uav_global: bool,
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Operand {
    /// Register file.
    pub file: RegisterFile,
    /// Components that are read or written.
    pub components: Components,
    /// Whether the absolute value is read.
    pub abs: bool,
    /// Whether the value, after `abs`, is negated.
    pub neg: bool,
    /// Minimum precision.
    pub min_precision: MinPrecision,
    /// Whether the index of a resource may differ between invocations of a wave.
    pub nonuniform: bool,
    /// Number of indices, at most 3.
    pub(super) index_count: u8,
    /// Indices of the register; see [`Operand::indices`].
    pub(super) indices: [Index; 3],
    /// Bits of an immediate: one, or four for four components; a 64-bit immediate has two values of
    /// two words, low word first. Zeros for other operands.
    pub immediate: [u32; 4],
}

impl Operand {
    /// Returns the indices of the register, outermost first: `[n]` of `r#`; `[vertex, n]` of inputs
    /// of geometry shaders; `[id, n]` of `cb#` in models before 5.1, `[id, register, n]` from then
    /// on.
    pub fn indices(&self) -> &[Index] {
        &self.indices[..usize::from(self.index_count).min(3)]
    }

    /// Returns whether the value of another operand is in an index.
    pub fn has_relative_index(&self) -> bool {
        self.indices().iter().any(|i| i.relative.is_some())
    }

    /// Returns the operand's component that the component `lane` of the instruction reads.
    pub fn component(&self, lane: u8) -> u8 {
        match self.components {
            Components::None | Components::One => 0,
            Components::Mask(_) => lane,
            Components::Swizzle(swizzle) => swizzle[usize::from(lane & 3)],
            Components::Select(component) => component,
        }
    }

    /// Returns the components that an instruction writes, or a declaration declares, a bit each.
    pub fn mask(&self) -> u8 {
        match self.components {
            Components::None => 0,
            Components::One => 1,
            Components::Mask(mask) => mask,
            Components::Swizzle(swizzle) => swizzle.iter().fold(0, |mask, c| mask | 1 << c),
            Components::Select(component) => 1 << component,
        }
    }

    /// Returns the first index if it is an immediate: the number of a register or range.
    pub fn register(&self) -> Option<u32> {
        let first = self.indices().first()?;
        first.relative.is_none().then_some(first.base)
    }
}

/// Selection of components. Components are numbered from 0, x.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Components {
    /// No components: resources, samplers, labels.
    None,
    /// A scalar, which has no component selection.
    One,
    /// Components that are written, a bit each; 0 for a resource.
    Mask(u8),
    /// For each component of the instruction, the component that is read.
    Swizzle([u8; 4]),
    /// One component that is read for all.
    Select(u8),
}

/// An index of an operand: `base`, plus a register's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Index {
    /// Constant part.
    pub base: u32,
    /// Operand whose selected component is added, as an unsigned integer.
    pub relative: PackedOption<OperandId>,
}

/// Registers of a resource declaration. In models before 5.1 a declaration has one register in
/// space 0, and `id` is its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Binding {
    /// Number by which operands refer to the declaration.
    pub id: u32,
    /// First register.
    pub lower: u32,
    /// Last register; `u32::MAX` for an unbounded range.
    pub upper: u32,
    /// Register space.
    pub space: u32,
}

/// Flags of a UAV declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct UavFlags {
    /// `_glc`: globally coherent.
    pub globally_coherent: bool,
    /// `_rov`: rasterizer-ordered.
    pub rasterizer_ordered: bool,
    /// `_opc`: has a counter whose values order the elements (append and consume buffers).
    pub has_counter: bool,
}

/// Flags of `dcl_globalFlags`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GlobalFlags(pub u32);

#[expect(missing_docs, reason = "the format's own names")]
impl GlobalFlags {
    pub const REFACTORING_ALLOWED: u32 = 1 << 11;
    pub const ENABLE_DOUBLE_PRECISION_FLOAT_OPS: u32 = 1 << 12;
    pub const FORCE_EARLY_DEPTH_STENCIL: u32 = 1 << 13;
    pub const ENABLE_RAW_AND_STRUCTURED_BUFFERS: u32 = 1 << 14;
    pub const SKIP_OPTIMIZATION: u32 = 1 << 15;
    pub const ENABLE_MINIMUM_PRECISION: u32 = 1 << 16;
    pub const ENABLE_DOUBLE_EXTENSIONS: u32 = 1 << 17;
    pub const ENABLE_SHADER_EXTENSIONS: u32 = 1 << 18;
    pub const ALL_RESOURCES_BOUND: u32 = 1 << 19;

    /// Returns whether a flag is set.
    pub fn contains(self, flag: u32) -> bool {
        self.0 & flag != 0
    }
}

/// A declaration. [`Item::op`] distinguishes siblings that share a variant.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "fields have the names of the format")]
pub enum Declaration {
    /// `dcl_globalFlags`.
    GlobalFlags(GlobalFlags),
    /// `dcl_constantbuffer`: size in 16-byte rows; 0 if it is unknown.
    ConstantBuffer {
        binding: Binding,
        size: u32,
        dynamic_index: bool,
    },
    /// `dcl_sampler`.
    Sampler { binding: Binding, mode: SamplerMode },
    /// `dcl_resource`, a texture or typed buffer.
    Resource {
        binding: Binding,
        dimension: ResourceDimension,
        sample_count: u32,
        return_type: [ReturnType; 4],
    },
    /// `dcl_resource_raw`.
    RawResource { binding: Binding },
    /// `dcl_resource_structured`: stride in bytes.
    StructuredResource { binding: Binding, stride: u32 },
    /// `dcl_uav_typed`.
    TypedUav {
        binding: Binding,
        flags: UavFlags,
        dimension: ResourceDimension,
        return_type: [ReturnType; 4],
    },
    /// `dcl_uav_raw`.
    RawUav { binding: Binding, flags: UavFlags },
    /// `dcl_uav_structured`: stride in bytes.
    StructuredUav {
        binding: Binding,
        flags: UavFlags,
        stride: u32,
    },
    /// `dcl_tgsm_raw`: number of `g#`, size in bytes.
    RawGroupshared { id: u32, size: u32 },
    /// `dcl_tgsm_structured`: number of `g#`, stride in bytes, number of structures.
    StructuredGroupshared { id: u32, stride: u32, count: u32 },
    /// `dcl_input` and siblings. Without an interpolation or system value they are `Undefined`.
    Input {
        operand: OperandId,
        interpolation: Interpolation,
        system_value: SystemValue,
    },
    /// `dcl_output` and siblings.
    Output {
        operand: OperandId,
        system_value: SystemValue,
    },
    /// `dcl_indexrange`: first register, number of registers that are indexed together.
    IndexRange { operand: OperandId, count: u32 },
    /// `dcl_temps`: number of `r#` registers.
    Temps { count: u32 },
    /// `dcl_indexableTemp`: number of `x#`, of its registers, of components per register.
    IndexableTemp {
        id: u32,
        registers: u32,
        components: u32,
    },
    /// `dcl_outputtopology`.
    OutputTopology(OutputTopology),
    /// `dcl_inputprimitive`.
    InputPrimitive(InputPrimitive),
    /// `dcl_maxout`: most vertices that a geometry shader emits.
    MaxOutputVertices(u32),
    /// `dcl_gsinstances`.
    GsInstances(u32),
    /// `dcl_stream`: number of `m#`.
    Stream(u32),
    /// `hs_decls`, `hs_control_point_phase`, `hs_fork_phase`, `hs_join_phase`.
    HullPhase,
    /// `dcl_input_control_point_count`.
    InputControlPoints(u32),
    /// `dcl_output_control_point_count`.
    OutputControlPoints(u32),
    /// `dcl_tessellator_domain`.
    TessDomain(TessDomain),
    /// `dcl_tessellator_partitioning`.
    TessPartitioning(TessPartitioning),
    /// `dcl_tessellator_output_primitive`.
    TessOutputPrimitive(TessOutputPrimitive),
    /// `dcl_hs_max_tessfactor`.
    MaxTessFactor(f32),
    /// `dcl_hs_fork_phase_instance_count`, `dcl_hs_join_phase_instance_count`.
    PhaseInstances(u32),
    /// `dcl_thread_group`: threads in each dimension.
    ThreadGroup([u32; 3]),
    /// `dcl_function_body`: number of `fb#`.
    FunctionBody(u32),
    /// `dcl_function_table`: number of `ft#`, its bodies.
    FunctionTable { id: u32, bodies: Words },
    /// `dcl_interface`: number of `fp#`, length of the array of interfaces, methods per table, the
    /// possible tables.
    Interface {
        id: u32,
        dynamic_index: bool,
        methods: u32,
        array_length: u32,
        tables: Words,
    },
    /// `dcl_immediateConstantBuffer`, four words per register, and custom data without an effect.
    CustomData {
        class: CustomDataClass,
        words: Words,
    },
}
