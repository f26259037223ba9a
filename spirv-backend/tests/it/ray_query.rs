//! The translation of ray queries.

use trellis_spirv_backend::{Options, Target};

use crate::common::{self, count};

fn lines(name: &str, options: &Options) -> Vec<String> {
    common::lines(&format!("ray_query/{name}.dxil"), options)
}

#[test]
fn a_query_is_one_variable() {
    let l = lines("candidates", &Options::default());
    assert_eq!(count(&l, "OpTypeRayQueryKHR"), 1);
    assert_eq!(count(&l, "OpCapability RayQueryKHR"), 1);
    assert_eq!(count(&l, "OpExtension \"SPV_KHR_ray_query\""), 1);
    assert_eq!(
        count(&l, "OpCapability RayTraversalPrimitiveCullingKHR"),
        0,
        "no flag skips a kind of primitive"
    );
    for (instruction, times) in [
        ("OpRayQueryInitializeKHR", 1),
        ("OpRayQueryProceedKHR", 2),
        ("OpRayQueryConfirmIntersectionKHR", 1),
        ("OpRayQueryGenerateIntersectionKHR", 1),
        ("OpRayQueryTerminateKHR", 1),
        // Read by component or element, queried once.
        ("OpRayQueryGetIntersectionObjectToWorldKHR", 1),
        ("OpRayQueryGetIntersectionWorldToObjectKHR", 1),
        ("OpRayQueryGetIntersectionBarycentricsKHR", 1),
        ("OpRayQueryGetWorldRayOriginKHR", 1),
    ] {
        assert_eq!(count(&l, instruction), times, "{instruction}");
    }
}

#[test]
fn instance_numbers_swap_names() {
    let l = lines("closest_hit", &Options::default());
    let position = |part: &str| {
        l.iter()
            .position(|l| l.contains(part))
            .unwrap_or_else(|| panic!("no {part}"))
    };
    // The shader reads `CommittedInstanceID` in addition to the ray's T, and for
    // `CommittedInstanceIndex` last of all numbers.
    assert!(
        position("OpRayQueryGetIntersectionInstanceCustomIndexKHR")
            < position("OpRayQueryGetIntersectionPrimitiveIndexKHR")
    );
    assert!(
        position("OpRayQueryGetIntersectionInstanceIdKHR")
            > position("OpRayQueryGetIntersectionGeometryIndexKHR")
    );
}

#[test]
fn matrices_are_columns() {
    let l = lines("closest_hit", &Options::default());
    let matrix = l
        .iter()
        .find(|l| l.contains("OpRayQueryGetIntersectionObjectToWorldKHR"))
        .expect("a matrix");
    let id = matrix.split(' ').next().expect("an id");
    let mut elements: Vec<(u32, u32)> = Vec::new();
    for line in l
        .iter()
        .filter(|l| l.contains("OpCompositeExtract") && l.split(' ').any(|word| word == id))
    {
        let words: Vec<&str> = line.split(' ').collect();
        let [.., column, row] = words[..] else {
            panic!("{line}")
        };
        elements.push((
            column.parse().expect("a column"),
            row.parse().expect("a row"),
        ));
    }
    elements.sort_unstable();
    let all: Vec<(u32, u32)> = (0..4)
        .flat_map(|column| (0..3).map(move |row| (column, row)))
        .collect();
    assert_eq!(elements, all, "four columns of three rows");
}

#[test]
fn flags_of_the_query_and_of_the_ray() {
    // `RAY_FLAG_FORCE_OPAQUE` (1) of the query, `RAY_FLAG_CULL_BACK_FACING_TRIANGLES` (16) of the
    // ray.
    let l = lines("closest_hit", &Options::default());
    let constant = l
        .iter()
        .find(|l| l.contains("OpConstant ") && l.ends_with(" 17"))
        .expect("both flags");
    let id = constant.split(' ').next().expect("an id");
    let initialize = l
        .iter()
        .find(|l| l.contains("OpRayQueryInitializeKHR"))
        .expect("a ray");
    assert_eq!(initialize.split(' ').nth(3), Some(id), "{initialize}");
}

#[test]
fn without_a_hit_the_ray_ends_at_t_max() {
    let l = lines("closest_hit", &Options::default());
    let t = l
        .iter()
        .position(|l| l.contains("OpRayQueryGetIntersectionTKHR"))
        .expect("T");
    let id = l[t].split(' ').next().expect("an id");
    let select = l
        .iter()
        .find(|l| l.contains("OpSelect ") && l.split(' ').any(|word| word == id));
    assert!(
        select.is_some(),
        "{id} is taken only when a hit is committed"
    );
    let locals = |l: &[String]| {
        l.iter()
            .filter(|l| l.contains("OpVariable ") && l.ends_with(" Function"))
            .count()
    };
    assert_eq!(locals(&l), 2, "the query and its `TMax`");
    assert_eq!(
        locals(&lines("pixel", &Options::default())),
        1,
        "nothing reads T"
    );
}

#[test]
fn the_structure_is_a_descriptor() {
    let l = lines("pixel", &Options::default());
    assert_eq!(count(&l, "OpTypeAccelerationStructureKHR"), 1);
    assert_eq!(count(&l, "Binding 1000"), 1, "register t0");
    let old = lines("pixel", &Options::default().with_target(Target::Vulkan1_1));
    assert_eq!(count(&old, "OpRayQueryInitializeKHR"), 1);
}

#[test]
fn queries_that_are_chosen_at_run_time_are_elements_of_an_array() {
    for shader in ["array_of_queries", "array_of_queries.od"] {
        let l = lines(shader, &Options::default());
        let query = l
            .iter()
            .find_map(|l| l.strip_suffix(" = OpTypeRayQueryKHR"))
            .expect("the type");
        assert_eq!(count(&l, &format!("OpTypeArray {query} ")), 1, "{shader}");
        let element = l
            .iter()
            .find_map(|l| l.split_once(&format!(" = OpTypePointer Function {query}")))
            .expect("a pointer to an element")
            .0;
        assert!(
            count(&l, &format!("OpAccessChain {element} ")) >= 3,
            "{shader}"
        );
        assert!(count(&l, "OpRayQueryProceedKHR") >= 2, "{shader}");
    }
}
