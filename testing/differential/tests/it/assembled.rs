//! The listing of DXIL is the program: DXC's assembler takes the listings of the corpus, and the listing of the module
//! that it makes is the same.

use std::path::PathBuf;
use std::process::Command;

use differential::compiler::default_library;
use trellis_dxil_frontend::shader::Version;

/// The newest shader model of the library. Its assembler refuses later ones, or crashes.
const NEWEST: Version = Version { major: 6, minor: 7 };

/// Returns the lines of a listing but comments, which describe parts of the container: the assembler makes these from
/// the module alone, without names of resources.
fn module(listing: &str) -> Vec<&str> {
    let lines = listing.lines().filter(|line| !line.starts_with(';'));
    lines.collect()
}

#[test]
fn listings_assemble_to_the_same_module() {
    let Some(library) = default_library().filter(|path| path.is_file()) else {
        return eprintln!("skipped: {}", differential::compiler::HINT);
    };
    let folder = tempfile::tempdir().unwrap();
    let (mut listings, mut later) = (Vec::new(), 0);
    for (index, (name, shader)) in shader_testkit::shaders().into_iter().enumerate() {
        let model = trellis_dxbc_frontend::read(&shader).unwrap().shader.model;
        if model > NEWEST {
            later += 1;
            continue;
        }
        let path = folder.path().join(format!("{index}.ll"));
        let listing = trellis_dxbc_frontend::disassemble(&shader).unwrap();
        std::fs::write(&path, &listing).unwrap();
        listings.push((name, path, listing));
    }
    for part in listings.chunks(100) {
        let paths = part.iter().map(|(_, path, _)| path);
        let program = Command::new(env!("CARGO_BIN_EXE_assemble"));
        { program }.arg(&library).args(paths).status().unwrap();
    }
    let mut wrong = Vec::new();
    for (name, path, listing) in &listings {
        let made = |extension| PathBuf::from(format!("{}.{extension}", path.display()));
        let Ok(container) = std::fs::read(made("dxil")) else {
            let error = std::fs::read_to_string(made("error"));
            wrong.push(format!("{name}: {}", error.unwrap_or("a crash".to_owned())));
            continue;
        };
        let again = trellis_dxbc_frontend::disassemble(&container).unwrap();
        let (a, b) = (module(listing), module(&again));
        if a != b {
            let line = a.iter().zip(&b).position(|(a, b)| a != b);
            wrong.push(format!("{name}: line {line:?} of the module differs"));
        }
    }
    println!(
        "{} listings, {later} of later shader models",
        listings.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(listings.len() > 1000, "{}", listings.len());
}
