//! A worker process as its batch sees it.

use std::io::{self, BufReader, BufWriter, ErrorKind, Read};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::protocol::{Answer, Message, Request, receive, send};
use super::{Limits, Program};
use crate::failure::{Failure, Kind};

/// The time in which a worker has to be ready.
const START: Duration = Duration::from_secs(60);

/// The time in which a process ends whose pipes are closed, which comes first.
const END: Duration = Duration::from_secs(5);

/// Number of bytes of a worker's standard error that are kept: the last ones.
const KEPT: usize = 4096;

/// Maximum number of characters that a failure quotes of it.
const QUOTED: usize = 200;

/// Messages of the standard libraries of Rust and C++ when there is no memory, and of the worker if
/// there is not enough for an input.
const OUT_OF_MEMORY: [&str; 3] = ["memory allocation of ", "bad_alloc", "out of memory"];

/// A running worker.
pub(super) struct Process {
    child: Child,
    input: BufWriter<ChildStdin>,
    /// Its answers, which a thread reads, so that they can be waited for until a deadline.
    answers: Receiver<io::Result<Answer>>,
    messages: Option<JoinHandle<Vec<u8>>>,
    limits: Limits,
    /// When the next answer has to be there.
    deadline: Option<Instant>,
    /// True if it was not.
    expired: bool,
    /// True if an answer was not understood, so that the process may not have ended.
    confused: bool,
    /// The number of the next request.
    pub(super) number: u64,
}

impl Process {
    /// Starts a worker and waits until it can convert.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub(super) fn start(program: &Program, limits: Limits) -> Result<Self, String> {
        let cannot = |error: io::Error| format!("cannot start a worker process: {error}");
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
        // One waits, so that a library's outputs are not all in memory.
        let (sender, answers) = sync_channel(1);
        let mut process = Self {
            child,
            input: BufWriter::new(input),
            answers,
            messages: None,
            limits,
            deadline: Some(Instant::now() + START),
            expired: false,
            confused: false,
            number: 0,
        };
        let thread = || std::thread::Builder::new().name("trellis-isolate".to_owned());
        let messages = thread().spawn(move || last_bytes(errors));
        process.messages = Some(messages.map_err(cannot)?);
        let reader = thread().spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(answer) = receive(&mut output).transpose() {
                let is_last = answer.is_err();
                // Without a receiver there is nobody to report to.
                if sender.send(answer).is_err() || is_last {
                    break;
                }
            }
        });
        reader.map_err(cannot)?;
        let (memory, setup) = (limits.memory, program.setup.clone());
        let sent = send(&mut process.input, &Message::SetUp { memory, setup });
        let ready = sent.ok().and_then(|()| {
            process.next(|answer| match answer {
                Answer::Ready(ready) => Some(ready),
                _ => None,
            })
        });
        match ready {
            Some(ready) => ready.map(|()| process),
            None => Err(format!("a worker process did not start: {}", process.end())),
        }
    }

    /// Asks for an input. The time of its first entry point begins.
    #[must_use]
    pub(super) fn ask(&mut self, request: Request, bytes: &[u8]) -> bool {
        self.begin();
        let bytes = bytes.to_vec();
        send(&mut self.input, &Message::Convert { request, bytes }).is_ok()
    }

    /// Lets the time of an entry point begin.
    pub(super) fn begin(&mut self) {
        let time = self.limits.time;
        self.deadline = time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Returns the result of `take` on the next answer. After `None` the worker is unusable.
    pub(super) fn next<T>(&mut self, take: impl FnOnce(Answer) -> Option<T>) -> Option<T> {
        let received = match self.deadline {
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.answers.recv_timeout(left)
            }
            None => self.answers.recv().map_err(RecvTimeoutError::from),
        };
        match received {
            Ok(Ok(answer)) => {
                let taken = take(answer);
                self.confused = taken.is_none();
                return taken;
            }
            Ok(Err(error)) => self.confused = error.kind() == ErrorKind::InvalidData,
            Err(RecvTimeoutError::Timeout) => self.expired = true,
            Err(RecvTimeoutError::Disconnected) => {}
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
        let status = match self.confused || self.expired {
            true => None,
            false => self.wait(),
        };
        self.kill();
        let messages = self.messages.take().and_then(|thread| thread.join().ok());
        End {
            status,
            expired: self.expired,
            messages: String::from_utf8_lossy(&messages.unwrap_or_default()).into_owned(),
        }
    }

    /// Waits some time for the end of the process.
    fn wait(&mut self) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < END {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                status => return status.ok().flatten(),
            }
        }
        None
    }

    fn kill(&mut self) {
        // It fails for a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing to lose.
        self.kill();
        // A panic of a thread has been reported.
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
    /// The end of its standard error.
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
