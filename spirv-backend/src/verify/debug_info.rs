//! Debug information (`NonSemantic.Shader.DebugInfo.100`): the kinds of operands, where its
//! instructions may be, and that lines are in their sources.
//!
//! Source: the set's specification, sections "Binary Form" and "Instructions", and
//! `SPV_KHR_non_semantic_info`.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op, Word};

use super::forms::misfit;
use super::layout::is_terminator;
use super::read::Inst;
use super::types::Ty;
use super::{Failure, Verifier, broken};
use crate::error::VerifyRule;

/// Returns the operands of an instruction, as for [`misfit`] with the letters of
/// [`Verifier::is_of_kind`]; `None` for those that are never emitted.
fn signature(op: DebugOp) -> Option<&'static str> {
    use DebugOp as D;
    Some(match op {
        D::DebugInfoNone | D::DebugNoScope | D::DebugNoLine => "",
        D::DebugCompilationUnit => "nnsn",
        D::DebugTypeBasic => "tnnn",
        D::DebugTypeArray => "Tn*n",
        D::DebugTypeVector => "bn",
        D::DebugTypeMatrix => "vnB",
        D::DebugTypedef => "tbsnnS",
        D::DebugTypeFunction => "nR*T",
        D::DebugTypeComposite => "tnsnnStzn*m",
        D::DebugTypeMember => "tTsnnnnn",
        D::DebugGlobalVariable => "tTsnnStgn",
        D::DebugFunction => "tysnnStnn",
        D::DebugLexicalBlock => "snnS?t",
        D::DebugInlinedAt => "nS?i",
        D::DebugLocalVariable => "tTsnnSn?n",
        D::DebugOperation => "n*n",
        D::DebugExpression => "*o",
        D::DebugSource => "t?t",
        D::DebugSourceContinued => "t",
        D::DebugEntryPoint => "futt",
        D::DebugScope => "S?i",
        D::DebugDeclare => "lMe*n",
        D::DebugValue => "lVe*n",
        D::DebugFunctionDefinition => "fF",
        D::DebugLine => "snnnn",
        _ => return None,
    })
}

/// Returns true for an instruction in blocks; the others are at module level.
fn is_in_blocks(op: DebugOp) -> bool {
    use DebugOp as D;
    matches!(
        op,
        D::DebugScope
            | D::DebugNoScope
            | D::DebugLine
            | D::DebugNoLine
            | D::DebugDeclare
            | D::DebugValue
            | D::DebugFunctionDefinition
    )
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

    /// Checks an extended instruction in a block; instructions of other sets have no rule.
    pub(super) fn extended(&self, inst: &Inst<'_>) -> Result<(), Failure> {
        let id = Self::operand(inst, 0)?;
        if id != self.debug_set {
            let set = self.id(id).filter(|set| set.is(Op::ExtInstImport));
            return set
                .map(|_| ())
                .ok_or_else(|| broken(inst, VerifyRule::OperandTypes));
        }
        let op = self.debug_operands(inst, true)?;
        if self.read(inst.next)?.op() == Op::Variable {
            return Err(broken(inst, VerifyRule::DebugInfoPlace));
        }
        let before = self.insts_from(self.function.start);
        let mut before = before.take_while(|before| before.at < inst.at);
        // The debug function is defined in the entry block.
        if op == DebugOp::DebugFunctionDefinition && before.any(|i| is_terminator(i.op())) {
            return Err(broken(inst, VerifyRule::DebugInfoPlace));
        }
        Ok(())
    }

    /// Checks an extended instruction at module level: only debug information is there.
    pub(super) fn extended_declaration(&mut self, inst: &Inst<'_>) -> Result<(), Failure> {
        if inst.operands.first() != Some(&self.debug_set) {
            return Err(broken(inst, VerifyRule::NotAtModuleLevel));
        }
        let op = self.debug_operands(inst, false)?;
        if matches!(op, DebugOp::DebugSource | DebugOp::DebugSourceContinued) {
            self.source_text(inst, op);
        }
        Ok(())
    }

    /// Records the lines of a source, or more of the last one.
    fn source_text(&mut self, inst: &Inst<'_>, op: DebugOp) {
        let is_first = op == DebugOp::DebugSource;
        if is_first {
            self.sources.push((inst.result, Vec::new(), b'\n'));
        }
        // After the set, the number and, of the first part, the name.
        let text = inst.operands.get(if is_first { 3 } else { 2 });
        let text = text.and_then(|&text| self.id(text)).map(|text| text.at);
        let string = text.and_then(|at| self.read(at).ok());
        let (Some(string), Some((_, lines, before))) = (string, self.sources.last_mut()) else {
            return;
        };
        let bytes = string.operands.iter().flat_map(|word| word.to_le_bytes());
        for byte in bytes.take_while(|&byte| byte != 0) {
            match (std::mem::replace(before, byte), byte) {
                (b'\r', b'\n') => continue,
                (b'\r' | b'\n', _) => lines.push(0),
                _ => {}
            }
            if let Some(length) = lines.last_mut().filter(|_| !matches!(byte, b'\r' | b'\n')) {
                *length += 1;
            }
        }
    }

    /// Checks that the source of an instruction has its line and column; source, line and column are in
    /// this order, and all of `DebugLine` are there twice.
    fn debug_line(&self, inst: &Inst<'_>, op: DebugOp) -> Result<(), Failure> {
        use DebugOp as D;
        let at = match op {
            D::DebugLine | D::DebugLexicalBlock => 0,
            D::DebugFunction
            | D::DebugTypedef
            | D::DebugTypeComposite
            | D::DebugTypeMember
            | D::DebugGlobalVariable
            | D::DebugLocalVariable => 2,
            _ => return Ok(()),
        };
        let Some(&[source, ref numbers @ ..]) = inst.operands.get(2 + at..) else {
            return Ok(());
        };
        let number = |index: usize| {
            let value = numbers.get(index).and_then(|&id| self.constant(id));
            value.unwrap_or(u32::MAX)
        };
        let is_line = op == D::DebugLine;
        let (line, column) = (number(0), number(if is_line { 2 } else { 1 }));
        let lines = match self.sources.binary_search_by_key(&source, |known| known.0) {
            Ok(index) => &*self.sources[index].1,
            Err(_) => &[],
        };
        let fits = match (line as usize).checked_sub(1) {
            None => !is_line,
            Some(_) if lines.is_empty() => true,
            // The column after the end is one, too.
            Some(index) => lines.get(index).is_some_and(|&length| column <= length + 1),
        };
        match fits {
            true => Ok(()),
            false => Err(broken(inst, VerifyRule::DebugInfoLine { line, column })),
        }
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
        if is_in_blocks(op) != in_block || self.types.get(inst.result_type) != Ty::Void {
            return Err(broken(inst, VerifyRule::DebugInfoPlace));
        }
        match misfit(signature, operands, |id, letter| {
            self.is_of_kind(id, letter)
        }) {
            Some(operand) => Err(broken(inst, VerifyRule::DebugInfoOperand { op, operand })),
            None => self.debug_line(inst, op).map(|()| op),
        }
    }

    /// Returns true for an operand of a kind.
    fn is_of_kind(&self, id: Word, letter: u8) -> bool {
        use DebugOp as D;
        let Some(definition) = self.id(id) else {
            return false;
        };
        let op = definition.op();
        let debug = self.debug_op(id);
        match letter {
            b't' => op == Op::String,
            // A constant that is not a specialization constant.
            b'n' => op == Op::Constant && self.types.get(definition.ty) == Ty::Int(32),
            b'B' => matches!(op, Op::ConstantTrue | Op::ConstantFalse),
            b's' => debug == Some(D::DebugSource),
            b'i' => debug == Some(D::DebugInlinedAt),
            b'l' => debug == Some(D::DebugLocalVariable),
            b'e' => debug == Some(D::DebugExpression),
            b'o' => debug == Some(D::DebugOperation),
            b'u' => debug == Some(D::DebugCompilationUnit),
            b'f' => debug == Some(D::DebugFunction),
            b'b' => debug == Some(D::DebugTypeBasic),
            b'v' => debug == Some(D::DebugTypeVector),
            b'y' => debug == Some(D::DebugTypeFunction),
            b'm' => debug == Some(D::DebugTypeMember),
            // A lexical scope.
            b'S' => matches!(
                debug,
                Some(
                    D::DebugCompilationUnit
                        | D::DebugFunction
                        | D::DebugLexicalBlock
                        | D::DebugTypeComposite
                )
            ),
            // A type; the same or `void`.
            b'T' => debug.is_some_and(|op| matches!(op as u32, 2..=14) || op == D::DebugTypeMatrix),
            b'R' => op == Op::TypeVoid || self.is_of_kind(id, b'T'),
            // A size; a global variable or its value; each may be missing.
            b'z' => self.is_of_kind(id, b'n') || debug == Some(D::DebugInfoNone),
            b'g' => matches!(op, Op::Variable | Op::Constant) || debug == Some(D::DebugInfoNone),
            // Memory; any value.
            b'M' => matches!(op, Op::Variable | Op::FunctionParameter),
            b'V' if op == Op::ExtInst => debug.is_none(),
            b'V' => definition.ty != 0 && op != Op::Label,
            // The function that the instruction is in: its id is the second operand, after the type.
            b'F' => self.words.get(self.function.start as usize + 2) == Some(&id),
            _ => false,
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
