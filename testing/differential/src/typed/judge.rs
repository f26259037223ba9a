//! A program in all ways: two levels of optimization, the interpreter at several widths of waves,
//! the device.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use gpu_test::case::Case;
use gpu_test::execute::Observed;
use gpu_test::interpret;
use gpu_test::worker_process::{one_line, reply};
use trellis_dxil_interpreter::dispatch::{Class, Place};

use super::{Generator, Program, resources, shrink};
use crate::compiler::error_line;
use crate::failure;
use crate::judge::{COMPILE, Difference, Judge, Kind, Verdict};
use crate::program::Compilation;
use crate::worker::answer_of;

/// Widths of waves at which a program without wave operations must do the same.
const WIDTHS: [u32; 3] = [4, 16, 64];

/// What the reader says of DXIL that has integers of more than 64 bits: DXC's passes bitcast a long
/// vector to one where only a component of it is read.
const WIDE: &str = "integer width is";

/// Maximum number of tests of a failing program while it is shrunk.
const SHRINK_TESTS: usize = 400;

/// After so long the program stays as large as it is then.
const SHRINK_TIME: Duration = Duration::from_mins(2);

/// Contents of the UAVs after a run.
type Contents = Vec<(Place, Vec<u8>)>;

/// A program compiled at one level, with its resources.
struct Compiled {
    dxil: Vec<u8>,
    case: Case,
}

/// Compiles and runs a program in all ways.
pub fn judge(judge: &mut Judge<'_>, program: &Program) -> Verdict {
    judge.caught(|judge| compare(judge, program))
}

fn compare(judge: &Judge<'_>, program: &Program) -> Verdict {
    let compiled = match [program.options.level, program.other_level]
        .map(|level| compile(judge, program, level))
    {
        [Ok(first), Ok(second)] => [first, second],
        [Err(verdict), _] | [_, Err(verdict)] => return verdict,
    };
    (judge.stage)("interpret");
    let wave = judge.wave();
    let expected = match interpreted(&compiled[0], wave) {
        Ok(expected) => expected,
        Err(difference) => return Verdict::Failed(vec![difference]),
    };
    let mut list = Vec::new();
    let mut runs = vec![(&compiled[1], wave, Kind::Meaning)];
    if !program.waves {
        runs.extend(WIDTHS.map(|width| (&compiled[0], width, Kind::Widths)));
    }
    for (compiled, width, kind) in runs {
        match interpreted(compiled, width) {
            Ok(found) => list.extend(difference(kind, &expected, &found)),
            Err(difference) => list.push(difference),
        }
    }
    let mut skipped = None;
    if let Some((device, _)) = &judge.device {
        for Compiled { dxil, case } in &compiled {
            let differs = |left: Observed| {
                difference(Kind::Device, &expected, &contents(case, left.resources))
            };
            if let Err(what) = judge.on_device(device, dxil, case, &mut list, differs) {
                // The device is of no use to the other module then.
                let is_busy = what.starts_with("time: ");
                skipped = Some(what);
                if is_busy {
                    break;
                }
            }
        }
    }
    Verdict::of(list, skipped)
}

fn compile(judge: &Judge<'_>, program: &Program, level: &'static str) -> Result<Compiled, Verdict> {
    (judge.stage)(COMPILE);
    let options = Compilation {
        level,
        ..program.options
    };
    let dxil = judge.session.compile(&program.text(), options);
    let dxil = dxil.map_err(|error| {
        Verdict::Skipped(format!("the compiler: {}", error_line(&error.to_string())))
    })?;
    let failed = |text: String| {
        if program.long && text.contains(WIDE) {
            return Verdict::Skipped(
                "the compiler made an integer of more than 64 bits of a vector".to_owned(),
            );
        }
        Verdict::Failed(vec![Difference {
            kind: Kind::Interpreter,
            text,
        }])
    };
    let case = case(program, &dxil, judge.wave()).map_err(failed)?;
    Ok(Compiled { dxil, case })
}

/// Returns the resources that the compiled program declares, with their contents.
fn case(program: &Program, dxil: &[u8], wave: u32) -> Result<Case, String> {
    let input = trellis_dxil_frontend::read(dxil).map_err(|error| error.to_string())?;
    let groups = [program.groups, 1, 1];
    let mut dispatch =
        trellis_dxil_interpreter::generate::dispatch(&input.module, &input.shader, groups, 64);
    dispatch.wave = program.waves.then_some(wave);
    resources::fill(&mut dispatch, program);
    Ok(Case {
        name: "random program about data".to_owned(),
        dispatch: Some(dispatch),
        ..Case::default()
    })
}

fn interpreted(compiled: &Compiled, wave: u32) -> Result<Contents, Difference> {
    let failed = |kind, text| Difference { kind, text };
    let Some(dispatch) = &compiled.case.dispatch else {
        return Err(failed(Kind::Interpreter, "no dispatch".to_owned()));
    };
    match interpret::run(&compiled.dxil, dispatch, Some(wave)) {
        Ok((left, 0)) => Ok(contents(&compiled.case, left.resources)),
        Ok((_, outside)) => Err(failed(Kind::Bounds, format!("{outside} accesses"))),
        Err(error) => Err(failed(Kind::Interpreter, error.to_string())),
    }
}

fn contents(case: &Case, resources: Vec<(Vec<u8>, Option<u32>)>) -> Contents {
    let bindings = case.dispatch.iter().flat_map(|dispatch| &dispatch.bindings);
    { bindings.zip(resources) }
        .filter(|(binding, _)| binding.place.class == Class::Uav)
        .map(|(binding, (bytes, _))| (binding.place, bytes))
        .collect()
}

/// Returns the first word in which UAVs differ. One that only one of the compiled programs has is
/// not compared.
fn difference(kind: Kind, expected: &Contents, found: &Contents) -> Option<Difference> {
    expected.iter().find_map(|(place, expected)| {
        let (_, found) = found.iter().find(|(other, _)| other == place)?;
        let words = expected.chunks(4).zip(found.chunks(4));
        let (at, (a, b)) = words.enumerate().find(|(_, (a, b))| a != b)?;
        Some(Difference {
            kind,
            text: format!("{place}, word {at}: expected {a:02x?}, found {b:02x?}"),
        })
    })
}

/// Replies to the parent's lines as [`crate::worker::serve`] does. Shrunk failures go to `folder`.
///
/// # Errors
/// Input or output is gone.
pub fn serve(
    mut judge: Judge<'_>,
    generate: Generator,
    folder: &Path,
    input: impl BufRead,
    output: impl Write,
) -> std::io::Result<()> {
    reply(input, output, |task, seed| {
        let program = generate(seed);
        match (task, self::judge(&mut judge, &program)) {
            ("shrink", Verdict::Failed(found)) if !found.is_empty() => {
                match minimal(&mut judge, program, &found, folder) {
                    Ok(()) => "written".to_owned(),
                    Err(problem) => format!("gone {}", one_line(&problem)),
                }
            }
            (_, verdict) => answer_of(&verdict),
        }
    })
}

/// Shrinks a failing program while its first difference stays of the same kind, and writes it.
fn minimal(
    judge: &mut Judge<'_>,
    program: Program,
    found: &[Difference],
    folder: &Path,
) -> Result<(), String> {
    let (kind, start, seed) = (found[0].kind, Instant::now(), program.seed);
    let mut last = found.to_vec();
    let program = shrink(program, SHRINK_TESTS, &mut |smaller| {
        if start.elapsed() > SHRINK_TIME {
            return false;
        }
        match self::judge(judge, smaller) {
            Verdict::Failed(list) if list.first().is_some_and(|first| first.kind == kind) => {
                last = list;
                true
            }
            _ => false,
        }
    });
    let mut text = format!("seed {seed}, shrunk to {} statements:\n", program.size());
    for difference in &last {
        text.push_str(&format!(
            "  {}: {}\n",
            difference.kind.text(),
            difference.text
        ));
    }
    failure::put(folder, seed, ".hlsl", program.text().as_bytes())?;
    failure::put(folder, seed, ".txt", text.as_bytes())?;
    let Ok(mut compiled) = compile(judge, &program, program.options.level) else {
        return Ok(());
    };
    failure::bless(judge, &mut compiled.case, &compiled.dxil);
    failure::put_case(folder, seed, compiled.case, &compiled.dxil)
}
