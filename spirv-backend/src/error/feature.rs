//! What DXIL permits and this version does not translate, as types that a caller can match.

use std::fmt;

use trellis_dxil_frontend::described;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::module::{InstKind, ValueId};
use trellis_dxil_frontend::shader::{ComponentType, ResourceKind, SemanticKind, ShaderKind};

use super::{Untranslated, untranslated};
use crate::target::Target;

/// A feature of DXIL that this version does not translate. [`Display`](fmt::Display) describes it;
/// [`Feature::name`] is stable and fits reports.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Feature {
    /// A `dx.op` operation that has no translation.
    Operation(Op),
    /// An operation that has no translation in a stage.
    OperationInStage {
        /// The operation.
        op: Op,
        /// The stage.
        stage: ShaderKind,
    },
    /// An operation that has no translation for its operands.
    OperationOn {
        /// The operation.
        op: Op,
        /// The operands, such as "a vector".
        operand: String,
    },
    /// A sample or load whose offset is computed.
    ComputedOffset {
        /// The operation.
        op: Op,
        /// True if the option [`dynamic_offsets`](crate::options::Extensions::dynamic_offsets)
        /// translates it.
        by_option: bool,
    },
    /// An LLVM instruction, on some operands only if there are any.
    Instruction {
        /// Its name.
        name: String,
        /// The operands, such as "a constant".
        operand: Option<String>,
    },
    /// A function that DXIL does not define.
    Call {
        /// Its name.
        function: String,
    },
    /// A shader stage.
    Stage(ShaderKind),
    /// A shader stage that needs a later target environment.
    StageTarget {
        /// The stage.
        stage: ShaderKind,
        /// The first SPIR-V version that has it.
        spirv: (u8, u8),
        /// The first target environment of that version.
        minimum: Target,
    },
    /// A type in a position where only numbers and short vectors are translated.
    Type {
        /// The type, in LLVM's notation.
        ty: String,
        /// Where it is used.
        position: TypePosition,
    },
    /// A vector whose length SPIR-V does not have.
    Vector {
        /// Number of components.
        components: u32,
    },
    /// A system value at a boundary of a stage.
    Semantic {
        /// The element's name.
        name: String,
        /// The system value.
        semantic: SemanticKind,
        /// The boundary, such as "the vertex shader's inputs".
        boundary: String,
    },
    /// A signature element of a component type that Vulkan's interfaces do not have.
    SignatureType {
        /// The element's name.
        name: String,
        /// Its component type.
        component: ComponentType,
    },
    /// A kind of resource.
    Resource(ResourceKind),
    /// A component type in a texture or typed buffer.
    TexelType(ComponentType),
    /// A component type in a writable texture or typed buffer that is read where a format is required.
    ReadFormat(ComponentType),
    /// An atomic operation of other than 32 bits on a raw or structured buffer that is a texel buffer.
    TexelBufferAtomics {
        /// Bits of the operation.
        bits: u32,
    },
    /// An intrinsic of a vendor that has no translation.
    VendorIntrinsic {
        /// The library that encodes it.
        library: &'static str,
        /// The intrinsic, or what is wrong with it.
        operation: String,
        /// The SPIR-V extension that it would take, if there is one.
        needs: Option<&'static str>,
    },
    /// Something about pointers.
    Pointer(PointerFeature),
    /// Something about resource handles.
    Handle(HandleFeature),
    /// Something about values of aggregate types.
    Aggregate(AggregateFeature),
    /// Something about memory: local, groupshared, constant tables, payloads.
    Memory(MemoryFeature),
    /// Something about constants.
    Constant(ConstantFeature),
    /// Something about a stage's properties, inputs and outputs.
    Interface(InterfaceFeature),
    /// Something that is translated, but not at this size.
    TooLarge(Limit),
    /// Validation by spirv-val of samples with computed offsets.
    ValidateComputedOffsets,
    /// Validation by spirv-val of `OpIsNodePayloadValidAMDX`.
    ValidatePayloadType,
    /// Validation by spirv-val of a module with an extension that the built-in SPIRV-Tools is too
    /// old for.
    ValidateExtension {
        /// Name of the extension.
        extension: &'static str,
    },
}

described! {
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
        PatchInput { points: u32 } => "a geometry shader with patches of {points} control points as input: Vulkan has no primitive of as many vertices";
        NoVertices => "a geometry shader that emits no vertices";
        DualSource => "dual-source blending with an array of targets";
        ViewInstancing => "view instancing of a shader that writes the layer, without a uniform block of offsets";
        Swizzles => "an array of render targets with different output swizzles";
        DispatchMeshResult => "DispatchMesh in a function with a result";
        NodeRootConstants => "a node with root constants or root descriptors as push constants, which a node has of its own (the option `root_uniform_block` puts them elsewhere)";
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

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(op) => {
                write!(f, "operation {}", op.name())?;
                match untranslated(*op) {
                    Some(Untranslated {
                        extension: Some(extension),
                        reason,
                    }) => write!(f, ", which needs {extension} ({reason})"),
                    Some(Untranslated { reason, .. }) => write!(f, " ({reason})"),
                    None => Ok(()),
                }
            }
            Self::OperationInStage { op, stage } => {
                write!(f, "{} in a {} shader", op.name(), stage.name())
            }
            Self::OperationOn { op, operand } => write!(f, "{} of {operand}", op.name()),
            Self::ComputedOffset { op, by_option } => {
                write!(f, "{} with an offset that is not a constant", op.name())?;
                if *by_option {
                    f.write_str(
                        " (the option `dynamic_offsets`, `--dynamic-offsets`, allows it for devices with VK_KHR_maintenance8)",
                    )?;
                }
                Ok(())
            }
            Self::VendorIntrinsic {
                library,
                operation,
                needs,
            } => {
                write!(f, "intrinsics of {library}: {operation}")?;
                needs.map_or(Ok(()), |needs| write!(f, ", which would need {needs}"))
            }
            Self::Instruction { name, operand } => {
                write!(f, "LLVM instruction `{name}`")?;
                operand
                    .as_ref()
                    .map_or(Ok(()), |operand| write!(f, " of {operand}"))
            }
            Self::Call { function } => write!(f, "a call of function `{function}`, which the module does not define"),
            Self::Stage(stage) => write!(f, "{} shaders", stage.name()),
            Self::StageTarget {
                stage,
                spirv: (major, minor),
                minimum,
            } => write!(
                f,
                "{} shaders before SPIR-V {major}.{minor}: choose target {} or later",
                stage.name(),
                minimum.name()
            ),
            Self::Type { ty, position } => write!(f, "type {ty} {position}"),
            Self::Vector { components } => write!(f, "a vector of {components} components"),
            Self::Semantic {
                name,
                semantic,
                boundary,
            } => write!(f, "semantic {name} ({semantic:?}) in {boundary}"),
            Self::SignatureType { name, component } => {
                write!(f, "signature element {name} of component type {component:?}")
            }
            Self::Resource(kind) => write!(f, "resources of kind {kind:?}"),
            Self::TexelBufferAtomics { bits } => write!(
                f,
                "an atomic operation of {bits} bits on a raw or structured buffer that is a texel \
                 buffer"
            ),
            Self::ReadFormat(component) => write!(
                f,
                "reading a writable texture or typed buffer of {component:?} on a device that reads no other than those of one 32-bit number"
            ),
            Self::TexelType(component) => {
                write!(f, "a texture or typed buffer of component type {component:?}")
            }
            Self::Pointer(feature) => feature.fmt(f),
            Self::Handle(feature) => feature.fmt(f),
            Self::Aggregate(feature) => feature.fmt(f),
            Self::Memory(feature) => feature.fmt(f),
            Self::Constant(feature) => feature.fmt(f),
            Self::Interface(feature) => feature.fmt(f),
            Self::TooLarge(limit) => limit.fmt(f),
            Self::ValidatePayloadType => f.write_str(
                "spirv-val for OpIsNodePayloadValidAMDX (it rejects the operand, which is a type): leave the option `validate` out",
            ),
            Self::ValidateComputedOffsets => f.write_str(
                "spirv-val for samples with computed offsets (the built-in validator has no --allow-offset-texture-operand): leave the option `validate` out",
            ),
            Self::ValidateExtension { extension } => write!(
                f,
                "spirv-val for {extension} (the built-in validator does not know it): leave the option `validate` out",
            ),
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
