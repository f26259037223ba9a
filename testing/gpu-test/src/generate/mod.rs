//! Makes test files: guesses inputs, runs the shader and its references, and writes the results on
//! which they agree.

mod attempt;
mod compare;
mod draw;
mod guess;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_corpus::manifest::{Manifest, ShaderEntry, Stage};
use trellis_spirv_backend::MeshOutputs;
use trellis_spirv_backend::reflect::Reflection;

use crate::case::{Case, Reference, TestFile};
use crate::mesh;
use crate::reference;
use crate::spirv_module::{self, SpirvModule};
use crate::suite::{convert, dxil_path, stage, with_suffix};
use crate::vulkan::{Device, vk};
use attempt::{OUTSIDE, attempt, depends_on_wave};
pub use compare::bless;
pub use guess::Pattern;

/// Options of [`run`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The corpus.
    pub folder: PathBuf,
    /// Only shaders whose path contains this.
    pub only: String,
    /// DXC, to make `NAME.dxc.spv`; without it the existing ones are used.
    pub dxc: Option<PathBuf>,
    /// Part of the name of the device.
    pub device: Option<String>,
    /// Most cases of a shader.
    pub cases: usize,
    /// Overwrite existing test files; else they only get cases for the device's wave size, if they
    /// depend on it and have none.
    pub replace: bool,
}

/// The outcome for a shader.
#[derive(Clone, Debug)]
pub enum Generated {
    /// So many cases were written; with remarks on references that differ.
    Written(usize, Vec<String>),
    /// There is a file already.
    Kept,
    /// No case: why.
    Nothing(Vec<String>),
}

/// Returns the shaders that the options choose: the shader with exactly that path, or all whose
/// path contains the text.
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

/// Generates test files, and returns the outcome for each shader.
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

/// A further shader of a pipeline: name, and the SPIR-V of Trellis and of DXC.
type Partner = (String, SpirvModule, Option<SpirvModule>);

/// A shader with its references.
struct Subject {
    /// The shader, then its partners.
    dxil: Vec<Vec<u8>>,
    ours: SpirvModule,
    dxc: Option<SpirvModule>,
    no_dxc: Option<String>,
    /// The other shaders of its pipeline.
    partners: Vec<Partner>,
    /// Its stage, as the reflection names it.
    stage: &'static str,
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
        // Only another wave size makes a new case.
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
                // A pattern that gives the same case again is dropped.
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
    let uses_dxc = file
        .cases
        .iter()
        .any(|case| !case.without.contains_key(&Reference::Dxc));
    if let Some(dxc) = subject.dxc.filter(|_| uses_dxc && options.dxc.is_some()) {
        write_words(&with_suffix(&test, ".dxc.spv"), &dxc.words)?;
    }
    remarks.extend(problems.into_iter().filter(|p| p.contains("disagrees")));
    Ok(Generated::Written(file.cases.len() - before, remarks))
}

/// Writes the missing reference of a test that was written by hand, if the test uses it.
fn reference_of_kept(
    subject: &Subject,
    file: &TestFile,
    test: &Path,
    options: &Options,
) -> Result<Generated, String> {
    let path = with_suffix(test, ".dxc.spv");
    let uses_dxc = file
        .cases
        .iter()
        .any(|case| !case.without.contains_key(&Reference::Dxc));
    match &subject.dxc {
        Some(dxc) if uses_dxc && options.dxc.is_some() && !path.exists() => {
            write_words(&path, &dxc.words)?;
            Ok(Generated::Written(
                0,
                vec![format!("{} is written", path.display())],
            ))
        }
        _ => Ok(Generated::Kept),
    }
}

/// Makes only the reference of a library: how to use its shaders in a pipeline cannot be guessed.
fn library(options: &Options, entry: &ShaderEntry, test: &Path) -> Result<Generated, String> {
    let Some(dxc) = &options.dxc else {
        return Ok(Generated::Kept);
    };
    let dxil = std::fs::read(with_suffix(test, ".dxil")).map_err(|error| error.to_string())?;
    let reflection = reflect(&dxil)?;
    let words = reference::make(dxc, &options.folder, entry, &reflection)?;
    let path = with_suffix(test, ".dxc.spv");
    write_words(&path, &words)?;
    Ok(Generated::Written(
        0,
        vec![format!("{} is written", path.display())],
    ))
}

/// Returns whether two cases have the same inputs and waves.
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
    let reflection = reflect(&dxil)?;
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
    let (mut partners, outputs) = (Vec::new(), mesh::outputs(&dxil));
    let mut dxil = vec![dxil];
    for suffix in partner_suffixes(test, ours.stage) {
        let (partner, own) = partner(options, test, &suffix, outputs.as_ref())?;
        partners.push(partner);
        dxil.push(own);
    }
    Ok(Subject {
        dxil,
        ours,
        dxc,
        no_dxc,
        partners,
        stage: reflection.stage,
    })
}

/// Returns the suffixes of a shader's partners in a pipeline: the domain shader of a hull shader;
/// the amplification and the pixel shader of a mesh shader, if there are files of them.
fn partner_suffixes(test: &Path, stage: vk::ShaderStageFlags) -> Vec<String> {
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

/// Loads a partner, `NAME.ds.dxil` in the test's folder, with its DXIL, and makes DXC's SPIR-V of it.
fn partner(
    options: &Options,
    test: &Path,
    suffix: &str,
    mesh: Option<&Arc<MeshOutputs>>,
) -> Result<(Partner, Vec<u8>), String> {
    let stem = with_suffix(test, suffix);
    let name = with_suffix(&stem, ".dxil")
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default()
        .to_owned();
    let dxil =
        std::fs::read(with_suffix(&stem, ".dxil")).map_err(|error| format!("{name}: {error}"))?;
    let reflection = reflect(&dxil)?;
    if let Some(dxc) = &options.dxc {
        let of_partner =
            |entry: &ShaderEntry| options.folder.join(&entry.path) == with_suffix(&stem, ".dxil");
        let entry = Manifest::load(&options.folder.join("manifest.json"))
            .map_err(|error| error.to_string())?
            .shaders
            .into_iter()
            .find(of_partner);
        let entry = entry.ok_or_else(|| format!("{name} is not in the manifest"))?;
        if let Ok(words) = reference::make(dxc, &options.folder, &entry, &reflection) {
            write_words(&with_suffix(&stem, ".dxc.spv"), &words)?;
        }
    }
    let (ours, dxc) = stage(test, &name, mesh, &dxil_path)?;
    Ok(((name, ours, dxc), dxil))
}

fn reflect(dxil: &[u8]) -> Result<Reflection, String> {
    let options = trellis_spirv_backend::Options::default();
    trellis_spirv_backend::reflect(dxil, &options).map_err(|error| error.to_string())
}

fn write_words(path: &Path, words: &[u32]) -> Result<(), String> {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
