//! A small IR of a client, made of random functions: once in SSA form, once with variables.

use trellis_structurizer::ir::{self, Block, Effects, Function, Type};
use trellis_structurizer_client::{ControlFlow, Ssa, Terminator};

/// An instruction: a number, operands and results.
#[derive(Clone)]
pub(crate) struct Inst {
    pub(crate) payload: u32,
    pub(crate) effects: Effects,
    pub(crate) uses: Vec<u32>,
    pub(crate) results: Vec<u32>,
}

/// A block.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) phis: Vec<(u32, Vec<(Block, u32)>)>,
    pub(crate) insts: Vec<Inst>,
    pub(crate) terminator: Terminator<u32>,
}

/// A program in SSA form.
pub(crate) struct Program {
    pub(crate) blocks: Vec<Code>,
    types: Vec<Type>,
}

impl Program {
    pub(crate) fn of(func: &Function) -> Self {
        let blocks = func.blocks().map(|block| Code {
            phis: { func.phis(block) }
                .map(|phi| {
                    let operands = func.phi_operands(phi);
                    let operands = operands.map(|o| (o.pred, o.value.as_u32()));
                    (phi.as_u32(), operands.collect())
                })
                .collect(),
            insts: { func.insts(block) }
                .map(|inst| Inst {
                    payload: func.payload(inst).unwrap(),
                    effects: func.effects(inst),
                    uses: func.uses(inst).iter().map(|v| v.as_u32()).collect(),
                    results: func.results(inst).map(ir::Value::as_u32).collect(),
                })
                .collect(),
            terminator: terminator(func, block),
        });
        let mut program = Self {
            blocks: blocks.collect(),
            types: func.values().map(|value| func.value_type(value)).collect(),
        };
        program.drop_stay_operands(func);
        program
    }

    /// Removes operands of phis for the edges of `BreakBranch`es that are never taken.
    fn drop_stay_operands(&mut self, func: &Function) {
        for to in func.blocks() {
            for (_, operands) in &mut self.blocks[to.as_u32() as usize].phis {
                operands.retain(|&(pred, _)| match func.terminator(pred) {
                    Some(ir::Terminator::BreakBranch { target, .. }) => target == to,
                    _ => true,
                });
            }
        }
    }

    fn code(&self, block: Block) -> &Code {
        &self.blocks[block.as_u32() as usize]
    }
}

fn terminator(func: &Function, block: Block) -> Terminator<u32> {
    match func.terminator(block).unwrap() {
        ir::Terminator::Branch(to) | ir::Terminator::BreakBranch { target: to, .. } => {
            Terminator::Goto(to)
        }
        ir::Terminator::CondBranch {
            cond, then, else_, ..
        } => Terminator::Branch {
            condition: cond.as_u32(),
            then,
            else_,
        },
        ir::Terminator::Switch {
            value,
            default,
            cases,
            ..
        } => Terminator::Switch {
            value: value.as_u32(),
            default,
            cases: func
                .cases(cases)
                .iter()
                .map(|c| (c.literal, c.target))
                .collect(),
        },
        ir::Terminator::Return(value) => Terminator::Return(value.map(ir::Value::as_u32)),
        ir::Terminator::Unreachable => Terminator::Unreachable,
        ir::Terminator::Kill => Terminator::Exit(0),
        ir::Terminator::Exit(payload) => Terminator::Exit(payload),
    }
}

impl ControlFlow for Program {
    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    fn terminator(&self, block: Block) -> Terminator<u32> {
        self.code(block).terminator.clone()
    }
    fn effects(&self, block: Block) -> Effects {
        let insts = self.code(block).insts.iter();
        insts.fold(Effects::NONE, |all, inst| all | inst.effects)
    }
}

impl Ssa for Program {
    fn phis(&self, block: Block) -> Vec<(u32, Vec<(Block, u32)>)> {
        self.code(block).phis.clone()
    }
    fn definitions(&self, block: Block) -> Vec<u32> {
        let insts = self.code(block).insts.iter();
        insts.flat_map(|inst| inst.results.clone()).collect()
    }
    fn uses(&self, block: Block) -> Vec<u32> {
        let insts = self.code(block).insts.iter();
        insts.flat_map(|inst| inst.uses.clone()).collect()
    }
    fn ty(&self, value: u32) -> Type {
        self.types[value as usize]
    }
}

/// The same graph on one register, which each block with instructions sets: the result of a block
/// depends on all blocks before it.
pub(crate) struct Registers(Program);

/// The register.
const REGISTER: u32 = 0;

impl Registers {
    pub(crate) fn of(func: &Function) -> Self {
        let mut program = Program::of(func);
        for code in &mut program.blocks {
            code.phis.clear();
            code.insts.truncate(1);
            for inst in &mut code.insts {
                inst.effects = Effects::SIDE_EFFECT;
                (inst.uses, inst.results) = (vec![REGISTER], vec![REGISTER]);
            }
            match &mut code.terminator {
                Terminator::Branch { condition: id, .. }
                | Terminator::Switch { value: id, .. }
                | Terminator::Return(Some(id)) => *id = REGISTER,
                _ => {}
            }
        }
        Self(program)
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0
    }
}

impl ControlFlow for Registers {
    fn num_blocks(&self) -> usize {
        self.0.num_blocks()
    }
    fn terminator(&self, block: Block) -> Terminator<u32> {
        self.0.terminator(block)
    }
    fn effects(&self, block: Block) -> Effects {
        self.0.effects(block)
    }
}
