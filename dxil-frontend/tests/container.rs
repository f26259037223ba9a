//! Containers and their parts: facts of real ones, and typed errors with offsets for malformed
//! ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use trellis_dxil_frontend::container::*;
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind, ShaderKind};
use trellis_dxil_frontend::{Error, read};

macro_rules! data {
    ($name:literal) => {
        &include_bytes!(concat!("data/", $name, ".dxil"))[..]
    };
}

/// A container of the given parts with a zero hash.
fn container(parts: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut out = b"DXBC".to_vec();
    out.extend([0; 16]);
    out.extend([1, 0, 0, 0]);
    out.extend([0; 4]);
    out.extend((parts.len() as u32).to_le_bytes());
    let mut offset = 32 + 4 * parts.len();
    for (_, data) in parts {
        out.extend((offset as u32).to_le_bytes());
        offset += 8 + data.len();
    }
    for (name, data) in parts {
        out.extend(name);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(data);
    }
    let size = (out.len() as u32).to_le_bytes();
    out[24..28].copy_from_slice(&size);
    out
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn patch(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

/// The text of an error from opening changed bytes.
fn open_error(change: impl Fn(&mut Vec<u8>)) -> String {
    let mut bytes = data!("pixel").to_vec();
    change(&mut bytes);
    Container::open(&bytes).unwrap_err().to_string()
}

#[test]
fn parts_and_programs() {
    let c = Container::open(data!("pixel_debug")).unwrap();
    let names: Vec<String> = c.parts().map(|p| p.fourcc.to_string()).collect();
    assert_eq!(
        names,
        [
            "SFI0", "ISG1", "OSG1", "PSV0", "ILDB", "STAT", "ILDN", "HASH", "DXIL"
        ]
    );
    let programs: Vec<Program> = c.programs().map(Result::unwrap).collect();
    assert_eq!(
        programs.iter().map(|p| p.part).collect::<Vec<_>>(),
        [FourCC::DEBUG_PROGRAM, FourCC::STATISTICS, FourCC::DXIL]
    );
    for p in &programs {
        assert_eq!(
            (p.kind, p.model.major, p.dxil_version.minor),
            (ShaderKind::Pixel, 6, 0)
        );
        assert_eq!(&p.bitcode[..4], b"BC\xC0\xDE");
        assert_eq!(&c.bytes()[p.offset..p.offset + p.bitcode.len()], p.bitcode);
    }
    assert_eq!(c.main_program().unwrap().part, FourCC::DXIL);
    assert!(c.debug_name().unwrap().unwrap().contains(".pdb"));
    let digest = c.shader_hash().unwrap().unwrap().digest;
    assert_eq!(
        format!("{:02x}{:02x}", digest[0], digest[1]),
        &c.debug_name().unwrap().unwrap()[..4]
    );
    assert!(
        c.root_signature().unwrap().is_none()
            && c.compiler_version().unwrap().is_none()
            && c.runtime_data().unwrap().is_none()
    );
}

#[test]
fn malformed_headers() {
    assert_eq!(
        open_error(|b| b[0] = b'X'),
        "DXBC part: the input begins with \"XXBC\", expected \"DXBC\", \"BC\" C0DE or 0x0B17C0DE (byte offset 0x0)"
    );
    assert_eq!(
        open_error(|b| b[20] = 9),
        "DXBC part: major version is 9, expected 1 (byte offset 0x14)"
    );
    assert_eq!(
        open_error(|b| b.truncate(31)),
        "DXBC part: container needs 5540 bytes, 31 remain (byte offset 0x18)"
    );
    assert_eq!(
        open_error(|b| b.truncate(10)),
        "DXBC part: hash needs 16 bytes, 6 remain (byte offset 0x4)"
    );
    assert_eq!(
        open_error(|b| patch(b, 24, 31)),
        "DXBC part: container size is 31, expected at least 32 (byte offset 0x18)"
    );
    assert_eq!(
        open_error(|b| patch(b, 28, u32::MAX)),
        "DXBC part: part table needs 17179869180 bytes, 5508 remain (byte offset 0x20)"
    );
    assert_eq!(
        open_error(|b| patch(b, 32, 5533)),
        "DXBC part: part offset 5533 is out of range, expected less than 5533 (byte offset 0x20)"
    );
    assert_eq!(
        open_error(|b| patch(b, 36, 8)),
        "DXBC part: part offset 8 is out of range, expected less than 5533 (byte offset 0x24)"
    );
    let isg1 = Container::open(data!("pixel"))
        .unwrap()
        .part(FourCC::INPUT_SIGNATURE)
        .unwrap()
        .offset;
    let e = open_error(|b| patch(b, isg1 - 4, 9_999_999));
    assert!(
        e.starts_with("ISG1 part: part needs 9999999 bytes, "),
        "{e}"
    );
    assert!(
        e.ends_with(&format!("(byte offset {:#x})", isg1 - 4)),
        "{e}"
    );
    let empty = container(&[]);
    assert_eq!(
        Container::open(&empty)
            .unwrap()
            .main_program()
            .unwrap_err()
            .kind,
        ContainerErrorKind::NoProgram
    );
}

#[test]
fn every_truncation_is_an_error() {
    for name in [data!("pixel"), data!("library")] {
        for len in 0..name.len() {
            assert!(Container::open(&name[..len]).is_err(), "{len}");
        }
    }
}

#[test]
fn front_door() {
    let bytes = data!("pixel");
    let c = Container::open(bytes).unwrap();
    let bitcode = c.main_program().unwrap().bitcode;
    let raw = read(bitcode).unwrap();
    assert!(raw.container.is_none());
    let mut wrapped = words(&[0x0B17_C0DE, 0, 20, bitcode.len() as u32, 0]);
    wrapped.extend(bitcode);
    assert_eq!(read(&wrapped).unwrap().shader, raw.shader);
    assert!(matches!(read(b"hello").unwrap_err(), Error::Container(_)));
    assert!(matches!(read(b"").unwrap_err(), Error::Container(_)));
    assert!(matches!(
        read(b"BC\xC0\xDE").unwrap_err(),
        Error::Bitcode(_)
    ));
}

#[test]
fn malformed_programs() {
    let error = |data: Vec<u8>| {
        Container::open(&container(&[(*b"DXIL", data)]))
            .unwrap()
            .main_program()
            .unwrap_err()
            .to_string()
    };
    // The part's data begins at 36 + 8.
    assert_eq!(
        error(vec![]),
        "DXIL part: program version needs 4 bytes, 0 remain (byte offset 0x2c)"
    );
    assert_eq!(
        error(words(&[99 << 16, 2])),
        "DXIL part: shader kind is 99, expected 0 to 15 (byte offset 0x2c)"
    );
    assert_eq!(
        error(words(&[0x60, 3])),
        "DXIL part: program size in words is 3, expected no more than the part holds (byte offset 0x30)"
    );
    assert_eq!(
        error(words(&[0x60, 2, 7])),
        "DXIL part: bitcode header magic is 7, expected 0x4c495844 (\"DXIL\") (byte offset 0x34)"
    );
    let dxil = u32::from_le_bytes(*b"DXIL");
    assert_eq!(
        error(words(&[0x60, 6, dxil, 0x100, 99, 4])),
        "DXIL part: bitcode offset 107 is out of range, expected less than 25 (byte offset 0x44)"
    );
    assert_eq!(
        error(words(&[0x60, 6, dxil, 0x100, 16, 4])),
        "DXIL part: bitcode needs 4 bytes, 0 remain (byte offset 0x44)"
    );
    // An old statistics part is no program.
    let bytes = container(&[(*b"STAT", words(&[1, 2, 3, 4]))]);
    assert_eq!(Container::open(&bytes).unwrap().programs().count(), 0);
}

#[test]
fn hash_states() {
    // The container of an empty root signature 1.0, with the hash that D3D's own serializer writes
    // into it.
    let mut bytes = container(&[(*b"RTS0", words(&[1, 0, 24, 0, 24, 0]))]);
    bytes[4..20].copy_from_slice(&words(&[
        0xD64A_FC1D,
        0x5DC2_7735,
        0x9EDA_CB4A,
        0x6BD8_A7FA,
    ]));
    assert_eq!(
        Container::open(&bytes).unwrap().check_hash(),
        HashStatus::Valid
    );
    let mut bytes = container(&[(*b"PRIV", vec![7; 70])]);
    assert_eq!(
        Container::open(&bytes).unwrap().check_hash(),
        HashStatus::Unsigned
    );
    bytes[4..20].fill(2);
    assert_eq!(
        Container::open(&bytes).unwrap().check_hash(),
        HashStatus::Bypass
    );
    bytes[4..20].fill(9);
    let HashStatus::Invalid { stored, computed } = Container::open(&bytes).unwrap().check_hash()
    else {
        panic!("a wrong hash")
    };
    assert_eq!(stored, [9; 16]);
    bytes[4..20].copy_from_slice(&computed);
    assert_eq!(
        Container::open(&bytes).unwrap().check_hash(),
        HashStatus::Valid
    );
    bytes[60] ^= 1;
    assert!(matches!(
        Container::open(&bytes).unwrap().check_hash(),
        HashStatus::Invalid { .. }
    ));
}

#[test]
fn signatures() {
    let c = Container::open(data!("geometry")).unwrap();
    let input = c.input_signature().unwrap().unwrap();
    let facts: Vec<_> = input
        .iter()
        .map(|e| {
            (
                e.name,
                e.index,
                e.system_value,
                e.component_type,
                e.register,
                e.mask,
                e.usage_mask,
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("SV_Position", 0, 1, 3, 0, 15, 15),
            ("TEXCOORD", 0, 0, 3, 1, 3, 3),
            ("SV_PrimitiveID", 0, 7, 1, u32::MAX, 1, 0)
        ]
    );
    assert_eq!(c.output_signature().unwrap().unwrap().len(), 2);
    let hull = Container::open(data!("hull")).unwrap();
    assert_eq!(hull.patch_constant_signature().unwrap().unwrap().len(), 5);
    let error = |data: Vec<u8>| {
        Container::open(&container(&[(*b"ISG1", data)]))
            .unwrap()
            .input_signature()
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(words(&[u32::MAX, 8])),
        "ISG1 part: signature elements needs 137438953440 bytes, 0 remain (byte offset 0x34)"
    );
    assert_eq!(
        error(words(&[1, 99])),
        "ISG1 part: element offset 99 is out of range, expected less than 9 (byte offset 0x34)"
    );
    let mut element = words(&[1, 8, 0, 500, 0, 0, 0, 0, 0, 0]);
    assert_eq!(
        error(element.clone()),
        "ISG1 part: semantic name 500 is out of range, expected less than 40 (byte offset 0x34)"
    );
    patch(&mut element, 12, 39);
    element[39] = b'A';
    assert_eq!(
        error(element),
        "ISG1 part: semantic name is no NUL-terminated UTF-8 string (byte offset 0x53)"
    );
}

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
    // Every truncation of the part's content is an error or, at the very end, complete.
    for len in 0..end - start {
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

#[test]
fn root_signature_1_1() {
    let c = Container::open(data!("compute")).unwrap();
    let r = c.root_signature().unwrap().unwrap();
    assert_eq!((r.minor_version, r.flags, r.parameters.len()), (1, 0, 6));
    assert_eq!(
        r.parameters[0].kind,
        RootParameterKind::Constants {
            register: 3,
            space: 0,
            count: 4
        }
    );
    assert_eq!(
        r.parameters[1].kind,
        RootParameterKind::Cbv(RootDescriptor {
            register: 0,
            space: 0,
            flags: 0
        })
    );
    let RootParameterKind::Table(ranges) = &r.parameters[3].kind else {
        panic!("a table")
    };
    let unbounded = DescriptorRange {
        kind: ResourceClass::Srv,
        count: u32::MAX,
        register: 3,
        space: 2,
        flags: 1,
        offset: u32::MAX,
    };
    assert_eq!(ranges[1], unbounded);
    assert_eq!(
        r.parameters[5].kind,
        RootParameterKind::Uav(RootDescriptor {
            register: 0,
            space: 0,
            flags: 2
        })
    );
    let s = &r.static_samplers[0];
    assert_eq!(
        (s.filter, s.address, s.register, s.max_lod),
        (21, [3, 1, 1], 3, f32::MAX)
    );
}

/// A root signature: version, one table with one range, one static sampler.
fn root_signature(version: u32) -> Vec<u8> {
    let mut w = vec![version, 1, 24, 1, 68, 0x10, 0, 5, 36, 1, 44];
    w.extend([1, 8, 2, 4]);
    if version >= 2 {
        w.push(3);
    }
    w.push(7);
    w.resize(17, 0);
    let mut data = words(&w);
    data.extend(words(&[
        0x15,
        1,
        2,
        3,
        0.5f32.to_bits(),
        16,
        4,
        1,
        0,
        9.0f32.to_bits(),
        6,
        8,
        5,
    ]));
    if version >= 3 {
        data.extend(words(&[1]));
    }
    data
}

#[test]
fn root_signature_versions() {
    for version in 1..=3 {
        let r = RootSignature::read_bytes(&root_signature(version)).unwrap();
        assert_eq!(
            (r.minor_version, r.flags, r.parameters[0].visibility),
            (version - 1, 0x10, 5)
        );
        let RootParameterKind::Table(ranges) = &r.parameters[0].kind else {
            panic!("a table")
        };
        let flags = if version >= 2 { 3 } else { 0 };
        assert_eq!(
            ranges[..],
            [DescriptorRange {
                kind: ResourceClass::Uav,
                count: 8,
                register: 2,
                space: 4,
                flags,
                offset: 7
            }]
        );
        let s = r.static_samplers[0];
        assert_eq!(
            (
                s.address,
                s.mip_lod_bias,
                s.max_lod,
                s.register,
                s.space,
                s.visibility
            ),
            ([1, 2, 3], 0.5, 9.0, 6, 8, 5)
        );
        assert_eq!(s.flags, u32::from(version == 3));
    }
}

#[test]
fn malformed_root_signatures() {
    let error = |at: usize, value: u32| {
        let mut data = root_signature(2);
        patch(&mut data, 4 * at, value);
        RootSignature::read_bytes(&data).unwrap_err().to_string()
    };
    assert_eq!(
        error(0, 4),
        "RTS0 part: version is 4, expected 1 (1.0), 2 (1.1) or 3 (1.2) (byte offset 0x0)"
    );
    assert_eq!(
        error(1, u32::MAX),
        "RTS0 part: parameters needs 51539607540 bytes, 96 remain (byte offset 0x18)"
    );
    assert_eq!(
        error(4, 121),
        "RTS0 part: static sampler offset 121 is out of range, expected less than 121 (byte offset 0x18)"
    );
    assert_eq!(
        error(6, 5),
        "RTS0 part: parameter type is 5, expected 0 to 4 (byte offset 0x18)"
    );
    assert_eq!(
        error(7, 8),
        "RTS0 part: shader visibility is 8, expected 0 to 7 (byte offset 0x1c)"
    );
    assert_eq!(
        error(9, 1 << 30),
        "RTS0 part: descriptor ranges needs 25769803776 bytes, 76 remain (byte offset 0x2c)"
    );
    assert_eq!(
        error(11, 4),
        "RTS0 part: range type is 4, expected 0 to 3 (byte offset 0x2c)"
    );
    // Many tables that share one list of ranges would multiply it.
    let mut w = vec![1, 100, 24, 0, 24, 0];
    for _ in 0..100 {
        w.extend([0, 0, 24 + 1200]);
    }
    w.extend([20, 24 + 1200 + 8]);
    w.extend([0; 100]);
    let e = RootSignature::read_bytes(&words(&w))
        .unwrap_err()
        .to_string();
    assert_eq!(
        e,
        "RTS0 part: range count is 20, expected no more ranges in all tables than the data holds (byte offset 0x4c8)"
    );
}

#[test]
fn runtime_data_of_a_library() {
    let c = Container::open(data!("library")).unwrap();
    let rdat = c.runtime_data().unwrap().unwrap();
    let resources: Vec<_> = rdat
        .resources()
        .map(Result::unwrap)
        .map(|r| (r.name, r.class, r.kind, r.space, r.upper_bound))
        .collect();
    assert_eq!(
        resources,
        [
            (
                "as",
                ResourceClass::Srv,
                ResourceKind::RTAccelerationStructure,
                0,
                0
            ),
            (
                "ts",
                ResourceClass::Srv,
                ResourceKind::Texture2D,
                1,
                u32::MAX
            ),
            ("o", ResourceClass::Uav, ResourceKind::Texture2D, 0, 0),
        ]
    );
    let functions: Vec<_> = rdat
        .functions()
        .map(Result::unwrap)
        .map(|f| {
            (
                f.unmangled_name,
                f.kind,
                f.payload_size,
                f.resources.iter().collect::<Vec<_>>(),
            )
        })
        .collect();
    assert_eq!(
        functions,
        [
            ("rg", Some(ShaderKind::RayGeneration), 0, vec![0, 2]),
            ("ch", Some(ShaderKind::ClosestHit), 16, vec![1]),
            ("ms", Some(ShaderKind::Miss), 16, vec![]),
            ("add", None, 0, vec![]),
        ]
    );
    let subobjects: Vec<_> = rdat.subobjects().map(Result::unwrap).collect();
    let names: Vec<_> = subobjects.iter().map(|s| s.name).collect();
    assert_eq!(names, ["grs", "cfg", "hg"]);
    let SubobjectKind::GlobalRootSignature(bytes) = subobjects[0].kind else {
        panic!("a root signature")
    };
    assert_eq!(
        RootSignature::read_bytes(bytes).unwrap().parameters.len(),
        1
    );
    assert_eq!(
        subobjects[1].kind,
        SubobjectKind::ShaderConfig {
            max_payload: 16,
            max_attributes: 8
        }
    );
    assert_eq!(
        subobjects[2].kind,
        SubobjectKind::HitGroup {
            ty: 0,
            any_hit: "",
            closest_hit: "ch",
            intersection: ""
        }
    );
}

#[test]
fn malformed_runtime_data() {
    let error = |data: Vec<u8>| {
        let bytes = container(&[(*b"RDAT", data)]);
        let c = Container::open(&bytes).unwrap();
        match c.runtime_data() {
            Err(e) => e.to_string(),
            Ok(r) => r
                .unwrap()
                .resources()
                .find_map(Result::err)
                .unwrap()
                .to_string(),
        }
    };
    assert_eq!(
        error(words(&[0x10, u32::MAX])),
        "RDAT part: part offsets needs 17179869180 bytes, 0 remain (byte offset 0x34)"
    );
    assert_eq!(
        error(words(&[0x10, 1, 99])),
        "RDAT part: part offset 99 is out of range, expected less than 13 (byte offset 0x38)"
    );
    assert_eq!(
        error(words(&[0x10, 1, 12, 3, 8, 2, 32])),
        "RDAT part: records needs 64 bytes, 0 remain (byte offset 0x48)"
    );
    assert_eq!(
        error(words(&[0x10, 1, 12, 3, 16, 1, 8, 9, 0])),
        "RDAT part: resource class is 9, expected 0 to 3 (byte offset 0x48)"
    );
    assert_eq!(
        error(words(&[0x10, 1, 12, 3, 16, 1, 8, 0, 2])),
        "RDAT part: number needs 4 bytes, 0 remain (byte offset 0x50)"
    );
    // A stride of zero: no records, and no time spent on four billion of them.
    let bytes = container(&[(*b"RDAT", words(&[0x10, 1, 12, 3, 8, u32::MAX, 0]))]);
    let c = Container::open(&bytes).unwrap();
    assert_eq!(c.runtime_data().unwrap().unwrap().resources().count(), 0);
}

#[test]
fn small_parts() {
    let mut vers = vec![1, 0, 8, 0];
    vers.extend(words(&[2, 4321, 11]));
    vers.extend(b"abc123\0dxc\0");
    let mut srci = words(&[36, 2 << 16]);
    srci.extend(words(&[12, 1 << 16, 0x6867_6665]));
    srci.extend(words(&[8, 2 << 16]));
    let mut pdbi = words(&[1 << 16, 4, 99]);
    pdbi.extend(b"zlib");
    let bytes = container(&[
        (*b"VERS", vers),
        (*b"SRCI", srci),
        (*b"PDBI", pdbi),
        (*b"XYZ!", vec![1, 2, 3]),
    ]);
    let c = Container::open(&bytes).unwrap();
    let v = c.compiler_version().unwrap().unwrap();
    assert_eq!(
        (v.major, v.minor, v.flags, v.commit_count, v.strings),
        (1, 8, 2, 4321, vec!["abc123", "dxc"])
    );
    let sections: Vec<_> = c
        .source_info()
        .unwrap()
        .unwrap()
        .iter()
        .map(|s| (s.kind, s.data.to_vec()))
        .collect();
    assert_eq!(sections, [(1, b"efgh".to_vec()), (2, vec![])]);
    let p = c.pdb_info().unwrap().unwrap();
    assert_eq!(
        (p.version, p.compression, p.uncompressed_size, p.data),
        (0, 1, 99, &b"zlib"[..])
    );
    assert_eq!(c.part(FourCC(*b"XYZ!")).unwrap().data, [1, 2, 3]);
}

#[test]
fn malformed_small_parts() {
    let bytes = container(&[
        (*b"VERS", words(&[0, 0, 0, 9])),
        (*b"SRCI", words(&[16, 1 << 16, 7, 0])),
        (*b"PDBI", words(&[0, 5, 5])),
        (*b"HASH", vec![0; 19]),
        (*b"ILDN", vec![0, 0, 9, 0, b'a']),
        (*b"SFI0", vec![0; 7]),
    ]);
    let c = Container::open(&bytes).unwrap();
    let at = |name: &[u8; 4], plus: usize| {
        format!(
            "(byte offset {:#x})",
            c.part(FourCC(*name)).unwrap().offset + plus
        )
    };
    assert_eq!(
        c.compiler_version().unwrap_err().to_string(),
        format!(
            "VERS part: string list needs 9 bytes, 0 remain {}",
            at(b"VERS", 16)
        )
    );
    assert_eq!(
        c.source_info().unwrap_err().to_string(),
        format!(
            "SRCI part: section size is 7, expected at least 8 {}",
            at(b"SRCI", 8)
        )
    );
    assert_eq!(
        c.pdb_info().unwrap_err().to_string(),
        format!(
            "PDBI part: content needs 5 bytes, 0 remain {}",
            at(b"PDBI", 12)
        )
    );
    assert_eq!(
        c.shader_hash().unwrap_err().to_string(),
        format!(
            "HASH part: digest needs 16 bytes, 15 remain {}",
            at(b"HASH", 4)
        )
    );
    assert_eq!(
        c.debug_name().unwrap_err().to_string(),
        format!(
            "ILDN part: name needs 10 bytes, 1 remain {}",
            at(b"ILDN", 4)
        )
    );
    assert_eq!(
        c.feature_flags().unwrap_err().to_string(),
        format!(
            "SFI0 part: feature flags needs 8 bytes, 7 remain {}",
            at(b"SFI0", 0)
        )
    );
}
