//! Compute shaders whose resources are where a translation layer has them: root descriptors at device
//! addresses, descriptor tables with buffers that begin within their descriptors, and raw and structured
//! buffers as texel buffers. The results must be those that the test files expect.

use std::sync::Arc;

use gpu_test::bind::{Bound, bind};
use gpu_test::case::Case;
use gpu_test::execute;
use gpu_test::spirv_module::{self, Resource, SpirvModule};
use gpu_test::vulkan::{
    Binding, Device, Element, Error, Job, Object, StageCode, Work, missing_capability, vk,
};
use trellis_dxil_interpreter::dispatch::{Class, Kind, Place as Register};
use trellis_spirv_backend::bindings::{
    self, BindingError, BindingModel, DefaultBindings, DescriptorKind, HeapBinding, HeapPlace,
    HeapQuery, Place, ResourceQuery,
};
use trellis_spirv_backend::{Options, convert};

use crate::common;

/// The set of everything that is not where the other tests have it, and its bindings.
const SET: u32 = 7;
const ROOT: u32 = 0;
const BUFFERS: u32 = 1;
const COUNTERS: u32 = 2;
const OFFSETS: u32 = 3;
/// The root constant that holds the start of the table, and its value.
const TABLE: (u32, u32) = (2, 5);
/// Bytes of a descriptor before its buffer.
const PADDING: usize = 16;

/// Where the buffers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Root descriptors.
    Root,
    /// A table, with offsets, and counters by address.
    Table,
    /// Where the other tests have them, but as texel buffers of words.
    Texels,
}

const LAYOUTS: [Layout; 3] = [Layout::Root, Layout::Table, Layout::Texels];

/// The binding model of a case: its single buffers are in the layout, by their number in the file.
struct Model {
    layout: Layout,
    case: Case,
}

impl Model {
    /// Returns the number of the single buffer that a query is about.
    fn number(&self, query: &ResourceQuery<'_>) -> Option<u32> {
        use trellis_dxil_frontend::shader::ResourceClass as C;
        if query.range_size != 1 {
            return None;
        }
        let count = self.case.bindings().len();
        let scene = |s: &trellis_dxil_interpreter::dispatch::Scene| {
            (s.space, s.register) == (query.space, query.register)
        };
        if query.kind == trellis_dxil_frontend::shader::ResourceKind::RTAccelerationStructure {
            let at = self.case.scenes().position(scene)?;
            return Some((2 * count + at) as u32);
        }
        let place = Register {
            class: match query.class {
                C::Srv => Class::Srv,
                C::Uav => Class::Uav,
                C::CBuffer => Class::Cbv,
                C::Sampler => Class::Sampler,
            },
            space: query.space,
            register: query.register,
            heap: None,
        };
        let is_buffer = |kind| matches!(kind, Kind::Raw | Kind::Structured);
        let mut bindings = self.case.bindings().iter();
        let at = bindings
            .position(|b| b.place == place && (is_buffer(b.kind) || place.class == Class::Cbv));
        at.map(|at| at as u32)
    }
}

/// Returns a binding with the kinds of texel buffers, if it is of a raw or structured buffer.
fn texels(query: &ResourceQuery<'_>, natural: bindings::Binding) -> bindings::Binding {
    use trellis_dxil_frontend::shader::{ResourceClass as C, ResourceKind as K};
    if !matches!(query.kind, K::RawBuffer | K::StructuredBuffer) {
        return natural;
    }
    let with = |place, texels| match place {
        Place::Descriptor { set, binding, .. } => Place::Descriptor {
            set,
            binding,
            kind: Some(texels),
        },
        other => other,
    };
    let kind = match query.class {
        C::Uav => DescriptorKind::StorageTexelBuffer,
        _ => DescriptorKind::UniformTexelBuffer,
    };
    let binding = bindings::Binding::new(with(natural.place, kind));
    match natural.counter {
        Some(counter) => binding.with_counter(with(counter, DescriptorKind::StorageTexelBuffer)),
        None => binding,
    }
}

impl BindingModel for Model {
    fn bind(&self, query: &ResourceQuery<'_>) -> Result<bindings::Binding, BindingError> {
        let natural = DefaultBindings::default().bind(query)?;
        let Some(number) = self.number(query) else {
            return Ok(natural);
        };
        let counter = number + self.case.bindings().len() as u32;
        Ok(match self.layout {
            Layout::Texels => texels(query, natural),
            Layout::Root => {
                let address = |root_descriptor| Place::DeviceAddress { root_descriptor };
                bindings::Binding::new(address(number)).with_counter(address(counter))
            }
            Layout::Table if matches!(natural.place, Place::Descriptor { binding, .. } if binding < 1000) => {
                natural
            }
            Layout::Table => {
                let heap = |binding, kind| Place::Heap {
                    set: SET,
                    binding,
                    kind,
                    offset: number,
                    root_constant: Some(TABLE.0),
                };
                let addresses = Some(DescriptorKind::DeviceAddress);
                if number as usize >= 2 * self.case.bindings().len() {
                    return Ok(natural);
                }
                let (set, binding) = (SET, OFFSETS);
                bindings::Binding::new(heap(BUFFERS, None))
                    .with_counter(heap(COUNTERS, addresses))
                    .with_offsets(HeapBinding { set, binding })
            }
        })
    }

    fn heap(&self, query: &HeapQuery) -> Result<HeapPlace, BindingError> {
        DefaultBindings::default().heap(query)
    }
}

fn descriptor(object: usize) -> Option<Element> {
    Some(Element {
        object,
        ty: None,
        view: None,
        format: vk::Format::UNDEFINED,
    })
}

/// Returns the job of a case, with the number of each counter's object.
fn job(
    module: &SpirvModule,
    case: &Case,
    layout: Layout,
) -> Result<(Job, Vec<Option<usize>>), String> {
    let is_ours = |r: &&Resource| r.set == SET;
    let ours: Vec<Resource> = module.resources.iter().filter(is_ours).cloned().collect();
    let mut others = module.clone();
    others.resources.retain(|r| r.set != SET);
    let Bound {
        mut objects,
        bindings: mut all,
        counters,
    } = bind(&others, case)?;
    let count = case.bindings().len();
    let scenes = objects.len() - case.scenes().count()..objects.len();
    // In the order of the numbers: buffers, counters, acceleration structures.
    let nowhere = usize::MAX;
    let counter = |at: usize| counters[at].unwrap_or(nowhere);
    let by_number: Vec<usize> = (0..count)
        .chain((0..count).map(counter))
        .chain(scenes)
        .collect();
    let mut words = [0u32; 4];
    words[TABLE.0 as usize] = TABLE.1;
    let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let first = TABLE.1 as usize;
    for binding in &mut all {
        use vk::DescriptorType as T;
        if [T::UNIFORM_TEXEL_BUFFER, T::STORAGE_TEXEL_BUFFER].contains(&binding.ty) {
            // Raw and structured buffers and counters declare no format.
            for element in binding.elements.iter_mut().flatten() {
                if element.format == vk::Format::UNDEFINED {
                    element.format = vk::Format::R32_UINT;
                }
            }
        }
    }
    for resource in ours {
        let elements = match (resource.binding, layout) {
            (ROOT, _) => {
                let of = match layout {
                    Layout::Root => by_number.clone(),
                    Layout::Table | Layout::Texels => Vec::new(),
                };
                objects.push(Object::Addresses {
                    of,
                    then: words.clone(),
                });
                vec![descriptor(objects.len() - 1)]
            }
            (BUFFERS, _) => {
                let is_buffer =
                    |at: &usize| matches!(case.bindings()[*at].kind, Kind::Raw | Kind::Structured);
                let buffers = (0..count).map(|at| Some(at).filter(is_buffer).and_then(descriptor));
                std::iter::repeat_n(None, first).chain(buffers).collect()
            }
            (COUNTERS, _) => {
                let mut of = vec![nowhere; first];
                of.extend((0..count).map(counter));
                objects.push(Object::Addresses {
                    of,
                    then: Vec::new(),
                });
                vec![descriptor(objects.len() - 1)]
            }
            _ => {
                let mut pairs = vec![[0; 2]; first];
                for object in &objects[..count] {
                    let size = match object {
                        Object::Buffer(contents) => contents.len() as u32,
                        _ => 0,
                    };
                    pairs.push([PADDING as u32, size]);
                }
                let words = pairs.into_iter().flatten();
                let bytes = words.flat_map(u32::to_le_bytes).collect();
                objects.push(Object::Buffer(bytes));
                vec![descriptor(objects.len() - 1)]
            }
        };
        all.push(Binding {
            set: SET,
            binding: resource.binding,
            ty: resource.ty,
            elements,
        });
    }
    let groups = case
        .dispatch
        .as_ref()
        .map_or([1; 3], |dispatch| dispatch.groups);
    let job = Job {
        stages: vec![StageCode::from(module)],
        objects,
        bindings: all,
        work: Work::Dispatch(groups),
        wave_size: None,
    };
    Ok((job, counters))
}

/// Whether a buffer is in a table: then it begins within its descriptor.
fn in_table(case: &Case, at: usize) -> bool {
    let binding = &case.bindings()[at];
    matches!(binding.kind, Kind::Raw | Kind::Structured) && binding.place.class != Class::Cbv
}

enum Outcome {
    Same,
    Skipped,
    Differs(String),
}

fn run(device: &Device, dxil: &[u8], case: &Case, layout: Layout) -> Outcome {
    let model = Model {
        layout,
        case: case.clone(),
    };
    let block = HeapBinding {
        set: SET,
        binding: ROOT,
    };
    let descriptors = match layout {
        Layout::Root => 2 * case.bindings().len() + case.scenes().count(),
        Layout::Table | Layout::Texels => 0,
    };
    let options = Options::default()
        .with_bindings(Arc::new(model))
        .with_root_descriptors(descriptors as u32)
        .with_root_constants(Some(4))
        .with_root_uniform_block(Some(block));
    let output = match convert(dxil, &options) {
        Err(error) if error.to_string().contains("operation of 64 bits") => {
            return Outcome::Skipped;
        }
        output => output.unwrap(),
    };
    let module = spirv_module::read(&output.words).unwrap();
    if missing_capability(&device.features, &module.capabilities).is_some() {
        return Outcome::Skipped;
    }
    let (mut job, counters) = job(&module, case, layout).unwrap();
    let is_moved = |at: usize| {
        layout == Layout::Table && in_table(case, at) && {
            let uses = |b: &Binding| b.elements.iter().flatten().any(|e| e.object == at);
            job.bindings
                .iter()
                .all(|b| (b.set, b.binding) == (SET, BUFFERS) || !uses(b))
        }
    };
    let moved: Vec<bool> = (0..case.bindings().len()).map(is_moved).collect();
    for (object, _) in job
        .objects
        .iter_mut()
        .zip(&moved)
        .filter(|(_, moved)| **moved)
    {
        if let Object::Buffer(contents) = object {
            let inner = std::mem::take(contents);
            contents.extend([0xAB; PADDING]);
            contents.extend(inner);
            contents.extend([0xCD; PADDING]);
        }
    }
    let results = match device.run(&job) {
        Err(Error::Unsupported(_)) => return Outcome::Skipped,
        results => results.unwrap(),
    };
    for (at, binding) in case.bindings().iter().enumerate() {
        let mut found = results.objects[at].as_slice();
        if moved[at] {
            let inner = PADDING..found.len() - PADDING;
            let kept = found[..PADDING] == [0xAB; PADDING] && found[inner.end..] == [0xCD; PADDING];
            if !kept {
                return Outcome::Differs(format!("{}: written outside", binding.place));
            }
            found = &found[inner];
        }
        let counter = counters[at].and_then(|c| results.objects[c].first_chunk());
        let counter = counter.map(|word| u32::from_le_bytes(*word));
        if let Some(mismatch) = binding.mismatch(found, counter).unwrap() {
            return Outcome::Differs(format!("{}: {mismatch:?}", binding.place));
        }
    }
    let of_old = |text: &String| execute::is_of_an_old_layer(text);
    match results.messages.into_iter().find(|text| !of_old(text)) {
        None => Outcome::Same,
        Some(message) => Outcome::Differs(message),
    }
}

#[test]
fn results_do_not_depend_on_the_layout() {
    let Some(device) = common::device() else {
        return;
    };
    if !device.features.ray_tracing {
        println!("skipped: no device addresses");
        return;
    }
    let (mut ran, mut wrong) = ([0; 3], Vec::new());
    let folders = [
        "buffers",
        "atomics",
        "cbuffers",
        "ray_query",
        "compute",
        "resources",
    ];
    for test in common::tests(&folders) {
        let file = common::cases(&test);
        let dxil = std::fs::read(common::path(&test, ".dxil")).unwrap();
        let has_bindings = common::path(&test, ".bindings.json").exists();
        for case in file.cases.iter().filter(|case| case.dispatch.is_some()) {
            if has_bindings || case.rays.is_some() || case.wave().is_some() {
                continue;
            }
            for (index, layout) in LAYOUTS.into_iter().enumerate() {
                match run(&device, &dxil, case, layout) {
                    Outcome::Same => ran[index] += 1,
                    Outcome::Skipped => {}
                    Outcome::Differs(why) => {
                        let test = test.display();
                        wrong.push(format!("{test}, {}, {layout:?}: {why}", case.name));
                    }
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{ran:?}");
    println!("{ran:?} cases ran");
    assert!(ran.iter().all(|&ran| ran > 20), "{ran:?}");
}
