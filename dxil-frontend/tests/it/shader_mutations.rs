//! Damaged inputs: every accessor of container, shader and listing gives an answer or a typed
//! error, and does not panic.

use shader_testkit::Random;
use trellis_dxil_frontend::container::{Container, RuntimeData};
use trellis_dxil_frontend::disasm::disassemble;
use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::shader::{Shader, TypeAnnotations, ViewIdState};
use trellis_dxil_frontend::{Error, names_from_stat, read_with_debug_info};

const FILES: [&[u8]; 6] = [
    include_bytes!("../data/pixel_debug.dxil"),
    include_bytes!("../data/compute.dxil"),
    include_bytes!("../data/library.dxil"),
    include_bytes!("../data/hull.dxil"),
    include_bytes!("../data/mesh.dxil"),
    include_bytes!("../data/compute_16bit.dxil"),
];

/// Reads everything, and counts the errors.
fn touch_parts(c: &Container<'_>) -> usize {
    let mut errors = 0;
    let mut see = |failed: bool| errors += usize::from(failed);
    see(c.input_signature().is_err());
    see(c.output_signature().is_err());
    see(c.patch_constant_signature().is_err());
    see(c
        .pipeline_validation()
        .map(|p| {
            p.map(|p| {
                p.elements
                    .iter()
                    .filter(|e| p.string(e.name).is_ok() && p.indices(e).is_some())
                    .count()
            })
        })
        .is_err());
    see(c.root_signature().is_err());
    see(c.shader_hash().is_err());
    see(c.debug_name().is_err());
    let rdat = |r: RuntimeData<'_>| {
        r.resources().filter(Result::is_err).count()
            + r.functions().filter(Result::is_err).count()
            + r.subobjects().filter(Result::is_err).count()
    };
    see(c.runtime_data().map_or(true, |r| r.map_or(0, rdat) > 0));
    let _ = c.check_hash();
    errors
}

fn touch(bytes: &[u8]) -> Result<(), Error> {
    if let Ok(c) = Container::open(bytes) {
        touch_parts(&c);
    }
    let mut input = read_with_debug_info(bytes)?;
    let declarations = DxDeclarations::new(&input.module);
    for f in input.module.functions.values() {
        for inst in f.insts.keys() {
            let _ = declarations
                .parse(&input.module, f, inst)
                .map(|c| c.map(|c| c.overload(&input.module, f)));
        }
    }
    let _ = (
        TypeAnnotations::read(&input.module),
        ViewIdState::read(&input.module, input.shader.kind),
    );
    if let Some(c) = input.container {
        names_from_stat(&c, &mut input.shader)?;
    }
    disassemble(&input.module, Some(&input.shader), input.container.as_ref())?;
    Ok(())
}

#[test]
fn bit_flips() {
    let seed = 0x7E11_0001;
    let mut rng = Random(seed);
    let (mut good, mut bad) = (0, 0);
    for file in FILES {
        touch(file).unwrap();
        for _ in 0..400 {
            let mut bytes = file.to_vec();
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
            match touch(&bytes) {
                Ok(()) => good += 1,
                Err(_) => bad += 1,
            }
        }
    }
    // Both happen often, or this test does not test what its name promises.
    assert!(
        good > 100 && bad > 100,
        "{good} read, {bad} errors, seed {seed:#x}"
    );
}

/// Parts whose words are random numbers: small ones, large ones, plausible offsets.
#[test]
fn random_words_in_parts() {
    let mut rng = Random(0x7E11_0002);
    let mut errors = 0;
    for file in FILES {
        let parts: Vec<(usize, usize)> = Container::open(file)
            .unwrap()
            .parts()
            .map(|p| (p.offset, p.data.len()))
            .collect();
        for &(offset, len) in &parts {
            for _ in 0..100 {
                let mut bytes = file.to_vec();
                for _ in 0..4 {
                    let at = offset + 4 * rng.below((len / 4).clamp(1, 64));
                    let word = [
                        rng.any() as u32,
                        rng.below(64) as u32,
                        rng.below(len.max(1)) as u32,
                        u32::MAX - rng.below(8) as u32,
                    ][rng.below(4)];
                    if let Some(slot) = bytes.get_mut(at..at + 4) {
                        slot.copy_from_slice(&word.to_le_bytes());
                    }
                }
                if let Ok(c) = Container::open(&bytes) {
                    errors += touch_parts(&c);
                }
            }
        }
    }
    assert!(errors > 200, "{errors}");
}

/// Metadata operands that point anywhere: cycles, wrong kinds, self references.
#[test]
fn shuffled_metadata() {
    let mut rng = Random(0x7E11_0003);
    let mut errors = 0;
    for file in FILES {
        let mut input = read_with_debug_info(file).unwrap();
        let original = input.module.metadata.operands.clone();
        let nodes = input.module.metadata.nodes.len();
        for _ in 0..300 {
            input.module.metadata.operands.clone_from(&original);
            for _ in 0..=rng.below(4) {
                let at = rng.below(original.len());
                input.module.metadata.operands[at] = rng.below(nodes + 1) as u32;
            }
            errors += usize::from(Shader::read(&input.module, None).is_err());
            let _ = (
                TypeAnnotations::read(&input.module),
                ViewIdState::read(&input.module, input.shader.kind),
            );
            disassemble(&input.module, Some(&input.shader), None)
                .map_err(|e| assert!(matches!(e, Error::Shader(_)), "{e}"))
                .ok();
        }
    }
    assert!(errors > 100, "{errors}");
}
