//! Builds a [`Module`], to which the translation appends instructions.
//!
//! Constants, globals and declarations are module-level values; arguments and results are local
//! to a function. During construction a local value is a number with `LOCAL` set, so that
//! module-level values can be added at any time; [`Builder::finish`] renumbers.
//!
//! Blocks are created in any order and filled one after another: [`Builder::begin`] selects the
//! block, a terminator ends it. In code that control does not reach no block is selected, and
//! instructions are dropped. Variables become phis on demand ([`Builder::read`], `ssa.rs`).
//!
//! A value of 32 bits has two *views*, an integer and a float ([`Builder::int`],
//! [`Builder::float`]): the bitcast is written once, after the definition, if it is used. Which of
//! the two a phi has is decided in the end (`finish.rs`).
//!
//! Nothing here fails: memory is bounded by a limit ([`Builder::set_limit`]), whose excess `finish`
//! reports.

mod finish;
mod instructions;
mod ssa;
#[cfg(test)]
mod tests;
mod types;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trellis_dxil_frontend::dxop::Op;
use trellis_dxil_frontend::metadata::{MdId, MdNode};
use trellis_dxil_frontend::module::{
    BlockId, Constant, ConstantData, Function, FunctionId, Global, GlobalId, Inst, Linkage, Module,
    PoolRange, Type, TypeId, ValueData, ValueId, ValueKind,
};
use trellis_entity::{PackedOption, PrimaryMap};

pub use types::Overload;

/// A value: of the module, or of the function under construction if `LOCAL` is set.
pub type Value = ValueId;

/// Marks the number of a local value during construction.
const LOCAL: u32 = 1 << 30;

/// Most instructions, and most values of variables in blocks, of all functions of a module.
pub const MAX_SIZE: usize = 1 << 22;

/// The module would be larger than its limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// A module under construction, with the function that instructions are appended to.
///
/// ```
/// use trellis_dxbc_frontend::build::{Builder, Overload};
/// use trellis_dxil_frontend::dxop::Op;
///
/// let mut b = Builder::new();
/// b.begin_function("main");
/// let (element, row, column) = (b.i32(0), b.i32(0), b.i8(0));
/// let unused = b.undef(b.scalar(Overload::I32));
/// let input = b.op(Op::LoadInput, Overload::F32, &[element, row, column, unused]);
/// b.op_void(Op::StoreOutput, Overload::F32, &[element, row, column, input]);
/// b.ret();
/// b.end_function();
/// let module = b.finish().expect("a small module");
/// assert_eq!(module.functions.len(), 3);
/// ```
#[derive(Debug)]
pub struct Builder {
    module: Module,
    types: FxHashMap<Type, TypeId>,
    /// By type and bits.
    numbers: FxHashMap<(TypeId, u64), Value>,
    undefs: FxHashMap<TypeId, Value>,
    declarations: FxHashMap<(&'static str, Overload), (Value, TypeId)>,
    /// Finished bodies, and whose they are.
    bodies: Vec<(FunctionId, Body)>,
    current_function: Option<FunctionId>,
    body: Body,
    /// Whether optimizations may change operations on floats that are not precise.
    refactoring: bool,
    /// Whether operations on floats are `precise`.
    precise: bool,
    precise_kind: u32,
    precise_node: MdId,
    size: usize,
    limit: usize,
}

/// The function under construction.
#[derive(Debug, Default)]
struct Body {
    values: Vec<Local>,
    insts: Vec<Inst>,
    /// Calls that are `precise`.
    precise: Vec<u32>,
    /// Indices of allocations, which move to the first block.
    allocas: Vec<Inst>,
    pool: Vec<u32>,
    blocks: PrimaryMap<BlockId, Block>,
    /// Blocks in the order in which they were begun.
    order: Vec<BlockId>,
    current: Option<BlockId>,
    /// Results of [`Builder::op_once`] in the block.
    once: FxHashMap<(u32, Overload, SmallVec<[Value; 4]>), Value>,
    /// Values of variables at the ends of blocks.
    variables: FxHashMap<(BlockId, u32), Value>,
    phis: Vec<Phi>,
}

/// A block: a range of `insts`, once it has ended.
#[derive(Debug, Default)]
struct Block {
    first: u32,
    end: u32,
    predecessors: SmallVec<[BlockId; 2]>,
    /// All predecessors are known.
    sealed: bool,
    /// Indices of phis.
    phis: Vec<u32>,
}

/// A phi of a variable.
#[derive(Debug)]
struct Phi {
    value: Value,
    block: BlockId,
    variable: u32,
    incoming: Vec<(Value, BlockId)>,
}

/// Where a local value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Inst(u32),
    Alloca(u32),
    Phi(u32),
    /// The other view of a value.
    View(Value),
    /// An instruction that control does not reach.
    Dropped,
}

#[derive(Clone, Copy, Debug)]
struct Local {
    ty: TypeId,
    origin: Origin,
    view: PackedOption<Value>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Returns a builder of an empty module.
    pub fn new() -> Self {
        let mut module = Module {
            triple: "dxil-ms-dx".into(),
            data_layout:
                "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
                    .into(),
            ..Module::default()
        };
        let metadata = &mut module.metadata;
        let name = "dx.precise";
        metadata.strings.extend(name.bytes());
        let end = metadata.strings.len() as u32;
        metadata.kinds.push((0, PoolRange { start: 0, end }));
        let precise_node = metadata.nodes.push(MdNode::Node {
            distinct: false,
            operands: PoolRange::default(),
        });
        let mut builder = Self {
            module,
            types: FxHashMap::default(),
            numbers: FxHashMap::default(),
            undefs: FxHashMap::default(),
            declarations: FxHashMap::default(),
            bodies: Vec::new(),
            current_function: None,
            body: Body::default(),
            refactoring: false,
            precise: false,
            precise_kind: 0,
            precise_node,
            size: 0,
            limit: MAX_SIZE,
        };
        for overload in Overload::ALL {
            builder.ty(overload.ty());
        }
        builder
    }

    /// Sets the most instructions and values of variables in blocks, at most [`MAX_SIZE`], which
    /// is the default. Calls that are translated in place, and variables, which have a value in
    /// each block that they are live in, make modules that are much larger than the input.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit.min(MAX_SIZE);
    }

    fn add_value(&mut self, ty: TypeId, kind: ValueKind) -> Value {
        let value = ValueId::from_u32(self.module.values.len() as u32);
        self.module.values.push(ValueData { ty, kind });
        value
    }

    /// Adds a constant, which is not shared with equal ones: for aggregates and tables.
    pub fn constant(&mut self, ty: TypeId, value: Constant) -> Value {
        let id = self.module.constants.push(ConstantData { ty, value });
        self.add_value(ty, ValueKind::Constant(id))
    }

    fn number(&mut self, overload: Overload, bits: u64) -> Value {
        let ty = self.scalar(overload);
        if let Some(&value) = self.numbers.get(&(ty, bits)) {
            return value;
        }
        let value = self.constant(
            ty,
            match overload.is_float() {
                true => Constant::Float(bits),
                false => Constant::Int(bits),
            },
        );
        self.numbers.insert((ty, bits), value);
        value
    }

    /// Returns a constant `i1`.
    pub fn bool(&mut self, value: bool) -> Value {
        self.number(Overload::I1, value.into())
    }

    /// Returns a constant `i8`.
    pub fn i8(&mut self, value: u8) -> Value {
        self.number(Overload::I8, value.into())
    }

    /// Returns a constant `i32`.
    pub fn i32(&mut self, value: u32) -> Value {
        self.number(Overload::I32, value.into())
    }

    /// Returns a constant `i64`.
    pub fn i64(&mut self, value: u64) -> Value {
        self.number(Overload::I64, value)
    }

    /// Returns a constant `half` of these bits.
    pub fn f16_bits(&mut self, bits: u16) -> Value {
        self.number(Overload::F16, bits.into())
    }

    /// Returns a constant `float`.
    pub fn f32(&mut self, value: f32) -> Value {
        self.number(Overload::F32, value.to_bits().into())
    }

    /// Returns a constant `double`.
    pub fn f64(&mut self, value: f64) -> Value {
        self.number(Overload::F64, value.to_bits())
    }

    /// Returns the undefined value of a type.
    pub fn undef(&mut self, ty: TypeId) -> Value {
        if let Some(&value) = self.undefs.get(&ty) {
            return value;
        }
        let value = self.constant(ty, Constant::Undef);
        self.undefs.insert(ty, value);
        value
    }

    /// Returns the bits of a constant number; `None` for other values.
    pub fn bits(&self, value: Value) -> Option<u64> {
        match self.module.constant(None, value)?.value {
            Constant::Int(bits) | Constant::Float(bits) => Some(bits),
            _ => None,
        }
    }

    /// Adds a global variable with an initializer, if it has one: constant if `address_space` is
    /// 0, groupshared memory if it is 3. Returns its address.
    pub fn global(
        &mut self,
        name: &str,
        ty: TypeId,
        address_space: u32,
        init: Option<Value>,
    ) -> Value {
        let ptr_ty = self.pointer(ty, address_space);
        let init = init.or_else(|| Some(self.undef(ty)));
        let id: GlobalId = self.module.globals.push(Global {
            name: name.into(),
            ty,
            ptr_ty,
            address_space,
            is_const: address_space == 0,
            init,
            linkage: Linkage::Internal,
            align: 4,
            unnamed_addr: false,
            externally_initialized: false,
            thread_local: 0,
            section: 0,
        });
        self.add_value(ptr_ty, ValueKind::Global(id))
    }

    /// Begins a function without result, its first block selected.
    pub fn begin_function(&mut self, name: &str) -> FunctionId {
        let void = self.ty(Type::Void);
        let id = self.add_function(name, void, &[], false).0;
        self.current_function = Some(id);
        self.body = Body::default();
        let entry = self.new_block();
        self.seal(entry);
        self.begin(entry);
        id
    }

    /// Returns whether a function is under construction.
    pub fn is_in_function(&self) -> bool {
        self.current_function.is_some()
    }

    /// Ends the function; a block that has not ended returns.
    pub fn end_function(&mut self) {
        self.ret();
        let body = std::mem::take(&mut self.body);
        self.bodies
            .extend(self.current_function.take().map(|id| (id, body)));
    }

    fn add_function(
        &mut self,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
        is_declaration: bool,
    ) -> (FunctionId, Value) {
        let ty = self.ty(Type::Function {
            ret,
            params: params.into(),
            vararg: false,
        });
        let pointer = self.pointer(ty, 0);
        let number = FunctionId::from_u32(self.module.functions.len() as u32);
        let value = self.add_value(pointer, ValueKind::Function(number));
        let id = self.module.functions.push(Function {
            name: name.into(),
            ty,
            value,
            is_declaration,
            ..Function::default()
        });
        (id, value)
    }

    /// Returns the declared function of an operation, and its result type.
    fn declare(&mut self, op: Op, overload: Overload) -> (Value, TypeId) {
        let info = op.info();
        if let Some(&declared) = self.declarations.get(&(info.class, overload)) {
            return declared;
        }
        let name = overload.function_name(info.class);
        let ret = self.param_type(info.returns, overload);
        let mut params: SmallVec<[TypeId; 16]> = SmallVec::new();
        params.push(self.scalar(Overload::I32));
        for param in info.params {
            params.push(self.param_type(param.ty, overload));
        }
        let (_, value) = self.add_function(&name, ret, &params, true);
        self.declarations
            .insert((info.class, overload), (value, ret));
        (value, ret)
    }

    /// Returns the type of a value.
    pub fn type_of(&self, value: Value) -> TypeId {
        let number = value.as_u32();
        if number & LOCAL != 0 {
            self.local(value).ty
        } else {
            self.module.values[number as usize].ty
        }
    }

    fn local(&self, value: Value) -> &Local {
        &self.body.values[(value.as_u32() & !LOCAL) as usize]
    }

    fn add_local(&mut self, ty: TypeId, origin: Origin) -> Value {
        let value = ValueId::from_u32(LOCAL | self.body.values.len() as u32);
        self.body.values.push(Local {
            ty,
            origin,
            view: PackedOption::default(),
        });
        value
    }

    /// Returns a 32-bit value as an integer.
    pub fn int(&mut self, value: Value) -> Value {
        self.view(value, Overload::I32)
    }

    /// Returns a 32-bit value as a float.
    pub fn float(&mut self, value: Value) -> Value {
        self.view(value, Overload::F32)
    }

    fn view(&mut self, value: Value, overload: Overload) -> Value {
        let ty = self.scalar(overload);
        if self.type_of(value) == ty {
            return value;
        }
        if value.as_u32() & LOCAL == 0 {
            return match self.bits(value) {
                Some(bits) => self.number(overload, bits),
                None => self.undef(ty),
            };
        }
        if let Some(view) = self.local(value).view.expand() {
            return view;
        }
        let view = self.add_local(ty, Origin::View(value));
        self.body.values[(view.as_u32() & !LOCAL) as usize].view = value.into();
        self.body.values[(value.as_u32() & !LOCAL) as usize].view = view.into();
        view
    }
}
