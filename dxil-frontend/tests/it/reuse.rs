//! A reader that keeps memory between programs: the same modules and shaders as a new one gives.

use std::path::Path;

use trellis_dxil_frontend::{Input, Reader, names_from_stat, read};

fn files() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|e| e == "dxil"));
    let files: Vec<_> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    assert!(files.len() > 5);
    files
}

/// Returns everything of an input as text.
fn show(input: &Input<'_>) -> String {
    format!("{:?} {:?}", input.module, input.shader)
}

/// Reads with the names of resources.
fn named<'a>(reader: &mut Reader, file: &'a [u8]) -> Input<'a> {
    let mut input = reader.read(file).unwrap();
    if let Some(container) = input.container {
        reader
            .names_from_stat(&container, &mut input.shader)
            .unwrap();
    }
    input
}

#[test]
fn inputs_do_not_depend_on_what_was_read_before() {
    let files = files();
    let expected: Vec<String> = files
        .iter()
        .map(|file| {
            let mut input = read(file).unwrap();
            if let Some(container) = input.container {
                names_from_stat(&container, &mut input.shader).unwrap();
            }
            show(&input)
        })
        .collect();
    let mut reader = Reader::new();
    for step in [1, 2, 3, 5] {
        for number in 0..files.len() {
            let number = number * step % files.len();
            let input = named(&mut reader, &files[number]);
            assert!(show(&input) == expected[number], "file {number}");
            reader.recycle(input);
        }
    }
}

#[test]
fn damaged_files_give_the_same_errors_and_leave_the_reader_as_it_was() {
    let mut reader = Reader::new();
    let mut errors = 0;
    for file in files() {
        let expected = show(&read(&file).unwrap());
        for part in 1..40 {
            let mut damaged = file.clone();
            let at = file.len() * part / 40;
            damaged[at] ^= 0x10;
            match (reader.read(&damaged), read(&damaged)) {
                (Ok(input), Ok(other)) => {
                    assert!(show(&input) == show(&other));
                    reader.recycle(input);
                }
                (Err(error), Err(other)) => {
                    assert_eq!(error.to_string(), other.to_string());
                    errors += 1;
                }
                _ => panic!("a kept reader and a new one differ at byte {at}"),
            }
            let input = reader.read(&file).unwrap();
            assert!(show(&input) == expected);
            reader.recycle(input);
        }
    }
    assert!(errors > 50, "{errors} errors");
}

#[test]
fn what_is_kept_does_not_grow() {
    let (files, mut reader) = (files(), Reader::new());
    let mut round = || {
        for file in &files {
            let input = named(&mut reader, file);
            reader.recycle(input);
        }
        reader.kept_bytes()
    };
    round();
    let kept = round();
    assert!(kept > 10_000, "{kept} bytes");
    for _ in 0..10 {
        assert_eq!(round(), kept);
    }
}
