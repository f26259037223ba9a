//! Injected faults that simulate a converter's bug, for the tests of debug builds.

use std::time::Duration;

use trellis_corpus::backend::Backend;
use trellis_corpus::converter::{Converted, Converter, Opened, Worker};
use trellis_corpus::failure::Failure;
use trellis_dxil::Entry;

/// The name of the environment variable that has the faults happen.
pub(super) const VARIABLE: &str = "TRELLIS_TEST_FAULTS";

/// Converts a shader, and has a fault happen if `fault NAME ENTRY` is a line before it: when the entry
/// point of that number is converted, or when the shader is opened if it is not a number.
pub(super) struct Faulty(pub(super) Backend);

struct Thread<'a> {
    inner: Box<dyn Worker + 'a>,
    used: bool,
}

struct Shader<'a> {
    inner: Box<dyn Opened + 'a>,
    fault: &'a str,
    entry: Option<usize>,
    used: bool,
}

impl Converter for Faulty {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Thread {
            inner: self.0.worker(),
            used: false,
        })
    }
}

impl Worker for Thread<'_> {
    fn open<'a>(&'a mut self, bytes: &'a [u8]) -> Result<Box<dyn Opened + 'a>, Failure> {
        let used = std::mem::replace(&mut self.used, true);
        let Some((fault, entry, shader)) = parse(bytes) else {
            return self.inner.open(bytes);
        };
        if entry.is_none() {
            happen(fault, used);
        }
        Ok(Box::new(Shader {
            inner: self.inner.open(shader)?,
            fault,
            entry,
            used,
        }))
    }
}

impl Opened for Shader<'_> {
    fn entries(&self) -> Vec<Entry> {
        self.inner.entries()
    }

    fn is_library(&self) -> bool {
        self.inner.is_library()
    }

    fn convert(&mut self, entry: usize) -> Result<Converted, Failure> {
        if self.entry == Some(entry) {
            happen(self.fault, self.used);
        }
        self.inner.convert(entry)
    }

    fn close(self: Box<Self>) {
        self.inner.close();
    }
}

/// Returns the fault, its entry point and the shader.
fn parse(bytes: &[u8]) -> Option<(&str, Option<usize>, &[u8])> {
    let bytes = bytes.strip_prefix(b"fault ")?;
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let (fault, entry) = line.split_once(' ')?;
    Some((fault, entry.parse().ok(), &bytes[end + 1..]))
}

/// Performs the fault of this name. `used` is true if the process has converted another shader
/// before.
fn happen(fault: &str, used: bool) {
    match fault {
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "abort" => std::process::abort(),
        "abort-if-used" if used => std::process::abort(),
        "exit" =>
        {
            #[expect(clippy::exit, reason = "the fault is that the process ends")]
            std::process::exit(7)
        }
        "noise" => println!("text among the answers"),
        "overflow" => {
            std::hint::black_box(deep(1));
        }
        "memory" => {
            // 3 GiB, which are never touched where they are not refused.
            std::hint::black_box(vec![0u8; 3 << 30]);
        }
        "panic" => panic!("a test"),
        _ => {}
    }
}

/// Recurses without an end.
fn deep(depth: u64) -> [u64; 64] {
    let mut frame = [depth; 64];
    if std::hint::black_box(depth) > 0 {
        frame[1] = deep(depth + 1)[2];
    }
    std::hint::black_box(frame)
}
