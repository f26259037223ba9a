//! The draw of a case for a shader of the graphics pipeline: inputs, partners and targets.

use trellis_dxil_interpreter::dispatch::{Binding, Data, Kind, Number, Tolerance};
use trellis_dxil_interpreter::format::Format;

use super::{Subject, guess};
use crate::case::{Draw, Input, Output, Target};
use crate::draw::semantic;
use crate::passthrough;
use crate::spirv_module::{Scalar, SpirvModule, Variable};
use crate::vulkan::vk;

/// Returns the draw that runs the shader once: whole primitives, random inputs, and all outputs.
pub(super) fn draw(subject: &Subject, bindings: Vec<Binding>, wave: Option<u32>) -> Draw {
    let mut draw = Draw {
        vertices: 3,
        instances: 1,
        size: [8, 8],
        wave,
        bindings,
        ..Draw::default()
    };
    let module = &subject.ours;
    if module.stage == vk::ShaderStageFlags::MESH_EXT {
        mesh(&mut draw, subject);
        return draw;
    }
    inputs(&mut draw, module);
    if subject.stage != "pixel" {
        captured(&mut draw, subject);
        return draw;
    }
    if module
        .inputs
        .iter()
        .any(|v| v.built_in == Some(spirv::BuiltIn::SampleId))
    {
        draw.samples = guess::SAMPLES;
    }
    targets(&mut draw, module);
    draw
}

/// Sets a draw up as one group of a mesh pipeline, with the targets of its pixel shader, if it has
/// one.
fn mesh(draw: &mut Draw, subject: &Subject) {
    draw.vertices = 0;
    draw.groups = Some([1; 3]);
    draw.stages = subject
        .partners
        .iter()
        .map(|(name, ..)| name.clone())
        .collect();
    if let Some((_, pixel, _)) = subject
        .partners
        .iter()
        .find(|(_, ours, _)| ours.stage == vk::ShaderStageFlags::FRAGMENT)
    {
        targets(draw, pixel);
    }
}

/// Random vertex attributes for the inputs that the pass-through vertex shader writes.
fn inputs(draw: &mut Draw, module: &SpirvModule) {
    let passed = |v: &&Variable| {
        v.location.is_some()
            || passthrough::is_passed_through(v)
            || (v.vertices > 0 && v.built_in.is_some())
    };
    for (seed, variable) in module.inputs.iter().filter(passed).enumerate() {
        let (name, first) = semantic(variable);
        let (format, number, max) = match variable.scalar {
            Scalar::Float(_) => (float_format(variable.columns), Number::F32, 1.0),
            Scalar::Sint(_) => (sint_format(variable.columns), Number::U32, 7.0),
            Scalar::Uint(_) => (uint_format(variable.columns), Number::U32, 7.0),
        };
        for row in 0..variable.rows {
            let data = Data::Random {
                number,
                seed: seed as u64 * 100 + u64::from(row),
                min: 0.0,
                max,
            };
            draw.inputs.push(Input {
                semantic: name.clone(),
                index: first + row,
                format,
                data,
            });
        }
    }
}

/// Outputs that transform feedback captures, of the shader or of its domain shader.
fn captured(draw: &mut Draw, subject: &Subject) {
    let module = &subject.ours;
    let partner = subject.partners.first();
    draw.stages = partner.iter().map(|(name, ..)| name.clone()).collect();
    draw.unordered = partner.is_some();
    // Whole primitives of each kind; two patches.
    let patch = module
        .inputs
        .iter()
        .map(|v| v.vertices)
        .max()
        .unwrap_or(0)
        .max(1);
    draw.vertices = match subject.stage {
        "vertex" => 8,
        "hull" => 2 * patch,
        _ => 12,
    };
    draw.size = [0, 0];
    for variable in partner.map_or(&module.outputs, |(_, domain, _)| &domain.outputs) {
        let (name, first) = semantic(variable);
        let rows = if variable.built_in.is_some() {
            1
        } else {
            variable.rows
        };
        if name != "PointSize" {
            draw.outputs.extend((0..rows).map(|row| Output {
                semantic: name.clone(),
                index: first + row,
                stream: variable.stream,
                expect: None,
                tolerance: None,
            }));
        }
    }
    if draw.unordered {
        // Vertices are sorted by the first output first: the last bits of a position, which devices
        // compute differently, must not decide.
        draw.outputs
            .sort_by_key(|output| output.semantic.starts_with("SV_"));
    }
}

/// Targets for the outputs of a pixel shader.
fn targets(draw: &mut Draw, module: &SpirvModule) {
    // Interpolation and filters are as exact as each device makes them (8 bits of a texel's
    // weight).
    let samples = draw.bindings.iter().any(|b| b.kind == Kind::Sampler);
    let near = if samples { 8e-3 } else { 1e-5 };
    let tolerance = Some(Tolerance {
        number: Number::F32,
        relative: near,
        absolute: near,
    });
    for variable in &module.outputs {
        match (variable.location, variable.built_in) {
            (Some(location), _) => {
                let format = match variable.scalar {
                    Scalar::Float(_) => Format::R32G32B32A32_FLOAT,
                    Scalar::Sint(_) => Format::R32G32B32A32_SINT,
                    Scalar::Uint(_) => Format::R32G32B32A32_UINT,
                };
                let empty = Target {
                    format: Format::R32G32B32A32_FLOAT,
                    expect: None,
                    tolerance: None,
                };
                for row in location..location + variable.rows {
                    draw.targets
                        .resize(draw.targets.len().max(row as usize + 1), empty.clone());
                    draw.targets[row as usize].format = format;
                    draw.targets[row as usize].tolerance =
                        tolerance.filter(|_| !format.is_integer());
                }
            }
            (None, Some(spirv::BuiltIn::FragDepth)) => {
                draw.depth = Some(Target {
                    format: Format::R32_FLOAT,
                    expect: None,
                    tolerance: None,
                });
            }
            _ => {}
        }
    }
}

fn float_format(columns: u32) -> Format {
    [
        Format::R32_FLOAT,
        Format::R32G32_FLOAT,
        Format::R32G32B32_FLOAT,
        Format::R32G32B32A32_FLOAT,
    ][columns.clamp(1, 4) as usize - 1]
}

fn sint_format(columns: u32) -> Format {
    [
        Format::R32_SINT,
        Format::R32G32_SINT,
        Format::R32G32B32_SINT,
        Format::R32G32B32A32_SINT,
    ][columns.clamp(1, 4) as usize - 1]
}

fn uint_format(columns: u32) -> Format {
    [
        Format::R32_UINT,
        Format::R32G32_UINT,
        Format::R32G32B32_UINT,
        Format::R32G32B32A32_UINT,
    ][columns.clamp(1, 4) as usize - 1]
}
