//! Variables of the text: names, types, and where they are declared.

use std::collections::BTreeMap;

use trellis_dxil_frontend::debug_info::{DebugNode, VariableUses};
use trellis_dxil_frontend::dxop::{DxDeclarations, Op};
use trellis_dxil_frontend::module::{
    BinaryOp, CastOp, Function, InstId, InstKind, Module, Predicate, TypeId, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::ResourceKind;
use trellis_structurizer::Merge;
use trellis_structurizer::ir::{self, Effects};
use trellis_structurizer::tree::{Condition, Kind, TestOf};
use trellis_structurizer_analysis::variables::{Assignment, Source};

use crate::body::Body;
use crate::layout::COMPONENTS;
use crate::plan::{Plan, is_heap};
use crate::resource::{Declared, declare_local, of_heap};
use crate::types::{Scalar, UINT};

/// A variable of the text: one of the structurizer's values, or a variable in place of phis.
#[derive(Clone, Default)]
pub(crate) struct Slot {
    pub(crate) name: String,
    pub(crate) ty: Option<Scalar>,
    /// Name of the type.
    pub(crate) type_name: String,
    is_declared: bool,
    /// Whether the declaration is where it is first written; else it is at the start.
    pub(crate) is_inline: bool,
    /// Of the first access: whether it writes, and where the sequence around it ends.
    pub(crate) first: Option<(bool, usize)>,
}

impl Body<'_, '_> {
    pub(crate) fn slot_index(&self, source: Source) -> usize {
        match source {
            Source::Variable(variable) => variable.as_u32() as usize,
            Source::Value(value) => self.variables.all().len() + value.as_u32() as usize,
        }
    }

    /// Returns the name and the type of a variable.
    pub(crate) fn slot_name(&mut self, source: Source) -> (String, Scalar) {
        let index = self.slot_index(source);
        if self.slots[index].name.is_empty() {
            self.describe(source, index);
        }
        let slot = &self.slots[index];
        (slot.name.clone(), slot.ty.unwrap_or(UINT))
    }

    pub(crate) fn describe(&mut self, source: Source, index: usize) {
        let func = &self.structured.func;
        let (ty, members): (ir::Type, Vec<ir::Value>) = match source {
            Source::Variable(variable) => {
                let members = self.members.get(&variable).cloned().unwrap_or_default();
                (self.variables.ty(variable), members)
            }
            Source::Value(value) => (func.value_type(value), vec![value]),
        };
        let origins: Vec<ValueId> = members
            .iter()
            .filter_map(|value| {
                self.lowered
                    .origin
                    .get(value.as_u32() as usize)
                    .copied()
                    .flatten()
            })
            .collect();
        let named = origins
            .iter()
            .find_map(|origin| self.source_names.get(origin))
            .cloned();
        let (mut scalar, mut count) = match ty {
            ir::Type::SELECTOR => (UINT, 1),
            ir::Type::BOOL => (Scalar::Bool, 1),
            ty => self.type_of(TypeId::from_u32(ty.0)),
        };
        let votes: i32 = origins
            .iter()
            .filter_map(|&v| Some(self.votes[self.plan.local(v)?]))
            .sum();
        scalar = scalar.with_sign(votes > 0);
        let mut type_name = None;
        for &origin in &origins {
            if let Some(data) = self.p.module.value(Some(self.function), origin)
                && let ValueKind::Inst(id) = data.kind
            {
                count = self.components(id).unwrap_or(count);
                if let Some((name, declared)) = self.declare_heap(id) {
                    type_name = Some(name);
                    self.locals.insert(origin, declared);
                }
            }
        }
        if ty == ir::Type::SELECTOR {
            type_name = Some("uint".to_owned());
        }
        let wanted = match (&named, ty == ir::Type::SELECTOR, source) {
            (Some(name), ..) => name.clone(),
            (_, true, _) => "path".to_owned(),
            (_, _, Source::Variable(_)) => "v0".to_owned(),
            _ if type_name.is_some() => "resource".to_owned(),
            _ => "t0".to_owned(),
        };
        if count > 4 {
            self.p.note("a vector of more than four components");
        }
        let slot = &mut self.slots[index];
        slot.name = self.p.names.add(&wanted);
        slot.ty = Some(scalar);
        slot.type_name = type_name.unwrap_or_else(|| scalar.vector_name(count));
    }

    pub(crate) fn declare_heap(&mut self, id: InstId) -> Option<(String, Declared)> {
        let (module, function) = (self.p.module, self.function);
        if !is_heap(module, function, &self.p.ops, id) {
            return None;
        }
        let call = self.p.ops.parse(module, function, id).ok().flatten()?;
        let words: Vec<u32> = match module.constant(Some(function), call.operand(1)?) {
            Some(constant) => constant
                .value
                .operands(&module.const_operands)
                .map(|word| module.const_int(Some(function), word).unwrap_or(0) as u32)
                .collect(),
            None => return None,
        };
        let &[a, b] = &words[..] else {
            return None;
        };
        let resource = of_heap([a, b]);
        Some(declare_local(
            &resource,
            "heap".to_owned(),
            &mut self.p.types,
            &mut self.p.names,
        ))
    }

    /// Returns the number of components that an instruction's text has.
    pub(crate) fn components(&mut self, id: InstId) -> Option<u32> {
        let (module, function) = (self.p.module, self.function);
        let call = self.p.ops.parse(module, function, id).ok().flatten()?;
        let used = call
            .result
            .and_then(|result| self.used.get(&result))
            .copied()
            .unwrap_or(1);
        match call.op {
            Op::Sample | Op::SampleBias | Op::SampleLevel | Op::SampleGrad | Op::TextureLoad => {
                Some(self.handle(call.operand(0)?)?.element.1)
            }
            Op::BufferLoad | Op::RawBufferLoad => {
                let handle = self.handle(call.operand(0)?)?;
                Some(if handle.kind == ResourceKind::TypedBuffer {
                    handle.element.1
                } else {
                    used
                })
            }
            Op::SampleCmp | Op::SampleCmpLevelZero | Op::SampleCmpLevel => Some(1),
            Op::GetDimensions | Op::TextureGather | Op::TextureGatherCmp => Some(4),
            _ => None,
        }
    }

    /// Returns the start of an assignment to a variable: its name, with its type where it is declared.
    pub(crate) fn target(&mut self, source: Source) -> String {
        let (name, _) = self.slot_name(source);
        let index = self.slot_index(source);
        let slot = &mut self.slots[index];
        match slot.is_inline && !slot.is_declared {
            true => {
                slot.is_declared = true;
                format!("{} {name}", slot.type_name)
            }
            false => name,
        }
    }

    /// Finds the variables whose first access writes them in a sequence that has all others.
    pub(crate) fn find_scopes(&mut self) {
        let tree = self.tree;
        let nodes = tree.nodes();
        let mut around = vec![nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            while around.len() > 1 && around.last().is_some_and(|&end| end <= at) {
                around.pop();
            }
            let end = around.last().copied().unwrap_or(nodes.len());
            match node.kind {
                Kind::Block(block) => self.visit_block(block, at, end),
                Kind::If { header, condition } => {
                    self.visit_condition(header, condition, at, end);
                    let (first, second) = self.variables.on_arms(tree, node.kind);
                    let (first, second) = (first.to_vec(), second.to_vec());
                    let then_end = nodes.get(at + 1).map_or(at, |then| then.end as usize);
                    self.visit_copies(&first, at + 1, then_end);
                    self.visit_copies(&second, then_end, node.end as usize);
                }
                Kind::Switch { value, .. } => self.visit_value(value, at, end),
                Kind::Return(Some(value)) => self.visit_value(value, at, end),
                Kind::Continue(header) => {
                    let copies = self.continue_copies(header);
                    self.visit_copies(&copies, at, end);
                }
                Kind::Then | Kind::Else | Kind::Body | Kind::ContinuePart | Kind::Case { .. } => {
                    around.push(node.end as usize);
                }
                _ => {}
            }
        }
    }

    pub(crate) fn continue_copies(&self, header: ir::Block) -> Vec<Assignment> {
        match self.structured.merges[header] {
            Merge::Loop {
                continue_target, ..
            } if continue_target != header => self.variables.at_end(continue_target).to_vec(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn visit(&mut self, source: Source, at: usize, end: usize, is_write: bool) {
        let index = self.slot_index(source);
        let slot = &mut self.slots[index];
        match slot.first {
            None => {
                slot.first = Some((is_write, end));
                slot.is_inline = is_write;
            }
            Some((_, end)) => slot.is_inline &= at < end,
        }
    }

    pub(crate) fn visit_block(&mut self, block: ir::Block, at: usize, end: usize) {
        let func = &self.structured.func;
        for inst in func.insts(block) {
            if self.condition_of(block, inst) {
                continue;
            }
            for &value in func.uses(inst) {
                self.visit(self.variables.source(value), at, end, false);
            }
            for value in func.results(inst) {
                self.visit(self.variables.source(value), at, end, true);
            }
        }
        let copies = self.variables.at_end(block).to_vec();
        self.visit_copies(&copies, at, end);
    }

    pub(crate) fn visit_copies(&mut self, copies: &[Assignment], at: usize, end: usize) {
        for copy in copies {
            self.visit(copy.from, at, end, false);
            self.visit(Source::Variable(copy.to), at, end, true);
        }
    }

    pub(crate) fn visit_condition(
        &mut self,
        _: ir::Block,
        condition: Condition,
        at: usize,
        end: usize,
    ) {
        let value = match condition.test {
            TestOf::Value(value) => value,
            TestOf::Selector { selector, .. } => selector,
        };
        self.visit_value(value, at, end);
    }

    pub(crate) fn visit_value(&mut self, value: ir::Value, at: usize, end: usize) {
        let func = &self.structured.func;
        if let Some(inst) = self.printed_at_branch(value) {
            for &value in func.uses(inst) {
                self.visit(self.variables.source(value), at, end, false);
            }
        } else {
            self.visit(self.variables.source(value), at, end, false);
        }
    }

    /// Returns the instruction of a value that is printed at the branch after it.
    pub(crate) fn printed_at_branch(&self, value: ir::Value) -> Option<ir::Inst> {
        let func = &self.structured.func;
        let ir::ValueKind::Result { inst, .. } = func.value_kind(value) else {
            return None;
        };
        self.condition_of(func.inst_block(inst), inst)
            .then_some(inst)
    }

    /// Returns true for an instruction whose result only the branch at the end of the block uses.
    pub(crate) fn condition_of(&self, block: ir::Block, inst: ir::Inst) -> bool {
        let func = &self.structured.func;
        let Some(value) = func.results(inst).next() else {
            return false;
        };
        if let ir::InstKind::SelectorTest { .. } = func.inst_kind(inst) {
            return self.uses[value.as_u32() as usize].0 == 0;
        }
        let terminator = func.terminator(block);
        self.uses[value.as_u32() as usize] == (0, 1)
            && terminator.and_then(ir::Terminator::value) == Some(value)
            && (func.effects(inst) == Effects::NONE
                || func.effects(inst) == Effects::READS_MEMORY
                    && self.last[block.as_u32() as usize] == Some(inst))
            && self.variables.at_end(block).is_empty()
            && self.variables.variable(value).is_none()
    }
}

/// Counts for each value how often it is used as a signed integer, less as an unsigned one.
pub(crate) fn votes(
    module: &Module,
    function: &Function,
    plan: &Plan,
    ops: &DxDeclarations,
) -> Vec<i32> {
    use BinaryOp as B;
    use Predicate as P;
    let mut votes = vec![0; function.values.len()];
    for (id, inst) in function.insts.iter() {
        let (vote, with_result) = match inst.kind {
            InstKind::Cmp {
                predicate: P::ISgt | P::ISge | P::ISlt | P::ISle,
                ..
            } => (1, false),
            InstKind::Cmp {
                predicate: P::IUgt | P::IUge | P::IUlt | P::IUle,
                ..
            } => (-1, false),
            InstKind::Binary {
                op: B::SDiv | B::SRem | B::AShr,
                ..
            } => (1, true),
            InstKind::Binary {
                op: B::UDiv | B::URem | B::LShr,
                ..
            } => (-1, true),
            InstKind::Cast {
                op: CastOp::SIToFP | CastOp::SExt,
                ..
            } => (1, false),
            InstKind::Cast {
                op: CastOp::UIToFP | CastOp::ZExt,
                ..
            } => (-1, false),
            InstKind::Cast {
                op: CastOp::FPToSI, ..
            } => (1, true),
            InstKind::Cast {
                op: CastOp::FPToUI, ..
            } => (-1, true),
            InstKind::Call { .. } => match ops.parse(module, function, id) {
                Ok(Some(call)) => match call.op {
                    Op::IMax | Op::IMin | Op::IMad => (1, true),
                    Op::UMax | Op::UMin | Op::UMad => (-1, true),
                    _ => continue,
                },
                _ => continue,
            },
            _ => continue,
        };
        let result = inst.result.expand().filter(|_| with_result);
        for value in function.operands(&inst.kind).chain(result) {
            if let Some(index) = plan.local(value) {
                votes[index] += vote;
            }
        }
    }
    votes
}

/// Returns the names that debug information has for values.
pub(crate) fn source_names(module: &Module, function: &Function) -> BTreeMap<ValueId, String> {
    let mut names = BTreeMap::new();
    let uses = VariableUses::new(module);
    if uses.is_empty() {
        return names;
    }
    for id in function.insts.keys() {
        let Some(at) = uses.parse(module, function, id) else {
            continue;
        };
        let (Some(value), Some(DebugNode::LocalVariable(variable))) =
            (at.value, module.metadata.debug_node(at.variable))
        else {
            continue;
        };
        let Some(name) = variable.name else {
            continue;
        };
        let piece = match module.metadata.debug_node(at.expression) {
            Some(DebugNode::Expression(expression)) => expression.piece().flatten(),
            _ => None,
        };
        let name = match piece {
            Some((offset, 32)) if offset < 128 => {
                format!("{name}_{}", COMPONENTS[(offset / 32) as usize])
            }
            _ => name.to_string(),
        };
        names.entry(value).or_insert(name);
    }
    names
}
