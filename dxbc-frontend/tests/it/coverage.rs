//! The tests of each opcode: `tests/coverage.txt`. The corpus's DXBC is run by the interpreter and
//! on devices, translations of `tests/shaders` are compared, and `translate.rs` runs or refuses
//! assembled programs. `TRELLIS_BLESS=1` rewrites the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use shader_testkit::files;
use trellis_dxbc_frontend::tokens::{Op, OpKind, Program, TABLE};
use trellis_dxil_frontend::container::Container;

#[test]
fn every_opcode_keeps_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests: BTreeMap<Op, BTreeSet<&str>> = BTreeMap::new();
    for (folder, test) in [
        ("../corpus/dxbc", "corpus"),
        ("tests/shaders", "translated"),
    ] {
        for path in files(&root.join(folder), "dxbc") {
            let bytes = std::fs::read(path).unwrap();
            let program = Program::read(&Container::open(&bytes).unwrap()).unwrap();
            for item in program.items {
                tests.entry(item.op).or_default().insert(test);
            }
        }
    }
    let programs = include_str!("translate.rs");
    let mut text = String::from("# What tests each opcode; TRELLIS_BLESS=1 writes it.\n");
    for info in TABLE.iter().filter(|info| info.kind != OpKind::Reserved) {
        let tests = tests.entry(info.op).or_default();
        // An instruction of a program, or a replacement.
        let is_in = |line: &str| {
            let line = line.trim_start_matches([' ', '"', '&']);
            let rest = line
                .strip_prefix(info.name)
                .map(|rest| rest.trim_start_matches("_sat"));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\\', '"', '_']))
        };
        let lines = programs.lines().flat_map(|line| line.split("\\n"));
        if tests.is_empty()
            && ({ lines }.any(is_in) || programs.contains(&format!("Op::{:?}", info.op)))
        {
            tests.insert("assembled");
        }
        let list: Vec<&str> = tests.iter().copied().collect();
        text += &format!("{} {}: {}\n", info.op as u8, info.name, list.join(" "));
    }
    let path = root.join("tests/coverage.txt");
    if std::env::var_os("TRELLIS_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let untested: Vec<&str> = text.lines().filter(|line| line.ends_with(": ")).collect();
    assert!(untested.is_empty(), "without a test: {untested:?}");
}
