//! The explorer's engine as a WASI program: a request on standard input, the answer on standard output.
//!
//! The page runs an instance per request, so that no request can affect another.

use std::io::{self, Read as _, Write as _};

fn main() -> io::Result<()> {
    let mut request = Vec::new();
    io::stdin().lock().read_to_end(&mut request)?;
    io::stdout()
        .lock()
        .write_all(&trellis_explorer::answer_bytes(&request))
}
