//! The structured function as a tree, and as pseudo-code.

use std::borrow::Cow;
use std::path::Path;

use structurizer_testkit::generate::{Family, random_function};
use trellis_structurizer::ir::{Block, Function, Inst, Terminator, Type, Value};
use trellis_structurizer::text::{parse, parse_structured, print, print_structured};
use trellis_structurizer::tree::{Kind, Names, Pretty, TestOf};
use trellis_structurizer::{Options, Structured, Target, Tree, structurize};

fn structured(func: Function) -> Structured {
    structurize(func, &Options::default()).unwrap()
}

fn pseudo_code(graph: &str) -> String {
    Tree::of(&structured(parse(graph).unwrap())).to_string()
}

/// Each block of the order once, nested properly, nothing unexplained, and the same edges.
fn check(func: &Structured) -> Result<(), String> {
    let tree = Tree::of(func);
    let mut found: Vec<Block> = tree.blocks().collect();
    let mut expected = func.order.clone();
    found.sort_unstable();
    expected.sort_unstable();
    if found != expected {
        return Err(format!("blocks {found:?}, expected {expected:?}"));
    }
    let mut open = vec![tree.nodes().len() as u32];
    for (index, node) in tree.nodes().iter().enumerate() {
        while open.last().is_some_and(|&end| end as usize == index) {
            open.pop();
        }
        if node.end as usize <= index || open.last().is_none_or(|&end| node.end > end) {
            return Err(format!("node {index} ends at {}", node.end));
        }
        open.push(node.end);
        if let Kind::Goto(to) = node.kind {
            return Err(format!("a goto to {to}"));
        }
    }
    Meaning::of(&tree).check(func)
}

/// The control flow that a tree implies, without the graph that it was made from.
struct Meaning<'a> {
    tree: &'a Tree<'a>,
    parent: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
}

impl<'a> Meaning<'a> {
    fn of(tree: &'a Tree<'a>) -> Self {
        let count = tree.nodes().len();
        let (mut parent, mut next) = (vec![None; count], vec![None; count]);
        for node in 0..count {
            let end = tree.nodes()[node].end as usize;
            for child in tree.children(node) {
                parent[child] = Some(node);
                let sibling = tree.nodes()[child].end as usize;
                next[child] = (sibling < end).then_some(sibling);
            }
            if parent[node].is_none() {
                next[node] = (end < count).then_some(end);
            }
        }
        Meaning { tree, parent, next }
    }

    fn kind(&self, node: usize) -> Kind {
        self.tree.nodes()[node].kind
    }

    /// Returns the block that runs after a node.
    fn after(&self, mut node: usize) -> Option<Block> {
        loop {
            if let Some(next) = self.next[node] {
                match self.kind(node) {
                    // Not one after the other.
                    Kind::Then | Kind::Else | Kind::Case { .. } => {}
                    _ => return self.start(next),
                }
            }
            let parent = self.parent[node]?;
            if let (Kind::Body | Kind::ContinuePart, Kind::Loop { header, .. }) =
                (self.kind(node), self.kind(parent))
            {
                return Some(header);
            }
            node = parent;
        }
    }

    /// Returns the block that runs when control reaches a node; a jump's target; none for an exit.
    fn start(&self, mut node: usize) -> Option<Block> {
        loop {
            match self.kind(node) {
                Kind::Block(block)
                | Kind::FallThrough(block)
                | Kind::Loop { header: block, .. } => return Some(block),
                Kind::Then | Kind::Else | Kind::Body | Kind::ContinuePart | Kind::Case { .. } => {
                    match self.tree.children(node).next() {
                        Some(child) => node = child,
                        None => return self.after(node),
                    }
                }
                Kind::Break(header) => return self.after(self.construct(node, header)?),
                Kind::Continue(header) => {
                    node = self.tree.children(self.construct(node, header)?).nth(1)?;
                }
                _ => return None,
            }
        }
    }

    /// Returns the loop or switch around a node with this header.
    fn construct(&self, mut node: usize, wanted: Block) -> Option<usize> {
        loop {
            node = self.parent[node]?;
            let header = match self.kind(node) {
                Kind::Loop { header, .. } | Kind::Switch { header, .. } => Some(header),
                // A loop header's test is not a separate construct.
                Kind::If { header, .. } if header == wanted && !self.is_loop(header) => {
                    Some(header)
                }
                _ => None,
            };
            if header == Some(wanted) {
                return Some(node);
            }
        }
    }

    fn is_loop(&self, of: Block) -> bool {
        let mut nodes = self.tree.nodes().iter();
        nodes.any(|node| matches!(node.kind, Kind::Loop { header, .. } if header == of))
    }

    fn check(&self, structured: &Structured) -> Result<(), String> {
        let func = &structured.func;
        for node in 0..self.tree.nodes().len() {
            let Kind::Block(block) = self.kind(node) else {
                continue;
            };
            let end = func.terminator(block).ok_or("no terminator")?;
            let next = self.next[node].map(|next| (next, self.kind(next)));
            let same = match (end, next) {
                (
                    Terminator::CondBranch {
                        cond, then, else_, ..
                    },
                    Some((test, Kind::If { header, condition })),
                ) => {
                    let arms: Vec<usize> = self.tree.children(test).collect();
                    let other = arms
                        .get(1)
                        .map_or_else(|| self.after(test), |&arm| self.start(arm));
                    let (yes, no) = if condition.negated {
                        (else_, then)
                    } else {
                        (then, else_)
                    };
                    let tests = match condition.test {
                        TestOf::Value(value) => value == cond,
                        TestOf::Selector { .. } => func.value_type(cond) == Type::BOOL,
                    };
                    tests
                        && header == block
                        && (self.start(arms[0]), other) == (Some(yes), Some(no))
                }
                (
                    Terminator::Switch { default, cases, .. },
                    Some((switch, Kind::Switch { .. })),
                ) => {
                    let mut found = (self.after(switch), Vec::new());
                    for case in self.tree.children(switch) {
                        if let Kind::Case { default: true, .. } = self.kind(case) {
                            found.0 = self.start(case);
                        }
                        found.1.extend(
                            self.tree
                                .literals(self.kind(case))
                                .iter()
                                .map(|&literal| (literal, self.start(case))),
                        );
                    }
                    found.1.sort_unstable();
                    let mut expected: Vec<_> = func
                        .cases(cases)
                        .iter()
                        .map(|case| (case.literal, Some(case.target)))
                        .collect();
                    expected.sort_unstable();
                    found == (Some(default), expected)
                }
                (Terminator::Return(value), Some((_, Kind::Return(found)))) => value == found,
                (Terminator::Exit(payload), Some((_, Kind::Exit(found)))) => payload == found,
                (Terminator::Kill, Some((_, Kind::Kill)))
                | (Terminator::Unreachable, Some((_, Kind::Unreachable))) => true,
                (Terminator::Branch(to), Some((next, _))) => self.start(next) == Some(to),
                (Terminator::Branch(to), None) => self.after(node) == Some(to),
                _ => false,
            };
            if !same {
                return Err(format!(
                    "{block} ends with {end:?}, the tree continues with {next:?}"
                ));
            }
        }
        Ok(())
    }
}

#[test]
fn loops_switches_and_exits_read_like_a_program() {
    let graph = "\
a: h
h: s x                       # while (h) {
s: switch j l x b f          #     switch (s) { case 0: continue; case 1: break loop; case 2: b; fall; case 3: f }
b: k f
k: kill
f: j
j: l r
r: ret
l: h
x: ret";
    let expected = "\
// b0
loop {
    // b1
    if !v0 { break }
    // b2
    switch v1 {
    case 0:
        // b12
        continue
    case 1:
        // b13
        break loop
    case 2:
        // b3
        if v2 {
            // b4
            kill
        }
        // b14
        (falls through)
    case 3:
        // b5
    }
    // b6
    if !v3 {
        // b7
        return
    }
} // continues with b8
// b9
return
";
    assert_eq!(pseudo_code(graph), expected);
}

#[test]
fn instructions_are_shown_on_demand() {
    let graph = "\
%one = const 1 : 1
head:
    %a:1 %b:1 = op 10 side
    if %a then join
then:
    %c:1 = op 11 conv %b %one
    br join
join:
    %p = phi : 1 [head %one] [then %c]
    ret %p";
    let expected = "\
// b0
v1, v2 = op10()
if v1 {
    // b1
    v3 = op11(v2, v0) // convergent
}
// b2
v4 = v0 from b0, v3 from b1
return v4
";
    assert_eq!(
        Tree::of(&structured(parse(graph).unwrap()))
            .with_instructions()
            .to_string(),
        expected
    );
}

#[test]
fn literals_of_a_case_are_adjacent_and_empty_cases_come_last() {
    let text = "a: switch d 7=m 1=b 2=b 9=d | merge m\nb: m\nd: m\nm: ret";
    let expected = "\
// b0
switch v0 {
case 1, 2:
    // b1
case 9, default:
    // b2
case 7:
}
// b3
return
";
    assert_eq!(
        Tree::of(&parse_structured(text).unwrap()).to_string(),
        expected
    );
}

#[test]
fn a_continue_part_may_branch() {
    let text = "a: h\nh: b x | loop x c\nb: c\nc: d e | merge l\nd: l\ne: l\nl: h x\nx: ret";
    let expected = "\
// b0
loop {
    // b1
    if !v0 { break }
    // b2
} continue {
    // b3
    if v1 {
        // b4
    } else {
        // b5
    }
    // b6
    if !v2 { break }
}
// b7
return
";
    assert_eq!(
        Tree::of(&parse_structured(text).unwrap()).to_string(),
        expected
    );
}

#[test]
fn an_edge_that_no_merge_explains_is_a_goto() {
    // No merge, so the join is not known to be one; and a back edge to no loop header.
    let text = "a: b c\nb: d\nc: d\nd: a";
    let expected = "\
// b0
if v0 {
    // b1 b3
    goto b0
} else {
    // b2
    goto b3
}
";
    assert_eq!(
        Tree::of(&parse_structured(text).unwrap()).to_string(),
        expected
    );
}

#[test]
fn each_filetest_has_a_tree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace("\r\n", "\n");
        let graph = text.split("---\n").next().unwrap_or("");
        let after = structured(parse(graph).unwrap());
        check(&after).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!Tree::of(&after).to_string().is_empty());
        count += 1;
    }
    assert!(count >= 40, "{count} files");
}

#[test]
fn every_family_has_a_tree() {
    for family in Family::ALL {
        for n in [1, 2, 3, 8, 200] {
            check(&structured(family.function(n)))
                .unwrap_or_else(|error| panic!("{family:?} of {n}: {error}"));
        }
    }
}

#[test]
fn random_graphs_have_trees() {
    for seed in 1..=4000 {
        let func = random_function(seed, 4 + (seed % 48) as usize);
        let target = Target::PROFILES[seed as usize % Target::PROFILES.len()].1;
        let options = Options::default().with_target(target);
        let after = structurize(func.clone(), &options).unwrap();
        check(&after).unwrap_or_else(|error| {
            panic!(
                "seed {seed}: {error}\n{}\n{}\n{}",
                print(&func),
                print_structured(&after),
                Tree::of(&after)
            )
        });
        let tree = Tree::of(&after);
        // Braces are balanced, however lines are joined.
        let text = format!("{tree}\n{}", tree.with_instructions());
        assert_eq!(
            text.matches('{').count(),
            text.matches('}').count(),
            "seed {seed}:\n{text}"
        );
    }
}

#[test]
fn wrong_merges_give_a_tree_too() {
    for seed in 1..=1000u64 {
        let mut after = structured(random_function(seed, 24));
        // Merge instructions of other blocks, and an order that is turned.
        let count = after.order.len();
        for index in 0..count {
            let (one, other) = (
                after.order[index],
                after.order[(index * 7 + seed as usize) % count],
            );
            let merge = after.merges[one];
            after.merges[one] = after.merges[other];
            after.merges[other] = merge;
        }
        after.order.rotate_left(seed as usize % count);
        let tree = Tree::of(&after);
        let mut found: Vec<Block> = tree.blocks().collect();
        let mut expected = after.order.clone();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "seed {seed}");
        assert!(!tree.to_string().is_empty());
    }
}

#[test]
fn depth_needs_no_stack() {
    let run = || {
        for family in [
            Family::NestedIfs,
            Family::NestedLoops,
            Family::NestedSwitches,
            Family::NestedIrreducible,
            Family::ElseIfLadder,
        ] {
            let after = structured(family.function(10_000));
            check(&after).unwrap_or_else(|error| panic!("{family:?}: {error}"));
            let tree = Tree::of(&after);
            let (short, long) = (tree.to_string(), tree.with_instructions().to_string());
            assert!(
                short.lines().count() > 10_000 && long.len() < 40_000_000,
                "{family:?}: {} bytes",
                long.len()
            );
            assert!(format!("{tree:?}").len() > 10_000);
        }
    };
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn a_switch_with_a_default_only_is_a_block() {
    let text = "a: switch b | merge m\nb: c d | merge d\nc: m\nd: m\nm: ret";
    let structured = parse_structured(text).unwrap();
    let tree = Tree::of(&structured);
    let expected = "\
// b0
block b0 {
    // b1
    if v1 {
        // b2
        break
    }
    // b3
}
// b4
return
";
    assert_eq!(tree.to_string(), expected);
}

/// Names as a translator has them.
#[derive(Debug)]
struct Source;

impl Names for Source {
    fn block(&self, block: Block) -> Option<Cow<'_, str>> {
        (block.as_u32() == 0).then_some("%start".into())
    }
    fn value(&self, value: Value) -> Option<Cow<'_, str>> {
        Some(format!("%{}", value.as_u32() + 40).into())
    }
    fn instruction(&self, inst: Inst) -> Option<Cow<'_, str>> {
        (inst.as_u32() == 0).then_some("%40 = icmp eq i32 %1, 7".into())
    }
    fn computation(&self, value: Value) -> Option<Cow<'_, str>> {
        (value.as_u32() == 0).then_some("icmp eq i32 %1, 7".into())
    }
}

#[test]
fn a_client_names_things() {
    let structured = structured(parse("a: b c\nb: d\nc: d\nd: ret").unwrap());
    let tree = Tree::of(&structured);
    let short = Pretty::of(&tree).names(&Source).to_string();
    assert_eq!(
        short,
        "// b0 (%start)\nif (icmp eq i32 %1, 7) {\n    // b1\n} else {\n    // b2\n}\n// b3\nreturn\n"
    );
    let long = Pretty::of(&tree)
        .names(&Source)
        .instructions(true)
        .to_string();
    assert!(
        long.starts_with(
            "// b0 (%start)\n%40 = icmp eq i32 %1, 7\nif %40 {\n    // b1\n    op1()\n"
        ),
        "{long}"
    );
}
