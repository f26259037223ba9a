//! The rules of the verifier.

use rspirv::spirv::{
    BuiltIn, Capability, ExecutionMode, ExecutionModel, NonsemanticShaderDebuginfo100Op, Op,
    StorageClass,
};
use trellis_dxil_frontend::described;
use trellis_structurizer::verify::CfgError;

use super::name;
use super::payload::PayloadRule;
use super::variable::{InterfaceVariable, VariableRule};

described! {
    /// A section of a module, in the specification's order (SPIR-V 1.6, section 2.4).
    #[derive(Copy, PartialOrd, Ord, Hash)]
    ModuleSection {
        /// `OpCapability`.
        Capabilities => "capabilities";
        /// `OpExtension`.
        Extensions => "extensions";
        /// `OpExtInstImport`.
        Imports => "imports";
        /// `OpMemoryModel`.
        MemoryModel => "memory model";
        /// `OpEntryPoint`.
        EntryPoints => "entry points";
        /// `OpExecutionMode` and `OpExecutionModeId`.
        ExecutionModes => "execution modes";
        /// `OpString`.
        Strings => "strings";
        /// `OpName` and `OpMemberName`.
        Names => "names";
        /// Decorations.
        Annotations => "annotations";
        /// Types, constants and variables.
        Declarations => "declarations";
    }

    /// A rule that a module breaks.
    VerifyRule {
        // Words and ids.
        Header => "the words do not start with the header of a module";
        IdBound { bound: u32, words: usize } => "id bound {bound} in a module of {words} words";
        Truncated { word: u32 } =>
            "the module ends at word {word}, within an instruction or a function";
        WordCount { opcode: u32, count: u32, word: u32 } =>
            "{} at word {word} has {count} words, which is not valid for the opcode",
            opcode_name(*opcode);
        InstructionLength { opcode: u32 } => "{} is longer than 65535 words", opcode_name(*opcode);
        StringNul { opcode: u32, text: String } =>
            "the string {text:?} of {} contains a NUL", opcode_name(*opcode);
        IdNotBelowBound { id: u32 } => "id %{id} is not below the id bound";
        DefinedTwice { id: u32 } => "id %{id} is defined twice";
        Undefined { id: u32 } => "id %{id} is not defined";
        NotDefinedBefore { id: u32 } => "id %{id} is not defined before its use";
        MissingOperand {
            /// The operand, from 0, after result type and result.
            operand: usize,
        } => "operand {operand} is missing";

        // The module level.
        SectionOrder { previous: ModuleSection } =>
            "the instruction is after the section of {previous}";
        NotAtModuleLevel => "the instruction is not allowed at module level";
        MissingCapability { any_of: Vec<u32> } =>
            "capability {} is required", capability_names(any_of);
        AddressingModel =>
            "the addressing model must be Logical, or PhysicalStorageBuffer64 for device addresses";
        Width { width: u32 } => "a number cannot have {width} bits";
        VectorType => "a vector must have 2 to 4 scalars";
        MatrixType => "a matrix must have 2 to 4 columns of floats";
        SampledImageType => "the type of a sampled image must have an image type as its operand";
        PointerType => "a pointer type must have a type as its operand";
        MemberType { member: u32 } => "struct member %{member} is not a data type";
        LiteralWidth => "the literal does not have the width of the constant's type";
        NotBool => "the type of a boolean constant must be OpTypeBool";
        VariableClass => "the storage classes of a variable and its pointer type differ";
        NotADataType => "the type of the value is not a data type";
        ConstituentType {
            /// The constituent, from 0.
            index: usize,
        } => "constituent {index} does not have the type of its part";
        ConstituentCount { expected: u32 } => "{expected} constituents are required";
        NoEntryPoint => "the module has no entry point";
        NotAFunction { id: u32 } => "%{id} is not a function";
        NotAVariable { id: u32 } => "%{id} is not a variable";
        ListedTwice { id: u32 } => "variable %{id} is listed twice";
        DecoratedTwice { id: u32 } => "%{id} or a member of it has a decoration twice";
        NotListed { id: u32 } => "variable %{id} is not listed";

        // Functions.
        BetweenFunctions => "the instruction is between functions";
        OutsideBlock => "the instruction is after a terminator and not in a block";
        NoTerminator {
            /// The label; 0 for an empty block.
            label: u32,
        } => "block %{label} has no terminator";
        AfterMerge => "the instruction is between a merge instruction and the terminator";
        FunctionType => "the type of the function is not a function type";
        Signature => "the function's parameters or result differ from its type";
        ParameterType => "the parameter's type differs from the function's type";
        NotALabel { id: u32 } => "%{id} is not a label of the function";
        ControlFlow {
            /// The rule, with blocks by their number in the function.
            error: CfgError,
        } => "structured control flow: {error}";
        NotDominated { id: u32 } => "the definition of %{id} does not dominate this use";
        PhiOrder => "a phi is after another instruction of its block";
        DebugInfoInstruction { number: u32 } => "instruction {number} of debug information";
        DebugInfoPlace => "an instruction of debug information at a wrong place";
        DebugInfoOperand { op: NonsemanticShaderDebuginfo100Op, operand: usize } =>
            "operand {operand} of {op:?} is not of its kind";
        DebugInfoLine { line: u32, column: u32 } =>
            "line {line}, column {column} of debug information is not in its source";
        PhiCount { found: usize, expected: usize } =>
            "a phi of {found} values in a block of {expected} predecessors";
        PhiPredecessor { label: u32 } => "%{label} is not a predecessor, or is listed twice";
        PhiType { value: u32 } => "%{value} does not have the phi's type";
        PhiNotDominated { value: u32, label: u32 } =>
            "the definition of %{value} does not dominate the end of block %{label}";
        ResultType => "the result type is not a type";
        /// The alignment is missing, not a power of two, or below the size of a scalar.
        Alignment =>
            "an access through a device address must have an alignment of its scalars at least";
        OperandTypes => "the operand types are not valid for the instruction";

        // Stages.
        SeveralEntryPoints => "a shader of this stage must be the only entry point of its module";
        SpirvVersion => "ray tracing stages require SPIR-V 1.4";
        StageInstruction => "the stage does not have this instruction";
        StageScope => "the stage has no groups, which are the scope of the barrier";
        MeshCount => "more vertices or primitives than the mesh shader declares";
        StageVariable { id: u32, class: u32 } =>
            "the stage does not have variable %{id} of storage class {}", class_name(*class);
        SecondVariable { id: u32, class: u32 } =>
            "variable %{id} is the second of storage class {}", class_name(*class);
        StageBuiltIn { built_in: u32 } =>
            "the stage does not have built-in {}", built_in_name(*built_in);
        HitAttributeWrite => "hit attributes are written outside of an intersection shader";
        Payloads { count: usize, model: u32 } =>
            "{count} payloads in a shader of execution model {}", model_name(*model);
        PayloadWrite => "a mesh shader writes its payload";
        MissingMode { mode: u32 } => "execution mode {} is required", mode_name(*mode);
        ModeCount {
            /// The number of modes of the set.
            found: usize,
            /// The set.
            one_of: Vec<u32>,
        } =>
            "{} of the execution modes {}, of which one is \
             required", if *found == 0 { "none" } else { "several" }, mode_names(one_of);
        NoMeshTasks => "a task shader without OpEmitMeshTasksEXT";
        Variable { variable: InterfaceVariable, rule: VariableRule } => "{variable}: {rule}";
        SharedLocation { first: u32, second: u32, location: u32, component: u32 } =>
            "%{first} and %{second} share component {component} of location {location}";
        StreamTopology => "several streams of primitives that are not points";

        // Payloads of nodes.
        Payload { rule: PayloadRule } => "payloads of nodes: {rule}";
    }
}

impl VerifyRule {
    /// Returns whether the rule is of blocks, phis or ids: those hold for all modules, while the rules of
    /// types and stages are for our own output.
    pub fn is_of_graph(&self) -> bool {
        matches!(
            self,
            Self::ControlFlow { .. }
                | Self::NotDominated { .. }
                | Self::DefinedTwice { .. }
                | Self::Undefined { .. }
                | Self::NotDefinedBefore { .. }
                | Self::IdNotBelowBound { .. }
                | Self::OutsideBlock
                | Self::NoTerminator { .. }
                | Self::AfterMerge
                | Self::NotALabel { .. }
                | Self::PhiOrder
                | Self::PhiCount { .. }
                | Self::PhiPredecessor { .. }
                | Self::PhiType { .. }
                | Self::PhiNotDominated { .. }
        )
    }

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
