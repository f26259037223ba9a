//! The results of a batch as a table: a row per result, in input order.
//!
//! Other programs write the same table, so that its columns and their types do not depend on this
//! crate: `docs/batch-table.md` describes them. A value that a result does not have is null. With
//! the feature `parquet`, `write` writes the table as a Parquet file, in groups of rows, one of
//! them in memory at a time. Except for `time_us` the table is a function of the inputs and the
//! options, to the byte.

#[cfg(feature = "parquet")]
mod parquet;

use serde::Serialize;

use crate::report::{Measured, ShaderReport, Status};
#[cfg(feature = "parquet")]
pub use parquet::write;

/// A row: a result, or an input that has none. The fields are the columns, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// Path of the input; for a member of an archive, the archive's path, `!` and the path in it.
    pub input: String,
    /// The entry point.
    pub entry_point: Option<String>,
    /// `converted`, `failed`, `skipped`, or `not-run`.
    pub status: &'static str,
    /// The pipeline stage.
    pub stage: Option<String>,
    /// The shader model of the program in a container, such as `6.5`.
    pub shader_model: Option<String>,
    /// Bytes of an input that could be read.
    pub input_bytes: Option<u64>,
    /// BLAKE3 of the input, in hexadecimal.
    pub input_hash: Option<String>,
    /// Path of the output, relative to the output folder.
    pub output: Option<String>,
    /// Bytes of the output.
    pub output_bytes: Option<u64>,
    /// BLAKE3 of the output's words in little-endian order, in hexadecimal.
    pub output_hash: Option<String>,
    /// SPIR-V words of the output.
    pub words: Option<u64>,
    /// SPIR-V instructions of the output.
    pub instructions: Option<u64>,
    /// Blocks of the output.
    pub blocks: Option<u64>,
    /// Selectors that the structurizer made.
    pub selectors: Option<u64>,
    /// Breakable blocks that the structurizer made.
    pub breakable_blocks: Option<u64>,
    /// Copies of blocks that the structurizer made.
    pub copied_blocks: Option<u64>,
    /// Time of the conversion, in microseconds.
    pub time_us: Option<u64>,
    /// Kind of the failure, such as `read`.
    pub failure_kind: Option<&'static str>,
    /// The fault, and the expected input.
    pub failure_message: Option<String>,
}

impl Row {
    /// Returns the row of a result. Hashes and sizes are there if
    /// [`Settings::measure`](crate::batch::Settings::measure) requests them.
    pub fn of(report: ShaderReport) -> Self {
        let is_converted = report.status == Status::Converted;
        let was_read = report.measured.is_some() || report.input_bytes > 0;
        let words = is_converted.then_some(report.words);
        let counts = report.structurizer.filter(|_| is_converted);
        let (failure_kind, failure_message) = match report.error {
            Some(failure) => (Some(failure.kind.name()), Some(failure.message)),
            None => (None, None),
        };
        let (input_hash, measured) = match report.measured.map(|measured| *measured) {
            Some(mut measured) => (Some(std::mem::take(&mut measured.input_hash)), measured),
            None => (None, Measured::default()),
        };
        Self {
            input: report.input,
            entry_point: report.entry,
            status: match report.status {
                Status::Converted => "converted",
                Status::Failed => "failed",
                Status::Skipped => "skipped",
            },
            stage: report.stage,
            shader_model: measured.shader_model,
            input_bytes: was_read.then_some(report.input_bytes),
            input_hash,
            output: report.output,
            output_bytes: words.and_then(|words| words.checked_mul(4)),
            output_hash: measured.output_hash,
            words,
            instructions: measured.instructions,
            blocks: measured.blocks,
            selectors: counts.map(|counts| counts.selectors),
            breakable_blocks: counts.map(|counts| counts.breakable_blocks),
            copied_blocks: counts.map(|counts| counts.copies),
            time_us: Some(report.time_us),
            failure_kind,
            failure_message,
        }
    }

    /// Returns the row of an input that was not run, given its name.
    pub fn not_run(input: impl Into<String>) -> Self {
        Self {
            input: input.into(),
            status: "not-run",
            ..Self::default()
        }
    }
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A number of 64 bits, with a sign.
    Number,
}

/// A value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// The row has none.
    Null,
    /// Text.
    Text(&'a str),
    /// A number.
    Number(u64),
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

impl From<Option<u64>> for Value<'_> {
    fn from(number: Option<u64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }
}

/// A column of the table.
pub struct Column {
    /// The name of a field of [`Row`].
    pub name: &'static str,
    /// The type of the values.
    pub kind: Kind,
    /// True if there are rows without a value.
    pub is_nullable: bool,
    /// Returns the value of a row.
    pub value: fn(&Row) -> Value<'_>,
}

const fn column(name: &'static str, kind: Kind, value: fn(&Row) -> Value<'_>) -> Column {
    Column {
        name,
        kind,
        is_nullable: true,
        value,
    }
}

const fn required(name: &'static str, value: fn(&Row) -> Value<'_>) -> Column {
    Column {
        is_nullable: false,
        ..column(name, Kind::Text, value)
    }
}

/// The columns, in order.
pub const COLUMNS: [Column; 19] = [
    required("input", |row| Value::Text(&row.input)),
    column("entry_point", Kind::Text, |row| {
        row.entry_point.as_deref().into()
    }),
    required("status", |row| Value::Text(row.status)),
    column("stage", Kind::Text, |row| row.stage.as_deref().into()),
    column("shader_model", Kind::Text, |row| {
        row.shader_model.as_deref().into()
    }),
    column("input_bytes", Kind::Number, |row| row.input_bytes.into()),
    column("input_hash", Kind::Text, |row| {
        row.input_hash.as_deref().into()
    }),
    column("output", Kind::Text, |row| row.output.as_deref().into()),
    column("output_bytes", Kind::Number, |row| row.output_bytes.into()),
    column("output_hash", Kind::Text, |row| {
        row.output_hash.as_deref().into()
    }),
    column("words", Kind::Number, |row| row.words.into()),
    column("instructions", Kind::Number, |row| row.instructions.into()),
    column("blocks", Kind::Number, |row| row.blocks.into()),
    column("selectors", Kind::Number, |row| row.selectors.into()),
    column("breakable_blocks", Kind::Number, |row| {
        row.breakable_blocks.into()
    }),
    column("copied_blocks", Kind::Number, |row| {
        row.copied_blocks.into()
    }),
    column("time_us", Kind::Number, |row| row.time_us.into()),
    column("failure_kind", Kind::Text, |row| row.failure_kind.into()),
    column("failure_message", Kind::Text, |row| {
        row.failure_message.as_deref().into()
    }),
];

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Kind, Row, Value};
    use crate::sample;

    /// `docs/batch-table.md` has each column, in order, with its type.
    #[test]
    fn columns_are_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/batch-table.md");
        let page = std::fs::read_to_string(path).unwrap();
        let documented: Vec<&str> = { page.lines() }
            .filter(|line| line.starts_with("| `"))
            .map(|line| &line[..line.match_indices('|').nth(2).unwrap().0])
            .collect();
        let columns: Vec<String> = { COLUMNS.iter() }
            .map(|column| {
                let kind = match column.kind {
                    Kind::Text => "string",
                    Kind::Number => "int64",
                };
                let null = if column.is_nullable { "" } else { ", not null" };
                format!("| `{}` | {kind}{null} ", column.name)
            })
            .collect();
        assert_eq!(documented, columns);
    }

    /// The JSON of a row has the table's columns, with the same values.
    #[test]
    fn columns_are_the_fields() {
        let mut rows: Vec<Row> = sample::report().shaders.into_iter().map(Row::of).collect();
        rows.push(Row::not_run("late.dxil"));
        for row in rows {
            let json = serde_json::to_value(&row).unwrap();
            let fields = json.as_object().unwrap();
            assert_eq!(fields.len(), COLUMNS.len());
            for column in &COLUMNS {
                let value = match (column.value)(&row) {
                    Value::Null => serde_json::Value::Null,
                    Value::Text(text) => text.into(),
                    Value::Number(number) => number.into(),
                };
                assert_eq!(fields[column.name], value, "{}", column.name);
                let is_right = match column.kind {
                    _ if value.is_null() => column.is_nullable,
                    Kind::Text => value.is_string(),
                    Kind::Number => value.is_u64(),
                };
                assert!(is_right, "{}", column.name);
            }
        }
    }
}
