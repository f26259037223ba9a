//! A function as text.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::ir::{
    Block, Effects, Function, Inst, InstKind, LoopHint, SelectionHint, SelectorOp, Terminator,
    Type, Value, ValueKind,
};
use crate::result::{Merge, Structured};

/// Returns the full text form of a function, blocks in index order.
pub fn print(func: &Function) -> String {
    let mut out = String::new();
    let blocks: Vec<Block> = func.blocks().collect();
    let _ = print_into(&mut out, func, &blocks, |_| Merge::None);
    out
}

/// Returns the full text form of a structured function, blocks in its order, with merges.
pub fn print_structured(structured: &Structured) -> String {
    let mut out = String::new();
    let _ = print_into(&mut out, &structured.func, &structured.order, |block| {
        structured.merges[block]
    });
    out
}

struct Ty(Type);

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::BOOL => f.write_str("bool"),
            Type::SELECTOR => f.write_str("sel"),
            Type(number) => write!(f, "{number}"),
        }
    }
}

fn print_into(
    out: &mut String,
    func: &Function,
    blocks: &[Block],
    merge: impl Fn(Block) -> Merge,
) -> fmt::Result {
    for value in func.values() {
        let ty = Ty(func.value_type(value));
        match func.value_kind(value) {
            ValueKind::Constant { payload } => writeln!(out, "%{value} = const {payload} : {ty}")?,
            ValueKind::Undef => writeln!(out, "%{value} = undef : {ty}")?,
            ValueKind::SelectorConstant(number) => writeln!(out, "%{value} = selector {number}")?,
            ValueKind::BoolConstant(is_true) => writeln!(out, "%{value} = bool {is_true} : {ty}")?,
            ValueKind::Phi(_) | ValueKind::Result { .. } => {}
        }
    }
    for &block in blocks {
        writeln!(out, "{block}:")?;
        for phi in func.phis(block) {
            write!(out, "    %{phi} = phi : {}", Ty(func.value_type(phi)))?;
            for operand in func.phi_operands(phi) {
                write!(out, " [{} %{}]", operand.pred, operand.value)?;
            }
            out.push('\n');
        }
        for inst in func.insts(block) {
            print_inst(out, func, inst)?;
        }
        match (merge(block), func.loop_hint(block)) {
            (Merge::None, LoopHint::None) => {}
            (Merge::None, hint) => writeln!(out, "    hint{}", loop_hint(hint))?,
            (Merge::Selection { merge, hint }, _) => {
                writeln!(out, "    merge {merge}{}", selection_hint(hint))?;
            }
            (
                Merge::Loop {
                    merge,
                    continue_target,
                    hint,
                },
                _,
            ) => {
                writeln!(out, "    loop {merge} {continue_target}{}", loop_hint(hint))?;
            }
        }
        if let Some(header) = func.convergence_region(block) {
            writeln!(out, "    region {header}")?;
        }
        print_terminator(out, func, block)?;
    }
    Ok(())
}

fn print_inst(out: &mut String, func: &Function, inst: Inst) -> fmt::Result {
    out.push_str("    ");
    let uses = func.uses(inst);
    match func.inst_kind(inst) {
        InstKind::Client(payload) => {
            for result in func.results(inst) {
                write!(out, "%{result}:{} ", Ty(func.value_type(result)))?;
            }
            if func.results(inst).len() > 0 {
                out.push_str("= ");
            }
            write!(out, "op {payload}")?;
            for (effect, name) in EFFECTS {
                if func.effects(inst).contains(effect) {
                    write!(out, " {name}")?;
                }
            }
            print_values(out, uses)?;
        }
        InstKind::SelectorTest { op, constant } => {
            let name = if op == SelectorOp::Equal { "eq" } else { "le" };
            for result in func.results(inst) {
                write!(out, "%{result} = ")?;
            }
            write!(out, "test {name}")?;
            print_values(out, uses)?;
            write!(out, " {constant}")?;
        }
        InstKind::Select => {
            for result in func.results(inst) {
                write!(out, "%{result} = select : {}", Ty(func.value_type(result)))?;
            }
            print_values(out, uses)?;
        }
    }
    out.push('\n');
    Ok(())
}

/// The words of the effects, in the order in which they are printed.
pub(super) const EFFECTS: [(Effects, &str); 3] = [
    (Effects::SIDE_EFFECT, "side"),
    (Effects::CONVERGENT, "conv"),
    (Effects::READS_MEMORY, "reads"),
];

fn print_values(out: &mut String, values: &[Value]) -> fmt::Result {
    values.iter().try_for_each(|value| write!(out, " %{value}"))
}

fn loop_hint(hint: LoopHint) -> String {
    match hint {
        LoopHint::None => String::new(),
        LoopHint::Unroll => " unroll".to_owned(),
        LoopHint::DontUnroll => " dont_unroll".to_owned(),
        LoopHint::UnrollCount(count) => format!(" unroll_count {count}"),
    }
}

fn selection_hint(hint: SelectionHint) -> &'static str {
    match hint {
        SelectionHint::None => "",
        SelectionHint::Flatten => " flatten",
        SelectionHint::DontFlatten => " branch",
    }
}

fn print_terminator(out: &mut String, func: &Function, block: Block) -> fmt::Result {
    let uniform = if func.is_uniform(block) {
        " uniform"
    } else {
        ""
    };
    match func.terminator(block) {
        None => writeln!(out, "    # no terminator"),
        Some(Terminator::Branch(to)) => writeln!(out, "    br {to}"),
        Some(Terminator::CondBranch {
            cond,
            then,
            else_,
            hint,
        }) => {
            let hint = selection_hint(hint);
            writeln!(out, "    if %{cond} {then} {else_}{uniform}{hint}")
        }
        Some(Terminator::BreakBranch { target, stay }) => {
            writeln!(out, "    break {target} {stay}")
        }
        Some(Terminator::Switch {
            value,
            default,
            cases,
            hint,
        }) => {
            write!(out, "    switch %{value} {default}")?;
            for case in func.cases(cases) {
                write!(out, " {}={}", case.literal, case.target)?;
            }
            writeln!(out, "{uniform}{}", selection_hint(hint))
        }
        Some(Terminator::Return(None)) => writeln!(out, "    ret"),
        Some(Terminator::Return(Some(value))) => writeln!(out, "    ret %{value}"),
        Some(Terminator::Unreachable) => writeln!(out, "    unreachable"),
        Some(Terminator::Kill) => writeln!(out, "    kill"),
        Some(Terminator::Exit(payload)) => writeln!(out, "    kill {payload}"),
    }
}
