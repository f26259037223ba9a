//! The bitcode reader on the corpus, and on small bitstreams written by hand.

use shader_testkit::{containers, programs};
use trellis_dxil_frontend::bitcode::read_module;

#[test]
fn reads_every_program_of_the_corpus() {
    for (name, file) in containers() {
        for program in programs(&name, &file) {
            let module = read_module(&program.bytes, program.offset)
                .unwrap_or_else(|error| panic!("{}: {error}", program.name));
            assert_eq!(&*module.triple, "dxil-ms-dx", "{}", program.name);
            // STAT is for reflection and has no bodies.
            let has_body = module.functions.values().any(|f| !f.is_declaration);
            assert!(
                has_body || program.name.ends_with("STAT"),
                "{}: no function body",
                program.name
            );
            assert!(
                module.metadata.named("dx.entryPoints").is_some(),
                "{}",
                program.name
            );
        }
    }
}
