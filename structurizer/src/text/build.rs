//! Builds a function from a syntax tree: names into entities.

use alloc::vec::Vec;

use trellis_entity::{EntityRef, SecondaryMap};

use super::ParseError;
use super::syntax::{BlockSyntax, Constant, End, MergeSyntax, Name, Op, Operand, Syntax};
use crate::ir::{Block, Function, Terminator, Type, Value};
use crate::maps::FxHashMap;
use crate::result::{Merge, Report, Structured};
use crate::target::Target;

/// The entities that names denote.
struct Names<'a> {
    blocks: FxHashMap<&'a str, Block>,
    values: FxHashMap<&'a str, Value>,
}

impl Names<'_> {
    fn block(&self, name: &Name<'_>) -> Result<Block, ParseError> {
        self.blocks
            .get(name.text)
            .copied()
            .ok_or_else(|| name.error("a block that has a label"))
    }

    fn value(&self, name: &Name<'_>) -> Result<Value, ParseError> {
        self.values
            .get(name.text)
            .copied()
            .ok_or_else(|| name.error("a value that is defined"))
    }
}

/// Resolves names and builds the function.
pub(super) fn build(syntax: &Syntax<'_>) -> Result<Structured, ParseError> {
    let mut func = Function::new();
    let mut names = Names {
        blocks: FxHashMap::default(),
        values: FxHashMap::default(),
    };
    for block in &syntax.blocks {
        if names
            .blocks
            .insert(block.name.text, func.add_block())
            .is_some()
        {
            return Err(block.name.error("a label that is not taken"));
        }
    }
    for constant in &syntax.constants {
        let (name, value) = match *constant {
            Constant::Plain(name, payload, ty) => (name, func.add_constant(payload, ty)),
            Constant::Undef(name, ty) => (name, func.undef(ty)),
            Constant::Selector(name, number) => (name, func.selector_constant(number)),
            Constant::Bool(name, is_true, ty) => (name, func.bool_constant(is_true, ty)),
        };
        if names.values.insert(name.text, value).is_some() {
            return Err(name.error("a value that is not taken"));
        }
    }
    let implicit: Vec<Value> = syntax
        .implicit_constants
        .iter()
        .map(|&(payload, ty)| func.add_constant(payload, ty))
        .collect();
    name_values(syntax, func.num_values(), &mut names)?;

    let mut merges = SecondaryMap::new();
    for (index, block) in syntax.blocks.iter().enumerate() {
        let at = Block::new(index);
        fill(&mut func, at, block, &names, &implicit)?;
        func.set_loop_hint(at, block.hint);
        let region = block.region.as_ref().map(|header| names.block(header));
        func.set_convergence_region(at, region.transpose()?);
        merges[at] = match &block.merge {
            MergeSyntax::None => Merge::None,
            MergeSyntax::Selection(merge, hint) => Merge::Selection {
                merge: names.block(merge)?,
                hint: *hint,
            },
            MergeSyntax::Loop(merge, continue_target, hint) => Merge::Loop {
                merge: names.block(merge)?,
                continue_target: names.block(continue_target)?,
                hint: *hint,
            },
        };
    }
    let order = func.blocks().collect();
    Ok(Structured {
        func,
        merges,
        order,
        target: Target::default(),
        report: Report::default(),
    })
}

/// Gives each phi and result the index that it will have, so that uses may come before them.
fn name_values<'a>(
    syntax: &Syntax<'a>,
    first: usize,
    names: &mut Names<'a>,
) -> Result<(), ParseError> {
    let mut next = first;
    for block in &syntax.blocks {
        let results = block
            .insts
            .iter()
            .flat_map(|inst| inst.results.iter().map(|(name, _)| *name));
        for name in block.phis.iter().map(|phi| Some(phi.name)).chain(results) {
            if let Some(name) = name
                && names.values.insert(name.text, Value::new(next)).is_some()
            {
                return Err(name.error("a value that is not taken"));
            }
            next += 1;
        }
    }
    Ok(())
}

fn fill(
    func: &mut Function,
    at: Block,
    block: &BlockSyntax<'_>,
    names: &Names<'_>,
    implicit: &[Value],
) -> Result<(), ParseError> {
    for phi in &block.phis {
        let value = func.add_phi(at, phi.ty);
        for (pred, operand) in &phi.operands {
            func.add_phi_operand(value, names.block(pred)?, names.value(operand)?);
        }
    }
    let mut last_result = None;
    for inst in &block.insts {
        let uses = inst
            .uses
            .iter()
            .map(|name| names.value(name))
            .collect::<Result<Vec<_>, _>>()?;
        last_result = match inst.op {
            Op::Client { payload, effects } => {
                let types: Vec<Type> = inst.results.iter().map(|(_, ty)| *ty).collect();
                let inst = func.append_inst(at, payload, effects, &uses, &types);
                func.results(inst).next()
            }
            Op::Test { op, constant } => Some(func.append_selector_test(at, uses[0], op, constant)),
            Op::Select => {
                let uses = [uses[0], uses[1], uses[2]];
                Some(func.append_select(at, uses, inst.results[0].1))
            }
        };
    }
    let missing = || block.name.error("a block with a value to branch on");
    let operand = |operand: Operand<'_>| match operand {
        Operand::Named(name) => names.value(&name),
        Operand::LastResult => last_result.ok_or_else(missing),
        Operand::Constant(number) => implicit.get(number).copied().ok_or_else(missing),
    };
    let terminator = match block
        .end
        .as_ref()
        .ok_or_else(|| block.name.error("a block with a terminator"))?
    {
        End::Branch(to) => Terminator::Branch(names.block(to)?),
        End::If(cond, then, else_, hint) => Terminator::CondBranch {
            cond: operand(*cond)?,
            then: names.block(then)?,
            else_: names.block(else_)?,
            hint: *hint,
        },
        End::Switch(value, default, cases, hint) => {
            let cases = cases
                .iter()
                .map(|(literal, to)| Ok((*literal, names.block(to)?)))
                .collect::<Result<Vec<_>, _>>()?;
            let cases = func.add_cases(&cases);
            Terminator::Switch {
                value: operand(*value)?,
                default: names.block(default)?,
                cases,
                hint: *hint,
            }
        }
        End::Break(to, stay) => Terminator::BreakBranch {
            target: names.block(to)?,
            stay: names.block(stay)?,
        },
        End::Return(value) => Terminator::Return(value.map(operand).transpose()?),
        End::Kill => Terminator::Kill,
        End::Exit(payload) => Terminator::Exit(*payload),
        End::Unreachable => Terminator::Unreachable,
    };
    func.set_terminator(at, terminator);
    func.set_uniform(at, block.is_uniform);
    Ok(())
}
