//! The checks that a structured function has to pass, and a shrinker for graphs that fail.

use std::panic::{AssertUnwindSafe, catch_unwind};

use structurizer::Structured;
use structurizer::ir::{Block, Effects, Function, InstKind, Terminator, Value, ValueKind};
use structurizer::simt::{self, Config, LaneSets};
use structurizer::verify::verify;

/// Runs a function before and after with several seeds. `sets` says how convergence is compared.
pub(crate) fn check(before: &Function, after: &Structured, seeds: u64, sets: LaneSets) -> Result<(), String> {
    verify(after).map_err(|error| format!("verify: {error}"))?;
    let switch_range = largest_literal(before) + 2;
    for seed in 0..seeds {
        // Results that depend on the set of lanes only where the sets must be the same.
        let convergent_results = sets == LaneSets::Equal && seed % 2 == 1;
        let config = Config { seed, switch_range, convergent_results, ..Config::default() };
        // A function that reads what is not there has no trace to keep.
        let expected = simt::run_graph(before, &config).map_err(|error| format!("the input does not run: {error}"))?;
        let found = simt::run_structured(after, &config).map_err(|error| format!("seed {seed}: {error}"))?;
        simt::compare(&expected, &found, sets).map_err(|difference| format!("seed {seed}: {difference}"))?;
    }
    Ok(())
}

fn largest_literal(func: &Function) -> u64 {
    let literals = func.blocks().filter_map(|block| match func.terminator(block) {
        Some(Terminator::Switch { cases, .. }) => func.cases(cases).iter().map(|case| case.literal).max(),
        _ => None,
    });
    literals.max().unwrap_or(0).min(1 << 20)
}

/// Runs a test on a function; a panic counts as a failure.
pub(crate) fn failure(func: &Function, test: &dyn Fn(&Function) -> Result<(), String>) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| test(func))) {
        Ok(result) => result.err(),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Some(format!("panic: {}", text.unwrap_or_default()))
        }
    }
}

/// A failure without its numbers and details: two failures of one kind are likely one bug.
pub(crate) fn kind(message: &str) -> String {
    let line = message.lines().next().unwrap_or("");
    let words: Vec<&str> = line.split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect();
    let text = words.join(" ");
    text.split(" expected").next().unwrap_or("").to_owned()
}

/// Makes a failing function smaller for as long as it fails in the same way.
pub(crate) fn shrink(func: Function, test: &dyn Fn(&Function) -> Result<(), String>) -> Function {
    let wanted = failure(&func, test).map(|message| kind(&message));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut best = func;
    let mut budget = 4000;
    let mut progress = true;
    while progress && budget > 0 {
        progress = false;
        let mut step = 0;
        while let Some(smaller) = candidate(&best, step) {
            budget -= 1;
            let fails = failure(&smaller, test).map(|message| kind(&message)) == wanted;
            if fails && size(&smaller) < size(&best) {
                best = smaller;
                progress = true;
            } else {
                step += 1;
            }
            if budget == 0 {
                break;
            }
        }
    }
    std::panic::set_hook(hook);
    best
}

fn size(func: &Function) -> usize {
    let edges: usize = func.blocks().map(|block| func.successors(block).count()).sum();
    let uses: usize = func.blocks().flat_map(|block| func.insts(block)).map(|inst| 2 + func.uses(inst).len()).sum();
    let phis: usize = func.blocks().map(|block| func.phis(block).count() * 3).sum();
    func.num_blocks() * 10 + edges * 4 + uses + phis
}

/// One way to change a function.
enum Change {
    /// Let a block end in another way.
    End(Block, Terminator),
    /// Let whatever leads to the first block lead to the second.
    Bypass(Block, Block),
    DropInst(Block, usize),
    DropPhi(Value),
}

/// The function with change number `step`, or `None` behind the last.
fn candidate(func: &Function, step: usize) -> Option<Function> {
    let mut left = step;
    for block in func.blocks() {
        let targets: Vec<Block> = func.successors(block).collect();
        let mut changes = Vec::new();
        if targets.len() == 1 && targets[0] != block {
            changes.push(Change::Bypass(block, targets[0]));
        }
        if targets.len() > 1 {
            changes.extend(targets.iter().map(|&to| Change::End(block, Terminator::Branch(to))));
        }
        if let Some(Terminator::BreakBranch { target, stay }) = func.terminator(block) {
            let cond = func.values().next();
            changes.extend(cond.map(|cond| Change::End(block, Terminator::CondBranch { cond, then: target, else_: stay, hint: Default::default() })));
        }
        if !targets.is_empty() {
            changes.push(Change::End(block, Terminator::Return(None)));
        }
        changes.extend((0..func.insts(block).count()).map(|index| Change::DropInst(block, index)));
        changes.extend(func.phis(block).map(Change::DropPhi));
        if left < changes.len() {
            return Some(apply(func, &changes[left]));
        }
        left -= changes.len();
    }
    None
}

/// Copies the reachable part of a function with one change. Values that are gone become constants.
fn apply(func: &Function, change: &Change) -> Function {
    let terminator = |block: Block| match change {
        Change::End(at, end) if *at == block => *end,
        _ => func.terminator(block).unwrap(),
    };
    let bypass = |to: Block| match change {
        Change::Bypass(from, next) if *from == to => *next,
        _ => to,
    };
    let targets = |block: Block| -> Vec<Block> {
        let all = match change {
            Change::End(at, Terminator::Branch(to)) if *at == block => vec![*to],
            Change::End(at, Terminator::Return(_)) if *at == block => Vec::new(),
            _ => func.successors(block).collect(),
        };
        all.into_iter().map(bypass).collect()
    };
    let mut seen = vec![false; func.num_blocks()];
    let mut stack = vec![func.entry().unwrap()];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block.as_u32() as usize], true) {
            stack.extend(targets(block));
        }
    }
    let mut new = Function::new();
    let mut blocks = vec![None; func.num_blocks()];
    let kept: Vec<Block> = func.blocks().filter(|block| seen[block.as_u32() as usize]).collect();
    for &block in &kept {
        blocks[block.as_u32() as usize] = Some(new.add_block());
    }
    let at = |block: Block| blocks[block.as_u32() as usize].unwrap();
    let used: std::collections::BTreeSet<Value> = kept
        .iter()
        .flat_map(|&block| {
            let uses = func.insts(block).flat_map(|inst| func.uses(inst).to_vec());
            let operands = func.phis(block).flat_map(|phi| func.phi_operands(phi)).map(|operand| operand.value);
            uses.chain(operands).chain(terminator(block).value()).collect::<Vec<_>>()
        })
        .collect();
    // Values in the order of their definitions; uses may come earlier only in phis.
    let mut values = vec![None; func.num_values()];
    for value in func.values() {
        match func.value_kind(value) {
            ValueKind::Constant { payload } if used.contains(&value) => {
                values[value.as_u32() as usize] = Some(new.add_constant(payload, func.value_type(value)));
            }
            ValueKind::Undef if used.contains(&value) => values[value.as_u32() as usize] = Some(new.undef(func.value_type(value))),
            _ => {}
        }
    }
    for &block in &kept {
        for phi in func.phis(block) {
            if !matches!(change, Change::DropPhi(dropped) if *dropped == phi) {
                values[phi.as_u32() as usize] = Some(new.add_phi(at(block), func.value_type(phi)));
            }
        }
    }
    let fallback = |new: &mut Function, value: Value| new.add_constant(2_000_000 + value.as_u32(), func.value_type(value));
    for block in dominators_first(func, &kept, &targets) {
        for (index, inst) in func.insts(block).enumerate() {
            if matches!(change, Change::DropInst(dropped, number) if *dropped == block && *number == index) {
                continue;
            }
            let InstKind::Client(payload) = func.inst_kind(inst) else { continue };
            let uses: Vec<Value> = func.uses(inst).iter().map(|&value| values[value.as_u32() as usize].unwrap_or_else(|| fallback(&mut new, value))).collect();
            let types: Vec<_> = func.results(inst).map(|value| func.value_type(value)).collect();
            let effects: Effects = func.effects(inst);
            let copy = new.append_inst(at(block), payload, effects, &uses, &types);
            for (old, result) in func.results(inst).zip(new.results(copy)) {
                values[old.as_u32() as usize] = Some(result);
            }
        }
    }
    for &block in &kept {
        let preds: Vec<Block> = kept.iter().copied().filter(|&pred| targets(pred).contains(&block)).collect();
        for phi in func.phis(block) {
            let Some(copy) = values[phi.as_u32() as usize] else { continue };
            if matches!(change, Change::DropPhi(dropped) if *dropped == phi) {
                continue;
            }
            for &pred in &preds {
                let operand = func.phi_operands(phi).find(|operand| operand.pred == pred).map(|operand| operand.value);
                let value = operand.and_then(|value| values[value.as_u32() as usize]);
                let value = value.unwrap_or_else(|| fallback(&mut new, phi));
                new.add_phi_operand(copy, at(pred), value);
            }
        }
        new.set_loop_hint(at(block), func.loop_hint(block));
        let mut read = |value: Value| values[value.as_u32() as usize].unwrap_or_else(|| new.add_constant(2_000_000 + value.as_u32(), func.value_type(value)));
        let to = |block: Block| at(bypass(block));
        let end = match terminator(block) {
            Terminator::Branch(next) => Terminator::Branch(to(next)),
            Terminator::CondBranch { cond, then, else_, hint } => Terminator::CondBranch { cond: read(cond), then: to(then), else_: to(else_), hint },
            Terminator::BreakBranch { target, stay } => Terminator::BreakBranch { target: to(target), stay: to(stay) },
            Terminator::Switch { value, default, cases, hint } => {
                let value = read(value);
                let cases: Vec<(u64, Block)> = func.cases(cases).iter().map(|case| (case.literal, to(case.target))).collect();
                let cases = new.add_cases(&cases);
                Terminator::Switch { value, default: to(default), cases, hint }
            }
            Terminator::Return(value) => Terminator::Return(value.map(read)),
            other => other,
        };
        new.set_terminator(at(block), end);
    }
    new
}

/// The blocks in reverse post-order, so that definitions are copied before uses.
fn dominators_first(func: &Function, kept: &[Block], targets: &dyn Fn(Block) -> Vec<Block>) -> Vec<Block> {
    let mut state = vec![0u8; func.num_blocks()];
    let mut order = Vec::new();
    let mut stack = vec![(kept[0], targets(kept[0]))];
    state[kept[0].as_u32() as usize] = 1;
    while let Some((block, left)) = stack.last_mut() {
        match left.pop() {
            Some(to) if state[to.as_u32() as usize] == 0 => {
                state[to.as_u32() as usize] = 1;
                stack.push((to, targets(to)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
