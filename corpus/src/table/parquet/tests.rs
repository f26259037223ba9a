//! The table as the Parquet crate's own reader sees it.

use std::fs::File;
use std::io::Write as _;

use parquet::basic::{ConvertedType, Repetition, Type as Physical};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;

use super::{GROUP, write};
use crate::report::ShaderReport;
use crate::sample;

/// Returns the table of some results and inputs that were not run.
fn table(results: Vec<ShaderReport>, not_run: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let not_run = not_run.iter().map(|name| (*name).to_owned());
    write(results.into_iter().map(Ok), not_run, &mut bytes).unwrap();
    bytes
}

fn reader(table: &[u8]) -> SerializedFileReader<File> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(table).unwrap();
    SerializedFileReader::new(file).unwrap()
}

/// Returns the rows as text, of each the columns that are not null.
fn rows(table: &[u8]) -> Vec<String> {
    let rows = reader(table).into_iter().map(|row| {
        let row = row.unwrap();
        let columns = row.get_column_iter();
        let present = columns.filter(|(_, value)| **value != Field::Null);
        let texts: Vec<String> = present
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        texts.join(" ")
    });
    rows.collect()
}

#[test]
fn columns_have_the_types_that_other_programs_write() {
    let reader = reader(&table(Vec::new(), &[]));
    let schema = reader.metadata().file_metadata().schema_descr();
    let columns = schema.columns().iter().map(|column| {
        let info = column.self_type().get_basic_info();
        let kind = match (column.physical_type(), column.converted_type()) {
            (Physical::BYTE_ARRAY, ConvertedType::UTF8) => "string",
            (Physical::INT64, ConvertedType::NONE) => "int64",
            _ => "?",
        };
        let null = match info.repetition() {
            Repetition::REQUIRED => " not null",
            _ => "",
        };
        format!("{} {kind}{null}", column.name())
    });
    let expected = "input string not null, entry_point string, status string not null, stage string, \
        shader_model string, input_bytes int64, input_hash string, output string, output_bytes int64, \
        output_hash string, words int64, instructions int64, blocks int64, selectors int64, \
        breakable_blocks int64, copied_blocks int64, time_us int64, failure_kind string, \
        failure_message string";
    assert_eq!(columns.collect::<Vec<_>>().join(", "), expected);
    assert_eq!(reader.metadata().num_row_groups(), 0);
}

#[test]
fn a_row_has_what_its_result_has() {
    let rows = rows(&table(sample::report().shaders, &["late.dxil"]));
    let (input, output) = ("01".repeat(32), "ab".repeat(32));
    let read = format!("input_bytes=2200 input_hash=\"{}\"", "23".repeat(32));
    let converted = format!(
        "entry_point=\"main\" status=\"converted\" stage=\"compute\" shader_model=\"6.5\" input_bytes=2200 \
         input_hash=\"{input}\" output=\"a.spv\" output_bytes=2920 output_hash=\"{output}\" words=730 \
         instructions=100 blocks=7 selectors=1 breakable_blocks=1 copied_blocks=1 time_us=60"
    );
    assert_eq!(
        rows,
        [
            format!("input=\"in/a.dxil\" {converted}"),
            format!("input=\"in/deep er/ä%.dxil\" {converted}"),
            format!(
                "input=\"in/b.dxil\" entry_point=\"main\" status=\"failed\" stage=\"compute\" {read} \
                 time_us=60 failure_kind=\"unsupported\" failure_message=\"no sampling\""
            ),
            format!(
                "input=\"broken.dxil\" status=\"failed\" {read} time_us=60 failure_kind=\"read\" \
                 failure_message=\"too {{0}} short\""
            ),
            format!("input=\"in/lib.dxil\" status=\"skipped\" stage=\"library\" {read} time_us=60"),
            "input=\"late.dxil\" status=\"not-run\"".to_owned(),
        ]
    );
}

#[test]
fn rows_are_in_order_over_several_groups_and_have_any_text() {
    let sample = &sample::report_with_text("\0\"\u{1f600}\n").shaders;
    let count = 2 * GROUP + 3;
    let results: Vec<ShaderReport> = (0..count)
        .map(|index| ShaderReport {
            words: index as u64,
            time_us: u64::MAX,
            ..sample[index % sample.len()].clone()
        })
        .collect();
    let first = table(results.clone(), &["a", "b"]);
    assert!(first == table(results.clone(), &["a", "b"]));
    let reader = reader(&first);
    assert_eq!(reader.metadata().num_row_groups(), 3);
    let mut rows = reader.into_iter().map(Result::unwrap);
    for result in &results {
        let row = rows.next().unwrap();
        let values: Vec<&Field> = row.get_column_iter().map(|(_, value)| value).collect();
        assert_eq!(*values[0], Field::Str(result.input.clone()));
        let words = match result.output {
            Some(_) => Field::Long(result.words as i64),
            None => Field::Null,
        };
        assert_eq!(*values[10], words);
        assert_eq!(*values[16], Field::Long(i64::MAX));
    }
    assert_eq!(rows.count(), 2);
}

#[test]
fn errors_of_results_and_of_the_file_are_returned() {
    let lost = std::iter::once(Err(std::io::Error::other("lost")));
    let error = write(lost, std::iter::empty(), Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "lost");
    let shaders = sample::report().shaders.into_iter().map(Ok);
    let mut small = [0; 20];
    let error = write(shaders, std::iter::empty(), small.as_mut_slice()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WriteZero);
}
