//! Debug information (`NonSemantic.Shader.DebugInfo.100`): the kinds of operands, and where its
//! instructions may be.
//!
//! Source: the set's specification, sections "Binary Form" and "Instructions", and
//! `SPV_KHR_non_semantic_info`.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op, Word};

use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::VerifyRule;

/// Kinds of operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `OpString`.
    Text,
    /// A constant integer that is not a specialization constant.
    Number,
    /// `OpConstantTrue` or `OpConstantFalse`.
    Bool,
    /// An instruction of the set.
    Debug(DebugOp),
    /// One that is a lexical scope.
    Scope,
    /// One that is a type.
    Type,
    /// A type, or `void`.
    Result,
    /// A number, or nothing.
    Size,
    /// A variable, constant, or nothing.
    Global,
    /// `OpVariable` or a parameter.
    Memory,
    /// Any value.
    Value,
    /// The function that the instruction is in.
    Function,
}

/// How often the last kind of operand may follow those of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum More {
    /// Not at all.
    None,
    /// At most once.
    Once(Kind),
    /// Any number of times.
    Any(Kind),
}

/// The operands of an instruction, and whether it is in blocks, not at module level.
struct Signature {
    operands: &'static [Kind],
    more: More,
    in_blocks: bool,
}

/// Returns the signature of an instruction; `None` for those that are never emitted.
fn signature(op: DebugOp) -> Option<Signature> {
    use DebugOp as D;
    use Kind::{
        Bool, Debug, Function, Global, Memory, Number, Result, Scope, Size, Text, Type, Value,
    };
    const SOURCE: Kind = Debug(DebugOp::DebugSource);
    const INLINED: Kind = Debug(DebugOp::DebugInlinedAt);
    const LOCAL: Kind = Debug(DebugOp::DebugLocalVariable);
    const EXPRESSION: Kind = Debug(DebugOp::DebugExpression);
    let (operands, more, in_blocks): (&[Kind], More, bool) = match op {
        D::DebugInfoNone => (&[], More::None, false),
        D::DebugCompilationUnit => (&[Number, Number, SOURCE, Number], More::None, false),
        D::DebugTypeBasic => (&[Text, Number, Number, Number], More::None, false),
        D::DebugTypeArray => (&[Type, Number], More::Any(Number), false),
        D::DebugTypeVector => (&[Debug(D::DebugTypeBasic), Number], More::None, false),
        D::DebugTypeMatrix => (
            &[Debug(D::DebugTypeVector), Number, Bool],
            More::None,
            false,
        ),
        D::DebugTypedef => (
            &[
                Text,
                Debug(D::DebugTypeBasic),
                SOURCE,
                Number,
                Number,
                Scope,
            ],
            More::None,
            false,
        ),
        D::DebugTypeFunction => (&[Number, Result], More::Any(Type), false),
        D::DebugTypeComposite => (
            &[
                Text, Number, SOURCE, Number, Number, Scope, Text, Size, Number,
            ],
            More::Any(Debug(D::DebugTypeMember)),
            false,
        ),
        D::DebugTypeMember => (
            &[Text, Type, SOURCE, Number, Number, Number, Number, Number],
            More::None,
            false,
        ),
        D::DebugGlobalVariable => (
            &[
                Text, Type, SOURCE, Number, Number, Scope, Text, Global, Number,
            ],
            More::None,
            false,
        ),
        D::DebugFunction => (
            &[
                Text,
                Debug(D::DebugTypeFunction),
                SOURCE,
                Number,
                Number,
                Scope,
                Text,
                Number,
                Number,
            ],
            More::None,
            false,
        ),
        D::DebugLexicalBlock => (&[SOURCE, Number, Number, Scope], More::Once(Text), false),
        D::DebugInlinedAt => (&[Number, Scope], More::Once(INLINED), false),
        D::DebugLocalVariable => (
            &[Text, Type, SOURCE, Number, Number, Scope, Number],
            More::Once(Number),
            false,
        ),
        D::DebugOperation => (&[Number], More::Any(Number), false),
        D::DebugExpression => (&[], More::Any(Debug(D::DebugOperation)), false),
        D::DebugSource => (&[Text], More::Once(Text), false),
        D::DebugSourceContinued => (&[Text], More::None, false),
        D::DebugEntryPoint => (
            &[
                Debug(D::DebugFunction),
                Debug(D::DebugCompilationUnit),
                Text,
                Text,
            ],
            More::None,
            false,
        ),
        D::DebugScope => (&[Scope], More::Once(INLINED), true),
        D::DebugDeclare => (&[LOCAL, Memory, EXPRESSION], More::Any(Number), true),
        D::DebugValue => (&[LOCAL, Value, EXPRESSION], More::Any(Number), true),
        D::DebugFunctionDefinition => (&[Debug(D::DebugFunction), Function], More::None, true),
        D::DebugLine => (&[SOURCE, Number, Number, Number, Number], More::None, true),
        D::DebugNoScope | D::DebugNoLine => (&[], More::None, true),
        _ => return None,
    };
    Some(Signature {
        operands,
        more,
        in_blocks,
    })
}

impl Verifier<'_> {
    /// Remembers the import of the set.
    pub(super) fn import(&mut self, inst: &Inst<'_>) {
        const NAME: &[u8] = b"NonSemantic.Shader.DebugInfo.100\0";
        let mut text = inst.operands.iter().flat_map(|word| word.to_le_bytes());
        if NAME.iter().all(|&byte| text.next() == Some(byte)) {
            self.debug_set = inst.result;
        }
    }

    /// Checks an extended instruction in a block; those of other sets have no rule.
    pub(super) fn extended(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        if inst.operands.first() != Some(&self.debug_set) {
            return Ok(());
        }
        let op = self.debug_operands(inst, true)?;
        if self.read(inst.next)?.op() == Op::Variable {
            return Err(broken(inst, VerifyRule::DebugInfoPlace));
        }
        let entry = self.blocks.get(self.function.blocks.0);
        let in_entry = entry.is_some_and(|entry| inst.at < entry.end);
        if op == DebugOp::DebugFunctionDefinition && !in_entry {
            return Err(broken(inst, VerifyRule::DebugInfoPlace));
        }
        Ok(())
    }

    /// Checks an extended instruction at module level: only debug information is there.
    pub(super) fn extended_declaration(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        if inst.operands.first() != Some(&self.debug_set) {
            return Err(broken(inst, VerifyRule::NotAtModuleLevel));
        }
        self.debug_operands(inst, false).map(|_| ())
    }

    /// Checks the operands of an instruction of the set.
    fn debug_operands(&self, inst: &Inst<'_>, in_block: bool) -> Result<DebugOp, Failure> {
        let &[_, number, ref operands @ ..] = inst.operands else {
            return Err(broken(inst, VerifyRule::MissingOperand { operand: 1 }));
        };
        let op = DebugOp::from_u32(number);
        let Some((op, signature)) = op.and_then(|op| Some((op, signature(op)?))) else {
            return Err(broken(inst, VerifyRule::DebugInfoInstruction { number }));
        };
        if signature.in_blocks != in_block || self.types.get(inst.result_type) != Ty::Void {
            return Err(broken(inst, VerifyRule::DebugInfoPlace));
        }
        let wrong = |operand| broken(inst, VerifyRule::DebugInfoOperand { op, operand });
        let fixed = signature.operands.len();
        let most = match signature.more {
            More::None => fixed,
            More::Once(_) => fixed + 1,
            More::Any(_) => usize::MAX,
        };
        if operands.len() < fixed || operands.len() > most {
            return Err(wrong(operands.len()));
        }
        for (index, &id) in operands.iter().enumerate() {
            let kind = match (signature.operands.get(index), signature.more) {
                (Some(&kind), _) | (None, More::Once(kind) | More::Any(kind)) => kind,
                (None, More::None) => return Err(wrong(index)),
            };
            if !self.is_of_kind(id, kind) {
                return Err(wrong(index));
            }
        }
        Ok(op)
    }

    fn is_of_kind(&self, id: Word, kind: Kind) -> bool {
        use DebugOp as D;
        let Some(definition) = self.id(id) else {
            return false;
        };
        let op = definition.op();
        let debug = || self.debug_op(id);
        let is_number =
            || op == Op::Constant && matches!(self.types.get(definition.ty), Ty::Int(32));
        let is_type =
            || debug().is_some_and(|op| matches!(op as u32, 2..=14) || op == D::DebugTypeMatrix);
        match kind {
            Kind::Text => op == Op::String,
            Kind::Number => is_number(),
            Kind::Bool => matches!(op, Op::ConstantTrue | Op::ConstantFalse),
            Kind::Debug(wanted) => debug() == Some(wanted),
            Kind::Scope => matches!(
                debug(),
                Some(
                    D::DebugCompilationUnit
                        | D::DebugFunction
                        | D::DebugLexicalBlock
                        | D::DebugTypeComposite
                )
            ),
            Kind::Type => is_type(),
            Kind::Result => op == Op::TypeVoid || is_type(),
            Kind::Size => is_number() || debug() == Some(D::DebugInfoNone),
            Kind::Global => {
                matches!(op, Op::Variable | Op::Constant) || debug() == Some(D::DebugInfoNone)
            }
            Kind::Memory => matches!(op, Op::Variable | Op::FunctionParameter),
            Kind::Value => {
                definition.ty != 0 && !matches!(op, Op::Label | Op::ExtInst)
                    || op == Op::ExtInst && debug().is_none()
            }
            // The id of a function is its second operand, after the type.
            Kind::Function => self.words.get(self.function.start as usize + 2) == Some(&id),
        }
    }

    /// Returns the instruction of the set that defines an id, if one does.
    fn debug_op(&self, id: Word) -> Option<DebugOp> {
        let definition = self.id(id).filter(|id| id.is(Op::ExtInst))?;
        // First word, type, result, set, number.
        let words = self.words.get(definition.at as usize..)?;
        let &[_, _, _, set, number, ..] = words else {
            return None;
        };
        DebugOp::from_u32(number).filter(|_| set == self.debug_set)
    }
}

#[cfg(test)]
mod tests;
