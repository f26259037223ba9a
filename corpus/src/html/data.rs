//! The report as the page's scripts read it: columns instead of objects, and each name once.

use std::collections::BTreeMap;

use serde::Serialize;
use trellis_dxil::frontend::dxop::Op;
use trellis_dxil::structurizer::Counters;

use super::cause;
use crate::details::{Details, can_be_read};
use crate::failure::{Failure, Kind};
use crate::report::{Report, ShaderReport, Status, Totals, Validator};

/// All that the scripts need, but the details.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    kind: &'static str,
    version: &'a str,
    target: &'a str,
    validator: Validator,
    totals: &'a Totals,
    counters: &'a [&'static str],
    stages: Vec<&'a str>,
    causes: Vec<Cause>,
    /// The options of the batch as arguments of `trellis convert`.
    options: &'a [String],
    /// The names of the operations that the shaders have, in the order of their numbers.
    operations: Vec<&'static str>,
    /// True if operations were counted.
    has_operations: bool,
    shaders: Columns<'a>,
}

/// Failures of one cause.
#[derive(Serialize)]
struct Cause {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    /// The message, if all have the same, else its general form.
    what: String,
    help: &'static str,
}

/// The causes in the order of their first failures.
#[derive(Default)]
struct Causes {
    list: Vec<Cause>,
    known: BTreeMap<(Kind, Option<String>, String), usize>,
}

impl Causes {
    /// Returns the number of a failure's cause.
    fn add(&mut self, error: &Failure) -> usize {
        let (general, what) = (cause::of(error), cause::what(error));
        let key = (error.kind, error.feature.clone(), general.clone());
        let number = *self.known.entry(key).or_insert(self.list.len());
        match self.list.get_mut(number) {
            Some(cause) if cause.what != what => cause.what = general,
            Some(_) => {}
            None => self.list.push(Cause {
                kind: error.kind.name(),
                feature: error.feature.clone(),
                what: what.to_owned(),
                help: error.help(),
            }),
        }
        number
    }
}

/// A column for each property of the shaders; properties that few of them have are by index.
#[derive(Default, Serialize)]
struct Columns<'a> {
    input: Vec<&'a str>,
    entry: Vec<Option<&'a str>>,
    /// Index of the stage, -1 if it is unknown.
    stage: Vec<i64>,
    /// `c` converted, `f` failed, `s` skipped, for each shader.
    status: String,
    bytes: Vec<u64>,
    words: Vec<u64>,
    time: Vec<u64>,
    output: Vec<Option<&'a str>>,
    cause: BTreeMap<usize, usize>,
    message: BTreeMap<usize, &'a str>,
    location: BTreeMap<usize, String>,
    not_validated: BTreeMap<usize, &'a str>,
    clashes: BTreeMap<usize, &'a str>,
    cached: Vec<usize>,
    /// For each shader pairs of a counter and its count, in one list.
    counts: Vec<Vec<u64>>,
    /// For each shader pairs of an operation and its calls, in one list.
    operations: Vec<Vec<u64>>,
    /// Shaders that were not read again, and can have no details.
    unreadable: Vec<usize>,
}

impl<'a> Data<'a> {
    /// Returns the data of a report.
    pub(super) fn of(report: &'a Report, details: &'a Details) -> Self {
        let mut stages: Vec<&str> = Vec::new();
        let mut causes = Causes::default();
        let mut columns = Columns::default();
        for (index, shader) in report.shaders.iter().enumerate() {
            let stage = shader.stage.as_deref().map_or(-1, |name| {
                let place = stages.iter().position(|stage| *stage == name);
                place.unwrap_or_else(|| {
                    stages.push(name);
                    stages.len() - 1
                }) as i64
            });
            columns.stage.push(stage);
            add(&mut columns, index, shader);
            if let Some(error) = &shader.error {
                columns.cause.insert(index, causes.add(error));
            }
        }
        let operations = operations(&mut columns, details);
        Self {
            kind: "report",
            version: &report.version,
            target: &report.target,
            validator: report.validator,
            totals: &report.totals,
            counters: &Counters::NAMES,
            stages,
            causes: causes.list,
            options: &details.options,
            operations,
            has_operations: !details.operations.is_empty(),
            shaders: columns,
        }
    }
}

fn add<'a>(columns: &mut Columns<'a>, index: usize, shader: &'a ShaderReport) {
    columns.input.push(&shader.input);
    columns.entry.push(shader.entry.as_deref());
    columns.status.push(match shader.status {
        Status::Converted => 'c',
        Status::Failed => 'f',
        Status::Skipped => 's',
    });
    columns.bytes.push(shader.input_bytes);
    columns.words.push(shader.words);
    columns.time.push(shader.time_us);
    columns.output.push(shader.output.as_deref());
    if let Some(error) = &shader.error {
        columns.message.insert(index, &error.message);
        if !error.location.is_empty() {
            columns.location.insert(index, error.location.to_string());
        }
    }
    if let Some(reason) = &shader.not_validated {
        columns.not_validated.insert(index, reason);
    }
    if let Some(name) = &shader.clashes_with {
        columns.clashes.insert(index, name);
    }
    if shader.cached {
        columns.cached.push(index);
    }
    if !can_be_read(shader) {
        columns.unreadable.push(index);
    }
    let counters = shader.structurizer.iter().flat_map(Counters::named);
    let counts = (0..).zip(counters).filter(|(_, (_, count))| *count > 0);
    columns.counts.push(
        counts
            .flat_map(|(number, (_, count))| [number, count])
            .collect(),
    );
}

/// Adds the operations of each shader and returns the names of all.
fn operations(columns: &mut Columns<'_>, details: &Details) -> Vec<&'static str> {
    let mut used: BTreeMap<u32, Op> = BTreeMap::new();
    for (op, _) in details.operations.iter().flatten() {
        used.insert(op.code(), *op);
    }
    let number: BTreeMap<u32, u64> = used.keys().copied().zip(0..).collect();
    columns.operations = details
        .operations
        .iter()
        .map(|list| {
            list.iter()
                .flat_map(|(op, calls)| [number[&op.code()], u64::from(*calls)])
                .collect()
        })
        .collect();
    used.values().map(|op| op.name()).collect()
}

#[cfg(test)]
mod tests {
    use trellis_dxil::error::ErrorKind;

    use super::Causes;
    use crate::failure::Failure;

    #[test]
    fn a_cause_has_what_its_failures_have_in_common() {
        let mut causes = Causes::default();
        let mut add = |kind, message| causes.add(&Failure::new(kind, message));
        let numbers = [
            add(ErrorKind::Read, "needs 10 bytes (byte offset 0x1)"),
            add(ErrorKind::Read, "needs 20 bytes (byte offset 0x2)"),
            add(ErrorKind::Invalid, "needs 20 bytes"),
            add(ErrorKind::Read, "is 4 long"),
            add(ErrorKind::Read, "is 4 long"),
        ];
        assert_eq!(numbers, [0, 0, 1, 2, 2]);
        let texts = causes.list.iter().map(|cause| cause.what.as_str());
        let expected = ["needs N bytes", "needs 20 bytes", "is 4 long"];
        assert_eq!(texts.collect::<Vec<_>>(), expected);
    }
}
