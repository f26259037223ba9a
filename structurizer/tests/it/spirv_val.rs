//! Structured functions as SPIR-V text, through `spirv-as` and `spirv-val` where installed.
//!
//! A few hundred functions make one module, so that the tools start once. `TRELLIS_VAL_GRAPHS` sets
//! the number.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use structurizer_testkit::generate::{Family, random_function};
use structurizer_testkit::harness::setting;
use trellis_structurizer::ir::{
    Block, Effects, Function, Inst, InstKind, LoopHint, SelectorOp, Terminator, Type, Value,
    ValueKind,
};
use trellis_structurizer::text::{print, print_structured};
use trellis_structurizer::{Merge, Options, Structured, structurize};

use crate::common::switch_loop;

const HEADER: &str = "\
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %out
OpExecutionMode %main OriginUpperLeft
";

const TYPES: &str = "\
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%true = OpConstantTrue %bool
%one = OpConstant %uint 1
%fone = OpConstant %float 1
%ubool = OpUndef %bool
%uuint = OpUndef %uint
%ufloat = OpUndef %float
%ptr = OpTypePointer Output %uint
%out = OpVariable %ptr Output
%main = OpFunction %void None %fn
%main_entry = OpLabel
OpReturn
OpFunctionEnd
";

fn ty(ty: Type) -> &'static str {
    match ty {
        Type::BOOL | Type(1) => "bool",
        Type::SELECTOR | Type(2) => "uint",
        _ => "float",
    }
}

#[derive(Default)]
struct Module {
    names: String,
    constants: String,
    functions: String,
    count: usize,
}

/// Appends a line.
macro_rules! line {
    ($out:expr, $($text:tt)*) => { writeln!($out, $($text)*).unwrap() };
}

impl Module {
    fn value(&self, func: &Function, value: Value) -> String {
        let ty = ty(func.value_type(value));
        match func.value_kind(value) {
            ValueKind::Constant { .. } if ty == "bool" => "%true".to_owned(),
            ValueKind::Constant { .. } if ty == "uint" => "%one".to_owned(),
            ValueKind::Constant { .. } => "%fone".to_owned(),
            ValueKind::Undef => format!("%u{ty}"),
            _ => format!("%f{}_{value}", self.count),
        }
    }

    fn add(&mut self, structured: &Structured) {
        let (func, f) = (&structured.func, self.count);
        let mut out = format!("%f{f} = OpFunction %void None %fn\n");
        for value in func.values() {
            let constant = match func.value_kind(value) {
                ValueKind::SelectorConstant(number) => format!("OpConstant %uint {number}"),
                ValueKind::BoolConstant(true) => "OpConstantTrue %bool".to_owned(),
                ValueKind::BoolConstant(false) => "OpConstantFalse %bool".to_owned(),
                _ => continue,
            };
            line!(self.constants, "%f{f}_{value} = {constant}");
        }
        let mut extra = 0;
        for &block in &structured.order {
            line!(self.names, "OpName %f{f}_{block} \"f{f}_{block}\"");
            line!(out, "%f{f}_{block} = OpLabel");
            for phi in func.phis(block) {
                let operands = func.phi_operands(phi).map(|operand| {
                    let value = self.value(func, operand.value);
                    format!(" {value} %f{f}_{}", operand.pred)
                });
                let (ty, operands) = (ty(func.value_type(phi)), operands.collect::<String>());
                line!(out, "%f{f}_{phi} = OpPhi %{ty}{operands}");
            }
            for inst in func.insts(block) {
                self.inst(&mut out, func, inst, &mut extra);
            }
            if let Some(Terminator::Return(Some(value))) = func.terminator(block) {
                self.consume(&mut out, func, value, &mut extra);
            }
            self.end(&mut out, structured, block);
        }
        self.functions += &(out + "OpFunctionEnd\n");
        self.count += 1;
    }

    fn inst(&mut self, out: &mut String, func: &Function, inst: Inst, extra: &mut u32) {
        let (f, uses) = (self.count, func.uses(inst));
        let operands: Vec<String> = uses.iter().map(|&value| self.value(func, value)).collect();
        let operands = operands.join(" ");
        let plain = match func.inst_kind(inst) {
            InstKind::SelectorTest { op, constant } => {
                let number = format!("%f{f}_k{extra}");
                *extra += 1;
                line!(self.constants, "{number} = OpConstant %uint {constant}");
                match op {
                    SelectorOp::Equal => Some(format!("OpIEqual %bool {operands} {number}")),
                    SelectorOp::LessEqual => {
                        Some(format!("OpULessThanEqual %bool {operands} {number}"))
                    }
                }
            }
            InstKind::Select => {
                let ty = ty(func.value_type(uses[1]));
                Some(format!("OpSelect %{ty} {operands}"))
            }
            InstKind::Client(_) => {
                for &value in uses {
                    self.consume(out, func, value, extra);
                }
                if func.effects(inst).contains(Effects::SIDE_EFFECT) {
                    line!(out, "OpStore %out %one");
                }
                None
            }
        };
        for result in func.results(inst) {
            let client = match ty(func.value_type(result)) {
                "bool" => "OpLogicalNot %bool %true",
                "uint" => "OpIAdd %uint %one %one",
                _ => "OpFAdd %float %fone %fone",
            };
            let text = plain.as_deref().unwrap_or(client);
            line!(out, "%f{f}_{result} = {text}");
        }
    }

    /// Writes an instruction that reads a value and does nothing with it.
    fn consume(&self, out: &mut String, func: &Function, value: Value, extra: &mut u32) {
        let ty = ty(func.value_type(value));
        let op = match ty {
            "bool" => "OpLogicalNot",
            "uint" => "OpNot",
            _ => "OpFNegate",
        };
        let (f, value) = (self.count, self.value(func, value));
        line!(out, "%f{f}_k{extra} = {op} %{ty} {value}");
        *extra += 1;
    }

    fn end(&self, out: &mut String, structured: &Structured, block: Block) {
        let (func, f) = (&structured.func, self.count);
        match structured.merges[block] {
            Merge::None => {}
            // The names are SPIR-V's: None, Flatten, DontFlatten.
            Merge::Selection { merge, hint } => {
                line!(out, "OpSelectionMerge %f{f}_{merge} {hint:?}");
            }
            Merge::Loop {
                merge,
                continue_target: to,
                hint,
            } => {
                let hint = match hint {
                    LoopHint::Unroll | LoopHint::UnrollCount(_) => "Unroll",
                    LoopHint::DontUnroll => "DontUnroll",
                    LoopHint::None => "None",
                };
                line!(out, "OpLoopMerge %f{f}_{merge} %f{f}_{to} {hint}");
            }
        }
        let terminator = func.terminator(block).unwrap();
        let value = { terminator.value() }.map(|value| self.value(func, value));
        let value = value.unwrap_or_default();
        match terminator {
            Terminator::Branch(to) => line!(out, "OpBranch %f{f}_{to}"),
            Terminator::CondBranch { then, else_, .. } => {
                line!(
                    out,
                    "OpBranchConditional {value} %f{f}_{then} %f{f}_{else_}"
                );
            }
            Terminator::Switch { default, cases, .. } => {
                let cases = func.cases(cases).iter();
                let cases = cases.map(|case| format!(" {} %f{f}_{}", case.literal, case.target));
                let cases: String = cases.collect();
                line!(out, "OpSwitch {value} %f{f}_{default}{cases}");
            }
            Terminator::Return(_) => line!(out, "OpReturn"),
            Terminator::Kill | Terminator::Exit(_) => line!(out, "OpKill"),
            Terminator::Unreachable => line!(out, "OpUnreachable"),
            Terminator::BreakBranch { .. } => panic!("a break branch in {block}"),
        }
    }

    fn text(&self) -> String {
        // Names come before decorations, constants before the first function.
        let (decorations, rest) = TYPES.split_once("%void =").unwrap();
        let (types, main) = rest.split_once("%main = ").unwrap();
        format!(
            "{HEADER}{}{decorations}%void ={types}{}%main = {main}{}",
            self.names, self.constants, self.functions
        )
    }
}

/// Runs a tool on some input; `None` if it is not installed.
fn run(tool: &str, arguments: &[&str], input: &[u8]) -> Option<Result<Vec<u8>, String>> {
    let mut command = Command::new(tool);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let pipes = pipes.stderr(Stdio::piped()).args(arguments);
    let mut child = pipes.spawn().ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let words = [output.stderr, output.stdout.clone()].concat();
    Some(match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&words).into_owned()),
    })
}

/// Validates a module; on an error `name` identifies the function.
fn validate(module: &Module, name: &dyn Fn(usize) -> String) {
    let text = module.text();
    let Some(words) = run(
        "spirv-as",
        &["--target-env", "spv1.6", "-o", "-", "-"],
        text.as_bytes(),
    ) else {
        println!("skipped: spirv-as is not installed");
        return;
    };
    let words = words.unwrap_or_else(|error| panic!("spirv-as: {error}"));
    match run("spirv-val", &["--target-env", "vulkan1.3", "-"], &words) {
        None => println!("skipped: spirv-val is not installed"),
        Some(Ok(_)) => {}
        Some(Err(error)) => {
            // Messages name blocks by OpName: `12[%f3_b4]`.
            let function = error
                .split("[%f")
                .nth(1)
                .and_then(|rest| rest.split('_').next())
                .and_then(|number| number.parse().ok());
            panic!(
                "spirv-val: {error}\n{}",
                function.map(name).unwrap_or_default()
            );
        }
    }
}

#[test]
fn random_graphs_validate() {
    let function = |seed| random_function(seed, if seed % 4 == 0 { 64 } else { 16 });
    let mut module = Module::default();
    for seed in 0..setting("TRELLIS_VAL_GRAPHS", 400) {
        module.add(&structurize(function(seed), &Options::default()).unwrap());
    }
    validate(&module, &|seed| {
        let func = function(seed as u64);
        let text = print(&func);
        let after = structurize(func, &Options::default()).unwrap();
        format!("seed {seed}\n{text}\n{}", print_structured(&after))
    });
}

#[test]
fn families_validate() {
    let mut module = Module::default();
    for family in Family::ALL {
        module.add(&structurize(family.function(24), &Options::default()).unwrap());
    }
    validate(&module, &|index| format!("{:?}", Family::ALL[index]));
}

#[test]
fn the_switch_in_a_loop_validates() {
    let mut module = Module::default();
    for seed in 0..60 {
        module.add(&switch_loop::structurize(&random_function(seed, 16)));
    }
    validate(&module, &|seed| format!("seed {seed}"));
}
