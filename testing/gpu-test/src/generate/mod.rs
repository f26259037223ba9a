//! Makes test files: guesses inputs, runs the shader and its references, and writes down what they
//! agree on.

mod guess;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use spirv::Capability;
use trellis_corpus::manifest::{Manifest, ShaderEntry, Stage};
use trellis_dxil_interpreter::Error;
use trellis_dxil_interpreter::dispatch::{
    Data, Dispatch, Kind, Number, Tolerance, first_difference,
};
use trellis_dxil_interpreter::format::Format;
use trellis_spirv_backend::MeshOutputs;
use trellis_spirv_backend::reflect::{Reflection, ResourceReflection};

use crate::case::{Case, Draw, Input, Output, Reference, Target, TestFile};
use crate::draw::semantic;
use crate::execute::{self, Left, NotRun};
use crate::interpret;
use crate::mesh;
use crate::passthrough;
use crate::reference;
use crate::spirv_module::{self, Scalar, SpirvModule};
use crate::suite::{convert, run_linked, stage, with_suffix};
use crate::vulkan::{Device, vk};
pub use guess::Pattern;

/// What to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// The corpus.
    pub folder: PathBuf,
    /// Only shaders whose path contains this.
    pub only: String,
    /// DXC, to make `NAME.dxc.spv`; without it those that are there are used.
    pub dxc: Option<PathBuf>,
    /// Part of the name of the device.
    pub device: Option<String>,
    /// Most cases of a shader.
    pub cases: usize,
    /// Write over test files that are there; else they only get cases for the device's wave size,
    /// if they depend on it and have none.
    pub replace: bool,
}

/// What became of a shader.
#[derive(Clone, Debug)]
pub enum Generated {
    /// So many cases were written; with remarks on references that differ.
    Written(usize, Vec<String>),
    /// There is a file already.
    Kept,
    /// No case: why.
    Nothing(Vec<String>),
}

/// The shaders that the options choose: the one of exactly that path, or all whose path contains
/// the text.
///
/// # Errors
/// No manifest.
pub fn matching(options: &Options) -> Result<Vec<String>, String> {
    Ok(entries(options)?
        .into_iter()
        .map(|entry| entry.path)
        .collect())
}

fn entries(options: &Options) -> Result<Vec<ShaderEntry>, String> {
    let manifest =
        Manifest::load(&options.folder.join("manifest.json")).map_err(|error| error.to_string())?;
    let mut list = manifest.shaders;
    let exact = list.iter().any(|entry| entry.path == options.only);
    list.retain(|entry| {
        if exact {
            entry.path == options.only
        } else {
            entry.path.contains(&options.only)
        }
    });
    Ok(list)
}

/// Generates test files, and tells of each shader what became of it.
///
/// # Errors
/// No manifest, or no device.
pub fn run(options: &Options) -> Result<Vec<(String, Generated)>, String> {
    let open = || {
        Device::open(options.device.as_deref(), false)
            .map(|(device, _)| device)
            .map_err(|error| error.to_string())
    };
    let mut device = open()?;
    let mut list = Vec::new();
    for entry in entries(options)? {
        let generated = shader(&device, options, &entry)
            .unwrap_or_else(|problem| Generated::Nothing(vec![problem]));
        list.push((entry.path, generated));
        if device.is_lost() {
            device = open()?;
        }
    }
    Ok(list)
}

/// A further shader of a pipeline: name, what Trellis and DXC make of it.
type Partner = (String, SpirvModule, Option<SpirvModule>);

/// A shader with its references.
struct Subject {
    dxil: Vec<u8>,
    ours: SpirvModule,
    dxc: Option<SpirvModule>,
    no_dxc: Option<String>,
    /// The shaders that stand beside this one in its pipeline: name, what Trellis and DXC make of
    /// it.
    partners: Vec<Partner>,
    reflection: Reflection,
    hlsl: String,
}

fn shader(device: &Device, options: &Options, entry: &ShaderEntry) -> Result<Generated, String> {
    let stem = entry.path.strip_suffix(".dxil").unwrap_or(&entry.path);
    let test = options.folder.join(stem);
    let path = with_suffix(&test, ".run.json");
    if entry.stage == Stage::Library {
        return library(options, entry, &test);
    }
    let mut file = TestFile::default();
    let subject = subject(options, entry, &test)?;
    if path.exists() && !options.replace {
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        file = TestFile::from_json(&text)?;
        // Only waves of another size are something new.
        let wave = Some(device.features.wave_default);
        if !depends_on_wave(&subject.ours) || file.cases.iter().any(|case| case.wave() == wave) {
            return reference_of_kept(&subject, &file, &test, options);
        }
    }
    let before = file.cases.len();
    let (mut remarks, mut problems) = (Vec::new(), Vec::new());
    for pattern in Pattern::ALL {
        if file.cases.len() >= before + options.cases || device.is_lost() {
            break;
        }
        // Many elements make a long file, so they come second.
        let attempted = attempt(device, &subject, pattern, 4096);
        let attempted = if attempted.as_ref().is_err_and(|e| e.contains(OUTSIDE)) {
            attempt(device, &subject, pattern, 16384)
        } else {
            attempted
        };
        match attempted {
            Ok((case, said)) => {
                // Another pattern that changes nothing is no other case.
                if !file.cases.iter().any(|other| same(other, &case)) {
                    remarks.extend(
                        said.into_iter()
                            .map(|text| format!("{}: {text}", pattern.name())),
                    );
                    file.cases.push(case);
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    if file.cases.len() == before {
        return Ok(Generated::Nothing(problems));
    }
    std::fs::write(&path, file.to_json())
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let asks_dxc = file
        .cases
        .iter()
        .any(|case| !case.without.contains_key(&Reference::Dxc));
    if let Some(dxc) = subject.dxc.filter(|_| asks_dxc && options.dxc.is_some()) {
        write_words(&with_suffix(&test, ".dxc.spv"), &dxc.words)?;
    }
    remarks.extend(problems.into_iter().filter(|p| p.contains("agrees not")));
    Ok(Generated::Written(file.cases.len() - before, remarks))
}

/// A test that somebody wrote by hand gets its reference, if it asks for one that is not there.
fn reference_of_kept(
    subject: &Subject,
    file: &TestFile,
    test: &Path,
    options: &Options,
) -> Result<Generated, String> {
    let path = with_suffix(test, ".dxc.spv");
    let asks = file
        .cases
        .iter()
        .any(|case| !case.without.contains_key(&Reference::Dxc));
    match &subject.dxc {
        Some(dxc) if asks && options.dxc.is_some() && !path.exists() => {
            write_words(&path, &dxc.words)?;
            Ok(Generated::Written(
                0,
                vec![format!("{} is written", path.display())],
            ))
        }
        _ => Ok(Generated::Kept),
    }
}

/// Of a library only the reference is made: what a pipeline of its shaders is for cannot be
/// guessed.
fn library(options: &Options, entry: &ShaderEntry, test: &Path) -> Result<Generated, String> {
    let Some(dxc) = &options.dxc else {
        return Ok(Generated::Kept);
    };
    let dxil = std::fs::read(with_suffix(test, ".dxil")).map_err(|error| error.to_string())?;
    let reflection =
        trellis_spirv_backend::reflect(&dxil, &trellis_spirv_backend::Options::default())
            .map_err(|error| error.to_string())?;
    let words = reference::make(dxc, &options.folder, entry, &reflection)?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let path = with_suffix(test, ".dxc.spv");
    std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Generated::Written(
        0,
        vec![format!("{} is written", path.display())],
    ))
}

/// Two cases with the same inputs and waves.
fn same(a: &Case, b: &Case) -> bool {
    let inputs = |case: &Case| {
        let data: Vec<_> = case.bindings().iter().map(|b| b.contents().ok()).collect();
        (
            data,
            case.wave(),
            case.draw.as_ref().map(|draw| draw.inputs.clone()),
        )
    };
    inputs(a) == inputs(b)
}

fn subject(options: &Options, entry: &ShaderEntry, test: &Path) -> Result<Subject, String> {
    let (dxil, ours) = convert(test)?;
    let mut reflection =
        trellis_spirv_backend::reflect(&dxil, &trellis_spirv_backend::Options::default())
            .map_err(|error| error.to_string())?;
    let hlsl = std::fs::read_to_string(options.folder.join(&entry.source))
        .map_err(|error| error.to_string())?;
    let made = match &options.dxc {
        Some(dxc) => reference::make(dxc, &options.folder, entry, &reflection)
            .and_then(|words| spirv_module::read(&words))
            .map(Some),
        None => reference::read(test),
    };
    let (dxc, no_dxc) = match made {
        Ok(Some(module)) => (Some(module), None),
        Ok(None) => (None, Some("there is none".to_owned())),
        Err(error) => (None, Some(error)),
    };
    let mut partners = Vec::new();
    for suffix in beside(test, ours.stage) {
        let (partner, resources) = partner(options, test, &suffix, mesh::outputs(&dxil).as_ref())?;
        partners.push(partner);
        reflection.resources.extend(resources);
    }
    // A resource that several shaders use.
    let places: Vec<_> = reflection
        .resources
        .iter()
        .map(|r| (r.class, r.space, r.register))
        .collect();
    let mut index = 0;
    reflection.resources.retain(|_| {
        index += 1;
        !places[..index - 1].contains(&places[index - 1])
    });
    Ok(Subject {
        dxil,
        ours,
        dxc,
        no_dxc,
        partners,
        reflection,
        hlsl,
    })
}

/// Suffixes of the shaders that make a pipeline with one: the domain shader of a hull shader; the
/// amplification and the pixel shader of a mesh shader, if they are there.
fn beside(test: &Path, stage: vk::ShaderStageFlags) -> Vec<String> {
    let there = |suffix: &&str| with_suffix(&with_suffix(test, suffix), ".dxil").exists();
    match stage {
        vk::ShaderStageFlags::TESSELLATION_CONTROL => vec![".ds".to_owned()],
        vk::ShaderStageFlags::MESH_EXT => [".as", ".ps"]
            .iter()
            .filter(|s| there(s))
            .map(|s| (*s).to_owned())
            .collect(),
        _ => Vec::new(),
    }
}

/// A shader beside another: `NAME.ds.dxil` in its folder. DXC's SPIR-V of it is made too. With its
/// resources.
fn partner(
    options: &Options,
    test: &Path,
    suffix: &str,
    mesh: Option<&Arc<MeshOutputs>>,
) -> Result<(Partner, Vec<ResourceReflection>), String> {
    let beside = with_suffix(test, suffix);
    let name = with_suffix(&beside, ".dxil")
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default()
        .to_owned();
    let dxil =
        std::fs::read(with_suffix(&beside, ".dxil")).map_err(|error| format!("{name}: {error}"))?;
    let reflection =
        trellis_spirv_backend::reflect(&dxil, &trellis_spirv_backend::Options::default())
            .map_err(|error| error.to_string())?;
    if let Some(dxc) = &options.dxc {
        let of_partner =
            |entry: &ShaderEntry| options.folder.join(&entry.path) == with_suffix(&beside, ".dxil");
        let entry = Manifest::load(&options.folder.join("manifest.json"))
            .map_err(|error| error.to_string())?
            .shaders
            .into_iter()
            .find(of_partner);
        let entry = entry.ok_or_else(|| format!("{name} is not in the manifest"))?;
        if let Ok(words) = reference::make(dxc, &options.folder, &entry, &reflection) {
            write_words(&with_suffix(&beside, ".dxc.spv"), &words)?;
        }
    }
    let (ours, dxc) = stage(test, &name, mesh)?;
    Ok(((name, ours, dxc), reflection.resources))
}

fn write_words(path: &Path, words: &[u32]) -> Result<(), String> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// What the interpreter counts where buffers are too small.
const OUTSIDE: &str = "accesses out of bounds";

/// One case, with what is to be said about it.
fn attempt(
    device: &Device,
    subject: &Subject,
    pattern: Pattern,
    elements: u64,
) -> Result<(Case, Vec<String>), String> {
    let mut case = inputs(device, subject, pattern, elements)?;
    let mut remarks = Vec::new();
    // First the interpreter: it ends where a device might not.
    let interpreted = match &case.dispatch {
        Some(dispatch) => match interpret::run(&subject.dxil, dispatch, case.wave()) {
            Ok((left, 0)) => Some(left),
            Ok((_, outside)) => return Err(format!("{outside} {OUTSIDE}")),
            Err(Error::Unsupported { what }) => {
                case.without
                    .insert(Reference::Interpreter, format!("it does not know {what}"));
                None
            }
            Err(error) => return Err(format!("the interpreter: {error}")),
        },
        None => None,
    };
    let chain: Vec<_> = std::iter::once(&subject.ours)
        .chain(subject.partners.iter().map(|(_, ours, _)| ours))
        .collect();
    let ours = match execute::run_stages(device, &chain, &case) {
        Ok(left) => left,
        Err(NotRun::Skipped(what)) => return Err(format!("skipped: {what}")),
        Err(NotRun::Failed(what)) => return Err(what),
    };
    let chain: Option<Vec<_>> = std::iter::once(subject.dxc.as_ref())
        .chain(subject.partners.iter().map(|(_, _, dxc)| dxc.as_ref()))
        .collect();
    let theirs = match chain {
        Some(modules) => match run_linked(device, &modules, &case) {
            Ok(left) => Some(left),
            Err(NotRun::Skipped(what) | NotRun::Failed(what)) => {
                case.without.insert(Reference::Dxc, what);
                None
            }
        },
        None => {
            case.without
                .insert(Reference::Dxc, subject.no_dxc.clone().unwrap_or_default());
            None
        }
    };
    if interpreted.is_none() && theirs.is_none() {
        let reasons: Vec<_> = case.without.values().cloned().collect();
        return Err(format!("no reference: {}", reasons.join("; ")));
    }
    if let Some(interpreted) = &interpreted {
        agree(&mut case, &ours, interpreted)
            .map_err(|text| format!("the interpreter agrees not, but says: {text}"))?;
    }
    if let Some(theirs) = &theirs
        && let Err(text) = agree(&mut case, &ours, theirs)
    {
        if interpreted.is_none() {
            return Err(format!("DXC's SPIR-V agrees not, but says: {text}"));
        }
        remarks.push(format!("DXC's SPIR-V differs: {text}"));
        case.without.insert(
            Reference::Dxc,
            format!("it differs, the interpreter agrees with Trellis: {text}"),
        );
    }
    bless(&mut case, &ours)?;
    Ok((case, remarks))
}

/// The case without expectations.
fn inputs(
    device: &Device,
    subject: &Subject,
    pattern: Pattern,
    elements: u64,
) -> Result<Case, String> {
    let modules: Vec<&SpirvModule> = std::iter::once(&subject.ours)
        .chain(subject.partners.iter().map(|(_, ours, _)| ours))
        .collect();
    let together = crate::rays::together(&modules)?;
    let bindings = guess::bindings(
        &subject.reflection,
        &together,
        &subject.hlsl,
        pattern,
        elements,
    )?;
    let mut case = Case {
        name: pattern.name().to_owned(),
        ..Case::default()
    };
    let wave = depends_on_wave(&together).then_some(device.features.wave_default);
    if let Some(wave) = wave {
        case.name = format!("{}, waves of {wave}", case.name);
    }
    if subject.reflection.stage == "compute" {
        case.dispatch = Some(Dispatch {
            about: String::new(),
            entry: String::new(),
            groups: [1, 1, 1],
            wave,
            bindings,
        });
    } else {
        case.draw = Some(draw(subject, bindings, wave));
    }
    Ok(case)
}

fn depends_on_wave(module: &SpirvModule) -> bool {
    module.capabilities.iter().any(|c| {
        *c != Capability::GroupNonUniformQuad && format!("{c:?}").starts_with("GroupNonUniform")
    })
}

fn draw(
    subject: &Subject,
    bindings: Vec<trellis_dxil_interpreter::dispatch::Binding>,
    wave: Option<u32>,
) -> Draw {
    let mut draw = Draw {
        vertices: 3,
        instances: 1,
        size: [8, 8],
        wave,
        bindings,
        ..Draw::default()
    };
    let module = &subject.ours;
    if module.stage == vk::ShaderStageFlags::MESH_EXT {
        draw.vertices = 0;
        draw.groups = Some([1; 3]);
        draw.stages = subject
            .partners
            .iter()
            .map(|(name, ..)| name.clone())
            .collect();
        let Some((_, pixel, _)) = subject
            .partners
            .iter()
            .find(|(_, ours, _)| ours.stage == vk::ShaderStageFlags::FRAGMENT)
        else {
            return draw;
        };
        targets(&mut draw, pixel);
        return draw;
    }
    let handed = |v: &&spirv_module::Variable| {
        v.location.is_some()
            || passthrough::is_handed_through(v)
            || (v.vertices > 0 && v.built_in.is_some())
    };
    for (seed, variable) in module.inputs.iter().filter(handed).enumerate() {
        let (name, first) = semantic(variable);
        let (format, number, max) = match variable.scalar {
            Scalar::Float(_) => (float_format(variable.columns), Number::F32, 1.0),
            Scalar::Sint(_) => (sint_format(variable.columns), Number::U32, 7.0),
            Scalar::Uint(_) => (uint_format(variable.columns), Number::U32, 7.0),
        };
        for row in 0..variable.rows {
            let data = Data::Random {
                number,
                seed: seed as u64 * 100 + u64::from(row),
                min: 0.0,
                max,
            };
            draw.inputs.push(Input {
                semantic: name.clone(),
                index: first + row,
                format,
                data,
            });
        }
    }
    if subject.reflection.stage != "pixel" {
        let partner = subject.partners.first();
        draw.stages = partner.iter().map(|(name, ..)| name.clone()).collect();
        draw.unordered = partner.is_some();
        // Whole primitives of each kind; of patches two.
        let patch = module
            .inputs
            .iter()
            .map(|v| v.vertices)
            .max()
            .unwrap_or(0)
            .max(1);
        draw.vertices = match subject.reflection.stage {
            "vertex" => 8,
            "hull" => 2 * patch,
            _ => 12,
        };
        draw.size = [0, 0];
        for variable in partner.map_or(&module.outputs, |(_, domain, _)| &domain.outputs) {
            let (name, first) = semantic(variable);
            let rows = if variable.built_in.is_some() {
                1
            } else {
                variable.rows
            };
            if name != "PointSize" {
                draw.outputs.extend((0..rows).map(|row| Output {
                    semantic: name.clone(),
                    index: first + row,
                    stream: variable.stream,
                    expect: None,
                    tolerance: None,
                }));
            }
        }
        if draw.unordered {
            // Their order follows the first output first: last bits of a position must not decide.
            draw.outputs
                .sort_by_key(|output| output.semantic.starts_with("SV_"));
        }
        return draw;
    }
    if module
        .inputs
        .iter()
        .any(|v| v.built_in == Some(spirv::BuiltIn::SampleId))
    {
        draw.samples = guess::SAMPLES;
    }
    targets(&mut draw, module);
    draw
}

/// Targets for the outputs of a pixel shader.
fn targets(draw: &mut Draw, module: &SpirvModule) {
    // Interpolation and filters are as exact as each device makes them (8 bits of a texel's
    // weight).
    let samples = draw.bindings.iter().any(|b| b.kind == Kind::Sampler);
    let near = if samples { 8e-3 } else { 1e-5 };
    let tolerance = Some(Tolerance {
        number: Number::F32,
        relative: near,
        absolute: near,
    });
    for variable in &module.outputs {
        match (variable.location, variable.built_in) {
            (Some(location), _) => {
                let format = match variable.scalar {
                    Scalar::Float(_) => Format::R32G32B32A32_FLOAT,
                    Scalar::Sint(_) => Format::R32G32B32A32_SINT,
                    Scalar::Uint(_) => Format::R32G32B32A32_UINT,
                };
                let empty = Target {
                    format: Format::R32G32B32A32_FLOAT,
                    expect: None,
                    tolerance: None,
                };
                for row in location..location + variable.rows {
                    draw.targets
                        .resize(draw.targets.len().max(row as usize + 1), empty.clone());
                    draw.targets[row as usize].format = format;
                    draw.targets[row as usize].tolerance =
                        tolerance.filter(|_| !format.is_integer());
                }
            }
            (None, Some(spirv::BuiltIn::FragDepth)) => {
                draw.depth = Some(Target {
                    format: Format::R32_FLOAT,
                    expect: None,
                    tolerance: None,
                });
            }
            _ => {}
        }
    }
}

fn float_format(columns: u32) -> Format {
    [
        Format::R32_FLOAT,
        Format::R32G32_FLOAT,
        Format::R32G32B32_FLOAT,
        Format::R32G32B32A32_FLOAT,
    ][columns.clamp(1, 4) as usize - 1]
}

fn sint_format(columns: u32) -> Format {
    [
        Format::R32_SINT,
        Format::R32G32_SINT,
        Format::R32G32B32_SINT,
        Format::R32G32B32A32_SINT,
    ][columns.clamp(1, 4) as usize - 1]
}

fn uint_format(columns: u32) -> Format {
    [
        Format::R32_UINT,
        Format::R32G32_UINT,
        Format::R32G32B32_UINT,
        Format::R32G32B32A32_UINT,
    ][columns.clamp(1, 4) as usize - 1]
}

/// What is compared, in one order for all: contents, and where the tolerance is kept.
fn slots<'a>(
    case: &'a mut Case,
    left: &'a Left,
) -> Vec<(String, &'a mut Option<Tolerance>, &'a [u8])> {
    let mut list = Vec::new();
    let Case { dispatch, draw, .. } = case;
    let (bindings, draw) = match (dispatch, draw) {
        (Some(dispatch), _) => (&mut dispatch.bindings, None),
        (None, Some(draw)) => (
            &mut draw.bindings,
            Some((&mut draw.targets, &mut draw.depth, &mut draw.outputs)),
        ),
        (None, None) => return list,
    };
    for (binding, (bytes, _)) in bindings.iter_mut().zip(&left.resources) {
        list.push((
            binding.place.to_string(),
            &mut binding.tolerance,
            bytes.as_slice(),
        ));
    }
    if let Some((targets, depth, outputs)) = draw {
        for (index, (target, bytes)) in targets.iter_mut().zip(&left.targets).enumerate() {
            list.push((format!("target {index}"), &mut target.tolerance, bytes));
        }
        if let Some(depth) = depth {
            list.push(("depth".to_owned(), &mut depth.tolerance, &left.depth));
        }
        for (output, bytes) in outputs.iter_mut().zip(&left.outputs) {
            list.push((
                format!("output {}{}", output.semantic, output.index),
                &mut output.tolerance,
                bytes,
            ));
        }
    }
    list
}

/// Compares two runs, and widens the tolerances of the case as far as floats need it.
fn agree(case: &mut Case, ours: &Left, theirs: &Left) -> Result<(), String> {
    let others: Vec<Vec<u8>> = slots(&mut case.clone(), theirs)
        .into_iter()
        .map(|(_, _, bytes)| bytes.to_vec())
        .collect();
    let mut wider = case.clone();
    for ((name, tolerance, found), expected) in slots(&mut wider, ours).into_iter().zip(&others) {
        let steps = [
            (Number::F32, 2e-6, 0.0),
            (Number::F32, 1e-4, 0.0),
            (Number::F32, 1e-4, 1e-5),
            (Number::F32, 5e-3, 5e-3),
            (Number::F64, 1e-9, 0.0),
            (Number::F16, 4e-3, 0.0),
        ];
        let mut tried = std::iter::once(*tolerance).chain(steps.into_iter().map(
            |(number, relative, absolute)| {
                Some(Tolerance {
                    number,
                    relative,
                    absolute,
                })
            },
        ));
        match tried.find(|t| first_difference(expected, found, *t).is_none()) {
            Some(enough) => *tolerance = enough,
            None => {
                let at = first_difference(expected, found, *tolerance);
                let text = at
                    .map(|m| {
                        format!(
                            "byte {}: {:02x?}, Trellis {:02x?}",
                            m.offset.unwrap_or(0),
                            m.expected,
                            m.found
                        )
                    })
                    .unwrap_or_default();
                return Err(format!("{name}, {text}"));
            }
        }
    }
    if ours.emitted != theirs.emitted {
        return Err(format!(
            "vertices of each stream {:?}, Trellis {:?}",
            theirs.emitted, ours.emitted
        ));
    }
    let counter = |left: &Left| {
        left.resources
            .iter()
            .map(|(_, counter)| *counter)
            .collect::<Vec<_>>()
    };
    if counter(ours) != counter(theirs) {
        return Err(format!(
            "counters {:?}, Trellis {:?}",
            counter(theirs),
            counter(ours)
        ));
    }
    *case = wider;
    Ok(())
}

/// Writes what a run left behind into the case as what is expected.
///
/// # Errors
/// The run changed nothing: the case would say nothing.
pub fn bless(case: &mut Case, left: &Left) -> Result<(), String> {
    let mut changed = false;
    for (binding, (bytes, counter)) in case.bindings_mut().iter_mut().zip(&left.resources) {
        if binding.place.class != trellis_dxil_interpreter::dispatch::Class::Uav {
            continue;
        }
        let before = binding.contents().map_err(|error| error.to_string())?;
        changed |= *bytes != before || *counter != binding.counter;
        // What stays as it was is written as it was.
        let unchanged = binding.data.clone().unwrap_or(Data::U8(Vec::new()));
        binding.expect = Some(if *bytes == before {
            unchanged
        } else {
            data(bytes, binding.tolerance)
        });
        binding.expect_counter = *counter;
    }
    if let Some(draw) = &mut case.draw {
        let drawn = left
            .targets
            .iter()
            .chain(&left.outputs)
            .chain(std::iter::once(&left.depth));
        changed |= drawn.flatten().any(|byte| *byte != 0);
        for (target, bytes) in draw.targets.iter_mut().zip(&left.targets) {
            target.expect = Some(data(bytes, target.tolerance));
        }
        if let Some(depth) = &mut draw.depth {
            depth.expect = Some(data(&left.depth, depth.tolerance));
        }
        for (output, bytes) in draw.outputs.iter_mut().zip(&left.outputs) {
            output.expect = Some(data(bytes, output.tolerance));
        }
        draw.emitted.clone_from(&left.emitted);
    }
    if changed {
        Ok(())
    } else {
        Err("nothing is written".to_owned())
    }
}

/// Contents as a file writes them, without the zeros at the end.
fn data(bytes: &[u8], tolerance: Option<Tolerance>) -> Data {
    let end = bytes
        .iter()
        .rposition(|b| *b != 0)
        .map_or(0, |at| at + 1)
        .next_multiple_of(4)
        .min(bytes.len());
    let bytes = &bytes[..end];
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Data::U8(bytes.to_vec());
    }
    let words: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
    let floats: Vec<f32> = words.iter().map(|w| f32::from_bits(*w)).collect();
    // Only what looks like floats to a reader is written as such: no integers, which would be tiny.
    let plain = |f: &f32| *f == 0.0 || (f.is_finite() && (1e-20..1e20).contains(&f.abs()));
    let float = tolerance.is_none_or(|t| t.number == Number::F32)
        && floats.iter().all(plain)
        && floats.iter().any(|f| *f != 0.0);
    if float && words.iter().all(|w| *w != 1 << 31) {
        Data::F32(floats)
    } else {
        Data::U32(words)
    }
}
