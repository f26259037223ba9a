//! Reads tuples of metadata with errors that name node and field.
//!
//! The positions of operands and the tags of tag-value lists are as in DirectXShaderCompiler
//! (`DxilMetadataHelper.h`).

use super::{ShaderError, ShaderErrorKind};
use crate::metadata::{MdId, MdNode};
use crate::module::{Constant, FunctionId, GlobalId, Module, Type, TypeId, ValueId, ValueKind};

type Result<T> = std::result::Result<T, ShaderError>;

/// Operands of one tuple: 0 is null, else entry + 1.
#[derive(Clone, Copy)]
pub(super) struct Tuple<'m> {
    module: &'m Module,
    /// Description of the tuple, for errors.
    what: &'static str,
    /// Its entry; `None` for the operands of a named node.
    id: Option<MdId>,
    operands: &'m [u32],
}

impl<'m> Tuple<'m> {
    /// Opens an entry as a tuple.
    pub(super) fn open(module: &'m Module, id: MdId, what: &'static str) -> Result<Self> {
        let operands = match module.metadata.nodes.get(id) {
            Some(MdNode::Node { operands, .. }) => module.metadata.operands.get(operands.range()),
            _ => None,
        };
        let expected = "a tuple";
        let kind = ShaderErrorKind::Kind { expected };
        Ok(Self {
            module,
            what,
            id: Some(id),
            operands: operands.ok_or_else(|| error(what, Some(id), None, kind))?,
        })
    }
    pub(super) fn len(&self) -> usize {
        self.operands.len()
    }
    pub(super) fn module(&self) -> &'m Module {
        self.module
    }
    /// Requires at least `count` operands.
    pub(super) fn at_least(self, count: usize, expected: &'static str) -> Result<Self> {
        if self.operands.len() >= count {
            return Ok(self);
        }
        let found = self.operands.len();
        let kind = ShaderErrorKind::Count { found, expected };
        Err(error(self.what, self.id, None, kind))
    }
    /// Returns operand `index`; `None` when null or past the end.
    pub(super) fn get(&self, index: usize) -> Option<MdId> {
        self.operands
            .get(index)
            .and_then(|o| o.checked_sub(1))
            .map(MdId::from_u32)
    }
    #[cold]
    pub(super) fn fail(&self, field: &'static str, kind: ShaderErrorKind) -> ShaderError {
        error(self.what, self.id, Some(field), kind)
    }
    /// Returns an error about a field that is missing.
    #[cold]
    pub(super) fn missing(&self, field: &'static str) -> ShaderError {
        self.fail(field, ShaderErrorKind::Missing)
    }
    /// Returns an error about a field of another kind.
    #[cold]
    pub(super) fn not(&self, field: &'static str, expected: &'static str) -> ShaderError {
        self.fail(field, ShaderErrorKind::Kind { expected })
    }
    /// Returns an error about a number that a field cannot have.
    #[cold]
    pub(super) fn bad_value(
        &self,
        field: &'static str,
        found: u64,
        expected: &'static str,
    ) -> ShaderError {
        self.fail(field, ShaderErrorKind::Value { found, expected })
    }
    fn required(&self, index: usize, field: &'static str) -> Result<MdId> {
        self.get(index).ok_or_else(|| self.missing(field))
    }
    /// Returns operand `index` as a tuple.
    pub(super) fn required_tuple(&self, index: usize, what: &'static str) -> Result<Tuple<'m>> {
        Tuple::open(self.module, self.required(index, what)?, what)
    }
    /// Returns operand `index` as a tuple; `None` when null or past the end.
    pub(super) fn tuple(&self, index: usize, what: &'static str) -> Result<Option<Tuple<'m>>> {
        self.get(index)
            .map(|id| Tuple::open(self.module, id, what))
            .transpose()
    }
    /// Returns operand `index` as an integer constant, zero-extended.
    #[inline]
    pub(super) fn int(&self, index: usize, field: &'static str) -> Result<u64> {
        let id = self.required(index, field)?;
        self.module
            .metadata
            .value(id)
            .and_then(|(_, v)| self.module.const_int(None, v))
            .ok_or_else(|| self.not(field, "an integer constant"))
    }
    pub(super) fn u32(&self, index: usize, field: &'static str) -> Result<u32> {
        Ok(self.int(index, field)? as u32)
    }
    pub(super) fn bool(&self, index: usize, field: &'static str) -> Result<bool> {
        Ok(self.int(index, field)? != 0)
    }
    /// Returns operand `index` as a number of an enumeration.
    pub(super) fn code<T>(
        &self,
        index: usize,
        field: &'static str,
        from: impl Fn(u32) -> Option<T>,
        expected: &'static str,
    ) -> Result<T> {
        let found = self.int(index, field)?;
        u32::try_from(found)
            .ok()
            .and_then(from)
            .ok_or_else(|| self.bad_value(field, found, expected))
    }
    /// Bits of operand `index` as an integer or float constant.
    pub(super) fn bits(&self, index: usize, field: &'static str) -> Result<u64> {
        let id = self.required(index, field)?;
        let constant = self
            .module
            .metadata
            .value(id)
            .and_then(|(_, v)| self.module.constant(None, v));
        match constant.map(|c| &c.value) {
            Some(Constant::Int(v) | Constant::Float(v)) => Ok(*v),
            Some(Constant::Null) => Ok(0),
            _ => Err(self.not(field, "a number")),
        }
    }
    /// Returns operand `index` as text; null is empty.
    pub(super) fn text(&self, index: usize, field: &'static str) -> Result<&'m str> {
        let Some(id) = self.get(index) else {
            return Ok("");
        };
        let text = self.module.metadata.string(id);
        text.ok_or_else(|| self.not(field, "a UTF-8 string"))
    }
    /// Returns operand `index` as a value.
    pub(super) fn value(
        &self,
        index: usize,
        field: &'static str,
    ) -> Result<Option<(TypeId, ValueId)>> {
        let value = self.get(index).map(|id| {
            let value = self.module.metadata.value(id);
            value.ok_or_else(|| self.not(field, "a value"))
        });
        value.transpose()
    }
    /// Returns operand `index` as a function; `None` when null.
    pub(super) fn function(&self, index: usize, field: &'static str) -> Result<Option<FunctionId>> {
        let Some((_, value)) = self.value(index, field)? else {
            return Ok(None);
        };
        match self.module.value(None, value).map(|v| v.kind) {
            Some(ValueKind::Function(f)) => Ok(Some(f)),
            _ => match self.module.constant(None, value).map(|c| &c.value) {
                Some(Constant::Null) => Ok(None),
                _ => Err(self.not(field, "a function or null")),
            },
        }
    }
    /// Returns operand `index` as a pointer constant: its pointee type, and the global variable
    /// that it is, found through casts.
    pub(super) fn pointer(
        &self,
        index: usize,
        field: &'static str,
    ) -> Result<(Option<TypeId>, Option<GlobalId>)> {
        let Some((ty, value)) = self.value(index, field)? else {
            return Ok((None, None));
        };
        let pointee = match self.module.types.get(ty) {
            Some(Type::Pointer { pointee, .. }) => Some(*pointee),
            _ => None,
        };
        let mut value = value;
        // A cast of a cast does not come from a compiler, but a few are as easy as one.
        for _ in 0..4 {
            if let Some(ValueKind::Global(g)) = self.module.value(None, value).map(|v| v.kind) {
                return Ok((pointee, Some(g)));
            }
            match self.module.constant(None, value).map(|c| &c.value) {
                Some(Constant::Cast { value: inner, .. }) => value = *inner,
                _ => break,
            }
        }
        Ok((pointee, None))
    }
    /// Pairs (tag, operand index of its value) of a tag-value list.
    pub(super) fn tags(self) -> impl Iterator<Item = Result<(u32, usize)>> + 'm {
        (0..self.len() / 2).map(move |i| Ok((self.u32(2 * i, "tag")?, 2 * i + 1)))
    }
    /// Returns operand `index` as a tuple of exactly N integers.
    pub(super) fn ints<const N: usize>(
        &self,
        index: usize,
        what: &'static str,
        expected: &'static str,
    ) -> Result<[u32; N]> {
        let tuple = self.required_tuple(index, what)?.at_least(N, expected)?;
        let mut out = [0; N];
        for (i, o) in out.iter_mut().enumerate() {
            *o = tuple.u32(i, "number")?;
        }
        Ok(out)
    }
}

/// Returns the entries of a named node.
pub(super) fn named<'m>(module: &'m Module, name: &str) -> &'m [MdId] {
    module.metadata.named(name).unwrap_or(&[])
}

/// Returns the first entry of a named node as a tuple.
pub(super) fn named_tuple<'m>(module: &'m Module, name: &'static str) -> Result<Option<Tuple<'m>>> {
    named(module, name)
        .first()
        .map(|&id| Tuple::open(module, id, name))
        .transpose()
}

#[cold]
pub(super) fn error(
    what: &str,
    id: Option<MdId>,
    field: Option<&str>,
    kind: ShaderErrorKind,
) -> ShaderError {
    let mut place = what.to_owned();
    if let Some(id) = id {
        place.push_str(&format!(" (entry {})", id.as_u32()));
    }
    if let Some(field) = field {
        place.push_str(&format!(", {field}"));
    }
    ShaderError {
        place: place.into(),
        kind,
    }
}
