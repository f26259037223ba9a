//! A failure: shrunk, reported, written as a test case.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gpu_test::case::{Case, TestFile};
use gpu_test::{generate, interpret};

use crate::judge::{Difference, Judge, Trial, Verdict};
use crate::program::Program;
use crate::shrink::shrink;

/// Maximum number of tests of a failing program while it is shrunk.
const SHRINK_TESTS: usize = 3000;

/// After so long the program stays as large as it is then.
const SHRINK_TIME: Duration = Duration::from_mins(2);

/// A failure, shrunk.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// The differences in the program of the seed.
    pub found: Vec<Difference>,
    /// The differences in the shrunk program.
    pub shrunk: Vec<Difference>,
    /// The shrunk program.
    pub program: Program,
    /// Its text, DXIL and inputs, with the interpreter's results as expectations where it has any.
    pub trial: Trial,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, differences: &[Difference]| {
            differences
                .iter()
                .try_for_each(|d| writeln!(f, "  {}: {}", d.kind.text(), d.text))
        };
        writeln!(f, "seed {}:", self.seed)?;
        list(f, &self.found)?;
        writeln!(f, "shrunk to {} statements:", self.program.size())?;
        list(f, &self.shrunk)
    }
}

/// Shrinks a failing program while its first difference stays of the same kind, for `SHRINK_TIME`
/// at most. `None`: it does not fail again.
pub fn minimal(judge: &mut Judge<'_>, program: Program, found: &[Difference]) -> Option<Failure> {
    let kind = found.first()?.kind;
    let start = Instant::now();
    let mut same = |program: &Program| {
        start.elapsed() < SHRINK_TIME
            && matches!(judge.judge(program), Verdict::Failed(list) if list.first().is_some_and(|difference| difference.kind == kind))
    };
    let program = shrink(program, SHRINK_TESTS, &mut same);
    of(judge, program, found)
}

/// Returns a failing program as a failure. `None`: it does not fail again.
pub fn of(judge: &mut Judge<'_>, program: Program, found: &[Difference]) -> Option<Failure> {
    let mut trial = judge.trial(&program).ok()?;
    let Verdict::Failed(shrunk) = judge.judge_trial(&program, &trial) else {
        return None;
    };
    bless(judge, &mut trial.case, &trial.dxil);
    Some(Failure {
        seed: program.seed,
        found: found.to_vec(),
        shrunk,
        program,
        trial,
    })
}

/// Returns the path of a failure's file.
pub fn path(folder: &Path, seed: u64, suffix: &str) -> PathBuf {
    folder.join(format!("seed_{seed}{suffix}"))
}

/// Writes a failure as `seed_N.hlsl`, `.dxil`, `.run.json` and `.txt`.
///
/// # Errors
/// The file that could not be written, and why.
pub fn write(folder: &Path, failure: &Failure) -> Result<(), String> {
    let (seed, trial) = (failure.seed, &failure.trial);
    put(folder, seed, ".hlsl", trial.text.as_bytes())?;
    put_case(folder, seed, trial.case.clone(), &trial.dxil)?;
    put(folder, seed, ".txt", failure.to_string().as_bytes())
}

/// Makes the interpreter's results the expectations of a case, if there are any.
pub(crate) fn bless(judge: &Judge<'_>, case: &mut Case, dxil: &[u8]) {
    if let Some(dispatch) = &case.dispatch
        && let Ok((left, _)) = interpret::run(dxil, dispatch, Some(judge.wave()))
    {
        // A program that writes nothing has no expectations worth a line.
        let _ = generate::bless(case, &left);
    }
}

/// Writes the `.dxil` and `.run.json` of a failure.
pub(crate) fn put_case(folder: &Path, seed: u64, case: Case, dxil: &[u8]) -> Result<(), String> {
    let file = TestFile {
        cases: vec![case],
        ..TestFile::default()
    };
    put(folder, seed, ".dxil", dxil)?;
    put(folder, seed, ".run.json", file.to_json().as_bytes())
}

/// Writes one of a failure's files.
///
/// # Errors
/// It could not be written: why.
pub fn put(folder: &Path, seed: u64, suffix: &str, contents: &[u8]) -> Result<(), String> {
    let path = path(folder, seed, suffix);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, contents))
        .map_err(|error| format!("{}: {error}", path.display()))
}
