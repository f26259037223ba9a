//! The HLSL that `trellis tree` prints is the program: the compiler takes the text of the corpus's
//! shaders, and the interpreter computes the same with the result as with the original.

use std::collections::BTreeMap;

use differential::compiler::{Compiler, Error, Session, error_line};
use trellis_dxil_frontend::shader::ShaderKind;
use trellis_dxil_interpreter::{Inputs, Options, generate, run_module};

/// The newest shader model of the library.
const NEWEST: u32 = 7;

/// Fewest shaders whose text must give the same results, and share of texts that must compile, in
/// percent.
const EQUAL: usize = 200;
const COMPILED: usize = 60;

/// The compiler merges two loops that begin with the same block, so lanes that leave the inner one no
/// longer wait for the others: its optimizer does not keep the order of wave operations (DXC#6109).
const MERGED: [&str; 1] = ["control_flow/wave_break_nested.dxil"];

/// Compiles a text as its first line says. `-Gis`: the operations on floats stay as they are.
fn compile(session: &Session<'_>, text: &str) -> Result<Vec<u8>, Error> {
    let first = text.lines().next().unwrap_or("");
    let words: Vec<&str> = first.split_whitespace().skip(2).collect();
    let (profile, options) = (words[1], &words[4..]);
    let (stage, minor) = profile.rsplit_once('_').unwrap();
    let profile = format!("{stage}_{}", minor.parse::<u32>().unwrap().min(NEWEST));
    let mut options = options.to_vec();
    // It is not for types of minimum precision.
    if !text.contains("min16") {
        options.push("-Gis");
    }
    session.compile_as(text, &profile, &options)
}

/// Runs both, and returns the difference.
fn compare(original: &[u8], recompiled: &[u8]) -> Result<(), String> {
    let read = |bytes| trellis_dxbc_frontend::read(bytes).map_err(|error| error.to_string());
    let (a, b) = (read(original)?, read(recompiled)?);
    let mut dispatch = generate::dispatch(&a.module, &a.shader, [2, 2, 1], 64);
    let mut run = |input: &trellis_dxil_frontend::Input<'_>| {
        dispatch.entry = input.shader.entry_points[0].name.to_string();
        let inputs = Inputs::try_from(&dispatch).map_err(|error| error.to_string())?;
        let options = Options {
            steps: 1 << 24,
            ..Options::default()
        };
        run_module(&input.module, &input.shader, &inputs, &options)
            .map_err(|error| error.to_string())
    };
    let first = run(&a)?;
    let second = run(&b).map_err(|error| format!("the recompiled one: {error}"))?;
    for (a, b) in first.resources.iter().zip(&second.resources) {
        if a.bytes != b.bytes {
            let at = a.bytes.iter().zip(&b.bytes).position(|(a, b)| a != b);
            return Err(format!("different: byte {at:?}"));
        }
    }
    Ok(())
}

#[test]
fn recompiled_text_computes_the_same() {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(error) => return eprintln!("skipped: {error}"),
    };
    let session = compiler.session().unwrap();
    let (mut compiled, mut all, mut equal) = (0, 0, 0);
    let mut others: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, shader) in shader_testkit::shaders() {
        let printed = match trellis_hlsl::print(&shader, None) {
            Ok(printed) => printed,
            Err(trellis_hlsl::Error::EntryPoint { .. }) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        all += 1;
        let reason = match compile(&session, &printed.text) {
            Err(_) if !printed.unwritten.is_empty() => {
                format!("not HLSL: {}", printed.unwritten.keys().next().unwrap())
            }
            Err(error) => format!("refused: {}", error_line(&error.to_string())),
            Ok(recompiled) => {
                compiled += 1;
                let input = trellis_dxbc_frontend::read(&shader).unwrap();
                if input.shader.kind != ShaderKind::Compute {
                    continue;
                }
                match compare(&shader, &recompiled) {
                    Err(_) if MERGED.contains(&&*name) => "the compiler merges loops".to_owned(),
                    Ok(()) => {
                        equal += 1;
                        continue;
                    }
                    Err(reason) => reason,
                }
            }
        };
        others.entry(reason).or_default().push(name);
    }
    for (reason, names) in &others {
        println!("{} {reason}: {}", names.len(), names.join(" "));
    }
    println!("compiled {compiled} of {all}, equal {equal}");
    assert!(others.keys().all(|reason| !reason.starts_with("different")));
    assert!(equal >= EQUAL && compiled * 100 >= all * COMPILED);
}
