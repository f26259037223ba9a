//! Statements: assignments, stores, and operations with effects.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{InstId, InstKind, ValueKind};
use trellis_structurizer::ir::{self, SelectorOp};
use trellis_structurizer_analysis::variables::Source;

use crate::body::Body;
use crate::layout::COMPONENTS;
use crate::plan::Class;
use crate::types::{Expr, Scalar, UINT, prec};

impl Body<'_, '_> {
    pub(crate) fn inst_expr(&mut self, inst: ir::Inst) -> Expr {
        let func = &self.structured.func;
        match func.inst_kind(inst) {
            ir::InstKind::Client(payload) => {
                let leaves = self.lowered.leaves.get(inst.as_u32() as usize);
                let leaves = leaves.map_or(&[][..], |leaves| leaves);
                self.leaves = leaves
                    .iter()
                    .copied()
                    .zip(func.uses(inst).iter().copied())
                    .collect();
                self.computed(InstId::from_u32(payload))
            }
            ir::InstKind::SelectorTest { op, constant } => {
                let selector = func.uses(inst).first().copied();
                let name = selector
                    .map(|value| self.read(value).text)
                    .unwrap_or_default();
                let sign = if op == SelectorOp::Equal { "==" } else { "<=" };
                Expr::new(
                    format!("{name} {sign} {constant}u"),
                    prec::RELATION,
                    Scalar::Bool,
                )
            }
            ir::InstKind::Select => self.unwritten("a selection", UINT),
        }
    }

    pub(crate) fn block(&mut self, block: ir::Block) {
        let structured = self.structured;
        for inst in structured.func.insts(block) {
            if !self.condition_of(block, inst) {
                self.statement(inst);
            }
        }
        let copies = self.variables.at_end(block).to_vec();
        self.copies(&copies);
    }

    pub(crate) fn statement(&mut self, inst: ir::Inst) {
        let func = &self.structured.func;
        let result = func.results(inst).next();
        let is_used = result.is_some_and(|value| self.uses[value.as_u32() as usize] != (0, 0));
        let source = result
            .filter(|_| is_used)
            .map(|value| self.variables.source(value));
        let ir::InstKind::Client(payload) = func.inst_kind(inst) else {
            let expr = self.inst_expr(inst);
            return self.assign(source, expr);
        };
        let leaves = self.lowered.leaves.get(inst.as_u32() as usize);
        let leaves = leaves.map_or(&[][..], |leaves| leaves);
        self.leaves = leaves
            .iter()
            .copied()
            .zip(func.uses(inst).iter().copied())
            .collect();
        let id = InstId::from_u32(payload);
        self.insts = vec![id];
        let function = self.function;
        match function.insts[id].kind {
            InstKind::Store { ptr, value, .. } => {
                let value = self.any_sign(value);
                match self.pointee(ptr) {
                    Some((place, ty)) => self.set(&place, &value.reinterpret_for_store(ty).text),
                    None => {
                        let text = self.unwritten("a store to an address", UINT).text;
                        self.line(&format!("{text};"));
                    }
                }
            }
            InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => {
                let name = self.declared(source);
                let name = name.map(|name| match function.insts[id].kind {
                    InstKind::CmpXchg { .. } => format!("{name}.x"),
                    _ => name,
                });
                for line in self.atomic_memory(id, name.as_deref()) {
                    self.line(&line);
                }
            }
            InstKind::Fence { .. } => {
                self.p.note("a fence");
                self.line("UNWRITTEN(\"a fence\");");
            }
            InstKind::Call { .. } => self.call_statement(id, source),
            _ => {
                let expr = self.computed(id);
                self.assign(source, expr);
            }
        }
    }

    /// Declares a variable that a call sets, and returns its name.
    pub(crate) fn declared(&mut self, source: Option<Source>) -> Option<String> {
        let source = source?;
        let target = self.target(source);
        let name = self.slot_name(source).0;
        if target != name {
            self.line(&format!("{target};"));
        }
        Some(name)
    }

    pub(crate) fn assign(&mut self, source: Option<Source>, expr: Expr) {
        let Some(source) = source else {
            return;
        };
        let ty = self.slot_name(source).1;
        let expr = if expr.is_literal && ty.is_int() {
            expr.cast(ty)
        } else {
            expr
        };
        let target = self.target(source);
        self.set(&target, &expr.text);
    }

    /// Prints an assignment, as `a += 1` where it can be one.
    pub(crate) fn set(&mut self, target: &str, value: &str) {
        if let Some(rest) = value.strip_prefix(target)
            && let Some((sign, operand)) =
                rest.strip_prefix(' ').and_then(|rest| rest.split_once(' '))
            && ["+", "-", "*", "|", "&", "^"].contains(&sign)
            && is_simple(operand)
        {
            return self.line(&format!("{target} {sign}= {operand};"));
        }
        self.line(&format!("{target} = {value};"));
    }

    pub(crate) fn call_statement(&mut self, id: InstId, source: Option<Source>) {
        let (module, function) = (self.p.module, self.function);
        let Ok(Some(call)) = self.p.ops.parse(module, function, id) else {
            let expr = self.computed(id);
            return match source {
                Some(_) => self.assign(source, expr),
                None => self.line(&format!("{};", expr.text)),
            };
        };
        if call.op == Op::AnnotateHandle {
            return self.heap(&call, source);
        }
        if matches!(
            call.op,
            Op::AtomicBinOp | Op::AtomicCompareExchange | Op::GetDimensions
        ) && source.is_some()
            || call.result.is_none()
            || matches!(call.op, Op::AtomicBinOp | Op::AtomicCompareExchange)
        {
            let name = self.declared(source);
            if let Some(lines) = self.write(&call, name.as_deref()) {
                for line in lines {
                    match line
                        .strip_suffix(';')
                        .and_then(|line| line.split_once(" = "))
                    {
                        Some((target, value)) => self.set(target, value),
                        None => self.line(&line),
                    }
                }
                return;
            }
        }
        if let Some(text) = self.effect(&call) {
            return self.line(&text);
        }
        let class = self.plan.classes[id.as_u32() as usize];
        let expr = self.computed(id);
        match source {
            Some(_) => self.assign(source, expr),
            None if class == Class::Write => self.line(&format!("{};", expr.text)),
            None => {}
        }
    }

    pub(crate) fn heap(&mut self, call: &DxCall<'_>, source: Option<Source>) {
        let Some(source) = source else {
            return;
        };
        let inner = call
            .operand(0)
            .and_then(|v| self.p.module.value(Some(self.function), v));
        let Some(ValueKind::Inst(inner)) = inner.map(|v| v.kind) else {
            return;
        };
        let Ok(Some(inner)) = self.p.ops.parse(self.p.module, self.function, inner) else {
            return;
        };
        let target = self.target(source);
        let mut index = self.arg(&inner, 0).text;
        if self.literal(&inner, 2) == Some(1) {
            index = format!("NonUniformResourceIndex({index})");
        }
        let heap = if self.literal(&inner, 1) == Some(1) {
            "SamplerDescriptorHeap"
        } else {
            "ResourceDescriptorHeap"
        };
        self.line(&format!("{target} = {heap}[{index}];"));
    }

    /// Returns the statement of an operation without a result.
    pub(crate) fn effect(&mut self, call: &DxCall<'_>) -> Option<String> {
        Some(match call.op {
            Op::Barrier => {
                let text = match self.literal(call, 0)? {
                    2 => "DeviceMemoryBarrier",
                    3 => "DeviceMemoryBarrierWithGroupSync",
                    8 => "GroupMemoryBarrier",
                    9 => "GroupMemoryBarrierWithGroupSync",
                    10 => "AllMemoryBarrier",
                    11 => "AllMemoryBarrierWithGroupSync",
                    mode => {
                        self.p.note("a barrier that HLSL does not have");
                        return Some(format!("Barrier({mode}u);"));
                    }
                };
                format!("{text}();")
            }
            Op::Discard => match self.arg(call, 0) {
                cond if cond.text == "true" => "discard;".to_owned(),
                cond => format!("if ({}) discard;", cond.text),
            },
            Op::StoreOutput => {
                let id = self.literal(call, 0)? as u32;
                let field = self.p.outputs.iter().find(|field| field.id == id)?.clone();
                let row = match field.rows > 1 {
                    true => format!("[{}]", self.arg(call, 1).text),
                    false => String::new(),
                };
                let column = match field.columns > 1 {
                    true => format!(".{}", COMPONENTS[self.literal(call, 2)?.min(3) as usize]),
                    false => String::new(),
                };
                let value = self.arg(call, 3).text;
                format!("output.{}{row}{column} = {value};", field.name)
            }
            _ => return None,
        })
    }
}

fn is_simple(operand: &str) -> bool {
    operand
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c))
}
