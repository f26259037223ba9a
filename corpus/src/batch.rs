//! Converts a list of inputs on a pool of threads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use trellis_dxil::error::{EntryPointError, Error};
use trellis_dxil::{Entry, Output};

use crate::cache::{Cache, CacheSettings};
use crate::converter::{Converted, Converter, Opened, Worker};
use crate::failure::{Failure, Kind};
use crate::feed::{Feed, FeedItem};
use crate::files::{self, bytes_of, write};
use crate::guard::guarded;
use crate::inputs::{Expected, Input};
use crate::leftovers::{Leftovers, OutputFolder};
use crate::manifest::Stage;
use crate::outputs::{self, Plan};
use crate::report::{Measured, ShaderReport, Status, Totals};
use crate::shard::Shard;
use crate::spool::{Part, Spool};

/// Stack of each thread, in bytes. A conversion does not recurse over its input, so this is
/// generous.
pub(crate) const STACK: usize = 8 << 20;

/// Starts a pool of `jobs` threads, or of one per core.
pub(crate) fn pool(jobs: Option<usize>) -> io::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .stack_size(STACK)
        .thread_name(|number| format!("trellis-batch-{number}"))
        .build()
        .map_err(io::Error::other)
}

/// The settings of a batch.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Settings {
    /// Folder for the outputs, created if it does not exist; `None`: convert and report, but write
    /// nothing.
    pub output: Option<PathBuf>,
    /// Number of threads; `None`: one per core.
    pub jobs: Option<usize>,
    /// Convert only the inputs of one part of the batch, and count the others.
    pub shard: Option<Shard>,
    /// Take results of earlier batches from a folder, and keep new ones there; `None`: convert all
    /// inputs.
    pub cache: Option<CacheSettings>,
    /// Take no more inputs after the first failure, and count those that were not taken.
    pub fail_fast: bool,
    /// Have each output on the disk before it gets its name, so that a file of that name is complete even
    /// after a loss of power. Without it, that holds when a process is killed.
    pub sync: bool,
    /// Add to the results the fields that only a [table](crate::table) has: hashes of inputs and
    /// outputs, shader models, and the sizes of outputs.
    pub measure: bool,
    /// Take no more inputs once this is true, and count those that were not taken; those that are being
    /// converted are finished. For programs whose user may interrupt a batch.
    pub stop: Option<Arc<AtomicBool>>,
}

/// Converts all inputs as [`run_spooled`] does, and returns their results in memory.
///
/// # Errors
/// Returns the errors of [`run_spooled`] and of reading its temporary files.
pub fn run(
    inputs: &[Input],
    converter: &dyn Converter,
    settings: &Settings,
    finished: &(dyn Fn(&[ShaderReport]) + Sync),
) -> io::Result<(Totals, Vec<ShaderReport>)> {
    let (totals, mut spool) = run_spooled(inputs, converter, settings, finished)?;
    Ok((totals, spool.collect()?))
}

/// Converts all inputs and reports them in input order. A shader that fails, or whose conversion
/// panics, does not affect the others. The results are in temporary files, in the folder of the outputs
/// if there is one.
///
/// On a full disk ([`Kind::DiskFull`]) no more inputs are taken.
///
/// `finished` is called once per input with its result, from any thread and in any order.
///
/// # Errors
/// Returns an error if the pool's threads cannot be started or the output folder cannot be created.
pub fn run_spooled(
    inputs: &[Input],
    converter: &dyn Converter,
    settings: &Settings,
    finished: &(dyn Fn(&[ShaderReport]) + Sync),
) -> io::Result<(Totals, Spool)> {
    let start = Instant::now();
    let plan = outputs::plan(inputs.iter().map(|input| input.relative.as_str()));
    if let Some(folder) = &settings.output {
        fs::create_dir_all(folder)?;
    }
    let pool = pool(settings.jobs)?;
    let cache = settings.cache.as_ref();
    let (cache, mut cache_error) = match cache.map(|cache| Cache::open(cache, converter)) {
        None => (None, None),
        Some(Ok(cache)) => (Some(cache), None),
        Some(Err(error)) => (None, Some(error)),
    };
    let batch = Batch::new(settings, &plan, cache.as_ref(), converter.clock());
    // Of a batch that stops at a failure, the inputs that were not run are the last ones.
    let threads = (!settings.fail_fast).then(|| pool.current_num_threads());
    let feed = Feed::new(inputs, threads);
    let (taken, others) = (AtomicU64::new(0), AtomicU64::new(0));
    let stop = AtomicBool::new(false);
    let is_stopped = || {
        let outside = settings.stop.as_ref();
        stop.load(Ordering::Relaxed) || outside.is_some_and(|stop| stop.load(Ordering::Relaxed))
    };
    let on_thread = |_: rayon::BroadcastContext<'_>| {
        let mut worker = converter.worker();
        let mut source = feed.for_thread();
        let mut folder = OutputFolder::default();
        let mut part = Part::new(settings.output.as_deref());
        let mut sums = Totals::default();
        while !is_stopped()
            && let Some(fed) = source.take()
        {
            taken.fetch_add(1, Ordering::Relaxed);
            let index = fed.index;
            if settings.shard.is_some_and(|shard| !is_in(&shard, &fed)) {
                others.fetch_add(1, Ordering::Relaxed);
                finished(&[]);
                continue;
            }
            let reports = batch.input(fed, &mut *worker, &mut folder);
            let ends = |failure: &Failure| settings.fail_fast || failure.kind == Kind::DiskFull;
            let mut failures = reports.iter().filter_map(|report| report.error.as_ref());
            stop.fetch_or(failures.any(ends), Ordering::Relaxed);
            finished(&reports);
            for report in &reports {
                sums.count(report);
            }
            part.push(index, &reports)?;
        }
        Ok::<_, io::Error>((part, sums))
    };
    let mut totals = Totals::default();
    let mut parts = Vec::new();
    for result in pool.broadcast(on_thread) {
        let (part, sums) = result?;
        totals.add(&sums);
        parts.push(part);
    }
    totals.other_shards = others.into_inner();
    totals.not_run = inputs.len() as u64 - taken.into_inner();
    cache_error = cache_error.or_else(|| cache?.finish());
    totals.cache_error = cache_error;
    totals.wall_us = micros(start.elapsed());
    Ok((totals, Spool::new(parts)))
}

/// Converts inputs one at a time, on the calling thread: for programs that distribute inputs
/// themselves, such as to the machines of a cluster. The results are the same as with [`run`].
pub struct Single<'a> {
    batch: Batch<'a>,
    worker: Box<dyn Worker + 'a>,
    folder: OutputFolder,
}

impl<'a> Single<'a> {
    /// Takes the plan of all outputs, and creates their folder. Of the settings, `output`, `sync` and
    /// `measure` count.
    ///
    /// # Errors
    /// Returns an error if the output folder cannot be created.
    pub fn new(
        plan: &'a Plan<'a>,
        converter: &'a dyn Converter,
        settings: &'a Settings,
    ) -> io::Result<Self> {
        if let Some(folder) = &settings.output {
            fs::create_dir_all(folder)?;
        }
        Ok(Self {
            batch: Batch::new(settings, plan, None, converter.clock()),
            worker: converter.worker(),
            folder: OutputFolder::default(),
        })
    }

    /// Converts the input that has this index in the plan, and returns the results of its entry
    /// points. Members of archives fail: [`run`] reads archives in order.
    pub fn convert(&mut self, index: usize, input: &Input) -> Vec<ShaderReport> {
        let bytes = match (&input.problem, &input.member) {
            (Some(problem), _) => Err((**problem).clone()),
            (None, Some(_)) => Err(Failure::new(
                Kind::Archive,
                "the input is in an archive: unpack it first",
            )),
            (None, None) => files::read(&input.path),
        };
        let fed = FeedItem {
            index,
            input,
            bytes,
        };
        self.batch.input(fed, &mut *self.worker, &mut self.folder)
    }
}

/// Returns true if an input is in a part of the batch: by its content, or by its name if that cannot be
/// read.
fn is_in(shard: &Shard, fed: &FeedItem<'_>) -> bool {
    let name = fed.input.relative.as_bytes();
    shard.has(fed.bytes.as_deref().unwrap_or(name))
}

/// State shared by the jobs.
struct Batch<'a> {
    output: Option<&'a Path>,
    sync: bool,
    measure: bool,
    plan: &'a Plan<'a>,
    cache: Option<&'a Cache>,
    leftovers: Leftovers,
    clock: fn() -> Duration,
}

impl<'a> Batch<'a> {
    fn new(
        settings: &'a Settings,
        plan: &'a Plan<'a>,
        cache: Option<&'a Cache>,
        clock: fn() -> Duration,
    ) -> Self {
        Self {
            output: settings.output.as_deref(),
            sync: settings.sync,
            measure: settings.measure,
            plan,
            cache,
            leftovers: Leftovers::default(),
            clock,
        }
    }

    /// Converts the only entry point of an input, or all entry points of a library. A library without
    /// any has nothing to convert: it is skipped.
    fn input(
        &self,
        fed: FeedItem<'_>,
        worker: &mut dyn Worker,
        folder: &mut OutputFolder,
    ) -> Vec<ShaderReport> {
        let FeedItem {
            index,
            input,
            bytes,
        } = fed;
        let mut blank = ShaderReport {
            input: input.to_string(),
            ..ShaderReport::default()
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(failure) => return vec![failed(blank, failure)],
        };
        blank.input_bytes = bytes.len() as u64;
        if self.measure {
            blank.measured = Some(Box::new(Measured::of_input(&bytes)));
        }
        let start = (self.clock)();
        let opened = match self.cache {
            None => guarded(|| worker.open(&bytes)),
            Some(cache) => {
                let (opened, cached) = cache.read(&bytes, worker);
                blank.cached = cached;
                opened
            }
        };
        let expected = input.expected.as_ref();
        self.entry_points(blank, index, expected, opened, start, folder)
    }

    /// Converts the entry points of an input that has been opened since `start`.
    fn entry_points(
        &self,
        mut blank: ShaderReport,
        index: usize,
        expected: Option<&Expected>,
        opened: Result<Box<dyn Opened + '_>, Failure>,
        start: Duration,
        folder: &mut OutputFolder,
    ) -> Vec<ShaderReport> {
        let opened = guarded(|| opened.map(|opened| (opened.entries(), opened)));
        let opened = match opened {
            Ok((entries, opened))
                if entries.is_empty() && opened.is_library() && !wants_shader(expected) =>
            {
                return vec![ShaderReport {
                    status: Status::Skipped,
                    stage: Some(Stage::Library.name().to_owned()),
                    time_us: self.micros_since(start),
                    ..blank
                }];
            }
            Ok((entries, _)) if entries.is_empty() => {
                Err(Failure::from(&Error::from(EntryPointError::None)))
            }
            result => result,
        };
        let (entries, mut opened) = match opened {
            Ok(opened) => opened,
            Err(failure) => {
                let time_us = self.micros_since(start);
                return vec![failed(ShaderReport { time_us, ..blank }, failure)];
            }
        };
        blank.clashes_with = self.plan.clash(index).map(str::to_owned);
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let paths = if names.len() == 1 {
            self.plan.single(index).map(|path| vec![path])
        } else {
            self.plan.several(index, &names)
        };
        // The time of the first entry point includes parsing the file.
        let mut start = Some(start);
        let convert = |(number, (entry, path)): (usize, (&Entry, String))| {
            let start = start.take().unwrap_or_else(self.clock);
            let result = guarded(|| opened.convert(number));
            let blank = ShaderReport {
                entry: Some(entry.name.clone()),
                stage: Some(entry.stage.name().to_owned()),
                time_us: self.micros_since(start),
                ..blank.clone()
            };
            self.finish(blank, result, expected, path, folder)
        };
        let reports = entries
            .iter()
            .zip(paths.unwrap_or_default())
            .enumerate()
            .map(convert)
            .collect();
        opened.close();
        reports
    }

    fn micros_since(&self, start: Duration) -> u64 {
        micros((self.clock)().saturating_sub(start))
    }

    /// Checks a result against the manifest, writes it, and returns its report.
    fn finish(
        &self,
        mut blank: ShaderReport,
        result: Result<Converted, Failure>,
        expected: Option<&Expected>,
        path: String,
        known: &mut OutputFolder,
    ) -> ShaderReport {
        let (converted, not_validated) = match result {
            Ok(Converted {
                output,
                not_validated,
            }) => (output, not_validated),
            Err(failure) => return failed(blank, failure),
        };
        let bytes = bytes_of(&converted.words);
        let written = check(&converted, expected).and_then(|()| match self.output {
            Some(folder) => {
                let path = folder.join(&path);
                let is_plain = self.leftovers.prepare(&path, known);
                write(&path, &bytes, is_plain, self.sync)
            }
            None => Ok(()),
        });
        if let Err(failure) = written {
            return failed(blank, failure);
        }
        if let Some(measured) = &mut blank.measured {
            measured.add_output(&converted.words, &bytes);
        }
        ShaderReport {
            output: self.output.is_some().then_some(path),
            status: Status::Converted,
            words: converted.words.len() as u64,
            not_validated,
            structurizer: Some(converted.structurizer),
            ..blank
        }
    }
}

/// Returns true if a manifest lists the file as a shader rather than a library.
fn wants_shader(expected: Option<&Expected>) -> bool {
    expected.is_some_and(|expected| expected.stage != Stage::Library)
}

fn failed(mut report: ShaderReport, failure: Failure) -> ShaderReport {
    report.error = Some(failure);
    report
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Checks the stage and entry point of a shader against its manifest.
fn check(converted: &Output, expected: Option<&Expected>) -> Result<(), Failure> {
    let Some(expected) = expected.filter(|expected| expected.stage != Stage::Library) else {
        return Ok(());
    };
    let (stage, entry) = (expected.stage.name(), &expected.entry);
    if stage == converted.stage.name() && *entry == converted.entry {
        return Ok(());
    }
    Err(Failure::new(
        Kind::Manifest,
        format!(
            "the manifest specifies {stage} shader `{entry}`, but the file contains {} shader `{}`",
            converted.stage, converted.entry
        ),
    ))
}

#[cfg(test)]
mod tests;
