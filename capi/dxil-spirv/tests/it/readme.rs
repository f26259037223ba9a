//! The README lists the options without effect.
//!
//! `TRELLIS_BLESS=1` writes the list.

use std::fmt::Write as _;
use std::path::Path;

use dxil_spirv_c_shared::settings::{Effect, TABLE};

const BEGIN: &str = "<!-- options: made by tests/it/readme.rs -->\n";
const END: &str = "<!-- end of options -->\n";

#[test]
fn the_readme_lists_the_options_without_effect() {
    let mut list = String::from("| option | here |\n|---|---|\n");
    for row in TABLE {
        let (number, name) = (row.number, row.name);
        match row.effect {
            Effect::Same => {}
            Effect::Part(what) => {
                writeln!(list, "| {number} `{name}` | a part: {what} |").unwrap();
            }
            Effect::None(reason) => {
                writeln!(list, "| {number} `{name}` | no effect: {reason} |").unwrap();
            }
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the list begins");
    let (written, after) = rest.split_once(END).expect("the list ends");
    if written != list && std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{list}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(written, list, "TRELLIS_BLESS=1 writes it");
}
