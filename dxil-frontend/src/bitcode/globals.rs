//! GLOBALVAR and FUNCTION records of the MODULE block.

use crate::module::{Function, Global, Linkage, Name, Type, ValueData, ValueId, ValueKind};

use super::errors::{bad_field, operand_type, out_of_range, same_type};
use super::fields::{Fields, alignment};
use super::{Builder, Result};

/// Returns the linkage with LLVM 3.7's number, obsolete ones included.
fn linkage(code: u64) -> Linkage {
    match code {
        0 | 5 | 6 | 15 => Linkage::External,
        3 => Linkage::Internal,
        9 | 13 | 14 => Linkage::Private,
        other => Linkage::Other(other.min(u64::from(u32::MAX)) as u32),
    }
}

impl Builder {
    /// `[type, const | explicit << 1 | address space << 2, initializer + 1, linkage, alignment, section, visibility, thread-local, unnamed_addr, externally_initialized, …]`
    pub(super) fn global_variable(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let written = self.type_at(fields.take()?)?;
        let flags = fields.index("flags of the global")?;
        let (ty, address_space) = if flags & 2 != 0 {
            (written, flags >> 2)
        } else {
            self.pointee("global variable", written)?
        };
        if address_space > 0xff_ffff {
            return Err(bad_field("address space", address_space, "24 bits"));
        }
        if matches!(
            self.module.ty(ty),
            Type::Void | Type::Label | Type::Metadata | Type::WideInt(_) | Type::Function { .. }
        ) {
            return operand_type("global variable", ty, "a type that memory can hold");
        }
        let initializer = fields.index("initializer")?;
        let global = Global {
            name: Name::default(),
            ty,
            ptr_ty: self.pointer_to(ty, address_space),
            address_space,
            is_const: flags & 1 != 0,
            init: None,
            linkage: linkage(fields.take()?),
            align: alignment(fields.take()?)?,
            section: fields.index("section")?,
            thread_local: {
                let _visibility = fields.take_or(0);
                fields.take_or(0).min(u64::from(u32::MAX)) as u32
            },
            unnamed_addr: fields.take_or(0) != 0,
            externally_initialized: fields.take_or(0) != 0,
        };
        if global.section as usize > self.module.sections.len() {
            let count = self.module.sections.len() as u64;
            return Err(out_of_range("section", global.section, count));
        }
        let ty = global.ptr_ty;
        let id = self.module.globals.push(global);
        if initializer != 0 {
            self.initializers.push((id, initializer - 1));
        }
        self.module.values.push(ValueData {
            ty,
            kind: ValueKind::Global(id),
        });
        Ok(())
    }

    /// `[type, calling convention, is declaration, linkage, attributes, alignment, section, visibility, gc, unnamed_addr, …]`
    pub(super) fn function(&mut self, mut fields: Fields<'_>) -> Result<()> {
        let written = self.type_at(fields.take()?)?;
        let ty = match *self.module.ty(written) {
            Type::Pointer { pointee, .. } => pointee,
            _ => written,
        };
        if !matches!(self.module.ty(ty), Type::Function { .. }) {
            return operand_type("function", ty, "a function type");
        }
        let id = self.module.functions.next_key();
        let cc = fields.index("calling convention")?;
        let is_declaration = fields.take()? != 0;
        let linkage = linkage(fields.take()?);
        let attributes = self.attribute_list(fields.take()?)?;
        let [_alignment, _section, _visibility, _gc] = std::array::from_fn(|_| fields.take_or(0));
        let unnamed_addr = fields.take_or(0) != 0;
        let value = ValueId::from_u32(self.module.values.len() as u32);
        self.module.functions.push(Function {
            ty,
            value,
            is_declaration,
            linkage,
            cc,
            attributes,
            unnamed_addr,
            ..Function::default()
        });
        if !is_declaration {
            self.defined.push(id);
        }
        let ptr_ty = self.pointer_to(ty, 0);
        self.module.values.push(ValueData {
            ty: ptr_ty,
            kind: ValueKind::Function(id),
        });
        Ok(())
    }

    /// Returns the 1-based number of an attribute list; 0 is none.
    pub(super) fn attribute_list(&self, index: u64) -> Result<u32> {
        let count = self.module.attributes.len() as u64;
        if index > count {
            Err(out_of_range("attribute list", index, count))
        } else {
            Ok(index as u32)
        }
    }

    /// Returns the number of a call's attribute list, which has 16 bits: a shader has a few lists.
    pub(super) fn attribute_list_of_call(&self, index: u64) -> Result<u16> {
        let index = self.attribute_list(index)?;
        u16::try_from(index)
            .map_err(|_| out_of_range("attribute list of a call", index, u16::MAX.into()))
    }

    /// Initializers may name constants that come later.
    pub(super) fn resolve_initializers(&mut self) -> Result<()> {
        for (global, value) in std::mem::take(&mut self.initializers) {
            let count = self.module.values.len() as u64;
            let Some(data) = self.module.values.get(value as usize) else {
                return Err(out_of_range("initializer", value, count));
            };
            let global = &mut self.module.globals[global];
            same_type("initializer", data.ty, global.ty)?;
            global.init = Some(ValueId::from_u32(value));
        }
        Ok(())
    }
}
