//! The vertex shader in front of another stage: it hands vertex attributes through to the inputs
//! that the stage declares.

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionModel, FunctionControl, MemoryModel,
    StorageClass,
};

use crate::spirv_module::{Scalar, Variable};

/// Whether the vertex shader in front has to write an input.
pub fn is_handed_through(input: &Variable) -> bool {
    (input.location.is_some() && !input.patch)
        || matches!(
            input.built_in,
            Some(BuiltIn::ClipDistance | BuiltIn::CullDistance)
        )
}

/// A vertex shader whose attribute at location 0 is the position; then follow the rows of `inputs`,
/// a location each.
pub fn vertex_shader(inputs: &[&Variable]) -> Result<Vec<u32>, String> {
    let mut b = Builder::new();
    b.set_version(1, 5);
    b.capability(Capability::Shader);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let failed = |error: rspirv::dr::Error| error.to_string();
    let float = b.type_float(32, None);
    let vector = b.type_vector(float, 4);
    let (void, uint) = (b.type_void(), b.type_int(32, 0));
    let function = b.type_function(void, vec![]);
    let mut interface = Vec::new();
    let mut location = 0;
    let mut variable = |b: &mut Builder, ty, class, place: &[(Decoration, Operand)]| {
        let pointer = b.type_pointer(None, class, ty);
        let id = b.variable(pointer, None, class, None);
        for (decoration, operand) in place {
            b.decorate(id, *decoration, vec![operand.clone()]);
        }
        interface.push(id);
        id
    };
    let mut copies = Vec::new();
    let position = variable(
        &mut b,
        vector,
        StorageClass::Input,
        &[(Decoration::Location, Operand::LiteralBit32(0))],
    );
    let out = variable(
        &mut b,
        vector,
        StorageClass::Output,
        &[(Decoration::BuiltIn, Operand::BuiltIn(BuiltIn::Position))],
    );
    copies.push((vector, position, out, None));
    for input in inputs {
        let scalar = match input.scalar {
            Scalar::Float(32) => float,
            Scalar::Sint(32) => b.type_int(32, 1),
            Scalar::Uint(32) => uint,
            other => {
                return Err(format!(
                    "`{}`: inputs of {other:?} are not handed through",
                    input.name
                ));
            }
        };
        let row = if input.columns > 1 {
            b.type_vector(scalar, input.columns)
        } else {
            scalar
        };
        let whole = if input.array {
            let length = b.constant_bit32(uint, input.rows);
            b.type_array(row, length)
        } else {
            row
        };
        let mut place = match (input.location, input.built_in) {
            (None, Some(built_in)) => {
                let distances = if built_in == BuiltIn::CullDistance {
                    Capability::CullDistance
                } else {
                    Capability::ClipDistance
                };
                b.capability(distances);
                vec![(Decoration::BuiltIn, Operand::BuiltIn(built_in))]
            }
            (location, _) => vec![(
                Decoration::Location,
                Operand::LiteralBit32(location.unwrap_or(0)),
            )],
        };
        if input.component > 0 {
            place.push((
                Decoration::Component,
                Operand::LiteralBit32(input.component),
            ));
        }
        let to = variable(&mut b, whole, StorageClass::Output, &place);
        for index in 0..input.rows {
            location += 1;
            let from = variable(
                &mut b,
                row,
                StorageClass::Input,
                &[(Decoration::Location, Operand::LiteralBit32(location))],
            );
            copies.push((row, from, to, input.array.then_some(index)));
        }
    }
    let main = b
        .begin_function(void, None, FunctionControl::NONE, function)
        .map_err(failed)?;
    b.begin_block(None).map_err(failed)?;
    for (ty, from, to, index) in copies {
        let value = b.load(ty, None, from, None, vec![]).map_err(failed)?;
        let target = match index {
            Some(index) => {
                let index = b.constant_bit32(uint, index);
                let pointer = b.type_pointer(None, StorageClass::Output, ty);
                b.access_chain(pointer, None, to, vec![index])
                    .map_err(failed)?
            }
            None => to,
        };
        b.store(target, value, None, vec![]).map_err(failed)?;
    }
    b.ret().map_err(failed)?;
    b.end_function().map_err(failed)?;
    b.entry_point(ExecutionModel::Vertex, main, "main", interface);
    Ok(b.module().assemble())
}
