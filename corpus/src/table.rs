//! The results of a batch as a Parquet table: a row per result, in input order.
//!
//! Other programs write the same table, so that its columns and their types do not depend on this crate:
//! `docs/batch-table.md` describes them. A value that a result does not have is null. Rows are written in
//! groups, of which one is in memory. Except for `time_us` the table is a function of the inputs and the
//! options, to the byte.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::report::{Measured, ShaderReport, Status};

/// Rows of a group. Readers skip and read groups as a whole; memory is that of one.
const GROUP: usize = 1 << 14;

/// A row: a result, or an input that has none.
enum Row {
    Result(Box<ShaderReport>),
    /// The name of an input that was not run.
    NotRun(String),
}

/// How the values of a column are found.
enum Values {
    /// UTF-8 text that every row has.
    Required(fn(&Row) -> &str),
    /// UTF-8 text, or null.
    Text(fn(&Row) -> Option<&str>),
    /// A number of 64 bits, or null.
    Number(fn(&Row) -> Option<u64>),
}

/// The columns, in order.
const COLUMNS: [(&str, Values); 19] = [
    ("input", Values::Required(Row::input)),
    (
        "entry_point",
        Values::Text(|row| row.result()?.entry.as_deref()),
    ),
    ("status", Values::Required(Row::status)),
    ("stage", Values::Text(|row| row.result()?.stage.as_deref())),
    (
        "shader_model",
        Values::Text(|row| row.measured()?.shader_model.as_deref()),
    ),
    ("input_bytes", Values::Number(Row::input_bytes)),
    (
        "input_hash",
        Values::Text(|row| Some(&row.measured()?.input_hash)),
    ),
    (
        "output",
        Values::Text(|row| row.result()?.output.as_deref()),
    ),
    (
        "output_bytes",
        Values::Number(|row| row.converted()?.words.checked_mul(4)),
    ),
    (
        "output_hash",
        Values::Text(|row| row.measured()?.output_hash.as_deref()),
    ),
    ("words", Values::Number(|row| Some(row.converted()?.words))),
    (
        "instructions",
        Values::Number(|row| row.measured()?.instructions),
    ),
    ("blocks", Values::Number(|row| row.measured()?.blocks)),
    (
        "selectors",
        Values::Number(|row| Some(row.converted()?.structurizer?.selectors)),
    ),
    (
        "breakable_blocks",
        Values::Number(|row| Some(row.converted()?.structurizer?.breakable_blocks)),
    ),
    (
        "copied_blocks",
        Values::Number(|row| Some(row.converted()?.structurizer?.copies)),
    ),
    ("time_us", Values::Number(|row| Some(row.result()?.time_us))),
    (
        "failure_kind",
        Values::Text(|row| Some(row.result()?.error.as_ref()?.kind.name())),
    ),
    (
        "failure_message",
        Values::Text(|row| Some(&row.result()?.error.as_ref()?.message)),
    ),
];

impl Row {
    fn result(&self) -> Option<&ShaderReport> {
        match self {
            Self::Result(report) => Some(report),
            Self::NotRun(_) => None,
        }
    }

    /// Returns the result if there is an output.
    fn converted(&self) -> Option<&ShaderReport> {
        self.result()
            .filter(|report| report.status == Status::Converted)
    }

    fn measured(&self) -> Option<&Measured> {
        self.result()?.measured.as_deref()
    }

    fn input(&self) -> &str {
        match self {
            Self::Result(report) => &report.input,
            Self::NotRun(input) => input,
        }
    }

    fn status(&self) -> &str {
        match self.result().map(|report| report.status) {
            Some(Status::Converted) => "converted",
            Some(Status::Failed) => "failed",
            Some(Status::Skipped) => "skipped",
            None => "not-run",
        }
    }

    /// Returns the size of an input that could be read.
    fn input_bytes(&self) -> Option<u64> {
        let report = self.result()?;
        let was_read = report.measured.is_some() || report.input_bytes > 0;
        was_read.then_some(report.input_bytes)
    }
}

/// Writes the table of these results, and after them of the inputs that were not run.
///
/// Hashes and sizes are those that [`Settings::measure`](crate::batch::Settings::measure) asks for.
///
/// # Errors
/// Returns the errors of writing, and those of the results.
pub fn write(
    results: impl Iterator<Item = io::Result<ShaderReport>>,
    not_run: impl Iterator<Item = String>,
    to: impl io::Write + Send,
) -> io::Result<()> {
    let schema = schema().map_err(io_error)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties));
    let mut writer = writer.map_err(io_error)?;
    let mut rows = Vec::new();
    let not_run = not_run.map(|input| Ok(Row::NotRun(input)));
    for row in results
        .map(|result| result.map(|result| Row::Result(Box::new(result))))
        .chain(not_run)
    {
        rows.push(row?);
        if rows.len() == GROUP {
            write_group(&mut writer, &rows).map_err(io_error)?;
            rows.clear();
        }
    }
    // A table without rows has no groups.
    if !rows.is_empty() {
        write_group(&mut writer, &rows).map_err(io_error)?;
    }
    writer.close().map_err(io_error)?;
    Ok(())
}

/// Returns the system's error if there is one, as for other reports.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

fn schema() -> Result<Type, ParquetError> {
    let fields = COLUMNS.iter().map(|(name, values)| {
        let (physical, logical, repetition) = match values {
            Values::Required(_) => (
                Physical::BYTE_ARRAY,
                Some(LogicalType::String),
                Repetition::REQUIRED,
            ),
            Values::Text(_) => (
                Physical::BYTE_ARRAY,
                Some(LogicalType::String),
                Repetition::OPTIONAL,
            ),
            Values::Number(_) => (Physical::INT64, None, Repetition::OPTIONAL),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition);
        field.build().map(Arc::new)
    });
    Type::group_type_builder("trellis_batch")
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()
}

fn write_group<W: io::Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    rows: &[Row],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (_, values) in &COLUMNS {
        // The schema has a column for each.
        let missing = || ParquetError::General("a column is missing".to_owned());
        let column = group.next_column()?.ok_or_else(missing)?;
        write_column(column, values, rows)?;
    }
    group.close().map(|_| ())
}

fn write_column(
    mut column: SerializedColumnWriter<'_>,
    values: &Values,
    rows: &[Row],
) -> Result<(), ParquetError> {
    match values {
        Values::Required(of) => {
            let texts: Vec<ByteArray> = rows.iter().map(|row| of(row).into()).collect();
            let column = column.typed::<ByteArrayType>();
            column.write_batch(&texts, None, None)?;
        }
        Values::Text(of) => {
            let texts = rows.iter().map(|row| of(row).map(ByteArray::from));
            let (levels, texts) = split(texts);
            let column = column.typed::<ByteArrayType>();
            column.write_batch(&texts, Some(&levels), None)?;
        }
        Values::Number(of) => {
            // A larger number is no size or time of anything.
            let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
            let (levels, numbers) = split(rows.iter().map(|row| of(row).map(number)));
            let column = column.typed::<Int64Type>();
            column.write_batch(&numbers, Some(&levels), None)?;
        }
    }
    column.close()
}

/// Returns for each value 1, or 0 if it is null, and the values that are not.
fn split<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<i16>, Vec<T>) {
    let mut levels = Vec::new();
    let mut present = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    (levels, present)
}

#[cfg(test)]
mod tests;
