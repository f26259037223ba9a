//! How programs about data are judged: at two levels of optimization.

use gpu_test::case::Case;

use super::{Program, resources};
use crate::judge::{Difference, Kind, Subject, Verdict};
use crate::program::Compilation;

/// The reader's error for DXIL with integers of more than 64 bits: DXC's passes bitcast a long
/// vector to one where only a component of it is read.
const WIDE: &str = "integer width is";

/// Seeds whose tokens are not the HLSL (FXC 10.1), found by reading the shrunk programs. The evaluator does
/// not decide about them, as it does not sample textures: a quotient of unsigned numbers that is folded to
/// another constant (288), loops that lost their end (332, 485, 598), a shift that became a field of three
/// bits (799), a maximum that is dropped (937).
const FXC_BUGS: [u64; 6] = [288, 332, 485, 598, 799, 937];

impl Subject for Program {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn text(&self) -> String {
        self.text()
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn compilations(&self) -> Vec<Compilation> {
        let of = |level| Compilation {
            level,
            ..self.options
        };
        vec![self.options, of(self.other_level)]
    }

    fn has_waves(&self) -> bool {
        self.waves
    }

    fn case(&self, dxil: &[u8], wave: u32) -> Result<Case, Verdict> {
        let input = trellis_dxbc_frontend::read(dxil).map_err(|error| {
            let (kind, text) = (Kind::Interpreter, error.to_string());
            if self.long && text.contains(WIDE) {
                return Verdict::Skipped(
                    "the compiler made an integer of more than 64 bits of a vector".to_owned(),
                );
            }
            Verdict::Failed(vec![Difference { kind, text }])
        })?;
        let groups = [self.groups, 1, 1];
        let mut dispatch =
            trellis_dxil_interpreter::generate::dispatch(&input.module, &input.shader, groups, 64);
        dispatch.wave = self.waves.then_some(wave);
        resources::fill(&mut dispatch, self);
        Ok(Case {
            name: "random program about data".to_owned(),
            dispatch: Some(dispatch),
            ..Case::default()
        })
    }

    fn is_known_bug(&self, with_fxc: bool) -> bool {
        with_fxc && FXC_BUGS.contains(&self.seed)
    }

    fn shrink(self, tests: usize, keeps: &mut dyn FnMut(&Self) -> bool) -> Self {
        super::shrink(self, tests, keeps)
    }
}
