//! Raw and structured buffers, and counters, as texel buffers of words.

use std::sync::Arc;

use shader_testkit::{corpus, shader, shaders};
use trellis_dxil_frontend::shader::{ResourceClass, ResourceKind};
use trellis_spirv_backend::bindings::{
    Binding, BindingError, BindingModel, DefaultBindings, DescriptorKind, FreeBindings, HeapPlace,
    HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::{Options, convert_all, convert_entry, disassemble};

/// The default bindings, but for buffers.
struct Texels;

fn kind(class: ResourceClass, kind: ResourceKind, counter: bool) -> Option<DescriptorKind> {
    match kind {
        _ if counter => Some(DescriptorKind::StorageTexelBuffer),
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => Some(match class {
            ResourceClass::Uav => DescriptorKind::StorageTexelBuffer,
            _ => DescriptorKind::UniformTexelBuffer,
        }),
        _ => None,
    }
}

fn with_kind(place: Place, kind: Option<DescriptorKind>) -> Place {
    match place {
        Place::Descriptor { set, binding, .. } => Place::Descriptor { set, binding, kind },
        other => other,
    }
}

impl BindingModel for Texels {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<Binding, BindingError> {
        let natural = DefaultBindings::default().bind(query)?;
        let place = with_kind(natural.place, kind(query.class, query.kind, false));
        let counter = kind(query.class, query.kind, true);
        let binding = Binding::new(place);
        Ok(match natural.counter {
            Some(place) => binding.with_counter(with_kind(place, counter)),
            None => binding,
        })
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        let mut place = DefaultBindings::default().heap(query)?;
        place.kind = kind(query.class, query.kind, query.counter);
        Ok(place)
    }

    fn free_bindings(&self) -> Option<FreeBindings> {
        DefaultBindings::default().free_bindings()
    }
}

fn options() -> Options {
    Options::default()
        .with_bindings(Arc::new(Texels))
        .with_validate(cfg!(feature = "validate"))
}

/// Returns how many instructions of the output have a text.
fn count(name: &str, options: &Options, text: &str) -> usize {
    let dxil = shader(name);
    let output = convert_all(&dxil, options).unwrap().remove(0);
    let assembly = disassemble(
        &output
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .words,
    );
    let assembly = assembly.unwrap();
    assembly.lines().filter(|line| line.contains(text)).count()
}

#[test]
fn buffers_are_images_of_words() {
    let (plain, texels) = (Options::default(), options());
    let raw = "buffers/byte_address.dxil";
    for (name, text, number) in [
        (raw, "OpTypeImage", 2),
        (raw, "StorageBuffer", 0),
        ("buffers/counters.dxil", "OpImageTexelPointer", 4),
        ("textures/dimensions.dxil", "OpImageQuerySize ", 8),
    ] {
        let (before, after) = (count(name, &plain, text), count(name, &texels, text));
        assert_eq!(after, number, "{name}: {text}");
        assert_ne!(before, number, "{name}: {text}");
    }
    for text in ["OpImageFetch", "OpImageRead", "OpImageWrite"] {
        assert_eq!(count(raw, &plain, text), 0, "{text}");
        assert!(count(raw, &texels, text) > 0, "{text}");
    }
}

/// A load is mapped if all its texels are; storage buffers are always mapped.
#[test]
fn loads_have_a_status() {
    let (plain, texels) = (Options::default(), options());
    let sparse = "textures/sparse_status.dxil";
    for (name, text, before, after) in [
        (sparse, "OpImageSparseFetch", 2, 7),
        (sparse, "OpImageSparseTexelsResident", 10, 15),
        (
            "textures/sparse_status_more.dxil",
            "OpImageSparseRead",
            2,
            6,
        ),
        ("vectors/buffers.dxil", "OpImageSparseFetch", 0, 9),
    ] {
        assert_eq!(count(name, &plain, text), before, "{name}: {text}");
        assert_eq!(count(name, &texels, text), after, "{name}: {text}");
    }
}

/// A number of 16 bits is half of a word: its store is two atomic operations, so that another
/// invocation may store the other half.
#[test]
fn halves_of_words_are_stored_atomically() {
    let name = "buffers/raw_unaligned_widths.dxil";
    let and = count(name, &options(), "OpAtomicAnd");
    assert!(and > 0);
    assert_eq!(and, count(name, &options(), "OpAtomicOr"));
    assert_eq!(count(name, &Options::default(), "OpAtomicAnd"), 0);
}

#[test]
fn every_shader_converts_but_for_atomics_of_64_bits() {
    let (mut converted, mut refused) = (0, Vec::new());
    for (name, bytes) in shaders() {
        let bindings = corpus().join(&name).with_extension("bindings.json");
        if bindings.exists() {
            continue;
        }
        let input = trellis_dxil_frontend::read(&bytes).unwrap();
        for entry in input.shader.shaders() {
            let plain = convert_entry(&input, entry, &Options::default());
            match convert_entry(&input, entry, &options()) {
                Ok(_) => converted += 1,
                Err(_) if plain.is_err() => {}
                Err(error) => {
                    let text = error.to_string();
                    let expected = "an atomic operation of 64 bits";
                    assert!(text.contains(expected), "{name}: {text}");
                    refused.push(name.clone());
                }
            }
        }
    }
    assert!(converted > 600, "{converted}");
    assert!((1..=6).contains(&refused.len()), "{refused:?}");
}
