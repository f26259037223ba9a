//! Copies of instructions and constants, with other operands, into another pool.

use super::{BlockId, Constant, InstKind, METADATA_ARG, PoolRange, TypeId, ValueId};

/// Copies an instruction whose operands are in the pool `from`; its operands are mapped by
/// `value` and `block` and appended to `pool`. The second argument of `block` is `true` for the
/// predecessor of a phi.
pub fn copy_kind(
    kind: &InstKind,
    from: &[u32],
    pool: &mut Vec<u32>,
    metadata_base: u32,
    mut value: impl FnMut(ValueId) -> ValueId,
    mut block: impl FnMut(BlockId, bool) -> BlockId,
) -> InstKind {
    let old = |range: PoolRange| &from[range.range()];
    let mut made = *kind;
    match &mut made {
        InstKind::Binary { lhs, rhs, .. } | InstKind::Cmp { lhs, rhs, .. } => {
            (*lhs, *rhs) = (value(*lhs), value(*rhs));
        }
        InstKind::Cast { value: v, .. } => *v = value(*v),
        InstKind::Select { cond, then, else_ } => {
            (*cond, *then, *else_) = (value(*cond), value(*then), value(*else_));
        }
        InstKind::Br { target } => *target = block(*target, false),
        InstKind::CondBr { cond, then, else_ } => {
            (*cond, *then, *else_) = (value(*cond), block(*then, false), block(*else_, false));
        }
        InstKind::Switch {
            value: v,
            default,
            cases,
        } => {
            let mut target = |to: u32| block(BlockId::from_u32(to), false).as_u32();
            let copied = old(*cases).chunks_exact(3);
            let copied = copied.flat_map(|case| [case[0], case[1], target(case[2])]);
            *cases = append_list(pool, copied);
            (*v, *default) = (value(*v), block(*default, false));
        }
        InstKind::Phi { incoming } => {
            let mut pred = |from: u32| block(BlockId::from_u32(from), true).as_u32();
            let mut number = |v: u32| value(ValueId::from_u32(v)).as_u32();
            let copied = old(*incoming).chunks_exact(2);
            let copied = copied.flat_map(|pair| [number(pair[0]), pred(pair[1])]);
            *incoming = append_list(pool, copied);
        }
        InstKind::Call { args, .. } => {
            let arg = |&arg: &u32| match arg & METADATA_ARG {
                0 => value(ValueId::from_u32(arg)).as_u32(),
                _ => arg + metadata_base,
            };
            *args = append_list(pool, old(*args).iter().map(arg));
        }
        InstKind::Gep { operands, .. } => {
            let number = |&v: &u32| value(ValueId::from_u32(v)).as_u32();
            *operands = append_list(pool, old(*operands).iter().map(number));
        }
        InstKind::Load { ptr, .. } => *ptr = value(*ptr),
        InstKind::Store { ptr, value: v, .. } | InstKind::AtomicRmw { ptr, value: v, .. } => {
            (*ptr, *v) = (value(*ptr), value(*v));
        }
        InstKind::Alloca { count, .. } => *count = value(*count),
        InstKind::ExtractValue { aggregate, indices } => {
            *indices = append_list(pool, old(*indices).iter().copied());
            *aggregate = value(*aggregate);
        }
        InstKind::InsertValue {
            aggregate,
            value: v,
            indices,
        } => {
            *indices = append_list(pool, old(*indices).iter().copied());
            (*aggregate, *v) = (value(*aggregate), value(*v));
        }
        InstKind::ExtractElement { vector, index } => {
            (*vector, *index) = (value(*vector), value(*index));
        }
        InstKind::InsertElement {
            vector,
            value: v,
            index,
        } => (*vector, *v, *index) = (value(*vector), value(*v), value(*index)),
        InstKind::ShuffleVector { a, b, mask } => {
            (*a, *b, *mask) = (value(*a), value(*b), value(*mask));
        }
        InstKind::CmpXchg {
            ptr, compare, new, ..
        } => (*ptr, *compare, *new) = (value(*ptr), value(*compare), value(*new)),
        InstKind::Ret { value: Some(v) } => *v = value(*v),
        InstKind::Ret { value: None } | InstKind::Fence { .. } | InstKind::Unreachable => {}
    }
    made
}

/// Copies a constant whose pool is appended at `base` of another one; operands in it are not mapped.
pub(crate) fn copy_constant(
    constant: &Constant,
    base: usize,
    v: impl Fn(ValueId) -> ValueId,
    ty: impl Fn(TypeId) -> TypeId,
) -> Constant {
    let mut made = constant.clone();
    match &mut made {
        Constant::Aggregate(range)
        | Constant::VectorOp {
            operands: range, ..
        } => {
            *range = moved(*range, base);
        }
        Constant::Gep {
            source, operands, ..
        } => {
            (*source, *operands) = (ty(*source), moved(*operands, base));
        }
        Constant::Binary { operands, .. } | Constant::Cmp { operands, .. } => {
            *operands = operands.map(v);
        }
        Constant::Select(operands) => *operands = operands.map(v),
        Constant::Cast { value, .. } => *value = v(*value),
        _ => {}
    }
    made
}

/// Returns a range of a pool that is appended at `base`.
pub(crate) fn moved(range: PoolRange, base: usize) -> PoolRange {
    PoolRange::new(base + range.start as usize, base + range.end as usize)
}

/// Appends entries to a pool and returns their range.
pub fn append_list(pool: &mut Vec<u32>, entries: impl IntoIterator<Item = u32>) -> PoolRange {
    let start = pool.len() as u32;
    pool.extend(entries);
    PoolRange {
        start,
        end: pool.len() as u32,
    }
}
