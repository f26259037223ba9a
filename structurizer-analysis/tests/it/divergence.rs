//! Nothing that is called uniform differs between lanes that run together, in the test kit's model of
//! waves.
//!
//! Each block gets probes: convergent instructions, whose operands and sets of lanes the model records,
//! for the values of the block, its condition, and values of its dominators. Branches that are called
//! uniform are uniform in the model: the first value or branch that is called so by mistake shows in a
//! probe.

use structurizer_testkit::generate::{Rng, random_function};
use structurizer_testkit::harness::setting;
use structurizer_testkit::simt::{Config, EventKind, Trace, is_reducible, run_graph};
use trellis_entity::EntityRef;
use trellis_structurizer::analysis::FlowGraph;
use trellis_structurizer::ir::{
    Block, Effects, Function, InstKind, Terminator, Type, Value, ValueKind,
};
use trellis_structurizer::text::parse;
use trellis_structurizer_analysis::{Dataflow, Divergence, Instructions, Rule};

/// The first payload of a probe.
const PROBE: u32 = 1 << 20;
const LANES: u32 = 4;

fn block_of(func: &Function, value: Value) -> Option<Block> {
    match func.value_kind(value) {
        ValueKind::Phi(block) => Some(block),
        ValueKind::Result { inst, .. } => Some(func.inst_block(inst)),
        _ => None,
    }
}

/// Returns a function with the blocks of another one and other values: two phis where several edges
/// meet, instructions without effects, and operands that are often phis, so that more is uniform and
/// changes from one iteration to the next.
fn refilled(graph: &Function, rng: &mut Rng) -> Function {
    let ty = Type(1);
    let flow = FlowGraph::of(graph);
    let dominators = flow.dominators();
    let mut func = Function::new();
    let constants = [func.add_constant(1, ty), func.add_constant(2, ty)];
    for _ in graph.blocks() {
        func.add_block();
    }
    let mut values: Vec<Vec<Value>> = vec![Vec::new(); graph.num_blocks()];
    let preds = |block: Block| {
        let preds = graph
            .blocks()
            .filter(move |&p| graph.successors(p).any(|to| to == block));
        preds.collect::<Vec<_>>()
    };
    let pick = |values: &[Vec<Value>], block: Block, rng: &mut Rng| {
        let mut at = Some(block);
        while let Some(block) = at {
            let own = &values[block.index()];
            if !own.is_empty() && rng.chance(60) {
                return own[rng.below(own.len())];
            }
            at = dominators.parent(block);
        }
        constants[rng.below(2)]
    };
    let mut payload = 0;
    // Blocks that are not reached come last.
    let mut order: Vec<Block> = flow.reverse_post_order().collect();
    order.extend(graph.blocks().filter(|&b| !dominators.dominates(b, b)));
    for &block in &order {
        if block.index() != 0 && preds(block).len() > 1 {
            for _ in 0..2 {
                values[block.index()].push(func.add_phi(block, ty));
            }
        }
        for _ in 0..=rng.below(2) {
            let uses: Vec<Value> = (0..=rng.below(2))
                .map(|_| pick(&values, block, rng))
                .collect();
            let inst = func.append_inst(block, payload, Effects::NONE, &uses, &[ty]);
            payload += 1;
            values[block.index()].extend(func.results(inst));
        }
        func.set_convergence_region(block, graph.convergence_region(block));
        let value = pick(&values, block, rng);
        let mut terminator = graph.terminator(block).unwrap();
        match &mut terminator {
            Terminator::CondBranch { cond, .. } => *cond = value,
            Terminator::Switch {
                value: old, cases, ..
            } => {
                let all = graph.cases(*cases).iter();
                let all: Vec<_> = all.map(|case| (case.literal, case.target)).collect();
                (*old, *cases) = (value, func.add_cases(&all));
            }
            Terminator::Return(old) => *old = Some(value),
            _ => {}
        }
        func.set_terminator(block, terminator);
    }
    for block in graph.blocks() {
        for phi in func.phis(block).collect::<Vec<_>>() {
            for pred in preds(block) {
                let value = pick(&values, pred, rng);
                func.add_phi_operand(phi, pred, value);
            }
        }
    }
    trellis_structurizer::check(&func).unwrap();
    func
}

/// Adds the probes and returns their values and blocks.
fn add_probes(func: &mut Function, rng: &mut Rng) -> Vec<(Value, Block)> {
    let graph = FlowGraph::of(func);
    let dominators = graph.dominators();
    let mut probes = Vec::new();
    let values: Vec<Value> = func.values().collect();
    for block in func.blocks() {
        for &value in &values {
            let probed = match block_of(func, value) {
                Some(from) if from == block => true,
                Some(from) => dominators.dominates(from, block) && rng.chance(40),
                None => false,
            };
            if probed {
                probes.push((value, block));
            }
        }
    }
    for (index, &(value, block)) in probes.iter().enumerate() {
        func.append_inst(
            block,
            PROBE + index as u32,
            Effects::CONVERGENT,
            &[value],
            &[],
        );
    }
    probes
}

/// The rule of an instruction in the model.
fn rule(func: &Function, config: &Config, value: Value) -> Rule {
    let ValueKind::Result { inst, .. } = func.value_kind(value) else {
        return Rule::Uniform;
    };
    let effects = func.effects(inst);
    let counts = effects.contains(Effects::SIDE_EFFECT) || effects.contains(Effects::READS_MEMORY);
    match func.inst_kind(inst) {
        InstKind::Client(payload) if !counts && config.is_uniform(payload) => Rule::Operands,
        _ => Rule::Divergent,
    }
}

/// Returns the probes that two lanes ran together, with the operands of each, in order.
fn together(trace: &Trace, a: usize, b: usize) -> Vec<(u32, u64, u64)> {
    let events = |lane: usize, other: usize| {
        let events = trace.lanes[lane]
            .iter()
            .filter_map(move |event| match event.kind {
                EventKind::Inst(payload) if payload >= PROBE && event.lanes & 1 << other != 0 => {
                    Some((payload - PROBE, event.operands))
                }
                _ => None,
            });
        events.collect::<Vec<_>>()
    };
    let (a, b) = (events(a, b), events(b, a));
    assert_eq!(a.len(), b.len());
    a.into_iter()
        .zip(b)
        .map(|(a, b)| {
            assert_eq!(a.0, b.0);
            (a.0, a.1, b.1)
        })
        .collect()
}

#[derive(Default, Debug)]
struct Counts {
    /// Probes of values that are called uniform, and those that two lanes ran together.
    uniform: usize,
    compared: usize,
    uniform_branches: usize,
    divergent_branches: usize,
    runs: usize,
}

fn check(seed: u64, blocks: usize, counts: &mut Counts) {
    let mut func = random_function(seed, blocks);
    let mut rng = Rng::new(seed);
    if !seed.is_multiple_of(3) {
        func = refilled(&func, &mut rng);
    }
    let probes = add_probes(&mut func, &mut rng);
    for config_seed in 0..6 {
        let config = Config {
            lanes: LANES,
            seed: seed * 16 + config_seed,
            fuel: 40,
            uniform: 1 + config_seed % 4,
            ..Config::default()
        };
        let divergence = Divergence::of_function(&func, |value| rule(&func, &config, value));
        for block in func.blocks() {
            let is_divergent = divergence.is_divergent_branch(block);
            func.set_uniform(block, !is_divergent);
            if let Some(Terminator::CondBranch { .. } | Terminator::Switch { .. }) =
                func.terminator(block)
            {
                counts.divergent_branches += usize::from(is_divergent);
                counts.uniform_branches += usize::from(!is_divergent);
            }
        }
        // Some branch on undefined values.
        let Ok(trace) = run_graph(&func, &config) else {
            continue;
        };
        counts.runs += 1;
        for a in 0..LANES as usize {
            for b in 0..a {
                for (probe, of_a, of_b) in together(&trace, a, b) {
                    let (value, block) = probes[probe as usize];
                    let from = block_of(&func, value).unwrap();
                    counts.compared += 1;
                    if !divergence.is_divergent_at(value, from, block) {
                        counts.uniform += 1;
                        assert_eq!(
                            of_a,
                            of_b,
                            "seed {}: {value} of {from} differs in {block}\n{}",
                            config.seed,
                            trellis_structurizer::text::print(&func)
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_called_uniform_never_differs() {
    let mut counts = Counts::default();
    let seeds = setting("TRELLIS_GRAPHS", 1500);
    for seed in 0..seeds {
        check(seed, 4 + (seed as usize * 7) % 28, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.runs > 3 * seeds as usize, "{counts:?}");
    // Not everything is called divergent.
    assert!(counts.uniform * 10 > counts.compared, "{counts:?}");
    assert!(
        counts.uniform_branches * 20 > counts.divergent_branches,
        "{counts:?}"
    );
}

/// Values that are the same everywhere stay uniform in reducible functions without divergent sources.
#[test]
fn without_sources_nothing_is_divergent() {
    let mut branches = 0;
    for seed in 0..300 {
        let func = random_function(seed, 20);
        if !is_reducible(&func) || func.blocks().any(|b| func.convergence_region(b).is_some()) {
            continue;
        }
        let divergence = Divergence::of_function(&func, |_| Rule::Operands);
        assert!(
            func.values().all(|value| !divergence.is_divergent(value)),
            "seed {seed}"
        );
        assert!(
            func.blocks()
                .all(|block| !divergence.is_divergent_branch(block)),
            "seed {seed}"
        );
        branches += func
            .blocks()
            .filter(|&b| func.successors(b).count() > 1)
            .count();
    }
    assert!(branches > 500, "{branches}");
}

/// A function whose blocks are in one graph and whose values are a client's.
struct Inside<'a, F>(Instructions<'a, F>);

impl<F: Fn(Value) -> Rule> Dataflow for Inside<'_, F> {
    type Value = Value;
    fn num_values(&self) -> usize {
        self.0.num_values()
    }
    fn condition(&self, block: Block) -> Option<Value> {
        self.0.condition(block)
    }
    fn block(&self, value: Value) -> Option<Block> {
        self.0.block(value)
    }
    fn is_phi(&self, value: Value) -> bool {
        self.0.is_phi(value)
    }
    fn rule(&self, value: Value, operands: &mut Vec<Value>) -> Rule {
        self.0.rule(value, operands)
    }
}

/// Of a function whose values are a client's own, branches alone give the same result.
#[test]
fn values_inside_of_instructions_count() {
    let mut divergent = 0;
    for seed in 0..200 {
        // A graph with the same blocks and other values.
        let graph = random_function(seed, 20);
        let func = refilled(&graph, &mut Rng::new(seed));
        let config = Config {
            seed,
            uniform: 3,
            ..Config::default()
        };
        let rule = |value| rule(&func, &config, value);
        let expected = Divergence::of_function(&func, rule);
        let found = Divergence::of(&graph, &Inside(Instructions::new(&func, rule)), []);
        for block in func.blocks() {
            let is_divergent = expected.is_divergent_branch(block);
            assert_eq!(
                found.is_divergent_branch(block),
                is_divergent,
                "seed {seed}: {block}"
            );
            divergent += usize::from(is_divergent);
        }
    }
    assert!(divergent > 200, "{divergent}");
}

/// Divergent branches in each other, more than walks are followed for: everything is divergent, soon.
#[test]
fn deep_nesting_takes_linear_time() {
    let depth = 20_000;
    let nested = |depth: usize| {
        let mut text = String::new();
        for level in 0..depth {
            text += &format!(
                "a{level}:\n %c{level}:1 = op 1\n if %c{level} a{} e{level}\n",
                level + 1
            );
        }
        text += &format!("a{depth}:\n br e{}\n", depth - 1);
        for level in (0..depth).rev() {
            let next = level
                .checked_sub(1)
                .map_or("end".to_owned(), |outer| format!("e{outer}"));
            text += &format!("e{level}:\n br {next}\n");
        }
        text + "end:\n %k:1 = op 2\n if %k f g\nf:\n br g\ng:\n %p = phi : 1 [end %k] [f %k]\n ret %p\n"
    };
    for (depth, is_divergent) in [(20, false), (depth, true)] {
        let func = parse(&nested(depth)).unwrap();
        let divergence = Divergence::of_function(&func, |value| match func.value_kind(value) {
            ValueKind::Result { inst, .. } if func.payload(inst) == Some(1) => Rule::Divergent,
            _ => Rule::Operands,
        });
        let phi = func.values().last().unwrap();
        assert!(matches!(func.value_kind(phi), ValueKind::Phi(_)));
        assert_eq!(divergence.is_divergent(phi), is_divergent, "{depth}");
    }
}
