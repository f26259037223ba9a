//! LLVM's functions as the structurizer's, through the `llvm-ir` crate.
//!
//! Integers up to 64 bits, their operations, reads of the input array and events get their meaning
//! ([`Op`]); everything else is an opaque node with its operands and effects.

mod operations;

use std::collections::HashMap;
use std::path::Path;

use llvm_ir::types::Typed;
use llvm_ir::{
    BasicBlock, Constant, Instruction, Module, Name, Operand, Terminator as LlvmTerminator,
    Type as LlvmType, TypeRef,
};
use thiserror::Error;
use trellis_structurizer::ir::{Block, Effects, SelectionHint, Terminator, Type, Value};

use crate::program::{FIRST_OTHER, Op, POINTER, Program, bits};

/// Why a module or function cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// LLVM cannot parse it.
    #[error("LLVM cannot read the module: {0}")]
    Module(String),
    /// The file cannot be opened. (`llvm-ir` would end the process.)
    #[error("{path}: {problem}")]
    File {
        /// The file.
        path: String,
        /// Why.
        problem: String,
    },
    /// A block ends with something other than a branch, switch, return or unreachable.
    #[error(
        "{function}: block {block} ends with {terminator}, which the structurizer has no form for"
    )]
    Terminator {
        /// The function.
        function: String,
        /// The block.
        block: String,
        /// LLVM's name of the terminator.
        terminator: &'static str,
    },
    /// Something is used that is not defined, or a number is too wide.
    #[error("{function}: {what}")]
    Malformed {
        /// The function.
        function: String,
        /// The error.
        what: String,
    },
}

/// Options for reading a function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Calls without known meaning, and events, depend on the lanes that run them together,
    /// whatever their attributes are.
    pub convergent: bool,
}

/// Parses LLVM's text form.
///
/// # Errors
/// [`Error::Module`] if LLVM does.
pub fn parse(text: &str) -> Result<Module, Error> {
    Module::from_ir_str(text).map_err(Error::Module)
}

/// Parses a bitcode file. It should be LLVM 14's own: LLVM ends the process on some broken ones.
///
/// # Errors
/// [`Error::File`], [`Error::Module`].
pub fn open(path: &Path) -> Result<Module, Error> {
    std::fs::File::open(path).map_err(|error| Error::File {
        path: path.display().to_string(),
        problem: error.to_string(),
    })?;
    Module::from_bc_path(path).map_err(Error::Module)
}

/// Returns a function of a module, with the meaning of its instructions. Unreachable blocks are
/// omitted.
///
/// # Errors
/// [`Error::Terminator`] for `indirectbr`, `invoke` and the like; [`Error::Malformed`] for anything
/// that LLVM's verifier would refuse, and switches over more than 64 bits.
pub fn read(
    module: &Module,
    function: &llvm_ir::Function,
    settings: Settings,
) -> Result<Program, Error> {
    let mut reader = Reader {
        module,
        function,
        settings,
        program: Program::default(),
        types: HashMap::new(),
        integers: HashMap::new(),
        values: HashMap::new(),
        blocks: HashMap::new(),
    };
    reader.run()?;
    Ok(reader.program)
}

struct Reader<'m> {
    module: &'m Module,
    function: &'m llvm_ir::Function,
    settings: Settings,
    program: Program,
    types: HashMap<TypeRef, Type>,
    integers: HashMap<(Type, u64), Value>,
    values: HashMap<&'m Name, Value>,
    blocks: HashMap<&'m Name, Block>,
}

/// Returns the names of the blocks that a terminator leads to.
fn targets(terminator: &LlvmTerminator) -> Result<Vec<&Name>, &'static str> {
    Ok(match terminator {
        LlvmTerminator::Br(br) => vec![&br.dest],
        LlvmTerminator::CondBr(br) => vec![&br.true_dest, &br.false_dest],
        LlvmTerminator::Switch(switch) => std::iter::once(&switch.default_dest)
            .chain(switch.dests.iter().map(|dest| &dest.1))
            .collect(),
        LlvmTerminator::Ret(_) | LlvmTerminator::Unreachable(_) => Vec::new(),
        LlvmTerminator::IndirectBr(_) => return Err("indirectbr"),
        LlvmTerminator::Invoke(_) => return Err("invoke"),
        LlvmTerminator::Resume(_) => return Err("resume"),
        LlvmTerminator::CallBr(_) => return Err("callbr"),
        LlvmTerminator::CleanupRet(_) => return Err("cleanupret"),
        LlvmTerminator::CatchRet(_) => return Err("catchret"),
        LlvmTerminator::CatchSwitch(_) => return Err("catchswitch"),
    })
}

impl<'m> Reader<'m> {
    fn malformed(&self, what: impl std::fmt::Display) -> Error {
        Error::Malformed {
            function: self.function.name.clone(),
            what: what.to_string(),
        }
    }

    /// Returns the blocks that the entry reaches, each after its dominators.
    fn order(&self) -> Result<Vec<&'m BasicBlock>, Error> {
        let list = &self.function.basic_blocks;
        let index: HashMap<&Name, usize> = list
            .iter()
            .enumerate()
            .map(|(index, block)| (&block.name, index))
            .collect();
        let mut successors = Vec::with_capacity(list.len());
        for block in list {
            let targets = targets(&block.term).map_err(|terminator| Error::Terminator {
                function: self.function.name.clone(),
                block: block.name.to_string(),
                terminator,
            })?;
            let targets: Option<Vec<usize>> = targets
                .into_iter()
                .map(|name| index.get(name).copied())
                .collect();
            successors.push(targets.ok_or_else(|| {
                self.malformed(format_args!("a target of {} does not exist", block.name))
            })?);
        }
        // Post-order with an explicit stack, then reversed.
        let mut seen = vec![false; list.len()];
        let mut order = Vec::new();
        let mut stack = vec![(0, 0)];
        match seen.first_mut() {
            Some(first) => *first = true,
            None => return Err(self.malformed("the function has no block")),
        }
        while let Some((block, next)) = stack.last_mut() {
            let block = *block;
            let Some(&to) = successors[block].get(*next) else {
                order.push(&list[block]);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[to], true) {
                stack.push((to, 0));
            }
        }
        order.reverse();
        Ok(order)
    }

    fn run(&mut self) -> Result<(), Error> {
        let order = self.order()?;
        // Numbered in the order of the function.
        let reached: std::collections::HashSet<&Name> =
            order.iter().map(|block| &block.name).collect();
        for block in self
            .function
            .basic_blocks
            .iter()
            .filter(|block| reached.contains(&block.name))
        {
            let added = self.program.func.add_block();
            self.blocks.insert(&block.name, added);
        }
        for parameter in &self.function.parameters {
            let ty = self.ty(&parameter.ty);
            let value = self.constant(0, ty);
            self.values.insert(&parameter.name, value);
        }
        for block in &order {
            for inst in &block.instrs {
                self.inst(self.blocks[&block.name], inst)?;
            }
        }
        for block in &order {
            self.phi_operands(block)?;
            self.end(block)?;
        }
        Ok(())
    }

    fn ty(&mut self, ty: &TypeRef) -> Type {
        match ty.as_ref() {
            LlvmType::IntegerType {
                bits: width @ 1..=64,
            } => return bits(*width),
            LlvmType::PointerType {
                pointee_type,
                addr_space: 0,
            } if matches!(pointee_type.as_ref(), LlvmType::IntegerType { bits: 32 }) => {
                return POINTER;
            }
            _ => {}
        }
        let next = Type(FIRST_OTHER + self.types.len() as u32);
        *self.types.entry(ty.clone()).or_insert(next)
    }

    /// Returns a value that is defined everywhere.
    fn constant(&mut self, number: u64, ty: Type) -> Value {
        let payload = self.program.constants.len() as u32;
        self.program.constants.push(number);
        self.program.func.add_constant(payload, ty)
    }

    fn operand(&mut self, operand: &'m Operand) -> Result<Value, Error> {
        match operand {
            Operand::LocalOperand { name, .. } => {
                let value = self.values.get(name).copied();
                value.ok_or_else(|| {
                    self.malformed(format_args!("{name} is not defined before its use"))
                })
            }
            Operand::ConstantOperand(constant) => {
                let ty = self.module.type_of(constant);
                let ty = self.ty(&ty);
                Ok(match constant.as_ref() {
                    Constant::Int { value, .. } => match self.integers.get(&(ty, *value)) {
                        Some(&known) => known,
                        None => {
                            let made = self.constant(*value, ty);
                            self.integers.insert((ty, *value), made);
                            made
                        }
                    },
                    Constant::Undef(_) | Constant::Poison(_) => self.program.func.undef(ty),
                    _ => self.constant(0, ty),
                })
            }
            Operand::MetadataOperand => Err(self.malformed("metadata is not a value")),
        }
    }

    fn inst(&mut self, block: Block, inst: &'m Instruction) -> Result<(), Error> {
        if let Instruction::Phi(phi) = inst {
            let ty = self.ty(&phi.to_type);
            let value = self.program.func.add_phi(block, ty);
            self.values.insert(&phi.dest, value);
            return Ok(());
        }
        if operations::is_nothing(inst) {
            return Ok(());
        }
        let mut uses = Vec::new();
        for operand in operations::operands(inst) {
            if !matches!(operand, Operand::MetadataOperand) {
                uses.push(self.operand(operand)?);
            }
        }
        let dest = inst.try_get_result();
        let result = match dest {
            Some(_) => vec![self.ty(&inst.get_type(&self.module.types))],
            None => Vec::new(),
        };
        let known = uses
            .iter()
            .all(|&value| self.program.func.value_type(value).0 < FIRST_OTHER)
            && result.iter().all(|ty| ty.0 < FIRST_OTHER);
        let same = matches!((&uses[..], &result[..]), (&[value], &[ty]) if self.program.func.value_type(value) == ty);
        let op = operations::op(inst, known, same);
        if op == Op::Event {
            uses.truncate(2);
        }
        let effects = self.effects(inst, &op);
        let payload = self.program.ops.len() as u32;
        self.program.ops.push(op);
        let made = self
            .program
            .func
            .append_inst(block, payload, effects, &uses, &result);
        if let (Some(name), Some(value)) = (dest, self.program.func.results(made).next()) {
            self.values.insert(name, value);
        }
        Ok(())
    }

    fn effects(&self, inst: &Instruction, op: &Op) -> Effects {
        let convergent = |effects: Effects| {
            if self.settings.convergent || operations::is_convergent(self.module, inst) {
                effects | Effects::CONVERGENT
            } else {
                effects
            }
        };
        match op {
            Op::Load => Effects::READS_MEMORY,
            Op::Event => convergent(Effects::SIDE_EFFECT),
            Op::Call(_) => convergent(Effects::SIDE_EFFECT | Effects::READS_MEMORY),
            Op::Opaque(_) => match operations::memory(inst) {
                operations::Memory::None => Effects::NONE,
                operations::Memory::Reads => Effects::READS_MEMORY,
                operations::Memory::Writes => Effects::SIDE_EFFECT,
                operations::Memory::Calls => {
                    convergent(Effects::SIDE_EFFECT | Effects::READS_MEMORY)
                }
            },
            _ => Effects::NONE,
        }
    }

    fn phi_operands(&mut self, block: &'m BasicBlock) -> Result<(), Error> {
        let mut seen = std::collections::HashSet::new();
        for inst in &block.instrs {
            let Instruction::Phi(phi) = inst else { break };
            let value = self.values[&phi.dest];
            seen.clear();
            for (operand, pred) in &phi.incoming_values {
                // LLVM has an operand for each edge, and for edges from blocks that nothing
                // reaches.
                let Some(&pred) = self.blocks.get(pred) else {
                    continue;
                };
                if seen.insert(pred) {
                    let operand = self.operand(operand)?;
                    self.program.func.add_phi_operand(value, pred, operand);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, block: &'m BasicBlock) -> Result<(), Error> {
        let at = self.blocks[&block.name];
        let to = |reader: &Self, name: &Name| {
            reader
                .blocks
                .get(name)
                .copied()
                .ok_or_else(|| reader.malformed(format_args!("{name} does not exist")))
        };
        let hint = SelectionHint::None;
        let terminator = match &block.term {
            LlvmTerminator::Br(br) => Terminator::Branch(to(self, &br.dest)?),
            LlvmTerminator::CondBr(br) => {
                let cond = self.operand(&br.condition)?;
                Terminator::CondBranch {
                    cond,
                    then: to(self, &br.true_dest)?,
                    else_: to(self, &br.false_dest)?,
                    hint,
                }
            }
            LlvmTerminator::Switch(switch) => {
                let value = self.operand(&switch.operand)?;
                let mut cases = Vec::with_capacity(switch.dests.len());
                for (literal, name) in &switch.dests {
                    let Constant::Int {
                        bits: 1..=64,
                        value,
                    } = literal.as_ref()
                    else {
                        return Err(self.malformed(format_args!(
                            "a case of {} is not an integer of up to 64 bits",
                            block.name
                        )));
                    };
                    cases.push((*value, to(self, name)?));
                }
                let default = to(self, &switch.default_dest)?;
                Terminator::Switch {
                    value,
                    default,
                    cases: self.program.func.add_cases(&cases),
                    hint,
                }
            }
            LlvmTerminator::Ret(ret) => Terminator::Return(
                ret.return_operand
                    .as_ref()
                    .map(|operand| self.operand(operand))
                    .transpose()?,
            ),
            // `order` has refused the others.
            _ => Terminator::Unreachable,
        };
        self.program.func.set_terminator(at, terminator);
        Ok(())
    }
}

/// Functions that the module defines, in order.
pub fn functions(module: &Module) -> impl Iterator<Item = &llvm_ir::Function> {
    module.functions.iter()
}

/// Returns the function of this name, structurizer-side.
///
/// # Errors
/// [`Error::Malformed`] if there is none; otherwise as [`read`].
pub fn read_named(module: &Module, name: &str, settings: Settings) -> Result<Program, Error> {
    let function = module.get_func_by_name(name);
    let function = function.ok_or_else(|| Error::Malformed {
        function: name.to_owned(),
        what: "the module does not define it".to_owned(),
    })?;
    read(module, function, settings)
}
