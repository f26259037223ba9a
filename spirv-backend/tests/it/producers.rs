//! Shaders that other producers than DXC write, and mistakes that DXC accepts.

use trellis_spirv_backend::{Options, convert};

use crate::common;

/// Converts a shader of `tests/data/producers`, and returns the lines that contain `part`.
fn lines(name: &str, part: &str) -> Vec<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/tests/data/producers/{name}.dxil");
    let output = convert(&std::fs::read(path).unwrap(), &Options::default());
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
    common::check_with_spirv_val(name, &output);
    let mut lines = common::lines_of(&output.words);
    lines.retain(|line| line.contains(part));
    lines
}

/// The result has the type of the image's texels, as SPIR-V requires.
#[test]
fn a_comparing_gather_of_integers() {
    assert_eq!(lines("gather_cmp_int", " OpImageDrefGather ").len(), 1);
}

/// The annotation of a handle decides which heap it is of.
#[test]
fn a_sampler_of_the_heap_of_resources() {
    for heap in ["%ResourceDescriptorHeap", "%SamplerDescriptorHeap"] {
        let uses = lines("sampler_of_resource_heap", heap);
        let chains = uses.iter().filter(|line| line.contains(" OpAccessChain "));
        assert_eq!(chains.count(), 1, "{uses:?}");
    }
}

/// The register of element 2 is 0xffffffff + 2.
#[test]
fn an_element_of_an_unregistered_array() {
    let chains = lines("unregistered", " %Layers ");
    let chain = chains.iter().find(|line| line.contains(" OpAccessChain "));
    let index = chain.and_then(|line| line.split(' ').next_back()).unwrap();
    let constant = lines("unregistered", &format!("{index} = OpConstant "));
    assert!(constant[0].ends_with(" 2"), "{constant:?}");
}
