//! DXIL's operations as intrinsics.

use trellis_dxil_frontend::dxop::{DxCall, Op};
use trellis_dxil_frontend::module::{InstId, Type, ValueId};

use crate::body::Body;
use crate::types::{Expr, FLOAT, INT, Scalar, UINT, prec, vector};

/// Signs of an intrinsic's integer operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Any,
    Signed,
    Unsigned,
}

/// Returns the intrinsic that takes an operation's operands.
fn intrinsic(op: Op) -> Option<(&'static str, Sign)> {
    use Sign::{Any, Signed, Unsigned};
    Some(match op {
        Op::FAbs => ("abs", Any),
        Op::Saturate => ("saturate", Any),
        Op::IsNaN => ("isnan", Any),
        Op::IsInf => ("isinf", Any),
        Op::IsFinite => ("isfinite", Any),
        Op::Cos => ("cos", Any),
        Op::Sin => ("sin", Any),
        Op::Tan => ("tan", Any),
        Op::Acos => ("acos", Any),
        Op::Asin => ("asin", Any),
        Op::Atan => ("atan", Any),
        Op::Hcos => ("cosh", Any),
        Op::Hsin => ("sinh", Any),
        Op::Htan => ("tanh", Any),
        Op::Exp => ("exp2", Any),
        Op::Frc => ("frac", Any),
        Op::Log => ("log2", Any),
        Op::Sqrt => ("sqrt", Any),
        Op::Rsqrt => ("rsqrt", Any),
        Op::RoundNe => ("round", Any),
        Op::RoundNi => ("floor", Any),
        Op::RoundPi => ("ceil", Any),
        Op::RoundZ => ("trunc", Any),
        Op::Bfrev => ("reversebits", Unsigned),
        Op::Countbits => ("countbits", Unsigned),
        Op::FirstbitLo => ("firstbitlow", Unsigned),
        Op::FMax => ("max", Any),
        Op::FMin => ("min", Any),
        Op::IMax => ("max", Signed),
        Op::IMin => ("min", Signed),
        Op::UMax => ("max", Unsigned),
        Op::UMin => ("min", Unsigned),
        Op::FMad => ("mad", Any),
        Op::Fma => ("fma", Any),
        Op::IMad => ("mad", Signed),
        Op::UMad => ("mad", Unsigned),
        Op::DerivCoarseX => ("ddx_coarse", Any),
        Op::DerivCoarseY => ("ddy_coarse", Any),
        Op::DerivFineX => ("ddx_fine", Any),
        Op::DerivFineY => ("ddy_fine", Any),
        Op::MakeDouble => ("asdouble", Unsigned),
        Op::LegacyF32ToF16 => ("f32tof16", Any),
        Op::LegacyF16ToF32 => ("f16tof32", Unsigned),
        Op::WaveIsFirstLane => ("WaveIsFirstLane", Any),
        Op::WaveGetLaneIndex => ("WaveGetLaneIndex", Any),
        Op::WaveGetLaneCount => ("WaveGetLaneCount", Any),
        Op::WaveAnyTrue => ("WaveActiveAnyTrue", Any),
        Op::WaveAllTrue => ("WaveActiveAllTrue", Any),
        Op::WaveActiveAllEqual => ("WaveActiveAllEqual", Any),
        Op::WaveActiveBallot => ("WaveActiveBallot", Any),
        Op::WaveReadLaneAt => ("WaveReadLaneAt", Any),
        Op::WaveReadLaneFirst => ("WaveReadLaneFirst", Any),
        Op::WaveAllBitCount => ("WaveActiveCountBits", Any),
        Op::WavePrefixBitCount => ("WavePrefixCountBits", Any),
        Op::WaveMatch => ("WaveMatch", Any),
        Op::QuadReadLaneAt => ("QuadReadLaneAt", Any),
        Op::IsHelperLane => ("IsHelperLane", Any),
        Op::RenderTargetGetSampleCount => ("GetRenderTargetSampleCount", Any),
        Op::CheckAccessFullyMapped => ("CheckAccessFullyMapped", Any),
        Op::GeometryIndex => ("GeometryIndex", Any),
        Op::InstanceID => ("InstanceID", Any),
        Op::InstanceIndex => ("InstanceIndex", Any),
        Op::HitKind => ("HitKind", Any),
        Op::RayFlags => ("RayFlags", Any),
        Op::PrimitiveIndex => ("PrimitiveIndex", Any),
        Op::RayTMin => ("RayTMin", Any),
        Op::RayTCurrent => ("RayTCurrent", Any),
        _ => return None,
    })
}

/// Functions for operations without an intrinsic.
const HELPERS: [(&str, &str); 12] = [
    (
        "split_double",
        "uint2 split_double(double v) { uint low, high; asuint(v, low, high); return uint2(low, high); }\n",
    ),
    (
        "firstbithigh32_from_msb",
        "uint firstbithigh32_from_msb(uint v) { uint b = firstbithigh(v); return b == 0xFFFFFFFFu ? b : 31u - b; }\n",
    ),
    (
        "firstbithigh32_from_msb_signed",
        "uint firstbithigh32_from_msb_signed(int v) { uint b = firstbithigh(v); return b == 0xFFFFFFFFu ? b : 31u - b; }\n",
    ),
    (
        "firstbithigh16_from_msb",
        "uint firstbithigh16_from_msb(uint16_t v) { uint b = firstbithigh(v); return b == 0xFFFFFFFFu ? b : 15u - b; }\n",
    ),
    (
        "firstbithigh16_from_msb_signed",
        "uint firstbithigh16_from_msb_signed(int16_t v) { uint b = firstbithigh(v); return b == 0xFFFFFFFFu ? b : 15u - b; }\n",
    ),
    (
        "firstbithigh64_from_msb",
        "uint firstbithigh64_from_msb(uint64_t v) { uint b = firstbithigh(v); return b == 0xFFFFFFFFu ? b : 63u - b; }\n",
    ),
    (
        "firstbithigh64_from_msb_signed",
        "uint firstbithigh64_from_msb_signed(int64_t v) { uint b = firstbithigh(v); return b == 0xFFFFFFFFu ? b : 63u - b; }\n",
    ),
    (
        "bitfield_extract",
        "uint bitfield_extract(uint width, uint offset, uint v) { width &= 31u; offset &= 31u; return width == 0u ? 0u : width + offset < 32u ? v << (32u - width - offset) >> (32u - width) : v >> offset; }\n",
    ),
    (
        "bitfield_extract_signed",
        "int bitfield_extract_signed(uint width, uint offset, int v) { width &= 31u; offset &= 31u; return width == 0u ? 0 : width + offset < 32u ? v << (32u - width - offset) >> (32u - width) : v >> offset; }\n",
    ),
    (
        "bitfield_insert",
        "uint bitfield_insert(uint width, uint offset, uint v, uint into) { uint mask = ((1u << (width & 31u)) - 1u) << (offset & 31u); return (v << (offset & 31u) & mask) | (into & ~mask); }\n",
    ),
    (
        "add_with_carry",
        "uint2 add_with_carry(uint a, uint b) { uint sum = a + b; return uint2(sum, (uint)(sum < a)); }\n",
    ),
    (
        "subtract_with_borrow",
        "uint2 subtract_with_borrow(uint a, uint b) { return uint2(a - b, (uint)(a < b)); }\n",
    ),
];

/// Returns the definition of a helper function.
pub(crate) fn helper(name: &str) -> &'static str {
    HELPERS
        .iter()
        .find(|helper| helper.0 == name)
        .map_or("", |helper| helper.1)
}

impl Body<'_, '_> {
    /// Returns a literal operand of a call.
    pub(crate) fn literal(&self, call: &DxCall<'_>, index: usize) -> Option<u64> {
        self.p
            .module
            .const_int(Some(self.function), call.operand(index)?)
    }

    pub(crate) fn arg(&mut self, call: &DxCall<'_>, index: usize) -> Expr {
        call.operand(index)
            .map_or_else(|| Expr::atom("0", UINT), |value| self.any_sign(value))
    }

    pub(crate) fn arg_as(&mut self, call: &DxCall<'_>, index: usize, ty: Scalar) -> Expr {
        call.operand(index)
            .map_or_else(|| Expr::atom("0", ty), |value| self.operand_as(value, ty))
    }

    fn args(&mut self, call: &DxCall<'_>, sign: Sign, count: usize) -> Vec<Expr> {
        let one = |this: &mut Self, index| match sign {
            Sign::Any => this.arg(call, index),
            Sign::Signed => this.arg_as(call, index, INT),
            Sign::Unsigned => this.arg_as(call, index, UINT),
        };
        (0..count).map(|index| one(self, index)).collect()
    }

    fn help(&mut self, name: &'static str, args: &[Expr], ty: Scalar) -> Expr {
        self.p.helpers.insert(name);
        Expr::call(name, args, ty)
    }

    /// Returns the result of a call.
    pub(crate) fn call(&mut self, id: InstId) -> Expr {
        let function = self.function;
        let inst = &function.insts[id];
        let (ty, _) = self.type_of(inst.ty);
        let Ok(Some(call)) = self.p.ops.parse(self.p.module, function, id) else {
            return self.call_function(id, ty);
        };
        let count = call.args.len();
        if let Some((name, sign)) = intrinsic(call.op) {
            let args = self.args(&call, sign, count);
            let ty = match (sign, ty) {
                (Sign::Signed, Scalar::Int { .. }) => ty.with_sign(true),
                (Sign::Any, Scalar::Int { .. }) => args.first().map_or(ty, |a| match a.ty {
                    Scalar::Int { signed, .. } if call.op != Op::LegacyF32ToF16 => {
                        ty.with_sign(signed)
                    }
                    _ => ty,
                }),
                _ => ty,
            };
            return Expr::call(name, &args, ty);
        }
        if let Some(expr) = self.access(&call, ty) {
            return expr;
        }
        if let Some(expr) = self.input(&call, ty) {
            return expr;
        }
        let literal = |this: &Self, index| this.literal(&call, index).unwrap_or(0);
        match call.op {
            Op::FirstbitHi | Op::FirstbitSHi => {
                let signed = call.op == Op::FirstbitSHi;
                let arg = self.arg_as(&call, 0, INT.with_sign(signed));
                let name = match (arg.ty.bytes(), signed) {
                    (2, false) => "firstbithigh16_from_msb",
                    (2, true) => "firstbithigh16_from_msb_signed",
                    (8, false) => "firstbithigh64_from_msb",
                    (8, true) => "firstbithigh64_from_msb_signed",
                    (_, false) => "firstbithigh32_from_msb",
                    (_, true) => "firstbithigh32_from_msb_signed",
                };
                self.help(name, &[arg], UINT)
            }
            Op::Ubfe => {
                let args = self.args(&call, Sign::Unsigned, 3);
                self.help("bitfield_extract", &args, UINT)
            }
            Op::Ibfe => {
                let mut args = self.args(&call, Sign::Unsigned, 2);
                args.push(self.arg_as(&call, 2, INT));
                self.help("bitfield_extract_signed", &args, INT)
            }
            Op::Bfi => {
                let args = self.args(&call, Sign::Unsigned, 4);
                self.help("bitfield_insert", &args, UINT)
            }
            Op::UAddc => {
                let args = self.args(&call, Sign::Unsigned, 2);
                self.help("add_with_carry", &args, UINT)
            }
            Op::USubb => {
                let args = self.args(&call, Sign::Unsigned, 2);
                self.help("subtract_with_borrow", &args, UINT)
            }
            Op::UDiv => {
                let args = self.args(&call, Sign::Unsigned, 2);
                let [a, b] = [args[0].at(prec::MUL), args[1].at(prec::UNARY)];
                Expr::atom(format!("uint2({a} / {b}, {a} % {b})"), UINT)
            }
            Op::IMul | Op::UMul => {
                let sign = if call.op == Op::IMul {
                    Sign::Signed
                } else {
                    Sign::Unsigned
                };
                let args = self.args(&call, sign, 2);
                let wide = if call.op == Op::IMul {
                    "int64_t"
                } else {
                    "uint64_t"
                };
                let product = format!(
                    "({wide}){} * {}",
                    args[0].at(prec::UNARY),
                    args[1].at(prec::UNARY)
                );
                Expr::atom(
                    format!("uint2((uint)(({product}) >> 32), (uint)({product}))"),
                    UINT,
                )
            }
            Op::IsNormal => {
                let value = self.arg(&call, 0);
                let text = format!(
                    "(asuint({0}) & 0x7F800000u) - 0x800000u < 0x7F000000u",
                    value.text
                );
                Expr::new(text, prec::RELATION, Scalar::Bool)
            }
            Op::Dot2 | Op::Dot3 | Op::Dot4 => {
                let args = self.args(&call, Sign::Any, count);
                let (a, b) = args.split_at(count / 2);
                Expr::call("dot", &[vector(a, ty), vector(b, ty)], ty)
            }
            Op::Dot2AddHalf => {
                let args = self.args(&call, Sign::Any, 5);
                let half = args[1].ty;
                let (a, b) = (vector(&args[1..3], half), vector(&args[3..5], half));
                Expr::call("dot2add", &[a, b, args[0].clone()], ty)
            }
            Op::Dot4AddI8Packed | Op::Dot4AddU8Packed => {
                let (name, sum) = match call.op {
                    Op::Dot4AddI8Packed => ("dot4add_i8packed", INT),
                    _ => ("dot4add_u8packed", UINT),
                };
                let (a, b) = (self.arg_as(&call, 1, UINT), self.arg_as(&call, 2, UINT));
                let acc = self.arg_as(&call, 0, sum);
                Expr::call(name, &[a, b, acc], sum)
            }
            Op::SplitDouble => {
                // The intrinsic writes its results to variables.
                let value = self.arg(&call, 0);
                self.p.helpers.insert("split_double");
                Expr::call("split_double", &[value], UINT)
            }
            Op::BitcastI16toF16
            | Op::BitcastF16toI16
            | Op::BitcastI32toF32
            | Op::BitcastF32toI32 => self.arg(&call, 0).reinterpret(ty),
            Op::LegacyDoubleToFloat => self.arg(&call, 0).cast(FLOAT),
            Op::LegacyDoubleToSInt32 => self.arg(&call, 0).cast(INT),
            Op::LegacyDoubleToUInt32 => self.arg(&call, 0).cast(UINT),
            Op::WaveActiveOp | Op::WavePrefixOp => {
                let names = match (call.op, literal(self, 1)) {
                    (Op::WaveActiveOp, 0) => "WaveActiveSum",
                    (Op::WaveActiveOp, 1) => "WaveActiveProduct",
                    (Op::WaveActiveOp, 2) => "WaveActiveMin",
                    (Op::WaveActiveOp, _) => "WaveActiveMax",
                    (_, 0) => "WavePrefixSum",
                    _ => "WavePrefixProduct",
                };
                let ty = ty.with_sign(literal(self, 2) == 0);
                let value = self.arg_as(&call, 0, ty);
                Expr::call(names, &[value], ty)
            }
            Op::WaveActiveBit => {
                let name = ["WaveActiveBitAnd", "WaveActiveBitOr", "WaveActiveBitXor"];
                let value = self.arg_as(&call, 0, UINT);
                Expr::call(name[literal(self, 1).min(2) as usize], &[value], ty)
            }
            Op::WaveMultiPrefixOp => {
                let name = [
                    "WaveMultiPrefixSum",
                    "WaveMultiPrefixBitAnd",
                    "WaveMultiPrefixBitOr",
                    "WaveMultiPrefixBitXor",
                    "WaveMultiPrefixProduct",
                ];
                let ty = ty.with_sign(literal(self, 6) == 0);
                let value = self.arg_as(&call, 0, ty);
                let mask = self.mask(&call);
                Expr::call(name[literal(self, 5).min(4) as usize], &[value, mask], ty)
            }
            Op::WaveMultiPrefixBitCount => {
                let value = self.arg(&call, 0);
                let mask = self.mask(&call);
                Expr::call("WaveMultiPrefixCountBits", &[value, mask], ty)
            }
            Op::QuadOp => {
                let names = [
                    "QuadReadAcrossX",
                    "QuadReadAcrossY",
                    "QuadReadAcrossDiagonal",
                ];
                let value = self.arg(&call, 0);
                let ty = value.ty;
                Expr::call(names[literal(self, 1).min(2) as usize], &[value], ty)
            }
            Op::QuadVote => {
                let value = self.arg(&call, 0);
                let name = ["QuadAny", "QuadAll"][literal(self, 1).min(1) as usize];
                Expr::call(name, &[value], ty)
            }
            Op::Unpack4x8 => {
                let signed = literal(self, 0) == 1;
                let (packed, to) = if signed {
                    ("int8_t4_packed", "s")
                } else {
                    ("uint8_t4_packed", "u")
                };
                let value = self.arg_as(&call, 1, UINT);
                let bits = if ty.bytes() == 2 { "16" } else { "32" };
                let text = format!(
                    "unpack_{to}8{to}{bits}(({packed}){})",
                    value.at(prec::UNARY)
                );
                Expr::atom(text, ty.with_sign(signed))
            }
            Op::Pack4x8 => {
                let name =
                    ["pack_u8", "pack_clamp_u8", "pack_clamp_s8"][literal(self, 0).min(2) as usize];
                let mut args = self.args(&call, Sign::Any, 5);
                args.remove(0);
                let of = args[0].ty.with_sign(true);
                let args: Vec<Expr> = args.into_iter().map(|a| a.cast(of)).collect();
                let inner = Expr::call(&format!("{}4", of.name()), &args, of);
                Expr::new(format!("(uint){name}({})", inner.text), prec::UNARY, UINT)
            }
            _ => self.other(&call, ty),
        }
    }

    fn mask(&mut self, call: &DxCall<'_>) -> Expr {
        let words: Vec<Expr> = (1..5).map(|index| self.arg_as(call, index, UINT)).collect();
        vector(&words, UINT)
    }

    /// Returns an operation that is not written as HLSL: its name and operands.
    pub(crate) fn other(&mut self, call: &DxCall<'_>, ty: Scalar) -> Expr {
        self.p.note(&format!("the operation {}", call.op.name()));
        let mut args = Vec::new();
        for &value in call.args {
            let value = ValueId::from_u32(value);
            let data = self.p.module.value(Some(self.function), value);
            let is_number = data.is_some_and(|data| self.scalar(data.ty).is_some());
            if is_number {
                args.push(self.operand(value));
            }
        }
        Expr::call(call.op.name(), &args, ty)
    }

    fn call_function(&mut self, id: InstId, ty: Scalar) -> Expr {
        use trellis_dxil_frontend::module::{CallArg, InstKind, ValueKind};
        let function = self.function;
        let InstKind::Call { callee, args, .. } = function.insts[id].kind else {
            return Expr::atom("0", ty);
        };
        let Some(ValueKind::Function(callee)) = self.p.module.value(None, callee).map(|v| v.kind)
        else {
            return self.unwritten("a call of an address", ty);
        };
        let mut values = Vec::new();
        for arg in function.call_args(args) {
            let CallArg::Value(value) = arg else {
                continue;
            };
            let data = self.p.module.value(Some(function), value);
            values.push(match data.map(|data| self.p.module.ty(data.ty)) {
                Some(Type::Pointer { .. }) => match self.pointee(value) {
                    Some((text, ty)) => Expr::atom(text, ty),
                    None => self.unwritten("an address as an argument", UINT),
                },
                _ => self.any_sign(value),
            });
        }
        let name = self.p.function_name(callee);
        Expr::call(&name, &values, ty)
    }
}
