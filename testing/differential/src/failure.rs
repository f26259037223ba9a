//! A failure: shrunk, reported, written as a test case.

use std::path::Path;
use std::time::{Duration, Instant};

use gpu_test::case::TestFile;
use gpu_test::{generate, interpret};
use llvm_graphs::campaign::put;

use crate::judge::{Compiled, Difference, Judge, Subject, Verdict};

/// Maximum number of tests of a failing program while it is shrunk.
const SHRINK_TESTS: usize = 3000;

/// After so long the program stays as large as it is then.
const SHRINK_TIME: Duration = Duration::from_mins(2);

/// Shrinks a failing program while its first difference stays of the same kind, for `SHRINK_TIME`
/// at most, and writes it. `None`: it does not fail again.
///
/// The result is the file that could not be written, and why.
pub fn write<S: Subject>(
    judge: &mut Judge<'_>,
    program: S,
    folder: &Path,
) -> Option<Result<(), String>> {
    let Verdict::Failed(found) = judge.judge(&program) else {
        return None;
    };
    let (kind, start) = (found.first()?.kind, Instant::now());
    // First as it is, in case that shrinking crashes.
    if let Err(problem) = put_all(judge, &program, [&found, &found], folder) {
        return Some(Err(problem));
    }
    let mut last = found.clone();
    let small = program.shrink(SHRINK_TESTS, &mut |smaller| {
        if start.elapsed() > SHRINK_TIME {
            return false;
        }
        match judge.judge(smaller) {
            Verdict::Failed(list) if list.first().is_some_and(|first| first.kind == kind) => {
                last = list;
                true
            }
            _ => false,
        }
    });
    Some(put_all(judge, &small, [&found, &last], folder))
}

/// Writes a failure as `seed_N.hlsl`, `.dxil`, FXC's `-O3.dxbc` and `-Od.dxbc`, `.run.json` and `.txt`: its differences before and after
/// it was shrunk. The interpreter's results are the expectations of the test file, if it has any.
fn put_all(
    judge: &Judge<'_>,
    program: &impl Subject,
    [found, shrunk]: [&Vec<Difference>; 2],
    folder: &Path,
) -> Result<(), String> {
    let seed = program.seed();
    let list = |differences: &[Difference]| -> String {
        let line = |d: &Difference| format!("  {}: {}\n", d.kind.text(), d.text);
        differences.iter().map(line).collect()
    };
    let text = format!(
        "seed {seed}:\n{}shrunk to {} statements:\n{}",
        list(found),
        program.size(),
        list(shrunk)
    );
    put(folder, seed, ".hlsl", program.text().as_bytes())?;
    put(folder, seed, ".txt", text.as_bytes())?;
    let mut all = judge.compile(program).unwrap_or_default().into_iter();
    let Some(mut first) = all.next() else {
        return Ok(());
    };
    for Compiled { options, dxil, .. } in all.filter(|compiled| compiled.options.fxc) {
        put(folder, seed, &format!("{}.dxbc", options.level), &dxil)?;
    }
    if let Some(dispatch) = &first.case.dispatch
        && let Ok((left, _)) = interpret::run(&first.dxil, dispatch, Some(judge.wave()))
    {
        // A program that writes nothing has no expectations worth a line.
        let _ = generate::bless(&mut first.case, &left);
    }
    let file = TestFile {
        cases: vec![first.case],
        ..TestFile::default()
    };
    put(folder, seed, ".dxil", &first.dxil)?;
    put(folder, seed, ".run.json", file.to_json().as_bytes())
}
