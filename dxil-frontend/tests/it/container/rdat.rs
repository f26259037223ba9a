//! Runtime data of libraries (`RDAT`).

use super::*;

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
