//! `cargo campaign mutate`: shaders of the corpus with a few random edits. Those that still convert must
//! be valid by SPIRV-Tools, and nothing may panic.
//!
//! A seed decides the shader, the target and the edits (`edits`), so it reproduces a failure. Its
//! edits are shrunk to those that the failure needs. Cost: a conversion and a validation per seed.

mod edits;

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use rayon::prelude::*;
use shader_testkit::{containers_in, corpus};
use structurizer_testkit::generate::Rng;
use trellis_dxil::error::ErrorKind;
use trellis_dxil::{Converter, Error, Options, Target, frontend};

use edits::Edit;

/// Maximum number of failures that are shrunk and reported; the rest are counted.
const REPORTED: usize = 20;

/// Arguments of the command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    /// Stop after this number of converted mutants.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    count: u64,
    /// The first seed.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of threads (default: one per core)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// Run without SPIRV-Tools' validator, which a build without the feature `validate` lacks.
    #[arg(long)]
    no_validate: bool,
    /// Bugs that Trellis's own checks stop are failures, too: output that does not verify, and
    /// internal errors.
    #[arg(long)]
    strict: bool,
    /// The folder with the shaders, `.dxil` and `.dxbc` (default: the corpus)
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Write the shrunk failures to this folder: `.dxil`, or `.ll` where the module was edited.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// How a mutated shader fared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// The reader refused it.
    Unread,
    /// The backend refused it: it is invalid, or not supported.
    Refused,
    /// A check of Trellis's own stopped it: no wrong output, but not a good error.
    Stopped(String),
    /// Some entry point was converted, and all that were are valid.
    Converted,
    /// SPIRV-Tools rejects the shader as it was, with the same message: it lacks an extension.
    Unknown,
    /// A panic, or output that SPIRV-Tools rejects.
    Failed(String),
}

/// A failure with the edits that it needs.
#[derive(Clone, Debug)]
struct Failure {
    seed: u64,
    shader: String,
    target: Target,
    edits: Vec<Edit>,
    message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed {}: {} for {:?}: {}",
            self.seed, self.shader, self.target, self.message
        )?;
        { self.edits.iter() }.try_for_each(|edit| writeln!(f, "  {edit}"))
    }
}

/// Numbers of mutated shaders by outcome.
#[derive(Clone, Debug, Default)]
struct Summary {
    tried: u64,
    unread: u64,
    refused: u64,
    converted: u64,
    unknown: u64,
    failed: u64,
    /// Bugs that Trellis's own checks stopped, with one seed of each.
    stopped: BTreeMap<String, (u64, u64)>,
    failures: Vec<Failure>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stopped: u64 = self.stopped.values().map(|number| number.0).sum();
        write!(
            f,
            "tried {}: refused by the reader {}, by the backend {}, stopped by a check {stopped}, \
             converted {}, unknown to the validator {}, failed {}",
            self.tried, self.unread, self.refused, self.converted, self.unknown, self.failed
        )
    }
}

/// The shaders, and how they are converted.
struct Campaign<'a> {
    arguments: &'a Arguments,
    shaders: Vec<(String, Vec<u8>)>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let shaders = containers_in(&arguments.folder.clone().unwrap_or_else(corpus));
    // Panics are failures of the seed on which they happen, and are reported with it.
    std::panic::set_hook(Box::new(|_| {}));
    let summary = campaign(arguments, shaders)?;
    for (what, (number, seed)) in &summary.stopped {
        println!("stopped {number} (as seed {seed}): {what}");
    }
    for failure in &summary.failures {
        eprint!("{failure}");
    }
    println!("{summary}");
    Ok(crate::status(summary.failed == 0))
}

fn campaign(arguments: &Arguments, shaders: Vec<(String, Vec<u8>)>) -> Result<Summary, String> {
    let campaign = Campaign { arguments, shaders };
    let (converted, summary) = (AtomicU64::new(0), Mutex::new(Summary::default()));
    // A folder of broken shaders must not run for ever.
    let end = arguments
        .seed
        .saturating_add(arguments.count.saturating_mul(50));
    let is_next = |_: &u64| converted.load(Ordering::Relaxed) < arguments.count;
    let seeds = (arguments.seed..end).take_while(is_next);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs);
    threads
        .build()
        .map_err(|error| error.to_string())?
        .install(|| {
            let one = |converter: &mut Converter, seed| -> Result<(), String> {
                let (outcome, failure) = campaign.one(converter, seed)?;
                let is_converted = outcome == Outcome::Converted;
                converted.fetch_add(u64::from(is_converted), Ordering::Relaxed);
                let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
                summary.count(seed, outcome, failure);
                Ok(())
            };
            seeds.par_bridge().try_for_each_init(Converter::new, one)
        })?;
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.failures.sort_by_key(|failure| failure.seed);
    match summary.converted < arguments.count {
        true => Err("hardly any mutated shader converts".to_owned()),
        false => Ok(summary),
    }
}

impl Campaign<'_> {
    /// Converts the mutated shader of a seed; a failure is shrunk and written.
    fn one(
        &self,
        converter: &mut Converter,
        seed: u64,
    ) -> Result<(Outcome, Option<Failure>), String> {
        let mutant = self.mutant(seed);
        let outcome = self.outcome(converter, &mutant)?;
        let Outcome::Failed(message) = &outcome else {
            return Ok((outcome, None));
        };
        if self.is_unknown(&mutant, &outcome)? {
            return Ok((Outcome::Unknown, None));
        }
        let message = message.clone();
        let failure = self.shrink(Failure { message, ..mutant })?;
        // The converter's state after a panic is unknown.
        *converter = Converter::new();
        self.write(&failure)?;
        Ok((outcome, Some(failure)))
    }

    /// Returns the mutated shader of a seed.
    fn mutant(&self, seed: u64) -> Failure {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        rng.next_u64();
        let (shader, bytes) = &self.shaders[rng.below(self.shaders.len())];
        let targets = [
            Target::Vulkan1_1,
            Target::Vulkan1_2,
            Target::Vulkan1_3,
            Target::Vulkan1_4,
        ];
        let target = targets[rng.below(targets.len())];
        Failure {
            seed,
            shader: shader.clone(),
            target,
            edits: edits::random(bytes, &mut rng),
            message: String::new(),
        }
    }

    fn bytes(&self, shader: &str) -> &[u8] {
        let found = { self.shaders.iter() }.find(|(name, _)| name == shader);
        found.map_or(&[], |(_, bytes)| bytes)
    }

    /// Converts a mutated shader. An error if the build has no validator.
    fn outcome(&self, converter: &mut Converter, mutant: &Failure) -> Result<Outcome, String> {
        let options = Options::default()
            .with_target(mutant.target)
            .with_validate(!self.arguments.no_validate);
        let bytes = edits::bytes(self.bytes(&mutant.shader), &mutant.edits);
        let results = catch_unwind(AssertUnwindSafe(|| {
            let mut input = trellis_dxil::read(&bytes, &options)?;
            edits::apply(&mut input.module, &mutant.edits);
            let results: Vec<Result<(), Error>> = input
                .shader
                .shaders()
                .map(|entry| converter.convert_entry(&input, entry, &options).map(drop))
                .collect();
            Ok::<_, Error>(results)
        }));
        let results = match results {
            Err(payload) => {
                let text = { payload.downcast_ref::<String>().map(String::as_str) }
                    .or_else(|| payload.downcast_ref::<&str>().copied());
                return Ok(Outcome::Failed(format!("panic: {}", text.unwrap_or("?"))));
            }
            Ok(Err(_)) => return Ok(Outcome::Unread),
            Ok(Ok(results)) => results,
        };
        let mut worst = Outcome::Refused;
        for result in results {
            let outcome = match result {
                Ok(()) => Outcome::Converted,
                Err(Error::NoValidator) => return Err(Error::NoValidator.to_string()),
                Err(error) => match error.kind() {
                    ErrorKind::Validate => Outcome::Failed(error.to_string()),
                    ErrorKind::Verify | ErrorKind::Internal if self.arguments.strict => {
                        Outcome::Failed(error.to_string())
                    }
                    ErrorKind::Verify | ErrorKind::Internal | ErrorKind::Structurize => {
                        Outcome::Stopped(without_numbers(&error.to_string()))
                    }
                    _ => Outcome::Refused,
                },
            };
            worst = worst.max(outcome);
        }
        Ok(worst)
    }

    /// Returns whether the shader fares so without its edits, too.
    fn is_unknown(&self, mutant: &Failure, outcome: &Outcome) -> Result<bool, String> {
        let original = Failure {
            edits: Vec::new(),
            ..mutant.clone()
        };
        Ok(self.outcome(&mut Converter::new(), &original)? == *outcome)
    }

    /// Returns the failure with only those edits that it needs.
    fn shrink(&self, mut failure: Failure) -> Result<Failure, String> {
        let mut index = 0;
        while index < failure.edits.len() {
            let mut less = failure.clone();
            less.edits.remove(index);
            match self.outcome(&mut Converter::new(), &less)? {
                Outcome::Failed(message)
                    if without_numbers(&message) == without_numbers(&failure.message) =>
                {
                    failure = Failure { message, ..less };
                }
                _ => index += 1,
            }
        }
        Ok(failure)
    }

    fn write(&self, failure: &Failure) -> Result<(), String> {
        let Some(folder) = &self.arguments.out else {
            return Ok(());
        };
        let put = |suffix: &str, bytes: &[u8]| {
            let path = folder.join(format!("seed_{}{suffix}", failure.seed));
            std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
        };
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        put(".txt", failure.to_string().as_bytes())?;
        let bytes = edits::bytes(self.bytes(&failure.shader), &failure.edits);
        if !failure.edits.iter().any(Edit::is_of_module) {
            return put(".dxil", &bytes);
        }
        let Ok(mut input) = trellis_dxil::read(&bytes, &Options::default()) else {
            return Ok(());
        };
        edits::apply(&mut input.module, &failure.edits);
        match frontend::disasm::disassemble(&input.module, None, None) {
            Ok(text) => put(".ll", text.as_bytes()),
            Err(_) => Ok(()),
        }
    }
}

impl Summary {
    fn count(&mut self, seed: u64, outcome: Outcome, failure: Option<Failure>) {
        self.tried += 1;
        match outcome {
            Outcome::Unread => self.unread += 1,
            Outcome::Refused => self.refused += 1,
            Outcome::Stopped(what) => {
                let entry = self.stopped.entry(what).or_insert((0, seed));
                *entry = (entry.0 + 1, entry.1.min(seed));
            }
            Outcome::Converted => self.converted += 1,
            Outcome::Unknown => self.unknown += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
        if self.failures.len() < REPORTED {
            self.failures.extend(failure);
        }
    }
}

/// Returns a message without the parts that differ between two cases of the same bug: numbers and
/// names in quotation marks.
pub(crate) fn without_numbers(text: &str) -> String {
    let mut result = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '`' | '\'' | '"' => quoted = !quoted,
            _ if quoted => {}
            '0'..='9' => {
                if !result.ends_with('#') {
                    result.push('#');
                }
            }
            '\n' => break,
            _ => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(count: u64) -> Arguments {
        Arguments {
            count,
            seed: 1,
            jobs: 2,
            no_validate: true,
            strict: true,
            folder: None,
            out: None,
        }
    }

    #[test]
    fn mutated_shaders_are_refused_or_converted() {
        let shaders = containers_in(&corpus().join("arithmetic"));
        let summary = campaign(&arguments(40), shaders).unwrap();
        assert!(summary.converted >= 40, "{summary}");
        assert!(summary.refused + summary.unread > 0, "{summary}");
        assert_eq!(summary.failed, 0, "{:?}", summary.failures);
    }

    #[test]
    fn mutated_token_streams_are_refused_or_converted() {
        let shaders = containers_in(&corpus().join("../../dxbc-frontend/tests/shaders"));
        let summary = campaign(&arguments(40), shaders).unwrap();
        assert_eq!(summary.failed, 0, "{:?}", summary.failures);
    }

    #[test]
    fn a_seed_makes_the_same_edits() {
        let shaders = containers_in(&corpus().join("compute"));
        let edits = |seed| {
            let mut rng = Rng::new(seed);
            edits::random(&shaders[0].1, &mut rng)
        };
        let texts = |seed| edits(seed).iter().map(Edit::to_string).collect::<Vec<_>>();
        for seed in 0..50 {
            assert!(!edits(seed).is_empty());
            assert_eq!(texts(seed), texts(seed));
        }
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn messages_of_one_bug_are_equal() {
        assert_eq!(
            without_numbers("%12 is not 'abc' in block 7\nmore"),
            without_numbers("%9 is not 'd' in block 12")
        );
    }
}
