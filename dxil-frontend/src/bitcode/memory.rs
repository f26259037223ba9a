//! Instructions on memory: alloca, load, store, getelementptr, atomics and fences.

use crate::module::{InstKind, Ordering, RmwOp, Type, TypeId, ValueId};

use super::Result;
use super::errors::{bad_field, operand_type, same_type, unsupported};
use super::fields::{Fields, alignment};
use super::function::Body;

fn ordering(fields: &mut Fields<'_>) -> Result<Ordering> {
    Ok(match fields.in_range("atomic ordering", 0..=6, "0 to 6")? {
        0 => Ordering::NotAtomic,
        1 => Ordering::Unordered,
        2 => Ordering::Monotonic,
        3 => Ordering::Acquire,
        4 => Ordering::Release,
        5 => Ordering::AcqRel,
        _ => Ordering::SeqCst,
    })
}

/// Returns the ordering of an instruction that is atomic by nature.
fn atomic_ordering(fields: &mut Fields<'_>, at_least: Ordering) -> Result<Ordering> {
    let found = ordering(fields)?;
    if (found as u8) < at_least as u8 {
        return Err(bad_field(
            "atomic ordering",
            found as u64,
            "a stronger one for this instruction",
        ));
    }
    Ok(found)
}

/// Reads a synchronization scope: 0 single thread, 1 all threads.
fn single_thread(fields: &mut Fields<'_>) -> Result<bool> {
    Ok(fields.in_range("synchronization scope", 0..=1, "0 or 1")? == 0)
}

/// Returns the ordering and scope of an atomic load or store.
fn access_ordering(fields: &mut Fields<'_>) -> Result<Ordering> {
    let ordering = atomic_ordering(fields, Ordering::Unordered)?;
    // The module does not store the scope: DXIL never has these with single-thread scope.
    if single_thread(fields)? {
        Err(unsupported(
            "single-thread scope of an atomic load or store",
        ))
    } else {
        Ok(ordering)
    }
}

impl Body<'_> {
    /// Reads an `alloca`: `[allocated type, count's type, count, flags]`; flags: alignment in bits
    /// 0 to 4, in-alloca 5, explicit type 6.
    #[inline(never)]
    pub(super) fn alloca(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let written = self.builder.type_at(fields.take()?)?;
        let count_ty = self.builder.type_at(fields.take()?)?;
        let number = fields.index("number of elements")?;
        let flags = fields.take()?;
        fields.done("4 fields")?;
        if flags & 0x20 != 0 {
            return Err(unsupported("inalloca"));
        }
        if flags >> 7 != 0 {
            return Err(bad_field("flags of alloca", flags, "7 bits"));
        }
        let ty = if flags & 0x40 != 0 {
            written
        } else {
            self.builder.pointee("alloca", written)?.0
        };
        if !self.builder.is_first_class(ty) {
            return operand_type("alloca", ty, "a type that memory can hold");
        }
        if !self.builder.is_int(count_ty) {
            return operand_type("number of elements", count_ty, "an integer");
        }
        let count = self.number_of("number of elements", count_ty, number)?;
        let align = alignment(flags & 0x1f)?;
        let result = self.builder.pointer_to(ty, 0);
        self.push(InstKind::Alloca { ty, count, align }, result)
    }

    fn pointer(&mut self, fields: &mut Fields<'_>) -> Result<(ValueId, TypeId)> {
        let (ptr, ptr_ty) = self.value(fields)?;
        let (pointee, _) = self.builder.pointee("address", ptr_ty)?;
        Ok((ptr, pointee))
    }

    fn check_loadable(&self, ty: TypeId) -> Result<()> {
        if self.builder.is_first_class(ty) {
            Ok(())
        } else {
            operand_type("value in memory", ty, "a first-class type")
        }
    }

    /// `[address, type?, alignment, volatile]`, LOADATOMIC (41) with ordering and scope.
    #[inline(never)]
    pub(super) fn load(&mut self, code: u32, mut fields: Fields<'_>) -> Result<()> {
        let (ptr, ty) = self.pointer(&mut fields)?;
        let after_type = if code == 41 { 4 } else { 2 };
        if fields.left() == after_type + 1 {
            let written = self.builder.type_at(fields.take()?)?;
            same_type("loaded value", written, ty)?;
        }
        self.check_loadable(ty)?;
        let align = alignment(fields.take()?)?;
        let volatile = fields.flag("volatile")?;
        let ordering = if code == 41 {
            access_ordering(&mut fields)?
        } else {
            Ordering::NotAtomic
        };
        fields.done("an address, a type, an alignment, a volatile flag")?;
        self.push(
            InstKind::Load {
                ptr,
                align,
                volatile,
                ordering,
            },
            ty,
        )
    }

    /// `[address, value, alignment, volatile]`, STOREATOMIC (45) with ordering and scope; the
    /// value's type is not written in the old forms (24, 42).
    #[inline(never)]
    pub(super) fn store(&mut self, code: u32, mut fields: Fields<'_>) -> Result<()> {
        let (ptr, ty) = self.pointer(&mut fields)?;
        self.check_loadable(ty)?;
        let value = if matches!(code, 24 | 42) {
            self.value_of("stored value", ty, &mut fields)?
        } else {
            let (value, value_ty) = self.value(&mut fields)?;
            same_type("stored value", value_ty, ty)?;
            value
        };
        let align = alignment(fields.take()?)?;
        let volatile = fields.flag("volatile")?;
        let ordering = if matches!(code, 42 | 45) {
            access_ordering(&mut fields)?
        } else {
            Ordering::NotAtomic
        };
        fields.done("an address, a value, an alignment, a volatile flag")?;
        self.push(
            InstKind::Store {
                ptr,
                value,
                align,
                volatile,
                ordering,
            },
            self.void,
        )
    }

    /// Reads a `getelementptr` (43): `[inbounds, source type, base, index…]`; the old forms (4, 30)
    /// start at the base.
    #[inline(never)]
    pub(super) fn gep(&mut self, code: u32, mut fields: Fields<'_>) -> Result<()> {
        let (inbounds, written) = if code == 43 {
            let inbounds = fields.flag("inbounds")?;
            (inbounds, Some(self.builder.type_at(fields.take()?)?))
        } else {
            (code == 30, None)
        };
        let (base, base_ty) = self.value(&mut fields)?;
        let (pointee, address_space) = self.builder.pointee("base of getelementptr", base_ty)?;
        let source = written.unwrap_or(pointee);
        same_type("source of getelementptr", source, pointee)?;
        let start = self.f.pool.len();
        self.f.pool.push(base.as_u32());
        let mut at = source;
        let mut is_first = true;
        while fields.left() > 0 {
            let (index, index_ty) = self.value(&mut fields)?;
            if !self.builder.is_int(index_ty) {
                return operand_type("index of getelementptr", index_ty, "an integer");
            }
            // The first index steps over the source type itself.
            if !is_first {
                at = self
                    .builder
                    .gep_step(at, self.defined(index.as_u32()).copied())?;
            }
            is_first = false;
            self.f.pool.push(index.as_u32());
        }
        let operands = self.pool_range(start);
        let ty = self.builder.pointer_to(at, address_space);
        self.push(
            InstKind::Gep {
                inbounds,
                source,
                operands,
            },
            ty,
        )
    }

    /// `[address, value, operation, volatile, ordering, scope]`
    #[inline(never)]
    pub(super) fn atomic_rmw(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let (ptr, ty) = self.pointer(&mut fields)?;
        let value = self.value_of("operand of atomicrmw", ty, &mut fields)?;
        let code = fields.in_range("operation of atomicrmw", 0..=10, "0 to 10")?;
        let op = RmwOp::ALL
            .get(code as usize)
            .copied()
            .unwrap_or(RmwOp::Xchg);
        if !self.builder.is_int(ty) {
            return operand_type("operand of atomicrmw", ty, "an integer");
        }
        let volatile = fields.flag("volatile")?;
        let ordering = atomic_ordering(&mut fields, Ordering::Monotonic)?;
        let single_thread = single_thread(&mut fields)?;
        fields.done("an address, a value, an operation, 3 fields")?;
        self.push(
            InstKind::AtomicRmw {
                op,
                ptr,
                value,
                volatile,
                ordering,
                single_thread,
            },
            ty,
        )
    }

    /// `[address, compare, new, volatile, success ordering, scope, failure ordering, weak]`; the
    /// type of `compare` is not written in the old form (37). The form of LLVM 3.4, which Mesa writes,
    /// ends after the scope or the failure ordering, and its result is the value in memory alone.
    #[inline(never)]
    pub(super) fn cmpxchg(&mut self, code: u32, mut fields: Fields<'_>) -> Result<()> {
        let (ptr, ty) = self.pointer(&mut fields)?;
        let compare = if code == 37 {
            self.value_of("compared value", ty, &mut fields)?
        } else {
            let (compare, compare_ty) = self.value(&mut fields)?;
            same_type("compared value", compare_ty, ty)?;
            compare
        };
        let new = self.value_of("new value", ty, &mut fields)?;
        if !matches!(
            self.builder.module.ty(ty),
            Type::Int(_) | Type::Pointer { .. }
        ) {
            return operand_type("operand of cmpxchg", ty, "an integer or a pointer");
        }
        let volatile = fields.flag("volatile")?;
        let success = atomic_ordering(&mut fields, Ordering::Monotonic)?;
        let single_thread = single_thread(&mut fields)?;
        // LLVM 3.4's form, which Mesa writes and DXC's validator accepts, has no failure ordering
        // and no `weak`; its result is the value in memory alone.
        let failure = match (fields.left(), success) {
            (1.., _) => atomic_ordering(&mut fields, Ordering::Monotonic)?,
            (0, Ordering::Release) => Ordering::Monotonic,
            (0, Ordering::AcqRel) => Ordering::Acquire,
            (0, same) => same,
        };
        let (mut weak, mut result) = (false, ty);
        if fields.left() > 0 {
            weak = fields.flag("weak")?;
            let flag = self.builder.bool_type();
            result = self.builder.find_or_add(Type::Struct {
                name: None,
                fields: [ty, flag].into_iter().collect(),
                packed: false,
                opaque: false,
            });
        }
        fields.done("an address, 2 values, 3 to 5 fields")?;
        self.push(
            InstKind::CmpXchg {
                ptr,
                compare,
                new,
                volatile,
                success,
                failure,
                single_thread,
                weak,
            },
            result,
        )
    }

    /// Reads a `fence`: `[ordering, scope]`.
    #[inline(never)]
    pub(super) fn fence(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let ordering = atomic_ordering(&mut fields, Ordering::Acquire)?;
        let single_thread = single_thread(&mut fields)?;
        fields.done("an ordering and a scope")?;
        self.push(
            InstKind::Fence {
                ordering,
                single_thread,
            },
            self.void,
        )
    }
}
