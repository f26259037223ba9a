//! Batches with a cache: shaders of the corpus have the same outputs and reports from the cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_corpus::backend::Backend;
use trellis_corpus::batch::{Settings, run};
use trellis_corpus::cache::{CacheSettings, fingerprint};
use trellis_corpus::converter::Converter as _;
use trellis_corpus::inputs::{Filter, collect};
use trellis_corpus::report::{ShaderReport, Totals};
use trellis_dxil::bindings::RootSignatureBindings;
use trellis_dxil::{Options, Target};

const SHADERS: [&str; 5] = [
    "algorithms/bitonic_sort.dxil",
    "algorithms/crc32.dxil",
    "lighting/sky.clouds.dxil",
    // Libraries; ray generation needs SPIR-V 1.4.
    "raytracing/first_hit.dxil",
    "raytracing/callable.dxil",
];

/// Makes a folder of inputs: shaders of the corpus, an invalid file and an empty library.
fn inputs(folder: &Path) -> PathBuf {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let inputs = folder.join("in");
    fs::create_dir_all(&inputs).unwrap();
    for shader in SHADERS {
        let name = shader.rsplit('/').next().unwrap();
        fs::write(inputs.join(name), fs::read(corpus.join(shader)).unwrap()).unwrap();
    }
    fs::write(inputs.join("broken.dxil"), b"DXBC, or not").unwrap();
    inputs
}

/// Returns all files below a folder and their contents, sorted.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                let bytes = fs::read(&path).unwrap();
                found.push((path, bytes));
            }
        }
    }
    found.sort();
    found
}

/// Outputs and report of a batch, without times.
struct Result {
    outputs: Vec<(PathBuf, Vec<u8>)>,
    totals: Totals,
    shaders: Vec<ShaderReport>,
}

fn convert(folder: &Path, options: &Options, cache: Option<&Path>) -> Result {
    let out = folder.join("out");
    let inputs = collect(&[inputs(folder)], &Filter::default()).unwrap();
    let mut settings = Settings::default();
    settings.output = Some(out.clone());
    settings.jobs = Some(2);
    settings.cache = cache.map(|folder| CacheSettings {
        folder: folder.to_owned(),
        program: String::new(),
        limit: None,
    });
    let backend = Backend::new(options.clone());
    let (mut totals, mut shaders) = run(&inputs, &backend, &settings, &|_| {}).unwrap();
    (totals.time_us, totals.wall_us) = (0, 0);
    for shader in &mut shaders {
        shader.time_us = 0;
    }
    let outputs = files(&out);
    fs::remove_dir_all(out).unwrap();
    Result {
        outputs,
        totals,
        shaders,
    }
}

#[test]
fn results_from_the_cache_are_those_of_a_conversion() {
    for target in [Target::Vulkan1_1, Target::Vulkan1_3] {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::default().with_target(target);
        let plain = convert(folder.path(), &options, None);
        let failed = plain.totals.failed;
        assert!(plain.totals.converted >= 3 && failed >= 1);
        assert!(target == Target::Vulkan1_3 || failed >= 2, "unsupported");
        let cache = folder.path().join("cache");
        let miss = convert(folder.path(), &options, Some(&cache));
        assert!(miss.outputs == plain.outputs);
        assert_eq!(
            (&miss.totals, &miss.shaders),
            (&plain.totals, &plain.shaders)
        );
        let mut hit = convert(folder.path(), &options, Some(&cache));
        assert!(hit.outputs == plain.outputs);
        assert_eq!(hit.totals.cached, hit.shaders.len() as u64);
        assert!(
            hit.shaders.len() > SHADERS.len() + 1,
            "a library has several"
        );
        hit.totals.cached = 0;
        for shader in &mut hit.shaders {
            assert!(std::mem::take(&mut shader.cached));
        }
        assert_eq!((&hit.totals, &hit.shaders), (&plain.totals, &plain.shaders));
        // Other options have other results.
        let other = options.clone().with_names(false);
        assert_eq!(
            convert(folder.path(), &other, Some(&cache)).totals.cached,
            0
        );
    }
}

#[test]
fn damaged_caches_do_not_change_results() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::default();
    let cache = folder.path().join("cache");
    let plain = convert(folder.path(), &options, Some(&cache));
    let whole = files(&cache);
    for (i, (path, bytes)) in whole.iter().enumerate() {
        let half = bytes.len() / 2;
        match i % 3 {
            0 => fs::write(path, &bytes[..half]).unwrap(),
            1 => fs::write(path, []).unwrap(),
            _ => {
                let mut damaged = bytes.clone();
                damaged[half] ^= 4;
                fs::write(path, damaged).unwrap();
            }
        }
    }
    let again = convert(folder.path(), &options, Some(&cache));
    assert!(again.outputs == plain.outputs);
    assert_eq!(again.totals, plain.totals, "nothing came from the cache");
    assert!(files(&cache) == whole, "all is made again");
    assert!(convert(folder.path(), &options, Some(&cache)).totals.cached > 0);
}

#[test]
fn a_cache_that_cannot_be_used_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "a file").unwrap();
    let options = Options::default();
    let result = convert(folder.path(), &options, Some(&file));
    let error = result.totals.cache_error.as_deref().unwrap();
    assert!(error.starts_with("cannot write to the cache"), "{error}");
    assert_eq!(
        result.shaders,
        convert(folder.path(), &options, None).shaders
    );
}

#[test]
fn a_model_of_bindings_without_a_file_needs_a_name() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
    let signed = collect(&[corpus], &Filter::default()).unwrap();
    let mut models = signed.iter().filter_map(|input| {
        let bytes = fs::read(&input.path).ok()?;
        RootSignatureBindings::read(&bytes).ok()
    });
    let model = models.next().expect("a shader with a root signature");
    let backend = Backend::new(Options::default().with_bindings(Arc::new(model)));
    assert_eq!(backend.identity(), None);
    let named = |name: &[u8]| {
        let backend = backend.clone().with_bindings_name(fingerprint(name));
        backend.identity().unwrap()
    };
    assert_ne!(named(b"one"), named(b"two"));
    assert_ne!(
        Some(named(b"one")),
        Backend::new(Options::default()).identity()
    );
}
