//! Code that the benches share: the checked-in corpus, large shaders, the growth of the structurizer,
//! a counter of heap allocations, and the memory of one conversion.

pub mod allocations;
pub mod growth;
pub mod memory;

use std::path::{Path, PathBuf};

use trellis_corpus::manifest::{Manifest, ManifestError};

/// One shader of the corpus or of the large ones.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Path below the folder.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
    /// The file's contents.
    pub bytes: Vec<u8>,
}

/// Why shaders could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// Its manifest is malformed.
    Manifest(ManifestError),
    /// A shader cannot be read.
    Read(PathBuf, std::io::Error),
}

/// Loads all shaders of the checked-in corpus, in the manifest's order.
pub fn load_corpus() -> Result<Vec<Shader>, LoadError> {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/shaders"))
}

/// Returns the folder of the large shaders.
pub fn large_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders"))
}

/// Loads the shaders that are as large as the shaders of games, smallest first.
pub fn load_large() -> Result<Vec<Shader>, LoadError> {
    let mut shaders = load(large_folder())?;
    shaders.sort_by_key(|shader| shader.bytes.len());
    Ok(shaders)
}

/// Loads all shaders of the manifest in `folder`, in its order.
fn load(folder: &Path) -> Result<Vec<Shader>, LoadError> {
    let manifest = Manifest::load(&folder.join("manifest.json")).map_err(LoadError::Manifest)?;
    let load = |name: String| {
        let path = folder.join(&name);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Shader { name, path, bytes }),
            Err(error) => Err(LoadError::Read(path, error)),
        }
    };
    manifest
        .shaders
        .into_iter()
        .map(|shader| load(shader.path))
        .collect()
}

/// Returns the shaders that convert, with the number of SPIR-V words each makes; those that do not
/// are named on standard error, since a figure without them would mislead.
pub fn convertible(
    shaders: Vec<Shader>,
    options: &trellis_spirv_backend::Options,
) -> Vec<(Shader, usize)> {
    let mut good = Vec::with_capacity(shaders.len());
    for shader in shaders {
        match trellis_spirv_backend::convert(&shader.bytes, options) {
            Ok(output) => good.push((shader, output.words.len())),
            Err(error) => eprintln!("left out: {}: {error}", shader.name),
        }
    }
    good
}
