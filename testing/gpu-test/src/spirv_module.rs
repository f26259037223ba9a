//! The interface of a SPIR-V module: capabilities, descriptors, inputs and outputs.
//! Read from the words, so that modules of every origin are bound alike.

use std::collections::{BTreeMap, BTreeSet};

use ash::vk;
use rspirv::dr::{Instruction, Operand};
use spirv::{
    BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, ImageFormat, Op,
    StorageClass,
};

/// A SPIR-V module and its interface.
#[derive(Clone, Debug)]
pub struct SpirvModule {
    /// The words.
    pub words: Vec<u32>,
    /// Declared capabilities.
    pub capabilities: Vec<Capability>,
    /// Entry point.
    pub entry: String,
    /// Its stage.
    pub stage: vk::ShaderStageFlags,
    /// Descriptors, by set and binding.
    pub resources: Vec<Resource>,
    /// Inputs of the stage.
    pub inputs: Vec<Variable>,
    /// Outputs of the stage.
    pub outputs: Vec<Variable>,
    /// Execution modes of the entry point, each with its first number (0 without one).
    pub modes: Vec<(ExecutionMode, u32)>,
    /// It has push constants, which only nodes of work graphs get.
    pub push_constants: bool,
}

impl SpirvModule {
    /// Returns whether the entry point has an execution mode.
    pub fn has_mode(&self, wanted: ExecutionMode) -> bool {
        self.modes.iter().any(|(mode, _)| *mode == wanted)
    }
}

/// Number of descriptors of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// One.
    One,
    /// An array with this number of elements.
    Array(u32),
    /// An array without end.
    Unbounded,
}

/// A descriptor variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Name, if there is one.
    pub name: String,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Kind of descriptor.
    pub ty: vk::DescriptorType,
    /// Number of descriptors.
    pub count: Count,
    /// Shape of images.
    pub view: Option<vk::ImageViewType>,
    /// Format that the module demands of a storage image or storage texel buffer.
    pub format: Option<ImageFormat>,
}

/// Type of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// Float with this number of bits.
    Float(u32),
    /// Signed integer.
    Sint(u32),
    /// Unsigned integer.
    Uint(u32),
}

/// A stage input or output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Id of the variable.
    pub id: u32,
    /// Name, if there is one.
    pub name: String,
    /// Location of the first row; `None` for built-ins.
    pub location: Option<u32>,
    /// First component in the location.
    pub component: u32,
    /// Built-in.
    pub built_in: Option<BuiltIn>,
    /// Type of a component.
    pub scalar: Scalar,
    /// Components of a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// The variable is an array, even of one row.
    pub array: bool,
    /// Not interpolated.
    pub flat: bool,
    /// Length of the array over vertices or control points around it; 0 without one.
    pub vertices: u32,
    /// A patch constant.
    pub patch: bool,
    /// A value of a primitive, written by a mesh shader or read by its pixel shader.
    pub primitive: bool,
    /// Stream of a geometry shader's output.
    pub stream: u32,
}

/// Tables over a module's declarations.
#[derive(Default)]
struct Tables<'a> {
    types: BTreeMap<u32, &'a Instruction>,
    decorations: BTreeMap<u32, Vec<&'a Instruction>>,
    names: BTreeMap<u32, &'a str>,
}

impl Tables<'_> {
    fn decoration(&self, id: u32, wanted: Decoration) -> Option<&Instruction> {
        let mut all = self.decorations.get(&id)?.iter().copied();
        all.find(|i| i.operands.get(1) == Some(&Operand::Decoration(wanted)))
    }
    fn has(&self, id: u32, wanted: Decoration) -> bool {
        self.decoration(id, wanted).is_some()
    }
    fn number(&self, id: u32, wanted: Decoration) -> Option<u32> {
        match self.decoration(id, wanted)?.operands.get(2)? {
            Operand::LiteralBit32(word) => Some(*word),
            Operand::BuiltIn(b) => Some(*b as u32),
            _ => None,
        }
    }
    fn name(&self, id: u32) -> String {
        self.names.get(&id).copied().unwrap_or_default().to_owned()
    }
    fn constant(&self, id: u32) -> Option<u32> {
        word(self.types.get(&id)?, 0)
    }
}

fn word(instruction: &Instruction, index: usize) -> Option<u32> {
    match instruction.operands.get(index)? {
        Operand::LiteralBit32(w) => Some(*w),
        Operand::IdRef(id) => Some(*id),
        _ => None,
    }
}

/// Reads a module with one entry point.
///
/// # Errors
/// The words are not a SPIR-V module, or one that this reader does not support.
pub fn read(words: &[u32]) -> Result<SpirvModule, String> {
    let mut all = read_all(words)?;
    if all.len() == 1 {
        all.pop().ok_or_else(String::new)
    } else {
        Err("the module has not one entry point".to_owned())
    }
}

/// Reads a module: a description for each of its entry points.
///
/// # Errors
/// The words are not a SPIR-V module, or one that this reader does not support.
pub fn read_all(words: &[u32]) -> Result<Vec<SpirvModule>, String> {
    let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
    let mut tables = Tables::default();
    for instruction in &module.types_global_values {
        if let Some(id) = instruction.result_id {
            tables.types.insert(id, instruction);
        }
    }
    for instruction in &module.annotations {
        if let (Op::Decorate, Some(Operand::IdRef(id))) =
            (instruction.class.opcode, instruction.operands.first())
        {
            tables.decorations.entry(*id).or_default().push(instruction);
        }
    }
    for instruction in &module.debug_names {
        if let (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) =
            (instruction.class.opcode, instruction.operands.as_slice())
        {
            tables.names.insert(*id, name);
        }
    }
    let capability = |i: &Instruction| match i.operands.first() {
        Some(Operand::Capability(capability)) => Some(*capability),
        _ => None,
    };
    let capabilities: Vec<_> = module.capabilities.iter().filter_map(capability).collect();
    let entries = module.entry_points.iter();
    entries
        .map(|entry| entry_point(words, &module, &tables, &capabilities, entry))
        .collect()
}

fn entry_point(
    words: &[u32],
    module: &rspirv::dr::Module,
    tables: &Tables<'_>,
    capabilities: &[Capability],
    entry: &Instruction,
) -> Result<SpirvModule, String> {
    let (Some(Operand::ExecutionModel(model)), Some(Operand::LiteralString(name))) =
        (entry.operands.first(), entry.operands.get(2))
    else {
        return Err("malformed entry point".to_owned());
    };
    let stage = match model {
        ExecutionModel::GLCompute => vk::ShaderStageFlags::COMPUTE,
        ExecutionModel::Vertex => vk::ShaderStageFlags::VERTEX,
        ExecutionModel::TessellationControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        ExecutionModel::TessellationEvaluation => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        ExecutionModel::Geometry => vk::ShaderStageFlags::GEOMETRY,
        ExecutionModel::Fragment => vk::ShaderStageFlags::FRAGMENT,
        ExecutionModel::TaskEXT => vk::ShaderStageFlags::TASK_EXT,
        ExecutionModel::MeshEXT => vk::ShaderStageFlags::MESH_EXT,
        ExecutionModel::RayGenerationKHR => vk::ShaderStageFlags::RAYGEN_KHR,
        ExecutionModel::IntersectionKHR => vk::ShaderStageFlags::INTERSECTION_KHR,
        ExecutionModel::AnyHitKHR => vk::ShaderStageFlags::ANY_HIT_KHR,
        ExecutionModel::ClosestHitKHR => vk::ShaderStageFlags::CLOSEST_HIT_KHR,
        ExecutionModel::MissKHR => vk::ShaderStageFlags::MISS_KHR,
        ExecutionModel::CallableKHR => vk::ShaderStageFlags::CALLABLE_KHR,
        other => return Err(format!("stage {other:?} is not run")),
    };
    let mode = |i: &Instruction| match &i.operands[..] {
        [id, Operand::ExecutionMode(mode), ..] if Some(id) == entry.operands.get(1) => {
            Some((*mode, word(i, 2).unwrap_or(0)))
        }
        _ => None,
    };
    let mut result = SpirvModule {
        words: words.to_vec(),
        capabilities: capabilities.to_vec(),
        entry: name.clone(),
        stage,
        resources: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        modes: module.execution_modes.iter().filter_map(mode).collect(),
        push_constants: false,
    };
    let used = entry.operands[3..].iter().filter_map(Operand::id_ref_any);
    let used: BTreeSet<u32> = used.collect();
    let globals = module.types_global_values.iter();
    for instruction in globals.filter(|i| i.class.opcode == Op::Variable) {
        variable(tables, instruction, &used, &mut result)?;
    }
    result.resources.sort_by_key(|r| (r.set, r.binding));
    for list in [&mut result.inputs, &mut result.outputs] {
        list.sort_by_key(|v| (v.location, v.component, v.id));
    }
    Ok(result)
}

fn variable(
    tables: &Tables<'_>,
    instruction: &Instruction,
    used: &BTreeSet<u32>,
    out: &mut SpirvModule,
) -> Result<(), String> {
    let (Some(id), Some(pointer), Some(Operand::StorageClass(class))) = (
        instruction.result_id,
        instruction.result_type,
        instruction.operands.first(),
    ) else {
        return Err("malformed variable".to_owned());
    };
    let pointee = tables.types.get(&pointer).and_then(|p| word(p, 1));
    let pointee = pointee.ok_or("malformed pointer type")?;
    match class {
        StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant => {
            let resource = resource(tables, id, pointee, *class)?;
            // Several views of one resource share its binding.
            let place = (resource.set, resource.binding);
            let mut known = out.resources.iter_mut();
            if let Some(old) = known.find(|r| (r.set, r.binding) == place) {
                if old.ty != resource.ty {
                    old.ty = vk::DescriptorType::MUTABLE_EXT;
                }
                old.format = old.format.or(resource.format);
            } else {
                out.resources.push(resource);
            }
        }
        StorageClass::Input if used.contains(&id) => {
            out.inputs
                .extend(stage_variable(tables, id, pointee, (out.stage, true)));
        }
        StorageClass::Output if used.contains(&id) => {
            out.outputs
                .extend(stage_variable(tables, id, pointee, (out.stage, false)));
        }
        StorageClass::PushConstant => out.push_constants = true,
        _ => {}
    }
    Ok(())
}

fn resource(
    tables: &Tables<'_>,
    id: u32,
    mut ty: u32,
    class: StorageClass,
) -> Result<Resource, String> {
    let name = tables.name(id);
    let (Some(set), Some(binding)) = (
        tables.number(id, Decoration::DescriptorSet),
        tables.number(id, Decoration::Binding),
    ) else {
        return Err(format!("`{name}` has no binding"));
    };
    let unknown = || format!("set {set}, binding {binding}: unknown type");
    let mut count = Count::One;
    let mut definition = *tables.types.get(&ty).ok_or_else(unknown)?;
    match definition.class.opcode {
        Op::TypeArray => {
            let length = word(definition, 1).and_then(|id| tables.constant(id));
            count = Count::Array(length.ok_or_else(unknown)?);
        }
        Op::TypeRuntimeArray => count = Count::Unbounded,
        _ => {}
    }
    if count != Count::One {
        ty = word(definition, 0).ok_or_else(unknown)?;
        definition = tables.types.get(&ty).ok_or_else(unknown)?;
    }
    let mut result = Resource {
        name,
        set,
        binding,
        ty: vk::DescriptorType::SAMPLER,
        count,
        view: None,
        format: None,
    };
    result.ty = match definition.class.opcode {
        Op::TypeSampler => vk::DescriptorType::SAMPLER,
        Op::TypeImage => image(definition, &mut result).ok_or_else(unknown)?,
        Op::TypeStruct
            if class == StorageClass::StorageBuffer || tables.has(ty, Decoration::BufferBlock) =>
        {
            vk::DescriptorType::STORAGE_BUFFER
        }
        Op::TypeStruct => vk::DescriptorType::UNIFORM_BUFFER,
        Op::TypeAccelerationStructureKHR => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
        _ => return Err(unknown()),
    };
    Ok(result)
}

fn image(definition: &Instruction, result: &mut Resource) -> Option<vk::DescriptorType> {
    let [
        _,
        Operand::Dim(dim),
        _,
        Operand::LiteralBit32(arrayed),
        Operand::LiteralBit32(_),
        Operand::LiteralBit32(sampled),
        Operand::ImageFormat(format),
    ] = definition.operands.as_slice()
    else {
        return None;
    };
    let storage = *sampled == 2;
    result.format = (*format != ImageFormat::Unknown).then_some(*format);
    use vk::ImageViewType as V;
    result.view = Some(match (dim, *arrayed != 0) {
        (Dim::DimBuffer, _) if storage => return Some(vk::DescriptorType::STORAGE_TEXEL_BUFFER),
        (Dim::DimBuffer, _) => return Some(vk::DescriptorType::UNIFORM_TEXEL_BUFFER),
        (Dim::Dim1D, false) => V::TYPE_1D,
        (Dim::Dim1D, true) => V::TYPE_1D_ARRAY,
        (Dim::Dim2D, false) => V::TYPE_2D,
        (Dim::Dim2D, true) => V::TYPE_2D_ARRAY,
        (Dim::Dim3D, _) => V::TYPE_3D,
        (Dim::DimCube, false) => V::CUBE,
        (Dim::DimCube, true) => V::CUBE_ARRAY,
        _ => return None,
    });
    Some(match storage {
        true => vk::DescriptorType::STORAGE_IMAGE,
        false => vk::DescriptorType::SAMPLED_IMAGE,
    })
}

/// Returns whether the variables of a stage are arrays over vertices or control points.
fn is_arrayed(stage: vk::ShaderStageFlags, input: bool) -> bool {
    use vk::ShaderStageFlags as S;
    match stage {
        S::GEOMETRY | S::TESSELLATION_EVALUATION => input,
        S::TESSELLATION_CONTROL => true,
        S::MESH_EXT => !input,
        _ => false,
    }
}

/// Built-ins that a primitive or patch has once.
fn is_of_primitive(built_in: Option<BuiltIn>) -> bool {
    use BuiltIn as B;
    let once = [
        B::PrimitiveId,
        B::InvocationId,
        B::TessCoord,
        B::TessLevelOuter,
        B::TessLevelInner,
        B::PatchVertices,
        B::ViewIndex,
    ];
    let wave = [
        B::SubgroupSize,
        B::SubgroupLocalInvocationId,
        B::SubgroupLtMask,
    ];
    built_in.is_some_and(|b| once.contains(&b) || wave.contains(&b))
}

/// Returns a stage variable of numbers; `None` for blocks such as `gl_PerVertex`.
fn stage_variable(
    tables: &Tables<'_>,
    id: u32,
    ty: u32,
    (stage, input): (vk::ShaderStageFlags, bool),
) -> Option<Variable> {
    let mut definition = *tables.types.get(&ty)?;
    let built_in = tables
        .number(id, Decoration::BuiltIn)
        .and_then(BuiltIn::from_u32);
    let patch = tables.has(id, Decoration::Patch);
    let (mut rows, mut columns, mut array, mut vertices) = (1, 1, false, 0);
    if is_arrayed(stage, input)
        && !patch
        && (stage == vk::ShaderStageFlags::MESH_EXT || !is_of_primitive(built_in))
        && definition.class.opcode == Op::TypeArray
    {
        vertices = tables.constant(word(definition, 1)?)?;
        definition = tables.types.get(&word(definition, 0)?)?;
    }
    if definition.class.opcode == Op::TypeArray {
        array = true;
        rows = tables.constant(word(definition, 1)?)?;
        definition = tables.types.get(&word(definition, 0)?)?;
    }
    if definition.class.opcode == Op::TypeVector {
        columns = word(definition, 1)?;
        definition = tables.types.get(&word(definition, 0)?)?;
    }
    let scalar = match definition.class.opcode {
        Op::TypeFloat => Scalar::Float(word(definition, 0)?),
        Op::TypeInt if word(definition, 1)? == 1 => Scalar::Sint(word(definition, 0)?),
        Op::TypeInt => Scalar::Uint(word(definition, 0)?),
        // Built-ins such as FrontFacing.
        Op::TypeBool => Scalar::Uint(32),
        _ => return None,
    };
    Some(Variable {
        id,
        name: tables.name(id),
        location: tables.number(id, Decoration::Location),
        component: tables.number(id, Decoration::Component).unwrap_or(0),
        built_in,
        scalar,
        columns,
        rows,
        array,
        flat: tables.has(id, Decoration::Flat),
        vertices,
        patch,
        primitive: tables.has(id, Decoration::PerPrimitiveEXT),
        stream: tables.number(id, Decoration::Stream).unwrap_or(0),
    })
}

/// Returns the words of a `.spv` file, little-endian.
///
/// # Errors
/// Its length is not a multiple of 4.
pub fn words(bytes: &[u8]) -> Result<Vec<u32>, String> {
    let (words, rest) = bytes.as_chunks::<4>();
    if rest.is_empty() {
        Ok(words.iter().map(|w| u32::from_le_bytes(*w)).collect())
    } else {
        Err("the length is not a multiple of 4".to_owned())
    }
}
