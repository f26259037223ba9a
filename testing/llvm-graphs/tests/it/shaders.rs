//! Shaders of programs made by hand: each operation at each width, on the CPU and on a Vulkan
//! device if there is one; modules against `spirv-val` if that is installed.

use std::path::Path;
use std::process::Command;

use gpu_test::vulkan::Device;
use llvm_graphs::compare::{Checker, difference, expected, layout_of, run_on_device};
use llvm_graphs::evaluate::{digest, evaluate};
use llvm_graphs::program::{Binary, INPUTS, Op, POINTER, Predicate, Program, bits, truncate};
use llvm_graphs::random::inputs;
use llvm_graphs::shader::{Layout, shader};
use trellis_structurizer::ir::{Block, Effects, Terminator, Type, Value};
use trellis_structurizer::text::parse;
use trellis_structurizer::{Options, Stages, structurize};

const BINARY: [Binary; 19] = {
    use Binary::*;
    [
        Add, Sub, Mul, UDiv, URem, SDiv, SRem, And, Or, Xor, Shl, LShr, AShr, UMin, UMax, SMin,
        SMax, USubSat, UAddSat,
    ]
};

/// Builds programs.
#[derive(Default)]
struct Maker {
    program: Program,
    events: u64,
}

impl Maker {
    fn constant(&mut self, number: u64, ty: Type) -> Value {
        self.program.constants.push(number);
        self.program
            .func
            .add_constant(self.program.constants.len() as u32 - 1, ty)
    }

    fn inst(&mut self, block: Block, op: Op, uses: &[Value], result: Type) -> Value {
        self.program.ops.push(op);
        let inst = self.program.func.append_inst(
            block,
            self.program.ops.len() as u32 - 1,
            Effects::NONE,
            uses,
            &[result],
        );
        self.program.func.results(inst).next().unwrap()
    }

    fn input(&mut self, block: Block, index: u64) -> Value {
        let pointer = self.constant(index, POINTER);
        self.inst(block, Op::Load, &[pointer], bits(32))
    }

    /// Shows a value of any width: the lower and the upper half.
    fn event(&mut self, block: Block, value: Value) {
        let ty = self.program.func.value_type(value);
        let mut parts = vec![self.inst(block, Op::ZeroExtend, &[value], bits(32))];
        if ty.0 > 32 {
            let half = self.constant(32, ty);
            let high = self.inst(block, Op::Binary(Binary::LShr), &[value, half], ty);
            parts.push(self.inst(block, Op::ZeroExtend, &[high], bits(32)));
        }
        for part in parts {
            self.events += 1;
            let id = self.constant(self.events, bits(32));
            self.program.ops.push(Op::Event);
            self.program.func.append_inst(
                block,
                self.program.ops.len() as u32 - 1,
                Effects::SIDE_EFFECT,
                &[id, part],
                &[],
            );
        }
    }

    /// Appends two inputs as numbers of a width, with the upper bits of wide ones filled, too.
    fn number(&mut self, block: Block, index: u64, ty: Type) -> Value {
        let word = self.input(block, index);
        let low = self.inst(block, Op::ZeroExtend, &[word], ty);
        if ty.0 <= 32 {
            return low;
        }
        let factor = self.constant(0x1_0000_8001, ty);
        self.inst(block, Op::Binary(Binary::Mul), &[low, factor], ty)
    }
}

/// Returns all operations on numbers of a width.
fn arithmetic(width: u32) -> Program {
    let mut maker = Maker::default();
    let (block, ty) = (maker.program.func.add_block(), bits(width));
    for index in 0..2 {
        let (a, b) = (
            maker.number(block, index, ty),
            maker.number(block, 15 - index, ty),
        );
        let (one, most) = (
            maker.constant(1, ty),
            maker.constant(u64::from(width - 1), ty),
        );
        let odd = maker.inst(block, Op::Binary(Binary::Or), &[b, one], ty);
        // No overflow: the divisor is positive.
        let positive = maker.constant((1 << (width - 1)) - 1, ty);
        let positive = maker.inst(block, Op::Binary(Binary::And), &[odd, positive], ty);
        let amount = maker.inst(block, Op::Binary(Binary::UMin), &[b, most], ty);
        for op in BINARY {
            let right = match op {
                Binary::SDiv | Binary::SRem if width == 1 => continue,
                Binary::SDiv | Binary::SRem => positive,
                Binary::UDiv | Binary::URem => odd,
                Binary::Shl | Binary::LShr | Binary::AShr => amount,
                _ => b,
            };
            let value = maker.inst(block, Op::Binary(op), &[a, right], ty);
            maker.event(block, value);
        }
        for predicate in Predicate::ALL {
            let holds = maker.inst(block, Op::Compare(predicate), &[a, b], bits(1));
            let value = maker.inst(block, Op::Select, &[holds, a, b], ty);
            maker.event(block, value);
        }
        for other in [1, 5, 8, 20, 32, 33, 50, 64] {
            let value = maker.inst(block, Op::ZeroExtend, &[a], bits(other));
            maker.event(block, value);
            if other > width {
                let value = maker.inst(block, Op::SignExtend, &[a], bits(other));
                maker.event(block, value);
            }
        }
        let element = maker.constant(3, POINTER);
        let three = maker.constant(truncate(3, width), ty);
        let offset = maker.inst(block, Op::Binary(Binary::And), &[a, three], ty);
        let offset = maker.inst(block, Op::ZeroExtend, &[offset], bits(16));
        let element = maker.inst(block, Op::Element, &[element, offset], POINTER);
        let value = maker.inst(block, Op::Load, &[element], bits(32));
        let value = maker.inst(block, Op::Copy, &[value], bits(32));
        maker.event(block, value);
    }
    let result = maker.input(block, 5);
    maker
        .program
        .func
        .set_terminator(block, Terminator::Return(Some(result)));
    maker.program
}

/// An irreducible loop with a switch over numbers of 40 bits, and one over single bits, in it. `show`
/// is an event with each half of a number.
const JUMPS: &str = "
    %p = const 0 : 65
    %zero = const 0 : 40
    %one = const 1 : 40
    %three = const 3 : 40
    %limit = const 9 : 40
    %half = const 32 : 40
    %event = const 7 : 32
    %undef = undef : 32
    entry:
        %first:32 = op 0 %p
        %start:40 = op 1 %first
        %odd:1 = op 1 %first
        if %odd left right
    left:
        %l = phi : 40 [entry %start] [right %changed]
        %fuel_l = phi : 40 [entry %zero] [right %fuel_r]
        %unused = phi : 32 [entry %undef] [right %undef]
        show %l
        %next:40 = op 2 %l %one
        %spent:40 = op 4 %fuel_l %one
        switch %next right 0=end 1=even 5=right 549755813889=end
    right:
        %r = phi : 40 [entry %start] [left %next]
        %fuel_r = phi : 40 [entry %zero] [left %spent]
        show %r
        %changed:40 = op 3 %r %three
        %more:1 = op 5 %fuel_r %limit
        switch %more even 1=left
    even:
        show %start
        br end
    end:
        ret %first";

fn jumps() -> Program {
    let show = |line: &str| match line.trim().strip_prefix("show %") {
        Some(v) => format!(
            "%low_{v}:32 = op 1 %{v}\n op 6 side %event %low_{v}\n %up_{v}:40 = op 2 %{v} %half
             %high_{v}:32 = op 1 %up_{v}\n op 6 side %event %high_{v}\n"
        ),
        None => format!("{line}\n"),
    };
    let text: String = JUMPS.lines().map(show).collect();
    let binary = [Binary::LShr, Binary::Xor, Binary::Add].map(Op::Binary);
    let [shift, xor, add] = binary;
    let less = Op::Compare(Predicate::Ult);
    Program {
        func: parse(&text).unwrap(),
        ops: vec![Op::Load, Op::ZeroExtend, shift, xor, add, less, Op::Event],
        constants: (0..33).collect(),
    }
}

fn device() -> Option<Device> {
    match Device::open(None, true) {
        Ok((device, _)) => Some(device),
        Err(error) => {
            println!("skipped on a device: {error}");
            None
        }
    }
}

/// Returns the message of `spirv-val`, if it is installed and rejects the words.
pub(crate) fn invalid(words: &[u32], folder: &Path) -> Option<String> {
    let path = folder.join("shader.spv");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&path, bytes).unwrap();
    let output = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.3"])
        .arg(&path)
        .output()
        .ok()?;
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn operations_and_jumps_are_the_same_on_the_cpu_and_on_the_device() {
    let device = device();
    let folder = tempfile::tempdir().unwrap();
    let checker = Checker {
        stages: Stages::ALL,
        simt: 4,
    };
    let widths = [1, 2, 7, 8, 16, 31, 32, 33, 48, 63, 64];
    for (index, program) in widths
        .into_iter()
        .map(arithmetic)
        .chain([jumps()])
        .enumerate()
    {
        let inputs = inputs(index as u64, 32);
        let runs = expected(&program, &program.func, &inputs).unwrap();
        assert!(runs.iter().all(|run| !run.events.is_empty()));
        let structured = checker.check(&program, &inputs, &runs).unwrap();
        for layout in [
            Layout {
                lanes: 32,
                events: 0,
            },
            layout_of(&runs),
        ] {
            let words = shader(&program, &structured, layout).unwrap();
            assert_eq!(invalid(&words, folder.path()), None, "program {index}");
        }
        if let Some(device) = &device {
            run_on_device(device, &program, &structured, &inputs, &runs)
                .unwrap_or_else(|difference| panic!("program {index}: {difference}"));
        }
        if let (Some(device), 11) = (&device, index) {
            // A wrong expectation is seen, in the digest and in the events. (Large shaders that
            // keep their events take software devices long.)
            let mut wrong = runs.clone();
            wrong[7].events[0][1] ^= 1;
            let difference =
                run_on_device(device, &program, &structured, &inputs, &wrong).unwrap_err();
            assert!(
                difference
                    .to_string()
                    .starts_with("lane 7 on the device: event 0: expected"),
                "{difference}"
            );
        }
    }
}

#[test]
fn results_by_hand() {
    let mut maker = Maker::default();
    let block = maker.program.func.add_block();
    let (a, b) = (maker.constant(0x9c, bits(8)), maker.constant(7, bits(8)));
    let wanted = [
        0xa3, 0x95, 0x44, 22, 2, 0xf2, 0xfe, 4, 0x9f, 0x9b, 0, 1, 0xff, 7, 0x9c, 0x9c, 7, 0x95,
        0xa3,
    ];
    for op in BINARY {
        let value = maker.inst(block, Op::Binary(op), &[a, b], bits(8));
        maker.event(block, value);
    }
    maker
        .program
        .func
        .set_terminator(block, Terminator::Return(Some(a)));
    let run = evaluate(&maker.program, &maker.program.func, &[0; INPUTS], 10).unwrap();
    assert_eq!(
        run.events.iter().map(|event| event[1]).collect::<Vec<_>>(),
        wanted
    );
    assert_eq!(run.returned, 0x9c);
    let mut other = run.clone();
    other.events.swap(3, 4);
    assert_ne!(digest(&run.events), digest(&other.events));
    assert!(difference(&run, &other).unwrap().starts_with("event 3"));
    assert_eq!(difference(&run, &run), None);
}

#[test]
fn a_wrong_structured_function_is_found_and_shrunk() {
    let program = jumps();
    let inputs = inputs(3, 32);
    let checker = Checker {
        stages: Stages::ALL,
        simt: 0,
    };
    let mut runs = expected(&program, &program.func, &inputs).unwrap();
    runs[4].events[1][1] += 1;
    let difference = checker.check(&program, &inputs, &runs).unwrap_err();
    assert!(
        difference
            .to_string()
            .starts_with("lane 4 of the structured program: event 1"),
        "{difference}"
    );
    // The graph itself is right, so there is nothing of this kind to shrink.
    let same = checker.shrink(&program, &inputs, None, &difference.kind(), 50);
    assert_eq!(same.func.num_blocks(), program.func.num_blocks());
}

#[test]
fn values_other_than_integers_are_rejected() {
    let mut maker = Maker::default();
    let block = maker.program.func.add_block();
    let number = maker.constant(0, bits(32));
    maker.inst(block, Op::Opaque("fadd"), &[number, number], bits(32));
    maker
        .program
        .func
        .set_terminator(block, Terminator::Return(None));
    let structured = structurize(maker.program.func.clone(), &Options::default()).unwrap();
    let error = shader(
        &maker.program,
        &structured,
        Layout {
            lanes: 1,
            events: 0,
        },
    )
    .unwrap_err();
    assert!(error.to_string().contains("fadd"), "{error}");
    assert!(evaluate(&maker.program, &maker.program.func, &[0; INPUTS], 10).is_err());
}
