//! A worker process as its batch sees it.

use std::io::{BufReader, BufWriter, ErrorKind, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::protocol::{CONVERT, READY, Request, SET_UP, receive, send};
use super::{Limits, Program};
use crate::failure::{Failure, Kind};

/// The time in which a worker has to be ready.
const START: Duration = Duration::from_secs(60);

/// The time in which a process ends whose pipes are closed, which comes first.
const END: Duration = Duration::from_secs(5);

/// Bytes that are kept of what a worker writes to its standard error: the last ones.
const KEPT: usize = 4096;

/// Maximum length of what a failure quotes of that, in characters.
const QUOTED: usize = 200;

/// What the standard libraries of Rust and C++ write when there is no memory, and the worker if there is not
/// enough for an input.
const OUT_OF_MEMORY: [&str; 3] = ["memory allocation of ", "bad_alloc", "out of memory"];

/// A running worker.
pub(super) struct Process {
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    messages: Option<JoinHandle<Vec<u8>>>,
    watch: Arc<Watch>,
    watcher: Option<JoinHandle<()>>,
    limits: Limits,
    /// True if an answer was not understood, so that the process may not have ended.
    confused: bool,
    /// The number of the next request.
    pub(super) number: u64,
}

/// Kills the process when its time is over.
struct Watch {
    state: Mutex<Watched>,
    changed: Condvar,
}

struct Watched {
    child: Child,
    /// When the process is killed.
    deadline: Option<Instant>,
    /// When the watcher looks at the deadline again; `None`: when it is woken.
    wakes: Option<Instant>,
    /// True if the process was killed since its time was over.
    expired: bool,
    /// True if there is nothing more to watch.
    done: bool,
}

impl Watch {
    /// Locks what stays usable if a thread panics: each change of it is one step.
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the time at which the process is killed. The watcher is woken only if it would come too
    /// late, which is once in the time of a limit rather than for each shader. Returns false if the
    /// process was killed before.
    fn set(&self, deadline: Option<Instant>) -> bool {
        let mut state = self.lock();
        state.deadline = deadline;
        let late = |deadline| state.wakes.is_none_or(|wakes| wakes > deadline);
        if deadline.is_some_and(late) {
            self.changed.notify_one();
        }
        !state.expired
    }

    fn run(&self) {
        let mut state = self.lock();
        while !state.done {
            let now = Instant::now();
            let left = state.deadline.map(|deadline| deadline - now);
            state = match left {
                Some(Duration::ZERO) => {
                    state.expired = true;
                    state.deadline = None;
                    // It fails for a process that has ended.
                    let _ = state.child.kill();
                    state
                }
                Some(left) => {
                    state.wakes = state.deadline;
                    let woken = self.changed.wait_timeout(state, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    state.wakes = None;
                    let woken = self.changed.wait(state);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }
}

impl Process {
    /// Starts a worker and waits until it can convert.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub(super) fn start(program: &Program, limits: Limits) -> Result<Self, String> {
        let cannot = |error: std::io::Error| format!("cannot start a worker process: {error}");
        let mut child = Command::new(&program.path)
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(cannot)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err("a worker process has no pipes".to_owned());
        };
        let watched = Watched {
            child,
            deadline: Some(Instant::now() + START),
            wakes: None,
            expired: false,
            done: false,
        };
        let watch = Arc::new(Watch {
            state: Mutex::new(watched),
            changed: Condvar::new(),
        });
        let mut process = Self {
            input: BufWriter::new(input),
            output: BufReader::new(output),
            messages: None,
            watch: Arc::clone(&watch),
            watcher: None,
            limits,
            confused: false,
            number: 0,
        };
        let thread = || std::thread::Builder::new().name("trellis-isolate".to_owned());
        let messages = thread().spawn(move || last_bytes(errors));
        process.messages = Some(messages.map_err(cannot)?);
        let watcher = thread().spawn(move || watch.run());
        process.watcher = Some(watcher.map_err(cannot)?);
        let memory = limits.memory.unwrap_or(0).to_le_bytes();
        let sent = send(&mut process.input, SET_UP, &[&memory, &program.setup]);
        let ready = sent.ok().and_then(|()| process.next(READY));
        process.watch.set(None);
        match ready {
            Some(reason) if reason.is_empty() => Ok(process),
            Some(reason) => Err(String::from_utf8_lossy(&reason).into_owned()),
            None => Err(format!("a worker process did not start: {}", process.end())),
        }
    }

    /// Asks for an input. The time of its first entry point begins.
    #[must_use]
    pub(super) fn ask(&mut self, request: Request, bytes: &[u8]) -> bool {
        self.begin();
        send(&mut self.input, CONVERT, &[&request.to_bytes(), bytes]).is_ok()
    }

    /// Lets the time of an entry point begin.
    pub(super) fn begin(&self) {
        if let Some(time) = self.limits.time {
            self.watch.set(Instant::now().checked_add(time));
        }
    }

    /// Lets no time pass until the next [`Process::begin`]. Returns false if the time was over before:
    /// the process is of no use then.
    #[must_use]
    pub(super) fn pause(&self) -> bool {
        self.limits.time.is_none() || self.watch.set(None)
    }

    /// Returns the content of the next message, or `None` if that is not one of the kind that is
    /// expected: the worker is of no use then.
    pub(super) fn next(&mut self, wanted: u8) -> Option<Vec<u8>> {
        match receive(&mut self.output) {
            Ok(Some((kind, content))) if kind == wanted => return Some(content),
            Err(error) if error.kind() != ErrorKind::InvalidData => {}
            Ok(None) => {}
            _ => self.confused = true,
        }
        None
    }

    /// Returns the failure of the shader that the process was converting when it ended.
    pub(super) fn failure(self) -> Failure {
        let limits = self.limits;
        let end = self.end();
        if let (true, Some(time)) = (end.expired, limits.time) {
            let message = format!("the conversion took longer than {} s", time.as_secs_f64());
            return Failure::new(Kind::TimeLimit, message);
        }
        if !OUT_OF_MEMORY.iter().any(|text| end.messages.contains(text)) {
            return Failure::new(Kind::Crashed, format!("the conversion crashed: {end}"));
        }
        let message = match limits.memory {
            Some(memory) => format!(
                "the conversion needed more than {} MiB of memory",
                memory >> 20
            ),
            None => "there was not enough memory for the conversion".to_owned(),
        };
        Failure::new(Kind::MemoryLimit, message)
    }

    /// Ends the process, if it has not, and returns how it ended.
    fn end(mut self) -> End {
        let patience = if self.confused { Duration::ZERO } else { END };
        let (status, expired) = self.stop(patience);
        let messages = self.messages.take().and_then(|thread| thread.join().ok());
        End {
            status,
            expired,
            messages: String::from_utf8_lossy(&messages.unwrap_or_default()).into_owned(),
        }
    }

    /// Waits some time for the end of the process, then kills it.
    fn stop(&self, patience: Duration) -> (Option<ExitStatus>, bool) {
        let start = Instant::now();
        let mut state = self.watch.lock();
        state.done = true;
        self.watch.changed.notify_one();
        while start.elapsed() < patience {
            match state.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(status) => return (status, state.expired),
                Err(_) => break,
            }
        }
        // It fails for a process that has ended.
        let _ = state.child.kill();
        let _ = state.child.wait();
        (None, state.expired)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing to lose.
        self.stop(Duration::ZERO);
        // A panic of a thread has been reported.
        if let Some(thread) = self.watcher.take() {
            let _ = thread.join();
        }
        if let Some(thread) = self.messages.take() {
            let _ = thread.join();
        }
    }
}

/// How a process ended.
struct End {
    /// `None` if it had to be killed.
    status: Option<ExitStatus>,
    expired: bool,
    /// The end of what it wrote to its standard error.
    messages: String,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.messages.contains("has overflowed its stack") {
            return f.write_str("the stack overflowed");
        }
        match self.status {
            // Whether there is a core dump depends on the system.
            Some(status) => {
                let status = status.to_string();
                f.write_str(status.strip_suffix(" (core dumped)").unwrap_or(&status))?;
            }
            None if self.expired => f.write_str("no answer in time")?,
            None => f.write_str("an answer that is not understood")?,
        }
        let mut lines = self.messages.lines().filter(|line| !line.trim().is_empty());
        match lines.next_back() {
            Some(line) => {
                let line: String = line.chars().take(QUOTED).collect();
                write!(f, ": {line}")
            }
            None => Ok(()),
        }
    }
}

/// Reads all that a process writes, and returns the end of it.
fn last_bytes(mut from: ChildStderr) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        match from.read(&mut buffer) {
            Ok(count) if count > 0 => {
                kept.extend_from_slice(&buffer[..count]);
                let excess = kept.len().saturating_sub(KEPT);
                kept.drain(..excess);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return kept,
        }
    }
}
