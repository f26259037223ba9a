//! Calls of operations.

use trellis_entity::PrimaryMap;

use super::{ALL_OPS, Effects, Op, OpInfo, ParamType};
use crate::error::{DxOpError, DxOpErrorKind, Error};
use crate::module::{
    Constant, Function, FunctionId, InstId, InstKind, METADATA_ARG, Module, Type, TypeId, ValueId,
    ValueKind,
};

/// A call of a `dx.op` function with the right number of operands.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DxCall<'f> {
    /// Operation.
    pub op: Op,
    /// The call instruction.
    pub inst: InstId,
    /// Value number of the result, if it has one.
    pub result: Option<ValueId>,
    /// Result type.
    pub ty: TypeId,
    /// Value numbers of the operands, without the opcode; one per `op.info().params`.
    pub args: &'f [u32],
    /// Called function: its name ends in the overload.
    pub callee: &'f Function,
}

impl<'f> DxCall<'f> {
    /// Returns a call without operands that is not in a function, as the initial state of a
    /// translation.
    pub fn none(callee: &'f Function) -> Self {
        Self {
            op: Op::TempRegLoad,
            inst: InstId::from_u32(0),
            result: None,
            ty: TypeId::from_u32(0),
            args: &[],
            callee,
        }
    }

    /// Reads instruction `inst` of `function`; `None` if it is not a call of a `dx.op` function.
    ///
    /// # Errors
    /// Unknown or reserved opcode, opcode that is not a constant, wrong number of operands.
    #[inline]
    pub fn parse(
        module: &'f Module,
        function: &'f Function,
        inst: InstId,
    ) -> Result<Option<Self>, Error> {
        Self::decode(module, function, inst, |_, target| is_dx_op(target))
    }

    /// As [`DxCall::parse`], with a test of the called function.
    #[inline(always)]
    fn decode(
        module: &'f Module,
        function: &'f Function,
        inst: InstId,
        is_op: impl FnOnce(FunctionId, &Function) -> bool,
    ) -> Result<Option<Self>, Error> {
        let Some(data) = function.insts.get(inst) else {
            return Ok(None);
        };
        let InstKind::Call { callee, args, .. } = data.kind else {
            return Ok(None);
        };
        let Some(ValueKind::Function(id)) = module.value(None, callee).map(|v| v.kind) else {
            return Ok(None);
        };
        let target = module.functions.get(id).filter(|f| is_op(id, f));
        let Some(target) = target else {
            return Ok(None);
        };
        let pool = function.pool.get(args.range()).unwrap_or(&[]);
        let opcode = pool.split_first().and_then(|(&first, rest)| {
            let constant = module.constant(Some(function), ValueId::from_u32(first))?;
            let code = match constant.value {
                Constant::Int(code) => code as u32,
                Constant::Null => 0,
                _ => return None,
            };
            matches!(module.types.get(constant.ty), Some(Type::Int(32))).then_some((code, rest))
        });
        let (op, args) = match opcode.map(|(code, args)| (Op::from_code(code), args)) {
            Some((Some(op), args)) => (op, args),
            other => {
                let callee = target.name.clone();
                let kind = match other.and(opcode) {
                    Some((code, _)) => DxOpErrorKind::Unknown { callee, code },
                    None => DxOpErrorKind::OpcodeNotConstant { callee },
                };
                return Err(malformed(function, inst, kind));
            }
        };
        let info = op.info();
        if info.effects.any(Effects::RESERVED)
            || args.len() != info.params.len()
            || args.iter().fold(0, |all, a| all | a) & METADATA_ARG != 0
        {
            return Err(malformed(function, inst, wrong_operands(op, args)));
        }
        Ok(Some(Self {
            op,
            inst,
            result: data.result.expand(),
            ty: data.ty,
            args,
            callee: target,
        }))
    }

    /// Facts about the operation.
    #[inline]
    pub fn info(&self) -> &'static OpInfo {
        self.op.info()
    }
    /// Returns operand `index`, counted after the opcode; `None` when the operation has fewer.
    #[inline]
    pub fn operand(&self, index: usize) -> Option<ValueId> {
        self.args.get(index).map(|&v| ValueId::from_u32(v))
    }
    /// Returns the overload type: the type of `$o` in this call. `None` for an operation without
    /// overload.
    pub fn overload(&self, module: &Module, function: &Function) -> Option<TypeId> {
        let info = self.info();
        match info.returns {
            ParamType::Overload | ParamType::Overload0 => return Some(self.ty),
            ParamType::ResRet | ParamType::CBufRet | ParamType::OverloadVec4 => {
                return match module.types.get(self.ty)? {
                    Type::Struct { fields, .. } => fields.first().copied(),
                    Type::Vector { element, .. } => Some(*element),
                    _ => None,
                };
            }
            _ => {}
        }
        let index = info.params.iter().position(|p| {
            matches!(
                p.ty,
                ParamType::Overload | ParamType::UserType | ParamType::Object
            )
        })?;
        module
            .value(Some(function), self.operand(index)?)
            .map(|v| v.ty)
    }
    /// Returns the suffix of the called function's name: `f32` of `dx.op.loadInput.f32`; empty
    /// without overload.
    pub fn overload_name(&self) -> &'f str {
        let rest = self.callee.name.strip_prefix(PREFIX).unwrap_or("");
        rest.split_once('.').map_or("", |(_, overload)| overload)
    }
}

#[cold]
fn malformed(function: &Function, inst: InstId, kind: DxOpErrorKind) -> Error {
    let function = function.name.clone();
    let error = DxOpError {
        function,
        inst,
        kind,
    };
    error.into()
}

/// Returns the error of a call of a reserved operation, or of wrong operands.
#[cold]
fn wrong_operands(op: Op, args: &[u32]) -> DxOpErrorKind {
    let (name, info) = (op.name(), op.info());
    if info.effects.any(Effects::RESERVED) {
        let code = op.code();
        return DxOpErrorKind::Reserved { code, name };
    }
    let (expected, found) = (info.params.len(), args.len());
    if found != expected {
        return DxOpErrorKind::ArgumentCount {
            name,
            expected,
            found,
        };
    }
    let index = args.iter().position(|a| a & METADATA_ARG != 0).unwrap_or(0);
    DxOpErrorKind::MetadataArgument { name, index }
}

/// Prefix of the names of all DXIL operations.
pub const PREFIX: &str = "dx.op.";

/// Returns whether a function is a declared DXIL operation.
#[inline]
pub fn is_dx_op(function: &Function) -> bool {
    function.is_declaration && function.name.as_bytes().starts_with(PREFIX.as_bytes())
}

/// For each function of a module, whether it is a `dx.op` declaration, as a flag instead of a name
/// to compare; and the operations that the module calls.
#[derive(Clone, Debug)]
pub struct DxDeclarations {
    is_op: PrimaryMap<FunctionId, bool>,
    /// By index into [`ALL_OPS`].
    calls: [bool; ALL_OPS.len()],
}

impl DxDeclarations {
    /// Looks at every function's name and every call's opcode once.
    pub fn new(module: &Module) -> Self {
        let is_op: Vec<bool> = module.functions.values().map(is_dx_op).collect();
        let mut this = Self {
            is_op: is_op.into(),
            calls: [false; ALL_OPS.len()],
        };
        for function in module.functions.values() {
            for inst in function.insts.values() {
                let InstKind::Call { callee, args, .. } = inst.kind else {
                    continue;
                };
                if let Some(ValueKind::Function(id)) = module.value(None, callee).map(|v| v.kind)
                    && this.is_op.get(id) == Some(&true)
                    && let Some(&opcode) = function.pool.get(args.start as usize)
                    && let Some(code) = module.const_int(Some(function), ValueId::from_u32(opcode))
                    && let Some(op) = Op::from_code(code as u32)
                {
                    this.calls[op as usize] = true;
                }
            }
        }
        this
    }
    /// Returns true if a function of the module calls an operation.
    #[inline]
    pub fn calls(&self, op: Op) -> bool {
        self.calls.get(op as usize) == Some(&true)
    }
    /// Does the same as [`DxCall::parse`] without looking at names.
    ///
    /// # Errors
    /// As [`DxCall::parse`].
    #[inline]
    pub fn parse<'f>(
        &self,
        module: &'f Module,
        function: &'f Function,
        inst: InstId,
    ) -> Result<Option<DxCall<'f>>, Error> {
        let is_op = |id, _: &Function| self.is_op.get(id) == Some(&true);
        DxCall::decode(module, function, inst, is_op)
    }
}
