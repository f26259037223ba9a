//! The remappers of stage inputs and outputs, and of stream output.

use trellis_c_support::text::c_string;
use trellis_dxil_frontend::shader::{SemanticKind, ShaderKind};
use trellis_spirv_backend::stage_io::{
    ElementPlace, ElementQuery, StageIoError, StageIoModel, StreamOutput, StreamOutputQuery,
};

use super::{Callback, Remapper};
use crate::abi::{
    self, D3dShaderStageIo, D3dStreamOutput, D3dVertexInput, VulkanShaderStageIo,
    VulkanStreamOutput, VulkanVertexInput, stage_io_flags,
};

/// The remappers of inputs and outputs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InterfaceRemappers {
    pub(crate) vertex_input: Callback<Remapper<D3dVertexInput, VulkanVertexInput>>,
    pub(crate) stream_output: Callback<Remapper<D3dStreamOutput, VulkanStreamOutput>>,
    pub(crate) stage_input: Callback<Remapper<D3dShaderStageIo, VulkanShaderStageIo>>,
    pub(crate) stage_output: Callback<Remapper<D3dShaderStageIo, VulkanShaderStageIo>>,
}

type Result<T> = std::result::Result<T, StageIoError>;

/// Asks where an element is. Without a remapper, and for system values, it is where it is by default.
fn place(
    remapper: &Callback<Remapper<D3dShaderStageIo, VulkanShaderStageIo>>,
    query: &ElementQuery<'_>,
    default: ElementPlace,
) -> Result<ElementPlace> {
    if query.system_value != SemanticKind::Arbitrary {
        return Ok(default);
    }
    let semantic = c_string(query.semantic);
    let d3d = D3dShaderStageIo {
        semantic: semantic.as_ptr(),
        semantic_index: query.index,
        // The reference does not set these either.
        start_row: 0,
        rows: 0,
    };
    let vulkan = VulkanShaderStageIo {
        location: default.location,
        component: default.component,
        flags: if default.per_primitive {
            stage_io_flags::PER_PRIMITIVE
        } else {
            stage_io_flags::NONE
        },
    };
    let Some(vulkan) = remapper.ask(&d3d, vulkan)? else {
        return Ok(default);
    };
    // It is a choice in pixel shaders only.
    let per_primitive = match query.stage {
        ShaderKind::Pixel => vulkan.flags & stage_io_flags::PER_PRIMITIVE != 0,
        _ => default.per_primitive,
    };
    let place = ElementPlace::new(vulkan.location, vulkan.component);
    Ok(place.with_per_primitive(per_primitive))
}

impl StageIoModel for InterfaceRemappers {
    fn vertex_input(&self, query: &ElementQuery<'_>) -> Result<u32> {
        let semantic = c_string(query.semantic);
        let d3d = D3dVertexInput {
            semantic: semantic.as_ptr(),
            semantic_index: query.index,
            start_row: query.start_row,
            rows: query.rows,
        };
        let answer = self.vertex_input.ask(&d3d, VulkanVertexInput::default())?;
        let location = answer.map_or(query.default.location, |vulkan| vulkan.location);
        // The other remapper is asked about all inputs.
        let default = ElementPlace::new(location, 0);
        Ok(place(&self.stage_input, query, default)?.location)
    }

    fn input(&self, query: &ElementQuery<'_>) -> Result<ElementPlace> {
        place(&self.stage_input, query, query.default)
    }

    fn output(&self, query: &ElementQuery<'_>) -> Result<ElementPlace> {
        place(&self.stage_output, query, query.default)
    }

    fn stream_output(&self, query: &StreamOutputQuery<'_>) -> Result<Vec<StreamOutput>> {
        let semantic = c_string(query.semantic);
        let d3d = D3dStreamOutput {
            semantic: semantic.as_ptr(),
            semantic_index: query.index,
        };
        let answer = self
            .stream_output
            .ask(&d3d, VulkanStreamOutput::default())?;
        let enabled = answer.filter(|vulkan| vulkan.enable != abi::FALSE);
        let output = |v: VulkanStreamOutput| StreamOutput::new(v.buffer_index, v.stride, v.offset);
        Ok(enabled.map(output).into_iter().collect())
    }
}
