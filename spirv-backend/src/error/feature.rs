//! Features of DXIL that this version does not translate, as types that a caller can match.

use trellis_dxil_frontend::described;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{InstKind, ValueId};
use trellis_dxil_frontend::shader::{ComponentType, ResourceKind, SemanticKind, ShaderKind};

use super::{Untranslated, untranslated};
use crate::target::Target;

/// Returns why an operation has no translation, to follow its name.
fn reason(op: Op) -> String {
    match untranslated(op) {
        Some(Untranslated {
            extension: Some(extension),
            reason,
        }) => format!(", which needs {extension} ({reason})"),
        Some(Untranslated { reason, .. }) => format!(" ({reason})"),
        None => String::new(),
    }
}

/// Returns `before` and a text, or nothing without a text.
fn more(before: &str, text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!("{before}{text}"))
}

/// The option that translates computed offsets.
const OFFSETS_OPTION: &str = "(the option `dynamic_offsets`, `--dynamic-offsets`, allows it for \
                              devices with VK_KHR_maintenance8)";

described! {
    /// A feature of DXIL that this version does not translate. [`Display`](std::fmt::Display)
    /// describes it; [`Feature::name`] is stable and fits reports.
    Feature {
        Operation(op: Op) => "operation {}{}", op.name(), reason(*op);
        OperationInStage { op: Op, stage: ShaderKind } =>
            "{} in a {} shader", op.name(), stage.name();
        OperationOn { op: Op, operand: String } => "{} of {operand}", op.name();
        /// A sample or load whose offset is computed.
        ComputedOffset {
            /// The operation.
            op: Op,
            /// True if the option [`dynamic_offsets`](crate::options::Extensions::dynamic_offsets)
            /// translates it.
            by_option: bool,
        } =>
            "{} with an offset that is not a constant{}",
            op.name(),
            more(" ", by_option.then_some(OFFSETS_OPTION));
        Instruction { name: String, operand: Option<String> } =>
            "LLVM instruction `{name}`{}", more(" of ", operand.as_deref());
        Call { function: String } =>
            "a call of function `{function}`, which the module does not define: `trellis link` adds the library that does";
        Stage(stage: ShaderKind) => "{} shaders", stage.name();
        /// A shader stage that needs a later target environment.
        StageTarget {
            /// The stage.
            stage: ShaderKind,
            /// The first SPIR-V version that has it.
            spirv: (u8, u8),
            /// The first target environment of that version.
            minimum: Target,
        } =>
            "{} shaders before SPIR-V {}.{}: choose target {} or later",
            stage.name(),
            spirv.0,
            spirv.1,
            minimum.name();
        /// A type, in LLVM's notation, where only numbers and short vectors are translated.
        Type { ty: String, position: TypePosition } => "type {ty} {position}";
        Vector { components: u32 } => "a vector of {components} components";
        /// A system value at a boundary, such as "the vertex shader's inputs".
        Semantic { name: String, semantic: SemanticKind, boundary: String } =>
            "semantic {name} ({semantic:?}) in {boundary}";
        SignatureType { name: String, component: ComponentType } =>
            "signature element {name} of component type {component:?}";
        Resource(kind: ResourceKind) => "resources of kind {kind:?}";
        TexelType(component: ComponentType) =>
            "a texture or typed buffer of component type {component:?}";
        ReadFormat(component: ComponentType) =>
            "reading a writable texture or typed buffer of {component:?} on a device that reads only \
             formats with one 32-bit component";
        TexelBufferAtomics { bits: u32 } =>
            "an atomic operation of {bits} bits on a raw or structured buffer that is a texel \
             buffer";
        /// An intrinsic of a vendor, and the SPIR-V extension that it would take, if there is one.
        VendorIntrinsic {
            library: &'static str,
            operation: String,
            needs: Option<&'static str>,
        } =>
            "intrinsics of {library}: {operation}{}", more(", which would need ", *needs);
        /// Something about pointers.
        Pointer(part: PointerFeature) => "{part}";
        /// Something about resource handles.
        Handle(part: HandleFeature) => "{part}";
        /// Something about values of aggregate types.
        Aggregate(part: AggregateFeature) => "{part}";
        /// Something about memory: local, groupshared, constant tables, payloads.
        Memory(part: MemoryFeature) => "{part}";
        /// Something about constants.
        Constant(part: ConstantFeature) => "{part}";
        /// Something about a stage's properties, inputs and outputs.
        Interface(part: InterfaceFeature) => "{part}";
        /// Something that is translated, but not at this size.
        TooLarge(limit: Limit) => "{limit}";
        ValidateComputedOffsets =>
            "spirv-val for samples with computed offsets (the built-in validator has no \
             --allow-offset-texture-operand): leave the option `validate` out";
        ValidatePayloadType =>
            "spirv-val for OpIsNodePayloadValidAMDX (it rejects the operand, which is a type): \
             leave the option `validate` out";
        ValidateExtension { extension: &'static str } =>
            "spirv-val for {extension} (the built-in validator does not know it): leave the option \
             `validate` out";
    }

    /// Where a [`Feature::Type`] is used.
    TypePosition {
        Parameter { function: String } => "as a parameter of function `{function}`";
        Argument { function: String } => "as an argument of function `{function}`";
        Phi => "as a phi";
        ControlFlow => "that control flow selects";
        Constant => "as a constant operand";
        Result => "as the result of an instruction";
        Memory => "in memory";
        Variable { name: String } => "as the external variable `{name}`";
    }

    /// Forms of [`Feature::Pointer`].
    PointerFeature {
        Selected => "a pointer that is selected at run time";
        SelectedWidth { bytes: u64 } =>
            "a pointer, selected at run time, to numbers of {bytes} bytes";
        SelectedUse { value: ValueId } => "a use of pointer {value}, which is selected at run time, other than loads, stores and atomic operations";
        ControlFlow => "an address that control flow selects";
        SelectedRecords => "records of an output that control flow selects, with the option `shader_enqueue`: SPIR-V has no such pointers";
        NullOrUndef => "an access through a null or undefined pointer";
        UnknownOrigin => "a pointer from an instruction other than alloca, getelementptr, bitcast, phi and select";
        NotAVariable => "a pointer to something other than a variable of the shader";
        NoAddress => "a pointer to a variable without an address";
        BetweenScalars => "an address that is not a multiple of the size of its variable's scalars";
        IndirectCall => "a call through a pointer";
    }

    /// Forms of [`Feature::Handle`].
    HandleFeature {
        Selected { value: ValueId } => "handle {value}, which is selected at run time";
        SelectedOrigin { value: ValueId } => "a selection of handles at run time, one of which ({value}) does not come from an operation that creates handles";
        SelectedResource { first: String, second: String } =>
            "a selection at run time between different resources: {first} and {second}";
        SelectedType => "a selection at run time between views of different types of one resource";
        NotLoaded => "a handle of an object that is not loaded from a resource's variable";
        NoObject => "a handle of an object that does not exist";
        UnknownSelection => "a selection by an instruction other than phi and select";
    }

    /// Forms of [`Feature::Aggregate`].
    AggregateFeature {
        Parameter => "a parameter of an aggregate type";
        Operand => "an operand of an aggregate type";
        NestedResult => "an operation whose result is a nested aggregate";
        NoParts => "a value of an aggregate type that is too large or has no parts";
        UnknownValue { value: ValueId } => "a part of value {value}, which does not exist";
        ShuffleOperand => "a shuffle of operands that are not vectors";
        ShuffleMask => "a shuffle whose mask is not a constant vector of valid components";
        VectorOperation { op: Op } =>
            "operation {op} on a vector of a length that SPIR-V does not have";
        VectorConversion => "a conversion between vectors of different lengths";
    }

    /// Forms of [`Feature::Memory`].
    MemoryFeature {
        Layout => "memory of a type other than numbers, vectors, arrays and structs";
        Int8 => "memory of 8-bit integers";
        AccessWidth { access: String, memory: String } =>
            "an access of type {access} to memory of type {memory}";
        AtomicWidth { access: String, memory: String } =>
            "an atomic operation of type {access} on memory of type {memory}";
        RecordAtomic => "an atomic operation on a record, which SPV_AMDX_shader_enqueue does not have (without the option `shader_enqueue` it is translated)";
        RecordGrid => "a computed index in `SV_DispatchGrid` of a record, with the option `shader_enqueue`";
        AtomicClass => "an atomic operation on memory that is not groupshared";
        AllocaSize => "an alloca whose size is not a constant";
        External { name: String } => "the memory of external variable `{name}`";
        PayloadTypes => "payloads of several types";
        PartialPayload => "a payload that is part of a variable";
        HitAttributes => "ReportHit with hit attributes of several layouts in one shader";
        NarrowRayData => "ray data that is part of a variable with narrower numbers";
        BufferElement { ty: String } => "numbers of type {ty} in a buffer";
        TexelConversion { element: String, operation: String } =>
            "elements of type {element} in an operation on {operation}";
    }

    /// Forms of [`Feature::Constant`].
    ConstantFeature {
        VectorExpression => "a constant expression of vectors";
        Expression => "a constant expression that is not of numbers";
        AggregateExpression => "a constant expression of an aggregate type";
        IntegerExpression { width: u32 } => "a constant expression of type i{width}";
        Initializer => "an initializer that is not made of numbers";
        MixedInitializer => "an initializer of several types";
    }

    /// Forms of [`Feature::Interface`].
    InterfaceFeature {
        EntryName { name: String } => "entry point name {name:?}, which contains a NUL";
        PatchInput { points: u32 } => "a geometry shader with patches of {points} control points as input: Vulkan has no primitive with this number of vertices";
        NoVertices => "a geometry shader that emits no vertices";
        DualSource => "dual-source blending with an array of targets";
        ViewInstancing => "view instancing of a shader that writes the layer, without a uniform block of offsets";
        Swizzles => "an array of render targets with different output swizzles";
        DispatchMeshResult => "DispatchMesh in a function with a result";
        NodeRootConstants => "a node with root constants or root descriptors as push constants, which each node has separately (the option `root_uniform_block` puts them elsewhere)";
        NodeLocalRootArguments => "local root arguments of a node, with the option `shader_enqueue`: SPV_AMDX_shader_enqueue has no shader record (a binding model may put the resources elsewhere)";
        AccessStatus => "CheckAccessFullyMapped of a status that is computed, or that comes from a texture on one path and from a raw buffer on another";
        ForeignRayQuery { op: &'static str, value: ValueId } =>
            "{op} on ray query {value}, which the function does not allocate";
    }

    /// Forms of [`Feature::TooLarge`].
    Limit {
        AggregateParts => "values of aggregate types with more than 262144 parts in total";
        HitObjects => "too many hit objects in large functions";
        PhiParts => "phis of aggregate types with more than 262144 parts in total";
        AccessParts => "loads and stores of aggregate types with more than 262144 parts in total";
        OneAccessParts => "a load or store of an aggregate of more than 1024 parts";
        AggregateUses => "too many uses of large values of aggregate types";
        ConstantNesting => "a constant that is nested too deeply";
        Initializer => "an initializer of more than 262144 numbers";
        Alloca => "an alloca of more than 2^64 bytes";
        Variable { bytes: u64 } => "a variable of {bytes} bytes";
        RayDataCopy { most: u32 } =>
            "ray data of more than {most} numbers that is part of a variable";
        AddressSteps => "an address that is computed in too many steps";
        PointerVariables => "a pointer to one of more than 64 variables";
        PointerAccesses => "too many accesses through pointers to several variables";
        ControlFlow => "a function whose structured control flow has too many blocks or phis";
        Inlining => "calls of functions with pointers, handles or structs as parameters, which would make the shader too long when inlined";
    }
}

/// Declares [`Feature::name`] and [`Feature::NAMES`] from one table.
macro_rules! names {
    ($( $name:literal: $($pattern:pat_param)|+, )+) => {
        /// The names of all kinds of features.
        pub const NAMES: &'static [&'static str] = &[$($name),+];

        /// Returns a stable name of the kind of feature, for reports and statistics.
        pub fn name(&self) -> &'static str {
            match self {
                $( $($pattern)|+ => $name, )+
            }
        }
    };
}

impl Feature {
    names! {
        "operation": Self::Operation(_) | Self::OperationInStage { .. } | Self::OperationOn { .. }
            | Self::ComputedOffset { .. } | Self::VendorIntrinsic { .. },
        "instruction": Self::Instruction { .. },
        "call": Self::Call { .. },
        "stage": Self::Stage(_),
        "target": Self::StageTarget { .. },
        "type": Self::Type { .. } | Self::Vector { .. },
        "signature": Self::Semantic { .. } | Self::SignatureType { .. },
        "resource": Self::Resource(_) | Self::TexelType(_) | Self::ReadFormat(_)
            | Self::TexelBufferAtomics { .. },
        "pointer": Self::Pointer(_),
        "handle": Self::Handle(_),
        "aggregate": Self::Aggregate(_),
        "memory": Self::Memory(_),
        "constant": Self::Constant(_),
        "interface": Self::Interface(_),
        "too-large": Self::TooLarge(_),
        "validation": Self::ValidateComputedOffsets | Self::ValidatePayloadType
            | Self::ValidateExtension { .. },
    }

    /// Returns the operation, if the feature is about one.
    pub fn operation(&self) -> Option<Op> {
        match *self {
            Self::Operation(op)
            | Self::OperationInStage { op, .. }
            | Self::OperationOn { op, .. }
            | Self::ComputedOffset { op, .. } => Some(op),
            _ => None,
        }
    }

    /// Returns the SPIR-V extension that a translation would need, if one is known.
    pub fn extension(&self) -> Option<&'static str> {
        match *self {
            Self::Operation(op) => untranslated(op)?.extension,
            _ => None,
        }
    }

    /// Creates the feature of an operation on operands for which it has no translation.
    pub(crate) fn on(op: Op, operand: impl Into<String>) -> Self {
        Self::OperationOn {
            op,
            operand: operand.into(),
        }
    }

    /// Creates the feature of a type in a position where it has no translation.
    pub(crate) fn ty(ty: impl Into<String>, position: TypePosition) -> Self {
        Self::Type {
            ty: ty.into(),
            position,
        }
    }

    /// An LLVM instruction.
    pub(crate) fn instruction(name: impl Into<String>) -> Self {
        Self::Instruction {
            name: name.into(),
            operand: None,
        }
    }

    /// Creates the feature of an LLVM instruction that has no translation where it is.
    pub(crate) fn instruction_kind(kind: &InstKind) -> Self {
        let text = format!("{kind:?}");
        let name = text.split(|c: char| !c.is_ascii_alphanumeric()).next();
        Self::instruction(name.unwrap_or_default().to_ascii_lowercase())
    }

    /// Creates the feature of an LLVM instruction on some operands.
    pub(crate) fn instruction_on(name: impl Into<String>, operand: impl Into<String>) -> Self {
        Self::Instruction {
            name: name.into(),
            operand: Some(operand.into()),
        }
    }
}

/// Makes a [`Feature`] of each of its parts.
macro_rules! from_part {
    ($($part:ty => $variant:ident,)+) => {$(
        impl From<$part> for Feature {
            fn from(part: $part) -> Self {
                Self::$variant(part)
            }
        }
    )+};
}

from_part! {
    Op => Operation,
    PointerFeature => Pointer,
    HandleFeature => Handle,
    AggregateFeature => Aggregate,
    MemoryFeature => Memory,
    ConstantFeature => Constant,
    InterfaceFeature => Interface,
    Limit => TooLarge,
}
