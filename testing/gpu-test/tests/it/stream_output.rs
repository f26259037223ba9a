//! Stream output on a device: whole outputs and parts of them, into two buffers, of a vertex shader
//! whose attribute the model moved.

use std::path::Path;
use std::sync::Arc;

use gpu_test::spirv_module;
use gpu_test::vulkan::{Attribute, Draw, Error, Job, StageCode, Work, vk};
use trellis_spirv_backend::stage_io::{
    ElementPart, ElementQuery, StageIoError, StageIoModel, StreamOutput, StreamOutputQuery,
};
use trellis_spirv_backend::{Options, convert};

use crate::common;

struct Layer;

impl StageIoModel for Layer {
    fn vertex_input(&self, _: &ElementQuery<'_>) -> Result<u32, StageIoError> {
        Ok(5)
    }

    fn stream_output(
        &self,
        query: &StreamOutputQuery<'_>,
    ) -> Result<Vec<StreamOutput>, StageIoError> {
        let first = |offset| StreamOutput::new(0, 40, offset);
        Ok(match (query.semantic, query.index) {
            ("SV_Position", 0) => vec![
                first(0).with_part(ElementPart::new(0, 0, 3)),
                StreamOutput::new(1, 16, 0),
            ],
            ("SV_ClipDistance", 1) => vec![first(12)],
            ("SV_CullDistance", 0) => vec![first(16).with_part(ElementPart::new(0, 1, 2))],
            ("SV_ClipDistance", 0) => vec![first(24)],
            _ => panic!("{query:?}"),
        })
    }
}

#[test]
fn what_the_model_says_is_captured() {
    let Some(device) = common::device() else {
        return;
    };
    let shader =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/shaders/vertex_io/clip_cull.dxil");
    let options = Options::default().with_stage_io(Arc::new(Layer));
    let converted = convert(&std::fs::read(shader).unwrap(), &options).unwrap();
    let module = spirv_module::read(&converted.words).unwrap();
    let positions = [
        [0.5f32, 0.25, 1.0, 2.0],
        [-1.5, 0.75, 0.125, 1.0],
        [3.0, -0.5, 0.25, 4.0],
        [0.0625, 8.0, -2.0, 1.0],
    ];
    let bytes =
        |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    let count = positions.len() as u64;
    let draw = Draw {
        count: [positions.len() as u32, 1],
        first: [0; 2],
        topology: vk::PrimitiveTopology::LINE_LIST,
        attributes: vec![Attribute {
            location: 5,
            format: vk::Format::R32G32B32A32_SFLOAT,
            offset: 0,
        }],
        stride: 16,
        vertices: bytes(positions.as_flattened()),
        size: [1; 2],
        layers: 1,
        samples: 1,
        viewports: 1,
        constants: Vec::new(),
        targets: Vec::new(),
        depth: false,
        control_points: 0,
        groups: None,
        capture: vec![40 * count, 16 * count],
    };
    let job = Job {
        stages: vec![StageCode::from(&module)],
        objects: Vec::new(),
        bindings: Vec::new(),
        work: Work::Draw(draw),
        wave_size: None,
    };
    let results = match device.run(&job) {
        Err(Error::Unsupported(what)) => {
            println!("skipped: {what}");
            return;
        }
        results => results.unwrap(),
    };
    assert_eq!(results.messages, Vec::<String>::new());
    let expected: Vec<f32> = positions
        .iter()
        .flat_map(|&[x, y, z, w]| [x, y, z, w - x, y, z, x, y, z, w])
        .collect();
    assert_eq!(results.captured[0], bytes(&expected));
    assert_eq!(results.captured[1], bytes(positions.as_flattened()));
}
