//! Functions written as text, which replace the functions of a corpus shader: for DXIL that no
//! available compiler makes.
//!
//! A line is `%name : TYPE = OPERATION OPERANDS…`, an operation without result has no left-hand
//! side, and `LABEL:` begins a block. Operands are `%name`, `@name` (a global variable, by a part
//! of its name), `TYPE:NUMBER`, `TYPE:undef`. Types are `i32`, `float`, …, `[4xTYPE]`, `<4xTYPE>`,
//! `{TYPE,TYPE}`, `%struct.name`, `TYPE*` and `TYPE*3` for groupshared memory.

use std::collections::HashMap;

use trellis_dxil_frontend::Input;
use trellis_dxil_frontend::module::{
    ArithFlags, BinaryOp, BlockData, BlockId, Constant, ConstantData, Function, FunctionId, Inst,
    InstId, InstKind, Module, Ordering, PoolRange, Predicate, RmwOp, Type, TypeId, ValueData,
    ValueId, ValueKind,
};
use trellis_entity::EntityRange;

/// Reads a shader of the corpus.
pub(crate) fn shader(name: &str) -> Input<'static> {
    let bytes = crate::common::shader(name);
    trellis_dxil_frontend::read(Vec::leak(bytes)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Declares `dx.op.test`, whose type is not read: calls of it are of any operation.
pub(crate) fn declare_test(module: &mut Module) {
    let ret = type_of(module, "void");
    let ty = Type::Function {
        ret,
        params: Default::default(),
        vararg: true,
    };
    let id = declare(module, "dx.op.test");
    module.functions[id].ty = module.types.push(ty);
    module.functions[id].is_declaration = true;
}

/// Adds a function without a type.
fn declare(module: &mut Module, name: &str) -> FunctionId {
    let value = ValueId::from_u32(module.values.len() as u32);
    let id = module.functions.push(Function {
        name: name.into(),
        value,
        ..Function::default()
    });
    let (ty, kind) = (TypeId::from_u32(0), ValueKind::Function(id));
    module.values.push(ValueData { ty, kind });
    id
}

/// A function: name, result type, parameters (`%name : TYPE`), body.
pub(crate) struct Text<'t>(
    pub(crate) &'t str,
    pub(crate) &'t str,
    pub(crate) &'t [&'t str],
    pub(crate) &'t str,
);

/// A compute shader with the groupshared arrays `First` and `Second` of 64 `i32` and the buffer
/// `Out`.
pub(crate) const BASE: &str = "options/noinline_groupshared.dxil";

/// Returns a body for the `main` of [`BASE`], from lines that compute `%r`.
pub(crate) fn main_of(body: &str) -> String {
    let start = "entry:
        %out : %dx.types.Handle = call @dx.op.createHandle i32:57 i8:1 i32:0 i32:0 i1:0
        %id : i32 = call @dx.op.flattenedThreadIdInGroup.i32 i32:96
        %low : i1 = ult %id i32:32";
    let end =
        "call @dx.op.bufferStore.i32 i32:69 %out %id i32:0 %r i32:undef i32:undef i32:undef i8:1
        ret";
    [start, body, end].join("\n")
}

/// Replaces all function bodies of a module; `main` must be among the new ones.
pub(crate) fn replace(module: &mut Module, functions: &[Text<'_>]) {
    let mut ids = Vec::new();
    for text in functions {
        let known = module.functions.position(|f| &*f.name == text.0);
        ids.push(known.unwrap_or_else(|| declare(module, text.0)));
    }
    for function in module.functions.values_mut() {
        // Functions that are not rewritten are no longer called.
        function.is_declaration |= !function.blocks.is_empty();
        (function.blocks, function.insts, function.values) = Default::default();
        (
            function.inst_metadata,
            function.value_names,
            function.block_names,
        ) = Default::default();
    }
    for (text, id) in functions.iter().zip(ids) {
        let Text(_, ret, params, body) = *text;
        let params = params.iter().map(|p| p.split_once(" : ").expect("a type"));
        let params: Vec<(&str, TypeId)> = params
            .map(|(name, ty)| (name, type_of(module, ty)))
            .collect();
        let ret = type_of(module, ret);
        let ty = Type::Function {
            ret,
            params: params.iter().map(|param| param.1).collect(),
            vararg: false,
        };
        let ty = intern(module, ty);
        let mut assembler = Assembler {
            module,
            function: Function {
                ty,
                ..Function::default()
            },
            names: HashMap::new(),
            blocks: HashMap::new(),
        };
        for (n, (name, ty)) in (0..).zip(params) {
            let value = assembler.value(ty, ValueKind::Argument(n));
            assembler.names.insert(name.to_owned(), value);
        }
        assembler.body(body);
        let made = assembler.function;
        let slot = &mut module.functions[id];
        *slot = Function {
            name: slot.name.clone(),
            value: slot.value,
            is_declaration: false,
            ..made
        };
    }
}

fn intern(module: &mut Module, ty: Type) -> TypeId {
    let known = module.types.position(|t| *t == ty);
    known.unwrap_or_else(|| module.types.push(ty))
}

/// Reads a type.
fn type_of(module: &mut Module, text: &str) -> TypeId {
    let inside = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let of_pointer = { text.strip_suffix("*3").map(|pointee| (pointee, 3)) }
        .or_else(|| Some((text.strip_suffix('*')?, 0)));
    let ty = if let Some((pointee, address_space)) = of_pointer {
        let pointee = type_of(module, pointee);
        Type::Pointer {
            pointee,
            address_space,
        }
    } else if let Some(array) = inside('[', ']') {
        let (len, element) = array.split_once('x').expect("[NxTYPE]");
        let (len, element) = (len.parse().expect("a length"), type_of(module, element));
        Type::Array { element, len }
    } else if let Some(vector) = inside('<', '>') {
        let (len, element) = vector.split_once('x').expect("<NxTYPE>");
        let (len, element) = (len.parse().expect("a length"), type_of(module, element));
        Type::Vector { element, len }
    } else if let Some(fields) = inside('{', '}') {
        Type::Struct {
            name: None,
            fields: fields.split(',').map(|f| type_of(module, f)).collect(),
            packed: false,
            opaque: false,
        }
    } else if let Some(wanted) = text.strip_prefix('%') {
        let is_it = |t: &Type| matches!(t, Type::Struct { name: Some(name), .. } if name == wanted);
        let found = module.types.position(is_it);
        return found.unwrap_or_else(|| panic!("no type {text}"));
    } else {
        let width = || text.strip_prefix('i').and_then(|w| w.parse().ok());
        match text {
            "void" => Type::Void,
            "half" => Type::Half,
            "float" => Type::Float,
            "double" => Type::Double,
            _ => Type::Int(width().unwrap_or_else(|| panic!("no type {text}"))),
        }
    };
    intern(module, ty)
}

struct Assembler<'m> {
    module: &'m mut Module,
    function: Function,
    names: HashMap<String, ValueId>,
    blocks: HashMap<String, u32>,
}

impl Assembler<'_> {
    fn value(&mut self, ty: TypeId, kind: ValueKind) -> ValueId {
        let value =
            ValueId::from_u32((self.module.values.len() + self.function.values.len()) as u32);
        self.function.values.push(ValueData { ty, kind });
        value
    }

    fn operand(&mut self, text: &str) -> ValueId {
        if text.starts_with('%') {
            let known = self.names.get(text);
            return *known.unwrap_or_else(|| panic!("no value {text}"));
        }
        if let Some(name) = text.strip_prefix('@') {
            let is = |v: &ValueData| match v.kind {
                ValueKind::Global(g) => self.module.globals[g].name.contains(name),
                ValueKind::Function(f) => *self.module.functions[f].name == *name,
                _ => false,
            };
            let found = self.module.values.iter().position(is);
            let found = found.unwrap_or_else(|| panic!("nothing named {text}"));
            return ValueId::from_u32(found as u32);
        }
        let typed = text.rsplit_once(':');
        let (ty, number) = typed.unwrap_or_else(|| panic!("no operand {text}"));
        let ty = type_of(self.module, ty);
        let value = match number {
            "undef" => Constant::Undef,
            "null" => Constant::Null,
            _ => Constant::Int(number.parse().expect("a number")),
        };
        let id = self.module.constants.push(ConstantData { ty, value });
        self.value(ty, ValueKind::Constant(id))
    }

    fn list(&mut self, entries: Vec<u32>) -> PoolRange {
        let start = self.function.pool.len() as u32;
        self.function.pool.extend(entries);
        PoolRange {
            start,
            end: self.function.pool.len() as u32,
        }
    }

    fn path(&mut self, text: &str) -> PoolRange {
        let path = text.split('.').map(|i| i.parse().expect("an index"));
        self.list(path.collect())
    }

    fn values(&mut self, texts: &[&str]) -> PoolRange {
        let list = texts.iter().map(|t| self.operand(t).as_u32()).collect();
        self.list(list)
    }

    fn block(&self, label: &str) -> BlockId {
        let known = self.blocks.get(label);
        BlockId::from_u32(*known.unwrap_or_else(|| panic!("no block {label}")))
    }

    fn body(&mut self, text: &str) {
        let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
        let lines: Vec<&str> = lines.collect();
        // Names first: phis look ahead.
        let mut insts = 0;
        for line in &lines {
            if let Some(label) = line.strip_suffix(':') {
                self.blocks
                    .insert(label.to_owned(), self.blocks.len() as u32);
                continue;
            }
            if let Some((left, _)) = line.split_once(" = ") {
                let (name, ty) = left.split_once(" : ").expect("a type");
                let ty = type_of(self.module, ty);
                let value = self.value(ty, ValueKind::Inst(InstId::from_u32(insts)));
                self.names.insert(name.to_owned(), value);
            }
            insts += 1;
        }
        for line in lines {
            if line.ends_with(':') {
                let at = self.function.insts.next_key();
                self.function.blocks.push(BlockData {
                    insts: EntityRange::new(at, at),
                });
                continue;
            }
            let assigned = line.split_once(" = ");
            let (left, right) = assigned.map_or((None, line), |(l, r)| (Some(l), r));
            let words: Vec<&str> = right.split_whitespace().collect();
            let kind = self.instruction(words[0], &words[1..]);
            let result = left.map(|l| self.names[l.split(' ').next().expect("a name")]);
            let void = type_of(self.module, "void");
            let data = |value| self.module.value(Some(&self.function), value);
            let ty = result.map_or(void, |result| data(result).expect("a value").ty);
            self.function.insts.push(Inst {
                kind,
                ty,
                result: result.into(),
                debug_loc: 0,
            });
            let block = self.function.blocks.last_mut().expect("a block");
            block.insts = EntityRange::new(block.insts.start(), self.function.insts.next_key());
        }
    }

    fn instruction(&mut self, op: &str, words: &[&str]) -> InstKind {
        let flags = ArithFlags(0);
        if let [a, b] = words {
            let (name, flag) = op.split_once('.').unwrap_or((op, ""));
            if let Some(op) = binary(name) {
                let flags = match flag {
                    "nuw" => ArithFlags(ArithFlags::NUW),
                    "exact" => ArithFlags(ArithFlags::EXACT),
                    _ => flags,
                };
                return InstKind::Binary {
                    op,
                    lhs: self.operand(a),
                    rhs: self.operand(b),
                    flags,
                };
            }
            if let Some(predicate) = predicate(op) {
                return InstKind::Cmp {
                    predicate,
                    lhs: self.operand(a),
                    rhs: self.operand(b),
                    flags,
                };
            }
        }
        match (op, words) {
            ("select", [c, a, b]) => InstKind::Select {
                cond: self.operand(c),
                then: self.operand(a),
                else_: self.operand(b),
            },
            ("phi" | "br" | "if" | "ret" | "call", _) => self.control(op, words),
            ("alloca" | "load" | "store" | "atomic_add" | "cmpxchg" | "fence" | "address", _) => {
                self.memory(op, words)
            }
            _ => self.parts(op, words),
        }
    }

    /// Reads a phi, a terminator or a call.
    fn control(&mut self, op: &str, words: &[&str]) -> InstKind {
        match (op, words) {
            ("phi", pairs) => {
                let mut list = Vec::new();
                for pair in pairs {
                    let (value, label) = pair.split_once(',').expect("VALUE,LABEL");
                    list.extend([self.operand(value).as_u32(), self.block(label).as_u32()]);
                }
                InstKind::Phi {
                    incoming: self.list(list),
                }
            }
            ("br", [target]) => InstKind::Br {
                target: self.block(target),
            },
            ("if", [cond, then, else_]) => InstKind::CondBr {
                cond: self.operand(cond),
                then: self.block(then),
                else_: self.block(else_),
            },
            ("ret", []) => InstKind::Ret { value: None },
            ("ret", [value]) => InstKind::Ret {
                value: Some(self.operand(value)),
            },
            ("call", [callee, args @ ..]) => {
                let callee = self.operand(callee);
                let kind = self.module.values[callee.as_u32() as usize].kind;
                assert!(matches!(kind, ValueKind::Function(_)), "no function");
                let args = self.values(args);
                InstKind::Call {
                    callee,
                    args,
                    flags: ArithFlags(0),
                    cc: 0,
                    tail: 0,
                    attributes: 0,
                }
            }
            _ => panic!("no instruction {op} {words:?}"),
        }
    }

    /// Reads an access to memory or the computation of an address.
    fn memory(&mut self, op: &str, words: &[&str]) -> InstKind {
        let (volatile, ordering, align) = (false, Ordering::NotAtomic, 4);
        match (op, words) {
            ("alloca", [ty]) => InstKind::Alloca {
                ty: type_of(self.module, ty),
                count: self.operand("i32:1"),
                align,
            },
            ("load", [ptr]) => InstKind::Load {
                ptr: self.operand(ptr),
                align,
                volatile,
                ordering,
            },
            ("store", [value, ptr]) => InstKind::Store {
                ptr: self.operand(ptr),
                value: self.operand(value),
                align,
                volatile,
                ordering,
            },
            ("atomic_add", [ptr, value]) => InstKind::AtomicRmw {
                op: RmwOp::Add,
                ptr: self.operand(ptr),
                value: self.operand(value),
                volatile,
                ordering: Ordering::Monotonic,
                single_thread: false,
            },
            ("cmpxchg", [ptr, compare, new]) => InstKind::CmpXchg {
                ptr: self.operand(ptr),
                compare: self.operand(compare),
                new: self.operand(new),
                volatile,
                success: Ordering::Monotonic,
                failure: Ordering::Monotonic,
                single_thread: false,
                weak: false,
            },
            ("fence", []) => InstKind::Fence {
                ordering: Ordering::SeqCst,
                single_thread: false,
            },
            ("address", [source, operands @ ..]) => InstKind::Gep {
                inbounds: false,
                source: type_of(self.module, source),
                operands: self.values(operands),
            },
            _ => panic!("no instruction {op} {words:?}"),
        }
    }

    /// Reads an operation on parts of a vector or an aggregate.
    fn parts(&mut self, op: &str, words: &[&str]) -> InstKind {
        match (op, words) {
            ("extractelement", [vector, index]) => InstKind::ExtractElement {
                vector: self.operand(vector),
                index: self.operand(index),
            },
            ("insertelement", [vector, value, index]) => InstKind::InsertElement {
                vector: self.operand(vector),
                value: self.operand(value),
                index: self.operand(index),
            },
            ("shufflevector", [a, b, mask]) => InstKind::ShuffleVector {
                a: self.operand(a),
                b: self.operand(b),
                mask: self.operand(mask),
            },
            ("extract", [aggregate, path]) => InstKind::ExtractValue {
                aggregate: self.operand(aggregate),
                indices: self.path(path),
            },
            ("insert", [aggregate, value, path]) => InstKind::InsertValue {
                aggregate: self.operand(aggregate),
                value: self.operand(value),
                indices: self.path(path),
            },
            _ => panic!("no instruction {op} {words:?}"),
        }
    }
}

fn binary(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "mul" => BinaryOp::Mul,
        "udiv" => BinaryOp::UDiv,
        "urem" => BinaryOp::URem,
        "and" => BinaryOp::And,
        "or" => BinaryOp::Or,
        "shl" => BinaryOp::Shl,
        "lshr" => BinaryOp::LShr,
        _ => return None,
    })
}

fn predicate(name: &str) -> Option<Predicate> {
    Some(match name {
        "eq" => Predicate::IEq,
        "ne" => Predicate::INe,
        "ult" => Predicate::IUlt,
        "ugt" => Predicate::IUgt,
        "slt" => Predicate::ISlt,
        "sgt" => Predicate::ISgt,
        _ => return None,
    })
}
