//! The uses of source variables in code, and the expressions for the part of a variable that a
//! value is.

use smallvec::SmallVec;

use crate::metadata::{MdId, Metadata};
use crate::module::{CallArg, Function, FunctionId, InstId, InstKind, Module, ValueId, ValueKind};

/// An operation of a `DIExpression`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operation {
    /// The value is an address, which is dereferenced.
    Deref,
    /// Adds a number.
    Plus(u64),
    /// Subtracts a number.
    Minus(u64),
    /// The value is this part of the variable, in bits.
    BitPiece {
        /// First bit.
        offset: u64,
        /// Number of bits.
        size: u64,
    },
    /// An operation of another number; the operations after it cannot be read.
    Other(u64),
}

/// `DIExpression`: how a variable follows from a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expression<'m> {
    words: &'m [u64],
}

impl<'m> Expression<'m> {
    pub(super) fn new(words: &'m [u64]) -> Self {
        Self { words }
    }

    /// Returns the operations in order.
    pub fn operations(self) -> impl Iterator<Item = Operation> + 'm {
        let mut words = self.words.iter().copied();
        std::iter::from_fn(move || {
            let operation = words.next()?;
            let mut operand = || words.next().unwrap_or(0);
            Some(match operation {
                0x06 => Operation::Deref,
                0x1C => Operation::Minus(operand()),
                0x22 => Operation::Plus(operand()),
                0x9D => Operation::BitPiece {
                    offset: operand(),
                    size: operand(),
                },
                other => {
                    words = [].iter().copied();
                    Operation::Other(other)
                }
            })
        })
    }

    /// Returns the part of the variable, in bits (offset, size), if the expression has nothing
    /// else; `Some(None)` for the whole variable.
    pub fn piece(self) -> Option<Option<(u64, u64)>> {
        let mut operations = self.operations();
        match (operations.next(), operations.next()) {
            (None, _) => Some(None),
            (Some(Operation::BitPiece { offset, size }), None) => Some(Some((offset, size))),
            _ => None,
        }
    }
}

/// Kind of a [`VariableUse`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableUseKind {
    /// `llvm.dbg.declare`: the value is the address of the variable, for the whole function.
    Declare,
    /// `llvm.dbg.value`: the variable has the value from here on.
    Value,
}

/// A call of `llvm.dbg.declare` or `llvm.dbg.value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableUse {
    /// Which of the two.
    pub kind: VariableUseKind,
    /// The value: an address for `Declare`. `None` if it was removed.
    pub value: Option<ValueId>,
    /// The [`LocalVariable`](super::LocalVariable).
    pub variable: MdId,
    /// The [`Expression`].
    pub expression: MdId,
}

/// The functions of a module that declare uses of variables.
#[derive(Clone, Debug, Default)]
pub struct VariableUses {
    declare: SmallVec<[FunctionId; 1]>,
    value: SmallVec<[FunctionId; 1]>,
    /// Number of the metadata kind `dx.dbg.varlayout`.
    layout: Option<u32>,
}

impl VariableUses {
    /// Looks for the functions.
    pub fn new(module: &Module) -> Self {
        let mut this = Self {
            layout: module.metadata.kind("dx.dbg.varlayout"),
            ..Self::default()
        };
        for (id, function) in module.functions.iter() {
            match &*function.name {
                "llvm.dbg.declare" if function.is_declaration => this.declare.push(id),
                "llvm.dbg.value" if function.is_declaration => this.value.push(id),
                _ => {}
            }
        }
        this
    }

    /// Returns true if the module has no such function.
    pub fn is_empty(&self) -> bool {
        self.declare.is_empty() && self.value.is_empty()
    }

    /// Returns the variable and value that an instruction describes, if it is such a call.
    pub fn parse(&self, module: &Module, function: &Function, inst: InstId) -> Option<VariableUse> {
        let InstKind::Call { callee, args, .. } = function.insts.get(inst)?.kind else {
            return None;
        };
        let ValueKind::Function(callee) = module.value(None, callee)?.kind else {
            return None;
        };
        let kind = if self.declare.contains(&callee) {
            VariableUseKind::Declare
        } else if self.value.contains(&callee) {
            VariableUseKind::Value
        } else {
            return None;
        };
        let mut args = function.call_args(args).filter_map(|arg| match arg {
            CallArg::Metadata(id) => Some(id),
            // The offset of `llvm.dbg.value`, which is always 0.
            CallArg::Value(_) => None,
        });
        let (value, variable, expression) = (args.next()?, args.next()?, args.next()?);
        Some(VariableUse {
            kind,
            value: module.metadata.value(value).map(|(_, value)| value),
            variable,
            expression,
        })
    }

    /// Returns how the parts of a variable are spread that an instruction declares, if DXC took it
    /// apart (`dx.dbg.varlayout`).
    pub fn layout(
        &self,
        module: &Module,
        function: &Function,
        inst: InstId,
    ) -> Option<VariableLayout> {
        let kind = self.layout?;
        let list = &function.inst_metadata;
        let first = list.partition_point(|entry| entry.0 < inst);
        let node = list
            .get(first..)?
            .iter()
            .take_while(|entry| entry.0 == inst)
            .find(|entry| entry.1 == kind)?
            .2;
        VariableLayout::read(module, &module.metadata, node)
    }
}

/// Where the elements of an array are in the variable that it is a part of: DXC splits arrays of
/// vectors and structures into arrays of scalars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariableLayout {
    /// First bit of the first element.
    pub offset: u64,
    /// For each dimension the distance of elements in bits, and their number; the innermost last.
    pub dimensions: SmallVec<[(u64, u64); 2]>,
}

impl VariableLayout {
    fn read(module: &Module, metadata: &Metadata, node: MdId) -> Option<Self> {
        let mut numbers = metadata.tuple(node)?.map(|id| {
            let (_, value) = metadata.value(id?)?;
            module.const_int(None, value)
        });
        let offset = numbers.next()??;
        let mut dimensions = SmallVec::new();
        while let Some(stride) = numbers.next() {
            // More dimensions than a type may have are not from a compiler.
            if dimensions.len() == 16 {
                return None;
            }
            dimensions.push((stride?, numbers.next()??));
        }
        Some(Self { offset, dimensions })
    }
}
