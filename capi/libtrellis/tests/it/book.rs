//! The programs of the page `docs/using/c.md`: they are compiled, linked with the static library, and run.
//!
//! After a program, `<!-- program: FILE SHADER -->` runs it with a file of the corpus; the block
//! after it is its output on both streams, which `TRELLIS_BLESS=1` writes.

use std::path::Path;
use std::process::Command;

use book_testkit::{Part, blocks, compare, parts};
use c_testkit::{compiler, library, run};

/// Compiles a program, and requires that the compiler prints no message.
fn compile(source: &Path, program: &Path) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut compile = compiler(source);
    compile
        .arg("-pedantic")
        .arg("-I")
        .arg(package.join("include"));
    compile.arg("-o").arg(program).arg(library("libtrellis.a"));
    run(compile.args(["-lpthread", "-ldl", "-lm"]), package);
}

#[test]
fn the_programs_print_what_the_page_says() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = package.join("../../docs/using/c.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for block in blocks(&text, "c").unwrap() {
        let name = block.file.expect("a program has a name");
        let source = folder.path().join(name);
        std::fs::write(&source, block.text()).unwrap();
        compile(&source, &source.with_extension("out"));
    }
    let mut actual = String::new();
    let mut printed = None;
    let mut runs = 0;
    for part in parts(&text).unwrap() {
        match part {
            Part::Line(line, _) => {
                actual.push_str(line);
                actual.push('\n');
                let Some(arguments) = line.strip_prefix("<!-- program: ") else {
                    continue;
                };
                let (name, shader) = arguments.trim_end_matches(" -->").split_once(' ').unwrap();
                let program = folder.path().join(name).with_extension("out");
                let output = Command::new(program)
                    .arg(package.join("../../corpus/shaders").join(shader))
                    .output()
                    .unwrap();
                let bytes = [output.stdout, output.stderr].concat();
                printed = Some(String::from_utf8(bytes).unwrap());
                runs += 1;
            }
            Part::Block(start, block, end) => {
                let lines = block.text();
                let lines = if block.lines.is_empty() { "" } else { &lines };
                let content = printed.take().unwrap_or_else(|| lines.to_owned());
                actual.push_str(&format!("{start}\n{content}{end}\n"));
            }
        }
    }
    assert!(runs >= 2, "the page runs its program");
    compare(&path, &text, &actual).unwrap();
}
