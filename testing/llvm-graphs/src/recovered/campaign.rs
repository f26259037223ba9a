//! Many programs on several threads, and the table of results.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use gpu_test::worker_process::for_seeds;
use trellis_structurizer::text::print;
use trellis_structurizer::tree::Tree;

use super::{After, Cause, Constructs, Error, Pipeline, Written};
use crate::source::{Source, shrink};

/// Programs that are shown in full for each level.
const SHOWN: u64 = 20;
/// Programs that a shrinker tries.
const TRIES: usize = 3000;

/// Options of a campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// The levels of optimization.
    pub levels: &'static [&'static str],
    /// The seeds.
    pub seeds: Range<u64>,
    /// No seed is begun after this number of minutes.
    pub minutes: Option<f64>,
    /// Threads.
    pub jobs: usize,
    /// True if the first programs of each cause are shrunk and shown.
    pub shows: bool,
}

/// The results of the programs at one level.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Programs that were compared.
    pub programs: u64,
    /// Of these, programs whose structure was recovered.
    pub same: u64,
    /// Of the same ones: those in which the optimizer copied calls.
    pub copied: u64,
    /// Of the same ones: those in which the optimizer made one loop of several.
    pub merged: u64,
    /// Constructs of all.
    pub constructs: Constructs,
    /// Blocks after the optimizer, and after the structurizer.
    pub blocks: [usize; 2],
    /// Sum of the average nestings of calls.
    pub depth: f64,
    /// Why others differ.
    pub causes: BTreeMap<Cause, u64>,
    /// Programs that the compiler refuses, by message.
    pub refused: BTreeMap<String, u64>,
    /// Programs that cannot be read or structured, by message.
    pub errors: BTreeMap<String, u64>,
    /// Seeds that differ, with their causes.
    pub seeds: BTreeMap<u64, Cause>,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Programs.
    pub programs: u64,
    /// Programs that need constructs as they were written.
    pub with_constructs: u64,
    /// Of all programs, those that `break`, `continue` or `return` out of several constructs.
    pub with_exits: u64,
    /// Programs that become another one as they were written.
    pub different: u64,
    /// Constructs of all programs as they were written.
    pub constructs: Constructs,
    /// Blocks of all programs as they were written.
    pub blocks: usize,
    /// Sum of the average nestings of calls.
    pub depth: f64,
    /// By level of optimization.
    pub rows: BTreeMap<&'static str, Row>,
    /// Shrunk programs.
    pub shown: Vec<String>,
}

impl Row {
    /// Returns the percentage of programs whose structure was recovered.
    pub fn percentage(&self) -> f64 {
        100.0 * self.same as f64 / self.programs.max(1) as f64
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let programs = self.programs.max(1) as f64;
        writeln!(
            f,
            "{} programs, {} with exits of several constructs, {} with selectors or breakable blocks as they were written ({} tests, {} breakable blocks), {} not themselves; {:.1} blocks, nesting {:.2}",
            self.programs,
            self.with_exits,
            self.with_constructs,
            self.constructs.tests,
            self.constructs.breakable_blocks,
            self.different,
            self.blocks as f64 / programs,
            self.depth / programs,
        )?;
        for (level, row) in &self.rows {
            let count = row.programs.max(1) as f64;
            writeln!(
                f,
                "{level}: {} of {} the same ({:.2} %; calls copied in {}, one loop made of several in {}); {} tests, {} breakable blocks; {:.1} blocks after the optimizer, {:.1} structured, nesting {:.2}",
                row.same,
                row.programs,
                row.percentage(),
                row.copied,
                row.merged,
                row.constructs.tests,
                row.constructs.breakable_blocks,
                row.blocks[0] as f64 / count,
                row.blocks[1] as f64 / count,
                row.depth / count,
            )?;
            for (cause, count) in &row.causes {
                writeln!(f, "  {count}: {cause}")?;
            }
            for (error, count) in row.refused.iter().chain(&row.errors) {
                writeln!(f, "  {count}: not compared: {error}")?;
            }
        }
        Ok(())
    }
}

/// Compares the programs in order, until the time is over. `open` makes a pipeline for each thread;
/// `progress` is called after each program.
///
/// # Errors
/// `open`'s.
pub fn run<'p>(
    options: &Options,
    open: &(dyn Fn() -> Result<Box<dyn Pipeline + 'p>, String> + Sync),
    progress: &(dyn Fn(&Summary) + Sync),
) -> Result<Summary, String> {
    let summary = Mutex::new(Summary::default());
    let work = |pipeline: &mut Box<dyn Pipeline + 'p>, seed| -> Result<(), String> {
        let source = pipeline.source(seed);
        let one = Compared::new(&**pipeline, options.levels, &source);
        let shown = {
            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
            let shown = summary.add(seed, &source, &one);
            progress(&summary);
            shown.filter(|_| options.shows)
        };
        if let Some((level, cause)) = shown {
            let text = show(&**pipeline, seed, source, level, cause);
            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
            summary.shown.push(text);
        }
        Ok(())
    };
    for_seeds(&options.seeds, options.minutes, options.jobs, open, work)?;
    Ok(summary.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A program at all levels.
struct Compared {
    written: Result<Written, Error>,
    after: Vec<(&'static str, Result<After, Error>)>,
}

impl Compared {
    fn new(pipeline: &dyn Pipeline, levels: &[&'static str], source: &Source) -> Self {
        let written = write(pipeline, source);
        let after = match &written {
            Ok(written) => levels
                .iter()
                .map(|&level| (level, compare(pipeline, source, written, level)))
                .collect(),
            Err(_) => Vec::new(),
        };
        Compared { written, after }
    }
}

fn write(pipeline: &dyn Pipeline, source: &Source) -> Result<Written, Error> {
    Ok(Written::of(pipeline.graph(source))?)
}

fn compare(
    pipeline: &dyn Pipeline,
    source: &Source,
    written: &Written,
    level: &str,
) -> Result<After, Error> {
    Ok(written.compare(pipeline.compile(source, level)?)?)
}

impl Summary {
    /// Counts a program; returns the first level at which it differs, if few were shown.
    fn add(&mut self, seed: u64, source: &Source, one: &Compared) -> Option<(&'static str, Cause)> {
        self.programs += 1;
        self.with_exits += u64::from(source.has_multi_level_exits());
        match &one.written {
            Ok(written) => {
                self.with_constructs += u64::from(written.constructs.total() > 0);
                self.different += u64::from(written.difference.is_some());
                self.constructs += written.constructs;
                self.blocks += written.blocks;
                self.depth += written.depth;
            }
            Err(_) => self.different += 1,
        }
        let mut shown = None;
        for (level, after) in &one.after {
            let row = self.rows.entry(*level).or_default();
            match after {
                Ok(after) => {
                    if let Some(cause) = row.add(seed, after) {
                        shown = shown.or(Some((*level, cause)));
                    }
                }
                Err(error) => {
                    let list = match error {
                        Error::Refused(_) => &mut row.refused,
                        _ => &mut row.errors,
                    };
                    *list.entry(error.to_string()).or_default() += 1;
                }
            }
        }
        shown.filter(|(level, _)| self.rows[level].seeds.len() as u64 <= SHOWN)
    }
}

impl Row {
    fn add(&mut self, seed: u64, after: &After) -> Option<Cause> {
        let outcome = &after.outcome;
        self.programs += 1;
        self.constructs += outcome.constructs;
        self.depth += outcome.depth;
        for (sum, blocks) in self.blocks.iter_mut().zip(outcome.blocks) {
            *sum += blocks;
        }
        match outcome.cause {
            Some(cause) => {
                *self.causes.entry(cause).or_default() += 1;
                self.seeds.insert(seed, cause);
            }
            None => {
                self.same += 1;
                self.copied += u64::from(outcome.copied);
                self.merged += u64::from(outcome.merged);
            }
        }
        outcome.cause
    }
}

/// Returns the smallest program that differs for the same reason, with its graphs.
fn show(pipeline: &dyn Pipeline, seed: u64, source: Source, level: &str, cause: Cause) -> String {
    let needs =
        |source: &Source| write(pipeline, source).map_or(0, |written| written.constructs.total());
    let free = needs(&source) == 0;
    let small = shrink(source, TRIES, &mut |source| {
        let Ok(written) = write(pipeline, source) else {
            return false;
        };
        (!free || written.constructs.total() == 0)
            && compare(pipeline, source, &written, level)
                .is_ok_and(|after| after.outcome.cause == Some(cause))
    });
    let mut text = format!("seed {seed} at {level}: {cause}\n{small:?}\n");
    let written = write(pipeline, &small);
    if let Ok(after) = written.and_then(|w| compare(pipeline, &small, &w, level)) {
        text += &format!(
            "{}\n{}\n{}\n{}\n",
            after.outcome.difference.unwrap_or_default(),
            after.text,
            print(&after.program.func),
            Tree::of(&after.structured)
        );
    }
    text
}
