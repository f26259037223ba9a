//! The rules of the verifier.

use std::fmt;

use rspirv::spirv::{
    BuiltIn, Capability, ExecutionMode, ExecutionModel, NonsemanticShaderDebuginfo100Op, Op,
    StorageClass,
};
use thiserror::Error;
use trellis_structurizer::verify::CfgError;

use super::name;
use super::payload::PayloadRule;
use super::variable::{InterfaceVariable, VariableRule};

/// A section of a module, in the specification's order (SPIR-V 1.6, section 2.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ModuleSection {
    /// `OpCapability`.
    Capabilities,
    /// `OpExtension`.
    Extensions,
    /// `OpExtInstImport`.
    Imports,
    /// `OpMemoryModel`.
    MemoryModel,
    /// `OpEntryPoint`.
    EntryPoints,
    /// `OpExecutionMode` and `OpExecutionModeId`.
    ExecutionModes,
    /// `OpString`.
    Strings,
    /// `OpName` and `OpMemberName`.
    Names,
    /// Decorations.
    Annotations,
    /// Types, constants and variables.
    Declarations,
}

impl fmt::Display for ModuleSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Capabilities => "capabilities",
            Self::Extensions => "extensions",
            Self::Imports => "imports",
            Self::MemoryModel => "memory model",
            Self::EntryPoints => "entry points",
            Self::ExecutionModes => "execution modes",
            Self::Strings => "strings",
            Self::Names => "names",
            Self::Annotations => "annotations",
            Self::Declarations => "declarations",
        })
    }
}

/// A rule that a module breaks.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum VerifyRule {
    // Words and ids.
    /// The first words are not a SPIR-V header.
    #[error("the words do not start with the header of a module")]
    Header,
    /// The header's id bound is larger than the module can use.
    #[error("id bound {bound} in a module of {words} words")]
    IdBound {
        /// The bound.
        bound: u32,
        /// The number of words.
        words: usize,
    },
    /// The module ends within an instruction or a function.
    #[error("the module ends at word {word}, within an instruction or a function")]
    Truncated {
        /// The position of the instruction.
        word: u32,
    },
    /// The number of words of an instruction is not valid for its opcode.
    #[error(
        "{} at word {word} has {count} words, which is not valid for the opcode",
        opcode_name(*opcode)
    )]
    WordCount {
        /// The opcode.
        opcode: u32,
        /// The number of words.
        count: u32,
        /// The position of the instruction.
        word: u32,
    },
    /// An instruction is longer than the format permits.
    #[error("{} is longer than 65535 words", opcode_name(*opcode))]
    InstructionLength {
        /// The opcode.
        opcode: u32,
    },
    /// A literal string contains a NUL.
    #[error("the string {text:?} of {} contains a NUL", opcode_name(*opcode))]
    StringNul {
        /// The opcode.
        opcode: u32,
        /// The string.
        text: String,
    },
    /// An id is not below the header's bound.
    #[error("id %{id} is not below the id bound")]
    IdNotBelowBound {
        /// The id.
        id: u32,
    },
    /// An id is defined twice.
    #[error("id %{id} is defined twice")]
    DefinedTwice {
        /// The id.
        id: u32,
    },
    /// An id is not defined.
    #[error("id %{id} is not defined")]
    Undefined {
        /// The id.
        id: u32,
    },
    /// An id of a declaration is not defined before it.
    #[error("id %{id} is not defined before its use")]
    NotDefinedBefore {
        /// The id.
        id: u32,
    },
    /// An operand is missing.
    #[error("operand {operand} is missing")]
    MissingOperand {
        /// The operand, from 0, after result type and result.
        operand: usize,
    },

    // The module level.
    /// An instruction is after a later section than its own.
    #[error("the instruction is after the section of {previous}")]
    SectionOrder {
        /// The section before it.
        previous: ModuleSection,
    },
    /// An instruction is not allowed at module level.
    #[error("the instruction is not allowed at module level")]
    NotAtModuleLevel,
    /// A capability is missing.
    #[error("capability {} is required", capability_names(any_of))]
    MissingCapability {
        /// The capabilities, one of which is required.
        any_of: Vec<u32>,
    },
    /// An addressing model that Vulkan does not have, or that the module's pointers do not fit.
    #[error(
        "the addressing model must be Logical, or PhysicalStorageBuffer64 for device addresses"
    )]
    AddressingModel,
    /// A width that numbers do not have.
    #[error("a number cannot have {width} bits")]
    Width {
        /// The width in bits.
        width: u32,
    },
    /// A vector type that is not made of 2 to 4 scalars.
    #[error("a vector must have 2 to 4 scalars")]
    VectorType,
    /// A matrix type that is not made of 2 to 4 vectors of floats.
    #[error("a matrix must have 2 to 4 columns of floats")]
    MatrixType,
    /// A sampled image type whose operand is not an image type.
    #[error("the type of a sampled image must have an image type as its operand")]
    SampledImageType,
    /// A pointer type whose operand is not a type.
    #[error("a pointer type must have a type as its operand")]
    PointerType,
    /// A member of a struct is not a data type.
    #[error("struct member %{member} is not a data type")]
    MemberType {
        /// The member.
        member: u32,
    },
    /// The width of a constant's literal is not that of its type.
    #[error("the literal does not have the width of the constant's type")]
    LiteralWidth,
    /// A boolean constant of another type.
    #[error("the type of a boolean constant must be OpTypeBool")]
    NotBool,
    /// A variable whose storage class is not that of its pointer type.
    #[error("the storage class of a variable must be that of its pointer type")]
    VariableClass,
    /// The type of a constant or undefined value is not a data type.
    #[error("the type of the value is not a data type")]
    NotADataType,
    /// A constituent of a composite constant has another type.
    #[error("constituent {index} does not have the type of its part")]
    ConstituentType {
        /// The constituent, from 0.
        index: usize,
    },
    /// The number of constituents is not that of the type's parts.
    #[error("{expected} constituents are required")]
    ConstituentCount {
        /// The number of parts.
        expected: u32,
    },
    /// The module has no entry point.
    #[error("the module has no entry point")]
    NoEntryPoint,
    /// The function of an entry point is not a function.
    #[error("%{id} is not a function")]
    NotAFunction {
        /// The id.
        id: u32,
    },
    /// An interface variable of an entry point is not a variable.
    #[error("%{id} is not a variable")]
    NotAVariable {
        /// The id.
        id: u32,
    },
    /// An entry point lists a variable twice.
    #[error("variable %{id} is listed twice")]
    ListedTwice {
        /// The variable.
        id: u32,
    },
    /// An entry point does not list a variable of its interface.
    #[error("variable %{id} is not listed")]
    NotListed {
        /// The variable.
        id: u32,
    },

    // Functions.
    /// An instruction is between functions.
    #[error("the instruction is between functions")]
    BetweenFunctions,
    /// An instruction of a function is not in a block.
    #[error("the instruction is after a terminator and not in a block")]
    OutsideBlock,
    /// A block has no terminator.
    #[error("block %{label} has no terminator")]
    NoTerminator {
        /// The label; 0 for an empty block.
        label: u32,
    },
    /// An instruction is between a merge instruction and the terminator.
    #[error("the instruction is between a merge instruction and the terminator")]
    AfterMerge,
    /// The type of a function is not a function type.
    #[error("the type of the function is not a function type")]
    FunctionType,
    /// The parameters or the result of a function are not those of its type.
    #[error("the function's parameters or result differ from its type")]
    Signature,
    /// The type of a parameter is not that of the function's type.
    #[error("the parameter's type differs from the function's type")]
    ParameterType,
    /// A branch or merge instruction with an operand that is not a label of the function.
    #[error("%{id} is not a label of the function")]
    NotALabel {
        /// The operand.
        id: u32,
    },
    /// A rule of structured control flow, with blocks by their number in the function.
    #[error("structured control flow: {0}")]
    ControlFlow(CfgError),
    /// The definition of an operand does not dominate the instruction.
    #[error("the definition of %{id} does not dominate this use")]
    NotDominated {
        /// The operand.
        id: u32,
    },
    /// A phi after another instruction of its block.
    #[error("a phi is after another instruction of its block")]
    PhiOrder,
    /// An instruction of debug information that is not known.
    #[error("instruction {number} of debug information")]
    DebugInfoInstruction {
        /// Its number.
        number: u32,
    },
    /// Debug information where it may not be.
    #[error("an instruction of debug information at a wrong place")]
    DebugInfoPlace,
    /// An operand of debug information is missing, too many, or not of its kind.
    #[error("operand {operand} of {op:?} is not of its kind")]
    DebugInfoOperand {
        /// The instruction.
        op: NonsemanticShaderDebuginfo100Op,
        /// The index of the operand.
        operand: usize,
    },
    /// A phi without one operand per predecessor.
    #[error("a phi of {found} values in a block of {expected} predecessors")]
    PhiCount {
        /// The values.
        found: usize,
        /// The predecessors.
        expected: usize,
    },
    /// A phi with a label that is not a predecessor, or is listed twice.
    #[error("%{label} is not a predecessor, or is listed twice")]
    PhiPredecessor {
        /// The label.
        label: u32,
    },
    /// A phi with a value of another type.
    #[error("%{value} does not have the phi's type")]
    PhiType {
        /// The value.
        value: u32,
    },
    /// A phi with a value whose definition does not dominate the end of the predecessor.
    #[error("the definition of %{value} does not dominate the end of block %{label}")]
    PhiNotDominated {
        /// The value.
        value: u32,
        /// The predecessor's label.
        label: u32,
    },
    /// The result type of an instruction is not a type.
    #[error("the result type is not a type")]
    ResultType,
    /// An access through a device address without an alignment, or with one that is no power of two or
    /// below the size of a scalar.
    #[error("an access through a device address must have an alignment of its scalars at least")]
    Alignment,
    /// The operand types of an instruction are not valid for it.
    #[error("the operand types are not valid for the instruction")]
    OperandTypes,

    // Stages.
    /// A stage that a module has with another entry point.
    #[error("a shader of this stage must be the only entry point of its module")]
    SeveralEntryPoints,
    /// An execution model that the module's SPIR-V version does not have.
    #[error("ray tracing stages require SPIR-V 1.4")]
    SpirvVersion,
    /// An instruction that the stage does not have.
    #[error("the stage does not have this instruction")]
    StageInstruction,
    /// A barrier for the group, or in its memory, in a stage without groups.
    #[error("the stage has no groups, which are the scope of the barrier")]
    StageScope,
    /// `OpSetMeshOutputsEXT` with a constant that is more than the shader declares.
    #[error("more vertices or primitives than the mesh shader declares")]
    MeshCount,
    /// A variable of a storage class that the stage does not have.
    #[error("the stage does not have variable %{id} of storage class {}", class_name(*class))]
    StageVariable {
        /// The variable.
        id: u32,
        /// The storage class.
        class: u32,
    },
    /// A second variable of a storage class of which there is one at most.
    #[error("variable %{id} is the second of storage class {}", class_name(*class))]
    SecondVariable {
        /// The variable.
        id: u32,
        /// The storage class.
        class: u32,
    },
    /// A built-in that the stage does not have.
    #[error("the stage does not have built-in {}", built_in_name(*built_in))]
    StageBuiltIn {
        /// The built-in.
        built_in: u32,
    },
    /// A write of hit attributes outside of an intersection shader.
    #[error("hit attributes are written outside of an intersection shader")]
    HitAttributeWrite,
    /// More payloads than the stage can have.
    #[error("{count} payloads in a shader of execution model {}", model_name(*model))]
    Payloads {
        /// The number of payloads.
        count: usize,
        /// The execution model.
        model: u32,
    },
    /// A mesh shader writes its payload.
    #[error("a mesh shader writes its payload")]
    PayloadWrite,
    /// An execution mode is missing, or its number is 0.
    #[error("execution mode {} is required", mode_name(*mode))]
    MissingMode {
        /// The mode.
        mode: u32,
    },
    /// Not exactly one execution mode of a set.
    #[error(
        "{} of the execution modes {}, of which one is required",
        if *found == 0 { "none" } else { "several" },
        mode_names(one_of)
    )]
    ModeCount {
        /// The number of modes of the set.
        found: usize,
        /// The set.
        one_of: Vec<u32>,
    },
    /// A task shader without `OpEmitMeshTasksEXT`.
    #[error("a task shader without OpEmitMeshTasksEXT")]
    NoMeshTasks,
    /// A rule for an input or output.
    #[error("{variable}: {rule}")]
    Variable {
        /// The input or output.
        variable: InterfaceVariable,
        /// The rule.
        rule: VariableRule,
    },
    /// Two variables share a component of a location.
    #[error("%{first} and %{second} share component {component} of location {location}")]
    SharedLocation {
        /// One variable.
        first: u32,
        /// The other.
        second: u32,
        /// The location.
        location: u32,
        /// The component.
        component: u32,
    },
    /// Several streams of a geometry shader whose output is not points.
    #[error("several streams of primitives that are not points")]
    StreamTopology,

    // Payloads of nodes.
    /// A rule about payloads of nodes.
    #[error("payloads of nodes: {rule}")]
    Payload {
        /// The rule.
        rule: PayloadRule,
    },
}

impl VerifyRule {
    /// A missing capability.
    pub(crate) fn capability(any_of: &[Capability]) -> Self {
        Self::MissingCapability {
            any_of: any_of.iter().map(|&capability| capability as u32).collect(),
        }
    }

    /// A missing execution mode.
    pub(crate) fn missing_mode(mode: ExecutionMode) -> Self {
        Self::MissingMode { mode: mode as u32 }
    }

    /// Not exactly one execution mode of a set.
    pub(crate) fn mode_count(found: usize, one_of: &[ExecutionMode]) -> Self {
        Self::ModeCount {
            found,
            one_of: one_of.iter().map(|&mode| mode as u32).collect(),
        }
    }
}

/// Returns the name of an opcode.
fn opcode_name(opcode: u32) -> String {
    Op::from_u32(opcode).map_or_else(|| format!("opcode {opcode}"), |op| format!("Op{op:?}"))
}

fn class_name(class: u32) -> String {
    name(StorageClass::from_u32(class), class)
}

fn built_in_name(built_in: u32) -> String {
    name(BuiltIn::from_u32(built_in), built_in)
}

fn model_name(model: u32) -> String {
    name(ExecutionModel::from_u32(model), model)
}

fn mode_name(mode: u32) -> String {
    name(ExecutionMode::from_u32(mode), mode)
}

fn mode_names(modes: &[u32]) -> String {
    let names: Vec<String> = modes.iter().map(|&mode| mode_name(mode)).collect();
    names.join(", ")
}

fn capability_names(capabilities: &[u32]) -> String {
    let names = capabilities
        .iter()
        .map(|&capability| name(Capability::from_u32(capability), capability));
    names.collect::<Vec<_>>().join(" or ")
}
