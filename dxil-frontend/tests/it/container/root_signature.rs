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

/// Many tables that share one list of ranges would multiply it.
#[test]
fn tables_that_share_ranges() {
    let mut w = vec![1, 100, 24, 0, 24, 0];
    for _ in 0..100 {
        w.extend([0, 0, 24 + 1200]);
    }
    w.extend([20, 24 + 1200 + 8]);
    w.extend([0; 100]);
    let e = RootSignature::read_bytes(&words(&w)).unwrap_err();
    assert_eq!(
        e.to_string(),
        "RTS0 part: range count is 20, expected no more ranges in all tables than the data holds (byte offset 0x4c8)"
    );
}
