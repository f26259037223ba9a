//! The translation of resources of the corpus shaders, checked on lines of the output.

use std::sync::Arc;

use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingFile, BindingModel, DefaultBindings, DescriptorKind, HeapPlace,
    HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::{Error, Options, Target, convert};

use crate::common::{self, count, has, shader};

fn lines(name: &str) -> Vec<String> {
    common::lines(name, &Options::default())
}

/// Of the five UAVs with elements one is only consumed. Coherent ones may be written elsewhere.
#[test]
fn buffers_that_are_only_read_are_not_writable() {
    assert_eq!(count(&lines("buffers/counters.dxil"), "NonWritable"), 1);
    assert_eq!(
        count(&lines("buffers/globally_coherent.dxil"), "NonWritable"),
        0
    );
}

#[test]
fn unbounded_arrays_are_runtime_arrays() {
    let l = lines("resources/unbounded_array.dxil");
    assert!(has(&l, &["OpCapability RuntimeDescriptorArray"]));
    assert!(has(&l, &["OpTypeRuntimeArray"]));
}

#[test]
fn non_uniform_indices_are_decorated() {
    let l = lines("resources/descriptor_heap_nonuniform.dxil");
    assert!(has(&l, &["OpCapability ShaderNonUniform"]));
    assert!(
        count(&l, "NonUniform") > 3,
        "index, access chain, loaded object"
    );
}

#[test]
fn views_of_a_heap_share_a_binding() {
    let l = lines("resources/descriptor_heap.dxil");
    assert!(
        count(&l, "Binding 5000") >= 2,
        "several views of the resource heap"
    );
}

#[test]
fn the_heap_has_the_binding_of_the_model() {
    let model = BindingFile::parse(
        r#"{ "heaps": { "resource": { "set": 7, "binding": 9 } } }"#,
        DefaultBindings::default(),
    )
    .expect("good file");
    let options = Options::default().with_bindings(Arc::new(model));
    let l = common::lines("resources/descriptor_heap.dxil", &options);
    assert_eq!(count(&l, "Binding 5000"), 0);
    assert!(count(&l, "Binding 9") >= 2 && count(&l, "DescriptorSet 7") >= 2);
}

#[test]
fn counters_are_buffers_of_their_own() {
    let l = lines("buffers/counters.dxil");
    assert!(has(&l, &["OpAtomicIAdd"]) && has(&l, &["OpAtomicISub"]));
    assert!(
        l.iter().any(|l| l.contains("Binding 40")),
        "counters start at binding 4000"
    );
}

#[test]
fn images_with_atomics_have_a_format() {
    let l = lines("atomics/texture.dxil");
    assert!(has(&l, &["OpTypeImage", "R32ui"]) && has(&l, &["OpImageTexelPointer"]));
    let l = lines("atomics/typed_64.dxil");
    assert!(
        has(&l, &["OpTypeImage", "R64ui"])
            && has(&l, &["OpCapability Int64ImageEXT"])
            && has(&l, &["OpCapability Int64Atomics"])
    );
}

/// In DXIL the views of both widths have the same properties.
#[test]
fn heap_images_with_64_bit_atomics_are_apart() {
    let l = lines("atomics/heap_typed_64.dxil");
    assert!(has(&l, &["OpTypeImage", "2D", "R64ui"]) && has(&l, &["OpTypeImage", "2D", "R32ui"]));
    assert!(has(&l, &["OpTypeImage", "Buffer", "R64ui"]));
    assert_eq!(count(&l, "Aliased"), 3);
}

#[test]
fn floats_that_are_compared_are_words() {
    let l = lines("atomics/float_compare_typed.dxil");
    assert_eq!(count(&l, "OpAtomicCompareExchange"), 3);
    assert!(
        has(&l, &["OpTypeImage", "2D", "R32ui"]) && has(&l, &["OpTypeImage", "Buffer", "R32ui"])
    );
    assert!(!has(&l, &["R32f"]));
}

#[test]
fn globally_coherent_is_a_decoration() {
    for name in [
        "buffers/globally_coherent.dxil",
        "buffers/globally_coherent.sm66.dxil",
        "barriers/memory_flags.dxil",
    ] {
        assert!(has(&lines(name), &["OpDecorate", "Coherent"]), "{name}");
    }
}

#[test]
fn rasterizer_order_is_one_critical_section() {
    for name in [
        "resources/rasterizer_ordered.dxil",
        "resources/rasterizer_ordered.sm66.dxil",
    ] {
        let l = lines(name);
        assert_eq!(count(&l, "OpBeginInvocationInterlockEXT"), 1, "{name}");
        assert_eq!(
            count(&l, "OpEndInvocationInterlockEXT"),
            count(&l, "OpReturn"),
            "{name}"
        );
        assert!(
            has(&l, &["OpExecutionMode", "PixelInterlockOrderedEXT"]),
            "{name}"
        );
    }
}

#[test]
fn sparse_status_needs_sparse_instructions() {
    let l = lines("textures/sparse_status.dxil");
    assert!(
        has(&l, &["OpCapability SparseResidency"]) && has(&l, &["OpImageSparseTexelsResident"])
    );
    let l = lines("textures/sample_2d.dxil");
    assert_eq!(count(&l, "Sparse"), 0, "only where the status is used");
}

/// Puts constant buffers into storage buffers, which works, and textures into samplers, which
/// cannot.
struct Odd;

impl BindingModel for Odd {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let kind = match query.class {
            trellis_dxil_frontend::shader::ResourceClass::CBuffer => {
                Some(DescriptorKind::StorageBuffer)
            }
            trellis_dxil_frontend::shader::ResourceClass::Srv => Some(DescriptorKind::Sampler),
            trellis_dxil_frontend::shader::ResourceClass::Sampler => {
                return Err(BindingError::model("no samplers here"));
            }
            trellis_dxil_frontend::shader::ResourceClass::Uav => None,
        };
        Ok(Binding::new(Place::Descriptor {
            set: 0,
            binding: query.register,
            kind,
        }))
    }
    fn heap(&self, _: &HeapQuery) -> Result<HeapPlace, BindingError> {
        Err(BindingError::model("no heaps here"))
    }
}

#[test]
fn descriptor_kinds_are_honoured_or_refused() {
    let options = Options::default().with_bindings(Arc::new(Odd));
    let l = common::lines("cbuffers/legacy.dxil", &options);
    assert_eq!(
        count(&l, "OpTypePointer Uniform "),
        0,
        "the constant buffers are storage buffers"
    );
    assert!(has(
        &lines("cbuffers/legacy.dxil"),
        &["OpTypePointer Uniform "]
    ));
    let refused = |name: &str| match convert(&shader(name), &options) {
        Err(Error::Binding { resource, reason }) => format!("{resource}: {reason}"),
        other => panic!(
            "{name}: expected a binding error, found {:?}",
            other.map(|o| o.words.len())
        ),
    };
    assert!(refused("textures/sample_2d.dxil").contains("kind sampler is not supported"));
    assert!(
        refused("resources/descriptor_heap.dxil").contains("no heaps here")
            || refused("resources/descriptor_heap.dxil").contains("kind sampler")
    );
}

#[test]
fn older_targets_declare_extensions() {
    let options = Options::default().with_target(Target::Vulkan1_1);
    let l = common::lines("resources/unbounded_array.dxil", &options);
    assert!(has(&l, &["OpExtension", "SPV_EXT_descriptor_indexing"]));
}
