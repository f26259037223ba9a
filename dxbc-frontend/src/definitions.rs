//! Types of constant buffers and of elements of structured buffers, as `RDEF` has them: for a printer of HLSL,
//! as conversion does not need them.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::container::{
    BufferVariable, Container, ContainerError, VariableType, VariableTypes,
};
use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_dxil_frontend::shader::{
    ComponentType, FieldAnnotation, Resource, StructAnnotation, TypeAnnotations,
};

/// Deepest nesting of structures, and most members of all.
const MAX_DEPTH: u32 = 8;
const MAX_MEMBERS: usize = 1 << 13;

/// What the reflection program of a DXIL container has: types with the names of their members.
#[derive(Debug)]
pub struct Definitions {
    /// A module of types.
    pub module: Module,
    /// Names and offsets of members.
    pub annotations: TypeAnnotations,
    /// The resources with their types, where those are known.
    pub resources: Vec<Resource>,
}

/// Returns the types of a shader's resources; `None` without `RDEF`.
///
/// # Errors
/// The part is malformed.
pub fn definitions(
    container: &Container<'_>,
    resources: &[Resource],
) -> Result<Option<Definitions>, ContainerError> {
    let (Some(definitions), Some(types)) = (
        container.resource_definitions()?,
        container.variable_types()?,
    ) else {
        return Ok(None);
    };
    let buffers = definitions
        .buffers
        .iter()
        .map(|buffer| (buffer.name, buffer));
    let buffers: FxHashMap<_, _> = buffers.collect();
    let mut builder = Builder {
        types,
        module: Module::default(),
        structs: FxHashMap::default(),
        annotations: TypeAnnotations::default(),
        members: 0,
    };
    let mut resources = resources.to_vec();
    for resource in &mut resources {
        if let Some(buffer) = buffers.get(resource.name.as_str()) {
            resource.symbol_type = builder.structure(buffer.name, &buffer.variables, 0)?;
        }
    }
    Ok(Some(Definitions {
        module: builder.module,
        annotations: builder.annotations,
        resources,
    }))
}

struct Builder<'a> {
    types: VariableTypes<'a>,
    module: Module,
    /// By name and members.
    structs: FxHashMap<(&'a str, Vec<BufferVariable<'a>>), TypeId>,
    annotations: TypeAnnotations,
    /// Members so far.
    members: usize,
}

impl<'a> Builder<'a> {
    /// Returns a structure; `None` if it is too large, or has a member that HLSL would not have.
    fn structure(
        &mut self,
        name: &'a str,
        members: &[BufferVariable<'a>],
        depth: u32,
    ) -> Result<Option<TypeId>, ContainerError> {
        let key = (name, members.to_vec());
        if let Some(&known) = self.structs.get(&key) {
            return Ok(Some(known));
        }
        self.members += members.len();
        if depth > MAX_DEPTH || self.members > MAX_MEMBERS {
            return Ok(None);
        }
        let (mut fields, mut annotation) = (Vec::new(), StructAnnotation::default());
        for member in members {
            let ty = self.types.at(member.ty)?;
            let mut field = FieldAnnotation::default();
            let Some(ty) = self.field(&ty, &mut field, depth)? else {
                return Ok(None);
            };
            field.name = member.name.into();
            field.offset = Some(member.offset);
            fields.push(ty);
            annotation.fields.push(field);
        }
        let ty = self.module.types.push(Type::Struct {
            name: Some(name.into()),
            fields: fields.as_slice().into(),
            packed: false,
            opaque: false,
        });
        annotation.ty = ty;
        self.annotations.structs.push(annotation);
        self.structs.insert(key, ty);
        Ok(Some(ty))
    }

    /// Returns the type of a member.
    fn field(
        &mut self,
        ty: &VariableType<'a>,
        field: &mut FieldAnnotation,
        depth: u32,
    ) -> Result<Option<TypeId>, ContainerError> {
        // Minimum precisions have 32 bits in memory.
        let (component, scalar) = match ty.scalar_name() {
            "bool" => (ComponentType::I1, Type::Int(32)),
            "int" | "min12int" | "min16int" => (ComponentType::I32, Type::Int(32)),
            "uint" | "min16uint" => (ComponentType::U32, Type::Int(32)),
            "double" => (ComponentType::F64, Type::Double),
            "" => (ComponentType::Invalid, Type::Void),
            _ => (ComponentType::F32, Type::Float),
        };
        let types = &mut self.module.types;
        let mut vector = |len: u16| {
            let element = types.push(scalar.clone());
            let len = len.into();
            types.push(Type::Vector { element, len })
        };
        let mut element = match ty.class {
            0..=3 if component == ComponentType::Invalid => return Ok(None),
            0 => types.push(scalar),
            1 => vector(ty.columns),
            2 | 3 => {
                let (rows, columns) = (ty.rows.into(), ty.columns.into());
                field.matrix = Some([rows, columns, u32::from(ty.class) - 1]);
                let element = vector(ty.columns);
                let len = ty.rows.into();
                types.push(Type::Array { element, len })
            }
            5 | 6 => {
                let name = if ty.name.is_empty() {
                    "Struct"
                } else {
                    ty.name
                };
                match self.structure(name, &ty.members, depth + 1)? {
                    Some(ty) => ty,
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        field.component = Some(component as u32).filter(|_| ty.class <= 3);
        if ty.elements > 0 {
            let len = ty.elements.into();
            element = self.module.types.push(Type::Array { element, len });
        }
        Ok(Some(element))
    }
}
