//! Parts and metadata of random numbers: every accessor of container, shader and listing gives an answer
//! or a typed error, and does not panic. (`tests/mutate.rs` damages whole files.)

use shader_testkit::Random;
use trellis_dxil_frontend::container::Container;
use trellis_dxil_frontend::disasm::disassemble;
use trellis_dxil_frontend::shader::{Shader, TypeAnnotations, ViewIdState};
use trellis_dxil_frontend::{Error, read_with_debug_info};

use crate::fuzzing;

const FILES: [&[u8]; 6] = [
    include_bytes!("../data/pixel_debug.dxil"),
    include_bytes!("../data/compute.dxil"),
    include_bytes!("../data/library.dxil"),
    include_bytes!("../data/hull.dxil"),
    include_bytes!("../data/mesh.dxil"),
    include_bytes!("../data/compute_16bit.dxil"),
];

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
                    errors += usize::from(fuzzing::parts(c).is_err());
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
