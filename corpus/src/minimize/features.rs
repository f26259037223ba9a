//! The features of a shader: of its DXIL, its conversion, and its SPIR-V.
//!
//! A feature is a name such as `op:SampleLevel.f32`, `flag:5` or `spirv:OpSwitch`. Two shaders with
//! equal features use the same parts of the converter, as far as names show.

use std::collections::BTreeSet;

use trellis_dxil::frontend::Input;
use trellis_dxil::frontend::dxop::DxCall;
use trellis_dxil::frontend::shader::{EntryPoint, Properties, Resource};
use trellis_dxil::statistics::statistics;

use crate::converter::{Converted, Worker};
use crate::failure::Failure;
use crate::guard::guarded;

/// The names of a shader's features, sorted.
pub(super) type Features = BTreeSet<String>;

/// Returns the features of a file's contents.
pub(super) fn of(bytes: &[u8], worker: &mut dyn Worker) -> Features {
    let mut features = Features::new();
    let read = guarded(|| {
        let input = trellis_dxil::dxbc::read(bytes).map_err(|error| Failure::from(&error))?;
        let mut found = Features::new();
        of_input(&mut found, &input);
        Ok(found)
    });
    // Why it cannot be read is the failure of its conversion, too.
    features.extend(read.unwrap_or_default());
    let converted = guarded(|| {
        let mut found = Features::new();
        let mut opened = worker.open(bytes)?;
        for entry in 0..opened.entries().len() {
            match guarded(|| opened.convert(entry)) {
                Ok(converted) => of_output(&mut found, &converted),
                Err(failure) => of_failure(&mut found, &failure),
            }
        }
        opened.close();
        Ok(found)
    });
    match converted {
        Ok(found) => features.extend(found),
        Err(failure) => of_failure(&mut features, &failure),
    }
    features
}

fn of_failure(features: &mut Features, failure: &Failure) {
    features.insert(format!("failure:{}", failure.sort()));
}

fn of_output(features: &mut Features, converted: &Converted) {
    for (name, count) in converted.output.structurizer.named() {
        // Buckets by powers of two: 1, 2 to 3, 4 to 7, and so on.
        if let Some(bucket) = count.checked_ilog2() {
            features.insert(format!("structurizer:{name}:{}", 1_u64 << bucket));
        }
    }
    // Output that was verified has statistics.
    if let Ok(found) = statistics(&converted.output.words) {
        features.extend(found.opcodes.keys().map(|op| format!("spirv:Op{op}")));
        features.extend({ found.capabilities.iter() }.map(|name| format!("capability:{name}")));
        features.extend({ found.extensions.iter() }.map(|name| format!("extension:{name}")));
    }
}

fn of_input(features: &mut Features, input: &Input<'_>) {
    let shader = &input.shader;
    let (stage, model) = (shader.kind.name(), shader.model);
    features.insert(format!("stage:{stage}"));
    features.insert(format!("model:{}.{}", model.major, model.minor));
    features.insert(format!("stage:{stage}:{}.{}", model.major, model.minor));
    bits(features, "feature", shader.feature_flags);
    features.insert(format!("denorm:{}", shader.denorm_mode));
    if shader.native_low_precision {
        features.insert("native_low_precision".to_owned());
    }
    for (name, _) in &input.module.metadata.named {
        features.insert(format!("metadata:{name}"));
    }
    for resource in &shader.resources {
        of_resource(features, resource);
    }
    for entry in &shader.entry_points {
        of_entry(features, entry);
    }
    for function in input.module.functions.values() {
        for inst in function.insts.keys() {
            if let Ok(Some(call)) = DxCall::parse(&input.module, function, inst) {
                let (name, overload) = (call.info().name, call.overload_name());
                features.insert(match overload {
                    "" => format!("op:{name}"),
                    overload => format!("op:{name}.{overload}"),
                });
            }
        }
    }
}

fn bits(features: &mut Features, label: &str, flags: u64) {
    let set = (0..64).filter(|bit| flags >> bit & 1 != 0);
    features.extend(set.map(|bit| format!("{label}:{bit}")));
}

fn of_resource(features: &mut Features, resource: &Resource) {
    let kind = format!("resource:{:?}:{:?}", resource.class, resource.kind);
    if let Some(component) = resource.component {
        features.insert(format!("{kind}:{component:?}"));
    }
    for (name, has) in [
        ("array", resource.range_size > 1),
        ("coherent", resource.globally_coherent),
        ("counter", resource.has_counter),
        ("ordered", resource.rasterizer_ordered),
        ("multisampled", resource.sample_count > 1),
        ("feedback", resource.feedback_kind.is_some()),
        ("atomic64", resource.atomic64),
        ("reorder_coherent", resource.reorder_coherent),
        ("status", resource.has_status),
    ] {
        if has {
            features.insert(format!("{kind}:{name}"));
        }
    }
    features.insert(kind);
}

fn of_entry(features: &mut Features, entry: &EntryPoint) {
    features.insert(format!("entry:{}", entry.kind.name()));
    let properties = &entry.properties;
    bits(features, "flag", properties.flags);
    features.extend({ tags(properties).into_iter() }.map(|name| format!("property:{name}")));
    let tags = properties.other.iter();
    features.extend(tags.map(|(tag, _)| format!("tag:{tag}")));
    for (name, elements) in [
        ("input", &entry.signatures.input),
        ("output", &entry.signatures.output),
        ("patch", &entry.signatures.patch_constant),
    ] {
        for element in elements {
            let (semantic, mode) = (element.semantic, element.interpolation);
            features.insert(format!("{name}:{semantic:?}"));
            features.insert(format!("{name}:{:?}:{mode:?}", element.ty));
        }
    }
}

/// Returns the properties that an entry point has.
fn tags(properties: &Properties) -> Vec<&'static str> {
    let has = [
        ("num_threads", properties.num_threads.is_some()),
        ("wave_size", properties.wave_size.is_some()),
        ("geometry", properties.geometry.is_some()),
        ("domain", properties.domain.is_some()),
        ("hull", properties.hull.is_some()),
        ("mesh", properties.mesh.is_some()),
        ("amplification", properties.amplification.is_some()),
        ("payload_size", properties.payload_size.is_some()),
        ("attribute_size", properties.attribute_size.is_some()),
        (
            "auto_binding_space",
            properties.auto_binding_space.is_some(),
        ),
        ("root_signature", properties.root_signature.is_some()),
        ("node", properties.node.is_some()),
    ];
    let names = has.into_iter().filter(|(_, has)| *has);
    names.map(|(name, _)| name).collect()
}
