//! A shape into a function: instructions, values that live across blocks, phis.

use trellis_entity::EntityRef;
use trellis_structurizer::ir::{Block, Effects, Function, SelectionHint, Terminator, Type, Value};

use super::dominators::Dominators;
use super::{End, Rng, Shape};

/// The type of conditions.
const BOOL: Type = Type(1);
/// The type of switch values.
const INT: Type = Type(2);
/// The type of everything else.
const DATA: Type = Type(3);
const TYPES: [Type; 3] = [BOOL, INT, DATA];

/// Options for filling a shape with instructions.
#[derive(Clone, Debug)]
pub struct FillOptions {
    /// One instruction with [`FillOptions::plain_effects`] a block and nothing else, as in the
    /// families.
    pub plain: bool,
    /// A side effect by default.
    pub plain_effects: Effects,
    /// Percent of the instructions that are convergent.
    pub convergent: u32,
    /// Percent of the blocks with several predecessors that get phis.
    pub phis: u32,
    /// Number of phis of such a block; one or two if this is none.
    pub phis_per_block: Option<usize>,
}

/// Makes a function of a shape with [`FillOptions::plain`]: the payload of each instruction is the
/// number of its block.
pub fn plain(shape: &Shape) -> Function {
    let options = FillOptions {
        plain: true,
        ..FillOptions::default()
    };
    fill(shape, &mut Rng::new(1), &options)
}

impl Default for FillOptions {
    fn default() -> Self {
        FillOptions {
            plain: false,
            plain_effects: Effects::SIDE_EFFECT,
            convergent: 20,
            phis: 60,
            phis_per_block: None,
        }
    }
}

/// Makes a function of a shape. Where the shape has two branches a block with two targets gets a
/// condition: mostly its own, sometimes an older one.
pub fn fill(shape: &Shape, rng: &mut Rng, options: &FillOptions) -> Function {
    let mut filler = Filler::new(shape, options);
    for block in filler.dominators.preorder.clone() {
        filler.fill_block(rng, block);
    }
    for block in 0..shape.len() {
        if !filler.dominators.reached(block) {
            filler.fill_block(rng, block);
        }
    }
    filler.fill_phis(rng);
    filler.func
}

/// Makes `percent` percent of the terminators of blocks with instructions uniform: two decisions on
/// a value without an instruction in between are one decision.
pub fn mark_uniform(func: &mut Function, rng: &mut Rng, percent: u32) {
    for block in func.blocks() {
        if rng.chance(percent) && func.insts(block).next().is_some() {
            func.set_uniform(block, true);
        }
    }
}

struct Filler<'a> {
    shape: &'a Shape,
    options: &'a FillOptions,
    func: Function,
    dominators: Dominators,
    preds: Vec<Vec<usize>>,
    /// Values that each block defines.
    definitions: Vec<Vec<Value>>,
    constants: [Value; 3],
    undefined: Value,
    payload: u32,
}

impl<'a> Filler<'a> {
    fn new(shape: &'a Shape, options: &'a FillOptions) -> Self {
        let targets: Vec<Vec<usize>> = shape.ends.iter().map(End::targets).collect();
        let dominators = Dominators::new(&targets);
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); shape.len()];
        for (block, targets) in targets.iter().enumerate() {
            for &to in targets {
                if preds[to].last() != Some(&block) {
                    preds[to].push(block);
                }
            }
        }
        let mut func = Function::with_capacity(shape.len(), shape.len() * 2, shape.len() * 3);
        for _ in 0..shape.len() {
            func.add_block();
        }
        let constants = TYPES.map(|ty| func.add_constant(1_000_000 + ty.0, ty));
        let undefined = func.undef(DATA);
        Filler {
            shape,
            options,
            func,
            dominators,
            preds,
            definitions: vec![Vec::new(); shape.len()],
            constants,
            undefined,
            payload: 0,
        }
    }

    /// Returns a value of a type that is defined at the end of a block.
    fn pick(&self, rng: &mut Rng, block: usize, ty: Type) -> Value {
        let mut at = block;
        if self.dominators.reached(at) {
            loop {
                let fitting: Vec<Value> = self.definitions[at]
                    .iter()
                    .copied()
                    .filter(|&v| self.func.value_type(v) == ty)
                    .collect();
                if !fitting.is_empty() && rng.chance(55) {
                    return fitting[rng.below(fitting.len())];
                }
                let Some(up) = self.dominators.parent[at] else {
                    break;
                };
                at = up;
            }
        }
        if ty == DATA && rng.chance(10) {
            return self.undefined;
        }
        self.constants[ty.0 as usize - 1]
    }

    fn fill_block(&mut self, rng: &mut Rng, index: usize) {
        let block = Block::new(index);
        if self.options.plain {
            return self.fill_plain(block, index);
        }
        if index != 0 && self.preds[index].len() > 1 && rng.chance(self.options.phis) {
            let count = self.options.phis_per_block;
            for _ in 0..count.unwrap_or_else(|| 1 + rng.below(2)) {
                let phi = self.func.add_phi(block, TYPES[rng.below(3)]);
                self.definitions[index].push(phi);
            }
        }
        if !self.shape.empty[index] {
            for _ in 0..=rng.below(3) {
                self.add_inst(rng, block, index, None);
            }
        }
        let needs = match &self.shape.ends[index] {
            End::To(targets) if targets.len() == 2 => Some(BOOL),
            End::To(targets) if targets.len() > 2 => Some(INT),
            End::Switch(..) => Some(INT),
            _ => None,
        };
        let value = needs.map(|ty| {
            // An empty block has to branch on something older.
            if !self.shape.empty[index] && rng.chance(75) {
                self.add_inst(rng, block, index, Some(ty))
            } else {
                self.pick(rng, index, ty)
            }
        });
        let value_of_return = rng.chance(50).then(|| self.pick(rng, index, DATA));
        self.end(index, value, value_of_return);
    }

    fn fill_plain(&mut self, block: Block, index: usize) {
        let needs = match &self.shape.ends[index] {
            End::To(targets) if targets.len() == 2 => vec![BOOL],
            End::To(targets) if targets.len() > 2 => vec![INT],
            End::Switch(..) => vec![INT],
            _ => Vec::new(),
        };
        let mut value = needs.first().map(|ty| self.constants[ty.0 as usize - 1]);
        if !self.shape.empty[index] {
            let effects = self.options.plain_effects;
            let inst = self
                .func
                .append_inst(block, index as u32, effects, &[], &needs);
            value = self.func.results(inst).next().or(value);
        }
        self.end(index, value, None);
    }

    fn add_inst(&mut self, rng: &mut Rng, block: Block, index: usize, ty: Option<Type>) -> Value {
        let mut effects = match rng.below(6) {
            0..=2 => Effects::SIDE_EFFECT,
            3 => Effects::READS_MEMORY,
            _ => Effects::NONE,
        };
        if rng.chance(self.options.convergent) {
            effects |= Effects::CONVERGENT;
        }
        let uses: Vec<Value> = (0..rng.below(3))
            .map(|_| {
                let ty = TYPES[rng.below(3)];
                self.pick(rng, index, ty)
            })
            .collect();
        let ty = ty.unwrap_or(TYPES[rng.below(3)]);
        let inst = self
            .func
            .append_inst(block, self.payload, effects, &uses, &[ty]);
        self.payload += 1;
        // One type, one result.
        let value = self.func.results(inst).next().unwrap_or(self.undefined);
        self.definitions[index].push(value);
        value
    }

    fn end(&mut self, index: usize, value: Option<Value>, result: Option<Value>) {
        let block = Block::new;
        let hint = SelectionHint::None;
        let value = value.unwrap_or(self.undefined);
        let mut switch = |default: usize, cases: Vec<(u64, Block)>| Terminator::Switch {
            value,
            default: block(default),
            cases: self.func.add_cases(&cases),
            hint,
        };
        let terminator = match &self.shape.ends[index] {
            End::To(targets) => match targets[..] {
                [] => Terminator::Return(result),
                [to] => Terminator::Branch(block(to)),
                [then, else_] => Terminator::CondBranch {
                    cond: value,
                    then: block(then),
                    else_: block(else_),
                    hint,
                },
                [default, ref rest @ ..] => switch(
                    default,
                    (0..).zip(rest.iter().map(|&to| block(to))).collect(),
                ),
            },
            End::Switch(default, cases) => {
                let cases = cases.iter().map(|&(literal, to)| (literal, block(to)));
                switch(*default, cases.collect())
            }
            End::Break(target, stay) => Terminator::BreakBranch {
                target: block(*target),
                stay: block(*stay),
            },
            End::Return => Terminator::Return(result),
            // An end of the client's means the same.
            End::Kill if index % 2 == 1 => Terminator::Exit(index as u32),
            End::Kill => Terminator::Kill,
            End::Unreachable => Terminator::Unreachable,
        };
        self.func.set_terminator(block(index), terminator);
    }

    fn fill_phis(&mut self, rng: &mut Rng) {
        for index in 0..self.shape.len() {
            let phis: Vec<Value> = self.func.phis(Block::new(index)).collect();
            for phi in phis {
                let ty = self.func.value_type(phi);
                for pred in self.preds[index].clone() {
                    let value = self.pick(rng, pred, ty);
                    self.func.add_phi_operand(phi, Block::new(pred), value);
                }
            }
        }
    }
}
