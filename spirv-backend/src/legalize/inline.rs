//! Inlines calls that SPIR-V does not permit: of functions with pointers, handles or aggregates in
//! their signature.
//!
//! DXC inlines all calls except of functions marked `[noinline]`. A callee is finished before its
//! callers, so each body is copied once per remaining call. The total size is computed before
//! anything is copied.

use trellis_dxil_frontend::dxop::DxDeclarations;
use trellis_dxil_frontend::metadata::MdNode;
use trellis_dxil_frontend::module::{
    BlockId, ConstId, Constant, Function, FunctionId, Inst, InstId, InstKind, Module, PoolRange,
    Type, TypeId, ValueId, ValueKind, append_list, copy_kind,
};
use trellis_entity::{EntityRef, PrimaryMap};

use super::inlined_locations::InlinedLocations;
use super::rewriter::{FunctionRewriter, GONE, NewInst, metadata_of};
use super::{at, is_plain, unsupported};
use crate::error::{Error, InvalidKind, Limit};
use crate::lower::{allocates_query, takes_query};

/// Most instructions, values and operands of all functions that take in others, together.
const MAX_SIZE: u64 = 1 << 20;

/// Returns true if a function has a signature that SPIR-V cannot have.
pub(super) fn has_strange_signature(module: &Module, function: &Function) -> bool {
    let Type::Function { ret, params, .. } = module.ty(function.ty) else {
        return false;
    };
    params.iter().any(|&p| !is_plain(module, p))
        || !(matches!(module.ty(*ret), Type::Void) || is_plain(module, *ret))
}

fn has_parameters(module: &Module, function: &Function) -> bool {
    matches!(module.ty(function.ty), Type::Function { params, .. } if !params.is_empty())
}

/// Returns true if a function works on a ray query that it did not make itself.
pub(super) fn works_on_foreign_query(
    module: &Module,
    ops: &DxDeclarations,
    function: &Function,
) -> bool {
    let parse = |inst: InstId| ops.parse(module, function, inst).ok().flatten();
    let calls = (function.insts.keys())
        .filter(|&inst| matches!(function.insts[inst].kind, InstKind::Call { .. }));
    has_parameters(module, function)
        && calls
            .filter_map(parse)
            .filter(|call| takes_query(call.op))
            .filter_map(|call| call.operand(0))
            .any(
                |query| match module.value(Some(function), query).map(|v| v.kind) {
                    Some(ValueKind::Inst(def)) => {
                        parse(def).is_none_or(|made| !allocates_query(made.op))
                    }
                    _ => true,
                },
            )
}

/// Returns the function with a body that an instruction calls.
fn callee(module: &Module, inst: &Inst) -> Option<FunctionId> {
    let InstKind::Call { callee, .. } = inst.kind else {
        return None;
    };
    match module.value(None, callee)?.kind {
        ValueKind::Function(f)
            if !module.function(f).is_declaration && !module.function(f).blocks.is_empty() =>
        {
            Some(f)
        }
        _ => None,
    }
}

/// Functions that the entry point's functions reach, callees before callers.
///
/// # Errors
/// Recursion.
pub(super) fn callees_first(
    module: &Module,
    roots: &[FunctionId],
) -> Result<Vec<FunctionId>, Error> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; module.functions.len()];
    let mut order = Vec::new();
    // (function, instructions to visit)
    let mut stack: Vec<(FunctionId, std::slice::Iter<'_, Inst>)> = Vec::new();
    for &root in roots {
        if states[root.index()] == State::New {
            states[root.index()] = State::Open;
            stack.push((root, module.function(root).insts.values()));
        }
        while let Some((function, insts)) = stack.last_mut() {
            let Some(inst) = insts.next() else {
                states[function.index()] = State::Done;
                order.push(*function);
                stack.pop();
                continue;
            };
            let Some(target) = callee(module, inst) else {
                continue;
            };
            match states[target.index()] {
                State::New => {
                    states[target.index()] = State::Open;
                    stack.push((target, module.function(target).insts.values()));
                }
                State::Open => {
                    return Err(Error::invalid(
                        InvalidKind::Recursion,
                        "recursion, which shaders may not have",
                        at(module.function(target)),
                    ));
                }
                State::Done => {}
            }
        }
    }
    Ok(order)
}

/// Inlines all calls that must be, in every function that `roots` reach. Returns the remaining
/// functions, callees first.
///
/// # Errors
/// Recursion, or a result that is too large.
pub(super) fn run(
    module: &mut Module,
    ops: &DxDeclarations,
    roots: &[FunctionId],
) -> Result<Vec<FunctionId>, Error> {
    let order = callees_first(module, roots)?;
    let mut inlined = vec![false; module.functions.len()];
    // Functions that work on a ray query of their caller.
    let mut foreign = inlined.clone();
    for &id in &order {
        let function = module.function(id);
        // A function may pass the query of its caller on.
        let passes = has_parameters(module, function)
            && function
                .insts
                .values()
                .any(|i| callee(module, i).is_some_and(|f| foreign[f.index()]));
        foreign[id.index()] = passes || works_on_foreign_query(module, ops, function);
        inlined[id.index()] = !roots.contains(&id)
            && (foreign[id.index()] || has_strange_signature(module, function));
    }
    check_size(module, &order, &inlined)?;
    for &id in &order {
        if module
            .function(id)
            .insts
            .values()
            .any(|i| callee(module, i).is_some_and(|f| inlined[f.index()]))
        {
            inline_into(module, id, &inlined)?;
        }
    }
    Ok(order.into_iter().filter(|f| !inlined[f.index()]).collect())
}

/// Computes the size after inlining, before anything is copied.
fn check_size(module: &Module, order: &[FunctionId], inlined: &[bool]) -> Result<(), Error> {
    let mut sizes = vec![0u64; module.functions.len()];
    let mut total = 0u64;
    for &id in order {
        let function = module.function(id);
        let constants: usize = function
            .values
            .iter()
            .map(|v| {
                if let ValueKind::Constant(c) = v.kind {
                    constant_operands(module, c).len()
                } else {
                    0
                }
            })
            .sum();
        let mut size = (function.insts.len()
            + function.values.len()
            + function.pool.len()
            + function.debug_locs.len()
            + constants) as u64;
        let mut grows = false;
        for target in function
            .insts
            .values()
            .filter_map(|i| callee(module, i))
            .filter(|f| inlined[f.index()])
        {
            size = size.saturating_add(sizes[target.index()]);
            grows = true;
        }
        sizes[id.index()] = size;
        if grows {
            total = total.saturating_add(size);
        }
        if total > MAX_SIZE {
            return Err(unsupported(function, Limit::Inlining));
        }
    }
    Ok(())
}

/// Operands of a constant that are kept in the pool of constants.
fn constant_operands(module: &Module, constant: ConstId) -> PoolRange {
    match module.constants.get(constant).map(|c| &c.value) {
        Some(
            &(Constant::Aggregate(range)
            | Constant::Gep {
                operands: range, ..
            }
            | Constant::VectorOp {
                operands: range, ..
            }),
        ) => range,
        _ => PoolRange::default(),
    }
}

/// A call that is inlined.
struct Site {
    inst: InstId,
    target: FunctionId,
    /// The block that the callee's first block becomes.
    first: BlockId,
}

fn inline_into(module: &mut Module, id: FunctionId, inlined: &[bool]) -> Result<(), Error> {
    let old = std::mem::take(&mut module.functions[id]);
    // Where each block begins and ends in the new numbering.
    let (mut begin, mut end) = (PrimaryMap::new(), PrimaryMap::<BlockId, _>::new());
    let (mut sites, mut next) = (Vec::new(), 0u32);
    for block in old.blocks.values() {
        begin.push(BlockId::from_u32(next));
        next += 1;
        for inst in block.insts {
            if let Some(target) = callee(module, &old.insts[inst]).filter(|f| inlined[f.index()]) {
                sites.push(Site {
                    inst,
                    target,
                    first: BlockId::from_u32(next),
                });
                next += module.function(target).blocks.len() as u32 + 1;
            }
        }
        end.push(BlockId::from_u32(next - 1));
    }
    let mut rewriter = FunctionRewriter::new(module, &old, next as usize);
    rewriter.out.pool.clear();
    let mut sites = sites.into_iter().peekable();
    for (id, block) in old.blocks.iter() {
        let mut to = begin[id];
        for at in block.insts {
            let inst = old.insts[at];
            if let Some(site) = sites.next_if(|s| s.inst == at) {
                to = place(&mut rewriter, &site, to);
                continue;
            }
            let block = |b: BlockId, pred| if pred { end[b] } else { begin[b] };
            let kind = copy_kind(
                &inst.kind,
                &old.pool,
                &mut rewriter.out.pool,
                0,
                |v| v,
                block,
            );
            let inst = rewriter.in_place_of(at, Inst { kind, ..inst });
            rewriter.push(inst);
        }
        rewriter.end_block(to);
    }
    let made = rewriter.finish()?;
    module.functions[id] = made;
    Ok(())
}

/// Copies the callee's body to its blocks and returns the block in which the caller continues.
fn place(rewriter: &mut FunctionRewriter<'_>, site: &Site, from: BlockId) -> BlockId {
    let target = std::mem::take(&mut rewriter.module.functions[site.target]);
    let caller = rewriter.old;
    let call = caller.insts[site.inst];
    let base = rewriter.next_value();
    let module_values = rewriter.module.values.len() as u32;
    let moved = |v: ValueId| {
        if v.as_u32() < module_values {
            v
        } else {
            ValueId::from_u32(v.as_u32() - module_values + base)
        }
    };
    values(rewriter, &target, moved);
    if let InstKind::Call { args, .. } = call.kind {
        replace_arguments(rewriter, &target, base, &caller.pool[args.range()]);
    }
    let after = after_callee(&target, site.first);
    let void = target
        .insts
        .last()
        .map_or(call.ty, |(_, terminator)| terminator.ty);
    rewriter.append(branch(site.first), void, None);
    rewriter.end_block(from);
    append_debug_info(rewriter, call, &target, moved);
    let returns = copy_body(rewriter, &target, site.first, void, moved);
    if let Some(result) = call.result.expand() {
        replace_result(rewriter, result, call.ty, &returns);
    }
    rewriter.module.functions[site.target] = target;
    after
}

/// Returns a branch to the block `to`.
fn branch(target: BlockId) -> InstKind {
    InstKind::Br { target }
}

/// Returns the block after a callee's, whose first one becomes `first`.
fn after_callee(target: &Function, first: BlockId) -> BlockId {
    BlockId::new(first.index() + target.blocks.len())
}

/// Replaces the callee's arguments, whose numbers in the caller start at `base`, by the call's.
fn replace_arguments(
    rewriter: &mut FunctionRewriter<'_>,
    target: &Function,
    base: u32,
    arguments: &[u32],
) {
    for (index, data) in target.values.iter().enumerate() {
        if let ValueKind::Argument(n) = data.kind
            && let Some(&arg) = arguments.get(n as usize)
        {
            rewriter.replace(
                ValueId::from_u32(base + index as u32),
                ValueId::from_u32(arg),
            );
        }
    }
}

/// Appends the metadata operands and locations of a callee to the caller's: values have other
/// numbers there, and locations are inlined at the call.
fn append_debug_info(
    rewriter: &mut FunctionRewriter<'_>,
    call: Inst,
    target: &Function,
    moved: impl Fn(ValueId) -> ValueId,
) {
    let (caller, out) = (rewriter.old, &mut rewriter.out);
    let module_values = rewriter.module.values.len() as u32;
    let metadata = &mut rewriter.module.metadata;
    for &operand in &target.metadata_operands {
        let operand = match metadata.nodes.get(operand) {
            Some(&MdNode::Value { ty, value }) if value.as_u32() >= module_values => {
                metadata.nodes.push(MdNode::Value {
                    ty,
                    value: moved(value),
                })
            }
            _ => operand,
        };
        out.metadata_operands.push(operand);
    }
    let location = call.debug_loc.checked_sub(1);
    let at = location.and_then(|index| caller.debug_locs.get(index as usize));
    let mut inlined = InlinedLocations::new(at.copied(), target.debug_locs.len());
    for location in &target.debug_locs {
        let location = inlined.moved(metadata, location);
        out.debug_locs.push(location);
    }
}

/// Copies the callee's blocks to the blocks from `first` on. A `ret` becomes a branch to the block
/// after them; returns the values that these return, with their blocks.
fn copy_body(
    rewriter: &mut FunctionRewriter<'_>,
    target: &Function,
    first: BlockId,
    void: TypeId,
    moved: impl Fn(ValueId) -> ValueId,
) -> Vec<(ValueId, BlockId)> {
    let out = &mut rewriter.out;
    // The callee's are the last.
    let metadata_base = (out.metadata_operands.len() - target.metadata_operands.len()) as u32;
    let debug_base = (out.debug_locs.len() - target.debug_locs.len()) as u32;
    let names = target.value_names.iter();
    out.value_names
        .extend(names.map(|(v, name)| (moved(*v), name.clone())));

    let after = after_callee(target, first);
    let renumbered = |block: BlockId| BlockId::from_u32(first.as_u32() + block.as_u32());
    let mut returns = Vec::new();
    for (id, block) in target.blocks.iter() {
        let to = renumbered(id);
        for at in block.insts {
            let inst = target.insts[at];
            if let InstKind::Ret { value } = inst.kind {
                returns.extend(value.map(|v| (moved(v), to)));
                rewriter.append(branch(after), void, None);
                continue;
            }
            let kind = copy_kind(
                &inst.kind,
                &target.pool,
                &mut rewriter.out.pool,
                metadata_base,
                &moved,
                |b, _| renumbered(b),
            );
            let debug_loc = match inst.debug_loc {
                0 => 0,
                number => number + debug_base,
            };
            let copied = NewInst {
                inst: Inst {
                    kind,
                    result: inst.result.expand().map(&moved).into(),
                    debug_loc,
                    ..inst
                },
                metadata: metadata_of(target, at),
            };
            rewriter.push(copied);
        }
        rewriter.end_block(to);
    }
    returns
}

/// Replaces the result of the call by the value that the callee returns: a phi in the next block if
/// several blocks return.
fn replace_result(
    rewriter: &mut FunctionRewriter<'_>,
    result: ValueId,
    ty: TypeId,
    returns: &[(ValueId, BlockId)],
) {
    match *returns {
        [] => {
            let undef = rewriter.undef(ty);
            rewriter.replace(result, undef);
        }
        [(only, _)] => rewriter.replace(result, only),
        _ => rewriter.phi(returns, ty, result),
    }
}

/// Gives the callee's values numbers in the caller; constants that are made of the callee's own
/// values are made again.
fn values(
    rewriter: &mut FunctionRewriter<'_>,
    target: &Function,
    moved: impl Fn(ValueId) -> ValueId,
) {
    let module_values = rewriter.module.values.len() as u32;
    for data in &target.values {
        let kind = match data.kind {
            // Replaced by the argument, or defined by the instruction that is yet to be copied.
            ValueKind::Argument(_) => ValueKind::Inst(InstId::from_u32(GONE)),
            other => other,
        };
        match data.kind {
            ValueKind::Constant(c)
                if let Some(value) = moved_constant(rewriter.module, c, module_values, &moved) =>
            {
                rewriter.constant(data.ty, value);
            }
            _ => {
                rewriter.add_value(data.ty, kind);
            }
        }
    }
}

/// Returns a constant with its operands renumbered; `None` for one without operands of the
/// function.
fn moved_constant(
    module: &mut Module,
    constant: ConstId,
    module_values: u32,
    moved: impl Fn(ValueId) -> ValueId,
) -> Option<Constant> {
    let range = constant_operands(module, constant);
    let list: Vec<u32> = module.const_operands[range.range()].to_vec();
    let mut again = || {
        let entries = list.iter().map(|&v| moved(ValueId::from_u32(v)).as_u32());
        append_list(&mut module.const_operands, entries)
    };
    let local = list.iter().any(|&v| v >= module_values);
    match module.constants[constant].value {
        Constant::Aggregate(_) if local => Some(Constant::Aggregate(again())),
        Constant::Gep {
            inbounds, source, ..
        } if local => Some(Constant::Gep {
            inbounds,
            source,
            operands: again(),
        }),
        Constant::VectorOp { op, .. } if local => Some(Constant::VectorOp {
            op,
            operands: again(),
        }),
        Constant::Binary {
            op,
            flags,
            operands,
        } => Some(Constant::Binary {
            op,
            flags,
            operands: operands.map(moved),
        }),
        Constant::Cmp {
            predicate,
            operands,
        } => Some(Constant::Cmp {
            predicate,
            operands: operands.map(moved),
        }),
        Constant::Cast { op, value } => Some(Constant::Cast {
            op,
            value: moved(value),
        }),
        Constant::Select(operands) => Some(Constant::Select(operands.map(moved))),
        _ => None,
    }
}
