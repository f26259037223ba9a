//! Declarations of resources, their members and elements.

use trellis_dxil_frontend::module::{Module, Type, TypeId};
use trellis_dxil_frontend::shader::{
    ComponentType, FieldAnnotation, Resource, ResourceClass, ResourceKind, SamplerKind, Shader,
    UNBOUNDED,
};

use crate::layout::{Rules, Shape, Types};
use crate::names::Names;
use crate::types::{FLOAT, Scalar, UINT};

/// A resource as it is declared.
pub(crate) struct Declared {
    pub(crate) class: ResourceClass,
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) kind: ResourceKind,
    pub(crate) lower_bound: u32,
    pub(crate) is_array: bool,
    /// Of a structured or constant buffer.
    pub(crate) shape: Option<Shape>,
    /// Whether members of a constant buffer are global names, as in a `cbuffer`.
    pub(crate) is_flat: bool,
    /// Element of a typed resource: scalar and number of components.
    pub(crate) element: (Scalar, u32),
    pub(crate) global: Option<trellis_dxil_frontend::module::GlobalId>,
}

/// Declares the resources of a shader; `source` has their types.
pub(crate) fn declare(
    shader: &Shader,
    source: &[Resource],
    types: &mut Types<'_>,
    names: &mut Names,
    is_by_rows: &dyn Fn(&Resource) -> bool,
) -> (String, Vec<Declared>) {
    let (mut text, mut all) = (String::new(), Vec::new());
    for resource in &shader.resources {
        let typed = source
            .iter()
            .find(|r| (r.class, r.id) == (resource.class, resource.id));
        let typed = typed.unwrap_or(resource);
        let (letter, prefix) = match resource.class {
            ResourceClass::Srv => ('t', "srv"),
            ResourceClass::Uav => ('u', "uav"),
            ResourceClass::CBuffer => ('b', "cb"),
            ResourceClass::Sampler => ('s', "sampler"),
        };
        let wanted = match (resource.name.is_empty(), typed.name.is_empty()) {
            (false, _) => resource.name.to_string(),
            (_, false) => typed.name.to_string(),
            _ => format!("{prefix}{}", resource.id),
        };
        let space = match resource.space {
            0 => String::new(),
            space => format!(", space{space}"),
        };
        let register = format!("register({letter}{}{space})", resource.lower_bound);
        let array = match resource.range_size {
            1 => String::new(),
            UNBOUNDED => "[]".to_owned(),
            n => format!("[{n}]"),
        };
        let symbol = symbol(types.module, typed);
        let mut declared = Declared {
            class: resource.class,
            id: resource.id,
            name: names.add(&wanted),
            kind: resource.kind,
            lower_bound: resource.lower_bound,
            is_array: resource.range_size != 1,
            shape: None,
            is_flat: false,
            element: element(resource, symbol.as_ref().map(|s| &*s.0), types.native),
            global: resource.global,
        };
        let none = FieldAnnotation::default();
        match resource.kind {
            ResourceKind::CBuffer | ResourceKind::TBuffer => {
                let shape = symbol
                    .filter(|_| !is_by_rows(resource))
                    .and_then(|(_, ty)| types.shape(names, ty, &none, Rules::Constant, 0));
                // The size of a tbuffer is not known.
                let bytes = match resource.kind {
                    ResourceKind::TBuffer => 4096,
                    _ => resource.cbuffer_size.max(16),
                };
                let keyword = if resource.class == ResourceClass::CBuffer {
                    "cbuffer"
                } else {
                    "tbuffer"
                };
                match (shape, declared.is_array) {
                    (Some(shape), true) => {
                        text.push_str(&format!(
                            "ConstantBuffer<{}> {}{array} : {register};\n",
                            types.type_name(&shape),
                            declared.name
                        ));
                        declared.shape = Some(shape);
                    }
                    (Some(Shape::Struct(index)), false)
                        if let [only] = &types.structs[index].members[..]
                            && only.name == wanted
                            && matches!(only.shape, Shape::Struct(_)) =>
                    {
                        let shape = only.shape.clone();
                        text.push_str(&format!(
                            "ConstantBuffer<{}> {} : {register};\n",
                            types.type_name(&shape),
                            declared.name
                        ));
                        types.structs[index].is_hidden = true;
                        declared.shape = Some(shape);
                    }
                    (Some(Shape::Struct(index)), false) => {
                        // Members are global names.
                        let mut end = 0;
                        let mut lines = String::new();
                        let mut members = types.structs[index].members.clone();
                        for member in &mut members {
                            member.name = names.add(&member.name);
                            let next = types.next(&member.shape, end, Rules::Constant);
                            end = member.offset + types.size(&member.shape, Rules::Constant);
                            let offset = match next == member.offset {
                                true => String::new(),
                                false => format!(
                                    " : packoffset(c{}{})",
                                    member.offset / 16,
                                    ["", ".y", ".z", ".w"][(member.offset % 16 / 4) as usize]
                                ),
                            };
                            let line = types.declare(&member.shape, &member.name);
                            lines.push_str(&format!("    {line}{offset};\n"));
                        }
                        types.structs[index].members = members;
                        types.structs[index].is_hidden = true;
                        text.push_str(&format!(
                            "{keyword} {} : {register} {{\n{lines}}};\n",
                            declared.name
                        ));
                        (declared.shape, declared.is_flat) = (Some(Shape::Struct(index)), true);
                    }
                    (_, false) => {
                        let rows = names.add(&format!("{}_rows", declared.name));
                        text.push_str(&format!(
                            "{keyword} {} : {register} {{\n    float4 {rows}[{}];\n}};\n",
                            declared.name,
                            bytes.div_ceil(16)
                        ));
                        let row = Box::new(Shape::Vector(FLOAT, 4));
                        declared.shape = Some(Shape::Array(row, bytes.div_ceil(16)));
                        declared.name = rows;
                    }
                    (_, true) => {
                        let shape = types.rows(names, &format!("{}_rows", declared.name), bytes);
                        text.push_str(&format!(
                            "ConstantBuffer<{}> {}{array} : {register};\n",
                            types.type_name(&shape),
                            declared.name
                        ));
                        declared.shape = Some(shape);
                    }
                }
            }
            kind => {
                let mut shape = None;
                if kind == ResourceKind::StructuredBuffer {
                    let stride = resource.stride.or(typed.stride).unwrap_or(4);
                    let known = symbol
                        .as_ref()
                        .filter(|_| !is_by_rows(resource))
                        .and_then(|(_, ty)| types.element(names, *ty))
                        .filter(|shape| types.size(shape, Rules::Structured) == stride);
                    shape = Some(match known {
                        Some(shape) => shape,
                        None => types.words(names, &format!("{}_element", declared.name), stride),
                    });
                }
                let ty = type_name(resource, &declared, types, shape.as_ref());
                declared.shape = shape;
                let coherent = if resource.globally_coherent {
                    "globallycoherent "
                } else {
                    ""
                };
                text.push_str(&format!(
                    "{coherent}{ty} {}{array} : {register};\n",
                    declared.name
                ));
            }
        }
        all.push(declared);
    }
    (text, all)
}

/// Returns the name and the type of a resource's symbol, less the dimensions of an array.
fn symbol(module: &Module, resource: &Resource) -> Option<(String, TypeId)> {
    let mut ty = resource.symbol_type?;
    for _ in 0..8 {
        match module.types.get(ty)? {
            Type::Array { element, .. } => ty = *element,
            Type::Pointer { pointee, .. } => ty = *pointee,
            Type::Struct { name, .. } => {
                return Some((name.as_deref().unwrap_or("").to_owned(), ty));
            }
            _ => return None,
        }
    }
    None
}

/// Returns the element of a typed resource. Its number of components is in the name of its type.
fn element(resource: &Resource, symbol: Option<&str>, native: bool) -> (Scalar, u32) {
    let scalar = resource.component.map_or(FLOAT, Scalar::of_component);
    let scalar = match scalar {
        Scalar::Bool => UINT,
        scalar if !native => scalar.without_native(),
        scalar => scalar,
    };
    let Some((_, argument)) = symbol.and_then(|name| name.split_once('<')) else {
        return (scalar, 4);
    };
    let mut scalar = scalar;
    let is_wide = argument.contains("double") || argument.contains("long");
    if resource.atomic64 {
        let signed = !argument.contains("unsigned") && !argument.contains("uint");
        scalar = Scalar::Int { bits: 64, signed };
    }
    let count = match argument.strip_prefix("vector<") {
        Some(vector) => vector.split(", ").nth(1).and_then(|n| {
            n.trim_end_matches([' ', '>'])
                .split('>')
                .next()?
                .trim()
                .parse()
                .ok()
        }),
        None => Some(1),
    };
    // A number of 64 bits is two of 32, but for atomic operations.
    let words = if is_wide && !resource.atomic64 { 2 } else { 1 };
    (
        scalar,
        count
            .map(|n: u32| n * words)
            .filter(|n| (1..=4).contains(n))
            .unwrap_or(4),
    )
}

fn type_name(
    resource: &Resource,
    declared: &Declared,
    types: &Types<'_>,
    shape: Option<&Shape>,
) -> String {
    use ResourceKind as K;
    let is_uav = resource.class == ResourceClass::Uav;
    let rw = match (is_uav, resource.rasterizer_ordered) {
        (true, true) => "RasterizerOrdered",
        (true, false) => "RW",
        _ => "",
    };
    let (scalar, n) = declared.element;
    let norm = match resource.component {
        Some(ComponentType::SNormF16 | ComponentType::SNormF32) => "snorm ",
        Some(ComponentType::UNormF16 | ComponentType::UNormF32) => "unorm ",
        _ => "",
    };
    let element = format!("{norm}{}", scalar.vector_name(n));
    let kind = match resource.kind {
        K::RawBuffer => return format!("{rw}ByteAddressBuffer"),
        K::StructuredBuffer => {
            let element = shape
                .map(|shape| types.type_name(shape))
                .unwrap_or_default();
            return format!("{rw}StructuredBuffer<{element}>");
        }
        K::Sampler => {
            return match resource.sampler_kind {
                SamplerKind::Comparison => "SamplerComparisonState".to_owned(),
                _ => "SamplerState".to_owned(),
            };
        }
        K::RTAccelerationStructure => return "RaytracingAccelerationStructure".to_owned(),
        K::FeedbackTexture2D | K::FeedbackTexture2DArray => {
            let kind = [
                "SAMPLER_FEEDBACK_MIN_MIP",
                "SAMPLER_FEEDBACK_MIP_REGION_USED",
            ][usize::from(resource.feedback_kind == Some(1))];
            let array = if resource.kind == K::FeedbackTexture2D {
                ""
            } else {
                "Array"
            };
            return format!("FeedbackTexture2D{array}<{kind}>");
        }
        K::Texture2DMS | K::Texture2DMSArray => {
            let samples = match resource.sample_count {
                0 => String::new(),
                n => format!(", {n}"),
            };
            let array = if resource.kind == K::Texture2DMS {
                ""
            } else {
                "Array"
            };
            return format!("{rw}Texture2DMS{array}<{element}{samples}>");
        }
        K::TypedBuffer => "Buffer",
        K::Texture1D => "Texture1D",
        K::Texture1DArray => "Texture1DArray",
        K::Texture2DArray => "Texture2DArray",
        K::Texture3D => "Texture3D",
        K::TextureCube => "TextureCube",
        K::TextureCubeArray => "TextureCubeArray",
        _ => "Texture2D",
    };
    format!("{rw}{kind}<{element}>")
}

/// Returns the number of coordinates: of a sample, and of the offset.
pub(crate) fn coordinates(kind: ResourceKind) -> (usize, usize) {
    use ResourceKind as K;
    match kind {
        K::Texture1D | K::TypedBuffer => (1, 1),
        K::Texture1DArray => (2, 1),
        K::Texture2DArray | K::Texture2DMSArray | K::FeedbackTexture2DArray => (3, 2),
        K::Texture3D => (3, 3),
        K::TextureCube => (3, 0),
        K::TextureCubeArray => (4, 0),
        _ => (2, 2),
    }
}

/// Returns the resource of the heap with these properties, and its number of components.
pub(crate) fn of_heap(words: [u32; 2]) -> (Resource, u32) {
    use ResourceKind as K;
    let kind = K::from_code(words[0] & 0xFF).unwrap_or(K::Invalid);
    let class = match kind {
        K::CBuffer => ResourceClass::CBuffer,
        K::Sampler => ResourceClass::Sampler,
        _ if words[0] & 0x1000 != 0 => ResourceClass::Uav,
        _ => ResourceClass::Srv,
    };
    let mut resource = Resource::new(class, kind, 0, 0);
    resource.rasterizer_ordered = words[0] & 0x2000 != 0;
    resource.globally_coherent = words[0] & 0x4000 != 0;
    if words[0] & 0x8000 != 0 {
        resource.sampler_kind = SamplerKind::Comparison;
    }
    resource.component = ComponentType::from_code(words[1] & 0xFF);
    resource.stride = Some(words[1]);
    resource.cbuffer_size = words[1];
    (resource, (words[1] >> 8 & 0xFF).clamp(1, 4))
}

/// Declares a variable for a resource of the heap.
pub(crate) fn declare_local(
    (resource, components): &(Resource, u32),
    name: String,
    types: &mut Types<'_>,
    names: &mut Names,
) -> (String, Declared) {
    let mut declared = Declared {
        class: resource.class,
        id: 0,
        name,
        kind: resource.kind,
        lower_bound: 0,
        is_array: false,
        shape: None,
        is_flat: false,
        element: (element(resource, None, types.native).0, *components),
        global: None,
    };
    let size = resource.stride.unwrap_or(4);
    let element = format!("{}_element", declared.name);
    let shape = match resource.kind {
        ResourceKind::StructuredBuffer => types.words(names, &element, size),
        ResourceKind::CBuffer => types.rows(names, &element, size),
        _ => return (type_name(resource, &declared, types, None), declared),
    };
    let mut ty = type_name(resource, &declared, types, Some(&shape));
    if resource.kind == ResourceKind::CBuffer {
        ty = format!("ConstantBuffer<{}>", types.type_name(&shape));
    }
    declared.shape = Some(shape);
    (ty, declared)
}
