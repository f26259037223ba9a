//! Phis and selects of handles. If all operands refer to one resource (a declared range, or a
//! descriptor heap), they become phis and selects of the index, from which the handle is made.
//!
//! The invocations of a wave may choose differently although each index is uniform, so the new
//! handle is marked non-uniform.

use rustc_hash::FxHashMap;
use trellis_dxil_frontend::dxop::{DxCall, DxDeclarations, Op};
use trellis_dxil_frontend::module::{
    Constant, Function, InstId, InstKind, Type, TypeId, ValueId, ValueKind,
};
use trellis_dxil_frontend::shader::{ResourceClass, Shader};

use super::rewriter::FunctionRewriter;
use super::webs::Sets;
use super::{Context, is_handle, type_id, unsupported};
use crate::error::{Error, HandleFeature};
use crate::resources::struct_words;

/// Annotations between a choice and the handle; DXC makes one.
const MAX_CHAIN: usize = 16;

/// The components of a handle except its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// `createHandle`: class and number.
    Range(u64, u64),
    /// `createHandleFromBinding`: first and last register, space, class.
    Binding([u32; 4]),
    /// `createHandleFromHeap`: the sampler heap?
    Heap(bool),
}

/// One operand of a phi or select.
#[derive(Clone, Copy)]
enum Operand {
    /// Another phi or select.
    Node(usize),
    /// A handle that is made by the instruction, from an index.
    Made { index: ValueId },
    /// `undef`.
    Nothing,
}

/// Common facts about the handles that one web of phis and selects chooses from.
#[derive(Clone, Copy, Default)]
struct Web {
    source: Option<Source>,
    /// The call that makes the first of them.
    call: Option<InstId>,
    /// Its annotation: the instruction and the properties.
    annotation: Option<(InstId, [u32; 2])>,
    /// The index, if all have the same.
    same: Option<ValueId>,
    /// Two differ.
    differ: bool,
}

struct Node {
    inst: InstId,
    operands: Vec<Operand>,
    /// The chosen index.
    index: ValueId,
}

struct Handles<'a> {
    w: FunctionRewriter<'a>,
    ops: &'a DxDeclarations,
    shader: &'a Shader,
    bool_ty: TypeId,
    nodes: Vec<Node>,
    /// Node of each phi or select.
    by_inst: FxHashMap<InstId, usize>,
}

/// Rewrites one function.
///
/// # Errors
/// A choice between handles of different resources, or of handles that are made in ways unknown.
pub(super) fn run(
    &Context { ops, shader, .. }: &Context<'_>,
    w: FunctionRewriter<'_>,
) -> Result<Function, Error> {
    let bool_ty = type_id(w.module, &Type::Int(1));
    let mut this = Handles {
        w,
        ops,
        shader,
        bool_ty,
        nodes: Vec::new(),
        by_inst: FxHashMap::default(),
    };
    this.rewrite()?;
    this.w.finish()
}

impl Handles<'_> {
    fn rewrite(&mut self) -> Result<(), Error> {
        for (id, inst) in self.w.old.insts.iter() {
            if matches!(inst.kind, InstKind::Phi { .. } | InstKind::Select { .. })
                && is_handle(self.w.module, inst.ty)
            {
                self.by_inst.insert(id, self.nodes.len());
                let index = self.w.result(self.w.int);
                self.nodes.push(Node {
                    inst: id,
                    operands: Vec::new(),
                    index,
                });
            }
        }
        let mut sets = Sets::new(self.nodes.len());
        let mut webs = vec![Web::default(); self.nodes.len()];
        // Facts of the operands, by the node that has them; joined below.
        for (node, facts) in webs.iter_mut().enumerate() {
            let inst = self.w.old.insts[self.nodes[node].inst];
            for value in self.w.choices(inst.kind) {
                let operand = self.operand(value, facts)?;
                if let Operand::Node(other) = operand {
                    sets.unite(node, other);
                }
                self.nodes[node].operands.push(operand);
            }
        }
        for node in 0..self.nodes.len() {
            let web = sets.find(node);
            if web != node {
                webs[web] = self.join(webs[web], webs[node])?;
            }
        }
        let webs: Vec<Web> = (0..self.nodes.len())
            .map(|node| webs[sets.find(node)])
            .collect();
        self.write(&webs)
    }

    fn parse(&self, inst: InstId) -> Result<Option<DxCall<'_>>, Error> {
        Ok(self.ops.parse(self.w.module, self.w.old, inst)?)
    }

    /// Follows an operand to the call that makes it, and records that call's class and range.
    fn operand(&self, value: ValueId, web: &mut Web) -> Result<Operand, Error> {
        let mut current = value;
        let mut annotation = None;
        for _ in 0..MAX_CHAIN {
            let inst = match self.w.kind_of(current) {
                Some(ValueKind::Inst(inst)) => inst,
                Some(ValueKind::Constant(_)) => return Ok(Operand::Nothing),
                _ => break,
            };
            if let Some(&node) = self.by_inst.get(&inst) {
                *web = self.join(
                    *web,
                    Web {
                        annotation,
                        ..Web::default()
                    },
                )?;
                return Ok(Operand::Node(node));
            }
            let Some(call) = self.parse(inst)? else { break };
            if call.op == Op::AnnotateHandle {
                let words = call
                    .operand(1)
                    .and_then(|v| struct_words::<2>(self.w.module, self.w.old, v));
                annotation = annotation.or(words.map(|w| (inst, w)));
                let Some(below) = call.operand(0) else { break };
                current = below;
                continue;
            }
            let Some((source, index)) = self.source(&call) else {
                break;
            };
            *web = self.join(
                *web,
                Web {
                    source: Some(source),
                    call: Some(inst),
                    annotation,
                    same: Some(index),
                    differ: false,
                },
            )?;
            return Ok(Operand::Made { index });
        }
        Err(unsupported(
            self.w.old,
            HandleFeature::SelectedOrigin { value: current },
        ))
    }

    fn source(&self, call: &DxCall<'_>) -> Option<(Source, ValueId)> {
        let number = |i: usize| self.w.const_int(call.operand(i)?);
        match call.op {
            Op::CreateHandle => Some((Source::Range(number(0)?, number(1)?), call.operand(2)?)),
            Op::CreateHandleFromBinding => Some((
                Source::Binding(struct_words::<4>(
                    self.w.module,
                    self.w.old,
                    call.operand(0)?,
                )?),
                call.operand(1)?,
            )),
            Op::CreateHandleFromHeap => Some((Source::Heap(number(1)? != 0), call.operand(0)?)),
            _ => None,
        }
    }

    fn join(&self, a: Web, b: Web) -> Result<Web, Error> {
        if let (Some(x), Some(y)) = (a.source, b.source)
            && x != y
        {
            return Err(unsupported(
                self.w.old,
                HandleFeature::SelectedResource {
                    first: self.name(x),
                    second: self.name(y),
                },
            ));
        }
        if let (Some((_, x)), Some((_, y))) = (a.annotation, b.annotation)
            && x != y
        {
            return Err(unsupported(self.w.old, HandleFeature::SelectedType));
        }
        let number = |v: ValueId| self.w.const_int(v);
        let differ = match (a.same, b.same) {
            (Some(x), Some(y)) => x != y && (number(x).is_none() || number(x) != number(y)),
            _ => false,
        };
        Ok(Web {
            source: a.source.or(b.source),
            call: a.call.or(b.call),
            annotation: a.annotation.or(b.annotation),
            same: a.same.or(b.same),
            differ: differ || a.differ || b.differ,
        })
    }

    /// Returns a description of a resource for errors.
    fn name(&self, source: Source) -> String {
        let (class, found) = match source {
            Source::Heap(false) => return "the resource heap".to_owned(),
            Source::Heap(true) => return "the sampler heap".to_owned(),
            Source::Range(class, id) => (
                class as u32,
                self.shader
                    .resources
                    .iter()
                    .find(|r| (r.class as u64, u64::from(r.id)) == (class, id)),
            ),
            Source::Binding([first, _, space, class]) => {
                let covers =
                    |r: u32, size: u32| first.checked_sub(r).is_some_and(|offset| offset < size);
                (
                    class,
                    self.shader.resources.iter().find(|r| {
                        r.class as u32 == class
                            && r.space == space
                            && covers(r.lower_bound, r.range_size)
                    }),
                )
            }
        };
        let letter = match ResourceClass::from_code(class) {
            Some(ResourceClass::Srv) => "t",
            Some(ResourceClass::Uav) => "u",
            Some(ResourceClass::CBuffer) => "b",
            Some(ResourceClass::Sampler) => "s",
            None => "?",
        };
        match found {
            Some(r) => format!("`{}` ({letter}{}, space{})", r.name, r.lower_bound, r.space),
            None => format!("{source:?}"),
        }
    }

    fn write(&mut self, webs: &[Web]) -> Result<(), Error> {
        for (block, data) in self.w.old.blocks.iter() {
            for at in data.insts {
                match self.by_inst.get(&at) {
                    Some(&node) => self.choice(node, webs[node])?,
                    None => self.w.keep(at),
                }
            }
            self.w.end_block(block);
        }
        Ok(())
    }

    /// Replaces a phi or select of handles by one of indices, from which it makes the handle.
    fn choice(&mut self, node: usize, web: Web) -> Result<(), Error> {
        let inst = self.w.old.insts[self.nodes[node].inst];
        let Some(result) = inst.result.expand() else {
            return Ok(());
        };
        let Some(made) = web.call else {
            // Only undefined handles: a use would be an error.
            let undef = self.w.undef(inst.ty);
            self.w.replace(result, undef);
            return Ok(());
        };
        let undef = self.w.undef(self.w.int);
        let operands: Vec<ValueId> = self.nodes[node]
            .operands
            .iter()
            .map(|operand| match *operand {
                Operand::Node(other) => self.nodes[other].index,
                Operand::Made { index } => index,
                Operand::Nothing => undef,
            })
            .collect();
        let index = self.nodes[node].index;
        let kind = self.w.choice_of(inst.kind, &operands)?;
        self.w.append(kind, self.w.int, Some(index));
        // A constant index that all share needs no array of descriptors.
        let shared = web
            .same
            .filter(|&v| !web.differ && self.w.const_int(v).is_some());
        let mut handle = self.made(made, shared.unwrap_or(index), web.differ)?;
        if let Some((annotation, _)) = web.annotation {
            handle = self.with_args(annotation, &[(1, handle)]);
        }
        self.w.replace(result, handle);
        Ok(())
    }

    /// Appends the call that makes a handle again, with another index.
    fn made(&mut self, call: InstId, index: ValueId, non_uniform: bool) -> Result<ValueId, Error> {
        // Positions count the opcode.
        let (index_at, flag_at) = match self.parse(call)?.map(|c| c.op) {
            Some(Op::CreateHandle) => (3, 4),
            Some(Op::CreateHandleFromBinding) => (2, 3),
            _ => (1, 3),
        };
        let mut changes = vec![(index_at, index)];
        if non_uniform {
            changes.push((flag_at, self.w.constant(self.bool_ty, Constant::Int(1))));
        }
        Ok(self.with_args(call, &changes))
    }

    fn with_args(&mut self, call: InstId, changes: &[(usize, ValueId)]) -> ValueId {
        let mut inst = self.w.old.insts[call];
        if let InstKind::Call { args, .. } = &mut inst.kind {
            let mut list: Vec<u32> = self.w.old.pool[args.range()].to_vec();
            for &(at, value) in changes {
                if let Some(slot) = list.get_mut(at) {
                    *slot = value.as_u32();
                }
            }
            *args = self.w.list(list);
        }
        self.w.value(inst.kind, inst.ty)
    }
}
