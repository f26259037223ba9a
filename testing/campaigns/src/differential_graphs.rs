//! `cargo campaign differential --kind graphs`: random LLVM functions in LLVM's JIT, structured, and
//! as shaders on a device; `--kind optimized`: structured programs after LLVM's optimizer.

#[cfg(feature = "llvm")]
pub(crate) use with_llvm::{CRASHES, NUMBERS, optimized, text, worker};
#[cfg(not(feature = "llvm"))]
pub(crate) use without_llvm::{CRASHES, NUMBERS, optimized, text, worker};

/// The error of a build without LLVM.
pub(crate) const WITHOUT_LLVM: &str = "this needs LLVM 14 with its headers (Debian: llvm-14-dev) and the feature `llvm`: \
     cargo run --release -p campaigns --features llvm -- differential --kind graphs";

#[cfg(not(feature = "llvm"))]
mod without_llvm {
    use std::path::Path;
    use std::process::ExitCode;

    use indicatif::ProgressBar;

    use crate::differential::Arguments;

    pub(crate) const CRASHES: &[(&str, &str)] = &[];
    pub(crate) const NUMBERS: [&str; 0] = [];

    pub(crate) fn text(_: u64) -> String {
        String::new()
    }

    pub(crate) fn worker(_: &Arguments, _: &Path) -> Result<(), String> {
        Err(super::WITHOUT_LLVM.to_owned())
    }

    pub(crate) fn optimized(_: &Arguments, _: &ProgressBar) -> Result<ExitCode, String> {
        Err(super::WITHOUT_LLVM.to_owned())
    }
}

#[cfg(feature = "llvm")]
mod with_llvm {
    use std::path::Path;
    use std::process::ExitCode;

    use gpu_test::vulkan;
    use indicatif::ProgressBar;
    use llvm_graphs::campaign;
    use llvm_graphs::differential::Worker;
    pub(crate) use llvm_graphs::differential::{CRASHES, NUMBERS};
    use llvm_graphs::optimized::{LEVELS, Optimizer};
    use llvm_graphs::recovered::Pipeline;

    use crate::differential::{Arguments, Device};

    /// Runs of the wave interpreter for each graph.
    const SIMT: u64 = 2;

    /// Returns the LLVM function of a seed.
    pub(crate) fn text(seed: u64) -> String {
        llvm_graphs::random::plan(seed).to_llvm()
    }

    /// Tests the seeds that it reads from standard input.
    pub(crate) fn worker(arguments: &Arguments, folder: &Path) -> Result<(), String> {
        let open = || match arguments.device {
            Device::None => Ok(None),
            device => vulkan::Device::open(device.part(), !arguments.no_validation)
                .map(|(device, _)| Some(device))
                .map_err(|error| error.to_string()),
        };
        let mut worker = Worker::new(open()?, SIMT).map_err(|error| error.to_string())?;
        worker.stage = Box::new(campaign::begin);
        let (input, output) = (std::io::stdin().lock(), std::io::stdout());
        campaign::serve(folder, input, output, |seed, folder| {
            let is_lost = worker.device.as_ref().is_some_and(vulkan::Device::is_lost);
            if is_lost && let Ok(device) = open() {
                worker.device = device;
            }
            worker.answer(seed, folder)
        })
        .map_err(|error| error.to_string())
    }

    /// Compares programs before and after LLVM's optimizer.
    pub(crate) fn optimized(arguments: &Arguments, bar: &ProgressBar) -> Result<ExitCode, String> {
        let open = || -> Result<Box<dyn Pipeline>, String> {
            let optimizer = Optimizer::new().map_err(|error| error.to_string())?;
            Ok(Box::new(optimizer))
        };
        crate::differential_shapes::run(arguments, &LEVELS, &open, bar)
    }
}
