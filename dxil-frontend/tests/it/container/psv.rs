//! Pipeline state validation (`PSV0`).

use super::*;

#[test]
fn pipeline_validation() {
    let bytes = data!("pixel");
    let c = Container::open(bytes).unwrap();
    let psv = c.pipeline_validation().unwrap().unwrap();
    assert_eq!(
        (psv.info.version, psv.info.stage, psv.info.elements),
        (2, Some(ShaderKind::Pixel), [3, 1, 0])
    );
    assert_eq!(
        psv.info.stage_info(ShaderKind::Pixel),
        StageInfo::Pixel {
            depth_output: false,
            sample_frequency: false
        }
    );
    assert_eq!(psv.resources.len(), 5);
    let texcoord = &psv.elements[1];
    assert_eq!(
        (
            psv.string(texcoord.name).unwrap(),
            texcoord.cols,
            texcoord.start_row
        ),
        ("TEXCOORD", 2, 1)
    );
    assert_eq!(psv.indices(texcoord), Some(&[0][..]));
    // Every output depends on TEXCOORD's two components, inputs 4 and 5.
    let table = psv.dependencies.input_to_output[0];
    let inputs: Vec<u32> = table.words().collect();
    assert_eq!(inputs, [0, 0, 0, 0, 15, 15, 0, 0, 0, 0, 0, 0]);
    assert!(psv.dependencies.view_id_outputs[0].is_empty());
    let info = |bytes: &'static [u8]| {
        let psv = Container::open(bytes).unwrap().pipeline_validation();
        psv.unwrap().unwrap().info
    };
    assert_eq!(info(data!("compute")).num_threads, Some([8, 4, 2]));
    assert!(matches!(
        info(data!("mesh")).stage_info(ShaderKind::Mesh),
        StageInfo::Mesh {
            payload_bytes: 64,
            max_vertices: 64,
            max_primitives: 32,
            ..
        }
    ));
    for stage in [
        data!("vertex"),
        data!("hull"),
        data!("domain"),
        data!("geometry"),
        data!("amplification"),
    ] {
        info(stage);
    }
}

#[test]
fn pipeline_validation_of_the_first_version_and_malformed() {
    let data = words(&[24, 0, 0, 0, 0, 0, u32::MAX, 1, 16, 2, 0, 3, 5]);
    let bytes = container(&[(*b"PSV0", data)]);
    let psv = Container::open(&bytes).unwrap().pipeline_validation();
    let psv = psv.unwrap().unwrap();
    assert_eq!((psv.info.version, psv.resources.len()), (0, 1));
    let resource = &psv.resources[0];
    assert_eq!((resource.upper_bound, resource.kind_and_flags), (5, None));
    let mut bytes = data!("pixel").to_vec();
    let part = Container::open(&bytes).unwrap();
    let part = part.part(FourCC::PIPELINE_VALIDATION).unwrap();
    let (start, end) = (part.offset, part.offset + part.data.len());
    bytes[start + 4 + 24] = 77;
    let error = |bytes: &[u8]| {
        Container::open(bytes)
            .unwrap()
            .pipeline_validation()
            .unwrap_err()
            .to_string()
    };
    let expected = "PSV0 part: shader stage is 77, expected 0 to 15 (byte offset";
    assert_eq!(error(&bytes), format!("{expected} {:#x})", start + 28));
    // Every truncation of the content is an error; without any, the part is as none.
    for len in 1..end - start {
        let bytes = container(&[(*b"PSV0", data!("pixel")[start..start + len].to_vec())]);
        error(&bytes);
    }
}
