//! Structurizes a text graph (a file, or standard input) and prints the result.

use std::io::Read;

use trellis_structurizer::text::{parse, print_structured};
use trellis_structurizer::{Options, structurize};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    match std::env::args().nth(1) {
        Some(path) => text = std::fs::read_to_string(path)?,
        None => {
            std::io::stdin().read_to_string(&mut text)?;
        }
    }
    let structured = structurize(parse(&text)?, &Options::default())?;
    print!("{}", print_structured(&structured));
    println!("# {:?}", structured.report);
    Ok(())
}
