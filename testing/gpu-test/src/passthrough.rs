//! The vertex shader before another stage: it passes vertex attributes through to the inputs that
//! the stage declares.

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionModel, FunctionControl, MemoryModel,
    StorageClass, Word,
};

use crate::spirv_module::{Scalar, Variable};

/// Returns whether the vertex shader before the stage has to write an input.
pub fn is_passed_through(input: &Variable) -> bool {
    (input.location.is_some() && !input.patch)
        || matches!(
            input.built_in,
            Some(BuiltIn::ClipDistance | BuiltIn::CullDistance)
        )
}

/// Makes a vertex shader whose attribute at location 0 is the position; the rows of `inputs`
/// follow, one location each.
///
/// # Errors
/// The type of an input cannot be a vertex attribute.
pub fn vertex_shader(inputs: &[&Variable]) -> Result<Vec<u32>, String> {
    let mut b = Builder::new();
    b.set_version(1, 5);
    b.capability(Capability::Shader);
    b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
    let float = b.type_float(32, None);
    let vector = b.type_vector(float, 4);
    let mut shader = Shader {
        b,
        interface: Vec::new(),
        copies: Vec::new(),
    };
    let position = shader.attribute(vector, 0);
    let built_in = (Decoration::BuiltIn, Operand::BuiltIn(BuiltIn::Position));
    let out = shader.variable(vector, StorageClass::Output, &[built_in]);
    shader.copies.push(Copy {
        ty: vector,
        from: position,
        to: out,
        index: None,
    });
    let mut location = 0;
    for input in inputs {
        shader.declare(input, &mut location)?;
    }
    shader.finish().map_err(|error| error.to_string())
}

/// One row that the shader copies.
struct Copy {
    ty: Word,
    from: Word,
    to: Word,
    /// The element of `to`, if that is an array.
    index: Option<u32>,
}

struct Shader {
    b: Builder,
    interface: Vec<Word>,
    copies: Vec<Copy>,
}

impl Shader {
    fn variable(
        &mut self,
        ty: Word,
        class: StorageClass,
        decorations: &[(Decoration, Operand)],
    ) -> Word {
        let pointer = self.b.type_pointer(None, class, ty);
        let id = self.b.variable(pointer, None, class, None);
        for (decoration, operand) in decorations {
            self.b.decorate(id, *decoration, vec![operand.clone()]);
        }
        self.interface.push(id);
        id
    }

    fn attribute(&mut self, ty: Word, location: u32) -> Word {
        let location = (Decoration::Location, Operand::LiteralBit32(location));
        self.variable(ty, StorageClass::Input, &[location])
    }

    /// Declares the output for `input`, and an attribute for each of its rows.
    fn declare(&mut self, input: &Variable, location: &mut u32) -> Result<(), String> {
        let scalar = match input.scalar {
            Scalar::Float(32) => self.b.type_float(32, None),
            Scalar::Sint(32) => self.b.type_int(32, 1),
            Scalar::Uint(32) => self.b.type_int(32, 0),
            other => {
                return Err(format!(
                    "`{}`: inputs of {other:?} are not passed through",
                    input.name
                ));
            }
        };
        let row = if input.columns > 1 {
            self.b.type_vector(scalar, input.columns)
        } else {
            scalar
        };
        let whole = if input.array {
            let uint = self.b.type_int(32, 0);
            let length = self.b.constant_bit32(uint, input.rows);
            self.b.type_array(row, length)
        } else {
            row
        };
        let decorations = self.decorations(input);
        let to = self.variable(whole, StorageClass::Output, &decorations);
        for index in 0..input.rows {
            *location += 1;
            let from = self.attribute(row, *location);
            self.copies.push(Copy {
                ty: row,
                from,
                to,
                index: input.array.then_some(index),
            });
        }
        Ok(())
    }

    /// Returns the decorations of the output for `input`, and declares the capability of a
    /// built-in.
    fn decorations(&mut self, input: &Variable) -> Vec<(Decoration, Operand)> {
        let mut list = match (input.location, input.built_in) {
            (None, Some(built_in)) => {
                let distances = if built_in == BuiltIn::CullDistance {
                    Capability::CullDistance
                } else {
                    Capability::ClipDistance
                };
                self.b.capability(distances);
                vec![(Decoration::BuiltIn, Operand::BuiltIn(built_in))]
            }
            (location, _) => vec![(
                Decoration::Location,
                Operand::LiteralBit32(location.unwrap_or(0)),
            )],
        };
        if input.component > 0 {
            list.push((
                Decoration::Component,
                Operand::LiteralBit32(input.component),
            ));
        }
        list
    }

    /// Writes the function that copies the rows.
    fn finish(self) -> Result<Vec<u32>, rspirv::dr::Error> {
        let Self {
            mut b,
            interface,
            copies,
        } = self;
        let (void, uint) = (b.type_void(), b.type_int(32, 0));
        let function = b.type_function(void, vec![]);
        let main = b.begin_function(void, None, FunctionControl::NONE, function)?;
        b.begin_block(None)?;
        for copy in copies {
            let value = b.load(copy.ty, None, copy.from, None, vec![])?;
            let target = match copy.index {
                Some(index) => {
                    let index = b.constant_bit32(uint, index);
                    let pointer = b.type_pointer(None, StorageClass::Output, copy.ty);
                    b.access_chain(pointer, None, copy.to, vec![index])?
                }
                None => copy.to,
            };
            b.store(target, value, None, vec![])?;
        }
        b.ret()?;
        b.end_function()?;
        b.entry_point(ExecutionModel::Vertex, main, "main", interface);
        Ok(b.module().assemble())
    }
}
