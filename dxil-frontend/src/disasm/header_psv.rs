//! Pipeline runtime information in the header.

use super::header::mask;
use super::text::Text;
use crate::container::{PipelineValidation, StageInfo};
use crate::shader::{InterpolationMode, Shader, ShaderKind, SignatureElement, WaveSize};

fn name(names: &[&'static str], index: u32) -> &'static str {
    names.get(index as usize).copied().unwrap_or("unknown")
}

const DOMAINS: [&str; 4] = ["undefined", "isoline", "tri", "quad"];
const OUTPUT_PRIMITIVES: [&str; 5] = ["undefined", "point", "line", "triangle_cw", "triangle_ccw"];
const TOPOLOGIES: [&str; 6] = ["undefined", "point", "line", "line", "triangle", "triangle"];
const INPUT_PRIMITIVES: [&str; 8] = [
    "undefined",
    "point",
    "line",
    "triangle",
    "reserved",
    "reserved",
    "lineadj",
    "triangleadj",
];
const MESH_TOPOLOGIES: [&str; 3] = ["undefined", "line", "triangle"];

pub(super) fn write(t: &mut Text, shader: &Shader, psv: &PipelineValidation<'_>) {
    let info = &psv.info;
    t.push(";\n; Pipeline Runtime Information: \n;\n");
    let title = match shader.kind {
        ShaderKind::Pixel => "Pixel",
        ShaderKind::Vertex => "Vertex",
        ShaderKind::Geometry => "Geometry",
        ShaderKind::Hull => "Hull",
        ShaderKind::Domain => "Domain",
        ShaderKind::Compute => "Compute",
        ShaderKind::Mesh => "Mesh",
        ShaderKind::Amplification => "Amplification",
        _ => "Other",
    };
    t.fmt(format_args!("; {title} Shader\n"));
    match info.stage_info(shader.kind) {
        StageInfo::Vertex { output_position } => t.fmt(format_args!("; OutputPositionPresent={}\n", u8::from(output_position))),
        StageInfo::Hull { input_control_points, output_control_points, domain, output_primitive } => t.fmt(format_args!(
            "; InputControlPointCount={input_control_points}\n; OutputControlPointCount={output_control_points}\n; Domain={}\n; OutputPrimitive={}\n",
            name(&DOMAINS, domain),
            name(&OUTPUT_PRIMITIVES, output_primitive)
        )),
        StageInfo::Domain { input_control_points, output_position, .. } => {
            t.fmt(format_args!("; InputControlPointCount={input_control_points}\n; OutputPositionPresent={}\n", u8::from(output_position)));
        }
        StageInfo::Geometry { input_primitive, output_topology, stream_mask, output_position } => {
            match input_primitive {
                8..=39 => t.fmt(format_args!("; InputPrimitive=patch{}\n", input_primitive - 7)),
                p => t.fmt(format_args!("; InputPrimitive={}\n", name(&INPUT_PRIMITIVES, p))),
            }
            t.fmt(format_args!(
                "; OutputTopology={}\n; OutputStreamMask={stream_mask}\n; OutputPositionPresent={}\n",
                name(&TOPOLOGIES, output_topology),
                u8::from(output_position)
            ));
        }
        StageInfo::Pixel { depth_output, sample_frequency } => {
            t.fmt(format_args!("; DepthOutput={}\n; SampleFrequency={}\n", u8::from(depth_output), u8::from(sample_frequency)));
        }
        StageInfo::Mesh { .. } => t.fmt(format_args!("; MeshOutputTopology={}\n", name(&MESH_TOPOLOGIES, u32::from(info.stage_extra >> 8)))),
        StageInfo::Amplification { .. } | StageInfo::Other => {}
    }
    if let Some([x, y, z]) = info.num_threads.filter(|_| {
        matches!(
            shader.kind,
            ShaderKind::Compute | ShaderKind::Mesh | ShaderKind::Amplification
        )
    }) {
        t.fmt(format_args!("; NumThreads=({x},{y},{z})\n"));
    }
    match shader
        .entry_points
        .first()
        .and_then(|e| e.properties.wave_size)
    {
        Some(WaveSize {
            minimum, maximum, ..
        }) if maximum == 0 || maximum == minimum => {
            t.fmt(format_args!("; WaveSize={minimum}\n"));
        }
        Some(WaveSize {
            minimum,
            maximum,
            preferred,
        }) => t.fmt(format_args!(
            "; WaveSize=({minimum},{maximum},{preferred})\n"
        )),
        None => {}
    }
    t.push(";\n");
    let Some(signatures) = shader.entry_points.first().map(|e| &e.signatures) else {
        return;
    };
    let (output, patch) = match shader.kind {
        ShaderKind::Mesh => ("Vertex Output signature", "Primitive Output signature"),
        _ => ("Output signature", "Patch Constant signature"),
    };
    for (title, elements) in [
        ("Input signature", &signatures.input),
        (output, &signatures.output),
        (patch, &signatures.patch_constant),
    ] {
        if !elements.is_empty() {
            table(t, title, elements);
        }
    }
}

fn table(t: &mut Text, title: &str, elements: &[SignatureElement]) {
    t.fmt(format_args!(";\n; {title}:\n;\n"));
    t.push("; Name                 Index             InterpMode DynIdx\n");
    t.push("; -------------------- ----- ---------------------- ------\n");
    for e in elements {
        let interpolation = match e.interpolation {
            InterpolationMode::Undefined => "",
            InterpolationMode::Constant => "nointerpolation",
            InterpolationMode::Linear => "linear",
            InterpolationMode::LinearCentroid => "centroid",
            InterpolationMode::LinearNoperspective => "noperspective",
            InterpolationMode::LinearNoperspectiveCentroid => "noperspective centroid",
            InterpolationMode::LinearSample => "sample",
            InterpolationMode::LinearNoperspectiveSample => "noperspective sample",
            InterpolationMode::Invalid => "invalid",
        };
        let dynamic = mask(e.dynamic_mask);
        let dynamic = dynamic.trim();
        t.fmt(format_args!(
            "; {:<20} {:>5} {interpolation:>22} {dynamic:>6}\n",
            e.name,
            e.indices.first().copied().unwrap_or(0)
        ));
    }
}
