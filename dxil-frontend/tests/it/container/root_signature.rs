//! Root signatures (`RTS0`).

use super::*;

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

/// Returns a root signature: version, one table with one range, one static sampler.
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
