//! The obvious structurizer: a switch in a loop, over the number of the next block.
//!
//! It handles every graph, keeps every lane's trace, loses all convergence, and carries every
//! value around in phis. It writes text and parses it, so it shares nothing with the passes.

use trellis_structurizer::Structured;
use trellis_structurizer::ir::{Block, Function, Terminator, Type, Value, ValueKind};
use trellis_structurizer::text::{parse_structured, print};

fn ty(func: &Function, value: Value) -> String {
    match func.value_type(value) {
        Type::BOOL => "bool".to_owned(),
        Type::SELECTOR => "sel".to_owned(),
        Type(number) => number.to_string(),
    }
}

/// Returns the name of a value inside `block`'s copy: its own definition, else the loop-carried
/// value.
fn name(func: &Function, block: Block, value: Value) -> String {
    match func.value_kind(value) {
        ValueKind::Result { inst, .. } if func.inst_block(inst) == block => format!("%{value}"),
        ValueKind::Phi(_) | ValueKind::Result { .. } => format!("%h_{value}"),
        _ => format!("%{value}"),
    }
}

/// One edge into the merge of the dispatch switch: the block that it comes from, the block of the
/// function, and its target if that is always the same.
struct Arrival {
    from: String,
    block: Block,
    to: Option<Block>,
}

pub(crate) fn structurize(func: &Function) -> Structured {
    let printed = print(func);
    let is_variable = |&value: &Value| {
        matches!(
            func.value_kind(value),
            ValueKind::Phi(_) | ValueKind::Result { .. }
        )
    };
    let variables: Vec<Value> = func.values().filter(is_variable).collect();
    let start = printed.find("b0:\n").unwrap();
    let mut text = printed[..start].to_owned();
    let out = &mut text;
    for &value in &variables {
        *out += &format!("%u_{value} = undef : {}\n", ty(func, value));
    }
    for block in func.blocks() {
        *out += &format!("%next_{block} = selector {}\n", block.as_u32());
    }
    let entry = func.entry().unwrap();
    *out +=
        &format!("start:\n br head\nhead:\n %now = phi : sel [start %next_{entry}] [cont %next]\n");
    for &value in &variables {
        let ty = ty(func, value);
        *out += &format!(" %h_{value} = phi : {ty} [start %u_{value}] [cont %c_{value}]\n");
    }
    *out += " loop exit cont\n br dispatch\ndispatch:\n merge join\n switch %now bad";
    for block in func.blocks() {
        *out += &format!(" {}={block}", block.as_u32());
    }
    *out += "\nbad:\n unreachable\n";
    let mut arrivals = Vec::new();
    for (block, lines) in func.blocks().zip(printed[start..].split(":\n").skip(1)) {
        *out += &format!("{block}:\n");
        for line in lines
            .lines()
            .filter(|line| line.contains("op ") && !line.contains("= phi"))
        {
            *out += &format!("{}\n", renamed(func, block, line));
        }
        arrivals.extend(write_end(out, func, block));
    }
    write_join(out, func, &variables, &arrivals);
    parse_structured(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the line of an instruction with other names of its operands.
fn renamed(func: &Function, block: Block, line: &str) -> String {
    let (results, rest) = line.split_at(line.find("op ").unwrap());
    let words = rest.split(' ').map(|word| match word.strip_prefix("%v") {
        Some(number) => name(func, block, Value::from_u32(number.parse().unwrap())),
        None => word.to_owned(),
    });
    results.to_owned() + &words.collect::<Vec<_>>().join(" ")
}

fn write_join(out: &mut String, func: &Function, variables: &[Value], arrivals: &[Arrival]) {
    *out += "join:\n";
    if arrivals.is_empty() {
        // No block continues: neither do the merge block and the continue target get there. The phis
        // of the header need operands all the same.
        *out += " br cont\ncont:\n br head\nexit:\n unreachable\n";
        let mut constants = "%next = selector 0\n".to_owned();
        for &value in variables {
            constants += &format!("%c_{value} = undef : {}\n", ty(func, value));
        }
        *out = constants + out;
        return;
    }
    *out += " %next = phi : sel";
    for Arrival { from, block, to } in arrivals {
        match to {
            Some(to) => *out += &format!(" [{from} %next_{to}]"),
            None => *out += &format!(" [{from} %{block}_n]"),
        }
    }
    for &value in variables {
        *out += &format!("\n %c_{value} = phi : {}", ty(func, value));
        for Arrival { from, block, to } in arrivals {
            let assigned = match (to, func.value_kind(value)) {
                (Some(to), ValueKind::Phi(of)) if of == *to => assigned(func, *block, value),
                (None, ValueKind::Phi(of)) if func.successors(*block).any(|to| to == of) => {
                    format!("%{block}_{value}")
                }
                _ => name(func, *block, value),
            };
            *out += &format!(" [{from} {assigned}]");
        }
    }
    *out += "\n br cont\ncont:\n br head\nexit:\n unreachable\n";
}

/// Returns the operand of a successor's phi for a block.
fn assigned(func: &Function, block: Block, phi: Value) -> String {
    let operand = func.phi_operands(phi).find(|operand| operand.pred == block);
    name(func, block, operand.unwrap().value)
}

/// Writes the end of a block. Returns how control arrives at the merge of the dispatch switch, if it
/// does.
fn write_end(out: &mut String, func: &Function, block: Block) -> Option<Arrival> {
    let to: Vec<Block> = func.successors(block).collect();
    let terminator = func.terminator(block).unwrap();
    let (condition, suffixes) = match terminator {
        // A branch with a single target decides nothing.
        Terminator::Branch(_) | Terminator::BreakBranch { .. } => (None, Vec::new()),
        _ if !to.is_empty() && to.iter().all(|&other| other == to[0]) => (None, Vec::new()),
        Terminator::CondBranch { cond, .. } => (Some(cond), vec!["t".to_owned(), "e".to_owned()]),
        Terminator::Switch { value, cases, .. } => {
            let literals = func
                .cases(cases)
                .iter()
                .map(|case| case.literal.to_string());
            (
                Some(value),
                std::iter::once("d".to_owned()).chain(literals).collect(),
            )
        }
        Terminator::Return(Some(value)) => {
            *out += &format!(" ret {}\n", name(func, block, value));
            return None;
        }
        Terminator::Return(None)
        | Terminator::Kill
        | Terminator::Exit(_)
        | Terminator::Unreachable => {
            match terminator {
                Terminator::Return(_) => *out += " ret\n",
                Terminator::Kill => *out += " kill\n",
                Terminator::Exit(payload) => *out += &format!(" kill {payload}\n"),
                _ => *out += " unreachable\n",
            }
            return None;
        }
    };
    let Some(condition) = condition else {
        *out += " br join\n";
        let (from, to) = (block.to_string(), Some(to[0]));
        return Some(Arrival { from, block, to });
    };
    // A nested construct cannot leave to the merge of the outer one: its own merge comes first.
    let condition = name(func, block, condition);
    *out += &format!(" merge {block}_m\n");
    match terminator {
        Terminator::CondBranch { .. } => *out += &format!(" if {condition} {block}_t {block}_e"),
        _ => {
            *out += &format!(" switch {condition} {block}_d");
            for literal in &suffixes[1..] {
                *out += &format!(" {literal}={block}_{literal}");
            }
        }
    }
    for suffix in &suffixes {
        *out += &format!("\n{block}_{suffix}:\n br {block}_m");
    }
    *out += &format!("\n{block}_m:\n %{block}_n = phi : sel");
    for (suffix, to) in suffixes.iter().zip(&to) {
        *out += &format!(" [{block}_{suffix} %next_{to}]");
    }
    // The operands of the targets' phis depend on the target.
    let mut phis: Vec<Value> = to.iter().flat_map(|&to| func.phis(to)).collect();
    phis.sort_unstable();
    phis.dedup();
    for phi in phis {
        *out += &format!("\n %{block}_{phi} = phi : {}", ty(func, phi));
        for (suffix, &to) in suffixes.iter().zip(&to) {
            let value = match func.value_kind(phi) == ValueKind::Phi(to) {
                true => assigned(func, block, phi),
                false => name(func, block, phi),
            };
            *out += &format!(" [{block}_{suffix} {value}]");
        }
    }
    *out += "\n br join\n";
    let (from, to) = (format!("{block}_m"), None);
    Some(Arrival { from, block, to })
}
