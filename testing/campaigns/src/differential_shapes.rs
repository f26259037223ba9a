//! `cargo campaign differential --kind optimized` and `--kind hlsl-shapes`: random structured
//! programs after an optimizer, compared with their sources.

use std::process::ExitCode;
use std::time::Instant;

use differential::compiler::Compiler;
use differential::shapes::{LEVELS, Shapes};
use indicatif::ProgressBar;
use llvm_graphs::recovered::{self, CampaignOptions, Pipeline, Summary};

use crate::differential::{Arguments, jobs};

/// Percentage of programs whose structure must be recovered.
const SAME: f64 = 97.0;

/// Compares HLSL programs before and after DXC's optimizer.
pub(crate) fn hlsl(
    arguments: &Arguments,
    compiler: &Compiler,
    bar: &ProgressBar,
) -> Result<ExitCode, String> {
    let open = || -> Result<Box<dyn Pipeline + '_>, String> {
        let shapes = Shapes::new(compiler).map_err(|error| error.to_string())?;
        Ok(Box::new(shapes))
    };
    run(arguments, &LEVELS, &open, bar)
}

/// Compares programs before and after an optimizer; with a folder, the first that differ are
/// written there, shrunk. It fails if too few are the same.
pub(crate) fn run<'p>(
    arguments: &Arguments,
    levels: &'static [&'static str],
    open: &(dyn Fn() -> Result<Box<dyn Pipeline + 'p>, String> + Sync),
    bar: &ProgressBar,
) -> Result<ExitCode, String> {
    let options = CampaignOptions {
        levels,
        seeds: arguments.seeds.clone(),
        minutes: arguments.minutes,
        jobs: jobs(arguments),
        shows: arguments.out.is_some(),
    };
    let start = Instant::now();
    let progress = |summary: &Summary| {
        bar.set_position(summary.programs);
        if bar.is_hidden() && summary.programs.is_multiple_of(10_000) {
            eprintln!("{} s: {summary}", start.elapsed().as_secs());
        }
    };
    let summary = recovered::run(&options, open, &progress)?;
    bar.finish_and_clear();
    if let Some(folder) = &arguments.out {
        let write = || -> std::io::Result<()> {
            std::fs::create_dir_all(folder)?;
            std::fs::write(folder.join("differences.txt"), summary.shown.join("\n"))
        };
        write().map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    print!("{summary}");
    let enough = levels
        .iter()
        .filter_map(|level| summary.rows.get(level))
        .filter(|row| row.percentage() >= SAME && row.errors.is_empty())
        .count()
        == levels.len();
    match enough {
        true => Ok(ExitCode::SUCCESS),
        false => Err(format!(
            "at each level {SAME} % of the programs must be the same, and none without a result"
        )),
    }
}
