//! The obvious structurizer: a switch in a loop, over the number of the next block.
//!
//! It handles every graph, keeps every lane's trace, loses all convergence, and carries every
//! value around in phis. It writes text and parses it, so it shares nothing with the passes.

use std::fmt::Write;

use trellis_structurizer::Structured;
use trellis_structurizer::ir::{
    Block, Case, Effects, Function, Inst, InstKind, Terminator, Type, Value, ValueKind,
};
use trellis_structurizer::text::parse_structured;

fn ty(ty: Type) -> String {
    match ty {
        Type::BOOL => "bool".to_owned(),
        Type::SELECTOR => "sel".to_owned(),
        Type(number) => number.to_string(),
    }
}

fn is_variable(func: &Function, value: Value) -> bool {
    matches!(
        func.value_kind(value),
        ValueKind::Phi(_) | ValueKind::Result { .. }
    )
}

/// Returns the name of a value inside `block`'s copy: its own definition, else what the loop
/// carries.
fn name(func: &Function, block: Block, value: Value) -> String {
    match func.value_kind(value) {
        ValueKind::Result { inst, .. } if func.inst_block(inst) == block => format!("%{value}"),
        ValueKind::Phi(_) | ValueKind::Result { .. } => format!("%h_{value}"),
        _ => format!("%{value}"),
    }
}

/// One edge into the merge of the dispatch switch: the block it comes from, and the edge that
/// it represents.
struct Arrival {
    from: String,
    block: Block,
    to: Option<Block>,
    /// The name of the next block's number.
    next: String,
}

pub(crate) fn structurize(func: &Function) -> Structured {
    let mut text = String::new();
    let out = &mut text;
    for value in func.values() {
        match func.value_kind(value) {
            ValueKind::Constant { payload } => writeln!(
                out,
                "%{value} = const {payload} : {}",
                ty(func.value_type(value))
            ),
            ValueKind::Undef => writeln!(out, "%{value} = undef : {}", ty(func.value_type(value))),
            _ => Ok(()),
        }
        .unwrap();
    }
    let variables: Vec<Value> = func
        .values()
        .filter(|&value| is_variable(func, value))
        .collect();
    let mut types: Vec<u32> = variables
        .iter()
        .map(|&value| func.value_type(value).0)
        .collect();
    types.sort_unstable();
    types.dedup();
    for number in &types {
        writeln!(out, "%undef_{number} = undef : {}", ty(Type(*number))).unwrap();
    }
    for block in func.blocks() {
        writeln!(out, "%next_{block} = selector {}", block.as_u32()).unwrap();
    }
    let entry = func.entry().unwrap();
    writeln!(
        out,
        "start:\n    br head\nhead:\n    %now = phi : sel [start %next_{entry}] [cont %next]"
    )
    .unwrap();
    for &value in &variables {
        let number = func.value_type(value).0;
        writeln!(
            out,
            "    %h_{value} = phi : {} [start %undef_{number}] [cont %c_{value}]",
            ty(Type(number))
        )
        .unwrap();
    }
    write!(
        out,
        "    loop exit cont\n    br dispatch\ndispatch:\n    merge join\n    switch %now bad"
    )
    .unwrap();
    for block in func.blocks() {
        write!(out, " {}={block}", block.as_u32()).unwrap();
    }
    out.push_str("\nbad:\n    unreachable\n");
    let mut arrivals = Vec::new();
    for block in func.blocks() {
        write_block(out, func, block, &mut arrivals);
    }
    write_join(out, func, &variables, &arrivals);
    parse_structured(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn write_join(out: &mut String, func: &Function, variables: &[Value], arrivals: &[Arrival]) {
    if arrivals.is_empty() {
        // No block continues: neither do the merge block and the continue target get there.
        write!(out, "join:\n    br cont\ncont:\n").unwrap();
        // The phis of the header need operands all the same.
        out.push_str("    br head\nexit:\n    unreachable\n");
        let constants: String =
            variables
                .iter()
                .fold("%next = selector 0\n".to_owned(), |mut text, &value| {
                    writeln!(text, "%c_{value} = undef : {}", ty(func.value_type(value))).unwrap();
                    text
                });
        *out = constants + out;
        return;
    }
    write!(out, "join:\n    %next = phi : sel").unwrap();
    for arrival in arrivals {
        write!(out, " [{} {}]", arrival.from, arrival.next).unwrap();
    }
    for &value in variables {
        write!(
            out,
            "\n    %c_{value} = phi : {}",
            ty(func.value_type(value))
        )
        .unwrap();
        for arrival in arrivals {
            let assigned = match (arrival.to, func.value_kind(value)) {
                (Some(to), ValueKind::Phi(block)) if block == to => {
                    let operand = func
                        .phi_operands(value)
                        .find(|operand| operand.pred == arrival.block)
                        .unwrap();
                    name(func, arrival.block, operand.value)
                }
                (None, ValueKind::Phi(block))
                    if func.successors(arrival.block).any(|to| to == block) =>
                {
                    format!("%{}_{value}", arrival.block)
                }
                _ => name(func, arrival.block, value),
            };
            write!(out, " [{} {assigned}]", arrival.from).unwrap();
        }
    }
    out.push_str("\n    br cont\ncont:\n    br head\nexit:\n    unreachable\n");
}

fn write_inst(out: &mut String, func: &Function, block: Block, inst: Inst) {
    let results: Vec<String> = func
        .results(inst)
        .map(|value| format!("%{value}:{}", ty(func.value_type(value))))
        .collect();
    let InstKind::Client(payload) = func.inst_kind(inst) else {
        panic!("a selector test in the input")
    };
    let equals = if results.is_empty() { "" } else { " = " };
    write!(out, "    {}{equals}op {payload}", results.join(" ")).unwrap();
    let words = [
        (Effects::SIDE_EFFECT, "side"),
        (Effects::CONVERGENT, "conv"),
        (Effects::READS_MEMORY, "reads"),
    ];
    for (effect, word) in words {
        if func.effects(inst).contains(effect) {
            write!(out, " {word}").unwrap();
        }
    }
    for &value in func.uses(inst) {
        write!(out, " {}", name(func, block, value)).unwrap();
    }
    out.push('\n');
}

fn write_block(out: &mut String, func: &Function, block: Block, arrivals: &mut Vec<Arrival>) {
    writeln!(out, "{block}:").unwrap();
    for inst in func.insts(block) {
        write_inst(out, func, block, inst);
    }
    let mut arrive = |from: String, to: Block| {
        arrivals.push(Arrival {
            from,
            block,
            to: Some(to),
            next: format!("%next_{to}"),
        });
    };
    // A branch with a single target decides nothing.
    let targets: Vec<Block> = func.successors(block).collect();
    let terminator = match func.terminator(block).unwrap() {
        Terminator::CondBranch { .. } | Terminator::Switch { .. }
            if targets.iter().all(|&to| to == targets[0]) =>
        {
            Terminator::Branch(targets[0])
        }
        other => other,
    };
    match terminator {
        Terminator::Branch(to) | Terminator::BreakBranch { target: to, .. } => {
            arrive(block.to_string(), to);
            writeln!(out, "    br join").unwrap();
        }
        Terminator::CondBranch {
            cond, then, else_, ..
        } => {
            writeln!(
                out,
                "    merge {block}_m\n    if {} {block}_t {block}_e",
                name(func, block, cond)
            )
            .unwrap();
            for (suffix, to) in [("t", then), ("e", else_)] {
                arrive(format!("{block}_{suffix}"), to);
                writeln!(out, "{block}_{suffix}:\n    br join").unwrap();
            }
            writeln!(out, "{block}_m:\n    unreachable").unwrap();
        }
        Terminator::Switch {
            value,
            default,
            cases,
            ..
        } => {
            let next = write_switch(out, func, block, value, default, func.cases(cases));
            arrivals.push(Arrival {
                from: format!("{block}_m"),
                block,
                to: None,
                next,
            });
        }
        Terminator::Return(Some(value)) => {
            writeln!(out, "    ret {}", name(func, block, value)).unwrap();
        }
        Terminator::Return(None) => writeln!(out, "    ret").unwrap(),
        Terminator::Kill => writeln!(out, "    kill").unwrap(),
        Terminator::Exit(payload) => writeln!(out, "    kill {payload}").unwrap(),
        Terminator::Unreachable => writeln!(out, "    unreachable").unwrap(),
    }
}

/// Writes a switch whose cases branch to its merge block; returns the number of the next block
/// there.
fn write_switch(
    out: &mut String,
    func: &Function,
    block: Block,
    value: Value,
    default: Block,
    cases: &[Case],
) -> String {
    write!(
        out,
        "    merge {block}_m\n    switch {} {block}_d",
        name(func, block, value)
    )
    .unwrap();
    for case in cases {
        write!(out, " {}={block}_{}", case.literal, case.literal).unwrap();
    }
    out.push('\n');
    // A nested switch cannot leave to the merge of the outer one: its own merge comes
    // first.
    let targets: Vec<(String, Block)> = std::iter::once(("d".to_owned(), default))
        .chain(
            cases
                .iter()
                .map(|case| (case.literal.to_string(), case.target)),
        )
        .collect();
    for (suffix, _) in &targets {
        writeln!(out, "{block}_{suffix}:\n    br {block}_m").unwrap();
    }
    write!(out, "{block}_m:\n    %{block}_n = phi : sel").unwrap();
    for (suffix, to) in &targets {
        write!(out, " [{block}_{suffix} %next_{to}]").unwrap();
    }
    // What the phis of the targets get depends on the target.
    let mut phis: Vec<Value> = targets.iter().flat_map(|(_, to)| func.phis(*to)).collect();
    phis.sort_unstable();
    phis.dedup();
    for &phi in &phis {
        write!(
            out,
            "\n    %{block}_{phi} = phi : {}",
            ty(func.value_type(phi))
        )
        .unwrap();
        for (suffix, to) in &targets {
            let assigned = if func.value_kind(phi) == ValueKind::Phi(*to) {
                func.phi_operands(phi)
                    .find(|operand| operand.pred == block)
                    .unwrap()
                    .value
            } else {
                phi
            };
            write!(out, " [{block}_{suffix} {}]", name(func, block, assigned)).unwrap();
        }
    }
    writeln!(out, "\n    br join").unwrap();
    format!("%{block}_n")
}
