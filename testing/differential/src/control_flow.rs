//! How programs about control flow are judged.

use gpu_test::case::Case;
use structurizer_testkit::generate::Rng;
use trellis_dxil_interpreter::dispatch::{Binding, Class, Data, Dispatch, Kind as Shape};

use crate::evaluate::{Error, evaluate};
use crate::judge::{Subject, Verdict};
use crate::program::*;
use crate::{hlsl, shrink};

/// Seeds whose DXIL differs from the HLSL (DXC 1.7): two nested breaks in an `[unroll]` loop, where it
/// executes a store that no lane reaches; a break behind an empty branch in such a loop, where it drops
/// all stores. The interpreter and the device agree on them.
pub const COMPILER_BUGS: [u64; 2] = [1692, 4827];

/// Seeds whose tokens of FXC 10.1 are wrong in a way that has several results: a register has no value where
/// no case of a `switch` is taken, so that threads write to the slots of others.
pub const FXC_BUGS: [u64; 1] = [9781];

/// Returns the input buffer's contents: random numbers from the program's seed.
pub fn inputs(program: &Program) -> Vec<u32> {
    let mut rng = Rng::new(!program.seed);
    (0..INPUTS).map(|_| (rng.next_u64() >> 32) as u32).collect()
}

impl Subject for Program {
    fn seed(&self) -> u64 {
        self.seed
    }

    fn text(&self) -> String {
        hlsl::print(self)
    }

    fn size(&self) -> usize {
        self.size()
    }

    fn compilations(&self) -> Vec<Compilation> {
        vec![self.options]
    }

    fn has_waves(&self) -> bool {
        self.has_waves()
    }

    fn case(&self, _: &[u8], wave: u32) -> Result<Case, Verdict> {
        let buffer = |class| Binding {
            stride: Some(4),
            ..Binding::new(class, 0, 0, Shape::Structured)
        };
        let bytes = u64::from(self.lanes) * u64::from(self.groups) * u64::from(SLOTS) * 4;
        let input = Binding {
            data: Some(Data::U32(inputs(self))),
            ..buffer(Class::Srv)
        };
        let output = Binding {
            bytes: Some(bytes),
            ..buffer(Class::Uav)
        };
        let dispatch = Dispatch {
            about: String::new(),
            entry: String::new(),
            groups: [self.groups, 1, 1],
            wave: self.has_waves().then_some(wave),
            bindings: vec![input, output],
            scenes: Vec::new(),
        };
        Ok(Case {
            name: "random program".to_owned(),
            dispatch: Some(dispatch),
            ..Case::default()
        })
    }

    fn meaning(&self) -> Option<Result<Vec<u8>, Error>> {
        let bytes = |numbers: Vec<u32>| numbers.into_iter().flat_map(u32::to_le_bytes).collect();
        (!self.has_waves()).then(|| evaluate(self, &inputs(self)).map(bytes))
    }

    fn is_known_bug(&self, with_fxc: bool) -> bool {
        COMPILER_BUGS.contains(&self.seed) || with_fxc && FXC_BUGS.contains(&self.seed)
    }

    fn shrink(self, tests: usize, keeps: &mut dyn FnMut(&Self) -> bool) -> Self {
        shrink::shrink(self, tests, keeps)
    }
}
