//! The comparison of results with their inputs: damaged results that it accepts have the same
//! traces and sets of invocations.
//!
//! `TRELLIS_MUTANTS` is how many results are damaged.

use structurizer_testkit::check::{Failure, check_result};
use structurizer_testkit::generate::{Rng, mixed_size, random_function};
use structurizer_testkit::harness::setting;
use structurizer_testkit::simt::{LaneSets, is_reducible};
use trellis_structurizer::equivalence::{self, Difference};
use trellis_structurizer::ir::{Block, Function, Terminator, Value, ValueKind};
use trellis_structurizer::text::{parse, parse_structured, print, print_structured};
use trellis_structurizer::verify::verify;
use trellis_structurizer::{Options, Structured, Target, structurize};

/// Compares a result in the text form with its input.
fn compare(input: &str, result: &str) -> Result<(), Difference> {
    equivalence::check(&parse(input).unwrap(), &parse_structured(result).unwrap())
}

#[test]
fn each_difference_has_a_graph_with_it() {
    let input = "a: b c\nb: {} d\nc: {} d\nd: ret";
    let same = "a: b c | merge d\nb: {} d\nc: {} d\nd: ret";
    assert_eq!(compare(input, same), Ok(()));
    for (result, expected) in [
        (
            "a: c b | merge d\nb: {} d\nc: {} d\nd: ret",
            "control reaches b2 where the input leads elsewhere",
        ),
        (
            "a: b c | merge d\nb: {} d\nc: {} d\nd: kill",
            "b3 ends the invocation differently from the input",
        ),
        (
            "a: b c | merge d\nb: {conv} d\nc: {} d\nd: ret",
            "b1 has other instructions than the input",
        ),
    ] {
        let found = compare(input, result).map_err(|difference| difference.to_string());
        assert_eq!(found, Err(expected.to_owned()), "{result}");
    }
}

/// Compares a result, which is well formed and has blocks in this order, with its input.
fn compare_ordered(input: &str, result: &str, order: &[u32]) -> String {
    let (input, mut result) = (parse(input).unwrap(), parse_structured(result).unwrap());
    result.order = order.iter().map(|&block| Block::from_u32(block)).collect();
    verify(&result).unwrap();
    match equivalence::check(&input, &result) {
        Ok(()) => "equal".to_owned(),
        Err(difference) => difference.to_string(),
    }
}

#[test]
fn values_are_themselves_only_where_they_are_defined_alike() {
    // An inserted block `n` takes the place of the empty latch `p`, for which `%p` keeps its value: a
    // phi is itself only where both functions have reached it.
    let input = "
        %c = const 1 : 1
        e:
            br b
        b:
            %p = phi : 1 [e %c] [p %p]
            %r:1 %d:2 = op 7 side %p
            if %d p x
        p:
            br b
        x:
            ret";
    let result = |operand: &str| {
        let result = input.replace("[p %p]", &format!("[n {operand}]"));
        let result = result.replace("if %d p x", "loop x n\n if %d n x");
        result.replace("p:\n            br b", "p:\n br x") + "\nn:\n br b"
    };
    let order = [0, 1, 4, 3];
    assert_eq!(compare_ordered(input, &result("%p"), &order), "equal");
    let found = compare_ordered(input, &result("%r"), &order);
    assert_eq!(found, "v2 in b1 is not v1 of the input");
    // Blocks with instructions are not copied.
    let input = "
        e:
            br b
        b:
            %r:1 = op 7 side
            br h
        h:
            op 8 side
            if %r j x
        j:
            op 9 side
            br b
        x:
            ret";
    let result = input.replace("if %r", "loop x n\n if %r");
    let result = result.replace("op 9 side\n            br b", "op 9 side\n br n");
    let result = result + "\nn:\n %n:1 = op 7 side\n br h";
    let found = compare_ordered(input, &result, &[0, 1, 2, 3, 5, 4]);
    assert_eq!(found, "b5 has other instructions than the input");
}

/// A convergent instruction that runs after a loop, once for all iterations, may not run in it.
#[test]
fn convergent_instructions_are_in_the_loops_of_the_input() {
    let input = "e: h\nh: w l\nl: h x\nw: {EFFECT} x\nx: ret";
    let in_loop = "e: h\nh: w l | loop x l\nl: h x\nw: {EFFECT} x\nx: ret";
    for (effect, expected) in [
        ("", "equal"),
        (
            "conv",
            "b3 has convergent instructions and is in other loops than in the input",
        ),
    ] {
        let texts = [input, in_loop].map(|text| text.replace("EFFECT", effect));
        assert_eq!(
            compare_ordered(&texts[0], &texts[1], &[0, 1, 3, 2, 4]),
            expected
        );
    }
}

/// Branches to the same blocks are one branch `J` in the result. It heads the inner loop, whose back edge control
/// also takes to leave it.
#[test]
fn a_back_edge_that_leads_out_of_the_loop_is_no_iteration() {
    let input =
        parse("a: b\nb: {conv} switch b c d\nc: {conv} switch b c d\nd: {conv} b e\ne: ret");
    assert!(structurize(input.unwrap(), &Options::default()).is_ok());
}

/// Neither the input nor the result stays in a cycle of blocks without instructions where the other one
/// continues.
#[test]
fn both_arrive() {
    let two = "e:\n op 1 side\n br x\nx:\n op 2 side\n ret";
    let stays = "e:\n op 1 side\n br p\np:\n br p\nx:\n op 2 side\n ret";
    let leaves = "e:\n op 1 side\n br x\np:\n br p\nx:\n op 2 side\n ret";
    let inserted = "e:\n op 1 side\n br n\nx:\n op 2 side\n ret\nn:\n loop x l\n br l\nl:\n br n";
    for (input, result, order, block) in [
        (two, inserted, &[0, 2, 3, 1][..], 2),
        (stays, leaves, &[0, 2], 2),
        (stays, "e:\n op 1 side\n ret", &[0], 0),
    ] {
        let expected = format!("control reaches b{block} where the input leads elsewhere");
        assert_eq!(compare_ordered(input, result, order), expected);
    }
}

#[test]
fn a_result_has_blocks() {
    let input = parse("a: ret").unwrap();
    let mut result = parse_structured("a: ret").unwrap();
    result.order.clear();
    assert!(equivalence::check(&input, &result).is_err());
}

/// The choices for a damage, and the place of each.
struct Damage<'a> {
    func: &'a mut Function,
    order: &'a [Block],
    rng: &'a mut Rng,
}

impl Damage<'_> {
    fn block(&mut self) -> Block {
        self.order[self.rng.below(self.order.len())]
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        list.get(self.rng.below(list.len().max(1))).copied()
    }

    /// Returns another value of the same type, if there is one.
    fn other(&mut self, value: Value) -> Option<Value> {
        let ty = self.func.value_type(value);
        let same = |&other: &Value| other != value && self.func.value_type(other) == ty;
        let others: Vec<Value> = self.func.values().filter(same).collect();
        self.pick(&others)
    }

    /// Damages a result in one place, if anything is there.
    fn apply(&mut self) -> Option<()> {
        let block = self.block();
        let terminator = self.func.terminator(block)?;
        let mut targets: Vec<Block> = self.func.successors(block).collect();
        let is_branch = matches!(terminator, Terminator::Branch(_));
        match self.rng.below(8) {
            // The edges of a branch: of a switch the default and a case.
            0 if is_branch || targets.len() < 2 => return None,
            0 => {
                let is_switch = matches!(terminator, Terminator::Switch { .. });
                let last = if is_switch {
                    self.rng.below(targets.len() - 1)
                } else {
                    0
                };
                targets.swap(0, 1 + last);
                self.set_targets(block, terminator, &targets);
            }
            // The target of an edge.
            1 => {
                let (to, is_first) = (self.block(), self.rng.chance(50));
                let is_conditional = matches!(terminator, Terminator::CondBranch { .. });
                *targets.get_mut(usize::from(is_conditional && !is_first))? = to;
                self.set_targets(block, terminator, &targets);
            }
            // Two operands of a phi, or one: of a selector another constant.
            kind @ 2..=4 => {
                let phis: Vec<Value> = self.func.phis(block).collect();
                let phi = self.pick(&phis)?;
                let operands = self.func.phi_operands(phi);
                let mut operands: Vec<_> = operands.map(|o| (o.pred, o.value)).collect();
                let at = self.rng.below(operands.len().max(1));
                let old = operands.get(at)?.1;
                operands[at].1 = match self.func.value_kind(old) {
                    _ if kind == 2 => {
                        let other = self.rng.below(operands.len());
                        std::mem::replace(&mut operands[other].1, old)
                    }
                    ValueKind::SelectorConstant(number) => {
                        let other = (number + 1) % (self.order.len() as u32 + 1);
                        self.func.selector_constant(other)
                    }
                    _ => self.other(old)?,
                };
                self.func.set_phi_operands(phi, &operands);
                return (operands[at].1 != old).then_some(());
            }
            // The operand of an instruction or of a terminator.
            5 | 6 => {
                let insts = self.func.insts(block);
                let uses = insts.flat_map(|inst| self.func.uses(inst).to_vec());
                let uses: Vec<Value> = uses.chain(terminator.value()).collect();
                let old = self.pick(&uses)?;
                let new = self.other(old)?;
                let renamed = |value| if value == old { new } else { value };
                self.func.replace_uses(block, renamed);
            }
            // The place of instructions.
            _ => {
                let insts: Vec<_> = self.func.insts(block).collect();
                let to = self.block();
                let inst = self.pick(&insts).filter(|_| to != block)?;
                self.func.move_insts(inst, to);
            }
        }
        Some(())
    }

    fn set_targets(&mut self, block: Block, mut terminator: Terminator, targets: &[Block]) {
        match &mut terminator {
            Terminator::Branch(to) => *to = targets[0],
            Terminator::CondBranch { then, else_, .. } => {
                (*then, *else_) = (targets[0], targets[1]);
            }
            Terminator::Switch { default, cases, .. } => {
                *default = targets[0];
                let literals = self.func.cases(*cases).iter().map(|case| case.literal);
                let all: Vec<(u64, Block)> = literals.zip(targets[1..].iter().copied()).collect();
                *cases = self.func.add_cases(&all);
            }
            _ => {}
        }
        self.func.set_terminator(block, terminator);
    }
}

/// Returns the results of a function: with selects and without breakable blocks, and without.
fn results(func: &Function) -> [Structured; 2] {
    let options = Options::default();
    let without = options
        .clone()
        .with_target(Target::SPIRV.with_selects(false));
    let options = [
        options.with_target(Target::SPIRV.with_breakable_blocks(false)),
        without,
    ];
    options.map(|options| structurize(func.clone(), &options).unwrap())
}

#[test]
fn damage_that_is_accepted_changes_no_trace_and_no_set() {
    let count = setting("TRELLIS_MUTANTS", 20_000);
    let (mut invalid, mut refused, mut accepted) = (0, 0, 0);
    let mut seed = 0;
    while refused + accepted + invalid < count {
        seed += 1;
        let mut rng = Rng::new(seed);
        let mut func = random_function(seed, mixed_size(seed, 40));
        for block in func.blocks() {
            // The model decides uniform branches for all lanes alike, also against the value.
            func.set_uniform(block, false);
        }
        // The sets of invocations of an irreducible input are not defined.
        let sets = match is_reducible(&func) {
            true => LaneSets::Equal,
            false => LaneSets::Ignore,
        };
        for result in results(&func) {
            for _ in 0..32 {
                let mut damaged = result.clone();
                let mut damage = Damage {
                    func: &mut damaged.func,
                    order: &result.order,
                    rng: &mut rng,
                };
                if damage.apply().is_none() {
                    continue;
                }
                if verify(&damaged).is_err() {
                    invalid += 1;
                    continue;
                }
                if equivalence::check(&func, &damaged).is_err() {
                    refused += 1;
                    continue;
                }
                accepted += 1;
                match check_result(&func, &damaged, 4, sets) {
                    Ok(()) | Err(Failure::Input(_)) => {}
                    // A select that nothing reads may have an undefined condition.
                    Err(Failure::Run { .. }) if result.target.selects => {}
                    Err(failure) => panic!(
                        "seed {seed}: {failure}\n{}\nresult:\n{}\ndamaged:\n{}",
                        print(&func),
                        print_structured(&result),
                        print_structured(&damaged)
                    ),
                }
            }
        }
    }
    println!(
        "{invalid} invalid, {refused} refused, {accepted} accepted with equal traces and sets"
    );
    assert!(refused > count / 4 && accepted > 0);
}
