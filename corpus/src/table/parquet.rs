//! Writes the table as a Parquet file.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::{COLUMNS, Column, Kind, Row, Value};
use crate::report::ShaderReport;

/// Rows of a group. Readers skip and read groups as a whole; one is in memory at a time.
const GROUP: usize = 1 << 14;

/// Writes the table of these results, and after them of the inputs that were not run.
///
/// Hashes and sizes require [`Settings::measure`](crate::batch::Settings::measure).
///
/// # Errors
/// Returns the errors of writing and of the results.
pub fn write(
    results: impl Iterator<Item = io::Result<ShaderReport>>,
    not_run: impl Iterator<Item = String>,
    to: impl io::Write + Send,
) -> io::Result<()> {
    let schema = schema().map_err(io_error)?;
    // Every reader of Parquet has Snappy, and it needs no C.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties));
    let mut writer = writer.map_err(io_error)?;
    let mut rows = Vec::new();
    let results = results.map(|result| result.map(Row::of));
    for row in results.chain(not_run.map(|input| Ok(Row::not_run(input)))) {
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
    let fields = COLUMNS.iter().map(|column| {
        let (physical, logical) = match column.kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Number => (Physical::INT64, None),
        };
        let repetition = match column.is_nullable {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let field = Type::primitive_type_builder(column.name, physical)
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
    for column in &COLUMNS {
        // The schema has a column for each.
        let missing = || ParquetError::General("a column is missing".to_owned());
        let to = group.next_column()?.ok_or_else(missing)?;
        write_column(to, column, rows)?;
    }
    group.close().map(|_| ())
}

fn write_column(
    mut to: SerializedColumnWriter<'_>,
    column: &Column,
    rows: &[Row],
) -> Result<(), ParquetError> {
    let values = rows.iter().map(column.value);
    // For each value 1, or 0 if it is null.
    let levels: Vec<i16> = { values.clone() }
        .map(|value| i16::from(value != Value::Null))
        .collect();
    let levels = column.is_nullable.then_some(&levels[..]);
    match column.kind {
        Kind::Text => {
            let text = |value| match value {
                Value::Text(text) => Some(text.into()),
                _ => None,
            };
            let texts: Vec<ByteArray> = values.filter_map(text).collect();
            let to = to.typed::<ByteArrayType>();
            to.write_batch(&texts, levels, None)?;
        }
        Kind::Number => {
            // No size or time is larger.
            let number = |value| match value {
                Value::Number(number) => Some(i64::try_from(number).unwrap_or(i64::MAX)),
                _ => None,
            };
            let numbers: Vec<i64> = values.filter_map(number).collect();
            let to = to.typed::<Int64Type>();
            to.write_batch(&numbers, levels, None)?;
        }
    }
    to.close()
}

#[cfg(test)]
mod tests;
