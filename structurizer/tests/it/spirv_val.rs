//! Structured functions as SPIR-V text, through `spirv-as` and `spirv-val` where installed.
//!
//! A few hundred functions make one module, so that the tools start once. `TRELLIS_VAL_GRAPHS` sets
//! the number.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use structurizer_testkit::generate::{Family, random_function};
use trellis_structurizer::ir::{
    Effects, InstKind, LoopHint, SelectionHint, SelectorOp, Terminator, Type, Value, ValueKind,
};
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

impl Module {
    fn value(&self, structured: &Structured, value: Value) -> String {
        let func = &structured.func;
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
        let func = &structured.func;
        let mut out = String::new();
        let f = self.count;
        let names = &mut self.names;
        writeln!(out, "%f{f} = OpFunction %void None %fn").unwrap();
        for value in func.values() {
            if let ValueKind::SelectorConstant(number) = func.value_kind(value) {
                writeln!(self.constants, "%f{f}_{value} = OpConstant %uint {number}").unwrap();
            }
            if let ValueKind::BoolConstant(is_true) = func.value_kind(value) {
                let op = if is_true {
                    "OpConstantTrue"
                } else {
                    "OpConstantFalse"
                };
                writeln!(self.constants, "%f{f}_{value} = {op} %bool").unwrap();
            }
        }
        for &block in &structured.order {
            writeln!(names, "OpName %f{f}_{block} \"f{f}_{block}\"").unwrap();
        }
        let mut extra = 0;
        for &block in &structured.order {
            writeln!(out, "%f{f}_{block} = OpLabel").unwrap();
            for phi in func.phis(block) {
                write!(out, "%f{f}_{phi} = OpPhi %{}", ty(func.value_type(phi))).unwrap();
                for operand in func.phi_operands(phi) {
                    write!(
                        out,
                        " {} %f{f}_{}",
                        self.value(structured, operand.value),
                        operand.pred
                    )
                    .unwrap();
                }
                out.push('\n');
            }
            for inst in func.insts(block) {
                if let InstKind::SelectorTest { op, constant } = func.inst_kind(inst) {
                    let name = if op == SelectorOp::Equal {
                        "OpIEqual"
                    } else {
                        "OpULessThanEqual"
                    };
                    let number = format!("%f{f}_k{extra}");
                    extra += 1;
                    writeln!(self.constants, "{number} = OpConstant %uint {constant}").unwrap();
                    let result = func.results(inst).next().unwrap();
                    writeln!(
                        out,
                        "%f{f}_{result} = {name} %bool {} {number}",
                        self.value(structured, func.uses(inst)[0])
                    )
                    .unwrap();
                    continue;
                }
                if let (InstKind::Select, &[cond, then, otherwise]) =
                    (func.inst_kind(inst), func.uses(inst))
                {
                    let result = func.results(inst).next().unwrap();
                    let [cond, then, otherwise] =
                        [cond, then, otherwise].map(|value| self.value(structured, value));
                    let ty = ty(func.value_type(result));
                    writeln!(
                        out,
                        "%f{f}_{result} = OpSelect %{ty} {cond} {then} {otherwise}"
                    )
                    .unwrap();
                    continue;
                }
                for &value in func.uses(inst) {
                    self.consume(&mut out, structured, value, &mut extra);
                }
                if func.effects(inst).contains(Effects::SIDE_EFFECT) {
                    writeln!(out, "OpStore %out %one").unwrap();
                }
                for result in func.results(inst) {
                    let (op, ty, operands) = match ty(func.value_type(result)) {
                        "bool" => ("OpLogicalNot", "bool", "%true"),
                        "uint" => ("OpIAdd", "uint", "%one %one"),
                        _ => ("OpFAdd", "float", "%fone %fone"),
                    };
                    writeln!(out, "%f{f}_{result} = {op} %{ty} {operands}").unwrap();
                }
            }
            self.end(&mut out, structured, block, &mut extra);
        }
        out.push_str("OpFunctionEnd\n");
        self.functions.push_str(&out);
        self.count += 1;
    }

    /// Writes an instruction that reads a value and does nothing with it.
    fn consume(&self, out: &mut String, structured: &Structured, value: Value, extra: &mut u32) {
        let ty = ty(structured.func.value_type(value));
        let op = match ty {
            "bool" => "OpLogicalNot",
            "uint" => "OpNot",
            _ => "OpFNegate",
        };
        writeln!(
            out,
            "%f{}_k{extra} = {op} %{ty} {}",
            self.count,
            self.value(structured, value)
        )
        .unwrap();
        *extra += 1;
    }

    fn end(
        &self,
        out: &mut String,
        structured: &Structured,
        block: trellis_structurizer::ir::Block,
        extra: &mut u32,
    ) {
        let func = &structured.func;
        let f = self.count;
        if let Some(Terminator::Return(Some(value))) = func.terminator(block) {
            self.consume(out, structured, value, extra);
        }
        match structured.merges[block] {
            Merge::None => {}
            Merge::Selection { merge, hint } => {
                let hint = match hint {
                    SelectionHint::None => "None",
                    SelectionHint::Flatten => "Flatten",
                    SelectionHint::DontFlatten => "DontFlatten",
                };
                writeln!(out, "OpSelectionMerge %f{f}_{merge} {hint}").unwrap();
            }
            Merge::Loop {
                merge,
                continue_target,
                hint,
            } => {
                let hint = match hint {
                    LoopHint::Unroll | LoopHint::UnrollCount(_) => "Unroll",
                    LoopHint::DontUnroll => "DontUnroll",
                    LoopHint::None => "None",
                };
                writeln!(
                    out,
                    "OpLoopMerge %f{f}_{merge} %f{f}_{continue_target} {hint}"
                )
                .unwrap();
            }
        }
        match func.terminator(block).unwrap() {
            Terminator::Branch(to) => writeln!(out, "OpBranch %f{f}_{to}"),
            Terminator::CondBranch {
                cond, then, else_, ..
            } => {
                writeln!(
                    out,
                    "OpBranchConditional {} %f{f}_{then} %f{f}_{else_}",
                    self.value(structured, cond)
                )
            }
            Terminator::Switch {
                value,
                default,
                cases,
                ..
            } => {
                write!(
                    out,
                    "OpSwitch {} %f{f}_{default}",
                    self.value(structured, value)
                )
                .unwrap();
                for case in func.cases(cases) {
                    write!(out, " {} %f{f}_{}", case.literal, case.target).unwrap();
                }
                writeln!(out)
            }
            Terminator::Return(_) => writeln!(out, "OpReturn"),
            Terminator::Kill | Terminator::Exit(_) => writeln!(out, "OpKill"),
            Terminator::Unreachable => writeln!(out, "OpUnreachable"),
            Terminator::BreakBranch { .. } => panic!("a break branch in {block}"),
        }
        .unwrap();
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
    let command = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = command.ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    Some(if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout))
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
    let count = std::env::var("TRELLIS_VAL_GRAPHS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(400);
    let mut module = Module::default();
    for seed in 0..count {
        let func = random_function(seed, if seed % 4 == 0 { 64 } else { 16 });
        module.add(&structurize(func, &Options::default()).unwrap());
    }
    validate(&module, &|seed| {
        let func = random_function(seed as u64, if seed % 4 == 0 { 64 } else { 16 });
        let after = structurize(func.clone(), &Options::default()).unwrap();
        format!(
            "seed {seed}\n{}\n{}",
            trellis_structurizer::text::print(&func),
            trellis_structurizer::text::print_structured(&after)
        )
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
