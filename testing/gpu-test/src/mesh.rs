//! Mesh shaders in draws, and their pixel shaders: D3D links the two by semantic, Vulkan
//! by location.

use std::borrow::Cow;
use std::sync::Arc;

use ash::vk;
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Operand};
use spirv::{BuiltIn, Capability, Decoration, Op};
use trellis_spirv_backend::MeshOutputs;

use crate::draw::semantic;
use crate::spirv_module::{self, SpirvModule, Variable};

/// Returns the outputs that pixel shaders are linked with, if the test's shader is a mesh shader.
pub fn outputs(dxil: &[u8]) -> Option<Arc<MeshOutputs>> {
    MeshOutputs::read(dxil, None).ok().map(Arc::new)
}

/// Returns the modules of a draw, the pixel shader linked with its mesh shader. DXC translates each
/// alone: it numbers the locations of both in the order of their declarations, and cannot
/// distinguish which inputs belong to a primitive.
///
/// # Errors
/// The pixel shader reads an input that the mesh shader does not write.
pub fn linked<'a>(modules: &[&'a SpirvModule]) -> Result<Vec<Cow<'a, SpirvModule>>, String> {
    let mesh = modules
        .iter()
        .find(|m| m.stage == vk::ShaderStageFlags::MESH_EXT);
    modules
        .iter()
        .map(|&module| match mesh {
            Some(mesh) if module.stage == vk::ShaderStageFlags::FRAGMENT => {
                link(mesh, module).map(Cow::Owned)
            }
            _ => Ok(Cow::Borrowed(module)),
        })
        .collect()
}

/// Puts the inputs of a pixel shader where a mesh shader has the outputs of the same semantics.
fn link(mesh: &SpirvModule, pixel: &SpirvModule) -> Result<SpirvModule, String> {
    let mut module = rspirv::dr::load_words(&pixel.words).map_err(|error| error.to_string())?;
    let mut of_primitives = false;
    for input in &pixel.inputs {
        let Some(output) = output_of(mesh, input)? else {
            continue;
        };
        let id = Operand::IdRef(input.id);
        let decoration = |decoration, extra: &[u32]| {
            let mut operands = vec![id.clone(), Operand::Decoration(decoration)];
            operands.extend(extra.iter().map(|&n| Operand::LiteralBit32(n)));
            Instruction::new(Op::Decorate, None, None, operands)
        };
        if let Some(location) = output.location {
            let place = [
                Operand::Decoration(Decoration::Location),
                Operand::Decoration(Decoration::Component),
            ];
            module.annotations.retain(|i| {
                i.operands.first() != Some(&id)
                    || !i.operands.get(1).is_some_and(|d| place.contains(d))
            });
            module
                .annotations
                .push(decoration(Decoration::Location, &[location]));
            if output.component > 0 {
                module
                    .annotations
                    .push(decoration(Decoration::Component, &[output.component]));
            }
        }
        if output.primitive {
            of_primitives = true;
            module
                .annotations
                .push(decoration(Decoration::PerPrimitiveEXT, &[]));
        }
    }
    if of_primitives {
        module.capabilities.push(Instruction::new(
            Op::Capability,
            None,
            None,
            vec![Operand::Capability(Capability::MeshShadingEXT)],
        ));
        module.extensions.push(Instruction::new(
            Op::Extension,
            None,
            None,
            vec![Operand::LiteralString("SPV_EXT_mesh_shader".to_owned())],
        ));
    }
    spirv_module::read(&module.assemble())
}

/// Returns the output that an input reads; `None` for inputs that the rasterizer makes.
fn output_of<'a>(mesh: &'a SpirvModule, input: &Variable) -> Result<Option<&'a Variable>, String> {
    let of_primitive = [BuiltIn::PrimitiveId, BuiltIn::Layer, BuiltIn::ViewportIndex];
    if let Some(built_in) = input.built_in {
        return Ok(mesh
            .outputs
            .iter()
            .find(|o| o.built_in == Some(built_in) && of_primitive.contains(&built_in)));
    }
    let wanted = semantic(input);
    let fits = |o: &&Variable| {
        o.built_in.is_none()
            && semantic(o).0.eq_ignore_ascii_case(&wanted.0)
            && semantic(o).1 == wanted.1
    };
    mesh.outputs
        .iter()
        .find(fits)
        .map(Some)
        .ok_or_else(|| format!("the mesh shader does not write {}{}", wanted.0, wanted.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(shader: &str) -> SpirvModule {
        let dxil = shader_testkit::shader(&format!("mesh/{shader}.dxil"));
        let options = trellis_spirv_backend::Options::default();
        let words = trellis_spirv_backend::convert(&dxil, &options)
            .unwrap()
            .words;
        spirv_module::read(&words).unwrap()
    }

    #[test]
    fn a_pixel_shader_that_was_translated_alone_is_linked() {
        let (mesh, pixel) = (
            converted("primitive_attributes"),
            converted("primitive_attributes.ps"),
        );
        let linked = linked(&[&mesh, &pixel]).unwrap();
        let input = |name: &str| {
            linked[1]
                .inputs
                .iter()
                .find(|v| semantic(v).0 == name)
                .unwrap()
        };
        let output = |name: &str| mesh.outputs.iter().find(|v| semantic(v).0 == name).unwrap();
        for (name, primitive) in [
            ("TEXCOORD", false),
            ("CORNER", false),
            ("COLOR", true),
            ("PLACE", true),
        ] {
            assert_eq!(
                (input(name).location, input(name).primitive),
                (output(name).location, primitive),
                "{name}"
            );
        }
        assert!(input("SV_PrimitiveID").primitive);
        assert_eq!(linked[0].words, mesh.words, "only pixel shaders change");
        let other = converted("lines.ps");
        assert!(super::linked(&[&mesh, &other]).is_err_and(|text| text.contains("does not write")));
    }
}
