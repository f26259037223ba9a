//! Seeds on several threads, and a process that replies to requests line by line. A crash, of a compiler
//! or a driver for the most part, ends only that process, and one that does not reply in time is ended.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two checks whether a process is to be ended.
const CHECK: Duration = Duration::from_millis(500);

/// Bytes of the stack of a thread: compilers recurse.
const STACK: usize = 64 << 20;

/// Works on the seeds in order on several threads. No seed is begun after `minutes`. `open` makes
/// the state of a thread.
///
/// # Errors
/// The first error of `open` or `work`.
///
/// # Panics
/// A thread panicked, or cannot be started.
pub fn for_seeds<S, E: Send>(
    seeds: &Range<u64>,
    minutes: Option<f64>,
    jobs: usize,
    open: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&mut S, u64) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let deadline = minutes
        .and_then(|minutes| Duration::try_from_secs_f64(minutes * 60.0).ok())
        .and_then(|time| Instant::now().checked_add(time));
    let next = AtomicU64::new(seeds.start);
    let thread = || -> Result<(), E> {
        let mut state = open()?;
        while deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            work(&mut state, seed)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let start = |_| {
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, thread).expect("a thread")
        };
        let threads: Vec<_> = (0..jobs.max(1)).map(start).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().try_for_each(join)
    })
}

/// Reads `A..B`.
///
/// # Errors
/// It is not a range of numbers, or empty.
pub fn parse_seeds(text: &str) -> Result<Range<u64>, String> {
    let range = text
        .split_once("..")
        .and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
    range
        .filter(|range: &Range<u64>| range.start < range.end)
        .ok_or_else(|| "expected two numbers, the smaller one first, like 1..1000".to_owned())
}

/// Makes a command that runs this program with the same arguments, and more.
///
/// # Errors
/// The program is gone.
pub fn again() -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1));
    Ok(command)
}

/// Replies to each line, a task and a seed, until there are no more.
///
/// # Errors
/// Input or output is gone.
pub fn reply(
    input: impl BufRead,
    mut output: impl Write,
    mut answer: impl FnMut(&str, u64) -> String,
) -> std::io::Result<()> {
    for line in input.lines() {
        let line = line?;
        let (task, seed) = line.split_once(' ').unwrap_or((&line, ""));
        let Ok(seed) = seed.parse() else { continue };
        writeln!(output, "{}", answer(task, seed))?;
        output.flush()?;
    }
    Ok(())
}

/// The parent's end of a worker.
pub struct WorkerProcess {
    /// With the time at which it is ended.
    child: Arc<Mutex<(Child, Option<Instant>)>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl WorkerProcess {
    /// Starts a worker.
    ///
    /// # Errors
    /// The command cannot be started.
    pub fn start(mut command: Command) -> std::io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || std::io::Error::other("a worker without pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let child = Arc::new(Mutex::new((child, None)));
        let watched = Arc::downgrade(&child);
        std::thread::spawn(move || {
            while let Some(child) = watched.upgrade() {
                let mut locked = child.lock().unwrap_or_else(PoisonError::into_inner);
                if locked.1.is_some_and(|end: Instant| Instant::now() > end) {
                    let _ = locked.0.kill();
                    return;
                }
                drop(locked);
                drop(child);
                std::thread::sleep(CHECK);
            }
        });
        Ok(Self {
            child,
            input,
            output,
        })
    }

    /// Sends a request and returns the first line of the output whose first word is in `answers`.
    /// Lines `stage NAME` before it name the worker's current step; others are skipped, since
    /// drivers print to standard output, too.
    ///
    /// # Errors
    /// The process ended, or was ended after `limit`: the last stage, `None` before the first.
    pub fn ask(
        &mut self,
        request: &str,
        answers: &[&str],
        limit: Duration,
    ) -> Result<String, Option<String>> {
        self.end_at(Instant::now().checked_add(limit));
        let answer = if writeln!(self.input, "{request}").is_err() {
            Err(None)
        } else {
            self.answer(answers)
        };
        self.end_at(None);
        answer
    }

    fn answer(&mut self, answers: &[&str]) -> Result<String, Option<String>> {
        let mut stage = None;
        loop {
            let mut line = String::new();
            if !matches!(self.output.read_line(&mut line), Ok(1..)) {
                return Err(stage);
            }
            let line = line.trim_end();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if word == "stage" {
                stage = Some(rest.to_owned());
            } else if answers.contains(&word) {
                return Ok(line.to_owned());
            }
        }
    }

    fn end_at(&self, end: Option<Instant>) {
        self.child.lock().unwrap_or_else(PoisonError::into_inner).1 = end;
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = child.0.kill();
        let _ = child.0.wait();
    }
}

/// Returns a text as part of an answer, which is one line.
pub fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
