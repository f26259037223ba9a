//! Debug information in the output, as a debugger would show it, and that nothing else depends on
//! it.
//!
//! `steps` walks the words in order, as a debugger steps, and lists the lines; `variables` lists the
//! variables with their types, and their values by part. Both are compared with files next to the
//! shaders; `TRELLIS_BLESS=1` writes them. `TRELLIS_DXIL=FOLDER` names further shaders for the tests
//! that need no file.

mod damage;
mod module;
mod steps;
mod strip;
mod variables;

use std::fs;
use std::path::{Path, PathBuf};

use rspirv::spirv::NonsemanticShaderDebuginfo100Op as DebugOp;
use trellis_spirv_backend::{Options, Target, convert};

use module::Module;

/// Returns the shaders: path without extension, contents.
fn shaders() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = root.join("tests/data/debug_info");
    let corpus = root.join("../corpus/shaders/options");
    let names = [
        (&data, "particles"),
        (&data, "particles.od"),
        (&data, "wave"),
        (&data, "calls"),
        (&data, "types"),
        (&data, "header"),
        (&corpus, "debug_information.zi"),
        (&corpus, "debug_information.zi_od"),
    ];
    let shader = |(folder, name): (&PathBuf, &str)| {
        let bytes = fs::read(folder.join(format!("{name}.dxil"))).unwrap();
        (data.join(name), bytes)
    };
    names.into_iter().map(shader).collect()
}

/// Returns the shaders and the files of the folder `TRELLIS_DXIL`, which have debug information, too.
fn all_shaders() -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = shaders();
    if let Some(folder) = std::env::var_os("TRELLIS_DXIL") {
        let mut paths: Vec<PathBuf> = (fs::read_dir(folder).unwrap())
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        found.extend(paths.into_iter().map(|path| {
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        }));
    }
    found
}

/// Returns options that convert debug information, checked by spirv-val where that is built in.
fn options() -> Options {
    Options::default().with_validate(cfg!(feature = "validate"))
}

/// Compares a text with a file.
fn check(path: &Path, extension: &str, text: &str) {
    let path = PathBuf::from(format!("{}.{extension}", path.display()));
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{}", path.display());
}

#[test]
fn a_step_through_the_module_names_the_lines() {
    for (path, bytes) in shaders() {
        let words = convert(&bytes, &options()).unwrap().words;
        check(&path, "steps", &steps::list(&Module::new(&words)));
    }
}

/// DXC gives the structure, its members and the buffer the main file, which has no such lines.
#[test]
fn declarations_of_a_header_are_in_the_header() {
    let (_, bytes) = shaders().into_iter().nth(5).unwrap();
    let words = convert(&bytes, &options()).unwrap().words;
    let module = Module::new(&words);
    let mut found = Vec::new();
    for &inst in &module.insts {
        if let Some((
            DebugOp::DebugTypeComposite
            | DebugOp::DebugTypeMember
            | DebugOp::DebugGlobalVariable
            | DebugOp::DebugLocalVariable,
            &[name, _, source, line, ..],
        )) = module.debug_inst(inst)
        {
            let (source, line) = (module.source_name(source), module.number(line));
            found.push(format!("{} {source} {line}", module.string(name)));
        }
    }
    assert_eq!(
        found,
        [
            "weight header.hlsli 8",
            "bias header.hlsli 9",
            "Sample header.hlsli 6",
            "s header.hlsl 4",
            "@RWStructuredBuffer<Sample> header.hlsli 11",
            "Samples header.hlsli 11",
        ]
    );
}

#[test]
fn variables_have_types_and_values() {
    for (path, bytes) in shaders() {
        let words = convert(&bytes, &options()).unwrap().words;
        check(&path, "variables", &variables::list(&Module::new(&words)));
    }
}

#[test]
fn each_target_has_valid_debug_information() {
    for (path, bytes) in shaders() {
        for target in Target::ALL {
            let words = convert(&bytes, &options().with_target(target))
                .unwrap()
                .words;
            let extension = words_of("SPV_KHR_non_semantic_info");
            let has = (words.windows(extension.len())).any(|found| found == extension);
            let core = target.spirv_version() >= (1, 6);
            assert_eq!(has, !core, "{} {target:?}", path.display());
        }
    }
}

#[test]
fn the_embedded_sources_are_complete() {
    let (_, bytes) = &shaders()[2];
    let words = convert(bytes, &options()).unwrap().words;
    let sources = Module::new(&words).sources();
    let file = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/debug_info");
        fs::read_to_string(folder.join(name)).unwrap()
    };
    let expected = ["wave.hlsl", "wave.hlsli"].map(|name| (name.to_owned(), file(name)));
    assert_eq!(sources, expected);
}

/// Returns the words of the first four characters and on of a text, as a string in a module has them.
fn words_of(text: &str) -> Vec<u32> {
    let (words, _) = text.as_bytes().as_chunks::<4>();
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}
