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
    let compute = Container::open(data!("compute"))
        .unwrap()
        .pipeline_validation()
        .unwrap()
        .unwrap();
    assert_eq!(compute.info.num_threads, Some([8, 4, 2]));
    let mesh = Container::open(data!("mesh"))
        .unwrap()
        .pipeline_validation()
        .unwrap()
        .unwrap();
    assert!(matches!(
        mesh.info.stage_info(ShaderKind::Mesh),
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
        assert!(
            Container::open(stage)
                .unwrap()
                .pipeline_validation()
                .unwrap()
                .is_some()
        );
    }
}

#[test]
fn pipeline_validation_of_the_first_version_and_malformed() {
    let v0 = |tail: &[u32]| {
        let mut data = words(&[24, 0, 0, 0, 0, 0, u32::MAX]);
        data.extend(words(tail));
        data
    };
    let read = |data: Vec<u8>| {
        let bytes = container(&[(*b"PSV0", data)]);
        Container::open(&bytes)
            .unwrap()
            .pipeline_validation()
            .map(|p| p.map(|p| (p.info.version, p.resources)))
            .map_err(|e| e.to_string())
    };
    let (version, resources) = read(v0(&[1, 16, 2, 0, 3, 5])).unwrap().unwrap();
    assert_eq!(
        (
            version,
            resources.len(),
            resources[0].upper_bound,
            resources[0].kind_and_flags
        ),
        (0, 1, 5, None)
    );
    assert_eq!(
        read(v0(&[])).unwrap_err(),
        "PSV0 part: resource count needs 4 bytes, 0 remain (byte offset 0x48)"
    );
    assert_eq!(
        read(v0(&[1, 8])).unwrap_err(),
        "PSV0 part: resource entry size is 8, expected 16 or more (byte offset 0x4c)"
    );
    assert_eq!(
        read(v0(&[u32::MAX, 24])).unwrap_err(),
        "PSV0 part: resources needs 103079215080 bytes, 0 remain (byte offset 0x50)"
    );
    assert_eq!(
        read(words(&[4])).unwrap_err(),
        "PSV0 part: runtime info size is 4, expected 24 or more (byte offset 0x2c)"
    );
    let mut bytes = data!("pixel").to_vec();
    let part = Container::open(&bytes)
        .unwrap()
        .part(FourCC::PIPELINE_VALIDATION)
        .unwrap();
    let (start, end) = (part.offset, part.offset + part.data.len());
    bytes[start + 4 + 24] = 77;
    let e = Container::open(&bytes)
        .unwrap()
        .pipeline_validation()
        .unwrap_err();
    assert_eq!(
        e.to_string(),
        format!(
            "PSV0 part: shader stage is 77, expected 0 to 15 (byte offset {:#x})",
            start + 28
        )
    );
    // Every truncation of the content is an error; without any, the part is as none.
    for len in 1..end - start {
        let bytes = container(&[(*b"PSV0", data!("pixel")[start..start + len].to_vec())]);
        assert!(
            Container::open(&bytes)
                .unwrap()
                .pipeline_validation()
                .is_err(),
            "{len}"
        );
    }
}
