//! Shared parts of the formats' tests: a report of real shaders, and a validator of JSON schemas.

use std::path::{Path, PathBuf};

use serde_json::Value;
use trellis_corpus::backend::Backend;
use trellis_corpus::batch::{Settings, run};
use trellis_corpus::inputs::{Filter, collect};
use trellis_corpus::report::{self, Report, SCHEMA};

/// Returns the repository's root.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A schema that values are validated against, formats such as `uri-reference` included.
pub(crate) struct Validator {
    schemas: boon::Schemas,
    schema: boon::SchemaIndex,
}

impl Validator {
    pub(crate) fn new(schema: Value) -> Self {
        let mut compiler = boon::Compiler::new();
        compiler.enable_format_assertions();
        // It is in memory: nothing is loaded from there.
        let url = "https://schema.invalid/schema.json";
        compiler.add_resource(url, schema).unwrap();
        let mut schemas = boon::Schemas::new();
        let schema = compiler.compile(url, &mut schemas).unwrap();
        Self { schemas, schema }
    }

    /// Returns the error in a value.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        let result = self.schemas.validate(value, self.schema);
        result.map_err(|error| format!("{error:#}"))
    }
}

/// Returns the report of a few shaders of the corpus, broken ones and a library that is not supported.
pub(crate) fn real() -> Report {
    let folder = tempfile::tempdir().unwrap();
    let shaders = repository().join("corpus/shaders");
    let good = shaders.join("control_flow/if_else_nested.dxil");
    let bytes = std::fs::read(&good).unwrap();
    std::fs::write(folder.path().join("cut.dxil"), &bytes[..50]).unwrap();
    let mut flipped = bytes.clone();
    let middle = flipped.len() - flipped.len() / 4;
    for byte in &mut flipped[middle..] {
        *byte ^= 0x5a;
    }
    std::fs::write(folder.path().join("flipped.dxil"), flipped).unwrap();
    let paths = [
        good,
        shaders.join("raytracing/first_hit.dxil"),
        folder.path().to_owned(),
    ];
    let inputs = collect(&paths, &Filter::default()).unwrap();
    let mut options = trellis_dxil::Options::default();
    options.target = trellis_dxil::Target::Vulkan1_1;
    let backend = Backend::new(options);
    let (totals, shaders) = run(&inputs, &backend, &Settings::default(), &|_| {}).unwrap();
    Report {
        schema: SCHEMA,
        version: "1".into(),
        target: "vulkan1.1".into(),
        validator: report::Validator::TrellisAndSpirvVal,
        totals,
        shaders,
    }
}
