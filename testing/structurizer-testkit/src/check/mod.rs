//! Every property of a result in one function, which the random tests and the stress command call
//! for each graph.
//!
//! [`check_function`] structurizes a function and compares before and after; [`shrink`] makes a
//! function smaller for as long as it fails. Not made for speed: a run costs many times as much as
//! [`structurize`].

pub mod literal;
mod shrink;
mod sketch;

use std::panic::{AssertUnwindSafe, catch_unwind};

use thiserror::Error;

pub use shrink::shrink;

use sketch::Sketch;

use crate::simt::{self, CanonicalGraph, Config, Difference, LaneSets, SimError};
use trellis_structurizer::ir::{Function, Inst, InstKind, Terminator};
use trellis_structurizer::text::{print, print_structured};
use trellis_structurizer::verify::{VerifyError, verify};
use trellis_structurizer::{Error, Options, Stages, Structured, Target, equivalence, structurize};

/// Amount of checking.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Number of runs of the wave interpreter that are compared.
    pub runs: u64,
    /// The most blocks of a result that the slow twin of the verifier checks.
    pub literal_blocks: usize,
    /// Maximum number of blocks of a result, divided by the number of blocks of the input plus
    /// one.
    pub growth: usize,
    /// The stages that run.
    pub stages: Stages,
    /// [`Options::max_continue_switches`]
    pub max_continue_switches: u32,
    /// [`Options::target`]
    pub target: Target,
    /// [`Options::many_breaks`]
    pub many_breaks: u32,
}

impl Default for Checks {
    fn default() -> Self {
        Checks {
            runs: 6,
            literal_blocks: 24,
            growth: 6,
            stages: Stages::ALL,
            max_continue_switches: u32::MAX,
            target: Target::SPIRV,
            many_breaks: Options::default().many_breaks,
        }
    }
}

/// The property that a function or its result does not have.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Failure {
    /// There is no result.
    #[error("structurize: {0}")]
    Structurize(#[from] Error),
    /// The verifier refuses the result.
    #[error("verify: {0}")]
    Verify(#[from] VerifyError),
    /// The comparison with the input refuses the result.
    #[error("equivalence: {0}")]
    Differs(#[from] equivalence::Difference),
    /// The slow twin of the verifier refuses a result that the verifier accepts.
    #[error("the rules read literally: {0}")]
    Literal(&'static str),
    /// A loop of the graph with dispatch headers has several entries.
    #[error("the canonical graph is irreducible")]
    NotCanonical,
    /// The input does not run, so there is no trace to keep.
    #[error("the input does not run: {0}")]
    Input(SimError),
    /// The result does not run.
    #[error("run {seed}: {error}")]
    Run {
        /// The seed of the run.
        seed: u64,
        /// Why.
        error: SimError,
    },
    /// A lane behaves differently than before, or runs with other lanes.
    #[error("run {seed}: {difference}")]
    Trace {
        /// The seed of the run.
        seed: u64,
        /// The first difference.
        difference: Difference,
    },
    /// The same function gave two results.
    #[error("two runs of the structurizer give different results")]
    NotDeterministic,
    /// The result is too large.
    #[error("{before} blocks became {after}")]
    Growth {
        /// Blocks of the input.
        before: usize,
        /// Blocks of the result.
        after: usize,
    },
    /// The result has selectors, and its target has multi-level exits.
    #[error("{selectors} selectors for a target with multi-level exits")]
    Selectors {
        /// Number of selectors.
        selectors: u32,
    },
    /// Something panicked.
    #[error("panic: {0}")]
    Panic(String),
}

impl Failure {
    /// Returns the failure without numbers and details: two failures of one kind are likely one
    /// bug.
    pub fn kind(&self) -> String {
        let text = match self {
            Failure::Trace {
                difference: Difference {
                    expected, found, ..
                },
                ..
            } => {
                let same_event = expected
                    .zip(*found)
                    .is_some_and(|(a, b)| a.kind == b.kind && a.operands == b.operands);
                return if same_event {
                    "trace: lanes".to_owned()
                } else {
                    "trace: events".to_owned()
                };
            }
            _ => self.to_string(),
        };
        let line = text.lines().next().unwrap_or("");
        line.split(' ')
            .filter(|word| !word.contains(|c: char| c.is_ascii_digit()))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Structurizes a function, twice, and checks the result: the verifier's rules (on small graphs also
/// by its slow twin), SSA, each lane's trace, the sets of lanes that run convergent instructions (for
/// an irreducible input compared with the graph with dispatch headers), determinism and size.
pub fn check_function(func: &Function, checks: &Checks) -> Result<(), Failure> {
    // Checked below, so not twice.
    let options = Options::default()
        .with_verify(false)
        .with_compare(false)
        .with_stages(checks.stages)
        .with_max_continue_switches(checks.max_continue_switches)
        .with_many_breaks(checks.many_breaks)
        .with_target(checks.target);
    let after = structurize(func.clone(), &options)?;
    let again = structurize(func.clone(), &options)?;
    if after.report != again.report || print_structured(&after) != print_structured(&again) {
        return Err(Failure::NotDeterministic);
    }
    let sets = if simt::is_reducible(func) {
        LaneSets::Equal
    } else {
        LaneSets::Ignore
    };
    check_result(func, &after, checks.runs, sets)?;
    match equivalence::check(func, &after) {
        // The runs above have to do.
        Err(equivalence::Difference::TooLarge) => {}
        compared => compared?,
    }
    if sets == LaneSets::Ignore {
        check_canonical(func, &options, checks.runs)?;
    }
    if after.order.len() <= checks.literal_blocks {
        literal::check_for(&literal::Graph::of(&after), checks.target).map_err(Failure::Literal)?;
    }
    if checks.target.multi_level {
        let insts = { after.order.iter() }.flat_map(|&block| after.func.insts(block));
        let is_test =
            |&inst: &Inst| matches!(after.func.inst_kind(inst), InstKind::SelectorTest { .. });
        // Dispatches of irreducible functions are none.
        let tests = insts.filter(is_test).count() * usize::from(sets == LaneSets::Equal);
        let selectors = after.report.selectors + tests as u32;
        if selectors > 0 {
            return Err(Failure::Selectors { selectors });
        }
    }
    let (before, after) = (func.num_blocks(), after.order.len());
    if after > (before + 1) * checks.growth {
        Err(Failure::Growth { before, after })
    } else {
        Ok(())
    }
}

/// Structurizes an irreducible function without the stages that change the function, and compares the
/// sets of lanes with the graph with dispatch headers.
fn check_canonical(func: &Function, options: &Options, runs: u64) -> Result<(), Failure> {
    let has_regions = func.blocks().any(|b| func.convergence_region(b).is_some());
    let split = has_regions.then(|| {
        let mut sketch = Sketch::of(func, true);
        sketch.split_regions();
        sketch.build().expect("the text of a function")
    });
    let model = split.as_ref().unwrap_or(func);
    let graph = CanonicalGraph::of(model, options.stages)?;
    if !graph.is_reducible() {
        return Err(Failure::NotCanonical);
    }
    let mut options = options.clone();
    options.stages = CanonicalGraph::stages(options.stages);
    let after = structurize(func.clone(), &options)?;
    verify(&after)?;
    compare_runs(func, &after, runs, LaneSets::Equal, |config| {
        simt::run_canonical(model, &graph, config)
    })
}

/// Verifies a result and runs the function before and after, `runs` times with different decisions.
/// `sets` is how convergence is compared.
pub fn check_result(
    before: &Function,
    after: &Structured,
    runs: u64,
    sets: LaneSets,
) -> Result<(), Failure> {
    verify(after)?;
    compare_runs(before, after, runs, sets, |config| {
        simt::run_graph(before, config)
    })
}

/// Compares runs of a result with runs of a model of its input.
fn compare_runs(
    before: &Function,
    after: &Structured,
    runs: u64,
    sets: LaneSets,
    model: impl Fn(&Config) -> Result<simt::Trace, SimError>,
) -> Result<(), Failure> {
    let switch_range = largest_literal(before) + 2;
    for seed in 0..runs {
        // Results that depend on the set of lanes only where the sets must be the same.
        let convergent_results = sets == LaneSets::Equal && seed % 2 == 1;
        let config = Config {
            seed,
            convergent_results,
            switch_range,
            ..Config::default()
        };
        let expected = model(&config).map_err(Failure::Input)?;
        let found = simt::run_structured_like(after, &config, &expected)
            .map_err(|error| Failure::Run { seed, error })?;
        simt::compare(&expected, &found, sets)
            .map_err(|difference| Failure::Trace { seed, difference })?;
    }
    Ok(())
}

fn largest_literal(func: &Function) -> u64 {
    let literals = func
        .blocks()
        .filter_map(|block| match func.terminator(block) {
            Some(Terminator::Switch { cases, .. }) => {
                func.cases(cases).iter().map(|case| case.literal).max()
            }
            _ => None,
        });
    literals.max().unwrap_or(0).min(1 << 20)
}

/// Returns the failure of a test on a function; a panic counts as one. The panic hook still runs.
pub fn failure(
    func: &Function,
    test: &dyn Fn(&Function) -> Result<(), Failure>,
) -> Option<Failure> {
    match catch_unwind(AssertUnwindSafe(|| test(func))) {
        Ok(result) => result.err(),
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Some(Failure::Panic(text.unwrap_or_default()))
        }
    }
}

/// Shrinks a function to one that fails a test in the same way. Returns both failures and the small
/// function, as a graph after comments; of the first one the caller writes the start.
///
/// It is slow to shrink for [`failure`]s that take long: a function is tested 4000 times at most.
pub fn shrunk(
    func: Function,
    found: &Failure,
    test: &dyn Fn(&Function) -> Result<(), Failure>,
) -> String {
    let kind = found.kind();
    let is_same = |func: &Function| failure(func, test).is_some_and(|f| f.kind() == kind);
    let small = shrink(func, 4000, &is_same);
    let again = failure(&small, test).map(|again| again.to_string());
    let comments = format!("{found}\nshrunk: {}", again.unwrap_or_default());
    format!("{}\n{}", comments.replace('\n', "\n# "), print(&small))
}
