//! Makes a failing function small: cuts blocks, edges, cases, phis, instructions and operands, the
//! large pieces first.

use std::ops::Range;

use trellis_structurizer::ir::Function;

use super::sketch::{Line, Sketch, is_phi, targets, words};

/// One way to make a function smaller.
#[derive(Clone, Debug)]
enum Change {
    /// Let these blocks return.
    Return(Range<usize>),
    /// Drop these blocks if nothing leads to them.
    Drop(Range<usize>),
    /// Empty these blocks.
    Empty(Range<usize>),
    /// Let whatever leads to the first block lead to the second.
    Bypass(usize, usize),
    /// Append a block to its only predecessor, which only branches to it.
    Join(usize, usize),
    /// Give a block this terminator.
    End(usize, Line),
    /// Drop a line of a block: a phi, an instruction, a hint or a region.
    DropLine(usize, usize),
    /// Drop a word of a line, or of the terminator after the lines.
    DropWord(usize, usize, usize),
}

/// Makes a function smaller for as long as it fails. `fails` returns whether it does, and is called
/// at most `tests` times; it should test for the same kind of failure.
///
/// Blocks that the entry does not reach stay only if the failure needs them. Values that are no
/// longer defined become constants.
pub fn shrink(func: Function, tests: usize, fails: &dyn Fn(&Function) -> bool) -> Function {
    let reached = Sketch::of(&func, false).build();
    let reached = reached.filter(|reached| tests > 0 && fails(reached));
    let all = reached.is_none();
    let mut best = reached.unwrap_or(func);
    let mut left = tests.saturating_sub(1);
    loop {
        let start = Sketch::of(&best, all).size();
        left = pass(&mut best, all, left, fails);
        if left == 0 || Sketch::of(&best, all).size() == start {
            return best;
        }
    }
}

/// Tries each change once; returns the number of remaining tests.
fn pass(
    best: &mut Function,
    all: bool,
    mut left: usize,
    fails: &dyn Fn(&Function) -> bool,
) -> usize {
    let mut step = 0;
    let mut sketch = Sketch::of(best, all);
    let mut list = changes(&sketch);
    while left > 0 && step < list.len() {
        let mut cut = sketch.clone();
        apply(&mut cut, &list[step]);
        step += 1;
        // A change may change nothing, or make no function.
        let Some(smaller) = cut.build() else {
            continue;
        };
        let smaller_sketch = Sketch::of(&smaller, all);
        if smaller_sketch.size() < sketch.size() {
            left -= 1;
            if fails(&smaller) {
                (*best, sketch) = (smaller, smaller_sketch);
                list = changes(&sketch);
                step -= 1;
            }
        }
    }
    left
}

fn changes(sketch: &Sketch) -> Vec<Change> {
    let count = sketch.blocks.len();
    let mut list = Vec::new();
    let mut chunk = count / 2;
    while chunk > 0 {
        let ranges =
            (0..count.div_ceil(chunk)).map(|index| index * chunk..((index + 1) * chunk).min(count));
        for range in ranges {
            list.push(Change::Return(range.clone()));
            if sketch.roots.contains(&true) {
                list.push(Change::Drop(range.clone()));
            }
            list.push(Change::Empty(range));
        }
        chunk /= 2;
    }
    for (block, part) in sketch.blocks.iter().enumerate() {
        let mut targets = targets(&part.end);
        let end = |text: String| Change::End(block, words(&text));
        if let ([to], true) = (&targets[..], block > 0) {
            list.push(Change::Bypass(block, *to));
        }
        if let ("br", &[to]) = (part.end[0].as_str(), &targets[..]) {
            list.push(Change::Join(block, to));
        }
        match (part.end[0].as_str(), &targets[..]) {
            ("break", [to, stay]) => list.push(end(format!("if %v0 b{to} b{stay}"))),
            ("switch", [to, case]) => list.push(end(format!("if {} b{case} b{to}", part.end[1]))),
            _ => {}
        }
        if part.end[0] != "br" {
            targets.sort_unstable();
            targets.dedup();
            list.extend(targets.iter().map(|to| end(format!("br b{to}"))));
        }
        list.push(Change::Return(block..block + 1));
    }
    for (block, part) in sketch.blocks.iter().enumerate() {
        list.extend((0..part.lines.len()).map(|line| Change::DropLine(block, line)));
        for (index, line) in part.lines.iter().chain([&part.end]).enumerate() {
            if !is_phi(line) {
                list.extend((1..line.len()).map(|word| Change::DropWord(block, index, word)));
            }
        }
    }
    list
}

fn apply(sketch: &mut Sketch, change: &Change) {
    match change.clone() {
        Change::Return(range) => {
            for part in &mut sketch.blocks[range] {
                part.end = words("ret");
            }
        }
        Change::Drop(range) => sketch.roots[range].fill(false),
        Change::Empty(range) => {
            for part in &mut sketch.blocks[range] {
                part.lines
                    .retain(|line| matches!(line[0].as_str(), "hint" | "region"));
            }
        }
        Change::Bypass(block, to) => {
            let (old, new) = (format!("b{block}"), format!("b{to}"));
            for word in sketch.blocks.iter_mut().flat_map(|part| &mut part.end) {
                let start = word.len() - word.rsplit('=').next().map_or(0, str::len);
                if word[start..] == old {
                    word.replace_range(start.., &new);
                }
            }
        }
        Change::Join(block, next) => sketch.join(block, next),
        Change::End(block, end) => sketch.blocks[block].end = end,
        Change::DropLine(block, line) => drop(sketch.blocks[block].lines.remove(line)),
        Change::DropWord(block, line, word) => {
            let part = &mut sketch.blocks[block];
            part.lines
                .get_mut(line)
                .unwrap_or(&mut part.end)
                .remove(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sketch, shrink};
    use crate::generate::random_function;
    use trellis_structurizer::check;
    use trellis_structurizer::ir::{Block, Effects, Function, Terminator};
    use trellis_structurizer::text::{parse, print};

    /// Returns the blocks that a block reaches by one branch or more.
    fn reach(func: &Function, from: Block) -> Vec<bool> {
        let mut seen = vec![false; func.num_blocks()];
        let mut stack: Vec<Block> = func.successors(from).collect();
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut seen[block.as_u32() as usize], true) {
                stack.extend(func.successors(block));
            }
        }
        seen
    }

    /// Returns whether a function has the injected fault: a switch with a case in a cycle.
    fn has_switch_in_loop(func: &Function) -> bool {
        let entry = Block::from_u32(0);
        let from_entry = reach(func, entry);
        func.blocks().any(|block| {
            let switch = matches!(func.terminator(block), Some(Terminator::Switch { cases, .. }) if !cases.is_empty());
            switch && (block == entry || from_entry[block.as_u32() as usize]) && reach(func, block)[block.as_u32() as usize]
        })
    }

    fn lines(func: &Function) -> Vec<String> {
        let comment = |line: &&str| !line.contains("const");
        print(func)
            .lines()
            .filter(comment)
            .map(|line| {
                line.trim()
                    .split('%')
                    .next()
                    .unwrap_or("")
                    .trim()
                    .to_owned()
            })
            .collect()
    }

    #[test]
    fn shrinks_to_a_switch_in_a_loop() {
        let mut found = 0;
        for seed in 0..100 {
            let func = random_function(seed, 80);
            if !has_switch_in_loop(&func) {
                continue;
            }
            found += 1;
            let small = shrink(func, 5000, &has_switch_in_loop);
            assert_eq!(check(&small), Ok(()), "seed {seed}");
            assert!(has_switch_in_loop(&small));
            // The entry, which cannot be in a loop, the switch, and an exit or a latch.
            assert!(small.num_blocks() <= 3, "seed {seed}: {}", print(&small));
            let insts: usize = small
                .blocks()
                .map(|block| small.insts(block).count() + small.phis(block).count())
                .sum();
            assert_eq!(insts, 0, "seed {seed}: {}", print(&small));
        }
        assert!(found > 20, "{found} graphs have a switch in a loop");
    }

    #[test]
    fn keeps_what_the_failure_needs() {
        // A convergent instruction that reads a phi, after a conditional branch.
        let fails = |func: &Function| {
            check(func).is_ok()
                && func.blocks().any(|block| {
                    func.insts(block).any(|inst| {
                        let reads_phi = func
                            .uses(inst)
                            .iter()
                            .any(|&value| func.phi_operands(value).count() > 1);
                        func.effects(inst).contains(Effects::CONVERGENT) && reads_phi
                    })
                })
        };
        let mut found = 0;
        for seed in 0..200 {
            // Without unreachable blocks.
            let func = Sketch::of(&random_function(seed, 60), false)
                .build()
                .unwrap();
            if fails(&func) {
                found += 1;
                let small = shrink(func, 5000, &fails);
                assert!(fails(&small));
                assert!(small.num_blocks() <= 3, "seed {seed}: {}", print(&small));
            }
        }
        assert!(found > 20, "{found} graphs have this instruction");
    }

    #[test]
    fn keeps_unreachable_blocks_that_the_failure_needs() {
        let func = parse("a: b c\nb: c\nc: ret\nd: e c\ne: d\nf: g\ng: kill\nh: ret").unwrap();
        let has_kill = |func: &Function| {
            func.blocks()
                .any(|block| func.terminator(block) == Some(Terminator::Kill))
        };
        let small = shrink(func, 1000, &has_kill);
        assert_eq!(lines(&small), ["b0:", "ret", "b1:", "kill"]);
    }

    #[test]
    fn removes_cases_and_edges_within_the_number_of_tests() {
        let func = parse("a: switch b c d e f\nb: g\nc: g\nd: g\ne: g\nf: kill\ng: ret").unwrap();
        let tested = std::cell::Cell::new(0);
        let has_kill = |func: &Function| {
            tested.set(tested.get() + 1);
            func.blocks()
                .any(|block| func.terminator(block) == Some(Terminator::Kill))
        };
        let small = shrink(func.clone(), 1000, &has_kill);
        assert_eq!(lines(&small), ["b0:", "kill"]);
        assert!(tested.get() < 100, "{}", tested.get());
        tested.set(0);
        shrink(func, 5, &has_kill);
        assert_eq!(tested.get(), 5);
    }
}
