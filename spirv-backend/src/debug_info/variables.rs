//! Local variables, and the expressions for the part of a variable that a value is.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Word};
use smallvec::{SmallVec, smallvec};
use trellis_dxil_frontend::debug_info::{DebugNode, LocalVariable};
use trellis_dxil_frontend::metadata::MdId;

use super::DebugInfo;
use super::scopes::converted_flags;
use super::types::Shape;
use crate::module::{Builder, OptionalId};

/// The operations of the set that locate bits.
const FRAGMENT: u32 = 9;

/// Operands of `DebugValue` or `DebugDeclare` for a variable or a part of one.
pub(crate) struct VariablePart {
    /// `DebugLocalVariable`.
    pub(crate) variable: Word,
    /// `DebugExpression`.
    pub(crate) expression: Word,
    /// Constants.
    pub(crate) indices: SmallVec<[Word; 4]>,
}

impl DebugInfo<'_> {
    /// Returns the variable of a node, or the part of it that an expression describes; `None` if
    /// these cannot be read.
    pub(crate) fn variable_part(
        &mut self,
        b: &mut Builder,
        variable: MdId,
        expression: MdId,
    ) -> Option<VariablePart> {
        let Some(DebugNode::Expression(expression)) = self.metadata.debug_node(expression) else {
            return None;
        };
        let piece = expression.piece()?;
        self.piece_of(b, variable, piece)
    }

    /// Returns a part of a variable by its bits: offset and size.
    pub(crate) fn piece_of(
        &mut self,
        b: &mut Builder,
        variable: MdId,
        piece: Option<(u64, u64)>,
    ) -> Option<VariablePart> {
        let Some(DebugNode::LocalVariable(node)) = self.metadata.debug_node(variable) else {
            return None;
        };
        let id = self.local_variable(b, variable, &node)?;
        let path = match (piece, node.ty) {
            (None, _) => Some(SmallVec::new()),
            (Some((offset, size)), Some(ty)) => self.path(b, ty, offset, size),
            (Some(_), None) => None,
        };
        let expression = self.expression(b, piece.filter(|_| path.is_none()));
        let path = path.unwrap_or_default();
        Some(VariablePart {
            variable: id,
            expression,
            indices: path.into_iter().map(|index| b.debug_u32(index)).collect(),
        })
    }

    /// Returns the size of a variable in elements and bits of an element, if it is a number or an
    /// array of numbers with one dimension.
    pub(crate) fn flat_shape(&mut self, b: &mut Builder, variable: MdId) -> Option<(u32, u64)> {
        match self.metadata.debug_node(variable)? {
            DebugNode::LocalVariable(LocalVariable { ty, .. }) => self.flat_shape_of(b, ty?),
            _ => None,
        }
    }

    /// Returns the same of a type.
    pub(super) fn flat_shape_of(&mut self, b: &mut Builder, ty: MdId) -> Option<(u32, u64)> {
        let ty = self.ty(b, Some(ty));
        match ty.shape {
            Shape::Scalar(_) => Some((1, ty.size)),
            Shape::Array {
                element,
                dimensions,
            } => {
                let &[count] = &*dimensions else {
                    return None;
                };
                let element = self.ty(b, Some(element));
                matches!(element.shape, Shape::Scalar(_)).then_some((count, element.size))
            }
            _ => None,
        }
    }

    fn local_variable(
        &mut self,
        b: &mut Builder,
        id: MdId,
        node: &LocalVariable<'_>,
    ) -> Option<Word> {
        if let Some(known) = self.variables.get(&id) {
            return known.expand();
        }
        let scope = node.scope.map(|scope| self.scope(b, scope));
        let (scope, source) = scope.map_or((self.unit, self.main), |s| (s.id, s.source));
        let ty = self.ty(b, node.ty).id;
        let source = self.source(b, node.file, source);
        let name = node.name.as_deref().unwrap_or_default();
        let [source, line, column] = self.position(b, source, (node.line, 0), name);
        let mut operands: SmallVec<[Word; 8]> = smallvec![
            b.debug_string(name),
            ty,
            source,
            line,
            column,
            scope,
            b.debug_u32(converted_flags(node.flags)),
        ];
        if node.argument != 0 {
            operands.push(b.debug_u32(node.argument));
        }
        let made = b.debug_global(DebugOp::DebugLocalVariable, &operands);
        self.variables.insert(id, OptionalId::from(made));
        Some(made)
    }

    /// Returns the expression for a whole value, or for bits of the variable.
    fn expression(&mut self, b: &mut Builder, piece: Option<(u64, u64)>) -> Word {
        if let Some(&known) = self.expressions.get(&piece) {
            return known;
        }
        let operation = piece.map(|(offset, size)| {
            let number = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            let operands = [
                b.debug_u32(FRAGMENT),
                b.debug_u32(number(offset)),
                b.debug_u32(number(size)),
            ];
            b.debug_global(DebugOp::DebugOperation, &operands)
        });
        let operands: SmallVec<[Word; 1]> = operation.into_iter().collect();
        let made = b.debug_global(DebugOp::DebugExpression, &operands);
        self.expressions.insert(piece, made);
        made
    }
}
