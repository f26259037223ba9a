//! Multisampled images keep their contents over a run that does not touch them: each sample, of
//! each kind of format.

use std::path::Path;

use gpu_test::spirv_module;
use gpu_test::vulkan::{Error, Image, Job, Object, StageCode, Work, texel_size, vk};

use crate::common;

fn image(format: vk::Format, layers: u32) -> Image {
    let extent = [5, 3, 1];
    let bytes = 5 * 3 * layers as usize * 4 * texel_size(format).unwrap();
    // No NaN and no denormal number of 16 or 32 bits: bytes 1 to 100 are the exponents.
    let data = (0..bytes).map(|at| (at * 37 % 101) as u8 + 1).collect();
    Image {
        dimension: vk::ImageType::TYPE_2D,
        format,
        extent,
        mips: 1,
        layers,
        samples: 4,
        cube: false,
        data,
    }
}

#[test]
fn each_sample_is_kept() {
    let Some(device) = common::device() else {
        return;
    };
    let empty =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/shaders/compute/empty.dxil");
    let converted = trellis_spirv_backend::convert(
        &std::fs::read(empty).unwrap(),
        &trellis_spirv_backend::Options::default(),
    )
    .unwrap();
    let module = spirv_module::read(&converted.words).unwrap();
    let formats = [
        vk::Format::R32G32B32A32_SFLOAT,
        vk::Format::R16G16_SFLOAT,
        vk::Format::R8G8B8A8_UNORM,
        vk::Format::R32_SINT,
        vk::Format::R16G16B16A16_SINT,
        vk::Format::R32G32_UINT,
        vk::Format::R8_UINT,
    ];
    for (format, layers) in formats
        .into_iter()
        .flat_map(|format| [(format, 1), (format, 3)])
    {
        let image = image(format, layers);
        let job = Job {
            stages: vec![StageCode::from(&module)],
            objects: vec![Object::Image(image.clone())],
            bindings: Vec::new(),
            work: Work::Dispatch([1; 3]),
            wave_size: None,
        };
        let results = match device.run(&job) {
            Err(Error::Unsupported(what)) => {
                println!("skipped: {what}");
                continue;
            }
            results => results.unwrap(),
        };
        assert_eq!(results.messages, Vec::<String>::new(), "{format:?}");
        assert!(
            results.objects[0] == image.data,
            "{format:?} with {layers} layer(s)"
        );
    }
    let odd = Image {
        samples: 32,
        ..image(vk::Format::R32_SFLOAT, 1)
    };
    let stages = vec![StageCode::from(&module)];
    let job = Job {
        stages,
        objects: vec![Object::Image(odd)],
        bindings: Vec::new(),
        work: Work::Dispatch([1; 3]),
        wave_size: None,
    };
    assert!(matches!(
        device.run(&job),
        Ok(_) | Err(Error::Unsupported(_))
    ));
}
