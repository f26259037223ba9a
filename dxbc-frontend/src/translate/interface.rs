//! Signatures and properties of the entry point.
//!
//! A record of a signature part is one row of a semantic in one register, and becomes an element;
//! tessellation factors become one element with several rows. Registers that are indexed together
//! (`dcl_indexrange`) stay apart, as the stage at the other side may not index them, and Vulkan
//! requires variables of the same types on both sides.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::container::{Container, PartSignatureElement};
use trellis_dxil_frontend::module::FunctionId;
use trellis_dxil_frontend::shader::{
    ComponentType, DomainProperties, EntryPoint, GeometryProperties, HullProperties,
    InputPrimitive, InterpolationMode, PrimitiveTopology, Properties, Resource, SemanticKind,
    Shader, ShaderKind, SignatureElement, Signatures, TessellatorDomain,
    TessellatorOutputPrimitive, TessellatorPartitioning, Version,
};

use crate::error::{Error, ProgramErrorKind};
use crate::tokens::{Declaration, GlobalFlags, ItemKind, Op, Operand, Program, RegisterFile};

/// Registers of a signature.
const REGISTERS: u32 = 32;

/// A signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Inputs, also of control points.
    Input,
    /// Outputs, also of control points.
    Output,
    /// Patch constants.
    PatchConstant,
}

/// Signatures and properties.
pub(super) struct Interface {
    kind: ShaderKind,
    model: Version,
    signatures: Signatures,
    /// The rest.
    pub(super) properties: Properties,
    /// Number of the element of each (stream, register, component), by side.
    places: [FxHashMap<(u8, u32, u8), u32>; 3],
    /// [`Declared::joined`].
    joined: [[u8; REGISTERS as usize]; 3],
}

/// Declarations of registers.
#[derive(Default)]
struct Declared {
    /// By side and register, the components that are indexed together with the next register's.
    joined: [[u8; REGISTERS as usize]; 3],
    /// Interpolation of the inputs of a pixel shader by register and component.
    modes: FxHashMap<(i32, u8), InterpolationMode>,
}

impl Interface {
    /// Reads the signatures of a container and the declarations of its program.
    ///
    /// # Errors
    /// A signature is malformed.
    pub(super) fn read(container: &Container<'_>, program: &Program) -> Result<Self, Error> {
        let declared = declared(program);
        let mut interface = Self {
            kind: program.kind,
            model: Version {
                major: program.shader_model.0.into(),
                minor: program.shader_model.1.into(),
            },
            signatures: Signatures::default(),
            properties: properties(program),
            places: Default::default(),
            joined: declared.joined,
        };
        let parts = [
            (Side::Input, container.input_signature()?),
            (Side::Output, container.output_signature()?),
            (Side::PatchConstant, container.patch_constant_signature()?),
        ];
        for (side, records) in parts {
            let mut records = records.unwrap_or_default();
            if side == Side::PatchConstant
                && !matches!(program.kind, ShaderKind::Hull | ShaderKind::Domain)
            {
                records.clear();
            }
            let elements = elements(program.kind, side, &records);
            *interface.list_mut(side) = elements.map_err(|kind| kind.at(0, None))?;
        }
        for element in &mut interface.signatures.input {
            let columns = element.start_col.max(0)..4;
            let mode = columns.filter_map(|c| declared.modes.get(&(element.start_row, c as u8)));
            element.interpolation = mode.copied().next().unwrap_or(element.interpolation);
        }
        interface.note_places();
        Ok(interface)
    }

    fn list_mut(&mut self, side: Side) -> &mut Vec<SignatureElement> {
        match side {
            Side::Input => &mut self.signatures.input,
            Side::Output => &mut self.signatures.output,
            Side::PatchConstant => &mut self.signatures.patch_constant,
        }
    }

    /// Returns the elements of a signature.
    pub(super) fn list(&self, side: Side) -> &[SignatureElement] {
        match side {
            Side::Input => &self.signatures.input,
            Side::Output => &self.signatures.output,
            Side::PatchConstant => &self.signatures.patch_constant,
        }
    }

    fn note_places(&mut self) {
        for side in [Side::Input, Side::Output, Side::PatchConstant] {
            let mut places = FxHashMap::default();
            for element in self.list(side) {
                let (Ok(row), Ok(column)) = (
                    u32::try_from(element.start_row),
                    u8::try_from(element.start_col),
                ) else {
                    continue;
                };
                for register in row..row + element.rows {
                    for column in column..column + element.cols {
                        places.insert((element.stream, register, column), element.id);
                    }
                }
            }
            self.places[side as usize] = places;
        }
    }

    /// Returns the element that has a component of a register; `stream` is 0 except for outputs of
    /// geometry shaders.
    pub(super) fn element(
        &self,
        side: Side,
        stream: u8,
        register: u32,
        component: u8,
    ) -> Option<&SignatureElement> {
        let number = self.places[side as usize].get(&(stream, register, component))?;
        self.list(side).get(*number as usize)
    }

    /// Returns the registers that a dynamic index may select if it is added to a register's number.
    pub(super) fn range(&self, side: Side, register: u32, component: u8) -> Range<u32> {
        let joined = |r: u32| {
            let components = self.joined[side as usize].get(r as usize);
            components.is_some_and(|components| components >> component & 1 != 0)
        };
        let first = (0..register.min(REGISTERS)).rev();
        let before = first.take_while(|&r| joined(r)).count() as u32;
        let after = (register..REGISTERS).take_while(|&r| joined(r)).count() as u32;
        register - before..register.saturating_add(after).saturating_add(1)
    }

    /// Returns the element of a semantic, for values that are not in a register, such as the depth.
    pub(super) fn semantic(&self, side: Side, semantic: SemanticKind) -> Option<&SignatureElement> {
        self.list(side).iter().find(|e| e.semantic == semantic)
    }

    /// Returns the description of the shader. A hull shader that passes its control points through
    /// has no function.
    pub(super) fn finish(
        self,
        function: Option<FunctionId>,
        resources: Vec<Resource>,
        feature_flags: u64,
    ) -> Shader {
        let mut entry = EntryPoint::new(self.kind, "main".into(), FunctionId::from_u32(0));
        entry.function = function;
        entry.signatures = self.signatures;
        entry.properties = self.properties;
        let mut shader = Shader::new(self.kind, self.model);
        shader.dxil_version = Version { major: 1, minor: 0 };
        shader.entry_points.push(entry);
        shader.resources = resources;
        shader.feature_flags = feature_flags;
        shader
    }
}

/// Returns the declared ranges and interpolation modes.
fn declared(program: &Program) -> Declared {
    let mut declared = Declared::default();
    let mut outputs = Side::Output;
    for item in &program.items {
        match (item.op, &item.kind) {
            (Op::HsForkPhase | Op::HsJoinPhase, _) => outputs = Side::PatchConstant,
            (_, ItemKind::Declaration(Declaration::IndexRange { operand, count })) => {
                let operand = &program.operands[*operand];
                let side = match operand.file {
                    RegisterFile::Output => outputs,
                    RegisterFile::InputPatchConstant => Side::PatchConstant,
                    _ => Side::Input,
                };
                let joined = declared.joined[side as usize].iter_mut();
                let joined = joined.skip(register(operand) as usize);
                joined
                    .take(count.saturating_sub(1) as usize)
                    .for_each(|components| *components |= operand.mask());
            }
            (
                _,
                ItemKind::Declaration(Declaration::Input {
                    operand,
                    interpolation,
                    ..
                }),
            ) if program.kind == ShaderKind::Pixel => {
                let operand = &program.operands[*operand];
                // Both formats have the same numbers.
                let mode = InterpolationMode::from_code(*interpolation as u32);
                if let (RegisterFile::Input, Some(mode)) = (operand.file, mode) {
                    let columns = (0..4).filter(|c| operand.mask() >> c & 1 != 0);
                    let row = register(operand) as i32;
                    let modes = columns.map(|column| ((row, column), mode));
                    declared.modes.extend(modes);
                }
            }
            _ => {}
        }
    }
    declared
}

/// Returns the number of a register, after the vertex if it has one.
fn register(operand: &Operand) -> u32 {
    operand.indices().last().map_or(0, |index| index.base)
}

/// Returns the elements of a signature. Factors of one name in consecutive registers are one element.
fn elements(
    kind: ShaderKind,
    side: Side,
    records: &[PartSignatureElement<'_>],
) -> Result<Vec<SignatureElement>, ProgramErrorKind> {
    let mut elements: Vec<SignatureElement> = Vec::new();
    // The last element of factors of edges, and of the inside.
    let mut factors = [None; 2];
    for record in records {
        let mut element = element(kind, side, record)?;
        element.id = elements.len() as u32;
        let last = match element.semantic {
            SemanticKind::TessFactor => Some(&mut factors[0]),
            SemanticKind::InsideTessFactor => Some(&mut factors[1]),
            _ => None,
        };
        if let Some(last) = last {
            let before = last.and_then(|at: usize| elements.get_mut(at));
            if let Some(before) = before
                && before.start_col == element.start_col
                && before.start_row.saturating_add_unsigned(before.rows) == element.start_row
            {
                before.rows += 1;
                before.indices.push(record.index);
                continue;
            }
            *last = Some(elements.len());
        }
        elements.push(element);
    }
    Ok(elements)
}

/// Returns the first component of a mask.
fn first(mask: u8) -> u8 {
    (mask.trailing_zeros() as u8).min(3)
}

/// Returns the number of components from the first to the last of a mask; at least 1.
fn columns(mask: u8) -> u8 {
    (8 - (mask & 15).leading_zeros() as u8)
        .saturating_sub(first(mask))
        .max(1)
}

fn element(
    kind: ShaderKind,
    side: Side,
    record: &PartSignatureElement<'_>,
) -> Result<SignatureElement, ProgramErrorKind> {
    let has_register = record.register != u32::MAX;
    if has_register && record.register >= REGISTERS {
        return Err(ProgramErrorKind::Field {
            field: "register of a signature element",
            found: record.register.into(),
            expected: "0 to 31, or none",
        });
    }
    let (streams, expected) = match (kind, side) {
        (ShaderKind::Geometry, Side::Output) => (4, "0 to 3"),
        _ => (1, "0"),
    };
    let stream = u8::try_from(record.stream).ok();
    let indices: SmallVec<[u32; 2]> = smallvec![record.index];
    Ok(SignatureElement {
        id: 0,
        name: record.name.into(),
        // Minimum precision permits 32 bits.
        ty: match record.component_type {
            2 | 5 => ComponentType::I32,
            3 | 6 => ComponentType::F32,
            1 | 4 => ComponentType::U32,
            found => {
                return Err(ProgramErrorKind::Field {
                    field: "component type of a signature element",
                    found: found.into(),
                    expected: "1 to 6",
                });
            }
        },
        semantic: semantic(kind, side, record),
        indices,
        interpolation: InterpolationMode::Undefined,
        rows: 1,
        cols: columns(record.mask),
        start_row: if has_register {
            record.register as i32
        } else {
            -1
        },
        start_col: if has_register {
            first(record.mask) as i8
        } else {
            -1
        },
        stream: stream
            .filter(|&stream| stream < streams)
            .ok_or(ProgramErrorKind::Field {
                field: "stream of a signature element",
                found: record.stream.into(),
                expected,
            })?,
        dynamic_mask: 0,
        usage_mask: 0xF,
    })
}

/// Returns the meaning of an element. Where a system value has none, it is a semantic like others
/// (DirectXShaderCompiler's `DxilSigPoint`).
fn semantic(kind: ShaderKind, side: Side, record: &PartSignatureElement<'_>) -> SemanticKind {
    use SemanticKind as S;
    // D3D_NAME. FXC writes 0 for the outputs of pixel shaders.
    let semantic = match record.system_value {
        0 if kind == ShaderKind::Pixel && side == Side::Output => pixel_output(record.name),
        1 => S::Position,
        2 => S::ClipDistance,
        3 => S::CullDistance,
        4 => S::RenderTargetArrayIndex,
        5 => S::ViewPortArrayIndex,
        6 => S::VertexID,
        7 => S::PrimitiveID,
        8 => S::InstanceID,
        9 => S::IsFrontFace,
        10 => S::SampleIndex,
        11 | 13 | 15 | 16 => S::TessFactor,
        12 | 14 => S::InsideTessFactor,
        64 => S::Target,
        65 => S::Depth,
        66 => S::Coverage,
        67 => S::DepthGreaterEqual,
        68 => S::DepthLessEqual,
        69 => S::StencilRef,
        70 => S::InnerCoverage,
        _ => S::Arbitrary,
    };
    let has_meaning = match (kind, side) {
        (ShaderKind::Vertex, Side::Input) => matches!(semantic, S::VertexID | S::InstanceID),
        (_, Side::PatchConstant) => matches!(semantic, S::TessFactor | S::InsideTessFactor),
        _ => semantic != S::InstanceID,
    };
    if has_meaning { semantic } else { S::Arbitrary }
}

fn pixel_output(name: &str) -> SemanticKind {
    use SemanticKind as S;
    let names = [
        ("SV_Target", S::Target),
        ("SV_Depth", S::Depth),
        ("SV_Coverage", S::Coverage),
        ("SV_DepthGreaterEqual", S::DepthGreaterEqual),
        ("SV_DepthLessEqual", S::DepthLessEqual),
        ("SV_StencilRef", S::StencilRef),
    ];
    let known = names
        .iter()
        .find(|known| known.0.eq_ignore_ascii_case(name));
    known.map_or(S::Arbitrary, |known| known.1)
}

/// Returns the properties that the declarations have.
fn properties(program: &Program) -> Properties {
    use Declaration as D;
    let mut p = Properties::default();
    let mut geometry = GeometryProperties {
        input: InputPrimitive::Unknown(0),
        max_vertices: 0,
        streams: 0,
        // A shader that emits nothing has no declaration of it.
        output: PrimitiveTopology::PointList,
        instances: 1,
    };
    let mut hull = HullProperties {
        patch_constant_function: None,
        input_control_points: 0,
        output_control_points: 0,
        domain: TessellatorDomain::Unknown(0),
        partitioning: TessellatorPartitioning::Unknown(0),
        output_primitive: TessellatorOutputPrimitive::Unknown(0),
        max_factor: 64.0,
    };
    // Without `allowRefactoring`.
    p.flags = flag::DISABLE_MATH_REFACTORING;
    for item in &program.items {
        let ItemKind::Declaration(declaration) = &item.kind else {
            continue;
        };
        match *declaration {
            D::GlobalFlags(flags) => p.flags = shader_flags(flags),
            D::ThreadGroup(threads) => p.num_threads = Some(threads),
            D::InputPrimitive(primitive) => {
                use crate::tokens::InputPrimitive as I;
                geometry.input = match primitive {
                    I::Point => InputPrimitive::Point,
                    I::Line => InputPrimitive::Line,
                    I::Triangle => InputPrimitive::Triangle,
                    I::LineAdj => InputPrimitive::LineAdjacency,
                    I::TriangleAdj => InputPrimitive::TriangleAdjacency,
                    I::Patch(points) => InputPrimitive::Patch(points.into()),
                };
            }
            D::OutputTopology(topology) => {
                geometry.output = PrimitiveTopology::from_code(topology as u32);
            }
            D::MaxOutputVertices(count) => geometry.max_vertices = count,
            D::GsInstances(count) => geometry.instances = count,
            D::Stream(stream) => geometry.streams |= 1 << (stream & 3),
            D::InputControlPoints(count) => hull.input_control_points = count,
            D::OutputControlPoints(count) => hull.output_control_points = count,
            D::TessDomain(domain) => hull.domain = TessellatorDomain::from_code(domain as u32),
            D::TessPartitioning(partitioning) => {
                hull.partitioning = TessellatorPartitioning::from_code(partitioning as u32);
            }
            D::TessOutputPrimitive(primitive) => {
                hull.output_primitive = TessellatorOutputPrimitive::from_code(primitive as u32);
            }
            D::MaxTessFactor(factor) => hull.max_factor = factor,
            _ => {}
        }
    }
    match program.kind {
        ShaderKind::Geometry => {
            geometry.streams = geometry.streams.max(1);
            p.geometry = Some(geometry);
        }
        ShaderKind::Hull => p.hull = Some(hull),
        ShaderKind::Domain => {
            p.domain = Some(DomainProperties {
                domain: hull.domain,
                input_control_points: hull.input_control_points,
            });
        }
        _ => {}
    }
    p
}

/// Shader flags of DXIL (DirectXShaderCompiler, `DxilShaderFlags.h`).
mod flag {
    pub(super) const DISABLE_OPTIMIZATIONS: u64 = 1;
    pub(super) const DISABLE_MATH_REFACTORING: u64 = 1 << 1;
    pub(super) const DOUBLE_PRECISION: u64 = 1 << 2;
    pub(super) const FORCE_EARLY_DEPTH_STENCIL: u64 = 1 << 3;
    pub(super) const RAW_AND_STRUCTURED_BUFFERS: u64 = 1 << 4;
    pub(super) const LOW_PRECISION: u64 = 1 << 5;
    pub(super) const DOUBLE_EXTENSIONS: u64 = 1 << 6;
    pub(super) const MSAD: u64 = 1 << 7;
    pub(super) const ALL_RESOURCES_BOUND: u64 = 1 << 8;
}

fn shader_flags(flags: GlobalFlags) -> u64 {
    use GlobalFlags as G;
    let pairs = [
        (G::ENABLE_DOUBLE_PRECISION_FLOAT_OPS, flag::DOUBLE_PRECISION),
        (
            G::FORCE_EARLY_DEPTH_STENCIL,
            flag::FORCE_EARLY_DEPTH_STENCIL,
        ),
        (
            G::ENABLE_RAW_AND_STRUCTURED_BUFFERS,
            flag::RAW_AND_STRUCTURED_BUFFERS,
        ),
        (G::SKIP_OPTIMIZATION, flag::DISABLE_OPTIMIZATIONS),
        (G::ENABLE_MINIMUM_PRECISION, flag::LOW_PRECISION),
        (G::ENABLE_DOUBLE_EXTENSIONS, flag::DOUBLE_EXTENSIONS),
        (G::ENABLE_SHADER_EXTENSIONS, flag::MSAD),
        (G::ALL_RESOURCES_BOUND, flag::ALL_RESOURCES_BOUND),
    ];
    let set = pairs.iter().filter(|pair| flags.contains(pair.0));
    let refactoring = match flags.contains(G::REFACTORING_ALLOWED) {
        true => 0,
        false => flag::DISABLE_MATH_REFACTORING,
    };
    set.fold(refactoring, |all, pair| all | pair.1)
}
