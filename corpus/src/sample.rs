//! A report with every field and status, for the tests of formats that are made from reports.

use trellis_dxil::error::{ErrorKind, InputLocation, InvalidKind};
use trellis_dxil::structurizer::Counters;

use crate::failure::Failure;
use crate::report::{Measured, Report, SCHEMA, ShaderReport, Status, Totals, Validator};

/// Returns a failure with every field.
fn failure() -> Failure {
    let mut location = InputLocation::default();
    location.part = Some("DXIL".into());
    location.byte_offset = Some(0x20);
    location.function = Some("main".into());
    location.block = Some(2);
    location.instruction = Some(7);
    Failure {
        feature: Some("operation".into()),
        operation: Some("SampleLevel".into()),
        invalid: Some(InvalidKind::Recursion),
        location: Box::new(location),
        ..Failure::new(ErrorKind::Unsupported, "no sampling")
    }
}

/// Returns a report with every field and status.
pub(crate) fn report() -> Report {
    let converted = ShaderReport {
        input: "in/a.dxil".into(),
        output: Some("a.spv".into()),
        clashes_with: Some("b.spv".into()),
        status: Status::Converted,
        stage: Some("compute".into()),
        entry: Some("main".into()),
        input_bytes: 2200,
        words: 730,
        time_us: 60,
        cached: true,
        error: None,
        not_validated: None,
        structurizer: Some(Counters::from_fn(|_| 1)),
        measured: Some(Box::new(Measured {
            input_hash: "01".repeat(32),
            shader_model: Some("6.5".into()),
            output_hash: Some("ab".repeat(32)),
            instructions: Some(100),
            blocks: Some(7),
        })),
    };
    let blank = ShaderReport {
        output: None,
        clashes_with: None,
        status: Status::Failed,
        words: 0,
        cached: false,
        structurizer: None,
        measured: Some(Box::new(Measured {
            input_hash: "23".repeat(32),
            ..Measured::default()
        })),
        ..converted.clone()
    };
    let shaders = vec![
        converted.clone(),
        ShaderReport {
            input: "in/deep er/ä%.dxil".into(),
            not_validated: Some("too old".into()),
            ..converted
        },
        ShaderReport {
            input: "in/b.dxil".into(),
            error: Some(failure()),
            ..blank.clone()
        },
        ShaderReport {
            input: "broken.dxil".into(),
            entry: None,
            stage: None,
            error: Some(Failure::new(ErrorKind::Read, "too {0} short")),
            ..blank.clone()
        },
        ShaderReport {
            input: "in/lib.dxil".into(),
            status: Status::Skipped,
            entry: None,
            stage: Some("library".into()),
            ..blank
        },
    ];
    let mut totals = Totals::of(&shaders);
    totals.wall_us = 1500;
    totals.cache_error = Some("cannot write".into());
    Report {
        schema: SCHEMA,
        version: "1".into(),
        target: "vulkan1.3".into(),
        validator: Validator::Trellis,
        totals,
        shaders,
    }
}

/// Returns the same report with a text in place of all names and messages that an input can choose.
pub(crate) fn report_with_text(text: &str) -> Report {
    let mut report = report();
    report.target = text.to_owned();
    report.version = text.to_owned();
    for shader in &mut report.shaders {
        shader.input = text.to_owned();
        shader.entry = shader.entry.is_some().then(|| text.to_owned());
        shader.not_validated = shader.not_validated.is_some().then(|| text.to_owned());
        if let Some(measured) = &mut shader.measured {
            measured.input_hash = text.to_owned();
        }
        if let Some(error) = &mut shader.error {
            error.message = text.to_owned();
            error.feature = Some(text.to_owned());
            error.operation = Some(text.to_owned());
            error.location.function = Some(text.to_owned());
        }
    }
    report
}
