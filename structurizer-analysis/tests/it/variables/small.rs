//! The known problems of translating out of SSA, one function each.

use trellis_structurizer::ir::{Block, Type, Value, ValueKind};
use trellis_structurizer::text::parse;
use trellis_structurizer::{Options, Structured, structurize};
use trellis_structurizer_analysis::Variables;
use trellis_structurizer_analysis::variables::{Source, Variable};

fn result(text: &str) -> (Structured, Variables) {
    let structured = structurize(parse(text).unwrap(), &Options::default()).unwrap();
    let variables = Variables::of(&structured);
    super::check_traces(&structured, &variables, |seed| {
        super::interpret::run(&structured, Some(&variables), seed)
    });
    super::check_traces(&structured, &variables, |seed| {
        super::walk::run(&structured, &variables, seed)
    });
    super::twin::check(&structured, &variables);
    (structured, variables)
}

fn edges(structured: &Structured) -> Vec<(Block, Block)> {
    let blocks = structured.order.iter();
    let mut edges: Vec<(Block, Block)> = blocks
        .flat_map(|&from| structured.func.successors(from).map(move |to| (from, to)))
        .collect();
    edges.dedup();
    edges
}

/// Returns the numbers of copies at the ends of blocks and on edges.
fn copies(structured: &Structured, variables: &Variables) -> (usize, usize) {
    let at_end = structured
        .order
        .iter()
        .map(|&block| variables.at_end(block).len())
        .sum();
    let edges = edges(structured).into_iter();
    (
        at_end,
        edges
            .map(|(from, to)| variables.on_edge(from, to).len())
            .sum(),
    )
}

fn phi(structured: &Structured, ty: Type) -> Value {
    let mut phis = structured
        .order
        .iter()
        .flat_map(|&block| structured.func.phis(block));
    phis.find(|&phi| structured.func.value_type(phi) == ty)
        .unwrap()
}

#[test]
fn a_swap_takes_a_temporary() {
    let (structured, variables) = result(
        "%p = const 1 : 3\n%q = const 2 : 3\na:\n br h\n\
         h:\n %x = phi : 3 [a %p] [l %y]\n %y = phi : 3 [a %q] [l %x]\n\
         %c:1 = op 1 side %x %y\n if %c l e\nl:\n br h\ne:\n ret %x",
    );
    // Two at the start; three that swap.
    assert_eq!(copies(&structured, &variables), (2 + 3, 0));
    assert_eq!(
        variables
            .all()
            .filter(|&x| variables.is_temporary(x))
            .count(),
        1
    );
}

#[test]
fn a_copy_that_is_used_after_the_loop_is_not_lost() {
    let (structured, variables) = result(
        "%p = const 1 : 3\na:\n br h\n\
         h:\n %x = phi : 3 [a %p] [h %y]\n %y:3 = op 1 side %x\n %c:1 = op 2 %y\n if %c h e\n\
         e:\n op 3 side %x\n ret %x",
    );
    let x = phi(&structured, Type(3));
    let y = structured.func.values().find(|&v| {
        matches!(structured.func.value_kind(v), ValueKind::Result { index: 0, inst }
            if structured.func.payload(inst) == Some(1))
    });
    assert!(variables.variable(x).is_some());
    assert_eq!(variables.variable(y.unwrap()), None);
    assert_eq!(variables.num_copies(), 2);
}

#[test]
fn a_counter_is_one_variable() {
    let (structured, variables) = result(
        "%p = const 1 : 3\na:\n br h\n\
         h:\n %x = phi : 3 [a %p] [l %y]\n %c:1 = op 2 side %x\n if %c l e\n\
         l:\n %y:3 = op 1 %x\n br h\ne:\n ret %x",
    );
    assert_eq!(copies(&structured, &variables), (1, 0));
    assert_eq!(variables.all().len(), 1);
}

#[test]
fn a_break_with_a_value_is_a_copy_in_its_arm() {
    // %x is needed in both ways, so the copy of %k may not run if the loop continues.
    let (structured, variables) = result(
        "%p = const 1 : 3\n%k = const 2 : 3\na:\n br h\n\
         h:\n %x = phi : 3 [a %p] [l %y]\n %c:1 = op 2 side %x\n if %c e b\n\
         b:\n %d:1 = op 3 side %x\n if %d e l\n\
         l:\n %y:3 = op 1 %x\n br h\n\
         e:\n %r = phi : 3 [h %k] [b %x]\n op 4 side %r\n ret %r",
    );
    let (at_end, on_edge) = copies(&structured, &variables);
    assert_eq!((at_end, on_edge), (1, 1));
    let (from, to) = edges(&structured)
        .into_iter()
        .find(|&(from, to)| !variables.on_edge(from, to).is_empty())
        .unwrap();
    assert_eq!(structured.func.successors(from).count(), 2);
    assert!(structured.func.has_phis(to));
}

#[test]
fn selectors_are_variables() {
    let text = "a: h\nh: i x\ni: j y\nj: i2 z\ni2: i k\nk: h w\nx: e\ny: e\nz: f\nw: f\n\
                e: {conv} f\nf: h2\nh2: ret";
    let (structured, variables) = result(text);
    assert!(structured.report.selectors > 0);
    let selector = phi(&structured, Type::SELECTOR);
    let variable = variables.variable(selector).unwrap();
    assert_eq!(variables.ty(variable), Type::SELECTOR);
    let written = edges(&structured).into_iter().flat_map(|(from, to)| {
        variables
            .on_edge(from, to)
            .iter()
            .chain(variables.at_end(from))
    });
    let constants = written.filter(|copy| {
        copy.to == variable
            && matches!(copy.from, Source::Value(value)
                if matches!(structured.func.value_kind(value), ValueKind::SelectorConstant(_)))
    });
    assert!(constants.count() >= 2);
}

#[test]
fn a_selector_is_carried_by_a_loop() {
    // Two entries of one cycle: the dispatch header reads the selector that its back edges write.
    let (structured, variables) = result("a: b c\nb: c x\nc: b y\nx: ret\ny: ret");
    assert_eq!(structured.report.dispatch_headers, 1);
    let selectors: Vec<Variable> = variables
        .all()
        .filter(|&x| variables.ty(x) == Type::SELECTOR)
        .collect();
    assert_eq!(selectors.len(), 1, "{structured:?}");
}

#[test]
fn the_copies_of_a_switch_are_before_it() {
    // Control falls from case 1 to case 2, which must not write %k again.
    let (structured, variables) = result(
        "%k = const 1 : 3\na:\n %v:2 = op 1 side\n switch %v d 1=b 2=c\n\
         b:\n %n:3 = op 2 side\n br c\n\
         c:\n %x = phi : 3 [a %k] [b %n]\n op 3 side %x\n br e\n\
         d:\n op 4 side\n br e\ne:\n ret",
    );
    let header = structured.order[0];
    assert_eq!(variables.at_end(header).len(), 1);
    assert_eq!(copies(&structured, &variables), (1, 0));
}

#[test]
fn an_undefined_operand_needs_no_copy() {
    let (structured, variables) = result(
        "%u = undef : 3\na:\n %c:1 = op 1 side\n if %c b d\nb:\n %n:3 = op 2 side\n br d\n\
         d:\n %x = phi : 3 [a %u] [b %n]\n op 3 side %x\n ret",
    );
    assert_eq!(copies(&structured, &variables), (0, 0));
}

#[test]
fn a_function_without_blocks_or_with_wrong_ones_has_variables() {
    let (mut structured, _) = result("a: b c\nb: c\nc: ret");
    structured.order.push(Block::from_u32(99));
    structured.order.extend(structured.order.clone());
    structured.order.remove(0);
    assert_eq!(Variables::of(&structured).num_copies(), 0);
    structured.order.clear();
    assert_eq!(Variables::of(&structured).all().len(), 0);
}
